#pragma once
// Tables of text, and findings as people read them.
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "report/look.h"

namespace gh::ops {

/// Columns as wide as their widest cell. A '>' in `sides` puts that column to the right; the last
/// one is not padded. The first row is a heading. Cells are made printable here.
std::string table_text(const std::vector<std::vector<std::string>>& rows, std::string_view sides,
                       const report::Look&);

/// "critical" in its colour, padded to the longest of its kind.
std::string severity_text(std::string_view severity, const report::Look&);

/// A number, a decimal or "-" for people.
std::string cell_text(const Value* value);
inline std::string cell_in(const Map& map, std::string_view key) {
  return cell_text(map.find(key));
}

/// "1 finding", "2 findings"
std::string counted_text(std::size_t n, std::string_view one);

/// The frame that every document of ours has.
Map framed(std::string_view schema, Map document);

}  // namespace gh::ops
