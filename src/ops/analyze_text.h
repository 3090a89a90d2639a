// What `analyze` tells a person of a run.
#pragma once

#include <string>

#include "ops/analyze_judgement.h"
#include "report/styled.h"

namespace gh::ops {

struct ToldRun {
  const AnalysisRun& run;
  const RunJudgement& judgement;
  const analysis::Findings& shown;
  std::string digest, run_id;
};
/// Health, the worst of each kind, what is new.
report::Styled analysis_text(const ToldRun&);
/// A few lines of key=value and what the gates say, for pipelines.
report::Styled short_analysis_text(const ToldRun&);

}  // namespace gh::ops
