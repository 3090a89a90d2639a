#include <array>
#include <cstdint>

#include "diff/names.h"
#include "diff/patch.h"

namespace gh::diff {
namespace {

struct Escape {
  char letter, byte;
};
constexpr std::array kEscapes{
    Escape{'a', '\a'}, Escape{'b', '\b'}, Escape{'f', '\f'},  Escape{'n', '\n'}, Escape{'r', '\r'},
    Escape{'t', '\t'}, Escape{'v', '\v'}, Escape{'\\', '\\'}, Escape{'"', '"'},
};

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_plain(char c) {
  return !is_control(c) && c != '"' && c != '\\' && static_cast<unsigned char>(c) < 0x80;
}
bool is_octal(char c, char highest) { return c >= '0' && c <= highest; }

void append_escaped(std::string& out, char byte) {
  out += '\\';
  for (const Escape& e : kEscapes) {
    if (e.byte == byte) {
      out += e.letter;
      return;
    }
  }
  const auto value = static_cast<unsigned char>(byte);
  for (const int shift : {6, 3, 0})
    out += static_cast<char>('0' + ((value >> shift) & 7));
}

/// Decodes the escape whose backslash precedes `text`; the number of bytes used, 0 when invalid.
std::size_t append_unescaped(std::string& out, std::string_view text) {
  if (text.empty()) return 0;
  for (const Escape& e : kEscapes) {
    if (e.letter == text[0]) {
      out += e.byte;
      return 1;
    }
  }
  if (text.size() < 3 || !is_octal(text[0], '3') || !is_octal(text[1], '7') ||
      !is_octal(text[2], '7'))
    return 0;
  out += static_cast<char>((text[0] - '0') << 6 | (text[1] - '0') << 3 | (text[2] - '0'));
  return 3;
}

}  // namespace

tl::expected<Unquoted, Rule> unquote(std::string_view text) {
  Unquoted result;
  std::size_t at = 1;
  while (at < text.size()) {
    const char c = text[at++];
    if (c == '"') {
      result.used = at;
      return result;
    }
    if (is_control(c)) return tl::make_unexpected(Rule::name_control_char);
    if (c != '\\') {
      result.bytes += c;
      continue;
    }
    const std::size_t used = append_unescaped(result.bytes, text.substr(at));
    if (used == 0)
      return tl::make_unexpected(at == text.size() ? Rule::quote_unterminated
                                                   : Rule::quote_invalid_escape);
    at += used;
  }
  return tl::make_unexpected(Rule::quote_unterminated);
}

std::string in_quotes(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (is_plain(c)) {
      out += c;
    } else {
      append_escaped(out, c);
    }
  }
  return out += '"';
}

std::string quote(std::string_view name) {
  for (const char c : name) {
    if (!is_plain(c)) return in_quotes(name);
  }
  return std::string(name);
}

}  // namespace gh::diff
