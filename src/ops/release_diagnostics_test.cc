#include "ops/release_diagnostics.h"

#include <gtest/gtest.h>

#include "surface/memory_files.h"

namespace gh::ops {
namespace {

using surface::Manifest;
using surface::Suggestions;

std::string told(const ReleaseDiagnostics& diagnostics) {
  std::string out;
  for (const ReleaseDiagnostic& d : diagnostics) {
    EXPECT_FALSE(d.next_actions.empty()) << d.id;
    out += std::string(d.id.substr(10)) + " " + std::string(d.severity) + "\n";
  }
  return out;
}

Suggestions with_source(std::string type) {
  Suggestions s;
  s.sources.push_back({.type = std::move(type), .path = "x", .tool_count = 1, .why = ""});
  return s;
}

TEST(ReleaseDiagnostics, OfNothingOnlyTheMostSpecificIsSaid) {
  Suggestions s;
  EXPECT_EQ(told(diagnose_folder(s, false, "p")), "NO-AGENT-SURFACE info\n");
  s.has_package = true;
  EXPECT_EQ(told(diagnose_folder(s, false, "p")), "NON-AGENT-LIBRARY info\n");
  s.prompts = {"prompts/a.md"};
  EXPECT_EQ(told(diagnose_folder(s, false, "p")), "PURE-PROMPT-EXPERIMENT info\n");
  s.has_code = true;
  EXPECT_EQ(told(diagnose_folder(s, false, "p")), "NON-AGENT-LIBRARY info\n");
  EXPECT_EQ(told(diagnose_folder(s, true, "p")), "");
}

TEST(ReleaseDiagnostics, WhatAFolderHoldsIsSaid) {
  EXPECT_EQ(told(diagnose_folder(with_source("langchain"), false, "p")),
            "MISSING-MANIFEST block\n");
  EXPECT_EQ(told(diagnose_folder(with_source("openapi"), true, "p")),
            "MCP-OPENAPI-ARTIFACT-ONLY info\n");
  Suggestions code;
  code.frameworks = {"langchain"};
  EXPECT_EQ(told(diagnose_folder(code, true, "p")), "ZERO-TOOLS block\n");
  Suggestions plugin;
  plugin.codex_plugins = {"p"};
  EXPECT_EQ(told(diagnose_folder(plugin, true, "p")), "CODEX-PLUGIN-PACKAGE-DETECTED info\n");
}

TEST(ReleaseDiagnostics, WhatAManifestLacksIsSaid) {
  Manifest m;
  m.target = "production";
  m.document = Map{{"agent", Map{{"declared_purpose", List{"CHANGE_ME: x"}}}}};
  surface::Surface none;
  EXPECT_EQ(told(diagnose_manifest(m, &none, {{"a", "b", 3, "missing"}}, "p")),
            "MISSING-SOURCE-FILE block\nZERO-TOOLS block\nCHANGE-ME-PLACEHOLDERS warn\n"
            "NO-PRODUCTION-PERMISSIONS warn\n");
  surface::Surface weak;
  weak.tools.emplace_back().confidence = surface::Confidence::medium;
  m.scopes = {"a"};
  m.document = Map{};
  EXPECT_EQ(told(diagnose_manifest(m, &weak, {}, "p")), "");  // a file that is read as it stands
  weak.langchain.emplace().dynamic.emplace_back();
  EXPECT_EQ(told(diagnose_manifest(m, &weak, {}, "p")), "DYNAMIC-TOOLSETS-ONLY warn\n");
  weak.tools.emplace_back().confidence = surface::Confidence::high;
  EXPECT_EQ(told(diagnose_manifest(m, &weak, {}, "p")), "");
  EXPECT_EQ(told({invalid_manifest("x")}), "INVALID-MANIFEST block\n");
}

TEST(ReleaseDiagnostics, MissingIsToldFromOutsideAndOptionalIsLeftAlone) {
  const auto m = surface::read_manifest(
      "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [x]}\n"
      "environment: {target: local}\ntool_sources:\n  - {id: one, type: mcp, path: gone.json}\n"
      "  - {id: two, type: mcp, path: ../x.json}\n  - {id: three, type: mcp, path: absent.json, "
      "optional: "
      "true}\n  - {id: four, type: mcp, path: there.json}\nopenai_api: {tools: [also.json]}\n",
      "shipgate.yaml");
  ASSERT_TRUE(m) << m.error().message;
  surface::MemoryFiles files(std::map<std::string, std::string>{{"there.json", "[]"}});
  std::string out;
  for (const UnresolvedSource& u : unresolved_sources(*m, files))
    out += u.id + " " + std::to_string(u.line) + " " + u.reason + "\n";
  EXPECT_EQ(out, "one 6 missing\ntwo 7 outside_manifest_dir\nopenai_api.tools[0] 10 missing\n");
}

}  // namespace
}  // namespace gh::ops
