#include "analysis/jsdoc.h"

#include <algorithm>
#include <array>

namespace gh::analysis {
namespace {

// table: tags of a result
constexpr std::array<std::string_view, 2> kResults{"@returns", "@return"};
constexpr std::string_view kParam = "@param", kBlank = " \t\r\n*";

bool is_word(char c) {
  return c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

std::string_view after_blank(std::string_view text) {
  const std::size_t at = text.find_first_not_of(kBlank);
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

bool is_tag(std::string_view text, std::string_view tag) {
  return text.starts_with(tag) && (text.size() == tag.size() || !is_word(text[tag.size()]));
}

bool is_known_tag(std::string_view text) {
  return is_tag(text, kParam) ||
         std::ranges::any_of(kResults, [&](std::string_view tag) { return is_tag(text, tag); });
}

/// `{T}` at the beginning of the text, without its braces; the text goes on behind it. A type ends
/// before the next tag, or each brace that is left open would be followed to the end.
std::string_view take_type(std::string_view& text) {
  text = after_blank(text);
  if (!text.starts_with('{')) return {};
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '@' && is_known_tag(text.substr(i))) break;
    depth += text[i] == '{' ? 1 : 0;
    depth -= text[i] == '}' ? 1 : 0;
    if (depth != 0) continue;
    const std::string_view type = text.substr(1, i - 1);
    text.remove_prefix(i + 1);
    return type;
  }
  return {};
}

/// `name`, `[name]` or `[name=1]`; of `options.name` the whole.
std::string_view take_name(std::string_view text) {
  text = after_blank(text);
  if (text.starts_with('[')) text.remove_prefix(1);
  const auto end = std::ranges::find_if(
      text, [](char c) { return !is_word(c) && c != '.' && static_cast<signed char>(c) >= 0; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

}  // namespace

ToldTypes told_types(std::string_view comment) {
  ToldTypes out;
  for (std::size_t at = comment.find('@'); at != std::string_view::npos;
       at = comment.find('@', at + 1)) {
    const std::string_view tag = comment.substr(at);
    for (const std::string_view word : kResults)
      if (is_tag(tag, word)) {
        std::string_view rest = tag.substr(word.size());
        out.returns = take_type(rest);
      }
    if (!is_tag(tag, kParam)) continue;
    std::string_view rest = tag.substr(kParam.size());
    const std::string_view type = take_type(rest), name = take_name(rest);
    if (name.find('.') == std::string_view::npos) out.params.push_back({name, type});
  }
  return out;
}

std::string_view jsdoc_above(const syntax::Tree& tree, std::uint32_t declaration) {
  const std::uint32_t start = tree[declaration].start;
  const auto after = std::ranges::lower_bound(tree.comments, start, {}, &syntax::Comment::start);
  if (after == tree.comments.begin()) return {};
  const syntax::Comment& above = *std::prev(after);
  const std::string_view text = tree.source.substr(above.start, above.end - above.start);
  const std::string_view between = tree.source.substr(above.end, start - above.end);
  std::size_t lines = 0, depth = 0;
  for (const char c : between) {
    depth += c == '(' ? 1 : 0;
    depth -= c == ')' && depth > 0 ? 1 : 0;
    if (depth == 0 && (c == ';' || c == '{' || c == '}')) return {};
    if (c == '\n' && ++lines > 1) return {};
    if (c != '\n' && c != ' ' && c != '\t' && c != '\r') lines = 0;
  }
  return text.starts_with("/**") ? text : std::string_view();
}

bool tells_anything(std::string_view type) {
  if (after_blank(type).empty() && type.find('*') != std::string_view::npos) return true;
  for (std::size_t at = 0; at < type.size();) {
    std::size_t end = at;
    while (end < type.size() && is_word(type[end]))
      ++end;
    const std::string_view word = type.substr(at, end - at);
    if (word == "any" || word == "unknown") return true;
    at = std::max(end, at + 1);
  }
  return false;
}

}  // namespace gh::analysis
