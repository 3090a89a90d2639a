#include "control/path_index.h"

#include <algorithm>
#include <cstring>

namespace gh::control {
namespace {

/// Which bit stands for these bytes.
std::size_t bit_of(std::string_view bytes, std::size_t bits) {
  std::uint64_t hash = bytes.size();
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
  };
  std::uint64_t word = 0;
  while (bytes.size() >= sizeof word) {
    std::memcpy(&word, bytes.data(), sizeof word);
    mix(word);
    bytes.remove_prefix(sizeof word);
  }
  word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  mix(word);
  return hash % bits;
}

}  // namespace

PathIndex::PathIndex(const std::vector<Entry>& entries) : shortest_(SIZE_MAX) {
  for (const Entry& entry : entries)
    shortest_ = std::min(shortest_, entry.path.size());
  for (const Entry& entry : entries)
    add(entry);
}

void PathIndex::add(const Entry& entry) {
  std::uint32_t& marks = nodes_[entry.path].mark;  // later insertions leave the reference valid
  const bool is_new = marks == 0;
  marks |= entry.mark;
  if (!is_new) return;
  heads_.set(bit_of(entry.path.substr(0, shortest_), kBits));
  each_cover(entry.path, [&](std::string_view cover) {
    if (cover.size() < entry.path.size()) nodes_[cover].below.push_back(entry.path);
  });
}

const PathIndex::Node* PathIndex::find(std::string_view path) const {
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? nullptr : &found->second;
}

/// Two paths that meet begin alike, as far as the shorter one goes.
bool PathIndex::may_meet(std::string_view path) const {
  return path.size() < shortest_ || heads_.test(bit_of(path.substr(0, shortest_), kBits));
}

void PathIndex::meetings(std::string_view path, policy::ConflictMatching matching,
                         std::vector<Meeting>& out) const {
  if (!may_meet(path)) return;
  const bool folders = matching == policy::ConflictMatching::prefix;
  each_cover(path, [&](std::string_view cover) {
    const bool whole = cover.size() == path.size();
    if (!whole && (!folders || cover.size() < shortest_)) return;
    const Node* node = find(cover);
    if (node == nullptr) return;
    if (node->mark != 0) out.push_back({path, node->mark});
    if (!whole || !folders) return;
    for (const std::string_view below : node->below)
      out.push_back({below, find(below)->mark});
  });
}

std::uint32_t PathIndex::cover(std::string_view path) const {
  std::uint32_t marks = 0;
  if (path.size() < shortest_ || !may_meet(path)) return marks;
  each_cover(path, [&](std::string_view cover) {
    if (cover.size() < shortest_) return;
    if (const Node* node = find(cover)) marks |= node->mark;
  });
  return marks;
}

}  // namespace gh::control
