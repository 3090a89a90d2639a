// docs/reference/analysis.md, "Public API", in languages other than Python.
#include <gtest/gtest.h>

#include "analysis/api_breaks.h"
#include "analysis/api_surface.h"
#include "analysis/extract.h"

namespace gh::analysis {
namespace {

using Names = std::vector<std::string>;

Project project_of(const std::string& path, std::string_view source) {
  // a header is one of C++ where the project has any
  const syntax::Language language =
      path.ends_with(".h") ? syntax::Language::c : syntax::language_of_path(path).value();
  Project out;
  out.files.push_back({path, language, Extractor().facts_of(language, source)});
  EXPECT_EQ(out.files[0].facts.status, FileStatus::ok) << source;
  return out;
}

ApiSurface surface_of(const std::string& path, std::string_view source) {
  return api_surface_of(project_of(path, source));
}

struct SurfaceRow {
  const char* path;
  const char* source;
  Names symbols;
};

class Surfaces : public ::testing::TestWithParam<SurfaceRow> {};

TEST_P(Surfaces, HoldWhatOthersMayName) {
  Names out;
  for (const ApiModule& module : surface_of(GetParam().path, GetParam().source).modules)
    for (const ApiSymbol& symbol : module.symbols)
      out.push_back(module.module + ":" + symbol.local_name + " " +
                    std::string(to_string(symbol.kind)));
  EXPECT_EQ(out, GetParam().symbols);
}

const SurfaceRow kSurfaces[] = {
    {"a.h",
     "int f(int a, int b);\n"
     "static int g(int a);\n"
     "static inline int h(int a) { return a; }\n"
     "extern int counter;\n"
     "static const int limit = 3;\n"
     "inline int k(void) { return 1; }\n",
     {"a:f function", "a:counter constant", "a:k function"}},
    {"a.c", "int f(int a) { return a; }\nint counter = 1;\n", {}},
    {"a.ts",
     "export const { one, two: renamed, three = () => { let no = 1; }, ...rest } = make();\n"
     "export const [p, { q }] = make();\n"
     "const { hidden } = make();\n"
     "export const whole = { inner: (no = 1) };\n",
     {"a:one constant", "a:renamed constant", "a:rest constant", "a:three constant", "a:p constant",
      "a:q constant", "a:whole constant"}},
    {"a.hpp",
     "namespace n {\n"
     "class K {\n"
     " public:\n"
     "  K(int a);\n"
     "  void m(int q, int r = 1);\n"
     "  void m(double d);\n"
     " private:\n"
     "  void p();\n"
     "  int x;\n"
     "};\n"
     "namespace { int hidden(); }\n"
     "int f();\n"
     "struct S { int get() const; };\n"
     "inline int S::get() const { return 1; }\n"
     "}\n",
     {"a:n.K class", "a:n.K.K method", "a:n.K.m method", "a:n.K.m method", "a:n.f function",
      "a:n.S class", "a:n.S.get method"}},
    {"a.cc", "class K { public: void m(); };\nint f() { return 1; }\n", {}},
    {"a.js",
     "export function f(a, b = 1) {}\n"
     "function g() {}\n"
     "export class K { m(q) {} #p() {} }\n"
     "export const C = 1;\n"
     "const D = 2;\n"
     "function listed() {}\n"
     "const E = 3;\n"
     "export { listed, D as d };\n",
     {"a:f function", "a:K class", "a:K.m method", "a:C constant", "a:d constant",
      "a:listed function"}},
    {"d.js",
     "export default function f(a) {}\n"
     "class K { m() {} }\n"
     "export { K as Q, K };\n"
     "export function g() {}\n"
     "export { g as h };\n",
     {"d:default function", "d:K class", "d:K.m method", "d:Q class", "d:Q.m method",
      "d:g function", "d:h function"}},
    {"e.mjs",
     "class K { m() {} }\nexport { K as default };\n",
     {"e:default class", "e:default.m method"}},
    {"d.ts",
     "export default interface I { q(): void }\n",
     {"d:default class", "d:default.q method"}},
    {"b.cjs",
     "function f(a) {}\nfunction g() {}\nconst C = 1;\nmodule.exports = { f, c: C };\n",
     {"b:f function", "b:c constant"}},
    {"x.cjs",
     "function f(a) {}\nfunction g() {}\nclass K { m() {} }\n"
     "exports.one = f;\nmodule.exports.Two = K;\nother.three = g;\n",
     {"x:one function", "x:Two class", "x:Two.m method"}},
    {"y.cjs",
     "exports.one = function (a) {};\nmodule.exports.two = async () => 1;\nother.f = () => 2;\n"
     "function g() { exports.late = function () {}; }\n",
     {"y:one function", "y:two function"}},
    {"z.cjs",
     "const h = 1;\nmodule.exports = { run(a) {}, stop: function () {}, h, n: { deep() {} } };\n",
     {"z:h constant", "z:run function", "z:stop function"}},
    {"k.cjs",
     "module.exports = class Tool { up() {} #in() {} };\n",
     {"k:Tool class", "k:Tool.up method"}},
    {"a.ts",
     "export interface I { q(a: string): void }\n"
     "export function f(a: number, b?: number): number { return a; }\n"
     "export class K { m(q: number) {} private p() {} }\n"
     "class L { m() {} }\n",
     {"a:I class", "a:I.q method", "a:f function", "a:K class", "a:K.m method"}},
    {"a.test.ts", "export function f() {}\n", {}},
    {"p/a.go",
     "package p\n"
     "type K struct{ n int }\n"
     "type k struct{}\n"
     "type I interface{ Do(a int); hidden() }\n"
     "func (k *K) M(q int) {}\n"
     "func (k *K) m() {}\n"
     "func (x k) N() {}\n"
     "func F(a int, b ...string) {}\n"
     "func f() {}\n"
     "const C = 1\n"
     "var V int\n"
     "var w = 2\n",
     {"p:K class", "p:I class", "p:I.Do method", "p:K.M method", "p:F function", "p:C constant",
      "p:V constant"}},
    {"p/a_test.go", "package p\nfunc TestF(t *testing.T) {}\n", {}},
    {"src/a.rs",
     "pub struct K { n: i32 }\n"
     "struct L;\n"
     "impl K { pub fn m(&self, q: i32) {}\n fn n(&self) {} }\n"
     "impl L { pub fn m(&self) {} }\n"
     "pub trait T { fn d(&self, a: i32); }\n"
     "impl T for K { fn d(&self, a: i32) {} }\n"
     "pub fn f(a: i32) {}\n"
     "pub(crate) fn g() {}\n"
     "pub const C: i32 = 1;\n"
     "const D: i32 = 2;\n"
     "pub mod inner { pub fn i() {} fn j() {} }\n",
     {"crate.a:K class", "crate.a:K.m method", "crate.a:T class", "crate.a:T.d method",
      "crate.a:f function", "crate.a:C constant", "crate.a:inner.i function"}},
    {"a/M.java",
     "public class M {\n"
     "  public M(int a) {}\n"
     "  public int f(int a) { return a; }\n"
     "  protected int g() { return 1; }\n"
     "  int h() { return 2; }\n"
     "  private int i() { return 3; }\n"
     "  public int f(int a, int b) { return b; }\n"
     "  public static class Inner { public void x() {} }\n"
     "}\n"
     "class Hidden { public void y() {} }\n",
     {"a.M:M class", "a.M:M.M method", "a.M:M.f method", "a.M:M.g method", "a.M:M.f method"}},
    {"a/I.java",
     "public interface I { void z(); default int y() { return 1; } }\n",
     {"a.I:I class", "a.I:I.y method", "a.I:I.z method"}},
};
INSTANTIATE_TEST_SUITE_P(Languages, Surfaces, ::testing::ValuesIn(kSurfaces));

struct BreakRow {
  const char *path, *before, *after;
  Names breaks;
};

class Breaks : public ::testing::TestWithParam<BreakRow> {};

TEST_P(Breaks, AreWhatACallerOfYesterdayCannotDo) {
  const BreakRow& row = GetParam();
  Names out;
  for (const ApiChange& change :
       compare_api(surface_of(row.path, row.before), surface_of(row.path, row.after), false)
           .breaking)
    out.push_back(change.qualname + " " + change.detail);
  EXPECT_EQ(out, row.breaks) << row.before << row.after;
}

const BreakRow kBreaks[] = {
    // C: by place alone
    {"a.h", "int f(int a);", "int f(int z);", {}},
    {"a.h", "int f(int a);", "int f(int a, int b);", {"a:f b was added and is required"}},
    {"a.h", "int f(int, int);", "int f(int);", {"a:f parameter 2 was removed"}},
    {"a.h", "int f(int);", "int f(int, int);", {"a:f parameter 2 was added and is required"}},
    {"a.h", "int f(int a, ...);", "int f(int a);", {"a:f ... was removed"}},
    {"a.h", "int f(void);", "int f(void);", {}},
    {"a.h", "int f(void);", "static int f(void);", {"a:f was removed"}},
    {"a.h", "extern int n;", "int n(void);", {"a:n changed from constant to function"}},
    // C++: defaults and overloads
    {"a.hpp", "void f(int a);", "void f(int a, int b = 1);", {}},
    {"a.hpp", "void f(int a, int b = 1);", "void f(int a, int b);", {"a:f b became required"}},
    {"a.hpp", "void f(int a);", "void f(int a);\nvoid f(int a, int b);", {}},
    {"a.hpp", "void f(int a);\nvoid f(int a, int b);", "void f(int a);", {"a:f b was removed"}},
    {"a.hpp", "class K { public: void m(); };", "class K { void m(); };", {"a:K.m was removed"}},
    // JavaScript, TypeScript: optional parameters
    {"a.js", "export function f(a) {}", "export function f(b) {}", {}},
    {"a.js", "export function f(a) {}", "export function f(a, b = 1) {}", {}},
    {"a.js", "export function f(a) {}", "export function f(a, ...r) {}", {}},
    {"a.js",
     "export function f(a) {}",
     "export function f(a, b) {}",
     {"a:f b was added and is required"}},
    {"a.js", "export const f = (a) => a;", "export const f = () => 1;", {"a:f a was removed"}},
    {"a.js",
     "export function f({ a }) {}",
     "export function f({ a }, { b }) {}",
     {"a:f parameter 2 was added and is required"}},
    {"a.js", "export function f() {}", "function f() {}", {"a:f was removed"}},
    {"a.js", "export function f() {}", "function g() {}\nexport { g as f };", {}},
    {"a.js", "function f() {}\nexport { f as g };", "export function f() {}", {"a:g was removed"}},
    {"a.js", "export default function f() {}", "export default function g() {}", {}},
    {"a.js", "export default function f() {}", "export function f() {}", {"a:default was removed"}},
    {"a.js", "export function f() {}", "export default function f() {}", {"a:f was removed"}},
    {"a.js",
     "export default class K { m() {} }",
     "class K {}\nexport { K as default };",
     {"a:default.m was removed"}},
    {"a.js",
     "export default class K { m() {} }",
     "class K { m() {} }\nexport { K as default };",
     {}},
    {"a.ts", "export function f(a: number) {}", "export function f(a: number, b?: number) {}", {}},
    {"a.ts",
     "export function f(a?: number) {}",
     "export function f(a: number) {}",
     {"a:f a became required"}},
    {"a.ts",
     "export class K { m(a: number) {} }",
     "export class K { private m(a: number) {} }",
     {"a:K.m was removed"}},
    // Go: the receiver is no parameter
    {"p/a.go", "package p\nfunc F(a int) {}", "package p\nfunc F(b int) {}", {}},
    {"p/a.go",
     "package p\nfunc F(a int) {}",
     "package p\nfunc F(a, b int) {}",
     {"p:F b was added and is required"}},
    {"p/a.go", "package p\nfunc F(a int) {}", "package p\nfunc F(a int, r ...int) {}", {}},
    {"p/a.go", "package p\nfunc F() {}", "package p\nfunc f() {}", {"p:F was removed"}},
    {"p/a.go",
     "package p\ntype K struct{}\nfunc (k *K) M(a int) {}",
     "package p\ntype K struct{}\nfunc (k *K) M() {}",
     {"p:K.M a was removed"}},
    // Rust
    {"src/a.rs", "pub fn f(a: i32) {}", "pub fn f(b: i32) {}", {}},
    {"src/a.rs", "pub fn f(a: i32) {}", "pub fn f() {}", {"crate.a:f a was removed"}},
    {"src/a.rs", "pub fn f() {}", "pub(crate) fn f() {}", {"crate.a:f was removed"}},
    {"src/a.rs",
     "pub struct K;\nimpl K { pub fn m(&self) {} }",
     "pub struct K;\nimpl K { pub fn m(&self, a: i32) {} }",
     {"crate.a:K.m a was added and is required"}},
    // Java
    {"M.java",
     "public class M { public void f(int a) {} }",
     "public class M { public void f(int b) {} }",
     {}},
    {"M.java",
     "public class M { public void f(int a) {} }",
     "public class M { public void f(int a, int b) {} }",
     {"M:M.f b was added and is required"}},
    {"M.java",
     "public class M { public void f(int a) {} }",
     "public class M { public void f(int a) {} public void f(int a, int b) {} }",
     {}},
    {"M.java",
     "public class M { public void f() {} }",
     "public class M { void f() {} }",
     {"M:M.f was removed"}},
    {"M.java", "public class M {}", "class M {}", {"M:M was removed"}},
};
INSTANTIATE_TEST_SUITE_P(Languages, Breaks, ::testing::ValuesIn(kBreaks));

// docs/reference/analysis.md, "Language traits"
struct DocumentedRow {
  const char *path, *source;
  bool is_documented;
};

class DocumentationComments : public ::testing::TestWithParam<DocumentedRow> {};

TEST_P(DocumentationComments, StandAboveWhatTheyDocument) {
  const DocumentedRow& row = GetParam();
  const Project project = project_of(row.path, row.source);
  const std::vector<DeclarationFact>& all = project.files[0].facts.declarations.all;
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back().is_documented, row.is_documented) << row.source;
}

const DocumentedRow kDocumented[] = {
    {"a.h", "/** Says. */\nint f(void);\n", true},
    {"a.h", "/// Says.\nint f(void);\n", true},
    {"a.h", "/*! Says. */\nint f(void);\n", true},
    {"a.h", "//! Says.\nint f(void);\n", true},
    {"a.h", "// Says.\nint f(void);\n", false},
    {"a.h", "/** Says. */\n\nint f(void);\n", false},
    {"a.h", "/** Says. */\nint n;\nint f(void);\n", false},
    {"a.hpp", "/// Says.\ntemplate <class T>\nT f(T t);\n", true},
    {"a.js", "/** Says. */\nexport function f() {}\n", true},
    {"a.js", "// Says.\nexport function f() {}\n", false},
    {"a.ts", "/** Says. */\nexport class K {}\n", true},
    {"a.go", "package p\n\n// F says.\nfunc F() {}\n", true},
    {"a.go", "package p\n\n// F says.\n\nfunc F() {}\n", false},
    {"a.go", "package p\n\n/* F says. */\nfunc F() {}\n", true},
    {"a.rs", "/** Says. */\npub fn f() {}\n", true},
    {"a.rs", "/* Says. */\npub fn f() {}\n", false},
    {"a.rs", "/// Says.\n/// More.\npub fn f() {}\n", true},
    {"a.rs", "/// Says.\n#[inline]\npub fn f() {}\n", true},
    {"a.rs", "// Says.\npub fn f() {}\n", false},
    {"M.java", "/** Says. */\n@Deprecated(since = \"1;\")\npublic class M {}\n", true},
    {"M.java", "/* Says. */\npublic class M {}\n", false},
};
INSTANTIATE_TEST_SUITE_P(Languages, DocumentationComments, ::testing::ValuesIn(kDocumented));

TEST(DocumentationComment, FarAboveIsNotReadAgainForEachDeclaration) {
  const auto is_documented = [](std::size_t bytes) {
    const std::string source =
        "/** Says. */ @A(\"" + std::string(bytes, 'x') + "\") public class M {}\n";
    return project_of("M.java", source).files[0].facts.declarations.all.at(0).is_documented;
  };
  EXPECT_TRUE(is_documented(4000));
  EXPECT_FALSE(is_documented(5000));
}

}  // namespace
}  // namespace gh::analysis
