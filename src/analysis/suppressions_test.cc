#include "analysis/suppressions.h"

#include <gtest/gtest.h>

#include "analysis/canonical_report.h"
#include "analysis/extract.h"
#include "analysis/health.h"
#include "analysis/measures.h"
#include "analysis/testing_project.h"

namespace gh::analysis {
namespace {

/// Local names of declarations that ask for the rule.
std::vector<std::string> suppressed(std::string source, Rule rule = Rule::dead_code) {
  const Project project = python_project({{"m.py", std::move(source)}});
  const FileFacts& facts = project.files[0].facts;
  std::vector<std::string> out;
  for (std::uint32_t d = 0; d < facts.declarations.all.size(); ++d)
    if (is_suppressed(facts, d, rule))
      out.emplace_back(facts.names[facts.declarations.all[d].local_name]);
  return out;
}
using Names = std::vector<std::string>;

TEST(Suppressions, StandAboveWhatHeadsADeclaration) {
  struct Row {
    const char *path, *source;
    Names names;
  };
  const std::string mark = "// gatehouse: ignore[dead-code]\n";
  const Row rows[] = {
      {"a.rs", "@#[inline]\nfn f() {}\n", {"f"}},
      {"a.rs", "#[inline]\n@fn f() {}\n", {"f"}},
      {"a.rs", "/// Docs.\n@#[inline]\n#[must_use]\nfn f() -> u8 { 1 }\n", {"f"}},
      {"a.rs", "@/// Docs.\n/// More.\n#[inline]\nfn f() {}\n", {"f"}},
      {"a.rs", "@#[derive(\n  Debug,\n)]\nstruct S { a: u8 }\nstruct T;\n", {"S"}},
      {"a.rs", "mod m {\n@#[inline]\nfn f() {}\n}\n", {"m.f"}},
      {"a.rs", "impl S {\n@#[inline]\nfn f(&self) {}\n}\n", {"S.f"}},
      {"a.rs", "@#[inline]\n\nstatic X: u8 = 1;\nfn f() {}\n", {}},
      {"a.rs", "@\n#[inline]\nfn f() {}\n", {}},
      {"a.cpp", "@template <class T>\nstatic int f(T a) { return 1; }\n", {"f"}},
      {"a.cpp", "template <class T>\n@static int f(T a) { return 1; }\n", {"f"}},
      {"a.cpp", "@template <class T,\n          class U>\nclass K { T a; };\n", {"K"}},
      {"a.cpp",
       "struct K {\n  int x;\n@  template <class T>\n  int f(T a) { return x; }\n};\n",
       {"K.f"}},
  };
  for (const Row& row : rows) {
    std::string source = row.source;
    source.replace(source.find('@'), 1, mark);
    SCOPED_TRACE(source);
    const FileFacts facts =
        Extractor().facts_of(syntax::language_of_path(row.path).value(), source);
    Names names;
    for (std::uint32_t d = 0; d < facts.declarations.all.size(); ++d)
      if (is_suppressed(facts, d, Rule::dead_code))
        names.emplace_back(facts.names[facts.declarations.all[d].local_name]);
    EXPECT_EQ(names, row.names);
  }
}

// docs/reference/analysis.md, "Suppressions", places
TEST(Suppressions, Places) {
  struct Row {
    const char* what;
    std::string source;
    Names names;
  };
  const Row rows[] = {
      {"above", "# gatehouse: ignore[dead-code]\ndef f(): pass\n", {"f"}},
      {"above, the other spelling", "# codeclone: ignore[dead-code]\ndef f(): pass\n", {"f"}},
      {"above the decorators", "# gatehouse: ignore[dead-code]\n@a\n@b\ndef f(): pass\n", {"f"}},
      {"below the decorators", "@a\n@b\n# gatehouse: ignore[dead-code]\ndef f(): pass\n", {"f"}},
      {"between the decorators", "@a\n# gatehouse: ignore[dead-code]\n@b\ndef f(): pass\n", {}},
      {"beside a decorator", "@a  # gatehouse: ignore[dead-code]\ndef f(): pass\n", {}},
      {"a line between", "# gatehouse: ignore[dead-code]\n\ndef f(): pass\n", {}},
      {"beside", "def f():  # gatehouse: ignore[dead-code]\n    pass\n", {"f"}},
      {"beside the first line",
       "def f(  # gatehouse: ignore[dead-code]\n    a,\n):\n    pass\n",
       {"f"}},
      {"beside the closing colon",
       "def f(\n    a,\n):  # gatehouse: ignore[dead-code]\n    pass\n",
       {"f"}},
      {"beside the colon of a result",
       "def f(\n    a,\n) -> {1: 2}[1]:  # gatehouse: ignore[dead-code]\n    pass\n",
       {"f"}},
      {"beside a line between them",
       "def f(\n    a,  # gatehouse: ignore[dead-code]\n):\n    pass\n",
       {}},
      {"a colon in a comment closes nothing",
       "def f(\n    a,\n    # x: y\n):  # gatehouse: ignore[dead-code]\n    pass\n",
       {"f"}},
      {"inside the body", "def f():\n    pass  # gatehouse: ignore[dead-code]\n", {}},
      {"a class, not its methods",
       "# gatehouse: ignore[dead-code]\nclass K:\n    def m(self): pass\n",
       {"K"}},
      {"a method, not its class",
       "class K:\n    # gatehouse: ignore[dead-code]\n    def m(self): pass\n",
       {"K.m"}},
      {"a class header over lines",
       "class K(\n    A,\n):  # gatehouse: ignore[dead-code]\n    pass\n",
       {"K"}},
      {"async", "# gatehouse: ignore[dead-code]\nasync def f(): pass\n", {"f"}},
      {"something else beside it", "# gatehouse: ignore[dead-code] because\ndef f(): pass\n", {}},
      {"something else before it", "# please gatehouse: ignore[dead-code]\ndef f(): pass\n", {}},
      {"at the end of a line that is not the header",
       "x = 1  # gatehouse: ignore[dead-code]\ndef f(): pass\n",
       {}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(suppressed(row.source), row.names) << row.what;
}

TEST(Suppressions, PlacesInJavascript) {
  const auto found = [](const std::string& source) {
    const FileFacts facts = Extractor().facts_of(syntax::Language::javascript, source);
    std::vector<std::string> out;
    for (std::uint32_t d = 0; d < facts.declarations.all.size(); ++d)
      if (is_suppressed(facts, d, Rule::dead_code))
        out.emplace_back(facts.names[facts.declarations.all[d].local_name]);
    return out;
  };
  const std::pair<const char*, Names> rows[] = {
      {"// gatehouse: ignore[dead-code]\nfunction f() {}\n", {"f"}},
      {"/* gatehouse: ignore[dead-code] */\nconst f = () => {};\n", {"f"}},
      {"// gatehouse: ignore[dead-code]\nexport const f =\n  async () => {};\n", {"f"}},
      {"// gatehouse: ignore[dead-code]\nconst x = {\n  f() {},\n};\n", {}},
      {"function f() { // gatehouse: ignore[dead-code]\n}\n", {"f"}},
      {"function f(\n  x,\n) { // gatehouse: ignore[dead-code]\n}\n", {"f"}},
      {"function f(\n  x, // gatehouse: ignore[dead-code]\n  y,\n) {\n}\n", {}},
      {"class K {\n  // gatehouse: ignore[dead-code]\n  #m() {}\n}\n", {"K.#m"}},
      {"class K {\n  m = () => {}; // gatehouse: ignore[dead-code]\n}\n", {"K.m"}},
      {"/** gatehouse: ignore[dead-code] */\nfunction f() {}\n", {}},
  };
  for (const auto& [source, names] : rows)
    EXPECT_EQ(found(source), names) << source;
}

// docs/reference/analysis.md, "Suppressions", rules
TEST(Suppressions, Rules) {
  const std::pair<const char*, Rule> rows[] = {
      {"dead-code", Rule::dead_code},
      {"clone", Rule::clone},
      {"complexity", Rule::complexity},
      {"coupling", Rule::coupling},
      {"cohesion", Rule::cohesion},
      {"duplicated-branches", Rule::duplicated_branches},
      {"clone-cohort-drift", Rule::clone_cohort_drift},
      {"clone-guard-exit-divergence", Rule::clone_guard_exit_divergence},
  };
  for (const auto& [text, rule] : rows) {
    EXPECT_EQ(to_string(rule), text);
    EXPECT_EQ(
        suppressed(std::string("#gatehouse:ignore[ x1, ") + text + " ]\ndef f(): pass\n", rule),
        Names{"f"});
    EXPECT_EQ(suppressed("# gatehouse: ignore[other]\ndef f(): pass\n", rule), Names{});
  }
}

std::vector<std::string> unused(std::string source) {
  std::vector<std::string> out;
  for (const Value& item : unused_suppressions(python_project({{"m.py", std::move(source)}}))) {
    const Map& map = *item.as_map();
    out.push_back(std::to_string(*map.find("line")->as_int()) + " " +
                  *map.find("rule")->as_string() + " " + *map.find("reason")->as_string());
  }
  return out;
}

TEST(Suppressions, ThoseWithoutEffectAreListed) {
  EXPECT_EQ(unused("# gatehouse: ignore[dead-code, nonsense]\ndef f(): pass\n"
                   "# gatehouse: ignore[clone]\nx = 1\n# gatehouse: ignore[Upper]\n"
                   "# gatehouse: ignore clone\n# gatehouse: ignore[-x]\n# gatehouse is here\n"),
            (Names{"1 nonsense unknown_rule", "3 clone misplaced", "5  malformed", "6  malformed",
                   "7  malformed"}));
}

std::string long_function(const std::string& name, const std::string& above = "") {
  std::string out = above + "def " + name + "(a):\n";
  for (int i = 0; i < 12; ++i)
    out += "    a.call_" + std::to_string(i) + "(a)\n";
  return out;
}

const Map& at(const Value& document, std::initializer_list<std::string_view> path) {
  const Value* value = &document;
  for (const std::string_view key : path)
    value = value->as_map()->find(key);
  return *value->as_map();
}

// docs/reference/analysis.md, "Suppressions", effect
TEST(Suppressions, AGroupOfClonesLosesMembersAndThenItself) {
  const std::string mark = "# gatehouse: ignore[clone]\n";
  Project three = python_project(
      {{"m.py", long_function("f", mark) + long_function("g") + long_function("h")}});
  Findings found = find_all(three);
  ASSERT_EQ(found.function_clones.size(), 1u);
  EXPECT_EQ(found.function_clones[0].items.size(), 2u);
  EXPECT_TRUE(found.suppressed_functions.empty());
  Project two = python_project({{"m.py", long_function("f", mark) + long_function("g")}});
  found = find_all(two);
  EXPECT_TRUE(found.function_clones.empty());
  ASSERT_EQ(found.suppressed_functions.size(), 1u);
  const Value report = canonical_report(two, found);
  const List& suppressed_clones =
      *at(report, {"findings", "groups", "clones", "suppressed"}).find("functions")->as_list();
  ASSERT_EQ(suppressed_clones.size(), 1u);
  EXPECT_EQ(*suppressed_clones[0].as_map()->find("rule"), Value("clone"));
  EXPECT_EQ(*suppressed_clones[0].as_map()->find("source"), Value("inline"));
  EXPECT_EQ(*at(report, {"findings", "summary"}).find("suppressed"), Value(1));
}

TEST(Suppressions, DesignFindingsAreToldApart) {
  std::string branches = "def f(a):\n";
  for (int i = 0; i < 25; ++i)
    branches += "    if a == " + std::to_string(i) + ":\n        a.x()\n";
  std::string loose = "class K:\n";
  for (int i = 0; i < 5; ++i)
    loose += "    def m" + std::to_string(i) + "(self): return self.a" + std::to_string(i) + "\n";
  std::string imports, uses = "class C:\n    def m(self):\n";
  for (int i = 0; i < 12; ++i) {
    imports += "import i" + std::to_string(i) + "\n";
    uses += "        i" + std::to_string(i) + ".x()\n";
  }
  const auto ids = [](const Value& report, std::string_view list) {
    std::vector<std::string> out;
    for (const Value& group : *at(report, {"findings", "groups", "design"}).find(list)->as_list())
      out.push_back(*group.as_map()->find("id")->as_string());
    return out;
  };
  const Names all{"design:cohesion:m:K", "design:complexity:m:f", "design:coupling:m:C"};
  const Project plain = python_project({{"m.py", imports + branches + loose + uses}});
  const Value before = canonical_report(plain, find_all(plain));
  EXPECT_EQ(ids(before, "groups"), all);
  EXPECT_EQ(ids(before, "suppressed"), Names{});
  const Project marked =
      python_project({{"m.py", imports + "# gatehouse: ignore[complexity]\n" + branches +
                                   "# gatehouse: ignore[cohesion]\n" + loose +
                                   "# gatehouse: ignore[coupling]\n" + uses}});
  const Value after = canonical_report(marked, find_all(marked));
  EXPECT_EQ(ids(after, "groups"), Names{});
  EXPECT_EQ(ids(after, "suppressed"), all);
  const Project wrong =
      python_project({{"m.py", imports + "# gatehouse: ignore[cohesion]\n" + branches +
                                   "# gatehouse: ignore[coupling]\n" + loose +
                                   "# gatehouse: ignore[complexity]\n" + uses}});
  EXPECT_EQ(ids(canonical_report(wrong, find_all(wrong)), "groups"), all);
}

std::string branchy(const std::string& name, int ifs) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < ifs; ++i)
    out += "    if a == " + std::to_string(i) + ":\n        a.x" + std::to_string(i) + "()\n";
  return out;
}

// docs/reference/analysis.md, "Suppressions", effect
TEST(Suppressions, WhatIsLeftOutLeavesCountsSummariesGatesAndHealth) {
  const std::string loose =
      "class K:\n    def a(self): return self.x\n    def b(self): return self.y\n"
      "    def c(self): return self.z\n    def d(self): return self.w\n";
  std::string imports, uses = "class C:\n    def m(self):\n";
  for (int i = 0; i < 12; ++i) {
    imports += "import i" + std::to_string(i) + "\n";
    uses += "        i" + std::to_string(i) + ".x()\n";
  }
  const auto measured = [&](std::string_view complexity, std::string_view cohesion,
                            std::string_view coupling) {
    const Project project = python_project(
        {{"m.py", imports + std::string(complexity) + branchy("f", 25) + std::string(cohesion) +
                      loose + std::string(coupling) + uses}});
    return measure(project, find_all(project));
  };
  const Measures plain = measured("", "", "");
  EXPECT_EQ(plain.complexity.max, 26u);
  EXPECT_EQ(plain.complexity.count, 6u);
  EXPECT_EQ(plain.cohesion.max, 4u);
  EXPECT_EQ(plain.coupling.max, 12u);
  const Measures marked =
      measured("# gatehouse: ignore[complexity]\n", "# gatehouse: ignore[cohesion]\n",
               "# gatehouse: ignore[coupling]\n");
  EXPECT_EQ(marked.complexity.max, 1u);
  EXPECT_EQ(marked.complexity.count, 5u);
  EXPECT_EQ(marked.complexity.beyond, Names{});
  EXPECT_EQ(marked.cohesion.max, 1u);
  EXPECT_EQ(marked.cohesion.count, 1u);
  EXPECT_EQ(marked.graph_classes, 0u);
  EXPECT_EQ(marked.coupling.max, 0u);
  EXPECT_EQ(marked.coupling.count, 1u);
  EXPECT_GT(health_of(marked).score, health_of(plain).score);
}

TEST(Suppressions, MetricsListWhatIsLeftOutApart) {
  const Project project =
      python_project({{"m.py", "# gatehouse: ignore[complexity]\n" + branchy("f", 3) +
                                   "def g(a):\n    return a\n"
                                   "# gatehouse: ignore[coupling, cohesion]\nclass K: pass\n"}});
  const Value report = canonical_report(project, find_all(project));
  const auto names = [&](std::string_view family, std::string_view list) {
    Names out;
    for (const Value& item : *at(report, {"metrics", "families", family}).find(list)->as_list())
      out.push_back(*item.as_map()->find("qualname")->as_string());
    return out;
  };
  const auto total = [&](std::string_view family) {
    return *at(report, {"metrics", "families", family, "summary"}).find("total");
  };
  EXPECT_EQ(names("complexity", "items"), Names{"m:g"});
  EXPECT_EQ(names("complexity", "suppressed"), Names{"m:f"});
  EXPECT_EQ(total("complexity"), Value(1));
  for (const std::string_view family : {"coupling", "cohesion"}) {
    EXPECT_EQ(names(family, "items"), Names{}) << family;
    EXPECT_EQ(names(family, "suppressed"), Names{"m:K"}) << family;
    EXPECT_EQ(total(family), Value(0)) << family;
  }
}

TEST(Suppressions, DuplicatedBranchesAreLeftOutByTheirUnit) {
  const std::string source =
      "def f(a, xs):\n    if a == 1:\n        y = g(xs)\n        return y\n    elif a == 2:\n"
      "        y = g(xs)\n        return y\n";
  const auto found = [](const std::string& text) {
    const Project project = python_project({{"m.py", text}});
    const Findings all = find_all(project);
    return std::pair(all.structural.branches.size(), all.suppressed_structural.branches.size());
  };
  EXPECT_EQ(found(source), std::pair(std::size_t{1}, std::size_t{0}));
  EXPECT_EQ(found("# gatehouse: ignore[duplicated-branches]\n" + source),
            std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_EQ(found("# gatehouse: ignore[clone]\n" + source),
            std::pair(std::size_t{1}, std::size_t{0}));
}

TEST(Suppressions, CohortsAreLeftOutOnceNoMemberThatDiffersIsLeft) {
  std::string steps;
  for (int i = 0; i < 10; ++i)
    steps += "    s" + std::to_string(i) + "()\n";
  const std::string plain =
      "(a):\n    try:\n        x = g(a)\n    except ValueError:\n        x = 1\n    done()\n" +
      steps + "    return x\n";
  const std::string cleans =
      "(a):\n    try:\n        x = g(a)\n    except ValueError:\n        x = 1\n    finally:\n"
      "        done()\n" +
      steps + "    return x\n";
  const auto found = [&](std::string_view mark) {
    const Project project = python_project(
        {{"m.py", "def f" + plain + "def g" + plain + std::string(mark) + "def h" + cleans}});
    const Findings all = find_all(project);
    return std::pair(all.structural.cohorts.size(), all.suppressed_structural.cohorts.size());
  };
  EXPECT_EQ(found(""), std::pair(std::size_t{1}, std::size_t{0}));
  EXPECT_EQ(found("# gatehouse: ignore[clone-cohort-drift]\n"),
            std::pair(std::size_t{0}, std::size_t{1}));
  EXPECT_EQ(found("# gatehouse: ignore[clone-guard-exit-divergence]\n"),
            std::pair(std::size_t{1}, std::size_t{0}));
}

TEST(Suppressions, EveryFamilyOfClonesKnowsTheRule) {
  std::string half = "    if a:\n        reset()\n";
  for (int i = 0; i < 11; ++i)
    half += "    t" + std::to_string(i) + "(a" + std::to_string(i) + ".b)\n";
  const std::string segments = "def s(a):\n" + half + half;
  const std::string near = long_function("f") + "    one()\n" + long_function("g") + "    two()\n";
  const auto counts = [](const std::string& text) {
    const Project project = python_project({{"m.py", text}});
    const Findings all = find_all(project);
    return std::vector{all.segments.groups.size(), all.suppressed_segments.size(),
                       all.near_misses.groups.size(), all.suppressed_near_misses.size()};
  };
  using Counts = std::vector<std::size_t>;
  const std::string mark = "# gatehouse: ignore[clone]\n";
  EXPECT_EQ(counts(segments + near), (Counts{1, 0, 1, 0}));
  EXPECT_EQ(counts(mark + segments + mark + near), (Counts{0, 1, 0, 1}));
}

// docs/reference/analysis.md, "Suppressions", added by a change
TEST(Suppressions, WhatIsAddedIsKnownBySymbolAndRule) {
  const std::string f = "def f(): pass\n", g = "def g(): pass\n";
  const std::string dead = "# gatehouse: ignore[dead-code]\n";
  const auto added = [](const std::string& before, const std::string& after) {
    Names out;
    for (const Value& entry :
         added_suppressions(bound_suppressions(python_project({{"m.py", before}})),
                            bound_suppressions(python_project({{"m.py", after}}))))
      out.push_back(*entry.as_map()->find("qualname")->as_string() + " " +
                    *entry.as_map()->find("rule")->as_string());
    return out;
  };
  EXPECT_EQ(added(f, dead + f), Names{"m:f dead-code"});
  EXPECT_EQ(added(dead + f, dead + f), Names{});
  EXPECT_EQ(added(dead + f, "\n\n@a\n" + dead + f), Names{}) << "another line";
  EXPECT_EQ(added(dead + f, f), Names{});
  EXPECT_EQ(added(dead + f, "# gatehouse: ignore[dead-code, clone]\n" + f), Names{"m:f clone"});
  EXPECT_EQ(added(dead + f + g, f + dead + g), Names{"m:g dead-code"}) << "carried elsewhere";
  EXPECT_EQ(added(dead + f, dead + f + dead + f), Names{"m:f dead-code"}) << "a second one";
  EXPECT_EQ(added(f, "# gatehouse: ignore[nonsense]\n" + f), Names{});
  EXPECT_EQ(added(dead + f + f, f + dead + f), Names{"m:f dead-code"}) << "to its namesake";
  EXPECT_EQ(added(f + dead + f, f + dead + f), Names{});
}

TEST(Suppressions, WhatIsCarriedToANamesakeIsSetAside) {
  const std::string f = "def f(): pass\n", dead = "# gatehouse: ignore[dead-code]\n";
  const Project after = python_project({{"m.py", f + dead + f}});
  const List added = added_suppressions(
      bound_suppressions(python_project({{"m.py", dead + f + f}})), bound_suppressions(after));
  ASSERT_EQ(added.size(), 1u);
  const List cards = suppression_cards(added);
  EXPECT_EQ(*cards[0].as_map()->find("id"), Value("suppression_added:dead-code:m:f#2"));
  EXPECT_EQ(*cards[0].as_map()->find("qualname"), Value("m:f"));
  EXPECT_EQ(dead_code_of(without_suppressions(after, added)).items.size(), 1u);
}

TEST(Suppressions, FilesOfOnePackageAreToldApart) {
  const auto bound = [](const std::string& a, const std::string& b) {
    Project project;
    for (const auto& [path, source] : Sources{{"p/a.go", a}, {"p/b.go", b}})
      project.files.push_back({path, syntax::Language::go,
                               Extractor().facts_of(syntax::Language::go, "package p\n" + source)});
    return bound_suppressions(project);
  };
  const std::string f = "func f() {}\n", dead = "// gatehouse: ignore[dead-code]\n";
  EXPECT_EQ(added_suppressions(bound(dead + f, f), bound(f, dead + f)).size(), 1u);
  EXPECT_EQ(added_suppressions(bound(dead + f, f), bound(dead + f, f)).size(), 0u);
}

TEST(Suppressions, ManyOfThemAreFoundByHalving) {
  constexpr int kPairs = 40'000;
  std::string marked, plain;
  for (int i = 0; i < kPairs; ++i) {
    const std::string n = std::to_string(i);
    plain += "def f" + n + "(): pass\nclass K" + n + ": pass\n";
    marked += "# gatehouse: ignore[complexity]\ndef f" + n +
              "(): pass\n# gatehouse: ignore[cohesion]\nclass K" + n + ": pass\n";
  }
  const Project before = python_project({{"m.py", plain}});
  const Project after = python_project({{"m.py", marked}});
  const auto count = [](const FileFacts& facts, Rule of_units, Rule of_classes) {
    std::size_t out = 0;
    for (std::uint32_t u = 0; u < facts.units.size(); ++u)
      out += is_unit_suppressed(facts, u, of_units) ? 1 : 0;
    for (std::uint32_t c = 0; c < facts.classes.size(); ++c)
      out += is_class_suppressed(facts, c, of_classes) ? 1 : 0;
    for (std::uint32_t d = 0; d < facts.declarations.all.size(); ++d)
      out += is_suppressed(facts, d, of_units) ? 1 : 0;
    return out;
  };
  const FileFacts& facts = after.files[0].facts;
  EXPECT_EQ(count(facts, Rule::complexity, Rule::cohesion), std::size_t{3} * kPairs);
  EXPECT_EQ(count(facts, Rule::cohesion, Rule::complexity), std::size_t{kPairs});
  const List added = added_suppressions(bound_suppressions(before), bound_suppressions(after));
  EXPECT_EQ(added.size(), std::size_t{2} * kPairs);
  const Project bare = without_suppressions(after, added);
  EXPECT_EQ(count(bare.files[0].facts, Rule::complexity, Rule::cohesion), 0u);
}

}  // namespace
}  // namespace gh::analysis
