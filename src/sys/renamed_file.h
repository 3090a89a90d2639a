#pragma once
// Files that can be made again at any time: whole or not there, but not forced to the disk.
#include <string>
#include <string_view>

#include "base/error.h"

namespace gh::sys {

/// As write_file_atomic without its two fsyncs, which take longer than a scan. A file that holds
/// these bytes already is left as it is.
Status write_file_renamed(const std::string& path, std::string_view bytes);

}  // namespace gh::sys
