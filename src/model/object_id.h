#pragma once
// git object ids and file modes as checked values.
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace gh {

/// SHA-1 or SHA-256. Holding one is the proof that it was checked.
class ObjectId {
 public:
  static std::optional<ObjectId> parse(std::string_view hex);  // 40 or 64 lower-case digits
  static ObjectId from_raw(std::string_view bytes);            // 20 or 32 bytes
  static ObjectId of(HashKind kind, std::string_view type, std::string_view bytes);
  std::string hex() const { return to_hex(raw()); }
  std::string_view raw() const { return {bytes_.data(), size_of(kind_)}; }
  HashKind kind() const { return kind_; }
  static constexpr std::size_t size_of(HashKind kind) { return kind == HashKind::sha1 ? 20 : 32; }
  auto operator<=>(const ObjectId&) const = default;

 private:
  ObjectId() = default;
  HashKind kind_ = HashKind::sha1;
  std::array<char, 32> bytes_{};  // the rest of a SHA-1 stays zero
};

/// The closed set of modes a patch or a tree entry may have.
enum class FileMode : std::uint32_t {
  regular = 0100644,
  executable = 0100755,
  symlink = 0120000,
  gitlink = 0160000,
  tree = 0040000,  // never in a patch
};
std::string to_string(FileMode);                       // "100644", trees "040000"
std::optional<FileMode> patch_mode(std::string_view);  // the four modes of patch-gate 4.2 only

}  // namespace gh
