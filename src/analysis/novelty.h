// What is new against a baseline, or against an earlier run (analysis reference, "Novelty").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/baseline_file.h"
#include "analysis/health.h"
#include "analysis/measures.h"

namespace gh::analysis {

/// Keys that the baseline does not hold. Without one that is trusted, all of them.
CloneKeys new_clones(const CloneKeys& now, const std::optional<CloneKeys>& then);

struct ApiDiff {
  Names new_symbols{};
  List breaking_changes{};
};
/// `m:f: was removed`, one for each break.
std::vector<std::string> break_texts(const ApiDiff&);

struct MetricsDiff {
  Names new_high_risk_functions{}, new_high_coupling_classes{}, new_dead_code{};
  std::vector<Names> new_cycles{};
  std::int64_t health_delta = 0, health_delta_tenths = 0;
  std::int64_t typing_param_permille_delta = 0, typing_return_permille_delta = 0,
               docstring_permille_delta = 0;
};
MetricsDiff compare_metrics(const BaselineMetrics& then, const BaselineMetrics& now);
/// The surfaces as documents: what the baseline keeps, and what this run has.
ApiDiff compare_api(const Value& then, const Measures& now);

/// A group whose key is known and that has more members than before.
struct Grown {
  std::string key;
  Names new_members{};  // a name once per member that it has more
  bool operator==(const Grown&) const = default;
};
using CloneMembers = std::map<std::string, Names, std::less<>>;  // sorted qualnames by key
std::vector<Grown> grown_groups(const CloneMembers& then, const CloneMembers& now);

/// All that is known about a run beside itself.
struct Comparison {
  CloneKeys new_clones{};
  std::optional<MetricsDiff> metrics{};  // absent: no trusted metrics to compare with
  std::optional<ApiDiff> api{};
};
Comparison compare(const Measures&, const Health&, const Baseline& then);

/// What an earlier run, not a baseline, tells of: groups that grew, near misses, reach.
struct Since {
  bool has_earlier = false;  // else everything is new
  std::vector<Grown> grown{};
  Names new_near_misses{};
  std::map<std::string, Names, std::less<>> new_security{};
};
/// Without an earlier run everything is new and nothing has grown.
Since compare_runs(const Measures* then, const Measures& now);

Map api_document(const ApiDiff&);
Map comparison_document(const Comparison&, const BaselineMetrics* then, const Health& now);

}  // namespace gh::analysis
