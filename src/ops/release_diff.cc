// `release diff`: what a change does to the powers of coding agents. Both sides are read from git's
// objects; the later one from the work tree when no --head is named. Nothing is checked out.
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "git/repo.h"
#include "ops/release_ops.h"
#include "ops/repo_config.h"
#include "powers/compare.h"
#include "report/host_diff.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr int kMaxHops = 8;  // links that lead to links

/// One side: which files there are, and how to read one.
class Side {
 public:
  virtual ~Side() = default;
  /// What tells a file from another one under the same path; empty: there is none.
  virtual std::string mark(const std::string& path) = 0;
  virtual Result<std::optional<powers::Entry>> read(const std::string& path) = 0;
  virtual std::set<std::string> paths() = 0;  // of interest
};

class TreeSide : public Side {
 public:
  static Result<TreeSide> open(git::Repo& repo, const ObjectId& tree) {
    GH_TRY(files, repo.tree_files(tree));
    TreeSide out(repo);
    for (git::TreeFile& file : files)
      out.files_.emplace(std::move(file.path), std::pair(file.mode, file.id));
    return out;
  }

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
      GH_TRY(target, repo_.objects().blob(files_.at(path).second));
      return std::optional(Entry{EntryKind::link, std::move(target), false});
    }
    if (mode == kSubmodule) return std::optional(Entry{EntryKind::submodule, id.hex(), false});
    auto text = repo_.objects().blob(id);
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
  explicit TreeSide(git::Repo& repo) : repo_(repo) {}
  End resolved(const std::string& path) {
    End out{path};
    for (auto file = files_.find(path); file != files_.end() && file->second.first == kLink;) {
      const auto link = repo_.objects().blob(file->second.second);
      const auto target = link ? powers::link_target(out.path, *link) : std::nullopt;
      file = target ? files_.find(*target) : files_.end();
      if (file == files_.end() || ++out.hops > kMaxHops) return {path, out.hops, true};
      out.path = *target;
    }
    return out;
  }

  git::Repo& repo_;
  std::map<std::string, std::pair<std::uint32_t, ObjectId>> files_;
};

/// What git tracks or would track, as it is on disk.
class DiskSide : public Side {
 public:
  static Result<DiskSide> open(git::Repo& repo) {
    DiskSide out(repo.root());
    GH_TRY(tracked, repo.staged({}));
    GH_TRY(others, repo.untracked_files());
    constexpr std::uint32_t kSubmodule = 0160000;
    for (git::StagedEntry& entry : tracked)
      if (powers::is_of_interest(entry.path)) {
        if (entry.mode == kSubmodule) out.submodules_.insert(entry.path);
        out.paths_.insert(std::move(entry.path));
      }
    for (std::string& path : others) {
      if (path.ends_with('/')) path.pop_back();  // a repository of its own
      if (powers::is_of_interest(path)) out.paths_.insert(std::move(path));
    }
    return out;
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
  explicit DiskSide(std::string root) : root_(std::move(root)) {}
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

struct Gathered {
  std::vector<powers::FilePair> files;
  std::int64_t changed = 0;
};

Result<Gathered> gather(Side& before, Side& after) {
  std::set<std::string> paths = before.paths();
  paths.merge(after.paths());
  if (paths.size() > powers::kMaxFiles)
    return fail(Code::document_too_large,
                fmt::format("hosts read {} files here; more than {} are not compared", paths.size(),
                            powers::kMaxFiles));
  Gathered out;
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

/// Where the change began: what the base gained since is none of it.
Result<git::Commit> fork_point(git::Repo& repo, const git::Commit& base, const git::Commit& head,
                               const std::string& base_ref) {
  GH_TRY(common, repo.merge_base(base.id, head.id));
  if (!common)
    return fail(Code::ref_unresolved,
                fmt::format("'{}' and the change have no commit in common here; a shallow clone "
                            "needs 'git fetch --unshallow' first",
                            printable(base_ref, 100)));
  return repo.objects().commit(common->hex());
}

}  // namespace

Result<Reply> release_diff(const Request& request, Context& context) {
  GH_TRY(repo, open_to_read(context));
  report::HostDiffSides sides;
  const bool has_head = request.has("head");
  sides.head_ref = has_head ? request.text("head") : "HEAD";
  sides.base_ref = request.has("base") ? request.text("base")
                   : has_head          ? usual_branch(repo)
                                       : "HEAD";
  if (!has_head && repo.is_bare())
    return fail(Code::missing_argument, "a bare repository has no work tree: name --head");
  GH_TRY(head, repo.objects().commit(sides.head_ref));
  GH_TRY(named_base, repo.objects().commit(sides.base_ref));
  GH_TRY(base, fork_point(repo, named_base, head, sides.base_ref));
  sides.base_commit = base.id.hex();
  if (has_head)
    sides.head_commit = head.id.hex();
  else
    sides.head_ref = "worktree";
  GH_TRY(before, TreeSide::open(repo, base.tree));
  std::unique_ptr<Side> after;
  if (has_head) {
    GH_TRY(side, TreeSide::open(repo, head.tree));
    after = std::make_unique<TreeSide>(std::move(side));
  } else {
    GH_TRY(side, DiskSide::open(repo));
    after = std::make_unique<DiskSide>(std::move(side));
  }
  GH_TRY(gathered, gather(before, *after));
  sides.files = gathered.changed;
  const std::vector<powers::Row> rows = powers::compare(gathered.files);
  Reply reply;
  reply.document = report::host_diff_document(rows, sides);
  reply.exit = exit_code(powers::decision_of(rows), {},
                         {.exit_zero = request.flag("exit-zero"),
                          .exit_review = request.flag("exit-review"),
                          .strict = request.flag("strict")});
  if (reply.exit != ExitCode::done && !rows.empty())
    reply.why =
        fmt::format("{}, first {}:{}", *reply.document.as_map()->find("headline")->as_string(),
                    printable(rows.front().place.path, 200), rows.front().place.line);
  reply.text = [document = reply.document](const report::Look& look) {
    return report::host_diff_text(document, look);
  };
  return reply;
}

}  // namespace gh::ops
