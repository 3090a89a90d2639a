#include "cli/hook_door.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "hooks/event.h"
#include "sys/files.h"

namespace gh::cli {
namespace {

constexpr std::size_t kWordsBefore = 2;  // hook HOST
constexpr std::size_t kAlternateStack = 64u << 10;

// table: hook_fatal_signals
constexpr std::array kFatal{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGXCPU, SIGXFSZ};

/// Even a program that breaks must not open the gate.
extern "C" void block_on_crash(int) {
  constexpr std::string_view kWords =
      "Gatehouse: the hook broke down, so nothing may be written.\n";
  (void)!::write(STDERR_FILENO, kWords.data(), kWords.size());
  ::_exit(kHookBlocks);
}

void install_crash_handlers() {
  static std::array<char, kAlternateStack> stack;  // a stack that ran over cannot run a handler
  stack_t alternate{};
  alternate.ss_sp = stack.data();
  alternate.ss_size = stack.size();
  (void)sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_handler = block_on_crash;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int fatal : kFatal)
    (void)sigaction(fatal, &action, nullptr);
  (void)std::signal(SIGPIPE, SIG_IGN);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

int deliver(const hooks::Answer& answer) {
  (void)write_all(STDERR_FILENO, answer.err);
  if (answer.out.empty() || write_all(STDOUT_FILENO, answer.out)) return answer.exit;
  (void)write_all(STDERR_FILENO, answer.out);
  return kHookBlocks;  // the host never read the answer
}

/// Empty: understood.
std::string read_options(std::span<const std::string> args, ops::HookRequest& request) {
  for (std::size_t i = kWordsBefore; i < args.size(); ++i) {
    const std::string& arg = args[i];
    const std::size_t equals = arg.find('=');
    const std::string name = arg.substr(0, equals);
    std::string value = equals == std::string::npos ? std::string() : arg.substr(equals + 1);
    const bool takes_value = name == "--event" || name == "--budget-ms";
    if (takes_value && equals == std::string::npos) {
      if (++i == args.size()) return name + " needs a value";
      value = args[i];
    }
    if (arg == "--advise") {
      request.mode = policy::HookMode::advise;
    } else if (arg == "--enforce") {
      request.mode = policy::HookMode::enforce;
    } else if (name == "--event") {
      request.event = value;
    } else if (name == "--budget-ms") {
      const char* const end = value.data() + value.size();
      const auto [at, wrong] = std::from_chars(value.data(), end, request.budget_ms);
      if (wrong != std::errc{} || at != end || request.budget_ms < 1)
        return "--budget-ms needs a number";
    } else {
      return fmt::format("unknown option '{}'; 'gatehouse hook {} --help' has the list", arg,
                         args[1]);
    }
  }
  return {};
}

bool wants_help(std::span<const std::string> args) {
  return std::ranges::any_of(args,
                             [](const std::string& arg) { return arg == "--help" || arg == "-h"; });
}

}  // namespace

bool is_host_hook(std::span<const std::string> args) {
  for (std::size_t i = 0; i + 1 < args.size(); ++i)
    if (args[i] == "hook" && hooks::host_named(args[i + 1])) return true;
  return false;
}

std::optional<int> run_host_hook(std::span<const std::string> args, sys::Env& env,
                                 AnswerHook answer) {
  if (args.size() < kWordsBefore || args[0] != "hook") return std::nullopt;
  const auto host = hooks::host_named(args[1]);
  if (!host || wants_help(args)) return std::nullopt;
  install_crash_handlers();
  ops::HookRequest request{.host = *host};
  if (const std::string wrong = read_options(args, request); !wrong.empty())
    return deliver(hooks::block("Gatehouse: " + wrong));
  ops::Context context{.env = env,
                       .cwd = sys::real_path(".").value_or("/"),
                       .surface = "hook",
                       .read_input = {},
                       .stream = {},
                       .progress = {},
                       .notice = {},
                       .interrupted = [] { return false; }};
  const auto input = sys::read_stdin(hooks::kMaxEventBytes);
  return deliver(input ? answer(request, *input, context)
                       : ops::refuse_event(request, input.error().message, context));
}

}  // namespace gh::cli
