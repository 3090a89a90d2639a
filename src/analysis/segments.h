// Runs of statements that come again inside one unit (analysis reference, "Segments").
#pragma once

#include <string>
#include <vector>

#include "analysis/blocks.h"
#include "analysis/project.h"

namespace gh::analysis {

inline constexpr std::uint32_t kSegmentRun = 6, kMaxSegmentWindows = 60;  // per unit

struct SegmentGroup {
  Hash key{};  // of the run; the unit is the other half of its name
  UnitRef unit{};
  std::uint32_t statements = 0;
  CloneType type = CloneType::type1;
  std::vector<BlockItem> items{};
  std::vector<UnitRef> suppressed{};  // members that ask to be left out
};

struct Segments {
  std::vector<SegmentGroup> groups{};
  std::size_t suppressed = 0;  // boilerplate
};
Segments segments(const Project&);

}  // namespace gh::analysis
