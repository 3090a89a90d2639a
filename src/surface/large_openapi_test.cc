// A large OpenAPI document is read in parts, a JSON one path by path. What comes out is what a
// reading as a whole gives, which a key with an escape at the end of the document asks for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "surface/loaders.h"
#include "surface/memory_files.h"
#include "wire/spaced_json.h"

namespace gh::surface {
namespace {

constexpr int kPaths = 450;
constexpr std::string_view kWhole = R"("x-\u0061": 1)", kPlain = R"("x-a": 1)";

/// Path `i`; `{PATH}` in what is written there is left to the test.
std::string path_item(int i, std::string_view schema) {
  return fmt::format(R"( "/v1/r{0}": {{
  "parameters": [{{"$ref": "#/components/parameters/Id"}}],
  "{1}": {{"operationId": "op_{0}", "summary": "Does \u00e9 number {0}.", "description": "{2}",
   "parameters": [{{"name": "n_{0}", "in": "query", "required": true, "schema": {{"type": "integer", "maximum": {0}}}}}],
   "requestBody": {{"content": {{"application/json": {{"schema": {3}}}}}}},
   "responses": {{"200": {{"content": {{"application/json": {{"schema": {{"$ref": "#/components/schemas/S{4}"}}}}}}}}}}
  }}
 }})",
                     i, i % 3 == 0 ? "post" : "get", std::string(600, 'd'), schema, i % 7);
}

/// One path has `odd` for its schema.
std::string document(std::string_view last, std::string_view odd = R"({"type": "object"})") {
  std::string out = "{\n\"openapi\": \"3.0.3\",\n\"paths\": {\n";
  for (int i = 0; i < kPaths; ++i)
    out += (i > 0 ? ",\n" : "") + path_item(i, i == kPaths - 3 ? odd : R"({"type": "object"})");
  out +=
      "\n},\n\"components\": {\"parameters\": {\"Id\": {\"name\": \"id\", \"in\": \"path\"}}, "
      "\"schemas\": {";
  for (int i = 0; i < 7; ++i)
    out += fmt::format(R"({}"S{}": {{"type": "object", "properties": {{"p{}": {{}}}}}})",
                       i > 0 ? ", " : "", i, i);
  return out + "}},\n" + std::string(last) + "\n}\n";
}

std::string told(const Result<Loaded>& loaded) {
  if (!loaded) return loaded.error().message;
  std::string out;
  for (const Tool& t : loaded->tools)
    out += fmt::format("{} {} {} {}:{}:{}-{} {} {} {} {}\n", t.name, t.description, t.source_ref,
                       t.place.path, t.place.start_line, t.place.start_column, t.place.end_line,
                       t.place.pointer.value_or("none"), wire::spaced_json(t.input_schema),
                       wire::spaced_json(t.output_schema), wire::spaced_json(Value(t.annotations)));
  for (const std::string& warning : loaded->warnings)
    out += warning + "\n";
  return out;
}

std::string told_of(const std::string& text, const std::string& name = "api.json") {
  MemoryFiles files({{name, text}, {"other.json", R"({"X": {"type": "string"}})"}});
  return told(load_openapi({"api", name}, files));
}

/// What the reading by parts tells of such a document, which is that of the whole.
std::string told_alike(std::string_view odd) {
  const std::string by_parts = told_of(document(kPlain, odd));
  EXPECT_EQ(by_parts, told_of(document(kWhole, odd))) << odd;
  return by_parts;
}

TEST(LargeOpenApi, PathsReadOneByOneGiveTheToolsOfTheWhole) {
  const std::string all =
      told_alike(R"({"type": "object", "properties": {"q": {"type": "null"}}})");
  EXPECT_TRUE(contains(all, "op_0 Does é number 0.\nddd")) << all.substr(0, 400);
  EXPECT_TRUE(contains(all, fmt::format("op_{}", kPaths - 1)));
}

TEST(LargeOpenApi, PlacesAreThoseOfTheWholeText) {
  // Three lines before the paths, eight for each; the operation starts at the third of them.
  const std::string all = told_of(document(kPlain));
  EXPECT_TRUE(contains(all, "api.json:14:3-18 /paths/~1v1~1r1/get")) << all.substr(0, 2000);
}

TEST(LargeOpenApi, ReferencesToOtherPathsAndFilesAreFollowed) {
  const std::string path = told_alike(
      R"({"$ref": "#/paths/~1v1~1r4/get/responses/200/content/application~1json/schema"})");
  const std::string_view last = std::string_view(path).substr(path.find("op_447 "));
  EXPECT_TRUE(contains(last.substr(0, last.find("op_448 ")), R"("p4": {})"));
  EXPECT_FALSE(contains(path, "Unresolved"));
  EXPECT_TRUE(
      contains(told_alike(R"({"$ref": "other.json#/X"})"), R"("body": {"type": "string"})"));
  EXPECT_TRUE(contains(told_alike(R"({"$ref": "#/nowhere"})"), "Unresolved OpenAPI $ref"));
}

TEST(LargeOpenApi, WhatIsWrongIsToldAsOfTheWhole) {
  EXPECT_TRUE(contains(told_alike(R"({"a": tru})"), "expected a value"));
  EXPECT_TRUE(contains(told_alike(R"({"a": "\ud800"})"), "bad escape"));
  EXPECT_TRUE(contains(told_alike("{\"a\": \"\xff\"}"), "not UTF-8"));
  EXPECT_TRUE(contains(told_alike(std::string(300, '[') + std::string(300, ']')), "nested deeper"));
  EXPECT_TRUE(contains(told_alike(R"({"a": 1, "a": 2})"), "op_449")) << "the last one counts";
}

TEST(LargeOpenApi, OddPathsAreReadAsAWhole) {
  for (const auto& [from, to] :
       {std::pair{R"("/v1/r7": {)", R"("/v1/r8": {)"},
        std::pair{R"("/v1/r7": {)", R"("\/v1/r7": {)"},
        std::pair{R"("/v1/r7": {)", R"("/v1/x": 7, "/v1/r7": {)"},
        std::pair{R"("/v1/r7": {)", R"("/v1/x": {"get": 7}, "/v1/r7": {)"},
        std::pair{R"("/v1/r7": {)", R"("/v1/x": {"$ref": "#/nowhere"}, "/v1/r7": {)"},
        std::pair{R"("components")", R"("paths": {}, "components")"}}) {
    std::string plain = document(kPlain), whole = document(kWhole);
    for (std::string* text : {&plain, &whole})
      text->replace(text->find(from), std::string_view(from).size(), to);
    EXPECT_EQ(told_of(plain), told_of(whole)) << to;
  }
}

TEST(LargeOpenApi, TheBudgetOfNodesIsThatOfTheWhole) {
  // Each schema grows to the limit of one, so that 200 of them use up what the document may have.
  std::string wide = R"({"properties": {)";
  for (int i = 0; i < 5000; ++i)
    wide += fmt::format(R"({}"p{}": {{}})", i > 0 ? "," : "", i);
  wide += "}}";
  const auto many = [&](std::string_view last) {
    std::string out = R"({"openapi": "3.0.3", "paths": {)";
    for (int i = 0; i < 300; ++i)
      out += fmt::format(
          R"({}"/r{}": {{"post": {{"requestBody": {{"content": {{"a/b": {{"schema": {{"allOf": [{{"$ref": "#/components/schemas/W"}}]}}}}}}}}}}}})",
          i > 0 ? "," : "", i);
    out += R"(}, "x-long": ")" + std::string(300'000, 'x') +
           R"(", "components": {"schemas": {"W": )" + wide + "}}, ";
    return out + std::string(last) + "}";
  };
  const std::string by_parts = told_of(many(kPlain));
  EXPECT_TRUE(contains(by_parts, "more than 1000000 nodes"));
  EXPECT_EQ(by_parts, told_of(many(kWhole)));
}

}  // namespace
}  // namespace gh::surface
