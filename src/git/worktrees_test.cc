// Worktrees that intents are worked on in.
#include <algorithm>

#include "base/text.h"
#include "tests/repo_kit.h"

namespace gh::git {
namespace {

class WorktreeTest : public RepoTest {
 protected:
  std::string home() { return opened().state_dir() + "/worktrees/"; }
  Result<RefUpdate> add(const std::string& name, const std::string& branch) {
    const auto repo = opened();
    const auto commit = *ObjectId::parse(sandbox_.git({"rev-parse", "main"}));
    return repo.add_worktree_on_branch(home() + name, branch, commit, {"Gate", "gate@example.org"},
                                       {1'700'000'000}, "start it");
  }
  bool has_branch(const std::string& ref) { return !sandbox_.git({"for-each-ref", ref}).empty(); }
  const std::string branch_ = "refs/heads/gatehouse/intent-1";
};

TEST_F(WorktreeTest, HasFilesAndABranchOfItsOwn) {
  const std::string index = *sys::read_file(sandbox_.at(".git/index"), 1u << 20);
  const auto added = add("intent-1", branch_);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(*added, RefUpdate::done);
  const std::string folder = home() + "intent-1";
  EXPECT_EQ(sys::read_file(folder + "/dir/a.txt", 100), kBase);
  EXPECT_EQ(sandbox_.git_at(folder, {"symbolic-ref", "HEAD"}), branch_);
  EXPECT_EQ(sandbox_.git_at(folder, {"status", "--short"}), "");
  EXPECT_EQ(sandbox_.git({"reflog", "-1", "--format=%gs|%gn", branch_}), "start it|Gate");
  EXPECT_EQ(sandbox_.git({"status", "--short"}), "") << "ours is as it was";
  EXPECT_EQ(*sys::read_file(sandbox_.at(".git/index"), 1u << 20), index);

  // It is a work tree like any other, with the same state folder.
  auto there = open(folder);
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_EQ(there->state_dir(), opened().state_dir());
  EXPECT_TRUE(there->dirty_paths({})->empty());
  ASSERT_TRUE(sys::write_file_atomic(folder + "/b.txt", "edited there\n"));
  const auto dirty = there->dirty_paths({});
  ASSERT_EQ(dirty->size(), 1u);
  EXPECT_EQ((*dirty)[0].path, "b.txt");
  EXPECT_TRUE(opened().dirty_paths({})->empty()) << "and not here";
  EXPECT_EQ(top_level_of(folder + "/dir")->top, folder);
}

TEST_F(WorktreeTest, IsListedAndRemoved) {
  ASSERT_TRUE(add("intent-1", branch_));
  ASSERT_TRUE(add("intent 2\nb", "refs/heads/gatehouse/intent-2"));
  auto repo = opened();
  const std::string head = sandbox_.git({"rev-parse", "main"});
  auto trees = repo.list_worktrees();
  ASSERT_TRUE(trees) << trees.error().message;
  ASSERT_EQ(trees->size(), 3u);
  EXPECT_EQ((*trees)[0],
            (Worktree{.folder = sandbox_.root(), .head = head, .branch = "refs/heads/main"}));
  EXPECT_NE(std::ranges::find(
                *trees, Worktree{.folder = home() + "intent-1", .head = head, .branch = branch_}),
            trees->end());
  EXPECT_NE(std::ranges::find(*trees, home() + "intent 2\nb", &Worktree::folder), trees->end());

  ASSERT_TRUE(sys::write_file_atomic(home() + "intent-1/untracked", "x"));
  ASSERT_TRUE(repo.remove_worktree(home() + "intent-1"));
  EXPECT_EQ(sys::info(home() + "intent-1").kind, sys::FileKind::missing);
  EXPECT_TRUE(has_branch(branch_)) << "what was committed there is not lost";
  ASSERT_TRUE(sys::remove_folder_tree(home() + "intent 2\nb"));
  trees = repo.list_worktrees();
  ASSERT_EQ(trees->size(), 2u);
  EXPECT_TRUE((*trees)[1].is_gone);
  ASSERT_TRUE(repo.remove_worktree(home() + "intent 2\nb"));
  EXPECT_EQ(repo.list_worktrees()->size(), 1u);
  ASSERT_TRUE(repo.remove_worktree(home() + "never-there"));
}

TEST_F(WorktreeTest, ABranchNameIsTakenOnce) {
  sandbox_.git({"branch", "gatehouse/intent-1"});
  EXPECT_EQ(add("intent-1", branch_), RefUpdate::moved) << "though it is at the same commit";
  EXPECT_EQ(sys::info(home() + "intent-1").kind, sys::FileKind::missing);
  EXPECT_TRUE(has_branch(branch_));
  EXPECT_EQ(add("x", branch_ + "/below"), RefUpdate::moved) << "no room below a branch";
  EXPECT_EQ(add("x", "refs/heads/gatehouse"), RefUpdate::moved) << "nor above one";
  EXPECT_EQ(opened().list_worktrees()->size(), 1u);
  EXPECT_EQ(add("x", "main").error().code, Code::bad_argument);
  EXPECT_EQ(add("x", "refs/tags/x").error().code, Code::bad_argument);
  EXPECT_FALSE(add("x", "refs/heads/a..b"));
  EXPECT_FALSE(add("x", "refs/heads/-x y"));
}

TEST_F(WorktreeTest, TakesItsBranchAwayWhenItFails) {
  ASSERT_TRUE(sys::make_folders(home() + "intent-1"));
  ASSERT_TRUE(sys::write_file_atomic(home() + "intent-1/in the way", "x"));
  const auto added = add("intent-1", branch_);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, Code::git_failed);
  EXPECT_FALSE(has_branch(branch_));
  EXPECT_EQ(sys::read_file(home() + "intent-1/in the way", 10), "x");
}

TEST_F(WorktreeTest, RunsNoProgramOfTheRepository) {
  const std::string mark = sandbox_.folder() + "/ran", program = sandbox_.folder() + "/program";
  make_executable(program, "#!/bin/sh\necho ran >>" + mark + "\ncat\n");
  sandbox_.write(".gitattributes", "*.txt filter=evil\n");
  sandbox_.commit("attributes");
  for (const char* key :
       {"core.fsmonitor", "filter.evil.smudge", "filter.evil.clean", "filter.evil.process"})
    sandbox_.git({"config", key, program});
  sandbox_.git({"config", "filter.evil.required", "true"});
  for (const char* hook :
       {"post-checkout", "post-index-change", "reference-transaction", "pre-commit"})
    make_executable(sandbox_.at(".git/hooks/"s + hook), "#!/bin/sh\necho ran >>" + mark + "\n");
  (void)sys::remove_file(mark);
  const auto added = add("intent-1", branch_);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(sys::read_file(home() + "intent-1/b.txt", 100), "b\n");
  ASSERT_TRUE(opened().remove_worktree(home() + "intent-1"));
  EXPECT_EQ(sys::read_file(mark, 1000).value_or(""), "");
}

TEST_F(WorktreeTest, ASparseRepositoryGivesAWholeWorktree) {
  sandbox_.git({"sparse-checkout", "set", "--no-cone", "b.txt"});
  ASSERT_EQ(sys::info(sandbox_.at("dir/a.txt")).kind, sys::FileKind::missing);
  ASSERT_EQ(add("intent-1", branch_), RefUpdate::done);
  EXPECT_EQ(sys::read_file(home() + "intent-1/dir/a.txt", 100), kBase);
  EXPECT_TRUE(open(home() + "intent-1")->dirty_paths({})->empty());
}

}  // namespace
}  // namespace gh::git
