// Patches and what an agent may do with them (docs/reference/release-findings.md).
#include "release/patches.h"

#include <map>

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "release/scan.h"
#include "surface/memory_files.h"

namespace gh::release {
namespace {

ScanReport scanned(const std::string& more, bool suggest = true) {
  const auto manifest = surface::read_manifest(
      "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [help people]}\n"
      "environment: {target: local}\ntool_sources: [{id: m, type: mcp, path: t.json}]\n" +
          more,
      "shipgate.yaml");
  EXPECT_TRUE(manifest) << manifest.error().message;
  surface::MemoryFiles files(std::map<std::string, std::string>{
      {"t.json",
       R"([{"name":"look","description":"Looks at one table.","annotations":{"readOnlyHint":true},"auth":{"scopes":["a","b"]}}])"}});
  ScanOptions options;
  options.today = "2026-02-01";
  if (suggest) options.patch_target = PatchTarget{"/x/shipgate.yaml", "aa"};
  auto report = scan(*manifest, files, options);
  EXPECT_TRUE(report) << report.error().message;
  return std::move(*report);
}

const GatedFinding& only(const ScanReport& report, std::string_view id) {
  for (const GatedFinding& g : report.findings)
    if (g.finding.check_id == id) return g;
  ADD_FAILURE() << id;
  return report.findings.at(0);
}

struct Row {
  std::string manifest, check, kind, pointer, confidence, action;
};

TEST(ReleasePatches, EachGeneratorNamesThePlace) {
  const std::string scopes = "permissions: {scopes: [a, b]}\n";
  const Row rows[] = {
      {scopes + "checks: {ignore: [{check_id: SHIP-NONE, reason: r}]}\n",
       "SHIP-MANIFEST-STALE-SUPPRESSION", "remove_pointer", "/checks/ignore/0", "high",
       "auto_apply"},
      {scopes + "policies: {require_confirmation_for_tools: [look, gone]}\n",
       "SHIP-MANIFEST-STALE-POLICY", "remove_pointer", "/policies/require_confirmation_for_tools/1",
       "high", "auto_apply"},
      {scopes + "risk_overrides: {tools: {a/b: {reason: r}}}\n",
       "SHIP-MANIFEST-STALE-RISK-OVERRIDE", "remove_pointer", "/risk_overrides/tools/a~1b", "high",
       "auto_apply"},
      {"permissions: {scopes: [a]}\n", "SHIP-AUTH-SCOPE-COVERAGE-MISSING", "append_pointer",
       "/permissions/scopes", "medium", "propose_patch_for_review"},
  };
  for (const Row& row : rows) {
    const ScanReport report = scanned(row.manifest);
    const GatedFinding& g = only(report, row.check);
    ASSERT_EQ(g.patches->size(), 1u) << row.check;
    const Peek patch(g.patches->at(0));
    EXPECT_EQ(patch["kind"].text(), row.kind);
    EXPECT_EQ(patch["pointer"].text(), row.pointer);
    EXPECT_EQ(patch["confidence"].text(), row.confidence);
    EXPECT_EQ(patch["target_file"].text(), "/x/shipgate.yaml");
    EXPECT_EQ(patch["target_sha256"].text(), "aa");
    EXPECT_EQ(patch["target_format"].text(), "yaml");
    EXPECT_EQ(g.agent_action, row.action);
    EXPECT_EQ(g.patch_kind, row.kind);
    EXPECT_EQ(g.autofix_safe, row.action == "auto_apply");
  }
}

TEST(ReleasePatches, TwoEqualEntriesAreForAPerson) {
  const std::string twice = "{check_id: SHIP-NONE, reason: r}, {check_id: SHIP-NONE, reason: s}";
  const ScanReport report = scanned("checks: {ignore: [" + twice + "]}\n");
  const GatedFinding& g = only(report, "SHIP-MANIFEST-STALE-SUPPRESSION");
  EXPECT_EQ(Peek(g.patches->at(0))["kind"].text(), "manual");
  EXPECT_FALSE(Peek(g.patches->at(0))["instructions"].text().empty());
  EXPECT_EQ(g.agent_action, "escalate_to_human");
}

TEST(ReleasePatches, SuppressedFindingsGetNone) {
  const ScanReport report =
      scanned("checks: {ignore: [{check_id: SHIP-AUTH-SCOPE-COVERAGE-MISSING, reason: r}]}\n");
  const GatedFinding& g = only(report, "SHIP-AUTH-SCOPE-COVERAGE-MISSING");
  EXPECT_TRUE(g.patches->empty());
  EXPECT_EQ(g.agent_action, "informational");
}

TEST(ReleasePatches, AskingForThemChangesNoIdentity) {
  const std::string manifest = "permissions: {scopes: [a]}\n";
  const ScanReport with = scanned(manifest), without = scanned(manifest, false);
  EXPECT_EQ(Peek(with.document)["run_id"].text(), Peek(without.document)["run_id"].text());
  EXPECT_FALSE(only(without, "SHIP-AUTH-SCOPE-COVERAGE-MISSING").patches);
}

}  // namespace
}  // namespace gh::release
