// Each commit of a push: paths and contents by the rules of the patch gate, and what its message
// says of receipts. How much a change may be is asked of the whole, not of its steps.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/product.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "hooks/agent_identity.h"
#include "model/peek.h"
#include "ops/members.h"
#include "ops/own_changes.h"
#include "ops/push.h"
#include "ops/receipt_find.h"
#include "patch/gate.h"
#include "runs/receipt.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kShown = 10, kMostFiles = 20, kMaxWholeBytes = 256u << 20;

policy::PatchPolicy without_limits(policy::PatchPolicy policy) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max() / 2;
  for (auto limit :
       {&policy::PatchPolicy::max_files, &policy::PatchPolicy::max_added_lines,
        &policy::PatchPolicy::max_deleted_lines, &policy::PatchPolicy::max_deleted_files,
        &policy::PatchPolicy::max_hunks, &policy::PatchPolicy::max_patch_bytes})
    policy.*limit = kAny;
  return policy;
}

std::vector<ApprovedFile> held_by(git::Repo& repo, const git::Commit& commit,
                                  const std::vector<ApprovedFile>& files) {
  std::vector<ApprovedFile> out;
  for (const ApprovedFile& file : files) {
    const auto entry = patch::find_entry(repo.objects(), commit.tree, file.path);
    if (entry && (*entry ? std::optional((*entry)->id) : std::nullopt) == file.id)
      out.push_back(file);
  }
  return out;
}

Status judge_content(Push& push, const PushedRef& ref, const git::Commit& commit) {
  GH_TRY(diff, own_diff(push.repo, commit, diff::kMaxPatchBytes + 1));
  if (diff.empty()) return {};
  const patch::CompiledPolicy policy(with_approved(without_limits(ref.config.patch), diff,
                                                   held_by(push.repo, commit, ref.approved)));
  const patch::Outcome outcome = patch::judge_bytes(diff, policy, diff::Profile::git);
  if (outcome.error) return tl::make_unexpected(*outcome.error);
  std::size_t told = 0;
  for (const Violation& found : outcome.violations)
    if (++told <= kShown)
      refuse(
          push, ref.move, to_string(found.rule),
          fmt::format("commit {}: {}", commit.id.hex().substr(0, 12),
                      printable(found.message, 300)),
          "take it out of that commit ('git rebase -i'): a later one that removes it leaves it in "
          "the history");
  return {};
}

/// Commits of agents and the receipts that were looked for.
struct Receipts {
  struct Missing {
    git::Commit commit;
    std::string mark, defect;
  };
  /// One receipt for a change that was committed in several steps.
  struct Whole {
    ObjectId base, last;
  };
  std::vector<Missing> missing{};  // newest first
  std::vector<Whole> wholes{};
};

/// Was the receipt given for all that changed since its base, of which the commit is the last step?
/// One that was carried to another base says nothing of what lies between.
Status note_whole(git::Repo& repo, Receipts& receipts, const FoundReceipt& found,
                  const git::Commit& commit) {
  const Value receipt(found.receipt);
  const auto base = ObjectId::parse(Peek(receipt)["subject"]["base"].text());
  if (!base || commit.parents.size() != 1 || commit.parents.front() == *base) return {};
  const auto from = commit_at(repo, base->hex());
  if (!from) return {};
  GH_TRY(is_below, repo.contains(commit.id.hex(), base->hex()));
  if (!is_below) return {};
  GH_TRY(diff, repo.diff_trees(from->tree, commit.tree, kMaxWholeBytes));
  GH_TRY(patch, patch_facts(repo, diff));
  if (runs::binding_of(found.receipt, {.patches = {std::move(patch)}}) != runs::Binding::other)
    receipts.wholes.push_back({*base, commit.id});
  return {};
}

/// What is wrong with the receipt of a commit; empty: it has one that holds for it.
Result<std::string> receipt_defect(Push& push, const PushedRef& ref, const git::Commit& commit,
                                   Receipts& receipts) {
  GH_TRY(found, find_receipt(push.repo, push.ledger.get(),
                             {.named = commit.id.hex(), .notes = push.notes}));
  if (found.status != Lookup::ok) return found.message;
  if (found.binding == runs::Binding::other)
    return fmt::format("{} was given for another change", found.digest);
  if (text_in(found.receipt, "decision") != "allow")
    return fmt::format("{} lets nothing in", found.digest);
  if (!push.is_server() && !push.call.agent.empty() && found.is_kept) {
    GH_TRY(is_spent, is_spent_before(push.repo, commit, found));
    if (is_spent) return fmt::format("{} let in a change that was taken back since", found.digest);
  }
  // Whoever pushes may have written it. Where it was made it is kept; elsewhere, where keys are
  // registered, one of them has signed it.
  std::vector<std::string> keys;
  for (const policy::RegisteredActor& actor : ref.config.proposals.actors)
    for (const policy::ActorKey& key : actor.keys)
      if (actor.kind == "gate") keys.push_back(key.line);
  const bool is_believed = found.is_kept || (keys.empty() && push.is_server());
  if (!is_believed && keys.empty())
    return fmt::format(
        "{} is not kept by the ledger here, and no key of proposals.actors signed it",
        found.digest);
  const auto signer =
      is_believed ? Result<std::string>(std::string()) : runs::receipt_signer(found.receipt);
  if (!is_believed && (!signer || std::ranges::find(keys, *signer) == keys.end()))
    return fmt::format("{} is signed by no key of proposals.actors", found.digest);
  GH_DO(note_whole(push.repo, receipts, found, commit));
  return std::string();
}

/// Is it a step of a change whose last step has the receipt of them all?
Result<bool> is_step_of_whole(git::Repo& repo, const Receipts& receipts, const ObjectId& commit) {
  for (const Receipts::Whole& whole : receipts.wholes) {
    GH_TRY(is_before_end, repo.contains(whole.last.hex(), commit.hex()));
    if (!is_before_end || !commit_at(repo, whole.base.hex())) continue;
    GH_TRY(is_behind_base, repo.contains(commit.hex(), whole.base.hex()));
    if (is_behind_base) return true;
  }
  return false;
}

/// The push that takes receipts along. The hook `update` sees one ref at a time, and branches come
/// before notes: there they must have come already.
std::string way_of_receipts(const Push& push, const PushedRef& ref) {
  if (push.call.row.hook == hooks::GitHook::update)
    return "this server looks at one ref at a time, so push the receipts before it: git push "
           "origin refs/notes/gatehouse && git push origin HEAD (its administrator may install "
           "'pre-receive' instead of 'update', which takes both in one push)";
  const bool is_named = !push.is_server() && !push.call.words.empty();
  const std::string_view branch =
      std::string_view(ref.move.ref).starts_with(hooks::kBranches)
          ? std::string_view(ref.move.ref).substr(hooks::kBranches.size())
          : ref.move.ref;
  return fmt::format("git push {} {} refs/notes/gatehouse",
                     shell_word(is_named ? push.call.words.front() : "origin"),
                     shell_word(printable(branch, 200)));
}

/// Those that a receipt was given for which is not beside them yet, the oldest first; none unless
/// that helps all of them.
Result<std::vector<ObjectId>> to_be_attached(Push& push, Receipts receipts,
                                             const std::vector<Receipts::Missing>& missing) {
  std::vector<ObjectId> given, rest;
  if (push.is_server() || push.ledger == nullptr) return given;
  for (const Receipts::Missing& one : missing) {
    GH_TRY(found, receipt_given_for(push.repo, *push.ledger, one.commit));
    (found ? given : rest).push_back(one.commit.id);
    if (found) GH_DO(note_whole(push.repo, receipts, *found, one.commit));
  }
  for (const ObjectId& id : rest) {
    GH_TRY(is_step, is_step_of_whole(push.repo, receipts, id));
    if (!is_step) return std::vector<ObjectId>();
  }
  std::ranges::reverse(given);
  return given;
}

std::string then(const Push& push, const PushedRef& ref) {
  const bool is_command = push.call.row.hook != hooks::GitHook::update;
  return (is_command ? " && " : "; then: ") + way_of_receipts(push, ref);
}

/// The commits from that one on become one change again, which is declared and accepted.
Result<std::string> way_back(Push& push, const PushedRef& ref, const git::Commit& oldest) {
  if (oldest.parents.empty() || !ref.move.after)
    return fmt::format("have the change accepted by '{} change finish' and commit it anew",
                       kProduct);
  GH_TRY(parent, push.repo.objects().commit(oldest.parents.front().hex()));
  GH_TRY(tip, push.repo.objects().commit(ref.move.after->hex()));
  GH_TRY(paths, push.repo.changed_paths(parent.tree, tip.tree));
  std::string files;
  for (std::size_t i = 0; i < std::min(paths.size(), kMostFiles); ++i)
    files += " " + path_word(utf8_or_escaped(paths[i]));
  if (paths.size() > kMostFiles) files += " ...";
  return fmt::format(
      "git reset --soft {} && {} change start --analyze --continue-own-wip --goal "
      "'what and why' --allow{} && {} change finish --files{} --analyze && git "
      "commit -m 'what and why'{}",
      parent.id.hex().substr(0, 12), kProduct, files, kProduct, files, then(push, ref));
}

/// What works from here, word for word.
Result<std::string> way_to_receipts(Push& push, const PushedRef& ref, const Receipts& receipts,
                                    const std::vector<Receipts::Missing>& missing) {
  GH_TRY(given, to_be_attached(push, receipts, missing));
  std::string out;
  for (const ObjectId& id : given)
    out += fmt::format("{}{} receipt attach {}", out.empty() ? "" : " && ", kProduct,
                       id.hex().substr(0, 12));
  if (!out.empty()) return out + then(push, ref);
  GH_TRY(back, way_back(push, ref, missing.back().commit));
  if (!push.is_server()) return std::move(back);
  return fmt::format("if it was accepted, push its receipt with it: {}; else: {}",
                     way_of_receipts(push, ref), back);
}

Status judge_receipts(Push& push, const PushedRef& ref, Receipts& receipts) {
  std::vector<Receipts::Missing> missing;
  for (Receipts::Missing& one : receipts.missing) {
    GH_TRY(is_step, is_step_of_whole(push.repo, receipts, one.commit.id));
    if (!is_step) missing.push_back(std::move(one));
  }
  if (missing.empty()) return {};
  GH_TRY(next, way_to_receipts(push, ref, receipts, missing));
  const Receipts::Missing& told = missing.back();
  const std::string more =
      missing.size() == 1 ? std::string() : fmt::format(", and {} more", missing.size() - 1);
  refuse(push, ref.move, "GH-GATE-001",
         fmt::format("commit {} was written by an agent ({}) and has no receipt that holds: {}{}",
                     told.commit.id.hex().substr(0, 12), printable(told.mark, 120),
                     printable(told.defect, 200), more),
         next);
  return {};
}

/// What a person did on her own machine is her word; a server takes an administrator's alone.
void judge_bypass(Push& push, const PushedRef& ref, const git::Commit& commit) {
  if (!push.is_server() || is_approved(push.repo, commit.id)) return;
  refuse(push, ref.move, "GH-BYPASS-001",
         fmt::format("commit {} says that it went around the gate, and no server takes that",
                     commit.id.hex().substr(0, 12)),
         fmt::format("take 'Gatehouse-Decision: bypassed' out of its message ('git commit "
                     "--amend'), or have whoever administers this server let it in: {} hook "
                     "approve {} --reason TEXT",
                     kProduct, commit.id.hex()));
}

Status judge_message(Push& push, const PushedRef& ref, const git::Commit& commit,
                     Receipts& receipts) {
  GH_TRY(said, check_trailers(push.repo, push.ledger.get(), commit, push.notes));
  const std::string name = commit.id.hex().substr(0, 12);
  if (said.says_bypassed) judge_bypass(push, ref, commit);
  // Where a commit was made, its receipt is kept; a server has to get it.
  if (!said.is_known && !push.is_server()) said.defect = "it names a receipt that is not here";
  std::string mark = hooks::agent_mark({.author = commit.author, .message = commit.message});
  if (mark.empty() && !push.call.agent.empty()) mark = push.call.agent + " pushes it";
  if (!said.defect.empty()) {
    // An agent's commit needs a receipt in any case: without that trailer it would have none.
    const bool needs_one = !mark.empty() && ref.config.hooks.require_receipts;
    GH_TRY(back, needs_one ? way_back(push, ref, commit) : Result<std::string>(std::string()));
    refuse(push, ref.move, "GH-BYPASS-001",
           fmt::format("commit {}: {}", name, printable(said.defect, 300)),
           needs_one ? back
                     : "take the trailer out of the message; the hook of a commit writes the right "
                       "one");
    return {};
  }
  if (!said.is_known)
    refuse(
        push, ref.move, "GH-GATE-001",
        fmt::format("commit {} names a receipt that is not here, so it cannot be verified", name),
        fmt::format("push its receipt with it: {}", way_of_receipts(push, ref)));
  if (!said.is_known || !ref.config.hooks.require_receipts) return {};
  if (mark.empty()) return {};
  GH_TRY(is_gits, is_made_by_git(push.repo, commit));
  if (is_gits) return {};  // nobody had a hand in it; both of its sides are judged
  GH_TRY(defect, receipt_defect(push, ref, commit, receipts));
  if (!defect.empty()) receipts.missing.push_back({commit, std::move(mark), std::move(defect)});
  return {};
}

}  // namespace

Status judge_commits(Push& push, const PushedRef& ref) {
  // The only step of a change is the change, which was judged as a whole.
  const bool is_one_step = ref.commits.size() == 1;
  Receipts receipts;
  for (const ObjectId& id : ref.commits) {
    GH_TRY(commit, push.repo.objects().commit(id.hex()));
    const bool is_whole = is_one_step && ref.base && commit.parents == std::vector{*ref.base};
    if (!is_whole) GH_DO(judge_content(push, ref, commit));
    GH_DO(judge_message(push, ref, commit, receipts));
  }
  return judge_receipts(push, ref, receipts);
}

}  // namespace gh::ops
