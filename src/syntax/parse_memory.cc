#include "syntax/parse_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "syntax/bounded_parse.h"

namespace gh::syntax {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(GH_FUZZ)
constexpr bool kOwn = false;
#else
constexpr bool kOwn = true;
#endif

constexpr std::size_t kAlign = 16,
                      kHeader = 8;    // a payload is aligned, its header stands before it
constexpr std::size_t kSmall = 1024;  // up to here in steps of kAlign, then in doublings
constexpr std::size_t kSmallClasses = kSmall / kAlign + 1;
constexpr std::size_t kClasses = kSmallClasses + 32;
constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kKept = 4;  // chunks between files

/// Blocks by size class; a freed block is the first to be given out again.
class ParseMemory {
 public:
  void* take(std::size_t bytes) {
    spend(left_.work, bytes);
    const std::size_t whole = (bytes + kHeader + kAlign - 1) / kAlign * kAlign;
    const std::size_t size_class = class_of(whole);
    if (void* again = free_[size_class]; again != nullptr) {
      std::memcpy(&free_[size_class], again, sizeof(void*));
      return again;
    }
    std::byte* block = cut(size_of(size_class));
    const auto header = static_cast<std::uint64_t>(size_class);
    std::memcpy(block + kAlign - kHeader, &header, kHeader);
    return block + kAlign;
  }
  void give_back(void* payload) {
    if (payload == nullptr) return;
    const std::size_t size_class = class_at(payload);
    std::memcpy(payload, &free_[size_class], sizeof(void*));
    free_[size_class] = payload;
  }
  void* resize(void* payload, std::size_t bytes) {
    if (payload == nullptr) return take(bytes);
    const std::size_t room = size_of(class_at(payload)) - kHeader;
    if (bytes <= room) return payload;
    void* larger = take(bytes);
    std::memcpy(larger, payload, room);
    give_back(payload);
    return larger;
  }
  /// From here on no more than that; whoever asks for more goes `back`.
  void limit(const ParseBudget& budget, jmp_buf* back) {
    left_ = budget;
    back_ = back;
  }
  void drop() {
    free_.fill(nullptr);
    large_.clear();
    if (chunks_.size() > kKept) chunks_.resize(kKept);
    used_chunks_ = 0;
    at_ = end_ = nullptr;
  }

 private:
  static std::size_t class_of(std::size_t whole) {
    return whole <= kSmall ? whole / kAlign : kSmallClasses + std::bit_width(whole - 1) - 10;
  }
  static std::size_t size_of(std::size_t size_class) {
    return size_class < kSmallClasses ? size_class * kAlign
                                      : std::size_t{1} << (size_class - kSmallClasses + 10);
  }
  static std::size_t class_at(const void* payload) {
    std::uint64_t out = 0;
    std::memcpy(&out, static_cast<const std::byte*>(payload) - kHeader, kHeader);
    return static_cast<std::size_t>(out);
  }
  void spend(std::size_t& left, std::size_t bytes) {
    if (back_ == nullptr) return;
    if (bytes > left) gh_leave_parse(back_);
    left -= bytes;
  }
  /// A block of `size` bytes from `kAlign - kHeader` on; what stands before is its neighbour's.
  std::byte* cut(std::size_t size) {
    spend(left_.memory, size);
    if (size > kChunk / 4) {
      large_.push_back(std::make_unique_for_overwrite<std::byte[]>(size + kAlign));
      return large_.back().get();
    }
    if (at_ == nullptr || static_cast<std::size_t>(end_ - at_) < size + kAlign) next_chunk();
    std::byte* out = at_;
    at_ += size;
    return out;
  }
  void next_chunk() {
    if (used_chunks_ == chunks_.size())
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kChunk));
    at_ = chunks_[used_chunks_++].get();
    end_ = at_ + kChunk;
  }

  std::array<void*, kClasses> free_{};
  std::vector<std::unique_ptr<std::byte[]>> chunks_{}, large_{};
  std::size_t used_chunks_ = 0;
  ParseBudget left_{};  // while there is a way back
  jmp_buf* back_ = nullptr;
  std::byte *at_ = nullptr, *end_ = nullptr;
};

ParseMemory& memory() {
  static thread_local ParseMemory own;
  return own;
}

void* take(std::size_t bytes) { return memory().take(bytes); }
void* take_zeroed(std::size_t count, std::size_t bytes) {
  void* out = memory().take(count * bytes);
  std::memset(out, 0, count * bytes);
  return out;
}
void* resize(void* payload, std::size_t bytes) { return memory().resize(payload, bytes); }
void give_back(void* payload) { memory().give_back(payload); }

}  // namespace

void use_parse_memory() {
  if constexpr (kOwn) ts_set_allocator(take, take_zeroed, resize, give_back);
}
void drop_parse_memory() {
  if constexpr (kOwn) memory().drop();
}
bool parse_memory_is_dropped() { return kOwn; }

TSTree* parse_within_budget(TSParser* parser, std::string_view text) {
  jmp_buf back;
  memory().limit(parse_budget(text.size()), &back);
  TSTree* out =
      gh_bounded_parse(parser, text.data(), static_cast<std::uint32_t>(text.size()), &back);
  memory().limit({}, nullptr);
  return out;
}

}  // namespace gh::syntax
