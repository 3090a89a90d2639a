#pragma once
// The path matchers of change-control 3: iterative, no regex, bytes in, answer out.
#include <string_view>

namespace gh::policy {

bool matches_prefix(std::string_view path,
                    std::string_view root);  // PREFIX: equal, or below root + '/'
bool matches_glob(std::string_view text, std::string_view pattern);      // GLOB: fnmatchcase
bool matches_pathglob(std::string_view path, std::string_view pattern);  // PATHGLOB, whole path

/// PATHGLOB with the rules of patch-gate 6.2: an entry without '/' matches the basename at any
/// depth, one ending in '/' means that folder at the root and all below it.
bool matches_policy_entry(std::string_view path, std::string_view entry);

}  // namespace gh::policy
