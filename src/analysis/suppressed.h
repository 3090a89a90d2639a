// Findings that their own code asks to leave out.
#pragma once

#include <algorithm>
#include <vector>

#include "analysis/blocks.h"
#include "analysis/finding.h"
#include "analysis/suppressions.h"

namespace gh::analysis {

/// Takes the design findings out that are suppressed and tells them in the order they had.
List take_suppressed_design(const Project&, std::vector<Group>&);

/// Takes the members out that are suppressed, and with them the groups of which less than two are
/// left; those go to `out`.
template <class CloneGroups>
void take_suppressed_clones(const Project& project, CloneGroups& groups, CloneGroups& out) {
  CloneGroups kept;
  for (auto& group : groups) {
    auto left = group;
    std::erase_if(left.items, [&](const auto& item) {
      return is_suppressed(project, ref_of(item), Rule::clone);
    });
    if (left.items.size() < 2)
      out.push_back(std::move(group));
    else
      kept.push_back(std::move(left));
  }
  groups = std::move(kept);
}

}  // namespace gh::analysis
