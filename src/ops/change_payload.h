#pragma once
// Members that several answers of change control share.
#include "control/scope_check.h"
#include "model/intent.h"
#include "ops/change_registry.h"

namespace gh::ops {

/// The record as an answer shows it.
Map intent_payload(const Intent&);

/// What a scope check leaves behind: status, last_check and an audit row. Nothing is closed.
void record_check(Registry&, Intent, const control::ScopeCheck&);

/// `workspace_intents`, `recovery_available`, counts and dirt: who holds what.
Result<Map> workspace_payload(ChangeSession&, const Workspace&, const DirtySnapshot*);

}  // namespace gh::ops
