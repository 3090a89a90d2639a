#include "analysis/complexity.h"

#include <gtest/gtest.h>

#include "analysis/extract.h"

namespace gh::analysis {
namespace {

struct Case {
  std::string_view body;
  std::uint32_t cyclomatic, nesting;
};

std::string indented(std::string_view body) {
  std::string out = "def f(a, b, c, xs, p):\n    ";
  for (const char c : body) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out + "\n";
}

UnitFact unit_of(const std::string& source, std::size_t index = 0) {
  FileFacts facts = Extractor().facts_of(syntax::Language::python, source);
  EXPECT_EQ(facts.status, FileStatus::ok) << source;
  EXPECT_GT(facts.units.size(), index) << source;
  return facts.units.size() > index ? facts.units[index] : UnitFact{};
}

// docs/reference/analysis.md, "Complexity and nesting", worked examples
// clang-format off
const Case kCases[] = {
    {"b = a + 1\nreturn b", 1, 0},
    {"if a: return 1\nreturn 2", 2, 1},
    {"if a:\n    x = 1\nelif b:\n    x = 2\nelse:\n    x = 3\nreturn x", 3, 1},
    {"if a and b and c: return 1\nreturn 0", 4, 1},
    {"if a or (b and c): return 1\nreturn 0", 3, 1},
    {"x = a and b", 1, 0},
    {"return 1 if a else 2", 1, 0},
    {"return [x for x in xs if x if x > 2]", 1, 0},
    {"assert a and a > 1", 1, 0},
    {"for x in xs: t += x", 2, 1},
    {"for x in xs:\n    if x: break\nelse: return 1\nreturn 0", 3, 2},
    {"while a and b: a -= 1", 3, 1},
    {"while True:\n    a -= 1\n    if a < 0: break", 3, 2},
    {"try: x = int(a)\nexcept ValueError: x = 0", 3, 1},
    {"try: x = a\nexcept ValueError: x = 0", 2, 1},
    {"try:\n    g(a)\nexcept A:\n    x = 1\nexcept B:\n    x = 2\nelse:\n    x = 3\nfinally:\n    x = 4", 4, 1},
    {"try:\n    g(a)\n    h(a)\n    k(a)\nexcept ValueError:\n    x = 0", 3, 1},
    {"try: g(a)\nfinally: h(a)", 1, 1},
    {"try: return g(a)\nexcept ValueError: return None", 3, 1},
    {"with open(p) as h: d = h.read()", 1, 1},
    {"match a:\n    case 1: return 1\n    case 2 if a > 0: return 2\n    case _: return 3", 4, 1},
    {"def g(y):\n    if y: return 1\n    return 2\nreturn [g(x) for x in xs]", 1, 0},
    {"if a: return 1\nelse: return 2", 2, 1},
    {"if a: raise E\nif b: return 1\nfor i in xs:\n    if i: continue\n    if c: break\nreturn i", 6, 2},
    {"async with lock() as l:\n    async for x in xs: await g(x)", 2, 2},
    {"return a\nif a: b", 1, 1},
    // the closed form, beyond the examples
    {"if not (a and b): return 1", 2, 1},
    {"if (a and b) and c: return 1", 3, 1},
    {"if a and b or c: return 1", 3, 1},
    {"else_ = 1\nif a:\n    pass\nelse:\n    if b:\n        pass", 3, 2},
    {"try:\n    a()\n    if b:\n        c()\n    a()\nexcept E:\n    pass", 5, 2},
    {"try:\n    return a()\n    b()\nexcept E:\n    pass", 3, 1},
    {"try:\n    a()\nexcept* E:\n    pass", 3, 1},
    {"lambda: [1 if a else 2 for a in xs]", 1, 0},
    {"class K:\n    def m(self):\n        if a: return 1", 1, 0},
    {"while a:\n    b()\nelse:\n    if c: d()", 3, 2},
};
// clang-format on

TEST(Complexity, ClosedFormAndNestingOfTheWorkedExamples) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.body);
    std::string source = indented(c.body);
    if (c.body.starts_with("async")) source = "async " + source;
    const UnitFact unit = unit_of(source);
    EXPECT_EQ(unit.complexity.cyclomatic, c.cyclomatic);
    EXPECT_EQ(unit.complexity.nesting, c.nesting);
  }
}

TEST(Complexity, ANestedFunctionIsAUnitOfItsOwn) {
  const UnitFact g = unit_of(indented("def g(y):\n    if y: return 1\n    return 2\nreturn g"), 1);
  EXPECT_EQ(g.local_name, "f.<locals>.g");
  EXPECT_EQ(g.kind, UnitKind::nested);
  EXPECT_EQ(g.complexity.cyclomatic, 2u);
  EXPECT_EQ(g.complexity.nesting, 1u);
}

TEST(Complexity, CognitiveCountsNestingChainsAndSequences) {
  struct Row {
    std::string_view body;
    std::uint32_t cognitive;
  };
  const Row rows[] = {
      {"return a", 0},
      {"if a: return 1", 1},
      {"if a:\n    b()\nelif c:\n    d()\nelse:\n    e()", 3},
      {"for x in xs:\n    if x:\n        g()", 3},                        // 1 + 2
      {"for x in xs:\n    if x:\n        while a:\n            g()", 6},  // 1 + 2 + 3
      {"if a and b and c: g()", 2},
      {"if a and b or c: g()", 3},
      {"return 1 if a else 2", 1},
      {"try:\n    g()\nexcept E:\n    h()", 1},
      {"if a:\n    try:\n        g()\n    except E:\n        h()", 3},
      {"return f(a)", 1},
      {"match a:\n    case 1: g()\n    case 2: h()", 1},
      {"return lambda: 1 if a else 2", 2},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.body);
    EXPECT_EQ(unit_of(indented(row.body)).complexity.cognitive, row.cognitive);
  }
}

TEST(Complexity, ACallOfAnotherOfThatNameIsNoRecursion) {
  using syntax::Language;
  struct Row {
    Language language;
    std::string_view source;
    std::uint32_t cognitive;  // of the last unit
  };
  const Row rows[] = {
      {Language::python, "def close(f): f.close()\n", 0},
      {Language::python, "class K:\n    def load(self): load(self)\n", 0},
      {Language::python, "class K:\n    def load(self): super().load()\n", 0},
      {Language::python, "class K:\n    def load(this): this.load()\n", 1},
      {Language::python, "class K:\n    @classmethod\n    def load(cls): cls.load()\n", 1},
      {Language::python, "class K:\n    def load(x): K.load(x)\n", 1},
      {Language::python, "class K:\n    def load(self): self.inner.load()\n", 0},
      {Language::java, "class K { void close() { f.close(); } }", 0},
      {Language::java, "class K { String toString() { return super.toString(); } }", 0},
      {Language::java, "class K { int ov(int u) { return ov(u, 1); } }", 0},
      {Language::java, "class K { int ov(int u) { return ov(u); } }", 1},
      {Language::java, "class K { int ov(int u) { return this.ov(u); } }", 1},
      {Language::java, "class K { static int ov(int... u) { return K.ov(1, 2, 3); } }", 1},
      {Language::cpp, "struct K { int size() { return v_.size(); } };", 0},
      {Language::cpp, "struct K { int size() { return this->size(); } };", 1},
      {Language::cpp, "struct K { int size() { return size(); } };", 1},
      {Language::cpp, "struct K : B { int area() { return B::area(); } };", 0},
      {Language::cpp, "struct K { int area() { return K::area(); } };", 1},
      {Language::cpp, "struct K { int load(int u) { return ::load(u); } };", 0},
      {Language::cpp, "int load(int u) { return ::load(u); }", 1},
      {Language::cpp, "int K::load(int u) { return load(u); }", 1},
      {Language::cpp, "int load(int u, int v = 1) { return load(u); }", 1},
      {Language::cpp, "int load(int u) { return load(u, 1); }", 0},
      {Language::cpp, "namespace n { int load(int u) { return n::load(u); } }", 1},
      {Language::c, "int f(int a) { return f(a); }", 1},
      {Language::c, "int f(int a) { return f(); }", 1},
      {Language::c, "int f(struct s *p) { return p->f(1); }", 0},
      {Language::javascript, "class K extends B { render() { super.render(); } }", 0},
      {Language::javascript, "class K { render() { this.render(); } }", 1},
      {Language::javascript, "class K { render() { render(); } }", 0},
      {Language::typescript, "class K { render() { this.render(); } }", 1},
      {Language::typescript, "class K { render() { render(); } }", 0},
      {Language::tsx, "class K { render() { this.render(); } }", 1},
      {Language::tsx, "class K { render() { render(); } }", 0},
      {Language::javascript, "const f = (n) => f(n - 1);", 1},
      {Language::javascript, "function f(o) { o.f(); }", 0},
      {Language::go, "package p\nfunc Close(f *F) { f.Close() }\n", 0},
      {Language::go, "package p\nfunc (f *F) Close() { f.Close() }\n", 1},
      {Language::go, "package p\nfunc (f *F) Close() { Close(f) }\n", 0},
      {Language::go, "package p\nfunc Close(n int) { Close(n - 1) }\n", 1},
      {Language::rust, "struct K; impl K { fn load(&self) { load(self); } }", 0},
      {Language::rust, "struct K; impl K { fn load(&self) { self.load(); } }", 1},
      {Language::rust, "struct K; impl K { fn load(&self) { Self::load(self); } }", 1},
      {Language::rust, "struct K; impl K { fn load(&self) { K::load(self); } }", 1},
      {Language::rust, "struct K; impl K { fn load(&self) { self.inner.load(); } }", 0},
      {Language::rust, "fn load() { load() }", 1},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.source);
    const FileFacts facts = Extractor().facts_of(row.language, row.source);
    ASSERT_FALSE(facts.units.empty());
    EXPECT_EQ(facts.units.back().complexity.cognitive, row.cognitive);
  }
}

}  // namespace
}  // namespace gh::analysis
