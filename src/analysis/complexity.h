// Cyclomatic complexity without a control-flow graph, nesting, cognitive complexity (analysis
// reference, "Complexity and nesting").
#pragma once

#include <cstdint>
#include <vector>

#include "syntax/ir.h"

namespace gh::analysis {

struct Complexity {
  std::uint32_t cyclomatic = 1, nesting = 0, cognitive = 0;
  auto operator<=>(const Complexity&) const = default;
};

/// Of the function at `unit`. Functions inside it are units of their own.
Complexity complexity_of(const syntax::Tree&, std::uint32_t unit);

/// A statement of the function that decides, and how much it adds to the cyclomatic complexity.
struct Decision {
  std::uint32_t statement = 0, count = 0;
};
/// In no order; together with 1 they are the complexity.
std::vector<Decision> decisions_of(const syntax::Tree&, std::uint32_t unit);

}  // namespace gh::analysis
