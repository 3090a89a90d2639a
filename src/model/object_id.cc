#include "model/object_id.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace gh {
namespace {

bool is_lower_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
int hex_value(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

}  // namespace

std::optional<ObjectId> ObjectId::parse(std::string_view hex) {
  if (hex.size() != 40 && hex.size() != 64) return std::nullopt;
  if (!std::ranges::all_of(hex, is_lower_hex)) return std::nullopt;
  ObjectId out;
  out.kind_ = hex.size() == 40 ? HashKind::sha1 : HashKind::sha256;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    out.bytes_[i / 2] = static_cast<char>(hex_value(hex[i]) * 16 + hex_value(hex[i + 1]));
  return out;
}

ObjectId ObjectId::from_raw(std::string_view bytes) {
  GH_ASSERT(bytes.size() == 20 || bytes.size() == 32);
  ObjectId out;
  out.kind_ = bytes.size() == 20 ? HashKind::sha1 : HashKind::sha256;
  std::ranges::copy(bytes, out.bytes_.begin());
  return out;
}

ObjectId ObjectId::of(HashKind kind, std::string_view type, std::string_view bytes) {
  return from_raw(git_object_id(kind, type, bytes));
}

std::string to_string(FileMode mode) {
  return fmt::format("{:06o}", static_cast<std::uint32_t>(mode));
}

std::optional<FileMode> patch_mode(std::string_view text) {
  for (const FileMode mode :
       {FileMode::regular, FileMode::executable, FileMode::symlink, FileMode::gitlink})
    if (text == to_string(mode)) return mode;
  return std::nullopt;
}

}  // namespace gh
