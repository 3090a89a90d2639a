#include "surface/manifest.h"

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "surface/manifest_keys.h"

namespace gh::surface {
namespace {

constexpr std::string_view kLeast = R"(version: "0.1"
project: {name: demo}
agent:
  name: helper
  declared_purpose: [look up orders]
environment: {target: local}
tool_sources:
  - {id: a, type: mcp, path: a.json}
)";

std::string with(std::string_view more) { return std::string(kLeast) + std::string(more); }

std::string refusal(const std::string& yaml, std::string_view file = "shipgate.yaml") {
  const auto manifest = read_manifest(yaml, file);
  return manifest ? "" : manifest.error().message;
}

void expect_refused(const std::string& yaml, std::string_view what) {
  EXPECT_TRUE(contains(refusal(yaml), what)) << yaml << "\n" << refusal(yaml);
}

TEST(Manifest, TheLeastOneHasTheDefaultsOfTheReference) {
  const auto m = read_manifest(kLeast, "shipgate.yaml");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->agent_id(), "agent:demo/helper");
  EXPECT_EQ(m->profile, Profile::compat);
  EXPECT_EQ(m->ci_mode, "advisory");
  EXPECT_FALSE(m->fail_on);
  EXPECT_EQ(m->integrity_mode, "warn");
  EXPECT_EQ(m->output_directory, "agents-shipgate-reports");
  EXPECT_EQ(m->formats, (std::vector<std::string>{"markdown", "json"}));
  EXPECT_TRUE(m->packet_enabled);
  EXPECT_EQ(m->packet_formats, (std::vector<std::string>{"md", "json", "html"}));
  EXPECT_FALSE(m->require_explicit_actions);
}

TEST(Manifest, TheEmbeddedFormHasItsPrefixProfileAndFolder) {
  std::string yaml = "release_gate:\n";
  for (const std::string_view line : split(kLeast, '\n'))
    yaml += fmt::format("  {}\n", line);
  const auto m = read_manifest(yaml, "gatehouse.yaml");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_TRUE(m->embedded);
  EXPECT_EQ(m->profile, Profile::extended);
  EXPECT_EQ(m->output_directory, "gatehouse-reports");
  EXPECT_EQ(m->pointer("/checks/ignore/0"), "/release_gate/checks/ignore/0");
  EXPECT_EQ(m->place("/agent/name").start_line, 5);
  EXPECT_EQ(read_manifest(yaml + "  profile: compat\n", "gatehouse.yaml")->profile,
            Profile::compat);
  EXPECT_TRUE(has_embedded_manifest(yaml));
  EXPECT_FALSE(has_embedded_manifest("patch: {}\n"));
}

// docs/reference/release-manifest.md, "Keys".
TEST(Manifest, TheReferenceHasEveryKeyOfTheTable) {
  std::ifstream in("docs/reference/release-manifest.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::string keys = page.substr(std::min(page.find("## Keys"), page.size()));
  std::size_t rows = 0;
  for (const std::string_view line : split(keys, '\n'))
    rows += line.starts_with("| `") ? 1 : 0;
  EXPECT_EQ(rows, 179u);
  EXPECT_EQ(manifest_keys().size(), rows);
  for (const KeyRow& row : manifest_keys())
    EXPECT_TRUE(contains(keys, fmt::format("| `{}` | `{}` |", row.record, row.key))) << row.key;
}

TEST(Manifest, EveryKeyIsRead) {
  const auto m = read_manifest(with(R"(
openai_api: {prompt_files: [p.md, {path: q.md}], tools: [t.json, {path: u.json, optional: true}],
  response_formats: [{path: r.json, name: R, downstream_critical_fields: [x]}], model_config: m.json}
policies: {require_approval_for_tools: [a, {tool: b, reason: because}]}
permissions: {scopes: [orders:read]}
risk_overrides: {tools: {a: {tags: [write], remove_tags: [read_only], owner: me, reason: why}}}
checks:
  ignore: [{check_id: X, tool: a, reason: known, expires: 2030-01-01}]
  policy_packs: [p.yaml, {path: q.yaml, id: Q, sha256: aa}]
  severity_overrides: {X: low, Y: {severity: high, reason: r, expires: 2030-01-01}}
  acknowledge_overrides: [{check_id: X, reason: r}]
action_surface:
  require_explicit_actions: true
  actions: [{tool: a, effect: write, scopes: [" s "], approval: {required: true}, safeguards: {rollback: false}}]
  policies: [{id: P, match: {tools: [a]}, require: {approval.required: true}, severity: high, block: false}]
ci: {mode: strict, fail_on: [high, critical]}
baseline: {integrity_mode: off}
output: {directory: out, formats: [sarif], packet: {enabled: false, formats: [pdf]}}
validation: {mode: human_in_the_loop, target_review_posture: limited_auto_approval,
  required_evidence: {approval_trace_required: yes}, evidence: {approval_traces: [t.jsonl]}}
human_ack: [{affected_surface: policy, owner: me, reason: r}]
)"),
                               "shipgate.yaml");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->openai->prompt_files[1].path, "q.md");
  EXPECT_TRUE(m->openai->tools[1].optional);
  EXPECT_EQ(m->openai->response_formats[0].critical_fields[0], "x");
  EXPECT_EQ(m->openai->model_config->path, "m.json");
  EXPECT_EQ(m->approval[0].tool, "a");
  EXPECT_EQ(m->approval[1].reason, "because");
  EXPECT_EQ(m->risk_override_of("a")->owner, "me");
  EXPECT_EQ(m->ignore[0].expires, "2030-01-01");
  EXPECT_EQ(m->policy_packs[1].name, "Q");
  EXPECT_EQ(m->severity_overrides[0].severity, FindingSeverity::low);
  EXPECT_EQ(m->severity_overrides[1].reason, "r");
  EXPECT_EQ(m->actions[0].scopes[0], "s");
  EXPECT_EQ(m->actions[0].rollback, false);
  EXPECT_FALSE(m->action_policies[0].block);
  EXPECT_EQ(m->ci_mode, "strict");
  EXPECT_EQ(m->fail_on->size(), 2u);
  EXPECT_EQ(m->integrity_mode, "off");
  EXPECT_EQ(m->output_directory, "out");
  EXPECT_FALSE(m->packet_enabled);
  EXPECT_TRUE(m->validation->approval_trace_required);
  EXPECT_EQ(m->human_acks[0].affected_surface, "policy");
}

// docs/reference/release-manifest.md, "Loading": the first failure wins.
TEST(Manifest, EveryStepOfLoadingRefusesWithAPlace) {
  expect_refused("a: [", "shipgate.yaml:2:1:");
  expect_refused("- a\n", "shipgate.yaml:1:1: expected a mapping");
  expect_refused("version: 0.1\n",
                 "shipgate.yaml:1:1: version must be the text \"0.1\"; write it with quotes");
  expect_refused("version: \"0.2\"\n", "version must be \"0.1\"");
  expect_refused(
      with("check_severity_overrides: {}\n"),
      "shipgate.yaml:9:1: check_severity_overrides was moved to checks.severity_overrides");
  EXPECT_EQ(read_manifest("a: [", "x.yaml").error().code, Code::policy_unreadable);
  EXPECT_EQ(read_manifest(std::string(kMaxManifest + 1, ' '), "x.yaml").error().code,
            Code::policy_unreadable);
}

TEST(Manifest, AllViolationsAreListedWithTheirPlaces) {
  const std::string message =
      refusal(with("checks: {ignore: [{check_id: X, reason: ' '}]}\nci: {mode: 7}\nextra: 1\n"));
  EXPECT_TRUE(contains(
      message, "- checks.ignore.0.reason: shipgate.yaml:9:33: suppression reason is required"))
      << message;
  EXPECT_TRUE(
      contains(message, "- ci.mode: shipgate.yaml:10:6: Input should be one of: advisory strict"))
      << message;
  EXPECT_TRUE(contains(message, "- extra: shipgate.yaml:11:1: Extra inputs are not permitted"))
      << message;
}

TEST(Manifest, DuplicatesAndWrongRequirementsAreListedBesideOtherViolations) {
  const std::string text = refusal(
      with("checks:\n  acknowledge_overrides:\n    - {check_id: A, reason: x}\n"
           "    - {check_id: A, reason: y}\nsurprise: 1\n"
           "action_surface:\n  actions: [{tool: t}, {tool: t}]\n"
           "  policies:\n    - {id: p, severity: high, require: {approval.required: 7}}\n"));
  const auto lines = split(text, '\n');
  ASSERT_EQ(lines.size(), 5u) << text;
  EXPECT_EQ(lines[0], "shipgate.yaml is not valid:");
  EXPECT_TRUE(contains(text, "\n- surprise: shipgate.yaml:13:1: Extra inputs")) << text;
  EXPECT_TRUE(contains(text, "\n- checks.acknowledge_overrides.1.check_id: ")) << text;
  EXPECT_TRUE(contains(text, "\n- action_surface.actions.1.tool: ")) << text;
  EXPECT_TRUE(contains(text, "\n- action_surface.policies.0.require.approval.required: ")) << text;
}

TEST(Manifest, AnUnknownKeyThatIsNearAKnownOneIsCorrected) {
  expect_refused(with("permision: {}\n"), "Did you mean permissions?");
  EXPECT_FALSE(contains(refusal(with("zzz: {}\n")), "Did you mean"));
}

TEST(Manifest, FieldsHaveTheirTypes) {
  for (const auto& [yaml, what] : std::vector<std::pair<std::string, std::string>>{
           {"environment: {target: moon}\n", "environment.target"},
           {"project: {owner: x}\n", "project.name"},
           {"tool_sources: {}\n", "tool_sources: "},
           {"tool_sources: [{id: a, type: mcp, path: a.json, optional: maybe}]\n",
            "tool_sources.0.optional"},
           {"permissions: {scopes: [7]}\n", "permissions.scopes.0"},
           {"risk_overrides: {tools: {a: {tags: [x]}}}\n", "risk_overrides.tools.a.reason"},
           {"action_surface: {actions: [{tool: a, scopes: [' ']}]}\n", "scope must not be blank"},
           {"human_ack: [{affected_surface: x, owner: '', reason: y}]\n", "human_ack.0.owner"},
           {"codex_plugins: {mcp_tool_inventories: [x.json]}\n", "Input should be a mapping"},
           {"checks: {ignore: [{check_id: X, reason: y, expires: soon}]}\n",
            "checks.ignore.0.expires"},
           {"checks: {acknowledge_overrides: [{check_id: X, reason: y, expires: 2026-02-30}]}\n",
            "checks.acknowledge_overrides.0.expires"},
           {"checks: {severity_overrides: {X: {severity: low, expires: '2026-1-2'}}}\n",
            "checks.severity_overrides.X.expires"}})
    expect_refused(with(yaml), what);
}

TEST(Manifest, RulesAboutTheWholeAreChecked) {
  const std::string head = "version: \"0.1\"\nproject: {name: p}\nenvironment: {target: local}\n";
  expect_refused(head + "agent: {name: a, declared_purpose: [x]}\n",
                 "<root>: shipgate.yaml:1:1: At least one of tool_sources");
  expect_refused(head + "agent: {name: a}\ntool_sources: [{id: a, type: mcp, path: a.json}]\n",
                 "- <root>: shipgate.yaml:1:1: The agent's scope is not described");
  EXPECT_EQ(
      refusal(head + "agent: {name: a}\ntool_sources: [{id: a, type: langchain, path: a.py}]\n"),
      "");
  expect_refused(
      with("tool_sources: [{id: a, type: mcp, path: x}, {id: ' a', type: mcp, path: y}]\n"),
      "tool_sources.1.id");
  expect_refused(with("tool_sources: [{id: a, type: n8n, path: x}]\n"),
                 "use the top-level section 'n8n'");
  expect_refused(with("tool_sources: [{id: a, type: ftp, path: x}]\n"), "unknown type 'ftp'");
  expect_refused(with("tool_sources: [{id: a, type: mcp}]\n"), "tool source 'a' requires path");
  expect_refused(with("tool_sources: [{id: a, type: codex_plugin, path: x, mode: zip}]\n"),
                 "mode must be");
  expect_refused(with("permissions: {notes: ' <REVIEW_REQUIRED> '}\n"),
                 "to be filled in: permissions.notes");
  expect_refused(with("checks: {acknowledge_overrides: [{check_id: X, reason: a}, {check_id: X, "
                      "reason: b}]}\n"),
                 "duplicate check_id 'X'");
  expect_refused(with("action_surface: {actions: [{tool: a}, {tool: a}]}\n"), "duplicate tool 'a'");
  expect_refused(with("action_surface: {policies: [{id: p, severity: high, require: "
                      "{approval.required: yes please}}]}\n"),
                 "action_surface.policies.0.require.approval.required");
}

}  // namespace
}  // namespace gh::surface
