// What a reader wants first, drawn from the canonical report and never part of its digest.
#pragma once

#include "model/value.h"

namespace gh::analysis {

/// Adds overview, hotlists, module_map, review_queue and suggestions to what `derived` holds
/// already.
void add_derived(Value& report);
Map derived_section(const Value& report);

inline constexpr std::size_t kTopRisks = 6, kHotlist = 5, kDirectories = 5, kQueue = 20,
                             kModules = 50;

}  // namespace gh::analysis
