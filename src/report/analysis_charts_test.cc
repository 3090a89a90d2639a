#include "report/analysis_charts.h"

#include <gtest/gtest.h>

namespace gh::report {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++out;
  return out;
}

TEST(AnalysisCharts, FunctionsStandInTheBinsOfTheirComplexity) {
  List items;
  for (const int cc : {1, 2, 3, 4, 5, 6, 10, 11, 20, 21, 40, 41, 80, 81, 9000})
    items.emplace_back(Map{{"cyclomatic_complexity", cc}});
  const Value family = Map{{"items", std::move(items)}};
  const std::string chart = complexity_chart(Peek(family));
  for (const char* bin : {"complexity 1: 1 functions", "complexity 2-3: 2 functions",
                          "complexity 4-5: 2 functions", "complexity 6-10: 2 functions",
                          "complexity 11-20: 2 functions", "complexity 21-40: 2 functions",
                          "complexity 41-80: 2 functions", "complexity 81+: 2 functions"})
    EXPECT_EQ(count(chart, bin), 1u) << bin;
}

Value edge(std::string_view from, std::string_view to) {
  return Map{{"source", from}, {"target", to}};
}

TEST(AnalysisCharts, TheGraphHasABoxPerModuleAndALinePerImport) {
  const Value family = Map{{"items", List{edge("a", "b"), edge("b", "c"), edge("c", "b"),
                                          edge("a", "a"), edge("<d>", "c")}},
                           {"cycles", List{Map{{"members", List{"b", "c"}}}}}};
  const std::string chart = dependency_chart(Peek(family));
  EXPECT_EQ(count(chart, "class='node mark"), 4u);
  EXPECT_EQ(count(chart, "class='edge mark"), 4u);
  EXPECT_EQ(count(chart, "class='node mark circle'"), 2u);
  EXPECT_EQ(count(chart, "class='edge mark circle'"), 2u);
  EXPECT_EQ(count(chart, "&lt;d&gt;"), 2u);
}

TEST(AnalysisCharts, AmongManyModulesOnlyTheBusiestAreDrawn) {
  List items;
  for (int i = 0; i < 100; ++i)
    items.push_back(edge("hub", "m" + std::to_string(i)));
  const Value family = Map{{"items", std::move(items)}};
  const std::string chart = dependency_chart(Peek(family));
  EXPECT_EQ(count(chart, "class='node mark"), 60u);
  EXPECT_NE(chart.find("41 more are left out"), std::string::npos);
}

}  // namespace
}  // namespace gh::report
