// report.sarif as services read it: it conforms to the schema, and every result has a place in the
// repository, also of a manifest that does not lie at its top.
#include <set>

#include "model/peek.h"
#include "tests/release_kit.h"

namespace gh::testing {
namespace {

class ReleaseSarif : public ::testing::Test, protected AgentFolder {
 protected:
  Ran shell(const std::string& line, std::vector<std::string> more = {}) const {
    return run_program({"/bin/bash", "-c", line}, root().string(), {}, std::move(more));
  }
  /// The only run of the document, which the schema of SARIF judges first.
  Value run_of(const std::string& path) const {
    const Ran judged = run_program({std::filesystem::absolute(".cache/bin/node").string(),
                                    "tools/validate-sarif.mjs", (root() / path).string()},
                                   std::filesystem::current_path().string());
    EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
    const auto root_value = wire::read_json(read(path), path);
    EXPECT_TRUE(root_value);
    return root_value ? Value(Peek(*root_value)["runs"].list().front()) : Value();
  }
};

std::set<std::string> places(const Peek& run) {
  std::set<std::string> out;
  for (const Value& value : run["results"].list()) {
    const Peek place = Peek(Peek(value)["locations"].list().front())["physicalLocation"];
    EXPECT_GE(place["region"]["startLine"].number(), 1);
    EXPECT_EQ(place["artifactLocation"]["uriBaseId"].text(), "%SRCROOT%");
    out.emplace(place["artifactLocation"]["uri"].text());
  }
  return out;
}

TEST_F(ReleaseSarif, ConformsAndHasTheFrameOfAllDocuments) {
  copy_fixture("refund-agent");
  ASSERT_EQ(release({"scan", "--format", "sarif"}).code, 0);
  const Value document = run_of("agents-shipgate-reports/report.sarif");
  const Peek run(document), driver = run["tool"]["driver"];
  EXPECT_EQ(driver["name"].text(), "Gatehouse");
  EXPECT_FALSE(driver["semanticVersion"].text().empty());
  EXPECT_FALSE(driver["informationUri"].text().empty());
  EXPECT_EQ(run["automationDetails"]["id"].text(), "gatehouse/release/");
  EXPECT_EQ(run["columnKind"].text(), "utf16CodeUnits");
  EXPECT_TRUE(run["originalUriBaseIds"]["%SRCROOT%"].exists());
  const Peek invocation(run["invocations"].list().front());
  EXPECT_TRUE(invocation["executionSuccessful"].is_true());
  EXPECT_EQ(invocation["exitCode"].number(), 0);
  EXPECT_FALSE(invocation["endTimeUtc"].exists()) << "no clock is in a report of the release gate";
  EXPECT_FALSE(run["versionControlProvenance"].exists());
  const List& rules = driver["rules"].list();
  ASSERT_FALSE(run["results"].list().empty());
  for (const Value& value : run["results"].list()) {
    const Peek result(value);
    const auto index = static_cast<std::size_t>(result["ruleIndex"].number());
    ASSERT_LT(index, rules.size());
    EXPECT_EQ(Peek(rules[index])["id"].text(), result["ruleId"].text());
    EXPECT_EQ(result["partialFingerprints"]["gatehouse/v1"].text(),
              result["fingerprints"]["agentsShipgateFingerprint"].text());
    EXPECT_TRUE(result["partialFingerprints"]["primaryLocationLineHash"].text().ends_with(":1"));
  }
  for (const Value& value : rules) {
    EXPECT_TRUE(Peek(value)["helpUri"].text().starts_with("urn:gatehouse:rule:"));
    EXPECT_FALSE(Peek(value)["help"]["markdown"].text().empty());
    EXPECT_FALSE(Peek(value)["properties"]["problem.severity"].text().empty());
  }
}

TEST_F(ReleaseSarif, NamesFilesFromTheTopOfTheRepository) {
  copy_fixture("refund-agent");
  const Ran made = shell(
      "mkdir -p agents && mv shipgate.yaml tools agents/ 2>/dev/null; git init -q . && git add -A "
      "&& "
      "git -c user.name=a -c user.email=a@b.example commit -qm a");
  ASSERT_EQ(made.code, 0) << made.err;
  ASSERT_EQ(release({"scan", "--config", "agents/shipgate.yaml", "--format", "sarif"},
                    {"GITHUB_REPOSITORY=o/r", "GITHUB_SERVER_URL=https://forge.example",
                     "GITHUB_SHA=0123456789abcdef0123456789abcdef01234567", "GITHUB_REF_NAME=main"})
                .code,
            0);
  const Value document = run_of("agents/agents-shipgate-reports/report.sarif");
  const Peek run(document);
  EXPECT_EQ(places(run), std::set<std::string>{"agents/tools/payments.mcp.json"});
  const Peek control(run["versionControlProvenance"].list().front());
  EXPECT_EQ(control["repositoryUri"].text(), "https://forge.example/o/r");
  EXPECT_EQ(control["branch"].text(), "main");

  // A finding about the agent stands in the manifest.
  write("agents/tools/payments.mcp.json", R"({"tools":[]})");
  ASSERT_EQ(release({"scan", "--config", "agents/shipgate.yaml", "--format", "sarif"}).code, 0);
  const Value empty = run_of("agents/agents-shipgate-reports/report.sarif");
  EXPECT_TRUE(places(Peek(empty)).contains("agents/shipgate.yaml"));
}

// Paths that a change touches come from the top and are not put below the manifest again.
TEST_F(ReleaseSarif, AndAScanOfNamedPathsTellsOfThem) {
  copy_fixture("refund-agent");
  const Ran made = shell(
      "git init -q . && git add -A && git -c user.name=a -c "
      "user.email=a@b.example commit -qm a");
  ASSERT_EQ(made.code, 0) << made.err;
  write("changed", "shipgate.yaml\n.github/workflows/agents-shipgate.yml\n\nshipgate.yaml\n");
  const Ran ran =
      release({"scan", "--changed-files", "changed", "--json", "--format", "json,sarif"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::set<std::string> ids;
  const auto report = wire::read_json(ran.out);
  ASSERT_TRUE(report);
  for (const Value& f : Peek(*report)["findings"].list())
    if (Peek(f)["category"].text() == "verify") ids.emplace(Peek(f)["check_id"].text());
  EXPECT_EQ(ids,
            (std::set<std::string>{"SHIP-VERIFY-CI-GATE-REMOVED", "SHIP-VERIFY-POLICY-WEAKENED",
                                   "SHIP-VERIFY-TRUST-ROOT-TOUCHED"}));
  EXPECT_EQ(release({"scan", "--json", "--format", "none"}).out.find("SHIP-VERIFY"),
            std::string::npos);
  const Value document = run_of("agents-shipgate-reports/report.sarif");
  EXPECT_TRUE(places(Peek(document)).contains(".github/workflows/agents-shipgate.yml"));
  EXPECT_EQ(release({"scan", "--changed-files", "gone"}).code, 2);
}

}  // namespace
}  // namespace gh::testing
