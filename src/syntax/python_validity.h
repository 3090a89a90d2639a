// What the grammar of Python reads and no Python 3 does: a statement without its block, a line that
// stands at no known column, parameters in an order that nobody may write. A file with one of these
// has a syntax error like any other.
#pragma once

#include <cstdint>

#include "syntax/cst.h"

namespace gh::syntax {

/// Where this node, taken with its children, is no Python 3; kNowhere where it is.
std::uint32_t invalid_python_at(const Cst& cst, std::uint32_t node);

}  // namespace gh::syntax
