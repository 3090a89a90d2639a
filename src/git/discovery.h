#pragma once
// Where a repository is, found by our own reading of the file system before git is asked.
#include <string>
#include <vector>

#include "base/error.h"
#include "sys/env.h"

namespace gh::git {

struct Found {
  std::string root;        // real path; the git dir itself when bare
  std::string git_dir;     // real path
  std::string common_dir;  // differs from git_dir in linked worktrees
  bool bare = false;       // the folder is itself a git dir
};

/// repo_root_missing, not_a_repository, or repo_root_not_toplevel when only an ancestor of `folder`
/// is a repository.
Result<Found> discover(const std::string& folder);

/// A folder of a work tree and the top level around it.
struct Inside {
  std::string top;    // real path
  std::string below;  // the folder from there; empty: it is the top level
};
/// repo_root_missing, or not_a_repository for a folder that is in no work tree (a folder of git's
/// own is in none).
Result<Inside> top_level_of(const std::string& folder);

/// dubious_ownership unless root, git dir and common dir belong to the user or a trusted owner
/// (user name or numeric id). git makes no such check once GIT_DIR is given.
Status check_owners(const Found&, const std::vector<std::string>& trusted_owners, sys::Env&);

/// repo_busy while a rebase, merge, am, cherry-pick, revert or bisect is in progress or the index
/// is locked.
Status check_idle(const Found&);

}  // namespace gh::git
