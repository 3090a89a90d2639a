#pragma once
// Gates over a stored run, and how strict a change is judged (change-control reference, "Gates and
// budgets"). The rows of the gates are those of analysis/gates.h; here a report is read back into
// what they ask about.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/gates.h"
#include "base/error.h"
#include "model/value.h"

namespace gh::control {

/// What the gates ask of a run. What was not measured is absent, and its gates are skipped.
struct GateState {
  analysis::Measures measures{};  // only what gates read
  analysis::Health health{};
  analysis::Comparison comparison{};       // with the baseline that was given; empty without
  std::size_t clones = 0, new_clones = 0;  // groups of functions and blocks
  bool has_complexity = false, has_coupling = false, has_cohesion = false, has_health = false,
       has_dependencies = false, has_dead_code = false, has_adoption = false, has_coverage = false;
};

struct GateReading {
  const analysis::Baseline* baseline = nullptr;  // trusted; what it lacks is not compared
  const List* suppressions_added = nullptr;      // by the change that is judged: of no effect
  std::optional<std::int64_t> coverage_min{};    // percent; else that of the run
};
/// Of a whole report, or of the head of an extract; a baseline is compared with a whole one alone.
GateState gate_state(const Value& report, const GateReading& = {});

struct GateResult {
  bool would_fail = false;
  std::vector<std::string> reasons{};  // in the order of the gates
  std::vector<std::string> skipped{};  // gates that were asked for and could not be judged
  bool operator==(const GateResult&) const = default;
};
/// {would_fail, exit_code, reasons, skipped}.
Map document(const GateResult&);

/// A clone gate is its key; the others also say what they saw.
std::string told(const analysis::GateReason&);

/// Inside budget and verify: what cannot be judged is skipped, and said so.
GateResult preview_gates(const analysis::GateSettings&, const GateState&);
/// When somebody asks for it: coverage_required where the coverage gate has no data.
Result<GateResult> evaluate_gates(const analysis::GateSettings&, const GateState&);

enum class Strictness : std::uint8_t { ci, strict, relaxed };
inline constexpr std::size_t kStrictnessCount = 3;
std::string_view to_string(Strictness);
std::optional<Strictness> strictness_named(std::string_view);

/// Absent: disabled.
struct Budgets {
  std::optional<std::int64_t> clone_regression{}, complexity_delta{}, coupling_delta{},
      cohesion_delta{}, health_floor{}, coverage_min{};
  bool dead_code_regression = false, dependency_cycle = false, coverage_hotspot = false,
       typing_regression = false, docstring_regression = false, api_break = false;
  bool operator==(const Budgets&) const = default;
};

/// The thresholds that a run was made with.
struct RunThresholds {
  std::optional<std::int64_t> complexity{}, coupling{}, cohesion{}, coverage_min{};
};
RunThresholds run_thresholds(const Value& report);

Budgets budgets_for(Strictness, const RunThresholds&);
analysis::GateSettings gate_settings(const Budgets&);

/// The numbers with null where disabled, the flags as forbid_*, and `disabled`.
Map document(const Budgets&);
Map current_state(const GateState&);
Map headroom(const Budgets&, const GateState&);

/// The answer of mode budget.
struct BudgetFacts {
  std::string run_id{};  // 64 hex digits
  Strictness strictness = Strictness::ci;
  const Value& report;
  const analysis::Baseline* baseline = nullptr;
  std::optional<std::string> intent_id{};
  std::string intent_status{};  // queued and blocked ones may not edit
  std::vector<std::string> declared_scope{};
  Value blast_radius_summary{};  // null without an intent
};
Map budget_answer(const BudgetFacts&);
/// The part of it that a start carries: strictness, budgets, current_state, headroom, gate_preview,
/// message.
Map start_budget(const BudgetFacts&);

}  // namespace gh::control
