#include "report/columns.h"

#include <gtest/gtest.h>

namespace gh::report {
namespace {

TEST(Columns, WideCharactersTakeTwoAndCombiningMarksNone) {
  EXPECT_EQ(columns("abc"), 3);
  EXPECT_EQ(columns("漢字"), 4);
  EXPECT_EQ(columns("a\xCC\x88"), 1);
}

TEST(Columns, ClippedCountsCharactersAfterEscaping) {
  EXPECT_EQ(clipped("abc", 3), "abc");
  EXPECT_EQ(clipped("abcd", 3), "ab…");
  EXPECT_EQ(clipped(std::string(10, '\x01'), 8), "\\x01\\x0…");
  EXPECT_EQ(clipped("\xFF", 10), "\\xff");
}

TEST(Columns, TabsGoToTheNextMultipleOfFour) {
  const auto cells = cells_of("ab\tc");
  ASSERT_EQ(cells.size(), 4u);
  EXPECT_EQ(cells[2].width, 2);
  EXPECT_EQ(cells[2].text, "  ");
  EXPECT_EQ(cells[3].byte, 3u);
}

TEST(Columns, NoByteOfASourceLineReachesTheTerminalRaw) {
  std::string all;
  for (int i = 0; i < 256; ++i)
    all += static_cast<char>(i);
  all += "\xE2\x80\xAE";  // U+202E
  std::string shown;
  for (const Cell& cell : cells_of(all))
    shown += cell.text;
  for (char c : shown)
    EXPECT_GE(static_cast<unsigned char>(c), 0x20) << shown;
  EXPECT_NE(shown.find("\\x1b"), std::string::npos);
  EXPECT_NE(shown.find("\\u{202e}"), std::string::npos);
}

TEST(Columns, FoldingNeverBreaksWhatStandsBetweenBackquotes) {
  EXPECT_EQ(folded("run `git diff --stat` now", 14, 2), "run\n  `git diff --stat`\n  now");
  EXPECT_EQ(folded("one two three", 8, 0), "one two\nthree");
  EXPECT_EQ(folded("", 8, 0), "");
}

}  // namespace
}  // namespace gh::report
