#include "sys/renamed_file.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "sys/files.h"

namespace gh::sys {
namespace {

namespace fs = std::filesystem;

TEST(RenamedFile, OneThatHoldsTheBytesIsLeftAndEveryOtherIsReplaced) {
  const auto folder = TempDir::create("/tmp", "gh-renamed-");
  const std::string path = folder->path() + "/report.json";
  const std::string large(200'000, 'x');
  ASSERT_TRUE(write_file_renamed(path, large));
  const auto first = info(path).inode;
  ASSERT_TRUE(write_file_renamed(path, large));
  EXPECT_EQ(info(path).inode, first);

  std::string other = large;
  other.back() = 'y';
  ASSERT_TRUE(write_file_renamed(path, other));
  EXPECT_EQ(*read_file(path, 1u << 20), other);

  fs::permissions(path, fs::perms::owner_all);
  ASSERT_TRUE(write_file_renamed(path, other));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms{0644});
}

TEST(RenamedFile, ALinkIsReplacedAndWhatItNamesIsLeft) {
  const auto folder = TempDir::create("/tmp", "gh-renamed-");
  const std::string target = folder->path() + "/theirs", path = folder->path() + "/report.md";
  ASSERT_TRUE(write_file_renamed(target, "same"));
  fs::create_symlink(target, path);
  ASSERT_TRUE(write_file_renamed(path, "same"));
  EXPECT_FALSE(fs::is_symlink(path));
  ASSERT_TRUE(write_file_renamed(path, "ours"));
  EXPECT_EQ(*read_file(target, 100), "same");
}

}  // namespace
}  // namespace gh::sys
