// Redaction: a second run finds nothing to change, what has no secret stays as it is, and a secret
// planted between any two texts is gone.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "policy/redact.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::policy;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Redaction once = redact(text);
  REQUIRE(!once.kinds.empty() || once.text == text);
  REQUIRE(redact(once.text).text == once.text);
  const std::string secret = std::string("gh") + "p_aB3dE6gH9jK2mN5pQ8sT";
  const std::string planted = std::string(text.substr(0, size / 2)) + " " + secret + " " +
                              std::string(text.substr(size / 2));
  REQUIRE(redact(planted).text.find(secret) == std::string::npos);
  return 0;
}
