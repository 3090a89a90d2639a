// Checks of workflows and packages: n8n, Codex plugins, Conductor, toolkits (tool-surface 13.8,
// 13.11).
#include <algorithm>

#include <fmt/format.h>

#include "checks/check_groups.h"
#include "model/peek.h"

namespace gh::checks {
namespace {

using surface::is_one_of;
using surface::Tool;

std::string text_of(const Map& row, std::string_view key) {
  return std::string(Peek(row.find(key)).text());
}

Value value_of(const Map& row, std::string_view key) {
  const Value* found = row.find(key);
  return found != nullptr ? *found : Value();
}

// --------------------------------------------------------------------------------------------- n8n

FindingSource workflow_source(const surface::N8nPlace& at) {
  return {"n8n_workflow", at.source_ref, "", {.path = at.source_path, .pointer = at.pointer}};
}

bool is_excused_by_inventory(std::string_view kind) {
  return is_one_of(kind, "community_tool mcp_client_wildcard mcp_server_wildcard");
}

// ------------------------------------------------------------------------------------------- Codex

FindingSource plugin_source(std::string_view path) {
  return {"codex_plugin", std::string(path), "", {.path = std::string(path)}};
}

List plugin_issues(const Map& plugin) {
  List out;
  for (const Value& field : Peek(plugin.find("missing_fields")).list())
    out.emplace_back(fmt::format("missing_{}", *field.as_string()));
  for (const char* flag : {"name_mismatch", "duplicate_name"})
    if (Peek(plugin.find(flag)).is_true()) out.emplace_back(flag);
  return out;
}

}  // namespace

void n8n_dynamic(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.n8n) return;
  const bool has_inventory = scan.surface.n8n->facts.has_inventory;
  for (const auto& d : scan.surface.n8n->dynamic) {
    if (has_inventory && is_excused_by_inventory(d.kind)) continue;
    found.about_agent(
        check, {.what = d.place.source_ref,
                .evidence = {{"surface", document_of(d)}, {"explicit_inventory", has_inventory}},
                .source = workflow_source(d.place)});
  }
}

void n8n_unfiltered(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.n8n || scan.surface.n8n->facts.has_inventory) return;
  for (const auto& client : scan.surface.n8n->clients) {
    Told told{.what = client.place.source_ref,
              .evidence = {{"source_ref", client.place.source_ref},
                           {"node_id", client.place.node_id},
                           {"selection_mode", client.selection_mode},
                           {"explicit_inventory", false}},
              .source = workflow_source(client.place)};
    if (!scan.manifest.is_production_like()) told.severity = FindingSeverity::medium;
    found.about_agent(check, std::move(told));
  }
}

void n8n_metadata(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    if (tool.method != "n8n_workflow_json") continue;
    List missing;
    if (tool.description.empty()) missing.emplace_back("description");
    if (tool.parameters.empty()) missing.emplace_back("parameters");
    if (!missing.empty())
      found.about_tool(check, tool,
                       {.evidence = {{"missing", missing}, {"source_type", tool.source_type}}});
  }
}

void n8n_credentials(const Check& check, const Scan& scan, Found& found) {
  const auto& n8n = scan.surface.n8n;
  if (!n8n || !scan.manifest.is_production_like() || n8n->credential_refs == 0 ||
      n8n->stub_files > 0)
    return;
  found.about_agent(check, {.evidence = {{"credential_ref_count", n8n->credential_refs},
                                         {"credential_stub_file_count", 0}}});
}

void n8n_evals(const Check& check, const Scan& scan, Found& found) {
  const auto& n8n = scan.surface.n8n;
  if (!n8n || !scan.manifest.is_production_like() || n8n->eval_files > 0) return;
  found.about_agent(check, {.evidence = {{"workflow_count", n8n->workflows},
                                         {"ai_agent_count", n8n->agents},
                                         {"eval_file_count", 0}}});
}

void n8n_secrets(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.n8n) return;
  for (const auto& secret : scan.surface.n8n->secrets)
    found.about_agent(check, {.what = secret.place.source_ref,
                              .evidence = {{"source_ref", secret.place.source_ref},
                                           {"parameter_pointer", secret.place.compat_pointer},
                                           {"secret_kind", secret.kind}},
                              .source = workflow_source(secret.place)});
}

void codex_metadata(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.codex) return;
  for (const Map& plugin : scan.surface.codex->plugins) {
    List issues = plugin_issues(plugin);
    if (issues.empty()) continue;
    found.about_agent(check, {.what = text_of(plugin, "name"),
                              .evidence = {{"plugin", value_of(plugin, "name")},
                                           {"source_id", value_of(plugin, "source_id")},
                                           {"manifest_path", value_of(plugin, "manifest_path")},
                                           {"issues", std::move(issues)}},
                              .source = plugin_source(text_of(plugin, "manifest_path"))});
  }
}

void codex_component_path(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.codex) return;
  for (const Map& issue : scan.surface.codex->path_issues)
    found.about_agent(check, {.what = text_of(issue, "path"),
                              .evidence = issue,
                              .source = plugin_source(text_of(issue, "source_ref"))});
}

void codex_marketplace_policy(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.codex) return;
  for (const Map& marketplace : scan.surface.codex->marketplaces)
    for (const Value& entry : Peek(marketplace.find("missing_policy_entries")).list()) {
      const Map& row = *entry.as_map();
      found.about_agent(check, {.what = text_of(row, "plugin"),
                                .evidence = {{"marketplace", value_of(marketplace, "name")},
                                             {"plugin", value_of(row, "plugin")},
                                             {"missing", value_of(row, "missing")},
                                             {"source_ref", value_of(marketplace, "path")}},
                                .source = plugin_source(text_of(marketplace, "path"))});
    }
}

void codex_servers(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.codex) return;
  for (const Map& server : scan.surface.codex->servers) {
    if (Peek(server.find("inventory_loaded")).is_true()) continue;
    found.about_agent(check, {.what = text_of(server, "server"),
                              .evidence = {{"plugin", value_of(server, "plugin")},
                                           {"server", value_of(server, "server")},
                                           {"path", value_of(server, "path")},
                                           {"command_present", !text_of(server, "command").empty()},
                                           {"inventory_path", value_of(server, "inventory_path")}},
                              .source = plugin_source(text_of(server, "path"))});
  }
}

void codex_apps(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.codex) return;
  for (const Map& app : scan.surface.codex->apps)
    found.about_agent(check, {.what = text_of(app, "name"),
                              .evidence = {{"plugin", value_of(app, "plugin")},
                                           {"app", value_of(app, "name")},
                                           {"connector_id", value_of(app, "connector_id")},
                                           {"path", value_of(app, "path")}},
                              .source = plugin_source(text_of(app, "path"))});
}

void codex_skills(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.codex) return;
  for (const Map& skill : scan.surface.codex->skills) {
    const bool is_repeated = Peek(skill.find("duplicate")).is_true();
    if (Peek(skill.find("missing_fields")).list().empty() && !is_repeated) continue;
    found.about_agent(check, {.what = text_of(skill, "name"),
                              .evidence = {{"plugin", value_of(skill, "plugin")},
                                           {"skill", value_of(skill, "name")},
                                           {"path", value_of(skill, "path")},
                                           {"missing_fields", value_of(skill, "missing_fields")},
                                           {"duplicate", is_repeated}},
                              .source = plugin_source(text_of(skill, "path"))});
  }
}

void conductor_dynamic(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.conductor) return;
  for (const auto& d : scan.surface.conductor->dynamic)
    found.about_agent(check,
                      {.what = fmt::format("{}#{}", d.source_ref, d.pointer),
                       .evidence = {{"surface", document_of(d)}, {"explicit_inventory", false}},
                       .source = FindingSource{
                           "conductor",
                           d.source_ref,
                           "",
                           {.path = d.source_ref, .start_line = d.line, .pointer = d.pointer}}});
}

void toolkit_unbounded(const Check& check, const Scan& scan, Found& found) {
  for (const auto& toolkit : scan.surface.toolkits) {
    if (toolkit.bounded || !is_one_of(toolkit.config_binding, "none literal")) continue;
    found.about_agent(
        check, {.what = toolkit.constructor,
                .evidence = {{"provider", toolkit.provider},
                             {"constructor", toolkit.constructor},
                             {"binding", toolkit.binding},
                             {"source_ref", toolkit.source_ref}},
                .source = FindingSource{"toolkit",
                                        toolkit.source_ref,
                                        fmt::format("{}:{}", toolkit.source_ref, toolkit.line),
                                        {.path = toolkit.source_ref, .start_line = toolkit.line}}});
  }
}

}  // namespace gh::checks
