// Rust: docs/reference/analysis.md, "Languages".
#include "analysis/import_targets.h"
#include "analysis/language_kit.h"

namespace gh::analysis {
namespace {

using kit::Measured;
using kit::Pair;
using Names = std::vector<std::string>;
constexpr auto kRust = syntax::Language::rust;

std::string in_function(std::string_view body) {
  return "fn f(a: i32, b: i32, c: bool, xs: Vec<i32>, o: Option<i32>) -> i32 {\n" +
         std::string(body) + "\n}\n";
}

// clang-format off
constexpr Measured kMeasured[] = {
    {"let d = a + 1; d", 1, 0},
    {"if c { return 1; } 2", 2, 1},
    {"if a > 1 { 1 } else if a > 2 { 2 } else { 3 }", 3, 1},
    {"if a > 1 && b > 1 && c { return 1; }", 4, 1},
    {"if c || (a > 1 && b > 1) { return 1; }", 3, 1},
    {"if a > 1 && b > 1 || c { return 1; }", 3, 1},
    {"if !(c && a > 1) { return 1; }", 2, 1},
    {"let d = c && a > 1;", 1, 0},
    {"if let Some(x) = o { return x; }", 2, 1},
    {"if let Some(x) = o && x > 1 { return x; }", 3, 1},
    {"while a > b { g(); }", 2, 1},
    {"while a > b && c { g(); }", 3, 1},
    {"while let Some(x) = g() { h(x); }", 2, 1},
    {"loop { if c { break; } }", 3, 2},
    {"loop { g(); }", 2, 1},
    {"for x in xs { g(x); }", 2, 1},
    {"for (i, x) in xs.iter().enumerate() { g(i, x); }", 2, 1},
    {"match a { 1 => g(), 2 | 3 => h(), _ => k() }", 4, 1},
    {"match a { 1 if c => { g(); } _ => {} }", 3, 1},
    {"match o { Some(x) => { if x > 1 { g(); } } None => return 1 }", 4, 2},
    {"let d = match a { 1 => 2, _ => 3 };", 3, 1},
    {"let d = if c { 1 } else { 2 };", 2, 1},
    {"let d = if c { if a > 1 { 1 } else { 2 } } else { 3 };", 3, 2},
    {"g(if c { 1 } else { 2 })", 2, 1},
    {"let d = g()?; h(d)?", 1, 0},
    {"let Some(x) = o else { return 1; };", 2, 1},
    {"let h = |x: i32| if x > 1 { 1 } else { 2 };", 1, 0},
    {"xs.iter().map(|x| { if *x > 1 { 1 } else { 2 } }).sum()", 1, 0},
    {"return 1; if c { g(); }", 1, 1},
    {"{ if c { g(); } }", 2, 1},
    {"unsafe { if c { g(); } }", 2, 1},
    {"let d = { let e = 1; if c { e } else { 2 } };", 2, 1},
    {"let d = async { if c { g().await; } };", 2, 1},
    {"'outer: for x in xs { loop { if c { continue 'outer; } break 'outer; } }", 4, 3},
    {"println!(\"{}\", if c { 1 } else { 2 });", 1, 0},
    {"let d = loop { if c { break 1; } };", 3, 2},
    {"match a { 1 => match b { 1 => 1, _ => 2 }, _ => 3 }", 5, 2},
    {"for x in xs { if x > 1 { continue; } if x > 2 { break; } }", 4, 2},
    {"if c { for x in xs { while a > x { g(); } } }", 4, 3},
    {"let d = a as i64; let e = &mut xs[1..]; d", 1, 0},
    {"fn g(y: bool) -> i32 { if y { 1 } else { 2 } } g(c)", 1, 0},
    {"match a { 0..=9 => 1, x @ 10 => x, Foo::A { b, .. } => 2, _ => 3 }", 5, 1},
    {"a += 1; b = 2; panic!(\"x\")", 1, 0},
};

constexpr Pair kPairs[] = {
    {"'o: for x in xs { loop { break 'o; } }", "'o: for x in xs { loop { break; } }", false},
    {"let d = a + 1; g(d)", "let e = b + 2; g(e)", true},
    {"let d = a + 1; g(d)", "let d = a + 1; h(d)", false},
    {"let d = a + 1; g(d)", "let d = 1 + a; g(d)", false},
    {"let d: i32 = 1; g(d)", "let d: u64 = 2; g(d)", true},
    {"let mut d = 1; g(d)", "let d = 1; g(d)", true},
    {"let d; d = 1;", "d = 1;", true},
    {"a += 1;", "a = a + 1;", true},
    {"a += 1;", "a -= 1;", false},
    {"g(a)", "g(a);", false},
    {"g(a)", "return g(a)", false},
    {"a.b.c(1)", "a.b.c(2)", true},
    {"a.b.c(1)", "a.d.c(1)", false},
    {"a = b.x;", "a = b.y;", true},
    {"std::mem::swap(a, b);", "std::mem::take(a, b);", false},
    {"Vec::<i32>::new()", "Vec::<u8>::new()", true},
    {"g::<i32>(a)", "g::<u8>(a)", true},
    {"if c { g(); } else if a > 1 { h(); }", "if c { g(); } else { if a > 1 { h(); } }", true},
    {"if c { g(); }", "if (c) { g(); }", true},
    {"if let Some(x) = o { g(x); }", "if let Some(y) = o { g(y); }", true},
    {"if let Some(x) = o { g(x); }", "if let Ok(x) = o { g(x); }", false},
    {"for x in xs { g(x); }", "for y in xs { g(y); }", true},
    {"for x in xs { g(x); }", "for (x, y) in xs { g(x); }", false},
    {"loop { g(); }", "while c { g(); }", false},
    {"match a { 1 => g(), _ => h() }", "match b { 1 => g(), _ => h() }", true},
    {"match a { 1 => g(), _ => h() }", "match a { 2 => g(), _ => h() }", false},
    {"match a { 1 => g(), _ => h() }", "match a { 1 => { g() } _ => { h() } }", true},
    {"match a { 1 if c => g(), _ => h() }", "match a { 1 if d => g(), _ => h() }", true},
    {"a?;", "a;", false},
    {"a = &b;", "a = *b;", false},
    {"a = &b;", "a = &mut b;", true},
    {"a = b as i32;", "a = b as u8;", true},
    {"a = 1..2;", "a = 1..=2;", false},
    {"a = xs[1..];", "a = xs[..1];", false},
    {"Foo { x: 1, y }", "Foo { x: 2, y }", true},
    {"Foo { x: 1 }", "Bar { x: 1 }", false},
    {"Foo { x: 1 }", "Foo { y: 1 }", false},
    {"println!(\"a {}\", a);", "println!(\"b {}\", b);", true},
    {"println!(\"a {}\", a);", "eprintln!(\"a {}\", a);", false},
    {"println!(\"{}\", a);", "println!(\"{} {}\", a, b);", false},
    {"assert!(g(a));", "assert!(h(a));", false},
    {"unsafe { g(a); }", "g(a);", true},
    {"break 'a;", "break 'b;", true},
    {"return 1; g(a);", "return 1;", true},
    {"// x\ng(a) /* y */", "g(a)", true},
};
// clang-format on

TEST(Rust, ComplexityAndNesting) { kit::expect_measures(kRust, kMeasured, in_function); }

TEST(Rust, Clones) { kit::expect_clones(kRust, kPairs, in_function); }

TEST(Rust, UnitsAreNamedByModulesAndTypes) {
  const FileFacts facts = kit::facts(kRust, R"(
struct T<A> { a: A }
impl<A> T<A> { pub fn new(a: A) -> Self { T { a } } fn get(&self) -> &A { &self.a } }
impl<A> Drop for T<A> { fn drop(&mut self) {} }
impl fmt::Display for other::U { fn fmt(&self) {} }
trait R { fn asked(&self); fn given(&self) -> i32 { 1 } }
mod inner { pub fn f() {} impl super::T<i32> { fn g(&self) {} } }
fn outer() { fn within() {} }
extern "C" { fn c_fn(a: i32); }
)");
  EXPECT_EQ(kit::unit_names(facts),
            (Names{"T.new", "T.get", "T.drop", "U.fmt", "R.given", "inner.f", "inner.T.g", "outer",
                   "outer.<locals>.within"}));
  EXPECT_EQ(kit::unit(facts, "inner.f").kind, UnitKind::function);
  EXPECT_EQ(kit::unit(facts, "T.get").kind, UnitKind::method);
}

TEST(Rust, ModulesFollowTheLayoutOfTheCrate) {
  const auto module = [](std::string path) { return module_of(AnalysedFile{path, kRust, {}}); };
  EXPECT_EQ(module("src/lib.rs"), "crate");
  EXPECT_EQ(module("src/main.rs"), "crate.main");
  EXPECT_EQ(module("src/a.rs"), "crate.a");
  EXPECT_EQ(module("src/a/mod.rs"), "crate.a");
  EXPECT_EQ(module("src/a/b.rs"), "crate.a.b");
  EXPECT_EQ(module("crates/x/src/lib.rs"), "crates.x");
  EXPECT_EQ(module("crates/x/src/a.rs"), "crates.x.a");
  EXPECT_EQ(module("tests/t.rs"), "tests.t");
  EXPECT_EQ(module("build.rs"), "build");
}

// lcom4, methods, instance variables, nodes
TEST(Rust, CohesionIsThatOfInherentMethodsWithSelf) {
  struct Row {
    const char* what;
    std::string source;
    Cohesion expected;
  };
  const Row rows[] = {
      {"no methods", "struct T { a: i32 }", {1, 0, 0, 0}},
      {"shared",
       "struct T { a: i32 } impl T { fn f(&self) -> i32 { self.a } fn g(&mut self) { self.a = 1; } "
       "}",
       {1, 2, 1, 2}},
      {"two parts",
       "struct T { a: i32, b: i32 } impl T { fn f(&self) -> i32 { self.a } fn g(&self) -> i32 { "
       "self.b } }",
       {2, 2, 2, 2}},
      {"two blocks",
       "struct T { a: i32 } impl T { fn f(&self) -> i32 { self.a } } impl T { fn g(&self) -> i32 { "
       "self.f() } }",
       {1, 2, 2, 2}},
      {"no self",
       "struct T { a: i32 } impl T { fn new() -> T { T { a: 1 } } fn f(&self) -> i32 { self.a } }",
       {1, 2, 1, 1}},
      {"a trait is apart",
       "struct T { a: i32, b: i32 } impl T { fn f(&self) -> i32 { self.a } } impl R for T { fn "
       "g(&self) -> i32 { self.b } }",
       {1, 1, 1, 1}},
      {"enum",
       "enum T { A, B } impl T { fn f(&self) -> i32 { 1 } fn g(&self) -> i32 { 2 } }",
       {2, 2, 0, 2}},
      {"trait", "trait T { fn f(&self); fn g(&self) -> i32 { 1 } }", {1, 2, 0, 0}},
      {"boxed self",
       "struct T { a: i32 } impl T { fn f(self: Box<Self>) -> i32 { self.a } fn g(&self) -> i32 { "
       "self.a } }",
       {1, 2, 1, 2}},
      {"in a macro",
       "struct T { a: i32 } impl T { fn f(&self) { println!(\"{}\", self.a); } fn g(&self) -> Vec "
       "{ vec![self.a] } fn h(&self) { if x { dbg!((1, self.f())); } } }",
       {1, 3, 2, 3}},
      {"by the type",
       "struct T { a: i32 } impl T { fn f(&self) { Self::g(self) } fn g(&self) -> i32 { self.a } }",
       {1, 2, 2, 2}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    EXPECT_EQ(kit::cohesion(kit::project(kRust, {{"src/lib.rs", row.source}}), "T"), row.expected);
  }
}

TEST(Rust, UsesAreOpenedUp) {
  const FileFacts facts = kit::facts(
      kRust, "use a::b::{self, c, d as e, f::{g, h::*}};\nuse std::io;\nuse x;\nmod m;\n");
  Names all;
  for (const ImportFact& fact : facts.imports)
    for (const std::string& name : fact.is_from ? fact.names : Names{fact.module})
      all.push_back(fact.is_from ? fact.module + " " + name : "mod " + name);
  EXPECT_EQ(all, (Names{"a::b self", "a::b c", "a::b d", "a::b::f g", "a::b::f::h *", "std io",
                        " x", "mod m"}));
}

TEST(Rust, CouplingSeesWhatIsUsed) {
  const FileFacts facts = kit::facts(kRust,
                                     "use a::{B, c as d, e}; struct U; struct T { u: U }\n"
                                     "impl T { fn f(&self, b: B) { d::g(); let e = 1; h(e); } }\n");
  ASSERT_EQ(facts.classes.size(), 3u);
  EXPECT_EQ(facts.classes[1].coupled, (Names{"U"}));
  EXPECT_EQ(facts.classes[2].coupled, (Names{"B", "d"}));
}

TEST(Rust, CouplingSeesBounds) {
  const FileFacts facts =
      kit::facts(kRust,
                 "use a::{B, C, D, E};\n"
                 "struct T<X>(X) where X: B;\n"
                 "impl<X> T<X> where X: C { fn f<Y>(&self) where Y: D { <E as Q>::g(); } }\n");
  ASSERT_EQ(facts.classes.size(), 2u);
  EXPECT_EQ(facts.classes[0].coupled, (Names{"B"}));
  EXPECT_EQ(facts.classes[1].coupled, (Names{"C", "D", "E"}));
}

TEST(Rust, UsesLeadToFiles) {
  const Project project =
      kit::project(kRust, {{"src/main.rs", "mod a;\nmod d;\nuse a::b::X;\nuse std::io;\n"},
                           {"src/a.rs", "pub mod b;\nuse crate::d::Y;\nuse self::b::Z;\n"},
                           {"src/a/b.rs", "use super::super::d;\nuse super::W;\n"},
                           {"src/d/mod.rs", "mod e;\nuse other_lib::V;\n"},
                           {"src/d/e.rs", "use crate::d::{e::Own, f};\n"},
                           {"other-lib/src/lib.rs", "mod v;\npub use v::V;\n"},
                           {"other-lib/src/v.rs", "use crate::Root;\n"}});
  EXPECT_EQ(
      kit::edges(project),
      (Names{"crate.a -> crate.a.b", "crate.a -> crate.d", "crate.a.b -> crate.a",
             "crate.a.b -> crate.d", "crate.d -> crate.d.e", "crate.d -> other-lib",
             "crate.d.e -> crate.d", "crate.main -> crate.a", "crate.main -> crate.a.b",
             "crate.main -> crate.d", "other-lib -> other-lib.v", "other-lib.v -> other-lib"}));
}

TEST(Rust, PathsInAnInlineModuleBeginThere) {
  const Project project = kit::project(
      kRust, {{"src/lib.rs", "pub mod store;\npub mod helper;\nmod a;\n"},
              {"src/helper.rs", "pub fn h() {}\n"},
              {"src/a.rs", "pub fn f() {}\n#[cfg(test)]\nmod tests { use super::*; }\n"},
              {"src/store/mod.rs", "pub mod item;\n"},
              {"src/store/item.rs",
               "pub fn go() {}\n"
               "pub mod imp {\n"
               "  use super::go;\n"
               "  use super::super::top;\n"
               "  use crate::helper::h;\n"
               "  use self::deep::q;\n"
               "  pub mod deep { use super::super::go; mod far; }\n"
               "}\n"
               "use super::Last;\n"},
              {"src/store/item/imp/deep/far.rs", ""}});
  EXPECT_EQ(kit::edges(project),
            (Names{"crate -> crate.a", "crate -> crate.helper", "crate -> crate.store",
                   "crate.store -> crate.store.item", "crate.store.item -> crate.helper",
                   "crate.store.item -> crate.store",
                   "crate.store.item -> crate.store.item.imp.deep.far"}));
}

TEST(Rust, AFileThatOnlyTestsBringInIsATestFile) {
  Project project =
      kit::project(kRust, {{"src/lib.rs",
                            "#[cfg(test)]\nmod tests;\n"
                            "#[cfg(any(test, feature = \"x\"))]\nmod helpers;\n"
                            "#[cfg(all(test, unix))]\n#[path = \"other_tests.rs\"]\nmod more;\n"
                            "#[cfg(feature = \"test\")]\nmod feature;\n"
                            "#[cfg(not(test))]\nmod real;\n"
                            "#[cfg(test)]\nmod both;\n"},
                           {"src/main.rs", "mod both;\n"},
                           {"src/both.rs", ""},
                           {"src/feature.rs", ""},
                           {"src/helpers.rs", ""},
                           {"src/other_tests.rs", ""},
                           {"src/real.rs", ""},
                           {"src/tests.rs", "mod deep;\n"},
                           {"src/tests/deep.rs", ""}});
  mark_test_modules(project);
  Names out;
  for (const AnalysedFile& file : project.files)
    if (file.is_test_module) out.push_back(file.path);
  EXPECT_EQ(out,
            (Names{"src/helpers.rs", "src/other_tests.rs", "src/tests.rs", "src/tests/deep.rs"}));
}

TEST(Rust, EveryNodeOfTheGrammarHasARow) { EXPECT_EQ(kit::without_row(kRust), Names{}); }

TEST(Rust, DeepBlocksNeedNoStack) {
  const std::string source =
      "fn f() {" + std::string(3000, '{') + "g();" + std::string(3000, '}') + "}\n";
  EXPECT_EQ(kit::unit(kit::facts(kRust, source), "f").complexity.cyclomatic, 1u);
}

}  // namespace
}  // namespace gh::analysis
