#pragma once
// A snapshot of what was dirty, read back from the value that snapshot_value made of it.
#include <optional>

#include "model/intent.h"

namespace gh::control {

std::optional<DirtySnapshot> snapshot_from(const Value&);  // nullopt: damaged

}  // namespace gh::control
