// Each commit of a push: paths and contents by the rules of the patch gate, and what its message
// says of receipts. How much a change may be is asked of the whole, not of its steps.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "hooks/agent_identity.h"
#include "ops/members.h"
#include "ops/push.h"
#include "ops/receipt_find.h"
#include "patch/gate.h"
#include "runs/receipt.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kShown = 10;

policy::PatchPolicy without_limits(policy::PatchPolicy policy) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max() / 2;
  for (auto limit :
       {&policy::PatchPolicy::max_files, &policy::PatchPolicy::max_added_lines,
        &policy::PatchPolicy::max_deleted_lines, &policy::PatchPolicy::max_deleted_files,
        &policy::PatchPolicy::max_hunks, &policy::PatchPolicy::max_patch_bytes})
    policy.*limit = kAny;
  return policy;
}

/// Where somebody had a hand in a merge: paths that are as in none of its parents.
Result<std::vector<std::string>> own_paths(git::Repo& repo, const git::Commit& merge) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < merge.parents.size(); ++i) {
    GH_TRY(parent, repo.objects().commit(merge.parents[i].hex()));
    GH_TRY(paths, repo.changed_paths(parent.tree, merge.tree));
    if (i == 0) {
      out = std::move(paths);
      continue;
    }
    std::erase_if(
        out, [&](const std::string& path) { return !std::ranges::binary_search(paths, path); });
  }
  return out;
}

/// What a commit brings of its own; empty: nothing.
Result<std::string> own_diff(git::Repo& repo, const git::Commit& commit) {
  ObjectId before = ObjectId::of(repo.hash_kind(), "tree", "");
  std::vector<std::string> only;
  if (!commit.parents.empty()) {
    GH_TRY(parent, repo.objects().commit(commit.parents.front().hex()));
    before = parent.tree;
  }
  if (commit.parents.size() > 1) {
    GH_TRY(paths, own_paths(repo, commit));
    if (paths.empty()) return std::string();
    only = std::move(paths);
  }
  return repo.diff_trees(before, commit.tree, diff::kMaxPatchBytes + 1, only);
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
  GH_TRY(diff, own_diff(push.repo, commit));
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

/// Does the commit have a receipt that holds for it?
Result<std::string> receipt_defect(Push& push, const PushedRef& ref, const git::Commit& commit) {
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
  if (found.is_kept || (keys.empty() && push.is_server())) return std::string();
  if (keys.empty())
    return fmt::format(
        "{} is not kept by the ledger here, and no key of proposals.actors signed it",
        found.digest);
  const auto signer = runs::receipt_signer(found.receipt);
  const bool is_known = signer && std::ranges::find(keys, *signer) != keys.end();
  return is_known ? std::string()
                  : fmt::format("{} is signed by no key of proposals.actors", found.digest);
}

/// How a receipt gets to where it is looked for. The hook `update` sees one ref at a time, and
/// branches come before notes: there they must have come already.
std::string way_of_receipts(const Push& push) {
  if (push.call.row.hook == hooks::GitHook::update)
    return "this server looks at one ref at a time, so push the receipts before it: git push "
           "origin refs/notes/gatehouse && git push origin HEAD (its administrator may install "
           "'pre-receive' instead of 'update', which takes both in one push)";
  return "push refs/notes/gatehouse with it ('gatehouse init --share-receipts' has git do that)";
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

Status judge_message(Push& push, const PushedRef& ref, const git::Commit& commit) {
  GH_TRY(said, check_trailers(push.repo, push.ledger.get(), commit, push.notes));
  const std::string name = commit.id.hex().substr(0, 12);
  if (said.says_bypassed) judge_bypass(push, ref, commit);
  // Where a commit was made, its receipt is kept; a server has to get it.
  if (!said.is_known && !push.is_server()) said.defect = "it names a receipt that is not here";
  if (!said.defect.empty())
    refuse(push, ref.move, "GH-BYPASS-001",
           fmt::format("commit {}: {}", name, printable(said.defect, 300)),
           "take the trailer out of the message; the hook of a commit writes the right one");
  else if (!said.is_known)
    refuse(
        push, ref.move, "GH-GATE-001",
        fmt::format("commit {} names a receipt that is not here, so it cannot be verified", name),
        way_of_receipts(push));
  if (!said.is_known || !ref.config.hooks.require_receipts) return {};
  std::string mark = hooks::agent_mark({.author = commit.author, .message = commit.message});
  if (mark.empty() && !push.call.agent.empty()) mark = push.call.agent + " pushes it";
  if (mark.empty()) return {};
  GH_TRY(defect, receipt_defect(push, ref, commit));
  if (!defect.empty())
    refuse(push, ref.move, "GH-GATE-001",
           fmt::format("commit {} was written by an agent ({}) and has no receipt that holds: {}",
                       name, printable(mark, 120), printable(defect, 200)),
           fmt::format("finish the change with 'gatehouse change finish', then 'gatehouse receipt "
                       "attach'; {}",
                       way_of_receipts(push)));
  return {};
}

}  // namespace

Status judge_commits(Push& push, const PushedRef& ref) {
  // The only step of a change is the change, which was judged as a whole.
  const bool is_one_step = ref.commits.size() == 1;
  for (const ObjectId& id : ref.commits) {
    GH_TRY(commit, push.repo.objects().commit(id.hex()));
    const bool is_whole = is_one_step && ref.base && commit.parents == std::vector{*ref.base};
    if (!is_whole) GH_DO(judge_content(push, ref, commit));
    GH_DO(judge_message(push, ref, commit));
  }
  return {};
}

}  // namespace gh::ops
