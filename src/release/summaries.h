#pragma once
// What an agent and a reviewer read first (release-gate 11, 12). Composed from
// the decision; none of them decides.
#include <string>

#include "release/decision.h"
#include "release/gated.h"

namespace gh::release {

struct AgentFacts {
  const Findings& findings;
  const ReleaseDecision& decision;
  std::string program;      // "gatehouse release"
  std::string json_report;  // its path; empty when none is written
};
Map agent_summary(const AgentFacts&);

struct ReviewerFacts {
  Outcome outcome = Outcome::passed;
  std::int64_t tool_surface_changes = 0, capability_misalignments = 0, action_surface_changes = 0,
               evidence_matrix_gaps = 0, overrides_applied = 0, overrides_tier_crossed = 0,
               privacy_redactions = 0, baseline_integrity_issues = 0;
};
Map reviewer_summary(const ReviewerFacts&);

/// Up to 8 distinct recommendations of active findings, the strongest first.
List recommended_actions(const Findings&);

/// Active findings of the three checks of baselines.
std::int64_t baseline_integrity_issues(const Findings&);

}  // namespace gh::release
