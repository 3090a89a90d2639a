// 128-bit hashes of normalised code: seedless, the same on every machine.
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace gh::analysis {

struct Hash {
  std::uint64_t high = 0, low = 0;
  auto operator<=>(const Hash&) const = default;
  std::string hex() const;  // 32 digits
};

Hash hash_of(std::string_view bytes);

/// Collects what goes into one hash. Fixed little-endian layout.
class Hasher {
 public:
  void clear() { size_ = 0; }
  void add(std::uint16_t number) { append(&number, sizeof number); }
  void add(const Hash& hash) {
    append(&hash.high, sizeof hash.high);
    append(&hash.low, sizeof hash.low);
  }
  void add(std::string_view text) {  // with its length: two texts never run into each other
    const std::uint64_t size = text.size();
    append(&size, sizeof size);
    append(text.data(), text.size());
  }
  Hash finish() const { return hash_of({bytes_.data(), size_}); }

 private:
  void append(const void* data, std::size_t size) {
    if (size == 0) return;
    if (bytes_.size() - size_ < size) bytes_.resize(2 * (size_ + size) + 128);
    std::memcpy(bytes_.data() + size_, data, size);
    size_ += size;
  }
  std::vector<char> bytes_{};
  std::size_t size_ = 0;  // of them in use: a node more is a few bytes and no call
};

}  // namespace gh::analysis
