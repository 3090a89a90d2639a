#include "analysis/cohorts.h"

#include <array>
#include <optional>

#include "analysis/guards.h"

namespace gh::analysis {
namespace {

// table: cohort kinds
constexpr std::array<std::string_view, 2> kKinds{"clone_cohort_drift",
                                                 "clone_guard_exit_divergence"};

/// One thing that members may differ in. A member without a value takes no part in it.
struct Field {
  std::string_view name;
  std::optional<std::string> (*of)(const Guards&);
};

std::optional<std::string> exits(const Guards& g) {
  const std::string profile = g.profile();
  return profile.substr(profile.find(':') + 1);
}

// clang-format off
// table: drift fields
constexpr std::array kDrift = std::to_array<Field>({
    {"guard_exit_profile",        [](const Guards& g) { return std::optional(g.profile()); }},
    {"side_effect_order_profile", [](const Guards& g) { return std::optional(std::string(to_string(g.order))); }},
    {"terminal_kind",             [](const Guards& g) { return std::optional(std::string(to_string(g.terminal))); }},
    {"try_finally_profile",       [](const Guards& g) { return std::optional(std::string(to_string(g.tries))); }},
});

// table: guard fields
constexpr std::array kGuards = std::to_array<Field>({
    {"guard_count",              [](const Guards& g) { return std::optional(std::to_string(g.exits.size())); }},
    {"guard_terminals",          exits},
    {"side_effect_before_guard", [](const Guards& g) -> std::optional<std::string> {
       if (g.exits.empty()) return std::nullopt;
       return g.effect_before ? "true" : "false"; }},
    {"terminal_kind",            [](const Guards& g) { return std::optional(std::string(to_string(g.terminal))); }},
});
// clang-format on

/// The most frequent value, the smallest of several; nothing when all agree.
std::optional<std::string> majority(const Project& project, const Cohort& cohort,
                                    const Field& field) {
  std::map<std::string, std::size_t> counts;
  for (const UnitRef ref : cohort.members)
    if (auto value = field.of(unit_of(project, ref).guards)) ++counts[*std::move(value)];
  if (counts.size() < 2) return std::nullopt;
  auto best = counts.begin();
  for (auto at = counts.begin(); at != counts.end(); ++at)
    if (at->second > best->second) best = at;
  return best->first;
}

template <std::size_t N>
std::optional<CohortFinding> find(const Project& project, const Cohort& cohort, CohortKind kind,
                                  const std::array<Field, N>& fields) {
  CohortFinding out{.kind = kind, .cohort = cohort.key, .members = cohort.members.size()};
  for (const Field& field : fields)
    if (auto value = majority(project, cohort, field))
      out.majority.emplace(field.name, *std::move(value));
  if (out.majority.empty()) return std::nullopt;
  for (const UnitRef ref : cohort.members)
    for (const Field& field : fields) {
      const auto expected = out.majority.find(std::string(field.name));
      const auto value = field.of(unit_of(project, ref).guards);
      if (expected == out.majority.end() || !value || *value == expected->second) continue;
      out.items.push_back(ref);
      break;
    }
  return out;
}

bool has_guards(const Project& project, const Cohort& cohort) {
  for (const UnitRef ref : cohort.members)
    if (!unit_of(project, ref).guards.exits.empty()) return true;
  return false;
}

}  // namespace

std::string_view to_string(CohortKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::vector<CohortFinding> cohort_findings(const Project& project,
                                           const std::vector<Cohort>& cohorts) {
  std::vector<CohortFinding> out;
  for (const Cohort& cohort : cohorts) {
    if (cohort.members.size() < kMinCohort) continue;
    if (auto found = find(project, cohort, CohortKind::drift, kDrift))
      out.push_back(*std::move(found));
    if (!has_guards(project, cohort)) continue;
    if (auto found = find(project, cohort, CohortKind::guard_exit_divergence, kGuards))
      out.push_back(*std::move(found));
  }
  return out;
}

}  // namespace gh::analysis
