#include "release/surface_facts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "base/in_parts.h"
#include "base/sorted.h"
#include "base/text.h"
#include "model/peek.h"
#include "policy/redact.h"
#include "surface/parameter_identity.h"
#include "wire/report_row.h"

namespace gh::release {
namespace {

using surface::Manifest;
using surface::stable_hash;
using surface::Surface;
using surface::text_hash;
using surface::Tool;

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

std::vector<const Tool*> by_name(const Surface& surface) {
  std::vector<const Tool*> out;
  for (const Tool& tool : surface.tools)
    out.push_back(&tool);
  std::ranges::stable_sort(out, {}, [](const Tool* t) { return std::string_view(t->name); });
  return out;
}

/// Rows that do not depend on each other.
template <class Make>
List made_at_once(std::size_t count, Make make) {
  List out(count);
  in_parts(count, surface::kToolsOfAThread, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      out[i] = make(i);
  });
  return out;
}

template <class Row>
void tell(Row& row, const Tool& tool) {
  using wire::optional_text;
  const std::string_view description = surface::trimmed(tool.description);
  row.text("name", tool.name);
  row.text("source_type", tool.source_type);
  optional_text(row, "source_id", tool.source_id);
  optional_text(row, "source_ref", tool.source_ref);
  row.texts("risk_tags", risk_tags(tool, Confidence::low));
  row.texts("auth_scopes", sorted_unique(tool.auth.scopes));
  optional_text(row, "owner", tool.owner);
  row.text("extraction_confidence", to_string(tool.confidence));
  row.flag("has_description", !description.empty());
  row.open("hashes");
  row.text("source_ref", text_hash(tool.source_ref));
  row.text("description", text_hash(description));
  row.text("input_schema", tool.input_schema.hash());
  row.text("output_schema", tool.output_schema.hash());
  row.text("parameters", hashes_of(tool).parameters);
  row.text("annotations", stable_hash(tool.annotations));
  row.close();
}

Map tool_facts(const Tool& tool) {
  wire::ValueRow row;
  tell(row, tool);
  return row.done();
}

// What packets look at of rows that are text.
Map glance_at(const Tool& tool) {
  return {{"name", tool.name}, {"extraction_confidence", to_string(tool.confidence)}};
}
Map glance_at(const surface::Action& a) {
  Map safeguards;
  if (a.safeguards.idempotency) safeguards.set("idempotency", *a.safeguards.idempotency);
  return {{"tool_name", a.tool_name},
          {"effect", a.effect},
          {"risk_tags", string_list(a.risk_tags)},
          {"safeguards", std::move(safeguards)}};
}

/// Whether masking leaves texts alone. Most of those that rows share come again and again.
class CleanTexts {
 public:
  bool are_clean(const Tool& tool) {
    return policy::holds_no_secret(tool.name) && policy::holds_no_secret(tool.source_ref) &&
           is_clean(tool.source_id) && is_clean(tool.owner) && are_clean(tool.auth.scopes) &&
           std::ranges::all_of(tool.hints, [&](const auto& hint) { return is_clean(hint.tag); });
  }
  bool are_clean(const surface::Action& a) {
    for (const std::string* text : {&a.id, &a.tool_id, &a.operation})
      if (!policy::holds_no_secret(*text)) return false;
    for (const std::string* text : {&a.agent_id, &a.provider, &a.effect, &a.threshold, &a.owner,
                                    &a.runbook, &a.approval_ticket, &a.place.path})
      if (!is_clean(*text)) return false;
    return are_clean(a.risk_tags) && are_clean(a.required_scopes) && are_clean(a.input_fields);
  }

 private:
  bool are_clean(const std::vector<std::string>& texts) {
    return std::ranges::all_of(texts, [&](const std::string& text) { return is_clean(text); });
  }
  bool is_clean(const std::string& text) {
    if (text.empty() || known_.contains(text)) return true;
    if (!policy::holds_no_secret(text)) return false;
    known_.insert(text);
    return true;
  }

  std::unordered_set<std::string_view> known_;
};

template <class Item>
bool all_clean(const std::vector<Item>& items) {
  std::atomic<bool> clean = true;
  in_parts(items.size(), surface::kToolsOfAThread, [&](std::size_t from, std::size_t to) {
    CleanTexts texts;
    for (std::size_t i = from; i < to && clean; ++i)
      if (!texts.are_clean(items[i])) clean = false;
  });
  return clean;
}

List scope_facts(const Manifest& manifest, const Surface& surface) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> rows;
  for (const std::string& scope : manifest.scopes)
    rows[{"manifest_declared", scope}];
  for (const Tool& tool : surface.tools)
    for (const std::string& scope : tool.auth.scopes)
      rows[{"tool_required", scope}].insert(tool.name);
  List out;
  for (const auto& [key, tools] : rows)
    out.emplace_back(Map{{"scope", key.second},
                         {"kind", key.first},
                         {"tool_names", string_list({tools.begin(), tools.end()})},
                         {"broad", surface::is_broad_scope(key.second)}});
  return out;
}

struct ControlKind {
  std::string_view kind, policy, rule;
  const surface::Controls Manifest::*declared;
};
// table: kinds of controls
constexpr std::array<ControlKind, 3> kControls{{
    {"approval_policy", "policy.approval", "approval_required", &Manifest::approval},
    {"confirmation_policy", "policy.confirmation", "confirmation_required",
     &Manifest::confirmation},
    {"idempotency_evidence", "policy.idempotency", "idempotency_required", &Manifest::idempotency},
}};

List control_facts(const Manifest& manifest, const Surface& surface) {
  std::map<std::tuple<std::string, std::string, std::string>, std::string> rows;
  for (const ControlKind& row : kControls) {
    for (const auto& entry : manifest.*row.declared)
      rows[{std::string(row.kind), entry.tool, "manifest"}] = entry.reason;
    const auto add_api = [&](const std::optional<surface::ApiArtifacts>& api, const char* source) {
      if (!api) return;
      for (const std::string& tool : api->rule_list(row.rule))
        rows[{std::string(row.kind), tool, source}];
    };
    add_api(surface.openai, "openai_api");
    add_api(surface.anthropic, "anthropic_api");
  }
  List out;
  for (const auto& [key, reason] : rows)
    out.emplace_back(Map{{"kind", std::get<0>(key)},
                         {"tool", std::get<1>(key)},
                         {"source", std::get<2>(key)},
                         {"reason", text_or_null(reason)}});
  return out;
}

class PolicyFacts {
 public:
  void add(std::string_view kind, std::string_view key, const Value& value, std::string summary) {
    rows_[{std::string(kind), std::string(key)}] = {stable_hash(value), std::move(summary)};
  }
  List documents() const {
    List out;
    for (const auto& [key, row] : rows_)
      out.emplace_back(Map{{"kind", key.first},
                           {"key", key.second},
                           {"value_hash", row.first},
                           {"summary", row.second}});
    return out;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> rows_;
};

Map override_document(const surface::RiskOverride& o) {
  return {{"tags", string_list(o.tags)},
          {"remove_tags", string_list(o.remove_tags)},
          {"owner", text_or_null(o.owner)},
          {"confidence", o.confidence},
          {"reason", o.reason}};
}

void add_rules(PolicyFacts& facts, std::string_view kind,
               const std::optional<surface::ApiArtifacts>& api) {
  if (!api) return;
  for (const auto& [key, value] : api->policy_rules.entries())
    facts.add(kind, key, value, key);
}

List policy_facts(const Manifest& manifest, const Surface& surface) {
  PolicyFacts facts;
  for (const ControlKind& row : kControls)
    for (const auto& entry : manifest.*row.declared)
      facts.add(row.policy, entry.tool,
                Map{{"tool", entry.tool}, {"reason", text_or_null(entry.reason)}}, entry.reason);
  for (const auto& entry : manifest.ignore)
    facts.add("suppression",
              fmt::format("{}:{}", entry.check_id, entry.tool.empty() ? "*" : entry.tool),
              Map{{"check_id", entry.check_id},
                  {"tool", text_or_null(entry.tool)},
                  {"reason", entry.reason}},
              entry.reason);
  for (const auto& given : manifest.severity_overrides)
    facts.add("severity_override", given.check_id, to_string(given.severity),
              std::string(to_string(given.severity)));
  for (const auto& given : manifest.risk_overrides)
    facts.add("risk_override", given.tool, override_document(given), join(given.tags, ", "));
  add_rules(facts, "openai_api.policy", surface.openai);
  add_rules(facts, "anthropic_api.policy", surface.anthropic);
  return facts.documents();
}

/// What MCP servers offer besides tools; exports without any leave no trace.
void set_offers(Map& facts, const Surface& surface) {
  List prompts, resources;
  for (const auto& offer : surface.offers)
    (offer.kind == "prompt" ? prompts : resources)
        .emplace_back(Map{{"name", offer.name},
                          {"description", text_or_null(offer.description)},
                          {"source_id", offer.source_id},
                          {"source_ref", offer.source_ref}});
  if (!prompts.empty()) facts.set("prompts", std::move(prompts));
  if (!resources.empty()) facts.set("resources", std::move(resources));
}

/// Toolkits of vendors, with what they are allowed.
void set_toolkits(Map& facts, const Surface& surface) {
  List rows;
  for (const auto& t : surface.toolkits) {
    Map row{{"provider", t.provider},
            {"constructor", t.constructor},
            {"binding", t.binding},
            {"bounded", t.bounded},
            {"scopes", string_list(t.scopes)},
            {"config_binding", t.config_binding},
            {"source_ref", t.source_ref},
            {"line", t.line}};
    if (!t.config_path.empty()) row.set("config_path", t.config_path);
    rows.emplace_back(std::move(row));
  }
  if (!rows.empty()) facts.set("toolkits", std::move(rows));
}

Map no_base() {
  return {{"kind", "none"},
          {"path", nullptr},
          {"report_schema_version", nullptr},
          {"baseline_schema_version", nullptr}};
}

Map zeros(std::string_view names) {
  Map out;
  for (const std::string_view name : split(names, ' '))
    out.set(std::string(name), 0);
  return out;
}

}  // namespace

bool rows_hold_no_secret(const Surface& surface, const std::vector<surface::Action>& actions) {
  return all_clean(surface.tools) && all_clean(actions);
}

std::vector<LateRows> late_rows(const Surface& surface,
                                const std::vector<surface::Action>& actions) {
  constexpr std::size_t kDepth = 3;  // of a row: document, facts, list
  return {{"tool_surface_facts", "tools", surface.tools.size(),
           [sorted = by_name(surface)](std::size_t i, std::string& out) {
             wire::TextRow row(out, kDepth);
             tell(row, *sorted[i]);
             row.close();
           }},
          {"action_surface_facts", "actions", actions.size(),
           [&actions](std::size_t i, std::string& out) { append_row(out, kDepth, actions[i]); }}};
}

Map tool_surface_facts(const Manifest& manifest, const Surface& surface, Rows rows) {
  const auto sorted = by_name(surface);
  List tools = made_at_once(sorted.size(), [&](std::size_t i) {
    return rows == Rows::late ? glance_at(*sorted[i]) : tool_facts(*sorted[i]);
  });
  Map out{{"tools", std::move(tools)},
          {"scopes", scope_facts(manifest, surface)},
          {"controls", control_facts(manifest, surface)},
          {"policies", policy_facts(manifest, surface)}};
  set_offers(out, surface);
  set_toolkits(out, surface);
  return out;
}

std::vector<surface::Toolkit> toolkits_of(const Value& report) {
  std::vector<surface::Toolkit> out;
  for (const Value& row : Peek(report)["tool_surface_facts"]["toolkits"].list()) {
    const Peek t(row);
    const auto text = [&](std::string_view key) { return std::string(t[key].text()); };
    surface::Toolkit one{.provider = text("provider"),
                         .constructor = text("constructor"),
                         .binding = text("binding"),
                         .bounded = t["bounded"].is_true(),
                         .config_binding = text("config_binding"),
                         .config_path = text("config_path"),
                         .source_ref = text("source_ref"),
                         .line = t["line"].number()};
    for (const Value& scope : t["scopes"].list())
      one.scopes.emplace_back(Peek(scope).text());
    out.push_back(std::move(one));
  }
  return out;
}

Map tool_surface_diff_disabled(std::string_view note) {
  return {{"enabled", false},
          {"base", no_base()},
          {"summary",
           zeros("tools_added tools_removed tools_changed new_scopes removed_scopes "
                 "new_high_risk_effects removed_high_risk_effects controls_added controls_removed "
                 "metadata_changes policy_drift_items new_findings resolved_findings "
                 "unchanged_findings accepted_debt")},
          {"tools", List{}},
          {"high_risk_effects", List{}},
          {"scopes", List{}},
          {"controls", List{}},
          {"metadata_changes", List{}},
          {"policy_drift", List{}},
          {"finding_deltas", Map{{"new_findings", List{}},
                                 {"resolved_findings", List{}},
                                 {"unchanged_findings", List{}},
                                 {"accepted_debt", List{}}}},
          {"notes", List{Value(note)}}};
}

Map action_surface_facts(const std::vector<surface::Action>& actions, Rows rows) {
  return {{"snapshot_version", "0.1"}, {"actions", made_at_once(actions.size(), [&](std::size_t i) {
                                          return rows == Rows::late ? glance_at(actions[i])
                                                                    : document_of(actions[i]);
                                        })}};
}

Map action_surface_diff_disabled(std::string_view note, std::int64_t blocking_findings) {
  Map summary = zeros(
      "actions_added actions_removed actions_modified scope_expansions effect_escalations "
      "risk_tags_added approvals_removed safeguards_removed input_schema_expansions");
  summary.set("blocking_findings", blocking_findings);
  return {{"enabled", false},          {"base", no_base()}, {"summary", std::move(summary)},
          {"added", List{}},           {"removed", List{}}, {"modified", List{}},
          {"notes", List{Value(note)}}};
}

Map tool_surface(const Surface& surface) {
  std::map<std::string, std::int64_t> sources;
  std::int64_t high_risk = 0, wildcards = 0, undescribed = 0;
  for (const Tool& tool : surface.tools) {
    ++sources[tool.source_type];
    high_risk += is_high_risk(tool) ? 1 : 0;
    wildcards += is_wildcard(tool) ? 1 : 0;
    undescribed += surface::trimmed(tool.description).empty() ? 1 : 0;
  }
  Map by_type;
  for (const auto& [type, count] : sources)
    by_type.set(type, count);
  return {{"total_tools", static_cast<std::int64_t>(surface.tools.size())},
          {"high_risk_tools", high_risk},
          {"sources", std::move(by_type)},
          {"wildcard_tools", wildcards},
          {"missing_descriptions", undescribed}};
}

List tool_inventory(const Surface& surface) {
  const auto sorted = by_name(surface);
  return made_at_once(sorted.size(), [&](std::size_t i) {
    const Tool& tool = *sorted[i];
    Map confidences;
    for (const std::string& tag : risk_tags(tool))
      confidences.set(tag, to_string(best(tool, {tag})));
    return Map{{"name", tool.name},
               {"source_type", tool.source_type},
               {"source_ref", text_or_null(tool.source_ref)},
               {"risk_tags", string_list(risk_tags(tool))},
               {"risk_tag_confidence", std::move(confidences)},
               {"auth_scopes", string_list(tool.auth.scopes)},
               {"owner", text_or_null(tool.owner)},
               {"confidence", to_string(tool.confidence)}};
  });
}

}  // namespace gh::release
