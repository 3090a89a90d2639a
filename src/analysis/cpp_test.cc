// C++: docs/reference/analysis.md, "Languages".
#include "analysis/clones.h"
#include "analysis/language_kit.h"

namespace gh::analysis {
namespace {

using kit::Measured;
using kit::Pair;
using Names = std::vector<std::string>;
constexpr auto kCpp = syntax::Language::cpp;

std::string in_function(std::string_view body) {
  return "int f(int a, int b, bool c, std::vector<int> xs, S* p) {\n" + std::string(body) + "\n}\n";
}

// clang-format off
constexpr Measured kMeasured[] = {
    {"int d = a + 1; return d;", 1, 0},
    {"if (c) return 1; return 2;", 2, 1},
    {"if (a) b = 1; else if (c) b = 2; else b = 3;", 3, 1},
    {"if (a && b && c) return 1;", 4, 1},
    {"if (a and b or c) return 1;", 3, 1},
    {"if (a || (b && c)) return 1;", 3, 1},
    {"if (!(a && b)) return 1;", 2, 1},
    {"bool d = a && b;", 1, 0},
    {"return c ? a : b;", 1, 0},
    {"if (int d = g(); d > 0 && c) return d;", 3, 1},
    {"if (auto* d = g()) return 1;", 2, 1},
    {"if constexpr (sizeof(a) > 4) return 1;", 2, 1},
    {"for (int i = 0; i < a; ++i) b += i;", 2, 1},
    {"for (auto& x : xs) g(x);", 2, 1},
    {"for (const auto& [k, v] : xs) { if (k) g(v); }", 3, 2},
    {"for (;;) { if (c) break; }", 3, 2},
    {"while (a && b) --a;", 3, 1},
    {"do { --a; } while (a);", 2, 1},
    {"switch (a) { case 1: b = 1; break; case 2: case 3: return 2; default: b = 3; }", 4, 1},
    {"switch (a) { case E::x: { if (c) return 1; break; } default: break; }", 3, 2},
    {"try { g(a); } catch (const E& e) { h(e); }", 3, 1},
    {"try { b = a; } catch (...) { b = 0; }", 2, 1},
    {"try { b = p->x; } catch (...) { b = 0; }", 2, 1},
    {"try { b = xs[0]; } catch (...) { b = 0; }", 3, 1},
    {"try { p = new S(); } catch (...) { b = 0; }", 3, 1},
    {"try { throw a; } catch (int x) { return x; } catch (...) { return 0; }", 4, 1},
    {"try { g(); if (c) h(); g(); } catch (E& e) { throw; }", 5, 2},
    {"throw E(); if (c) return 1;", 1, 1},
    {"auto h = [&](int x) { if (x) return 1; return 2; };", 1, 0},
    {"std::sort(xs.begin(), xs.end(), [](int x, int y) { return x < y && y > 1; });", 1, 0},
    {"std::lock_guard<std::mutex> lock(m); if (c) return 1;", 2, 1},
    {"if (a) goto out; return 0; out: if (b) return 2; return 1;", 3, 1},
    {"{ std::lock_guard lock(m); if (c) { g(); } }", 2, 1},
    {"auto d = static_cast<int>(a); delete p; return d;", 1, 0},
    {"co_await g(); co_return a;", 1, 0},
    {"for (int i = 0; auto x : xs) g(i, x);", 2, 1},
    {"if (c) [[likely]] { return 1; }", 2, 1},
    {"#ifdef X\nif (a) b = 1;\n#else\nif (c) b = 2;\n#endif", 3, 1},
    {"while (auto x = g()) { if (x) continue; break; }", 3, 2},
    {"struct L { int m() { if (x) return 1; return 2; } int x; }; return L{}.m();", 1, 0},
    {"if (a) { for (auto x : xs) { while (b) { --b; } } }", 4, 3},
    {"try { try { g(); } catch (A& x) { } } catch (B& y) { }", 5, 2},
};

constexpr Pair kPairs[] = {
    {"int d = a + 1; g(d);", "auto e = b + 2; g(e);", true},
    {"int d = a + 1; g(d);", "int d = a + 1; h(d);", false},
    {"const int d{1}; g(d);", "const int d{2}; g(d);", true},
    {"int d(1); g(d);", "int d = 1; g(d);", true},
    {"a++;", "++a;", true},
    {"a++;", "a += 1;", true},
    {"a--;", "a++;", false},
    {"return not a;", "return !a;", true},
    {"return compl a;", "return ~a;", true},
    {"return compl a;", "return !a;", false},
    {"return a and b or c;", "return a && b || c;", true},
    {"return a not_eq b;", "return a != b;", true},
    {"return a bitand b;", "return a & b;", true},
    {"return a bitor b;", "return a | b;", true},
    {"return a xor b;", "return a ^ b;", true},
    {"return a xor b;", "return a bitor b;", false},
    {"a and_eq b;", "a &= b;", true},
    {"a or_eq b;", "a |= b;", true},
    {"a xor_eq b;", "a ^= b;", true},
    {"a xor_eq b;", "a or_eq b;", false},
    {"g(a = 1, b and_eq 2);", "g(a = 1, b &= 2);", true},
    {"delete p;", "delete[] p;", false},
    {"delete[] p;", "delete [] q;", true},
    {"a = a * 2;", "a *= 2;", true},
    {"p->a.b = 1;", "p->c.d = 2;", true},
    {"p->run(a);", "p->stop(a);", false},
    {"ns::g(a);", "ns::h(a);", false},
    {"ns::g(a);", "other::g(a);", false},
    {"g<int>(a);", "g<long>(a);", true},
    {"std::vector<int> v; g(v);", "std::vector<long> w; g(w);", true},
    {"p = new S(1);", "p = new S(2);", true},
    {"p = new S(1);", "p = new T(1);", false},
    {"p = new S(1);", "p = S(1);", false},
    {"a = static_cast<int>(b);", "a = static_cast<long>(b);", true},
    {"a = (int) b;", "a = (long) b;", true},
    {"if (c) { g(); }", "if (c) g();", true},
    {"if (a) g(); else if (c) h();", "if (a) { g(); } else { if (c) { h(); } }", true},
    {"for (auto& x : xs) g(x);", "for (const int y : xs) g(y);", true},
    {"for (auto& x : xs) g(x);", "for (auto& [x, y] : xs) g(x);", false},
    {"try { g(); } catch (A& x) { h(); }", "try { g(); } catch (A& y) { h(); }", true},
    {"try { g(); } catch (A& x) { h(); }", "try { g(); } catch (A&) { h(); }", true},
    {"try { g(); } catch (A& x) { h(); }", "try { g(); } catch (B& x) { h(); }", false},
    {"throw E(1);", "throw E(2);", true},
    {"throw E(1);", "return E(1);", false},
    {"auto h = [](int x) { return x; };", "auto h = [](long x) { return x; };", true},
    {"auto h = [](int x) { return x; };", "auto k = [](int x) { return x; };", false},
    {"g([](int x) { return x; });", "g([](int x) { return -x; });", false},
    {"switch (a) { case 1: g(); }", "switch (b) { case 1: g(); }", true},
    {"switch (a) { case E::x: g(); }", "switch (a) { case E::y: g(); }", false},
    {"this->x = 1;", "this->y = 2;", true},
    {"a = b && c;", "a = b and c;", true},
    {"a = nullptr;", "a = 0;", true},
    {"delete p;", "g(p);", false},
    {"a = xs[1];", "a = xs[b];", false},
    {"int d; g(a);", "g(a);", true},
    {"return a; g(b);", "return a;", true},
    {"std::lock_guard<std::mutex> lock(m); g();", "std::lock_guard<std::mutex> guard(n); g();", true},
    {"auto [x, y] = g();", "auto [u, v] = g();", true},
};
// clang-format on

TEST(Cpp, ComplexityAndNesting) { kit::expect_measures(kCpp, kMeasured, in_function); }

TEST(Cpp, Clones) { kit::expect_clones(kCpp, kPairs, in_function); }

TEST(Cpp, UnitsAreNamedByNameSpacesAndClasses) {
  const FileFacts facts = kit::facts(kCpp, R"(
namespace a::b {
namespace {
void hidden() {}
}
class K : public Base<int> {
 public:
  K() : x_(1) {}
  ~K() = default;
  virtual int pure() = 0;
  int get() const { return x_; }
  static K make();
  operator bool() const { return x_ > 0; }
  bool operator==(const K& o) const { return x_ == o.x_; }
  template <class T> void each(T f) { f(x_); }
  class Inner { void deep() {} };
 private:
  int x_ = 0;
};
K K::make() { return K(); }
template <class T> T free_one(T t) { return t; }
}
void a::b::K::later() {}
int Outer<int>::spec() { return 1; }
auto named = [](int x) { return x; };
extern "C" int c_one(void) { return 1; }
)");
  EXPECT_EQ(kit::unit_names(facts),
            (Names{"a.b.hidden", "a.b.K.K", "a.b.K.get", "a.b.K.operator bool",
                   "a.b.K.operator==", "a.b.K.each", "a.b.K.Inner.deep", "a.b.K.make",
                   "a.b.free_one", "a.b.K.later", "Outer.spec", "named", "c_one"}));
  EXPECT_EQ(kit::unit(facts, "a.b.hidden").kind, UnitKind::function);
  EXPECT_EQ(kit::unit(facts, "a.b.K.make").kind, UnitKind::method);
  const Project project{.files = {{"x/k.cc", kCpp, facts}}};
  EXPECT_EQ(qualname_of(project, {0, 2}), "x.k:a.b.K.get");
  EXPECT_EQ(module_of(project.files[0]), "x/k.cc");
}

// lcom4, methods, instance variables, nodes
TEST(Cpp, CohesionKnowsBareMembers) {
  struct Row {
    const char* what;
    std::string source;
    Cohesion expected;
  };
  const Row rows[] = {
      {"no methods", "struct T { int a; };", {1, 0, 0, 0}},
      {"bare", "struct T { int f() { return a; } void g() { a = 1; } int a; };", {1, 2, 1, 2}},
      {"this",
       "struct T { int f() { return this->a; } void g() { this->a = 1; } int a; };",
       {1, 2, 1, 2}},
      {"two parts",
       "struct T { int f() { return a; } int g() { return b; } int a, b; };",
       {2, 2, 2, 2}},
      {"hidden by a parameter",
       "struct T { int f() { return a; } int g(int a) { return a; } int a; };",
       {2, 2, 1, 2}},
      {"hidden by a variable",
       "struct T { int f() { return a; } int g() { int a = 1; return a; } int a; };",
       {2, 2, 1, 2}},
      {"a call", "struct T { int f() { return g(); } int g() { return 1; } };", {1, 2, 1, 2}},
      {"static",
       "struct T { static int f() { return 1; } int g() { return a; } int a; };",
       {1, 2, 1, 1}},
      {"constructor",
       "struct T { T() : a(1), b(2) {} int f() { return a; } int g() { return b; } int a, b; };",
       {1, 3, 2, 3}},
      {"unnamed union",
       "struct T { int f() { return a; } int g() { return a; } union { int a; float b; }; };",
       {1, 2, 1, 2}},
      {"a type is no member",
       "struct T { int f() { return a; } int g() { x::a* p = 0; return p != 0; } int a; };",
       {2, 2, 1, 2}},
      {"only declared", "struct T { int f(); int g(); int a; };", {1, 2, 0, 0}},
      {"through what this points to",
       "struct T { int f(int a) { return (*this).a; } int g() { return a; } int a; };",
       {1, 2, 1, 2}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    EXPECT_EQ(kit::cohesion(kit::project(kCpp, {{"a.cc", row.source}}), "T"), row.expected);
  }
}

TEST(Cpp, MethodsFindTheirClass) {
  const std::string header = "struct T { int f(); int g(); int a, b; };\n";
  const std::string source = "int T::f() { return a; }\nint T::g() { return a + b; }\n";
  EXPECT_EQ(kit::cohesion(kit::project(kCpp, {{"a.cc", header + source}}), "T"),
            (Cohesion{1, 2, 2, 2}));
  EXPECT_EQ(kit::cohesion(kit::project(kCpp, {{"inc/t.h", header}, {"src/x.cc", source}}), "T"),
            (Cohesion{1, 2, 2, 2}));
  // Of two declarations the one beside it; where none is nearer, none.
  const kit::Files two = {{"p/t.h", header}, {"p/t.cc", source}, {"q/t.h", header}};
  const Project project = kit::project(kCpp, two);
  const std::vector<ClassRecord> records = class_records(project);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].fact->cohesion, (Cohesion{1, 2, 2, 2}));
  EXPECT_EQ(records[1].fact->cohesion, (Cohesion{1, 2, 0, 0}));
}

TEST(Cpp, AMethodIsStaticWhereItsDeclarationSaysSo) {
  const std::string source = "int K::s() { return 1; }\nint K::a() { return x_; }\n";
  const auto of = [&](const std::string& header) {
    return kit::cohesion(kit::project(kCpp, {{"h.h", header}, {"h.cc", source}}), "K");
  };
  EXPECT_EQ(of("class K { public: static int s(); int a(); int c() { return x_; } int x_; };"),
            (Cohesion{1, 3, 1, 2}));
  EXPECT_EQ(of("class K { public: int s(); int a(); int c() { return x_; } int x_; };"),
            (Cohesion{2, 3, 1, 3}));
  // Which of two overloads is defined there is not known.
  EXPECT_EQ(of("class K { static int s(int); int s(); int a(); int x_; };"),
            (Cohesion{2, 2, 1, 2}));
}

TEST(Cpp, CouplingIsWithOtherClassesOfTheFile) {
  const FileFacts facts = kit::facts(
      kCpp,
      "#include \"helper.h\"\nnamespace n { struct A {}; struct B : A { void f(C* c) { int "
      "helper = 1; A a; } }; struct C {}; }\n");
  ASSERT_EQ(facts.classes.size(), 3u);
  EXPECT_EQ(facts.classes[1].coupled, (Names{"A", "C"}));
}

TEST(Cpp, CouplingSeesWhatDeclaratorsSay) {
  const FileFacts facts = kit::facts(
      kCpp,
      "struct A {}; struct B {}; struct C {}; struct D {}; struct E {}; struct F {}; struct G {};\n"
      "template <class U = A> requires (sizeof(B) > 1)\n"
      "struct K { char c[sizeof(C)]; int b : sizeof(D); explicit(sizeof(E) > 1) K(int);\n"
      "  void f() noexcept(sizeof(F) > 1); operator G(); };\n");
  ASSERT_EQ(facts.classes.size(), 8u);
  EXPECT_EQ(facts.classes[7].coupled, (Names{"A", "B", "C", "D", "E", "F", "G"}));
}

TEST(Cpp, IncludesLeadToFilesAndAHeaderIsNotItsSource) {
  const Project project = kit::project(kCpp, {{"src/a.cc", "#include \"a.h\"\n#include <vector>\n"},
                                              {"src/a.h", "#include \"base/b.h\"\n"},
                                              {"src/base/b.h", ""}});
  EXPECT_EQ(kit::edges(project), (Names{"src/a.cc -> src/a.h", "src/a.h -> src/base/b.h"}));
}

TEST(Cpp, ClonesMixWithC) {
  const std::string body =
      "int f(int a) {\n  int b = a + 1;\n  b = g(b);\n  b = h(b);\n  b = k(b);\n\n  if (b) {\n    "
      "b = 1;\n  }\n\n  b = g(b);\n  return b;\n}\n";
  Project project = kit::project(kCpp, {{"a.cc", body}, {"b.c", body}, {"c.go", body}});
  project.files[1].language = syntax::Language::c;
  project.files[2].language = syntax::Language::go;
  const std::vector<CloneGroup> groups = function_clones(project);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].items.size(), 2u);
}

TEST(Cpp, EveryNodeOfTheGrammarHasARow) { EXPECT_EQ(kit::without_row(kCpp), Names{}); }

}  // namespace
}  // namespace gh::analysis
