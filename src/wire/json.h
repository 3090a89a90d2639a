#pragma once
// JSON in and out. simdjson reads; the writer is ours because canonical bytes must not depend on a
// library (interfaces 0.5).
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::wire {

struct JsonLimits {
  std::size_t max_bytes = 64u << 20;
  std::size_t max_depth = 200;
};
enum class DuplicateKeys : std::uint8_t { refuse, last_wins };

/// Errors name line and column. `name` is what messages show. A number is int64, or Decimal where
/// its text is canonical, or a Number with its text.
Result<Value> read_json(std::string_view text, std::string_view name = "input", JsonLimits = {},
                        DuplicateKeys = DuplicateKeys::refuse);

/// The same where the last of equal keys counts; each that is lost is added to `repeats`
/// (YamlDocument).
Result<Value> read_json_telling(std::string_view text, std::string_view name, JsonLimits,
                                std::vector<std::string>& repeats);

/// A document that we wrote ourselves once: json_invalid also for a number that has no canonical
/// form, so that whatever is read back can be written again.
Result<Value> read_own_json(std::string_view text, std::string_view name = "input");

/// Canonical JSON: sorted keys, no white space, no trailing newline. A Number is refused by
/// assertion: our own documents hold none.
std::string canonical_json(const Value&);

/// The canonical form with two-space indent and a final newline, for people and files.
std::string pretty_json(const Value&);

}  // namespace gh::wire
