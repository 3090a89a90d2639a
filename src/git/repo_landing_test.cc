// Building and landing: quarantine, refs, index.
#include <algorithm>

#include <fcntl.h>

#include "base/text.h"
#include "git/tail.h"
#include "tests/repo_kit.h"

namespace gh::git {
namespace {

// ---- building and landing -----------------------------------------------------------------------

class LandingTest : public RepoTest {
 protected:
  LandingTest() : repo_(opened()), head_(*repo_.objects().commit("HEAD")) {}

  ObjectId build(const Quarantine& quarantine) {
    EXPECT_TRUE(repo_.read_tree(quarantine, head_.tree));
    const auto applied = repo_.apply_cached(quarantine, kPatch);
    EXPECT_EQ(applied->exit_code, 0) << applied->err;
    return *repo_.write_tree(quarantine);
  }
  bool repository_has(const ObjectId& id) {
    return sys::info(
               sandbox_.at(".git/objects/" + id.hex().substr(0, 2) + '/' + id.hex().substr(2)))
               .kind == sys::FileKind::file;
  }

  Repo repo_;
  Commit head_;
  const Identity who_{"Gate", "gate@example.org"};
};

TEST_F(LandingTest, KeepsNewObjectsInQuarantineUntilTheyAreLetIn) {
  std::string place;
  const auto blob = ObjectId::of(HashKind::sha1, "blob", kPatched);
  {
    auto quarantine = repo_.quarantine();
    const ObjectId tree = build(*quarantine);
    EXPECT_NE(tree, head_.tree);
    EXPECT_FALSE(repository_has(blob));
    EXPECT_FALSE(repository_has(tree));
    ASSERT_TRUE(quarantine->migrate());
    ASSERT_TRUE(quarantine->migrate()) << "what is there already is kept";
    EXPECT_TRUE(repository_has(blob));
    EXPECT_TRUE(repository_has(tree));
    EXPECT_EQ(sandbox_.git({"cat-file", "blob", tree.hex() + ":dir/a.txt"}) + '\n', kPatched);
    place = quarantine->objects();
  }
  EXPECT_EQ(sys::info(place).kind, sys::FileKind::missing);
  sandbox_.git({"fsck", "--strict"});
}

TEST_F(LandingTest, NamesTheFileWhenObjectsCannotBeLetIn) {
  auto quarantine = repo_.quarantine();
  (void)build(*quarantine);
  const auto blob = ObjectId::of(HashKind::sha1, "blob", kPatched);
  const std::string folder = sandbox_.at(".git/objects/" + blob.hex().substr(0, 2));
  ASSERT_TRUE(sys::write_file_atomic(folder, "in the way"));
  const auto migrated = quarantine->migrate();
  ASSERT_FALSE(migrated);
  EXPECT_EQ(migrated.error().code, Code::io_error);
  EXPECT_TRUE(contains(migrated.error().message, folder));
}

TEST_F(LandingTest, ReadsThroughTheAlternatesOfTheRepository) {
  const std::string shared = sandbox_.folder() + "/sha:red";
  sandbox_.git({"clone", "-q", "--shared", sandbox_.root(), shared});
  sandbox_.git_at(shared, {"checkout", "-q", "--detach"});
  auto repo = open(shared);
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_EQ(repo->objects().commit("HEAD")->id, head_.id);
  const auto quarantine = repo->quarantine();
  ASSERT_TRUE(repo->read_tree(*quarantine, head_.tree));
  EXPECT_EQ(repo->apply_cached(*quarantine, kPatch)->exit_code, 0);
  EXPECT_TRUE(repo->write_tree(*quarantine));
}

TEST_F(LandingTest, CommitsAndMovesARefOnlyFromTheExpectedPlace) {
  const auto quarantine = repo_.quarantine();
  const ObjectId tree = build(*quarantine);
  ASSERT_TRUE(quarantine->migrate());
  const auto commit = repo_.commit_tree({.tree = tree,
                                         .parents = {head_.id},
                                         .message = "landed\n\nGate: yes\n",
                                         .author = {"Agent", "agent@example.org"},
                                         .committer = who_,
                                         .time = {1'700'000'123}});
  ASSERT_TRUE(commit) << commit.error().message;
  EXPECT_EQ(sandbox_.git({"log", "-1", "--format=%an %ae %at %cn %ce %ct %P%n%B", commit->hex()}),
            "Agent agent@example.org 1700000123 Gate gate@example.org 1700000123 " +
                head_.id.hex() + "\nlanded\n\nGate: yes\n");
  const auto move = [&](const ObjectId& expected) {
    return repo_.update_ref("refs/heads/main", *commit, expected, who_, {1'700'000'124}, "land it");
  };
  EXPECT_EQ(move(head_.id), RefUpdate::done);
  EXPECT_EQ(sandbox_.git({"rev-parse", "main"}), commit->hex());
  EXPECT_EQ(sandbox_.git({"reflog", "-1", "--format=%gs|%gn", "main"}), "land it|Gate");
  EXPECT_EQ(move(head_.id), RefUpdate::moved);
  EXPECT_EQ(sandbox_.git({"rev-parse", "main"}), commit->hex());
}

TEST_F(LandingTest, RefusesRefNamesThatAreNone) {
  for (const char* bad : {"main", "-d", "refs/heads/a b", "refs/heads/..", "refs/\nx", "HEAD"}) {
    const auto moved = repo_.update_ref(bad, head_.id, head_.id, who_, {1}, "x");
    EXPECT_TRUE(!moved || *moved == RefUpdate::moved) << bad;
  }
  EXPECT_EQ(repo_.update_ref("main", head_.id, head_.id, who_, {1}, "x").error().code,
            Code::bad_argument);
}

TEST_F(LandingTest, AppliesToWorkTreeAndIndexTogether) {
  const auto applied = repo_.apply_index(kPatch);
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->exit_code, 0) << applied->err;
  EXPECT_EQ(sys::read_file(sandbox_.at("dir/a.txt"), 1000), kPatched);
  const auto staged = repo_.staged({"dir/a.txt", "missing", "*"});
  ASSERT_TRUE(staged);
  ASSERT_EQ(staged->size(), 1u) << "paths are literal";
  EXPECT_EQ((*staged)[0].id, ObjectId::of(HashKind::sha1, "blob", kPatched));
  EXPECT_EQ((*staged)[0].mode, 0100644u);
  const auto quarantine = repo_.quarantine();
  EXPECT_EQ(*repo_.write_tree_of_index(), build(*quarantine));
  ASSERT_TRUE(repo_.read_tree_into_index(head_.tree));
  EXPECT_EQ(*repo_.write_tree_of_index(), head_.tree);
}

TEST_F(LandingTest, RenewsStatDataOfTheIndex) {
  const timespec times[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, sandbox_.at("dir/a.txt").c_str(), times, 0), 0);
  ASSERT_TRUE(repo_.refresh_index());
  EXPECT_EQ(sandbox_.git({"diff-files", "--name-only"}), "");
}

TEST_F(LandingTest, KnowsTheBranchOfHead) {
  EXPECT_EQ(repo_.head_ref(), "refs/heads/main");
  sandbox_.git({"checkout", "-q", "--detach"});
  EXPECT_EQ(repo_.head_ref(), "");
}

}  // namespace
}  // namespace gh::git
