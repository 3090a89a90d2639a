#pragma once

#include <cstdint>

#include "model/value.h"

namespace gh::analysis {

/// part / whole with `places` decimals, half to even; 0 for an empty whole.
Decimal ratio(std::uint64_t part, std::uint64_t whole, int places);

}  // namespace gh::analysis
