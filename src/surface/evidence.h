#pragma once
// What sources declare besides tools: artifacts of APIs, facts of frameworks, recorded evidence.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/value.h"

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
