#pragma once
// What a change does to the boundary of coding agents, fact by fact in the words of the release
// gate (tool-surface 13.13). A narrower look than the host diff: few files, each fact one of a
// closed list. Pure.
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "powers/compare.h"

namespace gh::powers {

struct BoundaryChange {
  std::string_view kind;  // host_boundary_hook_changed
  std::string what{};     // the subject of a title
  Map evidence{};
  Place place{};
  bool operator==(const BoundaryChange&) const = default;
};

/// Is it one of the files whose two sides are compared?
bool is_boundary_file(std::string_view path);
/// The files whose settings count together with it.
std::vector<std::string> boundary_siblings(std::string_view path);

/// By path, then in the order of the list. Of the environment of servers only names are told.
std::vector<BoundaryChange> boundary_changes(const std::vector<FilePair>&);

}  // namespace gh::powers
