#pragma once
// gatehouse.yaml of a repository: at a commit, which is what judges a change, or in the work tree.
#include <string>

#include "base/error.h"
#include "git/repo.h"
#include "ops/operation.h"
#include "policy/config.h"

namespace gh::ops {

/// The repository of the context's folder, for questions: owners, version and idleness unchecked.
/// `reads_seldom`: as OpenOptions has it.
Result<git::Repo> open_to_read(Context&, bool reads_seldom = false);

/// Defaults when the tree has no such file. policy_unreadable when it is no regular file.
Result<policy::Config> config_at(git::Repo&, const git::Commit&);

/// The same, of a commit by any name.
Result<policy::Config> config_of(git::Repo&, const std::string& revision);

/// Whether what it says of the registry can be used; what else is wrong with it is not asked.
Status store_block_at(git::Repo&, const git::Commit&);

/// Where the repository's own configuration stands when nobody named a target: main, or else HEAD.
std::string usual_branch(git::Repo&);

/// The head of a target with the configuration found there.
struct Target {
  std::string ref;
  git::Commit head;
  policy::Config config;
};
/// The usual branch, or the proposals.default_target that is named there and exists.
Result<Target> usual_target(git::Repo&);
Result<Target> target_at(git::Repo&, const std::string& ref);

/// Defaults when there is no such file.
Result<policy::Config> config_in_work_tree(const git::Repo&);

}  // namespace gh::ops
