#pragma once
// What somebody did in a commit, made or staged: all of it, or, in a merge, what is as in none of
// its parents. The rest came from elsewhere, and was judged there.
#include <cstddef>
#include <string>
#include <vector>

#include "git/repo.h"

namespace gh::ops {

/// Sorted; of a merge alone.
Result<std::vector<std::string>> own_paths(git::Repo&, const git::Commit& merge);
/// Against the first parent; empty: nothing.
Result<std::string> own_diff(git::Repo&, const git::Commit&, std::size_t max_bytes);

struct StagedChange {
  std::string diff{};
  std::vector<std::string> paths{};  // of a merge; else they were not asked for
  bool is_merge = false;
};
Result<StagedChange> own_staged(git::Repo&, const ObjectId& head, std::size_t max_bytes);

/// A merge of two that is as git makes it without anybody's help.
Result<bool> is_made_by_git(git::Repo&, const git::Commit&);

}  // namespace gh::ops
