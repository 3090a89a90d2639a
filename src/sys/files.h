#pragma once
// Files and folders. Every read has a byte limit; every write that matters is temp file, fsync,
// rename, fsync of the folder.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gh::sys {

/// Move-only file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(other.release()) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd();
  int get() const { return fd_; }
  int release();
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

enum class FileKind : std::uint8_t { missing, file, folder, symlink, other };
struct FileInfo {
  FileKind kind = FileKind::missing;
  std::uint32_t mode = 0, owner = 0;
  std::int64_t size = 0, mtime_ns = 0, ctime_ns = 0;
  std::uint64_t device = 0, inode = 0;
};
/// What an unprivileged process may still write on the file system of `path`.
Result<std::uint64_t> free_bytes(const std::string& path);
FileInfo info(const std::string& path);         // lstat; never fails, missing is an answer
FileInfo info_follow(const std::string& path);  // stat

Result<std::string> real_path(const std::string& path);
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);  // never a pipe
/// What a person names: also a pipe (`<(command)`), which may take as long as its writer does.
Result<std::string> read_named_file(const std::string& path, std::size_t max_bytes);
/// The whole file in `head` when it fits, else its first and last max_bytes / 2. Does not follow a
/// symbolic link.
struct FileEnds {
  std::string head, tail;
  std::int64_t cut_bytes = 0;  // left out between the two
};
Result<FileEnds> read_file_ends(const std::string& path, std::size_t max_bytes);
Result<std::string> read_stdin(std::size_t max_bytes);
Result<std::string> read_stdin_line(std::size_t max_bytes);  // without its end
Status write_file_atomic(const std::string& path, std::string_view bytes,
                         std::uint32_t mode = 0644);
/// Plain write without fsync, for private scratch files that die with the process.
Status write_scratch_file(const std::string& path, std::string_view bytes);
/// Makes the content of `from` appear at `to`: hard link, or a copy where the file system has none.
/// Durable but for the folder's own fsync; an existing `to` is kept.
Status place_file(const std::string& from, const std::string& to);
Status replace_file(const std::string& from, const std::string& to);  // one rename
Status append_line(const std::string& path, std::string_view line);  // one write, fsynced, LF added
Status make_folder(const std::string& path);                         // private (0700) and new
Status make_folders(const std::string& path);
Status make_private_folder(const std::string& path);  // mode 0700; an existing one is fine
Status remove_file(const std::string& path);          // missing is fine
Status remove_folder_tree(const std::string& path);   // never follows symlinks
Status sync_folder(const std::string& path);
Result<std::vector<std::string>> list_folder(
    const std::string& path);  // names, byte order, no . and ..
Result<std::string> read_link(const std::string& path);

/// A private folder, removed with its content on destruction.
class TempDir {
 public:
  static Result<TempDir> create(const std::string& parent, std::string_view prefix);
  TempDir(TempDir&&) noexcept;
  TempDir& operator=(TempDir&&) noexcept;
  ~TempDir();
  const std::string& path() const { return path_; }

 private:
  explicit TempDir(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// Exclusive flock with the holder's words inside; freed by the kernel when the process dies.
class FileLock {
 public:
  /// Waits up to timeout_ms, then lock_busy naming the holder found in the file.
  static Result<FileLock> acquire(const std::string& path, std::string_view holder,
                                  std::int64_t timeout_ms);
  int descriptor() const { return fd_.get(); }

 private:
  explicit FileLock(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace gh::sys
