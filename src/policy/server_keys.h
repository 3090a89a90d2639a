#pragma once
// The rows of the `server` block. Private to policy.
#include "policy/key_table.h"
#include "policy/server_policy.h"

namespace gh::policy {

/// The block over the defaults.
Result<ServerPolicy> load_server_block(const Value& block, const At&);

}  // namespace gh::policy
