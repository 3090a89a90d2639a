// Proposals through the command line (docs/proposals.md): every code provoked by what an agent, a
// reviewer or an operator can do, and the whole way from refusal to rollback.
#include <array>
#include <thread>

#include "base/text.h"
#include "tests/proposal_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::ProposalWorld;

struct SubmitCase {
  const char* name;
  const char* code;
  std::function<void(ProposalWorld&)> bend;
  const char* policy = "";  // lines below `proposals:`
};

void set(ProposalWorld& w, const char* field, const char* yaml) { w.set(field, yaml); }

/// Typed out from docs/reference/proposals.md, sections fields, field rules and admission.
std::vector<SubmitCase> submit_cases() {
  return {
      {"metadata gone", "PROP_META_MISSING", [](auto&) {}},
      {"a key twice", "PROP_META_INVALID",
       [](auto& w) { w.fields.emplace_back("patch_id", "other-id-001"); }},
      {"unknown key", "PROP_META_INVALID", [](auto& w) { w.set("colour", "blue"); }},
      {"field missing", "PROP_META_INVALID", [](auto& w) { w.unset("risk_notes"); }},
      {"wrong type", "PROP_META_INVALID", [](auto& w) { set(w, "affected_files", "src/calc.py"); }},
      {"alias", "PROP_META_INVALID",
       [](auto& w) { w.raw_meta = "patch_id: &a calc-line-001\ntitle: *a\n"; }},
      {"too large", "PROP_META_INVALID",
       [](auto& w) { w.raw_meta = "patch_id: " + std::string(70'000, 'a') + "\n"; }},
      {"diff gone", "PROP_DIFF_MISSING", [](auto&) {}},
      {"report wanted", "PROP_REPORT_MISSING", [](auto&) {}, "  report: required\n"},
      {"report no text", "PROP_REPORT_INVALID",
       [](auto& w) { kit::write(w.file(".report.md"), "\xff\xfe"); }},
      {"host deny path", "PROP_DENY_PATH",
       [](auto& w) { set(w, "affected_files", "[/var/lib/cutter/x]"); }},
      {"secret file", "PROP_DENY_PATH", [](auto& w) { set(w, "affected_files", "[config/.env]"); }},
      {"deny path of the policy", "PROP_DENY_PATH", [](auto&) {}, "  deny_paths: [src]\n"},
      {"signature wanted", "PROP_SIGNATURE_MISSING", [](auto&) {}, "  signatures: required\n"},
      {"signature of nobody", "PROP_SIGNATURE_INVALID",
       [](auto& w) { kit::write(w.file(".patch.sig"), "no signature\n"); }},
      {"id in capitals", "PROP_ID_INVALID",
       [](auto& w) {
         w.stem = "Calc-Line";
         set(w, "patch_id", "Calc-Line");
       }},
      {"id of another file", "PROP_ID_MISMATCH", [](auto& w) { set(w, "patch_id", "other-id"); }},
      {"no such trust level", "PROP_TRUST_INVALID", [](auto& w) { set(w, "trust_level", "high"); }},
      {"trust above the ceiling", "PROP_TRUST_EXCEEDED",
       [](auto& w) { set(w, "trust_level", "community"); }},
      {"no such review status", "PROP_REVIEW_STATUS_INVALID",
       [](auto& w) { set(w, "review_status", "fine"); }},
      {"review written by the author", "PROP_REVIEW_FORGED",
       [](auto& w) { set(w, "review_status", "gemini_ok"); }},
      {"no such promotion status", "PROP_PROMOTION_STATUS_INVALID",
       [](auto& w) { set(w, "promotion_status", "done"); }},
      {"promotion written by the author", "PROP_PROMOTION_FORGED",
       [](auto& w) { set(w, "promotion_status", "promoted"); }},
      {"promoted trust without promotion", "PROP_STATE_INCONSISTENT",
       [](auto& w) { set(w, "trust_level", "promoted"); }},
      {"short base", "PROP_BASE_INVALID", [](auto& w) { set(w, "base_commit", "\"abc123\""); }},
      {"invented base", "PROP_BASE_UNKNOWN",
       [](auto& w) { w.set("base_commit", "\"" + std::string(40, 'a') + "\""); }},
      {"a tree as base", "PROP_BASE_NOT_COMMIT",
       [](auto& w) {
         w.set("base_commit", "\"" + kit::git_says(w.repo, {"rev-parse", "HEAD^{tree}"}) + "\"");
       }},
      {"a planted commit as base", "PROP_BASE_UNREACHABLE",
       [](auto& w) {
         w.set(
             "base_commit",
             "\"" + kit::git_says(w.repo, {"commit-tree", "-m", "planted", "HEAD^{tree}"}) + "\"");
       }},
      {"another diff", "PROP_DIGEST_MISMATCH",
       [](auto& w) { w.set("diff_sha256", std::string(64, 'a')); }},
      {"two mails", "PROP_MAIL_INVALID",
       [](auto& w) {
         const std::string mail =
             kit::git(w.repo, {"format-patch", "--root", "-1", "--stdout"}).out;
         w.diff = mail + mail;
       }},
      {"names that differ", "PROP_TRADITIONAL_AMBIGUOUS",
       [](auto& w) { w.diff = "--- x/one\n+++ y/two\n@@ -1 +1 @@\n-a\n+b\n"; }},
      {"not a diff", "PROP_PATCH_REJECTED", [](auto& w) { w.diff = "please change the file\n"; }},
      {"does not apply", "PROP_PATCH_REJECTED",
       [](auto& w) {
         const std::size_t at = w.diff.find(" line 38");
         w.diff.replace(at, 8, " line 3x");
       }},
      {"lines taken and given back", "PROP_DIFF_NOT_REDERIVABLE",
       [](auto& w) {
         w.diff =
             "diff --git a/src/calc.py b/src/calc.py\n--- a/src/calc.py\n+++ "
             "b/src/calc.py\n@@ -38,3 +38,4 @@\n line 38\n line 39\n-line 40\n+line 40\n+line "
             "41\n";
         set(w, "affected_files", "[src/calc.py]");
       }},
      {"a path twice", "PROP_FILES_INVALID",
       [](auto& w) { set(w, "affected_files", "[src/calc.py, src/calc.py]"); }},
      {"a path left out", "PROP_FILES_MISMATCH",
       [](auto& w) { set(w, "affected_files", "[src/calc.py]"); }},
      {"no test", "PROP_TESTS_EMPTY", [](auto& w) { set(w, "tests_added", "[]"); }},
      {"a test that is not there", "PROP_TESTS_NOT_REAL",
       [](auto& w) { set(w, "tests_added", "[tests/test_else.py]"); }},
      {"no command", "PROP_COMMANDS_EMPTY", [](auto& w) { set(w, "commands_run", "[]"); }},
      {"a command without result", "PROP_COMMANDS_INVALID",
       [](auto& w) { set(w, "commands_run", "[\"ctest\"]"); }},
      {"no command runs the test", "PROP_COMMANDS_NO_TEST",
       [](auto& w) { set(w, "commands_run", "[\"ls => exit 0\"]"); }},
      {"the test failed", "PROP_COMMANDS_FAILED",
       [](auto& w) { set(w, "commands_run", "[\"ctest tests/test_calc.py => exit 1\"]"); }},
      {"production access", "PROP_PRODUCTION_CLAIM",
       [](auto& w) {
         set(w, "commands_run",
             "[\"ctest tests/test_calc.py => exit 0\", \"ssh prod-db uptime => exit 0\"]");
       }},
      {"vague risk", "PROP_RISK_VAGUE", [](auto& w) { set(w, "risk_notes", "low risk"); }},
      {"vague rollback", "PROP_ROLLBACK_VAGUE", [](auto& w) { set(w, "rollback_notes", "tbd"); }},
      {"author without role", "PROP_AUTHOR_INVALID", [](auto& w) { set(w, "author_agent", "me"); }},
      {"no gap", "PROP_GAP_INVALID", [](auto& w) { set(w, "source_gap", "\"?\""); }},
      {"a gap that nobody knows", "PROP_GAP_UNKNOWN", [](auto&) {}, "  gap_registry: [GAP-X]\n"},
      {"no time", "PROP_TIME_INVALID", [](auto& w) { set(w, "created_utc", "\"yesterday\""); }},
      {"from the future", "PROP_TIME_FUTURE",
       [](auto& w) { w.set("created_utc", "\"" + ProposalWorld::now(3600) + "\""); }},
      {"before its base", "PROP_TIME_BEFORE_BASE",
       [](auto& w) { set(w, "created_utc", "\"2001-01-01T00:00:00Z\""); }},
      {"too old", "PROP_EXPIRED",
       [](auto& w) { w.set("created_utc", "\"" + ProposalWorld::now(-40L * 86'400) + "\""); }},
      {"supersedes nothing", "PROP_SUPERSEDES_INVALID",
       [](auto& w) { set(w, "supersedes", "[no-such-id]"); }},
      {"depends on nothing", "PROP_DEPENDS_INVALID",
       [](auto& w) { set(w, "depends_on", "[no-such-id]"); }},
      {"an intent that nobody declared", "PROP_OUT_OF_SCOPE",
       [](auto& w) {
         set(w, "schema", "gatehouse.proposal/1");
         set(w, "intent_id", "intent-1");
       }},
  };
}

std::string policy_with(const char* lines) {
  return std::string(kit::kGatePolicy) + (lines == nullptr ? "" : lines);
}

class SubmitCodes : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SubmitCodes, EachCodeOfTheReferenceIsReachedThroughTheCommandLine) {
  const SubmitCase row = submit_cases()[GetParam()];
  SCOPED_TRACE(row.name);
  ProposalWorld world(policy_with(row.policy));
  row.bend(world);
  world.write_pair();
  if (std::string_view(row.code) == "PROP_META_MISSING")
    kit::fs::remove(world.file(".patch.meta.yaml"));
  if (std::string_view(row.code) == "PROP_DIFF_MISSING") kit::fs::remove(world.file(".patch.diff"));
  const Answer answer = world.run({"proposal", "submit", world.box.string(), "--id", world.stem});
  EXPECT_EQ(answer.exit, 1) << answer.out << answer.err;
  EXPECT_TRUE(answer.has(row.code)) << answer.out;
  const std::string decision = answer.text("decision");
  EXPECT_TRUE(decision == "refuse" || decision == "reject") << decision;
  // Nothing got in: no commit, no branch, no proposal that could be promoted.
  EXPECT_EQ(world.head(), world.base);
  EXPECT_NE(world.run({"proposal", "list", "--status", "proposed"}).out.find("\"total\": 0"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Proposals, SubmitCodes,
                         ::testing::Range<std::size_t>(0, submit_cases().size()));

TEST(Proposals, AllReasonsAreReportedAtOnce) {
  ProposalWorld world;
  world.set("tests_added", "[]");
  world.set("risk_notes", "low risk");
  world.set("rollback_notes", "tbd");
  world.set("source_gap", "\"?\"");
  world.set("affected_files", "[src/calc.py]");
  const Answer answer = world.submit();
  for (const char* code : {"PROP_TESTS_EMPTY", "PROP_RISK_VAGUE", "PROP_ROLLBACK_VAGUE",
                           "PROP_GAP_INVALID", "PROP_FILES_MISMATCH"})
    EXPECT_TRUE(answer.has(code)) << code << answer.out;
}

TEST(Proposals, AVanishedDenyPathStopsEverythingElse) {
  ProposalWorld world;
  world.set("affected_files", "[/var/lib/cutter/x]");
  world.set("risk_notes", "low risk");
  EXPECT_EQ(world.submit().codes(), std::vector<std::string>{"PROP_DENY_PATH"});
}

TEST(Proposals, RefusedRepairedReviewedPromotedVerifiedFromACloneAndRolledBack) {
  ProposalWorld world;
  world.set("risk_notes", "low risk");
  EXPECT_EQ(world.submit().exit, 1);
  world.reset_fields("calc-line-001");
  EXPECT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.submit().exit, 0);  // again: the same record
  EXPECT_TRUE(world.promote().has("PROP_REVIEW_PENDING"));
  EXPECT_EQ(world.review("gemini").exit, 0);
  EXPECT_EQ(world.review("codex").exit, 0);
  const Answer promoted = world.promote();
  ASSERT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  EXPECT_EQ(world.status(), "promoted");
  // Through git: one commit on top of the base, with the tree that the diff gives.
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main^"}), world.base);
  EXPECT_EQ(kit::git(world.repo, {"diff", "--no-renames", "--full-index", "main^", "main"}).out,
            world.diff);
  const std::string message = kit::git_says(world.repo, {"log", "-1", "--format=%B", "main"});
  for (const char* trailer :
       {"Gatehouse-Proposal: calc-line-001", "Gatehouse-Decision: promoted", "Reviewed-By: gemini ",
        "Reviewed-By: codex ", "Gatehouse-Receipt: sha256:",
        "Gatehouse-Agent: deepseek-coder-v2 / drafter", "Promoted-By: "})
    EXPECT_NE(message.find(trailer), std::string::npos) << trailer << message;
  // A clone without a database says the same.
  const kit::fs::path clone = world.scratch.path() / "clone";
  kit::git_says(world.scratch.path(), {"clone", "-q", world.repo.string(), clone.string()});
  kit::git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
  const kit::Ran verified = kit::gatehouse({"proposal", "verify", "--all"}, {.cwd = clone});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("1 proposal verified from refs/gatehouse"), std::string::npos);
  const kit::Ran receipt = kit::gatehouse({"receipt", "verify", "HEAD", "--json"}, {.cwd = clone});
  EXPECT_EQ(receipt.exit_code, 1) << "unsigned: what lies in a ref is not believed for that";
  EXPECT_NE(receipt.out.find("\"binding\": \"exact\""), std::string::npos) << receipt.out;
  // Undone, exactly.
  EXPECT_EQ(world.run({"proposal", "rollback", "calc-line-001", "--reason", "not wanted"}).exit, 0);
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main^{tree}"}),
            kit::git_says(world.repo, {"rev-parse", world.base + "^{tree}"}));
  EXPECT_EQ(world.run({"proposal", "show", "calc-line-001"}).text("sub_state"), "rolled_back");
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
}

TEST(Proposals, TheSameStoryInASha256Repository) {
  ProposalWorld world(kit::kGatePolicy, {"--object-format=sha256"});
  world.approve();
  EXPECT_EQ(world.promote().exit, 0);
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main^"}), world.base);
}

// ------------------------------------------------------------------------------------- promotion

TEST(Proposals, PromotionWaitsForAHumanByDefault) {
  ProposalWorld world("");
  world.approve();
  const Answer answer = world.promote();
  EXPECT_TRUE(answer.has("PROP_CONFIRMATION_MISSING")) << answer.out;
  EXPECT_EQ(answer.text("decision"), "defer");
  EXPECT_EQ(answer.exit, 1);
  EXPECT_EQ(world.promote({"--exit-review"}).exit, 10);
  EXPECT_EQ(world.status(), "proposed");
  EXPECT_EQ(world.head(), world.base);
}

TEST(Proposals, ChangesAskedForRejectAtPromotion) {
  ProposalWorld world;
  EXPECT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.review("gemini").exit, 0);
  EXPECT_EQ(world.review("codex", "changes", {"--reason", "vague_risk:say more"}).exit, 0);
  EXPECT_TRUE(world.promote().has("PROP_REVIEW_CHANGES"));
  EXPECT_EQ(world.status(), "rejected");
  EXPECT_TRUE(world.promote().has("PROP_STATE_INVALID"));
}

TEST(Proposals, ABaseThatFellBehindIsNamedByItsRelation) {
  ProposalWorld world;
  world.approve();
  std::string lines = kit::read(world.repo / "src/calc.py");
  kit::write(world.repo / "src/calc.py", "line 0" + lines.substr(lines.find('\n')));
  world.commit("the same file, elsewhere");
  EXPECT_TRUE(world.promote().has("PROP_STALE_BASE"));
  EXPECT_EQ(world.status(), "proposed");
  kit::write(world.repo / "src/calc.py", lines + "another line 41\n");
  world.commit("the same lines");
  EXPECT_TRUE(world.promote().has("PROP_CONFLICT"));
  EXPECT_EQ(world.status(), "rejected");
}

TEST(Proposals, ADisjointBaseIsMergedAndVerified) {
  ProposalWorld world("proposals:\n  promotion:\n    requires: gate\n  max_base_age_days: 3650\n");
  world.approve();
  kit::write(world.repo / "README.md", "# Calc, second\n");
  const std::string head = world.commit("elsewhere");
  const Answer answer = world.promote();
  ASSERT_EQ(answer.exit, 0) << answer.out;
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main^1"}), head);
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main^2^"}), world.base);
  EXPECT_EQ(kit::git_says(world.repo, {"show", "main:README.md"}), "# Calc, second");
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
}

TEST(Proposals, AnOpenDependencyDefers) {
  ProposalWorld world;
  EXPECT_EQ(world.submit().exit, 0);
  world.change({{"src/other.py", "only this\n"}, {"tests/test_other.py", "assert other\n"}});
  world.reset_fields("calc-other-001");
  world.set("affected_files", "[src/other.py, tests/test_other.py]");
  world.set("tests_added", "[tests/test_other.py]");
  world.set("commands_run", "[\"ctest tests/test_other.py => exit 0\"]");
  world.set("risk_notes",
            "\"failure: wrong text; blast_radius: src/other.py; data: none; idempotent: yes\"");
  world.set("depends_on", "[calc-line-001]");
  world.approve();
  EXPECT_TRUE(world.promote().has("PROP_DEPENDENCY_OPEN"));
  EXPECT_EQ(world.status(), "proposed");
}

TEST(Proposals, VerifyCommandsDecideAtPromotion) {
  ProposalWorld world(
      "proposals:\n  promotion:\n    requires: gate\n  verify_commands:\n    - name: no\n"
      "      argv: [\"false\"]\n");
  world.approve();
  EXPECT_TRUE(world.promote().has("PROP_VERIFY_FAILED"));
  EXPECT_EQ(world.status(), "rejected");
  EXPECT_EQ(world.head(), world.base);
  EXPECT_EQ(
      kit::git(world.repo, {"rev-parse", "-q", "--verify", "gatehouse/calc-line-001"}).exit_code,
      1);
}

TEST(Proposals, TestsMustFailOnTheBaseAndPassWithTheChange) {
  const std::string policy =
      "proposals:\n  promotion:\n    requires: gate\n  tests:\n    must_fail_before: true\n"
      "    command: ";
  ProposalWorld idle(policy + "[test, -f, tests/test_calc.py]\n");  // passes without the change
  idle.approve();
  const Answer refused = idle.promote();
  EXPECT_TRUE(refused.has("PROP_TESTS_DO_NOT_DISCRIMINATE")) << refused.out << refused.err;
  EXPECT_EQ(idle.head(), idle.base);
  ProposalWorld good(policy + "[grep, -q, line 41, src/calc.py]\n");
  good.approve();
  const Answer promoted = good.promote();
  EXPECT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
}

TEST(Proposals, ATreeThatWasNotReviewedIsNotPromoted) {
  ProposalWorld world;
  world.approve();
  kit::run({"sqlite3", (world.repo / ".git/gatehouse/ledger.db").string(),
            "UPDATE proposals SET candidate_tree = '" + std::string(40, 'a') + "'"},
           {});
  const Answer answer = world.promote();
  EXPECT_TRUE(answer.has("PROP_TREE_CHANGED")) << answer.out;
  EXPECT_EQ(world.head(), world.base);
}

// -------------------------------------------------------------------------------------- reviews

TEST(Proposals, ReviewsAreRefusedWithTheirOwnCodes) {
  ProposalWorld world;
  EXPECT_EQ(world.submit().exit, 0);
  EXPECT_TRUE(world.review("somebody").has("REVIEW_NOT_AUTHORIZED"));
  EXPECT_TRUE(world.review("gemini", "ok", {"--digest", std::string(64, 'a')}).has("REVIEW_STALE"));
  EXPECT_EQ(world.run({"proposal", "withdraw", world.stem}).exit, 0);
  EXPECT_TRUE(world.review("gemini").has("REVIEW_STATE_INVALID"));
}

TEST(Proposals, AReviewerWithAnOpenReviewDoesNotSeeTheOtherVerdict) {
  ProposalWorld world;
  EXPECT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.review("gemini").exit, 0);
  EXPECT_EQ(world.run({"proposal", "show", world.stem, "--as", "codex"}).out.find("gemini_ok"),
            std::string::npos);
  EXPECT_NE(world.run({"proposal", "show", world.stem}).out.find("gemini_ok"), std::string::npos);
}

// --------------------------------------------------------------------------- duplicates and replay

TEST(Proposals, DuplicatesReplaysAndTakenIdsAreNamed) {
  ProposalWorld world;
  EXPECT_EQ(world.submit().exit, 0);
  world.reset_fields("calc-line-002");
  EXPECT_TRUE(world.submit().has("PROP_DUPLICATE"));
  world.reset_fields("calc-line-001");
  world.set("source_gap", "\"kb:4401\"");
  EXPECT_TRUE(world.submit().has("PROP_ID_TAKEN"));
  EXPECT_EQ(world.run({"proposal", "reject", "calc-line-001", "--reason", "unwanted:no"}).exit, 0);
  world.reset_fields("calc-line-003");
  EXPECT_TRUE(world.submit().has("PROP_REPLAY"));
}

TEST(Proposals, WhatItsAuthorWithdrewComesAgainWhenItIsNamed) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  ASSERT_EQ(world.run({"proposal", "withdraw", world.stem}).exit, 0);
  world.reset_fields("calc-line-002");
  world.set("supersedes", "[calc-line-001]");
  const Answer again = world.submit();
  EXPECT_EQ(again.exit, 0) << again.out;
  EXPECT_EQ(world.status(), "proposed");
}

TEST(Proposals, WhatChangedBetweenTwoRevisionsIsShown) {
  ProposalWorld world;
  const auto bring = [&](const char* text) {
    world.change({{"src/calc.py", kit::read(world.repo / "src/calc.py") + text},
                  {"tests/test_calc.py", "assert the new line is there\n"}});
    return world.submit();
  };
  world.set("risk_notes", "low risk");
  EXPECT_TRUE(bring("line 41\n").has("PROP_RISK_VAGUE"));
  EXPECT_TRUE(bring("line 41, better\n").has("PROP_RISK_VAGUE"));
  EXPECT_TRUE(world.submit().has("PROP_RISK_VAGUE"));  // the same bytes are no new revision
  world.reset_fields("calc-line-001");
  world.diff = "no diff at all\n";
  EXPECT_TRUE(world.submit().has("PROP_PATCH_REJECTED"));
  ASSERT_EQ(bring("line 41, best\n").exit, 0);
  const Answer shown = world.run({"proposal", "show", world.stem});
  EXPECT_EQ(*shown.document.as_map()->find("revision")->as_int(), 4);
  const auto changed = [&](const char* from) {
    const std::string diff =
        world.run({"proposal", "diff", world.stem, "--from", from}).text("diff");
    std::string lines;
    for (const std::string_view line : split(diff, '\n'))
      if ((line.starts_with('-') || line.starts_with('+')) && !line.starts_with("---") &&
          !line.starts_with("+++"))
        lines += std::string(line) + ";";
    return lines;
  };
  EXPECT_EQ(changed("1"), "-line 41;+line 41, best;");
  EXPECT_EQ(changed("2"), "-line 41, better;+line 41, best;");
  EXPECT_EQ(changed("4"), "");
  for (const char* bad : {"3", "0", "5", "x"})  // the third gave no tree
    EXPECT_EQ(world.run({"proposal", "diff", world.stem, "--from", bad}).exit, 2) << bad;
  // Nothing of what was refused is in the repository.
  EXPECT_EQ(kit::git_says(world.repo, {"fsck", "--unreachable", "--no-reflogs"})
                .find("unreachable "
                      "tree"),
            std::string::npos);
}

TEST(Proposals, AChangeThatIsThereAlreadyIsNamed) {
  ProposalWorld world;
  kit::write(world.scratch.path() / "p", world.diff);
  kit::git_says(world.repo, {"apply", (world.scratch.path() / "p").string()});
  world.commit("by hand");
  EXPECT_TRUE(world.submit().has("PROP_ALREADY_APPLIED"));
}

// -------------------------------------------------------------------------------------- forgeries

TEST(Proposals, ForgedStatusesAreDetectedAndNamed) {
  ProposalWorld world;
  EXPECT_EQ(world.submit().exit, 0);
  const std::string db = (world.repo / ".git/gatehouse/ledger.db").string();
  kit::run({"sqlite3", db, "UPDATE proposals SET promotion_status = 'promoted'"}, {});
  const Answer edited = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(edited.exit, 1);
  EXPECT_TRUE(edited.has("PROP_PROMOTION_FORGED")) << edited.out;
  kit::run({"sqlite3", db, "UPDATE proposals SET promotion_status = 'proposed'"}, {});
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
  // The copy in the refs rewritten by hand: the ledger stands, and it is said.
  const std::string old = kit::git_says(world.repo, {"rev-parse", "refs/gatehouse/proposals"});
  const std::string empty = kit::git_says(world.repo, {"mktree"}, "");
  const std::string forged =
      kit::git_says(world.repo, {"commit-tree", "-p", old, "-m", "forged", empty});
  kit::git_says(world.repo, {"update-ref", "refs/gatehouse/proposals", forged});
  EXPECT_TRUE(world.run({"proposal", "verify", "--all"}).has("PROP_MIRROR_FORGED"));
  EXPECT_EQ(world.run({"proposal", "export"}).exit, 0);
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
}

TEST(Proposals, TextOfAProposalCannotDriveATerminal) {
  ProposalWorld world;
  world.set("title", "\"\\e[31mred \\u202Eback\"");
  world.set("risk_notes",
            "\"failure: \\e]0;x\\a src/calc.py; blast_radius: small; data: none; idempotent: yes, "
            "really\"");
  world.submit();
  for (const kit::Words& words :
       {kit::Words{"proposal", "list"}, {"proposal", "show", world.stem, "--checks", "--audit"}}) {
    kit::Words all = words;
    all.insert(all.end(), {"-C", world.repo.string()});
    const kit::Ran ran = kit::gatehouse(all, {.cwd = world.scratch.path()});
    EXPECT_EQ(ran.out.find('\x1b'), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("\xe2\x80\xae"), std::string::npos) << ran.out;
  }
}

TEST(Proposals, ABranchOnlyPromotionLeavesTheTargetAloneAndIsVerified) {
  ProposalWorld world;
  world.approve();
  const Answer promoted = world.promote({"--integrate", "branch-only"});
  ASSERT_EQ(promoted.exit, 0) << promoted.out;
  EXPECT_EQ(world.status(), "promoted");
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main"}), world.base);
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "gatehouse/" + world.stem + "^"}), world.base);
  EXPECT_NE(kit::git_says(world.repo, {"log", "-1", "--format=%B", "gatehouse/" + world.stem})
                .find("Gatehouse-Decision: promoted"),
            std::string::npos);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  const Answer rolled = world.run({"proposal", "rollback", world.stem, "--reason", "not wanted"});
  EXPECT_EQ(rolled.exit, 1) << rolled.out;
  EXPECT_TRUE(rolled.has("PROP_STATE_INVALID")) << rolled.out;
  EXPECT_NE(rolled.out.find("gatehouse/" + world.stem), std::string::npos) << rolled.out;
}

TEST(Proposals, TwoPromotersRaceAndExactlyOneWins) {
  ProposalWorld world;
  world.approve();
  std::array<Answer, 2> answers;
  std::thread one([&] { answers[0] = world.promote(); });
  std::thread two([&] { answers[1] = world.promote(); });
  one.join();
  two.join();
  EXPECT_EQ((answers[0].exit == 0) + (answers[1].exit == 0), 1)
      << answers[0].out << answers[0].err << answers[1].out << answers[1].err;
  EXPECT_EQ(kit::git_says(world.repo, {"rev-list", "--count", world.base + "..main"}), "1");
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
}

}  // namespace
}  // namespace gh
