// Grants beside the manifest and the lock of tools, read from files and judged.
#include <map>

#include <gtest/gtest.h>

#include "base/text.h"
#include "checks/catalogue.h"
#include "model/peek.h"
#include "surface/memory_files.h"

namespace gh::checks::host {
namespace {

using FileMap = std::map<std::string, std::string>;

struct Judged {
  std::vector<std::string> titles{};
  std::vector<Map> evidence{};
  std::vector<std::string> warnings{};
};

/// Findings of one rule of the extended profile on these files beside a manifest of one tool.
Result<Judged> judged_by(std::string_view rule, FileMap files) {
  files["shipgate.yaml"] =
      "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [help]}\n"
      "environment: {target: local}\ntool_sources: [{id: m, type: mcp, path: t.json}]\n";
  files.emplace("t.json", R"([{"name":"look","description":"Looks."}])");
  auto manifest = *surface::read_manifest(files.at("shipgate.yaml"), "shipgate.yaml");
  manifest.profile = surface::Profile::extended;
  surface::MemoryFiles memory(files);
  GH_TRY(loaded, surface::load_surface(manifest, memory));
  GH_TRY(actions, surface::actions_of(manifest, loaded));
  Judged out{.warnings = loaded.warnings};
  for (const Finding& f :
       run_checks({manifest, loaded, actions, surface::Profile::extended, "2026-01-01"}))
    if (f.check_id == rule) {
      out.titles.push_back(f.title);
      out.evidence.push_back(f.evidence);
    }
  return out;
}

std::vector<std::string> grants_found(const FileMap& files) {
  std::vector<std::string> out;
  const auto judged = judged_by("GATE-HOST-WILDCARD", files);
  EXPECT_TRUE(judged) << judged.error().message;
  for (const Map& evidence : judged->evidence)
    out.push_back(std::string(Peek(evidence.find("grant")).text()) + " " +
                  std::string(Peek(evidence.find("path")).text()));
  return out;
}

TEST(HostGrants, EveryFormOfWildcardIsSeenAndNothingElse) {
  const auto in_settings = [](const std::string& grant) {
    return grants_found(
        {{".claude/settings.json", R"({"permissions":{"allow":[")" + grant + "\"]}}"}});
  };
  for (const char* grant : {"*", "mcp__*", "mcp__docs__*", "Bash(*)", "Bash(*:*)", "WebFetch(:*)"})
    EXPECT_EQ(in_settings(grant).size(), 1u) << grant;
  for (const char* grant : {"Bash", "Bash(git log:*)", "mcp__docs__search", "Read(src/**)", "**"})
    EXPECT_TRUE(in_settings(grant).empty()) << grant;
}

TEST(HostGrants, SettingsAndDefinitionsOfAgentsAreRead) {
  EXPECT_EQ(
      grants_found({{".claude/settings.local.json", R"({"permissions":{"allow":["*"]}})"},
                    {".claude/agents/one.md", "---\nname: one\ntools: Read, mcp__*\n---\nx\n"},
                    {".claude/agents/two.md", "---\ntools: [Read, 'Bash(*)']\n---\nx\n"},
                    {".claude/agents/three.md", "No head.\n"}}),
      (std::vector<std::string>{"* .claude/settings.local.json", "mcp__* .claude/agents/one.md",
                                "Bash(*) .claude/agents/two.md"}));
}

TEST(HostGrants, WhatCannotBeReadIsAWarning) {
  const auto judged = judged_by("GATE-HOST-WILDCARD", {{".claude/settings.json", "{"}});
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->warnings.size(), 1u);
  EXPECT_TRUE(contains(judged->warnings.at(0), ".claude/settings.json"));
}

// docs/reference/tool-surface.md: the files with servers of coding agents.
TEST(HostServers, AreReadFromTheFileOfEachHost) {
  const std::pair<std::string, std::string> rows[] = {{".mcp.json", "mcpServers"},
                                                      {".cursor/mcp.json", "mcpServers"},
                                                      {".vscode/mcp.json", "servers"}};
  for (const auto& [path, key] : rows) {
    const auto judged =
        judged_by("SHIP-MCP-ENV-SECRET-PASSTHROUGH",
                  {{path, R"({")" + key + R"(":{"db":{"command":"x","env":{"API_KEY":"v"}}}})"}});
    ASSERT_EQ(judged->evidence.size(), 1u) << path;
    EXPECT_EQ(Peek(judged->evidence[0].find("path")).text(), path);
  }
}

TEST(HostGrants, AToolIsKnownUnderTheNameThatAHostGivesIt) {
  const auto count = [](std::string_view rule, const std::string& allowed) {
    return judged_by(rule, {{"t.json", R"([{"name":"orders.wipe","inputSchema":{"type":"object"},)"
                                       R"("annotations":{"destructiveHint":true}}])"},
                            {".claude/settings.json",
                             R"({"permissions":{"allow":[")" + allowed + "\"]}}"}})
        ->titles.size();
  };
  constexpr std::string_view kEffect = "SHIP-MCP-AUTO-APPROVE-SIDE-EFFECT",
                             kUnknown = "SHIP-MCP-UNKNOWN-TOOL-SCHEMA";
  EXPECT_EQ(count(kEffect, "mcp__shop__orders_wipe"), 1u);
  EXPECT_EQ(count(kUnknown, "mcp__shop__orders_wipe"), 0u);
  EXPECT_EQ(count(kEffect, "mcp__shop__delete_row"), 1u);  // its name is all there is
  EXPECT_EQ(count(kUnknown, "mcp__shop__delete_row"), 1u);
  for (const char* other : {"mcp__shop", "mcp__shop__*", "Bash(wipe:*)", "orders_wipe"}) {
    EXPECT_EQ(count(kEffect, other), 0u) << other;
    EXPECT_EQ(count(kUnknown, other), 0u) << other;
  }
}

// docs/reference/tool-surface.md, "The lock of tools".
TEST(ToolLock, TellsNewChangedAndLostTools) {
  const auto judged = judged_by(
      "GATE-LOCK-DRIFT",
      {{"t.json", R"([{"name":"look"},{"name":"fresh"}])"},
       {"gatehouse.tools.lock", R"({"schema":"gatehouse.tools.lock/1","tools":{"gone":{},)"
                                R"("look":{"description":"74234e98afe7498f","input_schema":"0",)"
                                R"("output_schema":"44136fa355b3678a","annotations":"0"}}})"}});
  ASSERT_TRUE(judged) << judged.error().message;
  ASSERT_EQ(judged->titles.size(), 3u);
  EXPECT_TRUE(contains(judged->titles[0], "look changed its input_schema, annotations"));
  EXPECT_TRUE(contains(judged->titles[1], "fresh is new"));
  EXPECT_TRUE(contains(judged->titles[2], "gone is gone"));
}

TEST(ToolLock, ABrokenOneEndsTheScan) {
  for (const char* lock : {"{", "[]", R"({"schema":"gatehouse.tools.lock/2","tools":{}})",
                           R"({"schema":"gatehouse.tools.lock/1"})",
                           R"({"schema":"gatehouse.tools.lock/1","tools":{"a":7}})"})
    EXPECT_FALSE(judged_by("GATE-LOCK-DRIFT", {{"gatehouse.tools.lock", lock}})) << lock;
}

}  // namespace
}  // namespace gh::checks::host
