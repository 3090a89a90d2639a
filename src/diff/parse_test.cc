#include <gtest/gtest.h>

#include "diff/patch.h"

namespace gh::diff {
namespace {

constexpr std::string_view kModify =
    "diff --git a/src/a.c b/src/a.c\n"
    "index 1234567..89abcde 100644\n"
    "--- a/src/a.c\n"
    "+++ b/src/a.c\n"
    "@@ -1,3 +1,4 @@ int main()\n"
    " one\n"
    "-two\n"
    "+TWO\n"
    "+2.5\n"
    "\n"
    "@@ -10 +11,0 @@\n"
    "-gone\n";

TEST(Parse, FillsTheModelOfAnOrdinaryPatch) {
  const auto patch = parse(kModify, Profile::strict, Position::unique);
  ASSERT_TRUE(patch.has_value()) << patch.error().message;
  ASSERT_EQ(patch->sections.size(), 1u);
  const Section& s = patch->sections[0];
  EXPECT_EQ(s.op, Operation::modify);
  EXPECT_EQ(s.old_path, "src/a.c");
  EXPECT_EQ(s.new_path, "src/a.c");
  EXPECT_EQ(s.line, 1);
  ASSERT_TRUE(s.index.has_value());
  EXPECT_EQ(s.index->old_id, "1234567");
  EXPECT_EQ(s.index->new_id, "89abcde");
  EXPECT_EQ(s.index->mode, FileMode::regular);
  EXPECT_EQ(s.added, 2);
  EXPECT_EQ(s.deleted, 2);
  ASSERT_EQ(s.hunks.size(), 2u);
  EXPECT_EQ(s.hunks[0].line, 5);
  EXPECT_EQ(s.hunks[0].leading_context, 1);
  EXPECT_EQ(s.hunks[0].trailing_context, 1);
  EXPECT_EQ(s.hunks[0].body, " one\n-two\n+TWO\n+2.5\n\n");
  EXPECT_EQ(s.hunks[1].new_count, 0);
  EXPECT_EQ(patch->added, 2);
  EXPECT_EQ(patch->deleted, 2);
  EXPECT_EQ(patch->hunks, 2);
  ASSERT_EQ(patch->notes.size(), 1u);
  EXPECT_EQ(patch->notes[0].id, "blank_context_normalised");
  EXPECT_EQ(patch->notes[0].file, "src/a.c");
  EXPECT_EQ(patch->notes[0].line, 10);
}

TEST(Parse, NamesRuleLineSectionFileAndExcerptOfARefusal) {
  const auto patch = parse(
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
      "diff --git a/y b/y\n--- a/y\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n",
      Profile::strict, Position::exact);
  ASSERT_FALSE(patch.has_value());
  const Violation& v = patch.error();
  EXPECT_EQ(v.rule, Rule::name_mismatch);
  EXPECT_EQ(v.line, 9);
  EXPECT_EQ(v.section, 2);
  EXPECT_EQ(v.file, "y");
  EXPECT_EQ(v.excerpt, "+++ b/z");
  EXPECT_EQ(v.message, "y: the +++ line names z but the diff --git line names y");
}

}  // namespace
}  // namespace gh::diff
