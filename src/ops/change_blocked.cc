#include "ops/change_blocked.h"

#include <array>
#include <tuple>

#include <fmt/format.h>

#include "control/intent_record.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "model/peek.h"
#include "ops/change_receipt.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kClosedLookedAt = 50;  // those that were closed last

/// What may have become of an id since its start was blocked.
// table: events after a blocked start
constexpr std::array<std::string_view, 3> kFollows{"intent.declared", "intent.queued",
                                                   "intent.cleared"};

bool is_about(const store::AuditRow& row, const std::string& id) {
  return Peek(Value(row.event.subject))["intent_id"].text() == id;
}

bool is_by(const store::AuditRow& row, const control::Caller& who) {
  const Peek payload(row.event.payload);
  return payload["agent_pid"].number() == who.agent_pid &&
         payload["agent_start_epoch"].number() == who.agent_start_epoch;
}

/// The last row of that event about the intent; nullopt: there is none.
Result<std::optional<store::AuditRow>> last_row(ChangeSession& session, std::string_view event,
                                                const std::string& id) {
  GH_TRY(rows, session.ledger->audit_of_event(event));
  std::optional<store::AuditRow> out;
  for (store::AuditRow& row : rows)
    if (is_about(row, id) && is_by(row, session.caller.who)) out = std::move(row);
  return out;
}

Result<std::optional<Intent>> blocked_start(ChangeSession& session, const std::string& id) {
  GH_TRY(blocked, last_row(session, "intent.blocked", id));
  if (!blocked) return std::nullopt;
  for (const std::string_view event : kFollows) {
    GH_TRY(later, last_row(session, event, id));
    if (later && later->seq > blocked->seq) return std::nullopt;
  }
  const Value subject(blocked->event.subject);
  const Peek payload(blocked->event.payload);
  GH_TRY(scope, control::normalise_scope(Value(payload["scope"].map())));
  Intent out;
  out.id = id;
  out.agent_pid = session.caller.who.agent_pid;
  out.agent_start_epoch = session.caller.who.agent_start_epoch;
  out.agent_label = session.caller.label;
  out.declared_at = out.expires_at = out.lease_renewed_at = blocked->event.ts;  // it held nothing
  out.run_id = std::string(Peek(subject)["run_id"].text());
  out.report_digest = std::string(payload["report_digest"].text());
  out.description = std::string(payload["intent"].text());
  out.scope = std::move(scope);
  out.worktree = session.worktree;  // it has no files anywhere
  return out;
}

}  // namespace

bool NamedIntent::may_not_edit() const {
  return is_blocked || control::waits_for_clean_files(intent);
}
std::string NamedIntent::status() const {
  return may_not_edit() ? std::string("blocked") : std::string(to_string(intent.status));
}
bool NamedIntent::is_active() const {
  return !may_not_edit() && intent.status != IntentStatus::queued;
}

Result<NamedIntent> named_intent(ChangeSession& session, const Workspace& workspace,
                                 const std::string& id) {
  auto held = own_intent(workspace, id, session);
  if (held) return NamedIntent{*(*held)->intent, false};
  if (id.empty())
    return tl::make_unexpected(why_none_is_held(session, workspace, std::move(held).error()));
  if (held.error().code == Code::unknown_intent && session.ledger != nullptr) {
    GH_TRY(blocked, blocked_start(session, id));
    if (blocked) return NamedIntent{std::move(*blocked), true};
    GH_TRY(closed, kept_intent(*session.ledger, id));
    if (closed && was_recovered_from(*closed, session)) return lost_by_recovery(*closed);
    if (closed && closed->status == IntentStatus::expired) return ran_out(*closed);
  }
  return tl::make_unexpected(std::move(held).error());
}

Error why_none_is_held(ChangeSession& session, const Workspace& workspace, Error error) {
  if (error.code != Code::no_active_intent || session.ledger == nullptr) return error;
  std::optional<Intent> last;
  const auto look_at = [&](const Intent& intent) {
    const auto age = [](const Intent& i) { return std::tuple(i.declared_at, i.fence); };
    const bool was_held =
        control::is_own(intent, session.caller.who) || was_recovered_from(intent, session);
    if (was_held && (!last || age(*last) < age(intent))) last = intent;
  };
  for (const control::Held& held : workspace.held)
    look_at(*held.intent);
  if (const auto closed = session.ledger->closed_intents(kClosedLookedAt))
    for (const store::IntentRow& row : *closed)
      if (auto intent = control::from_record(row.payload)) {
        intent->fence = row.fence;
        look_at(*intent);
      }
  if (!last) return error;
  if (!control::is_own(*last, session.caller.who)) return lost_by_recovery(*last).value();
  if (last->status != IntentStatus::clean && last->expires_at <= workspace.now)
    error.message = fmt::format(
        "{}: the time of {} ran out at {}; start anew, with a longer --ttl "
        "if need be",
        error.message, last->id, to_string(last->expires_at));
  return error;
}

}  // namespace gh::ops
