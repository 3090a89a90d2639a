// Classes of a project: where methods are declared outside of their class, they are brought
// together (analysis reference, "Languages").
#pragma once

#include <memory>
#include <vector>

#include "analysis/project.h"

namespace gh::analysis {

struct ClassRecord {
  const AnalysedFile* file;               // that declares it
  std::shared_ptr<const ClassFact> fact;  // of all its parts
};
/// Every complete class, in the order of files. They point into the project.
std::vector<ClassRecord> class_records(const Project&);

}  // namespace gh::analysis
