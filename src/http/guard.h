#pragma once
// Which request is served at all: the checks that stand before every route, in their one order, and
// the rows that say what is served where. Pure. The head of a request is judged before its body is
// read, so that nobody who is refused can make the server read four megabytes first.
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/fields.h"
#include "http/message.h"

namespace gh::http {

class Exchange;

/// A request before its body is read.
struct Head {
  std::string method, path;
  Fields fields;
  std::optional<std::uint64_t> content_length;  // nothing: chunked, or no body
  std::string peer{};                           // address:port
};

/// What is served below one path.
struct Route {
  std::string path;                  // "/mcp"; with a final "/*" also everything below
  std::string methods;               // "POST, GET, DELETE", as the Allow field says it
  std::vector<std::string> roles{};  // one of them is needed; none: everybody, without a token
  std::int64_t max_body_bytes = 0;
  Response (*render)(const Refusal&) = problem;
  /// Of a route with rows of its own: who asks, instead of the checks of token and role.
  std::function<std::optional<Refusal>(const Head&, Caller&)> admit{};
  /// Runs on a thread of the server and must not wait; the answer may come later.
  std::function<void(Request, std::shared_ptr<Exchange>)> serve{};
};

const Route* find_route(std::span<const Route>, std::string_view path);

/// Tokens that are known. No function: none are asked for.
using Authenticate = std::function<std::optional<Caller>(std::string_view token)>;

struct Guard {
  AllowedHosts hosts;
  Authenticate authenticate;
};

/// What all checks found out.
struct Admitted {
  const Route* route = nullptr;
  Caller caller;
};

/// Names of the checks in the order in which they are made; the first that fails answers.
std::span<const std::string_view> check_order();

/// Sets what was found out on the way, also when the request is refused: the route says how a
/// refusal is rendered.
std::optional<Refusal> check_head(const Guard&, std::span<const Route>, const Head&, Admitted&);

}  // namespace gh::http
