// A failed test run that a reviewer lets pass with a reason (docs/reference/proposals.md, Waivers).
#include "tests/queue_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::QueueWorld;

constexpr const char* kWaiver = "PROP_COMMANDS_FAILED:the sandbox has no network, kb:12";

struct Failing : QueueWorld {
  explicit Failing(std::string_view policy = kit::kGatePolicy) : QueueWorld(policy) {
    set("commands_run", "[\"ctest tests/test_calc.py => exit 1\"]");
    const Answer refused = submit();
    EXPECT_TRUE(refused.has("PROP_COMMANDS_FAILED")) << refused.out;
    EXPECT_EQ(refused.text("decision"), "refuse");
  }
};

TEST(Waivers, ARefusedPairIsWaivedSubmittedAgainAndPromoted) {
  Failing world;
  const Answer waived = world.review("gemini", "ok", {"--waive", kWaiver});
  ASSERT_EQ(waived.exit, 0) << waived.out << waived.err;
  EXPECT_EQ(world.status(), "sandbox");  // a reviewer lets it in, the author brings it
  EXPECT_NE(world.promote().exit, 0);
  EXPECT_EQ(world.head(), world.base_of_all);
  EXPECT_EQ(world.sql("SELECT json_extract(reasons_json, '$[0].code') || ' ' || "
                      "json_extract(reasons_json, '$[0].text') FROM reviews"),
            "waive:PROP_COMMANDS_FAILED the sandbox has no network, kb:12");
  const Answer admitted = world.submit();
  ASSERT_EQ(admitted.exit, 0) << admitted.out;
  EXPECT_EQ(world.status(), "proposed");
  const Answer shown = world.run({"proposal", "show", world.stem});
  EXPECT_EQ(shown.text("sub_state"), "in_review");
  EXPECT_EQ(shown.document.as_map()->find("revision")->as_int()[0], 1);
  ASSERT_EQ(world.review("codex").exit, 0);
  const Answer promoted = world.promote();
  ASSERT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  EXPECT_EQ(world.landed(), "calc-line-001");
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
  const kit::fs::path clone = world.scratch.path() / "clone";
  kit::git_says(world.scratch.path(), {"clone", "-q", world.repo.string(), clone.string()});
  kit::git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
  const kit::Ran there = kit::gatehouse({"proposal", "verify", "--all"}, {.cwd = clone});
  EXPECT_EQ(there.exit_code, 0) << there.out << there.err;
}

TEST(Waivers, NothingElseOpensARefusedPair) {
  Failing world;
  EXPECT_TRUE(world.review("gemini").has("REVIEW_STATE_INVALID"));
  EXPECT_TRUE(world.review("somebody", "ok", {"--waive", kWaiver}).has("REVIEW_NOT_AUTHORIZED"));
  for (const char* bad : {"PROP_COMMANDS_FAILED", "PROP_COMMANDS_FAILED: ", "PROP_RISK_VAGUE:no"})
    EXPECT_EQ(world.review("gemini", "ok", {"--waive", bad}).exit, 2) << bad;
  EXPECT_EQ(world.review("gemini", "changes", {"--reason", "a:b", "--waive", kWaiver}).exit, 2);
  // A reason that only looks like a waiver is none.
  EXPECT_TRUE(world.review("gemini", "ok", {"--reason", kWaiver}).has("REVIEW_STATE_INVALID"));
  EXPECT_EQ(world.sql("SELECT count(*) FROM reviews"), "0");
  world.set("risk_notes", "low risk");
  ASSERT_NE(world.submit().exit, 0);
  EXPECT_TRUE(world.review("gemini", "ok", {"--waive", kWaiver}).has("REVIEW_STATE_INVALID"));
}

TEST(Waivers, AreOfOneDigest) {
  Failing world;
  ASSERT_EQ(world.review("gemini", "ok", {"--waive", kWaiver}).exit, 0);
  world.set("source_gap", "\"kb:4401\"");
  EXPECT_TRUE(world.submit().has("PROP_COMMANDS_FAILED"));
  EXPECT_EQ(world.status(), "sandbox");
}

TEST(Waivers, OneThatIsTakenBackDecidesAtPromotion) {
  Failing world;
  ASSERT_EQ(world.review("gemini", "ok", {"--waive", kWaiver}).exit, 0);
  ASSERT_EQ(world.submit().exit, 0);
  ASSERT_EQ(world.review("gemini").exit, 0);  // agrees, and waives no longer
  const Answer early = world.promote();
  EXPECT_EQ(early.text("decision"), "defer") << early.out;  // codex could still waive it
  ASSERT_EQ(world.review("codex").exit, 0);
  const Answer answer = world.promote();
  EXPECT_TRUE(answer.has("PROP_COMMANDS_FAILED")) << answer.out;
  EXPECT_EQ(world.status(), "rejected");
  EXPECT_EQ(world.head(), world.base_of_all);
}

TEST(Waivers, GoAlongWithACarriedReview) {
  Failing world(
      "proposals:\n  reviewers:\n    carry_reviews: identical_patch\n  promotion:\n    requires: "
      "gate\n  max_base_age_days: 3650\n");
  ASSERT_EQ(world.review("gemini", "ok", {"--waive", kWaiver}).exit, 0);
  ASSERT_EQ(world.submit().exit, 0);
  ASSERT_EQ(world.review("codex").exit, 0);
  kit::write(world.repo / "src/calc.py", "line 0\n" + kit::read(world.repo / "src/calc.py"));
  world.commit("a line at the top");
  const Answer rebased = world.run({"proposal", "rebase", world.stem});
  ASSERT_EQ(rebased.exit, 0) << rebased.out;
  world.stem += "-r2";
  const Answer promoted = world.promote();
  EXPECT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
}

}  // namespace
}  // namespace gh
