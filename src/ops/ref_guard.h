#pragma once
// How far the guard has let protected branches come (ref_guard.cc).
#include "base/error.h"
#include "git/repo.h"

namespace gh::ops {

/// The branch that this one is only another name for, to the end of the chain; empty: none. One
/// that has a real name itself leads nowhere.
std::string real_name(const git::Repo&, const std::string& ref);

/// Takes protected branches as they are, where nothing was noted yet: with the hooks installed.
Status note_protected_branches(git::Repo&);

}  // namespace gh::ops
