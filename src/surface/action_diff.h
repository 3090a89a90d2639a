#pragma once
// What changed between the actions of two scans (release-gate 14.2).
#include <string>
#include <vector>

#include "surface/actions.h"

namespace gh::surface {

struct ActionChange {
  std::string type, action_id, agent_id, tool_name, operation;
  FindingSeverity severity = FindingSeverity::info;
  std::string reason{};
  Value before{}, after{};
  std::vector<std::string> added{}, removed{};
  Place place{};                 // of the live tool
  const Action* live = nullptr;  // nullptr: removed
};
/// With the place, or as evidence without it.
Map document_of(const ActionChange&, bool with_place);

struct ActionDiff {
  std::vector<ActionChange> added{}, removed{}, modified{};
};

/// `base` as `action_surface_facts.actions` of an earlier report has it, with its secrets masked;
/// the live ones are held against it as they would be written. The changes point into `live`.
ActionDiff diff_actions(const List& base, const std::vector<Action>& live);

bool is_critical_tag(std::string_view canonical_tag);

}  // namespace gh::surface
