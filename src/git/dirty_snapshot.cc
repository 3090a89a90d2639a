#include "git/dirty_snapshot.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "base/digesting.h"
#include "base/parallel.h"
#include "sys/tree_files.h"

namespace gh::git {
namespace {

constexpr std::string_view kEntryDomain = "gatehouse dirty entry 1";
constexpr std::string_view kInsideDomain = "gatehouse dirty repository 1";
constexpr std::size_t kFilesPerTask = 32;
constexpr std::size_t kMaxFileForId = 256u << 20;

/// Fields that cannot run into each other: each is told with its length.
class Fields {
 public:
  explicit Fields(std::string_view domain) { add(domain); }
  void add(std::string_view field) {
    digest_.add(fmt::format("{}:", field.size()));
    digest_.add(field);
  }
  std::string hex() { return digest_.hex(); }

 private:
  Digesting digest_;
};

/// Calls `work` for each number below `count`, side by side.
void each_of(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::function<void()>> tasks;
  for (std::size_t from = 0; from < count; from += kFilesPerTask)
    tasks.emplace_back([=, &work] {
      for (std::size_t i = from; i < std::min(count, from + kFilesPerTask); ++i)
        work(i);
    });
  run_all(0, tasks);
}

std::string_view mode_of(const sys::TreeFile& file) {
  switch (file.kind) {
    case sys::TreeFileKind::regular:
      return (file.permissions & 0100U) != 0 ? "100755" : "100644";
    case sys::TreeFileKind::symlink:
      return "120000";
    case sys::TreeFileKind::other:
      return "040000";
    case sys::TreeFileKind::missing:
    case sys::TreeFileKind::below_link:
    case sys::TreeFileKind::below_other:
      break;
  }
  return "000000";
}

struct Content {
  std::string mode, words;  // of what lies on disk
};

/// None when it cannot be read.
std::optional<Content> content_at(const std::string& root, const std::string& path,
                                  std::int64_t max_bytes) {
  Digesting digest;
  const auto file = sys::scan_tree_file(root, path, static_cast<std::size_t>(max_bytes),
                                        [&](std::string_view piece) { digest.add(piece); });
  if (!file) return std::nullopt;
  Content out{std::string(mode_of(*file)), "absent"};
  if (file->kind == sys::TreeFileKind::regular) out.words = "file " + digest.hex();
  if (file->kind == sys::TreeFileKind::symlink) out.words = "link " + file->bytes;
  if (file->kind == sys::TreeFileKind::other) out.words = "no file";
  return out;
}

std::string id_or_zero(const std::string& id) {
  return id.find_first_not_of('0') == std::string::npos ? "0" : id;
}

std::string entry_digest(const DirtyPath& path, const Content& content) {
  Fields fields(kEntryDomain);
  fields.add(path.status_xy);
  fields.add(path.path);
  fields.add(id_or_zero(path.index_id));
  fields.add(path.index_mode.empty() ? "000000" : path.index_mode);
  fields.add(content.mode);
  fields.add(content.words);
  return fields.hex();
}

std::vector<std::optional<std::string>> digests_of(const StatusReader& reader,
                                                   const std::vector<DirtyPath>& dirty,
                                                   const SnapshotLimits& limits);

/// A repository below ours: the commit it is at, and its own dirt.
std::optional<Content> content_inside(const StatusReader& reader, const DirtyPath& path,
                                      const SnapshotLimits& limits) {
  const auto nested = reader.inside(path.top_path);
  if (!nested) return std::nullopt;
  const auto head = nested->head();
  const auto dirty = nested->dirty_paths({});
  if (!head || !dirty || dirty->size() > limits.max_entries) return std::nullopt;
  Fields fields(kInsideDomain);
  fields.add(*head);
  for (const auto& digest : digests_of(*nested, *dirty, limits)) {
    if (!digest) return std::nullopt;
    fields.add(*digest);
  }
  return Content{"160000", "repository " + fields.hex()};
}

bool is_folder(const StatusReader& reader, const DirtyPath& path) {
  return sys::info(reader.root() + '/' + path.top_path).kind == sys::FileKind::folder;
}

/// Which files are read: by order of path, as long as the bytes last. The answer must not depend on
/// which thread was first.
std::vector<bool> within_budget(const StatusReader& reader, const std::vector<DirtyPath>& dirty,
                                const SnapshotLimits& limits) {
  std::vector<std::int64_t> sizes(dirty.size());
  each_of(dirty.size(), [&](std::size_t i) {
    const sys::FileInfo seen = sys::info(reader.root() + '/' + dirty[i].top_path);
    sizes[i] = seen.kind == sys::FileKind::file ? seen.size : 0;
  });
  std::vector<bool> out;
  std::int64_t left = limits.max_total_bytes;
  for (const std::int64_t size : sizes) {
    out.push_back(size <= limits.max_file_bytes && size <= left);
    if (out.back()) left -= size;
  }
  return out;
}

std::vector<std::optional<std::string>> digests_of(const StatusReader& reader,
                                                   const std::vector<DirtyPath>& dirty,
                                                   const SnapshotLimits& limits) {
  const std::vector<bool> readable = within_budget(reader, dirty, limits);
  std::vector<std::optional<std::string>> out(dirty.size());
  each_of(dirty.size(), [&](std::size_t i) {
    if (!readable[i]) return;
    const DirtyPath& path = dirty[i];
    const auto content = path.is_submodule && is_folder(reader, path)
                             ? content_inside(reader, path, limits)
                             : content_at(reader.root(), path.top_path, limits.max_file_bytes);
    if (content) out[i] = entry_digest(path, *content);
  });
  return out;
}

}  // namespace

DirtySnapshot capture(const Repo& repo, const std::vector<DirtyPath>& dirty, Timestamp now,
                      const SnapshotLimits& limits) {
  DirtySnapshot out;
  out.captured_at = now;
  out.paths_count = std::ssize(dirty);
  out.partial = dirty.size() > limits.max_entries;
  if (out.partial) return out;
  auto digests = digests_of(repo.status_reader(), dirty, limits);
  for (std::size_t i = 0; i < dirty.size(); ++i)
    out.entries.emplace(dirty[i].path, DirtyEntry{dirty[i].status_xy, std::move(digests[i])});
  return out;
}

std::vector<WorkFile> ids_of_files(const Repo& repo, const std::vector<std::string>& paths) {
  std::vector<WorkFile> out(paths.size());
  each_of(paths.size(), [&](std::size_t i) {
    out[i].path = paths[i];
    const auto file = sys::read_tree_file(repo.root(), paths[i], kMaxFileForId);
    out[i].is_unreadable = !file;
    if (!file) return;
    out[i].mode = patch_mode(mode_of(*file));
    if (out[i].mode) out[i].id = ObjectId::of(repo.hash_kind(), "blob", file->bytes);
  });
  return out;
}

}  // namespace gh::git
