// `hook test` beside the hook that a host calls: what one stops, the other does not allow.
#include <fmt/format.h>

#include "base/text.h"
#include "tests/hook_kit.h"

namespace gh::testing {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(HookByHand, WhatTheLiveHookStopsIsNotAllowed) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  mine.must({"change", "extend", "--add", "gatehouse.yaml", ".claude/settings.json", "AGENTS.md",
             ".github/workflows/ci.yml", "--session", "s1"});
  for (const std::string path :
       {"src/app.py", "src/other.py", "docs/guide.md", "link/app.py", "alias.py", "gatehouse.yaml",
        ".claude/settings.json", "AGENTS.md", ".github/workflows/ci.yml", ".git/config",
        ".git/hooks/pre-commit", ".husky/pre-commit", ".gatehouse/x", "gatehouse.baseline.json"}) {
    SCOPED_TRACE(path);
    const std::string live =
        said(ask_hook(mine.repo.root(), "claude", claude_write(mine.repo.root(), path)));
    const auto asked = [&](const std::string& field) {
      return mine.ask({"hook", "test", "--path", path, "--session", "s1", "--field", field});
    };
    const Ran allowed = asked("allowed");
    EXPECT_EQ(first_line(allowed.out), live == "pass" ? "true" : "false") << live;
    EXPECT_EQ(allowed.code, live == "pass" ? 0 : 1) << allowed.err;
    EXPECT_EQ(first_line(asked("rule_id").out), live == "pass" ? "null" : live);
  }
  const Ran told = mine.ask({"hook", "test", "--path", "gatehouse.yaml", "--session", "s1"});
  EXPECT_TRUE(contains(told.out, "denied (state_artifact_mutation)")) << told.out;
  EXPECT_TRUE(contains(told.out, "no intent can open it")) << told.out;
}

TEST(HookByHand, WhereHooksAreOffNothingIsProtectedByThem) {
  const HookWorld mine("hooks:\n  mode: off\n");
  mine.start("s1", "src/app.py");
  EXPECT_EQ(mine.ask({"hook", "test", "--path", "src/app.py", "--session", "s1"}).code, 0);
  EXPECT_EQ(
      said(ask_hook(mine.repo.root(), "claude", claude_write(mine.repo.root(), "gatehouse.yaml"))),
      "pass");
}

/// Tools of VS Code and of MCP servers, by what they are about.
TEST(HookByHand, ToolsThatReadAreLetAloneAndThoseThatWriteAreSeen) {
  const HookWorld mine;
  mine.start("s1", "src/app.py");
  const auto step = [&](const std::string& host, const std::string& tool, Map input) {
    Map event = claude_event("PreToolUse", mine.repo.root());
    event.set("tool_name", tool);
    event.set("tool_input", std::move(input));
    return said(ask_hook(mine.repo.root(), host, event));
  };
  const std::string other = mine.at("src/other.py");
  for (const char* tool : {"vscode_listCodeUsages", "get_errors", "copilot_getErrors", "usages"})
    EXPECT_EQ(step("vscode", tool, Map{{"filePath", other}, {"filePaths", List{other}}}), "pass")
        << tool;
  EXPECT_EQ(step("vscode", "runTests", Map{{"files", List{other}}}), "pass");
  EXPECT_EQ(step("vscode", "some_new_editor", Map{{"filePath", other}}), "GH-SCOPE-001");
  EXPECT_EQ(step("claude", "mcp__ide__getDiagnostics", Map{{"uri", "file://" + other}}), "pass");
  for (const char* tool : {"find_symbol", "get_symbols_overview", "search_for_pattern", "list_dir"})
    EXPECT_EQ(step("claude", fmt::format("mcp__serena__{}", tool),
                   Map{{"relative_path", "src/other.py"}}),
              "pass")
        << tool;
  for (const char* member : {"relative_path", "file_path", "path", "filepath", "pathInProject"}) {
    for (const char* tool : {"replace_symbol_body", "create_text_file", "delete_lines"}) {
      const std::string name = fmt::format("mcp__serena__{}", tool);
      EXPECT_EQ(step("claude", name, Map{{member, "src/other.py"}}), "GH-SCOPE-001") << member;
      EXPECT_EQ(step("claude", name, Map{{member, "src/app.py"}}), "pass") << member;
    }
  }
}

}  // namespace
}  // namespace gh::testing
