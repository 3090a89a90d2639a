#pragma once
// What sources declare besides tools: artifacts of APIs, facts of frameworks, recorded evidence.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/value.h"
#include "surface/tool.h"

namespace gh::surface {

struct ResponseFormat {
  std::string path, name;
  Value strict{};
  Map schema{};
  std::vector<std::string> critical_fields{};
};

/// `openai_api` or `anthropic` as far as files were given.
struct ApiArtifacts {
  std::string prompt_text{};
  std::vector<ResponseFormat> response_formats{};
  Map model_config{};
  bool has_model_config = false;
  List test_cases{}, trace_samples{};
  Map policy_rules{};
  std::vector<std::string> skipped_server_tools{};
  std::int64_t prompt_file_count = 0, tool_file_count = 0, policy_rule_count = 0;

  std::vector<std::string> rule_list(std::string_view key) const;
  /// `retry_policy` or `timeouts`: of the policy rules, else of the model's configuration.
  Map operating(std::string_view key) const;
};

/// A place where tools are put together at run time.
struct DynamicSurface {
  std::string kind, source_ref;
  std::int64_t line = 0;
  std::string reason{};
};
Map document_of(const DynamicSurface&);

struct FrameworkFacts {
  std::vector<DynamicSurface> dynamic{};
  bool has_inventory = false;
  Map counts{};  // the summary of the report
  std::vector<std::string> warnings{};
};

/// A set of tools that an agent of Google ADK is given as a whole.
struct AdkToolset {
  std::string kind;  // openapi, mcp, dynamic
  std::string source_id, source_ref, agent_name, name{};
  std::optional<bool> filtered{};
  std::vector<std::string> filter_values{};
  std::string inventory_path{};
  bool resolved = false, dynamic = false;
};

struct AdkFacts {
  FrameworkFacts facts{};
  std::vector<AdkToolset> toolsets{};
  std::int64_t agents = 0, callbacks = 0, plugins = 0;
  std::vector<std::string> eval_files{};
  std::string instruction{};  // the first one that an agent is given
};

/// Something in a workflow of n8n that a reviewer must see. Unknown texts are empty.
struct N8nPlace {
  std::string source_ref, source_path, workflow_id, node_id{};
  std::string pointer{};         // true one, of the document
  std::string compat_pointer{};  // by the id of the node: what fingerprints are made of
};

struct N8nDynamic {
  std::string kind, reason;
  N8nPlace place;
};
Map document_of(const N8nDynamic&);

struct N8nClient {
  std::string selection_mode;
  N8nPlace place;
};

/// The value itself is never kept.
struct N8nSecret {
  std::string kind;
  N8nPlace place;
};

struct N8nFacts {
  FrameworkFacts facts{};
  std::vector<N8nDynamic> dynamic{};
  std::vector<N8nClient> clients{};
  std::vector<N8nSecret> secrets{};
  std::int64_t workflows = 0, agents = 0, credential_refs = 0, stub_files = 0, eval_files = 0;
};

/// How a server of MCP is started or reached. Of the environment only names are kept.
struct ServerCommand {
  std::string server, path, command, url;
  std::vector<std::string> arguments{}, environment{};
};

/// Two tools of one name, of which one is gone.
struct Shadow {
  std::string name, kept_source, other_source;
  std::vector<std::string> differing{};  // description, input_schema
};

/// Plugins of Codex: rows of `codex_plugin_surface` (docs/reference/release-report.md).
struct CodexFacts {
  std::vector<Map> plugins{}, marketplaces{}, skills{}, apps{}, servers{}, hooks{}, path_issues{};
  std::vector<std::string> inventory_files{}, warnings{};
  std::vector<ServerCommand> commands{};
};
Map document_of(const CodexFacts&);

/// A part of a workflow of Conductor that decides at run time what is called.
struct ConductorDynamic {
  std::string kind, source_ref, task, reason;
  std::int64_t line = 0;
  std::string pointer{};
};
Map document_of(const ConductorDynamic&);

struct ConductorFacts {
  FrameworkFacts facts{};
  std::vector<ConductorDynamic> dynamic{};
};

/// A toolkit that a vendor's constructor makes: bounded by an allowlist or not.
struct Toolkit {
  std::string provider, constructor, binding;
  bool bounded = false;
  std::vector<std::string> scopes{};
  std::string config_binding = "none";  // none, literal, config, unknown
  std::string config_path{};            // the file that the code names, as it names it
  std::string source_ref{};
  std::int64_t line = 0;
};

/// What an MCP server offers besides tools.
struct McpOffer {
  std::string kind;  // prompt, resource
  std::string name, description, source_id, source_ref;
};

/// Who must review a change of the manifest, as CODEOWNERS says.
struct OwnersFacts {
  std::string path{};  // empty: there is none
  std::vector<std::string> searched{};
  bool covers_manifest = false;
};

/// What a coding agent may do without asking.
struct HostGrant {
  std::string text;
  Place place;
};
using HostGrants = std::vector<HostGrant>;

/// What stands beside a manifest for the coding agents that work there.
struct HostFacts {
  HostGrants grants{};
  std::vector<ServerCommand> servers{};
};

/// Contracts of tools that people agreed on (`gatehouse.tools.lock`): hashes by field, by name.
struct ToolLock {
  std::string path;
  std::map<std::string, Map, std::less<>> contracts{};
};

struct TraceEvent {
  std::string tool_name;
  std::optional<bool> approved{}, confirmed{}, success{};
  std::string error{};
};

struct OverrideEvent {
  std::string tool_name, action, reason{}, actor{}, timestamp{};
};

struct Exclusion {
  std::string tool, reason, owner{};
};

/// Provenance of human-in-the-loop evidence (tool-surface 6.2).
struct EvidenceSource {
  std::string type, ref, location, status, detail;
  auto operator<=>(const EvidenceSource&) const = default;
};

struct ValidationEvidence {
  std::vector<TraceEvent> approvals{};
  std::vector<OverrideEvent> overrides{};
  std::vector<Exclusion> exclusions{};
  std::vector<Map> criteria{};
  std::vector<std::string> trace_files{}, override_files{}, exclusion_files{}, criteria_files{};
  std::vector<EvidenceSource> sources{};
  std::vector<std::string> warnings{};
};

}  // namespace gh::surface
