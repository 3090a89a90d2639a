#include "mcp/shapes.h"

#include <array>
#include <string>

#include "model/peek.h"

namespace gh::mcp {
namespace {

constexpr std::size_t kShortRunId = 8, kMostRisks = 5, kMostPlaces = 5;

Value value_at(const Value& root, std::initializer_list<std::string_view> path) {
  const Value* at = &root;
  for (const std::string_view step : path) {
    const Map* map = at->as_map();
    at = map == nullptr ? nullptr : map->find(step);
    if (at == nullptr) return {};
  }
  return *at;
}

/// Where a member of the summary comes from.
struct SummaryRow {
  std::string_view name;
  std::array<std::string_view, 3> path;
};
constexpr std::array<SummaryRow, 10> kSummary{{
    {"stored", {"meta", "runtime", "stored"}},
    {"cache", {"meta", "runtime", "cache"}},
    {"source", {"meta", "runtime", "source"}},
    {"revision", {"meta", "runtime", "revision"}},
    {"analysis_mode", {"meta", "analysis_mode", ""}},
    {"code", {"inventory", "code", ""}},
    {"findings", {"findings", "summary", ""}},
    {"metrics", {"metrics", "summary", ""}},
    {"health", {"derived", "overview", "health_snapshot"}},
    {"change", {"derived", "change", ""}},
}};

List first_of(const Value& list, std::size_t most) {
  List out;
  if (list.as_list() == nullptr) return out;
  for (const Value& item : *list.as_list())
    if (out.size() < most) out.push_back(item);
  return out;
}

}  // namespace

Map run_summary(Map report, std::string_view) {
  const Value whole(std::move(report));
  const Peek doc(whole);
  const std::string run_id(doc["meta"]["runtime"]["run_id"].text());
  Map out{{"schema", "gatehouse.run_summary/1"},
          {"run_id", run_id},
          {"run_id_short", run_id.substr(0, kShortRunId)},
          {"report_digest", doc["integrity"]["digest"]["value"].text()}};
  for (const SummaryRow& row : kSummary) {
    Value value = row.path[2].empty() ? value_at(whole, {row.path[0], row.path[1]})
                                      : value_at(whole, {row.path[0], row.path[1], row.path[2]});
    if (!value.is_null()) out.set(std::string(row.name), std::move(value));
  }
  Map files;
  for (const std::string_view name : {"total_found", "analyzed_or_cached", "skipped"})
    files.set(std::string(name), doc["inventory"]["files"][name].number());
  out.set("files", std::move(files));
  out.set("top_risks", first_of(value_at(whole, {"derived", "overview", "top_risks"}), kMostRisks));
  out.set("tool", value_at(whole, {"meta", "generator"}));
  return out;
}

Map finding_cards(Map list, std::string_view detail_level) {
  Value* findings = list.find("findings");
  if (findings == nullptr || findings->as_list() == nullptr || detail_level == "full") return list;
  for (Value& card : *findings->as_list()) {
    Map* map = card.as_map();
    if (map == nullptr) continue;
    const Value* items = map->find("items");
    if (items != nullptr)
      map->set("items", first_of(*items, detail_level == "normal" ? kMostPlaces : 1));
    map->erase("facts");
    if (detail_level == "normal") continue;
    map->erase("spread");
    map->erase("priority");
    map->erase("confidence");
  }
  return list;
}

Map release_report(Map report, std::string_view detail_level) {
  for (const char* name : {"manifest_dir", "generated_reports"})
    report.erase(name);  // places on this machine, and files that were not written
  if (detail_level == "full") return report;
  // What the tools are is told by report_get and the command line; here counts what is decided.
  for (const char* name :
       {"agent", "capability_facts", "declared_intentions", "misalignments", "suggested_scenarios",
        "tool_surface_facts", "action_surface_facts", "tool_inventory", "privacy_audit",
        "heuristics_filter", "effective_policy", "agent_summary", "loaded_plugins",
        "loaded_adapters", "policy_audit", "release_consequence"})
    report.erase(name);
  if (Value* decision = report.find("release_decision");
      decision != nullptr && decision->as_map() != nullptr)
    decision->as_map()->erase("contribution_rules");
  if (detail_level == "normal") return report;
  for (const char* name : {"reviewer_summary", "verifier_summary", "capability_change",
                           "tool_surface_diff", "action_surface_diff", "recommended_actions"})
    report.erase(name);
  if (Value* findings = report.find("findings"); findings != nullptr && findings->as_list())
    for (Value& finding : *findings->as_list())
      if (Map* card = finding.as_map(); card != nullptr)
        for (const char* more : {"id", "tool_id", "agent_id", "docs_url", "policy_evidence_source",
                                 "autofix_safe", "suppression_reason", "category"})
          card->erase(more);
  return report;
}

Map release_verification(Map verifier, std::string_view detail_level) {
  for (const char* name : {"workspace", "base_report_json", "head_report_json", "artifacts"})
    verifier.erase(name);  // places on this machine, and files that were not written
  if (detail_level == "full") return verifier;
  for (const char* name : {"agent_summary", "reviewer_summary"})
    verifier.erase(name);
  if (Value* decision = verifier.find("release_decision");
      decision != nullptr && decision->as_map() != nullptr)
    decision->as_map()->erase("contribution_rules");
  if (detail_level == "normal") return verifier;
  verifier.erase("trigger");
  if (Value* decision = verifier.find("release_decision");
      decision != nullptr && decision->as_map() != nullptr)
    for (const char* name : {"blockers", "review_items"})
      if (Value* items = decision->as_map()->find(name); items != nullptr && items->as_list())
        for (Value& item : *items->as_list())
          if (Map* card = item.as_map(); card != nullptr)
            for (const char* more : {"policy_evidence_source", "baseline_status", "fingerprint"})
              card->erase(more);
  return verifier;
}

}  // namespace gh::mcp
