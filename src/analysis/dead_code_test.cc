#include "analysis/dead_code.h"

#include <gtest/gtest.h>

#include "analysis/testing_project.h"

namespace gh::analysis {
namespace {

Sources worked_example() {
  return {{"pkg/__init__.py",
           "from .a import used_by_init\n"
           "__all__ = [\"used_by_init\", \"exported\"]\n"
           "def exported():\n    return 1\n"},
          {"pkg/a.py",
           "def used_by_init():\n    return 1\n"
           "def never():\n    return 1\n"
           "def calls_self(n):\n    return calls_self(n - 1)\n"
           "def only_in_tests():\n    return 1\n"
           "def _private_unused():\n    return 1\n"
           "def shadowed_name():\n    return 1\n"
           "class Unused:\n"
           "    def method(self):\n        return 1\n"
           "    def __repr__(self):\n        return ''\n"
           "    def visit_Name(self, node):\n        return node\n"
           "class Handler:\n"
           "    def handle(self):\n        return self.helper()\n"
           "    def helper(self):\n        return 1\n"
           "# codeclone: ignore[dead-code]\n"
           "def suppressed():\n    return 1\n"
           "def main():\n    return Handler().handle()\n"
           "if __name__ == '__main__':\n    main()\n"},
          {"pkg/b.py",
           "from .a import only_in_tests as alias\n"
           "obj = None\n"
           "x = obj.shadowed_name\n"},
          {"tests/test_a.py",
           "from pkg.a import only_in_tests, never\n"
           "def test_it():\n    assert only_in_tests() == never()\n"}};
}

// docs/reference/analysis.md, "Dead code", worked example
TEST(DeadCode, WorkedExample) {
  const DeadCode found = dead_code_of(python_project(worked_example()));
  Dead dead;
  for (const DeadItem& item : found.items)
    dead.emplace(item.place.qualname, item.is_high() ? "high" : to_string(item.reason));
  EXPECT_EQ(dead, (Dead{{"pkg.a:never", "high"},
                        {"pkg.a:only_in_tests", "high"},
                        {"pkg.a:_private_unused", "high"},
                        {"pkg.a:Unused", "high"},
                        {"pkg.a:Unused.method", "high"},
                        {"pkg.a:calls_self", "high"}}));
  ASSERT_EQ(found.suppressed.size(), 1u);
  EXPECT_EQ(found.suppressed[0].place.qualname, "pkg.a:suppressed");
  EXPECT_EQ(found.high_confidence(), 6u);
  EXPECT_EQ(found.candidates, 17u);
}

TEST(DeadCode, SourcesMayBeginBelowTheRoot) {
  EXPECT_EQ(dead_in({{"src/pkg/__init__.py",
                      "from pkg.core import exported, handed\n__all__ = ['exported']\n"},
                     {"src/pkg/core.py",
                      "def exported(): pass\ndef handed(): pass\ndef run(): pass\n"
                      "class Thing:\n    def m(self): pass\n"},
                     {"src/pkg/cli.py",
                      "from pkg.core import run as r, Thing as T\nfrom pkg import core as c\n"
                      "r()\nT()\n"}}),
            (Dead{{"src.pkg.core:Thing.m", "high"}}));
}

TEST(DeadCode, ItemsAreInTheOrderOfTheirPlaces) {
  std::vector<std::string> order;
  for (const DeadItem& item : dead_code_of(python_project(worked_example())).items)
    order.push_back(item.place.qualname);
  EXPECT_EQ(order, (std::vector<std::string>{"pkg.a:never", "pkg.a:calls_self",
                                             "pkg.a:only_in_tests", "pkg.a:_private_unused",
                                             "pkg.a:Unused", "pkg.a:Unused.method"}));
}

// docs/reference/analysis.md, "Dependencies": a package imports from its own modules
TEST(DeadCode, WhatAPackageImportsFromItsModulesIsOffered) {
  EXPECT_EQ(dead_in({{"q/__init__.py", "from .core import f\nfrom . import util\n"},
                     {"q/core.py", "from . import util\ndef f():\n    return util.g()\n"},
                     {"q/util.py", "def g():\n    return 1\n"}}),
            Dead{});
  // Any other module only imports it.
  EXPECT_EQ(dead_in({{"q/other.py", "from q.core import f\n"}, {"q/core.py", "def f(): pass\n"}}),
            (Dead{{"q.core:f", "high"}}));
  EXPECT_EQ(
      dead_in({{"q/other.py", "from q.core import f as f\n"}, {"q/core.py", "def f(): pass\n"}}),
      Dead{});
}

struct Row {
  const char* what;
  Sources files;
  Dead dead;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    EXPECT_EQ(dead_in(row.files), row.dead) << row.what;
}

// docs/reference/analysis.md, "Dead code", candidates
TEST(DeadCode, Candidates) {
  check({
      {"functions, methods, classes also below conditions",
       {{"m.py", "if x:\n    def f(): pass\nclass K:\n    if y:\n        def m(self): pass\n"}},
       {{"m:f", "high"}, {"m:K", "high"}, {"m:K.m", "high"}}},
      {"a class in a class is one",
       {{"m.py", "class A:\n    class B:\n        def m(self): pass\nA()\n"}},
       {{"m:A.B", "high"}, {"m:A.B.m", "high"}}},
      {"nothing inside a function is",
       {{"m.py", "def f():\n    def g(): pass\n    class L:\n        def m(self): pass\nf()\n"}},
       {}},
      {"protocols are not",
       {{"m.py", "from typing import Protocol as P\nclass K(P):\n    def m(self): pass\n"}},
       {}},
      {"overloads and abstract methods are not",
       {{"m.py",
         "import typing\nfrom abc import abstractmethod\n"
         "@typing.overload\ndef f(a: int): ...\n"
         "class K:\n    @abstractmethod\n    def m(self): pass\nK()\n"}},
       {}},
      {"hooks of pydantic are not, others of that name are",
       {{"m.py",
         "from pydantic import field_validator as v, computed_field\nfrom other import validator\n"
         "class K:\n    @v('a')\n    def a(self): pass\n"
         "    @computed_field\n    def b(self): pass\n"
         "    @validator\n    def c(self): pass\nK()\n"}},
       {{"m:K.c", "unknown_decorator"}}},
  });
}

// docs/reference/analysis.md, "Dead code", what is alive
TEST(DeadCode, AliveByName) {
  check({
      {"test_ and pytest_ in any file",
       {{"m.py", "def test_a(): pass\ndef pytest_b(): pass\ndef tested(): pass\n"}},
       {{"m:tested", "high"}}},
      {"everything in a test file",
       {{"tests/x.py", "def f(): pass\n"},
        {"a/conftest.py", "def f(): pass\n"},
        {"test_m.py", "def f(): pass\n"},
        {"testing.py", "def f(): pass\n"}},
       {{"testing:f", "high"}}},
      {"hooks of modules are functions",
       {{"m.py", "def __getattr__(name): pass\ndef __dir__(): pass\ndef __other__(): pass\n"}},
       {{"m:__other__", "high"}}},
      {"hooks of classes",
       {{"m.py",
         "class K:\n    def __len__(self): pass\n    def visit_X(self): pass\n"
         "    def setup(self): pass\n    def teardown(self): pass\n    def setUp(self): pass\n"
         "    def tearDown(self): pass\n    def setUpClass(self): pass\n"
         "    def tearDownClass(self): pass\n    def setup_class(self): pass\n"
         "    def teardown_class(self): pass\n    def setup_method(self): pass\n"
         "    def teardown_method(self): pass\n    def leave_X(self): pass\n"
         "    def __x(self): pass\nK()\n"
         "def visit_Y(): pass\ndef setUp(): pass\n"}},
       {{"m:K.leave_X", "high"}, {"m:K.__x", "high"}, {"m:visit_Y", "high"}, {"m:setUp", "high"}}},
  });
}

TEST(DeadCode, AliveByReference) {
  check({
      {"a name that is read, anywhere", {{"a.py", "def f(): pass\n"}, {"b.py", "f\n"}}, {}},
      {"one that is only written",
       {{"a.py", "def f(): pass\n"}, {"b.py", "f = 1\n"}},
       {{"a:f", "high"}}},
      {"one that is deleted or declared global",
       {{"a.py", "def f(): pass\n"}, {"b.py", "def g():\n    global f\n    del f\ng()\n"}},
       {{"a:f", "high"}}},
      {"an attribute", {{"a.py", "def f(): pass\n"}, {"b.py", "x = o.f\n"}}, {}},
      {"an attribute that is only written",
       {{"a.py", "def f(): pass\n"}, {"b.py", "o.f = 1\n"}},
       {{"a:f", "high"}}},
      {"one that is changed is read", {{"a.py", "def f(): pass\n"}, {"b.py", "o.f += 1\n"}}, {}},
      {"decorators, annotations, defaults, bases",
       {{"a.py",
         "def d(f): return f\nclass T: pass\ndef v(): pass\nclass B: pass\nclass R: pass\n"
         "@d\ndef used(a: T = v()) -> R: pass\nclass K(B): pass\nused(K)\n"}},
       {}},
      {"annotations in quotes",
       {{"a.py", "class T: pass\ndef used(a: 'list[T]'): pass\nused()\n"}},
       {}},
      {"an import alone is no reference",
       {{"a.py", "def f(): pass\n"}, {"b.py", "import a\nfrom a import f\n"}},
       {{"a:f", "high"}}},
      {"a reference from a test keeps nothing",
       {{"a.py", "def f(): pass\n"}, {"test_a.py", "from a import f\nf()\n"}},
       {{"a:f", "high"}}},
      {"a lookup that is guarded",
       {{"a.py",
         "class K:\n    def on_x(self): pass\n    def on_y(self): pass\nK()\n"
         "def call(o):\n    v = getattr(o, 'on_x', None)\n    if callable(v):\n        v()\n"
         "call(1)\n"}},
       {{"a:K.on_y", "high"}}},
      {"one that is not is a string",
       {{"a.py",
         "class K:\n    def on_x(self): pass\nK()\n"
         "def call(o):\n    v = getattr(o, 'on_x', None)\n    v()\ncall(1)\n"}},
       {{"a:K.on_x", "named_in_string"}}},
  });
}

TEST(DeadCode, AliveByResolvedReference) {
  check({
      {"imported under another name and used",
       {{"a.py", "def f(): pass\n"}, {"b.py", "from a import f as g\ng()\n"}},
       {}},
      {"through a package that imports it",
       {{"p/__init__.py", "from ._core import _f as _g\n"},
        {"p/_core.py", "def _f(): pass\n"},
        {"b.py", "from p import _g as h\nh()\n"}},
       {}},
      {"the list of exports: assigned, added, appended, extended, summed",
       {{"m.py",
         "def a(): pass\ndef b(): pass\ndef c(): pass\ndef d(): pass\ndef e(): pass\n"
         "def f(): pass\ndef g(): pass\n"
         "__all__ = ['a'] + ['b']\n__all__ += ('c',)\n__all__.append('d')\n"
         "__all__.extend(['e'])\n__all__.remove('f')\n"}},
       {{"m:f", "named_in_string"}, {"m:g", "high"}}},
      {"an exported name that is imported",
       {{"a.py", "def f(): pass\n"}, {"b.py", "from a import f\n__all__ = ('f',)\n"}},
       {}},
      {"an exported name that is imported lazily",
       {{"p/__init__.py",
         "_EXPORTS = {'f': 'p.core', 'g': '.core'}\n__all__ = ['f', 'g']\n"
         "def __getattr__(name): pass\n"},
        {"p/core.py", "def f(): pass\ndef g(): pass\ndef h(): pass\n"}},
       {{"p.core:h", "high"}}},
      {"lazily, but the module does not answer",
       {{"p/__init__.py", "_EXPORTS = {'f': 'p.core'}\n__all__ = ['f']\n"},
        {"p/core.py", "def f(): pass\n"}},
       {{"p.core:f", "named_in_string"}}},
  });
}

// docs/reference/analysis.md, "Dead code", confidence
TEST(DeadCode, ReferencesFromTheOwnBodyDoNotCount) {
  check({
      {"a function", {{"m.py", "def f():\n    return f()\n"}}, {{"m:f", "high"}}},
      {"a class",
       {{"m.py", "class K:\n    def __eq__(self, o: 'K'):\n        return isinstance(o, K)\n"}},
       {{"m:K", "high"}}},
      {"a setter is no use of its property",
       {{"m.py",
         "class K:\n    @property\n    def x(self): pass\n    @x.setter\n    def x(self, v): "
         "pass\nK()\n"}},
       {{"m:K.x", "property"}}},
      {"another method of the class is outside of the method",
       {{"m.py",
         "class K:\n    def __len__(self): return self.m()\n    def m(self): return 1\nK()\n"}},
       {}},
  });
}

TEST(DeadCode, WhatOnlyDeadCodeUses) {
  check({
      {"a helper of a dead function",
       {{"m.py", "def f():\n    return g()\ndef g():\n    return h()\ndef h(): pass\n"}},
       {{"m:f", "high"}, {"m:g", "only_used_by_dead_code"}, {"m:h", "only_used_by_dead_code"}}},
      {"two that use each other",
       {{"m.py", "def f():\n    return g()\ndef g():\n    return f()\n"}},
       {{"m:f", "unreachable_cycle"}, {"m:g", "unreachable_cycle"}}},
      {"a hook of a dead class counts for nothing",
       {{"m.py", "class K:\n    def __len__(self):\n        return g()\ndef g(): pass\n"}},
       {{"m:K", "high"}, {"m:g", "only_used_by_dead_code"}}},
      {"of a living class it does",
       {{"m.py", "class K:\n    def __len__(self):\n        return g()\ndef g(): pass\nK()\n"}},
       {}},
      {"what may be called unseen keeps what it uses",
       {{"m.py", "@app.thing\ndef f():\n    return g()\ndef g(): pass\n"}},
       {{"m:f", "unknown_decorator"}}},
      {"a property that only dead code reads",
       {{"m.py",
         "class K:\n    @property\n    def x(self): pass\nK()\ndef f():\n    return o.x\n"}},
       {{"m:f", "high"}, {"m:K.x", "only_used_by_dead_code"}}},
      {"what is suppressed keeps what it uses",
       {{"m.py", "# gatehouse: ignore[dead-code]\ndef f():\n    return g()\ndef g(): pass\n"}},
       {}},
      {"a test is no reason to live",
       {{"m.py", "def g(): pass\n"}, {"test_m.py", "def helper():\n    g()\n"}},
       {{"m:g", "high"}}},
  });
}

TEST(DeadCode, DecoratorsAndProperties) {
  check({
      {"decorators that do nothing of the kind",
       {{"m.py",
         "import functools, contextlib, dataclasses\nfrom functools import wraps as w\n"
         "@functools.lru_cache(None)\ndef a(): pass\n@contextlib.contextmanager\ndef b(): pass\n"
         "@w(print)\ndef c(): pass\n@dataclasses.dataclass(frozen=True)\nclass D: pass\n"
         "class K:\n    @staticmethod\n    def s(): pass\n    @classmethod\n    def t(cls): pass\n"
         "K()\n"}},
       {{"m:a", "high"},
        {"m:b", "high"},
        {"m:c", "high"},
        {"m:D", "high"},
        {"m:K.s", "high"},
        {"m:K.t", "high"}}},
      {"any other",
       {{"m.py", "@app.thing('x')\ndef f(): pass\n@contextlib.other\ndef g(): pass\n"}},
       {{"m:f", "unknown_decorator"}, {"m:g", "unknown_decorator"}}},
      {"properties",
       {{"m.py",
         "from functools import cached_property\nclass K:\n    @property\n    def p(self): pass\n"
         "    @cached_property\n    def q(self): pass\nK()\n"}},
       {{"m:K.p", "property"}, {"m:K.q", "property"}}},
  });
}

TEST(DeadCode, MethodsBelowABaseThatIsNotKnown) {
  check({
      {"directly, and over a class of the project",
       {{"m.py",
         "import x\nclass A(x.Base):\n    def a(self): pass\nclass B(A):\n    def b(self): pass\n"
         "class C(factory()):\n    def c(self): pass\nclass D:\n    def d(self): pass\n"
         "A, B, C, D\n"}},
       {{"m:A.a", "external_base"},
        {"m:B.b", "external_base"},
        {"m:C.c", "external_base"},
        {"m:D.d", "high"}}},
      {"over an import",
       {{"p/a.py", "class A:\n    def a(self): pass\nA()\n"},
        {"p/b.py", "from .a import A as Base\nclass B(Base):\n    def b(self): pass\nB()\n"}},
       {{"p.a:A.a", "high"}, {"p.b:B.b", "high"}}},
      {"the class itself is as dead as any",
       {{"m.py", "import x\nclass A(x.Base): pass\n"}},
       {{"m:A", "high"}}},
  });
  for (const char* base :
       {"object", "abc.ABC", "typing.Protocol2", "typing.Generic[T]", "typing.NamedTuple",
        "typing.TypedDict", "enum.Enum", "enum.IntEnum", "Exception", "ValueError", "OSError"}) {
    const bool is_known = std::string_view(base) != "typing.Protocol2";
    EXPECT_EQ(dead_in({{"m.py", std::string("import abc, typing, enum\nclass A(") + base +
                                    "):\n    def a(self): pass\nA\n"}}),
              (Dead{{"m:A.a", is_known ? "high" : "external_base"}}))
        << base;
  }
}

TEST(DeadCode, NamedInStrings) {
  check({
      {"by name", {{"m.py", "def f(): pass\nx = 'f'\n"}}, {{"m:f", "named_in_string"}}},
      {"by path",
       {{"p/m.py", "def f(): pass\n"}, {"n.py", "x = 'p.m.f'\n"}},
       {{"p.m:f", "named_in_string"}}},
      {"by qualname",
       {{"p/m.py", "def f(): pass\n"}, {"n.py", "x = ['p.m:f']\n"}},
       {{"p.m:f", "named_in_string"}}},
      {"a method of its class",
       {{"m.py", "class K:\n    def m(self): pass\nK()\nx = 'K.m'\n"}},
       {{"m:K.m", "named_in_string"}}},
      {"in a test it says nothing",
       {{"m.py", "def f(): pass\n"}, {"test_m.py", "x = 'f'\n"}},
       {{"m:f", "high"}}},
      {"a part of it, completed at run time: a sum",
       {{"m.py", "def do_f(): pass\ndef go_f(): pass\ngetattr(o, 'do_' + x)\n"}},
       {{"m:do_f", "named_in_string"}, {"m:go_f", "high"}}},
      {"a format with %",
       {{"m.py", "def get_f_now(): pass\ndef get_f(): pass\ngetattr(o, 'get_%s_now' % x)\n"}},
       {{"m:get_f_now", "named_in_string"}, {"m:get_f", "high"}}},
      {"a formatted string",
       {{"m.py", "def on_f(): pass\nname = f'on_{x}'\ngetattr(o, name)\n"}},
       {{"m:on_f", "named_in_string"}}},
      {"format()",
       {{"m.py", "def is_f(): pass\nglobals()['is_{}'.format(x)]\n"}},
       {{"m:is_f", "named_in_string"}}},
      {"a sum of three",
       {{"m.py", "def ab_b_c(): pass\ndef ab_b_d(): pass\ngetattr(o, 'ab_' + x + '_c')\n"}},
       {{"m:ab_b_c", "named_in_string"}, {"m:ab_b_d", "high"}}},
      {"where no name is looked up it is only text",
       {{"m.py", "def do_f(): pass\nx = 'do_' + y\n"}},
       {{"m:do_f", "high"}}},
      {"inside a longer text it says nothing",
       {{"m.py", "def f(): pass\nx = 'call f now'\n"}},
       {{"m:f", "high"}}},
  });
}

TEST(DeadCode, PublicSymbolsOfAPackageAreKept) {
  Project project = python_project(
      {{"p/m.py",
        "def f(): pass\ndef _g(): pass\nclass K:\n    def m(self): pass\n    def _n(self): "
        "pass\n"},
       {"p/_n.py", "def h(): pass\n"},
       {"p/o.py", "__all__ = ['i']\ndef i(): pass\ndef j(): return k()\ndef k(): pass\n"}});
  const Dead all{{"p.m:f", "high"},    {"p.m:_g", "high"},
                 {"p.m:K", "high"},    {"p.m:K.m", "high"},
                 {"p.m:K._n", "high"}, {"p._n:h", "high"},
                 {"p.o:j", "high"},    {"p.o:k", "only_used_by_dead_code"}};
  const Dead kept{{"p.m:_g", "high"},
                  {"p.m:K._n", "high"},
                  {"p._n:h", "high"},
                  {"p.o:j", "high"},
                  {"p.o:k", "only_used_by_dead_code"}};
  EXPECT_EQ(dead_of(project), all);
  project.manifests = {{"pyproject.toml", "[project]\nname = 'p'\n"}};
  EXPECT_EQ(dead_of(project), kept);
  project.profile.dead_code_public_api = PublicApi::report;
  EXPECT_EQ(dead_of(project), all);
  project.manifests.clear();
  project.profile.dead_code_public_api = PublicApi::keep;
  EXPECT_EQ(dead_of(project), kept);
}

TEST(DeadCode, AFileThatIsReadInPartHidesNothing) {
  EXPECT_EQ(dead_in({{"a.py", "def f(): pass\nclass (\n"}, {"b.py", "def g(): pass\n"}}),
            (Dead{{"b:g", "high"}}));
  EXPECT_EQ(dead_in({{"a.py", "g()\nclass (\n"}, {"b.py", "def g(): pass\n"}}), Dead{});
}

// docs/reference/analysis.md, "Dead code", entry points
TEST(DeadCode, EntryPoints) {
  Project project = python_project({{"src/app/cli.py", "def main(): pass\ndef other(): pass\n"},
                                    {"src/app/__init__.py", "from ._x import _run\n"},
                                    {"src/app/_x.py", "def _run(): pass\n"},
                                    {"one/twice.py", "def f(): pass\n"},
                                    {"two/twice.py", "def f(): pass\n"},
                                    {"top.py", "class K:\n    def m(self): pass\n"}});
  project.profile.dead_code_public_api = PublicApi::report;
  project.manifests = {{"pyproject.toml",
                        "[project.scripts]\na = 'app.cli:main [extra]'\nb = 'twice:f'\n"
                        "c = 'src.app:_run'\nd = 'top:K.m'\n"}};
  EXPECT_EQ(dead_of(project), (Dead{{"src.app.cli:other", "high"},
                                    {"one.twice:f", "high"},
                                    {"two.twice:f", "high"},
                                    {"top:K", "high"}}));
  project.manifests = {{"package.json", R"({"bin": {"x": "./top.py"}})"}};
  EXPECT_FALSE(dead_of(project).contains("top:K"));
}

TEST(DeadCode, AStartedFileKeepsWhatItExportsAndNotTheRest) {
  Project project = python_project({{"top.py", "def run(): pass\ndef _old(): pass\n"}});
  project.profile.dead_code_public_api = PublicApi::report;
  project.manifests = {{"package.json", R"({"bin": {"x": "./top.py"}})"}};
  EXPECT_EQ(dead_of(project), (Dead{{"top:_old", "high"}}));
}

TEST(DeadCode, FindingsAndFamily) {
  const DeadCode dead =
      dead_code_of(python_project({{"m.py", "def b(): pass\n@x.y\ndef a(): pass\n"}}));
  std::vector<Group> groups;
  for (const DeadItem* item : ranked_dead_code(dead.items))
    groups.push_back(dead_code_group(*item));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].id, "dead_code:m:b");
  EXPECT_EQ(groups[0].severity, Severity::warning);
  EXPECT_EQ(groups[0].confidence, "high");
  EXPECT_EQ(groups[0].category, "function");
  EXPECT_EQ(groups[0].kind, "unused_symbol");
  EXPECT_EQ(groups[1].id, "dead_code:m:a");
  EXPECT_EQ(groups[1].severity, Severity::info);
  EXPECT_EQ(groups[1].confidence, "medium");
  const Map family = dead_code_family(dead);
  const Map& summary = *family.find("summary")->as_map();
  EXPECT_EQ(*summary.find("total"), Value(2));
  EXPECT_EQ(*summary.find("candidates"), Value(2));
  EXPECT_EQ(*summary.find("high_confidence"), Value(1));
  EXPECT_EQ(*summary.find("medium_confidence"), Value(1));
  EXPECT_EQ(*summary.find("suppressed"), Value(0));
}

/// How many methods are said to be `reason`, in a chain of classes that ends in `last`.
std::size_t said_in_chain(const std::string& last, const std::string& method,
                          const std::string& reason) {
  constexpr int kClasses = 20'000;
  std::string source = "import x, starlette.routing\n";
  for (int i = 0; i < kClasses; ++i)
    source += "class K" + std::to_string(i) + "(" +
              (i + 1 < kClasses ? "K" + std::to_string(i + 1) : last) + "):\n    def " + method +
              "(self): pass\n";
  std::size_t out = 0;
  for (const auto& [name, said] : dead_in({{"m.py", source}}))
    out += name.ends_with("." + method) && said == reason ? 1 : 0;
  return out;
}

TEST(DeadCode, ALongChainOfBasesIsWalkedOnce) {
  EXPECT_EQ(said_in_chain("x.Outer", "idle", "external_base"), 20'000u);
  EXPECT_EQ(said_in_chain("object", "idle", "high"), 20'000u);
  EXPECT_EQ(said_in_chain("K0", "idle", "high"), 20'000u) << "a ring";
  EXPECT_EQ(said_in_chain("starlette.routing.Route", "matches", "external_base"), 0u);
}

TEST(DeadCode, DeclarationsOfOneNameAreOneSymbol) {
  EXPECT_EQ(dead_in({{"m.py", "if x:\n    def f(): return f()\nelse:\n    def f(): return f()\n"}}),
            (Dead{{"m:f", "high"}}));
}

// docs/reference/analysis.md, "Dead code"
TEST(DeadCode, ReasonsHaveTheseNames) {
  const std::string_view names[] = {
      "unreferenced", "unreachable_cycle", "only_used_by_dead_code", "unknown_decorator",
      "property",     "external_base",     "named_in_string",        "interface_method"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    EXPECT_EQ(to_string(static_cast<DeadReason>(i)), names[i]);
}

}  // namespace
}  // namespace gh::analysis
