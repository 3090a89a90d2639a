#pragma once
// Has anybody changed the work tree or index besides the gate since a patch was rejected
// (patch-gate 12)? The state is written down at the rejection and compared at the next submission.
#include <string>
#include <vector>

#include "base/error.h"
#include "git/repo.h"
#include "model/value.h"

namespace gh::ops {

/// Every landing appends one line here, so that the gate's own changes are known as such.
std::string landings_log(const git::Repo&);
std::int64_t landings_so_far(const git::Repo&);  // grows with every landing
/// From a landing record {run_id, mode, commit, paths}; a second note of the same run is left out.
Status note_landing(const git::Repo&, const Map& record);

/// {head, landings, changes}: what artifacts/worktree_state.json holds.
Result<Map> watched_state(git::Repo&);
std::string watched_sha256(const Map& state);  // of head and changes

/// Paths changed since `then` by other means than the gate; "HEAD" when the branch moved.
Result<std::vector<std::string>> changed_elsewhere(git::Repo&, const Map& then);

}  // namespace gh::ops
