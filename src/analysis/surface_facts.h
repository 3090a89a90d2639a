// Where a file reaches beyond itself, whatever its path (analysis reference, "Security surfaces").
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/bindings.h"
#include "analysis/names.h"
#include "syntax/ir.h"

namespace gh::analysis {

struct SurfaceFact {
  std::uint32_t start_line = 0, end_line = 0;
  std::uint32_t owner = kNone;  // the innermost declaration around it
  std::uint32_t row = 0;        // of the rules of the language
  NameId evidence = 0;
  auto operator<=>(const SurfaceFact&) const = default;
};

/// In order, each once. `nodes[i]` is the node of declaration i.
std::vector<SurfaceFact> surface_facts_of(const syntax::Tree&, const Bindings&,
                                          const std::vector<std::uint32_t>& nodes, NameWriter&);

}  // namespace gh::analysis
