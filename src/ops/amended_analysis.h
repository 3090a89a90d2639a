// `analyze` of a work tree in which few files changed since the last plain run by the same
// settings. Whatever is not plain, and whatever cannot be shown to leave the rest alone, is
// analysed as a whole.
#pragma once

#include <optional>
#include <string>

#include "ops/analyze_judgement.h"
#include "ops/analyze_text.h"
#include "ops/kept_runs.h"
#include "ops/run_memory.h"

namespace gh::ops {

/// What a person is told, before it is known how it will be drawn.
struct Told {
  report::Styled whole{}, brief{};
};

struct AmendedAnalysis {
  Told told{};
  std::string run_id{};
  std::vector<analysis::RunInput> inputs{};  // as they were read
  std::size_t changed = 0;                   // files
};

/// `inputs` as they were found to be.
std::optional<AmendedAnalysis> amended_analysis(Scope&, AnalysisRun&, const RunMemory&,
                                                std::vector<analysis::RunInput> inputs);

/// Leaves behind what the next one is told from; only where most files were known already.
void remember_run(const RunMemory&, const ToldRun&, const FinishedRun&,
                  const analysis::RunDigests&);

/// `finished`, and how the digest of the report came about.
Result<FinishedRun> finished(Scope&, const AnalysisRun&, const analysis::Annotations&,
                             analysis::RunDigests&);

}  // namespace gh::ops
