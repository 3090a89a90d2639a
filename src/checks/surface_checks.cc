// Inventory, documentation, schema, auth (tool-surface 13.1 to 13.4).
#include <algorithm>
#include <array>

#include <re2/re2.h>

#include "base/text.h"
#include "base/unicode.h"
#include "checks/check_groups.h"
#include "model/peek.h"
#include "policy/redact.h"

namespace gh::checks {
namespace {

using surface::Tool;

constexpr std::int64_t kLargeSurface = 50;
constexpr std::int64_t kShortDescription = 20;

template <class Texts>
Value list_of(const Texts& texts) {
  List out;
  for (const auto& text : texts)
    out.emplace_back(text);
  return out;
}

std::int64_t length_of(std::string_view text) {
  std::int64_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count)
    next_code_point(text, at);
  return count;
}

// table: injection patterns
constexpr std::array<const char*, 4> kInjections{
    "(?i)ignore (all )?(previous|prior) instructions",
    "(?i)(ignore|override|replace).{0,40}(system prompt|developer message|instructions)",
    "(?i)(system prompt|developer message).{0,40}(ignore|override|replace)",
    "(?i)you are now (a|the) (system|developer|admin|root)"};

template <std::size_t Row>
const RE2& injection_row() {
  static const RE2 regex(kInjections[Row]);
  return regex;
}
constexpr std::array kInjectionRegexes{&injection_row<0>, &injection_row<1>, &injection_row<2>,
                                       &injection_row<3>};

/// Each pattern holds one of these words; most texts none, and then nothing is compiled.
bool may_inject(std::string_view text) {
  const std::string lower = surface::lower_case(text);
  return contains(lower, "ignore") || contains(lower, "override") || contains(lower, "replace") ||
         contains(lower, "you are now");
}

/// More than one pattern, on a tool that can do harm.
std::optional<FindingSeverity> raised(const List& matched, const Tool& tool) {
  if (matched.size() < 2 || !(is_write(tool) || is_high_risk(tool))) return std::nullopt;
  return FindingSeverity::high;
}

bool takes_risky_text(const Tool& tool) {
  return !is_read_only(tool) &&
         (is_write(tool) || has(tool, {"external_write", "customer_communication", "destructive",
                                       "code_execution", "infrastructure_change"}));
}

Value type_of(const surface::Parameter& p) {
  const std::string type = surface::json_type_of(p.type);
  return type.empty() ? Value() : Value(type);
}

}  // namespace

Value tags_of(const Tool& tool) { return string_list(risk_tags(tool)); }

bool is_broad_text(const surface::Parameter& p) {
  const std::string type = surface::json_type_of(p.type);
  return surface::is_one_of(
             surface::lower_case(p.name),
             "action body command content instructions message prompt update updates") &&
         p.enumeration.is_null() && (type.empty() || surface::is_one_of(type, "string object"));
}

bool is_number(const surface::Parameter& p) {
  return surface::is_one_of(surface::json_type_of(p.type), "number integer");
}

// -------------------------------------------------------------------------------------- inventory

void not_enumerable(const Check& check, const Scan& scan, Found& found) {
  if (!scan.surface.tools.empty() || scan.manifest.has_source("codex_plugin")) return;
  List ids;
  for (const auto& source : scan.manifest.tool_sources)
    ids.emplace_back(source.id);
  found.about_agent(check, {.evidence = {{"tool_sources", std::move(ids)}}});
}

void wildcard_tools(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools)
    if (is_wildcard(tool))
      found.about_tool(
          check, tool,
          {.evidence = {{"source_id", tool.source_id}, {"source_ref", tool.source_ref}}});
}

void surface_too_large(const Check& check, const Scan& scan, Found& found) {
  const auto count = static_cast<std::int64_t>(scan.surface.tools.size());
  if (count > kLargeSurface)
    found.about_agent(check, {.what = std::to_string(count),
                              .evidence = {{"tool_count", count}, {"threshold", kLargeSurface}}});
}

void low_confidence_production(const Check& check, const Scan& scan, Found& found) {
  if (scan.manifest.target != "production") return;
  List names;
  for (const Tool& tool : scan.surface.tools)
    if (tool.confidence != Confidence::high) names.emplace_back(tool.name);
  if (!names.empty())
    found.about_agent(check,
                      {.what = std::to_string(names.size()), .evidence = {{"tools", names}}});
}

// ------------------------------------------------------------------------ documentation, security

void missing_description(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools)
    if (const auto length = length_of(surface::trimmed(tool.description));
        length < kShortDescription)
      found.about_tool(check, tool, {.evidence = {{"description_length", length}}});
}

void secret_in_description(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    List matched;
    for (const auto& found_one :
         policy::secrets_in(tool.description, policy::SecretKinds::contract))
      matched.emplace_back(found_one.pattern);
    if (matched.empty()) continue;
    const auto severity = raised(matched, tool);
    found.about_tool(check, tool,
                     {.evidence = {{"matched", matched}},
                      .severity = severity,
                      .confidence = severity ? std::optional(Confidence::high) : std::nullopt});
  }
}

void injection_risk(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    if (!may_inject(tool.description)) continue;
    List matched;
    for (std::size_t i = 0; i < kInjections.size(); ++i)
      if (RE2::PartialMatch(tool.description, kInjectionRegexes[i]()))
        matched.emplace_back(kInjections[i]);
    if (!matched.empty())
      found.about_tool(check, tool,
                       {.evidence = {{"matched", matched}}, .severity = raised(matched, tool)});
  }
}

// ----------------------------------------------------------------------------------------- schema

void freeform_output(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    const bool is_text = Peek(tool.output_schema.find("type")).text() == "string";
    const bool returns_text = tool.source_type == "sdk_function" && tool.output_schema.empty() &&
                              contains(tool.signature, "-> str");
    if (is_text || returns_text)
      found.about_tool(check, tool, {.evidence = {{"output_schema", tool.output_schema}}});
  }
}

void broad_free_text(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    if (!takes_risky_text(tool)) continue;
    for (const auto& p : tool.parameters)
      if (is_broad_text(p))
        found.about_tool(
            check, tool,
            {.what = p.name, .evidence = {{"parameter", p.name}, {"type", type_of(p)}}});
  }
}

void missing_bounds(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    if (is_read_only(tool) || !(is_write(tool) || has(tool, {"financial_action"}))) continue;
    for (const auto& p : tool.parameters)
      if (surface::is_one_of(surface::lower_case(p.name), kBoundedNames) && is_number(p) &&
          p.maximum.is_null())
        found.about_tool(
            check, tool,
            {.what = p.name, .evidence = {{"parameter", p.name}, {"type", type_of(p)}}});
  }
}

// ------------------------------------------------------------------------------------------- auth

void manifest_broad_scope(const Check& check, const Scan& scan, Found& found) {
  std::vector<std::string> broad;
  std::ranges::copy_if(scan.manifest.scopes, std::back_inserter(broad), surface::is_broad_scope);
  if (!broad.empty()) found.about_agent(check, {.evidence = {{"scopes", string_list(broad)}}});
}

void missing_scope(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools)
    if (tool.auth.scopes.empty() && (is_write(tool) || has(tool, {"sensitive_data_access"})))
      found.about_tool(check, tool, {.evidence = {{"risk_tags", tags_of(tool)}}});
}

void scope_coverage_missing(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    std::vector<std::string> missing;
    for (const std::string& scope : tool.auth.scopes)
      if (!surface::is_covered(scope, scan.manifest.scopes)) missing.push_back(scope);
    if (!missing.empty())
      found.about_tool(check, tool,
                       {.evidence = {{"tool_scopes", string_list(tool.auth.scopes)},
                                     {"manifest_scopes", string_list(scan.manifest.scopes)},
                                     {"missing_scopes", string_list(missing)}}});
  }
}

void tool_broad_scope(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    std::vector<std::string> broad;
    std::ranges::copy_if(tool.auth.scopes, std::back_inserter(broad), surface::is_broad_scope);
    if (!broad.empty())
      found.about_tool(check, tool, {.evidence = {{"scopes", string_list(broad)}}});
  }
}

}  // namespace gh::checks
