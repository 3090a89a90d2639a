#include "mcp/stdio.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "base/product.h"
#include "base/text.h"
#include "mcp/host_config.h"
#include "ops/repo_config.h"

namespace gh::mcp {
namespace {

constexpr std::size_t kWorkers = 2;
constexpr std::size_t kMaxWaiting = 10'000;
constexpr std::size_t kChunk = 64u << 10;
constexpr std::size_t kMaxConfigBytes = 1u << 20;
constexpr int kLookEveryMs = 100;  // whether somebody asks to stop
constexpr auto kLastPatience = std::chrono::milliseconds(1'500);

/// The one stream to the client. A frame is one line, and one write unless the pipe is full.
class Lines final : public Outlet {
 public:
  explicit Lines(sys::Fd fd) : fd_(std::move(fd)) {}
  void send_related(std::string frame) override { write_line(std::move(frame)); }
  void send_response(std::string frame, int) override { write_line(std::move(frame)); }
  void fall_silent() { is_broken_ = true; }
  bool is_broken() const { return is_broken_; }

 private:
  void write_line(std::string line) {
    line += '\n';
    const std::lock_guard lock(mutex_);
    std::string_view rest = line;
    while (!rest.empty() && !is_broken_) {
      const ssize_t n = ::write(fd_.get(), rest.data(), rest.size());
      if (n < 0 && errno != EINTR) is_broken_ = true;
      if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  sys::Fd fd_;
  std::mutex mutex_{};
  std::atomic<bool> is_broken_ = false;
};

/// Answers of a batch go out together, when the last one is there.
class Batch final : public Outlet {
 public:
  Batch(std::shared_ptr<Outlet> stream, std::size_t requests)
      : stream_(std::move(stream)), open_(requests) {}
  void send_related(std::string frame) override { stream_->send_related(std::move(frame)); }
  void send_response(std::string frame, int) override {
    const std::lock_guard lock(mutex_);
    frames_.push_back(std::move(frame));
  }
  /// One of its messages is done, with or without an answer.
  void done() {
    const std::lock_guard lock(mutex_);
    if (--open_ == 0 && !frames_.empty())
      stream_->send_response("[" + join(frames_, ",") + "]", 200);
  }

 private:
  std::shared_ptr<Outlet> stream_;
  std::mutex mutex_{};
  std::size_t open_;
  std::vector<std::string> frames_{};
};

struct Job {
  Message message;
  std::shared_ptr<Outlet> outlet;
  std::shared_ptr<Batch> batch;  // null: none
};

/// Owned by its threads together: whoever still works when the door closes keeps it.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(StdioOptions options, sys::Env& env, sys::Fd output)
      : max_line_(options.max_line),
        interrupted_(std::move(options.interrupted)),
        server_(std::move(options.server), env),
        session_(server_.open({.transport = SessionStart::Transport::stdio})),
        lines_(std::make_shared<Lines>(std::move(output))) {
    server_.listen(*session_, lines_);
  }

  void run(int input) {
    for (std::size_t i = 0; i < kWorkers; ++i)
      std::thread([self = shared_from_this()] { self->work(); }).detach();
    read(input);
    finish();
  }

 private:
  bool is_over() const { return lines_->is_broken() || (interrupted_ && interrupted_()); }

  void read(int input) {
    std::string held;
    std::array<char, kChunk> chunk{};
    while (!is_over()) {
      pollfd waiting{input, POLLIN, 0};
      if (::poll(&waiting, 1, kLookEveryMs) <= 0) continue;
      const ssize_t n = ::read(input, chunk.data(), chunk.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;
      if (!take({chunk.data(), static_cast<std::size_t>(n)}, held)) return;
    }
  }

  /// False: a line is too long, and nothing behind it can be trusted to be one.
  bool take(std::string_view bytes, std::string& held) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
         end = bytes.find('\n')) {
      held.append(bytes.substr(0, end));
      bytes.remove_prefix(end + 1);
      if (held.size() > max_line_) return refuse_line();
      line(held);
      held.clear();
    }
    held.append(bytes);
    return held.size() <= max_line_ || refuse_line();
  }

  bool refuse_line() {
    lines_->send_response(
        error_frame({}, {RpcCode::invalid_request,
                         fmt::format("a line is longer than {} bytes", max_line_)}),
        400);
    return false;
  }

  void line(std::string_view text) {
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.find_first_not_of(" \t") == std::string_view::npos) return;
    auto incoming = read_incoming(text, max_line_);
    if (!incoming) return lines_->send_response(error_frame({}, incoming.error()), 400);
    if (!incoming->is_batch) return take_message(std::move(incoming->messages.front()), nullptr);
    if (!allows_batches(revision_of(*session_)))
      return lines_->send_response(
          error_frame({}, {RpcCode::invalid_request, "this revision has no batches"}), 400);
    const auto batch = std::make_shared<Batch>(lines_, incoming->messages.size());
    for (Message& message : incoming->messages)
      take_message(std::move(message), batch);
  }

  void take_message(Message message, const std::shared_ptr<Batch>& batch) {
    const std::shared_ptr<Outlet> outlet = batch ? std::shared_ptr<Outlet>(batch) : lines_;
    Job job{std::move(message), outlet, batch};
    if (!may_take_long(job.message)) return do_job(job);
    std::unique_lock lock(mutex_);
    if (waiting_.size() < kMaxWaiting) {
      waiting_.push_back(std::move(job));
      turn_.notify_one();
      return;
    }
    lock.unlock();
    outlet->send_response(
        error_frame(job.message.id, {RpcCode::internal_error, "too many requests are waiting"}),
        200);
    if (batch) batch->done();
  }

  void do_job(const Job& job) {
    server_.handle(job.message, session_, job.outlet);
    if (job.batch) job.batch->done();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      turn_.wait(lock, [this] { return is_closed_ || !waiting_.empty(); });
      if (is_closed_) return;
      const Job job = std::move(waiting_.front());
      waiting_.pop_front();
      ++busy_;
      lock.unlock();
      do_job(job);
      lock.lock();
      --busy_;
      if (is_closed_) idle_.notify_all();
    }
  }

  /// Nothing is answered any more; what is at work may come to a safe point.
  void finish() {
    lines_->fall_silent();
    server_.close(*session_);
    std::unique_lock lock(mutex_);
    is_closed_ = true;
    turn_.notify_all();
    idle_.wait_for(lock, kLastPatience, [this] { return busy_ == 0; });
  }

  const std::size_t max_line_;
  const std::function<bool()> interrupted_;
  Server server_;
  std::shared_ptr<Session> session_;
  std::shared_ptr<Lines> lines_;
  std::mutex mutex_{};
  std::condition_variable turn_{}, idle_{};  // something waits; nobody works any more
  std::deque<Job> waiting_{};
  std::size_t busy_ = 0;
  bool is_closed_ = false;
};

tl::unexpected<Error> no_stream(std::string_view what) {
  return fail(Code::io_error, fmt::format("{}: {}", what, std::strerror(errno)));
}

Status log_to(const std::string& file) {
  const sys::Fd log(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!log || ::dup2(log.get(), STDERR_FILENO) < 0) return no_stream("the log file");
  return {};
}

Profile profile_of(std::string_view name) {
  if (name == "minimal") return Profile::minimal;
  if (name == "full") return Profile::full;
  return Profile::standard;
}

ops::Reply shown(const HostConfig& host) {
  ops::Reply reply;
  reply.document = Map{{"schema", "gatehouse.mcp_config/1"},
                       {"host", host.host},
                       {"file", host.file},
                       {"text", host.text},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [text = std::string(host.text)](const report::Look&) { return text + "\n"; };
  return reply;
}

}  // namespace

Result<policy::ServerPolicy> server_settings(const ops::Context& context,
                                             const std::vector<std::string>& repos) {
  ops::Context there = context;
  if (!repos.empty()) there.cwd = repos.front();
  auto repo = ops::open_to_read(there);
  if (!repo && repos.empty() && repo.error().code == Code::not_a_repository)
    return policy::ServerPolicy{};
  if (!repo) return tl::make_unexpected(std::move(repo).error());
  const std::string path = repo->root() + "/" + std::string(kConfigFile);
  if (sys::info(path).kind == sys::FileKind::missing) return policy::ServerPolicy{};
  auto bytes = sys::read_file(path, kMaxConfigBytes);
  if (!bytes) return fail(Code::policy_unreadable, bytes.error().message);
  return policy::parse_server_policy(*bytes, kConfigFile);
}

Result<sys::Fd> take_standard_output() {
  sys::Fd frames(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!frames) return no_stream("standard output");
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return no_stream("standard error");
  return frames;
}

void serve_stdio(StdioOptions options, sys::Env& env, int input, sys::Fd output) {
  std::make_shared<Connection>(std::move(options), env, std::move(output))->run(input);
}

Result<ops::Reply> open_mcp(const ops::Request& request, ops::Context& context) {
  if (const HostConfig* host = config_for(request.text("print-config"))) return shown(*host);
  if (!request.flag("stdio"))
    return fail(Code::missing_argument, "say how to talk: --stdio; over HTTP it is 'serve'");
  StdioOptions options{.interrupted = context.interrupted};
  options.server.profile = profile_of(request.text("profile"));
  options.server.start_folder = context.cwd;
  options.server.log = [](std::string_view line) {
    const std::string whole = fmt::format("{}: {}\n", kProduct, line);
    (void)!::write(STDERR_FILENO, whole.data(), whole.size());
  };
  if (request.has("repo")) {
    GH_TRY(repo, sys::real_path(request.text("repo")));
    options.server.repos = {repo};
  }
  // A configuration that is damaged is told by the tools; nobody could read it here.
  if (const auto settings = server_settings(context, options.server.repos))
    options.max_line = static_cast<std::size_t>(settings->stdio_max_line_bytes);
  if (request.has("log-file")) GH_DO(log_to(request.text("log-file")));
  GH_TRY(frames, take_standard_output());
  serve_stdio(std::move(options), context.env, STDIN_FILENO, std::move(frames));
  return ops::Reply{};
}

}  // namespace gh::mcp
