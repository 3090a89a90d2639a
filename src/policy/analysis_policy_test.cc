#include "policy/analysis_policy.h"

#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "policy/config.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

struct KeyCase {
  std::string key, default_json, good_yaml, good_json, bad_yaml, bad_message;
};

// clang-format off
// docs/reference/analysis.md, "Configuration": every key with its default, a good and a bad value.
const std::vector<KeyCase> kKeys = {
    {"min_loc", "10", "2", "2", "0", "min_loc: expected an integer from 1 to 1000000, found 0"},
    {"min_stmt", "6", "2", "2", "0", "min_stmt: expected an integer from 1 to 1000000, found 0"},
    {"block_min_loc", "20", "2", "2", "0", "block_min_loc: expected an integer from 1 to 1000000, found 0"},
    {"block_min_stmt", "8", "2", "2", "0", "block_min_stmt: expected an integer from 1 to 1000000, found 0"},
    {"block_min_run", "4", "3", "3", "1", "block_min_run: expected an integer from 2 to 1000000, found 1"},
    {"segment_min_loc", "20", "2", "2", "0", "segment_min_loc: expected an integer from 1 to 1000000, found 0"},
    {"segment_min_stmt", "10", "2", "2", "0", "segment_min_stmt: expected an integer from 1 to 1000000, found 0"},
    {"near_miss_similarity", "80", "2", "2", "0", "near_miss_similarity: expected an integer from 1 to 100, found 0"},
    {"jobs", "0", "1", "1", "-1", "jobs: expected an integer from 0 to 1024, found -1"},
    {"cache_path", "null", "out/cache", R"("out/cache")", "/tmp/cache", "cache_path: '/tmp/cache' is an absolute path"},
    {"max_cache_size_mb", "512", "2", "2", "0", "max_cache_size_mb: expected an integer from 1 to 1048576, found 0"},
    {"skip_metrics", "false", "true", "true", "1", "skip_metrics: expected true or false, found 1"},
    {"skip_dead_code", "false", "true", "true", "1", "skip_dead_code: expected true or false, found 1"},
    {"skip_dependencies", "false", "true", "true", "1", "skip_dependencies: expected true or false, found 1"},
    {"exclude", "[]", "[gen/**]", R"(["gen/**"])", "[../x]", "exclude[0]: '../x' has a '.' or '..' component"},
    {"include", "[]", "[src/**]", R"(["src/**"])", "src", "include: expected a list of strings, found 'src'"},
    {"languages", "[]", "[python, go]", R"(["python","go"])", "[cobol]", "languages[0]: expected one of python, c, cpp, javascript, typescript, tsx, go, rust, java, found 'cobol'"},
    {"api_strict_types", "false", "true", "true", "1", "api_strict_types: expected true or false, found 1"},
    {"max_files", "100000", "2", "2", "0", "max_files: expected an integer from 1 to 1000000, found 0"},
    {"project_name", "null", "The house", R"("The house")", "3", "project_name: expected a non-empty string without control characters, found 3"},
    {"html_out", "null", "out/a.html", R"("out/a.html")", "x.bin", "html_out: expected a file that ends in .html, found 'x.bin'"},
    {"json_out", "null", "out/a.json", R"("out/a.json")", "x.bin", "json_out: expected a file that ends in .json, found 'x.bin'"},
    {"md_out", "null", "out/a.md", R"("out/a.md")", "x.bin", "md_out: expected a file that ends in .md, found 'x.bin'"},
    {"sarif_out", "null", "out/a.sarif", R"("out/a.sarif")", "x.bin", "sarif_out: expected a file that ends in .sarif, found 'x.bin'"},
    {"text_out", "null", "out/a.txt", R"("out/a.txt")", "x.bin", "text_out: expected a file that ends in .txt, found 'x.bin'"},
    {"baseline", R"("gatehouse.baseline.json")", "b.json", R"("b.json")", "/b.json", "baseline: '/b.json' is an absolute path"},
    {"max_baseline_size_mb", "5", "7", "7", "0", "max_baseline_size_mb: expected an integer from 1 to 1024, found 0"},
    {"metrics_baseline", "null", "m.json", R"("m.json")", "../m.json", "metrics_baseline: '../m.json' has a '.' or '..' component"},
    {"api_surface", "false", "true", "true", "1", "api_surface: expected true or false, found 1"},
    {"coverage_xml", "null", "cov.xml", R"("cov.xml")", "1", "coverage_xml: expected a non-empty string without control characters, found 1"},
    {"coverage_min", "50", "1", "1", "-1", "coverage_min: expected an integer from 0 to 100, found -1"},
    {"min_typing_coverage", "-1", "0", "0", "-2", "min_typing_coverage: expected an integer from -1 to 100, found -2"},
    {"min_docstring_coverage", "-1", "0", "0", "-2", "min_docstring_coverage: expected an integer from -1 to 100, found -2"},
    {"fail_on_new", "false", "true", "true", "1", "fail_on_new: expected true or false, found 1"},
    {"fail_on_new_metrics", "false", "true", "true", "1", "fail_on_new_metrics: expected true or false, found 1"},
    {"fail_cycles", "false", "true", "true", "1", "fail_cycles: expected true or false, found 1"},
    {"fail_dead_code", "false", "true", "true", "1", "fail_dead_code: expected true or false, found 1"},
    {"fail_on_typing_regression", "false", "true", "true", "1", "fail_on_typing_regression: expected true or false, found 1"},
    {"fail_on_docstring_regression", "false", "true", "true", "1", "fail_on_docstring_regression: expected true or false, found 1"},
    {"fail_on_api_break", "false", "true", "true", "1", "fail_on_api_break: expected true or false, found 1"},
    {"fail_on_untested_hotspots", "false", "true", "true", "1", "fail_on_untested_hotspots: expected true or false, found 1"},
    {"fail_on_new_near_miss", "false", "true", "true", "1", "fail_on_new_near_miss: expected true or false, found 1"},
    {"fail_on_new_security_surface", "[]", "[process_boundary]", R"(["process_boundary"])", "[shell]", "fail_on_new_security_surface[0]: expected one of process_boundary, dynamic_execution, dynamic_loading, deserialization, network_boundary, database_boundary, crypto_transport, identity_token, archive_extraction, filesystem_mutation, found 'shell'"},
    {"fail_threshold", "-1", "0", "0", "-2", "fail_threshold: expected an integer from -1 to 1000000, found -2"},
    {"fail_complexity", "-1", "0", "0", "-2", "fail_complexity: expected an integer from -1 to 1000000, found -2"},
    {"fail_coupling", "-1", "0", "0", "-2", "fail_coupling: expected an integer from -1 to 1000000, found -2"},
    {"fail_cohesion", "-1", "0", "0", "-2", "fail_cohesion: expected an integer from -1 to 1000000, found -2"},
    {"fail_health", "-1", "0", "0", "-2", "fail_health: expected an integer from -1 to 100, found -2"},
    {"design_complexity", "20", "2", "2", "0", "design_complexity: expected an integer from 1 to 1000000, found 0"},
    {"design_coupling", "10", "2", "2", "0", "design_coupling: expected an integer from 1 to 1000000, found 0"},
    {"design_cohesion", "4", "2", "2", "0", "design_cohesion: expected an integer from 1 to 1000000, found 0"},
    {"golden_fixture_paths", "[]", "[tests/golden/**]", R"(["tests/golden/**"])", "[src/golden/**]", "golden_fixture_paths[0]: 'src/golden/**' lies outside tests"},
    {"dead_code_public_api", "null", "keep", R"("keep")", "drop", "dead_code_public_api: expected one of keep, report, found 'drop'"},
    {"structural_shape_groups", "false", "true", "true", "1", "structural_shape_groups: expected true or false, found 1"},
    {"instance_independent_methods", "false", "true", "true", "1", "instance_independent_methods: expected true or false, found 1"},
    {"dead_code_registrations", "{}", "\n    app.Bus: [on, once]", R"({"app.Bus":["on","once"]})", "[]", "dead_code_registrations: expected a mapping of constructors to methods, found a list"},
    {"ci", "false", "true", "true", "1", "ci: expected true or false, found 1"},
    {"quiet", "false", "true", "true", "1", "quiet: expected true or false, found 1"},
    {"verbose", "false", "true", "true", "1", "verbose: expected true or false, found 1"},
    {"debug", "false", "true", "true", "1", "debug: expected true or false, found 1"},
    {"no_color", "false", "true", "true", "1", "no_color: expected true or false, found 1"},
    {"no_progress", "false", "true", "true", "1", "no_progress: expected true or false, found 1"},
};
// clang-format on

std::string yaml_with(const std::string& key, const std::string& value) {
  return fmt::format("analysis:\n  {}: {}\n", key, value);
}

std::string shown(const AnalysisPolicy& policy, const std::string& key) {
  const Value document = to_value(policy);
  const Value* value = document.as_map()->find(key);
  return value == nullptr ? "absent" : wire::canonical_json(*value);
}

std::string message_of(const std::string& yaml) {
  const auto config = parse_config(yaml, "g");
  return config ? "accepted" : config.error().message;
}

TEST(AnalysisPolicy, EveryKeyHasItsDefaultAGoodAndABadValue) {
  for (const KeyCase& c : kKeys) {
    SCOPED_TRACE(c.key);
    EXPECT_EQ(shown({}, c.key), c.default_json);
    const auto good = parse_config(yaml_with(c.key, c.good_yaml), "g");
    ASSERT_TRUE(good.has_value()) << good.error().message;
    EXPECT_EQ(shown(good->analysis, c.key), c.good_json);
    const std::string bad = message_of(yaml_with(c.key, c.bad_yaml));
    EXPECT_TRUE(bad.starts_with("g:2:")) << bad;
    const std::size_t name = bad.find("analysis.");
    EXPECT_EQ(name == bad.npos ? bad : bad.substr(name + 9), c.bad_message);
  }
}

TEST(AnalysisPolicy, NoKeyIsWithoutACase) {
  std::set<std::string> have, cases;
  const Value document = to_value(AnalysisPolicy{});
  for (const auto& entry : document.as_map()->entries())
    have.insert(entry.first);
  for (const KeyCase& c : kKeys)
    cases.insert(c.key);
  EXPECT_EQ(have, cases);
}

TEST(AnalysisPolicyPage, NamesEveryKeyOnceInTheOrderOfTheTable) {
  std::ifstream page("docs/reference/analysis.md");
  std::vector<std::string> names, cases;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line == "## Configuration";
    if (inside && line.starts_with("| `")) names.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  for (const KeyCase& c : kKeys)
    cases.push_back(c.key);
  EXPECT_EQ(names, cases);
}

TEST(AnalysisPolicy, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(message_of("analysis: []\n"), "g:1:1: analysis: expected a mapping of keys");
  EXPECT_EQ(message_of("analysis:\n  fail_healt: 60\n"),
            "g:2:3: unknown key 'fail_healt' in analysis; did you mean 'fail_health'?");
  EXPECT_EQ(message_of("analysis:\n  golden_fixture_paths: [/abs/tests/x]\n"),
            "g:2:26: analysis.golden_fixture_paths[0]: '/abs/tests/x' is an absolute path");
  EXPECT_EQ(message_of("analysis:\n  golden_fixture_paths: [golden_*.py]\n"), "accepted");
  EXPECT_EQ(message_of("analysis:\n  fail_health: 101\n"),
            "g:2:3: analysis.fail_health: expected an integer from -1 to 100, found 101");
  EXPECT_EQ(message_of("analysis:\n  dead_code_registrations:\n    app.Bus: on\n"),
            "g:3:5: analysis.dead_code_registrations.app.Bus: expected a list of strings, found "
            "'on'");
}

TEST(AnalysisPolicy, NullsSetTextsBack) {
  const auto config = parse_config("analysis:\n  baseline: null\n  coverage_xml: null\n", "g");
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->analysis, AnalysisPolicy{});
}

}  // namespace
}  // namespace gh::policy
