#include "sys/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/env.h"
#include "sys/process.h"

namespace gh::sys {
namespace {

class Files : public ::testing::Test {
 protected:
  std::string at(std::string_view name) const { return folder_.path() + '/' + std::string(name); }
  TempDir folder_ = *TempDir::create("/tmp", "gh-files-");
};

TEST_F(Files, WritesWholeAndReadsBack) {
  const std::string bytes("a\0b\nc", 5);
  ASSERT_TRUE(write_file_atomic(at("f"), bytes));
  EXPECT_EQ(read_file(at("f"), 5), bytes);
  EXPECT_EQ(list_folder(folder_.path()), std::vector<std::string>{"f"});
}

TEST_F(Files, ReplacesWithoutFollowingASymlinkInItsPlace) {
  ASSERT_TRUE(write_file_atomic(at("target"), "old"));
  ASSERT_EQ(::symlink(at("target").c_str(), at("link").c_str()), 0);
  ASSERT_TRUE(write_file_atomic(at("link"), "new"));
  EXPECT_EQ(info(at("link")).kind, FileKind::file);
  EXPECT_EQ(read_file(at("target"), 100), "old");
}

TEST_F(Files, ReadsTheEndsOfAFileThatIsTooLarge) {
  ASSERT_TRUE(write_file_atomic(at("f"), "0123456789"));
  const FileEnds whole = *read_file_ends(at("f"), 10);
  EXPECT_EQ(whole.head, "0123456789");
  EXPECT_EQ(whole.tail, "");
  EXPECT_EQ(whole.cut_bytes, 0);
  const FileEnds cut = *read_file_ends(at("f"), 5);
  EXPECT_EQ(cut.head, "01");
  EXPECT_EQ(cut.tail, "89");
  EXPECT_EQ(cut.cut_bytes, 6);
  ASSERT_EQ(::symlink(at("f").c_str(), at("link").c_str()), 0);
  EXPECT_FALSE(read_file_ends(at("link"), 5));
}

TEST_F(Files, GivesTheModeToTheNewFile) {
  ASSERT_TRUE(write_file_atomic(at("x"), "", 0700));
  EXPECT_EQ(info(at("x")).mode & 0777, 0700u);
}

TEST_F(Files, NamesPathAndCauseOfAFailure) {
  const auto missing = read_file(at("nothing"), 10);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::io_error);
  EXPECT_TRUE(contains(missing.error().message, at("nothing")));
  EXPECT_TRUE(contains(missing.error().message, "No such file or directory"));
  const auto named = read_named_file(at("nothing"), 10);
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().code, Code::input_unreadable) << "what a person named is their input";
  const auto folder = read_file(folder_.path(), 10);
  ASSERT_FALSE(folder);
  EXPECT_TRUE(contains(folder.error().message, "Is a directory"));
  const auto unwritable = write_file_atomic("/proc/nothing", "x");
  ASSERT_FALSE(unwritable);
  EXPECT_EQ(unwritable.error().code, Code::io_error);
}

TEST_F(Files, NamesAFullDisk) {
  const auto full = append_line("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, Code::io_error);
  EXPECT_TRUE(contains(full.error().message, "/dev/full"));
  EXPECT_TRUE(contains(full.error().message, "No space left on device"));
}

TEST_F(Files, RefusesAFileOverTheLimit) {
  ASSERT_TRUE(write_file_atomic(at("f"), "123456"));
  EXPECT_EQ(read_file(at("f"), 6), "123456");
  const auto over = read_file(at("f"), 5);
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, Code::document_too_large);
  EXPECT_EQ(read_file("/dev/zero", 1000).error().code, Code::document_too_large);
}

TEST_F(Files, LeavesNoTemporaryFileWhenTheRenameFails) {
  ASSERT_TRUE(make_folders(at("taken/by/folder")));
  EXPECT_FALSE(write_file_atomic(at("taken"), "x"));
  EXPECT_EQ(list_folder(folder_.path()), std::vector<std::string>{"taken"});
}

TEST_F(Files, AppendsLines) {
  ASSERT_TRUE(append_line(at("log"), "one"));
  ASSERT_TRUE(append_line(at("log"), "two"));
  EXPECT_EQ(read_file(at("log"), 100), "one\ntwo\n");
}

TEST_F(Files, TellsKindsApart) {
  ASSERT_TRUE(write_file_atomic(at("f"), "123"));
  ASSERT_EQ(::symlink("f", at("l").c_str()), 0);
  ASSERT_EQ(::mkfifo(at("p").c_str(), 0600), 0);
  EXPECT_EQ(info(at("f")).kind, FileKind::file);
  EXPECT_EQ(info(at("f")).size, 3);
  EXPECT_EQ(info(at("f")).owner, geteuid());
  EXPECT_EQ(info(at("l")).kind, FileKind::symlink);
  EXPECT_EQ(info_follow(at("l")).kind, FileKind::file);
  EXPECT_EQ(info(at("p")).kind, FileKind::other);
  EXPECT_EQ(info(folder_.path()).kind, FileKind::folder);
  EXPECT_EQ(info(at("none")).kind, FileKind::missing);
  EXPECT_EQ(read_link(at("l")), "f");
  EXPECT_EQ(real_path(at("l")), *real_path(folder_.path()) + "/f");
}

TEST_F(Files, MakesFoldersAndAcceptsExistingOnes) {
  EXPECT_TRUE(make_folders(at("a/b/c")));
  EXPECT_TRUE(make_folders(at("a/b/c")));
  ASSERT_TRUE(write_file_atomic(at("f"), ""));
  EXPECT_FALSE(make_folders(at("f")));
  EXPECT_FALSE(make_folders(at("f/below")));
}

TEST_F(Files, RemovesATreeWithoutFollowingSymlinks) {
  ASSERT_TRUE(make_folders(at("keep")));
  ASSERT_TRUE(write_file_atomic(at("keep/f"), "kept"));
  ASSERT_TRUE(make_folders(at("gone/deep/deeper")));
  ASSERT_TRUE(write_file_atomic(at("gone/deep/f"), ""));
  ASSERT_EQ(::symlink(at("keep").c_str(), at("gone/deep/link").c_str()), 0);
  ASSERT_TRUE(remove_folder_tree(at("gone")));
  EXPECT_EQ(info(at("gone")).kind, FileKind::missing);
  EXPECT_EQ(read_file(at("keep/f"), 10), "kept");
  EXPECT_TRUE(remove_folder_tree(at("gone")));
}

TEST_F(Files, DoesNotRemoveATreeBehindASymlink) {
  ASSERT_TRUE(make_folders(at("keep")));
  ASSERT_EQ(::symlink(at("keep").c_str(), at("link").c_str()), 0);
  EXPECT_FALSE(remove_folder_tree(at("link")));
  EXPECT_EQ(info(at("keep")).kind, FileKind::folder);
}

TEST_F(Files, RemovesATreeOfManyLevels) {
  std::string deep = "d";
  for (int level = 0; level < 300; ++level)
    deep += "/d";
  ASSERT_TRUE(make_folders(at(deep)));
  EXPECT_TRUE(remove_folder_tree(at("d")));
  EXPECT_EQ(info(at("d")).kind, FileKind::missing);
}

TEST_F(Files, TakesTemporaryFoldersAway) {
  std::string path;
  {
    auto made = TempDir::create(at("not/yet/there"), "x-");
    ASSERT_TRUE(made);
    path = made->path();
    EXPECT_EQ(info(path).mode & 0777, 0700u);
    ASSERT_TRUE(write_file_atomic(path + "/f", "x"));
    TempDir moved = std::move(*made);
    EXPECT_EQ(moved.path(), path);
  }
  EXPECT_EQ(info(path).kind, FileKind::missing);
}

TEST_F(Files, NamesTheHolderOfABusyLock) {
  const auto held = FileLock::acquire(at("lock"), "pid 7 host h run prun-1", 0);
  ASSERT_TRUE(held);
  const auto second = FileLock::acquire(at("lock"), "me", 20);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::lock_busy);
  EXPECT_TRUE(contains(second.error().message, "pid 7 host h run prun-1"));
}

TEST_F(Files, GivesTheLockToTheNextHolderWithItsWords) {
  { ASSERT_TRUE(FileLock::acquire(at("lock"), "a holder with many words", 0)); }
  const auto next = FileLock::acquire(at("lock"), "next", 0);
  ASSERT_TRUE(next);
  EXPECT_EQ(read_file(at("lock"), 100), "next");
}

TEST_F(Files, LocksAreFreedByTheDeathOfTheHolder) {
  Command hold{.argv = {"/usr/bin/flock", at("lock"), "sh", "-c", "echo held; exec sleep 600"},
               .environment = {"PATH=/usr/bin:/bin"},
               .cwd = "/"};
  {
    auto holder = Conversation::start(hold);
    ASSERT_TRUE(holder);
    ASSERT_EQ(holder->read_line(), "held");
    EXPECT_FALSE(FileLock::acquire(at("lock"), "me", 0));
  }
  EXPECT_TRUE(FileLock::acquire(at("lock"), "me", 5000));
}

TEST(RealEnv, GivesRandomHexOfTheAskedLength) {
  EXPECT_EQ(real_env().random_hex(16).size(), 16u);
  EXPECT_EQ(real_env().random_hex(5).size(), 5u);
  EXPECT_NE(real_env().random_hex(32), real_env().random_hex(32));
  EXPECT_EQ(real_env().random_hex(40).find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(RealEnv, ReadsVariablesAndTreatsUnsetAsEmpty) {
  EXPECT_FALSE(real_env().variable("PATH").empty());
  EXPECT_EQ(real_env().variable("GATEHOUSE_NO_SUCH_VARIABLE"), "");
}

TEST(RealEnv, KnowsUserProcessAndHost) {
  EXPECT_EQ(real_env().user_id(), geteuid());
  EXPECT_EQ(real_env().process_id(), getpid());
  EXPECT_FALSE(real_env().host_name().empty());
  EXPECT_GT(real_env().now().seconds, 1'700'000'000);
}

}  // namespace
}  // namespace gh::sys
