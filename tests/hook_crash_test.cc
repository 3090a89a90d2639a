// A hook that breaks must not open the gate: whatever kills it, short of SIGKILL, the host sees the
// status that stops the step.
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/hook_kit.h"

namespace gh::testing {
namespace {

/// A hook that waits for its event.
class Waiting {
 public:
  Waiting() {
    int in[2], err[2];
    EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(err, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    std::string program = gatehouse_path(), hook = "hook", host = "claude";
    char* words[] = {program.data(), hook.data(), host.data(), nullptr};
    std::string none = "LC_ALL=C";
    char* variables[] = {none.data(), nullptr};
    EXPECT_EQ(::posix_spawn(&pid_, program.c_str(), &actions, nullptr, words, variables), 0);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(err[1]);
    to_ = in[1];
    err_ = err[0];
  }
  ~Waiting() {
    ::close(to_);
    ::close(err_);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  /// Has it taken hold of its signals? The kernel tells.
  bool catches(int signal) const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigCgt:"))
        return ((std::stoull(line.substr(7), nullptr, 16) >> (signal - 1)) & 1) != 0;
    return false;
  }
  bool is_alive() const { return ::kill(pid_, 0) == 0; }
  /// Its wait status after the signal.
  int killed_by(int signal) const {
    ::kill(pid_, signal);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return status;
  }
  std::string told() const {
    std::string out;
    char bytes[512];
    for (ssize_t n = 0; (n = ::read(err_, bytes, sizeof bytes)) > 0;)
      out.append(bytes, static_cast<std::size_t>(n));
    return out;
  }

 private:
  pid_t pid_ = 0;
  int to_ = -1, err_ = -1;
};

TEST(HookCrash, WhateverKillsItTheStepIsStopped) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGXCPU, SIGXFSZ}) {
    SCOPED_TRACE(signal);
    const Waiting hook;
    while (hook.is_alive() && !hook.catches(signal))
      std::this_thread::yield();
    const int status = hook.killed_by(signal);
    ASSERT_TRUE(WIFEXITED(status)) << "died of a signal: the host would go on";
    EXPECT_EQ(WEXITSTATUS(status), 2);
    EXPECT_TRUE(contains(hook.told(), "nothing may be written"));
  }
}

/// No room in a file, no descriptor: each from within.
TEST(HookCrash, AHookWithoutMeansStopsTheStep) {
  const HookWorld mine;
  const std::string root = mine.repo.root();
  const std::string event = wire::canonical_json(claude_write(root, "src/other.py"));
  for (const char* limit : {"ulimit -f 0", "ulimit -n 3", "ulimit -n 4"}) {
    const Ran ran = run_program(
        {"/bin/bash", "-c", std::string(limit) + "; exec '" + gatehouse_path() + "' hook claude"},
        root, event);
    const bool denied = ran.code == 0 && contains(ran.out, "\"permissionDecision\":\"deny\"");
    // 127: the program could not even be loaded, which hosts take as onFailure says.
    EXPECT_TRUE(denied || ran.code == 2 || ran.code == 127)
        << limit << ran.code << ran.out << ran.err;
  }
}

}  // namespace
}  // namespace gh::testing
