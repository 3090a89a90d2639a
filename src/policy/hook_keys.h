#pragma once
// The rows of the `hooks` block. Private to policy.
#include "policy/hook_policy.h"
#include "policy/key_table.h"

namespace gh::policy {

/// The block over the defaults.
Result<HookPolicy> load_hook_block(const Value& block, const At&);

}  // namespace gh::policy
