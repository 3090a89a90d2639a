#pragma once
// TOML, read by toml++ into Value: one table of a document, or the whole of it with places.
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"
#include "wire/document.h"

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

/// The whole document with the place of every key and item. What is deeper than `levels`, dates and
/// times are null; fractions have no source text and are null, too.
Result<Document> read_toml(std::string_view text, std::string_view name,
                           TomlLimits = {.levels = 32});

}  // namespace gh::wire
