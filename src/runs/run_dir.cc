#include "runs/run_dir.h"

#include <string_view>

#include <fmt/format.h>

#include "base/product.h"
#include "sys/files.h"

namespace gh::runs {
namespace {

bool is_inside(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.size() > 1;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

bool is_there(const std::string& path) { return sys::info(path).kind != sys::FileKind::missing; }

/// Real path of the longest part that exists, and the rest as it was typed.
Result<std::string> resolved(const std::string& path) {
  GH_TRY(here, sys::real_path("."));
  std::string existing = path.front() == '/' ? path : here + "/" + path, rest;
  while (existing.size() > 1 && existing.back() == '/')
    existing.pop_back();
  while (!is_there(existing)) {
    const std::size_t slash = existing.rfind('/');
    const std::string name = existing.substr(slash);
    if (name == "/.." || name == "/.")
      return fail(Code::path_invalid, fmt::format("'{}' names a folder that does not exist", path));
    rest = name + rest;
    existing = slash == 0 ? "/" : existing.substr(0, slash);
  }
  GH_TRY(real, sys::real_path(existing));
  return real == "/" && !rest.empty() ? rest : real + rest;
}

bool is_repository(const std::string& folder) {
  if (is_there(folder + "/.git")) return true;
  return is_there(folder + "/HEAD") && is_there(folder + "/objects") && is_there(folder + "/refs");
}

}  // namespace

Result<std::string> checked_run_dir(const std::string& run_dir, const RepoPlaces& repo) {
  if (run_dir.empty()) return fail(Code::path_invalid, "the run folder has an empty name");
  GH_TRY(path, resolved(run_dir));
  if (path == repo.repo_root || path == repo.git_dir || path == repo.common_dir ||
      is_repository(path))
    return fail(Code::run_dir_is_repo, fmt::format("run folder {} is a git repository", path));
  const std::string own = fmt::format("{}/{}", repo.common_dir, kProduct);
  if (is_inside(path, own)) return path;
  for (const std::string& place : {repo.repo_root, repo.git_dir, repo.common_dir}) {
    if (is_inside(path, place))
      return fail(Code::run_dir_overlaps, fmt::format("run folder {} lies inside {}", path, place));
    if (is_inside(place, path))
      return fail(Code::run_dir_overlaps, fmt::format("run folder {} contains {}", path, place));
  }
  return path;
}

}  // namespace gh::runs
