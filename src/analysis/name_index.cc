#include "analysis/name_index.h"

#include <algorithm>
#include <array>
#include <bit>

#include <xxhash.h>

namespace gh::analysis {
namespace {

std::uint64_t hash_of_name(std::string_view name) { return XXH3_64bits(name.data(), name.size()); }

std::uint32_t part_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

NameIndex::NameIndex(std::size_t most) : slots_(std::bit_ceil(2 * most + 2)) {
  names_.reserve(most);
}

/// Where the name is, or would be put.
std::size_t NameIndex::slot_of(std::string_view name, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.number == kNone) return at;
    if (slot.part == part_of(hash) && names_[slot.number] == name) return at;
  }
}

/// Calls `f` with each name and its hash. By then the slot, and the name that stands there, are on
/// the way to the processor.
template <class F>
void NameIndex::each(std::span<const std::string_view> names, F&& f) const {
  constexpr std::size_t kAtOnce = 64;
  const std::size_t mask = slots_.size() - 1;
  std::array<std::uint64_t, kAtOnce> hashes;
  const auto may_be_there = [&](std::uint64_t hash) {
    const Slot& slot = slots_[hash & mask];
    return slot.part == part_of(hash) && slot.number != kNone;
  };
  for (; !names.empty(); names = names.subspan(std::min(kAtOnce, names.size()))) {
    const auto now = names.first(std::min(kAtOnce, names.size()));
    for (std::size_t i = 0; i < now.size(); ++i) {
      hashes[i] = hash_of_name(now[i]);
      __builtin_prefetch(&slots_[hashes[i] & mask]);
    }
    for (std::size_t i = 0; i < now.size(); ++i)
      if (may_be_there(hashes[i])) __builtin_prefetch(&names_[slots_[hashes[i] & mask].number]);
    for (std::size_t i = 0; i < now.size(); ++i)
      if (may_be_there(hashes[i]))
        __builtin_prefetch(names_[slots_[hashes[i] & mask].number].data());
    for (std::size_t i = 0; i < now.size(); ++i)
      f(now[i], hashes[i]);
  }
}

void NameIndex::add(std::span<const std::string_view> names, std::vector<std::uint32_t>& numbers) {
  numbers.clear();
  each(names, [&](std::string_view name, std::uint64_t hash) {
    Slot& slot = slots_[slot_of(name, hash)];
    if (slot.number == kNone) {
      slot = {part_of(hash), static_cast<std::uint32_t>(names_.size())};
      names_.push_back(name);
    }
    numbers.push_back(slot.number);
  });
}

void NameIndex::find(std::span<const std::string_view> names,
                     std::vector<std::uint32_t>& numbers) const {
  numbers.clear();
  each(names, [&](std::string_view name, std::uint64_t hash) {
    numbers.push_back(slots_[slot_of(name, hash)].number);
  });
}

std::uint32_t NameIndex::find(std::string_view name) const {
  return slots_[slot_of(name, hash_of_name(name))].number;
}

}  // namespace gh::analysis
