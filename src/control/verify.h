#pragma once
// Did the patch keep its contract? Two stored runs, an intent and what was changed in, one answer
// out (change-control reference, "Verify"). Gathering the facts is somebody else's work.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compare.h"
#include "control/budgets.h"
#include "model/intent.h"
#include "model/value.h"

namespace gh::control {

/// What the classification of the changed files said.
struct VerifyProfile {
  std::string profile{"non_python_patch"};
  bool after_run_required = false;
  bool structural = false;  // structural checks apply
  bool state_artifact_touched = false, governance_config_touched = false;  // by any changed file
  bool runs_see_it = true;                  // false: no run reads any of the files that ask for one
  std::vector<std::string> unread_links{};  // changed sources that lead out of the tree
  Map payload{};  // verification_profile, profile_reason, ..., checks_not_applicable
  std::vector<std::string> limitations{};
};

/// What the scope check said.
struct ScopeFacts {
  std::string status{"clean"};  // clean, expanded, violated
  Map payload{};
};

/// One stored run.
struct RunFacts {
  std::string run_id{}, root{}, report_digest{};  // 64 hex digits each but the root
  const Value* report = nullptr;                  // never null
  const analysis::Baseline* baseline = nullptr;   // what that run was compared with, when at hand
};

struct VerifyIntent {
  std::string id{}, status{}, report_digest{};
  Scope scope{};
};

struct VerifyFacts {
  std::optional<RunFacts> before{}, after{};  // absent: none was named, or it is unknown
  /// Files that the run before has otherwise than the commit that the change began from: then it is
  /// compared with a run of that commit, and with nothing where there is none.
  std::vector<std::string> not_of_base{};
  std::string base_commit{};
  std::optional<RunFacts> base{};
  bool after_named = false;  // an after_run_id was given
  std::optional<VerifyIntent> intent{};
  bool evidence_given = false;  // changed_files or diff_ref
  std::vector<std::string> changed_files{};
  VerifyProfile profile{};
  std::optional<ScopeFacts> scope{};       // absent without an intent
  std::vector<std::string> stale_paths{};  // evidence that changed after the after-run
  /// Of before and after: the runs that were not made by the settings of the policy. Nobody chooses
  /// what a change of theirs is measured by.
  std::vector<std::string> measured_otherwise{};
  Strictness strictness = Strictness::ci;
  /// The baseline of the after-run is one that others committed since: what it has otherwise than
  /// that of the before-run is not this change's doing.
  bool is_baseline_of_others = false;
  /// The runs are of the base and of what the change gives: all between them is the change's doing,
  /// and what failed at the base is not. Without an intent only.
  bool is_whole_delta = false;
  /// What the gates of the repository's own configuration say, beside those of the strictness.
  std::vector<std::string> configured_before{}, configured_after{};
};

enum class VerifyStatus : std::uint8_t {
  accepted,
  accepted_with_external_changes,
  violated,
  unverified,
  expired
};
std::string_view to_string(VerifyStatus);
inline bool is_accepted(VerifyStatus s) {
  return s <= VerifyStatus::accepted_with_external_changes;
}

struct Verification {
  VerifyStatus status = VerifyStatus::unverified;
  std::string reason{};  // empty: accepted
  std::vector<std::string> contract_violations{}, blocking_violations{};
  std::vector<std::string> abuse_triggers{};
  bool claim_validation_recommended = false;
  // of the structural delta; empty where there is none, not_applicable on the fast path
  std::string structural_verdict{};
  std::optional<std::int64_t> health_delta{};
  std::int64_t regressions = 0, improvements = 0, worsened_symbols = 0;
  // of a comparison; empty where there was none
  std::vector<analysis::ComparedFinding> intent_regressions{}, external_regressions{};
  std::vector<analysis::ComparedFinding> advisory_regressions{};  // too uncertain to judge by
  GateResult before_gate{}, after_gate{};
  bool gate_violated = false, gate_external = false;
  List suppressions_added{};
  std::vector<analysis::ComparedFinding> hidden{};  // by earlier ones
  Map payload{};                                    // the whole answer
};
Verification verify(const VerifyFacts&);

/// The order in which a verification ends; the first row that applies.
enum class VerifyPath : std::uint8_t { ends, fast, full };
struct VerifyStep {
  int step;  // of the reference
  bool (*applies)(const VerifyFacts&);
  VerifyPath path;
  VerifyStatus status;
  std::string_view reason;
};
std::span<const VerifyStep> verify_steps();
std::span<const VerifyStep> fast_steps();

/// Which gate a reason of one is about.
std::string_view gate_key(std::string_view reason);

/// What a caller does about a reason that is not acceptance; empty: nothing is known of it.
struct ReasonStep {
  std::string_view reason;  // ends in ':' for all that begin so
  std::string_view text;
};
std::span<const ReasonStep> next_steps();
std::string_view next_step_for(std::string_view reason);
/// Of scope_violation, where a forbidden file was touched: no wider scope lets it in.
std::string_view forbidden_step();

/// Signs that a baseline was moved to make a change look better. Regressions count whoever made
/// them.
struct AbuseFacts {
  bool baseline_updated = false, has_intent = true, before_gate_failed = false,
       after_gate_failed = false;
  std::size_t regressions = 0, other_changed_files = 0;
};
std::vector<std::string> baseline_abuse(const AbuseFacts&);
/// The state of the after-run says so, the content differs between the runs and is not that of
/// others, or a baseline file is among the changed ones.
bool is_baseline_updated(const Value& before, const Value& after,
                         const std::vector<std::string>& changed_files, bool is_of_others = false);

/// Exact, or by GLOB; no path at all counts as inside.
bool is_inside(const std::vector<std::string>& paths, const Scope&);

}  // namespace gh::control
