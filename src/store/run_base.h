// A run that was told from another one of its root has parts of its own only where it differs.
#pragma once

#include <cstdint>

namespace gh::store {

/// The part that holds the id of that other run: its parts and its report count where this run has
/// none, and it is kept as long as this one.
inline constexpr std::int64_t kBasePart = 1'000;

}  // namespace gh::store
