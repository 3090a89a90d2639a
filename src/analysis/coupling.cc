#include "analysis/coupling.h"

#include <algorithm>
#include <vector>

#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Node;
using syntax::Tree;
namespace flag = syntax::flag;

using Symbols = std::unordered_set<std::uint32_t>;

bool opens_scope(Kind kind) {
  return kind == Kind::Function || kind == Kind::Class || kind == Kind::Lambda ||
         kind == Kind::Comp;
}

/// The names that an import statement binds, as texts: `import a.b` binds `a`.
template <class F>
void each_imported(const Tree& tree, std::uint32_t statement, F&& f) {
  if (tree[statement].kind == Kind::Import && (tree[statement].flags & flag::textual) != 0) return;
  for (const std::uint32_t name : Children(tree, statement)) {
    if (tree[name].kind != Kind::Name) continue;
    const bool has_alias = tree[name].end > name + 1;
    std::string_view text = tree.name(has_alias ? name + 1 : name);
    if (!has_alias && tree[statement].kind == Kind::Import) text = text.substr(0, text.find('.'));
    f(text);
  }
}

/// `const {a, b: c} = require("m")` binds `a` and `c`.
template <class F>
void each_required(const Tree& tree, std::uint32_t assign, F&& f) {
  std::uint32_t value = 0;
  for (const std::uint32_t child : Children(tree, assign))
    value = child;
  const bool is_call = value != 0 && tree[value].kind == Kind::Call && tree[value].end > value + 2;
  if (!is_call || tree[value + 1].kind != Kind::Name || tree.name(value + 1) != "require" ||
      tree[value + 2].kind != Kind::Str)
    return;
  for (std::uint32_t i = assign + 1; i < value; ++i)
    if (tree[i].kind == Kind::Name && (tree[i].flags & flag::store) != 0) f(tree.name(i));
}

bool has_require(syntax::Language language) {
  return language == syntax::Language::javascript || language == syntax::Language::typescript ||
         language == syntax::Language::tsx;
}

struct Scope {
  std::uint32_t end;
  bool is_class;
  Symbols bound;
  Symbols types{};  // its type parameters, which everything inside sees
};

class Uses {
 public:
  Uses(const Tree& tree, const Coupling& targets, std::uint32_t node)
      : tree_(tree), node_(node), targets_(targets) {}

  ClassUses run() {
    for (std::uint32_t i = node_ + 1; i < tree_[node_].end; ++i) {
      if (i == node_ + 1) open(node_);
      while (!scopes_.empty() && i >= scopes_.back().end)
        scopes_.pop_back();
      const Node& node = tree_[i];
      if (node.kind == Kind::Import || node.kind == Kind::ImportFrom) {
        i = node.end - 1;  // an import alone is no use
        continue;
      }
      if (node.kind == Kind::Type) {
        add_quoted(i);
        types_end_ = std::max(types_end_, node.end);
      }
      if (opens_scope(node.kind)) open(i);
      if (node.kind == Kind::Name && (node.flags & flag::store) == 0) use(i);
    }
    return std::move(found_);
  }

 private:
  void open(std::uint32_t scope) {
    const bool is_class = tree_[scope].kind == Kind::Class;
    scopes_.push_back({tree_[scope].end, is_class, bound_in(scope), type_parameters(scope)});
  }

  Symbols type_parameters(std::uint32_t scope) const {
    Symbols out;
    for (const std::uint32_t child : Children(tree_, scope))
      for (std::uint32_t i = child; tree_[child].kind == Kind::Type && i < tree_[child].end; ++i)
        if (tree_[i].kind == Kind::Name && (tree_[i].flags & flag::store) != 0)
          out.insert(tree_[i].symbol);
    return out;
  }

  /// Names that are bound directly in a scope; those of scopes inside it are theirs.
  Symbols bound_in(std::uint32_t scope) const {
    Symbols out;
    Symbols elsewhere;
    for (std::uint32_t i = scope + 1; i < tree_[scope].end;) {
      const Node& node = tree_[i];
      if (node.kind == Kind::Param) out.insert(node.symbol);
      if (node.kind == Kind::Name && (node.flags & flag::store) != 0) out.insert(node.symbol);
      if (node.kind == Kind::Function || node.kind == Kind::Class) out.insert(node.symbol);
      if (node.kind == Kind::Global)
        for (const std::uint32_t name : Children(tree_, i))
          elsewhere.insert(tree_[name].symbol);
      const bool is_import = node.kind == Kind::Import || node.kind == Kind::ImportFrom;
      i = is_import || opens_scope(node.kind) ? node.end : i + 1;  // what is imported is a target
    }
    for (const std::uint32_t symbol : elsewhere)
      out.erase(symbol);
    return out;
  }

  void use(std::uint32_t i) {
    // Elsewhere a field may have the name of its type.
    const bool fields_hide = tree_.language == syntax::Language::python || i >= types_end_;
    bool innermost = true;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      // The names of a class body are seen in that body alone.
      const bool is_seen = !scope->is_class || (innermost && fields_hide);
      if (is_seen && scope->bound.contains(tree_[i].symbol)) return;
      if (scope->types.contains(tree_[i].symbol)) return;
      innermost = false;
    }
    if (targets_.is_target(tree_.name(i), node_))
      found_.targets.emplace(tree_.name(i));
    else if (sees_other_files_)
      found_.elsewhere.emplace(tree_.name(i));
  }

  /// Annotations may be written as strings; every name in them is a use.
  void add_quoted(std::uint32_t type) {
    for (std::uint32_t i = type; i < tree_[type].end; ++i) {
      if (tree_[i].kind != Kind::Str) continue;
      const std::string_view text = tree_.text(i);
      for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        const auto is_word = [&](char c) {
          return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
        };
        while (end < text.size() && is_word(text[end]))
          ++end;
        const bool is_attribute = at > 0 && text[at - 1] == '.';
        if (end > at && !is_attribute && targets_.is_target(text.substr(at, end - at), node_))
          found_.targets.emplace(text.substr(at, end - at));
        at = end > at ? end : at + 1;
      }
    }
  }

  const Tree& tree_;
  std::uint32_t node_;
  const Coupling& targets_;
  std::vector<Scope> scopes_{};
  std::uint32_t types_end_ = 0;
  // A package is several files, and what is included is seen by its own name.
  const bool sees_other_files_ =
      tree_.language == syntax::Language::go || tree_.language == syntax::Language::cpp;
  ClassUses found_{};
};

}  // namespace

Coupling::Coupling(const Tree& tree) : tree_(tree) {
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Kind kind = tree[i].kind;
    if (kind == Kind::Import || kind == Kind::ImportFrom)
      each_imported(tree, i, [&](std::string_view name) { imported_.insert(name); });
    if (kind == Kind::Assign && has_require(tree.language))
      each_required(tree, i, [&](std::string_view name) { imported_.insert(name); });
    if (kind == Kind::Class && (tree[i].flags & flag::name_space) == 0)
      classes_[tree.name(i)].push_back(i);
  }
  imported_.erase("*");
}

bool Coupling::is_target(std::string_view name, std::uint32_t node) const {
  if (name == tree_.name(node)) return false;
  if (imported_.contains(name)) return true;
  const auto found = classes_.find(name);
  return found != classes_.end() && std::ranges::any_of(found->second, [&](std::uint32_t i) {
           return i < node || i >= tree_[node].end;
         });
}

ClassUses Coupling::uses_of(std::uint32_t node) const { return Uses(tree_, *this, node).run(); }

std::set<std::string> coupled_names(const Tree& tree, std::uint32_t node) {
  return Coupling(tree).uses_of(node).targets;
}

}  // namespace gh::analysis
