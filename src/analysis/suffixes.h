// Repeats in a sequence of numbers: suffix array and its intervals.
#pragma once

#include <cstdint>
#include <vector>

namespace gh::analysis {

/// Starts of all suffixes in their order. O(n log n) steps of counting, whatever the input.
std::vector<std::uint32_t> suffix_array(const std::vector<std::uint32_t>& text);

/// lcp[i]: length of the common start of the suffixes at i - 1 and i of the array; lcp[0] is 0.
std::vector<std::uint32_t> common_prefixes(const std::vector<std::uint32_t>& text,
                                           const std::vector<std::uint32_t>& suffixes);

/// A repeat that cannot be made longer to the right in all its places: those of
/// suffixes[first..last].
struct Repeat {
  std::uint32_t length, first, last;
};
std::vector<Repeat> right_maximal_repeats(const std::vector<std::uint32_t>& lcp,
                                          std::uint32_t min_length);

}  // namespace gh::analysis
