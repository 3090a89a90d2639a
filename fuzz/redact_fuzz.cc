// Redaction: a second run finds nothing to change, and what has no secret stays as it is.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "policy/redact.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::policy;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Redaction once = redact(text);
  REQUIRE(!once.kinds.empty() || once.text == text);
  REQUIRE(redact(once.text).text == once.text);
  return 0;
}
