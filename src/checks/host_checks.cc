// Grants of coding agents, and tools that are not what was agreed on (tool-surface 16.2).
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/check_groups.h"
#include "model/peek.h"

namespace gh::checks {
namespace {

using Texts = std::vector<std::string>;

/// `*`, `mcp__*`, `mcp__server__*`, `Bash(*)`, `Bash(*:*)`: whatever comes is allowed.
bool is_wildcard_grant(std::string_view grant) {
  return grant == "*" || grant.ends_with("__*") || grant.ends_with("(*)") ||
         grant.ends_with("(*:*)") || grant.ends_with("(:*)");
}

/// Fields of the contract that are not as agreed.
Texts drifted(const surface::Tool& tool, const Map& agreed) {
  Texts out;
  const Map now = contract_of(tool);
  for (const auto& [field, hash] : now.entries())
    if (const Value* known = agreed.find(field); known == nullptr || *known != hash)
      out.push_back(field);
  return out;
}

}  // namespace

void host_wildcard(const Check& check, const Scan& scan, Found& found) {
  for (const auto& grant : scan.surface.host_grants)
    if (is_wildcard_grant(grant.text))
      found.about_agent(
          check, {.what = fmt::format("{} in {}", grant.text, grant.place.path),
                  .evidence = {{"grant", grant.text}, {"path", grant.place.path}},
                  .source = FindingSource{"host_settings", grant.place.path, "", grant.place}});
}

void lock_drift(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.lock) return;
  const auto& agreed = scan.surface.lock->contracts;
  const auto evidence = [](std::string_view change, std::string_view tool, const Texts& fields) {
    return Map{{"change", change}, {"tool", tool}, {"fields", string_list(fields)}};
  };
  for (const surface::Tool& tool : scan.surface.tools) {
    const auto known = agreed.find(tool.name);
    const Texts fields = known != agreed.end() ? drifted(tool, known->second) : Texts{};
    if (known == agreed.end())
      found.about_tool(
          check, tool,
          {.what = tool.name + " is new", .evidence = evidence("added", tool.name, {})});
    else if (!fields.empty())
      found.about_tool(check, tool,
                       {.what = fmt::format("{} changed its {}", tool.name, join(fields, ", ")),
                        .evidence = evidence("changed", tool.name, fields)});
  }
  for (const auto& entry : agreed)
    if (scan.surface.tool_named(entry.first) == nullptr)
      found.about_agent(check, {.what = entry.first + " is gone",
                                .evidence = evidence("removed", entry.first, {})});
}

}  // namespace gh::checks
