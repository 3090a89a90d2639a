#include "control/path_index.h"

namespace gh::control {
namespace {

/// FNV-1a, fed byte by byte, so that every folder above a path is hashed on the way.
class Hash {
 public:
  void feed(char c) { value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL; }
  std::size_t bit(std::size_t bits) const { return (value_ ^ (value_ >> 29)) % bits; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325ULL;
};

}  // namespace

void PathIndex::add(std::string_view path, std::uint32_t mark) {
  std::uint32_t& marks = nodes_[path].mark;  // a reference into the map outlives later insertions
  const bool is_new = marks == 0;
  marks |= mark;
  Hash hash;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '/') {
      known_.set(hash.bit(kBits));
      if (is_new) nodes_[path.substr(0, i)].below.push_back(path);
    }
    hash.feed(path[i]);
  }
  entries_.set(hash.bit(kBits));
  known_.set(hash.bit(kBits));
}

const PathIndex::Node* PathIndex::find(std::string_view path) const {
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? nullptr : &found->second;
}

void PathIndex::meetings(std::string_view path, policy::ConflictMatching matching,
                         std::vector<Meeting>& out) const {
  const bool folders = matching == policy::ConflictMatching::prefix;
  Hash hash;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (folders && path[i] == '/' && entries_.test(hash.bit(kBits)))
      if (const Node* node = find(path.substr(0, i)); node != nullptr && node->mark != 0)
        out.push_back({path, node->mark});
    hash.feed(path[i]);
  }
  if (!known_.test(hash.bit(kBits))) return;
  const Node* node = find(path);
  if (node == nullptr) return;
  if (node->mark != 0) out.push_back({path, node->mark});
  if (!folders) return;
  for (const std::string_view below : node->below)
    out.push_back({below, find(below)->mark});
}

std::uint32_t PathIndex::cover(std::string_view path) const {
  std::uint32_t marks = 0;
  const auto ask = [&](std::string_view folder, const Hash& hash) {
    if (!entries_.test(hash.bit(kBits))) return;
    if (const Node* node = find(folder)) marks |= node->mark;
  };
  Hash hash;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '/') ask(path.substr(0, i), hash);
    hash.feed(path[i]);
  }
  ask(path, hash);
  return marks;
}

}  // namespace gh::control
