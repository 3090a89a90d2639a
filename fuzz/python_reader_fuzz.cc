// What the reader of Python takes, the grammar reads whole and makes the same of.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "tests/python_readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > (1u << 14)) return 0;
  static gh::readers::Readers readers;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const gh::readers::Outcome outcome = readers.compare(text);
  if (outcome == gh::readers::Outcome::different)
    std::fprintf(stderr, "%s\n", readers.differs.c_str());
  REQUIRE(outcome != gh::readers::Outcome::different);
  return 0;
}
