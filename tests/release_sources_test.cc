// Every kind of input of a release scan, well formed, in part, broken and hostile: an answer, a
// warning or one clear reason, never a crash, a hang or an internal error.
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "sys/files.h"
#include "tests/gatehouse_binary.h"
#include "tests/schema_kit.h"
#include "wire/json.h"

namespace gh::testing::release_sources {
namespace {

namespace fs = std::filesystem;

/// One kind of input. `block` is what the manifest says of it, with FILE for the path.
struct Source {
  std::string name, block, file;
  std::string valid, partial, malformed;  // partial may be empty: nothing of it is optional
};

const char* const kTool =
    R"([{"name":"get_order","description":"Looks up one order by its number."}])";

std::vector<Source> sources() {
  const std::string source = R"("tool_sources":[{"id":"s","type":"%","path":"FILE"}])";
  const auto of_type = [&](const std::string& type) {
    std::string out = source;
    return out.replace(out.find('%'), 1, type);
  };
  const auto in = [](const std::string& block, const std::string& key) {
    return fmt::format(
        R"("tool_sources":[{{"id":"m","type":"mcp","path":"m.json"}}],"{}":{{"{}":["FILE"]}})",
        block, key);
  };
  const auto evidence = [](const std::string& key) {
    return fmt::format(
        R"("tool_sources":[{{"id":"m","type":"mcp","path":"m.json"}}],"validation":{{"mode":"human_in_the_loop","evidence":{{"{}":["FILE"]}}}})",
        key);
  };
  return {
      {"mcp", of_type("mcp"), "in.json", kTool,
       R"([{"name":"get_order","description":"Looks up one order."},7])", R"({"tools":7})"},
      {"mcp yaml", of_type("mcp"), "in.yaml", "- name: get_order\n", "- name: get_order\n- 7\n",
       "tools: {\n"},
      {"openapi", of_type("openapi"), "in.json",
       R"({"openapi":"3.0.0","paths":{"/x":{"get":{"summary":"Gets all of the things."}}}})",
       R"({"openapi":"3.0.0","paths":{"/x":{"get":{"parameters":[{"name":"a","schema":{"$ref":"other.json#/x"}}]}}}})",
       R"({"openapi":"3.0.0","paths":7})"},
      {"openapi yaml", of_type("openapi"), "in.yaml",
       "openapi: 3.0.0\npaths:\n  /x:\n    get: {summary: Gets all of the things.}\n", "",
       "openapi: 3.0.0\npaths: {/x: 7}\n"},
      {"agents sdk", of_type("openai_agents_sdk"), "in.py",
       "from agents import function_tool\n@function_tool\ndef f(x: int) -> dict:\n    \"Does "
       "it.\"\n",
       "from agents import Agent\na = Agent(name='a', tools=make())\n", "def f(:\n"},
      {"langchain", of_type("langchain"), "in.py",
       "from langchain.tools import tool\n@tool\ndef f(x: int) -> dict:\n    \"Does it.\"\n",
       "from langchain.agents import create_agent\na = create_agent('m', tools=make())\n",
       "class :\n"},
      {"langchain inventory", in("langchain", "tool_inventories"), "in.json", kTool,
       R"([{"name":""}])", "{"},
      {"crewai", of_type("crewai"), "in.py",
       "from crewai.tools import tool\n@tool\ndef f(x: int) -> dict:\n    \"Does it.\"\n",
       "from crewai_tools import SerperDevTool\nfrom crewai import Agent\na = "
       "Agent(tools=[SerperDevTool()])\n",
       "from x import (\n"},
      {"crewai inventory", in("crewai", "tool_inventories"), "in.json", kTool, R"([{"name":""}])",
       R"("text")"},
      {"adk python", of_type("google_adk"), "in.py",
       "from google.adk.agents import Agent\ndef f(x: int) -> dict:\n    \"Does it.\"\na = "
       "Agent(name='a', tools=[f])\n",
       "from google.adk.agents import Agent\na = Agent(name='a', tools=make())\n", "a = = 1\n"},
      {"adk config", of_type("google_adk"), "in.yaml", "name: a\ntools: [google_search]\n",
       "name: a\ntools: [{name: McpToolset}]\n", "[1]\n"},
      {"adk inventory", in("google_adk", "tool_inventories"), "in.json", kTool, R"([7])", "7"},
      {"adk evals", in("google_adk", "eval_sets"), "in.json", "[]", "", "{"},
      {"adk traces", in("google_adk", "trace_samples"), "in.jsonl", "{\"tool_name\":\"x\"}\n",
       "{\"other\":1}\n", "{\n"},
      {"n8n", in("n8n", "workflows"), "in.json",
       R"({"id":"1","versionId":"1","active":true,"nodes":[{"name":"a","type":"n8n-nodes-base.set"}],"connections":{}})",
       R"({"id":"1","versionId":"1","active":false,"nodes":[{"name":"a","type":"n8n-nodes-base.set"}],"connections":{}})",
       R"({"nodes":7})"},
      {"n8n inventory", in("n8n", "tool_inventories"), "in.json", kTool, R"([7])", "7"},
      {"openai tools", in("openai_api", "tools"), "in.json",
       R"([{"name":"get_order","description":"Looks up one order.","parameters":{"type":"object"}}])",
       R"([{"name":" "}])", "{"},
      {"openai functions", in("openai_api", "function_schemas"), "in.json",
       R"({"name":"get_order","parameters":{"type":"object"}})", R"({"name":"f","parameters":7})",
       "["},
      {"openai model",
       R"("tool_sources":[{"id":"m","type":"mcp","path":"m.json"}],"openai_api":{"model_config":"FILE"})",
       "in.json", R"({"model":"m"})", "", "[1]"},
      {"n8n credentials", in("n8n", "credential_stubs"), "in.yaml",
       "- {id: c, type: slackApi, scopes: [chat]}\n", "", "- {id: [\n"},
      {"n8n variables", in("n8n", "variable_stubs"), "in.json", R"([{"key":"a"}])", "", "{"},
      {"n8n tables", in("n8n", "data_table_schemas"), "in.json", R"({"columns":[]})", "", "{"},
      {"n8n executions", in("n8n", "execution_samples"), "in.json", R"([{"id":"1"}])", "", "{"},
      {"n8n evals", in("n8n", "eval_sets"), "in.json", R"([{"id":"1"}])", "", "{"},
      {"openai formats", in("openai_api", "response_formats"), "in.json", R"({"type":"object"})",
       "", "{"},
      {"openai tests", in("openai_api", "test_cases"), "in.json", "[{}]", "", "{"},
      {"openai traces", in("openai_api", "trace_samples"), "in.json", R"([{"tool_name":"x"}])",
       R"([{"other":1}])", "{"},
      {"openai rules", in("openai_api", "policy_rules"), "in.json", "{}", "", "[]"},
      {"openai prompts", in("openai_api", "prompt_files"), "in.md", "Be polite.", "", ""},
      {"anthropic tools", in("anthropic", "tools"), "in.json",
       R"([{"name":"get_order","input_schema":{"type":"object"}}])",
       R"([{"type":"web_search_1","name":"w"}])", "{"},
      {"anthropic rules", in("anthropic", "policy_rules"), "in.json", "{}", "", "[]"},
      {"codex marketplace",
       R"("tool_sources":[{"id":"s","type":"codex_plugin","mode":"marketplace","path":"FILE"}])",
       "in.json", R"({"plugins":[]})", "", R"({"plugins":7})"},
      {"conductor", of_type("conductor"), "in.json",
       R"({"name":"w","tasks":[{"name":"t","type":"CALL_MCP_TOOL","taskReferenceName":"t","inputParameters":{"method":"get_order","mcpServer":"s"}}]})",
       R"({"name":"w","tasks":[{"name":"t","type":"HTTP","taskReferenceName":"t"}]})",
       R"({"name":"w","tasks":7})"},
      {"server source", of_type("mcp_server_source"), "in.ts",
       "server.tool(\"get_order\", \"Looks up one order.\", {}, f);\n",
       "server.tool(name, {}, f);\n", ""},
      {"approval traces", evidence("approval_traces"), "in.json",
       R"([{"tool_name":"get_order","approved":true}])", "[7]", "{"},
      {"override logs", evidence("override_logs"), "in.json",
       R"([{"tool_name":"x","action":"override","reason":"because","actor":"a","timestamp":"t"}])",
       R"([{"tool_name":"x"}])", "{"},
      {"exclusions", evidence("high_risk_exclusions"), "in.yaml",
       "high_risk_auto_approval_exclusions: [{tool: x, reason: y}]\n",
       "high_risk_auto_approval_exclusions: [{tool: x, reason: ''}]\n", "a: 1\n"},
      {"criteria", evidence("promotion_criteria"), "in.yaml", "a: 1\n", "", "[1]\n"},
      {"policy pack",
       R"("tool_sources":[{"id":"m","type":"mcp","path":"m.json"}],"checks":{"policy_packs":["FILE"]})",
       "in.yaml", "rules: []\n", "", "rules: 7\n"},
  };
}

class ReleaseSources : public ::testing::Test {
 protected:
  void write(const std::string& path, std::string_view bytes) const {
    std::ofstream(root() / path, std::ios::binary) << bytes;
  }
  void write_manifest(const Source& source, std::string path) const {
    write("m.json", R"([{"name":"list_orders","description":"Lists the orders of one day."}])");
    std::string block = source.block;
    path = wire::canonical_json(path);
    block.replace(block.find("\"FILE\""), 6, path);
    write("shipgate.yaml",
          fmt::format(
              R"({{"version":"0.1","project":{{"name":"p"}},"environment":{{"target":"local"}},)"
              R"("agent":{{"name":"a","declared_purpose":["look up orders"]}},{}}})",
              block));
  }
  void clear(const Source& source) const {
    fs::remove_all(root() / source.file);
    write_manifest(source, source.file);
  }
  fs::path root() const { return fs::path(folder_.path()) / "work"; }
  void SetUp() override { fs::create_directories(root()); }
  Ran scan() const {
    return gatehouse({"release", "scan", "--json", "--format", "none"}, root().string());
  }

  static std::size_t warnings(const Ran& ran) {
    const auto report = wire::read_json(ran.out);
    return report ? Peek(*report)["source_warnings"].list().size() : 0;
  }

  /// One reason, and a code that says whose fault it is; or an answer that tells the doubt.
  void expect_refused_or_warned(std::string_view what) const {
    const Ran ran = scan();
    if (ran.code == 0) {
      EXPECT_GT(warnings(ran), 0u) << what << ran.out.substr(0, 400);
      return;
    }
    EXPECT_TRUE(ran.code == 2 || ran.code == 3) << what << ": " << ran.code << ran.err;
    EXPECT_FALSE(ran.err.empty()) << what;
  }
  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-sources-");
};

TEST_F(ReleaseSources, WellFormedOnesGiveAnAnswerWithoutAWarning) {
  for (const Source& source : sources()) {
    SCOPED_TRACE(source.name);
    clear(source);
    write(source.file, source.valid);
    const Ran ran = scan();
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(warnings(ran), 0u) << ran.out.substr(ran.out.find("source_warnings"), 300);
  }
}

// docs/schemas: what is written and what is read, judged by somebody else.
TEST_F(ReleaseSources, ReportsBaselinesAndManifestsConformToTheirSchemas) {
  for (const Source& source : sources()) {
    SCOPED_TRACE(source.name);
    clear(source);
    write(source.file, source.partial.empty() ? source.valid : source.partial);
    EXPECT_EQ(judged("release_manifest", bytes_of(root() / "shipgate.yaml")), "");
    for (const char* profile : {"compat", "extended"}) {
      const Ran ran = gatehouse({"release", "scan", "--json", "--format", "none",
                                 "--suggest-patches", "--profile", profile},
                                root().string());
      EXPECT_EQ(judged("release_report", ran.out), "") << profile;
    }
  }
}

TEST_F(ReleaseSources, TheBaselineFileConforms) {
  const Source source = sources().at(0);
  clear(source);
  write(source.file, R"([{"name":"delete_user"}])");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"release", "baseline", "save"}, {"release", "baseline-save"}})
    gatehouse(words, root().string());
  const std::string baseline = bytes_of(root() / ".agents-shipgate/baseline.json");
  ASSERT_FALSE(baseline.empty());
  EXPECT_EQ(judged("release_baseline", baseline), "");
  const Ran ran = gatehouse({"release", "scan", "--json", "--format", "none", "--baseline",
                             ".agents-shipgate/baseline.json"},
                            root().string());
  EXPECT_EQ(judged("release_report", ran.out), "");
  EXPECT_GT(Peek(*wire::read_json(ran.out))["baseline"]["matched_count"].number(), 0);
}

TEST(ReleaseSchemas, RefuseWhatTheManifestsReaderRefuses) {
  const std::string head =
      R"("version":"0.1","project":{"name":"p"},"environment":{"target":"local"},"agent":{"name":"a"})";
  EXPECT_EQ(judged("release_manifest", "{" + head + "}"), "");
  for (const char* more :
       {R"("extra":1)", R"("version":0.1)", R"("tool_sources":{})",
        R"("tool_sources":[{"id":"a","type":"n8n","path":"x"}])",
        R"("checks":{"ignore":[{"check_id":"X","reason":" "}]})",
        R"("checks":{"severity_overrides":{"X":"mild"}})", R"("ci":{"mode":"soft"})",
        R"("policies":{"require_approval_for_tools":[{"reason":"x"}]})",
        R"("action_surface":{"actions":[{"tool":"a","effect":"none"}]})", R"("validation":{})",
        R"("output":{"formats":["xml"]})",
        R"("codex_plugins":{"mcp_tool_inventories":["x.json"]})"})
    EXPECT_NE(judged("release_manifest", "{" + head + "," + more + "}"), "") << more;
}

/// Every file below a folder, by its path; where the folder itself is named stands ROOT.
std::map<std::string, std::string> files_without_root(const fs::path& root) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::string bytes = bytes_of(entry.path());
    const std::string name = root.string();
    for (std::size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at))
      bytes.replace(at, name.size(), "ROOT");
    out[fs::relative(entry.path(), root).string()] = std::move(bytes);
  }
  return out;
}

// docs/reference/release-report.md, "Same input, same bytes".
TEST_F(ReleaseSources, EveryArtifactIsTheSameInTwoRunsTwoFoldersAndOnOneProcessorOrTwo) {
  for (const Source& source : sources()) {
    SCOPED_TRACE(source.name);
    fs::remove_all(root());
    fs::create_directories(root());
    clear(source);
    write(source.file, source.partial.empty() ? source.valid : source.partial);
    const fs::path other = fs::path(folder_.path()) / "another folder";
    fs::remove_all(other);
    fs::create_directories(other);
    for (const std::string& name :
         {std::string("shipgate.yaml"), std::string("m.json"), source.file})
      fs::copy_file(root() / name, other / name);
    const std::vector<std::string> words{"release", "scan", "--suggest-patches", "--format",
                                         "markdown,json,sarif"};
    const auto run_on = [&](const std::string& processors, const fs::path& where) {
      std::vector<std::string> argv{"/usr/bin/taskset", "-c", processors, gatehouse_path()};
      argv.insert(argv.end(), words.begin(), words.end());
      EXPECT_EQ(run_program(std::move(argv), where.string()).code, 0);
      return files_without_root(where);
    };
    const auto first = run_on("0", root());
    EXPECT_GE(first.size(), 5u);
    EXPECT_EQ(run_on("0,1", root()), first);
    EXPECT_EQ(run_on("0,1", other), first);
  }
}

/// Sources large enough for threads, and for the readers that take documents apart: those of
/// more than a hundred tools and of more than 256 KiB.
std::vector<Source> large_sources() {
  const std::string words(500, 'w');
  std::string json = R"({"openapi":"3.0.0","info":{"title":"t"},"paths":{)",
              yaml = "openapi: 3.0.0\ninfo: {title: t}\npaths:\n", mcp = R"({"tools":[)";
  for (int i = 0; i < 500; ++i) {
    const std::string summary = fmt::format("Deletes thing {} of many. {}", i, words);
    json += fmt::format(
        R"({}"/things/{}":{{"delete":{{"operationId":"deleteThing{}","summary":"{}","parameters":[{{"name":"amount","in":"query","schema":{{"type":"number"}}}}]}}}})",
        i == 0 ? "" : ",", i, i, summary);
    yaml += fmt::format(
        "  /things/{}:\n    delete:\n      operationId: deleteThing{}\n      summary: {}\n"
        "      parameters:\n        - {{name: amount, in: query, schema: {{type: number}}}}\n",
        i, i, summary);
    mcp += fmt::format(
        R"({}{{"name":"delete_thing_{}","description":"{}","inputSchema":{{"type":"object","properties":{{"amount":{{"type":"number"}}}}}}}})",
        i == 0 ? "" : ",", i, summary);
  }
  json += "}}";
  mcp += "]}";
  const std::string of_api = R"("tool_sources":[{"id":"s","type":"openapi","path":"FILE"}])",
                    of_mcp = R"("tool_sources":[{"id":"s","type":"mcp","path":"FILE"}])";
  return {{"openapi", of_api, "in.json", std::move(json), "", ""},
          {"openapi yaml", of_api, "in.yaml", std::move(yaml), "", ""},
          {"mcp", of_mcp, "in.json", std::move(mcp), "", ""}};
}

TEST_F(ReleaseSources, LargeOnesGiveTheSameBytesOnOneProcessorAndOnTwo) {
  for (const Source& source : large_sources()) {
    SCOPED_TRACE(source.name);
    fs::remove_all(root());
    fs::create_directories(root());
    clear(source);
    write(source.file, source.valid);
    if (source.name != "mcp") {
      EXPECT_GT(source.valid.size(), 256u << 10) << "it is not taken apart";
    }
    const auto run_on = [&](const std::string& processors) {
      const Ran ran =
          run_program({"/usr/bin/taskset", "-c", processors, gatehouse_path(), "release", "scan",
                       "--suggest-patches", "--format", "markdown,json,sarif"},
                      root().string());
      EXPECT_EQ(ran.code, 0) << ran.err;
      return files_without_root(root());
    };
    const auto first = run_on("0");
    const auto report = wire::read_json(first.at("agents-shipgate-reports/report.json"), "report");
    ASSERT_TRUE(report);
    EXPECT_EQ(Peek(*report)["tool_surface"]["total_tools"].number(), 500);
    for (int round = 0; round < 3; ++round)
      EXPECT_EQ(run_on("0,1"), first);
  }
}

TEST_F(ReleaseSources, WhatIsUnderstoodInPartIsAWarning) {
  for (const Source& source : sources()) {
    if (source.partial.empty()) continue;
    SCOPED_TRACE(source.name);
    clear(source);
    write(source.file, source.partial);
    const Ran ran = scan();
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_GT(warnings(ran), 0u);
  }
}

TEST_F(ReleaseSources, BrokenOnesAreRefusedWithTheirPlace) {
  for (const Source& source : sources()) {
    if (source.malformed.empty()) continue;
    SCOPED_TRACE(source.name);
    clear(source);
    write(source.file, source.malformed);
    const Ran ran = scan();
    EXPECT_EQ(ran.code, source.name == "policy pack" ? 2 : 3) << ran.err;
    EXPECT_TRUE(contains(ran.err, source.file)) << ran.err;
  }
}

TEST_F(ReleaseSources, HostileOnesEndWithOneReason) {
  std::ofstream(fs::path(folder_.path()) / "outside.json") << kTool;
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i)
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i,
                        i - 1);
  for (const Source& source : sources()) {
    SCOPED_TRACE(source.name);
    clear(source);
    expect_refused_or_warned("missing");
    write_manifest(source, "../outside.json");
    expect_refused_or_warned("traversal");
    write_manifest(source, "/etc/passwd");
    expect_refused_or_warned("absolute");
    write_manifest(source, std::string("in\0.json", 8));
    expect_refused_or_warned("NUL in the path");
    clear(source);
    fs::create_symlink("../outside.json", root() / source.file);
    expect_refused_or_warned("link");
    clear(source);
    fs::create_symlink(source.file, root() / source.file);
    expect_refused_or_warned("link to itself");
    clear(source);
    write(source.file, "");
    fs::resize_file(root() / source.file, 100u << 20);
    expect_refused_or_warned("100 MB");
    clear(source);
    write(source.file, "\xFF\xFE{\"tools\": []}");
    expect_refused_or_warned("no UTF-8");
    if (!source.file.ends_with(".md")) {
      write(source.file, std::string(200'000, '[') + std::string(200'000, ']'));
      expect_refused_or_warned("200,000 levels");
      write(source.file, bomb);
      expect_refused_or_warned("bomb");
      write(source.file, std::string("{\"tools\": [\0]}", 14));
      expect_refused_or_warned("NUL");
    }
    if (source.file.ends_with(".json")) {
      write(source.file, R"({"tools":[{"name":"\ud800"}]})");
      expect_refused_or_warned("lone surrogate");
      write(source.file, R"({"tools":[{"name":1e999}]})");
      expect_refused_or_warned("no number");
    }
  }
}

// A package of Codex, the tools of its servers, and the settings of a repository: several files
// each.
TEST_F(ReleaseSources, OfCodexAreReadOrRefusedFileByFile) {
  const std::map<std::string, std::string> whole{
      {"plug/.codex-plugin/plugin.json",
       R"({"name":"plug","version":"1","description":"Looks up orders.","mcpServers":".mcp.json"})"},
      {"plug/.mcp.json", R"({"mcpServers":{"s":{"command":"x"}}})"},
      {"inv.json", kTool},
      {".codex/config.toml", "model = \"m\"\n"},
      {".codex/hooks.json", R"({"hooks":[]})"}};
  const auto plant = [&] {
    for (const auto& entry : fs::directory_iterator(root()))
      fs::remove_all(entry.path());
    for (const auto& [path, bytes] : whole) {
      fs::create_directories((root() / path).parent_path());
      write(path, bytes);
    }
    write("shipgate.yaml",
          R"({"version":"0.1","project":{"name":"p"},"environment":{"target":"local"},)"
          R"("agent":{"name":"a","declared_purpose":["look up orders"]},"tool_sources":[)"
          R"({"id":"p","type":"codex_plugin","path":"plug"},{"id":"c","type":"codex_config",)"
          R"("path":"."}],"codex_plugins":{"mcp_tool_inventories":[)"
          R"({"plugin":"plug","server":"s","path":"inv.json"}]}})");
  };
  plant();
  const Ran plain = scan();
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_EQ(warnings(plain), 0u) << plain.out;
  for (const auto& [path, bytes] : whole) {
    SCOPED_TRACE(path);
    const std::string hostile[] = {"{\"a\":", "\xFF\xFE{}",
                                   std::string(200'000, '[') + std::string(200'000, ']'),
                                   std::string("{\"a\":\"\0\"}", 9)};
    for (const std::string& text : hostile) {
      plant();
      write(path, text);
      const Ran ran = scan();
      EXPECT_EQ(ran.code, 3) << text.substr(0, 20) << ran.err;
      EXPECT_TRUE(contains(ran.err, path)) << ran.err;
    }
    plant();
    fs::resize_file(root() / path, 100u << 20);
    expect_refused_or_warned("100 MB");
    plant();
    fs::remove(root() / path);
    fs::create_symlink("/etc/passwd", root() / path);
    expect_refused_or_warned("link");
  }
  for (const char* path : {"plug/.mcp.json", "inv.json"}) {
    plant();
    write(path, "[7]");
    expect_refused_or_warned("in part");
  }
}

}  // namespace
}  // namespace gh::testing::release_sources
