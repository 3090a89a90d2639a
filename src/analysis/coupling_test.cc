#include "analysis/coupling.h"

#include <gtest/gtest.h>

#include "syntax/front_end.h"

namespace gh::analysis {
namespace {

std::set<std::string> coupled(std::string_view source, std::string_view name) {
  syntax::FrontEnd front_end;
  syntax::Tree tree;
  EXPECT_TRUE(front_end.read(syntax::Language::python, source, tree));
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
  };
  for (const char* body : bodies)
    EXPECT_EQ(coupled(std::string("import os\nclass K:\n    ") + body + "\n", "K"), Names{"os"})
        << body;
  EXPECT_EQ(coupled("import m\n@m.d\nclass K(metaclass=m.M): pass\n", "K"), Names{"m"});
  EXPECT_EQ(coupled("class K:\n    class In: pass\n    def f(self): return K.In()\n", "K"),
            Names());
}

}  // namespace
}  // namespace gh::analysis
