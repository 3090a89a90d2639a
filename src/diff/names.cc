#include "diff/names.h"

#include <algorithm>
#include <optional>

#include "diff/patch.h"

namespace gh::diff {
namespace {

bool is_quoted(std::string_view text) { return text.starts_with('"'); }

bool has_control(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// The prefix must stand there in plain letters: an escape could hide it from a reader.
bool begins_with_prefix(std::string_view text, std::string_view prefix) {
  return text.substr(is_quoted(text) ? 1 : 0).starts_with(prefix);
}

/// One name that fills `text`; every defect of a quoted one has the same answer on the git line.
Named read_half(std::string_view text, std::string_view prefix) {
  if (!is_quoted(text)) return std::string(text.substr(prefix.size()));
  auto name = unquote(text);
  if (!name || name->used != text.size()) return tl::make_unexpected(Rule::git_line_malformed);
  return name->bytes.substr(prefix.size());
}

tl::expected<NamePair, Rule> read_split(std::string_view left, std::string_view right) {
  const Named old_path = read_half(left, "a/");
  if (!old_path) return tl::make_unexpected(old_path.error());
  const Named new_path = read_half(right, "b/");
  if (!new_path) return tl::make_unexpected(new_path.error());
  return NamePair{*old_path, *new_path};
}

bool is_broken_quote(std::string_view text) {
  if (!is_quoted(text)) return false;
  const auto name = unquote(text);
  return !name || name->used != text.size();
}

tl::expected<NamePair, Rule> read_after_quoted(std::string_view text) {
  const auto left = unquote(text);
  if (!left || !text.substr(left->used).starts_with(' '))
    return tl::make_unexpected(Rule::git_line_malformed);
  const std::string_view right = text.substr(left->used + 1);
  if (is_broken_quote(right)) return tl::make_unexpected(Rule::git_line_malformed);
  if (!begins_with_prefix(text, "a/") || !begins_with_prefix(right, "b/"))
    return tl::make_unexpected(Rule::prefix_missing);
  return read_split(text.substr(0, left->used), right);
}

/// What the spaces of a git line that begins with a raw name allow.
struct Splits {
  std::size_t count = 0;
  std::size_t first = 0;  // position of the space of the first one
  bool broken_quote = false;
};

Splits list_splits(std::string_view text) {
  Splits found;
  const bool left_has_prefix = text.starts_with("a/");
  for (std::size_t at = text.find(' '); at != text.npos; at = text.find(' ', at + 1)) {
    const std::string_view right = text.substr(at + 1);
    if (left_has_prefix && at >= 2 && begins_with_prefix(right, "b/")) {
      if (found.count++ == 0) found.first = at;
    } else if (is_broken_quote(right)) {
      found.broken_quote = true;
    }
  }
  return found;
}

}  // namespace

Named read_bare_name(std::string_view text) {
  if (is_quoted(text)) {
    auto name = unquote(text);
    if (!name) return tl::make_unexpected(name.error());
    if (name->used != text.size()) return tl::make_unexpected(Rule::name_trailing_garbage);
    return std::move(name->bytes);
  }
  if (has_control(text)) return tl::make_unexpected(Rule::name_control_char);
  return std::string(text);
}

Named read_prefixed_name(std::string_view text, std::string_view prefix) {
  std::string_view tail;
  std::string name;
  if (is_quoted(text)) {
    auto quoted = unquote(text);
    if (!quoted) return tl::make_unexpected(quoted.error());
    tail = text.substr(quoted->used);
    name = std::move(quoted->bytes);
  } else {
    const std::string_view raw = text.substr(0, text.find('\t'));
    if (has_control(raw)) return tl::make_unexpected(Rule::name_control_char);
    tail = text.substr(raw.size());
    name = raw;
  }
  if (!begins_with_prefix(text, prefix)) return tl::make_unexpected(Rule::prefix_missing);
  if (!tail.empty() && tail != "\t") return tl::make_unexpected(Rule::name_trailing_garbage);
  return name.substr(prefix.size());
}

tl::expected<NamePair, Rule> read_git_line_names(std::string_view text) {
  if (has_control(text)) return tl::make_unexpected(Rule::name_control_char);
  if (is_quoted(text)) return read_after_quoted(text);
  const Splits splits = list_splits(text);
  if (splits.count > 1) return tl::make_unexpected(Rule::git_line_ambiguous);
  if (splits.count == 0)
    return tl::make_unexpected(splits.broken_quote ? Rule::git_line_malformed
                                                   : Rule::prefix_missing);
  return read_split(text.substr(0, splits.first), text.substr(splits.first + 1));
}

bool is_ambiguous(std::string_view text) { return list_splits(text).count > 1; }

}  // namespace gh::diff
