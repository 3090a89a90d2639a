#pragma once
// A connection to an MCP server that is asked and never served. Whoever answers is not trusted:
// every answer has limits of time, bytes, depth and number.
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "mcp/jsonrpc.h"
#include "model/value.h"

namespace gh::inventory {

struct Limits {
  std::chrono::milliseconds patience{30'000};  // for one connection, from start to end
  std::size_t message_bytes = 10u << 20;       // of one answer; its depth has the limit of mcp
  std::size_t total_bytes = 10u << 20;         // of all answers; the loader reads no longer file
  std::size_t other_messages = 10'000;         // notifications and requests between two answers
  std::size_t max_pages = 1'000;               // of one list
  std::size_t max_items = 10'000;              // of all lists together
};

/// An error that the server answered with, or its result.
struct Answer {
  Value result{};
  Value error{};  // null: none
  bool is_error() const { return !error.is_null(); }
};

class Channel {
 public:
  virtual ~Channel() = default;
  /// `params` as they go out. io_error when the server cannot be reached or does not answer in
  /// time, input_unreadable or document_too_large when what it says is no answer.
  virtual Result<Answer> ask(std::string_view method, Map params) = 0;
  virtual Status tell(std::string_view method, Map params) = 0;
  /// From now on this revision is spoken; modern requests stand alone.
  virtual void settle(mcp::Era, std::string_view revision) = 0;
};

/// Reads one message of a server. Kind request: it wants something from us.
Result<mcp::Message> read_message(std::string_view bytes, const Limits&);

/// What a request of the server is answered with: ping, and nothing else.
std::string reply_to(const mcp::Message& request);

}  // namespace gh::inventory
