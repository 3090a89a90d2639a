#include "inventory/channel.h"

#include <fmt/format.h>

#include "base/text.h"

namespace gh::inventory {

Result<mcp::Message> read_message(std::string_view bytes, const Limits& limits) {
  auto read = mcp::read_incoming(bytes, limits.message_bytes);
  const auto refuse = [&](std::string_view why) {
    return fail(Code::input_unreadable,
                fmt::format("the server says what is no message of MCP ({}): {}", why,
                            printable(bytes, 80)));
  };
  if (!read) return refuse(read.error().message);
  if (read->messages.size() != 1) return refuse("a batch");
  mcp::Message& message = read->messages.front();
  if (!message.is_valid) return refuse(message.fault.message);
  return std::move(message);
}

std::string reply_to(const mcp::Message& request) {
  if (request.method == "ping") return mcp::result_frame(request.id, {});
  return mcp::error_frame(request.id, {mcp::RpcCode::method_not_found, "not offered"});
}

}  // namespace gh::inventory
