#include "analysis/references.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "analysis/name_stems.h"
#include "base/sorted.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Node;
using syntax::Tree;
namespace flag = syntax::flag;

constexpr std::size_t kMaxPathLiteral = 200;

bool is_word(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// A name, `pkg.module.name` or `pkg.module:name`.
bool is_path_like(std::string_view text) {
  if (text.empty() || text.size() > kMaxPathLiteral || (text[0] >= '0' && text[0] <= '9'))
    return false;
  return std::ranges::all_of(text, [](char c) { return is_word(c) || c == '.' || c == ':'; });
}

template <class F>
void each_word(std::string_view text, F&& f) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end]))
      ++end;
    if (end > at) f(text.substr(at, end - at));
    at = end > at ? end : at + 1;
  }
}

/// `define` and all that belongs to it, for each `#define`.
template <class F>
void each_definition(std::string_view source, F&& f) {
  constexpr std::string_view kBlank = " \t";
  for (std::size_t at = 0; at < source.size();) {
    std::size_t end = source.find('\n', at);
    if (end == std::string_view::npos) end = source.size();
    const std::size_t mark = source.find_first_not_of(kBlank, at);
    const std::size_t word = mark < end && source[mark] == '#'
                                 ? source.find_first_not_of(kBlank, mark + 1)
                                 : std::string_view::npos;
    const bool defines = word < end && source.substr(word).starts_with("define");
    const auto goes_on = [&] {
      const std::string_view line = source.substr(at, end - at);
      return line.ends_with('\\') || line.ends_with("\\\r");
    };
    while (defines && end < source.size() && goes_on()) {
      end = source.find('\n', end + 1);
      if (end == std::string_view::npos) end = source.size();
    }
    if (defines) f(source.substr(word, end - word));
    at = end + 1;
  }
}

/// Words of what `#define` gives a name; where the macro stands is not followed.
template <class F>
void each_macro_word(std::string_view definition, F&& f) {
  std::size_t skipped = 0;  // `define` and its name
  each_word(definition, [&](std::string_view text) {
    if (++skipped > 2) f(text);
  });
}

/// `__attribute__((cleanup(f)))` calls f where its variable ends. What only looks so names what it
/// names anyway.
template <class F>
void each_cleanup(std::string_view source, F&& f) {
  constexpr std::string_view kWord = "cleanup", kBlank = " \t\r\n_";
  for (std::size_t at = source.find(kWord); at != std::string_view::npos;
       at = source.find(kWord, at + kWord.size())) {
    const std::size_t open = source.find_first_not_of(kBlank, at + kWord.size());
    if (open == std::string_view::npos || source[open] != '(') continue;
    const std::size_t close = source.find_first_of("(){};", open + 1);
    if (close == std::string_view::npos || source[close] != ')') continue;
    each_word(source.substr(open + 1, close - open - 1), f);
  }
}

bool names(const Tree& tree, std::string_view text) {
  for (std::uint32_t id = 0; id < tree.symbols.size(); ++id)
    if (tree.symbols.text(id) == text) return true;
  return false;
}

/// Strings of `v = getattr(o, "name")` in a function that also asks `callable(v)` and calls `v(…)`.
class GuardedLookups {
 public:
  explicit GuardedLookups(const Tree& tree) : tree_(tree) {
    if (!names(tree, "getattr") || !names(tree, "callable")) return;
    std::vector<std::uint32_t> functions;
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
      while (!functions.empty() && i >= tree[functions.back()].end)
        functions.pop_back();
      if (tree[i].kind == Kind::Function) functions.push_back(i);
      if (functions.empty()) continue;
      if (tree[i].kind == Kind::Assign) note_lookup(i, functions.back());
      if (tree[i].kind == Kind::Call) note_call(i, functions.back());
    }
    for (const auto& [key, string] : looked_up_)
      if (asked_.contains(key) && called_.contains(key)) found_.insert(string);
  }
  bool holds(std::uint32_t string) const { return found_.contains(string); }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // function, variable

  bool calls(std::uint32_t i, std::string_view name) const {
    return tree_[i].kind == Kind::Call && tree_[i].end > i + 1 && tree_[i + 1].kind == Kind::Name &&
           tree_.name(i + 1) == name;
  }

  void note_lookup(std::uint32_t i, std::uint32_t function) {
    const std::uint32_t target = i + 1, call = tree_[target].end;
    if (tree_[target].kind != Kind::Name || call >= tree_[i].end || !calls(call, "getattr")) return;
    const std::uint32_t object = call + 2;
    if (object >= tree_[call].end) return;
    const std::uint32_t name = tree_[object].end;
    if (name < tree_[call].end && tree_[name].kind == Kind::Str)
      looked_up_.emplace(Key{function, tree_[target].symbol}, name);
  }

  void note_call(std::uint32_t i, std::uint32_t function) {
    if (tree_[i].end <= i + 1 || tree_[i + 1].kind != Kind::Name) return;
    called_.emplace(function, tree_[i + 1].symbol);
    if (calls(i, "callable") && tree_[i].end > i + 2 && tree_[i + 2].kind == Kind::Name)
      asked_.emplace(function, tree_[i + 2].symbol);
  }

  const Tree& tree_;
  std::multimap<Key, std::uint32_t> looked_up_{};
  std::set<Key> asked_{}, called_{};
  std::unordered_set<std::uint32_t> found_{};
};

class Walk {
 public:
  Walk(const Tree& tree, const Declarations& declarations, const std::vector<std::uint32_t>& nodes,
       NameWriter& names)
      : tree_(tree), declarations_(declarations), nodes_(nodes), names_(names), guarded_(tree) {}

  References run() {
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      while (!owners_.empty() && i >= owners_.back().end)
        owners_.pop_back();
      if (next_ < nodes_.size() && nodes_[next_] == i) enter(i);
      i = visit(i);
    }
    if (tree_.language == syntax::Language::c || tree_.language == syntax::Language::cpp) {
      each_definition(tree_.source, [&](std::string_view text) { read_macro(text); });
      each_cleanup(tree_.source, [&](std::string_view name) {
        out_.uses.push_back({kNone, names_.id_of(name)});
      });
    }
    add_renamed();
    sort_unique(out_.uses);
    sort_unique(out_.strings);
    for (const std::string& stem : name_stems(tree_))
      out_.stems.push_back(names_.id_of(stem));
    sort_unique(out_.stems);
    return std::move(out_);
  }

 private:
  struct Owner {
    std::uint32_t end, declaration, body;  // body: the node after its decorators
  };

  void read_macro(std::string_view definition) {
    each_macro_word(definition, [&](std::string_view word) {
      out_.uses.push_back({kNone, names_.id_of(word)});
    });
    for (const std::string& stem : pasted_stems(definition))
      out_.stems.push_back(names_.id_of(stem));
  }

  void enter(std::uint32_t i) {
    const auto declaration = static_cast<std::uint32_t>(next_++);
    if (declarations_.all[declaration].inside_function) return;  // its code is that of the function
    std::uint32_t body = i + 1;
    for (const std::uint32_t child : Children(tree_, i))
      if (tree_[child].kind == Kind::Decorator) body = tree_[child].end;
    owners_.push_back({tree_[i].end, declaration, body});
  }

  /// What a decorator says is said by the code around the declaration.
  std::uint32_t owner_at(std::uint32_t i) const {
    for (auto owner = owners_.rbegin(); owner != owners_.rend(); ++owner)
      if (i >= owner->body) return owner->declaration;
    return kNone;
  }

  /// `@x.setter` above another `x` is no use of it.
  bool is_own_decorator(std::uint32_t i) const {
    return !owners_.empty() && i < owners_.back().body &&
           declarations_.all[owners_.back().declaration].name == names_.id_of_node(i);
  }

  /// What stands there to test keeps nothing alive.
  void use(std::uint32_t i, NameId name) {
    if (i >= tests_end_) out_.uses.push_back({owner_at(i), name});
  }

  /// The last node that is done with.
  std::uint32_t visit(std::uint32_t i) {
    const Node& node = tree_[i];
    switch (node.kind) {
      case Kind::Function:
      case Kind::Class:
        if ((node.flags & flag::for_tests) != 0) tests_end_ = std::max(tests_end_, node.end);
        break;
      case Kind::Opaque:  // what a macro may become
        if (tree_.language == syntax::Language::rust && node.end == i + 1)
          each_word(tree_.text(i), [&](std::string_view word) { use(i, names_.id_of(word)); });
        break;
      case Kind::Import:
      case Kind::ImportFrom:
        bind(i);
        return node.end - 1;
      case Kind::Global:
        return node.end - 1;
      case Kind::Delete:
        for (const std::uint32_t child : Children(tree_, i))
          skip_deleted(child);
        break;
      case Kind::Assign:
        declared_ = i + 1;
        break;
      case Kind::AugAssign:
        if (node.end > i + 1) written_and_read_ = i + 1;
        break;
      case Kind::Type:
        types_end_ = std::max(types_end_, node.end);
        break;
      case Kind::Name:
      case Kind::Attribute:
        if (is_read(i) && !is_own_decorator(i)) use(i, names_.id_of_node(i));
        if (writes_by_format(i)) use(i, names_.id_of("write_fmt"));
        break;
      case Kind::Str:
        visit_string(i);
        break;
      default:
        break;
    }
    return i;
  }

  /// `write!` and `writeln!` of Rust call a method of what they write to.
  bool writes_by_format(std::uint32_t i) const {
    return tree_.language == syntax::Language::rust &&
           (tree_.name(i) == "write" || tree_.name(i) == "writeln");
  }

  bool is_read(std::uint32_t i) const {
    if (deleted_.contains(i)) return false;
    return (tree_[i].flags & flag::store) == 0 || written_and_read_ == i || is_constant_pattern(i);
  }

  /// `match x { Unit => … }`: in Rust a pattern with a capital is something that there is.
  bool is_constant_pattern(std::uint32_t i) const {
    if (tree_.language != syntax::Language::rust || i < types_end_ || i == declared_) return false;
    const std::string_view name = tree_.name(i);
    return !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
  }

  void skip_deleted(std::uint32_t i) {
    deleted_.insert(i);
    if (tree_[i].kind == Kind::Tuple || tree_[i].kind == Kind::List)
      for (const std::uint32_t child : Children(tree_, i))
        deleted_.insert(child);
  }

  /// Annotations may be quoted; elsewhere a string may still name something.
  void visit_string(std::uint32_t i) {
    const std::string_view text = literal_text(tree_, i);
    const bool is_rust = tree_.language == syntax::Language::rust;  // there an attribute has it
    if (i < types_end_ && !is_rust)
      each_word(text, [&](std::string_view word) { use(i, names_.id_of(word)); });
    else if (guarded_.holds(i))
      use(i, names_.id_of(text));
    else if (is_path_like(text))
      out_.strings.push_back(names_.id_of(is_rust ? text.substr(text.rfind(':') + 1) : text));
  }

  /// `use a::E::*` is there for what E holds.
  std::string_view owner_in(std::string_view path) const {
    if (tree_.language != syntax::Language::rust) return "";
    path.remove_prefix(std::min(path.rfind(':') + 1, path.size()));
    return !path.empty() && path[0] >= 'A' && path[0] <= 'Z' ? path : std::string_view();
  }

  /// Where names are followed by their words alone, the one under which something was imported
  /// stands for the one that it has at home.
  void note_renamed(std::uint32_t i, NameId bound, NameId imported, bool is_star) {
    if (tree_.language == syntax::Language::python) return;  // there imports are followed
    const std::string_view owner = owner_in(tree_.name(i));
    if (bound != imported && !is_star) renamed_.emplace(bound, imported);
    if (owner.empty()) return;
    if (is_star)
      use(i, names_.id_of(owner));
    else
      renamed_.emplace(bound, names_.id_of(owner));
  }

  void add_renamed() {
    if (renamed_.empty()) return;
    for (std::size_t u = 0, written = out_.uses.size(); u < written; ++u) {
      const auto [first, last] = renamed_.equal_range(out_.uses[u].name);
      for (auto at = first; at != last; ++at)
        out_.uses.push_back({out_.uses[u].owner, at->second});
    }
  }

  void bind(std::uint32_t i) {
    if (tree_[i].kind != Kind::ImportFrom) return;
    const NameId module = names_.id_of_node(i);
    for (const std::uint32_t name : Children(tree_, i)) {
      if (tree_[name].kind != Kind::Name) continue;
      const bool has_alias = tree_[name].end > name + 1;
      const NameId imported = names_.id_of_node(name);
      const NameId bound = has_alias ? names_.id_of_node(name + 1) : imported;
      out_.bindings.push_back({.bound = bound,
                               .module = module,
                               .imported = imported,
                               .level = tree_[i].flags,
                               .is_top = owners_.empty(),
                               .is_again = has_alias && bound == imported,
                               .is_star = tree_.name(name) == "*"});
      note_renamed(i, bound, imported, tree_.name(name) == "*");
    }
  }

  const Tree& tree_;
  const Declarations& declarations_;
  const std::vector<std::uint32_t>& nodes_;
  NameWriter& names_;
  GuardedLookups guarded_;
  References out_{};
  std::vector<Owner> owners_{};
  std::size_t next_ = 0;
  std::uint32_t types_end_ = 0, tests_end_ = 0, written_and_read_ = kNone;
  std::uint32_t declared_ = kNone;  // the name that an assignment declares
  std::unordered_set<std::uint32_t> deleted_{};
  std::multimap<NameId, NameId> renamed_{};  // from the name here to that at home
};

}  // namespace

std::string_view literal_text(const Tree& tree, std::uint32_t string) {
  std::string_view text = tree.text(string);
  const std::size_t quote = text.find_first_of("\"'");
  if (quote == std::string_view::npos) return text;  // a piece of a formatted string
  const bool is_triple =
      text.substr(quote).starts_with("\"\"\"") || text.substr(quote).starts_with("'''");
  const std::size_t marks = is_triple ? 3 : 1;
  text.remove_prefix(quote);
  if (text.size() < 2 * marks) return "";
  return text.substr(marks, text.size() - 2 * marks);
}

References references_of(const Tree& tree, const Declarations& declarations,
                         const std::vector<std::uint32_t>& nodes, NameWriter& names) {
  return Walk(tree, declarations, nodes, names).run();
}

}  // namespace gh::analysis
