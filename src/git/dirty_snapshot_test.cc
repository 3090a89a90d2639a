#include "git/dirty_snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "base/digest.h"
#include "tests/repo_kit.h"

namespace gh::git {
namespace {

class SnapshotTest : public RepoTest {
 protected:
  DirtySnapshot taken(const SnapshotLimits& limits = {}) {
    const auto repo = opened();
    const auto dirty = repo.dirty_paths({});
    EXPECT_TRUE(dirty) << dirty.error().message;
    return capture(repo, *dirty, {1'700'000'000}, limits);
  }
  /// Digest of the one dirty path there is.
  std::string digest() {
    const DirtySnapshot all = taken();
    EXPECT_EQ(all.entries.size(), 1u);
    return all.entries.empty() ? "" : all.entries.begin()->second.digest.value_or("none");
  }
  void link(const std::string& target, const std::string& path) {
    (void)sys::remove_file(sandbox_.at(path));
    ASSERT_EQ(::symlink(target.c_str(), sandbox_.at(path).c_str()), 0);
  }
};

std::string field(std::string_view text) { return fmt::format("{}:{}", text.size(), text); }

TEST_F(SnapshotTest, DigestsEveryFieldOfAnEntry) {
  sandbox_.write("b.txt", "edited\n");
  sandbox_.write("new", "n\n");
  link("b.txt", "link");
  ASSERT_TRUE(sys::remove_file(sandbox_.at("dir/a.txt")));
  const DirtySnapshot all = taken();
  EXPECT_TRUE(all.git_available);
  EXPECT_FALSE(all.partial);
  EXPECT_EQ(all.captured_at, Timestamp{1'700'000'000});
  EXPECT_EQ(all.paths_count, 4);
  const auto expected = [](std::string_view xy, std::string_view path, std::string_view index_id,
                           std::string_view index_mode, std::string_view mode,
                           std::string_view content) {
    return DirtyEntry{std::string(xy),
                      digest_of(field("gatehouse dirty entry 1") + field(xy) + field(path) +
                                field(index_id) + field(index_mode) + field(mode) + field(content))
                          .hex()};
  };
  EXPECT_EQ(all.entries.at("b.txt"),
            expected(".M", "b.txt", ObjectId::of(HashKind::sha1, "blob", "b\n").hex(), "100644",
                     "100644", "file " + digest_of("edited\n").hex()));
  EXPECT_EQ(all.entries.at("new"),
            expected("??", "new", "0", "000000", "100644", "file " + digest_of("n\n").hex()));
  EXPECT_EQ(all.entries.at("link"), expected("??", "link", "0", "000000", "120000", "link b.txt"));
  EXPECT_EQ(all.entries.at("dir/a.txt"),
            expected(".D", "dir/a.txt", ObjectId::of(HashKind::sha1, "blob", kBase).hex(), "100644",
                     "000000", "absent"));
}

TEST_F(SnapshotTest, EveryChangeShows) {
  sandbox_.write("b.txt", "edited\n");
  const std::string edited = digest();
  EXPECT_EQ(digest(), edited);
  sandbox_.write("b.txt", "EDITED\n");
  const std::string again = digest();
  EXPECT_NE(again, edited);
  ASSERT_EQ(::chmod(sandbox_.at("b.txt").c_str(), 0755), 0);
  const std::string executable = digest();
  EXPECT_NE(executable, again);
  sandbox_.git({"add", "b.txt"});
  const std::string staged = digest();
  EXPECT_NE(staged, executable);
  sandbox_.git({"update-index", "--cacheinfo",
                "100755," + sandbox_.git({"hash-object", "-w", "dir/a.txt"}) + ",b.txt"});
  const std::string other_index = digest();
  sandbox_.write("b.txt", "EDITED\n");
  ASSERT_EQ(::chmod(sandbox_.at("b.txt").c_str(), 0755), 0);
  EXPECT_NE(other_index, staged);
  ASSERT_TRUE(sys::remove_file(sandbox_.at("b.txt")));
  EXPECT_NE(digest(), other_index);
}

TEST_F(SnapshotTest, AFileIsNotTheLinkThatSpellsItsContent) {
  sandbox_.write("b.txt", "dir/a.txt");
  const std::string file = digest();
  link("dir/a.txt", "b.txt");
  const std::string first = digest();
  link("dir/b.txt", "b.txt");
  EXPECT_NE(first, file);
  EXPECT_NE(digest(), first);
}

TEST_F(SnapshotTest, NothingIsReadThroughALink) {
  ASSERT_TRUE(sys::make_folders(sandbox_.folder() + "/elsewhere"));
  ASSERT_TRUE(sys::write_file_atomic(sandbox_.folder() + "/elsewhere/a.txt", "secret\n"));
  ASSERT_TRUE(sys::remove_folder_tree(sandbox_.at("dir")));
  ASSERT_EQ(::symlink("../elsewhere", sandbox_.at("dir").c_str()), 0);
  const auto before = taken();
  ASSERT_TRUE(sys::write_file_atomic(sandbox_.folder() + "/elsewhere/a.txt", "other\n"));
  EXPECT_EQ(taken(), before);
  EXPECT_TRUE(before.entries.at("dir/a.txt").digest);
}

TEST_F(SnapshotTest, PathsAreThoseOfTheRootAskedFor) {
  sandbox_.write("b.txt", "edited\n");
  sandbox_.write("dir/a.txt", "edited\n");
  const auto repo = opened();
  const auto all = capture(repo, *repo.dirty_paths({.below = "dir"}), {});
  ASSERT_EQ(all.entries.size(), 2u);
  EXPECT_TRUE(all.entries.at("a.txt").digest);
  EXPECT_TRUE(all.entries.at(":top:/b.txt").digest);
}

TEST_F(SnapshotTest, TooManyPathsAreOnlyCounted) {
  for (int i = 0; i < 5; ++i)
    sandbox_.write(fmt::format("new{}", i), "x\n");
  const auto whole = taken({.max_entries = 5});
  EXPECT_FALSE(whole.partial);
  EXPECT_EQ(whole.entries.size(), 5u);
  const auto cut = taken({.max_entries = 4});
  EXPECT_TRUE(cut.partial);
  EXPECT_TRUE(cut.entries.empty());
  EXPECT_EQ(cut.paths_count, 5);
  EXPECT_EQ(SnapshotLimits{}.max_entries, 20'000u);
}

TEST_F(SnapshotTest, WhatIsTooLargeHasNoDigest) {
  sandbox_.write("a", std::string(10, 'x'));
  sandbox_.write("c", std::string(11, 'x'));
  sandbox_.write("d", std::string(10, 'x'));
  const auto one = taken({.max_file_bytes = 10});
  EXPECT_TRUE(one.entries.at("a").digest);
  EXPECT_FALSE(one.entries.at("c").digest);
  EXPECT_EQ(one.entries.at("c").status_xy, "??");
  const auto all = taken({.max_total_bytes = 25});
  EXPECT_TRUE(all.entries.at("a").digest);
  EXPECT_TRUE(all.entries.at("c").digest);
  EXPECT_FALSE(all.entries.at("d").digest) << "by order of path";
}

TEST_F(SnapshotTest, APipeIsNotWaitedFor) {
  ASSERT_TRUE(sys::remove_file(sandbox_.at("b.txt")));
  ASSERT_EQ(::mkfifo(sandbox_.at("b.txt").c_str(), 0600), 0);
  EXPECT_EQ(taken().entries.size(), 1u);
}

TEST_F(SnapshotTest, SeesIntoARepositoryBelow) {
  sandbox_.git({"init", "-q", "nested"});
  sandbox_.write("nested/file", "x\n");
  const std::string first = digest();
  EXPECT_NE(first, "none");
  EXPECT_EQ(digest(), first);
  sandbox_.write("nested/file", "y\n");
  const std::string second = digest();
  EXPECT_NE(second, first);
  const std::string nested = sandbox_.at("nested");
  sandbox_.git_at(nested, {"add", "-A"});
  const std::string staged = digest();
  EXPECT_NE(staged, second);
  sandbox_.git_at(
      nested, {"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "one"});
  EXPECT_NE(digest(), staged);
  ASSERT_TRUE(sys::write_file_atomic(nested + "/.git/index", "broken"));
  EXPECT_EQ(digest(), "none");
}

TEST_F(SnapshotTest, ThousandsOfFilesGiveTheSameAnswerEachTime) {
  for (int i = 0; i < 300; ++i)
    sandbox_.write(fmt::format("many/{}", i), fmt::format("content {}\n", i));
  const auto first = taken();
  EXPECT_EQ(first.entries.size(), 300u);
  EXPECT_EQ(taken(), first);
}

TEST_F(SnapshotTest, GivesIdsAsGitDoes) {
  sandbox_.write("program", "#!/bin/sh\n");
  ASSERT_EQ(::chmod(sandbox_.at("program").c_str(), 0755), 0);
  link("b.txt", "link");
  sandbox_.write("empty", "");
  sandbox_.commit("kinds");
  sandbox_.write("crlf", "a\r\nb\r\n");
  const auto repo = opened();
  const std::vector<std::string> paths{"program", "missing", "link",        "b.txt",
                                       "empty",   "dir",     "b.txt/below", "link/below"};
  const auto files = ids_of_files(repo, paths);
  ASSERT_EQ(files.size(), paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(files[i].path, paths[i]);
    EXPECT_FALSE(files[i].is_unreadable) << paths[i];
    const auto staged = repo.staged({paths[i]});
    const bool is_file = staged->size() == 1 && (*staged)[0].path == paths[i];
    ASSERT_EQ(files[i].id.has_value(), is_file) << paths[i];
    if (!is_file) continue;
    EXPECT_EQ(*files[i].id, (*staged)[0].id) << paths[i];
    EXPECT_EQ(static_cast<std::uint32_t>(*files[i].mode), (*staged)[0].mode) << paths[i];
  }
  EXPECT_EQ(ids_of_files(repo, {"crlf"})[0].id, ObjectId::of(HashKind::sha1, "blob", "a\r\nb\r\n"));
}

TEST_F(SnapshotTest, TellsAFileThatCannotBeRead) {
  // Longer than a name may be: there is an error other than "missing".
  const auto files = ids_of_files(opened(), {std::string(300, 'x')});
  EXPECT_TRUE(files[0].is_unreadable);
  EXPECT_FALSE(files[0].id);
}

}  // namespace
}  // namespace gh::git
