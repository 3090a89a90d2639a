// Which parts of a report the change of a file can have touched.
#pragma once

#include <string_view>

#include "analysis/amend.h"

namespace gh::analysis {

/// Why the change of this file cannot be told at all, for people; empty: it can.
std::string_view stands_against(const KeptRun&, const ChangedFile&, const Profile&);

/// Clones, imports, surfaces, what is beyond its limit: which of them are not as before. Of `life`
/// it says nothing.
PartsTouched parts_touched(const KeptRun&, const ChangedFile&, const Profile&);

/// What a change does to the question of who is alive.
struct LifeChange {
  bool is_known = false;  // false: dead code must be looked for anew
  // Declarations of the new file that are not those of the old one: some have names that nobody has
  // spoken of, the others must be shown to be alive.
  std::vector<std::uint32_t> fresh{}, claimed{};
  std::vector<LostUse> lost{};
};
/// Without its lost uses no symbol but those is more or less alive than before. What any changed
/// file asks others for is in KeptRun::asked already.
LifeChange life_change(const KeptRun&, const ChangedFile&);

}  // namespace gh::analysis
