#pragma once
// What the checks of a change look at (release-gate 17.1): facts about two trees, gathered by
// whoever read them. Without one no SHIP-VERIFY finding exists.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checks/effective_policy.h"
#include "checks/trust_roots.h"
#include "surface/evidence.h"

namespace gh::checks {

/// A job that called the gate in base and can stop nothing in head.
struct NeuteredGate {
  std::string file, job;
  std::vector<std::string> causes;  // in the order of the contract
  auto operator<=>(const NeuteredGate&) const = default;
};

/// What the change does to the boundary of a coding agent (tool-surface 13.13): one fact of a file
/// that an agent host or a CI system reads.
struct BoundaryFact {
  std::string kind, what;  // host_boundary_hook_changed; the subject
  Map evidence{};
  surface::Place place{};
};

struct Verification {
  std::vector<std::string> changed_files{};  // from the top, both sides of a rename
  std::vector<TouchedRoot> touched{};
  std::vector<std::string> removed_gates{};  // CI files with the gate that head does not have
  std::vector<NeuteredGate> neutered{};
  std::vector<BoundaryFact> boundary{};
  std::optional<EffectivePolicy> base{};  // nullopt: there is no snapshot of it
  EffectivePolicy head{};
  /// Accepted findings in the files of both sides; nullopt: the base side is not known.
  std::optional<std::set<std::string>> base_accepted{};
  std::set<std::string> head_accepted{};
  /// Toolkits of vendors as the base's report has them; nullopt: there is no such report.
  std::optional<std::vector<surface::Toolkit>> base_toolkits{};
  /// What checks that either side overrides have without an override.
  std::map<std::string, surface::FindingSeverity> standard_severities{};
};

/// Of the targets of the ids that either policy overrides: how severe they are, by base and head.
struct SeverityPair {
  surface::FindingSeverity base, head;
};
std::map<std::string, SeverityPair> overridden(const Verification&);

}  // namespace gh::checks
