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

/// Of a file of Python that came or went: has nobody spoken of its module, and is it no folder that
/// sources begin in?
bool is_unspoken(const KeptRun&, const ChangedFile&);

/// What a change does to the question of who is alive.
struct LifeChange {
  bool is_known = false;  // false: dead code must be looked for anew, among the facts of all files
  // Declarations of the old file that the new one has not, and the other way round.
  std::vector<std::uint32_t> gone{}, come{};
  std::vector<std::uint32_t> fresh{};  // of `come`: plain functions of names that nobody spoke of
  // Names that somebody uses who did not, or no longer; texts that are written or no longer are.
  std::vector<std::string_view> used{}, texts{};

  bool is_none() const { return gone.empty() && come.empty() && used.empty() && texts.empty(); }
};
/// Nothing but these declarations, uses and texts decides otherwise than before over who is alive.
/// What any changed file asks others for is in KeptRun::asked already.
LifeChange life_change(const KeptRun&, const ChangedFile&);

}  // namespace gh::analysis
