#pragma once
// Who holds a record and whether that holder lives (change-control 4.2, 5.2 to 5.4). All of it is
// computed when a record is read; nothing here looks at a process or a clock.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/intent.h"

namespace gh::control {

enum class Liveness : std::uint8_t { alive, dead, unknown };
std::string_view to_string(Liveness);

/// What a look at the process of an owner told. The look is not taken for an owner of kind session.
enum class Seen : std::uint8_t { exists, no_such_process, permission_denied, probe_error };
struct Probe {
  Seen seen = Seen::no_such_process;
  std::int64_t start_ticks = 0;  // of the process that exists now; 0: not known
};

/// This machine, now.
struct Here {
  std::string host_id{}, boot_id{};
};

struct LivenessFacts {
  bool by_session = false;  // the owner is no process
  bool pid_not_positive = false, other_host = false;
  Seen seen = Seen::exists;
  bool start_differs = false;  // another process of that number, or another boot
};
enum class ByLiveness : std::uint8_t { alive, dead, unknown, lease };
ByLiveness decide_liveness(const LivenessFacts&);

LivenessFacts liveness_facts(const Intent&, const Probe&, const Here&);

Liveness liveness_of(const Intent&, const Probe&, const Here&, Timestamp now,
                     std::int64_t session_grace_seconds);

/// Who asks.
struct Caller {
  std::int64_t agent_pid = 0, agent_start_epoch = 0;
  std::string session_id{};
};
bool is_own(const Intent&, const Caller&);

/// Member of a record in a ledger that several clones share: the clone whose files it is about.
inline constexpr std::string_view kClone = "clone";
/// Both are known and not the same.
bool is_of_other_clone(const Intent&, const std::string& clone);

/// A hook knows its conversation and its ancestors, not the owner.
struct Ancestor {
  std::int64_t pid = 0, start_ticks = 0;
};
struct HookCaller {
  std::string session_id{};
  std::vector<Ancestor> ancestors{};  // the parent first; only the first eight count
  std::string clone{};                // of a ledger that clones share
};
bool is_own(const Intent&, const HookCaller&);

enum class Ownership : std::uint8_t {
  expired,
  own_active,
  own_stale,
  recoverable,
  foreign_active,
  foreign_stale
};
std::string_view to_string(Ownership);
bool is_live_foreign(Ownership);
bool is_own(Ownership);
/// What somebody else may do about the record.
std::string_view what_others_may_do(Ownership);

struct OwnershipFacts {
  bool ttl_passed = false, own = false, dead = false, lease_valid = false;
};
Ownership decide_ownership(const OwnershipFacts&);
Ownership ownership_of(const Intent&, bool own, Liveness, Timestamp now);

/// A record with all that was found out about its holder.
struct Held {
  const Intent* intent = nullptr;
  Ownership ownership = Ownership::expired;
  Liveness liveness = Liveness::unknown;
};

/// May its owner still write to a record? Whoever fell silent for so long that others were free to
/// come has lost it once one of them came, for good: also when that one is gone again, and when the
/// clock says otherwise by now.
struct HoldFacts {
  bool queued = false;  // it holds nothing that could be lost
  bool passed = false;  // somebody took files of it under a higher fence
  bool lapsed = false;  // its owner counts as dead: by lease, as its caller is here to ask
  bool met = false;     // a live record of somebody else shares its files
};
bool is_lost(const HoldFacts&);
/// Does the record keep others off its files, as far as it goes by itself?
bool holds_files(const Intent&);

/// `lease_expires_in_seconds` of a record, never below 0.
std::int64_t lease_left(const Intent&, Timestamp now);

enum class StaleReason : std::uint8_t { none, expired, orphaned, lease_expired };
std::string_view to_string(StaleReason);
StaleReason stale_reason(const Intent&, Liveness, Timestamp now);

enum class Sweep : std::uint8_t { lazy_close, gc_workspace };
bool closes(Sweep, StaleReason);

/// The record as a sweep leaves it, or nothing when it stays as it is.
std::optional<IntentStatus> closed_as(Sweep, const Intent&, Liveness, Timestamp now);

/// Why the lease cannot be renewed; empty: it can.
std::string_view renewal_refusal(const Intent&, bool own, std::int64_t fence, Timestamp now);
/// A third of the lease went by without a word.
bool is_renewal_due(const Intent&, Timestamp now);
/// Seconds until then, 0 when it is.
std::int64_t renewal_due_in(const Intent&, Timestamp now);
/// The lease runs from `now`; the time to live stays what it was.
Intent renewed(Intent, Timestamp now, std::optional<std::int64_t> lease_seconds = {});
/// Its owner is gone for good: lease and grace are over at `now`.
Intent released(Intent, Timestamp now, std::int64_t session_grace_seconds);
/// Active again, time to live and lease from `now`; one that waits in the queue waits on.
Intent restarted(Intent, Timestamp now);

struct WorkspaceCounts {
  std::int64_t total_agents = 0;  // distinct processes
  std::int64_t stale_count = 0, orphaned_count = 0;
};
WorkspaceCounts workspace_counts(std::span<const Held>);

}  // namespace gh::control
