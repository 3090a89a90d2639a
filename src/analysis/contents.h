// What a subtree holds, anywhere below it but not in functions and classes inside it: one pass over
// a file answers for every node.
#pragma once

#include <cstdint>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

namespace content {  // NOLINTBEGIN(readability-identifier-naming): words, as of an enum
inline constexpr std::uint8_t call = 1, calls = 2;  // at least one, at least two
inline constexpr std::uint8_t raise = 4, branch = 8, loop = 16, attempt = 32;
inline constexpr std::uint8_t finally = 64;  // a try with one
inline constexpr std::uint8_t pause = 128;   // await, yield
}  // namespace content
// NOLINTEND(readability-identifier-naming)
class Contents {
 public:
  explicit Contents(const syntax::Tree&);
  bool has(std::uint32_t node, std::uint8_t what) const { return (bits_[node] & what) != 0; }
  /// Of all members of a list together.
  std::uint8_t of(std::uint32_t node) const { return bits_[node]; }

 private:
  std::vector<std::uint8_t> bits_;
};

}  // namespace gh::analysis
