// Go: docs/reference/analysis.md, "Languages".
#include "analysis/language_kit.h"
#include "analysis/memory_source.h"

namespace gh::analysis {
namespace {

using kit::Measured;
using kit::Pair;
using Names = std::vector<std::string>;
constexpr auto kGo = syntax::Language::go;

std::string in_function(std::string_view body) {
  return "package p\nfunc f(a, b, c int, xs []int, ch chan int, v interface{}) {\n" +
         std::string(body) + "\n}\n";
}

// clang-format off
constexpr Measured kMeasured[] = {
    {"b = a + 1\nreturn", 1, 0},
    {"if a > 1 { return }\nreturn", 2, 1},
    {"if a == 1 { b = 1 } else if a == 2 { b = 2 } else { b = 3 }", 3, 1},
    {"if a > 1 && b > 1 && c > 1 { return }", 4, 1},
    {"if a > 1 || (b > 1 && c > 1) { return }", 3, 1},
    {"if a > 1 && b > 1 || c > 1 { return }", 3, 1},
    {"if !(a > 1 && b > 1) { return }", 2, 1},
    {"x := a > 1 && b > 1\n_ = x", 1, 0},
    {"if x := g(); x > 0 { b = x }", 2, 1},
    {"if x, err := g(); err != nil && x > 0 { b = x } else { b = 0 }", 3, 1},
    {"for i := 0; i < a; i++ { b += i }", 2, 1},
    {"for i, j := 0, 1; i < a && j < b; i, j = i+1, j+1 { c++ }", 3, 1},
    {"for i := 0; ; i++ { b += i }", 2, 1},
    {"for _, x := range xs { b += x }", 2, 1},
    {"for range xs { b++ }", 2, 1},
    {"for a < b { a++ }", 2, 1},
    {"for a < b && b < c { a++ }", 3, 1},
    {"for { if a > b { break }; a++ }", 3, 2},
    {"switch a { case 1: b = 1; case 2, 3: b = 2; default: b = 3 }", 3, 1},
    {"switch { case a > 1: b = 1; case b > 1 && c > 1: b = 2 }", 3, 1},
    {"switch x := g(); x { case 1: return; default: }", 2, 1},
    {"switch a { case 1: if b > 1 { c = 1 }; fallthrough; case 2: c = 2 }", 4, 2},
    {"switch t := v.(type) { case int: b = t; case string, error: b = 1; default: b = 2 }", 3, 1},
    {"switch v.(type) { case nil: }", 2, 1},
    {"select { case x := <-ch: b = x; case ch <- 1: b = 1; default: b = 0 }", 3, 1},
    {"select { case <-ch: }", 2, 1},
    {"select {}", 1, 1},
    {"defer g()\ngo g()\nreturn", 1, 0},
    {"defer func() { if r := recover(); r != nil { b = 1 } }()", 1, 0},
    {"h := func(x int) int { if x > 1 { return 1 }; return 2 }\n_ = h", 1, 0},
    {"return\nif a > 1 { b = 1 }", 1, 1},
    {"if a > 1 { goto done }\nreturn\ndone:\nif b > 1 { c = 1 }", 3, 1},
    {"outer:\nfor _, x := range xs { for { if x > 1 { continue outer }; break outer } }", 4, 3},
    {"{ if a > 1 { b = 1 } }", 2, 1},
    {"for { select { case x := <-ch: if x > 1 { return }; default: return } }", 4, 3},
    {"panic(a)\nif a > 1 { b = 1 }", 2, 1},
    {"if a > 1 { for _, x := range xs { if x > 1 { continue }; if x > 2 { break } } }", 5, 3},
    {"if a > 1 { b = 1 } else { if b > 1 { c = 1 } }", 3, 2},
    {"for a := 1; a < 10; { a *= 2 }", 2, 1},
    {"if err := g(); err != nil { return }\nif err := h(); err != nil { return }", 3, 1},
    {"ch <- a\nb = <-ch", 1, 0},
    {"if a > 1 { return } else if b > 1 { return } else if c > 1 { return }", 4, 1},
};

constexpr Pair kPairs[] = {
    {"outer:\nfor _, x := range xs { for { if x > 1 { continue outer } } }",
     "outer:\nfor _, x := range xs { for { if x > 1 { continue } } }", false},
    {"outer:\nfor { for { break outer } }", "outer:\nfor { for { break outer } }", true},
    {"x := a + 1\ng(x)", "y := b + 2\ng(y)", true},
    {"x := a + 1\ng(x)", "x := a + 1\nh(x)", false},
    {"x := a + 1\ng(x)", "x := 1 + a\ng(x)", false},
    {"var x int = 1\ng(x)", "x := 1\ng(x)", true},
    {"var x int\nx = 1", "x = 1", true},
    {"var x, y = 1, 2\ng(x, y)", "var x = 1\nvar y = 2\ng(x, y)", true},
    {"a++", "a += 1", true},
    {"a--", "a++", false},
    {"a = a * 2", "a *= 2", true},
    {"v.a.b(a)", "v.a.b(b)", true},
    {"v.a.b(a)", "v.c.b(a)", false},
    {"a = v.x", "a = v.y", true},
    {"if a > 1 { b = 1 } else if c > 1 { b = 2 }", "if a > 1 { b = 1 } else { if c > 1 { b = 2 } }", true},
    {"if a > 1 { b = 1 }", "if (a > 1) { b = 1 }", true},
    {"if x := g(); x > 1 { b = 1 }", "if a > 1 { b = 1 }", false},
    {"for _, x := range xs { g(x) }", "for _, y := range xs { g(y) }", true},
    {"for _, x := range xs { g(x) }", "for x := range xs { g(x) }", false},
    {"for i := 0; i < a; i++ { g(i) }", "for j := 1; j < b; j++ { g(j) }", true},
    {"for i := 0; i < a; i++ { g(i) }", "for i := 0; i <= a; i++ { g(i) }", false},
    {"for a < b { a++ }", "for { a++ }", false},
    {"g(a)", "go g(a)", false},
    {"g(a)", "defer g(a)", false},
    {"defer g(a)", "go g(a)", false},
    {"switch a { case 1: b = 1 }", "switch c { case 1: b = 2 }", true},
    {"switch a { case 1: b = 1 }", "switch a { case 2: b = 1 }", false},
    {"switch { case a > 1: b = 1 }", "switch { case c > 2: b = 1 }", true},
    {"switch v.(type) { case int: b = 1 }", "switch v.(type) { case string: b = 1 }", false},
    {"select { case x := <-ch: g(x) }", "select { case y := <-ch: g(y) }", true},
    {"v = T{x: 1}", "v = T{x: 2}", true},
    {"v = T{x: 1}", "v = T{y: 1}", false},
    {"v = T{x: 1}", "v = U{x: 1}", false},
    {"v = []int{1, 2}", "v = []string{\"a\", \"b\"}", true},
    {"v = []int{1, 2}", "v = map[int]int{1: 2}", false},
    {"v = xs[1:]", "v = xs[:1]", false},
    {"v = xs[1:]", "v = xs[2:]", true},
    {"v = v.(int)", "v = v.(string)", true},
    {"v = v.(int)", "v = int(v)", false},
    {"g[int](a)", "g[string](a)", true},
    {"h := func(x int) { g(x) }\nh(a)", "h := func(x string) { g(x) }\nh(a)", true},
    {"a = b & c", "a = b &^ c", false},
    {"a = <-ch", "a = *v", false},
    {"return // never\ng(a)", "return", true},
    {"break_: g(a)\nreturn", "other: g(a)\nreturn", false},
};
// clang-format on

TEST(Go, ComplexityAndNesting) { kit::expect_measures(kGo, kMeasured, in_function); }

TEST(Go, Clones) { kit::expect_clones(kGo, kPairs, in_function); }

TEST(Go, CognitiveCountsLabels) {
  const auto cognitive = [](std::string_view body) {
    return kit::unit(kit::facts(kGo, in_function(body)), "f").complexity.cognitive;
  };
  EXPECT_EQ(cognitive("for a < b { if a > 1 { continue } }"), 3u);        // 1 + 2
  EXPECT_EQ(cognitive("o:\nfor a < b { if a > 1 { continue o } }"), 4u);  // 1 + 2 + 1
  EXPECT_EQ(cognitive("if a > 1 && b > 1 { g() } else { f(a) }"), 4u);    // 1 + 1 + 1, recursion
  EXPECT_EQ(cognitive("switch a { case 1: if b > 1 { g() } }"), 3u);      // 1 + 2
  EXPECT_EQ(cognitive("h := func() { if a > 1 { g() } }\nh()"), 2u);      // 2
}

TEST(Go, UnitsAreNamedByTheirReceiver) {
  const FileFacts facts = kit::facts(kGo, R"(package p
type T struct { a int }
func (t *T) one() {}
func (T) two() {}
func (t *L[K, V]) three(k K) V { var v V; return v }
func four[K any](k K) {}
type I interface { m(a int) error }
func five()
)");
  EXPECT_EQ(kit::unit_names(facts), (Names{"T.one", "T.two", "L.three", "four"}));
  EXPECT_EQ(kit::unit(facts, "T.one").kind, UnitKind::method);
  EXPECT_EQ(kit::unit(facts, "four").kind, UnitKind::function);
  const Project project{.files = {{"a/b/c.go", kGo, facts}}};
  EXPECT_EQ(qualname_of(project, {0, 0}), "a.b:T.one");
  const Project root{.files = {{"c.go", kGo, facts}}};
  EXPECT_EQ(qualname_of(root, {0, 0}), ".:T.one");
}

// lcom4, methods, instance variables
TEST(Go, CohesionIsThatOfTheDeclaredReceiver) {
  struct Row {
    const char* what;
    std::string source;
    Cohesion expected;
  };
  const Row rows[] = {
      {"no methods", "type T struct { a int }\n", {1, 0, 0, 0}},
      {"one", "type T struct { a int }\nfunc (t T) f() int { return t.a }\n", {1, 1, 1, 1}},
      {"shared",
       "type T struct { a int }\nfunc (t *T) f() { t.a = 1 }\nfunc (s T) g() int { return s.a }\n",
       {1, 2, 1, 2}},
      {"two parts",
       "type T struct { a, b int }\nfunc (t *T) f() { t.a = 1 }\nfunc (t *T) g() { t.b = 1 }\n",
       {2, 2, 2, 2}},
      {"a call",
       "type T struct { a, b int }\nfunc (t *T) f() { t.g() }\nfunc (t *T) g() { t.b = 1 }\n",
       {1, 2, 2, 2}},
      {"no name",
       "type T struct { a int }\nfunc (t *T) f() { t.a = 1 }\nfunc (*T) g() { a := 1; _ = a }\n",
       {2, 2, 1, 2}},
      {"in a literal",
       "type T struct { a int }\nfunc (t *T) f() { t.a = 1 }\nfunc (t *T) g() { h(func() { t.a = 2 "
       "}) }\n",
       {1, 2, 1, 2}},
      {"not the receiver",
       "type T struct { a int }\nfunc (t *T) f() { t.a = 1 }\nfunc (t *T) g(u *T) { u.a = 2 }\n",
       {2, 2, 1, 2}},
      {"an interface", "type T interface { f(); g() }\n", {1, 2, 0, 0}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    EXPECT_EQ(kit::cohesion(kit::project(kGo, {{"p/a.go", "package p\n" + row.source}}), "T"),
              row.expected);
  }
}

TEST(Go, MethodsOfAPackageComeTogether) {
  const Project project = kit::project(
      kGo, {{"p/a.go", "package p\ntype T struct { a, b int }\nfunc (t *T) f() { t.a = 1 }\n"},
            {"p/b.go", "package p\nimport \"fmt\"\nfunc (t *T) g() { fmt.Println(t.b) }\n"},
            {"p/c.go", "package p\nfunc (t *T) h() { t.f(); t.g() }\n"},
            {"q/a.go", "package q\ntype T struct { a int }\n"}});
  const std::vector<ClassRecord> records = class_records(project);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].fact->cohesion, (Cohesion{1, 3, 4, 3}));  // a, b, f, g
  EXPECT_EQ(records[0].fact->coupled, (Names{"fmt"}));
  EXPECT_EQ(records[0].file->path, "p/a.go");
  EXPECT_EQ(records[1].fact->cohesion.methods, 0u);
}

TEST(Go, CouplingSeesImportsByTheirLastWord) {
  const FileFacts facts = kit::facts(kGo, R"(package p
import (
  "encoding/json"
  x "os/exec"
  "example.org/tool/v2"
  . "strings"
  _ "embed"
)
type U struct{}
type T struct { u U; d json.Decoder }
func (t *T) f(c x.Cmd) { tool.Run(t); fmt.Println(c) }
)");
  ASSERT_EQ(facts.classes.size(), 3u);
  EXPECT_EQ(facts.classes[1].coupled, (Names{"U", "json"}));
  EXPECT_EQ(facts.classes[2].coupled, (Names{"tool", "x"}));
  EXPECT_EQ(facts.imports.size(), 5u);
  EXPECT_EQ(facts.imports[0].module, "encoding/json");
}

TEST(Go, ImportsLeadToFolders) {
  const kit::Files files = {
      {"main.go", "package main\nimport (\"example.org/m/a\"; \"fmt\"; \"example.org/m/a/b\")\n"},
      {"a/x.go", "package a\nimport \"example.org/m/a/b\"\n"},
      {"a/x_test.go", "package a_test\nimport \"example.org/m/a\"\n"},
      {"a/b/y.go",
       "package b\nimport \"example.org/m\"\nimport \"fmt\"\nimport \"other.org/m/a\"\n"},
      {"fmt/z.go", "package fmt\n"}};
  Project project = kit::project(kGo, files);
  project.go_modules = {{"", "example.org/m"}};
  EXPECT_EQ(kit::edges(project), (Names{". -> a", ". -> a.b", "a -> a.b", "a.b -> ."}));
  project.go_modules = {{"a", "example.org/m/a"}, {"", "example.org"}};
  EXPECT_EQ(kit::edges(project), (Names{". -> a", ". -> a.b", "a -> a.b"}));
  project.go_modules.clear();  // then whole paths only
  EXPECT_EQ(kit::edges(project), (Names{". -> fmt", "a.b -> fmt"}));
}

TEST(Go, ARunReadsWhatModulesAreCalled) {
  MemorySource files({{"go.mod", "// about\nmodule example.org/m // here\n\ngo 1.19\n"},
                      {"tools/go.mod", "module \"example.org/tools\"\n"},
                      {"vendor/x/go.mod", "module x\n"},
                      {"odd/go.mod", "modulex y\n"},
                      {"a.go", "package a\n"}});
  const auto project = analyse(files, {});
  ASSERT_TRUE(project.has_value());
  EXPECT_EQ(project->go_modules,
            (std::vector<GoModule>{{"", "example.org/m"}, {"tools", "example.org/tools"}}));
  EXPECT_EQ(project->files.size(), 1u);
}

TEST(Go, EveryNodeOfTheGrammarHasARow) { EXPECT_EQ(kit::without_row(kGo), Names{}); }

TEST(Go, BrokenCodeIsReadAroundTheBreak) {
  const FileFacts facts =
      Extractor().facts_of(kGo, "package p\nfunc f() { if a > { }\n}\nfunc g() { return }\n");
  EXPECT_EQ(facts.status, FileStatus::partial);
  EXPECT_FALSE(kit::unit(facts, "g").incomplete);
}

}  // namespace
}  // namespace gh::analysis
