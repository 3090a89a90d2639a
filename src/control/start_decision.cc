#include "control/start_decision.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "control/environment.h"
#include "control/rows.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

constexpr std::array<std::string_view, 4> kStartWords{"needs_analysis", "queued", "blocked",
                                                      "active"};
constexpr std::array<std::string_view, 2> kPolicyWords{"block", "continue_own_wip"};

struct StartRow {
  Is run_exists, conflicts, queue_asked, hygiene_blocks;
  StartOutcome outcome;
};
// table: start_outcomes
constexpr auto kStartRows = [] {
  using enum Is;
  using enum StartStatus;
  const std::nullopt_t none = std::nullopt;
  // clang-format off
  return std::array{
      //       run  conflict queue hygiene
      StartRow{no,  any,     any,  any,  {needs_analysis, false, none}},
      StartRow{any, yes,     yes,  any,  {queued,         false, IntentStatus::queued}},
      StartRow{any, yes,     no,   any,  {blocked,        false, none}},
      StartRow{any, no,      any,  yes,  {blocked,        false, none}},
      StartRow{any, any,     any,  any,  {active,         true,  IntentStatus::active}},
  };
  // clang-format on
}();

struct NextStepRow {
  Is git_failed, foreign_active, foreign_stale, hygiene_blocks, foreign_dirty_overlap;
  NextStep step;
};
// table: start_next_steps
constexpr auto kNextSteps = [] {
  using enum Is;
  // clang-format off
  return std::array{
      //          git  active stale hygiene overlap
      NextStepRow{yes, any,   any,  any,    any,
                  {"git_error", "Git could not tell what is dirty in the declared scope. Make 'git status' work here, then start again."}},
      NextStepRow{any, yes,   any,  yes,    any,
                  {"foreign_overlap_and_dirty_scope", "Another agent holds part of this scope, and there are uncommitted changes inside it. Ask the user; do not edit."}},
      NextStepRow{any, any,   yes,  yes,    any,
                  {"foreign_overlap_and_dirty_scope", "Another agent holds part of this scope, and there are uncommitted changes inside it. Ask the user; do not edit."}},
      NextStepRow{any, yes,   any,  no,     any,
                  {"foreign_active_overlap", "Another live agent holds part of this scope. Ask the user, narrow the scope, or start again with --on-conflict queue."}},
      NextStepRow{any, any,   yes,  no,     any,
                  {"foreign_stale_overlap", "A live agent whose lease ran out holds part of this scope. Check with the user before taking over."}},
      NextStepRow{any, no,    no,   yes,    yes,
                  {"foreign_dirty_overlap", "Another live agent declared files of this scope that have uncommitted changes. Coordinate with it, or narrow the scope."}},
      NextStepRow{any, any,   any,  any,    any,
                  {"dirty_scope", "There are uncommitted changes inside the declared scope. Inspect the diff, then commit, stash, revert or narrow the scope; if it is your own work, start again with --continue-own-wip."}},
  };
  // clang-format on
}();

constexpr std::array<std::string_view, 5> kWriteWords{"active_intent", "queued_intent_not_editable",
                                                      "no_active_intent", "registry_error",
                                                      "path_outside_scope"};

struct RecoverRow {
  bool RecoverFacts::*holds;
  Refusal refusal;
};
// table: recover_refusals
constexpr std::array kRecoverRows{
    RecoverRow{&RecoverFacts::missing_intent_id,
               {"missing_intent_id", "Name the intent that is to be recovered."}},
    RecoverRow{&RecoverFacts::missing_run_id,
               {"missing_run_id", "Name the run it was declared on."}},
    RecoverRow{&RecoverFacts::missing_root, {"missing_root", "Name the root of the repository."}},
    RecoverRow{&RecoverFacts::not_found, {"not_found", "There is no open record of that name."}},
    RecoverRow{&RecoverFacts::not_recoverable,
               {"not_recoverable", "Its holder lives, or its time is over."}},
    RecoverRow{&RecoverFacts::run_not_available,
               {"run_not_available", "The run it was declared on is not kept here."}},
    RecoverRow{
        &RecoverFacts::report_digest_mismatch,
        {"report_digest_mismatch", "The run says something else than when it was declared."}},
    RecoverRow{
        &RecoverFacts::scope_digest_mismatch,
        {"scope_digest_mismatch", "The scope of the record is not the one it was sealed with."}},
    RecoverRow{&RecoverFacts::already_active,
               {"already_active", "This session holds the intent already."}},
    RecoverRow{&RecoverFacts::invalid_scope,
               {"invalid_scope", "Its scope breaks the rules for paths."}},
    RecoverRow{&RecoverFacts::workspace_rewrite_failed,
               {"workspace_rewrite_failed", "The registry could not be written; nothing changed."}},
    RecoverRow{&RecoverFacts::conflict,
               {"conflict", "A live agent holds part of its scope by now."}},
};

struct ResetRow {
  Ownership ownership;
  ResetAction action;
};
// table: reset_actions
constexpr std::array kResetRows{
    ResetRow{Ownership::expired, ResetAction::remove},
    ResetRow{Ownership::recoverable, ResetAction::remove},
    ResetRow{Ownership::foreign_active, ResetAction::reject},
    ResetRow{Ownership::foreign_stale, ResetAction::reject},
    ResetRow{Ownership::own_active, ResetAction::reset},
    ResetRow{Ownership::own_stale, ResetAction::reset},
};

bool is_suitable(const Held& held, bool foreign_authorised) {
  // A scope check that said expanded or violated leaves the intent open: what it refused is mended
  // inside of the scope.
  if (held.liveness != Liveness::alive || !holds_files(*held.intent)) return false;
  if (waits_for_clean_files(*held.intent)) return false;
  return held.ownership == Ownership::own_active ||
         (foreign_authorised && held.ownership == Ownership::foreign_active);
}

bool is_waiting(const Held& held, bool foreign_authorised) {
  const bool own =
      held.ownership == Ownership::own_active || held.ownership == Ownership::own_stale;
  return held.intent->status == IntentStatus::queued &&
         (own || (foreign_authorised && is_live_foreign(held.ownership)));
}

bool lists(const Scope& scope, const std::string& path) {
  return std::ranges::binary_search(scope.allowed_files, path) ||
         std::ranges::binary_search(scope.allowed_related, path);
}

/// The pattern of the scope that forbids the path; empty: none.
std::string forbidding(const Scope& scope, const std::string& path) {
  const auto pattern = std::ranges::find_if(
      scope.forbidden, [&](const std::string& p) { return policy::matches_glob(path, p); });
  return pattern == scope.forbidden.end() ? std::string() : *pattern;
}

/// Which of the suitable records allows the path; nullptr: none.
const Held* allowing(const std::vector<const Held*>& suitable, const std::string& path) {
  const auto found = std::ranges::find_if(suitable, [&](const Held* held) {
    return lists(held->intent->scope, path) && forbidding(held->intent->scope, path).empty();
  });
  return found == suitable.end() ? nullptr : *found;
}

WriteAnswer outside(const std::vector<const Held*>& suitable, const std::string& path) {
  WriteAnswer answer{
      .reason = WriteReason::path_outside_scope, .held = suitable.front(), .path = path};
  for (const Held* held : suitable)
    if (answer.forbidden_by.empty()) answer.forbidden_by = forbidding(held->intent->scope, path);
  return answer;
}

}  // namespace

std::string_view to_string(StartStatus status) {
  return kStartWords[static_cast<std::size_t>(status)];
}

StartOutcome decide_start(const StartFacts& f) {
  for (const StartRow& row : kStartRows)
    if (fits(row.run_exists, f.run_exists) && fits(row.conflicts, f.conflicts) &&
        fits(row.queue_asked, f.queue_asked) && fits(row.hygiene_blocks, f.hygiene_blocks))
      return row.outcome;
  return kStartRows.back().outcome;
}

std::vector<NextStep> start_next_steps() {
  std::vector<NextStep> out;
  for (const NextStepRow& row : kNextSteps)
    out.push_back(row.step);
  return out;
}

std::vector<Refusal> recover_refusals() {
  std::vector<Refusal> out;
  for (const RecoverRow& row : kRecoverRows)
    out.push_back(row.refusal);
  return out;
}

std::string_view to_string(DirtyScopePolicy policy) {
  return kPolicyWords[static_cast<std::size_t>(policy)];
}

std::optional<DirtyScopePolicy> dirty_scope_policy_of(std::string_view word) {
  const auto row = std::ranges::find(kPolicyWords, word);
  if (row == kPolicyWords.end()) return {};
  return static_cast<DirtyScopePolicy>(row - kPolicyWords.begin());
}

bool hygiene_stops_start(const StartHygieneFacts& f) {
  if (f.git_failed) return true;
  return f.blocks_edit && !continues_own_work(f);
}

bool continues_own_work(const StartHygieneFacts& f) {
  return f.blocks_edit && !f.git_failed && !f.foreign_dirty_overlap &&
         f.policy == DirtyScopePolicy::continue_own_wip;
}

NextStep widening_step(bool foreign_active) {
  return foreign_active
             ? NextStep{"foreign_active_overlap",
                        "Another live agent holds a file that was asked for. Your intent stands as "
                        "it was: go on with its own files, or ask again with 'gatehouse change "
                        "extend --add FILE' when 'gatehouse change list' shows that it is free."}
             : NextStep{"foreign_stale_overlap",
                        "A live agent whose lease ran out holds a file that was asked for. Your "
                        "intent stands as it was: go on with its own files, or check with the user "
                        "before asking again with 'gatehouse change extend --add FILE'."};
}

NextStep next_step(const NextStepFacts& f) {
  for (const NextStepRow& row : kNextSteps)
    if (fits(row.git_failed, f.git_failed) && fits(row.foreign_active, f.foreign_active) &&
        fits(row.foreign_stale, f.foreign_stale) && fits(row.hygiene_blocks, f.hygiene_blocks) &&
        fits(row.foreign_dirty_overlap, f.foreign_dirty_overlap))
      return row.step;
  return kNextSteps.back().step;
}

std::string active_message(const ActiveMessageFacts& f) {
  std::string out = "The change is active: edit inside the declared scope only.";
  if (f.continuing_own_wip)
    out += " It continues your own work: finish must list every dirty path of the scope.";
  if (f.high_radius) out += " The blast radius is high.";
  out += f.budget_outside ? " The budget is exceeded already: editing is allowed, but verification "
                            "may still fail."
                          : " The budget is within its thresholds.";
  return out;
}

std::string queued_message(std::int64_t position) {
  return fmt::format("The scope is held by another agent; this change waits at position {}.",
                     position);
}

Map needs_analysis_answer(std::string_view root) {
  return Map{{"status", to_string(StartStatus::needs_analysis)},
             {"intent_id", Value()},
             {"edit_allowed", false},
             {"root", root},
             {"message", "There is no analysis run of this repository to start from."},
             {"next_step", "Start again with --analyze, or run 'gatehouse analyze' first."},
             {"workspace", Map{{"concurrent_intents", List{}},
                               {"workspace_relations", List{}},
                               {"queued_context", List{}},
                               {"total_agents", 0},
                               {"stale_count", 0}}}};
}

std::string_view to_string(WriteReason reason) {
  return kWriteWords[static_cast<std::size_t>(reason)];
}

bool waits_for_clean_files(const Intent& intent) {
  return intent.status != IntentStatus::queued && intent.unknown.find(kDirtyAtPromotion) != nullptr;
}

bool may_edit_now(const Intent& intent) {
  return intent.status != IntentStatus::queued && !waits_for_clean_files(intent);
}

std::vector<std::string> dirty_before(const Intent& intent, const Scope& wider,
                                      const DirtySnapshot& now) {
  const auto is_covered = [](const std::vector<std::string>& entries, std::string_view path) {
    return std::ranges::any_of(
        entries, [&](const std::string& entry) { return policy::matches_prefix(path, entry); });
  };
  std::vector<std::string> out;
  const bool continues = intent.dirty_scope_policy == to_string(DirtyScopePolicy::continue_own_wip);
  if (continues || !intent.dirty_snapshot || intent.status == IntentStatus::queued) return out;
  const DirtySnapshot& then = *intent.dirty_snapshot;
  for (const auto& [path, entry] : now.entries)
    if (is_covered(wider.allowed_files, path) && !is_covered(intent.scope.allowed_files, path) &&
        (then.entries.contains(path) || then.partial))
      out.push_back(path);
  return out;
}

bool foreign_is_authorised(std::string_view environment, bool session_known) {
  return environment.empty() ? !session_known : is_yes(environment);
}

WriteAnswer decide_write(const WriteQuestion& question, std::span<const Held> records) {
  if (!question.registry_readable) return {.reason = WriteReason::registry_error};
  std::vector<const Held*> suitable;
  const Held *waiting = nullptr, *lapsed = nullptr, *unclean = nullptr;
  for (const Held& held : records) {
    const bool may_edit = holds_files(*held.intent) && held.intent->status != IntentStatus::queued;
    if (held.ownership == Ownership::own_stale && may_edit) lapsed = &held;
    if (held.ownership == Ownership::own_active && waits_for_clean_files(*held.intent))
      unclean = &held;
    if (is_suitable(held, question.foreign_authorised)) suitable.push_back(&held);
    if (waiting == nullptr && is_waiting(held, question.foreign_authorised)) waiting = &held;
  }
  if (suitable.empty() && unclean == nullptr && waiting != nullptr)
    return {.reason = WriteReason::queued_intent_not_editable, .held = waiting};
  if (suitable.empty())
    return {.reason = WriteReason::no_active_intent, .lapsed = lapsed, .unclean = unclean};
  const Held* decided = suitable.front();
  for (const std::string& path : question.paths) {
    const Held* held = allowing(suitable, path);
    if (held == nullptr) return outside(suitable, path);
    decided = held;
  }
  return {.allowed = true, .reason = WriteReason::active_intent, .held = decided};
}

std::optional<Refusal> recover_refusal(const RecoverFacts& facts) {
  for (const RecoverRow& row : kRecoverRows)
    if (facts.*row.holds) return row.refusal;
  return {};
}

bool is_recoverable(Ownership ownership) {
  return ownership == Ownership::recoverable || ownership == Ownership::own_stale;
}

Map recovery_rejected(std::string_view intent_id, const Refusal& refusal, Map details) {
  return Map{{"intent_id", intent_id.empty() ? Value() : Value(intent_id)},
             {"action_taken", "recovery_rejected"},
             {"reason", refusal.reason},
             {"message", refusal.message},
             {"details", std::move(details)}};
}

ResetDecision decide_reset(const Intent& intent, Ownership ownership) {
  if (intent.status == IntentStatus::orphaned) return {ResetAction::remove, "orphaned"};
  const ResetAction action = std::ranges::find(kResetRows, ownership, &ResetRow::ownership)->action;
  return {action, action == ResetAction::reset ? std::string_view() : to_string(ownership)};
}

}  // namespace gh::control
