// What a third newcomer met on the way through docs/proposals.md.
#include <gtest/gtest.h>

#include "tests/proposal_actors_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::in;
using kit::ProposalWorld;

void fetch_records(const kit::fs::path& clone) {
  kit::git_says(clone, {"pull", "-q"});
  kit::git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
}

TEST(ThirdNewcomer, ImportTakesTheNewerRecordWhenTheOriginHasMovedOn) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const kit::fs::path clone = kit::clone_with_refs(world);
  ASSERT_EQ(in(clone, {"proposal", "import"}).exit, 0);
  ASSERT_EQ(world.review("gemini").exit, 0);
  ASSERT_EQ(world.review("codex").exit, 0);
  ASSERT_EQ(world.promote().exit, 0);
  fetch_records(clone);
  const Answer old = in(clone, {"proposal", "verify", "--all"});
  EXPECT_EQ(old.exit, 1);
  EXPECT_NE(old.out.find("gatehouse proposal import"), std::string::npos) << old.out;
  for (const char* state : {"promoted", "rolled_back"}) {
    SCOPED_TRACE(state);
    const Answer imported = in(clone, {"proposal", "import"});
    EXPECT_EQ(imported.exit, 0) << imported.out;
    EXPECT_NE(imported.out.find(world.stem), std::string::npos) << imported.out;
    const Answer verified = in(clone, {"proposal", "verify", "--all"});
    EXPECT_EQ(verified.exit, 0) << verified.out;
    const Answer shown = in(clone, {"proposal", "show", world.stem});
    EXPECT_EQ(shown.text("promotion_status"), "promoted");
    EXPECT_EQ(shown.document.as_map()->find("reviews")->as_list()->size(), 2u);
    EXPECT_EQ(in(clone, {"proposal", "import"}).out.find(world.stem), std::string::npos);
    EXPECT_EQ(in(clone, {"audit", "verify"}).exit, 0);
    if (std::string_view(state) == "rolled_back") {
      EXPECT_EQ(shown.text("sub_state"), state) << shown.out;
      break;
    }
    ASSERT_EQ(world.run({"proposal", "rollback", world.stem, "--reason", "unwanted"}).exit, 0);
    fetch_records(clone);
  }
}

TEST(ThirdNewcomer, ImportDoesNotTakeBackWhatWasDecided) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const std::string records = kit::git_says(world.repo, {"rev-parse", "refs/gatehouse/proposals"});
  const std::string chain = kit::git_says(world.repo, {"rev-parse", "refs/gatehouse/audit"});
  world.review("gemini");
  world.review("codex");
  ASSERT_EQ(world.promote().exit, 0);
  const kit::fs::path clone = kit::clone_with_refs(world);
  ASSERT_EQ(in(clone, {"proposal", "import"}).exit, 0);
  kit::git_says(clone, {"update-ref", "refs/gatehouse/proposals", records});
  kit::git_says(clone, {"update-ref", "refs/gatehouse/audit", chain});
  const Answer again = in(clone, {"proposal", "import"});
  EXPECT_EQ(again.exit, 1) << again.out;
  EXPECT_TRUE(again.has("PROP_MIRROR_FORGED")) << again.out;
  EXPECT_EQ(in(clone, {"proposal", "show", world.stem}).text("promotion_status"), "promoted");
}

TEST(ThirdNewcomer, ARebaseOfWhatCameBackIsAdmitted) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  ASSERT_EQ(world.submit().exit, 0);
  ASSERT_EQ(world.run({"proposal", "withdraw", "calc-line-001"}).exit, 0);
  world.reset_fields("calc-line-002");
  world.set("supersedes", "[calc-line-001]");
  ASSERT_EQ(world.submit().exit, 0);
  kit::write(world.repo / "src/other.py", "moved on\n");
  world.commit("elsewhere");
  const Answer rebased = world.run({"proposal", "rebase", "calc-line-002"});
  EXPECT_EQ(rebased.exit, 0) << rebased.out;
  const Answer shown = world.run({"proposal", "show", "calc-line-002-r2"});
  EXPECT_EQ(shown.text("promotion_status"), "proposed") << shown.out;
}

TEST(ThirdNewcomer, RefusalsNameTheRuleAndTheFiles) {
  ProposalWorld world;
  world.set("affected_files", "[src/calc.py, src/calcx.py]");
  const Answer mismatch = world.submit();
  EXPECT_TRUE(mismatch.has("PROP_FILES_MISMATCH"));
  EXPECT_NE(mismatch.out.find("missing: tests/test_calc.py; extra: src/calcx.py"),
            std::string::npos)
      << mismatch.out;
  world.diff = "no diff at all\n";
  const Answer refused = world.submit();
  EXPECT_TRUE(refused.has("PROP_PATCH_REJECTED"));
  EXPECT_NE(refused.out.find("refuses the diff by "), std::string::npos) << refused.out;
}

TEST(ThirdNewcomer, ADecidedIdIsNotTakenForAdmitted) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.submit().exit, 0) << "the same bytes again are no failure";
  ASSERT_EQ(world.run({"proposal", "withdraw", world.stem}).exit, 0);
  const Answer again = world.submit();
  EXPECT_EQ(again.exit, 1) << again.out;
  EXPECT_NE(again.err.find("used up"), std::string::npos) << again.err;
  const Answer promoted = world.promote();
  EXPECT_TRUE(promoted.has("PROP_STATE_INVALID")) << promoted.out;
  EXPECT_FALSE(promoted.has("PROP_STATE_INCONSISTENT")) << promoted.out;
  const Answer twice = world.run({"proposal", "withdraw", world.stem});
  EXPECT_NE(twice.out.find("withdrawing it is not possible"), std::string::npos) << twice.out;
  EXPECT_NE(twice.out.find("supersedes: [calc-line-001]"), std::string::npos) << twice.out;
}

TEST(ThirdNewcomer, PairsInTheWorkTreeAreNoPartOfTheNextChange) {
  ProposalWorld world;
  kit::write(world.repo / "src/calc.py", kit::read(world.repo / "src/calc.py") + "line 41\n");
  const auto words = [](const char* id) {
    return kit::Words{"proposal", "new", "--agent", "m / dev", "--gap", "kb:1", "--id", id};
  };
  ASSERT_EQ(world.run(words("fix-001")).exit, 0);
  kit::git_says(world.repo, {"add", "-A"});
  const Answer second = world.run(words("fix-002"));
  ASSERT_EQ(second.exit, 0) << second.err;
  EXPECT_NE(second.err.find("no part of the change"), std::string::npos) << second.err;
  const std::string diff = kit::read(world.repo / "patches/fix-002.patch.diff");
  EXPECT_NE(diff.find("+line 41"), std::string::npos) << diff;
  EXPECT_EQ(diff.find("fix-001"), std::string::npos) << diff;
}

TEST(ThirdNewcomer, NewRefusesNamesThatSubmitWouldRefuse) {
  ProposalWorld world;
  kit::write(world.repo / "src/calc.py", "other\n");
  EXPECT_EQ(world.run({"proposal", "new", "--agent", "modelonly", "--gap", "kb:1"}).exit, 2);
  EXPECT_EQ(
      world.run({"proposal", "new", "--agent", "m / dev", "--gap", "kb:1", "--id", "Fix_1"}).exit,
      2);
}

TEST(ThirdNewcomer, NewKeepsRelationsAndOwnKeys) {
  ProposalWorld world;
  kit::write(world.repo / "src/calc.py", kit::read(world.repo / "src/calc.py") + "line 41\n");
  const kit::Words words{"proposal", "new",  "--agent", "m / dev",
                         "--gap",    "kb:1", "--id",    "fix-001"};
  ASSERT_EQ(world.run(words).exit, 0);
  const kit::fs::path meta = world.repo / "patches/fix-001.patch.meta.yaml";
  kit::write(meta,
             kit::read(meta) + "supersedes: [old-001]\ndepends_on: [base-001]\nx_note: \"mine\"\n");
  ASSERT_EQ(world.run(words).exit, 0);
  for (const char* kept : {"old-001", "base-001", "mine"})
    EXPECT_NE(kit::read(meta).find(kept), std::string::npos) << kept << "\n" << kit::read(meta);
}

TEST(ThirdNewcomer, ARollbackNamesTheCommitsInItsWay) {
  ProposalWorld world;
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  kit::git_says(world.repo, {"reset", "-q", "--hard"});
  kit::write(world.repo / "src/calc.py", "all of it is other\n");
  world.commit("rewritten by hand");
  const Answer rolled = world.run({"proposal", "rollback", world.stem, "--reason", "unwanted"});
  EXPECT_TRUE(rolled.has("PROP_ROLLBACK_CONFLICT")) << rolled.out;
  EXPECT_NE(rolled.out.find("(rewritten by hand)"), std::string::npos) << rolled.out;
}

TEST(ThirdNewcomer, APublicKeyIsNotTakenForThePrivateOne) {
  kit::Registered world;
  ASSERT_EQ(world.submit().exit, 0);
  const Answer spoken = world.review("codex", "ok", {"--key", world.key("codex") + ".pub"});
  EXPECT_EQ(spoken.exit, 2) << spoken.err;
  EXPECT_NE(spoken.err.find("is a public key"), std::string::npos) << spoken.err;
}

TEST(ThirdNewcomer, WhatNobodySignedIsEndedByAPromoter) {
  kit::Registered world;
  ASSERT_EQ(world.submit().exit, 0);
  const Answer withdrawn = world.run({"proposal", "withdraw", world.stem});
  EXPECT_EQ(withdrawn.exit, 1) << withdrawn.out;
  EXPECT_NE(withdrawn.out.find("gatehouse proposal reject " + world.stem), std::string::npos)
      << withdrawn.out;
}

}  // namespace
}  // namespace gh
