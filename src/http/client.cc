#include "http/client.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

#include "base/text.h"

namespace gh::http {
namespace {

namespace net = boost::asio;
using Endpoint = net::ip::tcp;
using Secured = net::ssl::stream<Endpoint::socket&>;
using ResponseParser = boost::beast::http::response_parser<boost::beast::http::string_body>;
using Failure = boost::system::error_code;
using Steady = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kAskAgain{50};  // whether to give up
constexpr std::string_view kSystemCertificates = "/etc/ssl/certs/ca-certificates.crt";

std::string text_of_request(const Target& target, std::string_view method, const Fields& fields,
                            std::string_view body) {
  const bool is_v6 = target.host.find(':') != std::string::npos;
  const bool is_usual = target.port == (target.is_secure ? 443 : 80);
  std::string out = fmt::format("{} {} HTTP/1.1\r\nHost: {}{}\r\n", method, target.path,
                                is_v6 ? fmt::format("[{}]", target.host) : target.host,
                                is_usual ? std::string() : fmt::format(":{}", target.port));
  for (const Field& f : fields)
    out += fmt::format("{}: {}\r\n", f.name, f.value);
  out += fmt::format("Content-Length: {}\r\nConnection: close\r\n\r\n", body.size());
  return out.append(body);
}

bool is_sendable(const Fields& fields) {
  const auto is_plain = [](char c) { return c == '\t' || (c >= ' ' && c != 0x7F); };
  return std::ranges::all_of(fields, [&](const Field& f) {
    return !f.name.empty() && f.name.find_first_of(" \t\r\n:") == std::string::npos &&
           std::ranges::all_of(f.value, is_plain);
  });
}

/// One call: steps behind each other, each waited for until it is done or the time is over.
class Call {
 public:
  Call(const Target& target, const CallLimits& limits)
      : target_(target), limits_(limits), deadline_(Steady::now() + limits.patience) {
    parser_.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
    parser_.body_limit(limits.body_bytes);
    parser_.eager(true);
  }

  Result<Response> run(const std::string& request, const OnBody& on_body) {
    GH_DO(connect());
    if (target_.is_secure) GH_DO(secure());
    GH_DO(step("send to", [&](auto done) {
      secured_ ? net::async_write(*secured_, net::buffer(request), done)
               : net::async_write(socket_, net::buffer(request), done);
    }));
    GH_DO(receive(on_body));
    return std::move(response_);
  }

 private:
  tl::unexpected<Error> failed(std::string_view what, std::string_view why) const {
    return fail(Code::io_error,
                fmt::format("cannot {} {}:{}: {}", what, target_.host, target_.port, why));
  }

  template <class Start>
  Status step(std::string_view what, Start start) {
    std::optional<Failure> ended;
    start([&ended](Failure failure, auto&&...) { ended = failure; });
    io_.restart();
    while (!ended) {
      if (Steady::now() >= deadline_ || (limits_.give_up && limits_.give_up())) {
        abandon();
        return failed(what, "no answer in time");
      }
      io_.run_for(kAskAgain);
      io_.restart();
    }
    if (*ended && *ended != net::error::eof && *ended != net::ssl::error::stream_truncated)
      return failed(what, ended->message());
    return {};
  }

  /// Lets what was begun end, so that nothing refers to this call any more.
  void abandon() {
    Failure ignored;
    resolver_.cancel();
    socket_.close(ignored);
    io_.run();
  }

  Status connect() {
    Endpoint::resolver::results_type found;
    GH_DO(step("find", [&](auto done) {
      resolver_.async_resolve(target_.host, std::to_string(target_.port),
                              [&found, done](Failure failure, auto results) {
                                found = std::move(results);
                                done(failure);
                              });
    }));
    return step("connect to", [&](auto done) { net::async_connect(socket_, found, done); });
  }

  Status secure() {
    const std::string trusted =
        limits_.trusted.empty() ? std::string(kSystemCertificates) : limits_.trusted;
    Failure failure;
    certificates_.load_verify_file(trusted, failure);
    if (failure) return failed("trust", fmt::format("{} is unreadable", printable(trusted, 200)));
    secured_.emplace(socket_, certificates_);
    secured_->set_verify_mode(net::ssl::verify_peer);
    secured_->set_verify_callback(net::ssl::host_name_verification(target_.host));
    Failure no_address;
    net::ip::make_address(target_.host, no_address);
    if (no_address &&
        SSL_set_tlsext_host_name(secured_->native_handle(), target_.host.c_str()) != 1)
      return failed("name", "the host");
    return step("secure the connection to",
                [&](auto done) { secured_->async_handshake(Secured::client, done); });
  }

  Status receive(const OnBody& on_body) {
    std::size_t taken = 0;
    while (!parser_.is_done()) {
      GH_DO(read_some());
      if (!parser_.is_header_done()) continue;
      take_head();
      const std::string& body = parser_.get().body();
      const std::string_view piece = std::string_view(body).substr(taken);
      taken = body.size();
      if (on_body && !on_body(response_, piece)) break;
    }
    response_.body = std::move(parser_.get().body());
    return {};
  }

  Status read_some() {
    const auto read = [&](auto& from) {
      return step("read from", [&](auto done) {
        boost::beast::http::async_read_some(from, buffer_, parser_,
                                            [this, done](Failure failure, std::size_t) {
                                              parse_failure_ = failure;
                                              done(Failure());
                                            });
      });
    };
    GH_DO(secured_ ? read(*secured_) : read(socket_));
    return judge(parse_failure_);
  }

  Status judge(const Failure& failure) {
    using Http = boost::beast::http::error;
    if (failure == Http::body_limit || failure == Http::header_limit ||
        failure == Http::buffer_overflow)
      return fail(Code::document_too_large,
                  fmt::format("{}:{} answers with more than {} bytes", target_.host, target_.port,
                              limits_.body_bytes));
    if (failure == net::error::eof || failure == Http::end_of_stream ||
        failure == net::ssl::error::stream_truncated) {
      Failure at_end;
      if (parser_.is_header_done()) parser_.put_eof(at_end);
      if (!parser_.is_done()) return cut_short();
      return {};
    }
    if (!failure) return {};
    if (failure == Http::partial_message) return cut_short();
    if (failure.category() == boost::beast::http::make_error_code(Http::bad_version).category())
      return fail(Code::input_unreadable,
                  fmt::format("{}:{} does not answer with HTTP: {}", target_.host, target_.port,
                              failure.message()));
    return failed("read from", failure.message());
  }

  tl::unexpected<Error> cut_short() const {
    return fail(Code::input_unreadable, fmt::format("{}:{} hung up before its answer was complete",
                                                    target_.host, target_.port));
  }

  void take_head() {
    if (has_head_) return;
    has_head_ = true;
    response_.status = static_cast<int>(parser_.get().result_int());
    for (const auto& f : parser_.get())
      response_.fields.push_back({std::string(f.name_string()), std::string(f.value())});
  }

  const Target& target_;
  const CallLimits& limits_;
  Steady::time_point deadline_;
  net::io_context io_{1};
  Endpoint::resolver resolver_{io_};
  Endpoint::socket socket_{io_};
  net::ssl::context certificates_{net::ssl::context::tls_client};
  std::optional<Secured> secured_{};
  boost::beast::flat_buffer buffer_{1u << 20};
  ResponseParser parser_{};
  Failure parse_failure_{};
  Response response_{};
  bool has_head_ = false;
};

/// host, host:port, [v6], [v6]:port
bool read_host(std::string_view authority, Target& into) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return false;
    into.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
  } else {
    into.host = authority.substr(0, authority.find(':'));
    port = authority.substr(into.host.size());
  }
  if (into.host.empty() || into.host.size() > 253) return false;
  if (port.empty()) return true;
  const char* const end = port.data() + port.size();
  return port.size() > 1 && port[0] == ':' &&
         std::from_chars(port.data() + 1, end, into.port).ptr == end && into.port != 0;
}

}  // namespace

Result<Target> read_url(std::string_view url) {
  const auto bad = [&](std::string_view why) {
    return fail(Code::bad_argument, fmt::format("this is no address of a server: {}", why));
  };
  Target out;
  std::string_view rest = url;
  if (rest.starts_with("https://")) {
    out.is_secure = true;
    out.port = 443;
  } else if (!rest.starts_with("http://")) {
    return bad("it starts neither with http:// nor with https://");
  }
  rest.remove_prefix(out.is_secure ? 8 : 7);
  const std::size_t end = rest.find_first_of("/?");
  const std::string_view authority = rest.substr(0, end);
  if (authority.find('@') != std::string_view::npos)
    return bad("give credentials with --header, not in the address");
  if (std::ranges::any_of(rest, [](char c) { return c <= ' ' || c >= 0x7F || c == '#'; }))
    return bad("blanks, fragments and characters beyond ASCII must be percent-encoded");
  if (!read_host(authority, out)) return bad("no host, or a port that is none");
  if (end != std::string_view::npos)
    out.path = (rest[end] == '?' ? "/" : "") + std::string(rest.substr(end));
  return out;
}

Result<Response> call(const Target& target, std::string_view method, Fields fields,
                      std::string_view body, const CallLimits& limits, const OnBody& on_body) {
  if (!is_sendable(fields))
    return fail(Code::bad_argument, "a header has a name or a value that cannot be sent");
  return Call(target, limits).run(text_of_request(target, method, fields, body), on_body);
}

}  // namespace gh::http
