#include "analysis/language_cases.h"

namespace gh::analysis {
namespace {

constexpr LanguageCases kJava{
    syntax::Language::java,
    "class K {\n  int f(boolean a, boolean b, boolean c, List<Integer> xs, String... p) {\n",
    "\n  }\n}\n"};

// docs/reference/analysis.md, "Complexity and nesting" and "Languages"
// clang-format off
constexpr MetricCase kMetrics[] = {
    {"int x = 1 + 2; return x;", 1, 0},
    {"int x, y = 1; String[] z;", 1, 0},
    {"if (a) return 1; return 2;", 2, 1},
    {"if (a) { x = 1; } else if (b) { x = 2; } else { x = 3; } return x;", 3, 1},
    {"if (a && b && c) return 1; return 0;", 4, 1},
    {"if (a || (b && c)) return 1; return 0;", 3, 1},
    {"if (!(a && b)) return 1;", 2, 1},
    {"if (a && b || c) return 1;", 3, 1},
    {"if (a & b) return 1;", 2, 1},
    {"boolean x = a && b;", 1, 0},
    {"return a ? 1 : 2;", 1, 0},
    {"for (int x : xs) t += x;", 2, 1},
    {"for (int i = 0; i < 3; i++) t += i;", 2, 1},
    {"for (int i = 0, j = 1; i < 3 && j < 4; i++, j--) t += i;", 3, 1},
    {"for (;;) { if (a) break; }", 3, 2},
    {"while (a && b) t--;", 3, 1},
    {"do { t--; } while (t > 0);", 2, 1},
    {"do t--; while (a || b);", 3, 1},
    {"try { x = g(); } catch (E e) { x = 0; }", 3, 1},
    {"try { x = y; } catch (E e) { x = 0; }", 2, 1},
    {"try { x = y.z; } catch (E e) { x = 0; }", 3, 1},
    {"try { x = y[0]; } catch (E e) { x = 0; }", 3, 1},
    {"try { throw y; } catch (E e) { }", 3, 1},
    {"try { x = new G(); } catch (E | F e) { }", 3, 1},
    {"try { g(); h(); } catch (E e) { } catch (F e) { } finally { k(); }", 4, 1},
    {"try { g(); } finally { h(); }", 1, 1},
    {"try { return g(); } catch (E e) { return 0; }", 3, 1},
    {"try { g(); if (a) { h(); } k(); } catch (E e) { }", 5, 2},
    {"try (R r = open()) { r.go(); }", 1, 1},
    {"try (r; var q = open()) { if (a) g(); }", 2, 2},
    {"try (R r = open()) { r.go(); } catch (E e) { }", 3, 1},
    {"try (R r = open()) { if (a) g(); } finally { h(); }", 2, 2},
    {"synchronized (this) { if (a) g(); }", 2, 2},
    {"switch (x) { case 1: return 1; case 2: return 2; default: return 3; }", 3, 1},
    {"switch (x) { case 1: case 2: g(); break; default: h(); }", 3, 1},
    {"switch (x) { case 1, 2 -> g(); default -> h(); }", 2, 1},
    {"switch (x) { case 1 -> { if (a) g(); } case 2 -> throw y; }", 4, 2},
    {"switch (x) { case 1: break; case 2: if (a) g(); }", 4, 2},
    {"return switch (x) { case 1 -> 2; case 3 -> 4; default -> 5; };", 3, 1},
    {"int y = switch (x) { case 1 -> { if (a) yield 1; yield 2; } default -> 5; };", 3, 2},
    {"return switch (o) { case Integer i when i > 0 -> 1; case Point(int q, var r) -> 2; default -> 3; };", 3, 1},
    {"outer: for (int x : xs) { for (int y : x) { if (y > 0) continue outer; } }", 4, 3},
    {"xs.forEach(x -> { if (x > 0) g(x); });", 1, 0},
    {"Runnable r = () -> { while (a) g(); }; r.run();", 1, 0},
    {"Runnable r = new Runnable() { public void run() { if (a) g(); } };", 1, 0},
    {"class L { void m() { if (a) g(); } } return 1;", 1, 0},
    {"assert a && b : \"no\";", 1, 0},
    {"return x; ", 1, 0},
    {"{ if (a) g(); }", 2, 1},
    {"if (o instanceof Foo f && f.ok()) return 1;", 3, 1},
    {"if (a) ; else g();", 2, 1},
    {"if (a) throw new E(); if (b) return 1; for (int i : xs) { if (i > 0) continue; if (c) break; } return 0;", 6, 2},
};
// clang-format on

TEST(Java, ComplexityAndNesting) { kJava.check(kMetrics); }

// docs/reference/analysis.md, "Languages": what is a unit, and its name
TEST(Java, UnitsAreMethodsAndConstructorsWithABody) {
  const std::string_view source =
      "package a.b;\n"
      "/** Doc. */\n"
      "@Deprecated\n"
      "public class A<T> extends B implements C, D {\n"
      "  private int x = 1, y;\n"
      "  static { init(); }\n"
      "  A(int x) { this.x = x; }\n"
      "  @Override\n"
      "  public\n"
      "  int f() {\n"
      "    return x;\n"
      "  }\n"
      "  int f(int a, int b) { return f(); }\n"
      "  @Test void g() {}\n"
      "  abstract void h();\n"
      "  native void n();\n"
      "  static class Inner { void m() {} }\n"
      "  void k() { new Thread() { public void run() { k(); } }; }\n"
      "}\n"
      "interface I { void a(); default void d() {} int C = 1; }\n"
      "enum E { X, Y { void p() {} }; void q() {} }\n"
      "record R(int a, String b) { R { check(a); } static R of() { return null; } }\n"
      "@interface Ann { String value() default \"x\"; }\n";
  EXPECT_EQ(kJava.units(source),
            (Texts{"A.A method 7-7", "A.f/0 method 9-12", "A.f/2 method 13-13", "A.g method 14-14",
                   "A.Inner.m method 17-17", "A.k method 18-18",
                   "A.k.<locals>.<anonymous>.run method 18-18", "I.d method 20-20",
                   "E.<anonymous>.p method 21-21", "E.q method 21-21", "R.R method 22-22",
                   "R.of method 22-22"}));
  EXPECT_EQ(kJava.classes(source),
            (Texts{"A 4-19", "A.Inner 17-17", "A.k.<locals>.<anonymous> 18-18", "I 20-20",
                   "E 21-21", "E.<anonymous> 21-21", "R 22-22", "Ann 23-23"}));
}

TEST(Java, AConstructorWithoutAListTakesWhatItsRecordHas) {
  const FileFacts facts = kJava.facts(
      "record R(int a, String b) {\n"
      "  R { check(a); }\n"
      "  R(int a) { this(a, null); }\n"
      "  int twice() { return a + a; }\n"
      "}\n");
  EXPECT_EQ(facts.units[0].local_name, "R.R/2");
  EXPECT_EQ(facts.units[1].local_name, "R.R/1");
  EXPECT_EQ(facts.classes[0].cohesion.lcom4, 1u);
}

TEST(Java, ParametersOfAVariableNumberAreOneAndTheReceiverIsNone) {
  EXPECT_EQ(kJava.facts("class K { void f(K this, int a, final String... b) {} }").units[0].params,
            2u);
}

constexpr std::string_view kBase =
    "class K {\n"
    "  int f(List<Item> a, int b) {\n"
    "    int total = 0;\n"
    "    for (Item item : a) {\n"
    "      total = total + item.price;\n"
    "    }\n"
    "    if (total > b) {\n"
    "      log(total);\n"
    "      return total;\n"
    "    }\n"
    "    return null;\n"
    "  }\n"
    "}\n";

// docs/reference/analysis.md, "Normalisation" and "Languages"
TEST(Java, EquivalencesOfTheBaseMethod) {
  struct Row {
    const char* change;
    std::string other;
    Clone wanted;
  };
  const Row rows[] = {
      {"white space", with(kBase, "f(List", "f( List"), Clone::type1},
      {"blank lines", with(kBase, "    if", "\n\n    if"), Clone::type1},
      {"annotation above", with(kBase, "  int f(", "  @Override\n  int f("), Clone::type1},
      {"modifiers", with(kBase, "int f(", "public static final synchronized int f("), Clone::type2},
      {"renamed", with(kBase, " f(", " g("), Clone::type2},
      {"locals renamed", with(kBase, "total", "sum"), Clone::type2},
      {"attribute renamed", with(kBase, ".price", ".cost"), Clone::type2},
      {"type of a variable", with(kBase, "int total", "final long total"), Clone::type2},
      {"var", with(kBase, "int total", "var total"), Clone::type2},
      {"type in the loop", with(kBase, "(Item item", "(final var item"), Clone::type2},
      {"types of parameters", with(kBase, "List<Item> a", "Set<Thing<X>> a"), Clone::type2},
      {"generic", with(kBase, "  int f", "  <T extends U> T f"), Clone::type2},
      {"throws", with(kBase, "int b)", "int b) throws E"), Clone::type2},
      {"constant", with(kBase, "= 0", "= 1L"), Clone::type2},
      {"text for null", with(kBase, "null", "\"x\""), Clone::type2},
      {"nothing for null", with(kBase, "return null", "return"), Clone::none},
      {"another call", with(kBase, "log(", "warn("), Clone::none},
      {"augmented", with(kBase, "total = total +", "total +="), Clone::type2},
      {"swapped", with(kBase, "total + item.price", "item.price + total"), Clone::none},
      {"another operator", with(kBase, "total + item", "total - item"), Clone::none},
      {"another comparison", with(kBase, "> b", ">= b"), Clone::none},
      {"comment", with(kBase, "    int total", "    /* why */ int total"), Clone::type2},
      {"statement inserted", with(kBase, "    int total", "    g();\n    int total"), Clone::none},
      {"declared without a value", with(kBase, "    int total", "    int x;\n    int total"),
       Clone::type2},
      {"constructor", with(kBase, "  int f(", "  K("), Clone::type2},
  };
  for (const Row& row : rows)
    EXPECT_EQ(kJava.compare(kBase, row.other), row.wanted) << row.change;
}

constexpr CloneCase kClones[] = {
    {"++ and +=", "x++;", "x += 1;", Clone::type2},
    {"++ before and after", "++x;", "x = x + 1;", Clone::type2},
    {"++ and --", "x++;", "x--;", Clone::none},
    {"the value of ++", "g(x++);", "g(++x);", Clone::none},
    {"class of new", "return new G(1);", "return new H(1);", Clone::none},
    {"path of a class", "return new a.G(1);", "return new b.G(1);", Clone::none},
    {"arguments of a class", "return new G<A>(1);", "return new G<>(1);", Clone::type2},
    {"call and new", "return G(1);", "return new G(1);", Clone::none},
    {"type of a cast", "return (A) x;", "return (B) x;", Clone::type2},
    {"cast", "return (A) x;", "return x;", Clone::none},
    {"types of exceptions", "try { g(); } catch (A e) { }", "try { g(); } catch (B e) { }",
     Clone::none},
    {"name of an exception", "try { g(); } catch (A e) { }", "try { g(); } catch (A f) { }",
     Clone::type2},
    {"several exceptions", "try { g(); } catch (A | B e) { }", "try { g(); } catch (A e) { }",
     Clone::none},
    {"name of a resource", "try (R r = g()) { h(); }", "try (Q q = g()) { h(); }", Clone::type2},
    {"resource", "try (R r = g()) { h(); }", "try (R r = k()) { h(); }", Clone::none},
    {"synchronized", "synchronized (x) { g(); }", "g();", Clone::none},
    {"generic call", "this.<A>g(1);", "this.<B>g(2);", Clone::type2},
    {"chain of a call", "this.a.log(1);", "this.b.log(1);", Clone::none},
    {"else if", "if (a) g(); else if (b) h();", "if (a) { g(); } else { if (b) { h(); } }",
     Clone::type2},
    {"lambda with a block", "g(x -> x + 1);", "g(x -> { return x + 1; });", Clone::type2},
    {"types of a lambda", "g((int x) -> x);", "g((x) -> x);", Clone::type2},
    {"parameter of a lambda", "g(x -> x);", "g(y -> y);", Clone::none},
    {"method references", "g(A::b);", "g(A::c);", Clone::type2},
    {"labels of cases", "switch (x) { case A: g(); }", "switch (x) { case B: g(); }", Clone::none},
    {"types of patterns", "switch (x) { case A a -> g(); default -> h(); }",
     "switch (x) { case B a -> g(); default -> h(); }", Clone::none},
    {"annotated local", "@A int x = 1;", "int x = 1;", Clone::type2},
    {"annotated method of a class inside", "new T() { @Override public void run() { g(); } };",
     "new T() { void run() { g(); } };", Clone::type2},
    {"type of an array", "return new int[3];", "return new long[3];", Clone::none},
    {"size and values", "return new int[3];", "return new int[] {3};", Clone::none},
    {"instanceof", "return x instanceof A;", "return x instanceof A a;", Clone::none},
    {"text block", "return \"x\";", "return \"\"\"\n  y\"\"\";", Clone::type2},
    {"shift", "return x >> 1;", "return x >>> 1;", Clone::none},
    {"assert", "assert a;", "assert b : \"m\";", Clone::none},
    {"final local class", "final class L { }", "class L { }", Clone::type2},
    {"two declared", "int x = 1, y = 2;", "int x = 1; int y = 2;", Clone::type2},
    {"steps of a loop", "for (int i = 0; i < x; i++) g(i);",
     "for (long j = 1; j < y; j += 1) { g(j); }", Clone::type2},
    {"for each and counting", "for (int i : x) g(i);", "for (int i = 0; i < x; i++) g(i);",
     Clone::none},
    {"two targets", "x = y = 1;", "x = 1;", Clone::none},
    {"do and while", "do g(); while (a);", "while (a) g();", Clone::none},
    {"array access", "return x[1];", "return x.y;", Clone::none},
};

TEST(Java, EquivalencesOfBodies) { kJava.check_bodies(kClones); }

// docs/reference/analysis.md, "Languages": imports
TEST(Java, Imports) {
  struct Row {
    std::string_view source;
    Texts wanted;
  };
  const Row rows[] = {
      {"import a.b.C;", {"a.b C"}},
      {"import static a.b.C.m;", {"a.b.C m"}},
      {"import a.b.*; class K extends Base { List<T> f; int x; }", {"a.b * Base List T"}},
      {"import static a.b.C.*;", {"a.b.C *"}},
      {"import a . b\n. C;", {"a.b C"}},
      {"package a.b; class K { }", {}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(kJava.imports(row.source), row.wanted) << row.source;
}

TEST(Java, ImportsLeadToFilesWhosePathEndsWithTheClass) {
  EXPECT_EQ(edges_of({{"src/main/java/a/Main.java",
                       "package a; import a.b.C; import static a.b.D.go; import java.util.List;"},
                      {"src/main/java/a/b/C.java",
                       "import a.b.D.Inner; import static a.b.C.own; class C { Inner i; }"},
                      {"src/main/java/a/b/D.java", "import static a.b.C.*; class D { }"},
                      {"src/main/java/x/All.java", "import a.b.*; class All { D d; E e; Main m; }"},
                      {"other/zza/b/C.java", ""}}),
            (Texts{"a.Main -> a.b.C", "a.Main -> a.b.D", "a.b.C -> a.b.D", "a.b.D -> a.b.C",
                   "x.All -> a.b.D"}));
}

TEST(Java, CouplingCountsTypesBasesAndAnnotations) {
  const FileFacts facts = kJava.facts(
      "import a.Base; import a.Edge; import a.Mark; import a.Unused; import a.Thrown;\n"
      "@Mark class Graph extends Base {\n"
      "  List<Edge> edges;\n"
      "  void f(Other o) throws Thrown { String Unused = \"\"; g(Unused); }\n"
      "}\n"
      "class Other { }\n");
  ASSERT_EQ(facts.classes.size(), 2u);
  EXPECT_EQ(facts.classes[0].coupled, (Texts{"Base", "Edge", "Mark", "Other", "Thrown"}));
}

TEST(Java, ABrokenMethodLeavesTheRest) {
  const FileFacts facts = Extractor().facts_of(
      syntax::Language::java, "class K {\n int a() { return 1; }\n int b() { return (; }\n}\n");
  EXPECT_EQ(facts.status, FileStatus::partial);
  ASSERT_EQ(facts.units.size(), 2u);
  EXPECT_FALSE(facts.units[0].incomplete);
  EXPECT_TRUE(facts.units[1].incomplete);
}

// docs/reference/analysis.md, "Source kinds"
TEST(TestFiles, AreKnownByFolderOrName) {
  struct Row {
    std::string_view path;
    bool wanted;
  };
  const Row rows[] = {
      {"a/test_x.py", true},
      {"a/conftest.py", true},
      {"a/my_conftest.py", false},
      {"a/x_test_y.py", false},
      {"tests/x.py", true},
      {"a/x.test.js", true},
      {"a/x.spec.tsx", true},
      {"a/x.test.mjs", true},
      {"a/spec.js", false},
      {"__tests__/x.ts", true},
      {"a/__tests__/b/x.jsx", true},
      {"a/tests.js", false},
      {"a/FooTest.java", true},
      {"a/TestFoo.java", false},
      {"src/test/a/Foo.java", true},
      {"m/src/test/j/a/F.java", true},
      {"src/testing/Foo.java", false},
      {"a/latest.java", false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(is_test_file(row.path), row.wanted) << row.path;
}

}  // namespace
}  // namespace gh::analysis
