#include "syntax/c_constructs.h"

#include <gtest/gtest.h>

namespace gh::syntax {
namespace {

struct Row {
  std::string_view source, in_c, in_cpp;
};

// docs/reference/analysis.md, "What the grammars do not know"
// clang-format off
TEST(CConstructs, AreWrittenOverByOnesThatTheGrammarsKnow) {
  const Row rows[] = {
      {"typeof(x) f(void);",             "typeof    f(void);",             "typeof(x) f(void);"},
      {"typeof_unqual(x) y;",            "typeof_unqual    y;",            "typeof_unqual(x) y;"},
      {"__typeof(x) y;",                 "__typeof    y;",                 "__typeof    y;"},
      {"__typeof__(g(1)) *y;",           "__typeof__       *y;",           "__typeof__       *y;"},
      {"__typeof_unqual__(x) y;",        "__typeof_unqual__    y;",        "__typeof_unqual__    y;"},
      {"_Atomic(int *) f;",              "_Atomic int *  f;",              "_Atomic int *  f;"},
      {"_Atomic int f;",                 "_Atomic int f;",                 "_Atomic int f;"},
      {"if consteval { a(); }",          "if consteval { a(); }",          "if (true)    { a(); }"},
      {"if !consteval { a(); }",         "if !consteval { a(); }",         "if  (!true)   { a(); }"},
      {"consteval int f();",             "consteval int f();",             "consteval int f();"},
      {"(p->*q)();",                     "(p->*q)();",                     "(p-> q)();"},
      {"(p->*(q[i]))();",                "(p->*(q[i]))();",                "(p   [q[i]])();"},
      {"p->q - >*r",                     "p->q - >*r",                     "p->q - >*r"},
      {"new int[]{1, 2}",                "new int[]{1, 2}",                "new int  {1, 2}"},
      {"new std::pair<A, B>[]{}",        "new std::pair<A, B>[]{}",        "new std::pair<A, B>  {}"},
      {"[]{ return 1; }",                "[]{ return 1; }",                "[]{ return 1; }"},
      {"new T([](int a) { return a; })", "new T([](int a) { return a; })", "new T([](int a) { return a; })"},
      {"S{.a{1}, .b{2, 3}}",             "S{.a{1}, .b{2, 3}}",             "S{  {1},   {2, 3}}"},
      {"S{.a = {1}}",                    "S{.a = {1}}",                    "S{.a = {1}}"},
      {"x.a{}",                          "x.a{}",                          "x.a{}"},
      {"_BitInt(7) w;",                  "_BitInt    w;",                  "_BitInt(7) w;"},
      {"_Thread_local int x;",           "thread_local  int x;",           "_Thread_local int x;"},
      {"template struct X<char>;",       "template struct X<char>;",       "         struct X<char>;"},
      {"template union X<char>;",        "template union X<char>;",        "         union X<char>;"},
      {"extern template class X<char>;", "extern template class X<char>;", "                class X<char>;"},
      {"extern template void f<int>();", "extern template void f<int>();", "       template void f<int>();"},
      {"template <class T> struct X;",   "template <class T> struct X;",   "template <class T> struct X;"},
      {"int f(this A& a);",              "int f(this A& a);",              "int f(     A& a);"},
      {"int f(this ::A a);",             "int f(this ::A a);",             "int f(     ::A a);"},
      {"f(this, a); g(this);",           "f(this, a); g(this);",           "f(this, a); g(this);"},
      {"if (this not_eq a);",            "if (this not_eq a);",            "if (this not_eq a);"},
      {"x = a > (b) && (c) > d;",        "x = a >  b  && (c) > d;",        "x = a >  b  && (c) > d;"},
      {"f(b) && g[0](b) && h<T>(b) && c", "f(b) && g[0](b) && h<T>(b) && c", "f(b) && g[0](b) && h<T>(b) && c"},
      {"return (b) && c; (T *) &&l;",    "return  b  && c; (T *) &&l;",    "return  b  && c; (T *) &&l;"},
      {"x = a < b && c > (d);",          "x = a < b && c > (d);",          "x = a > b && c > (d);"},
      {"x = a < f(1) || c > (d);",       "x = a < f(1) || c > (d);",       "x = a > f(1) || c > (d);"},
      {"x = a<b && c>(d); a < b > c;",   "x = a<b && c>(d); a < b > c;",   "x = a<b && c>(d); a < b > c;"},
      {"template < bool B = c && d >",   "template < bool B = c && d >",   "template < bool B = c && d >"},
      {"export int g();",                "export int g();",                "       int g();"},
      {"export { int f(); }",            "export { int f(); }",            "         int f();  "},
      {"export module a.b:c;",           "export module a.b:c;",           "       using  a_b_c;"},
      {"module :private;",               "module :private;",               "               ;"},
      {"export import :e;",              "export import :e;",              "       using  _e;"},
      {"import <vector>;",               "import <vector>;",               "using  _vector_;"},
      {"import \"a.h\";",                "import \"a.h\";",                "using  _a_h_;"},
      {"import a.b [[x]];",              "import a.b [[x]];",              "using  a_b      ;"},
      {"module;",                        "module;",                        "      ;"},
      {"import a\n.b;",                  "import a\n.b;",                  "        \n  ;"},
      {"x = module; import = 1;",        "x = module; import = 1;",        "x = module; import = 1;"},
      {"module::f();",                   "module::f();",                   "module::f();"},
      {"_Pragma(\"a b\") for (;;);",     "               for (;;);",       "               for (;;);"},
      {"\"typeof(x)\"; // p->*q",        "\"typeof(x)\"; // p->*q",        "\"typeof(x)\"; // p->*q"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(known_constructs(row.source, false).value_or(std::string(row.source)), row.in_c);
    EXPECT_EQ(known_constructs(row.source, true).value_or(std::string(row.source)), row.in_cpp);
  }
}

// docs/reference/analysis.md, "What the grammars do not know"
TEST(CConstructs, ASwitchWithoutBracesIsALoopWithTests) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"{ switch (a) case 1: f(); }",           "{ while  (a) if ( 1) f(); }"},
      {"{ switch (a) case 1: case B: f(); }",   "{ while  (a) if ( 1) if ( B) f(); }"},
      {"{ switch (a) default: f(); }",          "{ while  (a) if (1)   f(); }"},
      {"{ switch (a) default : f(); }",         "{ while  (a) if (1)    f(); }"},
      {"{ switch (a) case (b ? 1 : 2): f(); }", "{ while  (a) if ( (b ? 1 : 2)) f(); }"},
      {"{ switch (a) case b ? 1 : 2: f(); }",   "{ while  (a) if ( b ? 1 : 2) f(); }"},
      {"{ switch (a) f(); }",                   "{ while  (a) f(); }"},
      {"f(); switch (a) do { case 1: g(); } while (b);", "f(); while  (a) do { case 1: g(); } while (b);"},
      {"{ } switch (a) f();",                   "{ } while  (a) f();"},
      {"l: switch (a) f();",                    "l: while  (a) f();"},
  };
  for (const auto& [source, seen] : rows)
    EXPECT_EQ(unread_constructs(source, false), seen) << source;
  const std::string_view others[] = {
      "{ switch (a) { case 1: f(); } }",
      "{ if (b) switch (a) case 1: f(); else g(); }",  // the else would be that of the label
      "{ switch a; }",
      "switch (a) f();",
      "{ f(); }",
  };
  for (const std::string_view source : others)
    EXPECT_EQ(unread_constructs(source, false), std::nullopt) << source;
  // What is no label stays; the rest is still a switch.
  EXPECT_EQ(unread_constructs("{ switch (a) case 1; }", false), "{ while  (a) case 1; }");
}

// docs/reference/analysis.md, "What the grammars do not know"
TEST(CConstructs, AreWrittenOverInATextThatCouldNotBeReadWhole) {
  const Row rows[] = {
      {"auto y = 2;",                    "char y = 2;",                    "auto y = 2;"},
      {"static auto *y = z;",            "static char *y = z;",            "static auto *y = z;"},
      {"auto int y = 2;",                "auto int y = 2;",                "auto int y = 2;"},
      {"goto *p;",                       "goto  p;",                       "goto  p;"},
      {"goto *(t[a + 1]);",              "goto   t        ;",              "goto   t        ;"},
      {"{ l: }",                         "{ l:;}",                         "{ l:;}"},
      {"{ g(); l:}",                     "{ g();  ;}",                     "{ g();  ;}"},
      {"{ l:\n}",                        "{ l:;}",                         "{ l:;}"},
      {"struct A { public: };",          "struct A { public: };",          "struct A { public: };"},
      {"using T::operator()...;",        "using T::operator()...;",        "using T::operator()   ;"},
      {"f(a...);",                       "f(a...);",                       "f(a...);"},
      {"x = new T*[n];",                 "x = new T*[n];",                 "x = new T [n];"},
      {"x = new a::B<c*, d>**{};",       "x = new a::B<c*, d>**{};",       "x = new a::B<c*, d>  {};"},
      {"x = new const T[n]; new T * y;", "x = new const T[n]; new T * y;", "x = new       T[n]; new T * y;"},
      {"f(\"%\" PRIu64 \"s\", x);",      "f(\"%\" PRIu64 \"s\", x);",      "f(\"%\"        \"s\", x);"},
      {"f(A_B \"s\"); extern \"C\" int x;", "f(A_B \"s\"); extern \"C\" int x;", "f(    \"s\"); extern \"C\" int x;"},
      {"decltype(a::b(c, d), 0) x;",     "decltype(a::b(c, d), 0) x;",     "decltype(a::b(c, d)+ 0) x;"},
      {"using typename A::T; typename A::T x;", "using typename A::T; typename A::T x;", "using          A::T; typename A::T x;"},
      {"enum E { A [[x]] = 1, B };",     "enum E { A [[x]] = 1, B };",     "enum E { A       = 1, B };"},
      {"f(x, a[[]{ return 1; }()]);",    "f(x, a[[]{ return 1; }()]);",    "f(x, a[[]{ return 1; }()]);"},
      {"[](int a) static { return a; }", "[](int a) static { return a; }", "[](int a)        { return a; }"},
      {"[] static -> int { }",           "[] static -> int { }",           "[]        -> int { }"},
      {"MACRO(a) static int x;",         "MACRO(a) static int x;",         "MACRO(a) static int x;"},
      {"int x : 3 = 1;",                 "int x : 3 = 1;",                 "int x     = 1;"},
      {"std::size_t x : N {1};",         "std::size_t x : N {1};",         "std::size_t x     {1};"},
      {"int x : 3;",                     "int x : 3;",                     "int x : 3;"},
      {"class A : B { int c = 1; };",    "class A : B { int c = 1; };",    "class A : B { int c = 1; };"},
      {"case A: x = 1;",                 "case A: x = 1;",                 "case A: x = 1;"},
      {"private slots: int x = 1;",      "private slots: int x = 1;",      "private slots: int x = 1;"},
      {"a = b ? c : d = 1;",             "a = b ? c : d = 1;",             "a = b ? c : d = 1;"},
      {"for (int x : y) z = 1;",         "for (int x : y) z = 1;",         "for (int x : y) z = 1;"},
      {"f(M m = {1, 1}, int k = 2);",    "f(M m = {1, 1}, int k = 2);",    "f(M m = (1, 1), int k = 2);"},
      {"f(M m = {}); M m = {1}; a += {2}, b", "f(M m = {}); M m = {1}; a += {2}, b", "f(M m = {}); M m = {1}; a += {2}, b"},
      {"enum : int { A }; enum E : int;", "enum       { A }; enum E : int;", "enum       { A }; enum E : int;"},
      {"enum class : std::byte { A };",  "enum class             { A };",  "enum class             { A };"},
      {"using M = int A::B::*; a::b * c", "using M = int A::B::*; a::b * c", "using M = int       *; a::b * c"},
      {"void (::S::*p)(int) = &S::f;",   "void (::S::*p)(int) = &S::f;",   "void (     *p)(int) = &S::f;"},
      {"unsigned : 2; uint8_t :0;",      "                         ",      "                         "},
      {"case A: 2; default : 3; l: 4;",  "case A: 2; default : 3; l: 4;",  "case A: 2; default : 3; l: 4;"},
      {"return x ? throw 1 : 2;",        "return x ? throw 1 : 2;",        "return x ?       1 : 2;"},
      {"return x ? 2 : throw f(1);",     "return x ? 2 : throw f(1);",     "return x ? 2 :       f(1);"},
      {"case 1: throw 2; x ? throw : 1;", "case 1: throw 2; x ? throw : 1;", "case 1: throw 2; x ? throw : 1;"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(unread_constructs(row.source, false).value_or(std::string(row.source)), row.in_c);
    EXPECT_EQ(unread_constructs(row.source, true).value_or(std::string(row.source)), row.in_cpp);
  }
}

TEST(CConstructs, TheWordsOfATypeof) {
  using Words = std::vector<std::string_view>;
  const auto words = [](std::string_view source) {
    return words_of_typeof(source, std::string_view("typeof").size());
  };
  EXPECT_EQ(words("typeof(x) y;"), (Words{"x"}));
  EXPECT_EQ(words("typeof (g(1, a->b)) *y(c);"), (Words{"g", "a", "b"}));
  EXPECT_EQ(words("typeof(\"w\"[0]) y;"), (Words{}));
  EXPECT_EQ(words("typeof y;"), (Words{}));
  EXPECT_EQ(words("typeof(y"), (Words{}));
  EXPECT_EQ(words("typeof"), (Words{}));
}
// clang-format on

}  // namespace
}  // namespace gh::syntax
