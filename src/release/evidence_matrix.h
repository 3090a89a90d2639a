#pragma once
// What evidence there is for each domain of review, derived from the report alone (release-gate
// 20.3). Never gates.
#include "model/value.h"

namespace gh::release {

/// {rows, notes} from a report document.
Map evidence_matrix(const Value& report);
std::int64_t matrix_gaps(const Map& matrix);

}  // namespace gh::release
