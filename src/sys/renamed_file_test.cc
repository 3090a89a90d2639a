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

TEST(RenamedFile, PiecesAreTheFileWhereverTheyPartFromTheOneThatIsThere) {
  const auto folder = TempDir::create("/tmp", "gh-renamed-");
  const std::string path = folder->path() + "/report.json";
  const auto written = [&](std::initializer_list<std::string_view> pieces) {
    RenamedFile file(path);
    for (const std::string_view piece : pieces)
      file.add(piece);
    EXPECT_TRUE(file.finish());
    return *read_file(path, 1u << 20);
  };
  const std::string large(200'000, 'x');
  EXPECT_EQ(written({}), "");
  EXPECT_EQ(written({large, "end"}), large + "end");
  const auto first = info(path).inode;
  EXPECT_EQ(written({"x", large.substr(1), "e", "nd"}), large + "end");
  EXPECT_EQ(info(path).inode, first);
  EXPECT_EQ(written({large, "enD", "s"}), large + "enDs");
  EXPECT_EQ(written({large}), large);
  EXPECT_EQ(written({large, "more"}), large + "more");
  EXPECT_EQ(written({"y", large}), "y" + large);
  EXPECT_EQ(written({}), "");
}

TEST(RenamedFile, OneThatIsNotFinishedLeavesWhatWasThere) {
  const auto folder = TempDir::create("/tmp", "gh-renamed-");
  const std::string path = folder->path() + "/report.json";
  ASSERT_TRUE(write_file_renamed(path, "before"));
  RenamedFile(path).add("after");
  EXPECT_EQ(*read_file(path, 100), "before");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder->path()), {}), 1);
  EXPECT_FALSE(RenamedFile(folder->path() + "/missing/report.json").finish());
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
