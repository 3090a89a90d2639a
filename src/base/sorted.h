// Lists as sets: in order, each element once. (clang 14 cannot compile std::ranges::unique of this library.)
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace gh {

template <class T>
void sort_unique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// The same by a key: the first of those that are alike by it is kept.
template <class T, class Key>
void sort_unique(std::vector<T>& list, Key key) {
  std::ranges::stable_sort(list, {}, key);
  const auto alike = [&](const T& a, const T& b) { return std::invoke(key, a) == std::invoke(key, b); };
  list.erase(std::unique(list.begin(), list.end(), alike), list.end());
}

template <class T>
std::vector<T> sorted_unique(std::vector<T> list) {
  sort_unique(list);
  return list;
}

}  // namespace gh
