#pragma once
// Random trees, random edits of them, and a TreeSource that serves them from memory.
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "fuzz/differential/chance.h"
#include "model/object_id.h"
#include "model/tree_source.h"

namespace gh::fuzz {

struct Entry {
  FileMode mode = FileMode::regular;
  std::string bytes;  // of a gitlink: the commit id in hex
  bool operator==(const Entry&) const = default;
};
using Tree = std::map<std::string, Entry>;  // by path

Tree random_tree(Chance&);
Tree random_edit(const Tree&, Chance&);

/// True when an edit from `base` to `edited` has a text diff that the gate must let through: no
/// symlink, gitlink or attribute file among what differs, no NUL, no change of type.
bool is_plain_edit(const Tree& base, const Tree& edited);

/// A tree object with `entries` as its content, in git's order.
std::string tree_bytes(std::vector<TreeEntry> entries);

class MemorySource : public TreeSource {
 public:
  ObjectId add(const Tree&);
  HashKind hash_kind() const override { return HashKind::sha1; }
  Result<gh::Tree> tree(const ObjectId&) override;
  Result<std::string> blob(const ObjectId&) override;

 private:
  ObjectId add_folder(const Tree&, const std::string& prefix);
  std::unordered_map<std::string, std::vector<TreeEntry>> trees_;
  std::unordered_map<std::string, std::string> blobs_;
};

}  // namespace gh::fuzz
