#include "ops/analysis_settings.h"

#include <set>

#include <gtest/gtest.h>

#include "policy/config.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using policy::AnalysisPolicy;

Request request_with(std::string_view option, const std::string& value) {
  RawRequest raw;
  if (!option.empty()) raw.options[std::string(option)] = {value};
  auto request = Request::make(*find_operation("analyze"), std::move(raw));
  EXPECT_TRUE(request) << (request ? "" : request.error().message);
  return *request;
}

std::string shown(const AnalysisPolicy& policy, std::string_view key) {
  const Value document = to_value(policy);
  return wire::canonical_json(*document.as_map()->find(key));
}

struct Row {
  const char *option, *value, *key, *shown;
};

// docs/reference/analysis.md, "Gates" and "Configuration": each option sets its key and no other.
TEST(AnalysisSettings, EachOptionSetsItsKey) {
  const std::vector<Row> rows{
      {"min-loc", "3", "min_loc", "3"},
      {"min-stmt", "3", "min_stmt", "3"},
      {"jobs", "3", "jobs", "3"},
      {"fail-complexity", "3", "fail_complexity", "3"},
      {"fail-coupling", "3", "fail_coupling", "3"},
      {"fail-cohesion", "3", "fail_cohesion", "3"},
      {"fail-health", "3", "fail_health", "3"},
      {"min-typing-coverage", "3", "min_typing_coverage", "3"},
      {"min-docstring-coverage", "3", "min_docstring_coverage", "3"},
      {"fail-threshold", "3", "fail_threshold", "3"},
      {"coverage-min", "3", "coverage_min", "3"},
      {"fail-cycles", "true", "fail_cycles", "true"},
      {"fail-dead-code", "true", "fail_dead_code", "true"},
      {"fail-on-new-metrics", "true", "fail_on_new_metrics", "true"},
      {"fail-on-typing-regression", "true", "fail_on_typing_regression", "true"},
      {"fail-on-docstring-regression", "true", "fail_on_docstring_regression", "true"},
      {"fail-on-api-break", "true", "fail_on_api_break", "true"},
      {"fail-on-untested-hotspots", "true", "fail_on_untested_hotspots", "true"},
      {"fail-on-new", "true", "fail_on_new", "true"},
      {"fail-on-new-near-miss", "true", "fail_on_new_near_miss", "true"},
      {"skip-metrics", "true", "skip_metrics", "true"},
      {"skip-dead-code", "true", "skip_dead_code", "true"},
      {"skip-dependencies", "true", "skip_dependencies", "true"},
      {"api-surface", "true", "api_surface", "true"},
      {"ci", "true", "ci", "true"},
      {"baseline", "b.json", "baseline", R"("b.json")"},
      {"metrics-baseline", "m.json", "metrics_baseline", R"("m.json")"},
      {"coverage", "c.xml", "coverage_xml", R"("c.xml")"},
      {"fail-on-new-security-surface", "deserialization,process_boundary",
       "fail_on_new_security_surface", R"(["deserialization","process_boundary"])"},
  };
  const Value defaults = to_value(AnalysisPolicy{});
  for (const Row& row : rows) {
    SCOPED_TRACE(row.option);
    const auto policy = with_request({}, request_with(row.option, row.value));
    ASSERT_TRUE(policy);
    EXPECT_EQ(shown(*policy, row.key), row.shown);
    for (const auto& [key, value] : defaults.as_map()->entries()) {
      if (key == row.key) continue;
      EXPECT_EQ(shown(*policy, key), wire::canonical_json(value)) << key;
    }
  }
}

TEST(AnalysisSettings, WhatIsNotSaidStaysAsTheFileHasIt) {
  AnalysisPolicy file;
  file.fail_health = 70;
  file.fail_cycles = true;
  EXPECT_EQ(*with_request(file, request_with("", "")), file);
  EXPECT_FALSE(with_request(file, request_with("fail-cycles", "false"))->fail_cycles);
}

TEST(AnalysisSettings, EveryGateReachesItsSetting) {
  AnalysisPolicy p;
  const analysis::GateSettings off = gates_of(p);
  for (const analysis::GateOption& option : analysis::gate_options())
    EXPECT_FALSE(option.is_on(off)) << option.name;
  p.fail_complexity = p.fail_coupling = p.fail_cohesion = p.fail_health = p.min_typing_coverage =
      p.min_docstring_coverage = p.fail_threshold = 0;
  p.fail_cycles = p.fail_dead_code = p.fail_on_new_metrics = p.fail_on_typing_regression =
      p.fail_on_docstring_regression = p.fail_on_api_break = p.fail_on_untested_hotspots =
          p.fail_on_new = p.fail_on_new_near_miss = true;
  p.fail_on_new_security_surface = {"deserialization"};
  const analysis::GateSettings on = gates_of(p);
  for (const analysis::GateOption& option : analysis::gate_options()) {
    EXPECT_TRUE(option.is_on(on)) << option.name;
    EXPECT_NE(find_option(*find_operation("analyze"), option.name), nullptr) << option.name;
  }
}

TEST(AnalysisSettings, SkippingMetricsSkipsAllAndGatesSwitchBackOn) {
  AnalysisPolicy p;
  p.skip_metrics = true;
  EXPECT_TRUE(settled(p).skip_dead_code);
  EXPECT_TRUE(settled(p).skip_dependencies);
  p = {};
  p.skip_dead_code = p.skip_dependencies = p.fail_cycles = true;
  EXPECT_FALSE(settled(p).skip_dependencies);
  EXPECT_TRUE(settled(p).skip_dead_code);
  p.fail_dead_code = true;
  EXPECT_FALSE(settled(p).skip_dead_code);
  p.fail_on_api_break = true;
  EXPECT_TRUE(settled(p).api_surface);
}

std::string digest_with(const std::string& key, const std::string& value) {
  const auto config =
      policy::parse_config("analysis:\n  " + key + ": " + value + "\n", "gatehouse.yaml");
  EXPECT_TRUE(config) << key << (config ? "" : config.error().message);
  return config ? measuring_digest(config->analysis) : "";
}

// docs/reference/change-control.md, "Verify": what decides over what a run finds counts, how it is
// told or refused does not.
TEST(MeasuringSettings, EachKeyThatDecidesWhatIsFoundCounts) {
  const std::string usual = measuring_digest(AnalysisPolicy{});
  const std::vector<std::pair<std::string, std::string>> counting{
      {"min_loc", "3"},
      {"min_stmt", "3"},
      {"block_min_loc", "3"},
      {"block_min_stmt", "3"},
      {"block_min_run", "3"},
      {"segment_min_loc", "3"},
      {"segment_min_stmt", "3"},
      {"near_miss_similarity", "3"},
      {"skip_metrics", "true"},
      {"skip_dead_code", "true"},
      {"skip_dependencies", "true"},
      {"exclude", "[a]"},
      {"include", "[a]"},
      {"languages", "[python]"},
      {"api_strict_types", "true"},
      {"max_files", "3"},
      {"baseline", "b.json"},
      {"metrics_baseline", "b.json"},
      {"api_surface", "true"},
      {"design_complexity", "3"},
      {"design_coupling", "3"},
      {"design_cohesion", "3"},
      {"golden_fixture_paths", "[tests/a]"},
      {"dead_code_public_api", "report"},
      {"structural_shape_groups", "true"},
      {"dead_code_registrations", "{A: [b]}"}};
  EXPECT_EQ(counting.size(), 26u);
  std::set<std::string> seen{usual};
  for (const auto& [key, value] : counting)
    EXPECT_TRUE(seen.insert(digest_with(key, value)).second) << key;
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"jobs", "3"},
                                                        {"max_cache_size_mb", "3"},
                                                        {"project_name", "p"},
                                                        {"html_out", "a.html"},
                                                        {"coverage_min", "3"},
                                                        {"fail_on_new", "true"},
                                                        {"fail_complexity", "3"},
                                                        {"fail_health", "3"},
                                                        {"ci", "true"},
                                                        {"quiet", "true"},
                                                        {"no_color", "true"}})
    EXPECT_EQ(digest_with(key, value), usual) << key;
  EXPECT_EQ(digest_with("fail_on_api_break", "true"), digest_with("api_surface", "true"))
      << "a gate measures what it needs";
}

}  // namespace
}  // namespace gh::ops
