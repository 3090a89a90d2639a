#pragma once
// Byte and text helpers. No locale anywhere; only LF ends a line.
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gh {

bool is_utf8(std::string_view);

/// Text for JSON and people from bytes that may not be UTF-8: each offending byte becomes \xNN.
std::string utf8_or_escaped(std::string_view bytes);

/// One printable line: control characters, invalid bytes, bidi and other invisible code points
/// become \n, \t, \x1b or \u{202e}; cut to `max` code points with "…". A diff can never drive a
/// terminal.
std::string printable(std::string_view bytes, std::size_t max = 160);

std::vector<std::string_view> split(std::string_view text, char separator);
template <std::same_as<std::string> S>
std::vector<std::string_view> split(S&& dying, char separator) = delete;  // views of nothing
std::string join(const std::vector<std::string>& parts, std::string_view separator);
/// An absolute path without "." and ".."; what is on disk is not asked.
std::string normal_path(std::string_view path);
bool contains(std::string_view text, std::string_view part);

/// Closest of `known` to `word` within Damerau-Levenshtein 2, or with `word` as its prefix.
std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace gh
