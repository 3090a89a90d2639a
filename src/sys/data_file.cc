#include "sys/data_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gh::sys {
namespace {

tl::unexpected<Error> failed(std::string_view what) {
  return fail(Code::io_error, fmt::format("{}: {}", what, std::strerror(errno)));
}

}  // namespace

Result<DataFile> DataFile::open(const std::string& path, For purpose) {
  const int mode = purpose == For::writing ? O_RDWR | O_CREAT : O_RDONLY;
  Fd fd(::open(path.c_str(), mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  if (!fd) return failed(path);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return failed(path);
  if (!S_ISREG(info.st_mode)) return fail(Code::io_error, path + " is no regular file");
  return DataFile(std::move(fd));
}

bool DataFile::is_private() const {
  struct stat info {};
  return ::fstat(fd_.get(), &info) == 0 && info.st_uid == ::geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool DataFile::is_same(const DataFile& other) const {
  struct stat here {
  }, there{};
  return ::fstat(fd_.get(), &here) == 0 && ::fstat(other.fd_.get(), &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

void DataFile::touch() const { (void)::futimens(fd_.get(), nullptr); }

Result<std::uint64_t> DataFile::size() const {
  struct stat info {};
  if (::fstat(fd_.get(), &info) != 0) return failed("fstat");
  return static_cast<std::uint64_t>(info.st_size);
}

Result<std::size_t> DataFile::read_into(std::uint64_t offset, std::span<char> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::pread(fd_.get(), bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<std::string> DataFile::read_at(std::uint64_t offset, std::size_t bytes) const {
  std::string out(bytes, '\0');
  GH_TRY(done, read_into(offset, out));
  out.resize(done);
  return out;
}

Result<FileBytes> DataFile::read_first(std::size_t bytes) const {
  FileBytes out(bytes);
  GH_TRY(done, read_into(0, {out.data_.get(), bytes}));
  out.size_ = done;
  return out;
}

Status DataFile::write_at(std::uint64_t offset, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return failed("write");
    bytes.remove_prefix(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return {};
}

Status DataFile::truncate(std::uint64_t size) const {
  if (::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0) return failed("truncate");
  return {};
}

bool DataFile::try_lock() const { return ::flock(fd_.get(), LOCK_EX | LOCK_NB) == 0; }

}  // namespace gh::sys
