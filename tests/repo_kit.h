#pragma once
// A repository with two files, opened with a world of which tests set parts. Private to the tests
// of git.
#include <cstdlib>
#include <map>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git/repo.h"
#include "tests/git_sandbox.h"

namespace gh::git {

using gh::testing::GitSandbox;
using std::string_literals::operator""s;

/// The real world but for what a test sets.
class TestEnv final : public sys::Env {
 public:
  Timestamp now() override { return sys::real_env().now(); }
  std::int64_t monotonic_ms() override { return 0; }
  std::string random_hex(std::size_t digits) override { return std::string(digits, '0'); }
  std::string variable(std::string_view name) override { return variables[std::string(name)]; }
  std::uint32_t user_id() override { return user; }
  std::int64_t process_id() override { return 1; }
  std::string host_name() override { return "host"; }

  std::map<std::string, std::string> variables;
  std::uint32_t user = geteuid();
};

inline const std::string kBase = "one\ntwo\nthree\n";
inline const std::string kPatched = "one\nTWO\nthree\n";
inline const std::string kPatch =
    "diff --git a/dir/a.txt b/dir/a.txt\n--- a/dir/a.txt\n+++ b/dir/a.txt\n"
    "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";

inline void fill(const GitSandbox& sandbox) {
  sandbox.write("dir/a.txt", kBase);
  sandbox.write("b.txt", "b\n");
  sandbox.commit("first");
}

inline void make_executable(const std::string& path, const std::string& text) {
  ASSERT_TRUE(sys::write_file_atomic(path, text, 0755));
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
}

class RepoTest : public ::testing::Test {
 protected:
  RepoTest() { fill(sandbox_); }

  Result<Repo> open(const std::string& folder) {
    options_.folder = folder;
    return Repo::open(options_, env_);
  }
  Repo opened() {
    auto repo = open(sandbox_.root());
    EXPECT_TRUE(repo) << repo.error().message;
    return std::move(repo).value();
  }
  /// Code of the refusal; internal_error when there is none.
  Code refusal(const std::string& folder) {
    auto repo = open(folder);
    return repo ? Code::internal_error : repo.error().code;
  }

  /// A check of the standard patch, as the gate does it.
  template <class SomeRepo>
  static ApplyCheck check(SomeRepo&& repo, std::string_view patch = kPatch) {
    const auto quarantine = repo.quarantine();
    const auto kind = repo.hash_kind();
    EXPECT_TRUE(quarantine->write_index(
        {{"dir/a.txt", FileMode::regular, ObjectId::of(kind, "blob", kBase)}}, kind));
    auto done = repo.apply_check(*quarantine, patch);
    EXPECT_TRUE(done) << done.error().message;
    return std::move(done).value();
  }

  /// A program named git that does `script`, then what git does. Made the one to use.
  std::string stand_in(const std::string& script) {
    const std::string folder = sandbox_.folder() + "/stand-in";
    EXPECT_TRUE(sys::make_folders(folder));
    make_executable(folder + "/git", "#!/bin/sh\n" + script + "\nexec /usr/bin/git \"$@\"\n");
    options_.git_folder = folder;
    return folder;
  }

  GitSandbox sandbox_;
  TestEnv env_;
  OpenOptions options_;
};

}  // namespace gh::git
