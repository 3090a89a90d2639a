#pragma once
// Documents of others, written again.
#include <string>

#include "model/value.h"

namespace gh::wire {

/// Canonical but for its numbers, which stay as they were written; indented like pretty_json when
/// asked for.
std::string json_as_read(const Value&, bool indented = false);

}  // namespace gh::wire
