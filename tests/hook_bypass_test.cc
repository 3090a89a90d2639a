// Every way around the gate that we know of, really tried in a repository behind the hooks of
// Claude Code and of git: what does each layer say to it? And everyday work, which none may stop.
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "base/text.h"
#include "tests/hook_attempts.h"
#include "tests/hook_kit.h"

namespace gh::testing {
namespace {

/// One repository behind the hooks of an agent host and those of git, with a session that may edit
/// src/app.py, and a guarded server. It is kept aside, and copied to one and the same place for
/// each attempt, so that what was learned of it when its session began holds for every copy.
class Behind : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    world_ = new HookWorld();
    world_->start("s1", "src/app.py");
    scratch_ = new sys::TempDir(*sys::TempDir::create("/tmp", "gh-hook-"));
    std::filesystem::create_directories(place("kept"));
    copy(world_->repo.root(), place("behind"));
    must(gatehouse({"hook", "install"}, place("behind")));
    GitSandbox::git_at(place("behind"), {"clone", "-q", "--bare", "--single-branch", "-b", "main",
                                         place("behind"), place("kept/server.git")});
    must(gatehouse({"hook", "install"}, place("kept/server.git")));
    begin();
    std::filesystem::rename(place("behind"), place("kept/template"));
  }
  static void TearDownTestSuite() {
    delete world_;
    delete scratch_;
    world_ = nullptr;
    scratch_ = nullptr;
  }

  static std::string place(std::string_view name) {
    return fmt::format("{}/{}", scratch_->path(), name);
  }
  static void must(const Ran& ran) { ASSERT_EQ(ran.code, 0) << ran.out << ran.err; }
  static void copy(const std::string& from, const std::string& to) {
    using std::filesystem::copy_options;
    std::filesystem::copy(from, to, copy_options::recursive | copy_options::copy_symlinks);
  }
  /// A session begins with a fresh lease.
  static void begin() {
    must(gatehouse({"change", "renew", "--session", "s1", "--lease", "10m"}, place("behind")));
    must(ask_hook(place("behind"), "claude", claude_event("SessionStart", place("behind"))));
    begun_ = std::chrono::steady_clock::now();
  }

  /// The repository as it was at first, and nothing that an attempt left beside it.
  static void set_up() {
    for (const auto& entry : std::filesystem::directory_iterator(scratch_->path()))
      if (entry.path().filename() != "kept") std::filesystem::remove_all(entry.path());
    if (std::chrono::steady_clock::now() - begun_ > std::chrono::minutes(5)) {
      std::filesystem::rename(place("kept/template"), place("behind"));
      begin();
      std::filesystem::rename(place("behind"), place("kept/template"));
    }
    copy(place("kept/template"), place("behind"));
    std::filesystem::create_directories(place("home"));
  }
  /// Programs that this machine lacks are stood in for.
  static Ran in_bash(std::string_view command) {
    return run_program({"/bin/bash", "-c",
                        fmt::format("export HOME='{}'; PATH='{}':$PATH\n{}", place("home"),
                                    world_->repo.folder() + "/bin", command)},
                       place("behind"));
  }
  /// As the host of the session starts it.
  static Ran as_agent(std::string_view command) {
    return in_bash(fmt::format("export CLAUDECODE=1 GATEHOUSE_SESSION=s1\n{}", command));
  }
  static bool is_denied(std::string_view command) {
    const Ran ran =
        ask_hook(place("behind"), "claude", claude_bash("PreToolUse", place("behind"), command));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return contains(ran.out, "\"permissionDecision\":\"deny\"");
  }
  /// All that a command may have changed: files, index, refs, settings, hooks, the ledger.
  static std::string state() {
    return in_bash(
               "git status --porcelain=v2 -z -uall | tr '\\0' '\\n'; git ls-files -s; git "
               "show-ref; git rev-parse HEAD; here=\"-type f -not -path ./.git/objects/* -not "
               "-path "
               "./.git/index* -not -path ./.git/logs/* -not -name *.pyc -not -path ./.git/*_HEAD "
               "-not -path ./.git/COMMIT_EDITMSG\"; set -f; find . ~ $here -not -path "
               "'./.git/gatehouse/cache/*' -not -path './.git/gatehouse/*-*' -not -path "
               "'./.git/gatehouse/audit.*' -printf '%p %m %n\\n' | sort; find . ~ $here -not -path "
               "'./.git/gatehouse/*' -exec sha256sum {} + | sort")
        .out;
  }

  static HookWorld* world_;
  static sys::TempDir* scratch_;
  static std::chrono::steady_clock::time_point begun_;
};
HookWorld* Behind::world_ = nullptr;
sys::TempDir* Behind::scratch_ = nullptr;
std::chrono::steady_clock::time_point Behind::begun_{};

/// Each layer is asked, and what it says is ignored: so the next one has something to say.
class Layers : public Behind, public ::testing::WithParamInterface<std::size_t> {
 protected:
  std::string left{};  // by an attempt
  std::string seen(const Attempt& attempt) {
    const std::string before = is_denied(attempt.command) ? "denied" : "-";
    (void)in_bash(attempt.command);
    left = state();
    const Ran told = ask_hook(place("behind"), "claude",
                              claude_bash("PostToolUse", place("behind"), attempt.command));
    EXPECT_EQ(told.code, 0) << told.err;
    const std::string after = contains(told.out, "\"decision\":\"block\"") ? "told" : "-";
    const std::string commit = at_commit();
    return fmt::format("{} {} {} {}", before, after, commit, at_push());
  }

 private:
  /// The agent commits all that is there.
  static std::string at_commit() {
    (void)in_bash("git add -A || git add -u");  // a folder may hold what git does not take
    if (in_bash("git diff --cached --quiet").code != 1) return "-";
    if (is_denied("git commit -qm x")) return "refused";
    return as_agent("git commit -qm x").code == 0 ? "passes" : "refused";
  }
  /// It pushes all of it, what a commit would have refused as well.
  static std::string at_push() {
    (void)in_bash("git -c core.hooksPath=/dev/null commit -qm x");
    const std::string server = place("kept/server.git");
    if (in_bash(
            fmt::format("test -z \"$(git rev-list -1 HEAD --not $(git -C '{}' rev-parse main))\"",
                        server))
            .code == 0)
      return "-";
    const std::string push = fmt::format("git push -q '{}' HEAD:refs/heads/mine", server);
    if (is_denied(push)) return "refused";
    const bool passes = as_agent(push).code == 0;
    if (passes) GitSandbox::git_at(server, {"update-ref", "-d", "refs/heads/mine"});
    return passes ? "passes" : "refused";
  }
};

constexpr std::size_t kParts = 4;  // that run side by side

TEST_P(Layers, SayToEveryAttemptWhatTheTableShows) {
  set_up();
  const std::string untouched = state();
  for (std::size_t i = GetParam(); i < kAttempts.size(); i += kParts) {
    const Attempt& attempt = kAttempts[i];
    SCOPED_TRACE(attempt.name);
    set_up();
    std::string before = untouched;
    if (!attempt.prepared.empty()) {
      must(in_bash(attempt.prepared));
      begin();
      before = state();
    }
    EXPECT_EQ(seen(attempt), attempt.layers) << attempt.command;
    // Some change what the gate believes, not the tree.
    const bool is_forged =
        contains(attempt.name, "forged") || contains(attempt.name, "variable of the gate");
    EXPECT_TRUE(left != before || is_forged) << "it had no effect";
    EXPECT_TRUE(!attempt.layers.starts_with("- - ") || contains(attempt.layers, "refused"))
        << "no layer stops it or tells of it";
  }
}
INSTANTIATE_TEST_SUITE_P(Parts, Layers, ::testing::Range(std::size_t{0}, kParts));

TEST_F(Behind, EverydayWorkIsNotStopped) {
  set_up();
  for (const std::string_view command : kEveryday) {
    const Ran ran =
        ask_hook(place("behind"), "claude", claude_bash("PreToolUse", place("behind"), command));
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

TEST(HookAttempts, ThePageShowsEachWithWhatTheLayersSay) {
  std::ifstream in("docs/hooks.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  std::size_t rows = 0;
  for (const Attempt& attempt : kAttempts) {
    std::string row = fmt::format("\n| {} |", attempt.name);
    for (const std::string_view word : split(attempt.layers, ' '))
      row += fmt::format(" {} |", word == "-" ? "–" : word);
    EXPECT_TRUE(contains(page, row + "\n")) << row;
  }
  bool inside = false;
  for (const std::string_view line : split(page, '\n')) {
    if (line.starts_with("| Attempt |")) inside = true;
    if (!line.starts_with("|")) inside = false;
    rows += inside && !line.starts_with("| Attempt |") && !line.starts_with("|---");
  }
  EXPECT_EQ(rows, kAttempts.size());
}

}  // namespace
}  // namespace gh::testing
