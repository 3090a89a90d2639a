// One intent at a time: what it says, how it goes on, how it ends without being judged.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/blast_radius.h"
#include "analysis/report_view.h"
#include "base/text.h"
#include "control/environment.h"
#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/scope_check.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "control/verify.h"
#include "model/peek.h"
#include "ops/agent_ops.h"
#include "ops/change_blocked.h"
#include "ops/change_evidence.h"
#include "ops/change_land.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_receipt.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/members.h"
#include "ops/real_place.h"
#include "ops/run_text.h"
#include "ops/session_keeper.h"
#include "policy/glob.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using control::Held;

Reply replied(std::string_view schema, Map document, ExitCode exit,
              std::string (*text)(const Value&, const report::Look&)) {
  Reply reply;
  reply.document = framed(schema, std::move(document));
  reply.exit = exit;
  if (exit != ExitCode::done) {
    for (const std::string_view member : {"reason", "next_step_code", "status"})
      if (reply.why.empty()) reply.why = text_in(reply.document, member);
  }
  reply.text = [copy = reply.document, text](const report::Look& look) { return text(copy, look); };
  return reply;
}

Map conflict_fields(const control::Conflicts& conflicts) {
  Map out{{"concurrent_intents", conflicts.concurrent_intents},
          {"workspace_relations", conflicts.workspace_relations}};
  if (!conflicts.queued_context.empty()) out.set("queued_context", conflicts.queued_context);
  return out;
}

void add_all(Map& to, const Map& from) {
  for (const auto& [key, value] : from.entries())
    to.set(key, value);
}

/// What a wider scope must not touch, and what to look at.
Map boundaries(const Map& blast) {
  Map out;
  for (const std::string_view name :
       {"do_not_touch", "do_not_touch_summary", "review_context", "review_context_summary"})
    if (const Value* list = blast.find(name)) out.set(std::string(name), *list);
  return out;
}

/// Ends an intent whose run is no longer what it was; true when it did.
bool expires(Registry& registry, const Intent& intent, std::string_view digest_now) {
  if (!control::is_expired_for_check(intent, digest_now)) return false;
  registry.tell({.event = "intent.expired",
                 .severity = "warn",
                 .intent = &intent,
                 .status = "expired",
                 .summary = "the report that it was declared on is another one now"});
  registry.close(intent, IntentStatus::expired);
  return true;
}

/// An intent that owns nothing yet has nothing to be held to.
Map not_compared(const Intent& intent, const std::vector<std::string>& paths) {
  constexpr std::string_view kReason = "intent_not_active";
  return Map{{"status", "unverified"},
             {"reason", kReason},
             {"declared_scope", string_list(intent.scope.allowed_files)},
             {"actual_changed_files", string_list(paths)},
             {"unexpected_files", List{}},
             {"forbidden_touched", List{}},
             {"untouched_in_declared", List{}},
             {"required_action", nullptr},
             {"message", fmt::format("Nothing was compared: {}.", kReason)},
             {"next_step", control::next_step_for(kReason)},
             {"intent_id", intent.id}};
}

std::string digest_of_run(ChangeSession& session, const Intent& intent) {
  const auto run = run_row(session, intent.run_id);
  // A run that is gone cannot be compared with; that is said where it is needed.
  return run && *run ? (*run)->report_digest : intent.report_digest;
}

/// What was blocked is in no registry: that it was given up is all there is to write.
Result<Reply> drop_blocked(ChangeSession& session, Context& context, const Intent& intent) {
  GH_DO(session.ledger->append(audit_event(session, context,
                                           {.event = "intent.cleared",
                                            .intent = &intent,
                                            .status = "clean",
                                            .summary = "its start was blocked",
                                            .facts = Map{{"verified", false}}}),
                               store::Durability::durable));
  return replied("gatehouse.change_cleared/1",
                 Map{{"cleared", 1},
                     {"cleared_intent_ids", string_list({intent.id})},
                     {"workspace_cleared", false},
                     {"worktrees_left", List{}},
                     {"status", "clean"},
                     {"message", "the blocked start is forgotten; it held nothing"}},
                 ExitCode::done, short_text);
}

}  // namespace

namespace {

/// One step, and it works: the files are made clean, and promote says so.
std::string promotion_step(const control::NextStep& next, const std::string& id) {
  const std::string_view what =
      next.code == "git_error" ? "Git could not tell what is dirty in the files: make 'git status' "
                                 "work here"
      : next.code == "foreign_dirty_overlap"
          ? "Another live agent declared files of this scope that have uncommitted changes: "
            "coordinate with it until they are clean"
          : "The files are yours and have uncommitted changes that are not: have these committed, "
            "stashed or reverted";
  return fmt::format("{}, then ask again: 'gatehouse change promote {}'.", what, id);
}

/// It is in no registry; whoever asked for it is told what it was.
Result<Reply> shown_blocked(const Intent& intent) {
  Map document = intent_payload(intent);
  document.set("status", "blocked");
  document.erase("blast_radius_summary");
  document.set("edit_allowed", false);
  document.set("next_step", "It holds nothing: start again when its files are free.");
  return replied("gatehouse.intent/1", std::move(document), ExitCode::done, intent_text);
}

Result<Reply> shown_intent(const Request& request, Context& context, ChangeSession& session) {
  Intent intent;
  const std::string id = request.text("ID");
  if (!id.empty()) {
    GH_TRY(workspace, read_workspace_at(session, context, {.ids = {id}}));
    if (const auto named = named_intent(session, workspace, id); named && named->is_blocked)
      return shown_blocked(named->intent);
  }
  GH_DO(renew_softly(session, context, id, [&](Registry& registry) -> Status {
    GH_TRY(found, held_intent(registry, id, session));
    intent = found;
    if (expires(registry, intent, digest_of_run(session, intent))) {
      intent.status = IntentStatus::expired;
      return {};
    }
    if (!control::renewal_refusal(intent, true, intent.fence, registry.now()).empty()) return {};
    intent = control::renewed(std::move(intent), registry.now());
    registry.put(intent);
    registry.tell({.event = "intent.renewed", .intent = &intent, .status = "active"});
    return {};
  }));
  Map document = intent_payload(intent);
  if (control::waits_for_clean_files(intent)) {
    document.set("edit_allowed", false);
    document.set("dirty_paths_in_scope", *intent.unknown.find(control::kDirtyAtPromotion));
    document.set("next_step",
                 promotion_step(control::next_step({.hygiene_blocks = true}), intent.id));
    hint_session(document, request);
  }
  return replied("gatehouse.intent/1", std::move(document), ExitCode::done, intent_text);
}

/// An intent of this session whose time is over, closed by now or not: that is a reason, no error.
Result<std::optional<Renewal>> of_one_that_ran_out(ChangeSession& session, Context& context,
                                                   const std::string& id) {
  GH_TRY(kept, kept_intent(*session.ledger, id));
  GH_TRY(now, session.ledger->now(context.env.now()));
  const bool is_it = kept && control::is_own(*kept, session.caller.who) &&
                     kept->expires_at <= now && kept->status != IntentStatus::clean;
  if (!is_it) return std::nullopt;
  kept->status = IntentStatus::expired;
  return Renewal{std::move(*kept), "ttl_expired"};
}

Result<Renewal> renewal_of(ChangeSession& session, Context& context, const Request& request) {
  const std::string id = request.text("ID");
  auto renewal = renew_lease(session, context, id, request.seconds("lease"));
  if (renewal || renewal.error().code != Code::unknown_intent) return renewal;
  GH_TRY(ran_out, of_one_that_ran_out(session, context, id));
  return ran_out ? Result<Renewal>(std::move(*ran_out)) : renewal;
}

Result<Reply> renewed_intent(const Request& request, Context& context, ChangeSession& session) {
  GH_TRY(renewal, renewal_of(session, context, request));
  const Intent& intent = renewal.intent;
  const std::string& refusal = renewal.refusal;
  const bool renewed = refusal.empty();
  Map out{{"intent_id", intent.id},
          {"status", to_string(intent.status)},
          {"lease_renewed", renewed},
          {"lease_seconds", intent.lease_seconds},
          {"lease_expires_at_utc", renewed ? Value(to_string(intent.lease_expires_at())) : Value()},
          {"lease_policy", Map{{"min_seconds", policy::kLeaseRange.min},
                               {"default_seconds", policy::kLeaseRange.usual},
                               {"max_seconds", policy::kLeaseRange.max}}}};
  if (!renewed) out.set("reason", refusal);
  if (Value clamped = clamp_warning("lease", policy::kLeaseRange, request.seconds("lease"));
      renewed && !clamped.is_null())
    out.set("warnings", List{std::move(clamped)});
  out.set("message",
          renewed ? fmt::format("the lease runs until {}", to_string(intent.lease_expires_at()))
                  : std::string("the lease was not renewed"));
  return replied("gatehouse.intent_renewal/1", std::move(out),
                 renewed ? ExitCode::done : ExitCode::denied, short_text);
}

}  // namespace

Result<Reply> change_status(const Request& request, Context& context) {
  return with_change_session(request, context, [&](ChangeSession& session) {
    return shown_intent(request, context, session);
  });
}

Result<Reply> change_renew(const Request& request, Context& context) {
  return with_change_session(request, context, [&](ChangeSession& session) {
    return renewed_intent(request, context, session);
  });
}

Result<Reply> change_check(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(workspace, read_workspace(session, context));
  GH_TRY(named, named_intent(session, workspace, request.text("ID")));
  GH_DO(enter_tree_of(session, context, named.intent));
  GH_TRY(paths, needed_paths(request, session, context, &named.intent.scope));
  const std::string id = named.intent.id;
  const List warnings = rewriting_warnings(request, {"files"});
  const auto with_warnings = [&](Map document) {
    if (!warnings.empty()) document.set("warnings", warnings);
    return document;
  };
  if (!named.is_active())
    return replied("gatehouse.scope_check/1", with_warnings(not_compared(named.intent, paths)),
                   ExitCode::denied, scope_check_text);
  const std::string digest_now = digest_of_run(session, named.intent);
  Map document;
  bool violated = false;
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(intent, held_intent(registry, id, session));
    if (expires(registry, intent, digest_now)) {
      intent.status = IntentStatus::expired;
      document = intent_payload(intent);
      return {};
    }
    const control::ScopeCheck check = control::check_scope(intent.scope, paths);
    violated = check.status == control::ScopeStatus::violated;
    document = *to_value(check, id).as_map();
    record_check(registry, intent, check);
    return {};
  }));
  const bool expired = text_in(document, "status") == "expired";
  return replied(expired ? "gatehouse.intent/1" : "gatehouse.scope_check/1",
                 expired ? std::move(document) : with_warnings(std::move(document)),
                 violated || expired ? ExitCode::denied : ExitCode::done,
                 expired ? intent_text : scope_check_text);
}

Result<Reply> change_extend(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  if (request.list("add").empty() && request.list("add-related").empty())
    return fail(Code::scope_empty, "name the files to add: --add FILE...");
  GH_TRY(workspace, read_workspace(session, context));
  GH_TRY(before, own_intent(workspace, request.text("ID")));
  std::vector<std::string> files = before->intent->scope.allowed_files;
  std::vector<std::string> related = before->intent->scope.allowed_related;
  for (std::string& path : request.list("add"))
    files.push_back(std::move(path));
  for (std::string& path : request.list("add-related"))
    related.push_back(std::move(path));
  GH_TRY(scope, control::normalise_scope(
                    Map{{"allowed_files", string_list(files)},
                        {"allowed_related", string_list(related)},
                        {"forbidden", string_list(before->intent->scope.forbidden)}}));
  GH_DO(enter_tree_of(session, context, *before->intent));
  GH_DO(move_to_real_places(session.repo.root(), scope));
  const std::string id = before->intent->id;
  GH_TRY(run, run_named(session, before->intent->run_id));
  std::optional<Concerned> concerned;  // of a run that is gone nothing is known
  if (run) {
    GH_TRY(found, concerned_by(scope, run->extract));
    concerned = std::move(found);
  }
  Map document;
  bool allowed = false;
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(intent, held_intent(registry, id, session));
    const std::vector<Held> rivals = rivals_of(registry.workspace().held, intent);
    const control::Conflicts conflicts =
        control::find_conflicts(scope, rivals, session.policy().conflict_matching);
    allowed = !conflicts.any() && intent.status != IntentStatus::queued;
    if (!conflicts.any()) {
      intent.scope = scope;
      if (concerned) intent.blast_radius_summary = concerned->summary;
      intent = control::renewed(std::move(intent), registry.now());
      if (intent.status != IntentStatus::queued) {  // it takes further files
        GH_TRY(taken, registry.fenced(std::move(intent)));
        intent = std::move(taken);
      }
      registry.put(intent);
    }
    registry.tell(
        {.event = conflicts.any() ? "workspace.conflict_detected" : "intent.declared",
         .severity = conflicts.any() ? "warn" : "info",
         .intent = &intent,
         .status = std::string(to_string(intent.status)),
         .summary = "further files",
         .facts = Map{{"scope", control::scope_value(scope)}, {"extended", !conflicts.any()}}});
    document = intent_payload(intent);
    add_all(document, conflict_fields(conflicts));
    if (concerned) add_all(document, boundaries(concerned->document));
    if (intent.dirty_snapshot)
      document.set("dirty_snapshot", control::snapshot_summary(*intent.dirty_snapshot));
    document.set("workspace_registered", true);
    document.set("ttl_seconds", intent.ttl_seconds);
    document.set("edit_allowed", allowed);
    document.set("extended", !conflicts.any());
    if (List rewritten = rewriting_warnings(request, {"add", "add-related"}); !rewritten.empty())
      document.set("warnings", std::move(rewritten));
    if (conflicts.any()) {
      const control::NextStep next = control::next_step(
          {.foreign_active = conflicts.any_of(control::Ownership::foreign_active),
           .foreign_stale = conflicts.any_of(control::Ownership::foreign_stale)});
      document.set("user_action_required", true);
      document.set("next_step", next.text);
      document.set("reason", next.code);
    }
    return {};
  }));
  return replied("gatehouse.intent/1", std::move(document),
                 allowed ? ExitCode::done : ExitCode::denied, intent_text);
}

namespace {

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
};

Result<Declaration> read_declaration(const Request& request, ChangeSession& session,
                                     Context& context) {
  Declaration out;
  out.description = control::stored_description(request.text("goal"));
  if (out.description.empty())
    return fail(Code::intent_text_required, "a change needs a goal: --goal TEXT");
  GH_TRY(scope,
         control::normalise_scope(Map{{"allowed_files", string_list(request.list("allow"))},
                                      {"allowed_related", string_list(request.list("related"))},
                                      {"forbidden", string_list(request.list("forbid"))}}));
  out.scope = std::move(scope);
  GH_TRY(effects, control::normalise_effects(string_list(request.list("expect"))));
  out.effects = std::move(effects);
  GH_TRY(run, needed_run(session, request.text("run")));
  out.run = std::move(run);
  GH_TRY(concerned, concerned_by(out.scope, out.run.extract));
  out.concerned = std::move(concerned);
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
  const bool is_free = !conflicts.any(), is_queued = !is_free && d.queues && !widens;
  if (is_free || !widens) {
    intent.scope = d.scope;
    intent.description = d.description;
    intent.expected_effects = d.effects;
    intent.blast_radius_summary = d.concerned.summary;
    intent = control::renewed(std::move(intent), registry.now());
  }
  if (is_free) {
    GH_TRY(taken,
           widens ? registry.fenced(std::move(intent)) : registry.activate(std::move(intent)));
    intent = std::move(taken);
  }
  if (is_queued) intent.status = IntentStatus::queued;
  registry.tell(
      {.event = is_free     ? "intent.declared"
                : is_queued ? "intent.queued"
                            : "intent.blocked",
       .severity = is_free ? "info" : "warn",
       .intent = &intent,
       .status = is_free || widens ? std::string(to_string(intent.status))
                 : is_queued       ? "queued"
                                   : "blocked",
       .summary = widens ? "declared anew" : "declared",
       .facts = Map{{"scope", control::scope_value(d.scope)}, {"edit_allowed", is_free}}});
  const bool is_registered = is_free || is_queued || widens;
  if (is_free || is_queued) registry.put(intent);
  Map out = intent_payload(intent);
  if (!is_registered) out.set("status", "blocked");
  add_all(out, conflict_fields(conflicts));
  add_all(out, boundaries(d.concerned.document));
  if (intent.dirty_snapshot)
    out.set("dirty_snapshot", control::snapshot_summary(*intent.dirty_snapshot));
  out.set("workspace_registered", is_registered);
  out.set("ttl_seconds", intent.ttl_seconds);
  out.set("edit_allowed", is_free);
  if (is_queued) {
    out.set("blocked_by", conflicts.blocked_by);
    out.set("queue_position", control::queue_position(intent, registry.workspace().held));
    out.set("before_run_pinned", false);
    out.set("next_step", fmt::format("Wait, then promote {}.", intent.id));
  } else if (!is_free) {
    const control::NextStep next =
        control::next_step({.foreign_active = conflicts.any_of(control::Ownership::foreign_active),
                            .foreign_stale = conflicts.any_of(control::Ownership::foreign_stale)});
    out.set("user_action_required", true);
    out.set("next_step", next.text);
    out.set("reason", next.code);
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
  List warnings = rewriting_warnings(request, {"allow", "related", "forbid"});
  if (Value clamped = clamp_warning("ttl", policy::kTtlRange, request.seconds("ttl"));
      !clamped.is_null())
    warnings.push_back(std::move(clamped));
  if (!warnings.empty()) document.set("warnings", std::move(warnings));
  const bool may_edit = Peek(Value(document))["edit_allowed"].is_true();
  return replied("gatehouse.intent/1", std::move(document),
                 may_edit ? ExitCode::done : ExitCode::denied, intent_text);
}

namespace {

/// What a promotion reads before the registry is asked.
struct Promoting {
  std::string id{}, head{};
  ControlRun run{};
  bool rebinds = false;  // a run was named
  DirtySnapshot dirt{};
  bool git_failed = false;
  std::vector<std::string> stale{};  // files of the scope that the run does not know as they are
};

bool may_be_promoted(const Intent& intent) {
  return intent.status == IntentStatus::queued || control::waits_for_clean_files(intent);
}

tl::unexpected<Error> not_queued(const NamedIntent& named) {
  return fail(Code::intent_not_queued,
              fmt::format("intent {} is {}", named.intent.id, named.status()));
}

/// Of what was dirty at the start, what lies outside of the scope: the rest is clean by now.
std::optional<DirtySnapshot> without_scope(std::optional<DirtySnapshot> then,
                                           const gh::Scope& scope) {
  if (then)
    std::erase_if(then->entries, [&](const auto& entry) {
      return std::ranges::any_of(scope.allowed_files, [&](const std::string& file) {
        return policy::matches_prefix(entry.first, file);
      });
    });
  return then;
}

void set_base(Intent& intent, const Promoting& p) {
  intent.run_id = p.run.id();
  intent.report_digest = p.run.row.report_digest;
  if (!p.head.empty()) intent.unknown.set(std::string(kBaseCommit), p.head);
}

/// The scope becomes the intent's, or was so already and is found clean, or is not.
Result<Intent> taken(Registry& registry, Intent intent, const Promoting& p,
                     const control::StartHygiene& hygiene, bool allowed) {
  const bool was_queued = intent.status == IntentStatus::queued;
  if (was_queued || allowed) set_base(intent, p);
  if (was_queued) {
    intent.dirty_snapshot = control::stored_snapshot(p.dirt);
    GH_TRY(active, registry.activate(std::move(intent)));
    intent = std::move(active);
  } else {
    if (allowed) intent.dirty_snapshot = without_scope(intent.dirty_snapshot, intent.scope);
    intent = control::renewed(std::move(intent), registry.now());
  }
  if (allowed)
    intent.unknown.erase(control::kDirtyAtPromotion);
  else
    intent.unknown.set(std::string(control::kDirtyAtPromotion),
                       string_list(hygiene.dirty_in_scope));
  registry.put(intent);
  return intent;
}

Result<Map> promoted(Registry& registry, ChangeSession& session, const Promoting& p,
                     bool& allowed) {
  GH_TRY(intent, held_intent(registry, p.id, session));
  if (!may_be_promoted(intent)) return not_queued({intent});
  const bool was_queued = intent.status == IntentStatus::queued;
  const std::vector<Held> rivals = rivals_of(registry.workspace().held, intent);
  const control::Conflicts conflicts =
      control::find_conflicts(intent.scope, rivals, session.policy().conflict_matching);
  if (was_queued && conflicts.any()) {
    registry.tell({.event = "intent.queue_blocked",
                   .severity = "warn",
                   .intent = &intent,
                   .status = "queued",
                   .facts = Map{{"blocked_by", conflicts.blocked_by}}});
    return Map{{"intent_id", p.id},
               {"status", "queued"},
               {"blocked_by", conflicts.blocked_by},
               {"blocking_count", static_cast<std::int64_t>(conflicts.blocked_by.size())},
               {"edit_allowed", false},
               {"message", "another agent still holds part of the scope"}};
  }
  const std::vector<Held> here = of_tree(rivals, intent.worktree, session.clone);
  const control::StartHygiene hygiene =
      control::start_hygiene(intent.scope, p.git_failed ? nullptr : &p.dirt, here);
  const control::StartHygieneFacts facts{
      .git_failed = hygiene.git_failed,
      .blocks_edit = hygiene.blocks_edit(),
      .foreign_dirty_overlap = !hygiene.foreign_dirty_overlaps.empty(),
      .policy = control::dirty_scope_policy_of(intent.dirty_scope_policy)
                    .value_or(control::DirtyScopePolicy::block)};
  allowed = !control::hygiene_stops_start(facts);
  GH_TRY(active, taken(registry, std::move(intent), p, hygiene, allowed));
  registry.tell({.event = "intent.promoted",
                 .intent = &active,
                 .status = "active",
                 .facts = Map{{"edit_allowed", allowed},
                              {"scope", control::scope_value(active.scope)},
                              {"expires_at_utc", to_string(active.expires_at)}}});
  List warnings;
  if (!p.stale.empty())
    warnings.emplace_back(Map{{"code", "before_run_stale"},
                              {"message",
                               "files of the scope changed since the run; promote with "
                               "--run latest after 'gatehouse analyze'"},
                              {"paths", string_list(p.stale)}});
  Map document{{"intent_id", p.id},
               {"previous_status", was_queued ? "queued" : "active"},
               {"status", "active"},
               {"run_id", active.run_id},
               {"edit_allowed", allowed},
               {"workspace_hygiene", to_value(hygiene, control::continues_own_work(facts))},
               {"dirty_snapshot", control::snapshot_summary(*active.dirty_snapshot)},
               {"warnings", std::move(warnings)},
               {"lease_expires_at_utc", to_string(active.lease_expires_at())},
               {"message", allowed ? "the scope is yours: edit inside of it"
                                   : "the scope is yours, but it has uncommitted changes: do not "
                                     "edit yet"}};
  if (!allowed) {
    const control::NextStep next =
        control::next_step({.git_failed = hygiene.git_failed,
                            .hygiene_blocks = true,
                            .foreign_dirty_overlap = facts.foreign_dirty_overlap});
    document.set("user_action_required", true);
    document.set("next_step_code", next.code);
    document.set("next_step", promotion_step(next, p.id));
  }
  return document;
}

}  // namespace

Result<Reply> change_promote(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  Promoting p{.id = request.text("ID"), .rebinds = request.has("run")};
  GH_TRY(workspace, read_workspace(session, context));
  GH_TRY(named, named_intent(session, workspace, p.id));
  if (named.is_blocked || !may_be_promoted(named.intent)) return not_queued(named);
  const Held* held = workspace.find(p.id);
  GH_DO(enter_tree_of(session, context, *held->intent));
  const std::string wanted = p.rebinds ? request.text("run") : held->intent->run_id;
  GH_TRY(run, run_named(session, wanted));
  if (!run)
    return replied("gatehouse.change_promotion/1",
                   Map{{"intent_id", p.id},
                       {"status", "unverified"},
                       {"reason", "before_run_evicted"},
                       {"edit_allowed", false},
                       {"message", "the run that the intent began with is gone"},
                       {"next_step", "Run 'gatehouse analyze', then promote with --run latest."}},
                   ExitCode::denied, promote_text);
  p.run = std::move(*run);
  if (auto looked = look_at_scope(session, context, held->intent->scope))
    p.dirt = std::move(*looked);
  else
    p.git_failed = true;
  if (auto stale = changed_since(session, p.run, held->intent->scope.allowed_files, 20))
    p.stale = std::move(*stale);
  p.head = head_commit(session);
  Map document;
  bool allowed = false;
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(told, promoted(registry, session, p, allowed));
    document = std::move(told);
    return {};
  }));
  hint_session(document, request);
  return replied("gatehouse.change_promotion/1", std::move(document),
                 allowed ? ExitCode::done : ExitCode::denied, promote_text);
}

Result<Reply> change_abandon(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(workspace, read_workspace(session, context));
  if (request.has("ID"))
    if (const auto named = named_intent(session, workspace, request.text("ID"));
        named && named->is_blocked)
      return drop_blocked(session, context, named->intent);
  std::vector<std::string> cleared;
  std::vector<Intent> isolated;
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    std::vector<Intent> going;
    if (request.flag("all")) {
      for (const Held* held : registry.workspace().own())
        going.push_back(*held->intent);
    } else {
      // What was lost may be given up all the same.
      GH_TRY(held, own_intent(registry.workspace(), request.text("ID")));
      going.push_back(*held->intent);
    }
    for (const Intent& intent : going) {
      registry.tell({.event = "intent.cleared",
                     .intent = &intent,
                     .status = "clean",
                     .summary = "given up without being verified",
                     .facts = Map{{"verified", false}}});
      registry.close(intent, IntentStatus::clean);
      cleared.push_back(intent.id);
      const bool has_tree =
          is_isolated(intent) &&
          sys::info(isolated_folder(session, intent.id)).kind != sys::FileKind::missing;
      if (has_tree) isolated.push_back(intent);
    }
    return {};
  }));
  std::vector<std::string> left;
  for (const Intent& intent : isolated) {
    GH_DO(enter_worktree(session, context, intent));
    GH_TRY(removed, remove_if_done(session, context, intent, {}));
    if (!removed) left.push_back(utf8_or_escaped(isolated_folder(session, intent.id)));
  }
  return replied("gatehouse.change_cleared/1",
                 Map{{"cleared", static_cast<std::int64_t>(cleared.size())},
                     {"cleared_intent_ids", string_list(cleared)},
                     {"workspace_cleared", !cleared.empty()},
                     {"worktrees_left", string_list(left)},
                     {"status", "clean"},
                     {"message", fmt::format("{} given up; nothing was verified{}",
                                             counted_text(cleared.size(), "intent"),
                                             left.empty() ? std::string()
                                                          : "; work that has not landed stays in " +
                                                                join(left, ", "))}},
                 ExitCode::done, short_text);
}

namespace {

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
                     .summary = std::string(decision.reason)});
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
