#include "analysis/relations.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "analysis/relation_scope.h"

namespace gh::analysis {
namespace {

using syntax::Language;
using Path = std::span<const std::string>;

// table: resolution rules
constexpr std::array<std::string_view, 9> kRules{
    "imported_symbol",          "imported_module_attribute", "same_module_function",
    "same_module_class_method", "self_or_cls_method",        "local_shadowing",
    "ambiguous_import",         "unresolved_name",           "unresolved_dynamic"};
// table: origin lanes
constexpr std::array<std::string_view, 2> kLanes{"production", "test"};

struct Answer {
  ResolutionRule rule;
  Found target{};
};

std::string dotted(Path path) {
  std::string out;
  for (const std::string& part : path)
    out.append(out.empty() ? "" : ".").append(part);
  return out;
}

/// Members of the class around a function are in scope without a word before them.
bool searches_classes(Language language) {
  return language == Language::java || language == Language::cpp;
}

/// Answers for one file.
class Resolver {
 public:
  Resolver(const Project& project, const RelationScope& scope,
           const std::vector<RelationFacts>& facts, std::uint32_t file)
      : file_(project.files[file]), scope_(scope), facts_(facts[file]), f_(file) {
    for (const ImportedName& import : facts_.imports)
      imports_[import.bound].push_back(&import);
  }

  Answer answer(const RelationFact& fact, Path path) const {
    if (fact.head == RelationHead::none) return {ResolutionRule::unresolved_dynamic};
    if (fact.head == RelationHead::receiver || fact.head == RelationHead::base)
      return of_receiver(fact, path);
    if (const Found nested = nested_in(fact.owner, path))
      return {ResolutionRule::same_module_function, nested};
    for (std::uint32_t d = fact.owner; d != kNone; d = all()[d].parent)
      if (const auto imports = imports_in(d, path.front()); !imports.empty())
        return of_imports(imports, path);
    if (fact.head == RelationHead::local)
      return {hides_something(path.front()) ? ResolutionRule::local_shadowing
                                            : ResolutionRule::unresolved_dynamic};
    return of_module(fact.owner, path);
  }

 private:
  using Imports = std::vector<const ImportedName*>;

  const std::vector<DeclarationFact>& all() const { return file_.facts.declarations.all; }
  bool is_class(std::uint32_t d) const { return all()[d].kind == DeclarationKind::class_; }

  std::uint32_t class_around(std::uint32_t d) const {
    while (d != kNone && !is_class(d))
      d = all()[d].parent;
    return d;
  }
  Imports imports_in(std::uint32_t owner, const std::string& name) const {
    Imports out;
    if (const auto found = imports_.find(name); found != imports_.end())
      std::ranges::copy_if(found->second, std::back_inserter(out),
                           [&](const ImportedName* i) { return i->owner == owner; });
    return out;
  }
  bool hides_something(const std::string& name) const {
    return !imports_in(kNone, name).empty() || scope_.own(f_, name);
  }

  Answer of_receiver(const RelationFact& fact, Path path) const {
    const std::uint32_t d = class_around(fact.owner);
    // `self::f` of Rust looks like the object of a method, but there is none.
    if (d == kNone) return of_module(fact.owner, path);
    const Found class_ = scope_.own(f_, scope_.local_name(f_, d));
    const bool is_base = fact.head == RelationHead::base;
    Found target;
    if (path.size() == 2) target = scope_.member({f_, d}, path[1], is_base);
    if (path.size() == 1 && fact.kind == RelationKind::call && !is_base) target = class_;
    return {target ? ResolutionRule::self_or_cls_method : ResolutionRule::unresolved_dynamic,
            target};
  }

  Found nested_in(std::uint32_t owner, Path path) const {
    for (std::uint32_t d = owner; d != kNone; d = all()[d].parent)
      if (!is_class(d))
        if (const Found found =
                scope_.own(f_, scope_.local_name(f_, d) + ".<locals>." + dotted(path)))
          return found;
    return std::nullopt;
  }

  Answer of_imports(const Imports& imports, Path path) const {
    for (const ImportedName* import : imports)
      if (scope_.meaning(f_, *import) != scope_.meaning(f_, *imports.front()))
        return {ResolutionRule::ambiguous_import};
    const ImportedName& import = *imports.front();
    const Found target = scope_.imported(f_, import, path.subspan(1));
    if (!target) return {ResolutionRule::unresolved_name};
    return {scope_.brings_module(f_, import) ? ResolutionRule::imported_module_attribute
                                             : ResolutionRule::imported_symbol,
            target};
  }

  Answer of_module(std::uint32_t owner, Path path) const {
    if (path.size() == 1 && searches_classes(file_.language))
      for (std::uint32_t d = class_around(owner); d != kNone; d = class_around(all()[d].parent))
        if (const Found found = scope_.member({f_, d}, path[0], false))
          return {ResolutionRule::self_or_cls_method, found};
    const Imports imports = imports_in(kNone, path.front());
    const Found own = own_name(owner, path);
    if (!imports.empty() && scope_.own(f_, path.front())) return {ResolutionRule::ambiguous_import};
    if (!imports.empty()) return of_imports(imports, path);
    if (own) return {own_rule(*own), own};
    const std::vector<Declared> stars = scope_.by_star(f_, path);
    if (stars.size() > 1) return {ResolutionRule::ambiguous_import};
    if (stars.size() == 1) return {ResolutionRule::imported_symbol, stars.front()};
    if (const Found found = scope_.by_place(f_, path))
      return {file_.language == Language::rust ? ResolutionRule::imported_module_attribute
                                               : ResolutionRule::imported_symbol,
              found};
    return {path.size() == 1 ? ResolutionRule::unresolved_name
                             : ResolutionRule::unresolved_dynamic};
  }

  ResolutionRule own_rule(Declared at) const {
    return scope_.declaration(at).kind == DeclarationKind::function
               ? ResolutionRule::same_module_function
               : ResolutionRule::same_module_class_method;
  }

  /// From the name space around the code outwards.
  Found own_name(std::uint32_t owner, Path path) const {
    std::string around = owner == kNone ? "" : scope_.local_name(f_, owner);
    while (true) {
      const std::size_t dot = around.rfind('.');
      around.resize(dot == std::string::npos ? 0 : dot);
      const Found scope = around.empty() ? Found() : scope_.own(f_, around);
      if (!scope) {  // the module or a name space: what functions and classes hold is not in scope
        const std::string prefix = around.empty() ? "" : around + ".";
        if (const Found found = scope_.own(f_, prefix + dotted(path))) return found;
        if (const Found found = inherited(prefix, path)) return found;
      }
      if (around.empty()) return std::nullopt;
    }
  }

  Found inherited(const std::string& prefix, Path path) const {
    if (path.size() != 2) return std::nullopt;
    const Found class_ = scope_.own(f_, prefix + path[0]);
    if (!class_ || !scope_.is_class(*class_)) return std::nullopt;
    return scope_.member(*class_, path[1], false);
  }

  const AnalysedFile& file_;
  const RelationScope& scope_;
  const RelationFacts& facts_;
  std::uint32_t f_;
  std::map<std::string, Imports> imports_{};
};

class Relations {
 public:
  Relations(const Project& project, const std::vector<RelationFacts>& facts)
      : project_(project), facts_(facts), scope_(project, facts) {}

  std::vector<Relation> run() {
    for (std::uint32_t f = 0; f < project_.files.size(); ++f) {
      const Resolver resolver(project_, scope_, facts_, f);
      for (const RelationFact& fact : facts_[f].all)
        add(f, fact, resolver);
    }
    return std::move(out_);
  }

 private:
  void add(std::uint32_t f, const RelationFact& fact, const Resolver& resolver) {
    const Answer whole = resolver.answer(fact, fact.path);
    if (whole.target || fact.kind == RelationKind::call) keep(f, fact, fact.kind, whole);
    // `Class.table.add(x)` says nothing of `add`, but it names the class.
    RelationFact part = fact;
    part.kind = RelationKind::reference;
    for (std::size_t n = fact.path.size(); !whole.target && n-- > 1;)
      if (const Answer answer = resolver.answer(part, Path(fact.path).first(n)); answer.target) {
        keep(f, fact, RelationKind::reference, answer);
        return;
      }
  }

  void keep(std::uint32_t f, const RelationFact& fact, RelationKind kind, const Answer& answer) {
    const AnalysedFile& file = project_.files[f];
    Relation one{.file = f,
                 .source_qualname =
                     qualname_of(file, fact.owner == kNone ? "" : scope_.local_name(f, fact.owner)),
                 .line = fact.line,
                 .kind = kind,
                 .lane = is_test_file(file) ? OriginLane::test : OriginLane::production,
                 .rule = answer.rule,
                 .expression = fact.expression};
    if (answer.target) {
      one.target_file = answer.target->file;
      one.target_qualname = scope_.qualname(*answer.target);
    }
    for (auto known = out_.rbegin(); known != out_.rend(); ++known) {
      if (known->file != f || known->line != one.line) break;
      if (*known == one) return;
    }
    out_.push_back(std::move(one));
  }

  const Project& project_;
  const std::vector<RelationFacts>& facts_;
  RelationScope scope_;
  std::vector<Relation> out_{};
};

}  // namespace

std::string_view to_string(ResolutionRule rule) { return kRules[static_cast<std::size_t>(rule)]; }
std::string_view to_string(OriginLane lane) { return kLanes[static_cast<std::size_t>(lane)]; }
bool is_resolved(ResolutionRule rule) { return rule < ResolutionRule::local_shadowing; }

std::vector<Relation> relations_of(const Project& project,
                                   const std::vector<RelationFacts>& facts) {
  return Relations(project, facts).run();
}

}  // namespace gh::analysis
