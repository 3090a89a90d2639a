// Findings that their own code asks to leave out.
#pragma once

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/blocks.h"
#include "analysis/finding.h"
#include "analysis/structural.h"
#include "analysis/suppressions.h"

namespace gh::analysis {

/// The declarations that ask for something to be left out, by their place.
class AskedFor {
 public:
  explicit AskedFor(const Project&);
  /// Does the declaration at that place ask for it?
  bool operator()(const Place&, Rule) const;

 private:
  struct Asking {
    const FileFacts* facts;
    std::uint32_t declaration;
  };
  using Span = std::tuple<std::string_view, std::uint32_t, std::uint32_t>;  // path, lines
  std::multimap<Span, Asking> asking_{};
};

/// Takes out what is suppressed: duplicated branches by their unit, cohorts by the members that
/// differ, once no other is left.
Structural take_suppressed_structural(const Project&, Structural&);

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
    for (const auto& item : group.items)
      if (is_suppressed(project, ref_of(item), Rule::clone))
        left.suppressed.push_back(ref_of(item));
    if (left.items.size() < 2)
      out.push_back(std::move(group));
    else
      kept.push_back(std::move(left));
  }
  groups = std::move(kept);
}

}  // namespace gh::analysis
