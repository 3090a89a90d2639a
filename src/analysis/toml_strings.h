// The strings of a TOML document, by table and key: as much of the format as manifests need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gh::analysis {

struct TomlString {
  std::string table, key, value;  // table: dotted, quotes removed
};
struct TomlStrings {
  std::vector<std::string> tables{};
  std::vector<TomlString> strings{};
};

/// Line by line: headers, `key = "text"`, dotted keys, and `key = {a = "b"}` on one line. Anything
/// else is passed over; nothing is an error.
TomlStrings toml_strings(std::string_view bytes);

}  // namespace gh::analysis
