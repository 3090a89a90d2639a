#include "git/discovery.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include "base/text.h"
#include "git/nearest.h"
#include "sys/files.h"

namespace gh::git {
namespace {

constexpr std::size_t kMaxPointerFile = 8192;
constexpr std::string_view kGitFilePrefix = "gitdir: ";
constexpr std::string_view kLinkedTrees = "/worktrees/";
constexpr std::size_t kMaxSiblings = 64;

struct Busy {
  std::string_view name;  // in the git dir
  std::string_view words;
};

// table: operations in progress
constexpr std::array<Busy, 8> kBusy{{
    {"rebase-merge", "a rebase is in progress"},
    {"rebase-apply", "a rebase or am is in progress"},
    {"MERGE_HEAD", "a merge is in progress"},
    {"CHERRY_PICK_HEAD", "a cherry-pick is in progress"},
    {"REVERT_HEAD", "a revert is in progress"},
    {"sequencer", "a cherry-pick or revert of several commits is in progress"},
    {"BISECT_LOG", "a bisect is in progress"},
    {"index.lock", "the index is locked"},
}};

std::string joined(const std::string& folder, std::string_view path) {
  return path.starts_with('/') ? std::string(path) : folder + '/' + std::string(path);
}

/// Content of a one-line pointer file without its line end; nullopt when unreadable.
std::optional<std::string> pointer(const std::string& path) {
  if (sys::info_follow(path).kind != sys::FileKind::file)
    return std::nullopt;  // a FIFO would block
  auto text = sys::read_file(path, kMaxPointerFile);
  if (!text) return std::nullopt;
  while (text->ends_with('\n') || text->ends_with('\r'))
    text->pop_back();
  return *text;
}

bool is_folder(const std::string& path) {
  return sys::info_follow(path).kind == sys::FileKind::folder;
}

/// Common dir of a git dir; nullopt when `git_dir` is none.
std::optional<std::string> common_dir_of(const std::string& git_dir) {
  if (sys::info(git_dir + "/HEAD").kind == sys::FileKind::missing) return std::nullopt;
  std::string common = git_dir;
  if (const auto linked = pointer(git_dir + "/commondir")) {
    const auto real = sys::real_path(joined(git_dir, *linked));
    if (!real) return std::nullopt;
    common = *real;
  }
  if (!is_folder(common + "/objects") || !is_folder(common + "/refs")) return std::nullopt;
  return common;
}

/// git dir that `.git` in `folder` stands for: a folder, or a file that points elsewhere.
std::optional<std::string> dot_git_target(const std::string& folder) {
  const std::string dot_git = folder + "/.git";
  const auto kind = sys::info_follow(dot_git).kind;
  std::string target = dot_git;
  if (kind == sys::FileKind::file) {
    const auto words = pointer(dot_git);
    if (!words || !words->starts_with(kGitFilePrefix)) return std::nullopt;
    target = joined(folder, words->substr(kGitFilePrefix.size()));
  } else if (kind != sys::FileKind::folder) {
    return std::nullopt;
  }
  const auto real = sys::real_path(target);
  return real ? std::optional(*real) : std::nullopt;
}

std::optional<Found> repository_at(const std::string& folder) {
  if (const auto git_dir = dot_git_target(folder))
    if (const auto common = common_dir_of(*git_dir))
      return Found{.root = folder, .git_dir = *git_dir, .common_dir = *common};
  if (const auto common = common_dir_of(folder))
    return Found{.root = folder, .git_dir = folder, .common_dir = *common, .bare = true};
  return std::nullopt;
}

/// Where the work tree of a linked git dir lies, as that says itself.
std::optional<std::string> tree_of(const std::string& git_dir) {
  const auto file = pointer(git_dir + "/gitdir");
  if (!file || !file->ends_with("/.git")) return std::nullopt;
  const auto real = sys::real_path(joined(git_dir, file->substr(0, file->size() - 5)));
  return real ? std::optional(*real) : std::nullopt;
}

std::optional<std::uint32_t> user_id_of(const std::string& name_or_id) {
  std::uint32_t id = 0;
  const char* const end = name_or_id.data() + name_or_id.size();
  if (const auto [at, bad] = std::from_chars(name_or_id.data(), end, id);
      bad == std::errc{} && at == end)
    return id;
  std::array<char, 16'384> buffer;
  passwd entry{};
  passwd* found = nullptr;
  if (getpwnam_r(name_or_id.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found)
    return std::nullopt;
  return found->pw_uid;
}

}  // namespace

Result<Found> discover(const std::string& folder) {
  const auto real = sys::real_path(folder);
  if (!real || !is_folder(*real))
    return fail(Code::repo_root_missing,
                fmt::format("'{}' is not an existing folder", printable(folder, 400)));
  if (auto found = repository_at(*real)) return *std::move(found);
  for (std::string above = *real; above.size() > 1;) {
    above.resize(std::max<std::size_t>(above.rfind('/'), 1));
    if (repository_at(above))
      return fail(
          Code::repo_root_not_toplevel,
          fmt::format("'{}' is not the top level of a repository; the one around it is '{}'",
                      printable(*real, 400), printable(above, 400)));
  }
  return fail(Code::not_a_repository,
              fmt::format("'{}' is not a git repository", printable(*real, 400)));
}

std::optional<Found> nearest(const std::string& folder) {
  for (std::string at = folder;; at.resize(std::max<std::size_t>(at.rfind('/'), 1))) {
    if (auto found = repository_at(at)) return found;
    if (at.size() <= 1) return std::nullopt;
  }
}

std::vector<Found> around(const std::string& folder) {
  std::vector<Found> out;
  for (std::string at = folder;; at.resize(std::max<std::size_t>(at.rfind('/'), 1))) {
    if (auto found = repository_at(at)) out.push_back(*std::move(found));
    if (at.size() <= 1) return out;
  }
}

bool is_linked_tree(const Found& found) {
  if (found.bare || !found.git_dir.starts_with(found.common_dir + std::string(kLinkedTrees)))
    return false;
  return tree_of(found.git_dir) == found.root;
}

std::vector<std::string> sibling_roots(const Found& found) {
  std::vector<std::string> out;
  if (found.bare || found.git_dir == found.common_dir) return out;
  if (found.common_dir.ends_with("/.git"))
    out.push_back(found.common_dir.substr(0, found.common_dir.size() - 5));
  const std::string linked = found.common_dir + std::string(kLinkedTrees);
  const auto names = sys::list_folder(linked);
  if (!names) return out;
  for (const std::string& name : *names) {
    if (out.size() >= kMaxSiblings) break;
    if (auto root = tree_of(linked + name); root && *root != found.root)
      out.push_back(*std::move(root));
  }
  return out;
}

Result<Inside> top_level_of(const std::string& folder) {
  const auto real = sys::real_path(folder);
  if (!real || !is_folder(*real))
    return fail(Code::repo_root_missing,
                fmt::format("'{}' is not an existing folder", printable(folder, 400)));
  if (const auto found = nearest(*real); found && !found->bare) {
    const std::string& at = found->root;
    return Inside{at, at.size() == real->size() ? "" : real->substr(at.size() + 1)};
  }
  return fail(Code::not_a_repository,
              fmt::format("'{}' is in no work tree of git", printable(*real, 400)));
}

Status check_owners(const Found& found, const std::vector<std::string>& trusted_owners,
                    sys::Env& env) {
  std::vector<std::uint32_t> trusted{env.user_id()};
  for (const std::string& owner : trusted_owners)
    if (const auto id = user_id_of(owner)) trusted.push_back(*id);
  for (const std::string& path :
       {found.root, found.root + "/.git", found.git_dir, found.common_dir}) {
    const sys::FileInfo seen = sys::info(path);
    if (seen.kind == sys::FileKind::missing) continue;  // a bare repository has no .git
    if (std::ranges::find(trusted, seen.owner) == trusted.end())
      return fail(Code::dubious_ownership,
                  fmt::format("'{}' belongs to user {}, not to user {} or a trusted owner",
                              printable(path, 400), seen.owner, env.user_id()));
  }
  return {};
}

Status check_idle(const Found& found) {
  for (const Busy& row : kBusy)
    if (sys::info(found.git_dir + '/' + std::string(row.name)).kind != sys::FileKind::missing)
      return fail(Code::repo_busy,
                  fmt::format("{} ('{}' exists in the git folder)", row.words, row.name));
  return {};
}

}  // namespace gh::git
