#include "fuzz/release_format.h"

#include <array>
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
/// By ReleaseFormat: the sources of the manifest. What is no source stands beside a plain one.
constexpr std::string_view kPlain = "tool_sources: [{id: s, type: mcp, path: t.json}]\n";
constexpr std::array<std::string_view, 25> kSources{
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
    "tool_sources: [{id: s, type: mcp_server_source, path: code}]\n",
    "tool_sources: [{id: s, type: mcp, path: t.json}]\nchecks: {policy_packs: [f.yaml]}\n",
    "langchain: {tool_inventories: [f.json]}\ncrewai: {tool_inventories: [f.json]}\n"
    "google_adk: {tool_inventories: [f.json]}\nn8n: {tool_inventories: [f.json]}\n",
    kPlain,
    kPlain,
    kPlain,
    kPlain,
    "openai_api: {prompt_files: [f.md]}\n",
    "tool_sources: [{id: s, type: mcp, path: t.json}]\nci: {mode: strict}\n"};
static_assert(kSources.size() == static_cast<std::size_t>(ReleaseFormat::owners) + 1);

void require_sound(const gh::release::ScanReport& report) {
  REQUIRE(report.decision.contributions.size() == report.findings.size());
  REQUIRE((report.decision.outcome == gh::release::Outcome::blocked) ==
          !report.decision.blockers.empty());
  REQUIRE(gh::policy::redact_document(report.document).kinds.empty());
  REQUIRE(!gh::wire::report_json(report.document).empty());
}

}  // namespace

int scan_bytes(ReleaseFormat format, const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const bool is_manifest = format == ReleaseFormat::manifest;
  const std::string yaml =
      is_manifest ? bytes
                  : std::string(kHead) + std::string(kSources[static_cast<std::size_t>(format)]);
  const auto manifest = gh::surface::read_manifest(yaml, "shipgate.yaml");
  REQUIRE(manifest || is_manifest);
  if (!manifest) {
    REQUIRE(!manifest.error().message.empty());
    return 0;
  }
  FileMap tree{{"f.json", bytes},
               {"f.md", bytes},
               {"f.yaml", bytes},
               {"f.py", bytes},
               {"t.json", R"([{"name":"send_email"}])"},
               {"plug/.codex-plugin/plugin.json",
                R"({"name":"plug","apps":"f.json","mcpServers":"f.json","hooks":"f.json"})"},
               {"plug/f.json", bytes},
               {"plug/skills/s/SKILL.md", bytes},
               {"code/.codex/config.toml", bytes},
               {"code/.codex/hooks.json", bytes},
               {"code/a.ts", bytes},
               {"code/b.go", bytes},
               {"code/c.py", bytes}};
  if (format == ReleaseFormat::lock) tree["gatehouse.tools.lock"] = bytes;
  if (format == ReleaseFormat::owners) tree[".github/CODEOWNERS"] = bytes;
  if (format == ReleaseFormat::settings)
    tree[".claude/settings.json"] = tree[".claude/agents/a.md"] = tree[".mcp.json"] = bytes;
  gh::surface::MemoryFiles files(std::move(tree));
  gh::release::ScanOptions options;
  options.today = "2026-01-01";
  options.profile = gh::surface::Profile::extended;
  if (format == ReleaseFormat::baseline)
    if (auto baseline = gh::release::read_baseline(bytes, "b.json"))
      options.baseline = gh::release::BaselineFile{
          .baseline = std::move(*baseline), .bytes = bytes, .path = "b.json", .log = bytes};
  if (format == ReleaseFormat::reference)
    if (auto reference = gh::release::read_diff_reference(bytes, "r.json"))
      options.diff_from = std::move(*reference);
  const auto report = gh::release::scan(*manifest, files, options);
  if (report) require_sound(*report);
  REQUIRE(report || !report.error().message.empty());
  return 0;
}
