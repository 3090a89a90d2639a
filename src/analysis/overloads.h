// Names of units in a language that tells methods apart by their parameters.
#pragma once

#include <vector>

#include "analysis/facts.h"

namespace gh::analysis {

/// Methods of one class that share a name get the number of their parameters: `A.f/2`.
void name_overloads(std::vector<UnitFact>&, const std::vector<ClassFact>&);

}  // namespace gh::analysis
