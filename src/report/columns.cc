#include "report/columns.h"

#include <algorithm>

#include "base/text.h"
#include "base/unicode.h"

namespace gh::report {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Bytes of the UTF-8 sequence at `at` of valid text.
std::size_t sequence_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && is_continuation(text[end]))
    ++end;
  return end - at;
}

/// Words; a stretch between backquotes counts as one, together with what touches it.
std::vector<std::string_view> unbroken_words(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '`') quoted = !quoted;
    if (i < text.size() && (text[i] != ' ' || quoted)) continue;
    if (i > begin) out.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return out;
}

}  // namespace

std::string clipped(std::string_view bytes, std::size_t max) {
  const std::string text = printable(bytes, max);
  std::size_t at = 0, last = 0, count = 0;
  for (; at < text.size(); ++count) {
    if (count == max) return text.substr(0, last) + "…";
    last = at;
    at += sequence_at(text, at);
  }
  return text;
}

int columns(std::string_view text) {
  int out = 0;
  for (std::size_t at = 0; at < text.size();)
    out += display_width(next_code_point(text, at));
  return out;
}

std::string padded(std::string_view text, int width) {
  return std::string(text) +
         std::string(static_cast<std::size_t>(std::max(0, width - columns(text))), ' ');
}

std::vector<Cell> cells_of(std::string_view line) {
  constexpr int kTab = 4;
  std::vector<Cell> out;
  int column = 0;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t length = sequence_at(line, at);
    if (!is_utf8(line.substr(at, length))) length = 1;
    const std::string_view piece = line.substr(at, length);
    Cell cell{printable(piece, 4), 1, at};
    if (piece == "\t") cell.text = std::string(static_cast<std::size_t>(kTab - column % kTab), ' ');
    cell.width = columns(cell.text);
    at += length;
    if (cell.width == 0 && !out.empty()) {
      out.back().text += cell.text;
      continue;
    }
    column += cell.width;
    out.push_back(std::move(cell));
  }
  return out;
}

std::string folded(std::string_view text, int width, int indent) {
  std::string out;
  int column = 0;
  for (std::string_view word : unbroken_words(text)) {
    const int w = is_utf8(word) ? columns(word) : static_cast<int>(word.size());
    if (column > 0 && column + 1 + w > width) {
      out += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
      column = 0;
    } else if (!out.empty()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += w;
  }
  return out;
}

}  // namespace gh::report
