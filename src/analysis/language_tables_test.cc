// Words of the tables of the other languages, typed again from the specification of the analysis
// (23) and its page: each does what its row says, and a word beside them does not.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/language_kit.h"
#include "analysis/run.h"
#include "analysis/testing_project.h"
#include "syntax/languages.h"

namespace gh::analysis {
namespace {

using syntax::Language;

Dead dead(Language language, const std::string& path, const std::string& source) {
  return dead_of(kit::project(language, {{path, source}}));
}

TEST(LanguageTables, Names) {
  const std::pair<Language, std::string_view> rows[] = {{Language::python, "python"},
                                                        {Language::c, "c"},
                                                        {Language::cpp, "cpp"},
                                                        {Language::javascript, "javascript"},
                                                        {Language::typescript, "typescript"},
                                                        {Language::tsx, "tsx"},
                                                        {Language::go, "go"},
                                                        {Language::rust, "rust"},
                                                        {Language::java, "java"}};
  for (const auto& [language, name] : rows)
    EXPECT_EQ(to_string(language), name);
}

// 23, row "extensions"; a header is C until the repository holds C++
TEST(LanguageTables, Extensions) {
  const std::pair<const char*, Language> rows[] = {{"py", Language::python},
                                                   {"c", Language::c},
                                                   {"h", Language::c},
                                                   {"cc", Language::cpp},
                                                   {"cpp", Language::cpp},
                                                   {"cxx", Language::cpp},
                                                   {"hpp", Language::cpp},
                                                   {"hh", Language::cpp},
                                                   {"hxx", Language::cpp},
                                                   {"js", Language::javascript},
                                                   {"mjs", Language::javascript},
                                                   {"cjs", Language::javascript},
                                                   {"jsx", Language::javascript},
                                                   {"ts", Language::typescript},
                                                   {"mts", Language::typescript},
                                                   {"cts", Language::typescript},
                                                   {"tsx", Language::tsx},
                                                   {"go", Language::go},
                                                   {"rs", Language::rust},
                                                   {"java", Language::java}};
  for (const auto& [extension, language] : rows) {
    EXPECT_EQ(syntax::language_of_path("a/b." + std::string(extension)), language) << extension;
    EXPECT_EQ(syntax::language_of_path("a/b." + std::string(extension) + "x.txt"), std::nullopt);
  }
  for (const char* other : {"a/b.pyc", "a/b.txt", "a/b", "a/py", "a/b.PY", "a/b.kt"})
    EXPECT_EQ(syntax::language_of_path(other), std::nullopt) << other;
}

// Each front end reads what only its language says.
TEST(LanguageTables, FrontEnds) {
  const std::pair<Language, const char*> rows[] = {
      {Language::python, "def f(a):\n    return a\n"},
      {Language::c, "int f(int a) { return (int)sizeof a; }\n"},
      {Language::cpp, "auto f(int a) -> int { return [=] { return a; }(); }\n"},
      {Language::javascript, "function f(a) { return <b>{a}</b>; }\n"},
      {Language::typescript, "function f(a: number): number { return <number>a; }\n"},
      {Language::tsx, "function f(a: number) { return <b>{a as any}</b>; }\n"},
      {Language::go, "package p\n\nfunc f(a int) int { return a }\n"},
      {Language::rust, "fn f(a: &mut u8) -> u8 { *a }\n"},
      {Language::java, "class K { int f(int a) { return a; } }\n"}};
  for (const auto& [language, source] : rows) {
    const FileFacts facts = Extractor().facts_of(language, source);
    EXPECT_EQ(facts.status, FileStatus::ok) << to_string(language);
    EXPECT_EQ(facts.units.size(), language == Language::cpp ? facts.units.size() : 1u);
    ASSERT_FALSE(facts.units.empty()) << to_string(language);
  }
}

// 1 and 23, row "test files"
TEST(LanguageTables, NamesOfTestFiles) {
  for (const char* path :
       {"test_a.py",   "a/conftest.py", "tests/a.py",   "a/test_b.c",
        "a/b_test.c",  "a/b_test.cc",   "a/bTest.cpp",  "a/b_test.cpp",
        "a/bTest.cc",  "a/b_test.cxx",  "a/bTest.cxx",  "a/b.test.js",
        "a/b.spec.ts", "a/b.test.tsx",  "a/b.spec.mjs", "a/__tests__/b.js",
        "a/b_test.go", "tests/b.rs",    "a/BTest.java", "a/src/test/java/B.java"})
    EXPECT_TRUE(is_test_file(path)) << path;
  for (const char* path :
       {"a.py", "a/testing.py", "a/b_test.py", "a/contest.cc", "a/b.tests.js", "a/tests.js",
        "a/btest.go", "a/src/tests.rs", "a/Testing.java", "a/src/main/java/B.java", "a/test.java"})
    EXPECT_FALSE(is_test_file(path)) << path;
}

// 9.1 and 23, row "can raise": what alone in a try body makes a run of it
TEST(LanguageTables, WhatCanRaise) {
  struct Row {
    Language language;
    std::string before, after;
    bool attribute, subscript;
  };
  const std::string braces = "; } catch (e) { x = 0; } }\n";
  const Row rows[] = {
      {Language::python, "def f(a):\n    try:\n        x = ", "\n    except E:\n        x = 0\n",
       true, true},
      {Language::cpp, "void f(P a) { try { x = ", "; } catch (int e) { x = 0; } }\n", false, true},
      {Language::javascript, "function f(a) { try { x = ", braces, true, false},
      {Language::typescript, "function f(a) { try { x = ", braces, true, false},
      {Language::tsx, "function f(a) { try { x = ", braces, true, false},
      {Language::java, "class K { void f(P a) { try { x = ", "; } catch (E e) { x = 0; } } }\n",
       true, true}};
  for (const Row& row : rows) {
    SCOPED_TRACE(to_string(row.language));
    const auto complexity = [&](const char* value) {
      const FileFacts facts = Extractor().facts_of(row.language, row.before + value + row.after);
      return facts.units.at(0).complexity.cyclomatic;
    };
    EXPECT_EQ(complexity("a"), 2u) << "nothing can";
    EXPECT_EQ(complexity("g(a)"), 3u) << "a call can";
    EXPECT_EQ(complexity("a.b"), row.attribute ? 3u : 2u);
    EXPECT_EQ(complexity("a[0]"), row.subscript ? 3u : 2u);
  }
}

// 23, row "dead-code roots": "virtual overrides, templates alive by name, ctors/dtors/operators"
TEST(LanguageTables, OperatorsOfCppAreCalledUnseen) {
  for (const char* name :
       {"operator()", "operator[]", "operator=",  "operator<",  "operator>",     "operator+",
        "operator-",  "operator*",  "operator/",  "operator%",  "operator&",     "operator|",
        "operator^",  "operator!",  "operator~",  "operator,",  "operator==",    "operator<=",
        "operator>>", "operator+=", "operator++", "operator->", "operator bool", "operator int"}) {
    const bool converts = std::string_view(name).find(' ') != std::string_view::npos;
    const std::string result = converts ? "" : "int ";
    EXPECT_EQ(dead(Language::cpp, "m.cc",
                   "struct K { " + result + name + (converts ? "()" : "(int a)") +
                       " { return 1; } };\nint main() { K k; return 0; }\n"),
              Dead{})
        << name;
  }
  EXPECT_EQ(dead(Language::cpp, "m.cc",
                 "long double operator\"\"_x(long double v) { return v; }\n"
                 "struct K { ~K() { g(); } K() { g(); } int f() { return 1; } };\n"
                 "int main() { K k; return 0; }\n"),
            (Dead{{"m:K.f", "high"}}));
}

TEST(LanguageTables, MethodsThatJavaScriptAndJavaCallByName) {
  for (const char* name : {"constructor", "toJSON", "toString", "valueOf", "[Symbol.iterator]"})
    EXPECT_EQ(dead(Language::javascript, "m.js",
                   "class K { " + std::string(name) + "() { return 1; } }\nnew K();\n"),
              Dead{})
        << name;
  EXPECT_EQ(dead(Language::javascript, "m.js", "class K { toText() { return 1; } }\nnew K();\n"),
            (Dead{{"m:K.toText", "high"}}));
  for (const char* name :
       {"readObject", "readObjectNoData", "readResolve", "writeObject", "writeReplace"})
    EXPECT_EQ(
        dead(Language::java, "K.java",
             "public class K { private Object " + std::string(name) + "() { return null; } }\n"),
        Dead{})
        << name;
  EXPECT_EQ(dead(Language::java, "K.java",
                 "public class K { private Object readAll() { return null; } }\n"),
            (Dead{{"K:K.readAll", "high"}}));
}

// 23: "annotations unknown -> medium"
TEST(LanguageTables, AnnotationsOfJavaThatRegisterNothing) {
  const auto annotated = [](const std::string& annotation) {
    return dead(Language::java, "K.java",
                "public class K { @" + annotation + " private int f() { return 1; } }\n");
  };
  for (const char* known :
       {"Deprecated", "SafeVarargs", "SuppressWarnings(\"all\")", "javax.annotation.Nullable",
        "org.jetbrains.annotations.NotNull", "a.b.NonNull", "a.b.CheckReturnValue"})
    EXPECT_EQ(annotated(known), (Dead{{"K:K.f", "high"}})) << known;
  EXPECT_EQ(annotated("Override"), Dead{});
  EXPECT_EQ(annotated("Scheduled"), (Dead{{"K:K.f", "unknown_decorator"}}));
  EXPECT_EQ(dead(Language::java, "K.java", "@FunctionalInterface class L { }\n"),
            (Dead{{"K:L", "high"}}));
}

TEST(LanguageTables, BasesThatCallNothingBack) {
  for (const char* base : {"Object", "Exception", "RuntimeException", "Throwable", "Error",
                           "IllegalArgumentException"})
    EXPECT_EQ(dead(Language::java, "K.java",
                   "public class K extends " + std::string(base) + " { void f() { } }\n"),
              (Dead{{"K:K.f", "high"}}))
        << base;
  EXPECT_EQ(dead(Language::java, "K.java", "public class K extends Thread { void f() { } }\n"),
            (Dead{{"K:K.f", "external_base"}}));
  for (const char* base : {"Object", "Error", "TypeError", "RangeError"})
    EXPECT_EQ(dead(Language::javascript, "m.js",
                   "class K extends " + std::string(base) + " { f() { return 1; } }\nnew K();\n"),
              (Dead{{"m:K.f", "high"}}))
        << base;
  for (const char* base : {"std::exception", "std::runtime_error", "std::logic_error"})
    EXPECT_EQ(dead(Language::cpp, "m.cc",
                   "struct K : " + std::string(base) +
                       " { int f() { return 1; } };\nint main() { K k; return 0; }\n"),
              (Dead{{"m:K.f", "high"}}))
        << base;
  EXPECT_EQ(dead(Language::cpp, "m.cc",
                 "struct K : QObject { int f() { return 1; } };\nint main() { K k; return 0; }\n"),
            (Dead{{"m:K.f", "external_base"}}));
}

// 23: "pub, main, #[test], trait impl methods, #[no_mangle]"
TEST(LanguageTables, AttributesOfRust) {
  const auto attributed = [](const std::string& attribute) {
    return dead(Language::rust, "src/m.rs", "#[" + attribute + "]\nfn f() {}\n");
  };
  for (const char* hook :
       {"no_mangle", "export_name = \"g\"", "panic_handler", "proc_macro", "proc_macro_derive(A)",
        "proc_macro_attribute", "unsafe(no_mangle)", "test", "tokio::test", "bench", "cfg(test)"})
    EXPECT_EQ(attributed(hook), Dead{}) << hook;
  for (const char* plain :
       {"allow(dead_code)", "warn(x)", "deny(x)", "forbid(x)", "expect(x)", "inline",
        "inline(always)", "cold", "must_use", "cfg(unix)", "cfg_attr(unix, inline)", "doc = \"d\"",
        "deprecated", "clippy::x", "rustfmt::skip"})
    EXPECT_EQ(attributed(plain), (Dead{{"crate.m:f", "high"}})) << plain;
  EXPECT_EQ(attributed("handler"), (Dead{{"crate.m:f", "unknown_decorator"}}));
}

// What is written without its extension, or with that of what it is compiled to.
TEST(LanguageTables, ImportsOfScriptsFindTheirSources) {
  const auto edge = [](const std::string& written, const std::string& file) {
    return kit::edges(kit::project(Language::typescript,
                                   {{"a.ts", "import { x } from './" + written + "';\nx();\n"},
                                    {file, "export const x = () => 1;\n"}}));
  };
  for (const char* extension : {"ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"}) {
    EXPECT_EQ(edge("b", "b." + std::string(extension)).size(), 1u) << extension;
    EXPECT_EQ(edge("d", "d/index." + std::string(extension)).size(), 1u) << extension;
  }
  EXPECT_EQ(edge("b", "b.d.ts").size(), 1u);
  const std::pair<const char*, const char*> compiled[] = {{"b.js", "b.ts"},
                                                          {"b.js", "b.tsx"},
                                                          {"b.jsx", "b.tsx"},
                                                          {"b.mjs", "b.mts"},
                                                          {"b.cjs", "b.cts"}};
  for (const auto& [written, file] : compiled)
    EXPECT_EQ(edge(written, file).size(), 1u) << written << " is made of " << file;
  EXPECT_EQ(edge("b.mjs", "b.ts").size(), 0u);
  EXPECT_EQ(edge("c", "b.ts").size(), 0u);
}

// 23, row "receiver": by which words two methods have a field in common
TEST(LanguageTables, Receivers) {
  struct Row {
    Language language;
    const char* path;
    std::string source;  // with one % for what each of two methods returns
    const char *by_word, *by_nothing;
    bool word_links, nothing_links;
  };
  const Row rows[] = {
      {Language::python, "m.py", "class K:\n    def a(me): return %\n    def b(me): return %\n",
       "me.x", "x", true, false},
      {Language::cpp, "m.cc",
       "class K {\n int x;\n int a() { return %; }\n int b() { return %; }\n};\n", "this->x", "x",
       true, true},
      {Language::javascript, "m.js", "class K {\n a() { return %; }\n b() { return %; }\n}\n",
       "this.x", "x", true, false},
      {Language::typescript, "m.ts",
       "class K {\n x = 1;\n a() { return %; }\n b() { return %; }\n}\n", "this.x", "x", true,
       false},
      {Language::tsx, "m.tsx", "class K {\n x = 1;\n a() { return %; }\n b() { return %; }\n}\n",
       "this.x", "x", true, false},
      {Language::go, "p/m.go",
       "package p\ntype K struct{ x int }\nfunc (k K) a() int { return % }\n"
       "func (k K) b() int { return % }\n",
       "k.x", "x", true, false},
      {Language::rust, "src/m.rs",
       "struct K { x: u8 }\nimpl K {\n fn a(&self) -> u8 { % }\n fn b(&self) -> u8 { % }\n}\n",
       "self.x", "x", true, false},
      {Language::java, "K.java",
       "class K {\n int x;\n int a() { return %; }\n int b() { return %; }\n}\n", "this.x", "x",
       true, true}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.path);
    const auto lcom4 = [&](const std::string& expression) {
      std::string source = row.source;
      for (std::size_t at = source.find('%'); at != std::string::npos; at = source.find('%'))
        source.replace(at, 1, expression);
      return kit::cohesion(kit::project(row.language, {{row.path, source}}), "K").lcom4;
    };
    EXPECT_EQ(lcom4(row.by_word), row.word_links ? 1u : 2u) << row.by_word;
    EXPECT_EQ(lcom4(row.by_nothing), row.nothing_links ? 1u : 2u) << "a bare name";
  }
}

}  // namespace
}  // namespace gh::analysis
