#include "analysis/overloads.h"

#include <string>
#include <unordered_map>

namespace gh::analysis {

void name_overloads(std::vector<UnitFact>& units) {
  std::unordered_map<std::string, std::size_t> count;
  for (const UnitFact& unit : units)
    ++count[unit.local_name];
  for (UnitFact& unit : units)
    if (count[unit.local_name] > 1) unit.local_name += "/" + std::to_string(unit.params);
}

}  // namespace gh::analysis
