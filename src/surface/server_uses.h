#pragma once
// What a file does with the server objects that it makes, other than to register tools in a way
// that is read: each such use may register one (tool-surface 5.12). Private to surface.
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "surface/python_source.h"
#include "surface/source_tree.h"

namespace gh::surface {

struct UnreadUse {
  Node at;
  std::string_view why;  // a reason of an omission
};

/// Of TypeScript and JavaScript. `has_neighbours`: files beside it are read as well, so that what
/// is handed to them is not lost.
std::vector<UnreadUse> unread_script_uses(const SourceTree&, bool has_neighbours);

/// Of Python; `servers` are the dotted names of server objects.
std::vector<UnreadUse> unread_python_uses(const PythonSource&, const std::set<std::string>& servers,
                                          bool has_neighbours);

}  // namespace gh::surface
