#pragma once
// The rows of the `analysis` block. Private to policy.
#include "policy/analysis_policy.h"
#include "policy/key_table.h"

namespace gh::policy {

/// The block over the defaults.
Result<AnalysisPolicy> load_analysis_block(const Value& block, const At&);

}  // namespace gh::policy
