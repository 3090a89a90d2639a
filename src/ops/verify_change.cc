#include "ops/verify_change.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/sorted.h"
#include "base/text.h"
#include "ops/release_baseline.h"
#include "powers/boundary.h"
#include "release/baseline.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using Texts = std::vector<std::string>;

bool is_hex(std::string_view text) {
  return text.size() >= 7 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

/// As a shell reads it back.
std::string shell_word(std::string_view word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-/:").find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(word);
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void add_once(Texts& list, const Texts& more) {
  std::set<std::string> known(list.begin(), list.end());
  for (const std::string& item : more)
    if (known.insert(item).second) list.push_back(item);
}

bool is_below(std::string_view path, std::string_view folder) {
  return !folder.empty() && path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/');
}

/// Fingerprints that the baselines of a side accept.
std::set<std::string> accepted_in(VerifySide& side, const Texts& baselines) {
  std::set<std::string> out;
  for (const std::string& path : baselines) {
    const auto bytes = side.text(path, kMaxBaseline);
    if (!bytes) continue;
    const auto baseline = release::read_baseline(*bytes, path);
    if (!baseline) continue;
    for (const release::BaselineEntry& entry : baseline->entries)
      out.insert(entry.fingerprint);
  }
  return out;
}

/// A manifest that moved takes its baseline along: what base accepts stands where its own manifest
/// does.
Texts baselines_of_base(const ChangeQuestion& q) {
  Texts out = q.baselines;
  const std::string now = folder_in(q.manifest), then = folder_in(q.base_manifest);
  if (q.base_manifest.empty() || now == then) return out;
  const std::string prefix = now.empty() ? "" : now + "/";
  for (const std::string& path : q.baselines)
    if (path.starts_with(prefix)) out.push_back(from_top(then, path.substr(prefix.size())));
  return out;
}

bool mentions_gate(VerifySide& side, const std::string& path) {
  const auto text = side.text(path, checks::kMaxCiFile);
  if (!text) return false;
  for (const std::string_view line : split(std::string_view(*text), '\n')) {
    const std::string_view body = surface::trimmed(line);
    if (!body.starts_with('#') && !body.starts_with("//") &&
        (contains(body, "gatehouse") || contains(body, "agents-shipgate")))
      return true;
  }
  return false;
}

/// Files with the gate, and files that those run: what any edit of must be seen.
void add_gates(const checks::CiGates& gates, std::set<std::string>& out) {
  for (const auto& [path, reading] : gates) {
    if (reading.jobs.empty()) continue;
    out.insert(path);
    out.insert(reading.included.begin(), reading.included.end());
  }
}

/// A file that a script seems to run and that nobody found where the script says: any of that name
/// that calls the gate.
bool is_missed(const checks::CiGates& gates, const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(gates,
                             [&](const auto& entry) { return entry.second.missed.contains(name); });
}

bool has_gate(const checks::CiGates& gates) {
  return std::ranges::any_of(gates, [](const auto& entry) { return !entry.second.jobs.empty(); });
}

/// A file of one side as a host reads it; a link leads where it leads inside of the repository.
std::optional<powers::Entry> entry_of(VerifySide& side, const std::string& path,
                                      const std::vector<checks::Link>& links) {
  using powers::EntryKind;
  if (auto text = side.text(path, powers::kMaxEntryBytes))
    return powers::Entry{.text = std::move(*text)};
  const auto is_file = side.has_file(path);
  if (!is_file) return powers::Entry{EntryKind::unreadable};
  if (*is_file) return powers::Entry{EntryKind::too_large};
  const bool is_link = std::ranges::find(links, path, &checks::Link::path) != links.end();
  return is_link ? std::optional(powers::Entry{EntryKind::link}) : std::nullopt;
}

/// What the change does to the boundary of coding agents: its files by whatever name, with those
/// whose settings count together with them.
std::vector<checks::BoundaryFact> boundary_facts(const ChangeQuestion& q,
                                                 const std::vector<checks::Link>& links) {
  std::set<std::string> paths;
  const auto take = [&](const std::string& path) {
    if (!powers::is_boundary_file(path)) return;
    paths.insert(path);
    for (std::string& sibling : powers::boundary_siblings(path))
      paths.insert(std::move(sibling));
  };
  for (const std::string& path : q.changed)
    take(path);
  for (const checks::OtherName& other : checks::other_names(q.changed, links))
    take(other.name);
  std::vector<powers::FilePair> files;
  for (const std::string& path : paths)
    files.push_back({path, entry_of(*q.base, path, links), entry_of(q.head, path, links)});
  std::vector<checks::BoundaryFact> out;
  for (powers::BoundaryChange& one : powers::boundary_changes(files))
    out.push_back({.kind = std::string(one.kind),
                   .what = std::move(one.what),
                   .evidence = std::move(one.evidence),
                   .place = {.path = one.place.path, .start_line = one.place.line}});
  return out;
}

/// Paths in which two trees differ, as git tells them, from the folders that differ alone; nothing
/// where that is too much, or cannot be read.
std::optional<Texts> differing_paths(git::Objects& objects, const ObjectId& from,
                                     const ObjectId& to) {
  constexpr std::size_t kMostFolders = 20'000, kMostPaths = 500'000;
  struct Folder {
    std::string path{};  // with its slash
    std::optional<ObjectId> before, after;
  };
  const auto is_folder = [](const TreeEntryView& entry) { return entry.mode == FileMode::tree; };
  Texts out;
  std::vector<Folder> level{{"", from, to}};
  for (std::size_t seen = level.size(); !level.empty(); seen += level.size()) {
    if (seen > kMostFolders) return std::nullopt;
    std::set<std::string> soon;
    for (const Folder& folder : level)
      soon.insert(folder.path + ".");  // no such entry: the folder is brought, and nothing in it
    objects.expect(from, soon);
    objects.expect(to, soon);
    std::vector<Folder> next;
    for (const Folder& folder : level) {
      const auto before = folder.before ? objects.tree(*folder.before) : Result<Tree>(Tree());
      const auto after = folder.after ? objects.tree(*folder.after) : Result<Tree>(Tree());
      if (!before || !after) return std::nullopt;
      const auto tell = [&](const TreeEntryView& entry, const std::optional<ObjectId>& other,
                            bool is_before) {
        std::string path = folder.path + std::string(entry.name);
        if (entry.mode != FileMode::tree)
          out.push_back(std::move(path));
        else if (is_before)
          next.push_back({std::move(path) + "/", entry.id, other});
        else
          next.push_back({std::move(path) + "/", other, entry.id});
      };
      // Both stand in git's order, in which a file and a folder of one name are two entries.
      for (std::size_t i = 0, j = 0; i < before->size() || j < after->size();) {
        const auto old_one = i < before->size() ? std::optional((*before)[i]) : std::nullopt;
        const auto new_one = j < after->size() ? std::optional((*after)[j]) : std::nullopt;
        if (old_one && new_one && old_one->name == new_one->name &&
            is_folder(*old_one) == is_folder(*new_one)) {
          if (old_one->mode != new_one->mode || old_one->id != new_one->id)
            tell(*old_one, is_folder(*new_one) ? std::optional(new_one->id) : std::nullopt, true);
          ++i, ++j;
        } else if (!new_one || (old_one && comes_before(old_one->name, is_folder(*old_one),
                                                        new_one->name, is_folder(*new_one)))) {
          tell(*old_one, std::nullopt, true);
          ++i;
        } else {
          tell(*new_one, std::nullopt, false);
          ++j;
        }
      }
      if (next.size() > kMostFolders || out.size() > kMostPaths) return std::nullopt;
    }
    level = std::move(next);
  }
  sort_unique(out);
  return out;
}

/// Where head left base. A base on head's first line of ancestors, the usual case, is told without
/// a process of git.
Result<std::optional<ObjectId>> fork_of(git::Repo& repo, const git::Commit& base,
                                        const git::Commit& head) {
  constexpr int kMostSteps = 32;
  std::optional<git::Commit> at = head;
  for (int step = 0; at && step < kMostSteps; ++step) {
    if (at->id == base.id) return std::optional(base.id);
    if (at->parents.empty()) break;
    auto parent = repo.objects().commit(at->parents.front().hex());
    if (!parent) repo.objects().hang_up();
    at = parent ? std::optional(std::move(*parent)) : std::nullopt;
  }
  return repo.merge_base(base.id, head.id);
}

}  // namespace

Result<VerifyPlace> open_verify_place(const std::string& workspace, Context& context) {
  git::OpenOptions options;
  options.need_idle = false;
  options.check_later = true;
  std::string below;
  if (const auto inside = git::top_level_of(workspace)) {
    options.folder = inside->top;
    below = inside->below;
  } else {
    options.folder = workspace;
  }
  if (context.given != nullptr) options.given = *context.given;
  auto repo = git::Repo::open(options, context.env);
  if (!repo) {
    if (class_of(repo.error().code) == CodeClass::environment) {
      const bool is_none = repo.error().code == Code::not_a_repository ||
                           repo.error().code == Code::repo_root_missing ||
                           repo.error().code == Code::repo_root_not_toplevel;
      if (!is_none) return tl::make_unexpected(std::move(repo.error()));
    }
    return fail(Code::bad_argument, fmt::format("{} is in no repository of git: {}",
                                                printable(workspace, 400), repo.error().message));
  }
  std::string root = repo->root();
  return VerifyPlace{std::move(*repo), std::move(root), std::move(below)};
}

Status check_ref(std::string_view option, const std::string& ref) {
  if (const auto defect = git::revision_defect(ref))
    return fail(Code::bad_argument, fmt::format("--{}: {}", option, *defect));
  return {};
}

std::string target_branch_of(const std::string& ref) {
  std::string_view name = ref;
  for (const std::string_view prefix : {"refs/heads/", "refs/remotes/", "remotes/"})
    if (name.starts_with(prefix)) {
      const bool is_remote = prefix != "refs/heads/";
      name.remove_prefix(prefix.size());
      if (is_remote) name.remove_prefix(std::min(name.size(), name.find('/') + 1));
      break;
    }
  if (name.starts_with("origin/")) name.remove_prefix(7);
  if (is_hex(name) || name.find_first_of("~^@{") != name.npos || name == "HEAD") return {};
  return std::string(name);
}

std::string fetch_line(const std::string& ref) {
  std::string_view name = ref;
  if (is_hex(name)) return fmt::format("git fetch origin {}", shell_word(name));
  if (name.starts_with("refs/remotes/")) name.remove_prefix(13);
  if (name.starts_with("remotes/")) name.remove_prefix(8);
  if (name.starts_with("origin/")) {
    const std::string_view branch = name.substr(7);
    return fmt::format("git fetch origin {}",
                       shell_word(fmt::format("{}:refs/remotes/origin/{}", branch, branch)));
  }
  if (name.starts_with("refs/heads/")) name.remove_prefix(11);
  if (name.starts_with("refs/") || name.find_first_of("~^@{") != name.npos)
    return "git fetch --unshallow origin";
  return fmt::format("git fetch origin {}", shell_word(fmt::format("{}:{}", name, name)));
}

ChangeRange read_range(git::Repo& repo, const RangeQuestion& q) {
  ChangeRange out{.with_work_tree = q.head.empty() && !repo.is_bare()};
  if (auto head = repo.objects().commit(q.head.empty() ? "HEAD" : q.head))
    out.head = std::move(*head);
  const bool is_shallow = sys::info(repo.common_dir() + "/shallow").kind == sys::FileKind::file;
  const auto cannot = [&](release::BaseStatus status, std::string note, std::string line) {
    out.base_status = status;
    out.notes.push_back(std::move(note));
    out.fetch_line = std::move(line);
  };
  if (q.base) {
    if (auto base = repo.objects().commit(*q.base))
      out.base = std::move(*base);
    else
      cannot(release::BaseStatus::ref_missing,
             fmt::format("the base '{}' is not in this repository", printable(*q.base, 200)),
             *q.base == "HEAD" ? "git fetch origin" : fetch_line(*q.base));
  }
  if (!out.head) {
    const std::string name = q.head.empty() ? "HEAD" : q.head;
    out.notes.push_back(name == "HEAD" ? "HEAD names no commit: the branch is unborn"
                                       : fmt::format("the head '{}' is not in this repository",
                                                     printable(name, 200)));
    if (out.fetch_line.empty())
      out.fetch_line = name == "HEAD" ? "git fetch origin" : fetch_line(name);
    return out;
  }
  if (out.base) {
    const std::string line = is_shallow ? "git fetch --unshallow origin" : fetch_line(*q.base);
    const auto fork = fork_of(repo, *out.base, *out.head);
    if (!fork || !*fork) {
      cannot(release::BaseStatus::archive_failed,
             fork ? "base and head have no commit in common here"
                  : "the histories of base and head cannot be read: " +
                        printable(fork.error().message, 300),
             line);
      return out;
    }
    auto commit = repo.objects().commit((*fork)->hex());
    Result<Texts> changed = Texts{};
    Result<std::string> diff = std::string();
    if (commit) {
      const std::array<std::function<void()>, 2> asked{
          [&] { diff = repo.diff_trees(commit->tree, out.head->tree, kMaxDiffText); },
          [&] {
            auto paths = differing_paths(repo.objects(), commit->tree, out.head->tree);
            changed = paths ? std::move(*paths) : repo.changed_paths(commit->tree, out.head->tree);
          }};
      run_all(asked.size(), asked);
    } else {
      diff = tl::make_unexpected(commit.error());
    }
    if (diff && !changed) diff = tl::make_unexpected(changed.error());
    if (!diff) {
      cannot(
          release::BaseStatus::archive_failed,
          "the difference of base and head cannot be read: " + printable(diff.error().message, 300),
          line);
      return out;
    }
    if (commit->id != out.base->id)
      out.notes.push_back(fmt::format("compared with {}, where head left the base",
                                      commit->id.hex().substr(0, 12)));
    out.fork = std::move(*commit);
    add_once(out.changed, *changed);
    out.diff = std::move(*diff);
    out.has_diff = true;
  }
  if (out.with_work_tree) {
    const auto dirty = repo.dirty_paths({});
    if (!dirty) {
      cannot(release::BaseStatus::archive_failed,
             "the work tree cannot be compared: " + printable(dirty.error().message, 300), "");
      return out;
    }
    Texts paths;
    for (const git::DirtyPath& path : *dirty)
      if (!is_below(path.top_path, q.ignored_folder)) paths.push_back(path.top_path);
    std::ranges::sort(paths);
    add_once(out.changed, paths);
    if (auto diff = repo.diff_work_tree(out.head->id, kMaxDiffText)) out.diff += *diff;
  }
  return out;
}

Result<release::ChangeFacts> change_facts(const ChangeQuestion& q) {
  release::ChangeFacts out{.changed_files = q.changed};
  checks::RootFacts roots{.changed = q.changed, .packs = q.packs};
  const auto take = [&](VerifySide& side) -> Status {
    GH_TRY(links, side.links());
    roots.links.insert(roots.links.end(), links.begin(), links.end());
    return {};
  };
  GH_DO(take(q.head));
  if (q.base != nullptr) GH_DO(take(*q.base));
  std::ranges::sort(roots.links);
  roots.links.erase(std::unique(roots.links.begin(), roots.links.end()), roots.links.end());

  const checks::CiGates head = ci_gates(q.head, q.changed);
  const checks::CiGates base = q.base != nullptr ? ci_gates(*q.base, q.changed) : checks::CiGates{};
  std::set<std::string> gates;
  add_gates(head, gates);
  add_gates(base, gates);
  for (const std::string& path : q.changed)
    if ((checks::is_ci_file(path) || is_missed(head, path) || is_missed(base, path)) &&
        (mentions_gate(q.head, path) || (q.base != nullptr && mentions_gate(*q.base, path))))
      gates.insert(path);
  roots.gates.assign(gates.begin(), gates.end());
  out.touched = checks::touched_roots(roots);
  if (q.base != nullptr) out.boundary = boundary_facts(q, roots.links);

  for (const checks::TouchedRoot& root : out.touched) {
    if (root.kind != "ci_gate") continue;
    GH_TRY(is_there, q.head.has_file(root.file));
    if (!is_there) out.removed_gates.push_back(root.file);
  }
  std::ranges::sort(out.removed_gates);
  checks::CiChange change{.base = base,
                          .head = head,
                          .manifest = q.base_manifest.empty() ? q.manifest : q.base_manifest,
                          .target_branch = q.target_branch};
  for (const auto& [path, reading] : head)
    change.head_files.push_back(path);
  out.neutered = checks::neutered_gates(change);
  out.ci_gate_present = has_gate(head) || (!has_gate(base) && out.removed_gates.empty());
  if (q.base != nullptr) out.base_accepted = accepted_in(*q.base, baselines_of_base(q));
  out.head_accepted = accepted_in(q.head, q.baselines);
  return out;
}

Result<std::string> given_file(const Request& request, std::string_view option,
                               const Context& context) {
  const std::string path = request.text(option);
  auto bytes = path == "-" ? context.read_input(kMaxDiffText)
                           : sys::read_file(joined_path(context.cwd, path), kMaxDiffText);
  if (!bytes)
    return fail(Code::bad_argument, fmt::format("--{}: {}", option, bytes.error().message));
  return bytes;
}

Result<std::vector<std::string>> given_paths(const Request& request, const Context& context) {
  GH_TRY(text, given_file(request, "changed-files", context));
  std::vector<std::string> out;
  std::set<std::string_view> seen;
  for (const std::string_view line : split(text, '\n'))
    if (const std::string_view path = surface::trimmed(line);
        !path.empty() && seen.insert(path).second)
      out.emplace_back(path);
  return out;
}

Result<release::ChangeFacts> named_change(const std::vector<std::string>& changed,
                                          const LoadedManifest& loaded, Context& context) {
  auto place = open_verify_place(loaded.folder, context);
  if (!place || !place->repo || place->repo->is_bare()) {
    release::ChangeFacts out{.changed_files = changed};
    out.touched = checks::touched_roots({.changed = changed});
    return out;
  }
  const ChangeRange range = read_range(*place->repo, {});
  const auto head =
      side_on_disk(*place->repo, place->root,
                   range.head ? std::optional(range.head->tree) : std::nullopt, changed);
  const auto from_top = [&](std::string_view path) {
    return place->below.empty() ? std::string(path) : fmt::format("{}/{}", place->below, path);
  };
  return change_facts({.changed = changed,
                       .head = *head,
                       .manifest = from_top(loaded.manifest.file),
                       .baselines = {from_top(usual_baseline_name(loaded.manifest))}});
}

}  // namespace gh::ops
