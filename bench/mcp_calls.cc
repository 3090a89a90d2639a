// mcp_calls WHAT GATEHOUSE REPOSITORY N: microseconds of one call of a `gatehouse mcp --stdio` that
// runs, as its client sees it: a line in, a line out. WHAT is `renew`, a renewal of the lease of an
// intent that was declared before, or `ping`, which does nothing. REPOSITORY has a run.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kWarm = 20;

[[noreturn]] void die(std::string_view what, std::string_view said = {}) {
  fmt::print(stderr, "mcp_calls: {} {}\n", what, said);
  std::exit(1);
}

class Client {
 public:
  Client(const char* program, const char* folder) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) die("no pipes");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::string words[] = {program, "-C", folder, "mcp", "--stdio"};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data(),
                    words[3].data(), words[4].data(), nullptr};
    if (posix_spawn(&pid_, program, &actions, nullptr, argv, environ) != 0) die("cannot start");
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  ~Client() {
    close(to_);
    waitpid(pid_, nullptr, 0);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(const std::string& line) {
    if (write(to_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      die("it is gone");
  }
  /// The answer, which is one line; whatever else comes has no id.
  std::string ask(std::string_view method, std::string_view params) {
    send(fmt::format("{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"{}\",\"params\":{}}}\n", ++id_,
                     method, params));
    const std::string id = fmt::format("\"id\":{}", id_);
    while (true) {
      std::string line = next();
      if (line.find(id) != std::string::npos) return line;
    }
  }
  void call(std::string_view tool, std::string_view arguments, std::string_view wanted) {
    const std::string said =
        ask("tools/call", fmt::format("{{\"name\":\"{}\",\"arguments\":{}}}", tool, arguments));
    if (said.find(wanted) == std::string::npos) die("not what was wanted:", said);
  }

 private:
  std::string next() {
    while (true) {
      if (const std::size_t end = held_.find('\n'); end != std::string::npos) {
        std::string line = held_.substr(0, end);
        held_.erase(0, end + 1);
        return line;
      }
      char chunk[65536];
      const ssize_t n = read(from_, chunk, sizeof chunk);
      if (n <= 0) die("it says no more");
      held_.append(chunk, static_cast<std::size_t>(n));
    }
  }

  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::int64_t id_ = 0;
  std::string held_{};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::string_view what = argv[1];
  const std::int64_t count = std::strtoll(argv[4], nullptr, 10);
  Client client(argv[2], argv[3]);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"bench","version":"1"}})");
  client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
  if (what == "renew")
    client.call("start_controlled_change",
                R"({"scope":{"allowed_files":["src/some_module/some_file.cc"]},)"
                R"("intent":"make the parser refuse what the printer cannot print"})",
                R"("status":"active")");
  const auto once = [&](std::int64_t i) {
    if (what == "ping") {
      (void)client.ask("ping", "{}");
      return;
    }
    // Another length each time: within a second the record would stay as it is otherwise.
    client.call("manage_change_intent",
                fmt::format("{{\"action\":\"renew\",\"lease_seconds\":{}}}", 60 + i % 500),
                R"("lease_renewed":true)");
  };
  for (int i = 0; i < kWarm; ++i)
    once(i);
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < count; ++i)
    once(i);
  const double spent =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{:.1f}\n", spent / static_cast<double>(count));
  return 0;
}
