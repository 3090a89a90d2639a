#include "analysis/gates.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::analysis {
namespace {

using S = GateSettings;
using F = GateFacts;

constexpr std::size_t kNamed = 3;  // in a message

std::string some(const Names& names) {
  const std::size_t shown = std::min(kNamed, names.size());
  const std::string first =
      join({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown)}, ", ");
  return names.size() > shown ? fmt::format("{} and {} more", first, names.size() - shown) : first;
}

/// A permille as percent, with its decimal.
std::string percent(std::int64_t permille) {
  return fmt::format("{}.{} %", permille / 10, permille % 10);
}

bool is_below(std::int64_t permille, std::int64_t percent_wanted) {
  return permille < 10 * percent_wanted;
}

const MetricsDiff& diff(const F& f) {
  static const MetricsDiff nothing;
  return f.comparison.metrics ? *f.comparison.metrics : nothing;
}

Names breaks(const F& f) { return f.comparison.api ? break_texts(*f.comparison.api) : Names{}; }

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// They are in no baseline, so that only an earlier run can know them.
std::string near_miss_text(const Since& since) {
  const std::string out = counted(since.new_near_misses.size(), "new group of near misses",
                                  "new groups of near misses");
  return since.has_earlier
             ? out
             : out + "; no baseline holds near misses, without --diff-against all of them are new";
}

Names wanted_security(const S& s, const F& f) {
  Names out;
  for (const auto& [category, items] : f.since.new_security)
    if (std::ranges::find(s.fail_on_new_security_surface, category) !=
        s.fail_on_new_security_surface.end())
      out.push_back(fmt::format("{} ({})", category, items.size()));
  return out;
}

// clang-format off
// table: gate options
constexpr std::array<GateOption, 17> kOptions{{
    {"fail-complexity",             [](const S& s) { return s.fail_complexity != kOff; }},
    {"fail-coupling",               [](const S& s) { return s.fail_coupling != kOff; }},
    {"fail-cohesion",               [](const S& s) { return s.fail_cohesion != kOff; }},
    {"fail-health",                 [](const S& s) { return s.fail_health != kOff; }},
    {"fail-cycles",                 [](const S& s) { return s.fail_cycles; }},
    {"fail-dead-code",              [](const S& s) { return s.fail_dead_code; }},
    {"fail-on-new-metrics",         [](const S& s) { return s.fail_on_new_metrics; }, true, true, Need::metrics_baseline},
    {"min-typing-coverage",         [](const S& s) { return s.min_typing_coverage != kOff; }},
    {"min-docstring-coverage",      [](const S& s) { return s.min_docstring_coverage != kOff; }},
    {"fail-on-typing-regression",   [](const S& s) { return s.fail_on_typing_regression; }, true, true, Need::metrics_baseline},
    {"fail-on-docstring-regression",[](const S& s) { return s.fail_on_docstring_regression; }, true, true, Need::metrics_baseline},
    {"fail-on-api-break",           [](const S& s) { return s.fail_on_api_break; }, true, true, Need::api_baseline},
    {"fail-on-untested-hotspots",   [](const S& s) { return s.fail_on_untested_hotspots; }, true, false, Need::coverage},
    {"fail-on-new",                 [](const S& s) { return s.fail_on_new; }, false, true, Need::clone_baseline},
    {"fail-threshold",              [](const S& s) { return s.fail_threshold != kOff; }, false},
    {"fail-on-new-near-miss",       [](const S& s) { return s.fail_on_new_near_miss; }, false},
    {"fail-on-new-security-surface",[](const S& s) { return !s.fail_on_new_security_surface.empty(); }, true, false},
}};
// clang-format on

struct Gate {
  int order;
  std::string_view key;
  bool (*fires)(const S&, const F&);
  std::string (*says)(const S&, const F&);
};

bool exceeds(std::int64_t limit, std::uint64_t value) {
  return limit != kOff && static_cast<std::int64_t>(value) > limit;
}

std::string above(std::string_view what, std::uint64_t value, std::int64_t limit) {
  return fmt::format("{} {} is above {}", what, value, limit);
}

// clang-format off
// table: gates
constexpr std::array<Gate, 21> kGates{{
    {10, "metric:complexity_threshold",
     [](const S& s, const F& f) { return exceeds(s.fail_complexity, f.measures.complexity.max); },
     [](const S& s, const F& f) { return above("the highest complexity", f.measures.complexity.max, s.fail_complexity); }},
    {20, "metric:coupling_threshold",
     [](const S& s, const F& f) { return exceeds(s.fail_coupling, f.measures.coupling.max); },
     [](const S& s, const F& f) { return above("the highest coupling", f.measures.coupling.max, s.fail_coupling); }},
    {30, "metric:cohesion_threshold",
     [](const S& s, const F& f) { return exceeds(s.fail_cohesion, f.measures.cohesion.max); },
     [](const S& s, const F& f) { return above("the highest LCOM4", f.measures.cohesion.max, s.fail_cohesion); }},
    {40, "metric:health_threshold",
     [](const S& s, const F& f) { return s.fail_health != kOff && f.health.score < s.fail_health; },
     [](const S& s, const F& f) { return fmt::format("health {} is below {}", f.health.score, s.fail_health); }},
    {50, "metric:dependency_cycles",
     [](const S& s, const F& f) { return s.fail_cycles && !f.measures.cycles.empty(); },
     [](const S&, const F& f) { return counted(f.measures.cycles.size(), "cycle of modules", "cycles of modules"); }},
    {60, "metric:dead_code_high_confidence",
     [](const S& s, const F& f) { return s.fail_dead_code && !f.measures.dead.high.empty(); },
     [](const S&, const F& f) { return fmt::format("dead code: {}", some(f.measures.dead.high)); }},
    {70, "metric:new_high_risk_functions",
     [](const S& s, const F& f) { return s.fail_on_new_metrics && !diff(f).new_high_risk_functions.empty(); },
     [](const S&, const F& f) { return fmt::format("new complex functions: {}", some(diff(f).new_high_risk_functions)); }},
    {80, "metric:new_high_coupling_classes",
     [](const S& s, const F& f) { return s.fail_on_new_metrics && !diff(f).new_high_coupling_classes.empty(); },
     [](const S&, const F& f) { return fmt::format("new coupled classes: {}", some(diff(f).new_high_coupling_classes)); }},
    {90, "metric:new_dependency_cycles",
     [](const S& s, const F& f) { return s.fail_on_new_metrics && !diff(f).new_cycles.empty(); },
     [](const S&, const F& f) { return fmt::format("new cycle: {}", join(diff(f).new_cycles.front(), " -> ")); }},
    {100, "metric:new_dead_code",
     [](const S& s, const F& f) { return s.fail_on_new_metrics && !diff(f).new_dead_code.empty(); },
     [](const S&, const F& f) { return fmt::format("new dead code: {}", some(diff(f).new_dead_code)); }},
    {110, "metric:health_regression",
     [](const S& s, const F& f) { return s.fail_on_new_metrics && diff(f).health_delta < 0; },
     [](const S&, const F& f) { return fmt::format("health fell by {} to {}", -diff(f).health_delta, f.health.score); }},
    {120, "metric:typing_coverage_threshold",
     [](const S& s, const F& f) { return s.min_typing_coverage != kOff && is_below(f.measures.adoption.typing_param_permille, s.min_typing_coverage); },
     [](const S& s, const F& f) { return fmt::format("{} of the parameters have types, {} % are wanted", percent(f.measures.adoption.typing_param_permille), s.min_typing_coverage); }},
    {130, "metric:docstring_coverage_threshold",
     [](const S& s, const F& f) { return s.min_docstring_coverage != kOff && is_below(f.measures.adoption.docstring_permille, s.min_docstring_coverage); },
     [](const S& s, const F& f) { return fmt::format("{} of what is public is documented, {} % are wanted", percent(f.measures.adoption.docstring_permille), s.min_docstring_coverage); }},
    {140, "metric:typing_regression",
     [](const S& s, const F& f) { return s.fail_on_typing_regression && (diff(f).typing_param_permille_delta < 0 || diff(f).typing_return_permille_delta < 0); },
     [](const S&, const F& f) { return fmt::format("types were lost: parameters {} permille, returns {} permille", diff(f).typing_param_permille_delta, diff(f).typing_return_permille_delta); }},
    {150, "metric:docstring_regression",
     [](const S& s, const F& f) { return s.fail_on_docstring_regression && diff(f).docstring_permille_delta < 0; },
     [](const S&, const F& f) { return fmt::format("documentation was lost: {} permille", diff(f).docstring_permille_delta); }},
    {160, "metric:api_breaking_changes",
     [](const S& s, const F& f) { return s.fail_on_api_break && !breaks(f).empty(); },
     [](const S&, const F& f) { return fmt::format("the API breaks: {}", some(breaks(f))); }},
    {170, "metric:coverage_hotspots",
     [](const S& s, const F& f) { return s.fail_on_untested_hotspots && f.measures.coverage && f.measures.coverage->is_valid && f.measures.coverage->hotspots > 0; },
     [](const S&, const F& f) { return counted(f.measures.coverage->hotspots, "complex function is hardly tested", "complex functions are hardly tested"); }},
    {180, "clone:new",
     [](const S& s, const F& f) { return s.fail_on_new && f.new_counted > 0; },
     [](const S&, const F& f) { return counted(f.new_counted, "new group of clones", "new groups of clones"); }},
    {190, "clone:threshold",
     [](const S& s, const F& f) { return exceeds(s.fail_threshold, f.counted); },
     [](const S& s, const F& f) { return fmt::format("{}, {} allowed", counted(f.counted, "group of clones", "groups of clones"), s.fail_threshold); }},
    {200, "clone:near_miss",
     [](const S& s, const F& f) { return s.fail_on_new_near_miss && !f.since.new_near_misses.empty(); },
     [](const S&, const F& f) { return near_miss_text(f.since); }},
    {210, "metric:security_surface",
     [](const S& s, const F& f) { return !wanted_security(s, f).empty(); },
     [](const S& s, const F& f) { return fmt::format("new reach: {}", join(wanted_security(s, f), ", ")); }},
}};
// clang-format on

constexpr int kThresholdOrder = 190;  // its key also names both numbers

std::string key_of(const Gate& gate, const S& s, const F& f) {
  if (gate.order != kThresholdOrder) return std::string(gate.key);
  return fmt::format("{}:{}:{}", gate.key, f.counted, s.fail_threshold);
}

ContractError by_option(std::string message) { return {ContractCause::option, std::move(message)}; }
ContractError by(ContractCause cause, std::string message) { return {cause, std::move(message)}; }

struct Wanted {
  Need need;
  std::string_view part;
  bool (*is_in)(const Baseline&);
};
// table: what gates compare with
constexpr std::array<Wanted, 3> kWanted{{
    {Need::clone_baseline, "clones", [](const Baseline& b) { return b.clones.has_value(); }},
    {Need::metrics_baseline, "metrics", [](const Baseline& b) { return b.metrics.has_value(); }},
    {Need::api_baseline, "the API", [](const Baseline& b) { return b.api_surface.has_value(); }},
}};

/// The baseline does not hold what the option compares with.
std::optional<ContractError> lacking(const GateOption& option, const ContractFacts& facts) {
  const auto wanted = std::ranges::find(kWanted, option.need, &Wanted::need);
  if (wanted == kWanted.end()) return {};
  const BaselineRead& read =
      option.need == Need::clone_baseline ? facts.baseline : facts.metrics_baseline;
  if (wanted->is_in(read.content)) return {};
  return by(
      ContractCause::baseline,
      read.trust == Trust::ok
          ? fmt::format("--{} needs {} in the baseline, and it has none", option.name, wanted->part)
          : fmt::format("--{} needs a baseline with {}: {} ({})", option.name, wanted->part,
                        to_string(read.trust), read.detail));
}

/// A file that is there and cannot be trusted; one that is not there hurts only who needs it.
std::optional<ContractError> untrusted(const BaselineRead& read) {
  if (read.trust == Trust::ok || read.trust == Trust::missing || read.migrates) return {};
  return by(ContractCause::baseline, fmt::format("the baseline is not trusted: {} ({})",
                                                 to_string(read.trust), read.detail));
}

}  // namespace

std::span<const GateOption> gate_options() { return kOptions; }

bool is_gating(const GateSettings& settings) {
  return std::ranges::any_of(
      kOptions, [&](const GateOption& option) { return option.gates && option.is_on(settings); });
}

GateSettings for_ci(GateSettings settings, bool has_metrics_baseline) {
  settings.fail_on_new = true;
  settings.fail_on_new_metrics |= has_metrics_baseline;
  return settings;
}

std::vector<GateReason> gate_reasons(const GateSettings& settings, const GateFacts& facts) {
  std::vector<GateReason> out;
  for (const Gate& gate : kGates)
    if (gate.fires(settings, facts))
      out.push_back({gate.order, key_of(gate, settings, facts), gate.says(settings, facts)});
  return out;
}

std::optional<ContractError> option_error(const GateSettings& settings, bool skips_metrics,
                                          bool has_coverage) {
  for (const GateOption& option : kOptions) {
    if (!option.is_on(settings)) continue;
    if (skips_metrics && option.is_metric)
      return by_option(
          fmt::format("--{} needs the metrics that --skip-metrics leaves out", option.name));
    if (option.need == Need::coverage && !has_coverage)
      return by_option(fmt::format("--{} needs --coverage", option.name));
  }
  return {};
}

std::optional<ContractError> contract_error(const GateSettings& settings,
                                            const ContractFacts& facts) {
  if (auto error = option_error(settings, facts.skips_metrics, facts.coverage.has_value()))
    return error;
  for (const GateOption& option : kOptions)
    if (option.need == Need::coverage && option.is_on(settings) && !facts.coverage->is_valid)
      return by(ContractCause::coverage,
                fmt::format("--{} needs a coverage report that can be read", option.name));
  if (!is_gating(settings)) return {};
  if (!facts.unreadable.empty())
    return by(ContractCause::source, fmt::format("cannot be read: {}", some(facts.unreadable)));
  for (const BaselineRead* read : {&facts.baseline, &facts.metrics_baseline})
    if (auto error = untrusted(*read)) return error;
  for (const GateOption& option : kOptions)
    if (option.is_on(settings))
      if (auto error = lacking(option, facts)) return error;
  return {};
}

}  // namespace gh::analysis
