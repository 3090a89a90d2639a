// A packet from any document: it is made or refused, has every section, and is the same when it is
// made again from itself.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "model/peek.h"
#include "release/packet.h"
#include "report/release_packet.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto document = wire::read_json(input, "f");
  if (!document) return 0;
  const auto packet = release::packet_from(*document, "f");
  if (!packet) return 0;
  const auto page = report::packet_page(Value(*packet));
  REQUIRE(report::page_html(page).find("<script") == std::string::npos);
  (void)report::page_markdown(page);
  const auto again = release::packet_from(Value(*packet), "f");
  REQUIRE(again && wire::sorted_json(Value(*again)) == wire::sorted_json(Value(*packet)));
  return 0;
}
