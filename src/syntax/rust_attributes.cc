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

std::uint16_t attribute_flags(std::string_view text) {
  const std::size_t from = text.find_first_not_of("#[ \t\r\n");
  if (from == std::string_view::npos) return 0;
  text = text.substr(from);
  const std::string_view name = text.substr(0, text.find_first_of("( =]\t\r\n"));
  const bool builds_tests = name == "cfg" && text.find("test") != std::string_view::npos &&
                            text.find("not(") == std::string_view::npos;
  if (builds_tests) return flag::for_tests;
  const auto row = std::ranges::find_if(
      kAttributes, [&](const AttributeRow& r) { return is_named(r.name, name); });
  return row == kAttributes.end() ? flag::attributed : row->flags;
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

}  // namespace gh::syntax::rust
