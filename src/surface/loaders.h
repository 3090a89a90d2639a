#pragma once
// One loader for each kind of source (tool-surface 5). A loader reads files and says what they
// declare; it judges nothing. Whatever it does not understand becomes a warning or an error.
#include <string>
#include <string_view>
#include <vector>

#include "surface/evidence.h"
#include "surface/files.h"
#include "surface/manifest.h"
#include "surface/tool.h"

namespace gh::surface {

struct Loaded {
  std::vector<Tool> tools{};
  std::vector<std::string> warnings{};
  std::vector<Toolkit> toolkits{};
  std::vector<McpOffer> offers{};
  std::vector<ServerCommand> servers{};  // of MCP, that the source starts or reaches
  bool is_partial = false;               // something of the source was not read
};

struct SourceRef {
  std::string id, path;
  std::string type = "mcp";  // source_type of its tools
  std::string base{};        // folder that the path starts from
};

/// MCP exports and inventories of frameworks, which have their shape.
Result<Loaded> load_mcp(const SourceRef&, Files&);
Result<Loaded> load_openapi(const SourceRef&, Files&);

struct LoadedApi {
  Loaded loaded{};
  ApiArtifacts artifacts{};
};
Result<LoadedApi> load_openai(const OpenAiBlock&, Files&);
Result<LoadedApi> load_anthropic(const AnthropicBlock&, Files&);

/// The entry is the path of the source, else agent.sdk.entrypoint.
Result<Loaded> load_agents_sdk(const ToolSource&, const Manifest&, Files&);

struct LoadedFramework {
  Loaded loaded{};
  FrameworkFacts facts{};
};
Result<LoadedFramework> load_langchain(const Manifest&, Files&);
Result<LoadedFramework> load_crewai(const Manifest&, Files&);

struct LoadedAdk {
  Loaded loaded{};
  AdkFacts adk{};
};
Result<LoadedAdk> load_adk(const Manifest&, Files&);

struct LoadedN8n {
  Loaded loaded{};
  N8nFacts n8n{};
};
Result<LoadedN8n> load_n8n(const FrameworkBlock&, Files&);

struct LoadedCodex {
  Loaded loaded{};
  CodexFacts codex{};
};
Result<LoadedCodex> load_codex_plugins(const Manifest&, Files&);
/// Boundary facts of `.codex`, AGENTS.md and skills of a repository; no tools.
struct LoadedCodexConfig {
  Map facts{};
  std::vector<ServerCommand> servers{};
};
Result<LoadedCodexConfig> load_codex_config(const Manifest&, Files&,
                                            std::vector<std::string>& warnings);

struct LoadedConductor {
  Loaded loaded{};
  ConductorFacts conductor{};
};
Result<LoadedConductor> load_conductor(const Manifest&, Files&);

/// Registrations in the source of an MCP server.
Result<Loaded> load_server_source(const ToolSource&, Files&);

Result<ValidationEvidence> load_validation(const ValidationBlock&, Files&);

/// Settings, definitions and MCP servers of coding agents beside the manifest.
HostFacts load_host(Files&, std::vector<std::string>& warnings);
/// Nothing when there is no lock; input_unreadable, json_invalid or yaml_invalid when it is broken.
Result<std::optional<ToolLock>> load_tool_lock(Files&);

/// The first CODEOWNERS of the root, `.github` and `docs`.
OwnersFacts load_owners(const Manifest&, Files&);

/// Tool calls that were recorded (tool-surface 6.1).
Result<std::vector<TraceEvent>> load_traces(const PathEntry&, Files&,
                                            std::vector<std::string>& warnings);

// ---------------------------------------------------------------------------- shared by loaders

/// Provenance of something in a document.
Place place_in(const InputDocument&, std::string_view pointer);

/// An MCP server as a configuration starts it, with the names of its environment.
ServerCommand server_command(const std::string& name, const std::string& path, const Value& server);

/// An object member, or nothing.
Map object_at(const Value& item, std::string_view key);
std::vector<std::string> strings_at(const Value& item, std::string_view key);
std::string text_at(const Value& item, std::string_view key);

/// The folder of a file, "" for the manifest's own.
std::string folder_of(std::string_view path);
/// A path that a file in `folder` names and that must not lead out of that folder.
Result<Found> find_below(Files&, std::string_view path, const std::string& folder);

/// Items that describe tools: of a list, of `tools` in a mapping, or the mapping itself.
struct ToolItem {
  const Value* value;
  std::string pointer;
  std::size_t index;
};
std::vector<ToolItem> tool_items(const Value& root);

void set_schemas(Tool&, Schema input, Schema output);

/// Runs `read`; the failure of an optional entry becomes the warning. A path that leads out of the
/// folder of the manifest is never optional; a pointer in the place of a file always is a warning:
/// nobody can read it here, and whoever reviews has to know (release-gate 18.2).
template <class Read>
Status unless_optional(bool optional, std::string warning, std::vector<std::string>& warnings,
                       Read read) {
  Status status = read();
  if (!status && is_pointer(status.error())) {
    warnings.push_back(status.error().message);
    return {};
  }
  if (status || !optional || is_outside(status.error())) return status;
  warnings.push_back(std::move(warning));
  return {};
}

}  // namespace gh::surface
