// What a declared change asks of a run, and no more: the report without the lists that nobody reads
// before an edit. It has the report's shape, so that whatever reads reports reads it too.
#pragma once

#include "analysis/canonical_report.h"
#include "model/value.h"

namespace gh::analysis {

/// Enough for blast_radius, for gates, for claims, and for the findings of a comparison; symbols
/// whose risk is not high are left out.
Value run_extract(const RunReport&);

}  // namespace gh::analysis
