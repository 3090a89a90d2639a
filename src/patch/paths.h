#pragma once
// Pieces of the path gate that the other gates use too.
#include <string_view>

namespace gh::patch {

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

}  // namespace gh::patch
