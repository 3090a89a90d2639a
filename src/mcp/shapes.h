#pragma once
// Answers that are too long for an agent, as short as it asked for.
#include <string_view>

#include "model/value.h"

namespace gh::mcp {

/// gatehouse.run_summary/1 of an analysis report.
Map run_summary(Map report, std::string_view detail_level);

/// Findings without facts and places beyond the first, unless more is asked for.
Map finding_cards(Map list, std::string_view detail_level);

/// verifier.json without what repeats or explains it, unless more is asked for.
Map release_report(Map report, std::string_view detail_level);
Map release_verification(Map verifier, std::string_view detail_level);

}  // namespace gh::mcp
