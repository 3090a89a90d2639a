// Which functions call themselves: a part of cognitive complexity (analysis reference, "Complexity
// and nesting").
#pragma once

#include <cstdint>

#include "syntax/ir.h"

namespace gh::analysis {

/// What a function stands in.
struct UnitOwner {
  std::uint32_t node = 0;  // 0: the file, or another function
  bool is_class = false;   // else a name space
  bool is_nested = false;
};

bool calls_itself(const syntax::Tree&, std::uint32_t unit, UnitOwner);

}  // namespace gh::analysis
