#pragma once
// The seam between the own applier and where base objects come from: git in production, memory in
// tests and fuzzing.
#include <cstdint>
#include <memory>
#include <optional>
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

/// An entry as it stands in its tree, which must outlive it.
struct TreeEntryView {
  std::string_view name;
  FileMode mode;
  ObjectId id;
  TreeEntry owned() const { return {std::string(name), mode, id}; }
};

/// The entries of one tree in git's order. Copies share them. Kept as git wrote them, with a note
/// where each one stands: a folder of thousands of files costs little until an entry is asked for.
class Tree {
 public:
  struct Slot {
    std::uint32_t name_at, name_size;  // a NUL and the id follow the name
    FileMode mode;
  };

  Tree() : Tree(std::vector<TreeEntry>()) {}
  explicit Tree(const std::vector<TreeEntry>& entries);
  Tree(std::string bytes, std::vector<Slot> slots, HashKind kind)
      : state_(std::make_shared<const State>(std::move(bytes), std::move(slots),
                                             ObjectId::size_of(kind))) {}
  std::size_t size() const { return state_->slots.size(); }
  /// Of all entries as git wrote them.
  std::size_t byte_size() const { return state_->bytes.size(); }
  TreeEntryView operator[](std::size_t i) const;
  std::optional<TreeEntry> find(std::string_view name, bool as_folder) const;
  std::optional<TreeEntry> find(std::string_view name) const;

  class Iterator {
   public:
    Iterator(const Tree& tree, std::size_t at) : tree_(&tree), at_(at) {}
    TreeEntryView operator*() const { return (*tree_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const Tree* tree_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  struct State {
    State(std::string b, std::vector<Slot> s, std::size_t i)
        : bytes(std::move(b)), slots(std::move(s)), id_size(i) {}
    std::string bytes;
    std::vector<Slot> slots;
    std::size_t id_size;
  };
  std::string_view name(const Slot& slot) const {
    return std::string_view(state_->bytes).substr(slot.name_at, slot.name_size);
  }
  std::shared_ptr<const State> state_;
};

/// Appends an entry as git writes it into a tree object.
void append_entry(std::string& tree, std::string_view name, FileMode, const ObjectId&);

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
