// A change is judged from the commit that it began from: nobody chooses by what they had analysed
// what their change is compared with. Through the command line and through tools, on both ledgers.
#include <filesystem>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "tests/mcp_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

class ChangeBase : public ChangeWorld {
 protected:
  ChangeBase() : good("from pkg import b\n" + python_function("load", 2)) {}

  /// Status, reason and the verdict of the receipt.
  std::string finished(const Words& files, const Words& more = {"--analyze"}) const {
    const Value done = document(finishing(files, more));
    const Peek d(done);
    return std::string(d["status"].text()) + " " + std::string(d["reason"].text()) + " " +
           std::string(d["receipt"]["verdict"].text());
  }
  std::string bad() const { return good + "\n\n" + python_function("_nobody_calls", 2); }
  std::string head() const { return repo.git({"rev-parse", "HEAD"}); }

  std::string good;
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeBase,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(ChangeBase, WhatARunReadAndWasTakenBackExcusesNothing) {
  repo.write("pkg/a.py", bad());
  must({"analyze"});
  repo.write("pkg/a.py", good);
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", bad());
  EXPECT_EQ(finished({"pkg/a.py"}), "violated structural_regressions ");
  repo.write("pkg/a.py", bad() + "\n\nload(1)\n");
  must({"analyze"});
  EXPECT_EQ(finished({"pkg/a.py"}, {"--after-run", "latest"}), "violated structural_regressions ");
  repo.write("pkg/a.py", good + "\n\nload(1)\n");
  EXPECT_EQ(finished({"pkg/a.py"}), "accepted  clean");
}

TEST_P(ChangeBase, ARefusedChangeThatIsStartedAnewIsRefusedAgain) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", bad());
  EXPECT_EQ(finished({"pkg/a.py"}), "violated structural_regressions ");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--continue-own-wip"}), "active");
  EXPECT_EQ(finished({"pkg/a.py"}), "violated structural_regressions ");
  repo.write("pkg/a.py", bad() + "\n\nload(1)\n");
  EXPECT_EQ(finished({"pkg/a.py"}), "violated structural_regressions ");
}

TEST_P(ChangeBase, WhatWasDeclaredAloneIsJudgedFromItsCommitToo) {
  repo.write("pkg/a.py", bad());
  must({"analyze"});
  must({"change", "declare", "--goal", "g", "--allow", "pkg/a.py"}, "A");
  EXPECT_EQ(finished({"pkg/a.py"}), "violated structural_regressions ");
}

TEST_P(ChangeBase, AFileThatIsGoneAgainExcusesNoClone) {
  repo.write("pkg/c.py", python_copy("one"));
  repo.commit("one copy");
  repo.write("pkg/d.py", python_copy("two"));
  must({"analyze"});
  std::filesystem::remove(repo.at("pkg/d.py"));
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", good + "\n\n" + python_copy("two") + "\n\ntwo(1)\n");
  EXPECT_EQ(finished({"pkg/a.py"}), "violated structural_regressions ");
}

TEST_P(ChangeBase, AFileThatIsGoneAgainHidesNothingAfterwards) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", bad());
  repo.write("pkg/d.py", "from pkg.a import _nobody_calls\n\n_nobody_calls(1)\n");
  must({"analyze"});
  std::filesystem::remove(repo.at("pkg/d.py"));
  EXPECT_EQ(finished({"pkg/a.py"}, {"--after-run", "latest"}), "unverified after_run_stale ");
  must({"analyze"});
  EXPECT_EQ(finished({"pkg/a.py"}, {"--after-run", "latest"}), "violated structural_regressions ");
}

TEST_P(ChangeBase, OwnWorkThatMakesNothingWorseIsAcceptedFromTheCommit) {
  repo.write("pkg/a.py", good + "\n\nload(1)\n");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--continue-own-wip"}), "active");
  repo.write("pkg/a.py", good + "\n\nload(2)\n");
  const Value done = document(finishing({"pkg/a.py"}, {"--analyze"}));
  EXPECT_EQ(Peek(done)["status"].text(), "accepted");
  const Peek from = Peek(done)["verification"]["judged_from"];
  EXPECT_EQ(from["commit"].text(), head());
  EXPECT_EQ(wire::canonical_json(Value(from["differs"].list())), R"(["pkg/a.py"])");
  EXPECT_EQ(from["run_id"].text(), Peek(done)["verification"]["before"]["run_id"].text());
  const std::string digest{Peek(done)["receipt"]["receipt_digest"]["value"].text()};
  EXPECT_EQ(
      field({"receipt", "show", "sha256:" + digest}, "", "body.provenance.judged_from.commit"),
      head());
  EXPECT_TRUE(contains(Peek(done)["receipt"]["content"].text(), "Judged from"))
      << Peek(done)["receipt"]["content"].text();
}

TEST_P(ChangeBase, WorkOfOthersThatARunReadChangesNothing) {
  repo.write("pkg/b.py", python_function("store", 4));
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", good + "\n\nload(1)\n");
  must({"analyze"});
  const Value done = document(finishing({"pkg/a.py"}, {"--after-run", "latest"}));
  EXPECT_EQ(Peek(done)["status"].text(), "accepted_with_external_changes");
  EXPECT_FALSE(Peek(done)["verification"]["judged_from"].exists());
}

TEST_P(ChangeBase, WhatOthersCommittedBeforeTheStartIsNotCharged) {
  repo.write("pkg/a.py", bad());
  repo.commit("by somebody else");
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", bad() + "\n\nload(1)\n");
  must({"analyze"});
  const std::string latest = field({"change", "budget"}, "A", "run_id");
  EXPECT_EQ(finished({"pkg/a.py"}, {"--after-run", "latest"}), "accepted  clean");
  EXPECT_EQ(field({"change", "budget"}, "A", "run_id"), latest) << "that of the commit is not kept";
}

// change-control 14: never runs analysis
TEST_P(ChangeBase, VerifyAloneTakesARunOfTheCommitThatIsKept) {
  repo.write("pkg/a.py", bad());
  must({"analyze"});
  repo.write("pkg/a.py", good);
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", bad() + "\n\nload(1)\n");
  must({"analyze"});
  const Words verify{"change", "verify", "--files", "pkg/a.py", "--after-run", "latest"};
  const Value looked = document(verify);
  EXPECT_EQ(Peek(looked)["status"].text(), "violated") << "the first run of the world is of HEAD";
  EXPECT_EQ(Peek(looked)["judged_from"]["commit"].text(), head());
}

TEST_P(ChangeBase, VerifyAloneNeedsARunOfTheCommit) {
  repo.write("pkg/b.py", python_function("store", 4));
  repo.write("pkg/a.py", bad());
  repo.commit("no run of this");
  repo.write("pkg/a.py", bad() + "\n\nload(1)\n");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--continue-own-wip"}), "active");
  repo.write("pkg/a.py", bad() + "\n\nload(2)\n");
  must({"analyze"});
  const Value looked =
      document({"change", "verify", "--files", "pkg/a.py", "--after-run", "latest"});
  EXPECT_EQ(Peek(looked)["status"].text(), "unverified");
  EXPECT_EQ(Peek(looked)["reason"].text(), "before_run_not_of_base");
  EXPECT_EQ(Peek(looked)["judged_from"]["commit"].text(), head());
  EXPECT_TRUE(contains(Peek(looked)["next_step"].text(), "finish"));
  EXPECT_EQ(finished({"pkg/a.py"}, {"--after-run", "latest"}), "accepted  clean");
}

TEST_P(ChangeBase, ACommitThatIsGoneJudgesNothing) {
  repo.git({"commit", "-q", "--allow-empty", "-m", "to be lost"});
  repo.write("pkg/a.py", bad());
  must({"analyze"});
  repo.write("pkg/a.py", good);
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.git({"reset", "-q", "HEAD~1"});
  repo.git({"reflog", "expire", "--expire=now", "--all"});
  repo.git({"gc", "-q", "--prune=now"});
  repo.write("pkg/a.py", bad() + "\n\nload(1)\n");
  EXPECT_EQ(finished({"pkg/a.py"}), "unverified before_run_not_of_base ");
}

// On a server a repository is known by its first commit.
class ChangeBaseHere : public ChangeBase {};
INSTANTIATE_TEST_SUITE_P(Sqlite, ChangeBaseHere, ::testing::Values(BackEnd::sqlite), name_of);

TEST_P(ChangeBaseHere, AStartWhileThereIsNoCommitIsJudgedFromTheOneThatCame) {
  const std::string first = head();
  repo.write("pkg/a.py", bad());
  must({"analyze"});
  repo.git({"update-ref", "-d", "HEAD"});
  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--continue-own-wip"}), "active");
  repo.git({"update-ref", "HEAD", first});
  repo.write("pkg/a.py", bad() + "\n\nload(1)\n");
  EXPECT_EQ(finished({"pkg/a.py"}), "violated structural_regressions ");
}

TEST_P(ChangeBase, ToolsAreJudgedFromTheCommitToo) {
  McpProcess agent(repo.root());
  agent.initialize();
  std::int64_t asked = 0;
  const auto told = [&](const std::string& tool, const std::string& arguments) {
    const Value answer = agent.call(++asked, tool, arguments);
    return Value(Peek(answer)["result"]["structuredContent"].map());
  };
  const std::string root = R"("root":")" + repo.root() + R"(")";
  const auto analysed = [&] {
    const Value run = told("analyze_repository", "{" + root + "}");
    return std::string(Peek(run)["run_id"].text());
  };
  const auto started = [&](const std::string& more) {
    const Value begun =
        told("start_controlled_change",
             "{" + root + R"(,"scope":{"allowed_files":["pkg/a.py"]},"intent":"x")" + more + "}");
    EXPECT_EQ(Peek(begun)["status"].text(), "active");
    return std::string(Peek(begun)["intent_id"].text());
  };
  const auto ends = [&](const std::string& intent, const std::string& run) {
    const Value done =
        told("finish_controlled_change", "{" + root + R"(,"intent_id":")" + intent +
                                             R"(","changed_files":["pkg/a.py"],"after_run_id":")" +
                                             run + R"("})");
    return std::string(Peek(done)["status"].text()) + " " +
           std::string(Peek(done)["reason"].text());
  };
  repo.write("pkg/a.py", bad());
  analysed();
  repo.write("pkg/a.py", good);
  const std::string first = started("");
  repo.write("pkg/a.py", bad());
  EXPECT_EQ(ends(first, analysed()), "violated structural_regressions");
  const std::string second = started(R"(,"dirty_scope_policy":"continue_own_wip")");
  EXPECT_EQ(ends(second, analysed()), "violated structural_regressions");
}

}  // namespace
}  // namespace gh::testing
