#include "analysis/api_surface.h"

#include <gtest/gtest.h>

#include "analysis/api_breaks.h"
#include "analysis/testing_project.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

using Names = std::vector<std::string>;

Names symbols(Sources files) {
  Names out;
  for (const ApiModule& module : api_surface_of(python_project(std::move(files))).modules)
    for (const ApiSymbol& symbol : module.symbols)
      out.push_back(module.module + ":" + symbol.local_name + " " +
                    std::string(to_string(symbol.kind)) + (symbol.is_in_all ? " all" : " name"));
  return out;
}

// docs/reference/analysis.md, "Public API", what belongs to it
TEST(ApiSurface, WhatBelongsToIt) {
  EXPECT_EQ(
      symbols({{"m.py",
                "import os\nfrom x import y\nC = 1\n_D = 2\nE, F = 1, 2\nG: int\n"
                "def f(): pass\ndef _g(): pass\n"
                "class K:\n    A = 1\n    def m(self): pass\n    def _n(self): pass\n"
                "    def __init__(self): pass\n    def __call__(self): pass\n"
                "    def __enter__(self): pass\n    def __exit__(self): pass\n"
                "    def __iter__(self): pass\n    def __len__(self): pass\n"
                "    class N:\n        def o(self): pass\n"
                "class _L:\n    def m(self): pass\n"}}),
      (Names{"m:C constant name", "m:E constant name", "m:F constant name", "m:f function name",
             "m:K class name", "m:K.m method name", "m:K.__init__ method name",
             "m:K.__call__ method name", "m:K.__enter__ method name", "m:K.__exit__ method name",
             "m:K.__iter__ method name"}));
  EXPECT_EQ(symbols({{"p/_m.py", "def f(): pass\n"}, {"_p/m.py", "def f(): pass\n"}}), Names{});
  EXPECT_EQ(symbols({{"p/_m.py",
                      "from x import y\n__all__ = ['_f', 'y', 'C', 'missing']\ndef _f(): pass\n"
                      "def g(): pass\nC = 1\n"}}),
            (Names{"p._m:_f function all", "p._m:C constant all"}));
  EXPECT_EQ(symbols({{"m.py", "def f(): pass\nclass (\n"}}), Names{});
}

TEST(ApiSurface, EveryKindOfParameterHasItsWord) {
  using P = syntax::ParamKind;
  EXPECT_EQ(to_word(P::pos_only), "pos_only");
  EXPECT_EQ(to_word(P::pos_or_kw), "pos_or_kw");
  EXPECT_EQ(to_word(P::vararg), "vararg");
  EXPECT_EQ(to_word(P::kw_only), "kw_only");
  EXPECT_EQ(to_word(P::kwarg), "kwarg");
}

TEST(ApiSurface, ParametersInOrder) {
  const ApiSurface surface = api_surface_of(python_project(
      {{"m.py",
        "def f(a, /, b: int = 1, *c, d, **e) -> int: pass\n"
        "class K:\n    def m(self, q): pass\n    @classmethod\n    def c(cls): pass\n"
        "    @staticmethod\n    def s(self): pass\n"}}));
  using P = syntax::ParamKind;
  const std::vector<ApiSymbol>& all = surface.modules.at(0).symbols;
  ASSERT_EQ(all.at(0).params.size(), 5u);
  const std::string annotation = all[0].params[1].annotation;
  EXPECT_EQ(annotation.size(), 16u);
  EXPECT_EQ(all[0].returns, annotation);
  EXPECT_EQ(all[0].params, (std::vector<ApiParam>{{"a", P::pos_only, false},
                                                  {"b", P::pos_or_kw, true, annotation},
                                                  {"c", P::vararg, false},
                                                  {"d", P::kw_only, false},
                                                  {"e", P::kwarg, false}}));
  EXPECT_EQ(all.at(2).params, (std::vector<ApiParam>{{"q", P::pos_or_kw, false}}));
  EXPECT_TRUE(all.at(3).params.empty());
  EXPECT_EQ(all.at(4).params, (std::vector<ApiParam>{{"self", P::pos_or_kw, false}}));
}

TEST(ApiSurface, ADocumentReadsBackAsItWas) {
  const ApiSurface surface = api_surface_of(python_project(
      {{"m.py",
        "__all__ = ['f', 'C']\nC = 1\ndef f(a, /, b: int = 1, *c, d, **e) -> int: pass\n"}}));
  const Value document = api_surface_document(surface);
  const auto again = api_surface_from(document);
  ASSERT_TRUE(again);
  EXPECT_EQ(api_surface_document(*again), document);
  for (
      const char* wrong :
      {"[]", "{}", R"({"modules": [{}]})",
       R"({"modules": [{"module": "m", "filepath": "m.py", "all_declared": [], "symbols": [{}]}]})"})
    EXPECT_FALSE(api_surface_from(*wire::read_json(wrong))) << wrong;
}

constexpr const char* kFirst =
    "def f(a, b=1): pass\ndef g(x, /, y): pass\nclass K:\n    def m(self, q): pass\nC = 1\n";

ApiDifference difference(std::string before, std::string after, bool strict = false) {
  return compare_api(api_surface_of(python_project({{"m.py", std::move(before)}})),
                     api_surface_of(python_project({{"m.py", std::move(after)}})), strict);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

Names breaks(const ApiDifference& found) {
  Names out;
  for (const ApiChange& change : found.breaking)
    out.push_back(change.qualname + " " + std::string(to_string(change.kind)) + ": " +
                  change.detail);
  return out;
}

// docs/reference/analysis.md, "Public API", changes
TEST(ApiBreaks, WorkedExample) {
  struct Row {
    const char *from, *to;
    Names breaks;
  };
  const Row rows[] = {
      {"C = 1\n", "", {"m:C removed: was removed"}},
      {"f(a, b=1)", "f(z, b=1)", {"m:f signature_break: a was renamed to z"}},
      {"g(x, /, y)", "g(xx, /, y)", {}},
      {"f(a, b=1)", "f(a, b=1, c=2)", {}},
      {"m(self, q)", "m(self, q, r)", {"m:K.m signature_break: r was added and is required"}},
      {"f(a, b=1)", "f(a, b)", {"m:f signature_break: b became required"}},
      {"m(self, q)", "m(self, q=1)", {}},
      {"f(a, b=1)", "f(a, *, b=1)", {"m:f signature_break: b changed from pos_or_kw to kw_only"}},
      {"C = 1", "def C(): pass", {"m:C signature_break: changed from constant to function"}},
      {"f(a, b=1)", "f(a: int, b=1)", {}},
      {"C = 1", "C = 1\ndef new(): pass", {}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(breaks(difference(kFirst, replaced(kFirst, row.from, row.to))), row.breaks) << row.to;
  EXPECT_EQ(difference(kFirst, std::string(kFirst) + "def new(): pass\n").added, Names{"m:new"});
}

// Nothing is said to have disappeared because a file became partial.
TEST(ApiBreaks, FilesThatAreNoLongerReadAsAWholeBreakNothing) {
  const ApiSurface before =
      api_surface_of(python_project({{"m.py", "def f(a): pass\n"}, {"n.py", "def g(): pass\n"}}));
  const ApiSurface after =
      api_surface_of(python_project({{"m.py", "def f(): pass\n"}, {"n.py", ""}}));
  const Names both{"m:f signature_break: a was removed", "n:g removed: was removed"};
  EXPECT_EQ(breaks(compare_api(before, after, false)), both);
  EXPECT_EQ(breaks(compare_api(before, after, false, {"n.py"})), Names{both[0]});
  EXPECT_EQ(breaks(compare_api(before, after, false, {"m.py", "n.py"})), Names{});
}

TEST(ApiBreaks, Signatures) {
  struct Row {
    const char *before, *after, *detail;
  };
  const Row rows[] = {
      {"a", "a, *, k=1", ""},
      {"a", "a, *, k", "k was added and is required"},
      {"a", "a, b", "b was added and is required"},
      {"a", "b=1, a=2", "a was renamed to b"},
      {"a, b", "a", "b was removed"},
      {"a, b, /", "a, /, *rest", ""},
      {"a, b", "a, *rest", "b was removed"},
      {"a, b", "a, *rest, **more", ""},
      {"a, *, k", "a", "k was removed"},
      {"a, *, k", "a, **more", ""},
      {"a, *, k", "a, *, j", "k was renamed to j"},
      {"a, *, k, j", "a, *, j, k", ""},
      {"a, /", "a", ""},
      {"a", "a, /", "a changed from pos_or_kw to pos_only"},
      {"a, *, k", "a, k", "k changed from kw_only to pos_or_kw"},
      {"a, *rest", "a", "rest was removed"},
      {"a, **more", "a", "more was removed"},
      {"a", "a, *rest, **more", ""},
      {"a=1", "a=2", ""},
  };
  for (const Row& row : rows)
    EXPECT_EQ(
        breaks(difference(std::string("def f(") + row.before + "): pass\n",
                          std::string("def f(") + row.after + "): pass\n")),
        *row.detail == '\0' ? Names{} : Names{std::string("m:f signature_break: ") + row.detail})
        << row.before << " -> " << row.after;
}

TEST(ApiBreaks, AnnotationsCountOnlyWhenTypesAreStrict) {
  const std::string before = "def f(a: int) -> int: pass\n";
  EXPECT_EQ(breaks(difference(before, "def f(a: str) -> int: pass\n")), Names{});
  EXPECT_EQ(breaks(difference(before, "def f(a: str) -> int: pass\n", true)),
            Names{"m:f signature_break: the annotation of a changed"});
  EXPECT_EQ(breaks(difference(before, "def f(a: int): pass\n", true)),
            Names{"m:f signature_break: the annotation of the result changed"});
  EXPECT_EQ(breaks(difference(before, "def f(a:int)->int: pass\n", true)), Names{});
}

TEST(ApiBreaks, WhatIsImportedUnderItsOldNameHasMoved) {
  EXPECT_EQ(breaks(difference("class K:\n    def m(self): pass\n", "from .other import K\n")),
            Names{});
  EXPECT_EQ(breaks(difference("def f(): pass\n", "from .other import g as f\n")), Names{});
  EXPECT_EQ(breaks(difference("def f(): pass\n", "from .other import f as g\n")),
            Names{"m:f removed: was removed"});
}

TEST(ApiBreaks, ChangesAreInTheOrderOfTheirPlaces) {
  EXPECT_EQ(breaks(difference("def b(): pass\ndef a(): pass\nC = 1\n", "def a(x): pass\n")),
            (Names{"m:a signature_break: x was added and is required", "m:b removed: was removed",
                   "m:C removed: was removed"}));
}

}  // namespace
}  // namespace gh::analysis
