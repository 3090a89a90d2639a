// What a refusal tells an agent to do next is done here to the letter, behind the same hooks; then
// what it wanted works.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/hook_kit.h"

namespace gh::testing {
namespace {

/// The text that the model reads.
std::string text_of(const Ran& ran) {
  const auto document = wire::read_json(ran.out);
  if (!document) return {};
  const Peek root(*document);
  const std::string_view denied = root["hookSpecificOutput"]["permissionDecisionReason"].text();
  return std::string(denied.empty() ? root["reason"].text() : denied);
}

std::string line_of(const std::string& text, std::string_view begin) {
  const std::size_t at = text.find(begin);
  if (at == text.npos) return {};
  return text.substr(at + begin.size(), text.find('\n', at) - at - begin.size());
}
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == text.npos) return {};
  const std::size_t from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

/// An agent that does what it is told.
class Obedient {
 public:
  explicit Obedient(const HookWorld& world, std::string session = "s1")
      : world_(world), session_(std::move(session)) {}

  std::string root() const { return world_.repo.root(); }
  Ran hook(const Map& event) const { return ask_hook(root(), "claude", event); }
  std::string wants_to_write(const std::string& path) const {
    return text_of(hook(claude_write(root(), path, session_)));
  }
  std::string wants_to_stop() const {
    return text_of(hook(claude_event("Stop", root(), session_)));
  }
  /// Through the hook, as the host would run it.
  Ran run(const std::string& command) const {
    EXPECT_EQ(text_of(hook(claude_bash("PreToolUse", root(), command, session_))), "") << command;
    return run_program({"/bin/bash", "-c", command}, root());
  }
  std::string after(const std::string& command) const {
    return text_of(hook(claude_bash("PostToolUse", root(), command, session_)));
  }
  void obey(const std::string& command) const {
    ASSERT_NE(command, "");
    const Ran ran = run(command);
    EXPECT_EQ(ran.code, 0) << command << "\n" << ran.out << ran.err;
  }

 private:
  const HookWorld& world_;
  std::string session_;
};

HookWorld not_analysed() {
  HookWorld out;
  std::filesystem::remove_all(out.at(".git/gatehouse"));
  return out;
}

TEST(HookNext, TheFirstRefusalOfANewProjectNamesWhatWorks) {
  const HookWorld mine = not_analysed();
  const Obedient agent(mine);
  const std::string refusal = agent.wants_to_write("src/app.py");
  agent.obey(line_of(refusal, ", or: "));
  EXPECT_EQ(agent.wants_to_write("src/app.py"), "");
}

/// Of the block that `init` writes into AGENTS.md, for agents without our server.
TEST(HookNext, TheCommandsOfTheGuidanceWorkBehindTheHook) {
  const HookWorld mine = not_analysed();
  const Obedient agent(mine);
  const std::string guidance = bytes_of("data/setup/guidance.md");
  const auto filled = [&](std::string_view begin) {
    std::string line = fmt::format("{}{}", begin, line_of(guidance, fmt::format("    {}", begin)));
    for (const auto& [name, value] : {std::pair<std::string, std::string>{"TEXT", "'why and what'"},
                                      {"FILE", "src/app.py"},
                                      {"NAME", "s1"}})
      for (std::size_t at = line.find(name); at != line.npos;
           at = line.find(name, at + value.size()))
        line.replace(at, name.size(), value);
    return line;
  };
  agent.obey(filled("gatehouse analyze && gatehouse change start"));
  EXPECT_EQ(agent.wants_to_write("src/app.py"), "");
  mine.write("src/app.py", "print(\"edited\")\n");
  agent.obey(filled("gatehouse change finish"));
}

TEST(HookNext, AnEndThatIsRefusedNamesTheFinishThatIsAccepted) {
  const HookWorld mine = not_analysed();
  const Obedient agent(mine);
  agent.obey(line_of(agent.wants_to_write("src/app.py"), ", or: "));
  mine.write("src/app.py", "print(\"edited\")\n");
  agent.obey(line_of(agent.wants_to_stop(), ", or: "));
  EXPECT_EQ(agent.hook(claude_event("UserPromptSubmit", agent.root())).out, "");
  EXPECT_EQ(agent.wants_to_stop(), "") << "it is closed";
}

TEST(HookNext, AFinishWithoutARunSaysWhatToDoAndThatIsAccepted) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  mine.write("src/app.py", "print(\"edited\")\n");
  for (const char* way : {"", " --after-run latest"}) {
    const Ran refused = mine.ask({"change", "finish", "--files", "src/app.py", "--session", "s1"});
    EXPECT_EQ(refused.code, 1) << way;
    EXPECT_TRUE(contains(refused.out + refused.err, "--analyze")) << refused.out;
  }
  mine.must({"change", "finish", "--files", "src/app.py", "--analyze", "--session", "s1"});
}

/// A change that a run does not see leaves the run as it was: that is no reason to ask for one.
TEST(HookNext, AnEditThatNoRunSeesDoesNotAskForARunForEver) {
  for (const char* text : {"first\n# said\n", "first \n", "first\n\n"}) {
    const HookWorld mine;
    mine.start("s1", "src/app.py");
    mine.write("src/app.py", text);
    const Ran ran =
        mine.ask({"change", "finish", "--files", "src/app.py", "--analyze", "--session", "s1"});
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  }
}

TEST(HookNext, APathOutsideIsWrittenAfterTheScopeIsWidened) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  const Obedient agent(mine);
  agent.obey(line_of(agent.wants_to_write("docs/guide.md"), ", or: "));
  EXPECT_EQ(agent.wants_to_write("docs/guide.md"), "");
}

TEST(HookNext, WhatSomebodyHoldsIsWrittenWhenItIsOnesTurn) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  const Obedient waiting(mine, "s2");
  // s2 holds something, so that the holder is what stops it.
  mine.start("s2", "docs/guide.md");
  const std::string held = waiting.wants_to_write("src/app.py");
  ASSERT_TRUE(contains(held, "GH-INTENT-003")) << held;
  const Ran queued = waiting.run(line_of(held, ", or: "));
  EXPECT_TRUE(contains(queued.out, "queued")) << queued.out << queued.err;
  mine.must({"change", "abandon", "--session", "s1"});
  const std::string queue = mine.ask({"change", "queue", "--json"}).out;
  EXPECT_TRUE(contains(queue, "intent-")) << queue;
}

TEST(HookNext, AnIntentInTheQueueIsPromotedByTheCommandThatTheRefusalNames) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  EXPECT_NE(mine.ask({"change", "start", "--goal", "g", "--allow", "src/app.py", "--on-conflict",
                      "queue", "--session", "s2"})
                .code,
            4);
  const Obedient waiting(mine, "s2");
  const std::string refusal = waiting.wants_to_write("src/app.py");
  ASSERT_TRUE(contains(refusal, "GH-INTENT-002")) << refusal;
  mine.must({"change", "abandon", "--session", "s1"});
  waiting.obey(line_of(refusal, ", or: "));
  EXPECT_EQ(waiting.wants_to_write("src/app.py"), "");
}

TEST(HookNext, StraysAreClaimedAndTakenBackByTheCommandsThatAreNamed) {
  for (const bool has_intent : {true, false}) {
    SCOPED_TRACE(has_intent);
    const HookWorld mine;
    if (has_intent) mine.start("s1", "src/app.py");
    const Obedient agent(mine);
    EXPECT_EQ(agent.hook(claude_event("SessionStart", agent.root())).code, 0);
    const std::string stray =
        "python3 -c 'open(\"src/other.py\", \"w\").write(\"x\"); "
        "open(\"src/new file.py\", \"w\").write(\"x\")'";
    agent.obey(stray);
    const std::string told = agent.after(stray);
    ASSERT_TRUE(contains(told, "src/other.py")) << told;
    agent.obey(between(told, "Next: ", " (then"));
    agent.obey(between(told, "keep it, or: ", ")\n"));
    EXPECT_EQ(mine.repo.git({"status", "--porcelain"}), "") << told;
  }
}

/// The agent works in a linked work tree, below the root, or in no repository at all.
TEST(HookNext, WhatConcernsAnotherWorkTreeIsNamedWithItsFolder) {
  const HookWorld mine;
  const std::string linked = mine.repo.folder() + "/linked";
  mine.repo.git({"worktree", "add", "-q", linked, "donor"});
  const std::string outside = mine.repo.folder() + "/outside";
  std::filesystem::create_directories(outside);
  int session = 0;
  for (const std::string& cwd : {linked, mine.at("src"), outside}) {
    SCOPED_TRACE(cwd);
    const std::string id = fmt::format("far{}", ++session);
    const std::string file = mine.at(fmt::format("src/{}.py", id));
    const auto wants = [&] {
      return text_of(ask_hook(cwd, "claude", claude_write(cwd, file, id)));
    };
    const std::string refusal = wants();
    const std::string command = line_of(refusal, ", or: ");
    ASSERT_TRUE(command.starts_with("gatehouse -C " + mine.repo.root() + " ")) << refusal;
    const Ran ran = run_program({"/bin/bash", "-c", command}, cwd);
    EXPECT_EQ(ran.code, 0) << command << "\n" << ran.out << ran.err;
    EXPECT_EQ(wants(), "");
  }
}

TEST(HookNext, StraysBelowTheRootAreTakenBackFromThere) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string cwd = mine.at("src");
  EXPECT_EQ(ask_hook(cwd, "claude", claude_event("SessionStart", cwd)).code, 0);
  const std::string stray =
      "python3 -c 'open(\"other.py\", \"w\").write(\"x\"); open(\"new.py\", \"w\").write(\"x\")'";
  EXPECT_EQ(text_of(ask_hook(cwd, "claude", claude_bash("PreToolUse", cwd, stray))), "");
  ASSERT_EQ(run_program({"/bin/bash", "-c", stray}, cwd).code, 0);
  const std::string told = text_of(ask_hook(cwd, "claude", claude_bash("PostToolUse", cwd, stray)));
  for (const std::string& command :
       {between(told, "Next: ", " (then"), between(told, "keep it, or: ", ")\n")}) {
    EXPECT_EQ(text_of(ask_hook(cwd, "claude", claude_bash("PreToolUse", cwd, command))), "")
        << command;
    const Ran ran = run_program({"/bin/bash", "-c", command}, cwd);
    EXPECT_EQ(ran.code, 0) << command << "\n" << ran.out << ran.err;
  }
  EXPECT_EQ(mine.repo.git({"status", "--porcelain"}), "") << told;
}

/// git knows no session of a host. Who holds what is committed under such a name finishes first.
TEST(HookNext, ACommitThatIsRefusedNamesTheFinishAfterWhichItPasses) {
  const HookWorld mine;
  mine.must({"hook", "install"});
  mine.start("s1", "src/app.py");
  mine.write("src/app.py", "print(\"edited\")\n");
  const auto commit = [&] {
    return run_program({"/usr/bin/git", "commit", "-q", "-a", "-m", "a change"}, mine.repo.root(),
                       {}, {"CLAUDECODE=1"});
  };
  const Ran refused = commit();
  EXPECT_NE(refused.code, 0);
  const std::string next = line_of(refused.out + refused.err, "= next: ");
  EXPECT_TRUE(next.starts_with("gatehouse change finish intent-")) << refused.out << refused.err;
  const Obedient agent(mine);
  agent.obey(next);
  const Ran passed = commit();
  EXPECT_EQ(passed.code, 0) << passed.out << passed.err;
}

/// The files are changed already, and there are more of them than a line shows well.
TEST(HookNext, ACommitThatNobodyDeclaredNamesTheStartAfterWhichItPasses) {
  for (const bool has_run : {true, false}) {
    const HookWorld mine(std::string(kEnforce) + "patch:\n  max_files: 20\n");
    if (!has_run) std::filesystem::remove_all(mine.at(".git/gatehouse"));
    mine.must({"hook", "install"});
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g g"})
      mine.write(std::string("docs/") + name + ".md", "new\n");
    mine.write("docs/guide.md", "edited\n");
    mine.repo.git({"add", "-A"});
    const auto commit = [&] {
      return run_program({"/usr/bin/git", "commit", "-q", "-m", "a change"}, mine.repo.root(), {},
                         {"CLAUDECODE=1"});
    };
    const Ran refused = commit();
    EXPECT_NE(refused.code, 0);
    const std::string next = line_of(refused.out + refused.err, "= next: ");
    const Ran followed =
        run_program({"/bin/bash", "-c", next}, mine.repo.root(), {}, {"CLAUDECODE=1"});
    EXPECT_EQ(followed.code, 0) << next << "\n" << followed.out << followed.err;
    const Ran passed = commit();
    EXPECT_EQ(passed.code, 0) << passed.out << passed.err;
    EXPECT_EQ(mine.repo.git({"status", "--porcelain"}), "");
  }
}

/// Sandboxes of hosts and of CI have process ids of their own, and the leader of the terminal
/// session is outside of them: its commands have parents that differ, and are of one session.
TEST(HookNext, CommandsOfOneSandboxAreOfOneSession) {
  const HookWorld mine;
  const Ran ran =
      run_program({"/usr/bin/bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc",
                   "--", "/bin/bash", "-c",
                   "sh -c 'gatehouse change start --goal x --allow src/app.py && true' && "
                   "sh -c 'gatehouse change renew && true'"},
                  mine.repo.root());
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

/// A folder is declared as what it holds.
TEST(HookNext, AFolderThatIsTakenAwayIsCommittedByTheStepsThatAreNamed) {
  const HookWorld mine;
  for (const char* name : {"a", "b", "c"})
    mine.write(std::string("old/") + name + ".txt", "text\n");
  mine.repo.commit("by mistake");
  mine.must({"hook", "install"});
  const Obedient agent(mine);
  const std::string remove = "rm -rf old";
  const auto refusal = [&] {
    return text_of(agent.hook(claude_bash("PreToolUse", agent.root(), remove)));
  };
  std::string told = refusal();
  for (int round = 0; round < 3 && !told.empty(); ++round) {
    agent.obey(line_of(told, ", or: "));
    told = refusal();
  }
  ASSERT_EQ(told, "");
  agent.obey(remove);
  mine.repo.git({"add", "-A"});
  const auto commit = [&] {
    return run_program({"/usr/bin/git", "commit", "-q", "-m", "out"}, mine.repo.root(), {},
                       {"CLAUDECODE=1", "GATEHOUSE_SESSION=s1"});
  };
  Ran made = commit();
  for (int round = 0; round < 2 && made.code != 0; ++round) {
    agent.obey(line_of(made.out + made.err, "= next: "));
    made = commit();
  }
  EXPECT_EQ(made.code, 0) << made.out << made.err;
  EXPECT_EQ(mine.repo.git({"ls-files", "old"}), "");
}

/// What is not tracked would be found changed by a start.
TEST(HookNext, AFolderThatIsNotTrackedIsTakenAwayByTheStepsThatAreNamed) {
  const HookWorld mine;
  for (const char* name : {"a", "b", "c"})
    mine.write(std::string("build/") + name + ".o", "object\n");
  const Obedient agent(mine);
  const std::string remove = "rm -rf build";
  const auto refusal = [&] {
    return text_of(agent.hook(claude_bash("PreToolUse", agent.root(), remove)));
  };
  const std::string start = line_of(refusal(), ", or: ");
  const Ran blocked = agent.run(start);
  std::string told = blocked.out + blocked.err;
  std::ranges::replace(told, '\n', ' ');
  std::erase_if(told, [before = 'x'](char c) mutable {
    const bool is_second = c == ' ' && before == ' ';
    before = c;
    return is_second;
  });
  EXPECT_TRUE(contains(told, "if it is your own work, start again with --continue-own-wip"))
      << told;
  agent.obey(start + " --continue-own-wip");
  ASSERT_EQ(refusal(), "");
  agent.obey(remove);
  EXPECT_EQ(mine.repo.git({"status", "--porcelain"}), "");
  EXPECT_EQ(agent.wants_to_stop(), "");
}

TEST(HookNext, WhatACommitHoldsBesideTheScopeIsDeclaredByTheCommandThatIsNamed) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  mine.write("docs/guide.md", "edited\n");
  mine.repo.git({"add", "-A"});
  const Ran refused = mine.ask({"check", "--staged", "--session", "s1"});
  EXPECT_EQ(refused.code, 1);
  const Obedient agent(mine);
  agent.obey(line_of(refused.out + refused.err, "= next: "));
  EXPECT_EQ(mine.ask({"check", "--staged", "--session", "s1"}).code, 0);
}

/// Whoever works elsewhere names the tree by its path.
TEST(HookNext, AWholeTreeIsJudgedFromOutsideToo) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string outside = mine.repo.folder() + "/outside";
  std::filesystem::create_directories(outside);
  for (const std::string& command :
       {fmt::format("git -C {} clean -fdx", mine.repo.root()),
        fmt::format("rm -rf {}", mine.repo.root()),
        fmt::format("chmod -R a-w {}/.", mine.repo.root()),
        fmt::format("git -C {} checkout HEAD~1 -- src/other.py", mine.repo.root())})
    EXPECT_EQ(said(ask_hook(outside, "claude", claude_bash("PreToolUse", outside, command))),
              "GH-SCOPE-001")
        << command;
  for (const std::string& command :
       {fmt::format("mkdir -p {}", mine.repo.root()), fmt::format("ls {}", mine.repo.root()),
        fmt::format("git -C {} clean -n", mine.repo.root())})
    EXPECT_EQ(said(ask_hook(outside, "claude", claude_bash("PreToolUse", outside, command))),
              "pass")
        << command;
}

TEST(HookNext, StatusNamesCommandsOfTheSessionThatAsks) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  EXPECT_EQ(mine.ask({"status", "--session", "s1", "--field", "next.command"}).out,
            "gatehouse change finish --files src/app.py --analyze --session s1\n");
  mine.write("src/app.py", "edited\n");
  const Obedient agent(mine);
  agent.obey("gatehouse change finish --files src/app.py --analyze --session s1");
}

}  // namespace
}  // namespace gh::testing
