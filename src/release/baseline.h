#pragma once
// Accepted findings of an earlier scan (release-gate 5).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "release/decision.h"
#include "release/gated.h"

namespace gh::release {

struct BaselineEntry {
  std::string fingerprint, check_id, tool_name{}, severity{}, title{};
  std::optional<Map> provenance{};
};

struct Baseline {
  std::string schema_version;
  std::vector<BaselineEntry> entries{};
  Value document{};  // as it was read
};

/// json_invalid for anything that is no baseline of schema 0.2 to 0.5; unknown keys are refused.
Result<Baseline> read_baseline(std::string_view json, std::string_view name);

/// An entry under a legacy id accepts whatever that id stands for, on its tool.
bool accepts_by_alias(const BaselineEntry&, const Finding&);

/// Sets the status of active findings and counts.
BaselineDelta match_baseline(Findings&, const Baseline&, std::string path);

/// What a new baseline file holds.
struct BaselineFacts {
  Value project, agent;
  std::string created_at, run_id, scanner_version;
  Value tool_surface_facts, action_surface_facts;
  const Baseline* prior = nullptr;
  std::string reason{}, expires{};  // of new entries; a person's words
  bool fills_existing = false;      // also of old ones, where they have none
};
/// The bytes of the file: active findings in order; provenance of known entries is kept.
std::string write_baseline(const Findings&, const BaselineFacts&);

}  // namespace gh::release
