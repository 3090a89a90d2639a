// docs/reference/host-diff.md is made of the tables: this prints it again and compares.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "powers/compare.h"
#include "powers/tables.h"
#include "tests/kit.h"

namespace gh::powers {
namespace {

std::string_view word_of(Form form) {
  switch (form) {
    case Form::ignored:
      return "no power";
    case Form::scale:
      return "scale";
    case Form::allow:
      return "each item gives";
    case Form::ask:
      return "each item asks";
    case Form::deny:
      return "each item takes";
    case Form::only:
      return "a list restricts, none is everything";
    case Form::flags:
      return "true gives";
    case Form::approvals:
      return "true gives, false asks";
    case Form::runs:
      return "is run";
    case Form::named:
      return "another value is another thing";
    case Form::told:
      return "is told";
    case Form::variables:
      return "variables, names only";
    case Form::hooks:
      return "hooks by event";
    case Form::servers:
      return "servers by name";
    case Form::marketplaces:
      return "places by name";
    case Form::policies:
      return "rules with a decision";
  }
  return "";
}

/// As a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out.empty() ? out : "`" + out + "`";
}

void keys_of(std::span<const KeyRow> keys, std::string& out) {
  out +=
      "\n| Key | Kind | Form | From least to most power, or the severity of an item "
      "|\n|---|---|---|---|\n";
  std::string harmless;
  for (const KeyRow& row : keys) {
    if (row.form == Form::ignored) {
      harmless += (harmless.empty() ? "`" : ", `") + std::string(row.key) + "`";
      continue;
    }
    const std::string order = row.form == Form::scale
                                  ? cell(row.words) + ", absent: " + cell(row.fallback)
                              : row.form == Form::told ? ""
                                                       : std::string(to_string(row.weight));
    out += "| " + cell(row.key) + " | " + std::string(to_string(row.kind)) + " | " +
           std::string(word_of(row.form)) + " | " + order + " |\n";
  }
  if (!harmless.empty()) out += "\nWithout power: " + harmless + ".\n";
}

std::string reference() {
  std::string out =
      "# Agent host configuration diff: files, keys and orders\n\n"
      "Made of the tables in `src/powers/tables.cc`; a test compares it. What the rows mean: "
      "[host-diff.md](../host-diff.md).\n\n"
      "## Files\n\n| Host | File | Also below the root |\n|---|---|---|\n";
  std::vector<std::pair<const KeyRow*, std::string>> tables;
  std::map<const KeyRow*, std::span<const KeyRow>> spans;
  for (const FileRow& row : file_rows()) {
    out += "| " + std::string(to_string(row.host)) + " | " + cell(row.pattern) + " | " +
           (row.below ? "yes" : "no") + " |\n";
    if (row.keys.empty()) continue;
    const auto known = std::find_if(tables.begin(), tables.end(),
                                    [&](const auto& t) { return t.first == row.keys.data(); });
    if (known == tables.end())
      tables.emplace_back(row.keys.data(), std::string(row.pattern));
    else
      known->second += ", " + std::string(row.pattern);
    spans[row.keys.data()] = row.keys;
  }
  for (const auto& [keys, name] : tables) {
    out += "\n## `" + name + "`\n";
    keys_of(spans[keys], out);
  }
  out += "\n## Members of an MCP server\n";
  keys_of(server_keys(), out);
  out += "\n## Flags of agents in CI\n\n| Program | Flag | Severity or order |\n|---|---|---|\n";
  for (const FlagRow& row : flag_rows())
    if (row.form != FlagForm::with_value)
      out += "| `" + std::string(row.program) + "` | " + cell(row.names) + " | " +
             (row.form == FlagForm::scale ? cell(row.words) : std::string(to_string(row.weight))) +
             " |\n";
  return out;
}

TEST(HostDiffReference, is_what_the_tables_say) {
  const std::string made = reference();
  if (const char* out = std::getenv("GH_WRITE_REFERENCE")) kit::write(out, made);
  EXPECT_EQ(made, kit::read("docs/reference/host-diff.md"));
}

struct FileCase {
  std::string_view path, host, base;
};
// Typed again from what the hosts document.
constexpr FileCase kFiles[] = {
    {".claude/settings.json", "claude", ""},
    {"a/b/.claude/settings.local.json", "claude", "a/b/"},
    {".CLAUDE/Settings.JSON", "claude", ""},
    {"x/.mcp.json", "claude", "x/"},
    {".claude/agents/deep/er.md", "claude", ""},
    {".claude/skills/a/SKILL.md", "claude", ""},
    {".codex/config.toml", "codex", ""},
    {".codex/rules/a.rules", "codex", ""},
    {".cursor/rules/a/b.mdc", "cursor", ""},
    {".vscode/mcp.json", "vscode", ""},
    {".github/copilot-instructions.md", "vscode", ""},
    {".gemini/settings.json", "gemini", ""},
    {"AGENTS.md", "agents", ""},
    {"agents.md", "agents", ""},
    {"a/AGENTS.md", "agents", "a/"},
    {".github/workflows/a.yaml", "ci", ""},
    {".gitlab-ci.yml", "ci", ""},
};

TEST(HostFiles, are_known_wherever_a_session_may_start) {
  for (const FileCase& row : kFiles) {
    const auto known = known_file(row.path);
    ASSERT_TRUE(known) << row.path;
    EXPECT_EQ(to_string(known->row->host), row.host) << row.path;
    EXPECT_EQ(known->base, row.base) << row.path;
  }
  for (const std::string_view path :
       {"docs/agents.md", "settings.json", "a/.github/workflows/a.yml", ".claude/settings.json.bak",
        "src/claude/settings.json", "README.md", ""})
    EXPECT_FALSE(known_file(path)) << path;
}

TEST(HostFiles, lead_links_only_to_what_is_in_the_repository) {
  EXPECT_EQ(link_target("CLAUDE.md", "AGENTS.md"), "AGENTS.md");
  EXPECT_EQ(link_target("a/b/CLAUDE.md", "../../AGENTS.md"), "AGENTS.md");
  EXPECT_EQ(link_target("a/CLAUDE.md", "./x/../AGENTS.md"), "a/AGENTS.md");
  EXPECT_FALSE(link_target("CLAUDE.md", "../AGENTS.md"));
  EXPECT_FALSE(link_target("CLAUDE.md", "/etc/passwd"));
  EXPECT_FALSE(link_target("CLAUDE.md", ""));
}

}  // namespace
}  // namespace gh::powers
