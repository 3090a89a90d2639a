// What a code base had when its owner last said "so be it": clone keys, metrics, API
// (analysis reference, "Baseline").
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/health.h"
#include "analysis/measures.h"
#include "model/value.h"

namespace gh::analysis {

struct BaselineMetrics {
  std::int64_t max_complexity = 0, max_coupling = 0, max_cohesion = 0, dependency_max_depth = 0;
  Names high_risk_functions{}, high_coupling_classes{}, low_cohesion_classes{}, dead_code_items{};
  std::vector<Names> dependency_cycles{};
  std::int64_t health_score = 0;
  std::string health_grade = "F";
  std::array<std::int64_t, kDimensions> health_dimensions{};
  std::int64_t typing_param_permille = 0, typing_return_permille = 0, docstring_permille = 0,
               typing_any_count = 0;
  bool operator==(const BaselineMetrics&) const = default;
};
BaselineMetrics metrics_of(const Measures&, const Health&);

/// A section that is absent was not measured, or cannot be trusted.
struct Baseline {
  std::optional<CloneKeys> clones{};
  std::optional<BaselineMetrics> metrics{};
  std::optional<Value> api_surface{};
};

struct Sections {
  bool metrics = true, api_surface = false;
};
/// What the run has and the caller wants; what is switched off is left out, never kept stale.
Baseline baseline_of(const Measures&, const Health&, Sections);

Map metrics_document(const BaselineMetrics&);

}  // namespace gh::analysis
