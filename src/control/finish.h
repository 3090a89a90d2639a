#pragma once
// How a finish ends (change-control reference, "Finish"): one pipeline, and a row for each of its
// exits.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/verify.h"
#include "model/value.h"

namespace gh::control {

/// Filled in as far as the pipeline got; what was not reached stays as it is.
struct FinishFacts {
  std::string intent_status{"active"};
  bool hygiene_blocks = false;
  std::string finish_block_reason{};  // of the hygiene
  std::string scope_status{};         // clean, expanded, violated, expired; empty: not reached
  std::optional<VerifyStatus> verify_status{};
  std::string verify_reason{};
  bool workspace_changed = false;  // an evidence path changed since the hygiene step
  bool claims_violated = false, claims_block_finish = false;
  bool receipt_failed = false, auto_clear = true;
  std::size_t dirty_outside_scope = 0;
  bool forbidden_touched = false;
};

enum class FinishExit : std::uint8_t {
  intent_not_active,
  hygiene,
  scope_expired,
  scope_violated,
  verify_not_accepted,
  workspace_changed,
  claims_refused,
  receipt_failed,
  success
};
inline constexpr std::size_t kFinishExitCount = static_cast<std::size_t>(FinishExit::success) + 1;

struct FinishOutcome {
  FinishExit exit = FinishExit::success;
  std::string status{}, reason{};  // reason empty: null
  bool user_action_required = false, patch_trail = false, intent_cleared = false;
  std::string next_step{}, message{};
};
/// The first exit that applies, with the elevation for external changes.
FinishOutcome finish_outcome(const FinishFacts&);

struct FinishRow {
  FinishExit exit;
  bool (*applies)(const FinishFacts&);
  std::string_view status;  // empty: that of verify
  std::string_view reason;  // empty: that of verify
  enum class Action : std::uint8_t { no, yes, iff_violated } user_action;
  bool patch_trail;
  enum class Cleared : std::uint8_t { no, iff_auto_clear } cleared;
};
std::span<const FinishRow> finish_rows();

/// What a caller does about a reason; next_step_for knows those that a finish shares with verify.
std::span<const ReasonStep> finish_next_steps();
std::string_view finish_next_step(std::string_view reason);

/// The same for a landing that was refused: by the rule of the patch gate, or by what the answer
/// says below `landing`. Empty rule: none of those.
std::span<const ReasonStep> landing_next_steps();
std::string_view landing_next_step(std::string_view why);

enum class ClaimsRun : std::uint8_t { skipped_no_claims_text, skipped_not_recommended, runs };
ClaimsRun claims_run(std::string_view claims_text, bool recommended);

inline constexpr std::size_t kExternalSample = 10;
/// {count, sample, truncated}; null when there are none or verify did not accept.
Value external_changes(VerifyStatus, const std::vector<std::string>& dirty_paths_outside_scope);
/// `{count, sample, truncated}` of paths.
Map sampled(const std::vector<std::string>& paths);

struct FinishSummary {
  const Verification* verification = nullptr;  // null: not reached
  std::string status{};                        // verify's, or that of the exit before it
  std::string scope_status{};
  std::string verification_profile{};
  std::string claims{"skipped_no_claims_text"};  // skipped_not_recommended, valid, violated
  bool review_note_present = false;
  std::string receipt{"skipped"};  // created, failed
  bool intent_cleared = false;
  std::int64_t workspace_dirty_paths = 0;
  bool workspace_hygiene_blocked = false;
};
Map document(const FinishSummary&);

}  // namespace gh::control
