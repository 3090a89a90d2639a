// lstat of many files below one root. Those that stand in one folder come one after the other, so
// that the way to it is walked once.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sys/files.h"

namespace gh::sys {

/// One answer per path, relative to the root; as `info` gives it. Two threads share the work.
std::vector<FileInfo> infos_below(const std::string& root, const std::vector<std::string>& paths);

/// Calls `see` with each name in a folder, in any order, and whether it is a folder itself, as long
/// as it says true. False when it did not, or when the folder cannot be listed so: it is a link, it
/// lets nobody in, or its file system does not say what is a folder.
bool each_in_folder(const std::string& path,
                    const std::function<bool(std::string_view name, bool is_folder)>& see);

}  // namespace gh::sys
