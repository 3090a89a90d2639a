#pragma once
// The repository around a path, found by reading files alone: no git is started.
#include <optional>
#include <string>
#include <vector>

#include "git/discovery.h"

namespace gh::git {

/// The repository at `folder`, a real path, or the nearest one above it. Inside of git's own folder
/// that is found, as a bare one. `folder` itself need not be there.
std::optional<Found> nearest(const std::string& folder);

/// All of them, the nearest first.
std::vector<Found> around(const std::string& folder);

/// A linked work tree that its repository knows of at this place. Anybody can write a file `.git`;
/// what it points to points back only where git made both.
bool is_linked_tree(const Found&);

/// The roots of the other work trees of a linked one, the main one first. Some may be gone.
std::vector<std::string> sibling_roots(const Found&);

}  // namespace gh::git
