// Who uses whom, as the search for dead code found it: flat, so that it can be kept. It answers one
// question about a later state of the files: are symbols that lose a use still alive?
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

struct UseGraph {
  /// A user that is no symbol: the code of a module, with the number of its file.
  static constexpr std::uint32_t kModuleCode = 0x80000000;
  enum Way : std::uint8_t { judged = 0, root = 1, follows_parent = 2 };

  std::vector<std::uint64_t> names{};  // hashes of the names of candidates, sorted
  NumberLists bearers{}, users{};      // by name
  // By symbol.
  std::vector<std::uint32_t> parents{}, name_of{};  // kNone: it has none, or is no candidate
  std::vector<std::uint32_t> levels{};              // steps from what lives by itself; 0: dead
  std::vector<std::uint8_t> ways{};                 // how it lives
  NumberLists symbols{};                            // by file: of each declaration

  /// kNone when no candidate bears it.
  std::uint32_t name(std::string_view text) const;
  bool is_whole(std::size_t files) const;
};

struct LostUse {
  std::uint32_t user = 0, name = 0;
  auto operator<=>(const LostUse&) const = default;
};
/// Is everything that was alive and bears one of these names alive without these uses? `lost` is
/// sorted. What cannot be found with little effort is none.
bool stays_alive(const UseGraph&, const std::vector<LostUse>& lost);

/// Does anybody who is alive and none of `file` use the name, apart from these uses? `lost` is
/// sorted.
bool has_living_user(const UseGraph&, std::uint32_t name, std::uint32_t file,
                     const std::vector<LostUse>& lost);

}  // namespace gh::analysis
