#include "surface/suggest.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"
#include "surface/python_givings.h"
#include "surface/surface.h"
#include "surface/words.h"

namespace gh::surface {
namespace {

struct Sign {
  std::string_view suffixes;  // separated by blanks
  std::string_view imports;   // any of these stands in the file, separated by '|'
  std::string_view uses;      // and any of these
  std::string_view type, why;
};
// clang-format off
// table: signs of agents in code
constexpr std::array<Sign, 6> kSigns{{
    {".py", "from agents|import agents|openai_agents", "function_tool|FunctionTool|Agent(|MCPServer", "openai_agents_sdk", "tools of the OpenAI Agents SDK"},
    {".py", "langchain|langgraph", "@tool|BaseTool|Tool(|Tool.from_function|Toolkit|ToolNode|bind_tools|create_agent|create_react_agent|initialize_agent", "langchain", "tools of LangChain or LangGraph"},
    {".py", "crewai", "@tool|Tool|Agent(", "crewai", "tools of CrewAI"},
    {".py", "google.adk", "Agent(|FunctionTool|Toolset", "google_adk", "an agent of Google ADK"},
    {".py", "fastmcp|mcp.server|FastMCP", ".tool|list_tools", "mcp_server_source", "registrations of an MCP server"},
    {".ts .js .mjs .go", "modelcontextprotocol|mcp-go|go-sdk/mcp", "ool(|static toolName|Tool{|ListToolsRequestSchema", "mcp_server_source", "registrations of an MCP server"},
}};
// table: folders of tests, whose sources are nobody's agent
constexpr std::string_view kTestFolders = "test tests __tests__ testdata fixtures spec e2e";
constexpr std::string_view kPackages = "pyproject.toml setup.py package.json Cargo.toml go.mod pom.xml";
constexpr std::string_view kCode = ".py .ts .js .mjs .go .rs .java .rb .cs";
// clang-format on

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool ends_with_one(std::string_view path, std::string_view suffixes) {
  return std::ranges::any_of(split(suffixes, ' '),
                             [&](std::string_view s) { return path.ends_with(s); });
}

bool holds_one(std::string_view text, std::string_view needles) {
  return std::ranges::any_of(split(needles, '|'),
                             [&](std::string_view n) { return contains(text, n); });
}

bool is_of_tests(std::string_view path) {
  const std::string_view name = name_of(path);
  if (name.starts_with("test_") || contains(name, ".test.") || contains(name, "_test.") ||
      contains(name, ".spec."))
    return true;
  const auto parts = split(path, '/');
  return std::any_of(parts.begin(), parts.end() - 1,
                     [](std::string_view part) { return is_one_of(part, kTestFolders); });
}

bool is_document(std::string_view path) {
  return ends_with_one(lower_case(name_of(path)), ".json .yaml .yml");
}

/// Names under which documents about tools are kept.
bool is_document_name(std::string_view path) {
  const std::string name = lower_case(name_of(path));
  for (const char* word : {"mcp", "tool", "openapi", "swagger", "workflow", "n8n"})
    if (contains(name, word)) return true;
  return contains(path, "tools/") || contains(path, "n8n/");
}

/// Words of which a document about tools holds all of one row; a name that says nothing is no
/// reason to parse every document of a repository.
// table: signs of documents
constexpr std::array<std::string_view, 8> kDocumentSigns{
    "openapi paths", "nodes connections", "tasks taskReferenceName", "tools name",
    "agent_class",   "inputSchema name",  "input_schema name",       "parameters description",
};

bool holds_sign(std::string_view bytes) {
  return std::ranges::any_of(kDocumentSigns, [&](std::string_view row) {
    return std::ranges::all_of(split(row, ' '),
                               [&](std::string_view word) { return contains(bytes, word); });
  });
}

bool is_conductor(const Value& root) {
  const List& tasks = Peek(root)["tasks"].list();
  return Peek(root)["name"].exists() && !tasks.empty() &&
         std::ranges::all_of(tasks, [](const Value& task) {
           return Peek(task)["type"].exists() &&
                  (Peek(task)["taskReferenceName"].exists() || Peek(task)["name"].exists());
         });
}

/// An Agent Config of Google ADK.
bool is_agent_config(const Peek& at) {
  return at["name"].exists() && !at["tools"].list().empty() &&
         (at["agent_class"].exists() || at["instruction"].exists());
}

bool is_function(const Peek& tool) {
  return tool["function"].exists() || tool["type"].text() == "function" ||
         (tool["name"].exists() && tool["parameters"]["properties"].exists());
}

/// The type of source that a document could be; empty: none. Where the name of the file says
/// nothing, a name and a description alone do not make a tool.
std::string_view type_of(const Value& root, bool is_named) {
  const Peek at(root);
  if (at["openapi"].exists() || at["swagger"].exists()) return "openapi";
  if (!at["nodes"].list().empty() && at["connections"].exists()) return "n8n";
  if (is_conductor(root)) return "conductor";
  if (is_agent_config(at)) return "google_adk";
  if (!at["result"]["tools"].list().empty()) return "mcp";
  const List& several = at.list();
  if (!several.empty() && !Peek(several.front())["nodes"].list().empty() &&
      Peek(several.front())["connections"].exists())
    return "n8n";
  if (!several.empty() && is_conductor(several.front())) return "conductor";
  const bool is_list_of_tools = is_named || !at["tools"].list().empty();
  for (const ToolItem& item : tool_items(root)) {
    const Peek tool(*item.value);
    if (tool["inputSchema"].exists()) return "mcp";
    if (tool["input_schema"].exists()) return "anthropic";
    if (is_function(tool)) return "openai_api";
    if (is_list_of_tools && tool["name"].exists() && tool["description"].exists()) return "mcp";
  }
  return {};
}

/// Its files look like an agent's even where none of their tools can be read.
bool is_code_type(std::string_view type) {
  return std::ranges::any_of(kSigns, [&](const Sign& sign) { return sign.type == type; });
}

Manifest manifest_with(std::string_view type, const std::string& path) {
  Manifest out;
  out.project_name = out.agent_name = "trial";
  out.target = "local";
  const PathEntries entries{PathEntry{.path = path}};
  if (type == "openai_api") {
    out.openai.emplace().tools = entries;
  } else if (type == "anthropic") {
    out.anthropic.emplace().tools = entries;
  } else if (type == "n8n") {
    out.n8n.emplace().workflows = entries;
  } else {
    out.tool_sources.push_back(
        {.id = "trial", .type = std::string(type), .path = path, .mode = ""});
  }
  return out;
}

class Search {
 public:
  Search(const std::vector<std::string>& paths, Files& files) : paths_(paths), files_(files) {}

  Suggestions run() {
    for (const std::string& path : paths_)
      look_at(path);
    for (const auto& [folder, count] : server_folders())
      try_as("mcp_server_source", folder, "registrations of an MCP server");
    std::ranges::sort(out_.sources, [](const Suggestion& a, const Suggestion& b) {
      return std::tie(a.type, a.path) < std::tie(b.type, b.path);
    });
    return std::move(out_);
  }

 private:
  void look_at(const std::string& path) {
    const std::string_view name = name_of(path);
    out_.has_package = out_.has_package || is_one_of(name, kPackages);
    out_.has_code = out_.has_code || ends_with_one(name, kCode);
    if (is_of_tests(path)) return;
    if (path.ends_with(".codex-plugin/plugin.json")) {
      const std::string folder =
          path.substr(0, path.size() - std::string_view(".codex-plugin/plugin.json").size());
      out_.codex_plugins.push_back(folder.empty() ? "." : folder.substr(0, folder.size() - 1));
      try_as("codex_plugin", out_.codex_plugins.back(), "a Codex plugin");
    }
    const bool is_prompt = (path.starts_with("prompts/") || contains(path, "/prompts/")) ||
                           contains(lower_case(name), "prompt");
    if (is_prompt && ends_with_one(name, ".md .txt .prompt")) out_.prompts.push_back(path);
    if (is_document(name)) is_document_name(path) ? look_at_document(path) : look_inside(path);
    if (ends_with_one(name, ".py .ts .js .mjs .go")) look_at_code(path);
  }

  bool may_look() {
    out_.was_cut = out_.was_cut || looked_at_ >= kMaxLookedAt;
    return looked_at_++ < kMaxLookedAt;
  }

  void look_at_document(const std::string& path) {
    if (!may_look()) return;
    const auto document = read_input_document(files_, path);
    if (document) try_document(type_of(document->document.root, true), path);
  }

  /// A document whose name says nothing is parsed when its bytes hold the words of one.
  void look_inside(const std::string& path) {
    if (unnamed_ >= kMaxUnnamed) {
      out_.was_cut = true;
      return;
    }
    ++unnamed_;
    if (!may_look()) return;
    const auto file = read_input(files_, path, "", kMaxSignBytes);
    if (!file || !holds_sign(file->bytes)) return;
    const auto document = wire::read_document(file->bytes, file->path);
    if (document) try_document(type_of(document->root, false), path);
  }

  void try_document(std::string_view type, const std::string& path) {
    if (!type.empty()) try_as(type, path, "a document about tools");
  }

  void look_at_code(const std::string& path) {
    if (!may_look()) return;
    const auto file = read_input(files_, path, "", kMaxSignBytes);
    if (!file) return;
    for (const Sign& sign : kSigns) {
      if (!ends_with_one(path, sign.suffixes) || !holds_one(file->bytes, sign.imports) ||
          !holds_one(file->bytes, sign.uses))
        continue;
      out_.frameworks.emplace(sign.type);
      if (sign.type == "mcp_server_source")
        servers_.push_back(path);
      else
        try_as(sign.type, path, sign.why);
    }
  }

  /// Files of one server lie side by side: the folder that holds them all, unless that is all there
  /// is; then one folder below the top for each.
  std::map<std::string, std::size_t> server_folders() const {
    std::map<std::string, std::size_t> out;
    if (servers_.size() == 1) return {{servers_.front(), 1}};
    std::string common = servers_.empty() ? "" : folder_of(servers_.front());
    for (const std::string& path : servers_)
      while (!common.empty() && !path.starts_with(common + "/"))
        common = common.find('/') == common.npos ? "" : common.substr(0, common.rfind('/'));
    if (!common.empty()) return {{common, servers_.size()}};
    for (const std::string& path : servers_)
      ++out[path.find('/') == path.npos ? path : path.substr(0, path.find('/'))];
    return out;
  }

  void try_as(std::string_view type, const std::string& path, std::string_view why) {
    if (of_type_[std::string(type)] >= kMaxSuggestions) {
      out_.was_cut = true;
      return;
    }
    const auto loaded = load_surface(manifest_with(type, path), files_);
    if (!loaded) return;
    const bool is_plugin = type == "codex_plugin";
    const bool is_told =
        is_code_type(type) && !std::ranges::all_of(loaded->warnings, is_nothing_read);
    if (loaded->tools.empty() && !is_plugin && !is_told) return;
    ++of_type_[std::string(type)];
    Suggestion found{.type = std::string(type), .path = path, .why = std::string(why)};
    for (const Tool& tool : loaded->tools) {
      ++found.tool_count;
      found.weak_count += tool.confidence != Confidence::high ? 1 : 0;
      if (is_high_risk(tool)) out_.high_risk_tools.insert(tool.name);
    }
    out_.sources.push_back(std::move(found));
  }

  const std::vector<std::string>& paths_;
  Files& files_;
  Suggestions out_{};
  std::vector<std::string> servers_{};
  std::map<std::string, std::size_t> of_type_{};
  std::size_t looked_at_ = 0, unnamed_ = 0;
};

}  // namespace

Suggestions suggest_sources(const std::vector<std::string>& paths, Files& files) {
  return Search(paths, files).run();
}

}  // namespace gh::surface
