// Projects in memory, for tests.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/dead_code.h"
#include "analysis/extract.h"
#include "analysis/project.h"

namespace gh::analysis {

using Sources = std::vector<std::pair<std::string, std::string>>;

inline Project python_project(Sources files) {
  std::ranges::sort(files);
  Project out;
  Extractor extractor;
  for (const auto& [path, source] : files)
    out.files.push_back(
        {path, syntax::Language::python, extractor.facts_of(syntax::Language::python, source)});
  return out;
}

using Dead = std::map<std::string, std::string>;

/// Qualname to `high`, or to the reason why it is only medium.
inline Dead dead_of(const Project& project) {
  Dead out;
  for (const DeadItem& item : dead_code_of(project).items)
    out.emplace(item.place.qualname, item.is_high() ? "high" : to_string(item.reason));
  return out;
}
inline Dead dead_in(Sources files) { return dead_of(python_project(std::move(files))); }

}  // namespace gh::analysis
