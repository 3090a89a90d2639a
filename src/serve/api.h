#pragma once
// The HTTP interface below /api/v1: requests become calls of operations by the rows of api_table.h,
// and answers become JSON. Who asks is settled from the head of a request, before its body is read
// (interfaces 6.1, 6.2).
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "http/rate.h"
#include "http/server.h"
#include "http/workers.h"
#include "ops/operation.h"
#include "serve/api_table.h"
#include "serve/events.h"
#include "serve/kept_answers.h"
#include "serve/logins.h"
#include "serve/repositories.h"
#include "serve/tokens.h"
#include "sys/env.h"

namespace gh::serve {

struct ApiSettings {
  std::vector<Repository> repos{};
  std::optional<Tokens> tokens{};
  std::string public_origin{};  // of --public-url
  std::int64_t max_body_bytes = 4u << 20;
  http::Rate reads{20, 60}, writes{5, 15};
  std::size_t open_streams = 64;  // of events, for each token
  bool is_read_only = false;
  std::int64_t log_events = 10'000;
};

/// Names of the checks that a request passes before its body is read, in their order.
std::span<const std::string_view> api_check_order();

class Api {
 public:
  Api(ApiSettings, http::Workers&, sys::Env&);

  http::Route route();
  /// Under which port browsers know this server: cookies of one host are shared by its ports.
  void set_port(std::uint16_t port) { port_ = port; }
  std::string new_nonce() { return logins_.new_nonce(); }
  void stop_listening() { events_.stop(); }

 private:
  struct Asked;
  struct AskCheck;
  struct Work;
  using Exchange = std::shared_ptr<http::Exchange>;
  using Refused = std::optional<http::Refusal>;

  static Refused check_path(Api&, Asked&);
  static Refused check_method(Api&, Asked&);
  static Refused check_token(Api&, Asked&);
  static Refused check_csrf(Api&, Asked&);
  static Refused check_role(Api&, Asked&);
  static Refused check_size(Api&, Asked&);
  static Refused check_rate(Api&, Asked&);
  static const AskCheck kChecks[7];
  friend std::span<const std::string_view> api_check_order();

  Refused admit(const http::Head&, http::Caller&);
  void serve(http::Request, const Exchange&);
  http::Response answer(const http::Request&, const Matched&);
  http::Response answer_own(const http::Request&, const Endpoint&, const Matched&);
  http::Response call(const http::Request&, const Matched&);
  http::Response find(const http::Request&, const Matched&);
  Result<Work> read_work(const http::Request&, const Matched&);
  Result<ops::Reply> perform(const Work&, const http::Request&);
  std::optional<http::Response> refuse_stale(const Work&, const http::Request&);
  http::Response decide(const Work&, const http::Request&);
  http::Response tell(const Work&, ops::Reply, const http::Request&);
  void listen(const http::Request&, const Exchange&);

  http::Response log_in(const http::Request&);
  http::Response log_out(const http::Request&);
  Map session_document(const http::Caller&, std::string_view csrf) const;
  Map caller_document(const http::Caller&) const;
  Actor actor_for(const http::Caller&) const;
  bool is_secure() const { return settings_.public_origin.starts_with("https:"); }
  std::string cookie_name() const;
  std::string cookie_of(const http::Fields&) const;

  ApiSettings settings_;
  http::Workers& workers_;
  sys::Env& env_;
  std::uint16_t port_ = 0;
  Logins logins_;
  Repositories repos_;
  KeptAnswers kept_;
  Events events_;
  std::mutex mutex_;
  http::RateLimiter reads_, writes_, strangers_;  // under mutex_
};

}  // namespace gh::serve
