// Members of a clone group that drifted apart: how they check, end and clean up (analysis
// reference, "Cohorts").
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/project.h"

namespace gh::analysis {

inline constexpr std::size_t kMinCohort = 3;

struct Cohort {
  std::string key;  // of the group
  std::vector<UnitRef> members{};
};

enum class CohortKind : std::uint8_t { drift, guard_exit_divergence };
std::string_view to_string(CohortKind);

struct CohortFinding {
  CohortKind kind = CohortKind::drift;
  std::string cohort;
  std::size_t members = 0;
  std::map<std::string, std::string> majority{};  // of the fields in which members differ
  std::vector<UnitRef> items{};                   // the members that differ from it
};

/// At most one of each kind for a cohort; cohorts of fewer than three are passed over.
std::vector<CohortFinding> cohort_findings(const Project&, const std::vector<Cohort>&);

}  // namespace gh::analysis
