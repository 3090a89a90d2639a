#include "sys/tree_files.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

namespace gh::sys {
namespace {

tl::unexpected<Error> io_failure(std::string_view what, std::string_view path) {
  return fail(Code::io_error,
              fmt::format("cannot {} {}: {}", what, printable(path), strerror(errno)));
}

struct Parent {
  Fd folder;
  std::string name;
  TreeFileKind problem = TreeFileKind::regular;  // regular: none
};

/// Opens the folder that holds `path`. With `create`, missing folders are made.
Result<Parent> open_parent(const std::string& root, std::string_view path, bool create) {
  Parent out;
  out.folder = Fd(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!out.folder) return io_failure("open", root);
  const std::vector<std::string_view> parts = split(path, '/');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::string name(parts[i]);
    if (create && mkdirat(out.folder.get(), name.c_str(), 0777) != 0 && errno != EEXIST)
      return io_failure("create the folder of", path);
    Fd next(
        openat(out.folder.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next) {
      if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) return io_failure("open", path);
      struct stat st {};
      const bool there = fstatat(out.folder.get(), name.c_str(), &st, AT_SYMLINK_NOFOLLOW) == 0;
      out.problem = !there                ? TreeFileKind::missing
                    : S_ISLNK(st.st_mode) ? TreeFileKind::below_link
                                          : TreeFileKind::below_other;
      return out;
    }
    out.folder = std::move(next);
  }
  out.name = std::string(parts.back());
  return out;
}

Result<Parent> parent_for_writing(const std::string& root, std::string_view path) {
  GH_TRY(parent, open_parent(root, path, true));
  if (parent.problem != TreeFileKind::regular)
    return fail(Code::io_error, fmt::format("a parent of {} is no folder", printable(path)));
  return std::move(parent);
}

Status read_all(int fd, const TakePiece& take, std::size_t max_bytes, std::string_view path) {
  char buffer[65536];
  for (std::size_t taken = 0;;) {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got == 0) return {};
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_failure("read", path);
    taken += static_cast<std::size_t>(got);
    if (taken > max_bytes)
      return fail(Code::document_too_large,
                  fmt::format("{} is over {} bytes", printable(path), max_bytes));
    take({buffer, static_cast<std::size_t>(got)});
  }
}

Status write_all(int fd, std::string_view bytes, std::string_view path) {
  while (!bytes.empty()) {
    const ssize_t put = write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return io_failure("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

/// The same name every time: what a killed writer left is replaced by the next one, never
/// forgotten.
std::string temporary_name(const std::string& name) {
  return fmt::format(".{}.gatehouse-tmp", name.substr(0, 200));
}

Status move_into_place(const Parent& parent, const std::string& temporary, std::string_view path) {
  if (renameat(parent.folder.get(), temporary.c_str(), parent.folder.get(), parent.name.c_str()) !=
      0) {
    const auto failure = io_failure("replace", path);
    unlinkat(parent.folder.get(), temporary.c_str(), 0);
    return failure;
  }
  if (fsync(parent.folder.get()) != 0) return io_failure("flush the folder of", path);
  return {};
}

}  // namespace

Result<TreeFile> read_tree_file(const std::string& root, std::string_view path,
                                std::size_t max_bytes) {
  std::string bytes;
  GH_TRY(out,
         scan_tree_file(root, path, max_bytes, [&](std::string_view piece) { bytes += piece; }));
  if (out.kind == TreeFileKind::regular) out.bytes = std::move(bytes);
  return std::move(out);
}

Result<TreeFile> scan_tree_file(const std::string& root, std::string_view path,
                                std::size_t max_bytes, const TakePiece& take) {
  GH_TRY(parent, open_parent(root, path, false));
  TreeFile out;
  if (parent.problem != TreeFileKind::regular) {
    out.kind = parent.problem;
    return out;
  }
  struct stat st {};
  if (fstatat(parent.folder.get(), parent.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return out;
    return io_failure("look at", path);
  }
  out.permissions = st.st_mode & 07777U;
  if (S_ISLNK(st.st_mode)) {
    out.kind = TreeFileKind::symlink;
    std::string target(4096, '\0');
    const ssize_t size =
        readlinkat(parent.folder.get(), parent.name.c_str(), target.data(), target.size());
    if (size < 0) return io_failure("read", path);
    out.bytes = target.substr(0, static_cast<std::size_t>(size));
    return out;
  }
  if (!S_ISREG(st.st_mode)) {
    out.kind = TreeFileKind::other;
    return out;
  }
  out.kind = TreeFileKind::regular;
  const Fd file(
      openat(parent.folder.get(), parent.name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return io_failure("read", path);
  GH_DO(read_all(file.get(), take, max_bytes, path));
  return out;
}

Status write_tree_file(const std::string& root, std::string_view path, std::string_view bytes,
                       std::uint32_t permissions) {
  GH_TRY(parent, parent_for_writing(root, path));
  const std::string temporary = temporary_name(parent.name);
  unlinkat(parent.folder.get(), temporary.c_str(), 0);
  const Fd file(openat(parent.folder.get(), temporary.c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return io_failure("write", path);
  const Status written = write_all(file.get(), bytes, path);
  if (!written || fchmod(file.get(), permissions) != 0 || fsync(file.get()) != 0) {
    const auto failure = io_failure("write", path);
    unlinkat(parent.folder.get(), temporary.c_str(), 0);
    return written ? Status(failure) : written;
  }
  return move_into_place(parent, temporary, path);
}

Status write_tree_link(const std::string& root, std::string_view path, const std::string& target) {
  GH_TRY(parent, parent_for_writing(root, path));
  const std::string temporary = temporary_name(parent.name);
  unlinkat(parent.folder.get(), temporary.c_str(), 0);
  if (symlinkat(target.c_str(), parent.folder.get(), temporary.c_str()) != 0)
    return io_failure("write", path);
  return move_into_place(parent, temporary, path);
}

Status remove_tree_file(const std::string& root, std::string_view path) {
  GH_TRY(parent, open_parent(root, path, false));
  if (parent.problem == TreeFileKind::below_link)
    return fail(Code::io_error, fmt::format("a parent of {} is no folder", printable(path)));
  if (parent.problem != TreeFileKind::regular) return {};
  if (unlinkat(parent.folder.get(), parent.name.c_str(), 0) != 0 && errno != ENOENT &&
      errno != EISDIR)
    return io_failure("remove", path);
  return {};
}

Status remove_empty_folder(const std::string& root, std::string_view path) {
  GH_TRY(parent, open_parent(root, path, false));
  if (parent.problem != TreeFileKind::regular) return {};
  if (unlinkat(parent.folder.get(), parent.name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT &&
      errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR)
    return io_failure("remove", path);
  return {};
}

}  // namespace gh::sys
