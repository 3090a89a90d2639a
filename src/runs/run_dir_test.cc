#include "runs/run_dir.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runs/test_world.h"

namespace gh::runs {
namespace {

struct Case {
  const char* run_dir;  // below the temp folder
  const char* answer;   // "ok" or the code
};

// Laid out: repo/ with .git/ and src/; linked/ is a linked work tree; bare.git/ is bare;
// free/ is an ordinary folder; to_repo and to_free are symbolic links.
constexpr Case kCases[] = {
    {"free", "ok"},
    {"free/", "ok"},
    {"free/new/deeper", "ok"},
    {"repository", "ok"},
    {"to_free", "ok"},
    {"repo/.git/gatehouse/runs/prun-0000000000000001", "ok"},
    {"repo", "run_dir_is_repo"},
    {"repo/", "run_dir_is_repo"},
    {"repo/src/..", "run_dir_is_repo"},
    {"to_repo", "run_dir_is_repo"},
    {"repo/.git", "run_dir_is_repo"},
    {"linked", "run_dir_is_repo"},
    {"bare.git", "run_dir_is_repo"},
    {"repo/src", "run_dir_overlaps"},
    {"repo/new", "run_dir_overlaps"},
    {"to_repo/new", "run_dir_overlaps"},
    {"repo/.git/objects", "run_dir_overlaps"},
    {"repo/.git/gatehouse", "run_dir_overlaps"},
    {"", "run_dir_overlaps"},
    {"missing/../repo", "path_invalid"},
};

void lay_out(const World& world) {
  for (const char* name : {"repo/.git/objects", "repo/.git/refs", "repo/src", "linked", "free",
                           "bare.git/objects", "bare.git/refs"})
    ASSERT_TRUE(sys::make_folders(world.path(name)).has_value());
  for (const char* name : {"repo/.git/HEAD", "linked/.git", "bare.git/HEAD"})
    ASSERT_TRUE(sys::write_file_atomic(world.path(name), "x").has_value());
  ASSERT_EQ(symlink("repo", world.path("to_repo").c_str()), 0);
  ASSERT_EQ(symlink("free", world.path("to_free").c_str()), 0);
}

TEST(RunDir, MayLieOutsideTheRepositoryOrInTheGatesOwnFolder) {
  World world;
  lay_out(world);
  const RepoPlaces repo{world.path("repo"), world.path("repo/.git"), world.path("repo/.git")};
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.run_dir);
    const auto checked = checked_run_dir(world.path(c.run_dir), repo);
    EXPECT_EQ(checked ? "ok" : to_string(checked.error().code), c.answer);
  }
}

TEST(RunDir, OfALinkedWorkTreeMayNotTouchTheSharedGitFolderEither) {
  World world;
  lay_out(world);
  const RepoPlaces repo{world.path("linked"), world.path("repo/.git/worktrees/linked"),
                        world.path("repo/.git")};
  const auto code = [&](const char* name) {
    const auto checked = checked_run_dir(world.path(name), repo);
    return checked ? std::string_view("ok") : to_string(checked.error().code);
  };
  EXPECT_EQ(code("linked/run"), "run_dir_overlaps");
  EXPECT_EQ(code("repo/.git/worktrees/linked/run"), "run_dir_overlaps");
  EXPECT_EQ(code("repo/.git/gatehouse/runs/x"), "ok");
  EXPECT_EQ(code("repo"), "run_dir_is_repo");
  EXPECT_EQ(code("free"), "ok");
}

TEST(RunDir, IsReturnedWithItsLinksResolved) {
  World world;
  lay_out(world);
  const RepoPlaces repo{world.path("repo"), world.path("repo/.git"), world.path("repo/.git")};
  EXPECT_EQ(checked_run_dir(world.path("to_free/a/b"), repo).value(), world.path("free/a/b"));
  EXPECT_EQ(checked_run_dir("", repo).error().code, Code::path_invalid);
}

}  // namespace
}  // namespace gh::runs
