#pragma once
// Rows of analysis_runs: writing inside a transaction of the ledger, and reading.
#include <optional>
#include <string>
#include <vector>

#include "store/run_base.h"
#include "store/sql.h"

namespace gh::store {

/// A run that is there already keeps what it is, has the summary of now, and becomes the latest of
/// its root. `parts` take
/// the place of those that it had, unless there are none.
Status write_analysis_run(Connection&, const AnalysisRunRow&, const std::vector<std::string>& parts,
                          std::int64_t seq);
Result<std::vector<AnalysisRunRow>> read_analysis_runs(Connection&, const AnalysisRunFilter&);
Result<std::optional<std::string>> read_run_part(Connection&, const AnalysisRunRow&,
                                                 std::int64_t part);
/// Inside a transaction.
Result<DroppedRuns> drop_analysis_runs(Connection&, const RunRetention&);

}  // namespace gh::store
