#include "git/listings.h"

#include <gtest/gtest.h>

namespace gh::git {
namespace {

const std::string kZero(40, '0');
const std::string kOne(40, '1');

using std::string_literals::operator""s;

TEST(StatusListing, ReadsOrdinaryUnmergedAndUntrackedRecords) {
  const auto rows = parse_status("1 M. N... 100644 100755 100755 " + kZero + " " + kOne +
                                 " a b\0"s + "1 .M SC.. 160000 160000 160000 " + kOne + " " + kOne +
                                 " c\0"s + "u UU N... 100644 100755 100644 100644 " + kZero + " " +
                                 kOne + " " + kZero + " d\0"s + "? e \n?\0"s + "? f/g/\0"s);
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 5u);
  EXPECT_EQ((*rows)[0], (DirtyPath{.path = "a b",
                                   .top_path = "a b",
                                   .status_xy = "M.",
                                   .index_mode = "100755",
                                   .index_id = kOne}));
  EXPECT_EQ((*rows)[1], (DirtyPath{.path = "c",
                                   .top_path = "c",
                                   .status_xy = ".M",
                                   .index_mode = "160000",
                                   .index_id = kOne,
                                   .is_submodule = true}));
  EXPECT_EQ((*rows)[2], (DirtyPath{.path = "d",
                                   .top_path = "d",
                                   .status_xy = "UU",
                                   .index_mode = "100755",
                                   .index_id = kOne,
                                   .is_unmerged = true}));
  EXPECT_EQ((*rows)[3], (DirtyPath{.path = "e \n?", .top_path = "e \n?", .status_xy = "??"}));
  EXPECT_EQ((*rows)[4],
            (DirtyPath{.path = "f/g", .top_path = "f/g", .status_xy = "??", .is_submodule = true}));
  EXPECT_EQ(parse_status("")->size(), 0u);
}

TEST(StatusListing, RefusesUnknownRecords) {
  for (const std::string& bad :
       {"1 M. N..."s, "1 MMM N... 1 2 3 4 5 path"s, "1 M. N.. 1 2 3 4 5 path"s,
        "1 M. N... 1 2 3 4 5 "s, "2 R. N... 1 2 3 4 5 R100 new\0old"s, "! ignored"s,
        "# branch.oid x"s, "? "s, "? /"s, "?untracked"s, "u UU N... 1 2 3 4 5 6 7"s, "\0"s + "x"})
    EXPECT_FALSE(parse_status(bad)) << bad;
}

TEST(IndexNotes, TellSubmodulesAndEntriesAssumedUnchanged) {
  const auto notes = parse_index_notes(
      "H 100644 " + kOne + " 0\ta\0"s + "h 100644 " + kOne + " 0\tb\tc\0"s + "H 160000 " + kOne +
      " 0\td\0"s + "s 160000 " + kOne + " 0\te\0"s + "S 120000 " + kOne + " 0\tf\0"s);
  ASSERT_TRUE(notes) << notes.error().message;
  EXPECT_EQ(*notes, (std::vector<IndexNote>{{"b\tc", "100644", kOne, true},
                                            {"d", "160000", kOne, false},
                                            {"e", "160000", kOne, true}}));
  EXPECT_FALSE(parse_index_notes("h 100644 " + kOne + " 0"));
  EXPECT_FALSE(parse_index_notes("H 160000 0\ta"));
}

TEST(WorktreeListing, ReadsEveryKind) {
  const auto trees = parse_worktrees(
      "worktree /a b\0HEAD "s + kOne + "\0branch refs/heads/x\0\0"s + "worktree /c\nd\0HEAD "s +
      kOne + "\0detached\0locked why\0prunable gone\0\0"s + "worktree /e\0bare\0\0"s);
  ASSERT_TRUE(trees) << trees.error().message;
  EXPECT_EQ(*trees, (std::vector<Worktree>{
                        {.folder = "/a b", .head = kOne, .branch = "refs/heads/x"},
                        {.folder = "/c\nd", .head = kOne, .is_locked = true, .is_gone = true},
                        {.folder = "/e", .is_bare = true}}));
  EXPECT_TRUE(parse_worktrees("")->empty());
  EXPECT_FALSE(parse_worktrees("HEAD x\0\0"s));
  EXPECT_FALSE(parse_worktrees("worktree /cut\0HEAD x"s));
}

TEST(IndexListing, ReadsModeIdStageAndPath) {
  const auto rows = parse_staged("100755 " + kOne + " 0\ta\tb\0"s + "120000 " + kZero + " 2\tc\0"s);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].path, "a\tb");
  EXPECT_EQ((*rows)[0].mode, 0100755u);
  EXPECT_EQ((*rows)[0].id.hex(), kOne);
  EXPECT_EQ((*rows)[1].stage, 2);
  EXPECT_FALSE(parse_staged("100644 xyz 0\ta"));
  EXPECT_FALSE(parse_staged("100644"));
  EXPECT_FALSE(parse_staged("1006z4 " + kOne + " 0\ta"));
  EXPECT_FALSE(parse_staged("100644 " + kOne + " x\ta"));
}

TEST(AttributeListing, ReadsTriples) {
  const auto rows = parse_attributes("a\0filter\0lfs\0b\0filter\0unspecified\0"s);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].path, "a");
  EXPECT_EQ((*rows)[0].name, "filter");
  EXPECT_EQ((*rows)[0].value, "lfs");
  EXPECT_EQ((*rows)[1].value, "unspecified");
  EXPECT_FALSE(parse_attributes("a\0b\0"s));
}

}  // namespace
}  // namespace gh::git
