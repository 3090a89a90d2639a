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

TEST(Adoption, ACommentDocumentsWhatItStandsAbove) {
  struct Row {
    const char* path;
    std::string source;
    std::uint64_t documented;
  };
  const Row rows[] = {
      {"p/m.go", "package p\nvar x = 1 // t\nfunc G() {}\n", 0},
      {"p/m.go", "package p\nfunc F() {} // t\nfunc G() {}\n", 0},
      {"p/m.go", "package p\n// G g\nfunc G() {}\n", 1},
      {"p/m.go", "package p\n//go:noinline\nfunc G() {}\n", 0},
      {"p/m.go", "package p\n// G g\n//go:noinline\nfunc G() {}\n", 1},
      {"p/m.go", "package p\n// G g\n\n//go:noinline\nfunc G() {}\n", 0},
      {"p/m.go", "package p\ntype I interface {\n\t// X x\n\tX()\n\tY()\n}\n", 1},
      {"p/m.go", "package p\n// I i\ntype I interface {\n\tX()\n\tY()\n}\n", 1},
      {"m.h", "int a; ///< t\nint b();\n", 0},
      {"m.h", "/** t */ int b();\n", 1},
      {"m.h", "struct K { /** t */ int b(); };\n", 1},
      {"src/m.rs", "#[doc = \"e\"]\npub fn f() {}\n", 1},
      {"src/m.rs", "#[inline]\n#[doc = \"e\"]\n#[cold]\npub fn f() {}\n", 1},
      {"src/m.rs", "#[doc(hidden)]\npub fn f() {}\n", 0},
      {"src/m.rs", "#[doc = \"e\"]\npub fn f() {}\npub fn g() {}\n", 1},
      {"src/m.rs", "pub const X: u8 = 1; /// t\npub fn f() {}\n", 0},
  };
  for (const Row& row : rows) {
    Project project;
    const syntax::Language language = std::string_view(row.path) == "m.h"
                                          ? syntax::Language::cpp
                                          : syntax::language_of_path(row.path).value();
    project.files.push_back({row.path, language, Extractor().facts_of(language, row.source)});
    EXPECT_EQ(adoption_of(project).total.public_documented, row.documented) << row.source;
  }
}

}  // namespace
}  // namespace gh::analysis
