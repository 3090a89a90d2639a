#include "serve/serve.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "base/time.h"
#include "git/discovery.h"
#include "http/fields.h"
#include "http/server.h"
#include "http/workers.h"
#include "mcp/endpoint.h"
#include "mcp/stdio.h"
#include "policy/server_policy.h"
#include "serve/api.h"
#include "serve/mcp_http.h"
#include "serve/metrics.h"
#include "serve/page.h"
#include "serve/tokens.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::serve {
namespace {

constexpr std::int64_t kOwnDescriptors = 512;    // children, pipes, files that are read
constexpr std::int64_t kSessionDescriptors = 4;  // a ledger that is kept open
constexpr std::int64_t kLastPatienceMs = 5000;
constexpr std::int64_t kWriteBurst = 3;  // seconds of writes that may come at once

/// Everything that is decided before anything is opened.
struct Plan {
  ListenAddress address;
  policy::ServerPolicy policy;
  http::AllowedHosts hosts;
  std::optional<Tokens> tokens;
  mcp::ServerOptions mcp;
  bool has_api = true, is_read_only = false;
};

struct Listener {
  std::mutex mutex;
  std::function<void(std::string_view)> notice;
  sys::Env* env;
  bool logs_requests = false;
  Metrics metrics{};

  void log(const Map& line) {
    metrics.count(line);
    const Value* status = line.find("status");
    const bool is_fine = status != nullptr && status->as_int() && *status->as_int() < 400;
    if (is_fine && !logs_requests) return;
    std::string text = "time=" + to_string(env->now());
    for (const auto& [name, value] : line.entries())
      text += fmt::format(" {}={}", name,
                          value.as_string() ? *value.as_string() : wire::canonical_json(value));
    const std::lock_guard lock(mutex);
    notice(text);
  }
};

mcp::Profile profile_of(std::string_view word) {
  if (word == "minimal") return mcp::Profile::minimal;
  return word == "full" ? mcp::Profile::full : mcp::Profile::standard;
}

/// Whoever can be reached from elsewhere asks for a token (interfaces 1.6).
Status check_exposure(const Plan& plan, bool has_fixtures) {
  if (plan.address.is_loopback) {
    if (plan.policy.auth == "token" && !plan.tokens)
      return fail(Code::bad_argument, "server.auth is 'token', so --token-file is needed");
    return {};
  }
  if (has_fixtures)
    return fail(Code::bad_argument, "--test-fixtures is for loopback addresses alone");
  if (!plan.tokens)
    return fail(Code::bad_argument,
                fmt::format("{} can be reached from other machines, so --token-file is needed",
                            plan.address.host));
  return {};
}

Result<std::vector<std::string>> repositories(const ops::Request& request) {
  std::vector<std::string> out;
  for (const std::string& folder : request.list("repo")) {
    GH_TRY(path, sys::real_path(folder));
    out.push_back(path);
  }
  return out;
}

Result<Plan> make_plan(const ops::Request& request, ops::Context& context) {
  Plan plan;
  const bool has_fixtures = request.flag("test-fixtures");
  GH_TRY(repos, repositories(request));
  if (has_fixtures && !repos.empty())
    return fail(Code::bad_argument, "--test-fixtures serves no repository");
  if (!has_fixtures) {
    GH_TRY(policy, mcp::server_settings(context, repos));
    plan.policy = policy;
    plan.mcp.start_folder = context.cwd;
  }
  if (request.has("listen")) plan.policy.listen = request.text("listen");
  if (request.has("public-url")) plan.policy.public_url = request.text("public-url");
  GH_TRY(address, read_listen(plan.policy.listen));
  plan.address = address;
  if (!plan.policy.public_url.empty() &&
      !http::allow_public_url(plan.hosts, plan.policy.public_url))
    return fail(Code::bad_argument, fmt::format("'{}' is no http or https address",
                                                printable(plan.policy.public_url, 120)));
  if (request.has("token-file")) {
    bool made = false;
    GH_TRY(tokens, load_tokens(request.text("token-file"), context.env, made));
    plan.tokens = std::move(tokens);
    if (made && context.notice)
      context.notice(fmt::format("{}: a new token for an agent was written to it",
                                 request.text("token-file")));
  }
  plan.mcp.repos = std::move(repos);
  plan.mcp.profile = profile_of(request.text("profile"));
  plan.mcp.has_fixtures = has_fixtures;
  plan.has_api = !request.flag("mcp-only");
  plan.is_read_only = request.flag("read-only");
  GH_DO(check_exposure(plan, has_fixtures));
  return plan;
}

McpLimits mcp_limits(const Plan& plan) {
  const policy::ServerPolicy& p = plan.policy;
  McpLimits out;
  out.sessions = {.sessions = static_cast<std::size_t>(p.mcp_max_sessions),
                  .idle_ms = p.mcp_session_idle_seconds * 1000};
  out.replay.events = static_cast<std::size_t>(p.mcp_replay_events);
  out.max_body_bytes = p.mcp_max_body_bytes;
  out.reads = {p.read_rps, p.read_burst};
  out.writes = {p.write_rps, p.write_rps * kWriteBurst};
  out.has_rates = !plan.mcp.has_fixtures;
  out.is_read_only = plan.is_read_only;
  out.open_streams = static_cast<std::size_t>(p.sse_streams_per_token);
  return out;
}

/// Without --repo the repository around is served; outside of any there is none.
std::vector<std::string> served_folders(const Plan& plan) {
  if (!plan.mcp.repos.empty()) return plan.mcp.repos;
  const auto inside = git::top_level_of(plan.mcp.start_folder);
  return inside ? std::vector{inside->top} : std::vector<std::string>{};
}

ApiSettings api_settings(const Plan& plan) {
  const policy::ServerPolicy& p = plan.policy;
  ApiSettings out;
  out.repos = named_repositories(served_folders(plan));
  out.tokens = plan.tokens;
  out.public_origin = plan.hosts.origin;
  out.max_body_bytes = p.mcp_max_body_bytes;
  out.reads = {p.read_rps, p.read_burst};
  out.writes = {p.write_rps, p.write_rps * kWriteBurst};
  out.open_streams = static_cast<std::size_t>(p.sse_streams_per_token);
  out.log_events = p.sse_log_events;
  out.is_read_only = plan.is_read_only;
  return out;
}

/// The server and all that lives as long as it does.
class House {
 public:
  House(const Plan& plan, ops::Context& context, bool logs_requests)
      : listener_{.mutex = {},
                  .notice = context.notice,
                  .env = &context.env,
                  .logs_requests = logs_requests},
        mcp_(plan.mcp, context.env),
        transport_(mcp_, workers_, context.env, mcp_limits(plan),
                   [this](const Map& line) { listener_.log(line); }),
        api_(api_settings(plan), workers_, context.env) {}

  Status open(const Plan& plan) {
    http::Setup setup{.address = plan.address.host, .port = plan.address.port};
    setup.limits.max_connections = plan.policy.max_connections;
    setup.guard.hosts = plan.hosts;
    if (plan.tokens)
      setup.guard.authenticate = [tokens = *plan.tokens](std::string_view token) {
        return tokens.find(token);
      };
    setup.routes.push_back(transport_.route());
    if (plan.has_api) {
      setup.routes.push_back(api_.route());
      setup.routes.push_back(listener_.metrics.route());
      for (http::Route& route : page_routes())
        setup.routes.push_back(std::move(route));
    }
    setup.log = [this](const Map& line) { listener_.log(line); };
    setup.on_stopping = [this] {
      transport_.stop_listening();
      api_.stop_listening();
    };
    setup.handles_signals = true;
    GH_TRY(server, http::Server::listen(std::move(setup)));
    server_ = std::move(server);
    api_.set_port(server_->port());
    return {};
  }
  std::string new_nonce() { return api_.new_nonce(); }
  std::uint16_t port() const { return server_->port(); }
  void run() { server_->run(); }
  /// False: something still runs, and needs what is here.
  bool close() {
    transport_.cancel_all();
    api_.stop_listening();
    return workers_.stop(kLastPatienceMs);
  }

 private:
  Listener listener_;
  mcp::Server mcp_;
  std::unique_ptr<http::Server> server_;  // outlives whoever may still hold an exchange
  http::Workers workers_{{.working = http::working_on(std::thread::hardware_concurrency())}};
  McpHttp transport_;
  Api api_;
};

Map changed_limits(const policy::ServerPolicy& policy) {
  const Value now = policy::to_value(policy), usual = policy::to_value(policy::ServerPolicy{});
  Map out;
  for (const auto& [name, value] : now.as_map()->entries())
    if (!(*usual.as_map()->find(name) == value)) out.set(name, value);
  return out;
}

/// `nonce` is empty unless a page is to be opened; the fragment of an address is sent to nobody.
Status announce(const Plan& plan, std::uint16_t port, const std::string& nonce,
                ops::Context& context) {
  const std::string host =
      contains(plan.address.host, ":") ? "[" + plan.address.host + "]" : plan.address.host;
  const std::string home = fmt::format("http://{}:{}/", host, port), url = home + "mcp";
  const std::string login = nonce.empty() ? "" : home + "#login=" + nonce;
  const Map limits = changed_limits(plan.policy);
  if (context.wants_document) {
    Map document{{"schema", "gatehouse.serve/1"},
                 {"tool", Map{{"name", kProduct}, {"version", kVersion}}},
                 {"url", url},
                 {"port", std::int64_t{port}},
                 {"settings", limits}};
    if (!login.empty()) document.set("login_url", login);
    return context.stream(wire::canonical_json(document) + "\n");
  }
  for (const auto& [name, value] : limits.entries())
    context.notice(fmt::format(
        "{}: {}", name, value.as_string() ? *value.as_string() : wire::canonical_json(value)));
  if (plan.mcp.has_fixtures)
    context.notice("these are test fixtures, without limits of rate: no gate is served");
  std::string says = fmt::format("serving MCP at {}\n", url);
  if (!login.empty())
    says += fmt::format(
        "open the review page within a minute, by an address that is good once:\n{}\n", login);
  else if (plan.has_api)
    says += fmt::format("the review page is at {}\n", home);
  return context.stream(says);  // in one piece: whoever reads the first line alone may be gone then
}

}  // namespace

Result<ListenAddress> read_listen(std::string_view text) {
  const auto authority = http::read_authority(text);
  const auto bad = [&] {
    return fail(Code::bad_argument,
                fmt::format("'{}': expected ADDRESS:PORT with a numeric address or localhost",
                            printable(text, 80)));
  };
  if (!authority || !authority->port) return bad();
  ListenAddress out{authority->host, *authority->port};
  if (out.host == "localhost") out.host = "127.0.0.1";
  if (out.host.starts_with('[')) out.host = out.host.substr(1, out.host.size() - 2);
  if (out.host.find_first_not_of("0123456789abcdef.:") != std::string::npos) return bad();
  out.is_loopback = out.host == "::1" || out.host.starts_with("127.");
  return out;
}

Result<ops::Reply> open_serve(const ops::Request& request, ops::Context& context) {
  GH_TRY(plan, make_plan(request, context));
  http::raise_descriptor_limit(plan.policy.max_connections + kOwnDescriptors +
                               plan.policy.mcp_max_sessions * kSessionDescriptors);
  auto house = std::make_unique<House>(plan, context, request.flag("log-requests"));
  if (Status opened = house->open(plan); !opened) {
    Error error = std::move(opened).error();
    error.message += "; --listen names another address, and with port 0 a free one is taken";
    return tl::make_unexpected(std::move(error));
  }
  const bool opens = request.flag("open") && plan.has_api;
  GH_DO(announce(plan, house->port(), opens ? house->new_nonce() : "", context));
  house->run();
  if (!house->close()) (void)house.release();  // the program ends, and its threads with it
  return ops::Reply{};
}

}  // namespace gh::serve
