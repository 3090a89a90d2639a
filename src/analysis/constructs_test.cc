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
