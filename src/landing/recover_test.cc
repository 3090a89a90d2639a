#include "landing/recover.h"

#include "tests/repo_kit.h"

namespace gh::git {
namespace {

class RecoverTest : public RepoTest {
 protected:
  std::string home() { return opened().state_dir() + "/worktrees/"; }
};

TEST_F(RecoverTest, TakesAwayWorktreesOfLandingsAndNoneOfIntents) {
  auto repo = opened();
  const auto head = repo.objects().commit("HEAD")->id;
  EXPECT_FALSE(landing::needs_recovery(repo));
  const std::string intent = home() + "intent-0a1b2c3d-001-abcdef";
  ASSERT_EQ(repo.add_worktree_on_branch(intent, "refs/heads/gatehouse/intent-0a1b2c3d-001-abcdef",
                                        head, {"Gate", "gate@example.org"}, {1}, "start"),
            RefUpdate::done);
  ASSERT_TRUE(sys::write_file_atomic(intent + "/b.txt", "work of hours\n"));
  EXPECT_FALSE(landing::needs_recovery(repo)) << "somebody works there, nothing is left over";

  const std::string left = landing::verify_worktree(repo, "prun-0123456789abcdef");
  ASSERT_TRUE(repo.add_worktree(left, head));
  EXPECT_TRUE(landing::needs_recovery(repo));
  const auto recovered = landing::recover(repo);
  ASSERT_TRUE(recovered) << recovered.error().message;
  EXPECT_FALSE(*recovered) << "no landing was under way";
  EXPECT_EQ(sys::info(left).kind, sys::FileKind::missing);
  EXPECT_EQ(sys::read_file(intent + "/b.txt", 100), "work of hours\n");
  EXPECT_EQ(repo.list_worktrees()->size(), 2u);
}

TEST_F(RecoverTest, APatchNamedAsAnIntentIsTriedElsewhere) {
  const auto repo = opened();
  EXPECT_EQ(landing::verify_worktree(repo, "calc-001"), home() + "calc-001");
  EXPECT_EQ(landing::verify_worktree(repo, "intent-x"), home() + "verify-intent-x");
}

}  // namespace
}  // namespace gh::git
