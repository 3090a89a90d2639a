// The front of the program (docs/adr/0031): it answers a step by itself, as the whole program
// would, and gives away what it cannot answer. Where it is linked like all others there is none.
#include <filesystem>

#include "base/text.h"
#include "tests/hook_kit.h"

#ifndef GH_SANITIZED

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

std::string whole_program() { return gatehouse_path() + "-main"; }

/// A repository with a session that began, and the front with nothing beside it.
class HookFront : public ::testing::Test {
 protected:
  HookFront() {
    world.start("s1", "src/app.py");
    hook(claude_event("SessionStart", root()));
    // The ledger is still warm from the start; a file of it is made when it has cooled.
    for (int i = 0; i < 200 && !fs::exists(cache() + "/intents"); ++i)
      hook(claude_bash("PostToolUse", root(), "make"));
    EXPECT_TRUE(fs::exists(cache() + "/intents"));
    fs::create_directories(world.repo.folder() + "/alone");
    fs::copy_file(gatehouse_path(), alone(), fs::copy_options::overwrite_existing);
  }
  std::string root() const { return world.repo.root(); }
  std::string cache() const { return world.at(".git/gatehouse/cache"); }
  std::string alone() const { return world.repo.folder() + "/alone/gatehouse"; }
  std::string rules_file() const {
    for (const auto& entry : fs::directory_iterator(cache() + "/hooks"))
      return entry.path().string() + "/rules";
    return {};
  }
  Ran hook(const Value& event) const { return ask_hook(root(), "claude", event); }
  Ran by(const std::string& program, const std::string& input,
         std::vector<std::string> words = {"hook", "claude"}) const {
    words.insert(words.begin(), program);
    return run_program(words, root(), input);
  }
  Ran by_front(const Value& event) const { return by(alone(), wire::canonical_json(event)); }

  /// What the program says is what the whole program says.
  Ran both(const std::string& input, std::vector<std::string> words = {"hook", "claude"}) const {
    const Ran one = by(gatehouse_path(), input, words), other = by(whole_program(), input, words);
    EXPECT_EQ(one.out, other.out) << input.substr(0, 200);
    EXPECT_EQ(one.err, other.err) << input.substr(0, 200);
    EXPECT_EQ(one.code, other.code) << input.substr(0, 200);
    return one;
  }

  HookWorld world;
};

bool is_given_away(const Ran& ran) {
  return ran.code == 2 && ran.err.find("gatehouse-main is missing") != std::string::npos;
}

TEST_F(HookFront, AnswersAStepAlone) {
  EXPECT_EQ(said(by_front(claude_write(root(), "src/app.py"))), "pass");
  EXPECT_EQ(said(by_front(claude_write(root(), "src/other.py"))), "GH-SCOPE-001");
  EXPECT_EQ(said(by_front(claude_write(root(), ".git/config"))), "GH-PROTECT-001");
  EXPECT_EQ(said(by_front(claude_write(root(), "src/app.py", "s2"))), "GH-INTENT-001");
  EXPECT_EQ(said(by_front(claude_bash("PreToolUse", root(), "git status && ls"))), "pass");
  EXPECT_EQ(said(by_front(claude_bash("PreToolUse", root(), "echo x > src/other.py"))),
            "GH-SCOPE-001");
  EXPECT_EQ(said(by_front(claude_bash("PreToolUse", root(), "git commit --no-verify -m x"))),
            "GH-BYPASS-001");
  EXPECT_EQ(said(by_front(claude_bash("PreToolUse", root(), "make"))), "pass");
}

TEST_F(HookFront, GivesAwayWhatNeedsMoreThanFiles) {
  const Map step = claude_write(root(), "src/app.py");
  EXPECT_TRUE(is_given_away(by_front(claude_event("SessionStart", root()))));
  EXPECT_TRUE(is_given_away(by_front(claude_bash("PostToolUse", root(), "make"))));
  EXPECT_TRUE(is_given_away(by_front(claude_event("Stop", root()))));
  EXPECT_TRUE(is_given_away(by_front(claude_bash("PreToolUse", root(), "gatehouse status"))));
  EXPECT_TRUE(is_given_away(by(alone(), "{\"session_id\":")));
  Map large = step;
  large.set("tool_input", Map{{"file_path", "src/app.py"}, {"content", std::string(200'000, 'x')}});
  EXPECT_TRUE(is_given_away(by_front(large)));
  EXPECT_TRUE(is_given_away(by(alone(), "", {"hook", "claude", "--help"})));
  const Ran command = by(alone(), "", {"status"});
  EXPECT_EQ(command.code, 4);  // nothing of the program is broken: a file of it is not there
  EXPECT_EQ(command.out, "");
  EXPECT_NE(command.err.find("gatehouse-main is missing"), std::string::npos) << command.err;
  EXPECT_NE(command.err.find("\n  next: gatehouse, gatehouse-main and gatehouse-pdf"),
            std::string::npos)
      << command.err;

  const std::string rules = *sys::read_file(rules_file(), 1u << 20);
  fs::remove(rules_file());
  EXPECT_TRUE(is_given_away(by_front(step))) << "no rules were compiled";
  std::string other = rules;
  const std::size_t build = other.find("\"build\":\"") + 9;
  other[build] = other[build] == 'a' ? 'b' : 'a';
  ASSERT_TRUE(sys::write_file_atomic(rules_file(), other, 0600));
  EXPECT_TRUE(is_given_away(by_front(step))) << "another build compiled the rules";
  ASSERT_TRUE(sys::write_file_atomic(rules_file(), rules, 0600));
  EXPECT_EQ(said(by_front(step)), "pass");
  fs::remove(cache() + "/intents");
  EXPECT_EQ(said(by_front(step)), "pass") << "the ledger tells";
  EXPECT_EQ(said(by_front(claude_write(root(), "src/other.py"))), "GH-SCOPE-001");
}

TEST_F(HookFront, RulesOfAnotherBuildAreCompiledAnewAfterTheNextStep) {
  std::string other = *sys::read_file(rules_file(), 1u << 20);
  const std::size_t build = other.find("\"build\":\"") + 9;
  other[build] = other[build] == 'a' ? 'b' : 'a';
  ASSERT_TRUE(sys::write_file_atomic(rules_file(), other, 0600));
  EXPECT_EQ(said(hook(claude_write(root(), "src/other.py"))), "GH-SCOPE-001");
  hook(claude_bash("PostToolUse", root(), "make"));
  EXPECT_NE(*sys::read_file(rules_file(), 1u << 20), other);
  EXPECT_EQ(said(by_front(claude_write(root(), "src/app.py"))), "pass");
}

TEST_F(HookFront, SaysWhatTheWholeProgramSays) {
  // clang-format off
  const std::vector<std::string> commands{
      "ls -la", "git log --oneline | head", "sed -i s/a/b/ src/other.py", "cat <<E > src/app.py\nx\nE",
      "bash -c 'echo x > src/other.py'", "git -c core.hooksPath=/dev/null commit -m x", "git push --force origin main",
      "python3 - <<'E'\nopen('x','w')\nE", "tee src/other.py < docs/guide.md", "cd src && rm -f other.py",
      "gatehouse status", "gatehouse hook uninstall", "gatehouse analyze --json out.json", "", "'",
      "echo $(cat src/app.py)", "find . -name '*.py' -exec rm {} +", "HUSKY=0 git commit -m x"};
  // clang-format on
  for (const std::string& command : commands)
    both(wire::canonical_json(claude_bash("PreToolUse", root(), command)));
  for (const char* path :
       {"src/app.py", "src/other.py", "link/other.py", "alias.py", "gatehouse.yaml",
        ".claude/settings.json", "/etc/hosts", "new/file", "", "src/../.git/HEAD"})
    both(wire::canonical_json(claude_write(root(), path)));
  for (const char* input :
       {"", "{}", "[]", "null", "{\"a\":1,\"a\":2}", "{\"session_id\":7}", "\xff"})
    both(input);
  for (const char* host : {"codex", "cursor", "vscode", "gemini"})
    both(wire::canonical_json(claude_write(root(), "src/other.py")), {"hook", host});
  both("{}", {"hook", "claude", "--no-such-option"});
  both("{}", {"hook", "claude", "--budget-ms", "x"});
  both("", {"--version"});
  both("", {"hook", "claude", "--help"});
  both("", {"no-such-command"});
}

// git asks three times for each move of refs, and needs an answer once, where a branch moves.
TEST_F(HookFront, AnswersGitWhereNoBranchIsAboutToMove) {
  const std::string head = world.repo.git({"rev-parse", "HEAD"});
  const auto move = [&](const char* ref) { return head + " " + head + " " + ref + "\n"; };
  const auto asked = [&](const char* state, const std::string& input) {
    const std::vector<std::string> words{"hook", "git", "reference-transaction", state};
    both(input, words);
    const Ran ran = by(alone(), input, words);
    return ran.err.find("gatehouse-main is missing") != std::string::npos
               ? std::string("given away")
               : std::to_string(ran.code) + ran.out + ran.err;
  };
  EXPECT_EQ(asked("committed", move("refs/heads/main")), "0");
  EXPECT_EQ(asked("aborted", move("refs/heads/main")), "0");
  EXPECT_EQ(asked("prepared", move("refs/remotes/origin/main") + move("HEAD")), "0");
  EXPECT_EQ(asked("prepared", ""), "0");
  EXPECT_EQ(asked("prepared", move("refs/tags/v1") + move("refs/heads/topic")), "given away");
  EXPECT_EQ(asked("prepared", "not what git says\n"), "given away");
  EXPECT_EQ(asked("preparing", move("refs/heads/main")), "given away");
}

TEST_F(HookFront, TellsWhereTheProgramIsCalled) {
  const Ran ran = world.ask({"hook", "install", "--absolute"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string hook = *sys::read_file(world.at(".git/hooks/pre-commit"), 1u << 20);
  EXPECT_NE(hook.find(gatehouse_path()), std::string::npos) << hook;
  EXPECT_EQ(hook.find(whole_program()), std::string::npos) << hook;
}

// The front has none of what it gives away, and loads nothing.
// The whole program is told how to take its memory when it starts; one that stays is not, and a
// setting of the user's own is kept.
TEST_F(HookFront, GivesTheWholeProgramItsMemoryInLargePages) {
  ASSERT_TRUE(
      sys::write_file_atomic(alone() + "-main", "#!/bin/sh\necho \"$GLIBC_TUNABLES\"\n", 0755));
  const auto told = [&](const std::string& command, std::vector<std::string> more = {}) {
    return run_program({alone(), command}, root(), {}, std::move(more)).out;
  };
  EXPECT_TRUE(contains(told("analyze"), "glibc.malloc.hugetlb=1")) << told("analyze");
  EXPECT_TRUE(contains(told("analyze"), "glibc.malloc.top_pad=")) << told("analyze");
  EXPECT_EQ(told("serve"), "\n");
  EXPECT_EQ(told("mcp"), "\n");
  EXPECT_EQ(told("analyze", {"GLIBC_TUNABLES=glibc.malloc.check=0"}), "glibc.malloc.check=0\n");
}

TEST(FrontBinary, IsSmallAndLoadsNothing) {
  const Ran parts =
      run_program({"/usr/bin/readelf", "--wide", "--segments", gatehouse_path()}, "/");
  ASSERT_EQ(parts.code, 0) << parts.err;
  EXPECT_EQ(parts.out.find("INTERP"), std::string::npos);
  EXPECT_EQ(parts.out.find("DYNAMIC"), std::string::npos);
  const Ran names = run_program({"/usr/bin/nm", gatehouse_path()}, "/");
  ASSERT_EQ(names.code, 0) << names.err;
  for (const char* absent : {" yaml_parser_", " PQconnect", " posix_spawn", " tree_sitter_"})
    EXPECT_EQ(names.out.find(absent), std::string::npos) << absent;
  EXPECT_LT(fs::file_size(gatehouse_path()), 6u << 20);
}

}  // namespace
}  // namespace gh::testing

#endif
