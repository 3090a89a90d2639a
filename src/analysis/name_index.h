// Numbers for names, in the order in which they come: what a general map does, at a fraction of its
// misses of the processor's cache, for tables that hold every name of a project.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/names.h"

namespace gh::analysis {

class NameIndex {
 public:
  /// Never more than `most` names, which are not copied: they must stay where they are.
  explicit NameIndex(std::size_t most);

  /// The numbers of these names, a new one gets the next. Many at once: what the memory is asked
  /// for comes side by side.
  void add(std::span<const std::string_view> names, std::vector<std::uint32_t>& numbers);
  /// kNone for a name that was never added.
  void find(std::span<const std::string_view> names, std::vector<std::uint32_t>& numbers) const;
  std::uint32_t find(std::string_view name) const;
  std::size_t size() const { return names_.size(); }

 private:
  struct Slot {
    std::uint32_t part = 0;  // of the hash: most other names are told apart without a look at them
    std::uint32_t number = kNone;
  };
  template <class F>
  void each(std::span<const std::string_view> names, F&& f) const;
  std::size_t slot_of(std::string_view name, std::uint64_t hash) const;

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::vector<std::string_view> names_{};
};

}  // namespace gh::analysis
