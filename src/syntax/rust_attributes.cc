// What attributes of Rust say about who uses a declaration.
#include <algorithm>
#include <array>

#include "syntax/rust.h"

namespace gh::syntax::rust {
namespace {

bool is_comment(const Lowering& l, std::uint32_t node) {
  return l.cst.nodes[node].row == kCommentRow || l.is(node, "outer_doc_comment_marker") ||
         l.cst.text(node) == "/";
}

/// The attribute directly before the node, comments aside; 0 when there is none.
std::uint32_t attribute_before(const Lowering& l, std::uint32_t node) {
  while (node > 0 && is_comment(l, node - 1))
    --node;
  if (node == 0 || l.cst.text(node - 1) != "]") return 0;
  for (std::uint32_t i = node - 1; i > 0 && l.cst.nodes[i].next <= node; --i)
    if (l.is(i, "attribute_item")) return l.cst.nodes[i].next == node ? i : 0;
  return 0;
}

struct AttributeRow {
  std::string_view name;
  std::uint16_t flags;  // 0: says nothing about who uses it
};
// A name that ends with "::" stands for all that begins so, one that begins with it for any owner.
// table: rust attributes
constexpr std::array kAttributes = std::to_array<AttributeRow>({
    {"test", flag::for_tests},
    {"::test", flag::for_tests},
    {"bench", flag::for_tests},
    {"no_mangle", flag::hook},
    {"export_name", flag::hook},
    {"panic_handler", flag::hook},
    {"proc_macro", flag::hook},
    {"proc_macro_derive", flag::hook},
    {"proc_macro_attribute", flag::hook},
    {"unsafe", flag::hook},
    {"allow", 0},
    {"warn", 0},
    {"deny", 0},
    {"forbid", 0},
    {"expect", 0},
    {"inline", 0},
    {"cold", 0},
    {"must_use", 0},
    {"derive", 0},
    {"cfg", 0},
    {"cfg_attr", 0},
    {"doc", 0},
    {"repr", 0},
    {"deprecated", 0},
    {"default", 0},
    {"ignore", 0},
    {"clippy::", 0},
    {"rustfmt::", 0},
    {"non_exhaustive", 0},
    {"should_panic", 0},
    {"track_caller", 0},
    {"target_feature", 0},
    {"instrument", 0},
});

bool is_named(std::string_view row, std::string_view name) {
  if (row.starts_with("::")) return name.ends_with(row);
  if (row.ends_with("::")) return name.starts_with(row);
  return row == name;
}

/// Without its mark, from its name on.
std::string_view inner_text(std::string_view attribute) {
  const std::size_t from = attribute.find_first_not_of("#[ \t\r\n");
  return from == std::string_view::npos ? std::string_view() : attribute.substr(from);
}

std::string_view name_in(std::string_view inner) {
  return inner.substr(0, inner.find_first_of("( =]\t\r\n"));
}

/// The word `test` outside of quotes, as in `cfg(all(test, feature = "x"))`.
bool says_test(std::string_view text) {
  constexpr std::string_view kTest = "test";
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (is_quoted || !text.substr(i).starts_with(kTest)) continue;
    const std::size_t end = i + kTest.size();
    const auto is_end = [](char c) { return c == '(' || c == ')' || c == ',' || c == ' '; };
    if (i > 0 && is_end(text[i - 1]) && end < text.size() && is_end(text[end])) return true;
  }
  return false;
}

const AttributeRow* row_of(std::string_view name) {
  const auto row = std::ranges::find_if(
      kAttributes, [&](const AttributeRow& r) { return is_named(r.name, name); });
  return row == kAttributes.end() ? nullptr : &*row;
}

std::uint16_t attribute_flags(std::string_view attribute) {
  const std::string_view text = inner_text(attribute), name = name_in(text);
  if (name.empty()) return 0;
  const bool builds_tests =
      name == "cfg" && says_test(text) && text.find("not(") == std::string_view::npos;
  if (builds_tests) return flag::for_tests;
  const AttributeRow* row = row_of(name);
  return row == nullptr ? flag::attributed : row->flags;
}

/// `name = …` names no value.
bool is_key(const Lowering& l, std::uint32_t word) {
  const std::uint32_t next = l.cst.nodes[word].next;
  return next < l.cst.nodes.size() && l.cst.text(next) == "=";
}

}  // namespace

std::uint16_t outer_flags(const Lowering& l, std::uint32_t node) {
  std::uint16_t out = 0;
  l.each_named(node, [&](std::uint32_t i) {
    if (l.is(i, "visibility_modifier") && l.cst.text(i) == "pub") out |= flag::exported;
  });
  for (std::uint32_t at = attribute_before(l, node); at != 0; at = attribute_before(l, at))
    out = static_cast<std::uint16_t>(out | attribute_flags(l.cst.text(at)));
  return out;
}

std::string_view path_before(const Lowering& l, std::uint32_t node) {
  for (std::uint32_t at = attribute_before(l, node); at != 0; at = attribute_before(l, at)) {
    const std::string_view text = inner_text(l.cst.text(at));
    const std::size_t from = text.find('"');
    if (name_in(text) != "path" || from == std::string_view::npos) continue;
    const std::string_view rest = text.substr(from + 1);
    return rest.substr(0, rest.find('"'));
  }
  return {};
}

/// Inside of functions attributes are about statements, which they must not become.
void attribute(Lowering& l, std::uint32_t node) {
  if (l.enclosing() == Kind::Function || l.enclosing() == Kind::Lambda) return;
  l.open(Kind::Type, node);
  const bool is_known = row_of(name_in(inner_text(l.cst.text(node)))) != nullptr;
  const std::uint32_t inner = is_known ? 0 : parts::first_named(l, node);
  const std::uint32_t name = inner == 0 ? 0 : parts::first_named(l, inner);
  const std::uint32_t from = name == 0 ? 0 : l.cst.nodes[name].next,
                      to = name == 0 ? 0 : l.cst.nodes[inner].next;
  for (std::uint32_t i = from; i < to; ++i) {
    if (l.is(i, "identifier") && !is_key(l, i)) l.leaf(Kind::Name, i, 0, l.symbol(i));
    if (l.is(i, "string_literal")) l.leaf(Kind::Str, i);
  }
  l.close();
}

}  // namespace gh::syntax::rust
