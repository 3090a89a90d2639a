// Documents to print: what is accepted can be written, and comes back the same.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "pdf/document.h"
#include "wire/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  REQUIRE(pdf::visible(pdf::visible(text)) == pdf::visible(text));
  const auto value = wire::read_json(text);
  if (!value) return 0;
  const auto document = pdf::read_document(*value);
  if (!document) return 0;
  const auto written = pdf::to_value(*document);
  REQUIRE(written.has_value());
  const auto again = pdf::to_value(*pdf::read_document(*written));
  REQUIRE(wire::canonical_json(*again) == wire::canonical_json(*written));
  return 0;
}
