#pragma once
// What `check` judges: a patch, a range of commits, what is staged, or the work tree (interfaces
// 5.3).
#include <optional>
#include <string>
#include <vector>

#include "git/repo.h"
#include "model/intent.h"
#include "ops/operation.h"
#include "ops/patch_session.h"
#include "ops/source_files.h"

namespace gh::ops {

enum class TargetKind : std::uint8_t { patch, range, staged, work_tree, files };

struct CheckTarget {
  TargetKind kind = TargetKind::patch;
  std::string bytes{};  // a unified diff
  std::string name{};   // as people call it
  std::string head = "worktree";
  std::optional<ObjectId> tree{};        // of a range: what it must give
  std::vector<std::string> untracked{};  // new files that belong to the change; the diff has them
  std::size_t untracked_left = 0;        // and how many do not
  std::vector<std::string> files{};      // those that were named, as far as they differ
  /// Of what is staged in the middle of a merge: what is as on neither side. The rest came with it.
  std::optional<std::vector<std::string>> of_merge{};
  bool is_chosen = false;  // nobody named it

  bool from_git() const { return kind != TargetKind::patch; }
  /// What it gives is told by the patch gate alone, which must be asked then.
  bool is_patch() const { return kind == TargetKind::patch || kind == TargetKind::files; }
  bool is_empty() const { return bytes.empty() && untracked.empty() && from_git(); }
};

/// Both ends of a range, when the text is one; a file of such a name is given as ./NAME.
std::optional<std::pair<std::string, std::string>> as_range(const std::string& text);

Result<CheckTarget> range_target(PatchSession&, const std::string& to, const std::string& name);
Result<CheckTarget> staged_target(PatchSession&);
/// Tracked files, and untracked ones that the scope names; null: none.
Result<CheckTarget> work_tree_target(PatchSession&, const gh::Scope* scope);
/// These files as they are on disk, tracked or not, and nothing else. bad_argument for what is no
/// file.
Result<CheckTarget> files_target(PatchSession&, const std::vector<std::string>& paths);
/// What is staged, else the work tree, else the commits since upstream, for which `session` is
/// replaced by one on another base.
Result<CheckTarget> chosen_target(PatchSession& session, const Request&, Context&);

/// One path that the target makes, changes or takes away.
struct TouchedPath {
  std::string path;                    // bytes
  bool executable_or_symlink = false;  // on either side
  bool is_repository = false;          // a submodule, or a repository that git does not track
  bool is_link = false;                // on the side that was looked at last
};
/// In the order of bytes. `outcome` is that of the patch gate, when it was asked; nothing when a
/// patch could not be read.
Result<std::optional<std::vector<TouchedPath>>> touched_paths(PatchSession&, const CheckTarget&,
                                                              const patch::Outcome* outcome);

}  // namespace gh::ops
