// Consistency of the manifest and weakening declarations (tool-surface 13.9, 13.10).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/check_groups.h"
#include "model/peek.h"
#include "wire/document.h"

namespace gh::checks {
namespace {

using surface::Action;
using surface::Tool;

bool is_known_id(const Scan& scan, std::string_view id) {
  const auto& rules = scan.pack_rule_ids;
  return find_check(id) != nullptr || find_covered_check(id) != nullptr ||
         std::ranges::find(rules, id) != rules.end() ||
         std::ranges::any_of(aliases(), [&](const Alias& a) { return a.id == id; });
}

/// By name, by id, or by id without its prefix.
bool is_loaded(const Scan& scan, std::string_view tool) {
  return std::ranges::any_of(scan.surface.tools, [&](const Tool& t) {
    return t.name == tool || t.id == tool || std::string_view(t.id).substr(5) == tool;
  });
}

FindingSource action_source(const Action& action) { return {"action_surface", action.id}; }

/// About the tool of an action; it stands where the action stands.
void about_action(Found& found, const Check& check, const Scan& scan, const Action& action,
                  Told told) {
  told.source = action_source(action);
  if (!told.blocks_release) told.blocks_release = true;
  if (const Tool* tool = scan.surface.tool_named(action.tool_name))
    found.about_tool(check, *tool, std::move(told));
}

bool meets(const std::vector<std::string>& wanted, const std::vector<std::string>& have) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](const std::string& w) {
           return std::ranges::find(have, w) != have.end();
         });
}

bool is_matched(const surface::ActionPolicy& policy, const Action& action) {
  std::vector<std::string> tags;
  for (const std::string& tag : policy.risk_tags)
    tags.push_back(surface::canonical_tag(tag));
  return meets(policy.action_ids, {action.id}) && meets(policy.tools, {action.tool_name}) &&
         meets(policy.effects, {action.effect}) && meets(tags, action.risk_tags) &&
         meets(policy.scopes, action.required_scopes);
}

struct PathAlias {
  std::string_view from, to;
};
// table: names of action policy paths
constexpr std::array<PathAlias, 3> kPathAliases{
    {{"approval.required", "approval_policy.required"},
     {"approval.threshold", "approval_policy.threshold"},
     {"scopes", "required_scopes"}}};

/// nullptr: the action has no such member.
const Value* member_at(const Map& action, std::string_view path) {
  const auto alias = std::ranges::find(kPathAliases, path, &PathAlias::from);
  if (alias != kPathAliases.end()) path = alias->to;
  const std::size_t dot = path.find('.');
  const Value* at = action.find(path.substr(0, dot));
  if (dot == std::string_view::npos || at == nullptr) return at;
  return at->as_map() != nullptr ? at->as_map()->find(path.substr(dot + 1)) : nullptr;
}

/// A triple of tools is waived by their names, with commas between them.
bool names_loaded(const Scan& scan, const surface::IgnoreEntry& entry) {
  if (entry.check_id != kFlowRule) return is_loaded(scan, entry.tool);
  return std::ranges::all_of(split(entry.tool, ','), [&](std::string_view name) {
    return is_loaded(scan, std::string(surface::trimmed(name)));
  });
}

}  // namespace

void stale_suppression(const Check& check, const Scan& scan, Found& found) {
  for (std::size_t i = 0; i < scan.manifest.ignore.size(); ++i) {
    const auto& entry = scan.manifest.ignore[i];
    List issues;
    if (!is_known_id(scan, entry.check_id)) issues.emplace_back("unknown_check_id");
    if (!entry.tool.empty() && !names_loaded(scan, entry)) issues.emplace_back("missing_tool");
    if (issues.empty()) continue;
    found.about_agent(check,
                      {.what = entry.check_id,
                       .evidence = {{"check_id", entry.check_id},
                                    {"tool", entry.tool.empty() ? Value() : Value(entry.tool)},
                                    {"issues", std::move(issues)}},
                       .pointer = fmt::format("/checks/ignore/{}", i)});
  }
}

void suppression_expired(const Check& check, const Scan& scan, Found& found) {
  for (std::size_t i = 0; i < scan.manifest.ignore.size(); ++i) {
    const auto& entry = scan.manifest.ignore[i];
    if (!surface::is_expired(entry, scan.today)) continue;
    found.about_agent(check,
                      {.what = entry.check_id,
                       .evidence = {{"check_id", entry.check_id},
                                    {"tool", entry.tool.empty() ? Value() : Value(entry.tool)},
                                    {"expires", entry.expires}},
                       .pointer = fmt::format("/checks/ignore/{}", i)});
  }
}

void manifest_unprotected(const Check& check, const Scan& scan, Found& found) {
  const auto& owners = scan.surface.owners;
  if (scan.manifest.ci_mode != "strict" || !owners || owners->covers_manifest) return;
  found.about_agent(
      check,
      {.what = scan.manifest.file,
       .evidence = {{"ci_mode", scan.manifest.ci_mode},
                    {"manifest_path", scan.manifest.file},
                    {"codeowners_path", owners->path.empty() ? Value() : Value(owners->path)},
                    {"searched", string_list(owners->searched)},
                    {"branch_protection", "not_checked"}},
       .pointer = "/ci/mode"});
}

void stale_policy(const Check& check, const Scan& scan, Found& found) {
  struct Row {
    std::string_view key;
    const surface::Controls& entries;
  };
  const Row rows[] = {{"require_approval_for_tools", scan.manifest.approval},
                      {"require_confirmation_for_tools", scan.manifest.confirmation},
                      {"require_idempotency_for_tools", scan.manifest.idempotency}};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.entries.size(); ++i)
      if (const std::string& tool = row.entries[i].tool; scan.surface.tool_named(tool) == nullptr)
        found.about_agent(check, {.what = tool,
                                  .evidence = {{"policy", row.key}, {"tool", tool}},
                                  .pointer = fmt::format("/policies/{}/{}", row.key, i)});
}

void stale_risk_override(const Check& check, const Scan& scan, Found& found) {
  for (const auto& given : scan.manifest.risk_overrides)
    if (scan.surface.tool_named(given.tool) == nullptr)
      found.about_agent(check,
                        {.what = given.tool,
                         .evidence = {{"tool", given.tool}},
                         .pointer = "/risk_overrides/tools" + wire::pointer_part(given.tool)});
}

void high_risk_owner_missing(const Check& check, const Scan& scan, Found& found) {
  if (!scan.manifest.is_production_like()) return;
  for (const Tool& tool : scan.surface.tools)
    if (is_high_risk(tool) && tool.owner.empty())
      found.about_tool(
          check, tool,
          {.evidence = {{"environment", scan.manifest.target}, {"risk_tags", tags_of(tool)}},
           .pointer = fmt::format("/risk_overrides/tools{}/owner", wire::pointer_part(tool.name))});
}

void unused_scope(const Check& check, const Scan& scan, Found& found) {
  std::vector<std::string> needed;
  for (const Tool& tool : scan.surface.tools)
    needed.insert(needed.end(), tool.auth.scopes.begin(), tool.auth.scopes.end());
  std::ranges::sort(needed);
  for (std::size_t i = 0; i < scan.manifest.scopes.size(); ++i) {
    const std::string& scope = scan.manifest.scopes[i];
    const bool is_used = std::ranges::any_of(
        needed, [&](const std::string& n) { return surface::is_covered(n, {scope}); });
    if (is_used) continue;
    Told told{.what = scope,
              .evidence = {{"scope", scope}, {"tool_scopes", string_list(needed)}},
              .pointer = fmt::format("/permissions/scopes/{}", i)};
    if (surface::is_broad_scope(scope)) told.severity = FindingSeverity::high;
    found.about_agent(check, std::move(told));
  }
}

// --------------------------------------------------------------------------------- action surface

void action_undeclared(const Check& check, const Scan& scan, Found& found) {
  if (!scan.manifest.require_explicit_actions) return;
  for (const Action& action : scan.actions)
    if (!action.is_declared)
      about_action(found, check, scan, action,
                   {.evidence = {{"action_id", action.id}, {"tool_name", action.tool_name}}});
}

void control_downgrade(const Check& check, const Scan& scan, Found& found) {
  for (const Action& action : scan.actions)
    for (const std::string& path : action.downgraded)
      about_action(found, check, scan, action,
                   {.what = path,
                    .evidence = {{"action_id", action.id},
                                 {"path", path},
                                 {"inherited", true},
                                 {"declared", false}}});
}

void effect_downgrade(const Check& check, const Scan& scan, Found& found) {
  for (const Action& action : scan.actions)
    if (action.is_declared &&
        surface::effect_rank(action.effect) < surface::effect_rank(action.inferred_effect))
      about_action(found, check, scan, action,
                   {.what = action.inferred_effect,
                    .evidence = {{"action_id", action.id},
                                 {"inferred_effect", action.inferred_effect},
                                 {"declared_effect", action.effect}}});
}

void policy_violation(const Check& check, const Scan& scan, Found& found) {
  for (const auto& policy : scan.manifest.action_policies)
    for (const Action& action : scan.actions) {
      if (!is_matched(policy, action)) continue;
      const Map document = surface::document_of(action);
      std::vector<std::string> paths;
      for (const auto& entry : policy.require.entries())
        paths.push_back(entry.first);
      std::ranges::sort(paths);
      for (const std::string& path : paths) {
        const Value& expected = *policy.require.find(path);
        const Value* observed = member_at(document, path);
        if (observed != nullptr && *observed == expected) continue;
        Map missing{{"path", path}, {"expected", expected}};
        if (observed == nullptr) missing.set("reason", "unknown_path");
        Map evidence{{"policy_id", policy.id},
                     {"action_id", action.id},
                     {"missing", List{Value(std::move(missing))}}};
        if (observed != nullptr) evidence.set("observed", *observed);
        about_action(found, check, scan, action,
                     {.what = policy.id,
                      .evidence = std::move(evidence),
                      .severity = policy.severity,
                      .blocks_release = policy.block,
                      .title = policy.message,
                      .recommendation = policy.recommendation});
      }
    }
}

}  // namespace gh::checks
