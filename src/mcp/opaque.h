#pragma once
// Words that we give away and must recognise when they come back: cursors and request states. They
// are base64url text with a keyed hash behind a dot; whoever changes one is found out.
#include <optional>
#include <string>
#include <string_view>

namespace gh::mcp {

std::string base64url(std::string_view bytes);
std::optional<std::string> from_base64url(std::string_view text);  // strict: no padding, no rest
std::string base64_padded(std::string_view bytes);                 // the usual alphabet

/// Of a URI; null when a percent sign is followed by no two hex digits.
std::optional<std::string> percent_decoded(std::string_view text);

/// payload.hash, both base64url; `hash_bytes` of the hash are kept.
std::string seal(std::string_view key, std::string_view payload, std::size_t hash_bytes = 32);
std::optional<std::string> unseal(std::string_view key, std::string_view word,
                                  std::size_t hash_bytes = 32);

}  // namespace gh::mcp
