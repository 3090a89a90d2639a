#include "analysis/near_miss.h"

#include <gtest/gtest.h>

#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

std::string calls(int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i)
    out += "    s" + std::to_string(i) + "(p)\n";
  return out;
}

NearMisses near(const Project& project) { return near_misses(project, function_clones(project)); }

struct Told {
  Texts names;
  std::uint32_t low, high, statements;
  bool operator==(const Told&) const = default;
};
std::vector<Told> told(const Project& project) {
  std::vector<Told> out;
  for (const NearMissGroup& g : near(project).groups)
    out.push_back({names(project, g.items), g.min_permille, g.max_permille, g.distinct_statements});
  return out;
}

Project two(const std::string& f, const std::string& g, Profile profile = {}) {
  return project_of({{"a.py", "def f(p):\n" + f}, {"b.py", "def g(q):\n" + g}}, profile);
}

// docs/reference/analysis.md, "Near misses"
TEST(NearMisses, FourFifthsOfTheLargerOneAreEnough) {
  EXPECT_EQ(told(two(calls(0, 10), calls(2, 10))), (std::vector<Told>{{{"f", "g"}, 800, 800, 10}}));
  EXPECT_TRUE(told(two(calls(0, 10), calls(3, 10))).empty());
  EXPECT_EQ(told(two(calls(0, 11), calls(0, 10))), (std::vector<Told>{{{"f", "g"}, 909, 909, 11}}));
  Profile half;
  half.near_miss_similarity = 50;
  EXPECT_EQ(told(two(calls(0, 10), calls(5, 10), half)).size(), 1u);
  EXPECT_TRUE(told(two(calls(0, 10), calls(6, 10), half)).empty());
}

TEST(NearMisses, TheLargerOneHasTenStatements) {
  EXPECT_TRUE(told(two(calls(0, 9), calls(0, 8))).empty());
  EXPECT_EQ(told(two(calls(0, 10), calls(0, 8))).size(), 1u);
}

TEST(NearMisses, StatementsCountAsOftenAsTheyStand) {
  std::string ten, five;
  for (int i = 0; i < 10; ++i)
    ten += "    s(p)\n";
  for (int i = 0; i < 7; ++i)
    five += "    s(p)\n";
  EXPECT_TRUE(told(two(ten, five + calls(0, 3))).empty());
  EXPECT_EQ(told(two(ten, five + "    s(q)\n" + calls(0, 2))),
            (std::vector<Told>{{{"f", "g"}, 800, 800, 3}}));
}

TEST(NearMisses, AnotherOrderIsNearAndTheSameIsNot) {
  EXPECT_EQ(told(two(calls(0, 12), calls(6, 12) + calls(0, 6))),
            (std::vector<Told>{{{"f", "g"}, 1000, 1000, 12}}));
  EXPECT_TRUE(told(two(calls(0, 12), calls(0, 12))).empty());  // a function clone
}

TEST(NearMisses, WhatIsTooSmallForAFunctionCloneIsNearAtLeast) {
  const std::string nested = "    for p in q:\n        if p:\n" + [] {
    std::string out;
    for (int i = 0; i < 10; ++i)
      out += "            s" + std::to_string(i) + "(p)\n";
    return out;
  }();
  EXPECT_EQ(told(two(nested, nested)), (std::vector<Told>{{{"f", "g"}, 1000, 1000, 12}}));
}

/// A statement inside another changes that one as a whole, and itself.
TEST(NearMisses, StatementsInsideOthersCountByTheirHeads) {
  const std::string head = calls(0, 6) + "    if p:\n";
  EXPECT_EQ(told(two(head + "        a(p)\n        b(p)\n        c(p)\n",
                     head + "        a(p)\n        c(p)\n")),
            (std::vector<Told>{{{"f", "g"}, 800, 800, 11}}));
  // Of one inside an arm only the head counts: what it tests is the same.
  const std::string deeper = calls(0, 6) + "    if p:\n        while q(p):\n";
  const std::string with = "            a(p)\n            b(p)\n", without = "            a(p)\n";
  EXPECT_EQ(told(two(deeper + with, deeper + without)),
            (std::vector<Told>{{{"f", "g"}, 800, 800, 11}}));
}

TEST(NearMisses, GroupsAreWhatIsLinkedAndHoldWholeCloneGroups) {
  const Project chain = project_of({{"a.py", "def a(p):\n" + calls(0, 10)},
                                    {"b.py", "def b(p):\n" + calls(2, 12)},
                                    {"c.py", "def c(p):\n" + calls(4, 14)},
                                    {"d.py", "def d(p):\n" + calls(4, 14)},
                                    {"e.py", "def e(p):\n" + calls(50, 60)}},
                                   {});
  EXPECT_EQ(told(chain), (std::vector<Told>{{{"a", "b", "c", "d"}, 800, 800, 14}}));
}

TEST(NearMisses, KeysDependOnContentAlone) {
  const auto key = [](const Project& project) { return near(project).groups.at(0).key; };
  EXPECT_EQ(key(two(calls(0, 10), calls(0, 11))), key(two(calls(0, 11), calls(0, 10))));
  EXPECT_NE(key(two(calls(0, 10), calls(0, 11))), key(two(calls(0, 10), calls(0, 12))));
}

/// Every pair at once, for comparison.
Texts naive(const Project& project, const std::vector<CloneGroup>&) {
  std::vector<std::vector<Hash>> bags;
  for (const AnalysedFile& file : project.files)
    bags.push_back(bag_of(file.facts.units[0]));
  std::vector<std::size_t> root(bags.size());
  for (std::size_t i = 0; i < bags.size(); ++i)
    root[i] = i;
  for (std::size_t i = 0; i < bags.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      std::vector<Hash> common;
      std::ranges::set_intersection(bags[i], bags[k], std::back_inserter(common));
      const std::size_t larger = std::max(bags[i].size(), bags[k].size());
      if (larger < 10 || common.size() * 5 < larger * 4 || bags[i] == bags[k]) continue;
      const std::size_t from = root[i], to = root[k];
      std::ranges::replace(root, from, to);
    }
  Texts out;
  for (std::size_t r = 0; r < bags.size(); ++r) {
    std::string text;
    for (std::size_t i = 0; i < bags.size(); ++i)
      if (root[i] == r) text += (text.empty() ? "" : " ") + project.files[i].path;
    if (text.find(' ') != std::string::npos) out.push_back(text);
  }
  std::ranges::sort(out);
  return out;
}

TEST(NearMisses, AgreeWithTheComparisonOfAllPairs) {
  std::uint32_t state = 1;
  const auto next = [&](std::uint32_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  };
  for (int round = 0; round < 40; ++round) {
    Files files;
    for (int f = 0; f < 40; ++f) {
      std::string body;
      const int base = static_cast<int>(next(6)) * 20, size = 8 + static_cast<int>(next(10));
      for (int s = 0; s < size; ++s)
        body += "    s" + std::to_string(base + static_cast<int>(next(14))) + "(p)\n";
      files.emplace_back("f" + std::to_string(f) + ".py", "def f(p):\n" + body);
    }
    const Project project = project_of(files, {});
    Texts found;
    for (const NearMissGroup& group : near_misses(project, {}).groups) {
      std::string text;
      for (const UnitRef ref : group.items)
        text += (text.empty() ? "" : " ") + project.files[ref.file].path;
      found.push_back(text);
    }
    std::ranges::sort(found);
    EXPECT_EQ(found, naive(project, {})) << round;
  }
}

TEST(NearMisses, ManyVariantsAreOneGroupByFewComparisons) {
  const NearMisses found = near(many(1999, 20, Own::last));
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_EQ(found.groups[0].items.size(), 1999u);
  EXPECT_EQ(found.stop_listed, 0u);
  EXPECT_LE(found.comparisons, kFullyCompared * kFullyCompared + 2 * 1999u);
}

TEST(NearMisses, WhatIsInMoreThanTwoThousandBagsFindsNothing) {
  EXPECT_EQ(near(many(2000, 20, Own::last)).stop_listed, 0u);
  const NearMisses found = near(many(10'000, 20, Own::last));
  EXPECT_TRUE(found.groups.empty());
  EXPECT_EQ(found.stop_listed, 19u);
  EXPECT_EQ(found.visits, 0u);
}

TEST(NearMisses, TenThousandCopiesAreOneBag) {
  Project project = many(10'000, 12, Own::none);
  project.files.push_back(file_of("n.py", "def other(p):\n" + lines(13, "s#(p)")));
  const NearMisses found = near(project);
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_EQ(found.groups[0].items.size(), 10'001u);
  EXPECT_EQ(found.comparisons, 1u);
}

TEST(NearMisses, OneStatementAHundredThousandTimesIsNoTrouble) {
  Project project{.files = {{.path = "m.py"}}};
  project.files[0].facts.units = {repeated(100'000), repeated(90'000)};
  const NearMisses found = near(project);
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_EQ(found.groups[0].min_permille, 900u);
  EXPECT_EQ(found.comparisons, 1u);
}

}  // namespace
}  // namespace gh::analysis
