#pragma once
// What changed between the surface of this scan and that of an earlier one (release-gate 13, 14).
// It explains; only the checks of actions gate.
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "release/gated.h"
#include "surface/action_diff.h"
#include "surface/surface.h"

namespace gh::release {

/// A report or a baseline to compare with.
struct DiffReference {
  std::string kind;  // report, baseline
  std::string path;  // for display
  Value document{};
};

/// json_invalid for what is neither.
Result<DiffReference> read_diff_reference(std::string_view json, std::string_view path);

/// Of those whose appearance at a tool a reviewer has to see.
bool is_high_risk_tag(std::string_view tag);

/// Actions of the reference; nullopt when it carries none.
std::optional<List> actions_of(const DiffReference&);

/// Without a reference, or one without facts, the diff says that it is disabled.
Map tool_surface_diff(const DiffReference*, const Map& facts, const surface::Surface&,
                      const Findings&);
Map action_surface_diff(const DiffReference*, const surface::ActionDiff*,
                        std::int64_t blocking_findings);

}  // namespace gh::release
