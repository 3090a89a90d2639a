#include "ops/analysis_scope.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/repo_config.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

// table: refused roots
constexpr std::array<std::string_view, 9> kRefused{"/etc",  "/sys", "/proc",    "/dev",     "/root",
                                                   "/boot", "/var", "/usr/bin", "/usr/sbin"};

bool is_at_or_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/' || folder == "/");
}

std::string temporary_folder(sys::Env& env) {
  const std::string named = env.variable("TMPDIR");
  return sys::real_path(named.empty() ? "/tmp" : named).value_or("/tmp");
}

Status check_root(const std::string& resolved, const std::string& work_tree, Context& context) {
  if (!is_refused_root(resolved, temporary_folder(context.env), work_tree)) return {};
  return fail(Code::path_invalid,
              fmt::format("'{}' is a folder of the system and is not analysed; name a folder of "
                          "sources",
                          printable(resolved, 200)));
}

/// `folder` as seen from the root of the repository; "" is the root itself.
Result<std::string> below_root(const git::Repo& repo, const std::string& folder) {
  const std::string& root = repo.root();
  if (folder == root) return std::string();
  if (!folder.starts_with(root + "/"))
    return fail(Code::path_invalid,
                fmt::format("'{}' is not inside the repository", printable(folder, 200)));
  return folder.substr(root.size() + 1);
}

Status read_revision(Scope& out, const std::string& revision, const std::string& below) {
  GH_TRY(commit, out.repo->objects().commit(revision));
  out.from = ReadFrom::revision;
  out.revision = revision;
  out.tree = commit.tree.hex();
  out.files = files_of_tree(*out.repo, commit.tree, below);
  return {};
}

}  // namespace

std::string_view to_string(ReadFrom from) {
  static constexpr std::array<std::string_view, 3> kNames{"work_tree", "index", "revision"};
  return kNames[static_cast<std::size_t>(from)];
}

bool is_refused_root(std::string_view resolved, std::string_view temporary,
                     std::string_view work_tree) {
  if (resolved == "/") return true;  // it holds all of them
  if (is_at_or_below(resolved, temporary)) return false;
  const bool is_in_work_tree = !work_tree.empty() && is_at_or_below(resolved, work_tree);
  return std::ranges::any_of(kRefused, [&](std::string_view row) {
    const bool is_checkout_below =
        is_in_work_tree && is_at_or_below(work_tree, row) && work_tree != row;
    return is_at_or_below(resolved, row) && !is_checkout_below;
  });
}

Result<git::Repo> repo_around(const std::string& folder, Context& context, bool reads_seldom) {
  Context at = context;
  at.cwd = folder;
  for (;;) {
    auto repo = open_to_read(at, reads_seldom);
    if (repo || repo.error().code != Code::repo_root_not_toplevel) return repo;
    const std::size_t slash = at.cwd.rfind('/');
    if (slash == std::string::npos || slash == 0) return repo;
    at.cwd.resize(slash);
  }
}

std::string home_of(const Scope& scope) {
  return scope.repo != nullptr && !scope.repo->is_bare() ? scope.repo->root() : scope.root;
}

namespace {

/// What is staged is what git itself would commit: in a hook of `git commit -a` or of a commit of
/// single files that is another index than the repository's own.
std::optional<git::GivenByGit> index_under_way(const ScopeWish& wish, const Context& context) {
  const std::string index = context.env.variable("GIT_INDEX_FILE");
  if (!wish.staged || context.given != nullptr || index.empty()) return std::nullopt;
  git::GivenByGit out;
  out.index_file = index.starts_with('/') ? index : fmt::format("{}/{}", context.cwd, index);
  return out;
}

}  // namespace

Result<Scope> open_scope(const ScopeWish& wish, Context& context) {
  const bool from_git = wish.staged || !wish.revision.empty();
  const std::string named = wish.path.empty()            ? context.cwd
                            : wish.path.starts_with('/') ? wish.path
                                                         : context.cwd + "/" + wish.path;
  const bool is_folder = sys::info_follow(named).kind == sys::FileKind::folder;
  if (!is_folder && !from_git)
    return fail(Code::path_invalid, fmt::format("'{}' is no folder", printable(wish.path, 200)));
  // A folder that a revision has may be gone from the disk.
  GH_TRY(folder, is_folder ? sys::real_path(named) : Result<std::string>(normal_path(named)));
  GH_TRY(start, is_folder ? Result<std::string>(folder) : sys::real_path(context.cwd));
  Context around = context;
  const auto given = index_under_way(wish, context);
  if (given) around.given = &*given;
  auto repo = repo_around(start, around, !from_git);
  GH_DO(check_root(folder, repo ? repo->root() : std::string(), context));
  if (!repo && from_git) return tl::make_unexpected(std::move(repo).error());
  Scope out{.root = folder};
  if (!repo || (repo->is_bare() && !from_git)) {
    out.files = files_on_disk(folder, nullptr);
    return out;
  }
  out.repo = std::make_unique<git::Repo>(std::move(*repo));
  std::string below;
  if (!wish.path.empty()) {
    GH_TRY(inside, below_root(*out.repo, folder));
    below = std::move(inside);
  }
  out.root = below.empty() ? out.repo->root() : out.repo->root() + "/" + below;
  GH_DO(check_root(out.root, out.repo->root(), context));
  if (!wish.revision.empty()) {
    GH_DO(read_revision(out, wish.revision, below));
  } else if (wish.staged) {
    out.from = ReadFrom::index;
    out.files = files_of_index(*out.repo, below);
  } else {
    out.files = files_on_disk(out.repo->root(), out.repo.get(), below);
  }
  return out;
}

}  // namespace gh::ops
