#include "git/listings.h"

#include <gtest/gtest.h>

namespace gh::git {
namespace {

const std::string kZero(40, '0');
const std::string kOne(40, '1');

TEST(StatusListing, ReadsOrdinaryAndUnmergedRecords) {
  using std::string_literals::operator""s;
  const auto rows = parse_status("1 M. N... 100644 100755 100755 " + kZero + " " + kOne +
                                 " a b\0"s + "1 .D N... 100644 100644 000000 " + kOne + " " + kOne +
                                 " c\0"s + "u UU N... 100644 100644 100644 100644 " + kZero + " " +
                                 kOne + " " + kZero + " d\0"s);
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ((*rows)[0].path, "a b");
  EXPECT_TRUE((*rows)[0].staged);
  EXPECT_FALSE((*rows)[0].in_work_tree);
  EXPECT_EQ((*rows)[0].index_mode, "100755");
  EXPECT_EQ((*rows)[0].index_id, kOne);
  EXPECT_FALSE((*rows)[1].staged);
  EXPECT_TRUE((*rows)[1].in_work_tree);
  EXPECT_EQ((*rows)[2].path, "d");
  EXPECT_TRUE((*rows)[2].staged && (*rows)[2].in_work_tree);
  EXPECT_EQ(parse_status("")->size(), 0u);
}

TEST(StatusListing, RefusesUnknownRecords) {
  EXPECT_FALSE(parse_status("? untracked"));
  EXPECT_FALSE(parse_status("1 M. N..."));
  EXPECT_FALSE(parse_status("1 MMM N... 1 2 3 4 5 path"));
}

TEST(IndexListing, ReadsModeIdStageAndPath) {
  using std::string_literals::operator""s;
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
  using std::string_literals::operator""s;
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
