#include "analysis/amend_conditions.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/archive.h"
#include "analysis/metric_families.h"
#include "analysis/name_stems.h"
#include "analysis/near_miss.h"
#include "analysis/surfaces.h"
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

/// Could it be part of a clone of any kind, or hold arms that are alike?
bool may_be_told(const UnitFact& unit, const Profile& p) {
  const auto is_long = [&](std::uint32_t lines, std::uint32_t statements) {
    return unit.loc() >= lines && unit.statements.size() >= statements;
  };
  const bool is_near = unit.flow.size() >= (kMinNearMiss * p.near_miss_similarity + 99) / 100;
  return !unit.branches.empty() ||
         (!unit.incomplete && (is_near || is_long(p.min_loc, p.min_stmt) ||
                               is_long(p.block_min_loc, p.block_min_stmt) ||
                               is_long(p.segment_min_loc, p.segment_min_stmt)));
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
  for (const UnitFact& unit : facts.units)
    if (may_be_told(unit, profile)) out.push_back(unit_text(unit));
  return out;
}

/// The same with their places: whatever a finding says of them stands where it stood.
std::string placed_units(const FileFacts& facts, const Profile& profile) {
  std::vector<UnitFact> out;
  for (const UnitFact& unit : facts.units)
    if (may_be_told(unit, profile)) out.push_back(unit);
  return archived(out);
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

Words binding_words(const FileFacts& facts) {
  static constexpr std::array<std::string_view, 2> kFlags{"-", "+"};
  Words out;
  for (const BindingFact& b : facts.references.bindings)
    out.insert(out.end(),
               {facts.names[b.bound], facts.names[b.module], facts.names[b.imported],
                kFlags[b.is_top ? 1 : 0], kFlags[b.is_again ? 1 : 0], kFlags[b.is_star ? 1 : 0]});
  return out;
}
std::vector<std::uint32_t> binding_levels(const FileFacts& facts) {
  std::vector<std::uint32_t> out;
  for (const BindingFact& binding : facts.references.bindings)
    out.push_back(binding.level);
  return out;
}

Words export_words(const FileFacts& facts) {
  Words out;
  for (const NameId name : facts.exports.all)
    out.push_back(facts.names[name]);
  for (const LazyExport& lazy : facts.exports.lazy)
    out.insert(out.end(), {"lazy", facts.names[lazy.name], facts.names[lazy.module]});
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

/// Who speaks of what, with the declaration that does.
using Uses = std::map<Pair, std::uint32_t>;
Uses uses_in(const FileFacts& facts) {
  Uses out;
  for (const Use& use : facts.references.uses)
    out.emplace(Pair(owner_name(facts, use.owner), facts.names[use.name]), use.owner);
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

/// Has nobody, in any way, spoken of it?
bool is_fresh(const KeptRun& kept, const AnalysedFile& file, const DeclarationFact& fact) {
  const std::string_view name = file.facts.names[fact.name];
  if (kept.names.may_hold(name) || kept.names.may_hold(file.facts.names[fact.local_name]))
    return false;
  StemSet stems;
  for (const std::string& stem : kept.stems)
    stems.add(stem);
  return !stems.matches(name) &&
         std::ranges::none_of(kept.entry_symbols, [&](const std::string& entry) {
           return entry.find(name) != std::string::npos;
         });
}

/// What stands in the new file and not in the old; nullopt when anything else differs.
std::optional<std::vector<std::uint32_t>> added_functions(const KeptRun& kept,
                                                          const ChangedFile& change) {
  const auto& before = change.before.facts.declarations.all;
  const auto& after = change.after.facts.declarations.all;
  std::vector<std::uint32_t> out;
  std::size_t b = 0;
  for (std::uint32_t a = 0; a < after.size(); ++a) {
    const std::string text = declaration_text(change.after.facts, after[a]);
    if (b < before.size() && declaration_text(change.before.facts, before[b]) == text) {
      ++b;
      continue;
    }
    if (!is_plain_function(change.after, after[a]) || !is_fresh(kept, change.after, after[a]))
      return std::nullopt;
    out.push_back(a);
  }
  if (b != before.size()) return std::nullopt;
  return out;
}

std::string_view last_part(std::string_view name) {
  return name.substr(name.find_last_of(".:") + 1);
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

/// Classes whose methods may stand in other files, or that see those of others unnamed.
bool has_shared_classes(syntax::Language language) {
  return language == syntax::Language::cpp || language == syntax::Language::go;
}

/// Names that a file binds for itself, apart from those that it hands on or renames.
bool same_bindings(const FileFacts& before, const FileFacts& after) {
  return binding_words(before) == binding_words(after) &&
         binding_levels(before) == binding_levels(after);
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

}  // namespace

std::string_view touches_others(const KeptRun& kept, const ChangedFile& change,
                                const Profile& profile) {
  const FileFacts &before = change.before.facts, &after = change.after.facts;
  const bool same_classes = archived(before.classes) == archived(after.classes);
  if (before.status != FileStatus::ok || after.status != FileStatus::ok)
    return "a file is not read as a whole";
  if (!before.suppressions.directives.empty() || !after.suppressions.directives.empty())
    return "a comment silences a rule";
  if (kept.is_told[change.file] != 0 &&
      placed_units(before, profile) != placed_units(after, profile))
    return "a finding in the file moved or changed";
  if (before.imports != after.imports || before.package != after.package)
    return "imports changed or moved";
  if (!same_classes && has_shared_classes(change.after.language))
    return "a class changed that other files may share";
  if (surfaces_text(change.before) != surfaces_text(change.after))
    return "ways out of the program changed or moved";
  if (hotspots_text(change.before, profile) != hotspots_text(change.after, profile))
    return "a function or class beyond its limit moved or changed";
  if (profile.instance_independent_methods) return "methods without their instance are asked for";
  if (told_units(before, profile) != told_units(after, profile))
    return "a function changed that is long enough for clones";
  return {};
}

LifeChange life_change(const KeptRun& kept, const ChangedFile& change) {
  const FileFacts &before = change.before.facts, &after = change.after.facts;
  if (!same_bindings(before, after)) return {.why_not = "what is imported changed"};
  if (!same_exports(before, after)) return {.why_not = "what is exported changed"};
  if (registration_words(before) != registration_words(after) || !same_objects(kept, before, after))
    return {.why_not = "what is registered changed"};
  if (texts(before, before.references.stems) != texts(after, after.references.stems))
    return {.why_not = "a name is completed at run time"};
  auto fresh = added_functions(kept, change);
  if (!fresh) return {.why_not = "what is declared changed"};
  LifeChange out{.fresh = std::move(*fresh)};
  if (is_test_file(change.after.path)) return out;  // its uses do not count
  const auto is_doubtful = [&](std::string_view name) {
    return std::ranges::binary_search(kept.doubtful, name);
  };
  // A string may name what is doubted.
  const auto strings_before = texts(before, before.references.strings),
             strings_after = texts(after, after.references.strings);
  for (const auto& changed :
       {only_in(strings_before, strings_after), only_in(strings_after, strings_before)})
    for (const std::string_view text : changed)
      if (is_doubtful(last_part(text)) || is_doubtful(text))
        return {.why_not = "a string names dead code"};
  std::set<std::string_view> renamed, added_names;
  for (const BindingFact& binding : after.references.bindings)
    if (binding.bound != binding.imported) renamed.insert(after.names[binding.bound]);
  for (const std::uint32_t d : out.fresh)
    added_names.insert(after.names[after.declarations.all[d].name]);
  const Uses uses_before = uses_in(before), uses_after = uses_in(after);
  const auto symbols = kept.uses.symbols[change.file];
  for (const auto& [use, owner] : uses_before) {
    if (uses_after.contains(use)) continue;
    if (renamed.contains(use.second)) return {.why_not = "a renamed import is used no more"};
    const std::uint32_t name = kept.uses.name(use.second);
    if (name == kNone) continue;
    if (owner != kNone && owner >= symbols.size()) return {.why_not = "the memory does not fit"};
    out.lost.push_back(
        {owner == kNone ? change.file | UseGraph::kModuleCode : symbols[owner], name});
  }
  for (const auto& [use, owner] : uses_after)
    if (!uses_before.contains(use) &&
        (renamed.contains(use.second) ||
         (!added_names.contains(use.second) && is_doubtful(use.second))))
      return {.why_not = "something is used now that was not"};
  return out;
}

}  // namespace gh::analysis
