// lstat of many files below one root. Those that stand in one folder come one after the other, so
// that the way to it is walked once.
#pragma once

#include <string>
#include <vector>

#include "sys/files.h"

namespace gh::sys {

/// One answer per path, relative to the root; as `info` gives it. Two threads share the work.
std::vector<FileInfo> infos_below(const std::string& root, const std::vector<std::string>& paths);

}  // namespace gh::sys
