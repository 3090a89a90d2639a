#pragma once
// A work tree behind the hooks of git, and repositories that it pushes to.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"

namespace gh::testing {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

inline constexpr const char* kEnforcing = "hooks:\n  mode: enforce\n";

/// A work tree with our hooks, which enforce.
class GitHooks : public ::testing::Test {
 protected:
  explicit GitHooks(const std::string& format = "sha1") : repo(format) {
    repo.write("README.md", "hello\n");
    repo.write("src/a.txt", "one\n");
    repo.write("gatehouse.yaml", std::string("patch:\n  max_files: 2\n") + kEnforcing);
    repo.commit("start");
  }
  void install(Words more = {}) const {
    more.insert(more.begin(), {"hook", "install"});
    const Ran ran = gatehouse(more, repo.root());
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  Ran git(Words words, Words environment = {}, const std::string& at = "") const {
    words.insert(words.begin(), "/usr/bin/git");
    return run_program(std::move(words), at.empty() ? repo.root() : at, {}, std::move(environment));
  }
  /// Stages everything; gives what `git commit` said.
  Ran commit(Words more = {}, Words environment = {}) const {
    EXPECT_EQ(git({"add", "-A"}).code, 0);
    Words words{"commit", "-q", "-m", "a change"};
    words.insert(words.end(), more.begin(), more.end());
    return git(std::move(words), std::move(environment));
  }
  std::string head(const std::string& at = "") const {
    return git({"rev-parse", "HEAD"}, {}, at).out;
  }
  void write_three() const {
    for (const char* name : {"x1.txt", "x2.txt", "x3.txt"})
      repo.write(name, "new\n");
  }
  /// Two branches that leave main: one within the policy, one out of it.
  void make_good_and_bad() const {
    EXPECT_EQ(git({"checkout", "-q", "-b", "good"}).code, 0);
    repo.write("src/a.txt", "two\n");
    repo.commit("good");
    EXPECT_EQ(git({"checkout", "-q", "-b", "bad", "main"}).code, 0);
    write_three();
    repo.commit("bad");
  }
  std::size_t events(const std::string& name, const std::string& at = "") const {
    const Ran ran = gatehouse({"audit", "export"}, at.empty() ? repo.root() : at);
    std::size_t out = 0;
    for (const std::string_view line : split(ran.out, '\n'))
      out += contains(line, "\"event\":\"" + name + "\"") ? 1 : 0;
    return out;
  }
  /// A bare repository beside it that takes pushes through its own hooks.
  std::string server(const std::string& format = "sha1") const {
    const std::string at = repo.folder() + "/server.git";
    EXPECT_EQ(git({"init", "-q", "--bare", "-b", "main", "--object-format=" + format, at}).code, 0);
    EXPECT_EQ(git({"push", "-q", at, "main"}).code, 0);
    const Ran ran = gatehouse({"hook", "install"}, at);
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    EXPECT_TRUE(fs::exists(at + "/hooks/pre-receive"));
    EXPECT_FALSE(fs::exists(at + "/hooks/pre-commit"));
    return at;
  }
  std::string ref_of(const std::string& at, const std::string& ref) const {
    return git({"rev-parse", "-q", "--verify", ref}, {}, at).out;
  }

  GitSandbox repo;
};

}  // namespace gh::testing
