#pragma once
// Lands a built candidate as a commit on a ref (patch-gate 9): objects leave quarantine, verify
// commands run in a temporary worktree, and one compare-and-swap of the ref is the only change
// anybody sees.
#include <functional>
#include <string>

#include "git/repo.h"
#include "landing/journal.h"
#include "landing/work_tree.h"
#include "patch/outcome.h"

namespace gh::landing {

struct RefTarget {
  std::string ref;      // full name
  std::string message;  // of the commit, trailers included
  git::Identity identity;
  Timestamp time;
};

/// Objects out of quarantine, then the verify commands on the candidate tree. Refuses with
/// object_migration_failed or verify_failed.
Status prepare_for_ref(const Place&, patch::Outcome&, sys::Env&);

/// Commit, journal, ref update. `make_record` is asked, once the commit id is known and before the
/// ref moves, for the record that recovery would finish. base_moved when the ref is no longer at
/// the base.
Result<std::optional<Journal>> land_on_ref(const Place&, const RefTarget&, patch::Outcome&,
                                           const std::function<Result<Value>()>& make_record);

}  // namespace gh::landing
