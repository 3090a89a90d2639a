#pragma once
// JSON texts that are short and well formed, read without loading simdjson: that costs more than a
// hook may take in all (docs/adr/0025). It never says what is wrong with a text. Whatever it does
// not take is read by simdjson, which does, so both answer as one. Private to wire.
#include <optional>
#include <string_view>

#include "wire/json.h"

namespace gh::wire {

/// Up to there both take as many instructions for a byte, and simdjson has to be loaded first, with
/// a C++ library of its own.
inline constexpr std::size_t kMaxSmallJson = 1u << 20;

struct SmallJson {
  Value value;
  bool has_foreign_number = false;  // one that has no canonical form
};
/// nullopt: longer, deeper, damaged, or with a key twice in one object.
std::optional<SmallJson> read_small_json(std::string_view text, JsonLimits);

/// true, false, null or a number as JSON writes it.
std::optional<Value> literal_value(std::string_view token);

}  // namespace gh::wire
