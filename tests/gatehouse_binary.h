#pragma once
// Runs the real program in a closed environment.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "sys/files.h"
#include "sys/process.h"

namespace gh::testing {

/// The program under test: $GH_BINARY, else the one of this build.
inline std::string gatehouse_path() {
  const char* named = std::getenv("GH_BINARY");
  return named != nullptr && *named != '\0' ? named : GH_BINARY;
}

struct Ran {
  int code = -1;
  std::string out, err;

  /// What a person reads at the very end.
  std::string last_error_line() const {
    if (err.empty()) return "";
    const std::size_t end = err.ends_with('\n') ? err.size() - 1 : err.size();
    const std::size_t begin = err.rfind('\n', end - 1);
    return err.substr(begin == std::string::npos ? 0 : begin + 1,
                      end - (begin == std::string::npos ? 0 : begin + 1));
  }
};

inline std::vector<std::string> plain_environment() {
  const std::string binary = gatehouse_path();
  return {"PATH=" + binary.substr(0, binary.rfind('/')) + ":/usr/local/bin:/usr/bin:/bin",
          "HOME=/nonexistent",
          "LC_ALL=C.UTF-8",
          "TZ=UTC",
          "GIT_CONFIG_NOSYSTEM=1",
          "GIT_CONFIG_GLOBAL=/dev/null",
          "GIT_AUTHOR_DATE=@1700000000 +0000",
          "GIT_COMMITTER_DATE=@1700000000 +0000"};
}

inline Ran run_program(std::vector<std::string> argv, const std::string& cwd,
                       std::string_view input = {}, std::vector<std::string> more = {}) {
  sys::Command command{.argv = std::move(argv), .environment = plain_environment(), .cwd = cwd};
  command.environment.insert(command.environment.end(), more.begin(), more.end());
  command.input = input;
  command.timeout = std::chrono::milliseconds(120'000);
  command.max_output = 16u << 20;
  const auto done = sys::run(command);
  EXPECT_TRUE(done) << "cannot start " << command.argv.front();
  if (!done) return {};
  EXPECT_FALSE(done->timed_out);
  return {done->exit_code, done->out, done->err};
}

inline Ran gatehouse(std::vector<std::string> args, const std::string& cwd,
                     std::string_view input = {}, std::vector<std::string> more = {}) {
  args.insert(args.begin(), gatehouse_path());
  return run_program(std::move(args), cwd, input, std::move(more));
}

/// A file as it is; empty when there is none.
inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A line as a person would paste it.
inline Ran shell(const std::string& line, const std::string& cwd) {
  return run_program({"/bin/bash", "-c", line}, cwd);
}

}  // namespace gh::testing
