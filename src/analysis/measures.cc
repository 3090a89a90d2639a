#include "analysis/measures.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/adoption_of_file.h"
#include "analysis/metric_families.h"
#include "base/sorted.h"

namespace gh::analysis {
namespace {

/// The second of a name is "name#2": several functions may bear one, and each counts.
void number_repeats(Names& names) {
  std::ranges::sort(names);
  std::string name;
  for (std::size_t i = 0, nth = 0; i < names.size(); ++i) {
    nth = i > 0 && names[i] == name ? nth + 1 : 1;
    if (nth == 1)
      name = names[i];
    else
      names[i] += fmt::format("#{}", nth);
  }
  std::ranges::sort(names);
}

template <class Name>
void count(Spread& spread, std::uint64_t value, Risk risk, const Name& name) {
  ++spread.count;
  spread.sum += value;
  spread.max = std::max(spread.max, value);
  spread.medium += risk == Risk::medium ? 1 : 0;
  if (risk != Risk::high) return;
  ++spread.high;
  spread.beyond.push_back(name());
}

void measure_files(const Project& project, Measures& out) {
  out.files_found = project.files.size();
  for (const AnalysedFile& file : project.files) {
    const FileStatus status = file.facts.status;
    if (!is_folder(file)) out.languages.emplace_back(to_string(file.language));
    ++(is_skipped(status) ? out.files_skipped : out.files_analysed);
    if (status == FileStatus::stat_error || status == FileStatus::source_read_error)
      out.unreadable.push_back(file.path);
    if (status != FileStatus::ok) out.unclear.push_back(file.path);
  }
  sort_unique(out.unclear);
  sort_unique(out.languages);
}

void measure_units(const Project& project, Measures& out) {
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u) {
      const UnitFact& unit = unit_of(project, {f, u});
      if (unit.incomplete || is_suppressed(project, {f, u}, Rule::complexity)) continue;
      const std::uint32_t cc = unit.complexity.cyclomatic;
      count(out.complexity, cc, complexity_risk(cc), [&] { return qualname_of(project, {f, u}); });
    }
  number_repeats(out.complexity.beyond);
}

void measure_classes(const Project& project, Measures& out) {
  constexpr std::uint32_t kPair = 2;  // one method cannot fall apart
  for (const ScoredClass& scored : scored_classes(project)) {
    const Cohesion& cohesion = scored.fact->cohesion;
    const std::size_t coupled = scored.fact->coupled.size();
    const Risk loose = cohesion_risk(cohesion.lcom4);
    const auto name = [&] { return scored.place.qualname; };
    if (!scored.hides_coupling) count(out.coupling, coupled, coupling_risk(coupled), name);
    if (scored.hides_cohesion) continue;
    count(out.cohesion, cohesion.lcom4, loose, name);
    if (cohesion.graph_nodes < kPair) continue;
    ++out.graph_classes;
    out.low_cohesion_graph_classes += loose == Risk::high ? 1 : 0;
  }
  number_repeats(out.cohesion.beyond);
  number_repeats(out.coupling.beyond);
}

struct Lines {
  std::uint32_t from, to;
};

/// Which lines of which units say what another place says first.
using Repeated = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Lines>>;

bool is_production(const Project& project, std::uint32_t file) {
  return source_kind_of(project.files[file].path) == SourceKind::production;
}

Repeated repeated_lines(const Project& project, const Findings& findings) {
  Repeated out;
  for (const CloneGroup& group : findings.function_clones) {
    bool is_first = true;
    for (const UnitRef ref : group.items) {
      if (!is_production(project, ref.file)) continue;
      const UnitFact& unit = unit_of(project, ref);
      if (!is_first) out[{ref.file, ref.unit}].push_back({unit.start_line, unit.end_line});
      is_first = false;
    }
  }
  for (const BlockGroup& group : findings.block_clones) {
    bool is_first = true;
    for (const BlockItem& item : group.items) {
      if (!is_production(project, item.ref.file)) continue;
      if (!is_first)
        out[{item.ref.file, item.ref.unit}].push_back({item.start_line, item.end_line});
      is_first = false;
    }
  }
  return out;
}

/// Every recorded statement once, also those of longer bodies inside; tests are another matter.
void measure_duplication(const Project& project, const Findings& findings, Measures& out) {
  const Repeated repeated = repeated_lines(project, findings);
  const auto add = [&](const std::vector<StatementFact>& list, const std::vector<Lines>* lines) {
    out.statements += list.size();
    if (lines == nullptr) return;
    for (const StatementFact& statement : list)
      out.duplicated_statements += std::ranges::any_of(*lines, [&](const Lines& l) {
        return l.from <= statement.start_line && statement.end_line <= l.to;
      });
  };
  for (std::uint32_t f = 0; f < project.files.size(); ++f) {
    if (!is_production(project, f)) continue;
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u) {
      const auto at = repeated.find({f, u});
      const std::vector<Lines>* lines = at == repeated.end() ? nullptr : &at->second;
      const UnitFact& unit = unit_of(project, {f, u});
      add(unit.statements, lines);
      for (const auto& list : unit.inner)
        add(list, lines);
    }
  }
}

void measure_groups(const Project& project, const Findings& findings, Measures& out) {
  for (const CloneGroup& group : findings.function_clones) {
    const std::string key = out.clones.functions.emplace_back(group.key.hex());
    for (const UnitRef ref : group.items)
      out.members[key].push_back(qualname_of(project, ref));
  }
  for (const BlockGroup& group : findings.block_clones) {
    const std::string key = out.clones.blocks.emplace_back(group.key.hex());
    for (const BlockItem& item : group.items)
      out.members[key].push_back(qualname_of(project, item.ref));
  }
  sort_unique(out.clones.functions);
  sort_unique(out.clones.blocks);
  for (auto& [key, names] : out.members)
    std::ranges::sort(names);  // a unit may hold the same block twice
}

void measure_near_misses(const Findings& findings, Measures& out) {
  for (const NearMissGroup& group : findings.near_misses.groups)
    out.near_misses.push_back(group.key.hex());
  sort_unique(out.near_misses);
}

void measure_dead_code(const Findings& findings, Measures& out) {
  out.dead.candidates = findings.dead_code.candidates;
  for (const DeadItem& item : findings.dead_code.items) {
    out.dead.any.push_back(item.place.qualname);
    if (item.is_high()) out.dead.high.push_back(item.place.qualname);
  }
  sort_unique(out.dead.any);
  sort_unique(out.dead.high);
}

void measure_api(const Project& project, const Findings& findings, Measures& out) {
  if (!project.profile.api_surface) return;
  out.api_surface = api_surface_document(findings.api_surface);
  out.reexports = findings.api_surface.reexports;
  out.api_strict_types = project.profile.api_strict_types;
}

void measure_coverage(const Findings& findings, Measures& out) {
  if (const auto& join = findings.coverage)
    out.coverage = {.is_valid = !join->invalid, .hotspots = join->hotspots()};
}

}  // namespace

void measure_dependencies(const Dependencies& d, Measures& out) {
  out.modules = d.modules.size();
  out.max_depth = d.max_depth;
  out.p95_depth = d.p95_depth;
  out.average_depth = d.average_depth;
  for (const Cycle& cycle : d.cycles) {
    out.cycles.push_back(cycle.members);
    out.modules_in_cycles += cycle.members.size();
  }
  std::ranges::sort(out.cycles);
}

void measure_clones(const Project& project, const Findings& findings, Measures& out) {
  measure_groups(project, findings, out);
  measure_duplication(project, findings, out);
}

AdoptionMeasures adoption_measures(const AdoptionCounts& total) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<std::int64_t>(permille(part, whole));
  };
  return {.typing_param_permille = share(total.params_annotated, total.params),
          .typing_return_permille = share(total.returns_annotated, total.callables),
          .docstring_permille = share(total.public_documented, total.public_symbols),
          .any_count = static_cast<std::int64_t>(total.any_annotations)};
}

Measures measure(const Project& project, const Findings& findings) {
  Measures out;
  measure_files(project, out);
  measure_units(project, out);
  measure_classes(project, out);
  measure_dependencies(findings.dependencies, out);
  measure_clones(project, findings, out);
  measure_near_misses(findings, out);
  measure_dead_code(findings, out);
  out.adoption = adoption_measures(findings.adoption.total);
  measure_api(project, findings, out);
  measure_coverage(findings, out);
  out.security = surfaces_by_category(findings.surfaces);
  return out;
}

CloneKeys clone_keys_in(const Project& project, const Findings& findings, const Names& paths) {
  const auto is_in = [&](UnitRef ref) {
    return std::ranges::binary_search(paths, project.files[ref.file].path);
  };
  CloneKeys out;
  for (const CloneGroup& group : findings.function_clones)
    if (std::ranges::any_of(group.items, is_in)) out.functions.push_back(group.key.hex());
  for (const BlockGroup& group : findings.block_clones)
    if (std::ranges::any_of(group.items, is_in, &BlockItem::ref))
      out.blocks.push_back(group.key.hex());
  sort_unique(out.functions);
  sort_unique(out.blocks);
  return out;
}

}  // namespace gh::analysis
