#pragma once
// A finding with what the decision half adds to it (release-gate 2).
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/catalogue.h"
#include "checks/finding.h"
#include "surface/manifest.h"

namespace gh::release {

using checks::Finding;
using surface::Confidence;
using surface::FindingSeverity;

struct GatedFinding {
  Finding finding;
  std::string id{}, fingerprint{};
  bool suppressed = false;
  std::string suppression_reason{};
  std::string baseline_status{};  // new, matched; empty without a baseline
  std::optional<List> patches{};  // only when they were asked for
  bool autofix_safe = false, requires_human_review = true;
  std::string patch_kind = "manual", docs_url{}, agent_action{};

  bool is_active() const { return !suppressed; }
  bool is_matched() const { return baseline_status == "matched"; }
};
using Findings = std::vector<GatedFinding>;

/// The whole finding as the report has it.
Map document_of(const GatedFinding&);

/// Identity of a finding over evidence that is already redacted.
std::string fingerprint_of(std::string_view check_id, std::string_view tool_name,
                           const Map& evidence);

/// Under which a baseline may know it as well: over evidence before masking, then the newer form
/// that holds the tool's id (tool-surface 9.2). Never written anywhere.
std::vector<std::string> other_fingerprints(const Finding&);

/// Fingerprints and unique ids (release-gate 2.2, 2.3), in the order of the findings.
Findings identified(std::vector<Finding>);

/// Remediation fields and agent_action (release-gate 2.4), after patches were attached.
void set_remediation(Findings&, surface::Profile = surface::Profile::compat);

/// First entry of checks.ignore that fits and did not expire; verify and baseline findings are
/// immune. `today` is YYYY-MM-DD.
void suppress(Findings&, const surface::Manifest&, std::string_view today = {});

struct HeuristicsFilter {
  bool enabled = false;
  std::int64_t filtered = 0;
  Map by_kind{};
};
/// With the flag, findings of keywords and patterns are suppressed.
HeuristicsFilter filter_heuristics(Findings&, bool enabled);
Map document_of(const HeuristicsFilter&);

}  // namespace gh::release
