// A large OpenAPI document is read in parts, path by path. What comes out is what a reading as a
// whole gives, which is asked for by a key with an escape at the end of a JSON document, and by
// quotes round the first key of a YAML one.
#include <random>

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

/// Path `i` of a YAML document.
std::string yaml_item(int i) {
  return fmt::format(
      "  /v1/r{0}:\n"
      "    {1}:\n"
      "      operationId: op_{0}\n"
      "      summary: |\n"
      "        Does number {0}.\n"
      "      parameters:\n"
      "        - {{name: n, in: query, schema: {{type: integer, maximum: {0}}}}}\n"
      "        - $ref: '#/components/parameters/Id'\n",
      i, i % 3 == 0 ? "post" : "get");
}

/// What comes before the paths, the paths with `odd` among them, and what comes behind them.
struct YamlParts {
  std::string before = "info: {title: x}\n", odd{}, behind = "x-last: 1\n";
};

std::string yaml_document(const YamlParts& parts, bool is_whole) {
  std::string out = is_whole ? "'openapi': 3.0.3\n" : "openapi: 3.0.3\n";
  out += parts.before + "x-long: " + std::string(300'000, 'x') + "\npaths: # all\n";
  if (!is_whole) out.insert(7, "  ");  // as many columns
  for (int i = 0; i < 230; ++i)
    out += yaml_item(i) + (i == 100 ? parts.odd : "");
  return out + "components:\n  parameters:\n    Id: {name: id, in: path, required: true}\n" +
         parts.behind;
}

/// What the reading by parts tells of it, which is that of the whole.
std::string yaml_told_alike(const YamlParts& parts) {
  const std::string by_parts = told_of(yaml_document(parts, false), "api.yaml");
  EXPECT_EQ(by_parts, told_of(yaml_document(parts, true), "api.yaml")) << parts.before << "\n--\n"
                                                                       << parts.odd << "\n--\n"
                                                                       << parts.behind;
  return by_parts;
}

TEST(LargeOpenApi, PathsOfYamlReadOneByOneGiveTheToolsAndPlacesOfTheWhole) {
  const std::string all = yaml_told_alike({});
  EXPECT_TRUE(contains(all, "op_0 Does number 0.\n")) << all.substr(0, 400);
  // Four lines before the paths, eight for each; the operation is the second of them.
  EXPECT_TRUE(contains(all, "api.yaml:14:5-20 /paths/~1v1~1r1/get")) << all.substr(0, 2000);
  EXPECT_TRUE(contains(all, "op_229"));
}

/// What stands between two paths of YAML, whole or cut, and what it means is not always a path.
const std::vector<std::string>& yaml_oddities() {
  static const std::vector<std::string> rows{
      "  # a comment\n# another\n\n   \n",
      "  /x:\n    get: {operationId: flow,\n  description: x}\n",
      "  /x:\n    get: {operationId: flow, description: {\n  /v2/a: 1\n  }}\n",
      "  /x:\n    get:\n      description: \"first\n  /v2/b:\n    second\"\n",
      "  /x:\n    get:\n      description: 'first\n\n  /v2/c:\n    get: {}\n  last'\n",
      "  /x:\n    get:\n      description: 'first\n/v2/c:\n  last'\n",
      "  /x:\n    get:\n      description: \"a\npaths:\n  /v2/d: {get: {}}\n\"\n",
      "  /x:\n    get:\n      description: plain\n       /v2/e:\n",
      "  /x:\n    get:\n      description: plain\n        on two lines\n",
      "  /x:\n    get:\n      description: >-\n        folded\n\n\n\n",
      "  /x:\n    get:\n      description: |1\n    /v2/f: {}\n",
      "  /x: |\n    /v2/g: {}\n",
      "  /x: |\n   /v2/h: {}\n",
      "  /x:\n    get: &once {operationId: anchored}\n",
      "  /x:\n    get: *once\n",
      "  /x:\n    get: &y {operationId: anchored}\n  /y:\n    get: *y\n",
      "  /x:\n    <<: {get: {operationId: merged}}\n",
      "  <<: {/x: {get: {operationId: merged}}}\n",
      "  ? /x\n  : get: {operationId: asked}\n",
      "  /x:\n  - get\n",
      "  - /x\n",
      "  /x: 7\n",
      "  /x:\n",
      "  x-more: 7\n",
      "  '/q/x':\n    get: {operationId: quoted}\n",
      "  \"/q\\u0041\":\n    get: {operationId: escaped}\n",
      "  /v1/r7:\n    get: {operationId: again}\n",
      "  /x:\n    get: {operationId: twice}\n    get: {operationId: later}\n",
      "   /x:\n     get: {operationId: deeper}\n",
      " /x:\n   get: {operationId: flatter}\n",
      "  /x: {get: {operationId: a}}\r\n  /y: {get: {operationId: b}}\r\n",
      "  /x: {get: {operationId: a}}\r  /y: {get: {operationId: b}}\n",
      "  /x: {get: {operationId: a}} #\xC2\x85  /y: {get: {operationId: b}}\n",
      "  /x: {get: {operationId: a}} #\xE2\x80\xA8  /y: {get: {operationId: b}}\n",
      "\t/x: {get: {operationId: tab}}\n",
      "  /x:\tget\n",
      "  /x:\n    get: !tagged {operationId: a}\n",
      "  /x:\n    get: {maximum: .inf}\n",
      "  /x:\n    get: {a: \"\xff\"}\n",
      "  /x: {$ref: '#/paths/~1v1~1r3'}\n",
      "---\n  /x: {}\n",
      "...\n",
      "paths: {}\n",
      "paths:\n  /x: {get: {operationId: second}}\n",
      "%YAML 1.1\n",
      "x-between: 1\n  /x: {get: {}}\n",
      "  /x: {get: {operationId: open\n",
      "  /x: {get: {operationId: 'open\n",
      "  /x: }\n",
  };
  return rows;
}

TEST(LargeOpenApi, WhatLooksLikeAPathOfYamlIsOneOnlyWhereTheWholeSaysSo) {
  for (const std::string& odd : yaml_oddities())
    yaml_told_alike({.odd = odd});
  EXPECT_TRUE(contains(yaml_told_alike({.odd = yaml_oddities()[0]}), "op_229"));
}

TEST(LargeOpenApi, WhatStandsRoundThePathsOfYamlIsReadWithThem) {
  const std::string list = "  /n:\n    get: {operationId: no}\n";
  for (const YamlParts& parts : {
           YamlParts{.before = "info: {title: x,\n"},
           YamlParts{.before = "info: {title: x,\n", .behind = "}\n"},
           YamlParts{.before = "info: \"\n", .behind = "x: \"\n"},
           YamlParts{.before = "info: \"\npaths:\n" + list + "\"\n"},
           YamlParts{.before = "info: \"\npaths:\n" + list + "\"\n", .behind = "paths: {}\n"},
           YamlParts{.before = "info: |\n paths:\n" + list},
           YamlParts{.before = "info: &a 1\n", .odd = "  /x: {get: {x: *a}}\n"},
           YamlParts{.before = "info: &a 1\n",
           .odd = "  /x: {get: {x: &a 2}}\n",
           .behind = "x-openapi: *a\n"},
           YamlParts{.odd = "  /x: {get: {x: &a 2}}\n", .behind = "x-openapi: *a\n"},
           YamlParts{.behind = "'paths': {}\n"},
           YamlParts{.behind = "? paths\n: {}\n"},
           YamlParts{.behind = "x-again: 1\nx-again: 2\n"},
           YamlParts{.behind = "- 1\n"},
           YamlParts{.behind = ""},
       })
    yaml_told_alike(parts);
}

TEST(LargeOpenApi, OddPathsOfYamlInAnyOrderAreThoseOfTheWhole) {
  std::mt19937 random(20260119);
  const auto& rows = yaml_oddities();
  for (int round = 0; round < 60; ++round) {
    YamlParts parts;
    for (int i = 0; i < 3; ++i) {
      std::string row = rows[random() % rows.size()];
      if (random() % 3 == 0) row.erase(random() % row.size(), 1 + random() % 5);
      if (random() % 3 == 0)
        row.insert(random() % row.size(), 1, "\"'{}[]:#|>&*\n "[random() % 14]);
      parts.odd += row;
    }
    yaml_told_alike(parts);
  }
}

TEST(LargeOpenApi, TheNodesOfYamlAreCountedTogether) {
  std::string many = "  /x:\n    get:\n      x-many: [";
  for (int i = 0; i < 520'000; ++i)
    many += "1,";
  many += "1]\n";
  EXPECT_FALSE(contains(yaml_told_alike({.odd = many}), "nodes"));
  std::string more = many;
  more.replace(2, 2, "/y");
  EXPECT_TRUE(contains(yaml_told_alike({.odd = many + more}), "more than 1000000 nodes"));
}

}  // namespace
}  // namespace gh::surface
