// The statements of a unit as facts: its lists, and all of them in the order of the source.
#pragma once

#include "analysis/facts.h"
#include "analysis/normalise.h"
#include "syntax/ir.h"

namespace gh::analysis {

/// Fills statements, inner, flow and asserts.
void read_statements(const syntax::Tree&, const Normalised&, std::uint32_t body, UnitFact&);

}  // namespace gh::analysis
