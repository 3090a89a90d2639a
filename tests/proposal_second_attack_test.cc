// Found by an attack on carried reviews, receipts, targets and records that change hands.
#include "tests/proposal_actors_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::ProposalWorld;

constexpr const char* kCarry =
    "proposals:\n  promotion:\n    requires: gate\n  max_base_age_days: 3650\n"
    "  reviewers:\n    carry_reviews: identical_patch\n";

/// Two functions with the same body; the proposal changes the first one.
struct TwinBodies : ProposalWorld {
  static std::string file(const char* first, const char* second) {
    return fmt::format(
        "def guest():\n    a\n    b\n    {}\n    c\n    d\n\n{}def admin():\n    a\n    b\n    "
        "{}\n    c\n    d\n",
        first, std::string(20, '#') + "\n", second);
  }
  TwinBodies() : ProposalWorld(kCarry) {
    kit::write(repo / "src/auth.py", file("return no", "return no"));
    commit("auth");
    propose("auth-one", file("return yes", "return no"));
  }
  void propose(const char* id, const std::string& content) {
    change({{"src/auth.py", content}, {"tests/test_auth.py", "assert auth\n"}});
    reset_fields(id);
    set("schema", "gatehouse.proposal/1");
    set("affected_files", "[src/auth.py, tests/test_auth.py]");
    set("tests_added", "[tests/test_auth.py]");
    set("commands_run", "[\"ctest tests/test_auth.py => exit 0\"]");
    set("risk_notes",
        "\"failure: wrong answer; blast_radius: src/auth.py; data: none; idempotent: yes\"");
  }
};

TEST(SecondAttack, AReviewIsNotCarriedToAnotherPlaceOfTheSameLines) {
  TwinBodies world;
  world.approve();
  world.propose("auth-two", TwinBodies::file("return no", "return yes"));
  world.set("supersedes", "[auth-one]");
  ASSERT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.run({"proposal", "show", "auth-two"}).text("sub_state"), "in_review");
  EXPECT_TRUE(world.promote().has("PROP_REVIEW_PENDING"));
}

/// Approved, overtaken by a line at the top, rebased with its reviews.
struct Carried : ProposalWorld {
  Carried() : ProposalWorld(kCarry) {
    approve();
    shift();
  }
  void shift() {
    kit::write(repo / "src/calc.py", "line 0\n" + kit::read(repo / "src/calc.py"));
    commit("a line at the top");
  }
  Answer rebase() { return run({"proposal", "rebase", "calc-line-001"}); }
};

TEST(SecondAttack, VerifyReadsCarriedRecordsOfLedgerAndClone) {
  Carried world;
  ASSERT_EQ(world.rebase().exit, 0);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
}

TEST(SecondAttack, WhatWasRejectedCarriesNoReviewOn) {
  Carried world;
  ASSERT_EQ(world.run({"proposal", "reject", world.stem, "--reason", "malicious:no"}).exit, 0);
  (void)world.rebase();
  const Answer shown = world.run({"proposal", "show", "calc-line-001-r2"});
  EXPECT_NE(shown.text("sub_state"), "approved") << shown.out;
}

TEST(SecondAttack, AReviewTakenBackOnTheOriginalIsTakenBackWhereItWasCarried) {
  Carried world;
  ASSERT_EQ(world.rebase().exit, 0);
  ASSERT_EQ(world.review("gemini", "changes", {"--reason", "bad:looked again"}).exit, 0);
  world.stem = "calc-line-001-r2";
  const Answer promoted = world.promote();
  EXPECT_TRUE(promoted.has("PROP_REVIEW_PENDING") || promoted.has("PROP_REVIEW_CHANGES"))
      << promoted.out;
  EXPECT_EQ(world.status(), "proposed");
}

TEST(SecondAttack, AReceiptVouchesForNoCommitButItsOwn) {
  ProposalWorld world;
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  EXPECT_EQ(world.run({"receipt", "verify", "main"}).exit, 0);
  kit::git_says(world.repo, {"reset", "-q", "--hard", "main"});
  kit::git_says(world.repo, {"checkout", "-q", "-b", "feature"});
  kit::write(world.repo / "src/calc.py", "backdoor\n");
  const std::string message = kit::git_says(world.repo, {"log", "-1", "--format=%B", "main"});
  world.commit(message);
  EXPECT_EQ(world.run({"receipt", "verify", "HEAD"}).exit, 3);
  const Answer exported = world.run({"receipt", "export", "HEAD", "--format", "in-toto"});
  EXPECT_NE(exported.exit, 0) << exported.out;
}

TEST(SecondAttack, AnEditedSignedReceiptDoesNotHoldTogether) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "store:\n  signing_key: ../signer\n");
  EXPECT_EQ(kit::shell(world, "ssh-keygen -q -t ed25519 -N '' -f signer").exit_code, 0);
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  const kit::fs::path file = world.scratch.path() / "receipt.json";
  std::string receipt = world.run({"receipt", "show", "main"}).out;
  kit::write(file, receipt);
  EXPECT_EQ(world.run({"receipt", "verify", "--file", file.string()}).exit, 0);
  const std::size_t at = receipt.find("\"allow\"");
  ASSERT_NE(at, std::string::npos);
  kit::write(file, receipt.replace(at, 7, "\"deny\""));
  EXPECT_EQ(world.run({"receipt", "verify", "--file", file.string()}).exit, 3);
}

TEST(SecondAttack, APlaceInTheReflogIsNoTarget) {
  ProposalWorld world;
  world.set("schema", "gatehouse.proposal/1");
  for (const char* target : {"refs/heads/main@{1}", "refs/heads/main.lock", "refs/heads/.x"}) {
    world.set("target_ref", fmt::format("\"{}\"", target));
    EXPECT_TRUE(world.submit().has("PROP_META_INVALID")) << target;
  }
}

TEST(SecondAttack, ARefusedRecordOfSomebodyElseDoesNotSwallowAnAdmission) {
  ProposalWorld world;
  world.set("author_agent", "\"squatter / x\"");
  world.set("rollback_notes", "tbd");
  EXPECT_EQ(world.submit().exit, 1);
  world.reset_fields("calc-line-001");
  ASSERT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.status(), "proposed");
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
}

TEST(SecondAttack, AnOldBaseBringsNoOldPolicy) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  kit::write(world.repo / "gatehouse.yaml", std::string(kit::kGatePolicy) +
                                                "  max_base_age_days: 3650\n"
                                                "patch:\n  deny_prefixes: [src]\n");
  world.commit("src is closed");
  const Answer refused = world.submit();  // built on the commit before
  EXPECT_TRUE(refused.has("PROP_PATCH_REJECTED")) << refused.out;
}

TEST(SecondAttack, NobodySupersedesAProposalForAnotherTarget) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  kit::git_says(world.repo, {"branch", "evil"});
  world.propose_other("evil-001");
  world.set("target_ref", "refs/heads/evil");
  world.set("supersedes", "[calc-line-001]");
  EXPECT_TRUE(world.submit().has("PROP_SUPERSEDES_INVALID"));
}

TEST(SecondAttack, AChangeOfReviewersDefersWhatWasReviewedByOthers) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  world.approve();
  kit::write(world.repo / "gatehouse.yaml", std::string(kit::kGatePolicy) +
                                                "  max_base_age_days: 3650\n"
                                                "  reviewers:\n    required: [ada, bob]\n");
  world.commit("other reviewers");
  const Answer promoted = world.promote();
  EXPECT_TRUE(promoted.has("PROP_REVIEW_PENDING")) << promoted.out;
  EXPECT_EQ(promoted.text("decision"), "defer") << promoted.out;
  EXPECT_EQ(world.status(), "proposed");
}

TEST(SecondAttack, NobodyRejectsWhatIsBeingPromoted) {
  ProposalWorld world;
  world.approve();
  kit::run({"sqlite3", (world.repo / ".git/gatehouse/ledger.db").string(),
            "UPDATE proposals SET body = json_set(body, '$.plan', json('{\"kind\":\"promote\"}'))"},
           {});
  EXPECT_EQ(world.run({"proposal", "reject", world.stem, "--reason", "x:y"}).exit, 4);
  EXPECT_EQ(world.run({"proposal", "withdraw", world.stem}).exit, 4);
  EXPECT_EQ(world.review("gemini", "changes", {"--reason", "x:y"}).exit, 4);
}

TEST(SecondAttack, ADependencyOnAnotherBranchOrRolledBackIsOpen) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  ASSERT_EQ(world.run({"proposal", "rollback", world.stem, "--reason", "not wanted"}).exit, 0);
  kit::git_says(world.repo, {"reset", "-q", "--hard", "main"});
  world.propose_other("second-001");
  world.set("depends_on", "[calc-line-001]");
  world.approve();
  EXPECT_TRUE(world.promote().has("PROP_DEPENDENCY_OPEN"));
}

// -------------------------------------------------------------------- found by a first-time user

TEST(FirstSteps, LinesThatOnlyMovedAreStaleAndNotAConflict) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  world.approve();
  kit::write(world.repo / "src/calc.py", "line 0\n" + kit::read(world.repo / "src/calc.py"));
  world.commit("a line at the top");
  const Answer promoted = world.promote();
  EXPECT_TRUE(promoted.has("PROP_STALE_BASE")) << promoted.out;
  EXPECT_EQ(world.status(), "proposed");
  const Answer listed = world.run({"proposal", "list", "--stale"});
  EXPECT_NE(listed.out.find("calc-line-001"), std::string::npos) << listed.out;
}

TEST(FirstSteps, AConflictNamesPathsAndHunks) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  world.approve();
  kit::write(world.repo / "src/calc.py", "nothing is as it was\n");
  world.commit("everything new");
  const Answer promoted = world.promote();
  EXPECT_TRUE(promoted.has("PROP_CONFLICT"));
  EXPECT_NE(promoted.out.find("\"misfits\""), std::string::npos) << promoted.out;
  EXPECT_NE(promoted.out.find("src/calc.py"), std::string::npos);
}

TEST(FirstSteps, ABlindReviewerSeesNoSubStateEither) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  ASSERT_EQ(world.review("gemini", "changes", {"--reason", "bad:no"}).exit, 0);
  const kit::Ran shown = kit::gatehouse(
      {"proposal", "show", world.stem, "--as", "codex", "-C", world.repo.string()}, {});
  EXPECT_EQ(shown.out.find("changes_requested"), std::string::npos) << shown.out;
}

TEST(FirstSteps, AnUnansweredTemplateIsVague) {
  ProposalWorld world;
  world.set("rollback_notes", "\"<fill in> how is it undone: revert, inverse diff\"");
  EXPECT_TRUE(world.submit().has("PROP_ROLLBACK_VAGUE"));
}

TEST(FirstSteps, APromotionSaysThatCheckedOutFilesAreOld) {
  ProposalWorld world;
  world.approve();
  const Answer promoted = world.promote();
  ASSERT_EQ(promoted.exit, 0);
  EXPECT_NE(promoted.err.find("git read-tree -m -u"), std::string::npos) << promoted.err;
  kit::git_says(world.repo, {"read-tree", "-m", "-u", world.base, "HEAD"});
  EXPECT_EQ(kit::git_says(world.repo, {"status", "--porcelain"}), "");
}

}  // namespace
}  // namespace gh
