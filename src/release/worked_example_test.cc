// docs/reference/release-report.md, "A whole example": everything that is printed of the report,
// held against a scan. "…" stands for what is left out.
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "release/refund_demo.h"
#include "release/scan.h"
#include "surface/memory_files.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::release::worked_example {
namespace {

constexpr std::string_view kLeftOut = "…";
/// What the reference asks for elsewhere: lines of places in JSON, and the version of the facts.
constexpr std::string_view kLines = "start_line end_line start_column snapshot_version";

const char* const kPrinted = R"json({
  "schema_version": "0.1",
  "report_schema_version": "0.22",
  "summary": {"status": "release_blockers_detected", "critical_count": 1, "high_count": 1, "medium_count": 0,
              "low_count": 0, "info_count": 0, "suppressed_count": 0,
              "human_review_recommended": true, "evidence_coverage": "static"},
  "release_decision": {
    "decision": "blocked",
    "reason": "1 active finding blocks release.",
    "blockers": [{"id": "fp_66b1208b9f2e40ab", "fingerprint": "fp_66b1208b9f2e40ab",
      "check_id": "SHIP-POLICY-APPROVAL-MISSING", "severity": "critical",
      "title": "payments.create_refund lacks a declared approval policy",
      "baseline_status": null, "blocks_release": false,
      "source": {"type": "mcp", "ref": "tools/payments.mcp.json", "location": null,
                 "path": "tools/payments.mcp.json", "pointer": "/tools/1"},
      "policy_evidence_source": {"type": "manifest", "ref": "shipgate.yaml",
                 "location": null, "path": "shipgate.yaml", "pointer": "/policies/require_approval_for_tools"}}],
    "review_items": [{"id": "fp_e132d0eac3cd0225", "check_id": "SHIP-SCHEMA-MISSING-BOUNDS", "severity": "high", "…": "…"}],
    "evidence_coverage": {"level": "static", "human_review_recommended": true,
                          "source_warning_count": 0, "low_confidence_tool_count": 0},
    "baseline_delta": {"enabled": false, "path": null, "matched_count": 0, "new_count": 0, "resolved_count": 0},
    "fail_policy": {"ci_mode": "advisory", "fail_on": [], "new_findings_only": false,
                    "would_fail_ci": false, "exit_code": 0},
    "contribution_rules": [
      {"finding_id": "fp_e132d0eac3cd0225", "fingerprint": "fp_e132d0eac3cd0225",
       "check_id": "SHIP-SCHEMA-MISSING-BOUNDS", "category": "review_item", "rule": "review_required",
       "rationale": "requires_human_review=true (severity=high); below blocker set [critical]."},
      {"finding_id": "fp_66b1208b9f2e40ab", "fingerprint": "fp_66b1208b9f2e40ab",
       "check_id": "SHIP-POLICY-APPROVAL-MISSING", "category": "blocker", "rule": "severity_block_new",
       "rationale": "severity=critical is in blocker set [critical]; baseline_status=null."}]
  },
  "capability_facts": [{"id": "cap_fd4c23dad5d2e089", "tool_name": "payments.create_refund",
     "capability": "financial_action", "included_reason": "referenced_by_critical_finding",
     "control_status": "missing", "related_findings": ["fp_66b1208b9f2e40ab", "fp_e132d0eac3cd0225"], "…": "…"}],
  "declared_intentions": [{"id": "int_9156b3c8f3b1b591", "text": "issue refunds to customers",
     "intent_tags": ["financial_action"], "…": "…"}, {"id": "int_bc448f5eeecb5df3", "text": "look up orders", "intent_tags": [], "…": "…"}],
  "misalignments": [{"id": "mis_c582c5a929eedc28", "kind": "policy_gap", "severity": "critical", "…": "…"},
                    {"id": "mis_d52d66739430f246", "kind": "control_missing", "severity": "high", "…": "…"}],
  "suggested_scenarios": [{"id": "scn_bdb64bf798779325", "scenario_type": "approval", "…": "…"},
                          {"id": "scn_21659df937860a81", "scenario_type": "schema_boundary", "…": "…"}],
  "tool_surface": {"total_tools": 2, "high_risk_tools": 1, "sources": {"mcp": 2}, "wildcard_tools": 0, "missing_descriptions": 0},
  "tool_surface_facts": {"tools": [{"name": "orders.get_order", "risk_tags": ["read_only"],
       "hashes": {"source_ref": "e3c5ca6f26da9747", "description": "c246c85145746734", "input_schema": "3713f3edc80d9ecd",
                  "output_schema": "ca671d8025782919", "parameters": "3ff6abb410df5d0f", "annotations": "1f9a7cc7c90c44b6"}, "…": "…"},
      {"name": "payments.create_refund", "risk_tags": ["financial_action"],
       "hashes": {"description": "c054e5a2e8740161", "input_schema": "6d12d9426efb591a", "output_schema": "0c8dc6039f663e43",
                  "parameters": "943264fe57dc9e74", "annotations": "f8d4f6eb6c26b7a9", "…": "…"}, "…": "…"}],
    "scopes": ["4 rows: manifest_declared orders:read, payments:refund; tool_required orders:read, payments:refund"],
    "controls": [], "policies": [{"kind": "risk_override", "key": "payments.create_refund",
                                  "value_hash": "d31ccd703fb2255c", "summary": "financial_action"}]},
  "tool_surface_diff": {"enabled": false, "base": {"kind": "none", "…": null}, "notes": ["no comparison source"], "…": "…"},
  "action_surface_facts": {"actions": [
     {"action_id": "agent:refund-demo/refund-agent:mcp:payments_mcp:orders.get_order", "effect": "read", "risk_tags": ["read_only"],
      "hashes": {"identity_hash": "a635b655c8143b9b", "risk_hash": "9cefc7b827023da6", "…": "…"}, "…": "…"},
     {"action_id": "agent:refund-demo/refund-agent:mcp:payments_mcp:payments.create_refund", "effect": "financial_write",
      "risk_tags": ["financial_write"], "required_scopes": ["payments:refund"],
      "approval_policy": {"required": false, "threshold": null},
      "safeguards": {"idempotency": false, "audit_log": null, "rollback": null, "dry_run": null},
      "hashes": {"identity_hash": "7c2476687fdb1f59", "schema_hash": "61d00948ea3dc344",
                 "policy_hash": "341da846cc5e9e55", "risk_hash": "aa620e803287ccea"}, "…": "…"}]},
  "action_surface_diff": {"enabled": false, "…": "…"},
  "codex_plugin_surface": null, "baseline": null,
  "agent_summary": {"verdict": "blocked",
     "headline": "1 active finding(s) block release; 1 further review item(s).",
     "blocker_count": 1, "review_item_count": 1, "auto_appliable_patches": 0, "needs_human_review": 2,
     "first_recommended_action": {"kind": "info", "command": null,
        "why": "Surface SHIP-POLICY-APPROVAL-MISSING on payments.create_refund; release is blocked and no patch is auto-applicable."}},
  "policy_audit": {"severity_overrides_applied": []},
  "privacy_audit": {"enabled": true, "rules_version": "0.2", "sensitive_field_inventory_version": "0.1",
     "redacted_occurrence_count": 0, "redacted_paths": [],
     "output_surfaces": ["json", "markdown", "packet_html", "packet_json", "packet_md"], "notes": ["…"]},
  "heuristics_filter": {"enabled": false, "excluded_provenance_kinds": ["keyword_heuristic", "regex_heuristic"],
     "filtered_finding_count": 0, "filtered_by_kind": {}},
  "reviewer_summary": {"verdict": "blocked", "headline": "Release blocked: 3 lens change(s). Start at release_decision.",
     "tool_surface_changes": 0, "capability_misalignments": 2, "action_surface_changes": 0, "evidence_matrix_gaps": 1,
     "severity_overrides_applied": 0, "severity_overrides_tier_crossed": 0, "privacy_redactions": 0, "baseline_integrity_issues": 0,
     "first_recommended_surface": {"kind": "release_decision", "name": "release_decision", "path": "report.release_decision", "why": "…"}},
  "verifier_summary": {"verdict": "blocked", "by_severity": {"critical": 1, "high": 1},
     "by_reason_code": {"SHIP-POLICY-APPROVAL-MISSING": 1, "SHIP-SCHEMA-MISSING-BOUNDS": 1},
     "capability_delta_summary": {"added": 0, "removed": 0, "broadened": 0, "narrowed": 0},
     "protected_surface_touched": false, "policy_weakened": false, "human_ack_required": false, "human_ack_satisfied": true,
     "top_reason_codes": [{"reason_code": "SHIP-POLICY-APPROVAL-MISSING", "count": 1}, {"reason_code": "SHIP-SCHEMA-MISSING-BOUNDS", "count": 1}]},
  "capability_change": {"enabled": false, "added": [], "removed": [], "broadened": [], "narrowed": []},
  "protected_surface_changes": [],
  "effective_policy": {"ci_mode": "advisory", "fail_on": [], "suppressed_check_ids": [], "waiver_scopes": [],
     "severity_overrides": {}, "baseline_integrity_mode": "warn", "baseline_fingerprints": [], "ci_gate_present": true, "snapshot": "default"},
  "human_ack": {"required": false, "satisfied": true, "acks": [], "outstanding": []}
})json";

bool is_left_out(const Value& value) {
  return value.as_string() != nullptr && *value.as_string() == kLeftOut;
}

/// Every member that is printed is there as printed; of a mapping without "…" there is no other.
void expect_as_printed(const Value& printed, const Value& have, const std::string& path) {
  if (is_left_out(printed)) return;
  if (const Map* map = printed.as_map()) {
    ASSERT_NE(have.as_map(), nullptr) << path;
    const Value* rest = map->find(kLeftOut);
    for (const auto& [key, value] : map->entries()) {
      if (key == kLeftOut) continue;
      const Value* member = have.as_map()->find(key);
      ASSERT_NE(member, nullptr) << path << "." << key;
      expect_as_printed(value, *member, path + "." + key);
    }
    for (const auto& [key, value] : have.as_map()->entries())
      if (map->find(key) == nullptr && !surface::is_one_of(key, kLines)) {
        EXPECT_NE(rest, nullptr) << path << "." << key << " is not printed";
        if (rest != nullptr && rest->is_null()) EXPECT_TRUE(value.is_null()) << path << "." << key;
      }
    return;
  }
  const List* list = printed.as_list();
  if (list == nullptr) {
    EXPECT_EQ(printed, have) << path;
    return;
  }
  if (list->size() == 1 && (is_left_out(list->front()) || path == "tool_surface_facts.scopes"))
    return;
  ASSERT_NE(have.as_list(), nullptr) << path;
  ASSERT_EQ(list->size(), have.as_list()->size()) << path;
  for (std::size_t i = 0; i < list->size(); ++i)
    expect_as_printed((*list)[i], (*have.as_list())[i], fmt::format("{}[{}]", path, i));
}

TEST(WorkedExample, EverythingThatIsPrintedComesOut) {
  const auto tree = refund_demo();
  const auto manifest = surface::read_manifest(tree.at("shipgate.yaml"), "shipgate.yaml");
  ASSERT_TRUE(manifest) << manifest.error().message;
  surface::MemoryFiles memory(tree);
  ScanOptions options;
  options.today = "2026-11-17";
  for (const char* kind : {"markdown", "json", "packet_md", "packet_json", "packet_html"})
    options.outputs.emplace_back(kind, "x");
  const auto report = scan(*manifest, memory, options);
  ASSERT_TRUE(report) << report.error().message;
  const auto printed = wire::read_json(kPrinted);
  ASSERT_TRUE(printed) << printed.error().message;
  for (const auto& [key, value] : printed->as_map()->entries())
    expect_as_printed(value, *report->document.as_map()->find(key), key);
}

}  // namespace
}  // namespace gh::release::worked_example
