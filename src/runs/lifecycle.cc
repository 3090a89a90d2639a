#include "runs/lifecycle.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "model/members.h"
#include "policy/redact.h"
#include "runs/bundle.h"
#include "sys/files.h"

namespace gh::runs {
namespace {

constexpr std::string_view kExhausted = "max_iterations_exceeded";

/// Refusals after which the same patch may come again: nobody judged the patch itself.
constexpr std::array kNotAnAttempt{
    Rule::retry_channel, Rule::retry_identical, Rule::retry_exhausted,         Rule::worktree_dirty,
    Rule::base_moved,    Rule::git_timeout,     Rule::object_migration_failed,
};

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

Value member(const Map& map, std::string_view key) {
  const Value* found = map.find(key);
  return found == nullptr ? Value() : *found;
}

Value detail(const Map& document, std::string_view block, std::string_view key) {
  const Value* found = document.find(block);
  return found != nullptr && found->as_map() != nullptr ? member(*found->as_map(), key) : Value();
}

Map attempt_value(const patch::Attempt& attempt) {
  return Map{{"sha256", attempt.sha256},
             {"canonical_sha256", text_or_null(attempt.canonical_sha256)},
             {"code", attempt.code},
             {"rule", attempt.rule},
             {"policy_sha256", attempt.policy_sha256},
             {"base_commit", attempt.base_commit},
             {"time", attempt.created_utc}};
}

List attempt_values(const patch::RunState& state) {
  List out;
  for (const patch::Attempt& attempt : state.attempts)
    out.emplace_back(attempt_value(attempt));
  return out;
}

patch::Attempt attempt_of(const Map& map) {
  return {.sha256 = text_in(map, "sha256"),
          .canonical_sha256 = text_in(map, "canonical_sha256"),
          .code = text_in(map, "code"),
          .rule = text_in(map, "rule"),
          .policy_sha256 = text_in(map, "policy_sha256"),
          .base_commit = text_in(map, "base_commit"),
          .created_utc = text_in(map, "time")};
}

store::PatchRunRow to_row(const PatchRun& run) {
  const patch::RunState& state = run.state;
  return {.run_id = state.run_id,
          .actor = state.actor,
          .base_commit = state.base_commit,
          .state = state.state,
          .folder = run.folder,
          .frozen = state.frozen,
          .rev = state.rev,
          .attempts = attempt_values(state),
          .body = Map{{"reason", text_or_null(state.reason)},
                      {"max_attempts", state.max_attempts},
                      {"worktree_sha256", text_or_null(state.worktree_sha256)}}};
}

PatchRun from_row(const store::PatchRunRow& row) {
  patch::RunState state;
  state.run_id = row.run_id;
  state.actor = row.actor;
  state.base_commit = row.base_commit;
  state.state = row.state;
  state.rev = row.rev;
  state.frozen = row.frozen;
  for (const Value& attempt : row.attempts)
    if (attempt.as_map() != nullptr) state.attempts.push_back(attempt_of(*attempt.as_map()));
  if (const Map* body = row.body.as_map()) {
    state.reason = text_in(*body, "reason");
    state.worktree_sha256 = text_in(*body, "worktree_sha256");
    if (const Value* max = body->find("max_attempts"); max != nullptr && max->as_int() != nullptr)
      state.max_attempts = *max->as_int();
  }
  return {std::move(state), row.folder};
}

/// The row is written: its revision went up by one.
Status put(store::Ledger& ledger, PatchRun& run, store::Change change) {
  change.run = to_row(run);
  GH_DO(ledger.commit(change, store::Durability::durable));
  ++run.state.rev;
  return {};
}

store::AuditEvent make_event(std::string name, std::string severity, const Actor& actor,
                             std::string_view surface, const std::string& run_id, Timestamp now) {
  store::AuditEvent event;
  event.ts = now;
  event.event = std::move(name);
  event.severity = std::move(severity);
  event.actor = to_value(actor);
  event.surface = surface;
  if (!run_id.empty()) event.subject.set("patch_run_id", run_id);
  return event;
}

/// What the audit keeps of a patch document: which evidence, which answer; nothing of the content.
Map judgement(const Map& document) {
  return Map{{"stage", member(document, "stage")},
             {"code", member(document, "code")},
             {"rule", detail(document, "details", "rule")},
             {"sha256", detail(document, "patch", "sha256")},
             {"canonical_sha256", detail(document, "patch", "canonical_sha256")},
             {"evidence_sha256", member(document, "evidence_sha256")}};
}

store::AuditEvent rejected_event(const Map& document, const Submitter& by,
                                 const std::string& run_id, std::int64_t attempt, Timestamp now) {
  store::AuditEvent event = make_event("patch.rejected", "warn", by.actor, by.surface, run_id, now);
  event.payload = judgement(document).set("attempt", attempt == 0 ? Value() : Value(attempt));
  return event;
}

/// The folder is evidence: when somebody removed it, the ledger still says what happened.
Status note_unfreeze(const PatchRun& run, std::string_view reason, sys::Env& env) {
  if (sys::info(run.folder).kind != sys::FileKind::folder) return {};
  GH_TRY(folder, RunFolder::open_or_create(run.folder, env));
  GH_DO(folder.write_retry_state(retry_state_document(run.state)));
  return folder.append_event("admin", "RUN_UNFROZEN", "artifacts/retry_state.json",
                             Map{{"reason", reason}});
}

bool is_blocked(const patch::RunState& state) { return state.state == "blocked"; }

}  // namespace

std::string new_run_id(sys::Env& env) { return "prun-" + env.random_hex(16); }

std::string owner_of(const Submitter& by) {
  return by.is_landing() ? fmt::format("{}/{}", by.actor.name, by.intent_id) : by.actor.name;
}

PatchRun new_run(const Submitter& by, sys::Env& env) {
  patch::RunState state;
  state.run_id = new_run_id(env);
  state.actor = owner_of(by);
  state.base_commit = by.base_commit;
  state.max_attempts = by.max_attempts;
  std::string folder =
      by.run_dir.empty() ? fmt::format("{}/{}", by.runs_root, state.run_id) : by.run_dir;
  return {std::move(state), std::move(folder)};
}

Result<std::optional<PatchRun>> load_run(store::Ledger& ledger, std::string_view run_id) {
  GH_TRY(row, ledger.patch_run(run_id));
  return row ? std::optional(from_row(*row)) : std::nullopt;
}

Result<PatchRun> enter_run(store::Ledger& ledger, const Submitter& by, sys::Env& env) {
  GH_TRY(row, by.run_id.empty() ? ledger.open_rejected_run(owner_of(by), by.base_commit)
                                : ledger.patch_run(by.run_id));
  if (!row) {
    if (by.run_id.empty()) return new_run(by, env);
    return fail(Code::unknown_id, fmt::format("no patch run '{}'", printable(by.run_id)));
  }
  if (row->actor != owner_of(by))
    return fail(Code::not_permitted,
                fmt::format("patch run {} belongs to {}", row->run_id, row->actor));
  if (row->state == "applied")
    return fail(Code::bad_argument, fmt::format("patch run {} has landed already", row->run_id));
  PatchRun run = from_row(*row);
  if (!by.run_dir.empty()) run.folder = by.run_dir;
  return run;
}

bool uses_up_attempt(Rule rule) {
  return std::ranges::find(kNotAnAttempt, rule) == kNotAnAttempt.end();
}

patch::RunState after_rejection(patch::RunState state, Rule rule, const patch::Attempt& attempt,
                                std::string_view worktree_sha256) {
  if (uses_up_attempt(rule)) {
    state.state = "rejected";
    state.base_commit = attempt.base_commit;
    state.worktree_sha256 = worktree_sha256;
    state.attempts.push_back(attempt);
    state.frozen = state.frozen || is_alarm(rule);
  }
  if (static_cast<std::int64_t>(state.attempts.size()) >= state.max_attempts) {
    state.state = "blocked";
    state.reason = kExhausted;
  }
  return state;
}

Map retry_state_document(const patch::RunState& state) {
  return Map{{"schema", "gatehouse.retry_state/1"},
             {"run_id", state.run_id},
             {"state", state.state},
             {"reason", text_or_null(state.reason)},
             {"frozen", state.frozen},
             {"max_attempts", state.max_attempts},
             {"attempts", attempt_values(state)}};
}

Result<PatchRun> record_rejection(store::Ledger& ledger, RunFolder& folder, const PatchRun& run,
                                  const Submitter& by, const Refusal& refusal, sys::Env& env) {
  GH_ASSERT(!refusal.outcome.violations.empty());
  const Timestamp now = env.now();
  const Rule rule = refusal.outcome.violations.front().rule;
  const patch::Attempt attempt{.sha256 = refusal.outcome.sha256,
                               .canonical_sha256 = refusal.outcome.canonical_sha256,
                               .code = std::string(code_of(stage_of(step_of(rule)))),
                               .rule = std::string(to_string(rule)),
                               .policy_sha256 = refusal.policy_sha256,
                               .base_commit = by.base_commit,
                               .created_utc = to_string(now)};
  PatchRun next{after_rejection(run.state, rule, attempt, refusal.worktree_sha256), run.folder};
  const bool counted = next.state.attempts.size() > run.state.attempts.size();
  const Filing filing{counted ? static_cast<std::int64_t>(next.state.attempts.size()) : 0,
                      next.state.frozen, is_blocked(next.state)};
  GH_DO(folder.write_rejection(refusal.document, refusal.submission, filing));

  store::Change change;
  change.events.push_back(
      rejected_event(refusal.document, by, next.state.run_id, filing.attempt, now));
  if (next.state.frozen && !run.state.frozen) {
    change.events.push_back(
        make_event("patch.frozen", "error", by.actor, by.surface, next.state.run_id, now));
    change.events.back().payload = judgement(refusal.document);
  }
  GH_DO(put(ledger, next, std::move(change)));
  GH_DO(folder.write_retry_state(retry_state_document(next.state)));
  GH_DO(make_bundle(folder));
  return next;
}

Status record_question(store::Ledger* ledger, RunFolder& folder, const PatchRun& run,
                       const Submitter& by, const Refusal& refusal, sys::Env& env) {
  GH_DO(folder.write_rejection(refusal.document, refusal.submission, Filing{.attempt = 1}));
  if (ledger != nullptr)
    (void)ledger->append(rejected_event(refusal.document, by, run.state.run_id, 0, env.now()),
                         store::Durability::soft);
  GH_DO(make_bundle(folder));
  return {};
}

Result<PatchRun> record_landing(store::Ledger& ledger, RunFolder& folder, const PatchRun& run,
                                const Submitter& by, const Map& document,
                                const store::Document& receipt, sys::Env& env) {
  GH_DO(folder.write_acceptance(document));
  PatchRun next = run;
  next.state.state = "applied";
  next.state.base_commit = by.base_commit;
  store::AuditEvent event =
      make_event("patch.applied", "info", by.actor, by.surface, next.state.run_id, env.now());
  event.subject.set("receipt_digest", receipt.digest);
  for (const std::string_view key : {"ref", "commit"})
    if (const Value value = detail(document, "landed", key); !value.is_null())
      event.subject.set(std::string(key), value);
  event.payload = judgement(document).set("landed", member(document, "landed"));
  GH_DO(put(ledger, next, {{std::move(event)}, std::nullopt, receipt}));
  GH_DO(folder.write_retry_state(retry_state_document(next.state)));
  return next;
}

store::AuditEvent checked_event(const Map& document, const Submitter& by, Timestamp now) {
  store::AuditEvent event =
      make_event("patch.checked", "info", by.actor, by.surface, by.run_id, now);
  event.payload = judgement(document);
  return event;
}

store::AuditEvent rolled_back_event(const std::string& run_id, const Actor& actor,
                                    std::string_view surface, Timestamp now) {
  return make_event("patch.rolled_back", "warn", actor, surface, run_id, now);
}

Result<PatchRun> unfreeze(store::Ledger& ledger, std::string_view run_id, std::string_view reason,
                          const Actor& actor, std::string_view surface, sys::Env& env) {
  if (!holds_role(actor, "admin"))
    return fail(Code::not_permitted, fmt::format("{} does not hold the role admin", actor.name));
  if (reason.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return fail(Code::missing_argument, "an unfreeze needs a reason");
  GH_TRY(found, load_run(ledger, run_id));
  if (!found) return fail(Code::unknown_id, fmt::format("no patch run '{}'", printable(run_id)));
  PatchRun& run = *found;
  const bool was_blocked = is_blocked(run.state);
  if (!run.state.frozen && !was_blocked)
    return fail(Code::bad_argument,
                fmt::format("patch run {} is neither frozen nor blocked", run.state.run_id));
  run.state.frozen = false;
  if (was_blocked) {
    run.state.state = "rejected";
    run.state.reason.clear();
    run.state.max_attempts += static_cast<std::int64_t>(run.state.attempts.size());
  }
  store::AuditEvent event =
      make_event("patch.unfrozen", "warn", actor, surface, run.state.run_id, env.now());
  const std::string words = policy::redact(utf8_or_escaped(reason)).text;
  event.payload = Map{{"reason", words}, {"was_blocked", was_blocked}};
  GH_DO(put(ledger, run, {{std::move(event)}}));
  GH_DO(note_unfreeze(run, words, env));
  return std::move(run);
}

}  // namespace gh::runs
