// When a changed file leaves everything alone that other files say of themselves.
#pragma once

#include <string_view>

#include "analysis/amend.h"

namespace gh::analysis {

/// Clones, imports, surfaces, suppressions, what stands in findings: all as before. Says what is
/// not, for people; empty: nothing.
std::string_view touches_others(const KeptRun&, const ChangedFile&, const Profile&);

/// What a change does to the question of who is alive.
struct LifeChange {
  std::string_view why_not{};          // it cannot be told for this reason; empty: it can
  std::vector<std::uint32_t> fresh{};  // declarations of the new file; their names are new
  std::vector<LostUse> lost{};
};
/// Without its lost uses no symbol but the fresh ones is more or less alive than before.
LifeChange life_change(const KeptRun&, const ChangedFile&);

}  // namespace gh::analysis
