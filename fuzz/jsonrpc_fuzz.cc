// JSON-RPC: whatever comes in, a message has an id that is a string, an integer or none, a request
// has a method, and every answer that is made for it is one line that reads back with its id.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "mcp/jsonrpc.h"
#include "wire/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::mcp;
  constexpr std::size_t kMost = 1u << 16;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = read_incoming(text, kMost);
  if (!read) {
    REQUIRE(read.error().code == RpcCode::parse_error ||
            read.error().code == RpcCode::invalid_request);
    return 0;
  }
  REQUIRE(!read->messages.empty() && read->messages.size() <= kMaxBatch);
  for (const Message& message : read->messages) {
    const bool is_id = message.id.as_string() != nullptr || message.id.as_int() != nullptr;
    REQUIRE(is_id || message.id.is_null());
    if (message.is_valid && message.kind == MessageKind::request) REQUIRE(is_id);
    if (message.is_valid && message.kind == MessageKind::notification)
      REQUIRE(message.id.is_null());
    const std::string frame = error_frame(message.id, message.fault);
    REQUIRE(frame.find('\n') == std::string::npos);
    const auto again = gh::wire::read_json(frame);
    REQUIRE(again && *again->as_map()->find("id") == message.id);
  }
  return 0;
}
