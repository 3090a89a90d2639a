#include "policy/path_rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unicode.h"

namespace gh::policy {
namespace {

/// A name inside a message.
std::string shown(std::string_view name) { return printable(name, 60); }

constexpr std::size_t kMaxPathBytes = 1024, kMaxComponentBytes = 255, kMaxComponents = 64;

enum ByteClass : std::uint8_t {
  kControl = 1,
  kHigh = 2,
  kBackslash = 4,
  kColon = 8,
  kSlash = 16,
  kWindows = 32,  // < > " | ? *
};
constexpr auto kByteClass = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0; c < 256; ++c)
    table[c] = c < 0x20 || c == 0x7F ? kControl : c >= 0x80 ? kHigh : 0;
  table['\\'] = kBackslash;
  table[':'] = kColon;
  table['/'] = kSlash;
  for (const char c : {'<', '>', '"', '|', '?', '*'})
    table[static_cast<unsigned char>(c)] = kWindows;
  return table;
}();

/// A path with what one look at its bytes told.
struct Looked {
  std::string_view path;
  unsigned classes = 0;
  bool windows_rules = true;
  bool has(ByteClass c) const { return (classes & c) != 0; }
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

template <class Fn>
bool any_code_point(std::string_view utf8, Fn&& fn) {
  for (std::size_t at = 0; at < utf8.size();)
    if (fn(next_code_point(utf8, at))) return true;
  return false;
}

bool is_empty(const Looked& p) { return p.path.empty() || p.path == "."; }
bool is_invalid_utf8(const Looked& p) { return p.has(kHigh) && !is_utf8(p.path); }
bool has_control_char(const Looked& p) {
  return p.has(kControl) || (p.has(kHigh) && any_code_point(p.path, [](char32_t c) {
                               return c >= 0x80 && c <= 0x9F;
                             }));
}
bool has_backslash(const Looked& p) { return p.has(kBackslash); }
bool is_absolute(const Looked& p) { return p.path.front() == '/'; }
bool has_drive_letter(const Looked& p) {
  return p.has(kColon) && p.path.size() > 1 && p.path[1] == ':' && is_letter(p.path[0]);
}
bool has_colon(const Looked& p) { return p.has(kColon); }
bool has_empty_component(const Looked& p) {
  return p.has(kSlash) && any_component(p.path, [](std::string_view c) { return c.empty(); });
}
bool has_component(const Looked& p, std::string_view wanted) {
  return any_component(p.path, [&](std::string_view c) { return c == wanted; });
}
bool has_dot_dot(const Looked& p) { return has_component(p, ".."); }
bool has_dot(const Looked& p) { return has_component(p, "."); }

/// Code points that file systems leave out of comparisons.
bool is_ignorable(char32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

std::string without_ignorable(std::string_view component) {
  std::string kept;
  for (std::size_t at = 0; at < component.size();) {
    const std::size_t start = at;
    if (!is_ignorable(next_code_point(component, at))) kept += component.substr(start, at - start);
  }
  return kept;
}

bool is_short_name(std::string_view name, std::string_view stem) {
  if (name.size() < stem.size() + 2 || !name.starts_with(stem) || name[stem.size()] != '~')
    return false;
  return std::ranges::all_of(name.substr(stem.size() + 1), is_digit);
}

/// `.git` followed only by what a file system drops or reads as the folder itself.
bool is_git_with_dropped_tail(std::string_view name) {
  constexpr std::string_view kStream = "::$index_allocation";
  if (!name.starts_with(".git")) return false;
  name.remove_prefix(4);
  while (!name.empty()) {
    if (name.starts_with(kStream)) {
      name.remove_prefix(kStream.size());
    } else if (name.front() == '.' || name.front() == ' ') {
      name.remove_prefix(1);
    } else {
      return false;
    }
  }
  return true;
}

bool aliases_dotgit(std::string_view component) {
  const std::string folded = nfc_casefold(without_ignorable(component));
  if (is_git_with_dropped_tail(folded)) return true;
  std::string_view cut = std::string_view(folded).substr(0, folded.find(':'));
  while (cut.ends_with('.') || cut.ends_with(' '))
    cut.remove_suffix(1);
  return cut == ".git" || is_short_name(cut, "git") || is_short_name(cut, "gitmod") ||
         is_short_name(cut, "gi7eba");
}

/// Spares the folding of nearly all ASCII components.
bool may_alias_dotgit(std::string_view ascii) {
  if (ascii.starts_with('.')) return ascii.size() >= 4 && (ascii[1] | 0x20) == 'g';
  return (ascii.front() | 0x20) == 'g' && ascii.find('~') != std::string_view::npos;
}

bool has_dotgit(const Looked& p) {
  return any_component(p.path, [&](std::string_view c) {
    return (p.has(kHigh) || may_alias_dotgit(c)) && aliases_dotgit(c);
  });
}

bool has_unsafe_code_point(const Looked& p) {
  return p.has(kHigh) && any_code_point(p.path, is_unsafe_in_path);
}
bool is_not_nfc(const Looked& p) { return p.has(kHigh) && nfc(p.path) != p.path; }
bool has_edge_dot_or_space(const Looked& p) {
  return any_component(p.path, [](std::string_view c) {
    return c.starts_with(' ') || c.ends_with(' ') || c.ends_with('.');
  });
}

bool is_device_name(std::string_view component) {
  std::string_view stem = component.substr(0, component.find('.'));
  while (stem.ends_with(' '))
    stem.remove_suffix(1);
  if (stem.size() < 3 || stem.size() > 7) return false;
  std::string name(stem);  // no letter outside ASCII folds into one of theirs
  for (char& c : name)
    if (is_letter(c)) c = static_cast<char>(c | 0x20);
  for (const std::string_view device : {"con", "prn", "aux", "nul", "conin$", "conout$"})
    if (name == device) return true;
  if (!name.starts_with("com") && !name.starts_with("lpt")) return false;
  const std::string_view port = std::string_view(name).substr(3);
  return (port.size() == 1 && is_digit(port[0])) || port == "\u00B9" || port == "\u00B2" ||
         port == "\u00B3";
}
bool is_windows_reserved(const Looked& p) {
  return p.windows_rules && any_component(p.path, is_device_name);
}
bool has_windows_char(const Looked& p) { return p.windows_rules && p.has(kWindows); }

bool is_too_long(const Looked& p) {
  if (p.path.size() > kMaxPathBytes) return true;
  std::size_t components = 0;
  return any_component(p.path, [&](std::string_view c) {
    return c.size() > kMaxComponentBytes || ++components > kMaxComponents;
  });
}

struct PathRule {
  Rule rule;
  bool (*broken)(const Looked&);
  std::string_view what;  // completes "path '...' "
  bool normalises = false;
};
// Each row may rely on the rows before it: from the second on the path is not empty, from the
// third on it is well-formed UTF-8.
constexpr std::array kPathRules{
    PathRule{Rule::path_empty, is_empty, "is empty"},
    PathRule{Rule::path_invalid_utf8, is_invalid_utf8, "is not well-formed UTF-8"},
    PathRule{Rule::path_control_char, has_control_char, "holds a control character"},
    PathRule{Rule::path_backslash, has_backslash, "holds a backslash"},
    PathRule{Rule::path_absolute, is_absolute, "is absolute"},
    PathRule{Rule::path_drive_letter, has_drive_letter, "starts with a drive letter"},
    PathRule{Rule::path_colon, has_colon, "holds a colon"},
    PathRule{Rule::path_empty_component, has_empty_component, "has an empty component"},
    PathRule{Rule::path_traversal, has_dot_dot, "has the component '..'"},
    PathRule{Rule::path_dot_component, has_dot, "has the component '.'"},
    PathRule{Rule::path_dotgit, has_dotgit, "has a component that some file system reads as .git",
             true},
    PathRule{Rule::path_unsafe_codepoint, has_unsafe_code_point,
             "holds an invisible, private or unassigned code point", true},
    PathRule{Rule::path_not_nfc, is_not_nfc, "is not in Unicode normal form C", true},
    PathRule{Rule::path_trailing_dot_space, has_edge_dot_or_space,
             "has a component that ends in a dot or a space or starts with a space"},
    PathRule{Rule::path_windows_reserved, is_windows_reserved,
             "has a component that is a device name on Windows"},
    PathRule{Rule::path_windows_char, has_windows_char, "holds a character that Windows refuses"},
    PathRule{Rule::path_too_long, is_too_long,
             "is longer than 1,024 bytes, 255 bytes in one component or 64 components"},
};

std::int64_t signed_size(std::size_t n) { return static_cast<std::int64_t>(n); }

/// The limit that a too long path breaks and its value there.
void set_length_limit(Violation& v, std::string_view path) {
  std::size_t components = 0, longest = 0;
  any_component(path, [&](std::string_view c) {
    ++components;
    longest = std::max(longest, c.size());
    return false;
  });
  const auto [limit, actual] = path.size() > kMaxPathBytes ? std::pair{kMaxPathBytes, path.size()}
                               : longest > kMaxComponentBytes
                                   ? std::pair{kMaxComponentBytes, longest}
                                   : std::pair{kMaxComponents, components};
  v.limit = signed_size(limit);
  v.actual = signed_size(actual);
}

}  // namespace

std::optional<Violation> path_defect(std::string_view path, bool windows_rules) {
  Looked looked{path, 0, windows_rules};
  for (const char c : path)
    looked.classes |= kByteClass[static_cast<unsigned char>(c)];
  for (const PathRule& row : kPathRules) {
    // Normal forms take quadratic time on long rows of marks; such a path is too long anyway.
    if (row.normalises && path.size() > kMaxPathBytes) continue;
    if (!row.broken(looked)) continue;
    Violation v{.rule = row.rule,
                .message = fmt::format("path {} {}", shown(path), row.what),
                .file = std::string(path)};
    if (row.rule == Rule::path_too_long) set_length_limit(v, path);
    return v;
  }
  return std::nullopt;
}

}  // namespace gh::policy
