#pragma once
// Where the old side of each hunk occurs in a blob, for all hunks in one pass over its lines.
#include <cstdint>
#include <string_view>
#include <vector>

#include "diff/patch.h"

namespace gh::patch {

struct Occurrence {
  std::int64_t count = 0;
  std::int64_t first_line = 0;  // lines of the blob before the first place; when count > 0
};

/// One row per hunk; a hunk without old lines has no occurrences. Lines are compared without their
/// line feed. Time O(n log n) in the bytes of hunks and blob, whatever they hold: `steps`, when
/// given, receives the number of automaton moves, which is linear in the number of lines.
std::vector<Occurrence> find_preimages(const std::vector<diff::Hunk>&, std::string_view blob,
                                       std::int64_t* steps = nullptr);

}  // namespace gh::patch
