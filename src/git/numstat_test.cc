#include "git/numstat.h"

#include <gtest/gtest.h>

namespace gh::git {
namespace {

using Rows = std::vector<NumstatRow>;
const std::string kA(40, 'a');
const std::string kB(40, 'b');

std::string nul(std::string text) {
  for (char& c : text)
    if (c == '|') c = '\0';
  return text;
}

TEST(ApplyNumstat, ReadsRowsInGitsOrder) {
  EXPECT_EQ(parse_apply_numstat(nul("1\t2\tb|0\t10\ta b\tc|")),
            (Rows{{"b", 1, 2}, {"a b\tc", 0, 10}}));
  EXPECT_EQ(parse_apply_numstat(""), Rows{});
}

TEST(ApplyNumstat, RefusesEveryOtherForm) {
  for (const char* bad : {"1\t2\tb", "-\t-\tbin|", "1\t2|", "1|", "|", "x\t2\tb|", "1\t-2\tb|",
                          "1\t\tb|", "1\t2\t|old|new|", "99999999999999999999\t1\tb|", "1 \t2\tb|"})
    EXPECT_FALSE(parse_apply_numstat(nul(bad))) << bad;
}

TEST(LogNumstat, CountsPathsAndLinesPerCommit) {
  const auto commits = parse_log_numstat(
      nul("\x01" + kA + "|\n1\t0\ta|2\t3\tb|\x01" + kB + "|\n-\t-\tbin|4\t0\t|old|new|"));
  ASSERT_TRUE(commits);
  ASSERT_EQ(commits->size(), 2u);
  EXPECT_EQ((*commits)[0].id.hex(), kA);
  EXPECT_EQ((*commits)[0].paths, 2);
  EXPECT_EQ((*commits)[0].added, 3);
  EXPECT_EQ((*commits)[0].deleted, 3);
  EXPECT_FALSE((*commits)[0].binary);
  EXPECT_EQ((*commits)[1].paths, 3);
  EXPECT_EQ((*commits)[1].added, 4);
  EXPECT_TRUE((*commits)[1].binary);
}

TEST(LogNumstat, AcceptsCommitsThatChangeNothing) {
  const auto commits = parse_log_numstat(nul("\x01" + kA + "|\x01" + kB + "|"));
  ASSERT_TRUE(commits);
  EXPECT_EQ(commits->size(), 2u);
  EXPECT_EQ((*commits)[0].paths, 0);
}

TEST(LogNumstat, RefusesEveryOtherForm) {
  for (const std::string& bad : {std::string("1\t0\ta|"), "\x01" + kA, std::string("\x01zz|"),
                                 "\x01" + kA + "|1\t0\t|old|", "\x01" + kA + "|what|"})
    EXPECT_FALSE(parse_log_numstat(nul(bad))) << bad;
}

}  // namespace
}  // namespace gh::git
