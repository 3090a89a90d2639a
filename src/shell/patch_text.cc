#include "shell/patch_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/letters.h"

namespace gh::shell {
namespace {

enum class Names : unsigned char { path, environment, nothing };
struct Mark {
  std::string_view words;  // without blanks, in small letters, behind the stars
  Names names;
};
// clang-format off
// table: agent_patch_marks
constexpr std::array kMarks{
    Mark{"addfile:",       Names::path},
    Mark{"updatefile:",    Names::path},
    Mark{"deletefile:",    Names::path},
    Mark{"moveto:",        Names::path},
    Mark{"environmentid:", Names::environment},
    Mark{"beginpatch",     Names::nothing},
};

/// What some reader cuts off at the ends of a line, beside control bytes: white space of Unicode, and what
/// languages count as such or do not show.
struct Blank {
  std::string_view bytes;
  bool ends_line;  // for some reader
};
// table: agent_patch_blanks
constexpr std::array kBlanks{
    Blank{" ", false},
    Blank{"\xc2\x85", true},       // U+0085
    Blank{"\xc2\xa0", false},      // U+00A0
    Blank{"\xe1\x9a\x80", false},  // U+1680
    Blank{"\xe1\xa0\x8e", false},  // U+180E
    Blank{"\xe2\x80\xa8", true},   // U+2028
    Blank{"\xe2\x80\xa9", true},   // U+2029
    Blank{"\xe2\x80\xaf", false},  // U+202F
    Blank{"\xe2\x81\x9f", false},  // U+205F
    Blank{"\xe2\x81\xa0", false},  // U+2060
    Blank{"\xe3\x80\x80", false},  // U+3000
    Blank{"\xef\xbb\xbf", false},  // U+FEFF
};
// clang-format on
constexpr std::string_view kStars = "***", kSpaces = "\xe2\x80";
constexpr std::string_view kControlEnds = "\n\v\f\r\x1c\x1d\x1e";
constexpr unsigned char kFirstSpace = 0x80, kLastSpace = 0x8d;  // U+2000 to U+200D

struct Found {
  std::size_t size = 0;  // 0: no blank
  bool ends_line = false;
};

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_wide_space(std::string_view bytes) {
  const auto last = static_cast<unsigned char>(bytes.back());
  return bytes.size() == 3 && bytes.starts_with(kSpaces) && last >= kFirstSpace &&
         last <= kLastSpace;
}

Found blank_at(std::string_view text) {
  if (text.empty()) return {};
  if (is_control(text[0])) return {1, kControlEnds.find(text[0]) != kControlEnds.npos};
  if (is_wide_space(text.substr(0, 3))) return {3, false};
  for (const Blank& blank : kBlanks)
    if (text.starts_with(blank.bytes)) return {blank.bytes.size(), blank.ends_line};
  return {};
}

Found blank_before(std::string_view text) {
  if (text.empty()) return {};
  if (is_control(text.back())) return blank_at(text.substr(text.size() - 1));
  if (text.size() >= 3 && is_wide_space(text.substr(text.size() - 3))) return {3, false};
  for (const Blank& blank : kBlanks)
    if (text.ends_with(blank.bytes)) return {blank.bytes.size(), blank.ends_line};
  return {};
}

/// Nothing but blanks stands before it on its line, for some reader.
bool begins_line(std::string_view before) {
  while (!before.empty()) {
    const Found blank = blank_before(before);
    if (blank.size == 0) return false;
    if (blank.ends_line) return true;
    before.remove_suffix(blank.size);
  }
  return true;
}

/// What stands behind the words, whatever their case and the blanks in between.
std::optional<std::string_view> behind(std::string_view text, std::string_view words) {
  for (const char wanted : words) {
    for (Found blank = blank_at(text); blank.size > 0 && text[0] != '\n'; blank = blank_at(text))
      text.remove_prefix(blank.size);
    if (text.empty()) return std::nullopt;
    if (lower_ascii(text[0]) != wanted) return std::nullopt;
    text.remove_prefix(1);
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (blank_at(text).size > 0)
    text.remove_prefix(blank_at(text).size);
  while (blank_before(text).size > 0)
    text.remove_suffix(blank_before(text).size);
  return text;
}

/// What readers may take for the path: the rest of the line as it is, without the blanks around it,
/// and up to where others see the line end.
void add_readings(std::string_view rest, std::set<std::string>& out) {
  const auto add = [&](std::string_view path) {
    if (!path.empty() && path.size() <= kMaxPatchPath) out.emplace(path);
  };
  // One character more than a path may have shows that it is too long.
  const std::string_view cut = rest.substr(0, kMaxPatchPath + 3);
  if (std::string_view line = cut.substr(0, cut.find('\n')); !trimmed(line).empty()) {
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add(line);
  }
  // However many blanks come first.
  for (Found blank = blank_at(rest); blank.size > 0 && rest[0] != '\n'; blank = blank_at(rest))
    rest.remove_prefix(blank.size);
  rest = rest.substr(0, kMaxPatchPath + 3);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  add(trimmed(line));
  std::size_t end = 0;
  while (end < line.size() && !blank_at(line.substr(end)).ends_line)
    ++end;
  add(trimmed(line.substr(0, end)));
}

}  // namespace

PatchText read_patch_text(std::string_view text) {
  PatchText out;
  std::set<std::string> paths;
  for (std::size_t at = text.find(kStars); at != text.npos; at = text.find(kStars, at)) {
    const bool is_first = begins_line(text.substr(0, at));
    at += kStars.size();
    while (at < text.size() && text[at] == '*')
      ++at;
    if (!is_first) continue;
    for (const Mark& mark : kMarks) {
      const auto rest = behind(text.substr(at), mark.words);
      if (!rest) continue;
      out.begins = out.begins || mark.names == Names::nothing;
      out.is_elsewhere = out.is_elsewhere || mark.names == Names::environment;
      if (mark.names == Names::path) add_readings(*rest, paths);
    }
    out.is_too_long = paths.size() > kMaxPatchPaths;
    if (out.is_too_long) break;
  }
  while (paths.size() > kMaxPatchPaths)
    paths.erase(std::prev(paths.end()));
  out.paths.assign(paths.begin(), paths.end());
  return out;
}

}  // namespace gh::shell
