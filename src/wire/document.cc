#include "wire/document.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/in_parts.h"
#include "base/text.h"
#include "wire/json.h"

namespace gh::wire {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

bool ends_with_json(std::string_view name) {
  constexpr std::string_view kSuffix = ".json";
  if (name.size() < kSuffix.size()) return false;
  return std::ranges::equal(name.substr(name.size() - kSuffix.size()), kSuffix,
                            [](char a, char b) { return (a | 0x20) == (b | 0x20); });
}

/// JSON has no way to write infinity, so nothing that we print may hold it.
bool is_finite(const Value& root) {
  std::vector<const Value*> open{&root};
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    if (const Number* n = std::get_if<Number>(&value->data()); n && !std::isfinite(n->value))
      return false;
    if (const List* list = value->as_list())
      for (const Value& item : *list)
        open.push_back(&item);
    if (const Map* map = value->as_map())
      for (const auto& entry : map->entries())
        open.push_back(&entry.second);
  }
  return true;
}

Result<Document> read_json_document(std::string_view text, std::string_view name,
                                    DocumentLimits limits) {
  constexpr std::size_t kLarge = 256 * 1024;  // below it a thread costs more than it saves
  Result<Value> root = fail(Code::json_invalid, "");
  MarkTree marks;
  std::vector<std::string> repeats;
  // The marks of a text that turns out not to be JSON are thrown away.
  in_parts(2, text.size() < kLarge ? 2 : 1, [&](std::size_t from, std::size_t to) {
    if (from == 0) marks = json_marks(text, limits.marked_depth);
    if (to == 2)
      root = read_json_telling(text, name, {limits.max_bytes, limits.max_depth}, repeats);
  });
  if (!root) return tl::make_unexpected(std::move(root.error()));
  Document out{std::move(*root), std::move(marks)};
  out.index_keys();
  out.repeats = std::move(repeats);
  return out;
}

Result<Document> read_finite_yaml(std::string_view text, std::string_view name, YamlLimits limits) {
  GH_TRY(document, read_yaml(text, name, YamlDialect::compatible, limits));
  if (!is_finite(document.root))
    return fail(Code::yaml_invalid, fmt::format("{}:1:1: a number is not finite", name));
  return std::move(document);
}

void move_down(MarkTree& tree, std::int64_t lines) {
  tree.mark.line += lines;
  tree.mark.end_line += lines;
  for (MarkTree& child : tree.children)
    move_down(child, lines);
}

}  // namespace

DocumentFormat format_of(std::string_view name, std::string_view text) {
  if (ends_with_json(name)) return DocumentFormat::json;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool opens = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  return opens ? DocumentFormat::json : DocumentFormat::yaml;
}

Result<Document> read_document(std::string_view text, std::string_view name,
                               DocumentLimits limits) {
  if (text.starts_with(kBom)) text.remove_prefix(kBom.size());
  if (format_of(name, text) == DocumentFormat::json) return read_json_document(text, name, limits);
  GH_TRY(document, read_finite_yaml(text, name,
                                    {limits.max_bytes, limits.max_depth, limits.max_nodes,
                                     limits.marked_depth}));
  document.index_keys();
  return std::move(document);
}

Result<Value> read_json_line(std::string_view text, std::string_view name, std::int64_t line) {
  const DocumentLimits limits;
  const JsonLimits own{limits.max_bytes, limits.max_depth};
  if (line == 1 && text.starts_with(kBom)) text.remove_prefix(kBom.size());
  auto read = read_json(text, name, own, DuplicateKeys::last_wins);
  if (read || line <= 1) return read;
  // What is wrong stays wrong; with as many lines before it, it is told where it stands.
  const std::string before(static_cast<std::size_t>(line - 1), '\n');
  return read_json(before + std::string(text), name, {own.max_bytes + before.size(), own.max_depth},
                   DuplicateKeys::last_wins);
}

Result<Document> read_member(const JsonMember& member, std::string_view name,
                             DocumentLimits limits) {
  constexpr std::size_t kAround = 2;  // the document and the mapping that it is a member of
  std::vector<std::string> repeats;
  GH_TRY(root, read_json_telling(member.text, name, {limits.max_bytes, limits.max_depth - kAround},
                                 repeats));
  const std::size_t depth = limits.marked_depth - std::min(limits.marked_depth, kAround);
  Document out{std::move(root), json_marks(member.text, depth, member.start)};
  out.marks.mark = member.mark;
  out.repeats = std::move(repeats);
  return out;
}

Result<Document> read_member(const YamlMember& member, std::string_view name,
                             DocumentLimits limits) {
  const auto inside = [](std::size_t depth) { return depth - std::min<std::size_t>(depth, 1); };
  GH_TRY(document, read_finite_yaml(member.text, name,
                                    {.max_bytes = limits.max_bytes,
                                     .max_depth = inside(limits.max_depth),
                                     .max_nodes = limits.max_nodes,
                                     .marked_depth = inside(limits.marked_depth),
                                     .allows_anchors = false}));
  move_down(document.marks, member.lines_before);
  return std::move(document);
}

std::string pointer_part(std::string_view key) {
  std::string out = "/";
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

}  // namespace gh::wire
