#include "report/analysis_findings.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::report {
namespace {

int severity_rank(std::string_view word) {
  return word == "critical" ? 3 : word == "warning" ? 2 : 1;
}

void collect(const Peek& list, std::vector<Peek>& out) {
  for (const Value& group : list.list())
    out.emplace_back(group);
}

/// A group that only tells what differs between two runs has its places alone.
std::int64_t count_of(const Peek& group) {
  return group["count"].exists() ? group["count"].number()
                                 : static_cast<std::int64_t>(group["items"].list().size());
}

std::string clone_headline(const Peek& group) {
  const std::string_view kind = group["category"].text();  // of a clone: which kind
  const std::int64_t count = count_of(group);
  const std::string type = group["clone_type"].exists()
                               ? fmt::format(" ({})", group["clone_type"].text())
                               : std::string();
  if (kind == "function") return fmt::format("{} copies of one function{}", count, type);
  if (kind == "block")
    return group["facts"]["block_size"].exists()
               ? fmt::format("{} copies of {} statements in a row{}", count,
                             group["facts"]["block_size"].number(), type)
               : fmt::format("{} copies of the same statements in a row{}", count, type);
  if (kind == "segment") return fmt::format("the same steps {} times in one function", count);
  return fmt::format("{} functions that are nearly the same", count);
}

/// What is said of a measured thing, and what where nobody knows its figure.
struct FigureRow {
  std::string_view category, member, before, after, without;
};
// table: headlines of measured findings
constexpr std::array<FigureRow, 3> kFigures{{
    {"complexity", "cyclomatic_complexity", "cyclomatic complexity ", "", "too many decisions"},
    {"coupling", "cbo", "the class needs ", " others", "the class needs too many others"},
    {"cohesion", "lcom4", "the class falls apart into ", " groups of methods",
     "the class falls apart into groups of methods"},
}};

std::string design_headline(const Peek& group) {
  const std::string_view category = group["category"].text(), kind = group["kind"].text();
  for (const FigureRow& row : kFigures) {
    if (row.category != category) continue;
    const Peek figure = group["facts"][row.member];
    return figure.exists() ? fmt::format("{}{}{}", row.before, figure.number(), row.after)
                           : std::string(row.without);
  }
  if (category == "dependency")
    return fmt::format("{} modules import each other in a circle", count_of(group));
  return kind == "coverage_scope_gap" ? "complex, and missing from the coverage report"
                                      : "complex, and hardly covered by tests";
}

}  // namespace

const std::vector<AnalysisRule>& analysis_rules() {
  // clang-format off
  // table: analysis rules
  static const std::vector<AnalysisRule> rules{
      {"GH-CLONE-FUNCTION", "CCLONE001", "FunctionClone", "Functions that are the same code", "Keep one of them and call it from the other places.", "clone", "function"},
      {"GH-CLONE-BLOCK", "CCLONE002", "BlockClone", "Runs of statements that stand in several functions", "Move the run into a function of its own.", "clone", "block"},
      {"GH-CLONE-SEGMENT", "CCLONE003", "SegmentClone", "Steps repeated inside one function", "A loop or a small function says it once.", "clone", "segment"},
      {"GH-CLONE-NEARMISS", "", "NearMissClone", "Functions that differ in a few statements", "Look whether the difference is meant; bring the rest together.", "clone", ""},
      {"GH-STRUCT-BRANCHES", "CSTRUCT001", "DuplicatedBranches", "Branches that do the same", "Join the conditions, or move the common part out.", "structural", "duplicated_branches"},
      {"GH-STRUCT-GUARD", "CSTRUCT002", "GuardExitDivergence", "Copies that guard their entry in different ways", "Decide which guard is right and use it everywhere.", "structural", "clone_guard_exit_divergence"},
      {"GH-STRUCT-DRIFT", "CSTRUCT003", "CohortDrift", "Copies that have drifted apart", "Compare the divergent copy with its peers.", "structural", ""},
      {"GH-DEAD-FUNCTION", "CDEAD001", "DeadFunction", "A function that nothing uses", "Delete it, or say who uses it.", "dead_code", "function"},
      {"GH-DEAD-CLASS", "CDEAD002", "DeadClass", "A class that nothing uses", "Delete it, or say who uses it.", "dead_code", "class"},
      {"GH-DEAD-METHOD", "CDEAD003", "DeadMethod", "A method that nothing uses", "Delete it, or say who uses it.", "dead_code", "method"},
      {"GH-DEAD-OTHER", "CDEAD004", "DeadSymbol", "A symbol that nothing uses", "Delete it, or say who uses it.", "dead_code", ""},
      {"GH-DESIGN-COHESION", "CDESIGN001", "LowCohesion", "A class whose methods have nothing in common", "Split it along its groups of methods.", "design", "cohesion"},
      {"GH-DESIGN-COMPLEXITY", "CDESIGN002", "HighComplexity", "A function with too many paths", "Move branches into functions with names.", "design", "complexity"},
      {"GH-DESIGN-COUPLING", "CDESIGN003", "HighCoupling", "A class that needs too many others", "Give it one collaborator where it now has several.", "design", "coupling"},
      {"GH-DESIGN-CYCLE", "CDESIGN004", "DependencyCycle", "Modules that import each other in a circle", "Move what both need into a third module.", "design", "dependency"},
      {"GH-DESIGN-COVERAGE", "CDESIGN005", "CoverageHotspot", "Complex code that tests hardly reach", "Write tests for its branches.", "design", "coverage_hotspot"},
      {"GH-DESIGN-SCOPEGAP", "CDESIGN006", "CoverageScopeGap", "Complex code that the coverage report does not know", "Let the coverage run see this file.", "design", ""},
  };
  // clang-format on
  return rules;
}

std::size_t rule_of(const Peek& group) {
  const std::vector<AnalysisRule>& rules = analysis_rules();
  const std::string_view words[] = {group["clone_kind"].text(), group["kind"].text(),
                                    group["category"].text()};
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].family != group["family"].text()) continue;
    if (rules[i].key.empty()) return i;
    if (std::ranges::find(words, rules[i].key) != std::end(words)) return i;
  }
  return rules.size() - 1;
}

std::vector<Peek> findings_worst_first(const Value& report) {
  const Peek groups = Peek(report)["findings"]["groups"];
  std::vector<Peek> out;
  for (const std::string_view family : {"functions", "blocks", "segments", "near_miss"})
    collect(groups["clones"][family], out);
  for (const std::string_view family : {"structural", "dead_code", "design"})
    collect(groups[family]["groups"], out);
  const auto key = [](const Peek& g) {
    return std::tuple(-severity_rank(g["severity"].text()),
                      -g["priority"].decimal().ten_thousandths, g["id"].text());
  };
  std::ranges::stable_sort(out, [&](const Peek& a, const Peek& b) { return key(a) < key(b); });
  return out;
}

std::string_view figure_of(std::string_view category) {
  const auto row = std::ranges::find(kFigures, category, &FigureRow::category);
  return row == kFigures.end() ? std::string_view() : row->member;
}

std::string headline(const Peek& group) {
  const std::string_view family = group["family"].text();
  if (family == "clone") return clone_headline(group);
  if (family == "design") return design_headline(group);
  if (family == "dead_code") return fmt::format("nothing uses this {}", group["category"].text());
  return fmt::format("{}, {} places", analysis_rules()[rule_of(group)].summary, count_of(group));
}

}  // namespace gh::report
