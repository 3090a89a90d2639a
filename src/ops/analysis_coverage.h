// The coverage report of a run: found, read, joined. What is wrong with it is part of the answer.
#pragma once

#include <string>

#include "analysis/coverage.h"

namespace gh::ops {

struct CoverageWish {
  std::string file;  // as it was named
  std::string from;  // the folder that a relative name starts at
  std::string root;  // what the paths of the project start at
  std::int64_t min_percent = 50;
};
analysis::CoverageJoin coverage_of(const analysis::Project&, const CoverageWish&);

}  // namespace gh::ops
