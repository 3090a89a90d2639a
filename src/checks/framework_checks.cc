// Checks of agent frameworks: Google ADK, LangChain, CrewAI (tool-surface 13.8).
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/check_groups.h"
#include "model/peek.h"

namespace gh::checks {
namespace {

using surface::AdkToolset;
using surface::is_one_of;
using surface::Tool;

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

void dynamic_surfaces(const Check& check, Found& found,
                      const std::optional<surface::FrameworkFacts>& facts) {
  if (!facts || facts->has_inventory) return;
  for (const auto& surface : facts->dynamic) {
    const std::string at = fmt::format("{}:{}", surface.source_ref, surface.line);
    FindingSource source{check.category == "langchain" ? "langchain" : "crewai",
                         surface.source_ref,
                         at,
                         {.path = surface.source_ref, .start_line = surface.line}};
    found.about_agent(
        check, {.what = at,
                .evidence = {{"surface", document_of(surface)}, {"explicit_inventory", false}},
                .source = std::move(source)});
  }
}

/// Rules that look at source code and at configuration alike follow the tool.
std::optional<Provenance> provenance_of(const Tool& tool) {
  if (tool.source_type == "google_adk_function") return Provenance::ast_extraction;
  return tool.source_type.starts_with("google_adk") ? std::optional(Provenance::static_declaration)
                                                    : std::nullopt;
}

// ----------------------------------------------------------------------------------------------
// ADK

FindingSource source_of_toolset(const AdkToolset& set) {
  return {"google_adk", set.source_ref, "", {.path = set.source_ref}};
}

bool has_enumerated_source(const Scan& scan) {
  return std::ranges::any_of(scan.manifest.tool_sources,
                             [](const auto& s) { return is_one_of(s.type, "mcp openapi"); });
}

/// How far it is, and which operation it is: a caller needs both to wait for it.
bool has_progress(const Map& properties) {
  bool status = false, id = false;
  for (const auto& entry : properties.entries()) {
    const std::string name = surface::lower_case(entry.first);
    status = status || contains(name, "status") || contains(name, "progress") ||
             is_one_of(name, "state phase done result metadata");
    id = id || name.ends_with("_id") || is_one_of(name, "id operation operation_id name");
  }
  return status && id;
}

void missing_metadata(const Check& check, const Scan& scan, Found& found, std::string_view types) {
  for (const Tool& tool : scan.surface.tools) {
    if (!is_one_of(tool.source_type, types)) continue;
    List missing;
    if (tool.description.empty()) missing.emplace_back("description");
    if (tool.parameters.empty() && Peek(tool.input_schema.find("properties")).map().empty())
      missing.emplace_back("parameters");
    if (!missing.empty())
      found.about_tool(check, tool,
                       {.evidence = {{"missing", missing}, {"source_type", tool.source_type}},
                        .provenance = provenance_of(tool)});
  }
}

}  // namespace

void adk_dynamic(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.adk || scan.surface.adk->facts.has_inventory || has_enumerated_source(scan))
    return;
  for (const AdkToolset& set : scan.surface.adk->toolsets)
    if (set.dynamic || !set.resolved)
      found.about_agent(check, {.what = set.agent_name,
                                .evidence = {{"toolset", Map{{"kind", set.kind},
                                                             {"source_ref", set.source_ref},
                                                             {"agent_name", set.agent_name}}},
                                             {"explicit_inventory", false}},
                                .source = source_of_toolset(set)});
}

void adk_unfiltered(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.adk) return;
  for (const AdkToolset& set : scan.surface.adk->toolsets) {
    if (set.kind != "mcp" || set.filtered.value_or(true)) continue;
    Told told{.what = set.agent_name,
              .evidence = {{"source_ref", set.source_ref},
                           {"agent_name", set.agent_name},
                           {"inventory_path", text_or_null(set.inventory_path)}},
              .source = source_of_toolset(set)};
    if (!scan.manifest.is_production_like()) told.severity = FindingSeverity::medium;
    found.about_agent(check, std::move(told));
  }
}

void adk_metadata(const Check& check, const Scan& scan, Found& found) {
  missing_metadata(check, scan, found, "google_adk_function google_adk_config");
}

void adk_long_running(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    if (!annotation_is_true(tool, "long_running") ||
        annotation_is_true(tool, "long_running_contract") ||
        has_progress(Peek(tool.output_schema.find("properties")).map()))
      continue;
    found.about_tool(
        check, tool,
        {.evidence = {{"output_schema", tool.output_schema}}, .provenance = provenance_of(tool)});
  }
}

void adk_guardrails(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.adk || scan.surface.adk->callbacks > 0 || scan.surface.adk->plugins > 0) return;
  List names;
  for (const Tool& tool : scan.surface.tools)
    if (tool.source_type.starts_with("google_adk") && is_high_risk(tool))
      names.emplace_back(tool.name);
  if (!names.empty())
    found.about_agent(check,
                      {.what = std::to_string(names.size()), .evidence = {{"tools", names}}});
}

void adk_evals(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.adk || !scan.manifest.is_production_like() ||
      !scan.surface.adk->eval_files.empty())
    return;
  found.about_agent(
      check, {.evidence = {{"agent_count", scan.surface.adk->agents}, {"eval_file_count", 0}}});
}

// ----------------------------------------------------------------------------- LangChain, CrewAI

void langchain_dynamic(const Check& check, const Scan& scan, Found& found) {
  dynamic_surfaces(check, found, scan.surface.langchain);
}
void langchain_metadata(const Check& check, const Scan& scan, Found& found) {
  missing_metadata(check, scan, found,
                   "langchain_function langchain_structured_tool langchain_class_tool");
}
void crewai_dynamic(const Check& check, const Scan& scan, Found& found) {
  dynamic_surfaces(check, found, scan.surface.crewai);
}
void crewai_metadata(const Check& check, const Scan& scan, Found& found) {
  missing_metadata(check, scan, found, "crewai_function crewai_class_tool");
}

}  // namespace gh::checks
