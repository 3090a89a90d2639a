#pragma once
// What readers of the release gate's output may rely on, in one place: `contract`, and the
// discovery files that `release init` writes.
#include "model/value.h"

namespace gh::ops {

/// {contract_version, cli_version, report_schema_version, ..., gating_signal,
/// manual_review_signals}.
Map release_contract();

/// Kinds of structured errors with their exit codes.
List release_error_kinds();

}  // namespace gh::ops
