#include "analysis/dependencies.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "analysis/extract.h"

namespace gh::analysis {
namespace {

Project project_of(std::vector<std::pair<std::string, std::string>> files) {
  std::ranges::sort(files);
  Project out;
  Extractor extractor;
  for (const auto& [path, source] : files)
    out.files.push_back(
        {path, syntax::Language::python, extractor.facts_of(syntax::Language::python, source)});
  return out;
}

std::vector<std::string> edges(const Dependencies& d) {
  std::vector<std::string> out;
  for (const DependencyEdge& edge : d.edges)
    out.push_back(d.modules[edge.from] + " -> " + d.modules[edge.to]);
  return out;
}

using Names = std::vector<std::string>;

TEST(Dependencies, SourcesMayBeginBelowTheRoot) {
  const Dependencies d =
      dependencies_of(project_of({{"src/pkg/__init__.py", "from pkg.c import z\n"},
                                  {"src/pkg/a.py", "from pkg.b import g\nimport json\n"},
                                  {"src/pkg/b.py", "from pkg import a\nimport pkg.c\n"},
                                  {"src/pkg/c.py", ""},
                                  {"src/pkg/json.py", ""},
                                  {"tests/test_a.py", "import pkg.a\n"},
                                  {"tools/run.py", "import helper\n"},
                                  {"tools/helper.py", "import os\n"}}));
  EXPECT_EQ(edges(d), (Names{"src.pkg -> src.pkg.c", "src.pkg.a -> src.pkg.b",
                             "src.pkg.b -> src.pkg.a", "src.pkg.b -> src.pkg.c",
                             "tests.test_a -> src.pkg.a", "tools.run -> tools.helper"}));
  EXPECT_EQ(d.cycles, (std::vector<Cycle>{{{"src.pkg.a", "src.pkg.b"}, false}}));
}

// docs/reference/analysis.md, "Dependencies", worked examples
TEST(Dependencies, ACycleAndWhatHangsOnIt) {
  const Dependencies d =
      dependencies_of(project_of({{"p/__init__.py", ""},
                                  {"p/a.py", "import p.b\n"},
                                  {"p/b.py", "import p.c\n"},
                                  {"p/c.py", "import p.a\n"},
                                  {"p/d.py", "from p import a\n"},
                                  {"p/e.py", "from . import a\nfrom .a import x\n"},
                                  {"p/f.py", "import os\n"}}));
  EXPECT_EQ(d.modules.size(), 7u);
  EXPECT_EQ(edges(d),
            (Names{"p.a -> p.b", "p.b -> p.c", "p.c -> p.a", "p.d -> p.a", "p.e -> p.a"}));
  EXPECT_EQ(d.edges.back().statements, 2u);
  EXPECT_EQ(d.cycles, (std::vector<Cycle>{{{"p.a", "p.b", "p.c"}, false}}));
  EXPECT_EQ(d.depths, (std::vector<std::uint32_t>{1, 3, 3, 3, 4, 4, 1}));
  EXPECT_EQ(d.max_depth, 4u);
  EXPECT_EQ(d.average_depth, Decimal{27'100});
  EXPECT_EQ(d.p95_depth, 4u);
  EXPECT_EQ(d.longest_chains.front(), (Names{"p.d", "p.a", "p.b", "p.c"}));
}

TEST(Dependencies, APackageImportsItsOwnModules) {
  const Dependencies d =
      dependencies_of(project_of({{"q/__init__.py", "from .core import f\nfrom . import util\n"},
                                  {"q/core.py", "from .util import u\ndef f(): pass\n"},
                                  {"q/util.py", "u = 1\n"}}));
  EXPECT_EQ(edges(d), (Names{"q -> q.core", "q -> q.util", "q.core -> q.util"}));
  EXPECT_TRUE(d.cycles.empty());
}

TEST(Dependencies, TwoModules) {
  const Dependencies d = dependencies_of(project_of({{"m.py", ""}, {"n.py", "import m\n"}}));
  EXPECT_EQ(d.max_depth, 2u);
  EXPECT_EQ(d.average_depth, Decimal{15'000});
  EXPECT_EQ(d.p95_depth, 2u);
}

TEST(Dependencies, ImportsForTypesMakeNoCycleAndThoseInFunctionsMarkIt) {
  const Dependencies typed = dependencies_of(
      project_of({{"a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import b\n"},
                  {"b.py", "import a\n"}}));
  EXPECT_EQ(edges(typed), (Names{"a -> b", "b -> a"}));
  EXPECT_TRUE(typed.edges[0].typing_only);
  EXPECT_TRUE(typed.cycles.empty());
  EXPECT_EQ(typed.max_depth, 2u);
  const Dependencies lazy =
      dependencies_of(project_of({{"a.py", "def f():\n    import b\n"}, {"b.py", "import a\n"}}));
  EXPECT_EQ(lazy.cycles, (std::vector<Cycle>{{{"a", "b"}, true}}));
  const Dependencies both = dependencies_of(
      project_of({{"a.py", "import b\ndef f():\n    import b\n"}, {"b.py", "import a\n"}}));
  EXPECT_EQ(both.cycles, (std::vector<Cycle>{{{"a", "b"}, false}}));
}

TEST(Dependencies, OnlyWhatStandsInAFunctionIsDeferred) {
  const std::string typing = "if TYPE_CHECKING:\n    import b\n",
                    inner = "def f():\n    import b\n";
  const struct {
    std::string source;
    bool typing_only, deferred;
  } rows[] = {{"import b\n", false, false},
              {inner, false, true},
              {typing, true, false},
              {typing + inner, false, true},
              {inner + typing, false, true},
              {typing + "import b\n", false, false},
              {inner + "import b\n", false, false},
              {typing + inner + "import b\n", false, false}};
  for (const auto& row : rows) {
    const Dependencies d = dependencies_of(project_of({{"a.py", row.source}, {"b.py", ""}}));
    ASSERT_EQ(d.edges.size(), 1u) << row.source;
    EXPECT_EQ(d.edges[0].typing_only, row.typing_only) << row.source;
    EXPECT_EQ(d.edges[0].deferred, row.deferred) << row.source;
  }
}

TEST(Dependencies, ASelfImportIsACycleAndDotsAboveTheRootLeadNowhere) {
  EXPECT_EQ(dependencies_of(project_of({{"a.py", "import a\n"}})).cycles,
            (std::vector<Cycle>{{{"a"}, false}}));
  EXPECT_TRUE(
      dependencies_of(project_of({{"a.py", "from ...x import y\n"}, {"x.py", ""}})).edges.empty());
}

TEST(Dependencies, AVeryLongChainNeedsNoStack) {
  std::vector<std::pair<std::string, std::string>> files;
  for (int i = 0; i < 20'000; ++i)
    files.emplace_back("m" + std::to_string(i) + ".py", "import m" + std::to_string(i + 1) + "\n");
  EXPECT_EQ(dependencies_of(project_of(files)).max_depth, 20'000u);
}

}  // namespace
}  // namespace gh::analysis
