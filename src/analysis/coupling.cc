#include "analysis/coupling.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <vector>

#include "analysis/references.h"
#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Node;
using syntax::Tree;
namespace flag = syntax::flag;

using Texts = std::unordered_set<std::string_view>;

bool opens_scope(Kind kind) {
  return kind == Kind::Function || kind == Kind::Class || kind == Kind::Lambda ||
         kind == Kind::Comp;
}

/// The names that an import statement binds, and what each stands for: `import a.b` binds `a`.
template <class F>
void each_imported(const Tree& tree, std::uint32_t statement, F&& f) {
  const Node& node = tree[statement];
  if (node.kind == Kind::Import && (node.flags & flag::textual) != 0) return;
  const bool is_from = node.kind == Kind::ImportFrom;
  const std::string from =
      is_from ? std::string(node.flags, '.').append(tree.name(statement)) + "." : std::string();
  for (const std::uint32_t name : Children(tree, statement)) {
    if (tree[name].kind != Kind::Name) continue;
    const bool has_alias = tree[name].end > name + 1;
    std::string_view text = tree.name(name);
    if (!has_alias && !is_from) text = text.substr(0, text.find('.'));
    f(has_alias ? tree.name(name + 1) : text, from + std::string(text));
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

struct Range {
  std::uint32_t start, end;
};

struct Scope {
  std::uint32_t end;
  bool is_class;
  Texts bound{};                 // as values
  Texts types{};                 // which everything inside sees
  std::vector<Range> outside{};  // written in it and read by what is around it, in order
  std::size_t next = 0;          // of those

  /// Asked from front to back.
  bool is_outside(std::uint32_t i) {
    while (next < outside.size() && i >= outside[next].end)
      ++next;
    return next < outside.size() && i >= outside[next].start;
  }
};

/// How the arguments of a subscript are read where a type is said.
enum class Arguments : std::uint8_t { types, first_type, values };
Arguments arguments_of(std::string_view head) {
  return head == "Literal"     ? Arguments::values
         : head == "Annotated" ? Arguments::first_type
                               : Arguments::types;
}

bool is_word(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The names of a quoted annotation, without attributes and what is said as a value.
template <class F>
void each_quoted_name(std::string_view text, F&& f) {
  std::vector<Arguments> open;
  std::size_t values = 0;  // how many of them hold values
  std::string_view last;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end]))
      ++end;
    if (end > at) {
      last = text.substr(at, end - at);
      if (values == 0 && (at == 0 || text[at - 1] != '.')) f(last);
      at = end;
      continue;
    }
    const char c = text[at++];
    if (c == '[' || c == '(') {
      open.push_back(c == '[' ? arguments_of(last) : Arguments::types);
      values += open.back() == Arguments::values ? 1 : 0;
    } else if ((c == ']' || c == ')') && !open.empty()) {
      values -= open.back() == Arguments::values ? 1 : 0;
      open.pop_back();
    } else if (c == ',' && !open.empty() && open.back() == Arguments::first_type) {
      open.back() = Arguments::values;
      ++values;
    }
    if (c != ' ') last = {};
  }
}

class Uses {
 public:
  Uses(const Tree& tree, const Coupling& targets, std::uint32_t node)
      : tree_(tree), node_(node), targets_(targets) {}

  ClassUses run() {
    open(node_);
    for (std::uint32_t i = node_ + 1; i < tree_[node_].end; ++i) {
      while (!scopes_.empty() && i >= scopes_.back().end)
        scopes_.pop_back();
      i = visit(i);
    }
    ClassUses out{.elsewhere = std::move(elsewhere_)};
    for (const auto& [target, name] : found_)
      out.targets.emplace(name);
    return out;
  }

 private:
  /// The last node that is done with.
  std::uint32_t visit(std::uint32_t i) {
    const Node& node = tree_[i];
    switch (node.kind) {
      case Kind::Import:  // alone no use
      case Kind::ImportFrom:
      case Kind::Global:
        return node.end - 1;
      case Kind::Delete:
        each_deleted(i, [&](std::uint32_t name) { deleted_.insert(name); });
        break;
      case Kind::Type:
        if (i >= types_end_) open_type(i);
        break;
      case Kind::UnaryOp:  // `typeof x` as a type
        if (i < types_end_) values_end_ = std::max(values_end_, node.end);
        break;
      case Kind::TypeAlias:
        open_alias(i);
        break;
      case Kind::Subscript:
        if (i < types_end_) note_values(i);
        break;
      case Kind::Str:
        if (is_python_ && i < types_end_ && !is_said_value(i))
          each_quoted_name(literal_text(tree_, i), [&](std::string_view name) { use(i, name); });
        break;
      case Kind::Name:
        if ((node.flags & flag::store) == 0 && !deleted_.contains(i)) use(i, tree_.name(i));
        break;
      default:
        if (opens_scope(node.kind)) open(i);
        break;
    }
    return i;
  }

  /// Names that `del` unbinds, without those inside of what it changes.
  template <class F>
  void each_deleted(std::uint32_t statement, F&& f) const {
    for (std::uint32_t i = statement + 1; i < tree_[statement].end;) {
      const Kind kind = tree_[i].kind;
      if (kind == Kind::Name) f(i);
      i = kind == Kind::Tuple || kind == Kind::List ? i + 1 : tree_[i].end;
    }
  }

  void open(std::uint32_t scope) {
    const Kind kind = tree_[scope].kind;
    Scope out{.end = tree_[scope].end, .is_class = kind == Kind::Class};
    bind(scope, out);
    note_outside(scope, out);
    scopes_.push_back(std::move(out));
  }

  /// What a type binds for itself: `infer T`, `[K in T]`.
  void open_type(std::uint32_t type) {
    types_end_ = tree_[type].end;
    if (is_python_) return;
    Scope out{.end = tree_[type].end, .is_class = false};
    add_stored(type, out.types);
    if (!out.types.empty()) scopes_.push_back(std::move(out));
  }

  /// `type H<T> = …`; in Python all names on the left are bound.
  void open_alias(std::uint32_t alias) {
    Scope out{.end = tree_[alias].end, .is_class = false};
    add_stored(alias, out.types);
    const std::uint32_t left = alias + 1;
    for (std::uint32_t i = left; is_python_ && left < out.end && i < tree_[left].end; ++i)
      if (tree_[i].kind == Kind::Name) out.types.insert(tree_.name(i));
    scopes_.push_back(std::move(out));
  }

  void add_stored(std::uint32_t type, Texts& out) const {
    for (std::uint32_t i = type; i < tree_[type].end; ++i)
      if (tree_[i].kind == Kind::Name && (tree_[i].flags & flag::store) != 0)
        out.insert(tree_.name(i));
  }

  /// Names that are bound directly in a scope; those of scopes inside it are theirs.
  void bind(std::uint32_t scope, Scope& out) const {
    for (const std::uint32_t child : Children(tree_, scope))
      if (tree_[child].kind == Kind::Type && (tree_[child].flags & flag::returns) == 0)
        add_stored(child, out.types);
    Texts elsewhere;
    for (std::uint32_t i = scope + 1; i < tree_[scope].end;) {
      const Node& node = tree_[i];
      if (node.kind == Kind::Global)
        for (const std::uint32_t name : Children(tree_, i))
          elsewhere.insert(tree_.name(name));
      else
        bind_by(i, out);
      const bool is_left = node.kind == Kind::Import || node.kind == Kind::ImportFrom ||
                           node.kind == Kind::Type || opens_scope(node.kind);
      i = is_left ? node.end : i + 1;  // what is imported is a target
    }
    for (const std::string_view name : elsewhere)
      out.bound.erase(name);
  }

  void bind_by(std::uint32_t i, Scope& out) const {
    const Node& node = tree_[i];
    switch (node.kind) {
      case Kind::Name:
        if ((node.flags & flag::store) != 0) out.bound.insert(tree_.name(i));
        break;
      case Kind::Delete:
        if (is_python_)
          each_deleted(i, [&](std::uint32_t name) { out.bound.insert(tree_.name(name)); });
        break;
      case Kind::Class:
        if ((node.flags & flag::extension) != 0) break;
        if (!is_python_) out.types.insert(tree_.name(i));
        [[fallthrough]];
      case Kind::Param:
      case Kind::Function:
        out.bound.insert(tree_.name(i));
        break;
      case Kind::TypeAlias:
        if (is_python_)
          out.bound.insert(alias_name(i));
        else
          out.types.insert(tree_.name(i));
        break;
      default:
        break;
    }
  }

  /// `type H[T] = …` of Python: the first name.
  std::string_view alias_name(std::uint32_t alias) const {
    for (std::uint32_t i = alias + 1; i < tree_[alias].end; ++i)
      if (tree_[i].kind == Kind::Name) return tree_.name(i);
    return {};
  }

  /// The head of a class, the types and decorators of a function, what a parameter is when it is
  /// not given, what a comprehension begins with.
  void note_outside(std::uint32_t scope, Scope& out) const {
    const Kind kind = tree_[scope].kind;
    const auto add = [&](std::uint32_t i) { out.outside.push_back({i, tree_[i].end}); };
    for (const std::uint32_t child : Children(tree_, scope)) {
      const Kind what = tree_[child].kind;
      if (kind == Kind::Comp) {
        if (what != Kind::Arg || (tree_[child].flags & flag::generator) == 0) continue;
        const std::uint32_t target = child + 1;
        if (target < tree_[child].end && tree_[target].end < tree_[child].end)
          add(tree_[target].end);
        return;
      }
      if (kind == Kind::Class && what != Kind::Block) add(child);
      if (kind == Kind::Class) continue;
      if (what == Kind::Decorator || what == Kind::Type) add(child);
      if (what == Kind::Param)
        for (const std::uint32_t part : Children(tree_, child))
          if (is_python_ || tree_[part].kind == Kind::Type) add(part);
    }
  }

  /// What stands in `Literal[…]`, and after the first of `Annotated[…]`, is a value.
  void note_values(std::uint32_t subscript) {
    const std::uint32_t head = subscript + 1;
    if (head >= tree_[subscript].end) return;
    const Arguments how = arguments_of(targets_.imported_as(tree_.name(head)));
    std::uint32_t from = tree_[head].end;
    if (how == Arguments::first_type && from < tree_[subscript].end) from = tree_[from].end;
    if (how != Arguments::types && from < tree_[subscript].end)
      said_values_.push_back({from, tree_[subscript].end});
  }

  /// Ranges lie inside one another or apart.
  bool is_said_value(std::uint32_t i) {
    std::erase_if(said_values_, [&](const Range& range) { return i >= range.end; });
    return std::ranges::any_of(said_values_, [&](const Range& range) { return i >= range.start; });
  }

  void use(std::uint32_t i, std::string_view name) {
    const bool is_target = targets_.is_target(name, node_);
    if ((!is_target && !sees_other_files_) || is_hidden(i, name)) return;
    if (!is_target) {
      elsewhere_.emplace(name);
      return;
    }
    const auto [at, is_new] = found_.try_emplace(targets_.resolved(name), name);
    if (!is_new && name < at->second) at->second = name;
  }

  bool is_hidden(std::uint32_t i, std::string_view name) {
    // Elsewhere values and types have names of their own.
    const bool is_type = !is_python_ && i < types_end_ && i >= values_end_;
    const bool types_hide = is_type || !has_two_names_;
    const bool is_asked = i < values_end_;  // `typeof x` of another parameter
    bool innermost = true;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (types_hide && scope->types.contains(name)) return true;
      if (!is_asked && scope->is_outside(i)) continue;
      // The names of a class body are seen in that body alone.
      const bool is_seen = !is_type && (!scope->is_class || innermost);
      if (is_seen && scope->bound.contains(name)) return true;
      innermost = false;
    }
    return false;
  }

  const Tree& tree_;
  std::uint32_t node_;
  const Coupling& targets_;
  std::vector<Scope> scopes_{};
  std::uint32_t types_end_ = 0, values_end_ = 0;
  std::vector<Range> said_values_{};
  std::unordered_set<std::uint32_t> deleted_{};
  const bool is_python_ = tree_.language == syntax::Language::python;
  const bool has_two_names_ =
      tree_.language == syntax::Language::typescript || tree_.language == syntax::Language::tsx;
  // A package is several files, and what is included is seen by its own name.
  const bool sees_other_files_ =
      tree_.language == syntax::Language::go || tree_.language == syntax::Language::cpp;
  std::map<std::string_view, std::string_view> found_{};  // by what it stands for
  std::set<std::string> elsewhere_{};
};

}  // namespace

Coupling::Coupling(const Tree& tree) : tree_(tree) {
  const auto add = [&](std::string_view name, std::string target) {
    imported_.try_emplace(name, std::move(target) + ":");  // no class has such a name
  };
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Kind kind = tree[i].kind;
    if (kind == Kind::Import || kind == Kind::ImportFrom) each_imported(tree, i, add);
    if (kind == Kind::Assign && has_require(tree.language))
      each_required(tree, i, [&](std::string_view name) { add(name, std::string(name)); });
    if (kind == Kind::Class && (tree[i].flags & flag::name_space) == 0)
      classes_[tree.name(i)].push_back(i);
  }
  imported_.erase("*");
}

std::string_view Coupling::resolved(std::string_view name) const {
  const auto found = imported_.find(name);
  return found == imported_.end() ? name : std::string_view(found->second);
}

std::string_view Coupling::imported_as(std::string_view name) const {
  std::string_view target = resolved(name);
  if (target.ends_with(':')) target.remove_suffix(1);
  return target.substr(target.rfind('.') + 1);
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
