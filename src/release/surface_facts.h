#pragma once
// Static facts about the tool surface, for reviewers and for comparison with another scan
// (release-gate 13, 14). They explain and never gate.
#include "release/gated.h"
#include "surface/actions.h"
#include "surface/surface.h"

namespace gh::release {

/// {tools, scopes, controls, policies}.
Map tool_surface_facts(const surface::Manifest&, const surface::Surface&);
/// Toolkits of vendors as an earlier report has them.
std::vector<surface::Toolkit> toolkits_of(const Value& report);
/// Without anything to compare with: disabled, with a note that says why.
Map tool_surface_diff_disabled(std::string_view note);
Map action_surface_facts(const std::vector<surface::Action>&);
Map action_surface_diff_disabled(std::string_view note, std::int64_t blocking_findings);

/// {total_tools, high_risk_tools, sources, wildcard_tools, missing_descriptions}.
Map tool_surface(const surface::Surface&);
/// One row per tool, by name.
List tool_inventory(const surface::Surface&);

}  // namespace gh::release
