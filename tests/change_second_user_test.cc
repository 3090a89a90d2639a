// What a second newcomer and a second attacker found open in declared changes, each as it was
// found. On both ledgers.
#include <filesystem>
#include <thread>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ChangeSecondUser : public ChangeWorld {
 protected:
  std::string told(const Words& files, Words more = {}, const std::string& session = "A") const {
    const Value answer = document(finishing(files, std::move(more)), session);
    const std::string_view reason = Peek(answer)["reason"].text();
    return std::string(Peek(answer)["status"].text()) + (reason.empty() ? "" : " ") +
           std::string(reason);
  }
  std::string strictly(const Words& files) const {
    Words words = finishing(files, {"--field", "status"});
    return ask(words, "A", {"GATEHOUSE_STRICT_FINISH=1"}).out;
  }
  void write_at(const std::string& folder, const std::string& path, const std::string& text) const {
    ASSERT_TRUE(sys::write_file_atomic(folder + "/" + path, text).has_value());
  }
  /// A function that nobody calls, after what the file holds.
  static std::string with_dead_code(const std::string& before) {
    return before + "\n\ndef _nobody_calls_this(a):\n    return a + 1\n";
  }
  const std::string b = python_function("store", 3);
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeSecondUser,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(ChangeSecondUser, WhoeverWasToldNotToEditYetFinishesNothing) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  const std::string id = id_of("B");
  repo.write("docs/guide.md", "what A wrote\n");
  EXPECT_EQ(told({"docs/guide.md"}), "accepted");
  EXPECT_EQ(ask({"change", "promote", id}, "B").code, 1);
  EXPECT_EQ(told({"docs/guide.md"}, {}, "B"), "unverified intent_not_active");
  EXPECT_EQ(field({"change", "check", "--files", "docs/guide.md"}, "B", "reason"),
            "intent_not_active");
  EXPECT_EQ(field({"change", "extend", "--add", "docs/index.md"}, "B", "edit_allowed"), "false");
  repo.commit("what A did");
  EXPECT_EQ(told({"docs/guide.md"}, {}, "B"), "unverified intent_not_active") << "it never asked";
  must({"change", "promote", id}, "B");
  repo.write("docs/guide.md", "what B wrote\n");
  EXPECT_EQ(told({"docs/guide.md"}, {}, "B"), "accepted");
}

TEST_P(ChangeSecondUser, StartingAgainMakesOnesOwnDirtNoOlder) {
  for (const Words& between : {Words{}, Words{"change", "abandon"}}) {
    EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
    repo.write("docs/guide.md", "read this\n");
    repo.write("id.txt", "not declared\n");
    EXPECT_EQ(strictly({"docs/guide.md"}), "unverified\n");
    if (!between.empty()) must(between, "A");
    EXPECT_EQ(start("A", {"docs/guide.md"}, {"--ttl", "30m", "--continue-own-wip"}), "active");
    EXPECT_EQ(strictly({"docs/guide.md"}), "unverified\n") << "it is the same edit";
    repo.git({"checkout", "-q", "id.txt"});
    EXPECT_EQ(strictly({"docs/guide.md"}), "accepted\n");
    repo.git({"checkout", "-q", "docs/guide.md"});
  }
  // What was there before the first of them is older than all of them.
  repo.write("id.txt", "somebody's\n");
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("A", {"docs/guide.md", "docs/index.md"}), "active");
  repo.write("docs/guide.md", "read that\n");
  EXPECT_EQ(strictly({"docs/guide.md"}), "accepted_with_external_changes\n");
  repo.git({"checkout", "-q", "."});
}

TEST_P(ChangeSecondUser, AnExtensionTakesNoFileThatAStartWouldRefuse) {
  repo.write("docs/index.md", "somebody's\n");
  EXPECT_EQ(start("A", {"docs/index.md"}, {}, "next_step_code"), "dirty_scope");
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const Value refused = document({"change", "extend", "--add", "docs/index.md"});
  EXPECT_EQ(Peek(refused)["reason"].text(), "dirty_scope");
  EXPECT_FALSE(Peek(refused)["extended"].is_true());
  EXPECT_EQ(ask({"change", "extend", "--add", "docs/index.md"}, "A").code, 1);
  EXPECT_EQ(told({"docs/index.md"}), "violated scope_violation");
  // One's own edit since the start is what an extension is for.
  repo.write("Makefile", "all: one\n");
  must({"change", "extend", "--add", "Makefile"}, "A");
  EXPECT_EQ(field({"change", "extend", "--add", "pkg"}, "A", "warnings.0.code"),
            "scope_entry_is_directory");
}

TEST_P(ChangeSecondUser, ThreeThatLandAtOnceAllLand) {
  const Words files{"docs/guide.md", "docs/index.md", "Makefile"};
  const Words sessions{"A", "B", "C"};
  for (std::size_t i = 0; i < files.size(); ++i)
    write_at(start(sessions[i], {files[i]}, {"--worktree"}, "worktree.path"), files[i],
             "landed by " + sessions[i] + "\n");
  std::vector<Ran> ran(files.size());
  std::vector<std::thread> at_once;
  for (std::size_t i = 0; i < files.size(); ++i)
    at_once.emplace_back([&, i] {
      ran[i] = ask(finishing({files[i]}, {"--analyze", "--commit"}), sessions[i]);
    });
  for (std::thread& one : at_once)
    one.join();
  for (const Ran& one : ran)
    EXPECT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
}

TEST_P(ChangeSecondUser, ARefusedLandingLeavesTheIndexAndSaysWhatHelps) {
  const std::string tree =
      start("A", {"docs/guide.md", "new.txt"}, {"--worktree"}, "worktree.path");
  write_at(tree, "docs/guide.md", "read there\n");
  write_at(tree, "new.txt", "new\n");
  repo.write("docs/guide.md", "dirty here\n");
  const Value refused = document(finishing({"docs/guide.md", "new.txt"}));
  EXPECT_EQ(Peek(refused)["reason"].text(), "landing_refused");
  EXPECT_TRUE(contains(Peek(refused)["next_step"].text(), "in the main tree"))
      << Peek(refused)["next_step"].text();
  EXPECT_EQ(repo.git_at(tree, {"status", "--porcelain"}), " M docs/guide.md\n?? new.txt");
  // A file that is staged and gone can be named by a difference too.
  repo.git_at(tree, {"add", "new.txt"});
  fs::remove(tree + "/new.txt");
  repo.git({"checkout", "-q", "docs/guide.md"});
  EXPECT_EQ(field({"change", "finish", "--diff", "HEAD"}, "A", "status"), "accepted");
}

TEST_P(ChangeSecondUser, ACommitWithoutABranchIsRefusedBeforeAnythingLands) {
  const std::string tree = start("A", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  write_at(tree, "docs/guide.md", "read there\n");
  repo.git({"checkout", "-q", "--detach"});
  EXPECT_EQ(ask(finishing({"docs/guide.md"}, {"--commit"}), "A").code, 2);
  EXPECT_EQ(repo.git({"status", "--porcelain"}), "");
  repo.git({"checkout", "-q", "main"});
  EXPECT_EQ(told({"docs/guide.md"}, {"--commit"}), "accepted");
}

TEST_P(ChangeSecondUser, ARunThatLeavesTheFileOutIsIncomparableNotStale) {
  EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
  repo.write("pkg/b.py", python_function("store", 2));
  std::string text = "analysis:\n  exclude: [\"pkg/b.py\"]\n";
  if (GetParam() == BackEnd::postgres)
    text += "store:\n  url: \"" + postgres_server().url() + "\"\n";
  repo.write("gatehouse.yaml", text);
  must({"analyze"});
  EXPECT_EQ(told({"pkg/b.py"}, {"--after-run", "latest"}), "unverified incomparable_runs");
}

TEST_P(ChangeSecondUser, AStartThatMayAnalyseDoesSoWhenTheRunIsOld) {
  repo.write("pkg/b.py", python_function("store", 4));
  repo.commit("another store");
  EXPECT_EQ(start("A", {"pkg/b.py"}, {}, "warnings.0.code"), "before_run_stale");
  const Value begun = document({"change", "start", "--goal", "g", "--allow", "pkg/b.py",
                                "--related", "pkg/a.py", "--analyze"});
  for (const Value& warning : Peek(begun)["warnings"].list())
    EXPECT_NE(Peek(warning)["code"].text(), "before_run_stale");
}

// ------------------------------------------------------------------------------- the attacker

TEST_P(ChangeSecondUser, AChangeIsJudgedFromWhatItIsBoundTo) {
  repo.git({"checkout", "-q", "-b", "scratch"});
  repo.write("pkg/b.py", with_dead_code(b));
  repo.commit("the bad part");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
  repo.git({"checkout", "-q", "main"});
  repo.write("pkg/b.py", with_dead_code(b));
  EXPECT_EQ(told({"pkg/b.py"}, {"--analyze"}), "violated structural_regressions");
}

TEST_P(ChangeSecondUser, AFileThatIsIgnoredAfterTheRunHidesNothing) {
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
  repo.write("pkg/b.py", with_dead_code(b));
  repo.write("caller.py", "from pkg.b import _nobody_calls_this\n\n_nobody_calls_this(1)\n");
  must({"analyze"});
  std::string exclude = repo.at(".git/info/exclude");
  fs::create_directories(repo.at(".git/info"));
  ASSERT_TRUE(sys::write_file_atomic(exclude, "caller.py\n").has_value());
  EXPECT_EQ(told({"pkg/b.py"}, {"--after-run", "latest"}), "unverified after_run_stale");
}

TEST_P(ChangeSecondUser, ASourceThatDoesNotLandHidesNothingThatDoes) {
  const std::string tree = start("A", {"pkg/b.py"}, {"--worktree"}, "worktree.path");
  write_at(tree, "pkg/b.py", with_dead_code(b));
  write_at(tree, "caller.py", "from pkg.b import _nobody_calls_this\n\n_nobody_calls_this(1)\n");
  EXPECT_EQ(told({"pkg/b.py"}, {"--analyze"}), "unverified workspace_hygiene");
  fs::remove(tree + "/caller.py");
  EXPECT_EQ(told({"pkg/b.py"}, {"--analyze"}), "violated structural_regressions");
}

TEST_P(ChangeSecondUser, AnUndeclaredSourceBesideTheChangeIsAQuestion) {
  EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
  repo.write("pkg/b.py", with_dead_code(b));
  repo.write("caller.py", "from pkg.b import _nobody_calls_this\n\n_nobody_calls_this(1)\n");
  const Value done = document(finishing({"pkg/b.py"}, {"--analyze"}));
  EXPECT_EQ(Peek(done)["status"].text(), "accepted_with_external_changes");
  EXPECT_EQ(Peek(done)["receipt"]["verdict"].text(), "needs_attention");
}

TEST_P(ChangeSecondUser, AChangeWhoseBeginningIsGoneIsAQuestion) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/index.md", "unseen\n");
  repo.git({"commit", "-q", "-a", "--amend", "-m", "another history"});
  repo.git({"reflog", "expire", "--expire=now", "--all"});
  repo.git({"gc", "-q", "--prune=now"});
  repo.write("docs/guide.md", "read this\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "receipt.verdict"), "needs_attention");
}

TEST_P(ChangeSecondUser, AnIntentThatWasGivenUpExplainsNoCommit) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/index.md"}), "active");
  repo.write("docs/index.md", "by nobody\n");
  repo.commit("by nobody");
  must({"change", "abandon"}, "B");
  repo.write("docs/guide.md", "read this\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}, "committed_outside_scope.count"), "1");
}

}  // namespace
}  // namespace gh::testing
