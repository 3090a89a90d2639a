// reference-transaction: the hook that --no-verify does not switch off. Commits that reach a
// protected branch must have passed the pre-commit hook, or carry a receipt.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/commit_stamps.h"
#include "ops/git_hook.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/receipt_find.h"
#include "ops/repo_config.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMostCommits = 1'000;
constexpr std::string_view kBranches = "refs/heads/", kOldMain = "refs/heads/master";

/// The branches that proposals go to; the old usual name counts where the new one is not used.
bool is_protected(const policy::ProposalPolicy& policy, std::string_view ref) {
  if (ref == policy.default_target || ref == kOldMain) return true;
  return ref.starts_with(kBranches) &&
         std::ranges::find(policy.base_refs, ref) != policy.base_refs.end();
}

std::optional<git::Commit> commit_at(git::Repo& repo, const std::string& name) {
  auto found = repo.objects().commit(name);
  if (found) return std::move(*found);
  repo.objects().hang_up();
  return std::nullopt;
}

/// What a commit is let in by, the cheapest first.
Result<bool> is_let_in(git::Repo& repo, const git::Commit& commit,
                       const std::optional<ObjectId>& before) {
  const auto parent = commit.parents.empty() ? std::nullopt : std::optional(commit.parents.front());
  if (has_stamp(repo, commit.tree, parent) || (before && has_stamp(repo, commit.tree, before)))
    return true;
  if (commit.parents.size() == 2) {
    GH_TRY(merged, repo.merged_tree(commit.parents[0], commit.parents[1]));
    if (merged == commit.tree) return true;  // nobody had a hand in it
  }
  if (trailers(commit.message, "Gatehouse-Receipt").empty()) return false;
  GH_TRY(ledger, open_ledger_to_look(repo));
  GH_TRY(found, find_receipt(repo, ledger.get(), {.named = commit.id.hex()}));
  return found.status == Lookup::ok && found.is_kept && found.binding &&
         *found.binding != runs::Binding::other;
}

/// The first new commit that nothing lets in.
Result<std::optional<git::Commit>> first_unstamped(git::Repo& repo, const hooks::RefMove& move) {
  const auto before = commit_at(repo, move.ref);
  const auto tip = commit_at(repo, move.after->hex());
  if (!tip || (before && before->id == tip->id)) return std::nullopt;
  const auto from = before ? std::optional(before->id) : std::nullopt;
  if (has_stamp(repo, tip->tree, from)) return std::nullopt;  // the whole step was judged at once
  std::vector<ObjectId> fresh{tip->id};
  const bool is_next = before && tip->parents.size() == 1 && tip->parents.front() == before->id;
  if (!is_next) {
    GH_TRY(listed,
           repo.commits_without(tip->id, from ? std::vector{*from} : std::vector<ObjectId>{}, true,
                                kMostCommits));
    fresh = std::move(listed);
  }
  for (const ObjectId& id : fresh) {
    GH_TRY(commit, repo.objects().commit(id.hex()));
    GH_TRY(fine, is_let_in(repo, commit, from));
    if (!fine) return std::optional(std::move(commit));
  }
  return std::nullopt;
}

void refuse(HookAnswer& answer, const hooks::RefMove& move, const git::Commit& commit) {
  answer.refused = true;
  answer.why = fmt::format("GH-BYPASS-001: commit {} reached {} without the pre-commit hook",
                           commit.id.hex().substr(0, 12), printable(move.ref, 200));
  answer.facts.set("commit", commit.id.hex());
  answer.facts.set("ref", utf8_or_escaped(move.ref));
  answer.say(fmt::format(
      "error[GH-BYPASS-001]: commit {} has neither passed the pre-commit hook nor a receipt\n"
      "  --> {}\n  = next: commit without --no-verify; a person may set "
      "GATEHOUSE_BYPASS_REASON\n  = more: {} explain GH-BYPASS-001\n",
      commit.id.hex().substr(0, 12), printable(move.ref, 200), kProduct));
}

}  // namespace

Result<HookAnswer> reference_transaction(HookCall& call) {
  HookAnswer answer;
  if (call.words.empty() || call.words.front() != "prepared") return answer;
  GH_TRY(input, call.context.read_input(hooks::kMaxRefInput));
  GH_TRY(moves, hooks::read_ref_moves(input));
  std::erase_if(moves, [](const hooks::RefMove& move) {
    return !move.after || !move.ref.starts_with(kBranches);
  });
  if (moves.empty()) return answer;  // most transactions move none: no repository is opened
  GH_TRY(repo, open_to_read(call.context));
  GH_TRY(config, hook_config(repo));
  const policy::HookPolicy& policy = config.hooks;
  const bool is_on = policy.local_ref_guard || !call.agent.empty();
  if (policy.mode == policy::HookMode::off || !is_on) return answer;
  for (const hooks::RefMove& move : moves) {
    if (!is_protected(config.proposals, move.ref)) continue;
    GH_TRY(found, first_unstamped(repo, move));
    if (!found) continue;
    refuse(answer, move, *found);
    break;
  }
  // Whoever switched the guard on wants to be stopped, whatever the mode of the other hooks is.
  policy::HookPolicy strict = policy;
  if (policy.local_ref_guard) strict.mode = policy::HookMode::enforce;
  soften(call, repo, strict, answer);
  return answer;
}

}  // namespace gh::ops
