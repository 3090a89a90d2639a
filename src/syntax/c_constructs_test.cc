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
    EXPECT_EQ(without_lone_switches(source), seen) << source;
  const std::string_view others[] = {
      "{ switch (a) { case 1: f(); } }",
      "{ if (b) switch (a) case 1: f(); else g(); }",  // the else would be that of the label
      "{ switch a; }",
      "switch (a) f();",
      "{ f(); }",
  };
  for (const std::string_view source : others)
    EXPECT_EQ(without_lone_switches(source), std::nullopt) << source;
  // What is no label stays; the rest is still a switch.
  EXPECT_EQ(without_lone_switches("{ switch (a) case 1; }"), "{ while  (a) case 1; }");
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
