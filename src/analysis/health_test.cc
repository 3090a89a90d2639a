#include "analysis/health.h"

#include <gtest/gtest.h>

namespace gh::analysis {
namespace {

enum : std::size_t { clones, complexity, cohesion, coupling, dead_code, dependencies, coverage };
using Scores = std::array<std::int64_t, kDimensions>;

Names names(std::size_t count) { return Names(count, "x"); }

/// A code base about which there is nothing to say.
Measures clean() {
  Measures out;
  out.files_found = out.files_analysed = 1;
  return out;
}

// docs/reference/analysis.md, "Health"
TEST(Health, DimensionsAndWeightsAreAsDocumented) {
  const std::array<std::pair<std::string_view, std::int64_t>, 7> rows{{{"clones", 25},
                                                                       {"complexity", 20},
                                                                       {"cohesion", 15},
                                                                       {"coupling", 10},
                                                                       {"dead_code", 10},
                                                                       {"dependencies", 10},
                                                                       {"coverage", 10}}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(gh::analysis::dimensions()[i].name, rows[i].first);
    EXPECT_EQ(gh::analysis::dimensions()[i].weight, rows[i].second);
  }
}

TEST(Health, GradesChangeAtTheirBounds) {
  const std::vector<std::pair<std::int64_t, char>> rows{{100, 'A'}, {90, 'A'}, {89, 'B'}, {75, 'B'},
                                                        {74, 'C'},  {60, 'C'}, {59, 'D'}, {40, 'D'},
                                                        {39, 'F'},  {0, 'F'}};
  for (const auto& [score, grade] : rows)
    EXPECT_EQ(grade_of(score), grade) << score;
}

// observed: one file, `def f(a): return a` and `f(1)`
TEST(CompatibleHealth, OneSmallFunctionScores99) {
  Measures m = clean();
  m.complexity = {.count = 1, .sum = 1, .max = 1};
  const Health h = compatible_health_of(m);
  EXPECT_EQ(h.scores, (Scores{100, 96, 100, 100, 100, 100, 100}));
  EXPECT_EQ(h.score, 99);
  EXPECT_EQ(h.tenths, 992);
  EXPECT_EQ(h.grade, 'A');
}

// observed: two files, one clone group, CC average 1.5 and 3 at most, one class of LCOM4 2, one
// dead
TEST(CompatibleHealth, TwoFilesWithAClonePairScore70) {
  Measures m = clean();
  m.files_found = m.files_analysed = 2;
  m.clones.functions = names(1);
  m.complexity = {.count = 4, .sum = 6, .max = 3};
  m.cohesion = {.count = 1, .sum = 2, .max = 2, .medium = 1};
  m.coupling = {.count = 1};
  m.dead.any = m.dead.high = names(1);
  const Health h = compatible_health_of(m);
  EXPECT_EQ(h.scores, (Scores{0, 93, 80, 100, 92, 100, 100}));
  EXPECT_EQ(h.score, 70);
  EXPECT_EQ(h.tenths, 698);
  EXPECT_EQ(h.grade, 'C');
}

TEST(CompatibleHealth, CloneDensityBendsAt5And20And50Percent) {
  struct Row {
    std::size_t functions, blocks;
    std::uint64_t files;
    std::int64_t score;
  };
  // 1/40 = .025: 95; 1/20: 90; 1/8 = .125: 70; 1/5: 50; 7/20 = .35: 25; 1/2: 0
  const std::vector<Row> rows{{0, 0, 100, 100}, {1, 0, 40, 95}, {0, 1, 20, 90},
                              {1, 0, 8, 70},    {1, 1, 10, 50}, {3, 4, 20, 25},
                              {1, 0, 2, 0},     {1, 0, 1, 0},   {1, 0, 0, 0}};
  for (const Row& row : rows) {
    Measures m = clean();
    m.files_analysed = row.files;
    m.clones = {names(row.functions), names(row.blocks)};
    EXPECT_EQ(compatible_health_of(m).scores[clones], row.score)
        << row.functions << " " << row.blocks << " " << row.files;
  }
}

TEST(CompatibleHealth, ComplexityTakesAverageMaximumAndHighOnes) {
  Measures m = clean();
  m.complexity = {.count = 2, .sum = 26, .max = 25, .medium = 0, .high = 1};
  // 100 - 2.5 * 13 - 1.2 * 25 - 8 = 29.5, to even
  EXPECT_EQ(compatible_health_of(m).scores[complexity], 30);
  m.complexity = {.count = 2, .sum = 26, .max = 20, .medium = 0, .high = 1};
  // 100 - 32.5 - 24 - 8 = 35.5
  EXPECT_EQ(compatible_health_of(m).scores[complexity], 36);
  m.complexity = {.count = 2, .sum = 30, .max = 15};
  // 100 - 37.5 - 18 = 44.5
  EXPECT_EQ(compatible_health_of(m).scores[complexity], 44);
  m.complexity = {.count = 1, .sum = 90, .max = 90, .high = 1};
  EXPECT_EQ(compatible_health_of(m).scores[complexity], 0) << "never below";
}

TEST(CompatibleHealth, CohesionTakesWhatTheAverageHasAboveOne) {
  Measures m = clean();
  m.cohesion = {.count = 4, .sum = 8, .max = 5, .high = 1};
  EXPECT_EQ(compatible_health_of(m).scores[cohesion], 100 - 20 - 12);
  m.cohesion = {.count = 4, .sum = 4, .max = 1};
  EXPECT_EQ(compatible_health_of(m).scores[cohesion], 100);
  m.cohesion = {.count = 4, .sum = 2, .max = 1};
  EXPECT_EQ(compatible_health_of(m).scores[cohesion], 100) << "no reward below one";
}

TEST(CompatibleHealth, CouplingTakesAverageMaximumAndHighOnes) {
  Measures m = clean();
  m.coupling = {.count = 4, .sum = 14, .max = 11, .high = 1};
  // 100 - 7 * 3.5 - 22 - 8 = 45.5
  EXPECT_EQ(compatible_health_of(m).scores[coupling], 46);
}

TEST(CompatibleHealth, DeadCodeCountsEveryConfidence) {
  Measures m = clean();
  m.dead.any = names(3);
  EXPECT_EQ(compatible_health_of(m).scores[dead_code], 76);
  m.dead.any = names(13);
  EXPECT_EQ(compatible_health_of(m).scores[dead_code], 0);
}

TEST(CompatibleHealth, DependenciesTakeCyclesAndTheTailOfDepths) {
  Measures m = clean();
  m.cycles = {{"a", "b"}};
  EXPECT_EQ(compatible_health_of(m).scores[dependencies], 75);
  m.cycles.clear();
  m.max_depth = 9;
  m.p95_depth = 4;
  m.average_depth = {21'700};  // 2.17: twice is 4.34, rounded up 5; p95 + 1 is 5
  EXPECT_EQ(compatible_health_of(m).scores[dependencies], 100 - 4 * 4);
  m.average_depth = {30'100};  // 6.02, rounded up 7
  EXPECT_EQ(compatible_health_of(m).scores[dependencies], 100 - 4 * 2);
  m.average_depth = {30'000};
  EXPECT_EQ(compatible_health_of(m).scores[dependencies], 100 - 4 * 3);
  m.p95_depth = 9;
  EXPECT_EQ(compatible_health_of(m).scores[dependencies], 100);
}

TEST(CompatibleHealth, CoverageIsTheShareOfFilesThatWereRead) {
  Measures m = clean();
  m.files_found = 3;
  m.files_analysed = 2;
  EXPECT_EQ(compatible_health_of(m).scores[coverage], 67);
  m.files_found = m.files_analysed = 0;
  EXPECT_EQ(compatible_health_of(m).scores[coverage], 100);
}

TEST(Health, CloneDensityBendsAt3And10And30Percent) {
  struct Row {
    std::uint64_t duplicated, statements;
    std::int64_t score;
  };
  // .015: 95; .03: 90; .065: 70; .1: 50; .2: 25; .3: 0
  const std::vector<Row> rows{{0, 0, 100},    {0, 1000, 100},  {15, 1000, 95},  {30, 1000, 90},
                              {65, 1000, 70}, {100, 1000, 50}, {200, 1000, 25}, {300, 1000, 0},
                              {301, 1000, 0}, {1000, 1000, 0}};
  for (const Row& row : rows) {
    Measures m = clean();
    m.duplicated_statements = row.duplicated;
    m.statements = row.statements;
    EXPECT_EQ(health_of(m).scores[clones], row.score) << row.duplicated;
  }
}

TEST(Health, ComplexityTakesSharesOfUnits) {
  Measures m = clean();
  m.complexity = {.count = 200, .medium = 20, .high = 3};
  // 100 - 400 * 0.015 - 100 * 0.1
  EXPECT_EQ(health_of(m).scores[complexity], 84);
  m.complexity = {.count = 2, .high = 1};
  EXPECT_EQ(health_of(m).scores[complexity], 0);
}

TEST(Health, RoundsHalfToEven) {
  Measures m = clean();
  m.complexity = {.count = 200, .medium = 1};  // 99.5
  EXPECT_EQ(health_of(m).scores[complexity], 100);
  EXPECT_EQ(health_of(m).values[complexity].ten_thousandths, 995'000);
  m.complexity.medium = 3;  // 98.5
  EXPECT_EQ(health_of(m).scores[complexity], 98);
  m.complexity.medium = 5;  // 97.5
  EXPECT_EQ(health_of(m).scores[complexity], 98);
}

TEST(Health, CohesionTakesTheShareOfClassesThatCanFallApart) {
  Measures m = clean();
  m.graph_classes = 10;
  m.low_cohesion_graph_classes = 1;
  EXPECT_EQ(health_of(m).scores[cohesion], 70);
  m.low_cohesion_graph_classes = 4;
  EXPECT_EQ(health_of(m).scores[cohesion], 0);
}

TEST(Health, CouplingTakesSharesOfClasses) {
  Measures m = clean();
  m.coupling = {.count = 100, .medium = 10, .high = 2};
  EXPECT_EQ(health_of(m).scores[coupling], 82);
}

TEST(Health, DeadCodeTakesTheShareOfCandidatesThatAreSurelyDead) {
  Measures m = clean();
  m.dead = {.candidates = 80, .any = names(9), .high = names(1)};
  EXPECT_EQ(health_of(m).scores[dead_code], 95);
}

TEST(Health, DependenciesTakeTheShareOfModulesInCyclesAndTheTail) {
  Measures m = clean();
  m.modules = 10;
  m.modules_in_cycles = 2;
  EXPECT_EQ(health_of(m).scores[dependencies], 60);
  m.max_depth = 5;
  m.p95_depth = 1;
  m.average_depth = {10'000};
  EXPECT_EQ(health_of(m).scores[dependencies], 60 - 4 * 3);
}

TEST(Health, CoverageIsTheShareOfFilesThatWereRead) {
  Measures m = clean();
  m.files_found = 8;
  m.files_analysed = 7;  // 87.5
  EXPECT_EQ(health_of(m).scores[coverage], 88);
}

TEST(Health, TheScoreIsWeighedAndItsTenthsToldBesides) {
  Measures m = clean();
  m.duplicated_statements = 300;
  m.statements = 1000;
  const Health h = health_of(m);
  EXPECT_EQ(h.score, 75);
  EXPECT_EQ(h.tenths, 750);
  EXPECT_EQ(h.grade, 'B');
  EXPECT_EQ(tenths_of({0, 93, 80, 100, 92, 100, 100}), 698);
  EXPECT_EQ(tenths_of({1, 0, 0, 0, 0, 0, 0}), 2) << "2.5, to even";
  EXPECT_EQ(tenths_of({3, 0, 0, 0, 0, 0, 0}), 8) << "7.5, to even";
}

}  // namespace
}  // namespace gh::analysis
