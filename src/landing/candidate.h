#pragma once
// Builds the candidate with git: `git apply --cached` into a private index over quarantined
// objects, and the written tree must be the one that our own applier predicted (patch-gate 9.1).
#include "git/repo.h"
#include "patch/gate.h"
#include "patch/outcome.h"

namespace gh::landing {

/// Refuses the outcome with git_apply_failed, git_timeout or result_tree_mismatch. Fails only when
/// the work could not be done at all. `last` receives the command for the log.
Status build_candidate(const git::Repo&, const git::Quarantine&, patch::Outcome&,
                       git::GitRun& last);

}  // namespace gh::landing
