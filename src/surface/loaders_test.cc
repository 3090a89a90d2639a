// Every loader: what it reads, what it warns about, what it refuses
// (docs/reference/tool-surface.md).
#include "surface/loaders.h"

#include <map>

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/memory_files.h"
#include "surface/surface.h"
#include "wire/spaced_json.h"

namespace gh::surface {
namespace {

using FileMap = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

Names names_of(const std::vector<Tool>& tools) {
  Names out;
  for (const Tool& tool : tools)
    out.push_back(tool.name);
  return out;
}

template <class T>
T must(Result<T> result) {
  EXPECT_TRUE(result) << result.error().message;
  return std::move(*result);
}

Loaded mcp(const std::string& json) {
  MemoryFiles files(FileMap{{"t.json", json}});
  return must(load_mcp({"src", "t.json"}, files));
}

Loaded openapi(const std::string& yaml) {
  MemoryFiles files(FileMap{{"api.yaml", yaml}});
  return must(load_openapi({"api", "api.yaml"}, files));
}

template <class Load>
Error refused(Load load) {
  auto result = load();
  EXPECT_FALSE(result);
  return result ? Error{Code::internal_error, ""} : result.error();
}

Error mcp_refused(const std::string& json) {
  MemoryFiles files(FileMap{{"t.json", json}});
  return refused([&] { return load_mcp({"src", "t.json"}, files); });
}

// -------------------------------------------------------------------------------------------- MCP

TEST(McpLoader, ReadsListsMappingsResponsesAndPages) {
  const std::string one = R"({"name":"a"})", two = R"({"name":"b"})";
  const std::pair<std::string, std::string> rows[] = {
      {"[" + one + "," + two + "]", "/1"},
      {"{\"tools\":[" + one + "," + two + "]}", "/tools/1"},
      {"{\"jsonrpc\":\"2.0\",\"result\":{\"tools\":[" + one + "," + two + "]}}", "/result/tools/1"},
      {"[{\"result\":{\"tools\":[" + one + "]}},{\"result\":{\"tools\":[" + two + "]}}]",
       "/1/result/tools/0"},
  };
  for (const auto& [json, pointer] : rows) {
    const Loaded loaded = mcp(json);
    EXPECT_EQ(names_of(loaded.tools), (Names{"a", "b"})) << json;
    EXPECT_EQ(loaded.tools[1].place.pointer, pointer) << json;
  }
}

TEST(McpLoader, TakesEveryMemberOfATool) {
  const Loaded loaded =
      mcp("[\n {\"name\": \"a\", \"description\": \"d\", \"owner\": \"o\",\n"
          "  \"input_schema\": {\"properties\": {\"x\": {}}}, \"outputSchema\": {\"type\": "
          "\"object\"},\n"
          "  \"annotations\": {\"readOnlyHint\": true}, \"auth\": {\"type\": \"oauth2\", "
          "\"scopes\": [\"s\"], \"credential_mode\": \"user\"}}]");
  ASSERT_EQ(loaded.tools.size(), 1u);
  const Tool& t = loaded.tools[0];
  EXPECT_EQ(t.id, "tool:a");
  EXPECT_EQ(t.description, "d");
  EXPECT_EQ(t.owner, "o");
  EXPECT_EQ(t.parameters[0].name, "x");
  EXPECT_EQ(t.auth.scopes, Names{"s"});
  EXPECT_EQ(t.auth.credential_mode, "user");
  EXPECT_EQ(t.auth.source, "mcp");
  EXPECT_EQ(t.source_ref, "t.json");
  EXPECT_EQ(t.place.start_line, 2);
  EXPECT_EQ(t.place.end_line, 4);
  EXPECT_TRUE(loaded.warnings.empty());
}

TEST(McpLoader, WarnsAboutWhatItSkipsOrDoubts) {
  const Loaded loaded =
      mcp(R"([7, {"description":"x"}, {"name":"a"}, {"name":"a"}, {"name":"9"}])");
  EXPECT_EQ(names_of(loaded.tools), (Names{"a", "a", "9"}));
  ASSERT_EQ(loaded.warnings.size(), 4u);
  EXPECT_EQ(loaded.warnings[0], "Skipping non-object MCP tool entry");
  EXPECT_EQ(loaded.warnings[1], "Skipping MCP tool without name");
  EXPECT_EQ(loaded.warnings[2], "Duplicate MCP tool name 'a' in source 'src'");
  EXPECT_TRUE(loaded.warnings[3].starts_with("Tool name '9' is accepted but non-conventional"));
}

TEST(McpLoader, AMemberOfAnotherTypeIsSaid) {
  const std::pair<const char*, const char*> rows[] = {
      {R"("auth":{"scopes":"admin"})", "auth.scopes must be a list of strings"},
      {R"("auth":{"scopes":["a",7]})", "auth.scopes must be a list of strings"},
      {R"("auth":"token")", "auth must be an object"},
      {R"("annotations":"destructive")", "annotations must be an object"},
      {R"("annotations":{"destructiveHint":"true"})",
       "annotations.destructiveHint must be true or false"},
      {R"("inputSchema":[1])", "inputSchema must be an object"},
      {R"("outputSchema":"x")", "outputSchema must be an object"},
      {R"("description":7)", "description must be a string"},
      {R"("owner":{})", "owner must be a string"},
  };
  for (const auto& [member, what] : rows) {
    const Loaded loaded = mcp(std::string(R"([{"name":"a",)") + member + "}]");
    EXPECT_EQ(names_of(loaded.tools), Names{"a"}) << member;
    EXPECT_EQ(loaded.warnings, Names{std::string("MCP tool 'a' in source 'src' has a member that "
                                                 "is not read: ") +
                                     what})
        << member;
  }
  EXPECT_TRUE(
      mcp(R"([{"name":"a","auth":null,"annotations":null,"owner":null}])").warnings.empty());
}

TEST(McpLoader, AnExportThatEndsBeforeItsLastPageSaysSo) {
  const std::string page = R"({"result":{"tools":[{"name":"a"}])";
  for (const std::string& json :
       {page + R"(,"nextCursor":"2"}})", "[" + page + "}}," + page + R"(,"nextCursor":"3"}}])",
        std::string(R"({"tools":[{"name":"a"}],"nextCursor":"2"})")}) {
    const Loaded loaded = mcp(json);
    ASSERT_FALSE(loaded.warnings.empty()) << json;
    EXPECT_EQ(loaded.warnings[0],
              "MCP source 'src' ends with a nextCursor: tools of further pages are missing");
  }
  EXPECT_TRUE(mcp("[" + page + R"(,"nextCursor":"2"}},{"result":{"tools":[{"name":"b"}]}}])")
                  .warnings.empty());
}

TEST(McpLoader, AWildcardIsOneTool) {
  for (const auto& [json, pointer] :
       {std::pair{R"({"wildcard":true})", "/wildcard"}, std::pair{R"({"tools":"*"})", "/tools"}}) {
    const Loaded loaded = mcp(json);
    ASSERT_EQ(loaded.tools.size(), 1u);
    EXPECT_EQ(loaded.tools[0].name, "src.*");
    EXPECT_TRUE(is_wildcard(loaded.tools[0]));
    EXPECT_EQ(loaded.tools[0].place.pointer, pointer);
    EXPECT_EQ(loaded.warnings, Names{"MCP source declares wildcard tool exposure"});
  }
}

TEST(McpLoader, RefusesOtherDocuments) {
  EXPECT_TRUE(contains(mcp_refused("7").message, "t.json:1:1: must be an object or array"));
  EXPECT_TRUE(contains(mcp_refused("{}").message, "must contain a tools array"));
  EXPECT_TRUE(contains(mcp_refused(R"({"tools":{}})").message, "must contain a tools array"));
  EXPECT_TRUE(contains(mcp_refused(R"({"wildcard":true,"tools":[{"name":"a"}]})").message,
                       "exclude each other"));
  EXPECT_EQ(mcp_refused("[").code, Code::json_invalid);
}

TEST(Sources, PathsStayInsideOfTheManifestsFolder) {
  MemoryFiles files(FileMap{{"a/t.json", "[]"}});
  for (const char* path : {"../t.json", "/etc/passwd", "a/../../t.json"}) {
    const Error error = refused([&] { return load_mcp({"s", path}, files); });
    EXPECT_EQ(error.code, Code::input_unreadable);
    EXPECT_TRUE(contains(error.message, "resolves outside manifest directory")) << error.message;
  }
  EXPECT_TRUE(contains(refused([&] { return load_mcp({"s", "a"}, files); }).message, "a folder"));
  EXPECT_TRUE(contains(refused([&] {
                         return load_mcp({"s", "b.json"}, files);
                       }).message,
                       "no such file"));
}

// ---------------------------------------------------------------------------------------- OpenAPI

constexpr const char* kApi = R"(openapi: 3.0.3
security: [{oauth: [read]}]
paths:
  /orders/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    get:
      summary: Get one
      description: order
      responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
    delete:
      operationId: deleteOrder
      security: []
      x-destructiveHint: true
      x-agents-shipgate: {retryPolicy: {n: 1}}
  /refunds:
    post:
      operationId: createRefund
      parameters: [{name: dry, in: query, schema: {type: boolean}}]
      requestBody: {$ref: '#/components/requestBodies/Refund'}
      responses: {'201': {description: ok}}
components:
  securitySchemes: {oauth: {type: oauth2}}
  requestBodies:
    Refund: {content: {application/json: {schema: {type: object, required: [amount], properties: {amount: {type: number}}}}}}
  schemas:
    Order: {type: object, properties: {next: {$ref: '#/components/schemas/Order'}, far: {$ref: 'other.yaml#/X'}}}
)";

TEST(OpenApiLoader, OneToolPerOperationWithNamesPlacesAndAnnotations) {
  const Loaded loaded = openapi(kApi);
  EXPECT_EQ(names_of(loaded.tools), (Names{"get_orders_id", "deleteOrder", "createRefund"}));
  const Tool& get = loaded.tools[0];
  EXPECT_EQ(get.description, "Get one\norder");
  EXPECT_EQ(get.place.pointer, "/paths/~1orders~1{id}/get");
  EXPECT_EQ(get.place.start_line, 7);
  EXPECT_EQ(get.source_ref, "api.yaml#/paths/~1orders~1{id}/get");
  EXPECT_EQ(http_method(get), "GET");
  EXPECT_EQ(get.auth.scopes, Names{"read"});
  EXPECT_EQ(get.auth.type, "oauth2");
  EXPECT_EQ(get.parameters[0].name, "id");
  EXPECT_TRUE(loaded.tools[1].auth.scopes.empty());
  EXPECT_TRUE(annotation_is_true(loaded.tools[1], "destructiveHint"));
  EXPECT_TRUE(is_truthy(loaded.tools[1].annotations.find("retryPolicy")));
}

TEST(OpenApiLoader, ParametersAndBodyAreOneSchema) {
  const Loaded loaded = openapi(kApi);
  EXPECT_EQ(
      wire::spaced_json(loaded.tools[2].input_schema),
      R"({"properties": {"amount": {"type": "number"}, "dry": {"type": "boolean"}}, "required": ["amount"], "type": "object"})");
}

TEST(OpenApiLoader, RecursiveAndExternalRefsStayAndAreWarnedAbout) {
  const Loaded loaded = openapi(kApi);
  EXPECT_EQ(
      wire::spaced_json(loaded.tools[0].output_schema),
      R"({"properties": {"far": {"$ref": "other.yaml#/X"}, "next": {"$ref": "#/components/schemas/Order", "x-agents-shipgate-recursive-ref": true}}, "type": "object"})");
  EXPECT_EQ(loaded.warnings.size(), 2u);
  EXPECT_TRUE(
      contains(loaded.warnings[0],
               "Unresolved OpenAPI $ref '#/components/schemas/Order' in tool 'get_orders_id'"));
}

TEST(OpenApiLoader, DeepAndWideSchemasAreCut) {
  std::string deep = "{type: object}";
  for (int i = 0; i < 40; ++i)
    deep = "{properties: {x: " + deep + "}}";
  const Loaded loaded =
      openapi("openapi: 3.1.0\npaths: {/a: {post: {requestBody: {content: {a/b: {schema: " + deep +
              "}}}}}}\n");
  EXPECT_TRUE(contains(wire::spaced_json(loaded.tools[0].input_schema), "max_depth"));
  std::string wide = "{properties: {";
  for (int i = 0; i < 5001; ++i)
    wide += (i > 0 ? ", p" : "p") + std::to_string(i) + ": {}";
  const Loaded many =
      openapi("openapi: 3.1.0\npaths: {/a: {post: {requestBody: {content: {a/b: {schema: " + wide +
              "}}}}}}}}\n");
  EXPECT_TRUE(contains(wire::spaced_json(many.tools[0].input_schema), "max_nodes"));
}

TEST(OpenApiLoader, RefusesOtherDocuments) {
  for (const auto& [yaml, what] :
       {std::pair{"a: 1", "OpenAPI 3"}, std::pair{"openapi: 3.0.0", "mapping of paths"},
        std::pair{"openapi: 3.0.0\npaths: {/a: 7}", "a path must be"},
        std::pair{"openapi: 3.0.0\npaths: {/a: {get: 7}}", "an operation must be"}}) {
    MemoryFiles files(FileMap{{"api.yaml", yaml}});
    const Error error = refused([&] { return load_openapi({"api", "api.yaml"}, files); });
    EXPECT_TRUE(contains(error.message, what)) << error.message;
    EXPECT_EQ(error.code, Code::yaml_invalid);
  }
}

// ------------------------------------------------------------------------------------------- APIs

TEST(OpenAiLoader, ReadsToolsSchemasFormatsAndRules) {
  MemoryFiles files(FileMap{
      {"t.json",
       R"([{"type":"function","function":{"name":"a","strict":true,"parameters":{"type":"object","properties":{"x":{}}}}},
                                    {"name":"b","properties":{"y":{}}}, {"name":" "}, {"name":"c","parameters":7}])"},
      {"s.json", R"({"parameters":{}})"},
      {"f.json",
       R"({"type":"json_schema","json_schema":{"name":"R","strict":true,"schema":{"type":"object"}}})"},
      {"r1.json", R"({"approval_required":["a"],"timeouts":{"a":1}})"},
      {"r2.json", R"({"approval_required":["a","b"],"timeouts":{"b":2}})"},
      {"p.md", "one"},
      {"q.html", "two"}});
  OpenAiBlock block;
  block.tools = {{.path = "t.json"}};
  block.function_schemas = {{.path = "s.json", .name = "named"}};
  block.response_formats = {{.path = "f.json"}};
  block.policy_rules = {{.path = "r1.json"}, {.path = "r2.json"}};
  block.prompt_files = {{.path = "p.md"}, {.path = "q.html"}};
  block.trace_samples = {{.path = "none.json", .optional = true}};
  const LoadedApi api = must(load_openai(block, files));
  EXPECT_EQ(names_of(api.loaded.tools), (Names{"a", "b", "named"}));
  EXPECT_EQ(api.loaded.tools[0].source_ref, "t.json#0");
  EXPECT_TRUE(annotation_is_true(api.loaded.tools[0], "openaiStrict"));
  EXPECT_EQ(api.loaded.tools[1].parameters[0].name, "y");
  EXPECT_EQ(api.artifacts.response_formats[0].name, "R");
  EXPECT_EQ(api.artifacts.rule_list("approval_required"), (Names{"a", "b"}));
  EXPECT_EQ(api.artifacts.operating("timeouts"), (Map{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(api.artifacts.prompt_text, "one\n\ntwo");
  EXPECT_EQ(api.loaded.warnings.size(), 6u);
}

// docs/reference/tool-surface.md, "Anthropic tool types".
TEST(AnthropicLoader, BuiltInToolsAreClassifiedByTheirType) {
  struct Row {
    std::string_view type;
    Names tags;
    bool is_tool, is_skipped;
  };
  const Row rows[] = {
      {"web_search_20250305", {}, false, true},
      {"code_execution_20250522", {}, false, true},
      {"web_fetch_1", {}, false, true},
      {"tool_search_1", {}, false, true},
      {"bash_20250124", {"code_execution", "destructive", "write"}, true, false},
      {"text_editor_20250124", {"destructive", "write"}, true, false},
      {"computer_20250124", {"code_execution", "destructive", "write"}, true, false},
      {"memory_20250818", {"write"}, true, false},
      {"custom", {}, true, false},
      {"something_new", {}, false, true}};
  for (const Row& row : rows) {
    MemoryFiles files(
        FileMap{{"t.json", "[{\"type\":\"" + std::string(row.type) + "\",\"name\":\"x\"}]"}});
    AnthropicBlock block;
    block.tools = {{.path = "t.json"}};
    const LoadedApi api = must(load_anthropic(block, files));
    EXPECT_EQ(api.loaded.tools.size(), row.is_tool ? 1u : 0u) << row.type;
    EXPECT_EQ(api.artifacts.skipped_server_tools.size(), row.is_skipped ? 1u : 0u) << row.type;
    if (row.is_tool) EXPECT_EQ(risk_tags(api.loaded.tools[0]), row.tags) << row.type;
  }
}

TEST(AnthropicLoader, AnEmptyFunctionIsAForeignFormToo) {
  MemoryFiles files(
      FileMap{{"t.json", R"([{"name":"f","function":{}},{"name":"g","function":"no object"}])"}});
  AnthropicBlock block;
  block.tools = {{.path = "t.json"}};
  const LoadedApi api = must(load_anthropic(block, files));
  ASSERT_EQ(api.loaded.tools.size(), 1u);
  EXPECT_EQ(api.loaded.tools[0].name, "g");
  EXPECT_EQ(api.loaded.warnings.size(), 1u);
}

TEST(AnthropicLoader, SkipsForeignFormsAndTakesConnectorsAsWildcards) {
  MemoryFiles files(FileMap{
      {"t.json", R"([{"function":{"name":"f"}}, {"input_schema":{}}, {"name":"p","parameters":{}},
      {"name":"q","input_schema":7}, {"name":"has space","input_schema":null}, {"type":"mcp_toolset","mcp_server_name":"srv"}])"}});
  AnthropicBlock block;
  block.tools = {{.path = "t.json"}};
  const LoadedApi api = must(load_anthropic(block, files));
  EXPECT_EQ(names_of(api.loaded.tools), (Names{"has space", "srv.*"}));
  EXPECT_TRUE(is_wildcard(api.loaded.tools[1]));
  EXPECT_EQ(api.loaded.warnings.size(), 5u);
}

// --------------------------------------------------------------------------- two lists of tools

Loaded exported(const std::string& json, const std::string& path = "t.json") {
  MemoryFiles files(FileMap{{path, json}});
  return must(load_mcp({.id = "s", .path = path}, files));
}

TEST(McpLoader, ReadsEveryListOfToolsThatAnExportHas) {
  const Loaded both =
      exported(R"({"tools":[{"name":"drop"}],"result":{"tools":[{"name":"get"}]}})");
  EXPECT_EQ(names_of(both.tools), (Names{"drop", "get"}));
  EXPECT_EQ(both.tools[0].place.pointer, "/tools/0");
  EXPECT_EQ(both.tools[1].place.pointer, "/result/tools/0");
  const Loaded pages = exported(
      R"([{"result":{"tools":[]},"tools":[{"name":"a"}]},{"name":"b"},{"result":{"tools":[{"name":"c"}]}}])");
  EXPECT_EQ(names_of(pages.tools), (Names{"a", "b", "c"}));
}

TEST(McpLoader, SaysWhatAnExportHidesBesideItsTools) {
  const std::pair<std::string, std::string> rows[] = {
      {R"({"tools":[{"name":"drop"}],"tools":[{"name":"get"}]})",
       "'t.json' has a key twice in one object; the last one counts, and 'tools' at 1:2 is not "
       "read."},
      {R"({"tools":[{"name":"drop","name":"get"}]})",
       "'t.json' has a key twice in one object; the last one counts, and 'name' at 1:12 is not "
       "read."},
      {R"({"tools":[{"name":"get"}],"result":{"tools":{"name":"drop"}}})",
       "MCP source 's' has tools at /result/tools that are not read"},
      {R"({"tools":[{"name":"get"}],"server":{"tools":[{"name":"drop"}]}})",
       "MCP source 's' has tools at /server/tools that are not read"},
  };
  for (const auto& [json, sentence] : rows) {
    const Loaded loaded = exported(json);
    EXPECT_EQ(names_of(loaded.tools), Names{"get"});
    EXPECT_EQ(loaded.warnings, Names{sentence});
  }
  EXPECT_EQ(exported("tools:\n- name: drop\ntools:\n- name: get\n", "t.yaml").warnings,
            Names{"'t.yaml' has a key twice in one object; the last one counts, and 'tools' at 1:1 "
                  "is not read."});
}

// ----------------------------------------------------------------------------------------- Python

Loaded sdk(const std::string& python) {
  MemoryFiles files(FileMap{{"a.py", python}});
  return must(load_agents_sdk({.id = "s", .type = "openai_agents_sdk", .path = "a.py"}, {}, files));
}

TEST(AgentsSdkLoader, ReadsDecoratedFunctions) {
  const Loaded loaded = sdk(R"(import agents
from agents import function_tool as ft
from typing import Optional

@ft
async def look(ctx, order_id: str, limit: int = 3, *, tags: list[str], note: Optional["str"] = None) -> dict:
    """Look up

    one order."""

@agents.function_tool(name_override="renamed", description_override='Told ' "here")
def other(): pass

@unrelated
def no_tool(x): pass
)");
  EXPECT_EQ(names_of(loaded.tools), (Names{"look", "renamed"}));
  const Tool& look = loaded.tools[0];
  EXPECT_EQ(look.description, "Look up\n\none order.");
  EXPECT_EQ(look.signature, "look(order_id, limit, tags, note) -> dict");
  EXPECT_EQ(look.source_location, "a.py:6");
  EXPECT_EQ(look.place.start_line, 6);
  EXPECT_EQ(look.place.end_line, 9);
  EXPECT_EQ(
      wire::spaced_json(look.input_schema),
      R"({"properties": {"limit": {"type": "number"}, "note": {"type": "string"}, "order_id": {"type": "string"}, "tags": {"type": "array"}}, "required": ["order_id", "tags"], "type": "object"})");
  EXPECT_EQ(look.parameters[3].type, "Optional['str']");
  EXPECT_EQ(wire::spaced_json(look.output_schema), R"({"type": "object"})");
  EXPECT_EQ(loaded.tools[1].description, "Told here");
}

TEST(AgentsSdkLoader, EverySpellingOfTheDecoratorCounts) {
  const std::pair<const char*, const char*> rows[] = {
      {"", "function_tool"},
      {"import agents\n", "agents.function_tool"},
      {"import openai_agents\n", "openai_agents.function_tool"},
      {"from agents.tool import function_tool\n", "function_tool"},
      {"import agents.decorators\n", "agents.decorators.function_tool"},
      {"from agents.decorators import tool\n", "tool(name_override=\"look\")"}};
  for (const auto& [import, decorator] : rows) {
    const Loaded loaded =
        sdk(fmt::format("{}@{}\ndef look(x: str) -> str:\n    return x\n", import, decorator));
    EXPECT_EQ(names_of(loaded.tools), Names{"look"}) << import << decorator;
  }
  EXPECT_TRUE(sdk("from other import tool\n@tool\ndef look(): pass\n").tools.empty());
}

TEST(AgentsSdkLoader, AMissingEntryIsAWarningAndBrokenPythonAnError) {
  MemoryFiles files(FileMap{{"bad.py", "def (:\n"}, {"utf.py", "\xFF"}});
  const ToolSource none{.id = "s", .type = "openai_agents_sdk"};
  EXPECT_EQ(must(load_agents_sdk(none, {}, files)).warnings,
            Names{"OpenAI Agents SDK source has no entrypoint"});
  const ToolSource gone{.id = "s", .type = "openai_agents_sdk", .path = "gone.py"};
  EXPECT_EQ(must(load_agents_sdk(gone, {}, files)).warnings.size(), 1u);
  for (const char* path : {"bad.py", "utf.py"}) {
    const ToolSource bad{.id = "s", .type = "openai_agents_sdk", .path = path};
    EXPECT_EQ(refused([&] { return load_agents_sdk(bad, {}, files); }).code,
              Code::input_unreadable);
  }
}

LoadedFramework chain(std::string_view type, const std::string& python) {
  MemoryFiles files(FileMap{{"a.py", python}});
  Manifest m;
  m.tool_sources = {{.id = "c", .type = std::string(type), .path = "a.py"}};
  return must(type == "langchain" ? load_langchain(m, files) : load_crewai(m, files));
}

// docs/reference/tool-surface.md, "Tools that are put together at run time".
TEST(LangChainLoader, SaysWhyAListCannotBeRead) {
  const std::string head =
      "from langchain.tools import tool\n@tool('n')\ndef f(x: int):\n  '''d'''\n";
  const std::pair<std::string, std::string> rows[] = {
      {"create_agent(m, tools=[f])\n", ""},
      {"all = [f]\ncreate_react_agent(m, all)\n", ""},
      {"ToolNode([f])\n", ""},
      {"m.bind_tools((f,))\n", ""},
      {"create_agent(m, tools=given)\n", "unresolved tool reference 'given'"},
      {"create_agent(m, tools=[t for t in f])\n", "tool list is built by a comprehension"},
      {"create_agent(m, tools=load())\n", "tool list comes from a runtime call"},
      {"create_agent(m, tools=[f, g()])\n",
       "tool list contains unresolved or inline tool expressions"},
      {"create_agent(m, tools=a + b)\n", "unsupported static tool expression BinOp"},
  };
  for (const auto& [line, reason] : rows) {
    const LoadedFramework loaded = chain("langchain", head + line);
    ASSERT_EQ(loaded.facts.dynamic.size(), reason.empty() ? 0u : 1u) << line;
    if (!reason.empty()) EXPECT_EQ(loaded.facts.dynamic[0].reason, reason);
    EXPECT_EQ(names_of(loaded.loaded.tools), Names{"n"});
  }
}

TEST(LangChainLoader, ModelsOfTheSameFileDescribeArguments) {
  const LoadedFramework loaded = chain("langchain", R"(from langchain_core.tools import tool
from pydantic import BaseModel, Field
class Args(BaseModel):
    amount: float = Field(..., ge=0, le=10.5, description="how much")
    note: str = Field()
    kind: str = "x"
    plain: int
@tool(args_schema=Args)
def pay(amount): pass
@tool(args_schema=Elsewhere)
def other(x): pass
)");
  const Tool& pay = loaded.loaded.tools[0];
  EXPECT_EQ(
      wire::spaced_json(pay.input_schema),
      R"({"properties": {"amount": {"description": "how much", "maximum": 10.5, "minimum": 0, "type": "number"}, "kind": {"type": "string"}, "note": {"type": "string"}, "plain": {"type": "number"}}, "required": ["amount", "plain"], "type": "object"})");
  ASSERT_EQ(loaded.facts.dynamic.size(), 1u);
  EXPECT_EQ(loaded.facts.dynamic[0].kind, "args_schema");
}

TEST(CrewAiLoader, ReadsFunctionsClassesAndPrebuiltTools) {
  const LoadedFramework loaded = chain("crewai", R"(from crewai.tools import BaseTool, tool
from crewai_tools import SerperDevTool
from pydantic import Field
@tool("search")
def search(q: str) -> str:
    """Search."""
class Pay(BaseTool):
    name: str = "pay"
    description: str = Field(default="Pays.")
    def _run(self, amount: float) -> str: pass
pay = Pay()
serper = SerperDevTool()
a = Agent(role='r', tools=[search, pay, serper])
Crew(agents=[a])
)");
  EXPECT_EQ(names_of(loaded.loaded.tools), (Names{"search", "pay", "SerperDevTool"}));
  EXPECT_EQ(loaded.loaded.tools[1].description, "Pays.");
  EXPECT_EQ(loaded.loaded.tools[2].confidence, Confidence::low);
  EXPECT_TRUE(loaded.facts.dynamic.empty());
  EXPECT_EQ(Peek(loaded.facts.counts.find("crew_count")).number(), 1);
  EXPECT_EQ(loaded.facts.warnings.size(), 1u);
}

// --------------------------------------------------------------------------------------- merging

TEST(Merging, TheHigherPriorityStaysAndTakesOverWhatTheOtherAdds) {
  Tool low = make_tool("sdk_function", "a"), high_one = make_tool("mcp", "a");
  low.source_id = "sdk";
  low.owner = "team";
  low.annotations = {{"x", 1}, {"y", 1}};
  low.auth.scopes = {"s", "t"};
  high_one.source_id = "export";
  high_one.annotations = {{"x", 2}};
  high_one.auth.scopes = {"s"};
  Names warnings;
  const auto tools = without_duplicates({low, high_one}, warnings);
  ASSERT_EQ(tools.size(), 1u);
  EXPECT_EQ(tools[0].source_type, "mcp");
  EXPECT_EQ(tools[0].owner, "team");
  EXPECT_EQ(tools[0].annotations, (Map{{"x", 2}, {"y", 1}}));
  EXPECT_EQ(tools[0].auth.scopes, (Names{"s", "t"}));
  EXPECT_EQ(warnings, Names{"Duplicate tool name 'a'; kept mcp source 'export' and merged metadata "
                            "from sdk_function source 'sdk'."});
}

TEST(Surface, AnOptionalSourceThatFailsIsAWarning) {
  const auto manifest = read_manifest(
      "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [x]}\n"
      "environment: {target: local}\ntool_sources: [{id: c, type: mcp, path: gone.json, optional: "
      "true}]\n",
      "shipgate.yaml");
  ASSERT_TRUE(manifest);
  MemoryFiles files(FileMap{{"x", ""}});
  EXPECT_EQ(must(load_surface(*manifest, files)).warnings,
            Names{"Optional source c failed to load"});
}

}  // namespace
}  // namespace gh::surface
