#pragma once
// A real PostgreSQL server for the tests of one process: started when the first test asks for it,
// on loopback, with its files in a folder of its own, and stopped with the process. Whatever keeps
// it from starting is a failure, never a reason to skip.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/files.h"

namespace gh::testing {

class PostgresServer {
 public:
  static constexpr const char* kPassword = "a-password-nobody-may-see";

  PostgresServer() : binaries_(find_binaries()) {
    prepare_folder();
    run("initdb", {"--pgdata=" + data(), "--username=gatehouse", "--pwfile=" + file("password"),
                   "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync",
                   "--no-instructions"});
    start();
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer() { stop(SIGQUIT); }

  std::string url(const std::string& password = kPassword) const {
    return "postgres://gatehouse:" + password + "@127.0.0.1:" + std::to_string(port_) + "/postgres";
  }

  /// The server and all of its processes are gone at once, as with the power.
  void kill_hard() {
    const std::vector<pid_t> children = children_of(pid_);
    stop(SIGKILL);
    for (const pid_t child : children)
      kill(child, SIGKILL);
  }
  void stop(int signal) {
    if (pid_ <= 0) return;
    kill(pid_, signal);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  /// On the same port as before, if there was one.
  void start() {
    for (int attempt = 0; attempt < 20; ++attempt) {
      if (attempt > 0 && !started_once_) port_ = 0;
      if (port_ == 0) port_ = free_port();
      if (start_once()) return;
      usleep(250'000);  // processes of a killed server still hold its memory, or the port was taken
    }
    die("the server does not start");
  }

 private:
  static std::string find_binaries() {
    if (const char* given = std::getenv("GH_POSTGRES_BIN")) return given;
    const std::string root = "/usr/lib/postgresql";
    std::string best;
    int newest = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(root, ignored)) {
      const int version = std::atoi(entry.path().filename().c_str());
      const std::string folder = entry.path().string() + "/bin";
      if (version > newest && access((folder + "/initdb").c_str(), X_OK) == 0)
        newest = version, best = folder;
    }
    if (best.empty()) {
      std::cerr << "no PostgreSQL server below " << root << ": run ./dev setup\n";
      std::abort();
    }
    return best;
  }

  std::string file(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string data() const { return file("data"); }

  /// PostgreSQL refuses to run as root, so root hands the folder to an ordinary user.
  void prepare_folder() {
    std::ofstream(file("password")) << kPassword << "\n";
    if (geteuid() != 0) return;
    const passwd* nobody = getpwnam("nobody");
    if (nobody == nullptr) die("there is no user nobody");
    user_ = nobody->pw_uid;
    group_ = nobody->pw_gid;
    for (const std::string& path : {folder_.path(), file("password")})
      if (chown(path.c_str(), user_, group_) != 0) die("chown fails");
  }

  /// In the child: gives up root, dies with the test process, and becomes the program.
  [[noreturn]] void become(const std::string& program,
                           const std::vector<std::string>& words) const {
    if (user_ != 0 && (setgroups(0, nullptr) != 0 || setgid(group_) != 0 || setuid(user_) != 0))
      _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    const int log = open(file("log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(log, 1);
    dup2(log, 2);
    if (chdir(folder_.path().c_str()) != 0) _exit(126);
    std::vector<std::string> argv = words;
    argv.insert(argv.begin(), binaries_ + "/" + program);
    std::vector<char*> pointers;
    for (std::string& word : argv)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(127);
  }

  void run(const std::string& program, const std::vector<std::string>& words) const {
    const pid_t child = fork();
    if (child == 0) become(program, words);
    int status = -1;
    waitpid(child, &status, 0);
    if (status != 0) die(program + " fails");
  }

  bool start_once() {
    unlink((data() + "/postmaster.pid").c_str());
    pid_ = fork();
    if (pid_ == 0)
      become("postgres",
             {"-D", data(), "-k", folder_.path(), "-h", "127.0.0.1", "-p", std::to_string(port_),
              "-c", "fsync=on", "-c", "shared_buffers=16MB", "-c", "max_connections=160"});
    for (int waited = 0; waited < 600; ++waited) {
      if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
        pid_ = -1;
        return false;
      }
      if (read(data() + "/postmaster.pid").find("\nready") != std::string::npos) {
        started_once_ = true;
        return true;
      }
      usleep(50'000);
    }
    die("the server starts, but is never ready");
  }

  static int free_port() {
    const sys::Fd probe(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(probe.get(), reinterpret_cast<sockaddr*>(&address), size);
    getsockname(probe.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }

  static std::vector<pid_t> children_of(pid_t parent) {
    const std::string id = std::to_string(parent);
    std::istringstream words(read("/proc/" + id + "/task/" + id + "/children"));
    std::vector<pid_t> out;
    for (pid_t child = 0; words >> child;)
      out.push_back(child);
    return out;
  }

  /// What a process tells of itself may end with it in the middle.
  static std::string read(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }

  [[noreturn]] void die(const std::string& why) const {
    std::cerr << "PostgreSQL for tests: " << why << "\n" << read(file("log")) << std::flush;
    std::abort();
  }

  sys::TempDir folder_ = std::move(*sys::TempDir::create("/tmp", "gh-postgres-"));
  std::string binaries_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  int port_ = 0;
  pid_t pid_ = -1;
  bool started_once_ = false;
};

/// The one server of this process.
inline PostgresServer& postgres_server() {
  static PostgresServer server;
  return server;
}

}  // namespace gh::testing
