// `change declare`: an intent that is declared alone, or declared again with another scope.
#include <fmt/format.h>

#include "analysis/blast_radius.h"
#include "control/environment.h"
#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "model/peek.h"
#include "ops/change_blocked.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/intent_reply.h"
#include "ops/real_place.h"

namespace gh::ops {
namespace {

using control::Held;

/// What is declared, before the registry is asked.
struct Declaration {
  gh::Scope scope{};
  std::string description{};
  std::vector<std::string> effects{};
  ControlRun run{};
  Concerned concerned{};
  std::optional<DirtySnapshot> dirt{};
  std::int64_t ttl_seconds = 3600, lease_seconds = 300;
  bool queues = false;
  std::string head_commit{};
};

Result<Declaration> read_declaration(const Request& request, ChangeSession& session,
                                     Context& context) {
  Declaration out;
  out.description = control::stored_description(request.text("goal"));
  if (out.description.empty())
    return fail(Code::intent_text_required, "a change needs a goal: --goal TEXT");
  GH_TRY(scope,
         control::normalise_scope(
             Map{{"allowed_files", string_list(by_letter(session.repo, request.list("allow")))},
                 {"allowed_related", string_list(by_letter(session.repo, request.list("related")))},
                 {"forbidden", string_list(request.list("forbid"))}}));
  out.scope = std::move(scope);
  GH_TRY(effects, control::normalise_effects(string_list(request.list("expect"))));
  out.effects = std::move(effects);
  GH_TRY(run, needed_run(session, request.text("run")));
  out.run = std::move(run);
  GH_DO(check_freshness(session, out.run, out.scope));
  GH_TRY(concerned, concerned_by(out.scope, out.run.extract));
  out.concerned = std::move(concerned);
  out.head_commit = head_commit(session);
  if (auto dirt = look_at_scope(session, context, out.scope)) out.dirt = std::move(*dirt);
  out.queues = request.text("on-conflict") == "queue";
  out.ttl_seconds = control::resolve_seconds(
      policy::kTtlRange, request.has("ttl") ? Value(*request.seconds("ttl")) : Value(),
      either_variable(context, "GATEHOUSE_INTENT_TTL_SECONDS", "CODECLONE_INTENT_TTL_SECONDS"),
      session.policy().ttl_seconds);
  out.lease_seconds = control::resolve_seconds(
      policy::kLeaseRange, Value(),
      either_variable(context, "GATEHOUSE_INTENT_LEASE_SECONDS", "CODECLONE_INTENT_LEASE_SECONDS"),
      session.policy().lease_seconds);
  return out;
}

Result<Intent> fresh_intent(Registry& registry, const ChangeSession& session,
                            const Declaration& d) {
  Intent out;
  GH_TRY(id, registry.next_id(d.run.id()));
  out.id = std::move(id);
  out.agent_pid = session.caller.who.agent_pid;
  out.agent_start_epoch = session.caller.who.agent_start_epoch;
  out.agent_label = session.caller.label;
  out.owner = session.caller.owner;
  out.run_id = d.run.id();
  out.report_digest = d.run.row.report_digest;
  out.declared_at = registry.now();
  out.ttl_seconds = d.ttl_seconds;
  out.expires_at = {registry.now().seconds + d.ttl_seconds};
  out.lease_seconds = d.lease_seconds;
  out.worktree = session.worktree;
  if (!d.head_commit.empty()) out.unknown.set(std::string(kBaseCommit), d.head_commit);
  set_clone(out, session);
  if (d.dirt) out.dirty_snapshot = control::stored_snapshot(*d.dirt);
  return out;
}

/// The own intent on the run keeps its run, its time and what was dirty when it began; a new one is
/// registered unless somebody is in the way.
Result<Map> declare(Registry& registry, ChangeSession& session, const Declaration& d) {
  const std::vector<const Held*> own = registry.workspace().own(d.run.id());
  const bool widens = !own.empty() && own.front()->intent->status != IntentStatus::queued;
  Intent intent;
  if (widens) {
    GH_TRY(held, held_intent(registry, own.front()->intent->id, session));
    intent = std::move(held);
  } else {
    GH_TRY(fresh, fresh_intent(registry, session, d));
    intent = std::move(fresh);
    for (const Held* waiting : own) {
      registry.tell({.event = "intent.cleared",
                     .intent = waiting->intent,
                     .status = "clean",
                     .summary = "declared anew",
                     .facts = Map{{"verified", false}}});
      registry.close(*waiting->intent, IntentStatus::clean);
    }
  }
  const std::vector<Held> rivals = rivals_of(registry.workspace().held, intent);
  const control::Conflicts conflicts =
      control::find_conflicts(d.scope, rivals, session.policy().conflict_matching);
  const std::vector<std::string> dirty = widens && d.dirt
                                             ? control::dirty_before(intent, d.scope, *d.dirt)
                                             : std::vector<std::string>{};
  const bool is_free = !conflicts.any() && dirty.empty();
  const bool is_queued = conflicts.any() && d.queues && !widens;
  if (is_free || !widens) {
    intent.scope = d.scope;
    intent.description = d.description;
    intent.expected_effects = d.effects;
    intent.blast_radius_summary = d.concerned.summary;
    intent = control::renewed(std::move(intent), registry.now());
  }
  if (is_free) {
    // What the last check said was of the scope before.
    if (widens) intent.status = IntentStatus::active;
    intent = control::without_check(std::move(intent));
    GH_TRY(taken,
           widens ? registry.fenced(std::move(intent)) : registry.activate(std::move(intent)));
    intent = std::move(taken);
  }
  if (is_queued) intent.status = IntentStatus::queued;
  registry.tell({.event = is_free     ? "intent.declared"
                          : is_queued ? "intent.queued"
                                      : "intent.blocked",
                 .severity = is_free || is_queued ? "info" : "warn",
                 .intent = &intent,
                 .status = is_free || widens ? std::string(to_string(intent.status))
                           : is_queued       ? "queued"
                                             : "blocked",
                 .summary = widens ? "declared anew" : "declared",
                 .facts = Map{{"scope", control::scope_value(d.scope)},
                              {"edit_allowed", is_free && control::may_edit_now(intent)}}});
  const bool is_registered = is_free || is_queued || widens;
  const bool may_edit = is_free && control::may_edit_now(intent);
  if (is_free || is_queued) registry.put(intent);
  Map out = intent_payload(intent);
  if (!is_registered) out.set("status", "blocked");
  add_all(out, conflict_fields(conflicts));
  add_all(out, boundaries(d.concerned.document));
  if (intent.dirty_snapshot)
    out.set("dirty_snapshot", control::snapshot_summary(*intent.dirty_snapshot));
  out.set("workspace_registered", is_registered);
  out.set("ttl_seconds", intent.ttl_seconds);
  out.set("edit_allowed", may_edit);
  if (!dirty.empty()) out.set("dirty_paths_in_scope", string_list(dirty));
  if (is_queued) {
    out.set("blocked_by", conflicts.blocked_by);
    out.set("queue_position", control::queue_position(intent, registry.workspace().held));
    out.set("before_run_pinned", false);
    out.set("next_step", fmt::format("Wait, then promote {}.", intent.id));
  } else if (!is_free) {
    const bool is_active = conflicts.any_of(control::Ownership::foreign_active);
    const control::NextStep next =
        !conflicts.any() ? control::next_step({.hygiene_blocks = true})
        : widens         ? control::widening_step(is_active)
                         : control::next_step(
                               {.foreign_active = is_active,
                                .foreign_stale = conflicts.any_of(control::Ownership::foreign_stale)});
    out.set("user_action_required", true);
    out.set("next_step", next.text);
    out.set("reason", next.code);
  } else if (!may_edit) {
    out.set("dirty_paths_in_scope", *intent.unknown.find(control::kDirtyAtPromotion));
    out.set("next_step", promotion_step(control::next_step({.hygiene_blocks = true}), intent.id));
  }
  return out;
}

}  // namespace

Result<Reply> change_declare(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(wanted, read_declaration(request, session, context));
  Map document;
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(declared, declare(registry, session, wanted));
    document = std::move(declared);
    return {};
  }));
  List warnings =
      rewriting_warnings(request, {"allow", "related", "forbid"}, entries_of(wanted.scope));
  if (Value clamped = clamp_warning("ttl", policy::kTtlRange, request.seconds("ttl"));
      !clamped.is_null())
    warnings.push_back(std::move(clamped));
  if (!warnings.empty()) document.set("warnings", std::move(warnings));
  const bool may_edit = Peek(Value(document))["edit_allowed"].is_true();
  return replied("gatehouse.intent/1", std::move(document),
                 may_edit ? ExitCode::done : ExitCode::denied, intent_text);
}

}  // namespace gh::ops
