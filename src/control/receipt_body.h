#pragma once
// The body of a receipt of kind change, and its Markdown (change-control reference, "Receipt").
// Stored facts in, a document out; the envelope is made elsewhere.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare.h"
#include "control/verify.h"
#include "model/value.h"

namespace gh::control {

struct ReceiptScope {
  std::string intent_id{}, intent_status{}, intent_description{};
  std::vector<std::string> declared_files{}, changed_files{}, unexpected_files{},
      forbidden_touched{}, untouched_files{};
  /// Of changed_files: what differs from the base by git's word; absent: nobody asked git.
  std::optional<std::vector<std::string>> changed_in_git{};
  std::vector<std::string> changed_unnamed{};  // declared, committed since the start, not named
  std::vector<std::string> committed_undeclared{};  // since the start, and declared by nobody
  std::vector<std::string> ignored_unnamed{};       // declared, ignored by git, and not named
  std::vector<std::string> undeclared_sources{};    // dirty, read by runs, declared by nobody
  bool is_unbound = false;                          // git could not tell what the change is
  std::optional<std::vector<std::string>> do_not_touch_held{};
  std::string check_status{};  // clean, expanded, violated; empty: not checked
};

struct ReviewedFinding {
  std::string finding_id{}, kind{}, severity{}, note{};
};

struct ReceiptBodyFacts {
  std::string run_id{}, root{}, report_digest{};
  std::string generated_at_utc{};  // of the run's report, never now
  const Value& report;
  std::optional<std::int64_t> baseline_health_delta{};  // this run against its trusted baseline
  // beyond version 1
  std::string before_run_id{}, head_commit{}, tree_digest{}, tool_version{};
  std::optional<VerifyProfile> profile{};  // absent: nobody knows what was changed
  std::optional<ReceiptScope> scope{};     // absent: no intent
  Value blast_radius_summary{};            // null: left out
  std::vector<ReviewedFinding> reviewed{};
  bool has_review_markers = false;  // there is a way to mark findings reviewed
  bool include_patch_contract = true;
  const Verification* verification = nullptr;  // of this finish
  std::string strictness{};                    // by which it was judged; empty: it was not
  // alone: what is known otherwise
  std::optional<analysis::RunComparison> comparison{};  // with the previous run of the root
  std::optional<bool> gate_would_fail{};                // last evaluation for this run
  bool is_unverified = false;  // no finish accepted the intent, whatever else looks well
};

enum class ReceiptVerdict : std::uint8_t { clean, needs_attention, incomplete };
std::string_view to_string(ReceiptVerdict);

Map receipt_body(const ReceiptBodyFacts&);
/// From a body, also one that was stored. What agents and users wrote adds no heading, link or
/// HTML.
std::string receipt_markdown(const Map& body);

}  // namespace gh::control
