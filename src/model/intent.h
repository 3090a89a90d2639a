#pragma once
// A declared change and its lifecycle record (change-control 4): what an agent said it would touch,
// who holds it, until when, and what the tree looked like then.
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/value.h"

namespace gh {

/// Lists are sorted by bytes and without repetition; paths are normalised (control/scope_paths.h).
struct Scope {
  std::vector<std::string> allowed_files{}, allowed_related{};
  std::vector<std::string> forbidden{};  // patterns, the state artifacts among them
  bool operator==(const Scope&) const = default;
};

/// Words of the persisted record, spelled as on the wire.
enum class IntentStatus : std::uint8_t {
  active,
  queued,
  clean,
  expanded,
  violated,
  expired,
  orphaned
};
std::string_view to_string(IntentStatus);
std::optional<IntentStatus> intent_status_of(std::string_view);
bool is_terminal(IntentStatus);

enum class OwnerKind : std::uint8_t { process, session };
std::string_view to_string(OwnerKind);
std::optional<OwnerKind> owner_kind_of(std::string_view);

/// Who holds an intent. Ticks are those of /proc/<pid>/stat; 0: not known.
struct Owner {
  OwnerKind kind = OwnerKind::process;
  std::string host_id{}, boot_id{};
  std::int64_t pid = 0, start_ticks = 0;
  std::string session_id{};
  std::int64_t host_pid = 0, host_start_ticks = 0;  // the agent host that started a stdio server
  bool operator==(const Owner&) const = default;
};

/// One path that git calls different from HEAD or index, or untracked.
struct DirtyEntry {
  std::string status_xy{};              // two characters, `??` for untracked
  std::optional<std::string> digest{};  // absent: unavailable
  bool operator==(const DirtyEntry&) const = default;
};
struct DirtySnapshot {
  bool git_available = true;
  Timestamp captured_at{};
  bool partial = false;  // too many entries: only counted
  std::int64_t paths_count = 0;
  std::map<std::string, DirtyEntry, std::less<>> entries{};
  bool operator==(const DirtySnapshot&) const = default;
};

struct LastCheck {
  std::string status{};
  Timestamp at{};
  bool operator==(const LastCheck&) const = default;
};

/// How every intent id begins, and every folder that is named by one.
inline constexpr std::string_view kIntentPrefix = "intent-";

struct Intent {
  std::string id{};
  std::int64_t agent_pid = 0, agent_start_epoch = 0;
  std::string agent_label{};
  std::string run_id{};  // the before-run, 64 hex digits
  Timestamp declared_at{}, expires_at{};
  std::int64_t ttl_seconds = 3600;
  IntentStatus status = IntentStatus::active;
  std::string description{};
  Scope scope{};
  Value blast_radius_summary{Map{}};
  Timestamp lease_renewed_at{};
  std::int64_t lease_seconds = 300;
  std::string report_digest{};
  std::optional<DirtySnapshot> dirty_snapshot{};
  // beyond registry version 2
  std::optional<Owner> owner{};
  std::int64_t fence = 0;      // 0: none was assigned
  std::int64_t passed_by = 0;  // the fence of whoever took files of it meanwhile; 0: nobody did
  std::optional<LastCheck> last_check{};
  // What that check was told of; absent: it is not kept (control/scope_check.h).
  std::optional<std::vector<std::string>> checked_files{};
  std::string worktree{};                       // empty: the root itself
  bool landing = false;                         // on its way from its worktree into the main tree
  std::vector<std::string> expected_effects{};  // of the session that declared it
  std::string dirty_scope_policy{};             // empty: block
  Map unknown{};                                // members that a later version wrote
  bool operator==(const Intent&) const = default;

  Timestamp lease_expires_at() const { return {lease_renewed_at.seconds + lease_seconds}; }
};

/// Order of records everywhere.
bool comes_before(const Intent&, const Intent&);

}  // namespace gh
