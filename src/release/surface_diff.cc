#include "release/surface_diff.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/peek.h"
#include "policy/redact.h"
#include "release/surface_facts.h"
#include "wire/json.h"

namespace gh::release {
namespace {

using surface::is_one_of;
using surface::Surface;

constexpr std::string_view kNoReference = "no comparison source";
constexpr std::string_view kNoFacts = "the comparison source carries no surface facts";
constexpr std::string_view kRenames = "a rename is one removed and one added tool";
constexpr std::string_view kHighRisk =
    "destructive external_write financial_action customer_communication sensitive_data_access "
    "infrastructure_change code_execution";

Value member(const Value& v, std::string_view key) {
  const Value* found = v.as_map() != nullptr ? v.as_map()->find(key) : nullptr;
  return found != nullptr ? *found : Value();
}

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

/// Rows of a list by the text of some members.
using Keyed = std::map<std::vector<std::string>, const Value*>;
Keyed keyed(const Value& facts, std::string_view list,
            std::initializer_list<std::string_view> keys) {
  Keyed out;
  for (const Value& row : Peek(facts)[list].list()) {
    std::vector<std::string> key;
    for (const std::string_view k : keys)
      key.emplace_back(Peek(row)[k].text());
    while (out.contains(key))  // names that are masked alike stay apart by their order
      key.emplace_back();
    out.emplace(std::move(key), &row);
  }
  return out;
}

/// As a report holds them: what it is compared with came out of a report.
Value as_written(const Value& facts) { return policy::redact_document(facts).value; }

/// Calls with (kind, before, after) for added, then removed, then changed rows, each by key.
template <class Tell>
void each_change(const Keyed& then, const Keyed& now, Tell tell) {
  for (const auto& [key, row] : now)
    if (!then.contains(key)) tell("added", nullptr, row);
  for (const auto& [key, row] : then)
    if (!now.contains(key)) tell("removed", row, nullptr);
  for (const auto& [key, row] : now)
    if (const auto known = then.find(key); known != then.end() && *known->second != *row)
      tell("changed", known->second, row);
}

/// Fields of a tool that a diff names, and how each is read from its facts.
struct ToolField {
  std::string_view name;
  bool is_hash;
  bool is_metadata;
};
// table: fields of tool diffs
constexpr std::array<ToolField, 9> kToolFields{{
    {"risk_tags", false, false},
    {"auth_scopes", false, true},
    {"owner", false, true},
    {"extraction_confidence", false, true},
    {"description", true, true},
    {"input_schema", true, false},
    {"output_schema", true, false},
    {"parameters", true, false},
    {"annotations", true, false},
}};

Value field_of(const Value& tool, const ToolField& field) {
  return field.is_hash ? member(member(tool, "hashes"), field.name) : member(tool, field.name);
}

Value source_of(const Value& tool) {
  return Map{{"type", member(tool, "source_type")},
             {"id", member(tool, "source_id")},
             {"ref", member(tool, "source_ref")}};
}

bool is_nothing(const Value& v) {
  return v.is_null() || v == Value("") || (v.as_list() != nullptr && v.as_list()->empty());
}

class ToolDiff {
 public:
  ToolDiff(const DiffReference& reference, const Map& facts, const Surface& surface)
      : then_(as_written(member(reference.document, "tool_surface_facts"))),
        now_(as_written(facts)) {
    for (const surface::Tool& tool : surface.tools)
      live_.emplace(policy::redact(tool.name).text, &tool);
  }

  void compute() {
    each_change(keyed(then_, "tools", {"name"}), keyed(now_, "tools", {"name"}),
                [&](const char* kind, const Value* a, const Value* b) { take_tool(kind, a, b); });
    take_effects();
    each_change(keyed(then_, "scopes", {"kind", "scope"}), keyed(now_, "scopes", {"kind", "scope"}),
                [&](const char* kind, const Value* a, const Value* b) { take_scope(kind, a, b); });
    each_change(
        keyed(then_, "controls", {"kind", "tool", "source"}),
        keyed(now_, "controls", {"kind", "tool", "source"}),
        [&](const char* kind, const Value* a, const Value* b) { take_control(kind, a, b); });
    each_change(keyed(then_, "policies", {"kind", "key"}), keyed(now_, "policies", {"kind", "key"}),
                [&](const char* kind, const Value* a, const Value* b) { take_policy(kind, a, b); });
  }

  List tools, effects, scopes, controls, metadata, policies;

 private:
  /// Where the live tool stands; nulls when it is gone.
  void set_place(Map& row, std::string_view tool) const {
    const auto live = live_.find(tool);
    const surface::Place place = live != live_.end() ? live->second->place : surface::Place{};
    const bool known = !place.path.empty();
    row.set("source_path", known ? Value(place.path) : Value());
    row.set("source_start_line", known && place.start_line > 0 ? Value(place.start_line) : Value());
  }

  void take_tool(const char* kind, const Value* before, const Value* after) {
    const Value& one = after != nullptr ? *after : *before;
    const std::string name{Peek(one)["name"].text()};
    List changes;
    if (before != nullptr && after != nullptr) {
      if (source_of(*before) != source_of(*after))
        changes.emplace_back(
            Map{{"field", "source"}, {"before", source_of(*before)}, {"after", source_of(*after)}});
      for (const ToolField& field : kToolFields) {
        const Value was = field_of(*before, field), is = field_of(*after, field);
        if (was == is) continue;
        changes.emplace_back(Map{{"field", field.name}, {"before", was}, {"after", is}});
        if (field.is_metadata) add_metadata(name, field, *before, *after);
      }
      if (changes.empty()) return;
    }
    Map row{{"kind", kind},
            {"name", name},
            {"source_type", member(one, "source_type")},
            {"source_id", member(one, "source_id")},
            {"changes", std::move(changes)}};
    set_place(row, name);
    tools.emplace_back(std::move(row));
  }

  void add_metadata(const std::string& tool, const ToolField& field, const Value& before,
                    const Value& after) {
    const bool by_presence = field.name == "description";
    const Value was = field_of(before, field), is = field_of(after, field);
    const bool had = by_presence ? Peek(before)["has_description"].is_true() : !is_nothing(was);
    const bool has_now = by_presence ? Peek(after)["has_description"].is_true() : !is_nothing(is);
    Map row{{"kind", !had       ? "added"
                     : !has_now ? "removed"
                                : "changed"},
            {"tool", tool},
            {"metadata", field.name},
            {"before", was},
            {"after", is}};
    set_place(row, tool);
    metadata.emplace_back(std::move(row));
  }

  std::set<std::pair<std::string, std::string>> effects_in(const Value& facts) const {
    std::set<std::pair<std::string, std::string>> out;
    for (const Value& tool : Peek(facts)["tools"].list())
      for (const Value& tag : Peek(tool)["risk_tags"].list())
        if (is_high_risk_tag(Peek(tag).text()))
          out.emplace(Peek(tool)["name"].text(), Peek(tag).text());
    return out;
  }

  void take_effects() {
    const auto then = effects_in(then_), now = effects_in(now_);
    const auto add = [&](const char* kind, const auto& pair) {
      Map row{{"kind", kind}, {"tool", pair.first}, {"tag", pair.second}};
      set_place(row, pair.first);
      effects.emplace_back(std::move(row));
    };
    for (const auto& pair : now)
      if (!then.contains(pair)) add("added", pair);
    for (const auto& pair : then)
      if (!now.contains(pair)) add("removed", pair);
  }

  void take_scope(const char* kind, const Value* before, const Value* after) {
    const Value& one = after != nullptr ? *after : *before;
    scopes.emplace_back(Map{{"kind", kind},
                            {"scope", member(one, "scope")},
                            {"scope_kind", member(one, "kind")},
                            {"tool_names", member(one, "tool_names")},
                            {"broad", member(one, "broad")}});
  }

  void take_control(const char* kind, const Value* before, const Value* after) {
    const Value& one = after != nullptr ? *after : *before;
    Map row{{"kind", kind},
            {"control", member(one, "kind")},
            {"tool", member(one, "tool")},
            {"source", member(one, "source")},
            {"reason", member(one, "reason")}};
    set_place(row, Peek(one)["tool"].text());
    controls.emplace_back(std::move(row));
  }

  void take_policy(const char* kind, const Value* before, const Value* after) {
    const Value& one = after != nullptr ? *after : *before;
    const auto of = [&](const Value* v, const char* key) { return v ? member(*v, key) : Value(); };
    policies.emplace_back(Map{{"kind", kind},
                              {"policy_kind", member(one, "kind")},
                              {"key", member(one, "key")},
                              {"before_hash", of(before, "value_hash")},
                              {"after_hash", of(after, "value_hash")},
                              {"before_summary", of(before, "summary")},
                              {"after_summary", of(after, "summary")}});
  }

  const Value then_;
  const Value now_;
  std::map<std::string, const surface::Tool*, std::less<>> live_;  // by the name as it is written
};

// ---------------------------------------------------------------------------------------- findings

struct Deltas {
  List fresh, resolved, unchanged, accepted;
};

Map delta_row(const GatedFinding& g) {
  return {{"fingerprint", g.fingerprint},
          {"check_id", g.finding.check_id},
          {"severity", to_string(g.finding.severity)},
          {"title", g.finding.title},
          {"tool_name", text_or_null(g.finding.tool_name)},
          {"baseline_status", text_or_null(g.baseline_status)}};
}

Map resolved_row(const Value& finding) {
  return {
      {"fingerprint", member(finding, "fingerprint")}, {"check_id", member(finding, "check_id")},
      {"severity", member(finding, "severity")},       {"title", member(finding, "title")},
      {"tool_name", member(finding, "tool_name")},     {"baseline_status", "resolved"}};
}

Deltas finding_deltas(const DiffReference& reference, const Findings& findings) {
  std::set<std::string> then, now;
  for (const Value& f : Peek(reference.document)["findings"].list())
    if (!Peek(f)["suppressed"].is_true()) then.emplace(Peek(f)["fingerprint"].text());
  Deltas out;
  for (const GatedFinding& g : findings) {
    if (!g.is_active()) continue;
    now.insert(g.fingerprint);
    List& into = g.is_matched()                 ? out.accepted
                 : then.contains(g.fingerprint) ? out.unchanged
                                                : out.fresh;
    into.emplace_back(delta_row(g));
  }
  std::set<std::string> told;
  for (const Value& f : Peek(reference.document)["findings"].list()) {
    const std::string fingerprint{Peek(f)["fingerprint"].text()};
    if (then.contains(fingerprint) && !now.contains(fingerprint) && told.insert(fingerprint).second)
      out.resolved.emplace_back(resolved_row(f));
  }
  return out;
}

Map base_document(const DiffReference& r) {
  return {{"kind", r.kind},
          {"path", r.path},
          {"report_schema_version", member(r.document, "report_schema_version")},
          {"baseline_schema_version",
           r.kind == "baseline" ? member(r.document, "schema_version") : Value()}};
}

std::int64_t count(const List& list, std::string_view kind) {
  return std::ranges::count_if(list,
                               [&](const Value& row) { return Peek(row)["kind"].text() == kind; });
}

void set_deltas(Map& out, const Deltas& deltas) {
  Map& summary = *out.find("summary")->as_map();
  const auto size = [](const List& list) { return static_cast<std::int64_t>(list.size()); };
  summary.set("new_findings", size(deltas.fresh));
  summary.set("resolved_findings", size(deltas.resolved));
  summary.set("unchanged_findings", size(deltas.unchanged));
  summary.set("accepted_debt", size(deltas.accepted));
  out.set("finding_deltas", Map{{"new_findings", deltas.fresh},
                                {"resolved_findings", deltas.resolved},
                                {"unchanged_findings", deltas.unchanged},
                                {"accepted_debt", deltas.accepted}});
}

bool has_facts(const DiffReference& r) {
  return Peek(r.document)["tool_surface_facts"]["tools"].exists();
}

}  // namespace

bool is_high_risk_tag(std::string_view tag) { return is_one_of(tag, kHighRisk); }

Result<DiffReference> read_diff_reference(std::string_view json, std::string_view path) {
  GH_TRY(root, wire::read_json(json, path));
  const Peek at(root);
  const bool is_report = at["report_schema_version"].exists();
  const bool is_baseline = at["schema_version"].exists() && at["source_report_run_id"].exists();
  if (!is_report && !is_baseline)
    return fail(Code::json_invalid, fmt::format("{}: neither a report nor a baseline", path));
  return DiffReference{is_report ? "report" : "baseline", std::string(path), std::move(root)};
}

std::optional<List> actions_of(const DiffReference& r) {
  const Peek actions = Peek(r.document)["action_surface_facts"]["actions"];
  if (!actions.exists()) return std::nullopt;
  return actions.list();
}

Map tool_surface_diff(const DiffReference* reference, const Map& facts, const Surface& surface,
                      const Findings& findings) {
  if (reference == nullptr) return tool_surface_diff_disabled(kNoReference);
  Map out = tool_surface_diff_disabled(kNoFacts);
  out.set("base", base_document(*reference));
  set_deltas(out, finding_deltas(*reference, findings));
  if (!has_facts(*reference)) return out;
  ToolDiff diff(*reference, facts, surface);
  diff.compute();
  out.set("enabled", true);
  Map& summary = *out.find("summary")->as_map();
  for (const auto& [name, list, kind] :
       {std::tuple{"tools_added", &diff.tools, "added"},
        std::tuple{"tools_removed", &diff.tools, "removed"},
        std::tuple{"tools_changed", &diff.tools, "changed"},
        std::tuple{"new_scopes", &diff.scopes, "added"},
        std::tuple{"removed_scopes", &diff.scopes, "removed"},
        std::tuple{"new_high_risk_effects", &diff.effects, "added"},
        std::tuple{"removed_high_risk_effects", &diff.effects, "removed"},
        std::tuple{"controls_added", &diff.controls, "added"},
        std::tuple{"controls_removed", &diff.controls, "removed"}})
    summary.set(name, count(*list, kind));
  summary.set("metadata_changes", static_cast<std::int64_t>(diff.metadata.size()));
  summary.set("policy_drift_items", static_cast<std::int64_t>(diff.policies.size()));
  const bool may_be_renamed = count(diff.tools, "added") > 0 && count(diff.tools, "removed") > 0;
  out.set("tools", std::move(diff.tools));
  out.set("high_risk_effects", std::move(diff.effects));
  out.set("scopes", std::move(diff.scopes));
  out.set("controls", std::move(diff.controls));
  out.set("metadata_changes", std::move(diff.metadata));
  out.set("policy_drift", std::move(diff.policies));
  out.set("notes", may_be_renamed ? List{Value(kRenames)} : List{});
  return out;
}

Map action_surface_diff(const DiffReference* reference, const surface::ActionDiff* diff,
                        std::int64_t blocking_findings) {
  Map out = action_surface_diff_disabled(reference == nullptr ? kNoReference : kNoFacts,
                                         blocking_findings);
  if (reference != nullptr) out.set("base", base_document(*reference));
  if (diff == nullptr) return out;
  const auto rows = [](const std::vector<surface::ActionChange>& changes) {
    List list;
    for (const auto& change : changes)
      list.emplace_back(document_of(change, true));
    return list;
  };
  std::map<std::string, std::int64_t> types;
  std::set<std::string> ids;
  for (const auto& change : diff->modified) {
    ++types[change.type];
    ids.insert(change.action_id);
  }
  Map& summary = *out.find("summary")->as_map();
  summary.set("actions_added", static_cast<std::int64_t>(diff->added.size()));
  summary.set("actions_removed", static_cast<std::int64_t>(diff->removed.size()));
  summary.set("actions_modified", static_cast<std::int64_t>(ids.size()));
  for (const auto& [name, type] : {std::pair{"scope_expansions", "SCOPE_EXPANDED"},
                                   std::pair{"effect_escalations", "EFFECT_ESCALATED"},
                                   std::pair{"risk_tags_added", "RISK_TAG_ADDED"},
                                   std::pair{"approvals_removed", "APPROVAL_REMOVED"},
                                   std::pair{"safeguards_removed", "SAFEGUARD_REMOVED"},
                                   std::pair{"input_schema_expansions", "INPUT_SCHEMA_EXPANDED"}})
    summary.set(name, types[type]);
  out.set("enabled", true);
  out.set("added", rows(diff->added));
  out.set("removed", rows(diff->removed));
  out.set("modified", rows(diff->modified));
  out.set("notes", List{});
  return out;
}

}  // namespace gh::release
