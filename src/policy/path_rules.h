#pragma once
// What a path may look like wherever a patch or a proposal names one
// (docs/reference/patch-paths.md). Pure: bytes in, answer out.
#include <optional>
#include <string_view>

#include "model/patch_rule.h"

namespace gh::policy {

/// Calls fn(component) for each '/'-separated component until it returns true; tells whether one
/// did.
template <class Fn>
bool any_component(std::string_view path, Fn&& fn) {
  for (;;) {
    const std::size_t slash = path.find('/');
    if (fn(path.substr(0, slash))) return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

inline std::string_view basename(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 == 0: the whole path
}

/// First rule of docs/reference/patch-paths.md that `path` breaks, in table order.
std::optional<Violation> path_defect(std::string_view path, bool windows_rules);

}  // namespace gh::policy
