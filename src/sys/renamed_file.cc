#include "sys/renamed_file.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/env.h"

namespace gh::sys {
namespace {

constexpr mode_t kMode = 0644;
using Block = std::array<char, 64 * 1024>;

tl::unexpected<Error> failed_to(std::string_view what, const std::string& path) {
  return fail(Code::io_error,
              fmt::format("cannot {} {}: {}", what, printable(path, 400), strerrordesc_np(errno)));
}

bool is_one_of_ours(int fd) {
  struct stat facts {};
  return ::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) && (facts.st_mode & 07777) == kMode;
}

}  // namespace

RenamedFile::RenamedFile(std::string path)
    : path_(std::move(path)),
      held_(::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
  if (held_ && !is_one_of_ours(held_.get())) held_ = Fd();
}

RenamedFile::~RenamedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool RenamedFile::holds_next(std::string_view piece) {
  Block block;
  while (!piece.empty()) {
    const ssize_t got = ::read(held_.get(), block.data(), std::min(block.size(), piece.size()));
    if (got <= 0 || std::memcmp(block.data(), piece.data(), static_cast<std::size_t>(got)) != 0)
      return false;
    piece.remove_prefix(static_cast<std::size_t>(got));
  }
  return true;
}

void RenamedFile::put(std::string_view bytes) {
  while (state_ && !bytes.empty()) {
    const ssize_t put = ::write(made_.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0)
      state_ = failed_to("write", temporary_);
    else
      bytes.remove_prefix(static_cast<std::size_t>(put));
  }
}

/// From here on the bytes are others: a new file begins with those that were the same.
void RenamedFile::part_ways() {
  temporary_ = fmt::format("{}.tmp-{}", path_, real_env().random_hex(16));
  made_ =
      Fd(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!made_) state_ = failed_to("create", temporary_);
  Block block;
  for (std::size_t at = 0; state_ && at < same_;) {
    const ssize_t got = ::pread(held_.get(), block.data(), std::min(block.size(), same_ - at),
                                static_cast<off_t>(at));
    if (got <= 0) {
      state_ = failed_to("read", path_);
      break;
    }
    put({block.data(), static_cast<std::size_t>(got)});
    at += static_cast<std::size_t>(got);
  }
  held_ = Fd();
}

void RenamedFile::add(std::string_view piece) {
  if (!state_ || piece.empty()) return;
  if (held_ && holds_next(piece)) {
    same_ += piece.size();
    return;
  }
  if (!made_) part_ways();
  put(piece);
}

Status RenamedFile::finish() {
  GH_DO(state_);
  struct stat facts {};
  const bool is_same = held_ && ::fstat(held_.get(), &facts) == 0 &&
                       static_cast<std::size_t>(facts.st_size) == same_;
  if (is_same) return {};
  if (!made_) part_ways();
  GH_DO(state_);
  if (::fchmod(made_.get(), kMode) != 0) return failed_to("set the mode of", temporary_);
  GH_DO(replace_file(temporary_, path_));
  temporary_.clear();
  return {};
}

Status write_file_renamed(const std::string& path, std::string_view bytes) {
  RenamedFile file(path);
  file.add(bytes);
  return file.finish();
}

}  // namespace gh::sys
