#pragma once
// What decision tables and lists of this module share. Private to control.
#include <cstdint>

#include "base/sorted.h"

namespace gh::control {

/// A cell of a decision table: what a fact must be for the row to fit.
enum class Is : std::uint8_t { any, no, yes };
constexpr bool fits(Is want, bool have) { return want == Is::any || (want == Is::yes) == have; }

}  // namespace gh::control
