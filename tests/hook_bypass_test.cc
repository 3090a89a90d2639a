// Every way around the gate that we know of, really tried in a repository behind the hooks of
// Claude Code: which layer stops it? And everyday work, which none may stop.
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "base/text.h"
#include "tests/hook_attempts.h"
#include "tests/hook_kit.h"

namespace gh::testing {
namespace {

/// Copies of one prepared repository, each with a session that may edit src/app.py.
class Behind : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    world_ = new HookWorld();
    world_->start("s1", "src/app.py");
  }
  static void TearDownTestSuite() {
    delete world_;
    world_ = nullptr;
  }

  /// A copy at a path of its own. However long the tests take, the lease has not run out.
  std::string copy(std::string_view name) {
    world_->must({"change", "renew", "--session", "s1"});
    const std::string to = fmt::format("{}/{}", scratch_.path(), name);
    std::filesystem::copy(
        world_->repo.root(), to,
        std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
    return to;
  }
  /// Programs that a machine may lack are stood in for: to the gate a program is a name.
  static Ran in_bash(std::string_view command, const std::string& root, const std::string& home) {
    return run_program({"/bin/bash", "-c",
                        fmt::format("export HOME='{}'; PATH='{}':$PATH\n{}", home,
                                    world_->repo.folder() + "/bin", command)},
                       root);
  }
  /// All that a command may have changed: files, index, refs, settings, hooks, the ledger.
  static std::string state_of(const std::string& root, const std::string& home) {
    return in_bash(
               "git status --porcelain=v2 -z -uall | tr '\\0' '\\n'; git ls-files -s; git "
               "show-ref; git "
               "rev-parse HEAD; find . ~ -type f -not -path './.git/objects/*' -not -path "
               "'./.git/index*' -not -path './.git/logs/*' -not -path './.git/gatehouse/cache/*' "
               "-not -name '*.pyc' -not -path './.git/gatehouse/*-*' -not -path "
               "'./.git/*_HEAD' -not -path './.git/COMMIT_EDITMSG' | sort | xargs -d '\\n' stat -c "
               "'%n %a %h' ; find . ~ -type f -not -path './.git/objects/*' -not -path "
               "'./.git/index*' "
               "-not -path './.git/logs/*' -not -path './.git/gatehouse/*' -not -name '*.pyc' -not "
               "-path './.git/*_HEAD' | sort | xargs -d '\\n' sha256sum",
               root, home)
        .out;
  }

  static void prepare(const Attempt& attempt, const std::string& root, const std::string& home) {
    if (attempt.prepared.empty()) return;
    const Ran ran = in_bash(attempt.prepared, root, home);
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }

  /// The layer that stops the attempt; "nothing" when none does.
  std::string stopped(const Attempt& attempt) {
    const std::string root = copy("behind"), home = folder("home");
    prepare(attempt, root, home);
    EXPECT_EQ(ask_hook(root, "claude", claude_event("SessionStart", root)).code, 0);
    const Ran before = ask_hook(root, "claude", claude_bash("PreToolUse", root, attempt.command));
    EXPECT_EQ(before.code, 0) << before.err;
    if (contains(before.out, "\"permissionDecision\":\"deny\"")) return "before";
    EXPECT_EQ(before.out, "");
    (void)in_bash(attempt.command, root, home);
    const Ran after = ask_hook(root, "claude", claude_bash("PostToolUse", root, attempt.command));
    EXPECT_EQ(after.code, 0) << after.err;
    if (contains(after.out, "\"decision\":\"block\"")) return "after";
    (void)in_bash("git add -A", root, home);
    const Ran commit = gatehouse({"check", "--staged", "--session", "s1"}, root);
    return commit.code == 0 ? "nothing" : "commit";
  }

  std::string folder(std::string_view name) {
    const std::string path = fmt::format("{}/{}", scratch_.path(), name);
    std::filesystem::create_directories(path);
    return path;
  }

  void clear() {
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.path()))
      std::filesystem::remove_all(entry.path());
  }

  static HookWorld* world_;
  sys::TempDir scratch_ = *sys::TempDir::create("/tmp", "gh-hook-");
};
HookWorld* Behind::world_ = nullptr;

TEST_F(Behind, WhatNeverRanWouldHaveHadAnEffect) {
  for (const Attempt& attempt : kAttempts) {
    SCOPED_TRACE(attempt.name);
    if (attempt.stopped != "before") continue;  // it ran, and its effect was seen
    if (contains(attempt.name, "forged") || contains(attempt.name, "variable of the gate"))
      continue;  // they change what the gate believes, not the tree
    const std::string root = copy("bare"), home = folder("home");
    prepare(attempt, root, home);
    const std::string before = state_of(root, home);
    const Ran ran = in_bash(attempt.command, root, home);
    EXPECT_TRUE(state_of(root, home) != before) << ran.out << ran.err;
    clear();
  }
}

TEST_F(Behind, EveryAttemptIsStoppedByTheLayerThatTheTableNames) {
  for (const Attempt& attempt : kAttempts) {
    SCOPED_TRACE(attempt.name);
    EXPECT_EQ(stopped(attempt), attempt.stopped) << attempt.command;
    clear();
  }
}

TEST_F(Behind, EverydayWorkIsNotStopped) {
  const std::string root = copy("behind");
  for (const std::string_view command : kEveryday) {
    const Ran ran = ask_hook(root, "claude", claude_bash("PreToolUse", root, command));
    EXPECT_EQ(ran.code, 0) << command;
    EXPECT_EQ(ran.out + ran.err, "") << command;
  }
}

TEST(HookAttempts, AreManyAndEachIsTriedOnce) {
  EXPECT_GE(kAttempts.size(), 60u);
  EXPECT_GE(kEveryday.size(), 60u);
  for (std::size_t i = 0; i < kAttempts.size(); ++i)
    for (std::size_t j = i + 1; j < kAttempts.size(); ++j) {
      EXPECT_NE(kAttempts[i].name, kAttempts[j].name);
      EXPECT_NE(kAttempts[i].command, kAttempts[j].command) << kAttempts[i].name;
    }
}

TEST(HookAttempts, ThePageShowsEachWithTheLayerThatStopsIt) {
  std::ifstream in("docs/hooks.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  std::size_t rows = 0;
  for (const Attempt& attempt : kAttempts)
    EXPECT_TRUE(contains(page, fmt::format("\n| {} | {} |", attempt.name, attempt.stopped)))
        << attempt.name;
  for (const std::string_view line : split(page, '\n'))
    rows +=
        line.ends_with("| before |") || line.ends_with("| after |") || line.ends_with("| commit |");
  EXPECT_EQ(rows, kAttempts.size());
}

}  // namespace
}  // namespace gh::testing
