#include "analysis/adoption.h"

#include <gtest/gtest.h>

#include "analysis/testing_project.h"

namespace gh::analysis {
namespace {

// docs/reference/analysis.md, "Adoption", worked example
TEST(Adoption, WorkedExample) {
  const Adoption found = adoption_of(python_project(
      {{"m.py",
        "import typing\nfrom typing import Any\n__all__ = [\"pub\", \"K\", \"CONST\"]\nCONST = 1\n"
        "def pub(a: int, b, *args: Any, k: typing.Any = None, **kw) -> int:\n    \"\"\"Doc.\"\"\"\n"
        "def other(x):\n    return x\n"
        "class K:\n"
        "    def __init__(self, v: dict[str, Any]) -> None:\n        pass\n"
        "    def m(self):\n        \"\"\"Doc.\"\"\"\n"
        "    def _p(self):\n        pass\n"
        "    @staticmethod\n    def s(self, z):\n        pass\n"}}));
  EXPECT_EQ(found.total, (AdoptionCounts{.callables = 6,
                                         .params = 9,
                                         .params_annotated = 4,
                                         .returns_annotated = 2,
                                         .any_annotations = 3,
                                         .public_symbols = 5,
                                         .public_documented = 2}));
  const Map family = adoption_family(found);
  const Map& summary = *family.find("summary")->as_map();
  EXPECT_EQ(*summary.find("param_permille"), Value(444));
  EXPECT_EQ(*summary.find("return_permille"), Value(333));
  EXPECT_EQ(*summary.find("docstring_permille"), Value(400));
  EXPECT_EQ(*summary.find("returns_total"), Value(6));
}

TEST(Adoption, AnyCountsOncePerAnnotationWhereverItStands) {
  const auto any = [](const char* annotation) {
    return adoption_of(python_project({{"m.py", std::string("import typing\nfrom typing import Any "
                                                            "as A, Any\nimport typing_extensions\n"
                                                            "def f(a: ") +
                                                    annotation + "): pass\n"}}))
        .total.any_annotations;
  };
  EXPECT_EQ(any("Any"), 1u);
  EXPECT_EQ(any("A"), 1u);
  EXPECT_EQ(any("typing_extensions.Any"), 1u);
  EXPECT_EQ(any("int | Any"), 1u);
  EXPECT_EQ(any("tuple[Any, dict[Any, typing.Any]]"), 1u);
  EXPECT_EQ(any("Anything"), 0u);
  EXPECT_EQ(any("mine.Any2"), 0u);
}

TEST(Adoption, OnlyCompleteUnitsOfAPartialFileCount) {
  const AdoptionCounts found =
      adoption_of(
          python_project({{"m.py", "def f(a: int): pass\ndef g(b):\n    x = 1 1 )\n    y\n"}}))
          .total;
  EXPECT_EQ(found.callables, 1u);
  EXPECT_EQ(found.params, 1u);
}

TEST(Adoption, Permille) {
  EXPECT_EQ(permille(0, 0), 0u);
  EXPECT_EQ(permille(4, 8), 500u);
  EXPECT_EQ(permille(4, 9), 444u);
  EXPECT_EQ(permille(2, 3), 667u);
  EXPECT_EQ(permille(1, 2000), 0u);  // half to even
  EXPECT_EQ(permille(3, 2000), 2u);
}

TEST(Adoption, APropertyAndItsSetterAreOnePublicSymbol) {
  const AdoptionCounts found =
      adoption_of(
          python_project({{"m.py",
                           "class K:\n    \"\"\"Doc.\"\"\"\n    @property\n    def x(self):\n"
                           "        \"\"\"Doc.\"\"\"\n    @x.setter\n    def x(self, v): "
                           "pass\n"}}))
          .total;
  EXPECT_EQ(found.public_symbols, 2u);
  EXPECT_EQ(found.public_documented, 2u);
}

}  // namespace
}  // namespace gh::analysis
