// `gatehouse release` as a user runs it: files on disk, exit codes, reports, hostile input.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "sys/files.h"
#include "tests/schema_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = R"(version: "0.1"
project: {name: refund-demo}
agent:
  name: refund-agent
  declared_purpose: [look up orders, issue refunds to customers]
environment: {target: production_like}
tool_sources:
  - {id: payments_mcp, type: mcp, path: tools/payments.mcp.json}
permissions:
  scopes: [payments:refund]
risk_overrides:
  tools:
    payments.create_refund: {tags: [financial_action], reason: moves money, owner: payments}
)";
constexpr const char* kTools = R"({"tools": [{"name": "payments.create_refund",
  "description": "Issue a refund to the customer for a captured payment.",
  "inputSchema": {"type": "object", "properties": {"amount": {"type": "number"}}},
  "auth": {"type": "oauth2", "scopes": ["payments:refund"]}}]})";

class ReleaseScan : public ::testing::Test {
 protected:
  void SetUp() override {
    write("shipgate.yaml", kManifest);
    write("tools/payments.mcp.json", kTools);
  }
  void write(const std::string& path, std::string_view bytes) const {
    fs::create_directories((root() / path).parent_path());
    std::ofstream(root() / path, std::ios::binary) << bytes;
  }
  std::string read(const std::string& path) const {
    std::ifstream in(root() / path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  fs::path root() const { return fs::path(folder_.path()) / "work"; }
  Ran scan(std::vector<std::string> more = {}) const {
    std::vector<std::string> args{"release", "scan"};
    args.insert(args.end(), more.begin(), more.end());
    return gatehouse(std::move(args), root().string());
  }
  Ran release(std::vector<std::string> words) const {
    words.insert(words.begin(), "release");
    return gatehouse(std::move(words), root().string());
  }
  bool has(const std::string& path) const { return fs::exists(root() / path); }
  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-release-");
};

TEST_F(ReleaseScan, WritesItsReportsAndExitsByItsFailPolicy) {
  const Ran advisory = scan();
  EXPECT_EQ(advisory.code, 0) << advisory.err;
  EXPECT_TRUE(advisory.out.starts_with("blocked  1 active finding blocks release."))
      << advisory.out;
  EXPECT_TRUE(contains(read("agents-shipgate-reports/report.md"), "Decision: blocked"));
  EXPECT_EQ(scan({"--ci-mode", "strict"}).code, 1);
  EXPECT_EQ(scan({"--ci-mode", "strict", "--exit-codes", "shipgate"}).code, 20);
  EXPECT_EQ(scan({"--fail-on", "high"}).code, 1);
  EXPECT_EQ(scan({"--fail-on", "huge"}).code, 2);
  EXPECT_EQ(scan({"--field", "release_decision.decision", "--format", "none"}).out, "blocked\n");
}

TEST_F(ReleaseScan, TheFilesConformAndTheAnswerIsTheFile) {
  const Ran ran = scan({"--json", "--format", "json,sarif", "--out", "out"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::string report = read("out/report.json");
  EXPECT_EQ(ran.out, report + "\n");
  EXPECT_EQ(judged("release_report", report), "");
  EXPECT_TRUE(contains(read("out/report.sarif"), "\"version\": \"2.1.0\""));
  EXPECT_FALSE(fs::exists(root() / "out/report.md"));
}

TEST_F(ReleaseScan, TwoRunsGiveTheSameBytes) {
  scan({"--format", "json", "--out", "one"});
  const std::string first = read("one/report.json");
  scan({"--format", "json", "--out", "one"});
  EXPECT_EQ(read("one/report.json"), first);
}

TEST_F(ReleaseScan, CatalogueAndExplanationConform) {
  EXPECT_EQ(judged("release_checks",
                   gatehouse({"release", "list-checks", "--json"}, root().string()).out),
            "");
  const Ran one =
      gatehouse({"release", "explain", "SHIP-POLICY-APPROVAL-MISSING", "--json"}, root().string());
  EXPECT_EQ(judged("release_check", one.out), "");
  const Ran near =
      gatehouse({"release", "explain", "SHIP-POLICY-APPROVAL-MISSIN"}, root().string());
  EXPECT_EQ(near.code, 2);
  EXPECT_TRUE(contains(near.err, "did you mean 'SHIP-POLICY-APPROVAL-MISSING'?")) << near.err;
}

TEST_F(ReleaseScan, FindingsOfAReportAreListedByTheirKind) {
  scan({"--suggest-patches"});
  const auto ask = [&](std::vector<std::string> more) {
    std::vector<std::string> args{"release", "findings"};
    args.insert(args.end(), more.begin(), more.end());
    return gatehouse(std::move(args), root().string());
  };
  const Ran all = ask({"--json"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_EQ(judged("release_findings", all.out), "");
  EXPECT_TRUE(contains(all.out, "SHIP-SCHEMA-MISSING-BOUNDS"));
  const Ran sure = ask({"--provenance-kind", "static_declaration"});
  EXPECT_TRUE(contains(sure.out, "SHIP-POLICY-APPROVAL-MISSING")) << sure.out;
  EXPECT_FALSE(contains(sure.out, "SHIP-SCHEMA-MISSING-BOUNDS")) << sure.out;
  for (const char* kind : {"ast_extraction", "keyword_heuristic", "policy_pack", "regex_heuristic"})
    EXPECT_EQ(ask({"--provenance-kind", kind}).code, 0) << kind;
  EXPECT_EQ(ask({"--provenance-kind", "guess"}).code, 3);
  EXPECT_EQ(ask({"--from", "gone.json"}).code, 3);
  write("old.json", R"({"report_schema_version":"0.9","findings":[]})");
  EXPECT_EQ(ask({"--from", "old.json"}).code, 3);
}

TEST_F(ReleaseScan, OneFindingIsExplainedInAFewSentences) {
  scan();
  const auto ask = [&](std::vector<std::string> more) {
    std::vector<std::string> args{"release", "explain-finding"};
    args.insert(args.end(), more.begin(), more.end());
    return gatehouse(std::move(args), root().string());
  };
  const Ran one = ask({"fp_66b1208b9f2e40ab"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_TRUE(contains(one.out, "SHIP-POLICY-APPROVAL-MISSING fired on payments.create_refund"))
      << one.out;
  EXPECT_TRUE(contains(one.out, "A person has to look at it")) << one.out;
  EXPECT_EQ(judged("release_finding", ask({"fp_66b1208b9f2e40ab", "--json"}).out), "");
  const Ran near = ask({"fp_66b1208b9f2e40a"});
  EXPECT_EQ(near.code, 2);
  EXPECT_TRUE(contains(near.err, "did you mean 'fp_66b1208b9f2e40ab'?")) << near.err;
}

TEST_F(ReleaseScan, APackAndAnEarlierReportAreReadFromDisk) {
  scan({"--format", "json", "--out", "one"});
  write("pack.yaml",
        "rules: [{id: T-1, severity: low, block: true, recommendation: r, match: {}}]\n");
  const Ran packed = scan({"--policy-pack", "pack.yaml", "--format", "none", "--json"});
  EXPECT_EQ(packed.code, 0) << packed.err;
  EXPECT_TRUE(contains(packed.out, "\"check_id\": \"T-1\"")) << packed.err;
  EXPECT_EQ(scan({"--policy-pack", "gone.yaml"}).code, 2);
  const Ran same = scan({"--diff-from", "one/report.json", "--format", "none", "--json"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(judged("release_report", same.out), "");
  EXPECT_TRUE(contains(same.out, "\"actions_added\": 0"));
  EXPECT_EQ(scan({"--diff-from", "pack.yaml"}).code, 3);
}

TEST_F(ReleaseScan, TheBlockOfGatehouseYamlIsTheSameManifest) {
  std::string yaml = "release_gate:\n";
  for (const std::string_view line : split(std::string_view(kManifest), '\n'))
    yaml += "  " + std::string(line) + "\n";
  write("gatehouse.yaml", yaml);
  const Ran both = scan();
  EXPECT_EQ(both.code, 2);
  EXPECT_TRUE(contains(both.err, "both shipgate.yaml and the block release_gate")) << both.err;
  fs::remove(root() / "shipgate.yaml");
  const Ran ran = scan();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(fs::exists(root() / "gatehouse-reports/report.json"));
}

// docs/reference/tool-surface.md, "Hostile input".
TEST_F(ReleaseScan, HostileInputEndsWithTwoOrThreeAndOneReason) {
  const auto expect = [&](int code, std::string_view what) {
    const Ran ran = scan();
    EXPECT_EQ(ran.code, code) << what << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.err, what)) << ran.err;
  };
  const std::string source = "tools/payments.mcp.json";
  write(source, "{\"tools\": [{\"name\": \"\xFF\"}]}");
  expect(3, "UTF-8");
  write(source, std::string(200'000, '[') + std::string(200'000, ']'));
  expect(3, "nested deeper");
  write(source, std::string(10'485'761, ' '));
  expect(3, "10485761 bytes, at most 10485760");
  write(source, "{\"tools\": [{\"name\": \"a\", \"x\": 1e999}]}");
  expect(3, source);
  fs::remove(root() / source);
  expect(3, "no such file");
  fs::create_directories(root() / source);
  expect(3, "a folder");
  fs::remove(root() / source);
  write("../secret.json", "[]");
  fs::create_symlink("../../secret.json", root() / source);
  expect(3, "resolves outside manifest directory");
  write("shipgate.yaml", std::string(kManifest) + "extra: 1\n");
  expect(2, "Extra inputs are not permitted");
  write("shipgate.yaml", "a: &a [*a]\n");
  expect(2, "shipgate.yaml:1:");
  fs::remove(root() / "shipgate.yaml");
  expect(2, "there is no manifest");
}

// ------------------------------------------------------------------------- where files are written

// What is scanned does not say which files of others are written: only --out may lead away.
TEST_F(ReleaseScan, WritesNothingOutsideOfTheFolderOfItsManifest) {
  const std::string plain = read("shipgate.yaml");
  const auto refuse = [&](const std::string& more, std::vector<std::string> words,
                          std::string_view what) {
    write("shipgate.yaml", plain + more);
    const Ran ran = release(std::move(words));
    EXPECT_EQ(ran.code, 3) << more << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.err, what)) << ran.err;
    EXPECT_TRUE(contains(ran.err, "resolves outside manifest directory")) << ran.err;
  };
  write("../other/agents-shipgate-reports/report.json", "theirs");
  write("../other/theirs.log", "theirs\n");
  fs::create_directory_symlink("../other", root() / "link");
  fs::create_symlink("../other/theirs.log", root() / "log");
  for (const char* folder :
       {"../other/agents-shipgate-reports", "link/agents-shipgate-reports", "..", "/tmp"})
    refuse(fmt::format("output: {{directory: {}}}\n", folder), {"scan"}, "output.directory");
  for (const char* log : {"../../other/theirs.log", "../link/theirs.log", "../log", "/tmp/a.log"})
    for (const auto& words : {std::vector<std::string>{"baseline", "save"},
                              {"baseline", "verify", "--baseline", ".agents-shipgate/b.json"}})
      refuse(fmt::format("baseline: {{audit_log: {}}}\n", log), words, "baseline.audit_log");
  EXPECT_EQ(read("../other/agents-shipgate-reports/report.json"), "theirs");
  EXPECT_EQ(read("../other/theirs.log"), "theirs\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(root().parent_path() / "other"), {}), 2);

  write("shipgate.yaml", plain + "output: {directory: ../other}\n");
  EXPECT_EQ(release({"scan", "--out", "../mine"}).code, 0);
  EXPECT_TRUE(has("../mine/report.json"));
  EXPECT_EQ(release({"scan", "--format", "none"}).code, 0);
  write("shipgate.yaml", plain + "output: {directory: a/../b}\nbaseline: {audit_log: ../c.log}\n");
  EXPECT_EQ(release({"scan"}).code, 0);
  EXPECT_TRUE(has("b/report.json"));
  EXPECT_EQ(release({"baseline", "save"}).code, 0);
  EXPECT_TRUE(has("c.log"));
  fs::remove_all(root() / ".agents-shipgate");
  fs::create_directory_symlink("../other", root() / ".agents-shipgate");
  write("shipgate.yaml", plain);
  EXPECT_EQ(release({"baseline", "save"}).code, 3);
}

// release-gate 10.3 of the specification: the audit names every place that text goes to.
TEST_F(ReleaseScan, TheSummaryOfAStepIsAmongThePlacesOfTheAuditAndHoldsNoSecret) {
  const std::string secret = "ghp_abcdefghijklmnopqrstuvwxyz012345";
  const std::vector<std::string> first{"release", "scan", "--out", "before", "--format", "json"};
  EXPECT_EQ(gatehouse(first, root().string()).code, 0);
  write("tools/payments.mcp.json", R"({"tools":[{"name":"refund )" + secret +
                                       R"(","description":"Refund with )" + secret +
                                       R"( at once.","inputSchema":{"type":"object"}}]})");
  const std::string summary = (root() / "summary.md").string();
  const auto surfaces = [&](const std::vector<std::string>& more) {
    const Ran ran = gatehouse({"release", "scan", "--json", "--diff-from", "before/report.json"},
                              root().string(), {}, more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_FALSE(contains(ran.out + ran.err, secret));
    std::string out;
    const auto report = wire::read_json(ran.out, "report");
    EXPECT_TRUE(report);
    if (report)
      for (const Value& one : Peek(*report)["privacy_audit"]["output_surfaces"].list())
        out += std::string(Peek(one).text()) + " ";
    return std::pair(out, ran.err);
  };
  EXPECT_FALSE(contains(surfaces({"GITHUB_STEP_SUMMARY="}).first, "github_step_summary"));
  EXPECT_TRUE(contains(surfaces({"GITHUB_STEP_SUMMARY=" + summary}).first, "github_step_summary"));
  const std::string told = read("summary.md");
  EXPECT_TRUE(contains(told, "refund")) << told;
  EXPECT_FALSE(contains(told, secret)) << told;
  // What cannot be written is said, and fails nothing.
  const auto lost = surfaces({"GITHUB_STEP_SUMMARY=" + summary + "/no/such"});
  EXPECT_TRUE(contains(lost.second, "the summary of the step could not be written")) << lost.second;
}

}  // namespace
}  // namespace gh::testing
