// Names of units in ids: the second and later ones of the same name in a file are numbered.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/project.h"

namespace gh::analysis {

class UnitIds {
 public:
  explicit UnitIds(const Project& project) : project_(project) {}
  /// "pkg.a:C.f", "pkg.a:C.f#2"
  std::string operator()(UnitRef) const;

 private:
  const Project& project_;
  // From 1, of the files that were asked for: most runs ask for few.
  mutable std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> numbers_{};
};

/// From 1, in the order of the file.
std::vector<std::uint32_t> numbers_of_names(const FileFacts&);

}  // namespace gh::analysis
