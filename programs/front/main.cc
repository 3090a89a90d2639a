// `gatehouse`: what stands in front of the whole program, `gatehouse-main`, which lies beside it.
// It answers what an agent host asks before a step, from files and without a library, because that
// is asked most often and waited for; and git, which asks at every move of a ref three times and
// needs an answer once, where a branch moves. Everything else, and every step that needs more than
// files, is given to the whole program, which is made of the same parts (docs/adr/0031).
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
#include "hooks/git_hook.h"
#include "ops/hook_far.h"
#include "ops/hook_host.h"
#include "sys/env.h"
#include "sys/files.h"
#include "sys/own_program.h"

namespace {

using namespace gh;

constexpr int kInternal = 5, kEnvironment = 4;

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

/// A front alone is no broken program: it was copied without the file that it stands in front of.
[[noreturn]] void tell_missing(const std::string& whole) {
  const std::string line =
      "gatehouse: exit 4: io_error: " + whole +
      " is missing or cannot be started\n  next: gatehouse, gatehouse-main and gatehouse-pdf of "
      "one "
      "build belong into one folder; install all three, or link to gatehouse where they lie\n";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
  std::_Exit(start.is_hook ? cli::kHookBlocks : kEnvironment);
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
  const char* const command = start.argv[0] == nullptr ? nullptr : start.argv[1];
  if (command == nullptr || !sys::stays(command))
    ::setenv(sys::kHeapVariable, sys::kHeapInLargePages, 0);  // a setting of the user's own is kept
  (void)::execv(whole.c_str(), start.argv);
  tell_missing(whole);
}

Result<Value> no_json(std::string_view, std::string_view) { hand_over(); }
Result<hooks::Rules> no_rules(const ops::HookSite&) { hand_over(); }
void other_build() { hand_over(); }
std::vector<std::string> no_places(const ops::HookSite&, ops::Context&) { hand_over(); }
ops::OwnMeaning no_meaning(std::span<const std::string>) { hand_over(); }

constexpr ops::HookFar kNothing{.read_own_json = no_json,
                                .work_tree_rules = no_rules,
                                .meet_other_build = other_build,
                                .meaning_of = no_meaning,
                                .tampered = no_places};

/// Nothing is written before the answer is known, so a step that is given away has not begun.
hooks::Answer answer(const ops::HookRequest& request, std::string_view input,
                     ops::Context& context) {
  start.input = input;
  start.has_read = true;
  if (auto known = ops::answer_step(request, input, context, kNothing)) return *std::move(known);
  hand_over();
}

/// Lines "OLD NEW REF" of which no REF is a branch. Anything else is for whoever reads them well.
bool moves_no_branch(std::string_view lines) {
  const auto is_side = [](std::string_view word) {  // an id, or "ref:NAME"
    return word.starts_with("ref:") ||
           (!word.empty() && word.find_first_not_of("0123456789abcdef") == word.npos);
  };
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    if (end == lines.npos) return false;
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 1);
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (first == line.npos || second == line.npos) return false;
    const std::string_view ref = line.substr(second + 1);
    if (!is_side(line.substr(0, first)) || !is_side(line.substr(first + 1, second - first - 1)) ||
        ref.empty() || ref.find(' ') != ref.npos || ref.starts_with(hooks::kBranches))
      return false;
  }
  return true;
}

/// A move of refs that the guard has nothing to say of: it was made or dropped already, or moves no
/// branch.
bool is_idle_transaction(const std::vector<std::string>& args) {
  if (args.size() != 4 || args[0] != "hook" || args[1] != "git" ||
      args[2] != "reference-transaction")
    return false;
  if (args[3] == "committed" || args[3] == "aborted") return true;
  if (args[3] != "prepared") return false;
  static std::string input;  // kept for whoever is handed it
  auto read = sys::read_stdin(hooks::kMaxRefInput);
  if (!read) give_up("the moves of refs cannot be read: " + read.error().message);
  input = std::move(*read);
  start.input = input;
  start.has_read = true;
  return moves_no_branch(input);
}

}  // namespace

extern "C" int gh_front(int argc, char** argv);  // called by start.cc

int gh_front(int argc, char** argv) {
  start.argv = argv;
  try {
    const std::vector<std::string> args(argv + 1, argv + argc);
    start.is_hook = cli::is_host_hook(args);
    if (is_idle_transaction(args)) std::_Exit(EXIT_SUCCESS);
    if (start.is_hook)
      if (const auto status = cli::run_host_hook(args, sys::real_env(), answer))
        std::_Exit(*status);
    hand_over();
  } catch (const std::exception& thrown) {
    give_up(thrown.what());
  }
}

int main(int argc, char** argv) { return gh_front(argc, argv); }
