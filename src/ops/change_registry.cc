#include "ops/change_registry.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "control/intent_extract.h"
#include "control/intent_record.h"
#include "control/scope_check.h"
#include "ops/change_parts.h"
#include "sys/process_identity.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using control::Held;

bool is_probed(const Intent& intent, const control::Here& here) {
  const bool is_process = !intent.owner || intent.owner->kind == OwnerKind::process;
  return is_process && (!intent.owner || intent.owner->host_id == here.host_id);
}

control::Probe probe_of(std::int64_t pid) {
  const sys::ProbedProcess seen = sys::probe(pid);
  if (seen.permission_denied) return {control::Seen::permission_denied, 0};
  if (seen.error) return {control::Seen::probe_error, 0};
  if (!seen.exists) return {control::Seen::no_such_process, 0};
  return {control::Seen::exists, seen.start_ticks};
}

constexpr std::size_t kMostSeen = 10'000;

/// Null: it is corrupted.
std::shared_ptr<const Intent> read_record(const store::IntentRow& row, ChangeSession& session) {
  if (session.seen.size() > kMostSeen) session.seen.clear();
  const std::string_view text = row.payload.stored_text();
  SeenRecord& seen = session.seen[row.intent_id];
  if (!text.empty() && seen.text == text && seen.fence == row.fence) return seen.intent;
  seen = {std::string(text), row.fence, nullptr, {}};
  auto intent = control::from_record(row.payload, text);
  if (!intent || intent->id != row.intent_id) return nullptr;
  intent->fence = row.fence;
  seen.intent = std::make_shared<const Intent>(std::move(*intent));
  return seen.intent;
}

/// Of a record that was read.
const std::string& known_scope_digest(ChangeSession& session, const Intent& intent) {
  std::string& digest = session.seen[intent.id].scope_digest;
  if (digest.empty()) digest = control::scope_digest(intent.scope);
  return digest;
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
                   .summary = "its time ran out",
                   .facts = Map{{"expires_at_utc", to_string(held.intent->expires_at)},
                                {"closed_at_utc", to_string(registry.now())}}});
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

/// Records on their way into a workspace.
class Gathering {
 public:
  Gathering(ChangeSession& session, Timestamp now) : session_(session) { out_.now = now; }

  void add(const store::IntentRow& row) {
    std::shared_ptr<const Intent> intent = read_record(row, session_);
    if (intent == nullptr) {
      out_.corrupted.push_back(row.intent_id);
      return;
    }
    out_.revs.emplace(row.intent_id, row.rev);
    const Held seen = held(*intent);
    add(std::move(intent), seen);
  }
  /// Unless it is one's own or ran out: then more has to be known of it.
  bool add_foreign(std::shared_ptr<const Intent> head) {
    const Held seen = held(*head);
    if (control::is_own(*head, session_.caller.who) ||
        control::closed_as(control::Sweep::lazy_close, *head, seen.liveness, out_.now))
      return false;
    add(std::move(head), seen);
    return true;
  }
  Workspace& so_far() { return out_; }
  Workspace done() && {
    std::ranges::sort(
        out_.held, [](const Held& a, const Held& b) { return comes_before(*a.intent, *b.intent); });
    return std::move(out_);
  }

 private:
  void add(std::shared_ptr<const Intent> intent, const Held& seen) {
    if (is_terminal(intent->status)) return;
    out_.held.push_back(seen);
    out_.intents.push_back(std::move(intent));
  }
  Held held(const Intent& intent) {
    const control::Liveness liveness = control::liveness_of(
        intent, probe(intent), session_.here, out_.now, session_.policy().session_grace_seconds);
    const bool own = control::is_own(intent, session_.caller.who);
    return {&intent, control::ownership_of(intent, own, liveness, out_.now), liveness};
  }
  /// One process may hold many records.
  control::Probe probe(const Intent& intent) {
    if (!is_probed(intent, session_.here)) return {};
    const Owner& asks = session_.caller.owner;  // who asks is there
    if (asks.kind == OwnerKind::process && asks.pid == intent.agent_pid)
      return {control::Seen::exists, asks.start_ticks};
    const auto [known, is_new] = probes_.try_emplace(intent.agent_pid);
    if (is_new) known->second = probe_of(intent.agent_pid);
    return known->second;
  }

  ChangeSession& session_;
  Workspace out_{};
  std::unordered_map<std::int64_t, control::Probe> probes_{};
};

control::KeySource key_source(store::IntentIndex& index) {
  const auto number = [](control::KeyKind kind) { return static_cast<std::int64_t>(kind); };
  return {.with = [&index, number](control::KeyKind kind,
                                   auto keys) { return index.with_keys(number(kind), keys); },
          .between = [&index, number](control::KeyKind kind, auto from,
                                      auto to) { return index.keys(number(kind), from, to); }};
}

store::IntentExtract extract_of_record(const Intent& intent, const std::string& scope_digest,
                                       bool with_keys) {
  store::IntentExtract out{.head = control::head_of(intent, scope_digest)};
  if (!with_keys) return out;
  out.keys.emplace();
  for (control::Key& key : control::keys_of(intent))
    out.keys->push_back({static_cast<std::int64_t>(key.kind), std::move(key.text)});
  return out;
}

/// Asked for one by one: from so many on, all are read at once.
constexpr std::size_t kMostSingle = 64;

/// Adds what the heads say of those that do not matter; returns the ids of those that do.
std::vector<std::string> sort_out(Gathering& gathering, const std::vector<store::IntentHead>& heads,
                                  const std::vector<std::string>& meeting) {
  std::vector<std::string> wanted;
  Workspace& out = gathering.so_far();
  for (const store::IntentHead& row : heads) {
    auto head = control::from_head(row.head);
    const bool is_known = head && head->intent.id == row.intent_id;
    if (!is_known) out.without_extract.push_back(row.intent_id);
    bool is_wanted = !is_known || std::ranges::binary_search(meeting, row.intent_id);
    if (!is_wanted)
      is_wanted = !gathering.add_foreign(std::make_shared<const Intent>(std::move(head->intent)));
    if (is_wanted)
      wanted.push_back(row.intent_id);
    else
      out.scope_digests.emplace(row.intent_id, std::move(head->scope_digest));
  }
  return wanted;
}

Status read_single(Gathering& gathering, store::IntentIndex& index,
                   const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    GH_TRY(row, index.find(id));
    if (row && row->closed_at_utc.empty()) gathering.add(*row);
  }
  return {};
}

Result<Workspace> workspace_of_all(store::IntentIndex& index, ChangeSession& session,
                                   Timestamp now) {
  GH_TRY(rows, index.open());
  return workspace_of(rows, session, now);
}

/// Hooks do not ask a server: they read what the last command left behind. Its loss is no failure;
/// a hook says so when it finds none.
void mirror_registry(ChangeSession& session, Context& context) {
  if (session.ledger->facts().backend != "postgres") return;
  const auto rows = session.ledger->open_intents();
  if (!rows) return;
  (void)store::write_mirror(session.repo.state_dir(), filed(*rows), context.env.now());
}

bool anybody_lapsed(const Workspace& workspace) {
  return std::ranges::any_of(
      workspace.held, [](const Held& held) { return held.liveness == control::Liveness::dead; });
}

/// The record of that id, or those of the session.
Result<Workspace> workspace_to_renew(store::IntentView& view, ChangeSession& session, Timestamp now,
                                     const std::string& id) {
  std::vector<std::string> ids{id};
  if (id.empty()) {
    GH_TRY(own, ids_of(view, session.caller.who));
    ids = std::move(own);
  }
  Gathering gathering(session, now);
  GH_DO(read_single(gathering, view, ids));
  if (!anybody_lapsed(gathering.so_far())) return std::move(gathering).done();
  return workspace_of_all(view, session, now);
}

/// Whoever declared it is not protected by it any more.
void tell_damage(Context& context, const std::vector<std::string>& ids) {
  if (!ids.empty() && context.notice)
    context.notice(fmt::format("damaged records are taken out of the registry: {}",
                               printable(join(ids, ", "), 400)));
}

using Gather = std::function<Result<Workspace>(store::IntentView&, Timestamp)>;

Result<std::int64_t> change(ChangeSession& session, Context& context, store::Durability durability,
                            bool closes, const Gather& gather,
                            const std::function<Status(Registry&)>& decide) {
  const auto seq = session.ledger->change_intents(
      [&] { return context.env.now(); }, durability,
      [&](store::IntentView& view) -> Result<store::IntentChange> {
        GH_TRY(now, view.now());
        GH_TRY(workspace, gather(view, now));
        Registry registry(session, context, view, std::move(workspace));
        if (closes) {
          tell_damage(context, registry.workspace().corrupted);
          close_what_ran_out(registry);
          registry.forget_closed();
        }
        GH_DO(decide(registry));
        return std::move(registry).take();
      });
  if (seq && *seq != 0) mirror_registry(session, context);
  return seq;
}

Gather everybody(ChangeSession& session) {
  return [&session](store::IntentView& view, Timestamp now) {
    return workspace_of_all(view, session, now);
  };
}

}  // namespace

std::vector<store::FiledIntent> filed(const std::vector<store::IntentRow>& rows) {
  std::vector<store::FiledIntent> out;
  for (const store::IntentRow& row : rows) {
    const auto intent = control::from_record(row.payload.value(), row.payload.stored_text());
    if (!intent) continue;
    store::FiledIntent one{row.fence, row.payload.text(), {}};
    for (control::Key& key : control::keys_of(*intent))
      one.keys.push_back({static_cast<std::int64_t>(key.kind), std::move(key.text)});
    out.push_back(std::move(one));
  }
  return out;
}

control::Probe probe_of(const Intent& intent, const control::Here& here) {
  return is_probed(intent, here) ? probe_of(intent.agent_pid) : control::Probe{};
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
  Gathering gathering(session, now);
  for (const store::IntentRow& row : rows)
    gathering.add(row);
  return std::move(gathering).done();
}

Result<Workspace> workspace_around(store::IntentIndex& index, ChangeSession& session, Timestamp now,
                                   const gh::Scope& scope) {
  GH_TRY(heads, index.heads());
  GH_TRY(meeting, control::meeting_scope(scope, key_source(index)));
  Gathering gathering(session, now);
  if (meeting) {
    const std::vector<std::string> wanted = sort_out(gathering, heads, *meeting);
    if (wanted.size() <= kMostSingle) {
      GH_DO(read_single(gathering, index, wanted));
      return std::move(gathering).done();
    }
  }
  GH_TRY(rows, index.open());
  Workspace all = workspace_of(rows, session, now);
  all.without_extract = std::move(gathering.so_far().without_extract);
  return all;
}

Result<Workspace> read_workspace(ChangeSession& session, Context& context) {
  if (session.ledger == nullptr) return Workspace{.now = context.env.now()};
  GH_TRY(now, session.ledger->now(context.env.now()));
  GH_TRY(rows, session.ledger->open_intents());
  return workspace_of(rows, session, now);
}

Result<std::vector<std::string>> ids_of(store::IntentIndex& index, const control::Caller& caller) {
  const std::vector<std::string> key{
      control::process_key(caller.agent_pid, caller.agent_start_epoch)};
  GH_TRY(ids, key_source(index).with(control::KeyKind::agent, key));
  GH_TRY(unknown, index.without_extract());
  ids.insert(ids.end(), unknown.begin(), unknown.end());
  return std::move(ids);
}

Result<Workspace> read_workspace_at(ChangeSession& session, Context& context,
                                    const PathLook& look) {
  if (session.ledger == nullptr) return read_workspace(session, context);
  GH_TRY(index, session.ledger->intent_index());
  if (index == nullptr) return read_workspace(session, context);
  const control::KeySource source = key_source(*index);
  GH_TRY(now, session.ledger->now(context.env.now()));
  GH_TRY(ids, control::meeting_paths(look.paths, source));
  GH_TRY(own, ids_of(*index, session.caller.who));
  GH_TRY(named, source.with(control::KeyKind::session, look.sessions));
  std::vector<std::string> hosts;
  for (const control::Ancestor& host : look.hosts)
    hosts.push_back(control::process_key(host.pid, host.start_ticks));
  GH_TRY(below, source.with(control::KeyKind::host, hosts));
  for (const auto* more :
       std::initializer_list<const std::vector<std::string>*>{&own, &named, &below, &look.ids})
    ids.insert(ids.end(), more->begin(), more->end());
  sort_unique(ids);
  Gathering gathering(session, now);
  GH_DO(read_single(gathering, *index, ids));
  return std::move(gathering).done();
}

void Registry::put(const Intent& intent) {
  put(intent, wire::canonical_json(control::to_record(intent)));
}

void Registry::put_renewed(const Intent& intent) {
  std::string text = control::with_lease(session_.seen[intent.id].text, intent);
  if (text.empty()) return put(intent);
  put(intent, std::move(text));
}

void Registry::put(const Intent& intent, std::string text) {
  GH_ASSERT(!workspace_.scope_digests.contains(intent.id));  // not all of it was read
  const auto rev = workspace_.revs.find(intent.id);
  std::erase_if(change_.put,
                [&](const store::IntentRow& row) { return row.intent_id == intent.id; });
  change_.put.push_back({.intent_id = intent.id,
                         .agent_pid = intent.agent_pid,
                         .agent_start_epoch = intent.agent_start_epoch,
                         .declared_at_utc = to_string(intent.declared_at),
                         .payload = store::IntentPayload::of_text(text),
                         .fence = intent.fence,
                         .rev = rev == workspace_.revs.end() ? 0 : rev->second,
                         .closed_at_utc = is_terminal(intent.status) ? to_string(now()) : "",
                         .extract = extract_of(intent)});
  if (is_terminal(intent.status)) return;
  // What this session has written it need not read again.
  SeenRecord& seen = session_.seen[intent.id];
  const Held* before = workspace_.find(intent.id);
  if (before == nullptr || before->intent->scope != intent.scope) seen.scope_digest.clear();
  seen.text = std::move(text);
  seen.fence = intent.fence;
  seen.intent = std::make_shared<const Intent>(intent);
}

/// Keys follow from what a record is about and who owns it; most writes change neither.
std::optional<store::IntentExtract> Registry::extract_of(const Intent& intent) {
  if (is_terminal(intent.status)) return {};
  const Held* before = workspace_.find(intent.id);
  const bool same_scope = before != nullptr && before->intent->scope == intent.scope;
  const bool lacks =
      std::ranges::find(workspace_.without_extract, intent.id) != workspace_.without_extract.end();
  const bool with_keys = !same_scope || before->intent->owner != intent.owner || lacks;
  return extract_of_record(
      intent,
      same_scope ? known_scope_digest(session_, intent) : control::scope_digest(intent.scope),
      with_keys);
}

/// Records that were read because they have no extract get one while somebody writes.
store::IntentChange Registry::take() && {
  if (change_.events.empty()) return std::move(change_);
  for (const std::string& id : workspace_.without_extract) {
    const Held* held = workspace_.find(id);
    const bool is_written = std::ranges::any_of(
        change_.put, [&](const store::IntentRow& row) { return row.intent_id == id; });
    if (held != nullptr && !is_written)
      change_.extracts.emplace_back(
          id, extract_of_record(*held->intent, known_scope_digest(session_, *held->intent), true));
  }
  return std::move(change_);
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
  intent = control::without_check(std::move(intent));
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
  return change(session, context, store::Durability::durable, true, everybody(session), decide);
}

Result<std::int64_t> change_registry_around(ChangeSession& session, Context& context,
                                            const gh::Scope& scope,
                                            const std::function<Status(Registry&)>& decide) {
  return change(
      session, context, store::Durability::durable, true,
      [&](store::IntentView& view, Timestamp now) {
        return workspace_around(view, session, now, scope);
      },
      decide);
}

Result<std::int64_t> change_registry_as_it_is(ChangeSession& session, Context& context,
                                              const std::function<Status(Registry&)>& decide) {
  return change(session, context, store::Durability::durable, false, everybody(session), decide);
}

Result<std::int64_t> renew_softly(ChangeSession& session, Context& context, const std::string& id,
                                  const std::function<Status(Registry&)>& decide) {
  return change(
      session, context, store::Durability::soft, false,
      [&](store::IntentView& view, Timestamp now) {
        return workspace_to_renew(view, session, now, id);
      },
      decide);
}

Result<Renewal> renew_lease(ChangeSession& session, Context& context, const std::string& id,
                            std::optional<std::int64_t> lease_seconds) {
  Renewal out;
  GH_DO(renew_softly(session, context, id, [&](Registry& registry) -> Status {
    GH_TRY(held, own_intent(registry.workspace(), id, session));
    out.intent = *held->intent;
    const Status still = check_held(registry.workspace(), *held, session);
    out.refusal = still
                      ? control::renewal_refusal(out.intent, true, out.intent.fence, registry.now())
                      : to_string(still.error().code);
    if (out.refusal.empty()) {
      out.intent = control::renewed(std::move(out.intent), registry.now(), lease_seconds);
      registry.put_renewed(out.intent);
    }
    registry.tell({.event = "intent.renewed",
                   .severity = out.refusal.empty() ? "info" : "warn",
                   .intent = &out.intent,
                   .status = out.refusal.empty() ? "renewed" : out.refusal});
    return {};
  }));
  return out;
}

namespace {

tl::unexpected<Error> lost(const Intent& intent, std::string_view to) {
  return fail(Code::ownership_lost, fmt::format("intent {} is no longer held with fence {}: {}",
                                                intent.id, intent.fence, to));
}

}  // namespace

bool was_recovered_from(const Intent& intent, const ChangeSession& session) {
  const Value* numbers = intent.unknown.find(kLostBy);
  return numbers != nullptr && numbers->as_list() != nullptr &&
         std::ranges::find(*numbers->as_list(), Value(session.caller.who.agent_pid)) !=
             numbers->as_list()->end();
}

tl::unexpected<Error> lost_by_recovery(const Intent& intent) {
  return fail(Code::ownership_lost,
              fmt::format("intent {} was recovered by {} after its lease ran out", intent.id,
                          printable(intent.agent_label, 100)));
}

tl::unexpected<Error> ran_out(const Intent& intent) {
  return fail(Code::unknown_intent,
              fmt::format("the time of intent {} ran out at {}; start anew, with a longer --ttl if "
                          "need be",
                          intent.id, to_string(intent.expires_at)));
}

Result<const Held*> own_intent(const Workspace& workspace, const std::string& id,
                               const ChangeSession& session) {
  const std::vector<const Held*> own = workspace.own();
  if (id.empty()) {
    if (own.empty()) return fail(Code::no_active_intent, "this session holds no intent");
    return own.front();
  }
  for (const Held* held : own)
    if (held->intent->id == id) return held;
  const Held* const other = workspace.find(id);
  if (other != nullptr && other->ownership == control::Ownership::expired)
    return ran_out(*other->intent);
  if (other != nullptr && was_recovered_from(*other->intent, session))
    return lost_by_recovery(*other->intent);
  if (other != nullptr)
    return fail(Code::unknown_intent,
                fmt::format("intent {} belongs to {}{}; if that is you, name the session with "
                            "--session{}",
                            id, printable(other->intent->agent_label, 100),
                            other->intent->owner
                                ? fmt::format(" (session {})",
                                              printable(other->intent->owner->session_id, 100))
                                : "",
                            other->intent->unknown.find(control::kClone) == nullptr
                                ? ""
                                : ", in the clone that it was declared in"));
  return fail(Code::unknown_intent,
              fmt::format("no open intent has the id {}", printable(id, 140)));
}

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
  GH_TRY(held, own_intent(registry.workspace(), id, session));
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
