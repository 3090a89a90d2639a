#pragma once
// Parts of change control for whoever has no session of it: hooks see records and work trees too.
#include <string>

#include "control/ownership.h"
#include "ops/change_session.h"

namespace gh::ops {

/// As records name a work tree; empty: the main one.
std::string worktree_name(const std::string& root, const std::string& git_dir,
                          const std::string& common_dir);

/// A look at the process that owns a record, where it has one on this machine.
control::Probe probe_of(const Intent&, const control::Here&);

/// Change control for a session by its name, to write.
Result<ChangeSession> open_change_session_of(const std::string& session, Context&);

}  // namespace gh::ops
