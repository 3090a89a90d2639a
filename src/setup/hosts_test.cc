#include "setup/hosts.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/data.h"
#include "base/text.h"
#include "setup/hook_script.h"
#include "wire/json.h"

namespace gh::setup {
namespace {

const std::vector<std::string> kNames{"claude", "codex", "cursor", "vscode", "gemini"};

TEST(Hosts, AreFive) {
  ASSERT_EQ(hosts().size(), 5u);
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    EXPECT_EQ(hosts()[i].name, kNames[i]);
    EXPECT_EQ(static_cast<std::size_t>(hosts()[i].host), i);
    EXPECT_EQ(find_host(kNames[i]), &hosts()[i]);
  }
  EXPECT_EQ(find_host("emacs"), nullptr);
}

// interfaces 2.9, rule 1: the files that show a host.
TEST(Hosts, AreFoundByTheirFilesAndPrograms) {
  const std::vector<std::array<std::string, 3>> rows{
      {"claude", ".claude", "claude"}, {"codex", ".codex", "codex"},
      {"codex", "AGENTS.md", "codex"}, {"cursor", ".cursor", "cursor"},
      {"vscode", ".vscode", "code"},   {"gemini", ".gemini", "gemini"}};
  for (const auto& [host, file, program] : rows) {
    const HostRow& row = *find_host(host);
    EXPECT_TRUE(std::ranges::count(split(row.files, ' '), file) == 1) << file;
    EXPECT_TRUE(std::ranges::count(split(row.programs, ' '), program) == 1) << program;
  }
}

struct FileCase {
  std::string host, path, form;
};
// interfaces 2.2 to 2.7.
const std::vector<FileCase> kFiles = {
    {"claude", ".mcp.json", "json"},
    {"claude", ".claude/settings.json", "json"},
    {"claude", ".claude/skills/gatehouse/SKILL.md", "whole"},
    {"claude", "CLAUDE.md", "text, if there"},
    {"codex", ".codex/config.toml", "toml"},
    {"codex", ".codex/hooks.json", "json"},
    {"codex", "AGENTS.md", "text"},
    {"cursor", ".cursor/mcp.json", "json"},
    {"cursor", ".cursor/hooks.json", "json"},
    {"cursor", ".cursor/rules/gatehouse.mdc", "whole"},
    {"cursor", "AGENTS.md", "text"},
    {"vscode", ".vscode/mcp.json", "json"},
    {"vscode", ".github/hooks/gatehouse.json", "json"},
    {"vscode", "AGENTS.md", "text"},
    {"gemini", ".gemini/settings.json", "json"},
    {"gemini", ".gemini/policies/gatehouse.toml", "whole, with --policy"},
    {"gemini", "GEMINI.md", "text, if there"},
};

TEST(Hosts, HaveTheFilesOfTheTable) {
  ASSERT_EQ(host_files().size(), kFiles.size());
  for (std::size_t i = 0; i < kFiles.size(); ++i) {
    const HostFile& row = host_files()[i];
    EXPECT_EQ(hosts()[static_cast<std::size_t>(row.host)].name, kFiles[i].host);
    EXPECT_EQ(row.path, kFiles[i].path);
    std::string form = row.form == FileForm::json         ? "json"
                       : row.form == FileForm::toml_table ? "toml"
                       : row.form == FileForm::whole      ? "whole"
                                                          : "text";
    if (row.written == Written::if_there) form += ", if there";
    if (row.written == Written::with_policy) form += ", with --policy";
    EXPECT_EQ(form, kFiles[i].form) << row.path;
    EXPECT_FALSE(data::find(fmt::format("setup/{}", row.data)).empty()) << row.data;
  }
}

const HostFile& file_at(std::string_view path) {
  return *std::ranges::find(host_files(), path, &HostFile::path);
}
Value written(std::string_view path) {
  return wire::read_json(with_ours(file_at(path), "", "gatehouse").value()).value();
}
Value typed(std::string_view text) { return wire::read_json(text).value(); }

// clang-format off
// The documents of interfaces 2.2 to 2.6, typed out.
const std::vector<std::pair<std::string, std::string>> kDocuments = {
    {".mcp.json", R"json({"mcpServers":{"gatehouse":{"type":"stdio","command":"gatehouse","args":["mcp","--stdio"],"env":{}}}})json"},
    {".claude/settings.json", R"json({"hooks":{
      "SessionStart":[{"hooks":[{"type":"command","command":"gatehouse","args":["hook","claude"],"timeout":10}]}],
      "PreToolUse":[{"matcher":"Write|Edit|MultiEdit|NotebookEdit|Bash|mcp__.*","hooks":[{"type":"command","command":"gatehouse","args":["hook","claude"],"timeout":10,"onFailure":"block"}]}],
      "PostToolUse":[{"matcher":"Write|Edit|MultiEdit|NotebookEdit|Bash|mcp__.*","hooks":[{"type":"command","command":"gatehouse","args":["hook","claude"],"timeout":10}]}],
      "PostToolUseFailure":[{"matcher":"Write|Edit|MultiEdit|NotebookEdit|Bash|mcp__.*","hooks":[{"type":"command","command":"gatehouse","args":["hook","claude"],"timeout":10}]}],
      "Stop":[{"hooks":[{"type":"command","command":"gatehouse","args":["hook","claude"],"timeout":20}]}],
      "SubagentStop":[{"hooks":[{"type":"command","command":"gatehouse","args":["hook","claude"],"timeout":20}]}]},
      "permissions":{"deny":["Edit(.gatehouse/**)","Write(.gatehouse/**)","Edit(.git/**)","Write(.git/**)"]}})json"},
    {".codex/hooks.json", R"json({"hooks":{
      "SessionStart":[{"matcher":"startup|resume|clear","hooks":[{"type":"command","command":"gatehouse hook codex","timeout":10}]}],
      "PreToolUse":[{"matcher":"Bash|apply_patch|Write|Edit","hooks":[{"type":"command","command":"gatehouse hook codex","timeout":10,"statusMessage":"Gatehouse"}]}],
      "PostToolUse":[{"matcher":"Bash|apply_patch|Write|Edit","hooks":[{"type":"command","command":"gatehouse hook codex","timeout":10}]}],
      "Stop":[{"hooks":[{"type":"command","command":"gatehouse hook codex","timeout":20}]}]}})json"},
    {".cursor/mcp.json", R"json({"mcpServers":{"gatehouse":{"command":"gatehouse","args":["mcp","--stdio"]}}})json"},
    {".cursor/hooks.json", R"json({"version":1,"hooks":{
      "sessionStart":[{"command":"gatehouse hook cursor","timeout":10}],
      "preToolUse":[{"command":"gatehouse hook cursor","type":"command","timeout":10,"matcher":"Write|StrReplace|ApplyPatch|Edit|Delete|TabWrite|Shell","failClosed":true}],
      "beforeShellExecution":[{"command":"gatehouse hook cursor","timeout":10,"failClosed":true}],
      "postToolUse":[{"command":"gatehouse hook cursor","timeout":10,"matcher":"Write|StrReplace|ApplyPatch|Shell"}],
      "afterFileEdit":[{"command":"gatehouse hook cursor","timeout":10}],
      "stop":[{"command":"gatehouse hook cursor","timeout":20,"loop_limit":1}]}})json"},
    {".vscode/mcp.json", R"json({"servers":{"gatehouse":{"type":"stdio","command":"gatehouse","args":["mcp","--stdio","--repo","${workspaceFolder}"]}}})json"},
    {".gemini/settings.json", R"json({"mcpServers":{"gatehouse":{"command":"gatehouse","args":["mcp","--stdio"],"timeout":120000,"trust":false}},
      "hooks":{
      "SessionStart":[{"hooks":[{"type":"command","name":"gatehouse","command":"gatehouse hook gemini","timeout":10000}]}],
      "BeforeTool":[{"matcher":"write_file|replace|run_shell_command","sequential":true,"hooks":[{"type":"command","name":"gatehouse","command":"gatehouse hook gemini","timeout":10000}]}],
      "AfterTool":[{"matcher":"write_file|replace|run_shell_command","hooks":[{"type":"command","name":"gatehouse","command":"gatehouse hook gemini","timeout":10000}]}],
      "AfterAgent":[{"hooks":[{"type":"command","name":"gatehouse","command":"gatehouse hook gemini","timeout":20000}]}]}})json"},
};
// clang-format on

TEST(Hosts, FilesHoldWhatEachHostReads) {
  for (const auto& [path, document] : kDocuments)
    EXPECT_EQ(written(path), typed(document)) << path;
  EXPECT_EQ(with_ours(file_at(".codex/config.toml"), "", "gatehouse").value(),
            "[mcp_servers.gatehouse]\ncommand = \"gatehouse\"\nargs = [\"mcp\", \"--stdio\"]\n"
            "startup_timeout_sec = 10\ntool_timeout_sec = 120\n# remote form: url = "
            "\"http://127.0.0.1:8930/mcp\", bearer_token_env_var = \"GATEHOUSE_TOKEN\"\n");
}

TEST(Hosts, TheGuidanceIsShortAndNamesTheCallsInOrder) {
  const std::string_view text = data::find("setup/guidance.md");
  EXPECT_LE(split(text, '\n').size() + 2, 26u);
  std::size_t at = 0;
  for (const char* call : {"analyze_repository", "start_controlled_change", "manage_change_intent",
                           "finish_controlled_change", "Do not work around a denial",
                           "gatehouse change start", "gatehouse change finish"}) {
    at = text.find(call, at);
    ASSERT_NE(at, text.npos) << call;
  }
}

TEST(Hosts, APolicyIsNothingButRules) {
  const std::string text =
      with_ours(file_at(".gemini/policies/gatehouse.toml"), "", "gatehouse").value();
  EXPECT_NE(text.find("[[rule]]\n"), text.npos);
  EXPECT_EQ(text.find("##"), text.npos) << text;
}

TEST(Hosts, EveryFileComesAndGoesWithoutATrace) {
  for (const HostFile& row : host_files()) {
    SCOPED_TRACE(row.path);
    const std::string fresh = with_ours(row, "", "gatehouse").value();
    EXPECT_EQ(with_ours(row, fresh, "gatehouse").value(), fresh);
    EXPECT_EQ(without_ours(row, fresh).value(), "");
    const std::string pinned = with_ours(row, "", "/opt/bin/gatehouse").value();
    EXPECT_EQ(without_ours(row, pinned).value(), "");
    EXPECT_EQ(with_ours(row, pinned, "gatehouse").value(), fresh);
    if (row.form == FileForm::json) EXPECT_NE(pinned.find("/opt/bin/gatehouse"), pinned.npos);
  }
}

TEST(Hosts, OnlyOurCommandsAreOurs) {
  for (const char* text : {R"({"command":"gatehouse hook codex"})",
                           R"({"command":"/opt/gatehouse hook codex --enforce"})",
                           R"({"command":"gatehouse","args":["hook","claude"]})",
                           R"({"hooks":[{"command":"gatehouse hook gemini"}]})"})
    EXPECT_TRUE(is_our_entry(typed(text))) << text;
  for (const char* text :
       {R"({"command":"gatehouse"})", R"({"command":"gatehouse mcp"})", R"({"command":"x hook y"})",
        R"({"command":"not-gatehouse hook codex"})", R"({"hooks":[]})", R"("gatehouse hook codex")",
        R"({"hooks":[{"command":"gatehouse hook gemini"},{"command":"./mine"}]})"})
    EXPECT_FALSE(is_our_entry(typed(text))) << text;
}

// interfaces 2.8, row by row.
TEST(Enforcement, IsThatOfTheMatrix) {
  const std::vector<std::array<std::string, 5>> rows{
      {"Claude Code", "hard", "classify + reconcile", "closed with onFailure:block",
       "Stop blocks once"},
      {"Codex", "hard if hook trusted", "classify + reconcile", "open", "Stop blocks once"},
      {"Cursor with preToolUse", "hard", "classify + reconcile", "closed with failClosed",
       "follow-up once"},
      {"Cursor, older", "advise", "beforeShellExecution", "open", "advise"},
      {"VS Code with preview hooks", "hard", "classify + reconcile", "open", "block once"},
      {"Gemini CLI", "hard", "classify + reconcile", "open", "AfterAgent retry once"},
      {"any MCP host without hooks", "advise", "none", "-", "none"},
      {"patch-only (no write tools)", "hard by construction", "none needed", "closed", "-"}};
  ASSERT_EQ(enforcement().size(), 8u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Enforcement& row = enforcement()[i];
    EXPECT_EQ((std::array<std::string, 5>{std::string(row.host), std::string(row.edits),
                                          std::string(row.shell), std::string(row.crash),
                                          std::string(row.ending)}),
              rows[i]);
    EXPECT_EQ(row.last_net, "pre-commit, pre-receive, CI");
  }
  EXPECT_EQ(enforcement_of(Host::claude).host, "Claude Code");
  EXPECT_EQ(enforcement_of(Host::codex).host, "Codex");
  EXPECT_EQ(enforcement_of(Host::cursor).host, "Cursor with preToolUse");
  EXPECT_EQ(enforcement_of(Host::vscode).host, "VS Code with preview hooks");
  EXPECT_EQ(enforcement_of(Host::gemini).host, "Gemini CLI");
}

TEST(Hosts, EveryEventThatWeWriteIsOneThatTheHostKnows) {
  for (const HostFile& row : host_files())
    if (row.form == FileForm::json)
      EXPECT_TRUE(unknown_events(row.host, written(row.path)).empty()) << row.path;
  EXPECT_EQ(
      unknown_events(
          Host::codex,
          typed(
              R"({"hooks":{"PreToolUSE":[{"command":"gatehouse hook codex"}],"Theirs":[{"command":"x"}]}})")),
      std::vector<std::string>{"PreToolUSE"});
  // interfaces 2.3: the events seen on Codex.
  const std::vector<std::string> codex{
      "SessionStart", "UserPromptSubmit", "PreToolUse",    "PermissionRequest", "PostToolUse",
      "PreCompact",   "PostCompact",      "SubagentStart", "SubagentStop",      "Stop",
      "Interrupt"};
  ASSERT_EQ(event_names(Host::codex).size(), codex.size());
  for (std::size_t i = 0; i < codex.size(); ++i)
    EXPECT_EQ(event_names(Host::codex)[i], codex[i]);
}

TEST(Hosts, AHookThatDoesNotAskUsBeforeEveryWriteIsNoGuard) {
  const HostFile& claude = file_at(".claude/settings.json");
  const auto with = [](std::string_view matcher, std::string_view handler, std::string_view rest) {
    return fmt::format(R"({{"hooks":{{"PreToolUse":[{{"matcher":"{}","hooks":[{{{}}}]}}]}}{}}})",
                       matcher, handler, rest);
  };
  constexpr std::string_view kOurs =
      R"("type":"command","command":"gatehouse","args":["hook","claude"])";
  constexpr std::string_view kAll = "Write|Edit|MultiEdit|NotebookEdit|Bash";
  for (const HostFile& row : host_files())
    if (row.form == FileForm::json)
      EXPECT_EQ(guard_defect(row, with_ours(row, "", "/x/gatehouse").value()), "") << row.path;
  for (const std::string& good :
       {with(kAll, kOurs, ""), with("*", kOurs, ""), with("", kOurs, ""),
        with(kAll, R"("command":"/x/gatehouse","args":["hook","claude"])", ""),
        with(kAll, R"("command":"/x/gatehouse hook claude --enforce")", ""),
        with(kAll, kOurs, R"(,"disableAllHooks":false)")})
    EXPECT_EQ(guard_defect(claude, good), "") << good;
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("{}"),
        std::string(
            R"({"hooks":{"PostToolUse":[{"hooks":[{"command":"gatehouse hook claude"}]}]}})"),
        with("Write", kOurs, ""), with("NoSuchTool", kOurs, ""),
        with(kAll, R"("command":"gatehouse hook claude --advise")", ""),
        with(kAll, R"("command":"gatehouse","args":["hook","claude","--advise"])", ""),
        with(kAll, R"("command":"gatehouse hook claude || true")", ""),
        with(kAll, R"("command":"true","args":["hook","claude"])", ""),
        with(kAll, R"("command":"exit 0; /x/gatehouse hook claude")", ""),
        with(kAll, R"("command":"gatehouse hook codex")", ""),
        with(kAll, fmt::format(R"x({},"if":"Bash(ls)")x", kOurs), ""),
        with(kAll, fmt::format(R"({},"async":true)", kOurs), ""),
        with(kAll, kOurs, R"(,"disableAllHooks":true)")})
    EXPECT_NE(guard_defect(claude, bad), "") << bad;
}

TEST(Hosts, TheProgramsThatItsHooksCallAreTold) {
  for (const HostFile& file : host_files()) {
    if (file.form != FileForm::json) continue;
    for (const std::string program : {"gatehouse", "/opt/g/gatehouse"}) {
      const auto text = with_ours(file, "", program);
      ASSERT_TRUE(text) << file.path;
      const bool has_hooks = contains(*text, "\"hooks\"");
      EXPECT_EQ(called_programs(file, *text),
                has_hooks ? std::vector<std::string>{program} : std::vector<std::string>{})
          << *text;
    }
    EXPECT_TRUE(called_programs(file, "{\"hooks\":{\"x\":[{\"command\":\"ls\"}]}}").empty());
    EXPECT_TRUE(called_programs(file, "{").empty());
  }
}

TEST(Hosts, AScriptOfOursIsKnownFromOneThatWasChanged) {
  const ScriptWish wish{.hook = "pre-push", .blocks = true, .reads_input = true};
  ScriptWish with = wish;
  with.command = "/x/gatehouse";
  const std::string script = hook_script(with);
  EXPECT_TRUE(is_whole_script(script, wish));
  EXPECT_FALSE(is_whole_script("exit 0\n" + script, wish));
  EXPECT_FALSE(is_whole_script(script + "exit 0\n", wish));
  with.command = "true";
  EXPECT_FALSE(is_whole_script(hook_script(with), wish));
  with.command = "gatehouse";
  with.replaces_another = true;
  EXPECT_TRUE(is_whole_script(hook_script(with), wish));
  // Where it is, before PATH is asked.
  with.known_at = "/x y/gatehouse";
  const std::string known = hook_script(with);
  EXPECT_TRUE(contains(known,
                       "\ngatehouse='/x y/gatehouse'\n"
                       "[ -x \"$gatehouse\" ] || gatehouse=gatehouse\n"))
      << known;
  EXPECT_TRUE(contains(known, "\"$gatehouse\" hook git pre-push \"$@\"\n")) << known;
  EXPECT_TRUE(is_whole_script(known, wish));
  EXPECT_FALSE(is_whole_script(known + "exit 0\n", wish));
  with.known_at = "/x/true";
  EXPECT_FALSE(is_whole_script(hook_script(with), wish));
}

TEST(Hosts, ADenialIsKnownOnEachOfThem) {
  const std::string claude =
      R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"x"}})";
  for (const Host host : {Host::claude, Host::codex, Host::vscode}) {
    EXPECT_TRUE(is_denied(host, 0, claude));
    EXPECT_FALSE(is_denied(host, 0, R"({"decision":"deny"})"));
  }
  EXPECT_TRUE(is_denied(Host::cursor, 0, R"({"permission":"deny"})"));
  EXPECT_TRUE(is_denied(Host::gemini, 0, R"({"decision":"deny","reason":"x"})"));
  for (const HostRow& row : hosts()) {
    EXPECT_FALSE(is_denied(row.host, 2, "")) << "a program that knows no such hook ends like that";
    EXPECT_FALSE(is_denied(row.host, 0, ""));
    EXPECT_FALSE(is_denied(row.host, 1, claude)) << "exit 1 lets the call through";
    EXPECT_TRUE(wire::read_json(synthetic_write(row.host, "/r")).has_value());
  }
}

TEST(HookScript, AHookThatIsThereIsNeverLost) {
  for (int bits = 0; bits < 16; ++bits) {
    const ScriptFacts facts{.exists = (bits & 1) != 0,
                            .is_ours = (bits & 2) != 0,
                            .is_same = (bits & 4) != 0,
                            .has_local = (bits & 8) != 0};
    const ScriptStep step = decide_script(facts);
    if (!facts.exists)
      EXPECT_EQ(to_string(step), "write");
    else if (facts.is_ours)
      EXPECT_EQ(to_string(step), facts.is_same ? "keep" : "write");
    else
      EXPECT_EQ(to_string(step), facts.has_local ? "refuse" : "move_and_write");
  }
}

TEST(HookScript, KnowsItself) {
  const std::string plain = hook_script({.hook = "pre-commit", .command = "gatehouse"});
  EXPECT_TRUE(plain.starts_with("#!/bin/sh\n")) << plain;
  EXPECT_TRUE(plain.ends_with("exec gatehouse hook git pre-commit \"$@\"\n")) << plain;
  EXPECT_TRUE(is_our_script(plain));
  EXPECT_FALSE(moved_another(plain));
  EXPECT_TRUE(
      moved_another(hook_script({.hook = "update", .command = "x", .replaces_another = true})));
  EXPECT_FALSE(is_our_script("#!/bin/sh\nexec gatehouse hook git pre-commit\n"));
  const std::string soft =
      hook_script({.hook = "post-commit", .command = "gatehouse", .blocks = false});
  EXPECT_TRUE(soft.ends_with("gatehouse hook git post-commit \"$@\" || :\n")) << soft;
}

}  // namespace
}  // namespace gh::setup
