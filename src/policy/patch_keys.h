#pragma once
// The rows of the `patch` block. Private to policy.
#include "policy/key_table.h"
#include "policy/patch_policy.h"

namespace gh::policy {

/// The block over the defaults, or over the preset it names.
Result<PatchPolicy> load_patch_block(const Value& block, const At&);

}  // namespace gh::policy
