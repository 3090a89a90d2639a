// Work that keeps every rule is not objected to by the hooks of agent hosts; and what they tell to
// do next works for whoever is told.
#include <thread>

#include "base/text.h"
#include "model/peek.h"
#include "ops/hook_host.h"
#include "sys/env.h"
#include "tests/hook_kit.h"
#include "tests/mcp_kit.h"

namespace gh::testing {
namespace {

std::string text_of(std::string_view out) {
  const auto document = wire::read_json(out);
  if (!document) return {};
  const Peek root(*document);
  const std::string_view denied = root["hookSpecificOutput"]["permissionDecisionReason"].text();
  return std::string(denied.empty() ? root["reason"].text() : denied);
}

/// The files of a step that follow get later times than those before it.
void let_time_pass() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

/// A step of an agent: what it is told before, and else after.
std::string step(const HookWorld& world, const std::string& command) {
  const std::string root = world.repo.root();
  const std::string before =
      text_of(ask_hook(root, "claude", claude_bash("PreToolUse", root, command)).out);
  if (!before.empty()) return "before: " + before;
  let_time_pass();
  const Ran ran = run_program({"/bin/bash", "-c", command}, root);
  EXPECT_EQ(ran.code, 0) << command << "\n" << ran.out << ran.err;
  return text_of(ask_hook(root, "claude", claude_bash("PostToolUse", root, command)).out);
}

void begin(const HookWorld& world) {
  ask_hook(world.repo.root(), "claude", claude_event("SessionStart", world.repo.root()));
  let_time_pass();
}

TEST(HonestSteps, GoingToCommitsThatAreThereAlreadyIsNoChange) {
  const HookWorld world;
  const GitSandbox& repo = world.repo;
  const std::string server = repo.folder() + "/server.git";
  repo.git({"init", "-q", "--bare", server});
  repo.git({"remote", "add", "origin", server});
  repo.git({"checkout", "-q", "-b", "feature"});
  world.write("docs/guide.md", "more\n");
  repo.commit("on a branch");
  repo.git({"checkout", "-q", "main"});
  world.write("Makefile", "all:\n");
  repo.commit("on main");
  repo.git({"push", "-q", "origin", "main"});
  world.start("s1", "src/app.py");
  begin(world);
  for (const char* command :
       {"git checkout -q HEAD~1", "git checkout -q -", "git switch -q feature", "git switch -q -",
        "git switch -q feature", "git rebase -q main", "git switch -q main",
        "git checkout -q -b hop origin/main~1", "git merge -q --ff-only origin/main",
        "git reset -q --hard HEAD~1", "git pull -q --ff-only origin main"})
    EXPECT_EQ(step(world, command), "") << command;
  // A commit that came into being with the step is one, whatever it is reached by.
  const std::string told =
      step(world, "git -c core.hooksPath=x commit -q --allow-empty -m x; true");
  EXPECT_NE(told.find("GH-BYPASS-001"), told.npos) << told;
  EXPECT_NE(step(world,
                 "python3 -c \"import subprocess as s; "
                 "open('src/other.py', 'w').write('x'); "
                 "s.run(['git', 'commit', '-qam', 'mine'])\""),
            "");
}

/// The same world, later, as a process of that number sees it; 0: as this one does.
class ByTheClock final : public sys::Env {
 public:
  ByTheClock(std::int64_t later, std::int64_t pid) : later_(later), pid_(pid) {}
  Timestamp now() override { return {sys::real_env().now().seconds + later_}; }
  std::int64_t monotonic_ms() override { return sys::real_env().monotonic_ms(); }
  std::string random_hex(std::size_t digits) override { return sys::real_env().random_hex(digits); }
  std::string variable(std::string_view) override { return {}; }
  std::uint32_t user_id() override { return sys::real_env().user_id(); }
  std::int64_t process_id() override { return pid_ == 0 ? sys::real_env().process_id() : pid_; }
  std::string host_name() override { return sys::real_env().host_name(); }

 private:
  std::int64_t later_, pid_;
};

std::string told_later(const HookWorld& world, const Map& event, std::int64_t seconds,
                       std::int64_t pid = 0) {
  ByTheClock env(seconds, pid);
  ops::Context context{.env = env,
                       .cwd = world.repo.root(),
                       .read_input = {},
                       .stream = {},
                       .progress = [](std::string_view) {},
                       .notice = {},
                       .interrupted = {}};
  return ops::answer_hook({.host = hooks::Host::claude, .budget_ms = 60'000},
                          wire::canonical_json(event), context)
      .out;
}

TEST(HonestSteps, ALeaseThatRanOutDuringAStepOfItsOwnerIsNoTrespass) {
  const HookWorld world;
  const std::string root = world.repo.root();
  world.start("s1", "src/app.py");
  begin(world);
  EXPECT_EQ(told_later(world, claude_bash("PreToolUse", root, "make long"), 0), "");
  let_time_pass();
  world.write("src/app.py", "mine\n");
  constexpr std::int64_t kLong = 400;  // the lease is one of 300 seconds
  EXPECT_EQ(told_later(world, claude_bash("PostToolUse", root, "make long"), kLong), "");
  EXPECT_EQ(told_later(world, claude_write(root, "src/app.py"), kLong + 100), "");
}

TEST(HonestSteps, ATreeThatWasMadeForAnIntentIsLookedAtFromOutside) {
  const HookWorld world;
  const std::string root = world.repo.root();
  world.must({"change", "start", "--goal", "apart", "--allow", "src/app.py", "--worktree",
              "--session", "s1"});
  begin(world);
  const auto folders = std::filesystem::directory_iterator(world.at(".git/gatehouse/worktrees"));
  const std::string tree = std::filesystem::begin(folders)->path();
  EXPECT_EQ(text_of(ask_hook(root, "claude", claude_event("Stop", root)).out), "");
  const std::string told = step(world, "cd " + tree +
                                           " && python3 -c \"open('src/app.py', 'w').write('x'); "
                                           "open('src/other.py', 'w').write('x')\"");
  EXPECT_TRUE(contains(told, "src/other.py")) << told;
  EXPECT_TRUE(contains(told, "-C " + tree)) << told;
  const std::string stop = text_of(ask_hook(root, "claude", claude_event("Stop", root)).out);
  EXPECT_TRUE(contains(stop, "is still open")) << stop;
  EXPECT_TRUE(contains(stop, tree)) << stop;
}

/// Of an intent that was declared over MCP by a server of the same host as the hooks.
TEST(HonestSteps, WhoDeclaredOverMcpIsToldCallsThatWork) {
  const HookWorld world;
  const std::string root = world.repo.root();
  McpProcess server(root);
  server.initialize();
  const Value started =
      server.call(1, "start_controlled_change",
                  R"({"intent":"x","analyze":true,"scope":{"allowed_files":["src/app.py"]}})");
  EXPECT_EQ(Peek(started)["result"]["structuredContent"]["status"].text(), "active");
  begin(world);
  std::int64_t id = 1;
  const auto follow = [&](const std::string& told) {
    const std::size_t at = told.find("Next: ");
    ASSERT_NE(at, told.npos) << told;
    const std::string next = told.substr(at + 6, told.find('\n', at) - at - 6);
    EXPECT_FALSE(contains(next, "gatehouse change")) << next;
    const std::size_t space = next.find(' '), end = next.rfind('}');
    ASSERT_NE(end, next.npos) << next;
    const Value answer =
        server.call(++id, next.substr(0, space), next.substr(space + 1, end - space));
    EXPECT_FALSE(Peek(answer)["result"]["isError"].is_true()) << wire::canonical_json(answer);
  };
  follow(text_of(ask_hook(root, "claude", claude_write(root, "src/other.py")).out));
  EXPECT_EQ(text_of(ask_hook(root, "claude", claude_write(root, "src/other.py")).out), "");
  follow(step(world, "python3 -c \"open('docs/guide.md', 'w').write('x')\""));
  follow(text_of(ask_hook(root, "claude", claude_event("Stop", root)).out));
  // A hook below the same host has a sibling's ancestors. A third of the lease later it renews the
  // intent, as it does for a session of the command line.
  const Value again =
      server.call(++id, "start_controlled_change",
                  R"({"intent":"y","analyze":true,"scope":{"allowed_files":["src/app.py"]}})");
  EXPECT_EQ(Peek(again)["result"]["structuredContent"]["status"].text(), "active");
  Map edit = claude_write(root, "src/app.py");
  for (std::int64_t later = 0; later < 600; later += 150) {
    EXPECT_EQ(told_later(world, edit, later, server.pid()), "") << later;
    Map after = edit;
    after.set("hook_event_name", "PostToolUse");
    EXPECT_EQ(told_later(world, after, later, server.pid()), "") << later;
  }
}

}  // namespace
}  // namespace gh::testing
