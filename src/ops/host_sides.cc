#include "ops/host_sides.h"

#include <fmt/format.h>

#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr int kMaxHops = 8;  // links that lead to links

class TreeSide final : public HostSide {
 public:
  TreeSide(const TreeListing& files, git::Objects& objects) : objects_(objects), files_(files) {}

  std::string mark(const std::string& path) override {
    const auto end = resolved(path);
    const auto file = files_.find(end.path);
    if (file == files_.end()) return {};
    return fmt::format("{:o} {} {}", file->second.first, file->second.second.hex(), end.hops);
  }
  Result<std::optional<powers::Entry>> read(const std::string& path) override {
    using powers::Entry;
    using powers::EntryKind;
    const auto end = resolved(path);
    const auto file = files_.find(end.path);
    if (file == files_.end()) return std::optional<Entry>();
    const auto [mode, id] = file->second;
    if (mode == kLink || end.is_lost) {
      GH_TRY(target, objects_.blob(files_.at(path).second));
      return std::optional(Entry{EntryKind::link, std::move(target), false});
    }
    if (mode == kSubmodule) return std::optional(Entry{EntryKind::submodule, id.hex(), false});
    auto text = objects_.blob(id);
    if (!text && text.error().code == Code::document_too_large)
      return std::optional(Entry{EntryKind::too_large, id.hex(), false});
    if (!text) return tl::make_unexpected(text.error());
    if (text->size() > powers::kMaxEntryBytes)
      return std::optional(Entry{EntryKind::too_large, id.hex(), end.hops > 0});
    return std::optional(Entry{EntryKind::text, std::move(*text), end.hops > 0});
  }
  std::set<std::string> paths() override {
    std::set<std::string> out;
    for (const auto& entry : files_)
      if (powers::is_of_interest(entry.first)) out.insert(entry.first);
    return out;
  }

 private:
  static constexpr std::uint32_t kLink = 0120000, kSubmodule = 0160000;
  struct End {
    std::string path;
    int hops = 0;
    bool is_lost = false;  // it leads out of the repository, or nowhere
  };
  End resolved(const std::string& path) {
    End out{path};
    for (auto file = files_.find(path); file != files_.end() && file->second.first == kLink;) {
      const auto link = objects_.blob(file->second.second);
      const auto target = link ? powers::link_target(out.path, *link) : std::nullopt;
      file = target ? files_.find(*target) : files_.end();
      if (file == files_.end() || ++out.hops > kMaxHops) return {path, out.hops, true};
      out.path = *target;
    }
    return out;
  }

  git::Objects& objects_;
  const TreeListing& files_;
};

/// What git tracks or would track, as it is on disk.
class DiskSide final : public HostSide {
 public:
  DiskSide(std::string root, const DiskListing& listing) : root_(std::move(root)) {
    constexpr std::uint32_t kSubmodule = 0160000;
    for (const git::StagedEntry& entry : listing.tracked)
      if (powers::is_of_interest(entry.path)) {
        if (entry.mode == kSubmodule) submodules_.insert(entry.path);
        paths_.insert(entry.path);
      }
    for (std::string path : listing.others) {
      if (path.ends_with('/')) path.pop_back();  // a repository of its own
      if (powers::is_of_interest(path)) paths_.insert(std::move(path));
    }
  }

  std::string mark(const std::string&) override { return "?"; }
  Result<std::optional<powers::Entry>> read(const std::string& path) override {
    using powers::Entry;
    using powers::EntryKind;
    if (!paths_.contains(path) || is_behind_link(path)) return std::optional<Entry>();
    std::string at = path;
    int hops = 0;
    sys::FileInfo info = sys::info(full(at));
    while (info.kind == sys::FileKind::symlink) {
      const auto link = sys::read_link(full(at));
      const auto target = link ? powers::link_target(at, *link) : std::nullopt;
      if (!target || ++hops > kMaxHops || is_behind_link(*target) ||
          sys::info(full(*target)).kind == sys::FileKind::missing ||
          sys::info(full(*target)).kind == sys::FileKind::folder) {
        auto first = sys::read_link(full(path));
        return std::optional(Entry{EntryKind::link, first ? *first : "", false});
      }
      at = *target;
      info = sys::info(full(at));
    }
    if (info.kind == sys::FileKind::missing) return std::optional<Entry>();
    if (submodules_.contains(path) || info.kind == sys::FileKind::folder)
      return std::optional(Entry{EntryKind::submodule, "", false});
    auto text = sys::read_file(full(at), powers::kMaxEntryBytes);
    if (!text) {
      const bool is_large = text.error().code == Code::document_too_large ||
                            info.size > static_cast<std::int64_t>(powers::kMaxEntryBytes);
      return std::optional(
          Entry{is_large ? EntryKind::too_large : EntryKind::unreadable, "", false});
    }
    return std::optional(Entry{EntryKind::text, std::move(*text), hops > 0});
  }
  std::set<std::string> paths() override { return paths_; }

 private:
  std::string full(const std::string& path) const { return root_ + "/" + path; }
  /// Some folder on the way is a link: git sees nothing behind it.
  bool is_behind_link(const std::string& path) const {
    for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
      if (sys::info(full(path.substr(0, at))).kind == sys::FileKind::symlink) return true;
    return false;
  }

  std::string root_;
  std::set<std::string> paths_, submodules_;
};

}  // namespace

TreeListing listing_of(std::vector<git::TreeFile> files) {
  TreeListing out;
  for (git::TreeFile& file : files)
    out.emplace_hint(out.end(), std::move(file.path), std::pair(file.mode, file.id));
  return out;
}

std::unique_ptr<HostSide> hosts_in_tree(const TreeListing& listing, git::Objects& objects) {
  return std::make_unique<TreeSide>(listing, objects);
}

Result<DiskListing> listing_on_disk(git::Repo& repo) {
  GH_TRY(tracked, repo.staged({}));
  GH_TRY(others, repo.untracked_files());
  return DiskListing{std::move(tracked), std::move(others)};
}

std::unique_ptr<HostSide> hosts_on_disk(const std::string& root, const DiskListing& listing) {
  return std::make_unique<DiskSide>(root, listing);
}

Result<HostFiles> host_files(HostSide& before, HostSide& after) {
  std::set<std::string> paths = before.paths();
  paths.merge(after.paths());
  if (paths.size() > powers::kMaxFiles)
    return fail(Code::document_too_large,
                fmt::format("hosts read {} files here; more than {} are not compared", paths.size(),
                            powers::kMaxFiles));
  HostFiles out;
  for (const std::string& path : paths) {
    // Texts that are the same on both sides say nothing; settings count together.
    const std::string was = before.mark(path);
    if (powers::is_instruction(path) && !was.empty() && was == after.mark(path)) continue;
    GH_TRY(b, before.read(path));
    GH_TRY(a, after.read(path));
    if (b != a) ++out.changed;
    out.files.push_back({path, std::move(b), std::move(a)});
  }
  return out;
}

}  // namespace gh::ops
