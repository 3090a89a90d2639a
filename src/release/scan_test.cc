// Whole scans in memory: the worked examples of the reference, value by value.
#include "release/scan.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"
#include "release/packet.h"
#include "release/refund_demo.h"
#include "surface/memory_files.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::release {
namespace {

using FileMap = std::map<std::string, std::string>;

ScanReport scanned(const FileMap& files, ScanOptions options = {}) {
  if (options.today.empty()) options.today = "2026-11-17";
  const auto manifest = surface::read_manifest(files.at("shipgate.yaml"), "shipgate.yaml");
  EXPECT_TRUE(manifest) << manifest.error().message;
  surface::MemoryFiles memory(files);
  auto report = scan(*manifest, memory, options);
  EXPECT_TRUE(report) << report.error().message;
  return std::move(*report);
}

/// "CHECK severity", sorted, with how often it fired.
std::map<std::string, int> fired(const ScanReport& report) {
  std::map<std::string, int> out;
  for (const GatedFinding& f : report.findings)
    if (f.is_active())
      ++out[fmt::format("{} {}", f.finding.check_id, to_string(f.finding.severity))];
  return out;
}

std::string fingerprint(const ScanReport& report, std::string_view check, std::string_view tool) {
  for (const GatedFinding& f : report.findings)
    if (f.finding.check_id == check && f.finding.tool_name == tool) return f.fingerprint;
  return "none";
}

Peek at(const Value& document, std::string_view path) {
  Peek peek(document);
  for (const std::string_view part : split(path, '.')) {
    if (!part.empty() && part[0] >= '0' && part[0] <= '9')
      peek = Peek(peek.list().at(static_cast<std::size_t>(part[0] - '0')));
    else
      peek = peek[part];
  }
  return peek;
}

std::string written(const ScanReport& report) {
  std::string out;
  write_report(report, [&](std::string_view piece) { out += piece; });
  return out;
}

TEST(ScanReport, RowsThatAreLateAreWrittenAsTheirValuesWouldBe) {
  const ScanReport whole = scanned(refund_demo());
  const ScanReport late = scanned(refund_demo(), {.may_leave_rows = true});
  EXPECT_TRUE(whole.late.empty());
  EXPECT_EQ(late.late.size(), 2u);
  EXPECT_EQ(written(late), written(whole));
  EXPECT_EQ(written(whole), wire::report_json(whole.document));
  const auto packet = [](const ScanReport& r) {
    return wire::sorted_json(packet_of(r.document, {}));
  };
  EXPECT_EQ(packet(late), packet(whole));
}

TEST(ScanReport, RowsThatHoldASecretAreValues) {
  FileMap files = refund_demo();
  std::string& tools = files.at("tools/payments.mcp.json");
  const std::string name = "payments.create_refund";
  for (std::size_t at = tools.find(name); at != std::string::npos; at = tools.find(name, at + 1))
    tools.replace(at, name.size(), "ghp_0123456789abcdefghij0123456789abcdef");
  const ScanReport late = scanned(files, {.may_leave_rows = true});
  EXPECT_TRUE(late.late.empty());
  EXPECT_EQ(written(late).find("ghp_0123456789"), std::string::npos);
  EXPECT_EQ(written(late), written(scanned(files)));
}

// ---------------------------------------------- docs/reference/release-report.md, "A whole
// example"

TEST(WorkedExample, TheTwoFindingsComeInOrderWithTheirFingerprints) {
  const ScanReport r = scanned(refund_demo());
  ASSERT_EQ(r.findings.size(), 2u);
  EXPECT_EQ(r.findings[0].id, "fp_e132d0eac3cd0225");
  EXPECT_EQ(r.findings[0].finding.check_id, "SHIP-SCHEMA-MISSING-BOUNDS");
  EXPECT_EQ(r.findings[1].id, "fp_66b1208b9f2e40ab");
  EXPECT_EQ(r.findings[1].finding.title, "payments.create_refund lacks a declared approval policy");
}

TEST(WorkedExample, TheDecisionIsBlockedAndExitsZeroInAdvisoryMode) {
  const ScanReport r = scanned(refund_demo());
  const Value& d = r.document;
  EXPECT_EQ(
      wire::spaced_json(*d.as_map()->find("summary")),
      R"({"critical_count": 1, "evidence_coverage": "static", "high_count": 1, )"
      R"("human_review_recommended": true, "info_count": 0, "low_count": 0, "medium_count": 0, )"
      R"("status": "release_blockers_detected", "suppressed_count": 0})");
  EXPECT_EQ(at(d, "release_decision.decision").text(), "blocked");
  EXPECT_EQ(at(d, "release_decision.reason").text(), "1 active finding blocks release.");
  const Value source = Value(at(d, "release_decision.blockers.0.source").map());
  EXPECT_EQ(Peek(source)["type"].text(), "mcp");
  EXPECT_EQ(Peek(source)["ref"].text(), "tools/payments.mcp.json");
  EXPECT_EQ(Peek(source)["path"].text(), "tools/payments.mcp.json");
  EXPECT_EQ(Peek(source)["pointer"].text(), "/tools/1");
  EXPECT_EQ(Peek(source)["start_line"].number(), 39);
  EXPECT_EQ(
      wire::spaced_json(Value(at(d, "release_decision.blockers.0.policy_evidence_source").map())),
      R"({"location": null, "path": "shipgate.yaml", "pointer": "/policies/require_approval_for_tools", )"
      R"("ref": "shipgate.yaml", "type": "manifest"})");
  EXPECT_EQ(
      wire::spaced_json(Value(at(d, "release_decision.fail_policy").map())),
      R"({"ci_mode": "advisory", "exit_code": 0, "fail_on": [], "new_findings_only": false, "would_fail_ci": false})");
  EXPECT_EQ(at(d, "release_decision.contribution_rules.0.rationale").text(),
            "requires_human_review=true (severity=high); below blocker set [critical].");
  EXPECT_EQ(at(d, "release_decision.contribution_rules.1.rationale").text(),
            "severity=critical is in blocker set [critical]; baseline_status=null.");
}

TEST(WorkedExample, TheLensHasThePublishedIds) {
  const Value d = scanned(refund_demo()).document;
  EXPECT_EQ(at(d, "capability_facts.0.id").text(), "cap_fd4c23dad5d2e089");
  EXPECT_EQ(at(d, "capability_facts.0.capability").text(), "financial_action");
  EXPECT_EQ(at(d, "capability_facts.0.included_reason").text(), "referenced_by_critical_finding");
  EXPECT_EQ(at(d, "capability_facts.0.control_status").text(), "missing");
  EXPECT_EQ(at(d, "capability_facts").list().size(), 1u);
  EXPECT_EQ(at(d, "declared_intentions.0.id").text(), "int_9156b3c8f3b1b591");
  EXPECT_EQ(at(d, "declared_intentions.1.id").text(), "int_bc448f5eeecb5df3");
  EXPECT_EQ(at(d, "misalignments.0.id").text(), "mis_c582c5a929eedc28");
  EXPECT_EQ(at(d, "misalignments.0.kind").text(), "policy_gap");
  EXPECT_EQ(at(d, "misalignments.1.id").text(), "mis_d52d66739430f246");
  EXPECT_EQ(at(d, "misalignments.1.kind").text(), "control_missing");
  EXPECT_EQ(at(d, "suggested_scenarios.0.id").text(), "scn_bdb64bf798779325");
  EXPECT_EQ(at(d, "suggested_scenarios.1.id").text(), "scn_21659df937860a81");
}

TEST(WorkedExample, FactsHaveThePublishedHashes) {
  const Value d = scanned(refund_demo()).document;
  const auto tool = [&](std::string_view index, std::string_view hash) {
    return at(d, fmt::format("tool_surface_facts.tools.{}.hashes.{}", index, hash)).text();
  };
  EXPECT_EQ(tool("0", "source_ref"), "e3c5ca6f26da9747");
  EXPECT_EQ(tool("0", "description"), "c246c85145746734");
  EXPECT_EQ(tool("0", "input_schema"), "3713f3edc80d9ecd");
  EXPECT_EQ(tool("0", "output_schema"), "ca671d8025782919");
  EXPECT_EQ(tool("0", "parameters"), "3ff6abb410df5d0f");
  EXPECT_EQ(tool("0", "annotations"), "1f9a7cc7c90c44b6");
  EXPECT_EQ(tool("1", "description"), "c054e5a2e8740161");
  EXPECT_EQ(tool("1", "input_schema"), "6d12d9426efb591a");
  EXPECT_EQ(tool("1", "output_schema"), "0c8dc6039f663e43");
  EXPECT_EQ(tool("1", "parameters"), "943264fe57dc9e74");
  EXPECT_EQ(tool("1", "annotations"), "f8d4f6eb6c26b7a9");
  EXPECT_EQ(at(d, "tool_surface_facts.scopes").list().size(), 4u);
  EXPECT_EQ(at(d, "tool_surface_facts.policies.0.value_hash").text(), "d31ccd703fb2255c");
  EXPECT_EQ(at(d, "tool_surface_facts.policies.0.summary").text(), "financial_action");
  EXPECT_TRUE(at(d, "tool_surface_facts.controls").list().empty());
  const auto action = [&](std::string_view index, std::string_view key) {
    return at(d, fmt::format("action_surface_facts.actions.{}.{}", index, key)).text();
  };
  EXPECT_EQ(action("0", "action_id"),
            "agent:refund-demo/refund-agent:mcp:payments_mcp:orders.get_order");
  EXPECT_EQ(action("0", "effect"), "read");
  EXPECT_EQ(action("0", "hashes.identity_hash"), "a635b655c8143b9b");
  EXPECT_EQ(action("0", "hashes.risk_hash"), "9cefc7b827023da6");
  EXPECT_EQ(action("1", "effect"), "financial_write");
  EXPECT_EQ(action("1", "hashes.identity_hash"), "7c2476687fdb1f59");
  EXPECT_EQ(action("1", "hashes.schema_hash"), "61d00948ea3dc344");
  EXPECT_EQ(action("1", "hashes.policy_hash"), "341da846cc5e9e55");
  EXPECT_EQ(action("1", "hashes.risk_hash"), "aa620e803287ccea");
}

TEST(WorkedExample, TheSummariesSayWhatIsPrinted) {
  ScanOptions options;
  options.outputs = {{"markdown", "r.md"},
                     {"json", "r.json"},
                     {"packet_md", "p"},
                     {"packet_json", "p"},
                     {"packet_html", "p"}};
  const Value d = scanned(refund_demo(), options).document;
  EXPECT_EQ(at(d, "agent_summary.headline").text(),
            "1 active finding(s) block release; 1 further review item(s).");
  EXPECT_EQ(at(d, "agent_summary.needs_human_review").number(), 2);
  EXPECT_EQ(
      at(d, "agent_summary.first_recommended_action.why").text(),
      "Surface SHIP-POLICY-APPROVAL-MISSING on payments.create_refund; release is blocked and no "
      "patch is auto-applicable.");
  EXPECT_EQ(at(d, "reviewer_summary.headline").text(),
            "Release blocked: 3 lens change(s). Start at release_decision.");
  EXPECT_EQ(at(d, "reviewer_summary.capability_misalignments").number(), 2);
  EXPECT_EQ(at(d, "reviewer_summary.evidence_matrix_gaps").number(), 1);
  EXPECT_EQ(at(d, "verifier_summary.top_reason_codes.0.reason_code").text(),
            "SHIP-POLICY-APPROVAL-MISSING");
  EXPECT_EQ(wire::spaced_json(Value(at(d, "privacy_audit.output_surfaces").list())),
            R"(["json", "markdown", "packet_html", "packet_json", "packet_md"])");
  EXPECT_EQ(
      wire::spaced_json(Value(at(d, "tool_surface").map())),
      R"({"high_risk_tools": 1, "missing_descriptions": 0, "sources": {"mcp": 2}, "total_tools": 2, "wildcard_tools": 0})");
}

// docs/reference/release-report.md, "Top-level keys".
TEST(Report, TellsTheProfileWhenItIsNotTheContracts) {
  ScanOptions options;
  options.profile = surface::Profile::extended;
  EXPECT_EQ(at(scanned(refund_demo(), options).document, "environment.profile").text(), "extended");
  EXPECT_FALSE(at(scanned(refund_demo()).document, "environment.profile").exists());
}

// docs/reference/release-report.md, "Top-level keys".
TEST(Report, HasEveryTopLevelKeyInOrder) {
  const Value d = scanned(refund_demo()).document;
  const std::vector<std::string> want = {"schema_version",
                                         "report_schema_version",
                                         "run_id",
                                         "manifest_dir",
                                         "project",
                                         "agent",
                                         "environment",
                                         "summary",
                                         "release_decision",
                                         "capability_facts",
                                         "declared_intentions",
                                         "misalignments",
                                         "release_consequence",
                                         "suggested_scenarios",
                                         "tool_surface",
                                         "tool_surface_facts",
                                         "tool_surface_diff",
                                         "action_surface_facts",
                                         "action_surface_diff",
                                         "api_surface",
                                         "anthropic_surface",
                                         "frameworks",
                                         "codex_plugin_surface",
                                         "baseline",
                                         "findings",
                                         "recommended_actions",
                                         "generated_reports",
                                         "loaded_policy_packs",
                                         "loaded_plugins",
                                         "loaded_adapters",
                                         "tool_inventory",
                                         "source_warnings",
                                         "agent_summary",
                                         "policy_audit",
                                         "privacy_audit",
                                         "heuristics_filter",
                                         "reviewer_summary",
                                         "verifier_summary",
                                         "capability_change",
                                         "protected_surface_changes",
                                         "effective_policy",
                                         "human_ack"};
  std::vector<std::string> have;
  for (const auto& entry : d.as_map()->entries())
    have.push_back(entry.first);
  EXPECT_EQ(have, want);
}

TEST(WorkedExample, VariantsEndAsTheTableSays) {
  ScanOptions strict;
  strict.ci_mode = CiMode::strict;
  EXPECT_EQ(scanned(refund_demo(), strict).decision.exit_code, 1);
  ScanOptions high;
  high.fail_on = std::vector{FindingSeverity::high};
  const ScanReport failed = scanned(refund_demo(), high);
  EXPECT_EQ(failed.decision.blockers.size(), 2u);
  EXPECT_TRUE(failed.decision.review_items.empty());
  EXPECT_EQ(failed.decision.exit_code, 1);
  const ScanReport first = scanned(refund_demo());
  const std::string bytes = write_baseline(first.findings, {.project = Map{},
                                                            .agent = Map{},
                                                            .created_at = "2026-01-01T00:00:00Z",
                                                            .run_id = "r",
                                                            .scanner_version = "0",
                                                            .tool_surface_facts = {},
                                                            .action_surface_facts = {}});
  const auto baseline = read_baseline(bytes, "b.json");
  ASSERT_TRUE(baseline) << baseline.error().message;
  strict.baseline = BaselineFile{.baseline = *baseline, .bytes = bytes, .path = "b.json"};
  strict.baseline->log =
      audit_line({"2026-01-01T00:00:00Z", "r", "0", "b.json", "", digest_of(bytes).tagged()}) +
      "\n";
  const ScanReport accepted = scanned(refund_demo(), strict);
  EXPECT_EQ(accepted.decision.outcome, Outcome::review_required);
  EXPECT_EQ(accepted.decision.reason, "2 findings require human review before shipping.");
  EXPECT_EQ(accepted.decision.contributions[0].as.rule, Rule::review_required);
  EXPECT_EQ(accepted.decision.contributions[1].as.rule, Rule::severity_baseline_accepted);
  EXPECT_EQ(accepted.decision.exit_code, 0);
  EXPECT_EQ(accepted.decision.summary.status, "release_blockers_detected");
}

TEST(Report, SameInputGivesTheSameBytesWhereverItLies) {
  ScanOptions there;
  there.manifest_dir = "/elsewhere";
  Value one = scanned(refund_demo()).document, two = scanned(refund_demo(), there).document;
  EXPECT_EQ(wire::report_json(one), wire::report_json(scanned(refund_demo()).document));
  two.as_map()->set("manifest_dir", nullptr);
  EXPECT_EQ(wire::report_json(one), wire::report_json(two));
}

// ----------------------------------------------------- docs/reference/tool-surface.md, "Examples"

const std::string kHead = "version: \"0.1\"\nproject: {name: p}\n";

TEST(Examples, AReadOnlyAgentPasses) {
  const ScanReport r =
      scanned({{"shipgate.yaml",
                kHead + "agent: {name: docs, declared_purpose: [answer questions about docs]}\n"
                        "environment: {target: staging}\n"
                        "tool_sources: [{id: docs, type: mcp, path: t.json}]\n"},
               {"t.json",
                R"([{"name":"search_docs","description":"Search the public documentation by words.",
                       "annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}}])"}});
  EXPECT_EQ(r.decision.outcome, Outcome::passed);
  EXPECT_TRUE(r.findings.empty());
  EXPECT_EQ(at(r.document, "tool_inventory.0.risk_tags").list(), (List{"read_only"}));
  EXPECT_FALSE(at(r.document, "reviewer_summary.first_recommended_surface").exists());
}

TEST(Examples, TheTicketLookupAgentPasses) {
  const ScanReport r = scanned(
      {{"shipgate.yaml", kHead +
                             "agent: {name: tickets, declared_purpose: [look up support tickets]}\n"
                             "environment: {target: staging}\n"
                             "tool_sources: [{id: tickets, type: mcp, path: t.json}]\n"},
       {"t.json",
        R"([{"name":"lookup_ticket","description":"Look up one support ticket by its number.",
               "annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}])"}});
  EXPECT_EQ(r.decision.outcome, Outcome::passed);
  EXPECT_TRUE(r.findings.empty());
  EXPECT_EQ(at(r.document, "tool_surface.total_tools").number(), 1);
  EXPECT_EQ(at(r.document, "tool_surface.high_risk_tools").number(), 0);
  EXPECT_EQ(at(r.document, "tool_inventory.0.risk_tags").list(), (List{"read_only"}));
}

FileMap refund_api() {
  return {
      {"shipgate.yaml", kHead + R"(agent:
  name: refunds
  declared_purpose: [help support staff decide on refunds]
  prohibited_actions: [issue a refund without approval, send external email without confirmation]
environment: {target: production_like}
openai_api:
  prompt_files: [prompt.md]
  tools: [tools.json]
  response_formats: [{path: format.json, downstream_critical_fields: [decision]}]
  model_config: model.json
  test_cases: [tests.json]
  trace_samples: [traces.jsonl]
  policy_rules: [rules.json]
)"},
      {"prompt.md", "You are an assistant. Advise only, and be polite."},
      {"tools.json",
       R"([{"type":"function","function":{"name":"create_refund","description":"Create a refund for an order.",
             "parameters":{"type":"object","properties":{"order_id":{"type":"string"},"amount":{"type":"number"}},"required":["order_id"]}}},
            {"type":"function","function":{"name":"send_customer_email","description":"Send an email to the customer.",
             "parameters":{"type":"object","properties":{"to":{"type":"string"},"message":{"type":"string"}},"required":["to","message"]}}}])"},
      {"format.json",
       R"({"type":"object","additionalProperties":false,"properties":{"decision":{"type":"string"},"error":{"type":"string"}}})"},
      {"model.json", R"({"model":"m","retry_policy":{"max_attempts":3}})"},
      {"tests.json", R"([{"name":"refund"}])"},
      {"traces.jsonl",
       "{\"tool_name\":\"create_refund\",\"approved\":false}\n{\"tool_name\":\"send_customer_"
       "email\",\"confirmed\":true}\n"},
      {"rules.json",
       R"({"approval_required":["create_refund"],"confirmation_required":["send_customer_email"],
                            "tool_output_schemas":{"create_refund":{"type":"object"}}})"}};
}

TEST(Examples, TheRefundApiAgentHasTwentyReviewItems) {
  const ScanReport r = scanned(refund_api());
  EXPECT_EQ(fired(r),
            (std::map<std::string, int>{{"SHIP-API-FUNCTION-SCHEMA-STRICTNESS high", 2},
                                        {"SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH high", 1},
                                        {"SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH medium", 1},
                                        {"SHIP-API-RETRY-WITHOUT-IDEMPOTENCY high", 2},
                                        {"SHIP-API-STRUCTURED-OUTPUT-READINESS medium", 1},
                                        {"SHIP-API-TIMEOUT-MISSING medium", 1},
                                        {"SHIP-API-TOOL-OUTPUT-SCHEMA-MISSING medium", 1},
                                        {"SHIP-API-TRACE-APPROVAL-MISSING medium", 1},
                                        {"SHIP-AUTH-MISSING-SCOPE high", 2},
                                        {"SHIP-MANIFEST-HIGH-RISK-OWNER-MISSING high", 2},
                                        {"SHIP-SCHEMA-BROAD-FREE-TEXT high", 1},
                                        {"SHIP-SCHEMA-MISSING-BOUNDS high", 1},
                                        {"SHIP-SCOPE-PROHIBITED-TOOL-PRESENT high", 2},
                                        {"SHIP-SIDEFX-IDEMPOTENCY-MISSING high", 2}}));
  EXPECT_EQ(r.decision.outcome, Outcome::review_required);
  EXPECT_TRUE(r.decision.blockers.empty());
  EXPECT_EQ(r.decision.review_items.size(), 20u);
  EXPECT_EQ(at(r.document, "tool_surface.high_risk_tools").number(), 2);
  EXPECT_EQ(at(r.document, "tool_inventory.0.name").text(), "create_refund");
  EXPECT_EQ(at(r.document, "tool_inventory.0.risk_tags").list(),
            (List{"financial_action", "write"}));
  EXPECT_EQ(at(r.document, "tool_inventory.1.name").text(), "send_customer_email");
  EXPECT_EQ(at(r.document, "tool_inventory.1.risk_tags").list(),
            (List{"customer_communication", "external_write", "write"}));
  EXPECT_EQ(fingerprint(r, "SHIP-SCHEMA-BROAD-FREE-TEXT", "send_customer_email"),
            "fp_07538ba8f9532359");
  EXPECT_EQ(fingerprint(r, "SHIP-AUTH-MISSING-SCOPE", "create_refund"), "fp_58b3202c0a4d9793");
  EXPECT_EQ(fingerprint(r, "SHIP-AUTH-MISSING-SCOPE", "send_customer_email"),
            "fp_45ef3ff3ce2cf187");
  EXPECT_EQ(fingerprint(r, "SHIP-SIDEFX-IDEMPOTENCY-MISSING", "create_refund"),
            "fp_e9d63903757dfe07");
  EXPECT_EQ(fingerprint(r, "SHIP-MANIFEST-HIGH-RISK-OWNER-MISSING", "create_refund"),
            "fp_d9059d0c1f3540af");
  EXPECT_EQ(fingerprint(r, "SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH", ""), "fp_1b64e136ace3472a");
  EXPECT_EQ(fingerprint(r, "SHIP-SCHEMA-MISSING-BOUNDS", "create_refund"), "fp_c2d773062468ceac");
  EXPECT_EQ(fingerprint(r, "SHIP-API-TIMEOUT-MISSING", ""), "fp_28483a22a9ed40cb");
}

// Both are asked for; a prompt with one of them lacks the other (docs/adr/0045).
TEST(ApiChecks, APromptAsksForConfirmationAndForApproval) {
  const auto medium = [](const std::string& prompt) {
    FileMap files = refund_api();
    files["prompt.md"] = prompt;
    const auto all = fired(scanned(files));
    return all.contains("SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH medium");
  };
  EXPECT_TRUE(medium("Be polite."));
  EXPECT_TRUE(medium("Ask before you act."));
  EXPECT_TRUE(medium("A refund needs approval."));
  EXPECT_FALSE(medium("A refund needs approval; confirm it with the customer."));
  EXPECT_FALSE(medium("Explicit consent first, then human review."));
}

TEST(ApiChecks, AFindingAboutARecordedCallIsAboutTheAgent) {
  const ScanReport r = scanned(refund_api());
  const auto f = std::ranges::find(r.findings, "SHIP-API-TRACE-APPROVAL-MISSING",
                                   [](const GatedFinding& g) { return g.finding.check_id; });
  ASSERT_NE(f, r.findings.end());
  EXPECT_EQ(f->finding.tool_name, "");
  EXPECT_EQ(wire::spaced_json(f->finding.evidence),
            R"({"approved": false, "tool_name": "create_refund"})");
}

TEST(SchemaChecks, KnowTheTypesOfPython) {
  FileMap files{{"shipgate.yaml",
                 "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [x]}\n"
                 "environment: {target: local}\n"
                 "tool_sources: [{id: s, type: openai_agents_sdk, path: sdk.py},\n"
                 "  {id: l, type: langchain, path: chain.py}]\n"},
                {"sdk.py", R"(from agents import function_tool
@function_tool
def send_refund(amount: float, count: Optional[int], message: str, total: Annotated[float, Field(le=9)],
                action: Literal["a"]) -> str:
    """Sends a refund."""
)"},
                {"chain.py", R"(from langchain.tools import tool
from pydantic import BaseModel, Field
class Args(BaseModel):
    quantity: int
    limit: int = Field(..., le=5)
    body: str | None = None
@tool(args_schema=Args)
def update_order(**given):
    """Updates an order."""
)"}};
  std::set<std::string> seen;
  for (const GatedFinding& g : scanned(files).findings)
    if (surface::is_one_of(g.finding.check_id,
                           "SHIP-SCHEMA-BROAD-FREE-TEXT SHIP-SCHEMA-MISSING-BOUNDS"))
      seen.insert(fmt::format("{} {} {}", g.finding.check_id, g.finding.tool_name,
                              wire::spaced_json(g.finding.evidence)));
  EXPECT_EQ(
      seen,
      (std::set<std::string>{
          R"(SHIP-SCHEMA-BROAD-FREE-TEXT send_refund {"parameter": "message", "type": "string"})",
          R"(SHIP-SCHEMA-BROAD-FREE-TEXT update_order {"parameter": "body", "type": "string"})",
          R"(SHIP-SCHEMA-MISSING-BOUNDS send_refund {"parameter": "amount", "type": "number"})",
          R"(SHIP-SCHEMA-MISSING-BOUNDS send_refund {"parameter": "count", "type": "integer"})",
          R"(SHIP-SCHEMA-MISSING-BOUNDS update_order {"parameter": "quantity", "type": "integer"})"}));
}

TEST(GateRules, KnowSecretsInTheServersOfACodexPlugin) {
  FileMap files = refund_demo();
  const std::string source = "{id: payments_mcp,";
  std::string& manifest = files["shipgate.yaml"];
  manifest.insert(manifest.find(source), "{id: c, type: codex_plugin, path: plug}\n  - ");
  files["plug/.codex-plugin/plugin.json"] =
      R"({"name": "plug", "version": "1.0.0", "description": "A plugin."})";
  for (const auto& [name, is_secret] :
       {std::pair{"STRIPE_SECRET_KEY", true}, std::pair{"OPENAI_API_KEY", true},
        std::pair{"SECRET_KEY_BASE", true}, std::pair{"PGPASSWORD", true},
        std::pair{"AWS_CREDENTIALS", true}, std::pair{"SIGNING_KEY", true},
        std::pair{"PRIMARY_KEY", false}, std::pair{"LOG_LEVEL", false},
        std::pair{"MAX_TOKENS", false}}) {
    files["plug/.mcp.json"] = fmt::format(
        R"({{"mcpServers": {{"pay": {{"command": "pay", "env": {{"{}": "v"}}}}}}}})", name);
    const auto seen = fired(scanned(files, {.profile = surface::Profile::extended}));
    EXPECT_EQ(seen.contains("GATE-ENV-PASSTHROUGH high"), is_secret) << name;
  }
}

TEST(GateRules, LookAtTheServersThatAnAgentStarts) {
  FileMap files = refund_demo();
  const std::string source = "{id: payments_mcp,";
  std::string& manifest = files["shipgate.yaml"];
  manifest.insert(manifest.find(source), "{id: a, type: openai_agents_sdk, path: a.py}\n  - ");
  files["a.py"] =
      "from agents.mcp import MCPServerStdio\nimport os\n"
      "MCPServerStdio(params={'command': 'npx', 'args': ['-y', '@a/b'],\n"
      "                       'env': {'STRIPE_SECRET_KEY': os.environ['KEY']}})\n";
  const auto seen = fired(scanned(files, {.profile = surface::Profile::extended}));
  EXPECT_TRUE(seen.contains("GATE-EXEC-UNPINNED high"));
  EXPECT_TRUE(seen.contains("GATE-ENV-PASSTHROUGH high"));
}

TEST(GateRules, AVerbThatMayMeanAnythingClassifiesNothing) {
  for (const auto& [name, description, is_unclassified] :
       {std::tuple{"set_password", "", true}, std::tuple{"run_job", "Runs it.", true},
        std::tuple{"run_payroll", "", true}, std::tuple{"request_wire", "", true},
        std::tuple{"query_orders", "", true}, std::tuple{"query_orders", "Lists orders.", false},
        std::tuple{"list_orders", "", false}, std::tuple{"drop_table", "", false}}) {
    FileMap files = refund_demo();
    files["tools/payments.mcp.json"] =
        fmt::format(R"({{"tools": [{{"name": "{}", "description": "{}"}}]}})", name, description);
    const auto seen = fired(scanned(files, {.profile = surface::Profile::extended}));
    EXPECT_EQ(seen.contains("GATE-RISK-UNCLASSIFIED medium") ||
                  seen.contains("GATE-RISK-UNCLASSIFIED high"),
              is_unclassified)
        << name;
  }
}

TEST(GateRules, LookAtTheServersOfACodexConfigurationToo) {
  FileMap files = refund_demo();
  const std::string source = "{id: payments_mcp,";
  std::string& manifest = files["shipgate.yaml"];
  manifest.insert(manifest.find(source), "{id: c, type: codex_config, path: .codex}\n  - ");
  files[".codex/config.toml"] =
      "[mcp_servers.db]\ncommand = \"npx\"\nargs = [\"-y\", \"@a/b\"]\n"
      "env = {DB_PASSWORD = \"v\"}\n";
  const auto seen = fired(scanned(files, {.profile = surface::Profile::extended}));
  EXPECT_TRUE(seen.contains("GATE-EXEC-UNPINNED high"));
  EXPECT_TRUE(seen.contains("GATE-ENV-PASSTHROUGH high"));
  files[".codex/config.toml"] = "[mcp_servers.db]\ncommand = \"npx\"\nargs = [\"@a/b@1.2.3\"]\n";
  const auto pinned = fired(scanned(files, {.profile = surface::Profile::extended}));
  EXPECT_FALSE(pinned.contains("GATE-EXEC-UNPINNED high"));
  EXPECT_FALSE(pinned.contains("GATE-ENV-PASSTHROUGH high"));
}

TEST(Manifests, MayNameTheChecksThatOnlyAComparisonFires) {
  FileMap files = refund_demo();
  files["shipgate.yaml"] += R"(checks:
  ignore: [{check_id: SHIP-VERIFY-TRUST-ROOT-TOUCHED, reason: known}]
  severity_overrides: {SHIP-HOST-BOUNDARY-HOOK-CHANGED: critical}
)";
  const ScanReport r = scanned(files);
  EXPECT_EQ(r.findings.size(), 2u);

  std::string low = files["shipgate.yaml"];
  low.replace(low.find("HOOK-CHANGED: critical"), 22, "HOOK-CHANGED: low");
  const auto manifest = surface::read_manifest(low, "shipgate.yaml");
  surface::MemoryFiles memory(files);
  const auto refused = scan(*manifest, memory, {.today = "2026-11-17"});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(contains(refused.error().message, "its floor is medium")) << refused.error().message;
}

TEST(Examples, LimitedAutoApprovalWithoutEvidenceLacksAllFour) {
  const ScanReport r =
      scanned({{"shipgate.yaml", kHead + R"(agent: {name: a, declared_purpose: [issue refunds]}
environment: {target: staging}
tool_sources: [{id: m, type: mcp, path: t.json}]
permissions: {scopes: [refunds:write]}
risk_overrides: {tools: {issue_refund: {tags: [financial_action, write], owner: team, reason: money}}}
policies: {require_approval_for_tools: [issue_refund], require_idempotency_for_tools: [issue_refund]}
validation:
  mode: human_in_the_loop
  target_review_posture: limited_auto_approval
  required_evidence: {approval_trace_required: true, override_reason_required: true, high_risk_auto_approval_exclusion_required: true}
)"},
               {"t.json",
                R"([{"name":"issue_refund","description":"Issue a refund for one captured payment.",
          "inputSchema":{"type":"object","properties":{"amount":{"type":"number","maximum":100},"idempotency_key":{"type":"string"}}},
          "auth":{"type":"oauth2","scopes":["refunds:write"]}}])"}});
  EXPECT_EQ(fired(r),
            (std::map<std::string, int>{{"SHIP-EVIDENCE-APPROVAL-TRACE-MISSING high", 1},
                                        {"SHIP-EVIDENCE-HIGH-RISK-EXCLUSION-MISSING high", 1},
                                        {"SHIP-EVIDENCE-HITL-PROMOTION-CRITERIA-MISSING high", 1},
                                        {"SHIP-EVIDENCE-OVERRIDE-REASON-MISSING high", 1}}));
  EXPECT_EQ(r.decision.outcome, Outcome::review_required);
  EXPECT_EQ(r.decision.review_items.size(), 4u);
  EXPECT_EQ(fingerprint(r, "SHIP-EVIDENCE-APPROVAL-TRACE-MISSING", "issue_refund"),
            "fp_57fdd82076ed9a63");
  for (const GatedFinding& f : r.findings)
    EXPECT_EQ(*f.finding.evidence.find("reason"), Value("file_missing"));
}

TEST(Examples, ALangChainAgentIsKnownFromWeakEvidenceOnly) {
  const ScanReport r = scanned(
      {{"shipgate.yaml", kHead + "agent: {name: a}\nenvironment: {target: staging}\n"
                                 "tool_sources: [{id: lc, type: langchain, path: agent.py}]\n"},
       {"agent.py", R"(from langchain.agents import create_agent
from langchain_core.tools import StructuredTool, tool
from pydantic import BaseModel, Field

class Query(BaseModel):
    text: str = Field(description="What to look for")

@tool(args_schema=Query)
def find_article(text: str) -> dict:
    """Find articles of the knowledge base by their words."""
    return {}

def weather(city: str) -> dict:
    """Tell the weather of a city as structured data."""
    return {}

weather_tool = StructuredTool.from_function(func=weather, name="weather", description="Tell the weather of one city.")
agent = create_agent("model", tools=[find_article, weather_tool])
)"}});
  EXPECT_TRUE(r.findings.empty()) << r.findings[0].finding.check_id;
  EXPECT_EQ(r.tool_count, 2);
  EXPECT_EQ(r.decision.low_confidence_tools, 2);
  EXPECT_EQ(r.decision.source_warnings, 0);
  EXPECT_EQ(r.decision.outcome, Outcome::insufficient_evidence);
}

TEST(Examples, ToolsOfAFactoryCannotBeListed) {
  const ScanReport r =
      scanned({{"shipgate.yaml",
                kHead + "agent: {name: a, declared_purpose: [help people]}\n"
                        "environment: {target: staging}\n"
                        "tool_sources: [{id: agent, type: openai_agents_sdk, path: agent.py}]\n"},
               {"agent.py",
                "from agents import Agent\nfrom factory import make_tools\nagent = Agent(name='a', "
                "tools=make_tools())\n"}});
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].fingerprint, "fp_61386e06eb8b5937");
  EXPECT_EQ(r.findings[0].finding.severity, FindingSeverity::high);
  EXPECT_EQ(r.decision.outcome, Outcome::review_required);
}

TEST(Redaction, NoSecretReachesTheReport) {
  FileMap files = refund_demo();
  std::string& tools = files["tools/payments.mcp.json"];
  const std::string secret = "sk-abcdefghijklmnopqrstuvwx";
  tools.replace(tools.find("Look up one"), 11, "Uses " + secret + " to look up one");
  const ScanReport r = scanned(files);
  const std::string text = wire::report_json(r.document);
  EXPECT_FALSE(contains(text, secret));
  EXPECT_FALSE(contains(text, "sk-abcdef"));
}

}  // namespace
}  // namespace gh::release
