// What first users ran into, each as it was reported. On both ledgers.
#include <filesystem>

#include "control/finish.h"
#include "control/start_decision.h"
#include "control/verify.h"
#include "model/peek.h"
#include "tests/change_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

class FirstUse : public ChangeWorld {};
INSTANTIATE_TEST_SUITE_P(BothLedgers, FirstUse,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(FirstUse, AFinishThatFindsItsIntentExpiredSaysThatItIsClosed) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  edit_ledger("UPDATE analysis_runs SET report_digest = '" + std::string(64, '0') + "'");
  const Ran ran = ask(finishing({"docs/guide.md"}), "A");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "expired")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "expired and is")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "stays open")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "gatehouse analyze")) << ran.out;
  EXPECT_EQ(ask({"change", "status"}, "A").code, 2) << "it is";
}

// Parameters of tools are no options.
TEST(FirstUseTexts, NoTextNamesAParameterThatTheCommandLineDoesNotHave) {
  std::vector<std::string_view> texts;
  for (const control::NextStep& step : control::start_next_steps())
    texts.push_back(step.text);
  for (const control::ReasonStep& step : control::next_steps())
    texts.push_back(step.text);
  for (const control::ReasonStep& step : control::finish_next_steps())
    texts.push_back(step.text);
  const Map needs = control::needs_analysis_answer("/r");
  texts.push_back(*needs.find("next_step")->as_string());
  ASSERT_GE(texts.size(), 25u);
  for (const std::string_view text : texts)
    for (const char* parameter :
         {"on_conflict", "dirty_scope_policy", "continue_own_wip", "changed_files", "diff_ref",
          "after_run_id", "before_run_id", "intent_id", "claims_text", "run_id",
          "analyze_repository", "_controlled_change", "manage_change_intent", "allowed_files"})
      EXPECT_FALSE(contains(text, parameter)) << parameter << ": " << text;
}

TEST_P(FirstUse, APromotionPrintsItsWarnings) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
  const std::string id = field({"change", "status"}, "B", "intent_id");
  const Ran waits = ask({"change", "promote", id}, "B");
  EXPECT_TRUE(contains(waits.out, "Held by")) << waits.out;
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
  repo.commit("what A did");
  const Ran promoted = ask({"change", "promote", id}, "B");
  EXPECT_EQ(promoted.code, 0) << promoted.err;
  EXPECT_TRUE(contains(promoted.out, "Warning")) << promoted.out;
  EXPECT_TRUE(contains(promoted.out, "--run latest")) << promoted.out;
}

TEST_P(FirstUse, CheckAndVerifyLookAtTheTreeOfTheIntent) {
  const std::string tree =
      start("A", {"pkg/a.py", "docs/guide.md"}, {"--worktree"}, "worktree.path");
  ASSERT_TRUE(sys::write_file_atomic(tree + "/docs/guide.md", "read there\n").has_value());
  const Words diff{"--diff", "HEAD"};
  Words check{"change", "check"}, verify{"change", "verify"};
  check.insert(check.end(), diff.begin(), diff.end());
  verify.insert(verify.end(), diff.begin(), diff.end());
  EXPECT_EQ(field(check, "A", "actual_changed_files.0"), "docs/guide.md") << "seen from outside";
  EXPECT_EQ(field(verify, "A", "status"), "accepted");
  // Code there is judged by a run of that tree, not by the latest of this one.
  ASSERT_TRUE(
      sys::write_file_atomic(tree + "/pkg/a.py", "from pkg import b\n" + python_function("load", 1))
          .has_value());
  verify.insert(verify.end(), {"--after-run", "latest"});
  EXPECT_EQ(field(verify, "A", "reason"), "no_after_run");
  ASSERT_EQ(gatehouse({"analyze"}, tree).code, 0);
  EXPECT_EQ(field(verify, "A", "status"), "accepted");
  std::filesystem::remove_all(tree);
  const Ran gone = ask(check, "A");
  EXPECT_EQ(gone.code, 2);
  EXPECT_TRUE(contains(gone.err, "abandon")) << gone.err;
}

TEST_P(FirstUse, AChangeOfTheAnalysisSettingsCanBeFinished) {
  const std::string before = bytes_of(repo.at("gatehouse.yaml"));
  EXPECT_EQ(start("A", {"gatehouse.yaml"}), "active");
  repo.write("gatehouse.yaml", before + "analysis:\n  min_loc: 4\n  design_complexity: 5\n");
  // A run by the new settings has another ruler than the one before.
  must({"analyze"});
  const Ran refused = ask(finishing({"gatehouse.yaml"}, {"--after-run", "latest"}), "A");
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(contains(refused.out, "incomparable_runs")) << refused.out;
  EXPECT_TRUE(contains(refused.out, "--analyze")) << refused.out;
  // What it says to do works: the change does not choose what it is judged by.
  EXPECT_EQ(finish("A", {"gatehouse.yaml"}, "status", {"--analyze"}), "accepted");
  repo.commit("stricter");
  // The next one is told that its run is of the old settings.
  EXPECT_EQ(start("B", {"pkg/a.py"}, {}, "warnings.0.code"), "before_run_settings_differ");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  EXPECT_EQ(finish("B", {"pkg/a.py"}, "reason", {"--analyze"}), "incomparable_runs");
  // And what that refusal says to do works as well.
  must({"change", "abandon"}, "B");
  must({"analyze", "--rev", "HEAD"});
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--continue-own-wip"}), "active");
  EXPECT_EQ(finish("B", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
}

TEST_P(FirstUse, AChangeDoesNotLoosenTheSettingsThatItIsJudgedBy) {
  const std::string before = bytes_of(repo.at("gatehouse.yaml"));
  EXPECT_EQ(start("A", {"gatehouse.yaml", "pkg/a.py"}), "active");
  repo.write("gatehouse.yaml", before + "analysis:\n  exclude:\n    - pkg/a.py\n");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 30));
  EXPECT_EQ(finish("A", {"gatehouse.yaml", "pkg/a.py"}, "reason", {"--analyze"}),
            "structural_regressions");
}

TEST_P(FirstUse, TheWorkTreeOfAnIntentIsNamedAndItsStepsWork) {
  const std::string tree = start("A", {"pkg/a.py"}, {"--worktree"}, "worktree.path");
  EXPECT_EQ(field({"change", "status"}, "A", "worktree_path"), tree);
  EXPECT_TRUE(contains(ask({"change", "status"}, "A").out, tree));
  EXPECT_EQ(field({"status"}, "A", "own_intents.0.worktree_path"), tree);
  EXPECT_TRUE(contains(ask({"status"}, "A").out, tree));
  ASSERT_TRUE(
      sys::write_file_atomic(tree + "/pkg/a.py", "from pkg import b\n" + python_function("load", 1))
          .has_value());
  const std::string there = "gatehouse -C " + tree + " analyze";
  for (const Words& command :
       {finishing({"pkg/a.py"}), Words{"change", "verify", "--files", "pkg/a.py"}}) {
    EXPECT_EQ(field(command, "A", "reason"), "no_after_run");
    EXPECT_TRUE(contains(field(command, "A", "next_step"), there))
        << field(command, "A", "next_step");
  }
  must({"-C", tree, "analyze"});
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--after-run", "latest"}), "accepted");
}

TEST_P(FirstUse, NoStepWidensTheScopeToAForbiddenFile) {
  EXPECT_EQ(start("A", {"docs/guide.md"}, {"--forbid", "docs/index*"}), "active");
  repo.write("docs/index.md", "not that one\n");
  const Words both{"docs/guide.md", "docs/index.md"};
  EXPECT_EQ(finish("A", both, "reason"), "scope_violation");
  EXPECT_TRUE(contains(finish("A", both, "next_step"), "forbidden files back"));
  EXPECT_TRUE(contains(field({"change", "verify", "--files", "docs/index.md"}, "A", "next_step"),
                       "forbidden files back"));
  repo.git({"checkout", "-q", "docs/index.md"});
  repo.write("docs/guide.md", "that one\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
  EXPECT_EQ(start("A", {"docs/guide.md"}, {"--continue-own-wip"}), "active");
  EXPECT_TRUE(contains(finish("A", both, "next_step"), "extend --add")) << "merely not declared";
}

TEST_P(FirstUse, TheBudgetIsPrinted) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const Ran ci = ask({"change", "budget"}, "A");
  EXPECT_TRUE(contains(ci.out, "BUDGET")) << ci.out;
  EXPECT_TRUE(contains(ci.out, "at most 20")) << ci.out;
  EXPECT_TRUE(contains(ci.out, "0 new")) << ci.out;
  const Ran strict = ask({"change", "budget", "--strictness", "strict"}, "A");
  for (const char* words : {"at least 70", "at most 10", "at most 5", "at most 3", "none",
                            "typing_regression", "api_break"})
    EXPECT_TRUE(contains(strict.out, words)) << words << strict.out;
  const Ran relaxed = ask({"change", "budget", "--strictness", "relaxed"}, "A");
  EXPECT_FALSE(contains(relaxed.out, "at most")) << relaxed.out;
}

TEST_P(FirstUse, WhatIsNamedForARunThatIsNotFoundWorks) {
  const Ran unknown = ask({"change", "budget", "--run", "00000000"}, "A");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "'gatehouse runs list'")) << unknown.err;
  EXPECT_EQ(ask({"runs", "list"}).code, 0);
}

TEST_P(FirstUse, WhatAPromotionAdvisesAboutAnOldRunWorks) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
  const std::string id = id_of("B");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
  // Into dirty files: what is said there works as well, once they are clean.
  const std::string waits = field({"change", "promote", id}, "B", "warnings.0.message");
  EXPECT_TRUE(contains(waits, "promote with --run latest")) << waits;
  EXPECT_FALSE(contains(waits, "abandon")) << waits;
  repo.commit("what A did");
  must({"analyze"});
  EXPECT_EQ(field({"change", "promote", id, "--run", "latest"}, "B", "warnings"), "[]");
  must({"change", "abandon"}, "B");
  // Into clean ones.
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
  const std::string next = id_of("B");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 2));
  EXPECT_EQ(finish("A", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
  repo.commit("what A did next");
  const std::string goes = field({"change", "promote", next}, "B", "warnings.0.message");
  EXPECT_TRUE(contains(goes, "gatehouse change abandon " + next)) << goes;
  must({"change", "abandon", next}, "B");
  must({"analyze"});
  EXPECT_EQ(start("B", {"pkg/a.py"}, {}, "warnings"), "[]");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 3));
  EXPECT_EQ(finish("B", {"pkg/a.py"}, "status", {"--analyze"}), "accepted");
}

TEST_P(FirstUse, AFindingOfTheRunBeforeMayNotBeCalledNew) {
  repo.write("pkg/c.py", python_function("steep", 30) + "\n\nsteep(1)\n");
  repo.commit("complex already");
  must({"analyze"});
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 1));
  const std::string claims = repo.folder() + "/claims.txt";
  ASSERT_TRUE(sys::write_file_atomic(claims, "design:complexity:steep is **new** here.\n"));
  const Words words =
      finishing({"pkg/a.py"}, {"--analyze", "--claims", claims, "--no-clear", "--no-receipt"});
  EXPECT_EQ(field(words, "A", "claims.violations.0.pattern"), "P-3");
  ASSERT_TRUE(sys::write_file_atomic(claims, "design:complexity:steep is **not** new here.\n"));
  EXPECT_EQ(field(words, "A", "claims.valid"), "true");
  // Alone, what the baseline holds is known.
  ASSERT_TRUE(sys::write_file_atomic(claims, "design:complexity:steep was introduced here.\n"));
  const Words alone{"claim", "check", claims};
  EXPECT_EQ(field(alone, "", "valid"), "true") << "nobody knows since when";
  repo.git({"checkout", "-q", "pkg/a.py"});
  must({"baseline", "save"});
  must({"analyze"});
  EXPECT_EQ(field(alone, "", "valid"), "true") << "a baseline that nobody committed is none";
  repo.commit("a baseline");
  must({"analyze"});
  EXPECT_EQ(field(alone, "", "violations.0.pattern"), "P-3");
}

TEST_P(FirstUse, AnAnswerThatIsTooLargeLeavesOutThePageAndSaysHowToGetIt) {
  Words files;
  for (int i = 0; i < 200; ++i)
    files.push_back("docs/a-rather-long-name-of-a-document-of-which-there-are-many-" +
                    std::to_string(i) + ".md");
  EXPECT_EQ(start("A", files), "active");
  for (const std::string& file : files)
    repo.write(file, "text\n");
  const Ran ran = ask(finishing(files, {"--json", "--trail", "full"}), "A");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto document = wire::read_json(ran.out, "answer");
  ASSERT_TRUE(document);
  const Peek answer(*document);
  EXPECT_FALSE(answer["receipt"]["content"].exists());
  EXPECT_TRUE(answer["scope_check"].exists()) << "control fields are never left out";
  ASSERT_EQ(answer["omitted"].list().size(), 2u);
  EXPECT_EQ(Peek(answer["omitted"].list()[0])["member"].text(), "receipt.content");
  EXPECT_EQ(Peek(answer["omitted"].list()[1])["member"].text(), "patch_trail");
  EXPECT_TRUE(answer["patch_trail"]["counts"].exists()) << "the summary stays";
  for (const Value& left : answer["omitted"].list()) {
    const Ran shown = shell(std::string(Peek(left)["command"].text()), repo.root());
    EXPECT_EQ(shown.code, 0) << shown.err;
    const bool is_page = Peek(left)["member"].text() == "receipt.content";
    EXPECT_TRUE(contains(shown.out, is_page ? "# Review receipt" : files.back()))
        << shown.out.substr(0, 300);
  }
  EXPECT_EQ(finished_guide("small\n", "B").size(), 71u);
}

}  // namespace
}  // namespace gh::testing
