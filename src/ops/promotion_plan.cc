#include "ops/promotion_plan.h"

#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "base/trailers.h"
#include "landing/recover.h"
#include "ops/members.h"
#include "ops/promotion_queue.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxStagedLookedAt = 1u << 20;

using proposal::Admission;

Map plan_value(const Landing& plan) {
  return Map{{"kind", plan.kind},
             {"commit", plan.commit},
             {"branch", plan.branch},
             {"target_ref", plan.target_ref},
             {"old_head", plan.old_head},
             {"new_head", plan.new_head},
             {"promoter", plan.promoter},
             {"receipt", plan.receipt},
             {"admission", plan.admission},
             {"reason", plan.reason},
             {"rollback_proven", plan.rollback_proven}};
}

void add_receipt(store::ProposalRow& row, const std::string& digest) {
  Map& body = *row.body.as_map();
  Value* list = body.find("receipts");
  if (list == nullptr || list->as_list() == nullptr) {
    body.set("receipts", List());
    list = body.find("receipts");
  }
  list->as_list()->emplace_back(digest);
}

/// Whether both may speak for each other: A12 asked that of the ones that are named, not of those
/// behind them.
bool is_of_the_same_author(const Stored& a, const Stored& b) {
  return a.row.author_agent == b.row.author_agent && a.author_actor == b.author_actor &&
         a.row.target_ref == b.row.target_ref;
}

/// Proposals that this one supersedes are rejected with it (4), and those that they supersede: a
/// rebase of a rebase leaves two behind. What was refused stood for nothing, so nothing is followed
/// through it.
Status reject_superseded(ProposalSession& session, Context& context, const Stored& stored,
                         store::Change& change) {
  std::vector<std::string> open = stored.meta.supersedes;
  std::set<std::string> seen{stored.row.patch_id};
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (!seen.insert(id).second) continue;
    auto old = load_proposal(*session.ledger, id);
    if (!old || old->row.promotion_status == "sandbox" || !is_of_the_same_author(stored, *old))
      continue;
    open.insert(open.end(), old->meta.supersedes.begin(), old->meta.supersedes.end());
    if (old->row.promotion_status != "proposed") continue;
    set_status(*old, PromotionStatus::rejected, "superseded", old->row.trust_level);
    old->row.updated_utc = to_string(context.env.now());
    change.more_proposals.push_back(old->row);
    change.events.push_back(
        proposal_event(session, context, "superseded", old->row,
                       Map{{"from", "proposed"}, {"to", "rejected"}, {"by", stored.row.patch_id}}));
  }
  return {};
}

/// A plan is the one that the chain says was started last, or somebody wrote it into the record.
Status check_plan(ProposalSession& session, const std::string& patch_id, const Landing& plan) {
  GH_TRY(rows, session.ledger->audit_of_proposal(patch_id));
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (row->event.event != "proposal.promotion_started") continue;
    const Value& said = row->event.payload;
    if (text_in(said, "kind") == plan.kind && text_in(said, "commit") == plan.commit &&
        text_in(said, "admission") == plan.admission)
      return {};
    break;
  }
  return fail(
      Code::ledger_unavailable,
      fmt::format("the plan of {} is not the one that the audit chain speaks of", patch_id));
}

}  // namespace

std::optional<Landing> pending_plan(const store::ProposalRow& row) {
  const Map* body = row.body.as_map();
  const Value* plan = body == nullptr ? nullptr : body->find("plan");
  const Map* map = plan == nullptr ? nullptr : plan->as_map();
  if (map == nullptr) return std::nullopt;
  return Landing{.kind = text_in(*map, "kind"),
                 .commit = text_in(*map, "commit"),
                 .branch = text_in(*map, "branch"),
                 .target_ref = text_in(*map, "target_ref"),
                 .old_head = text_in(*map, "old_head"),
                 .new_head = text_in(*map, "new_head"),
                 .promoter = text_in(*map, "promoter"),
                 .receipt = text_in(*map, "receipt"),
                 .admission = text_in(*map, "admission"),
                 .reason = text_in(*map, "reason"),
                 .rollback_proven = map->find("rollback_proven") != nullptr &&
                                    *map->find("rollback_proven") == Value(true)};
}

Status write_plan(ProposalSession& session, Context& context, Stored& stored, const Landing& plan,
                  const store::Document* receipt, const store::Document* admission,
                  const Admission* judged, const store::Lease& lease) {
  stored.row.body.as_map()->set("plan", plan_value(plan));
  store::Change change;
  change.fence = lease;
  if (receipt != nullptr) change.document = *receipt;
  if (admission != nullptr) {
    change.more_documents.push_back(*admission);
    change.admission = admission_row(*judged, *admission, stored.row.patch_id, context.env.now());
  }
  change.proposal = stored.row;
  change.events.push_back(proposal_event(
      session, context, "promotion_started", stored.row,
      Map{{"kind", plan.kind}, {"commit", plan.commit}, {"admission", plan.admission}}));
  GH_DO(session.ledger->commit(change, store::Durability::durable));
  ++stored.row.rev;
  return {};
}

Status tell_about_work_tree(git::Repo& repo, Context& context, const std::string& target_ref,
                            const std::string& old_head, const std::string& new_head) {
  GH_TRY(checked_out, repo.head_ref());
  if (repo.is_bare() || checked_out != target_ref || old_head == new_head) return {};
  if (const auto head = ObjectId::parse(new_head)) {
    const auto differs = repo.diff_staged(*head, kMaxStagedLookedAt);
    if (differs && differs->empty()) return {};
  }
  context.notice(fmt::format(
      "{} is checked out here and its files are still the old ones; 'git read-tree -m -u {} HEAD' "
      "brings them along and keeps your own changes",
      target_ref, old_head.substr(0, 12)));
  return {};
}

Status finish_landing_of(ProposalSession& session, Context& context, Stored& stored,
                         const Landing& plan, const std::optional<store::Lease>& lease) {
  const bool promote = plan.kind == "promote";
  stored.row.body.as_map()->erase("plan");
  stored.row.updated_utc = to_string(context.env.now());
  set_status(stored, PromotionStatus::promoted, promote ? "" : "rolled_back",
             promote ? "promoted" : "reviewed");
  if (promote) add_receipt(stored.row, plan.receipt);
  store::Change change;
  change.fence = lease;
  change.proposal = stored.row;
  GH_TRY(before, session.ledger->promotion(stored.row.patch_id));
  store::PromotionRow row = before.value_or(store::PromotionRow{});
  if (promote) {
    row = {.patch_id = stored.row.patch_id,
           .commit_id = plan.commit,
           .branch = plan.branch,
           .target_ref = plan.target_ref,
           .old_head = plan.old_head,
           .new_head = plan.new_head,
           .promoter = plan.promoter,
           .rollback_commit = "",
           .created_utc = to_string(context.env.now())};
    GH_TRY(measured, measured_conflicts(*session.ledger, stored.row.patch_id));
    change.conflicts_of = {stored.row.patch_id, std::move(measured)};
    GH_DO(reject_superseded(session, context, stored, change));
  } else {
    row.rollback_commit = plan.commit;
  }
  change.promotion = row;
  Map payload{
      {"from", promote ? "proposed" : "promoted"},
      {"to", "promoted"},
      {"admission", plan.admission},
      {"refs", Map{{"ref", plan.target_ref}, {"old", plan.old_head}, {"new", plan.new_head}}},
      {"commit", plan.commit},
      {"asked_by", plan.promoter},
      {"gate", session.policy().promotion_gate},
      {"evidence", string_list({plan.receipt})}};
  if (promote) payload.set("rollback_proven", plan.rollback_proven);
  if (!promote) payload.set("reason", plan.reason);
  store::AuditEvent event =
      proposal_event(session, context, promote ? "promoted" : "rolled_back", stored.row, payload);
  event.subject.set("commit", plan.commit);
  event.subject.set("ref", plan.target_ref);
  if (promote) event.subject.set("receipt_digest", plan.receipt);
  change.events.insert(change.events.begin(), std::move(event));
  return record(session, context, change, stored.row.patch_id);
}

Status record_refusal(ProposalSession& session, Context& context, Stored& stored,
                      const Admission& admission, const store::Document& document,
                      const std::vector<std::string>& failed_inputs, const Actor& asker,
                      const std::vector<store::ConflictRow>& pairs) {
  const bool reject = admission.decision == proposal::Decision::reject;
  const bool open = stored.row.promotion_status == "proposed";
  store::Change change;
  change.document = document;
  change.admission = admission_row(admission, document, stored.row.patch_id, context.env.now());
  if (reject && open) {
    stored.row.updated_utc = to_string(context.env.now());
    set_status(stored, PromotionStatus::rejected, "", stored.row.trust_level);
    stored.row.body.as_map()->set("failed_inputs", string_list(failed_inputs));
    change.proposal = stored.row;
    GH_TRY(measured, measured_conflicts(*session.ledger, stored.row.patch_id));
    measured.insert(measured.end(), pairs.begin(), pairs.end());
    change.conflicts_of = {stored.row.patch_id, std::move(measured)};
  }
  change.events.push_back(
      proposal_event(session, context, reject && open ? "rejected" : "deferred", stored.row,
                     Map{{"from", open ? "proposed" : stored.row.promotion_status},
                         {"to", stored.row.promotion_status},
                         {"admission", document.digest},
                         {"asked_by", asker.name},
                         {"gate", session.policy().promotion_gate}}));
  return record(session, context, change, stored.row.patch_id);
}

Result<std::string> settle(ProposalSession& session, Context& context,
                           const std::string& patch_id) {
  auto stored = load_proposal(*session.ledger, patch_id);
  if (!stored) return std::string();
  const auto plan = pending_plan(stored->row);
  if (!plan) return std::string();
  // A record may have come from elsewhere: a plan reaches no ref but the proposal's own.
  if ((!plan->branch.empty() && plan->branch != branch_of(patch_id)) ||
      plan->target_ref != stored->row.target_ref)
    return fail(Code::ledger_unavailable,
                fmt::format("the plan of {} names refs that are not its own", patch_id));
  GH_DO(check_plan(session, patch_id, *plan));
  const bool branch_only = plan->new_head == plan->old_head;
  const std::string& ref = branch_only ? plan->branch : plan->target_ref;
  const std::string& wanted = branch_only ? plan->commit : plan->new_head;
  GH_TRY(landed, session.repo.contains(ref, wanted));
  if (landed) {
    GH_TRY(commit, session.repo.objects().commit(plan->commit));
    const bool ours =
        plan->kind == "promote"
            ? commit.tree.hex() == stored->row.candidate_tree &&
                  trailers(commit.message, TrailerKey::proposal) == std::vector{patch_id} &&
                  trailers(commit.message, TrailerKey::receipt) == std::vector{plan->receipt}
            : trailers(commit.message, TrailerKey::rollback) == std::vector{patch_id};
    if (!ours)
      return fail(Code::ledger_unavailable,
                  fmt::format("the plan of {} names a commit that is not its own", patch_id));
    GH_DO(finish_landing_of(session, context, *stored, *plan, std::nullopt));
    GH_DO(tell_about_work_tree(session.repo, context, plan->target_ref, plan->old_head,
                               plan->new_head));
    return fmt::format("finished: {}", patch_id);
  }
  if (!plan->branch.empty())
    if (const auto branch = session.repo.objects().commit(plan->branch);
        branch && branch->id.hex() == plan->commit)
      GH_DO(session.repo.delete_ref(plan->branch, branch->id));
  stored->row.body.as_map()->erase("plan");
  store::Change change;
  change.proposal = stored->row;
  change.events.push_back(proposal_event(session, context, "deferred", stored->row,
                                         Map{{"reason", "interrupted"}, {"commit", plan->commit}}));
  GH_DO(record(session, context, change, patch_id));
  (void)session.repo.remove_worktree(landing::verify_worktree(session.repo, patch_id));
  return fmt::format("undone: {}", patch_id);
}

Result<std::vector<std::string>> settle_all(ProposalSession& session, Context& context) {
  std::vector<std::string> settled;
  for (const char* status : {"proposed", "promoted"}) {
    for (std::string after;;) {
      GH_TRY(rows, session.ledger->proposals({.status = status, .after = after, .limit = 500}));
      for (const store::ProposalRow& row : rows) {
        after = row.patch_id;
        if (!pending_plan(row)) continue;
        GH_TRY(says, settle(session, context, row.patch_id));
        if (!says.empty()) settled.push_back(says);
      }
      if (rows.size() < 500) break;
    }
  }
  return settled;
}

}  // namespace gh::ops
