#include "proposal/yaml_print.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unicode.h"
#include "wire/json.h"

namespace gh::proposal {
namespace {

constexpr std::size_t kStep = 2;

/// What YAML takes as it stands; line separators and the byte order mark it would fold or refuse.
bool is_plain_code_point(char32_t c) {
  if (c < 0x80) return c >= 0x20 && c <= 0x7E;
  return c >= 0xA0 && c != 0x2028 && c != 0x2029 && c != 0xFEFF && c != 0xFFFE && c != 0xFFFF;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (is_plain_code_point(c)) {
      out += text.substr(begin, at - begin);
    } else {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));  // all others are in the BMP
    }
  }
  return out + '"';
}

bool is_plain_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  const auto is_safe = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || contains("_./-", std::string_view(&c, 1));
  };
  static constexpr std::array<std::string_view, 9> kWords{"null", "Null",  "NULL",  "true", "True",
                                                          "TRUE", "false", "False", "FALSE"};
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, is_safe) &&
         std::ranges::find(kWords, text) == kWords.end();
}

std::string scalar(const Value& value) {
  const std::string* text = value.as_string();
  if (text == nullptr) return wire::canonical_json(value);
  return is_plain_word(*text) ? *text : quoted(*text);
}

/// Text of several lines that a literal block shows as it is.
bool fits_block(std::string_view text) {
  if (!contains(text, "\n") || text.ends_with("\n\n") || text.starts_with('\n')) return false;
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with(' ') || line.starts_with('\t')) return false;
  for (std::size_t at = 0; at < text.size();)
    if (const char32_t c = next_code_point(text, at); c != '\n' && !is_plain_code_point(c))
      return false;
  return true;
}

std::string block(std::string_view text, std::size_t indent) {
  const bool ends = text.ends_with('\n');
  if (ends) text.remove_suffix(1);
  std::string out = ends ? " |\n" : " |-\n";
  for (const std::string_view line : split(text, '\n'))
    out += line.empty() ? "\n" : fmt::format("{:{}}{}\n", "", indent, line);
  return out;
}

void append_map(std::string& out, const Map& map, std::size_t indent);
void append_list(std::string& out, const List& list, std::size_t indent);

/// What follows "key:" or "-", with its line end. Nesting is bounded by the reader's own limit.
void append_value(std::string& out, const Value& value, std::size_t indent) {
  const Map* map = value.as_map();
  const List* list = value.as_list();
  if (map != nullptr && !map->empty()) {
    out += '\n';
    append_map(out, *map, indent);
  } else if (list != nullptr && !list->empty()) {
    out += '\n';
    append_list(out, *list, indent);
  } else if (const std::string* text = value.as_string(); text != nullptr && fits_block(*text)) {
    out += block(*text, indent);
  } else {
    out += ' ' + (map != nullptr ? "{}" : list != nullptr ? "[]" : scalar(value)) + '\n';
  }
}

void append_map(std::string& out, const Map& map, std::size_t indent) {
  for (const auto& [key, value] : map.entries()) {
    out += fmt::format("{:{}}{}:", "", indent, scalar(key));
    append_value(out, value, indent + kStep);
  }
}

void append_list(std::string& out, const List& list, std::size_t indent) {
  for (const Value& item : list) {
    out += fmt::format("{:{}}-", "", indent);
    append_value(out, item, indent + kStep);
  }
}

}  // namespace

std::string print_yaml(const Map& map) {
  std::string out;
  append_map(out, map, 0);
  return out;
}

}  // namespace gh::proposal
