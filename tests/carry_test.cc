// Reviews over a rebase (docs/reference/proposals.md, Carried reviews): carried only by policy,
// only for the same change, and only through a record that anybody can check again.
#include "base/digest.h"
#include "tests/postgres_server.h"
#include "tests/queue_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::QueueWorld;

std::string policy_with(std::string_view carry, std::string_view store = "") {
  return fmt::format(
      "proposals:\n  reviewers:\n    carry_reviews: {}\n  promotion:\n    requires: gate\n"
      "  max_base_age_days: 3650\n{}",
      carry, store);
}

/// Approved, then overtaken by a change of the same file, then rebased.
struct Rebased : QueueWorld {
  explicit Rebased(const std::string& policy) : QueueWorld(policy) {
    approve();
    kit::write(repo / "src/calc.py", "line 0\n" + kit::read(repo / "src/calc.py"));
    commit("a line at the top");
    answer = run({"proposal", "rebase", "calc-line-001"});
    EXPECT_EQ(answer.exit, 0) << answer.out << answer.err;
    stem = "calc-line-001-r2";
  }
  Answer answer;
};

TEST(CarriedReviews, AnIdenticalPatchKeepsItsReviewsAndEverybodyCanCheckIt) {
  Rebased world(policy_with("identical_patch"));
  const Answer shown = world.run({"proposal", "show", world.stem});
  EXPECT_EQ(shown.text("sub_state"), "approved") << shown.out;
  // Nobody spoke again: the records are the old ones, and each carry names one.
  EXPECT_EQ(world.sql("SELECT count(*) FROM reviews WHERE patch_id = 'calc-line-001-r2'"), "0");
  EXPECT_EQ(world.sql("SELECT count(*) FROM documents d JOIN reviews r ON "
                      "json_extract(d.body, '$.review_sha256') = r.sha256 WHERE d.kind = "
                      "'review_carry' AND r.patch_id = 'calc-line-001'"),
            "2");
  const Answer promoted = world.promote();
  ASSERT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  EXPECT_EQ(
      world.sql("SELECT group_concat(reviewer || ' ' || sha256, char(10)) FROM (SELECT * FROM "
                "reviews ORDER BY reviewer DESC)") +
          "\n",
      kit::git_says(world.repo,
                    {"log", "-1", "main", "--format=%(trailers:key=Reviewed-By,valueonly)"}));
  EXPECT_EQ(world.run({"audit", "verify"}).exit, 0);
  const Answer verified = world.run({"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  // From a clone with the refs and no database, and from a ledger that was filled from it.
  const kit::fs::path clone = world.scratch.path() / "clone";
  kit::git_says(world.scratch.path(), {"clone", "-q", world.repo.string(), clone.string()});
  kit::git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
  const kit::Ran there = kit::gatehouse({"proposal", "verify", "--all"}, {.cwd = clone});
  EXPECT_EQ(there.exit_code, 0) << there.out << there.err;
  const kit::Ran imported = kit::gatehouse({"proposal", "import"}, {.cwd = clone});
  EXPECT_EQ(imported.exit_code, 0) << imported.out << imported.err;
  const kit::Ran again = kit::gatehouse({"proposal", "verify", "--all"}, {.cwd = clone});
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
}

TEST(CarriedReviews, WithoutThePolicyTheyAreGone) {
  Rebased world(policy_with("never"));
  EXPECT_EQ(world.run({"proposal", "show", world.stem}).text("sub_state"), "in_review");
  EXPECT_TRUE(world.promote().has("PROP_REVIEW_PENDING"));
}

TEST(CarriedReviews, ThePolicyAtTheHeadDecidesAtPromotionToo) {
  Rebased world(policy_with("identical_patch"));
  kit::write(world.repo / "gatehouse.yaml", policy_with("never"));
  world.commit("no longer");
  const Answer answer = world.promote();
  EXPECT_TRUE(answer.has("PROP_REVIEW_PENDING")) << answer.out;
  EXPECT_TRUE(world.run({"proposal", "verify", world.stem}).has("PROP_REVIEW_FORGED"));
}

TEST(CarriedReviews, AVerdictOnTheNewDigestReplacesTheCarriedOne) {
  Rebased world(policy_with("identical_patch"));
  ASSERT_EQ(world.review("codex", "changes", {"--reason", "vague_risk:look again"}).exit, 0);
  EXPECT_EQ(world.run({"proposal", "show", world.stem}).text("sub_state"), "changes_requested");
  EXPECT_TRUE(world.promote().has("PROP_REVIEW_CHANGES"));
}

TEST(CarriedReviews, OverTwoRebasesTheyComeFromWhatWasReviewed) {
  Rebased world(policy_with("identical_patch"));
  kit::write(world.repo / "src/calc.py", "line -1\n" + kit::read(world.repo / "src/calc.py"));
  world.commit("another line at the top");
  ASSERT_EQ(world.run({"proposal", "rebase", world.stem}).exit, 0);
  world.stem = "calc-line-001-r3";
  EXPECT_EQ(world.sql("SELECT DISTINCT json_extract(body, '$.from_patch_id') FROM documents WHERE "
                      "kind = 'review_carry'"),
            "calc-line-001");
  const Answer promoted = world.promote();
  EXPECT_EQ(promoted.exit, 0) << promoted.out;
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
  for (const char* old : {"calc-line-001", "calc-line-001-r2"})
    EXPECT_EQ(world.run({"proposal", "show", old}).text("sub_state"), "superseded") << old;
}

TEST(CarriedReviews, AForgedCarryCountsForNothingAndIsNamed) {
  QueueWorld world(policy_with("identical_patch"));
  world.approve();  // calc-line-001, whose reviews the forger wants
  world.prepare("calc-evil-001", {{"src/other.py", "evil\n"}});
  ASSERT_EQ(world.submit().exit, 0);
  std::string list;
  for (const char* who : {"gemini", "codex"}) {
    const std::string row = fmt::format("FROM reviews WHERE reviewer = '{}'", who);
    const Map carry{{"schema", "gatehouse.review_carry/1"},
                    {"patch_id", "calc-evil-001"},
                    {"proposal_digest", world.sql("SELECT digest FROM proposals WHERE patch_id = "
                                                  "'calc-evil-001'")},
                    {"from_patch_id", "calc-line-001"},
                    {"from_proposal_digest", world.sql("SELECT digest " + row)},
                    {"reviewer", who},
                    {"review_sha256", world.sql("SELECT sha256 " + row)},
                    {"created_utc", QueueWorld::now()}};
    const std::string json = wire::canonical_json(carry);
    const std::string digest = digest_of(json).hex();
    world.sql(
        fmt::format("INSERT INTO documents(digest, kind, body) VALUES('{}', 'review_carry', "
                    "'{}')",
                    digest, json));
    list += (list.empty() ? "\"" : ",\"") + digest + "\"";
  }
  world.sql(
      fmt::format("UPDATE proposals SET sub_state = 'approved', body = json_set(body, "
                  "'$.carried', json('[{}]'), '$.review_status', "
                  "json('[\"gemini_ok\",\"codex_ok\"]')) WHERE patch_id = 'calc-evil-001'",
                  list));
  const Answer verified = world.run({"proposal", "verify", "calc-evil-001"});
  EXPECT_TRUE(verified.has("PROP_REVIEW_FORGED")) << verified.out;
  EXPECT_NE(verified.out.find("carried over"), std::string::npos) << verified.out;
  world.stem = "calc-evil-001";
  const Answer answer = world.promote();
  EXPECT_TRUE(answer.has("PROP_REVIEW_PENDING")) << answer.out;
  EXPECT_EQ(world.head(), world.base_of_all);
}

TEST(CarriedReviews, InAPostgresLedgerToo) {
  const testing::PostgresServer& server = testing::postgres_server();
  Rebased world(policy_with("identical_patch", "store:\n  url: \"" + server.url() + "\"\n"));
  EXPECT_EQ(world.run({"proposal", "show", world.stem}).text("sub_state"), "approved");
  const Answer promoted = world.promote();
  EXPECT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  EXPECT_EQ(world.run({"proposal", "verify", "--all"}).exit, 0);
}

}  // namespace
}  // namespace gh
