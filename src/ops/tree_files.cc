#include "ops/tree_files.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxLinkBytes = 4096;

std::string joined(const std::vector<std::string>& parts) { return join(parts, "/"); }

}  // namespace

Result<Tree> GitTree::tree(const ObjectId& id) {
  if (const auto known = known_.find(id); known != known_.end()) return known->second;
  GH_TRY(read, objects_.tree(id));
  entries_ += read.size();
  if (entries_ > kMaxTreeEntriesRead)
    return fail(
        Code::document_too_large,
        fmt::format("more than {} entries of the tree would have to be read", kMaxTreeEntriesRead));
  known_.emplace(id, read);
  return std::move(read);
}

Result<std::string> GitTree::blob(const ObjectId& id, std::size_t max_bytes) {
  GH_TRY(bytes, objects_.blob(id));
  bytes_ += bytes.size();
  if (bytes.size() > max_bytes || bytes_ > kMaxTreeBytesRead)
    return fail(Code::document_too_large,
                fmt::format("{} bytes, at most {}", bytes.size(), max_bytes));
  return std::move(bytes);
}

Result<std::optional<GitTree::Entry>> GitTree::exact(std::string_view path) {
  Entry at{"", FileMode::tree, root_};
  if (path.empty()) return at;
  for (const std::string_view part : split(path, '/')) {
    if (at.mode != FileMode::tree) return std::nullopt;
    GH_TRY(folder, tree(at.id));
    const auto entry = folder.find(part);
    if (!entry) return std::nullopt;
    at = {at.path.empty() ? std::string(part) : fmt::format("{}/{}", at.path, part), entry->mode,
          entry->id};
  }
  return at;
}

Result<std::optional<GitTree::Entry>> GitTree::resolve(std::string_view path, bool* left_tree) {
  std::deque<std::string> todo;
  for (const std::string_view part : split(path, '/'))
    todo.emplace_back(part);
  std::vector<std::string> walked;
  int links = 0;
  const auto leave = [&]() -> Result<std::optional<Entry>> {
    if (left_tree != nullptr) *left_tree = true;
    return std::nullopt;
  };
  Entry at{"", FileMode::tree, root_};
  while (!todo.empty()) {
    const std::string part = std::move(todo.front());
    todo.pop_front();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (walked.empty()) return leave();
      walked.pop_back();
      GH_TRY(above, exact(joined(walked)));
      if (!above) return std::nullopt;
      at = std::move(*above);
      continue;
    }
    if (at.mode != FileMode::tree) return std::nullopt;
    GH_TRY(folder, tree(at.id));
    const auto entry = folder.find(part);
    if (!entry) return std::nullopt;
    if (entry->mode == FileMode::symlink) {
      if (++links > kMaxTreeLinks) return leave();
      GH_TRY(target, blob(entry->id, kMaxLinkBytes));
      if (target.starts_with('/') || target.find('\0') != std::string::npos) return leave();
      const auto parts = split(std::string_view(target), '/');
      for (auto each = parts.rbegin(); each != parts.rend(); ++each)
        todo.emplace_front(*each);
      continue;
    }
    walked.push_back(part);
    at = {joined(walked), entry->mode, entry->id};
  }
  return at;
}

Result<std::optional<std::string>> GitTree::target_of(const std::string& link) {
  bool left = false;
  GH_TRY(entry, resolve(link, &left));
  if (left || !entry) return std::nullopt;
  return std::move(entry->path);
}

Result<std::optional<std::string>> GitTree::file(std::string_view path, std::size_t max_bytes) {
  GH_TRY(entry, resolve(path));
  if (!entry || (entry->mode != FileMode::regular && entry->mode != FileMode::executable))
    return std::nullopt;
  GH_TRY(bytes, blob(entry->id, max_bytes));
  return std::optional(std::move(bytes));
}

std::string TreeFiles::from_top(std::string_view inside) const {
  if (folder_.empty()) return std::string(inside);
  return inside.empty() ? folder_ : fmt::format("{}/{}", folder_, inside);
}

Result<surface::Found> TreeFiles::find(std::string_view path, std::string_view base) {
  if (path.find('\0') != std::string_view::npos)
    return fail(Code::input_unreadable, "a path holds a NUL byte");
  if (path.starts_with('/')) return surface::refuse_outside(path, path);
  const std::string named = from_top(base.empty() ? path : fmt::format("{}/{}", base, path));
  bool left = false;
  GH_TRY(entry, tree_.resolve(named, &left));
  if (left) return surface::refuse_outside(path, named);
  // What does not exist is judged by its name alone.
  std::string place = entry ? entry->path : normal_path("/" + named).substr(1);
  const bool is_inside = folder_.empty() || place == folder_ || place.starts_with(folder_ + "/");
  if (!is_inside) return surface::refuse_outside(path, place);
  if (!folder_.empty()) place = place == folder_ ? "" : place.substr(folder_.size() + 1);
  if (!entry) return surface::Found{std::move(place), surface::EntryKind::missing};
  const bool is_folder = entry->mode == FileMode::tree || entry->mode == FileMode::gitlink;
  return surface::Found{std::move(place),
                        is_folder ? surface::EntryKind::folder : surface::EntryKind::file};
}

Result<std::string> TreeFiles::read(const surface::Found& found, std::size_t max_bytes) {
  GH_TRY(entry, tree_.resolve(from_top(found.path)));
  if (!entry)
    return fail(Code::input_unreadable,
                fmt::format("{}: there is no such file", printable(found.path, 400)));
  auto bytes = tree_.blob(entry->id, max_bytes);
  if (!bytes) {
    bytes.error().message =
        fmt::format("{}: {}", printable(found.path, 400), bytes.error().message);
    return bytes;
  }
  if (surface::is_pointer_text(*bytes)) return surface::refuse_pointer(found.path);
  return bytes;
}

Result<std::vector<std::string>> TreeFiles::list(const surface::Found& folder) {
  GH_TRY(entry, tree_.resolve(from_top(folder.path)));
  std::vector<std::string> out;
  if (!entry || entry->mode != FileMode::tree) return out;
  GH_TRY(names, tree_.tree(entry->id));
  for (const TreeEntryView each : names)
    out.emplace_back(each.name);
  std::ranges::sort(out);
  return out;
}

}  // namespace gh::ops
