// Units that are nearly the same: most of their statements, in any order (analysis reference,
// "Near misses").
#pragma once

#include <vector>

#include "analysis/clones.h"
#include "analysis/project.h"

namespace gh::analysis {

inline constexpr std::uint32_t kMinNearMiss = 10;      // statements of the larger one
inline constexpr std::uint32_t kStopListFrom = 2'000;  // different bags; what is in more finds none
inline constexpr std::uint32_t kFullyCompared = 64;    // different bags of a group

struct NearMissGroup {
  Hash key{};                                        // of the fingerprints of its members
  std::uint32_t min_permille = 0, max_permille = 0;  // over the pairs that were compared
  std::uint32_t distinct_statements = 0;
  std::vector<UnitRef> items{};       // by path and line
  std::vector<UnitRef> suppressed{};  // members that ask to be left out
};

struct NearMisses {
  std::vector<NearMissGroup> groups{};  // largest first, then by key
  std::size_t stop_listed = 0;          // statements that are too frequent to find anything by
  std::uint64_t visits = 0, comparisons = 0;  // the work that was done
};

/// Statements of a unit as a sorted multiset: the direct ones whole, those inside by their heads.
std::vector<Hash> bag_of(const UnitFact&);

/// Units that are linked by enough common statements and are not clones of each other as a whole.
NearMisses near_misses(const Project&, const std::vector<CloneGroup>& functions);

}  // namespace gh::analysis
