#include "ops/workspace_files.h"

#include <gtest/gtest.h>

#include "sys/files.h"

namespace gh::ops {
namespace {

// tool-surface 2.1, typed out again.
TEST(WorkspaceFiles, TheseFoldersAreLeftOut) {
  for (const char* name : {".agents-private",
                           ".cache",
                           ".claude",
                           ".direnv",
                           ".git",
                           ".hg",
                           ".nox",
                           ".svn",
                           ".mypy_cache",
                           ".next",
                           ".pnpm-store",
                           ".pytest_cache",
                           ".ruff_cache",
                           ".turbo",
                           ".tox",
                           ".venv",
                           "__pycache__",
                           "agents-shipgate-reports",
                           "gatehouse-reports",
                           "build",
                           "dist",
                           "env",
                           "node_modules",
                           "target",
                           "venv",
                           ".venv3"})
    EXPECT_TRUE(is_skipped_folder(name)) << name;
  for (const char* name : {"src", ".github", "builds", "venvs", ".agents", "tools"})
    EXPECT_FALSE(is_skipped_folder(name)) << name;
}

TEST(WorkspaceFiles, FilesComeSortedAndLinksAreNotFollowed) {
  const auto folder = *sys::TempDir::create("/tmp", "gh-files-");
  const auto write = [&](const std::string& path) {
    const std::string file = folder.path() + "/" + path;
    EXPECT_TRUE(sys::make_folders(file.substr(0, file.rfind('/'))));
    EXPECT_TRUE(sys::write_scratch_file(file, "x"));
  };
  for (const char* path : {"b/c", "a", "b/a", "node_modules/x", "z/.venv-2/y"})
    write(path);
  EXPECT_EQ(::symlink("..", (folder.path() + "/b/up").c_str()), 0);
  const auto found = workspace_files(folder.path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->paths, (std::vector<std::string>{"a", "b/a", "b/c"}));
  EXPECT_FALSE(found->was_cut);
  EXPECT_EQ(workspace_files(folder.path() + "/gone").error().code, Code::input_unreadable);
}

}  // namespace
}  // namespace gh::ops
