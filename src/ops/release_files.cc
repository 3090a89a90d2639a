#include "ops/release_files.h"

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

surface::EntryKind kind_of(const std::string& path) {
  switch (sys::info_follow(path).kind) {
    case sys::FileKind::file:
      return surface::EntryKind::file;
    case sys::FileKind::folder:
      return surface::EntryKind::folder;
    default:
      return surface::EntryKind::missing;
  }
}

}  // namespace

std::string real_place(const std::string& path) {
  std::string there = normal_path(path), rest;
  for (;;) {
    if (auto real = sys::real_path(there)) return normal_path(*real + rest);
    const std::size_t slash = there.rfind('/');
    if (slash == std::string::npos || there.size() <= 1) return normal_path(path);
    rest = there.substr(slash) + rest;
    there.resize(slash == 0 ? 1 : slash);
  }
}

bool is_in_folder(const std::string& real_path, const std::string& real_folder) {
  return real_path == real_folder ||
         real_path.starts_with(real_folder == "/" ? real_folder : real_folder + "/");
}

bool is_within(const std::string& path, const std::string& real_folder) {
  const std::string named = normal_path(path);
  const bool leads_nowhere = sys::info(named).kind == sys::FileKind::symlink &&
                             sys::info_follow(named).kind == sys::FileKind::missing;
  return !leads_nowhere && is_in_folder(real_place(named), real_folder);
}

Result<surface::Found> DiskFiles::find(std::string_view path, std::string_view base) {
  if (path.find('\0') != std::string_view::npos)
    return fail(Code::input_unreadable, "a path holds a NUL byte");
  const std::string named = path.starts_with('/')
                                ? std::string(path)
                                : fmt::format("{}/{}", absolute(std::string(base)), path);
  const std::string place = real_place(named);
  if (!is_in_folder(place, root_)) return surface::refuse_outside(path, place);
  return surface::Found{place == root_ ? "" : place.substr(root_ == "/" ? 1 : root_.size() + 1),
                        kind_of(place)};
}

Result<std::string> DiskFiles::read(const surface::Found& found, std::size_t max_bytes) {
  const std::string path = absolute(found.path);
  const auto size = sys::info_follow(path).size;
  if (size > static_cast<std::int64_t>(max_bytes))
    return fail(Code::document_too_large, fmt::format("{}: {} bytes, at most {}",
                                                      printable(found.path, 400), size, max_bytes));
  return sys::read_file(path, max_bytes);
}

Result<std::vector<std::string>> DiskFiles::list(const surface::Found& folder) {
  return sys::list_folder(absolute(folder.path));
}

}  // namespace gh::ops
