// Quoted names: every byte string survives quoting, and what is decoded is decoded in one way.
#include <cstdint>
#include <string>
#include <string_view>

#include "diff/names.h"
#include "diff/patch.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::diff;
  const std::string name(reinterpret_cast<const char*>(data), size);

  const auto back = unquote(in_quotes(name));
  REQUIRE(back.has_value() && back->bytes == name && back->used == in_quotes(name).size());
  const std::string written = quote(name);
  REQUIRE(written == name || written == in_quotes(name));

  const auto decoded = unquote("\"" + name);
  if (!decoded) return 0;
  REQUIRE(decoded->used <= size + 1 && name[decoded->used - 2] == '"');
  REQUIRE(decoded->bytes.size() <= decoded->used - 2);
  const auto again = unquote(in_quotes(decoded->bytes));
  REQUIRE(again.has_value() && again->bytes == decoded->bytes);
  return 0;
}
