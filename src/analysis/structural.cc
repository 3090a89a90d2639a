#include "analysis/structural.h"

namespace gh::analysis {

Structural structural_findings(const Project& project, const std::vector<CloneGroup>& functions,
                               const std::vector<NearMissGroup>& near) {
  Structural out;
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u) {
      const UnitRef ref{f, u};
      const UnitFact& unit = unit_of(project, ref);
      for (BranchGroup& group :
           branch_groups(unit.branches, project.profile.structural_shape_groups))
        out.branches.push_back({ref, std::move(group)});
      const bool could_be_function = unit.independence == Independence::candidate;
      if (could_be_function && project.profile.instance_independent_methods)
        out.independent.push_back(ref);
    }
  std::vector<Cohort> cohorts;
  for (const CloneGroup& group : functions)
    cohorts.push_back({group.key.hex(), group.items});
  for (const NearMissGroup& group : near)
    cohorts.push_back({group.key.hex(), group.items});
  out.cohorts = cohort_findings(project, cohorts);
  return out;
}

}  // namespace gh::analysis
