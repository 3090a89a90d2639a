#include "sys/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/env.h"
#include "sys/files_below.h"

namespace gh::sys {
namespace {

constexpr std::size_t kReadBlock = 64 * 1024;
constexpr std::size_t kMaxFolderDepth = 512;
constexpr std::size_t kMaxFolderEntries = 1'000'000;
constexpr std::size_t kMaxCopiedFile = 1u << 30;
constexpr std::size_t kMaxHolderBytes = 512;
constexpr std::int64_t kLockPollMs = 10;

tl::unexpected<Error> os_error(std::string_view doing, std::string_view path, int error) {
  const char* words = strerrordesc_np(error);  // never localised
  return fail(Code::io_error, fmt::format("{} '{}': {}", doing, printable(path, 400),
                                          words ? words : "unknown error"));
}

template <class Call>
auto retry(Call call) {
  auto got = call();
  while (got < 0 && errno == EINTR)
    got = call();
  return got;
}

Fd open_fd(const std::string& path, int flags, mode_t mode = 0) {
  return Fd(retry([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); }));
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t put = retry([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (put < 0) return os_error("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Status sync_fd(int fd, const std::string& path) {
  if (retry([&] { return ::fsync(fd); }) != 0) return os_error("fsync", path, errno);
  return {};
}

Result<std::string> read_all(int fd, std::size_t max_bytes, const std::string& path) {
  std::string bytes;
  struct stat facts {};
  // A file is read in one go; a pipe in growing blocks.
  std::size_t block = ::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode)
                          ? std::min(static_cast<std::size_t>(facts.st_size), max_bytes)
                          : 0;
  while (true) {
    const std::size_t held = bytes.size(), room = bytes.capacity() - held;
    const std::size_t wanted = std::min(block, max_bytes - held) + 1;
    // What is held is not moved for a look whether anything is left.
    bytes.resize(held + (held > 0 && room > 0 ? std::min(room, wanted) : wanted));
    block = std::clamp<std::size_t>(bytes.size(), 4096, kReadBlock);
    const ssize_t got = retry([&] { return ::read(fd, bytes.data() + held, bytes.size() - held); });
    if (got < 0) return os_error("read", path, errno);
    bytes.resize(held + static_cast<std::size_t>(got));
    if (got == 0) return bytes;
    if (bytes.size() > max_bytes)
      return fail(Code::document_too_large,
                  fmt::format("'{}' is larger than {} bytes", printable(path, 400), max_bytes));
  }
}

/// A pipe planted in the place of one of our files must not make us wait for its writer.
Status refuse_pipe(int fd, const std::string& path) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) return os_error("look at", path, errno);
  if (S_ISDIR(facts.st_mode)) return os_error("read", path, EISDIR);
  if (!S_ISFIFO(facts.st_mode) && !S_ISSOCK(facts.st_mode)) return {};
  return fail(Code::io_error, fmt::format("'{}' is a pipe, not a file", printable(path, 400)));
}

std::int64_t nanoseconds(const timespec& at) {
  return std::int64_t{at.tv_sec} * 1'000'000'000 + at.tv_nsec;
}

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::file;
  if (S_ISDIR(mode)) return FileKind::folder;
  if (S_ISLNK(mode)) return FileKind::symlink;
  return FileKind::other;
}

FileInfo info_from(const struct stat& st) {
  return {.kind = kind_of(st.st_mode),
          .mode = st.st_mode,
          .owner = st.st_uid,
          .size = st.st_size,
          .mtime_ns = nanoseconds(st.st_mtim),
          .ctime_ns = nanoseconds(st.st_ctim),
          .device = st.st_dev,
          .inode = st.st_ino};
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

/// Opens `name` below `parent` as a folder, refusing a symlink in its place.
Folder open_folder(int parent, const char* name) {
  Fd fd(retry(
      [&] { return ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }));
  if (!fd) return {};
  Folder folder(::fdopendir(fd.get()));
  if (folder) fd.release();
  return folder;
}

bool is_self_or_parent(std::string_view name) { return name == "." || name == ".."; }

/// One folder on the way down of remove_folder_tree.
struct Level {
  Folder folder;
  std::string name;  // inside the level above
};

}  // namespace

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = other.release();
  }
  return *this;
}

Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

int Fd::release() { return std::exchange(fd_, -1); }

FileInfo info(const std::string& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0 ? info_from(st) : FileInfo{};
}

namespace {

void look_below(const std::string& root, const std::vector<std::string>& paths, std::size_t from,
                std::size_t to, std::vector<FileInfo>& out) {
  std::string folder = "/";  // of the one before; no path below a root begins so
  Fd at;
  for (std::size_t i = from; i < to; ++i) {
    const std::size_t slash = paths[i].rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    if (std::string_view(paths[i]).substr(0, name) != folder) {
      folder = paths[i].substr(0, name);
      at = open_fd(root + "/" + folder, O_PATH | O_DIRECTORY);
    }
    struct stat st {};
    if (at && ::fstatat(at.get(), paths[i].c_str() + name, &st, AT_SYMLINK_NOFOLLOW) == 0)
      out[i] = info_from(st);
  }
}

}  // namespace

std::vector<FileInfo> infos_below(const std::string& root, const std::vector<std::string>& paths) {
  constexpr std::size_t kWorthAThread = 1000;
  std::vector<FileInfo> out(paths.size());
  const std::size_t middle = paths.size() < kWorthAThread ? paths.size() : paths.size() / 2;
  std::jthread other;
  if (middle < paths.size())
    other = std::jthread([&] { look_below(root, paths, middle, paths.size(), out); });
  look_below(root, paths, 0, middle, out);
  if (other.joinable()) other.join();
  return out;
}

FileInfo info_follow(const std::string& path) {
  struct stat st {};
  return ::stat(path.c_str(), &st) == 0 ? info_from(st) : FileInfo{};
}

Result<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  if (!real) return os_error("resolve", path, errno);
  return std::string(real.get());
}

Result<std::uint64_t> free_bytes(const std::string& path) {
  struct statvfs facts {};
  if (::statvfs(path.c_str(), &facts) != 0) return os_error("look at", path, errno);
  return std::uint64_t{facts.f_bavail} * facts.f_frsize;
}

Result<std::string> read_named_file(const std::string& path, std::size_t max_bytes) {
  const Fd fd = open_fd(path, O_RDONLY);
  auto bytes =
      fd ? read_all(fd.get(), max_bytes, path) : Result<std::string>(os_error("open", path, errno));
  if (!bytes && bytes.error().code == Code::io_error)  // their file is missing; our disk is fine
    return fail(Code::input_unreadable, std::move(bytes.error().message));
  return bytes;
}

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  const Fd fd = open_fd(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd) return os_error("open", path, errno);
  GH_DO(refuse_pipe(fd.get(), path));
  return read_all(fd.get(), max_bytes, path);
}

Result<FileEnds> read_file_ends(const std::string& path, std::size_t max_bytes) {
  const Fd fd = open_fd(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!fd) return os_error("open", path, errno);
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0) return os_error("look at", path, errno);
  const auto size = static_cast<std::size_t>(facts.st_size);
  FileEnds ends;
  const auto read_at = [&](std::size_t offset, std::size_t count, std::string& out) -> Status {
    out.resize(count);
    const ssize_t got =
        retry([&] { return ::pread(fd.get(), out.data(), count, static_cast<off_t>(offset)); });
    if (got < 0) return os_error("read", path, errno);
    out.resize(static_cast<std::size_t>(got));  // shorter when somebody cut the file meanwhile
    return {};
  };
  if (size <= max_bytes) {
    GH_DO(read_at(0, size, ends.head));
    return ends;
  }
  const std::size_t half = max_bytes / 2;
  GH_DO(read_at(0, half, ends.head));
  GH_DO(read_at(size - half, half, ends.tail));
  ends.cut_bytes = static_cast<std::int64_t>(size - 2 * half);
  return ends;
}

Result<std::string> read_stdin(std::size_t max_bytes) {
  return read_all(STDIN_FILENO, max_bytes, "standard input");
}

Result<std::string> read_stdin_line(std::size_t max_bytes) {
  std::string line;
  for (char c = 0; line.size() <= max_bytes;) {
    const ssize_t got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return os_error("read", "standard input", errno);
    if (got == 0 || c == '\n') return line;
    line += c;
  }
  return fail(Code::document_too_large, "the line is too long");
}

Status write_file_atomic(const std::string& path, std::string_view bytes, std::uint32_t mode) {
  const std::string folder = folder_of(path);
  const std::string temporary =
      fmt::format("{}/.tmp-{}-{}", folder, ::getpid(), real_env().random_hex(16));
  const Fd fd = open_fd(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (!fd) return os_error("create", temporary, errno);
  Status written = write_all(fd.get(), bytes, temporary);
  if (written) written = sync_fd(fd.get(), temporary);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0)
    written = os_error("rename to", path, errno);
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  return sync_folder(folder);
}

Status write_scratch_file(const std::string& path, std::string_view bytes) {
  // Cut after writing: ext4 sends a file to the disk at once that was emptied before.
  const Fd fd = open_fd(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0600);
  if (!fd) return os_error("create", path, errno);
  GH_DO(write_all(fd.get(), bytes, path));
  if (::ftruncate(fd.get(), static_cast<off_t>(bytes.size())) != 0)
    return os_error("cut", path, errno);
  return {};
}

Status place_file(const std::string& from, const std::string& to) {
  const Fd fd = open_fd(from, O_RDONLY | O_NOFOLLOW);
  if (!fd) return os_error("open", from, errno);
  GH_DO(sync_fd(fd.get(), from));
  if (::link(from.c_str(), to.c_str()) == 0 || errno == EEXIST) return {};
  if (errno != EXDEV && errno != EPERM && errno != EMLINK) return os_error("link to", to, errno);
  GH_TRY(bytes, read_all(fd.get(), kMaxCopiedFile, from));
  return write_file_atomic(to, bytes, 0444);
}

Status replace_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return os_error("rename to", to, errno);
  return {};
}

Status append_line(const std::string& path, std::string_view line) {
  const bool is_new = info(path).kind == FileKind::missing;
  const Fd fd = open_fd(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0644);
  if (!fd) return os_error("open", path, errno);
  GH_DO(refuse_pipe(fd.get(), path));
  const std::string whole = std::string(line) + '\n';
  const ssize_t put = retry([&] { return ::write(fd.get(), whole.data(), whole.size()); });
  if (put < 0) return os_error("append to", path, errno);
  if (static_cast<std::size_t>(put) != whole.size()) return os_error("append to", path, ENOSPC);
  GH_DO(sync_fd(fd.get(), path));
  return is_new ? sync_folder(folder_of(path)) : Status{};
}

Status make_folders(const std::string& path) {
  if (info_follow(path).kind == FileKind::folder) return {};
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string folder = path.substr(0, at);
    if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
      const int error = errno;
      if (info_follow(folder).kind != FileKind::folder)
        return os_error("make folder", folder, error);
    }
    if (at == std::string::npos) break;
  }
  if (info_follow(path).kind != FileKind::folder) return os_error("make folder", path, ENOTDIR);
  return {};
}

Status make_private_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  if (errno != EEXIST || info(path).kind != FileKind::folder)
    return os_error("make folder", path, errno);
  return {};
}

Status remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return os_error("remove", path, errno);
  return {};
}

Status remove_folder_tree(const std::string& path) {
  if (info(path).kind == FileKind::missing) return {};
  std::vector<Level> levels;
  levels.push_back({open_folder(AT_FDCWD, path.c_str()), path});
  if (!levels.back().folder) return os_error("open folder", path, errno);
  while (!levels.empty()) {
    DIR* const here = levels.back().folder.get();
    errno = 0;
    const dirent* entry = ::readdir(here);
    if (!entry && errno != 0) return os_error("list", path, errno);
    if (!entry) {
      const std::string name = std::move(levels.back().name);
      levels.pop_back();
      const int parent = levels.empty() ? AT_FDCWD : ::dirfd(levels.back().folder.get());
      if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0)
        return os_error("remove folder", path, errno);
      continue;
    }
    if (is_self_or_parent(entry->d_name)) continue;
    if (::unlinkat(::dirfd(here), entry->d_name, 0) == 0) continue;
    if (errno != EISDIR && errno != EPERM) return os_error("remove below", path, errno);
    if (levels.size() >= kMaxFolderDepth) return os_error("remove below", path, ENAMETOOLONG);
    Folder below = open_folder(::dirfd(here), entry->d_name);
    if (!below) return os_error("open below", path, errno);
    levels.push_back({std::move(below), entry->d_name});
  }
  return {};
}

Status sync_folder(const std::string& path) {
  const Fd fd = open_fd(path, O_RDONLY | O_DIRECTORY);
  if (!fd) return os_error("open folder", path, errno);
  return sync_fd(fd.get(), path);
}

Result<std::vector<std::string>> list_folder(const std::string& path) {
  const Folder folder(::opendir(path.c_str()));
  if (!folder) return os_error("list", path, errno);
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (!entry) break;
    if (is_self_or_parent(entry->d_name)) continue;
    if (names.size() >= kMaxFolderEntries)
      return fail(Code::document_too_large, fmt::format("'{}' holds more than {} entries",
                                                        printable(path, 400), kMaxFolderEntries));
    names.emplace_back(entry->d_name);
  }
  if (errno != 0) return os_error("list", path, errno);
  std::ranges::sort(names);
  return names;
}

bool each_in_folder(const std::string& path,
                    const std::function<bool(std::string_view name, bool is_folder)>& see) {
  Fd fd = open_fd(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!fd) return false;
  const Folder folder(::fdopendir(fd.get()));
  if (!folder) return false;
  (void)fd.release();  // the folder has it now
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (!entry) return errno == 0;
    if (is_self_or_parent(entry->d_name)) continue;
    if (entry->d_type == DT_UNKNOWN || !see(entry->d_name, entry->d_type == DT_DIR)) return false;
  }
}

Result<std::string> read_link(const std::string& path) {
  std::string target(PATH_MAX, '\0');
  const ssize_t got = ::readlink(path.c_str(), target.data(), target.size());
  if (got < 0) return os_error("read link", path, errno);
  target.resize(static_cast<std::size_t>(got));
  return target;
}

Result<TempDir> TempDir::create(const std::string& parent, std::string_view prefix) {
  const std::string pattern = fmt::format("{}/{}XXXXXX", parent, prefix);
  std::string path = pattern;
  if (::mkdtemp(path.data())) return TempDir(std::move(path));
  if (errno != ENOENT) return os_error("make folder below", parent, errno);
  GH_DO(make_folders(parent));
  path = pattern;
  if (!::mkdtemp(path.data())) return os_error("make folder below", parent, errno);
  return TempDir(std::move(path));
}

TempDir::TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TempDir::~TempDir() {
  if (!path_.empty()) (void)remove_folder_tree(path_);
}

Result<FileLock> FileLock::acquire(const std::string& path, std::string_view holder,
                                   std::int64_t timeout_ms) {
  Fd fd = open_fd(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0644);
  if (!fd) return os_error("open", path, errno);
  const std::int64_t deadline = real_env().monotonic_ms() + timeout_ms;
  while (retry([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK) return os_error("lock", path, errno);
    if (real_env().monotonic_ms() >= deadline) {
      std::string words(kMaxHolderBytes, '\0');
      const ssize_t got = ::pread(fd.get(), words.data(), words.size(), 0);
      words.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
      return fail(Code::lock_busy, fmt::format("'{}' is held by {}", printable(path, 400),
                                               words.empty() ? "another process"
                                                             : printable(words, kMaxHolderBytes)));
    }
    const timespec pause{0, kLockPollMs * 1'000'000};
    ::nanosleep(&pause, nullptr);
  }
  const std::string words(holder.substr(0, kMaxHolderBytes));
  if (::ftruncate(fd.get(), 0) != 0 ||
      ::pwrite(fd.get(), words.data(), words.size(), 0) != static_cast<ssize_t>(words.size()))
    return os_error("write", path, errno);
  return FileLock(std::move(fd));
}

}  // namespace gh::sys
