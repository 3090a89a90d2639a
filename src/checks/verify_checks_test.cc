// What a change does to the gate itself: each rule fires on one fact and is silent without it
// (docs/reference/release-checks.md; release-gate 17.3 of the specification).
#include <algorithm>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "checks/catalogue.h"
#include "checks/verification.h"
#include "surface/hints.h"
#include "wire/spaced_json.h"

namespace gh::checks {
namespace {

using surface::FindingSeverity;
using Texts = std::vector<std::string>;

const surface::Manifest kManifest = *surface::read_manifest(
    "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [help]}\n"
    "environment: {target: local}\ntool_sources: [{id: m, type: mcp, path: t.json}]\n",
    "shipgate.yaml");

std::vector<Finding> found(const Verification& v) {
  const surface::Surface surface;
  const std::vector<surface::Action> actions;
  Scan scan{kManifest, surface, actions};
  scan.verification = &v;
  std::vector<Finding> out;
  for (Finding& f : run_checks(scan))
    if (f.category == "verify") out.push_back(std::move(f));
  return out;
}

/// A change whose base has a snapshot equal to head's.
Verification same() {
  Verification v;
  v.base.emplace();
  v.base_accepted.emplace();
  return v;
}

/// "ID severity evidence" of each finding.
Texts told(const Verification& v) {
  Texts out;
  for (const Finding& f : found(v))
    out.push_back(f.check_id.substr(12) + " " + std::string(to_string(f.severity)) + " " +
                  wire::spaced_json(f.evidence));
  return out;
}

TEST(VerifyChecks, AreSilentWithoutAChange) {
  EXPECT_TRUE(told(same()).empty());
  const surface::Surface surface;
  const std::vector<surface::Action> actions;
  for (const Finding& f : run_checks({kManifest, surface, actions}))
    EXPECT_NE(f.category, "verify") << f.check_id;
}

TEST(VerifyChecks, OneFindingForEachTrustRoot) {
  Verification v = same();
  v.touched = {{"shipgate.yaml", "manifest", "**/shipgate.yaml"},
               {"a/policies/x.yaml", "policy", "**/policies/**"}};
  EXPECT_EQ(told(v),
            (Texts{R"(TRUST-ROOT-TOUCHED medium {"changed_file": "shipgate.yaml", "matched_glob": )"
                   R"("**/shipgate.yaml", "trust_root_class": "manifest"})",
                   R"(TRUST-ROOT-TOUCHED medium {"changed_file": "a/policies/x.yaml", )"
                   R"("matched_glob": "**/policies/**", "trust_root_class": "policy"})"}));
  const auto findings = found(v);
  EXPECT_FALSE(findings[0].blocks_release);
  EXPECT_EQ(findings[0].source->type, "changed_file");
  EXPECT_EQ(findings[0].source->place.path, "shipgate.yaml");
}

struct PolicyCase {
  std::string_view name;
  std::function<void(EffectivePolicy&)> base, head;
  std::string evidence;  // empty: silent
};

TEST(VerifyChecks, APolicyIsWeakenedKeyByKey) {
  using P = EffectivePolicy;
  using enum FindingSeverity;
  const auto none = [](P&) {};
  const PolicyCase rows[] = {
      {"strict becomes advisory", [](P& p) { p.ci_mode = "strict"; }, none,
       R"({"base_ci_mode": "strict", "head_ci_mode": "advisory", "kind": "ci_mode_weakened"})"},
      {"advisory becomes strict", none, [](P& p) { p.ci_mode = "strict"; }, ""},
      {"a severity no longer fails",
       [](P& p) {
         p.fail_on = {high, critical};
       },
       [](P& p) { p.fail_on = {critical}; },
       R"({"base_fail_on": ["high", "critical"], "head_fail_on": ["critical"], "kind": )"
       R"("fail_on_loosened", "removed_severities": ["high"]})"},
      {"a severity more fails", [](P& p) { p.fail_on = {critical}; },
       [](P& p) {
         p.fail_on = {high, critical};
       },
       ""},
      {"an override sinks",
       [](P& p) { p.severity_overrides["SHIP-DOC-MISSING-DESCRIPTION"] = high; },
       [](P& p) { p.severity_overrides["SHIP-DOC-MISSING-DESCRIPTION"] = low; },
       R"({"base_severity": "high", "head_severity": "low", "kind": "severity_override_lowered", )"
       R"("target_check_id": "SHIP-DOC-MISSING-DESCRIPTION"})"},
      {"an override below the default is added", none,
       [](P& p) { p.severity_overrides["SHIP-DOC-MISSING-DESCRIPTION"] = low; },
       R"({"base_severity": "medium", "head_severity": "low", "kind": )"
       R"("severity_override_lowered", "target_check_id": "SHIP-DOC-MISSING-DESCRIPTION"})"},
      {"an override that raised is removed",
       [](P& p) { p.severity_overrides["SHIP-DOC-MISSING-DESCRIPTION"] = high; }, none,
       R"({"base_severity": "high", "head_severity": "medium", "kind": )"
       R"("severity_override_lowered", "target_check_id": "SHIP-DOC-MISSING-DESCRIPTION"})"},
      {"an override that lowered is removed",
       [](P& p) { p.severity_overrides["SHIP-DOC-MISSING-DESCRIPTION"] = low; }, none, ""},
      {"an override above the default is added", none,
       [](P& p) { p.severity_overrides["SHIP-DOC-MISSING-DESCRIPTION"] = critical; }, ""},
      {"the integrity of baselines sinks", [](P& p) { p.integrity_mode = "strict"; }, none,
       R"({"base_integrity_mode": "strict", "head_integrity_mode": "warn", "kind": )"
       R"("integrity_mode_weakened"})"},
      {"the integrity of baselines is switched off", none, [](P& p) { p.integrity_mode = "off"; },
       R"({"base_integrity_mode": "warn", "head_integrity_mode": "off", "kind": )"
       R"("integrity_mode_weakened"})"},
      {"the integrity of baselines rises", none, [](P& p) { p.integrity_mode = "strict"; }, ""},
      {"an old id for several checks is lowered in one of them",
       [](P& p) { p.severity_overrides["SHIP-API-OPERATIONAL-READINESS"] = high; },
       [](P& p) {
         p.severity_overrides["SHIP-API-OPERATIONAL-READINESS"] = high;
         p.severity_overrides["SHIP-API-TIMEOUT-MISSING"] = low;
       },
       R"({"base_severity": "high", "head_severity": "low", "kind": "severity_override_lowered", )"
       R"("target_check_id": "SHIP-API-TIMEOUT-MISSING"})"},
      {"weakened in one key and tightened in another", [](P& p) { p.ci_mode = "strict"; },
       [](P& p) {
         p.fail_on = {low, medium, high, critical};
       },
       R"({"base_ci_mode": "strict", "head_ci_mode": "advisory", "kind": "ci_mode_weakened"})"},
  };
  for (const PolicyCase& row : rows) {
    SCOPED_TRACE(row.name);
    Verification v = same();
    row.base(*v.base);
    row.head(v.head);
    const Texts expected =
        row.evidence.empty() ? Texts{} : Texts{"POLICY-WEAKENED high " + row.evidence};
    EXPECT_EQ(told(v), expected);
  }
}

TEST(VerifyChecks, AChangedPolicyWithoutABaseGoesToAPerson) {
  Verification v;
  v.changed_files = {"src/a.py", "sub/Policies/x.yaml", "gatehouse.release-baseline.json"};
  EXPECT_EQ(told(v), (Texts{R"(POLICY-WEAKENED medium {"changed_policy_files": )"
                            R"(["gatehouse.release-baseline.json", "sub/Policies/x.yaml"], )"
                            R"("kind": "base_snapshot_unavailable"})"}));
  v.changed_files = {"src/a.py"};
  EXPECT_TRUE(told(v).empty());
}

TEST(VerifyChecks, WaiversGrowOnlyWhereBaseDoesNotCoverThem) {
  Verification v = same();
  v.base->suppressed_check_ids = {"A", "B"};
  v.base->waiver_scopes = {"A:*", "B:one"};
  v.head = *v.base;
  v.head.waiver_scopes = {"A:*", "A:narrower", "B:one"};
  EXPECT_TRUE(told(v).empty());
  v.head.waiver_scopes = {"A:*", "B:one", "B:two", "C:*"};
  v.head.suppressed_check_ids = {"A", "B", "C"};
  EXPECT_EQ(told(v), (Texts{R"(BASELINE-OR-WAIVER-EXPANDED high {"added_check_ids": ["C"], )"
                            R"("kind": "suppression_expanded"})",
                            R"(BASELINE-OR-WAIVER-EXPANDED high {"added_scopes": ["B:two"], )"
                            R"("kind": "waiver_expanded"})"}));
  v.base.reset();
  EXPECT_TRUE(told(v).empty()) << "nothing to compare with";
}

TEST(VerifyChecks, ABaselineThatGrowsIsSeenByItsFingerprints) {
  Verification v = same();
  v.base_accepted = {"fp_1", "fp_2"};
  v.head_accepted = {"fp_1"};
  EXPECT_TRUE(told(v).empty());
  v.head_accepted = {"fp_1", "fp_3"};
  EXPECT_EQ(told(v), (Texts{R"(BASELINE-OR-WAIVER-EXPANDED high {"added_fingerprints": ["fp_3"], )"
                            R"("kind": "baseline_expanded"})"}));
}

TEST(VerifyChecks, AGateThatIsGoneOrToothlessIsCritical) {
  Verification v = same();
  v.removed_gates = {".github/workflows/gate.yml"};
  v.neutered = {{".github/workflows/b.yml", "gate", {"condition_false", "exit_swallowed"}}};
  EXPECT_EQ(told(v),
            (Texts{R"(CI-GATE-REMOVED critical {"kind": "ci_gate_removed", )"
                   R"("removed_workflow_files": [".github/workflows/gate.yml"]})",
                   R"(CI-GATE-REMOVED critical {"causes": ["condition_false", "exit_swallowed"], )"
                   R"("job": "gate", "kind": "ci_gate_neutered", "workflow_file": )"
                   R"(".github/workflows/b.yml"})"}));
}

TEST(VerifyChecks, InstructionsAndCataloguesAreToldOnceForAllFiles) {
  Verification v = same();
  v.changed_files = {"docs/triggers.json", "x/SKILL.md", "CLAUDE.md", "src/CLAUDE.py"};
  EXPECT_EQ(told(v), (Texts{R"(AGENT-INSTRUCTIONS-WEAKENED medium {"changed_instruction_files": )"
                            R"(["CLAUDE.md", "x/SKILL.md"], "kind": )"
                            R"("agent_instructions_changed"})",
                            R"(TRIGGER-CATALOG-DRIFT medium {"changed_trigger_files": )"
                            R"(["docs/triggers.json"], "kind": "trigger_catalog_drift"})"}));
}

// ------------------------------------------------------------- the boundary of coding agents

/// "ID severity evidence" of what the change does to the boundary, with these tools known.
Texts boundary(const Verification& v, const std::vector<surface::Tool>& tools = {},
               surface::Profile profile = surface::Profile::extended) {
  surface::Surface surface;
  surface.tools = tools;
  const std::vector<surface::Action> actions;
  Scan scan{kManifest, surface, actions};
  scan.profile = profile;
  scan.verification = &v;
  Texts out;
  for (const Finding& f : run_checks(scan)) {
    if (!f.source || f.source->type != "changed_file") continue;
    EXPECT_FALSE(f.blocks_release) << f.check_id;
    EXPECT_EQ(f.source->ref, f.source->place.path);
    for (const auto& [key, value] : f.evidence.entries())
      EXPECT_TRUE(surface::is_one_of(key, find_check(f.check_id)->evidence)) << key;
    out.push_back(f.check_id + " " + std::string(to_string(f.severity)) + " " + f.category + " " +
                  wire::spaced_json(f.evidence));
  }
  return out;
}

Verification with_fact(const std::string& kind, Map more = {}) {
  Verification v = same();
  Map evidence{{"kind", kind}, {"path", ".mcp.json"}};
  for (auto& [key, value] : more.entries())
    evidence.set(key, value);
  v.boundary = {{kind, "it", std::move(evidence), {.path = ".mcp.json", .start_line = 3}}};
  return v;
}

// tool-surface 13.13 of the specification, typed out.
TEST(BoundaryChecks, EachFactIsOneFindingWithTheSeverityOfTheSpecification) {
  const std::pair<std::string, std::string> rows[] = {
      {"HOST-BOUNDARY-MCP-SERVER-ADDED", "high"},
      {"HOST-BOUNDARY-MCP-SERVER-CHANGED", "high"},
      {"HOST-BOUNDARY-PERMISSION-WILDCARD-ALLOW", "critical"},
      {"HOST-BOUNDARY-PERMISSION-ALLOW-EXPANDED", "high"},
      {"HOST-BOUNDARY-PERMISSION-DENY-REMOVED", "high"},
      {"HOST-BOUNDARY-HOOK-CHANGED", "high"},
      {"HOST-BOUNDARY-WORKFLOW-WRITE-ALL", "critical"},
      {"HOST-BOUNDARY-WORKFLOW-PERMISSIONS-EXPANDED", "high"},
      {"HOST-BOUNDARY-PULL-REQUEST-TARGET-ADDED", "critical"},
      {"HOST-BOUNDARY-CONFIG-PARSE-FAILED", "medium"},
      {"CODEX-BOUNDARY-NETWORK-WILDCARD", "high"},
      {"CODEX-BOUNDARY-DANGER-FULL-ACCESS", "critical"},
      {"CODEX-BOUNDARY-HOOK-COMMAND-CHANGED", "high"},
      {"CODEX-BOUNDARY-SKILL-COMMAND-CHANGED", "medium"},
      {"CODEX-BOUNDARY-PARSE-FAILED", "medium"},
      {"MCP-PERMISSION-EXPANDED", "high"},
  };
  for (const auto& [id, severity] : rows) {
    std::string kind = surface::lower_case(id);
    std::ranges::replace(kind, '-', '_');
    const std::string category = id.starts_with("MCP-") ? "mcp" : "verify";
    EXPECT_EQ(boundary(with_fact(kind)),
              Texts{"SHIP-" + id + " " + severity + " " + category + " {\"kind\": \"" + kind +
                    "\", \"path\": \".mcp.json\"}"});
    // The contract of the compat profile does not have them.
    EXPECT_TRUE(boundary(with_fact(kind), {}, surface::Profile::compat).empty()) << id;
  }
  EXPECT_TRUE(boundary(same()).empty());
}

surface::Tool tool_of(const std::string& source, const std::string& name, bool reads) {
  surface::Tool tool = surface::make_tool("mcp", name);
  tool.source_id = source;
  tool.annotations.set("readOnlyHint", reads);
  classify(tool, kManifest);
  return tool;
}

TEST(BoundaryChecks, WhatCodexApprovesIsWeighedByWhatTheToolDoes) {
  const auto approved = [](const std::string& tool) {
    return with_fact("codex_boundary_auto_approve", {{"server", "shop"}, {"tool", tool}});
  };
  const auto told = [](const std::string& id, const std::string& tool) {
    const bool is_write = id == "WRITE";
    return Texts{"SHIP-CODEX-BOUNDARY-AUTO-APPROVE-" + id + (is_write ? " critical" : " high") +
                 " verify {\"kind\": \"codex_boundary_auto_approve_" + surface::lower_case(id) +
                 "\", \"path\": \".mcp.json\", \"server\": \"shop\", \"tool\": \"" + tool + "\"}"};
  };
  EXPECT_EQ(boundary(approved("delete_order")), told("WRITE", "delete_order"));
  EXPECT_EQ(boundary(approved("frobnicate")), told("UNKNOWN", "frobnicate"));
  EXPECT_TRUE(boundary(approved("list_orders")).empty());
  EXPECT_TRUE(boundary(approved("frobnicate"), {tool_of("x", "frobnicate", true)}).empty());
  EXPECT_EQ(boundary(approved("*")), told("UNKNOWN", "*"));
  EXPECT_TRUE(boundary(approved("*"), {tool_of("shop", "list_orders", true)}).empty());
  EXPECT_EQ(boundary(approved("*"), {tool_of("shop", "list_orders", true),
                                     surface::make_tool("mcp", "delete_order")}),
            Texts{})
      << "a tool of another source";
  EXPECT_EQ(boundary(approved("*"), {tool_of("shop", "list_orders", true),
                                     tool_of("shop", "delete_order", false)}),
            told("WRITE", "*"));
}

TEST(BoundaryChecks, AServerWhoseKnownToolsOnlyReadIsToldToo) {
  const Verification added = with_fact("host_boundary_mcp_server_added", {{"server", "shop"}});
  const std::string server =
      "SHIP-HOST-BOUNDARY-MCP-SERVER-ADDED high verify {\"kind\": "
      "\"host_boundary_mcp_server_added\", \"path\": \".mcp.json\", \"server\": \"shop\"}";
  const std::string reads =
      "SHIP-MCP-READONLY-SERVER-ADDED low mcp {\"kind\": \"mcp_readonly_server_added\", "
      "\"path\": \".mcp.json\", \"server\": \"shop\"}";
  const auto sorted = [](Texts list) {
    std::ranges::sort(list);
    return list;
  };
  EXPECT_EQ(boundary(added), Texts{server});
  EXPECT_EQ(sorted(boundary(added, {tool_of("shop", "list_orders", true)})),
            (Texts{server, reads}));
  EXPECT_EQ(
      boundary(added, {tool_of("shop", "list_orders", true), tool_of("shop", "frobnicate", false)}),
      Texts{server});
  EXPECT_EQ(boundary(added, {tool_of("other", "list_orders", true)}), Texts{server});
  const auto named = [](const std::string& tool) {
    return with_fact("host_boundary_mcp_server_added", {{"server", "shop"}, {"tools", List{tool}}});
  };
  EXPECT_EQ(boundary(named("get_order")).size(), 2u);
  EXPECT_EQ(boundary(named("delete_order")).size(), 1u);
}

// ----------------------------------------------------------------------------------- toolkits

surface::Toolkit toolkit(Texts scopes, const std::string& binding = "literal",
                         const std::string& config = "") {
  return {.provider = "stripe",
          .constructor = "StripeAgentToolkit",
          .binding = "kit",
          .bounded = !scopes.empty(),
          .scopes = std::move(scopes),
          .config_binding = binding,
          .config_path = config,
          .source_ref = "a.py",
          .line = 4};
}

/// "ID severity kind" of the toolkits of both sides.
Texts toolkits(const std::vector<surface::Toolkit>& base, std::vector<surface::Toolkit> head,
               Texts changed = {}) {
  Verification v = same();
  v.base_toolkits = base;
  v.changed_files = std::move(changed);
  surface::Surface surface;
  surface.toolkits = std::move(head);
  const std::vector<surface::Action> actions;
  Scan scan{kManifest, surface, actions};
  scan.verification = &v;
  Texts out;
  for (const Finding& f : run_checks(scan)) {
    if (f.category != "verify") continue;
    for (const auto& [key, value] : f.evidence.entries())
      EXPECT_TRUE(surface::is_one_of(key, find_check(f.check_id)->evidence)) << key;
    EXPECT_EQ(f.source->place.start_line, 4);
    out.push_back(f.check_id + " " + std::string(to_string(f.severity)) + " " +
                  *f.evidence.find("kind")->as_string());
  }
  return out;
}

TEST(ToolkitChecks, AToolkitThatMayDoMoreThanAtTheBaseIsCritical) {
  const std::string id = "SHIP-VERIFY-CAPABILITY-SCOPE-BROADENED critical ";
  const surface::Toolkit one = toolkit({"refunds.create"}),
                         more = toolkit({"refunds.create", "x.y"});
  EXPECT_EQ(toolkits({one}, {more}), Texts{id + "toolkit_widened"});
  EXPECT_EQ(toolkits({one}, {toolkit({}, "none")}), Texts{id + "toolkit_unbounded"});
  EXPECT_EQ(toolkits({one}, {toolkit({}, "config", "c.json")}), Texts{id + "toolkit_unbounded"});
  EXPECT_TRUE(toolkits({one}, {one}).empty());
  EXPECT_TRUE(toolkits({more}, {one}).empty());
  EXPECT_TRUE(toolkits({more}, {}).empty());
  EXPECT_TRUE(toolkits({}, {toolkit({}, "none")}).empty()) << "one that is new is no wider";
  EXPECT_TRUE(toolkits({toolkit({}, "none")}, {toolkit({}, "none")}).empty());
  surface::Toolkit renamed = more;
  renamed.binding = "other";
  renamed.source_ref = "b.py";
  EXPECT_EQ(toolkits({one}, {renamed}), Texts{id + "toolkit_widened"}) << "by another name";
  EXPECT_TRUE(toolkits({one}, {one, renamed}).empty()) << "a second one, with bounds of its own";
}

TEST(ToolkitChecks, WhatAToolkitIsConfiguredByIsWatched) {
  const std::string removed = "SHIP-CAP-CONFIG-BINDING-REMOVED high config_binding_removed",
                    changed = "SHIP-CAP-CONFIG-BINDING-CHANGED medium config_binding_changed";
  const surface::Toolkit bound = toolkit({}, "config", "./conf/c.json");
  EXPECT_EQ(toolkits({bound}, {toolkit({}, "none")}), Texts{removed});
  EXPECT_EQ(toolkits({bound}, {toolkit({"a.b"})}), Texts{removed});
  EXPECT_EQ(toolkits({bound}, {bound}, {"app/conf/c.json"}), Texts{changed});
  EXPECT_EQ(toolkits({bound}, {toolkit({}, "config", "other.json")}), Texts{changed});
  EXPECT_TRUE(toolkits({bound}, {bound}, {"app/xconf/c.json", "c.json.old"}).empty());
  EXPECT_TRUE(toolkits({bound}, {}).empty());
  EXPECT_TRUE(toolkits({toolkit({}, "none")}, {bound}).empty());
  const surface::Toolkit settings = toolkit({}, "config");
  EXPECT_TRUE(toolkits({settings}, {settings}, {"c.json"}).empty()) << "which file nobody knows";
}

TEST(VerifyChecks, EvidenceHoldsOnlyFieldsOfTheRow) {
  Verification v = same();
  v.base->ci_mode = "strict";
  v.changed_files = {"AGENTS.md", "docs/triggers.json"};
  v.touched = {{"AGENTS.md", "agent_instructions", "**/AGENTS.md", ""}};
  v.removed_gates = {"a.yml"};
  v.head_accepted = {"fp_1"};
  for (const Finding& f : found(v))
    for (const auto& [key, value] : f.evidence.entries())
      EXPECT_TRUE(surface::is_one_of(key, find_check(f.check_id)->evidence)) << f.check_id << key;
}

// ------------------------------------------------------------------------------------- trust roots

TEST(TrustRoots, EachClassHasItsPathsAtAnyDepthAndInAnyCase) {
  const std::pair<const char*, const char*> rows[] = {
      {"shipgate.yaml", "manifest"},
      {"a/b/Shipgate.YAML", "manifest"},
      {"gatehouse.yaml", "manifest"},
      {".agents-shipgate/baseline.json", "shipgate_state"},
      {"x/policies/deep/er.yaml", "policy"},
      {"prompts/system.md", "prompts"},
      {".github/workflows/agents-shipgate.yml", "ci_gate"},
      {".github/workflows/agents-shipgate.yaml", "ci_gate"},
      {"AGENTS.md", "agent_instructions"},
      {"sub/claude.md", "agent_instructions"},
      {".claude/settings.json", "agent_instructions"},
      {".cursor/rules/x.mdc", "agent_instructions"},
      {".agents/skills/a/SKILL.md", "agent_instructions"},
      {".codex/config.toml", "agent_instructions"},
      {".codex-plugin/plugin.json", "codex_plugin"},
      {".app.json", "tool_surface_decl"},
      {".mcp.json", "tool_surface_decl"},
      {"skills/a/SKILL.md", "tool_surface_decl"},
      {"docs/triggers.json", "trigger_catalog"},
      {".cursor/mcp.json", "tool_surface_decl"},
      {".vscode/mcp.json", "tool_surface_decl"},
      {".gatehouse/x", "gate_config"},
      {"gatehouse.release-baseline.json", "gate_config"},
      {"gatehouse.baseline.json", "gate_config"},
      {"sub/.gitattributes", "gate_config"},
      {"docs/CODEOWNERS", "gate_config"},
  };
  for (const auto& [path, kind] : rows) {
    const TrustRoot* root = trust_root_of(path);
    ASSERT_NE(root, nullptr) << path;
    EXPECT_EQ(root->kind, kind) << path;
  }
  for (const char* path : {"src/main.py", "shipgate.yaml.md", "xgatehouse.yaml", "README.md",
                           ".github/workflows/ci.yml", "mcp.json", "tools/payments.mcp.json"})
    EXPECT_EQ(trust_root_of(path), nullptr) << path;
}

Texts kinds(const RootFacts& facts) {
  Texts out;
  for (const TouchedRoot& root : touched_roots(facts))
    out.push_back(root.file + " " + root.kind);
  return out;
}

TEST(TrustRoots, AFileThatATrustRootLeadsToCountsAsThatRoot) {
  const Texts changed{"conf/real.yaml", "conf/other.yaml", "shared/rules/a.md", "far/away.json"};
  RootFacts facts{.changed = changed};
  EXPECT_TRUE(kinds(facts).empty());
  facts.links = {{"shipgate.yaml", "conf/real.yaml"},
                 {".claude", "shared"},
                 {"cfg/.mcp.json", "far/hop.json"},
                 {"far/hop.json", "far/away.json"}};
  EXPECT_EQ(kinds(facts), (Texts{"conf/real.yaml manifest", "shared/rules/a.md agent_instructions",
                                 "far/away.json tool_surface_decl"}));
}

TEST(TrustRoots, LinksInCirclesAndToTheTopEnd) {
  const Texts changed{"a/x.md"};
  EXPECT_TRUE(kinds({.changed = changed, .links = {{"l", ""}, {"a/m", "a"}, {"b", "b"}}}).empty());
}

TEST(TrustRoots, AFolderThatBecomesALinkOrASubmoduleCounts) {
  const Texts changed{"policies", "lib"};
  EXPECT_EQ(kinds({.changed = changed}), (Texts{"policies policy"}));
}

TEST(TrustRoots, GatesAndPacksCountWhereverTheyLive) {
  const Texts changed{".github/workflows/ci.yml", "team/pack.yaml", "ci/gate.sh"};
  EXPECT_EQ(kinds({.changed = changed,
                   .gates = {".github/workflows/ci.yml", "ci/gate.sh"},
                   .packs = {"team/pack.yaml"}}),
            (Texts{".github/workflows/ci.yml ci_gate", "team/pack.yaml gate_config",
                   "ci/gate.sh ci_gate"}));
}

}  // namespace
}  // namespace gh::checks
