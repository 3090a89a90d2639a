#pragma once
// Which of many declared paths meet a given one. Built once for a scope, then asked for every path
// of every other record: a hash of the path while it is read decides nearly all of them, so that a
// thousand records cost less than one transaction of the ledger.
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "policy/control_policy.h"

namespace gh::control {

/// Calls `ask` with every folder above `path`, the outermost first, then with `path` itself.
template <class Ask>
void each_cover(std::string_view path, Ask ask) {
  for (std::size_t i = path.find('/'); i != path.npos; i = path.find('/', i + 1))
    ask(path.substr(0, i));
  ask(path);
}

/// Keeps views: the texts must outlive the index.
class PathIndex {
 public:
  struct Entry {
    std::string_view path;
    std::uint32_t mark;  // what the answers carry, not 0; marks of equal paths are joined
  };
  explicit PathIndex(const std::vector<Entry>&);

  struct Meeting {
    std::string_view path;  // the more specific of the two
    std::uint32_t mark;
  };
  /// Appends one meeting for each entry that meets `path`, in either direction with `prefix`.
  void meetings(std::string_view path, policy::ConflictMatching, std::vector<Meeting>&) const;

  /// Marks of the entries that are `path` or a folder above it; 0: none.
  std::uint32_t cover(std::string_view path) const;

 private:
  struct Node {
    std::uint32_t mark = 0;                 // 0: only a folder above entries
    std::vector<std::string_view> below{};  // entries below this path
  };
  void add(const Entry&);
  const Node* find(std::string_view path) const;
  bool may_meet(std::string_view path) const;

  static constexpr std::size_t kBits = 1u << 14;
  std::unordered_map<std::string_view, Node> nodes_{};
  std::size_t shortest_;        // of the entries
  std::bitset<kBits> heads_{};  // hashes of what entries begin with, as long as the shortest
};

}  // namespace gh::control
