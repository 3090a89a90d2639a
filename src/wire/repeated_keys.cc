#include "wire/repeated_keys.h"

#include <algorithm>
#include <numeric>

namespace gh::wire {

std::vector<Repeat> repeated_keys(const std::vector<std::string_view>& keys) {
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
