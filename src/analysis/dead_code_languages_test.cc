// docs/reference/analysis.md, "Dead code", "Alive in other languages": one case for every row.
#include <gtest/gtest.h>

#include "analysis/testing_project.h"

namespace gh::analysis {
namespace {

Dead dead_in_file(const std::string& path, const std::string& source) {
  const syntax::Language language = syntax::language_of_path(path).value();
  Project project;
  project.files.push_back({path, language, Extractor().facts_of(language, source)});
  EXPECT_EQ(project.files[0].facts.status, FileStatus::ok) << source;
  return dead_of(project);
}

/// What is said about one symbol: `high`, a reason, or `alive`.
std::string said_of(const std::string& path, const std::string& source, const std::string& symbol) {
  const Dead all = dead_in_file(path, source);
  const auto at = all.find(symbol);
  return at == all.end() ? "alive" : at->second;
}

struct WordRow {
  const char *word, *said;
};

TEST(DeadCodeOfRust, WhatAnAttributeNamesIsUsed) {
  const Dead all = dead_in_file("src/main.rs",
                                "struct Args {\n"
                                "  #[arg(long, value_parser = parse_ms)]\n  ms: u64,\n"
                                "  #[arg(default_value_t = default_n())]\n  n: u8,\n"
                                "  #[serde(default = \"default_port\")]\n  port: u16,\n"
                                "  #[serde(with = \"crate::de::secs\")]\n  t: u16,\n"
                                "}\n"
                                "fn parse_ms(s: &str) -> u64 { helper(s) }\n"
                                "fn helper(s: &str) -> u64 { 1 }\n"
                                "fn default_n() -> u8 { 3 }\n"
                                "fn default_port() -> u16 { 1 }\n"
                                "mod de { fn secs() {} }\n"
                                "#[test_case(make_case())]\nfn with_case() {}\n"
                                "fn make_case() -> u8 { 1 }\n"
                                "#[derive(Level)]\nstruct Level;\n"
                                "fn long() {}\n"
                                "fn value_parser() {}\n"
                                "fn main() { let a: Args = load(); }\n");
  EXPECT_EQ(all, (Dead{{"crate.main:default_port", "named_in_string"},
                       {"crate.main:de.secs", "named_in_string"},
                       {"crate.main:with_case", "unknown_decorator"},
                       {"crate.main:Level", "high"},
                       {"crate.main:value_parser", "high"}}));
}

TEST(DeadCodeOfRust, AMacroThatWritesCallsAMethodOfItsTarget) {
  EXPECT_EQ(said_of("src/m.rs",
                    "pub struct W;\nimpl W { fn write_fmt(&self) {} }\n"
                    "pub fn f(w: W) { write!(w, \"x\"); }\n",
                    "crate.m:W.write_fmt"),
            "alive");
}

TEST(DeadCodeOfC, WhatCleansUpAVariableIsUsed) {
  const std::string f = "static void f(int *a) { }\nint main(void) { ";
  EXPECT_EQ(said_of("a.c", f + "__attribute__((cleanup(f))) int x = 1; return x; }\n", "a:f"),
            "alive");
  EXPECT_EQ(said_of("a.c", f + "int x __attribute__((__cleanup__(f))) = 1; return x; }\n", "a:f"),
            "alive");
  EXPECT_EQ(said_of("a.c", f + "__attribute__((unused)) int x = 1; return x; }\n", "a:f"), "high");
}

TEST(DeadCodeOfRust, AttributesSayWhoUsesAFunction) {
  const WordRow rows[] = {
      {"test", "alive"},
      {"tokio::test", "alive"},
      {"bench", "alive"},
      {"cfg(test)", "alive"},
      {"cfg(all(test, unix))", "alive"},
      {"no_mangle", "alive"},
      {"export_name = \"g\"", "alive"},
      {"panic_handler", "alive"},
      {"proc_macro", "alive"},
      {"proc_macro_derive(X)", "alive"},
      {"proc_macro_attribute", "alive"},
      {"unsafe(no_mangle)", "alive"},
      {"allow(unused)", "high"},
      {"warn(x)", "high"},
      {"deny(x)", "high"},
      {"forbid(x)", "high"},
      {"expect(x)", "high"},
      {"inline", "high"},
      {"cold", "high"},
      {"must_use", "high"},
      {"derive(Debug)", "high"},
      {"cfg(unix)", "high"},
      {"cfg(not(test))", "high"},
      {"cfg_attr(unix, inline)", "high"},
      {"doc = \"x\"", "high"},
      {"repr(C)", "high"},
      {"deprecated", "high"},
      {"default", "high"},
      {"ignore", "high"},
      {"clippy::cognitive_complexity", "high"},
      {"rustfmt::skip", "high"},
      {"non_exhaustive", "high"},
      {"should_panic", "high"},
      {"track_caller", "high"},
      {"target_feature(enable = \"x\")", "high"},
      {"instrument", "high"},
      {"get(\"/\")", "unknown_decorator"},
  };
  for (const WordRow& row : rows)
    EXPECT_EQ(said_of("src/m.rs", std::string("#[") + row.word + "]\nfn f() {}\n", "crate.m:f"),
              row.said)
        << row.word;
}

TEST(DeadCodeOfRust, RootsAreMainPubAndMethodsOfTraits) {
  EXPECT_EQ(dead_in_file("src/m.rs",
                         "fn main() {}\n"
                         "pub fn shown() {}\n"
                         "pub(crate) fn inner() {}\n"
                         "struct K;\n"
                         "impl K { fn idle(&self) {} }\n"
                         "impl Drop for K { fn drop(&mut self) {} }\n"
                         "pub fn make() -> K { K }\n"),
            (Dead{{"crate.m:inner", "high"}, {"crate.m:K.idle", "high"}}));
}

TEST(DeadCodeOfJavaScript, MembersLiveWithAClassThatIsHandedOutUnderAnyName) {
  const std::string body = "{ m() {} #p() {} }\n";
  for (const std::string& source :
       {"export default class K " + body, "class K " + body + "export { K as default };\n",
        "class K " + body + "export { K as Q };\n", "class K " + body + "export { K };\n",
        "export default (class K " + body.substr(0, body.size() - 1) + ");\n",
        "class K " + body + "module.exports = { K };\n"})
    EXPECT_EQ(dead_in_file("m.js", source), (Dead{{"m:K.#p", "high"}})) << source;
  EXPECT_EQ(dead_in_file("m.js", "class K " + body + "new K();\n"),
            (Dead{{"m:K.m", "high"}, {"m:K.#p", "high"}}));
}

TEST(DeadCodeOfJava, AnnotationsThatSayNothingAboutUse) {
  const WordRow rows[] = {
      {"@Override", "alive"},
      {"@Deprecated", "high"},
      {"@FunctionalInterface", "high"},
      {"@SafeVarargs", "high"},
      {"@SuppressWarnings(\"x\")", "high"},
      {"@org.x.NonNull", "high"},
      {"@org.x.NotNull", "high"},
      {"@org.x.Nullable", "high"},
      {"@org.x.CheckReturnValue", "high"},
      {"@Inject", "unknown_decorator"},
      {"@org.x.Bean(\"b\")", "unknown_decorator"},
  };
  for (const WordRow& row : rows)
    EXPECT_EQ(said_of("M.java",
                      std::string("public class M { ") + row.word + " int f() { return 1; } }\n",
                      "M:M.f"),
              row.said)
        << row.word;
}

TEST(DeadCodeOfJava, MethodsThatAreFoundByNameAndConstructors) {
  for (const char* name :
       {"readObject", "readObjectNoData", "readResolve", "writeObject", "writeReplace"})
    EXPECT_EQ(dead_in_file("M.java", std::string("public class M { private void ") + name +
                                         "() {} private void other() {} private M() {} }\n"),
              (Dead{{"M:M.other", "high"}}))
        << name;
}

TEST(DeadCodeOfJava, RootsAreMainPublicAndProtected) {
  EXPECT_EQ(dead_in_file("M.java",
                         "class M {\n"
                         "  static void main(String[] a) {}\n"
                         "  public void one() {}\n"
                         "  protected void two() {}\n"
                         "  void three() {}\n"
                         "  private void four() {}\n"
                         "}\n"
                         "class N {}\n"),
            (Dead{{"M:M.three", "high"}, {"M:M.four", "high"}, {"M:N", "high"}}));
}

TEST(DeadCodeOfCpp, OperatorsAndDestructorsAreCalledUnseen) {
  for (const char* name : {"operator int()", "int operator()(int a)", "int operator[](int a)",
                           "int operator=(int a)", "int operator<(int a)", "int operator>(int a)",
                           "int operator+(int a)", "int operator-(int a)", "int operator*(int a)",
                           "int operator/(int a)", "int operator%(int a)", "int operator&(int a)",
                           "int operator|(int a)", "int operator^(int a)", "int operator!()",
                           "int operator~()", "int operator,(int a)", "~K()", "K()"})
    EXPECT_EQ(dead_in_file("m.cc", std::string("struct K { ") + name +
                                       " { f(); } int idle() { return 1; } };\n"
                                       "int main() { K k; }\n"),
              (Dead{{"m:K.idle", "high"}}))
        << name;
  EXPECT_EQ(dead_in_file("m.cc", "int operator\"\"_x(unsigned long long a) { return 1; }\n"),
            Dead{});
}

TEST(DeadCodeOfCpp, VirtualMethodsAreCalledUnseenAndThoseOfAnonymousNamespacesAreNot) {
  EXPECT_EQ(dead_in_file("m.cc",
                         "struct K { virtual int a() { return 1; } int b() { return 2; } };\n"
                         "struct L : K { int a() override { return 3; } };\n"
                         "namespace { int c() { return 4; } }\n"
                         "static int d() { return 5; }\n"
                         "int main() { K k; L l; }\n"),
            (Dead{{"m:K.b", "high"}, {"m:c", "high"}, {"m:d", "high"}}));
}

TEST(DeadCodeOfGo, MainAndInitAreCalledUnseenAndCapitalsAreForOthers) {
  EXPECT_EQ(dead_in_file("p/m.go",
                         "package p\nfunc main() {}\nfunc init() {}\nfunc Shown() {}\n"
                         "func hidden() {}\ntype K struct{}\nfunc (k K) Shown() {}\n"
                         "func (k K) idle() {}\ntype k struct{}\n"),
            (Dead{{"p:hidden", "high"}, {"p:K.idle", "high"}, {"p:k", "high"}}));
}

TEST(DeadCodeOfC, MainIsCalledUnseenAndTablesAndAddressesAreUses) {
  EXPECT_EQ(dead_in_file("m.c",
                         "static int a(void) { return 1; }\nstatic int b(void) { return 2; }\n"
                         "static int c(void) { return 3; }\n"
                         "static int (*table[])(void) = {a, &b};\nint main(void) { return 0; }\n"),
            (Dead{{"m:c", "high"}}));
}

TEST(DeadCodeOfC, AttributesThatTheLoaderAndTheLinkerHeed) {
  const std::string idle = "static void g(void) { }\n";
  for (const char* path : {"m.c", "m.cc"})
    for (const char* kept :
         {"__attribute__((constructor)) static void f(void) { }\n",
          "static void __attribute__((destructor)) f(void) { }\n",
          "static __attribute__((__used__)) void f(void) { }\n",
          "__attribute__((cold, constructor(101))) static void f(void) { }\n",
          "static void f(void) __attribute__((constructor));\nstatic void f(void) { }\n",
          "[[gnu::constructor]] static void f(void) { }\n",
          "__attribute__((used)) static int *f(void) { return 0; }\n",
          // of variables, which stay readable
          "static int x __attribute__((used)) = 1;\n", "int x[2] __attribute__((used)) = {1};\n",
          "static struct s __attribute__((used)) x = {1};\n",
          "static const int __attribute__((used)) x = 1, y = 2;\n",
          "__attribute__((used)) static const char *x = \"\";\n",
          "extern int *__attribute__((used)) f(void);\n"})
      EXPECT_EQ(dead_in_file(path, kept + idle), (Dead{{"m:g", "high"}})) << path << ": " << kept;
  for (const char* plain : {"__attribute__((unused)) static void f(void) { }\n",
                            "__attribute__((noinline)) static void f(void) { }\n"})
    EXPECT_EQ(dead_in_file("m.c", plain), (Dead{{"m:f", "high"}})) << plain;
}

TEST(DeadCodeOfC, NamesThatAMacroPutsTogether) {
  const std::string two =
      "static int foo_impl(void) { return 1; }\nstatic int on_bar(void) { return 2; }\n";
  const auto dead = [&](const std::string& macro) { return dead_in_file("m.c", macro + two); };
  EXPECT_EQ(dead("#define CALL(x) x##_impl()\n"),
            (Dead{{"m:foo_impl", "named_in_string"}, {"m:on_bar", "high"}}));
  EXPECT_EQ(dead("#define CALL(a, x) \\\n  (a, on_ ## x ())\n"),
            (Dead{{"m:foo_impl", "high"}, {"m:on_bar", "named_in_string"}}));
  EXPECT_EQ(dead("#define CALL(x) f##x##_impl()\n"),
            (Dead{{"m:foo_impl", "named_in_string"}, {"m:on_bar", "high"}}));
  EXPECT_EQ(dead("#define LOG(f, ...) log(f, ##__VA_ARGS__)\n#define CAT(a, b) a##b\n"),
            (Dead{{"m:foo_impl", "high"}, {"m:on_bar", "high"}}));
}

TEST(DeadCodeOfJavaScript, MethodsThatAreFoundByName) {
  for (const char* name : {"constructor", "toJSON", "toString", "valueOf", "[Symbol.iterator]"})
    EXPECT_EQ(
        dead_in_file("m.js", std::string("class K { ") + name + "() {} idle() {} }\nnew K();\n"),
        (Dead{{"m:K.idle", "high"}}))
        << name;
}

struct BaseRow {
  const char *path, *base, *said;
};

TEST(DeadCodeOfOtherLanguages, BasesThatCallNoMethodOfTheirOwn) {
  const BaseRow rows[] = {
      {"m.js", "Object", "high"},
      {"m.js", "Error", "high"},
      {"m.js", "TypeError", "high"},
      {"m.js", "RangeError", "high"},
      {"m.js", "HTMLElement", "external_base"},
      {"M.java", "Object", "high"},
      {"M.java", "Error", "high"},
      {"M.java", "Exception", "high"},
      {"M.java", "RuntimeException", "high"},
      {"M.java", "Throwable", "high"},
      {"M.java", "IllegalArgumentException", "high"},
      {"M.java", "Thread", "external_base"},
      {"m.cc", "std::exception", "high"},
      {"m.cc", "std::runtime_error", "high"},
      {"m.cc", "std::logic_error", "high"},
      {"m.cc", "QObject", "external_base"},
  };
  for (const BaseRow& row : rows) {
    const std::string path = row.path, base = row.base;
    const std::string module = path.substr(0, path.find('.'));
    std::string source = "class K extends " + base + " { idle() {} }\nnew K();\n";
    if (module == "M") source = "class K extends " + base + " { void idle() {} }\n";
    if (path == "m.cc") source = "struct K : " + base + " { void idle() {} };\n";
    EXPECT_EQ(said_of(path, source, module + ":K.idle"), row.said) << path << " " << base;
  }
}

TEST(DeadCodeOfOthers, ALongChainOfBasesIsWalkedOnce) {
  constexpr int kClasses = 20'000;
  const auto count = [](const std::string& last) {
    std::string source;
    for (int i = 0; i < kClasses; ++i)
      source += "class K" + std::to_string(i) + " extends " +
                (i + 1 < kClasses ? "K" + std::to_string(i + 1) : last) + " { idle() {} }\n";
    std::size_t out = 0;
    for (const auto& [name, said] : dead_in_file("m.js", source))
      out += name.ends_with(".idle") && said == "external_base" ? 1 : 0;
    return out;
  };
  EXPECT_EQ(count("HTMLElement"), std::size_t{kClasses});
  EXPECT_EQ(count("Error"), 0u);
  EXPECT_EQ(count("K0"), 0u) << "a ring";
}

/// What is said of one symbol of several files, where the public api is reported too.
std::string said_in_all(const Sources& files, const std::string& symbol) {
  Project project;
  project.profile.dead_code_public_api = PublicApi::report;
  for (const auto& [path, source] : files) {
    const syntax::Language language = syntax::language_of_path(path).value();
    project.files.push_back({path, language, Extractor().facts_of(language, source)});
    EXPECT_EQ(project.files.back().facts.status, FileStatus::ok) << source;
  }
  const Dead all = dead_of(project);
  const auto at = all.find(symbol);
  return at == all.end() ? "alive" : at->second;
}

TEST(DeadCodeOfTypeScript, AnExportedEnumIsHandedOut) {
  for (const char* source : {"export enum A { X }\n", "export const enum A { X }\n",
                             "export declare enum A { X }\n", "enum A { X }\nexport { A };\n"})
    EXPECT_EQ(dead_in_file("m.ts", source), Dead{}) << source;
  EXPECT_EQ(dead_in_file("m.ts", "export namespace N { export enum A { X } enum B { X } }\n"),
            (Dead{{"m:N.B", "high"}}));
  EXPECT_EQ(dead_in_file("m.ts", "enum A { X }\n"), (Dead{{"m:A", "high"}}));
}

TEST(DeadCodeOfTypeScript, WhatIsDeclaredToBeElsewhereIsNoCandidate) {
  for (const char* source :
       {"export declare class R { m(): void; }\n", "declare class D1 {}\n", "declare enum D2 {}\n",
        "declare const enum D2 { X }\n", "declare global { class G1 {} enum G2 { X } }\n",
        "declare module 'm' { class M {} namespace N { enum E { X } } }\n",
        "declare namespace N { class M {} }\n", "declare abstract class A { m(): void; }\n"})
    EXPECT_EQ(dead_in_file("m.d.ts", source), Dead{}) << source;
  EXPECT_EQ(dead_in_file("m.ts", "declare class D {}\nclass E {}\n"), (Dead{{"m:E", "high"}}));
}

TEST(DeadCodeOfRust, ARenamedImportKeepsItsTarget) {
  const std::string a =
      "pub(crate) fn x1() {}\npub(crate) struct X2;\npub(crate) enum En { A }\n"
      "pub(crate) mod sub { pub(crate) fn x3() {} }\n";
  const auto said = [&](const std::string& main, const std::string& symbol) {
    return said_in_all({{"src/a.rs", a}, {"src/main.rs", "mod a;\n" + main}}, "crate.a:" + symbol);
  };
  EXPECT_EQ(said("use crate::a::x1 as y1;\nfn main() { y1(); }\n", "x1"), "alive");
  EXPECT_EQ(said("use a::{X2 as Y2, x1 as y1};\nfn main() { y1(); let q: Y2; }\n", "X2"), "alive");
  EXPECT_EQ(said("use a::sub::{self, x3 as y3};\nfn main() { y3(); }\n", "sub.x3"), "alive");
  EXPECT_EQ(said("fn main() { use self::a::x1 as y1; y1(); }\n", "x1"), "alive");
  EXPECT_EQ(said("fn main() { use a::En::*; A; }\n", "En"), "alive");
  EXPECT_EQ(said("use a::En::A as B;\nfn main() { B; }\n", "En"), "alive");
  EXPECT_EQ(said("use crate::a::x1 as y1;\nfn main() {}\n", "x1"), "high");
}

TEST(DeadCodeOfTypeScript, ARenamedImportKeepsItsTarget) {
  const std::string a = "export function f1() {}\nexport class C5 {}\n";
  const auto said = [&](const std::string& b, const std::string& symbol) {
    return said_in_all({{"a.ts", a}, {"b.ts", b}}, "a:" + symbol);
  };
  EXPECT_EQ(said("import { f1 as g1 } from './a'; g1();\n", "f1"), "alive");
  EXPECT_EQ(said("import { C5 as D5 } from './a'; let z: D5;\n", "C5"), "alive");
  EXPECT_EQ(said("import { f1 as g1 } from './a';\n", "f1"), "high");
}

TEST(DeadCodeOfCpp, ArgumentsOfAMacroOutsideOfCodeAreUses) {
  const std::string head = "static void f() {}\n", type = "class C {};\n";
  for (const std::string& source :
       {head + "BENCHMARK(f);\n", head + "BENCHMARK(f)->Range(8, 64);\n",
        head + "REGISTER_HANDLER(\"x\", f);\n", head + "REGISTER_HANDLER(f)\n",
        head + "REG2(a, &f);\n", head + "namespace ns { REG(f); }\n",
        head + "class K { Q_PROPERTY(int x READ f)\n  int a; };\nK k;\n",
        head + "class K { MACRO(f); };\nK k;\n", type + "REGISTER_CLASS(C);\n",
        type + "REGISTER_CLASS(C)\nint a;\n"})
    EXPECT_EQ(dead_in_file("m.cc", source), Dead{}) << source;
  EXPECT_EQ(dead_in_file("m.cc", head + "// REG(f)\nREG(\"f g\");\n"), (Dead{{"m:f", "high"}}));
}

TEST(DeadCodeOfC, ArgumentsOfAMacroOutsideOfCodeAreUses) {
  const std::string head = "static int f(void) { return 1; }\n";
  for (const std::string& source :
       {head + "BENCHMARK(f);\n", head + "REGISTER_HANDLER(f)\n", head + "EXPORT_SYMBOL_GPL(f);\n",
        head + "static DEVICE_ATTR(x, 0444, f, NULL);\n", head + "DEFINE_THING(f, t) = { 1 };\n"})
    EXPECT_EQ(dead_in_file("m.c", source), Dead{}) << source;
}

TEST(DeadCodeOfCpp, AMacroWithABodyIsCalledUnseen) {
  const std::string head = "static int helper() { return 1; }\n";
  for (const char* test :
       {"TEST(A, B) { helper(); }\n", "BOOST_AUTO_TEST_CASE(x) { helper(); }\n",
        "PYBIND11_MODULE(m, h) { helper(); }\n", "TEST_CASE(\"x\", \"[t]\") { helper(); }\n",
        "namespace n { TEST_CASE(\"x\") { helper(); } }\n"})
    EXPECT_EQ(dead_in_file("m.cc", head + test), Dead{}) << test;
  EXPECT_EQ(dead_in_file("m.cc", head + "struct Fx { int a; };\nTEST_F(Fx, B) { helper(); }\n"),
            Dead{});
}

TEST(DeadCodeOfCpp, NamesInDeclaratorsAreUses) {
  const std::string type = "struct T { int a; };\n", call = "constexpr int g() { return 1; }\n";
  for (const std::string& source :
       {type + "char b[sizeof(T)];\n", call + "int a[g()];\n", call + "int a[2][g()];\n",
        call + "int main() { int a[g()]; }\n", call + "struct K { int a : g(); };\nK k;\n",
        call + "struct K { int a[g()]; };\nK k;\n", call + "void f(int a[g()]);\n",
        type + "alignas(T) char b[8];\n", type + "struct alignas(T) K { int a; };\nK k;\n",
        call + "int main() noexcept(g()) {}\n",
        call + "struct K { explicit(g()) K(int a) {} };\nK k;\n",
        call + "template <class U> requires (g() == 1) void main(U u) {}\n",
        call + "template <class U> void main(U u) requires (g() == 1) {}\n",
        type + "template <class U = T> void main(U u) {}\n",
        call + "template <int N = g()> void main() {}\n",
        type + "template <class U> struct Q {};\ntemplate <> struct Q<T> { int a; };\nQ<int> q;\n",
        type + "struct K { operator T(); };\nK k;\n"})
    EXPECT_EQ(dead_in_file("m.cc", source), Dead{}) << source;
  EXPECT_EQ(dead_in_file("m.c", "static int g(void) { return 1; }\nint a[g()];\n"), Dead{});
}

TEST(DeadCodeOfCpp, WhatAConditionDeclaresWithIsUsed) {
  const std::string head = "namespace {\nint helper(int a) { return a; }\n}\n";
  for (const char* condition :
       {"if (int v = helper(c)) return v;", "if (const int v{helper(c)}) return v;",
        "while (auto v = helper(c)) return v;", "switch (int q = helper(c)) { default: return q; }",
        "if (int u = 1; int v = helper(u)) return v;"})
    EXPECT_EQ(dead_in_file("m.cc", head + "int main(int c, char**) {\n" + condition + "\n}\n"),
              Dead{})
        << condition;
}

TEST(DeadCodeOfCpp, ATemplateOfAnotherIsMadeForAType) {
  EXPECT_EQ(dead_in_file("m.cc",
                         "struct P { int a; };\n"
                         "template <> struct std::hash<P> { int operator()(P p) { return 1; } };\n"
                         "namespace std { template <> struct less<P> { int a; }; }\n"),
            Dead{});
}

TEST(DeadCodeOfRust, BoundsAndPatternsAreUses) {
  for (const char* user :
       {"pub fn main() where u8: Into<T> {}\n", "pub trait Q: Into<T> {}\n",
        "pub trait Q { type O: Into<T>; }\n", "impl PartialEq<T> for u8 {}\n",
        "fn main() { <T as Default>::default(); }\n", "fn main() { match x { T => 1 } }\n",
        "pub struct K<X>(X) where X: Into<T>;\n", "impl<X> Q for X where X: Into<T> {}\n",
        "pub enum E<X> where X: Into<T> { A(X) }\n", "fn main() { if let Some(T) = x {} }\n"})
    EXPECT_EQ(dead_in_file("src/main.rs", std::string("struct T;\n") + user), Dead{}) << user;
  EXPECT_EQ(dead_in_file("src/main.rs", "struct T;\npub enum E { T }\n"),
            (Dead{{"crate.main:T", "high"}}));
}

TEST(DeadCodeOfPython, ANameOfAllMayComeFromAStar) {
  EXPECT_EQ(dead_in({{"p/__init__.py", "from .a import *\n__all__ = [\"f\"]\n"},
                     {"p/a.py", "def f(): pass\ndef g(): pass\n"}}),
            (Dead{{"p.a:g", "high"}}));
}

}  // namespace
}  // namespace gh::analysis
