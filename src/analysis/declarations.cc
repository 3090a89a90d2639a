#include "analysis/declarations.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "analysis/bare_text.h"
#include "analysis/cohesion.h"
#include "analysis/commonjs.h"
#include "analysis/hash.h"
#include "analysis/jsdoc.h"
#include "analysis/language_traits.h"
#include "analysis/listing.h"
#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::ParamKind;
using syntax::Tree;
namespace flag = syntax::flag;

// table: declaration kinds
constexpr std::array<std::string_view, 4> kKinds{"function", "method", "nested", "class"};

enum class Effect : std::uint8_t { none, is_static, property, exempt, overload, hook };
struct DecoratorRow {
  std::string_view name;
  Effect effect;
};
// table: known annotations of java
constexpr std::array<DecoratorRow, 9> kAnnotations{{
    {"Override", Effect::hook},
    {"Deprecated", Effect::none},
    {"FunctionalInterface", Effect::none},
    {"SafeVarargs", Effect::none},
    {"SuppressWarnings", Effect::none},
    {".NonNull", Effect::none},
    {".NotNull", Effect::none},
    {".Nullable", Effect::none},
    {".CheckReturnValue", Effect::none},
}};
// Decorators that register nothing and call nothing later. A name that ends with '.' stands for all
// of that module, one that begins with '.' for any owner.
// table: known decorators
constexpr std::array<DecoratorRow, 22> kDecorators{{
    {"property", Effect::property},
    {"functools.cached_property", Effect::property},
    {".setter", Effect::property},
    {".getter", Effect::property},
    {".deleter", Effect::property},
    {"staticmethod", Effect::is_static},
    {"classmethod", Effect::none},
    {"functools.", Effect::none},
    {"contextlib.contextmanager", Effect::none},
    {"dataclass", Effect::none},
    {"dataclasses.dataclass", Effect::none},
    {".overload", Effect::overload},
    {"overload", Effect::overload},
    {".abstractmethod", Effect::exempt},
    {"abstractmethod", Effect::exempt},
    {"pydantic.field_validator", Effect::exempt},
    {"pydantic.model_validator", Effect::exempt},
    {"pydantic.root_validator", Effect::exempt},
    {"pydantic.validator", Effect::exempt},
    {"pydantic.field_serializer", Effect::exempt},
    {"pydantic.model_serializer", Effect::exempt},
    {"pydantic.computed_field", Effect::exempt},
}};

bool matches(std::string_view row, std::string_view target) {
  if (row.starts_with('.')) return target.ends_with(row);
  if (row.ends_with('.')) return target.starts_with(row);
  return target == row;
}

const DecoratorRow* row_of(syntax::Language language, std::string_view target) {
  std::span<const DecoratorRow> rows;
  if (language == syntax::Language::python) rows = kDecorators;
  if (language == syntax::Language::java) rows = kAnnotations;
  const auto at = std::ranges::find_if(
      rows, [&](const DecoratorRow& row) { return matches(row.name, target); });
  return at == rows.end() ? nullptr : &*at;
}

/// A function of JavaScript is declared, or it is the value of a variable; any other is reached as
/// a part of what it stands in.
bool stands_for_itself(const Tree& tree, std::uint32_t parent) {
  const Kind kind = tree[parent].kind;
  if (kind != Kind::Assign) return kind == Kind::Module || kind == Kind::Block;
  return tree[parent + 1].kind == Kind::Name;
}

std::uint64_t text_hash(std::string_view text) {
  std::string bare;
  append_bare(bare, text);
  const std::uint64_t hash = hash_of(bare).low;
  return hash == 0 ? 1 : hash;
}

// Bytes between a comment and the name it documents. Without a bound, one comment above a long line
// would be read again for each function in it.
constexpr std::size_t kMaxHead = 4096;

class Walk {
 public:
  Walk(const Tree& tree, const Bindings& bindings, NameWriter& names, Declarations& out,
       std::vector<std::uint32_t>& nodes)
      : tree_(tree), bindings_(bindings), names_(names), out_(out), nodes_(nodes) {}

  void run() {
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      while (!open_.empty() && i >= open_.back().end)
        open_.pop_back();
      while (!around_.empty() && i >= tree_[around_.back()].end)
        around_.pop_back();
      const Kind kind = tree_[i].kind;
      if (kind == Kind::Pass && tree_[i].symbol != 0)
        (open_.empty() ? hides_ : open_.back().hides) = tree_.name(i) == "private";
      const bool declares = kind == Kind::Function || kind == Kind::Class;
      if (declares && is_beyond(i)) {
        i = tree_[i].end - 1;
        continue;
      }
      if (declares) enter(i, kind == Kind::Class);
      around_.push_back(i);
    }
  }

 private:
  struct Open {
    std::uint32_t end, declaration;
    std::string prefix;
    bool hides = false;  // what follows in it
  };

  DeclarationKind kind_below(std::uint32_t parent) const {
    if (parent == kNone) return DeclarationKind::function;
    return out_.all[parent].kind == DeclarationKind::class_ ? DeclarationKind::method
                                                            : DeclarationKind::nested;
  }

  bool is_beyond(std::uint32_t i) const {
    const std::size_t prefix = open_.empty() ? 0 : open_.back().prefix.size();
    return is_beyond_listing(open_.size(), prefix + tree_.name(i).size());
  }

  void enter(std::uint32_t i, bool is_class) {
    const std::string local =
        (open_.empty() ? std::string() : open_.back().prefix) + std::string(tree_.name(i));
    const std::uint32_t parent = open_.empty() ? kNone : open_.back().declaration;
    if (is_class && (tree_[i].flags & flag::name_space) != 0) {
      if ((tree_[i].flags & flag::for_tests) != 0) tests_end_ = std::max(tests_end_, tree_[i].end);
      open_.push_back({tree_[i].end, parent, local + ".", hides_next()});
      return;
    }
    DeclarationFact fact{.local_name = names_.id_of(local),
                         .name = names_.id_of_node(i),
                         .kind = is_class ? DeclarationKind::class_ : kind_below(parent),
                         .parent = parent,
                         .fact = is_class ? classes_++ : units_,
                         .start_line = tree_.start_line(i),
                         .end_line = tree_.end_line(i),
                         .incomplete = !tree_.is_whole(i)};
    fact.inside_function = parent != kNone && (out_.all[parent].inside_function ||
                                               out_.all[parent].kind != DeclarationKind::class_);
    fact.is_declared_only = !is_class && body_of(tree_, i) == 0;
    if (!is_class && (!fact.is_declared_only || fact.incomplete)) ++units_;
    read_flags(i, fact);
    read_decorators(i, fact);
    if (is_class)
      read_bases(i, fact);
    else
      read_signature(i, fact);
    if (fact.kind == DeclarationKind::method && out_.all[parent].is_protocol) fact.is_exempt = true;
    fact.is_documented = is_documented(i);
    open_.push_back({tree_[i].end, static_cast<std::uint32_t>(out_.all.size()),
                     local + (is_class ? "." : ".<locals>."),
                     is_class && (tree_[i].flags & flag::hidden) != 0});
    out_.all.push_back(fact);
    nodes_.push_back(i);
  }

  bool hides_next() const { return open_.empty() ? hides_ : open_.back().hides; }

  void read_flags(std::uint32_t i, DeclarationFact& fact) {
    const std::uint16_t flags = tree_[i].flags;
    const bool is_class = fact.kind == DeclarationKind::class_;
    const std::uint32_t parent = around_.empty() ? 0 : around_.back();
    if ((flags & flag::for_tests) != 0) tests_end_ = std::max(tests_end_, tree_[i].end);
    const bool is_value = tree_[parent].kind == Kind::Assign;
    fact.is_offered =
        ((flags | (is_value ? tree_[parent].flags : std::uint16_t{0})) & flag::exported) != 0 ||
        (is_script() && is_handed_out());
    fact.is_hidden = hides_next() || (!is_class && (flags & flag::hidden) != 0);
    fact.is_hook = (flags & flag::hook) != 0;
    fact.is_extension = is_class && (flags & flag::extension) != 0;
    fact.has_unknown_decorator = (flags & flag::attributed) != 0;
    fact.is_property = !is_class && (flags & flag::accessor) != 0;
    fact.is_exempt =
        i < tests_end_ || fact.is_declared_only || (is_class && (flags & flag::extension) != 0) ||
        tree_.name(i) == "<anonymous>" || (is_script() && !stands_for_itself(tree_, parent));
  }

  /// `exports.f = function …`, `module.exports = class …`, and a member of an object that is the
  /// module: no list says that it is handed out.
  bool is_handed_out() const {
    const bool is_member = !around_.empty() && tree_[around_.back()].kind == Kind::Dict;
    const std::size_t depth = around_.size() - (is_member ? 1 : 0);
    if (depth != 2 || tree_[around_[1]].kind != Kind::Assign) return false;  // at the top
    for (const std::uint32_t target : Children(tree_, around_[1]))
      if (is_module_exports(tree_, target) || (!is_member && is_member_of_exports(tree_, target)))
        return true;
    return false;
  }

  bool is_script() const {
    return tree_.language == syntax::Language::javascript ||
           tree_.language == syntax::Language::typescript ||
           tree_.language == syntax::Language::tsx;
  }

  void read_decorators(std::uint32_t i, DeclarationFact& fact) const {
    for (const std::uint32_t child : Children(tree_, i)) {
      if (tree_[child].kind != Kind::Decorator) continue;
      const DecoratorRow* row = row_of(tree_.language, decorator_target(tree_, bindings_, child));
      if (row == nullptr) {
        fact.has_unknown_decorator = true;
        continue;
      }
      fact.is_static |= row->effect == Effect::is_static;
      fact.is_property |= row->effect == Effect::property;
      fact.is_hook |= row->effect == Effect::hook;
      fact.is_overload |= row->effect == Effect::overload;
      fact.is_exempt |= row->effect == Effect::exempt || row->effect == Effect::overload;
    }
  }

  void read_bases(std::uint32_t i, DeclarationFact& fact) {
    fact.bases_from = static_cast<std::uint32_t>(out_.bases.size());
    for (const std::uint32_t child : Children(tree_, i)) {
      const Kind kind = tree_[child].kind;
      if (kind == Kind::Decorator || kind == Kind::Type || kind == Kind::KwArg ||
          kind == Kind::Block)
        continue;
      out_.bases.push_back(names_.id_of(bindings_.resolve(child)));
    }
    fact.bases_to = static_cast<std::uint32_t>(out_.bases.size());
    fact.is_protocol = is_protocol(tree_, bindings_, i) || (tree_[i].flags & flag::protocol) != 0;
    fact.is_exempt |= fact.is_protocol;
  }

  void read_signature(std::uint32_t i, DeclarationFact& fact) {
    fact.params_from = static_cast<std::uint32_t>(out_.params.size());
    for (const std::uint32_t child : Children(tree_, i)) {
      if (tree_[child].kind == Kind::Param) {
        ParamFact param = param_of(child);
        const bool is_first =
            tree_.language == syntax::Language::python && out_.params.size() == fact.params_from;
        param.is_receiver = (tree_[child].flags & flag::receiver) != 0 ||
                            (is_first && fact.kind == DeclarationKind::method && !fact.is_static &&
                             param.kind <= ParamKind::pos_or_kw);
        out_.params.push_back(param);
      }
      if (tree_[child].kind == Kind::Type && (tree_[child].flags & flag::returns) != 0) {
        fact.returns = text_hash(tree_.text(child));
        fact.returns_any = has_any(child);
      }
    }
    fact.params_to = static_cast<std::uint32_t>(out_.params.size());
    if (tree_.language == syntax::Language::javascript) read_told_types(i, fact);
  }

  /// By their names; a parameter that has none, being a pattern, by its place.
  void read_told_types(std::uint32_t i, DeclarationFact& fact) {
    const ToldTypes told = told_types(jsdoc_above(tree_, i));
    if (!told.returns.empty()) {
      fact.returns = text_hash(told.returns);
      fact.returns_any = tells_anything(told.returns);
    }
    std::unordered_map<std::string_view, std::string_view> types;
    for (const auto& [name, type] : told.params)
      types.try_emplace(name, type);
    std::size_t place = 0;
    for (const std::uint32_t child : Children(tree_, i)) {
      if (tree_[child].kind != Kind::Param) continue;
      const std::string_view name = tree_.name(child);
      const auto found = types.find(name);
      std::string_view type = found == types.end() ? std::string_view() : found->second;
      if (name.empty() && place < told.params.size()) type = told.params[place].type;
      ParamFact& param = out_.params[fact.params_from + place++];
      if (type.empty()) continue;
      param.annotation = text_hash(type);
      param.has_any = tells_anything(type);
    }
  }

  ParamFact param_of(std::uint32_t node) {
    ParamFact out{.name = names_.id_of_node(node),
                  .kind = static_cast<ParamKind>(tree_[node].flags & syntax::kParamKindMask)};
    out.has_default = (tree_[node].flags & flag::optional) != 0;
    for (const std::uint32_t child : Children(tree_, node)) {
      if (tree_[child].kind != Kind::Type) {
        out.has_default |= tree_.language == syntax::Language::python;
        continue;
      }
      out.annotation = text_hash(tree_.text(child));
      out.has_any = has_any(child);
    }
    return out;
  }

  bool has_any(std::uint32_t type) const {
    for (std::uint32_t i = type; i < tree_[type].end; ++i) {
      if (tree_[i].kind != Kind::Name && tree_[i].kind != Kind::Attribute) continue;
      const std::string target = bindings_.resolve(i);
      if (is_script() && (target == "any" || target == "unknown")) return true;
      if (target == "Any" || target == "typing.Any" || target == "typing_extensions.Any")
        return true;
    }
    return false;
  }

  bool is_documented(std::uint32_t i) const {
    const LanguageTraits& traits = traits_of(tree_.language);
    if (traits.documented == Documented::by_docstring) {
      const std::uint32_t body = body_of(tree_, i);
      return body != 0 && tree_[body].end > body + 1 && is_bare_string(tree_, body + 1) &&
             (tree_[body + 2].flags & flag::bytes) == 0;
    }
    if (tree_.language == syntax::Language::rust && has_doc_attribute(tree_[i].start)) return true;
    std::uint32_t start = tree_[i].start;
    auto after = std::ranges::upper_bound(tree_.comments, start, {},
                                          [](const syntax::Comment& c) { return c.start; });
    for (; after != tree_.comments.begin(); --after) {
      const syntax::Comment& above = *std::prev(after);
      const std::string_view text = tree_.source.substr(above.start, above.end - above.start);
      const std::string_view between = tree_.source.substr(above.end, start - above.end);
      if (!is_head(between, text) || (is_go() && !is_above(between)) || trails(above, between))
        return false;
      if (!is_go() || !is_directive(text))
        return std::ranges::any_of(traits.doc_openings, [&](std::string_view opening) {
          return text.starts_with(opening);
        });
      start = above.start;  // it speaks to the compiler; people are spoken to above it
    }
    return false;
  }

  bool is_go() const { return tree_.language == syntax::Language::go; }

  /// Where a line ends what is declared, no other line stands between.
  static bool is_above(std::string_view between) {
    const std::size_t word = between.find_first_not_of(" \t\r\n");
    return word == std::string_view::npos || between.find('\n', word) == std::string_view::npos;
  }

  /// It ends a line on which something else stands.
  bool trails(const syntax::Comment& comment, std::string_view between) const {
    const std::string_view text = tree_.source.substr(comment.start, comment.end - comment.start);
    const bool ends_line = text.ends_with('\n') || between.find('\n') != std::string_view::npos;
    std::uint32_t at = comment.start;
    while (at > 0 && (tree_.source[at - 1] == ' ' || tree_.source[at - 1] == '\t'))
      --at;
    return ends_line && at > 0 && tree_.source[at - 1] != '\n';
  }

  /// `//go:noinline`
  static bool is_directive(std::string_view comment) {
    const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (!comment.starts_with("//")) return false;
    std::size_t at = 2;
    while (at < comment.size() && is_plain(comment[at]))
      ++at;
    return at > 2 && at + 1 < comment.size() && comment[at] == ':' && is_plain(comment[at + 1]);
  }

  /// `#[doc = "…"]` among the attributes above a byte.
  bool has_doc_attribute(std::uint32_t start) const {
    std::string_view above = tree_.source.substr(0, start);
    above.remove_prefix(above.size() - std::min(above.size(), kMaxHead));
    for (;;) {
      above = above.substr(0, above.find_last_not_of(" \t\r\n") + 1);
      const std::size_t open = above.ends_with(']') ? above.rfind("#[") : std::string_view::npos;
      if (open == std::string_view::npos) return false;
      std::string_view word = above.substr(open + 2);
      if (word.starts_with("doc")) {
        word.remove_prefix(3);
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        if (word.starts_with('=')) return true;
      }
      above = above.substr(0, open);
    }
  }

  /// Nothing but what belongs to the declaration, such as annotations, stands between: no empty
  /// line and no end of something else.
  static bool is_head(std::string_view between, std::string_view comment) {
    if (between.size() > kMaxHead) return false;
    std::size_t depth = 0, lines = comment.ends_with('\n') ? 1 : 0;
    for (const char c : between) {
      if (c == '(') ++depth;
      if (c == ')' && depth > 0) --depth;
      if (depth == 0 && (c == ';' || c == '{' || c == '}')) return false;
      if (c == '\n' && ++lines > 1) return false;
      if (c != '\n' && c != ' ' && c != '\t' && c != '\r') lines = 0;
    }
    return true;
  }

  const Tree& tree_;
  const Bindings& bindings_;
  NameWriter& names_;
  Declarations& out_;
  std::vector<std::uint32_t>& nodes_;
  std::vector<Open> open_{};
  std::vector<std::uint32_t> around_{};  // every node that is open
  bool hides_ = false;
  std::uint32_t units_ = 0, classes_ = 0, tests_end_ = 0;
};

void add_constants(const Tree& tree, NameWriter& names, std::vector<ConstantFact>& out) {
  std::vector<bool> known;
  for (const std::uint32_t statement : top_level_statements(tree)) {
    const std::uint16_t flags = tree[statement].flags;
    const bool is_bare = (flags & flag::bare) != 0;
    if (tree[statement].kind != Kind::Assign ||
        (is_bare && tree.language == syntax::Language::python))
      continue;
    std::uint32_t pattern_end = 0;  // `{a, b: c, ...d} = …` takes apart
    for (std::uint32_t i = statement + 1; i < tree[statement].end;) {
      const Kind kind = tree[i].kind;
      const bool is_target = (tree[i].flags & flag::store) != 0;
      const bool takes_apart = i < pattern_end || (kind == Kind::Dict && i == statement + 1 &&
                                                   tree[i].end < tree[statement].end);
      if (kind == Kind::Name && is_target) {
        const NameId name = names.id_of_node(i);
        known.resize(std::max(known.size(), std::size_t{name} + 1));
        if (!known[name])
          out.push_back({name, tree.start_line(statement), tree.end_line(statement),
                         (flags & flag::exported) != 0, (flags & flag::hidden) != 0});
        known[name] = true;
      }
      const bool holds_targets =
          ((is_target || takes_apart) &&
           (kind == Kind::Tuple || kind == Kind::List || kind == Kind::Star)) ||
          (takes_apart && (kind == Kind::Dict || kind == Kind::NamedExpr));
      if (holds_targets) pattern_end = std::max(pattern_end, tree[i].end);
      i = holds_targets ? i + 1 : tree[i].end;
    }
  }
}

}  // namespace

std::string_view to_string(DeclarationKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string decorator_target(const Tree& tree, const Bindings& bindings, std::uint32_t decorator) {
  if (tree[decorator].end == decorator + 1) return "";
  const std::uint32_t expression = decorator + 1;
  return bindings.resolve(tree[expression].kind == Kind::Call ? expression + 1 : expression);
}

std::vector<std::uint32_t> top_level_statements(const Tree& tree) {
  std::vector<std::uint32_t> out, open;
  if (tree.nodes.empty()) return out;
  open.push_back(0);
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    for (const std::uint32_t statement : Children(tree, block)) {
      out.push_back(statement);
      if (is_compound(tree[statement].kind))
        each_arm(tree, statement, [&](std::uint32_t arm) { open.push_back(arm); });
    }
  }
  std::ranges::sort(out);
  return out;
}

Declarations declarations_of(const Tree& tree, const Bindings& bindings, NameWriter& names,
                             std::vector<std::uint32_t>& nodes) {
  Declarations out;
  Walk(tree, bindings, names, out, nodes).run();
  add_constants(tree, names, out.constants);
  return out;
}

}  // namespace gh::analysis
