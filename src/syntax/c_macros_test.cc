#include "syntax/c_macros.h"

#include <cstdint>
#include <span>
#include <string>

#include <gtest/gtest.h>

namespace gh::syntax {
namespace {

struct Row {
  std::string_view source, read;
};

std::string one_blank(std::string_view text) {
  std::string out;
  for (const char c : text)
    if ((c != ' ' && c != '\n') || (!out.empty() && out.back() != ' ')) out += c == '\n' ? ' ' : c;
  while (out.ends_with(' '))
    out.pop_back();
  return out;
}

void expect(std::span<const Row> rows, std::string (*readable)(std::string_view)) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.source);
    const std::string got = readable(row.source);
    EXPECT_EQ(got.size(), row.source.size());
    EXPECT_EQ(one_blank(got), row.read);
  }
}

// docs/reference/analysis.md, "Macros of C and C++"
// clang-format off
TEST(CMacros, AttributesLoopsAndTypesByWhereTheyStand) {
  const Row rows[] = {
      {"static int __init f(void) { }", "static int f(void) { }"},
      {"void __user *p;", "void *p;"},
      {"int x __read_mostly = 1;", "int x = 1;"},
      {"int x[3] __aligned(8);", "int x[3] ;"},
      {"int __x = 1;", "int __x = 1;"},
      {"struct s __x;", "struct s __x;"},
      {"u32 __x;", "u32 __x;"},
      {"static noinline u64 f(void);", "static u64 f(void);"},
      {"void __sched __f(void);", "void __f(void);"},
      {"x = (__force __be32 *)p;", "x = ( __be32 *)p;"},
      {"void f() { for_each_cpu(a, b) { g(); } }", "void f() { while (a, b) { g(); } }"},
      {"int f(const char*, ...) PRINTF_LIKE(1, 2);", "int f(const char*, ...) ;"},
      {"int f(void) NORETURN;", "int f(void) ;"},
      {"void f() { if (a) CHECK(b); }", "void f() { if (a) CHECK(b); }"},
      {"typedef union YYSTYPE YYSTYPE;", "typedef union YYSTYPE YYSTYPE;"},
      {"void f() { FOR(a, b) { g(); } }", "void f() { if (a, b) { g(); } }"},
      {"void f() { if (c) FOR(a, b) { g(); } else h(); }",
       "void f() { if (c) FOR(a, b) { g(); } else h(); }"},
      {"void f() { for_each_cpu(a, b) g(); }", "void f() { while (a, b) g(); }"},
      {"void f() { other(a, b) { g(); } }", "void f() { while(a, b) { g(); } }"},
      {"void f() { if (a) { g(); } }", "void f() { if (a) { g(); } }"},
      {"void f() { switch (a) { case 1 ... 2: ; } }", "void f() { switch (a) { case 1 - 2: ; } }"},
      {"x = container_of(p, struct s, m);", "x = container_of(p, s, m);"},
      {"void f() { x = min_t(unsigned long, a, b); }", "void f() { x = min_t(_nsigned_long, a, b); }"},
      {"int f(unsigned long, int b);", "int f(unsigned long, int b);"},
      {"static DEFINE_X(a, 8);", "DEFINE_X(a, 8);"},
      {"DEFINE_X(struct s, a) = {0};", "DEFINE_X a = {0};"},
      {"void f() { return (unsigned) MAX_VALUE; }", "void f() { return (unsigned) MAX_VALUE; }"},
      {"char *s = \"int __init f\"; // __init", "char *s = \"int __init f\"; // __init"},
  };
  expect(rows, readable_c);
}

TEST(CMacros, BranchesAreReadInTheirPlaceWhereTheyFit) {
  const Row rows[] = {
      {"#ifdef A\nint a;\n#else\nint b;\n#endif\n", "int a; int b;"},
      {"#define F(args...) x\nint a;", "int a;"},
      {"#define F(a) \\\n  b\nint a;", "int a;"},
      {"#include \"a.h\"\nint a;", "#include \"a.h\" int a;"},
      {"#if A\nif (a) {\n#else\nif (b) {\n#endif\nx(); }", "if (a) { x(); }"},
      {"#if A\nint f(int a)\n#else\nint f(long a)\n#endif\n{ }", "int f(int a) { }"},
      {"#if A\n#if B\nint a;\n#endif\n#elif C\nint b;\n#endif", "int a; int b;"},
      {"int a[] = {\n#ifdef A\n1,\n#endif\n2};", "int a[] = { 1, 2};"},
      {"#endif\nint a;\n#else", "int a;"},
  };
  expect(rows, readable_c);
}

TEST(CMacros, OfCpp) {
  const Row rows[] = {
      {"class X_DECL value { };", "class value { };"},
      {"struct a { X_DECL ~a(); X_CONSTEXPR a(int); };", "struct a { ~a(); a(int); };"},
      {"void f() X_NOEXCEPT { }", "void f() { }"},
      {"void f() const X_OVERRIDE;", "void f() const ;"},
      {"struct a { void f() LOCKS_EXCLUDED(m) { } int x GUARDED_BY(m); int y GUARDED_BY(m) = 0; };",
       "struct a { void f() { } int x ; int y = 0; };"},
      {"struct a { a(int b) ACQUIRE(b) : c(b) { } void g() const REQUIRES(m); };",
       "struct a { a(int b) : c(b) { } void g() const ; };"},
      {"void f() { if MAYBE_CONSTEXPR (a) g(); }", "void f() { if (a) g(); }"},
      {"void f() { if (a) CHECK(b); g() ; }", "void f() { if (a) CHECK(b); g() ; }"},
      {"X_BEGIN\nnamespace a { }\nX_END", "namespace a { }"},
      {"void f(MOVE_ARG(T) t);", "void f(MOVE_ARG t);"},
      {"void f() { static const TYPE_OF(T, int) t[2] = {1}; }", "void f() { static const TYPE_OF t[2] = {1}; }"},
      {"template <TOKEN_FOR(void (int)) T> void f();", "template <class T> void f();"},
      {"void f(T t = {});", "void f(T t = 0 );"},
      {"void f(T* = 0);", "void f(T* );"},
      {"template <class T = char const*> class a;", "template <class T = char > class a;"},
      {"int f() = delete;", "int f() ;"},
      {"std::string a::b::*m;", "std::string *m;"},
      {"STATIC_ASSERT((a<b>::c));", "STATIC_ASSERT( );"},
      {"void f() { CHECK(a) { g(); } }", "void f() { CHECK(a) { g(); } }"},
      {"void f() { BOOST_FOREACH(a, b) { g(); } }", "void f() { while (a, b) { g(); } }"},
      {"auto s = R\"x(int __init f)x\";", "auto s = R\"x(int __init f)x\";"},
  };
  expect(rows, readable_cpp);
}
// clang-format on

TEST(CMacros, AnyTextIsReadAndStaysAsLong) {
  std::uint64_t seed = 1;
  const std::string_view pieces[] = {"#if\n", "#else\n", "#endif\n", "{",    "}",    "(",       ")",
                                     "FOO",   "__x",     "\"",       "'",    "R\"(", "struct ", "=",
                                     "::",    "*",       "...",      "\\\n", "/*"};
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 30; ++i) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      text += pieces[(seed >> 33) % std::size(pieces)];
      text += (seed >> 60) % 3 == 0 ? " " : "";
    }
    EXPECT_EQ(readable_c(text).size(), text.size());
    EXPECT_EQ(readable_cpp(text).size(), text.size());
  }
}

// docs/reference/analysis.md, "Macros of C and C++": the words that are known by name
TEST(CMacros, EveryKnownWordIsTakenOut) {
  for (const char* word : {"asmlinkage", "noinline", "noinstr", "nokprobe_inline", "notrace"})
    EXPECT_EQ(one_blank(readable_c("static " + std::string(word) + " u64 f(void);")),
              "static u64 f(void);")
        << word;
  EXPECT_EQ(one_blank(readable_c("static plain u64 f(void);")), "static plain u64 f(void);");
  for (const char* word : {"X_NOEXCEPT", "X_OVERRIDE", "X_FINAL", "X_NOTHROW"})
    EXPECT_EQ(one_blank(readable_cpp("void f() " + std::string(word) + " { }")), "void f() { }")
        << word;
  for (const char* word : {"X_CONSTEXPR", "X_DECL", "X_INLINE", "X_EXPORT", "X_API", "X_NOEXCEPT",
                           "X_EXPLICIT", "X_NODISCARD"})
    EXPECT_EQ(one_blank(readable_cpp("struct a { " + std::string(word) + " a(int); };")),
              "struct a { a(int); };")
        << word;
}

// The words of C and C++ that can be no name: what follows one is no macro after a name.
TEST(CMacros, KeywordsAreNoNames) {
  for (const char* word :
       {"auto",     "break",    "case",    "catch",     "class",  "const",    "constexpr",
        "continue", "default",  "delete",  "do",        "else",   "enum",     "explicit",
        "extern",   "for",      "friend",  "goto",      "if",     "inline",   "namespace",
        "new",      "operator", "private", "protected", "public", "register", "restrict",
        "return",   "sizeof",   "static",  "struct",    "switch", "template", "this",
        "throw",    "try",      "typedef", "typename",  "union",  "using",    "virtual",
        "volatile", "while"}) {
    const std::string source = "int f(char *" + std::string(word) + " __s);";
    EXPECT_EQ(readable_c(source), source);
  }
  EXPECT_EQ(one_blank(readable_c("int f(char *name __s);")), "int f(char *name );");
}

TEST(CMacros, BeforeAWordThatBeginsADeclaration) {
  for (const char* word : {"class", "const", "constexpr", "enum", "extern", "friend", "inline",
                           "namespace", "private", "protected", "public", "static", "struct",
                           "template", "typedef", "typename", "union", "using", "virtual"})
    EXPECT_EQ(one_blank(readable_cpp("INLINE " + std::string(word) + " T::type f() { }")),
              std::string(word) + " T::type f() { }");
  EXPECT_EQ(readable_cpp("INLINE return T::type;"), "INLINE return T::type;");
}

TEST(CMacros, TypesOfSeveralWordsAreOneName) {
  for (const char* word :
       {"bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"})
    EXPECT_EQ(one_blank(readable_c("void g() { x = f(" + std::string(word) + " long, 1); }")),
              "void g() { x = f(_" + std::string(word).substr(1) + "_long, 1); }");
}

}  // namespace
}  // namespace gh::syntax
