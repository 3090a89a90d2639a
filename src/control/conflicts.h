#pragma once
// Where a declared scope meets those of others (change-control 5.5, 10.5): what stops it, what it
// should know, and who waits beside it. Records that are queued, closed, expired, passed by another
// one's fence, one's own or without a living holder stop nobody.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/ownership.h"
#include "model/intent.h"
#include "policy/control_policy.h"

namespace gh::control {

struct Overlap {
  const Held* held = nullptr;
  std::vector<std::string> hard{}, soft{};  // sorted; the more specific path of each pair
};

struct Conflicts {
  std::vector<Overlap> overlaps{};  // in the order of concurrent_intents
  List concurrent_intents{}, workspace_relations{}, queued_context{}, blocked_by{};
  bool any() const { return !overlaps.empty(); }
  bool any_of(Ownership) const;
};

/// The answer points into `records`.
Conflicts find_conflicts(const Scope&, std::span<const Held> records, policy::ConflictMatching);

/// Records whose holders stopped counting as alive and whose files this scope takes: they lose them
/// to its fence.
std::vector<const Held*> overtaken(const Scope&, std::span<const Held> records,
                                   policy::ConflictMatching);

/// The member `workspace` of an answer.
Value workspace_value(const Conflicts&, const WorkspaceCounts&);

/// 1-based rank among the queued records, this one included whether it stands among them or not.
std::int64_t queue_position(const Intent& queued, std::span<const Held> records);

}  // namespace gh::control
