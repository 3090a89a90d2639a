#pragma once
// Severities that the manifest changes, and the record of it (release-gate 3).
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "checks/finding.h"
#include "release/policy_packs.h"
#include "surface/manifest.h"

namespace gh::release {

struct OverrideRow {
  std::string check_id;
  surface::FindingSeverity standard, applied;
  std::string manifest_path, reason, expires;
  bool tier_crossed = false;
};
Map document_of(const OverrideRow&);

/// policy_bad_value for an expired, unknown, too weak or unacknowledged override. `today` is
/// YYYY-MM-DD.
Result<std::vector<OverrideRow>> resolve_overrides(const surface::Manifest&, const PolicyPacks&,
                                                   std::string_view today);

/// Findings get the severity; evidence keeps the one that they had.
void apply_overrides(std::vector<checks::Finding>&, const std::vector<OverrideRow>&);

}  // namespace gh::release
