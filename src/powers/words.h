#pragma once
// Words in texts of tables. Private to powers.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"

namespace gh::powers {

/// Of ASCII alone.
inline std::string small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Is it one of those between the blanks?
inline bool is_among(std::string_view words, std::string_view word) {
  const auto all = split(words, ' ');
  return !word.empty() && std::ranges::find(all, word) != all.end();
}

inline bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

inline std::string_view without_margin(std::string_view text) {
  while (!text.empty() && is_white(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_white(text.back()))
    text.remove_suffix(1);
  return text;
}

inline std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace gh::powers
