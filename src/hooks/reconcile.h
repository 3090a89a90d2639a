#pragma once
// What a step of an agent changed, told from two looks at the work tree.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/intent.h"

namespace gh::hooks {

/// Paths whose state differs between the looks, sorted; also those that are clean again.
std::vector<std::string> changed_between(const DirtySnapshot& before, const DirtySnapshot& after);

/// Whose work is it? A path that was last touched before the step began is somebody else's. Times
/// are those of one file system, in nanoseconds; none: not known, and then it is the agent's.
bool is_somebody_elses(std::optional<std::int64_t> touched, std::optional<std::int64_t> began);

}  // namespace gh::hooks
