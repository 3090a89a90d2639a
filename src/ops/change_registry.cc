#include "ops/change_registry.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "control/intent_record.h"
#include "ops/change_parts.h"
#include "ops/intent_mirror.h"
#include "sys/process_identity.h"

namespace gh::ops {
namespace {

using control::Held;

constexpr std::size_t kMostSeen = 10'000;

/// Null: it is corrupted.
std::shared_ptr<const Intent> read_record(const store::IntentRow& row, ChangeSession& session) {
  if (session.seen.size() > kMostSeen) session.seen.clear();
  const std::string_view text = row.payload.stored_text();
  SeenRecord& seen = session.seen[row.intent_id];
  if (!text.empty() && seen.text == text && seen.fence == row.fence) return seen.intent;
  seen = {std::string(text), row.fence, nullptr};
  auto intent = control::from_record(row.payload, text);
  if (!intent || intent->id != row.intent_id) return nullptr;
  intent->fence = row.fence;
  seen.intent = std::make_shared<const Intent>(std::move(*intent));
  return seen.intent;
}

void close_what_ran_out(Registry& registry) {
  for (const Held& held : registry.workspace().held) {
    const auto as =
        control::closed_as(control::Sweep::lazy_close, *held.intent, held.liveness, registry.now());
    if (!as) continue;
    registry.tell({.event = "intent.expired",
                   .severity = "warn",
                   .intent = held.intent,
                   .status = std::string(to_string(*as)),
                   .summary = "its time ran out"});
    registry.close(*held.intent, *as);
  }
  for (const std::string& id : registry.workspace().corrupted)
    registry.remove(id);
  if (const auto& bad = registry.workspace().corrupted; !bad.empty())
    registry.tell({.event = "workspace.gc_completed",
                   .summary = fmt::format("{} damaged records removed", bad.size()),
                   .facts = Map{{"corrupted_filenames", string_list(bad)}}});
}

/// What lazy close takes out is not there for whoever decides next.
Workspace without_closed(Workspace all) {
  std::erase_if(all.held, [&](const Held& held) {
    return control::closed_as(control::Sweep::lazy_close, *held.intent, held.liveness, all.now)
        .has_value();
  });
  return all;
}

/// Every open record, or the one that is named: unless its owner fell silent for so long that it
/// has to be asked who came meanwhile.
Result<Workspace> workspace_in(store::IntentView& view, ChangeSession& session, Timestamp now,
                               const std::string& id) {
  if (!id.empty()) {
    GH_TRY(found, view.find(id));
    std::vector<store::IntentRow> one;
    if (found && found->closed_at_utc.empty()) one.push_back(std::move(*found));
    Workspace alone = workspace_of(one, session, now);
    if (std::ranges::none_of(
            alone.held, [](const Held& held) { return held.liveness == control::Liveness::dead; }))
      return alone;
  }
  GH_TRY(rows, view.open());
  return workspace_of(rows, session, now);
}

/// Hooks do not ask a server: they read what the last command left behind. Its loss is no failure;
/// a hook says so when it finds none.
void mirror_registry(ChangeSession& session, Context& context) {
  if (session.ledger->facts().backend != "postgres") return;
  const auto rows = session.ledger->open_intents();
  if (!rows) return;
  IntentMirror mirror{.written_at = context.env.now()};
  for (const store::IntentRow& row : *rows)
    mirror.intents.push_back({row.fence, row.payload.text()});
  (void)write_intent_mirror(session.repo.state_dir(), mirror);
}

Result<std::int64_t> change(ChangeSession& session, Context& context, store::Durability durability,
                            bool closes, const std::string& id,
                            const std::function<Status(Registry&)>& decide) {
  const auto seq = session.ledger->change_intents(
      context.env.now(), durability, [&](store::IntentView& view) -> Result<store::IntentChange> {
        GH_TRY(now, view.now());
        GH_TRY(workspace, workspace_in(view, session, now, id));
        Registry registry(session, context, view, std::move(workspace));
        if (closes) {
          close_what_ran_out(registry);
          registry.forget_closed();
        }
        GH_DO(decide(registry));
        return std::move(registry).take();
      });
  if (seq && *seq != 0) mirror_registry(session, context);
  return seq;
}

}  // namespace

control::Probe probe_of(const Intent& intent, const control::Here& here) {
  const bool is_process = !intent.owner || intent.owner->kind == OwnerKind::process;
  if (!is_process || (intent.owner && intent.owner->host_id != here.host_id)) return {};
  const sys::ProbedProcess seen = sys::probe(intent.agent_pid);
  if (seen.permission_denied) return {control::Seen::permission_denied, 0};
  if (seen.error) return {control::Seen::probe_error, 0};
  if (!seen.exists) return {control::Seen::no_such_process, 0};
  return {control::Seen::exists, seen.start_ticks};
}

const Held* Workspace::find(std::string_view intent_id) const {
  const auto at =
      std::ranges::find_if(held, [&](const Held& h) { return h.intent->id == intent_id; });
  return at == held.end() ? nullptr : &*at;
}

std::vector<const Held*> Workspace::own(std::string_view run_id) const {
  std::vector<const Held*> out;
  for (const Held& h : held) {
    if (is_own(h.ownership) && (run_id.empty() || h.intent->run_id == run_id)) out.push_back(&h);
  }
  // Times are of whole seconds; of two in one second the higher fence, or number, came later.
  std::ranges::stable_sort(out, std::ranges::greater(), [](const Held* h) {
    return std::tuple(h->intent->declared_at, h->intent->fence);
  });
  return out;
}

Workspace workspace_of(const std::vector<store::IntentRow>& rows, ChangeSession& session,
                       Timestamp now) {
  Workspace out{.now = now};
  for (const store::IntentRow& row : rows) {
    std::shared_ptr<const Intent> intent = read_record(row, session);
    if (intent == nullptr) {
      out.corrupted.push_back(row.intent_id);
      continue;
    }
    out.revs.emplace(row.intent_id, row.rev);
    if (is_terminal(intent->status)) continue;
    const Intent& kept = *intent;
    out.intents.push_back(std::move(intent));
    const control::Liveness liveness =
        control::liveness_of(kept, probe_of(kept, session.here), session.here, now,
                             session.policy().session_grace_seconds);
    const bool own = control::is_own(kept, session.caller.who);
    out.held.push_back({&kept, control::ownership_of(kept, own, liveness, now), liveness});
  }
  std::ranges::sort(
      out.held, [](const Held& a, const Held& b) { return comes_before(*a.intent, *b.intent); });
  return out;
}

Result<Workspace> read_workspace(ChangeSession& session, Context& context) {
  if (session.ledger == nullptr) return Workspace{.now = context.env.now()};
  GH_TRY(now, session.ledger->now(context.env.now()));
  GH_TRY(rows, session.ledger->open_intents());
  return workspace_of(rows, session, now);
}

void Registry::put(const Intent& intent) {
  const auto rev = workspace_.revs.find(intent.id);
  std::erase_if(change_.put,
                [&](const store::IntentRow& row) { return row.intent_id == intent.id; });
  change_.put.push_back({.intent_id = intent.id,
                         .agent_pid = intent.agent_pid,
                         .agent_start_epoch = intent.agent_start_epoch,
                         .declared_at_utc = to_string(intent.declared_at),
                         .payload = control::to_record(intent),
                         .fence = intent.fence,
                         .rev = rev == workspace_.revs.end() ? 0 : rev->second,
                         .closed_at_utc = is_terminal(intent.status) ? to_string(now()) : ""});
}

void Registry::close(Intent intent, IntentStatus as) {
  intent.status = as;
  put(intent);
}

void Registry::remove(std::string_view intent_id) { change_.remove.emplace_back(intent_id); }
void Registry::tell(ChangeEvent event) {
  change_.events.push_back(audit_event(session_, context_, std::move(event)));
}
void Registry::keep(store::Document document) { change_.documents.push_back(std::move(document)); }
void Registry::forget_closed() { workspace_ = without_closed(std::move(workspace_)); }

Result<Intent> Registry::fenced(Intent intent) {
  GH_TRY(fence, view_.next_fence());
  intent.fence = fence;
  intent.passed_by = 0;
  const std::vector<Held> rivals = rivals_of(workspace_.held, intent);
  for (const Held* passed :
       control::overtaken(intent.scope, rivals, session_.policy().conflict_matching)) {
    if (passed->intent->id == intent.id) continue;
    Intent loser = *passed->intent;
    loser.passed_by = fence;
    tell({.event = "intent.passed",
          .severity = "warn",
          .intent = &loser,
          .status = "ownership_lost",
          .summary = fmt::format("its lease ran out and {} took files of it", intent.id),
          .facts = Map{{"passed_by", fence}}});
    put(loser);
  }
  return intent;
}

Result<Intent> Registry::activate(Intent intent) {
  intent.status = IntentStatus::active;
  intent.lease_renewed_at = now();
  intent.landing = false;
  return fenced(std::move(intent));
}

Result<std::string> Registry::next_id(std::string_view run_id) {
  const std::string identity = control::owner_identity(
      session_.caller.who.agent_pid, session_.caller.who.agent_start_epoch, &session_.caller.owner);
  // Counted on by what the registry still knows; an id is never given twice while its record lives.
  for (std::int64_t sequence = 1;; ++sequence) {
    std::string id = control::compose_intent_id(run_id, sequence, identity);
    GH_TRY(taken, view_.find(id));
    if (!taken) return id;
  }
}

Result<std::int64_t> change_registry(ChangeSession& session, Context& context,
                                     const std::function<Status(Registry&)>& decide) {
  return change(session, context, store::Durability::durable, true, {}, decide);
}

Result<std::int64_t> change_registry_as_it_is(ChangeSession& session, Context& context,
                                              const std::function<Status(Registry&)>& decide) {
  return change(session, context, store::Durability::durable, false, {}, decide);
}

Result<std::int64_t> renew_softly(ChangeSession& session, Context& context, const std::string& id,
                                  const std::function<Status(Registry&)>& decide) {
  return change(session, context, store::Durability::soft, false, id, decide);
}

Result<Renewal> renew_lease(ChangeSession& session, Context& context, const std::string& id,
                            std::optional<std::int64_t> lease_seconds) {
  Renewal out;
  GH_DO(renew_softly(session, context, id, [&](Registry& registry) -> Status {
    GH_TRY(held, own_intent(registry.workspace(), id));
    out.intent = *held->intent;
    const Status still = check_held(registry.workspace(), *held, session);
    out.refusal = still
                      ? control::renewal_refusal(out.intent, true, out.intent.fence, registry.now())
                      : to_string(still.error().code);
    if (out.refusal.empty()) {
      out.intent = control::renewed(std::move(out.intent), registry.now(), lease_seconds);
      registry.put(out.intent);
    }
    registry.tell({.event = "intent.renewed",
                   .severity = out.refusal.empty() ? "info" : "warn",
                   .intent = &out.intent,
                   .status = out.refusal.empty() ? "renewed" : out.refusal});
    return {};
  }));
  return out;
}

Result<const Held*> own_intent(const Workspace& workspace, const std::string& id) {
  const std::vector<const Held*> own = workspace.own();
  if (id.empty()) {
    if (own.empty()) return fail(Code::no_active_intent, "this session holds no intent");
    return own.front();
  }
  for (const Held* held : own)
    if (held->intent->id == id) return held;
  if (const Held* other = workspace.find(id))
    return fail(Code::unknown_intent,
                fmt::format("intent {} belongs to {}{}; if that is you, name the session with "
                            "--session",
                            id, printable(other->intent->agent_label, 100),
                            other->intent->owner
                                ? fmt::format(" (session {})",
                                              printable(other->intent->owner->session_id, 100))
                                : ""));
  return fail(Code::unknown_intent,
              fmt::format("no open intent has the id {}", printable(id, 140)));
}

namespace {

tl::unexpected<Error> lost(const Intent& intent, std::string_view to) {
  return fail(Code::ownership_lost, fmt::format("intent {} is no longer held with fence {}: {}",
                                                intent.id, intent.fence, to));
}

}  // namespace

Status check_held(const Workspace& workspace, const Held& held, const ChangeSession& session) {
  const Intent& intent = *held.intent;
  const bool lapsed = held.liveness == control::Liveness::dead;
  std::vector<Held> rivals;
  control::Conflicts conflicts;
  if (lapsed) {
    rivals = rivals_of(workspace.held, intent);
    conflicts = control::find_conflicts(intent.scope, rivals, session.policy().conflict_matching);
  }
  if (!control::is_lost({.queued = intent.status == IntentStatus::queued,
                         .passed = intent.passed_by != 0,
                         .lapsed = lapsed,
                         .met = conflicts.any()}))
    return {};
  if (intent.passed_by != 0)
    return lost(intent, fmt::format("its files were taken with fence {} after its lease ran out",
                                    intent.passed_by));
  return lost(intent, fmt::format("its lease ran out and {} holds its files now",
                                  conflicts.overlaps.front().held->intent->id));
}

Result<Intent> held_intent(const Registry& registry, const std::string& id,
                           const ChangeSession& session) {
  GH_TRY(held, own_intent(registry.workspace(), id));
  GH_DO(check_held(registry.workspace(), *held, session));
  return *held->intent;
}

Result<Intent> still_held(const Registry& registry, const Intent& known,
                          const ChangeSession& session) {
  const Held* held = registry.workspace().find(known.id);
  if (held == nullptr) return lost(known, "its record is closed");
  if (!is_own(held->ownership)) return lost(known, "it has another owner");
  if (held->intent->fence != known.fence)
    return lost(known, fmt::format("it has fence {} now", held->intent->fence));
  GH_DO(check_held(registry.workspace(), *held, session));
  return *held->intent;
}

}  // namespace gh::ops
