#pragma once
// Duplicate keys of one mapping, found without comparing every pair. Private to wire.
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace gh::wire {

struct Repeat {
  std::size_t first, later;  // indexes of equal keys; `first` is the earliest of its name
};

/// In order of `later`.
std::vector<Repeat> repeated_keys(std::span<const std::string_view> keys);

}  // namespace gh::wire
