#pragma once
// The one process runner: posix_spawn, argv vectors, never a shell; the environment is exactly what
// is given; time and output are limited; on a time-out the whole process group is killed.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gh::sys {

struct Command {
  std::vector<std::string> argv;         // argv[0] is an absolute path
  std::vector<std::string> environment;  // "NAME=value", complete
  std::string cwd;                       // absolute
  std::string_view input{};              // fed to standard input, then closed
  std::chrono::milliseconds timeout{30'000};
  std::size_t max_output = 1u << 20;  // kept per stream; the rest is read and dropped
  std::function<bool()> give_up{};  // asked now and then while waiting; true ends it as a time-out
  int keep_open =
      -1;  // descriptor that the child holds too: a lock stays taken until both are gone
};

struct Finished {
  int exit_code = -1;  // 128 + signal when killed
  bool timed_out = false;
  bool output_cut = false;
  std::string out, err;
  std::chrono::milliseconds duration{0};
};

/// A started child that is waited for later, so that two children can run at the same time. The
/// bytes behind Command::input must live until wait() returns. Killed on destruction.
class Running {
 public:
  /// io_error when the program cannot be started (missing, not executable).
  static Result<Running> start(const Command&);
  Running(Running&&) noexcept;
  Running& operator=(Running&&) noexcept;
  ~Running();
  /// Feeds input and drains both streams until the child itself has ended; what it left behind in
  /// its process group is killed then. Call once.
  Result<Finished> wait();
  /// The same for a child that was started before its input was known; its time starts now.
  /// `meanwhile` is called once, when the child has its input and works on it.
  Result<Finished> wait(std::string_view input, std::chrono::milliseconds timeout,
                        std::function<void()> meanwhile = {});

 private:
  Result<Finished> wait_while(std::function<void()> meanwhile);
  struct State;
  explicit Running(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

/// start, then wait.
Result<Finished> run(const Command&);

/// A child kept open for questions and answers over pipes (cat-file --batch). Killed on
/// destruction.
class Conversation {
 public:
  static Result<Conversation> start(const Command&);  // timeout applies to each read
  Conversation(Conversation&&) noexcept;
  Conversation& operator=(Conversation&&) noexcept;
  ~Conversation();
  Status write(std::string_view bytes);
  Result<std::string> read_line(std::size_t max = 1u << 16);  // without LF
  Result<std::string> read_exact(std::size_t count);
  std::string stderr_tail();

 private:
  struct State;
  explicit Conversation(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace gh::sys
