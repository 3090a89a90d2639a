#include "ops/source_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <thread>
#include <unordered_set>

#include <fmt/format.h>
#include <sys/stat.h>

#include "analysis/hash.h"
#include "base/build_id.h"
#include "base/text.h"
#include "ops/tracked_list.h"
#include "patch/gates.h"
#include "sys/files.h"
#include "sys/files_below.h"
#include "sys/tree_files.h"

namespace gh::ops {
namespace {

using analysis::RunInput;
using analysis::SourceEntry;
using Entries = std::vector<SourceEntry>;

bool is_wanted(std::string_view path) {
  return analysis::is_wanted(path) || analysis::is_manifest(path) || analysis::is_governance(path);
}

bool is_below(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.starts_with(folder) && path.substr(folder.size()).starts_with('/'));
}

class OnDisk final : public RunSource {
 public:
  OnDisk(std::string root, git::Repo* repo, std::string below,
         std::optional<std::vector<std::string>> untracked = {})
      : root_(std::move(root)),
        below_(std::move(below)),
        repo_(repo),
        untracked_(std::move(untracked)) {}

  void use(FileStamps& stamps, std::int64_t now_ns) override {
    stamps_ = &stamps;
    now_ns_ = now_ns;
  }

  Result<Entries> list() override {
    GH_DO(look());
    return entries();
  }

  Result<std::string> read(const SourceEntry& entry) override {
    File& file = *find(entry.path);
    if (file.is_hidden)
      return fail(Code::io_error, "it is there, and a folder above it lets nobody in");
    auto bytes = read_file(file, analysis::kMaxFileBytes);
    if (!bytes && bytes.error().code == Code::io_error)
      return fail(Code::input_unreadable, std::move(bytes.error().message));
    return bytes;
  }
  std::string id_of(const SourceEntry& entry) override { return find(entry.path)->blob; }

  Result<std::vector<RunInput>> inputs() override {
    GH_DO(look());
    std::vector<RunInput> out;
    out.reserve(files_.size());
    for (File& file : files_) {
      // Governing files and those that were too large for the analysis were not read before.
      if (file.blob.empty() && !file.is_closed_folder) (void)read_file(file, git::kMaxBlobBytes);
      out.push_back({file.name,
                     std::string(file.is_closed_folder ? kFolderMode : to_string(file.mode)),
                     file.blob});
    }
    return out;
  }

 private:
  struct File {
    std::string name;      // as it is listed
    std::string target{};  // of a link: where the bytes are
    FileMode mode = FileMode::regular;
    std::uint64_t size = 0;
    std::string blob{};  // empty: it was not read, or cannot be
    sys::FileInfo info{};
    bool is_hidden = false, is_closed_folder = false;

    const std::string& path() const { return target.empty() ? name : target; }
  };
  static constexpr std::string_view kFolderMode = "040000";  // as git writes it

  /// Once: what is here.
  Status look() {
    if (listed_) return {};
    GH_DO(repo_ == nullptr ? walk() : ask_git());
    // git names them in order, and few twice: of those the last one counts.
    if (!std::ranges::is_sorted(files_, std::ranges::less_equal(), &File::name)) {
      std::ranges::reverse(files_);
      std::ranges::stable_sort(files_, {}, &File::name);
      const auto twice = std::ranges::unique(files_, {}, &File::name);
      files_.erase(twice.begin(), twice.end());
    }
    listed_ = true;
    return {};
  }

  File* find(std::string_view name) {
    return &*std::ranges::lower_bound(files_, name, {},
                                      [](const File& f) { return std::string_view(f.name); });
  }

  Status ask_git() {
    // git looks for what it does not know while we look at what it does.
    Result<git::UntrackedFiles> untracked = git::UntrackedFiles();
    std::jthread asking;
    GH_TRY(paths, tracked());
    if (untracked_)
      untracked->files = *untracked_;
    else if (may_have_untracked(paths))
      asking = std::jthread([&] { untracked = repo_->untracked(); });
    add_all(std::move(paths));
    if (asking.joinable()) asking.join();
    if (!untracked) return tl::make_unexpected(untracked.error());
    add_all(std::move(untracked->files));
    for (const std::string& folder : untracked->closed_folders)
      add_closed(folder);
    return {};
  }

  /// Is there anything that may count and is not tracked, be it ignored or not? Only git can tell
  /// what it ignores, and only git is asked what is in a folder in which nothing is tracked.
  bool may_have_untracked(const std::vector<std::string>& tracked) const {
    if (!below_.empty()) return true;
    std::unordered_set<std::string_view> known, folders{""};
    std::string_view last;  // folder, with its slash
    for (const std::string_view path : tracked) {
      const std::size_t slash = path.rfind('/');
      if (slash == path.npos || path.substr(0, slash + 1) == last) continue;
      last = path.substr(0, slash + 1);
      for (std::size_t end = slash; end != path.npos && end != 0; end = path.rfind('/', end - 1))
        if (!folders.insert(path.substr(0, end)).second) break;  // and all above it
    }
    const std::string seen_so = seen_with(tracked);
    std::string path;
    return !std::ranges::all_of(folders, [&](std::string_view folder) {
      if (analysis::is_excluded(std::string(folder) + "/")) return true;
      const std::string at = folder.empty() ? root_ : fmt::format("{}/{}", root_, folder);
      // Whatever comes into a folder or leaves it changes its time. No path ends with a slash.
      const std::string stamp = std::string(folder) + "/";
      const sys::FileInfo info = stamps_ == nullptr ? sys::FileInfo() : sys::info(at);
      if (stamps_ != nullptr && stamps_->id_of(stamp, info) == seen_so) return true;
      if (known.empty()) known.insert(tracked.begin(), tracked.end());
      const bool holds_none = sys::each_in_folder(at, [&](std::string_view name, bool is_folder) {
        path.assign(folder).append(folder.empty() ? "" : "/").append(name);
        if (!is_folder) return known.contains(path) || !may_count(path);
        return folders.contains(path) || analysis::is_excluded(path + "/");
      });
      if (holds_none && stamps_ != nullptr && info.kind == sys::FileKind::folder)
        stamps_->learn(stamp, info, seen_so, now_ns_);
      return holds_none;
    });
  }

  /// What is known of a folder holds as long as the same paths are tracked and the same ones count.
  static std::string seen_with(const std::vector<std::string>& tracked) {
    analysis::Hasher hasher;
    hasher.add(kBuildId);
    for (const std::string& path : tracked)
      hasher.add(path);
    const analysis::Hash hash = hasher.finish();
    return fmt::format("{:016x}{:016x}", hash.high, hash.low);
  }

  Result<std::vector<std::string>> tracked() const {
    std::optional<TrackedList> known;
    if (stamps_ != nullptr) known.emplace(*repo_, now_ns_);
    if (auto paths = known ? known->find() : std::nullopt) return *std::move(paths);
    GH_TRY(entries, repo_->staged({}));
    std::vector<std::string> out;
    out.reserve(entries.size());
    for (git::StagedEntry& entry : entries)
      out.push_back(std::move(entry.path));
    if (known) known->keep(out);
    return out;
  }

  void add_all(std::vector<std::string> paths) {
    std::erase_if(paths, [&](const std::string& path) { return !may_count(path); });
    const std::vector<sys::FileInfo> infos = sys::infos_below(root_, paths);
    files_.reserve(files_.size() + paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
      add(std::move(paths[i]), infos[i]);
  }

  Entries entries() const {
    Entries out;
    out.reserve(files_.size());
    for (const File& file : files_)
      out.push_back({file.name, file.size, file.blob, file.is_closed_folder});
    return out;
  }

  /// Of a file that cannot be looked at: a folder above it lets nobody in. One that is gone is
  /// missing from a folder that can be read.
  bool is_behind_closed_folder(const std::string& path) const {
    for (std::size_t end = path.rfind('/'); end != path.npos;
         end = end == 0 ? path.npos : path.rfind('/', end - 1)) {
      const std::string folder = root_ + "/" + path.substr(0, end);
      if (sys::info(folder).kind != sys::FileKind::folder) continue;
      const auto names = sys::list_folder(folder);
      const std::string next = path.substr(end + 1, path.find('/', end + 1) - end - 1);
      return !names || std::ranges::find(*names, next) != names->end();
    }
    return false;
  }

  Result<std::string> read_file(File& file, std::size_t max) {
    GH_TRY(found, sys::read_tree_file(root_, file.path(), max));
    if (found.kind != sys::TreeFileKind::regular)
      return fail(Code::input_unreadable, "not a regular file");
    const HashKind kind = repo_ == nullptr ? HashKind::sha1 : repo_->hash_kind();
    file.blob = ObjectId::of(kind, "blob", found.bytes).hex();
    if (stamps_ != nullptr) stamps_->learn(file.path(), file.info, file.blob, now_ns_);
    return std::move(found.bytes);
  }

  bool may_count(const std::string& path) const {
    return is_wanted(path) && is_below(path, below_) && !analysis::is_excluded(path);
  }

  /// A link counts when it leads to a file below the root that is no part of git's own folder.
  void add(std::string path, sys::FileInfo info) {
    File file{.name = std::move(path)};
    if (info.kind == sys::FileKind::symlink) {
      const auto target = sys::real_path(root_ + "/" + file.name);
      if (!target || !target->starts_with(root_ + "/")) return;
      file.target = target->substr(root_.size() + 1);
      if (file.target.starts_with(".git/")) return;
      info = sys::info(*target);
      file.mode = FileMode::symlink;
    } else if ((info.mode & S_IXUSR) != 0) {
      file.mode = FileMode::executable;
    }
    file.is_hidden = info.kind == sys::FileKind::missing && is_behind_closed_folder(file.name);
    if (info.kind != sys::FileKind::file && !file.is_hidden) return;
    file.size = static_cast<std::uint64_t>(info.size);
    file.info = info;
    if (stamps_ != nullptr) file.blob = stamps_->id_of(file.path(), info);
    files_.push_back(std::move(file));
  }

  /// Nobody knows what is in it: a run names it as it names a file that cannot be read.
  void add_closed(const std::string& folder) {
    if (!is_below(folder + "/", below_) || analysis::is_excluded(folder + "/")) return;
    files_.push_back(File{.name = folder + "/", .target = folder, .is_closed_folder = true});
  }

  Status walk() {
    std::vector<std::string> open{below_};
    while (!open.empty()) {
      const std::string at = std::move(open.back());
      open.pop_back();
      const auto names = sys::list_folder(at.empty() ? root_ : root_ + "/" + at);
      if (!names && at == below_) return tl::make_unexpected(names.error());
      if (!names) {
        add_closed(at);
        continue;
      }
      for (const std::string& name : *names) {
        const std::string path = at.empty() ? name : at + "/" + name;
        const sys::FileInfo info = sys::info(root_ + "/" + path);
        if (info.kind != sys::FileKind::folder) {
          if (may_count(path)) add(path, info);
        } else if (!analysis::is_excluded(path + "/")) {
          open.push_back(path);
        }
      }
    }
    return {};
  }

  std::string root_, below_;
  git::Repo* repo_;
  std::optional<std::vector<std::string>> untracked_;  // absent: all of them
  FileStamps* stamps_ = nullptr;
  std::int64_t now_ns_ = 0;
  bool listed_ = false;
  std::vector<File> files_{};  // in the order of their names, once they were looked at
};

/// An entry of a tree or index that is no folder.
struct GitFile {
  FileMode mode;
  ObjectId id;
};

/// Files that git names by id. A link is followed by names alone: nothing is checked out.
class OfGit : public RunSource {
 public:
  explicit OfGit(git::Objects& objects) : objects_(objects) {}

  Result<Entries> list() override {
    GH_TRY(all, all_files());
    Entries out;
    for (auto& [path, file] : all) {
      if (!is_wanted(path) || analysis::is_excluded(path)) continue;
      GH_TRY(bytes_of, followed(path, file));
      if (!bytes_of) continue;
      out.push_back({path, 0, bytes_of->id.hex()});
      files_.insert_or_assign(path, GitFile{file.mode, bytes_of->id});
    }
    return out;
  }

  Result<std::string> read(const SourceEntry& entry) override {
    return objects_.blob(files_.at(entry.path).id);
  }

  Result<std::optional<RunInput>> input(const std::string& path) {
    if (!is_wanted(path) || analysis::is_excluded(path)) return std::nullopt;
    GH_TRY(file, find(path));
    if (!file) return std::nullopt;
    GH_TRY(bytes_of, followed(path, *file));
    if (!bytes_of) return std::nullopt;
    return RunInput{path, std::string(to_string(file->mode)), bytes_of->id.hex()};
  }

  Result<std::vector<RunInput>> inputs() override {
    if (files_.empty()) GH_DO(list());
    std::vector<RunInput> out;
    for (const auto& [path, file] : files_)
      out.push_back({path, to_string(file.mode), file.id.hex()});
    return out;
  }

 protected:
  using Files = std::vector<std::pair<std::string, GitFile>>;
  virtual Result<Files> all_files() = 0;
  /// nullopt for a folder and for what is not there.
  virtual Result<std::optional<GitFile>> find(std::string_view path) = 0;
  git::Objects& objects() { return objects_; }

 private:
  static constexpr int kMaxLinks = 40;

  /// The file whose bytes stand behind `path`; nullopt when it leads out of the tree or nowhere.
  Result<std::optional<GitFile>> followed(const std::string& path, const GitFile& file) {
    if (file.mode == FileMode::regular || file.mode == FileMode::executable) return file;
    if (file.mode != FileMode::symlink) return std::nullopt;
    std::vector<std::string> at, todo = steps(path);  // the next step of `todo` is its last
    for (int links = 0; !todo.empty();) {
      const std::string step = std::move(todo.back());
      todo.pop_back();
      if (step == ".." && at.empty()) return std::nullopt;
      if (step == "..") {
        at.pop_back();
        continue;
      }
      at.push_back(step);
      GH_TRY(found, find(join(at, "/")));
      if (!found) continue;  // a folder, or nothing: then there is no file at the end either
      if (found->mode != FileMode::symlink)
        return todo.empty() && found->mode != FileMode::gitlink ? found : std::nullopt;
      GH_TRY(target, objects_.blob(found->id));
      if (++links > kMaxLinks || target.starts_with('/')) return std::nullopt;
      at.pop_back();
      for (std::string& more : steps(target))
        todo.push_back(std::move(more));
    }
    return std::nullopt;
  }

  /// Components of a path, the last one first.
  static std::vector<std::string> steps(const std::string& path) {
    std::vector<std::string> out;
    for (const std::string_view part : split(path, '/'))
      if (!part.empty() && part != ".") out.emplace_back(part);
    std::ranges::reverse(out);
    return out;
  }

  git::Objects& objects_;
  std::map<std::string, GitFile, std::less<>> files_{};
};

class OfTree final : public OfGit {
 public:
  OfTree(git::Objects& objects, const ObjectId& tree, std::string below)
      : OfGit(objects), tree_(tree), below_(std::move(below)) {}

 protected:
  Result<Files> all_files() override {
    struct Folder {
      ObjectId id;
      std::string prefix;
    };
    std::vector<Folder> open{{tree_, ""}};
    if (!below_.empty()) {
      GH_TRY(start, patch::find_entry(objects(), tree_, below_));
      if (!start || start->mode != FileMode::tree)
        return fail(Code::path_invalid, fmt::format("there is no folder '{}' in that revision",
                                                    printable(below_, 200)));
      open.front() = {start->id, below_ + "/"};
    }
    Files out;
    while (!open.empty()) {
      const Folder at = std::move(open.back());
      open.pop_back();
      GH_TRY(tree, objects().tree(at.id));
      for (const TreeEntryView entry : tree) {
        std::string path = at.prefix + std::string(entry.name);
        if (entry.mode != FileMode::tree)
          out.emplace_back(std::move(path), GitFile{entry.mode, entry.id});
        else if (path += '/'; !analysis::is_excluded(path))
          open.push_back({entry.id, std::move(path)});
      }
    }
    return out;
  }

  Result<std::optional<GitFile>> find(std::string_view path) override {
    GH_TRY(entry, patch::find_entry(objects(), tree_, path));
    if (!entry || entry->mode == FileMode::tree) return std::nullopt;
    return GitFile{entry->mode, entry->id};
  }

 private:
  ObjectId tree_;
  std::string below_;
};

class OfIndex final : public OfGit {
 public:
  OfIndex(git::Repo& repo, std::string below)
      : OfGit(repo.objects()), repo_(repo), below_(std::move(below)) {}

 protected:
  Result<Files> all_files() override {
    GH_TRY(entries, repo_.staged({}));
    std::ranges::stable_sort(entries, std::ranges::greater(),
                             [](const git::StagedEntry& e) { return weight(e.stage); });
    for (const git::StagedEntry& entry : entries)  // the first of a path stays
      all_.emplace(entry.path, GitFile{static_cast<FileMode>(entry.mode), entry.id});
    Files out;
    for (const auto& [path, file] : all_)
      if (is_below(path, below_)) out.emplace_back(path, file);
    return out;
  }

  Result<std::optional<GitFile>> find(std::string_view path) override {
    const auto found = all_.find(path);
    if (found == all_.end()) return std::nullopt;
    return found->second;
  }

 private:
  /// Merged, ours, theirs, base.
  static int weight(int stage) { return stage == 0 ? 4 : stage == 2 ? 3 : stage == 3 ? 2 : 1; }

  git::Repo& repo_;
  std::string below_;
  std::map<std::string, GitFile, std::less<>> all_{};
};

}  // namespace

std::unique_ptr<RunSource> files_on_disk(std::string root, git::Repo* repo, std::string below) {
  return std::make_unique<OnDisk>(std::move(root), repo, std::move(below));
}

std::unique_ptr<RunSource> tracked_files_on_disk(git::Repo& repo, std::vector<std::string> others) {
  return std::make_unique<OnDisk>(repo.root(), &repo, std::string(), std::move(others));
}

std::unique_ptr<RunSource> files_of_tree(git::Repo& repo, const ObjectId& tree, std::string below) {
  return files_of_tree(repo.objects(), tree, std::move(below));
}

std::unique_ptr<RunSource> files_of_tree(git::Objects& objects, const ObjectId& tree,
                                         std::string below) {
  return std::make_unique<OfTree>(objects, tree, std::move(below));
}

Result<std::optional<analysis::RunInput>> input_in_tree(git::Repo& repo, const ObjectId& tree,
                                                        const std::string& path) {
  return OfTree(repo.objects(), tree, {}).input(path);
}

std::unique_ptr<RunSource> files_of_index(git::Repo& repo, std::string below) {
  return std::make_unique<OfIndex>(repo, std::move(below));
}

}  // namespace gh::ops
