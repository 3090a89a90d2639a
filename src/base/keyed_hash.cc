#include "base/keyed_hash.h"

#include <algorithm>
#include <cstddef>

#include "base/digest.h"

namespace gh {
namespace {

constexpr std::size_t kBlock = 64;  // of SHA-256

std::string sha256(std::string_view bytes) { return raw_hash(HashKind::sha256, bytes); }

}  // namespace

std::string keyed_hash(std::string_view key, std::string_view bytes) {
  std::string block = key.size() > kBlock ? sha256(key) : std::string(key);
  block.resize(kBlock, '\0');
  std::string inner, outer;
  for (const char c : block) {
    inner += static_cast<char>(c ^ 0x36);
    outer += static_cast<char>(c ^ 0x5c);
  }
  return sha256(outer + sha256(inner.append(bytes)));
}

bool is_same_hash(std::string_view a, std::string_view b) {
  unsigned char differing = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differing |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differing == 0;
}

}  // namespace gh
