#pragma once
// The command of a shell tool as the gate takes it, and where it runs: what its text tells, with
// what only files and our own table of commands can tell.
#include "hooks/event.h"
#include "hooks/rules.h"
#include "ops/hook_far.h"
#include "ops/hook_sites.h"
#include "ops/operation.h"
#include "shell/classify.h"

namespace gh::ops {

/// The work trees around a step. Its home is where it runs, or else what the host was started for.
HookSites sites_of(const hooks::Event&, Context&);

/// Without rules only what it writes is of interest.
shell::Reading read_hook_command(const hooks::Event&, const HookSites&,
                                 const hooks::Rules& rules = {}, const HookFar& = hook_far());

}  // namespace gh::ops
