#include "analysis/language_cases.h"

namespace gh::analysis {
namespace {

struct Row {
  std::string_view what, source;
  std::uint32_t lcom4, methods, instance_variables;
};

void check(syntax::Language language, const Row& row) {
  SCOPED_TRACE(row.what);
  const FileFacts facts = LanguageCases{language}.facts(row.source);
  ASSERT_FALSE(facts.classes.empty());
  EXPECT_EQ(facts.classes[0].cohesion.lcom4, row.lcom4);
  EXPECT_EQ(facts.classes[0].cohesion.methods, row.methods);
  EXPECT_EQ(facts.classes[0].cohesion.instance_variables, row.instance_variables);
}

/// Of the class named D, which stands somewhere in the file.
void check_derived(syntax::Language language, const Row& row) {
  SCOPED_TRACE(row.what);
  const FileFacts facts = LanguageCases{language}.facts(row.source);
  const auto at = std::ranges::find(facts.classes, "D", &ClassFact::local_name);
  ASSERT_NE(at, facts.classes.end());
  EXPECT_EQ(at->cohesion.lcom4, row.lcom4);
  EXPECT_EQ(at->cohesion.methods, row.methods);
  EXPECT_EQ(at->cohesion.instance_variables, row.instance_variables);
}

TEST(Cohesion, ABareNameMayBeInherited) {
  const Row java[] = {
      {"with and without this",
       "class B { protected int v; } class D extends B { int g() { return v; } void i() { "
       "this.v++; "
       "} }",
       1, 2, 1},
      {"over another class",
       "class D extends C { int g() { return v; } void i() { v++; } } class C extends B { } class "
       "B "
       "{ int v; }",
       1, 2, 1},
      {"a method",
       "class B { int h() { return 1; } } class D extends B { int g() { return h(); } int i() { "
       "return h(); } }",
       1, 2, 1},
      {"of itself", "class D extends D { int g() { return v; } int i() { return v; } }", 2, 2, 0},
      {"unknown", "class D extends B { int g() { return v; } int i() { return v; } }", 2, 2, 0},
  };
  for (const Row& row : java)
    check_derived(syntax::Language::java, row);
  check_derived(
      syntax::Language::cpp,
      {"C++",
       "struct B { int v; }; struct D : B { int g() { return v; } void i() { this->v++; } "
       "};",
       1, 2, 1});
}

// docs/reference/analysis.md, "Cohesion": the receiver is `this`
TEST(Cohesion, OfJavascriptClasses) {
  const Row rows[] = {
      {"no methods", "class A {}", 1, 0, 0},
      {"one method", "class A { m() { return this.x; } }", 1, 1, 1},
      {"one field for all",
       "class A { constructor() { this.a = 1; } get() { return this.a; } put(v) { this.a = v; } }",
       1, 3, 1},
      {"two fields",
       "class A { a1() { this.x = 1; } a2() { return this.x; } b1() { this.y = 1; } b2() { return "
       "this.y; } }",
       2, 4, 2},
      {"a call", "class A { a() { return this.b(); } b() { return 1; } c() { return 2; } }", 2, 3,
       1},
      {"static stands outside",
       "class A { static s() {} m() { return this.x; } n() { return this.x; } }", 1, 3, 1},
      {"getter and setter are one",
       "class A { get p() { return this._p; } set p(v) { this._q = v; } }", 1, 2, 2},
      {"functions inside", "class A { m() { g(() => this.x); } n() { return this.x; } }", 1, 2, 1},
      {"fields with functions", "class A { m = () => this.x; n = () => this.x; }", 1, 2, 1},
      {"taken apart", "class A { m() { const {x} = this; return x; } n() { return this.x; } }", 1,
       2, 1},
      {"taken apart under other names and with defaults",
       "class A { m() { let x, z; ({x: z, y = 1} = this); } n() { this.x = this.y; } }", 1, 2, 2},
      {"another thing taken apart",
       "class A { m() { const {x} = that; return x; } n() { return this.x; } }", 2, 2, 1},
      {"by a literal key", "class A { m() { return this['x']; } n() { this.x = 1; } }", 1, 2, 1},
      {"by a key that is not known", "class A { m(k) { return this[k]; } n() { this.x = 1; } }", 2,
       2, 1},
  };
  for (const Row& row : rows)
    check(syntax::Language::javascript, row);
}

// docs/reference/analysis.md, "Languages": what a method calls its instance. Each class has one
// attribute reached in the way of the language and others reached in the ways of the others.
TEST(Cohesion, EveryLanguageHasItsReceiver) {
  using syntax::Language;
  constexpr std::string_view kScript =
      "class A { x = 1; y = 2; m(self) { return this.x + y + self.z; } }";
  struct Case {
    Language language;
    std::string_view source;
    std::vector<std::string> reached;
  };
  const Case cases[] = {
      {Language::python, "class A:\n def m(me, self): return me.x + self.z + this.y\n", {"x"}},
      {Language::cpp,
       "struct A { int m(A* a) { return this->x + y + a->z; } int x, y, z; };",
       {"x", "y"}},
      {Language::javascript, kScript, {"x"}},
      {Language::typescript, kScript, {"x"}},
      {Language::tsx, kScript, {"x"}},
      {Language::go,
       "package p\nfunc (me *A) m(this *A) int { return me.x + this.z + y }\n",
       {"x"}},
      {Language::rust, "impl A { fn m(&self, this: &A) -> i32 { self.x + this.z + y } }", {"x"}},
      {Language::java,
       "class A { int x, y, z; int m(A a) { return this.x + y + a.z; } }",
       {"x", "y"}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.source);
    const FileFacts facts = LanguageCases{one.language}.facts(one.source);
    ASSERT_FALSE(facts.classes.empty());
    const MethodFact& method = facts.classes[0].members.methods.at(0);
    std::vector<std::string> reached = method.touched;
    reached.insert(reached.end(), method.mentioned.begin(), method.mentioned.end());
    EXPECT_EQ(reached, one.reached);
  }
}

TEST(Cohesion, OfTypescriptClasses) {
  const Row rows[] = {
      {"interface", "interface A { m(): void; n(): void; }", 1, 2, 0},
      {"a parameter that is a field",
       "class A { constructor(private x: X) {} m() { return this.x; } }", 1, 2, 1},
      {"abstract", "abstract class A { abstract m(): void; n() { return this.m(); } }", 1, 2, 1},
      {"enum", "enum A { x }", 1, 0, 0},
  };
  for (const Row& row : rows)
    check(syntax::Language::typescript, row);
}

// docs/reference/analysis.md, "Cohesion": bare fields and `this`
TEST(Cohesion, OfJavaClasses) {
  const Row rows[] = {
      {"bare and through this", "class A { int x; void m() { x = 1; } int n() { return this.x; } }",
       1, 2, 1},
      {"two fields",
       "class A { int x, y; void a() { x = 1; } int b() { return x; } void c() { y = 1; } }", 2, 3,
       2},
      {"a local hides a field",
       "class A { int x; int m() { int x = 1; return x; } int n() { return x; } }", 2, 2, 1},
      {"a parameter hides a field",
       "class A { int x; void m(int x) { g(x); } int n() { return x; } }", 2, 2, 1},
      {"a pattern hides a field",
       "class A { int x; int b() { return x; } "
       "int e(Object o) { if (o instanceof Q x) return x.z; return 1; } }",
       2, 2, 1},
      {"a case hides a field",
       "class A { int x; int b() { return x; } "
       "int e(Object o) { return switch (o) { case Q x -> x.z; default -> 1; }; } }",
       2, 2, 1},
      {"a part of a record hides a field",
       "class A { int x; int b() { return x; } "
       "int e(Object o) { if (o instanceof R(int y, Q x)) return x.z; return 1; } }",
       2, 2, 1},
      {"a part of a record in a case hides a field",
       "class A { int x; int b() { return x; } "
       "int e(Object o) { return switch (o) { case R(P(var x), int y) -> x.z; default -> 1; }; } }",
       2, 2, 1},
      {"a comparison hides nothing",
       "class A { int x; int b() { return x; } boolean e(int y) { return x == y; } }", 1, 2, 1},
      {"a bare call", "class A { void a() { b(); } void b() { } void c() { } }", 2, 3, 1},
      {"static stands outside", "class A { int x; static void s() { } int m() { return x; } }", 1,
       2, 1},
      {"static fields are not of an instance",
       "class A { static int s; void m() { s = 1; } int n() { return s; } }", 2, 2, 0},
      {"record", "record A(int x) { int m() { return x; } int n() { return x; } }", 1, 2, 1},
      {"interface", "interface A { void m(); void n(); }", 1, 2, 0},
      {"overloads are one", "class A { int x; void m() { x = 1; } void m(int y) { g(y); } }", 1, 2,
       1},
  };
  for (const Row& row : rows)
    check(syntax::Language::java, row);
}

}  // namespace
}  // namespace gh::analysis
