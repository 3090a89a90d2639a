// docs/reference/analysis.md, "Blast radius".
#include "analysis/blast_radius.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "analysis/canonical_report.h"
#include "analysis/memory_source.h"
#include "analysis/report_view.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

using Texts = std::vector<std::string>;

/// Edges "a<b": b imports a; every name is a Python file at the root.
Value report_of(const Texts& files, const Texts& edges) {
  List registry, items;
  for (const std::string& file : files)
    registry.emplace_back(file);
  for (const std::string& edge : edges)
    items.emplace_back(Map{{"source", edge.substr(edge.find('<') + 1)},
                           {"target", edge.substr(0, edge.find('<'))}});
  return Map{
      {"inventory", Map{{"file_registry", Map{{"items", std::move(registry)}}}}},
      {"metrics", Map{{"families", Map{{"dependencies", Map{{"items", std::move(items)}}}}}}}};
}

Value analysed(const std::map<std::string, std::string>& files) {
  MemorySource source(files);
  const Project project = *analyse(source, {.jobs = 1});
  return canonical_report(project, find_all(project, {}));
}

void set_items(Value& report, std::string_view family, List items) {
  report.as_map()
      ->find("metrics")
      ->as_map()
      ->find("families")
      ->as_map()
      ->set(std::string(family), Map{{"items", std::move(items)}});
}

Map place(std::string_view path, std::string_view key, Value value) {
  return Map{{"relative_path", path}, {std::string(key), std::move(value)}};
}

Texts told(const std::vector<BlastEntry>& entries) {
  Texts out;
  for (const BlastEntry& e : entries)
    out.push_back(e.path + " " + std::string(e.category) + " " + std::string(e.severity));
  return out;
}

Texts codes(const BlastRadius& radius) {
  Texts out;
  for (const Guardrail& rail : radius.guardrails)
    out.emplace_back(rail.code);
  return out;
}

TEST(BlastRadius, LevelsByHowManyAreConcerned) {
  struct Row {
    std::size_t concerned;
    std::string_view level;
  };
  for (const Row& row :
       {Row{0, "low"}, Row{1, "medium"}, Row{5, "medium"}, Row{6, "high"}, Row{100, "high"}})
    EXPECT_EQ(to_string(radius_level(row.concerned)), row.level) << row.concerned;
}

TEST(BlastRadius, LanesHaveTheirWords) {
  const Texts words{"imports",      "clone_cohorts",  "coverage", "risk_signals",
                    "do_not_touch", "review_context", "cycles"};
  ASSERT_EQ(words.size(), kBlastLaneCount);
  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(to_string(static_cast<BlastLane>(i)), words[i]);
}

TEST(BlastRadius, DirectAndTransitiveDependents) {
  const Value report =
      report_of({"a.py", "b.py", "c.py", "d.py", "e.py"}, {"a<b", "b<c", "c<d", "c<a", "d<b"});
  const BlastRadius direct = blast_radius(report, {.files = {"a.py"}});
  EXPECT_EQ(direct.direct_dependents, Texts{"b.py"});
  EXPECT_EQ(direct.transitive_dependents, Texts());
  EXPECT_EQ(direct.level, RadiusLevel::medium);
  const BlastRadius all = blast_radius(report, {.files = {"a.py"}, .transitive = true});
  EXPECT_EQ(all.direct_dependents, Texts{"b.py"});
  EXPECT_EQ(all.transitive_dependents, (Texts{"c.py", "d.py"}));  // without the origin itself
  EXPECT_EQ(all.level, RadiusLevel::medium);  // how far it reaches does not count
  EXPECT_EQ(blast_radius(report, {.files = {"a.py", "b.py"}}).direct_dependents, Texts{"c.py"});
  EXPECT_EQ(blast_radius(report, {.files = {"e.py"}}).level, RadiusLevel::low);
  EXPECT_EQ(blast_radius(report, {.files = {"no.md"}}).direct_dependents, Texts());
}

TEST(BlastRadius, AModuleOutsideOfTheRegistryIsAPathThatMayBe) {
  EXPECT_EQ(
      blast_radius(report_of({"a.py"}, {"a<pkg.other"}), {.files = {"a.py"}}).direct_dependents,
      Texts{"pkg/other.py"});
}

TEST(BlastRadius, ModulesAreThoseOfTheLanguage) {
  const Value go = analysed({{"go.mod", "module example.com/x\n"},
                             {"store/a.go", "package store\nfunc A() {}\n"},
                             {"store/b.go", "package store\nfunc B() {}\n"},
                             {"app/one.go",
                              "package app\nimport \"example.com/x/store\"\n"
                              "func One() { store.A() }\n"},
                             {"app/two.go", "package app\nfunc Two() {}\n"},
                             {"cmd/main.go",
                              "package main\nimport \"example.com/x/app\"\n"
                              "func main() { app.Two() }\n"}});
  const BlastRadius a = blast_radius(go, {.files = {"store/a.go"}, .transitive = true});
  EXPECT_EQ(a.direct_dependents, Texts{"app/one.go"});  // not the other file of the package
  EXPECT_EQ(a.transitive_dependents, Texts{"cmd/main.go"});
  const Value rust = analysed({{"src/lib.rs", "pub mod a;\npub mod b;\n"},
                               {"src/a.rs", "pub fn f() {}\n"},
                               {"src/b.rs", "use crate::a::f;\npub fn g() { f(); }\n"}});
  EXPECT_EQ(blast_radius(rust, {.files = {"src/a.rs"}}).direct_dependents,
            (Texts{"src/b.rs", "src/lib.rs"}));
  const Value c = analysed({{"lib/x.h", "int f(void);\n"},
                            {"lib/x.c", "#include \"x.h\"\nint f(void) { return 1; }\n"},
                            {"main.c", "#include \"lib/x.h\"\nint main(void) { return f(); }\n"}});
  EXPECT_EQ(blast_radius(c, {.files = {"lib/x.h"}}).direct_dependents,
            (Texts{"lib/x.c", "main.c"}));
  EXPECT_EQ(blast_radius(c, {.files = {"lib/x.c"}}).direct_dependents, Texts());
}

TEST(BlastRadius, CohortAndCycles) {
  Value report = report_of({"a.py", "b.py", "c.py", "d.py"}, {});
  const auto group = [](const Texts& paths) {
    List items;
    for (const std::string& path : paths)
      items.emplace_back(Map{{"relative_path", path}});
    return Map{{"items", std::move(items)}};
  };
  report.as_map()->set(
      "findings",
      Map{{"groups", Map{{"clones", Map{{"functions", List{Value(group({"a.py", "b.py"}))}},
                                        {"blocks", List{Value(group({"c.py", "d.py"}))}},
                                        {"segments", List{Value(group({"a.py", "d.py"}))}},
                                        {"near_miss", List{Value(group({"a.py", "c.py"}))}}}}}}});
  report.as_map()->find("metrics")->as_map()->set(
      "families",
      Map{{"dependencies",
           Map{{"items", List{}},
               {"cycles", List{Value(Map{{"members", List{Value("a"), Value("d")}}})}}}}});
  const BlastRadius radius = blast_radius(report, {.files = {"a.py", "c.py"}});
  EXPECT_EQ(radius.clone_cohort_members, (Texts{"b.py", "d.py"}));  // functions, blocks, segments
  EXPECT_EQ(radius.in_dependency_cycle, Texts{"a.py"});
  EXPECT_EQ(radius.level, RadiusLevel::medium);
}

// "other files in any clone group (function, block, segment) containing an origin file"
TEST(BlastRadius, EachListOfClonesAloneMakesACohort) {
  for (const auto& [list, counts] :
       {std::pair("functions", true), std::pair("blocks", true), std::pair("segments", true),
        std::pair("near_miss", false), std::pair("suppressed", false)}) {
    Value report = report_of({"a.py", "b.py"}, {});
    const Map group{{"items", List{Value(Map{{"relative_path", "a.py"}}),
                                   Value(Map{{"relative_path", "b.py"}})}}};
    report.as_map()->set("findings",
                         Map{{"groups", Map{{"clones", Map{{list, List{Value(group)}}}}}}});
    EXPECT_EQ(blast_radius(report, {.files = {"a.py"}}).clone_cohort_members,
              counts ? Texts{"b.py"} : Texts{})
        << list;
  }
}

TEST(BlastRadius, RisksOfTheZone) {
  Value report = report_of({"a.py", "b.py", "far.py"}, {"a<b"});
  set_items(report, "complexity",
            {place("a.py", "risk", "high"), place("b.py", "risk", "medium"),
             place("far.py", "risk", "high")});
  set_items(report, "coupling", {place("b.py", "risk", "high")});
  set_items(report, "coverage_join",
            {place("a.py", "coverage_hotspot", true), place("b.py", "scope_gap_hotspot", true),
             place("b.py", "coverage_hotspot", false)});
  set_items(report, "overloaded_modules",
            {place("b.py", "candidate_status", "candidate"),
             place("a.py", "candidate_status", "ranked_only")});
  const BlastRadius radius = blast_radius(report, {.files = {"a.py"}});
  EXPECT_EQ(radius.high_complexity, Texts{"a.py"});
  EXPECT_EQ(radius.high_coupling, Texts{"b.py"});
  EXPECT_EQ(radius.low_coverage, (Texts{"a.py", "b.py"}));
  EXPECT_EQ(radius.overloaded, Texts{"b.py"});
  EXPECT_EQ(told(radius.review_context), Texts{"b.py report_only_context context"});
}

TEST(BlastRadius, WhatIsNotToBeTouched) {
  const Value report = report_of({"a.py", "b.py"}, {"a<b"});
  const Texts state{".agents-shipgate/** baseline_or_generated_state hard",
                    ".cache/codeclone/** baseline_or_generated_state hard",
                    ".codeclone/** baseline_or_generated_state hard",
                    ".gatehouse/** baseline_or_generated_state hard",
                    "codeclone.baseline.json baseline_or_generated_state hard",
                    "gatehouse.baseline.json baseline_or_generated_state hard",
                    "gatehouse.release-baseline* baseline_or_generated_state hard"};
  EXPECT_EQ(told(blast_radius(report, {.files = {"a.py"}}).do_not_touch), state);
  Texts more = state;
  more.insert(more.begin() + 4, "b.py affected_but_not_allowed requires_expansion");
  more.push_back("secret/** explicit_forbidden hard");
  EXPECT_EQ(told(blast_radius(report, {.files = {"a.py"},
                                       .forbidden = {"secret/**", ".gatehouse/**"},
                                       .allowed = Texts{"a.py"}})
                     .do_not_touch),
            more);
}

TEST(BlastRadius, ContextIsNeverAboutTheOriginExceptForFixtures) {
  Value report = report_of({"a.py", "b.py", "c.py"}, {"a<b"});
  const auto known = [](std::string_view path) {
    return Value(Map{{"novelty", "known"}, {"items", List{Value(Map{{"relative_path", path}})}}});
  };
  report.as_map()->set(
      "findings",
      Map{{"groups",
           Map{{"design", Map{{"groups", List{known("a.py"), known("b.py"), known("c.py")}}}},
               {"clones", Map{{"suppressed", Map{{"functions", List{known("a.py")}}}}}}}}});
  set_items(report, "security_surfaces", {place("b.py", "x", 1), place("a.py", "x", 1)});
  EXPECT_EQ(told(blast_radius(report, {.files = {"a.py"}}).review_context),
            (Texts{"a.py golden_fixture_surface context", "b.py known_baseline_debt context",
                   "b.py security_boundary_context context"}));
  // What is not to be touched is not told again.
  EXPECT_EQ(
      told(blast_radius(report, {.files = {"a.py"}, .allowed = Texts{"a.py"}}).review_context),
      Texts{"a.py golden_fixture_surface context"});
}

TEST(BlastRadius, Guardrails) {
  const Value small = report_of({"a.py", "b.py"}, {"a<b"});
  EXPECT_EQ(codes(blast_radius(small, {.files = {"a.py"}})),
            (Texts{"review_dependents", "clone_cohort_is_context", "do_not_touch_needs_approval"}));
  const Value large = report_of({"a.py"}, {"a<b", "a<c", "a<d", "a<e", "a<f", "a<g"});
  const BlastRadius radius = blast_radius(large, {.files = {"a.py"}});
  EXPECT_EQ(radius.level, RadiusLevel::high);
  EXPECT_EQ(codes(radius),
            (Texts{"review_dependents", "clone_cohort_is_context",
                   "high_radius_needs_human_approval", "do_not_touch_needs_approval"}));
}

TEST(BlastRadius, LanesThatAreLeftOutAreEmptyAndTheLevelStays) {
  Value report = report_of({"a.py", "b.py"}, {"a<b"});
  set_items(report, "complexity", {place("a.py", "risk", "high")});
  set_items(report, "coverage_join", {place("a.py", "coverage_hotspot", true)});
  const BlastRadius one =
      blast_radius(report, {.files = {"a.py"}, .include = std::set{BlastLane::coverage}});
  EXPECT_EQ(one.direct_dependents, Texts());
  EXPECT_EQ(one.high_complexity, Texts());
  EXPECT_EQ(one.low_coverage, Texts{"a.py"});
  EXPECT_TRUE(one.do_not_touch.empty());
  EXPECT_EQ(one.level, RadiusLevel::medium);
  const BlastRadius other =
      blast_radius(report, {.files = {"a.py"}, .include = std::set{BlastLane::imports}});
  EXPECT_EQ(other.direct_dependents, Texts{"b.py"});
  EXPECT_EQ(other.low_coverage, Texts());
}

TEST(BlastRadius, ListsOfEntriesAreCutAndCounted) {
  Texts forbidden;
  for (int i = 10; i < 30; ++i)
    forbidden.push_back("z" + std::to_string(i));
  const BlastRadius radius =
      blast_radius(report_of({"a.py"}, {}), {.files = {"a.py"}, .forbidden = forbidden});
  const Value document(blast_document(radius));
  EXPECT_EQ(list_in(document, {"do_not_touch"}).size(), 20u);
  const Map& summary = map_in(document, {"do_not_touch_summary"});
  EXPECT_EQ(wire::canonical_json(*summary.find("total")), "27");
  EXPECT_EQ(wire::canonical_json(*summary.find("shown")), "20");
  EXPECT_EQ(wire::canonical_json(*summary.find("truncated")), "true");
  EXPECT_EQ(wire::canonical_json(*summary.find("top_categories")),
            R"([{"count":20,"name":"explicit_forbidden"},)"
            R"({"count":7,"name":"baseline_or_generated_state"}])");
}

TEST(BlastRadius, SummaryNamesWhatIsConcernedButForbidden) {
  const BlastRadius radius = blast_radius(report_of({"a.py", "b.py", "c.py"}, {"a<b", "b<c"}),
                                          {.files = {"a.py"}, .transitive = true});
  const Map summary = blast_summary(
      radius, {"c"},
      [](std::string_view path, std::string_view pattern) { return path.starts_with(pattern); });
  EXPECT_EQ(wire::canonical_json(*summary.find("affected_but_forbidden")), R"(["c.py"])");
  EXPECT_EQ(wire::canonical_json(*summary.find("direct_dependents_count")), "1");
  EXPECT_EQ(wire::canonical_json(*summary.find("clone_cohort_members_count")), "0");
  EXPECT_EQ(wire::canonical_json(*summary.find("do_not_touch_count")), "7");
  EXPECT_EQ(wire::canonical_json(*summary.find("review_context_count")), "0");
  EXPECT_EQ(summary.find("do_not_touch_declared")->as_list()->size(), 7u);
  EXPECT_EQ(wire::canonical_json(*summary.find("radius_level")), R"("medium")");
}

}  // namespace
}  // namespace gh::analysis
