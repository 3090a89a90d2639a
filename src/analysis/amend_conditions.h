// When a changed file leaves everything alone that other files say of themselves.
#pragma once

#include "analysis/amend.h"

namespace gh::analysis {

/// Functions that the change adds at the top of the file; their names were never heard before.
using FreshFunctions = std::vector<std::uint32_t>;  // declarations of the new file

/// Clones, imports, classes, surfaces, suppressions, what stands in findings: all as before.
bool leaves_others_alone(const KeptRun&, const ChangedFile&, const Profile&);
/// No symbol but those that the change adds is more or less alive than before; nullopt when that
/// cannot be told.
std::optional<FreshFunctions> leaves_alive(const KeptRun&, const ChangedFile&);

}  // namespace gh::analysis
