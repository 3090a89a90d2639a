// One intent at a time: what it says, how it goes on, how it ends without being judged.
#include <algorithm>

#include <fmt/format.h>

#include "analysis/blast_radius.h"
#include "base/sorted.h"
#include "base/text.h"
#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/scope_check.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "control/verify.h"
#include "ops/change_blocked.h"
#include "ops/change_evidence.h"
#include "ops/change_land.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/intent_reply.h"
#include "ops/members.h"
#include "ops/real_place.h"
#include "ops/run_text.h"
#include "ops/session_keeper.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using control::Held;

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

/// What a start says of such entries, of those that come new.
List new_entry_warnings(const std::string& root, const gh::Scope& before, gh::Scope wider) {
  const auto drop = [](std::vector<std::string>& from, const std::vector<std::string>& known) {
    std::erase_if(from, [&](const std::string& path) {
      return std::ranges::find(known, path) != known.end();
    });
  };
  drop(wider.allowed_files, before.allowed_files);
  drop(wider.allowed_related, before.allowed_related);
  List out;
  const auto is_folder = [&](std::string_view path) {
    return sys::info_follow(fmt::format("{}/{}", root, path)).kind == sys::FileKind::folder;
  };
  for (const control::Warning& warning : control::scope_warnings(wider, is_folder))
    out.push_back(to_value(warning));
  return out;
}

/// What was declared before stays as it is; what is typed is brought into its form.
Result<gh::Scope> widened(ChangeSession& session, const gh::Scope& before, const Request& request) {
  const auto typed = [&](std::string_view option) {
    return string_list(by_letter(session.repo, request.list(option)));
  };
  GH_TRY(added, control::normalise_scope(Map{{"allowed_files", typed("add")},
                                             {"allowed_related", typed("add-related")},
                                             {"forbidden", List{}}},
                                         control::EmptyScope::allowed));
  gh::Scope out = before;
  const auto join = [](std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
    sort_unique(to);
  };
  join(out.allowed_files, added.allowed_files);
  join(out.allowed_related, added.allowed_related);
  return out;
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

/// It is in no registry; whoever asked for it is told what it was.
Result<Reply> shown_blocked(const Intent& intent) {
  Map document = intent_payload(intent);
  document.set("status", "blocked");
  document.erase("blast_radius_summary");
  document.set("edit_allowed", false);
  document.set("next_step", "It holds nothing: start again when its files are free.");
  return replied("gatehouse.intent/1", std::move(document), ExitCode::done, intent_text);
}

/// It looked at the session's own records alone.
tl::unexpected<Error> none_held(ChangeSession& session, Context& context, Error error) {
  const auto workspace = read_workspace(session, context);
  if (!workspace) return tl::make_unexpected(std::move(error));
  return tl::make_unexpected(why_none_is_held(session, *workspace, std::move(error)));
}

Result<Reply> shown_intent(const Request& request, Context& context, ChangeSession& session) {
  Intent intent;
  const std::string id = request.text("ID");
  if (!id.empty()) {
    GH_TRY(workspace, read_workspace_at(session, context, {.ids = {id}}));
    const auto named = named_intent(session, workspace, id);
    if (named && named->is_blocked) return shown_blocked(named->intent);
    if (!named && named.error().code == Code::ownership_lost)
      return tl::make_unexpected(named.error());
  }
  const auto shown = renew_softly(session, context, id, [&](Registry& registry) -> Status {
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
  });
  if (!shown) return none_held(session, context, shown.error());
  Map document = intent_payload(intent);
  if (is_isolated(intent))
    document.set("worktree_path", utf8_or_escaped(isolated_folder(session, intent.id)));
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
  if (!renewal && id.empty()) return none_held(session, context, renewal.error());
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
          {"status", control::session_status(intent)},
          {"lease_renewed", renewed},
          {"lease_seconds", intent.lease_seconds},
          {"lease_expires_at_utc", renewed ? Value(to_string(intent.lease_expires_at())) : Value()},
          {"lease_policy", Map{{"min_seconds", policy::kLeaseRange.min},
                               {"default_seconds", policy::kLeaseRange.usual},
                               {"max_seconds", policy::kLeaseRange.max}}}};
  if (!renewed) {
    out.set("reason", refusal);
    out.set("next_step",
            "It cannot be renewed any more: start anew, with a longer --ttl if its time was too "
            "short.");
  }
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
  const List warnings = rewriting_warnings(request, {"files"}, paths);
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
    if (violated)
      document.set("next_step", check.forbidden_touched.empty()
                                    ? control::next_step_for("scope_violation")
                                    : control::forbidden_step());
    record_check(registry, intent, check);
    return {};
  }));
  const bool expired = text_in(document, "status") == "expired";
  hint_session(document, request);
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
  const auto own = own_intent(workspace, request.text("ID"), session);
  if (!own) return tl::make_unexpected(why_none_is_held(session, workspace, own.error()));
  const Held* const before = *own;
  GH_DO(enter_tree_of(session, context, *before->intent));
  GH_TRY(scope, widened(session, before->intent->scope, request));
  GH_DO(move_to_real_places(session.repo.root(), scope));
  const std::string id = before->intent->id;
  GH_TRY(run, run_named(session, before->intent->run_id));
  std::optional<Concerned> concerned;  // of a run that is gone nothing is known
  if (run) {
    GH_TRY(found, concerned_by(scope, run->extract));
    concerned = std::move(found);
  }
  GH_TRY(dirt, look_at_scope(session, context, scope));
  Map document;
  bool allowed = false;
  GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
    GH_TRY(intent, held_intent(registry, id, session));
    const std::vector<Held> rivals = rivals_of(registry.workspace().held, intent);
    const control::Conflicts conflicts =
        control::find_conflicts(scope, rivals, session.policy().conflict_matching);
    const std::vector<std::string> dirty = control::dirty_before(intent, scope, dirt);
    List warnings = rewriting_warnings(request, {"add", "add-related"}, entries_of(scope));
    for (Value& warning : new_entry_warnings(session.repo.root(), intent.scope, scope))
      warnings.push_back(std::move(warning));
    const bool extends = !conflicts.any() && dirty.empty();
    allowed =
        extends && intent.status != IntentStatus::queued && !control::waits_for_clean_files(intent);
    if (extends) {
      intent.scope = scope;
      // What the last check said was of the narrower one; the next check or finish says it anew.
      intent = control::without_check(std::move(intent));
      if (intent.status != IntentStatus::queued) intent.status = IntentStatus::active;
      if (concerned) intent.blast_radius_summary = concerned->summary;
      intent = control::renewed(std::move(intent), registry.now());
      if (intent.status != IntentStatus::queued) {  // it takes further files
        GH_TRY(taken, registry.fenced(std::move(intent)));
        intent = std::move(taken);
      }
      registry.put(intent);
    }
    registry.tell({.event = conflicts.any() ? "workspace.conflict_detected"
                            : extends       ? "intent.declared"
                                            : "intent.blocked",
                   .severity = extends ? "info" : "warn",
                   .intent = &intent,
                   .status = std::string(to_string(intent.status)),
                   .summary = "further files",
                   .facts = Map{{"scope", control::scope_value(scope)}, {"extended", extends}}});
    document = intent_payload(intent);
    add_all(document, conflict_fields(conflicts));
    if (concerned) add_all(document, boundaries(concerned->document));
    if (intent.dirty_snapshot)
      document.set("dirty_snapshot", control::snapshot_summary(*intent.dirty_snapshot));
    document.set("workspace_registered", true);
    document.set("ttl_seconds", intent.ttl_seconds);
    document.set("edit_allowed", allowed);
    document.set("extended", extends);
    if (!warnings.empty()) document.set("warnings", std::move(warnings));
    if (!dirty.empty()) document.set("dirty_paths_in_scope", string_list(dirty));
    if (!extends) {
      const control::NextStep next =
          conflicts.any()
              ? control::widening_step(conflicts.any_of(control::Ownership::foreign_active))
              : control::next_step({.hygiene_blocks = true});
      document.set("user_action_required", true);
      document.set("next_step", next.text);
      document.set("reason", next.code);
    }
    return {};
  }));
  hint_session(document, request);
  return replied("gatehouse.intent/1", std::move(document),
                 allowed ? ExitCode::done : ExitCode::denied, intent_text);
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
  const auto gave_up = change_registry(session, context, [&](Registry& registry) -> Status {
    std::vector<Intent> going;
    if (request.flag("all")) {
      for (const Held* held : registry.workspace().own())
        going.push_back(*held->intent);
    } else {
      // What was lost may be given up all the same.
      GH_TRY(held, own_intent(registry.workspace(), request.text("ID"), session));
      going.push_back(*held->intent);
    }
    for (const Intent& intent : going) {
      registry.tell({.event = "intent.cleared",
                     .intent = &intent,
                     .status = "clean",
                     .summary = "given up without being verified",
                     .facts = Map{{"verified", false}}});
      Intent given_up = intent;
      given_up.unknown.set(std::string(kGivenUp), true);
      registry.close(std::move(given_up), IntentStatus::clean);
      cleared.push_back(intent.id);
      const bool has_tree =
          is_isolated(intent) &&
          sys::info(isolated_folder(session, intent.id)).kind != sys::FileKind::missing;
      if (has_tree) isolated.push_back(intent);
    }
    return {};
  });
  if (!gave_up) return tl::make_unexpected(why_none_is_held(session, workspace, gave_up.error()));
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

}  // namespace gh::ops
