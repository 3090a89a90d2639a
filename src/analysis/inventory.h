#pragma once

#include "analysis/project.h"
#include "model/value.h"

namespace gh::analysis {

/// What was read, and what of it could not be.
Value inventory(const Project&);

}  // namespace gh::analysis
