// What an attacker and a newcomer tried against declared changes, through the command line with
// real git: unread sources, baselines that a change brings along, links, names, receipts.
#include <chrono>
#include <filesystem>
#include <fstream>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ChangeAttack : public ChangeWorld {
 protected:
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

TEST_P(ChangeAttack, AnIgnoredFileMayBeNamedAndIsMissedWhenItIsNot) {
  repo.write(".gitignore", "gen/\n");
  repo.commit("generated code is ignored");
  repo.write("gen/made.py", "x = 1\n");
  must({"analyze"});
  EXPECT_EQ(start("A", {"gen/made.py", "docs/guide.md"}, {}, "warnings.0.code"),
            "scope_entry_ignored");
  repo.write("gen/made.py", "import os\nos.system('true')\n");
  repo.write("docs/guide.md", "read this\n");
  const Value silent = finished({"docs/guide.md"}, {"--no-clear"});
  EXPECT_EQ(Peek(silent)["status"].text(), "accepted") << "what git ignores is no dirt";
  EXPECT_EQ(wire::canonical_json(Value(Peek(silent)["ignored_in_scope"].map())),
            R"({"count":1,"sample":["gen/made.py"],"truncated":false})");
  EXPECT_EQ(Peek(silent)["receipt"]["verdict"].text(), "needs_attention");
  const Value honest = finished({"gen/made.py", "docs/guide.md"});
  EXPECT_EQ(Peek(honest)["status"].text(), "accepted") << Peek(honest)["reason"].text();
  EXPECT_FALSE(Peek(honest)["ignored_in_scope"].exists());
  const List& left = Peek(honest)["verification"]["not_analysed"].list();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(Peek(left.front())["path"].text(), "gen/made.py");
  EXPECT_EQ(Peek(left.front())["reason"].text(), "ignored_by_git");
  EXPECT_EQ(Peek(honest)["receipt"]["verdict"].text(), "needs_attention") << "no run read it";
}

// -------------------------------------------------------------------------------------- settings

TEST_P(ChangeAttack, ARunByOptionsOfSomebodysOwnVerifiesNothing) {
  for (const Words& own : {Words{"--skip-metrics"}, Words{"--complexity-threshold", "500"},
                           Words{"--skip-dead-code"}, Words{"--min-stmt", "900"}}) {
    Words analyse{"analyze"};
    analyse.insert(analyse.end(), own.begin(), own.end());
    must(analyse);
    const Value started =
        document({"change", "start", "--goal", "measured by my own ruler", "--allow", "pkg/a.py"});
    EXPECT_EQ(Peek(started)["status"].text(), "active");
    ASSERT_FALSE(Peek(started)["warnings"].list().empty()) << own.front();
    EXPECT_EQ(Peek(Peek(started)["warnings"].list().front())["code"].text(),
              "before_run_settings_differ");
    repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
    must(analyse);
    const Value answer = finished({"pkg/a.py"}, {"--after-run", "latest"});
    EXPECT_EQ(Peek(answer)["status"].text(), "unverified") << own.front();
    EXPECT_EQ(Peek(answer)["reason"].text(), "incomparable_runs");
    EXPECT_EQ(Peek(answer)["verification"]["measured_otherwise"].list().size(), 2u);
    EXPECT_EQ(Peek(answer)["receipt"]["verdict"].text(), "") << "there is none";
    const Ran text = ask(finishing({"pkg/a.py"}, {"--after-run", "latest"}), "A");
    EXPECT_TRUE(contains(text.out, "the run before and the one after")) << text.out;
    // What it says to do works, and shows what the ruler hid.
    must({"change", "abandon"}, "A");
    must({"analyze", "--rev", "HEAD", "--diff-against", "HEAD"});
    EXPECT_EQ(start("A", {"pkg/a.py"}, {"--continue-own-wip"}), "active");
    EXPECT_EQ(Peek(finished({"pkg/a.py"}))["reason"].text(), "structural_regressions");
    must({"change", "abandon"}, "A");
    repo.git({"checkout", "-q", "pkg/a.py"});
  }
}

TEST_P(ChangeAttack, AnUncommittedPolicyMeasuresNoChange) {
  const std::string committed = bytes_of(repo.at("gatehouse.yaml"));
  repo.write("gatehouse.yaml", committed +
                                   "analysis:\n  exclude:\n    - pkg/a.py\n"
                                   "  design_complexity: 500\n");
  must({"analyze"});
  const Ran started =
      ask({"change", "start", "--goal", "by my own policy", "--allow", "pkg/a.py", "--json"}, "A");
  EXPECT_TRUE(contains(started.out, "\"before_run_settings_differ\"")) << started.out;
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  for (const Words& how : {Words{"--analyze"}, Words{"--after-run", "latest"}}) {
    must({"analyze"});
    const Value answer = finished({"pkg/a.py"}, how);
    EXPECT_EQ(Peek(answer)["status"].text(), "unverified") << how.front();
  }
  // The step works while that file still lies there.
  must({"change", "abandon"}, "A");
  must({"analyze", "--rev", "HEAD", "--diff-against", "HEAD"});
  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--continue-own-wip"}), "active");
  EXPECT_EQ(Peek(finished({"pkg/a.py"}))["reason"].text(), "structural_regressions");
}

TEST_P(ChangeAttack, ARunByTheSameSettingsCountsWhoeverMadeItFirst) {
  // The same sources, found the same by other settings, are one run; the latest question counts.
  must({"analyze", "--segment-min-stmt", "11"});
  must({"analyze", "--segment-min-stmt", "11"});
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  EXPECT_EQ(Peek(finished({"pkg/a.py"}))["status"].text(), "accepted");
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

TEST_P(ChangeAttack, WhatASourceLinksToIsSource) {
  repo.write("docs/n.txt", "def quiet():\n    return 1\n\n\nquiet()\n");
  link("../docs/n.txt", "pkg/n.py");
  repo.commit("a module that reads like a document");
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/n.txt"}), "active");
  repo.write("docs/n.txt", python_function("loud", 30));
  const Value silent = finished({"docs/n.txt"}, {});
  EXPECT_EQ(Peek(silent)["status"].text(), "unverified");
  EXPECT_EQ(Peek(silent)["reason"].text(), "no_after_run");
  EXPECT_EQ(Peek(silent)["verification"]["verification_profile"].text(), "python_structural");
  must({"analyze"});
  repo.write("docs/n.txt", python_function("loud", 31));
  EXPECT_EQ(Peek(finished({"docs/n.txt"}, {"--after-run", "latest"}))["reason"].text(),
            "after_run_stale");
  const Value worse = finished({"docs/n.txt"});
  EXPECT_EQ(Peek(worse)["reason"].text(), "structural_regressions") << "its own, not of others";
  fs::remove(repo.at("docs/n.txt"));
  EXPECT_EQ(charged(finished({"docs/n.txt"})), (Words{"structural:unread_file:pkg/n.py"}));
  repo.write("docs/n.txt", "def quiet():\n    return 2\n\n\nquiet()\n");
  EXPECT_EQ(Peek(finished({"docs/n.txt"}))["status"].text(), "accepted");
}

TEST_P(ChangeAttack, WhatAStateArtifactLinksToIsOne) {
  repo.write("docs/base.txt", "{}\n");
  link("docs/base.txt", "gatehouse.baseline.json");
  repo.commit("a baseline that reads like a document");
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/base.txt"}), "active");
  repo.write("docs/base.txt", "{ }\n");
  EXPECT_EQ(Peek(finished({"docs/base.txt"}, {}))["reason"].text(), "state_artifact_mutation");
}

TEST_P(ChangeAttack, ForgedTimesHideNoEditOfADeclaredFile) {
  // As git has it: the same second, the same size, and a time that somebody set.
  const std::string old = "read me\n", edited = "read it\n";
  const auto forge = [&](const std::string& path, const std::string& before,
                         const std::string& after) {
    for (int tries = 0; tries < 50; ++tries) {
      const auto put = [&](const std::string& text) {
        std::ofstream(repo.at(path), std::ios::trunc) << text;
        fs::last_write_time(repo.at(path),
                            fs::file_time_type::clock::now() - std::chrono::hours(9));
      };
      put(before);
      const auto set = fs::last_write_time(repo.at(path));
      repo.git({"add", path});
      std::ofstream(repo.at(path), std::ios::trunc) << after;
      fs::last_write_time(repo.at(path), set);
      if (repo.git({"status", "--porcelain", "--", path}).empty()) return true;
    }
    return false;
  };
  repo.write("docs/deep/a.md", old);
  repo.commit("more");
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/guide.md", "docs/index.md", "docs/deep"}), "active");
  repo.write("docs/index.md", "said\n");
  ASSERT_TRUE(forge("docs/guide.md", old, edited)) << "git was not deceived";
  ASSERT_TRUE(forge("docs/deep/a.md", old, edited)) << "git was not deceived";
  repo.git({"update-index", "--skip-worktree", "docs/deep/a.md"});  // and left out on top of it
  const Value answer = finished({"docs/index.md"}, {});
  EXPECT_EQ(Peek(answer)["reason"].text(), "workspace_hygiene");
  EXPECT_EQ(wire::canonical_json(Value(
                Peek(answer)["workspace_hygiene_after"]["unacknowledged_dirty_in_scope"].list())),
            R"(["docs/deep/a.md","docs/guide.md"])");
  EXPECT_EQ(start("B", {"docs/guide.md"}, {}, "next_step_code"), "foreign_overlap_and_dirty_scope");
}

TEST_P(ChangeAttack, LineEndsThatGitConvertsAreNoEdit) {
  repo.write(".gitattributes", "*.md text eol=crlf\n");
  repo.write("docs/guide.md", "read me\r\n");
  repo.commit("as a checkout writes it");
  must({"analyze"});
  EXPECT_EQ(start("A", {"docs/guide.md", "docs/index.md"}), "active");
  repo.write("docs/index.md", "said\r\n");
  EXPECT_EQ(Peek(finished({"docs/index.md"}, {}))["status"].text(), "accepted");
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
  EXPECT_EQ(Peek(answer)["reason"].text(), "incomparable_runs");
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
  EXPECT_EQ(wire::canonical_json(Value(Peek(answer)["committed_not_named"]["sample"].list())),
            R"(["pkg/a.py"])");
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
