// Numbers for texts, in the order in which they come, in one flat table. A general map makes a node
// for each text; the names of every file that is read are that many nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace gh {

/// Whoever asks keeps the texts: `text_of(number)` gives one that has a number.
class TextNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// kNone for a text that has no number.
  template <class TextOf>
  std::uint32_t find(std::string_view text, TextOf&& text_of) const {
    return slots_.empty() ? kNone : slots_[slot_of(text, hash_of(text), text_of)].number;
  }
  /// The number of the text, which is `next` when it is new.
  template <class TextOf>
  std::uint32_t add(std::string_view text, std::uint32_t next, TextOf&& text_of) {
    if (2 * (taken_ + 1) > slots_.size()) grow();
    const std::uint32_t hash = hash_of(text);
    Slot& slot = slots_[slot_of(text, hash, text_of)];
    if (slot.number == kNone) {
      slot = {hash, next};
      ++taken_;
    }
    return slot.number;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kNone;
  };
  static std::uint32_t hash_of(std::string_view text) {
    const std::size_t hash = std::hash<std::string_view>()(text);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
  }
  /// Where the text is, or would be put.
  template <class TextOf>
  std::size_t slot_of(std::string_view text, std::uint32_t hash, TextOf&& text_of) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.number == kNone || (slot.hash == hash && text_of(slot.number) == text)) return at;
    }
  }
  void grow() {
    std::vector<Slot> larger(slots_.empty() ? 64 : 2 * slots_.size());
    const std::size_t mask = larger.size() - 1;
    for (const Slot& slot : slots_) {
      if (slot.number == kNone) continue;
      std::size_t at = slot.hash & mask;
      while (larger[at].number != kNone)
        at = (at + 1) & mask;
      larger[at] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_{};  // a power of two, at most half of them taken
  std::size_t taken_ = 0;
};

}  // namespace gh
