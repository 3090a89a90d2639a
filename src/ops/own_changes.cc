#include "ops/own_changes.h"

#include <algorithm>

namespace gh::ops {
namespace {

constexpr std::size_t kNamedPaths = 500;  // more than that are not named one by one to git

void keep_common(std::vector<std::string>& paths, const std::vector<std::string>& others) {
  std::erase_if(paths,
                [&](const std::string& path) { return !std::ranges::binary_search(others, path); });
}

}  // namespace

Result<std::vector<std::string>> own_paths(git::Repo& repo, const git::Commit& merge) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < merge.parents.size(); ++i) {
    GH_TRY(parent, repo.objects().commit(merge.parents[i].hex()));
    GH_TRY(paths, repo.changed_paths(parent.tree, merge.tree));
    if (i == 0)
      out = std::move(paths);
    else
      keep_common(out, paths);
  }
  return out;
}

Result<std::string> own_diff(git::Repo& repo, const git::Commit& commit, std::size_t max_bytes) {
  ObjectId before = ObjectId::of(repo.hash_kind(), "tree", "");  // of a first commit: everything
  std::vector<std::string> only;
  if (!commit.parents.empty()) {
    GH_TRY(parent, repo.objects().commit(commit.parents.front().hex()));
    before = parent.tree;
  }
  if (commit.parents.size() > 1) {
    GH_TRY(paths, own_paths(repo, commit));
    if (paths.empty()) return std::string();
    only = std::move(paths);
  }
  return repo.diff_trees(before, commit.tree, max_bytes, only);
}

Result<StagedChange> own_staged(git::Repo& repo, const ObjectId& head, std::size_t max_bytes) {
  StagedChange out;
  const std::vector<ObjectId> others = repo.merge_heads();
  if (!others.empty()) {
    GH_TRY(paths, repo.staged_paths(head));
    for (const ObjectId& other : others) {
      GH_TRY(commit, repo.objects().commit(other.hex()));
      GH_TRY(theirs, repo.staged_paths(commit.id));
      keep_common(paths, theirs);
    }
    out.is_merge = paths.size() <= kNamedPaths;
    out.paths = std::move(paths);
  }
  if (out.is_merge && out.paths.empty()) return out;
  GH_TRY(diff, out.is_merge ? repo.diff_staged_of(head, max_bytes, out.paths)
                            : repo.diff_staged(head, max_bytes));
  out.diff = std::move(diff);
  return out;
}

Result<bool> is_made_by_git(git::Repo& repo, const git::Commit& commit) {
  if (commit.parents.size() != 2) return false;
  GH_TRY(merged, repo.merged_tree(commit.parents[0], commit.parents[1]));
  return merged == commit.tree;
}

}  // namespace gh::ops
