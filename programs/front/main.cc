// `gatehouse`: what stands in front of the whole program, `gatehouse-main`, which lies beside it.
// It answers what an agent host asks before a step, from files and without a library, because that
// is asked most often and waited for. Everything else, and every step that needs more than files,
// is given to the whole program, which is made of the same parts (docs/adr/0031).
#include <array>
#include <climits>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "cli/hook_door.h"
#include "ops/hook_far.h"
#include "ops/hook_host.h"
#include "sys/env.h"
#include "sys/own_program.h"

namespace {

using namespace gh;

constexpr int kInternal = 5;

/// What the whole program needs to start where we are.
struct Start {
  char** argv = nullptr;
  std::string_view input{};  // what was read from standard input
  bool has_read = false;
  bool is_hook = false;
};
Start start;

[[noreturn]] void give_up(std::string_view why) {
  std::string line = "gatehouse: exit 5: internal_error: ";
  line += why;
  line += '\n';
  (void)!::write(STDERR_FILENO, line.data(), line.size());
  std::_Exit(start.is_hook ? cli::kHookBlocks : kInternal);
}

/// What was read is there again for whoever reads it next.
void put_back(std::string_view input) {
  const int file = ::memfd_create("event", 0);
  while (file >= 0 && !input.empty()) {
    const ssize_t put = ::write(file, input.data(), input.size());
    if (put <= 0) break;
    input.remove_prefix(static_cast<std::size_t>(put));
  }
  if (file < 0 || !input.empty() || ::lseek(file, 0, SEEK_SET) != 0 ||
      ::dup2(file, STDIN_FILENO) < 0)
    give_up("the event cannot be handed on");
  if (file != STDIN_FILENO) (void)::close(file);
}

[[noreturn]] void hand_over() {
  std::array<char, PATH_MAX> self{};
  const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size());
  if (length <= 0 || static_cast<std::size_t>(length) >= self.size())
    give_up("the program cannot find itself");
  std::string whole(self.data(), static_cast<std::size_t>(length));
  whole.erase(whole.rfind('/') + 1);
  whole += sys::kWholeProgram;
  if (start.has_read) put_back(start.input);
  (void)::execv(whole.c_str(), start.argv);
  give_up(whole + " is missing or cannot be started");
}

Result<Value> no_json(std::string_view, std::string_view) { hand_over(); }
Result<hooks::Rules> no_rules(const ops::HookSite&) { hand_over(); }
void other_build() { hand_over(); }
ops::OwnMeaning no_meaning(std::span<const std::string>) { hand_over(); }

constexpr ops::HookFar kNothing{.read_own_json = no_json,
                                .work_tree_rules = no_rules,
                                .meet_other_build = other_build,
                                .meaning_of = no_meaning};

/// Nothing is written before the answer is known, so a step that is given away has not begun.
hooks::Answer answer(const ops::HookRequest& request, std::string_view input,
                     ops::Context& context) {
  start.input = input;
  start.has_read = true;
  if (auto known = ops::answer_step(request, input, context, kNothing)) return *std::move(known);
  hand_over();
}

}  // namespace

extern "C" int gh_front(int argc, char** argv);  // called by start.cc

int gh_front(int argc, char** argv) {
  start.argv = argv;
  try {
    const std::vector<std::string> args(argv + 1, argv + argc);
    start.is_hook = cli::is_host_hook(args);
    if (start.is_hook)
      if (const auto status = cli::run_host_hook(args, sys::real_env(), answer))
        std::_Exit(*status);
    hand_over();
  } catch (const std::exception& thrown) {
    give_up(thrown.what());
  }
}

int main(int argc, char** argv) { return gh_front(argc, argv); }
