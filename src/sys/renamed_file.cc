#include "sys/renamed_file.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/env.h"
#include "sys/files.h"

namespace gh::sys {
namespace {

constexpr mode_t kMode = 0644;

/// A file of its own, with that content and mode.
bool holds_already(const std::string& path, std::string_view bytes) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!fd || ::fstat(fd.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  if ((facts.st_mode & 07777) != kMode || static_cast<std::size_t>(facts.st_size) != bytes.size())
    return false;
  std::array<char, 64 * 1024> piece;
  while (!bytes.empty()) {
    const ssize_t got = ::read(fd.get(), piece.data(), std::min(piece.size(), bytes.size()));
    if (got <= 0 || std::memcmp(piece.data(), bytes.data(), static_cast<std::size_t>(got)) != 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace

Status write_file_renamed(const std::string& path, std::string_view bytes) {
  if (holds_already(path, bytes)) return {};
  const std::string temporary = fmt::format("{}.tmp-{}", path, real_env().random_hex(16));
  GH_DO(write_scratch_file(temporary, bytes));
  if (::chmod(temporary.c_str(), kMode) != 0)
    return fail(Code::io_error, fmt::format("cannot set the mode of {}", temporary));
  return replace_file(temporary, path);
}

}  // namespace gh::sys
