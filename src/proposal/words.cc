#include "proposal/words.h"

#include <algorithm>

namespace gh::proposal {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::int64_t characters(std::string_view utf8) {
  return std::ranges::count_if(utf8, [](char c) { return (c & '\xC0') != '\x80'; });
}

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
         byte >= 0x80;
}

bool has_word(std::string_view text, std::string_view phrase) {
  if (phrase.empty()) return false;
  for (std::size_t at = text.find(phrase); at != text.npos; at = text.find(phrase, at + 1)) {
    const std::size_t end = at + phrase.size();
    const bool open = at == 0 || !is_word_byte(phrase.front()) || !is_word_byte(text[at - 1]);
    const bool closed =
        end == text.size() || !is_word_byte(phrase.back()) || !is_word_byte(text[end]);
    if (open && closed) return true;
  }
  return false;
}

bool has_any_word(std::string_view text, const std::vector<std::string>& phrases) {
  return std::ranges::any_of(phrases, [&](const std::string& p) { return has_word(text, p); });
}

}  // namespace gh::proposal
