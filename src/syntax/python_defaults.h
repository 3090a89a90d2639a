// Defaults of type parameters (`def f[T = int]`), which the grammar of Python does not know.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gh::syntax {

/// The text with every such default written as a bound, `[T: int]`, or as one more choice of a
/// bound, `[T: A | int]`: as long as the source, and what it names is still named. nullopt when
/// there is none.
std::optional<std::string> with_bounds_for_defaults(std::string_view source);

}  // namespace gh::syntax
