#include "analysis/coverage.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include "analysis/adoption.h"
#include "analysis/metric_families.h"
#include "analysis/unit_ids.h"

namespace gh::analysis {
namespace {

using Lines = std::vector<LineHit>;

// table: coverage statuses
constexpr std::array<std::string_view, 3> kStatuses{"measured", "no_executable_lines",
                                                    "missing_from_report"};

bool is_complex(const UnitFact& unit) {
  return complexity_risk(unit.complexity.cyclomatic) != Risk::low;
}

std::span<const LineHit> lines_of(const UnitFact& unit, const Lines& lines) {
  return {std::ranges::lower_bound(lines, unit.start_line, {}, &LineHit::line),
          std::ranges::upper_bound(lines, unit.end_line, {}, &LineHit::line)};
}

UnitCoverage measured(UnitRef ref, const UnitFact& unit, const Lines& lines,
                      std::uint32_t threshold_percent) {
  UnitCoverage out{.ref = ref, .status = CoverageStatus::no_executable_lines};
  for (const LineHit& hit : lines_of(unit, lines)) {
    ++out.executable;
    out.covered += hit.covered ? 1 : 0;
  }
  if (out.executable == 0) return out;
  out.status = CoverageStatus::measured;
  out.is_hotspot = is_complex(unit) && *out.permille() < std::uint64_t{threshold_percent} * 10;
  return out;
}

/// A line inside a nested unit is one line all the same.
void count_lines(const FileFacts& facts, const Lines& lines, CoverageJoin& out) {
  std::vector<bool> counted(lines.size());
  for (const UnitFact& unit : facts.units) {
    if (unit.incomplete) continue;
    for (const LineHit& hit : lines_of(unit, lines)) {
      const auto i = static_cast<std::size_t>(&hit - lines.data());
      if (counted[i]) continue;
      counted[i] = true;
      ++out.executable;
      out.covered += hit.covered ? 1 : 0;
    }
  }
}

void sort_worst_first(const Project& project, std::vector<UnitCoverage>& units) {
  constexpr std::uint64_t kUnmeasured = 1001;
  std::ranges::stable_sort(units, {}, [&](const UnitCoverage& u) {
    return std::tuple(u.is_hotspot     ? 0
                      : u.is_scope_gap ? 1
                                       : 2,
                      u.permille().value_or(kUnmeasured),
                      ~unit_of(project, u.ref).complexity.cyclomatic, u.ref.file, u.ref.unit);
  });
}

Map with_facts(Map out, const Project& project, const UnitCoverage& u) {
  const std::uint32_t cyclomatic = unit_of(project, u.ref).complexity.cyclomatic;
  const auto permille = u.permille();
  out.set("cyclomatic_complexity", number(cyclomatic));
  out.set("risk", to_string(complexity_risk(cyclomatic)));
  out.set("status", to_string(u.status));
  out.set("executable_lines", number(u.executable));
  out.set("covered_lines", number(u.covered));
  out.set("coverage_permille", permille ? number(*permille) : Value());
  return out;
}

Map summary_of(const CoverageJoin& join) {
  return Map{{"status", join.invalid ? "invalid" : "ok"},
             {"source", join.source},
             {"files", number(join.files)},
             {"units", number(join.units.size())},
             {"measured_units", number(join.count(CoverageStatus::measured))},
             {"overall_executable_lines", number(join.executable)},
             {"overall_covered_lines", number(join.covered)},
             {"overall_permille", number(join.overall_permille())},
             {"missing_from_report_units", number(join.count(CoverageStatus::missing_from_report))},
             {"coverage_hotspots", number(join.hotspots())},
             {"scope_gap_hotspots", number(join.scope_gaps())},
             {"hotspot_threshold_percent", number(join.threshold_percent)},
             {"invalid_reason", join.invalid ? Value(join.invalid->message) : Value()}};
}

}  // namespace

std::string_view to_string(CoverageStatus status) {
  return kStatuses[static_cast<std::size_t>(status)];
}

std::optional<std::uint64_t> UnitCoverage::permille() const {
  if (status != CoverageStatus::measured) return {};
  return analysis::permille(covered, executable);
}

std::uint64_t CoverageJoin::count(CoverageStatus status) const {
  return static_cast<std::uint64_t>(std::ranges::count(units, status, &UnitCoverage::status));
}
std::uint64_t CoverageJoin::hotspots() const {
  return static_cast<std::uint64_t>(std::ranges::count(units, true, &UnitCoverage::is_hotspot));
}
std::uint64_t CoverageJoin::scope_gaps() const {
  return static_cast<std::uint64_t>(std::ranges::count(units, true, &UnitCoverage::is_scope_gap));
}
std::uint64_t CoverageJoin::overall_permille() const { return permille(covered, executable); }

CoverageJoin join_coverage(const Project& project, const CoveredFiles& covered,
                           std::uint32_t threshold_percent) {
  CoverageJoin out{.threshold_percent = threshold_percent, .files = covered.size()};
  for (std::uint32_t f = 0; f < project.files.size(); ++f) {
    const AnalysedFile& file = project.files[f];
    const auto found = covered.find(file.path);
    if (found != covered.end()) count_lines(file.facts, found->second, out);
    for (std::uint32_t u = 0; u < file.facts.units.size(); ++u) {
      const UnitFact& unit = file.facts.units[u];
      if (unit.incomplete) continue;
      out.units.push_back(found != covered.end()
                              ? measured({f, u}, unit, found->second, threshold_percent)
                              : UnitCoverage{.ref = {f, u}, .is_scope_gap = is_complex(unit)});
    }
  }
  sort_worst_first(project, out.units);
  return out;
}

Map coverage_family(const Project& project, const CoverageJoin& join) {
  List items;
  for (const UnitCoverage& unit : join.units) {
    Map item = with_facts(place_of(project, unit.ref).document(), project, unit);
    item.set("coverage_hotspot", unit.is_hotspot);
    item.set("scope_gap_hotspot", unit.is_scope_gap);
    items.emplace_back(std::move(item));
  }
  return family(summary_of(join), std::move(items));
}

std::vector<Group> coverage_groups(const Project& project, const CoverageJoin& join) {
  std::vector<Group> out;
  const UnitIds ids(project);
  for (const UnitCoverage& unit : join.units) {
    if (!unit.is_hotspot && !unit.is_scope_gap) continue;
    const Risk risk = complexity_risk(unit_of(project, unit.ref).complexity.cyclomatic);
    Place place = place_of(project, unit.ref);
    Map facts = with_facts({}, project, unit);
    facts.set("hotspot_threshold_percent", number(join.threshold_percent));
    out.push_back({.id = "design:coverage:" + ids(unit.ref),
                   .family = "design",
                   .category = "coverage",
                   .kind = unit.is_hotspot ? "coverage_hotspot" : "coverage_scope_gap",
                   .severity = risk == Risk::high ? Severity::critical : Severity::warning,
                   .places = {std::move(place)},
                   .facts = std::move(facts)});
  }
  return out;
}

}  // namespace gh::analysis
