#include "http/server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

#include "base/text.h"

namespace gh::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Tcp = asio::ip::tcp;
using Socket = asio::basic_stream_socket<Tcp, asio::strand<asio::io_context::executor_type>>;
using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                         asio::wait_traits<std::chrono::steady_clock>,
                                         asio::strand<asio::io_context::executor_type>>;
using Parser = beast::http::request_parser<beast::http::string_body>;
using Wrong = boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kReadAhead = 65'536;
constexpr seconds kLinger{2};  // for the rest of a request that was refused
constexpr std::size_t kLingerBytes = 8u << 20;
constexpr milliseconds kAcceptAgain{100};  // after the system had no descriptor left
constexpr std::size_t kMaxRefusedAtOnce = 64;
constexpr std::string_view kBusy =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

std::string text_of(const Tcp::endpoint& end) {
  const std::string address = end.address().to_string();
  return end.address().is_v6() ? fmt::format("[{}]:{}", address, end.port())
                               : fmt::format("{}:{}", address, end.port());
}

/// Status line, fields and, unless it is a stream, the length of the body.
std::string head_of(const Response& response, bool keeps_alive, std::string_view framing) {
  std::string out =
      fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  for (const Field& f : response.fields)
    out += fmt::format("{}: {}\r\n", f.name, f.value);
  out += framing;
  if (!keeps_alive) out += "Connection: close\r\n";
  return out + "\r\n";
}

std::string whole(const Response& response, bool keeps_alive, bool has_body) {
  const bool has_length = response.status != 204 && response.status != 304;
  return head_of(response, keeps_alive,
                 has_length ? fmt::format("Content-Length: {}\r\n", response.body.size()) : "") +
         (has_body ? response.body : std::string());
}

class Connection;

/// What all connections share.
struct Shared {
  explicit Shared(Setup given) : setup(std::move(given)) {}
  void log(std::string_view event, Map more) const {
    if (!setup.log) return;
    Map line{{"event", event}};
    for (const auto& [name, value] : more.entries())
      line.set(name, value);
    setup.log(std::move(line));
  }

  Setup setup;
  std::mutex mutex;
  std::set<Connection*> connections;  // under mutex
  std::function<void()> on_empty;     // the last connection is gone
  std::atomic<bool> is_stopping = false;
  asio::io_context io;  // last: connections that it still holds need the rest when they go
};

/// One connection: reads a request, hands it over, writes its answer, and again. Everything but
/// the outbox of a stream happens on its strand.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Socket socket, Shared& shared)
      : shared_(shared),
        limits_(shared.setup.limits),
        strand_(socket.get_executor()),
        socket_(std::move(socket)),
        deadline_(strand_),
        silence_(strand_),
        buffer_(static_cast<std::size_t>(limits_.header_bytes) + kReadAhead) {
    const std::lock_guard lock(shared_.mutex);
    shared_.connections.insert(this);
  }

  ~Connection() {
    std::function<void()> emptied;
    {
      const std::lock_guard lock(shared_.mutex);
      shared_.connections.erase(this);
      if (shared_.connections.empty()) emptied = shared_.on_empty;
    }
    if (emptied) emptied();
  }

  void start() {
    Wrong wrong;
    const auto end = socket_.remote_endpoint(wrong);
    if (!wrong) peer_ = text_of(end);
    socket_.set_option(Tcp::no_delay(true), wrong);
    asio::dispatch(strand_, [self = shared_from_this()] { self->await_request(); });
  }

  /// The server stops: whoever waits for nothing is closed now, the others after their answer.
  void wind_down() {
    asio::post(strand_, [self = shared_from_this()] {
      if (self->state_ == State::idle) self->close();
    });
  }
  void cut_off() {
    asio::post(strand_, [self = shared_from_this()] { self->close(); });
  }

  // --- what an Exchange asks for, from any thread
  void answer(std::uint64_t turn, Response response) {
    asio::post(strand_, [self = shared_from_this(), turn, r = std::move(response)]() mutable {
      if (self->is_turn(turn)) self->write_answer(std::move(r));
    });
  }
  void begin_stream(std::uint64_t turn, Response head, std::string keep_alive) {
    {
      const std::lock_guard lock(outbox_mutex_);
      outbox_ = Outbox{};
      outbox_.is_open = true;
    }
    asio::post(strand_, [self = shared_from_this(), turn, h = std::move(head),
                         k = std::move(keep_alive)]() mutable {
      if (self->is_turn(turn)) self->open_stream(h, std::move(k));
    });
  }
  bool write_to_stream(std::string_view bytes) {
    const std::lock_guard lock(outbox_mutex_);
    if (!outbox_.is_open || outbox_.is_ending) return false;
    if (outbox_.waiting.size() + outbox_.in_flight + bytes.size() >
        static_cast<std::size_t>(limits_.stream_bytes)) {
      outbox_.is_open = false;
      asio::post(strand_, [self = shared_from_this()] { self->drop_slow_reader(); });
      return false;
    }
    outbox_.waiting += framed(bytes);
    wake_writer();
    return true;
  }
  void end_stream() {
    const std::lock_guard lock(outbox_mutex_);
    if (!outbox_.is_open || outbox_.is_ending) return;
    outbox_.is_ending = true;
    wake_writer();
  }
  void when_gone(std::uint64_t turn, std::function<void()> then) {
    asio::post(strand_, [self = shared_from_this(), turn, t = std::move(then)]() mutable {
      if (!self->is_turn(turn)) return;
      if (self->is_gone_) return t();
      self->on_gone_ = std::move(t);
    });
  }

 private:
  enum class State : std::uint8_t { idle, reading, serving, writing, streaming, closed };

  struct Outbox {
    std::string waiting;
    std::size_t in_flight = 0;
    bool is_open = false, is_ending = false, is_awake = false, is_started = false;
  };

  bool is_turn(std::uint64_t turn) const {
    return turn == turn_ && state_ != State::closed && state_ != State::idle;
  }

  // --- deadlines: one at a time
  template <class Then>
  void within(Clock::duration time, Then then) {
    deadline_.expires_after(time);
    deadline_.async_wait([self = shared_from_this(), then](Wrong wrong) {
      if (!wrong) then(*self);
    });
  }
  void without_deadline() { deadline_.cancel(); }

  // --- reading
  void await_request() {
    if (state_ == State::closed) return;
    if (shared_.is_stopping) return close();
    state_ = State::idle;
    if (buffer_.size() > 0) return read_head();  // it was sent together with the one before
    buffer_.shrink_to_fit();
    within(seconds(limits_.idle_seconds), [](Connection& c) { c.close(); });
    watch();
  }

  /// Waits for bytes or for the end: the start of the next request, or a client that hangs up.
  void watch() {
    if (is_watching_) return;
    is_watching_ = true;
    socket_.async_wait(Socket::wait_read, [self = shared_from_this()](Wrong wrong) {
      self->is_watching_ = false;
      if (!wrong) self->something_came();
    });
  }

  void something_came() {
    switch (state_) {
      case State::idle:
        return read_head();
      case State::serving:
      case State::streaming:
        return look_for_end();
      case State::reading:
      case State::writing:
      case State::closed:
        return;
    }
  }

  void look_for_end() {
    char byte = 0;
    Wrong wrong;
    socket_.non_blocking(true, wrong);
    const std::size_t seen = socket_.receive(asio::buffer(&byte, 1), Socket::message_peek, wrong);
    if (wrong == asio::error::would_block) return watch();
    if (!wrong && seen > 0) return;  // the next request; it waits
    gone();
  }

  void gone() {
    is_gone_ = true;
    if (state_ == State::streaming) close();
    if (auto then = std::exchange(on_gone_, nullptr)) then();
  }

  void read_head() {
    state_ = State::reading;
    started_ = Clock::now();
    method_.clear();
    path_.clear();
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
    parser_->body_limit(boost::none);  // check_head has the word about it
    within(seconds(limits_.header_seconds), [](Connection& c) { c.too_slow(); });
    beast::http::async_read_header(
        socket_, buffer_, *parser_,
        [self = shared_from_this()](Wrong wrong, std::size_t) { self->head_read(wrong); });
  }

  void head_read(Wrong wrong) {
    if (state_ == State::closed) return;
    if (wrong) return not_readable(wrong);
    const auto& message = parser_->get();
    request_ = Request{};
    request_.method = std::string(message.method_string());
    const std::string_view target(message.target().data(), message.target().size());
    const std::size_t mark = target.find('?');
    request_.path = target.substr(0, mark);
    if (mark != std::string_view::npos) request_.query = target.substr(mark + 1);
    for (const auto& f : message)
      request_.fields.push_back({std::string(f.name_string()), std::string(f.value())});
    request_.peer = peer_;
    method_ = request_.method;
    path_ = request_.path;
    keeps_alive_ = message.keep_alive();
    version_ = message.version();
    check();
  }

  void check() {
    Head head{request_.method, request_.path, request_.fields, std::nullopt, peer_};
    if (const auto length = parser_->content_length()) head.content_length = *length;
    admitted_ = {};
    auto refused = check_head(shared_.setup.guard, shared_.setup.routes, head, admitted_);
    // Whoever stands in front may have read another end of this request than we would.
    if (!is_framed_clearly()) {
      keeps_alive_ = false;
      refused = Refusal{400, "bad_request", "the only transfer encoding is chunked"};
    }
    const auto expect = request_.field("Expect");
    const bool expects_continue = expect && equal_without_case(*expect, "100-continue");
    if (!refused && expect && !expects_continue)
      refused = Refusal{417, "expectation_failed", "only 100-continue can be expected"};
    if (refused) return refuse(*refused);
    request_.caller = admitted_.caller;
    if (parser_->is_done()) return serve();
    within(seconds(limits_.body_seconds), [](Connection& c) { c.too_slow(); });
    if (expects_continue && version_ >= 11) return send_continue();
    read_body();
  }

  bool is_framed_clearly() const {
    return std::ranges::all_of(request_.fields, [](const auto& field) {
      return !equal_without_case(field.name, "Transfer-Encoding") ||
             equal_without_case(field.value, "chunked");
    });
  }

  void send_continue() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(socket_, asio::buffer(kContinue),
                      [self = shared_from_this()](Wrong wrong, std::size_t) {
                        if (wrong) return self->close();
                        self->read_body();
                      });
  }

  void read_body() {
    parser_->body_limit(static_cast<std::uint64_t>(admitted_.route->max_body_bytes));
    beast::http::async_read(
        socket_, buffer_, *parser_,
        [self = shared_from_this()](Wrong wrong, std::size_t) { self->body_read(wrong); });
  }

  void body_read(Wrong wrong) {
    if (state_ == State::closed) return;
    if (wrong) return not_readable(wrong);
    request_.body = std::move(parser_->get().body());
    serve();
  }

  void not_readable(Wrong wrong) {
    using E = beast::http::error;
    if (wrong == E::end_of_stream || wrong == asio::error::operation_aborted) return close();
    if (wrong == E::header_limit || wrong == E::buffer_overflow)
      return refuse({431, "header_too_large",
                     fmt::format("the header has more than {} bytes", limits_.header_bytes)});
    if (wrong == E::body_limit)
      return refuse({413, "body_too_large",
                     fmt::format("more than {} bytes", admitted_.route->max_body_bytes)});
    const bool is_malformed = wrong.category() == make_error_code(E::bad_method).category() &&
                              wrong != E::partial_message;
    if (!is_malformed) return close();
    refuse({400, "malformed_request", "this is no HTTP request: " + wrong.message()});
  }

  void too_slow() {
    if (state_ != State::reading) return;
    refuse({408, "too_slow", "the request did not arrive in time"});
  }

  // --- answering
  class Turn;  // the Exchange of one request

  void serve();

  /// The rest of the request may still be on its way, so the connection cannot be used again.
  void refuse(const Refusal& refusal) {
    const auto* route = admitted_.route;
    const bool is_whole = parser_ && parser_->is_done();
    if (!is_whole) keeps_alive_ = false;
    write_answer(route != nullptr ? route->render(refusal) : problem(refusal));
  }

  void write_answer(Response response) {
    state_ = State::writing;
    keeps_alive_ = keeps_alive_ && !shared_.is_stopping;
    out_ = whole(response, keeps_alive_, method_ != "HEAD");
    status_ = response.status;
    within(seconds(limits_.write_seconds), [](Connection& c) { c.close(); });
    asio::async_write(
        socket_, asio::buffer(out_),
        [self = shared_from_this()](Wrong wrong, std::size_t) { self->answer_written(wrong); });
  }

  void answer_written(Wrong wrong) {
    if (state_ == State::closed) return;
    log_request(wrong ? "cut" : "whole");
    ++turn_;
    on_gone_ = nullptr;
    out_ = {};
    if (wrong) return close();
    if (keeps_alive_ && !is_gone_) return await_request();
    linger();
  }

  /// Closing while bytes are unread would take back the answer that was just sent.
  void linger() {
    Wrong wrong;
    socket_.shutdown(Socket::shutdown_send, wrong);
    within(kLinger, [](Connection& c) { c.close(); });
    buffer_.clear();
    swallow(0);
  }
  void swallow(std::size_t so_far) {
    if (so_far > kLingerBytes) return close();
    socket_.async_read_some(buffer_.prepare(16'384),
                            [self = shared_from_this(), so_far](Wrong wrong, std::size_t n) {
                              if (wrong) return self->close();
                              self->swallow(so_far + n);
                            });
  }

  // --- streams
  std::string framed(std::string_view bytes) const {  // before the head is written: see open_stream
    return is_chunked_ ? fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes) : std::string(bytes);
  }

  void wake_writer() {  // under outbox_mutex_
    if (outbox_.is_awake || !outbox_.is_started) return;
    outbox_.is_awake = true;
    asio::post(strand_, [self = shared_from_this()] { self->flush(); });
  }

  void open_stream(const Response& head, std::string keep_alive) {
    state_ = State::streaming;
    status_ = head.status;
    keep_alive_ = std::move(keep_alive);
    if (!is_chunked_) keeps_alive_ = false;
    without_deadline();
    {
      const std::lock_guard lock(outbox_mutex_);
      outbox_.waiting.insert(
          0, head_of(head, keeps_alive_, is_chunked_ ? "Transfer-Encoding: chunked\r\n" : ""));
      outbox_.is_started = outbox_.is_awake = true;
    }
    if (is_gone_) return close();
    flush();
    watch();
  }

  void flush() {
    if (state_ != State::streaming) return;
    bool is_over = false;
    {
      const std::lock_guard lock(outbox_mutex_);
      if (outbox_.in_flight > 0) return;
      if (outbox_.is_ending && !is_end_written_) {
        if (is_chunked_) outbox_.waiting += "0\r\n\r\n";
        is_end_written_ = true;
      }
      out_.swap(outbox_.waiting);
      outbox_.waiting.clear();
      outbox_.in_flight = out_.size();
      outbox_.is_awake = !out_.empty();
      is_over = out_.empty() && outbox_.is_ending;
    }
    if (is_over) return stream_ended();
    if (out_.empty()) return await_silence();
    silence_.cancel();
    within(seconds(limits_.write_seconds), [](Connection& c) { c.drop_slow_reader(); });
    asio::async_write(
        socket_, asio::buffer(out_),
        [self = shared_from_this()](Wrong wrong, std::size_t) { self->flushed(wrong); });
  }

  void flushed(Wrong wrong) {
    if (state_ == State::closed) return;
    without_deadline();
    if (wrong) {
      gone();
      return close();
    }
    {
      const std::lock_guard lock(outbox_mutex_);
      outbox_.in_flight = 0;
    }
    out_.clear();
    flush();
  }

  void await_silence() {
    if (keep_alive_.empty()) return;
    silence_.expires_after(milliseconds(limits_.keep_alive_ms));
    silence_.async_wait([self = shared_from_this()](Wrong wrong) {
      if (!wrong && self->state_ == State::streaming) self->write_to_stream(self->keep_alive_);
    });
  }

  void stream_ended() {
    {
      const std::lock_guard lock(outbox_mutex_);
      outbox_ = Outbox{};
    }
    is_end_written_ = false;
    silence_.cancel();
    answer_written({});
  }

  void drop_slow_reader() {
    if (state_ != State::streaming) return;
    shared_.log("stream_dropped", Map{{"peer", peer_}, {"path", printable(path_, 120)}});
    gone();
    close();
  }

  // --- the end
  void close() {
    if (state_ == State::closed) return;
    const bool was_serving = state_ == State::serving || state_ == State::streaming;
    if (state_ == State::streaming) log_request("cut");
    state_ = State::closed;
    {
      const std::lock_guard lock(outbox_mutex_);
      outbox_ = Outbox{};
    }
    Wrong wrong;
    socket_.close(wrong);
    deadline_.cancel();
    silence_.cancel();
    is_gone_ = true;
    if (auto then = std::exchange(on_gone_, nullptr); then && was_serving) then();
  }

  void log_request(std::string_view end) {
    const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - started_);
    shared_.log("request", Map{{"peer", peer_},
                               {"method", printable(method_, 20)},
                               {"path", printable(path_, 120)},
                               {"status", status_},
                               {"ms", static_cast<std::int64_t>(took.count())},
                               {"answer", end}});
  }

  Shared& shared_;
  const Limits& limits_;
  asio::strand<asio::io_context::executor_type> strand_;
  Socket socket_;
  Timer deadline_, silence_;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  Request request_;
  Admitted admitted_;
  std::function<void()> on_gone_;
  std::string out_, keep_alive_, peer_, method_, path_;
  std::mutex outbox_mutex_;
  Outbox outbox_;  // under outbox_mutex_
  std::uint64_t turn_ = 1;
  Clock::time_point started_{};
  int status_ = 0;
  unsigned version_ = 11;
  State state_ = State::idle;
  bool keeps_alive_ = true, is_chunked_ = true, is_gone_ = false;
  bool is_watching_ = false, is_end_written_ = false;
};

/// Answers for one request; a late word for a request that is over is ignored.
class Connection::Turn : public Exchange {
 public:
  Turn(std::shared_ptr<Connection> connection, std::uint64_t turn)
      : connection_(std::move(connection)), turn_(turn) {}
  ~Turn() override {
    if (!is_used_)
      connection_->answer(turn_, problem({500, "no_answer", "the request was not answered"}));
  }
  void reply(Response response) override {
    if (!is_used_.exchange(true)) connection_->answer(turn_, std::move(response));
  }
  std::shared_ptr<Stream> open(Response head, std::string keep_alive) override {
    GH_ASSERT(!is_used_.exchange(true));
    connection_->begin_stream(turn_, std::move(head), std::move(keep_alive));
    return std::make_shared<Pieces>(connection_);
  }
  void on_gone(std::function<void()> then) override {
    connection_->when_gone(turn_, std::move(then));
  }

 private:
  class Pieces : public Stream {
   public:
    explicit Pieces(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
    ~Pieces() override { close(); }
    bool write(std::string bytes) override {
      return !is_closed_ && (bytes.empty() || connection_->write_to_stream(bytes));
    }
    void close() override {
      if (!is_closed_.exchange(true)) connection_->end_stream();
    }

   private:
    std::shared_ptr<Connection> connection_;
    std::atomic<bool> is_closed_ = false;
  };

  std::shared_ptr<Connection> connection_;
  std::uint64_t turn_;
  std::atomic<bool> is_used_ = false;
};

void Connection::serve() {
  without_deadline();
  state_ = State::serving;
  is_chunked_ = version_ >= 11;
  watch();
  admitted_.route->serve(std::move(request_), std::make_shared<Turn>(shared_from_this(), turn_));
}

/// One whose place is taken: it is told so, and let go.
class Turned : public std::enable_shared_from_this<Turned> {
 public:
  Turned(Socket socket, std::atomic<std::size_t>& count)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), count_(count) {
    ++count_;
  }
  ~Turned() { --count_; }
  void start() {
    asio::dispatch(socket_.get_executor(), [self = shared_from_this()] { self->tell(); });
  }

 private:
  void tell() {
    Wrong wrong;
    socket_.non_blocking(true, wrong);
    socket_.write_some(asio::buffer(kBusy), wrong);
    socket_.shutdown(Socket::shutdown_send, wrong);
    timer_.expires_after(kLinger);
    timer_.async_wait([self = shared_from_this()](Wrong) {
      Wrong ignored;
      self->socket_.close(ignored);
    });
    swallow(0);
  }
  void swallow(std::size_t so_far) {
    socket_.async_read_some(asio::buffer(bytes_),
                            [self = shared_from_this(), so_far](Wrong wrong, std::size_t n) {
                              if (wrong || so_far > kReadAhead)
                                self->timer_.cancel();
                              else
                                self->swallow(so_far + n);
                            });
  }
  Socket socket_;
  Timer timer_;
  std::atomic<std::size_t>& count_;
  std::array<char, 2048> bytes_{};
};

class BeastServer : public Server {
 public:
  explicit BeastServer(Setup setup)
      : shared_(std::move(setup)),
        acceptor_(shared_.io),
        pause_(shared_.io),
        drain_(shared_.io),
        signals_(shared_.io) {
    shared_.on_empty = [this] {
      if (shared_.is_stopping) asio::post(shared_.io, [this] { finish_if_empty(); });
    };
  }

  Status bind() {
    Wrong wrong;
    const auto address = asio::ip::make_address(shared_.setup.address, wrong);
    if (wrong) return refused("is no numeric address");
    const Tcp::endpoint end(address, shared_.setup.port);
    acceptor_.open(end.protocol(), wrong);
    if (!wrong) acceptor_.set_option(Tcp::acceptor::reuse_address(true), wrong);
    if (!wrong) acceptor_.bind(end, wrong);
    if (!wrong) acceptor_.listen(Tcp::acceptor::max_listen_connections, wrong);
    if (wrong) return refused(wrong.message());
    port_ = acceptor_.local_endpoint(wrong).port();
    if (shared_.setup.handles_signals) await_signals();
    return {};
  }

  std::uint16_t port() const override { return port_; }

  void run() override {
    accept();
    std::vector<std::jthread> threads;
    for (std::int64_t i = 1; i < shared_.setup.limits.threads; ++i)
      threads.emplace_back([this] { shared_.io.run(); });
    shared_.io.run();
    threads.clear();
    shared_.on_empty = nullptr;
  }

  void stop() override {
    if (shared_.is_stopping.exchange(true)) return;
    asio::post(shared_.io, [this] { begin_to_stop(); });
  }

 private:
  Status refused(std::string_view why) {
    return fail(Code::io_error,
                fmt::format("{}:{} {}", shared_.setup.address, shared_.setup.port, why));
  }

  /// From the moment on that somebody may know of us: a signal before run() is kept for it.
  void await_signals() {
    Wrong wrong;
    signals_.add(SIGTERM, wrong);
    signals_.add(SIGINT, wrong);
    signals_.async_wait([this](Wrong w, int) {
      if (!w) stop();
    });
  }

  void accept() {
    acceptor_.async_accept(asio::make_strand(shared_.io), [this](Wrong wrong, Socket socket) {
      if (shared_.is_stopping) return;
      if (wrong) return pause();
      take(std::move(socket));
      accept();
    });
  }

  void take(Socket socket) {
    std::size_t open = 0;
    {
      const std::lock_guard lock(shared_.mutex);
      open = shared_.connections.size();
    }
    if (open < static_cast<std::size_t>(shared_.setup.limits.max_connections))
      return std::make_shared<Connection>(std::move(socket), shared_)->start();
    shared_.log("too_many_connections", Map{{"open", static_cast<std::int64_t>(open)}});
    if (refused_ < kMaxRefusedAtOnce)
      std::make_shared<Turned>(std::move(socket), refused_)->start();
  }

  void pause() {
    pause_.expires_after(kAcceptAgain);
    pause_.async_wait([this](Wrong wrong) {
      if (!wrong && !shared_.is_stopping) accept();
    });
  }

  std::vector<std::shared_ptr<Connection>> all() {
    const std::lock_guard lock(shared_.mutex);
    std::vector<std::shared_ptr<Connection>> out;
    for (Connection* c : shared_.connections)
      if (auto held = c->weak_from_this().lock()) out.push_back(std::move(held));
    return out;
  }

  void begin_to_stop() {
    Wrong wrong;
    acceptor_.close(wrong);
    pause_.cancel();
    signals_.cancel(wrong);
    shared_.log("stopping", Map{});
    if (shared_.setup.on_stopping) shared_.setup.on_stopping();
    for (const auto& c : all())
      c->wind_down();
    drain_.expires_after(seconds(shared_.setup.limits.drain_seconds));
    drain_.async_wait([this](Wrong w) {
      if (w) return;
      const auto left = all();
      shared_.log("cut_off", Map{{"connections", static_cast<std::int64_t>(left.size())}});
      for (const auto& c : left)
        c->cut_off();
    });
    finish_if_empty();
  }

  /// The loop ends when nothing is awaited any more. An exchange that somebody still holds awaits
  /// nothing once its connection is closed.
  void finish_if_empty() {
    const std::lock_guard lock(shared_.mutex);
    if (shared_.connections.empty()) drain_.cancel();
  }

  Shared shared_;
  Tcp::acceptor acceptor_;
  asio::steady_timer pause_, drain_;
  asio::signal_set signals_;
  std::uint16_t port_ = 0;
  std::atomic<std::size_t> refused_ = 0;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::listen(Setup setup) {
  auto server = std::make_unique<BeastServer>(std::move(setup));
  GH_DO(server->bind());
  return std::unique_ptr<Server>(std::move(server));
}

std::int64_t raise_descriptor_limit(std::int64_t wanted) {
  rlimit now{};
  if (::getrlimit(RLIMIT_NOFILE, &now) != 0) return 0;
  const auto asked = std::min<rlim_t>(static_cast<rlim_t>(wanted), now.rlim_max);
  if (asked > now.rlim_cur) {
    now.rlim_cur = asked;
    ::setrlimit(RLIMIT_NOFILE, &now);
  }
  return static_cast<std::int64_t>(now.rlim_cur);
}

}  // namespace gh::http
