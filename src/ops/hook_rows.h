#pragma once
// Rows of the operation table: what agent hosts call. Included by operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/shared_rows.h"

namespace gh::ops {

Result<Reply> hook_host(const Request&, Context&);

// clang-format off
inline constexpr std::array kHostHookOptions{
    Option{"event", OptionType::text, "NAME", "", "what happened, when the event does not say it (hook_event_name)"},
    Option{"advise", OptionType::flag, "", "", "say what is wrong and stop nothing, whatever hooks.mode is"},
    Option{"enforce", OptionType::flag, "", "", "stop it, whatever hooks.mode is"},
    Option{"budget-ms", OptionType::integer, "N", "150", "how long a look at the work tree may take after a step"},
};
inline constexpr std::string_view kHostHookText =
    "The host starts this before and after each step of its agent, with the event as one JSON object on standard input. "
    "Before a tool runs, the answer stops a write that no active intent of the session covers, that somebody else holds, or "
    "that touches git, the gate or the hooks themselves; a shell command is read as a shell would read it. After a command "
    "of which nobody could tell what it writes, the work tree is compared with what it was. Nothing is printed where "
    "nothing is wrong.\n\n"
    "The exit status is 0 or 2, never another one: hosts take 1 for a warning. Where no answer can be made the reason goes "
    "to standard error and the status is 2. docs/agents.md has the files that each host needs.";

constexpr Operation host_hook(std::string_view name, std::string_view words, std::string_view summary,
                              std::span<const Example> examples) {
  return {.name = name, .words = words, .group = kIntegration, .effect = Effect::writes_state,
          .summary = summary, .description = kHostHookText, .options = kHostHookOptions,
          .examples = examples, .exit_codes = "0 2", .run = hook_host, .audience = Audience::hosts};
}

inline constexpr std::array kClaudeExamples{
    Example{R"(echo '{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a.txt"}}' | gatehouse hook claude --enforce)", "What Claude Code would be told before it writes a.txt."},
    Example{R"(echo '{"hook_event_name":"SessionStart"}' | gatehouse hook claude)", "A session begins: the policy is compiled, the work tree remembered."},
};
inline constexpr std::array kCodexExamples{
    Example{R"(echo '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo x > a.txt"}}' | gatehouse hook codex --enforce)", "What Codex would be told before a command that writes a.txt."},
    Example{R"(echo '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}' | gatehouse hook codex)", "A command that only looks: nothing is said."},
};
inline constexpr std::array kCursorExamples{
    Example{R"(echo '{"hook_event_name":"beforeShellExecution","command":"git commit --no-verify"}' | gatehouse hook cursor --enforce)", "What Cursor would be told before a command that goes around the gate."},
    Example{R"(echo '{"tool_name":"Write","tool_input":{"file_path":"a.txt"}}' | gatehouse hook cursor --event preToolUse --advise)", "Only advice, for an event that does not name itself."},
};
inline constexpr std::array kVscodeExamples{
    Example{R"(echo '{"hook_event_name":"PreToolUse","tool_name":"createFile","tool_input":{"filePath":"a.txt"}}' | gatehouse hook vscode --enforce)", "What VS Code would be told before it makes a.txt."},
    Example{R"(echo '{"hook_event_name":"Stop"}' | gatehouse hook vscode)", "May the agent end? Nothing is said where nothing is open."},
};
inline constexpr std::array kGeminiExamples{
    Example{R"(echo '{"hook_event_name":"BeforeTool","tool_name":"write_file","tool_input":{"file_path":"a.txt"}}' | gatehouse hook gemini --enforce)", "What Gemini would be told before it writes a.txt."},
    Example{R"(echo '{"hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"make"}}' | gatehouse hook gemini)", "What a command changed that it may not."},
};

inline constexpr std::array kHookRows{
    host_hook("hook_claude", "hook claude", "Answer a hook of Claude Code", kClaudeExamples),
    host_hook("hook_codex",  "hook codex",  "Answer a hook of Codex", kCodexExamples),
    host_hook("hook_cursor", "hook cursor", "Answer a hook of Cursor", kCursorExamples),
    host_hook("hook_vscode", "hook vscode", "Answer a hook of VS Code's agents", kVscodeExamples),
    host_hook("hook_gemini", "hook gemini", "Answer a hook of Gemini CLI", kGeminiExamples),
};
// clang-format on

}  // namespace gh::ops
