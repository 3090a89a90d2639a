#pragma once
// The repository around a path, found by reading files alone: no git is started.
#include <optional>
#include <string>

#include "git/discovery.h"

namespace gh::git {

/// The repository at `folder`, a real path, or the nearest one above it. Inside of git's own folder
/// that is found, as a bare one. `folder` itself need not be there.
std::optional<Found> nearest(const std::string& folder);

}  // namespace gh::git
