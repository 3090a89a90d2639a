#include "analysis/run_extract.h"

#include <array>

#include "analysis/report_view.h"

namespace gh::analysis {
namespace {

enum class Kept : std::uint8_t { all, none, high_risk, candidates };
struct FamilyRow {
  std::string_view family;
  Kept items;
};
// table: extract_families
constexpr std::array kFamilies{
    FamilyRow{"complexity", Kept::high_risk},
    FamilyRow{"coupling", Kept::high_risk},
    FamilyRow{"cohesion", Kept::high_risk},
    FamilyRow{"coverage_adoption", Kept::none},
    FamilyRow{"api_surface", Kept::none},
    FamilyRow{"dead_code", Kept::none},
    FamilyRow{"overloaded_modules", Kept::candidates},
};

Kept kept_of(std::string_view family) {
  for (const FamilyRow& row : kFamilies)
    if (row.family == family) return row.items;
  return Kept::all;
}

bool is_kept(const Value& item, Kept kept) {
  return kept == Kept::all || (kept == Kept::high_risk && text_in(item, "risk") == "high") ||
         (kept == Kept::candidates && text_in(item, "candidate_status") == "candidate");
}

List high_risk_units(const RunReport& report) {
  List out;
  for (const ScoredUnit& unit : report.units)
    if (Value item = item_of(complexity_columns(), unit); is_kept(item, Kept::high_risk))
      out.push_back(std::move(item));
    else
      break;  // the most complex come first
  return out;
}

/// Items that the frame does not hold.
List late_items(std::string_view family, const RunReport& report) {
  const Findings& findings = *report.findings;
  List out;
  if (family == "complexity") return high_risk_units(report);
  if (family == "dependencies")
    for (const DependencyEdge& edge : findings.dependencies.edges)
      out.emplace_back(item_of(dependency_columns(), {findings.dependencies, edge}));
  if (family == "overloaded_modules")
    for (const ScoredModule& module : findings.overloaded.modules)
      if (module.status == Overload::candidate)
        out.emplace_back(item_of(overloaded_columns(), module));
  return out;
}

Map family_extract(std::string_view name, const Map& family, const RunReport& report) {
  Map out;
  const Kept kept = kept_of(name);
  for (const auto& [key, value] : family.entries()) {
    if (key != "items" || value.as_list() == nullptr) {
      out.set(key, value);
      continue;
    }
    List items = late_items(name, report);
    for (const Value& item : *value.as_list())
      if (is_kept(item, kept)) items.push_back(item);
    out.set(key, std::move(items));
  }
  return out;
}

/// The one list of findings that is made late.
void add_dead_code(Map& extract, const RunReport& report) {
  if (member(report.frame, {"findings", "groups", "dead_code", "groups"}) == nullptr)
    return;  // metrics were not asked for
  Value* groups = extract.find("findings")->as_map()->find("groups");
  Value* dead = groups->as_map()->find("dead_code");
  List& list = *dead->as_map()->find("groups")->as_list();
  for (const DeadItem* item : report.ranked_dead)
    list.push_back(group_document(dead_code_group(*item)));
}

}  // namespace

Value run_extract(const RunReport& report) {
  Map out, families, metrics;
  for (const auto& [key, value] : report.frame.as_map()->entries())
    if (key != "metrics" && key != "derived") out.set(key, value);
  for (const auto& [key, value] : map_in(report.frame, {"metrics"}).entries())
    if (key != "families") metrics.set(key, value);
  for (const auto& [name, family] : map_in(report.frame, {"metrics", "families"}).entries())
    families.set(name, family_extract(name, *family.as_map(), report));
  metrics.set("families", std::move(families));
  out.set("metrics", std::move(metrics));
  add_dead_code(out, report);
  return out;
}

}  // namespace gh::analysis
