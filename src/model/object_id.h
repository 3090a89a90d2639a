#pragma once
// git object ids and file modes as checked values.
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace gh {

/// 40 or 64 lower-case hex digits. Holding one is the proof that it was checked.
class ObjectId {
 public:
  static std::optional<ObjectId> parse(std::string_view hex);
  static ObjectId from_raw(std::string_view bytes);  // 20 or 32 bytes
  static ObjectId of(HashKind kind, std::string_view type, std::string_view bytes);
  const std::string& hex() const { return hex_; }
  std::string raw() const;
  HashKind kind() const { return hex_.size() == 40 ? HashKind::sha1 : HashKind::sha256; }
  auto operator<=>(const ObjectId&) const = default;

 private:
  explicit ObjectId(std::string hex) : hex_(std::move(hex)) {}
  std::string hex_;
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
