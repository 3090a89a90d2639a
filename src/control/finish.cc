#include "control/finish.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "control/trim.h"

namespace gh::control {
namespace {

using F = FinishFacts;
using Action = FinishRow::Action;
using Cleared = FinishRow::Cleared;

bool is_refused(const F& f) { return f.verify_status && !is_accepted(*f.verify_status); }

// clang-format off
// table: exits of a finish
constexpr std::array<FinishRow, kFinishExitCount> kRows{{
    {FinishExit::intent_not_active,   [](const F& f) { return f.intent_status == "queued" || f.intent_status == "blocked"; },
     "unverified", "intent_not_active",               Action::no,           false, Cleared::no},
    {FinishExit::hygiene,             [](const F& f) { return f.hygiene_blocks; },
     "unverified", "workspace_hygiene",               Action::yes,          false, Cleared::no},
    {FinishExit::scope_expired,       [](const F& f) { return f.scope_status == "expired"; },
     "expired",    "report_digest_mismatch",          Action::yes,          false, Cleared::no},
    {FinishExit::scope_violated,      [](const F& f) { return f.scope_status == "violated"; },
     "violated",   "scope_violation",                 Action::yes,          true,  Cleared::no},
    {FinishExit::verify_not_accepted, is_refused,
     "",           "",                                Action::iff_violated, true,  Cleared::no},
    {FinishExit::workspace_changed,   [](const F& f) { return f.workspace_changed; },
     "unverified", "workspace_changed_during_finish", Action::no,           true,  Cleared::no},
    {FinishExit::claims_refused,      [](const F& f) { return f.claims_violated && f.claims_block_finish; },
     "violated",   "claims_invalid",                  Action::yes,          true,  Cleared::no},
    {FinishExit::receipt_failed,      [](const F& f) { return f.receipt_failed; },
     "",           "",                                Action::no,           true,  Cleared::no},
    {FinishExit::success,             [](const F&) { return true; },
     "",           "",                                Action::no,           true,  Cleared::iff_auto_clear},
}};

// table: next steps of a finish
constexpr std::array<ReasonStep, 8> kGuidance{{
    {"missing_evidence",                "Name every changed path of the scope with --files or --diff, or take those changes back, and finish again."},
    {"foreign_dirty_overlap",           "Another live intent covers changed files of this scope: ask its owner or the user, then finish again."},
    {"own_unscoped_dirty",              "Files outside of the scope were changed: declare them with 'gatehouse change extend --add FILE', or commit, stash or revert them, and finish again."},
    {"git_error",                       "git could not be asked about the work tree: repair that, and finish again."},
    {"report_digest_mismatch",          "The run that this intent began from is not what it was: run 'gatehouse analyze' and start anew."},
    {"workspace_changed_during_finish", "A changed file was written while the finish ran: analyse again, and finish again."},
    {"claims_invalid",                  "Correct the claims that do not hold, and finish again."},
    {"landing_refused",                 "Mend what the patch gate or the holder of the files objects to in the work tree of the intent, and finish again. Where the files changed in the main tree meanwhile, commit in that work tree first, then merge the branch of the main tree there."},
}};

// table: next steps of a refused landing
constexpr std::array<ReasonStep, 6> kLandingSteps{{
    {"blocked_by",       "Another agent holds these files in the main tree: wait until it has finished, or ask it, and finish again."},
    {"not_named",        "Name these files too with --files or --diff, or take them back in the work tree of the intent, and finish again."},
    {"edited_meanwhile", "A changed file was written while the finish ran: finish again."},
    {"merged_result",    "The main tree got other changes since this one was judged, and with them it does not hold: commit in the work tree of the intent first, then merge the branch of the main tree there, mend what the finish then names, and finish again."},
    {"worktree_dirty",   "These files have uncommitted changes in the main tree: have them committed, stashed or taken back there, and finish again."},
    {"base_moved",       "Other changes landed at the same time: finish again."},
}};
// clang-format on

std::string status_of(const FinishRow& row, const F& f) {
  if (!row.status.empty()) return std::string(row.status);
  const VerifyStatus verified = f.verify_status.value_or(VerifyStatus::unverified);
  if (row.exit != FinishExit::verify_not_accepted && verified == VerifyStatus::accepted &&
      f.dirty_outside_scope > 0)
    return std::string(to_string(VerifyStatus::accepted_with_external_changes));
  return std::string(to_string(verified));
}

/// The digest of a run that changed ends the intent; every other refusal leaves it open.
bool ends_intent(FinishExit exit) { return exit == FinishExit::scope_expired; }

std::string message_of(const FinishOutcome& out) {
  switch (out.exit) {
    case FinishExit::success:
      return out.status == to_string(VerifyStatus::accepted)
                 ? "The change is accepted."
                 : "The change is accepted; something outside of its scope changed as well.";
    case FinishExit::receipt_failed:
      return "The change is accepted, but its receipt could not be written: the intent stays open.";
    default:
      return fmt::format("The change is not finished: {}. The intent {}.", out.reason,
                         ends_intent(out.exit) ? "has expired and is closed" : "stays open");
  }
}

Value or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

}  // namespace

std::span<const FinishRow> finish_rows() { return kRows; }
std::span<const ReasonStep> finish_next_steps() { return kGuidance; }

std::string_view finish_next_step(std::string_view reason) {
  const auto row = std::ranges::find(kGuidance, reason, &ReasonStep::reason);
  return row == kGuidance.end() ? next_step_for(reason) : row->text;
}

std::span<const ReasonStep> landing_next_steps() { return kLandingSteps; }

std::string_view landing_next_step(std::string_view why) {
  const auto row = std::ranges::find(kLandingSteps, why, &ReasonStep::reason);
  return row == kLandingSteps.end() ? finish_next_step("landing_refused") : row->text;
}

FinishOutcome finish_outcome(const FinishFacts& f) {
  const FinishRow& row =
      *std::ranges::find_if(kRows, [&](const FinishRow& r) { return r.applies(f); });
  FinishOutcome out{.exit = row.exit, .status = status_of(row, f), .patch_trail = row.patch_trail};
  out.reason = row.reason.empty() ? f.verify_reason : std::string(row.reason);
  out.user_action_required =
      row.user_action == Action::yes ||
      (row.user_action == Action::iff_violated && f.verify_status == VerifyStatus::violated);
  out.intent_cleared = row.cleared == Cleared::iff_auto_clear && f.auto_clear;
  out.next_step =
      finish_next_step(row.exit == FinishExit::hygiene ? f.finish_block_reason : out.reason);
  if (row.exit == FinishExit::scope_violated && f.forbidden_touched)
    out.next_step = forbidden_step();
  out.message = message_of(out);
  return out;
}

ClaimsRun claims_run(std::string_view claims_text, bool recommended) {
  if (trimmed(claims_text).empty()) return ClaimsRun::skipped_no_claims_text;
  return recommended ? ClaimsRun::runs : ClaimsRun::skipped_not_recommended;
}

Value external_changes(VerifyStatus status, const std::vector<std::string>& dirty) {
  if (!is_accepted(status) || dirty.empty()) return {};
  return sampled(dirty);
}

Map sampled(const std::vector<std::string>& paths) {
  List sample;
  for (const std::string& path : paths) {
    if (sample.size() == kExternalSample) break;
    sample.emplace_back(utf8_or_escaped(path));
  }
  return Map{{"count", static_cast<std::int64_t>(paths.size())},
             {"sample", std::move(sample)},
             {"truncated", paths.size() > kExternalSample}};
}

Map document(const FinishSummary& s) {
  const Verification* v = s.verification;
  return Map{{"status", s.status},
             {"scope_status", or_null(s.scope_status)},
             {"verification_profile", or_null(s.verification_profile)},
             {"structural_verdict", v == nullptr ? Value() : or_null(v->structural_verdict)},
             {"health_delta", v != nullptr && v->health_delta ? Value(*v->health_delta) : Value()},
             {"regressions", v == nullptr ? Value(0) : Value(v->regressions)},
             {"worsened_symbols", v == nullptr ? Value(0) : Value(v->worsened_symbols)},
             {"claims", s.claims},
             {"review_note_present", s.review_note_present},
             {"receipt", s.receipt},
             {"intent_cleared", s.intent_cleared},
             {"workspace_dirty_paths", s.workspace_dirty_paths},
             {"workspace_hygiene_blocked", s.workspace_hygiene_blocked}};
}

}  // namespace gh::control
