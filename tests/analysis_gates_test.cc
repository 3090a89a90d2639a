// Gates, baselines and exit codes of `analyze` through the real program
// (docs/reference/analysis.md, "Gates" and "Baseline").
#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"
#include "tests/schema_kit.h"

namespace gh::testing {
namespace {

using Words = std::vector<std::string>;

std::string function(const std::string& name, const std::string& call = "load") {
  return "def " + name + "(p):\n    a = " + call +
         "(p)\n    b = a.strip()\n    c = parse(b)\n    emit(c)\n    log(c)\n    save(c, b)\n    "
         "d = "
         "c + 1\n    check(d)\n    return d\n";
}

std::string branchy(int ifs) {
  std::string out = "def many(a):\n";
  for (int i = 0; i < ifs; ++i)
    out += "    if a == " + std::to_string(i) + ":\n        g" + std::to_string(i) + "(a)\n";
  return out;
}

class AnalysisGates : public ::testing::Test {
 protected:
  void SetUp() override {
    repo_.write("m/a.py", function("f"));
    repo_.write("m/b.py", function("g"));
    repo_.commit("a pair of clones");
  }
  Ran analyze(Words words) const {
    words.insert(words.begin(), "analyze");
    return gatehouse(std::move(words), repo_.root());
  }
  Ran ran(Words words) const { return gatehouse(std::move(words), repo_.root()); }
  void save() const {
    const Ran saved = ran({"baseline", "save"});
    EXPECT_EQ(saved.code, 0) << saved.err;
  }
  std::string field(Words words, const std::string& name) const {
    words.insert(words.end(), {"--field", name});
    const Ran answer = analyze(std::move(words));
    return answer.out.substr(0, answer.out.find('\n'));
  }
  std::string baseline() const { return bytes_of(repo_.at("gatehouse.baseline.json")); }
  /// The list of functions emptied by hand.
  void tamper() const {
    std::string bytes = baseline();
    const std::size_t from = bytes.find("\"functions\": [");
    bytes.replace(from, bytes.find(']', from) - from + 1, "\"functions\": []");
    repo_.write("gatehouse.baseline.json", bytes);
  }
  GitSandbox repo_;
};

struct Row {
  Words words;
  int native, codeclone;
};

TEST_F(AnalysisGates, ExitCodesOnAClonePair) {
  const std::vector<Row> rows{
      {{}, 0, 0},
      {{"--fail-threshold", "0"}, 1, 3},
      {{"--fail-threshold", "1"}, 0, 0},
      {{"--fail-complexity", "1"}, 0, 0},
      {{"--fail-cycles"}, 0, 0},
      {{"--fail-dead-code"}, 1, 3},
      {{"--fail-health", "99"}, 1, 3},
      {{"--min-typing-coverage", "10"}, 1, 3},
      {{"--skip-metrics", "--fail-cycles"}, 2, 2},
      {{"--json", "x.txt"}, 2, 2},
      {{"--fail-on-new-metrics"}, 3, 2},
      {{"--fail-on-api-break"}, 3, 2},
      {{"--fail-on-untested-hotspots"}, 2, 2},
      {{"--ci"}, 3, 2},
      {{"--fail-on-new"}, 3, 2},
      {{"--fail-on-new-near-miss"}, 0, 0},
      {{"--fail-on-new-security-surface", "process_boundary"}, 0, 0},
      {{"--fail-on-new-security-surface", "shell"}, 2, 2},
      {{"--skip-metrics", "--fail-threshold", "0"}, 1, 3},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(::testing::PrintToString(row.words));
    const Ran plain = analyze(row.words);
    EXPECT_EQ(plain.code, row.native) << plain.err;
    Words mapped = row.words;
    mapped.insert(mapped.end(), {"--exit-codes", "codeclone"});
    const Ran other = analyze(mapped);
    EXPECT_EQ(other.code, row.codeclone) << other.err;
    EXPECT_EQ(contains(other.err, "GATING FAILURE"), row.codeclone == 3) << other.err;
    EXPECT_EQ(contains(other.err, "CONTRACT ERROR:"), row.codeclone == 2) << other.err;
    EXPECT_FALSE(contains(plain.err, "GATING FAILURE")) << plain.err;
  }
}

struct ApiRow {
  const char *path, *before, *compatible, *broken;
};

// docs/reference/analysis.md, "Public API", through the gate in every language
TEST_F(AnalysisGates, AnApiBreakIsRefusedInEveryLanguage) {
  const ApiRow rows[] = {
      {"api/m.py", "def f(a): pass\n", "def f(a, b=1): pass\n", "def f(a, b): pass\n"},
      {"api/a.h", "int f(int a);\n", "int f(int z);\n", "int f(int a, int b);\n"},
      {"api/a.hpp", "void g(int a);\n", "void g(int a, int b = 1);\n", "void g();\n"},
      {"api/a.js", "export function f(a) {}\n", "export function f(a, b = 1) {}\n",
       "export function f(a, b) {}\n"},
      {"api/b.ts", "export function f(a: number) {}\n",
       "export function f(a: number, b?: number) {}\n", "function f(a: number) {}\n"},
      {"p/a.go", "package p\nfunc F(a int) {}\n", "package p\nfunc F(b int) {}\n",
       "package p\nfunc F() {}\n"},
      {"src/a.rs", "pub fn f(a: i32) {}\n", "pub fn f(b: i32) {}\n", "fn f(a: i32) {}\n"},
      {"M.java", "public class M { public void f(int a) {} }\n",
       "public class M { public void f(int a) {} public void f() {} }\n",
       "public class M { void f(int a) {} }\n"},
  };
  for (const ApiRow& row : rows)
    repo_.write(row.path, row.before);
  EXPECT_EQ(ran({"baseline", "save", "--api-surface"}).code, 0);
  EXPECT_EQ(analyze({"--fail-on-api-break"}).code, 0);
  for (const ApiRow& row : rows) {
    SCOPED_TRACE(row.path);
    repo_.write(row.path, row.compatible);
    EXPECT_EQ(analyze({"--fail-on-api-break"}).code, 0);
    repo_.write(row.path, row.broken);
    const Ran refused = analyze({"--fail-on-api-break"});
    EXPECT_EQ(refused.code, 1);
    EXPECT_TRUE(contains(refused.err, "metric:api_breaking_changes")) << refused.err;
    repo_.write(row.path, row.before);
  }
}

TEST_F(AnalysisGates, EveryReasonIsToldInItsOrder) {
  const Ran answer =
      analyze({"--fail-threshold", "0", "--min-typing-coverage", "10", "--fail-health", "99"});
  EXPECT_EQ(answer.code, 1);
  const std::string line = answer.last_error_line();
  const std::size_t health = line.find("metric:health_threshold"),
                    typing = line.find("metric:typing_coverage_threshold"),
                    clones = line.find("clone:threshold:1:0");
  EXPECT_LT(health, typing) << line;
  EXPECT_LT(typing, clones) << line;
  EXPECT_NE(clones, std::string::npos) << line;
  EXPECT_EQ(field({"--fail-threshold", "0"}, "derived.gates.reasons.0.key"), "clone:threshold:1:0");
}

TEST_F(AnalysisGates, ATrustedBaselineMakesItsClonesKnown) {
  EXPECT_EQ(field({}, "findings.groups.clones.functions.0.novelty"), "new");
  save();
  EXPECT_EQ(field({}, "findings.groups.clones.functions.0.novelty"), "known");
  EXPECT_EQ(field({}, "findings.summary.clones.known"), "1");
  EXPECT_EQ(field({}, "meta.baseline.status"), "ok");
  EXPECT_EQ(analyze({"--ci"}).code, 0) << "the same code";
  repo_.write("m/c.py", function("h", "fetch") + function("i", "fetch"));
  const Ran worse = analyze({"--ci"});
  EXPECT_EQ(worse.code, 1) << worse.err;
  EXPECT_TRUE(contains(worse.err, "clone:new")) << worse.err;
  EXPECT_EQ(analyze({"--ci", "--exit-codes", "codeclone"}).code, 3);
}

TEST_F(AnalysisGates, ATamperedBaselineIsIgnoredByPlainRunsAndStopsGates) {
  save();
  tamper();
  const Ran plain = analyze({});
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_TRUE(contains(plain.err, "integrity_failed")) << plain.err;
  EXPECT_EQ(field({}, "meta.baseline.status"), "integrity_failed");
  EXPECT_EQ(field({}, "findings.groups.clones.functions.0.novelty"), "new");
  EXPECT_EQ(analyze({"--ci"}).code, 3);
  EXPECT_EQ(analyze({"--ci", "--exit-codes", "codeclone"}).code, 2);
  EXPECT_EQ(analyze({"--fail-cycles"}).code, 3) << "any gate";
  const Ran verify = ran({"baseline", "verify"});
  EXPECT_EQ(verify.code, 1);
  EXPECT_TRUE(contains(verify.out, "integrity_failed")) << verify.out;
}

TEST_F(AnalysisGates, CiAlsoRefusesWorseMetricsWhenTheBaselineHasThem) {
  save();
  repo_.write("m/c.py", branchy(25));
  const Ran worse = analyze({"--ci"});
  EXPECT_EQ(worse.code, 1) << worse.err;
  EXPECT_TRUE(contains(worse.err, "metric:new_high_risk_functions")) << worse.err;
  EXPECT_EQ(ran({"baseline", "update", "--skip-metrics"}).code, 0);
  EXPECT_EQ(analyze({"--ci"}).code, 0) << "there are no metrics to compare with";
}

TEST_F(AnalysisGates, CiSpeaksInFewWordsWithoutColour) {
  save();
  const Ran answer = analyze({"--ci", "--color", "always"});
  EXPECT_TRUE(
      answer.out.starts_with("Summary  found=2 analyzed=2 cached=0 skipped=0\n"
                             "Clones   func=1 block=0 seg=0 suppressed=0 new=0\n"
                             "Metrics  cc=1.00/1 "))
      << answer.out;
  EXPECT_FALSE(contains(answer.out, "\x1b")) << answer.out;
}

TEST_F(AnalysisGates, UnreadableSourcesStopGatesAndWinOverThem) {
  repo_.write("m/bad.py", "x = '\xff\xfe'\n");
  EXPECT_EQ(analyze({}).code, 0);
  EXPECT_EQ(analyze({"--fail-threshold", "0"}).code, 3);
  EXPECT_EQ(analyze({"--fail-threshold", "0", "--exit-codes", "codeclone"}).code, 2);
}

TEST_F(AnalysisGates, TheCommandLineWinsOverTheFileAndTheFileOverTheDefault) {
  EXPECT_EQ(analyze({}).code, 0);
  repo_.write("gatehouse.yaml", "analysis:\n  fail_threshold: 0\n");
  EXPECT_EQ(analyze({}).code, 1);
  EXPECT_EQ(analyze({"--fail-threshold", "-1"}).code, 0);
  EXPECT_EQ(analyze({"--fail-threshold", "1"}).code, 0);
  repo_.write("gatehouse.yaml", "analysis:\n  fail_on_new: true\n");
  EXPECT_EQ(analyze({}).code, 3) << "there is no baseline";
  EXPECT_EQ(analyze({"--no-fail-on-new"}).code, 0);
  repo_.write("gatehouse.yaml", "analysis:\n  min_stmt: 50\n  fail_threshold: 0\n");
  EXPECT_EQ(analyze({}).code, 0);
  EXPECT_EQ(analyze({"--min-stmt", "6"}).code, 1);
  repo_.write("gatehouse.yaml", "analysis:\n  exclude: [m/b.py]\n  fail_threshold: 0\n");
  EXPECT_EQ(analyze({}).code, 0);
  repo_.write("gatehouse.yaml", "analysis:\n  include: [m/a.py]\n  fail_threshold: 0\n");
  EXPECT_EQ(analyze({}).code, 0);
  repo_.write("gatehouse.yaml", "analysis:\n  languages: [go]\n  fail_threshold: 0\n");
  EXPECT_EQ(analyze({}).code, 0);
  repo_.write("gatehouse.yaml", "analysis:\n  max_files: 1\n");
  EXPECT_EQ(analyze({}).code, 2) << "a configuration key is the cause";
}

TEST_F(AnalysisGates, AnUnknownKeyIsNamed) {
  repo_.write("gatehouse.yaml", "analysis:\n  fail_treshold: 0\n");
  const Ran answer = analyze({});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "unknown key 'fail_treshold' in analysis")) << answer.err;
}

TEST_F(AnalysisGates, SkippingMetricsSkipsDependenciesUnlessAGateNeedsThem) {
  repo_.write("p/a.py", "import p.b\n");
  repo_.write("p/b.py", "import p.a\n");
  EXPECT_EQ(analyze({"--fail-cycles"}).code, 1);
  repo_.write("gatehouse.yaml", "analysis:\n  skip_dependencies: true\n");
  EXPECT_EQ(field({}, "metrics.families.dependencies.summary.cycles"), "0");
  EXPECT_EQ(analyze({"--fail-cycles"}).code, 1) << "switched back on";
  EXPECT_EQ(field({"--skip-metrics"}, "meta.analysis_mode"), "clones_only");
  EXPECT_EQ(field({"--skip-metrics"}, "metrics.families"), "{}");
  EXPECT_EQ(field({}, "meta.analysis_mode"), "full");
}

TEST_F(AnalysisGates, ABareThresholdLeavesThePathAlone) {
  repo_.write("m/c.py", branchy(20));
  EXPECT_EQ(analyze({"--fail-complexity"}).code, 1);
  EXPECT_EQ(analyze({"--fail-complexity", "m"}).code, 1);
  EXPECT_EQ(analyze({"--fail-complexity", "21"}).code, 0);
  EXPECT_EQ(analyze({"--fail-complexity", "-1"}).code, 0);
  EXPECT_EQ(analyze({"--fail-complexity", "-2"}).code, 2);
}

TEST_F(AnalysisGates, ChangedScopeCountsGroupsWithAnItemInAChangedFile) {
  repo_.write("m/new.py", "def alone(q):\n    return q\n");
  const Words gate{"--fail-threshold", "0"};
  const auto with = [&](Words more) {
    more.insert(more.end(), gate.begin(), gate.end());
    return analyze(more).code;
  };
  EXPECT_EQ(with({}), 1);
  EXPECT_EQ(with({"--paths-from-git-diff", "HEAD"}), 0);
  EXPECT_EQ(with({"--changed-only", "--diff-against", "HEAD"}), 0);
  EXPECT_EQ(with({"--diff-against", "HEAD"}), 1) << "compared, and not narrowed";
  repo_.write("m/b.py", function("g") + "\n");
  EXPECT_EQ(with({"--paths-from-git-diff", "HEAD"}), 1) << "an edited file";
  repo_.commit("edited");
  EXPECT_EQ(with({"--paths-from-git-diff", "HEAD"}), 0);
  EXPECT_EQ(with({"--paths-from-git-diff", "HEAD~1"}), 1);
  EXPECT_EQ(with({"--changed-only"}), 2);
  EXPECT_EQ(with({"--diff-against=-x"}), 2);
  EXPECT_EQ(with({"--diff-against", "nowhere"}), 2);
  EXPECT_TRUE(contains(analyze({"--paths-from-git-diff", "HEAD"}).out, "0 groups of equal"));
}

TEST_F(AnalysisGates, AGroupThatGrewSinceARevisionNamesItsNewMembers) {
  save();
  repo_.commit("baseline");
  repo_.write("m/c.py", function("h"));
  const std::string group = "findings.groups.clones.functions.0.";
  EXPECT_EQ(field({"--diff-against", "HEAD"}, group + "grown"), "true");
  EXPECT_EQ(field({"--diff-against", "HEAD"}, group + "new_members"), R"(["m.c:h"])");
  EXPECT_EQ(field({"--diff-against", "HEAD"}, group + "novelty"), "known");
}

TEST_F(AnalysisGates, BaselinesAreSavedShownVerifiedComparedAndUpdated) {
  EXPECT_EQ(ran({"baseline", "show"}).code, 3) << "there is none";
  EXPECT_EQ(ran({"baseline", "diff"}).code, 3);
  EXPECT_EQ(ran({"baseline", "update"}).code, 3);
  EXPECT_EQ(ran({"baseline", "verify"}).code, 1);
  save();
  EXPECT_TRUE(baseline().ends_with("}\n"));
  EXPECT_TRUE(baseline().starts_with("{\n  \"clones\": {\n"));
  EXPECT_EQ(ran({"baseline", "save"}).code, 2) << "it is there already";
  EXPECT_EQ(ran({"baseline", "show"}).code, 0);
  EXPECT_EQ(ran({"baseline", "verify"}).code, 0);
  EXPECT_EQ(ran({"baseline", "diff", "--check"}).code, 0);
  repo_.write("m/c.py", branchy(25));
  const Ran diff = ran({"baseline", "diff"});
  EXPECT_EQ(diff.code, 0);
  EXPECT_TRUE(contains(diff.out, "new complex function: m.c:many")) << diff.out;
  EXPECT_EQ(ran({"baseline", "diff", "--check"}).code, 1);
  EXPECT_EQ(ran({"baseline", "update"}).code, 0);
  EXPECT_EQ(ran({"baseline", "diff", "--check"}).code, 0);
  for (const char* command : {"show", "verify"})
    EXPECT_EQ(judged("baseline_status", ran({"baseline", command, "--json"}).out), "");
  EXPECT_EQ(judged("baseline_diff", ran({"baseline", "diff", "--json"}).out), "");
  EXPECT_EQ(judged("baseline_written", ran({"baseline", "update", "--json"}).out), "");
}

// docs/reference/analysis.md, "Novelty": what callers lose is data wherever a baseline is compared
TEST_F(AnalysisGates, BreaksOfTheApiAreNamedAgainstTheBaselineThatHoldsIt) {
  repo_.write("m/api.py", "def one(a):\n    return a\n\n\ndef two(a):\n    return a\n");
  EXPECT_EQ(ran({"baseline", "save", "--api-surface"}).code, 0);
  EXPECT_EQ(ran({"baseline", "diff", "--field", "api.api_breaking_changes"}).out, "[]\n");
  EXPECT_EQ(ran({"baseline", "diff", "--field", "worse"}).out, "false\n");
  repo_.write("m/api.py", "def one(a, b):\n    return a\n\n\ndef three(a):\n    return a\n");
  const Ran diff = ran({"baseline", "diff", "--json"});
  EXPECT_EQ(judged("baseline_diff", diff.out), "");
  for (const char* part : {"\"m.api:one\"", "b was added and is required", "\"m.api:two\"",
                           "was removed", "\"m.api:three\""})
    EXPECT_TRUE(contains(diff.out, part)) << part << "\n" << diff.out;
  EXPECT_EQ(ran({"baseline", "diff", "--field", "worse"}).out, "true\n");
  EXPECT_EQ(ran({"baseline", "diff", "--check"}).code, 1);
  const std::string breaks = "derived.api.api_breaking_changes.";
  EXPECT_EQ(field({"--api-surface"}, breaks + "0.qualname"), "m.api:one");
  EXPECT_EQ(field({"--api-surface"}, breaks + "0.change_kind"), "signature_break");
  EXPECT_EQ(field({"--api-surface"}, breaks + "1.qualname"), "m.api:two");
  EXPECT_EQ(field({"--api-surface"}, breaks + "1.change_kind"), "removed");
  EXPECT_EQ(field({"--api-surface"}, "derived.api.new_api_symbols"), R"(["m.api:three"])");
}

TEST_F(AnalysisGates, UpdatingRemovesWhatWasNotMeasuredAndKeepsWhatWasNotAsked) {
  EXPECT_EQ(analyze({"--update-baseline"}).code, 0);
  EXPECT_TRUE(contains(baseline(), "\"metrics\""));
  const std::string clones = field({}, "meta.baseline.payload_sha256");
  EXPECT_EQ(analyze({"--update-baseline", "--skip-metrics", "--fail-threshold", "0"}).code, 0);
  EXPECT_FALSE(contains(baseline(), "\"metrics\"")) << "removed, not kept stale";
  repo_.write("m/c.py", function("h", "fetch") + function("i", "fetch"));
  EXPECT_EQ(analyze({"--update-metrics-baseline"}).code, 0);
  EXPECT_TRUE(contains(baseline(), "\"metrics\""));
  EXPECT_EQ(field({}, "meta.baseline.payload_sha256"), clones) << "clones stay as they were";
  EXPECT_EQ(analyze({"--ci"}).code, 1);
  EXPECT_EQ(analyze({"--update-baseline", "--baseline", "no/such/folder/b.json"}).code, 4);
  EXPECT_EQ(analyze({"--update-metrics-baseline", "--metrics-baseline", repo_.at("m.json")}).code,
            0);
  EXPECT_TRUE(contains(bytes_of(repo_.at("m.json")), "\"metrics\""));
}

TEST_F(AnalysisGates, ABaselineThatIsTooLargeIsNotRead) {
  repo_.write("gatehouse.yaml", "analysis:\n  max_baseline_size_mb: 1\n");
  repo_.write("gatehouse.baseline.json", std::string((1u << 20) + 1, ' '));
  EXPECT_EQ(field({}, "meta.baseline.status"), "too_large");
  repo_.write("gatehouse.yaml", "analysis:\n  max_baseline_size_mb: 2\n");
  EXPECT_EQ(field({}, "meta.baseline.status"), "invalid_json");
}

TEST_F(AnalysisGates, HealthIsToldInBothModels) {
  // Half of all statements are a copy, and nobody calls either: clones 0, dead code 0, the rest
  // 100.
  EXPECT_EQ(field({}, "metrics.families.health.summary.score"), "65");
  EXPECT_EQ(field({}, "metrics.families.health.summary.grade"), "C");
  EXPECT_EQ(field({}, "metrics.families.health.summary.compat.score"), "73");
  EXPECT_EQ(field({}, "metrics.families.health.summary.compat.dimensions.clones"), "0");
  EXPECT_EQ(field({}, "derived.suggestions.0.category"), "function");
}

}  // namespace
}  // namespace gh::testing
