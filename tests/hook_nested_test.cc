// A guard that is got rid of by making a repository is none: linked work trees without files,
// repositories inside of the guarded one, files `.git` that point elsewhere, and git that is led by
// the settings of another repository.
#include <fmt/format.h>

#include "base/text.h"
#include "tests/hook_kit.h"

namespace gh::testing {
namespace {

class Nested : public ::testing::Test {
 protected:
  void SetUp() override { mine_.start("s1", "src/app.py"); }

  Ran sh(const std::string& script) const {
    return run_program({"/bin/bash", "-euc", script}, mine_.repo.root());
  }
  std::string writes(const std::string& path, const std::string& cwd = {}) const {
    const std::string at = cwd.empty() ? mine_.repo.root() : cwd;
    return said(ask_hook(at, "claude", claude_write(at, path)));
  }
  std::string runs(const std::string& command, const std::string& cwd = {}) const {
    const std::string at = cwd.empty() ? mine_.repo.root() : cwd;
    return said(ask_hook(at, "claude", claude_bash("PreToolUse", at, command)));
  }
  std::string beside(const std::string& name) const { return mine_.repo.folder() + "/" + name; }

  HookWorld mine_;
};

TEST_F(Nested, ALinkedWorkTreeWithoutFilesIsGuardedByTheMainOne) {
  const std::string linked = beside("empty");
  ASSERT_EQ(sh("git worktree add -q --no-checkout -b empty ../empty").code, 0);
  ASSERT_FALSE(std::filesystem::exists(linked + "/gatehouse.yaml"));
  EXPECT_EQ(writes(linked + "/src/app.py"), "GH-INTENT-001");
  EXPECT_EQ(writes("src/app.py", linked), "GH-INTENT-001");
  EXPECT_EQ(writes("gatehouse.yaml", linked), "GH-PROTECT-001");
  EXPECT_EQ(runs("echo x > src/app.py", linked), "GH-INTENT-001");
}

TEST_F(Nested, ALinkedWorkTreeOfABareRepositoryIsGuardedByItsSiblings) {
  ASSERT_EQ(
      sh("git clone -q --bare . ../bare.git && git -C ../bare.git worktree add -q ../one main "
         "&& git -C ../bare.git worktree add -q --no-checkout -b two ../two")
          .code,
      0);
  ASSERT_TRUE(std::filesystem::exists(beside("one/gatehouse.yaml")));
  EXPECT_EQ(writes("src/app.py", beside("one")), "GH-INTENT-001");
  EXPECT_EQ(writes("src/app.py", beside("two")), "GH-INTENT-001");
}

TEST_F(Nested, ASessionInATreeWithoutFilesIsGuardedByWhatHeadSays) {
  ASSERT_EQ(sh("git clone -q --no-checkout . ../bald").code, 0);
  const std::string bald = beside("bald");
  EXPECT_EQ(ask_hook(bald, "claude", claude_event("SessionStart", bald)).code, 0);
  EXPECT_EQ(writes("src/app.py", bald), "GH-INTENT-001");
}

TEST_F(Nested, ARepositoryInsideIsAPartOfTheGuardedOne) {
  for (const char* made :
       {"git init -q inside",
        "git init -q inside && echo 'hooks: {mode: off}' > inside/gatehouse.yaml",
        "git init -q ../elsewhere && mkdir inside && echo 'gitdir: ../../elsewhere/.git' > "
        "inside/.git",
        "git clone -q . inside", "git init -q --bare inside",
        "git init -q --bare ../far && mkdir inside && cp ../far/HEAD inside && echo ../../far > "
        "inside/commondir"}) {
    SCOPED_TRACE(made);
    ASSERT_EQ(sh(made).code, 0);
    EXPECT_NE(writes("inside/new.py"), "pass");
    EXPECT_NE(writes("new.py", mine_.at("inside")), "pass");
    EXPECT_EQ(writes("../src/other.py", mine_.at("inside")), "GH-SCOPE-001");
    EXPECT_EQ(runs("echo x > ../src/other.py", mine_.at("inside")), "GH-SCOPE-001");
    EXPECT_EQ(writes("../src/app.py", mine_.at("inside")), "pass") << "the scope holds as before";
    ASSERT_EQ(sh("rm -rf inside ../elsewhere ../far").code, 0);
  }
}

TEST_F(Nested, AFileThatClaimsToBeALinkedTreeIsNone) {
  ASSERT_EQ(sh("git worktree add -q ../real && mkdir inside && cp ../real/.git inside/.git").code,
            0);
  ASSERT_EQ(gatehouse({"analyze"}, beside("real")).code, 0);
  ASSERT_EQ(gatehouse({"change", "start", "--goal", "g", "--allow", "x.py", "--session", "s1"},
                      beside("real"))
                .code,
            0);
  EXPECT_EQ(writes("x.py", beside("real")), "pass");
  EXPECT_NE(writes("inside/x.py"), "pass");
  EXPECT_NE(writes("x.py", mine_.at("inside")), "pass");
}

TEST_F(Nested, ATreeOfItsOwnForAChangeIsATreeOfItsOwn) {
  ASSERT_EQ(sh("git worktree add -q .trees/feature").code, 0);
  const std::string feature = mine_.at(".trees/feature");
  EXPECT_EQ(writes("src/other.py", feature), "GH-INTENT-001");
  ASSERT_EQ(gatehouse({"change", "start", "--analyze", "--goal", "g", "--allow", "src/other.py",
                       "--session", "s1"},
                      feature)
                .code,
            0);
  EXPECT_EQ(writes("src/other.py", feature), "pass");
  EXPECT_EQ(writes(feature + "/src/app.py"), "GH-SCOPE-001");
}

TEST_F(Nested, TheProjectOfTheHostIsTheHomeOfACommandThatRunsElsewhere) {
  const std::string root = mine_.repo.root(), away = beside("away");
  std::filesystem::create_directories(away);
  EXPECT_EQ(ask_hook(root, "claude", claude_event("SessionStart", root)).code, 0);
  const auto ask = [&](std::string_view name) {
    std::vector<std::string> words{"hook", "claude", "--budget-ms", "60000"};
    std::vector<std::string> argv{gatehouse_path()};
    argv.insert(argv.end(), words.begin(), words.end());
    return run_program(argv, away, wire::canonical_json(claude_bash(name, away, "python3 x.py")),
                       {"CLAUDE_PROJECT_DIR=" + root});
  };
  EXPECT_EQ(ask("PreToolUse").out, "");
  mine_.write("src/other.py", "from afar\n");
  EXPECT_TRUE(contains(ask("PostToolUse").out, "\"decision\":\"block\"")) << ask("PostToolUse").out;
}

// What git does is decided by the settings that it finds.
TEST_F(Nested, GitInAnotherRepositoryIsLookedAtAfterwards) {
  ASSERT_EQ(sh("git init -q ../other && git init -q inner && mkdir ../none").code, 0);
  EXPECT_EQ(mine_.ask({"hook", "test", "--path", "src/app.py", "--session", "s1"}).code, 0);
  const std::string root = mine_.repo.root();
  const auto is_looked_at = [&](const std::string& command, const std::string& cwd) {
    EXPECT_EQ(ask_hook(root, "claude", claude_event("SessionStart", root)).code, 0);
    EXPECT_EQ(runs(command, cwd), "pass") << command;
    mine_.write("src/other.py", "written meanwhile\n");
    const Ran after = ask_hook(cwd, "claude", claude_bash("PostToolUse", cwd, command));
    mine_.repo.git({"checkout", "-q", "--", "src/other.py"});
    return contains(after.out, "\"decision\":\"block\"");
  };
  for (const char* command :
       {"git -C ../other status", "cd ../other && git status", "cd inner && git log",
        "cd inner; git status", "git --git-dir=../other/.git status",
        "GIT_DIR=../other/.git git log", "env -C ../other git status",
        "find . -name x -execdir git status \\;", "cd \"$X\" && git status",
        "HOME=../other git status", "XDG_CONFIG_HOME=../other git status", "PAGER=x git log"})
    EXPECT_TRUE(is_looked_at(command, root)) << command;
  EXPECT_TRUE(is_looked_at("git status", mine_.at("inner")));
  for (const char* command :
       {"git status", "git -C src log", "cd src && git diff", "git -C ../none status"})
    EXPECT_FALSE(is_looked_at(command, root)) << command;
}

}  // namespace
}  // namespace gh::testing
