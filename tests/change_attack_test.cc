// What an attacker and a newcomer tried against declared changes, through the command line with
// real git: unread sources, baselines that a change brings along, links, names, receipts.
#include <filesystem>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ChangeAttack : public ChangeWorld {
 protected:
  Value document(Words words, const std::string& session = "A") const {
    words.emplace_back("--json");
    const Ran ran = ask(std::move(words), session);
    auto read = wire::read_own_json(ran.out, "answer");
    EXPECT_TRUE(read) << ran.out << ran.err;
    return read ? std::move(*read) : Value();
  }
  Value finished(const Words& files, Words more = {"--analyze"}) const {
    return document(finishing(files, std::move(more)));
  }
  /// Ids of the findings that the change is charged with.
  static Words charged(const Value& finish) {
    Words out;
    for (const Value& card : Peek(finish)["verification"]["intent_regressions"].list())
      out.emplace_back(Peek(card)["id"].text());
    return out;
  }
  static Words reasons(const Value& verdict) {
    Words out;
    for (const Value& reason : Peek(verdict)["reasons"].list())
      out.push_back(std::string(Peek(reason)["id"].text()) + " " +
                    std::string(Peek(reason)["path"].text()));
    return out;
  }
  void link(const std::string& to, const std::string& at) const {
    fs::create_symlink(to, repo.at(at));
  }
};
INSTANTIATE_TEST_SUITE_P(Sqlite, ChangeAttack, ::testing::Values(BackEnd::sqlite), name_of);

// ------------------------------------------------------------------------------ unread sources

TEST_P(ChangeAttack, ANewFileThatDoesNotParseIsRefusedByFinishAndCheck) {
  EXPECT_EQ(start("A", {"pkg/new.py"}), "active");
  repo.write("pkg/new.py", "def half(:\n    return 1\n\n\ndef whole():\n    return 2\n");
  const Value answer = finished({"pkg/new.py"});
  EXPECT_EQ(Peek(answer)["status"].text(), "violated");
  EXPECT_EQ(charged(answer), (Words{"structural:syntax_error:pkg/new.py"}));
  repo.git({"add", "-A"});
  const Value verdict = document({"check", "--gates", "structure"});
  EXPECT_EQ(Peek(verdict)["decision"].text(), "deny");
  EXPECT_EQ(reasons(verdict), (Words{"GH-STRUCT-SYNTAX pkg/new.py"}));
}

TEST_P(ChangeAttack, ANewFileThatIsTooLargeForTheAnalysisIsRefused) {
  EXPECT_EQ(start("A", {"pkg/large.py"}), "active");
  repo.write("pkg/large.py", "x = 1\n" + std::string((10u << 20) + 1, '#') + "\n");
  const Value answer = finished({"pkg/large.py"});
  EXPECT_EQ(Peek(answer)["status"].text(), "violated");
  EXPECT_EQ(charged(answer), (Words{"structural:unread_file:pkg/large.py"}));
  EXPECT_EQ(
      Peek(Peek(answer)["verification"]["intent_regressions"].list().front())["unread"].text(),
      "file_too_large");
}

TEST_P(ChangeAttack, AFileThatIsBrokenAlreadyMayNotBeBrokenFurther) {
  const std::string broken = "def one(:\n    return 1\n\n\ndef two():\n    return 2\n";
  repo.write("pkg/old.py", broken);
  repo.commit("broken");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/old.py"}), "active");
  repo.write("pkg/old.py", broken + "\n\ndef three(:\n    return 3\n");
  EXPECT_EQ(charged(finished({"pkg/old.py"})), (Words{"structural:syntax_error:pkg/old.py"}));
  repo.write("pkg/old.py", broken + "\n\ndef three():\n    return two()\n\n\nthree()\n");
  EXPECT_EQ(Peek(finished({"pkg/old.py"}))["status"].text(), "accepted");
}

TEST_P(ChangeAttack, CodeWhereNoAnalysisLooksIsNamed) {
  repo.write("shop/migrations/0001_begin.py", "x = 1\n");
  repo.commit("a migration");
  must({"analyze"});
  EXPECT_EQ(start("A", {"shop/migrations/0001_begin.py", "docs/guide.md"}), "active");
  repo.write("shop/migrations/0001_begin.py", "import os\nos.system('true')\n");
  repo.write("docs/guide.md", "read this\n");
  const Value verdict = document({"check", "--gates", "structure"});
  EXPECT_EQ(reasons(verdict), (Words{"source_not_analysed shop/migrations/0001_begin.py"}));
  const Value answer = finished({"shop/migrations/0001_begin.py", "docs/guide.md"});
  const Peek done(answer);
  EXPECT_EQ(done["status"].text(), "accepted") << done["reason"].text();
  ASSERT_EQ(done["verification"]["not_analysed"].list().size(), 1u);
  const Peek left(done["verification"]["not_analysed"].list().front());
  EXPECT_EQ(left["path"].text(), "shop/migrations/0001_begin.py");
  EXPECT_EQ(left["reason"].text(), "excluded_folder");
  EXPECT_EQ(done["receipt"]["verdict"].text(), "needs_attention") << "not clean";
}

TEST_P(ChangeAttack, ADeclaredRepositoryInsideOfThisOneIsNamedAsNotAnalysed) {
  repo.git_at(repo.root(), {"init", "-q", "nested"});
  repo.write("nested/a.py", "def f(:\n");
  EXPECT_EQ(start("A", {"nested", "nested/a.py"}, {"--continue-own-wip"}), "active");
  const Value answer = finished({"nested", "nested/a.py"});
  const Peek done(answer);
  ASSERT_EQ(done["verification"]["not_analysed"].list().size(), 2u) << done["reason"].text();
  for (const Value& file : done["verification"]["not_analysed"].list())
    EXPECT_EQ(Peek(file)["reason"].text(), "nested_repository");
}

// ------------------------------------------------------------------------------------ baseline

TEST_P(ChangeAttack, AChangeBringsNoBaselineForItsOwnJudgement) {
  must({"baseline", "save", "--baseline", "own.json"});
  repo.git({"add", "own.json"});
  const Ran brought = ask({"check", "--gates", "structure", "--baseline", "own.json"});
  EXPECT_EQ(brought.code, 3) << brought.out;
  EXPECT_TRUE(contains(brought.err, "baseline_untrusted")) << brought.err;
  link(repo.folder() + "/elsewhere.json", "linked.json");
  fs::copy(repo.at("own.json"), repo.folder() + "/elsewhere.json");
  EXPECT_EQ(ask({"check", "--gates", "structure", "--baseline", "linked.json"}).code, 3)
      << "a link leads wherever the change likes";
  EXPECT_EQ(ask({"check", "--gates", "structure", "--baseline", "../elsewhere.json"}).code, 0);
  fs::remove(repo.at("linked.json"));
  repo.commit("a baseline, agreed to");
  EXPECT_EQ(ask({"check", "--gates", "structure", "--baseline", "own.json"}).code, 0);
  // From here on the base has one; what the work tree says of it does not count.
  repo.write("own.json", "{}\n");
  const Ran bent = ask({"check", "--gates", "structure", "--baseline", "own.json"});
  EXPECT_FALSE(contains(bent.err, "baseline_untrusted")) << bent.err;
}

// --------------------------------------------------------------------------- links and names

TEST_P(ChangeAttack, AnEntryBelowALinkStandsForTheFileWhereItLies) {
  link("pkg", "alias");
  repo.commit("a link");
  must({"analyze"});
  const Value started =
      document({"change", "start", "--goal", "through a link", "--allow", "alias/a.py"});
  EXPECT_EQ(Peek(started)["scope"]["allowed_files"].list().front(), Value("pkg/a.py"));
  EXPECT_EQ(Peek(Peek(started)["warnings"].list().front())["code"].text(),
            "scope_entry_through_link");
  const auto test = [&](const std::string& path) {
    return field({"hook", "test", "--path", path}, "A", "reason");
  };
  EXPECT_EQ(test("alias/a.py"), "active_intent");
  EXPECT_EQ(test("pkg/a.py"), "active_intent");
  EXPECT_EQ(test("alias/b.py"), "path_outside_scope");
  // The agent may write docs/guide.md no more than through a link of its own.
  link("../docs/guide.md", "pkg/c.py");
  EXPECT_EQ(ask({"change", "extend", "--add", "pkg/c.py"}, "A").code, 0);
  EXPECT_EQ(test("pkg/c.py"), "path_outside_scope") << "what it leads to is not declared";
  link(repo.folder(), "out");
  const Ran outside = ask({"hook", "test", "--path", "out/x"}, "A");
  EXPECT_NE(outside.code, 0);
  EXPECT_TRUE(contains(outside.err, "path_outside_root")) << outside.err;
  EXPECT_EQ(ask({"change", "extend", "--add", "out/x"}, "A").code, 2);
}

TEST_P(ChangeAttack, NobodyDeclaresGitsOwnFolder) {
  for (const char* entry : {".git/config", "sub/.git/config", ".Git/hooks/pre-commit"}) {
    const Ran ran = ask({"change", "start", "--goal", "in", "--allow", entry}, "A");
    EXPECT_EQ(ran.code, 2) << entry;
    EXPECT_TRUE(contains(ran.err, "scope_invalid")) << ran.err;
  }
  link(".git", "g");
  EXPECT_EQ(ask({"change", "start", "--goal", "in", "--allow", "g/config"}, "A").code, 2);
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_NE(ask({"hook", "test", "--path", "g/config"}, "A").code, 0);
  EXPECT_NE(ask({"hook", "test", "--path", ".git/config"}, "A").code, 0);
}

TEST_P(ChangeAttack, ANameThatReadsLikeAnEscapedByteIsAnotherFile) {
  EXPECT_EQ(start("A", {"docs/a\\xff.md"}), "active");  // the byte
  repo.write("docs/a\xff.md", "one\n");
  repo.write("docs/a\\xff.md", "two\n");
  const Value answer = finished({"docs/a\\xff.md"}, {});
  EXPECT_EQ(Peek(answer)["status"].text(), "accepted_with_external_changes");
  EXPECT_EQ(Peek(answer)["external_changes"]["sample"].list().front(), Value("docs/a\\x5cxff.md"));
}

// ------------------------------------------------------------------------------- whose policy

TEST_P(ChangeAttack, ARunBySettingsOfItsOwnDoesNotStandForTheChange) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  // For the time of an analysis the file is none of its business.
  const std::string config = "patch:\n  max_files: 50\n";
  repo.write("gatehouse.yaml", config + "analysis:\n  exclude: [\"pkg/a.py\"]\n");
  must({"analyze"});
  repo.write("gatehouse.yaml", config);
  const Value answer = finished({"pkg/a.py"}, {"--after-run", "latest"});
  EXPECT_EQ(Peek(answer)["status"].text(), "unverified");
  EXPECT_EQ(Peek(answer)["reason"].text(), "after_run_stale");
}

TEST_P(ChangeAttack, ARunOfOtherFilesIsNoBaseForADeclarationWhereFreshOnesAreWanted) {
  configure("change_control:\n  require_fresh_before_run: true\n");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  must({"analyze"});
  repo.git({"checkout", "-q", "--", "."});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "needs_analysis");
  const Ran declared =
      ask({"change", "declare", "--goal", "g", "--allow", "pkg/a.py", "--run", "latest"}, "A");
  EXPECT_EQ(declared.code, 2) << declared.out;
  EXPECT_TRUE(contains(declared.err, "require_fresh_before_run")) << declared.err;
}

TEST_P(ChangeAttack, APolicyThatWasCommittedSinceTheStartDoesNotJudgeTheChange) {
  configure("change_control:\n  min_strictness: ci\n");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  configure("change_control:\n  min_strictness: relaxed\n");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  const Value answer = finished({"pkg/a.py"}, {"--analyze", "--strictness", "relaxed"});
  EXPECT_EQ(Peek(answer)["verification"]["strictness"].text(), "ci");
  EXPECT_EQ(Peek(answer)["status"].text(), "violated");
}

// ------------------------------------------------------------------------------------ receipts

TEST_P(ChangeAttack, TheReceiptSaysHowStrictlyItWasJudgedAndWhatWasLetThrough) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  const Value answer = finished({"pkg/a.py"}, {"--analyze", "--strictness", "relaxed"});
  EXPECT_EQ(Peek(answer)["status"].text(), "accepted");
  EXPECT_EQ(Peek(answer)["receipt"]["verdict"].text(), "needs_attention");
  const std::string digest =
      "sha256:" + std::string(Peek(answer)["receipt"]["receipt_digest"]["value"].text());
  const auto said = [&](const std::string& member) {
    return field({"receipt", "show", digest}, "", "body." + member);
  };
  EXPECT_EQ(said("patch_contract.strictness"), "relaxed");
  const std::string page = ask({"receipt", "show", digest, "--format", "markdown"}).out;
  EXPECT_TRUE(contains(page, "(relaxed_strictness)")) << page;
  EXPECT_TRUE(contains(page, "Strictness: relaxed")) << page;
}

TEST_P(ChangeAttack, TheReceiptTellsWhatWasNamedFromWhatWasChanged) {
  EXPECT_EQ(start("A", {"docs/guide.md", "docs/index.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  const std::string digest =
      "sha256:" + finish("A", {"docs/guide.md", "docs/index.md"}, "receipt.receipt_digest.value");
  const auto said = [&](const std::string& member) {
    return field({"receipt", "show", digest}, "", "body.scope." + member);
  };
  EXPECT_EQ(said("changed_in_git"), R"(["docs/guide.md"])");
  EXPECT_EQ(said("named_unchanged"), R"(["docs/index.md"])");
  EXPECT_TRUE(contains(ask({"receipt", "show", digest, "--format", "markdown"}).out,
                       "Named, and the same as at the base"));
}

TEST_P(ChangeAttack, WhatWasCommittedInTheScopeAndIsNotNamedStandsInTheReceipt) {
  EXPECT_EQ(start("A", {"docs/guide.md", "pkg/a.py"}), "active");
  repo.write("pkg/a.py", "import os\n");
  repo.commit("in passing");
  repo.write("docs/guide.md", "read this\n");
  const Value answer = finished({"docs/guide.md"}, {});
  EXPECT_EQ(Peek(answer)["receipt"]["verdict"].text(), "needs_attention");
  const std::string digest =
      "sha256:" + std::string(Peek(answer)["receipt"]["receipt_digest"]["value"].text());
  EXPECT_EQ(field({"receipt", "show", digest}, "", "body.scope.changed_unnamed"),
            R"(["pkg/a.py"])");
}

// ----------------------------------------------------------------------------- what one is told

TEST_P(ChangeAttack, ASecondStartSaysWhichIntentItEnds) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string first = id_of("A");
  const Ran second =
      ask({"change", "start", "--goal", "another one", "--allow", "docs/index.md", "--json"}, "A");
  EXPECT_TRUE(contains(second.out, "\"intent_replaced\"")) << second.out;
  EXPECT_TRUE(contains(second.out, first)) << second.out;
  EXPECT_EQ(start("B", {"docs/index.md"}, {"--on-conflict", "queue"}), "queued");
  const Ran again = ask({"change", "start", "--goal", "a third", "--allow", "docs/index.md",
                         "docs/more.md", "--on-conflict", "queue"},
                        "B");
  EXPECT_TRUE(contains(again.out, "is given up for this one")) << again.out;
}

TEST_P(ChangeAttack, TheWriteGateNamesTheIntentWhoseLeaseRanOut) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string id = id_of("A");
  age(id, 301);
  const Words test{"hook", "test", "--path", "docs/guide.md"};
  EXPECT_EQ(field(test, "A", "reason"), "no_active_intent");
  EXPECT_EQ(field(test, "A", "next_step"),
            "Renew it, then write: gatehouse change renew " + id + " --session A.");
  must({"change", "renew", id}, "A");
  EXPECT_EQ(field(test, "A", "reason"), "active_intent");
}

TEST_P(ChangeAttack, TheAuditLogShowsTheSession) {
  EXPECT_EQ(start("night-shift", {"docs/guide.md"}), "active");
  const Ran log = ask({"audit", "log"});
  EXPECT_TRUE(contains(log.out, "/night-shift")) << log.out;
}

TEST_P(ChangeAttack, ACommitOfFinishIsThatOfGitsUser) {
  const std::string tree = start("A", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n").has_value());
  repo.git({"config", "--unset", "user.email"});
  const Words commit = finishing({"docs/guide.md"}, {"--commit", "--message", "say it better"});
  const Ran nobody = ask(commit, "A");
  EXPECT_EQ(nobody.code, 2) << nobody.out;
  EXPECT_TRUE(contains(nobody.err, "git config user.name")) << nobody.err;
  repo.git({"config", "user.email", "ada@example.org"});
  repo.git({"config", "user.name", "Ada"});
  const Ran done = ask(commit, "A", {"GIT_COMMITTER_NAME=Desk"});
  ASSERT_EQ(done.code, 0) << done.out << done.err;
  EXPECT_EQ(repo.git({"log", "-1", "--format=%an <%ae>, %cn <%ce>"}),
            "Ada <ada@example.org>, Desk <ada@example.org>");
}

}  // namespace
}  // namespace gh::testing
