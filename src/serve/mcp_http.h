#pragma once
// MCP over HTTP, both eras on one path. Everything about bytes, sessions, streams and status codes
// is here; what a message means is decided by mcp::Server (interfaces 1.2, 1.6, 1.7).
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "http/rate.h"
#include "http/server.h"
#include "http/workers.h"
#include "mcp/endpoint.h"
#include "serve/sessions.h"
#include "serve/stream_places.h"
#include "sys/env.h"

namespace gh::serve {

struct McpLimits {
  Sessions::Bounds sessions{};
  SessionStreams::Bounds replay{};
  std::int64_t max_body_bytes = 4u << 20;
  http::Rate reads{20, 60}, writes{5, 15};
  bool has_rates = true;
  bool is_read_only = false;      // tools that change something are refused
  std::size_t open_streams = 64;  // that do not end by themselves, for each token
};

/// Every refusal of the transport as the answer of this path: a JSON-RPC error.
http::Response render_refusal(const http::Refusal&);

/// Names of the checks that a POST passes before its message is looked at, in their order.
std::span<const std::string_view> post_check_order();

class McpHttp {
 public:
  using Log = std::function<void(Map)>;
  McpHttp(mcp::Server&, http::Workers&, sys::Env&, McpLimits, Log);

  http::Route route();
  /// Ends what would never end by itself: streams on which nothing is awaited. Answers that are
  /// under way are still sent.
  void stop_listening();
  /// Ends everything that still runs.
  void cancel_all();

 private:
  struct Post;
  struct Refused;
  struct PostCheck;
  class PostOutlet;
  class ListenOutlet;
  using Exchange = std::shared_ptr<http::Exchange>;

  void serve(http::Request, Exchange);
  void serve_post(http::Request, Exchange);
  void serve_get(const http::Request&, const Exchange&);
  void serve_delete(const http::Request&, const Exchange&);

  static std::optional<Refused> check_accept(McpHttp&, Post&);
  static std::optional<Refused> check_content_type(McpHttp&, Post&);
  static std::optional<Refused> check_json(McpHttp&, Post&);
  static std::optional<Refused> check_era(McpHttp&, Post&);
  static std::optional<Refused> check_session(McpHttp&, Post&);
  static std::optional<Refused> check_rate(McpHttp&, Post&);
  static std::optional<Refused> check_streams(McpHttp&, Post&);
  static const PostCheck kPostChecks[7];
  friend std::span<const std::string_view> post_check_order();

  static Refused too_many_streams(Value id);
  std::optional<Refused> session_of(const http::Request&, SessionPtr&);
  std::optional<Refused> open_session(Post&);
  void run_post(const std::shared_ptr<Post>&, const std::shared_ptr<PostOutlet>&);
  using Place = std::shared_ptr<void>;  // of a stream that stays open
  bool resume(const Exchange&, const SessionPtr&, std::string_view last, const Place&);
  void listen(const Exchange&, const SessionPtr&, const Place&);
  void end_session(const SessionPtr&, std::string_view why);
  /// Of one that has ended and may have held something; `then` in any case.
  void release(const SessionPtr&, const std::function<void()>& then);
  void keep(const std::shared_ptr<PostOutlet>&);
  void drop(const std::shared_ptr<PostOutlet>&);
  std::int64_t now_ms() { return env_.monotonic_ms(); }
  void say(std::string_view event, const Map& more);  // an empty event: nothing

  mcp::Server& server_;
  http::Workers& workers_;
  sys::Env& env_;
  const McpLimits limits_;
  Log log_;
  Sessions sessions_;
  std::mutex mutex_;
  StreamPlaces places_;
  http::RateLimiter reads_, writes_;                 // under mutex_
  std::set<std::shared_ptr<PostOutlet>> listening_;  // subscriptions/listen, under mutex_
};

}  // namespace gh::serve
