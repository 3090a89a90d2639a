// Loaders of Google ADK, n8n, Codex, Conductor and MCP server source: a valid, a partial, a
// malformed and a hostile input each (docs/reference/tool-surface.md).
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"
#include "surface/memory_files.h"
#include "surface/n8n_workflow.h"
#include "surface/surface.h"

namespace gh::surface {
namespace {

using FileMap = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

const std::string kHead =
    "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [help people]}\n"
    "environment: {target: local}\n";

std::string source(const std::string& type, const std::string& path, const std::string& more = "") {
  return kHead + "tool_sources: [{id: s, type: " + type + ", path: " + path + more + "}]\n";
}

Result<Surface> surface_of(const std::string& manifest, FileMap files) {
  const auto read = read_manifest(manifest, "shipgate.yaml");
  EXPECT_TRUE(read) << read.error().message;
  MemoryFiles memory(std::move(files));
  return load_surface(*read, memory);
}

Surface loaded(const std::string& manifest, FileMap files) {
  auto out = surface_of(manifest, std::move(files));
  EXPECT_TRUE(out) << out.error().message;
  return out ? std::move(*out) : Surface{};
}

std::string refusal(const std::string& manifest, FileMap files) {
  const auto out = surface_of(manifest, std::move(files));
  EXPECT_FALSE(out);
  return out ? "" : out.error().message;
}

Names names_of(const Surface& s) {
  Names out;
  for (const Tool& tool : s.tools)
    out.push_back(tool.name);
  return out;
}

bool warns(const Surface& s, std::string_view part) {
  for (const std::string& warning : s.warnings)
    if (contains(warning, part)) return true;
  return false;
}

/// 300 levels of a list.
std::string deep() { return std::string(300, '[') + std::string(300, ']'); }

// --------------------------------------------------------------------------------------------- ADK

constexpr const char* kAgent = R"(from google.adk.agents import LlmAgent as Root
from google.adk.tools import LongRunningFunctionTool, FunctionTool
from google.adk.tools.openapi_tool import OpenAPIToolset

def find(order: str, tool_context, options: dict[str, str], ids: set[str]) -> dict:
    """Finds an order."""

def export(day: str) -> dict:
    """Exports a day."""

slow = LongRunningFunctionTool(func=export)
api = OpenAPIToolset(spec_str=open("api.yaml").read())
EVAL_FILES = ["evals/one.json", "evals/gone.json"]
root = Root(
    name="root",
    instruction="Help with orders.",
    tools=[find, slow, api, unknown_thing],
    before_tool_callback=check,
    after_model_callback=None,
    sub_agents=[one, two],
)
)";

TEST(AdkLoader, ReadsAgentsFunctionsToolsetsAndGuardrailsOfPython) {
  const Surface s =
      loaded(source("google_adk", "bot"),
             {{"bot/agent.py", kAgent},
              {"bot/api.yaml", "openapi: 3.0.0\npaths: {/x: {get: {operationId: look}}}\n"},
              {"bot/evals/one.json", "{}"}});
  EXPECT_EQ(names_of(s), (Names{"find", "export", "look"}));
  const Tool& find = s.tools[0];
  EXPECT_EQ(find.source_type, "google_adk_function");
  EXPECT_EQ(find.description, "Finds an order.");
  ASSERT_EQ(find.parameters.size(), 3u);  // tool_context is not the model's
  const Peek properties = Peek(find.input_schema.find("properties"));
  EXPECT_EQ(properties["options"]["type"].text(), "object");
  EXPECT_EQ(properties["ids"]["type"].text(), "string");  // ADK knows fewer names
  EXPECT_EQ(find.source_location, "bot/agent.py:5");
  EXPECT_EQ(Peek(find.annotations.find("adk_agent_name")).text(), "root");
  EXPECT_TRUE(annotation_is_true(s.tools[1], "long_running"));
  EXPECT_EQ(Peek(s.tools[2].annotations.find("adk_toolset")).text(), "OpenAPIToolset");
  EXPECT_EQ(s.tools[2].source_id, "s:openapi:1");
  ASSERT_TRUE(s.adk);
  EXPECT_EQ(s.adk->callbacks, 1);
  EXPECT_EQ(s.adk->eval_files, Names{"bot/evals/one.json"});
  EXPECT_EQ(Peek(s.adk->facts.counts.find("sub_agent_count")).number(), 2);
  EXPECT_EQ(s.instructions.preview, "Help with orders.");
  EXPECT_EQ(s.instructions.source, "google_adk_static");
  EXPECT_TRUE(warns(s, "unknown_thing"));
  EXPECT_TRUE(warns(s, "evals/gone.json"));
}

TEST(AdkLoader, AFunctionOfTwoAgentsIsOneToolAndAMadeFilterIsNone) {
  const Surface s = loaded(source("google_adk", "a.py"),
                           {{"a.py",
                             "def find(x: str):\n    'Finds it.'\n"
                             "Agent(name='x', tools=[find])\nAgent(name='y', tools=[find])\n"
                             "Agent(tools=[McpToolset(tool_filter=allowed('a'))])\n"}});
  EXPECT_EQ(names_of(s), Names{"find"});
  EXPECT_EQ(Peek(s.adk->facts.counts.find("function_tool_count")).number(), 1);
  ASSERT_EQ(s.adk->toolsets.size(), 1u);
  EXPECT_EQ(s.adk->toolsets[0].filtered, false);
}

TEST(AdkLoader, WhatIsNoLiteralListIsADynamicToolset) {
  const Surface s =
      loaded(source("google_adk", "a.py"), {{"a.py",
                                             "Agent(name='x', tools=make_tools())\n"
                                             "Agent(tools=[MCPToolset(tool_filter=['a'])])\n"}});
  ASSERT_EQ(s.adk->toolsets.size(), 2u);
  EXPECT_EQ(s.adk->toolsets[0].kind, "dynamic");
  EXPECT_TRUE(s.adk->toolsets[0].dynamic);
  EXPECT_EQ(s.adk->toolsets[1].kind, "mcp");
  EXPECT_EQ(s.adk->toolsets[1].agent_name, "adk_agent");
  EXPECT_EQ(s.adk->toolsets[1].filtered, true);
  EXPECT_FALSE(s.adk->toolsets[1].resolved);
}

TEST(AdkLoader, ReadsAgentConfigsAndThoseOfSubAgentsOnce) {
  const Surface s = loaded(
      source("google_adk", "c/root.yaml"),
      {{"c/root.yaml",
        "name: root\ninstruction: Help.\ntools:\n  - google_search\n  - {name: my.tools.pay, args: "
        "[{name: description, value: Pays an invoice.}]}\n  - {name: McpToolset, args: "
        "{inventory_path: t.json, tool_filter: [look]}}\nsub_agents: [{config_path: "
        "sub.yaml}]\nbefore_model_callbacks: [x]\neval_set: e.json\n"},
       {"c/sub.yaml", "name: sub\ntools: [exit_loop]\nsub_agents: [{config_path: root.yaml}]\n"},
       {"c/t.json", R"([{"name":"look"}])"},
       {"c/e.json", "[]"}});
  EXPECT_EQ(names_of(s), (Names{"google_search", "pay", "look", "exit_loop"}));
  EXPECT_EQ(s.tools[1].id, "tool:my.tools.pay");
  EXPECT_EQ(s.tools[1].description, "Pays an invoice.");
  EXPECT_EQ(s.tools[1].source_location, "c/root.yaml#/tools/1");
  EXPECT_EQ(s.tools[1].place.start_line, 5);
  EXPECT_EQ(s.tools[0].description, "Google ADK tool reference: google_search");
  EXPECT_EQ(s.tools[2].source_type, "google_adk_inventory");
  EXPECT_EQ(s.adk->agents, 2);
  EXPECT_EQ(s.adk->callbacks, 1);
  EXPECT_EQ(s.adk->eval_files.size(), 1u);
}

TEST(AdkLoader, RefusesWhatItCannotRead) {
  EXPECT_TRUE(contains(refusal(source("google_adk", "d"), {{"d/x.py", ""}}), "no such file"));
  EXPECT_TRUE(contains(refusal(source("google_adk", "a.py"), {{"a.py", "def ("}}), "a.py:1"));
  EXPECT_TRUE(contains(refusal(source("google_adk", "a.yaml"), {{"a.yaml", "[]"}}), "an object"));
  EXPECT_TRUE(contains(
      refusal(source("google_adk", "b/a.yaml"),
              {{"b/a.yaml", "sub_agents: [{config_path: ../x.yaml}]"}, {"x.yaml", "name: x"}}),
      "resolves outside"));
  EXPECT_FALSE(refusal(source("google_adk", "a.json"), {{"a.json", deep()}}).empty());
  EXPECT_FALSE(refusal(source("google_adk", "a.py"), {{"a.py", "x = '\xff'"}}).empty());
}

TEST(AdkLoader, AnOptionalEntryThatFailsIsAWarning) {
  const Surface s = loaded(kHead +
                               "google_adk:\n  python_entrypoints: [{path: a.py, optional: true}]\n"
                               "  tool_inventories: [t.json]\n",
                           {{"t.json", R"([{"name":"look"}])"}});
  EXPECT_TRUE(warns(s, "Optional Google ADK python entrypoint artifact 'a.py' failed to load."));
  EXPECT_EQ(names_of(s), Names{"look"});
  EXPECT_TRUE(s.adk->facts.has_inventory);
}

// --------------------------------------------------------------------------------------------- n8n

// docs/reference/tool-surface.md: kinds of n8n nodes, typed out again.
TEST(N8nKinds, AreReadFromTheTypeInOrder) {
  const std::pair<std::string_view, N8nKind> rows[] = {
      {"@n8n/n8n-nodes-langchain.mcpTrigger", N8nKind::mcp_server_trigger},
      {"@n8n/n8n-nodes-langchain.mcpClientTool", N8nKind::mcp_client_tool},
      {"x.toolMcp", N8nKind::mcp_client_tool},
      {"@n8n/n8n-nodes-langchain.toolWorkflow", N8nKind::workflow_tool},
      {"@n8n/n8n-nodes-langchain.toolCode", N8nKind::code_tool},
      {"n8n-nodes-base.code", N8nKind::code_tool},
      {"n8n-nodes-base.function", N8nKind::code_tool},
      {"@n8n/n8n-nodes-langchain.toolHttpRequest", N8nKind::http_tool},
      {"n8n-nodes-base.httpRequest", N8nKind::http_tool},
      {"@n8n/n8n-nodes-langchain.agent", N8nKind::ai_agent},
      {"n8n-nodes-base.webhook", N8nKind::ingress},
      {"@n8n/n8n-nodes-langchain.chatTrigger", N8nKind::ingress},
      {"n8n-nodes-base.manualTrigger", N8nKind::ingress},
      {"n8n-nodes-base.formTrigger", N8nKind::ingress},
      {"@n8n/n8n-nodes-langchain.toolWikipedia", N8nKind::ai_tool},
      {"n8n-nodes-base.gmailTool", N8nKind::unknown},
  };
  for (const auto& [type, kind] : rows)
    EXPECT_EQ(n8n_kind(type), kind) << type;
}

TEST(N8nArguments, AreFoundInAnyQuotes) {
  const auto found = from_ai_arguments(
      R"(={{ $fromAI('to', `who gets it`, 'string') }} $fromAI("n","",'number') $fromAI( x ) $fromAI('it\'s)");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], (N8nArgument{"to", "who gets it", "string"}));
  EXPECT_EQ(found[1], (N8nArgument{"n", "", "number"}));
}

constexpr const char* kFlow = R"({
  "id": "flow", "active": true,
  "nodes": [
    {"name": "Pay", "id": "n1", "type": "@n8n/n8n-nodes-langchain.toolHttpRequest", "retryOnFail": true, "maxTries": 3,
     "parameters": {"method": "POST", "url": "https://x", "toolDescription": "Pays an invoice.",
                    "body": "={{ $fromAI('amount','how much','number') }}"},
     "credentials": {"stripeApi": {"id": "1"}}},
    {"name": "Code", "id": "n2", "type": "@n8n/n8n-nodes-langchain.toolCode", "parameters": {"jsCode": "return 1"}},
    {"name": "Off", "id": "n3", "type": "@n8n/n8n-nodes-langchain.toolCode", "disabled": true, "parameters": {}},
    {"name": "All", "id": "n4", "type": "@n8n/n8n-nodes-langchain.mcpClientTool", "parameters": {"toolSelection": "all"}},
    {"name": "Agent", "id": "n5", "type": "@n8n/n8n-nodes-langchain.agent", "parameters": {}},
    {"name": "Server", "id": "n6", "type": "@n8n/n8n-nodes-langchain.mcpTrigger", "parameters": {}}
  ],
  "connections": {
    "Pay": {"ai_tool": [[{"node": "Agent"}, {"node": "Server"}]]},
    "Code": {"ai_tool": [[{"node": "Agent"}]]},
    "Off": {"ai_tool": [[{"node": "Agent"}]]},
    "All": {"ai_tool": [[{"node": "Agent"}]]}
  },
  "pinData": {"Pay": [{"token": "AKIAABCDEFGHIJKLMNOP"}]}
})";

TEST(N8nLoader, ReadsToolsOfAgentsAndTriggers) {
  const Surface s = loaded(kHead + "n8n: {workflows: [flow.json]}\n", {{"flow.json", kFlow}});
  EXPECT_EQ(names_of(s), (Names{"Pay", "Pay", "Code", "All.*"}));
  const Tool& pay = s.tools[0];
  EXPECT_EQ(pay.id, "tool:flow.json#flow:n8n_http_tool:Pay");
  EXPECT_EQ(pay.source_type, "n8n_http_tool");
  EXPECT_EQ(pay.place.pointer, "/nodes/0");
  EXPECT_EQ(pay.place.start_line, 4);
  EXPECT_EQ(pay.source_ref, "flow.json#/nodes/n1");
  EXPECT_EQ(pay.auth.scopes, Names{"n8n:stripeApi"});
  ASSERT_EQ(pay.parameters.size(), 1u);
  EXPECT_EQ(pay.parameters[0].name, "amount");
  EXPECT_EQ(pay.parameters[0].type, "number");
  EXPECT_TRUE(pay.parameters[0].required);
  EXPECT_TRUE(has(pay, {"financial_action"}));
  EXPECT_TRUE(has(pay, {"external_write"}));
  EXPECT_EQ(Peek(pay.annotations.find("retryPolicy"))["maxTries"].number(), 3);
  EXPECT_EQ(s.tools[1].source_type, "mcp");
  EXPECT_EQ(s.tools[1].confidence, Confidence::medium);
  EXPECT_EQ(Peek(s.tools[1].annotations.find("exposed_by")).text(), "n8n_mcp_server_trigger");
  EXPECT_EQ(best(s.tools[2], {"code_execution"}), Confidence::high);
  EXPECT_TRUE(is_wildcard(s.tools[3]));
  ASSERT_EQ(s.n8n->clients.size(), 1u);
  ASSERT_EQ(s.n8n->secrets.size(), 1u);
  EXPECT_EQ(s.n8n->secrets[0].place.pointer, "/pinData/Pay/0/token");
  for (const std::string& warning : s.warnings)
    EXPECT_FALSE(contains(warning, "AKIA")) << warning;
}

TEST(N8nLoader, AFolderMayHoldOtherFilesAndAnInactiveWorkflowHasNoTools) {
  std::string inactive = kFlow;
  inactive.replace(inactive.find("true"), 4, "false");
  const Surface s =
      loaded(kHead + "n8n: {workflows: [flows]}\n",
             {{"flows/a.json", inactive},
              {"flows/deep/package.json", R"({"name":"x"})"},
              {"flows/c.json", R"({"nodes":[{"type":"me.tool"}],"connections":{}})"}});
  EXPECT_TRUE(s.tools.empty());
  EXPECT_EQ(s.n8n->workflows, 1);
  EXPECT_EQ(s.n8n->secrets.size(), 1u);
  EXPECT_TRUE(warns(s, "is inactive"));
  EXPECT_TRUE(warns(s, "community nodes only"));
}

TEST(N8nLoader, AToolOfACommunityPackageIsNotEnumerableWhateverItsPackageIsCalled) {
  const auto flow = [](const std::string& type) {
    return R"({"versionId":"1","nodes":[{"name":"T","id":"t","type":")" + type +
           R"("},{"name":"A","id":"a","type":"@n8n/n8n-nodes-langchain.agent"}],
              "connections":{"T":{"ai_tool":[[{"node":"A"}]]}}})";
  };
  const auto is_dynamic = [&](const std::string& type) {
    return warns(loaded(kHead + "n8n: {workflows: [f.json]}\n", {{"f.json", flow(type)}}),
                 "n8n community_tool at ");
  };
  EXPECT_TRUE(is_dynamic("n8n-nodes-acme.acmeTool"));
  EXPECT_TRUE(is_dynamic("@acme/n8n-nodes-acme.acmeTool"));
  EXPECT_FALSE(is_dynamic("n8n-nodes-base.gmailTool"));
  EXPECT_FALSE(is_dynamic("@n8n/n8n-nodes-langchain.toolWikipedia"));
}

TEST(Sources, APathThatLeadsOutIsRefusedAlsoWhereItIsOptional) {
  for (const char* type : {"mcp", "openapi", "google_adk", "langchain", "crewai"})
    EXPECT_TRUE(contains(refusal(source(type, "../t.json", ", optional: true"), {}),
                         "resolves outside manifest directory"))
        << type;
  for (const char* block : {"openai_api: {tools: [{path: ../t.json, optional: true}]}\n",
                            "anthropic: {tools: [{path: ../t.json, optional: true}]}\n",
                            "n8n: {workflows: [{path: ../w.json, optional: true}]}\n"})
    EXPECT_TRUE(contains(refusal(kHead + block, {}), "resolves outside manifest directory"))
        << block;
  EXPECT_TRUE(warns(loaded(source("mcp", "t.json", ", optional: true"), {}),
                    "Optional source s failed to load"));
}

TEST(Sources, ABrokenLineOfJsonLinesIsNamedWhereItStands) {
  const std::string lines = "{\"tool_name\": \"f\"}\n\n{\"a\": x}\n";
  EXPECT_TRUE(refusal(kHead + "openai_api: {trace_samples: [a.jsonl]}\n", {{"a.jsonl", lines}})
                  .starts_with("a.jsonl:3:"));
  EXPECT_TRUE(refusal(kHead + "google_adk: {eval_sets: [a.jsonl]}\n", {{"a.jsonl", lines}})
                  .starts_with("a.jsonl:3:"));
}

TEST(N8nLoader, OfEqualNamesTheLastNodeCountsAndNamedToolsAreNoWildcard) {
  const Surface s = loaded(kHead + "n8n: {workflows: [f.json]}\n", {{"f.json", R"({"versionId": "1",
    "nodes": [
      {"name": "T", "id": "old", "type": "n8n-nodes-base.code", "parameters": {"jsCode": "1"}},
      {"name": "T", "id": "new", "type": "@n8n/n8n-nodes-langchain.toolWikipedia"},
      {"name": "M", "id": "m", "type": "@n8n/n8n-nodes-langchain.mcpClientTool",
       "parameters": {"toolSelection": "all_except", "includeTools": ["b", "a"]}},
      {"name": "A", "id": "a", "type": "@n8n/n8n-nodes-langchain.agent"}],
    "connections": {"T": {"ai_tool": [[{"node": "A"}]]}, "M": {"ai_tool": [[{"node": "A"}]]}}})"}});
  EXPECT_EQ(names_of(s), (Names{"T", "a", "b"}));
  EXPECT_EQ(s.tools[0].source_type, "n8n_ai_tool");
  EXPECT_FALSE(is_wildcard(s.tools[1]));
  EXPECT_EQ(Peek(s.tools[1].annotations.find("tool_selection_mode")).text(), "all_except");
  EXPECT_TRUE(warns(s, "several nodes named 'T'"));
}

std::string flow_of(const std::string& type, const std::string& parameters) {
  return R"({"versionId": "1", "nodes": [{"name": "T", "id": "t", "type": "@n8n/n8n-nodes-langchain.)" +
         type + R"(", "parameters": )" + parameters +
         R"(}, {"name": "A", "id": "a", "type": "@n8n/n8n-nodes-langchain.agent"}],
    "connections": {"T": {"ai_tool": [[{"node": "A"}]]}}})";
}

TEST(N8nLoader, AMethodThatChangesSomethingIsEvidence) {
  const std::tuple<std::string, bool, bool> rows[] = {
      {"DELETE", true, true}, {"POST", false, true}, {"put", false, true},
      {"PATCH", false, true}, {"GET", false, false}, {"HEAD", false, false}};
  for (const auto& [method, destroys, writes] : rows)
    for (const char* key : {"method", "requestMethod"}) {
      const Surface s =
          loaded(kHead + "n8n: {workflows: [f.json]}\n",
                 {{"f.json", flow_of("toolHttpRequest", "{\"" + std::string(key) + "\": \"" +
                                                            method + "\", \"url\": \"u\"}")}});
      ASSERT_EQ(s.tools.size(), 1u);
      EXPECT_EQ(best(s.tools[0], {"destructive"}) == Confidence::high, destroys) << method;
      EXPECT_EQ(best(s.tools[0], {"write"}) == Confidence::high, writes) << method;
    }
  EXPECT_TRUE(warns(loaded(kHead + "n8n: {workflows: [f.json]}\n",
                           {{"f.json", flow_of("toolHttpRequest",
                                               R"({"method": "={{ $json.m }}", "url": "u"})")}}),
                    "HTTP method of n8n tool 'T'"));
}

// The parameters that n8n itself writes, and those of the contract.
TEST(N8nLoader, AClientThatTakesAllToolsSaysSoOrNothing) {
  const std::tuple<std::string, std::string, Names> rows[] = {
      {"{}", "all", {"T.*"}},
      {R"({"include": "all", "includeTools": ["a"]})", "all", {"T.*"}},
      {R"({"include": "except", "excludeTools": ["a"]})", "all_except", {"T.*"}},
      {R"({"include": "selected", "includeTools": ["b", "a"]})", "selected", {"a", "b"}},
      {R"({"includeTools": ["a"]})", "selected", {"a"}},
      {R"({"toolSelection": "all_except"})", "all_except", {"T.*"}},
      {R"({"toolSelection": "={{ $json.x }}"})", "unknown", {"T"}},
  };
  for (const auto& [parameters, mode, names] : rows) {
    const Surface s = loaded(kHead + "n8n: {workflows: [f.json]}\n",
                             {{"f.json", flow_of("mcpClientTool", parameters)}});
    EXPECT_EQ(names_of(s), names) << parameters;
    EXPECT_EQ(Peek(s.tools[0].annotations.find("tool_selection_mode")).text(), mode) << parameters;
    EXPECT_EQ(s.n8n->clients.size(), mode.starts_with("all") ? 1u : 0u) << parameters;
  }
}

TEST(N8nLoader, AnInventoryExcusesWildcards) {
  const Surface s = loaded(kHead + "n8n: {workflows: [flow.json], tool_inventories: [t.json]}\n",
                           {{"flow.json", kFlow}, {"t.json", R"([{"name":"look"}])"}});
  EXPECT_TRUE(s.n8n->dynamic.empty());
  EXPECT_EQ(s.tools.back().source_type, "n8n_inventory");
}

TEST(N8nLoader, RefusesNamedFilesThatAreNoWorkflows) {
  const std::string manifest = kHead + "n8n: {workflows: [w.json]}\n";
  EXPECT_TRUE(contains(refusal(manifest, {{"w.json", R"({"nodes":[]})"}}), "is no n8n workflow"));
  EXPECT_TRUE(contains(refusal(manifest, {{"w.json", "{"}}), "w.json:"));
  EXPECT_FALSE(refusal(manifest, {{"w.json", deep()}}).empty());
  EXPECT_FALSE(refusal(manifest, {{"w.json", std::string(kMaxInputFile + 1, ' ')}}).empty());
  EXPECT_TRUE(contains(refusal(kHead + "n8n: {workflows: [../w.json]}\n", {}), "resolves outside"));
}

// ------------------------------------------------------------------------------------------- Codex

FileMap plugin(FileMap more = {}) {
  more["plug/.codex-plugin/plugin.json"] =
      R"({"name":"plug","version":"1.0.0","description":"d","skills":"./skills","hooks":["h.json"]})";
  more["plug/h.json"] = R"({"hooks":[{"run":"make","deep":{"command":"rm -r x"}}]})";
  more["plug/skills/one/SKILL.md"] = "---\nname: one\ndescription: Does one thing.\n---\ntext\n";
  more["plug/.mcp.json"] = R"({"mcpServers":{"db":{"command":"npx","args":["x"]}}})";
  more["plug/.app.json"] = R"({"apps":{"mail":{"id":"c1"}}})";
  return more;
}

TEST(CodexLoader, ReadsAPluginWithItsComponentsAndInventories) {
  const Surface s = loaded(
      source("codex_plugin", "plug") +
          "codex_plugins: {mcp_tool_inventories: [{plugin: plug, server: db, path: t.json}]}\n",
      plugin({{"t.json", R"([{"name":"query"}])"}}));
  EXPECT_EQ(names_of(s), Names{"query"});
  EXPECT_EQ(s.tools[0].source_type, "codex_plugin_mcp_inventory");
  EXPECT_EQ(s.tools[0].source_id, "codex_plugin:plug/db:inventory");
  ASSERT_TRUE(s.codex);
  const Value codex(document_of(*s.codex));
  EXPECT_EQ(Peek(codex)["plugin_count"].number(), 1);
  EXPECT_EQ(Peek(codex)["skill_count"].number(), 1);
  EXPECT_EQ(Peek(codex)["hook_stub_count"].number(), 2);
  EXPECT_TRUE(Peek(codex.as_map()->find("mcp_server_stubs")->as_list()->at(0))["inventory_loaded"]
                  .is_true());
  EXPECT_EQ(Peek(s.codex->apps[0].find("connector_id")).text(), "c1");
  EXPECT_EQ(Peek(s.codex->plugins[0].find("source_id")).text(), "codex_plugin:s/plug");
  EXPECT_TRUE(s.codex->path_issues.empty());
  EXPECT_TRUE(s.warnings.empty());
}

TEST(CodexLoader, ComponentsThatStandInTheManifestItselfAreRead) {
  const Surface s = loaded(source("codex_plugin", "plug"),
                           {{"plug/.codex-plugin/plugin.json",
                             "{\"name\": \"plug\", \"version\": \"1\", \"description\": \"d\",\n"
                             " \"hooks\": {\"PostToolUse\": [{\"hooks\": [{\"type\": \"command\", "
                             "\"command\": \"./x.sh\"}]}]},\n"
                             " \"apps\": {\"drive\": {\"id\": \"c1\"}}}"}});
  const Value codex(document_of(*s.codex));
  EXPECT_EQ(Peek(codex)["hook_stub_count"].number(), 1);
  EXPECT_EQ(Peek(codex)["app_count"].number(), 1);
  const Value hook(s.codex->hooks.at(0)), app(s.codex->apps.at(0));
  EXPECT_EQ(Peek(hook)["command"].text(), "./x.sh");
  EXPECT_EQ(Peek(hook)["location"]["source_pointer"].text(),
            "/hooks/PostToolUse/0/hooks/0/command");
  EXPECT_EQ(Peek(hook)["location"]["source_start_line"].number(), 2);
  EXPECT_EQ(Peek(app)["connector_id"].text(), "c1");
  EXPECT_EQ(Peek(app)["location"]["source_path"].text(), "plug/.codex-plugin/plugin.json");
  EXPECT_EQ(Peek(app)["location"]["source_start_line"].number(), 3);
  EXPECT_TRUE(s.warnings.empty());
}

TEST(CodexLoader, AKeyThatNamesNothingLeavesTheUsualFile) {
  const auto servers = [](const std::string& key) {
    return loaded(source("codex_plugin", "plug"),
                  {{"plug/.codex-plugin/plugin.json",
                    R"({"name":"plug","version":"1","description":"d","mcpServers":)" + key + "}"},
                   {"plug/.mcp.json", R"({"mcpServers":{"db":{"command":"x"}}})"}})
        .codex->servers.size();
  };
  for (const char* key : {"[]", "\"\"", "null", "{}"})
    EXPECT_EQ(servers(key), 1u) << key;
  EXPECT_EQ(servers(R"({"a":{},"b":{}})"), 2u);
}

TEST(CodexLoader, TellsPathsThatLeadElsewhere) {
  const Surface s = loaded(
      source("codex_plugin", "plug"),
      {{"plug/.codex-plugin/plugin.json",
        R"({"name":"other","version":"1","description":"d","hooks":["gone.json","../x.json","../../y.json"]})"},
       {"x.json", "{}"}});
  ASSERT_EQ(s.codex->path_issues.size(), 3u);
  EXPECT_EQ(Peek(s.codex->path_issues[0].find("reason")).text(), "missing");
  EXPECT_TRUE(contains(Peek(s.codex->path_issues[1].find("reason")).text(), "plugin root"));
  EXPECT_EQ(Peek(s.codex->path_issues[2].find("reason")).text(), "outside_manifest_dir");
  EXPECT_TRUE(Peek(s.codex->plugins[0].find("name_mismatch")).is_true());
}

TEST(CodexLoader, AMarketplaceFollowsLocalEntriesOnly) {
  const Surface s = loaded(
      source("codex_plugin", "m.json", ", mode: marketplace"),
      plugin(
          {{"m.json",
            R"({"name":"m","plugins":[{"name":"plug","category":"c","policy":{"installation":"a","authentication":"b"},"source":{"source":"local","path":"./plug"}},{"name":"far","source":{"source":"git"}},{"source":{}}]})"}}));
  ASSERT_EQ(s.codex->plugins.size(), 1u);
  EXPECT_EQ(Peek(s.codex->plugins[0].find("marketplace")).text(), "m");
  const Map& m = s.codex->marketplaces.at(0);
  EXPECT_EQ(Peek(m.find("skipped_entries")).list().size(), 2u);
  EXPECT_EQ(Peek(m.find("missing_policy_entries")).list().size(), 1u);
}

TEST(CodexLoader, RefusesWhatIsNoPlugin) {
  EXPECT_FALSE(refusal(source("codex_plugin", "plug"), {{"plug/x", ""}}).empty());
  EXPECT_FALSE(
      refusal(source("codex_plugin", "plug"), {{"plug/.codex-plugin/plugin.json", "["}}).empty());
  EXPECT_FALSE(refusal(source("codex_plugin", "plug"), {{"plug/.codex-plugin/plugin.json", deep()}})
                   .empty());
  EXPECT_TRUE(contains(refusal(source("codex_plugin", "../plug"), {}), "resolves outside"));
}

TEST(CodexConfigLoader, TellsTheBoundaryAndNoTools) {
  const Surface s = loaded(source("codex_config", ".") + "",
                           {{".codex/config.toml",
                             "sandbox_mode = \"workspace-write\"\napproval_policy = \"never\"\n"
                             "[sandbox_workspace_write]\nnetwork_access = true\n"
                             "[mcp_servers.db]\ncommand = \"x\"\n"},
                            {".codex/hooks.json", R"({"hooks":[{"command":"make"}]})"},
                            {"AGENTS.md", "Be kind."}});
  EXPECT_TRUE(s.tools.empty());
  ASSERT_TRUE(s.codex_config);
  const Value& facts = Peek(s.codex_config->find("sources")).list().at(0);
  EXPECT_EQ(Peek(facts)["sandbox_mode"].text(), "workspace-write");
  EXPECT_EQ(Peek(facts)["approval_policy"].text(), "never");
  EXPECT_TRUE(Peek(facts)["network_access"].is_true());
  EXPECT_EQ(Peek(facts)["hook_command_count"].number(), 1);
  EXPECT_EQ(Peek(facts)["mcp_servers"].list().size(), 1u);
  EXPECT_EQ(Peek(facts)["files"].list().size(), 3u);
}

TEST(CodexConfigLoader, RefusesBrokenAndMissingFiles) {
  EXPECT_FALSE(refusal(source("codex_config", "."), {{"x", ""}}).empty());
  EXPECT_TRUE(contains(refusal(source("codex_config", "."), {{".codex/config.toml", "a = = 1"}}),
                       ".codex/config.toml:1"));
}

// --------------------------------------------------------------------------------------- Conductor

constexpr const char* kConductor = R"({"name": "w", "schemaVersion": 2, "tasks": [
  {"name": "a", "taskReferenceName": "a1", "type": "CALL_MCP_TOOL", "description": "Finds an order.",
   "inputParameters": {"mcpServer": "http://x", "method": "find_order", "arguments": {"id": "${workflow.input.id}"}}},
  {"name": "s", "type": "SWITCH", "decisionCases": {"yes": [
    {"name": "b", "type": "CALL_MCP_TOOL", "inputParameters": {"mcpServer": "s", "method": "${x}"}}]},
   "defaultCase": [{"name": "h", "type": "HUMAN"}]},
  {"name": "c", "type": "HTTP"},
  {"name": "d", "type": "SUB_WORKFLOW", "subWorkflowParam": {"name": "w"}},
  {"name": "e", "type": "SUB_WORKFLOW", "subWorkflowParam": {"name": "elsewhere"}},
  {"name": "f", "type": "DYNAMIC"}]})";

TEST(ConductorLoader, ReadsCallsInBranchesAndTellsWhatIsDynamic) {
  const Surface s = loaded(source("conductor", "w.json"), {{"w.json", kConductor}});
  EXPECT_EQ(names_of(s), Names{"find_order"});
  EXPECT_EQ(s.tools[0].source_type, "conductor_mcp_call");
  EXPECT_EQ(s.tools[0].place.pointer, "/tasks/0");
  EXPECT_EQ(s.tools[0].place.start_line, 2);
  EXPECT_EQ(s.tools[0].parameters.at(0).name, "id");
  Names kinds;
  for (const auto& d : s.conductor->dynamic)
    kinds.push_back(d.kind);
  EXPECT_EQ(kinds, (Names{"mcp_call", "sub_workflow", "dynamic_task"}));
  EXPECT_TRUE(warns(s, "of type HTTP"));
}

TEST(ConductorLoader, CountsModelsApartFromListsOfTools) {
  const Surface s = loaded(
      source("conductor", "w.json"),
      {{"w.json", R"({"name":"w","tasks":[{"name":"l","type":"LIST_MCP_TOOLS"},)"
                  R"({"name":"c","type":"LLM_CHAT_COMPLETE"},{"name":"h","type":"HUMAN"}]})"}});
  const Map& counts = s.conductor->facts.counts;
  EXPECT_EQ(Peek(counts.find("model_task_count")).number(), 1);
  EXPECT_EQ(Peek(counts.find("human_task_count")).number(), 1);
}

TEST(ConductorLoader, RefusesOtherVersionsEmptyOnesAndDeepOnes) {
  const auto one = [&](const std::string& json) {
    return refusal(source("conductor", "w.json"), {{"w.json", json}});
  };
  EXPECT_TRUE(contains(one(R"({"name":"w","schemaVersion":1,"tasks":[{}]})"), "schemaVersion"));
  EXPECT_TRUE(contains(one(R"({"name":"w","tasks":[]})"), "needs a name and tasks"));
  EXPECT_FALSE(one("{").empty());
  std::string nested = "[]";
  for (int i = 0; i < 40; ++i)
    nested = R"([{"type":"DO_WHILE","loopOver":)" + nested + "}]";
  EXPECT_TRUE(contains(one(R"({"name":"w","tasks":)" + nested + "}"), "nested deeper"));
  EXPECT_FALSE(refusal(source("conductor", "d"), {{"d/x.txt", ""}}).empty());
}

TEST(ConductorLoader, ATaskThatNobodyKnowsIsSaidAndOneThatOnlyLeadsOnIsNot) {
  const auto one = [](const std::string& type) {
    return loaded(source("conductor", "w.json"),
                  {{"w.json", R"({"name":"w","tasks":[{"name":"t","type":")" + type + "\"}]}"}});
  };
  EXPECT_TRUE(warns(one("LLM_INDEX_TEXT"), "of type LLM_INDEX_TEXT"));
  for (const char* type : {"SWITCH", "FORK_JOIN", "JOIN", "DO_WHILE", "SET_VARIABLE", "TERMINATE"})
    EXPECT_TRUE(one(type).warnings.empty()) << type;
}

// ------------------------------------------------------------------------------- MCP server source

TEST(ServerSourceLoader, ReadsLiteralRegistrationsOfEveryLanguage) {
  const Surface s =
      loaded(source("mcp_server_source", "src"),
             {{"src/a.ts",
               "server.tool(\"find\", \"Finds it.\", {}, run);\n"
               "server.registerTool('make', {description: 'Makes it.'}, run);\n"
               "class T { static toolName = \"wipe\"; static operationType = \"delete\"; static "
               "description = \"Wipes it.\"; }\n"},
              {"src/b.go",
               "package b\nvar t = MustTool(\"go_find\", \"Finds it.\", f)\n"
               "var u = mcp.NewTool(\"go_make\", mcp.WithDescription(\"Makes it.\"))\n"
               "var v = mcp.Tool{Name: \"go_list\", Description: \"Lists it.\"}\n"},
              {"src/c.py",
               "from mcp.server.fastmcp import FastMCP\nserver = FastMCP('x')\n"
               "@server.tool()\ndef py_find(x: int):\n    '''Finds it.'''\n"
               "@server.tool(name='py_named')\ndef f(): pass\n"},
              {"src/a.test.ts", "server.tool('never', 'x', {}, run);\n"},
              {"src/node_modules/x/i.js", "server.tool('never', 'x', {}, run);\n"}});
  EXPECT_EQ(names_of(s), (Names{"find", "make", "wipe", "go_find", "go_make", "go_list", "py_find",
                                "py_named"}));
  for (const std::size_t i : {0u, 1u, 2u, 3u, 4u, 5u, 6u})
    EXPECT_TRUE(s.tools[i].description.ends_with(" it.")) << s.tools[i].name;
  EXPECT_EQ(best(s.tools[2], {"destructive"}), Confidence::low);
  EXPECT_EQ(s.tools[1].place.start_line, 2);
  EXPECT_TRUE(s.warnings.empty());
}

TEST(ServerSourceLoader, ReadsTheAnswerToAListOfTools) {
  const Surface s = loaded(
      source("mcp_server_source", "src"),
      {{"src/a.ts",
        "const LATER: Tool = {name: 'later', description: 'Later' + ' it.'};\n"
        "const MORE = [LATER, {name: `more`, description: 'More it.'}] as const;\n"
        "server.setRequestHandler(ListToolsRequestSchema, async () => {\n"
        "  return {tools: [{name: 'first', description: 'First it.',\n"
        "    inputSchema: {type: 'object', properties: {tools: {type: 'array'}}}}, ...MORE]};\n"
        "});\n"
        "server.setRequestHandler(CallToolRequestSchema, async () => ({tools: [{name: "
        "'no'}]}));\n"},
       {"src/b.js",
        "const tools = [{name: 'short', description: 'Short it.'}];\n"
        "function answer() { return {tools}; }\n"
        "this.server.setRequestHandler(types.ListToolsRequestSchema, answer);\n"}});
  EXPECT_EQ(names_of(s), (Names{"later", "more", "first", "short"}));  // by their lines
  for (const Tool& tool : s.tools)
    EXPECT_TRUE(tool.description.ends_with(" it.")) << tool.name;
  EXPECT_TRUE(s.warnings.empty());
}

TEST(ServerSourceLoader, AListThatIsMadeAtRunTimeIsSaid) {
  for (const char* answer : {"{tools: Object.values(all)}", "{tools: all.map(f)}", "list()",
                             "{tools: elsewhere}", "{tools: [...elsewhere]}", "{tools: twice}"})
    EXPECT_TRUE(warns(
        loaded(source("mcp_server_source", "src"),
               {{"src/a.ts", fmt::format("const twice = [];\n{{ const twice = []; }}\n"
                                         "s.setRequestHandler(ListToolsRequestSchema, () => ({}));",
                                         answer)}}),
        "a.ts:3: wrapped_before_registration"))
        << answer;
  const Surface s = loaded(
      source("mcp_server_source", "src"),
      {{"src/a.ts",
        "s.setRequestHandler(ListToolsRequestSchema, () => ({tools: [{name: Names.ONE}]}));"}});
  EXPECT_TRUE(warns(s, "a.ts:1: name_not_literal"));
}

TEST(ServerSourceLoader, SaysWhatItOmits) {
  const Surface s = loaded(
      source("mcp_server_source", "src"),
      {{"src/a.ts",
        "server.tool(name, 'x', {}, run);\nserver.tool('not a name', 'x', {}, run);\n"
        "server.tool('ok', 'x', {}, run);\n"},
       {"src/b.py", "@server.tool\ndef f(): pass\n"},
       {"src/c.py", "from fastmcp import FastMCP\nm = FastMCP()\n@m.tool\n@wrap\ndef g(): pass\n"},
       {"src/d.ts", "class {{{"},
       {"src/e.js", std::string(kMaxSourceFile + 1, ' ')}});
  EXPECT_EQ(names_of(s), Names{"ok"});
  for (const char* why : {"name_not_literal", "implausible_tool_name", "server_binding_not_proven",
                          "wrapped_before_registration", "unparseable_source", "file_too_large"})
    EXPECT_TRUE(warns(s, why)) << why;
  EXPECT_EQ(Peek(s.tools[0].annotations.find("extraction_surface")).text(), "partial");
}

TEST(ServerSourceLoader, AHandlerThatAnswersWithToolsIsReadOrSaid) {
  const Surface s =
      loaded(source("mcp_server_source", "src"),
             {{"src/a.py",
               "from mcp.server import Server\nfrom mcp.types import Tool\nserver = Server('x')\n"
               "@server.list_tools()\nasync def list_tools() -> list[Tool]:\n"
               "    return [Tool(name='fetch', description='Fetch a page.', inputSchema={}),\n"
               "            Tool(name=Names.OTHER, description='x', inputSchema={})]\n"
               "def elsewhere():\n    return Tool(name='no')\n"},
              {"src/b.py", "@app.list_tools()\nasync def tools():\n    return TOOLS\n"}});
  ASSERT_EQ(s.tools.size(), 1u);
  EXPECT_EQ(s.tools[0].name, "fetch");
  EXPECT_EQ(s.tools[0].description, "Fetch a page.");
  ASSERT_EQ(s.warnings.size(), 2u);
  EXPECT_TRUE(contains(s.warnings[0], "src/a.py:7: name_not_literal")) << s.warnings[0];
  EXPECT_TRUE(contains(s.warnings[1], "src/b.py:2: wrapped_before_registration")) << s.warnings[1];
}

TEST(ServerSourceLoader, RefusesPathsThatAreNotThere) {
  EXPECT_FALSE(refusal(source("mcp_server_source", "gone"), {{"x", ""}}).empty());
  EXPECT_TRUE(contains(refusal(source("mcp_server_source", "/etc"), {}), "resolves outside"));
}

// ------------------------------------------------------------------- OpenAPI files, MCP's other
// offers

TEST(OpenApiPaths, ExtensionsAreNoPaths) {
  const Surface s = loaded(source("openapi", "o.yaml"),
                           {{"o.yaml",
                             "openapi: 3.0.0\npaths:\n  x-note: a text\n  x-more: {get: "
                             "{operationId: never}}\n  /a: {get: {operationId: look}}\n"}});
  EXPECT_EQ(names_of(s), Names{"look"});
}

TEST(OpenApiFiles, AreFollowedInsideOfTheFolderOnly) {
  const Surface s = loaded(
      source("openapi", "api/main.yaml"),
      {{"api/main.yaml",
        "openapi: 3.1.0\npaths:\n  /a:\n    post:\n      operationId: make\n      requestBody: "
        "{content: {application/json: {schema: {$ref: 'parts/order.yaml#/Order'}}}}\n"
        "      responses: {'200': {content: {application/json: {schema: {$ref: "
        "'../../out.yaml'}}}}}\n"
        "  /b: {$ref: 'paths.json'}\n"},
       {"api/parts/order.yaml",
        "Order: {type: object, properties: {item: {$ref: '#/Item'}, next: {$ref: '#/Order'}}}\n"
        "Item: {type: object, properties: {amount: {$ref: 'money.json'}}}\n"},
       {"api/parts/money.json", R"({"type":"number"})"},
       {"api/paths.json", R"({"get":{"operationId":"look"}})"}});
  EXPECT_EQ(names_of(s), (Names{"make", "look"}));
  const Peek properties = Peek(s.tools[0].input_schema.find("properties"));
  EXPECT_EQ(properties["item"]["properties"]["amount"]["type"].text(), "number");
  EXPECT_TRUE(properties["next"]["x-agents-shipgate-recursive-ref"].is_true());
  EXPECT_EQ(Peek(s.tools[0].output_schema.find("$ref")).text(), "../../out.yaml");
  EXPECT_TRUE(warns(s, "Unresolved OpenAPI $ref '../../out.yaml'"));
}

TEST(McpOffers, PromptsAndResourcesAreFactsAndNoTools) {
  const Surface s = loaded(
      source("mcp", "t.json"),
      {{"t.json",
        R"({"tools":[{"name":"look"}],"prompts":[{"name":"greet","description":"d"}],"resources":[{"uri":"file:///x"},{"name":"y"}]})"}});
  EXPECT_EQ(names_of(s), Names{"look"});
  ASSERT_EQ(s.offers.size(), 3u);
  EXPECT_EQ(s.offers[0].kind, "prompt");
  EXPECT_EQ(s.offers[0].name, "greet");
  EXPECT_EQ(s.offers[1].name, "file:///x");
  EXPECT_EQ(s.offers[2].kind, "resource");
}

// ---------------------------------------------------------------------------------------- toolkits

TEST(Toolkits, AreBoundedByALiteralAllowlist) {
  const std::string import = "from stripe_agent_toolkit.openai.toolkit import StripeAgentToolkit\n";
  struct Row {
    std::string code;
    bool bounded;
    std::string binding;
    Names scopes;
  };
  const Row rows[] = {
      {"t = StripeAgentToolkit(secret_key=k)\n", false, "none", {}},
      {"t = StripeAgentToolkit(configuration={'actions': {'refunds': {'create': True, 'read': "
       "False}}})\n",
       true,
       "literal",
       {"refunds.create"}},
      {"c = {'actions': {'a': {'b': True}}}\nt = StripeAgentToolkit(configuration=c)\n",
       true,
       "literal",
       {"a.b"}},
      {"t = StripeAgentToolkit(configuration={})\n", false, "literal", {}},
      {"t = StripeAgentToolkit(configuration=json.load(open('c.json')))\n", false, "config", {}},
      {"t = StripeAgentToolkit(configuration=make())\n", false, "unknown", {}},
  };
  for (const Row& row : rows) {
    const Surface s = loaded(source("openai_agents_sdk", "a.py"), {{"a.py", import + row.code}});
    ASSERT_EQ(s.toolkits.size(), 1u) << row.code;
    EXPECT_EQ(s.toolkits[0].bounded, row.bounded) << row.code;
    EXPECT_EQ(s.toolkits[0].config_binding, row.binding) << row.code;
    EXPECT_EQ(s.toolkits[0].scopes, row.scopes) << row.code;
    EXPECT_EQ(s.toolkits[0].binding, "t");
    EXPECT_EQ(warns(s, "bounds that cannot be seen"), row.binding == "unknown") << row.code;
  }
}

}  // namespace
}  // namespace gh::surface
