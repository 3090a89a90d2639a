#pragma once
// A change that was made in a work tree of its own: looking at it there, and landing it.
#include <string>
#include <vector>

#include "ops/change_session.h"

namespace gh::ops {

/// From here on the session looks at the intent's own work tree. Its registry stays the same.
Status enter_worktree(ChangeSession&, Context&, const Intent&);

/// Takes the work tree away unless something is in it that is not among `landed`; true when it did.
Result<bool> remove_if_done(ChangeSession&, Context&, const Intent&,
                            const std::vector<std::string>& landed);

/// What was changed there goes through the patch gate into the work tree that the intent was
/// started from, or stays where it is. The answer says which: `landed`, and the patch gate's own
/// document.
Result<Map> land_worktree(ChangeSession&, Context&, const Intent&,
                          const std::vector<std::string>& paths);

}  // namespace gh::ops
