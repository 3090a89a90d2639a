#pragma once
// The seam between the own applier and where base objects come from: git in production, memory in
// tests and fuzzing.
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/object_id.h"

namespace gh {

struct TreeEntry {
  std::string name;  // one component, bytes
  FileMode mode;     // git's historical 100664 is read as regular
  ObjectId id;
};

/// git's order of tree entries: by bytes, a folder as if its name ended in '/'.
bool comes_before(std::string_view a, bool a_is_folder, std::string_view b, bool b_is_folder);

/// The entries of one tree in git's order. Copies share them.
class Tree {
 public:
  Tree() : Tree(std::vector<TreeEntry>()) {}
  explicit Tree(std::vector<TreeEntry> entries)
      : entries_(std::make_shared<const std::vector<TreeEntry>>(std::move(entries))) {}
  auto begin() const { return entries_->begin(); }
  auto end() const { return entries_->end(); }
  std::size_t size() const { return entries_->size(); }
  const TreeEntry& operator[](std::size_t i) const { return (*entries_)[i]; }
  const TreeEntry* find(std::string_view name, bool as_folder) const;
  const TreeEntry* find(std::string_view name) const;

 private:
  std::shared_ptr<const std::vector<TreeEntry>> entries_;
};

class TreeSource {
 public:
  virtual ~TreeSource() = default;
  virtual HashKind hash_kind() const = 0;
  virtual Result<Tree> tree(const ObjectId&) = 0;
  virtual Result<std::string> blob(const ObjectId&) = 0;
  /// The folders and files of these paths below `root` are about to be read; a source that is far
  /// away may bring them in one go. Changes no answer.
  virtual void expect(const ObjectId& /*root*/, const std::set<std::string>& /*paths*/) {}
};

}  // namespace gh
