// A table of a TOML document: read or refused, and what is read has names.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "wire/toml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = gh::wire::read_toml_table(text, "x", {"tool", "codeclone"});
  if (read && *read) REQUIRE((*read)->entries().size() <= size);
  return 0;
}
