#pragma once
// What end-to-end tests need of the world: a scratch folder, child processes, real git. None of it
// is product code, so that a fault of the product cannot hide in its own test.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gh::kit {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

inline void write(const fs::path& path, std::string_view bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

inline std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::string out;
  for (std::string piece(1 << 16, '\0'); in;) {  // at once: some files have 64 MiB
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    out.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  }
  return out;
}

inline void write_script(const fs::path& path, std::string_view body) {
  write(path, body);
  fs::permissions(path, fs::perms::owner_all);
}

/// A folder of its own, gone at the end of the scope.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "gatehouse-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = fs::canonical(name);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Ran {
  int exit_code = -1;
  std::string out, err;
};

struct How {
  fs::path cwd = {};
  Words environment = {};
  std::string_view input = {};
};

/// Neither the user's git configuration nor the variables of the shell reach a test.
inline Words plain_environment() {
  return {"PATH=/usr/local/bin:/usr/bin:/bin",
          "HOME=/nonexistent",
          "LC_ALL=C",
          "TZ=UTC",
          "GIT_CONFIG_NOSYSTEM=1",
          "GIT_CONFIG_GLOBAL=/dev/null",
          "GIT_AUTHOR_NAME=Tester",
          "GIT_AUTHOR_EMAIL=tester@example.org",
          "GIT_AUTHOR_DATE=1700000000 +0000",
          "GIT_COMMITTER_NAME=Tester",
          "GIT_COMMITTER_EMAIL=tester@example.org",
          "GIT_COMMITTER_DATE=1700000000 +0000"};
}

namespace detail {

inline std::vector<char*> pointers(const Words& words) {
  std::vector<char*> out;
  for (const std::string& word : words)
    out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

/// A file without a name that holds `bytes`, read position at the start.
inline int nameless_file(std::string_view bytes) {
  std::string name = (fs::temp_directory_path() / "gatehouse-io-XXXXXX").string();
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) throw std::runtime_error("no temporary file");
  unlink(name.c_str());
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n <= 0) throw std::runtime_error("temporary file full");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  lseek(fd, 0, SEEK_SET);
  return fd;
}

inline std::string drain(int fd) {
  const off_t size = lseek(fd, 0, SEEK_END);
  std::string out(static_cast<std::size_t>(size), '\0');
  if (pread(fd, out.data(), out.size(), 0) != size) throw std::runtime_error("short read");
  close(fd);
  return out;
}

}  // namespace detail

inline Ran run(const Words& argv, const How& how) {
  const int in = detail::nameless_file(how.input);
  const int out = detail::nameless_file({});
  const int err = detail::nameless_file({});
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  if (!how.cwd.empty()) posix_spawn_file_actions_addchdir_np(&actions, how.cwd.c_str());
  const Words environment = how.environment.empty() ? plain_environment() : how.environment;
  pid_t pid = -1;
  const int failed =
      posix_spawnp(&pid, argv[0].c_str(), &actions, nullptr, detail::pointers(argv).data(),
                   detail::pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(in);
  Ran ran;
  if (failed == 0) {
    int status = 0;
    waitpid(pid, &status, 0);
    ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  ran.out = detail::drain(out);
  ran.err = detail::drain(err);
  return ran;
}

inline Ran git(const fs::path& repo, Words args, std::string_view input = {},
               Words environment = {}) {
  args.insert(args.begin(), {"git", "-C", repo.string()});
  return run(args, {.cwd = {}, .environment = std::move(environment), .input = input});
}

/// git that must succeed; its output without the last line feed.
inline std::string git_says(const fs::path& repo, Words args, std::string_view input = {},
                            Words environment = {}) {
  Ran ran = git(repo, args, input, std::move(environment));
  if (ran.exit_code != 0) throw std::runtime_error("git " + args[0] + ": " + ran.err);
  if (ran.out.ends_with('\n')) ran.out.pop_back();
  return ran.out;
}

/// The program under test: GH_BINARY, else the one of this build.
inline std::string gatehouse_binary() {
  if (const char* named = std::getenv("GH_BINARY")) return named;
  return GH_BINARY;
}

inline Ran gatehouse(Words args, How how) {
  args.insert(args.begin(), gatehouse_binary());
  return run(args, how);
}

}  // namespace gh::kit
