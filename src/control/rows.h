#pragma once
// What decision tables and lists of this module share. Private to control.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace gh::control {

/// A cell of a decision table: what a fact must be for the row to fit.
enum class Is : std::uint8_t { any, no, yes };
constexpr bool fits(Is want, bool have) { return want == Is::any || (want == Is::yes) == have; }

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace gh::control
