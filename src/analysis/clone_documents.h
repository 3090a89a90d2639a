// Clones and structural findings as the report shows them.
#pragma once

#include <vector>

#include "analysis/blocks.h"
#include "analysis/clones.h"
#include "analysis/golden_fixtures.h"
#include "analysis/near_miss.h"
#include "analysis/segments.h"
#include "analysis/structural.h"
#include "model/value.h"

namespace gh::analysis {

/// Groups that golden fixtures explain.
struct GoldenClones {
  std::vector<SetAside<CloneGroup>> functions{};
  std::vector<SetAside<BlockGroup>> blocks{};
  std::vector<SetAside<SegmentGroup>> segments{};
  std::vector<SetAside<NearMissGroup>> near_misses{};
  std::size_t size() const {
    return functions.size() + blocks.size() + segments.size() + near_misses.size();
  }
};

List function_documents(const Project&, const std::vector<CloneGroup>&);
List block_documents(const Project&, const std::vector<BlockGroup>&);
List segment_documents(const Project&, const std::vector<SegmentGroup>&);
List near_miss_documents(const Project&, const std::vector<NearMissGroup>&);
/// One list per family.
Map golden_documents(const Project&, const GoldenClones&);
List structural_documents(const Project&, const Structural&);

}  // namespace gh::analysis
