#include "analysis/exports.h"

#include <algorithm>

#include "analysis/commonjs.h"
#include "analysis/language_traits.h"
#include "analysis/references.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;

constexpr std::string_view kAll = "__all__", kLazy = "_EXPORTS", kGetattr = "__getattr__";

bool is_name(const Tree& tree, std::uint32_t i, std::string_view name) {
  return tree[i].kind == Kind::Name && tree.name(i) == name;
}

class Reader {
 public:
  Reader(const Tree& tree, NameWriter& names) : tree_(tree), names_(names) {}

  Exports run() {
    for (const std::uint32_t statement : top_level_statements(tree_))
      read(statement);
    return std::move(out_);
  }

 private:
  void read(std::uint32_t i) {
    const Kind kind = tree_[i].kind;
    if (kind == Kind::Function && tree_.name(i) == kGetattr) out_.has_getattr = true;
    if (kind == Kind::Expr && (tree_[i].flags & syntax::flag::exported) != 0) {
      add_names(i);
      add_named(i);
    }
    if (kind == Kind::Expr) read_call(i + 1);
    if ((kind != Kind::Assign && kind != Kind::AugAssign) || tree_[i].end == i + 1) return;
    const std::uint32_t value = last_child(i);
    for (const std::uint32_t target : Children(tree_, i))
      if (target != value) read_assigned(target, value);
    if (is_name(tree_, i + 1, kAll)) {
      out_.has_all |= holds_list(value);
      add_strings(value);
    }
    if (is_name(tree_, i + 1, kLazy) && tree_[value].kind == Kind::Dict) add_lazy(value);
  }

  /// `exports = module.exports = f` hands out what it assigns, whatever else it is assigned to.
  void read_assigned(std::uint32_t target, std::uint32_t value) {
    if (is_module_exports(tree_, target)) {
      add_names(value);
      if (tree_[value].kind == Kind::Dict) add_members(value);
    }
    if (is_member_of_exports(tree_, target) && tree_[value].kind == Kind::Name) {
      add(names_.id_of_node(value));
      out_.named.push_back({names_.id_of_node(target), names_.id_of_node(value)});
    }
  }

  /// `export {a, b}`, `module.exports = {a, b: c}`: what is handed out is declared elsewhere.
  void add_names(std::uint32_t list) {
    for (std::uint32_t i = list; i < tree_[list].end;) {
      const Kind kind = tree_[i].kind;
      if (kind == Kind::Name) add(names_.id_of_node(i));
      const bool holds = i == list || kind == Kind::KwArg || kind == Kind::Dict;
      i = holds ? i + 1 : tree_[i].end;
    }
  }

  void add_named(std::uint32_t list) {
    for (const std::uint32_t child : Children(tree_, list)) {
      const bool is_renamed = tree_[child].kind == Kind::KwArg && tree_[child].end > child + 1;
      const std::uint32_t local = is_renamed ? child + 1 : child;
      if (tree_[local].kind == Kind::Name)
        out_.named.push_back({names_.id_of_node(child), names_.id_of_node(local)});
    }
  }

  /// Keys and values in turn; what is spread has no key.
  void add_members(std::uint32_t dict) {
    std::uint32_t before = dict;
    for (const std::uint32_t child : Children(tree_, dict)) {
      if (tree_[child].kind == Kind::Name && tree_[before].kind == Kind::Str)
        out_.named.push_back({names_.id_of(literal_text(tree_, before)), names_.id_of_node(child)});
      before = child;
    }
  }

  std::uint32_t last_child(std::uint32_t i) const {
    std::uint32_t last = i + 1;
    for (const std::uint32_t child : Children(tree_, i))
      last = child;
    return last;
  }

  /// `__all__.append("x")`, `__all__.extend([…])`
  void read_call(std::uint32_t call) {
    if (call >= tree_.nodes.size() || tree_[call].kind != Kind::Call) return;
    const std::uint32_t callee = call + 1;
    if (callee >= tree_[call].end || tree_[callee].kind != Kind::Attribute ||
        tree_[callee].end != callee + 2 || !is_name(tree_, callee + 1, kAll))
      return;
    const std::uint32_t argument = tree_[callee].end;
    const std::string_view method = tree_.name(callee);
    if (argument < tree_[call].end && (method == "append" || method == "extend"))
      add_strings(argument);
  }

  bool holds_list(std::uint32_t value) const {
    for (std::uint32_t i = value; i < tree_[value].end; ++i)
      if (tree_[i].kind == Kind::List || tree_[i].kind == Kind::Tuple || tree_[i].kind == Kind::Set)
        return true;
    return false;
  }

  /// Literals of lists and of sums of lists; what else stands there cannot be known.
  void add_strings(std::uint32_t value) {
    for (std::uint32_t i = value; i < tree_[value].end;) {
      const Kind kind = tree_[i].kind;
      if (kind == Kind::Str) add(names_.id_of(literal_text(tree_, i)));
      const bool holds = kind == Kind::List || kind == Kind::Tuple || kind == Kind::Set ||
                         kind == Kind::BinOp || kind == Kind::Star;
      i = holds ? i + 1 : tree_[i].end;
    }
  }

  void add(NameId name) {
    if (std::ranges::find(out_.all, name) == out_.all.end()) out_.all.push_back(name);
  }

  void add_lazy(std::uint32_t dict) {
    std::uint32_t key = kNone;
    for (const std::uint32_t child : Children(tree_, dict)) {
      if (key == kNone) {
        key = child;
        continue;
      }
      if (tree_[key].kind == Kind::Str && tree_[child].kind == Kind::Str)
        out_.lazy.push_back(
            {names_.id_of(literal_text(tree_, key)), names_.id_of(literal_text(tree_, child))});
      key = kNone;
    }
  }

  const Tree& tree_;
  NameWriter& names_;
  Exports out_{};
};

}  // namespace

bool is_module_exports(const Tree& tree, std::uint32_t i) {
  return tree[i].kind == Kind::Attribute && tree.name(i) == "exports" && tree[i].end == i + 2 &&
         is_name(tree, i + 1, "module");
}

bool is_member_of_exports(const Tree& tree, std::uint32_t i) {
  return traits_of(tree.language).offered == Offered::with_its_class &&
         tree[i].kind == Kind::Attribute && tree[i].end > i + 1 &&
         (is_name(tree, i + 1, "exports") || is_module_exports(tree, i + 1));
}

Exports exports_of(const Tree& tree, NameWriter& names) { return Reader(tree, names).run(); }

}  // namespace gh::analysis
