#pragma once
// The `hooks` block, read back from a document that policy::to_value made of it.
#include "base/error.h"
#include "policy/hook_policy.h"

namespace gh::policy {

/// Fails where a value is none.
Result<HookPolicy> hook_policy_from(const Value&);

}  // namespace gh::policy
