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
      {"\"typeof(x)\"; // p->*q",        "\"typeof(x)\"; // p->*q",        "\"typeof(x)\"; // p->*q"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(known_constructs(row.source, false).value_or(std::string(row.source)), row.in_c);
    EXPECT_EQ(known_constructs(row.source, true).value_or(std::string(row.source)), row.in_cpp);
  }
}
// clang-format on

}  // namespace
}  // namespace gh::syntax
