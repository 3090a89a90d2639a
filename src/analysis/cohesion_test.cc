#include "analysis/cohesion.h"

#include <gtest/gtest.h>

#include "syntax/front_end.h"

namespace gh::analysis {
namespace {

Cohesion cohesion(std::string_view source) {
  syntax::FrontEnd front_end;
  syntax::Tree tree;
  EXPECT_TRUE(front_end.read(syntax::Language::python, source, tree));
  const Bindings names(tree);
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
    if (tree[i].kind == syntax::Kind::Class) return cohesion_of(tree, names, i);
  ADD_FAILURE() << source;
  return {};
}

// docs/reference/analysis.md, "Cohesion", worked examples: lcom4, methods, instance variables
TEST(Cohesion, WorkedExamples) {
  struct Row {
    const char* what;
    std::string_view source;
    std::uint32_t lcom4, methods, variables;
  };
  const Row rows[] = {
      {"set, read, written",
       "class K:\n def __init__(self): self.a = 1\n def get(self): return self.a\n def put(self, "
       "v): self.a = v\n",
       1, 3, 1},
      {"two pairs",
       "class K:\n def a1(self): return self.x\n def a2(self): self.x = 1\n def b1(self): return "
       "self.y\n def b2(self): self.y = 1\n",
       2, 4, 2},
      {"a calls b",
       "class K:\n def a(self): return self.b()\n def b(self): return 1\n def c(self): return 2\n",
       2, 3, 1},
      {"static, class, property and setter",
       "class K:\n @staticmethod\n def s1(): pass\n @classmethod\n def c1(cls): pass\n @property\n "
       "def p(self): return self._p\n"
       " @p.setter\n def p(self, v): self._q = v\n",
       1, 4, 2},
      {"no methods", "class K:\n x = 1\n", 1, 0, 0},
      {"one method", "class K:\n def m(self): return self.x\n", 1, 1, 1},
      {"protocol",
       "from typing import Protocol as P\nclass K(P):\n def a(self): ...\n def b(self): ...\n", 1,
       2, 0},
      {"generic protocol",
       "import typing as t\nclass K(t.Protocol[int]):\n def a(self): ...\n def b(self): ...\n", 1,
       2, 0},
      {"another name for the receiver",
       "class K:\n def a(this): return this.x\n def b(me): return me.x\n", 1, 2, 1},
      {"inside nested functions",
       "class K:\n def a(self):\n  def g(): return self.x\n  return g\n def b(self): return "
       "lambda: self.x\n",
       1, 2, 1},
      {"below a condition",
       "class K:\n if X:\n  def a(self): return self.x\n else:\n  def b(self): return self.y\n", 2,
       2, 2},
      {"pydantic hooks",
       "from pydantic import field_validator\nclass K:\n @field_validator('x')\n def v(cls, x): "
       "return x\n def a(self): return self.x\n",
       1, 2, 1},
      {"somebody else's attribute",
       "class K:\n def a(self, o): return o.x\n def b(self): return self.x\n", 2, 2, 1},
      {"methods without receiver", "class K:\n def a(): return 1\n def b(*args): return 2\n", 2, 2,
       0},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const Cohesion got = cohesion(row.source);
    EXPECT_EQ(got.lcom4, row.lcom4);
    EXPECT_EQ(got.methods, row.methods);
    EXPECT_EQ(got.instance_variables, row.variables);
  }
}

}  // namespace
}  // namespace gh::analysis
