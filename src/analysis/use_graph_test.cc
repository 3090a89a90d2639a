#include "analysis/use_graph.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "analysis/amend_life.h"
#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

struct Graphed {
  Project project;
  UseGraph graph{};
  DeadCode dead;

  explicit Graphed(const Files& files)
      : project(project_of(files, Profile{})), dead(dead_code_of(project, graph)) {}

  std::set<std::string> told() const {
    std::set<std::string> out;
    for (const DeadItem& item : dead.items)
      out.insert(item.place.qualname + " " + std::string(to_string(item.reason)) + " " +
                 span_of(item.place.start_line, item.place.end_line));
    return out;
  }

  /// The same from the graph alone, with the facts of single files for what nothing else tells.
  std::set<std::string> told_again() const {
    KeptRun kept;
    kept.uses = Late(graph);
    for (const AnalysedFile& file : project.files) {
      kept.paths += file.path;
      kept.path_ends.push_back(static_cast<std::uint32_t>(kept.paths.size()));
    }
    const GoldenFixtures golden;
    const auto items = life_again(
        kept, {}, {},
        {project.profile, golden, {}, [&](std::string_view path) -> std::optional<AnalysedFile> {
           return *std::ranges::find(
               project.files, path, [](const AnalysedFile& f) { return std::string_view(f.path); });
         }});
    std::set<std::string> out;
    if (items)
      for (const KeptDead& item : *items)
        out.insert(item.qualname + " " + std::string(to_string(item.reason)) + " " +
                   span_of(item.start_line, item.end_line));
    return out;
  }
};

const Files kSmall{{"a.py", "def a(x):\n    return b(x)\n\n\ndef b(x):\n    return x\n\n\na(1)\n"}};

TEST(UseGraph, TellsTheDeadCodeThatItWasMadeWith) {
  for (const Files& files : std::vector<Files>{
           kSmall,
           {{"a.py", "def ping():\n    pong()\n\n\ndef pong():\n    ping()\n"}},
           {{"a.py", "def dead():\n    used()\n\n\ndef used():\n    pass\n"}},
           {{"a.py",
             "class K:\n    def m(self):\n        return self.n()\n\n    def n(self):\n"
             "        pass\n\n    def __init__(self):\n        self.m()\n\n\nK()\n"}},
           {{"a.py", "def other():\n    pass\n"},
            {"b.py", "from a import other as mine\n\n\ndef f():\n    mine()\n\n\nf()\n"}},
           {{"a.py", "def named():\n    more()\n\n\ndef more():\n    pass\n\n\nprint('named')\n"}},
           {{"a.py",
             "class K(out.Base):\n    def m(self):\n        low()\n\n\ndef low():\n    pass\n"
             "\n\nK()\n"}},
           {{"a.py",
             "def outer():\n    def inner():\n        low()\n    inner()\n\n\ndef low():\n"
             "    pass\n\n\nouter()\n"}}}) {
    const Graphed graphed(files);
    EXPECT_TRUE(graphed.graph.is_whole(files.size()));
    EXPECT_EQ(graphed.told_again(), graphed.told()) << files.front().second;
  }
}

TEST(UseGraph, NamesAreFoundByTheirText) {
  const Graphed small(kSmall);
  ASSERT_EQ(small.graph.name_of.size(), 2u);
  EXPECT_EQ(small.graph.name("b"), small.graph.name_of[1]);
  EXPECT_EQ(small.graph.name("z"), kNone);
}

TEST(UseGraph, TablesThatDoNotFitTogetherAreNotWhole) {
  const Graphed fine({{"a.py", "def a():\n    pass\n"},
                      {"b.py", "from a import a as x\n\n\ndef b():\n    x()\n\n\nb()\n"}});
  ASSERT_TRUE(fine.graph.is_whole(2));
  ASSERT_FALSE(fine.graph.edges_to.empty());
  for (const auto& damage : std::vector<void (*)(UseGraph&)>{
           [](UseGraph& g) { g.parents[0] = 1; }, [](UseGraph& g) { g.users.values[0] = 7; },
           [](UseGraph& g) { g.users.ends.back() = 9; }, [](UseGraph& g) { g.ways.pop_back(); },
           [](UseGraph& g) { g.ways[0] = static_cast<Way>(9); },
           [](UseGraph& g) { g.doubts[0] = 99; }, [](UseGraph& g) { g.doubts.pop_back(); },
           [](UseGraph& g) { g.edges_to[0] = 7; }, [](UseGraph& g) { g.edges_from[0] = 7; },
           [](UseGraph& g) { g.edges_from.pop_back(); }, [](UseGraph& g) { g.name_of[0] = 5; },
           [](UseGraph& g) { g.symbols.values[0] = 9; }}) {
    UseGraph graph = fine.graph;
    damage(graph);
    EXPECT_FALSE(graph.is_whole(2));
  }
}

}  // namespace
}  // namespace gh::analysis
