#include "analysis/unit_ids.h"

#include <string_view>
#include <unordered_map>

namespace gh::analysis {

std::vector<std::uint32_t> numbers_of_names(const FileFacts& facts) {
  std::unordered_map<std::string_view, std::uint32_t> seen;
  std::vector<std::uint32_t> out;
  for (const UnitFact& unit : facts.units)
    out.push_back(++seen[unit.local_name]);
  return out;
}

std::string UnitIds::operator()(UnitRef ref) const {
  const auto [known, is_new] = numbers_.try_emplace(ref.file);
  if (is_new) known->second = numbers_of_names(project_.files[ref.file].facts);
  const std::uint32_t n = known->second[ref.unit];
  return qualname_of(project_, ref) + (n > 1 ? "#" + std::to_string(n) : "");
}

}  // namespace gh::analysis
