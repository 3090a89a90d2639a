// The record of a declared change: any document is read or called corrupted, and what was read is
// written and read back the same; so are its head, and its text when its lease is renewed. The seal
// is made here, else no change of a record would get past it.
#include <cstdint>
#include <string_view>

#include "base/digest.h"
#include "control/intent_extract.h"
#include "control/intent_record.h"
#include "fuzz/require.h"
#include "wire/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh;
  if (const auto head = control::from_head({reinterpret_cast<const char*>(data), size}))
    REQUIRE(control::from_head(control::head_of(head->intent, head->scope_digest)).has_value());
  auto document = wire::read_json({reinterpret_cast<const char*>(data), size});
  if (!document) return 0;
  (void)control::from_record(*document);  // whatever it is
  auto own = wire::read_own_json({reinterpret_cast<const char*>(data), size});
  if (!own || own->as_map() == nullptr) return 0;
  Map& record = *own->as_map();
  record.erase("integrity");
  const std::string digest = digest_of(wire::canonical_json(record)).hex();
  record.set("integrity", Map{{"payload_sha256", digest}});
  const auto intent = control::from_record(*own);
  if (!intent) {
    REQUIRE(intent.error().code == Code::json_invalid);
    return 0;
  }
  const Value written = control::to_record(*intent);
  const auto again = control::from_record(written);
  REQUIRE(again && *again == *intent);
  REQUIRE(control::to_record(*again) == written);
  const auto head = control::from_head(control::head_of(*intent, "digest"));
  REQUIRE(head &&
          control::from_head(control::head_of(head->intent, "digest"))->intent == head->intent);
  Intent renewed = *intent;
  renewed.lease_renewed_at.seconds += 1;
  renewed.lease_seconds = 600;
  const std::string text = control::with_lease(wire::canonical_json(written), renewed);
  REQUIRE(text.empty() || text == wire::canonical_json(control::to_record(renewed)));
  return 0;
}
