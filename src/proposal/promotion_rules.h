#pragma once
// Admission checks A13 to A20. Private to proposal.
#include "proposal/rules.h"

namespace gh::proposal {

Findings check_state(const AdmissionFacts&);         // A13
Findings check_reviews(const AdmissionFacts&);       // A14
Findings check_promoter(const AdmissionFacts&);      // A15
Findings check_stale(const AdmissionFacts&);         // A16
Findings check_conflicts(const AdmissionFacts&);     // A17
Findings check_dependencies(const AdmissionFacts&);  // A18
Findings check_verification(const AdmissionFacts&);  // A19
Findings check_other_gates(const AdmissionFacts&);   // A20

/// The row of 7.1 for the relation in the facts, when its answer is `wanted`.
std::optional<Finding> stale_finding(const AdmissionFacts&, PropCode wanted);

}  // namespace gh::proposal
