#pragma once
// One HTTP request to a server that somebody named, over TLS or plain, with limits on time and
// bytes. No redirects, no proxies, no cookies, no connection kept: whoever is contacted is whoever
// was named.
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/message.h"

namespace gh::http {

/// http://host[:port]/path?query or https://…; user information and fragments are refused.
struct Target {
  bool is_secure = false;
  std::string host;  // without brackets
  std::uint16_t port = 80;
  std::string path = "/";
};
Result<Target> read_url(std::string_view);

struct CallLimits {
  std::chrono::milliseconds patience{30'000};  // for all of it
  std::size_t header_bytes = 65'536;
  std::size_t body_bytes = 16u << 20;
  std::function<bool()> give_up{};  // asked now and then; true ends it as a time-out
  std::string trusted{};            // a file of certificates instead of the system's
};

/// A piece of the body as it comes; false: that is enough, hang up.
using OnBody = std::function<bool(const Response& head, std::string_view piece)>;

/// The answer, whatever its status, with the body as far as it was read. io_error when the server
/// cannot be reached, is not whom its certificate should name, or takes too long;
/// document_too_large and input_unreadable when it answers with too much or not with HTTP.
Result<Response> call(const Target&, std::string_view method, Fields, std::string_view body,
                      const CallLimits&, const OnBody& = {});

}  // namespace gh::http
