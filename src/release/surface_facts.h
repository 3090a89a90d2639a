#pragma once
// Static facts about the tool surface, for reviewers and for comparison with another scan
// (release-gate 13, 14). They explain and never gate.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "release/gated.h"
#include "surface/actions.h"
#include "surface/surface.h"

namespace gh::release {

/// Rows of tools and actions as values, or as text that is made while the report is written. Then
/// the document has of each no more than a packet looks at.
enum class Rows : std::uint8_t { whole, late };
struct LateRows {
  std::string_view member, list;  // of the report, and in it
  std::size_t count = 0;
  std::function<void(std::size_t, std::string&)> write{};
};
/// They look at the tools and the actions, and nothing is masked in them any more.
std::vector<LateRows> late_rows(const surface::Surface&, const std::vector<surface::Action>&);
bool rows_hold_no_secret(const surface::Surface&, const std::vector<surface::Action>&);

/// {tools, scopes, controls, policies}.
Map tool_surface_facts(const surface::Manifest&, const surface::Surface&, Rows = Rows::whole);
/// Toolkits of vendors as an earlier report has them.
std::vector<surface::Toolkit> toolkits_of(const Value& report);
/// Without anything to compare with: disabled, with a note that says why.
Map tool_surface_diff_disabled(std::string_view note);
Map action_surface_facts(const std::vector<surface::Action>&, Rows = Rows::whole);
Map action_surface_diff_disabled(std::string_view note, std::int64_t blocking_findings);

/// {total_tools, high_risk_tools, sources, wildcard_tools, missing_descriptions}.
Map tool_surface(const surface::Surface&);
/// One row per tool, by name.
List tool_inventory(const surface::Surface&);

}  // namespace gh::release
