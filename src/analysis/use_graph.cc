#include "analysis/use_graph.h"

#include <algorithm>

#include <xxhash.h>

#include "analysis/dead_code.h"
#include "analysis/names.h"

namespace gh::analysis {

bool NumberLists::is_whole(std::size_t keys) const {
  return ends.size() == keys && std::ranges::is_sorted(ends) &&
         (ends.empty() ? values.empty() : ends.back() == values.size());
}

std::uint32_t UseGraph::name(std::string_view text) const {
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  const auto at = std::ranges::lower_bound(names, hash);
  if (at == names.end() || *at != hash) return kNone;
  return static_cast<std::uint32_t>(at - names.begin());
}

bool UseGraph::is_whole(std::size_t files) const {
  const std::size_t count = parents.size();
  const auto is_symbol = [&](std::uint32_t s) { return s < count; };
  const auto is_way = [](Way way) { return way <= Way::silenced; };
  const auto is_reason = [](std::uint8_t reason) {
    return reason <= static_cast<std::uint8_t>(DeadReason::interface_method);
  };
  // What stands around a symbol was declared before it: no way round.
  for (std::size_t s = 0; s < count; ++s)
    if (parents[s] != kNone && parents[s] >= s) return false;
  return std::ranges::is_sorted(names) && users.is_whole(names.size()) && symbols.is_whole(files) &&
         name_of.size() == count && ways.size() == count && doubts.size() == count &&
         std::ranges::all_of(ways, is_way) && std::ranges::all_of(doubts, is_reason) &&
         edges_from.size() == edges_to.size() &&
         std::ranges::all_of(edges_from,
                             [&](std::uint32_t from) { return from == kNone || from < count; }) &&
         std::ranges::all_of(edges_to, is_symbol) &&
         std::ranges::all_of(symbols.values, is_symbol) &&
         std::ranges::all_of(
             users.values,
             [&](std::uint32_t user) { return (user & kModuleCode) != 0 || user < count; }) &&
         std::ranges::all_of(
             name_of, [&](std::uint32_t name) { return name == kNone || name < names.size(); });
}

}  // namespace gh::analysis
