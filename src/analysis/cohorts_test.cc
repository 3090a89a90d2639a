#include "analysis/cohorts.h"

#include <gtest/gtest.h>

#include "analysis/clones.h"
#include "analysis/near_miss.h"
#include "analysis/structural.h"
#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

std::string body(const char* end, const char* start = "") {
  return std::string(start) +
         "    s0(a)\n    s1(a)\n    s2(a)\n    s3(a)\n    s4(a)\n    s5(a)\n    s6(a)\n    s7(a)\n"
         "    s8(a)\n    s9(a)\n" +
         end;
}

Structural found(const Project& project) {
  const auto functions = function_clones(project);
  return structural_findings(project, functions, near_misses(project, functions).groups);
}

constexpr const char* kAfter =
    "    try:\n        x = int(a)\n    except ValueError:\n        x = 1\n    done()\n    return "
    "x\n";
constexpr const char* kFinally =
    "    try:\n        x = int(a)\n    except ValueError:\n        x = 1\n    finally:\n"
    "        done()\n    return x\n";

// docs/reference/analysis.md, "Cohorts"
TEST(Cohorts, AMemberThatCleansUpInAnotherWayDrifts) {
  const Project project = project_of({{"a.py", "def f(a):\n" + body(kAfter)},
                                      {"b.py", "def g(a):\n" + body(kAfter)},
                                      {"c.py", "def h(a):\n" + body(kFinally)}},
                                     {});
  const auto findings = found(project).cohorts;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(to_string(findings[0].kind), "clone_cohort_drift");
  EXPECT_EQ(findings[0].majority,
            (std::map<std::string, std::string>{{"try_finally_profile", "try_no_finally"}}));
  EXPECT_EQ(names(project, findings[0].items), (Texts{"h"}));
  EXPECT_EQ(findings[0].members, 3u);
}

TEST(Cohorts, AMemberWithoutTheCheckOfTheOthersDiverges) {
  const char* check = "    if not a:\n        raise E(a)\n";
  const Project project = project_of({{"a.py", "def f(a):\n" + body("    return a\n", check)},
                                      {"b.py", "def g(a):\n" + body("    return b\n", check)},
                                      {"c.py", "def h(a):\n" + body("    return c\n")}},
                                     {});
  const auto findings = found(project).cohorts;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].majority, (std::map<std::string, std::string>{
                                      {"guard_exit_profile", "1x:raise"},
                                      {"side_effect_order_profile", "guard_then_effect"}}));
  EXPECT_EQ(to_string(findings[1].kind), "clone_guard_exit_divergence");
  EXPECT_EQ(findings[1].majority, (std::map<std::string, std::string>{
                                      {"guard_count", "1"}, {"guard_terminals", "raise"}}));
  EXPECT_EQ(names(project, findings[1].items), (Texts{"h"}));
}

TEST(Cohorts, WithoutAnyCheckThereIsNoDivergence) {
  const Project project = project_of({{"a.py", "def f(a):\n" + body("    return a\n")},
                                      {"b.py", "def g(a):\n" + body("    return a\n")},
                                      {"c.py", "def h(a):\n" + body("    return 1\n    x = 1\n")},
                                      {"d.py", "def i(a):\n" + body("    return g(a)\n")}},
                                     {});
  const auto findings = found(project).cohorts;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(to_string(findings[0].kind), "clone_cohort_drift");
}

TEST(Cohorts, EffectsBeforeChecksCountAmongThoseThatCheck) {
  const char *late = "    x = 1\n    if a: return\n", *early = "    if a: return\n    x = 1\n";
  const Project project = project_of({{"a.py", "def f(a):\n" + body("", late)},
                                      {"b.py", "def g(a):\n" + body("", early)},
                                      {"c.py", "def h(a):\n" + body("", early)},
                                      {"d.py", "def i(a):\n" + body("", "    x = 1\n")}},
                                     {});
  for (const CohortFinding& finding : found(project).cohorts)
    if (finding.kind == CohortKind::guard_exit_divergence) {
      EXPECT_EQ(finding.majority.at("side_effect_before_guard"), "false");
      EXPECT_EQ(names(project, finding.items), (Texts{"f", "i"}));
    }
}

TEST(Cohorts, TiesGoToTheSmallestValueAndTwoAreNoCohort) {
  const Project project = project_of({{"a.py", "def f(a):\n" + body("    return a\n")},
                                      {"b.py", "def g(a):\n" + body("    raise E\n")},
                                      {"c.py", "def h(a):\n" + body("    x = 1\n")}},
                                     {});
  const std::vector<UnitRef> all{{0, 0}, {1, 0}, {2, 0}};
  const auto findings = cohort_findings(project, {{"key", all}});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].majority.at("terminal_kind"), "assign");
  EXPECT_EQ(names(project, findings[0].items), (Texts{"f", "g"}));
  EXPECT_TRUE(cohort_findings(project, {{"key", {all[0], all[1]}}}).empty());
}

}  // namespace
}  // namespace gh::analysis
