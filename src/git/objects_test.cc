#include "git/objects.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace gh::git {
namespace {

const std::string kRaw(20, '\x11');

std::string entry(std::string_view mode, std::string_view name, std::string_view id = kRaw) {
  return std::string(mode) + ' ' + std::string(name) + '\0' + std::string(id);
}

TEST(ParseTree, ReadsEveryModeGitWrites) {
  const auto tree = parse_tree(entry("100644", "a") + entry("100755", "b") + entry("120000", "c") +
                                   entry("160000", "d") + entry("40000", "e"),
                               HashKind::sha1);
  ASSERT_TRUE(tree) << tree.error().message;
  ASSERT_EQ(tree->size(), 5u);
  EXPECT_EQ((*tree)[0].mode, FileMode::regular);
  EXPECT_EQ((*tree)[1].mode, FileMode::executable);
  EXPECT_EQ((*tree)[2].mode, FileMode::symlink);
  EXPECT_EQ((*tree)[3].mode, FileMode::gitlink);
  EXPECT_EQ((*tree)[4].mode, FileMode::tree);
  EXPECT_EQ((*tree)[4].name, "e");
  EXPECT_EQ((*tree)[4].id.hex(), std::string(40, '1'));
}

TEST(ParseTree, ReadsHistoricalModesAsTheirModernOnes) {
  const auto tree = parse_tree(entry("100664", "a") + entry("040000", "b"), HashKind::sha1);
  ASSERT_TRUE(tree);
  EXPECT_EQ((*tree)[0].mode, FileMode::regular);
  EXPECT_EQ((*tree)[1].mode, FileMode::tree);
}

TEST(ParseTree, ReadsShaTwoFiftySixIds) {
  const auto tree = parse_tree(entry("100644", "a", std::string(32, '\x22')), HashKind::sha256);
  ASSERT_TRUE(tree);
  EXPECT_EQ((*tree)[0].id.hex(), std::string(64, '2'));
}

TEST(ParseTree, KnowsGitsOrderOfFoldersAmongFiles) {
  EXPECT_TRUE(parse_tree(entry("100644", "a.b") + entry("40000", "a") + entry("100644", "a0"),
                         HashKind::sha1));
  EXPECT_TRUE(parse_tree("", HashKind::sha1));
}

TEST(ParseTree, RefusesWhatGitWouldNotWrite) {
  const std::pair<const char*, std::string> rows[] = {
      {"unknown mode", entry("100600", "a")},
      {"mode with letters", entry("1006x4", "a")},
      {"no mode", entry("", "a")},
      {"long mode", entry("00100644", "a")},
      {"empty name", entry("100644", "")},
      {"slash in name", entry("100644", "a/b")},
      {"cut id", entry("100644", "a").substr(0, 20)},
      {"no end of name", "100644 a"},
      {"wrong order", entry("100644", "b") + entry("100644", "a")},
      {"folder before its place", entry("40000", "a") + entry("100644", "a.b")},
      {"same name twice", entry("100644", "a") + entry("100644", "a")},
      {"file and folder of one name",
       entry("100644", "a") + entry("100644", "a.b") + entry("40000", "a")},
      {"trailing bytes", entry("100644", "a") + "x"},
  };
  for (const auto& [what, bytes] : rows) {
    const auto tree = parse_tree(bytes, HashKind::sha1);
    ASSERT_FALSE(tree) << what;
    EXPECT_EQ(tree.error().code, Code::git_failed) << what;
  }
}

TEST(ParseCommit, ReadsTreeParentsAndMessage) {
  const auto id = *ObjectId::parse(std::string(40, 'c'));
  const std::string t(40, 'a'), p(40, 'b'), q(40, 'd');
  const auto commit = parse_commit(id, "tree " + t + "\nparent " + p + "\nparent " + q +
                                           "\nauthor A <a@b> 1 +0000\n\nsubject\n\nbody\n");
  ASSERT_TRUE(commit);
  EXPECT_EQ(commit->tree.hex(), t);
  ASSERT_EQ(commit->parents.size(), 2u);
  EXPECT_EQ(commit->parents[1].hex(), q);
  EXPECT_EQ(commit->message, "subject\n\nbody\n");
  EXPECT_EQ(commit->encoding, "");
  EXPECT_EQ(
      parse_commit(id, "tree " + t + "\nauthor A <a@b> 1 +0000\nencoding UTF-7\n\nx\n")->encoding,
      "UTF-7");
  EXPECT_FALSE(parse_commit(id, "parent " + p + "\n"));
  EXPECT_FALSE(parse_commit(id, "tree abc\n"));
  EXPECT_FALSE(parse_commit(id, "tree " + std::string(64, 'a') + "\n"));
  EXPECT_FALSE(parse_commit(id, ""));
}

TEST(Revision, RefusesWhatCouldBeASecondQuestionOrAnOption) {
  EXPECT_FALSE(revision_defect("HEAD"));
  EXPECT_FALSE(revision_defect("refs/heads/a b"));
  EXPECT_FALSE(revision_defect("caf\xc3\xa9"));
  EXPECT_TRUE(revision_defect(""));
  EXPECT_TRUE(revision_defect("-rf"));
  EXPECT_TRUE(revision_defect("HEAD\nHEAD~1"));
  EXPECT_TRUE(revision_defect(std::string_view("HEAD\0x", 6)));
  EXPECT_TRUE(revision_defect("HEAD\t"));
  EXPECT_TRUE(revision_defect("a\x7f"));
  EXPECT_TRUE(revision_defect(std::string(1025, 'a')));
}

}  // namespace
}  // namespace gh::git
