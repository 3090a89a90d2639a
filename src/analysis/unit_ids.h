// Names of units in ids: the second and later ones of the same name in a file are numbered.
#pragma once

#include <string>
#include <vector>

#include "analysis/project.h"

namespace gh::analysis {

class UnitIds {
 public:
  explicit UnitIds(const Project&);
  /// "pkg.a:C.f", "pkg.a:C.f#2"
  std::string operator()(UnitRef) const;

 private:
  const Project& project_;
  std::vector<std::vector<std::uint32_t>> numbers_{};  // from 1, by file and unit
};

/// From 1, in the order of the file.
std::vector<std::uint32_t> numbers_of_names(const FileFacts&);

}  // namespace gh::analysis
