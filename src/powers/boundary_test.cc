// What a change does to the boundary of coding agents: each kind of fact fires on one edit and is
// silent on its opposite (tool-surface 13.13 of the specification).
#include "powers/boundary.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "wire/spaced_json.h"

namespace gh::powers {
namespace {

using Texts = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

std::vector<BoundaryChange> changes(const Files& before, const Files& after) {
  std::set<std::string> paths;
  for (const Files* side : {&before, &after})
    for (const auto& entry : *side)
      paths.insert(entry.first);
  std::vector<FilePair> files;
  const auto entry = [](const Files& side, const std::string& path) {
    const auto at = side.find(path);
    return at == side.end() ? std::nullopt : std::optional(Entry{.text = at->second});
  };
  for (const std::string& path : paths)
    files.push_back({path, entry(before, path), entry(after, path)});
  return boundary_changes(files);
}

/// "path:line evidence" of each fact; the evidence begins with its kind.
Texts told(const Files& before, const Files& after) {
  Texts out;
  for (const BoundaryChange& one : changes(before, after)) {
    Map evidence = one.evidence;
    EXPECT_EQ(*evidence.find("kind")->as_string(), one.kind);
    EXPECT_EQ(*evidence.find("path")->as_string(), one.place.path);
    evidence.erase("kind");
    evidence.erase("path");
    out.push_back(std::string(one.kind) + " " + one.place.path + ":" +
                  std::to_string(one.place.line) + " " + wire::spaced_json(evidence));
  }
  return out;
}

struct Case {
  std::string name, path, before, after;
  Texts told;  // empty: silent
};

void expect(const std::vector<Case>& rows) {
  for (const Case& row : rows) {
    Files before, after;
    if (row.before != "-") before[row.path] = row.before;
    if (row.after != "-") after[row.path] = row.after;
    EXPECT_EQ(told(before, after), row.told) << row.name;
  }
}

const std::string kMcp = ".mcp.json";
const std::string kSettings = ".claude/settings.json";
const std::string kFlow = ".github/workflows/a.yml";
const std::string kCodex = ".codex/config.toml";

std::string server(const std::string& members) {
  return R"({"mcpServers":{"shop":{)" + members + "}}}";
}
std::string rules(const std::string& list, const std::string& items) {
  return R"({"permissions":{")" + list + R"(":[)" + items + "]}}";
}
std::string job(const std::string& more, const std::string& on = "[push]") {
  return "on: " + on + "\njobs:\n  build:\n    runs-on: x\n" + more;
}

TEST(Boundary, AServerIsAddedOrBecomesAnotherOne) {
  const std::string one = server(R"("command":"a","args":["x"],"env":{"TOKEN":"hidden"})");
  expect({
      {"added",
       kMcp,
       "-",
       one,
       {R"(host_boundary_mcp_server_added .mcp.json:1 {"env_keys": ["TOKEN"], "server": "shop"})"}},
      {"added in a folder",
       "pkg/.cursor/mcp.json",
       "{}",
       one,
       {R"(host_boundary_mcp_server_added pkg/.cursor/mcp.json:1 {"env_keys": ["TOKEN"], "server": "shop"})"}},
      {"added for the editor",
       ".vscode/mcp.json",
       "-",
       R"({"servers":{"shop":{"url":"https://x"}}})",
       {R"(host_boundary_mcp_server_added .vscode/mcp.json:1 {"env_keys": [], "server": "shop"})"}},
      {"named tools are told",
       kMcp,
       "-",
       server(R"("command":"a","includeTools":["get_it"])"),
       {R"(host_boundary_mcp_server_added .mcp.json:1 {"env_keys": [], "server": "shop", "tools": ["get_it"]})"}},
      {"taken away", kMcp, one, "{}", {}},
      {"the same", kMcp, one, " " + one, {}},
      {"another program, and names of the environment alone",
       kMcp,
       one,
       server(R"("command":"b","args":["x"],"env":{"OTHER":"hidden"})"),
       {R"(host_boundary_mcp_server_changed .mcp.json:1 {"changed_fields": ["command", "env"], )"
        R"("env_keys_added": ["OTHER"], "env_keys_removed": ["TOKEN"], "server": "shop"})"}},
      {"another value of the environment",
       kMcp,
       one,
       server(R"("command":"a","args":["x"],"env":{"TOKEN":"other"})"),
       {R"(host_boundary_mcp_server_changed .mcp.json:1 {"changed_fields": ["env"], )"
        R"("env_keys_added": [], "env_keys_removed": [], "server": "shop"})"}},
      {"a description makes no other server",
       kMcp,
       one,
       server(R"("command":"a","args":["x"],"env":{"TOKEN":"hidden"},"description":"d")"),
       {}},
  });
}

TEST(Boundary, ValuesOfAnEnvironmentAreInNoFact) {
  for (const auto& one :
       changes({{kMcp, server(R"("command":"a","env":{"TOKEN":"s3cr3t-old"})")}},
               {{kMcp, server(R"("command":"b","env":{"TOKEN":"s3cr3t-new","MORE":"s3cr3t"})")}}))
    EXPECT_EQ((one.what + wire::spaced_json(one.evidence)).find("s3cr3t"), std::string::npos);
}

TEST(Boundary, WhatIsAllowedWithoutLimitIsMoreThanWhatIsAllowed) {
  for (const char* rule : {"*", "Bash", "Bash(*)", "Bash(*:*)", "Bash(:*)", "WebFetch(domain:*)",
                           "mcp__shop", "mcp__shop__*", "mcp__*", "Read()"})
    EXPECT_EQ(told({}, {{kSettings, rules("allow", std::string("\"") + rule + "\"")}}),
              Texts{std::string("host_boundary_permission_wildcard_allow ") + kSettings +
                    ":1 {\"rules\": [\"" + rule + "\"]}"})
        << rule;
  for (const char* rule : {"Bash(ls:*)", "Read(src/**)", "mcp__shop__get", "WebFetch(domain:x.y)"})
    EXPECT_EQ(told({}, {{kSettings, rules("allow", std::string("\"") + rule + "\"")}}),
              Texts{std::string("host_boundary_permission_allow_expanded ") + kSettings +
                    ":1 {\"rules\": [\"" + rule + "\"]}"})
        << rule;
}

TEST(Boundary, ARuleCountsByWhatItGives) {
  const auto one = [](const char* list, const std::string& rule) {
    return rules(list, "\"" + rule + "\"");
  };
  const std::string ls = one("allow", "Bash(ls:*)"), no_env = one("deny", "Read(.env)");
  const std::string both = rules("deny", "\"Read(.env)\",\"Bash(rm:*)\"");
  const Texts gone{
      "host_boundary_permission_deny_removed .claude/settings.json:1 {\"rules\": "
      "[\"Read(.env)\"]}"};
  expect({
      {"given by a wider one already",
       kSettings,
       one("allow", "Bash(git:*)"),
       one("allow", "Bash(git status)"),
       {}},
      {"given by a new one, too",
       kSettings,
       "{}",
       rules("allow", "\"Bash(git status)\",\"Bash(git:*)\",\"Bash(git log)\""),
       {"host_boundary_permission_allow_expanded .claude/settings.json:1 {\"rules\": "
        "[\"Bash(git:*)\"]}"}},
      {"taken back", kSettings, ls, "{}", {}},
      {"asked about", kSettings, "{}", one("ask", "Bash(ls:*)"), {}},
      {"denied", kSettings, "{}", one("deny", "Bash(ls:*)"), {}},
      {"no longer denied", kSettings, both, one("deny", "Bash(rm:*)"), gone},
      {"the file with the denials is gone", kSettings, no_env, "-", gone},
      {"denied by a wider one", kSettings, one("deny", "Bash(rm:*)"), one("deny", "Bash"), {}},
      {"a mode that approves more",
       kSettings,
       "{}",
       R"({"permissions":{"defaultMode":"acceptEdits"}})",
       {R"(host_boundary_permission_allow_expanded .claude/settings.json:1 {"rules": ["permissions.defaultMode = acceptEdits"]})"}},
      {"a mode that approves less",
       kSettings,
       R"({"permissions":{"defaultMode":"acceptEdits"}})",
       R"({"permissions":{"defaultMode":"plan"}})",
       {}},
  });
  EXPECT_TRUE(
      told({{kSettings, ls}}, {{".claude/settings.local.json", ls}, {kSettings, "{}"}}).empty())
      << "a rule that went to the file beside it";
}

TEST(Boundary, AHookThatIsAnotherOneIsToldAndOurOwnIsNot) {
  const auto hook = [](const std::string& command) {
    return R"({"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":")" +
           command + "\"}]}]}}";
  };
  const std::string place = "host_boundary_hook_changed .claude/settings.json:1 ";
  expect({
      {"added",
       kSettings,
       "{}",
       hook("a.sh"),
       {place + R"({"changes": ["PreToolUse [Bash]: a.sh"]})"}},
      {"another program",
       kSettings,
       hook("a.sh"),
       hook("b.sh"),
       {place + R"({"changes": ["PreToolUse [Bash]: a.sh -> PreToolUse [Bash]: b.sh"]})"}},
      {"a guard that is gone",
       kSettings,
       hook("a.sh"),
       "{}",
       {place + R"({"changes": ["PreToolUse [Bash]: a.sh"]})"}},
      {"the same", kSettings, hook("a.sh"), hook("a.sh") + "\n", {}},
      {"our own", kSettings, "{}", hook("gatehouse hook pre"), {}},
      {"of Codex",
       ".codex/hooks.json",
       "{}",
       hook("a.sh"),
       {R"(codex_boundary_hook_command_changed .codex/hooks.json:1 {"changes": ["PreToolUse [Bash]: a.sh"]})"}},
      {"of Codex, the same", ".codex/hooks.json", hook("a.sh"), hook("a.sh") + " ", {}},
  });
}

TEST(Boundary, AWorkflowThatMayDoMoreIsTold) {
  const std::string more = "host_boundary_workflow_permissions_expanded " + kFlow;
  expect({
      {"write-all for a job",
       kFlow,
       job(""),
       job("    permissions: write-all\n"),
       {"host_boundary_workflow_write_all " + kFlow +
        R"(:5 {"permissions": ["build: default permissions -> build: write-all"]})"}},
      {"write-all for all jobs of a new workflow",
       kFlow,
       "-",
       "permissions: write-all\n" + job(""),
       {"host_boundary_workflow_write_all " + kFlow +
        R"(:1 {"permissions": ["build: write-all"]})"}},
      {"read-all", kFlow, job(""), job("    permissions: read-all\n"), {}},
      {"write-all as before",
       kFlow,
       "permissions: write-all\n" + job(""),
       "# more\npermissions: write-all\n" + job(""),
       {}},
      {"a stronger permission",
       kFlow,
       job("    permissions: {contents: read}\n"),
       job("    permissions: {contents: write}\n"),
       {more + R"(:5 {"permissions": ["build: contents read -> build: contents write"]})"}},
      {"one more permission",
       kFlow,
       job("    permissions: {contents: read}\n"),
       job("    permissions: {contents: read, issues: read}\n"),
       {more + R"(:5 {"permissions": ["build: issues read"]})"}},
      {"the list is gone",
       kFlow,
       job("    permissions: {contents: read}\n"),
       job(""),
       {more + R"(:5 {"permissions": ["build: contents read -> build: default permissions"]})"}},
      {"a weaker permission",
       kFlow,
       job("    permissions: {contents: write}\n"),
       job("    permissions: {contents: read}\n"),
       {}},
      {"a new workflow that writes",
       kFlow,
       "-",
       job("    permissions: {contents: write}\n"),
       {more + R"(:5 {"permissions": ["build: contents write"]})"}},
      {"a new workflow that reads", kFlow, "-", job("    permissions: {contents: read}\n"), {}},
      {"a job under another name",
       kFlow,
       job("    permissions: {contents: write}\n"),
       "on: [push]\njobs:\n  other:\n    runs-on: x\n    permissions: {contents: "
       "write}\n",
       {}},
      {"a file that is no workflow", ".github/a.yml", "-", job("    permissions: write-all\n"), {}},
  });
}

TEST(Boundary, AnEventThatRunsWithSecretsIsTold) {
  const Texts told{"host_boundary_pull_request_target_added " + kFlow + ":1 {}"};
  expect({
      {"in a list", kFlow, job(""), job("", "[push, pull_request_target]"), told},
      {"alone", kFlow, job(""), job("", "pull_request_target"), told},
      {"as a mapping of a new file", kFlow, "-",
       job("", "{pull_request_target: {types: [opened]}}"), told},
      {"there before",
       kFlow,
       job("", "pull_request_target"),
       job("", "{pull_request_target: }"),
       {}},
      {"another event", kFlow, job(""), job("", "[push, pull_request]"), {}},
      {"gone", kFlow, job("", "pull_request_target"), job(""), {}},
  });
}

TEST(Boundary, WhatCannotBeReadIsToldAndNothingElseOfThatFile) {
  expect({
      {"settings",
       kSettings,
       rules("deny", "\"Read(.env)\""),
       "{",
       {R"(host_boundary_config_parse_failed .claude/settings.json:1 {"reason": "syntax"})"}},
      {"servers",
       kMcp,
       "-",
       "[",
       {R"(host_boundary_config_parse_failed .mcp.json:1 {"reason": "syntax"})"}},
      {"a workflow",
       kFlow,
       job(""),
       "on: [\n",
       {"host_boundary_config_parse_failed " + kFlow + R"(:2 {"reason": "syntax"})"}},
      {"a configuration of Codex",
       kCodex,
       "-",
       "a = \n",
       {R"(codex_boundary_parse_failed .codex/config.toml:1 {"reason": "syntax"})"}},
      {"hooks of Codex",
       ".codex/hooks.json",
       "{}",
       "{",
       {R"(codex_boundary_parse_failed .codex/hooks.json:1 {"reason": "syntax"})"}},
      {"as it was", kSettings, "{", "{", {}},
      {"gone", kSettings, "{", "-", {}},
      {"readable again, with all that it says",
       kMcp,
       "{",
       server(R"("command":"a")"),
       {R"(host_boundary_mcp_server_added .mcp.json:1 {"env_keys": [], "server": "shop"})"}},
  });
  const std::vector<FilePair> link{{kMcp, std::nullopt, Entry{EntryKind::link, "/etc/x", false}}};
  ASSERT_EQ(boundary_changes(link).size(), 1u);
  EXPECT_EQ(boundary_changes(link)[0].kind, "host_boundary_config_parse_failed");
}

TEST(Boundary, CodexIsToldByWhatItMayDoWithoutAQuestion) {
  const std::string network = "codex_boundary_network_wildcard " + kCodex;
  const std::string danger = "codex_boundary_danger_full_access " + kCodex;
  const std::string approve = "codex_boundary_auto_approve " + kCodex;
  expect({
      {"the network",
       kCodex,
       "-",
       "[sandbox_workspace_write]\nnetwork_access = true\n",
       {network + R"(:2 {"keys": ["sandbox_workspace_write.network_access"]})"}},
      {"no network", kCodex, "-", "[sandbox_workspace_write]\nnetwork_access = false\n", {}},
      {"every domain",
       kCodex,
       "",
       "[permissions.dev.network.domains]\n\"*\" = \"allow\"\n",
       {network + R"(:2 {"keys": ["permissions.dev.network.domains"]})"}},
      {"every domain in a list",
       kCodex,
       "",
       "[permissions.dev.network]\nallowed_domains = [\"*\"]\n",
       {network + R"(:2 {"keys": ["permissions.dev.network.allowed_domains"]})"}},
      {"one domain", kCodex, "", "[permissions.dev.network.domains]\n\"x.y\" = \"allow\"\n", {}},
      {"every domain denied",
       kCodex,
       "",
       "[permissions.dev.network.domains]\n\"*\" = \"deny\"\n",
       {}},
      {"no sandbox",
       kCodex,
       "sandbox_mode = \"read-only\"\n",
       "sandbox_mode = \"danger-full-access\"\n",
       {danger + R"(:1 {"keys": ["sandbox_mode"]})"}},
      {"no sandbox in a profile",
       kCodex,
       "",
       "[profiles.x]\nsandbox_mode = \"danger-full-access\"\n",
       {danger + R"(:2 {"keys": ["profiles.x.sandbox_mode"]})"}},
      {"no sandbox as before",
       kCodex,
       "sandbox_mode = \"danger-full-access\"\n",
       "# x\nsandbox_mode = \"danger-full-access\"\n",
       {}},
      {"a sandbox", kCodex, "", "sandbox_mode = \"workspace-write\"\n", {}},
      {"a tool is approved",
       kCodex,
       "[mcp_servers.shop]\ncommand = \"a\"\n",
       "[mcp_servers.shop]\ncommand = "
       "\"a\"\n[mcp_servers.shop.tools.buy]\napproval_mode = \"approve\"\n",
       {approve + R"(:4 {"server": "shop", "tool": "buy"})"}},
      {"a tool is asked about",
       kCodex,
       "[mcp_servers.shop]\ncommand = \"a\"\n",
       "[mcp_servers.shop]\ncommand = "
       "\"a\"\n[mcp_servers.shop.tools.buy]\napproval_mode = \"prompt\"\n",
       {}},
      {"every tool is approved",
       kCodex,
       "[mcp_servers.shop]\ncommand = \"a\"\n",
       "[mcp_servers.shop]\ncommand = \"a\"\ndefault_tools_approval_mode = "
       "\"approve\"\n",
       {approve + R"(:3 {"server": "shop", "tool": "*"})"}},
  });
}

TEST(Boundary, ASkillWithAnotherCommandIsTold) {
  const std::string skill = ".codex/skills/x/SKILL.md";
  const std::string place = "codex_boundary_skill_command_changed " + skill + ":1 ";
  expect({
      {"a line in a block of shell",
       skill,
       "# s\n```sh\nmake\n```\n",
       "# s\n```sh\nmake\ncurl x | sh\n```\n",
       {place + R"({"commands": ["curl x | sh"]})"}},
      {"a block without a name",
       skill,
       "# s\n",
       "# s\n```\nmake\n```\n",
       {place + R"({"commands": ["make"]})"}},
      {"what is run when it is read",
       skill,
       "# s\n",
       "# s\n!`date`\n",
       {place + R"({"commands": ["!`date"]})"}},
      {"another sentence", skill, "# s\n```sh\nmake\n```\n", "# other\n```sh\nmake\n```\n", {}},
      {"a block of another language", skill, "# s\n", "# s\n```python\nprint(1)\n```\n", {}},
      {"a command less", skill, "# s\n```sh\nmake\n```\n", "# s\n", {}},
      {"of all agents",
       ".agents/skills/x/SKILL.md",
       "-",
       "```bash\nmake\n```\n",
       {"codex_boundary_skill_command_changed .agents/skills/x/SKILL.md:1 "
        "{\"commands\": [\"make\"]}"}},
      {"of nobody", "skills/x/SKILL.md", "-", "```bash\nmake\n```\n", {}},
  });
}

TEST(Boundary, AServerThatMayDoMoreIsTold) {
  const std::string one = server(R"("command":"a")");
  const auto with = [](const std::string& more) { return server(R"("command":"a",)" + more); };
  const std::string place = "mcp_permission_expanded .mcp.json:1 ";
  expect({
      {"a tool is approved",
       kMcp,
       one,
       with(R"("autoApprove":["buy"])"),
       {place + R"({"changes": ["shop autoApprove: buy"]})"}},
      {"a tool is approved no more", kMcp, with(R"("autoApprove":["buy"])"), one, {}},
      {"a list that restricted is gone",
       kMcp,
       with(R"("includeTools":["get"])"),
       one,
       {place + R"({"changes": ["shop includeTools: get -> shop includeTools: all"]})"}},
      {"a list restricts", kMcp, one, with(R"("includeTools":["get"])"), {}},
      {"trusted",
       kMcp,
       one,
       with(R"("trust":true)"),
       {place + R"({"changes": ["shop trust = true"]})"}},
      {"switched on",
       kMcp,
       with(R"("disabled":true)"),
       one,
       {place + R"({"changes": ["shop disabled = true"]})"}},
      {"all servers of the project",
       kSettings,
       "{}",
       R"({"enableAllProjectMcpServers":true})",
       {R"(mcp_permission_expanded .claude/settings.json:1 {"changes": ["enableAllProjectMcpServers = true"]})"}},
  });
}

TEST(Boundary, EachMemberThatMakesAnotherServerIsToldByItsName) {
  const std::string_view texts[] = {"args",
                                    "url",
                                    "httpUrl",
                                    "serverUrl",
                                    "type",
                                    "cwd",
                                    "transport",
                                    "env_vars",
                                    "envFile",
                                    "command",
                                    "headersHelper",
                                    "http_headers_helper",
                                    "bearer_token_env_var",
                                    "environment_id"};
  const std::string_view maps[] = {"env", "headers", "http_headers", "env_http_headers"};
  const auto told_of = [](std::string_view member, const std::string& value) {
    const std::string key = "\"" + std::string(member) + "\":";
    const auto found = changes({{kMcp, server(R"("note":"n")")}}, {{kMcp, server(key + value)}});
    return found.empty() ? "" : wire::spaced_json(found[0].evidence);
  };
  for (const std::string_view member : texts)
    EXPECT_EQ(told_of(member, "\"x\""),
              R"({"changed_fields": [")" + std::string(member) +
                  R"("], "env_keys_added": [], "env_keys_removed": [], "kind": )"
                  R"("host_boundary_mcp_server_changed", "path": ".mcp.json", "server": "shop"})");
  for (const std::string_view member : maps)
    EXPECT_EQ(told_of(member, "{\"K\":\"v\"}"),
              R"({"changed_fields": [")" + std::string(member) +
                  R"("], "env_keys_added": ["K"], "env_keys_removed": [], "kind": )"
                  R"("host_boundary_mcp_server_changed", "path": ".mcp.json", "server": "shop"})");
  for (const std::string_view member : {"description", "timeout", "title"})
    EXPECT_EQ(told_of(member, "\"x\""), "");
  const auto added =
      changes({}, {{kCodex, "[mcp_servers.shop]\ncommand = \"a\"\nenabled_tools = [\"get\"]\n"}});
  ASSERT_EQ(added.size(), 1u);
  EXPECT_EQ(wire::spaced_json(*added[0].evidence.find("tools")), R"(["get"])");
}

TEST(Boundary, BlocksOfEveryShellAreCommands) {
  for (const std::string name : {"bash", "sh", "zsh", "shell", "console", "shell-session",
                                 "terminal", "powershell", "pwsh", "Bash", "sh title"})
    EXPECT_EQ(changes({}, {{".codex/skills/x/SKILL.md", "```" + name + "\nmake\n```\n"}}).size(),
              1u)
        << name;
  EXPECT_TRUE(changes({}, {{".codex/skills/x/SKILL.md", "```json\n{}\n```\n"}}).empty());
}

TEST(Boundary, FactsOfAFileStandInTheOrderOfTheSpecification) {
  const auto kinds = [](const Files& before, const Files& after) {
    std::string out;
    for (const BoundaryChange& one : changes(before, after))
      out += std::string(one.kind) + "\n";
    return out;
  };
  EXPECT_EQ(
      kinds(
          {{kSettings, rules("deny", "\"Read(.env)\"")}},
          {{kSettings,
            R"j({"enableAllProjectMcpServers":true,"hooks":{"Stop":[{"command":"a"}]},)j"
            R"j("mcpServers":{"m":{"command":"a"}},"permissions":{"allow":["WebSearch","Bash(ls)"]}})j"}}),
      "host_boundary_mcp_server_added\nhost_boundary_permission_wildcard_allow\n"
      "host_boundary_permission_allow_expanded\nhost_boundary_permission_deny_removed\n"
      "host_boundary_hook_changed\nmcp_permission_expanded\n");
  EXPECT_EQ(
      kinds({{kMcp, server(R"("command":"a")")}},
            {{kMcp, R"({"mcpServers":{"shop":{"command":"b","trust":true},"a":{"url":"u"}}})"}}),
      "host_boundary_mcp_server_added\nhost_boundary_mcp_server_changed\n"
      "mcp_permission_expanded\n");
  EXPECT_EQ(kinds({{kFlow, job("    permissions: {contents: read}\n")}},
                  {{kFlow,
                    "on: pull_request_target\njobs:\n  all:\n    permissions: write-all\n  build:\n"
                    "    permissions: {contents: write}\n"}}),
            "host_boundary_workflow_write_all\nhost_boundary_workflow_permissions_expanded\n"
            "host_boundary_pull_request_target_added\n");
  EXPECT_EQ(
      kinds({{kCodex, "[mcp_servers.m]\ncommand = \"a\"\ndisabled_tools = [\"x\"]\n"}},
            {{kCodex,
              "sandbox_mode = \"danger-full-access\"\n[sandbox_workspace_write]\n"
              "network_access = true\n[mcp_servers.m]\ncommand = \"a\"\n"
              "default_tools_approval_mode = \"approve\"\n[[hooks.Stop]]\ncommand = \"a\"\n"}}),
      "codex_boundary_network_wildcard\ncodex_boundary_danger_full_access\n"
      "codex_boundary_auto_approve\ncodex_boundary_hook_command_changed\n"
      "mcp_permission_expanded\n");
}

TEST(Boundary, TheSubjectNamesAFewAndTheEvidenceAll) {
  std::string items;
  for (int i = 0; i < 9; ++i)
    items += (i > 0 ? ",\"Bash(x" : "\"Bash(x") + std::to_string(i) + ")\"";
  const auto found = changes({}, {{kSettings, rules("allow", items)}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what,
            "Bash(x0), Bash(x1), Bash(x2), Bash(x3) and 5 more in .claude/settings.json");
  EXPECT_EQ(found[0].evidence.find("rules")->as_list()->size(), 9u);
}

TEST(Boundary, FilesOfTheBoundaryAreThoseOfTheListAtAnyDepthAndInAnyCase) {
  for (const char* path :
       {".mcp.json", "a/.mcp.json", ".MCP.json", ".cursor/mcp.json", ".vscode/mcp.json",
        "b/.claude/settings.json", ".claude/settings.local.json", ".github/workflows/x.yml",
        ".github/workflows/x.yaml", ".codex/config.toml", ".codex/hooks.json",
        ".codex/skills/a/SKILL.md", ".agents/skills/a/b/SKILL.md"})
    EXPECT_TRUE(is_boundary_file(path)) << path;
  for (const char* path : {"mcp.json", ".claude/other.json", "a/.github/workflows/x.yml",
                           ".github/workflows/x.txt", "config.toml", "SKILL.md", ""})
    EXPECT_FALSE(is_boundary_file(path)) << path;
  EXPECT_EQ(boundary_siblings("a/.claude/settings.json"), Texts{"a/.claude/settings.local.json"});
  EXPECT_EQ(boundary_siblings(".claude/settings.local.json"), Texts{".claude/settings.json"});
  EXPECT_TRUE(boundary_siblings(".mcp.json").empty());
}

}  // namespace
}  // namespace gh::powers
