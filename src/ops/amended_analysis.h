// `analyze` of a work tree in which few files changed since the last plain run by the same
// settings. Whatever is not plain, and whatever cannot be shown to leave the rest alone, is
// analysed as a whole.
#pragma once

#include <optional>
#include <string>

#include "analysis/amend.h"
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
  analysis::AmendedRun run{};
  std::string run_id{}, base_run_id{};       // of the run, and of the one that it was told from
  std::vector<analysis::RunInput> inputs{};  // as they were read
  std::vector<std::pair<analysis::RunInput, analysis::RunInput>> changed{};  // before and after
};

/// `inputs` as they were found to be. `why_not` says, for people, why the run is made as a whole.
std::optional<AmendedAnalysis> amended_analysis(Scope&, AnalysisRun&, const RunMemory&,
                                                std::vector<analysis::RunInput> inputs,
                                                std::string_view& why_not);

/// How much of it was made again, for people.
std::string amended_text(const AmendedAnalysis&);

/// Keeps it as the latest of its root, beside the one that it was told from. False when that one is
/// not kept, or when the ledger cannot be written.
bool store_amended(Scope&, const AmendedAnalysis&, const std::string& measured_by, Context&);

/// Leaves behind what the next one is told from; only where most files were known already.
void remember_run(const RunMemory&, const ToldRun&, const FinishedRun&,
                  const analysis::RunDigests&);

/// `finished`, and how the digest of the report came about.
Result<FinishedRun> finished(Scope&, const AnalysisRun&, const analysis::Annotations&,
                             analysis::RunDigests&);

}  // namespace gh::ops
