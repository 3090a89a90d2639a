// What guards git was changed by a program, and the objection was ignored: git commits, merges and
// pushes nothing until it is undone, or a person keeps it.
#include <thread>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/hook_kit.h"

namespace gh::testing {
namespace {

std::string told(std::string_view out) {
  const auto document = wire::read_json(out);
  if (!document) return {};
  const Peek root(*document);
  const std::string_view denied = root["hookSpecificOutput"]["permissionDecisionReason"].text();
  return std::string(denied.empty() ? root["reason"].text() : denied);
}

/// A work tree with the hooks of git and of an agent host, and a home of its own.
class Tampered : public ::testing::Test {
 protected:
  Tampered() {
    world.repo.git({"config", "extensions.worktreeConfig", "true"});
    std::filesystem::create_directories(home() + "/.config/git");
    std::filesystem::create_symlink("../../dot", home() + "/.config/git/config");
    world.write("../home/dot", "[user]\n\tname = Ada\n");
    EXPECT_EQ(run("gatehouse hook install").code, 0);
    world.start("s1", "src/app.py");
    begin("s1");
  }
  std::string home() const { return world.repo.folder() + "/home"; }
  /// As the host runs it: its settings of git are those of that home.
  Ran run(const std::string& command, std::string_view input = {}) const {
    return run_program(
        {"/usr/bin/env", "-u", "GIT_CONFIG_GLOBAL", "HOME=" + home(), "/bin/bash", "-c", command},
        world.repo.root(), input);
  }
  std::string ask(const Value& event) const {
    return told(
        run("exec gatehouse hook claude --budget-ms 60000", wire::canonical_json(event)).out);
  }
  std::string before(std::string_view command, const std::string& session = "s1") const {
    return ask(claude_bash("PreToolUse", world.repo.root(), command, session));
  }
  std::string after(std::string_view command) const {
    return ask(claude_bash("PostToolUse", world.repo.root(), command));
  }
  void begin(const std::string& session) const {
    ask(claude_event("SessionStart", world.repo.root(), session));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // later files get later times
  }
  /// A step that no text tells anything of.
  std::string step(const std::string& python) const {
    world.write("../s.py", python + "\n");
    EXPECT_EQ(before("python3 ../s.py"), "");
    const Ran ran = run("python3 ../s.py");
    EXPECT_EQ(ran.code, 0) << ran.err;
    return after("python3 ../s.py");
  }
  bool is_stopped(std::string_view command, const std::string& session = "s1") const {
    const std::string said = before(command, session);
    return contains(said, "GH-BYPASS-001") && contains(said, "is not as it was");
  }

  HookWorld world;
};

struct Way {
  const char *name, *python, *place;
};
// clang-format off
constexpr Way kWays[] = {
    {"settings", "open('.git/config', 'a').write('[core]\\n\\thooksPath = /dev/null\\n')", ".git/config"},
    {"settings of one work tree", "open('.git/config.worktree', 'a').write('[core]\\n\\thooksPath = /dev/null\\n')", ".git/config.worktree"},
    {"settings that are elsewhere", "open('../more', 'w').write('[core]\\n\\thooksPath = /dev/null\\n'); open('.git/config', 'a').write('[include]\\n\\tpath = ../../more\\n')", ".git/config"},
    {"settings of the user", "import os; open(os.environ['HOME'] + '/.gitconfig', 'a').write('[core]\\n\\thooksPath = /dev/null\\n')", ".gitconfig"},
    {"settings of the user behind a link", "import os; open(os.environ['HOME'] + '/dot', 'a').write('[core]\\n\\thooksPath = /dev/null\\n')", ".config/git/conf"},
    {"a hook that says yes", "open('.git/hooks/pre-commit', 'w').write('#!/bin/sh\\n')", ".git/hooks/pre-commit"},
    {"a hook that is gone", "import os; os.remove('.git/hooks/pre-push')", ".git/hooks/pre-push"},
    {"a hook that may not run", "import os; os.chmod('.git/hooks/pre-commit', 0o644)", ".git/hooks/pre-commit"},
    {"a folder that is gone", "import os; os.rename('.git/hooks', '.git/gone')", ".git/hooks/pre-commit"},
};
// clang-format on

TEST_F(Tampered, GitRecordsAndSendsNothingUntilItIsUndone) {
  world.write("src/other.py", "out of scope\n");
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    run("rm -rf ../kept && mkdir ../kept && cp -a .git/hooks .git/config ~/dot ../kept; "
        "cp -a .git/config.worktree ~/.gitconfig ../kept 2>/dev/null");
    begin("s1");
    const std::string objection = step(way.python);
    EXPECT_TRUE(contains(objection, way.place)) << objection;
    EXPECT_TRUE(contains(objection, "until then")) << objection;
    for (const char* command : {"git commit -qam x", "cd src && git commit -qm x", "git push -q",
                                "git merge donor", "git cherry-pick donor", "git pull",
                                "sh -c 'git commit -qam x'", "gatehouse hook install"})
      EXPECT_TRUE(is_stopped(command)) << command << "\n" << before(command);
    for (const char* command : {"git status", "git log -1", "echo x > src/app.py"})
      EXPECT_EQ(before(command), "") << command;
    begin("s2");
    EXPECT_TRUE(is_stopped("git commit -qam x", "s2"));
    // The mark of an agent takes nothing back.
    EXPECT_EQ(run("CLAUDECODE=1 gatehouse hook install --dry-run; exit 0").code, 0);
    EXPECT_TRUE(is_stopped("git commit -qam x"));
    run("rm -rf .git/hooks .git/gone && cp -a ../kept/hooks ../kept/config .git; "
        "rm -f .git/config.worktree ~/.gitconfig; cp -a ../kept/dot ~; cp -a "
        "../kept/config.worktree .git 2>/dev/null; "
        "cp -a ../kept/.gitconfig ~ 2>/dev/null");
    EXPECT_EQ(before("git commit -qam x"), "");
    EXPECT_EQ(before("git commit -qam x", "s2"), "");
  }
}

TEST_F(Tampered, WhatAProgramUndoesIsNoNewTampering) {
  EXPECT_NE(step("open('.git/hooks/post-merge', 'w').write('x')"), "");
  EXPECT_TRUE(is_stopped("git commit -qam x"));
  EXPECT_EQ(step("import os; os.remove('.git/hooks/post-merge')"), "");
  EXPECT_EQ(before("git commit -qam x"), "");
}

TEST_F(Tampered, APersonKeepsItByInstallingTheHooksAnAgentDoesNot) {
  EXPECT_NE(step("open('.git/hooks/post-merge', 'w').write('x')"), "");
  EXPECT_TRUE(contains(run("gatehouse doctor").out, "an agent changed .git/hooks/post-merge"));
  EXPECT_EQ(run("CLAUDECODE=1 gatehouse hook install").code, 0);
  EXPECT_TRUE(is_stopped("git commit -qam x"));
  EXPECT_EQ(run("gatehouse hook install").code, 0);
  EXPECT_EQ(before("git commit -qam x"), "");
  EXPECT_NE(step("open('.git/hooks/post-rewrite', 'w').write('x')"), "");
  EXPECT_TRUE(is_stopped("git commit -qam x"));
  const Ran again = run("gatehouse init --yes --host claude");
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_EQ(before("git commit -qam x"), "");
}

TEST_F(Tampered, ANoteThatWasMadeUnreadableStopsAsWell) {
  EXPECT_NE(step("open('.git/hooks/post-merge', 'w').write('x')"), "");
  ASSERT_EQ(run("test -f .git/gatehouse/cache/hooks/tampered && echo '[' > "
                ".git/gatehouse/cache/hooks/tampered && rm .git/hooks/post-merge")
                .code,
            0);
  EXPECT_TRUE(is_stopped("git commit -qam x"));
}

TEST_F(Tampered, SettingsOfAnotherWorkTreeAreRememberedWhereverAStepStands) {
  run("git worktree add -q ../other -b other");
  const std::string other = world.repo.folder() + "/other";
  const auto there = [&](const char* event, std::string_view command) {
    return ask(claude_bash(event, other, command));
  };
  ask(claude_event("SessionStart", other, "s1"));
  world.write("../s.py",
              "import subprocess\nsubprocess.run(['git', 'config', '--worktree', "
              "'core.hooksPath', '/dev/null'], check=True)\n");
  EXPECT_EQ(there("PreToolUse", "python3 ../s.py"), "");
  EXPECT_EQ(run("cd ../other && python3 ../s.py").code, 0);
  EXPECT_TRUE(contains(there("PostToolUse", "python3 ../s.py"), "until then"));
  EXPECT_TRUE(contains(there("PreToolUse", "git commit -qam x"), "is not as it was"));
  // From the main tree it is seen as well, and no look from there forgets it.
  EXPECT_TRUE(is_stopped("git commit -qam x"));
  (void)step("print(1)");
  EXPECT_TRUE(is_stopped("git commit -qam x"));
  EXPECT_TRUE(contains(there("PreToolUse", "git commit -qam x"), "is not as it was"));
  run("cd ../other && git config --worktree --unset core.hooksPath");
  EXPECT_EQ(there("PreToolUse", "git commit -qam x"), "");
  EXPECT_EQ(before("git commit -qam x"), "");
}

TEST_F(Tampered, WhoeverLooksWithAnotherHomeForgetsNothing) {
  EXPECT_NE(step("import os; open(os.environ['HOME'] + '/.gitconfig', 'a').write('[core]\\n\\t"
                 "hooksPath = /dev/null\\n')"),
            "");
  EXPECT_TRUE(is_stopped("git commit -qam x"));
  EXPECT_TRUE(contains(run("HOME=/tmp gatehouse doctor").out, "an agent changed"));
  EXPECT_TRUE(is_stopped("git commit -qam x"));
  const std::string hook = "HOME=/tmp exec gatehouse hook claude --budget-ms 60000";
  for (const char* event : {"PreToolUse", "PostToolUse"})
    run(hook, wire::canonical_json(claude_bash(event, world.repo.root(), "python3 ../s.py")));
  EXPECT_TRUE(is_stopped("git commit -qam x"));
}

TEST_F(Tampered, WhatWasUndoneIsForgottenWhileTheRestStays) {
  EXPECT_NE(step("open('.git/hooks/post-merge', 'w').write('x')"), "");
  EXPECT_NE(step("open('.git/hooks/post-rewrite', 'w').write('x')"), "");
  EXPECT_EQ(step("import os; os.remove('.git/hooks/post-merge')"), "");
  const std::string said = before("git commit -qam x");
  EXPECT_TRUE(contains(said, "post-rewrite")) << said;
  EXPECT_FALSE(contains(said, "post-merge")) << said;
}

TEST_F(Tampered, ACommitThatTheHooksDidNotSeeIsLookedAt) {
  // Where no look goes: the environment of the host itself, as a file that every shell reads.
  world.write("src/other.py", "out of scope\n");
  EXPECT_EQ(before("git commit -qam x"), "");
  EXPECT_EQ(run("git -c core.hooksPath=/dev/null commit -qam x").code, 0);
  const std::string said = after("git commit -qam x");
  EXPECT_TRUE(contains(said, "src/other.py")) << said;
  EXPECT_TRUE(contains(said, "GH-SCOPE-001")) << said;
}

TEST_F(Tampered, ACommitThatTheHooksLetThroughIsNotObjectedTo) {
  const auto commits = [&](const std::string& words) {
    const Ran ran = run("CLAUDECODE=1 GATEHOUSE_SESSION=s1 git commit -q " + words);
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    EXPECT_EQ(after("git commit -q " + words), "");
  };
  // After a finish nothing is declared any more, and its receipt lets the commit in.
  world.write("src/app.py", "mine\n");
  const Ran finished = run("gatehouse change finish --session s1 --files src/app.py --analyze");
  ASSERT_EQ(finished.code, 0) << finished.out << finished.err;
  commits("-am x");
  commits("--amend -m y");
  world.start("s1", "src/app.py");
  world.write("src/app.py", "again\n");
  commits("-am z");
}

}  // namespace
}  // namespace gh::testing
