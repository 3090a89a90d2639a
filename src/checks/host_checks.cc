// Grants of coding agents, and tools that are not what was agreed on (tool-surface 16.2).
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/check_groups.h"
#include "model/peek.h"
#include "surface/verbs.h"

namespace gh::checks {
namespace {

using Texts = std::vector<std::string>;

/// `*`, `mcp__*`, `mcp__server__*`, `Bash(*)`, `Bash(*:*)`: whatever comes is allowed.
bool is_wildcard_grant(std::string_view grant) {
  return grant == "*" || grant.ends_with("__*") || grant.ends_with("(*)") ||
         grant.ends_with("(*:*)") || grant.ends_with("(:*)");
}

/// The tool that `mcp__SERVER__TOOL` names; empty for every other grant.
std::string_view granted_tool(std::string_view grant) {
  constexpr std::string_view kPrefix = "mcp__", kBetween = "__";
  if (!grant.starts_with(kPrefix)) return {};
  const std::size_t end = grant.find(kBetween, kPrefix.size());
  if (end == std::string_view::npos) return {};
  const std::string_view tool = grant.substr(end + kBetween.size());
  return contains(tool, "*") ? std::string_view() : tool;
}

struct Granted {
  const surface::HostGrant& grant;
  std::string name;
  const surface::Tool* tool;  // nullptr: no source describes it
};

std::vector<Granted> granted_tools(const Scan& scan) {
  std::vector<Granted> out;
  for (const auto& grant : scan.surface.host.grants) {
    const std::string_view name = granted_tool(grant.text);
    if (name.empty()) continue;
    const auto tool = std::ranges::find_if(scan.surface.tools, [&](const surface::Tool& t) {
      return as_granted(t.name) == as_granted(name);
    });
    out.push_back({grant, std::string(name), tool != scan.surface.tools.end() ? &*tool : nullptr});
  }
  return out;
}

/// What is known about it, else what its name says.
bool has_side_effect(const Granted& granted) {
  const surface::Tool known =
      granted.tool != nullptr ? *granted.tool : surface::make_tool("mcp", granted.name);
  if (is_write(known) || is_high_risk(known)) return true;
  const auto verb = surface::verb_of(known);
  return verb && is_mutating(*verb) && !is_read_only(known);
}

void add_grant(const Check& check, const Granted& granted, Found& found) {
  const surface::Place& place = granted.grant.place;
  found.about_agent(check, {.what = fmt::format("{} in {}", granted.grant.text, place.path),
                            .evidence = {{"grant", granted.grant.text},
                                         {"path", place.path},
                                         {"tool_name", granted.name}},
                            .source = FindingSource{"host_settings", place.path, "", place}});
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

std::string as_granted(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'))
      c = '_';
  return out;
}

void host_wildcard(const Check& check, const Scan& scan, Found& found) {
  for (const auto& grant : scan.surface.host.grants)
    if (is_wildcard_grant(grant.text))
      found.about_agent(
          check, {.what = fmt::format("{} in {}", grant.text, grant.place.path),
                  .evidence = {{"grant", grant.text}, {"path", grant.place.path}},
                  .source = FindingSource{"host_settings", grant.place.path, "", grant.place}});
}

void auto_approve_side_effect(const Check& check, const Scan& scan, Found& found) {
  for (const Granted& granted : granted_tools(scan))
    if (has_side_effect(granted)) add_grant(check, granted, found);
}

void unknown_tool_schema(const Check& check, const Scan& scan, Found& found) {
  for (const Granted& granted : granted_tools(scan))
    if (granted.tool == nullptr || granted.tool->input_schema.empty())
      add_grant(check, granted, found);
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
