#include "analysis/golden_fixtures.h"

#include <gtest/gtest.h>

#include "analysis/canonical_report.h"
#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

/// Enough of the pattern language to see what is asked: `*` at the end stays in its component.
bool simple(std::string_view path, std::string_view pattern) {
  if (!pattern.ends_with('*')) return path == pattern;
  pattern.remove_suffix(1);
  return path.starts_with(pattern) && path.find('/', pattern.size()) == std::string_view::npos;
}

using Paths = std::vector<std::string_view>;
Texts patterns_of(Texts patterns, const Paths& paths) {
  return golden_patterns_of({std::move(patterns), simple}, paths);
}

// docs/reference/analysis.md, "Golden fixtures"
TEST(GoldenFixtures, CoverGroupsThatLieInTestsAltogether) {
  const Texts golden{"tests/golden/*"};
  EXPECT_EQ(patterns_of(golden, {"tests/golden/a.py", "tests/golden/b.py"}), golden);
  EXPECT_TRUE(patterns_of(golden, {"tests/golden/a.py", "tests/b.py"}).empty());
  EXPECT_TRUE(patterns_of({"*"}, {"tests/a.py", "src/b.py"}).empty());
  EXPECT_TRUE(patterns_of({}, {"tests/a.py"}).empty());
}

TEST(GoldenFixtures, AFolderOnTheWayIsEnough) {
  EXPECT_EQ(patterns_of({"tests/golden"}, {"tests/golden/deep/a.py"}), (Texts{"tests/golden"}));
  EXPECT_EQ(patterns_of({"tests/gold*"}, {"tests/golden/deep/a.py"}), (Texts{"tests/gold*"}));
}

TEST(GoldenFixtures, WithoutASlashAPatternIsAboutOneComponent) {
  EXPECT_EQ(patterns_of({"golden_*"}, {"tests/deep/golden_a.py"}), (Texts{"golden_*"}));
  EXPECT_EQ(patterns_of({"golden"}, {"tests/golden/deep/a.py"}), (Texts{"golden"}));
  EXPECT_TRUE(patterns_of({"deep_golden"}, {"tests/deep/golden"}).empty());
}

TEST(GoldenFixtures, EveryPatternThatTookPartIsNamedInOrder) {
  EXPECT_EQ(patterns_of({"tests/b*", "tests/a*", "tests/c*"}, {"tests/a.py", "tests/b.py"}),
            (Texts{"tests/a*", "tests/b*"}));
}

TEST(GoldenFixtures, PatternsStayInsideAndBelowTests) {
  const auto message = [](const char* pattern) {
    const Status status = check_golden_patterns({"tests/ok*", pattern});
    if (status) return std::string("fine");
    EXPECT_EQ(status.error().code, Code::policy_bad_path);
    return status.error().message;
  };
  EXPECT_EQ(message("tests/fixtures/golden_*"), "fine");
  EXPECT_EQ(message("**/tests/golden/**"), "fine");
  EXPECT_EQ(message("golden_*"), "fine");
  EXPECT_EQ(message("/tests/a"), "golden_fixture_paths: '/tests/a' is absolute");
  EXPECT_EQ(message("tests/../a"), "golden_fixture_paths: 'tests/../a' leaves the project");
  EXPECT_EQ(message("src/*"), "golden_fixture_paths: 'src/*' is not below a folder 'tests'");
  EXPECT_EQ(message(""), "golden_fixture_paths: '' is empty");
}

TEST(GoldenFixtures, WhatTheyCoverLeavesTheCounts) {
  const std::string f = "def f(a):\n" + lines(9, "g#(a)");
  const Project project = project_of({{"tests/golden/a.py", f},
                                      {"tests/golden/b.py", f},
                                      {"src/c.py", "def g(a):\n" + lines(9, "h#(a)")},
                                      {"src/d.py", "def g(a):\n" + lines(9, "h#(a)")}},
                                     {});
  EXPECT_EQ(find_all(project).function_clones.size(), 2u);
  const Findings findings = find_all(project, {{"tests/golden"}, simple});
  ASSERT_EQ(findings.function_clones.size(), 1u);
  ASSERT_EQ(findings.golden.functions.size(), 1u);
  EXPECT_EQ(findings.golden.functions[0].patterns, (Texts{"tests/golden"}));
  const Value report = canonical_report(project, findings);
  const Map& groups = *report.as_map()->find("findings")->as_map();
  const Map& clones = *groups.find("groups")->as_map()->find("clones")->as_map();
  EXPECT_EQ(clones.find("functions")->as_list()->size(), 1u);
  const List& set_aside = *clones.find("suppressed")->as_map()->find("functions")->as_list();
  ASSERT_EQ(set_aside.size(), 1u);
  EXPECT_EQ(*set_aside[0].as_map()->find("suppression_rule"), Value("golden_fixture"));
  EXPECT_EQ(*set_aside[0].as_map()->find("suppression_source"), Value("project_config"));
  EXPECT_EQ(*set_aside[0].as_map()->find("matched_patterns"), Value(List{"tests/golden"}));
  const Map& counts = *groups.find("summary")->as_map()->find("clones")->as_map();
  EXPECT_EQ(*counts.find("functions"), Value(1));
  EXPECT_EQ(*counts.find("suppressed"), Value(1));
  EXPECT_EQ(*counts.find("new"), Value(1));
}

}  // namespace
}  // namespace gh::analysis
