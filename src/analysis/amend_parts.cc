#include "analysis/amend_parts.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <unordered_set>

#include "analysis/amend_conditions.h"
#include "analysis/blast_radius.h"
#include "analysis/import_targets.h"
#include "analysis/metric_families.h"
#include "analysis/report_view.h"
#include "analysis/surfaces.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

Value item_in(std::string_view text) {
  auto item = wire::read_own_json(text, "an item of a kept list");
  return item ? *std::move(item) : Value(Map{});
}

/// The items of a kept list.
List items_of(const TextList& list) {
  List out;
  for (std::size_t i = 0; i < list.size(); ++i)
    out.push_back(item_in(list[i]));
  return out;
}

/// Who needs whom, in the loads of modules.
void load_imports(const Dependencies& d, KeptRun& kept) {
  for (KeptLoad& load : kept.loads)
    load.fan_in = load.fan_out = load.import_edges = 0;
  // Both lists of modules stand in the order of their names.
  std::vector<std::uint32_t> place(d.modules.size(), kNone);
  for (std::size_t m = 0, i = 0; m < d.modules.size(); ++m) {
    while (i < kept.loads.size() && kept.module(i) < d.modules[m])
      ++i;
    if (i < kept.loads.size() && kept.module(i) == d.modules[m])
      place[m] = static_cast<std::uint32_t>(i);
  }
  for (const DependencyEdge& edge : d.edges) {
    if (edge.from == edge.to) continue;
    if (place[edge.from] != kNone) {
      ++kept.loads[place[edge.from]].fan_out;
      kept.loads[place[edge.from]].import_edges += edge.statements;
    }
    if (place[edge.to] != kNone) ++kept.loads[place[edge.to]].fan_in;
  }
}

/// Who imports is asked for by the module alone: an extract names the files of each importer. Edges
/// of modules that have other files than before are other ones for it, whatever they say.
void name_importers(const TextList& before, const TextList& after, const FilesThen& then,
                    const KeptRun& kept, AmendedRun& out) {
  auto change = std::ranges::find(out.extract, report_path::kEdges, &ListChange::path);
  if (change == out.extract.end() && then.came_or_went.empty()) return;
  if (change == out.extract.end())
    change = out.extract.insert(change, ListChange{std::string(report_path::kEdges)});
  std::unordered_set<std::string_view> same;
  std::set<std::string, std::less<>> moved, importers;
  for (const std::string& path : then.came_or_went)
    if (const auto language = syntax::language_of_path(path))
      moved.insert(module_of(AnalysedFile{.path = path, .language = *language}));
  for (std::size_t i = 0; i < before.size() && !moved.empty(); ++i)
    if (moved.contains(member_text(before[i], "source"))) same.insert(before[i]);
  for (std::size_t i = 0; i < after.size() && !same.empty(); ++i)
    if (same.contains(after[i])) {
      change->before.push_back(item_in(after[i]));
      change->after.push_back(change->before.back());
    }
  for (const List* list : {&change->before, &change->after})
    for (const Value& edge : *list)
      importers.emplace(text_in(edge, "source"));
  const auto name = [&](List& edges, const ModuleFiles& files) {
    for (Value& edge : edges)
      if (member(edge, {"paths"}) == nullptr)
        edge.as_map()->set("paths", string_list(files.files_of(text_in(edge, "source"))));
  };
  // The usual case: each of them has one file, as before.
  const auto single = [&](const Value& edge) -> std::string_view {
    const std::string_view module = text_in(edge, "source");
    const std::size_t at = kept.module_place(module);
    if (at == kept.loads.size() || kept.module(at) != module) return {};
    const KeptLoad& load = kept.loads[at];
    const bool is_single =
        load.files == 1 && static_cast<syntax::Language>(kept.languages[load.first_file]) ==
                               syntax::Language::python;  // whose modules are told by their paths
    return is_single ? kept.path(load.first_file) : std::string_view();
  };
  const auto has_single = [&](const Value& edge) { return !single(edge).empty(); };
  const auto is_as_before = [&](const Value& edge) {
    return has_single(edge) && !moved.contains(text_in(edge, "source"));
  };
  if (std::ranges::all_of(change->after, has_single) &&
      std::ranges::all_of(change->before, is_as_before)) {
    for (List* list : {&change->before, &change->after})
      for (Value& edge : *list)
        if (member(edge, {"paths"}) == nullptr)
          edge.as_map()->set("paths", List{Value(single(edge))});
    return;
  }
  std::vector<std::string> now;
  for (std::size_t f = 0; f < kept.path_ends.size(); ++f)
    if (std::ranges::find(then.gone, kept.path(f)) == then.gone.end())
      now.emplace_back(kept.path(f));
  const ModuleFiles files_now(now, importers);
  name(change->after, files_now);
  name(change->before, then.came_or_went.empty() ? files_now : ModuleFiles(then.paths, importers));
}

bool is_changed(const std::vector<ChangedFile>& changes, std::string_view path) {
  return std::ranges::any_of(changes, [&](const ChangedFile& c) { return c.here().path == path; });
}

/// Is it told of that file by what stands in the file alone?
bool is_of_file(const Value& group, syntax::Language language) {
  const std::string_view category = text_in(group, "category");
  return category == "complexity" || (category != "dependency" && !has_shared_classes(language));
}

const ChangedFile* change_of(const std::vector<ChangedFile>& changes, const Value& group) {
  const List& places = list_in(group, {"items"});
  const std::string_view path = places.empty() ? "" : text_in(places.front(), "relative_path");
  const auto at = std::ranges::find_if(
      changes, [&](const ChangedFile& change) { return change.here().path == path; });
  return at == changes.end() ? nullptr : &*at;
}

/// As sort_by_priority has them.
void sort_by_priority(List& groups) {
  const auto key = [](const Value& group) {
    const List& places = list_in(group, {"items"});
    const Value* first = places.empty() ? nullptr : &places.front();
    const auto line = [&](std::string_view name) {
      return first == nullptr ? 0 : int_in(*first, name).value_or(0);
    };
    return std::tuple(-ten_thousandths_in(group, "priority"), text_in(group, "id"),
                      first == nullptr ? std::string_view() : text_in(*first, "relative_path"),
                      line("start_line"), line("end_line"));
  };
  std::ranges::sort(groups, {}, key);
}

}  // namespace

bool has_shared_classes(syntax::Language language) {
  return language == syntax::Language::cpp || language == syntax::Language::go;
}

void amend_clones(std::shared_ptr<const Project> project, const GoldenFixtures& golden,
                  KeptRun& kept, AmendedReport& report, AmendedRun& out) {
  Findings found;
  find_clones(*project, golden, found);
  CloneLists lists = clone_lists(*project, found);
  for (const auto& [family, list] : lists.clones.entries())
    report.set_list(std::string(report_path::kClones) + family, text_list(*list.as_list()));
  report.set_list(report_path::kStructural, text_list(lists.structural));
  report.at({"findings", "groups", "clones"}).set("suppressed", std::move(lists.suppressed_clones));
  report.at({"findings", "groups", "structural"})
      .set("suppressed", std::move(lists.suppressed_structural));
  Map& counts = report.at({"findings", "summary", "clones"});
  counts.set("new", number(found.function_clones.size() + found.block_clones.size()));
  counts.set("suppressed_segments", number(found.segments.suppressed));
  counts.set("blocks_left_out", number(found.blocks_left_out));
  report.at({"meta", "near_miss"}).set("stop_list", number(found.near_misses.stop_listed));
  Measures measures;
  measure_clones(*project, found, measures);
  kept.measures.functions = std::move(measures.clones.functions);
  kept.measures.blocks = std::move(measures.clones.blocks);
  kept.measures.duplicated_statements = measures.duplicated_statements;
  out.clones = FoundClones{std::move(project), std::move(found)};
}

namespace {

std::uint32_t module_number(const KeptRun& kept, std::string_view module) {
  const std::size_t at = kept.module_place(module);
  return at == kept.loads.size() || kept.module(at) != module ? kNone
                                                              : static_cast<std::uint32_t>(at);
}

/// The number that each module has now; kNone: it is gone.
std::vector<std::uint32_t> numbers_now(const KeptRun& kept, const ModulesThen& then) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0, now = 0, from = 0; i < then.ends.size(); from = then.ends[i++]) {
    const std::string_view name = std::string_view(then.names).substr(from, then.ends[i] - from);
    while (now < kept.loads.size() && kept.module(now) < name)
      ++now;
    const bool is_there = now < kept.loads.size() && kept.module(now) == name;
    out.push_back(is_there ? static_cast<std::uint32_t>(now) : kNone);
  }
  return out;
}

/// May other edges than those of the module of this file be other ones now?
bool touches_others(const KeptRun& kept, const ChangedFile& change) {
  const std::uint32_t module = module_number(kept, module_of(change.here()));
  const bool is_gone = change.fate == FileFate::removed;
  return change.here().language != syntax::Language::python ||
         (is_gone ? module != kNone : module == kNone || kept.loads[module].files != 1) ||
         (change.fate != FileFate::edited && !is_unspoken(kept, change));
}

}  // namespace

std::optional<EdgesNow> edges_again(const KeptRun& kept, const std::vector<ChangedFile>& changes,
                                    const ModulesThen& modules_then) {
  const std::vector<KeptEdge>* then = kept.tables.has_edges ? kept.tables.edges.get() : nullptr;
  if (then == nullptr || then->size() != kept.list(report_path::kEdges).size()) return std::nullopt;
  const std::vector<std::uint32_t> now = numbers_now(kept, modules_then);
  const auto number = [&](std::string_view module) { return module_number(kept, module); };
  const ModuleIndex index{.knows = [&](const std::string& name) { return number(name) != kNone; }};
  std::vector<std::uint8_t> is_read(kept.loads.size(), 0);
  std::vector<std::pair<DependencyEdge, std::uint32_t>> edges, fresh;
  for (const ChangedFile& change : changes) {
    if (change.fate == FileFate::edited &&
        change.before.facts.imports == change.after.facts.imports)
      continue;
    if (touches_others(kept, change)) return std::nullopt;
    if (change.fate == FileFate::removed) continue;
    is_read[number(module_of(change.after))] = 1;
    for (DependencyEdge& edge : edges_of(index, change.after, number))
      fresh.emplace_back(std::move(edge), kNone);
  }
  edges.reserve(then->size() + fresh.size());
  for (std::uint32_t i = 0; i < then->size(); ++i) {
    const KeptEdge& e = (*then)[i];
    if (e.from >= now.size() || e.to >= now.size()) return std::nullopt;
    const std::uint32_t from = now[e.from], to = now[e.to];
    if (from == kNone || is_read[from] != 0) continue;
    if (to == kNone) return std::nullopt;
    edges.emplace_back(DependencyEdge{from,
                                      to,
                                      e.line,
                                      e.statements,
                                      e.is_from != 0,
                                      e.typing_only != 0,
                                      e.deferred != 0,
                                      {}},
                       i);
  }
  const auto middle = static_cast<std::ptrdiff_t>(edges.size());
  const auto place = [](const auto& edge) { return std::pair(edge.first.from, edge.first.to); };
  std::ranges::sort(fresh, {}, place);
  std::ranges::move(fresh, std::back_inserter(edges));
  std::ranges::inplace_merge(edges, edges.begin() + middle, {}, place);
  EdgesNow out;
  for (std::size_t m = 0; m < kept.loads.size(); ++m)
    out.dependencies.modules.emplace_back(kept.module(m));
  for (auto& [edge, item] : edges) {
    out.dependencies.edges.push_back(std::move(edge));
    out.items.push_back(item);
  }
  complete(out.dependencies);
  return out;
}

void amend_dependencies(EdgesNow now, const FilesThen& then, KeptRun& kept, AmendedReport& report,
                        AmendedRun& out) {
  out.dependencies = std::move(now.dependencies);
  const Dependencies& d = *out.dependencies;
  const TextList& before = kept.list(report_path::kEdges);
  TextList edges;
  std::string text;
  for (std::size_t i = 0; i < d.edges.size(); ++i) {
    if (i < now.items.size() && now.items[i] != kNone) {
      edges.add(before[now.items[i]]);
      continue;
    }
    text.clear();
    append_item(dependency_columns(), EdgeOf{d, d.edges[i]}, text);
    edges.add(text);
  }
  report.set_list(report_path::kEdges, edges);
  name_importers(before, edges, then, kept, out);
  const Map told = dependency_family(d);
  report.set_summary("dependencies", *told.find("summary")->as_map());
  for (const std::string_view list : {"cycles", "longest_chains"})
    report.family("dependencies").set(std::string(list), *told.find(list));
  load_imports(d, kept);
  Measures measures;
  measure_dependencies(d, measures);
  KeptMeasures& k = kept.measures;
  k.cycles = measures.cycles.size();
  k.modules = measures.modules;
  k.modules_in_cycles = measures.modules_in_cycles;
  k.max_depth = measures.max_depth;
  k.p95_depth = measures.p95_depth;
  k.average_depth = measures.average_depth;
}

void amend_design(const std::vector<ChangedFile>& changes, const Profile& profile,
                  const Project* imports, const KeptRun& kept, AmendedReport& report,
                  const AmendedRun& out) {
  List groups = items_of(kept.list(report_path::kDesign));
  std::erase_if(groups, [&](const Value& group) {
    if (text_in(group, "category") == "dependency") return imports != nullptr;
    const ChangedFile* change = change_of(changes, group);
    return change != nullptr && is_of_file(group, change->here().language);
  });
  const auto add = [&](const Project& project, const Dependencies& d,
                       const syntax::Language* language) {
    for (const Group& group : design_groups(
             project, language == nullptr ? std::vector<ScoredUnit>() : scored_units(project),
             language == nullptr ? std::vector<ScoredClass>() : scored_classes(project), d))
      if (Value document = group_document(group);
          language == nullptr || is_of_file(document, *language))
        groups.push_back(std::move(document));
  };
  for (const ChangedFile& change : changes)
    if (change.fate != FileFate::removed)
      add(Project{.files = {change.after}, .profile = profile}, {}, &change.after.language);
  if (imports != nullptr) add(*imports, *out.dependencies, nullptr);
  sort_by_priority(groups);
  report.set_list(report_path::kDesign, text_list(groups));
}

void amend_surfaces(const std::vector<ChangedFile>& changes, const KeptRun& kept,
                    AmendedReport& report, AmendedRun& out) {
  List items = items_of(kept.list(report_path::kSurfaces));
  std::erase_if(items, [&](const Value& item) {
    return is_changed(changes, text_in(item, "relative_path"));
  });
  for (const ChangedFile& change : changes) {
    if (change.fate == FileFate::removed) continue;
    Map told = surface_family(surfaces_of(Project{.files = {change.after}}));
    std::ranges::move(*told.find("items")->as_list(), std::back_inserter(items));
  }
  std::ranges::stable_sort(items, {},
                           [](const Value& item) { return text_in(item, "relative_path"); });
  out.surfaces = surface_summary(items);
  report.set_summary("security_surfaces", *out.surfaces);
  report.set_list(report_path::kSurfaces, text_list(items));
}

void amend_life(const Project& project, KeptRun& kept, AmendedReport& report, AmendedRun& out) {
  const DeadCode dead = dead_code_of(project);
  kept.dead.clear();
  for (const DeadItem& item : dead.items)
    kept.dead.push_back({*file_named(kept, item.place.path), item.place.start_line,
                         item.place.end_line, kNone, item.kind, item.reason, item.place.qualname});
  kept.candidates = dead.candidates;
  const Map told = dead_code_family(dead);
  Map& family = report.family("dead_code");
  ListChange registered{std::string(report_path::kRegistrations),
                        list_in(out.report, {"metrics", "families", "dead_code", "registrations"}),
                        dead.registrations};
  if (registered.before != registered.after) out.extract.push_back(std::move(registered));
  for (const std::string_view list : {"suppressed", "registrations"})
    family.set(std::string(list), *told.find(list));
  report.at({"findings", "groups", "dead_code"}).set("suppressed", suppressed_dead_groups(dead));
  report.set_summary("dead_code", *told.find("summary")->as_map());
}

}  // namespace gh::analysis
