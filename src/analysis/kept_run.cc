#include "analysis/kept_run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include <xxhash.h>

#include "analysis/archive.h"
#include "analysis/import_targets.h"
#include "analysis/report_digest.h"
#include "analysis/report_view.h"
#include "analysis/thin_project.h"
#include "base/sorted.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kBitsPerName = 8;
constexpr std::uint16_t kMaxComplexity = 0xffff;
constexpr std::string_view kAll = "*";

// table: kept lists
constexpr std::array<std::string_view, 10> kLists{"findings/groups/clones/functions",
                                                  "findings/groups/clones/blocks",
                                                  "findings/groups/clones/segments",
                                                  "findings/groups/clones/near_miss",
                                                  "findings/groups/structural/groups",
                                                  "findings/groups/dead_code/groups",
                                                  "findings/groups/design/groups",
                                                  "metrics/families/dead_code/items",
                                                  "metrics/families/security_surfaces/items",
                                                  "metrics/families/dependencies/items"};

std::string_view last_part(std::string_view dotted) {
  return dotted.substr(dotted.find_last_of(".:") + 1);
}
std::string_view owner_part(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : dotted.substr(0, dot);
}

void keep_files(const Project& project, KeptRun& out) {
  for (const AnalysedFile& file : project.files) {
    out.paths += file.path;
    out.path_ends.push_back(static_cast<std::uint32_t>(out.paths.size()));
    out.languages.push_back(static_cast<std::uint8_t>(file.language));
    out.lines += is_skipped(file.facts.status) ? 0 : file.facts.lines;
    out.units += file.facts.units.size();
  }
}

bool keep_units(const Project& project, KeptRun& out) {
  for (const AnalysedFile& file : project.files) {
    const auto values = unit_complexities(file.facts);
    if (!values) return false;
    out.complexity.insert(out.complexity.end(), values->begin(), values->end());
    out.unit_ends.push_back(static_cast<std::uint32_t>(out.complexity.size()));
  }
  return true;
}

/// Every path that stands in a finding; not that of a module in a circle, whatever its lines are.
std::set<std::string_view> told_paths(const Value& findings) {
  std::set<std::string_view> out;
  std::vector<const Value*> open{&findings};
  while (!open.empty()) {
    const Value& value = *open.back();
    open.pop_back();
    if (const List* list = value.as_list())
      for (const Value& item : *list)
        open.push_back(&item);
    if (value.as_map() == nullptr || text_in(value, "category") == "dependency") continue;
    if (const std::string_view path = text_in(value, "relative_path"); !path.empty())
      out.insert(path);
    for (const auto& [key, inner] : value.as_map()->entries())
      open.push_back(&inner);
  }
  return out;
}

void keep_told(const Project& project, const RunReport& report, KeptRun& out) {
  const Value* findings = member(report.frame, {"findings"});
  const auto told = findings == nullptr ? std::set<std::string_view>() : told_paths(*findings);
  for (const AnalysedFile& file : project.files)
    out.is_told.push_back(told.contains(file.path) ? 1 : 0);
}

std::uint32_t file_at(const Project& project, std::string_view path) {
  const auto at = std::ranges::lower_bound(project.files, path, {}, [](const AnalysedFile& file) {
    return std::string_view(file.path);
  });
  return static_cast<std::uint32_t>(at - project.files.begin());
}

void keep_loads(const Project& project, const Findings& findings, KeptRun& out) {
  std::vector<const ScoredModule*> modules;
  for (const ScoredModule& module : findings.overloaded.modules)
    modules.push_back(&module);
  std::ranges::sort(modules, {},
                    [](const ScoredModule* m) { return std::string_view(m->load.module); });
  std::vector<std::uint32_t> files(modules.size(), 0);
  for (const AnalysedFile& file : project.files) {
    if (is_skipped(file.facts.status)) continue;
    const std::string name = module_of(file);
    const auto at = std::ranges::lower_bound(
        modules, std::string_view(name), {},
        [](const ScoredModule* m) { return std::string_view(m->load.module); });
    if (at != modules.end()) ++files[static_cast<std::size_t>(at - modules.begin())];
  }
  const auto narrow = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const ModuleLoad& load = modules[i]->load;
    out.module_names += load.module;
    out.module_ends.push_back(narrow(out.module_names.size()));
    out.loads.push_back({file_at(project, load.path), files[i], narrow(load.loc),
                         narrow(load.functions), narrow(load.methods), narrow(load.classes),
                         narrow(load.callables), narrow(load.complexity_total),
                         narrow(load.complexity_max), narrow(load.fan_in), narrow(load.fan_out),
                         narrow(load.import_edges),
                         modules[i]->status == Overload::candidate ? 1u : 0u});
  }
}

void keep_dead(const Project& project, const DeadCode& dead, const UseGraph& uses, KeptRun& out) {
  std::map<std::uint32_t, std::map<std::string, std::uint32_t>> symbols;  // by file and qualname
  for (const DeadItem& item : dead.items) {
    const std::uint32_t file = file_at(project, item.place.path);
    const auto [known, is_new] = symbols.try_emplace(file);
    const std::vector<DeclarationFact>& all = project.files[file].facts.declarations.all;
    for (std::uint32_t d = 0; is_new && d < all.size(); ++d)
      known->second.emplace(
          qualname_of(project.files[file], project.files[file].facts.names[all[d].local_name]),
          uses.symbols[file][d]);
    out.dead.push_back({file, item.place.start_line, item.place.end_line,
                        known->second.at(item.place.qualname), item.kind, item.reason,
                        item.place.qualname});
  }
  out.candidates = dead.candidates;
}

std::string asked_key(std::string_view module, std::string_view name) {
  std::string out(module.substr(module.rfind('.') + 1));
  return out.append(1, ':').append(name);
}

/// What `from <dots><module>` means in that file.
std::string base_of(const AnalysedFile& file, const BindingFact& binding) {
  const std::string_view written = file.facts.names[binding.module];
  if (binding.level == 0 || !written.empty()) return std::string(written);
  std::string out = module_of(file);
  const bool is_package = std::string_view(file.path)
                              .substr(file.path.rfind('/') + 1)
                              .starts_with("__init__.py");  // or .pyi
  for (std::uint32_t i = is_package ? 1 : 0; i < binding.level; ++i)
    out = std::string(owner_part(out));
  return out;
}

/// Calls `take` with each key of KeptRun::asked that the file has.
template <class Take>
void each_asked(const AnalysedFile& file, Take&& take) {
  const FileFacts& facts = file.facts;
  const auto take_dotted = [&](std::string_view dotted) {
    for (std::size_t from = 0, before = 0; from <= dotted.size();) {
      const std::size_t end = std::min(dotted.find('.', from), dotted.size());
      const std::string_view part = dotted.substr(from, end - from);
      if (!part.empty()) take(part);
      if (from > 0) take(asked_key(dotted.substr(before, from - 1 - before), part));
      before = from;
      from = end + 1;
    }
  };
  for (const BindingFact& binding : facts.references.bindings) {
    const std::string base = base_of(file, binding);
    const std::string_view imported = facts.names[binding.imported];
    take(imported);
    take(asked_key(base, binding.is_star ? kAll : imported));
    // Under another name whatever is in it may be asked for.
    if (binding.bound != binding.imported) take(asked_key(imported, kAll));
    take_dotted(base);
  }
  for (const ImportFact& fact : facts.imports) {  // `import a.b` binds no name of another module
    take_dotted(fact.module);
    for (const std::string& name : fact.names)
      take_dotted(name);
  }
  for (const NameId base : facts.declarations.bases)
    take_dotted(facts.names[base]);
  for (const DecorationFact& decoration : facts.registrations.decorations)
    take_dotted(facts.names[decoration.target]);
  for (const HandedFact& handed : facts.registrations.handed) {
    take_dotted(facts.names[handed.argument]);
    take_dotted(facts.names[handed.callee]);
  }
  for (const ObjectFact& object : facts.registrations.objects)
    take_dotted(facts.names[object.maker]);
  for (const LazyExport& lazy : facts.exports.lazy) {
    take_dotted(facts.names[lazy.module]);
    take(facts.names[lazy.name]);
    take(asked_key(facts.names[lazy.module], facts.names[lazy.name]));
  }
}

void keep_names(const Project& project, KeptRun& out) {
  std::size_t names = 0, asked = 0;
  for (const AnalysedFile& file : project.files) {
    names += file.facts.names.size();
    each_asked(file, [&](std::string_view) { ++asked; });
  }
  out.names = NameSieve::for_names(names);
  out.asked = NameSieve::for_names(asked);
  std::set<std::string_view> stems;
  for (const AnalysedFile& file : project.files) {
    add_names(file.facts, out.names);
    add_asked(file, out.asked);
    for (const NameId stem : file.facts.references.stems)
      stems.insert(file.facts.names[stem]);
  }
  out.stems.assign(stems.begin(), stems.end());
}

void keep_lists(const RunReport& report, KeptRun& out) {
  for (const std::string_view path : kLists) {
    TextList list;
    for_each_text(report, path, [&](std::string_view item) { list.add(item); });
    out.lists.emplace_back(std::move(list));
  }
}

void keep_tables(const Project& project, KeptRun& out) {
  std::vector<ThinImports> imports;
  std::vector<std::vector<UnitFact>> units;
  for (const AnalysedFile& file : project.files) {
    imports.push_back(thin_imports(file.facts));
    units.push_back(thin_units(file.facts, project.profile));
    out.tables.has_directives |= !file.facts.suppressions.directives.empty();
  }
  out.tables.imports = Late(std::move(imports));
  out.tables.units = Late(std::move(units));
  out.tables.go_modules = project.go_modules;
}

void keep_edges(const Dependencies& d, KeptRun& out) {
  out.tables.has_edges = d.modules.size() == out.loads.size();
  for (std::size_t m = 0; m < d.modules.size() && out.tables.has_edges; ++m)
    out.tables.has_edges = out.module(m) == d.modules[m];
  std::vector<KeptEdge> edges;
  for (const DependencyEdge& e : d.edges) {
    out.tables.has_edges = out.tables.has_edges && e.paths.empty();
    edges.push_back({e.from, e.to, e.line, e.statements, e.is_from, e.typing_only, e.deferred});
  }
  if (out.tables.has_edges) out.tables.edges = Late(std::move(edges));
}

/// nullopt for one that asks to be left out.
std::optional<KeptClass> class_value(const ScoredClass& scored, ClassMeasure measure) {
  constexpr std::uint32_t kPair = 2;  // one method cannot fall apart
  const ClassFact& fact = *scored.fact;
  if (measure == ClassMeasure::coupling) {
    if (scored.hides_coupling) return std::nullopt;
    return KeptClass{static_cast<std::uint32_t>(fact.coupled.size()), 0};
  }
  if (scored.hides_cohesion) return std::nullopt;
  return KeptClass{fact.cohesion.lcom4, fact.cohesion.graph_nodes >= kPair ? 1u : 0u};
}

/// Classes stand in the order of files.
void keep_classes(const Project& project, const std::vector<ScoredClass>& classes,
                  ClassMeasure measure, const List* items, KeptClasses& out) {
  auto scored = classes.begin();
  for (const AnalysedFile& file : project.files) {
    for (; scored != classes.end() && scored->place.path.data() == file.path.data(); ++scored)
      if (const auto value = class_value(*scored, measure)) out.all.push_back(*value);
    out.ends.push_back(static_cast<std::uint32_t>(out.all.size()));
  }
  std::map<std::string_view, List> by_file;
  if (items != nullptr)
    for (const Value& item : *items)
      by_file[text_in(item, "relative_path")].push_back(item);
  out.digests.assign(project.files.size() * kDigestBytes, '\0');
  for (const auto& [path, list] : by_file)
    items_digest(list).copy(out.digests.data() + file_at(project, path) * kDigestBytes,
                            kDigestBytes);
}

KeptMeasures measures_to_keep(const Measures& m) {
  return {.files_found = m.files_found,
          .files_analysed = m.files_analysed,
          .files_skipped = m.files_skipped,
          .cycles = m.cycles.size(),
          .modules = m.modules,
          .modules_in_cycles = m.modules_in_cycles,
          .max_depth = m.max_depth,
          .p95_depth = m.p95_depth,
          .average_depth = m.average_depth,
          .functions = m.clones.functions,
          .blocks = m.clones.blocks,
          .statements = m.statements,
          .duplicated_statements = m.duplicated_statements};
}

template <class Ends>
bool rise_to(const Ends& ends, std::size_t size) {
  return std::ranges::is_sorted(ends) && (ends.empty() ? size == 0 : ends.back() == size);
}

}  // namespace

ClassList classes_of(const Project& project, ClassMeasure measure) {
  ClassList out;
  std::vector<ScoredClass> classes = scored_classes(project);
  for (const ScoredClass& scored : classes)
    if (const auto value = class_value(scored, measure)) out.values.push_back(*value);
  Map told = measure == ClassMeasure::coupling ? coupling_family(std::move(classes))
                                               : cohesion_family(std::move(classes));
  out.items = std::move(*told.find("items")->as_list());
  return out;
}

std::string items_digest(const List& items) {
  if (items.empty()) return std::string(kDigestBytes, '\0');
  ItemsDigest digest;
  for (const Value& item : items) {
    digest.text() += wire::canonical_json(item);
    digest.end_item();
  }
  return digest.finish();
}

bool NameSieve::is_whole() const { return std::has_single_bit(bits.size()); }

bool KeptClasses::is_whole(std::size_t files) const {
  return ends.size() == files && rise_to(ends, all.size()) &&
         digests.size() == files * kDigestBytes;
}

NameSieve NameSieve::for_names(std::size_t count) {
  return {std::vector<std::uint64_t>(std::bit_ceil(count * kBitsPerName / 64 + 1), 0)};
}

namespace {

/// Three bits of one word: a name that was not seen seldom finds all of them set.
struct SievePlace {
  std::uint64_t word, mask;

  explicit SievePlace(std::string_view name) {
    constexpr std::uint64_t kLow = 63;
    const std::uint64_t hash = XXH3_64bits(name.data(), name.size());
    mask = std::uint64_t{1} << (hash & kLow) | std::uint64_t{1} << (hash >> 6 & kLow) |
           std::uint64_t{1} << (hash >> 12 & kLow);
    word = hash >> 18;
  }
};

}  // namespace

void NameSieve::add(std::string_view name) {
  const SievePlace place(name);
  bits[place.word & (bits.size() - 1)] |= place.mask;
}

bool NameSieve::may_hold(std::string_view name) const {
  const SievePlace place(name);
  return (bits[place.word & (bits.size() - 1)] & place.mask) == place.mask;
}

void add_names(const FileFacts& facts, NameSieve& names) {
  for (NameId i = 0; i < facts.names.size(); ++i) {
    const std::string_view name = facts.names[i];
    names.add(name);
    if (const std::string_view last = last_part(name); last.size() != name.size()) names.add(last);
  }
}

void add_asked(const AnalysedFile& file, NameSieve& asked) {
  each_asked(file, [&](std::string_view key) { asked.add(key); });
}

bool KeptRun::may_be_asked(std::string_view module, std::string_view name) const {
  return asked.may_hold(asked_key(module, name)) ||
         (asked.may_hold(asked_key(module, kAll)) && asked.may_hold(name));
}

std::size_t KeptRun::module_place(std::string_view name) const {
  std::size_t low = 0, high = loads.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (module(middle) < name)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::span<const std::string_view> kept_list_paths() { return kLists; }

const TextList& KeptRun::list(std::string_view path) const {
  static const TextList nothing;
  const auto at = std::ranges::find(kLists, path);
  if (at == kLists.end()) return nothing;
  const TextList* list = lists[static_cast<std::size_t>(at - kLists.begin())].get();
  return list == nullptr || !list->is_whole() ? nothing : *list;
}

const UseGraph* KeptRun::graph(std::size_t files_then) const {
  const UseGraph* out = uses.get();
  return out == nullptr || !out->is_whole(files_then) ? nullptr : out;
}

namespace {

void insert_row(std::vector<std::uint32_t>& ends, std::uint32_t at) {
  ends.insert(ends.begin() + at, at == 0 ? 0 : ends[at - 1]);
}

/// Those that stand at `from` and behind it move by one.
void move_files(KeptRun& run, std::uint32_t from, std::uint32_t by) {
  for (KeptLoad& load : run.loads)
    if (load.first_file >= from) load.first_file += by;
  for (KeptDead& item : run.dead)
    if (item.file >= from) item.file += by;
}

}  // namespace

void KeptRun::insert_file(std::uint32_t at, std::string_view path, syntax::Language language) {
  const std::uint32_t from = at == 0 ? 0 : path_ends[at - 1];
  paths.insert(from, path);
  path_ends.insert(path_ends.begin() + at, from);
  for (std::size_t f = at; f < path_ends.size(); ++f)
    path_ends[f] += static_cast<std::uint32_t>(path.size());
  languages.insert(languages.begin() + at, static_cast<std::uint8_t>(language));
  is_told.insert(is_told.begin() + at, std::uint8_t{0});
  insert_row(unit_ends, at);
  for (std::string* digests :
       {&unit_digests, &adoption_digests, &coupling.digests, &cohesion.digests})
    digests->insert(at * kDigestBytes, kDigestBytes, '\0');
  insert_row(coupling.ends, at);
  insert_row(cohesion.ends, at);
  move_files(*this, at, 1);
}

void KeptRun::erase_file(std::uint32_t at) {
  const std::uint32_t from = at == 0 ? 0 : path_ends[at - 1], size = path_ends[at] - from;
  paths.erase(from, size);
  path_ends.erase(path_ends.begin() + at);
  for (std::size_t f = at; f < path_ends.size(); ++f)
    path_ends[f] -= size;
  languages.erase(languages.begin() + at);
  is_told.erase(is_told.begin() + at);
  unit_ends.erase(unit_ends.begin() + at);
  for (std::string* digests :
       {&unit_digests, &adoption_digests, &coupling.digests, &cohesion.digests})
    digests->erase(at * kDigestBytes, kDigestBytes);
  coupling.ends.erase(coupling.ends.begin() + at);
  cohesion.ends.erase(cohesion.ends.begin() + at);
  move_files(*this, at + 1, ~std::uint32_t{0});  // one less
}

std::optional<std::vector<std::uint16_t>> unit_complexities(const FileFacts& facts) {
  std::vector<std::uint16_t> out;
  for (std::uint32_t u = 0; u < facts.units.size(); ++u) {
    const UnitFact& unit = facts.units[u];
    if (unit.complexity.cyclomatic > kMaxComplexity) return std::nullopt;
    const bool counts = !unit.incomplete && !is_unit_suppressed(facts, u, Rule::complexity);
    out.push_back(counts ? static_cast<std::uint16_t>(unit.complexity.cyclomatic)
                         : std::uint16_t{0});
  }
  return out;
}

std::uint64_t counted_statements(const AnalysedFile& file) {
  std::uint64_t out = 0;
  if (source_kind_of(file.path) != SourceKind::production) return out;
  for (const UnitFact& unit : file.facts.units) {
    out += unit.statements.size();
    for (const auto& list : unit.inner)
      out += list.size();
  }
  return out;
}

bool KeptRun::is_whole() const {
  const std::size_t files = path_ends.size();
  const auto is_file = [&](std::uint32_t file) { return file < files; };
  const auto is_item = [&](const KeptDead& item) {
    return is_file(item.file) && item.kind <= DeclarationKind::class_ &&
           item.reason <= DeadReason::interface_method;
  };
  return rise_to(path_ends, paths.size()) && languages.size() == files && is_told.size() == files &&
         unit_ends.size() == files && rise_to(unit_ends, complexity.size()) &&
         unit_digests.size() == files * kDigestBytes &&
         adoption_digests.size() == files * kDigestBytes &&
         rise_to(module_ends, module_names.size()) && module_ends.size() == loads.size() &&
         std::ranges::all_of(loads, is_file, &KeptLoad::first_file) &&
         std::ranges::all_of(dead, is_item) && names.is_whole() && asked.is_whole() &&
         coupling.is_whole(files) && cohesion.is_whole(files) && lists.size() == kLists.size();
}

std::optional<KeptRun> kept_run(const Project& project, const Findings& findings,
                                const Measures& measures, const RunReport& report,
                                const RunDigests& digests, const UseGraph& uses) {
  if (project.profile.api_surface || findings.coverage ||
      list_at(report.frame, "metrics/families/dead_code/items") == nullptr)
    return std::nullopt;
  // Of one file alone it cannot be told whether it is there to test.
  if (std::ranges::any_of(project.files,
                          [](const AnalysedFile& file) { return names_test_modules(file.facts); }))
    return std::nullopt;
  KeptRun out;
  keep_files(project, out);
  if (!keep_units(project, out)) return std::nullopt;
  keep_told(project, report, out);
  keep_loads(project, findings, out);
  keep_dead(project, findings.dead_code, uses, out);
  keep_names(project, out);
  keep_lists(report, out);
  keep_tables(project, out);
  keep_edges(findings.dependencies, out);
  out.uses = Late(uses);
  const std::vector<ScoredClass> classes = scored_classes(project);
  keep_classes(project, classes, ClassMeasure::coupling,
               list_at(report.frame, "metrics/families/coupling/items"), out.coupling);
  keep_classes(project, classes, ClassMeasure::cohesion,
               list_at(report.frame, "metrics/families/cohesion/items"), out.cohesion);
  const EntryPoints entries = entry_points_of(project.manifests);
  out.entry_symbols = entries.symbols;
  out.entry_files = entries.files;
  out.keeps_public_api = keeps_public_api(project);
  out.adoption = findings.adoption.total;
  out.unit_digests = digests.units;
  out.adoption_digests = digests.adoption;
  out.measures = measures_to_keep(measures);
  out.digested = digests.text;
  return out;
}

std::string to_bytes(const KeptRun& run) {
  ArchiveWriter writer;
  writer.put(run);
  return writer.finish();
}

std::optional<KeptRun> kept_run_from(std::string_view bytes) {
  KeptRun out;
  ArchiveReader reader(bytes);
  reader.get(out);
  if (!reader.ok() || !out.is_whole()) return std::nullopt;
  return out;
}

}  // namespace gh::analysis
