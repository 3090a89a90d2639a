#pragma once
// The one function that decides a release (release-gate 6, 7, 9). Everything else that looks like
// a verdict is made from what it returns.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "release/gated.h"

namespace gh::release {

enum class Outcome : std::uint8_t { passed, review_required, insufficient_evidence, blocked };
std::string_view to_string(Outcome);

enum class Category : std::uint8_t { blocker, review_item, excluded };
std::string_view to_string(Category);

enum class Rule : std::uint8_t {
  policy_block_new,
  severity_block_new,
  policy_baseline_accepted,
  severity_baseline_accepted,
  review_required,
  sub_threshold,
  suppressed
};
std::string_view to_string(Rule);

/// What classifies one finding.
struct ClassFacts {
  bool suppressed = false, blocks_release = false, matched = false, in_blocker_set = false,
       in_review_tier = false;
};
struct Classified {
  Category category;
  Rule rule;
  bool operator==(const Classified&) const = default;
};
/// First row of the truth table that fits.
Classified classify(const ClassFacts&);

enum class CiMode : std::uint8_t { advisory, strict };
std::string_view to_string(CiMode);

struct BaselineDelta {
  bool enabled = false;
  std::string path{};
  std::int64_t matched = 0, fresh = 0, resolved = 0;
  bool matched_legacy = false;  // by a fingerprint over evidence before redaction
};

struct DecisionFacts {
  const Findings& findings;
  std::int64_t tool_count = 0, low_confidence_tools = 0, source_warnings = 0;
  bool has_sdk_function = false;
  surface::Profile profile = surface::Profile::compat;
  CiMode ci_mode = CiMode::advisory;
  std::optional<std::vector<FindingSeverity>> fail_on{};  // nullopt: not given
  BaselineDelta baseline{};
  int gate_failure_exit = 1;  // 20 under the shipgate map
};

/// The legacy block `summary`, blind for baselines.
struct Summary {
  std::string status;
  std::int64_t critical = 0, high = 0, medium = 0, low = 0, info = 0, suppressed = 0;
  bool human_review_recommended = false;
  std::string evidence_coverage = "static";
};
Summary summarize(const DecisionFacts&);
Map document_of(const Summary&);

struct Contribution {
  Classified as;
  std::string rationale;
};

struct ReleaseDecision {
  Outcome outcome = Outcome::passed;
  std::string reason;
  std::vector<Contribution> contributions;          // one per finding, in order
  std::vector<std::size_t> blockers, review_items;  // indexes of findings
  std::int64_t source_warnings = 0, low_confidence_tools = 0;
  Summary summary;
  CiMode ci_mode = CiMode::advisory;
  std::vector<FindingSeverity> fail_on;
  bool new_findings_only = false;
  int exit_code = 0;
  BaselineDelta baseline{};

  bool has_evidence_gap() const { return source_warnings > 0 || low_confidence_tools > 0; }
};
ReleaseDecision decide(const DecisionFacts&);

Map document_of(const ReleaseDecision&, const Findings&);
Map fail_policy(const ReleaseDecision&);
/// How blockers and review items name a finding.
Map reference_to(const GatedFinding&);

/// Low-confidence tools from which a scan cannot decide.
std::int64_t low_confidence_limit(std::int64_t tool_count);
inline constexpr std::int64_t kMostWarnings = 3;

}  // namespace gh::release
