// A run says which paths it was made for, and change control takes its word where nobody says more.
// On both ledgers.
#include "model/peek.h"
#include "tests/change_kit.h"
#include "tests/mcp_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

class RecordedChanges : public ChangeWorld {
 protected:
  /// Of the latest run.
  std::string recorded() const {
    const Value runs = document({"runs", "list"}, "");
    const Value& latest = Peek(runs)["runs"].list().front();
    return wire::canonical_json(*latest.as_map()->find("changed_paths"));
  }
  std::string changed_by(const Value& verified) const {
    return wire::canonical_json(
        Value(Peek(verified)["scope_check"]["actual_changed_files"].list()));
  }
  std::string warnings(const std::string& text) const {
    repo.write("claims.txt", text);
    std::string out;
    const Value answer = document({"claim", "check", "claims.txt"}, "");
    for (const Value& warning : Peek(answer)["warnings"].list())
      out += std::string(Peek(warning)["type"].text()) + " ";
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, RecordedChanges,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(RecordedChanges, ARunKeepsThePathsItWasMadeForUntilItIsMadeAgain) {
  EXPECT_EQ(recorded(), "null");
  must({"analyze", "--changed-paths", "./pkg//b.py", repo.at("pkg/a.py"), "pkg/a.py"});
  EXPECT_EQ(recorded(), R"(["pkg/a.py","pkg/b.py"])");
  must({"analyze"});
  EXPECT_EQ(recorded(), "null") << "met again, for no change in particular";
  repo.write("pkg/a.py", python_function("load", 4));
  repo.write("new file.md", "one\n");
  must({"analyze", "--changed-only", "--diff-against", "HEAD"});
  EXPECT_EQ(recorded(), R"(["new file.md","pkg/a.py"])");
  must({"analyze", "--paths-from-git-diff", "HEAD"});
  EXPECT_EQ(recorded(), R"(["new file.md","pkg/a.py"])");
  EXPECT_EQ(ask({"analyze", "--changed-paths", "../x.py"}).code, 2);
  EXPECT_EQ(ask({"analyze", "--changed-paths", "/etc/passwd"}).code, 2);
}

TEST_P(RecordedChanges, VerifyTakesThePathsOfTheRunAfterWhereNoEvidenceIsGiven) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 3));
  const Words verify{"change", "verify", "--after-run", "latest"};
  must({"analyze"});
  EXPECT_EQ(changed_by(document(verify)), "[]") << "nobody said what was changed";
  must({"analyze", "--changed-paths", "pkg/a.py"});
  const Value known = document(verify);
  EXPECT_EQ(changed_by(known), R"(["pkg/a.py"])");
  EXPECT_EQ(Peek(known)["verification_profile"].text(), "python_structural");
  EXPECT_EQ(Peek(known)["status"].text(), "accepted");
  must({"analyze", "--changed-paths", "pkg/a.py", "pkg/b.py"});
  const Value wide = document(verify);
  EXPECT_EQ(Peek(wide)["status"].text(), "violated");
  EXPECT_EQ(Peek(wide)["reason"].text(), "scope_violation");
  Words evident = verify;
  evident.insert(evident.end(), {"--files", "pkg/a.py"});
  EXPECT_EQ(changed_by(document(evident)), R"(["pkg/a.py"])") << "evidence comes first";
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 5));
  EXPECT_EQ(Peek(document(verify))["reason"].text(), "after_run_stale");
}

TEST_P(RecordedChanges, ClaimsAreJudgedByTheProfileOfThePathsThatTheRunWasMadeFor) {
  const std::string claim = "complexity is fine and all checks passed";
  EXPECT_EQ(warnings(claim), "") << "the profile is not known";
  must({"analyze", "--changed-paths", "docs/guide.md"});
  EXPECT_EQ(warnings(claim), "structural_checks_not_applicable ");
  EXPECT_EQ(warnings("complexity is fine"), "");
  must({"analyze", "--changed-paths", "docs/guide.md", "pkg/a.py"});
  EXPECT_EQ(warnings(claim), "") << "it has code";
}

TEST_P(RecordedChanges, AReceiptMadeAloneHasTheProfileOfThatRun) {
  const Words words{"receipt", "create", "--format", "json"};
  const Value alone = document(words);
  EXPECT_FALSE(Peek(alone)["receipt"]["verification_profile"].exists());
  must({"analyze", "--changed-paths", "Makefile"});
  const Value governed = document(words);
  EXPECT_EQ(Peek(governed)["receipt"]["verification_profile"]["profile"].text(),
            "governance_config");
}

TEST_P(RecordedChanges, ToolsRecordThemToo) {
  McpProcess agent(repo.root());
  agent.initialize();
  const auto told = [](const Value& answer) {
    return Value(Peek(answer)["result"]["structuredContent"].map());
  };
  const Value before = told(agent.call(1, "analyze_repository"));
  const std::string first{Peek(before)["run_id"].text()};
  ASSERT_FALSE(first.empty()) << wire::canonical_json(before);
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 3));
  const Value after = told(agent.call(2, "analyze_repository", R"({"git_diff_ref":"HEAD"})"));
  const std::string second{Peek(after)["run_id"].text()};
  EXPECT_EQ(recorded(), R"(["pkg/a.py"])");
  const Value verified = told(agent.call(3, "check_patch_contract",
                                         R"({"mode":"verify","before_run_id":")" + first +
                                             R"(","after_run_id":")" + second + R"("})"));
  EXPECT_EQ(Peek(verified)["verification_profile"].text(), "python_structural");
  EXPECT_EQ(Peek(verified)["status"].text(), "accepted");
}

}  // namespace
}  // namespace gh::testing
