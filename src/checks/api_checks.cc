// Checks of API artifacts (tool-surface 13.7).
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/check_groups.h"
#include "model/peek.h"

namespace gh::checks {
namespace {

using surface::is_one_of;
using surface::Tool;

bool is_api_tool(const Tool& tool) {
  return tool.source_type == "openai_api" || tool.source_type == "anthropic_api";
}

std::vector<const Tool*> risky_openai_tools(const Scan& scan) {
  std::vector<const Tool*> out;
  for (const Tool& tool : scan.surface.tools)
    if (tool.source_type == "openai_api" && is_high_risk(tool)) out.push_back(&tool);
  return out;
}

Value names_of(const std::vector<const Tool*>& tools) {
  List out;
  for (const Tool* tool : tools)
    out.emplace_back(tool->name);
  return out;
}

bool holds_any(std::string_view text, std::initializer_list<std::string_view> phrases) {
  return std::ranges::any_of(phrases, [&](std::string_view p) { return contains(text, p); });
}

/// A risky word stands somewhere in the name.
bool sounds_bounded(std::string_view name) {
  const std::string lower = surface::lower_case(name);
  return std::ranges::any_of(split(kBoundedNames, ' '),
                             [&](std::string_view word) { return contains(lower, word); });
}

List schema_issues(const Tool& tool) {
  const Map& schema = tool.input_schema.map();
  if (schema.empty()) return {"missing_parameters_schema"};
  List out;
  if (tool.source_type == "openai_api" && !annotation_is_true(tool, "openaiStrict"))
    out.emplace_back("missing_strict_true");
  if (Peek(schema.find("type")).text() != "object")
    out.emplace_back("parameters_schema_not_object");
  if (const Value* closed = schema.find("additionalProperties"); !closed || *closed != Value(false))
    out.emplace_back("additional_properties_not_false");
  std::set<std::string> optional;
  for (const auto& p : tool.parameters)
    if (!p.required) optional.insert(p.name);
  if (!optional.empty())
    out.emplace_back(fmt::format("properties_missing_from_required:{}",
                                 join({optional.begin(), optional.end()}, ",")));
  for (const auto& p : tool.parameters) {
    if (sounds_bounded(p.name) && is_number(p) && p.maximum.is_null() && p.enumeration.is_null())
      out.emplace_back(fmt::format("risky_field_unbounded:{}", p.name));
    if (is_broad_text(p)) out.emplace_back(fmt::format("broad_free_text:{}", p.name));
  }
  return out;
}

List response_issues(const surface::ResponseFormat& format) {
  List out;
  const Map& schema = format.schema;
  const Map& properties = Peek(schema.find("properties")).map();
  if (Peek(schema.find("type")).text() != "object") out.emplace_back("response_schema_not_object");
  if (const Value* closed = schema.find("additionalProperties"); !closed || *closed != Value(false))
    out.emplace_back("additional_properties_not_false");
  std::set<std::string> absent;
  for (const std::string& field : format.critical_fields)
    if (properties.find(field) == nullptr) absent.insert(field);
  if (format.critical_fields.empty())
    out.emplace_back("missing_downstream_critical_fields");
  else if (!absent.empty())
    out.emplace_back(fmt::format("critical_fields_missing_from_schema:{}",
                                 join({absent.begin(), absent.end()}, ",")));
  if (!properties.find("refusal") && !properties.find("needs_review") && !properties.find("error"))
    out.emplace_back("missing_refusal_needs_review_or_error_field");
  for (const char* field : {"decision", "status"})
    if (const Value* property = properties.find(field);
        property != nullptr && !Peek(property)["enum"].exists())
      out.emplace_back(fmt::format("missing_enum:{}", field));
  return out;
}

void high_risk_lack(const Check& check, const Scan& scan, Found& found, bool is_there) {
  const auto risky = risky_openai_tools(scan);
  if (!is_there && !risky.empty())
    found.about_agent(check, {.evidence = {{"high_risk_tools", names_of(risky)}}});
}

/// Recorded calls of tools with a control that was not exercised. They are about the recording, so
/// the tool is in the evidence alone.
void trace_lacks(const Check& check, const Scan& scan, Found& found,
                 const surface::Controls& declared, std::string_view rule, std::string_view flag) {
  if (!scan.surface.openai) return;
  std::set<std::string> controlled;
  for (const auto& entry : declared)
    controlled.insert(entry.tool);
  for (const std::string& name : scan.surface.openai->rule_list(rule))
    controlled.insert(name);
  for (const Value& event : scan.surface.openai->trace_samples) {
    const std::string name = std::string(Peek(event)["tool_name"].text());
    const Value* given = event.as_map()->find(flag);
    if (!controlled.contains(name) || given == nullptr || *given != Value(false)) continue;
    found.about_agent(
        check, {.what = name, .evidence = {{"tool_name", name}, {std::string(flag), false}}});
  }
}

}  // namespace

void function_strictness(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    if (!is_api_tool(tool)) continue;
    List issues = schema_issues(tool);
    if (issues.empty()) continue;
    Told told{.evidence = {{"issues", std::move(issues)}, {"risk_tags", tags_of(tool)}}};
    if (is_write(tool) || is_high_risk(tool)) told.severity = FindingSeverity::high;
    found.about_tool(check, tool, std::move(told));
  }
}

void output_readiness(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.openai) return;
  const auto& formats = scan.surface.openai->response_formats;
  if (formats.empty()) {
    const auto risky = risky_openai_tools(scan);
    Told told{.what = "no response format is declared",
              .evidence = {{"high_risk_tools", names_of(risky)}},
              .confidence = Confidence::high};
    if (!risky.empty()) told.severity = FindingSeverity::high;
    found.about_agent(check, std::move(told));
  }
  for (const auto& format : formats) {
    List issues = response_issues(format);
    if (!issues.empty())
      found.about_agent(
          check,
          {.what = format.path,
           .evidence = {{"path", format.path},
                        {"issues", std::move(issues)},
                        {"downstream_critical_fields", string_list(format.critical_fields)}}});
  }
}

void prompt_scope_mismatch(const Check& check, const Scan& scan, Found& found) {
  std::string prompt;
  for (const auto* api : {&scan.surface.openai, &scan.surface.anthropic})
    if (*api) prompt += (*api)->prompt_text + "\n";
  prompt = surface::lower_case(prompt);
  if (!scan.surface.openai && !scan.surface.anthropic) return;
  List acting, sensitive;
  for (const Tool& tool : scan.surface.tools) {
    if (!is_api_tool(tool)) continue;
    if (is_write(tool) || is_high_risk(tool)) acting.emplace_back(tool.name);
    if (has(tool, {"destructive", "external_write", "customer_communication", "financial_action"}))
      sensitive.emplace_back(tool.name);
  }
  const bool advises = holds_any(prompt, {"advise only", "advice only", "only advise", "read-only",
                                          "read only", "do not take action"});
  if (advises && !acting.empty())
    found.about_agent(check, {.what = "The prompt only advises, and tools can act",
                              .evidence = {{"tools", acting}}});
  const bool confirms =
      holds_any(prompt, {"confirm", "confirmation", "explicit consent", "ask before"});
  const bool approves =
      holds_any(prompt, {"approval", "approved", "human review", "requires review"});
  if (!sensitive.empty() && (!confirms || !approves))  // both are asked for (docs/adr/0045)
    found.about_agent(
        check, {.what = "The prompt asks for no approval and confirmation of tools with effects",
                .evidence = {{"tools", sensitive}},
                .severity = FindingSeverity::medium,
                .confidence = Confidence::medium});
}

void retry_policy_missing(const Check& check, const Scan& scan, Found& found) {
  if (scan.surface.openai)
    high_risk_lack(check, scan, found, !scan.surface.openai->operating("retry_policy").empty());
}

void timeout_missing(const Check& check, const Scan& scan, Found& found) {
  if (scan.surface.openai)
    high_risk_lack(check, scan, found, !scan.surface.openai->operating("timeouts").empty());
}

void test_cases_missing(const Check& check, const Scan& scan, Found& found) {
  if (scan.surface.openai)
    high_risk_lack(check, scan, found, !scan.surface.openai->test_cases.empty());
}

void output_schema_missing(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.openai) return;
  const Map& schemas = Peek(scan.surface.openai->policy_rules.find("tool_output_schemas")).map();
  std::set<std::string> keys;
  for (const auto& entry : schemas.entries())
    keys.insert(entry.first);
  for (const Tool* tool : risky_openai_tools(scan))
    if (!keys.contains(tool->name))
      found.about_tool(
          check, *tool,
          {.evidence = {{"tool_output_schemas", string_list({keys.begin(), keys.end()})}}});
}

void retry_without_idempotency(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.openai) return;
  const Map retries = scan.surface.openai->operating("retry_policy");
  if (retries.empty()) return;
  const auto listed = scan.surface.openai->rule_list("idempotency_required");
  for (const Tool* tool : risky_openai_tools(scan))
    if (!has_idempotency_evidence(*tool, {listed.begin(), listed.end()}))
      found.about_tool(check, *tool,
                       {.evidence = {{"retry_policy", retries}, {"risk_tags", tags_of(*tool)}}});
}

void trace_approval_missing(const Check& check, const Scan& scan, Found& found) {
  trace_lacks(check, scan, found, scan.manifest.approval, "approval_required", "approved");
}

void trace_confirmation_missing(const Check& check, const Scan& scan, Found& found) {
  trace_lacks(check, scan, found, scan.manifest.confirmation, "confirmation_required", "confirmed");
}

}  // namespace gh::checks
