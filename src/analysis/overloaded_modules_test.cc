// docs/reference/analysis.md, "Overloaded modules"
#include "analysis/overloaded_modules.h"

#include <gtest/gtest.h>

#include "analysis/test_project.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

using Loads = std::vector<ModuleLoad>;

ModuleLoad load(const std::string& name, std::uint64_t size, std::uint64_t fan_in,
                std::uint64_t fan_out) {
  return {.module = name,
          .path = "m.py",
          .loc = size,
          .callables = size,
          .complexity_total = size,
          .fan_in = fan_in,
          .fan_out = fan_out,
          .import_edges = fan_out};
}

std::string number_name(std::uint64_t i) {
  return std::string(i < 10 ? "m0" : "m") + std::to_string(i);
}

const ScoredModule& named(const OverloadedModules& all, std::string_view name) {
  for (const ScoredModule& module : all.modules)
    if (module.load.module == name) return module;
  ADD_FAILURE() << "no module " << name;
  return all.modules.front();
}

Decimal d(std::int64_t ten_thousandths) { return {ten_thousandths}; }

TEST(OverloadedModules, OneModuleStandsAboveAll) {
  const OverloadedModules all = overloaded_modules({load("m", 3, 0, 0)});
  const ScoredModule& m = all.modules.at(0);
  EXPECT_EQ(m.size, d(10'000));
  EXPECT_EQ(m.dependency, d(10'000));
  EXPECT_EQ(m.hub, d(0)) << "it has no dependencies";
  EXPECT_EQ(m.shape, d(10'000)) << "the rank by reimport_ratio";
  EXPECT_EQ(m.score, d(10'000));
  EXPECT_EQ(m.status, Overload::ranked_only);
  EXPECT_TRUE(overloaded_modules({}).modules.empty());
}

TEST(OverloadedModules, EqualValuesShareTheMiddleOfTheirRanks) {
  // By loc: 10 has none below and one not above: (0 + 1 - 1) / 2 / 2 = 0;
  // 20 has one below and three not above: (1 + 3 - 1) / 2 / 2 = 0.75.
  // By anything else all three are equal: (0 + 3 - 1) / 2 / 2 = 0.5.
  Loads loads{load("a", 0, 0, 0), load("b", 0, 0, 0), load("c", 0, 0, 0)};
  loads[0].loc = 10;
  loads[1].loc = loads[2].loc = 20;
  const OverloadedModules all = overloaded_modules(loads);
  EXPECT_EQ(named(all, "a").size, d(5'000)) << "the highest of the three ranks";
  EXPECT_EQ(named(all, "b").size, d(7'500));
  EXPECT_EQ(named(all, "c").size, d(7'500));
  EXPECT_EQ(named(all, "c").dependency, d(5'000));
}

TEST(OverloadedModules, RanksDependOnTheOrderOfValuesHoweverFarApartTheyAre) {
  Loads near, far;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const std::uint64_t size = i * i % 17, in = i * 7 % 11, out = i % 3;
    near.push_back(load(number_name(i), size, in, out));
    far.push_back(load(number_name(i), size * 1'000'000, in * 1'000'000, out * 1'000'000));
  }
  const OverloadedModules close = overloaded_modules(near), apart = overloaded_modules(far);
  ASSERT_EQ(close.modules.size(), apart.modules.size());
  for (std::size_t i = 0; i < close.modules.size(); ++i) {
    EXPECT_EQ(close.modules[i].load.module, apart.modules[i].load.module);
    EXPECT_EQ(close.modules[i].size, apart.modules[i].size);
    EXPECT_EQ(close.modules[i].score, apart.modules[i].score);
  }
}

TEST(OverloadedModules, StandByScoreAndThenByNameInWhateverOrderTheyCome) {
  const OverloadedModules all = overloaded_modules(
      {load("d", 1, 0, 0), load("b", 9, 0, 0), load("c", 1, 0, 0), load("a", 1, 0, 0)});
  std::string names;
  for (const ScoredModule& module : all.modules)
    names += module.load.module;
  EXPECT_EQ(names, "bacd");
}

TEST(OverloadedModules, SharesAreRoundedToFourDecimals) {
  Loads loads{load("a", 1, 1, 2)};
  loads[0].import_edges = 8;
  const ScoredModule m = overloaded_modules(loads).modules.at(0);
  EXPECT_EQ(m.load.reimports(), 6u);
  EXPECT_EQ(m.reimport_ratio, d(7'500));  // 6 / 8
  EXPECT_EQ(m.instability, d(6'667));     // 2 / 3
  EXPECT_EQ(m.hub_balance, d(6'667));     // 1 - 1 / 3
}

TEST(OverloadedModules, ALadderOfTwenty) {
  // Module i has size i + 1, i modules before and i after it: each rank is i / 19, the balance 1
  // but for the first, and all ranks by reimport_ratio (0 + 20 - 1) / 2 / 19 = 0.5.
  Loads loads;
  for (std::uint64_t i = 0; i < 20; ++i)
    loads.push_back(load(number_name(i), i + 1, i, i));
  const OverloadedModules all = overloaded_modules(loads);
  EXPECT_FALSE(all.is_limited);
  // 9 / 19 = 0.4737; shape 0.5; 0.8 × 0.4737 + 0.2 × 0.5 = 0.47896
  EXPECT_EQ(named(all, "m09").score, d(4'790));
  EXPECT_EQ(named(all, "m09").shape, d(5'000));
  EXPECT_EQ(named(all, "m00").hub, d(0));
  // Scores: Q90 at 17.1: 0.8947 + 0.1 × 0.0527 = 0.89997; Q3 at 14.25: 0.7368 + 0.25 × 0.0527 =
  // 0.749975; Q1 at 4.75: 0.2684 + 0.75 × 0.0422 = 0.30005; Q3 + 1.5 × 0.449925 is above 1.
  EXPECT_EQ(all.cutoff, d(10'000));
  EXPECT_EQ(named(all, "m17").score, d(8'947));
  EXPECT_EQ(named(all, "m17").status, Overload::non_candidate);
  EXPECT_EQ(named(all, "m17").reasons, Texts{"hub_like_shape"});
  EXPECT_EQ(named(all, "m18").score, d(9'474));
  EXPECT_EQ(named(all, "m18").status, Overload::candidate);
  EXPECT_EQ(named(all, "m18").reasons,
            (Texts{"size_pressure", "dependency_pressure", "hub_like_shape"}));
  EXPECT_EQ(all.modules.at(0).load.module, "m19");
  EXPECT_EQ(all.modules.at(0).score, d(10'000));
  EXPECT_EQ(all.modules.at(19).load.module, "m00");
}

TEST(OverloadedModules, AScoreBeyondTheCutoffNeedsNoShape) {
  // Nineteen alike: size (0 + 19 - 1) / 2 / 19 = 0.4737; nobody imports, so dependency and shape
  // are (0 + 20 - 1) / 2 / 19 = 0.5; 0.45 × 0.4737 + 0.55 × 0.5 = 0.488165, and all quantiles are
  // that score. The twentieth: 0.45 + 0.35 + 0.2 × 0.5.
  Loads loads;
  for (std::uint64_t i = 0; i < 19; ++i)
    loads.push_back(load(number_name(i), 1, 0, 0));
  loads.push_back(load("big", 9, 30, 0));
  const OverloadedModules all = overloaded_modules(loads);
  EXPECT_EQ(all.cutoff, d(4'882));
  EXPECT_EQ(named(all, "big").shape, d(5'000));
  EXPECT_EQ(named(all, "big").score, d(9'000));
  EXPECT_EQ(named(all, "big").status, Overload::candidate);
  EXPECT_EQ(named(all, "big").reasons, (Texts{"size_pressure", "dependency_pressure"}));
  EXPECT_EQ(named(all, "m00").status, Overload::non_candidate);

  loads.erase(loads.begin());
  const OverloadedModules few = overloaded_modules(loads);
  EXPECT_TRUE(few.is_limited);
  EXPECT_EQ(named(few, "big").status, Overload::ranked_only);
}

TEST(OverloadedModules, StatusesHaveNames) {
  EXPECT_EQ(to_string(Overload::candidate), "candidate");
  EXPECT_EQ(to_string(Overload::non_candidate), "non_candidate");
  EXPECT_EQ(to_string(Overload::ranked_only), "ranked_only");
}

TEST(OverloadedModules, AHalfIsRoundedToTheEvenNeighbour) {
  // Nineteen with 1 before and 3 after: balance 1 - 2 / 4, dependency 0.4737; 0.5 × 0.4737 =
  // 0.23685.
  Loads loads;
  for (std::uint64_t i = 0; i < 19; ++i)
    loads.push_back(load(number_name(i), 1, 1, 3));
  loads.push_back(load("big", 1, 2, 6));
  EXPECT_EQ(named(overloaded_modules(loads), "m00").hub, d(2'368));
}

TEST(OverloadedModules, RepeatedImportsAreAPressureOfTheirOwn) {
  Loads loads;
  for (std::uint64_t i = 0; i < 20; ++i)
    loads.push_back(load(number_name(i), 1, 0, 1));
  loads[7].import_edges = 4;  // of 1 module: 3 of 4 are repeated; nobody imports it, so no hub
  const ScoredModule m = named(overloaded_modules(loads), "m07");
  EXPECT_EQ(m.reimport_ratio, d(7'500));
  EXPECT_EQ(m.shape, d(10'000));
  EXPECT_EQ(m.reasons, (Texts{"dependency_pressure", "repeated_import_pressure"}));
}

TEST(OverloadedModules, LoadsAreReadFromTheProject) {
  const Project project =
      project_of({{"a.py",
                   "import b\nimport b\nfrom b import C\nimport a\ndef f():\n    def g(): pass\n"
                   "    if f: pass\n"},
                  {"b.py", "class C:\n    def m(self): pass\n"},
                  {"bad.py", std::string("\xff\xfe")}},
                 {});
  const Loads loads = module_loads(project, dependencies_of(project));
  ASSERT_EQ(loads.size(), 2u) << "what was skipped carries nothing";
  const ModuleLoad &a = loads[0], &b = loads[1];
  EXPECT_EQ(a.module, "a");
  EXPECT_EQ(a.loc, 7u);
  EXPECT_EQ(a.functions, 1u);
  EXPECT_EQ(a.callables, 2u) << "also the one inside";
  EXPECT_EQ(a.complexity_total, 3u);
  EXPECT_EQ(a.complexity_max, 2u);
  EXPECT_EQ(a.fan_out, 1u) << "a module is none of its own dependencies";
  EXPECT_EQ(a.import_edges, 3u);
  EXPECT_EQ(a.reimports(), 2u);
  EXPECT_EQ(b.classes, 1u);
  EXPECT_EQ(b.methods, 1u);
  EXPECT_EQ(b.fan_in, 1u);
}

TEST(OverloadedModules, TheFamilyTellsTheSummaryAndEveryValue) {
  const OverloadedModules all = overloaded_modules({load("m", 3, 0, 0)});
  const Map family = overloaded_family(all);
  EXPECT_EQ(wire::canonical_json(*family.find("summary")),
            R"({"average_score":1.0,"candidate_score_cutoff":1.0,"candidates":0,)"
            R"("population_status":"limited","top_score":1.0,"total":1})");
  std::string written;
  append_item(overloaded_columns(), all.modules[0], written);
  EXPECT_EQ(written, wire::canonical_json(item_of(overloaded_columns(), all.modules[0])));
  EXPECT_EQ(written,
            R"({"callable_count":3,"candidate_reasons":["size_pressure","dependency_pressure",)"
            R"("repeated_import_pressure"],"candidate_status":"ranked_only","classes":0,)"
            R"("complexity_max":0,"complexity_total":3,"dependency_score":1.0,"fan_in":0,)"
            R"("fan_out":0,"functions":0,"hub_balance":0.0,"hub_score":0.0,"import_edges":0,)"
            R"("instability":0.0,"loc":3,"methods":0,"module":"m","reimport_edges":0,)"
            R"("reimport_ratio":0.0,"relative_path":"m.py","score":1.0,"shape_score":1.0,)"
            R"("size_score":1.0,"source_kind":"production","total_deps":0})");
}

}  // namespace
}  // namespace gh::analysis
