// docs/reference/analysis.md, "Coverage"
#include "analysis/coverage.h"

#include <gtest/gtest.h>

#include "analysis/annotations.h"
#include "analysis/baseline.h"
#include "analysis/canonical_report.h"
#include "analysis/report_view.h"
#include "analysis/test_project.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

/// Complexity ifs + 1, lines 2 * ifs + 2.
std::string branchy(const std::string& name, int ifs) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < ifs; ++i)
    out += "    if a > 1:\n        g(a)\n";
  return out + "    return a\n";
}

std::string lines_xml(std::uint32_t from, std::uint32_t to, std::uint32_t hit_to) {
  std::string out = "<lines>";
  for (std::uint32_t i = from; i <= to; ++i)
    out +=
        "<line number=\"" + std::to_string(i) + "\" hits=\"" + (i <= hit_to ? "1" : "0") + "\"/>";
  return out + "</lines>";
}
std::string class_xml(const std::string& filename, const std::string& inside) {
  return "<class filename=\"" + filename + "\">" + inside + "</class>";
}
std::string report_xml(const std::string& classes, const std::string& sources = "") {
  return "<?xml version=\"1.0\" ?><coverage><sources>" + sources + "</sources><packages><package>" +
         "<classes>" + classes + "</classes></package></packages></coverage>";
}

CoverageRoot root_with(Texts files) {
  return {"/r", [files = std::move(files)](std::string_view path) {
            return std::ranges::find(files, path) != files.end();
          }};
}

CoveredFiles files_of(const std::string& xml, Texts existing = {}) {
  const auto report = read_cobertura(xml, "c.xml");
  EXPECT_TRUE(report) << report.error().message;
  return report ? covered_files(*report, root_with(std::move(existing))) : CoveredFiles{};
}

/// "1+ 2- 3+"
std::string told(const std::vector<LineHit>& lines) {
  std::string out;
  for (const LineHit& hit : lines)
    out += (out.empty() ? "" : " ") + std::to_string(hit.line) + (hit.covered ? "+" : "-");
  return out;
}

std::string told(const Project& project, const UnitCoverage& u) {
  return qualname_of(project, u.ref) + " " + std::string(to_string(u.status)) + " " +
         std::to_string(u.covered) + "/" + std::to_string(u.executable) + " " +
         (u.permille() ? std::to_string(*u.permille()) : "-") + (u.is_hotspot ? " hotspot" : "") +
         (u.is_scope_gap ? " gap" : "");
}
Texts told(const Project& project, const CoverageJoin& join) {
  Texts out;
  for (const UnitCoverage& unit : join.units)
    out.push_back(told(project, unit));
  return out;
}

// --- the report --------------------------------------------------------------------------------

TEST(Cobertura, LinesOfAClassAreExecutableAndThoseWithHitsCovered) {
  const CoveredFiles files = files_of(report_xml(class_xml(
      "a.py",
      R"(<methods/><lines><line number="1" hits="3"/><line number="2" hits="0"/></lines>)")));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(told(files.at("a.py")), "1+ 2-");
}

TEST(Cobertura, ALineWithoutAPlaceOrACountIsPassedOver) {
  const CoveredFiles files = files_of(report_xml(class_xml("a.py", R"(<lines>
    <line number="0" hits="1"/><line number="-1" hits="1"/><line number="x" hits="1"/>
    <line number="" hits="1"/><line hits="1"/><line number="5"/><line number="6" hits="-1"/>
    <line number="7" hits="x"/><line number="99999999999" hits="1"/><line number="8 " hits="1"/>
    <line number="9" hits="00"/><line number="10" hits="99999999999999999999999"/></lines>)")));
  EXPECT_EQ(told(files.at("a.py")), "9- 10+");
}

TEST(Cobertura, ClassesOfOneFileAreUnited) {
  const CoveredFiles files = files_of(
      report_xml(class_xml("a.py", lines_xml(3, 4, 0)) + class_xml("./a.py", lines_xml(1, 3, 3)) +
                 class_xml("/r/b.py", lines_xml(1, 1, 1)) + class_xml("b.py", lines_xml(1, 2, 0))));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(told(files.at("a.py")), "1+ 2+ 3+ 4-");
  EXPECT_EQ(told(files.at("b.py")), "1+ 2-");
}

TEST(Cobertura, LinesOfMethodsCountForTheirClass) {
  const CoveredFiles files =
      files_of(report_xml(class_xml("a.py", "<methods><method>" + lines_xml(1, 2, 1) +
                                                "</method></methods>" + lines_xml(2, 3, 2))));
  EXPECT_EQ(told(files.at("a.py")), "1+ 2+ 3-");
}

TEST(Cobertura, LinesOutsideOfAClassAndClassesWithoutANameAreNothing) {
  const CoveredFiles files =
      files_of(report_xml(lines_xml(1, 2, 2) + class_xml("", lines_xml(1, 2, 2)) +
                          class_xml("a.py", "<lines/>") + lines_xml(7, 8, 8)));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(told(files.at("a.py")), "") << "known to the report, and nothing in it to run";
}

TEST(Cobertura, WhatIsNoReportIsRefused) {
  const auto refusal = [](std::string_view xml) {
    const auto report = read_cobertura(xml, "c.xml");
    EXPECT_FALSE(report);
    EXPECT_EQ(report.error().code, Code::xml_invalid);
    return report.error().message;
  };
  EXPECT_EQ(refusal("<testsuite/>"), "c.xml: the document is 'testsuite', not 'coverage'");
  EXPECT_EQ(refusal("<coverage>"), "c.xml:1:11: no element found");
  EXPECT_EQ(refusal("<!DOCTYPE coverage SYSTEM 'x'><coverage/>"),
            "c.xml:1:30: a document type declaration (DOCTYPE) is not allowed");
  std::string sources;
  for (int i = 0; i < 101; ++i)
    sources += "<source>s</source>";
  EXPECT_EQ(refusal(report_xml("", sources)), "c.xml: more than 100 sources");
  const std::string large(26'214'401, ' ');
  EXPECT_EQ(read_cobertura(large, "c.xml").error().code, Code::document_too_large);
}

TEST(Cobertura, SourcesAreTrimmedAndEmptyOnesPassedOver) {
  const auto report = read_cobertura(
      report_xml("", "<source>\n /r/src </source><source/><source>a&amp;b</source>"), "c.xml");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->sources, (Texts{"/r/src", "a&b"}));
}

// --- names -------------------------------------------------------------------------------------

struct NameCase {
  std::string_view filename;
  Texts sources, existing;
  std::string_view resolved;  // empty: none
};

TEST(Cobertura, FilenamesAreResolved) {
  const std::vector<NameCase> cases{
      // absolute: as it is, and only below the root
      {"/r/a.py", {}, {}, "a.py"},
      {"/r/p/../a.py", {}, {}, "a.py"},
      {"/r/a.py", {"/r/src"}, {"src/a.py"}, "a.py"},
      {"/other/a.py", {}, {"a.py"}, ""},
      {"/rest/a.py", {}, {}, ""},
      {"/r", {}, {}, ""},
      // relative: the root, then each source
      {"a.py", {}, {}, "a.py"},
      {"p//./a.py", {}, {}, "p/a.py"},
      {"a.py", {"/r/src"}, {"a.py", "src/a.py"}, "a.py"},
      {"a.py", {"/r/src"}, {"src/a.py"}, "src/a.py"},
      {"a.py", {"/r/x", "/r/y", "/r/z"}, {"y/a.py", "z/a.py"}, "y/a.py"},
      {"a.py", {"src"}, {"src/a.py"}, "src/a.py"},
      {"a.py", {"."}, {"a.py"}, "a.py"},
      {"a.py", {"/r/src/"}, {"src/a.py"}, "src/a.py"},
      // nothing exists: the first that could
      {"a.py", {"/r/src"}, {}, "a.py"},
      {"../a.py", {"/r/src"}, {}, "a.py"},
      // only below the root
      {"../a.py", {}, {}, ""},
      {"../a.py", {"/r"}, {}, ""},
      {"a.py", {"/other"}, {}, "a.py"},
      {"../r/a.py", {"/other"}, {}, "a.py"},
      {"a.py", {"../other"}, {"other/a.py"}, "a.py"},
      {"../../../etc/passwd", {"/r/src"}, {}, ""},
      {".", {}, {}, ""},
  };
  for (const NameCase& c : cases)
    EXPECT_EQ(resolved_filename(c.filename, c.sources, root_with(c.existing)).value_or(""),
              c.resolved)
        << c.filename << " " << ::testing::PrintToString(c.sources);
}

TEST(Cobertura, AFileThatIsNotBelowTheRootIsNotOfTheReport) {
  EXPECT_TRUE(files_of(report_xml(class_xml("/usr/lib/x.py", lines_xml(1, 2, 2)))).empty());
}

// --- the join ----------------------------------------------------------------------------------

/// A unit of 26 lines and complexity 13 whose lines 1 to 5 of 26 were hit, and an equal one that
/// the report does not know.
struct Observed {
  Project project = project_of({{"a.py", branchy("f", 12)}, {"b.py", branchy("f", 12)}}, {});
  CoverageJoin join =
      join_coverage(project, files_of(report_xml(class_xml("a.py", lines_xml(1, 26, 5)))), 50);
};

TEST(CoverageJoin, TheWorkedExample) {
  const Observed o;
  EXPECT_EQ(told(o.project, o.join),
            (Texts{"a:f measured 5/26 192 hotspot", "b:f missing_from_report 0/0 - gap"}));
  const Value family = coverage_family(o.project, o.join);
  EXPECT_EQ(wire::canonical_json(*member(family, {"summary"})),
            R"({"coverage_hotspots":1,"files":1,"hotspot_threshold_percent":50,)"
            R"("invalid_reason":null,"measured_units":1,"missing_from_report_units":1,)"
            R"("overall_covered_lines":5,"overall_executable_lines":26,"overall_permille":192,)"
            R"("scope_gap_hotspots":1,"source":"","status":"ok","units":2})");
  const List& items = *member(family, {"items"})->as_list();
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(wire::canonical_json(items[0]),
            R"({"coverage_hotspot":true,"coverage_permille":192,"covered_lines":5,)"
            R"("cyclomatic_complexity":13,"end_line":26,"executable_lines":26,"qualname":"a:f",)"
            R"("relative_path":"a.py","risk":"medium","scope_gap_hotspot":false,"start_line":1,)"
            R"("status":"measured"})");
  EXPECT_EQ(wire::canonical_json(items[1]),
            R"({"coverage_hotspot":false,"coverage_permille":null,"covered_lines":0,)"
            R"("cyclomatic_complexity":13,"end_line":26,"executable_lines":0,"qualname":"b:f",)"
            R"("relative_path":"b.py","risk":"medium","scope_gap_hotspot":true,"start_line":1,)"
            R"("status":"missing_from_report"})");
}

TEST(CoverageJoin, StatusesHaveTheirNames) {
  EXPECT_EQ(to_string(CoverageStatus::measured), "measured");
  EXPECT_EQ(to_string(CoverageStatus::no_executable_lines), "no_executable_lines");
  EXPECT_EQ(to_string(CoverageStatus::missing_from_report), "missing_from_report");
}

struct StatusCase {
  std::uint32_t from, to, hit_to;  // lines of the report
  std::string_view unit;           // of lines 3 to 4
};

TEST(CoverageJoin, OnlyLinesOfTheUnitCount) {
  const Project project = project_of({{"a.py", "x = 1\n\ndef f():\n    return 1\n\ny = 1\n"}}, {});
  constexpr StatusCase kCases[] = {
      {1, 6, 3, "a:f measured 1/2 500"},
      {3, 4, 4, "a:f measured 2/2 1000"},
      {4, 4, 0, "a:f measured 0/1 0"},
      {1, 2, 2, "a:f no_executable_lines 0/0 -"},
      {5, 6, 6, "a:f no_executable_lines 0/0 -"},
  };
  for (const StatusCase& c : kCases) {
    const CoverageJoin join = join_coverage(
        project, files_of(report_xml(class_xml("a.py", lines_xml(c.from, c.to, c.hit_to)))), 50);
    EXPECT_EQ(told(project, join), Texts{std::string(c.unit)}) << c.from << "-" << c.to;
  }
  EXPECT_EQ(told(project, join_coverage(project, {}, 50)), Texts{"a:f missing_from_report 0/0 -"});
}

TEST(CoverageJoin, ThousandthsAreRoundedHalfToEven) {
  struct Case {
    std::uint32_t covered, executable;
    std::uint64_t permille;
  };
  for (const Case& c : {Case{0, 7, 0}, Case{1, 3, 333}, Case{2, 3, 667}, Case{1, 16, 62},
                        Case{3, 16, 188}, Case{5, 16, 312}, Case{1, 2000, 0}, Case{3, 2000, 2},
                        Case{1999, 2000, 1000}, Case{5, 26, 192}}) {
    const UnitCoverage unit{
        .status = CoverageStatus::measured, .executable = c.executable, .covered = c.covered};
    EXPECT_EQ(unit.permille(), c.permille) << c.covered << "/" << c.executable;
  }
}

struct HotspotCase {
  int ifs;
  std::uint32_t hit_to;  // of ten lines
  std::uint32_t threshold;
  bool is_hotspot;
};

TEST(CoverageJoin, AHotspotIsComplexMeasuredAndBelowTheThreshold) {
  constexpr HotspotCase kCases[] = {
      {9, 0, 50, false}, {10, 0, 50, true},  {10, 4, 50, true},  {10, 5, 50, false},
      {20, 4, 50, true}, {20, 5, 50, false}, {10, 9, 100, true}, {10, 10, 100, false},
      {10, 0, 0, false}, {10, 5, 51, true},
  };
  for (const HotspotCase& c : kCases) {
    const Project project = project_of({{"a.py", branchy("f", c.ifs)}}, {});
    const CoverageJoin join = join_coverage(
        project, files_of(report_xml(class_xml("a.py", lines_xml(1, 10, c.hit_to)))), c.threshold);
    EXPECT_EQ(join.units.at(0).is_hotspot, c.is_hotspot) << c.ifs << " " << c.hit_to;
    EXPECT_FALSE(join.units.at(0).is_scope_gap);
  }
}

TEST(CoverageJoin, AScopeGapIsComplexAndInNoReport) {
  const Project project = project_of({{"a.py", branchy("low", 9)},
                                      {"b.py", branchy("medium", 10)},
                                      {"c.py", branchy("high", 20)},
                                      {"d.py", branchy("silent", 20)}},
                                     {});
  const CoverageJoin join =
      join_coverage(project, files_of(report_xml(class_xml("d.py", "<lines/>"))), 50);
  EXPECT_EQ(told(project, join),
            (Texts{"c:high missing_from_report 0/0 - gap", "b:medium missing_from_report 0/0 - gap",
                   "d:silent no_executable_lines 0/0 -", "a:low missing_from_report 0/0 -"}));
  EXPECT_EQ(join.scope_gaps(), 2u);
  EXPECT_EQ(join.hotspots(), 0u);
  EXPECT_EQ(join.count(CoverageStatus::missing_from_report), 3u);
  EXPECT_EQ(join.overall_permille(), 0u) << "nothing was measured";
}

TEST(CoverageJoin, ALineOfANestedUnitIsCountedOnceOverall) {
  const Project project = project_of(
      {{"a.py", "def f():\n    def g():\n        return 1\n    return g\n\nx = 1\n"}}, {});
  const CoverageJoin join =
      join_coverage(project, files_of(report_xml(class_xml("a.py", lines_xml(1, 6, 3)))), 50);
  EXPECT_EQ(told(project, join).size(), 2u);
  EXPECT_EQ(join.executable, 4u);
  EXPECT_EQ(join.covered, 3u);
}

TEST(CoverageJoin, AnIncompleteUnitTakesNoPart) {
  const Project project =
      project_of({{"a.py", "def good():\n    return 1\n\ndef bad():\n    x = (1 +\n"}}, {});
  const CoverageJoin join =
      join_coverage(project, files_of(report_xml(class_xml("a.py", lines_xml(1, 5, 5)))), 50);
  EXPECT_EQ(told(project, join), Texts{"a:good measured 2/2 1000"});
  EXPECT_EQ(join.executable, 2u);
}

TEST(CoverageJoin, EveryFileOfTheReportBelowTheRootIsCounted) {
  const Project project = project_of({{"a.py", branchy("f", 1)}}, {});
  const CoverageJoin join = join_coverage(
      project,
      files_of(report_xml(class_xml("a.py", "") + class_xml("gone.py", lines_xml(1, 9, 9)) +
                          class_xml("/usr/x.py", ""))),
      50);
  EXPECT_EQ(join.files, 2u);
  EXPECT_EQ(join.executable, 0u) << "lines of files that nobody analysed";
}

// --- what a report says ------------------------------------------------------------------------

Findings findings_with(const Project& project, CoverageJoin join) {
  Findings out = find_all(project);
  out.coverage = std::move(join);
  return out;
}

Texts design_of(const Value& report) {
  Texts out;
  for (const Value& group : *member(report, {"findings", "groups", "design", "groups"})->as_list())
    if (text_in(group, "category") == "coverage")
      out.push_back(std::string(text_in(group, "id")) + " " + std::string(text_in(group, "kind")) +
                    " " + std::string(text_in(group, "severity")) + " " +
                    wire::canonical_json(*member(group, {"priority"})));
  return out;
}

// docs/reference/analysis.md, "Severity and order"
TEST(CoverageJoin, HotspotsAndGapsAreDesignFindings) {
  const Project project = project_of({{"a.py", branchy("medium", 10)},
                                      {"b.py", branchy("high", 20)},
                                      {"c.py", branchy("medium", 10)},
                                      {"d.py", branchy("high", 20)},
                                      {"e.py", branchy("fine", 20)}},
                                     {});
  const Value report = canonical_report(
      project,
      findings_with(project,
                    join_coverage(project,
                                  files_of(report_xml(class_xml("a.py", lines_xml(1, 4, 1)) +
                                                      class_xml("b.py", lines_xml(1, 4, 1)) +
                                                      class_xml("e.py", lines_xml(1, 4, 2)))),
                                  50)));
  EXPECT_EQ(design_of(report), (Texts{"design:coverage:b:high coverage_hotspot critical 1.5",
                                      "design:coverage:d:high coverage_scope_gap critical 1.5",
                                      "design:coverage:a:medium coverage_hotspot warning 1.0",
                                      "design:coverage:c:medium coverage_scope_gap warning 1.0"}));
  EXPECT_NE(member(report, {"metrics", "families", "coverage_join"}), nullptr);
}

TEST(CoverageJoin, AFindingSaysWhatWasMeasured) {
  const Observed o;
  const std::vector<Group> groups = coverage_groups(o.project, o.join);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(wire::canonical_json(groups[0].facts),
            R"({"coverage_permille":192,"covered_lines":5,"cyclomatic_complexity":13,)"
            R"("executable_lines":26,"hotspot_threshold_percent":50,"risk":"medium",)"
            R"("status":"measured"})");
  EXPECT_EQ(groups[0].confidence, "high");
}

TEST(CoverageJoin, WithoutOneTheReportSaysNothingOfIt) {
  const Observed o;
  const Value report = canonical_report(o.project, find_all(o.project));
  EXPECT_EQ(member(report, {"metrics", "families", "coverage_join"}), nullptr);
  EXPECT_EQ(design_of(report), Texts{});
  EXPECT_FALSE(measure(o.project, find_all(o.project)).coverage);
}

TEST(CoverageJoin, AnInvalidOneSaysWhyAndNothingElse) {
  const Observed o;
  const Findings findings = findings_with(
      o.project, CoverageJoin{.source = "c.xml", .invalid = Error{Code::xml_invalid, "c.xml: no"}});
  const Value report = canonical_report(o.project, findings);
  EXPECT_EQ(wire::canonical_json(*member(report, {"metrics", "families", "coverage_join"})),
            R"({"items":[],"items_truncated":false,"summary":{"coverage_hotspots":0,"files":0,)"
            R"("hotspot_threshold_percent":50,"invalid_reason":"c.xml: no","measured_units":0,)"
            R"("missing_from_report_units":0,"overall_covered_lines":0,)"
            R"("overall_executable_lines":0,"overall_permille":0,"scope_gap_hotspots":0,)"
            R"("source":"c.xml","status":"invalid","units":0}})");
  const Measures m = measure(o.project, findings);
  ASSERT_TRUE(m.coverage);
  EXPECT_FALSE(m.coverage->is_valid);
}

TEST(CoverageJoin, MeasuresCountHotspotsAndNoGaps) {
  const Observed o;
  const Measures m = measure(o.project, findings_with(o.project, o.join));
  ASSERT_TRUE(m.coverage);
  EXPECT_TRUE(m.coverage->is_valid);
  EXPECT_EQ(m.coverage->hotspots, 1u);
}

// docs/reference/analysis.md, "Coverage": neither health nor a baseline knows of it.
TEST(CoverageJoin, NeitherHealthNorABaselineKnowsOfIt) {
  const Observed o;
  const Measures without = measure(o.project, find_all(o.project)),
                 with = measure(o.project, findings_with(o.project, o.join));
  EXPECT_EQ(health_of(with).scores, health_of(without).scores);
  const Sections parts{.metrics = true, .api_surface = false};
  EXPECT_EQ(print_baseline(baseline_of(with, health_of(with), parts), with.languages, Timestamp{}),
            print_baseline(baseline_of(without, health_of(without), parts), without.languages,
                           Timestamp{}));
}

}  // namespace
}  // namespace gh::analysis
