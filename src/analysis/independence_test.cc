#include "analysis/independence.h"

#include <gtest/gtest.h>

#include "analysis/structural.h"
#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

std::string kind(const std::string& method, const std::string& bases = "") {
  const auto facts = file_of("m.py", "class C" + bases + ":\n    " + method).facts;
  return std::string(to_string(facts.units.at(0).independence));
}

// docs/reference/analysis.md, "Methods without an instance"
TEST(Independence, TheFirstReasonThatHoldsIsTold) {
  const std::string body = "        return g(a)\n", def = "def f(self, a):\n";
  EXPECT_EQ(kind(def + body), "candidate");
  EXPECT_EQ(kind(def + "        return self.x\n"), "none");
  EXPECT_EQ(kind(def + "        'doc'\n        pass\n"), "noop_stub");
  EXPECT_EQ(kind(def + "        ...\n"), "noop_stub");
  EXPECT_EQ(kind(def + "        raise NotImplementedError\n"), "noop_stub");
  EXPECT_EQ(kind(def + "        raise NotImplementedError('x')\n"), "noop_stub");
  EXPECT_EQ(kind(def + "        raise ValueError\n"), "candidate");
  EXPECT_EQ(kind("@property\n    " + def + body), "property_like");
  EXPECT_EQ(kind("@functools.cached_property\n    " + def + body), "property_like");
  EXPECT_EQ(kind("@x.setter\n    " + def + body), "property_like");
  EXPECT_EQ(kind("def __eq__(self, a):\n" + body), "dunder_protocol");
  EXPECT_EQ(kind(def + body, "(Protocol)"), "interface_contract");
  EXPECT_EQ(kind(def + body, "(abc.ABC)"), "interface_contract");
  EXPECT_EQ(kind(def + body, "(metaclass=ABCMeta)"), "interface_contract");
  EXPECT_EQ(kind("@abstractmethod\n    " + def + body), "interface_contract");
  EXPECT_EQ(kind(def + body, "(Base)"), "override_context");
  EXPECT_EQ(kind(def + body, "(object)"), "candidate");
  EXPECT_EQ(kind("@route('/')\n    " + def + body), "decorated_context");
  EXPECT_EQ(kind("@final\n    " + def + body), "candidate");
}

TEST(Independence, OnlyMethodsWithSelfTakePart) {
  EXPECT_EQ(kind("@staticmethod\n    def f(self):\n        return 1\n"), "none");
  EXPECT_EQ(kind("@classmethod\n    def f(self):\n        return 1\n"), "none");
  EXPECT_EQ(kind("@overload\n    def f(self):\n        return 1\n"), "none");
  EXPECT_EQ(kind("def f(this):\n        return 1\n"), "none");
  EXPECT_EQ(kind("def f():\n        return 1\n"), "none");
}

TEST(Independence, FunctionsInsideCountUnlessTheyHideTheInstance) {
  const std::string def = "def f(self, a):\n";
  EXPECT_EQ(kind(def + "        return lambda: self.x\n"), "none");
  EXPECT_EQ(kind(def + "        return lambda self: self.x\n"), "candidate");
  EXPECT_EQ(kind(def + "        def g():\n            return self.x\n        return g\n"), "none");
  EXPECT_EQ(kind(def + "        def g(self):\n            return self.x\n        return g\n"),
            "candidate");
  EXPECT_EQ(kind(def + "        return super().f(a)\n"), "none");
  EXPECT_EQ(kind(def + "        class D:\n            def g(self):\n                return self.x\n"
                       "        return D\n"),
            "candidate");
}

TEST(Independence, IsToldOnlyWhenAskedFor) {
  const Files files{{"m.py", "class C:\n    def f(self, a):\n        return g(a)\n"}};
  Profile asked;
  asked.instance_independent_methods = true;
  EXPECT_TRUE(structural_findings(project_of(files, {}), {}, {}).independent.empty());
  EXPECT_EQ(structural_findings(project_of(files, asked), {}, {}).independent.size(), 1u);
}

}  // namespace
}  // namespace gh::analysis
