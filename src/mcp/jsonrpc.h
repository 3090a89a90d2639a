#pragma once
// JSON-RPC 2.0 as MCP uses it: messages read from bytes, and the errors that answer them.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "model/value.h"

namespace gh::mcp {

enum class Era : std::uint8_t { legacy, modern };

inline constexpr std::size_t kMaxDepth = 128;
inline constexpr std::size_t kMaxBodyBytes = 4u << 20;   // HTTP; server.mcp_max_body_bytes
inline constexpr std::size_t kMaxLineBytes = 16u << 20;  // stdio; server.stdio_max_line_bytes
inline constexpr std::size_t kMaxBatch = 100;

/// The errors that Gatehouse answers with (interfaces 1.3). The enumerator is the wire code.
enum class RpcCode : std::int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  transport_refusal = -32000,
  session_not_found = -32001,
  resource_not_found = -32002,
  header_mismatch = -32020,
  missing_client_capability = -32021,
  unsupported_protocol_version = -32022,
};

/// `status` is what HTTP says; 0: what the table says for the code and the era. An invalid_params
/// of the envelope is refused before its method is looked at (400), that of a handler is not (200).
struct RpcError {
  RpcCode code;
  std::string message;
  Value data{};  // null: none
  int status = 0;
};
template <class T>
using Rpc = tl::expected<T, RpcError>;
inline tl::unexpected<RpcError> refuse(RpcCode code, std::string message, Value data = {},
                                       int status = 0) {
  return tl::unexpected<RpcError>(RpcError{code, std::move(message), std::move(data), status});
}

int http_status(const RpcError&, Era);

enum class MessageKind : std::uint8_t { request, notification, response };

struct Message {
  MessageKind kind = MessageKind::request;
  Value id{};            // string or integer; null for a notification
  std::string method{};  // empty for a response
  Map params{};
  Value result{};                   // of a response; null when `error` is set
  Value error{};                    // of a response: the error object, else null
  bool has_duplicate_keys = false;  // the last one won
  bool is_valid = true;             // false: only `id` was readable; `fault` says what is wrong
  RpcError fault{RpcCode::invalid_request, {}};
};

struct Incoming {
  std::vector<Message> messages{};  // one, unless it is a batch
  bool is_batch = false;
  bool asks()
      const;  // a request is among them, or something that must be refused: it has an answer
};

/// parse_error for bytes that are no JSON or no UTF-8, invalid_request for what is no message and
/// for a batch that is empty or too long. Messages of a batch are refused one by one (`is_valid`).
Rpc<Incoming> read_incoming(std::string_view bytes, std::size_t max_bytes);

/// `params._meta[key]`; nullptr when it is absent.
const Value* meta(const Message&, std::string_view key);
inline constexpr std::string_view kMetaVersion = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kMetaCapabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kMetaClient = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kMetaLogLevel = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kMetaServer = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kMetaSubscription = "io.modelcontextprotocol/subscriptionId";

/// Frames, on one line and without a newline.
std::string error_frame(const Value& id, const RpcError&);
std::string result_frame(const Value& id, Map result);
std::string notification_frame(std::string_view method, Map params);
std::string request_frame(const Value& id, std::string_view method, Map params);

}  // namespace gh::mcp
