#pragma once
// JSON texts that are short and well formed, read as wire/json.h reads them and without simdjson.
#include <optional>
#include <string_view>

#include "wire/json.h"

namespace gh::wire {

/// nullopt: longer, deeper, damaged, or with a key twice in one object. It never says which.
std::optional<Value> read_short_json(std::string_view text, JsonLimits = {});

/// A document of our own; nullopt also for a number that has no canonical form.
std::optional<Value> read_own_short_json(std::string_view text);

}  // namespace gh::wire
