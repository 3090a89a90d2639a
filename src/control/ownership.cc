#include "control/ownership.h"

#include <algorithm>
#include <array>
#include <set>

#include "control/rows.h"
#include "model/members.h"
#include "policy/control_policy.h"

namespace gh::control {
namespace {

constexpr std::array<std::string_view, 3> kLivenessWords{"alive", "dead", "unknown"};

/// `seen` is asked only where a look makes sense: the last column says whether it must be this one.
struct LivenessRow {
  Is by_session, pid_not_positive, other_host, start_differs;
  std::optional<Seen> seen;
  ByLiveness result;
};
// table: liveness
constexpr auto kLivenessRows = [] {
  using enum Is;
  using enum Seen;
  // clang-format off
  return std::array{
      //          session pid<=0 elsewhere differs  seen               result
      LivenessRow{yes,    any,   any,      any,     std::nullopt,      ByLiveness::lease},
      LivenessRow{any,    yes,   any,      any,     std::nullopt,      ByLiveness::dead},
      LivenessRow{any,    any,   yes,      any,     std::nullopt,      ByLiveness::lease},
      LivenessRow{any,    any,   any,      any,     no_such_process,   ByLiveness::dead},
      LivenessRow{any,    any,   any,      yes,     std::nullopt,      ByLiveness::dead},
      LivenessRow{any,    any,   any,      any,     permission_denied, ByLiveness::unknown},
      LivenessRow{any,    any,   any,      any,     probe_error,       ByLiveness::alive},
      LivenessRow{any,    any,   any,      any,     exists,            ByLiveness::alive},
  };
  // clang-format on
}();

bool matches(const LivenessRow& row, const LivenessFacts& f) {
  return fits(row.by_session, f.by_session) && fits(row.pid_not_positive, f.pid_not_positive) &&
         fits(row.other_host, f.other_host) && fits(row.start_differs, f.start_differs) &&
         (!row.seen || *row.seen == f.seen);
}

struct OwnershipWord {
  Ownership ownership;
  std::string_view word;
  bool live_foreign;
  std::string_view others;
};
// table: ownership_words
constexpr std::array kOwnershipWords{
    OwnershipWord{Ownership::expired, "expired", false,
                  "Its time is over: the record is closed at the next look."},
    OwnershipWord{Ownership::own_active, "own_active", false, "It is yours."},
    OwnershipWord{Ownership::own_stale, "own_stale", false,
                  "It is yours, but its lease ran out: renew or recover it."},
    OwnershipWord{Ownership::recoverable, "recoverable", false,
                  "Its holder is gone: it may be recovered, or removed with a reset."},
    OwnershipWord{Ownership::foreign_active, "foreign_active", true,
                  "Coordinate with its holder; never end the holder's process."},
    OwnershipWord{Ownership::foreign_stale, "foreign_stale", true,
                  "Coordinate: its holder lives and may be in a long edit or test run."},
};

const OwnershipWord& word_of(Ownership ownership) {
  return *std::ranges::find(kOwnershipWords, ownership, &OwnershipWord::ownership);
}

struct OwnershipRow {
  Is ttl_passed, own, dead, lease_valid;
  Ownership ownership;
};
// table: ownership
constexpr auto kOwnershipRows = [] {
  using enum Is;
  // clang-format off
  return std::array{
      //           ttl  own  dead lease
      OwnershipRow{yes, any, any, any, Ownership::expired},
      OwnershipRow{any, yes, any, yes, Ownership::own_active},
      OwnershipRow{any, yes, any, no,  Ownership::own_stale},
      OwnershipRow{any, no,  yes, any, Ownership::recoverable},
      OwnershipRow{any, no,  any, yes, Ownership::foreign_active},
      OwnershipRow{any, any, any, any, Ownership::foreign_stale},
  };
  // clang-format on
}();

struct HoldRow {
  Is queued, passed, lapsed, met;
  bool lost;
};
// table: holds
constexpr auto kHoldRows = [] {
  using enum Is;
  // clang-format off
  return std::array{
      //      queued passed lapsed met
      HoldRow{yes,   any,   any,   any, false},
      HoldRow{any,   yes,   any,   any, true},
      HoldRow{any,   any,   yes,   yes, true},
      HoldRow{any,   any,   any,   any, false},
  };
  // clang-format on
}();

struct StaleWord {
  StaleReason reason;
  std::string_view word;
  bool lazy_close, gc;
  std::optional<IntentStatus> closed_as;
};
// table: stale_reasons
constexpr std::array kStaleWords{
    StaleWord{StaleReason::none, "", false, false, std::nullopt},
    StaleWord{StaleReason::expired, "expired", true, true, IntentStatus::expired},
    StaleWord{StaleReason::orphaned, "orphaned", false, true, IntentStatus::orphaned},
    StaleWord{StaleReason::lease_expired, "lease_expired", false, false, std::nullopt},
};

const StaleWord& word_of(StaleReason reason) {
  return *std::ranges::find(kStaleWords, reason, &StaleWord::reason);
}

bool ttl_passed(const Intent& intent, Timestamp now) { return intent.expires_at <= now; }
bool lease_valid(const Intent& intent, Timestamp now) { return intent.lease_expires_at() > now; }

/// A start that both sides know and that is not the same one.
bool differ(std::int64_t a, std::int64_t b) { return a != 0 && b != 0 && a != b; }
bool differ(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

constexpr std::size_t kMostAncestors = 8;

}  // namespace

std::string_view to_string(Liveness liveness) {
  return kLivenessWords[static_cast<std::size_t>(liveness)];
}

ByLiveness decide_liveness(const LivenessFacts& facts) {
  for (const LivenessRow& row : kLivenessRows)
    if (matches(row, facts)) return row.result;
  return kLivenessRows.back().result;
}

LivenessFacts liveness_facts(const Intent& intent, const Probe& probe, const Here& here) {
  static const Owner nobody;
  const Owner& owner = intent.owner ? *intent.owner : nobody;
  return {.by_session = owner.kind == OwnerKind::session,
          .pid_not_positive = intent.agent_pid <= 0,
          .other_host = differ(owner.host_id, here.host_id),
          .seen = probe.seen,
          .start_differs =
              differ(owner.start_ticks, probe.start_ticks) || differ(owner.boot_id, here.boot_id)};
}

Liveness liveness_of(const Intent& intent, const Probe& probe, const Here& here, Timestamp now,
                     std::int64_t session_grace_seconds) {
  switch (decide_liveness(liveness_facts(intent, probe, here))) {
    case ByLiveness::alive:
      return Liveness::alive;
    case ByLiveness::dead:
      return Liveness::dead;
    case ByLiveness::unknown:
      return Liveness::unknown;
    case ByLiveness::lease:
      break;
  }
  const Timestamp end{intent.lease_expires_at().seconds + session_grace_seconds};
  return now < end ? Liveness::alive : Liveness::dead;
}

bool is_own(const Intent& intent, const Caller& caller) {
  if (intent.agent_pid != caller.agent_pid || intent.agent_start_epoch != caller.agent_start_epoch)
    return false;
  return !intent.owner || !differ(intent.owner->session_id, caller.session_id);
}

bool is_of_other_clone(const Intent& intent, const std::string& clone) {
  return differ(text_in(intent.unknown, kClone), clone);
}

bool is_own(const Intent& intent, const HookCaller& hook) {
  if (!intent.owner || is_of_other_clone(intent, hook.clone)) return false;
  const Owner& owner = *intent.owner;
  if (!hook.session_id.empty() && hook.session_id == owner.session_id) return true;
  if (owner.host_pid <= 0 || owner.host_start_ticks <= 0) return false;
  const std::size_t count = std::min(hook.ancestors.size(), kMostAncestors);
  return std::any_of(hook.ancestors.begin(),
                     hook.ancestors.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const Ancestor& a) {
                       return a.pid == owner.host_pid && a.start_ticks == owner.host_start_ticks;
                     });
}

std::string_view to_string(Ownership ownership) { return word_of(ownership).word; }
bool is_live_foreign(Ownership ownership) { return word_of(ownership).live_foreign; }
bool is_own(Ownership ownership) {
  return ownership == Ownership::own_active || ownership == Ownership::own_stale;
}
std::string_view what_others_may_do(Ownership ownership) { return word_of(ownership).others; }

Ownership decide_ownership(const OwnershipFacts& f) {
  for (const OwnershipRow& row : kOwnershipRows)
    if (fits(row.ttl_passed, f.ttl_passed) && fits(row.own, f.own) && fits(row.dead, f.dead) &&
        fits(row.lease_valid, f.lease_valid))
      return row.ownership;
  return kOwnershipRows.back().ownership;
}

Ownership ownership_of(const Intent& intent, bool own, Liveness liveness, Timestamp now) {
  return decide_ownership({.ttl_passed = ttl_passed(intent, now),
                           .own = own,
                           .dead = liveness == Liveness::dead,
                           .lease_valid = lease_valid(intent, now)});
}

bool is_lost(const HoldFacts& f) {
  for (const HoldRow& row : kHoldRows)
    if (fits(row.queued, f.queued) && fits(row.passed, f.passed) && fits(row.lapsed, f.lapsed) &&
        fits(row.met, f.met))
      return row.lost;
  return kHoldRows.back().lost;
}

bool holds_files(const Intent& intent) {
  return !is_terminal(intent.status) && intent.status != IntentStatus::queued &&
         intent.passed_by == 0;
}

std::int64_t lease_left(const Intent& intent, Timestamp now) {
  return std::max<std::int64_t>(0, intent.lease_expires_at().seconds - now.seconds);
}

std::string_view to_string(StaleReason reason) { return word_of(reason).word; }

StaleReason stale_reason(const Intent& intent, Liveness liveness, Timestamp now) {
  if (intent.status == IntentStatus::expired) return StaleReason::expired;
  if (intent.status == IntentStatus::orphaned) return StaleReason::orphaned;
  if (ttl_passed(intent, now)) return StaleReason::expired;
  if (liveness == Liveness::dead) return StaleReason::orphaned;
  if (!lease_valid(intent, now)) return StaleReason::lease_expired;
  return StaleReason::none;
}

bool closes(Sweep sweep, StaleReason reason) {
  return sweep == Sweep::lazy_close ? word_of(reason).lazy_close : word_of(reason).gc;
}

std::optional<IntentStatus> closed_as(Sweep sweep, const Intent& intent, Liveness liveness,
                                      Timestamp now) {
  const StaleReason reason = stale_reason(intent, liveness, now);
  if (is_terminal(intent.status) || !closes(sweep, reason)) return {};
  return word_of(reason).closed_as;
}

std::string_view renewal_refusal(const Intent& intent, bool own, std::int64_t fence,
                                 Timestamp now) {
  if (!own) return "not_owner";
  if (fence < intent.fence || intent.passed_by != 0) return "ownership_lost";
  if (is_terminal(intent.status)) return "intent_closed";
  if (ttl_passed(intent, now)) return "ttl_expired";
  return {};
}

std::int64_t renewal_due_in(const Intent& intent, Timestamp now) {
  const std::int64_t due = intent.lease_renewed_at.seconds + intent.lease_seconds / 3;
  return std::max<std::int64_t>(0, due - now.seconds);
}

bool is_renewal_due(const Intent& intent, Timestamp now) {
  return renewal_due_in(intent, now) == 0;
}

Intent renewed(Intent intent, Timestamp now, std::optional<std::int64_t> lease_seconds) {
  intent.lease_renewed_at = now;
  if (lease_seconds) intent.lease_seconds = policy::kLeaseRange.clamp(*lease_seconds);
  return intent;
}

Intent released(Intent intent, Timestamp now, std::int64_t session_grace_seconds) {
  intent.lease_renewed_at = {now.seconds - intent.lease_seconds - session_grace_seconds};
  return intent;
}

Intent restarted(Intent intent, Timestamp now) {
  if (intent.status != IntentStatus::queued) intent.status = IntentStatus::active;
  // never before the declaration, wherever the clock went: such a record would count as corrupted
  intent.expires_at = {std::max(now, intent.declared_at).seconds + intent.ttl_seconds};
  return renewed(std::move(intent), now);
}

WorkspaceCounts workspace_counts(std::span<const Held> records) {
  WorkspaceCounts counts;
  std::set<std::int64_t> pids;
  for (const Held& held : records) {
    if (is_terminal(held.intent->status) || held.ownership == Ownership::expired) continue;
    pids.insert(held.intent->agent_pid);
    counts.orphaned_count += held.ownership == Ownership::recoverable ? 1 : 0;
    counts.stale_count +=
        held.ownership == Ownership::own_stale || held.ownership == Ownership::foreign_stale ? 1
                                                                                             : 0;
  }
  counts.total_agents = static_cast<std::int64_t>(pids.size());
  return counts;
}

}  // namespace gh::control
