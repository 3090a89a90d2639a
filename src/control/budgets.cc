#include "control/budgets.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "analysis/report_view.h"

namespace gh::control {
namespace {

using analysis::GateSettings;
using analysis::int_in;
using analysis::kOff;
using analysis::list_in;
using analysis::Measures;
using analysis::member;
using analysis::metric_items;
using analysis::Names;
using analysis::text_in;

const Value* summary_of(const Value& report, std::string_view family) {
  return member(report, {"metrics", "families", family, "summary"});
}

std::uint64_t count_in(const Value* document, std::string_view key) {
  const auto number = document == nullptr ? std::nullopt : int_in(*document, key);
  return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

/// Suppressions that the judged change itself wrote: what they cover counts as if they were not
/// there.
class Ineffective {
 public:
  explicit Ineffective(const List* added) {
    if (added == nullptr) return;
    for (const Value& entry : *added)
      covered_.emplace(text_in(entry, "qualname"), text_in(entry, "rule"));
  }
  bool hides(const Value& item, std::string_view rule) const {
    return covered_.contains({text_in(item, "qualname"), rule});
  }

 private:
  std::set<std::pair<std::string_view, std::string_view>> covered_{};
};

// table: highest values that gates read
struct HighestRow {
  std::string_view family, field;
  analysis::Spread Measures::*spread;
  bool GateState::*is_measured;
};
constexpr std::array<HighestRow, 3> kHighest{{
    {"complexity", "cyclomatic_complexity", &Measures::complexity, &GateState::has_complexity},
    {"coupling", "cbo", &Measures::coupling, &GateState::has_coupling},
    {"cohesion", "lcom4", &Measures::cohesion, &GateState::has_cohesion},
}};

void read_highest(const Value& report, const Ineffective& added, GateState& out) {
  for (const HighestRow& row : kHighest) {
    const Value* summary = summary_of(report, row.family);
    out.*row.is_measured = summary != nullptr;
    analysis::Spread& spread = out.measures.*row.spread;
    spread.max = count_in(summary, "max");
    for (const Value& item : metric_items(report, row.family))
      if (text_in(item, "risk") == "high") spread.beyond.emplace_back(text_in(item, "qualname"));
    for (const Value& item : analysis::suppressed_items(report, row.family)) {
      if (!added.hides(item, row.family)) continue;
      spread.max = std::max(spread.max, count_in(&item, row.field));
      if (text_in(item, "risk") == "high") spread.beyond.emplace_back(text_in(item, "qualname"));
    }
    std::ranges::sort(spread.beyond);
  }
}

void read_health(const Value& report, GateState& out) {
  const Value* summary = summary_of(report, "health");
  if (summary == nullptr || !int_in(*summary, "score")) return;
  out.has_health = true;
  out.health.score = *int_in(*summary, "score");
  for (std::size_t i = 0; i < analysis::kDimensions; ++i)
    if (const Value* scores = member(*summary, {"dimensions"}))
      out.health.scores[i] = int_in(*scores, analysis::dimensions()[i].name).value_or(0);
}

void read_dependencies(const Value& report, GateState& out) {
  out.has_dependencies = summary_of(report, "dependencies") != nullptr;
  for (const Value& cycle : list_in(report, {"metrics", "families", "dependencies", "cycles"})) {
    Names members;
    for (const Value& name : list_in(cycle, {"members"}))
      if (name.as_string() != nullptr) members.push_back(*name.as_string());
    out.measures.cycles.push_back(std::move(members));
  }
  std::ranges::sort(out.measures.cycles);
}

void read_dead_code(const Value& report, const Ineffective& added, GateState& out) {
  out.has_dead_code = summary_of(report, "dead_code") != nullptr;
  std::set<std::string> high;
  const auto note = [&](const Value& item) {
    if (text_in(item, "confidence") == "high") high.emplace(text_in(item, "qualname"));
  };
  for (const Value& item : metric_items(report, "dead_code"))
    note(item);
  for (const Value& item : analysis::suppressed_items(report, "dead_code"))
    if (added.hides(item, "dead-code")) note(item);
  out.measures.dead.high.assign(high.begin(), high.end());
}

void read_adoption(const Value& report, GateState& out) {
  const Value* summary = summary_of(report, "coverage_adoption");
  if (summary == nullptr) return;
  out.has_adoption = true;
  out.measures.adoption = {
      .typing_param_permille = int_in(*summary, "param_permille").value_or(0),
      .typing_return_permille = int_in(*summary, "return_permille").value_or(0),
      .docstring_permille = int_in(*summary, "docstring_permille").value_or(0),
      .any_count = int_in(*summary, "any_annotation_count").value_or(0)};
}

/// Complex functions below the wanted share, which need not be the one that the run was made with.
void read_coverage(const Value& report, std::optional<std::int64_t> percent, GateState& out) {
  const Value* summary = summary_of(report, "coverage_join");
  out.has_coverage = summary != nullptr && text_in(*summary, "status") == "ok";
  if (!out.has_coverage) return;
  const std::int64_t wanted =
      10 * percent.value_or(int_in(*summary, "hotspot_threshold_percent").value_or(0));
  const auto hot =
      std::ranges::count_if(metric_items(report, "coverage_join"), [&](const Value& i) {
        return text_in(i, "status") == "measured" && text_in(i, "risk") != "low" &&
               int_in(i, "coverage_permille").value_or(0) < wanted;
      });
  out.measures.coverage = {.is_valid = true, .hotspots = static_cast<std::uint64_t>(hot)};
}

/// Groups that lost so many members to new suppressions that nothing was left count.
void read_clones(const Value& report, const Ineffective& added, std::string_view list,
                 GateState& out) {
  const auto note = [&](const Value& row, std::int64_t count = 1) {
    const auto groups = static_cast<std::size_t>(count);
    out.clones += groups;
    if (text_in(row, "novelty") != "known") out.new_clones += groups;
  };
  const List& counted = list_in(report, {"findings", analysis::kCountedMember});
  for (const Value& row : counted)
    if (text_in(row, "list") == fmt::format("clones/{}", list))
      note(row, int_in(row, "count").value_or(0));
  if (counted.empty())
    for (const Value& group : list_in(report, {"findings", "groups", "clones", list}))
      note(group);
  for (const Value& group : list_in(report, {"findings", "groups", "clones", "suppressed", list}))
    if (std::ranges::any_of(list_in(group, {"items"}),
                            [&](const Value& item) { return added.hides(item, "clone"); }))
      note(group);
}

/// The surface as a baseline keeps it, from what the report tells.
std::optional<Value> api_surface_of(const Value& report) {
  if (summary_of(report, "api_surface") == nullptr) return {};
  std::map<std::pair<std::string, std::string>, List> modules;
  for (const Value& item : metric_items(report, "api_surface")) {
    const std::string_view qualname = text_in(item, "qualname");
    const std::size_t colon = qualname.find(':');
    if (colon == std::string_view::npos) continue;
    Map symbol = *item.as_map();
    symbol.set("local_name", qualname.substr(colon + 1));
    modules[{std::string(qualname.substr(0, colon)), std::string(text_in(item, "relative_path"))}]
        .emplace_back(std::move(symbol));
  }
  List out;
  for (auto& [place, symbols] : modules)
    out.emplace_back(Map{{"module", place.first},
                         {"filepath", place.second},
                         {"all_declared", List{}},
                         {"symbols", std::move(symbols)}});
  return Map{{"modules", std::move(out)}};
}

/// Files of which nobody can say what is no longer in them.
Names unclear_paths(const Value& report) {
  std::set<std::string> out;
  for (const std::string_view list : {"partial", "unread"})
    for (const Value& file : list_in(report, {"inventory", "files", list}))
      out.emplace(text_in(file, "path"));
  return {out.begin(), out.end()};
}

void compare_with(const analysis::Baseline* baseline, const Value& report, GateState& out) {
  if (baseline == nullptr) return;
  out.measures.api_surface = api_surface_of(report);
  for (const Value& name : list_in(report, {"metrics", "families", "api_surface", "reexports"}))
    if (name.as_string() != nullptr) out.measures.reexports.push_back(*name.as_string());
  out.measures.unclear = unclear_paths(report);
  out.comparison = analysis::compare(out.measures, out.health, *baseline);
  if (!out.has_adoption || !out.has_health) out.comparison.metrics.reset();
}

// ------------------------------------------------------------------------------------- skipped

struct Judged {
  std::string_view gate;  // its key, without the kind before the colon
  bool (*is_asked)(const GateSettings&);
  bool (*is_known)(const GateState&);
};
bool has_diff(const GateState& s) { return s.comparison.metrics.has_value(); }
bool asks_new_metrics(const GateSettings& s) { return s.fail_on_new_metrics; }
// clang-format off
// table: what a gate must know of a stored run
constexpr std::array<Judged, 19> kJudged{{
    {"complexity_threshold",         [](const GateSettings& s) { return s.fail_complexity != kOff; },        [](const GateState& s) { return s.has_complexity; }},
    {"coupling_threshold",           [](const GateSettings& s) { return s.fail_coupling != kOff; },          [](const GateState& s) { return s.has_coupling; }},
    {"cohesion_threshold",           [](const GateSettings& s) { return s.fail_cohesion != kOff; },          [](const GateState& s) { return s.has_cohesion; }},
    {"health_threshold",             [](const GateSettings& s) { return s.fail_health != kOff; },            [](const GateState& s) { return s.has_health; }},
    {"dependency_cycles",            [](const GateSettings& s) { return s.fail_cycles; },                    [](const GateState& s) { return s.has_dependencies; }},
    {"dead_code_high_confidence",    [](const GateSettings& s) { return s.fail_dead_code; },                 [](const GateState& s) { return s.has_dead_code; }},
    {"new_high_risk_functions",      asks_new_metrics,                                                       has_diff},
    {"new_high_coupling_classes",    asks_new_metrics,                                                       has_diff},
    {"new_dependency_cycles",        asks_new_metrics,                                                       has_diff},
    {"new_dead_code",                asks_new_metrics,                                                       has_diff},
    {"health_regression",            asks_new_metrics,                                                       has_diff},
    {"typing_coverage_threshold",    [](const GateSettings& s) { return s.min_typing_coverage != kOff; },    [](const GateState& s) { return s.has_adoption; }},
    {"docstring_coverage_threshold", [](const GateSettings& s) { return s.min_docstring_coverage != kOff; }, [](const GateState& s) { return s.has_adoption; }},
    {"typing_regression",            [](const GateSettings& s) { return s.fail_on_typing_regression; },      has_diff},
    {"docstring_regression",         [](const GateSettings& s) { return s.fail_on_docstring_regression; },   has_diff},
    {"api_breaking_changes",         [](const GateSettings& s) { return s.fail_on_api_break; },              [](const GateState& s) { return s.comparison.api.has_value(); }},
    {"coverage_hotspots",            [](const GateSettings& s) { return s.fail_on_untested_hotspots; },      [](const GateState& s) { return s.has_coverage; }},
    // These two compare with an earlier run, not with the state of one.
    {"near_miss",                    [](const GateSettings& s) { return s.fail_on_new_near_miss; },          [](const GateState&) { return false; }},
    {"security_surface",             [](const GateSettings& s) { return !s.fail_on_new_security_surface.empty(); }, [](const GateState&) { return false; }},
}};
// clang-format on

std::string_view without_kind(std::string_view key) { return key.substr(key.find(':') + 1); }

// ------------------------------------------------------------------------------------- budgets

struct Limit {
  enum class From : std::uint8_t { nothing, number, run } from = From::nothing;
  std::int64_t number = kOff;  // of the table, or where the run has none
};
constexpr Limit kNone{};
constexpr Limit at(std::int64_t number) { return {Limit::From::number, number}; }
constexpr Limit of_run(std::int64_t otherwise = kOff) { return {Limit::From::run, otherwise}; }

using Number = std::optional<std::int64_t>;
struct LimitRow {
  std::string_view name;
  Number Budgets::*budget;
  Number RunThresholds::*threshold;
  std::array<Limit, kStrictnessCount> limits;  // ci, strict, relaxed
};
// clang-format off
// table: budgets in numbers
constexpr std::array<LimitRow, 6> kLimits{{
    {"clone_regression", &Budgets::clone_regression, nullptr,                      {at(0),      at(0),  kNone}},
    {"complexity_delta", &Budgets::complexity_delta, &RunThresholds::complexity,   {of_run(),   at(10), kNone}},
    {"coupling_delta",   &Budgets::coupling_delta,   &RunThresholds::coupling,     {of_run(),   at(5),  kNone}},
    {"cohesion_delta",   &Budgets::cohesion_delta,   &RunThresholds::cohesion,     {of_run(),   at(3),  kNone}},
    {"health_floor",     &Budgets::health_floor,     nullptr,                      {kNone,      at(70), kNone}},
    {"coverage_min",     &Budgets::coverage_min,     &RunThresholds::coverage_min, {of_run(50), at(80), kNone}},
}};

struct FlagRow {
  std::string_view name;
  bool Budgets::*budget;
  std::array<bool, kStrictnessCount> forbids;  // ci, strict, relaxed
};
// table: budgets that forbid
constexpr std::array<FlagRow, 6> kFlags{{
    {"forbid_dead_code_regression", &Budgets::dead_code_regression, {false, true, false}},
    {"forbid_dependency_cycle",     &Budgets::dependency_cycle,     {false, true, false}},
    {"forbid_coverage_hotspot",     &Budgets::coverage_hotspot,     {false, true, false}},
    {"forbid_typing_regression",    &Budgets::typing_regression,    {false, true, false}},
    {"forbid_docstring_regression", &Budgets::docstring_regression, {false, true, false}},
    {"forbid_api_break",            &Budgets::api_break,            {false, true, false}},
}};
// clang-format on

// table: strictness
constexpr std::array<std::string_view, kStrictnessCount> kStrictness{"ci", "strict", "relaxed"};

Number value_of(const Limit& limit, Number of_this_run) {
  if (limit.from == Limit::From::nothing) return {};
  if (limit.from == Limit::From::run && of_this_run) return of_this_run;
  return limit.number == kOff ? Number() : Number(limit.number);
}

Value or_null(Number number) { return number ? Value(*number) : Value(); }
Value or_null(bool is_known, std::uint64_t number) {
  return is_known ? Value(static_cast<std::int64_t>(number)) : Value();
}

Value difference(Number budget, bool is_known, std::uint64_t now) {
  if (!budget || !is_known) return {};
  return *budget - static_cast<std::int64_t>(now);
}

bool may_not_edit(std::string_view intent_status) {
  return intent_status == "queued" || intent_status == "blocked";
}

std::string budget_message(const GateResult& gate) {
  if (!gate.would_fail) return "The run is within these budgets.";
  return fmt::format("The run is already outside of these budgets: {} gates fail.",
                     gate.reasons.size());
}

}  // namespace

std::string told(const analysis::GateReason& reason) {
  return reason.key.starts_with("clone:") ? reason.key
                                          : fmt::format("{}: {}", reason.key, reason.message);
}

GateState gate_state(const Value& report, const GateReading& reading) {
  const Ineffective added(reading.suppressions_added);
  GateState out;
  read_highest(report, added, out);
  read_health(report, out);
  read_dependencies(report, out);
  read_dead_code(report, added, out);
  read_adoption(report, out);
  read_coverage(report, reading.coverage_min, out);
  read_clones(report, added, "functions", out);
  read_clones(report, added, "blocks", out);
  compare_with(reading.baseline, report, out);
  return out;
}

GateResult preview_gates(const GateSettings& settings, const GateState& state) {
  GateResult out;
  for (const Judged& row : kJudged)
    if (row.is_asked(settings) && !row.is_known(state)) out.skipped.emplace_back(row.gate);
  const analysis::Since nothing;
  const analysis::GateFacts facts{.measures = state.measures,
                                  .health = state.health,
                                  .comparison = state.comparison,
                                  .since = nothing,
                                  .counted = state.clones,
                                  .new_counted = state.new_clones};
  for (const analysis::GateReason& reason : analysis::gate_reasons(settings, facts))
    if (std::ranges::find(out.skipped, without_kind(reason.key)) == out.skipped.end())
      out.reasons.push_back(told(reason));
  out.would_fail = !out.reasons.empty();
  return out;
}

Result<GateResult> evaluate_gates(const GateSettings& settings, const GateState& state) {
  if (settings.fail_on_untested_hotspots && !state.has_coverage)
    return fail(Code::coverage_required, "the run has no coverage data to judge hotspots by");
  return preview_gates(settings, state);
}

Map document(const GateResult& result) {
  return Map{{"would_fail", result.would_fail},
             {"exit_code", result.would_fail ? 1 : 0},
             {"reasons", string_list(result.reasons)},
             {"skipped", string_list(result.skipped)}};
}

std::string_view to_string(Strictness s) { return kStrictness[static_cast<std::size_t>(s)]; }

std::optional<Strictness> strictness_named(std::string_view name) {
  const auto at = std::ranges::find(kStrictness, name);
  if (at == kStrictness.end()) return {};
  return static_cast<Strictness>(at - kStrictness.begin());
}

RunThresholds run_thresholds(const Value& report) {
  const auto design = [&](std::string_view metric) -> Number {
    const Value* row = member(report, {"meta", "analysis_thresholds", "design_findings", metric});
    return row == nullptr ? Number() : int_in(*row, "value");
  };
  const Value* coverage = summary_of(report, "coverage_join");
  return {.complexity = design("complexity"),
          .coupling = design("coupling"),
          .cohesion = design("cohesion"),
          .coverage_min =
              coverage == nullptr ? Number() : int_in(*coverage, "hotspot_threshold_percent")};
}

Budgets budgets_for(Strictness strictness, const RunThresholds& run) {
  const auto column = static_cast<std::size_t>(strictness);
  Budgets out;
  for (const LimitRow& row : kLimits)
    out.*row.budget =
        value_of(row.limits[column], row.threshold == nullptr ? Number() : run.*row.threshold);
  for (const FlagRow& row : kFlags)
    out.*row.budget = row.forbids[column];
  return out;
}

GateSettings gate_settings(const Budgets& b) {
  GateSettings out;
  out.fail_complexity = b.complexity_delta.value_or(kOff);
  out.fail_coupling = b.coupling_delta.value_or(kOff);
  out.fail_cohesion = b.cohesion_delta.value_or(kOff);
  out.fail_health = b.health_floor.value_or(kOff);
  out.fail_cycles = b.dependency_cycle;
  out.fail_dead_code = b.dead_code_regression;
  out.fail_on_typing_regression = b.typing_regression;
  out.fail_on_docstring_regression = b.docstring_regression;
  out.fail_on_api_break = b.api_break;
  out.fail_on_untested_hotspots = b.coverage_hotspot;
  out.fail_on_new = b.clone_regression == 0;
  return out;
}

Map document(const Budgets& b) {
  Map out;
  List disabled;
  for (const LimitRow& row : kLimits) {
    out.set(std::string(row.name), or_null(b.*row.budget));
    if (!(b.*row.budget)) disabled.emplace_back(row.name);
  }
  for (const FlagRow& row : kFlags)
    out.set(std::string(row.name), b.*row.budget);
  out.set("disabled", std::move(disabled));
  return out;
}

Map current_state(const GateState& s) {
  const Measures& m = s.measures;
  return Map{{"health_score", s.has_health ? Value(s.health.score) : Value()},
             {"complexity_max", or_null(s.has_complexity, m.complexity.max)},
             {"coupling_max", or_null(s.has_coupling, m.coupling.max)},
             {"cohesion_max", or_null(s.has_cohesion, m.cohesion.max)},
             {"dependency_cycles", or_null(s.has_dependencies, m.cycles.size())},
             {"clone_groups", or_null(true, s.clones)},
             {"dead_code_high_confidence", or_null(s.has_dead_code, m.dead.high.size())}};
}

Map headroom(const Budgets& b, const GateState& s) {
  const Measures& m = s.measures;
  return Map{
      {"complexity_headroom", difference(b.complexity_delta, s.has_complexity, m.complexity.max)},
      {"coupling_headroom", difference(b.coupling_delta, s.has_coupling, m.coupling.max)},
      {"cohesion_headroom", difference(b.cohesion_delta, s.has_cohesion, m.cohesion.max)},
      {"health_headroom",
       b.health_floor && s.has_health ? Value(s.health.score - *b.health_floor) : Value()}};
}

Map start_budget(const BudgetFacts& facts) {
  const Budgets budgets = budgets_for(facts.strictness, run_thresholds(facts.report));
  const GateState state =
      gate_state(facts.report, {.baseline = facts.baseline, .coverage_min = budgets.coverage_min});
  const GateResult gate = preview_gates(gate_settings(budgets), state);
  return Map{{"strictness", to_string(facts.strictness)},
             {"budgets", document(budgets)},
             {"current_state", current_state(state)},
             {"headroom", headroom(budgets, state)},
             {"gate_preview", document(gate)},
             {"message", budget_message(gate)}};
}

Map budget_answer(const BudgetFacts& facts) {
  Map out{{"mode", "budget"},
          {"run_id", facts.run_id.substr(0, 8)},
          {"strictness", to_string(facts.strictness)},
          {"intent_id", facts.intent_id ? Value(*facts.intent_id) : Value()},
          {"scope", facts.intent_id ? "changed" : "full"},
          {"declared_scope", string_list(facts.declared_scope)},
          {"blast_radius_summary", facts.blast_radius_summary}};
  const Map shared = start_budget(facts);
  for (const auto& [key, value] : shared.entries())
    out.set(key, value);
  if (may_not_edit(facts.intent_status)) {
    out.set("intent_status", facts.intent_status);
    out.set("edit_allowed", false);
  }
  return out;
}

}  // namespace gh::control
