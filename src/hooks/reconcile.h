#pragma once
// What a step of an agent changed, told from two looks at the work tree.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/intent.h"

namespace gh::hooks {

struct ChangedPath {
  std::string path{};
  bool is_staged = false;     // what the index says of it differs
  bool is_committed = false;  // what HEAD says of it differs
  bool operator==(const ChangedPath&) const = default;
};

/// Paths whose state differs between the looks, sorted; also those that are clean again.
std::vector<ChangedPath> changed_between(const DirtySnapshot& before, const DirtySnapshot& after);

/// Whose work is it? A path that was last touched before the step began is somebody else's. Times
/// are those of one file system, in nanoseconds; none: not known, and then it is the agent's.
bool is_somebody_elses(std::optional<std::int64_t> touched, std::optional<std::int64_t> began);

}  // namespace gh::hooks
