// A proposal is judged, reviewed and promoted by the rules that stand on its own target, and what
// it names (targets, predecessors, dependencies) is there and is its own.
#include "tests/proposal_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::ProposalWorld;

/// main wants gemini and codex; refs/heads/careful wants ada and bob, and names a ledger that
/// nobody can reach.
struct TwoTargets : ProposalWorld {
  TwoTargets() {
    kit::git_says(repo, {"checkout", "-q", "-b", "careful"});
    kit::write(repo / "gatehouse.yaml",
               "proposals:\n  promotion:\n    requires: gate\n  reviewers:\n"
               "    required: [ada, bob]\nstore:\n  url: postgres://127.0.0.1:1/nowhere\n");
    commit("another policy");
    base = head();
    reset_fields("calc-line-001");
    set("schema", "gatehouse.proposal/1");
    set("target_ref", "refs/heads/careful");
    kit::git_says(repo, {"checkout", "-q", "main"});
  }
};

TEST(ProposalTargets, TheRulesOfTheNamedTargetHoldFromSubmissionToPromotion) {
  TwoTargets world;
  const Answer submitted = world.submit();
  ASSERT_EQ(submitted.exit, 0) << submitted.out << submitted.err;
  EXPECT_TRUE(world.review("gemini").has("REVIEW_NOT_AUTHORIZED"));
  EXPECT_EQ(world.review("ada").exit, 0);
  EXPECT_TRUE(world.promote().has("PROP_REVIEW_PENDING"));
  EXPECT_EQ(world.review("bob").exit, 0);
  const std::string main_before = kit::git_says(world.repo, {"rev-parse", "main"});
  const Answer promoted = world.promote();
  ASSERT_EQ(promoted.exit, 0) << promoted.out << promoted.err;
  EXPECT_NE(kit::git_says(world.repo, {"show", "careful:src/calc.py"}).find("line 41"),
            std::string::npos);
  EXPECT_EQ(kit::git_says(world.repo, {"rev-parse", "main"}), main_before);
}

TEST(ProposalTargets, TheLedgerIsTheOneOfTheDefaultTargetWhateverTheNamedTargetSays) {
  TwoTargets world;
  ASSERT_EQ(world.submit().exit, 0);
  const kit::Ran rows = kit::run({"sqlite3", (world.repo / ".git/gatehouse/ledger.db").string(),
                                  "SELECT patch_id, target_ref FROM proposals"},
                                 {});
  EXPECT_EQ(rows.out, "calc-line-001|refs/heads/careful\n");
}

TEST(ProposalTargets, ABranchThatDoesNotExistIsRepairable) {
  ProposalWorld world;
  world.set("schema", "gatehouse.proposal/1");
  world.set("target_ref", "refs/heads/nowhere");
  const Answer refused = world.submit();
  EXPECT_EQ(refused.exit, 1);
  EXPECT_EQ(refused.codes(), std::vector<std::string>{"PROP_META_INVALID"}) << refused.out;
  EXPECT_EQ(refused.text("decision"), "refuse");
  world.set("target_ref", "refs/heads/main");
  const Answer repaired = world.submit();
  EXPECT_EQ(repaired.exit, 0) << repaired.out;
}

TEST(ProposalTargets, AWithdrawalNeedsNoTargetAnyMore) {
  TwoTargets world;
  ASSERT_EQ(world.submit().exit, 0);
  kit::git_says(world.repo, {"branch", "-q", "-D", "careful"});
  EXPECT_EQ(world.run({"proposal", "withdraw", world.stem, "--reason", "target gone"}).exit, 0);
  EXPECT_EQ(world.status(), "rejected");
}

TEST(ProposalTargets, AVanishedTargetIsSaidAtPromotionAndNothingHappens) {
  TwoTargets world;
  ASSERT_EQ(world.submit().exit, 0);
  kit::git_says(world.repo, {"branch", "-q", "-D", "careful"});
  const Answer promoted = world.promote();
  EXPECT_EQ(promoted.exit, 2) << promoted.out;
  EXPECT_NE(promoted.err.find("refs/heads/careful"), std::string::npos) << promoted.err;
  EXPECT_EQ(world.status(), "proposed");
}

TEST(ProposalTargets, ACircleOfThreeDependenciesIsRefused) {
  ProposalWorld world;
  const auto submit = [&](const char* id, const char* file, const char* depends_on, bool whole) {
    world.change({{file, fmt::format("first of {}\n", id)},
                  {fmt::format("tests/test_{}.py", file), "assert it\n"}});
    world.reset_fields(id);
    world.set("schema", "gatehouse.proposal/1");
    world.set("affected_files", fmt::format("[{0}, tests/test_{0}.py]", file));
    world.set("tests_added", fmt::format("[tests/test_{}.py]", file));
    world.set("commands_run", fmt::format("[\"ctest tests/test_{}.py => exit 0\"]", file));
    world.set("risk_notes",
              fmt::format("\"failure: the text may be wrong; blast_radius: readers of {}; "
                          "data: none touched; idempotent: yes\"",
                          file));
    if (!whole) world.set("rollback_notes", "soon");  // refused, and so still open to change
    if (depends_on != nullptr) world.set("depends_on", fmt::format("[{}]", depends_on));
    return world.submit();
  };
  EXPECT_TRUE(submit("one-a", "a", nullptr, false).has("PROP_ROLLBACK_VAGUE"));
  const Answer second = submit("one-b", "b", "one-a", true);
  ASSERT_EQ(second.exit, 0) << second.out;
  ASSERT_EQ(submit("one-c", "c", "one-b", true).exit, 0);
  const Answer closed = submit("one-a", "a", "one-c", true);
  EXPECT_EQ(closed.exit, 1);
  EXPECT_TRUE(closed.has("PROP_DEPENDS_INVALID")) << closed.out;
}

}  // namespace
}  // namespace gh
