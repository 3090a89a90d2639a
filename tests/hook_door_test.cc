// `gatehouse hook <host>` as hosts use it: what each sends and reads, word for word, and that no
// other exit status than 0 and 2 is ever seen (interfaces 2.1).
#include <fstream>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "tests/hook_kit.h"

namespace gh::testing {
namespace {

const HookWorld& world() {
  static const HookWorld* const kWorld = [] {
    auto* made = new HookWorld();
    made->start("s1", "src/app.py");
    return made;
  }();
  return *kWorld;
}

/// One tool of each host that writes, and its shell, in the members that the host sends.
struct HostCase {
  std::string host, before, after, stop, start, prompt;
  std::string write_tool, path_member, shell_tool;
  std::string denied;  // {} stands for the reason
};

// clang-format off
const std::vector<HostCase> kHosts{
    {"claude", "PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit", "Write", "file_path", "Bash",
     R"({{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":{}}}}})"},
    {"codex", "PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit", "apply_patch", "", "Bash",
     R"({{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":{}}}}})"},
    {"cursor", "preToolUse", "postToolUse", "stop", "sessionStart", "beforeSubmitPrompt", "Write", "file_path", "Shell",
     R"({{"agent_message":{0},"permission":"deny","user_message":{0}}})"},
    {"vscode", "PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit", "createFile", "filePath", "runTerminalCommand",
     R"({{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":{}}}}})"},
    {"gemini", "BeforeTool", "AfterTool", "AfterAgent", "SessionStart", "BeforeAgent", "write_file", "file_path", "run_shell_command",
     R"({{"decision":"deny","reason":{}}})"},
};
// clang-format on

Map base_of(const HostCase& host, const std::string& name, const std::string& session) {
  Map out{{"hook_event_name", name}};
  if (host.host == "cursor") {
    out.set("conversation_id", session);
    out.set("generation_id", "g");
    out.set("workspace_roots", string_list({world().repo.root()}));
  } else {
    out.set("session_id", session);
    out.set("cwd", world().repo.root());
    out.set("transcript_path", Value());
  }
  return out;
}

Map tool_of(Map event, const std::string& name, Map input) {
  event.set("tool_name", name);
  event.set("tool_use_id", "t1");
  event.set("tool_input", std::move(input));
  return event;
}

Map writing(const HostCase& host, const std::string& path, const std::string& session = "s1") {
  Map input;
  if (host.path_member.empty())
    input.set("command",
              "*** Begin Patch\n*** Update File: " + path + "\n@@\n-a\n+b\n*** End Patch\n");
  else
    input.set(host.path_member, path);
  return tool_of(base_of(host, host.before, session), host.write_tool, std::move(input));
}
Map running(const HostCase& host, const std::string& name, const std::string& command) {
  return tool_of(base_of(host, name, "s1"), host.shell_tool, Map{{"command", command}});
}

/// A tool of an MCP server that nobody told us about.
Map by_server(const HostCase& host, Map input) {
  return tool_of(base_of(host, host.before, "s1"),
                 host.host == "gemini" ? "mcp_files_do" : "mcp__files__do", std::move(input));
}

std::string no_intent_text(const std::string& path, const std::string& session) {
  return fmt::format(
      "Gatehouse: {0} may not be written: this session has declared no change.\n"
      "Next: start_controlled_change {{\"analyze\":true,\"intent\":\"what and "
      "why\",\"root\":\"{1}\","
      "\"scope\":{{\"allowed_files\":[\"{0}\"]}}}}, or: gatehouse change start --analyze --goal "
      "'what and why' --allow {0} --session {2}\nMore: gatehouse explain GH-INTENT-001",
      path, world().repo.root(), session);
}

TEST(HookDoor, EveryHostIsStoppedInItsOwnWords) {
  for (const HostCase& host : kHosts) {
    SCOPED_TRACE(host.host);
    const Ran ran = ask_hook(world().repo.root(), host.host, writing(host, "src/other.py", "s2"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string reason = wire::canonical_json(Value(no_intent_text("src/other.py", "s2")));
    EXPECT_EQ(ran.out, fmt::format(fmt::runtime(host.denied), reason) + "\n");
    EXPECT_EQ(ran.err, "");
  }
}

TEST(HookDoor, WhatIsInScopePassesInSilenceOnEveryHost) {
  for (const HostCase& host : kHosts) {
    SCOPED_TRACE(host.host);
    for (const Map& event :
         {writing(host, "src/app.py"), writing(host, world().at("src/app.py")),
          running(host, host.before, "echo x > src/app.py"), running(host, host.before, "ls -la"),
          running(host, host.after, "ls -la"), base_of(host, host.start, "s9"),
          base_of(host, host.prompt, "s9"), base_of(host, host.stop, "s9"),
          base_of(host, "SomethingNew", "s9"),
          tool_of(base_of(host, host.before, "s9"), "mcp__gatehouse__start_controlled_change",
                  Map{{"path", "src/other.py"}})}) {
      const Ran ran = ask_hook(world().repo.root(), host.host, event);
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_EQ(ran.out + ran.err, "") << wire::canonical_json(event);
    }
  }
}

TEST(HookDoor, EveryRuleIsNamedOnEveryHost) {
  struct Case {
    std::string rule;
    std::function<Map(const HostCase&)> event;
  };
  const std::vector<Case> cases{
      {"GH-INTENT-001", [](const HostCase& h) { return writing(h, "src/other.py", "s2"); }},
      {"GH-SCOPE-001", [](const HostCase& h) { return writing(h, "src/other.py"); }},
      {"GH-PROTECT-001", [](const HostCase& h) { return writing(h, "gatehouse.yaml"); }},
      {"GH-PROTECT-001", [](const HostCase& h) { return writing(h, ".git/config"); }},
      {"GH-PROTECT-001",
       [](const HostCase& h) { return writing(h, "/home/u/.claude/settings.json"); }},
      {"GH-BYPASS-001",
       [](const HostCase& h) { return running(h, h.before, "git commit --no-verify -m x"); }},
      {"GH-SCOPE-001",
       [](const HostCase& h) { return running(h, h.before, "echo > docs/guide.md"); }},
      {"GH-SCOPE-001",
       [](const HostCase& h) {  // a tool that nobody knows
         return tool_of(base_of(h, h.before, "s1"), "BrandNewEdit", Map{{"path", "src/other.py"}});
       }},
      {"GH-SCOPE-001",
       [](const HostCase& h) {
         return by_server(h, Map{{"source", "src/other.py"}, {"destination", "src/app.py"}});
       }},
      {"GH-SCOPE-001",
       [](const HostCase& h) {
         return by_server(h, Map{{"source", "src/app.py"}, {"destination", "docs/guide.md"}});
       }},
      {"GH-PROTECT-001",
       [](const HostCase& h) {
         return by_server(h, Map{{"uri", "file://" + world().at("gatehouse.yaml")}});
       }},
      {"GH-SCOPE-001",
       [](const HostCase& h) {
         return by_server(h, Map{{"command", "echo > docs/guide.md"}});
       }},
      {"GH-BYPASS-001",
       [](const HostCase& h) {
         return by_server(h, Map{{"command", "git commit --no-verify -m x"}});
       }},
      {"pass",
       [](const HostCase& h) {
         return by_server(h, Map{{"uri", "https://example.org/a"}});
       }},
      {"pass",
       [](const HostCase& h) {
         return by_server(h, Map{{"command", "ls"}, {"path", "src/app.py"}});
       }},
  };
  for (const HostCase& host : kHosts)
    for (const Case& c : cases) {
      const Ran ran = ask_hook(world().repo.root(), host.host, c.event(host));
      EXPECT_EQ(ran.code, 0) << host.host << ran.err;
      EXPECT_EQ(said(ran), c.rule) << host.host << ran.out;
    }
}

TEST(HookDoor, CursorAsksBeforeACommandInAFormOfItsOwn) {
  Map event = base_of(kHosts[2], "beforeShellExecution", "s1");
  event.set("command", "echo x > src/other.py");
  const Ran ran = ask_hook(world().repo.root(), "cursor", event);
  EXPECT_TRUE(ran.out.starts_with("{\"agent_message\":\"Gatehouse: src/other.py is outside"))
      << ran.out;
  EXPECT_TRUE(contains(ran.out, "\"permission\":\"deny\""));
}

TEST(HookDoor, GeminiRunsACommandInTheFolderThatItNames) {
  Map event = running(kHosts[4], "BeforeTool", "echo x > other.py");
  event.set("tool_input", Map{{"command", "echo x > other.py"}, {"dir_path", "src"}});
  EXPECT_EQ(said(ask_hook(world().repo.root(), "gemini", event)), "GH-SCOPE-001");
  event.set("tool_input", Map{{"command", "echo x > app.py"}, {"dir_path", "src"}});
  EXPECT_EQ(said(ask_hook(world().repo.root(), "gemini", event)), "pass");
}

TEST(HookDoor, WhatSomebodyElseHoldsNamesTheHolder) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  mine.start("s2", "src/other.py");
  const Ran ran =
      ask_hook(mine.repo.root(), "claude", claude_write(mine.repo.root(), mine.at("src/other.py")));
  EXPECT_EQ(said(ran), "GH-INTENT-003");
  EXPECT_TRUE(contains(ran.out, "src/other.py is held by cli/")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "work of s2")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "--on-conflict queue")) << ran.out;
}

TEST(HookDoor, AnIntentInTheQueueOpensNothing) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  (void)mine.ask({"change", "start", "--goal", "wait", "--allow", "src/app.py", "--on-conflict",
                  "queue", "--session", "s2"});
  EXPECT_EQ(said(ask_hook(mine.repo.root(), "claude",
                          claude_write(mine.repo.root(), "src/app.py", "s2"))),
            "GH-INTENT-002");
}

TEST(HookDoor, NothingIsSaidWhereNoGateIs) {
  const GitSandbox plain;
  plain.write("a.txt", "x");
  const Ran ran = ask_hook(plain.root(), "claude", claude_write(plain.root(), "a.txt"));
  EXPECT_EQ(ran.out + ran.err, "");
  const sys::TempDir nowhere = *sys::TempDir::create("/tmp", "gh-hook-");
  EXPECT_EQ(said(ask_hook(nowhere.path(), "claude", claude_write(nowhere.path(), "a.txt"))),
            "pass");
  EXPECT_EQ(gatehouse({"hook", "claude"}, nowhere.path(), "no json").code, 0);
}

TEST(HookDoor, TheModeIsThatOfThePolicyUnlessTheCallSaysOtherwise) {
  struct Case {
    std::string yaml, option, said;
  };
  for (const Case& c :
       {Case{"hooks: {mode: off}\n", "", "pass"},
        Case{"hooks: {mode: off}\n", "--enforce", "GH-INTENT-001"},
        Case{"patch: {}\n", "", "advised"}, Case{"hooks: {mode: advise}\n", "", "advised"},
        Case{"hooks: {mode: enforce}\n", "", "GH-INTENT-001"},
        Case{"hooks: {mode: enforce}\n", "--advise", "advised"}}) {
    SCOPED_TRACE(c.yaml + c.option);
    GitSandbox repo;
    repo.write("gatehouse.yaml", c.yaml);
    std::vector<std::string> more;
    if (!c.option.empty()) more.push_back(c.option);
    const Ran ran = ask_hook(repo.root(), "claude", claude_write(repo.root(), "a.txt"), more);
    EXPECT_EQ(ran.code, 0);
    const bool advised = contains(ran.out, "additionalContext") && !contains(ran.out, "deny");
    EXPECT_EQ(advised ? "advised" : said(ran), c.said) << ran.out;
  }
}

TEST(HookDoor, WhatNobodyCanSeeThroughIsTreatedAsThePolicySays) {
  struct Case {
    std::string host, setting, says;
  };
  for (const Case& c : {Case{"claude", "allow_and_reconcile", ""},
                        Case{"claude", "deny", "\"permissionDecision\":\"deny\""},
                        Case{"claude", "ask", "\"permissionDecision\":\"ask\""},
                        Case{"codex", "ask", "\"permissionDecision\":\"deny\""},
                        Case{"cursor", "ask", "\"permission\":\"ask\""},
                        Case{"gemini", "ask", "\"decision\":\"deny\""}}) {
    SCOPED_TRACE(c.host + " " + c.setting);
    GitSandbox repo;
    repo.write("gatehouse.yaml", "hooks: {mode: enforce, shell_opaque: " + c.setting + "}\n");
    Map event = claude_bash("PreToolUse", repo.root(), "python3 build.py");
    const Ran ran = ask_hook(repo.root(), c.host, event, {"--event", "pre_tool"});
    if (c.says.empty()) {
      EXPECT_EQ(ran.out, "");
    } else {
      EXPECT_TRUE(contains(ran.out, c.says)) << ran.out;
    }
  }
}

TEST(HookDoor, WhateverBreaksTheStatusIsTwoAndTheReasonIsTold) {
  const std::string root = world().repo.root();
  struct Case {
    std::vector<std::string> words;
    std::string input, says;
  };
  const std::vector<Case> cases{
      {{"hook", "claude"}, "", "the document is empty"},
      {{"hook", "claude"}, "no json", "event:1:1"},
      {{"hook", "claude"}, "[]", "is a JSON object"},
      {{"hook", "claude"}, "{\"a\":", "event:"},
      {{"hook", "claude"}, std::string(300, '[') + std::string(300, ']'), "nested deeper"},
      {{"hook", "claude"}, "\"" + std::string((16u << 20) + 1, 'x') + "\"", ""},
      {{"hook", "claude", "--no-such"}, "{}", "unknown option '--no-such'"},
      {{"hook", "claude", "--event"}, "{}", "--event needs a value"},
      {{"hook", "claude", "--budget-ms", "x"}, "{}", "--budget-ms needs a number"},
      {{"hook", "emacs"}, "{}", ""},
      {{"-C", "/nonexistent", "hook", "claude"}, "{}", ""},
  };
  for (const Case& c : cases) {
    const Ran ran = gatehouse(c.words, root, c.input);
    EXPECT_EQ(ran.code, 2) << c.words.back() << " " << c.input.substr(0, 20) << ran.out;
    EXPECT_NE(ran.err, "");
    EXPECT_TRUE(contains(ran.err, c.says)) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
  // A session can always end.
  EXPECT_EQ(gatehouse({"hook", "claude", "--event", "Stop"}, root, "no json").code, 0);
}

TEST(HookDoor, AnUnreadableLedgerOrPolicyStopsEveryWrite) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  const auto write = [&] {
    return said(ask_hook(root, "claude", claude_write(root, "src/app.py")));
  };
  const auto shell = [&](const char* command) {
    return said(ask_hook(root, "claude", claude_bash("PreToolUse", root, command)));
  };
  EXPECT_EQ(write(), "pass");
  for (const char* beside : {"-wal", "-shm"})
    std::filesystem::remove(mine.at(".git/gatehouse/ledger.db") + beside);
  mine.write(".git/gatehouse/ledger.db", std::string(8'192, 'x'));
  EXPECT_EQ(write(), "GH-GATE-001");
  EXPECT_EQ(shell("make"), "GH-GATE-001");
  EXPECT_EQ(shell("echo x > src/app.py"), "GH-GATE-001");
  EXPECT_EQ(shell("ls -la"), "pass");
  std::filesystem::remove(mine.at(".git/gatehouse/ledger.db"));
  EXPECT_EQ(write(), "GH-INTENT-001") << "without a ledger nothing was declared";
  mine.write("gatehouse.yaml", "hooks: {mode: nonsense}\n");
  EXPECT_EQ(write(), "GH-INTENT-001") << "the policy of HEAD was compiled by the first step";
  HookWorld unread;  // its HEAD has a policy that nobody can read, and no step was taken
  unread.write("gatehouse.yaml", "hooks: {mode: nonsense}\n");
  unread.repo.commit("nonsense");
  const std::string there = unread.repo.root();
  EXPECT_EQ(said(ask_hook(there, "claude", claude_write(there, "src/app.py"))), "GH-GATE-001");
  EXPECT_EQ(said(ask_hook(there, "claude", claude_bash("PreToolUse", there, "git status"))),
            "pass");
}

TEST(HookDoor, ThePolicyIsThatOfTheCommitWhenTheSessionBegan) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  const auto write = [&] {
    return said(ask_hook(root, "claude", claude_write(root, "src/other.py")));
  };
  EXPECT_EQ(ask_hook(root, "claude", claude_event("SessionStart", root)).code, 0);
  mine.write("gatehouse.yaml", "hooks: {mode: off}\n");
  EXPECT_EQ(write(), "GH-SCOPE-001") << "an edit of the file does not open the gate";
  std::filesystem::remove(mine.at("gatehouse.yaml"));
  EXPECT_EQ(write(), "GH-SCOPE-001") << "nor does its absence";
  mine.write("gatehouse.yaml", "hooks: {mode: off}\n");
  mine.repo.commit("switched off by a person");
  EXPECT_EQ(ask_hook(root, "claude", claude_event("SessionStart", root)).code, 0);
  EXPECT_EQ(write(), "pass") << "the next session has the next policy";
}

TEST(HookDoor, ARefusalIsARowOfTheAuditChain) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  EXPECT_EQ(said(ask_hook(root, "claude", claude_write(root, "src/other.py"))), "GH-SCOPE-001");
  EXPECT_EQ(said(ask_hook(root, "codex", claude_bash("PreToolUse", root, "HUSKY=0 git commit"))),
            "GH-BYPASS-001");
  mine.must({"change", "status", "--session", "s1"});  // takes them in
  const Ran audit = mine.ask({"audit", "export"});
  EXPECT_TRUE(contains(audit.out, "\"event\":\"hook.denied\"")) << audit.out;
  EXPECT_TRUE(contains(audit.out, "\"rule\":\"GH-SCOPE-001\""));
  EXPECT_TRUE(contains(audit.out, "\"event\":\"hook.bypass\""));
  EXPECT_TRUE(contains(audit.out, "\"surface\":\"hook\""));
  EXPECT_EQ(mine.ask({"audit", "verify"}).code, 0);
}

TEST(HookDoor, AnOpenChangeStopsTheEndOnceAndNeverTwice) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  const auto stop = [&](bool loop, std::vector<std::string> more = {}) {
    Map event = claude_event("Stop", root);
    event.set("stop_hook_active", loop);
    return ask_hook(root, "claude", event, std::move(more));
  };
  EXPECT_EQ(stop(false).out, "") << "nothing was changed yet";
  mine.write("src/app.py", "edited\n");
  EXPECT_EQ(stop(false, {"--advise"}).out, "");
  EXPECT_EQ(stop(true).out, "") << "asked again: never";
  const Ran blocked = stop(false);
  EXPECT_TRUE(blocked.out.starts_with("{\"decision\":\"block\",\"reason\":\"Gatehouse: intent-"))
      << blocked.out;
  EXPECT_TRUE(contains(
      blocked.out,
      "finish_controlled_change {\\\"analyze\\\":true,\\\"changed_files\\\":[\\\"src/app.py\\\"]"))
      << blocked.out;
  EXPECT_EQ(stop(false).out, "") << "also where the host does not say that it asks again";
  EXPECT_EQ(ask_hook(root, "claude", claude_event("UserPromptSubmit", root)).out, "");
  EXPECT_NE(stop(false).out, "") << "a new turn";
  mine.must({"change", "status", "--session", "s1"});
  EXPECT_TRUE(contains(mine.ask({"audit", "export"}).out, "\"event\":\"hook.stop_override\""));
  mine.must({"change", "abandon", "--session", "s1"});
  EXPECT_EQ(stop(false).out, "") << "closed";
}

TEST(HookDoor, EveryHostIsToldOfStraysAndOfAnOpenEndInItsOwnForm) {
  struct Form {
    std::string after, stop;  // how the answers begin
  };
  const std::map<std::string, Form> forms{
      {"claude",
       {R"({"decision":"block","reason":"Gatehouse: the call changed)",
        R"({"decision":"block","reason":"Gatehouse: intent-)"}},
      {"codex",
       {R"({"decision":"block","reason":"Gatehouse: the call changed)",
        R"({"decision":"block","reason":"Gatehouse: intent-)"}},
      {"cursor",
       {R"({"additional_context":"Gatehouse: the call changed)",
        R"({"followup_message":"Gatehouse: intent-)"}},
      {"vscode",
       {R"({"decision":"block","reason":"Gatehouse: the call changed)",
        R"({"decision":"block","reason":"Gatehouse: intent-)"}},
      {"gemini",
       {R"({"hookSpecificOutput":{"additionalContext":"Gatehouse: the call changed)",
        R"({"decision":"deny","reason":"Gatehouse: intent-)"}},
  };
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  const auto at_root = [&](Map event) {
    event.set("cwd", root);
    event.set("workspace_roots", string_list({root}));
    return event;
  };
  for (const HostCase& host : kHosts) {
    SCOPED_TRACE(host.host);
    mine.repo.git({"checkout", "-q", "--", "."});
    EXPECT_EQ(ask_hook(root, host.host, at_root(base_of(host, host.start, "s1"))).out, "");
    EXPECT_EQ(ask_hook(root, host.host, at_root(running(host, host.before, "python3 x.py"))).out,
              "");
    mine.write("src/app.py", "edited\n");
    mine.write("src/other.py", "edited too\n");
    const Ran after = ask_hook(root, host.host, at_root(running(host, host.after, "python3 x.py")));
    EXPECT_TRUE(after.out.starts_with(forms.at(host.host).after)) << after.out;
    const Ran stop = ask_hook(root, host.host, at_root(base_of(host, host.stop, "s1")));
    EXPECT_TRUE(stop.out.starts_with(forms.at(host.host).stop)) << stop.out;
    EXPECT_EQ(ask_hook(root, host.host, at_root(base_of(host, host.prompt, "s1"))).out, "");
  }
}

TEST(HookDoor, WhatSomebodyElseChangedMeanwhileIsNotChargedToTheAgent) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  EXPECT_EQ(ask_hook(root, "claude", claude_event("SessionStart", root)).code, 0);
  mine.write("docs/guide.md", "edited by a person before the call\n");
  EXPECT_EQ(said(ask_hook(root, "claude", claude_bash("PreToolUse", root, "python3 x.py"))),
            "pass");
  mine.write("src/other.py", "edited by the call\n");
  const Ran ran = ask_hook(root, "claude", claude_bash("PostToolUse", root, "python3 x.py"));
  EXPECT_TRUE(ran.out.starts_with("{\"decision\":\"block\"")) << ran.out;
  EXPECT_TRUE(contains(ran.out,
                       "the call changed what it may not: src/other.py. Changed by somebody else "
                       "meanwhile: docs/guide.md."))
      << ran.out;
  EXPECT_EQ(ask_hook(root, "claude", claude_bash("PostToolUse", root, "python3 x.py")).out, "")
      << "told once";
}

TEST(HookDoor, ACommandThatFailedIsLookedAtToo) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  EXPECT_EQ(ask_hook(root, "claude", claude_event("SessionStart", root)).code, 0);
  const std::string command = "python3 x.py; false";
  EXPECT_EQ(said(ask_hook(root, "claude", claude_bash("PreToolUse", root, command))), "pass");
  mine.write("src/other.py", "edited by the call\n");
  const Ran ran = ask_hook(root, "claude", claude_bash("PostToolUseFailure", root, command));
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.out, "\"hookEventName\":\"PostToolUseFailure\"")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "the call changed what it may not: src/other.py")) << ran.out;
}

// What an attack found: a header that only the host sees, and what it writes into git's own folder.
TEST(HookDoor, APatchIsReadAsTheMostTolerantHostReadsItAndLookedAtAfterwards) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  const auto patch = [&](std::string_view name, std::string_view host, const std::string& text) {
    Map event = claude_event(name, root);
    event.set("tool_name", "apply_patch");
    event.set("tool_use_id", "call-3");
    event.set("tool_input", Map{{host == "codex" ? "command" : "input", text}});
    if (name == "PostToolUse") event.set("tool_response", Map{});
    return ask_hook(root, std::string(host), event);
  };
  const std::string begin = "*** Begin Patch\n*** Update File: src/app.py\n@@\n-first\n+x = 1\n",
                    end = "*** End Patch\n";
  for (const std::string_view host : {"codex", "vscode"}) {
    EXPECT_EQ(ask_hook(root, std::string(host), claude_event("SessionStart", root)).code, 0);
    for (const std::string_view blank : {"", " ", "\t", "\xc2\xa0", "\v", "\r", "\xe2\x80\xa8"}) {
      EXPECT_EQ(said(patch("PreToolUse", host,
                           begin + std::string(blank) +
                               "*** Add File: .git/hooks/pre-commit\n+#!/bin/sh\n" + end)),
                "GH-PROTECT-001")
          << host << blank;
      EXPECT_EQ(said(patch("PreToolUse", host,
                           begin + std::string(blank) + "*** Delete File: src/other.py\n" + end)),
                "GH-SCOPE-001")
          << host << blank;
    }
    EXPECT_EQ(
        said(patch("PreToolUse", host,
                   "*** Begin Patch\n*** Environment ID: e\n*** Update File: src/app.py\n" + end)),
        "GH-SCOPE-001");
    EXPECT_EQ(said(patch("PreToolUse", host, begin + end)), "pass");
    mine.write("src/app.py", fmt::format("x = 1 {}\n", host));
    EXPECT_EQ(patch("PostToolUse", host, begin + end).out, "");
    // A reader that is more tolerant still, and writes what nobody saw.
    EXPECT_EQ(said(patch("PreToolUse", host, begin + end)), "pass");
    mine.write(".git/hooks/pre-commit", fmt::format("#!/bin/sh\n# {}\n", host));
    mine.write("src/other.py", fmt::format("by {}\n", host));
    const Ran after = patch("PostToolUse", host, begin + end);
    EXPECT_TRUE(after.out.starts_with("{\"decision\":\"block\"")) << after.out;
    EXPECT_TRUE(contains(after.out, "what it may not: .git/hooks/pre-commit, src/other.py"))
        << after.out;
    EXPECT_EQ(patch("PostToolUse", host, begin + end).out, "") << "told once";
  }
}

TEST(HookDoor, MoreFilesThanAreLookedAtAreDenied) {
  const std::string root = world().repo.root();
  std::string text = "*** Begin Patch\n";
  for (int i = 0; i < 4'096; ++i)
    text += fmt::format("*** Update File: {}/../src/app.py\n", i);
  Map event = claude_event("PreToolUse", root);
  event.set("tool_name", "apply_patch");
  event.set("tool_input", Map{{"command", text + "*** Add File: .git/hooks/pre-commit\n"}});
  const Ran ran = ask_hook(root, "codex", event);
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_TRUE(contains(ran.err, "more than 4096 files")) << ran.err;
}

TEST(HookDoor, WhatSteersGitIsLookedAtAfterACommand) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  EXPECT_EQ(ask_hook(root, "claude", claude_event("SessionStart", root)).code, 0);
  const auto run = [&](const std::function<void()>& what) {
    EXPECT_EQ(said(ask_hook(root, "claude", claude_bash("PreToolUse", root, "python3 x.py"))),
              "pass");
    what();
    return ask_hook(root, "claude", claude_bash("PostToolUse", root, "python3 x.py")).out;
  };
  const auto git = [&](std::vector<std::string> words) {
    return [&mine, words] { mine.repo.git(words); };
  };
  const auto tells = [](const std::string& out, std::string_view path) {
    return out.starts_with("{\"decision\":\"block\"") &&
           contains(out, fmt::format("what it may not: {}.", path)) &&
           contains(out, "explain GH-PROTECT-001") && !contains(out, "git restore");
  };
  const std::string settings = ".git/config", hook = ".git/hooks/post-commit";
  std::string out;
  // Settings that steer nothing come and go.
  EXPECT_EQ(out = run(git({"config", "branch.main.remote", "origin"})), "");
  EXPECT_EQ(out = run(git({"config", "remote.origin.url", "../x"})), "");
  EXPECT_EQ(out = run(git({"config", "user.name", "Ada"})), "");
  for (const std::string key : {"core.hooksPath", "core.fsmonitor", "include.path", "alias.x"}) {
    EXPECT_TRUE(tells(out = run(git({"config", key, "y"})), settings)) << key << out;
    EXPECT_EQ(out = run([] {}), "") << "told once";
    EXPECT_EQ(out = run(git({"config", "--unset", key})), "") << key << ": it was undone";
  }
  EXPECT_TRUE(tells(out = run([&] { mine.write(hook, "#!/bin/sh\n"); }), hook)) << out;
  EXPECT_TRUE(tells(out = run([&] {
                      std::filesystem::permissions(mine.at(hook),
                                                   std::filesystem::perms::owner_all);
                    }),
                    hook))
      << out;
  EXPECT_EQ(out = run([&] { mine.write(".git/hooks/x.sample", "#!/bin/sh\n"); }), "");
  EXPECT_EQ(out = run([&] { std::filesystem::remove(mine.at(hook)); }), "") << "it was undone";
  for (const std::string file : {"attributes", "exclude", "grafts"})
    EXPECT_TRUE(
        tells(out = run([&] { mine.write(".git/info/" + file, "# x\n"); }), ".git/info/" + file))
        << out;
  EXPECT_TRUE(tells(out = run([&] { mine.write(".git/objects/info/alternates", "# x\n"); }),
                    ".git/objects/info/alternates"))
      << out;
}

TEST(HookDoor, TheFirstStepOfAHostWithoutASessionIsJudgedByThePolicyOfHead) {
  HookWorld mine;
  const std::string root = mine.repo.root();
  mine.write("gatehouse.yaml", "hooks:\n  mode: 'off'\n");
  EXPECT_EQ(said(ask_hook(root, "claude", claude_write(root, root + "/src/other.py"))),
            "GH-INTENT-001");
}

TEST(HookDoor, ALookThatTakesTooLongSaysSoAndLooksAtWhatTheCommandNames) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string root = mine.repo.root();
  mine.write("src/other.py", "x\n");
  const Map event = claude_bash("PostToolUse", root, "make; echo x > src/other.py");
  // A git that never comes to an end with its look.
  const std::string folder = mine.repo.folder() + "/slow";
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(sys::write_file_atomic(folder + "/git",
                                     "#!/bin/sh\ncase \" $* \" in *' status '*) exec tail -f "
                                     "/dev/null ;; esac\nexec /usr/bin/git \"$@\"\n",
                                     0755));
  const Ran ran = gatehouse({"hook", "claude", "--budget-ms", "1"}, root,
                            wire::canonical_json(event), {"GATEHOUSE_GIT_PATH=" + folder});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(
      ran.out, "git needed more than 1 ms: only the paths that the command names were looked at."))
      << ran.out;
  EXPECT_TRUE(contains(ran.out, "the call changed what it may not: src/other.py")) << ran.out;
}

TEST(HookDoor, AnEditThatAHostTellsOfOnlyAfterwardsIsTold) {
  Map event = base_of(kHosts[2], "afterFileEdit", "s1");
  event.set("file_path", world().at("src/other.py"));
  const Ran edited = ask_hook(world().repo.root(), "cursor", event);
  EXPECT_EQ(edited.out, "");
  EXPECT_TRUE(contains(edited.err, "src/other.py")) << edited.err;
  Map after = writing(kHosts[0], "src/other.py");
  after.set("hook_event_name", "PostToolUse");
  EXPECT_TRUE(contains(ask_hook(world().repo.root(), "claude", after).out, "additionalContext"));
}

TEST(HookDoor, ANewFileThatAHostTellsOfAfterwardsIsRemovedAndNotRestored) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  mine.write("src/new.py", "x\n");
  Map event = base_of(kHosts[2], "afterFileEdit", "s1");
  event.set("file_path", mine.at("src/new.py"));
  event.set("workspace_roots", List{Value(mine.repo.root())});
  event.set("cwd", mine.repo.root());
  const Ran edited = ask_hook(mine.repo.root(), "cursor", event);
  EXPECT_TRUE(contains(edited.err, "rm -- src/new.py")) << edited.err;
  EXPECT_FALSE(contains(edited.err, "git restore")) << edited.err;
}

TEST(HookDoor, AFileOfALinkedWorkTreeIsJudgedThere) {
  HookWorld mine;
  mine.start("s1", "src/app.py");
  const std::string other = mine.repo.folder() + "/linked";
  mine.repo.git({"worktree", "add", "-q", other});
  EXPECT_EQ(said(ask_hook(mine.repo.root(), "claude",
                          claude_write(mine.repo.root(), other + "/src/app.py"))),
            "GH-INTENT-001")
      << "the intent holds in its own tree alone";
  EXPECT_EQ(said(ask_hook(other, "claude", claude_write(other, "src/app.py"))), "GH-INTENT-001");
  EXPECT_EQ(gatehouse({"analyze"}, other).code, 0);
  EXPECT_EQ(gatehouse({"change", "start", "--goal", "g", "--allow", "src/app.py", "--session", "s1",
                       "--field", "status"},
                      other)
                .code,
            0);
  EXPECT_EQ(said(ask_hook(other, "claude", claude_write(other, "src/app.py"))), "pass");
  EXPECT_EQ(said(ask_hook(mine.repo.root(), "claude",
                          claude_write(mine.repo.root(), mine.at(".git/worktrees/linked/HEAD")))),
            "GH-PROTECT-001");
}

TEST(HookDoor, ThePagesShowTheHooksThatInitWrites) {
  const std::string page = bytes_of("docs/agents.md");
  for (const char* file :
       {"claude.settings", "codex.hooks", "cursor.hooks", "vscode.hooks", "gemini.settings"}) {
    std::string wanted = bytes_of(fmt::format("data/setup/{}.json", file));
    wanted = wanted.substr(wanted.find("\"hooks\":{"));
    while (wanted.ends_with('\n'))
      wanted.pop_back();
    EXPECT_TRUE(contains(page, wanted)) << file << ":\n" << wanted;
  }
}

TEST(HookDoor, ThePagesShowTheServersThatAreToBeWritten) {
  const std::string page = bytes_of("docs/agents.md");
  for (const HostCase& host : kHosts) {
    const Ran ran = gatehouse({"mcp", "--print-config", std::string(host.host)}, "/");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(page, "\n" + ran.out)) << ran.out;
  }
}

TEST(HookDoor, ThePagesShowWhatIsReallySaid) {
  std::ifstream in("docs/agents.md");
  std::string page{std::istreambuf_iterator<char>(in), {}};
  for (const HostCase& host : kHosts) {
    std::string said =
        ask_hook(world().repo.root(), host.host, writing(host, "src/other.py", "s2")).out;
    const std::string root = world().repo.root();
    for (std::size_t at = said.find(root); at != said.npos; at = said.find(root))
      said.replace(at, root.size(), "/home/you/project");
    for (std::size_t at = said.find("session s2"); at != said.npos; at = said.find("session s2"))
      said.replace(at, 10, "session 7f3a");
    EXPECT_TRUE(contains(page, said)) << said;
  }
}

}  // namespace
}  // namespace gh::testing
