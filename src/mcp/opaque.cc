#include "mcp/opaque.h"

#include <array>
#include <cstdint>

#include "base/keyed_hash.h"

namespace gh::mcp {
namespace {

constexpr std::string_view kUrlAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encoded(std::string_view bytes, std::string_view alphabet) {
  std::string out;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : bytes) {
    held = (held << 8) | static_cast<std::uint8_t>(c);
    for (bits += 8; bits >= 6; bits -= 6)
      out += alphabet[(held >> (bits - 6)) & 63];
  }
  if (bits > 0) out += alphabet[(held << (6 - bits)) & 63];
  return out;
}

}  // namespace

std::string base64url(std::string_view bytes) { return encoded(bytes, kUrlAlphabet); }

std::string base64_padded(std::string_view bytes) {
  std::string out = encoded(bytes, kAlphabet);
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string out;
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = kUrlAlphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    held = (held << 6) | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>((held >> bits) & 255);
  }
  const bool has_rest = bits >= 6 || (held & ((1U << bits) - 1)) != 0;
  return has_rest ? std::nullopt : std::optional(std::move(out));
}

std::optional<std::string> percent_decoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  const auto digit = [&](char c) {
    const std::size_t at = kDigits.find(c);
    return at > 15 ? at - 6 : at;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size() || kDigits.find(text[i + 1]) == std::string_view::npos ||
        kDigits.find(text[i + 2]) == std::string_view::npos)
      return std::nullopt;
    out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
    i += 2;
  }
  return out;
}

std::string seal(std::string_view key, std::string_view payload, std::size_t hash_bytes) {
  return base64url(payload) + '.' + base64url(keyed_hash(key, payload).substr(0, hash_bytes));
}

std::optional<std::string> unseal(std::string_view key, std::string_view word,
                                  std::size_t hash_bytes) {
  const std::size_t dot = word.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  auto payload = from_base64url(word.substr(0, dot));
  const auto hash = from_base64url(word.substr(dot + 1));
  if (!payload || !hash) return std::nullopt;
  if (!is_same_hash(*hash, keyed_hash(key, *payload).substr(0, hash_bytes))) return std::nullopt;
  return payload;
}

}  // namespace gh::mcp
