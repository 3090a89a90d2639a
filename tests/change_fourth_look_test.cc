// What a fourth look found open in declared changes, each as it was found: gates that let in what
// another one refuses, receipts that cover too much, and steps that lead nowhere. On both ledgers.
#include <filesystem>

#include "model/peek.h"
#include "tests/change_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ChangeFourthLook : public ChangeWorld {
 protected:
  void write_at(const std::string& folder, const std::string& path, const std::string& text) const {
    ASSERT_TRUE(sys::write_file_atomic(folder + "/" + path, text).has_value());
  }
  std::string told(const Words& words, const std::string& session) const {
    const Value answer = document(words, session);
    const std::string_view reason = Peek(answer)["reason"].text();
    return std::string(Peek(answer)["status"].text()) + (reason.empty() ? "" : " ") +
           std::string(reason);
  }
  /// "rule path" of each reason of `check`.
  Words reasons(Words words, const std::string& session) const {
    words.insert(words.begin(), "check");
    const Value answer = document(std::move(words), session);
    Words out;
    for (const Value& reason : Peek(answer)["reasons"].list()) {
      const std::string path{Peek(reason)["path"].text()};
      out.push_back(std::string(Peek(reason)["id"].text()) + (path.empty() ? "" : " " + path));
    }
    return out;
  }
  Ran git(Words words, const std::string& session = "") const {
    words.insert(words.begin(), "/usr/bin/git");
    Words environment;
    if (!session.empty()) environment = {"GATEHOUSE_SESSION=" + session};
    return run_program(std::move(words), repo.root(), {}, std::move(environment));
  }
  /// The same where the hooks of the repository let it through.
  void done(Words words) const {
    const Ran ran = git(std::move(words));
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeFourthLook,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

// ------------------------------------------------------------------------------------- promotion

TEST_P(ChangeFourthLook, WhoeverWasToldNotToEditYetIsLetInByNoGate) {
  ChangeWorld::configure("hooks:\n  mode: enforce\n");
  must({"hook", "install"});
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {"--on-conflict", "queue"}), "queued");
  const std::string id = id_of("B");
  repo.write("docs/guide.md", "half done by A\n");
  must({"change", "abandon"}, "A");
  EXPECT_EQ(ask({"change", "promote", id}, "B").code, 1);
  EXPECT_EQ(told({"change", "check", "--files", "docs/guide.md"}, "B"),
            "unverified intent_not_active");
  for (const Words& words : {Words{"check"}, Words{"check", "--intent", id}}) {
    const Value checked = document(words, "B");
    EXPECT_EQ(Peek(checked)["decision"].text(), "unverified");
    const Peek reason{Peek(checked)["reasons"].list().front()};
    EXPECT_EQ(reason["id"].text(), "GH-INTENT-002");
    EXPECT_EQ(reason["evidence"]["code"].text(), "intent_not_active");
    EXPECT_EQ(reason["next"]["command"].text(), "gatehouse change promote " + id + " --session B");
  }
  EXPECT_EQ(ask({"check"}, "B").code, 1);
  repo.git({"add", "-A"});
  EXPECT_EQ(reasons({"--staged"}, "B"), (Words{"GH-INTENT-002"}));
  const Ran refused = git({"commit", "-q", "-m", "not mine"}, "B");
  EXPECT_EQ(refused.code, 1) << refused.out << refused.err;
  EXPECT_TRUE(contains(refused.out + refused.err, "GH-INTENT-002")) << refused.err;
  // Once promote says yes, all of them do.
  done({"reset", "-q", "--hard"});
  must({"change", "promote", id}, "B");
  repo.write("docs/guide.md", "by B\n");
  EXPECT_EQ(ask({"check"}, "B").code, 0);
  repo.git({"add", "-A"});
  const Ran made = git({"commit", "-q", "-m", "mine"}, "B");
  EXPECT_EQ(made.code, 0) << made.out << made.err;
}

// -------------------------------------------------------------------------------------- receipts

/// Two blocks that are the same, with more of the same around the line that goes.
std::string two_blocks(std::size_t without = 0) {
  std::string out;
  std::size_t line = 0;
  for (int block = 0; block < 2; ++block)
    for (const char* text :
         {"begin", "one", "two", "three", "check()", "four", "five", "six", "end"})
      if (++line != without) out += std::string(text) + "\n";
  return out;
}

TEST_P(ChangeFourthLook, AReceiptCoversNoOtherPlaceOfTheSameFile) {
  ChangeWorld::configure("hooks:\n  mode: enforce\n");
  repo.write("docs/dup.txt", two_blocks());
  repo.commit("two blocks");
  must({"hook", "install"});
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/dup.txt"}), "active");
  repo.write("docs/dup.txt", two_blocks(14));
  EXPECT_EQ(finish("A", {"docs/dup.txt"}), "accepted");
  done({"checkout", "-q", "docs/dup.txt"});
  done({"commit", "-q", "--no-verify", "--allow-empty", "-m", "somebody's"});
  const Words who{"CLAUDECODE=1", "GATEHOUSE_SESSION=A"};
  const auto commit = [&] {
    return run_program({"/usr/bin/git", "commit", "-q", "-a", "-m", "a change"}, repo.root(), {},
                       who);
  };
  repo.write("docs/dup.txt", two_blocks(5));
  const Ran elsewhere = commit();
  EXPECT_EQ(elsewhere.code, 1) << elsewhere.out << elsewhere.err;
  // Whoever goes round the hook has a commit that no receipt covers.
  done({"commit", "-q", "--no-verify", "-a", "-m", "round it"});
  const std::string digest = field({"receipt", "trailers"}, "A", "receipt");
  EXPECT_TRUE(digest.empty()) << digest;
  done({"reset", "-q", "--hard", "HEAD~1"});
  // The change itself holds there, and so it does where its file got other lines.
  repo.write("docs/dup.txt", two_blocks(14));
  const Ran made = commit();
  ASSERT_EQ(made.code, 0) << made.out << made.err;
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "binding"), "rebound");
  done({"checkout", "-q", "-b", "theirs", "HEAD~1"});
  repo.write("docs/dup.txt", "zero\n" + two_blocks());
  done({"commit", "-q", "--no-verify", "-a", "-m", "begin at zero"});
  done({"checkout", "-q", "main"});
  done({"rebase", "-q", "theirs"});
  EXPECT_EQ(field({"receipt", "verify", "HEAD"}, "", "binding"), "rebound");
  // The message copied to a commit of the other place.
  const std::string message = git({"log", "-1", "--format=%B"}).out;
  done({"checkout", "-q", "-b", "forged", "theirs~1"});
  repo.write("docs/dup.txt", two_blocks(5));
  done({"commit", "-q", "--no-verify", "-a", "-m", message});
  EXPECT_EQ(ask({"receipt", "verify", "HEAD"}).code, 3);
}

TEST_P(ChangeFourthLook, AnEditedNoteIsSaidToHoldAnotherDigest) {
  const std::string digest = finished_guide("read this\n");
  repo.commit("a change\n\nGatehouse-Receipt: " + digest);
  must({"receipt", "attach"}, "A");
  const std::string clone = repo.folder() + "/clone";
  repo.git({"clone", "-q", ".", clone});
  repo.git_at(clone, {"fetch", "-q", "origin", "refs/notes/gatehouse:refs/notes/gatehouse"});
  std::string note = repo.git_at(clone, {"notes", "--ref", "gatehouse", "show", "HEAD"});
  const std::size_t at = note.find("\"status\":\"accepted\"");
  ASSERT_NE(at, note.npos) << note;
  note.replace(at, 19, "\"status\":\"promoted\"");
  repo.git_at(clone, {"-c", "user.name=N", "-c", "user.email=n@example.org", "notes", "--ref",
                      "gatehouse", "add", "-f", "-m", note, "HEAD"});
  const Ran ran = gatehouse({"receipt", "verify", "HEAD"}, clone);
  if (GetParam() == BackEnd::postgres) {  // the clone has the ledger too, and the note no say
    EXPECT_EQ(ran.code, 0) << ran.err;
    return;
  }
  EXPECT_EQ(ran.code, 3) << ran.out;
  EXPECT_TRUE(contains(ran.err, "digest_mismatch")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "holds no receipt with the digest " + digest)) << ran.err;
}

// ------------------------------------------------------------------------------------- baselines

TEST_P(ChangeFourthLook, ABaselineThatSomebodyElseCommitsAloneIsNoneOfTheChange) {
  must({"baseline", "save"});
  repo.commit("a baseline");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/b.py", python_function("store", 4));
  repo.commit("somebody's code");
  must({"baseline", "update"});
  repo.commit("somebody's baseline");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  const Value done = document(finishing({"pkg/a.py"}, {"--analyze"}));
  EXPECT_EQ(Peek(done)["status"].text(), "accepted");
  EXPECT_EQ(events("baseline_abuse.detected"), 0u);
  const std::string committed =
      wire::canonical_json(Value(Peek(done)["committed_outside_scope"].map()));
  EXPECT_TRUE(contains(committed, "gatehouse.baseline.json")) << committed;
  repo.commit("a");

  // A change hides nothing behind it: what it makes worse is told by the runs themselves.
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1) +
                             "\n\ndef _nobody_else(a):\n    return a + 1\n");
  must({"baseline", "update"});
  repo.git({"commit", "-q", "-m", "the debt, accepted", "gatehouse.baseline.json"});
  EXPECT_EQ(told(finishing({"pkg/a.py"}, {"--analyze"}), "A"), "violated structural_regressions");
  // Nor is it another's when it comes with the work, or says whose it is.
  const std::string dead = "\n\ndef _nobody_calls_this(a):\n    return a + 1\n";
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 2));
  repo.write("pkg/b.py", python_function("store", 4) + dead);
  must({"baseline", "update"});
  repo.commit("work and baseline");
  EXPECT_EQ(told(finishing({"pkg/a.py"}, {"--analyze"}), "A"),
            "violated baseline_abuse:baseline_changed_with_functional_code");
  must({"change", "abandon"}, "A");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/b.py", python_function("store", 2));
  must({"baseline", "update"});
  repo.commit("mine\n\nGatehouse-Intent: " + id_of("A"));
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  EXPECT_EQ(told(finishing({"pkg/a.py"}, {"--analyze"}), "A"),
            "violated baseline_abuse:baseline_changed_with_functional_code");
  // What is not committed is nobody's word.
  must({"change", "abandon"}, "A");
  repo.git({"checkout", "-q", "pkg/a.py"});
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  repo.write("pkg/b.py", python_function("store", 5) + dead);
  must({"baseline", "update"});
  EXPECT_EQ(told(finishing({"pkg/a.py"}, {"--analyze"}), "A"),
            "violated baseline_abuse:baseline_changed_with_functional_code");
}

// --------------------------------------------------------------------------------- what is told

TEST_P(ChangeFourthLook, AMeasuredFindingIsToldWithItsFigureWithoutABaseline) {
  std::string code = "from pkg import a\n" + python_function("store", 3) + "\n\ndef big(a):\n";
  for (int i = 0; i < 40; ++i)
    code += "    if a == " + std::to_string(i) + ":\n        a += 1\n";
  code += "    return a\n\n\nclass Odd:\n";
  for (int i = 0; i < 9; ++i) {
    const std::string n = std::to_string(i);
    code += "    def m" + n + "(self):\n        self.x" + n + " = " + n +
            "\n        return self.x" + n + "\n\n";
  }
  const auto messages = [](const Peek& verdict) {
    std::string out;
    for (const Value& reason : verdict["reasons"].list())
      out += std::string(Peek(reason)["message"].text()) + "\n";
    return out;
  };
  const auto expect_figures = [](const std::string& said) {
    for (const char* figure :
         {"cyclomatic complexity 41: ", "the class falls apart into 9 groups of methods: ",
          "2 modules import each other in a circle"})
      EXPECT_TRUE(contains(said, figure)) << figure << " in\n" << said;
    EXPECT_FALSE(contains(said, " 0")) << said;
  };
  EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
  repo.write("pkg/b.py", code);
  const Value checked = document({"check", "--gates", "structure"});
  expect_figures(messages(Peek(checked)));
  const Value refused = document(finishing({"pkg/b.py"}, {"--analyze"}));
  EXPECT_EQ(Peek(refused)["reason"].text(), "structural_regressions");
  expect_figures(messages(Peek(refused)["verdict"]));
  repo.git({"checkout", "-q", "pkg/b.py"});
}

// ---------------------------------------------------------------------------- steps that lead on

TEST_P(ChangeFourthLook, InASharedTreeCheckLeadsToOnesOwnFiles) {
  repo.write("id.txt", "stray, and older\n");
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/index.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "by B\n");
  repo.write("docs/index.md", "by A\n");
  const std::string own = "gatehouse check --files docs/index.md --session A";
  const Value refused = document({"check"});
  EXPECT_EQ(Peek(refused)["decision"].text(), "deny");
  EXPECT_EQ(reasons({}, "A"), (Words{"GH-INTENT-003 docs/guide.md", "GH-SCOPE-001 id.txt"}));
  for (const Value& item : Peek(refused)["reasons"].list()) {
    const Peek reason(item);
    EXPECT_EQ(reason["next"]["command"].text(), own);
    EXPECT_EQ(reason["next"]["tool"].text(), "check");
    EXPECT_EQ(wire::canonical_json(Value(reason["evidence"]["declared"].list())),
              R"(["docs/index.md"])");
  }
  const Peek held{Peek(refused)["reasons"].list().front()};
  EXPECT_EQ(wire::canonical_json(Value(held["evidence"]["held"].list())), R"(["docs/guide.md"])");
  const Ran shown = ask({"check"}, "A");
  EXPECT_TRUE(contains(shown.out, "= declared: docs/index.md\n")) << shown.out;
  // The step works, and names of others are refused by it as before.
  const Ran allowed = ask({"check", "--files", "docs/index.md"}, "A");
  EXPECT_EQ(allowed.code, 0) << allowed.out << allowed.err;
  EXPECT_EQ(reasons({"--files", "docs/index.md", "docs/guide.md"}, "A"),
            Words{"GH-INTENT-003 docs/guide.md"});
  // What came later may be anybody's: whoever declared it at once would take over the work of
  // others.
  repo.write("Makefile", "later:\n");
  const Value later = document({"check"});
  std::string step;
  for (const Value& item : Peek(later)["reasons"].list())
    if (Peek(item)["path"].text() == "Makefile") step = Peek(item)["next"]["command"].text();
  EXPECT_EQ(step, own);
  // The hook before a commit is as strict as it was.
  repo.git({"add", "docs"});
  EXPECT_EQ(reasons({"--staged"}, "A"), Words{"GH-INTENT-003 docs/guide.md"});
  // Where nobody else is at work it is one's own; what was there before is not asked for with it.
  must({"change", "abandon"}, "B");
  const Value alone = document({"check"});
  step.clear();
  for (const Value& item : Peek(alone)["reasons"].list())
    if (Peek(item)["path"].text() == "Makefile") step = Peek(item)["next"]["command"].text();
  EXPECT_EQ(step, "gatehouse change extend --add Makefile docs/guide.md --session A");
  repo.git({"reset", "-q", "--hard"});
}

TEST_P(ChangeFourthLook, NamedFilesAreJudgedAsTheyAreOnDisk) {
  repo.write("docs/new.md", "nobody has added it\n");
  repo.write("pkg/b.py", "def broken(:\n");
  repo.write("pkg/a.py", python_function("load", 2));
  EXPECT_EQ(reasons({"--files", "docs/new.md", "pkg/a.py"}, ""), Words{});
  const Words broken = reasons({"--files", "pkg/b.py"}, "");
  ASSERT_FALSE(broken.empty());
  EXPECT_EQ(broken.front().substr(0, 25), "GH-STRUCT-SYNTAX pkg/b.py");
  EXPECT_TRUE(contains(ask({"check", "--files", "Makefile"}).out, "nothing changed"));
  fs::remove(repo.at("docs/index.md"));
  EXPECT_EQ(ask({"check", "--files", "docs/index.md"}).code, 0);
  for (const Words& wrong : {Words{"--files", "docs"}, Words{"--staged", "--files", "Makefile"},
                             Words{"HEAD~1..HEAD", "--files", "Makefile"}}) {
    Words words{"check"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(ask(words).code, 2) << wrong.front();
  }
  repo.git({"reset", "-q", "--hard"});
}

TEST_P(ChangeFourthLook, WhatStatusAdvisesIsAccepted) {
  const auto next = [&](const std::string& session) {
    return field({"status"}, session, "next.command");
  };
  EXPECT_EQ(start("A", {"docs/index.md"}), "active");
  EXPECT_EQ(start("B", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "by B\n");
  repo.write("docs/index.md", "by A\n");
  EXPECT_EQ(next("A"), "gatehouse change finish --files docs/index.md --analyze --session A");
  repo.git({"commit", "-q", "-m", "a", "docs/index.md"});
  EXPECT_EQ(next("A"), "gatehouse change finish --files docs/index.md --analyze --session A");
  EXPECT_EQ(told(finishing({"docs/index.md"}, {"--analyze"}), "A"),
            "accepted_with_external_changes");
  must({"change", "abandon"}, "B");
  repo.git({"reset", "-q", "--hard"});
  must({"analyze"});
  const std::string tree = start("C", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  write_at(tree, "docs/guide.md", "there\n");
  repo.git_at(tree, {"commit", "-q", "-a", "-m", "there"});
  const std::string base = repo.git({"rev-parse", "HEAD"});
  EXPECT_EQ(next("C"), "gatehouse change finish --diff " + base + " --analyze --session C");
  EXPECT_EQ(told({"change", "finish", "--diff", base, "--analyze"}, "C"), "accepted");
}

TEST_P(ChangeFourthLook, NamesAreTakenToTheLetterWhereThereIsSuchAFile) {
  const std::string blank = " lead trail ", slash = "back\\slash.txt";
  repo.write(blank, "one\n");
  repo.write(slash, "one\n");
  repo.commit("odd names");
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  repo.write(blank, "two\n");
  repo.write(slash, "two\n");
  const Value refused = document({"check", "--gates", "scope"});
  const Peek reason{Peek(refused)["reasons"].list().front()};
  EXPECT_EQ(reason["next"]["command"].text(),
            "gatehouse change extend --add ' lead trail ' 'back\\slash.txt' --session A");
  const Value wider = document({"change", "extend", "--add", blank, slash});
  EXPECT_EQ(wire::canonical_json(Value(Peek(wider)["scope"]["allowed_files"].list())),
            R"([" lead trail ","back\\slash.txt","docs/guide.md"])");
  EXPECT_TRUE(Peek(wider)["warnings"].list().empty());
  EXPECT_EQ(ask({"check", "--gates", "scope"}, "A").code, 0);
  must({"change", "extend", "--add", "docs/index.md"}, "A");
  EXPECT_EQ(ask({"check", "--gates", "scope"}, "A").code, 0) << "what was declared before stays";
  const Value done = document(finishing({"docs/guide.md", blank, slash}));
  EXPECT_EQ(Peek(done)["status"].text(), "accepted");
  EXPECT_TRUE(Peek(done)["warnings"].list().empty());
  repo.commit("odd contents");
  // Of one that is gone too, and by hand of one that is not there yet.
  must({"analyze"});
  fs::remove(repo.at(blank));
  EXPECT_EQ(start("B", {blank, "docs/ new\\x20"}, {"--continue-own-wip"}), "active");
  repo.write("docs/ new ", "a new one\n");
  EXPECT_EQ(told(finishing({blank, "docs/ new "}), "B"), "accepted");
}

TEST_P(ChangeFourthLook, AWiderScopeIsNotCalledViolatedByTheCheckOfTheNarrowerOne) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(field({"change", "check", "--files", "docs/guide.md", "docs/index.md"}, "A", "status"),
            "violated");
  EXPECT_EQ(field({"change", "extend", "--add", "docs/index.md"}, "A", "status"), "active");
  const Value wider = document({"change", "extend", "--add", "gatehouse.baseline.json"});
  EXPECT_EQ(Peek(Peek(wider)["warnings"].list().front())["code"].text(),
            "scope_entry_is_forbidden");
}

// --------------------------------------------------------------------------------------- landing

TEST_P(ChangeFourthLook, ARefusedLandingClosesTheDoorForNobodyElse) {
  const auto rule = [](const Value& answer) {
    return std::string(Peek(answer)["landing"]["result"]["details"]["rule"].text());
  };
  const std::string links = start("A", {"docs/link.md"}, {"--worktree"}, "worktree.path");
  for (const char* target : {"guide.md", "index.md", "other.md", "more.md"}) {
    fs::remove(links + "/docs/link.md");
    fs::create_symlink(target, links + "/docs/link.md");
    const Value refused = document(finishing({"docs/link.md"}));
    EXPECT_EQ(Peek(refused)["reason"].text(), "landing_refused");
    EXPECT_EQ(rule(refused),
              std::string_view(target) == "more.md" ? "retry_exhausted" : "mode_symlink");
  }
  // Its attempts are its own: neither another intent nor a patch of the same login pays for them.
  const std::string tree = start("C", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  write_at(tree, "docs/guide.md", "read there\n");
  EXPECT_EQ(finish("C", {"docs/guide.md"}), "accepted");
  repo.git({"reset", "-q", "--hard"});
  const std::string patch =
      "diff --git a/Makefile b/Makefile\n--- a/Makefile\n+++ b/Makefile\n@@ -1 +1 @@\n-all:\n"
      "+every:\n";
  const Ran applied = gatehouse({"patch", "apply", "-"}, repo.root(), patch);
  EXPECT_EQ(applied.code, 0) << applied.out << applied.err;
  repo.git({"reset", "-q", "--hard"});
}

TEST_P(ChangeFourthLook, WhatOthersDoInTheMainTreeIsNoWayRoundTheGate) {
  const std::string tree = start("A", {"docs/link.md"}, {"--worktree"}, "worktree.path");
  fs::create_symlink("guide.md", tree + "/docs/link.md");
  EXPECT_EQ(told(finishing({"docs/link.md"}), "A"), "violated landing_refused");
  repo.write("Makefile", "somebody's:\n");
  fs::remove(tree + "/docs/link.md");
  write_at(tree, "docs/link.md", "a file of its own\n");
  EXPECT_EQ(told(finishing({"docs/link.md"}), "A"), "accepted");
}

}  // namespace
}  // namespace gh::testing
