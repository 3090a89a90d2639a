#pragma once
// The folders of a base tree that a patch touches, read on demand, with the changes laid over them.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/tree_source.h"

namespace gh::patch {

/// What the base holds at a path, and what stands in the way to it.
struct Found {
  std::optional<TreeEntry> entry;      // a folder too
  std::optional<FileMode> blocked_by;  // a parent component that is no folder
  std::string blocking_path{};
};

class TouchedTree {
 public:
  TouchedTree(TreeSource& source, ObjectId root) : source_(source), root_(root) {}

  /// In the base, whatever was put or removed since.
  Result<Found> find(std::string_view path);

  /// The parent folders must be folders of the base, new, or removed files.
  Status put(std::string_view path, FileMode mode, ObjectId id);
  Status remove(std::string_view path);

  /// Object id of the root tree with all changes. Folders that became empty vanish.
  Result<ObjectId> write();

  /// After write(): the entry of the result that some file system would take for `path` or for one
  /// of the folders that `path` brings along; both are given as full paths.
  struct Collision {
    std::string added, other;
  };
  std::optional<Collision> case_collision(std::string_view path);

 private:
  struct Folder {
    Tree base;
    std::map<std::string, std::optional<TreeEntry>, std::less<>> changes;  // nullopt: removed
    std::optional<std::vector<std::pair<std::string, std::string>>> folded_names;
  };

  Result<Folder*> load(std::string_view path, const ObjectId& id);
  Result<Folder*> parent_for_change(std::string_view path);
  template <typename Visit>
  static void visit_result(const Folder&, Visit);
  const std::vector<std::pair<std::string, std::string>>& folded_names(Folder&);

  TreeSource& source_;
  ObjectId root_;
  std::map<std::string, Folder, std::less<>> folders_;  // "" is the root
};

}  // namespace gh::patch
