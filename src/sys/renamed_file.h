#pragma once
// Files that can be made again at any time: whole or not there, but not forced to the disk.
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "sys/env.h"
#include "sys/files.h"

namespace gh::sys {

/// As write_file_atomic without its two fsyncs, which take longer than a scan.
inline Status write_file_renamed(const std::string& path, std::string_view bytes) {
  constexpr mode_t kMode = 0644;
  const std::string temporary = fmt::format("{}.tmp-{}", path, real_env().random_hex(16));
  GH_DO(write_scratch_file(temporary, bytes));
  if (::chmod(temporary.c_str(), kMode) != 0)
    return fail(Code::io_error, fmt::format("cannot set the mode of {}", temporary));
  return replace_file(temporary, path);
}

}  // namespace gh::sys
