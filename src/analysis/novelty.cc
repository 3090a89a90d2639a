#include "analysis/novelty.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "analysis/api_breaks.h"
#include "analysis/report_view.h"

namespace gh::analysis {
namespace {

template <class T>
std::vector<T> added(const std::vector<T>& then, const std::vector<T>& now) {
  std::vector<T> out;
  std::ranges::set_difference(now, then, std::back_inserter(out));
  return out;
}

Value lists(const std::vector<Names>& names) {
  List out;
  for (const Names& one : names)
    out.push_back(string_list(one));
  return out;
}

}  // namespace

CloneKeys new_clones(const CloneKeys& now, const std::optional<CloneKeys>& then) {
  if (!then) return now;
  return {added(then->functions, now.functions), added(then->blocks, now.blocks)};
}

MetricsDiff compare_metrics(const BaselineMetrics& then, const BaselineMetrics& now) {
  return {
      .new_high_risk_functions = added(then.high_risk_functions, now.high_risk_functions),
      .new_high_coupling_classes = added(then.high_coupling_classes, now.high_coupling_classes),
      .new_dead_code = added(then.dead_code_items, now.dead_code_items),
      .new_cycles = added(then.dependency_cycles, now.dependency_cycles),
      .health_delta = now.health_score - then.health_score,
      .health_delta_tenths = tenths_of(now.health_dimensions) - tenths_of(then.health_dimensions),
      .typing_param_permille_delta = now.typing_param_permille - then.typing_param_permille,
      .typing_return_permille_delta = now.typing_return_permille - then.typing_return_permille,
      .docstring_permille_delta = now.docstring_permille - then.docstring_permille};
}

ApiDiff compare_api(const Value& then, const Measures& now) {
  const auto before = api_surface_from(then);
  auto after = api_surface_from(*now.api_surface);
  if (!before || !after) return {};
  after->reexports = now.reexports;
  const ApiDifference difference = compare_api(*before, *after, now.api_strict_types, now.unclear);
  ApiDiff out{.new_symbols = difference.added};
  for (const ApiChange& change : difference.breaking)
    out.breaking_changes.emplace_back(change.document());
  return out;
}

std::vector<std::string> break_texts(const ApiDiff& diff) {
  std::vector<std::string> out;
  for (const Value& change : diff.breaking_changes)
    out.push_back(fmt::format("{}: {}", text_in(change, "qualname"), text_in(change, "detail")));
  return out;
}

std::vector<Grown> grown_groups(const CloneMembers& then, const CloneMembers& now) {
  std::vector<Grown> out;
  for (const auto& [key, names] : now) {
    const auto before = then.find(key);
    if (before == then.end() || names.size() <= before->second.size()) continue;
    out.push_back({key, added(before->second, names)});
  }
  return out;
}

Comparison compare(const Measures& measures, const Health& health, const Baseline& then) {
  Comparison out{.new_clones = new_clones(measures.clones, then.clones), .metrics = {}, .api = {}};
  if (then.metrics) out.metrics = compare_metrics(*then.metrics, metrics_of(measures, health));
  if (then.api_surface && measures.api_surface) out.api = compare_api(*then.api_surface, measures);
  return out;
}

Since compare_runs(const Measures* then, const Measures& now) {
  Since out;
  if (then == nullptr) {
    out.new_near_misses = now.near_misses;
    out.new_security = now.security;
    return out;
  }
  out.has_earlier = true;
  out.grown = grown_groups(then->members, now.members);
  out.new_near_misses = added(then->near_misses, now.near_misses);
  for (const auto& [category, items] : now.security) {
    const auto before = then->security.find(category);
    Names fresh = before == then->security.end() ? items : added(before->second, items);
    if (!fresh.empty()) out.new_security.emplace(category, std::move(fresh));
  }
  return out;
}

Map api_document(const ApiDiff& diff) {
  return Map{{"new_api_symbols", string_list(diff.new_symbols)},
             {"api_breaking_changes", diff.breaking_changes}};
}

Map comparison_document(const Comparison& c, const BaselineMetrics* then, const Health& now) {
  Map out{{"new_function_clones", string_list(c.new_clones.functions)},
          {"new_block_clones", string_list(c.new_clones.blocks)}};
  if (c.metrics && then != nullptr) {
    const MetricsDiff& m = *c.metrics;
    Map health;
    for (std::size_t i = 0; i < kDimensions; ++i)
      health.set(std::string(dimensions()[i].name),
                 Map{{"before", then->health_dimensions[i]}, {"after", now.scores[i]}});
    out.set("metrics", Map{{"new_high_risk_functions", string_list(m.new_high_risk_functions)},
                           {"new_high_coupling_classes", string_list(m.new_high_coupling_classes)},
                           {"new_cycles", lists(m.new_cycles)},
                           {"new_dead_code", string_list(m.new_dead_code)},
                           {"health_delta", m.health_delta},
                           {"health_delta_tenths", m.health_delta_tenths},
                           {"health_dimensions", std::move(health)},
                           {"typing_param_permille_delta", m.typing_param_permille_delta},
                           {"typing_return_permille_delta", m.typing_return_permille_delta},
                           {"docstring_permille_delta", m.docstring_permille_delta}});
  } else {
    out.set("metrics", nullptr);
  }
  out.set("api", c.api ? Value(api_document(*c.api)) : Value());
  return out;
}

}  // namespace gh::analysis
