// What a fifth look found open in declared changes, each as it was found. On both ledgers.
#include "model/peek.h"
#include "tests/change_kit.h"

namespace gh::testing {
namespace {

class ChangeFifthLook : public ChangeWorld {
 protected:
  std::string told(const Words& words, const std::string& session) const {
    const Value answer = document(words, session);
    const std::string_view reason = Peek(answer)["reason"].text();
    return std::string(Peek(answer)["status"].text()) + (reason.empty() ? "" : " ") +
           std::string(reason);
  }
  Ran git(Words words, const Words& environment = {}) const {
    words.insert(words.begin(), "/usr/bin/git");
    return run_program(std::move(words), repo.root(), {}, environment);
  }
  void done(Words words) const {
    const Ran ran = git(std::move(words));
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  /// By somebody who does not ask the hooks, which is what others do on their machines.
  void commit_elsewhere(const std::string& message) const {
    done({"-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", message});
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeFifthLook,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

// -------------------------------------------------------------------------------------- receipts

/// Twice the same block; without one line of it.
std::string two_blocks(std::size_t without = 0) {
  std::string out;
  std::size_t line = 0;
  for (int block = 0; block < 2; ++block)
    for (const char* text :
         {"begin", "one", "two", "three", "check()", "four", "five", "six", "end"})
      if (++line != without) out += std::string(text) + "\n";
  return out;
}

TEST_P(ChangeFifthLook, InAFileThatGotOtherLinesAReceiptCoversNoOtherPlace) {
  ChangeWorld::configure("hooks:\n  mode: enforce\n");
  repo.write("docs/dup.txt", two_blocks());
  repo.commit("two blocks");
  must({"hook", "install"});
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/dup.txt"}), "active");
  repo.write("docs/dup.txt", two_blocks(14));  // of the second block
  EXPECT_EQ(finish("A", {"docs/dup.txt"}), "accepted");
  // Others write above both blocks. The context of either is what it was.
  repo.write("docs/dup.txt", "zero\n" + two_blocks());
  // By a person, so that the guard of the branch has seen it.
  done({"commit", "-q", "--no-verify", "-a", "-m", "begin at zero"});
  const Words who{"CLAUDECODE=1", "GATEHOUSE_SESSION=A"};
  repo.write("docs/dup.txt", "zero\n" + two_blocks(5));
  const Ran elsewhere = git({"commit", "-q", "-a", "-m", "a change"}, who);
  EXPECT_EQ(elsewhere.code, 1) << elsewhere.out << elsewhere.err;
  repo.write("docs/dup.txt", "zero\n" + two_blocks(14));
  const Ran made = git({"commit", "-q", "-a", "-m", "a change"}, who);
  ASSERT_EQ(made.code, 0) << made.out << made.err;
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "binding"), "rebound");
  // The message on a commit of the other place; and where a third block came in between, nobody
  // knows any more which one was meant.
  const std::string message = git({"log", "-1", "--format=%B"}).out;
  const std::pair<std::string, std::string> others[] = {
      {"zero\n" + two_blocks(), "zero\n" + two_blocks(5)},
      {two_blocks() + two_blocks(), two_blocks() + two_blocks(14)},
  };
  for (const auto& [theirs, forged] : others) {
    done({"checkout", "-q", "--detach", "HEAD~2"});
    repo.write("docs/dup.txt", theirs + "last\n");
    commit_elsewhere("others");
    repo.write("docs/dup.txt", forged + "last\n");
    commit_elsewhere(message);
    EXPECT_EQ(ask({"receipt", "verify", "HEAD"}).code, 3) << theirs;
    done({"checkout", "-q", "main"});
  }
}

// ------------------------------------------------------------------------------------- baselines

TEST_P(ChangeFifthLook, ABaselineThatWasCommittedRoundTheHookIsNobodyElses) {
  ChangeWorld::configure("hooks:\n  mode: enforce\n");
  must({"baseline", "save"});
  repo.commit("a baseline");
  must({"hook", "install"});
  must({"analyze"});
  const std::string abuse = "violated baseline_abuse:baseline_changed_with_functional_code";
  const auto somebodys_code = [&](int size) {
    repo.write("pkg/b.py", python_function("store", size));
    commit_elsewhere("somebody's code");
    must({"baseline", "update"});
  };
  const auto own_work = [&](int size) {
    repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", size));
    return told(finishing({"pkg/a.py"}, {"--analyze"}), "A");
  };
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  somebodys_code(4);
  commit_elsewhere("who was that?");
  EXPECT_EQ(own_work(1), abuse);
  // Given up and started from there it is a change like any other.
  must({"change", "abandon"}, "A");
  done({"checkout", "-q", "pkg/a.py"});
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(own_work(1), "accepted");
  commit_elsewhere("a");
  // A person commits one through the hook.
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  somebodys_code(5);
  const Ran person = git({"commit", "-q", "-a", "-m", "a person's baseline"},
                         {"GATEHOUSE_BYPASS_REASON=the debt was looked at"});
  ASSERT_EQ(person.code, 0) << person.out << person.err;
  EXPECT_EQ(own_work(2), "accepted");
  commit_elsewhere("a again");
  // And one comes from another clone, where no hook of this one ever was.
  must({"analyze"});
  const std::string before = repo.git({"rev-parse", "HEAD"});
  somebodys_code(6);
  commit_elsewhere("their baseline");
  const std::string clone = repo.folder() + "/clone";
  repo.git({"clone", "-q", "--bare", ".", clone});
  done({"reset", "-q", "--hard", before});
  repo.git({"remote", "add", "origin", clone});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  done({"-c", "core.hooksPath=/dev/null", "pull", "-q", "--ff-only", "origin", "main"});
  done({"fetch", "-q", "origin"});
  EXPECT_EQ(own_work(3), "accepted");
}

// ------------------------------------------------------------------------------- declared anew

TEST_P(ChangeFifthLook, DeclaringAnewTurnsNoNoIntoAYes) {
  const auto declare = [&](const std::string& session, const Words& files) {
    Words words{"change", "declare", "--goal",
                "g",      "--run",   field({"change", "budget"}, session, "run_id"),
                "--allow"};
    words.insert(words.end(), files.begin(), files.end());
    return document(words, session);
  };
  // As 'change extend' does: a start would have refused that file.
  repo.write("docs/index.md", "somebody's\n");
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const Value wider = declare("A", {"docs/guide.md", "docs/index.md"});
  EXPECT_EQ(Peek(wider)["reason"].text(), "dirty_scope");
  EXPECT_FALSE(Peek(wider)["edit_allowed"].is_true());
  EXPECT_EQ(wire::canonical_json(Value(Peek(wider)["dirty_paths_in_scope"].list())),
            R"(["docs/index.md"])");
  EXPECT_EQ(field({"change", "status"}, "A", "scope.allowed_files"), R"(["docs/guide.md"])");
  repo.write("Makefile", "all: one\n");
  EXPECT_TRUE(Peek(declare("A", {"docs/guide.md", "Makefile"}))["edit_allowed"].is_true());
  // Nor may whoever was promoted into uncommitted files edit them under another declaration.
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  repo.write("docs/guide.md", "half done by A\n");
  const std::string id = id_of("B");
  must({"change", "abandon"}, "A");
  EXPECT_EQ(ask({"change", "promote", id}, "B").code, 1);
  const Value anew = declare("B", {"docs/guide.md", "pkg/b.py"});
  EXPECT_EQ(Peek(anew)["status"].text(), "active");
  EXPECT_FALSE(Peek(anew)["edit_allowed"].is_true());
  EXPECT_TRUE(contains(Peek(anew)["next_step"].text(), "promote " + id));
  EXPECT_EQ(ask({"hook", "test", "--path", "pkg/b.py"}, "B").code, 1);
  EXPECT_EQ(field({"status"}, "B", "next.arguments.action"), "promote");
  EXPECT_EQ(field({"status"}, "B", "next.arguments.intent_id"), id);
  repo.git({"checkout", "-q", "docs/guide.md"});
  must({"change", "promote", id}, "B");
  EXPECT_EQ(ask({"hook", "test", "--path", "pkg/b.py"}, "B").code, 0);
}

// ----------------------------------------------------------------------------------- what is next

TEST_P(ChangeFifthLook, NobodyIsAdvisedToDeclareWhatOthersMayBeWriting) {
  EXPECT_EQ(start("A", {"docs/index.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}), "active");
  repo.write("docs/index.md", "by A\n");
  repo.write("docs/guide.md", "by B\n");
  repo.write("Makefile", "by whom:\n");
  const auto next_of = [&](const std::string& path) {
    const Value answer = document({"check"});
    for (const Value& item : Peek(answer)["reasons"].list())
      if (Peek(item)["path"].text() == path) return Value(Peek(item)["next"].map());
    return Value();
  };
  const Value shared = next_of("Makefile");
  EXPECT_EQ(Peek(shared)["command"].text(), "gatehouse check --files docs/index.md --session A");
  EXPECT_EQ(Peek(shared)["tool"].text(), "check");
  EXPECT_TRUE(contains(Peek(shared)["why"].text(), "what you changed yourself"));
  EXPECT_EQ(ask({"check", "--files", "docs/index.md"}, "A").code, 0);
  // Staged for a commit it is of the change that is committed.
  repo.git({"add", "Makefile", "docs/index.md"});
  const Value staged = document({"check", "--staged"});
  const Peek reason{Peek(staged)["reasons"].list().front()};
  EXPECT_EQ(reason["next"]["command"].text(), "gatehouse change extend --add Makefile --session A");
  repo.git({"reset", "-q"});
  must({"change", "abandon"}, "B");
  repo.git({"checkout", "-q", "docs/guide.md"});
  const Value alone = next_of("Makefile");
  EXPECT_EQ(Peek(alone)["command"].text(), "gatehouse change extend --add Makefile --session A");
  repo.git({"reset", "-q", "--hard"});
}

TEST_P(ChangeFifthLook, WhatVerifyRefusesIsNamedInItsText) {
  EXPECT_EQ(start("A", {"docs/guide.md"}, {"--forbid", "Makefile"}), "active");
  const Ran ran = ask({"change", "verify", "--files", "docs/index.md", "Makefile"}, "A");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "Unexpected   docs/index.md\n")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "Forbidden    Makefile\n")) << ran.out;
}

}  // namespace
}  // namespace gh::testing
