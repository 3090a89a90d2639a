// Who uses whom, as the search for dead code found it: flat, so that it can be kept, and asked
// again of a later state of the files (analysis/amend_life.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gh::analysis {

/// Lists of numbers, one per key, one behind the other.
struct NumberLists {
  std::vector<std::uint32_t> ends{}, values{};

  std::span<const std::uint32_t> operator[](std::size_t key) const {
    const std::uint32_t from = key == 0 ? 0 : ends[key - 1];
    return {values.data() + from, values.data() + ends[key]};
  }
  bool is_whole(std::size_t keys) const;
};

/// How a symbol lives.
enum class Way : std::uint8_t {
  judged,          // by being used
  root,            // by itself
  follows_parent,  // with what stands around it
  silenced,        // by itself, because somebody asks that nothing be said of it
};

struct UseGraph {
  /// A user that is no symbol: the code of a module, with the number of its file.
  static constexpr std::uint32_t kModuleCode = 0x80000000;

  std::vector<std::uint64_t> names{};  // hashes of the names of candidates, sorted
  NumberLists users{};                 // by name
  // By symbol.
  std::vector<std::uint32_t> parents{}, name_of{};  // kNone: it has none, or is no candidate
  std::vector<Way> ways{};
  std::vector<std::uint8_t> doubts{};  // DeadReason, were it not used
  NumberLists symbols{};               // by file: of each declaration
  // What is named by its place: who (kNone: code of a module) names whom.
  std::vector<std::uint32_t> edges_from{}, edges_to{};

  /// kNone when no candidate bears it.
  std::uint32_t name(std::string_view text) const;
  bool is_whole(std::size_t files) const;
};

}  // namespace gh::analysis
