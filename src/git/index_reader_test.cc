// The index as git writes it, in every form, read by us and listed by git.
#include "git/index_reader.h"

#include <fmt/format.h>

#include "tests/repo_kit.h"

namespace gh::git {
namespace {

using Notes = std::optional<std::vector<IndexNote>>;

class IndexReaderTest : public RepoTest {
 protected:
  std::string bytes() { return *sys::read_file(sandbox_.at(".git/index"), 64u << 20); }
  Notes ours(HashKind kind = HashKind::sha1) { return notes_in_index(bytes(), kind); }
  std::vector<IndexNote> gits() {
    return *parse_index_notes(sandbox_.git({"ls-files", "-v", "-s", "-z"}));
  }

  /// Many names, with folders in common, marks on some and a submodule among them.
  void fill_index() {
    for (int i = 0; i < 40; ++i)
      sandbox_.write(fmt::format("folder{}/some/deeper/file {}", i % 3, i), "x\n");
    sandbox_.write(std::string(200, 'n') + "/" + std::string(200, 'm'), "x\n");
    sandbox_.commit("many");
    sandbox_.git({"update-index", "--assume-unchanged", "b.txt", "folder1/some/deeper/file 4"});
    sandbox_.git({"update-index", "--skip-worktree", "folder2/some/deeper/file 5"});
    sandbox_.git({"update-index", "--add", "--cacheinfo",
                  "160000," + sandbox_.git({"rev-parse", "HEAD"}).substr(0, 40) + ",folder1/sub"});
    sandbox_.write("promised", "x\n");
    sandbox_.git({"add", "-N", "promised"});
  }
};

TEST_F(IndexReaderTest, TellsWhatGitLists) {
  EXPECT_EQ(ours(), Notes(gits()));
  fill_index();
  for (const char* version : {"2", "3", "4"}) {
    sandbox_.git({"update-index", "--index-version", version});
    ASSERT_EQ(gits().size(), 3u);
    EXPECT_EQ(ours(), Notes(gits())) << version;
  }
}

TEST_F(IndexReaderTest, TellsWhatGitListsOfAnIndexThatThreadsRead) {
  fill_index();
  sandbox_.git({"config", "index.recordEndOfIndexEntries", "true"});
  sandbox_.git({"config", "index.recordOffsetTable", "true"});
  sandbox_.git({"config", "index.threads", "2"});
  for (const char* version : {"2", "4"}) {
    sandbox_.git({"update-index", "--index-version", version});
    ASSERT_NE(bytes().find("IEOT"), std::string::npos);
    ASSERT_NE(bytes().find("EOIE"), std::string::npos);
    EXPECT_EQ(ours(), Notes(gits())) << version;
  }
}

TEST_F(IndexReaderTest, TellsTheFilesThatGitListsAndWhatItKnowsThemBy) {
  fill_index();
  const auto all = [](std::string_view, std::uint32_t) { return true; };
  for (const char* version : {"2", "3", "4"}) {
    sandbox_.git({"update-index", "--index-version", version});
    const auto files = files_in_index(bytes(), HashKind::sha1, all);
    ASSERT_TRUE(files) << version;
    std::vector<std::string> ours, theirs;
    for (const IndexedFile& file : *files)
      ours.push_back(fmt::format("{} {} {}", file.mode, file.id, file.path));
    const auto staged = parse_staged(sandbox_.git({"ls-files", "-s", "-z"}));
    ASSERT_TRUE(staged);
    for (const StagedEntry& entry : *staged)
      if (entry.path != "promised")
        theirs.push_back(fmt::format("{:06o} {} {}", entry.mode, entry.id.hex(), entry.path));
    EXPECT_EQ(ours, theirs) << version << ": but for what is only promised";
  }
  const auto one = files_in_index(
      bytes(), HashKind::sha1,
      [](std::string_view path, std::uint32_t) { return path == "folder0/some/deeper/file 0"; });
  ASSERT_TRUE(one && one->size() == 1);
  const sys::FileInfo now = sys::info(sandbox_.at("folder0/some/deeper/file 0"));
  EXPECT_EQ(one->front().size, 2u);
  EXPECT_EQ(one->front().mtime_s, now.mtime_ns / 1'000'000'000);
  EXPECT_EQ(one->front().ctime_ns, now.ctime_ns % 1'000'000'000);
  EXPECT_EQ(one->front().inode, static_cast<std::uint32_t>(now.inode));
}

TEST_F(IndexReaderTest, LeavesASplitIndexToGit) {
  fill_index();
  sandbox_.git({"update-index", "--split-index"});
  EXPECT_EQ(ours(), std::nullopt);
  sandbox_.git({"update-index", "--no-split-index"});
  EXPECT_EQ(ours(), Notes(gits()));
}

TEST_F(IndexReaderTest, ReadsNothingHalf) {
  fill_index();
  const std::string whole = bytes();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{11}, std::size_t{40}, whole.size() / 2, whole.size() - 1})
    EXPECT_EQ(notes_in_index(std::string_view(whole).substr(0, size), HashKind::sha1), std::nullopt)
        << size;
  EXPECT_EQ(ours(HashKind::sha256), std::nullopt) << "ids of another length";
}

/// With other bytes at `at`.
std::string changed(std::string index, std::size_t at, std::string_view bytes) {
  return index.replace(at, bytes.size(), bytes);
}

TEST_F(IndexReaderTest, RefusesWhatHasTwoReadings) {
  const std::string index = bytes();  // version 2; the first entry begins at 12
  constexpr std::size_t kFlags = 12 + 60;
  ASSERT_EQ(index.substr(kFlags, 2), (std::string{'\0', 5})) << "b.txt";
  ASSERT_TRUE(notes_in_index(index, HashKind::sha1));
  const auto read = [&](std::size_t at, std::string_view bytes) {
    return notes_in_index(changed(index, at, bytes), HashKind::sha1);
  };
  EXPECT_EQ(read(kFlags + 1, "\x04"), std::nullopt) << "a name of another length";
  EXPECT_EQ(read(kFlags, "\x40"), std::nullopt) << "flags that this version has not";
  EXPECT_EQ(read(7, "\x05"), std::nullopt) << "an unknown version";
  EXPECT_EQ(read(11, "\x07"), std::nullopt) << "another number of entries";
  EXPECT_EQ(read(index.find("TREE"), "XXXX"), std::nullopt) << "an unknown part";
  EXPECT_EQ(read(kFlags, "\x80")->size(), 1u) << "marked as unchanged";
}

/// An index of one entry, with these parts behind it.
std::string with_parts(const std::string& parts) {
  std::string out = "DIRC";
  out.append({0, 0, 0, 2, 0, 0, 0, 1});
  out.append(60, '\0').append({0, 1, 'a'}).append(1, '\0');
  return out + parts + std::string(20, '\0');
}
std::string part(std::string_view name, std::string_view body) {
  return std::string(name) + std::string{0, 0, 0, static_cast<char>(body.size())} +
         std::string(body);
}

TEST(IndexParts, WhereGitBeginsToReadIsWhereWeRead) {
  using namespace std::string_literals;
  const auto is_read = [](const std::string& parts) {
    return notes_in_index(with_parts(parts), HashKind::sha1).has_value();
  };
  const std::string hash(20, 'h');
  EXPECT_TRUE(is_read(""));
  EXPECT_TRUE(is_read(part("EOIE", "\0\0\0\x4c"s + hash)));
  EXPECT_FALSE(is_read(part("EOIE", "\0\0\0\x54"s + hash)));
  EXPECT_FALSE(is_read(part("EOIE", "\0"s)));
  EXPECT_TRUE(is_read(part("IEOT", "\0\0\0\1\0\0\0\x0c\0\0\0\1"s)));
  EXPECT_FALSE(is_read(part("IEOT", "\0\0\0\1\0\0\0\x14\0\0\0\1"s))) << "elsewhere";
  EXPECT_FALSE(is_read(part("IEOT", "\0\0\0\1\0\0\0\x0c\0\0\0\2"s))) << "more than there are";
  EXPECT_FALSE(is_read(part("IEOT", "\0\0\0\1"s))) << "none of them";
  EXPECT_FALSE(is_read(part("IEOT", "\0\0\0\2\0\0\0\x0c\0\0\0\1"s))) << "of another version";
  EXPECT_FALSE(is_read(part("sdir", "")));
  EXPECT_FALSE(is_read("TREE\0\0\0\1"s)) << "longer than the file";
  for (const char* known : {"TREE", "REUC", "UNTR", "FSMN"})
    EXPECT_TRUE(is_read(part(known, "body"))) << known;
}

}  // namespace
}  // namespace gh::git
