#pragma once
// Where a run folder may lie (patch-gate 8.1): it holds evidence only and is never a repository,
// nor inside one, nor around one.
#include <string>

#include "base/error.h"

namespace gh::runs {

struct RepoPlaces {
  std::string repo_root, git_dir, common_dir;  // resolved, absolute
};

/// Absolute form of `run_dir` with symbolic links resolved as far as it exists. run_dir_is_repo
/// when it is a work tree or git folder; run_dir_overlaps when it lies in or around the repository.
/// Folders below <common_dir>/gatehouse/ are permitted: nothing there is tracked.
Result<std::string> checked_run_dir(const std::string& run_dir, const RepoPlaces&);

}  // namespace gh::runs
