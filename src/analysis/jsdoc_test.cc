#include "analysis/jsdoc.h"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "analysis/adoption.h"
#include "analysis/extract.h"
#include "analysis/memory_source.h"
#include "analysis/run.h"

namespace gh::analysis {
namespace {

// docs/reference/analysis.md, "Adoption", other languages
TEST(JsDoc, TagsTellTypesByName) {
  const ToldTypes told = told_types(
      "/**\n * Adds.\n * @param {number} a first\n * @param {Array<{x: number}>} [b=1]\n"
      " * @param {string} b.x\n * @param c no type\n * @parameter {x} d\n"
      " * @returns {Promise<{y: T}>} it\n */");
  using P = ToldTypes::Param;
  EXPECT_EQ(told.params, (std::vector<P>{{"a", "number"}, {"b", "Array<{x: number}>"}, {"c", ""}}));
  EXPECT_EQ(told.returns, "Promise<{y: T}>");
  EXPECT_EQ(told_types("/** @return {T} */").returns, "T");
  EXPECT_EQ(told_types("/** @return T */").returns, "");
  EXPECT_EQ(told_types("/** @returns {open */").returns, "");
}

TEST(JsDoc, ATypeEndsBeforeTheNextTag) {
  using P = ToldTypes::Param;
  EXPECT_EQ(told_types("/** @param {a b\n * @param {T} c */").params,
            (std::vector<P>{{"", ""}, {"c", "T"}}));
  EXPECT_EQ(told_types("/** @returns {import('@scope/x').T} */").returns, "import('@scope/x').T");
  std::string open = "/**";  // a brace for each of a million tags
  for (int i = 0; i < 1'000'000; ++i)
    open += "@param{";
  EXPECT_EQ(told_types(open).params.size(), 1'000'000u);
}

TEST(JsDoc, ManyParametersAreFoundByName) {
  std::string tags = "/**", params;
  for (int i = 0; i < 100'000; ++i) {
    tags += "@param{T}a" + std::to_string(i);
    params += "a" + std::to_string(99'999 - i) + ",";
  }
  const FileFacts facts = Extractor().facts_of(syntax::Language::javascript,
                                               tags + "*/\nfunction f(" + params + ") {}\n");
  const auto& all = facts.declarations.params;
  EXPECT_EQ(std::ranges::count_if(all, [](const ParamFact& p) { return p.annotation != 0; }),
            100'000);
}

TEST(JsDoc, AnythingIsAnyUnknownOrAStar) {
  for (const std::string_view type : {"any", "*", "Map<string, any>", "unknown[]", " * "})
    EXPECT_TRUE(tells_anything(type)) << type;
  for (const std::string_view type : {"number", "", "anything", "Company"})
    EXPECT_FALSE(tells_anything(type)) << type;
}

AdoptionCounts counted(const std::string& path, const std::string& source) {
  MemorySource files(std::map<std::string, std::string>{{path, source}});
  const auto project = analyse(files, {.jobs = 1});
  EXPECT_TRUE(project);
  return project ? adoption_of(*project).total : AdoptionCounts{};
}

TEST(Adoption, JavascriptIsTypedByTheCommentAbove) {
  const AdoptionCounts found = counted(
      "m.js",
      "/**\n * @param {number} a\n * @param {any} [b]\n * @param {Object} o\n * @returns {T}\n */\n"
      "async function f(a, b, {x}, rest) {}\n"
      "/** @param a\n * @return {*} */\nconst g = (a) => a;\n"
      "class K {\n  /** @param {T} v */\n  m(v) {}\n  n(w) {}\n}\n"
      "// @param {T} z\nfunction h(z) {}\n/** @param {T} z */\n\nfunction i(z) {}\n"
      "[].map((q) => q);\n");
  EXPECT_EQ(found.callables, 6u);
  EXPECT_EQ(found.params, 9u);
  EXPECT_EQ(found.params_annotated, 4u);
  EXPECT_EQ(found.returns_annotated, 2u);
  EXPECT_EQ(found.any_annotations, 2u);
}

TEST(Adoption, TypescriptCountsItsAnnotationsAndWhatSaysAnything) {
  const AdoptionCounts found = counted(
      "m.ts",
      "export function f(a: number, b, ...rest: any[]): number { return a; }\n"
      "function g(x: unknown) { return x; }\n"
      "class K {\n  m(v: Map<string, any>): void {}\n  static n(w) {}\n  private p(): any {}\n"
      "  abstract q(r: T): T;\n  constructor(private a: T, b?) {}\n}\n"
      "function over(a: string): void;\nfunction over(a: any) {}\n"
      "interface I { m(a: number): void; }\n"
      "/** @param {T} z */\nfunction h(this: K, z) {}\n");
  EXPECT_EQ(found.callables, 8u) << "what has a body";
  EXPECT_EQ(found.params, 10u);
  EXPECT_EQ(found.params_annotated, 6u);
  EXPECT_EQ(found.returns_annotated, 3u);
  EXPECT_EQ(found.any_annotations, 5u);
}

}  // namespace
}  // namespace gh::analysis
