#pragma once
// Readers of git's NUL-separated listings: status, index, attributes.
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/object_id.h"

namespace gh::git {

/// An entry of the real index.
struct StagedEntry {
  std::string path;
  std::uint32_t mode = 0;
  ObjectId id;
  int stage = 0;  // 1-3: unmerged
};

/// A tracked path whose index entry differs from HEAD or whose file differs from the index.
struct TrackedChange {
  std::string path;
  bool staged = false, in_work_tree = false;
  std::string index_mode, index_id;    // zeros when the path is not in the index
  std::string work_mode, work_sha256;  // of the bytes on disk; empty: no readable file
  auto operator<=>(const TrackedChange&) const = default;
};

/// A path that git calls different from HEAD or index, or untracked and not ignored.
struct DirtyPath {
  /// Bytes as git has them, relative to the root that was asked about; ":top:/" and the path from
  /// the top level where that root is a folder below the top level and the path is not in it.
  std::string path;
  std::string top_path{};   // relative to the top level
  std::string status_xy{};  // index and work tree as in porcelain v2 (".M", "UU"); "??" untracked
  std::string index_mode{}, index_id{};  // zeros: not in the index; empty: untracked
  bool is_unmerged = false;              // then mode and id are those of our side
  bool is_submodule = false;             // one path, whatever is dirty in it; also an untracked
                                         // folder that is a repository of its own
  bool is_outside = false;               // of the root that was asked about
  auto operator<=>(const DirtyPath&) const = default;
};

/// An entry of the real index for which `git status` alone is not enough.
struct IndexNote {
  std::string path, mode, id;
  bool is_assumed_unchanged = false;  // else a submodule
  auto operator<=>(const IndexNote&) const = default;
};

struct Attribute {
  std::string path, name, value;  // value as git says it: unspecified, set, unset or a word
};

/// `git status --porcelain=v2 -z --no-renames`, with or without untracked files; in git's order.
Result<std::vector<DirtyPath>> parse_status(std::string_view bytes);

/// `git ls-files -v -s -z`: submodules and entries marked as unchanged whatever lies on disk.
Result<std::vector<IndexNote>> parse_index_notes(std::string_view bytes);

/// `git worktree list --porcelain -z`.
struct Worktree {
  std::string folder;
  std::string head{};    // commit id; empty in a bare repository
  std::string branch{};  // full ref name; empty when detached
  bool is_bare = false;
  bool is_locked = false;
  bool is_gone = false;  // its folder is missing; git would forget it
  auto operator<=>(const Worktree&) const = default;
};
Result<std::vector<Worktree>> parse_worktrees(std::string_view bytes);

/// `git ls-files -s -z`.
Result<std::vector<StagedEntry>> parse_staged(std::string_view bytes);

/// A file, link or submodule of a tree, from its root.
struct TreeFile {
  std::string path;
  std::uint32_t mode = 0;
  ObjectId id;
};
/// `git ls-tree -r -z --full-tree`, in git's order.
Result<std::vector<TreeFile>> parse_tree_files(std::string_view bytes);

/// `git check-attr -z`.
Result<std::vector<Attribute>> parse_attributes(std::string_view bytes);

}  // namespace gh::git
