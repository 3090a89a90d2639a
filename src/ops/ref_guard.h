#pragma once
// How far the guard has let protected branches come (ref_guard.cc).
#include "base/error.h"
#include "git/repo.h"

namespace gh::ops {

/// Takes protected branches as they are, where nothing was noted yet: with the hooks installed.
Status note_protected_branches(git::Repo&);

}  // namespace gh::ops
