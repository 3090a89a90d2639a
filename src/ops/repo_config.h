#pragma once
// gatehouse.yaml of a repository: at a commit, which is what judges a change, or in the work tree.
#include <string>

#include "base/error.h"
#include "git/repo.h"
#include "ops/operation.h"
#include "policy/config.h"

namespace gh::ops {

/// The repository of the context's folder, for questions: owners, version and idleness unchecked.
Result<git::Repo> open_to_read(Context&);

/// Defaults when the tree has no such file. policy_unreadable when it is no regular file.
Result<policy::Config> config_at(git::Repo&, const git::Commit&);

/// Defaults when there is no such file.
Result<policy::Config> config_in_work_tree(const git::Repo&);

}  // namespace gh::ops
