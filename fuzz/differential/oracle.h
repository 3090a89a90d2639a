#pragma once
// Real git as the second opinion. Many accepted patches are shown to one git process: each is moved
// into a folder of its own, and one tree id answers for all of them.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/patch.h"
#include "fuzz/differential/world.h"
#include "model/object_id.h"
#include "sys/files.h"
#include "sys/process.h"

namespace gh::fuzz {

/// A submission that our gates let through, and what they say it does.
struct Accepted {
  std::string submitted;
  diff::Patch patch;  // points into `submitted`
  ObjectId tree;
};

struct Disagreement {
  const Accepted* accepted;
  std::string what;
};

class Oracle {
 public:
  /// An empty repository in a scratch folder of its own.
  Oracle();

  /// Makes `base` and `edited` known to git, and `base` the tree that patches are applied to.
  void import(const Tree& base, const ObjectId& base_id, const std::vector<Tree>& edited);

  /// What `git diff-tree` writes for base..edited, one text per edited tree.
  std::vector<std::string> diffs(const std::vector<ObjectId>& edited,
                                 const std::vector<std::string>& options);

  /// Applies the canonical form of all of them at once; the answer names every one that git does
  /// not read as our gates do.
  std::vector<Disagreement> compare(const std::vector<const Accepted*>& batch);

  /// The tree that git makes of `patch` alone and as it stands; nothing when git refuses it.
  std::optional<std::string> tree_after(std::string_view patch);

 private:
  sys::Finished git(const std::vector<std::string>& args, std::string_view input = {},
                    const std::string& index = "index");
  std::string must(const std::vector<std::string>& args, std::string_view input = {},
                   const std::string& index = "index");
  std::optional<std::string> difference(const std::vector<const Accepted*>& batch);

  sys::TempDir scratch_;
  std::string repo_;
  std::optional<ObjectId> base_;
  std::string base_index_;
};

}  // namespace gh::fuzz
