#pragma once
// `gatehouse mcp --stdio` as a host sees it: lines in, lines out, and every byte of them kept.
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/peek.h"
#include "tests/gatehouse_binary.h"
#include "wire/json.h"

namespace gh::testing {

class McpProcess {
 public:
  McpProcess(const std::string& folder, std::vector<std::string> more = {},
             std::vector<std::string> environment = {}) {
    ::signal(SIGPIPE, SIG_IGN);  // a server that has ended is seen by what it no longer says
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
      throw std::runtime_error("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> words{gatehouse_path(), "-C", folder, "mcp", "--stdio"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<std::string> variables = plain_environment();
    variables.insert(variables.end(), environment.begin(), environment.end());
    const auto pointers = [](std::vector<std::string>& texts) {
      std::vector<char*> all;
      for (std::string& text : texts)
        all.push_back(text.data());
      all.push_back(nullptr);
      return all;
    };
    const int failed = ::posix_spawn(&pid_, words[0].c_str(), &actions, nullptr,
                                     pointers(words).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    if (failed != 0) throw std::runtime_error("cannot start gatehouse");
    to_ = in[1];
    from_ = out[0];
  }
  ~McpProcess() {
    close_input();
    close_output();
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  McpProcess(const McpProcess&) = delete;
  McpProcess& operator=(const McpProcess&) = delete;

  void send_bytes(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(to_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;  // it is gone; what follows shows that
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void send(std::string line) { send_bytes(line += '\n'); }

  /// The next frame; null at the end of the stream. Anything that is no JSON object or array on
  /// a line of its own is a failure.
  Value next() {
    while (true) {
      if (const std::size_t end = held_.find('\n'); end != std::string::npos) {
        const std::string line = held_.substr(0, end);
        held_.erase(0, end + 1);
        auto frame = wire::read_json(line, "frame");
        EXPECT_TRUE(frame) << "no frame: " << line.substr(0, 300);
        return frame ? *frame : Value();
      }
      char chunk[65536];
      const ssize_t n = ::read(from_, chunk, sizeof chunk);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        EXPECT_EQ(held_, "") << "bytes that are no frame";
        return {};
      }
      held_.append(chunk, static_cast<std::size_t>(n));
    }
  }
  /// The answer to the request of that id; what comes before it is kept in `others`.
  Value answer(std::int64_t id) {
    while (true) {
      Value frame = next();
      if (frame.is_null() || (Peek(frame)["id"].number() == id && !Peek(frame)["method"].exists()))
        return frame;
      others.push_back(std::move(frame));
    }
  }
  Value ask(std::int64_t id, std::string_view method, const std::string& params = "{}") {
    send(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":)" + params + "}");
    return answer(id);
  }
  Value call(std::int64_t id, const std::string& tool, const std::string& arguments = "{}") {
    return ask(id, "tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
  }
  Value initialize(const std::string& revision = "2025-11-25") {
    Value answered = ask(0, "initialize",
                         R"({"protocolVersion":")" + revision +
                             R"(","capabilities":{},"clientInfo":{"name":"kit","version":"1"}})");
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return answered;
  }

  void close_input() {
    if (to_ >= 0) ::close(to_);
    to_ = -1;
  }
  void close_output() {
    if (from_ >= 0) ::close(from_);
    from_ = -1;
  }
  void signal(int number) const { ::kill(pid_, number); }
  pid_t pid() const { return pid_; }
  /// Exit status, and how long it took to come.
  int wait() {
    const auto began = std::chrono::steady_clock::now();
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    took = std::chrono::steady_clock::now() - began;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::vector<Value> others{};
  std::chrono::steady_clock::duration took{};

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::string held_{};
};

}  // namespace gh::testing
