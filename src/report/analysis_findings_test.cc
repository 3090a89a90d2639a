// Rules of the analysis as SARIF names them, typed again from the specification (21.9).
#include "report/analysis_findings.h"

#include <set>

#include <gtest/gtest.h>

namespace gh::report {
namespace {

struct Row {
  std::string_view id, legacy;
  Map group;
};

Map group(const char* family, const char* key, const char* word) {
  return Map{{"family", family}, {key, word}};
}

TEST(AnalysisRules, EveryFindingHasItsRuleAndTheIdOfTheReference) {
  const Row rows[] = {
      {"GH-CLONE-FUNCTION", "CCLONE001", group("clone", "clone_kind", "function")},
      {"GH-CLONE-BLOCK", "CCLONE002", group("clone", "clone_kind", "block")},
      {"GH-CLONE-SEGMENT", "CCLONE003", group("clone", "clone_kind", "segment")},
      {"GH-CLONE-NEARMISS", "", group("clone", "clone_kind", "near_miss")},
      {"GH-STRUCT-BRANCHES", "CSTRUCT001", group("structural", "kind", "duplicated_branches")},
      {"GH-STRUCT-GUARD", "CSTRUCT002", group("structural", "kind", "clone_guard_exit_divergence")},
      {"GH-STRUCT-DRIFT", "CSTRUCT003", group("structural", "kind", "clone_cohort_drift")},
      {"GH-DEAD-FUNCTION", "CDEAD001", group("dead_code", "category", "function")},
      {"GH-DEAD-CLASS", "CDEAD002", group("dead_code", "category", "class")},
      {"GH-DEAD-METHOD", "CDEAD003", group("dead_code", "category", "method")},
      {"GH-DEAD-OTHER", "CDEAD004", group("dead_code", "category", "anything else")},
      {"GH-DESIGN-COHESION", "CDESIGN001", group("design", "category", "cohesion")},
      {"GH-DESIGN-COMPLEXITY", "CDESIGN002", group("design", "category", "complexity")},
      {"GH-DESIGN-COUPLING", "CDESIGN003", group("design", "category", "coupling")},
      {"GH-DESIGN-CYCLE", "CDESIGN004", group("design", "category", "dependency")},
      {"GH-DESIGN-COVERAGE", "CDESIGN005", group("design", "kind", "coverage_hotspot")},
      {"GH-DESIGN-SCOPEGAP", "CDESIGN006", group("design", "kind", "coverage_scope_gap")}};
  std::set<std::string_view> ids;
  for (const Row& row : rows) {
    const Value value(row.group);
    const AnalysisRule& rule = analysis_rules().at(rule_of(Peek(value)));
    EXPECT_EQ(rule.id, row.id);
    EXPECT_EQ(rule.legacy_id, row.legacy) << row.id;
    ids.insert(rule.id);
  }
  EXPECT_EQ(ids.size(), analysis_rules().size()) << "no rule is left over";
}

// As `check` has it where there is no baseline: places and nothing else.
TEST(AnalysisRules, AGroupThatHasItsPlacesAloneIsCountedByThem) {
  Map thin{{"family", "clone"}, {"category", "function"}, {"items", List{Map{}, Map{}}}};
  EXPECT_EQ(headline(Peek(Value(thin))), "2 copies of one function");
  thin.set("category", "block");
  EXPECT_EQ(headline(Peek(Value(thin))), "2 copies of the same statements in a row");
  thin.set("category", "near_miss");
  EXPECT_EQ(headline(Peek(Value(thin))), "2 functions that are nearly the same");
  thin.set("category", "function");
  thin.set("count", 3);
  thin.set("clone_type", "Type-1");
  EXPECT_EQ(headline(Peek(Value(thin))), "3 copies of one function (Type-1)");
  const Map branches{{"family", "structural"},
                     {"kind", "duplicated_branches"},
                     {"items", List{Map{}, Map{}, Map{}}}};
  EXPECT_EQ(headline(Peek(Value(branches))), "Branches that do the same, 3 places");
}

TEST(AnalysisRules, AMeasuredFindingIsToldWithItsFigureOrWithoutAny) {
  struct FigureCase {
    const char *category, *figure, *with, *without;
  };
  for (const FigureCase& c :
       {FigureCase{"complexity", "cyclomatic_complexity", "cyclomatic complexity 7",
                   "too many decisions"},
        FigureCase{"coupling", "cbo", "the class needs 7 others",
                   "the class needs too many others"},
        FigureCase{"cohesion", "lcom4", "the class falls apart into 7 groups of methods",
                   "the class falls apart into groups of methods"}}) {
    Map group{{"family", "design"}, {"category", c.category}, {"items", List{Map{}}}};
    EXPECT_EQ(headline(Peek(Value(group))), c.without);
    group.set("facts", Map{{c.figure, 7}});
    EXPECT_EQ(headline(Peek(Value(group))), c.with);
    EXPECT_EQ(figure_of(c.category), c.figure);
  }
  const Map cycle{{"family", "design"}, {"category", "dependency"}, {"items", List{Map{}, Map{}}}};
  EXPECT_EQ(headline(Peek(Value(cycle))), "2 modules import each other in a circle");
  EXPECT_EQ(figure_of("dependency"), "");
}

}  // namespace
}  // namespace gh::report
