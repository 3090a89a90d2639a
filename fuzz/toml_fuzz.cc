// Strings of a manifest: nothing is an error, and nothing grows.
#include <cstdint>
#include <string_view>

#include "analysis/toml_strings.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const gh::analysis::TomlStrings read = gh::analysis::toml_strings(text);
  REQUIRE(read.tables.size() + read.strings.size() <= size);
  for (const auto& row : read.strings)
    REQUIRE(row.key.size() + row.value.size() <= size);
  return 0;
}
