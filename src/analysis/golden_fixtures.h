// Clones that are meant to be: expected outputs and samples below test folders (analysis reference,
// "Golden fixtures").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/blocks.h"
#include "analysis/project.h"
#include "base/error.h"

namespace gh::analysis {

/// Handed in by who knows the pattern language of the product: a whole path against a pattern.
using PathMatcher = bool (*)(std::string_view path, std::string_view pattern);

struct GoldenFixtures {
  std::vector<std::string> patterns{};
  PathMatcher matches = nullptr;
};

/// policy_bad_path: outside the root, or not below a test folder.
Status check_golden_patterns(const std::vector<std::string>& patterns);

/// The patterns, sorted, that cover a group with items at these paths. Empty: the group counts; it
/// does when one item lies outside tests or is covered by none.
std::vector<std::string> golden_patterns_of(const GoldenFixtures&,
                                            const std::vector<std::string_view>& paths);

/// A group that does not count, and why.
template <class G>
struct SetAside {
  G group;
  std::vector<std::string> patterns{};
};

/// Moves the groups that are covered out of `groups`; both keep their order.
template <class G>
std::vector<SetAside<G>> set_aside(const Project& project, const GoldenFixtures& golden,
                                   std::vector<G>& groups) {
  std::vector<SetAside<G>> out;
  if (golden.patterns.empty()) return out;
  std::vector<G> kept;
  for (G& group : groups) {
    std::vector<std::string_view> paths;
    for (const auto& item : group.items)
      paths.push_back(project.files[ref_of(item).file].path);
    if (auto patterns = golden_patterns_of(golden, paths); !patterns.empty())
      out.push_back({std::move(group), std::move(patterns)});
    else
      kept.push_back(std::move(group));
  }
  groups = std::move(kept);
  return out;
}

}  // namespace gh::analysis
