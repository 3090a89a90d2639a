#pragma once
// Rows of analysis_runs: writing inside a transaction of the ledger, and reading.
#include <vector>

#include "store/sql.h"

namespace gh::store {

/// A run that is there already keeps what it is and becomes the latest of its root.
Status write_analysis_run(Connection&, const AnalysisRunRow&, std::int64_t seq);
Result<std::vector<AnalysisRunRow>> read_analysis_runs(Connection&, const AnalysisRunFilter&);
/// Inside a transaction.
Result<DroppedRuns> drop_analysis_runs(Connection&, const RunRetention&);

}  // namespace gh::store
