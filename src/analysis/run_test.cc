// Reports of real sources: what a comparison of two of them says, and what the digest depends on.
#include "analysis/run.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "analysis/canonical_report.h"
#include "analysis/compare.h"
#include "analysis/derived.h"
#include "analysis/report_view.h"

namespace gh::analysis {
namespace {

class InMemory final : public FileSource {
 public:
  explicit InMemory(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  Result<std::vector<SourceEntry>> list() override {
    std::vector<SourceEntry> out;
    for (const auto& [path, bytes] : files_)
      out.push_back({path, bytes.size()});
    return out;
  }
  Result<std::string> read(const SourceEntry& entry) override { return files_.at(entry.path); }

 private:
  std::map<std::string, std::string> files_;
};

Value report_of(std::map<std::string, std::string> files, unsigned jobs = 1) {
  InMemory source(std::move(files));
  RunOptions options;
  options.jobs = jobs;
  const Project project = analyse(source, options).value();
  return canonical_report(project, find_all(project));
}

/// Two of them share no run of statements.
std::string complex_function(const std::string& name, int ifs) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < ifs; ++i)
    out += "    if a > 1:\n        g" + std::to_string(ifs) + "_" + std::to_string(i) + "(a)\n";
  return out + "    return a\n";
}

RunComparison compared(const Value& before, const Value& after) {
  return compare_runs({"1", "/r", before}, {"2", "/r", after});
}

// docs/reference/analysis.md, "Comparing two runs"
TEST(RunsOfSources, AFindingOfAUnitThatCannotBeReadAnyMoreIsUnknown) {
  const std::string other = "def ok(a):\n    return a\n\n\nok(f(1))\n";
  const Value before = report_of({{"m.py", complex_function("f", 30) + other}});
  ASSERT_EQ(finding_groups(before).size(), 1u);
  std::string broken = complex_function("f", 30);
  broken.insert(broken.find("    return"), "    x = = 1\n");
  const RunComparison hidden = compared(before, report_of({{"m.py", broken + other}}));
  EXPECT_EQ(hidden.unknown, 1);
  // The syntax error is the only thing that is known to be worse.
  EXPECT_EQ(hidden.verdict, RunVerdict::regressed);
  ASSERT_EQ(hidden.regressions.size(), 1u);
  EXPECT_EQ(hidden.regressions[0].id, "structural:syntax_error:m.py");
  EXPECT_EQ(hidden.partial_paths, std::vector<std::string>{"m.py"});
  // The error stands in the other unit: this one was really mended.
  const RunComparison mended = compared(
      before, report_of({{"m.py", complex_function("f", 3) + "def ok(a):\n    x = = 1\n"}}));
  EXPECT_EQ(mended.unknown, 0);
  EXPECT_EQ(mended.improvements.size(), 1u);
  EXPECT_EQ(mended.verdict, RunVerdict::mixed);
  const RunComparison unread = compared(before, report_of({{"m.py", "\xff\xfe"}}));
  EXPECT_EQ(unread.unknown, 1);
  EXPECT_EQ(compared(before, report_of({{"n.py", other}})).verdict, RunVerdict::improved);
}

TEST(RunsOfSources, WhatGotWorseIsNamedThoughNoThresholdWasMet) {
  const RunComparison c = compared(report_of({{"m.py", complex_function("f", 3)}}),
                                   report_of({{"m.py", complex_function("f", 7)}}));
  ASSERT_EQ(c.worsened.size(), 1u);
  EXPECT_EQ(c.worsened[0].symbol, "m:f");
  EXPECT_EQ(c.worsened[0].before, 4);
  EXPECT_EQ(c.worsened[0].after, 8);
  EXPECT_EQ(c.verdict, RunVerdict::stable);
}

// docs/reference/analysis.md, "Runs"
TEST(RunsOfSources, TheDigestCoversAllButDerivedAndRuntime) {
  Value report = report_of({{"m.py", complex_function("f", 30)}});
  const std::string digest = stated_digest(report);
  EXPECT_EQ(digest.size(), 64u);
  EXPECT_EQ(report_digest(report), digest);
  EXPECT_EQ(stated_digest(report_of({{"m.py", complex_function("f", 30)}}, 4)), digest);
  report.as_map()->set("derived", derived_section(report));
  report.as_map()->find("meta")->as_map()->set("runtime", Map{{"jobs", 8}});
  EXPECT_EQ(report_digest(report), digest);
  report.as_map()->find("meta")->as_map()->set("scan_root", "elsewhere");
  EXPECT_NE(report_digest(report), digest);
}

TEST(RunsOfSources, AFileThatGitGivesWithoutItsSizeIsTooLargeAllTheSame) {
  class NoSize final : public FileSource {
    Result<std::vector<SourceEntry>> list() override {
      return std::vector<SourceEntry>{{"m.py", 0}};
    }
    Result<std::string> read(const SourceEntry&) override {
      return std::string(kMaxFileBytes + 1, '\n');
    }
  } source;
  const Project project = analyse(source, {}).value();
  EXPECT_EQ(project.files[0].facts.status, FileStatus::file_too_large);
  EXPECT_EQ(project.files[0].facts.bytes, kMaxFileBytes + 1);
}

// docs/reference/analysis.md, "What a reader sees first"
TEST(Derived, ListsHaveTheirOrderAndTheirLength) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 8; ++i)
    files["src/m" + std::to_string(i) + ".py"] = complex_function("f", 24 + 3 * i) + "f(1)\n";
  files["tests/t.py"] = complex_function("t", 60);
  files["src/user.py"] = "import src.m0\nimport src.m1\n";
  const Map derived = derived_section(report_of(files));
  const Value document(derived);
  const List& risks = list_in(document, {"overview", "top_risks"});
  ASSERT_EQ(risks.size(), 6u);
  // Critical ones first (above 40), what runs in production before what does not.
  EXPECT_EQ(text_in(risks[0], "id"), "design:complexity:src.m6:f");
  EXPECT_EQ(text_in(risks[1], "id"), "design:complexity:src.m7:f");
  EXPECT_EQ(text_in(risks[2], "id"), "design:complexity:tests.t:t");
  EXPECT_EQ(text_in(risks[0], "location"), "src/m6.py:1");
  EXPECT_EQ(*member(document, {"overview", "families", "design"}), Value(9));
  EXPECT_EQ(*member(document, {"overview", "source_scope_breakdown", "tests"}), Value(1));
  const std::set<std::string> names{"clones",    "complexity",   "cohesion", "coupling",
                                    "dead_code", "dependencies", "coverage"};
  for (const std::string_view which : {"strongest_dimension", "weakest_dimension"}) {
    const Value* name = member(document, {"overview", "health_snapshot", which});
    ASSERT_NE(name, nullptr);
    EXPECT_TRUE(name->as_string() != nullptr && names.contains(*name->as_string())) << which;
  }
  EXPECT_EQ(list_in(document, {"overview", "directory_hotspots"})[0],
            Value(Map{{"path", "src"}, {"findings", 8}, {"files", 8}}));
  EXPECT_EQ(list_in(document, {"hotlists", "most_actionable"}).size(), 5u);
  EXPECT_EQ(list_in(document, {"hotlists", "test_fixture_hotspot"}),
            (List{"design:complexity:tests.t:t"}));
  EXPECT_EQ(list_in(document, {"review_queue"}).size(), 9u);
  EXPECT_EQ(list_in(document, {"module_map"})[0],
            Value(Map{{"module", "src.user"}, {"fan_in", 0}, {"fan_out", 2}}));
}

TEST(AnalysisRun, AFileThatCannotBeLookedAtIsNamedAndNotLeftOut) {
  class Closed final : public FileSource {
   public:
    Result<std::vector<SourceEntry>> list() override {
      return std::vector<SourceEntry>{{"shut/a.py", 0}};
    }
    Result<std::string> read(const SourceEntry&) override {
      return fail(Code::io_error, "a folder lets nobody in");
    }
  };
  Closed source;
  const auto project = analyse(source, {});
  ASSERT_TRUE(project.has_value());
  ASSERT_EQ(project->files.size(), 1u);
  EXPECT_EQ(project->files[0].facts.status, FileStatus::stat_error);
}

}  // namespace
}  // namespace gh::analysis
