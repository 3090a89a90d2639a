#include "analysis/metric_families.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "analysis/class_records.h"
#include "analysis/ratio.h"
#include "analysis/suppressed.h"
#include "analysis/unit_ids.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

constexpr std::uint32_t kCriticalComplexity = 40;  // above

Value as_suppressed(Value item, Rule rule) {
  item.as_map()->set("rule", to_string(rule));
  item.as_map()->set("source", "inline");
  return item;
}

/// Worst first, then by name.
void sort_by(std::vector<ScoredClass>& classes, std::uint64_t (*score)(const ClassFact&)) {
  std::ranges::stable_sort(classes, [score](const ScoredClass& a, const ScoredClass& b) {
    return std::tuple(score(*b.fact), std::string_view(a.place.qualname)) <
           std::tuple(score(*a.fact), std::string_view(b.place.qualname));
  });
}

}  // namespace

Map family(Map summary, List items) {
  return Map{
      {"summary", std::move(summary)}, {"items", std::move(items)}, {"items_truncated", false}};
}

namespace {

/// What decides between most units, side by side in memory; the rest of a name decides the others.
struct UnitKey {
  std::uint64_t score;  // the most complex first
  std::uint64_t head;   // of the qualname
  std::uint32_t unit;
};

UnitKey key_of(const ScoredUnit& scored, std::size_t unit) {
  const Complexity& c = scored.unit->complexity;
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < sizeof head; ++i)
    head = head << 8 |
           (i < scored.place.qualname.size() ? static_cast<unsigned char>(scored.place.qualname[i])
                                             : 0u);
  return {~(std::uint64_t{c.cyclomatic} << 32 | c.nesting), head, static_cast<std::uint32_t>(unit)};
}

std::vector<ScoredUnit> all_units(const Project& project) {
  std::vector<ScoredUnit> out;
  std::size_t units = 0;
  for (const AnalysedFile& file : project.files)
    units += file.facts.units.size();
  out.reserve(units);
  for (std::uint32_t f = 0; f < project.files.size(); ++f) {
    const AnalysedFile& file = project.files[f];
    const std::string scope = qualname_of(file, "") + ":";
    for (std::uint32_t u = 0; u < file.facts.units.size(); ++u)
      if (const UnitFact& unit = file.facts.units[u]; !unit.incomplete)
        out.push_back({{scope + unit.local_name, file.path, unit.start_line, unit.end_line},
                       &unit,
                       is_suppressed(project, {f, u}, Rule::complexity)});
  }
  return out;
}

}  // namespace

std::vector<ScoredUnit> scored_units(const Project& project) {
  std::vector<ScoredUnit> all = all_units(project), out;
  std::vector<UnitKey> keys;
  keys.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    keys.push_back(key_of(all[i], i));
  std::ranges::sort(keys, [&](const UnitKey& a, const UnitKey& b) {
    if (a.score != b.score) return a.score < b.score;
    if (a.head != b.head) return a.head < b.head;
    const Place &x = all[a.unit].place, &y = all[b.unit].place;
    return std::tie(x.qualname, x.path, a.unit) < std::tie(y.qualname, y.path, b.unit);
  });
  out.reserve(all.size());
  for (const UnitKey& key : keys)
    out.push_back(std::move(all[key.unit]));
  return out;
}

namespace {

// table: members of a unit's complexity
constexpr std::array kComplexityColumns = std::to_array<Column<ScoredUnit>>({
    {"cognitive_complexity",
     [](const ScoredUnit& s) { return Cell(std::uint64_t{s.unit->complexity.cognitive}); }},
    {"cyclomatic_complexity",
     [](const ScoredUnit& s) { return Cell(std::uint64_t{s.unit->complexity.cyclomatic}); }},
    {"end_line", [](const ScoredUnit& s) { return Cell(std::uint64_t{s.place.end_line}); }},
    {"nesting_depth",
     [](const ScoredUnit& s) { return Cell(std::uint64_t{s.unit->complexity.nesting}); }},
    {"qualname", [](const ScoredUnit& s) { return Cell(std::string_view(s.place.qualname)); }},
    {"relative_path", [](const ScoredUnit& s) { return Cell(s.place.path); }},
    {"risk",
     [](const ScoredUnit& s) {
       return Cell(to_string(complexity_risk(s.unit->complexity.cyclomatic)));
     }},
    {"start_line", [](const ScoredUnit& s) { return Cell(std::uint64_t{s.place.start_line}); }},
});

// table: members of a dependency
constexpr std::array kDependencyColumns = std::to_array<Column<EdgeOf>>({
    {"deferred", [](const EdgeOf& e) { return Cell(e.edge.deferred); }},
    {"import_type",
     [](const EdgeOf& e) {
       return Cell(std::string_view(e.edge.is_from ? "from_import" : "import"));
     }},
    {"line", [](const EdgeOf& e) { return Cell(std::uint64_t{e.edge.line}); }},
    {"paths", [](const EdgeOf& e) { return e.edge.paths.empty() ? Cell() : Cell(&e.edge.paths); }},
    {"source", [](const EdgeOf& e) { return Cell(std::string_view(e.all.modules[e.edge.from])); }},
    {"statements", [](const EdgeOf& e) { return Cell(std::uint64_t{e.edge.statements}); }},
    {"target", [](const EdgeOf& e) { return Cell(std::string_view(e.all.modules[e.edge.to])); }},
    {"typing_only", [](const EdgeOf& e) { return Cell(e.edge.typing_only); }},
});

}  // namespace

std::span<const Column<ScoredUnit>> complexity_columns() { return kComplexityColumns; }
std::span<const Column<EdgeOf>> dependency_columns() { return kDependencyColumns; }

Map complexity_family(const std::vector<ScoredUnit>& units) {
  std::uint64_t count = 0, sum = 0, high = 0, max = 0;
  List suppressed;
  for (const ScoredUnit& scored : units) {
    if (scored.is_suppressed) {
      suppressed.push_back(as_suppressed(item_of(complexity_columns(), scored), Rule::complexity));
      continue;
    }
    const std::uint32_t cc = scored.unit->complexity.cyclomatic;
    ++count;
    sum += cc;
    max = std::max<std::uint64_t>(max, cc);
    high += complexity_risk(cc) == Risk::high ? 1 : 0;
  }
  Map out = family(Map{{"total", number(count)},
                       {"average", ratio(sum, count, 2)},
                       {"max", number(max)},
                       {"high_risk", number(high)}},
                   {});
  out.set("suppressed", std::move(suppressed));
  return out;
}

void keep_counted(std::vector<ScoredUnit>& units) {
  std::erase_if(units, [](const ScoredUnit& scored) { return scored.is_suppressed; });
}

std::vector<ScoredClass> scored_classes(const Project& project) {
  std::vector<ScoredClass> out;
  const AskedFor is_asked_for(project);
  for (ClassRecord& record : class_records(project)) {
    const ClassFact& fact = *record.fact;
    const Place place{qualname_of(*record.file, fact), record.file->path, fact.start_line,
                      fact.end_line};
    out.push_back({place, std::move(record.fact), is_asked_for(place, Rule::cohesion),
                   is_asked_for(place, Rule::coupling)});
  }
  return out;
}

Map cohesion_family(std::vector<ScoredClass> classes) {
  sort_by(classes, [](const ClassFact& f) { return std::uint64_t{f.cohesion.lcom4}; });
  std::uint64_t sum = 0, low = 0, max = 0;
  List items, suppressed;
  for (const ScoredClass& scored : classes) {
    const Cohesion& c = scored.fact->cohesion;
    const Risk risk = cohesion_risk(c.lcom4);
    Map item = scored.place.document();
    item.set("lcom4", number(c.lcom4));
    item.set("method_count", number(c.methods));
    item.set("instance_var_count", number(c.instance_variables));
    item.set("risk", to_string(risk));
    if (scored.hides_cohesion) {
      suppressed.push_back(as_suppressed(std::move(item), Rule::cohesion));
      continue;
    }
    items.emplace_back(std::move(item));
    sum += c.lcom4;
    max = std::max<std::uint64_t>(max, c.lcom4);
    low += risk == Risk::high ? 1 : 0;
  }
  const std::size_t count = items.size();
  Map out = family(Map{{"total", number(count)},
                       {"average", ratio(sum, count, 2)},
                       {"max", number(max)},
                       {"low_cohesion", number(low)}},
                   std::move(items));
  out.set("suppressed", std::move(suppressed));
  return out;
}

Map coupling_family(std::vector<ScoredClass> classes) {
  sort_by(classes, [](const ClassFact& f) { return std::uint64_t{f.coupled.size()}; });
  std::uint64_t sum = 0, high = 0, max = 0;
  List items, suppressed;
  for (const ScoredClass& scored : classes) {
    const std::vector<std::string>& names = scored.fact->coupled;
    const Risk risk = coupling_risk(names.size());
    Map item = scored.place.document();
    item.set("cbo", number(names.size()));
    item.set("coupled_classes", string_list(names));
    item.set("risk", to_string(risk));
    if (scored.hides_coupling) {
      suppressed.push_back(as_suppressed(std::move(item), Rule::coupling));
      continue;
    }
    items.emplace_back(std::move(item));
    sum += names.size();
    max = std::max<std::uint64_t>(max, names.size());
    high += risk == Risk::high ? 1 : 0;
  }
  const std::size_t count = items.size();
  Map out = family(Map{{"total", number(count)},
                       {"average", ratio(sum, count, 2)},
                       {"max", number(max)},
                       {"high_risk", number(high)}},
                   std::move(items));
  out.set("suppressed", std::move(suppressed));
  return out;
}

Map dependency_family(const Dependencies& d) {
  List cycles, chains;
  for (const Cycle& cycle : d.cycles)
    cycles.emplace_back(Map{{"members", string_list(cycle.members)}, {"deferred", cycle.deferred}});
  for (const std::vector<std::string>& chain : d.longest_chains)
    chains.push_back(string_list(chain));
  Map out = family(Map{{"modules", number(d.modules.size())},
                       {"edges", number(d.edges.size())},
                       {"cycles", number(d.cycles.size())},
                       {"max_depth", number(d.max_depth)},
                       {"avg_depth", d.average_depth},
                       {"p95_depth", number(d.p95_depth)}},
                   {});
  out.set("cycles", std::move(cycles));
  out.set("longest_chains", std::move(chains));
  return out;
}

namespace {

/// 4.3: "", or "#2" for the second of its name in the file.
std::string number_in_id(std::uint32_t number) {
  return number > 1 ? "#" + std::to_string(number) : std::string();
}

const FileFacts* facts_at(const Project& project, std::string_view path) {
  const auto at = std::ranges::lower_bound(project.files, path, {}, &AnalysedFile::path);
  return at == project.files.end() || at->path != path ? nullptr : &at->facts;
}

std::string unit_in_id(const Project& project, const ScoredUnit& scored) {
  const FileFacts* facts = facts_at(project, scored.place.path);
  if (facts == nullptr) return scored.place.qualname;
  const auto unit = static_cast<std::size_t>(scored.unit - facts->units.data());
  return scored.place.qualname + number_in_id(numbers_of_names(*facts)[unit]);
}

std::string class_in_id(const Project& project, const ScoredClass& scored) {
  const FileFacts* facts = facts_at(project, scored.place.path);
  std::uint32_t number = 1;
  for (std::size_t i = 0; facts != nullptr && i < facts->classes.size(); ++i) {
    const ClassFact& other = facts->classes[i];
    if (!other.extension && other.local_name == scored.fact->local_name &&
        other.start_line < scored.fact->start_line)
      ++number;
  }
  return scored.place.qualname + number_in_id(number);
}

}  // namespace

std::vector<Group> design_groups(const Project& project, const std::vector<ScoredUnit>& units,
                                 const std::vector<ScoredClass>& classes, const Dependencies& d) {
  std::vector<Group> out;
  const auto design = [&](std::string_view category, std::string_view kind,
                          const std::string& subject, const Place& place, Severity severity,
                          Map facts) {
    out.push_back({.id = "design:" + std::string(category) + ":" + subject,
                   .family = "design",
                   .category = category,
                   .kind = kind,
                   .severity = severity,
                   .places = {place},
                   .facts = std::move(facts)});
  };
  for (const ScoredUnit& scored : units)
    if (const Complexity& c = scored.unit->complexity;
        c.cyclomatic > project.profile.design_complexity)
      design("complexity", "function_hotspot", unit_in_id(project, scored), scored.place,
             c.cyclomatic > kCriticalComplexity ? Severity::critical : Severity::warning,
             Map{{"cyclomatic_complexity", number(c.cyclomatic)},
                 {"nesting_depth", number(c.nesting)}});
  for (const ScoredClass& scored : classes) {
    if (scored.fact->coupled.size() > project.profile.design_coupling)
      design("coupling", "class_hotspot", class_in_id(project, scored), scored.place,
             Severity::warning,
             Map{{"cbo", number(scored.fact->coupled.size())},
                 {"coupled_classes", string_list(scored.fact->coupled)}});
    if (scored.fact->cohesion.lcom4 >= project.profile.design_cohesion)
      design("cohesion", "class_hotspot", class_in_id(project, scored), scored.place,
             Severity::warning, Map{{"lcom4", number(scored.fact->cohesion.lcom4)}});
  }
  std::map<std::string, std::string_view, std::less<>> paths;
  if (!d.cycles.empty())
    for (const AnalysedFile& file : project.files)
      paths.emplace(module_of(file), file.path);
  for (const Cycle& cycle : d.cycles) {
    Group group{
        .id = "design:dependency:" + join(cycle.members, " -> "),
        .family = "design",
        .category = "dependency",
        .kind = "cycle",
        .severity = cycle.deferred ? Severity::warning : Severity::critical,
        .effort = Effort::hard,
        .facts = Map{{"length", number(cycle.members.size())}, {"deferred", cycle.deferred}}};
    for (const std::string& member : cycle.members)
      group.places.push_back({member, paths.at(member), 1, 1});
    out.push_back(std::move(group));
  }
  sort_by_priority(out);
  return out;
}

}  // namespace gh::analysis
