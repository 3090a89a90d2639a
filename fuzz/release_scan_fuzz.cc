// A scan of bytes that somebody else chose: the manifest, or a source of a sound manifest. It ends
// with a report or with one reason, and a report holds together.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "policy/redact.h"
#include "release/scan.h"
#include "surface/memory_files.h"
#include "wire/spaced_json.h"

namespace {

using FileMap = std::map<std::string, std::string>;

constexpr std::string_view kHead =
    "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [x]}\n"
    "environment: {target: production}\n";
/// Sources that the bytes may be; the first byte chooses.
constexpr std::array<std::string_view, 17> kSources{
    "",
    "tool_sources: [{id: s, type: mcp, path: f.json}]\n",
    "tool_sources: [{id: s, type: openapi, path: f.yaml}]\n",
    "tool_sources: [{id: s, type: openai_agents_sdk, path: f.py}]\n",
    "tool_sources: [{id: s, type: langchain, path: f.py}]\n",
    "tool_sources: [{id: s, type: crewai, path: f.py}]\n",
    "openai_api: {tools: [f.json], response_formats: [f.json], model_config: f.json, test_cases: "
    "[f.json], trace_samples: [f.json], policy_rules: [f.json]}\n",
    "anthropic: {tools: [f.json], policy_rules: [f.json]}\n",
    "tool_sources: [{id: s, type: mcp, path: t.json}]\nvalidation: {mode: human_in_the_loop, "
    "evidence: {approval_traces: [f.json], override_logs: [f.json], high_risk_exclusions: "
    "[f.json], promotion_criteria: [f.json]}}\n",
    "tool_sources: [{id: s, type: google_adk, path: f.py}]\n",
    "google_adk: {agent_configs: [f.yaml], eval_sets: [f.json], trace_samples: [f.json]}\n",
    "n8n: {workflows: [f.json], credential_stubs: [f.yaml]}\n",
    "tool_sources: [{id: s, type: codex_plugin, path: plug}]\n",
    "tool_sources: [{id: s, type: codex_plugin, mode: marketplace, path: f.json}]\n",
    "tool_sources: [{id: s, type: codex_config, path: code}]\n",
    "tool_sources: [{id: s, type: conductor, path: f.json}]\n",
    "tool_sources: [{id: s, type: mcp_server_source, path: code}]\n"};

void require_sound(const gh::release::ScanReport& report) {
  REQUIRE(report.decision.contributions.size() == report.findings.size());
  REQUIRE((report.decision.outcome == gh::release::Outcome::blocked) ==
          !report.decision.blockers.empty());
  REQUIRE(gh::policy::redact_document(report.document).kinds.empty());
  REQUIRE(!gh::wire::report_json(report.document).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t kind = data[0] % kSources.size();
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string yaml = kind == 0 ? bytes : std::string(kHead) + std::string(kSources[kind]);
  const auto manifest = gh::surface::read_manifest(yaml, "shipgate.yaml");
  REQUIRE(manifest || kind == 0);
  if (!manifest) {
    REQUIRE(!manifest.error().message.empty());
    return 0;
  }
  gh::surface::MemoryFiles files(
      FileMap{{"f.json", bytes},
              {"f.yaml", bytes},
              {"f.py", bytes},
              {"t.json", "[]"},
              {"plug/.codex-plugin/plugin.json",
               R"({"name":"plug","apps":"f.json","mcpServers":"f.json","hooks":"f.json"})"},
              {"plug/f.json", bytes},
              {"plug/skills/s/SKILL.md", bytes},
              {"code/.codex/config.toml", bytes},
              {"code/.codex/hooks.json", bytes},
              {"code/a.ts", bytes},
              {"code/b.go", bytes},
              {"code/c.py", bytes}});
  gh::release::ScanOptions options;
  options.today = "2026-01-01";
  const auto report = gh::release::scan(*manifest, files, options);
  if (report) require_sound(*report);
  REQUIRE(report || !report.error().message.empty());
  return 0;
}
