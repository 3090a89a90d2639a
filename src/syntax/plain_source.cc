#include "syntax/plain_source.h"

#include <algorithm>
#include <array>

#include "syntax/c_tokens.h"

namespace gh::syntax {
namespace {

struct Reading {
  Language language;
  bool cr_ends_lines;     // also alone
  bool unicode_escapes;   // \u002a is '*', wherever it stands
  bool spliced_comments;  // a backslash at the end of a line may stand inside of a comment's mark
  bool digraphs;          // `<%` is '{'
};
// table: how texts are read
constexpr std::array kReadings = std::to_array<Reading>({
    {Language::python, true, false, false, false},
    {Language::c, true, false, true, true},
    {Language::cpp, true, false, true, true},
    {Language::java, true, true, false, false},
    {Language::javascript, true, false, false, false},
    {Language::typescript, true, false, false, false},
    {Language::tsx, true, false, false, false},
});

bool has_lone_cr(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1))
    if (at + 1 == text.size() || text[at + 1] != '\n') return true;
  return false;
}

void end_lines(std::string& text) {
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1))
    if (at + 1 == text.size() || text[at + 1] != '\n') text[at] = '\n';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// The ASCII character of `uuXXXX` at the front and its length; length 0 for any other.
std::pair<char, std::size_t> escaped(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] == 'u')
    ++at;
  if (at == 0 || text.size() - at < 4) return {};
  int value = 0;
  for (const char c : text.substr(at, 4)) {
    if (hex_digit(c) < 0) return {};
    value = value * 16 + hex_digit(c);
  }
  if (value == 0 || value > 0x7f) return {};
  return {static_cast<char>(value), at + 4};
}

std::string without_escapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      const auto [c, length] = escaped(text.substr(i + 1));
      out += length != 0 ? c : text[i];
      // Of two backslashes the second begins nothing.
      if (length == 0 && text[i + 1] == '\\') out += '\\';
      i += length != 0 ? length : text[i + 1] == '\\' ? 1 : 0;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// `*\⏎/` becomes `*/ ⏎`, and likewise what opens a comment.
void join_marks(std::string& text) {
  for (std::size_t at = text.find("\\\n"); at != std::string::npos;
       at = text.find("\\\n", at + 2)) {
    if (at == 0 || at + 2 >= text.size()) continue;
    const char before = text[at - 1], after = text[at + 2];
    const bool is_mark =
        (before == '*' && after == '/') || (before == '/' && (after == '*' || after == '/'));
    if (!is_mark) continue;
    text[at] = after;
    text[at + 1] = ' ';
    text[at + 2] = '\n';
  }
}

/// One of those that open something; the others need one.
bool may_have_digraphs(std::string_view text) {
  for (const std::string_view marks : {"<%", "<:", "%:"})
    if (text.find(marks) != std::string_view::npos) return true;
  return false;
}

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Where the string ends that begins with this quote.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool is_long = text.substr(at).starts_with(std::string(3, quote));
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '\n' && !is_long)
      return at;
    else if (text[at] == quote && (!is_long || text.substr(at).starts_with(std::string(3, quote))))
      return at + (is_long ? 3 : 1);
  }
  return text.size();
}

/// Is it a dot behind a whole expression, and not one of a number or of `...`?
bool takes_a_name(std::string_view text, std::size_t dot) {
  std::size_t from = dot;
  while (from > 0 && is_name_part(text[from - 1]))
    --from;
  return dot > 0 && text[dot - 1] != '.' && (from == dot || !is_digit(text[from]));
}

}  // namespace

std::optional<std::string> with_dots_at_names(std::string_view python) {
  std::string out(python);
  bool is_other = false;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < out.size(); ++at) {
    const char c = out[at];
    if (c == '#') at = std::min(out.find('\n', at), out.size());
    if (c == '"' || c == '\'') at = end_of_string(out, at) - 1;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && depth > 0) --depth;
    if (c != '.' || depth == 0 || !takes_a_name(out, at)) continue;
    const std::size_t next = std::min(out.find_first_not_of(" \t\r\n", at + 1), out.size());
    const bool is_line_end =
        std::string_view(out).substr(at, next - at).find('\n') != std::string_view::npos;
    if (!is_line_end || next == out.size() || !is_name_part(out[next]) || is_digit(out[next]))
      continue;
    const auto dot = out.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(dot, dot + 1, out.begin() + static_cast<std::ptrdiff_t>(next));
    is_other = true;
    at = next - 1;
  }
  if (!is_other) return std::nullopt;
  return out;
}

std::optional<std::string> plain_source(Language language, std::string_view source) {
  const auto row = std::ranges::find(kReadings, language, &Reading::language);
  if (row == kReadings.end()) return std::nullopt;
  const bool ends = row->cr_ends_lines && has_lone_cr(source);
  const bool escapes = row->unicode_escapes && source.find("\\u") != std::string_view::npos;
  const bool splices = row->spliced_comments && source.find("\\\n") != std::string_view::npos;
  const bool digraphs = row->digraphs && may_have_digraphs(source);
  if (!ends && !escapes && !splices && !digraphs) return std::nullopt;
  std::string out = escapes ? without_escapes(source) : std::string(source);
  if (row->cr_ends_lines) end_lines(out);
  if (splices) join_marks(out);
  if (digraphs) out = c_tokens::without_digraphs(out);
  return out;
}

}  // namespace gh::syntax
