#include "analysis/overloads.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace gh::analysis {
namespace {

/// Classes by their names. Those without one share a name and are not one.
using Named = std::unordered_map<std::string_view, std::vector<const ClassFact*>>;

/// Its name, and where several classes bear that of its owner, the line of the one that holds it.
std::string overloaded_name(const UnitFact& unit, const Named& named) {
  const std::size_t dot = unit.local_name.rfind('.');
  const auto owners =
      named.find(std::string_view(unit.local_name).substr(0, dot == std::string::npos ? 0 : dot));
  std::uint32_t line = 0;
  if (owners != named.end() && owners->second.size() > 1)
    for (const ClassFact* owner : owners->second)
      if (owner->start_line <= unit.start_line && unit.end_line <= owner->end_line)
        line = owner->start_line;
  return unit.local_name + "\n" + std::to_string(line);
}

}  // namespace

void name_overloads(std::vector<UnitFact>& units, const std::vector<ClassFact>& classes) {
  Named named;
  for (const ClassFact& fact : classes)
    named[fact.local_name].push_back(&fact);
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> count;
  for (const UnitFact& unit : units)
    ++count[names.emplace_back(overloaded_name(unit, named))];
  for (std::size_t u = 0; u < units.size(); ++u)
    if (count[names[u]] > 1) units[u].local_name += "/" + std::to_string(units[u].params);
}

}  // namespace gh::analysis
