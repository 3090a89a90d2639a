// Advice drawn from findings; it decides nothing (analysis reference, "Suggestions").
#pragma once

#include "model/value.h"

namespace gh::analysis {

/// One per finding worth acting on, from `findings.groups` of a report.
List suggestions(const Map& groups);

}  // namespace gh::analysis
