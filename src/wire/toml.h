#pragma once
// One table of a TOML document, read by toml++ into Value. Nothing else of the document is kept.
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::wire {

struct TomlLimits {
  std::size_t max_bytes = 1u << 20;
  int levels = 1;  // of tables inside of the table; what is deeper is null
};

/// The table at that path, e.g. {"tool", "codeclone"}: texts, whole numbers, true and false, lists
/// of them, and tables of those. Anything else in it (dates, fractions, deeper nesting) is null.
/// nullopt: the document has no such table. input_unreadable with "NAME:LINE:COLUMN: what".
Result<std::optional<Map>> read_toml_table(std::string_view text, std::string_view name,
                                           const std::vector<std::string_view>& path,
                                           TomlLimits = {});

}  // namespace gh::wire
