#include "analysis/gates.h"

#include <algorithm>
#include <array>
#include <functional>

#include <gtest/gtest.h>

#include "analysis/suggestions.h"
#include "base/data.h"
#include "base/text.h"
#include "wire/yaml.h"

namespace gh::analysis {
namespace {

using Texts = std::vector<std::string>;

struct World {
  Measures measures{};
  Health health{};
  Comparison comparison{.new_clones = {}, .metrics = MetricsDiff{}, .api = ApiDiff{}};
  Since since{};
  std::size_t counted = 0, new_counted = 0;
};
using Set = std::function<void(GateSettings&)>;
using Make = std::function<void(World&)>;

Texts keys(const GateSettings& settings, const World& world) {
  Texts out;
  for (const GateReason& reason :
       gate_reasons(settings, {world.measures, world.health, world.comparison, world.since,
                               world.counted, world.new_counted}))
    out.push_back(reason.key);
  return out;
}

struct Row {
  const char* key;
  Set set;
  Make fires, passes;
};

// docs/reference/analysis.md, "Gates": every row, firing and not firing.
const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      {"metric:complexity_threshold", [](GateSettings& s) { s.fail_complexity = 20; },
       [](World& w) { w.measures.complexity.max = 21; },
       [](World& w) { w.measures.complexity.max = 20; }},
      {"metric:coupling_threshold", [](GateSettings& s) { s.fail_coupling = 10; },
       [](World& w) { w.measures.coupling.max = 11; },
       [](World& w) { w.measures.coupling.max = 10; }},
      {"metric:cohesion_threshold", [](GateSettings& s) { s.fail_cohesion = 4; },
       [](World& w) { w.measures.cohesion.max = 5; },
       [](World& w) { w.measures.cohesion.max = 4; }},
      {"metric:health_threshold", [](GateSettings& s) { s.fail_health = 60; },
       [](World& w) { w.health.score = 59; }, [](World& w) { w.health.score = 60; }},
      {"metric:dependency_cycles", [](GateSettings& s) { s.fail_cycles = true; },
       [](World& w) {
         w.measures.cycles = {{"a", "b"}};
       },
       [](World&) {}},
      {"metric:dead_code_high_confidence", [](GateSettings& s) { s.fail_dead_code = true; },
       [](World& w) { w.measures.dead.high = {"m:f"}; },
       [](World& w) { w.measures.dead.any = {"m:f"}; }},
      {"metric:new_high_risk_functions", [](GateSettings& s) { s.fail_on_new_metrics = true; },
       [](World& w) { w.comparison.metrics->new_high_risk_functions = {"m:f"}; },
       [](World& w) { w.measures.complexity.beyond = {"m:f"}; }},
      {"metric:new_high_coupling_classes", [](GateSettings& s) { s.fail_on_new_metrics = true; },
       [](World& w) { w.comparison.metrics->new_high_coupling_classes = {"m:K"}; },
       [](World& w) { w.measures.coupling.beyond = {"m:K"}; }},
      {"metric:new_dependency_cycles", [](GateSettings& s) { s.fail_on_new_metrics = true; },
       [](World& w) {
         w.comparison.metrics->new_cycles = {{"a", "b"}};
       },
       [](World& w) {
         w.measures.cycles = {{"a", "b"}};
       }},
      {"metric:new_dead_code", [](GateSettings& s) { s.fail_on_new_metrics = true; },
       [](World& w) { w.comparison.metrics->new_dead_code = {"m:f"}; },
       [](World& w) { w.measures.dead.high = {"m:f"}; }},
      {"metric:health_regression", [](GateSettings& s) { s.fail_on_new_metrics = true; },
       [](World& w) { w.comparison.metrics->health_delta = -1; },
       [](World& w) { w.comparison.metrics->health_delta_tenths = -4; }},
      {"metric:typing_coverage_threshold", [](GateSettings& s) { s.min_typing_coverage = 10; },
       [](World& w) { w.measures.adoption.typing_param_permille = 99; },
       [](World& w) { w.measures.adoption.typing_param_permille = 100; }},
      {"metric:docstring_coverage_threshold",
       [](GateSettings& s) { s.min_docstring_coverage = 50; },
       [](World& w) { w.measures.adoption.docstring_permille = 499; },
       [](World& w) { w.measures.adoption.docstring_permille = 500; }},
      {"metric:typing_regression", [](GateSettings& s) { s.fail_on_typing_regression = true; },
       [](World& w) { w.comparison.metrics->typing_return_permille_delta = -1; },
       [](World& w) { w.comparison.metrics->typing_param_permille_delta = 1; }},
      {"metric:docstring_regression",
       [](GateSettings& s) { s.fail_on_docstring_regression = true; },
       [](World& w) { w.comparison.metrics->docstring_permille_delta = -1; }, [](World&) {}},
      {"metric:api_breaking_changes", [](GateSettings& s) { s.fail_on_api_break = true; },
       [](World& w) { w.comparison.api->breaking_changes = {"removed"}; },
       [](World& w) { w.comparison.api->new_symbols = {"m:f"}; }},
      {"metric:coverage_hotspots", [](GateSettings& s) { s.fail_on_untested_hotspots = true; },
       [](World& w) {
         w.measures.coverage = CoverageMeasures{true, 1};
       },
       [](World& w) {
         w.measures.coverage = CoverageMeasures{false, 1};
       }},
      {"clone:new", [](GateSettings& s) { s.fail_on_new = true; },
       [](World& w) { w.new_counted = 1; }, [](World& w) { w.counted = 1; }},
      {"clone:threshold:2:1", [](GateSettings& s) { s.fail_threshold = 1; },
       [](World& w) { w.counted = 2; }, [](World& w) { w.counted = 1; }},
      {"clone:near_miss", [](GateSettings& s) { s.fail_on_new_near_miss = true; },
       [](World& w) { w.since.new_near_misses = {"k"}; },
       [](World& w) { w.measures.near_misses = {"k"}; }},
      {"metric:security_surface",
       [](GateSettings& s) { s.fail_on_new_security_surface = {"process_boundary"}; },
       [](World& w) {
         w.since.new_security = {{"process_boundary", {"m:os_system"}}};
       },
       [](World& w) {
         w.since.new_security = {{"network_boundary", {"m:socket"}}};
       }},
  };
  return kRows;
}

TEST(Gates, EveryRowFiresAndPasses) {
  ASSERT_EQ(rows().size(), 21u);
  for (const Row& row : rows()) {
    GateSettings settings;
    row.set(settings);
    World bad, good;
    row.fires(bad);
    good.health.score = 100;
    row.passes(good);
    EXPECT_EQ(keys(settings, bad), Texts{row.key});
    EXPECT_EQ(keys(settings, good), Texts{}) << row.key;
    EXPECT_EQ(keys({}, bad), Texts{}) << row.key << " is off";
  }
}

TEST(Gates, NearMissesWithoutAnEarlierRunSayWhyAllAreNew) {
  GateSettings settings;
  settings.fail_on_new_near_miss = true;
  World world;
  world.since.new_near_misses = {"k"};
  const auto said = [&] {
    return gate_reasons(settings,
                        {world.measures, world.health, world.comparison, world.since, 0, 0})
        .at(0)
        .message;
  };
  EXPECT_EQ(said(),
            "1 new group of near misses; no baseline holds near misses, without --diff-against all "
            "of them are new");
  world.since.has_earlier = true;
  EXPECT_EQ(said(), "1 new group of near misses");
}

// Whoever meets a reason can ask what it means.
TEST(Gates, EveryReasonIsExplained) {
  constexpr std::string_view kFile = "rules/analysis.yaml";
  const auto texts = wire::read_yaml(data::find(kFile), kFile, wire::YamlDialect::strict);
  ASSERT_TRUE(texts) << texts.error().message;
  std::size_t explained = 0;
  for (const auto& entry : texts->root.as_map()->entries())
    explained += std::ranges::any_of(
        rows(), [&](const Row& row) { return std::string(row.key).starts_with(entry.first); });
  EXPECT_EQ(explained, rows().size());
}

TEST(Gates, ReasonsStandInTheOrderOfTheRows) {
  GateSettings settings;
  World world;
  Texts expected;
  for (const Row& row : rows()) {
    row.set(settings);
    row.fires(world);
    expected.emplace_back(row.key);
  }
  EXPECT_EQ(keys(settings, world), expected);
  const auto reasons = gate_reasons(settings, {world.measures, world.health, world.comparison,
                                               world.since, world.counted, world.new_counted});
  for (std::size_t i = 0; i < reasons.size(); ++i)
    EXPECT_EQ(reasons[i].order, 10 * static_cast<int>(i + 1));
}

TEST(Gates, BothParametersAndReturnsMayLoseTypes) {
  GateSettings settings;
  settings.fail_on_typing_regression = true;
  World world;
  world.comparison.metrics->typing_param_permille_delta = -1;
  EXPECT_EQ(keys(settings, world), Texts{"metric:typing_regression"});
}

TEST(Gates, MinusOneDisables) {
  GateSettings settings{.fail_complexity = -1,
                        .fail_coupling = -1,
                        .fail_cohesion = -1,
                        .fail_health = -1,
                        .min_typing_coverage = -1,
                        .min_docstring_coverage = -1,
                        .fail_threshold = -1};
  World world;
  world.measures.complexity.max = world.measures.coupling.max = world.measures.cohesion.max = 999;
  world.counted = 1;
  EXPECT_EQ(keys(settings, world), Texts{});
  EXPECT_FALSE(is_gating(settings));
}

TEST(Gates, GatingIsEveryOptionButHotspotsAndReach) {
  for (const Row& row : rows()) {
    GateSettings settings;
    row.set(settings);
    const std::string key = row.key;
    EXPECT_EQ(is_gating(settings),
              key != "metric:coverage_hotspots" && key != "metric:security_surface")
        << key;
  }
  EXPECT_FALSE(is_gating({}));
}

TEST(Gates, CiAsksForNewMetricsOnlyWithSomethingToCompare) {
  EXPECT_TRUE(for_ci({}, false).fail_on_new);
  EXPECT_FALSE(for_ci({}, false).fail_on_new_metrics);
  EXPECT_TRUE(for_ci({}, true).fail_on_new_metrics);
  GateSettings asked;
  asked.fail_on_new_metrics = true;
  EXPECT_TRUE(for_ci(asked, false).fail_on_new_metrics);
}

// --- what keeps the gates from deciding --------------------------------------------------------

struct Contract {
  bool skips = false;
  BaselineRead baseline{
      .trust = Trust::ok,
      .content = {
          .clones = CloneKeys{}, .metrics = BaselineMetrics{}, .api_surface = Value(Map{})}};
  std::optional<CoverageMeasures> coverage{};
  Names unreadable{};

  std::optional<ContractError> error(const Set& set) const {
    GateSettings settings;
    set(settings);
    return contract_error(settings, {skips, baseline, baseline, coverage, unreadable});
  }
  std::string message(const Set& set) const { return error(set).value().message; }
  std::string cause(const Set& set) const {
    const auto error = this->error(set);
    constexpr std::array<std::string_view, 4> kNames{"option", "source", "coverage", "baseline"};
    return std::string(!error ? "none" : kNames[static_cast<std::size_t>(error->cause)]);
  }
};

TEST(GateContract, MetricsOptionsNeedMetrics) {
  for (const Row& row : rows()) {
    Contract contract;
    contract.coverage = CoverageMeasures{.is_valid = true};
    EXPECT_EQ(contract.cause(row.set), "none") << row.key;
    contract.skips = true;
    EXPECT_EQ(contract.cause(row.set),
              std::string_view(row.key).starts_with("metric:") ? "option" : "none")
        << row.key;
  }
}

TEST(GateContract, AMissingBaselineHurtsOnlyWhoComparesWithIt) {
  const Texts need{"metric:new_high_risk_functions",
                   "metric:new_high_coupling_classes",
                   "metric:new_dependency_cycles",
                   "metric:new_dead_code",
                   "metric:health_regression",
                   "metric:typing_regression",
                   "metric:docstring_regression",
                   "metric:api_breaking_changes",
                   "clone:new"};
  for (const Row& row : rows()) {
    Contract contract;
    contract.coverage = CoverageMeasures{.is_valid = true};
    contract.baseline = no_baseline(Absence::missing);
    const bool needs = std::ranges::find(need, row.key) != need.end();
    EXPECT_EQ(contract.cause(row.set), needs ? "baseline" : "none") << row.key;
  }
}

TEST(GateContract, AnUntrustedBaselineStopsEveryGate) {
  for (std::size_t i = 2; i < kTrusts; ++i) {
    Contract contract;
    contract.baseline = BaselineRead{.trust = static_cast<Trust>(i)};
    EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_cycles = true; }), "baseline");
    EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_on_new = true; }), "baseline");
    EXPECT_EQ(contract.cause([](GateSettings&) {}), "none") << "a plain run goes on without it";
    EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_on_new_security_surface = {"x"}; }),
              "none");
  }
}

TEST(GateContract, ASectionThatIsNotInTheBaselineIsMissed) {
  Contract contract;
  contract.baseline.content.metrics.reset();
  EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_on_new_metrics = true; }), "baseline");
  EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_on_new = true; }), "none");
  contract.baseline.content.api_surface.reset();
  EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_on_api_break = true; }), "baseline");
}

TEST(GateContract, WhatIsMissedIsNamed) {
  Contract contract;
  contract.baseline.content = {};
  EXPECT_EQ(contract.message([](GateSettings& s) { s.fail_on_new = true; }),
            "--fail-on-new needs clones in the baseline, and it has none");
  EXPECT_EQ(contract.message([](GateSettings& s) { s.fail_on_new_metrics = true; }),
            "--fail-on-new-metrics needs metrics in the baseline, and it has none");
  EXPECT_EQ(contract.message([](GateSettings& s) { s.fail_on_api_break = true; }),
            "--fail-on-api-break needs the API in the baseline, and it has none");
}

TEST(GateContract, AMigratingFileServesMetricsAndNotClones) {
  Contract contract;
  contract.baseline.trust = Trust::mismatch_fingerprint_version;
  contract.baseline.migrates = true;
  contract.baseline.content.clones.reset();
  EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_on_new_metrics = true; }), "none");
  EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_on_new = true; }), "baseline");
}

TEST(GateContract, HotspotsNeedACoverageReportThatCanBeRead) {
  const Set hotspots = [](GateSettings& s) { s.fail_on_untested_hotspots = true; };
  Contract contract;
  EXPECT_EQ(contract.cause(hotspots), "option");
  contract.coverage = CoverageMeasures{.is_valid = false};
  EXPECT_EQ(contract.cause(hotspots), "coverage");
  contract.coverage->is_valid = true;
  EXPECT_EQ(contract.cause(hotspots), "none");
}

TEST(GateContract, UnreadableSourcesStopEveryGate) {
  Contract contract;
  contract.unreadable = {"a.py"};
  EXPECT_EQ(contract.cause([](GateSettings& s) { s.fail_threshold = 5; }), "source");
  EXPECT_EQ(contract.cause([](GateSettings&) {}), "none");
}

// --- suggestions -------------------------------------------------------------------------------

Map group(const char* id, const char* category, const char* kind, const char* severity,
          Map facts = {}, const char* type = nullptr, const char* path = "m.py") {
  Map out{{"id", id},
          {"category", category},
          {"kind", kind},
          {"severity", severity},
          {"confidence", "high"},
          {"count", 2},
          {"source_scope", Map{{"dominant_kind", "production"}}},
          {"spread", Map{{"files", 1}, {"functions", 2}}},
          {"facts", std::move(facts)},
          {"items", List{Map{{"qualname", "m:f"}, {"relative_path", path}, {"start_line", 3}}}}};
  if (type != nullptr) out.set("clone_type", type);
  return out;
}

Texts ids(const List& found) {
  Texts out;
  for (const Value& one : found)
    out.push_back(*one.as_map()->find("finding_id")->as_string());
  return out;
}

// docs/reference/analysis.md, "Suggestions"
TEST(Suggestions, OnePerFindingWorthActingOnWorstAndEasiestFirst) {
  Map unsure = group("dead2", "function", "unused_symbol", "info");
  unsure.set("confidence", "medium");
  const Map groups{
      {"clones",
       Map{{"functions", List{group("fn", "function", "clone_group", "critical", {}, "Type-1")}},
           {"near_miss", List{group("near", "near_miss", "clone_group", "info", {}, "Type-3")}},
           {"suppressed", Map{{"functions", List{group("gone", "function", "clone_group",
                                                       "critical", {}, "Type-1")}}}}}},
      {"structural",
       Map{{"groups", List{group("drift", "drift", "clone_cohort_drift", "info"),
                           group("arms", "branches", "duplicated_branches", "info"),
                           group("arms4", "branches", "duplicated_branches", "warning")}}}},
      {"dead_code",
       Map{{"groups", List{group("dead", "function", "unused_symbol", "warning"), unsure}}}},
      {"design",
       Map{{"groups",
            List{group("cc", "complexity", "function_hotspot", "critical",
                       Map{{"cyclomatic_complexity", 41}}),
                 group("cc20", "complexity", "function_hotspot", "warning",
                       Map{{"cyclomatic_complexity", 20}}),
                 group("cbo", "coupling", "class_hotspot", "warning", Map{{"cbo", 11}}, nullptr,
                       "a.py"),
                 group("cbo10", "coupling", "class_hotspot", "warning", Map{{"cbo", 10}}),
                 group("lcom", "cohesion", "class_hotspot", "warning", Map{{"lcom4", 4}}),
                 group("lcom3", "cohesion", "class_hotspot", "warning", Map{{"lcom4", 3}}),
                 group("cycle", "dependency", "cycle", "critical")}}}}};
  EXPECT_EQ(ids(suggestions(groups)),
            (Texts{"fn", "dead", "cc", "cycle", "arms4", "lcom", "cbo", "drift", "near"}));
}

TEST(Suggestions, TellWhatWhereAndHow) {
  const Map groups{{"design", Map{{"groups", List{group("design:complexity:m:f", "complexity",
                                                        "function_hotspot", "warning",
                                                        Map{{"cyclomatic_complexity", 30}})}}}}};
  const List found = suggestions(groups);
  ASSERT_EQ(found.size(), 1u);
  const Map& one = *found.front().as_map();
  for (const char* key :
       {"severity", "category", "title", "location", "steps", "effort", "priority", "finding_id",
        "fact_kind", "fact_summary", "fact_count", "spread_files", "spread_functions", "clone_type",
        "confidence", "source_kind", "representative_locations"})
    EXPECT_NE(one.find(key), nullptr) << key;
  EXPECT_EQ(*one.find("location")->as_string(), "m.py:3");
  EXPECT_EQ(*one.find("effort")->as_string(), "moderate");
  EXPECT_EQ(*one.find("priority"), Value(Decimal{10'000}));
  EXPECT_EQ(*one.find("fact_summary")->as_string(), "cyclomatic_complexity=30");
  EXPECT_EQ(one.find("steps")->as_list()->size(), 2u);
}

}  // namespace
}  // namespace gh::analysis
