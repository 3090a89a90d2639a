#include "hooks/event.h"

#include <tuple>

#include "shell/classify.h"
#include "wire/json.h"

namespace gh::hooks {
namespace {

/// host | event name => kind, class, tool, session, agent, cwd, targets, command, loop
std::string told(Host host, std::string_view json, std::string_view wanted = {}) {
  const auto document = wire::read_json(json);
  if (!document) return "no JSON";
  const auto event = read_event(host, *document, wanted);
  if (!event) return "error";
  std::string out(to_string(event->kind));
  out += fmt::format(" {} {}", to_string(event->tool_class), event->tool);
  for (const std::string& target : event->targets)
    out += " [" + target + "]";
  if (!event->command.empty()) out += " $ " + event->command;
  if (!event->mcp_server.empty()) out += " @" + event->mcp_server;
  if (event->loop) out += " loop";
  out += fmt::format(" | {} {} {}", event->session, event->agent, event->cwd);
  return out;
}

struct Case {
  Host host;
  std::string_view json, told;
};

TEST(HookEvent, ToolsThatOnlyReadAreKnown) {
  struct Reader {
    Host host;
    std::string_view tool;
  };
  constexpr Reader kReaders[] = {
      {Host::claude, "LSP"},
      {Host::claude, "ReadMcpResourceTool"},
      {Host::claude, "ListMcpResourcesTool"},
      {Host::vscode, "read_file"},
      {Host::vscode, "list_dir"},
      {Host::vscode, "file_search"},
      {Host::vscode, "grep_search"},
      {Host::vscode, "semantic_search"},
      {Host::vscode, "test_search"},
      {Host::vscode, "list_code_usages"},
      {Host::vscode, "get_errors"},
      {Host::vscode, "get_changed_files"},
      {Host::vscode, "view_image"},
      {Host::vscode, "copilot_getNotebookSummary"},
      {Host::vscode, "read_notebook_cell_output"},
      {Host::vscode, "vscode_listCodeUsages"},
      {Host::vscode, "copilot_listCodeUsages"},
      {Host::vscode, "copilot_getErrors"},
      {Host::vscode, "copilot_getChangedFiles"},
      {Host::vscode, "copilot_findTestFiles"},
      {Host::vscode, "copilot_readFile"},
      {Host::vscode, "copilot_listDirectory"},
      {Host::vscode, "copilot_viewImage"},
      {Host::vscode, "problems"},
      {Host::vscode, "usages"},
      {Host::cursor, "ReadLints"},
      {Host::cursor, "SemanticSearch"},
  };
  for (const Reader& reader : kReaders) {
    const Map event{{"hook_event_name", "PreToolUse"},
                    {"session_id", "s"},
                    {"tool_name", reader.tool},
                    {"tool_input", Map{{"filePath", "a.c"}, {"file_path", "a.c"}}}};
    EXPECT_EQ(read_event(reader.host, event)->tool_class, ToolClass::read) << reader.tool;
  }
  for (const std::string tool : {"read_file",
                                 "read_text_file",
                                 "read_media_file",
                                 "read_multiple_files",
                                 "list_directory",
                                 "list_directory_with_sizes",
                                 "directory_tree",
                                 "search_files",
                                 "get_file_info",
                                 "get_file_contents",
                                 "list_allowed_directories",
                                 "getDiagnostics",
                                 "list_dir",
                                 "find_file",
                                 "search_for_pattern",
                                 "get_symbols_overview",
                                 "find_symbol",
                                 "find_referencing_symbols",
                                 "find_referencing_code_snippets",
                                 "get_file_text_by_path",
                                 "get_file_problems",
                                 "list_directory_tree",
                                 "git_status",
                                 "git_diff",
                                 "git_diff_staged",
                                 "git_diff_unstaged",
                                 "git_log",
                                 "git_show",
                                 "start_search",
                                 "get_more_search_results",
                                 "hover",
                                 "definition",
                                 "references",
                                 "diagnostics",
                                 "open_file_in_editor",
                                 "lint-files",
                                 "semgrep_scan",
                                 "security_check",
                                 "browser_click",
                                 "browser_hover",
                                 "browser_type",
                                 "browser_select_option",
                                 "browser_snapshot"}) {
    const Map event{{"hook_event_name", "PreToolUse"},
                    {"session_id", "s"},
                    {"tool_name", "mcp__files__" + tool},
                    {"tool_input", Map{{"path", "a.c"}, {"uri", "file:///r/a.c"}}}};
    EXPECT_TRUE(read_event(Host::claude, event)->targets.empty()) << tool;
  }
}

TEST(HookEvent, FilesOfARepositoryOnAForgeAreNotThoseHere) {
  const auto targets = [](Map input) {
    return read_event(Host::claude, Map{{"hook_event_name", "PreToolUse"},
                                        {"session_id", "s"},
                                        {"tool_name", "mcp__github__create_or_update_file"},
                                        {"tool_input", std::move(input)}})
        ->targets.size();
  };
  EXPECT_EQ(targets(Map{{"owner", "a"}, {"repo", "b"}, {"path", "a.c"}}), 0u);
  EXPECT_EQ(targets(Map{{"repo", "b"}, {"path", "a.c"}}), 1u);
  EXPECT_EQ(targets(Map{{"owner", "a"}, {"path", "a.c"}}), 1u);
  EXPECT_EQ(targets(Map{{"owner", ""}, {"repo", "b"}, {"path", "a.c"}}), 1u);
}

/// What they name is what they run, not what they write.
TEST(HookEvent, AToolThatRunsCodeOfTheProjectIsAProgramThatNobodyKnows) {
  for (const std::string_view tool : {"runTests", "run_tests"}) {
    const Map event{{"hook_event_name", "PreToolUse"},
                    {"session_id", "s"},
                    {"tool_name", tool},
                    {"tool_input", Map{{"files", List{"tests/a.py"}}}}};
    const auto read = read_event(Host::vscode, event);
    EXPECT_EQ(read->tool_class, ToolClass::shell);
    EXPECT_TRUE(read->targets.empty());
    EXPECT_EQ(shell::to_string(shell::classify(read->command, {}).shell_class), "opaque");
    EXPECT_EQ(shell::classify(read->command, {}).bypass, "");
  }
}

TEST(HookEvent, EveryHostIsReadIntoOneForm) {
  constexpr Case kCases[] = {
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PostToolUseFailure","tool_name":"Bash",
           "tool_input":{"command":"false; rm a"},"error":"exit 1"})",
       "post_tool shell Bash $ false; rm a | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"mcp__files__read_text_file",
           "tool_input":{"path":"a.c"}})",
       "pre_tool mcp mcp__files__read_text_file @files | s s /r"},
      {Host::gemini,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"BeforeTool","tool_name":"mcp_files_get_file_info",
           "tool_input":{"path":"a.c"}})",
       "pre_tool mcp mcp_files_get_file_info @files | s s /r"},
      {Host::vscode,
       R"({"sessionId":"s","cwd":"/r","hookEventName":"PreToolUse","tool_name":"createFile",
           "tool_input":{"filePath":"a.c"}})",
       "pre_tool write createFile [a.c] | s s /r"},
      {Host::claude,
       R"({"session_id":"s","transcript_path":"/t","cwd":"/r","permission_mode":"default",
           "hook_event_name":"PreToolUse","tool_name":"Write","tool_use_id":"u",
           "tool_input":{"file_path":"/r/a.c","content":"*** Add File: no"}})",
       "pre_tool write Write [/r/a.c] | s s /r"},
      {Host::claude,
       R"({"session_id":"s","agent_id":"sub","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"Edit",
           "tool_input":{"file_path":"a.c","old_string":"x","new_string":"y"}})",
       "pre_tool write Edit [a.c] | s sub /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"MultiEdit",
           "tool_input":{"file_path":"a.c","edits":[]}})",
       "pre_tool write MultiEdit [a.c] | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"NotebookEdit",
           "tool_input":{"notebook_path":"a.ipynb"}})",
       "pre_tool write NotebookEdit [a.ipynb] | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PostToolUse","tool_name":"Bash",
           "tool_input":{"command":"rm a","description":"x"},"tool_response":{}})",
       "post_tool shell Bash $ rm a | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"Read",
           "tool_input":{"file_path":"a.c"}})",
       "pre_tool read Read | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"mcp__gatehouse__status",
           "tool_input":{}})",
       "pre_tool mcp mcp__gatehouse__status @gatehouse | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"mcp__files__write",
           "tool_input":{"path":"a.c"},"mcp_server":{"name":"files","source":"project"}})",
       "pre_tool mcp mcp__files__write [a.c] @files | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"BrandNew",
           "tool_input":{"target_file":"a.c"}})",
       "pre_tool write BrandNew [a.c] | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"NewShell",
           "tool_input":{"command":"rm a"}})",
       "pre_tool shell NewShell $ rm a | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"Stop","stop_hook_active":true})",
       "stop other  loop | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"SubagentStop","stop_hook_active":false})",
       "stop other  | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"SessionStart","source":"startup"})",
       "session_start other  | s s /r"},
      {Host::claude,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"UserPromptSubmit","prompt":"x"})",
       "prompt other  | s s /r"},
      {Host::claude, R"({"session_id":"s","cwd":"/r","hook_event_name":"PreCompact"})",
       "other other  | s s /r"},
      {Host::codex,
       R"({"cwd":"/r","hook_event_name":"PreToolUse","model":"m","permission_mode":"x","session_id":"s",
           "tool_name":"apply_patch","tool_use_id":"u","transcript_path":null,"turn_id":"t",
           "tool_input":{"command":"*** Begin Patch\n*** Add File: new.c\n+x\n*** Update File: old.c\n*** Move to: moved.c\n*** Delete File: gone.c\r\n*** End Patch"}})",
       "pre_tool write apply_patch [gone.c] [moved.c] [new.c] [old.c] | s s /r"},
      {Host::codex,
       R"({"cwd":"/r","hook_event_name":"PreToolUse","session_id":"s","tool_name":"Write",
           "tool_input":{"command":"*** Add File: a"}})",
       "pre_tool write Write [a] | s s /r"},
      {Host::codex,
       R"({"cwd":"/r","hook_event_name":"PreToolUse","session_id":"s","tool_name":"Edit",
           "tool_input":{"command":"*** Update File: a"}})",
       "pre_tool write Edit [a] | s s /r"},
      {Host::codex,
       R"({"cwd":"/r","hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash",
           "tool_input":{"command":"ls"}})",
       "pre_tool shell Bash $ ls | s s /r"},
      {Host::cursor,
       R"({"conversation_id":"c","generation_id":"g","hook_event_name":"preToolUse","workspace_roots":["/r"],
           "tool_name":"StrReplace","tool_input":{"path":"a.c"}})",
       "pre_tool write StrReplace [a.c] | c c /r"},
      {Host::cursor,
       R"({"conversation_id":"c","hook_event_name":"preToolUse","workspace_roots":["/r"],
           "tool_name":"ApplyPatch","tool_input":{"input":"*** Update File: a.c\n"}})",
       "pre_tool write ApplyPatch [a.c] | c c /r"},
      {Host::cursor,
       R"({"conversation_id":"c","hook_event_name":"beforeShellExecution","workspace_roots":["/r"],
           "command":"rm a","cwd":"/r/d"})",
       "pre_tool shell Shell $ rm a | c c /r/d"},
      {Host::cursor,
       R"({"conversation_id":"c","hook_event_name":"afterFileEdit","workspace_roots":["/r"],
           "file_path":"/r/a.c","edits":[]})",
       "post_tool write Write [/r/a.c] | c c /r"},
      {Host::cursor,
       R"({"conversation_id":"c","hook_event_name":"stop","workspace_roots":["/r"],"status":"completed","loop_count":1})",
       "stop other  loop | c c /r"},
      {Host::vscode,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"editFiles",
           "tool_input":{"files":["b.c",{"filePath":"a.c"}]}})",
       "pre_tool write editFiles [a.c] [b.c] | s s /r"},
      {Host::vscode,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"createFile",
           "tool_input":{"filePath":"a.c"}})",
       "pre_tool write createFile [a.c] | s s /r"},
      {Host::vscode,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"PreToolUse","tool_name":"runTerminalCommand",
           "tool_input":{"command":"ls"}})",
       "pre_tool shell runTerminalCommand $ ls | s s /r"},
      {Host::gemini,
       R"({"session_id":"s","transcript_path":"/t","cwd":"/r","hook_event_name":"BeforeTool","timestamp":"x",
           "tool_name":"write_file","tool_input":{"file_path":"a.c","content":"x"}})",
       "pre_tool write write_file [a.c] | s s /r"},
      {Host::gemini,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"BeforeTool","tool_name":"replace",
           "tool_input":{"file_path":"a.c"}})",
       "pre_tool write replace [a.c] | s s /r"},
      {Host::gemini,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"AfterTool","tool_name":"run_shell_command",
           "tool_input":{"command":"rm a","dir_path":"d"}})",
       "post_tool shell run_shell_command $ rm a | s s /r"},
      {Host::gemini,
       R"({"session_id":"s","cwd":"/r","hook_event_name":"BeforeTool","tool_name":"mcp_gatehouse_status",
           "tool_input":{}})",
       "pre_tool mcp mcp_gatehouse_status @gatehouse | s s /r"},
      {Host::gemini, R"({"session_id":"s","cwd":"/r","hook_event_name":"AfterAgent"})",
       "stop other  | s s /r"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(told(c.host, c.json), c.told) << c.json;
}

TEST(HookEvent, EveryEventOfEveryHostHasItsKind) {
  struct Row {
    Host host;
    std::string_view name, kind;
  };
  constexpr Row kRows[] = {
      {Host::vscode, "PreToolUse", "pre_tool"},
      {Host::vscode, "PostToolUse", "post_tool"},
      {Host::vscode, "Stop", "stop"},
      {Host::vscode, "SessionStart", "session_start"},
      {Host::codex, "PostToolUse", "post_tool"},
      {Host::codex, "Stop", "stop"},
      {Host::codex, "SubagentStop", "stop"},
      {Host::codex, "SessionStart", "session_start"},
      {Host::codex, "UserPromptSubmit", "prompt"},
      {Host::cursor, "preToolUse", "pre_tool"},
      {Host::cursor, "beforeMCPExecution", "pre_tool"},
      {Host::cursor, "postToolUse", "post_tool"},
      {Host::cursor, "sessionStart", "session_start"},
      {Host::cursor, "beforeSubmitPrompt", "prompt"},
      {Host::cursor, "PreToolUse", "other"},
      {Host::gemini, "SessionStart", "session_start"},
      {Host::gemini, "BeforeAgent", "prompt"},
      {Host::gemini, "PreToolUse", "other"},
      {Host::claude, "preToolUse", "other"},
  };
  for (const Row& row : kRows) {
    const auto event = read_event(row.host, Map{{"hook_event_name", row.name}});
    ASSERT_TRUE(event);
    EXPECT_EQ(to_string(event->kind), row.kind) << to_string(row.host) << " " << row.name;
  }
}

TEST(HookEvent, TheCommandLineMayNameTheEventInOurWords) {
  for (const std::string_view kind : {"pre_tool", "post_tool", "stop", "session_start", "prompt"}) {
    const auto event = read_event(Host::claude, Map{}, kind);
    ASSERT_TRUE(event);
    EXPECT_EQ(to_string(event->kind), kind);
  }
}

TEST(HookEvent, ToolsThatReadAreKnownOnEveryHost) {
  const std::pair<Host, std::string_view> reading[] = {{Host::claude, "Glob"},
                                                       {Host::claude, "Grep"},
                                                       {Host::claude, "LS"},
                                                       {Host::claude, "NotebookRead"},
                                                       {Host::codex, "view_image"},
                                                       {Host::cursor, "Read"},
                                                       {Host::cursor, "Glob"},
                                                       {Host::cursor, "Grep"},
                                                       {Host::cursor, "LS"},
                                                       {Host::vscode, "readFile"},
                                                       {Host::vscode, "listDirectory"},
                                                       {Host::gemini, "read_file"},
                                                       {Host::gemini, "read_many_files"},
                                                       {Host::gemini, "list_directory"},
                                                       {Host::gemini, "glob"},
                                                       {Host::gemini, "search_file_content"}};
  for (const auto& [host, tool] : reading) {
    const auto event =
        read_event(host, Map{{"tool_name", tool}, {"tool_input", Map{{"path", "a"}}}}, "pre_tool");
    ASSERT_TRUE(event);
    EXPECT_EQ(to_string(event->tool_class), "read") << tool;
  }
}

TEST(HookEvent, ToolsThatWriteAreKnownOnEveryHost) {
  const std::pair<Host, std::string_view> writing[] = {{Host::cursor, "Write"},
                                                       {Host::cursor, "Edit"},
                                                       {Host::cursor, "Delete"},
                                                       {Host::cursor, "TabWrite"}};
  for (const auto& [host, tool] : writing) {
    const auto event = read_event(
        host, Map{{"tool_name", tool}, {"tool_input", Map{{"file_path", "a"}}}}, "pre_tool");
    ASSERT_TRUE(event);
    EXPECT_EQ(to_string(event->tool_class), "write") << tool;
    EXPECT_EQ(event->targets, std::vector<std::string>{"a"}) << tool;
  }
  const auto shell =
      read_event(Host::cursor, Map{{"tool_name", "Shell"}, {"tool_input", Map{{"command", "ls"}}}},
                 "pre_tool");
  ASSERT_TRUE(shell);
  EXPECT_EQ(shell->command, "ls");
}

TEST(HookEvent, OnlyAnObjectIsAnEvent) {
  EXPECT_FALSE(read_event(Host::claude, Value(List{})));
  EXPECT_FALSE(read_event(Host::claude, Value("x")));
}

TEST(HookEvent, HostsHaveTheirNames) {
  for (const std::string_view name : {"claude", "codex", "cursor", "vscode", "gemini"}) {
    const auto host = host_named(name);
    ASSERT_TRUE(host) << name;
    EXPECT_EQ(to_string(*host), name);
  }
  EXPECT_FALSE(host_named("other"));
}

Event of_tool(Host host, std::string_view tool, std::string_view input) {
  const auto document = wire::read_json(fmt::format(
      R"({{"hook_event_name": "PreToolUse", "tool_name": "{}", "tool_input": {}}})", tool, input));
  return *read_event(host, *document, "pre_tool");
}

// What an attack found: shapes of input that were taken for nothing.
TEST(HookEvent, PathsAndCommandsAreFoundHoweverDeepTheyStand) {
  const Event many = of_tool(Host::vscode, "multi_replace_string_in_file",
                             R"({"replacements": [{"filePath": "a.py"}, {"filePath": "b.py"}]})");
  EXPECT_EQ(many.tool_class, ToolClass::write);
  EXPECT_EQ(many.targets, (std::vector<std::string>{"a.py", "b.py"}));
  const Event patch = of_tool(Host::vscode, "apply_patch",
                              R"({"input": "*** Begin Patch\n*** Update File: q.py\n"})");
  EXPECT_EQ(patch.tool_class, ToolClass::write);
  EXPECT_EQ(patch.targets, (std::vector<std::string>{"q.py"}));
  for (const auto& [tool, input, command] :
       {std::tuple{"create_and_run_task", R"({"task": {"command": "echo x > q"}})", "echo x > q"},
        std::tuple{"shell", R"({"command": ["bash", "-lc", "echo 'x' > q"]})",
                   R"('bash' '-lc' 'echo '\''x'\'' > q')"},
        std::tuple{"exec_command", R"({"cmd": "echo x > q"})", "echo x > q"}}) {
    const Event event = of_tool(Host::vscode, tool, input);
    EXPECT_EQ(event.tool_class, ToolClass::shell) << tool;
    EXPECT_EQ(event.command, command) << tool;
  }
}

// A header that only a tolerant reader sees, wherever the patch stands in the input.
TEST(HookEvent, APatchIsReadAsTheMostTolerantHostReadsIt) {
  constexpr std::string_view kText =
      "*** Begin Patch\\n*** Add File: src/new.py\\n+x = 1\\n "
      "*** Add File: .git/hooks/pre-commit\\n+x\\n*** End Patch";
  const std::vector<std::string> both{".git/hooks/pre-commit", "src/new.py"};
  for (const auto& [host, tool, form] :
       {std::tuple{Host::codex, "apply_patch", R"({{"command": "{}"}})"},
        std::tuple{Host::codex, "apply_patch", R"({{"command": ["apply_patch", "{}"]}})"},
        std::tuple{Host::codex, "apply_patch", R"("{}")"},
        std::tuple{Host::vscode, "apply_patch", R"({{"input": "{}", "explanation": "x"}})"},
        std::tuple{Host::vscode, "apply_patch", R"({{"input": "{}", "file": "src/new.py"}})"},
        std::tuple{Host::vscode, "new_patch", R"({{"input": "{}", "file": "src/new.py"}})"},
        std::tuple{Host::cursor, "ApplyPatch", R"({{"patch": ["{}"]}})"},
        std::tuple{Host::claude, "mcp__edit__patch", R"({{"text": ["{}"]}})"}})
    EXPECT_EQ(of_tool(host, tool, fmt::format(fmt::runtime(form), kText)).targets, both)
        << tool << form;
  EXPECT_FALSE(
      of_tool(Host::codex, "apply_patch", R"({"command": "*** Add File: a"})").is_elsewhere);
  EXPECT_TRUE(of_tool(Host::codex, "apply_patch",
                      R"({"command": "*** Begin Patch\n*** Environment ID: x\n*** Add File: a"})")
                  .is_elsewhere);
}

TEST(HookEvent, AToolThatNobodyKnowsMayNameFilesAndRunCommands) {
  const Event both =
      of_tool(Host::vscode, "run_in_terminal", R"({"command": "rm b", "path": "a", "cwd": "src"})");
  EXPECT_EQ(both.tool_class, ToolClass::shell);
  EXPECT_EQ(both.command, "rm b");
  EXPECT_EQ(both.targets, std::vector<std::string>{"a"});
  const Event patch =
      of_tool(Host::vscode, "run_in_terminal", R"({"command": "rm b\n*** Add File: a\n"})");
  EXPECT_EQ(patch.tool_class, ToolClass::shell);
  const Event action = of_tool(Host::vscode, "edit_text", R"({"command": "create", "path": "a"})");
  EXPECT_EQ(action.tool_class, ToolClass::write);
  EXPECT_EQ(action.command, "");
}

// What would not be looked at is not let through.
TEST(HookEvent, MoreFilesThanAreLookedAtAreAnError) {
  const auto is_read = [](Host host, std::string_view tool, Value input) {
    const Map event{{"hook_event_name", "PreToolUse"}, {"tool_name", tool}, {"tool_input", input}};
    return read_event(host, event).has_value();
  };
  std::string patch;
  List files;
  for (int i = 0; i < 4096; ++i) {
    patch += fmt::format("*** Add File: {:04}\n", i);
    files.push_back(fmt::format("{:04}", i));
  }
  EXPECT_TRUE(is_read(Host::codex, "apply_patch", Map{{"command", patch}}));
  EXPECT_FALSE(is_read(Host::codex, "apply_patch", Map{{"command", patch + "*** Add File: x\n"}}));
  EXPECT_TRUE(is_read(Host::vscode, "editFiles", Map{{"files", files}}));
  files.push_back("x");
  EXPECT_FALSE(is_read(Host::vscode, "editFiles", Map{{"files", files}}));
}

// Both ends of a move, and files that are named by an address.
TEST(HookEvent, EveryMemberThatNamesAFileIsSeen) {
  for (const std::string_view member : {"file_path",
                                        "filePath",
                                        "path",
                                        "notebook_path",
                                        "files",
                                        "target_file",
                                        "file",
                                        "filename",
                                        "fileName",
                                        "file_name",
                                        "filepath",
                                        "paths",
                                        "file_paths",
                                        "filePaths",
                                        "notebookPath",
                                        "targetFile",
                                        "target_path",
                                        "targetPath",
                                        "target",
                                        "source",
                                        "source_path",
                                        "sourcePath",
                                        "src",
                                        "from_path",
                                        "fromPath",
                                        "old_path",
                                        "oldPath",
                                        "destination",
                                        "dest",
                                        "destination_path",
                                        "destinationPath",
                                        "dst",
                                        "to_path",
                                        "toPath",
                                        "new_path",
                                        "newPath",
                                        "output_path",
                                        "outputPath",
                                        "output_file",
                                        "absolute_path",
                                        "absolutePath",
                                        "relative_path",
                                        "relativePath",
                                        "relative_file_path",
                                        "relativeFilePath",
                                        "rel_path",
                                        "relPath",
                                        "relative_paths",
                                        "relativePaths",
                                        "pathInProject",
                                        "full_path",
                                        "uri",
                                        "uris",
                                        "file_uri",
                                        "fileUri",
                                        "new_uri",
                                        "newUri"}) {
    for (const std::string_view tool : {"mcp__files__do", "brand_new_tool"}) {
      const Event event = of_tool(Host::claude, tool, fmt::format(R"({{"{}": "a.py"}})", member));
      EXPECT_EQ(event.targets, std::vector<std::string>{"a.py"}) << member;
    }
  }
  const Event move =
      of_tool(Host::claude, "mcp__filesystem__move_file", R"({"source": "a", "destination": "b"})");
  EXPECT_EQ(move.targets, (std::vector<std::string>{"a", "b"}));
}

TEST(HookEvent, AToolOfAnMcpServerMayTakePatchesAndCommands) {
  const Event patch = of_tool(Host::codex, "mcp__edit__patch",
                              R"({"text": "*** Begin Patch\n*** Delete File: q.py\n"})");
  EXPECT_EQ(patch.tool_class, ToolClass::mcp);
  EXPECT_EQ(patch.targets, (std::vector<std::string>{"q.py"}));
  const Event run = of_tool(Host::gemini, "mcp_shell_run", R"({"cmd": "rm a", "cwd": "src"})");
  EXPECT_EQ(run.tool_class, ToolClass::mcp);
  EXPECT_EQ(run.command, "rm a");
  EXPECT_EQ(run.folder, "src");
}

// Cursor names neither the server nor, before its newer releases, an object.
TEST(HookEvent, CursorTellsOfMcpToolsByTheCommandOfTheServer) {
  EXPECT_EQ(told(Host::cursor, R"({"conversation_id":"c","hook_event_name":"beforeMCPExecution",
                                   "tool_name":"move_file","command":"npx files",
                                   "tool_input":"{\"source\":\"a\",\"destination\":\"b\"}"})"),
            "pre_tool mcp move_file [a] [b] @npx | c c ");
  EXPECT_EQ(told(Host::cursor, R"({"conversation_id":"c","hook_event_name":"beforeMCPExecution",
                                   "tool_name":"get_blast_radius","command":"gatehouse mcp --stdio",
                                   "tool_input":{"files":["a"]}})"),
            "pre_tool mcp get_blast_radius [a] @gatehouse | c c ");
  EXPECT_EQ(told(Host::cursor, R"({"conversation_id":"c","hook_event_name":"beforeMCPExecution",
                                   "tool_name":"t","url":"https://x","tool_input":"{not json"})"),
            "pre_tool mcp t @unknown | c c ");
}

TEST(HookEvent, AnAddressOfAFileIsThatFile) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"file:///r/a%20b.py", "/r/a b.py"},
      {"file://localhost/r/a.py", "/r/a.py"},
      {"FILE:/r/a.py", "/r/a.py"},
      {"file:///r/a.py#L3", "/r/a.py"},
      {"file:///r/%2e%2E/x", "/r/../x"},
      {"file:///r/100%", "/r/100%"},
      {"a.py", "a.py"},
      {"file:a.py", "file:a.py"}};
  for (const auto& [address, path] : cases)
    for (const char* member : {"uri", "file_path"})
      EXPECT_EQ(
          of_tool(Host::vscode, "t", fmt::format(R"({{"{}": "{}"}})", member, address)).targets,
          std::vector<std::string>{std::string(path)})
          << address;
  const Event web = of_tool(Host::vscode, "t", R"({"uri": "https://example.org/a"})");
  EXPECT_EQ(web.tool_class, ToolClass::other);
  EXPECT_TRUE(web.targets.empty());
}

TEST(HookEvent, ACommandThatCannotBeReadIsNobodysProgram) {
  for (const char* input : {R"({"command": 7})", R"({"command": [7]})", R"({"cmd": "ls"})", "{}"}) {
    const Event event = of_tool(Host::claude, "Bash", input);
    EXPECT_EQ(event.tool_class, ToolClass::shell) << input;
    EXPECT_EQ(shell::to_string(shell::classify(event.command, {}).shell_class), "opaque") << input;
  }
}

}  // namespace
}  // namespace gh::hooks
