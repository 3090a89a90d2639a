#include "analysis/language_cases.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kHead =
    "export async function f<T>(this: Foo, a: any, b?: number, xs: T[] = [], ...p: string[]): "
    "Promise<void> {\n";
constexpr LanguageCases kTs{syntax::Language::typescript, kHead, "\n}\n"};
constexpr LanguageCases kTsx{syntax::Language::tsx, kHead, "\n}\n"};

// docs/reference/analysis.md, "Complexity and nesting" and "Languages"
// clang-format off
constexpr MetricCase kMetrics[] = {
    {"let x: number = a + 1; return x;", 1, 0},
    {"let x: number;", 1, 0},
    {"using h: T = open(p), i = h.read(); return i;", 1, 0},
    {"await using h = open(p); if (h) return h.read();", 2, 1},
    {"for (using h of open(p)) h.read();", 2, 1},
    {"if (a) return 1; return 2;", 2, 1},
    {"if (a as boolean) return 1;", 2, 1},
    {"if (a! && b!) return 1;", 3, 1},
    {"if (a! && b! && xs! && p) return 1;", 5, 1},
    {"if ((a && b)!) return 1;", 3, 1},
    {"if (a) { } else if (b) { } else { }", 3, 1},
    {"for (const x of xs as number[]) g(x);", 2, 1},
    {"for (let i: number = 0; i < 3 || b; i++) g(i);", 3, 1},
    {"for (const k in xs) { if (k) continue; g(); }", 3, 2},
    {"for await (const x of xs) { }", 2, 1},
    {"do { g(); } while (a);", 2, 1},
    {"while (a && b && p) { }", 4, 1},
    {"try { g(); } catch (e: unknown) { h(); }", 3, 1},
    {"try { x = a!; } catch { }", 2, 1},
    {"try { x = (a as Foo).b; } catch { }", 3, 1},
    {"try { x = <Foo>a; } catch { }", 2, 1},
    {"try { x = new G<string>(); } catch { }", 3, 1},
    {"try { } finally { if (a) g(); }", 2, 2},
    {"switch (a) { case E.A: return 1; case E.B: case E.C: return 2; default: return 3; }", 4, 1},
    {"const g = (y: number): number => { if (y) return 1; return 2; }; return g;", 1, 0},
    {"type X = A extends B ? C : D; return 1;", 1, 0},
    {"interface X { m(): void; } return 1;", 1, 0},
    {"enum X { A, B = 2 } return 1;", 1, 0},
    {"abstract class K { abstract m(): void; n() { if (a) g(); } } return K;", 1, 0},
    {"return a?.b ?? 1;", 1, 0},
    {"return (a satisfies B) ? 1 : 2;", 1, 0},
    {"o: while (a) { while (b) { break o; } }", 3, 2},
    {"return a; if (b) g();", 1, 1},
    {"function g(x: string): void; function g(x: any) { if (x) h(); } return g;", 1, 0},
};
constexpr MetricCase kTsxMetrics[] = {
    {"return <A<T> b={a ? 1 : 2}>{xs.map((x: T) => <li key={x}>{x}</li>)}</A>;", 1, 0},
    {"if (a) return <></>; return null;", 2, 1},
    {"return a && <B {...a} c />;", 1, 0},
    {"const C: FC<P> = ({x}) => { if (x) return <a>{x as string}</a>; return null; };", 1, 0},
    {"for (const x of xs) { g(<ns:tag a='b'>&amp;</ns:tag>); }", 2, 1},
};
// clang-format on

TEST(Typescript, ComplexityAndNesting) { kTs.check(kMetrics); }
TEST(Tsx, ComplexityAndNesting) { kTsx.check(kTsxMetrics); }

// docs/reference/analysis.md, "Languages": what is a unit, and its name
TEST(Typescript, UnitsHaveABodyAndNameSpacesAreNames) {
  const std::string_view source =
      "export namespace N.M {\n"
      "  export function a(x: string): void;\n"
      "  export function a(x: any): void { g(x); }\n"
      "}\n"
      "declare module 'm' { export function b(): void; }\n"
      "interface I { m(): void; p: () => void }\n"
      "abstract class K<T> extends Base<T> implements I {\n"
      "  static s = 1;\n"
      "  constructor(private readonly x: number, y = 2) { super(); }\n"
      "  abstract q(): void;\n"
      "  @dec()\n"
      "  m(): void {}\n"
      "  @dec p = (): void => {};\n"
      "  m2?(): void;\n"
      "  get z(): number { return 1; }\n"
      "}\n"
      "enum E { A }\n"
      "export default class {\n"
      "  t() {}\n"
      "}\n"
      "export const c: F = function (): void {};\n"
      "export = d;\n";
  EXPECT_EQ(kTs.units(source), (Texts{"N.M.a function 3-3", "K.constructor method 9-9",
                                      "K.m method 12-12", "K.p method 13-13", "K.z method 15-15",
                                      "default.t method 19-19", "c function 21-21"}));
  EXPECT_EQ(kTs.classes(source), (Texts{"I 6-6", "K 7-16", "E 17-17", "default 18-20"}));
}

TEST(Typescript, ParametersAreCountedWithoutThis) {
  EXPECT_EQ(kTs.facts(kTs.around("return 1;")).units[0].params, 4u);
}

constexpr std::string_view kBase =
    "function f(a: Item[], b: number): number | null {\n"
    "  let total: number = 0;\n"
    "  for (const item of a) {\n"
    "    total = total + item.price;\n"
    "  }\n"
    "  if (total > b) {\n"
    "    log<number>(total);\n"
    "    return total;\n"
    "  }\n"
    "  return null;\n"
    "}\n";

// docs/reference/analysis.md, "Normalisation" and "Languages"
TEST(Typescript, EquivalencesOfTheBaseFunction) {
  struct Row {
    const char* change;
    std::string other;
    Clone wanted;
  };
  const Row rows[] = {
      {"white space", with(kBase, "f(a", "f( a"), Clone::type1},
      {"type of a variable", with(kBase, "total: number", "total"), Clone::type2},
      {"types of parameters", with(kBase, "a: Item[]", "a: Array<Thing>"), Clone::type2},
      {"type of the result", with(kBase, ": number | null", ""), Clone::type2},
      {"type arguments", with(kBase, "log<number>", "log"), Clone::type2},
      {"generic", with(kBase, "f(", "f<T extends U>("), Clone::type2},
      {"renamed", with(kBase, "total", "sum"), Clone::type2},
      {"another call", with(kBase, "log<", "warn<"), Clone::none},
      {"augmented", with(kBase, "total = total +", "total +="), Clone::type2},
      {"another comparison", with(kBase, "> b", "< b"), Clone::none},
      {"cast", with(kBase, "return total;", "return total as number;"), Clone::none},
      {"alias of a type", with(kBase, "  let", "  type X = string;\n  let"), Clone::none},
      {"declared without a value", with(kBase, "  let", "  let x: X;\n  let"), Clone::type2},
  };
  for (const Row& row : rows)
    EXPECT_EQ(kTs.compare(kBase, row.other), row.wanted) << row.change;
}

constexpr CloneCase kClones[] = {
    {"type of a cast", "return a as Foo;", "return a as Bar;", Clone::type2},
    {"using and const", "using x = g(p);", "const x = g(p);", Clone::none},
    {"type of using", "using x: T = g(p);", "using x = g(p);", Clone::type2},
    {"forms of casts", "return a as Foo;", "return <Foo>a;", Clone::type2},
    {"not null", "return a! + b!;", "return a + b;", Clone::type2},
    {"satisfies is a cast", "return a satisfies Foo;", "return a as Foo;", Clone::type2},
    {"type of the exception", "try { g(); } catch (e: any) { }", "try { g(); } catch { }",
     Clone::type2},
    {"class of new", "return new G<A>();", "return new H<A>();", Clone::none},
    {"arguments of a class", "return new G<A>();", "return new G();", Clone::type2},
    {"types of a callback", "g((x: A): B => x);", "g((x) => x);", Clone::type2},
    {"types of an inner function", "function g<T>(x: T): T { return x; }",
     "function g(x) { return x; }", Clone::type2},
    {"visibility", "class K { private m() { g(); } }", "class K { public m() { g(); } }",
     Clone::type2},
    {"implements", "class K implements A { m() {} }", "class K { m() {} }", Clone::type2},
    {"base", "class K extends A { m() {} }", "class K { m() {} }", Clone::none},
    {"optional call", "a?.b();", "a.b();", Clone::none},
    {"name of an enum", "enum A { X }", "enum B { X }", Clone::none},
    {"readonly", "class K { readonly a: A = 1; }", "class K { a = 2; }", Clone::type2},
};

TEST(Typescript, EquivalencesOfBodies) { kTs.check_bodies(kClones); }

TEST(Typescript, IsComparableWithJavascript) {
  constexpr LanguageCases kJs{syntax::Language::javascript};
  const std::string plain = "function f(a, b) { const x = a.b; if (x) { g(x); } return [x]; }\n";
  const std::string typed =
      "function f(a: A, b: B): X[] { const x: X = a.b; if (x) { g<X>(x); } return [x]; }\n";
  EXPECT_EQ(kJs.facts(plain).units[0].fingerprint, kTs.facts(typed).units[0].fingerprint);
  EXPECT_EQ(kJs.facts(plain).units[0].fingerprint, kTsx.facts(typed).units[0].fingerprint);
}

constexpr CloneCase kTsxClones[] = {
    {"type arguments of a tag", "return <A<T> b={1} />;", "return <A b={2} />;", Clone::type2},
    {"tag", "return <A.B />;", "return <A.C />;", Clone::none},
    {"spread", "return <A {...a} />;", "return <A a={a} />;", Clone::none},
    {"text", "return <p>one &amp; two</p>;", "return <p>three</p>;", Clone::type2},
    {"children", "return <p><a /><b /></p>;", "return <p><b /><a /></p>;", Clone::none},
};

TEST(Tsx, EquivalencesOfBodies) { kTsx.check_bodies(kTsxClones); }

// docs/reference/analysis.md, "Languages": imports
TEST(Typescript, Imports) {
  struct Row {
    std::string_view source;
    Texts wanted;
  };
  const Row rows[] = {
      {"import type {A, B as C} from './m';", {"./m A B !types"}},
      {"import type D from './m';", {"./m default !types"}},
      {"import type * as n from './m';", {"./m * !types"}},
      {"import {type A, b} from './m';", {"./m A b"}},
      {"import {type A} from './m';", {"./m A !types"}},
      {"import d, {type A} from './m';", {"./m default A"}},
      {"import {} from './m';", {"./m"}},
      {"export type {A} from './m';", {"./m A !types"}},
      {"export {type A} from './m';", {"./m A !types"}},
      {"export * from './m';", {"./m *"}},
      {"import x = require('./m');", {"./m *"}},
      {"import y = A.B;", {}},
      {"export type {A};", {}},
      {"const x = require('./m') as X;", {"./m !call"}},
      {"const x = await import('./m');", {"./m !call !deferred"}},
      {"export as namespace X;", {}},
      {"let x: import('./m').X;", {"./m !call !types"}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(kTs.imports(row.source), row.wanted) << row.source;
}

TEST(Typescript, ImportsLeadToSourcesOfWhatIsWritten) {
  EXPECT_EQ(
      edges_of({{"a.ts", "import './b.js'; import './c'; import './d'; import './e.mjs';"},
                {"b.tsx", "import './f.jsx'; import './g';"},
                {"c.d.ts", ""},
                {"d/index.ts", "import '../a';"},
                {"e.mts", ""},
                {"f.tsx", ""},
                {"g.js", ""},
                {"g.ts", ""}}),
      (Texts{"a -> b", "a -> c.d", "a -> d.index", "a -> e", "b -> f", "b -> g", "d.index -> a"}));
}

TEST(Typescript, TypeImportsMakeNoCycle) {
  Project project;
  for (const auto& [path, source] : std::vector<std::pair<std::string, std::string>>{
           {"a.ts", "import type {B} from './b';"}, {"b.ts", "import {a} from './a';"}})
    project.files.push_back({path, syntax::Language::typescript, kTs.facts(source)});
  const Dependencies d = dependencies_of(project);
  EXPECT_EQ(d.edges.size(), 2u);
  EXPECT_TRUE(d.cycles.empty());
}

TEST(Typescript, CouplingCountsTypesAndDecorators) {
  const FileFacts facts = kTs.facts(
      "import {Base, Dec, Edge, Param, Unused} from './m';\n"
      "import type {Node as N} from './n';\n"
      "enum Color { red }\n"
      "@Dec()\n"
      "class Graph<T extends N> extends Base<Edge> {\n"
      "  constructor(@Param() private x: Color) { super(); }\n"
      "}\n");
  ASSERT_EQ(facts.classes.size(), 2u);
  EXPECT_EQ(facts.classes[1].coupled, (Texts{"Base", "Color", "Dec", "Edge", "N", "Param"}));
}

}  // namespace
}  // namespace gh::analysis
