// Proposal metadata: limits hold, errors name a place, and what was read prints, reads, documents
// and digests back the same.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "proposal/meta.h"
#include "wire/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::proposal;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto meta = read_meta(text, "f");
  REQUIRE(size <= kMaxMetaBytes || !meta);
  if (!meta) {
    REQUIRE(meta.error().message.starts_with("f:"));
    return 0;
  }
  const std::string printed = print_meta(*meta);
  if (printed.size() <= kMaxMetaBytes) {
    const auto again = read_meta(printed, "f");
    REQUIRE(again && *again == *meta);
    REQUIRE(print_meta(*again) == printed);
  }
  const gh::Value document = to_document(*meta);
  const auto from_document = meta_from_document(document);
  REQUIRE(from_document && *from_document == *meta);
  const auto own = gh::wire::read_own_json(gh::wire::canonical_json(document));
  REQUIRE(own && *meta_from_document(*own) == *meta);
  REQUIRE(proposal_digest(*meta, "", "").size() == 64);
  return 0;
}
