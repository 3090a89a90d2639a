// How much of what is nested in a file is listed.
#pragma once

#include <cstddef>

namespace gh::analysis {

// What is declared deeper, or under a longer local name, is not listed: each of those around it is
// measured with all it holds, and each name repeats the names around it.
inline constexpr std::size_t kMaxOwners = 200, kMaxLocalName = 4096;
constexpr bool is_beyond_listing(std::size_t owners, std::size_t name_bytes) {
  return owners >= kMaxOwners || name_bytes > kMaxLocalName;
}

}  // namespace gh::analysis
