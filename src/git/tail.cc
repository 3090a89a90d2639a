#include "git/tail.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace gh::git {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

bool continues_a_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
         c == '_';
}

std::string without_root(std::string_view text, std::string_view root) {
  std::string out;
  if (root.size() < 2) return std::string(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t hit = text.find(root, at);
    if (hit == std::string_view::npos) return out += text.substr(at);
    const std::size_t end = hit + root.size();
    const bool whole = end == text.size() || !continues_a_name(text[end]);
    out += text.substr(at, hit - at);
    out += whole ? "<repo>" : root;
    at = end;
  }
  return out;
}

/// Length of the UTF-8 character at the front, 0 when there is none.
std::size_t character_length(std::string_view text) {
  for (std::size_t length = 1; length <= std::min<std::size_t>(4, text.size()); ++length)
    if (is_utf8(text.substr(0, length))) return length;
  return 0;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    out += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string last_bytes(std::string text) {
  if (text.size() <= kTailBytes) return text;
  std::size_t cut = text.size() - kTailBytes;
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80)
    ++cut;
  return text.substr(cut);
}

}  // namespace

std::string output_tail(std::string_view bytes, std::string_view repo_root) {
  const std::string text = without_root(bytes, repo_root);
  std::vector<std::string_view> lines = split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  std::vector<std::string> kept;
  const std::size_t first = lines.size() - std::min(lines.size(), kTailLines);
  for (std::size_t at = first; at < lines.size(); ++at) {
    const std::size_t from = lines[at].size() - std::min(lines[at].size(), kTailBytes);
    kept.push_back(printable(valid_utf8(lines[at].substr(from)), kTailBytes));
  }
  return last_bytes(join(kept, "\n"));
}

}  // namespace gh::git
