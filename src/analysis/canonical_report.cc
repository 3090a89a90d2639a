#include "analysis/canonical_report.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <unordered_map>

#include "analysis/adoption_of_file.h"
#include "analysis/annotations.h"
#include "analysis/finding.h"
#include "analysis/findings_summary.h"
#include "analysis/inventory.h"
#include "analysis/metric_families.h"
#include "analysis/report_digest.h"
#include "analysis/report_meta.h"
#include "analysis/report_view.h"
#include "analysis/rows.h"
#include "analysis/suppressed.h"
#include "base/digesting.h"
#include "base/parallel.h"
#include "base/product.h"
#include "wire/json.h"
#include "wire/json_stream.h"

namespace gh::analysis {
namespace {

using std::literals::operator""sv;

constexpr std::string_view kSchema = "gh-1.0", kFingerprintVersion = "gh1";
constexpr std::string_view kUnitsPath = "metrics/families/complexity/items",
                           kAdoptionPath = "metrics/families/coverage_adoption/items",
                           kLoadsPath = "metrics/families/overloaded_modules/items";
constexpr std::size_t kPiece = std::size_t{1} << 16;

/// Groups of each family as the report lists them, and those that were left out on request.
struct Groups {
  CloneLists clones{};
  List design{};
  List suppressed_dead_code{}, suppressed_design{};
};

List as_suppressed(List groups, Rule rule) {
  for (Value& group : groups) {
    group.as_map()->set("rule", to_string(rule));
    group.as_map()->set("source", "inline");
  }
  return groups;
}

/// The kind of a structural finding, with dashes, is its rule.
List suppressed_structural(const Project& project, const Structural& structural) {
  List out = structural_documents(project, structural);
  for (Value& group : out) {
    std::string rule(text_in(group, "kind"));
    std::ranges::replace(rule, '_', '-');
    group.as_map()->set("rule", std::move(rule));
    group.as_map()->set("source", "inline");
  }
  return out;
}

/// Golden fixtures, and what a comment asks to leave out.
Map suppressed_clones(const Project& project, const Findings& findings) {
  Map out = golden_documents(project, findings.golden);
  const auto append = [&](std::string_view family, List groups) {
    List& list = *out.find(family)->as_list();
    std::ranges::move(groups, std::back_inserter(list));
  };
  const auto add = [&](std::string_view family, List groups) {
    append(family, as_suppressed(std::move(groups), Rule::clone));
  };
  add("functions", function_documents(project, findings.suppressed_functions));
  add("blocks", block_documents(project, findings.suppressed_blocks));
  add("segments", segment_documents(project, findings.suppressed_segments));
  add("near_miss", near_miss_documents(project, findings.suppressed_near_misses));
  return out;
}

Groups groups_of(const Project& project, const Findings& findings,
                 const std::vector<ScoredUnit>& units, const std::vector<ScoredClass>& classes) {
  Groups out{.clones = clone_lists(project, findings)};
  std::vector<Group> design = design_groups(project, units, classes, findings.dependencies);
  if (findings.coverage) {
    std::ranges::move(coverage_groups(project, *findings.coverage), std::back_inserter(design));
    sort_by_priority(design);
  }
  out.suppressed_design = take_suppressed_design(project, design);
  for (const Group& group : design)
    out.design.emplace_back(group_document(group));
  out.suppressed_dead_code = suppressed_dead_groups(findings.dead_code);
  return out;
}

/// The summary of all findings, with the counts of the clone families.
Map summary_of(const Findings& findings, const Groups& groups) {
  FindingsSummary summary;
  Map counts;
  std::int64_t fresh = 0, known = 0;
  for (const auto& [family, value] : groups.clones.clones.entries()) {
    const List& list = *value.as_list();
    summary.add("clone", list);
    counts.set(family, number(list.size()));
    fresh += count_of(list, "novelty", "new");
    known += count_of(list, "novelty", "known");
  }
  summary.add("structural", groups.clones.structural);
  summary.add_family("dead_code", findings.dead_code.items.size());
  for (const DeadItem& item : findings.dead_code.items)
    summary.add_group(
        to_string(severity_of(item)),
        impact_scope(source_kind_of(item.place.path) == SourceKind::production ? 1 : 0, 1));
  summary.add("design", groups.design);
  counts.set("new", fresh);
  counts.set("known", known);
  const std::size_t suppressed = groups.clones.suppressed();
  counts.set("suppressed", number(suppressed));
  counts.set("suppressed_segments", number(findings.segments.suppressed));
  counts.set("blocks_left_out", number(findings.blocks_left_out));
  Map out = summary.document();
  out.set("clones", std::move(counts));
  out.set("suppressed",
          number(suppressed + groups.suppressed_design.size() +
                 groups.clones.suppressed_structural.size() + groups.suppressed_dead_code.size()));
  return out;
}

Map families_of(const Project& project, const Findings& findings,
                const std::vector<ScoredUnit>& units, const std::vector<ScoredClass>& classes) {
  Map out{{"complexity", complexity_family(units)},
          {"coupling", coupling_family(classes)},
          {"cohesion", cohesion_family(classes)},
          {"dependencies", dependency_family(findings.dependencies)},
          {"dead_code", dead_code_family(findings.dead_code)},
          {"coverage_adoption", adoption_family(findings.adoption)},
          {"overloaded_modules", overloaded_family(findings.overloaded)},
          {"security_surfaces", surface_family(findings.surfaces)}};
  if (project.profile.api_surface) out.set("api_surface", api_surface_family(findings.api_surface));
  if (findings.coverage) out.set("coverage_join", coverage_family(project, *findings.coverage));
  return out;
}

Value names_of(const Map& families) {
  std::vector<std::string> names;
  for (const auto& [name, family] : families.entries())
    names.push_back(name);
  std::ranges::sort(names);
  return string_list(names);
}

Map meta(const Project& project, const Findings& findings, const Map& families) {
  return Map{{"generator", Map{{"name", kProduct}, {"version", kVersion}}},
             {"project_name", nullptr},
             {"scan_root", "."},
             {"analysis_mode", "full"},
             {"analysis_profile", profile_document(project.profile)},
             {"analysis_thresholds", thresholds_document(project.profile)},
             {"languages", languages_document()},
             {"fingerprint_version", kFingerprintVersion},
             {"near_miss", Map{{"stop_list", number(findings.near_misses.stop_listed)}}},
             {"suppressions", bound_suppressions(project)},
             {"unused_suppressions", unused_suppressions(project)},
             {"computed_metric_families", names_of(families)}};
}

}  // namespace

std::size_t CloneLists::suppressed() const {
  std::size_t out = 0;
  for (const auto& [family, list] : suppressed_clones.entries())
    out += list.as_list()->size();
  return out;
}

CloneLists clone_lists(const Project& project, const Findings& findings) {
  return {.clones = Map{{"functions", function_documents(project, findings.function_clones)},
                        {"blocks", block_documents(project, findings.block_clones)},
                        {"segments", segment_documents(project, findings.segments.groups)},
                        {"near_miss", near_miss_documents(project, findings.near_misses.groups)}},
          .suppressed_clones = suppressed_clones(project, findings),
          .structural = structural_documents(project, findings.structural),
          .suppressed_structural = suppressed_structural(project, findings.suppressed_structural)};
}

List suppressed_dead_groups(const DeadCode& dead) {
  List out;
  for (const DeadItem* item : ranked_dead_code(dead.suppressed))
    out.emplace_back(group_document(dead_code_group(*item)));
  return as_suppressed(std::move(out), Rule::dead_code);
}

void find_clones(const Project& project, const GoldenFixtures& golden, Findings& out) {
  out.function_clones = function_clones(project);
  Blocks blocks = block_clones(project, out.function_clones);
  out.block_clones = std::move(blocks.groups);
  out.blocks_left_out = blocks.left_out;
  out.segments = segments(project);
  out.near_misses = near_misses(project, out.function_clones);
  out.golden = {.functions = set_aside(project, golden, out.function_clones),
                .blocks = set_aside(project, golden, out.block_clones),
                .segments = set_aside(project, golden, out.segments.groups),
                .near_misses = set_aside(project, golden, out.near_misses.groups)};
  take_suppressed_clones(project, out.function_clones, out.suppressed_functions);
  take_suppressed_clones(project, out.block_clones, out.suppressed_blocks);
  take_suppressed_clones(project, out.segments.groups, out.suppressed_segments);
  take_suppressed_clones(project, out.near_misses.groups, out.suppressed_near_misses);
  out.structural = structural_findings(project, out.function_clones, out.near_misses.groups);
  out.suppressed_structural = take_suppressed_structural(project, out.structural);
}

Findings find_all(const Project& project, const GoldenFixtures& golden, unsigned jobs) {
  return find_all(project, golden, jobs, nullptr);
}

Findings find_all(const Project& project, const GoldenFixtures& golden, unsigned jobs,
                  UseGraph* uses) {
  Findings out;
  // Each writes members of its own.
  const std::array<std::function<void()>, 3> tasks{
      [&] {
        out.dead_code = uses == nullptr ? dead_code_of(project) : dead_code_of(project, *uses);
      },
      [&] { find_clones(project, golden, out); },
      [&] {
        out.dependencies = dependencies_of(project);
        out.adoption = adoption_of(project);
        if (project.profile.api_surface) out.api_surface = api_surface_of(project);
        out.surfaces = surfaces_of(project);
        out.overloaded = overloaded_modules(module_loads(project, out.dependencies));
      }};
  run_all(jobs, tasks);
  return out;
}

namespace {

/// A list of the report that is made late.
struct LateList {
  std::initializer_list<std::string_view> path;
  std::size_t count;
  std::function<Value(std::size_t)> item;
  std::function<void(std::size_t, std::string&)> write;
};

/// `at` gives the thing itself, or a reference to it.
template <class T, class At>
LateList late_list(std::initializer_list<std::string_view> path, std::span<const Column<T>> columns,
                   std::size_t count, At at) {
  return {path, count, [=](std::size_t i) { return Value(item_of(columns, at(i))); },
          [=](std::size_t i, std::string& to) { append_item(columns, at(i), to); }};
}

std::vector<LateList> late_lists(const RunReport& report) {
  static constexpr auto kUnits = {"metrics"sv, "families"sv, "complexity"sv, "items"sv};
  static constexpr auto kEdges = {"metrics"sv, "families"sv, "dependencies"sv, "items"sv};
  static constexpr auto kAdoption = {"metrics"sv, "families"sv, "coverage_adoption"sv, "items"sv};
  static constexpr auto kLoads = {"metrics"sv, "families"sv, "overloaded_modules"sv, "items"sv};
  static constexpr auto kDead = {"metrics"sv, "families"sv, "dead_code"sv, "items"sv};
  static constexpr auto kRanked = {"findings"sv, "groups"sv, "dead_code"sv, "groups"sv};
  const Findings& f = *report.findings;
  const auto written = [](const std::function<Value(std::size_t)>& item) {
    return [item](std::size_t i, std::string& to) { to += wire::canonical_json(item(i)); };
  };
  const std::function<Value(std::size_t)> dead = [&f](std::size_t i) {
    return dead_code_item(f.dead_code.items[i]);
  };
  const std::function<Value(std::size_t)> ranked = [&report](std::size_t i) {
    return group_document(dead_code_group(*report.ranked_dead[i]));
  };
  return {late_list(kUnits, complexity_columns(), report.units.size(),
                    [&](std::size_t i) -> const ScoredUnit& { return report.units[i]; }),
          late_list(kEdges, dependency_columns(), f.dependencies.edges.size(),
                    [&](std::size_t i) {
                      return EdgeOf{f.dependencies, f.dependencies.edges[i]};
                    }),
          late_list(kAdoption, adoption_columns(), f.adoption.modules.size(),
                    [&](std::size_t i) -> const ModuleAdoption& { return f.adoption.modules[i]; }),
          late_list(kLoads, overloaded_columns(), f.overloaded.modules.size(),
                    [&](std::size_t i) -> const ScoredModule& { return f.overloaded.modules[i]; }),
          {kDead, f.dead_code.items.size(), dead, written(dead)},
          {kRanked, report.ranked_dead.size(), ranked, written(ranked)}};
}

/// Null where metrics were not asked for.
const List* place_of(const LateList& list, const Value& frame) {
  const Value* found = member(frame, list.path);
  return found == nullptr ? nullptr : found->as_list();
}

void write(const RunReport& report, const wire::Sink& sink) {
  std::vector<wire::LateItems> late;
  for (LateList& list : late_lists(report))
    if (const List* place = place_of(list, report.frame))
      late.push_back({place, list.count, std::move(list.write)});
  wire::write_canonical_json(report.frame, late, sink);
}

/// The digest of what each file's units say: they stand in the order of the report.
std::string unit_digests(const Project& project, const std::vector<ScoredUnit>& units) {
  const std::size_t files = project.files.size();
  std::unordered_map<const char*, std::uint32_t> file_of;  // places point to the paths of files
  for (std::uint32_t f = 0; f < files; ++f)
    file_of.emplace(project.files[f].path.data(), f);
  std::vector<std::uint32_t> next(files + 1, 0), order(units.size()), of(units.size());
  for (std::size_t u = 0; u < units.size(); ++u)
    ++next[(of[u] = file_of.at(units[u].place.path.data())) + 1];
  for (std::size_t f = 1; f <= files; ++f)
    next[f] += next[f - 1];
  for (std::uint32_t u = 0; u < units.size(); ++u)
    order[next[of[u]]++] = u;
  std::string out(files * kDigestBytes, '\0');
  ItemsDigest items;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t file = of[order[i]];
    append_item(complexity_columns(), units[order[i]], items.text());
    items.end_item();
    if (i + 1 == order.size() || of[order[i + 1]] != file)
      items.finish().copy(out.data() + file * kDigestBytes, kDigestBytes);
  }
  return out;
}

/// Modules stand in the order of the files that are not skipped.
std::string adoption_digests(const Project& project, const Adoption& adoption) {
  std::string out(project.files.size() * kDigestBytes, '\0');
  auto module = adoption.modules.begin();
  for (std::size_t f = 0; f < project.files.size(); ++f)
    if (!is_skipped(project.files[f].facts.status))
      adoption_digest(*module++).copy(out.data() + f * kDigestBytes, kDigestBytes);
  return out;
}

std::string late_digest(std::size_t count,
                        const std::function<void(std::size_t, std::string&)>& write_item) {
  Digesting digest;
  std::string piece = "[";
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) piece += ',';
    write_item(i, piece);
    if (piece.size() < kPiece) continue;
    digest.add(piece);
    piece.clear();
  }
  digest.add(piece + "]");
  return digest.hex();
}

void take_digest(RunReport& report, RunDigests& digests, unsigned jobs) {
  const std::vector<LateList> late = late_lists(report);
  const std::vector<ScoredModule>& modules = report.findings->overloaded.modules;
  DigestedReport digested = digested_report(
      report.frame,
      [&](const DigestPart& part) {
        if (part.path == kUnitsPath) return digest_over_files(digests.units);
        if (part.path == kAdoptionPath) return digest_over_files(digests.adoption);
        if (part.path == kLoadsPath)
          return late_digest(modules.size(), [&](std::size_t i, std::string& to) {
            append_row(overloaded_columns(), modules[i], to);
          });
        const List* place = list_at(report.frame, part.path);
        for (const LateList& list : late)
          if (place_of(list, report.frame) == place) return late_digest(list.count, list.write);
        return std::string();
      },
      jobs);
  report.frame.as_map()->set("integrity", integrity_document(digested.hex));
  digests.text = std::move(digested.text);
}

/// The summaries of all families in one place.
void summarise_metrics(Map& report) {
  Map& metrics = *report.find("metrics")->as_map();
  Map summary;
  for (const auto& [name, family] : metrics.find("families")->as_map()->entries())
    summary.set(name, *family.as_map()->find("summary"));
  metrics.set("summary", std::move(summary));
}

}  // namespace

RunReport run_report(const Project& project, const Findings& findings,
                     const Annotations& annotations, unsigned jobs) {
  RunDigests digests;
  return run_report(project, findings, annotations, jobs, digests);
}

RunReport run_report(const Project& project, const Findings& findings,
                     const Annotations& annotations, unsigned jobs, RunDigests& digests) {
  RunReport out{.findings = &findings};
  std::vector<ScoredClass> classes;
  Value files;
  run_all(jobs, std::array<std::function<void()>, 2>{[&] { out.units = scored_units(project); },
                                                     [&] {
                                                       classes = scored_classes(project);
                                                       files = inventory(project);
                                                       out.ranked_dead = ranked_dead_code(
                                                           findings.dead_code.items);
                                                     }});
  Groups groups;
  Map summary, families;
  run_all(jobs, std::array<std::function<void()>, 2>{
                    [&] {
                      groups = groups_of(project, findings, out.units, classes);
                      summary = summary_of(findings, groups);
                    },
                    [&] { families = families_of(project, findings, out.units, classes); }});
  CloneLists& clones = groups.clones;
  clones.clones.set("suppressed", std::move(clones.suppressed_clones));
  keep_counted(out.units);
  Map report{{"report_schema_version", kSchema},
             {"meta", meta(project, findings, families)},
             {"inventory", std::move(files)},
             {"findings",
              Map{{"summary", std::move(summary)},
                  {"groups",
                   Map{{"clones", std::move(clones.clones)},
                       {"structural", Map{{"groups", std::move(clones.structural)},
                                          {"suppressed", std::move(clones.suppressed_structural)}}},
                       {"dead_code", Map{{"groups", List{}},
                                         {"suppressed", std::move(groups.suppressed_dead_code)}}},
                       {"design", Map{{"groups", std::move(groups.design)},
                                      {"suppressed", std::move(groups.suppressed_design)}}}}}}},
             {"metrics", Map{{"families", std::move(families)}}}};
  annotate(report, annotations);
  summarise_metrics(report);
  out.frame = std::move(report);
  run_all(jobs, std::array<std::function<void()>, 2>{
                    [&] { digests.units = unit_digests(project, out.units); },
                    [&] { digests.adoption = adoption_digests(project, findings.adoption); }});
  take_digest(out, digests, jobs);
  Map& whole = *out.frame.as_map();
  derive(whole, annotations);
  return out;
}

std::string canonical_bytes(const RunReport& report) {
  std::string out;
  write(report, [&](std::string_view piece) { out += piece; });
  return out;
}

void for_each_item(const RunReport& report, std::string_view path,
                   const std::function<void(const Value&)>& take) {
  const List* list = list_at(report.frame, path);
  if (list == nullptr) return;
  for (const Value& item : *list)
    take(item);
  for (const LateList& late : late_lists(report))
    if (place_of(late, report.frame) == list)
      for (std::size_t i = 0; i < late.count; ++i)
        take(late.item(i));
}

void for_each_text(const RunReport& report, std::string_view path,
                   const std::function<void(std::string_view)>& take) {
  const List* list = list_at(report.frame, path);
  if (list == nullptr) return;
  for (const Value& item : *list)
    take(wire::canonical_json(item));
  std::string text;
  for (const LateList& late : late_lists(report))
    if (place_of(late, report.frame) == list)
      for (std::size_t i = 0; i < late.count; ++i) {
        text.clear();
        late.write(i, text);
        take(text);
      }
}

Value whole_report(RunReport report) {
  for (const LateList& list : late_lists(report)) {
    const List* place = place_of(list, report.frame);
    if (place == nullptr) continue;
    List& items = const_cast<List&>(*place);  // of our own frame
    items.reserve(list.count);
    for (std::size_t i = 0; i < list.count; ++i)
      items.push_back(list.item(i));
  }
  return std::move(report.frame);
}

Value canonical_report(const Project& project, const Findings& findings,
                       const Annotations& annotations) {
  return whole_report(run_report(project, findings, annotations));
}

Value canonical_report(const Project& project, const Findings& findings) {
  return canonical_report(project, findings, plain_annotations(measure(project, findings)));
}

}  // namespace gh::analysis
