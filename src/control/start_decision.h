#pragma once
// What a start answers (change-control 10.3, 10.6), who may write (11.8), and when a record may be
// taken over or reset (11.7). Facts in, one row out.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/ownership.h"
#include "model/intent.h"

namespace gh::control {

// --- start ---------------------------------------------------------------------------------------

enum class StartStatus : std::uint8_t { needs_analysis, queued, blocked, active };
std::string_view to_string(StartStatus);

struct StartFacts {
  bool run_exists = true;  // one that the policy accepts
  bool conflicts = false;  // with a live foreign record
  bool queue_asked = false;
  bool hygiene_blocks = false;  // after dirty_scope_policy: hygiene_stops_start
};
struct StartOutcome {
  StartStatus status;
  bool edit_allowed;
  std::optional<IntentStatus> record;  // what the registry gets; nothing: no record
};
StartOutcome decide_start(const StartFacts&);

enum class DirtyScopePolicy : std::uint8_t { block, continue_own_wip };
std::string_view to_string(DirtyScopePolicy);
std::optional<DirtyScopePolicy> dirty_scope_policy_of(std::string_view);

struct StartHygieneFacts {
  bool git_failed = false, blocks_edit = false, foreign_dirty_overlap = false;
  DirtyScopePolicy policy = DirtyScopePolicy::block;
};
bool hygiene_stops_start(const StartHygieneFacts&);
/// The policy was what let the change start.
bool continues_own_work(const StartHygieneFacts&);

struct NextStepFacts {
  bool git_failed = false, foreign_active = false, foreign_stale = false;
  bool hygiene_blocks = false, foreign_dirty_overlap = false;
};
struct NextStep {
  std::string_view code, text;
};
NextStep next_step(const NextStepFacts&);
std::vector<NextStep> start_next_steps();  // all there are, in order
/// Of an intent that stands and asked for files of somebody else: it would lose its own in a queue.
NextStep widening_step(bool foreign_active);

struct ActiveMessageFacts {
  bool continuing_own_wip = false, high_radius = false, budget_outside = false;
};
std::string active_message(const ActiveMessageFacts&);
std::string queued_message(std::int64_t position);

/// The whole answer when there is no run to start from.
Map needs_analysis_answer(std::string_view root);

// --- write gate ----------------------------------------------------------------------------------

enum class WriteReason : std::uint8_t {
  active_intent,
  queued_intent_not_editable,
  no_active_intent,
  registry_error,
  path_outside_scope
};
std::string_view to_string(WriteReason);

/// Member of a record: files of its scope that were dirty when it was promoted. It holds the scope
/// and may not be edited under until a promotion finds them clean.
inline constexpr std::string_view kDirtyAtPromotion = "dirty_at_promotion";
bool waits_for_clean_files(const Intent&);
/// It neither waits for its turn nor for clean files. Whether its time is over, is not asked.
bool may_edit_now(const Intent&);
/// Of the files that a wider scope takes besides those of the intent: what was dirty when it began,
/// and still is. A start would have refused them.
std::vector<std::string> dirty_before(const Intent&, const Scope& wider, const DirtySnapshot& now);

/// `environment` is GATEHOUSE_HOOK_AUTHORIZE_FOREIGN, empty when unset.
bool foreign_is_authorised(std::string_view environment, bool session_known);

struct WriteQuestion {
  bool registry_readable = true, foreign_authorised = false;
  std::vector<std::string> paths{};  // normalised; none: only whether anything is held
};
struct WriteAnswer {
  bool allowed = false;
  WriteReason reason = WriteReason::no_active_intent;
  const Held* held = nullptr;  // the record that decided
  const Held* lapsed =
      nullptr;  // nothing covers it; this one of the caller did before its lease ended
  const Held* unclean = nullptr;  // nothing covers it; this one will, once its files are clean
  std::string path{};             // the one that lies outside
  std::string forbidden_by{};     // the pattern that forbids it
};
/// Ownership of the records is that of the hook.
WriteAnswer decide_write(const WriteQuestion&, std::span<const Held>);

// --- recover and reset ---------------------------------------------------------------------------

/// In the order of evaluation; each is a reason to refuse.
struct RecoverFacts {
  bool missing_intent_id = false, missing_run_id = false, missing_root = false;
  bool not_found = false, not_recoverable = false, run_not_available = false;
  bool report_digest_mismatch = false, scope_digest_mismatch = false, already_active = false;
  bool invalid_scope = false, workspace_rewrite_failed = false, conflict = false;
};
struct Refusal {
  std::string_view reason, message;
};
std::optional<Refusal> recover_refusal(const RecoverFacts&);
std::vector<Refusal> recover_refusals();  // all there are, in order
bool is_recoverable(Ownership);           // recoverable, own_stale
Map recovery_rejected(std::string_view intent_id, const Refusal&, Map details);

enum class ResetAction : std::uint8_t { remove, reject, reset };
struct ResetDecision {
  ResetAction action;
  std::string_view reason;  // of the answer; empty for a reset
};
ResetDecision decide_reset(const Intent&, Ownership);

}  // namespace gh::control
