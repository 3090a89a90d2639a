#include "ops/init.h"

#include <gtest/gtest.h>

namespace gh::ops {
namespace {

const Map kSettings{{"min_loc", 12}, {"exclude", List{"gen/*"}}, {"unheard_of", 1}};

std::string after(std::string_view yaml, const Map& settings = kSettings) {
  const auto plan = plan_init(yaml, settings);
  return plan ? plan->after : "error: " + plan.error().message;
}

TEST(InitPlan, AFileIsMadeWhenThereIsNone) {
  EXPECT_EQ(after(""),
            "# Copied from [tool.codeclone] of pyproject.toml.\n"
            "analysis:\n  min_loc: 12\n  exclude: [\"gen/*\"]\n");
}

TEST(InitPlan, WhatIsThereStaysByteForByte) {
  const std::string yaml = "# mine\nstore:\n  run_days: 3   # short\n";
  EXPECT_EQ(after(yaml), yaml +
                             "\n# Copied from [tool.codeclone] of pyproject.toml.\n"
                             "analysis:\n  min_loc: 12\n  exclude: [\"gen/*\"]\n");
  EXPECT_EQ(after("analysis: # ours\n    # why\n    min_stmt: 4\nstore:\n  run_days: 3\n"),
            "analysis: # ours\n    min_loc: 12\n    exclude: [\"gen/*\"]\n    # why\n"
            "    min_stmt: 4\nstore:\n  run_days: 3\n");
}

TEST(InitPlan, ASecondTimeChangesNothing) {
  for (const char* yaml :
       {"", "# nothing yet\n", "store:\n  run_days: 3\n", "analysis:\n  min_stmt: 4\n"}) {
    const std::string once = after(yaml);
    EXPECT_EQ(after(once), once);
  }
}

TEST(InitPlan, AKeyOfThePersonWins) {
  const auto plan = plan_init("analysis:\n  min_loc: 5\n", kSettings).value();
  EXPECT_EQ(plan.after, "analysis:\n  exclude: [\"gen/*\"]\n  min_loc: 5\n");
  ASSERT_EQ(plan.left_out.size(), 2u);
  EXPECT_EQ(plan.left_out[0].key, "min_loc");
  EXPECT_EQ(plan.left_out[0].why, "gatehouse.yaml has a value of its own");
}

TEST(InitPlan, WhatCannotBeCopiedIsNamed) {
  const auto plan = plan_init("", Map{{"unheard_of", 1},
                                      {"min_loc", "many"},
                                      {"cache_path", "x"},
                                      {"baseline", "codeclone.baseline.json"},
                                      {"metrics_baseline", "x"},
                                      {"two: lines\nstore", 1}})
                        .value();
  EXPECT_FALSE(plan.changes());
  std::string told;
  for (const LeftOut& one : plan.left_out)
    told += one.key + ": " + one.why + "\n";
  EXPECT_EQ(told,
            "unheard_of: unknown key 'unheard_of' in analysis\n"
            "min_loc: analysis.min_loc: expected an integer from 1 to 1000000, found 'many'\n"
            "cache_path: Gatehouse keeps its cache below the git directory\n"
            "baseline: Gatehouse keeps a baseline of its own, gatehouse.baseline.json\n"
            "metrics_baseline: Gatehouse keeps a baseline of its own, gatehouse.baseline.json\n"
            "two: lines\\nstore: it is no setting of Gatehouse\n");
}

TEST(InitPlan, AFileThatCannotBeExtendedIsNotTouched) {
  EXPECT_TRUE(after("analysis: {min_stmt: 4}\n")
                  .starts_with("error: gatehouse.yaml has an analysis "
                               "block"));
  EXPECT_TRUE(after("a: [\n").starts_with("error: gatehouse.yaml:"));
}

}  // namespace
}  // namespace gh::ops
