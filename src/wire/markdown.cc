#include "wire/markdown.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unicode.h"
#include "wire/json.h"

namespace gh::wire {
namespace {

constexpr std::string_view kAlwaysEscaped = "\\`*[]<>|~&@$";
constexpr std::string_view kEscapedAtStart = "#+-=:";

bool is_word(char c) {
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether the character at `at` would mean something to a Markdown reader.
bool has_meaning(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_word(c) || c == ' ') return false;
  const char before = at > 0 ? text[at - 1] : ' ';
  const char after = at + 1 < text.size() ? text[at + 1] : ' ';
  if (kAlwaysEscaped.find(c) != std::string_view::npos) return true;
  if (at == 0 && kEscapedAtStart.find(c) != std::string_view::npos) return true;
  switch (c) {
    case '_':  // emphasis only opens and closes at the edge of a word
      return !is_word(before) || !is_word(after);
    case '#':  // a reference to an issue
      return is_digit(after);
    case ':':  // a bare address
      return after == '/';
    case '.':  // a bare address, or the number of a list item
      return text.substr(0, at).ends_with("www") ||
             std::ranges::all_of(text.substr(0, at), is_digit);
    case ')':
      return at > 0 && std::ranges::all_of(text.substr(0, at), is_digit);
    default:
      return false;
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::size_t longest_backquotes(std::string_view text) {
  std::size_t longest = 0, now = 0;
  for (const char c : text) {
    now = c == '`' ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  return longest;
}

/// JSON text with every code point that a reader would not see as a \u escape.
std::string visible_json(std::string_view json) {
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t start = at;
    const char32_t point = next_code_point(json, at);
    const bool hidden =
        point == 0x7F || (point >= 0x80 && (point < 0xA0 || is_unsafe_in_path(point)));
    if (!hidden) {
      out += json.substr(start, at - start);
    } else if (point < 0x10000) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(point));
    } else {
      const unsigned rest = static_cast<unsigned>(point) - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
    }
  }
  return out;
}

}  // namespace

std::string md_text(std::string_view bytes, std::size_t max) {
  const std::string line = printable(bytes, max);
  const std::string_view text = trimmed(line);
  std::string out;
  std::size_t from = 0;  // what is not in `out` yet
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_word(text[at]) || !has_meaning(text, at)) continue;
    out += text.substr(from, at - from);
    out += '\\';
    from = at;
  }
  out += text.substr(from);
  return out;
}

std::string md_code(std::string_view bytes, std::size_t max) {
  const std::string text = printable(bytes, max);
  if (text.empty()) return "(empty)";
  const std::string fence(longest_backquotes(text) + 1, '`');
  // A reader strips one space on each side, when both are there.
  const bool pad =
      text.front() == '`' || text.back() == '`' || (text.front() == ' ' && text.back() == ' ');
  const std::string_view space = pad ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, space, text, space, fence);
}

std::string md_json(const Value& value) {
  const std::string json = visible_json(pretty_json(value));
  const std::string fence(std::max<std::size_t>(3, longest_backquotes(json) + 1), '`');
  return fmt::format("{}json\n{}{}\n", fence, json, fence);
}

}  // namespace gh::wire
