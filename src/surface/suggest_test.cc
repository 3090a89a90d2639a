#include "surface/suggest.h"

#include <gtest/gtest.h>

#include "surface/memory_files.h"

namespace gh::surface {
namespace {

Suggestions suggested(const std::map<std::string, std::string>& files) {
  std::vector<std::string> paths;
  for (const auto& entry : files)
    paths.push_back(entry.first);
  MemoryFiles memory(files);
  return suggest_sources(paths, memory);
}

std::string told(const Suggestions& s) {
  std::string out;
  for (const Suggestion& one : s.sources)
    out += one.type + " " + one.path + " " + std::to_string(one.tool_count) + "\n";
  return out;
}

constexpr const char* kSdk =
    "from agents import Agent, function_tool\n\n@function_tool\ndef look(x: str) -> str:\n    "
    "return x\n";
constexpr const char* kChain =
    "from langchain_core.tools import tool\n\n@tool\ndef look(x: str) -> str:\n    "
    "\"\"\"Look.\"\"\"\n    return x\n";
constexpr const char* kCrew =
    "from crewai.tools import tool\n\n@tool(\"Look\")\ndef look(x: str) -> str:\n    "
    "\"\"\"Look.\"\"\"\n    return x\n";
constexpr const char* kServer =
    "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP(\"x\")\n\n@mcp.tool()\ndef look(x: "
    "str) -> str:\n    return x\n";
constexpr const char* kMcp =
    R"({"tools":[{"name":"a.b","description":"d","inputSchema":{"type":"object"}}]})";

TEST(Suggest, EachKindOfSourceIsToldByWhatItHolds) {
  EXPECT_EQ(told(suggested({{"a.py", kSdk}})), "openai_agents_sdk a.py 1\n");
  EXPECT_EQ(told(suggested({{"a.py", kChain}})), "langchain a.py 1\n");
  EXPECT_EQ(told(suggested({{"a.py", kCrew}})), "crewai a.py 1\n");
  EXPECT_EQ(
      told(suggested({{"agent.py",
                       "from google.adk.agents import Agent\n\ndef look(x: str) -> dict:\n    "
                       "\"\"\"Look.\"\"\"\n    return {}\n\nroot_agent = Agent(name='a', "
                       "model='m', tools=[look])\n"}})),
      "google_adk agent.py 1\n");
  EXPECT_EQ(told(suggested({{"server.py", kServer}})), "mcp_server_source server.py 1\n");
  EXPECT_EQ(
      told(suggested({{"src/a.ts",
                       "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n"
                       "server.registerTool(\"look\", {}, f);\n"}})),
      "mcp_server_source src/a.ts 1\n");
  EXPECT_EQ(told(suggested({{"x.mcp.json", kMcp}})), "mcp x.mcp.json 1\n");
  EXPECT_EQ(
      told(suggested({{"tools/anthropic.json",
                       R"([{"name":"a","description":"d","input_schema":{"type":"object"}}])"}})),
      "anthropic tools/anthropic.json 1\n");
  EXPECT_EQ(
      told(suggested(
          {{"tools/openai.json",
            R"([{"type":"function","function":{"name":"a","parameters":{"type":"object"}}}])"}})),
      "openai_api tools/openai.json 1\n");
  EXPECT_EQ(told(suggested(
                {{"openapi.yaml", "openapi: 3.0.0\npaths:\n  /a:\n    get: {operationId: a}\n"}})),
            "openapi openapi.yaml 1\n");
}

TEST(Suggest, ToolClassesAndObjectsAreSourcesAndSoIsWhatCannotBeRead) {
  EXPECT_EQ(told(suggested({{"a.py",
                             "from langchain_core.tools import BaseTool\nclass Drop(BaseTool):\n  "
                             "  name: str = 'drop'\n"}})),
            "langchain a.py 1\n");
  EXPECT_EQ(told(suggested({{"a.py",
                             "from langchain.agents import Tool\ndef f(x): pass\nt = Tool('x', f, "
                             "'d')\n"}})),
            "langchain a.py 1\n");
  EXPECT_EQ(told(suggested({{"a.py",
                             "from agents import FunctionTool\nt = FunctionTool('drop', 'd', {}, "
                             "run)\n"}})),
            "openai_agents_sdk a.py 1\n");
  EXPECT_EQ(
      told(suggested({{"a.py", "from agents.mcp import MCPServerStdio\nMCPServerStdio()\n"}})),
      "openai_agents_sdk a.py 1\n");
  EXPECT_EQ(
      told(suggested({{"a.py", "from crewai_tools import RagTool\nclass Look(RagTool): pass\n"}})),
      "crewai a.py 1\n");
  EXPECT_EQ(told(suggested({{"a.py", "from agents import Agent\nAgent(tools=make())\n"}})),
            "openai_agents_sdk a.py 0\n");
}

TEST(Suggest, DocumentsAreKnownByWhatTheyHoldWhateverTheirName) {
  const std::string workflow =
      R"({"nodes":[{"id":"1","name":"T","type":"@n8n/n8n-nodes-langchain.toolCode","parameters":{"jsCode":"1"}},)"
      R"({"id":"2","name":"A","type":"@n8n/n8n-nodes-langchain.agent","parameters":{}}],)"
      R"("connections":{"T":{"ai_tool":[[{"node":"A","type":"ai_tool","index":0}]]}}})";
  EXPECT_EQ(told(suggested({{"flows/support.json", workflow}})), "n8n flows/support.json 1\n");
  EXPECT_EQ(told(suggested({{"flows/all.json", "[" + workflow + "]"}})), "n8n flows/all.json 1\n");
  EXPECT_EQ(
      told(suggested(
          {{"conductor/refunds.json",
            R"({"name":"w","tasks":[{"name":"t","taskReferenceName":"t","type":"CALL_MCP_TOOL","inputParameters":{"mcpServer":"s","method":"find"}}]})"}})),
      "conductor conductor/refunds.json 1\n");
  EXPECT_EQ(told(suggested({{"root_agent.yaml",
                             "agent_class: LlmAgent\nname: a\ninstruction: Help.\ntools:\n  - "
                             "name: my.pay\n"}})),
            "google_adk root_agent.yaml 1\n");
  EXPECT_EQ(
      told(suggested(
          {{"functions.json",
            R"([{"name":"a","description":"d","parameters":{"type":"object","properties":{}}}])"}})),
      "openai_api functions.json 1\n");
  EXPECT_EQ(told(suggested({{"export.json", R"({"tools":[{"name":"a","description":"d"}]})"}})),
            "mcp export.json 1\n");
  EXPECT_EQ(
      told(suggested({{"list.json", R"({"jsonrpc":"2.0","result":{"tools":[{"name":"a"}]}})"}})),
      "mcp list.json 1\n");
  EXPECT_EQ(
      told(suggested(
          {{"spec.json", R"({"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":"a"}}}})"}})),
      "openapi spec.json 1\n");
}

TEST(Suggest, NamesAndDescriptionsAloneAreNoTools) {
  EXPECT_EQ(told(suggested({{"people.json", R"([{"name":"Ada","description":"tools"}])"},
                            {"package.json", R"({"name":"x","description":"tools of paths"})"},
                            {"tsconfig.json", R"({"name":"x","compilerOptions":{}})"}})),
            "");
}

TEST(Suggest, FilesOfOneServerAreOneFolder) {
  std::string other = kServer;
  other.replace(other.find("look"), 4, "find");
  EXPECT_EQ(told(suggested({{"srv/a/one.py", kServer}, {"srv/b/two.py", other}})),
            "mcp_server_source srv 2\n");
}

TEST(Suggest, FoldersOfTestsAreLeftOut) {
  for (const char* folder : {"test", "tests", "__tests__", "testdata", "fixtures", "spec", "e2e"})
    EXPECT_EQ(told(suggested({{std::string(folder) + "/a.mcp.json", kMcp}})), "") << folder;
  EXPECT_NE(told(suggested({{"testing/a.mcp.json", kMcp}})), "");
}

TEST(Suggest, WhatIsNoSourceIsNotSuggested) {
  EXPECT_EQ(told(suggested({{"a.mcp.json", "{"},
                            {"b.mcp.json", R"({"mcpServers":{"x":{"command":"y"}}})"},
                            {"c.mcp.json", "[]"},
                            {"tests/d.mcp.json", kMcp},
                            {"test_e.py", kSdk},
                            {"f.py", "import os\n"},
                            {"g.py", "from agents import Agent\na = Agent(name='x')\n"},
                            {"notes.json", R"({"notes":["tools by name"]})"}})),
            "");
  EXPECT_TRUE(suggested({{"g.py", "from agents import Agent\na = Agent(name='x')\n"}})
                  .frameworks.contains("openai_agents_sdk"));
}

TEST(Suggest, RiskyToolsPackagesPromptsAndPluginsAreNamed) {
  const Suggestions s = suggested(
      {{"x.mcp.json",
        R"({"tools":[{"name":"delete_user","description":"Delete a user.","inputSchema":{"type":"object"}}]})"},
       {"go.mod", "module x\n"},
       {"prompts/a.md", "x"},
       {"p/.codex-plugin/plugin.json", R"({"name":"p","version":"1","description":"d"})"}});
  EXPECT_EQ(s.high_risk_tools, std::set<std::string>{"delete_user"});
  EXPECT_TRUE(s.has_package);
  EXPECT_EQ(s.prompts, std::vector<std::string>{"prompts/a.md"});
  EXPECT_EQ(s.codex_plugins, std::vector<std::string>{"p"});
}

}  // namespace
}  // namespace gh::surface
