#include "sys/file_part.h"

#include <fcntl.h>
#include <unistd.h>

namespace gh::sys {

Result<PartReader> PartReader::open(const std::string& path) {
  PartReader out;
  out.info_ = sys::info(path);
  if (out.info_.kind != FileKind::file) return fail(Code::io_error, path + " is no file");
  out.fd_ = Fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!out.fd_) return fail(Code::io_error, path + " cannot be read");
  return out;
}

Result<std::string> PartReader::read(std::uint64_t offset, std::size_t bytes) const {
  const auto size = static_cast<std::uint64_t>(info_.size);
  if (offset > size || bytes > size - offset) return fail(Code::io_error, "the file ends before");
  std::string out(bytes, '\0');
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t n =
        ::pread(fd_.get(), out.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (n <= 0) return fail(Code::io_error, "the file ends before");
    done += static_cast<std::size_t>(n);
  }
  return out;
}

}  // namespace gh::sys
