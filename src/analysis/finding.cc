#include "analysis/finding.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/ratio.h"

namespace gh::analysis {
namespace {

Value scope_of(const std::vector<Place>& places) {
  std::map<SourceKind, std::uint64_t> counts;
  for (const Place& place : places)
    ++counts[source_kind_of(place.path)];
  std::string_view dominant = "mixed";
  for (const auto& [kind, count] : counts)
    if (count == places.size()) dominant = to_string(kind);
  const std::uint64_t runtime = counts[SourceKind::production];
  Map breakdown;
  for (const SourceKind kind :
       {SourceKind::production, SourceKind::tests, SourceKind::fixtures, SourceKind::other})
    breakdown.set(std::string(to_string(kind)), number(counts[kind]));
  return Map{{"dominant_kind", dominant},
             {"breakdown", std::move(breakdown)},
             {"impact_scope", impact_scope(runtime, places.size())}};
}

Value spread_of(const std::vector<Place>& places) {
  std::set<std::string_view> files, functions;
  for (const Place& place : places) {
    files.insert(place.path);
    functions.insert(place.qualname);
  }
  return Map{{"files", number(files.size())}, {"functions", number(functions.size())}};
}

}  // namespace

std::string_view to_string(Severity severity) {
  return severity == Severity::critical  ? "critical"
         : severity == Severity::warning ? "warning"
                                         : "info";
}

std::string_view impact_scope(std::uint64_t production, std::uint64_t places) {
  if (production == places) return "runtime";
  return production == 0 ? "non_runtime" : "mixed";
}

Decimal priority(Severity severity, Effort effort) {
  return ratio(static_cast<std::uint64_t>(severity), static_cast<std::uint64_t>(effort), 4);
}

Map Place::document() const {
  return Map{{"qualname", qualname},
             {"relative_path", path},
             {"start_line", number(start_line)},
             {"end_line", number(end_line)}};
}

Place place_of(const Project& project, UnitRef ref) {
  const UnitFact& unit = unit_of(project, ref);
  return {qualname_of(project, ref), project.files[ref.file].path, unit.start_line, unit.end_line};
}

Map group_document(const Group& group) {
  std::vector<Place> places = group.places;
  std::ranges::stable_sort(places, {}, [](const Place& p) {
    return std::tuple(p.path, p.start_line, p.end_line, std::string_view(p.qualname));
  });
  List items;
  for (const Place& place : places)
    items.emplace_back(place.document());
  return Map{{"id", group.id},
             {"family", group.family},
             {"category", group.category},
             {"kind", group.kind},
             {"severity", to_string(group.severity)},
             {"confidence", group.confidence},
             {"priority", priority(group.severity, group.effort)},
             {"count", number(group.places.size())},
             {"source_scope", scope_of(group.places)},
             {"spread", spread_of(group.places)},
             {"facts", group.facts},
             {"items", std::move(items)}};
}

void sort_by_count(std::vector<Group>& groups) {
  std::ranges::sort(groups, [](const Group& a, const Group& b) {
    return std::tuple(b.places.size(), std::string_view(a.id)) <
           std::tuple(a.places.size(), std::string_view(b.id));
  });
}

void sort_by_priority(std::vector<Group>& groups) {
  const auto where = [](const Group& group) {
    const Place* first = group.places.empty() ? nullptr : &group.places.front();
    return first == nullptr ? std::tuple(std::string_view(), 0u, 0u)
                            : std::tuple(first->path, first->start_line, first->end_line);
  };
  std::ranges::sort(groups, [&](const Group& a, const Group& b) {
    return std::tuple(priority(b.severity, b.effort), std::string_view(a.id), where(a)) <
           std::tuple(priority(a.severity, a.effort), std::string_view(b.id), where(b));
  });
}

}  // namespace gh::analysis
