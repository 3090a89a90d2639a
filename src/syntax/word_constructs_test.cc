#include "syntax/word_constructs.h"

#include <gtest/gtest.h>

namespace gh::syntax {
namespace {

// docs/reference/analysis.md, "What the grammars do not know"
// clang-format off
TEST(WordConstructs, UsingDeclaresAsConstDoes) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"using x = g();",                 "const x = g();"},
      {"{ using x: T = g(), y = h(); }", "{ const x: T = g(), y = h(); }"},
      {"await using x = g();",           "const       x = g();"},
      {"for (using x of y) {}",          "for (const x of y) {}"},
      {"for (await using x of y) {}",    "for (const       x of y) {}"},
      {"for await (using x of y) {}",    "for await (const x of y) {}"},
  };
  for (const auto& [source, seen] : rows)
    EXPECT_EQ(with_const_for_using(source), seen) << source;
  for (const std::string_view source : {
           "using = 1;", "using(x);", "using.x = 1;", "using\nx = 1;", "let using = 1;", "using in x;",
           "for (using of y) {}", "using instanceof T;", "a.using;", "f(using, x);", "const a = 1;",
           "function using(x) {}",
       })
    EXPECT_EQ(with_const_for_using(source), source);
}

TEST(WordConstructs, AMarkBehindAValueIsNone) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"a && b!.c > 0;",        "a && b .c > 0;"},
      {"a.b()!.c[0]!.d!;",      "a.b() .c[0] .d ;"},
      {"f()!, g()![0], h(x!)",  "f() , g() [0], h(x )"},
      {"let x!: T; y! = 1;",    "let x : T; y  = 1;"},
      {"m.default!.n; a!!;",    "m.default .n; a  ;"},
      {"f()! as T;",            "f()  as T;"},
  };
  for (const auto& [source, seen] : rows)
    EXPECT_EQ(readable_typescript(source), seen) << source;
  for (const std::string_view source : {
           "!a;", "a != b;", "a !== b;", "a!=b;", "a!==b;", "if (a)!b();", "!!a;", "x => !x;",
           "[!a];", "if (a) !b;", "return!a;", "typeof!a;", "void!a;", "delete!a;", "await!a;",
           "yield!a;", "throw!a;", "case!a:", "for (x in!a);", "for (x of!a);", "new!a;", "else!a;",
           "do!a; while (b)", "export default!a;", "a instanceof!a;", "class K extends!a {}",
       })
    EXPECT_EQ(readable_typescript(source), source);
}

struct Row {
  Language language;
  std::string_view source, seen;
};

// docs/reference/analysis.md, "What the grammars do not know"
TEST(WordConstructs, AreWrittenOverByOnesThatTheGrammarsKnow) {
  const Row rows[] = {
      {Language::javascript, "for (async of => 1;;) f();",         "for (      of => 1;;) f();"},
      {Language::javascript, "tag`x${1}\\unicode`;",               "tag`x${1} unicode`;"},
      {Language::javascript, "a.b(1)`\\u{zz} \\xg`;",              "a.b(1)` u{zz}  xg`;"},
      {Language::typescript, "tag`\\u12`;",                        "tag` u12`;"},
      {Language::typescript, "class A<in out T, out U> {}",        "class A<       T,     U> {}"},
      {Language::typescript, "class A<\n// in\nin T, /** x */\nout U> {}", "class A<\n// in\n   T, /** x */\n    U> {}"},
      {Language::tsx,        "interface A<in T> {}",               "interface A<   T> {}"},
      {Language::typescript, "export type * from './z';",          "export      * from './z';"},
      {Language::typescript, "export type * as q from './z';",     "export      * as q from './z';"},
      {Language::typescript, "export default abstract class {}",   "export default          class {}"},
      {Language::typescript, "class A { abstract accessor x; }",   "class A { abstract          x; }"},
      {Language::typescript, "class A { static accessor #x; }",    "class A { static          #x; }"},
      {Language::rust,       "unsafe extern \"C\" { fn f(); }",    "       extern \"C\" { fn f(); }"},
      {Language::rust,       "unsafe extern \"C-unwind\" {}",      "       extern \"C-unwind\" {}"},
      {Language::rust,       "unsafe extern { safe fn g(); }",     "       extern {      fn g(); }"},
      {Language::rust,       "extern { pub safe static X: u8; }",  "extern { pub      static X: u8; }"},
      {Language::rust,       "let a = str!(\"x\"); str![1];",   "let a = st_!(\"x\"); st_![1];"},
      {Language::java,       "import module java.base;",           "import        java.base;"},
      {Language::java,       "A() { g(); super(1); }",             "A() { g(); supe_(1); }"},
      {Language::java,       "A() { if (x) {} this(1); }",         "A() { if (x) {} thi_(1); }"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(unread_words(row.language, row.source), row.seen) << row.source;
}

TEST(WordConstructs, WhatOnlyLooksLikeOneStays) {
  const std::pair<Language, std::string_view> rows[] = {
      {Language::javascript, "for (async of []) f();"},
      {Language::javascript, "class A<in T> {}"},
      {Language::javascript, "x = '\\u'; tag`a`; y = '\\u';"},
      {Language::javascript, "x = `\\u`;"},  // no tag: it would be an error
      {Language::javascript, "tag`\\u0041 \\u{41} \\x41 \\n`;"},
      {Language::typescript, "for (const a in b) {}"},
      {Language::typescript, "export type A = B;"},
      {Language::typescript, "export default abstract; abstract class A {}"},
      {Language::typescript, "class A { accessor x; accessor = 1; static accessor; }"},
      {Language::rust,       "unsafe extern \"C\" fn f() { g() }"},
      {Language::rust,       "unsafe { f() }"},
      {Language::rust,       "let safe = 1;"},
      {Language::rust,       "fn f(a: &str) -> bool { str != a }"},
      {Language::java,       "import module.a;"},
      {Language::java,       "A() { super(1); }"},
      {Language::java,       "A() { g(); super.h(); this.x = 1; }"},
  };
  for (const auto& [language, source] : rows)
    EXPECT_EQ(unread_words(language, source), std::nullopt) << source;
}
// clang-format on

}  // namespace
}  // namespace gh::syntax
