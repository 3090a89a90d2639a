#include <functional>

#include <gtest/gtest.h>

#include "analysis/baseline_file.h"
#include "analysis/novelty.h"
#include "analysis/testing_project.h"
#include "base/digest.h"
#include "base/text.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

using Texts = std::vector<std::string>;

const std::string kOne = "0123456789abcdef0123456789abcdef", kTwo = std::string(32, 'f');
constexpr Timestamp kThen{1'767'225'600};  // 2026-01-01

Baseline sample() {
  BaselineMetrics metrics;
  metrics.max_complexity = 22;
  metrics.high_risk_functions = {"m:f"};
  metrics.high_coupling_classes = {"m:K"};
  metrics.max_cohesion = 5;
  metrics.low_cohesion_classes = {"m:L"};
  metrics.dependency_cycles = {{"a", "b"}};
  metrics.dependency_max_depth = 3;
  metrics.dead_code_items = {"m:old"};
  metrics.health_score = 73;
  metrics.health_grade = "C";
  metrics.health_dimensions = {0, 93, 80, 100, 92, 100, 100};
  metrics.typing_param_permille = 500;
  metrics.typing_return_permille = 333;
  metrics.docstring_permille = 400;
  metrics.typing_any_count = 3;
  return {.clones = CloneKeys{{kOne, kTwo}, {kTwo}},
          .metrics = metrics,
          .api_surface = Value(Map{{"modules", List{}}})};
}

std::string sample_bytes() { return print_baseline(sample(), {"python"}, kThen); }

using Change = std::function<void(Map& file, Map& meta, Map& clones, Map& metrics)>;

std::string changed(const Change& change) {
  Value document = *wire::read_json(sample_bytes());
  Map& file = *document.as_map();
  Map meta = *file.find("meta")->as_map(), clones = *file.find("clones")->as_map(),
      metrics = *file.find("metrics")->as_map();
  change(file, meta, clones, metrics);
  if (file.find("meta") != nullptr && file.find("meta")->as_map() != nullptr)
    file.set("meta", meta);
  if (file.find("clones") != nullptr && file.find("clones")->as_map() != nullptr)
    file.set("clones", clones);
  if (file.find("metrics") != nullptr && file.find("metrics")->as_map() != nullptr)
    file.set("metrics", metrics);
  return wire::canonical_json(document);
}

std::string trust_of(const Change& change) {
  return std::string(to_string(read_baseline(changed(change)).trust));
}

// docs/reference/analysis.md, "Baseline"
TEST(BaselineFile, WhatWasWrittenIsReadAgain) {
  const BaselineRead read = read_baseline(sample_bytes());
  EXPECT_EQ(read.trust, Trust::ok) << read.detail;
  const Baseline expected = sample();
  EXPECT_EQ(read.content.clones, expected.clones);
  EXPECT_EQ(read.content.metrics, expected.metrics);
  EXPECT_EQ(read.content.api_surface, expected.api_surface);
}

TEST(BaselineFile, IsIndentedAndEndsWithANewline) {
  const std::string bytes = sample_bytes();
  EXPECT_TRUE(bytes.starts_with("{\n  \"api_surface\": {"));
  EXPECT_TRUE(bytes.ends_with("}\n"));
  EXPECT_TRUE(contains(bytes, "\"created_at\": \"2026-01-01T00:00:00Z\""));
  EXPECT_TRUE(contains(bytes, "\"schema_version\": \"1.0\""));
  EXPECT_TRUE(contains(bytes, "\"fingerprint_version\": \"gh1\""));
  EXPECT_TRUE(contains(bytes, "\"name\": \"gatehouse\""));
}

TEST(BaselineFile, HashesAreOverCanonicalJson) {
  const std::string bytes = sample_bytes();
  const std::string clones = R"({"blocks":[")" + kTwo +
                             R"("],"fingerprint_version":"gh1","functions":[")" + kOne + R"(",")" +
                             kTwo + R"("]})";
  const std::string metrics =
      R"({"dead_code_items":["m:old"],"dependency_cycles":[["a","b"]],"dependency_max_depth":3,)"
      R"("docstring_permille":400,"health_dimensions":{"clones":0,"cohesion":80,"complexity":93,)"
      R"("coupling":100,"coverage":100,"dead_code":92,"dependencies":100},"health_grade":"C",)"
      R"("health_score":73,"high_coupling_classes":["m:K"],"high_risk_functions":["m:f"],)"
      R"("low_cohesion_classes":["m:L"],"max_cohesion":5,"max_complexity":22,"max_coupling":0,)"
      R"("typing_any_count":3,"typing_param_permille":500,"typing_return_permille":333})";
  EXPECT_TRUE(contains(bytes, "\"payload_sha256\": \"" + digest_of(clones).hex()));
  EXPECT_TRUE(contains(bytes, "\"metrics_payload_sha256\": \"" + digest_of(metrics).hex()));
  EXPECT_TRUE(
      contains(bytes, "\"api_surface_payload_sha256\": \"" + digest_of(R"({"modules":[]})").hex()));
}

// Who compares metrics must see an update that left the clones as they were.
TEST(BaselineFile, TheReportStatesTheDigestOfWhatItWasReadFor) {
  const BaselineRead read = read_baseline(sample_bytes());
  const auto stated = [&](BaselineUse use, std::string_view key) {
    const Map summary = baseline_summary(read, "b.json", use);
    const Value* value = summary.find(key);
    return value == nullptr ? std::string() : *value->as_string();
  };
  const auto sealed = [&](std::string_view key) { return *read.meta.find(key)->as_string(); };
  EXPECT_EQ(stated(BaselineUse::clones, "payload_sha256"), sealed("payload_sha256"));
  EXPECT_EQ(stated(BaselineUse::metrics, "payload_sha256"), sealed("metrics_payload_sha256"));
  EXPECT_EQ(stated(BaselineUse::metrics, "api_surface_payload_sha256"),
            sealed("api_surface_payload_sha256"));
  EXPECT_EQ(stated(BaselineUse::clones, "api_surface_payload_sha256"), "");
}

TEST(BaselineFile, SectionsThatAreOffAreNotWritten) {
  const std::string bytes = print_baseline({.clones = CloneKeys{}}, {"python"}, kThen);
  EXPECT_FALSE(contains(bytes, "metrics"));
  EXPECT_FALSE(contains(bytes, "api_surface"));
  EXPECT_EQ(read_baseline(bytes).trust, Trust::ok);
  EXPECT_FALSE(read_baseline(bytes).content.metrics);
}

// Every state with a file that is in it.
TEST(BaselineTrust, EveryStateHasItsFile) {
  EXPECT_EQ(to_string(no_baseline(Absence::missing).trust), "missing");
  EXPECT_EQ(to_string(no_baseline(Absence::unreadable).trust), "invalid_json");
  EXPECT_EQ(to_string(no_baseline(Absence::too_large).trust), "too_large");
  EXPECT_EQ(to_string(read_baseline(std::string((5u << 20) + 1, ' ')).trust), "too_large");
  EXPECT_EQ(to_string(read_baseline(std::string((1u << 20) + 1, ' '), 1).trust), "too_large");
  EXPECT_EQ(to_string(read_baseline(std::string(1u << 20, ' '), 1).trust), "invalid_json");
  EXPECT_EQ(to_string(read_baseline("").trust), "invalid_json");
  EXPECT_EQ(to_string(read_baseline("{").trust), "invalid_json");
  EXPECT_EQ(to_string(read_baseline("[]").trust), "invalid_type");
  EXPECT_EQ(to_string(read_baseline("{}").trust), "missing_fields");
  EXPECT_EQ(to_string(read_baseline(R"({"functions":[],"blocks":[]})").trust), "missing_fields");
  const std::vector<std::pair<const char*, Change>> rows{
      {"ok", [](Map&, Map&, Map&, Map&) {}},
      {"ok", [](Map&, Map& meta, Map&, Map&) { meta.set("note", "other keys may stand here"); }},
      {"ok", [](Map&, Map& meta, Map&, Map&) { meta.set("created_at", "any time"); }},
      {"ok", [](Map&, Map& meta, Map&, Map&) { meta.set("schema_version", "1"); }},
      {"invalid_type", [](Map& file, Map&, Map&, Map&) { file.set("more", 1); }},
      {"invalid_type", [](Map& file, Map&, Map&, Map&) { file.set("clones", List{}); }},
      {"invalid_type", [](Map& file, Map&, Map&, Map&) { file.set("metrics", 1); }},
      {"invalid_type", [](Map&, Map&, Map& clones, Map&) { clones.set("segments", List{}); }},
      {"invalid_type", [](Map&, Map&, Map& clones, Map&) { clones.set("functions", 1); }},
      {"invalid_type",
       [](Map&, Map&, Map& clones, Map&) {
         clones.set("functions", List{kTwo, kOne});
       }},
      {"invalid_type",
       [](Map&, Map&, Map& clones, Map&) {
         clones.set("functions", List{kOne, kOne});
       }},
      {"invalid_type", [](Map&, Map&, Map& clones, Map&) { clones.set("blocks", List{"abc"}); }},
      {"invalid_type",
       [](Map&, Map&, Map& clones, Map&) { clones.set("blocks", List{std::string(32, 'F')}); }},
      {"invalid_type", [](Map&, Map& meta, Map&, Map&) { meta.set("languages", List{}); }},
      {"invalid_type", [](Map&, Map& meta, Map&, Map&) { meta.set("schema_version", 1); }},
      {"invalid_type", [](Map&, Map&, Map&, Map& m) { m.set("max_complexity", "22"); }},
      {"invalid_type",
       [](Map&, Map&, Map&, Map& m) {
         m.set("dead_code_items", List{"b", "a"});
       }},
      {"invalid_type",
       [](Map&, Map&, Map&, Map& m) {
         m.set("dependency_cycles", List{List{"b", "a"}});
       }},
      {"invalid_type",
       [](Map&, Map&, Map&, Map& m) {
         m.set("health_dimensions", Map{{"clones", "x"}});
       }},
      {"missing_fields", [](Map& file, Map&, Map&, Map&) { file.erase("meta"); }},
      {"missing_fields", [](Map& file, Map&, Map&, Map&) { file.erase("clones"); }},
      {"missing_fields", [](Map&, Map&, Map& clones, Map&) { clones.erase("blocks"); }},
      {"missing_fields", [](Map&, Map& meta, Map&, Map&) { meta.erase("generator"); }},
      {"missing_fields", [](Map&, Map& meta, Map&, Map&) { meta.set("generator", Map{}); }},
      {"missing_fields",
       [](Map&, Map& meta, Map&, Map&) {
         meta.set("generator", Map{{"name", "gatehouse"}});
       }},
      {"missing_fields",
       [](Map&, Map& meta, Map&, Map&) {
         meta.set("generator", Map{{"version", "1"}});
       }},
      {"missing_fields", [](Map&, Map& meta, Map&, Map&) { meta.erase("schema_version"); }},
      {"missing_fields", [](Map&, Map& meta, Map&, Map&) { meta.erase("fingerprint_version"); }},
      {"missing_fields", [](Map&, Map& meta, Map&, Map&) { meta.erase("languages"); }},
      {"missing_fields", [](Map&, Map& meta, Map&, Map&) { meta.erase("created_at"); }},
      {"missing_fields", [](Map&, Map&, Map&, Map& m) { m.erase("typing_any_count"); }},
      {"generator_mismatch",
       [](Map&, Map& meta, Map&, Map&) {
         meta.set("generator", Map{{"name", "other"}, {"version", "1"}});
       }},
      {"mismatch_schema_version",
       [](Map&, Map& meta, Map&, Map&) { meta.set("schema_version", "2.0"); }},
      {"mismatch_schema_version",
       [](Map&, Map& meta, Map&, Map&) { meta.set("schema_version", "1.1"); }},
      {"mismatch_schema_version",
       [](Map&, Map& meta, Map&, Map&) { meta.set("schema_version", "1.x"); }},
      {"mismatch_fingerprint_version",
       [](Map&, Map& meta, Map&, Map&) { meta.set("fingerprint_version", "gh2"); }},
      {"mismatch_language_frontend",
       [](Map&, Map& meta, Map&, Map&) {
         meta.set("languages", Map{{"python", "ir/2.0"}});
       }},
      {"mismatch_language_frontend",
       [](Map&, Map& meta, Map&, Map&) {
         meta.set("languages", Map{{"cobol", "ir/1.0"}});
       }},
      {"ok",
       [](Map&, Map& meta, Map&, Map&) {
         meta.set("languages", Map{{"python", "ir/1.7"}});
       }},
      {"integrity_missing", [](Map&, Map& meta, Map&, Map&) { meta.erase("payload_sha256"); }},
      {"integrity_missing", [](Map&, Map& meta, Map&, Map&) { meta.set("payload_sha256", "ab"); }},
      {"integrity_missing",
       [](Map&, Map& meta, Map&, Map&) { meta.erase("metrics_payload_sha256"); }},
      {"integrity_missing",
       [](Map&, Map& meta, Map&, Map&) { meta.erase("api_surface_payload_sha256"); }},
      {"integrity_failed", [](Map&, Map&, Map& clones, Map&) { clones.set("functions", List{}); }},
      {"integrity_failed", [](Map&, Map&, Map&, Map& m) { m.set("max_complexity", 23); }},
      {"integrity_failed",
       [](Map& file, Map&, Map&, Map&) {
         file.set("api_surface", Map{{"modules", List{1}}});
       }},
      {"integrity_failed",
       [](Map&, Map& meta, Map&, Map&) { meta.set("payload_sha256", std::string(64, '0')); }},
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(trust_of(rows[i].second), rows[i].first) << "row " << i;
}

// Each defect beside every later one: the earlier is told.
TEST(BaselineTrust, ChecksGoInTheirOrder) {
  const std::vector<std::pair<const char*, Change>> order{
      {"invalid_type", [](Map& file, Map&, Map&, Map&) { file.set("more", 1); }},
      {"missing_fields", [](Map&, Map& meta, Map&, Map&) { meta.erase("created_at"); }},
      {"invalid_type", [](Map&, Map&, Map& clones, Map&) { clones.set("blocks", List{"x"}); }},
      {"generator_mismatch",
       [](Map&, Map& meta, Map&, Map&) {
         meta.set("generator", Map{{"name", "other"}, {"version", "1"}});
       }},
      {"mismatch_schema_version",
       [](Map&, Map& meta, Map&, Map&) { meta.set("schema_version", "9.0"); }},
      {"mismatch_fingerprint_version",
       [](Map&, Map& meta, Map&, Map&) { meta.set("fingerprint_version", "zz"); }},
      {"mismatch_language_frontend",
       [](Map&, Map& meta, Map&, Map&) {
         meta.set("languages", Map{{"python", "ir/9"}});
       }},
      {"integrity_missing",
       [](Map&, Map& meta, Map&, Map&) { meta.erase("api_surface_payload_sha256"); }},
      {"integrity_failed", [](Map&, Map&, Map& clones, Map&) { clones.set("functions", List{}); }},
  };
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = i + 1; k < order.size(); ++k)
      EXPECT_EQ(trust_of([&](Map& file, Map& meta, Map& clones, Map& metrics) {
                  order[k].second(file, meta, clones, metrics);
                  order[i].second(file, meta, clones, metrics);
                }),
                order[i].first)
          << i << " before " << k;
  EXPECT_EQ(to_string(read_baseline(R"({"functions":[],"more":1})").trust), "missing_fields")
      << "the old layout is told before its keys";
  EXPECT_EQ(to_string(read_baseline("{" + std::string(1u << 20, ' '), 1).trust), "too_large")
      << "size comes before JSON";
}

TEST(BaselineTrust, NothingOfAnUntrustedFileIsUsed) {
  const BaselineRead read = read_baseline(
      changed([](Map&, Map&, Map& clones, Map&) { clones.set("functions", List{}); }));
  EXPECT_EQ(read.trust, Trust::integrity_failed);
  EXPECT_FALSE(read.content.clones);
  EXPECT_FALSE(read.content.metrics);
  EXPECT_FALSE(read.content.api_surface);
}

TEST(BaselineTrust, NumbersThatWeNeverWriteDoNotPass) {
  std::string bytes = sample_bytes();
  bytes.replace(bytes.find("\"modules\": []"), 13, "\"modules\": [1e3]");
  EXPECT_EQ(read_baseline(bytes).trust, Trust::integrity_failed);
}

// docs/reference/analysis.md, "Baseline": files of CodeClone
TEST(BaselineMigration, MetricsAndApiOfCodecloneAreUsable) {
  const BaselineRead read = read_baseline(changed([](Map&, Map& meta, Map& clones, Map&) {
    meta.set("generator", Map{{"name", "codeclone"}, {"version", "2.1.0"}});
    meta.set("schema_version", "2.1");
    meta.set("fingerprint_version", "1");
    meta.set("python_tag", "cp313");
    meta.erase("languages");
    clones.set("functions", List{"da39a3ee5e6b4b0d3255bfef95601890afd80709|10-19"});
  }));
  EXPECT_EQ(read.trust, Trust::mismatch_fingerprint_version);
  EXPECT_TRUE(read.migrates);
  EXPECT_FALSE(read.content.clones);
  EXPECT_EQ(read.content.metrics, sample().metrics);
  EXPECT_TRUE(read.content.api_surface);
}

TEST(BaselineMigration, AnotherSchemaOfCodecloneIsNot) {
  const BaselineRead read = read_baseline(changed([](Map&, Map& meta, Map&, Map&) {
    meta.set("generator", Map{{"name", "codeclone"}, {"version", "1.4"}});
    meta.set("schema_version", "1.0");
  }));
  EXPECT_EQ(read.trust, Trust::generator_mismatch);
  EXPECT_FALSE(read.content.metrics);
}

// docs/reference/analysis.md, "Novelty"
TEST(Novelty, WithoutATrustedBaselineEverythingIsNew) {
  const CloneKeys now{{kOne}, {kTwo}};
  EXPECT_EQ(new_clones(now, {}), now);
  EXPECT_EQ(new_clones(now, CloneKeys{{kOne}, {}}), (CloneKeys{{}, {kTwo}}));
  EXPECT_EQ(new_clones(now, now), CloneKeys{});
  EXPECT_EQ(new_clones(now, CloneKeys{{kTwo}, {kOne}}), now) << "the families do not mix";
}

TEST(Novelty, MetricsAreComparedBySets) {
  BaselineMetrics then = *sample().metrics, now = then;
  now.high_risk_functions = {"m:a", "m:f", "m:g"};
  now.high_coupling_classes = {};
  now.dependency_cycles = {{"a", "b"}, {"a", "c"}};
  now.dead_code_items = {"m:new", "m:old"};
  now.health_score = 70;
  now.health_dimensions[0] = 1;
  now.typing_param_permille = 499;
  now.typing_return_permille = 340;
  now.docstring_permille = 400;
  const MetricsDiff d = compare_metrics(then, now);
  EXPECT_EQ(d.new_high_risk_functions, (Texts{"m:a", "m:g"}));
  EXPECT_EQ(d.new_high_coupling_classes, Texts{});
  EXPECT_EQ(d.new_cycles, (std::vector<Names>{{"a", "c"}}));
  EXPECT_EQ(d.new_dead_code, Texts{"m:new"});
  EXPECT_EQ(d.health_delta, -3);
  EXPECT_EQ(d.health_delta_tenths, 2) << "a quarter of a point, which the score does not show";
  EXPECT_EQ(d.typing_param_permille_delta, -1);
  EXPECT_EQ(d.typing_return_permille_delta, 7);
  EXPECT_EQ(d.docstring_permille_delta, 0);
}

TEST(Novelty, ASymbolOfAFileThatBecameUnclearIsNoBreak) {
  const auto symbol = [](const char* name) {
    return ApiSymbol{.local_name = name, .kind = ApiKind::function};
  };
  const auto surface = [&](std::vector<ApiSymbol> symbols) {
    return api_surface_document(
        {.modules = {{.module = "m", .path = "m.py", .symbols = std::move(symbols)}}});
  };
  const Baseline then{.api_surface = surface({symbol("f"), symbol("g")})};
  Measures now;
  now.api_surface = surface({symbol("f")});
  EXPECT_EQ(compare(now, Health{}, then).api->breaking_changes.size(), 1u);
  now.unclear = {"m.py"};
  EXPECT_TRUE(compare(now, Health{}, then).api->breaking_changes.empty());
}

TEST(Novelty, ASymbolThatItsModuleNowImportsIsNoBreak) {
  const auto measured = [](const char* m) {
    Project project = python_project({{"m.py", m}, {"n.py", "def f(): pass\n"}});
    project.profile.api_surface = true;
    return measure(project, find_all(project));
  };
  const Baseline then{.api_surface = measured("def f(): pass\ndef g(): pass\n").api_surface};
  const auto breaks = [&](const char* m) {
    return break_texts(*compare(measured(m), Health{}, then).api);
  };
  EXPECT_EQ(breaks("from n import f\ndef g(): pass\n"), Texts{});
  EXPECT_EQ(breaks("from n import f\nfrom n import f as g\n"), Texts{});
  EXPECT_EQ(breaks("from n import f\n"), Texts{"m:g: was removed"});
}

TEST(Novelty, AKnownGroupThatGrewIsToldWithItsNewMembers) {
  const CloneMembers then{{"k", {"a:f", "b:g"}}, {"same", {"x:x", "y:y"}}};
  const CloneMembers now{
      {"k", {"a:f", "b:g", "c:h", "c:h"}}, {"same", {"x:x", "z:z"}}, {"fresh", {"q:q", "r:r"}}};
  EXPECT_EQ(grown_groups(then, now), (std::vector<Grown>{{"k", {"c:h", "c:h"}}}));
}

TEST(Novelty, NearMissesAndReachAreComparedWithAnEarlierRun) {
  Measures then, now;
  then.near_misses = {"a"};
  now.near_misses = {"a", "b"};
  then.security = {{"process_boundary", {"m:os_system"}}};
  now.security = {{"process_boundary", {"m:os_system"}}, {"dynamic_execution", {"m:eval"}}};
  const Since since = compare_runs(&then, now);
  EXPECT_EQ(since.new_near_misses, Texts{"b"});
  ASSERT_EQ(since.new_security.size(), 1u);
  EXPECT_EQ(since.new_security.at("dynamic_execution"), Texts{"m:eval"});
  const Since alone = compare_runs(nullptr, now);
  EXPECT_EQ(alone.new_near_misses, (Texts{"a", "b"}));
  EXPECT_EQ(alone.new_security.size(), 2u);
}

TEST(Novelty, ReachIsCountedSoThatOneMoreCallIsNew) {
  Measures then, now;
  then.security = {{"process_boundary", {"m:f os_system"}}};
  now.security = {{"process_boundary", {"m:f os_system", "m:f os_system"}}};
  EXPECT_EQ(compare_runs(&then, now).new_security.at("process_boundary"), Texts{"m:f os_system"});
  EXPECT_TRUE(compare_runs(&now, now).new_security.empty());
  EXPECT_TRUE(compare_runs(&now, then).new_security.empty());
}

}  // namespace
}  // namespace gh::analysis
