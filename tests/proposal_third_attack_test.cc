// What a third attack and a second newcomer found: each through the command line, with sqlite3 and
// git as the forger's tools.
#include "tests/proposal_actors_kit.h"
#include "tests/queue_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::in;
using kit::ProposalWorld;
using kit::QueueWorld;
using kit::sqlite;

void bash(const kit::fs::path& folder, const std::string& script) {
  const kit::Ran ran =
      kit::run({"/bin/bash", "-c", "set -euo pipefail; " + script}, {.cwd = folder});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
}

void expect_clean(ProposalWorld& world) {
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
}

// ------------------------------------------------------------------------------------- attacks

TEST(ThirdAttack, NobodyEndsSomebodyElsesProposalThroughARefusedOne) {
  QueueWorld world;
  world.add("vic-001", {{"src/victim.py", "good\n"}});
  world.prepare("evil-001", {{"src/evil.py", "x\n"}});
  world.set("author_agent", "\"evil / dev\"");
  world.set("supersedes", "[vic-001]");
  const Answer refused = world.submit();
  EXPECT_TRUE(refused.has("PROP_SUPERSEDES_INVALID")) << refused.out;
  world.prepare("evil-002", {{"src/evil.py", "y\n"}});
  world.set("author_agent", "\"evil / dev\"");
  world.set("supersedes", "[evil-001]");
  world.submit();
  world.review("gemini");
  world.review("codex");
  world.promote();
  EXPECT_EQ(world.status_of("vic-001"), "proposed");
}

TEST(ThirdAttack, AVerdictTakenBackIsNotRevivedByAnotherOrder) {
  ProposalWorld world;
  world.approve();
  EXPECT_EQ(world.review("gemini", "changes", {"--reason", "bad:no"}).exit, 0);
  sqlite(world, "UPDATE reviews SET audit_seq = 0 WHERE verdict = 'changes'");
  EXPECT_EQ(world.run({"proposal", "export"}).exit, 0);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_TRUE(verified.has("PROP_REVIEW_FORGED")) << verified.out;
  const Answer promoted = world.promote();
  EXPECT_EQ(promoted.exit, 1) << promoted.out;
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main"}), world.base);
}

TEST(ThirdAttack, APlanThatTheChainDoesNotKnowIsNotCarriedOut) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const std::string plan = fmt::format(
      "{{\"kind\":\"promote\",\"commit\":\"{0}\",\"branch\":\"refs/heads/gatehouse/calc-line-001\","
      "\"target_ref\":\"refs/heads/main\",\"old_head\":\"{0}\",\"new_head\":\"{0}\",\"promoter\":"
      "\"x\",\"receipt\":\"\",\"admission\":\"\",\"reason\":\"\"}}",
      world.base);
  sqlite(world, "UPDATE proposals SET body = json_set(body, '$.plan', json('" + plan + "'))");
  kit::git_says(world.repo, {"branch", "gatehouse/calc-line-001", world.base});
  const Answer recovered = world.run({"proposal", "recover"});
  EXPECT_NE(recovered.exit, 0) << recovered.out;
  EXPECT_NE(recovered.err.find("not the one that the audit chain speaks of"), std::string::npos)
      << recovered.err;
  EXPECT_EQ(world.status(), "proposed");
}

TEST(ThirdAttack, ARowTakenOutOfTheIndexOfTheChainIsNamed) {
  ProposalWorld world;
  world.approve();
  sqlite(world, "DELETE FROM audit_proposals WHERE seq = (SELECT max(seq) FROM audit)");
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 1) << verified.out;
  EXPECT_TRUE(verified.has("AUDIT_BROKEN")) << verified.out;
}

TEST(ThirdAttack, AnOlderLedgerPutBackDoesNotUnsayAReview) {
  ProposalWorld world;
  world.approve();
  sqlite(world, "PRAGMA wal_checkpoint(truncate)");
  const std::string old = (world.scratch.path() / "old.db").string();
  bash(world.repo, "cp .git/gatehouse/ledger.db " + old);
  EXPECT_EQ(world.review("gemini", "changes", {"--reason", "bad:backdoor"}).exit, 0);
  bash(world.repo, "cp " + old + " .git/gatehouse/ledger.db; rm -f .git/gatehouse/ledger.db-*");
  const std::string refs = kit::git_says(world.repo, {"for-each-ref"});
  const Answer promoted = world.promote();
  EXPECT_NE(promoted.exit, 0) << promoted.out;
  EXPECT_NE(promoted.err.find("older"), std::string::npos) << promoted.err;
  EXPECT_EQ(kit::git_says(world.repo, {"for-each-ref"}), refs);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_TRUE(verified.has("AUDIT_BROKEN")) << verified.out;
}

TEST(ThirdAttack, EveryFileOfAMirroredRecordIsLookedAtAndABadOneBlindsNobody) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  kit::fs::path clone = kit::forged_clone(world, "meta.yaml", "s/.*/patch_id: forged/");
  EXPECT_TRUE(in(clone, {"proposal", "verify", "--all"}).has("PROP_MIRROR_FORGED"));
  kit::git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
  EXPECT_EQ(in(clone, {"proposal", "verify", "--all"}).exit, 0);
  bash(clone,
       "export GIT_INDEX_FILE=$PWD/.git/forged; r=refs/gatehouse/proposals; git read-tree $r; "
       "id=$(echo '{\"patch_id\":\"zzz-001\"}' | git hash-object -w --stdin); git update-index "
       "--add --cacheinfo 100644,$id,zz/zzz-001/record.json --cacheinfo "
       "100644,$id,ca/calc-line-001/reviews/009.json --cacheinfo 100644,$id,yy/yyy-001/other; git "
       "update-ref $r $(git commit-tree -p $r -m forged $(git write-tree))");
  const Answer verified = in(clone, {"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 1) << verified.out << verified.err;
  for (const char* id : {"zzz-001", "yyy-001", "calc-line-001"})
    EXPECT_NE(verified.out.find(id), std::string::npos) << id << verified.out;
  const Answer imported = in(clone, {"proposal", "import"});
  EXPECT_EQ(imported.exit, 1) << imported.out << imported.err;
  EXPECT_TRUE(imported.has("PROP_MIRROR_FORGED")) << imported.out;
}

// --------------------------------------------------------------------------------- false alarms

TEST(ThirdAttack, ASubmissionWithoutACandidateIsNoForgery) {
  ProposalWorld world;
  world.set("base_commit", "\"1234567890123456789012345678901234567890\"");
  EXPECT_EQ(world.submit().exit, 1);
  expect_clean(world);
}

TEST(ThirdAttack, ACopyThatLaggedIsBroughtAlongByTheNextWriterOrByRecover) {
  for (const bool recover : {false, true}) {
    SCOPED_TRACE(recover);
    ProposalWorld world;
    ASSERT_EQ(world.submit().exit, 0);
    const kit::fs::path lock = world.repo / ".git/refs/gatehouse/proposals.lock";
    kit::write(lock, "");
    EXPECT_EQ(world.review("gemini").exit, 0);
    expect_clean(world);  // behind, and no forgery
    kit::fs::remove(lock);
    if (recover) {
      EXPECT_EQ(world.run({"proposal", "recover"}).exit, 0);
    } else {
      world.propose_other("other-001");
      EXPECT_EQ(world.submit().exit, 0);
    }
    expect_clean(world);
    const Answer there = in(kit::clone_with_refs(world), {"proposal", "verify", "--all"});
    EXPECT_EQ(there.exit, 0) << there.out << there.err;
  }
}

TEST(ThirdAttack, ACloneThatSubmitsBeforeItImportsLosesNothing) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const kit::fs::path clone = kit::clone_with_refs(world);
  const std::string refs = kit::git_says(clone, {"for-each-ref", "refs/gatehouse"});
  world.propose_other("other-001");
  world.write_pair();
  const Answer submitted =
      in(clone, {"proposal", "submit", world.box.string(), "--id", "other-001"});
  EXPECT_EQ(submitted.exit, 0) << submitted.out << submitted.err;
  EXPECT_NE(submitted.err.find("proposal import"), std::string::npos) << submitted.err;
  EXPECT_EQ(kit::git_says(clone, {"for-each-ref", "refs/gatehouse"}), refs);
  const Answer imported = in(clone, {"proposal", "import"});
  EXPECT_EQ(imported.exit, 0) << imported.out << imported.err;
  EXPECT_EQ(in(clone, {"proposal", "export"}).exit, 0);
  const Answer verified = in(clone, {"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
}

TEST(ThirdAttack, ClosedRecordsSurviveAChangeOfReviewersAndActors) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.review("gemini").exit, 0);
  EXPECT_EQ(world.review("codex").exit, 0);
  EXPECT_EQ(world.run({"proposal", "withdraw", world.stem}).exit, 0);
  kit::write(world.repo / "gatehouse.yaml",
             "proposals:\n  reviewers:\n    required: [gemini, opus]\n  actors:\n    - name: "
             "local:0\n      kind: human\n      roles: [admin]\n");
  world.commit("others now");
  expect_clean(world);
}

TEST(ThirdAttack, OpenRecordsSurviveAChangeOfReviewers) {
  ProposalWorld world;
  world.approve();
  kit::write(world.repo / "gatehouse.yaml",
             "proposals:\n  reviewers:\n    required: [gemini, opus]\n");
  world.commit("others now");
  expect_clean(world);
}

// --------------------------------------------------------------------------------- a newcomer

TEST(SecondNewcomer, AFileThatIsNoReceiptOrThatNobodyVouchesForIsNotVerified) {
  ProposalWorld world;
  world.approve();
  ASSERT_EQ(world.promote().exit, 0);
  const kit::fs::path file = world.scratch.path() / "receipt.json";
  const auto verify = [&] { return world.run({"receipt", "verify", "--file", file.string()}); };
  for (const char* junk : {"{}", "{\"hello\":\"world\"}"}) {
    kit::write(file, junk);
    EXPECT_EQ(verify().exit, 3) << junk;
  }
  std::string receipt = world.run({"receipt", "show", "main"}).out;
  kit::write(file, receipt);
  EXPECT_EQ(verify().exit, 0) << "this repository keeps it";
  kit::write(file, receipt.replace(receipt.find("\"codex\""), 7, "\"mallory\""));
  const Answer bent = verify();
  EXPECT_EQ(bent.exit, 1) << bent.out;
  EXPECT_EQ(*bent.document.as_map()->find("ok"), Value(false));
}

TEST(SecondNewcomer, NewKeepsWhatTheAuthorWroteAndTellsOfUntrackedFiles) {
  ProposalWorld world;
  kit::write(world.repo / "src/calc.py", kit::read(world.repo / "src/calc.py") + "line 41\n");
  kit::write(world.repo / "tests/test_new.py", "assert new\n");
  const kit::Words words{"proposal", "new",  "--agent", "m / dev",
                         "--gap",    "kb:1", "--id",    "fix-001"};
  const Answer first = world.run(words);
  ASSERT_EQ(first.exit, 0) << first.err;
  EXPECT_NE(first.err.find("tests/test_new.py"), std::string::npos) << first.err;
  const kit::fs::path meta = world.repo / "patches/fix-001.patch.meta.yaml";
  std::string text = kit::read(meta);
  const std::size_t at = text.find("rollback_notes:");
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, text.find('\n', at) - at, "rollback_notes: \"git revert\"");
  kit::write(meta, text);
  kit::git_says(world.repo, {"add", "src", "tests"});
  const Answer second = world.run(words);
  ASSERT_EQ(second.exit, 0) << second.err;
  EXPECT_NE(kit::read(meta).find("git revert"), std::string::npos) << kit::read(meta);
  EXPECT_NE(kit::read(meta).find("tests/test_new.py"), std::string::npos) << kit::read(meta);
  kit::write(meta, "not: [yaml");
  EXPECT_EQ(world.run(words).exit, 2);
}

TEST(SecondNewcomer, ARebaseThatDoesNotFitSaysSo) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  ASSERT_EQ(world.submit().exit, 0);
  kit::write(world.repo / "src/calc.py", "all of it is other\n");
  world.commit("rewritten");
  const Answer rebased = world.run({"proposal", "rebase", world.stem});
  EXPECT_EQ(rebased.exit, 1) << rebased.out << rebased.err;
  EXPECT_TRUE(rebased.has("PROP_CONFLICT")) << rebased.out;
}

TEST(SecondNewcomer, TheQueueTellsOnceHowToBringTheFilesAlong) {
  QueueWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  const std::string head = world.head();
  world.add("n-a", {{"src/one.py", "x\n"}});
  world.add("n-b", {{"src/two.py", "x\n"}});
  const Answer ran = world.queue({});
  EXPECT_EQ(world.landed(), "n-a n-b") << ran.out << ran.err;
  const std::string hint = "git read-tree -m -u " + head.substr(0, 12) + " HEAD";
  const std::size_t at = ran.err.find("git read-tree");
  ASSERT_NE(at, std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find(hint), at) << ran.err;
  EXPECT_EQ(ran.err.find("git read-tree", at + 1), std::string::npos) << ran.err;
  bash(world.repo, hint);
  EXPECT_EQ(kit::git_says(world.repo, {"status", "--porcelain", "-uno"}), "");
}

TEST(SecondNewcomer, ShowTellsWhyAndWhatItSupersedes) {
  ProposalWorld world(std::string(kit::kGatePolicy) + "  max_base_age_days: 3650\n");
  ASSERT_EQ(world.submit().exit, 0);
  kit::write(world.repo / "src/calc.py", "line 0\n" + kit::read(world.repo / "src/calc.py"));
  world.commit("a line at the top");
  ASSERT_EQ(world.run({"proposal", "rebase", world.stem}).exit, 0);
  const auto shown = [&](const std::string& id) {
    return kit::gatehouse({"proposal", "show", id}, {.cwd = world.repo}).out;
  };
  EXPECT_NE(shown("calc-line-001-r2").find("supersedes"), std::string::npos);
  EXPECT_EQ(shown("calc-line-001-r2").find("with calc-line-001"), std::string::npos);
  ASSERT_EQ(
      world.run({"proposal", "reject", "calc-line-001-r2", "--reason", "unwanted:no good"}).exit,
      0);
  EXPECT_NE(shown("calc-line-001-r2").find("unwanted: no good"), std::string::npos);
}

}  // namespace
}  // namespace gh
