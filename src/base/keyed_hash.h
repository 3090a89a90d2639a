#pragma once
// HMAC-SHA-256: what only the holder of the key can have written.
#include <string>
#include <string_view>

namespace gh {

/// 32 bytes.
std::string keyed_hash(std::string_view key, std::string_view bytes);

/// In the same time wherever they differ.
bool is_same_hash(std::string_view a, std::string_view b);

}  // namespace gh
