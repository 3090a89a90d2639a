#include "diff/places.h"

#include <string>

#include <gtest/gtest.h>

namespace gh::diff {
namespace {

using Places = std::vector<Place>;

Places places(std::string_view diff, std::string_view content) {
  const auto files = hunks_of(diff);
  return files.empty() ? Places{} : places_of(files.front().hunks, content);
}

std::string diff_with(const std::string& hunks) {
  return "diff --git a/x b/x\nindex 11..22 100644\n--- a/x\n+++ b/x\n" + hunks;
}

TEST(Places, AHunkIsToldByThePlacesThatHaveItsLines) {
  struct Row {
    const char* name;
    std::string hunks, content;
    Places want;
  };
  const std::string block = "a\nb\nc\nX\nd\ne\nf\n", hunk = " a\n b\n c\n-X\n d\n e\n f\n";
  const std::string twice = block + block;
  const Row rows[] = {
      {"the only one", "@@ -1,7 +1,6 @@\n" + hunk, block, {{1, 0}}},
      {"the first of two", "@@ -1,7 +1,6 @@\n" + hunk, twice, {{2, 0}}},
      {"the second of two", "@@ -8,7 +8,6 @@ f\n" + hunk, twice, {{2, 1}}},
      {"both", "@@ -1,7 +1,6 @@\n" + hunk + "@@ -8,7 +7,6 @@\n" + hunk, twice, {{2, 0}, {2, 1}}},
      {"more around it make it one", "@@ -7,8 +7,7 @@\n f\n" + hunk, twice, {{1, 0}}},
      {"they overlap",
       "@@ -2,6 +2,7 @@\n x\n x\n x\n+y\n x\n x\n x\n",
       "x\nx\nx\nx\nx\nx\nx\nx\n",
       {{3, 1}}},
      {"nothing before it", "@@ -0,0 +1 @@\n+y\n", "", {{1, 0}}},
      {"line ends of others are of the line",
       "@@ -4,7 +4,6 @@\n a\n a\n a\n-x\r\n a\n a\n a\n",
       "a\na\na\na\na\na\nx\r\na\na\na\nx\na\na\na\n",
       {{1, 0}}},
      {"at the end, and the same above", "@@ -12,3 +12,4 @@\n d\n e\n f\n+g\n", twice, {{1, 0}}},
      {"at the beginning, and the same below",
       "@@ -1,3 +1,4 @@\n+g\n a\n b\n c\n",
       twice,
       {{1, 0}}},
      {"the whole of it", "@@ -1,2 +1,2 @@\n-x\n+y\n z\n", "x\nz\n", {{1, 0}}},
      {"the end without a line feed",
       "@@ -1,4 +1,4 @@\n b\n b\n b\n-b\n+c\n\\ No newline at end of file\n",
       "b\nb\nb\nb",
       {{1, 0}}},
      {"an empty line", "@@ -1,2 +1,3 @@\n a\n \n+b\n", "a\n\n", {{1, 0}}},
      {"not where it is said to be", "@@ -2,7 +2,6 @@\n" + hunk, twice, {{0, 0}}},
      {"not at the end as its context says", "@@ -5,3 +5,4 @@\n d\n e\n f\n+g\n", twice, {{0, 0}}},
      {"nowhere", "@@ -1,7 +1,6 @@\n a\n b\n c\n-Y\n d\n e\n f\n", twice, {{0, 0}}},
      {"beyond the end", "@@ -900,7 +900,6 @@\n" + hunk, twice, {{0, 0}}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(places(diff_with(row.hunks), row.content), row.want) << row.name;
}

TEST(Places, WhatOthersChangeElsewhereMovesNothing) {
  const std::string block = "begin\none\ntwo\nthree\ncheck\nfour\nfive\nsix\nend\n";
  const std::string lines = " one\n two\n three\n-check\n four\n five\n six\n";
  const Places second{{2, 1}};
  EXPECT_EQ(places(diff_with("@@ -11,7 +11,6 @@\n" + lines), block + block), second);
  EXPECT_EQ(places(diff_with("@@ -13,7 +13,6 @@\n" + lines), "x\n" + block + "y\n" + block),
            second);
  EXPECT_EQ(places(diff_with("@@ -2,7 +2,6 @@\n" + lines), block + "x\n" + block),
            (Places{{2, 0}}));
}

TEST(Places, AContentThatRepeatsItselfIsNotComparedForEver) {
  std::string content, hunks;
  for (int i = 0; i < 60'000; ++i)
    content += "x\n";
  for (int i = 0; i < 5'000; ++i)
    hunks += "@@ -" + std::to_string(1 + i * 10) + ",7 +1,6 @@\n x\n x\n x\n-x\n x\n x\n x\n";
  const Places found = places(diff_with(hunks), content);
  ASSERT_EQ(found.size(), 5'000u);
  EXPECT_EQ(found.front(), (Place{59'994, 0}));
  EXPECT_EQ(found.back(), (Place{}));
}

TEST(HunksOf, EachFileHasItsOwn) {
  const auto files = hunks_of(
      "diff --git a/x b/x\nindex 11..22 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n kept\n-old\n"
      "+new\n"
      "diff --git a/mode b/mode\nold mode 100644\nnew mode 100755\n"
      "diff --git a/pic b/pic\nindex 33..44 100644\nBinary files a/pic and b/pic differ\n"
      "diff --git a/y b/y\nindex 55..66 100644\n--- a/y\n+++ b/y\n"
      "@@ -3 +3 @@\n-@@ -9 +9 @@\n+--- a/y\n@@ -7,1 +7,1 @@\n-index 1..2\n+diff --git a/q b/q\n");
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].file, (BlobIds{"x", "11", "22"}));
  ASSERT_EQ(files[0].hunks.size(), 1u);
  EXPECT_EQ(files[0].hunks[0].start, 0u);
  EXPECT_EQ(files[0].hunks[0].lines, (std::vector<std::string_view>{"kept", "old"}));
  EXPECT_EQ(files[1].file.path, "pic");
  EXPECT_TRUE(files[1].hunks.empty());
  ASSERT_EQ(files[2].hunks.size(), 2u);
  EXPECT_EQ(files[2].hunks[0].lines, (std::vector<std::string_view>{"@@ -9 +9 @@"}));
  EXPECT_EQ(files[2].hunks[1].start, 6u);
  EXPECT_EQ(files[2].hunks[1].lines, (std::vector<std::string_view>{"index 1..2"}));
}

TEST(HunksOf, AHunkThatIsCutShortEndsWithItsFile) {
  const auto files = hunks_of(
      "diff --git a/x b/x\nindex 11..22\n@@ -1,3 +1,3 @@\n-one\n"
      "diff --git a/y b/y\nindex 33..44\n-two\n three\n@@ -1 +1 @@\n-four\n-five\n");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].hunks.at(0).lines, (std::vector<std::string_view>{"one"}));
  ASSERT_EQ(files[1].hunks.size(), 1u);
  EXPECT_EQ(files[1].hunks[0].lines, (std::vector<std::string_view>{"four"}));
}

}  // namespace
}  // namespace gh::diff
