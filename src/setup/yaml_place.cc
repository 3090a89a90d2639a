#include "setup/yaml_place.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::setup {
namespace {

/// How our block stands in the text: how deep, and whether it brought the key along.
struct Standing {
  std::string indent{};
  bool has_key = false;
};
Standing standing_of(std::string_view text, const Marks& marks, std::string_view key) {
  const std::vector<std::string_view> lines = split(text, '\n');
  const auto begin = std::ranges::find_if(
      lines, [&](std::string_view line) { return contains(line, marks.begin); });
  if (begin == lines.end() || begin + 1 == lines.end()) return {};
  const std::string_view next = *(begin + 1);
  return {indent_of(*begin), next.starts_with(key) && next.substr(key.size()).starts_with(':')};
}

Lines below(std::string_view key, const Lines& lines) {
  Lines out{fmt::format("{}:", key)};
  for (const std::string& line : lines)
    out.push_back("  " + line);
  return out;
}

/// The first child of a value that stands in a block of its own; empty: it has none.
std::string first_child(std::string_view key, const Value& value) {
  const Map* map = value.as_map();
  if (map != nullptr && !map->entries().empty())
    return fmt::format("/{}/{}", key, map->entries().front().first);
  const List* list = value.as_list();
  return list != nullptr && !list->empty() ? fmt::format("/{}/0", key) : std::string();
}

}  // namespace

Result<wire::YamlDocument> read_others_yaml(std::string_view text, std::string_view name) {
  auto out = wire::read_yaml(text, name, wire::YamlDialect::compatible);
  if (!out) return fail(Code::input_unreadable, out.error().message);
  return out;
}

std::string_view line_of(std::string_view text, std::int64_t number) {
  const std::vector<std::string_view> lines = split(text, '\n');
  return number >= 1 && static_cast<std::size_t>(number) <= lines.size()
             ? lines[static_cast<std::size_t>(number) - 1]
             : std::string_view();
}

std::string indent_of(std::string_view line) {
  return std::string(line.substr(0, std::min(line.find_first_not_of(' '), line.size())));
}

bool opens_block(std::string_view line) {
  const std::size_t remark = line.find(" #");
  line = line.substr(0, remark);
  while (line.ends_with(' ') || line.ends_with('\r'))
    line.remove_suffix(1);
  return line.ends_with(':');
}

tl::unexpected<Error> by_hand(std::string_view file, const Lines& lines) {
  return fail(Code::conflict, fmt::format("{} has no place for our entry that can be told; add by "
                                          "hand:\n{}",
                                          file, join(lines, "\n")));
}

Result<std::string> with_first_child(std::string_view text, std::string_view file,
                                     std::string_view key, std::string_view child,
                                     const Lines& lines, const Marks& marks) {
  if (has_block(text, marks)) {
    const Standing now = standing_of(text, marks, key);
    return with_block_at(text, now.has_key ? below(key, lines) : lines, marks, 0, now.indent);
  }
  GH_TRY(document, read_others_yaml(text, file));
  const Map* root = document.root.as_map();
  if (root == nullptr && !document.root.is_null()) return by_hand(file, below(key, lines));
  const Value* found = root == nullptr ? nullptr : root->find(key);
  std::string out;
  if (found == nullptr) {
    out = with_block(text, below(key, lines), marks);
  } else {
    const std::string first = first_child(key, *found);
    const wire::Mark at = document.mark_of(fmt::format("/{}", key));
    const bool is_taken = found->as_map() != nullptr && found->as_map()->find(child) != nullptr;
    if (first.empty() || is_taken || !opens_block(line_of(text, at.line)))
      return by_hand(file, below(key, lines));
    out = with_block_at(text, lines, marks, static_cast<std::size_t>(at.line),
                        indent_of(line_of(text, document.mark_of(first).line)));
  }
  GH_TRY(readable, read_others_yaml(out, file));
  (void)readable;
  return out;
}

}  // namespace gh::setup
