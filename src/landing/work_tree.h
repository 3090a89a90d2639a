#pragma once
// Lands a built candidate in the work tree and its index, journalled (patch-gate 9): nothing
// decided earlier is believed without reading it again under the lock, and every way out that is
// not success puts back what was there.
#include <functional>
#include <string>
#include <vector>

#include "git/repo.h"
#include "landing/journal.h"
#include "patch/outcome.h"
#include "policy/patch_policy.h"
#include "sys/files.h"

namespace gh::landing {

struct Place {
  git::Repo& repo;
  const git::Quarantine& quarantine;  // holds the candidate in its private index
  const policy::PatchPolicy& policy;
  std::string run_id, run_folder;
  std::string self;  // path of this program, for isolated verify commands
  std::function<bool()> interrupted{};
};

/// HEAD, index and files are what the candidate was built on; else base_moved, worktree_dirty,
/// symlink_in_path or filtered_path. Changes nothing.
Status check_work_tree(const Place&, patch::Outcome&);

/// Journal, `git apply --index`, comparison, verify commands. On refusal everything is rolled back
/// and the journal closed; on success the journal is open and waits for mark_landed.
Result<std::optional<Journal>> land_in_work_tree(const Place&, patch::Outcome&, git::GitRun& last);

/// Runs the policy's verify commands in the place's work tree and judges what they did to tracked
/// files: refuses with verify_failed. Files that were clean before are put back.
Status verify_commands_at(const Place&, patch::Outcome&);

/// Puts every path of the plan back as it was before. Returns the paths where that did not succeed.
/// With `careful` nothing is touched when a path holds what no landing can have left there: time
/// has passed since, and somebody may have worked on it.
Result<std::vector<std::string>> roll_back(git::Repo&, const Plan&, bool careful);

}  // namespace gh::landing
