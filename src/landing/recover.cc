#include "landing/recover.h"

#include <fmt/format.h>

#include "landing/work_tree.h"
#include "model/intent.h"
#include "sys/files.h"

namespace gh::landing {
namespace {

/// Worktrees of verify commands that nobody is using any more, for whoever holds the lock. Those of
/// intents stand in the same folder; somebody works there.
Result<std::vector<std::string>> left_worktrees(const git::Repo& repo) {
  const std::string parent = repo.state_dir() + "/worktrees";
  std::vector<std::string> out;
  if (sys::info(parent).kind != sys::FileKind::folder) return out;
  GH_TRY(names, sys::list_folder(parent));
  for (const std::string& name : names)
    if (!name.starts_with(kIntentPrefix)) out.push_back(parent + '/' + name);
  return out;
}

Status remove_left_worktrees(git::Repo& repo) {
  GH_TRY(folders, left_worktrees(repo));
  for (const std::string& folder : folders)
    GH_DO(repo.remove_worktree(folder));
  return {};
}

}  // namespace

std::string verify_worktree(const git::Repo& repo, std::string_view id) {
  return fmt::format("{}/worktrees/{}{}", repo.state_dir(),
                     id.starts_with(kIntentPrefix) ? "verify-" : "", id);
}

bool needs_recovery(const git::Repo& repo) {
  const auto folders = left_worktrees(repo);
  return is_landing(repo.state_dir()) || !folders || !folders->empty();
}

Result<std::optional<Recovered>> recover(git::Repo& repo) {
  GH_DO(remove_left_worktrees(repo));
  GH_TRY(found, find_journal(repo.state_dir(), repo.root()));
  if (!found) return std::nullopt;
  Recovered out{.journal = std::move(*found)};
  if (out.journal.rolled_back) return out;
  if (out.journal.plan.mode == "commit") {
    GH_TRY(reached, repo.contains(out.journal.plan.ref, out.journal.plan.commit));
    out.landed = out.journal.landed && reached;
  } else {
    out.landed = out.journal.landed.has_value();
  }
  if (out.landed) return out;
  if (out.journal.plan.mode != "commit") {
    const auto head = repo.objects().commit("HEAD");
    out.abandoned = !head || head->id.hex() != out.journal.plan.base_commit;
    if (out.abandoned) {
      GH_DO(mark_abandoned(out.journal));
      return out;
    }
    GH_TRY(left, roll_back(repo, out.journal.plan, true));
    out.left = std::move(left);
  }
  if (out.left.empty()) GH_DO(mark_rolled_back(out.journal));
  return out;
}

}  // namespace gh::landing
