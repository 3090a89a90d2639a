// docs/reference/analysis.md, "Function relationships".
#include "analysis/relations.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "analysis/memory_source.h"

namespace gh::analysis {
namespace {

using Texts = std::vector<std::string>;
using Sources = std::map<std::string, std::string>;

std::vector<Relation> relations_in(const Sources& files, Project& project) {
  MemorySource source(files);
  project = *analyse(source, {.jobs = 1});
  RelationReader reader;
  std::vector<RelationFacts> facts;
  for (const AnalysedFile& file : project.files)
    facts.push_back(reader.facts_of(file.language, files.at(file.path)));
  return relations_of(project, facts);
}

/// "m:f call pkg.core:run imported_symbol", "m:f call - unresolved_name print"; of one file.
Texts told(const Sources& files, const std::string& path) {
  Project project;
  Texts out;
  for (const Relation& r : relations_in(files, project)) {
    if (project.files[r.file].path != path) continue;
    out.push_back(r.source_qualname + " " + std::string(to_string(r.kind)) + " " +
                  (is_resolved(r.rule) ? r.target_qualname : "-") + " " +
                  std::string(to_string(r.rule)) + (is_resolved(r.rule) ? "" : " " + r.expression));
  }
  return out;
}

const Sources kCore{{"pkg/__init__.py", "from .core import run as start\n"},
                    {"pkg/core.py",
                     "class Base:\n    def shared(self):\n        pass\n"
                     "class Job(Base):\n    def go(self):\n        pass\n"
                     "def run():\n    pass\n"}};

Texts python(const std::string& text) {
  Sources files = kCore;
  files["m.py"] = text;
  return told(files, "m.py");
}

TEST(FunctionRelationships, RulesKindsAndLanesHaveTheirWords) {
  using R = ResolutionRule;
  const std::vector<std::tuple<R, std::string, bool>> rules{
      {R::imported_symbol, "imported_symbol", true},
      {R::imported_module_attribute, "imported_module_attribute", true},
      {R::same_module_function, "same_module_function", true},
      {R::same_module_class_method, "same_module_class_method", true},
      {R::self_or_cls_method, "self_or_cls_method", true},
      {R::local_shadowing, "local_shadowing", false},
      {R::ambiguous_import, "ambiguous_import", false},
      {R::unresolved_name, "unresolved_name", false},
      {R::unresolved_dynamic, "unresolved_dynamic", false}};
  for (const auto& [rule, word, resolved] : rules) {
    EXPECT_EQ(to_string(rule), word);
    EXPECT_EQ(is_resolved(rule), resolved) << word;
  }
  EXPECT_EQ(to_string(RelationKind::call), "call");
  EXPECT_EQ(to_string(RelationKind::reference), "reference");
  EXPECT_EQ(to_string(OriginLane::production), "production");
  EXPECT_EQ(to_string(OriginLane::test), "test");
}

TEST(FunctionRelationships, ImportedSymbol) {
  EXPECT_EQ(python("from pkg.core import run\ndef f():\n    run()\n"),
            Texts{"m:f call pkg.core:run imported_symbol"});
  EXPECT_EQ(python("from pkg.core import run as r\ndef f():\n    return r\n"),
            Texts{"m:f reference pkg.core:run imported_symbol"});
  EXPECT_EQ(python("def f():\n    from pkg.core import run\n    run()\n"),
            Texts{"m:f call pkg.core:run imported_symbol"});
  // Through a package that hands it on, through all names, and to members of a class.
  EXPECT_EQ(python("from pkg import start\nstart()\n"),
            Texts{"m call pkg.core:run imported_symbol"});
  EXPECT_EQ(python("from pkg.core import *\nrun()\n"),
            Texts{"m call pkg.core:run imported_symbol"});
  EXPECT_EQ(python("from pkg.core import Job\nJob()\nJob.go(1)\nJob.shared(1)\n"),
            (Texts{"m call pkg.core:Job imported_symbol", "m call pkg.core:Job.go imported_symbol",
                   "m call pkg.core:Base.shared imported_symbol"}));
}

TEST(FunctionRelationships, ImportedModuleAttribute) {
  EXPECT_EQ(python("import pkg.core\npkg.core.run()\n"),
            Texts{"m call pkg.core:run imported_module_attribute"});
  EXPECT_EQ(python("import pkg.core as c\nc.run()\n"),
            Texts{"m call pkg.core:run imported_module_attribute"});
  EXPECT_EQ(python("from pkg import core\ncore.run()\n"),
            Texts{"m call pkg.core:run imported_module_attribute"});
  EXPECT_EQ(python("import pkg\nx = pkg.start\n"),
            Texts{"m reference pkg.core:run imported_module_attribute"});
}

TEST(FunctionRelationships, SameModuleFunction) {
  EXPECT_EQ(python("def g():\n    pass\ndef f():\n    g()\n"),
            Texts{"m:f call m:g same_module_function"});
  EXPECT_EQ(python("def f():\n    def inner():\n        pass\n    inner()\n"),
            Texts{"m:f call m:f.<locals>.inner same_module_function"});
  EXPECT_EQ(python("def deco(x):\n    return x\n@deco\ndef f():\n    pass\n"),
            Texts{"m reference m:deco same_module_function"});
}

TEST(FunctionRelationships, SameModuleClassMethod) {
  const std::string k = "class K:\n    def a(self):\n        pass\n";
  EXPECT_EQ(python(k + "def f(k):\n    K.a(k)\n"),
            Texts{"m:f call m:K.a same_module_class_method"});
  EXPECT_EQ(python(k + "def f():\n    K()\n"), Texts{"m:f call m:K same_module_class_method"});
  EXPECT_EQ(python(k + "class L(K):\n    pass\nL.a(1)\n"),
            (Texts{"m:L reference m:K same_module_class_method",
                   "m call m:K.a same_module_class_method"}));
}

TEST(FunctionRelationships, SelfOrClsMethod) {
  EXPECT_EQ(
      python("class K:\n    def a(self):\n        self.b()\n    def b(self):\n        pass\n"),
      Texts{"m:K.a call m:K.b self_or_cls_method"});
  EXPECT_EQ(python("class K:\n    @classmethod\n    def a(cls):\n        cls.a()\n        cls()\n"),
            (Texts{"m:K.a call m:K.a self_or_cls_method", "m:K.a call m:K self_or_cls_method"}));
  EXPECT_EQ(python("from pkg.core import Base\nclass K(Base):\n    def a(self):\n"
                   "        self.shared()\n        super().shared()\n        self.none()\n"),
            (Texts{"m:K reference pkg.core:Base imported_symbol",
                   "m:K.a call pkg.core:Base.shared self_or_cls_method",
                   "m:K.a call pkg.core:Base.shared self_or_cls_method",
                   "m:K.a call - unresolved_dynamic self.none"}));
}

TEST(FunctionRelationships, LocalShadowing) {
  EXPECT_EQ(python("from pkg.core import run\ndef f(run):\n    run()\n"),
            Texts{"m:f call - local_shadowing run"});
  EXPECT_EQ(python("def g():\n    pass\ndef f(x):\n    g = x\n    g()\n    h = x\n    h()\n"),
            (Texts{"m:f call - local_shadowing g", "m:f call - unresolved_dynamic h"}));
  EXPECT_EQ(python("def g():\n    pass\ndef f(x):\n    global g\n    g = x\n    g()\n"),
            Texts{"m:f call m:g same_module_function"});
}

TEST(FunctionRelationships, AmbiguousImport) {
  EXPECT_EQ(python("try:\n    from fast import run\nexcept ImportError:\n"
                   "    from pkg.core import run\nrun()\n"),
            (Texts{"m call - ambiguous_import run"}));
  EXPECT_EQ(python("try:\n    from pkg.core import run\nexcept ImportError:\n"
                   "    def run():\n        pass\nrun()\n"),
            (Texts{"m call - ambiguous_import run"}));
  EXPECT_EQ(python("import pkg\nimport pkg.core\npkg.core.run()\n"),
            Texts{"m call pkg.core:run imported_module_attribute"});
}

TEST(FunctionRelationships, UnresolvedNameAndDynamic) {
  EXPECT_EQ(python("import os\nprint(1)\nos.getcwd()\nhandlers[0](1)\nmake()()\nx.y.z()\n"),
            (Texts{"m call - unresolved_name print", "m call - unresolved_name os.getcwd",
                   "m call - unresolved_dynamic handlers[0]", "m call - unresolved_dynamic make()",
                   "m call - unresolved_name make", "m call - unresolved_dynamic x.y.z"}));
  // A reference that leads nowhere is not kept; what a longer one begins with may be.
  EXPECT_EQ(python("class K:\n    pass\nprint\nK.table.add(1)\n"),
            (Texts{"m call - unresolved_dynamic K.table.add",
                   "m reference m:K same_module_class_method"}));
}

TEST(FunctionRelationships, LinesLanesAndLongExpressions) {
  Project project;
  Sources files = kCore;
  const std::string dots = std::string(198, 'a') + "\xc3\xa9" + "b";
  files["tests/test_m.py"] = "from pkg.core import run\n\n\ndef test():\n    run(); run()\n";
  files["long.py"] = dots + "()\n";
  const auto all = relations_in(files, project);
  ASSERT_EQ(all.size(), 3u);  // with `Job(Base)`; what one line says twice is told once
  EXPECT_EQ(all[0].expression, std::string(198, 'a') + "\xc3\xa9");
  EXPECT_EQ(all[0].lane, OriginLane::production);
  EXPECT_EQ(all[0].target_file, kNone);
  EXPECT_EQ(all[2].lane, OriginLane::test);
  EXPECT_EQ(all[2].line, 5u);
  EXPECT_EQ(project.files[all[2].target_file].path, "pkg/core.py");
}

TEST(FunctionRelationships, CutsAnExpressionBetweenCharacters) {
  Project project;
  const auto all = relations_in({{"m.py", std::string(199, 'a') + "\xc3\xa9" + "b()\n"}}, project);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].expression, std::string(199, 'a'));
}

TEST(FunctionRelationships, JavaScriptAndTypeScript) {
  const std::string lib =
      "export function run() {}\nexport class Base { shared() {} }\n"
      "export default function main() {}\n";
  const Sources files{
      {"src/lib.ts", lib},
      {"src/index.ts", "export { run } from './lib';\nexport * from './lib';\n"},
      {"src/app.ts",
       "import main, { run as r, Base } from './lib';\nimport * as lib from './lib';\n"
       "import { run } from '.';\n"
       "class K extends Base { m() { this.n(); this.shared(); super.shared(); } n() {} }\n"
       "function f(cb) { r(); lib.run(); run(); main(); new K(); cb(); const g = () => 1; g(); "
       "}\n"},
      {"src/old.js",
       "const { run: go } = require('./lib');\nconst all = require('./lib');\n"
       "function f() { go(); all.run(); }\n"}};
  EXPECT_EQ(told(files, "src/app.ts"),
            (Texts{"src.app:K reference src.lib:Base imported_symbol",
                   "src.app:K.m call src.app:K.n self_or_cls_method",
                   "src.app:K.m call src.lib:Base.shared self_or_cls_method",
                   "src.app:K.m call src.lib:Base.shared self_or_cls_method",
                   "src.app:f call src.lib:run imported_symbol",
                   "src.app:f call src.lib:run imported_module_attribute",
                   "src.app:f call src.lib:run imported_symbol",
                   "src.app:f call src.lib:main imported_symbol",
                   "src.app:f call src.app:K same_module_class_method",
                   "src.app:f call - unresolved_dynamic cb",
                   "src.app:f call src.app:f.<locals>.g same_module_function"}));
  EXPECT_EQ(
      told(files, "src/old.js"),
      (Texts{"src.old call - unresolved_name require", "src.old call - unresolved_name require",
             "src.old:f call src.lib:run imported_symbol",
             "src.old:f call src.lib:run imported_module_attribute"}));
}

TEST(FunctionRelationships, Go) {
  const Sources files{
      {"go.mod", "module example.com/x\n"},
      {"store/store.go",
       "package store\ntype Box struct { n int }\nfunc (b *Box) Put(n int) { b.grow() }\n"
       "func Open() *Box { return &Box{} }\n"},
      {"store/grow.go", "package store\nfunc (b *Box) grow() { Open() }\n"},
      {"cmd/main.go",
       "package main\nimport s \"example.com/x/store\"\nimport \"fmt\"\n"
       "func main() { b := s.Open(); b.Put(1); fmt.Println(b) }\n"}};
  EXPECT_EQ(told(files, "store/store.go"),
            (Texts{"store:Box.Put reference store:Box same_module_class_method",
                   "store:Box.Put call store:Box.grow self_or_cls_method",
                   "store:Open reference store:Box same_module_class_method",
                   "store:Open call store:Box same_module_class_method"}));
  EXPECT_EQ(told(files, "store/grow.go").back(),
            "store:Box.grow call store:Open same_module_function");
  EXPECT_EQ(told(files, "cmd/main.go"), (Texts{"cmd:main call store:Open imported_module_attribute",
                                               "cmd:main call - unresolved_dynamic b.Put",
                                               "cmd:main call - unresolved_name fmt.Println"}));
}

TEST(FunctionRelationships, Rust) {
  const Sources files{
      {"src/lib.rs", "pub mod a;\npub mod b;\n"},
      {"src/a.rs",
       "pub struct T;\nimpl T { pub fn new() -> T { Self::go(); T } fn go() {} "
       "fn m(&self) { self.m(); } }\npub fn free() {}\n"},
      {"src/b.rs",
       "use crate::a::{free as f, T};\nuse crate::a;\n"
       "fn u() { f(); T::new(); a::free(); crate::a::free(); crate::a::T::new(); super::a::free(); "
       "let v = T::new(); v.m(); println!(\"x\"); }\n"}};
  EXPECT_EQ(told(files, "src/b.rs"),
            (Texts{"crate.b:u call crate.a:free imported_symbol",
                   "crate.b:u call crate.a:T.new imported_symbol",
                   "crate.b:u call crate.a:free imported_module_attribute",
                   "crate.b:u call crate.a:free imported_module_attribute",
                   "crate.b:u call crate.a:T.new imported_module_attribute",
                   "crate.b:u call crate.a:free imported_module_attribute",
                   "crate.b:u call - unresolved_dynamic v.m",
                   "crate.b:u call - unresolved_name println"}));
  const Texts a = told(files, "src/a.rs");
  EXPECT_NE(std::ranges::find(a, "crate.a:T.new call crate.a:T.go self_or_cls_method"), a.end());
  EXPECT_NE(std::ranges::find(a, "crate.a:T.m call crate.a:T.m self_or_cls_method"), a.end());
}

TEST(FunctionRelationships, Java) {
  const Sources files{
      {"src/a/D.java", "package a;\npublic class D { public static void s() {} void i() {} }\n"},
      {"src/a/E.java", "package a;\nclass E extends D { void k() { D.s(); i(); } }\n"},
      {"src/b/U.java",
       "package b;\nimport a.D;\nimport static a.D.s;\nimport a.*;\n"
       "class U { void m() { D.s(); s(); n(); this.n(); new D(); E.q(); D d = new D(); d.i(); }\n"
       "  void n() {} }\n"}};
  EXPECT_EQ(told(files, "src/a/E.java"),
            (Texts{"a.E:E reference a.D:D imported_symbol", "a.E:E.k call a.D:D.s imported_symbol",
                   "a.E:E.k call a.D:D.i self_or_cls_method"}));
  EXPECT_EQ(
      told(files, "src/b/U.java"),
      (Texts{"b.U:U.m call a.D:D.s imported_symbol", "b.U:U.m call a.D:D.s imported_symbol",
             "b.U:U.m call b.U:U.n self_or_cls_method", "b.U:U.m call b.U:U.n self_or_cls_method",
             "b.U:U.m call a.D:D imported_symbol", "b.U:U.m call - unresolved_dynamic E.q()",
             "b.U:U.m reference a.E:E imported_symbol", "b.U:U.m reference a.D:D imported_symbol",
             "b.U:U.m call - unresolved_dynamic d.i()"}));
}

TEST(FunctionRelationships, CAndCpp) {
  const Sources c{
      {"lib/x.h", "int x_fn(int a);\n"},
      {"lib/x.c", "#include \"x.h\"\nint x_fn(int a) { return a; }\n"},
      {"main.c",
       "#include \"lib/x.h\"\nstatic int h(int a) { return a; }\n"
       "int f(int a) { h(a); x_fn(a); ops->go(a); int (*q)(int) = h; return q(a); }\n"}};
  EXPECT_EQ(told(c, "main.c"), (Texts{"main:f call main:h same_module_function",
                                      "main:f call lib.x:x_fn imported_symbol",
                                      "main:f call - unresolved_dynamic ops->go",
                                      "main:f reference main:h same_module_function",
                                      "main:f call - unresolved_dynamic q"}));
  const Sources cpp{
      {"a.hpp",
       "namespace ns { struct A { void m(); int k() { return 1; } static void st(); }; }\n"},
      {"a.cpp",
       "#include \"a.hpp\"\nnamespace ns { void help() {}\n"
       "void A::m() { k(); this->k(); help(); ns::help(); A::st(); } }\n"}};
  EXPECT_EQ(told(cpp, "a.cpp"), (Texts{"a:ns.A.m call a:ns.A.k self_or_cls_method",
                                       "a:ns.A.m call a:ns.A.k self_or_cls_method",
                                       "a:ns.A.m call a:ns.help same_module_function",
                                       "a:ns.A.m call a:ns.help same_module_function",
                                       "a:ns.A.m call a:ns.A.st same_module_class_method"}));
}

}  // namespace
}  // namespace gh::analysis
