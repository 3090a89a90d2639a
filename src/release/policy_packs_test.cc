// Policy packs (docs/reference/release-packs.md).
#include "release/policy_packs.h"

#include <map>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"
#include "release/scan.h"
#include "surface/memory_files.h"

namespace gh::release {
namespace {

using FileMap = std::map<std::string, std::string>;

const std::string kHead =
    "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [help people]}\n"
    "environment: {target: staging}\ntool_sources: [{id: m, type: mcp, path: t.json}]\n";
const std::string kTools =
    R"([{"name":"wipe","description":"Wipes one table of the database.","annotations":{"destructiveHint":true},"inputSchema":{"properties":{"limit":{"type":"integer","maximum":500}},"required":["limit"]},"auth":{"type":"oauth2","scopes":["db:write"]}},
       {"name":"look","description":"Looks at one table of the database.","annotations":{"readOnlyHint":true}}])";

std::string pack(const std::string& match, const std::string& more = "") {
  return "id: team\nversion: '3'\nrules:\n  - {id: TEAM-1, severity: low, recommendation: Ask., "
         "match: {" +
         match + "}" + more + "}\n";
}

Result<ScanReport> scanned(const std::string& manifest, FileMap files, ScanOptions options = {}) {
  files.emplace("t.json", kTools);
  const auto read = surface::read_manifest(kHead + manifest, "shipgate.yaml");
  EXPECT_TRUE(read) << read.error().message;
  surface::MemoryFiles memory(std::move(files));
  options.today = "2026-02-01";
  return scan(*read, memory, options);
}

std::vector<const GatedFinding*> of_pack(const ScanReport& report) {
  std::vector<const GatedFinding*> out;
  for (const GatedFinding& g : report.findings)
    if (g.finding.provenance == checks::Provenance::policy_pack) out.push_back(&g);
  return out;
}

std::vector<std::string> hit(const std::string& match) {
  const auto report = scanned("checks: {policy_packs: [p.yaml]}\n", {{"p.yaml", pack(match)}});
  EXPECT_TRUE(report) << report.error().message;
  std::vector<std::string> out;
  for (const GatedFinding* g : report ? of_pack(*report) : std::vector<const GatedFinding*>{})
    out.push_back(g->finding.tool_name);
  return out;
}

// docs/reference/release-packs.md, one row per member of a match.
TEST(PolicyPacks, EveryMemberOfAMatchHoldsOrNot) {
  const std::vector<std::string> both{"wipe", "look"}, wipe{"wipe"}, look{"look"}, none;
  const std::pair<std::string, std::vector<std::string>> rows[] = {
      {"", both},
      {"risk_tags: [destructive]", wipe},
      {"risk_tags: [financial_action]", none},
      {"source_types: [mcp, openapi]", both},
      {"source_types: [openapi]", none},
      {"environment_targets: [staging]", both},
      {"environment_targets: [production]", none},
      {"missing_owner: true", both},
      {"missing_owner: false", none},
      {"missing_auth_scopes: true", look},
      {"missing_auth_scopes: false", wipe},
      {"missing_approval_policy: true", both},
      {"missing_confirmation_policy: false", none},
      {"missing_idempotency_policy: true", both},
      {"parameters: [{name: limit}]", wipe},
      {"parameters: [{names: [x, limit], types: [integer]}]", wipe},
      {"parameters: [{name: limit, types: [string]}]", none},
      {"parameters: [{name: limit, missing_maximum: true}]", none},
      {"parameters: [{required: true}]", wipe},
      {"parameters: [{maximum_above: 499}]", wipe},
      {"parameters: [{maximum_above: 500}]", none},
      {"parameters: [{minimum_below: 5}]", none},
      {"capability: {tool_names: [look]}", look},
      {"capability: {providers: [m]}", both},
      {"capability: {operations: [wipe]}", wipe},
      {"capability: {effects: [destructive]}", wipe},
      {"capability: {scopes: ['db:write']}", wipe},
      {"capability: {auth_types: [oauth2]}", wipe},
      {"capability: {credential_modes: [user]}", none},
      {"capability: {high_risk: true}", wipe},
      {"capability: {high_risk: false}", look},
      {"capability: {broad_scope: true}", none},
      {"capability: {externally_visible: false, financial: false, code_execution: false, "
       "handles_sensitive_data: false}",
       both},
      {"all_of: [{risk_tags: [destructive]}, {missing_auth_scopes: false}]", wipe},
      {"any_of: [{risk_tags: [destructive]}, {missing_auth_scopes: true}]", both},
      {"none_of: [{risk_tags: [destructive]}]", look},
      {"source_types: [mcp], none_of: [{any_of: [{risk_tags: [destructive]}]}]", look},
  };
  for (const auto& [match, tools] : rows)
    EXPECT_EQ(hit(match), tools) << match;
}

TEST(PolicyPacks, AFindingCarriesTheRuleAndWhatWasTested) {
  const auto report =
      scanned("checks: {policy_packs: [{path: p.yaml, id: mine}]}\n",
              {{"p.yaml", pack("risk_tags: [destructive, write], parameters: [{name: limit}]")}});
  ASSERT_TRUE(report) << report.error().message;
  const auto found = of_pack(*report);
  ASSERT_EQ(found.size(), 1u);
  const checks::Finding& f = found[0]->finding;
  EXPECT_EQ(f.check_id, "TEAM-1");
  EXPECT_EQ(f.title, "Policy pack rule TEAM-1 matched");
  EXPECT_EQ(f.category, "policy_pack");
  EXPECT_FALSE(f.blocks_release);
  EXPECT_EQ(f.source->type, "policy_pack");
  EXPECT_EQ(f.source->ref, "p.yaml");
  EXPECT_EQ(
      f.evidence,
      (Map{{"policy_pack", "mine"},
           {"policy_pack_path", "p.yaml"},
           {"risk_tags", List{"destructive", "write"}},
           {"parameters",
            List{Map{
                {"name", "limit"}, {"type", "integer"}, {"required", true}, {"maximum", 500}}}}}));
  const Value& row = Peek(report->document)["loaded_policy_packs"].list().at(0);
  EXPECT_EQ(row, Value(Map{{"id", "mine"},
                           {"name", "mine"},
                           {"version", "3"},
                           {"path", "p.yaml"},
                           {"rule_count", 1}}));
}

TEST(PolicyPacks, ARuleThatBlocksBlocksWhateverItsSeverity) {
  const std::string blocking = pack("missing_auth_scopes: true", ", block: true");
  const auto report = scanned("checks: {policy_packs: [p.yaml]}\n", {{"p.yaml", blocking}});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->decision.outcome, Outcome::blocked);
  const auto hidden = scanned(
      "checks: {policy_packs: [p.yaml], ignore: [{check_id: TEAM-1, reason: agreed}]}\n"
      "policies: {require_approval_for_tools: [wipe], require_confirmation_for_tools: [wipe]}\n",
      {{"p.yaml", blocking}});
  ASSERT_TRUE(hidden);
  EXPECT_NE(hidden->decision.outcome, Outcome::blocked);
  for (const GatedFinding& g : hidden->findings)
    EXPECT_NE(g.finding.check_id, "SHIP-MANIFEST-STALE-SUPPRESSION");
}

TEST(PolicyPacks, TheCommandLineAddsItsOwnAfterTheManifests) {
  ScanOptions options;
  options.policy_packs = {"/manifest/q.yaml"};
  const auto report =
      scanned("checks: {policy_packs: [p.yaml]}\n",
              {{"p.yaml", pack("risk_tags: [destructive]")},
               {"q.yaml", "rules: [{id: Q-1, severity: high, recommendation: r, match: {}}]\n"}},
              options);
  ASSERT_TRUE(report) << report.error().message;
  const auto found = of_pack(*report);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0]->finding.check_id, "TEAM-1");
  EXPECT_EQ(found[1]->finding.check_id, "Q-1");
  EXPECT_EQ(found[1]->finding.source->ref, "q.yaml");
  EXPECT_EQ(Peek(found[1]->finding.evidence.find("policy_pack")).text(), "q");
}

TEST(PolicyPacks, SeveritiesOfRulesCanBeOverridden) {
  const std::string files = pack("risk_tags: [destructive]");
  const auto report =
      scanned("checks: {policy_packs: [p.yaml], severity_overrides: {TEAM-1: critical}}\n",
              {{"p.yaml", files}});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(of_pack(*report)[0]->finding.severity, FindingSeverity::critical);
}

TEST(PolicyPacks, WhateverIsWrongWithARequiredPackIsAConfigurationError) {
  const std::pair<std::string, std::string> rows[] = {
      {"rules: 7", "rules"},
      {"rule: []", "Did you mean rules?"},
      {"rules: [{id: SHIP-X, severity: low, recommendation: r, match: {}}]", "built-in"},
      {"rules: [{id: GATE-X, severity: low, recommendation: r, match: {}}]", "built-in"},
      {"rules: [{id: A, severity: low, recommendation: r, match: {}}, {id: A, severity: low, "
       "recommendation: r, match: {}}]",
       "used twice"},
      {"rules: [{id: A, severity: odd, recommendation: r, match: {}}]", "severity"},
      {"rules: [{id: A, severity: low, recommendation: r, match: {risk_tag: []}}]", "risk_tags"},
      {"rules: [{id: A, severity: low, recommendation: r, match: {parameters: [{maximum_above: "
       "x}]}}]",
       "a number"},
      {"[", "p.yaml"},
      {"{\"rules\":" + std::string(60, '[') + std::string(60, ']') + "}", "p.yaml"},
  };
  for (const auto& [yaml, part] : rows) {
    const auto report = scanned("checks: {policy_packs: [p.yaml]}\n", {{"p.yaml", yaml}});
    ASSERT_FALSE(report) << yaml;
    EXPECT_EQ(report.error().code, Code::policy_bad_value) << yaml;
    EXPECT_TRUE(contains(report.error().message, part)) << report.error().message;
  }
  EXPECT_EQ(scanned("checks: {policy_packs: [gone.yaml]}\n", {}).error().code,
            Code::policy_bad_value);
  EXPECT_EQ(scanned("checks: {policy_packs: [../p.yaml]}\n", {}).error().code,
            Code::policy_bad_value);
}

TEST(PolicyPacks, APinHoldsTheBytes) {
  const std::string yaml = pack("");
  const auto with = [&](const std::string& sha) {
    return scanned("checks: {policy_packs: [{path: p.yaml, sha256: '" + sha + "'}]}\n",
                   {{"p.yaml", yaml}});
  };
  EXPECT_TRUE(with(digest_of(yaml).hex()));
  EXPECT_EQ(with(digest_of("other").hex()).error().code, Code::policy_bad_value);
}

TEST(PolicyPacks, AnOptionalPackThatFailsIsAWarning) {
  const auto report = scanned("checks: {policy_packs: [{path: gone.yaml, optional: true}]}\n", {});
  ASSERT_TRUE(report);
  const List& warnings = Peek(report->document)["source_warnings"].list();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], Value("Optional policy pack 'gone.yaml' failed to load."));
}

TEST(Suppressions, OneThatExpiredHidesNothingAndIsTold) {
  const auto with = [&](const std::string& date, surface::Profile profile) {
    ScanOptions options;
    options.profile = profile;
    return scanned(
        "checks: {ignore: [{check_id: SHIP-POLICY-CONFIRMATION-MISSING, reason: r, expires: '" +
            date + "'}]}\n",
        {}, options);
  };
  const auto find = [](const Result<ScanReport>& report,
                       std::string_view id) -> const GatedFinding* {
    for (const GatedFinding& g : report->findings)
      if (g.finding.check_id == id) return &g;
    return nullptr;
  };
  const auto kept = with("2026-02-01", surface::Profile::extended);
  EXPECT_TRUE(find(kept, "SHIP-POLICY-CONFIRMATION-MISSING")->suppressed);
  EXPECT_EQ(find(kept, "GATE-MANIFEST-SUPPRESSION-EXPIRED"), nullptr);
  const auto old = with("2026-01-31", surface::Profile::extended);
  EXPECT_FALSE(find(old, "SHIP-POLICY-CONFIRMATION-MISSING")->suppressed);
  EXPECT_EQ(find(old, "GATE-MANIFEST-SUPPRESSION-EXPIRED")->finding.severity,
            FindingSeverity::medium);
  EXPECT_TRUE(find(old, "GATE-MANIFEST-SUPPRESSION-EXPIRED")->requires_human_review);
  const auto compat = with("2026-01-31", surface::Profile::compat);
  EXPECT_EQ(find(compat, "GATE-MANIFEST-SUPPRESSION-EXPIRED")->finding.severity,
            FindingSeverity::info);
  EXPECT_FALSE(find(compat, "GATE-MANIFEST-SUPPRESSION-EXPIRED")->requires_human_review);
}

}  // namespace
}  // namespace gh::release
