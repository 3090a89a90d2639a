// 128-bit hashes of normalised code: seedless, the same on every machine.
#pragma once

#include <compare>
#include <cstdint>
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
  void clear() { bytes_.clear(); }
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
  Hash finish() const { return hash_of({bytes_.data(), bytes_.size()}); }

 private:
  void append(const void* data, std::size_t size) {
    const char* from = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  std::vector<char> bytes_{};
};

}  // namespace gh::analysis
