#include "landing/work_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "landing/verify_commands.h"
#include "patch/attributes.h"
#include "patch/gate.h"
#include "policy/glob.h"
#include "sys/tree_files.h"

namespace gh::landing {
namespace {

constexpr std::size_t kMaxFileBytes = git::kMaxBlobBytes;

using patch::Outcome;
using patch::TouchedEntry;

std::vector<std::string> paths_of(const std::vector<TouchedEntry>& entries) {
  std::vector<std::string> out;
  for (const TouchedEntry& e : entries)
    out.push_back(e.path);
  return out;
}

std::string without_cr(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != '\r' || i + 1 >= bytes.size() || bytes[i + 1] != '\n') out += bytes[i];
  return out;
}

/// Attribute values that change how a blob is written to disk, by path.
struct Conversions {
  std::set<std::string> crlf;     // eol=crlf: the file on disk has CRLF where the blob has LF
  std::set<std::string> program;  // ident or working-tree-encoding is set; filters never run
};

Result<Conversions> read_conversions(const Place& place, const std::vector<std::string>& paths) {
  GH_TRY(rows,
         place.repo.attributes(place.quarantine, {"ident", "working-tree-encoding", "eol"}, paths));
  Conversions out;
  for (const git::Attribute& a : rows) {
    if (a.value == "unspecified" || a.value == "unset") continue;
    if (a.name != "eol") {
      out.program.insert(a.path);
    } else if (a.value == "crlf") {
      out.crlf.insert(a.path);
    }
  }
  return out;
}

/// Entries for which the repository's own, untracked attributes name a line end. git writes such
/// files with CRLF and has no switch against it; what was approved is the bytes of the blob.
std::vector<TouchedEntry> converted_by_local_attributes(const git::Repo& repo,
                                                        const std::vector<TouchedEntry>& entries) {
  const auto text =
      sys::read_file(repo.common_dir() + "/info/attributes", patch::kMaxAttributeBytes);
  if (!text) return {};
  const patch::AttributeFile file = patch::parse_attributes(*text, true);
  std::vector<TouchedEntry> out;
  for (const TouchedEntry& e : entries)
    if ((e.new_mode == FileMode::regular || e.new_mode == FileMode::executable) &&
        patch::attributes_of(e.path, {{"", &file}}).contains("eol"))
      out.push_back(e);
  return out;
}

Status write_approved_bytes(const Place& place, const std::vector<TouchedEntry>& entries) {
  for (const TouchedEntry& e : entries) {
    GH_TRY(bytes, place.repo.objects().blob(*e.new_id));
    GH_TRY(file, sys::read_tree_file(place.repo.root(), e.path, kMaxFileBytes));
    GH_DO(sys::write_tree_file(place.repo.root(), e.path, bytes, file.permissions));
  }
  return entries.empty() ? Status() : place.repo.refresh_index();
}

/// Does the file on disk hold exactly this tree entry?
bool holds(const sys::TreeFile& file, FileMode mode, const ObjectId& id, bool crlf) {
  const auto is_blob = [&](std::string_view bytes) {
    return ObjectId::of(id.kind(), "blob", bytes) == id;
  };
  if (mode == FileMode::gitlink) return true;  // its content belongs to another repository
  if (mode == FileMode::symlink)
    return file.kind == sys::TreeFileKind::symlink && is_blob(file.bytes);
  if (file.kind != sys::TreeFileKind::regular) return false;
  if (((file.permissions & 0100U) != 0) != (mode == FileMode::executable)) return false;
  return is_blob(file.bytes) || (crlf && is_blob(without_cr(file.bytes)));
}

enum class Side : std::uint8_t { before, after };

bool is_there(const TouchedEntry& e, Side side) {
  return (side == Side::before ? e.old_mode : e.new_mode).has_value();
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// Nothing there, or, where the patch turns a file into a folder or back, what stands there
/// instead.
bool absent(const sys::TreeFile& file, const std::string& path,
            const std::vector<TouchedEntry>& entries, Side side) {
  const auto some = [&](auto&& matches) {
    return std::ranges::any_of(
        entries, [&](const TouchedEntry& e) { return is_there(e, side) && matches(e.path); });
  };
  switch (file.kind) {
    case sys::TreeFileKind::missing:
      return true;
    case sys::TreeFileKind::other:
      return some([&](const std::string& other) { return is_below(other, path); });
    case sys::TreeFileKind::below_other:
      return some([&](const std::string& other) { return is_below(path, other); });
    default:
      return false;
  }
}

bool matches_side(const sys::TreeFile& file, const TouchedEntry& e,
                  const std::vector<TouchedEntry>& entries, Side side, bool crlf) {
  if (!is_there(e, side)) return absent(file, e.path, entries, side);
  return side == Side::before ? holds(file, *e.old_mode, *e.old_id, crlf)
                              : holds(file, *e.new_mode, *e.new_id, crlf);
}

bool matches_index(const std::vector<git::StagedEntry>& staged, const std::string& path,
                   const std::optional<FileMode>& mode, const std::optional<ObjectId>& id) {
  const auto it = std::ranges::find(staged, path, &git::StagedEntry::path);
  if (!mode) return it == staged.end();
  return it != staged.end() && it->stage == 0 && it->id == *id &&
         it->mode == static_cast<std::uint32_t>(*mode);
}

void refuse_paths(Outcome& outcome, Rule rule, std::vector<std::string> paths,
                  std::string_view what) {
  std::string message = fmt::format("{}: {}", what, printable(paths.front(), 120));
  if (paths.size() > 1) message += fmt::format(" and {} more", paths.size() - 1);
  patch::refuse(outcome, {.rule = rule, .message = std::move(message), .file = paths.front()});
  outcome.problem_paths = std::move(paths);
}

Status check_head(const Place& place, Outcome& outcome) {
  GH_TRY(head, place.repo.objects().commit("HEAD"));
  if (head.id != outcome.candidate->base_commit)
    patch::refuse(outcome,
                  {.rule = Rule::base_moved,
                   .message = fmt::format("HEAD is {}, the patch was judged on {}", head.id.hex(),
                                          outcome.candidate->base_commit.hex())});
  return {};
}

/// Folders that the landing will create: parents of new paths that are not there yet, deepest last.
std::vector<std::string> folders_to_create(const std::string& root,
                                           const std::vector<TouchedEntry>& entries) {
  std::set<std::string> out;
  for (const TouchedEntry& e : entries) {
    if (!e.new_mode) continue;
    for (std::size_t slash = e.path.find('/'); slash != std::string::npos;
         slash = e.path.find('/', slash + 1)) {
      const std::string folder = e.path.substr(0, slash);
      if (sys::info(root + "/" + folder).kind != sys::FileKind::folder) out.insert(folder);
    }
  }
  return {out.begin(), out.end()};
}

Result<Plan> make_plan(const Place& place, const Outcome& outcome) {
  Plan plan{.mode = "worktree",
            .run_id = place.run_id,
            .run_folder = place.run_folder,
            .root = place.repo.root(),
            .base_commit = outcome.candidate->base_commit.hex(),
            .candidate_tree = outcome.candidate->tree.hex(),
            .entries = outcome.candidate->entries};
  for (const TouchedEntry& e : plan.entries) {
    GH_TRY(file, sys::read_tree_file(plan.root, e.path, kMaxFileBytes));
    plan.old_permissions.push_back(file.permissions);
  }
  plan.created_folders = folders_to_create(plan.root, plan.entries);
  return plan;
}

/// After git has applied: files, touched index entries, and all other index entries.
Result<std::vector<std::string>> unexpected_paths(const Place& place, const Plan& plan,
                                                  const std::vector<git::StagedEntry>& before) {
  std::vector<std::string> bad;
  GH_TRY(conversions, read_conversions(place, paths_of(plan.entries)));
  GH_TRY(after, place.repo.staged({}));
  for (const TouchedEntry& e : plan.entries) {
    GH_TRY(file, sys::read_tree_file(plan.root, e.path, kMaxFileBytes));
    const bool filtered = conversions.program.contains(e.path) && e.new_mode;
    if ((!filtered &&
         !matches_side(file, e, plan.entries, Side::after, conversions.crlf.contains(e.path))) ||
        !matches_index(after, e.path, e.new_mode, e.new_id))
      bad.push_back(e.path);
  }
  const auto others = [&](std::vector<git::StagedEntry> all) {
    std::erase_if(all, [&](const git::StagedEntry& s) {
      return std::ranges::find(plan.entries, s.path, &TouchedEntry::path) != plan.entries.end();
    });
    return all;
  };
  const auto same = [](const git::StagedEntry& a, const git::StagedEntry& b) {
    return a.path == b.path && a.mode == b.mode && a.id == b.id && a.stage == b.stage;
  };
  const auto rest_before = others(before);
  const auto rest_after = others(after);
  const auto [x, y] = std::ranges::mismatch(rest_before, rest_after, same);
  if (x != rest_before.end()) bad.push_back(x->path);
  if (y != rest_after.end()) bad.push_back(y->path);
  return bad;
}

/// Tracked paths whose state differs between two looks, and whether each was clean at the first.
std::vector<std::string> changed_between(const std::vector<git::TrackedChange>& before,
                                         const std::vector<git::TrackedChange>& after) {
  std::set<std::string> out;
  for (const git::TrackedChange& c : after)
    if (std::ranges::find(before, c) == before.end()) out.insert(c.path);
  for (const git::TrackedChange& c : before)
    if (std::ranges::find(after, c) == after.end()) out.insert(c.path);
  return {out.begin(), out.end()};
}

/// Puts back tracked files that a verify command changed and that were clean before it ran. What
/// was dirty before is somebody's own work and is left alone.
Status restore_clean_files(const Place& place, const std::vector<git::TrackedChange>& before,
                           const std::vector<std::string>& changed) {
  for (const std::string& path : changed) {
    if (std::ranges::find(before, path, &git::TrackedChange::path) != before.end()) continue;
    GH_TRY(staged, place.repo.staged({path}));
    if (staged.empty() || staged.front().stage != 0) continue;
    GH_TRY(bytes, place.repo.objects().blob(staged.front().id));
    const auto mode = static_cast<FileMode>(staged.front().mode);
    GH_DO(mode == FileMode::symlink
              ? sys::write_tree_link(place.repo.root(), path, bytes)
              : sys::write_tree_file(place.repo.root(), path, bytes,
                                     mode == FileMode::executable ? 0755 : 0644));
  }
  return {};
}

std::vector<std::string> git_folders_inside(const git::Repo& repo) {
  std::vector<std::string> out;
  for (const std::string& folder : {repo.git_dir(), repo.common_dir()})
    if (folder.starts_with(repo.root() + "/") && std::ranges::find(out, folder) == out.end())
      out.push_back(folder);
  return out;
}

void refuse_verify(Outcome& outcome) {
  const patch::VerifyReport& report = *outcome.verify;
  for (const patch::VerifyResult& r : report.results) {
    if (r.rc == 0 || r.error == "not_run") continue;
    outcome.command = {.argv = r.argv,
                       .rc = r.rc,
                       .stdout_tail = r.stdout_tail,
                       .stderr_tail = r.stderr_tail,
                       .duration_ms = r.duration_ms};
    const std::string how = r.rc ? fmt::format("ended with {}", *r.rc) : r.error;
    patch::refuse(outcome, {.rule = Rule::verify_failed,
                            .message = fmt::format("verify command '{}' {}", r.name, how)});
    return;
  }
  refuse_paths(outcome, Rule::verify_failed, report.changed_paths,
               "a verify command changed a tracked file");
}

/// Undoes a landing that did not succeed; the first refusal stays the answer unless undoing failed.
Status undo(const Place& place, Journal& journal, Outcome& outcome, bool careful) {
  const auto left = roll_back(place.repo, journal.plan, careful);
  if (!left || !left->empty()) {
    std::vector<std::string> paths = left ? *left : paths_of(journal.plan.entries);
    refuse_paths(outcome, Rule::rollback_incomplete, std::move(paths),
                 "the work tree could not be put back as it was");
    return {};  // the journal stays: the next start tries again
  }
  GH_DO(mark_rolled_back(journal));
  return close_journal(place.repo.state_dir());
}

Status apply_and_compare(const Place& place, const Plan& plan, Outcome& outcome,
                         git::GitRun& last) {
  GH_TRY(before, place.repo.staged({}));
  GH_TRY(tree_before, place.repo.write_tree_of_index());
  GH_DO(place.repo.refresh_index());
  GH_TRY(applied, place.repo.apply_index(outcome.canonical));
  last = applied;
  if (!applied.ok()) {
    outcome.command = patch::record_of(applied, place.repo.root());
    patch::refuse(outcome,
                  {.rule = Rule::git_apply_failed,
                   .message = "git apply --index failed: " +
                              printable(applied.err.substr(0, applied.err.find('\n')), 120)});
    return {};
  }
  GH_DO(write_approved_bytes(place, converted_by_local_attributes(place.repo, plan.entries)));
  GH_TRY(bad, unexpected_paths(place, plan, before));
  if (!bad.empty()) {
    refuse_paths(outcome, Rule::post_verify_mismatch, std::move(bad),
                 "after landing the work tree or index is not what was approved");
    return {};
  }
  GH_TRY(tree_after, place.repo.write_tree_of_index());
  if (tree_before == outcome.candidate->base_tree && tree_after != outcome.candidate->tree)
    patch::refuse(outcome,
                  {.rule = Rule::post_verify_mismatch,
                   .message = fmt::format("the index holds tree {} instead of {}", tree_after.hex(),
                                          outcome.candidate->tree.hex())});
  return {};
}

/// What a landing can have left at a path: the old content, the new one, or the beginning of the
/// new one. Everything else is somebody's work.
bool may_be_ours(git::Repo& repo, const sys::TreeFile& file, const TouchedEntry& e,
                 const std::vector<TouchedEntry>& entries) {
  if (file.kind == sys::TreeFileKind::missing ||
      matches_side(file, e, entries, Side::before, true) ||
      matches_side(file, e, entries, Side::after, true))
    return true;
  if (!e.new_id || file.kind != sys::TreeFileKind::regular) return false;
  const auto bytes = repo.objects().blob(*e.new_id);
  return bytes && (bytes->starts_with(file.bytes) || bytes->starts_with(without_cr(file.bytes)));
}

Status restore_path(git::Repo& repo, const Plan& plan, std::size_t i) {
  const TouchedEntry& e = plan.entries[i];
  if (!e.old_mode) return sys::remove_tree_file(plan.root, e.path);
  if (*e.old_mode == FileMode::gitlink) return {};
  GH_TRY(bytes, repo.objects().blob(*e.old_id));
  if (*e.old_mode == FileMode::symlink) return sys::write_tree_link(plan.root, e.path, bytes);
  const auto file = sys::read_tree_file(plan.root, e.path, kMaxFileBytes);
  if (file && file->permissions == plan.old_permissions[i] &&
      holds(*file, *e.old_mode, *e.old_id, true))
    return {};  // never touched, or put back before a second crash; keeps its line ends
  return sys::write_tree_file(plan.root, e.path, bytes, plan.old_permissions[i]);
}

}  // namespace

Status verify_commands_at(const Place& place, Outcome& outcome) {
  if (place.policy.verify.empty()) {
    outcome.verify = patch::VerifyReport{};
    return {};
  }
  GH_TRY(home, sys::TempDir::create(place.repo.state_dir() + "/tmp", "verify-"));
  GH_TRY(before, place.repo.tracked_changes());
  outcome.verify =
      run_verify_commands(place.policy.verify, {.cwd = place.repo.root(),
                                                .private_folder = home.path(),
                                                .read_only = git_folders_inside(place.repo),
                                                .self = place.self,
                                                .interrupted = place.interrupted});
  GH_TRY(after, place.repo.tracked_changes());
  outcome.verify->changed_paths = changed_between(before, after);
  if (!outcome.verify->changed_paths.empty()) outcome.verify->ok = false;
  GH_DO(restore_clean_files(place, before, outcome.verify->changed_paths));
  if (place.interrupted && place.interrupted())
    return fail(Code::interrupted, "stopped while a verify command ran; nothing has landed");
  if (!*outcome.verify->ok) refuse_verify(outcome);
  return {};
}

Status check_work_tree(const Place& place, Outcome& outcome) {
  GH_DO(place.repo.check_idle());
  GH_DO(check_head(place, outcome));
  if (!outcome.ok()) return {};
  const std::vector<TouchedEntry>& entries = outcome.candidate->entries;
  const std::vector<std::string> paths = paths_of(entries);
  GH_TRY(staged, place.repo.staged(paths));
  GH_TRY(conversions, read_conversions(place, paths));
  std::vector<std::string> dirty, linked, filtered;
  for (const TouchedEntry& e : entries) {
    GH_TRY(file, sys::read_tree_file(place.repo.root(), e.path, kMaxFileBytes));
    const bool allowed = std::ranges::any_of(
        place.policy.allow_filters,
        [&](const std::string& entry) { return policy::matches_policy_entry(e.path, entry); });
    if (file.kind == sys::TreeFileKind::below_link) {
      linked.push_back(e.path);
    } else if (conversions.program.contains(e.path) && !allowed) {
      filtered.push_back(e.path);
    } else if (!matches_index(staged, e.path, e.old_mode, e.old_id) ||
               (!conversions.program.contains(e.path) &&
                !matches_side(file, e, entries, Side::before, conversions.crlf.contains(e.path)))) {
      dirty.push_back(e.path);
    }
  }
  if (!linked.empty())
    refuse_paths(outcome, Rule::symlink_in_path, linked, "a parent folder is a symbolic link");
  else if (!filtered.empty())
    refuse_paths(outcome, Rule::filtered_path, filtered, "an attribute would convert the file");
  else if (!dirty.empty())
    refuse_paths(outcome, Rule::worktree_dirty, dirty,
                 "the work tree or index differs from the base");
  return {};
}

Result<std::vector<std::string>> roll_back(git::Repo& repo, const Plan& plan, bool careful) {
  repo.drop_dead_index_lock();
  std::set<std::string> left;
  for (const TouchedEntry& e : plan.entries) {
    if (!careful) break;
    const auto file = sys::read_tree_file(plan.root, e.path, kMaxFileBytes);
    if (!file || !may_be_ours(repo, *file, e, plan.entries)) left.insert(e.path);
  }
  if (!left.empty()) return std::vector<std::string>(left.begin(), left.end());
  const auto restore = [&](bool was_there) {
    for (std::size_t i = plan.entries.size(); i-- > 0;)
      if (is_there(plan.entries[i], Side::before) == was_there && !restore_path(repo, plan, i))
        left.insert(plan.entries[i].path);
  };
  // What came goes first, folders included: a file may have to return to where a folder stands.
  restore(false);
  for (auto folder = plan.created_folders.rbegin(); folder != plan.created_folders.rend(); ++folder)
    GH_DO(sys::remove_empty_folder(plan.root, *folder));
  restore(true);
  std::vector<git::IndexChange> index;
  for (const TouchedEntry& e : plan.entries)
    index.push_back({e.path, e.old_mode, e.old_id});
  const Status index_restored = repo.set_index_entries(index);
  GH_TRY(staged, repo.staged(paths_of(plan.entries)));
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const TouchedEntry& e = plan.entries[i];
    const auto file = sys::read_tree_file(plan.root, e.path, kMaxFileBytes);
    if (!index_restored || !file || !matches_side(*file, e, plan.entries, Side::before, true) ||
        !matches_index(staged, e.path, e.old_mode, e.old_id))
      left.insert(e.path);
  }
  return std::vector<std::string>(left.begin(), left.end());
}

Result<std::optional<Journal>> land_in_work_tree(const Place& place, Outcome& outcome,
                                                 git::GitRun& last) {
  outcome.stage = Stage::apply;
  // The new contents must be at hand should a crash leave part of one in the work tree.
  if (const Status moved = place.quarantine.migrate(); !moved) {
    patch::refuse(outcome,
                  {.rule = Rule::object_migration_failed, .message = moved.error().message});
    return std::nullopt;
  }
  GH_TRY(plan, make_plan(place, outcome));
  GH_TRY(journal, open_journal(place.repo.state_dir(), plan));
  Status done = apply_and_compare(place, plan, outcome, last);
  const bool applied = done && outcome.ok();
  if (applied) done = verify_commands_at(place, outcome);
  if (done && outcome.ok()) {
    outcome.landed = patch::Landed{.mode = "worktree"};
    return std::optional(std::move(journal));
  }
  GH_DO(undo(place, journal, outcome, applied));
  if (!done && outcome.ok()) return tl::make_unexpected(done.error());
  return std::nullopt;
}

}  // namespace gh::landing
