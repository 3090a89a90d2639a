// A patch may turn a file into a folder of the same name; landing and rolling back must both get
// there.
#include <gtest/gtest.h>

#include "tests/kit.h"

namespace gh {
namespace {

using kit::fs::path;

constexpr std::string_view kFileToFolder =
    "diff --git a/thing b/thing\n"
    "deleted file mode 100644\n"
    "--- a/thing\n"
    "+++ /dev/null\n"
    "@@ -1 +0,0 @@\n"
    "-a file\n"
    "diff --git a/thing/inner/x b/thing/inner/x\n"
    "new file mode 100644\n"
    "--- /dev/null\n"
    "+++ b/thing/inner/x\n"
    "@@ -0,0 +1 @@\n"
    "+inside\n";
constexpr std::string_view kFolderToFile =
    "diff --git a/box b/box\n"
    "new file mode 100644\n"
    "--- /dev/null\n"
    "+++ b/box\n"
    "@@ -0,0 +1 @@\n"
    "+a file\n"
    "diff --git a/box/x b/box/x\n"
    "deleted file mode 100644\n"
    "--- a/box/x\n"
    "+++ /dev/null\n"
    "@@ -1 +0,0 @@\n"
    "-inside\n";

class FileAndFolder : public ::testing::Test {
 protected:
  void start(const std::string& policy) {
    kit::run({"git", "init", "-q", "-b", "main", repo().string()}, {});
    kit::write(repo() / "thing", "a file\n");
    kit::write(repo() / "box/x", "inside\n");
    kit::write(repo() / "gatehouse.yaml", "patch:\n  max_files: 5\n" + policy);
    kit::git_says(repo(), {"add", "-A"});
    kit::git_says(repo(), {"commit", "-q", "-m", "base"});
  }

  path repo() const { return scratch_.path() / "repo"; }

  kit::Ran apply(std::string_view patch) const {
    return kit::gatehouse({"patch", "apply", "-", "--land", "worktree", "-C", repo().string()},
                          {.cwd = {}, .environment = {}, .input = patch});
  }

  std::string status() const { return kit::git_says(repo(), {"status", "--porcelain", "-uall"}); }

 private:
  kit::Scratch scratch_;
};

constexpr const char* kFailingVerify = "  verify:\n    - name: no\n      argv: [\"/bin/false\"]\n";

TEST_F(FileAndFolder, AFileMakesRoomForAFolder) {
  start("");
  const kit::Ran ran = apply(kFileToFolder);
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_EQ(kit::read(repo() / "thing/inner/x"), "inside\n");
  EXPECT_EQ(status(), "D  thing\nA  thing/inner/x");
}

// docs/reference/patch-paths.md: a path that exists afterwards is no folder of any other in the
// patch.
TEST_F(FileAndFolder, AFolderBecomesAFileOnlyInTwoPatches) {
  start("");
  const kit::Ran ran = apply(kFolderToFile);
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_NE(ran.err.find("path_file_dir_conflict"), std::string::npos) << ran.err;
  const std::size_t second = kFolderToFile.find("diff --git a/box/x");
  EXPECT_EQ(apply(kFolderToFile.substr(second)).exit_code, 0);
  kit::git_says(repo(), {"commit", "-q", "-m", "the folder is gone"});
  EXPECT_EQ(apply(kFolderToFile.substr(0, second)).exit_code, 0);
  EXPECT_EQ(kit::read(repo() / "box"), "a file\n");
}

TEST_F(FileAndFolder, ARollBackPutsTheFileWhereTheFolderStood) {
  start(kFailingVerify);
  const kit::Ran ran = apply(kFileToFolder);
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_NE(ran.err.find("verify_failed"), std::string::npos) << ran.err;
  EXPECT_EQ(kit::read(repo() / "thing"), "a file\n");
  EXPECT_EQ(status(), "");
}

TEST_F(FileAndFolder, SomebodysFileInTheWayIsNotTakenForOurs) {
  start("");
  kit::write(repo() / "new", "mine\n");
  const kit::Ran ran = apply(
      "diff --git a/new/x b/new/x\nnew file mode 100644\n--- /dev/null\n+++ b/new/x\n"
      "@@ -0,0 +1 @@\n+inside\n");
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_NE(ran.err.find("worktree_dirty"), std::string::npos) << ran.err;
  EXPECT_EQ(kit::read(repo() / "new"), "mine\n");
}

}  // namespace
}  // namespace gh
