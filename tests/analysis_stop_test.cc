// A signal ends an analysis at once, and leaves everything as it must be found.
#include <csignal>

#include <gtest/gtest.h>

#include "tests/kit.h"

namespace gh {
namespace {

std::string long_source(int seed) {
  std::string out;
  for (int f = 0; f < 400; ++f) {
    out += "def f" + std::to_string(seed) + "_" + std::to_string(f) + "(a, b):\n";
    for (int i = 0; i < 12; ++i)
      out += "    a = a + b * " + std::to_string(seed * 7919 + f * 13 + i) + "\n";
    out += "    return a\n\n\n";
  }
  return out;
}

struct World {
  World() {
    kit::fs::create_directories(repo);
    kit::git_says(repo, {"init", "-q", "-b", "main"});
    kit::write(repo / "a.py", "x = 1\n");
    kit::git_says(repo, {"add", "."});
    kit::git_says(repo, {"commit", "-q", "-m", "first"});
    for (int i = 0; i < 40; ++i)
      kit::write(repo / ("pkg/m" + std::to_string(i) + ".py"), long_source(i));
  }
  kit::Ran run(kit::Words more) const {
    kit::Words words{kit::gatehouse_binary()};
    words.insert(words.end(), more.begin(), more.end());
    return kit::run(words, {.cwd = repo});
  }
  kit::Scratch scratch;
  kit::fs::path repo = scratch.path() / "repo";
};

struct Stopped {
  int exit_code = -1;
  std::string err{};
};

/// Starts an analysis, waits until it says that it reads, and sends the signal.
Stopped stop_while_reading(const World& world, int signal) {
  int pipe[2];
  EXPECT_EQ(pipe2(pipe, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], 2);
  posix_spawn_file_actions_addchdir_np(&actions, world.repo.c_str());
  const kit::Words words{kit::gatehouse_binary(), "analyze", "--verbose", "--jobs", "1"};
  const kit::Words environment = kit::plain_environment();
  pid_t pid = -1;
  EXPECT_EQ(
      posix_spawn(&pid, words[0].c_str(), &actions, nullptr, kit::detail::pointers(words).data(),
                  kit::detail::pointers(environment).data()),
      0);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe[1]);
  Stopped out;
  bool sent = false;
  char buffer[512];
  for (ssize_t n = 0; (n = ::read(pipe[0], buffer, sizeof buffer)) > 0;) {
    out.err.append(buffer, static_cast<std::size_t>(n));
    if (!sent && out.err.find("reading") != std::string::npos) sent = kill(pid, signal) == 0;
  }
  close(pipe[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  out.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return out;
}

TEST(AnalysisStop, ASignalEndsItAtOnceAndNothingIsHalfDone) {
  const World world;
  ASSERT_EQ(world.run({"analyze", "--rev", "HEAD"}).exit_code, 0);
  for (const auto& [signal, code] : {std::pair{SIGTERM, 143}, std::pair{SIGINT, 130}}) {
    const Stopped stopped = stop_while_reading(world, signal);
    EXPECT_EQ(stopped.exit_code, code) << stopped.err;
    EXPECT_NE(stopped.err.find("gatehouse: exit " + std::to_string(code) + ": "), std::string::npos)
        << stopped.err;
    EXPECT_EQ(stopped.err.find("comparing"), std::string::npos) << stopped.err;
  }
  EXPECT_EQ(world.run({"db", "check"}).exit_code, 0);
  EXPECT_EQ(world.run({"audit", "verify"}).exit_code, 0);
  EXPECT_EQ(world.run({"runs", "list", "--field", "runs.0.source"}).out, "revision\n");
  const std::string warm = world.run({"analyze", "--field", "integrity.digest.value"}).out;
  kit::fs::remove_all(world.repo / ".git/gatehouse/cache");
  EXPECT_EQ(world.run({"analyze", "--field", "integrity.digest.value"}).out, warm);
}

}  // namespace
}  // namespace gh
