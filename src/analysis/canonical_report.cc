#include "analysis/canonical_report.h"

#include <algorithm>
#include <iterator>

#include "analysis/annotations.h"
#include "analysis/finding.h"
#include "analysis/findings_summary.h"
#include "analysis/inventory.h"
#include "analysis/metric_families.h"
#include "analysis/report_meta.h"
#include "analysis/report_view.h"
#include "analysis/suppressed.h"
#include "base/digesting.h"
#include "base/product.h"
#include "wire/json_stream.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kSchema = "gh-1.0", kFingerprintVersion = "gh1";

/// Groups of each family as the report lists them, and those that were left out on request.
struct Groups {
  Map clones{};  // one list per family
  List structural{}, dead_code{}, design{};
  List suppressed_structural{}, suppressed_dead_code{}, suppressed_design{};
  Map suppressed_clones{};
  std::size_t suppressed = 0;  // clones
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
  Groups out;
  out.clones = Map{{"functions", function_documents(project, findings.function_clones)},
                   {"blocks", block_documents(project, findings.block_clones)},
                   {"segments", segment_documents(project, findings.segments.groups)},
                   {"near_miss", near_miss_documents(project, findings.near_misses.groups)}};
  out.structural = structural_documents(project, findings.structural);
  std::vector<Group> design = design_groups(project, units, classes, findings.dependencies);
  if (findings.coverage) {
    std::ranges::move(coverage_groups(project, *findings.coverage), std::back_inserter(design));
    sort_by_priority(design);
  }
  out.suppressed_design = take_suppressed_design(project, design);
  for (const Group& group : design)
    out.design.emplace_back(group_document(group));
  for (const Group& group : dead_code_groups(findings.dead_code.items))
    out.dead_code.emplace_back(group_document(group));
  for (const Group& group : dead_code_groups(findings.dead_code.suppressed))
    out.suppressed_dead_code.emplace_back(group_document(group));
  out.suppressed_dead_code = as_suppressed(std::move(out.suppressed_dead_code), Rule::dead_code);
  out.suppressed_structural = suppressed_structural(project, findings.suppressed_structural);
  out.suppressed_clones = suppressed_clones(project, findings);
  for (const auto& [family, list] : out.suppressed_clones.entries())
    out.suppressed += list.as_list()->size();
  return out;
}

/// The summary of all findings, with the counts of the clone families.
Map summary_of(const Findings& findings, const Groups& groups) {
  FindingsSummary summary;
  Map counts;
  std::int64_t fresh = 0, known = 0;
  for (const auto& [family, value] : groups.clones.entries()) {
    const List& list = *value.as_list();
    summary.add("clone", list);
    counts.set(family, number(list.size()));
    fresh += count_of(list, "novelty", "new");
    known += count_of(list, "novelty", "known");
  }
  summary.add("structural", groups.structural);
  summary.add("dead_code", groups.dead_code);
  summary.add("design", groups.design);
  counts.set("new", fresh);
  counts.set("known", known);
  counts.set("suppressed", number(groups.suppressed));
  counts.set("suppressed_segments", number(findings.segments.suppressed));
  counts.set("blocks_left_out", number(findings.blocks_left_out));
  Map out = summary.document();
  out.set("clones", std::move(counts));
  out.set("suppressed",
          number(groups.suppressed + groups.suppressed_design.size() +
                 groups.suppressed_structural.size() + groups.suppressed_dead_code.size()));
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

Findings find_all(const Project& project, const GoldenFixtures& golden) {
  Findings out{.function_clones = function_clones(project),
               .dependencies = dependencies_of(project),
               .dead_code = dead_code_of(project),
               .adoption = adoption_of(project)};
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
  if (project.profile.api_surface) out.api_surface = api_surface_of(project);
  out.surfaces = surfaces_of(project);
  out.overloaded = overloaded_modules(module_loads(project, out.dependencies));
  return out;
}

namespace {

/// Where the complexity of every unit stands; null without metrics.
const List* unit_list(const Value& frame) {
  const Value* items = member(frame, {"metrics", "families", "complexity", "items"});
  return items == nullptr ? nullptr : items->as_list();
}

void write(const Value& frame, const std::vector<ScoredUnit>& units, const wire::Sink& sink) {
  wire::write_canonical_json(frame,
                             {.place = unit_list(frame),
                              .count = units.size(),
                              .item = [&](std::size_t i) { return complexity_item(units[i]); }},
                             sink);
}

}  // namespace

RunReport run_report(const Project& project, const Findings& findings,
                     const Annotations& annotations) {
  RunReport out{.units = scored_units(project)};
  const std::vector<ScoredClass> classes = scored_classes(project);
  Groups groups = groups_of(project, findings, out.units, classes);
  Map summary = summary_of(findings, groups);
  groups.clones.set("suppressed", std::move(groups.suppressed_clones));
  Map families = families_of(project, findings, out.units, classes);
  keep_counted(out.units);
  Map report{{"report_schema_version", kSchema},
             {"meta", meta(project, findings, families)},
             {"inventory", inventory(project)},
             {"findings",
              Map{{"summary", std::move(summary)},
                  {"groups",
                   Map{{"clones", std::move(groups.clones)},
                       {"structural", Map{{"groups", std::move(groups.structural)},
                                          {"suppressed", std::move(groups.suppressed_structural)}}},
                       {"dead_code", Map{{"groups", std::move(groups.dead_code)},
                                         {"suppressed", std::move(groups.suppressed_dead_code)}}},
                       {"design", Map{{"groups", std::move(groups.design)},
                                      {"suppressed", std::move(groups.suppressed_design)}}}}}}},
             {"metrics", Map{{"families", std::move(families)}}}};
  annotate(report, annotations);
  out.frame = std::move(report);
  Digesting digest;
  write(out.frame, out.units, [&](std::string_view piece) { digest.add(piece); });
  Map& whole = *out.frame.as_map();
  whole.set("integrity",
            Map{{"canonicalization", Map{{"version", "1"}, {"scope", "canonical_only"}}},
                {"digest", Map{{"algorithm", "sha256"}, {"value", digest.hex()}}}});
  derive(whole, annotations);
  return out;
}

std::string canonical_bytes(const RunReport& report) {
  std::string out;
  write(report.frame, report.units, [&](std::string_view piece) { out += piece; });
  return out;
}

Value whole_report(RunReport report) {
  if (const List* list = unit_list(report.frame)) {
    List& items = const_cast<List&>(*list);  // of our own frame
    items.reserve(report.units.size());
    for (const ScoredUnit& unit : report.units)
      items.push_back(complexity_item(unit));
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
