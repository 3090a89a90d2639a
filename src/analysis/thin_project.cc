#include "analysis/thin_project.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "analysis/near_miss.h"

namespace gh::analysis {
namespace {

/// Do its statements have a place in its flow?
bool is_sound(const UnitFact& unit) {
  for (const StatementFact& fact : unit.statements)
    if (fact.place >= unit.flow.size()) return false;
  return true;
}

}  // namespace

bool may_be_told(const UnitFact& unit, const Profile& p) {
  const auto is_long = [&](std::uint32_t lines, std::uint32_t statements) {
    return unit.loc() >= lines && unit.statements.size() >= statements;
  };
  const bool is_near = unit.flow.size() >= (kMinNearMiss * p.near_miss_similarity + 99) / 100;
  return !unit.branches.empty() ||
         (!unit.incomplete && (is_near || is_long(p.min_loc, p.min_stmt) ||
                               is_long(p.block_min_loc, p.block_min_stmt) ||
                               is_long(p.segment_min_loc, p.segment_min_stmt)));
}

ThinImports thin_imports(const FileFacts& facts) {
  return {facts.status, facts.package, facts.imports};
}

std::vector<UnitFact> thin_units(const FileFacts& facts, const Profile& profile) {
  std::set<std::string_view> told;
  for (const UnitFact& unit : facts.units)
    if (may_be_told(unit, profile)) told.insert(unit.local_name);
  std::vector<UnitFact> out;
  for (const UnitFact& unit : facts.units) {
    if (may_be_told(unit, profile))
      out.push_back(unit);
    else if (told.contains(unit.local_name))
      out.push_back({.local_name = unit.local_name, .incomplete = true});
  }
  return out;
}

bool are_sound(const std::vector<std::vector<UnitFact>>& units) {
  return std::ranges::all_of(
      units, [](const std::vector<UnitFact>& file) { return std::ranges::all_of(file, is_sound); });
}

}  // namespace gh::analysis
