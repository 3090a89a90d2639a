#include "analysis/amend_conditions.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/archive.h"
#include "analysis/name_stems.h"
#include "analysis/near_miss.h"

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

bool has_hotspot(const FileFacts& facts, const Profile& profile) {
  return std::ranges::any_of(facts.units, [&](const UnitFact& unit) {
    return unit.complexity.cyclomatic > profile.design_complexity;
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

bool is_plain_function(const FileFacts& facts, const DeclarationFact& fact) {
  return fact.kind == DeclarationKind::function && fact.parent == kNone && !fact.inside_function &&
         !fact.has_unknown_decorator && fact.bases_from == fact.bases_to &&
         facts.names[fact.name] != "main";  // a program has one, a library none
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
std::optional<FreshFunctions> added_functions(const KeptRun& kept, const ChangedFile& change) {
  const auto& before = change.before.facts.declarations.all;
  const auto& after = change.after.facts.declarations.all;
  FreshFunctions out;
  std::size_t b = 0;
  for (std::uint32_t a = 0; a < after.size(); ++a) {
    const std::string text = declaration_text(change.after.facts, after[a]);
    if (b < before.size() && declaration_text(change.before.facts, before[b]) == text) {
      ++b;
      continue;
    }
    if (!is_plain_function(change.after.facts, after[a]) || !is_fresh(kept, change.after, after[a]))
      return std::nullopt;
    out.push_back(a);
  }
  if (b != before.size()) return std::nullopt;
  return out;
}

std::string_view last_part(std::string_view name) {
  return name.substr(name.find_last_of(".:") + 1);
}

}  // namespace

bool leaves_others_alone(const KeptRun& kept, const ChangedFile& change, const Profile& profile) {
  const FileFacts &before = change.before.facts, &after = change.after.facts;
  return before.status == FileStatus::ok && after.status == FileStatus::ok &&
         before.suppressions.directives.empty() && after.suppressions.directives.empty() &&
         kept.is_told[change.file] == 0 && before.imports == after.imports &&
         before.package == after.package && archived(before.classes) == archived(after.classes) &&
         before.surfaces.empty() && after.surfaces.empty() && !has_hotspot(before, profile) &&
         !has_hotspot(after, profile) && !profile.instance_independent_methods &&
         told_units(before, profile) == told_units(after, profile);
}

std::optional<FreshFunctions> leaves_alive(const KeptRun& kept, const ChangedFile& change) {
  const FileFacts &before = change.before.facts, &after = change.after.facts;
  if (binding_words(before) != binding_words(after) ||
      binding_levels(before) != binding_levels(after) ||
      before.exports.has_all != after.exports.has_all ||
      before.exports.has_getattr != after.exports.has_getattr ||
      export_words(before) != export_words(after) ||
      registration_words(before) != registration_words(after) ||
      texts(before, before.references.stems) != texts(after, after.references.stems))
    return std::nullopt;
  const auto is_doubtful = [&](std::string_view name) {
    return std::ranges::binary_search(kept.doubtful, name);
  };
  // Objects that nobody imports or hands to a framework register nothing.
  const Pairs objects_before = objects_in(before), objects_after = objects_in(after);
  const bool registers = !registration_words(after).empty();
  if (registers && objects_before != objects_after) return std::nullopt;
  for (const auto& changed :
       {only_in(objects_before, objects_after), only_in(objects_after, objects_before)})
    for (const Pair& object : changed)
      if (kept.asked.may_hold(object.first)) return std::nullopt;
  // A string may name what is doubted.
  const auto strings_before = texts(before, before.references.strings),
             strings_after = texts(after, after.references.strings);
  for (const auto& changed :
       {only_in(strings_before, strings_after), only_in(strings_after, strings_before)})
    for (const std::string_view text : changed)
      if (is_doubtful(last_part(text)) || is_doubtful(text)) return std::nullopt;
  const auto fresh = added_functions(kept, change);
  if (!fresh) return std::nullopt;
  std::set<std::string_view> renamed, added_names;
  for (const BindingFact& binding : after.references.bindings)
    if (binding.bound != binding.imported) renamed.insert(after.names[binding.bound]);
  for (const std::uint32_t d : *fresh)
    added_names.insert(after.names[after.declarations.all[d].name]);
  const Pairs uses_before = uses_in(before), uses_after = uses_in(after);
  for (const Pair& use : only_in(uses_before, uses_after))
    if (renamed.contains(use.second) || kept.declared.may_hold(use.second)) return std::nullopt;
  for (const Pair& use : only_in(uses_after, uses_before))
    if (renamed.contains(use.second) ||
        (!added_names.contains(use.second) && is_doubtful(use.second)))
      return std::nullopt;
  return fresh;
}

}  // namespace gh::analysis
