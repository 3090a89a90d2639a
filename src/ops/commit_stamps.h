#pragma once
// Stamps of commits that passed the pre-commit hook: a file named by the tree and by the commit
// that it was judged against, below <state>/stamps/. What --no-verify made has none.
#include <optional>

#include "git/repo.h"

namespace gh::ops {

Status leave_stamp(const git::Repo&, const ObjectId& tree, const std::optional<ObjectId>& base,
                   Timestamp now);
bool has_stamp(const git::Repo&, const ObjectId& tree, const std::optional<ObjectId>& base);
/// The same against whatever commit: one that amends another was judged against that.
bool has_any_stamp(const git::Repo&, const ObjectId& tree);
/// Takes away those that nobody can need any more.
void drop_old_stamps(const git::Repo&, Timestamp now);

}  // namespace gh::ops
