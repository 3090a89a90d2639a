#include "setup/yaml_pointer.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "wire/spaced_json.h"
#include "wire/yaml.h"

namespace gh::setup {
namespace {

using Parts = std::vector<std::string>;
constexpr std::size_t kMaxParts = 64;
constexpr auto kNone = std::string_view::npos;

std::optional<std::size_t> index_of(std::string_view part) {
  std::size_t out = 0;
  const auto [end, wrong] = std::from_chars(part.data(), part.data() + part.size(), out);
  const bool is_whole = wrong == std::errc{} && end == part.data() + part.size();
  const bool is_padded = part.size() > 1 && part.front() == '0';
  return is_whole && !is_padded ? std::optional(out) : std::nullopt;
}

tl::unexpected<Error> no_place(std::string_view pointer) {
  return fail(Code::bad_argument, fmt::format("there is no place {}", printable(pointer, 200)));
}

Value* child_of(Value& at, std::string_view part) {
  if (Map* map = at.as_map()) return map->find(part);
  List* list = at.as_list();
  const auto index = list != nullptr ? index_of(part) : std::nullopt;
  return index && *index < list->size() ? &(*list)[*index] : nullptr;
}

/// A value on one line, as YAML reads it back.
std::string flow_text(const Value& value) {
  const std::string* text = value.as_string();
  if (text == nullptr) return wire::spaced_json(value);
  const bool is_plain = !text->empty() &&
                        std::ranges::all_of(*text,
                                            [](char c) {
                                              return (c >= 'a' && c <= 'z') ||
                                                     (c >= 'A' && c <= 'Z') || c == '_' ||
                                                     c == '-' || c == '.' || c == '/' ||
                                                     (c >= '0' && c <= '9') || c == ':';
                                            }) &&
                        ((text->front() >= 'a' && text->front() <= 'z') ||
                         (text->front() >= 'A' && text->front() <= 'Z')) &&
                        !text->ends_with(':');
  if (!is_plain) return wire::spaced_json(value);
  // A word that YAML would take for something else than a text is quoted.
  const auto read = wire::read_yaml(*text, "value", wire::YamlDialect::compatible);
  return read && read->root == value ? *text : wire::spaced_json(value);
}

/// Bytes and lines of a text, and what stands at its places.
class YamlText {
 public:
  YamlText(std::string_view text, const wire::YamlDocument& document)
      : text_(text), document_(document) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') starts_.push_back(i + 1);
  }

  std::size_t line_begin(std::int64_t line) const {  // from 1; behind the last: the end
    const auto at = static_cast<std::size_t>(line - 1);
    return at < starts_.size() ? starts_[at] : text_.size();
  }
  /// Where a mark points; columns count characters.
  std::size_t offset(const wire::Mark& mark) const {
    std::size_t at = line_begin(mark.line);
    for (std::int64_t column = 1; column < mark.column && at < text_.size(); ++column) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U)
        ++at;
    }
    return at;
  }
  std::string_view before(std::size_t at) const {  // on its line
    const std::size_t begin = text_.rfind('\n', at == 0 ? kNone : at - 1);
    const std::size_t from = at == 0 || begin == kNone ? 0 : begin + 1;
    return text_.substr(from, at - from);
  }

  /// The mark tree of a place; nullptr when there is none, or it stands behind an alias.
  const wire::MarkTree* marks_of(const Parts& parts) const {
    const wire::MarkTree* tree = &document_.marks;
    const Value* value = &document_.root;
    for (const std::string& part : parts) {
      std::size_t index = 0;
      if (const Map* map = value->as_map()) {
        const auto& entries = map->entries();
        const auto found = std::ranges::find(entries, part, [](const auto& e) { return e.first; });
        if (found == entries.end()) return nullptr;
        index = static_cast<std::size_t>(found - entries.begin());
        value = &found->second;
      } else {
        const auto at = value->as_list() != nullptr ? index_of(part) : std::nullopt;
        if (!at || *at >= value->as_list()->size()) return nullptr;
        index = *at;
        value = &(*value->as_list())[index];
      }
      if (index >= tree->children.size()) return nullptr;
      tree = &tree->children[index];
    }
    return tree;
  }

  /// Behind blanks, comments and line ends.
  std::size_t skip_blank(std::size_t at) const {
    while (at < text_.size()) {
      if (text_[at] == '#')
        at = std::min(text_.find('\n', at), text_.size());
      else if (std::string_view(" \t\r\n").find(text_[at]) != kNone)
        ++at;
      else
        break;
    }
    return at;
  }

  /// Behind a scalar or collection in flow form: at the ',', ':' (of a key), ']' or '}' after it.
  std::size_t flow_end(std::size_t at, bool stops_at_colon) const {
    int depth = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '"' || c == '\'') {
        at = quoted_end(at);
        continue;
      }
      if (c == '#' && at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\n')) {
        at = std::min(text_.find('\n', at), text_.size());
        continue;
      }
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') {
        if (depth == 0) return at;
        --depth;
      }
      if (depth == 0 && c == ',') return at;
      const bool is_colon = c == ':' && (at + 1 >= text_.size() ||
                                         std::string_view(" \n\r,]}").find(text_[at + 1]) != kNone);
      if (depth == 0 && stops_at_colon && is_colon) return at;
      ++at;
    }
    return at;
  }

  std::string_view text() const { return text_; }

  std::size_t quoted_end(std::size_t at) const {
    const char quote = text_[at++];
    for (; at < text_.size(); ++at) {
      if (quote == '"' && text_[at] == '\\') {
        ++at;
      } else if (text_[at] == quote) {
        if (quote == '\'' && at + 1 < text_.size() && text_[at + 1] == quote)
          ++at;
        else
          return at + 1;
      }
    }
    return at;
  }

 private:
  std::string_view text_;
  const wire::YamlDocument& document_;
  std::vector<std::size_t> starts_;
};

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t") == kNone; }

/// "  - " before an item of a block.
bool is_dash(std::string_view before) {
  const std::size_t last = before.find_last_not_of(" \t");
  return last != kNone && before[last] == '-' && is_blank(before.substr(0, last));
}

class Editor {
 public:
  Editor(std::string_view text, const wire::YamlDocument& document, Parts parts)
      : yaml_(text, document), document_(document), parts_(std::move(parts)) {}

  /// Nothing: the form does not allow it by lines.
  std::optional<std::string> removed() const {
    const wire::MarkTree* tree = yaml_.marks_of(parts_);
    if (tree == nullptr || parts_.empty()) return std::nullopt;
    const std::size_t at = yaml_.offset(tree->mark);
    const std::string_view before = yaml_.before(at);
    const bool is_item = parent_value()->as_list() != nullptr;
    const bool is_block = is_item ? is_dash(before) : is_blank(before);
    return is_block ? without_lines(*tree) : without_flow(at);
  }

  std::optional<std::string> appended(const Value& value) const {
    const Value* list = value_of(parts_);
    if (list == nullptr || list->is_null()) return created(Value(List{value}));
    if (list->as_list() == nullptr) return std::nullopt;
    const std::size_t count = list->as_list()->size();
    if (count == 0) return into_empty(flow_text(value));
    Parts last = parts_;
    last.push_back(std::to_string(count - 1));
    const wire::MarkTree* tree = yaml_.marks_of(last);
    if (tree == nullptr) return std::nullopt;
    const std::size_t at = yaml_.offset(tree->mark);
    const std::string_view before = yaml_.before(at);
    if (is_dash(before))
      return with_line(tree->mark.end_line,
                       fmt::format("{}- {}", before.substr(0, before.find('-')), flow_text(value)));
    const std::size_t end = trimmed_end(at, yaml_.flow_end(at, false));
    return spliced(end, end, fmt::format(", {}", flow_text(value)));
  }

  std::optional<std::string> set(const Value& value) const {
    const Value* held = value_of(parts_);
    if (held == nullptr) return created(value);
    const wire::MarkTree* tree = yaml_.marks_of(parts_);
    const bool is_one_line = tree != nullptr && tree->mark.line == tree->mark.end_line;
    if (!is_one_line || held->as_list() != nullptr || held->as_map() != nullptr)
      return std::nullopt;
    std::size_t at = yaml_.offset(tree->mark);
    const bool is_flow = parent_value()->as_list() != nullptr ? !is_dash(yaml_.before(at))
                                                              : !is_blank(yaml_.before(at));
    if (parent_value()->as_map() != nullptr) {
      at = yaml_.flow_end(at, true);
      if (at >= yaml_.text().size() || yaml_.text()[at] != ':') return std::nullopt;
      at = yaml_.skip_blank(at + 1);
    }
    return spliced(at, trimmed_end(at, is_flow ? yaml_.flow_end(at, false) : scalar_end(at)),
                   flow_text(value));
  }

 private:
  const Value* value_of(const Parts& parts) const {
    const Value* at = &document_.root;
    for (const std::string& part : parts) {
      at = child_of(*const_cast<Value*>(at), part);
      if (at == nullptr) return nullptr;
    }
    return at;
  }
  const Value* parent_value() const { return value_of(Parts(parts_.begin(), parts_.end() - 1)); }

  std::string spliced(std::size_t begin, std::size_t end, std::string_view instead) const {
    return fmt::format("{}{}{}", yaml_.text().substr(0, begin), instead, yaml_.text().substr(end));
  }
  std::string with_line(std::int64_t behind, std::string_view line) const {
    const std::size_t at = yaml_.line_begin(behind + 1);
    const bool needs_end = at > 0 && yaml_.text()[at - 1] != '\n';
    return spliced(at, at, fmt::format("{}{}\n", needs_end ? "\n" : "", line));
  }
  std::size_t trimmed_end(std::size_t begin, std::size_t end) const {
    while (end > begin && std::string_view(" \t\r\n").find(yaml_.text()[end - 1]) != kNone)
      --end;
    return end;
  }
  /// Of a scalar in a block, on its line, before a remark.
  std::size_t scalar_end(std::size_t at) const {
    const std::string_view text = yaml_.text();
    const std::size_t line = std::min(text.find('\n', at), text.size());
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) return yaml_.quoted_end(at);
    const std::size_t remark = text.substr(0, line).find(" #", at);
    return remark == kNone ? line : remark;
  }

  bool is_only_child() const {
    const Value* parent = parent_value();
    return parent->as_list() != nullptr ? parent->as_list()->size() == 1
                                        : parent->as_map()->entries().size() == 1;
  }

  std::optional<std::string> without_lines(const wire::MarkTree& tree) const {
    const std::size_t begin = yaml_.line_begin(tree.mark.line);
    const std::size_t end = yaml_.line_begin(tree.mark.end_line + 1);
    if (!is_only_child()) return spliced(begin, end, "");
    // What held it would become null: it stays, and is empty.
    const Parts above(parts_.begin(), parts_.end() - 1);
    const wire::MarkTree* parent = yaml_.marks_of(above);
    if (above.empty() || parent == nullptr) return std::nullopt;
    const std::size_t key = yaml_.offset(parent->mark);
    const std::size_t colon = yaml_.flow_end(key, true);
    const bool is_key = colon < begin && yaml_.text()[colon] == ':';
    if (!is_key) return std::nullopt;
    const std::string_view empty = parent_value()->as_list() != nullptr ? " []" : " {}";
    return fmt::format("{}{}{}{}", yaml_.text().substr(0, colon + 1), empty,
                       yaml_.text().substr(colon + 1, begin - colon - 1), yaml_.text().substr(end));
  }

  std::optional<std::string> without_flow(std::size_t at) const {
    const std::string_view text = yaml_.text();
    const std::size_t end = yaml_.flow_end(at, false);
    if (end >= text.size()) return std::nullopt;
    if (text[end] == ',') {
      std::size_t next = end + 1;
      while (next < text.size() && text[next] == ' ')
        ++next;
      return spliced(at, next, "");
    }
    std::size_t begin = at;
    while (begin > 0 && std::string_view(" \t").find(text[begin - 1]) != kNone)
      --begin;
    const bool has_sibling = begin > 0 && text[begin - 1] == ',';
    return spliced(has_sibling ? begin - 1 : at, trimmed_end(at, end), "");
  }

  /// Into "[]" that stands behind the key.
  std::optional<std::string> into_empty(std::string_view value) const {
    const wire::MarkTree* tree = yaml_.marks_of(parts_);
    if (tree == nullptr || parts_.empty()) return std::nullopt;
    const std::size_t open = yaml_.text().find('[', yaml_.offset(tree->mark));
    if (open == kNone) return std::nullopt;
    return spliced(open + 1, open + 1, value);
  }

  /// A member that is not there yet, with all that leads to it.
  std::optional<std::string> created(const Value& value) const {
    std::size_t known = parts_.size();
    Parts above;
    const Value* parent = nullptr;
    do {
      if (known == 0) return std::nullopt;
      above.assign(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(--known));
      parent = value_of(above);
    } while (parent == nullptr);
    if (parent->as_map() == nullptr || parent->as_map()->entries().empty()) return std::nullopt;
    if (parent->as_map()->find(parts_[known]) != nullptr) return std::nullopt;  // null, by hand
    Parts last = above;
    last.push_back(parent->as_map()->entries().back().first);
    const wire::MarkTree* tree = yaml_.marks_of(last);
    if (tree == nullptr) return std::nullopt;
    const std::size_t at = yaml_.offset(tree->mark);
    const std::string_view before = yaml_.before(at);
    if (!is_blank(before)) {
      Value whole = value;
      for (std::size_t i = parts_.size() - 1; i > known; --i)
        whole = Map{{parts_[i], std::move(whole)}};
      const std::size_t end = trimmed_end(at, yaml_.flow_end(at, false));
      return spliced(end, end,
                     fmt::format(", {}: {}", flow_text(Value(parts_[known])), flow_text(whole)));
    }
    std::string lines, indent(before);
    for (std::size_t i = known; i < parts_.size(); ++i, indent += "  ")
      lines +=
          fmt::format("{}{}{}:", lines.empty() ? "" : "\n", indent, flow_text(Value(parts_[i])));
    if (value.as_list() != nullptr)
      for (const Value& item : *value.as_list())
        lines += fmt::format("\n{}- {}", indent, flow_text(item));
    else
      lines += " " + flow_text(value);
    return with_line(tree->mark.end_line, lines);
  }

  const YamlText yaml_;
  const wire::YamlDocument& document_;
  const Parts parts_;
};

}  // namespace

Result<Parts> pointer_parts(std::string_view pointer) {
  Parts out;
  if (pointer.empty()) return out;
  const auto refuse = [&] {
    return fail(Code::bad_argument, fmt::format("'{}' is no pointer", printable(pointer, 200)));
  };
  if (pointer.front() != '/') return refuse();
  for (const std::string_view part : split(pointer.substr(1), '/')) {
    std::string plain;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (part[i] != '~') {
        plain += part[i];
        continue;
      }
      if (i + 1 >= part.size() || (part[i + 1] != '0' && part[i + 1] != '1')) return refuse();
      plain += part[++i] == '0' ? '~' : '/';
    }
    out.push_back(std::move(plain));
    if (out.size() > kMaxParts) return refuse();
  }
  return out;
}

Result<Value> edited(const Value& root, const PointerEdit& edit) {
  GH_TRY(parts, pointer_parts(edit.pointer));
  if (parts.empty()) return no_place(edit.pointer);
  Value out = root;
  Value* at = &out;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    Value* next = child_of(*at, parts[i]);
    if (next == nullptr) {
      if (edit.kind == EditKind::remove || at->as_map() == nullptr) return no_place(edit.pointer);
      at->as_map()->set(parts[i], Map{});
      next = at->as_map()->find(parts[i]);
    }
    at = next;
  }
  Value* held = child_of(*at, parts.back());
  if (edit.kind == EditKind::remove) {
    if (held == nullptr) return no_place(edit.pointer);
    if (at->as_map() != nullptr)
      at->as_map()->erase(parts.back());
    else
      at->as_list()->erase(at->as_list()->begin() +
                           static_cast<std::ptrdiff_t>(*index_of(parts.back())));
    return out;
  }
  if (held == nullptr && at->as_map() == nullptr) return no_place(edit.pointer);
  if (edit.kind == EditKind::set) {
    if (held != nullptr)
      *held = edit.value;
    else
      at->as_map()->set(parts.back(), edit.value);
    return out;
  }
  if (held == nullptr || held->is_null()) {
    at->as_map() != nullptr ? void(at->as_map()->set(parts.back(), List{edit.value}))
                            : void(*held = List{edit.value});
    return out;
  }
  if (held->as_list() == nullptr) return no_place(edit.pointer);
  held->as_list()->push_back(edit.value);
  return out;
}

Result<std::string> edited_yaml(std::string_view text, std::string_view name,
                                const PointerEdit& edit) {
  const auto read = [&](std::string_view yaml) {
    return wire::read_yaml(yaml, name, wire::YamlDialect::compatible);
  };
  auto before = read(text);
  if (!before) return fail(Code::input_unreadable, std::move(before.error().message));
  GH_TRY(parts, pointer_parts(edit.pointer));
  GH_TRY(wanted, edited(before->root, edit));
  const Editor editor(text, *before, parts);
  const std::optional<std::string> out = edit.kind == EditKind::remove ? editor.removed()
                                         : edit.kind == EditKind::append
                                             ? editor.appended(edit.value)
                                             : editor.set(edit.value);
  if (out)
    if (const auto after = read(*out); after && after->root == wanted) return *out;
  return fail(
      Code::conflict,
      fmt::format("{}: {} cannot be changed line by line as it is written; change it by hand",
                  printable(name, 200), printable(edit.pointer, 200)));
}

}  // namespace gh::setup
