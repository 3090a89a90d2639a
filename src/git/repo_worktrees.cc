// Linked worktrees, and what change control asks about a work tree.
#include <fmt/format.h>

#include "base/text.h"
#include "git/children.h"
#include "git/repo.h"
#include "git/tail.h"

namespace gh::git {
namespace {

constexpr std::size_t kMaxListing = 64u << 20;
constexpr std::string_view kBranches = "refs/heads/";

}  // namespace

Status Repo::add_worktree(const std::string& folder, const ObjectId& commit) const {
  GH_TRY(nothing, answer({"worktree", "add", "--detach", "--no-checkout", folder, commit.hex()},
                         real_place()));
  (void)nothing;
  return {};
}

Status Repo::remove_worktree(const std::string& folder) const {
  // Our entry alone: a prune would also forget worktrees whose disk is not mounted just now.
  GH_TRY(run, execute({"worktree", "remove", "--force", "--force", folder}, real_place()));
  if (run.ok() || sys::info(folder).kind == sys::FileKind::missing) return {};
  return sys::remove_folder_tree(folder);
}

Result<RefUpdate> Repo::add_worktree_on_branch(const std::string& folder, const std::string& branch,
                                               const ObjectId& commit, const Identity& who,
                                               Timestamp when, const std::string& reason) const {
  if (!branch.starts_with(kBranches))
    return fail(Code::bad_argument,
                fmt::format("'{}' is no full name of a branch", printable(branch)));
  GH_TRY(before, execute({"rev-parse", "--verify", "--quiet", branch}, private_place()));
  if (before.ok()) return RefUpdate::moved;
  GH_TRY(made, create_ref(branch, commit, who, when, reason));
  if (made == RefUpdate::moved) return made;
  GH_TRY(place, without_filters(real_place()));
  // The worktree has an index of its own; the files would be noted in ours otherwise.
  place.index_file.clear();
  for (auto& item : identity_variables("COMMITTER", who.name, who.email, when.seconds))
    place.more.push_back(std::move(item));
  const auto added =
      answer({"worktree", "add", "--quiet", folder, branch.substr(kBranches.size())}, place);
  if (added) return RefUpdate::done;
  (void)delete_ref(branch, commit);
  return tl::make_unexpected(added.error());
}

Result<std::vector<Worktree>> Repo::list_worktrees() const {
  GH_TRY(out, answer({"worktree", "list", "--porcelain", "-z"}, private_place(), {}, kMaxListing));
  return parse_worktrees(out);
}

StatusReader Repo::status_reader(std::int64_t timeout_ms) const {
  const auto limit = timeout_ms > 0 ? std::chrono::milliseconds(timeout_ms) : timeout_;
  return {found_,     git_, empty_folder_, state_dir() + "/tmp", StatusReader::Clock::now() + limit,
          hash_kind()};
}

Result<std::vector<DirtyPath>> Repo::dirty_paths(const DirtyQuestion& question) const {
  return status_reader(question.timeout_ms).dirty_paths(question);
}

Result<ChangedPaths> Repo::changed_against(const std::string& ref, const std::string& below,
                                           std::int64_t timeout_ms) const {
  return status_reader(timeout_ms).changed_against(ref, below);
}

}  // namespace gh::git
