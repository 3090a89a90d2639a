// Builds the real world and opens the door that was knocked at. Nothing is decided here.
#include <array>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "base/product.h"
#include "cli/cli.h"
#include "cli/hook_door.h"
#include "forge/door.h"
#include "inventory/door.h"
#include "mcp/stdio.h"
#include "serve/serve.h"
#include "sys/env.h"
#include "sys/isolate.h"
#include "sys/own_program.h"

namespace {

/// glibc has read it; nobody else is to.
void forget_heap_setting() {
  const char* set = std::getenv(gh::sys::kHeapVariable);
  if (set != nullptr && std::string_view(set) == gh::sys::kHeapInLargePages)
    ::unsetenv(gh::sys::kHeapVariable);
}

/// The system takes everything back at once; destructors would take longer than some commands.
/// Nothing is buffered: answers are written with write(2).
[[noreturn]] void leave(int status) { std::_Exit(status); }

/// `--version` is asked by scripts at every start: no table, no allocation.
bool print_version_only(int argc, char** argv) {
  if (argc != 2) return false;
  const std::string_view arg = argv[1];
  if (arg != "--version" && arg != "-V") return false;
  std::string line(gh::kProduct);
  line += ' ';
  line += gh::kVersion;
  line += '\n';
  return ::write(STDOUT_FILENO, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

constexpr std::array kDoors{gh::cli::Door{"comment_post", gh::forge::open_comment_post},
                            gh::cli::Door{"mcp", gh::mcp::open_mcp},
                            gh::cli::Door{"serve", gh::serve::open_serve},
                            gh::cli::Door{"inventory_release", gh::inventory::open_inventory}};

}  // namespace

int main(int argc, char** argv) {
  if (print_version_only(argc, argv)) leave(0);
  forget_heap_setting();
  bool is_hook = false;
  try {
    const std::vector<std::string> args(argv + 1, argv + argc);
    if (!args.empty() && args[0] == gh::sys::kIsolatedWord)
      leave(gh::sys::isolated_main({args.begin() + 1, args.end()}));
    if (argc > 0 && gh::cli::is_old_name(argv[0]))
      leave(gh::cli::run(args, gh::sys::real_env(), kDoors, true));
    is_hook = gh::cli::is_host_hook(args);
    if (const auto status = gh::cli::run_host_hook(args, gh::sys::real_env(), gh::ops::answer_hook))
      leave(*status);
    leave(gh::cli::run(args, gh::sys::real_env(), kDoors));
  } catch (const std::exception& thrown) {
    const std::string line =
        std::string("gatehouse: exit 5: internal_error: ") + thrown.what() + "\n";
    (void)!::write(STDERR_FILENO, line.data(), line.size());
    leave(is_hook ? gh::cli::kHookBlocks : 5);
  }
}
