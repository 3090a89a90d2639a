#pragma once
// Hashes. SHA-256 is content identity everywhere; git_hash makes git object ids.
#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace gh {

std::string to_hex(std::string_view bytes);  // lower case

/// SHA-256 of something. Only digest_of makes one.
class Digest {
 public:
  std::string hex() const;     // 64 lower-case digits
  std::string tagged() const;  // "sha256:" + hex()
  auto operator<=>(const Digest&) const = default;

 private:
  friend Digest digest_of(std::string_view bytes);
  std::array<std::uint8_t, 32> bytes_{};
};

Digest digest_of(std::string_view bytes);

enum class HashKind : std::uint8_t { sha1, sha256 };

/// Raw object id that git gives to `bytes` as an object of `type` ("blob", "tree", "commit").
std::string git_object_id(HashKind kind, std::string_view type, std::string_view bytes);

/// Raw SHA-1 or SHA-256 over `bytes` (index trailer).
std::string raw_hash(HashKind kind, std::string_view bytes);

}  // namespace gh
