// A link named agents-shipgate: old commands, exit codes and folder; and what coding agents read of
// a failure.
#include "tests/release_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class OldName : public ::testing::Test, protected AgentFolder {
 protected:
  void SetUp() override { copy_fixture("refund-agent"); }
  /// A line as the founding contract prints it, in a shell that finds the link.
  Ran paste(const std::string& line) const {
    const std::string folder = old_name().substr(0, old_name().rfind('/'));
    return run_program({"/bin/bash", "-c", "PATH=" + folder + ":$PATH\n" + line}, root().string());
  }
};

/// Typed out again from the contract that the old name has.
TEST_F(OldName, EveryPublishedLineRuns) {
  const Ran made = paste(
      "git init -q -b main && git add -A && git -c user.name=a -c user.email=a@b.example commit "
      "-qm "
      "a && git update-ref refs/remotes/origin/main HEAD");
  ASSERT_EQ(made.code, 0) << made.err;
  const Ran scanned = paste("agents-shipgate scan");
  ASSERT_EQ(scanned.code, 0) << scanned.err;
  ASSERT_TRUE(has("agents-shipgate-reports/report.json"));
  const char* lines[] = {
      "agents-shipgate contract --json",
      "agents-shipgate findings --from agents-shipgate-reports/report.json \\\n"
      "  --provenance-kind keyword_heuristic,regex_heuristic --json",
      "agents-shipgate findings --from agents-shipgate-reports/report.json --include-suppressed",
      "agents-shipgate explain-finding fp_66b1208b9f2e40ab \\\n"
      "    --from agents-shipgate-reports/report.json --json",
      "agents-shipgate explain SHIP-POLICY-APPROVAL-MISSING",
      "agents-shipgate apply-patches --from agents-shipgate-reports/report.json --confidence high",
      "agents-shipgate apply-patches --confidence high --apply",
      "agents-shipgate scan --no-heuristics",
      "agents-shipgate scan -c shipgate.yaml --format markdown,json,sarif --ci-mode advisory",
      "agents-shipgate detect --workspace . --json",
      "agents-shipgate evidence-packet --from agents-shipgate-reports/report.json",
      "agents-shipgate baseline save",
      "agents-shipgate baseline verify --strict --json",
      "agents-shipgate doctor -c shipgate.yaml --json",
      "agents-shipgate list-checks --json --no-plugins",
      "agents-shipgate fixture list --json",
      "agents-shipgate verify --preview --json",
      "agents-shipgate verify --workspace . --config shipgate.yaml \\\n"
      "  --base origin/main --head HEAD \\\n"
      "  --ci-mode advisory --format json",
      "agents-shipgate trigger --base origin/main --head HEAD --json",
      "agents-shipgate --help",
      "agents-shipgate --version",
  };
  for (const char* line : lines) {
    const Ran ran = paste(line);
    EXPECT_EQ(ran.code, 0) << line << "\n" << ran.out << ran.err;
  }
  EXPECT_TRUE(has(".agents-shipgate/baseline.json"));
}

TEST_F(OldName, APreviewLeavesTheReportOfAScanAlone) {
  ASSERT_EQ(by_old_name({"scan"}).code, 0);
  const std::string report = read("agents-shipgate-reports/report.json");
  EXPECT_EQ(by_old_name({"verify", "--preview", "--json"}).code, 0);
  EXPECT_EQ(read("agents-shipgate-reports/report.json"), report);
  EXPECT_TRUE(has("agents-shipgate-reports/packet.json"));
  EXPECT_FALSE(contains(read("agents-shipgate-reports/verifier.json"), "report.json"));
  EXPECT_EQ(by_old_name({"findings", "--json"}).code, 0);
}

// Help and advice are for pasting: they are spelled as the program was started.
TEST_F(OldName, IsSpelledInHelpAndInTheCommandsOfTriggers) {
  for (const char* line : {"agents-shipgate --help", "agents-shipgate scan --help",
                           "agents-shipgate help release scan", "agents-shipgate verify --help"}) {
    const Ran ran = paste(line);
    EXPECT_EQ(ran.code, 0) << line << ran.err;
    EXPECT_TRUE(contains(ran.out, "agents-shipgate")) << line << ran.out;
    EXPECT_FALSE(contains(ran.out, "gatehouse release")) << line << ran.out;
  }
  write("changed", "shipgate.yaml\n");
  const std::vector<std::string> words{"trigger", "--changed-files", "changed", "--json"};
  EXPECT_EQ(member_text(by_old_name(words).out, "matched_rules.0.command"),
            "agents-shipgate scan --config shipgate.yaml");
  EXPECT_EQ(member_text(release(words).out, "matched_rules.0.command"),
            "gatehouse release scan --config shipgate.yaml");
}

TEST_F(OldName, ItsExitCodesAreTheDefault) {
  EXPECT_EQ(by_old_name({"scan", "--ci-mode", "strict"}).code, 20);
  EXPECT_EQ(member_text(read("agents-shipgate-reports/report.json"),
                        "release_decision.fail_policy.exit_code"),
            "20");
  EXPECT_EQ(by_old_name({"scan", "--ci-mode", "strict", "--exit-codes", "native"}).code, 1);
  EXPECT_EQ(by_old_name({"scan", "--fail-on", "huge"}).code, 2);
  EXPECT_EQ(by_old_name({"explain", "SHIP-NO"}).code, 2);
  EXPECT_EQ(by_old_name({"findings", "--from", "gone.json"}).code, 3);
  EXPECT_EQ(by_old_name({"baseline", "save"}).code, 0);
  write(".agents-shipgate/baseline.json", read(".agents-shipgate/baseline.json") + " ");
  EXPECT_EQ(by_old_name({"baseline", "verify", "--strict"}).code, 6);
  EXPECT_EQ(release({"baseline", "verify", "--strict"}).code, 1);
  EXPECT_EQ(release({"baseline", "verify", "--strict", "--exit-codes", "shipgate"}).code, 6);
}

TEST_F(OldName, ItsFolderIsUsedForABlockOfGatehouseYamlToo) {
  std::string yaml = "release_gate:\n";
  const std::string manifest = read("shipgate.yaml");
  for (const std::string_view line : split(manifest, '\n'))
    yaml += "  " + std::string(line) + "\n";
  fs::remove(root() / "shipgate.yaml");
  write("gatehouse.yaml", yaml);
  EXPECT_EQ(by_old_name({"scan"}).code, 0);
  EXPECT_TRUE(has("agents-shipgate-reports/report.json"));
  EXPECT_FALSE(has("gatehouse-reports"));
  EXPECT_EQ(release({"scan"}).code, 0);
  EXPECT_TRUE(has("gatehouse-reports/report.json"));
}

TEST_F(OldName, CommandsInArtifactsAreSpelledAsTheProgramWasStarted) {
  write("shipgate.yaml",
        read("shipgate.yaml") +
            "policies: {require_approval_for_tools: [payments.create_refund, gone]}\n"
            "checks: {ignore: [{check_id: SHIP-SCHEMA-MISSING-BOUNDS, reason: known}]}\n");
  const auto command = [&](const Ran& ran) {
    EXPECT_EQ(ran.code, 0) << ran.err;
    return member_text(ran.out, "agent_summary.first_recommended_action.command");
  };
  EXPECT_EQ(command(by_old_name({"scan", "--suggest-patches", "--json"})),
            "agents-shipgate apply-patches --from agents-shipgate-reports/report.json --confidence "
            "high --apply");
  EXPECT_EQ(command(release({"scan", "--suggest-patches", "--json"})),
            "gatehouse release apply-patches --from agents-shipgate-reports/report.json "
            "--confidence high --apply");
}

TEST_F(OldName, AgentModeEndsAFailureWithOneLineThatSaysWhatIsNext) {
  struct Row {
    std::vector<std::string> words;
    int code;
    const char *error, *next;
  };
  ASSERT_EQ(release({"scan"}).code, 0);
  write("bad/shipgate.yaml", "version: \"0.1\"\nproject: {name: x}\nextra: 1\n");
  write("broken.json", "{");
  write("large.yaml", std::string(1'100'000, '#'));
  write("latin.yaml", "version: \"0.1\"\nproject: {name: \xFF}\n");
  fs::create_directories(root() / "folder/shipgate.yaml");
  fs::create_symlink("gone", root() / "link.yaml");
  const Row rows[] = {
      {{"scan", "--config", "gone.yaml"}, 2, "config_error", "Review: Name a manifest"},
      {{"scan", "--config", "gone/shipgate.yaml"},
       2,
       "config_error",
       "gatehouse release init --workspace . --write"},
      {{"scan", "--config", "bad/shipgate.yaml"}, 2, "config_error", "Edit "},
      {{"scan", "--config", "folder/shipgate.yaml"}, 2, "config_error", "Review: Put a manifest"},
      {{"scan", "--config", "link.yaml"}, 2, "config_error", "Review: Put a manifest"},
      {{"scan", "--config", "large.yaml"}, 2, "config_error", "Edit "},
      {{"scan", "--config", "latin.yaml"}, 2, "config_error", "Edit "},
      {{"packet", "--from", "gone.json"}, 2, "config_error", "gatehouse release scan"},
      {{"apply-patches", "--from", "gone.json"}, 3, "input_parse_error", "gatehouse release scan"},
      {{"scan", "--nonsense"}, 2, "config_error", "gatehouse release --help"},
      {{"scan", "--fail-on", "huge"}, 2, "config_error", "gatehouse release scan --help"},
      {{"explain", "SHIP-POLICY-APPROVAL-MISSIN"},
       2,
       "unknown_check_id",
       "gatehouse release explain SHIP-POLICY-APPROVAL-MISSING"},
      {{"explain-finding", "fp_0"}, 2, "unknown_fingerprint", "gatehouse release findings --from "},
      {{"findings", "--from", "broken.json"},
       3,
       "input_parse_error",
       "gatehouse release scan --format json"},
      {{"explain-finding", "fp_0", "--from", "gone.json"},
       3,
       "input_parse_error",
       "gatehouse release scan --format json"},
      {{"scan", "--out", "/proc/nowhere"}, 4, "other_error", "Review: "},
  };
  for (const Row& row : rows)
    for (const char* variable : {"GATEHOUSE_AGENT_MODE=ON", "AGENTS_SHIPGATE_AGENT_MODE=1"}) {
      const Ran ran = release(row.words, {variable});
      const std::string line = ran.last_error_line();
      SCOPED_TRACE(join(row.words, " "));
      EXPECT_EQ(ran.code, row.code) << ran.err;
      EXPECT_EQ(ran.out, "");
      EXPECT_EQ(member_text(line, "error"), row.error) << ran.err;
      EXPECT_TRUE(member_text(line, "next_action").starts_with(row.next)) << line;
      EXPECT_NE(member_text(line, "next_actions.0.why"), "absent") << line;
      EXPECT_NE(member_text(line, "message"), "absent") << line;
      // The help of people is the same.
      EXPECT_TRUE(contains(ran.err, "= next: ")) << ran.err;
      EXPECT_FALSE(contains(ran.err, "--narrow")) << ran.err;
    }
  const Ran quiet = release({"scan", "--config", "gone.yaml"}, {"GATEHOUSE_AGENT_MODE=0"});
  EXPECT_FALSE(contains(quiet.err, "next_actions")) << quiet.err;
  const Ran bad = release({"scan", "--config", "bad/shipgate.yaml"}, {"GATEHOUSE_AGENT_MODE=1"});
  EXPECT_TRUE(member_text(bad.last_error_line(), "next_action").ends_with("shipgate.yaml:3"))
      << bad.last_error_line();
}

}  // namespace
}  // namespace gh::testing
