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
  const std::string twice = "a\nb\nc\na\nb\nc\n";
  const Row rows[] = {
      {"the only one", "@@ -1,3 +1,2 @@\n a\n-b\n c\n", "a\nb\nc\n", {{1, 0}}},
      {"the first of two", "@@ -1,3 +1,2 @@\n a\n-b\n c\n", twice, {{2, 0}}},
      {"the second of two", "@@ -4,3 +4,2 @@ f\n a\n-b\n c\n", twice, {{2, 1}}},
      {"both",
       "@@ -1,3 +1,2 @@\n a\n-b\n c\n@@ -4,3 +3,2 @@\n a\n-b\n c\n",
       twice,
       {{2, 0}, {2, 1}}},
      {"more around it make it one", "@@ -3,4 +3,3 @@\n c\n a\n-b\n c\n", twice, {{1, 0}}},
      {"they overlap", "@@ -2,2 +2,3 @@\n x\n+y\n x\n", "x\nx\nx\nx\n", {{3, 1}}},
      {"one line", "@@ -2 +2 @@\n-x\n+y\n", "x\nx\nz\n", {{2, 1}}},
      {"nothing before it", "@@ -0,0 +1 @@\n+y\n", "", {{1, 0}}},
      {"the end without a line feed",
       "@@ -2,2 +2,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n",
       "b\na\nb",
       {{1, 0}}},
      {"line ends of others are of the line", "@@ -2 +2 @@\n-x\r\n+y\n", "x\nx\r\n", {{1, 0}}},
      {"an empty line", "@@ -1,2 +1,3 @@\n a\n \n+b\n", "a\n\n", {{1, 0}}},
      {"not where it is said to be", "@@ -2,3 +2,2 @@\n a\n-b\n c\n", twice, {{0, 0}}},
      {"nowhere", "@@ -1,3 +1,2 @@\n a\n-d\n c\n", twice, {{0, 0}}},
      {"beyond the end", "@@ -900,3 +900,2 @@\n a\n-b\n c\n", twice, {{0, 0}}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(places(diff_with(row.hunks), row.content), row.want) << row.name;
}

TEST(Places, WhatOthersChangeElsewhereMovesNothing) {
  const std::string block = "begin\none\ntwo\ncheck\nthree\nend\n";
  const std::string lines = " one\n two\n-check\n three\n end\n";
  const Places second{{2, 1}};
  EXPECT_EQ(places(diff_with("@@ -8,5 +8,4 @@\n" + lines), block + block), second);
  EXPECT_EQ(places(diff_with("@@ -10,5 +10,4 @@\n" + lines), "x\n" + block + "y\n" + block),
            second);
  EXPECT_EQ(places(diff_with("@@ -2,5 +2,4 @@\n" + lines), block + "x\n" + block),
            (Places{{2, 0}}));
}

TEST(Places, AContentThatRepeatsItselfIsNotComparedForEver) {
  std::string content, hunks;
  for (int i = 0; i < 60'000; ++i)
    content += "x\n";
  for (int i = 0; i < 5'000; ++i)
    hunks += "@@ -" + std::to_string(1 + i * 10) + ",6 +1,5 @@\n x\n x\n x\n-x\n x\n x\n";
  const Places found = places(diff_with(hunks), content);
  ASSERT_EQ(found.size(), 5'000u);
  EXPECT_EQ(found.front(), (Place{59'995, 0}));
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
