// C: docs/reference/analysis.md, "Languages".
#include "analysis/language_kit.h"
#include "analysis/memory_source.h"

namespace gh::analysis {
namespace {

using kit::Measured;
using kit::Pair;
using Names = std::vector<std::string>;
constexpr auto kC = syntax::Language::c;

std::string in_function(std::string_view body) {
  return "int f(int a, int b, int c, int *xs, struct s *p) {\n" + std::string(body) + "\n}\n";
}

// clang-format off
constexpr Measured kMeasured[] = {
    {"b = a + 1; return b;", 1, 0},
    {"if (a) return 1; return 2;", 2, 1},
    {"if (a) b = 1; else if (c) b = 2; else b = 3;", 3, 1},
    {"if (a && b && c) return 1;", 4, 1},
    {"if (a || (b && c)) return 1;", 3, 1},
    {"if (a && b || c) return 1;", 3, 1},
    {"if (!(a && b)) return 1;", 2, 1},
    {"if ((a && b)) return 1;", 3, 1},
    {"int x = a && b;", 1, 0},
    {"return a ? b : c;", 1, 0},
    {"for (int i = 0; i < a; i++) b += i;", 2, 1},
    {"for (i = 0, j = 1; i < a && j < b; i++, j--) g(i);", 3, 1},
    {"for (;;) { if (a) break; }", 3, 2},
    {"while (a) a--;", 2, 1},
    {"while (a && b) { a--; }", 3, 1},
    {"while (1) { a--; if (a < 0) break; }", 3, 2},
    {"do { a--; } while (a);", 2, 1},
    {"do a--; while (a && b);", 3, 1},
    {"switch (a) { case 1: b = 1; break; case 2: b = 2; break; default: b = 3; }", 3, 1},
    {"switch (a) { case 1: case 2: b = 1; break; }", 3, 1},
    {"switch (a) { case 1: if (b) c = 1; break; default: while (b) b--; }", 4, 2},
    {"switch (a) { case 1 ... 3: return 1; }", 2, 1},
    {"if (a) goto out; return 0; out: if (b) c = 1; return 1;", 3, 1},
    {"goto out; out: return 1;", 1, 0},
    {"return 1; if (a) b = 1;", 1, 1},
    {"{ if (a) { b = 1; } }", 2, 1},
    {"if (a) { for (;;) { while (b) { c++; } } }", 4, 3},
    {"if (a) { b = 1; } else { if (c) b = 2; }", 3, 2},
    {"int x = ({ int y = 1; if (a) y = 2; y; });", 2, 1},
    {"x = ({ while (a) a--; a; }) + 1;", 2, 1},
    {"MACRO(a, b);\nif (a) MACRO2(b);", 2, 1},
    {"list_for_each(p, xs) { g(p); }", 2, 1},
    {"#ifdef X\nif (a) b = 1;\n#else\nif (c) b = 2;\n#endif", 3, 1},
    {"#if A && B\nb = 1;\n#endif", 1, 0},
    {"switch (a) {\n#ifdef X\ncase 1: b = 1; break;\n#endif\ncase 2: b = 2; }", 3, 1},
    {"for (;;) { for (;;) { continue; } break; }", 3, 2},
    {"if (a = g(), b) return 1;", 2, 1},
    {"while (*p++) ;", 2, 1},
    {"asm volatile(\"nop\" : : \"r\"(a));", 1, 0},
    {"if (a) ; else return 1;", 2, 1},
    {"switch (a) { default: if (b) return 1; }", 2, 2},
    {"if (a) { return 1; } else { return 2; } if (b) return 3;", 3, 1},
};

constexpr Pair kPairs[] = {
    {"int x = a + 1; g(x);", "long y = b + 2; g(y);", true},
    {"int x = a + 1; g(x);", "int x = a + 1; h(x);", false},
    {"int x = a + 1; g(x);", "int x = 1 + a; g(x);", false},
    {"int x = 1; g(x);", "int x; x = 1; g(x);", true},
    {"int x = 1, y = 2; g(x, y);", "int x = 1; int y = 2; g(x, y);", true},
    {"a++;", "++a;", true},
    {"a++;", "a += 1;", true},
    {"a++;", "a--;", false},
    {"g(a++);", "g(++a);", false},
    {"g(a++);", "g(b++);", true},
    {"a = a * 2;", "a *= 2;", true},
    {"g(a = b);", "g(a += b);", false},
    {"a = b = c;", "b = a = c;", true},
    {"p->a.b = 1;", "p->c.d = 2;", true},
    {"p->a = 1;", "(*p).a = 1;", false},
    {"p->run(a);", "p->run(b);", true},
    {"p->run(a);", "p->stop(a);", false},
    {"if (a) { b = 1; }", "if (a) b = 1;", true},
    {"if (a) b = 1; else if (c) b = 2;", "if (a) { b = 1; } else { if (c) { b = 2; } }", true},
    {"for (int i = 0; i < a; i++) g(i);", "for (long j = 1; j < b; j++) g(j);", true},
    {"for (int i = 0; i < a; i++) g(i);", "for (int i = 0; i <= a; i++) g(i);", false},
    {"while (a) g(a);", "do g(a); while (a);", false},
    {"switch (a) { case 1: g(a); }", "switch (b) { case 1: g(c); }", true},
    {"switch (a) { case 1: g(a); }", "switch (a) { case 2: g(a); }", false},
    {"switch (a) { case 1: g(a); }", "switch (a) { default: g(a); }", false},
    {"a = (int) b;", "a = (long) c;", true},
    {"a = (int) b;", "a = b;", false},
    {"a = sizeof(b);", "a = sizeof(c);", true},
    {"a = sizeof(b);", "a = -b;", false},
    {"a = xs[1];", "a = xs[2];", true},
    {"a = *xs;", "a = &xs;", false},
    {"a = b ? 1 : 2;", "a = c ? 3 : 4;", true},
    {"struct s x = {.a = 1};", "struct s x = {.a = 2};", true},
    {"struct s x = {.a = 1};", "struct s x = {.b = 1};", false},
    {"goto out; out: return 1;", "goto end; end: return 1;", false},
    {"return 1; g(a);", "return 1;", true},
    {"return 1; out: g(a);", "return 1;", false},
    {"return 1;", "return;", false},
    {"g(\"a\");", "g(\"b\" \"c\");", true},
    {"/* x */ g(a); // y", "g(a);", true},
    {"int x; g(a);", "g(a);", true},
    {"static const int x = 1; g(x);", "int x = 1; g(x);", true},
};
// clang-format on

TEST(C, ComplexityAndNesting) { kit::expect_measures(kC, kMeasured, in_function); }

TEST(C, Clones) { kit::expect_clones(kC, kPairs, in_function); }

TEST(C, UnitsAreDefinitionsWhateverTheirDeclarator) {
  const FileFacts facts = kit::facts(kC, R"(#include "a.h"
struct s { int a; int (*cb)(void); };
typedef struct { int a; } t;
enum e { ONE, TWO = 2 };
int declared(int a);
static int one(void) { return 1; }
char *two(int a, ...) { return 0; }
int (*three(int a))(int b) { return 0; }
int (four)(int a) { return a; }
int five(a, b) int a; char b; { return a; }
extern "C" { int six(void) { return 6; } }
)");
  EXPECT_EQ(kit::unit_names(facts), (Names{"one", "two", "three", "four", "five", "six"}));
  EXPECT_EQ(kit::unit(facts, "one").params, 0u);
  EXPECT_EQ(kit::unit(facts, "two").params, 2u);
  EXPECT_EQ(kit::unit(facts, "five").params, 2u);
  EXPECT_TRUE(facts.classes.empty());
  const Project project{.files = {{"a/b.c", kC, facts}}};
  EXPECT_EQ(qualname_of(project, {0, 0}), "a.b:one");
}

TEST(C, IncludesLeadToFiles) {
  const Project project =
      kit::project(kC, {{"src/a.c", "#include \"a.h\"\n#include <b.h>\n#include \"x/b.h\"\n"},
                        {"src/a.h", "#include \"../include/x/b.h\"\n"},
                        {"include/x/b.h", "#include \"c.h\"\n"},
                        {"p/c.h", "#include MACRO\n"},
                        {"q/d.h", "#include \"../../up.h\"\n"},
                        {"one/e.h", ""},
                        {"two/e.h", ""},
                        {"q/f.c", "#include \"e.h\"\n#include \"d.h\"\n"}});
  EXPECT_EQ(kit::edges(project),
            (Names{"include/x/b.h -> p/c.h", "q/f.c -> q/d.h", "src/a.c -> include/x/b.h",
                   "src/a.c -> src/a.h", "src/a.h -> include/x/b.h"}));
}

TEST(C, AHeaderIsCppWhereThereIsAnyCpp) {
  const auto language_of_header = [](std::map<std::string, std::string> files) {
    files.emplace("a.h", "int f(void);\n");
    MemorySource source(std::move(files));
    const auto project = analyse(source, {});
    return project ? project->files[0].language : syntax::Language::python;
  };
  EXPECT_EQ(language_of_header({{"b.c", ""}}), syntax::Language::c);
  EXPECT_EQ(language_of_header({{"b.c", ""}, {"x/c.cc", ""}}), syntax::Language::cpp);
  EXPECT_EQ(language_of_header({{"x/c.hpp", ""}}), syntax::Language::cpp);
}

TEST(C, EveryNodeOfTheGrammarHasARow) { EXPECT_EQ(kit::without_row(kC), Names{}); }

}  // namespace
}  // namespace gh::analysis
