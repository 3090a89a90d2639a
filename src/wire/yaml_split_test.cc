#include "wire/yaml_split.h"

#include <gtest/gtest.h>

namespace gh::wire {
namespace {

TEST(YamlSplit, CutsTheMembersOutAndLeavesTheRest) {
  const auto split =
      split_yaml("a: 1\npaths:  # here\n\n  /x:\n    b: 2\n # no member\n  y: {}\nc: 3\n", "paths");
  ASSERT_TRUE(split);
  EXPECT_EQ(split->rest, "a: 1\npaths: {}\nc: 3\n");
  EXPECT_EQ(split->line, 2);
  ASSERT_EQ(split->members.size(), 2U);
  EXPECT_EQ(split->members[0].text, "  /x:\n    b: 2\n # no member\n");
  EXPECT_EQ(split->members[0].lines_before, 3);
  EXPECT_EQ(split->members[1].text, "  y: {}\n");
  EXPECT_EQ(split->members[1].lines_before, 6);
}

TEST(YamlSplit, TheLastMemberMayEndTheText) {
  const auto split = split_yaml("paths:\r\n  /x: 1\r\n  /y: 2", "paths");
  ASSERT_TRUE(split);
  EXPECT_EQ(split->rest, "paths: {}\n");
  EXPECT_EQ(split->members[1].text, "  /y: 2");
}

TEST(YamlSplit, WhatIsNotPlainIsLeftWhole) {
  for (const char* text :
       {"", "a: 1\n", "paths: {}\n", "paths:\nb: 1\n", "paths: &a\n  x: 1\n", "pathsx:\n  x: 1\n",
        " paths:\n  x: 1\n", "paths:\n  x: 1\n y: 2\n", "paths:\n  x: 1\n  - y\n",
        "paths:\n  ? x\n", "paths:\n  x: 1\npaths:\n  y: 1\n", "paths:\n\tx: 1\n",
        "paths:\n  x: 1\r  y: 1\n", "paths:\n  x: 1 #\xC2\x85  y: 1\n",
        "paths:\n  x: 1 #\xE2\x80\xA8  y: 1\n", "paths:\n  x: 1 #\xE2\x80\xA9  y: 1\n"})
    EXPECT_FALSE(split_yaml(text, "paths")) << text;
}

}  // namespace
}  // namespace gh::wire
