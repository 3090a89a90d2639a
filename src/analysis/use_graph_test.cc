#include "analysis/use_graph.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <xxhash.h>

#include "analysis/names.h"

namespace gh::analysis {
namespace {

std::uint64_t hash_of_name(std::string_view name) { return XXH3_64bits(name.data(), name.size()); }

/// Symbols 0 to 3, each with a name of its own; the module of file 0 uses the first.
struct Small {
  UseGraph graph{};

  /// users[s]: who uses symbol s.
  explicit Small(const std::vector<std::vector<std::uint32_t>>& users,
                 std::vector<std::uint32_t> levels) {
    const auto count = static_cast<std::uint32_t>(users.size());
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    for (std::uint32_t s = 0; s < count; ++s)
      order.emplace_back(hash_of_name(std::string(1, static_cast<char>('a' + s))), s);
    std::ranges::sort(order);
    graph.name_of.resize(count);
    for (std::uint32_t n = 0; n < count; ++n) {
      const std::uint32_t symbol = order[n].second;
      graph.names.push_back(order[n].first);
      graph.bearers.values.push_back(symbol);
      graph.bearers.ends.push_back(n + 1);
      for (const std::uint32_t user : users[symbol])
        graph.users.values.push_back(user);
      graph.users.ends.push_back(static_cast<std::uint32_t>(graph.users.values.size()));
      graph.name_of[symbol] = n;
    }
    graph.parents.assign(count, kNone);
    graph.ways.assign(count, UseGraph::judged);
    graph.levels = std::move(levels);
    graph.symbols = {{count}, {}};
    for (std::uint32_t s = 0; s < count; ++s)
      graph.symbols.values.push_back(s);
  }
  bool lives_without(std::uint32_t user, std::uint32_t symbol) const {
    return stays_alive(graph, {{user, graph.name_of[symbol]}});
  }
};

constexpr std::uint32_t kModule = UseGraph::kModuleCode;

TEST(UseGraph, ASymbolThatAnotherLivingOneUsesStaysAlive) {
  const Small small({{kModule}, {kModule}, {0, 1}}, {1, 1, 2});
  EXPECT_TRUE(small.graph.is_whole(1));
  EXPECT_TRUE(small.lives_without(0, 2));
}

TEST(UseGraph, ASymbolThatNobodyElseUsesDoesNot) {
  const Small small({{kModule}, {0}}, {1, 2});
  EXPECT_FALSE(small.lives_without(0, 1));
}

TEST(UseGraph, TwoThatOnlyUseEachOtherDoNot) {
  // The module uses a, which uses b; b and c use each other.
  const Small small({{kModule}, {0, 2}, {1}}, {1, 2, 3});
  EXPECT_FALSE(small.lives_without(0, 1));
}

TEST(UseGraph, AFartherWayIsFoundWhereItDoesNotLeadOverTheSymbolItself) {
  // a <- module, b <- a and d, c <- a, d <- c: without the use by a, b is reached over c and d.
  const Small small({{kModule}, {0, 3}, {0}, {2}}, {1, 2, 2, 3});
  EXPECT_TRUE(small.lives_without(0, 1));
}

TEST(UseGraph, ItsOwnCodeKeepsNobodyAlive) {
  Small small({{kModule}, {0, 2}, {kModule}}, {1, 2, 1});
  small.graph.parents[2] = 1;  // it stands inside of b
  EXPECT_FALSE(small.lives_without(0, 1));
}

TEST(UseGraph, WhatIsDeadIsNotSpokenOf) {
  const Small small({{kModule}, {2}, {1}}, {1, 0, 0});
  EXPECT_FALSE(small.lives_without(2, 1));
}

TEST(UseGraph, NamesAreFoundByTheirText) {
  const Small small({{kModule}, {0}}, {1, 2});
  EXPECT_EQ(small.graph.name("b"), small.graph.name_of[1]);
  EXPECT_EQ(small.graph.name("z"), kNone);
}

TEST(UseGraph, TablesThatDoNotFitTogetherAreNotWhole) {
  const Small fine({{kModule}, {0}}, {1, 2});
  for (const auto& damage : std::vector<void (*)(UseGraph&)>{
           [](UseGraph& g) { g.parents[0] = 1; }, [](UseGraph& g) { g.users.values[0] = 7; },
           [](UseGraph& g) { g.bearers.ends.back() = 9; }, [](UseGraph& g) { g.levels.pop_back(); },
           [](UseGraph& g) { g.name_of[0] = 5; }, [](UseGraph& g) { g.symbols.values[0] = 9; }}) {
    UseGraph graph = fine.graph;
    damage(graph);
    EXPECT_FALSE(graph.is_whole(1));
  }
}

}  // namespace
}  // namespace gh::analysis
