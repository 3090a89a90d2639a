// What changed since an earlier report (docs/reference/release-report.md, Diffs).
#include "release/surface_diff.h"

#include <map>

#include <gtest/gtest.h>

#include "model/peek.h"
#include "release/scan.h"
#include "surface/memory_files.h"
#include "wire/spaced_json.h"

namespace gh::release {
namespace {

using FileMap = std::map<std::string, std::string>;

const std::string kHead =
    "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [help people]}\n"
    "environment: {target: staging}\ntool_sources: [{id: m, type: mcp, path: t.json}]\n";

ScanReport scanned(const std::string& manifest, const std::string& tools,
                   std::optional<DiffReference> reference = std::nullopt) {
  const auto read = surface::read_manifest(kHead + manifest, "shipgate.yaml");
  EXPECT_TRUE(read) << read.error().message;
  surface::MemoryFiles files(FileMap{{"t.json", tools}});
  ScanOptions options;
  options.today = "2026-02-01";
  options.diff_from = std::move(reference);
  auto report = scan(*read, files, options);
  EXPECT_TRUE(report) << report.error().message;
  return std::move(*report);
}

DiffReference reference_of(const ScanReport& report) {
  auto read = read_diff_reference(wire::report_json(report.document), "old.json");
  EXPECT_TRUE(read) << read.error().message;
  return std::move(*read);
}

const std::string kLook =
    R"({"name":"look","description":"Looks at one table.","annotations":{"readOnlyHint":true,"rollback":true}})";

/// (type, severity) of each modified row.
std::vector<std::pair<std::string, std::string>> changes(const ScanReport& report) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Value& row : Peek(report.document)["action_surface_diff"]["modified"].list())
    out.emplace_back(Peek(row)["type"].text(), Peek(row)["severity"].text());
  return out;
}

TEST(SurfaceDiff, NothingChangedMeansEmptyListsThatAreEnabled) {
  const ScanReport then = scanned("", "[" + kLook + "]");
  const ScanReport now = scanned("", "[" + kLook + "]", reference_of(then));
  const Peek tools = Peek(now.document)["tool_surface_diff"];
  EXPECT_TRUE(tools["enabled"].is_true());
  EXPECT_EQ(tools["base"]["kind"].text(), "report");
  EXPECT_EQ(tools["base"]["report_schema_version"].text(), "0.22");
  for (const char* list : {"tools", "high_risk_effects", "scopes", "controls", "metadata_changes",
                           "policy_drift", "notes"})
    EXPECT_TRUE(tools[list].list().empty()) << list;
  const Peek actions = Peek(now.document)["action_surface_diff"];
  EXPECT_TRUE(actions["enabled"].is_true());
  EXPECT_TRUE(changes(now).empty());
}

// "Basic Subscriptions" reads like the value of an authorization header.
const std::string kLooksSecret =
    R"({"name":"Delete Basic Subscriptions","description":"Deletes subscriptions of one customer.","inputSchema":{"properties":{"Basic QWxhZGRpbjpvcGVu":{"type":"string"}}},"auth":{"scopes":["Basic QWxhZGRpbjpvcGVu"]}})";

TEST(SurfaceDiff, WhatIsMaskedInAReportIsComparedAsItIsWritten) {
  const ScanReport then = scanned("", "[" + kLooksSecret + "," + kLook + "]");
  ASSERT_EQ(wire::report_json(then.document).find("Basic Subscriptions"), std::string::npos);
  const ScanReport now = scanned("", "[" + kLooksSecret + "," + kLook + "]", reference_of(then));
  const Peek tools = Peek(now.document)["tool_surface_diff"];
  for (const char* list : {"tools", "high_risk_effects", "scopes", "controls", "metadata_changes"})
    EXPECT_TRUE(tools[list].list().empty()) << list << wire::report_json(now.document);
  const Peek actions = Peek(now.document)["action_surface_diff"];
  for (const char* list : {"added", "removed", "modified"})
    EXPECT_TRUE(actions[list].list().empty()) << list;
  EXPECT_EQ(now.findings.size(), then.findings.size());
}

TEST(SurfaceDiff, OfTwoToolsThatAreMaskedAlikeTheNewOneIsSeen) {
  std::string other = kLooksSecret;
  other.replace(other.find("Subscriptions"), 13, "Subscribers22");
  const ScanReport then = scanned("", "[" + kLooksSecret + "]");
  const ScanReport now = scanned("", "[" + kLooksSecret + "," + other + "]", reference_of(then));
  const Peek document(now.document);
  EXPECT_EQ(document["tool_surface_diff"]["summary"]["tools_added"].number(), 1);
  EXPECT_EQ(document["action_surface_diff"]["added"].list().size(), 1u);
  EXPECT_TRUE(document["action_surface_diff"]["removed"].list().empty());
}

TEST(SurfaceDiff, AnEffectThatIsDeclaredAwayTakesNoSeverityWithIt) {
  const std::string wipe =
      R"([{"name":"wipe_all","description":"Wipes one table.","annotations":{"destructiveHint":true,"rollback":true}}])";
  const std::string gone =
      R"([{"name":"wipe_all","description":"Wipes one table.","annotations":{"destructiveHint":true}}])";
  const ScanReport then = scanned("", wipe);
  const ScanReport now = scanned("action_surface: {actions: [{tool: wipe_all, effect: read}]}\n",
                                 gone, reference_of(then));
  using Rows = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(changes(now), (Rows{{"SAFEGUARD_REMOVED", "critical"}}));
}

TEST(SurfaceDiff, WithoutAReferenceBothSaySo) {
  const ScanReport now = scanned("", "[]");
  for (const char* diff : {"tool_surface_diff", "action_surface_diff"}) {
    EXPECT_FALSE(Peek(now.document)[diff]["enabled"].is_true());
    EXPECT_EQ(Peek(now.document)[diff]["notes"].list().at(0), Value("no comparison source"));
  }
}

TEST(SurfaceDiff, ToolsScopesControlsAndPoliciesAreCompared) {
  const ScanReport then =
      scanned("policies: {require_approval_for_tools: [look]}\npermissions: {scopes: [a]}\n",
              R"([{"name":"look","description":"Looks at one table."},{"name":"gone"}])");
  const ScanReport now = scanned(
      "permissions: {scopes: [a, b]}\n",
      R"([{"name":"look","description":"Looks at another.","owner":"me","annotations":{"destructiveHint":true}},{"name":"fresh"}])",
      reference_of(then));
  const Peek diff = Peek(now.document)["tool_surface_diff"], summary = diff["summary"];
  const std::pair<const char*, std::int64_t> rows[] = {
      {"tools_added", 1},       {"tools_removed", 1},
      {"tools_changed", 1},     {"new_scopes", 1},
      {"removed_scopes", 0},    {"new_high_risk_effects", 1},
      {"controls_added", 0},    {"removed_high_risk_effects", 0},
      {"controls_removed", 1},  {"metadata_changes", 2},
      {"policy_drift_items", 1}};
  for (const auto& [name, count] : rows)
    EXPECT_EQ(summary[name].number(), count) << name;
  const List& tools = diff["tools"].list();
  ASSERT_EQ(tools.size(), 3u);
  EXPECT_EQ(Peek(tools[0])["name"].text(), "fresh");
  EXPECT_EQ(Peek(tools[1])["name"].text(), "gone");
  std::vector<std::string> fields;
  for (const Value& change : Peek(tools[2])["changes"].list())
    fields.emplace_back(Peek(change)["field"].text());
  EXPECT_EQ(fields, (std::vector<std::string>{"risk_tags", "owner", "description", "annotations"}));
  EXPECT_EQ(Peek(tools[2])["source_path"].text(), "t.json");
  EXPECT_EQ(diff["notes"].list().size(), 1u);  // a rename looks like this
}

TEST(SurfaceDiff, FindingsAreNewResolvedOrUnchanged) {
  const ScanReport then = scanned("", R"([{"name":"one"},{"name":"two"}])");
  const ScanReport now = scanned("", R"([{"name":"two"},{"name":"three"}])", reference_of(then));
  const Peek deltas = Peek(now.document)["tool_surface_diff"]["finding_deltas"];
  EXPECT_EQ(deltas["new_findings"].list().size(), 1u);
  EXPECT_EQ(deltas["resolved_findings"].list().size(), 1u);
  EXPECT_EQ(deltas["unchanged_findings"].list().size(), 1u);
  EXPECT_EQ(Peek(deltas["new_findings"].list()[0])["tool_name"].text(), "three");
  EXPECT_EQ(Peek(deltas["resolved_findings"].list()[0])["tool_name"].text(), "one");
}

TEST(ActionDiff, EachChangeIsARowOfItsSeverity) {
  struct Row {
    std::string then, now, then_manifest, now_manifest, type, severity;
  };
  const std::string plain = R"([{"name":"look","description":"Looks at one table."}])";
  const auto with = [](const std::string& more) {
    return R"([{"name":"look","description":"Looks at one table.",)" + more + "}]";
  };
  const std::string safe = R"("annotations":{"rollback":true,"destructiveHint":true})";
  const Row rows[] = {
      {plain, with(R"("auth":{"scopes":["a"]})"), "", "", "SCOPE_EXPANDED", "high"},
      {plain, with(R"("auth":{"scopes":["*"]})"), "", "", "SCOPE_EXPANDED", "critical"},
      {plain, plain, "policies: {require_approval_for_tools: [look]}\n", "", "APPROVAL_REMOVED",
       "critical"},
      {with(safe), with(R"("annotations":{"destructiveHint":true})"), "", "", "SAFEGUARD_REMOVED",
       "critical"},
      {with(R"("annotations":{"auditLog":true})"), plain, "", "", "SAFEGUARD_REMOVED", "high"},
      {with(R"("annotations":{"dryRun":true})"), plain, "", "", "SAFEGUARD_REMOVED", "high"},
      {with(R"("annotations":{"idempotentHint":true})"), plain, "", "", "SAFEGUARD_REMOVED",
       "high"},
      {plain, with(R"("inputSchema":{"properties":{"x":{}}})"), "", "", "INPUT_SCHEMA_EXPANDED",
       "medium"},
      {with(R"("inputSchema":{"properties":{"x":{"type":"string"}}})"),
       with(R"("inputSchema":{"properties":{"x":{"type":"integer"}}})"), "", "", "ACTION_MODIFIED",
       "medium"},
  };
  for (const Row& row : rows) {
    const ScanReport then = scanned(row.then_manifest, row.then);
    const ScanReport now = scanned(row.now_manifest, row.now, reference_of(then));
    const auto found = changes(now);
    ASSERT_EQ(found.size(), 1u) << row.now;
    EXPECT_EQ(found[0].first, row.type) << row.now;
    EXPECT_EQ(found[0].second, row.severity) << row.now;
  }
}

// The tags of docs/reference/release-report.md, typed out again.
TEST(ActionDiff, CriticalTagsAreThoseOfTheReference) {
  for (const char* tag : {"financial_write", "destructive", "production_ops", "identity_access",
                          "secret_access", "code_execution"})
    EXPECT_TRUE(surface::is_critical_tag(tag)) << tag;
  for (const char* tag : {"external_communication", "writes_data", "privileged_data", "read_only"})
    EXPECT_FALSE(surface::is_critical_tag(tag)) << tag;
}

TEST(ActionDiff, AnEffectThatGrowsIsToldWithItsTagsAndBlocks) {
  const ScanReport then = scanned("", "[" + kLook + "]");
  const ScanReport now = scanned(
      "",
      R"([{"name":"look","description":"Looks at one table.","annotations":{"destructiveHint":true,"rollback":true}}])",
      reference_of(then));
  const auto found = changes(now);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].first, "EFFECT_ESCALATED");
  EXPECT_EQ(found[1].first, "RISK_TAG_ADDED");
  EXPECT_EQ(now.decision.outcome, Outcome::blocked);
}

// docs/reference/release-report.md, "Diffs".
TEST(SurfaceDiff, TheReviewersSummaryCountsTheChanges) {
  const ScanReport then = scanned("", "[" + kLook + "]");
  const std::string other =
      R"({"name":"wipe","description":"Wipes one table clean.","annotations":{"destructiveHint":true}})";
  const ScanReport now =
      scanned("permissions: {scopes: [x]}\n", "[" + other + "]", reference_of(then));
  const Peek summary = Peek(now.document)["reviewer_summary"];
  // A tool added, one removed, a scope, an effect.
  EXPECT_EQ(summary["tool_surface_changes"].number(), 4);
  EXPECT_EQ(summary["action_surface_changes"].number(), 2);
  const ScanReport same = scanned("", "[" + kLook + "]", reference_of(then));
  EXPECT_EQ(Peek(same.document)["reviewer_summary"]["tool_surface_changes"].number(), 0);
  EXPECT_EQ(Peek(same.document)["reviewer_summary"]["action_surface_changes"].number(), 0);
}

TEST(SurfaceDiff, OtherDocumentsAreRefused) {
  EXPECT_FALSE(read_diff_reference("{}", "x.json"));
  EXPECT_FALSE(read_diff_reference("[", "x.json"));
  EXPECT_FALSE(read_diff_reference("7", "x.json"));
}

}  // namespace
}  // namespace gh::release
