// `use` and `extern crate` of Rust.
#include <string>
#include <vector>

#include "syntax/rust.h"

namespace gh::syntax::rust {
namespace {

using parts::first_named;
using parts::named;
using parts::Nodes;

struct Wanted {
  std::string prefix;
  Nodes nodes;
};

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') out += c;
  return out;
}

std::string joined(const std::string& prefix, std::string_view rest) {
  const std::string tail = without_blanks(rest);
  return prefix.empty() ? tail : tail.empty() ? prefix : prefix + "::" + tail;
}

/// What one name of a list brings: its path, the name, and what it is called here.
void imported(Lowering& l, const std::string& prefix, std::uint32_t node) {
  const bool is_as = l.is(node, "use_as_clause"), is_all = l.is(node, "use_wildcard");
  const std::uint32_t inner = is_as    ? l.child(node, Field::path)
                              : is_all ? first_named(l, node)
                                       : node;
  const std::uint32_t alias = is_as ? l.child(node, Field::alias) : 0;
  std::string path = joined(prefix, inner == 0 ? std::string_view() : l.cst.text(inner));
  std::string name = "*";
  if (!is_all) {
    const std::size_t at = path.rfind("::");
    name = at == std::string::npos ? path : path.substr(at + 2);
    path = at == std::string::npos ? std::string() : path.substr(0, at);
  }
  std::string bound;  // `self` stands for the last word of its path
  if (name == "self" && !path.empty()) bound = path.substr(path.rfind(':') + 1);
  l.open(Kind::ImportFrom, node, 0, l.tree.symbols.id_of_copy(path));
  l.open(Kind::Name, node, 0, l.tree.symbols.id_of_copy(name));
  if (alias != 0)
    l.leaf(Kind::Name, alias, flag::store, l.symbol(alias));
  else if (!bound.empty())
    l.leaf(Kind::Name, node, flag::store, l.tree.symbols.id_of_copy(bound));
  l.close();
  l.close();
}

}  // namespace

void use_declaration(Lowering& l, std::uint32_t node) {
  const std::uint32_t argument = l.child(node, Field::argument);
  if (argument == 0) return;
  std::vector<Wanted> open{{"", {argument}}};
  while (!open.empty()) {
    const Wanted wanted = std::move(open.back());
    open.pop_back();
    for (const std::uint32_t i : wanted.nodes) {
      if (l.is(i, "scoped_use_list")) {
        const std::uint32_t path = l.child(i, Field::path), inner = l.child(i, Field::list);
        const std::string_view text = path == 0 ? std::string_view() : l.cst.text(path);
        if (inner != 0) open.push_back({joined(wanted.prefix, text), named(l, inner)});
      } else if (l.is(i, "use_list")) {
        open.push_back({wanted.prefix, named(l, i)});
      } else {
        imported(l, wanted.prefix, i);
      }
    }
  }
}

void extern_crate(Lowering& l, std::uint32_t node) {
  const std::uint32_t name = l.child(node, Field::name), alias = l.child(node, Field::alias);
  if (name == 0) return;
  l.open(Kind::ImportFrom, node);
  l.open(Kind::Name, name, 0, l.symbol(name));
  if (alias != 0) l.leaf(Kind::Name, alias, flag::store, l.symbol(alias));
  l.close();
  l.close();
}

}  // namespace gh::syntax::rust
