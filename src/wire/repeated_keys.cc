#include "wire/repeated_keys.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace gh::wire {

namespace {

/// Most mappings are small, and for those comparing pairs beats sorting.
bool all_differ(std::span<const std::string_view> keys) {
  for (std::size_t i = 1; i < keys.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (keys[i] == keys[j]) return false;
  return true;
}

/// Each before the next, as in everything that we write ourselves.
bool are_sorted(std::span<const std::string_view> keys) {
  return std::ranges::adjacent_find(keys, std::ranges::greater_equal{}) == keys.end();
}

constexpr std::size_t kFewKeys = 12;

}  // namespace

std::vector<Repeat> repeated_keys(std::span<const std::string_view> keys) {
  if (are_sorted(keys)) return {};
  if (keys.size() <= kFewKeys && all_differ(keys)) return {};
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  std::vector<Repeat> out;
  for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
    if (keys[order[first]] == keys[order[i]]) {
      out.push_back({order[first], order[i]});
    } else {
      first = i;
    }
  }
  std::ranges::sort(out, {}, &Repeat::later);
  return out;
}

}  // namespace gh::wire
