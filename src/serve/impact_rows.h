#pragma once
// What a patch does to the shape of the code (gatehouse.patch_impact/1), as findings at lines.
#include "model/value.h"

namespace gh::serve {

/// Rows {kind, severity, path, line, end_line, message}, by path and line. An answer about several
/// places is one row for each of them.
List impact_findings(const Value& impact);

}  // namespace gh::serve
