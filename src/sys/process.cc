#include "sys/process.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/files.h"

namespace gh::sys {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kBlock = 64 * 1024;
constexpr std::size_t kMaxBuffered = 256u << 20;  // unread answers of a Conversation
constexpr std::size_t kMaxStderr = 64 * 1024;     // kept of a Conversation
constexpr int kMaxDrainReads = 64;                // after the end of the child
constexpr milliseconds kAskEvery{100};            // whether to give up
constexpr milliseconds kPollWithoutPidfd{5};      // kernels and sandboxes without pidfd_open

std::string_view error_words(int error) {
  const char* words = strerrordesc_np(error);
  return words ? words : "unknown error";
}

/// Keeps SIGPIPE from ending this process while a pipe to a child is written: the signal is blocked
/// for this thread and, if the write raised it, taken away again.
class SigpipeBlock {
 public:
  SigpipeBlock() {
    sigemptyset(&pipe_only_);
    sigaddset(&pipe_only_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_only_, &before_);
  }
  SigpipeBlock(const SigpipeBlock&) = delete;
  SigpipeBlock& operator=(const SigpipeBlock&) = delete;
  ~SigpipeBlock() {
    const timespec at_once{};
    if (!was_pending_)
      while (sigtimedwait(&pipe_only_, nullptr, &at_once) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_only_{}, before_{};
  bool was_pending_ = false;
};

struct Pipe {
  Fd read, write;
};

/// Lifts a descriptor above 2, so that the dup2 calls in the child cannot overwrite it.
Fd above_standard(int fd) {
  if (fd > STDERR_FILENO) return Fd(fd);
  const Fd low(fd);
  return Fd(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(Code::io_error, fmt::format("pipe: {}", error_words(errno)));
  Pipe made{above_standard(ends[0]), above_standard(ends[1])};
  if (!made.read || !made.write)
    return fail(Code::io_error, fmt::format("pipe: {}", error_words(errno)));
  return made;
}

void set_nonblocking(const Fd& fd) {
  ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const std::string& word : words)
    out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

/// A child in its own process group; killed with the group and reaped on destruction.
class Child {
 public:
  Child() = default;
  explicit Child(pid_t pid)
      : pid_(pid), pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
  Child(Child&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}
  Child& operator=(Child&& other) noexcept {
    std::swap(pid_, other.pid_);
    std::swap(pidfd_, other.pidfd_);
    return *this;
  }
  ~Child() { abandon(); }

  const Fd& pidfd() const { return pidfd_; }

  bool has_ended() const {
    siginfo_t found{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &found, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           found.si_pid == pid_;
  }

  /// Kills the group and does not wait for its end: that takes longer than anybody wants to wait
  /// for a process that is of no use any more. Reaped later.
  void abandon() {
    if (pid_ < 0) return;
    ::kill(-pid_, SIGKILL);
    if (::waitpid(pid_, nullptr, WNOHANG) == 0) abandoned().push_back(pid_);
    pid_ = -1;
  }

  /// Takes note of the end of abandoned children, so that no zombie stays for long.
  static void reap_abandoned() {
    std::erase_if(abandoned(), [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  }

  /// Kills what is left of the group and reaps. The zombie keeps the group id ours until then.
  int end() {
    if (pid_ < 0) return -1;
    ::kill(-pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  static std::vector<pid_t>& abandoned() {
    thread_local std::vector<pid_t> pids;
    return pids;
  }

  pid_t pid_ = -1;
  Fd pidfd_;
};

struct Spawned {
  Child child;
  Fd in, out, err;  // our ends, non-blocking
};

class SpawnActions {
 public:
  SpawnActions(const Command& command, const Pipe& in, const Pipe& out, const Pipe& err) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.read.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
    int first_closed = STDERR_FILENO + 1;
    if (command.keep_open >= 0)
      posix_spawn_file_actions_adddup2(&actions, command.keep_open, first_closed++);
    posix_spawn_file_actions_addclosefrom_np(&actions, first_closed);
    posix_spawn_file_actions_addchdir_np(&actions, command.cwd.c_str());
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    sigset_t set;
    sigfillset(&set);
    posix_spawnattr_setsigdefault(&attributes, &set);
    sigemptyset(&set);
    posix_spawnattr_setsigmask(&attributes, &set);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

Result<Spawned> spawn(const Command& command) {
  GH_ASSERT(!command.argv.empty() && command.argv[0].starts_with('/'));
  GH_ASSERT(command.cwd.starts_with('/'));
  Child::reap_abandoned();
  GH_TRY(in, make_pipe());
  GH_TRY(out, make_pipe());
  GH_TRY(err, make_pipe());
  const SpawnActions how(command, in, out, err);
  const auto argv = pointers(command.argv), environment = pointers(command.environment);
  pid_t pid = -1;
  const int failed = ::posix_spawn(&pid, command.argv[0].c_str(), &how.actions, &how.attributes,
                                   argv.data(), environment.data());
  if (failed != 0)
    return fail(Code::io_error,
                fmt::format("start '{}' in '{}': {}", printable(command.argv[0], 400),
                            printable(command.cwd, 400), error_words(failed)));
  for (const Fd* fd : {&in.write, &out.read, &err.read})
    set_nonblocking(*fd);
  return Spawned{Child(pid), std::move(in.write), std::move(out.read), std::move(err.read)};
}

enum class Progress : std::uint8_t { moved, would_block, closed };

/// Writes the front of `bytes` and drops it from the view. A child that does not read is no error.
Progress feed(Fd& fd, std::string_view& bytes) {
  const SigpipeBlock guard;
  const ssize_t put = ::write(fd.get(), bytes.data(), std::min(bytes.size(), kBlock));
  if (put < 0) return errno == EAGAIN || errno == EINTR ? Progress::would_block : Progress::closed;
  bytes.remove_prefix(static_cast<std::size_t>(put));
  return Progress::moved;
}

/// Reads once and appends what fits below `limit`; `cut` tells whether something was dropped.
Progress drain(Fd& fd, std::string& into, std::size_t limit, bool& cut) {
  std::array<char, kBlock> block;
  const ssize_t got = ::read(fd.get(), block.data(), block.size());
  if (got < 0) return errno == EAGAIN || errno == EINTR ? Progress::would_block : Progress::closed;
  if (got == 0) return Progress::closed;
  const std::size_t room = limit - std::min(limit, into.size());
  into.append(block.data(), std::min(static_cast<std::size_t>(got), room));
  cut = cut || static_cast<std::size_t>(got) > room;
  return Progress::moved;
}

/// Takes what already lies in the pipe, in a bounded number of reads: whoever holds the other end
/// open cannot keep us here.
void drain_available(Fd& fd, std::string& into, std::size_t limit, bool& cut) {
  for (int round = 0; fd && round < kMaxDrainReads; ++round)
    if (drain(fd, into, limit, cut) != Progress::moved) return;
}

milliseconds left_until(Clock::time_point deadline) {
  return std::max(milliseconds{0}, std::chrono::ceil<milliseconds>(deadline - Clock::now()));
}

/// Waits for an event on any of the open descriptors; poll ignores negative ones.
template <std::size_t N>
void wait_for(std::array<pollfd, N>& watched, milliseconds patience) {
  const auto limit = milliseconds{3'600'000};
  ::poll(watched.data(), watched.size(), static_cast<int>(std::min(patience, limit).count()));
}

bool is_ready(const pollfd& fd) { return fd.fd >= 0 && fd.revents != 0; }

}  // namespace

struct Running::State {
  Spawned spawned;
  std::string_view input;
  std::size_t max_output;
  std::function<bool()> give_up;
  Clock::time_point started, deadline;
  Finished finished{};

  void step();
};

/// One round of the poll loop: waits, then moves bytes in all three directions.
void Running::State::step() {
  auto& [child, in, out, err] = spawned;
  if (input.empty()) in = Fd();
  std::array<pollfd, 4> watched{pollfd{in.get(), POLLOUT, 0}, pollfd{out.get(), POLLIN, 0},
                                pollfd{err.get(), POLLIN, 0},
                                pollfd{child.pidfd().get(), POLLIN, 0}};
  milliseconds patience = left_until(deadline);
  if (give_up) patience = std::min(patience, kAskEvery);
  wait_for(watched, child.pidfd() ? patience : std::min(patience, kPollWithoutPidfd));
  if (is_ready(watched[0]) && feed(in, input) == Progress::closed) input = {};
  bool& cut = finished.output_cut;
  if (is_ready(watched[1]) && drain(out, finished.out, max_output, cut) == Progress::closed)
    out = Fd();
  if (is_ready(watched[2]) && drain(err, finished.err, max_output, cut) == Progress::closed)
    err = Fd();
}

Running::Running(std::unique_ptr<State> state) : state_(std::move(state)) {}
Running::Running(Running&&) noexcept = default;
Running& Running::operator=(Running&&) noexcept = default;
Running::~Running() = default;

Result<Running> Running::start(const Command& command) {
  const auto started = Clock::now();
  GH_TRY(spawned, spawn(command));
  return Running(
      std::make_unique<State>(State{std::move(spawned), command.input, command.max_output,
                                    command.give_up, started, started + command.timeout}));
}

Result<Finished> Running::wait() { return wait_while({}); }

Result<Finished> Running::wait_while(std::function<void()> meanwhile) {
  State& state = *state_;
  while (!state.spawned.child.has_ended()) {
    if (meanwhile && state.input.empty()) {
      state.spawned.in = Fd();
      std::exchange(meanwhile, {})();
    }
    if (Clock::now() >= state.deadline || (state.give_up && state.give_up())) {
      state.finished.timed_out = true;
      break;
    }
    state.step();
  }
  state.finished.exit_code = state.spawned.child.end();
  bool& cut = state.finished.output_cut;
  drain_available(state.spawned.out, state.finished.out, state.max_output, cut);
  drain_available(state.spawned.err, state.finished.err, state.max_output, cut);
  state.finished.duration = std::chrono::duration_cast<milliseconds>(Clock::now() - state.started);
  return std::move(state.finished);
}

Result<Finished> Running::wait(std::string_view input, milliseconds timeout,
                               std::function<void()> meanwhile) {
  state_->input = input;
  state_->started = Clock::now();
  state_->deadline = state_->started + timeout;
  return wait_while(std::move(meanwhile));
}

Result<Finished> run(const Command& command) {
  GH_TRY(running, Running::start(command));
  return running.wait();
}

struct Conversation::State {
  Spawned spawned;
  std::string program;
  milliseconds timeout;
  std::string buffer{};  // answered, not yet taken
  std::size_t taken = 0;
  std::string err{};

  Status exchange(std::string_view& pending, Clock::time_point deadline);
  Status fill(std::size_t at_least, Clock::time_point deadline);
  void compact();
  tl::unexpected<Error> broken(std::string_view what);
};

tl::unexpected<Error> Conversation::State::broken(std::string_view what) {
  bool cut = false;
  drain_available(spawned.err, err, kMaxStderr, cut);
  return fail(Code::io_error, fmt::format("{} {}: {}", printable(program, 400), what,
                                          err.empty() ? "no message" : printable(err, 400)));
}

/// Waits once and moves what can move; fails when the child is gone or too slow.
Status Conversation::State::exchange(std::string_view& pending, Clock::time_point deadline) {
  auto& [child, in, out, err_fd] = spawned;
  if (Clock::now() >= deadline) return broken("did not answer in time");
  std::array<pollfd, 3> watched{pollfd{pending.empty() ? -1 : in.get(), POLLOUT, 0},
                                pollfd{out.get(), POLLIN, 0}, pollfd{err_fd.get(), POLLIN, 0}};
  wait_for(watched, left_until(deadline));
  bool cut = false;
  if (is_ready(watched[2]) && drain(err_fd, err, kMaxStderr, cut) == Progress::closed)
    err_fd = Fd();
  if (is_ready(watched[1]) && drain(out, buffer, kMaxBuffered, cut) == Progress::closed)
    return broken("ended early");
  if (buffer.size() >= kMaxBuffered) return broken("answered too much");
  if (is_ready(watched[0]) && feed(in, pending) == Progress::closed)
    return broken("stopped reading");
  return {};
}

Status Conversation::State::fill(std::size_t at_least, Clock::time_point deadline) {
  std::string_view nothing;
  while (buffer.size() - taken < at_least)
    GH_DO(exchange(nothing, deadline));
  return {};
}

/// Gives taken bytes back once they outweigh the rest, so that the cost stays linear.
void Conversation::State::compact() {
  if (taken < buffer.size() / 2) return;
  buffer.erase(0, taken);
  taken = 0;
}

Conversation::Conversation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Conversation::Conversation(Conversation&&) noexcept = default;
Conversation& Conversation::operator=(Conversation&&) noexcept = default;
Conversation::~Conversation() = default;

Result<Conversation> Conversation::start(const Command& command) {
  GH_TRY(spawned, spawn(command));
  Conversation made(
      std::make_unique<State>(State{std::move(spawned), command.argv[0], command.timeout}));
  if (!command.input.empty()) GH_DO(made.write(command.input));
  return made;
}

Status Conversation::write(std::string_view bytes) {
  const auto deadline = Clock::now() + state_->timeout;
  while (!bytes.empty())
    GH_DO(state_->exchange(bytes, deadline));
  return {};
}

Result<std::string> Conversation::read_line(std::size_t max) {
  State& state = *state_;
  const auto deadline = Clock::now() + state.timeout;
  for (std::size_t seen = 0;;) {
    const std::size_t end = state.buffer.find('\n', state.taken + seen);
    seen = std::min(end, state.buffer.size()) - state.taken;
    if (seen > max) return state.broken("answered with a line that is too long");
    if (end != std::string::npos) {
      std::string line = state.buffer.substr(state.taken, seen);
      state.taken = end + 1;
      state.compact();
      return line;
    }
    GH_DO(state.fill(seen + 1, deadline));
  }
}

Result<std::string> Conversation::read_exact(std::size_t count) {
  State& state = *state_;
  if (count >= kMaxBuffered) return state.broken("answered with too many bytes");
  GH_DO(state.fill(count, Clock::now() + state.timeout));
  std::string bytes = state.buffer.substr(state.taken, count);
  state.taken += count;
  state.compact();
  return bytes;
}

std::string Conversation::stderr_tail() {
  bool cut = false;
  drain_available(state_->spawned.err, state_->err, kMaxStderr, cut);
  return state_->err;
}

}  // namespace gh::sys
