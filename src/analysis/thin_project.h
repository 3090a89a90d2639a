// Projects with no more facts than one question needs: what imports say, and functions that may be
// part of a clone. A run leaves them behind so that such a question can be answered without reading
// the facts of all files again.
#pragma once

#include <string>
#include <vector>

#include "analysis/project.h"

namespace gh::analysis {

/// Could it be part of a clone of any kind, or hold arms that are alike?
bool may_be_told(const UnitFact&, const Profile&);

/// What of a file decides which modules it needs.
struct ThinImports {
  FileStatus status = FileStatus::ok;
  std::string package{};
  std::vector<ImportFact> imports{};
};
ThinImports thin_imports(const FileFacts&);

/// Units that may be told. Those that merely bear the name of one are there in name only: the
/// second of a name is told as such.
std::vector<UnitFact> thin_units(const FileFacts&, const Profile&);

/// Has each statement of them its place in the flow of its function?
bool are_sound(const std::vector<std::vector<UnitFact>>& units);

}  // namespace gh::analysis
