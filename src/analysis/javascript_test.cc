#include "analysis/language_cases.h"

namespace gh::analysis {
namespace {

constexpr LanguageCases kJs{syntax::Language::javascript, "async function f(a, b, c, xs, p) {\n",
                            "\n}\n"};

// docs/reference/analysis.md, "Complexity and nesting" and "Languages"
// clang-format off
constexpr MetricCase kMetrics[] = {
    {"let b = a + 1; return b;", 1, 0},
    {"if (a) return 1; return 2;", 2, 1},
    {"if (a) { x = 1; } else if (b) { x = 2; } else { x = 3; } return x;", 3, 1},
    {"if (a && b && c) return 1; return 0;", 4, 1},
    {"if (a || (b && c)) return 1; return 0;", 3, 1},
    {"const x = a && b;", 1, 0},
    {"return a ? 1 : 2;", 1, 0},
    {"return xs.filter(x => x > 2);", 1, 0},
    {"for (const x of xs) t += x;", 2, 1},
    {"for (const k in xs) t += k;", 2, 1},
    {"for (let i = 0; i < 3; i++) t += i;", 2, 1},
    {"for (let i = 0; i < 3 && a; i++) t += i;", 3, 1},
    {"for (;;) { if (a) break; }", 3, 2},
    {"while (a && b) a--;", 3, 1},
    {"do { a--; } while (a > 0);", 2, 1},
    {"do a--; while (a > 0 || b);", 3, 1},
    {"try { x = g(a); } catch (e) { x = 0; }", 3, 1},
    {"try { x = a; } catch { x = 0; }", 2, 1},
    {"try { x = a.b; } catch { x = 0; }", 3, 1},
    {"try { x = a[0]; } catch { x = 0; }", 2, 1},
    {"try { g(a); } finally { h(a); }", 1, 1},
    {"try { g(a); h(a); k(a); } catch (e) { x = 0; } finally { x = 1; }", 3, 1},
    {"try { return g(a); } catch (e) { return null; }", 3, 1},
    {"try { throw a; } catch (e) { }", 3, 1},
    {"try { x = new G(); } catch (e) { }", 3, 1},
    {"try { await p; } catch (e) { }", 3, 1},
    {"switch (a) { case 1: return 1; case 2: return 2; default: return 3; }", 3, 1},
    {"switch (a) { case 1: case 2: g(); break; default: h(); }", 3, 1},
    {"switch (a) { case 1: if (b) g(); break; case 2: break; }", 4, 2},
    {"switch (a) { case 1: break; if (b) g(); }", 2, 2},
    {"switch (a) { }", 1, 1},
    {"outer: for (const x of xs) { for (const y of x) { if (y) continue outer; } }", 4, 3},
    {"return a?.b?.c ?? 1;", 1, 0},
    {"if (a ?? b) g();", 2, 1},
    {"if (!(a && b)) return 1;", 2, 1},
    {"if ((a && b) && c) return 1;", 3, 1},
    {"if (a && b || c) return 1;", 3, 1},
    {"if (a) { } else { if (b) { } }", 3, 2},
    {"function g(y) { if (y) return 1; return 2; } return xs.map(g);", 1, 0},
    {"const g = y => { if (y) return 1; }; return g;", 1, 0},
    {"xs.forEach(function (x) { if (x) g(x); });", 1, 0},
    {"return a; if (b) g();", 1, 1},
    {"{ if (a) g(); }", 2, 1},
    {"with (a) { g(); }", 1, 1},
    {"using h = open(p); return h.read();", 1, 0},
    {"await using h = open(p); if (h) return h.read();", 2, 1},
    {"try { using h = open(p); h.read(); } catch (e) { }", 3, 1},
    {"if (a) throw new E(); if (b) return 1; for (const i of xs) { if (i) continue; if (c) break; } return 0;", 6, 2},
    {"try { a(); if (b) { c(); } a(); } catch (e) { }", 5, 2},
    {"for await (const x of xs) g(x);", 2, 1},
    {"while (a) if (b) break; else c();", 3, 2},
    {"x = a || b; a ||= b; a &&= c;", 1, 0},
    {"class K { m() { if (a) return 1; } } return K;", 1, 0},
    {"debugger; ; return;", 1, 0},
    {"if (a) ; else b();", 2, 1},
    {"for (const {x, y} of xs) if (x || y) g();", 4, 2},
    {"for (var i = 0, n = xs.length; i < n; i += 1, n -= 1) g(i);", 2, 1},
    {"const v = {m() { if (a) g(); }, n: () => { while (b) h(); }}; return v;", 1, 0},
};
// clang-format on

TEST(Javascript, ComplexityAndNesting) { kJs.check(kMetrics); }

TEST(Javascript, CognitiveComplexity) {
  struct Row {
    std::string_view body;
    std::uint32_t cognitive;
  };
  const Row rows[] = {
      {"if (a) b(); else if (c) d(); else e();", 3},
      {"for (const x of xs) { if (x) g(); }", 3},  // 1 + 2
      {"o: for (;;) { continue o; }", 2},          // the loop and the label
      {"if (a && b && c) g();", 2},
      {"return a ? 1 : 2;", 1},
      {"return f(a);", 1},
      {"xs.map(x => x ? 1 : 2);", 2},  // one deeper in a function without a name
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.body);
    EXPECT_EQ(kJs.facts(kJs.around(row.body)).units[0].complexity.cognitive, row.cognitive);
  }
}

// docs/reference/analysis.md, "Languages": what is a unit, and its name
TEST(Javascript, UnitsAreFunctionsThatHaveAName) {
  EXPECT_EQ(kJs.units("function a() { return 1; }\n"
                      "const b = () => 2;\n"
                      "let c = function () { return 3; };\n"
                      "exports.d = function () { return 4; };\n"
                      "module.exports.e = async () => 5;\n"
                      "class K {\n"
                      "  constructor() { this.x = 1; }\n"
                      "  m() { return this.x; }\n"
                      "  get g() { return 1; }\n"
                      "  static s() { return 2; }\n"
                      "  h = () => this.x;\n"
                      "  #p() { return 1; }\n"
                      "  n = 4;\n"
                      "}\n"
                      "const o = { q: () => 1, r() { return 2; }, 's-t': function () {} };\n"
                      "export default () => 6;\n"
                      "xs.map(x => x);\n"
                      "xs.map(function named() { return 1; });\n"
                      "function outer() {\n"
                      "  const inner = () => 1;\n"
                      "  return inner;\n"
                      "}\n"
                      "(function () { function in_wrapper() {} })();\n"
                      "const L = class { m() {} };\n"),
            (Texts{"a function 1-1",
                   "b function 2-2",
                   "c function 3-3",
                   "d function 4-4",
                   "e function 5-5",
                   "K.constructor method 7-7",
                   "K.m method 8-8",
                   "K.g method 9-9",
                   "K.s method 10-10",
                   "K.h method 11-11",
                   "K.#p method 12-12",
                   "q function 15-15",
                   "r function 15-15",
                   "s-t function 15-15",
                   "default function 16-16",
                   "named function 18-18",
                   "outer function 19-22",
                   "outer.<locals>.inner nested 20-20",
                   "in_wrapper function 23-23",
                   "L.m method 24-24"}));
}

TEST(Javascript, DeclarationsBeginAfterTheirDecoratorsAndEndWithTheirBrace) {
  const std::string_view source =
      "@dec\nexport class A {\n  @log\n  m() {\n    g();\n  }\n}\n@dec class B {}\n";
  EXPECT_EQ(kJs.classes(source), (Texts{"A 2-7", "B 8-8"}));
  EXPECT_EQ(kJs.units(source), (Texts{"A.m method 4-6"}));
}

constexpr std::string_view kBase =
    "function f(a, b) {\n"
    "  let total = 0;\n"
    "  for (const item of a) {\n"
    "    total = total + item.price;\n"
    "  }\n"
    "  if (total > b) {\n"
    "    log(total);\n"
    "    return total;\n"
    "  }\n"
    "  return null;\n"
    "}\n";

// docs/reference/analysis.md, "Normalisation"
TEST(Javascript, EquivalencesOfTheBaseFunction) {
  struct Row {
    const char* change;
    std::string other;
    Clone wanted;
  };
  const std::string arrow = "const f = (a, b) => {" + std::string(kBase).substr(18);
  const std::string method = "class K { " + std::string(kBase).substr(9) + "}\n";
  const Row rows[] = {
      {"white space", with(kBase, "f(a, b)", "f (a,b)"), Clone::type1},
      {"blank lines", with(kBase, "  if", "\n\n  if"), Clone::type1},
      {"renamed", with(kBase, "f(", "g("), Clone::type2},
      {"locals renamed", with(kBase, "total", "sum"), Clone::type2},
      {"attribute renamed", with(kBase, ".price", ".cost"), Clone::type2},
      {"constant", with(kBase, "= 0", "= 1"), Clone::type2},
      {"type of the constant", with(kBase, "= 0", "= /x/"), Clone::type2},
      {"undefined for null", with(kBase, "null", "undefined"), Clone::type2},
      {"nothing for null", with(kBase, "return null", "return"), Clone::none},
      {"another call", with(kBase, "log(", "warn("), Clone::none},
      {"augmented", with(kBase, "total = total +", "total +="), Clone::type2},
      {"swapped", with(kBase, "total + item.price", "item.price + total"), Clone::none},
      {"another comparison", with(kBase, "> b", ">= b"), Clone::none},
      {"comment", with(kBase, "  let", "  // why\n  let"), Clone::type2},
      {"var", with(kBase, "let total", "var total"), Clone::type2},
      {"let in the loop", with(kBase, "const item", "let item"), Clone::type2},
      {"two in the loop", with(kBase, "const item", "const [item, z]"), Clone::none},
      {"keys instead of values", with(kBase, "item of", "item in"), Clone::none},
      {"async", with(kBase, "function", "async function"), Clone::type2},
      {"generator", with(kBase, "function", "function*"), Clone::type2},
      {"other parameters", with(kBase, "(a, b)", "(a, {b} = {}, ...c)"), Clone::type2},
      {"arrow", arrow, Clone::type2},
      {"method", method, Clone::type2},
      {"no semicolons", with(kBase, ";", ""), Clone::type2},
      {"directive", with(kBase, "  let", "  'use strict';\n  let"), Clone::type2},
      {"declared without a value", with(kBase, "  let", "  let x;\n  let"), Clone::type2},
      {"statement inserted", with(kBase, "  let", "  g();\n  let"), Clone::none},
      {"unreachable", with(kBase, "null;", "null;\n  g();"), Clone::type2},
      {"one more block", with(kBase, "    log(total);", "    {log(total);}"), Clone::type2},
  };
  for (const Row& row : rows)
    EXPECT_EQ(kJs.compare(kBase, row.other), row.wanted) << row.change;
}

constexpr CloneCase kClones[] = {
    {"++ and +=", "a++;", "a += 1;", Clone::type2},
    {"++ before and after", "++a;", "a = a + 1;", Clone::type2},
    {"++ and --", "a++;", "a--;", Clone::none},
    {"the value of ++", "b = a++;", "b = ++a;", Clone::none},
    {"||=", "a ||= b;", "a = a || b;", Clone::type2},
    {"template text", "return `a${b}c`;", "return `x${b}y`;", Clone::type2},
    {"template parts", "return `a${b}c`;", "return `a${b}`;", Clone::none},
    {"template without parts", "return `a`;", "return 'b';", Clone::type2},
    {"template and string", "return `a${b}`;", "return 'a';", Clone::none},
    {"tag of a template", "return x`a${b}`;", "return y`a${b}`;", Clone::none},
    {"call and new", "return G(a);", "return new G(a);", Clone::none},
    {"class of new", "return new G(a);", "return new H(a);", Clone::none},
    {"new without list", "return new G;", "return new G();", Clone::type2},
    {"chain of a call", "this.a.log(1);", "this.b.log(1);", Clone::none},
    {"chain on a call", "g().m(1);", "g().n(1);", Clone::none},
    {"attributes", "return this.a;", "return this.b;", Clone::type2},
    {"optional chain", "return a?.b;", "return a.b;", Clone::none},
    {"equality", "return a == b;", "return a === b;", Clone::none},
    {"name of the exception", "try { g(); } catch (e) { h(); }", "try { g(); } catch { h(); }",
     Clone::type2},
    {"finally", "try { g(); } finally { h(); }", "try { g(); } catch { h(); }", Clone::none},
    {"else if", "if (a) g(); else if (b) h();", "if (a) { g(); } else { if (b) { h(); } }",
     Clone::type2},
    {"arrow and function", "g(x => x + 1);", "g(function (x) { return x + 1; });", Clone::type2},
    {"parameter of a callback", "g(x => x);", "g(y => y);", Clone::none},
    {"name of an inner function", "const g = () => 1;", "const h = () => 1;", Clone::none},
    {"destructured names", "const {x} = a;", "const {y} = a;", Clone::type2},
    {"destructured shape", "const {x} = a;", "const {x, y} = a;", Clone::none},
    {"keys", "return {x: 1};", "return {y: 1};", Clone::type2},
    {"short key", "return {x};", "return {x: x};", Clone::type2},
    {"method of an object", "return {m() { g(); }};", "return {m: function () { g(); }};",
     Clone::type2},
    {"spread", "g(...a);", "g(a);", Clone::none},
    {"labels of cases", "switch (a) { case 1: g(); }", "switch (a) { case 2: g(); }", Clone::none},
    {"default", "switch (a) { case 1: g(); }", "switch (a) { default: g(); }", Clone::none},
    {"steps of a loop", "for (let i = 0; i < a; i++) g(i);",
     "for (let j = 1; j < b; j += 1) { g(j); }", Clone::type2},
    {"test of a loop", "for (let i = 0; i < a; i++) g(i);", "for (let i = 0; i <= a; i++) g(i);",
     Clone::none},
    {"loop without a test", "for (let i = 0; i < a; i++) g(i);", "for (let i = 0;; i++) g(i);",
     Clone::none},
    {"do and while", "do g(); while (a);", "while (a) g();", Clone::none},
    {"static", "class K { m() { g(); } }", "class K { static m() { g(); } }", Clone::type2},
    {"typeof", "return typeof a;", "return void a;", Clone::none},
    {"values of attributes", "return <A b={1} />;", "return <A b={2} />;", Clone::type2},
    {"tags", "return <A b={1} />;", "return <B b={1} />;", Clone::none},
    {"attributes of tags", "return <A b={1} />;", "return <A c={1} />;", Clone::none},
    {"text of an element", "return <p>one</p>;", "return <p>two {\"\"}</p>;", Clone::none},
    {"layout of elements", "return <p><b>x</b></p>;", "return <p>\n  <b>y</b>\n</p>;",
     Clone::type2},
    {"fragment", "return <><b /></>;", "return <p><b /></p>;", Clone::none},
    {"await", "return await a;", "return a;", Clone::none},
    {"in", "return a in b;", "return a instanceof b;", Clone::none},
    {"statement and value", "a = b;", "g(a = b);", Clone::none},
    {"comma", "a(), b();", "b(), a();", Clone::none},
};

TEST(Javascript, EquivalencesOfBodies) { kJs.check_bodies(kClones); }

// docs/reference/analysis.md, "Languages": imports
TEST(Javascript, Imports) {
  struct Row {
    std::string_view source;
    Texts wanted;
  };
  const Row rows[] = {
      {"import './a';", {"./a"}},
      {"import a from './m';", {"./m default"}},
      {"import a, {b as c, d} from './m';", {"./m default b d"}},
      {"import d, * as n from 'm';", {"m default *"}},
      {"import * as n from 'm';", {"m *"}},
      {"import {default as x} from 'm';", {"m default"}},
      {"import x from './d.json' with {type: 'json'};", {"./d.json default"}},
      {"export {a as b} from './m';", {"./m a"}},
      {"export * from './m';", {"./m *"}},
      {"export * as n from './m';", {"./m *"}},
      {"export {a};", {}},
      {"export const a = 1;", {}},
      {"const x = require('./m');", {"./m !call"}},
      {"const {y} = require('./m').z;", {"./m !call"}},
      {"import('./m');", {"./m !call !deferred"}},
      {"function f() { return require('./m'); }", {"./m !call !deferred"}},
      {"require(name);", {}},
      {"require('./' + name);", {}},
      {"my.require('./m');", {}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(kJs.imports(row.source), row.wanted) << row.source;
}

TEST(Javascript, FilesThatAreOneModuleDoNotNeedThemselves) {
  EXPECT_EQ(edges_of({{"index.js", "import './a';"},
                      {"index.mjs", "export * from './index.js';"},
                      {"a.js", "import './a.js';"}}),
            (Texts{"a -> a", "index -> a"}));
}

TEST(Javascript, ImportsLeadToFilesAsWrittenWithAnExtensionOrToAnIndex) {
  EXPECT_EQ(edges_of({{"src/a.js",
                       "import './b.js'; import './c'; import './d'; import '..'; import './e.mjs';"
                       "import 'f'; import '../../g'; import '/h';"},
                      {"src/b.js", "const c = require('./c.js');"},
                      {"src/c.js", ""},
                      {"src/d/index.jsx", "import * as self from '.';"},
                      {"src/e.mjs", "export * from './d/';"},
                      {"src/f.js", ""},
                      {"g.js", ""},
                      {"h.js", ""},
                      {"index.cjs", "require('./src/a');"}}),
            (Texts{"index -> src.a", "src.a -> index", "src.a -> src.b", "src.a -> src.c",
                   "src.a -> src.d.index", "src.a -> src.e", "src.b -> src.c",
                   "src.d.index -> src.d.index", "src.e -> src.d.index"}));
}

// docs/reference/analysis.md, "Cohesion": b is alone where a has no `this` of J
TEST(Javascript, FunctionsThatAreNoArrowsHaveAThisOfTheirOwn) {
  struct Row {
    std::string_view body;
    std::uint32_t lcom4;
  };
  const Row rows[] = {
      {"return function () { return this.x; };", 2},
      {"return function* () { yield this.x; };", 2},
      {"const f = function () { return this.x; };", 2},
      {"function k() { this.x(); }", 2},
      {"return { z() { return this.x; } };", 2},
      {"return { get z() { return this.x; } };", 2},
      {"return { z: function () { return this.x; } };", 2},
      {"return class { z() { return this.x; } };", 2},
      {"return () => this.x;", 1},
      {"return async () => { await this.x; };", 1},
      {"const f = () => this.x;", 1},
      {"return { z: () => this.x };", 1},
      {"return () => function () { return this.x; };", 2},
      {"return [this.x, function () {}];", 1},
  };
  for (const Row& row : rows) {
    const FileFacts facts =
        kJs.facts("class J { a() { " + std::string(row.body) + " } b() { return this.x; } }");
    ASSERT_GE(facts.classes.size(), 1u) << row.body;
    EXPECT_EQ(facts.classes[0].cohesion.lcom4, row.lcom4) << row.body;
  }
}

TEST(Javascript, CouplingCountsImportedNamesThatAClassUses) {
  const FileFacts facts = kJs.facts(
      "import base, {Helper, Unused} from './m';\n"
      "import * as tools from 'tools';\n"
      "class Other {}\n"
      "class A extends base {\n"
      "  run(x) { const tools2 = new Helper(x); return tools.go(new Other(), x.Unused); }\n"
      "  shadow({Unused}) { return Unused; }\n"
      "}\n");
  ASSERT_EQ(facts.classes.size(), 2u);
  EXPECT_EQ(facts.classes[1].coupled, (Texts{"Helper", "Other", "base", "tools"}));
}

TEST(Javascript, ABrokenStatementLeavesTheRest) {
  const FileFacts facts = Extractor().facts_of(
      syntax::Language::javascript, "function a() { return 1; }\nfunction b() { return (; }\n");
  EXPECT_EQ(facts.status, FileStatus::partial);
  ASSERT_EQ(facts.units.size(), 2u);
  EXPECT_FALSE(facts.units[0].incomplete);
  EXPECT_TRUE(facts.units[1].incomplete);
}

// docs/reference/analysis.md, "Limits"
TEST(Javascript, HostileNestingIsReadOrRefused) {
  const auto nested = [](std::string_view open, std::string_view middle, std::string_view close) {
    std::string out;
    for (int i = 0; i < 3'000; ++i)
      out += open;
    out += middle;
    for (int i = 0; i < 3'000; ++i)
      out += close;
    return out;
  };
  for (const std::string& source :
       {nested("(", "a", ")"), nested("[", "", "]"), nested("f(", "", ")"),
        nested("if (a) ; else ", ";", ""), nested("a[", "0", "] += 1"), nested("a && ", "b", ""),
        nested("x => ", "x", ""), nested("a ? b : ", "c", ""), nested("`${", "a", "}`"),
        nested("{", "", "}"), nested("!", "a", ""), nested("a.b.", "c", "()")}) {
    const FileStatus status = Extractor().facts_of(syntax::Language::javascript, source).status;
    EXPECT_TRUE(status == FileStatus::ok || status == FileStatus::partial ||
                status == FileStatus::parse_limit || status == FileStatus::parse_error)
        << source.substr(0, 20);
  }
}

TEST(Javascript, WhatIsDeclaredDeeperThanTwoHundredTimesIsNotListed) {
  std::string source;
  for (int i = 0; i < 300; ++i)
    source += "function f() {";
  source += "require('./m');" + std::string(300, '}');
  const FileFacts facts = kJs.facts(source);
  EXPECT_EQ(facts.units.size(), 200u);
  EXPECT_EQ(facts.imports.size(), 1u);
}

TEST(Javascript, UnitsOfOneEndlessLineAreComparedByTheirOwnText) {
  const std::string one = "function f(a) { return a + 1; }",
                    filler = ";/*" + std::string(600, 'x') + "*/";
  const FileFacts facts =
      kJs.facts(filler + one + filler + one + filler + "function f(b){return b+2}" + filler);
  ASSERT_EQ(facts.units.size(), 3u);
  EXPECT_EQ(facts.units[0].raw, facts.units[1].raw);
  EXPECT_NE(facts.units[0].raw, facts.units[2].raw);
  EXPECT_EQ(facts.units[0].fingerprint, facts.units[2].fingerprint);
}

}  // namespace
}  // namespace gh::analysis
