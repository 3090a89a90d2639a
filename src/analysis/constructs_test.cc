// Constructs that a grammar does not know, read all the same.
#include "analysis/language_kit.h"

namespace gh::analysis {
namespace {

using syntax::Language;

struct Row {
  Language language;
  std::string_view source;  // with a function f
  std::uint32_t cyclomatic;
};

// docs/reference/analysis.md, "What the grammars do not know"
// clang-format off
TEST(Constructs, ThatTheGrammarsDoNotKnowAreReadWhole) {
  const Row rows[] = {
      {Language::c, "__typeof__(int) f(int x) { return x; }", 1},
      {Language::c, "static typeof(g(1)) *f(void) { typeof(a) y = 2; if ((typeof(b))y) h(); return &y; }", 2},
      {Language::c, "_Atomic(int) f(_Atomic(struct s *) p) { return 1; }", 1},
      {Language::c, "int f(int a) <% int x<:3:> = <%1,2,3%>; if (a) return x<:a:>; return 0; %>", 2},
      {Language::c, "int f(int a) { switch (a) case 1: return 2; return 3; }", 2},
      {Language::c, "int f(int a) { switch (a) case 1: case 2: default: g(); h(); return 3; }", 3},
      {Language::cpp, "int f(int a) { switch (int b = a; b) case 1: return 2; return 3; }", 2},
      {Language::cpp, "__typeof__(int) f(int x) { return x; }", 1},
      {Language::cpp, "int f(S* p, int (S::*q)()) { return (p->*q)(); }", 1},
      {Language::cpp, "int f(S* p) { if ((this->*(table[1]))(2)) return 1; return 0; }", 2},
      {Language::cpp, "int* f() { return new int[]{1, 2}; }", 1},
      {Language::cpp, "int f() { if consteval { return 1; } else { return 2; } }", 2},
      {Language::cpp, "int f() { if !consteval { return 1; } return 2; }", 2},
      {Language::cpp, "S f() { S s{.b{2}}; return S{ .a{1}, .b{2, 3} }; }", 1},
      {Language::cpp, "int f() { int a = 1'000; if (a) return 1; return 0; }", 2},
      {Language::c, "_Thread_local int x; static _Thread_local int y;\nint f(void) { return x; }", 1},
      {Language::c, "unsigned _BitInt(7) f(_BitInt(8) a) { if (a) return (_BitInt(9))a; return 0; }", 2},
      {Language::c, "auto x = 1;\nint f(void) { auto y = 2; for (auto i = 0; i < y; i++) g(); return x; }", 2},
      {Language::c, "int f(int a) { if (a) goto l; g(); l: }", 2},
      {Language::c, "int f(int a) { void *p = &&l; goto *p; l: if (a) goto *t[a]; return 0; }", 2},
      {Language::cpp, "template struct X<char>; template class n::X<char>;\nint f() { return 1; }", 1},
      {Language::cpp, "extern template class X<char>; extern template void g<int>(int);\nint f() { return 1; }", 1},
      {Language::cpp, "struct A { int x : 3 = 1; unsigned y : sizeof(int) {2}; };\nint f() { return 1; }", 1},
      {Language::cpp, "int f() { struct A { int g(this A& s) { return 1; } }; return 1; }", 1},
      {Language::cpp, "template <class... T> struct S : T... { using T::operator()...; };\nint f() { return 1; }", 1},
      {Language::cpp, "enum class E { A [[x]] = 1, B [[y]] };\nint f() { return 1; }", 1},
      {Language::cpp, "int f(int b) { if ([](auto a) static { return a; }(b)) return 1; return 0; }", 2},
      {Language::cpp, "int f(int a) { if (a) goto l; g(); l: }", 2},
      {Language::cpp, "module;\n#include <x>\nexport module a.b;\nimport <vector>;\nexport import :e;\n"
                      "export { int g(); }\nexport template <class T> class C { };\n"
                      "export namespace n { int h(); }\nexport int f() { return 1; }", 1},
      {Language::javascript, "function f(a) { if (a) return tag`x${1}\\unicode`; for (async of => 1;;) break; }", 3},
      {Language::typescript, "class A<in out T> { }\ninterface B<in T> { }\ntype C<out T> = T;\nfunction f() { }", 1},
      {Language::typescript, "export type * from './z';\nexport type * as q from './z';\nfunction f() { }", 1},
      {Language::typescript, "export default abstract class { abstract m(): void }\nfunction f() { }", 1},
      {Language::typescript, "abstract class A { abstract accessor x: number; static accessor y = 2; }\nfunction f() { }", 1},
      {Language::typescript, "function f(p) { using x: T = g(p), y = h(); for (using z of y) k(z); }", 2},
      {Language::typescript, "async function f(p) { await using x = g(p); for (await using z of x) k(z); }", 2},
      {Language::rust, "unsafe extern \"C\" { fn g(); safe fn h(); pub safe static X: u8; }\nfn f() { }", 1},
      {Language::python, "def f[T = int](a: T) -> T:\n    return a\n", 1},
      {Language::python, "class C[T: A = B, *Ts = *tuple[int, ...], **P = [int]]:\n    pass\n\ndef f(): pass\n", 1},
      {Language::python, "type A[T = int] = list[T]\n\ndef f(): pass\n", 1},
  };
  // clang-format on
  for (const Row& row : rows) {
    SCOPED_TRACE(row.source);
    const UnitFact f = kit::unit(kit::facts(row.language, std::string(row.source)), "f");
    EXPECT_FALSE(f.incomplete);
    EXPECT_EQ(f.complexity.cyclomatic, row.cyclomatic);
  }
}

struct Alike {
  Language language;
  std::string_view one, other;  // a function f in each
};

// clang-format off
TEST(Constructs, ASwitchWithoutBracesIsTheOneWithThem) {
  const Alike rows[] = {
      {Language::c,   "int f(int a) { switch (a) case 1: g(); h(); return 3; }",
                      "int f(int a) { switch (a) { case 1: g(); } h(); return 3; }"},
      {Language::c,   "int f(int a) { switch (a) case 1: case 2: g(); return 3; }",
                      "int f(int a) { switch (a) { case 1: case 2: g(); } return 3; }"},
      {Language::c,   "int f(int a) { switch (a) default: g(); return 3; }",
                      "int f(int a) { switch (a) { default: g(); } return 3; }"},
      {Language::cpp, "int f(int a) { switch (a) case 1: { g(); h(); } return 3; }",
                      "int f(int a) { switch (a) { case 1: { g(); h(); } } return 3; }"},
  };
  // clang-format on
  for (const Alike& row : rows) {
    SCOPED_TRACE(row.one);
    const UnitFact one = kit::unit(kit::facts(row.language, std::string(row.one)), "f");
    const UnitFact other = kit::unit(kit::facts(row.language, std::string(row.other)), "f");
    EXPECT_FALSE(one.incomplete);
    EXPECT_EQ(one.fingerprint, other.fingerprint);
    EXPECT_EQ(one.complexity.cyclomatic, other.complexity.cyclomatic);
  }
}

TEST(Constructs, AreThoseThatTheyAreReadAs) {
  const Alike rows[] = {
      {Language::c, "int f(int a) { if (a) goto l; g(); l: }",
       "int f(int a) { if (a) goto l; g(); l: ; }"},
      {Language::c, "int f(void) { auto y = 2; return y; }",
       "int f(void) { int y = 2; return y; }"},
      {Language::cpp, "int f() { return [](int a) static { return a; }(1); }",
       "int f() { return [](int a) { return a; }(1); }"},
      {Language::cpp, "struct A { int f(this A& s) { return s.x; } };",
       "struct A { int f(A& s) { return s.x; } };"},
      {Language::python,
       "def f(x):\n    if x:\n        (bar.\nbaz(\n))\n        g(x)\n    return x\n",
       "def f(x):\n    if x:\n        (bar\n.baz(\n))\n        g(x)\n    return x\n"},
  };
  for (const Alike& row : rows) {
    SCOPED_TRACE(row.one);
    const FileFacts one = kit::facts(row.language, std::string(row.one));
    const FileFacts other = kit::facts(row.language, std::string(row.other));
    ASSERT_EQ(one.units.size(), 1U);
    ASSERT_EQ(other.units.size(), 1U);
    EXPECT_EQ(one.units[0].fingerprint, other.units[0].fingerprint);
  }
}

TEST(Constructs, OfJavaAreReadWhole) {
  const FileFacts facts = kit::facts(
      Language::java,
      "import module java.base;\nclass A { A(int x) { if (x < 0) throw new X(); super(x); } "
      "A() { g(); this(1); } }");
  ASSERT_EQ(facts.units.size(), 2U);
  EXPECT_EQ(facts.units[0].complexity.cyclomatic, 2U);
  EXPECT_FALSE(facts.units[0].incomplete);
  EXPECT_FALSE(facts.units[1].incomplete);
}

struct Invalid {
  Language language;
  std::string_view source, mended;
};

// A grammar that takes more than its language does not make a text whole.
TEST(Constructs, ThatOnlyTheGrammarsKnowArePartial) {
  const Invalid rows[] = {
      {Language::javascript, "function f() { try { g(); } }\nfunction h() { }",
       "function f() { try { g(); } finally { } }\nfunction h() { }"},
      {Language::typescript, "function f() { try { g(); } }\nfunction h() { }",
       "function f() { try { g(); } catch { } }\nfunction h() { }"},
      {Language::javascript, "function f() { const x; }\nfunction h() { }",
       "function f() { let x; for (const y of x) { } }\nfunction h() { }"},
      {Language::c, "int f(void) { else ; }\nint h(void) { return 1; }",
       "int f(void) { if (a) ; else ; }\nint h(void) { return 1; }"},
      {Language::c, "int f(void) { else g(); }\nint h(void) { return 1; }",
       "int f(void) { if (a) { } else g(); }\nint h(void) { return 1; }"},
      {Language::cpp, "int f() { { else ; } }\nint h() { return 1; }",
       "int f() { if (a) { } else ; }\nint h() { return 1; }"},
      {Language::rust, "fn f() { else {} }\nfn h() { }", "fn f() { if a {} else {} }\nfn h() { }"},
      {Language::go, "package a\nfunc f()\n{\n}\nfunc h() {}\n",
       "package a\nfunc f() {\n}\nfunc h() {}\n"},
      {Language::go, "package a\nx = 1\nfunc h() {}\n", "package a\nvar x = 1\nfunc h() {}\n"},
  };
  for (const Invalid& row : rows) {
    SCOPED_TRACE(row.source);
    const FileFacts facts = Extractor().facts_of(row.language, row.source);
    EXPECT_EQ(facts.status, FileStatus::partial);
    EXPECT_EQ(facts.error_nodes, 1U);
    EXPECT_FALSE(kit::unit(facts, "h").incomplete);
    const auto f = std::ranges::find(facts.units, "f", &UnitFact::local_name);
    if (f != facts.units.end()) {
      EXPECT_TRUE(f->incomplete);
    }
    EXPECT_EQ(Extractor().facts_of(row.language, row.mended).status, FileStatus::ok);
  }
  EXPECT_EQ(Extractor().facts_of(Language::typescript, "export const x: number;\n").status,
            FileStatus::ok);
}

// What a module hands out is used by others, who are not seen.
TEST(Constructs, WhatAModuleDeclaresIsARoot) {
  const auto is_hook = [](const std::string& source) {
    const FileFacts facts = kit::facts(Language::cpp, source);
    return !facts.declarations.all.empty() && facts.declarations.all[0].is_hook;
  };
  EXPECT_TRUE(is_hook("export module a;\nexport { int g() { return 1; } }\n"));
  EXPECT_FALSE(is_hook("int g() { return 1; }\n"));
}

TEST(Constructs, UsingIsTheSameInJavaScriptAndTypeScript) {
  for (const std::string source : {"function f(p) { using x = g(p), y = h(); return x + y; }",
                                   "async function f(p) { await using x = g(p); return x; }"}) {
    const UnitFact js = kit::unit(kit::facts(Language::javascript, source), "f");
    const UnitFact ts = kit::unit(kit::facts(Language::typescript, source), "f");
    EXPECT_EQ(js.fingerprint, ts.fingerprint) << source;
    EXPECT_EQ(js.complexity.nesting, 0U);
    EXPECT_EQ(ts.complexity.nesting, 0U);
  }
}

TEST(Constructs, AByteOrderMarkIsNoLine) {
  const FileFacts only = kit::facts(Language::python, "\xef\xbb\xbf");
  EXPECT_EQ(only.lines, 0U);
  EXPECT_EQ(only.bytes, 3U);
  EXPECT_EQ(kit::facts(Language::python, "\xef\xbb\xbfx = 1\n").lines, 1U);
  EXPECT_EQ(kit::facts(Language::python, "\xef\xbb\xbfx = 1").lines, 1U);
}

TEST(Constructs, WhatATypeofNamesIsReferredTo) {
  const FileFacts facts =
      kit::facts(Language::c, "static int wanted(void) { return 1; }\ntypeof(wanted()) x;\n");
  EXPECT_TRUE(std::ranges::any_of(
      facts.references.uses, [&](const Use& use) { return facts.names[use.name] == "wanted"; }));
}

TEST(Constructs, WhatADefaultNamesIsReferredTo) {
  const FileFacts facts = kit::facts(Language::python, "def f[T = Wanted](a: T): pass\n");
  EXPECT_TRUE(std::ranges::any_of(
      facts.references.uses, [&](const Use& use) { return facts.names[use.name] == "Wanted"; }));
}

}  // namespace
}  // namespace gh::analysis
