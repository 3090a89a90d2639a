#include "analysis/measures.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "analysis/extract.h"
#include "analysis/finding.h"

namespace gh::analysis {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;
using Texts = std::vector<std::string>;

Project project_of(Files files) {
  std::ranges::sort(files);
  Project out{.files = {},
              .profile = {.min_loc = 1, .min_stmt = 1, .block_min_loc = 1, .block_min_stmt = 1}};
  Extractor extractor;
  for (const auto& [path, source] : files)
    out.files.push_back(
        {path, syntax::Language::python, extractor.facts_of(syntax::Language::python, source)});
  return out;
}

Measures measures_of(const Project& project) { return measure(project, find_all(project)); }

std::string branchy(const std::string& name, int ifs) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < ifs; ++i)
    out += "    if a == " + std::to_string(i) + ":\n        g" + std::to_string(i) + name + "(a)\n";
  return out;
}

// docs/reference/analysis.md, "Risk"
TEST(Measures, UnitsAreCountedByRiskAndTheHighOnesAreNamed) {
  const Project project =
      project_of({{"m.py", branchy("low", 9) + branchy("medium", 10) + branchy("high", 20)}});
  const Measures m = measures_of(project);
  EXPECT_EQ(m.complexity.count, 3u);
  EXPECT_EQ(m.complexity.sum, 10u + 11u + 21u);
  EXPECT_EQ(m.complexity.max, 21u);
  EXPECT_EQ(m.complexity.medium, 1u);
  EXPECT_EQ(m.complexity.high, 1u);
  EXPECT_EQ(m.complexity.beyond, Texts{"m:high"});
}

// Otherwise a second one of a name that a baseline holds would never be new.
TEST(Measures, EachOfSeveralOfOneNameIsNamed) {
  const std::string high = branchy("f", 20);
  EXPECT_EQ(
      measures_of(project_of({{"m.py", high + high + branchy("e", 20) + high}})).complexity.beyond,
      (Texts{"m:e", "m:f", "m:f#2", "m:f#3"}));
  EXPECT_EQ(measures_of(project_of({{"m.py", branchy("f", 1) + high}})).complexity.beyond,
            Texts{"m:f"});
}

// docs/reference/analysis.md: statuses of files
TEST(Measures, StatusesOfFilesHaveTheseNames) {
  const std::string_view names[] = {"ok",         "partial",           "file_too_large",
                                    "stat_error", "source_read_error", "parse_error",
                                    "parse_limit"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    EXPECT_EQ(to_string(static_cast<FileStatus>(i)), names[i]);
}

TEST(Measures, FilesThatCannotBeReadAreNamed) {
  Project project = project_of({{"a.py", "x = 1\n"}, {"b.py", "x = 2\n"}, {"c.py", ""}});
  project.files[1].facts = {.status = FileStatus::source_read_error};
  project.files[2].facts = {.status = FileStatus::file_too_large};
  const Measures m = measures_of(project);
  EXPECT_EQ(m.files_found, 3u);
  EXPECT_EQ(m.files_analysed, 1u);
  EXPECT_EQ(m.files_skipped, 2u);
  EXPECT_EQ(m.unreadable, Texts{"b.py"});
  EXPECT_EQ(m.unclear, (Texts{"b.py", "c.py"}));
  EXPECT_EQ(m.languages, Texts{"python"});
}

TEST(Measures, ClassesOfOneMethodAreNoPartOfTheCohesionShare) {
  const Measures m = measures_of(project_of({{"m.py",
                                              "class One:\n    def a(self):\n        return 1\n"
                                              "class Four:\n"
                                              "    def a(self):\n        return self.x\n"
                                              "    def b(self):\n        return self.y\n"
                                              "    def c(self):\n        return self.z\n"
                                              "    def d(self):\n        return self.w\n"}}));
  EXPECT_EQ(m.cohesion.count, 2u);
  EXPECT_EQ(m.cohesion.beyond, Texts{"m:Four"});
  EXPECT_EQ(m.graph_classes, 1u);
  EXPECT_EQ(m.low_cohesion_graph_classes, 1u);
}

TEST(Measures, CyclesAreCountedWithTheirModules) {
  const Measures m = measures_of(project_of(
      {{"p/a.py", "import p.b\n"}, {"p/b.py", "import p.a\n"}, {"p/c.py", "import p.a\n"}}));
  EXPECT_EQ(m.cycles, (std::vector<Names>{{"p.a", "p.b"}}));
  EXPECT_EQ(m.modules, 3u);
  EXPECT_EQ(m.modules_in_cycles, 2u);
}

constexpr const char* kBody = "(p):\n    a = load(p)\n    b = a.strip()\n    return parse(b)\n";

// docs/reference/analysis.md, "Health"
TEST(Measures, StatementsAreDuplicatedBeyondTheirFirstProductionPlace) {
  const Measures m = measures_of(project_of({{"a.py", std::string("def f") + kBody},
                                             {"b.py", std::string("def g") + kBody},
                                             {"tests/t.py", std::string("def h") + kBody}}));
  EXPECT_EQ(m.clones.functions.size(), 1u);
  EXPECT_EQ(m.statements, 6u) << "tests are another matter";
  EXPECT_EQ(m.duplicated_statements, 3u);
  EXPECT_EQ(m.members.at(m.clones.functions.front()), (Texts{"a:f", "b:g", "tests.t:h"}));
}

TEST(Measures, ARunInSeveralGroupsIsDuplicatedOnce) {
  const std::string run = "    a = load(p)\n    b = a.strip()\n    c = parse(b)\n    emit(c)\n";
  const Measures m = measures_of(project_of({{"a.py", "def f(p):\n" + run + "    one(p)\n"},
                                             {"b.py", "def g(p):\n" + run + "    two(p, 1)\n"}}));
  EXPECT_EQ(m.clones.blocks.size(), 1u);
  EXPECT_EQ(m.statements, 10u);
  EXPECT_EQ(m.duplicated_statements, 4u);
}

TEST(Measures, AChangedScopeKeepsGroupsWithAnItemInAChangedFile) {
  const Project project = project_of({{"a.py", std::string("def f") + kBody},
                                      {"b.py", std::string("def g") + kBody},
                                      {"c.py", "def x(q):\n    return q\n"}});
  const Findings findings = find_all(project);
  EXPECT_EQ(clone_keys_in(project, findings, {"b.py"}).functions.size(), 1u);
  EXPECT_EQ(clone_keys_in(project, findings, {"c.py"}), CloneKeys{});
}

// docs/reference/analysis.md, "Findings"
TEST(Findings, PriorityIsSeverityByEffort) {
  struct Row {
    Severity severity;
    Effort effort;
    std::int64_t ten_thousandths;
  };
  const std::vector<Row> rows{
      {Severity::critical, Effort::easy, 30'000},    {Severity::critical, Effort::moderate, 15'000},
      {Severity::critical, Effort::hard, 10'000},    {Severity::warning, Effort::easy, 20'000},
      {Severity::warning, Effort::moderate, 10'000}, {Severity::warning, Effort::hard, 6'667},
      {Severity::info, Effort::easy, 10'000},        {Severity::info, Effort::moderate, 5'000},
      {Severity::info, Effort::hard, 3'333}};
  for (const Row& row : rows)
    EXPECT_EQ(priority(row.severity, row.effort).ten_thousandths, row.ten_thousandths);
}

TEST(Findings, ItemsStandInTheOrderOfPathsAndLines) {
  const Group group{
      .id = "x",
      .family = "design",
      .category = "dependency",
      .kind = "cycle",
      .places = {
          {"b", "b.py", 1, 1}, {"a", "a.py", 9, 9}, {"a", "a.py", 2, 8}, {"a", "a.py", 2, 3}}};
  const Map document = group_document(group);
  Texts seen;
  for (const Value& item : *document.find("items")->as_list()) {
    const Map& place = *item.as_map();
    seen.push_back(*place.find("relative_path")->as_string() + ":" +
                   std::to_string(*place.find("start_line")->as_int()) + "-" +
                   std::to_string(*place.find("end_line")->as_int()));
  }
  EXPECT_EQ(seen, (Texts{"a.py:2-3", "a.py:2-8", "a.py:9-9", "b.py:1-1"}));
}

TEST(Findings, ClonesGoByCountAndDesignByPriority) {
  const auto group = [](const char* id, std::size_t count, Severity severity, Effort effort) {
    return Group{.id = id,
                 .family = "x",
                 .category = "x",
                 .kind = "x",
                 .severity = severity,
                 .effort = effort,
                 .places = std::vector<Place>(count)};
  };
  std::vector<Group> groups{group("b", 2, Severity::warning, Effort::hard),
                            group("c", 3, Severity::info, Effort::moderate),
                            group("a", 2, Severity::critical, Effort::easy)};
  const auto ids = [&] { return groups[0].id + groups[1].id + groups[2].id; };
  sort_by_count(groups);
  EXPECT_EQ(ids(), "cab");
  sort_by_priority(groups);
  EXPECT_EQ(ids(), "abc");
}

}  // namespace
}  // namespace gh::analysis
