// What a run may be refused for: rows, and one pure decision (analysis reference, "Gates").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/novelty.h"

namespace gh::analysis {

inline constexpr std::int64_t kOff = -1;

struct GateSettings {
  std::int64_t fail_complexity = kOff, fail_coupling = kOff, fail_cohesion = kOff,
               fail_health = kOff, min_typing_coverage = kOff, min_docstring_coverage = kOff,
               fail_threshold = kOff;
  bool fail_cycles = false, fail_dead_code = false, fail_on_new_metrics = false,
       fail_on_typing_regression = false, fail_on_docstring_regression = false,
       fail_on_api_break = false, fail_on_untested_hotspots = false, fail_on_new = false,
       fail_on_new_near_miss = false;
  std::vector<std::string> fail_on_new_security_surface{};
  bool operator==(const GateSettings&) const = default;
};

/// What an option cannot do without.
enum class Need : std::uint8_t {
  nothing,
  clone_baseline,
  metrics_baseline,
  api_baseline,
  coverage
};

struct GateOption {
  std::string_view name;  // with dashes between its words
  bool (*is_on)(const GateSettings&);
  bool is_metric = true;  // not to be had with clones alone
  bool gates = true;      // makes a baseline that cannot be trusted an error
  Need need = Need::nothing;
};
std::span<const GateOption> gate_options();

/// Any option that turns what cannot be read or trusted into an error.
bool is_gating(const GateSettings&);
/// --ci: new clones, and new metrics where there is something to compare them with.
GateSettings for_ci(GateSettings, bool has_metrics_baseline);

struct GateFacts {
  const Measures& measures;
  const Health& health;
  const Comparison& comparison;
  const Since& since;
  std::size_t counted = 0;      // clone groups for the threshold: all, or those of a changed scope
  std::size_t new_counted = 0;  // likewise, those that are new
};

struct GateReason {
  int order = 0;
  std::string key;      // metric:complexity_threshold, ...
  std::string message;  // for people, one line
  bool operator==(const GateReason&) const = default;
};
/// In the order of the rows; empty: nothing stands in the way.
std::vector<GateReason> gate_reasons(const GateSettings&, const GateFacts&);

/// Why a run cannot be judged: the caller asked for what cannot be had, or a file is in the way.
enum class ContractCause : std::uint8_t { option, source, coverage, baseline };
struct ContractError {
  ContractCause cause = ContractCause::option;
  std::string message;
};
struct ContractFacts {
  bool skips_metrics = false;
  const BaselineRead& baseline;          // clones
  const BaselineRead& metrics_baseline;  // metrics and API; perhaps the same file
  const std::optional<CoverageMeasures>& coverage;
  const Names& unreadable;
};
/// What is wrong with the options alone, before anything is read.
std::optional<ContractError> option_error(const GateSettings&, bool skips_metrics,
                                          bool has_coverage);
/// The first thing that keeps the gates from deciding.
std::optional<ContractError> contract_error(const GateSettings&, const ContractFacts&);

}  // namespace gh::analysis
