#pragma once
// The catalogue: every check that this program can run, one row each (tool-surface 13). A row
// without a function does not exist. Longer texts live in data/rules/checks.yaml.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/finding.h"
#include "surface/action_diff.h"
#include "surface/actions.h"
#include "surface/manifest.h"
#include "surface/surface.h"

namespace gh::checks {

struct Verification;

/// What checks look at.
struct Scan {
  const surface::Manifest& manifest;
  const surface::Surface& surface;
  const std::vector<surface::Action>& actions;
  surface::Profile profile = surface::Profile::compat;
  std::string today{};                               // YYYY-MM-DD, UTC; empty: nothing expires
  std::vector<std::string> pack_rule_ids{};          // of policy packs: known to suppressions
  const surface::ActionDiff* action_diff = nullptr;  // nullptr: nothing to compare with
  const Verification* verification = nullptr;        // nullptr: no change is judged
};

/// Rules that only the extended profile lets gate: our own, and those on permissions of MCP and on
/// the boundary of coding agents, which the contract of the compat profile does not have.
inline bool is_own_rule(std::string_view id) {
  return id.starts_with("GATE-") || id.starts_with("SHIP-MCP-") ||
         id.starts_with("SHIP-HOST-BOUNDARY-") || id.starts_with("SHIP-CODEX-BOUNDARY-");
}

struct Check;
class Found;

struct Check {
  std::string_view id, category;
  FindingSeverity severity;
  std::optional<FindingSeverity> floor;
  Provenance provenance;
  Confidence confidence;
  bool human;                // a human reviews it whatever its patches (H)
  std::string_view tier;     // core, adapter, evidence, lifecycle, hygiene: display only
  std::string_view patch;    // kind that is suggested
  std::string_view pointer;  // manifest place to fix; empty: none
  std::string_view title;    // {tool} is the tool, {what} the subject
  std::string_view recommendation;
  std::string_view evidence;  // fields, separated by blanks
  void (*run)(const Check&, const Scan&, Found&);
  bool dynamic_default = false;
  bool reviewed = true;      // requires_human_review by default
  bool also_compat = false;  // a rule of our own that the compat profile tells, too, as info
};

/// In the order in which they run.
std::span<const Check> catalogue();
const Check* find_check(std::string_view id);
std::string docs_url(std::string_view id);

/// An id of others for what a check of ours tells. Nothing is ever found under it; manifests that
/// name it in suppressions and overrides are in order.
struct CoveredCheck {
  std::string_view id;
  FindingSeverity severity;
  FindingSeverity floor;
  std::string_view by;  // who tells it
};
const CoveredCheck* find_covered_check(std::string_view id);

/// Ids that stand for several: in suppressions, overrides and baselines only.
struct Alias {
  std::string_view id;
  std::span<const std::string_view> targets;
};
std::span<const Alias> aliases();
/// The id itself, or what it stands for.
std::vector<std::string_view> expanded(std::string_view id);

/// Three tools through which data can leave. Its waiver names the triple, "reader, taker, sender".
inline constexpr std::string_view kFlowRule = "GATE-FLOW-TRIFECTA";
std::string triple_of(const Map& evidence);

/// What a finding has that is not in the row.
struct Told {
  std::string what{};  // the subject of the title
  Map evidence{};
  std::optional<FindingSeverity> severity{};
  std::optional<Confidence> confidence{};
  std::optional<Provenance> provenance{};
  std::string pointer{};  // instead of the row's
  std::optional<FindingSource> source{};
  std::optional<bool> blocks_release{};
  std::string title{}, recommendation{};
};

/// Collects findings of one scan.
class Found {
 public:
  explicit Found(const Scan& scan) : scan_(scan) {}
  void about_tool(const Check&, const surface::Tool&, Told);
  void about_agent(const Check&, Told);
  std::vector<Finding> findings{};

 private:
  Finding make(const Check&, Told&, std::string_view tool) const;
  const Scan& scan_;
};

/// Every check in order; equal findings are told once.
std::vector<Finding> run_checks(const Scan&);

}  // namespace gh::checks
