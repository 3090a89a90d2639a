#include "release/packet.h"

#include <gtest/gtest.h>

#include "model/peek.h"
#include "release/schema_version.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::release {
namespace {

Value json(std::string_view text) { return *wire::read_json(text, "test"); }

std::string at(const Map& packet, std::string_view section, std::string_view key) {
  return wire::spaced_json(Value(*Peek(packet.find(section)).map().find(key)));
}

constexpr std::string_view kReport = R"json({
 "report_schema_version": "0.22", "run_id": "r",
 "agent": {"name": "a", "declared_purpose": ["look up"], "prohibited_actions": ["delete"]},
 "summary": {"human_review_recommended": true},
 "release_decision": {"decision": "blocked", "reason": "x", "blockers": [{"id": "f1"}], "review_items": []},
 "tool_surface": {"total_tools": 3, "high_risk_tools": 1},
 "tool_inventory": [
   {"name": "pay", "source_type": "mcp", "risk_tags": ["financial_action"]},
   {"name": "peek", "source_type": "mcp", "risk_tags": ["sensitive_data_access"]},
   {"name": "send", "source_type": "mcp", "risk_tags": ["write"]}],
 "action_surface_facts": {"actions": [{"tool_name": "peek", "risk_tags": ["read_only"]}]},
 "tool_surface_facts": {
   "tools": [{"name": "pay", "extraction_confidence": "high"}, {"name": "send", "extraction_confidence": "low"}],
   "controls": [{"kind": "approval_policy", "tool": "send", "source": "manifest"},
                {"kind": "idempotency_evidence", "tool": "pay", "source": "openai_api"}],
   "scopes": [{"kind": "manifest_declared", "scope": "pay:*", "tool_names": []},
              {"kind": "tool_required", "scope": "mail:send", "tool_names": ["send"]},
              {"kind": "tool_required", "scope": "pay:all", "tool_names": ["pay"]}]},
 "tool_surface_diff": {"enabled": false, "notes": ["no comparison source"]},
 "source_warnings": ["w"],
 "findings": [
   {"id": "f1", "fingerprint": "fp_1", "check_id": "SHIP-POLICY-APPROVAL-MISSING", "title": "t1", "severity": "critical",
    "recommendation": "do", "tool_name": "pay", "requires_human_review": true, "blocks_release": true, "category": "policy"},
   {"id": "f2", "check_id": "SHIP-AUTH-SCOPE-COVERAGE-MISSING", "title": "t2", "severity": "high", "tool_name": "send",
    "evidence": {"missing_scopes": ["mail:send"]}, "requires_human_review": false, "category": "auth"},
   {"id": "f3", "check_id": "SHIP-MANIFEST-UNUSED-SCOPE", "title": "t3", "severity": "medium",
    "evidence": {"scope": "old"}, "requires_human_review": true, "category": "manifest"},
   {"id": "f4", "check_id": "SHIP-SCOPE-PROHIBITED-TOOL-PRESENT", "title": "t4", "severity": "high", "tool_name": "pay",
    "suppressed": true, "requires_human_review": true, "category": "scope"},
   {"id": "f5", "check_id": "SHIP-EVIDENCE-OVERRIDE-REASON-MISSING", "title": "t5", "severity": "high",
    "evidence": {"source_provenance": [{"type": "override_log", "ref": "x", "location": null, "status": "loaded", "detail": null}]},
    "requires_human_review": true, "category": "evidence"}]
})json";

TEST(Packet, SectionsAreWhatTheReportSays) {
  const Map p = packet_of(json(kReport), {});
  EXPECT_EQ(at(p, "release_decision", "verdict"), R"("BLOCKED")");
  EXPECT_EQ(at(p, "capability_intent", "status"), R"("covered")");  // the finding is suppressed
  EXPECT_EQ(at(p, "high_risk_surface", "status"), R"("partial")");
  EXPECT_EQ(at(p, "high_risk_surface", "tools"),
            R"([{"has_approval_policy": false, "has_idempotency_policy": true, "name": "pay", )"
            R"("risk_tags": ["financial_action"], "source_type": "mcp"}])");
  EXPECT_EQ(at(p, "approval_coverage", "status"), R"("partial")");
  EXPECT_EQ(at(p, "approval_coverage", "rows"),
            R"([{"declared": false, "gap_finding_ids": ["f1"], "source": null, "tool": "pay"}, )"
            R"({"declared": true, "gap_finding_ids": [], "source": "policies", "tool": "send"}])");
  EXPECT_EQ(at(p, "idempotency_risk", "status"), R"("covered")");
  EXPECT_EQ(at(p, "idempotency_risk", "retry_policy_declared"), "null");
  EXPECT_EQ(at(p, "scope_coverage", "rows"),
            R"([{"declared": false, "scope": "mail:send", "used_by_tools": ["send"]}, )"
            R"({"declared": true, "scope": "pay:*", "used_by_tools": []}, )"
            R"({"declared": true, "scope": "pay:all", "used_by_tools": ["pay"]}])");
  EXPECT_EQ(at(p, "scope_coverage", "missing_declared"), R"(["mail:send"])");
  EXPECT_EQ(at(p, "scope_coverage", "unused_declared"), R"(["old"])");
  EXPECT_EQ(at(p, "tool_surface_diff", "status"), R"("not_declared")");
  EXPECT_EQ(at(p, "action_surface_diff", "blocking_reasons"),
            R"(["SHIP-POLICY-APPROVAL-MISSING: t1"])");
  EXPECT_EQ(at(p, "human_in_the_loop", "status"), R"("partial")");
  EXPECT_EQ(at(p, "human_in_the_loop", "source_provenance"), "[]");
  EXPECT_EQ(Peek(p.find("dynamic_scenarios"))["scenarios"].list().size(),
            4u);  // f1, f3, f5, warning
  EXPECT_EQ(at(p, "not_proven", "low_confidence_tools"), R"(["send"])");
  EXPECT_EQ(at(p, "not_proven", "suppressed_finding_ids"), R"(["f4"])");
  EXPECT_EQ(at(p, "not_proven", "additional_residuals"), "[]");
}

TEST(Packet, TheVerdictFollowsTheDecisionAlone) {
  const std::pair<const char*, const char*> rows[] = {
      {"passed", "PASSED"},
      {"review_required", "REVIEW REQUIRED"},
      {"insufficient_evidence", "INSUFFICIENT EVIDENCE"},
      {"blocked", "BLOCKED"},
      {"something_new", "REVIEW REQUIRED"}};
  for (const auto& [decision, verdict] : rows) {
    const Map p = packet_of(Value(Map{{"release_decision", Map{{"decision", decision}}}}), {});
    EXPECT_EQ(Peek(p.find("release_decision"))["verdict"].text(), verdict) << decision;
  }
}

TEST(Packet, WhatAScanNeverProvesIsSaidInThisOrder) {
  const Map p = packet_of(Value(Map{}), {});
  std::vector<std::string_view> labels;
  for (const Value& row : Peek(p.find("not_proven"))["unconditional"].list())
    labels.push_back(Peek(row)["label"].text());
  EXPECT_EQ(labels, (std::vector<std::string_view>{"Prompt robustness", "Runtime behavior",
                                                   "Model correctness", "Adversarial resistance"}));
}

TEST(Packet, ARebuiltOneKnowsEvidenceFromFindingsAndSaysSo) {
  const auto p = packet_from(json(kReport), "report.json");
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(Peek(p->find("human_in_the_loop"))["source_provenance"].list().size(), 1u);
  EXPECT_EQ(Peek(p->find("not_proven"))["additional_residuals"].list().size(), 1u);
  EXPECT_EQ(at(*p, "human_in_the_loop", "provenance_mode"), R"("rebuilt_from_findings")");
}

TEST(Packet, OnlyReportsAndPacketsOfKnownSchemasAreTaken) {
  for (const char* text :
       {R"({})", R"([])", R"({"report_schema_version": "0.7"})",
        R"({"report_schema_version": "x"})", R"({"packet_schema_version": "0.7"})",
        R"({"packet_schema_version": "1.0"})", R"({"packet_schema_version": 6})"}) {
    const auto p = packet_from(json(text), "f");
    ASSERT_FALSE(p) << text;
    EXPECT_EQ(p.error().code, Code::bad_argument) << text;
  }
  for (const char* text :
       {R"({"report_schema_version": "0.8"})", R"({"packet_schema_version": "0.6"})",
        R"({"packet_schema_version": "0.2"})"})
    EXPECT_TRUE(packet_from(json(text), "f")) << text;
}

TEST(Packet, SecretsOfAnOldReportAreMasked) {
  const auto p = packet_from(
      json(R"({"report_schema_version": "0.8", "source_warnings": ["sk-ABCDEFGHIJKLMNOPQRSTUV"]})"),
      "f");
  ASSERT_TRUE(p);
  EXPECT_EQ(wire::spaced_json(Value(*p)).find("sk-ABC"), std::string::npos);
}

TEST(SchemaVersion, PartsCompareAsNumbers) {
  EXPECT_TRUE(is_schema_at_least("0.10", 9));
  EXPECT_FALSE(is_schema_at_least("0.9", 10));
  EXPECT_TRUE(is_schema_at_least("1.0", 22));
  for (const char* wrong : {"", "0", "0.", ".5", "0.x", "0.99999999999999999999", "a.b"})
    EXPECT_FALSE(is_schema_at_least(wrong, 0) && wrong[0] == '0') << wrong;
}

}  // namespace
}  // namespace gh::release
