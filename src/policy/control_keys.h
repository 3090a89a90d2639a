#pragma once
// The rows of the `change_control` block. Private to policy.
#include "policy/control_policy.h"
#include "policy/key_table.h"

namespace gh::policy {

/// The block over the defaults.
Result<ControlPolicy> load_control_block(const Value& block, const At&);

}  // namespace gh::policy
