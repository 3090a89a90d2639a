// docs/reference/analysis.md, "Runs": what a declared change reads of a run.
#include "analysis/run_extract.h"

#include <gtest/gtest.h>

#include "analysis/annotations.h"
#include "analysis/blast_radius.h"
#include "analysis/compare.h"
#include "analysis/measures.h"
#include "analysis/memory_source.h"
#include "analysis/report_view.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

std::string complex_function(const std::string& name, int branches) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < branches; ++i)
    out += "    if a == " + std::to_string(i) + ":\n        a = a + 1\n";
  return out + "    return a\n";
}

struct Made {
  Project project;
  Findings findings;
  RunReport report;
  explicit Made(const std::map<std::string, std::string>& files) {
    MemorySource source(files);
    project = *analyse(source, {.jobs = 1});
    findings = find_all(project, {});
    report = run_report(project, findings, plain_annotations(measure(project, findings)));
  }
};

const std::map<std::string, std::string> kFiles{
    {"a.py",
     complex_function("hard", 25) + complex_function("easy", 1) + "def unused_one():\n    pass\n"},
    {"b.py", "import a\n\n\ndef use():\n    return a.hard(1) + a.easy(2)\n"},
    {"c.py", "import b\nprint(b.use())\n"}};

std::vector<std::string> symbols(const Value& report, std::string_view family) {
  std::vector<std::string> out;
  for (const Value& item : list_in(report, {"metrics", "families", family, "items"}))
    out.emplace_back(text_in(item, "qualname"));
  return out;
}

TEST(RunExtract, KeepsOnlyTheSymbolsWhoseRiskIsHigh) {
  const Made made(kFiles);
  const Value extract = run_extract(made.report);
  EXPECT_EQ(symbols(extract, "complexity"), (std::vector<std::string>{"a:hard"}));
  EXPECT_TRUE(list_in(extract, {"metrics", "families", "coverage_adoption", "items"}).empty());
  EXPECT_TRUE(list_in(extract, {"metrics", "families", "dead_code", "items"}).empty());
}

TEST(RunExtract, GivesTheBlastRadiusThatTheReportGives) {
  Made made(kFiles);
  const Value extract = run_extract(made.report);
  const Value whole = whole_report(std::move(made.report));
  for (const char* file : {"a.py", "b.py", "c.py"}) {
    const BlastQuestion question{.files = {file}, .transitive = true, .forbidden = {"x/*"}};
    EXPECT_EQ(wire::canonical_json(blast_document(blast_radius(extract, question))),
              wire::canonical_json(blast_document(blast_radius(whole, question))))
        << file;
  }
}

TEST(RunExtract, HasTheFindingsSummariesAndSettingsOfTheReport) {
  Made made(kFiles);
  const Value extract = run_extract(made.report);
  const Value whole = whole_report(std::move(made.report));
  EXPECT_EQ(*member(extract, {"findings"}), *member(whole, {"findings"}));
  EXPECT_EQ(*member(extract, {"metrics", "summary"}), *member(whole, {"metrics", "summary"}));
  EXPECT_EQ(comparison_settings(extract), comparison_settings(whole));
  EXPECT_EQ(*run_health(extract).score, *run_health(whole).score);
  EXPECT_EQ(finding_groups(extract).size(), finding_groups(whole).size());
  EXPECT_GT(finding_groups(extract).size(), 0u);
}

}  // namespace
}  // namespace gh::analysis
