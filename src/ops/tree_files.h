#pragma once
// The folder of a manifest in a tree of git, as a scan sees it: straight from the objects, so that
// no attribute, filter or line ending of a checkout stands between. Links are resolved inside of
// the tree; a submodule is an empty folder.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/tree_source.h"
#include "surface/files.h"

namespace gh::ops {

inline constexpr std::size_t kMaxTreeEntriesRead = 200'000;
inline constexpr std::uint64_t kMaxTreeBytesRead = 2ull << 30;
inline constexpr int kMaxTreeLinks = 40;  // followed for one path

/// A tree with the paths that lead through it.
class GitTree {
 public:
  GitTree(TreeSource& objects, const ObjectId& root) : objects_(objects), root_(root) {}

  struct Entry {
    std::string path;  // links followed
    FileMode mode;
    ObjectId id;
  };
  /// The entry as it is in the tree; no link is followed. nullopt: there is none.
  Result<std::optional<Entry>> exact(std::string_view path);
  /// What the path leads to. `left_tree` is set when that is outside.
  Result<std::optional<Entry>> resolve(std::string_view path, bool* left_tree = nullptr);
  /// Where a link leads, from the top; nullopt: outside, or round in circles.
  Result<std::optional<std::string>> target_of(const std::string& link);
  Result<std::string> blob(const ObjectId&, std::size_t max_bytes);
  Result<Tree> tree(const ObjectId&);
  /// Bytes of a regular file that the path leads to; nullopt: there is none.
  Result<std::optional<std::string>> file(std::string_view path, std::size_t max_bytes);
  const ObjectId& root() const { return root_; }

 private:
  TreeSource& objects_;
  ObjectId root_;
  std::size_t entries_ = 0;
  std::uint64_t bytes_ = 0;
  std::map<ObjectId, Tree> known_{};
};

class TreeFiles : public surface::Files {
 public:
  /// `folder`: of the manifest, from the top; empty: the top itself.
  TreeFiles(GitTree& tree, std::string folder) : tree_(tree), folder_(std::move(folder)) {}
  Result<surface::Found> find(std::string_view path, std::string_view base = "") override;
  Result<std::string> read(const surface::Found&, std::size_t max_bytes) override;
  Result<std::vector<std::string>> list(const surface::Found& folder) override;

 private:
  std::string from_top(std::string_view inside) const;
  GitTree& tree_;
  std::string folder_;
};

}  // namespace gh::ops
