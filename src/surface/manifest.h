#pragma once
// The manifest of an agent: shipgate.yaml, or the block release_gate of gatehouse.yaml
// (tool-surface 2). A Manifest in hand was checked key by key.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"
#include "surface/tool.h"
#include "surface/words.h"

namespace gh::surface {

inline constexpr std::size_t kMaxManifest = 1u << 20;
inline constexpr std::string_view kStandAloneName = "shipgate.yaml";
inline constexpr std::string_view kEmbeddedName = "gatehouse.yaml";
inline constexpr std::string_view kEmbeddedBlock = "release_gate";

struct PathEntry {
  std::string path{};
  bool optional = false;
  std::string name{};                          // function_schemas, response_formats, packs: id
  std::vector<std::string> critical_fields{};  // response_formats
  std::string plugin{}, server{};              // inventories of Codex plugins
  std::string sha256{};                        // policy packs
};
using PathEntries = std::vector<PathEntry>;

struct ToolSource {
  std::string id, type, path{}, trust{}, mode{};
  bool optional = false;
};

struct ControlEntry {
  std::string tool, reason{};
};
using Controls = std::vector<ControlEntry>;

struct IgnoreEntry {
  std::string check_id, tool{}, reason, owner{}, expires{};
};

/// Its last day was before today. Both are YYYY-MM-DD.
inline bool is_expired(const IgnoreEntry& entry, std::string_view today) {
  return !entry.expires.empty() && !today.empty() && entry.expires < today;
}

struct SeverityOverride {
  std::string check_id;
  FindingSeverity severity = FindingSeverity::info;
  std::string reason{}, expires{};
};

struct Acknowledgement {
  std::string check_id, reason, expires{};
};

struct RiskOverride {
  std::string tool;
  std::vector<std::string> tags{}, remove_tags{};
  std::string owner{}, confidence = "manual", reason;
};

struct DeclaredAction {
  std::string tool, id{}, provider{}, operation{}, effect{}, threshold{};
  std::vector<std::string> risk_tags{}, scopes{};
  std::optional<bool> approval_required{}, idempotency{}, audit_log{}, rollback{}, dry_run{};
  std::string owner{}, runbook{}, approval_ticket{};
};

struct ActionPolicy {
  std::string id;
  std::vector<std::string> action_ids{}, tools{}, effects{}, risk_tags{}, scopes{};
  Map require{};
  FindingSeverity severity = FindingSeverity::high;
  bool block = true;
  std::string message{}, recommendation{};
};

struct HumanAck {
  std::string affected_surface, owner, reason, expires{};
};

struct OpenAiBlock {
  PathEntries prompt_files, tools, function_schemas, response_formats, test_cases, trace_samples,
      policy_rules;
  std::optional<PathEntry> model_config;
};

struct AnthropicBlock {
  PathEntries prompt_files, tools, policy_rules;
};

/// Frameworks; each reads its own lists only.
struct FrameworkBlock {
  PathEntries python_entrypoints, agent_configs, eval_sets, tool_inventories, trace_samples,
      workflows, credential_stubs, variable_stubs, data_table_schemas, execution_samples;
};

struct ValidationBlock {
  std::string mode, posture = "recommendation_only";
  bool approval_trace_required = false, override_reason_required = false,
       exclusion_required = false;
  PathEntries approval_traces, override_logs, high_risk_exclusions, promotion_criteria;
};

/// Texts that were not given are empty.
struct Manifest {
  std::string file = std::string(kStandAloneName);
  bool embedded = false;
  Profile profile = Profile::compat;
  Value document{};  // the mapping as it was written, short forms expanded

  std::string project_name{}, project_owner{}, project_repo{};
  std::string agent_name{}, instructions_preview{};
  std::optional<Map> sdk{};
  std::vector<std::string> declared_purpose{}, prohibited_actions{};
  std::string target{}, promotion_from{}, promotion_to{};
  std::vector<ToolSource> tool_sources{};
  std::optional<OpenAiBlock> openai{};
  std::optional<AnthropicBlock> anthropic{};
  std::optional<FrameworkBlock> google_adk{}, langchain{}, crewai{}, n8n{};
  PathEntries codex_inventories{};
  std::optional<ValidationBlock> validation{};
  Controls approval{}, confirmation{}, idempotency{};
  std::vector<std::string> scopes{};
  std::vector<RiskOverride> risk_overrides{};
  std::vector<IgnoreEntry> ignore{};
  PathEntries policy_packs{};
  std::vector<SeverityOverride> severity_overrides{};
  std::vector<Acknowledgement> acknowledgements{};
  bool require_explicit_actions = false;
  std::vector<DeclaredAction> actions{};
  std::vector<ActionPolicy> action_policies{};
  std::string ci_mode = "advisory";
  std::optional<std::vector<FindingSeverity>> fail_on{};
  std::string integrity_mode = "warn", audit_log{};
  std::string output_directory{};
  std::vector<std::string> formats{"markdown", "json"};
  bool packet_enabled = true;
  std::vector<std::string> packet_formats{"md", "json", "html"};
  std::vector<HumanAck> human_acks{};

  std::string agent_id() const { return "agent:" + project_name + "/" + agent_name; }
  bool is_production_like() const { return target == "production_like" || target == "production"; }
  const RiskOverride* risk_override_of(std::string_view tool) const;
  bool has_source(std::string_view type) const;  // a tool source of that type, or its block
  /// Of a key or item of the mapping, with the prefix of the embedded form.
  std::string pointer(std::string_view inside) const;
  /// Where it stands; without lines when the document does not have it.
  Place place(std::string_view inside) const;

  std::vector<std::pair<std::string, Place>> places{};  // of every key and item, by pointer
};

/// policy_unreadable, policy_not_object or policy_bad_value; the last lists every violation, one a
/// line: "- dotted.key: FILE:LINE:COLUMN: what".
Result<Manifest> read_manifest(std::string_view yaml, std::string_view file);

/// True when this text of a gatehouse.yaml has the block.
bool has_embedded_manifest(std::string_view yaml);

}  // namespace gh::surface
