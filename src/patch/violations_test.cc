#include "patch/violations.h"

#include <gtest/gtest.h>

namespace gh::patch {
namespace {

Violation broken(Rule rule, std::int64_t section) {
  return {.rule = rule, .message = "m", .section = section};
}

std::vector<std::string> order(const Violations& v) {
  std::vector<std::string> out;
  for (const Violation& one : v.first)
    out.push_back(std::to_string(one.section) + " " + std::string(to_string(one.rule)));
  return out;
}

TEST(ViolationOrder, IsBySectionThenByRuleTable) {
  ViolationCollector c;
  c.add(broken(Rule::allow_roots, 1));
  c.add(broken(Rule::secret_file, 1));
  c.end_section();
  c.add(broken(Rule::content_bidi, 2));
  c.add(broken(Rule::control_file, 2));
  const Violations v = c.take();
  EXPECT_EQ(order(v), (std::vector<std::string>{"1 secret_file", "1 allow_roots", "2 control_file",
                                                "2 content_bidi"}));
  EXPECT_EQ(v.total, 4);
}

TEST(ViolationOrder, FiftyAreKeptAllAreCounted) {
  ViolationCollector c;
  int made = 0;
  for (std::int64_t section = 1; section <= 3; ++section) {
    for (int i = 0; i < 1000; ++i)
      c.add(Rule::content_bidi, [&] {
        ++made;
        return broken(Rule::content_bidi, section);
      });
    c.add(broken(Rule::secret_file, section));
    c.end_section();
  }
  const Violations v = c.take();
  ASSERT_EQ(v.first.size(), 50u);
  EXPECT_EQ(v.first.front().rule, Rule::secret_file) << "found last, first in the table";
  EXPECT_EQ(v.first.back().section, 1);
  EXPECT_EQ(v.total, 3003);
  EXPECT_EQ(made, 50) << "texts are made for the kept ones only";
}

TEST(ShownPath, IsOnePrintableLineOfBoundedLength) {
  EXPECT_EQ(shown("a/b"), "'a/b'");
  EXPECT_EQ(shown("a\nb"), "'a\\nb'");
  std::string hostile;
  for (int i = 0; i < 500; ++i)
    hostile += "\u202e";
  EXPECT_LE(shown(hostile).size(), 90u);
  EXPECT_TRUE(shown(std::string(500, 'x')).ends_with("…'"));
}

}  // namespace
}  // namespace gh::patch
