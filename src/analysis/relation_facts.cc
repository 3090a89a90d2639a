#include "analysis/relation_facts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "analysis/bindings.h"
#include "analysis/declarations.h"
#include "analysis/imports_managed.h"
#include "analysis/references.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Language;
using syntax::Tree;
namespace flag = syntax::flag;

// table: relation kinds
constexpr std::array<std::string_view, 2> kKinds{"call", "reference"};

struct Words {
  std::string_view receiver;         // the object, where the language has a word for it
  bool first_parameter = false;      // it is the first parameter of a method
  std::string_view own_class, base;  // words for its class and for the class above
};
// clang-format off
// table: words for the object of a method
constexpr std::array<Words, syntax::kLanguageCount> kWords{{
    {"",     true,  "",     "super"},  // python
    {"",     false, "",     ""},       // c
    {"this", false, "",     ""},       // cpp
    {"this", false, "",     "super"},  // javascript
    {"this", false, "",     "super"},  // typescript
    {"this", false, "",     "super"},  // tsx
    {"",     false, "",     ""},       // go
    {"",     false, "Self", ""},       // rust
    {"this", false, "",     "super"},  // java
}};
// clang-format on

std::string clipped(std::string_view text) {
  std::size_t end = std::min(text.size(), kMaxExpression);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return std::string(text.substr(0, end));
}

/// The declaration around each node; asked for nodes in their order.
class Owners {
 public:
  Owners(const Tree& tree, const std::vector<std::uint32_t>& nodes) : tree_(tree), nodes_(nodes) {}

  std::uint32_t at(std::uint32_t i) {
    while (!open_.empty() && i >= open_.back().end)
      open_.pop_back();
    for (; next_ < nodes_.size() && nodes_[next_] <= i; ++next_)
      enter(nodes_[next_]);
    for (auto owner = open_.rbegin(); owner != open_.rend(); ++owner)
      if (i >= owner->body) return owner->declaration;
    return kNone;
  }

 private:
  struct Open {
    std::uint32_t end, declaration, body;  // body: after its decorators, which are said outside
  };
  void enter(std::uint32_t i) {
    std::uint32_t body = i + 1;
    for (const std::uint32_t child : Children(tree_, i))
      if (tree_[child].kind == Kind::Decorator) body = tree_[child].end;
    open_.push_back({tree_[i].end, static_cast<std::uint32_t>(next_), body});
  }

  const Tree& tree_;
  const std::vector<std::uint32_t>& nodes_;
  std::vector<Open> open_{};
  std::size_t next_ = 0;
};

struct Chain {
  std::vector<std::string> path{};
  std::uint32_t root = 0;
  bool is_base = false;
};

class Walk {
 public:
  Walk(const Tree& tree, const Declarations& declarations, const std::vector<std::uint32_t>& nodes)
      : tree_(tree),
        declarations_(declarations),
        nodes_(nodes),
        words_(kWords[static_cast<std::size_t>(tree.language)]),
        bound_(declarations.all.size()),
        receivers_(declarations.all.size(), 0) {}

  RelationFacts run() {
    find_bound();
    find_receivers();
    Owners owners(tree_, nodes_);
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i)
      i = visit(i, owners.at(i));
    for (std::uint32_t d = 0; d < nodes_.size(); ++d)
      if (declarations_.all[d].kind == DeclarationKind::class_) add_bases(d);
    return std::move(out_);
  }

 private:
  using Symbols = std::unordered_set<std::uint32_t>;

  bool is_function(std::uint32_t d) const {
    return declarations_.all[d].kind != DeclarationKind::class_;
  }

  void find_bound() {
    Owners owners(tree_, nodes_);
    std::vector<Symbols> elsewhere(bound_.size());
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      const std::uint32_t owner = owners.at(i);
      const Kind kind = tree_[i].kind;
      if (owner == kNone || !is_function(owner)) continue;
      if (kind == Kind::Global)
        for (const std::uint32_t name : Children(tree_, i))
          elsewhere[owner].insert(tree_[name].symbol);
      if (kind == Kind::Param || (kind == Kind::Name && (tree_[i].flags & flag::store) != 0))
        bound_[owner].insert(tree_[i].symbol);
    }
    for (std::size_t d = 0; d < bound_.size(); ++d)
      for (const std::uint32_t symbol : elsewhere[d])
        bound_[d].erase(symbol);
  }

  /// The symbol of the parameter that is the object.
  void find_receivers() {
    for (std::uint32_t d = 0; d < nodes_.size(); ++d) {
      if (!is_function(d)) continue;
      const DeclarationFact& fact = declarations_.all[d];
      bool takes_first =
          words_.first_parameter && fact.kind == DeclarationKind::method && !fact.is_static;
      for (const std::uint32_t child : Children(tree_, nodes_[d])) {
        if (tree_[child].kind != Kind::Param) continue;
        if (takes_first || (tree_[child].flags & flag::receiver) != 0)
          receivers_[d] = tree_[child].symbol;
        takes_first = false;
      }
    }
  }

  RelationHead head_of(std::uint32_t owner, std::uint32_t name) const {
    const std::string_view text = tree_.name(name);
    if (!text.empty() && (text == words_.receiver || text == words_.own_class))
      return RelationHead::receiver;
    if (!text.empty() && text == words_.base) return RelationHead::base;
    for (std::uint32_t d = owner; d != kNone; d = declarations_.all[d].parent) {
      if (!is_function(d)) continue;
      if (receivers_[d] == tree_[name].symbol && receivers_[d] != 0) return RelationHead::receiver;
      if (bound_[d].contains(tree_[name].symbol)) return RelationHead::local;
    }
    return RelationHead::name;
  }

  /// `a.b.c`, also below `super()`.
  std::optional<Chain> chain_of(std::uint32_t i) const {
    Chain out;
    std::uint32_t at = i;
    for (; tree_[at].kind == Kind::Attribute && tree_[at].end > at + 1; ++at)
      out.path.emplace_back(tree_.name(at));
    if (tree_[at].kind == Kind::Call && !words_.base.empty() && tree_[at].end > at + 1 &&
        tree_[at + 1].kind == Kind::Name && tree_.name(at + 1) == words_.base) {
      out.is_base = true;
      ++at;
    }
    if (tree_[at].kind != Kind::Name || (out.is_base && out.path.empty())) return std::nullopt;
    out.root = at;
    out.path.emplace_back(tree_.name(at));
    std::ranges::reverse(out.path);
    return out;
  }

  void add(std::uint32_t owner, RelationKind kind, std::uint32_t i,
           const std::optional<Chain>& chain) {
    RelationFact fact{.owner = owner,
                      .kind = kind,
                      .head = RelationHead::none,
                      .line = tree_.start_line(i),
                      .expression = clipped(tree_.text(i))};
    if (chain) {
      fact.head = chain->is_base ? RelationHead::base : head_of(owner, chain->root);
      fact.path = chain->path;
    }
    out_.all.push_back(std::move(fact));
  }

  /// The last node that is done with.
  std::uint32_t visit(std::uint32_t i, std::uint32_t owner) {
    const syntax::Node& node = tree_[i];
    switch (node.kind) {
      case Kind::Import:
      case Kind::ImportFrom:
        add_import(i, owner);
        return node.end - 1;
      case Kind::Global:
        return node.end - 1;
      case Kind::Assign:
        add_required(i, owner);
        break;
      case Kind::Call:
      case Kind::New:
        if (node.end > i + 1) called_ = i + 1;
        if (node.end > i + 1 && tree_[i + 1].kind != Kind::Name &&
            tree_[i + 1].kind != Kind::Attribute)
          add(owner, RelationKind::call, i + 1, std::nullopt);
        break;
      case Kind::Name:
      case Kind::Attribute:
        return visit_name(i, owner);
      default:
        break;
    }
    return i;
  }

  std::uint32_t visit_name(std::uint32_t i, std::uint32_t owner) {
    const bool is_called = called_ == i;
    const std::optional<Chain> chain = chain_of(i);
    if (is_called)
      add(owner, RelationKind::call, i, chain);
    else if (chain && (tree_[i].flags & flag::store) == 0)
      add(owner, RelationKind::reference, i, chain);
    return chain ? tree_[i].end - 1 : i;
  }

  void add_bases(std::uint32_t d) {
    for (const std::uint32_t child : Children(tree_, nodes_[d])) {
      if (tree_[child].kind != Kind::Name && tree_[child].kind != Kind::Attribute) continue;
      if (auto chain = chain_of(child); chain && !chain->is_base)
        out_.bases.push_back({d, std::move(chain->path)});
    }
  }

  std::uint32_t function_around(std::uint32_t owner) const {
    while (owner != kNone && !is_function(owner))
      owner = declarations_.all[owner].parent;
    return owner;
  }

  void add_import(std::uint32_t i, std::uint32_t owner) {
    const bool is_from = tree_[i].kind == Kind::ImportFrom;
    for (const std::uint32_t name : Children(tree_, i)) {
      if (tree_[name].kind != Kind::Name) continue;
      const std::string imported(tree_.name(name));
      const bool has_alias = tree_[name].end > name + 1;
      ImportedName out{.owner = function_around(owner),
                       .bound = has_alias ? std::string(tree_.name(name + 1)) : imported,
                       .module = is_from ? std::string(tree_.name(i)) : imported,
                       .name = is_from ? imported : std::string(),
                       .level = tree_[i].flags,
                       .is_from = is_from};
      const bool is_textual = !is_from && (tree_[i].flags & flag::textual) != 0;
      if (is_textual || out.bound == ".") out.bound = "*";
      if (!is_from && !has_alias && tree_.language == Language::python)
        out.bound = out.module = imported.substr(0, imported.find('.'));
      out_.imports.push_back(std::move(out));
    }
  }

  /// `const m = require("./m")`, `const { f, g: h } = require("./m")`
  void add_required(std::uint32_t i, std::uint32_t owner) {
    const std::uint32_t target = i + 1;
    if (target >= tree_[i].end) return;
    std::uint32_t call = kNone;
    for (const std::uint32_t child : Children(tree_, i))
      if (tree_[child].kind == Kind::Call && is_importing_call(tree_, child)) call = child;
    if (call == kNone) return;
    ImportedName out{.owner = function_around(owner),
                     .module = std::string(literal_text(tree_, call + 2)),
                     .is_from = true};
    std::string_view key;
    const auto bind = [&](std::string_view name, std::string_view bound) {
      out.name = name;
      out.bound = bound;
      out_.imports.push_back(out);
    };
    if (tree_[target].kind == Kind::Name) bind("*", tree_.name(target));
    if (tree_[target].kind != Kind::Dict) return;
    for (const std::uint32_t child : Children(tree_, target)) {
      if (tree_[child].kind == Kind::Str) key = tree_.text(child);
      if (tree_[child].kind == Kind::Name) bind(key, tree_.name(child));
    }
  }

  const Tree& tree_;
  const Declarations& declarations_;
  const std::vector<std::uint32_t>& nodes_;
  const Words& words_;
  std::vector<Symbols> bound_;
  std::vector<std::uint32_t> receivers_;
  std::uint32_t called_ = kNone;
  RelationFacts out_{};
};

}  // namespace

std::string_view to_string(RelationKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

RelationFacts RelationReader::facts_of(Language language, std::string_view source) {
  if (source.starts_with("\xef\xbb\xbf")) source.remove_prefix(3);
  if (!is_utf8(source) || !front_end_.read(language, source, tree_)) return {};
  NameTable table;
  NameWriter names(tree_, table);
  std::vector<std::uint32_t> nodes;
  const Declarations declarations = declarations_of(tree_, Bindings(tree_), names, nodes);
  return Walk(tree_, declarations, nodes).run();
}

}  // namespace gh::analysis
