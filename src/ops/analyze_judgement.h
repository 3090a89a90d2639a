// What `analyze` says of a run beside its measurements: health, gates, the short form.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/analysis_run.h"
#include "report/styled.h"

namespace gh::ops {

struct RunJudgement {
  analysis::Annotations annotations{};
  analysis::Comparison comparison{};
};
/// Pure: the run against its baseline, an earlier revision and the gates.
RunJudgement judge(const AnalysisRun&);

/// Groups without an item in a changed file are not shown when only those count; absent when all
/// are.
std::optional<analysis::Findings> shown_findings(const AnalysisRun&);

report::Styled gates_text(const RunJudgement&);
/// Empty unless the change since an earlier revision adds suppressions.
report::Styled suppressions_text(const AnalysisRun&);
/// Empty unless a coverage report was asked for.
report::Styled coverage_text(const AnalysisRun&);
/// A few lines of key=value, for pipelines.
std::string short_text(const AnalysisRun&, const RunJudgement&);
/// The same from what a change of few files leaves as it is and from what it can change.
struct LastingLines {
  std::string partial{}, clones{}, dependencies{}, security{};
};
std::string dependency_line(const analysis::Dependencies&);
/// From the summary of surfaces.
std::string security_line(const Map& surfaces);
std::string clone_line(const analysis::CloneKeys&, const analysis::Findings&, std::size_t fresh);
/// The summary of a run's surfaces.
Map surfaces_told(const std::vector<analysis::Surface>&);
LastingLines lasting_lines(const AnalysisRun&, const RunJudgement&);
std::string short_text(const analysis::Measures&, const analysis::Health&, std::uint64_t parsed,
                       const LastingLines&);
/// One line: why the run is refused.
std::string refusal(const std::vector<analysis::GateReason>&);

}  // namespace gh::ops
