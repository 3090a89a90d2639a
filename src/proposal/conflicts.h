#pragma once
// Conflicts between open proposals (proposals 7.2), from their diffs alone; whether either order
// applies is asked of the patch gate by the caller.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/patch.h"

namespace gh::proposal {

enum class ConflictKind : std::uint8_t { none, adjacent, textual, order, semantic };
std::string_view to_string(ConflictKind);

struct Overlap {
  ConflictKind kind = ConflictKind::none;  // none, adjacent, or textual as far as hunks tell
  std::vector<std::string> paths;          // shared, sorted
};
Overlap overlap_of(const diff::Patch& a, const diff::Patch& b);

/// The kind once both orders were tried.
ConflictKind kind_of(const Overlap&, bool a_then_b_applies, bool b_then_a_applies);

/// Order of the queue: dependencies, then time of approval, then patch_id.
struct Queued {
  std::string patch_id, approved_utc;
  std::vector<std::string> depends_on;
  std::int64_t priority = 0;  // larger first
};
std::vector<std::string> queue_order(std::vector<Queued>);

}  // namespace gh::proposal
