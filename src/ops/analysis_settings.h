// What an analysis is asked for: the command line over gatehouse.yaml over the defaults.
#pragma once

#include "analysis/gates.h"
#include "analysis/golden_fixtures.h"
#include "analysis/run.h"
#include "ops/operation.h"
#include "policy/analysis_policy.h"

namespace gh::ops {

/// bad_argument for what the command line says wrongly.
Result<policy::AnalysisPolicy> with_request(policy::AnalysisPolicy, const Request&);

analysis::Profile profile_of(const policy::AnalysisPolicy&);
analysis::GoldenFixtures golden_of(const policy::AnalysisPolicy&);
analysis::GateSettings gates_of(const policy::AnalysisPolicy&);

/// Would a run by these settings be comparable with the one of the report?
bool measures_like(const policy::AnalysisPolicy&, const Value& report);

/// SHA-256 of all settings that decide what a run reads, finds and compares with: runs that differ
/// in one of them may find other things in the same sources.
std::string measuring_digest(const policy::AnalysisPolicy&);

/// Does analysis.include, .exclude and .languages let a run read this file?
bool is_chosen_by(const policy::AnalysisPolicy&, std::string_view path);

/// Skipping metrics skips all of them; a gate switches on what it needs.
policy::AnalysisPolicy settled(policy::AnalysisPolicy);

}  // namespace gh::ops
