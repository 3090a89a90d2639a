#include "ops/check_target.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "control/scope_paths.h"
#include "git/dirty_snapshot.h"
#include "ops/own_changes.h"
#include "policy/glob.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::string_view kUpstream = "@{upstream}";
constexpr std::size_t kMaxDiffBytes = diff::kMaxPatchBytes + 1;
constexpr std::size_t kNamedPaths = 500;  // more than that are not named one by one to git

bool is_special(FileMode mode) { return mode == FileMode::executable || mode == FileMode::symlink; }

bool is_declared(const gh::Scope& scope, std::string_view path) {
  const auto covers = [&](const std::string& entry) { return policy::matches_prefix(path, entry); };
  return std::ranges::any_of(scope.allowed_files, covers) ||
         std::ranges::any_of(scope.allowed_related, covers);
}

using Touched = std::vector<TouchedPath>;

Touched of_candidate(const patch::Candidate& candidate) {
  Touched out;
  for (const patch::TouchedEntry& entry : candidate.entries)
    out.push_back({.path = entry.path,
                   .executable_or_symlink = (entry.old_mode && is_special(*entry.old_mode)) ||
                                            (entry.new_mode && is_special(*entry.new_mode)),
                   .is_link = entry.new_mode && *entry.new_mode == FileMode::symlink});
  return out;
}

Result<std::vector<std::string>> names_of(PatchSession& session, const CheckTarget& target) {
  switch (target.kind) {
    case TargetKind::range:
      return session.repo.changed_paths(session.base.tree, *target.tree);
    case TargetKind::staged:
      return target.of_merge ? *target.of_merge : session.repo.staged_paths(session.base.id);
    case TargetKind::files:
      return target.files;
    default: {
      GH_TRY(found, session.repo.changed_against(session.base.id.hex()));
      // What is staged will be committed, whatever the disk says by now.
      GH_TRY(staged, session.repo.staged_paths(session.base.id));
      found.paths.insert(found.paths.end(), staged.begin(), staged.end());
      return std::move(found.paths);
    }
  }
}

Status mark_tree(git::Objects& objects, const ObjectId& tree, Touched& paths) {
  for (TouchedPath& touched : paths) {
    GH_TRY(entry, patch::find_entry(objects, tree, touched.path));
    if (entry && is_special(entry->mode)) touched.executable_or_symlink = true;
    if (entry && entry->mode == FileMode::gitlink) touched.is_repository = true;
    touched.is_link = entry && entry->mode == FileMode::symlink;
  }
  return {};
}

Status mark_index(const git::Repo& repo, Touched& paths) {
  std::vector<std::string> names;
  for (const TouchedPath& touched : paths)
    names.push_back(touched.path);
  GH_TRY(entries, repo.staged(names.size() > kNamedPaths ? std::vector<std::string>{} : names));
  for (const git::StagedEntry& entry : entries) {
    const auto at = std::ranges::lower_bound(paths, entry.path, {}, &TouchedPath::path);
    if (at == paths.end() || at->path != entry.path) continue;
    const auto mode = static_cast<FileMode>(entry.mode);
    if (is_special(mode)) at->executable_or_symlink = true;
    if (mode == FileMode::gitlink) at->is_repository = true;
    at->is_link = mode == FileMode::symlink;
  }
  return {};
}

void mark_disk(const git::Repo& repo, Touched& paths) {
  std::vector<std::string> names;
  for (const TouchedPath& touched : paths)
    names.push_back(touched.path);
  const std::vector<git::WorkFile> files = git::ids_of_files(repo, names);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (files[i].mode && is_special(*files[i].mode)) paths[i].executable_or_symlink = true;
    paths[i].is_link = files[i].mode && *files[i].mode == FileMode::symlink;
  }
}

Status mark_after(PatchSession& session, const CheckTarget& target, Touched& paths) {
  for (TouchedPath& touched : paths)
    touched.is_link = false;  // it may be gone
  if (target.kind == TargetKind::range)
    return mark_tree(session.repo.objects(), *target.tree, paths);
  if (target.kind == TargetKind::staged) return mark_index(session.repo, paths);
  mark_disk(session.repo, paths);
  return {};
}

}  // namespace

std::optional<std::pair<std::string, std::string>> as_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  // Not even a file of that name makes it something else: a change could bring one.
  if (dots == std::string::npos || text.starts_with('.') || text.starts_with('/') ||
      text.find("/../") != text.npos)
    return std::nullopt;
  const std::string to = text.substr(dots + 2);
  return std::pair{text.substr(0, dots), to.empty() ? "HEAD" : to};
}

Result<CheckTarget> range_target(PatchSession& session, const std::string& to,
                                 const std::string& name) {
  GH_TRY(head, session.repo.objects().commit(to));
  GH_TRY(bytes, session.repo.diff_trees(session.base.tree, head.tree, kMaxDiffBytes));
  return CheckTarget{.kind = TargetKind::range,
                     .bytes = std::move(bytes),
                     .name = name,
                     .head = head.id.hex(),
                     .tree = head.tree};
}

Result<CheckTarget> staged_target(PatchSession& session) {
  GH_TRY(staged, own_staged(session.repo, session.base.id, kMaxDiffBytes));
  CheckTarget out{
      .kind = TargetKind::staged, .bytes = std::move(staged.diff), .name = "staged changes"};
  if (!staged.is_merge) return out;
  out.name += " of your own in this merge";
  out.of_merge = std::move(staged.paths);
  return out;
}

namespace {

/// Files that git does not know yet, as a diff: they meet the patch gate like all others.
Result<std::string> diff_of_new_files(git::Repo& repo, const std::vector<std::string>& paths) {
  std::vector<git::IndexEntry> entries;
  for (const git::WorkFile& file : git::ids_of_files(repo, paths))
    if (file.id && file.mode) entries.push_back({file.path, *file.mode, *file.id});
  if (entries.empty()) return std::string();
  return repo.diff_of_files({}, std::move(entries), kMaxDiffBytes);
}

}  // namespace

Result<CheckTarget> work_tree_target(PatchSession& session, const gh::Scope* scope) {
  GH_TRY(bytes, session.repo.diff_work_tree(session.base.id, kMaxDiffBytes));
  CheckTarget out{
      .kind = TargetKind::work_tree,
      .bytes = std::move(bytes),
      .name = session.base.id.hex() == session.head
                  ? std::string("work tree against HEAD")
                  : fmt::format("work tree against {}", session.base.id.hex().substr(0, 12))};
  GH_TRY(untracked, session.repo.untracked_files());
  for (std::string& path : untracked)
    if (scope != nullptr && is_declared(*scope, control::path_from_git(path)))
      out.untracked.push_back(std::move(path));
    else
      ++out.untracked_left;
  std::ranges::sort(out.untracked);
  GH_TRY(added, diff_of_new_files(session.repo, out.untracked));
  out.bytes += added;
  return out;
}

Result<CheckTarget> files_target(PatchSession& session, const std::vector<std::string>& paths) {
  CheckTarget out{.kind = TargetKind::files,
                  .name = fmt::format("{} named {} of the work tree", paths.size(),
                                      paths.size() == 1 ? "file" : "files")};
  std::vector<git::IndexEntry> before, now;
  for (const git::WorkFile& file : git::ids_of_files(session.repo, paths)) {
    GH_TRY(then, patch::find_entry(session.repo.objects(), session.base.tree, file.path));
    const bool was_file =
        !then || (then->mode != FileMode::gitlink && then->mode != FileMode::tree);
    if (!was_file || file.is_unreadable)
      return fail(Code::bad_argument, fmt::format("{} is no file that can be read; name files",
                                                  printable(file.path, 200)));
    const bool is_there = file.mode && file.id;
    if (is_there == then.has_value() &&
        (!is_there || (then->mode == *file.mode && then->id == *file.id)))
      continue;
    out.files.push_back(file.path);
    if (then) before.push_back({file.path, then->mode, then->id});
    if (is_there) now.push_back({file.path, *file.mode, *file.id});
  }
  if (out.files.empty()) return out;
  GH_TRY(bytes, session.repo.diff_of_files(std::move(before), std::move(now), kMaxDiffBytes));
  out.bytes = std::move(bytes);
  return out;
}

Result<CheckTarget> chosen_target(PatchSession& session, const Request& request, Context& context) {
  GH_TRY(staged, staged_target(session));
  if (!staged.bytes.empty()) return std::move(staged);
  GH_TRY(work_tree, work_tree_target(session, nullptr));
  if (!work_tree.bytes.empty() || request.has("base")) return std::move(work_tree);
  const auto upstream = session.repo.objects().commit(kUpstream);
  if (!upstream) session.repo.objects().hang_up();  // git ends where a branch has none
  if (!upstream || upstream->id == session.base.id) return std::move(work_tree);
  // What upstream got since is no part of the change.
  GH_TRY(parted, session.repo.merge_base(upstream->id, session.base.id));
  if (!parted || *parted == session.base.id) return std::move(work_tree);
  GH_TRY(other, open_patch_session(request, context, parted->hex()));
  session = std::move(other);
  return range_target(session, "HEAD", "HEAD against its upstream");
}

Result<std::optional<Touched>> touched_paths(PatchSession& session, const CheckTarget& target,
                                             const patch::Outcome* outcome) {
  Touched out;
  // A work tree is asked itself: its diff does not show what the index is told to overlook.
  if (outcome != nullptr && outcome->candidate && target.kind != TargetKind::work_tree) {
    out = of_candidate(*outcome->candidate);
  } else if (target.kind == TargetKind::patch) {
    if (outcome == nullptr || outcome->touched_files.empty()) return std::nullopt;
    for (const std::string& path : outcome->touched_files)
      out.push_back({path});
    GH_DO(mark_tree(session.repo.objects(), session.base.tree, out));
  } else {
    GH_TRY(names, names_of(session, target));
    for (std::string& path : names)
      out.push_back({std::move(path)});
    GH_DO(mark_tree(session.repo.objects(), session.base.tree, out));
    GH_DO(mark_after(session, target, out));
  }
  for (const std::string& path : target.untracked)
    out.push_back({.path = path, .is_repository = path.ends_with('/')});
  sort_unique(out, &TouchedPath::path);
  return out;
}

}  // namespace gh::ops
