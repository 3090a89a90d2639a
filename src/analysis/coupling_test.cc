#include "analysis/coupling.h"

#include <gtest/gtest.h>

#include "syntax/front_end.h"

namespace gh::analysis {
namespace {

std::set<std::string> coupled(std::string_view source, std::string_view name,
                              syntax::Language language = syntax::Language::python) {
  syntax::FrontEnd front_end;
  syntax::Tree tree;
  EXPECT_TRUE(front_end.read(language, source, tree));
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
    if (tree[i].kind == syntax::Kind::Class && tree.name(i) == name) return coupled_names(tree, i);
  ADD_FAILURE() << name;
  return {};
}

using Names = std::set<std::string>;

// docs/reference/analysis.md, "Coupling", worked examples
TEST(Coupling, WorkedExamples) {
  constexpr std::string_view kSource =
      "import os\n"
      "import json as js\n"
      "from collections import OrderedDict\n"
      "from pkg.sub import Helper\n"
      "class Base: pass\n"
      "class A(Base):\n"
      "    def run(self, h: Helper) -> OrderedDict:\n"
      "        os.getcwd(); js.dumps({}); x = B()\n"
      "        return OrderedDict(h)\n"
      "class B:\n"
      "    def f(self): return len([1])\n"
      "class C:\n"
      "    def f(self, pkg): return pkg.Base\n";
  EXPECT_EQ(coupled(kSource, "Base"), Names());
  EXPECT_EQ(coupled(kSource, "A"), (Names{"B", "Base", "Helper", "OrderedDict", "js", "os"}));
  EXPECT_EQ(coupled(kSource, "B"), Names());
  EXPECT_EQ(coupled(kSource, "C"), Names());
  EXPECT_EQ(coupled("import re\nclass Node: pass\nclass Edge: pass\nclass Graph(Node):\n"
                    "    def m(self) -> Edge:\n        return re.compile('x')\n",
                    "Graph"),
            (Names{"Edge", "Node", "re"}));
}

TEST(Coupling, NamesBoundInsideTheClassAreNoUses) {
  const char* bodies[] = {
      "def f(self):\n        os = 1\n        return os",
      "def f(self, os): return lambda: os",
      "def f(self): return [os for os in self.x]",
      "def f(self): return lambda os: os",
      "def f(self):\n        for os in self.x: print(os)",
      "def f(self):\n        with self.x as os: print(os)",
      "os = 1\n    y = os",
      "def f(self): return self.os",
      "def f(self): return 'os'",
      "def f(self):\n        global os\n        os = 1",
      "def f(self):\n        global os",
      "def f(self):\n        del os",
      "def f(self):\n        del (self.x, os)",
      "def f(self):\n        os = 1\n        def g(a: 'os.X'): pass",
      "def f(self, a: Literal['os']): pass",
      "def f(self, a: typing.Literal['os', 'json']): pass",
      "def f(self, a: Annotated[int, 'os and json']): pass",
      "def f(self, a: Annotated[int, g('os')]): pass",
      "def f(self, a: 'Literal[\"os\"]'): pass",
      "def f(self, a: 'Annotated[int, os]'): pass",
      "def f(self):\n        type os = int\n        a: os = 1",
      "type os = int\n    a: os = 1",
      "def f(self):\n        type H[os] = list[os]",
      "def f[os](self, a: os) -> os: pass",
  };
  for (const char* body : bodies)
    EXPECT_EQ(coupled(std::string("import os\nclass K:\n    ") + body + "\n", "K"), Names())
        << body;
}

TEST(Coupling, EverythingElseThatNamesATargetCounts) {
  const char* bodies[] = {
      "def f(self, a=os): pass",
      "@os.deco\n    def f(self): pass",
      "def f(self, a: os.X): pass",
      "def f(self, a: 'list[os.X]'): pass",
      "x: os.X = 1",
      "def f(self):\n        import os.path\n        os.path.join()",
      "os = 1\n    def f(self): return os",
      "def f(self):\n        global os\n        os = os.x",
      "class Inner(os.X): pass",
      "def f(self, os: os): pass",
      "def f(self, os=os): pass",
      "def f(self, os) -> os: pass",
      "@os\n    def f(self, os): pass",
      "def f(self): return lambda os=os: 1",
      "def f(self): return [os for os in os.x]",
      "class Inner(os):\n        os = 1",
      "def f(self):\n        del os.x",
      "def f(self):\n        del self.x[os]",
      "def f(self, a: Annotated['os.X', 'json']): pass",
      "def f(self, a: 'Annotated[os.X, 1]'): pass",
      "def f(self, a: Literal[os.X]): pass",
  };
  for (const char* body : bodies)
    EXPECT_EQ(coupled(std::string("import os\nclass K:\n    ") + body + "\n", "K"), Names{"os"})
        << body;
  EXPECT_EQ(
      coupled("import os\nclass K:\n    def f(self): return [x for x in a for os in os.x]\n", "K"),
      Names());  // only the first belongs outside
  EXPECT_EQ(coupled("import m\n@m.d\nclass K(metaclass=m.M): pass\n", "K"), Names{"m"});
  EXPECT_EQ(coupled("class K:\n    class In: pass\n    def f(self): return K.In()\n", "K"),
            Names());
}

// docs/reference/analysis.md, "Coupling": targets, not names of targets
TEST(Coupling, TwoNamesOfOneTargetAreOne) {
  EXPECT_EQ(coupled("from m import X, X as Y\nclass K:\n    def f(self): return X, Y\n", "K"),
            Names{"X"});
  EXPECT_EQ(coupled("from m import X, X as Y\nclass K:\n    def f(self): return Y\n", "K"),
            Names{"Y"});
  EXPECT_EQ(coupled("import os, os as o\nclass K:\n    def f(self): return os, o\n", "K"),
            Names{"o"});
  EXPECT_EQ(coupled("from m import X\nfrom n import X as Y\nclass K:\n    a = X, Y\n", "K"),
            (Names{"X", "Y"}));
  EXPECT_EQ(coupled("from m import X\nfrom .m import X as Y\nclass K:\n    a = X, Y\n", "K"),
            (Names{"X", "Y"}));
  EXPECT_EQ(coupled("import X as Y\nclass X: pass\nclass K:\n    a = X, Y\n", "K"),
            (Names{"X", "Y"}));
  EXPECT_EQ(coupled("from typing import Literal as L\nimport os\nclass K:\n    a: L['os']\n", "K"),
            Names{"L"});
}

struct Scoped {
  syntax::Language language;
  std::string_view source;
  Names wanted;
};

TEST(Coupling, TypesHideWhatTheyName) {
  using enum syntax::Language;
  const Scoped rows[] = {
      {java, "import p.H; import p.I; class K<H> { H h; <I> I m(I i) { return i; } }", {}},
      {java, "import p.H; import p.I; class K<H extends I> { H h; }", {"I"}},
      {java, "import p.J; record K<J>(J j) {}", {}},
      {java, "import p.H; class K { static class H {} H h; void m() { new H(); } }", {}},
      {java, "import p.H; class K { void m(H H) { H h = null; } }", {"H"}},
      {rust, "use p::H; struct K<H> { h: H }", {}},
      {rust, "use p::H; struct K<T: H> { t: T }", {"H"}},
      {go, "package p\ntype X struct {}\ntype K[X any] struct { x X }\n", {}},
      {go, "package p\ntype X struct {}\ntype K struct { x X }\n", {"X"}},
      {cpp, "struct X {}; template<class X> class K { X x; };", {}},
      {cpp, "struct X {}; template<class T, class... X> struct K : T { void m(X... x); };", {}},
      {cpp, "struct X {}; struct K { template<class X> void m(X x) { X y; } };", {}},
      {cpp, "struct X {}; struct K { using X = int; X x; void m() { X y; } };", {}},
      {cpp, "struct X {}; struct K { void m() { using X = int; X y; } };", {}},
      {cpp, "struct X {}; struct K { template<class T> void m(T t, X x); };", {"X"}},
      {typescript, "import {H} from 'm'; class K<H> { h: H; }", {}},
      {typescript, "import {H} from 'm'; class K { m(H: H) {} }", {"H"}},
      {typescript, "import {H} from 'm'; class K { m(H: string): H { return H; } }", {"H"}},
      {typescript, "import {H} from 'm'; class K { m(a, H = a) { return H; } }", {}},
      {typescript, "import {H} from 'm'; class K { m(H: string, b: typeof H) {} }", {}},
      {typescript, "import {H} from 'm'; class K { m(H: any): H is string { return H; } }", {}},
      {typescript, "import {H} from 'm'; class K { m(H: any): asserts H {} }", {}},
      {typescript, "import {H} from 'm'; class K { m() { type H = string; let a: H; } }", {}},
      {typescript, "import {H} from 'm'; class K { a: { [H in string]: H }; }", {}},
      {typescript,
       "import {H} from 'm'; class K<A> { m() { let a: A extends (infer H)[] ? H : never; } }",
       {}},
      {typescript, "import {H} from 'm'; class K { m() { type J<H> = H[]; } }", {}},
      {typescript, "import {H} from 'm'; class K { a: 'H'; }", {}},
      {typescript, "import {H} from 'm'; class K { f = !((H: H) => 1); }", {"H"}},
      {typescript, "import {H} from 'm'; class K<H> { m() { return new H(); } }", {"H"}},
  };
  for (const Scoped& row : rows)
    EXPECT_EQ(coupled(row.source, "K", row.language), row.wanted) << row.source;
}

/// Members that stand apart from their class bring names of their own.
TEST(Coupling, ReceiversAndImplsNameTypeParameters) {
  const auto of_extension = [](syntax::Language language, std::string_view source) {
    syntax::FrontEnd front_end;
    syntax::Tree tree;
    EXPECT_TRUE(front_end.read(language, source, tree));
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
      if (tree[i].kind == syntax::Kind::Class && (tree[i].flags & syntax::flag::extension) != 0)
        return coupled_names(tree, i);
    ADD_FAILURE() << source;
    return Names{};
  };
  EXPECT_EQ(of_extension(syntax::Language::go,
                         "package p\ntype X struct {}\nfunc (k *K[X]) m(x X) { var y X; _ = y }\n"),
            Names());
  EXPECT_EQ(
      of_extension(syntax::Language::go, "package p\ntype X struct {}\nfunc (k *K) m(x X) {}\n"),
      Names{"X"});
  EXPECT_EQ(of_extension(syntax::Language::rust,
                         "use p::{T, U}; impl<T> K<T> { fn n<U>(&self, t: T, u: U) {} }"),
            Names());
  EXPECT_EQ(of_extension(syntax::Language::cpp,
                         "struct X {}; template<class X> X K<X>::g(X x) { return x; }"),
            Names());
}

}  // namespace
}  // namespace gh::analysis
