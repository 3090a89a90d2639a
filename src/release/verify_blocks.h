#pragma once
// What a report says of a change (release-gate 17.5 to 17.8): projections of findings and diffs.
// None of them adds a blocker that is not a finding.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "release/decision.h"
#include "release/gated.h"

namespace gh::release {

/// Members of both surface diffs by direction; nothing while neither is enabled.
Map capability_change(const Map& tool_surface_diff, const Map& action_surface_diff,
                      const Findings&);
Map no_capability_change();

/// Trust roots that active findings name, by kind and path.
List protected_surface_changes(const Findings&);

/// Acknowledgements that people declared in the manifest, and what still lacks one. One that only
/// head has covers nothing. `base_acks` are those of the base's report; nullopt: there is none.
Map human_ack(const surface::Manifest&, const std::optional<List>& base_acks, const Findings&,
              std::string_view today);
/// Every declared entry, as human_ack lists those that base knows.
List declared_acks(const surface::Manifest&);

/// What is left of the summary of a report once its other blocks are known.
struct VerifiedBlocks {
  Map capability_change{}, human_ack{};
  List protected_changes{};
};
/// Histograms of active findings, and counts of the blocks.
Map verifier_summary(const Findings&, const ReleaseDecision&, const VerifiedBlocks&);

}  // namespace gh::release
