#include "analysis/baseline.h"

#include "analysis/finding.h"

namespace gh::analysis {

BaselineMetrics metrics_of(const Measures& m, const Health& health) {
  BaselineMetrics out;
  out.max_complexity = static_cast<std::int64_t>(m.complexity.max);
  out.high_risk_functions = m.complexity.beyond;
  out.max_coupling = static_cast<std::int64_t>(m.coupling.max);
  out.high_coupling_classes = m.coupling.beyond;
  out.max_cohesion = static_cast<std::int64_t>(m.cohesion.max);
  out.low_cohesion_classes = m.cohesion.beyond;
  out.dependency_cycles = m.cycles;
  out.dependency_max_depth = static_cast<std::int64_t>(m.max_depth);
  out.dead_code_items = m.dead.high;
  out.health_score = health.score;
  out.health_grade = std::string(1, health.grade);
  out.health_dimensions = health.scores;
  out.typing_param_permille = m.adoption.typing_param_permille;
  out.typing_return_permille = m.adoption.typing_return_permille;
  out.docstring_permille = m.adoption.docstring_permille;
  out.typing_any_count = m.adoption.any_count;
  return out;
}

Baseline baseline_of(const Measures& m, const Health& health, Sections sections) {
  Baseline out{.clones = m.clones, .metrics = {}, .api_surface = {}};
  if (sections.metrics) out.metrics = metrics_of(m, health);
  if (sections.api_surface) out.api_surface = m.api_surface;
  return out;
}

Map metrics_document(const BaselineMetrics& m) {
  List cycles;
  for (const Names& cycle : m.dependency_cycles)
    cycles.push_back(string_list(cycle));
  return Map{{"max_complexity", m.max_complexity},
             {"high_risk_functions", string_list(m.high_risk_functions)},
             {"max_coupling", m.max_coupling},
             {"high_coupling_classes", string_list(m.high_coupling_classes)},
             {"max_cohesion", m.max_cohesion},
             {"low_cohesion_classes", string_list(m.low_cohesion_classes)},
             {"dependency_cycles", std::move(cycles)},
             {"dependency_max_depth", m.dependency_max_depth},
             {"dead_code_items", string_list(m.dead_code_items)},
             {"health_score", m.health_score},
             {"health_grade", m.health_grade},
             {"health_dimensions", dimension_scores(m.health_dimensions)},
             {"typing_param_permille", m.typing_param_permille},
             {"typing_return_permille", m.typing_return_permille},
             {"docstring_permille", m.docstring_permille},
             {"typing_any_count", m.typing_any_count}};
}

}  // namespace gh::analysis
