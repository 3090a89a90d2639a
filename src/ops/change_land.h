#pragma once
// A change that was made in a work tree of its own: looking at it there, and landing it.
#include <string>
#include <vector>

#include "ops/change_receipt.h"
#include "ops/change_session.h"

namespace gh::ops {

/// From here on the session looks at the intent's own work tree. Its registry stays the same.
Status enter_worktree(ChangeSession&, Context&, const Intent&);
/// The session goes on in the work tree that the intent was declared in, its own or a linked one:
/// what is judged is what was changed there. root_not_found when there is none.
Status enter_tree_of(ChangeSession&, Context&, const Intent&);
/// And from here on at the main tree again.
Status leave_worktree(ChangeSession&, Context&);

/// Takes the work tree away unless something is in it that is not among `landed`; true when it did.
Result<bool> remove_if_done(ChangeSession&, Context&, const Intent&,
                            const std::vector<std::string>& landed);

/// What lands: only what was judged, and by what it was.
struct JudgedChange {
  const Intent& intent;
  const std::vector<std::string>& paths;
  const ChangeBinding& judged;
  std::string strictness{};
};
struct LandedChange {
  Map told{};           // `landed`, and the patch gate's own document
  std::string patch{};  // what landed; empty when nothing did
};
/// What was changed there goes through the patch gate into the work tree that the intent was
/// started from, or stays where it is. The answer says which. Where the main tree has other files
/// than the commit that the change was judged from, the result is judged once more, by every gate,
/// at the commit that it lands on.
Result<LandedChange> land_worktree(ChangeSession&, Context&, const JudgedChange&);

/// Whose commit it is, as git is told. bad_argument when nobody told it.
struct CommitUsers {
  git::Identity author, committer;
};
Result<CommitUsers> commit_users(const git::Repo&, Context&);

/// bad_argument when the main tree has no branch that a commit could go to.
Status check_commit_place(const ChangeSession&, Context&);

/// What has landed in the main tree, and nothing else that is staged there, as a commit on its
/// branch. `conflict` when others kept moving the branch meanwhile.
Result<ObjectId> commit_landed(ChangeSession&, Context&, const std::string& patch,
                               const std::string& message, const CommitUsers&);

}  // namespace gh::ops
