#include "analysis/amend_conditions.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/amend_parts.h"
#include "analysis/archive.h"
#include "analysis/import_targets.h"
#include "analysis/metric_families.h"
#include "analysis/name_stems.h"
#include "analysis/registrations.h"
#include "analysis/surfaces.h"
#include "analysis/thin_project.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

using Words = std::vector<std::string_view>;

template <class T>
std::string archived(const T& of) {
  ArchiveWriter writer;
  writer.put(of);
  return writer.finish();
}

void move_up(std::vector<StatementFact>& list, std::uint32_t lines) {
  for (StatementFact& fact : list) {
    fact.start_line -= lines;
    fact.end_line -= lines;
  }
}

/// Wherever in the file it stands.
std::string unit_text(UnitFact unit) {
  const std::uint32_t start = unit.start_line;
  move_up(unit.statements, start);
  for (auto& list : unit.inner)
    move_up(list, start);
  for (BranchFact& branch : unit.branches) {
    branch.start_line -= start;
    branch.end_line -= start;
  }
  unit.end_line -= start;
  unit.start_line = 0;
  return archived(unit);
}

std::vector<std::string> told_units(const FileFacts& facts, const Profile& profile) {
  std::vector<std::string> out;
  for (UnitFact& unit : thin_units(facts, profile))
    out.push_back(unit_text(std::move(unit)));
  return out;
}

/// The same with their places: whatever a finding says of them stands where it stood.
std::string placed_units(const FileFacts& facts, const Profile& profile) {
  return archived(thin_units(facts, profile));
}

bool has_hotspot(const FileFacts& facts, const Profile& profile) {
  return std::ranges::any_of(facts.units,
                             [&](const UnitFact& unit) {
                               return unit.complexity.cyclomatic > profile.design_complexity;
                             }) ||
         std::ranges::any_of(facts.classes, [&](const ClassFact& fact) {
           return fact.coupled.size() > profile.design_coupling ||
                  fact.cohesion.lcom4 >= profile.design_cohesion;
         });
}

// What a file says in names, apart from the numbers that the names have in it.

std::string_view owner_name(const FileFacts& facts, std::uint32_t declaration) {
  return declaration == kNone ? std::string_view()
                              : facts.names[facts.declarations.all[declaration].local_name];
}

/// What an import binds, wherever it stands.
struct Binding {
  std::string_view bound, module, imported;
  std::uint32_t level;
  bool is_top, is_again, is_star;
  auto operator<=>(const Binding&) const = default;
};

std::set<Binding> bindings_in(const FileFacts& facts) {
  std::set<Binding> out;
  for (const BindingFact& b : facts.references.bindings)
    out.insert({facts.names[b.bound], facts.names[b.module], facts.names[b.imported], b.level,
                b.is_top, b.is_again, b.is_star});
  return out;
}

Words export_words(const FileFacts& facts) {
  Words out;
  for (const NameId name : facts.exports.all)
    out.push_back(facts.names[name]);
  for (const LazyExport& lazy : facts.exports.lazy)
    out.insert(out.end(), {"lazy", facts.names[lazy.name], facts.names[lazy.module]});
  for (const NamedExport& named : facts.exports.named)
    out.insert(out.end(), {"as", facts.names[named.name], facts.names[named.local]});
  return out;
}

Words registration_words(const FileFacts& facts) {
  Words out;
  for (const DecorationFact& d : facts.registrations.decorations)
    out.insert(out.end(), {"@", owner_name(facts, d.declaration), facts.names[d.target]});
  for (const HandedFact& h : facts.registrations.handed)
    out.insert(out.end(),
               {"()", owner_name(facts, h.owner), facts.names[h.callee], facts.names[h.argument]});
  return out;
}

using Pair = std::pair<std::string_view, std::string_view>;
using Pairs = std::set<Pair>;

Pairs objects_in(const FileFacts& facts) {
  Pairs out;
  for (const ObjectFact& object : facts.registrations.objects)
    out.emplace(facts.names[object.name], facts.names[object.maker]);
  return out;
}

/// Who speaks of what.
Pairs uses_in(const FileFacts& facts) {
  Pairs out;
  for (const Use& use : facts.references.uses)
    out.emplace(owner_name(facts, use.owner), facts.names[use.name]);
  return out;
}

std::set<std::string_view> texts(const FileFacts& facts, const std::vector<NameId>& names) {
  std::set<std::string_view> out;
  for (const NameId name : names)
    out.insert(facts.names[name]);
  return out;
}

template <class Set>
std::vector<typename Set::value_type> only_in(const Set& a, const Set& b) {
  std::vector<typename Set::value_type> out;
  std::ranges::set_difference(a, b, std::back_inserter(out));
  return out;
}

/// A declaration as the search for dead code sees it, wherever it stands.
std::string declaration_text(const FileFacts& facts, const DeclarationFact& fact) {
  DeclarationFact flags = fact;  // of which only what is no number of this file
  flags.local_name = flags.name = flags.fact = flags.start_line = flags.end_line = 0;
  flags.params_from = flags.params_to = flags.bases_from = flags.bases_to = 0;
  flags.parent = 0;
  flags.returns = 0;
  flags.returns_any = flags.is_documented = false;
  std::string out = archived(flags);
  const auto add = [&](std::string_view word) { out.append(word).append(1, '\0'); };
  add(facts.names[fact.local_name]);
  add(facts.names[fact.name]);
  add(owner_name(facts, fact.parent));
  for (std::uint32_t b = fact.bases_from; b < fact.bases_to; ++b)
    add(facts.names[facts.declarations.bases[b]]);
  return out;
}

/// One that changes nothing by being there: a function at the top, or in a file of tests, where
/// everything lives, any method.
bool is_plain_function(const AnalysedFile& file, const DeclarationFact& fact) {
  const bool is_placed =
      (fact.kind == DeclarationKind::function && fact.parent == kNone && !fact.inside_function) ||
      (fact.kind == DeclarationKind::method && is_test_file(file.path));
  return is_placed && !fact.has_unknown_decorator && fact.bases_from == fact.bases_to &&
         file.facts.names[fact.name] != "main";  // a program has one, a library none
}

bool is_entry(const KeptRun& kept, std::string_view name) {
  return std::ranges::any_of(kept.entry_symbols, [&](const std::string& entry) {
    return entry.find(name) != std::string::npos;
  });
}

/// Has nobody, in any way, spoken of it?
bool is_fresh(const KeptRun& kept, const AnalysedFile& file, const DeclarationFact& fact) {
  const std::string_view name = file.facts.names[fact.name];
  if (kept.names.may_hold(name) || kept.names.may_hold(file.facts.names[fact.local_name]))
    return false;
  StemSet stems;
  for (const std::string& stem : kept.stems)
    stems.add(stem);
  return !stems.matches(name) && !is_entry(kept, name);
}

/// What stands in the new file and not in the old, when nothing else differs.
LifeChange added_functions(const KeptRun& kept, const ChangedFile& change) {
  const auto& before = change.before.facts.declarations.all;
  const auto& after = change.after.facts.declarations.all;
  LifeChange out;
  std::size_t b = 0;
  for (std::uint32_t a = 0; a < after.size(); ++a) {
    const std::string text = declaration_text(change.after.facts, after[a]);
    if (b < before.size() && declaration_text(change.before.facts, before[b]) == text) {
      ++b;
      continue;
    }
    if (!is_plain_function(change.after, after[a]) || !is_fresh(kept, change.after, after[a]))
      return {};
    out.come.push_back(a);
  }
  out.fresh = out.come;
  out.is_known = b == before.size();
  return out;
}

/// One side of a file, with all that could mean one of its declarations.
class Side {
 public:
  explicit Side(const AnalysedFile& file) : file_(file), facts_(file.facts) {
    for (const DeclarationFact& fact : facts_.declarations.all) {
      ++texts_[declaration_text(facts_, fact)];
      ++locals_[facts_.names[fact.local_name]];
    }
    for (const NameId base : facts_.declarations.bases)
      add_head(base);
    for (const DecorationFact& decoration : facts_.registrations.decorations)
      add_head(decoration.target);
    for (const HandedFact& handed : facts_.registrations.handed) {
      add_head(handed.callee);
      add_head(handed.argument);
    }
    for (const ObjectFact& object : facts_.registrations.objects)
      add_head(object.maker);
    for (const NameId name : facts_.exports.all)
      add_head(name);
  }

  /// Declarations that the other side has not, or not as often.
  std::vector<std::uint32_t> missing_in(const Side& other) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t d = 0; d < facts_.declarations.all.size(); ++d) {
      const std::string text = declaration_text(facts_, facts_.declarations.all[d]);
      const auto at = other.texts_.find(text);
      if (at == other.texts_.end() || at->second != texts_.at(text)) out.push_back(d);
    }
    return out;
  }
  bool has_hook() const {
    return std::ranges::any_of(facts_.declarations.all, [&](const DeclarationFact& fact) {
      return is_framework_hook(facts_.names[fact.name]);
    });
  }
  std::string_view local(std::uint32_t d) const {
    return facts_.names[facts_.declarations.all[d].local_name];
  }
  std::size_t count(std::string_view local) const {
    const auto at = locals_.find(local);
    return at == locals_.end() ? 0 : at->second;
  }
  bool speaks_of(std::string_view head) const { return heads_.contains(head); }
  const AnalysedFile& file() const { return file_; }

 private:
  void add_head(NameId name) {
    const std::string_view text = facts_.names[name];
    heads_.insert(text.substr(0, text.find('.')));
  }

  const AnalysedFile& file_;
  const FileFacts& facts_;
  std::map<std::string, std::size_t> texts_{};
  std::map<std::string_view, std::size_t> locals_{};
  std::set<std::string_view> heads_{};
};

bool is_python_alone(const KeptRun& kept) {
  return std::ranges::all_of(kept.languages, [](std::uint8_t language) {
    return static_cast<syntax::Language>(language) == syntax::Language::python;
  });
}

/// Does it make no difference to anything else that this declaration comes or goes?
bool leaves_others(const KeptRun& kept, const Side& here, const Side& there, std::uint32_t d) {
  const FileFacts& facts = here.file().facts;
  const DeclarationFact& fact = facts.declarations.all[d];
  const std::string_view name = facts.names[fact.name], local = here.local(d);
  const std::size_t dot = local.rfind('.');
  const std::string owner =
      dot == std::string_view::npos ? module_of(here.file()) : std::string(local.substr(0, dot));
  const std::string_view head = local.substr(0, local.find('.'));
  const bool is_class = fact.kind == DeclarationKind::class_;
  if (name == "main" || is_entry(kept, name) || kept.may_be_asked(owner, name)) return false;
  if (here.count(local) > 1 || there.count(local) > 1) return false;  // all of them are one symbol
  if (here.speaks_of(head) || there.speaks_of(head)) return false;
  return !is_class || (there.count(local) == 0 && is_python_alone(kept));
}

/// Functions, methods and classes that come and go, as long as nothing means them by their place.
LifeChange changed_declarations(const KeptRun& kept, const ChangedFile& change) {
  const Side before(change.before), after(change.after);
  LifeChange out{
      .is_known = true, .gone = before.missing_in(after), .come = after.missing_in(before)};
  if (out.gone.empty() && out.come.empty()) return out;
  const auto& all = change.after.facts.declarations.all;
  const auto leaves = [&](const Side& here, const Side& there, std::uint32_t d) {
    return leaves_others(kept, here, there, d);
  };
  if (before.has_hook() || after.has_hook() ||
      !std::ranges::all_of(out.gone, [&](std::uint32_t d) { return leaves(before, after, d); }) ||
      !std::ranges::all_of(out.come, [&](std::uint32_t d) { return leaves(after, before, d); }))
    return {};
  for (const std::uint32_t d : out.come)
    if (is_plain_function(change.after, all[d]) && is_fresh(kept, change.after, all[d]))
      out.fresh.push_back(d);
  return out;
}

/// Findings about functions and classes that are beyond their limits.
std::string hotspots_text(const AnalysedFile& file, const Profile& profile) {
  if (!has_hotspot(file.facts, profile)) return {};
  const Project one{.files = {file}, .profile = profile};
  std::string out;
  for (const Group& group : design_groups(one, scored_units(one), scored_classes(one), {}))
    out += wire::canonical_json(group_document(group));
  return out;
}

/// What it says of ways out of the program, with lines.
std::string surfaces_text(const AnalysedFile& file) {
  if (file.facts.surfaces.empty()) return {};
  const Project one{.files = {file}};
  return wire::canonical_json(surface_family(surfaces_of(one)));
}

bool is_package(std::string_view path) {
  return path == "__init__.py" || path.ends_with("/__init__.py");
}

/// Is there no module of the run that begins with the name's first part, wherever the sources of
/// the file begin?
bool is_outside(const KeptRun& kept, const AnalysedFile& file, std::string_view dotted) {
  const auto begins_none = [&](const std::string& first) {
    const std::string below = first + ".";
    const std::size_t at = kept.module_place(first), under = kept.module_place(below);
    const auto name = [&](std::size_t i) {
      return i < kept.loads.size() ? kept.module(i) : std::string_view();
    };
    return name(at) != first && !name(under).starts_with(below);
  };
  const std::string first(dotted.substr(0, dotted.find('.')));
  return begins_none(first) &&
         std::ranges::all_of(source_folders(module_of(file)), [&](const std::string& folder) {
           return begins_none(folder + "." + first);
         });
}

/// Does an import that comes or goes leave it as it is what names of this and of other files mean?
/// The names in bases and registrations are resolved by now and compared by themselves.
bool leaves_names(const KeptRun& kept, const ChangedFile& change, const Binding& binding,
                  const std::set<std::string_view>& exported) {
  if (binding.is_star) return false;
  if (!is_test_file(change.here().path)) {  // tests keep nothing alive
    const bool is_named = binding.is_again || binding.bound != binding.imported ||
                          is_package(change.here().path) || exported.contains(binding.bound);
    if (is_named && (binding.level != 0 || !is_outside(kept, change.here(), binding.module)))
      return false;
  }
  return !binding.is_top || !kept.may_be_asked(module_of(change.here()), binding.bound);
}

bool same_names(const KeptRun& kept, const ChangedFile& change) {
  const std::set<Binding> before = bindings_in(change.before.facts),
                          after = bindings_in(change.after.facts);
  if (before == after) return true;
  std::set<std::string_view> exported;
  for (const AnalysedFile* file : {&change.before, &change.after}) {
    for (const NameId name : file->facts.exports.all)
      exported.insert(file->facts.names[name]);
    for (const BindingFact& binding : file->facts.references.bindings)
      if (binding.is_star) return false;  // it may bring any name
  }
  for (const auto& changed : {only_in(before, after), only_in(after, before)})
    for (const Binding& binding : changed)
      if (!leaves_names(kept, change, binding, exported)) return false;
  return true;
}

bool same_exports(const FileFacts& before, const FileFacts& after) {
  return before.exports.has_all == after.exports.has_all &&
         before.exports.has_getattr == after.exports.has_getattr &&
         export_words(before) == export_words(after);
}

/// Objects that nobody imports or hands to a framework register nothing.
bool same_objects(const KeptRun& kept, const FileFacts& before, const FileFacts& after) {
  const Pairs then = objects_in(before), now = objects_in(after);
  if (then != now && !registration_words(after).empty()) return false;
  for (const auto& changed : {only_in(then, now), only_in(now, then)})
    for (const Pair& object : changed)
      if (kept.asked.may_hold(object.first)) return false;
  return true;
}

/// Declarations of a file of tests: all of them live, and keep nothing alive.
bool same_for_others(const KeptRun& kept, const ChangedFile& change) {
  const std::string module = module_of(change.here());
  bool has_hook = false;  // whose class may be derived from any other one here
  std::map<std::string, std::int64_t> counts;
  std::map<std::string, std::pair<std::string_view, std::string_view>> names;
  for (const AnalysedFile* file : {&change.before, &change.after})
    for (const DeclarationFact& fact : file->facts.declarations.all) {
      const std::string text = declaration_text(file->facts, fact);
      counts[text] += file == &change.after ? 1 : -1;
      names.try_emplace(text, file->facts.names[fact.name], file->facts.names[fact.local_name]);
      has_hook = has_hook || is_framework_hook(file->facts.names[fact.name]);
    }
  return std::ranges::all_of(counts, [&](const auto& entry) {
    const auto& [name, local] = names.at(entry.first);
    const std::string_view first = local.substr(0, local.find('.'));
    return entry.second == 0 || (!has_hook && name != "main" && !is_entry(kept, name) &&
                                 !kept.may_be_asked(module, first));
  });
}

/// Of a file of tests in the one language in which its classes say nothing about others.
LifeChange life_change_of_tests(const KeptRun& kept, const ChangedFile& change) {
  // A module that comes or goes may be what another one means.
  const std::string module = module_of(change.here());
  const bool is_meant =
      change.fate != FileFate::edited && kept.asked.may_hold(module.substr(module.rfind('.') + 1));
  return {.is_known = !is_meant && same_for_others(kept, change)};
}

}  // namespace

bool is_unspoken(const KeptRun& kept, const ChangedFile& change) {
  const std::string& path = change.here().path;
  const std::string module = module_of(change.here()), below = module + ".";
  const std::string_view last = std::string_view(module).substr(module.rfind('.') + 1);
  if (change.here().language != syntax::Language::python || is_package(path) ||
      kept.names.may_hold(last) || kept.asked.may_hold(last) || is_entry(kept, last) ||
      std::ranges::find(kept.entry_files, path) != kept.entry_files.end())
    return false;
  const std::size_t under = kept.module_place(below);
  return under == kept.loads.size() || !kept.module(under).starts_with(below);
}

std::string_view stands_against(const KeptRun& kept, const ChangedFile& change,
                                const Profile& profile) {
  const FileFacts &before = change.before.facts, &after = change.after.facts;
  if (before.status != FileStatus::ok || after.status != FileStatus::ok)
    return "a file is not read as a whole";
  if (!before.suppressions.directives.empty() || !after.suppressions.directives.empty())
    return "a comment silences a rule";
  if (has_shared_classes(change.here().language) &&
      archived(before.classes) != archived(after.classes))
    return "a class changed that other files may share";
  // Classes are seen where their file is included.
  if (change.here().language == syntax::Language::cpp && !kept.coupling.all.empty() &&
      (change.fate != FileFate::edited || before.imports != after.imports))
    return "other classes may be seen now";
  if (names_test_modules(after)) return "other files may be there to test now";
  if (profile.instance_independent_methods) return "methods without their instance are asked for";
  return {};
}

PartsTouched parts_touched(const KeptRun& kept, const ChangedFile& change, const Profile& profile) {
  const FileFacts &before = change.before.facts, &after = change.after.facts;
  const bool is_renamed = change.fate == FileFate::edited && before.package != after.package;
  const auto then = told_units(before, profile), now = told_units(after, profile);
  PartsTouched out;
  out.clones = then != now || (is_renamed && !now.empty()) ||
               (kept.is_told[change.file] != 0 &&
                placed_units(before, profile) != placed_units(after, profile));
  out.imports = change.fate != FileFate::edited || is_renamed || before.imports != after.imports;
  out.surfaces = surfaces_text(change.before) != surfaces_text(change.after);
  out.hotspots = hotspots_text(change.before, profile) != hotspots_text(change.after, profile);
  return out;
}

LifeChange life_change(const KeptRun& kept, const ChangedFile& change) {
  const FileFacts &before = change.before.facts, &after = change.after.facts;
  const bool is_test = is_test_file(change.here().path);
  if (before.package != after.package || !same_names(kept, change)) return {};
  if (registration_words(before) != registration_words(after) || !same_objects(kept, before, after))
    return {};
  if (is_test && change.here().language == syntax::Language::python)
    return life_change_of_tests(kept, change);
  if (change.fate != FileFate::edited && !is_unspoken(kept, change)) return {};
  if (!same_exports(before, after)) return {};
  if (texts(before, before.references.stems) != texts(after, after.references.stems)) return {};
  LifeChange out = change.here().language == syntax::Language::python
                       ? changed_declarations(kept, change)
                       : added_functions(kept, change);
  if (!out.is_known) return {};
  if (is_test) return {.is_known = true};  // it lives, and keeps nothing alive
  const auto texts_before = texts(before, before.references.strings),
             texts_after = texts(after, after.references.strings);
  out.texts = only_in(texts_before, texts_after);
  std::ranges::copy(only_in(texts_after, texts_before), std::back_inserter(out.texts));
  std::set<std::string_view> renamed;
  for (const FileFacts* facts : {&before, &after})
    for (const BindingFact& binding : facts->references.bindings)
      if (binding.bound != binding.imported &&
          (binding.level != 0 || !is_outside(kept, change.here(), facts->names[binding.module])))
        renamed.insert(facts->names[binding.bound]);
  const Pairs uses_before = uses_in(before), uses_after = uses_in(after);
  for (const auto& changed : {only_in(uses_before, uses_after), only_in(uses_after, uses_before)})
    for (const Pair& use : changed) {
      if (renamed.contains(use.second)) return {};
      out.used.push_back(use.second);
    }
  return out;
}

}  // namespace gh::analysis
