#pragma once
// A folder as `release detect` and `release init` see it.
#include <string>
#include <vector>

#include "base/error.h"
#include "surface/suggest.h"

namespace gh::ops {

struct DetectedFolder {
  std::string root;  // real path
  surface::Suggestions found{};
  std::vector<std::string> manifests{};  // from the root
  /// Folders that are packages of their own and hold sources; several are several agents.
  std::vector<std::string> projects{};
};
Result<DetectedFolder> detect_folder(const std::string& folder);

}  // namespace gh::ops
