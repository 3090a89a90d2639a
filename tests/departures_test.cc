// Every deliberate difference from the analyser that this one replaces has a case here, under its
// number: the value in each is ours, and the comment beside it says what the other one gave.
// docs/reference/analysis.md holds the rules under the headings that the topics name.
#include <array>
#include <cctype>

#include "analysis/api_breaks.h"
#include "analysis/canonical_report.h"
#include "analysis/health.h"
#include "analysis/measures.h"
#include "analysis/novelty.h"
#include "analysis/report_view.h"
#include "analysis/suppressions.h"
#include "tests/snippet_kit.h"

namespace gh::analysis {
namespace {

using Names = std::vector<std::string>;
using Files = std::vector<std::pair<std::string, std::string>>;

Project python(const std::string& source) { return project_of_files({{"m.py", source}}); }
Lines about(const std::string& source, std::string_view topic) {
  return said(python(source), topic);
}

/// Sizes as they are shipped, and files that may be read in part.
Project as_shipped(const Files& files, unsigned jobs = 1, Profile profile = {}) {
  MemorySource source(std::map<std::string, std::string>(files.begin(), files.end()));
  const RunOptions options{.profile = profile, .jobs = jobs};
  auto project = analyse(source, options);
  EXPECT_TRUE(project);
  return project ? std::move(*project) : Project{};
}

std::string repeated(int count, const std::string& line) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += line;
  return out;
}

std::string calls(int count, const std::string& stem) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += "    " + stem + std::to_string(i) + "(a)\n";
  return out;
}

void nested_functions_are_units() {  // were left out
  EXPECT_EQ(about("def f(xs):\n    def g(y):\n        if y: return 1\n        return 2\n"
                  "    class K:\n        def m(self): return 1\n    return g\n",
                  "complexity"),
            (Lines{"f 1", "f.<locals>.K.m 1", "f.<locals>.g 2"}));
}

void the_receiver_has_any_name() {  // only `self` was one: 2
  EXPECT_EQ(
      about("class K:\n    def a(me): return me.x\n    def b(this): this.x = 1\n", "cohesion"),
      Lines{"K 1"});
}

void static_and_class_methods_stand_outside() {  // 3
  EXPECT_EQ(about("class K:\n    @staticmethod\n    def s(): return 1\n    @classmethod\n"
                  "    def c(cls): return 2\n    @property\n    def p(self): return self._p\n"
                  "    @p.setter\n    def p(self, v): self._q = v\n",
                  "cohesion"),
            Lines{"K 1"});
}

void coupling_follows_names() {  // A: B Base js os; C: Base pkg
  EXPECT_EQ(about("import os\nimport json as js\nfrom collections import OrderedDict\n"
                  "from pkg.sub import Helper\nclass Base: pass\nclass A(Base):\n"
                  "    def run(self, h: Helper) -> OrderedDict:\n"
                  "        os.getcwd(); js.dumps({}); x = B()\n        return OrderedDict(h)\n"
                  "class B:\n    def f(self): return len([1])\n"
                  "class C:\n    def f(self, pkg): return pkg.Base\n",
                  "coupling"),
            (Lines{"A B Base Helper OrderedDict js os", "B", "Base", "C"}));
}

void relative_imports_start_at_the_package() {  // only q.core -> q.util, and q.core:f dead
  const Project q =
      project_of_files({{"q/__init__.py", "from .core import f\nfrom . import util\n"},
                        {"q/core.py", "from .util import g\ndef f(): return g()\n"},
                        {"q/util.py", "def g(): pass\n"}});
  EXPECT_EQ(said(q, "imports"), (Lines{"q -> q.core", "q -> q.util", "q.core -> q.util"}));
  EXPECT_EQ(said(q, "dead"), Lines{});
}

void dead_code_is_swept_and_graded() {  // all of them were alive but d, which was high
  EXPECT_EQ(about("def calls_self(): return calls_self()\ndef a(): return b()\n"
                  "def b(): return a()\ndef c(): return 1\n@app.route\ndef d(): return c()\n",
                  "dead"),
            (Lines{"m:a unreachable_cycle", "m:b unreachable_cycle", "m:calls_self high",
                   "m:d unknown_decorator"}));
}

void blocks_begin_anywhere() {  // vanished when one statement stood before
  const std::string run =
      "    alpha = load(p)\n    beta = alpha.strip()\n    if not beta:\n"
      "        raise ValueError(beta)\n    gamma = parse(beta)\n";
  EXPECT_EQ(about("def f(p):\n" + run + "    return gamma\ndef g(p):\n    z = 0\n" + run +
                      "    return [gamma]\n",
                  "clones"),
            Lines{"block f g"});
  EXPECT_EQ(about("def f(a):\n    for b in a:\n    " + calls(1, "s") +
                      "        t(a)\n        u(a)\n"
                      "        v(a)\n    end()\ndef g(a):\n" +
                      calls(1, "s") + "    t(a)\n    u(a)\n    v(a)\n    other()\n",
                  "clones"),
            Lines{"block f g"})
      << "also inside of bodies";
}

void segments_do_not_overlap() {  // one that followed itself was one item
  const std::string run =
      "    a = load(1)\n    b = a + 1\n    c = b * 2\n    emit(c)\n    log(c)\n"
      "    if c:\n        pass\n";
  const Project project = python("def f():\n" + run + run);
  const Segments found = segments(project);
  ASSERT_EQ(found.groups.size(), 1u);
  ASSERT_EQ(found.groups[0].items.size(), 2u);
  EXPECT_EQ(found.groups[0].items[0].start_line, 2u);
  EXPECT_EQ(found.groups[0].items[1].start_line, 9u);
}

void size_is_no_part_of_a_key() {  // 19 and 21 lines were in two buckets
  const std::string body = calls(18, "s");
  const Project project = python("def f(a):\n" + body + "def g(a):\n\n\n" + body);
  ASSERT_EQ(unit_of(project, {0, 0}).loc(), 19u);
  ASSERT_EQ(unit_of(project, {0, 1}).loc(), 21u);
  EXPECT_EQ(said(project, "clones"), Lines{"function f g"});
}

void docstrings_do_not_count() {  // no clone, and two statements
  const Project project =
      python("def f(a):\n    \"\"\"Doc.\"\"\"\n    return a.b\ndef g(a):\n    return a.c\n");
  EXPECT_EQ(said(project, "clones"), Lines{"function f g"});
  EXPECT_EQ(unit_of(project, {0, 0}).statements.size(), 1u);
}

void every_unit_is_measured() {  // none of less than 10 lines and 6 statements was
  const Project project = as_shipped({{"m.py", "def f(a):\n    if a: return 1\n    return 2\n"}});
  const Measures measures = measure(project, find_all(project));
  EXPECT_EQ(measures.complexity.count, 1u);
  EXPECT_EQ(measures.complexity.max, 2u);
}

std::size_t api_breaks(const std::string& then, const std::string& now) {
  const auto surface = [](const std::string& source) {
    return api_surface_of(as_shipped({{"m.py", source}}, 1, Profile{.api_surface = true}));
  };
  return compare_api(surface(then), surface(now), false).breaking.size();
}

void optional_parameters_break_nothing_and_blocks_have_a_type() {  // a break; always Type-4
  EXPECT_EQ(api_breaks("def f(a, b=1): pass\n", "def f(a, b=1, c=2): pass\n"), 0u);
  EXPECT_EQ(api_breaks("def f(a, b=1): pass\n", "def f(a, b=1, *, c=2): pass\n"), 0u);
  EXPECT_EQ(api_breaks("def f(a, b=1): pass\n", "def f(a, b=1, *, c): pass\n"), 1u);
  EXPECT_EQ(api_breaks("def f(a, b=1): pass\n", "def f(a): pass\n"), 1u);
  const std::string run =
      "    alpha = load(p)\n    beta = alpha.strip()\n    emit(beta)\n"
      "    gamma = parse(beta)\n";
  const Project project =
      python("def f(p):\n" + run + "    return gamma\ndef g(p):\n" + run + "    return [gamma]\n");
  const List blocks = block_documents(project, block_clones(project, {}).groups);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(*blocks[0].as_map()->find("clone_type"), Value("Type-1"));
  EXPECT_EQ(*blocks[0].as_map()->find("facts")->as_map()->find("reference_clone_type"),
            Value("Type-4"));
}

void branches_of_one_shape_need_equal_bodies() {  // both were told
  const auto groups = [](const char* callee, bool by_shape) {
    Profile profile = kAnySize;
    profile.structural_shape_groups = by_shape;
    const Project project = as_shipped(
        {{"m.py", std::string("def f(a, xs):\n    if a == 1:\n        y = g(xs)\n        return y\n"
                              "    elif a == 2:\n        y = ") +
                      callee + "(xs)\n        return y\n"}},
        1, profile);
    return find_all(project).structural.branches.size();
  };
  EXPECT_EQ(groups("g", false), 1u);
  EXPECT_EQ(groups("h", false), 0u);
  EXPECT_EQ(groups("h", true), 1u);
}

void limits_count_and_do_not_watch_the_clock() {  // skipped by an alarm after 5 seconds
  const int deep = 11'000;
  const Project project = as_shipped(
      {{"deep.py", "x = " + repeated(deep, "[") + repeated(deep, "]") + "\n"},
       {"less.py", "x = " + repeated(1'000, "[") + repeated(1'000, "]") + "\ndef f(): pass\n"}});
  EXPECT_EQ(project.files[0].facts.status, FileStatus::parse_limit);
  EXPECT_EQ(project.files[1].facts.status, FileStatus::ok);
  EXPECT_EQ(project.files[1].facts.units.size(), 1u);
}

void cohorts_are_near_misses_too() {  // nothing: the fingerprints are not equal
  const auto member = [](const std::string& name, const std::string& guard) {
    return "def " + name + "(a):\n" + guard + calls(10, "s") + "    return a\n";
  };
  const std::string guard = "    if not a:\n        return None\n";
  const Project project =
      python(member("f", guard) + member("g", guard) + member("h", "    t(a)\n"));
  const Findings found = find_all(project);
  std::set<std::string_view> kinds;
  for (const CohortFinding& finding : found.structural.cohorts) {
    kinds.insert(to_string(finding.kind));
    EXPECT_EQ(finding.items.size(), 1u);
    EXPECT_EQ(unit_of(project, finding.items[0]).local_name, "h");
  }
  EXPECT_EQ(kinds,
            (std::set<std::string_view>{"clone_cohort_drift", "clone_guard_exit_divergence"}));
}

void nesting_takes_elif_as_flat() {  // 2 and 1
  EXPECT_EQ(
      about("def f(a):\n    if a: x = 1\n    elif a > 1: x = 2\n    else: x = 3\n    return x\n",
            "nesting"),
      Lines{"f 1"});
  EXPECT_EQ(about("def f(a):\n    def g(y):\n        if y: return 1\n    return g\n", "nesting"),
            (Lines{"f 0", "f.<locals>.g 1"}));
}

std::string sample(const std::string& name, const std::string& first, const std::string& target) {
  return "def " + name + "(a, b):\n    " + first + "\n    for " + target +
         " in a:\n        total = total + item.price\n    return total\n";
}

void an_annotated_assignment_is_an_assignment() {  // no clone
  EXPECT_EQ(
      about(sample("f", "total = 0", "item") + sample("g", "total: int = 0", "item"), "clones"),
      Lines{"function f g"});
  EXPECT_EQ(about(sample("f", "total = 0", "item") + sample("g", "x: int\n    total = 0", "item"),
                  "clones"),
            Lines{"function f g"});
}

void targets_of_loops_keep_their_shape() {  // a clone
  EXPECT_EQ(about(sample("f", "total = 0", "item") + sample("g", "total = 0", "item, z"), "clones"),
            Lines{});
}

void finally_is_not_what_follows() {  // a clone
  EXPECT_EQ(about("def f(a):\n    try:\n        g(a)\n    except E:\n        pass\n    finally:\n"
                  "        done()\ndef h(a):\n    try:\n        g(a)\n    except E:\n        pass\n"
                  "    done()\n",
                  "clones"),
            Lines{});
}

void the_mode_is_full() {  // clones alone without a baseline
  const Project project = as_shipped({{"m.py", "def f(a): return a\nf(1)\n"}});
  const Value report = canonical_report(project, find_all(project));
  EXPECT_EQ(*report.as_map()->find("meta")->as_map()->find("analysis_mode"), Value("full"));
  EXPECT_NE(report.as_map()->find("metrics")->as_map()->find("families")->as_map()->find("health"),
            nullptr);
}

void health_is_a_density() {  // 13 dead functions among 100: nothing is left of dead_code
  std::string source;
  for (int i = 0; i < 100; ++i)
    source += "def f" + std::to_string(i) + "(): pass\n";
  for (int i = 13; i < 100; ++i)
    source += "f" + std::to_string(i) + "()\n";
  const Project project = as_shipped({{"m.py", source}});
  const Measures measures = measure(project, find_all(project));
  constexpr std::size_t kDeadCode = 4;
  EXPECT_EQ(health_of(measures).scores[kDeadCode], 48);  // 100 - 400 * 0.13
  EXPECT_EQ(compatible_health_of(measures).scores[kDeadCode], 0);
  const Project one = as_shipped({{"m.py", "def f(a): return a\nf(1)\n"}});
  const Measures small = measure(one, find_all(one));
  EXPECT_EQ(compatible_health_of(small).score, 99);
  EXPECT_EQ(compatible_health_of(small).grade, 'A');
  EXPECT_EQ(health_of(small).score, 100);
}

void a_group_that_grew_is_seen() {  // known, and nothing more
  const auto members = [](int count) {
    std::string source;
    for (int i = 0; i < count; ++i)
      source += "def f" + std::to_string(i) + "(a):\n" + calls(11, "s");
    const Project project = as_shipped({{"m.py", source}});
    return measure(project, find_all(project)).members;
  };
  const std::vector<Grown> grown = grown_groups(members(3), members(4));
  ASSERT_EQ(grown.size(), 1u);
  EXPECT_EQ(grown[0].new_members, Names{"m:f3"});
  EXPECT_EQ(grown_groups(members(3), members(3)).size(), 0u);
}

void suppressions_stand_above_decorators_and_never_in_their_own_change() {  // below them; at once
  const std::string plain = "@a\n@b\ndef f(): pass\n";
  const std::string marked = "# gatehouse: ignore[dead-code]\n" + plain;
  const Project before = python(plain), after = python(marked);
  EXPECT_EQ(dead_code_of(after).suppressed.size(), 1u);
  const List added = added_suppressions(bound_suppressions(before), bound_suppressions(after));
  ASSERT_EQ(added.size(), 1u);
  EXPECT_EQ(dead_code_of(without_suppressions(after, added)).suppressed.size(), 0u);
  EXPECT_EQ(dead_code_of(without_suppressions(after, added)).items.size(), 1u);
}

void the_digest_knows_nothing_of_the_machine() {  // cold and warm runs differed
  Files files;
  for (int i = 0; i < 40; ++i)
    files.emplace_back("m" + std::to_string(i) + ".py",
                       "def f" + std::to_string(i) + "(a):\n" + calls(11, "s"));
  const auto bytes = [&](unsigned jobs) {
    const Project project = as_shipped(files, jobs);
    return stated_digest(canonical_report(project, find_all(project)));
  };
  EXPECT_EQ(bytes(1), bytes(4));
}

void a_static_method_has_no_receiver() {  // 0 parameters
  const AdoptionCounts found =
      adoption_of(python("class K:\n    @staticmethod\n    def s(self): pass\n")).total;
  EXPECT_EQ(found.params, 1u);
}

void imports_for_types_make_no_cycle() {  // one
  const Dependencies typed = dependencies_of(project_of_files(
      {{"a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import b\n"},
       {"b.py", "import a\n"}}));
  EXPECT_TRUE(typed.cycles.empty());
  EXPECT_TRUE(typed.edges[0].typing_only);
  const Dependencies lazy = dependencies_of(
      project_of_files({{"a.py", "def f():\n    import b\n"}, {"b.py", "import a\n"}}));
  ASSERT_EQ(lazy.cycles.size(), 1u);
  EXPECT_TRUE(lazy.cycles[0].deferred);
}

void depth_does_not_hang_on_the_order() {  // 6 modules, 6 edges, average 2.17
  const Dependencies d =
      dependencies_of(project_of_files({{"p/__init__.py", ""},
                                        {"p/a.py", "import p.b\n"},
                                        {"p/b.py", "import p.c\n"},
                                        {"p/c.py", "import p.a\n"},
                                        {"p/d.py", "from p import a\n"},
                                        {"p/e.py", "from . import a\nfrom .a import x\n"},
                                        {"p/f.py", "import os\n"}}));
  EXPECT_EQ(d.modules.size(), 7u);
  EXPECT_EQ(d.edges.size(), 5u);
  EXPECT_EQ(d.max_depth, 4u);
  EXPECT_EQ(d.p95_depth, 4u);
  EXPECT_EQ(d.average_depth.ten_thousandths, 27'100);
}

void a_file_with_errors_is_read_in_part() {  // skipped
  const Project project =
      as_shipped({{"m.py", "def f(a):\n    if a: return 1\ndef g(a):\n    x = = 1\n"}});
  EXPECT_EQ(project.files[0].facts.status, FileStatus::partial);
  ASSERT_EQ(project.files[0].facts.units.size(), 2u);
  EXPECT_FALSE(project.files[0].facts.units[0].incomplete);
  EXPECT_TRUE(project.files[0].facts.units[1].incomplete);
}

struct DepartureRow {
  int number;
  const char* topic;
  void (*check)();
};
constexpr std::array kDepartures = std::to_array<DepartureRow>({
    {1, "nested functions", nested_functions_are_units},
    {2, "receiver", the_receiver_has_any_name},
    {3, "cohesion", static_and_class_methods_stand_outside},
    {4, "coupling", coupling_follows_names},
    {5, "relative imports", relative_imports_start_at_the_package},
    {6, "dead code", dead_code_is_swept_and_graded},
    {7, "blocks", blocks_begin_anywhere},
    {8, "segments", segments_do_not_overlap},
    {9, "size bucket", size_is_no_part_of_a_key},
    {10, "docstrings", docstrings_do_not_count},
    {11, "population", every_unit_is_measured},
    {12, "public api and block types", optional_parameters_break_nothing_and_blocks_have_a_type},
    {13, "duplicated branches", branches_of_one_shape_need_equal_bodies},
    {14, "limits", limits_count_and_do_not_watch_the_clock},
    {15, "cohorts", cohorts_are_near_misses_too},
    {16, "nesting", nesting_takes_elif_as_flat},
    {17, "annotated assignment", an_annotated_assignment_is_an_assignment},
    {18, "loop target", targets_of_loops_keep_their_shape},
    {19, "finally", finally_is_not_what_follows},
    {20, "mode", the_mode_is_full},
    {21, "health", health_is_a_density},
    {22, "novelty", a_group_that_grew_is_seen},
    {23, "suppressions", suppressions_stand_above_decorators_and_never_in_their_own_change},
    {24, "digest", the_digest_knows_nothing_of_the_machine},
    {25, "adoption", a_static_method_has_no_receiver},
    {26, "import edges", imports_for_types_make_no_cycle},
    {27, "depth", depth_does_not_hang_on_the_order},
    {28, "syntax errors", a_file_with_errors_is_read_in_part},
});

class Departures : public ::testing::TestWithParam<DepartureRow> {};

TEST_P(Departures, IsAsWeSay) { GetParam().check(); }

INSTANTIATE_TEST_SUITE_P(D, Departures, ::testing::ValuesIn(kDepartures), [](const auto& row) {
  std::string name = "D" + std::to_string(row.param.number) + "_";
  for (const char c : std::string_view(row.param.topic))
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST(DepartureList, HasOneCaseForEachOfTwentyEight) {
  ASSERT_EQ(kDepartures.size(), 28u);
  std::set<void (*)()> checks;
  for (std::size_t i = 0; i < kDepartures.size(); ++i) {
    EXPECT_EQ(kDepartures[i].number, static_cast<int>(i) + 1);
    EXPECT_TRUE(checks.insert(kDepartures[i].check).second) << "two share one case";
  }
}

}  // namespace
}  // namespace gh::analysis
