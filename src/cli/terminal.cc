#include "cli/terminal.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

namespace gh::cli {
namespace {

Result<Written> write_fd(int fd, std::string_view bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EPIPE) {
      return Written::reader_gone;
    } else if (errno != EINTR && errno != EAGAIN) {
      return fail(Code::io_error, fmt::format("cannot write {}: {}", name, std::strerror(errno)));
    }
  }
  return Written::all;
}

bool is_set_and_not_zero(const std::string& value) { return !value.empty() && value != "0"; }

int as_number(const std::string& text) {
  int out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

bool is_utf8_locale(sys::Env& env) {
  for (std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = env.variable(name);
    if (value.empty()) continue;
    return contains(value, "UTF-8") || contains(value, "utf8") || contains(value, "utf-8") ||
           contains(value, "UTF8");
  }
  return false;
}

bool wants_colour(const Globals& globals, sys::Env& env, bool is_terminal) {
  if (globals.colour != When::automatic) return globals.colour == When::always;
  if (is_set_and_not_zero(env.variable("CLICOLOR_FORCE")) ||
      is_set_and_not_zero(env.variable("FORCE_COLOR")))
    return true;
  if (!env.variable("NO_COLOR").empty()) return false;
  if (env.variable("GITHUB_ACTIONS") == "true") return true;
  return is_terminal && env.variable("TERM") != "dumb";
}

// The one mutable global of the program: a signal handler can reach nothing else.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t g_signal = 0;
volatile std::sig_atomic_t g_held = 0;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

[[noreturn]] void end_by(int number) {
  constexpr std::string_view kInt = "gatehouse: exit 130: interrupted\n";
  constexpr std::string_view kTerm = "gatehouse: exit 143: terminated\n";
  const std::string_view line = number == SIGINT ? kInt : kTerm;
  (void)!::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(128 + number);
}

void on_signal(int number) {
  const bool first = g_signal == 0;
  g_signal = number;
  if (g_held != 0 && first) return;
  end_by(number);
}

/// The pager's process id with its standard input open for writing; nothing when it cannot start.
struct Pager {
  pid_t pid = -1;
  int input = -1;
};

Pager start_pager(const std::vector<std::string>& command) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return {};
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (const std::string& word : command)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[0], STDIN_FILENO);
  pid_t pid = -1;
  const int failed = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[0]);
  if (failed == 0) return {pid, pipe[1]};
  ::close(pipe[1]);
  return {};
}

}  // namespace

std::vector<std::string> pager_command(sys::Env& env) {
  for (std::string_view name : {"GATEHOUSE_PAGER", "PAGER"}) {
    const std::string wanted = env.variable(name);
    std::vector<std::string> words;
    for (std::string_view word : split(wanted, ' '))
      if (!word.empty()) words.emplace_back(word);
    if (!words.empty()) return words;
  }
  return {"less", "-FRX"};
}

Terminal look_at_terminal(sys::Env& env) {
  Terminal out;
  out.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  out.in_is_terminal = ::isatty(STDIN_FILENO) == 1;
  out.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  winsize size{};
  if (out.out_is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    out.columns = size.ws_col;
    out.rows = size.ws_row;
  }
  if (const int given = as_number(env.variable("COLUMNS")); given >= 20) out.columns = given;
  return out;
}

report::Look choose_look(const Globals& globals, const Terminal& terminal, sys::Env& env,
                         bool is_terminal) {
  report::Look out;
  out.width = std::clamp(terminal.columns, 40, 400);
  out.colour = wants_colour(globals, env, is_terminal);
  out.terminal = is_terminal;
  out.ascii = globals.ascii || !is_utf8_locale(env);
  out.verbosity = globals.verbosity;
  return out;
}

Result<Written> write_out(std::string_view bytes) {
  return write_fd(STDOUT_FILENO, bytes, "standard output");
}

void write_err(std::string_view bytes) { (void)write_fd(STDERR_FILENO, bytes, "standard error"); }

Result<Written> write_paged(std::string_view text, const Terminal& terminal, sys::Env& env) {
  const bool fits = std::ranges::count(text, '\n') < terminal.rows;
  if (!terminal.out_is_terminal || fits) return write_out(text);
  const Pager pager = start_pager(pager_command(env));
  if (pager.pid < 0) return write_out(text);
  auto written = write_fd(pager.input, text, "the pager");
  ::close(pager.input);
  int status = 0;
  while (::waitpid(pager.pid, &status, 0) < 0 && errno == EINTR) {
  }
  return written;
}

void install_signal_handlers() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
  struct sigaction act {};
  act.sa_handler = on_signal;
  act.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &act, nullptr);
  ::sigaction(SIGTERM, &act, nullptr);
}

void hold_signals(bool held) { g_held = held ? 1 : 0; }
void end_if_signalled() {
  if (g_signal != 0) end_by(g_signal);
}
int caught_signal() { return g_signal; }

}  // namespace gh::cli
