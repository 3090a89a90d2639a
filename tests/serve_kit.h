#pragma once
// The real program as a server on a free port, stopped in good order at the end.
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/gatehouse_binary.h"
#include "tests/http_kit.h"

namespace gh::testing {

class Served {
 public:
  explicit Served(std::vector<std::string> more, const std::string& cwd = "/") {
    std::vector<std::string> words{"/usr/bin/env", "-C",       cwd,          gatehouse_path(),
                                   "serve",        "--listen", "127.0.0.1:0"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<std::string> environment = plain_environment();
    int pipe[2];
    EXPECT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    EXPECT_EQ(::posix_spawn(&pid_, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                            pointers(environment).data()),
              0);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    char byte = 0;
    while (::read(pipe[0], &byte, 1) == 1 && byte != '\n')
      said_ += byte;
    ::close(pipe[0]);
    const std::size_t colon = said_.rfind(':');
    if (colon != std::string::npos)
      port_ = static_cast<std::uint16_t>(std::strtoul(said_.c_str() + colon + 1, nullptr, 10));
  }
  ~Served() {
    if (pid_ > 0) (void)stop();
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  std::uint16_t port() const { return port_; }
  pid_t pid() const { return pid_; }
  const std::string& said() const { return said_; }
  /// Its exit status after SIGTERM.
  int stop() {
    ::kill(pid_, SIGTERM);
    return wait();
  }
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words)
      out.push_back(word.data());
    out.push_back(nullptr);
    return out;
  }

  pid_t pid_ = 0;
  std::uint16_t port_ = 0;
  std::string said_;
};

}  // namespace gh::testing
