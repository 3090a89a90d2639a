#include "ops/lease_renewal.h"

#include <algorithm>

#include "ops/caller.h"
#include "ops/change_registry.h"
#include "ops/clone.h"
#include "ops/patch_session.h"
#include "ops/session_keeper.h"
#include "policy/control_policy.h"

namespace gh::ops {
namespace {

enum class Which : std::uint8_t { all, due };

bool is_wanted(const control::Held& held, Which which, Timestamp now) {
  return which == Which::all || control::is_renewal_due(*held.intent, now);
}

Status renew(ChangeSession& session, Context& context, Which which, std::string_view run_id) {
  GH_DO(renew_softly(session, context, {}, [&](Registry& registry) -> Status {
    for (const control::Held* held : registry.workspace().own(run_id)) {
      const Intent& intent = *held->intent;
      if (!is_wanted(*held, which, registry.now()) ||
          !check_held(registry.workspace(), *held, session) ||
          !control::renewal_refusal(intent, true, intent.fence, registry.now()).empty())
        continue;
      const Intent again = control::renewed(intent, registry.now());
      registry.put_renewed(again);
      registry.tell({.event = "intent.renewed", .intent = &again, .status = "renewed"});
    }
    return {};
  }));
  return {};
}

/// Renews what is due and tells in how many seconds to look again.
std::int64_t beat(const Request& request, Context& context) {
  // Looked at first: most beats have nothing to write.
  auto seen = open_change_session(request, context, LedgerUse::read);
  if (!seen) return kFirstBeatSeconds;
  const auto workspace = read_workspace_at(*seen, context, {});
  if (!workspace) return kFirstBeatSeconds;
  std::int64_t next = kFirstBeatSeconds;
  bool is_due = false;
  for (const control::Held* held : workspace->own()) {
    const std::int64_t left = control::renewal_due_in(*held->intent, workspace->now);
    is_due = is_due || left == 0;
    next = std::min(next, left == 0 ? held->intent->lease_seconds / 3 : left);
  }
  if (!is_due) return next;
  if (auto session = open_change_session(request, context))
    (void)renew(*session, context, Which::due, {});
  return next;
}

bool may_hold_something(store::Ledger& ledger, const control::Caller& who) {
  const auto index = ledger.intent_index();
  if (!index || *index == nullptr) return index.has_value();  // of an earlier version: look closer
  const auto ids = ids_of(**index, who);
  return ids && !ids->empty();
}

}  // namespace

void renew_held(const Request& request, Context& context, git::Repo* repo,
                std::string_view run_id) {
  if (repo == nullptr || repo->is_bare()) return;
  const auto ledger = open_ledger_to_read(*repo, context.env);
  if (!ledger || *ledger == nullptr) return;
  const std::string clone = is_shared(ledger->get()) ? clone_id(repo->state_dir()) : "";
  if (!may_hold_something(**ledger, caller_here(request, context, clone))) return;
  Context there = context;
  there.cwd = repo->root();
  if (auto session = open_change_session(request, there))
    (void)renew(*session, there, Which::all, run_id);
}

void release_held(Context& context) {
  const auto request = Request::make(*find_operation("change status"), {});
  if (!request) return;
  const auto seen = open_change_session(*request, context, LedgerUse::read);
  if (!seen || seen->ledger == nullptr || !may_hold_something(*seen->ledger, seen->caller.who))
    return;
  auto session = open_change_session(*request, context);
  if (!session) return;
  (void)renew_softly(*session, context, {}, [&](Registry& registry) -> Status {
    for (const control::Held* held : registry.workspace().own()) {
      const Intent over =
          control::released(*held->intent, registry.now(), session->policy().session_grace_seconds);
      registry.put_renewed(over);
      registry.tell({.event = "intent.released", .intent = &over, .status = "released"});
    }
    return {};
  });
}

Result<Reply> run_with_heartbeat(const Request& request, Context& context) {
  const Operation& operation = request.operation();
  const bool beats =
      operation.effect != Effect::reads && find_option(operation, "session") != nullptr;
  if (!beats) return operation.run(request, context);
  Context there = context;
  const auto* env = dynamic_cast<const AgentEnv*>(&context.env);
  SessionKeeper* keeper = env != nullptr ? env->keeper() : nullptr;
  Heart own{Heart::Seconds(kFirstBeatSeconds)};
  const Heart::Call beats_for(keeper != nullptr ? keeper->heart() : own,
                              [&] { return Heart::Seconds(beat(request, there)); });
  return operation.run(request, context);
}

}  // namespace gh::ops
