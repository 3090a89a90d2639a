#pragma once
// One side of a change as the gate reads it: a tree of git, or the work tree as it is on disk.
// Paths are from the top of the repository.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checks/ci_gate.h"
#include "checks/trust_roots.h"
#include "git/repo.h"
#include "ops/release_session.h"
#include "ops/tree_files.h"

namespace gh::ops {

class VerifySide {
 public:
  virtual ~VerifySide() = default;
  /// A file there under exactly that name: no link, no folder.
  virtual Result<bool> has_file(const std::string& path) = 0;
  /// The folder of a manifest, for a scan.
  virtual std::unique_ptr<surface::Files> files(const std::string& folder) = 0;
  /// Every symbolic link with what it leads to.
  virtual Result<std::vector<checks::Link>> links() = 0;

  /// Bytes of the file that the path leads to; nullopt: there is none, or it cannot be read.
  std::optional<std::string> text(const std::string& path, std::size_t max_bytes);
  std::vector<std::string> names_in(const std::string& folder);
};

/// Paths of all symbolic links of a tree.
using LinkPaths = std::function<Result<std::vector<std::string>>()>;
std::unique_ptr<VerifySide> side_of_tree(TreeSource&, const ObjectId& tree, LinkPaths);
/// Those of a tree that differs from another one in these paths alone: the links of that one, as
/// far as they stand, and those that came.
Result<std::vector<std::string>> links_after(const std::vector<std::string>& links,
                                             const std::vector<std::string>& changed, TreeSource&,
                                             const ObjectId& tree);
/// The work tree below `root`; links are asked of `tree`, that of HEAD, and of what changed.
std::unique_ptr<VerifySide> side_on_disk(git::Repo&, std::string root, std::optional<ObjectId> tree,
                                         std::vector<std::string> changed);

/// How CI files of one side call the gate: those at their usual places, and of `changed` those
/// that any system reads.
checks::CiGates ci_gates(VerifySide&, const std::vector<std::string>& changed);

/// The manifest at this path of a side, or what stands in its way.
Result<std::optional<LoadedManifest>> manifest_of(VerifySide&, const std::string& path,
                                                  const std::string& root);

/// Is there one, whatever is in it? A gatehouse.yaml without the block is none.
bool has_manifest_at(VerifySide&, const std::string& path);
/// Its policy packs, from the top.
std::vector<std::string> packs_of(const LoadedManifest&, const std::string& path);

/// Its folder: "" at the top.
std::string folder_in(const std::string& path);
/// A name in that folder.
std::string from_top(const std::string& folder, std::string_view name);

}  // namespace gh::ops
