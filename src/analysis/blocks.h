// Runs of statements that stand in several units, wherever they begin (analysis reference, "Clone
// families").
#pragma once

#include <vector>

#include "analysis/clones.h"
#include "analysis/project.h"
#include "analysis/runs_of_statements.h"

namespace gh::analysis {

struct BlockItem {
  UnitRef ref{};
  std::uint32_t start_line = 0, end_line = 0;
  bool operator==(const BlockItem&) const = default;
};

/// Members of any clone group, by the unit they are or stand in.
inline UnitRef ref_of(UnitRef ref) { return ref; }
inline UnitRef ref_of(const BlockItem& item) { return item.ref; }

struct BlockGroup {
  Hash key{};
  std::uint32_t statements = 0;
  bool repeats_one = false;  // all its statements are alike
  CloneType type = CloneType::type1;
  AssertShare asserts{};
  std::vector<BlockItem> items{};
  std::vector<UnitRef> suppressed{};  // members that ask to be left out
};

struct Blocks {
  std::vector<BlockGroup> groups{};
  std::size_t left_out = 0;  // shorter ones, beyond what is listed
};

/// What all groups may cover together, in statements: so many times the statements that take part,
/// of small projects as if there were this many. Longer runs first. Keeps work and report near
/// linear where every part of a run is a run of its own with other members.
inline constexpr std::size_t kBlockCover = 16, kMinBlockStatements = 20'000;

/// Maximal runs of at least `block_min_run` equal statements in two or more units. Runs that lie in
/// units which are clones of each other as a whole are not told again.
Blocks block_clones(const Project&, const std::vector<CloneGroup>& functions);

}  // namespace gh::analysis
