#pragma once
// What each tool does to the world, as facts that two scans can be compared by (tool-surface 7.4,
// 8.3; release-gate 14).
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "surface/surface.h"

namespace gh::surface {

struct Safeguards {
  std::optional<bool> idempotency{}, audit_log{}, rollback{}, dry_run{};
};

/// Texts that are unknown are empty.
struct Action {
  std::string id, agent_id, tool_id, tool_name, provider, source_type, source_id, operation, effect;
  std::vector<std::string> risk_tags{}, required_scopes{};
  bool approval_required = false;
  std::string threshold{};
  Safeguards safeguards{};
  std::string owner{}, runbook{}, approval_ticket{};
  std::vector<std::string> input_fields{}, required_input_fields{};
  std::string input_schema_hash{}, schema_hash{};
  Place place{};

  // What a declaration changed, for the checks of weakening declarations.
  std::string inferred_effect{};
  bool is_declared = false;
  std::vector<std::string> downgraded{};  // dotted paths that are true without the declaration
};
Map document_of(const Action&);
/// The same as a row of a report, `depth` lists and mappings deep.
void append_row(std::string& out, std::size_t depth, const Action&);

/// Sorted by id. policy_bad_value when two tools have one id.
Result<std::vector<Action>> actions_of(const Manifest&, const Surface&);

std::string canonical_tag(std::string_view tag);
int effect_rank(std::string_view effect);

}  // namespace gh::surface
