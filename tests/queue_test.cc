// The promotion queue and the conflicts between open proposals (docs/reference/proposals.md,
// Conflicts and Queue), through the command line with real git.
#include "tests/queue_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::lines_with;
using kit::QueueWorld;

// -------------------------------------------------------------------------------------- forecast

TEST(Forecast, TryingBothOrdersTellsOrderFromTextual) {
  QueueWorld world;
  world.add("wide-ctx", {{"src/calc.py", lines_with(13, "wide")}});
  // One line of context: fits after the other one, not the other way round.
  world.prepare("narrow-ctx", {{"src/calc.py", lines_with(10, "narrow")}});
  kit::write(world.repo / "src/calc.py", lines_with(10, "narrow"));
  kit::write(world.repo / "tests/test_narrow-ctx.py", "assert narrow-ctx\n");
  kit::git_says(world.repo, {"add", "-A"});
  world.diff = kit::git(world.repo, {"diff", "--cached", "-U1", "--full-index", "HEAD"}).out;
  kit::git_says(world.repo, {"reset", "-q", "--hard"});
  const Answer narrow = world.submit();
  ASSERT_EQ(narrow.exit, 0) << narrow.out;
  world.prepare("same-line", {{"src/calc.py", lines_with(13, "other")}});
  ASSERT_EQ(world.submit().exit, 0);
  world.prepare("far-away", {{"src/calc.py", lines_with(30, "far")}});
  ASSERT_EQ(world.submit().exit, 0);
  world.prepare("elsewhere", {{"src/other.py", lines_with(13, "else")}});
  ASSERT_EQ(world.submit().exit, 0);
  EXPECT_EQ(world.sql("SELECT a || ' ' || b || ' ' || kind FROM conflicts ORDER BY a, b"),
            "far-away narrow-ctx adjacent\n"
            "far-away same-line adjacent\n"
            "far-away wide-ctx adjacent\n"
            "narrow-ctx same-line order\n"
            "narrow-ctx wide-ctx order\n"
            "same-line wide-ctx textual");
  const Answer listed = world.run({"proposal", "list", "--conflicts"});
  EXPECT_NE(listed.out.find("\"order\""), std::string::npos) << listed.out;
}

// ----------------------------------------------------------------------------------------- order

std::string policy_of(int batch, std::string_view script, std::string_view requires_word = "gate") {
  std::string out = fmt::format("proposals:\n  promotion:\n    requires: {}\n    batch: {}\n",
                                requires_word, batch);
  out += "  max_base_age_days: 3650\n";  // the commits of the tests are old
  if (!script.empty())
    out += fmt::format("  verify_commands:\n    - name: tests\n      argv: [sh, -c, \"{}\"]\n",
                       script);
  return out;
}

kit::Edits file(const std::string& name, const std::string& text) {
  return {{"src/" + name, text + "\n"}};
}

TEST(Queue, LandsByDependencyThenPriorityThenApprovalThenId) {
  QueueWorld world(policy_of(1, ""));
  world.add("q-zero", file("zero", "x"));
  world.add("q-needs", file("needs", "x"), "q-zero");
  world.add("q-mid", file("mid", "x"));
  for (int i = 0; i < 2; ++i)  // each verdict of a reviewer is later than the one before
    ASSERT_EQ(world.review("gemini").exit, 0);
  world.add("q-alpha", file("alpha", "x"));
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(world.review("gemini").exit, 0);
  world.prepare("q-unapproved", file("unapproved", "x"));
  ASSERT_EQ(world.submit().exit, 0);
  const Answer shown = world.queue({"--dry-run"});
  EXPECT_EQ(shown.exit, 1);  // q-needs would have to wait, were it asked for now
  EXPECT_EQ(shown.steps(), "q-zero:ready q-needs:deferred q-mid:ready q-alpha:ready");
  EXPECT_EQ(world.landed(), "");
  EXPECT_EQ(world.queue({"--first", "q-alpha", "--dry-run"}).exit, 2);
  EXPECT_EQ(world.queue({"--first", "q-nobody"}).exit, 2);
  const Answer ran = world.queue({"--first", "q-alpha"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.steps(), "q-alpha:promoted q-zero:promoted q-needs:promoted q-mid:promoted");
  EXPECT_EQ(world.landed(), "q-alpha q-zero q-needs q-mid");
  EXPECT_EQ(world.status_of("q-unapproved"), "proposed");
  EXPECT_EQ(world.sql("SELECT count(*) FROM audit WHERE event = 'proposal.prioritised'"), "1");
  EXPECT_EQ(world.queue().exit, 0);  // nothing is left to do
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
}

// --------------------------------------------------------------------------------------- culprits

class QueueBatch : public ::testing::TestWithParam<int> {};

TEST_P(QueueBatch, OnlyTheCulpritIsRejectedAndTheSemanticPairIsKept) {
  QueueWorld world(policy_of(GetParam(), "! (test -f src/one && test -f src/two)"));
  world.add("s-a", file("zero", "x"));
  world.add("s-b", file("one", "x"));
  world.add("s-c", file("two", "x"));
  world.add("s-d", file("three", "x"));
  const Answer ran = world.queue();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(world.landed(), "s-a s-b s-d") << ran.out << ran.err;
  EXPECT_EQ(world.status_of("s-c"), "rejected");
  EXPECT_NE(ran.out.find("PROP_CONFLICT"), std::string::npos) << ran.out;
  EXPECT_EQ(world.sql("SELECT a || ' ' || b || ' ' || kind FROM conflicts"), "s-b s-c semantic");
  EXPECT_EQ(kit::git(world.repo, {"cat-file", "-e", "main:src/two"}).exit_code, 128);
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  EXPECT_EQ(
      kit::git_says(world.repo, {"worktree", "list", "--porcelain"}).find("gatehouse/worktrees"),
      std::string::npos);
}

TEST_P(QueueBatch, OneThatFailsAloneIsNobodyElsesConflict) {
  QueueWorld world(policy_of(GetParam(), "! test -f src/broken"));
  world.add("f-a", file("zero", "x"));
  world.add("f-b", file("broken", "x"));
  world.add("f-c", file("two", "x"));
  const Answer ran = world.queue();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(world.landed(), "f-a f-c") << ran.out << ran.err;
  EXPECT_EQ(world.status_of("f-b"), "rejected");
  EXPECT_EQ(world.sql("SELECT count(*) FROM conflicts"), "0");
  const std::string codes =
      "SELECT group_concat(json_extract(value, '$.code')) FROM admissions, "
      "json_each(checks_json) WHERE patch_id = 'f-b' AND phase = 'promote' AND "
      "json_extract(value, '$.code') IS NOT NULL";
  EXPECT_EQ(world.sql(codes), "PROP_VERIFY_FAILED");
}

TEST_P(QueueBatch, ATargetThatFailsByItselfCondemnsNobody) {
  QueueWorld world(policy_of(GetParam(), "false"));
  world.add("t-a", file("zero", "x"));
  world.add("t-b", file("one", "x"));
  const Answer ran = world.queue();
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_NE(ran.text("stopped").find("the target fails"), std::string::npos) << ran.out;
  EXPECT_EQ(world.queue({"--exit-review"}).exit, 11);
  EXPECT_EQ(world.status_of("t-a"), "proposed");
  EXPECT_EQ(world.status_of("t-b"), "proposed");
  EXPECT_EQ(world.head(), world.base_of_all);
}

TEST_P(QueueBatch, WhatLandsWasVerifiedInItsOwnAdmission) {
  QueueWorld world(policy_of(GetParam(), "test ! -f src/never"));
  world.add("o-a", file("zero", "x"));
  world.add("o-b", file("one", "x"));
  const Answer ran = world.queue();
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(world.landed(), "o-a o-b");
  EXPECT_EQ(world.sql("SELECT count(*) FROM admissions, json_each(checks_json) WHERE phase = "
                      "'promote' AND json_extract(value, '$.id') = 'A19' AND "
                      "json_extract(value, '$.ok') = 1"),
            "2");
}

TEST_P(QueueBatch, TheRepairOfABrokenTargetLandsWhenItIsPutFirst) {
  QueueWorld world(policy_of(GetParam(), "test -f src/repair"));
  world.add("b-a", file("zero", "x"));
  world.add("b-b", file("repair", "x"));
  const Answer stopped = world.queue();
  EXPECT_NE(stopped.text("stopped").find("the target fails"), std::string::npos) << stopped.out;
  EXPECT_EQ(world.status_of("b-a"), "proposed");  // innocent, whatever the batch
  const Answer ran = world.queue({"--first", "b-b"});
  EXPECT_EQ(ran.exit, 0) << ran.out;
  EXPECT_EQ(world.landed(), "b-b b-a");
}

INSTANTIATE_TEST_SUITE_P(Sizes, QueueBatch, ::testing::Values(1, 2, 10));

TEST(Queue, OneThatNeedsARebaseIsLeftAndTheRestGoesOn) {
  QueueWorld world(policy_of(3, ""));
  world.add("r-a", {{"src/calc.py", lines_with(3, "first")}});
  world.add("r-b", {{"src/calc.py", lines_with(30, "second")}});
  world.add("r-c", file("zero", "x"));
  const Answer ran = world.queue({"--exit-review"});
  EXPECT_EQ(ran.exit, 11) << ran.out;
  EXPECT_EQ(world.landed(), "r-a r-c");
  EXPECT_EQ(world.status_of("r-b"), "proposed");
  EXPECT_NE(ran.out.find("PROP_STALE_BASE"), std::string::npos) << ran.out;
}

TEST(Queue, ABranchInTheWayDefersThatOneAndTheRestGoesOn) {
  QueueWorld world(policy_of(1, ""));
  world.add("b-a", file("one", "x"));
  world.add("b-b", file("two", "x"));
  kit::git_says(world.repo, {"branch", "gatehouse/b-a/x"});
  const Answer ran = world.queue({"--exit-review"});
  EXPECT_EQ(ran.exit, 11) << ran.out;
  EXPECT_NE(ran.out.find("PROP_TARGET_MOVED"), std::string::npos) << ran.out;
  EXPECT_EQ(world.landed(), "b-b");
  EXPECT_EQ(world.status_of("b-a"), "proposed");
  kit::git_says(world.repo, {"branch", "-D", "gatehouse/b-a/x"});
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
}

// ------------------------------------------------------------------------------------ ahead (A17)

TEST(Queue, WhatConflictsWithOneAheadWaitsAndIsNotRejected) {
  QueueWorld world;
  world.add("w-a", {{"src/calc.py", lines_with(13, "one")}});
  world.add("w-b", {{"src/calc.py", lines_with(13, "two")}});
  world.stem = "w-b";
  const Answer early = world.promote();
  EXPECT_TRUE(early.has("PROP_CONFLICT")) << early.out;
  EXPECT_EQ(early.text("decision"), "defer");
  EXPECT_EQ(world.status_of("w-b"), "proposed");
  EXPECT_EQ(world.head(), world.base_of_all);
  EXPECT_EQ(world.run({"check", "--proposal", "w-b"}).exit, 1);
  // The one ahead is not held up by the one behind it.
  world.stem = "w-a";
  EXPECT_EQ(world.promote({"--dry-run"}).text("decision"), "admit");
  // An operator decides: first, or away with the other one.
  ASSERT_EQ(world.run({"proposal", "reject", "w-a", "--reason", "unwanted:no"}).exit, 0);
  world.stem = "w-b";
  EXPECT_EQ(world.promote().exit, 0);
  EXPECT_EQ(world.landed(), "w-b");
}

TEST(Queue, PutFirstTheOtherOneConflictsWithWhatLanded) {
  QueueWorld world;
  world.add("p-a", {{"src/calc.py", lines_with(13, "one")}});
  world.add("p-b", {{"src/calc.py", lines_with(13, "two")}});
  const Answer ran = world.queue({"--first", "p-b"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(world.landed(), "p-b");
  EXPECT_EQ(world.status_of("p-a"), "rejected");
  EXPECT_NE(kit::git_says(world.repo, {"show", "main:src/calc.py"}).find("\ntwo\n"),
            std::string::npos);
}

TEST(Queue, ASuccessorTakesThePlaceOfWhatItSupersedes) {
  QueueWorld world;
  world.add("su-a", {{"src/calc.py", lines_with(13, "one")}});
  world.prepare("su-b", {{"src/calc.py", lines_with(13, "two")}});
  world.set("supersedes", "[su-a]");
  world.approve();
  const Answer ran = world.queue();
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(world.landed(), "su-b");
  EXPECT_EQ(world.run({"proposal", "show", "su-a"}).text("sub_state"), "superseded");
}

// ------------------------------------------------------------------------------- who may, and how

TEST(Queue, WithHumansItStopsBeforeEachPromotion) {
  QueueWorld world(policy_of(2, "", "human"));
  world.add("h-a", file("zero", "x"));
  world.add("h-b", file("one", "x"));
  const Answer nobody = world.queue();
  EXPECT_EQ(nobody.exit, 1);
  EXPECT_NE(nobody.text("stopped").find("h-a waits"), std::string::npos) << nobody.out;
  EXPECT_EQ(world.queue({"--exit-review"}).exit, 10);
  EXPECT_EQ(world.landed(), "");
  const std::string command = kit::gatehouse_binary() + " proposal queue -C " + world.repo.string();
  const auto at_terminal = [&](const std::string& typed) {
    return kit::run({"script", "-qec", command, "/dev/null"},
                    {.cwd = world.scratch.path(), .input = typed});
  };
  // One confirmed, the other one not: the first lands, the second stays as it was.
  const kit::Ran one = at_terminal("h-a\nno\n");
  EXPECT_NE(one.out.find("type the id 'h-a'"), std::string::npos) << one.out << one.err;
  EXPECT_EQ(world.landed(), "h-a");
  EXPECT_EQ(world.status_of("h-b"), "proposed");
  at_terminal("h-b\n");
  EXPECT_EQ(world.landed(), "h-a h-b");
}

TEST(Queue, WithHumansOneThatCannotLandDoesNotHoldUpTheOthers) {
  QueueWorld world(policy_of(1, "", "human"));
  world.add("e-a", {{"src/calc.py", lines_with(3, "first")}});
  world.add("e-b", file("zero", "x"));
  kit::write(world.repo / "src/calc.py", lines_with(30, "elsewhere in the file"));
  world.commit("the base of e-a is stale");
  const std::string head = world.head();
  const kit::Ran ran =
      kit::run({"script", "-qec",
                kit::gatehouse_binary() + " proposal queue -C " + world.repo.string(), "/dev/null"},
               {.cwd = world.scratch.path(), .input = "e-b\n"});
  EXPECT_EQ(ran.out.find("type the id 'e-a'"), std::string::npos) << ran.out;
  EXPECT_EQ(world.status_of("e-a"), "proposed");
  EXPECT_EQ(world.status_of("e-b"), "promoted") << ran.out;
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main^1"}), head);
}

TEST(Queue, OnlyAPromoterMayRunIt) {
  QueueWorld world;
  world.add("m-a", file("zero", "x"));
  kit::write(world.repo / "gatehouse.yaml",
             policy_of(1, "") + "  actors:\n    - name: somebody\n      kind: human\n" +
                 "      roles: [promoter]\n");
  world.commit("a registry without the local user");
  const Answer ran = world.queue();
  EXPECT_NE(ran.exit, 0);
  EXPECT_NE((ran.out + ran.err).find("neither the role promoter nor admin"), std::string::npos)
      << ran.out << ran.err;
  EXPECT_EQ(world.status_of("m-a"), "proposed");
}

TEST(Queue, APolicyThatRebasesNeverDropsWhatIsOnTheTarget) {
  QueueWorld world(
      "proposals:\n  promotion:\n    requires: gate\n    integrate: rebase\n  max_base_age_days: "
      "3650\n");
  world.add("d-a", file("zero", "x"));
  world.add("d-b", file("one", "x"));
  const Answer ran = world.queue();
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(world.landed(), "d-a") << ran.out;
  EXPECT_EQ(world.status_of("d-b"), "proposed");
  EXPECT_NE(ran.out.find("PROP_STALE_BASE"), std::string::npos) << ran.out;
}

TEST(Queue, StoppedByASignalItRejectsNobody) {
  QueueWorld world(policy_of(2, "sleep 60"));
  world.add("k-a", file("zero", "x"));
  const kit::Ran ran = kit::run({"timeout", "-s", "INT", "2", kit::gatehouse_binary(), "proposal",
                                 "queue", "-C", world.repo.string()},
                                {.cwd = world.scratch.path()});
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_EQ(world.status_of("k-a"), "proposed");
  EXPECT_EQ(world.head(), world.base_of_all);
}

}  // namespace
}  // namespace gh
