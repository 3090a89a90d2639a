#include "ops/queue_trial.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/promotion_lock.h"
#include "ops/promotion_plan.h"
#include "proposal/bisect.h"
#include "proposal/conflicts.h"

namespace gh::ops {
namespace {

using proposal::Finding;
using proposal::PropCode;

class Trier {
 public:
  Trier(ProposalSession& session, Context& context, TriedTrees& tried)
      : session_(session), context_(context), tried_(tried) {}

  /// nullopt: it passes.
  Result<std::optional<Finding>> fault_of(Built& built, const std::string& run_id) {
    const std::string tree = built.outcome.candidate->tree.hex();
    if (tried_.contains({session_.policy_sha256, tree})) return std::nullopt;
    if (const auto known = failed_.find(tree); known != failed_.end()) return known->second;
    GH_TRY(fault,
           verify_built(session_, context_, built, run_id, session_.policy().verify_commands));
    if (fault) {
      failed_.emplace(tree, *fault);
    } else {
      tried_.emplace(session_.policy_sha256, tree);
    }
    return fault;
  }

  /// The standing itself, without anything of the queue.
  Result<Built> standing(const git::Commit& commit) {
    GH_TRY(quarantine, session_.repo.quarantine());
    patch::Outcome outcome;
    outcome.candidate = patch::Candidate{
        .base_commit = commit.id, .base_tree = commit.tree, .tree = commit.tree, .entries = {}};
    return Built{std::move(outcome), std::move(quarantine)};
  }

 private:
  ProposalSession& session_;
  Context& context_;
  TriedTrees& tried_;
  std::map<std::string, Finding> failed_{};
};

/// Where `culprit` can stand: behind everything it depends on, and applying from there on.
Result<std::size_t> first_footing(ProposalSession& session, const std::vector<Standing>& rows,
                                  const Stored& culprit) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (std::ranges::find(culprit.meta.depends_on, rows[i].added_by) !=
        culprit.meta.depends_on.end())
      first = i;
  for (std::size_t i = rows.size(); i-- > first;) {
    GH_TRY(built, build_on(session, culprit.canonical, rows[i].commit));
    if (!built) return i + 1;
  }
  return first;
}

/// Alone at fault, or together with one that came before it?
Result<Measured> blame(ProposalSession& session, Trier& trier, std::vector<Standing> rows,
                       const Stored& culprit, const Finding& fault) {
  Measured out{.head = session.head.id.hex()};
  GH_TRY(first, first_footing(session, rows, culprit));
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first));
  std::size_t with = 0;
  if (!rows.empty()) {
    const auto passes = [&](std::size_t i) -> Result<bool> {
      GH_TRY(built, build_on(session, culprit.canonical, rows[i].commit));
      if (!built) return true;
      GH_TRY(found, trier.fault_of(*built, culprit.row.patch_id));
      return !found.has_value();
    };
    GH_TRY(found, proposal::first_failing(rows.size() - 1, passes));
    with = found;
  }
  if (with == 0) {
    out.verify_fault = fault;
    return out;
  }
  const std::string& other = rows[with].added_by;
  const std::string kind(to_string(proposal::ConflictKind::semantic));
  out.conflict =
      Finding{PropCode::PROP_CONFLICT,
              fmt::format("each passes alone, together with {} it fails: {}", printable(other, 100),
                          fault.message),
              Map{{"with", other}, {"kind", kind}, {"verify", std::string(to_string(fault.code))}}};
  const std::string& mine = culprit.row.patch_id;
  GH_TRY(partner, load_proposal(*session.ledger, other));
  std::vector<std::string> shared = partner.meta.affected_files;
  std::erase_if(shared, [&](const std::string& path) {
    return std::ranges::find(culprit.meta.affected_files, path) ==
           culprit.meta.affected_files.end();
  });
  out.pairs.push_back({.a = std::min(mine, other),
                       .b = std::max(mine, other),
                       .kind = kind,
                       .paths = string_list(shared),
                       .computed_at_head = out.head});
  return out;
}

}  // namespace

Result<Trial> try_together(ProposalSession& session, Context& context,
                           const std::vector<Standing>& history, const std::vector<Stored>& batch,
                           TriedTrees& tried) {
  Trial out;
  if (session.policy().verify_commands.empty() || batch.empty()) return out;
  // Worktrees and logs carry the ids of proposals: nobody else may promote one meanwhile.
  GH_TRY(lock, PromotionLock::take(session, context, "queue"));
  if (!lock.left_by().empty()) GH_DO(settle(session, context, lock.left_by()));
  context.progress(fmt::format("trying {} together", batch.size()));
  Trier trier(session, context, tried);
  std::vector<Built> cumulative;
  GH_TRY(bare, trier.standing(session.head));
  cumulative.push_back(std::move(bare));
  std::vector<Standing> rows = history;
  for (const Stored& one : batch) {
    git::Commit onto = session.head;
    onto.tree = cumulative.back().outcome.candidate->tree;
    GH_TRY(built, build_on(session, one.canonical, onto));
    if (!built) return out;  // its own promotion says so
    onto.tree = built->outcome.candidate->tree;
    rows.push_back({onto, one.row.patch_id});
    cumulative.push_back(std::move(*built));
  }
  const auto run_id = [&](std::size_t k) {
    return k == 0 ? std::string("queue") : batch[k - 1].row.patch_id;
  };
  // All together first; then each row on the way there, for every one of them is going to be the
  // target for a while.
  std::optional<Finding> fault;
  std::size_t failing = batch.size();
  for (std::size_t i = 0; i < batch.size() && !fault; ++i) {
    failing = i == 0 ? batch.size() : i;
    GH_TRY(tried_fault, trier.fault_of(cumulative[failing], run_id(failing)));
    fault = std::move(tried_fault);
  }
  if (!fault) return out;
  GH_TRY(k, proposal::first_failing(failing, [&](std::size_t i) -> Result<bool> {
           GH_TRY(found, trier.fault_of(cumulative[i], run_id(i)));
           return !found.has_value();
         }));
  GH_TRY(found, trier.fault_of(cumulative[k], run_id(k)));
  if (k == 0) {
    out.target_fault = found ? found->message : fault->message;
    return out;
  }
  const Stored& culprit = batch[k - 1];
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(history.size() + k - 1), rows.end());
  GH_TRY(measured, blame(session, trier, std::move(rows), culprit, found.value_or(*fault)));
  out.culprit = culprit.row.patch_id;
  out.measured = std::move(measured);
  return out;
}

}  // namespace gh::ops
