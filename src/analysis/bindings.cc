#include "analysis/bindings.h"

#include <vector>

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;

}  // namespace

Bindings::Bindings(const syntax::Tree& tree) : tree_(tree) {
  // `import a.b` binds `a`; its symbol may not exist in the table, so names are compared as text.
  std::unordered_map<std::string_view, std::uint32_t> heads;
  for (std::uint32_t id = 0; id < tree.symbols.size(); ++id)
    heads.emplace(tree.symbols.text(id), id);
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Kind kind = tree[i].kind;
    if (kind != Kind::Import && kind != Kind::ImportFrom) continue;
    const std::string module =
        std::string(kind == Kind::ImportFrom ? tree[i].flags : 0, '.') + std::string(tree.name(i));
    for (const std::uint32_t name : Children(tree, i)) {
      if (tree[name].kind != Kind::Name) continue;
      const std::string_view imported = tree.name(name);
      const bool has_alias = tree[name].end > name + 1;
      std::string target(imported);
      if (kind == Kind::ImportFrom)
        target = module.ends_with('.') ? module + target : module + "." + target;
      if (has_alias) {
        targets_.insert_or_assign(tree[name + 1].symbol, std::move(target));
      } else if (kind == Kind::ImportFrom) {
        targets_.insert_or_assign(tree[name].symbol, std::move(target));
      } else {
        const std::string_view head = imported.substr(0, imported.find('.'));
        if (const auto found = heads.find(head); found != heads.end())
          targets_.insert_or_assign(found->second, std::string(head));
      }
    }
  }
}

std::string Bindings::resolve(std::uint32_t expression) const {
  std::vector<std::string_view> attributes;
  std::uint32_t at = expression;
  while (tree_[at].end > at + 1) {
    if (tree_[at].kind == Kind::Attribute)
      attributes.push_back(tree_.name(at));
    else if (tree_[at].kind != Kind::Subscript)
      return "";
    ++at;
  }
  if (tree_[at].kind != Kind::Name) return "";
  const auto found = targets_.find(tree_[at].symbol);
  std::string out = found == targets_.end() ? std::string(tree_.name(at)) : found->second;
  for (auto it = attributes.rbegin(); it != attributes.rend(); ++it)
    out.append(".").append(*it);
  return out;
}

}  // namespace gh::analysis
