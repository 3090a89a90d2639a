// The completion scripts in the shells they are for, and the manual page through groff.
#include <gtest/gtest.h>

#include "base/text.h"
#include "sys/files.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"

namespace gh::testing {
namespace {

class Completion : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"bash", "zsh", "fish"}) {
      const Ran ran = gatehouse({"completion", name}, folder_.path());
      ASSERT_EQ(ran.code, 0);
      ASSERT_TRUE(sys::write_file_atomic(folder_.path() + "/script." + name, ran.out));
    }
  }

  /// What bash would offer for the last of `words`.
  std::string bash(const std::string& words) {
    const std::string script =
        "source ./script.bash; comp() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _gatehouse; "
        "printf '%s\\n' \"${COMPREPLY[@]}\"; }; comp " +
        words;
    const Ran ran = run_program({"/bin/bash", "-c", script}, folder_.path());
    EXPECT_EQ(ran.err, "");
    return ran.out;
  }

  std::string fish(const std::string& line) {
    const Ran ran = run_program(
        {"/usr/bin/fish", "--no-config", "-c", "source ./script.fish; complete -C '" + line + "'"},
        folder_.path(), {},
        {"XDG_CONFIG_HOME=" + folder_.path(), "XDG_DATA_HOME=" + folder_.path()});
    return ran.out;
  }

  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-complete-");
};

TEST_F(Completion, ShellsAcceptTheirScripts) {
  for (const char* shell_path : {"/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"}) {
    const std::string name = std::string(shell_path).substr(std::string(shell_path).rfind('/') + 1);
    const Ran ran = run_program({shell_path, "-n", "script." + name}, folder_.path());
    EXPECT_EQ(ran.code, 0) << name << ran.err;
    EXPECT_EQ(ran.err, "") << name;
  }
}

TEST_F(Completion, BashOffersCommandsOptionsValuesAndIds) {
  EXPECT_EQ(bash("gatehouse pa"), "patch\n");
  EXPECT_EQ(bash("gatehouse patch c"), "check\ncanon\ncalibrate\n");
  EXPECT_EQ(bash("gatehouse -C /tmp patch check --prof"), "--profile\n");
  EXPECT_EQ(bash("gatehouse patch check --profile ''"), "strict\ngit\n");
  EXPECT_EQ(bash("gatehouse patch check --profile = s"), "strict\n");
  EXPECT_EQ(bash("gatehouse explain hunk_over"), "hunk_overlap\n");
  EXPECT_EQ(bash("gatehouse patch check script.f"), "script.fish\n");
  EXPECT_EQ(bash("gatehouse schema verd"), "verdict\n");
  EXPECT_EQ(bash("gatehouse release base"), "baseline\n");
  EXPECT_EQ(bash("gatehouse release baseline ''"), "save\nverify\n");
  EXPECT_EQ(bash("gatehouse release baseline verify --stri"), "--strict\n");
}

TEST_F(Completion, FishOffersCommandsOptionsValuesAndIds) {
  EXPECT_TRUE(fish("gatehouse pa").starts_with("patch\t"));
  EXPECT_TRUE(fish("gatehouse patch ch").starts_with("check\t"));
  EXPECT_TRUE(fish("gatehouse release baseline ve").starts_with("verify\t"));
  EXPECT_TRUE(contains(fish("gatehouse release baseline verify --str"), "--strict\t"));
  EXPECT_TRUE(contains(fish("gatehouse patch check --pro"), "--profile\t"));
  EXPECT_TRUE(contains(fish("gatehouse -C /tmp patch apply --land "), "worktree"));
  EXPECT_EQ(fish("gatehouse explain hunk_over"), "hunk_overlap\n");
}

TEST_F(Completion, ZshOffersCommandsAndOptions) {
  const std::string script = R"zsh(
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "PS1=; autoload -Uz compinit; compinit -D -u; source ./script.zsh; bindkey '^I' list-choices; echo re''ady"
    zpty -r z line '*ready*'
    zpty -n -w z $'gatehouse patch ca\t'
    zpty -r z line '*calibrate*'
    zpty -r z more '*canon*'
    print -r -- "$line$more"
  )zsh";
  const Ran ran =
      run_program({"/usr/bin/zsh", "-f", "-c", script}, folder_.path(), {}, {"TERM=dumb"});
  EXPECT_TRUE(contains(ran.out, "calibrate")) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.out, "canon")) << ran.out;
}

TEST_F(Completion, RefsAndRunsAreAskedInTheRightRepository) {
  GitSandbox repo;
  repo.write("a", "1\n");
  repo.commit();
  repo.git({"branch", "feature/odd"});
  EXPECT_EQ(bash("gatehouse -C " + repo.root() + " patch check --base feat"), "feature/odd\n");
  EXPECT_EQ(bash("gatehouse -C / patch check --base feat"), "\n");
}

}  // namespace
}  // namespace gh::testing
