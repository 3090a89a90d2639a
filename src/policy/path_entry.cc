#include "policy/path_entry.h"

#include <algorithm>

#include "base/text.h"
#include "base/unicode.h"

namespace gh::policy {
namespace {

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

bool is_path_like(EntryKind kind) {
  return kind == EntryKind::root || kind == EntryKind::prefix || kind == EntryKind::pattern ||
         kind == EntryKind::path;
}

std::string_view character_defect(std::string_view entry) {
  if (!is_utf8(entry)) return "is not UTF-8";
  for (std::size_t at = 0; at < entry.size();) {
    const char32_t c = next_code_point(entry, at);
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F)) return "has a control character";
    if (c == '\\') return "has a backslash";
    if (is_unsafe_in_path(c)) return "has an invisible or unassigned character";
  }
  return nfc(entry) == entry ? "" : "is not in Unicode normal form NFC";
}

std::string_view component_defect(std::string_view component, EntryKind kind) {
  if (component.empty()) return "has an empty component";
  if (component == ".." || component == ".") return "has a '.' or '..' component";
  const bool odd_end = component.ends_with('.') || component.ends_with(' ');
  if (kind != EntryKind::pattern && (odd_end || component.starts_with(' ')))
    return "has a component with a leading space, or a trailing space or dot";
  return "";
}

std::string_view path_defect(std::string_view entry, EntryKind kind) {
  if (entry.starts_with('/')) return "is an absolute path";
  if (entry.size() > 1 && entry[1] == ':' && is_letter(entry[0])) return "has a drive letter";
  if (contains(entry, ":")) return "has a colon";
  if (kind == EntryKind::pattern && entry.ends_with('/')) entry.remove_suffix(1);
  for (const std::string_view component : split(entry, '/'))
    if (const auto why = component_defect(component, kind); !why.empty()) return why;
  return "";
}

}  // namespace

std::string normal_entry(EntryKind kind, std::string_view entry) {
  const bool drops = kind == EntryKind::root || kind == EntryKind::prefix;
  if (drops && entry.size() > 1 && entry.ends_with('/')) entry.remove_suffix(1);
  return std::string(entry);
}

std::string_view entry_defect(EntryKind kind, std::string_view entry) {
  if (entry.empty()) return "is empty";
  if (const auto why = character_defect(entry); !why.empty()) return why;
  if (kind == EntryKind::root && entry == ".") return "";
  if (kind != EntryKind::pattern && entry.find_first_of("*?<>|\"") != std::string_view::npos)
    return "has one of * ? < > | \", which no accepted path has; this list takes no patterns";
  if (is_path_like(kind)) return path_defect(entry, kind);
  if (kind == EntryKind::component && contains(entry, "/")) return "has a '/'";
  return kind == EntryKind::component ? component_defect(entry, kind) : "";
}

}  // namespace gh::policy
