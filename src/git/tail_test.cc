#include "git/tail.h"

#include <gtest/gtest.h>

namespace gh::git {
namespace {

TEST(OutputTail, KeepsTheLastTwentyLines) {
  std::string text;
  for (int line = 1; line <= 25; ++line)
    text += "line " + std::to_string(line) + "\n";
  const std::string tail = output_tail(text, "/r");
  EXPECT_TRUE(tail.starts_with("line 6\n")) << tail;
  EXPECT_TRUE(tail.ends_with("\nline 25")) << tail;
}

TEST(OutputTail, KeepsAtMostFourThousandAndNinetySixBytes) {
  const std::string tail_of_long_line = output_tail(std::string(5000, 'a'), "/r");
  EXPECT_EQ(tail_of_long_line, std::string(4096, 'a'));
  EXPECT_LE(output_tail(std::string(5000, '\x01'), "/r").size(), 4096u);
  std::string wide;
  for (int i = 0; i < 3000; ++i)
    wide += "é";
  const std::string tail = output_tail("x" + wide, "/r");
  EXPECT_LE(tail.size(), 4096u);
  EXPECT_TRUE(tail.starts_with("é"));
}

TEST(OutputTail, WritesTheRepositoryAsRepo) {
  EXPECT_EQ(output_tail("error: /home/u/r/a.txt: no\n", "/home/u/r"), "error: <repo>/a.txt: no");
  EXPECT_EQ(output_tail("in '/home/u/r'", "/home/u/r"), "in '<repo>'");
  EXPECT_EQ(output_tail("/home/u/rest/a", "/home/u/r"), "/home/u/rest/a");
  EXPECT_EQ(output_tail("/a /b", "/"), "/a /b");
}

TEST(OutputTail, ReplacesInvalidUtf8AndEscapesControlCharacters) {
  EXPECT_EQ(output_tail("a\xff"
                        "b",
                        "/r"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(output_tail("\x1b[31mred\r\n\ttab", "/r"), "\\x1b[31mred\\r\n\\ttab");
  EXPECT_EQ(output_tail("\xe2\x80\xae", "/r"), "\\u{202e}");
}

TEST(OutputTail, OfNothingIsNothing) {
  EXPECT_EQ(output_tail("", "/r"), "");
  EXPECT_EQ(output_tail("\n", "/r"), "");
}

}  // namespace
}  // namespace gh::git
