#include "control/budgets.h"

#include <set>

#include "analysis/baseline.h"
#include "control/test_report.h"

namespace gh::control {
namespace {

using analysis::GateSettings;
using testing::at;
using testing::json;
using testing::quiet_report;

analysis::Baseline baseline_of_the_quiet_report() {
  analysis::Baseline out;
  out.metrics.emplace();
  out.metrics->health_score = 90;
  out.metrics->typing_param_permille = 600;
  out.metrics->typing_return_permille = 500;
  out.metrics->docstring_permille = 400;
  out.api_surface = json(R"({"modules": []})");
  return out;
}

Value clone(std::string_view id, std::string_view novelty) {
  return Map{{"id", id},
             {"family", "clone"},
             {"novelty", novelty},
             {"items", List{Map{{"qualname", "pkg.a:run"}, {"relative_path", "pkg/a.py"}}}}};
}

struct GateCase {
  std::string key;  // as a reason begins
  void (*ask)(GateSettings&);
  void (*spoil)(Value& report);
};
// Typed again from the reference, in its order: gate key, its option, a run that fails it.
const std::vector<GateCase> kGateCases = {
    {"metric:complexity_threshold: ", [](GateSettings& s) { s.fail_complexity = 20; },
     [](Value& r) {
       at(r, {"metrics", "families", "complexity", "summary", "max"}) = 21;
     }},
    {"metric:coupling_threshold: ", [](GateSettings& s) { s.fail_coupling = 10; },
     [](Value& r) {
       at(r, {"metrics", "families", "coupling", "summary", "max"}) = 11;
     }},
    {"metric:cohesion_threshold: ", [](GateSettings& s) { s.fail_cohesion = 4; },
     [](Value& r) {
       at(r, {"metrics", "families", "cohesion", "summary", "max"}) = 5;
     }},
    {"metric:health_threshold: ", [](GateSettings& s) { s.fail_health = 60; },
     [](Value& r) {
       at(r, {"metrics", "families", "health", "summary", "score"}) = 59;
     }},
    {"metric:dependency_cycles: ", [](GateSettings& s) { s.fail_cycles = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "dependencies", "cycles"}) =
           List{Map{{"members", List{"pkg.a", "pkg.b"}}}};
     }},
    {"metric:dead_code_high_confidence: ", [](GateSettings& s) { s.fail_dead_code = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "dead_code", "items"}) =
           List{Map{{"qualname", "pkg.a:x"}, {"confidence", "high"}}};
     }},
    {"metric:new_high_risk_functions: ", [](GateSettings& s) { s.fail_on_new_metrics = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "complexity", "items"}) =
           List{Map{{"qualname", "pkg.a:run"}, {"risk", "high"}}};
     }},
    {"metric:new_high_coupling_classes: ", [](GateSettings& s) { s.fail_on_new_metrics = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "coupling", "items"}) =
           List{Map{{"qualname", "pkg.a:K"}, {"risk", "high"}}};
     }},
    {"metric:new_dependency_cycles: ", [](GateSettings& s) { s.fail_on_new_metrics = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "dependencies", "cycles"}) =
           List{Map{{"members", List{"pkg.a", "pkg.b"}}}};
     }},
    {"metric:new_dead_code: ", [](GateSettings& s) { s.fail_on_new_metrics = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "dead_code", "items"}) =
           List{Map{{"qualname", "pkg.a:x"}, {"confidence", "high"}}};
     }},
    {"metric:health_regression: ", [](GateSettings& s) { s.fail_on_new_metrics = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "health", "summary", "score"}) = 89;
     }},
    {"metric:typing_coverage_threshold: ", [](GateSettings& s) { s.min_typing_coverage = 60; },
     [](Value& r) {
       at(r, {"metrics", "families", "coverage_adoption", "summary", "param_permille"}) = 599;
     }},
    {"metric:docstring_coverage_threshold: ",
     [](GateSettings& s) { s.min_docstring_coverage = 40; },
     [](Value& r) {
       at(r, {"metrics", "families", "coverage_adoption", "summary", "docstring_permille"}) = 399;
     }},
    {"metric:typing_regression: ", [](GateSettings& s) { s.fail_on_typing_regression = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "coverage_adoption", "summary", "return_permille"}) = 499;
     }},
    {"metric:docstring_regression: ",
     [](GateSettings& s) { s.fail_on_docstring_regression = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "coverage_adoption", "summary", "docstring_permille"}) = 399;
     }},
    {"metric:api_breaking_changes: ", [](GateSettings& s) { s.fail_on_api_break = true; },
     [](Value&) {}},  // the baseline has one name more: see there
    {"metric:coverage_hotspots: ", [](GateSettings& s) { s.fail_on_untested_hotspots = true; },
     [](Value& r) {
       at(r, {"metrics", "families", "coverage_join"}) = json(
           R"({"summary": {"status": "ok", "hotspot_threshold_percent": 50}, "items": [
               {"status": "measured", "risk": "medium", "coverage_permille": 499}]})");
     }},
    {"clone:new", [](GateSettings& s) { s.fail_on_new = true; },
     [](Value& r) {
       at(r, {"findings", "groups", "clones", "functions"}) =
           List{clone("clone:function:a", "new")};
     }},
    {"clone:threshold:2:1", [](GateSettings& s) { s.fail_threshold = 1; },
     [](Value& r) {
       at(r, {"findings", "groups", "clones", "functions"}) =
           List{clone("clone:function:a", "known")};
       at(r, {"findings", "groups", "clones", "blocks"}) = List{clone("clone:block:b", "known")};
     }},
};

TEST(GatesOfAStoredRun, EveryRowFailsAlone) {
  EXPECT_EQ(kGateCases.size(), 19u);
  analysis::Baseline baseline = baseline_of_the_quiet_report();
  for (const GateCase& c : kGateCases) {
    Value report = quiet_report();
    at(report, {"metrics", "families", "api_surface"}) = json(R"({"summary": {}, "items": []})");
    at(report, {"metrics", "families", "coverage_join"}) = json(
        R"({"summary": {"status": "ok", "hotspot_threshold_percent": 50}, "items": [
            {"status": "measured", "risk": "medium", "coverage_permille": 500},
            {"status": "measured", "risk": "low", "coverage_permille": 0},
            {"status": "missing_from_report", "risk": "high"}]})");
    GateSettings settings;
    c.ask(settings);
    EXPECT_EQ(preview_gates(settings, gate_state(report, {.baseline = &baseline})), GateResult{})
        << c.key;
    c.spoil(report);
    analysis::Baseline then = baseline;
    if (c.key.starts_with("metric:api"))
      then.api_surface = json(R"({"modules": [{"module": "pkg.a", "filepath": "pkg/a.py",
        "all_declared": [], "symbols": [{"local_name": "gone", "kind": "function", "start_line": 1,
        "end_line": 2, "exported_via": "name", "returns_hash": "", "params": []}]}]})");
    const auto result = evaluate_gates(settings, gate_state(report, {.baseline = &then}));
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->would_fail);
    ASSERT_EQ(result->reasons.size(), 1u) << c.key;
    EXPECT_TRUE(result->reasons[0].starts_with(c.key)) << result->reasons[0];
    if (c.key.starts_with("clone:")) {
      EXPECT_EQ(result->reasons[0], c.key);
    }
    EXPECT_TRUE(preview_gates({}, gate_state(report)).reasons.empty()) << "disabled: " << c.key;
  }
}

TEST(GatesOfAStoredRun, ReasonsStandInTheOrderOfTheTable) {
  Value report = quiet_report();
  GateSettings settings;
  for (const GateCase& c : kGateCases) {
    c.ask(settings);
    c.spoil(report);
  }
  at(report, {"metrics", "families", "health", "summary", "score"}) = 59;
  at(report, {"findings", "groups", "clones", "functions"}) =
      List{clone("clone:function:a", "new")};
  at(report, {"metrics", "families", "api_surface"}) = json(R"({"summary": {}, "items": []})");
  analysis::Baseline then = baseline_of_the_quiet_report();
  then.api_surface = json(R"({"modules": [{"module": "pkg.a", "filepath": "pkg/a.py",
        "all_declared": [], "symbols": [{"local_name": "gone", "kind": "function", "start_line": 1,
        "end_line": 2, "exported_via": "name", "returns_hash": "", "params": []}]}]})");
  const GateResult result = preview_gates(settings, gate_state(report, {.baseline = &then}));
  ASSERT_EQ(result.reasons.size(), kGateCases.size());
  for (std::size_t i = 0; i < kGateCases.size(); ++i)
    EXPECT_TRUE(result.reasons[i].starts_with(kGateCases[i].key)) << result.reasons[i];
  EXPECT_EQ(*document(result).find("exit_code")->as_int(), 1);
  EXPECT_EQ(*document(GateResult{}).find("exit_code")->as_int(), 0);
}

TEST(GatesOfAStoredRun, WhatIsNotKnownIsSkippedAndSaidSo) {
  GateSettings settings;
  for (const GateCase& c : kGateCases)
    c.ask(settings);
  settings.fail_on_new_near_miss = true;
  settings.fail_on_new_security_surface = {"network_boundary"};
  const GateResult nothing = preview_gates(settings, gate_state(Value(Map{})));
  EXPECT_FALSE(nothing.would_fail);
  EXPECT_EQ(nothing.skipped,
            (std::vector<std::string>{
                "complexity_threshold", "coupling_threshold", "cohesion_threshold",
                "health_threshold", "dependency_cycles", "dead_code_high_confidence",
                "new_high_risk_functions", "new_high_coupling_classes", "new_dependency_cycles",
                "new_dead_code", "health_regression", "typing_coverage_threshold",
                "docstring_coverage_threshold", "typing_regression", "docstring_regression",
                "api_breaking_changes", "coverage_hotspots", "near_miss", "security_surface"}));
  GateSettings coverage;
  coverage.fail_on_untested_hotspots = true;
  EXPECT_EQ(preview_gates(coverage, gate_state(quiet_report())).skipped,
            std::vector<std::string>{"coverage_hotspots"});
  EXPECT_EQ(evaluate_gates(coverage, gate_state(quiet_report())).error().code,
            Code::coverage_required);
}

TEST(GatesOfAStoredRun, HotspotsAreCountedByTheBudget) {
  Value report = quiet_report();
  at(report, {"metrics", "families", "coverage_join"}) = json(
      R"({"summary": {"status": "ok", "hotspot_threshold_percent": 50}, "items": [
          {"status": "measured", "risk": "medium", "coverage_permille": 700}]})");
  GateSettings settings;
  settings.fail_on_untested_hotspots = true;
  EXPECT_FALSE(preview_gates(settings, gate_state(report)).would_fail);
  EXPECT_TRUE(preview_gates(settings, gate_state(report, {.coverage_min = 80})).would_fail);
}

TEST(GatesOfAStoredRun, SuppressionsOfTheJudgedChangeHideNothing) {
  Value report = quiet_report();
  at(report, {"metrics", "families", "complexity", "suppressed"}) =
      List{Map{{"qualname", "pkg.a:big"}, {"cyclomatic_complexity", 40}}};
  at(report, {"metrics", "families", "dead_code", "suppressed"}) =
      List{Map{{"qualname", "pkg.a:dead"}, {"confidence", "high"}}};
  at(report, {"findings", "groups", "clones", "suppressed", "functions"}) =
      List{clone("clone:function:a", "new")};
  const List added{Map{{"qualname", "pkg.a:big"}, {"rule", "complexity"}},
                   Map{{"qualname", "pkg.a:dead"}, {"rule", "dead-code"}},
                   Map{{"qualname", "pkg.a:run"}, {"rule", "clone"}}};
  GateSettings settings;
  settings.fail_complexity = 20;
  settings.fail_dead_code = true;
  settings.fail_on_new = true;
  EXPECT_FALSE(preview_gates(settings, gate_state(report)).would_fail);
  EXPECT_EQ(
      preview_gates(settings, gate_state(report, {.suppressions_added = &added})).reasons.size(),
      3u);
}

TEST(GatesOfAStoredRun, ASuppressedClassCountsWithTheValueOfItsFamily) {
  Value report = quiet_report();
  at(report, {"metrics", "families", "coupling", "suppressed"}) =
      List{Map{{"qualname", "pkg.a:Wide"}, {"cbo", 40}}};
  at(report, {"metrics", "families", "cohesion", "suppressed"}) =
      List{Map{{"qualname", "pkg.a:Loose"}, {"lcom4", 40}}};
  const List added{Map{{"qualname", "pkg.a:Wide"}, {"rule", "coupling"}},
                   Map{{"qualname", "pkg.a:Loose"}, {"rule", "cohesion"}}};
  GateSettings settings;
  settings.fail_coupling = 20;
  settings.fail_cohesion = 20;
  EXPECT_FALSE(preview_gates(settings, gate_state(report)).would_fail);
  EXPECT_EQ(
      preview_gates(settings, gate_state(report, {.suppressions_added = &added})).reasons.size(),
      2u);
}

// ------------------------------------------------------------------------------------- budgets

struct BudgetCase {
  std::string name;
  std::string ci, strict, relaxed;  // as JSON; "run": the threshold of the run
};
// Typed again from the reference; a row of it with three names is three rows here.
const std::vector<BudgetCase> kBudgetCases = {
    {"clone_regression", "0", "0", "null"},
    {"forbid_dead_code_regression", "false", "true", "false"},
    {"forbid_dependency_cycle", "false", "true", "false"},
    {"forbid_coverage_hotspot", "false", "true", "false"},
    {"complexity_delta", "17", "10", "null"},
    {"coupling_delta", "7", "5", "null"},
    {"cohesion_delta", "6", "3", "null"},
    {"health_floor", "null", "70", "null"},
    {"forbid_typing_regression", "false", "true", "false"},
    {"forbid_docstring_regression", "false", "true", "false"},
    {"forbid_api_break", "false", "true", "false"},
    {"coverage_min", "65", "80", "null"},
};

TEST(Budgets, EveryCellOfTheTable) {
  EXPECT_EQ(kBudgetCases.size(), 12u);
  const RunThresholds run{.complexity = 17, .coupling = 7, .cohesion = 6, .coverage_min = 65};
  const Map ci = document(budgets_for(Strictness::ci, run)),
            strict = document(budgets_for(Strictness::strict, run)),
            relaxed = document(budgets_for(Strictness::relaxed, run));
  for (const BudgetCase& c : kBudgetCases) {
    EXPECT_EQ(wire::canonical_json(*ci.find(c.name)), c.ci) << c.name;
    EXPECT_EQ(wire::canonical_json(*strict.find(c.name)), c.strict) << c.name;
    EXPECT_EQ(wire::canonical_json(*relaxed.find(c.name)), c.relaxed) << c.name;
  }
  EXPECT_EQ(ci.size(), kBudgetCases.size() + 1);  // and `disabled`
  EXPECT_EQ(wire::canonical_json(*ci.find("disabled")), R"(["health_floor"])");
  EXPECT_EQ(wire::canonical_json(*strict.find("disabled")), "[]");
  EXPECT_EQ(wire::canonical_json(*relaxed.find("disabled")),
            R"(["clone_regression","complexity_delta","coupling_delta","cohesion_delta",)"
            R"("health_floor","coverage_min"])");
}

TEST(Budgets, ARunWithoutThresholdsDisablesAllButTheCoverage) {
  const Map ci = document(budgets_for(Strictness::ci, {}));
  EXPECT_EQ(wire::canonical_json(*ci.find("disabled")),
            R"(["complexity_delta","coupling_delta","cohesion_delta","health_floor"])");
  EXPECT_EQ(*ci.find("coverage_min")->as_int(), 50);
}

TEST(Budgets, BecomeGateSettings) {
  const RunThresholds run = run_thresholds(quiet_report());
  GateSettings ci;
  ci.fail_complexity = 20;
  ci.fail_coupling = 10;
  ci.fail_cohesion = 4;
  ci.fail_on_new = true;
  EXPECT_EQ(gate_settings(budgets_for(Strictness::ci, run)), ci);
  GateSettings strict;
  strict.fail_complexity = 10;
  strict.fail_coupling = 5;
  strict.fail_cohesion = 3;
  strict.fail_health = 70;
  strict.fail_cycles = strict.fail_dead_code = strict.fail_on_untested_hotspots = true;
  strict.fail_on_typing_regression = strict.fail_on_docstring_regression = true;
  strict.fail_on_api_break = strict.fail_on_new = true;
  EXPECT_EQ(gate_settings(budgets_for(Strictness::strict, run)), strict);
  EXPECT_EQ(gate_settings(budgets_for(Strictness::relaxed, run)), GateSettings{});
}

TEST(Budgets, Strictness) {
  EXPECT_EQ(strictness_named("ci"), Strictness::ci);
  EXPECT_EQ(strictness_named("strict"), Strictness::strict);
  EXPECT_EQ(strictness_named("relaxed"), Strictness::relaxed);
  EXPECT_EQ(strictness_named("lax"), std::nullopt);
  EXPECT_EQ(to_string(Strictness::relaxed), "relaxed");
}

TEST(Budgets, TheAnswerHasTheMembersOfTheReference) {
  const Value report = quiet_report();
  BudgetFacts facts{.run_id = std::string(64, 'b'), .report = report};
  const Map alone = budget_answer(facts);
  std::set<std::string> members;
  for (const auto& [key, value] : alone.entries())
    members.insert(key);
  EXPECT_EQ(members,
            (std::set<std::string>{"mode", "run_id", "strictness", "intent_id", "scope",
                                   "declared_scope", "blast_radius_summary", "budgets",
                                   "current_state", "headroom", "gate_preview", "message"}));
  EXPECT_EQ(*alone.find("scope")->as_string(), "full");
  EXPECT_TRUE(alone.find("intent_id")->is_null());
  EXPECT_EQ(wire::canonical_json(*alone.find("current_state")),
            R"({"clone_groups":0,"cohesion_max":2,"complexity_max":8,"coupling_max":3,)"
            R"("dead_code_high_confidence":0,"dependency_cycles":0,"health_score":90})");
  EXPECT_EQ(wire::canonical_json(*alone.find("headroom")),
            R"({"cohesion_headroom":2,"complexity_headroom":12,"coupling_headroom":7,)"
            R"("health_headroom":null})");
  EXPECT_EQ(wire::canonical_json(*alone.find("gate_preview")),
            R"({"exit_code":0,"reasons":[],"skipped":[],"would_fail":false})");

  facts.intent_id = "intent-1";
  facts.intent_status = "queued";
  facts.strictness = Strictness::strict;
  const Map queued = budget_answer(facts);
  EXPECT_EQ(*queued.find("scope")->as_string(), "changed");
  EXPECT_EQ(*queued.find("intent_status")->as_string(), "queued");
  EXPECT_EQ(*queued.find("edit_allowed")->as_bool(), false);
  EXPECT_EQ(wire::canonical_json(*queued.find("headroom")),
            R"({"cohesion_headroom":1,"complexity_headroom":2,"coupling_headroom":2,)"
            R"("health_headroom":20})");
  facts.intent_status = "active";
  EXPECT_EQ(budget_answer(facts).find("edit_allowed"), nullptr);
}

}  // namespace
}  // namespace gh::control
