// `change recover`, `reset` and `reap`: what owners left behind.
#include <fmt/format.h>

#include "base/text.h"
#include "control/intent_record.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/intent_reply.h"
#include "ops/run_text.h"

namespace gh::ops {
namespace {

using control::Held;

constexpr std::size_t kMostLosers = 16;  // of one record, the last ones

Map owner_fields(const Intent& intent) {
  return Map{{"agent_pid", intent.agent_pid},
             {"agent_start_epoch", intent.agent_start_epoch},
             {"agent_label", intent.agent_label},
             {"lease_renewed_at_utc", to_string(intent.lease_renewed_at)}};
}

}  // namespace

Result<Reply> change_recover(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  const std::string id = request.text("ID");
  const bool is_typed = context.surface == "cli";  // there the root and the run go without saying
  if (id.empty() && is_typed) return fail(Code::intent_id_required, "name the intent to take over");
  Map document;
  bool taken = false;
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    control::RecoverFacts facts{.missing_intent_id = id.empty(),
                                .missing_run_id = !is_typed && !request.has("run")};
    Map details;
    const Held* held = registry.workspace().find(id);
    facts.not_found = held == nullptr;
    std::optional<store::AnalysisRunRow> run;
    std::vector<Held> rivals;  // the conflicts point into it
    control::Conflicts conflicts;
    if (held != nullptr) {
      facts.not_recoverable = !control::is_recoverable(held->ownership);
      if (facts.not_recoverable) details.set("ownership", to_string(held->ownership));
      GH_TRY(found,
             run_row(session, request.has("run") ? request.text("run") : held->intent->run_id));
      run = std::move(found);
      facts.run_not_available = !run;
      facts.report_digest_mismatch = run && run->report_digest != held->intent->report_digest;
      if (facts.report_digest_mismatch && !facts.not_recoverable)
        details = Map{{"expected", held->intent->report_digest}, {"actual", run->report_digest}};
      const auto scope = control::normalise_scope(held->intent->scope);
      facts.invalid_scope = !scope;
      facts.scope_digest_mismatch =
          scope && control::scope_digest(*scope) != control::scope_digest(held->intent->scope);
      facts.already_active = held->ownership == control::Ownership::own_active;
      rivals = rivals_of(registry.workspace().held, *held->intent);
      conflicts =
          control::find_conflicts(held->intent->scope, rivals, session.policy().conflict_matching);
      facts.conflict = conflicts.any();
      if (facts.conflict && !facts.not_recoverable && !facts.report_digest_mismatch)
        details = conflict_fields(conflicts);
    }
    if (const auto refusal = control::recover_refusal(facts)) {
      document = control::recovery_rejected(id, *refusal, std::move(details));
      return {};
    }
    Intent intent = *held->intent;
    const Map previous = owner_fields(intent);
    const Value* lost = intent.unknown.find(kLostBy);
    List lost_by = lost != nullptr && lost->as_list() != nullptr ? *lost->as_list() : List{};
    lost_by.emplace_back(intent.agent_pid);
    if (lost_by.size() > kMostLosers) lost_by.erase(lost_by.begin());
    intent.unknown.set(std::string(kLostBy), std::move(lost_by));
    intent.agent_pid = session.caller.who.agent_pid;
    intent.agent_start_epoch = session.caller.who.agent_start_epoch;
    intent.agent_label = session.caller.label;
    intent.owner = session.caller.owner;
    set_clone(intent, session);
    intent.expected_effects.clear();
    intent.unknown.erase("start");
    // One that waited waits on: its turn comes by promote, with all that it checks.
    const bool waits = intent.status == IntentStatus::queued;
    GH_TRY(active, waits ? Result<Intent>(control::renewed(std::move(intent), registry.now()))
                         : registry.activate(std::move(intent)));
    registry.put(active);
    registry.tell({.event = "intent.recovered",
                   .severity = "warn",
                   .intent = &active,
                   .status = std::string(to_string(active.status)),
                   .facts = Map{{"previous_owner", previous},
                                {"scope", control::scope_value(active.scope)},
                                {"expires_at_utc", to_string(active.expires_at)}}});
    taken = true;
    document = Map{{"intent_id", id},
                   {"action_taken", "recovered"},
                   {"status", to_string(active.status)},
                   {"run_id", active.run_id},
                   {"scope", control::scope_value(active.scope)},
                   {"previous_owner", previous},
                   {"new_owner", owner_fields(active)},
                   {"recovered_at_utc", to_string(registry.now())},
                   {"previous_workspace_record_removed", true},
                   {"next_steps", waits ? List{"promote it when it is its turn, or give it up"}
                                        : List{"look at what is uncommitted in these files",
                                               "finish the change, or give it up"}},
                   {"message", "the intent is yours now"}};
    return {};
  }));
  return replied("gatehouse.change_recovery/1", std::move(document),
                 taken ? ExitCode::done : ExitCode::denied, short_text);
}

Result<Reply> change_reset(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  const std::string id = request.text("ID");
  Map document;
  bool refused = false;
  // What ran out is closed by every other command; here it is what is asked about.
  GH_DO(change_registry_as_it_is(session, context, [&](Registry& registry) -> Status {
    const Held* held = registry.workspace().find(id);
    if (held == nullptr)
      return fail(Code::unknown_intent,
                  fmt::format("no open intent has the id {}", printable(id, 140)));
    const control::ResetDecision decision = control::decide_reset(*held->intent, held->ownership);
    Intent intent = *held->intent;
    if (decision.action == control::ResetAction::reject) {
      refused = true;
      document = Map{{"intent_id", id},
                     {"action_taken", "rejected"},
                     {"status", "rejected"},
                     {"reason", decision.reason},
                     {"ownership", to_string(held->ownership)},
                     {"agent_pid", intent.agent_pid},
                     {"agent_start_epoch", intent.agent_start_epoch},
                     {"agent_label", intent.agent_label},
                     {"escalation_hint", control::what_others_may_do(held->ownership)},
                     {"message", "its owner is alive; talk to whoever runs it"}};
      return {};
    }
    if (decision.action == control::ResetAction::remove) {
      registry.tell({.event = "intent.reset",
                     .severity = "warn",
                     .intent = &intent,
                     .status = "removed",
                     .summary = std::string(decision.reason),
                     .facts = request.has("reason")
                                  ? Map{{"asked_because", printable(request.text("reason"), 500)}}
                                  : Map{}});
      registry.remove(id);
      document = Map{{"intent_id", id},
                     {"action_taken", "removed"},
                     {"status", "clean"},
                     {"reason", decision.reason},
                     {"message", "the record is gone"}};
      return {};
    }
    if (intent.status == IntentStatus::queued) {  // its turn comes by promote, with all it checks
      intent = control::restarted(std::move(intent), registry.now());
      registry.put(intent);
      registry.tell({.event = "intent.reset",
                     .severity = "warn",
                     .intent = &intent,
                     .status = "queued",
                     .facts = Map{{"scope", control::scope_value(intent.scope)},
                                  {"expires_at_utc", to_string(intent.expires_at)}}});
      document = Map{{"intent_id", id},
                     {"action_taken", "reset"},
                     {"status", "queued"},
                     {"new_status", "queued"},
                     {"new_expires_at_utc", to_string(intent.expires_at)},
                     {"message", "it has its whole time again, and waits on"},
                     {"next_step", fmt::format("Ask whether it is its turn: 'gatehouse change "
                                               "promote {}'.",
                                               id)}};
      hint_session(document, request);
      return {};
    }
    // A record that was passed may be taken anew once nobody else has its files.
    const std::vector<Held> rivals = rivals_of(registry.workspace().held, intent);
    if (control::find_conflicts(intent.scope, rivals, session.policy().conflict_matching).any())
      return fail(Code::ownership_lost,
                  fmt::format("intent {} cannot be reset: somebody else holds files of it", id));
    GH_TRY(active, registry.activate(control::restarted(std::move(intent), registry.now())));
    registry.put(active);
    registry.tell({.event = "intent.reset",
                   .severity = "warn",
                   .intent = &active,
                   .status = "active",
                   .facts = Map{{"scope", control::scope_value(active.scope)},
                                {"expires_at_utc", to_string(active.expires_at)}}});
    document = Map{{"intent_id", id},
                   {"action_taken", "reset"},
                   {"status", "active"},
                   {"new_status", "active"},
                   {"new_expires_at_utc", to_string(active.expires_at)},
                   {"message", "it has its whole time again"}};
    return {};
  }));
  return replied("gatehouse.change_reset/1", std::move(document),
                 refused ? ExitCode::denied : ExitCode::done, short_text);
}

Result<Reply> change_reap(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  Map document;
  GH_DO(change_registry_as_it_is(session, context, [&](Registry& registry) -> Status {
    std::vector<std::string> removed;
    Map reasons;
    std::int64_t remaining = 0, active = 0;
    for (const Held& held : registry.workspace().held) {
      const auto as = control::closed_as(control::Sweep::gc_workspace, *held.intent, held.liveness,
                                         registry.now());
      if (!as) {
        ++remaining;
        active += held.intent->status == IntentStatus::active ? 1 : 0;
        continue;
      }
      removed.push_back(held.intent->id);
      reasons.set(held.intent->id,
                  to_string(control::stale_reason(*held.intent, held.liveness, registry.now())));
      registry.close(*held.intent, *as);
    }
    for (const std::string& id : registry.workspace().corrupted)
      registry.remove(id);
    const Timestamp oldest{registry.now().seconds - session.policy().retention_days * 86'400};
    GH_TRY(purged, registry.view().closed_before(oldest));
    for (const std::string& id : purged)
      registry.remove(id);
    const auto& corrupted = registry.workspace().corrupted;
    document = Map{{"removed", static_cast<std::int64_t>(removed.size())},
                   {"removed_intent_ids", string_list(removed)},
                   {"removed_reasons", std::move(reasons)},
                   {"corrupted_removed", static_cast<std::int64_t>(corrupted.size())},
                   {"corrupted_filenames", string_list(corrupted)},
                   {"retention_purged", static_cast<std::int64_t>(purged.size())},
                   {"remaining", remaining},
                   {"raw_active_count", active}};
    registry.tell({.event = "workspace.gc_completed", .status = "clean", .facts = document});
    document.set("status", "clean");
    document.set("message", fmt::format("{} closed, {} left",
                                        counted_text(removed.size(), "intent"), remaining));
    return {};
  }));
  return replied("gatehouse.change_reaped/1", std::move(document), ExitCode::done, short_text);
}

}  // namespace gh::ops
