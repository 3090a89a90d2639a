// What the folder of the manifest says besides its sources: which tools its coding agents may use
// without asking, and the contracts of tools that were agreed on (tool-surface 16.2).
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/front_matter.h"
#include "surface/loaders.h"

namespace gh::surface {
namespace {

// table: settings of coding agents
constexpr std::array<std::string_view, 2> kSettings{".claude/settings.json",
                                                    ".claude/settings.local.json"};
struct ServerFile {
  std::string_view path, key;
};
// table: MCP servers of coding agents
constexpr std::array<ServerFile, 3> kServerFiles{{{".mcp.json", "mcpServers"},
                                                  {".cursor/mcp.json", "mcpServers"},
                                                  {".vscode/mcp.json", "servers"}}};
/// Lists of tools that a host calls without asking.
constexpr std::string_view kApprovedKeys = "autoApprove alwaysAllow";
constexpr std::string_view kAgentFolder = ".claude/agents";
constexpr std::string_view kLockFile = "gatehouse.tools.lock";
constexpr std::string_view kLockSchema = "gatehouse.tools.lock/1";

Result<HostFacts> facts_of_settings(Files& files, std::string_view path) {
  GH_TRY(input, read_input_document(files, path));
  HostFacts out;
  const List& allowed = Peek(input.document.root)["permissions"]["allow"].list();
  for (std::size_t i = 0; i < allowed.size(); ++i)
    if (allowed[i].as_string() != nullptr)
      out.grants.push_back(
          {*allowed[i].as_string(), place_in(input, fmt::format("/permissions/allow/{}", i))});
  return out;
}

/// Servers with the names of what they are handed, and the tools of each that nobody is asked
/// about.
Result<HostFacts> facts_of_servers(Files& files, const ServerFile& file) {
  GH_TRY(input, read_input_document(files, file.path));
  HostFacts out;
  for (const auto& [name, server] : Peek(input.document.root)[file.key].map().entries()) {
    const std::string pointer = fmt::format("/{}{}", file.key, wire::pointer_part(name));
    out.servers.push_back(server_command(name, input.path, server));
    for (const std::string_view key : split(kApprovedKeys, ' '))
      for (const std::string& tool : strings_at(server, key))
        out.grants.push_back({fmt::format("mcp__{}__{}", name, tool),
                              place_in(input, fmt::format("{}/{}", pointer, key))});
  }
  return out;
}

/// `tools` of an agent's definition: a list, or words with commas between them.
Result<HostFacts> facts_of_agent(Files& files, const std::string& path) {
  GH_TRY(input, read_input(files, path));
  GH_TRY(head, read_front_matter(input.bytes, path));
  HostFacts out;
  const auto add = [&](std::string_view grant) {
    if (!trimmed(grant).empty())
      out.grants.push_back({std::string(trimmed(grant)), Place{.path = path, .start_line = 1}});
  };
  const Peek tools(head.find("tools"));
  for (const std::string_view word : split(tools.text(), ','))
    add(word);
  for (const Value& item : tools.list())
    add(Peek(item).text());
  return out;
}

}  // namespace

ServerCommand server_command(const std::string& name, const std::string& path,
                             const Value& server) {
  ServerCommand out{name, path, text_at(server, "command"), text_at(server, "url"),
                    strings_at(server, "args")};
  for (const auto& entry : Peek(server)["env"].map().entries())
    out.environment.push_back(entry.first);
  return out;
}

HostFacts load_host(Files& files, std::vector<std::string>& warnings) {
  HostFacts out;
  const auto take = [&](Result<HostFacts> facts, std::string_view path) {
    if (!facts) {
      warnings.push_back(fmt::format("Settings of coding agents '{}' cannot be read.", path));
      return;
    }
    std::ranges::move(facts->grants, std::back_inserter(out.grants));
    std::ranges::move(facts->servers, std::back_inserter(out.servers));
  };
  const auto is_file = [&](std::string_view path) {
    const auto found = files.find(path);
    return !found || found->kind == EntryKind::file;  // a link that leads outside is told, too
  };
  for (const std::string_view path : kSettings)
    if (is_file(path)) take(facts_of_settings(files, path), path);
  for (const ServerFile& file : kServerFiles)
    if (is_file(file.path)) take(facts_of_servers(files, file), file.path);
  const auto folder = files.find(kAgentFolder);
  if (!folder || folder->kind != EntryKind::folder) return out;
  const auto agents = files_below(files, *folder, ".md");
  if (!agents) return out;
  for (const std::string& path : agents->paths)
    take(facts_of_agent(files, path), path);
  return out;
}

Map contract_of(const Tool& tool) {
  const std::string_view description = trimmed(tool.description);
  return {{"description", stable_hash(description.empty() ? Value() : Value(description))},
          {"input_schema", tool.input_schema.hash()},
          {"output_schema", tool.output_schema.hash()},
          {"annotations", stable_hash(tool.annotations)}};
}

Result<std::optional<ToolLock>> load_tool_lock(Files& files) {
  const auto found = files.find(kLockFile);
  if (!found || found->kind == EntryKind::missing) return std::nullopt;
  GH_TRY(input, read_input_document(files, kLockFile));
  const Value& root = input.document.root;
  if (Peek(root)["schema"].text() != kLockSchema || !Peek(root)["tools"].exists())
    return refuse_input(input, "",
                        fmt::format("must be a lock of schema {} with tools", kLockSchema));
  ToolLock out{input.path};
  for (const auto& [name, contract] : Peek(root)["tools"].map().entries()) {
    if (contract.as_map() == nullptr)
      return refuse_input(input, "/tools" + wire::pointer_part(name), "a tool must be a mapping");
    out.contracts.emplace(name, *contract.as_map());
  }
  return out;
}

}  // namespace gh::surface
