#include <fmt/format.h>
#include <gtest/gtest.h>

#include "patch/gates.h"

namespace gh::patch {
namespace {

using diff::Position;

std::string numbered(int from, int to) {
  std::string out;
  for (int i = from; i <= to; ++i)
    out += fmt::format("{}\n", i);
  return out;
}

const std::string kModify = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";

std::string deletion(std::string_view hunks) {
  return fmt::format("diff --git a/f b/f\ndeleted file mode 100644\n{}{}",
                     hunks.empty() ? "" : "--- a/f\n+++ /dev/null\n", hunks);
}
const std::string kNoNewline = "\\ No newline at end of file\n";

Judged<Applied> applied(const std::string& text, std::string_view base, Position position) {
  const auto patch = diff::parse(text, diff::Profile::git, position);
  if (!patch) {
    ADD_FAILURE() << to_string(patch.error().rule) << "\n" << text;
    return Applied{};
  }
  return apply_section(patch->sections.front(), base, position);
}

struct Accepted {
  std::string_view why, hunks, base, result;
  Position position = Position::exact;
};

TEST(Applier, GivesTheBytesOfTheNewSide) {
  const std::string ten = numbered(1, 10);
  for (const Accepted& c : {
           Accepted{"middle", "@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n", ten,
                    "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n"},
           Accepted{"no leading context at line 1", "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n", ten,
                    "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"},
           Accepted{"no trailing context at the end", "@@ -9,2 +9,2 @@\n 9\n-10\n+ten\n", ten,
                    "1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n"},
           Accepted{"two hunks", "@@ -1,2 +1,3 @@\n 1\n+1a\n 2\n@@ -8,3 +9,2 @@\n 8\n-9\n 10\n",
                    ten, "1\n1a\n2\n3\n4\n5\n6\n7\n8\n10\n"},
           Accepted{"into an empty file", "@@ -0,0 +1,2 @@\n+a\n+b\n", "", "a\nb\n"},
           Accepted{"everything replaced", "@@ -1,2 +1 @@\n-a\n-b\n+c\n", "a\nb\n", "c\n"},
           Accepted{"emptied", "@@ -1,2 +0,0 @@\n-a\n-b\n", "a\nb\n", ""},
           Accepted{"carriage returns are content", "@@ -1,2 +1,2 @@\n-a\r\n+b\r\n c\r\n",
                    "a\r\nc\r\n", "b\r\nc\r\n"},
           Accepted{"newline added at the end",
                    "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb",
                    "a\nb\n"},
           Accepted{"newline taken at the end",
                    "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb\n",
                    "a\nb"},
           Accepted{"no newline on both sides",
                    "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n", "a\nb", "A\nb"},
           Accepted{"blank context without its space", "@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n",
                    "a\n\nb\n", "A\n\nb\n"},
           Accepted{"unique, at its place", "@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n", ten,
                    "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n", Position::unique},
           Accepted{"unique, moved down", "@@ -1,3 +1,3 @@\n 4\n-5\n+five\n 6\n", ten,
                    "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n", Position::unique},
           Accepted{"unique, moved up", "@@ -40,3 +40,3 @@\n 4\n-5\n+five\n 6\n", ten,
                    "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n", Position::unique},
       }) {
    const auto a = applied(kModify + std::string(c.hunks), c.base, c.position);
    ASSERT_TRUE(a) << c.why << ": " << a.error().message;
    EXPECT_EQ(a->bytes, c.result) << c.why;
  }
}

struct Refused {
  std::string_view rule, hunks, base;
  Position position = Position::exact;
  bool is_delete = false;
};

TEST(Applier, RefusesByTheRuleOfTheTable) {
  const std::string ten = numbered(1, 10);
  const std::string twice = "h\na\nb\nc\nx\na\nb\nc\nt\n";
  for (const Refused& c : {
           // exact position
           Refused{"hunk_position_mismatch", "@@ -4,3 +4,3 @@\n 4\n-6\n+x\n 6\n", ten},
           Refused{"hunk_position_mismatch", "@@ -5,3 +5,3 @@\n 4\n-5\n+x\n 6\n", ten},
           Refused{"hunk_position_mismatch", "@@ -9,3 +9,3 @@\n 9\n-10\n+x\n 11\n", ten},
           Refused{"hunk_position_mismatch", "@@ -40,2 +40,2 @@\n 4\n-5\n+x\n", ten},
           Refused{"hunk_position_mismatch", "@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "a\r\nc\n"},
           Refused{"hunk_position_mismatch", "@@ -1,2 +1,2 @@\n-a \n+b\n c\n", "a\nc\n"},
           Refused{"hunk_position_mismatch", "@@ -1 +1 @@\n-a\n+b\n", ""},
           // unique position
           Refused{"hunk_position_ambiguous", "@@ -2,3 +2,3 @@\n a\n-b\n+x\n c\n", twice,
                   Position::unique},
           Refused{"hunk_position_ambiguous", "@@ -6,3 +6,3 @@\n a\n-b\n+x\n c\n", twice,
                   Position::unique},
           Refused{"hunk_position_ambiguous", "@@ -1,2 +1,2 @@\n a\n-a\n+x\n", "a\na\na\n",
                   Position::unique},
           Refused{"hunk_not_found", "@@ -4,3 +4,3 @@\n 4\n-6\n+x\n 6\n", ten, Position::unique},
           Refused{"hunk_not_found",
                   "@@ -2,3 +2,3 @@\n 7\n-8\n+x\n 9\n@@ -6,3 +6,3 @@\n 1\n-2\n+y\n 3\n", ten,
                   Position::unique},
           Refused{"hunk_not_found",
                   "@@ -2,3 +2,3 @@\n 2\n-3\n+x\n 4\n@@ -6,3 +6,3 @@\n 4\n-5\n+y\n 6\n", ten,
                   Position::unique},
           Refused{"hunk_not_found", "@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "", Position::unique},
           // context
           Refused{"hunk_no_context", "@@ -5,2 +5,2 @@\n-5\n+x\n 6\n", ten},
           Refused{"hunk_no_context", "@@ -5,2 +5,2 @@\n 5\n-6\n+x\n", ten},
           Refused{"hunk_no_context", "@@ -5,0 +6 @@\n+x\n", ten},
           Refused{"hunk_no_context", "@@ -10,0 +11 @@\n+x\n", ten},
           Refused{"hunk_no_context", "@@ -1 +1 @@\n-1\n+x\n", ten},
           Refused{"hunk_no_context", "@@ -1,2 +1,2 @@\n-5\n+x\n 6\n", ten, Position::unique},
           // end of file
           Refused{"no_newline_conflict", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a\nb"},
           Refused{"no_newline_conflict",
                   "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n", "a\nb\n"},
           Refused{"no_newline_conflict",
                   "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n", "a\nb\n"},
           Refused{"no_newline_conflict", "@@ -1,2 +1,3 @@\n a\n+c\n b\n", "a\nb"},
           Refused{"no_newline_conflict",
                   "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n", "a\nb\nc\n"},
           // deletion
           Refused{"delete_leaves_content", "@@ -1,2 +0,0 @@\n-a\n-b\n", "a\nb\nc\n",
                   Position::exact, true},
           Refused{"delete_leaves_content", "@@ -1 +0,0 @@\n-a\n", "a\n\n", Position::exact, true},
           Refused{"delete_leaves_content", "@@ -1 +0,0 @@\n-b\n", "a\nb\n", Position::unique,
                   true},
           Refused{"delete_leaves_content", "", "a\n", Position::exact, true},
           Refused{"hunk_position_mismatch", "@@ -1 +0,0 @@\n-b\n", "a\nb\n", Position::exact,
                   true},
           Refused{"no_newline_conflict", "@@ -1 +0,0 @@\n-a\n", "a", Position::exact, true},
       }) {
    const auto a = applied(c.is_delete ? deletion(c.hunks) : kModify + std::string(c.hunks), c.base,
                           c.position);
    ASSERT_FALSE(a) << c.rule << "\n" << c.hunks;
    EXPECT_EQ(to_string(a.error().rule), c.rule) << c.hunks;
    EXPECT_EQ(a.error().file, "f");
    EXPECT_GT(a.error().line, 0);
  }
}

TEST(Applier, AMismatchNamesTheFirstLineThatDiffers) {
  const auto message = [](std::string_view hunk) {
    return applied(kModify + std::string(hunk), numbered(1, 10), Position::exact).error().message;
  };
  EXPECT_EQ(message("@@ -4,3 +4,3 @@\n 4\n-V\n+x\n 6\n"),
            "hunk at line 4: line 5 of 'f' is '5', the patch expects 'V'");
  EXPECT_EQ(message("@@ -9,3 +9,3 @@\n 9\n-10\n+x\n 11\n"),
            "hunk at line 4: 'f' ends after line 10, the patch expects '11'");
  EXPECT_EQ(message("@@ -40,2 +40,2 @@\n 4\n-5\n+x\n"),
            "hunk at line 4 of the patch begins behind line 10, the last one, in 'f'");
}

TEST(Applier, ARelocatedHunkIsNotedWithItsOffset) {
  const auto a =
      applied(kModify + "@@ -1,3 +1,3 @@\n 4\n-5\n+five\n 6\n@@ -8,3 +8,3 @@\n 8\n-9\n+x\n 10\n",
              numbered(1, 10), Position::unique);
  ASSERT_TRUE(a);
  ASSERT_EQ(a->notes.size(), 1u);
  EXPECT_EQ(a->notes[0].id, "hunk_relocated");
  EXPECT_EQ(a->notes[0].line, 4);
  EXPECT_EQ(a->notes[0].message, "hunk placed 3 lines down");
  EXPECT_EQ(a->begins, (std::vector<std::int64_t>{3, 7}));
}

TEST(Applier, DeletingTheWholeFileLeavesNothing) {
  for (const auto& [hunk, base] :
       std::vector<std::pair<std::string, std::string>>{{"@@ -1,2 +0,0 @@\n-a\n-b\n", "a\nb\n"},
                                                        {"@@ -1 +0,0 @@\n-a\n" + kNoNewline, "a"},
                                                        {"", ""}}) {
    const auto a = applied(deletion(hunk), base, Position::exact);
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(a->bytes, "");
  }
}

}  // namespace
}  // namespace gh::patch
