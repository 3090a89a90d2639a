#include "serve/mcp_http.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "http/fields.h"
#include "serve/modern_headers.h"
#include "wire/json.h"

namespace gh::serve {
namespace {

using mcp::Era;
using mcp::RpcCode;

constexpr std::string_view kSessionField = "Mcp-Session-Id", kVersionField = "MCP-Protocol-Version";
constexpr std::string_view kFirstOverHttp = "2025-03-26", kFirstPrimed = "2025-11-25";
constexpr std::size_t kSessionDigits = 32, kLoggedName = 12;  // "mcp-" and eight digits
constexpr std::string_view kBusyAgain = "1";
constexpr std::string_view kListen = "subscriptions/listen";

http::Response json_answer(int status, std::string frame, http::Fields fields = {}) {
  fields.push_back({"Content-Type", "application/json"});
  fields.push_back({"Cache-Control", "no-store"});
  return {status, std::move(fields), std::move(frame)};
}

http::Response accepted() { return {202, {{"Cache-Control", "no-store"}}, {}}; }

mcp::Role role_of(const http::Caller& caller) {
  constexpr std::array kRoles{std::pair{"admin", mcp::Role::admin},
                              std::pair{"promoter", mcp::Role::promoter},
                              std::pair{"reviewer", mcp::Role::reviewer}};
  // interfaces 6.2: through MCP everybody is an agent, unless the token says otherwise.
  const auto has = [&](std::string_view word) {
    return std::ranges::find(caller.roles, word) != caller.roles.end();
  };
  if (!has("mcp_elevated")) return mcp::Role::agent;
  for (const auto& [word, role] : kRoles)
    if (has(word)) return role;
  return mcp::Role::agent;
}

std::string supported_revisions() {
  std::vector<std::string> words;
  for (const std::string_view revision : mcp::kLegacyRevisions)
    if (revision >= kFirstOverHttp) words.emplace_back(revision);
  words.emplace_back(mcp::kModernRevision);
  return join(words, ", ");
}

/// interfaces 6.1: for each token; whoever has none is counted by session, or as the local user.
std::string counted_as(const http::Caller& caller, const HttpSession* session) {
  if (!caller.token_id.empty()) return "token " + caller.token_id;
  return session != nullptr ? "session " + mcp::session_name_of(session->id) : "local";
}

/// The stream, and with it the place that it takes.
std::shared_ptr<http::Stream> with_place(std::shared_ptr<http::Stream> stream,
                                         std::shared_ptr<void> place) {
  auto both = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<http::Stream>>>(
      std::move(place), std::move(stream));
  return {both, both->second.get()};
}

bool is_modern_header(const std::optional<std::string>& version) {
  return version && !mcp::is_legacy_revision(*version);
}

}  // namespace

struct McpHttp::Refused {
  int status;
  mcp::RpcError error;
  Value id{};
  http::Fields fields{};

  http::Response response() const {
    return json_answer(status, mcp::error_frame(id, error), fields);
  }
};

McpHttp::Refused McpHttp::too_many_streams(Value id) {
  return {429,
          {RpcCode::transport_refusal, "too many streams are open; close one"},
          std::move(id),
          {{"Retry-After", std::string(kBusyAgain)}}};
}

/// A POST on its way through the checks, which fill it in.
struct McpHttp::Post {
  http::Request request;
  Exchange exchange;
  mcp::Incoming incoming{};
  Era era = Era::legacy;
  SessionPtr session{};                    // of the legacy era
  std::shared_ptr<mcp::Session> single{};  // of one request of the modern era
  bool is_new = false;                     // the session was made for this request
  std::shared_ptr<void> place{};           // of a stream that stays open

  Value id() const {
    return incoming.messages.size() == 1 ? incoming.messages.front().id : Value();
  }
  /// What a modern request says of its client; empty: nothing.
  std::string client() const {
    const Value* told = mcp::meta(incoming.messages.front(), mcp::kMetaClient);
    return told == nullptr || told->is_null() ? std::string() : wire::canonical_json(*told);
  }
};

/// Where the answer to one POST goes: into one JSON body, or, once something has to be said before
/// the answer, into a stream.
class McpHttp::PostOutlet : public mcp::Outlet,
                            public std::enable_shared_from_this<McpHttp::PostOutlet> {
 public:
  PostOutlet(McpHttp& owner, const Post& post)
      : owner_(owner),
        exchange_(post.exchange),
        session_(post.session),
        is_batch_(post.incoming.is_batch),
        place_(post.place) {
    if (post.is_new) fields_.push_back({std::string(kSessionField), session_->id});
  }

  void send_related(std::string frame) override {
    const std::lock_guard lock(mutex_);
    open_stream();
    write(frame);
    // Keys are sorted, so a request to the client starts with its id. Its answer may take minutes.
    if (shift_ != nullptr && frame.starts_with("{\"id\":")) shift_->will_wait();
  }

  void send_response(std::string frame, int http_status) override {
    const std::lock_guard lock(mutex_);
    if (is_over_) return;
    if (!is_streaming_ && !is_batch_)
      return reply(json_answer(http_status, std::move(frame), fields_));
    if (!is_streaming_) return answers_.push_back(std::move(frame));
    write(frame);
    if (!is_batch_) finish();
  }

  bool is_cancelled() const override { return is_cancelled_; }

  void suspend() override {
    const std::lock_guard lock(mutex_);
    if (!session_ || is_over_) return;
    open_stream();
    session_->streams.suspend(number_);
  }

  /// Everything was handled. Requests that were taken back have no answer; the POST needs one.
  void complete() {
    const std::lock_guard lock(mutex_);
    if (is_over_) return;
    if (is_streaming_) return finish();
    if (answers_.empty()) return reply(accepted());
    reply(json_answer(200, "[" + join(answers_, ",") + "]", fields_));
  }

  void client_gone() { is_cancelled_ = true; }

  void set_shift(http::Workers::Shift* shift) {
    const std::lock_guard lock(mutex_);
    shift_ = shift;
  }

  void end() {
    const std::lock_guard lock(mutex_);
    if (!is_over_ && is_streaming_) finish();
  }

 private:
  // All below are called under mutex_.
  void open_stream() {
    if (is_streaming_ || is_over_) return;
    is_streaming_ = true;
    http::Response head = http::event_stream_head();
    head.fields.insert(head.fields.end(), fields_.begin(), fields_.end());
    auto stream = exchange_->open(std::move(head), std::string(http::kKeepAliveComment));
    exchange_.reset();  // a suspended stream must not hold the connection
    if (session_) {
      const bool is_primed = mcp::revision_of(*session_->inner) >= kFirstPrimed;
      number_ = session_->streams.begin(std::move(stream), is_primed);
    } else {
      stream_ = std::move(stream);
    }
  }
  void write(std::string_view frame) {
    if (is_over_) return;
    if (session_)
      session_->streams.emit(number_, frame, owner_.now_ms());
    else if (!stream_->write(http::message_event(std::nullopt, frame)))
      is_cancelled_ = true;
  }
  void reply(http::Response response) {
    is_over_ = true;
    std::exchange(exchange_, nullptr)->reply(std::move(response));
  }
  void finish() {
    is_over_ = true;
    if (session_) session_->streams.finish(number_);
    if (stream_) stream_->close();
    stream_.reset();
  }

  McpHttp& owner_;
  std::mutex mutex_;
  Exchange exchange_;
  const SessionPtr session_;  // none in the modern era
  const bool is_batch_;
  const std::shared_ptr<void> place_;
  http::Fields fields_;
  std::shared_ptr<http::Stream> stream_;   // of the modern era
  std::uint64_t number_ = 0;               // of the legacy era
  http::Workers::Shift* shift_ = nullptr;  // while a worker is at it
  std::vector<std::string> answers_;       // of a batch
  bool is_streaming_ = false, is_over_ = false;
  std::atomic<bool> is_cancelled_ = false;
};

/// What nobody asked for goes to the stream that GET opened.
class McpHttp::ListenOutlet : public mcp::Outlet {
 public:
  ListenOutlet(McpHttp& owner, std::weak_ptr<HttpSession> session, std::uint64_t number)
      : owner_(owner), session_(std::move(session)), number_(number) {}
  void send_related(std::string frame) override {
    if (const auto session = session_.lock())
      session->streams.emit(number_, frame, owner_.now_ms());
  }
  void send_response(std::string, int) override {}

 private:
  McpHttp& owner_;
  std::weak_ptr<HttpSession> session_;  // which owns, through its inner session, this outlet
  std::uint64_t number_;
};

struct McpHttp::PostCheck {
  std::string_view name;
  std::optional<Refused> (*check)(McpHttp&, Post&);
};
// interfaces 1.6, behind those that http::check_head makes.
// table: mcp_post_checks
const McpHttp::PostCheck McpHttp::kPostChecks[7] = {
    {"accept", check_accept},   {"content_type", check_content_type}, {"json", check_json},
    {"era", check_era},         {"session", check_session},           {"rate", check_rate},
    {"streams", check_streams},
};

std::span<const std::string_view> post_check_order() {
  static const auto names = [] {
    std::array<std::string_view, std::size(McpHttp::kPostChecks)> out{};
    std::ranges::transform(McpHttp::kPostChecks, out.begin(), &McpHttp::PostCheck::name);
    return out;
  }();
  return names;
}

http::Response render_refusal(const http::Refusal& refusal) {
  return json_answer(refusal.status,
                     mcp::error_frame({}, {RpcCode::transport_refusal, refusal.message,
                                           Map{{"code", refusal.code}}}),
                     refusal.fields);
}

McpHttp::McpHttp(mcp::Server& server, http::Workers& workers, sys::Env& env, McpLimits limits,
                 Log log)
    : server_(server),
      workers_(workers),
      env_(env),
      limits_(limits),
      log_(std::move(log)),
      sessions_(limits.sessions),
      places_(limits.open_streams),
      reads_(limits.reads),
      writes_(limits.writes) {}

http::Route McpHttp::route() {
  return {.path = "/mcp",
          .methods = "POST, GET, DELETE",
          .roles = {"agent", "reviewer", "promoter", "admin"},
          .max_body_bytes = limits_.max_body_bytes,
          .render = render_refusal,
          .serve = [this](http::Request request, Exchange exchange) {
            serve(std::move(request), std::move(exchange));
          }};
}

void McpHttp::say(std::string_view event, const Map& more) {
  if (!log_ || event.empty()) return;
  Map line{{"event", event}};
  for (const auto& [name, value] : more.entries())
    line.set(name, value);
  log_(std::move(line));
}

void McpHttp::serve(http::Request request, Exchange exchange) {
  for (const SessionPtr& session : sessions_.remove_expired(now_ms())) {
    end_session(session, "session_expired");
    release(session, [] {});
  }
  if (request.method == "POST") return serve_post(std::move(request), std::move(exchange));
  if (request.method == "GET") return serve_get(request, exchange);
  serve_delete(request, exchange);
}

// --- POST

std::optional<McpHttp::Refused> McpHttp::check_accept(McpHttp&, Post& post) {
  const std::string accept = post.request.field("Accept").value_or("");
  if (http::accepts(accept, "application/json") && http::accepts(accept, "text/event-stream"))
    return {};
  return Refused{
      406,
      {RpcCode::transport_refusal, "Accept must name both application/json and text/event-stream"}};
}

std::optional<McpHttp::Refused> McpHttp::check_content_type(McpHttp&, Post& post) {
  const std::string type = post.request.field("Content-Type").value_or("");
  if (http::media_type(type) == "application/json") return {};
  return Refused{415, {RpcCode::transport_refusal, "Content-Type must be application/json"}};
}

std::optional<McpHttp::Refused> McpHttp::check_json(McpHttp& self, Post& post) {
  auto incoming =
      mcp::read_incoming(post.request.body, static_cast<std::size_t>(self.limits_.max_body_bytes));
  if (!incoming) return Refused{400, incoming.error()};
  post.incoming = std::move(*incoming);
  post.request.body = {};
  return {};
}

std::optional<McpHttp::Refused> McpHttp::check_era(McpHttp& self, Post& post) {
  const auto version = post.request.field(kVersionField);
  post.era = mcp::era_over_http(version.value_or(""), post.incoming);
  if (post.era == Era::legacy) {
    if (!version || *version >= kFirstOverHttp) return {};
    return Refused{400,
                   {RpcCode::transport_refusal,
                    fmt::format("protocol version {} is not offered over HTTP; supported: {}",
                                printable(*version, 40), supported_revisions())},
                   post.id()};
  }
  if (post.incoming.is_batch)
    return Refused{400, {RpcCode::invalid_request, "batches are not part of this revision"}};
  const mcp::Message& message = post.incoming.messages.front();
  const Value* meta = mcp::meta(message, mcp::kMetaVersion);
  if (meta == nullptr && version && *version != mcp::kModernRevision)
    return Refused{400,
                   {RpcCode::unsupported_protocol_version,
                    fmt::format("this protocol version is not supported; supported: {}",
                                supported_revisions()),
                    Map{{"supported", List{Value(mcp::kModernRevision)}}, {"requested", *version}}},
                   message.id};
  // Without it the request is refused behind the seam, which says what is missing.
  if (!message.is_valid || message.kind != mcp::MessageKind::request || meta == nullptr) return {};
  const Value* name = message.params.find("name");
  const bool calls = message.method == "tools/call" && name != nullptr && name->as_string();
  const auto arguments = calls ? self.server_.header_arguments(*name->as_string())
                               : std::vector<mcp::HeaderArgument>{};
  if (auto wrong = check_headers(post.request.fields, message, arguments))
    return Refused{400, std::move(*wrong), message.id};
  return {};
}

std::optional<McpHttp::Refused> McpHttp::session_of(const http::Request& request,
                                                    SessionPtr& found) {
  const auto id = request.field(kSessionField);
  if (!id) return Refused{400, {RpcCode::transport_refusal, "the field Mcp-Session-Id is missing"}};
  found = sessions_.find(*id, request.caller.token_id, now_ms());
  if (found) return {};
  return Refused{404, {RpcCode::session_not_found, "there is no such session"}};
}

std::optional<McpHttp::Refused> McpHttp::check_session(McpHttp& self, Post& post) {
  if (post.era == Era::modern) return {};
  const auto& messages = post.incoming.messages;
  const bool initializes =
      std::ranges::any_of(messages, [](const mcp::Message& m) { return m.method == "initialize"; });
  if (initializes && post.incoming.is_batch)
    return Refused{400, {RpcCode::invalid_request, "initialize cannot be part of a batch"}};
  const bool opens = initializes && messages.front().kind == mcp::MessageKind::request &&
                     !post.request.field(kSessionField);
  if (opens) return self.open_session(post);
  if (auto refused = self.session_of(post.request, post.session)) {
    refused->id = post.id();
    return refused;
  }
  if (post.incoming.is_batch && !mcp::allows_batches(mcp::revision_of(*post.session->inner)))
    return Refused{400, {RpcCode::invalid_request, "batches are not part of this revision"}};
  return {};
}

std::optional<McpHttp::Refused> McpHttp::open_session(Post& post) {
  const http::Caller& caller = post.request.caller;
  auto session = std::make_shared<HttpSession>(env_.random_hex(kSessionDigits), caller.token_id,
                                               limits_.replay);
  session->inner = server_.open({.transport = mcp::SessionStart::Transport::http,
                                 .id = session->id,
                                 .role = role_of(caller),
                                 .token_id = caller.token_id,
                                 .actor = caller.actor});
  std::vector<SessionPtr> removed;
  const bool has_place = sessions_.add(session, now_ms(), removed);
  for (const SessionPtr& old : removed) {
    end_session(old, "session_evicted");
    release(old, [] {});
  }
  if (!has_place)
    return Refused{429,
                   {RpcCode::transport_refusal, "every session is busy; try again"},
                   post.id(),
                   {{"Retry-After", std::string(kBusyAgain)}}};
  post.session = std::move(session);
  post.is_new = true;
  return {};
}

std::optional<McpHttp::Refused> McpHttp::check_rate(McpHttp& self, Post& post) {
  const bool writes = std::ranges::any_of(
      post.incoming.messages, [&](const mcp::Message& m) { return self.server_.changes_state(m); });
  if (writes && self.limits_.is_read_only)
    return Refused{
        403, {RpcCode::transport_refusal, "this server changes nothing (--read-only)"}, post.id()};
  if (!self.limits_.has_rates) return {};
  const std::string key =
      counted_as(post.request.caller, post.is_new ? nullptr : post.session.get());
  std::int64_t wait = 0;
  {
    const std::lock_guard lock(self.mutex_);
    wait = (writes ? self.writes_ : self.reads_).take(key, self.now_ms());
  }
  if (wait == 0) return {};
  if (post.is_new) self.end_session(self.sessions_.remove(post.session->id), "session_refused");
  self.say("rate_limited", Map{{"key", key}, {"writes", writes}});
  return Refused{429,
                 {RpcCode::transport_refusal, fmt::format("too many requests; wait {} s", wait)},
                 post.id(),
                 {{"Retry-After", std::to_string(wait)}}};
}

std::optional<McpHttp::Refused> McpHttp::check_streams(McpHttp& self, Post& post) {
  if (post.incoming.messages.front().method != kListen) return {};
  post.place = self.places_.take(counted_as(post.request.caller, post.session.get()));
  if (post.place) return {};
  return too_many_streams(post.id());
}

void McpHttp::serve_post(http::Request request, Exchange exchange) {
  auto post = std::make_shared<Post>(Post{std::move(request), std::move(exchange)});
  for (const PostCheck& row : kPostChecks)
    if (auto refused = row.check(*this, *post)) return post->exchange->reply(refused->response());
  if (post->era == Era::modern)
    post->single = server_.open({.transport = mcp::SessionStart::Transport::http,
                                 .id = {},
                                 .role = role_of(post->request.caller),
                                 .token_id = post->request.caller.token_id,
                                 .actor = post->request.caller.actor,
                                 .client = post->client()});
  auto outlet = std::make_shared<PostOutlet>(*this, *post);
  if (post->era == Era::modern)
    post->exchange->on_gone([this, weak = std::weak_ptr(outlet)] {
      const auto held = weak.lock();
      if (!held) return;
      held->client_gone();
      drop(held);
    });
  // What is done in no time is done here; for a response somebody waits, who has the worker.
  if (std::ranges::none_of(post->incoming.messages, mcp::may_take_long)) {
    post->exchange.reset();
    return run_post(post, outlet);
  }
  // Counts from now on, so that the session is not idle while its request waits for a worker.
  auto running = std::make_shared<Running>(post->session);
  const bool is_taken = workers_.post([this, post, outlet, running](http::Workers::Shift& shift) {
    outlet->set_shift(&shift);
    run_post(post, outlet);
    outlet->set_shift(nullptr);
  });
  if (!is_taken)
    post->exchange->reply(Refused{503,
                                  {RpcCode::transport_refusal, "too much is waiting; try again"},
                                  post->id(),
                                  {{"Retry-After", std::string(kBusyAgain)}}}
                              .response());
  post->exchange.reset();
}

void McpHttp::run_post(const std::shared_ptr<Post>& post,
                       const std::shared_ptr<PostOutlet>& outlet) {
  const auto& inner = post->session ? post->session->inner : post->single;
  bool stays_open = false;
  for (const mcp::Message& message : post->incoming.messages)
    stays_open |= server_.handle(message, inner, outlet) == mcp::Handled::stays_open;
  if (post->is_new && mcp::revision_of(*inner).empty())
    end_session(sessions_.remove(post->session->id), "session_refused");
  if (post->session) post->session->used_ms = now_ms();
  if (!stays_open) return outlet->complete();
  keep(outlet);
}

/// Until its reader hangs up, which it may have done already.
void McpHttp::keep(const std::shared_ptr<PostOutlet>& outlet) {
  {
    const std::lock_guard lock(mutex_);
    listening_.insert(outlet);
  }
  if (outlet->is_cancelled()) drop(outlet);
}

void McpHttp::drop(const std::shared_ptr<PostOutlet>& outlet) {
  {
    const std::lock_guard lock(mutex_);
    if (listening_.erase(outlet) == 0) return;
  }
  server_.hang_up(outlet);
  outlet->end();
}

// --- GET and DELETE

void McpHttp::serve_get(const http::Request& request, const Exchange& exchange) {
  const auto refuse = [&](Refused refused) { exchange->reply(refused.response()); };
  if (!http::accepts(request.field("Accept").value_or(""), "text/event-stream"))
    return refuse({406, {RpcCode::transport_refusal, "Accept must name text/event-stream"}});
  if (!request.field(kSessionField) || is_modern_header(request.field(kVersionField)))
    return refuse(
        {405, {RpcCode::transport_refusal, "GET needs a session"}, {}, {{"Allow", "POST"}}});
  SessionPtr session;
  if (auto refused = session_of(request, session)) return refuse(*refused);
  const Place place = places_.take(counted_as(request.caller, session.get()));
  if (const auto last = request.field("Last-Event-ID")) {
    if (!place) return refuse(too_many_streams({}));
    if (!resume(exchange, session, *last, place))
      refuse({400, {RpcCode::transport_refusal, "nothing is known of this Last-Event-ID"}});
    return;
  }
  if (session->is_listening())
    return refuse({409, {RpcCode::transport_refusal, "this session has a stream already"}});
  if (!place) return refuse(too_many_streams({}));
  listen(exchange, session, place);
}

bool McpHttp::resume(const Exchange& exchange, const SessionPtr& session, std::string_view last,
                     const Place& place) {
  const auto id = http::read_event_id(last);
  if (!id) return false;
  return session->streams.resume(*id, now_ms(), [&] {
    auto stream = with_place(
        exchange->open(http::event_stream_head(), std::string(http::kKeepAliveComment)), place);
    exchange->on_gone([weak = std::weak_ptr(session), number = id->stream, reader = stream.get()] {
      if (const auto held = weak.lock()) held->streams.detach(number, reader);
    });
    return stream;
  });
}

void McpHttp::listen(const Exchange& exchange, const SessionPtr& session, const Place& place) {
  auto stream = with_place(
      exchange->open(http::event_stream_head(), std::string(http::kKeepAliveComment)), place);
  const http::Stream* reader = stream.get();
  const bool is_primed = mcp::revision_of(*session->inner) >= kFirstPrimed;
  const std::uint64_t number = session->streams.begin(std::move(stream), is_primed);
  const std::uint64_t before = session->listening.exchange(number);
  if (before != 0) session->streams.finish(before);
  exchange->on_gone([weak = std::weak_ptr(session), number, reader] {
    if (const auto held = weak.lock()) held->streams.detach(number, reader);
  });
  server_.listen(*session->inner, std::make_shared<ListenOutlet>(*this, session, number));
}

void McpHttp::serve_delete(const http::Request& request, const Exchange& exchange) {
  const auto refuse = [&](Refused refused) { exchange->reply(refused.response()); };
  if (is_modern_header(request.field(kVersionField)))
    return refuse({405,
                   {RpcCode::transport_refusal, "there are no sessions in this revision"},
                   {},
                   {{"Allow", "POST"}}});
  SessionPtr session;
  if (auto refused = session_of(request, session)) return refuse(*refused);
  if (!sessions_.remove(session->id))
    return refuse({404, {RpcCode::session_not_found, "there is no such session"}});
  end_session(session, "session_deleted");
  release(session, [exchange] { exchange->reply({204, {{"Cache-Control", "no-store"}}, {}}); });
}

// --- the end

void McpHttp::end_session(const SessionPtr& session, std::string_view why) {
  if (!session) return;
  server_.listen(*session->inner, nullptr);
  server_.close(*session->inner);
  session->streams.close_all();
  say(why, Map{{"session", mcp::session_name_of(session->id).substr(0, kLoggedName)}});
}

/// Ledgers are written by workers. Where none is free, leases run out by themselves.
void McpHttp::release(const SessionPtr& session, const std::function<void()>& then) {
  const bool is_taken = workers_.post([this, session, then](http::Workers::Shift&) {
    server_.release(*session->inner);
    then();
  });
  if (!is_taken) then();
}

void McpHttp::stop_listening() {
  for (const SessionPtr& session : sessions_.all())
    if (const std::uint64_t number = session->listening; number != 0)
      session->streams.finish(number);
  std::set<std::shared_ptr<PostOutlet>> open;
  {
    const std::lock_guard lock(mutex_);
    open = listening_;
  }
  for (const auto& outlet : open)
    drop(outlet);
}

void McpHttp::cancel_all() {
  stop_listening();
  for (const SessionPtr& session : sessions_.remove_all()) {
    end_session(session, "");
    server_.release(*session->inner);
  }
}

}  // namespace gh::serve
