// Findings about the shape of units, told and never counted by gates or health (analysis reference,
// "Structural findings").
#pragma once

#include <vector>

#include "analysis/branches.h"
#include "analysis/clones.h"
#include "analysis/cohorts.h"
#include "analysis/near_miss.h"
#include "analysis/project.h"

namespace gh::analysis {

struct UnitBranches {
  UnitRef unit{};
  BranchGroup group{};
};

struct Structural {
  std::vector<UnitBranches> branches{};
  std::vector<CohortFinding> cohorts{};
  std::vector<UnitRef> independent{};  // methods that could be functions
};
Structural structural_findings(const Project&, const std::vector<CloneGroup>& functions,
                               const std::vector<NearMissGroup>& near);

}  // namespace gh::analysis
