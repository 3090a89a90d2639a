#pragma once
// What a person let in by hand, below <state>/approvals/: the files that init wrote, for one
// commit, and commits by their id (`hook approve`). Agents run as the same user and could forge it,
// as everything there; what reaches a server is judged by what is kept on the server.
#include <string>
#include <vector>

#include "git/repo.h"
#include "ops/check_orders.h"

namespace gh::ops {

struct Approvals {
  std::vector<ApprovedFile> fresh{}, spent{};  // not yet committed; committed once
};

/// What cannot be read lets nothing in.
Approvals read_approvals(const git::Repo&);

/// Together with those that are still fresh.
Status approve_files(const git::Repo&, const std::vector<ApprovedFile>&);
/// None is fresh any more.
Status withdraw_approvals(const git::Repo&);
/// What the commit holds of them is spent: it passes where the commit is pushed, and no second
/// commit brings it in.
Status spend_approvals(git::Repo&, const git::Commit&);

Status approve_commit(const git::Repo&, const ObjectId&, std::string_view words);
bool is_approved(const git::Repo&, const ObjectId& commit);
/// What an approved commit changes, as it is afterwards.
Result<std::vector<ApprovedFile>> files_of_commit(git::Repo&, const git::Commit&);

}  // namespace gh::ops
