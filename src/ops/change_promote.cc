// `change promote`: one that waited takes its turn, when nobody is in the way.
#include <algorithm>

#include <fmt/format.h>

#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "ops/change_blocked.h"
#include "ops/change_evidence.h"
#include "ops/change_land.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/intent_reply.h"
#include "policy/glob.h"

namespace gh::ops {
namespace {

using control::Held;

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

/// One that may edit is promoted no more: another run would hide what was done since. One that may
/// not yet is asked for again anyway.
std::string stale_message(const std::string& id, bool allowed, bool continues) {
  constexpr std::string_view kWhat =
      "files of the scope changed since the run, and the finish compares with the commit instead";
  if (continues)  // a new start would meet the same uncommitted files
    return fmt::format("{}: what is uncommitted in them counts as your work", kWhat);
  if (!allowed)
    return fmt::format(
        "{}: run 'gatehouse analyze' once they are clean, then promote with --run latest", kWhat);
  return fmt::format(
      "{}: before you edit, give it up ('gatehouse change abandon {}'), run "
      "'gatehouse analyze' and start again; one that waits is promoted with --run "
      "latest after an analysis",
      kWhat, id);
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
               {"message", "another agent still holds part of the scope"},
               {"next_step", fmt::format("Wait until it has finished, then ask again: 'gatehouse "
                                         "change promote {}'. 'gatehouse change list' tells who "
                                         "holds what.",
                                         p.id)}};
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
    warnings.emplace_back(
        Map{{"code", "before_run_stale"},
            {"message", stale_message(p.id, allowed, control::continues_own_work(facts))},
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
  GH_DO(check_freshness(session, p.run, held->intent->scope));
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

}  // namespace gh::ops
