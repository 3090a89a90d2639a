#include "checks/catalogue.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "checks/check_groups.h"

namespace gh::checks {
namespace {

using enum FindingSeverity;
using enum Provenance;
constexpr Confidence kHigh = Confidence::high, kMedium = Confidence::medium;
constexpr std::optional<FindingSeverity> kNoFloor{};

constexpr Provenance S = static_declaration, A = ast_extraction, K = keyword_heuristic,
                     R = regex_heuristic;
constexpr std::string_view kApprovals = "/policies/require_approval_for_tools";
constexpr std::string_view kConfirmations = "/policies/require_confirmation_for_tools";
constexpr std::string_view kIdempotency = "/policies/require_idempotency_for_tools";
constexpr std::string_view kScopes = "/permissions/scopes";
constexpr std::string_view kManual = "manual", kRemove = "remove_pointer",
                           kAppend = "append_pointer";
constexpr bool H = true;

void told_elsewhere(const Check&, const Scan&, Found&) {}

// clang-format off
// table: checks
constexpr std::array kCatalogue = std::to_array<Check>({
    // id, category, severity, floor, provenance, confidence, H, tier, patch, pointer, title, recommendation, evidence, function
    {"SHIP-INVENTORY-NOT-ENUMERABLE", "inventory", high, kNoFloor, S, kHigh, false, "core", kManual, "/tool_sources",
     "The agent's tools cannot be listed", "Declare a local MCP export, an OpenAPI file or an inventory that lists the tools.", "tool_sources", not_enumerable},
    {"SHIP-INVENTORY-WILDCARD-TOOLS", "inventory", high, medium, S, kHigh, false, "core", kManual, "",
     "{tool} exposes every tool of its server", "Replace the wildcard of {tool} by an explicit list of tools.", "source_id source_ref", wildcard_tools},
    {"SHIP-INVENTORY-TOOL-SURFACE-TOO-LARGE", "inventory", medium, kNoFloor, S, kMedium, false, "hygiene", kManual, "",
     "The agent has {what} tools", "Split the agent or drop tools that it does not use.", "tool_count threshold", surface_too_large},
    {"SHIP-INVENTORY-LOW-CONFIDENCE-PRODUCTION-SURFACE", "inventory", high, medium, S, kHigh, false, "core", kManual, "/tool_sources",
     "{what} tools for production are known from weak evidence only", "Describe these tools through MCP, OpenAPI or an inventory before production.", "tools", low_confidence_production},

    {"SHIP-DOC-MISSING-DESCRIPTION", "documentation", medium, kNoFloor, S, kHigh, false, "hygiene", kManual, "",
     "{tool} has no useful description", "Write what {tool} does, on what, and with which effect.", "description_length", missing_description},
    {"SHIP-DOC-SECRET-IN-DESCRIPTION", "security", medium, kNoFloor, R, kMedium, false, "core", kManual, "",
     "The description of {tool} seems to hold a secret", "Remove the value from the description of {tool} and rotate it.", "matched", secret_in_description},
    {"SHIP-DOC-INJECTION-RISK", "security", medium, kNoFloor, R, kMedium, false, "core", kManual, "",
     "The description of {tool} reads like an instruction to the model", "Rewrite the description of {tool} as neutral text about what it can do.", "matched", injection_risk},

    {"SHIP-SCHEMA-FREEFORM-OUTPUT", "schema", medium, kNoFloor, S, kMedium, false, "hygiene", kManual, "",
     "{tool} returns free text", "Let {tool} return a structured schema.", "output_schema", freeform_output},
    {"SHIP-SCHEMA-BROAD-FREE-TEXT", "schema", high, kNoFloor, K, kMedium, false, "core", kManual, "",
     "{tool} takes free text in '{what}'", "Give '{what}' of {tool} an enum, a structured object or narrower fields.", "parameter type", broad_free_text},
    {"SHIP-SCHEMA-MISSING-BOUNDS", "schema", high, kNoFloor, K, kHigh, false, "core", kManual, "",
     "{tool} takes '{what}' without an upper bound", "Add a maximum, or an equivalent stated limit, to '{what}' of {tool}.", "parameter type", missing_bounds},

    {"SHIP-AUTH-MANIFEST-BROAD-SCOPE", "auth", high, medium, S, kHigh, H, "core", kManual, kScopes,
     "The manifest grants broad scopes", "Replace the broad scopes by scopes of single operations.", "scopes", manifest_broad_scope},
    {"SHIP-AUTH-MISSING-SCOPE", "auth", high, medium, S, kMedium, false, "core", kManual, kScopes,
     "{tool} declares no scopes", "Declare the scopes that {tool} needs in its source or in action_surface.", "risk_tags", missing_scope},
    {"SHIP-AUTH-SCOPE-COVERAGE-MISSING", "auth", high, medium, S, kHigh, false, "core", kAppend, kScopes,
     "{tool} needs scopes that the manifest does not grant", "Add the scopes of {tool} to permissions.scopes, or narrow the tool.", "tool_scopes manifest_scopes missing_scopes", scope_coverage_missing},
    {"SHIP-AUTH-TOOL-BROAD-SCOPE", "auth", high, medium, S, kHigh, H, "core", kManual, kScopes,
     "{tool} needs a broad scope", "Replace the broad scopes of {tool} by scopes of single operations.", "scopes", tool_broad_scope},

    {"SHIP-SCOPE-TOOL-OUTSIDE-PURPOSE", "scope", high, medium, K, kMedium, false, "core", kManual, "/agent/declared_purpose",
     "{tool} writes, and the declared purpose only reads", "Remove {tool}, or widen agent.declared_purpose in review.", "declared_purpose risk_tags", outside_purpose},
    {"SHIP-SCOPE-PROHIBITED-TOOL-PRESENT", "scope", high, medium, K, kMedium, H, "core", kManual, "",
     "{tool} can do what is prohibited: {what}", "Remove or narrow {tool}, add the named control, or revise agent.prohibited_actions.", "prohibited_action risk_tags", prohibited_present},

    {"SHIP-POLICY-APPROVAL-MISSING", "policy", critical, high, S, kHigh, H, "core", kManual, kApprovals,
     "{tool} lacks a declared approval policy", "Add {tool} to policies.require_approval_for_tools once a runtime approval exists, or remove it.", "risk_tags policy_match", approval_missing},
    {"SHIP-POLICY-CONFIRMATION-MISSING", "policy", high, medium, S, kHigh, H, "core", kManual, kConfirmations,
     "{tool} lacks a declared confirmation policy", "Add {tool} to policies.require_confirmation_for_tools once a runtime confirmation exists, or remove it.", "risk_tags policy_match", confirmation_missing},
    {"SHIP-EVIDENCE-APPROVAL-TRACE-MISSING", "evidence", high, kNoFloor, S, kHigh, H, "evidence", kManual, "/validation/evidence/approval_traces",
     "No recorded approval of {what}", "Provide a trace of the runtime that shows an approval of {what}, or change the posture.", "tool_name required reason trace_files approved_tools source_provenance", approval_trace_missing},
    {"SHIP-EVIDENCE-OVERRIDE-REASON-MISSING", "evidence", high, kNoFloor, S, kHigh, H, "evidence", kManual, "/validation/evidence/override_logs",
     "Overrides are recorded without reasons", "Record a reason for every override, bypass or auto-approval.", "required reason override_log_files events_missing_reason source_provenance", override_reason_missing},
    {"SHIP-EVIDENCE-HIGH-RISK-EXCLUSION-MISSING", "evidence", high, kNoFloor, S, kHigh, H, "evidence", kManual, "/validation/evidence/high_risk_exclusions",
     "{tool} is not excluded from auto-approval", "List {tool} with a reason in high_risk_auto_approval_exclusions.", "required reason risk_tags exclusion_files excluded_tools source_provenance", exclusion_missing},
    {"SHIP-EVIDENCE-HITL-PROMOTION-CRITERIA-MISSING", "evidence", high, kNoFloor, S, kHigh, H, "evidence", kManual, "/validation/evidence/promotion_criteria",
     "Limited auto-approval has no complete promotion criteria", "Provide criteria with the posture and all three flags.", "target_review_posture reason criteria_files manifest_flags_missing criteria_flags_missing source_provenance", promotion_criteria_missing},
    {"SHIP-SIDEFX-IDEMPOTENCY-MISSING", "side_effects", high, medium, K, kMedium, H, "core", kManual, kIdempotency,
     "{tool} may act twice when it is called again", "Give {tool} an idempotency_key parameter or idempotentHint, or list it in policies.require_idempotency_for_tools.", "risk_tags retry_policy_known", idempotency_missing},

    {"SHIP-API-FUNCTION-SCHEMA-STRICTNESS", "api", medium, kNoFloor, S, kHigh, false, "adapter", kManual, "",
     "The function schema of {tool} is not strict", "Make the schema of {tool} strict: an object, closed, with all properties required and risky fields bounded.", "issues risk_tags", function_strictness},
    {"SHIP-API-STRUCTURED-OUTPUT-READINESS", "api", medium, kNoFloor, S, kMedium, false, "adapter", kManual, "",
     "Structured output is not ready: {what}", "Declare a response format with enums and a refusal, needs_review or error field.", "high_risk_tools path issues downstream_critical_fields", output_readiness},
    {"SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH", "api", high, kNoFloor, K, kHigh, false, "adapter", kManual, "",
     "{what}", "Align the prompt with the tools, or add approval and confirmation instructions.", "tools", prompt_scope_mismatch},
    {"SHIP-API-RETRY-POLICY-MISSING", "api", medium, kNoFloor, S, kMedium, false, "adapter", kManual, "",
     "No retry policy for high-risk tools", "Declare retry_policy in the policy rules or the model config.", "high_risk_tools", retry_policy_missing},
    {"SHIP-API-TIMEOUT-MISSING", "api", medium, kNoFloor, S, kMedium, false, "adapter", kManual, "",
     "No timeouts for high-risk tools", "Declare timeouts in the policy rules or the model config.", "high_risk_tools", timeout_missing},
    {"SHIP-API-TEST-CASES-MISSING", "api", medium, kNoFloor, S, kMedium, false, "adapter", kManual, "",
     "No test cases for high-risk tools", "Declare test_cases.", "high_risk_tools", test_cases_missing},
    {"SHIP-API-TOOL-OUTPUT-SCHEMA-MISSING", "api", medium, kNoFloor, S, kMedium, false, "adapter", kManual, "",
     "{tool} has no declared output schema", "Declare {tool} in tool_output_schemas.", "tool_output_schemas", output_schema_missing},
    {"SHIP-API-RETRY-WITHOUT-IDEMPOTENCY", "api", high, kNoFloor, S, kHigh, false, "adapter", kManual, kIdempotency,
     "{tool} is retried without idempotency evidence", "Add idempotency evidence for {tool}, or do not retry it.", "retry_policy risk_tags", retry_without_idempotency},
    {"SHIP-API-TRACE-APPROVAL-MISSING", "api", medium, kNoFloor, S, kMedium, H, "evidence", kManual, kApprovals,
     "A recorded call of {what} was not approved", "Enforce the approval of {what} at run time; never edit the recording.", "tool_name approved", trace_approval_missing},
    {"SHIP-API-TRACE-CONFIRMATION-MISSING", "api", medium, kNoFloor, S, kMedium, H, "evidence", kManual, kConfirmations,
     "A recorded call of {what} was not confirmed", "Enforce the confirmation of {what} at run time; never edit the recording.", "tool_name confirmed", trace_confirmation_missing},

    {"SHIP-ADK-DYNAMIC-TOOLSET-NOT-ENUMERABLE", "adk", high, kNoFloor, S, kHigh, false, "adapter", kManual, "/google_adk/tool_inventories",
     "A toolset of ADK agent {what} cannot be listed", "Provide an explicit inventory, or make the toolset of {what} literal.", "toolset explicit_inventory", adk_dynamic},
    {"SHIP-ADK-MCP-TOOLSET-UNFILTERED", "adk", high, kNoFloor, S, kHigh, false, "adapter", kManual, "",
     "ADK agent {what} takes every tool of an MCP server", "Select named tools for {what} and provide the inventory.", "source_ref agent_name inventory_path", adk_unfiltered},
    {"SHIP-ADK-FUNCTION-TOOL-METADATA-MISSING", "adk", medium, kNoFloor, A, kHigh, false, "adapter", kManual, "",
     "{tool} is not described to the model", "Add a docstring, a description and annotations to {tool}.", "missing source_type", adk_metadata},
    {"SHIP-ADK-LONGRUNNING-CONTRACT-MISSING", "adk", high, kNoFloor, A, kMedium, false, "adapter", kManual, "",
     "{tool} runs long and does not say how to follow it", "Document the operation id, the status and the completion fields of {tool}.", "output_schema", adk_long_running},
    {"SHIP-ADK-GUARDRAIL-EVIDENCE-MISSING", "adk", high, kNoFloor, S, kMedium, false, "adapter", kManual, "",
     "{what} high-risk ADK tools run without callbacks or plugins", "Attach callbacks or plugins, or declare policies for these tools.", "tools", adk_guardrails},
    {"SHIP-ADK-EVAL-COVERAGE-MISSING", "adk", medium, kNoFloor, S, kHigh, false, "evidence", kManual, "/google_adk/eval_sets",
     "The ADK agents have no eval files", "Declare eval files in google_adk.eval_sets.", "agent_count eval_file_count", adk_evals},
    {"SHIP-LANGCHAIN-DYNAMIC-TOOL-SURFACE-NOT-ENUMERABLE", "langchain", high, kNoFloor, A, kMedium, false, "adapter", kManual, "/langchain/tool_inventories",
     "LangChain tools are put together at run time at {what}", "Provide an explicit inventory, or make the list at {what} literal.", "surface explicit_inventory", langchain_dynamic},
    {"SHIP-LANGCHAIN-FUNCTION-TOOL-METADATA-MISSING", "langchain", medium, kNoFloor, A, kHigh, false, "adapter", kManual, "",
     "{tool} is not described to the model", "Add a docstring and annotations to {tool}.", "missing source_type", langchain_metadata},
    {"SHIP-CREWAI-DYNAMIC-TOOL-SURFACE-NOT-ENUMERABLE", "crewai", high, kNoFloor, A, kMedium, false, "adapter", kManual, "/crewai/tool_inventories",
     "CrewAI tools are put together at run time at {what}", "Provide an explicit inventory, or make the list at {what} literal.", "surface explicit_inventory", crewai_dynamic},
    {"SHIP-CREWAI-FUNCTION-TOOL-METADATA-MISSING", "crewai", medium, kNoFloor, A, kHigh, false, "adapter", kManual, "",
     "{tool} is not described to the model", "Add a docstring and annotations to {tool}.", "missing source_type", crewai_metadata},

    {"SHIP-CODEX-PLUGIN-METADATA-MISSING", "codex_plugin", medium, kNoFloor, S, kHigh, false, "adapter", kManual, "",
     "Codex plugin {what} has incomplete metadata", "Complete the name, version and description of {what}, and keep its name unique and equal to its folder.", "plugin source_id manifest_path issues", codex_metadata},
    {"SHIP-CODEX-PLUGIN-COMPONENT-PATH-MISSING", "codex_plugin", high, kNoFloor, S, kHigh, false, "adapter", kManual, "",
     "A Codex plugin names {what}, which it does not hold", "Fix the component path {what}, or drop it.", "plugin component path reason source_ref", codex_component_path},
    {"SHIP-CODEX-PLUGIN-MARKETPLACE-POLICY-MISSING", "codex_plugin", medium, kNoFloor, S, kHigh, false, "adapter", kManual, "",
     "The marketplace has no complete policy for {what}", "Add the installation and authentication policy and the category of {what}.", "marketplace plugin missing source_ref", codex_marketplace_policy},
    {"SHIP-CODEX-PLUGIN-MCP-SERVER-NOT-ENUMERABLE", "codex_plugin", high, kNoFloor, S, kHigh, false, "adapter", kManual, "/codex_plugins/mcp_tool_inventories",
     "The tools of MCP server {what} of a Codex plugin cannot be listed", "Provide an inventory of {what} in codex_plugins.mcp_tool_inventories.", "plugin server path command_present inventory_path", codex_servers},
    {"SHIP-CODEX-PLUGIN-APP-SURFACE-NOT-ENUMERABLE", "codex_plugin", medium, kNoFloor, S, kHigh, false, "adapter", kManual, "",
     "What the connector app {what} of a Codex plugin can do is not listed", "Review the connector app {what} by hand.", "plugin app connector_id path", codex_apps},
    {"SHIP-CODEX-PLUGIN-SKILL-METADATA-MISSING", "codex_plugin", medium, kNoFloor, S, kHigh, false, "adapter", kManual, "",
     "Skill {what} of a Codex plugin has incomplete metadata", "Give {what} a unique name and a description.", "plugin skill path missing_fields duplicate", codex_skills},

    {"SHIP-N8N-DYNAMIC-TOOL-SURFACE-NOT-ENUMERABLE", "n8n", high, kNoFloor, S, kMedium, false, "adapter", kManual, "/n8n/tool_inventories",
     "n8n tools are decided at run time at {what}", "Provide an explicit inventory, or make the tools at {what} literal.", "surface explicit_inventory", n8n_dynamic},
    {"SHIP-N8N-MCP-CLIENT-TOOLSET-UNFILTERED", "n8n", high, kNoFloor, S, kHigh, false, "adapter", kManual, "/n8n/tool_inventories",
     "The MCP client at {what} takes every tool of its server", "Select named tools at {what} and provide the inventory.", "source_ref node_id selection_mode explicit_inventory", n8n_unfiltered},
    {"SHIP-N8N-AI-TOOL-METADATA-MISSING", "n8n", medium, kNoFloor, S, kHigh, false, "adapter", kManual, "",
     "{tool} is not described to the model", "Add a description and $fromAI parameters to {tool}.", "missing source_type", n8n_metadata},
    {"SHIP-N8N-CREDENTIAL-EVIDENCE-MISSING", "n8n", high, kNoFloor, S, kHigh, false, "evidence", kManual, "/n8n/credential_stubs",
     "The n8n workflows use credentials that nothing describes", "Declare credential stubs, types only, in n8n.credential_stubs.", "credential_ref_count credential_stub_file_count", n8n_credentials},
    {"SHIP-N8N-EVAL-COVERAGE-MISSING", "n8n", medium, kNoFloor, S, kHigh, false, "evidence", kManual, "/n8n/eval_sets",
     "The n8n workflows have no eval files", "Declare eval files in n8n.eval_sets.", "workflow_count ai_agent_count eval_file_count", n8n_evals},
    {"SHIP-N8N-SECRET-IN-WORKFLOW-PARAMETER", "security", high, kNoFloor, R, kHigh, false, "core", kManual, "",
     "A secret stands in the workflow at {what}", "Move the value to credentials or variables, and rotate it.", "source_ref parameter_pointer secret_kind", n8n_secrets},
    {"SHIP-CONDUCTOR-DYNAMIC-TOOL-SURFACE-NOT-ENUMERABLE", "conductor", high, kNoFloor, S, kMedium, false, "adapter", kManual, "",
     "Conductor decides at run time what is called at {what}", "Provide an explicit inventory, or make the target at {what} literal.", "surface explicit_inventory", conductor_dynamic},
    {"SHIP-SCOPE-TOOLKIT-UNBOUNDED", "scope", high, kNoFloor, A, kHigh, false, "core", kManual, "",
     "{what} is mounted without an allowlist", "Give {what} a literal configuration that lists the allowed actions.", "provider constructor binding source_ref", toolkit_unbounded},

    {"SHIP-MANIFEST-STALE-SUPPRESSION", "manifest", medium, kNoFloor, S, kHigh, false, "hygiene", kRemove, "",
     "The suppression of {what} applies to nothing", "Remove or update the entry for {what} in checks.ignore.", "check_id tool issues", stale_suppression},
    {"SHIP-MANIFEST-STALE-POLICY", "manifest", medium, kNoFloor, S, kHigh, false, "hygiene", kRemove, "",
     "A policy names {what}, which is not loaded", "Remove or update the policy entry for {what}.", "policy tool", stale_policy},
    {"SHIP-MANIFEST-STALE-RISK-OVERRIDE", "manifest", medium, kNoFloor, S, kHigh, false, "hygiene", kRemove, "",
     "A risk override names {what}, which is not loaded", "Remove or update risk_overrides.tools.{what}.", "tool", stale_risk_override},
    {"SHIP-MANIFEST-HIGH-RISK-OWNER-MISSING", "manifest", high, kNoFloor, S, kHigh, false, "core", kManual, "",
     "{tool} is high-risk and nobody owns it", "Set risk_overrides.tools.{tool}.owner.", "environment risk_tags", high_risk_owner_missing},
    {"SHIP-MANIFEST-UNUSED-SCOPE", "manifest", medium, kNoFloor, S, kMedium, false, "hygiene", kManual, kScopes,
     "No tool needs the scope {what}", "Remove the scope {what}, or show which tool needs it.", "scope tool_scopes", unused_scope},

    {"SHIP-TRUST-MANIFEST-UNPROTECTED", "manifest", low, kNoFloor, S, kHigh, false, "hygiene", kManual, "/ci/mode",
     "No CODEOWNERS rule covers {what}", "Give {what} an owner in CODEOWNERS, so that a change of the gate is reviewed.", "ci_mode manifest_path codeowners_path searched branch_protection", manifest_unprotected, false, false},
    {"GATE-MCP-ANNOTATION-CONTRADICTION", "mcp", high, medium, K, kHigh, false, "core", kManual, "",
     "{tool} claims to be harmless, and its evidence says otherwise", "Correct the annotations of {tool}, or its method, name or scopes.", "claim against", annotation_contradiction},
    {"GATE-RISK-UNCLASSIFIED", "inventory", medium, kNoFloor, S, kMedium, false, "core", kManual, "/action_surface/actions",
     "Nothing says what {tool} does", "Annotate {tool}, or declare its effect in action_surface.actions.", "tool_name source_id", risk_unclassified},
    {"GATE-RISK-VERB", "policy", high, kNoFloor, K, kMedium, false, "core", kManual, "",
     "{tool} sounds like it acts: {what}", "Annotate {tool}, and declare its approval or scopes.", "verb class stands_for", risk_verb},
    {"GATE-TOOL-SHADOWING", "inventory", high, kNoFloor, S, kHigh, false, "core", kManual, "/tool_sources",
     "{tool} can be taken for another: {what}", "Rename one of the two, or drop it.", "sources differing looks_like", tool_shadowing},
    {"GATE-TOOL-POISONING", "security", high, kNoFloor, R, kMedium, false, "core", kManual, "",
     "Texts of {tool} are written for the model, not for people", "Remove the instructions and hidden characters from the texts of {tool}.", "signals", tool_poisoning},
    {"GATE-FLOW-TRIFECTA", "flow", high, kNoFloor, K, kMedium, false, "core", kManual, "",
     "Private data can leave through what others write: {what}", "Take one of the three tools away, or put an approval before the last.", "private_data untrusted_content outward", flow_trifecta},
    {"GATE-SECRET-PARAM", "schema", medium, kNoFloor, K, kMedium, false, "core", kManual, "",
     "{tool} asks the model for a secret in '{what}'", "Give {tool} its credential by configuration, not by the parameter '{what}'.", "parameter", secret_parameter},
    {"GATE-EXEC-UNPINNED", "supply_chain", high, kNoFloor, S, kHigh, false, "core", kManual, "",
     "MCP server {what} is started without a fixed version", "Name the exact version or digest of {what}, and reach it by https only.", "server path reason", exec_unpinned},
    {"GATE-ENV-PASSTHROUGH", "supply_chain", high, kNoFloor, S, kHigh, false, "core", kManual, "",
     "MCP server {what} is handed secrets by its environment", "Give {what} only the secrets that it needs, from a store.", "server path names", env_passthrough},
    {"GATE-HOST-WILDCARD", "host", critical, kNoFloor, S, kHigh, false, "core", kManual, "",
     "A coding agent may use whatever there is: {what}", "Name the tools and commands that are allowed instead of the wildcard.", "grant path", host_wildcard},
    {"SHIP-MCP-AUTO-APPROVE-SIDE-EFFECT", "mcp", critical, critical, S, kHigh, false, "core", kManual, "",
     "A tool that changes something is called without a question: {what}", "Take the tool out of the list of what is allowed without a question.", "grant path tool_name", auto_approve_side_effect},
    {"SHIP-MCP-UNKNOWN-TOOL-SCHEMA", "mcp", high, medium, S, kHigh, false, "core", kManual, "/tool_sources",
     "A tool that no source describes is called without a question: {what}", "Describe the tool in a source with its input schema, or let people be asked.", "grant path tool_name", unknown_tool_schema},
    {"SHIP-MCP-ENV-SECRET-PASSTHROUGH", "mcp", high, medium, S, kHigh, false, "core", kManual, "",
     "MCP server {what} of a coding agent is handed secrets by its environment", "Give {what} only the secrets that it needs, from a store.", "server path names", env_secret_passthrough},
    {"GATE-LOCK-DRIFT", "inventory", high, kNoFloor, S, kHigh, false, "core", kManual, "",
     "The tools are not those that were agreed on: {what}", "Review the change, and write gatehouse.tools.lock again when it is meant.", "change tool fields", lock_drift},
    {"GATE-SOURCE-PARTIAL", "inventory", medium, kNoFloor, S, kHigh, false, "hygiene", kManual, "/tool_sources",
     "Source {what} was read in part only", "Make every registration of {what} literal, or provide an export.", "source_id", source_partial},
    {"GATE-MANIFEST-UNUSED-SOURCE", "manifest", medium, kNoFloor, S, kHigh, false, "hygiene", kManual, "/tool_sources",
     "Source {what} gives no tool", "Remove source {what}, or fix what it names.", "source_id", unused_source},
    {"GATE-MANIFEST-SUPPRESSION-EXPIRED", "manifest", medium, kNoFloor, S, kHigh, false, "hygiene", kManual, "",
     "The suppression of {what} has expired", "Fix what the suppression of {what} hid, or renew it with a reason.", "check_id tool expires", suppression_expired, false, true, true},

    {"SHIP-ACTION-UNDECLARED", "action_surface", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} has no declared action", "Declare the action of {tool} in action_surface.actions, or remove the tool.", "action_id tool_name", action_undeclared},
    {"SHIP-ACTION-CONTROL-DOWNGRADE", "action_surface", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "The declaration of {tool} takes back {what}", "Restore {what} for {tool} in action_surface.actions, or remove the action.", "action_id path inherited declared", control_downgrade},
    {"SHIP-ACTION-EFFECT-DOWNGRADE-DECLARED", "action_surface", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} is declared weaker than its evidence", "Declare the effect of {tool} at least as strong as {what}, or remove the action.", "action_id inferred_effect declared_effect", effect_downgrade},
    {"SHIP-ACTION-WILDCARD-SCOPE", "action_surface", critical, high, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} gains a broad scope", "Give {tool} scopes of single operations, or remove the action.", "action_id scopes change", action_wildcard_scope},
    {"SHIP-ACTION-FINANCIAL-WRITE-CONTROL-MISSING", "action_surface", critical, high, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} is new, moves money and lacks controls", "Declare approval, audit log and idempotency of {tool}, or remove the action.", "action_id missing", action_financial_controls},
    {"SHIP-ACTION-EXTERNAL-COMMUNICATION-AUDIT-MISSING", "action_surface", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} is new, speaks to others and keeps no audit log", "Declare the audit log of {tool}, or remove the action.", "action_id missing", action_audit_missing},
    {"SHIP-ACTION-DESTRUCTIVE-ROLLBACK-MISSING", "action_surface", critical, high, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} is new, destroys and cannot be undone", "Declare approval and rollback of {tool}, or remove the action.", "action_id missing", action_rollback_missing},
    {"SHIP-ACTION-EFFECT-ESCALATED", "action_surface", critical, high, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "The effect of {tool} grew: {what}", "Take the new effect of {tool} back, or have it reviewed.", "change", action_effect_escalated},
    {"SHIP-ACTION-APPROVAL-REMOVED", "action_surface", critical, high, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} needs no approval any more", "Restore the approval of {tool}, or remove the action.", "change", action_approval_removed},
    {"SHIP-ACTION-SAFEGUARD-REMOVED", "action_surface", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "A safeguard of {tool} is gone: {what}", "Restore the safeguard of {tool}, or remove the action.", "change", action_safeguard_removed},
    {"SHIP-ACTION-POLICY-VIOLATION", "action_surface", high, medium, S, kHigh, false, "lifecycle", kManual, "/action_surface/policies",
     "{tool} violates the action policy {what}", "Give {tool} what the action policy {what} requires, or remove the action.", "policy_id action_id missing observed", policy_violation, true},

    {"SHIP-VERIFY-TRUST-ROOT-TOUCHED", "verify", medium, medium, S, kHigh, false, "core", kManual, "",
     "The change touches {what}, which the gate rests on", "Let a person review the change of {what}; the gate is never weakened to pass.", "changed_file trust_root_class matched_glob", trust_root_touched},
    {"SHIP-VERIFY-POLICY-WEAKENED", "verify", high, high, S, kHigh, false, "core", kManual, "",
     "The change weakens the release policy: {what}", "Restore the policy of the base, or let a person accept the change in review.", "kind base_ci_mode head_ci_mode removed_severities base_fail_on head_fail_on target_check_id base_severity head_severity base_integrity_mode head_integrity_mode changed_policy_files", policy_weakened},
    {"SHIP-VERIFY-BASELINE-OR-WAIVER-EXPANDED", "verify", high, high, S, kHigh, false, "core", kManual, "",
     "The change accepts more than the base does: {what}", "Fix what is found instead of accepting it, or let a person accept it in review.", "kind added_check_ids added_scopes added_fingerprints", waiver_expanded},
    {"SHIP-VERIFY-CI-GATE-REMOVED", "verify", critical, high, S, kHigh, false, "core", kManual, "",
     "The change removes the gate from CI: {what}", "Restore the gate of the base; who removes it does so in review.", "kind removed_workflow_files workflow_file job causes", ci_gate_removed},
    {"SHIP-VERIFY-AGENT-INSTRUCTIONS-WEAKENED", "verify", medium, medium, S, kHigh, false, "core", kManual, "",
     "The change edits what agents are told: {what}", "Let a person read the new instructions of {what}.", "kind changed_instruction_files", instructions_weakened},
    {"SHIP-VERIFY-TRIGGER-CATALOG-DRIFT", "verify", medium, medium, S, kHigh, false, "core", kManual, "",
     "The change edits what starts the gate: {what}", "Let a person review {what}: a change that no rule names is not looked at.", "kind changed_trigger_files", trigger_catalogue_drift},

    {"SHIP-VERIFY-CAPABILITY-SCOPE-BROADENED", "verify", critical, critical, S, kHigh, false, "core", kManual, "",
     "The change lets a toolkit do more: {what}", "Restore the allowlist of the base, or let a person accept the wider one in review.", "kind provider base_scopes head_scopes added_scopes constructor binding source_ref source_line", capability_broadened},
    {"SHIP-CAP-CONFIG-BINDING-REMOVED", "verify", high, high, S, kHigh, false, "core", kManual, "",
     "The change takes a toolkit's configuration away: {what}", "Bind the toolkit to its configuration again, or let a person accept the change in review.", "kind provider constructor binding base_config_path source_ref", binding_removed},
    {"SHIP-CAP-CONFIG-BINDING-CHANGED", "verify", medium, kNoFloor, S, kHigh, false, "core", kManual, "",
     "The change edits what a toolkit is configured by: {what}", "Let a person read what {what} allows now.", "kind provider constructor binding config_path changed_file source_ref", binding_changed},

    {"SHIP-HOST-BOUNDARY-MCP-SERVER-ADDED", "verify", high, medium, S, kHigh, false, "core", kManual, "",
     "The change adds the MCP server {what} to a coding agent", "Let a person review where {what} comes from and what it may do.", "kind path server env_keys tools", boundary_fact},
    {"SHIP-HOST-BOUNDARY-MCP-SERVER-CHANGED", "verify", high, medium, S, kHigh, false, "core", kManual, "",
     "The change makes an MCP server of a coding agent another one: {what}", "Let a person review what is started or contacted now.", "kind path server changed_fields env_keys_added env_keys_removed", boundary_fact},
    {"SHIP-HOST-BOUNDARY-PERMISSION-WILDCARD-ALLOW", "verify", critical, high, S, kHigh, false, "core", kManual, "",
     "The change lets a coding agent use a tool as it likes: {what}", "Allow single commands, paths or tools instead of all of them.", "kind path rules", boundary_fact},
    {"SHIP-HOST-BOUNDARY-PERMISSION-ALLOW-EXPANDED", "verify", high, medium, S, kHigh, false, "core", kManual, "",
     "The change lets a coding agent do more without asking: {what}", "Take the rule back, or let a person accept it in review.", "kind path rules", boundary_fact},
    {"SHIP-HOST-BOUNDARY-PERMISSION-DENY-REMOVED", "verify", high, medium, S, kHigh, false, "core", kManual, "",
     "The change no longer stops a coding agent: {what}", "Restore the rule that denied it, or let a person accept the change in review.", "kind path rules", boundary_fact},
    {"SHIP-HOST-BOUNDARY-HOOK-CHANGED", "verify", high, medium, S, kHigh, false, "core", kManual, "",
     "The change edits what a coding agent's host runs by itself: {what}", "Let a person read the program that the hook runs now.", "kind path changes", boundary_fact},
    {"SHIP-HOST-BOUNDARY-WORKFLOW-WRITE-ALL", "verify", critical, high, S, kHigh, false, "core", kManual, "",
     "The change hands a workflow every permission: {what}", "Name the permissions that the job needs.", "kind path permissions", boundary_fact},
    {"SHIP-HOST-BOUNDARY-WORKFLOW-PERMISSIONS-EXPANDED", "verify", high, medium, S, kHigh, false, "core", kManual, "",
     "The change hands a workflow more permissions: {what}", "Take the permission back, or let a person accept it in review.", "kind path permissions", boundary_fact},
    {"SHIP-HOST-BOUNDARY-PULL-REQUEST-TARGET-ADDED", "verify", critical, high, S, kHigh, false, "core", kManual, "",
     "The change starts {what} on pull_request_target", "Use pull_request; pull_request_target runs with the secrets of the repository on what strangers propose.", "kind path", boundary_fact},
    {"SHIP-HOST-BOUNDARY-CONFIG-PARSE-FAILED", "verify", medium, medium, S, kHigh, false, "core", kManual, "",
     "Nobody can tell what {what} lets a coding agent do", "Make {what} a file that can be read.", "kind path reason", boundary_fact},
    {"SHIP-CODEX-BOUNDARY-NETWORK-WILDCARD", "verify", high, kNoFloor, S, kHigh, false, "core", kManual, "",
     "The change lets Codex reach every host: {what}", "Name the hosts that are needed.", "kind path keys", boundary_fact},
    {"SHIP-CODEX-BOUNDARY-DANGER-FULL-ACCESS", "verify", critical, kNoFloor, S, kHigh, false, "core", kManual, "",
     "The change takes the sandbox of Codex away: {what}", "Keep workspace-write or read-only.", "kind path keys", boundary_fact},
    {"SHIP-CODEX-BOUNDARY-AUTO-APPROVE-WRITE", "verify", critical, kNoFloor, S, kHigh, false, "core", kManual, "",
     "The change lets Codex call a tool that writes without asking: {what}", "Let Codex ask before it calls the tool.", "kind path server tool", codex_approves_write},
    {"SHIP-CODEX-BOUNDARY-AUTO-APPROVE-UNKNOWN", "verify", high, kNoFloor, S, kHigh, false, "core", kManual, "",
     "The change lets Codex call without asking what nobody here knows: {what}", "Describe the tools in a source of the manifest, or let Codex ask.", "kind path server tool", codex_approves_unknown},
    {"SHIP-CODEX-BOUNDARY-HOOK-COMMAND-CHANGED", "verify", high, kNoFloor, S, kHigh, false, "core", kManual, "",
     "The change edits what Codex runs by itself: {what}", "Let a person read the program that the hook runs now.", "kind path changes", boundary_fact},
    {"SHIP-CODEX-BOUNDARY-SKILL-COMMAND-CHANGED", "verify", medium, kNoFloor, S, kHigh, false, "core", kManual, "",
     "The change edits commands of the skill {what}", "Let a person read the commands that the skill has an agent run.", "kind path commands", boundary_fact},
    {"SHIP-CODEX-BOUNDARY-PARSE-FAILED", "verify", medium, kNoFloor, S, kHigh, false, "core", kManual, "",
     "Nobody can tell what {what} lets Codex do", "Make {what} a file that can be read.", "kind path reason", boundary_fact},
    {"SHIP-MCP-PERMISSION-EXPANDED", "mcp", high, medium, S, kHigh, false, "core", kManual, "",
     "The change lets an MCP server of a coding agent do more: {what}", "Take the permission back, or let a person accept it in review.", "kind path changes", boundary_fact},
    {"SHIP-MCP-READONLY-SERVER-ADDED", "mcp", low, kNoFloor, S, kHigh, false, "hygiene", kManual, "",
     "The new MCP server {what} only reads, as far as its tools are known", "Confirm that {what} offers no other tool.", "kind path server", readonly_server_added},

    // Told by the reader of baselines (src/release/baseline_audit.cc), not by a look at the surface.
    {"SHIP-BASELINE-INTEGRITY-MISMATCH", "baseline", critical, kNoFloor, S, kHigh, false, "lifecycle", kManual, "",
     "The baseline cannot be trusted", "Review the baseline and save it again; never edit it or its log by hand.", "kind fingerprint check_id tool_name expected_hash computed_hash audit_log_path latest_audit_run_id error", told_elsewhere},
    {"SHIP-BASELINE-ENTRY-EXPIRED", "baseline", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "",
     "An accepted finding has expired", "Fix the finding, or renew its entry with a reason and save the baseline again.", "kind fingerprint check_id tool_name expires days_overdue reason", told_elsewhere},
    {"SHIP-BASELINE-ENTRY-STALE", "baseline", low, kNoFloor, S, kHigh, false, "hygiene", kManual, "",
     "An entry of the baseline is out of date", "Save the baseline again: entries that match nothing fall out.", "kind fingerprint check_id tool_name replacement_check_ids", told_elsewhere},
});
constexpr std::array<std::string_view, 7> kOperationalReadiness{
    "SHIP-API-RETRY-POLICY-MISSING",       "SHIP-API-TIMEOUT-MISSING",
    "SHIP-API-TEST-CASES-MISSING",         "SHIP-API-TOOL-OUTPUT-SCHEMA-MISSING",
    "SHIP-API-RETRY-WITHOUT-IDEMPOTENCY",  "SHIP-API-TRACE-APPROVAL-MISSING",
    "SHIP-API-TRACE-CONFIRMATION-MISSING"};
constexpr std::array<std::string_view, 1> kContradiction{"GATE-MCP-ANNOTATION-CONTRADICTION"};
// table: legacy check ids
constexpr std::array<Alias, 2> kAliases{{{"SHIP-API-OPERATIONAL-READINESS", kOperationalReadiness},
                                         {"SHIP-MCP-ANNOTATION-CONTRADICTION", kContradiction}}};
// clang-format on

constexpr bool rows_are_sound() {
  for (const Check& c : kCatalogue)
    if ((c.floor && *c.floor > c.severity) || (c.dynamic_default && !c.floor) || c.run == nullptr)
      return false;
  return true;
}
static_assert(rows_are_sound());

std::string filled(std::string_view form, std::string_view tool, std::string_view what) {
  std::string out;
  while (!form.empty()) {
    const bool is_tool = form.starts_with("{tool}"), is_what = form.starts_with("{what}");
    if (is_tool || is_what)
      out += is_tool ? tool : what;
    else
      out += form[0];
    form.remove_prefix(is_tool || is_what ? 6 : 1);
  }
  return out;
}

// table: ids that another check covers
constexpr std::array<CoveredCheck, 1> kCovered{{
    {"SHIP-VERIFY-POLICY-BASE-ABSENT", medium, medium, "SHIP-VERIFY-POLICY-WEAKENED"},
}};

bool is_same(const Finding& a, const Finding& b) {
  const auto source = [](const Finding& f) {
    return f.source ? full_document_of(*f.source) : Map{};
  };
  return a.check_id == b.check_id && a.title == b.title && a.tool_name == b.tool_name &&
         a.evidence == b.evidence && source(a) == source(b);
}

/// Only findings with one title can be equal.
void drop_repeated(std::vector<Finding>& findings) {
  std::unordered_map<std::string, std::vector<std::size_t>> by_title;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    auto& known = by_title[findings[i].title];
    const bool is_known = std::ranges::any_of(
        known, [&](std::size_t at) { return is_same(findings[at], findings[i]); });
    if (is_known) continue;
    known.push_back(kept);
    if (kept != i) findings[kept] = std::move(findings[i]);
    ++kept;
  }
  findings.resize(kept);
}

}  // namespace

std::span<const Check> catalogue() { return kCatalogue; }

const Check* find_check(std::string_view id) {
  const auto row = std::ranges::find(kCatalogue, id, &Check::id);
  return row == kCatalogue.end() ? nullptr : &*row;
}

const CoveredCheck* find_covered_check(std::string_view id) {
  const auto row = std::ranges::find(kCovered, id, &CoveredCheck::id);
  return row == kCovered.end() ? nullptr : &*row;
}

std::string docs_url(std::string_view id) {
  return fmt::format("docs/reference/release-checks.md#{}", surface::lower_case(id));
}

std::span<const Alias> aliases() { return kAliases; }

std::vector<std::string_view> expanded(std::string_view id) {
  const auto alias = std::ranges::find(kAliases, id, &Alias::id);
  if (alias == kAliases.end()) return {id};
  return {alias->targets.begin(), alias->targets.end()};
}

Finding Found::make(const Check& check, Told& told, std::string_view tool) const {
  Finding f;
  f.check_id = check.id;
  f.category = check.category;
  f.title = told.title.empty() ? filled(check.title, tool, told.what) : std::move(told.title);
  f.severity = told.severity.value_or(check.severity);
  if (is_own_rule(check.id) && scan_.profile == surface::Profile::compat)
    f.severity = FindingSeverity::info;
  f.confidence = told.confidence.value_or(check.confidence);
  f.provenance = told.provenance.value_or(check.provenance);
  f.evidence = std::move(told.evidence);
  f.recommendation = told.recommendation.empty() ? filled(check.recommendation, tool, told.what)
                                                 : std::move(told.recommendation);
  f.agent_id = scan_.manifest.agent_id();
  f.source = std::move(told.source);
  f.blocks_release = told.blocks_release.value_or(false);
  return f;
}

void Found::about_tool(const Check& check, const surface::Tool& tool, Told told) {
  const std::string pointer = told.pointer.empty() ? std::string(check.pointer) : told.pointer;
  Finding f = make(check, told, tool.name);
  f.tool_id = tool.id;
  f.tool_name = tool.name;
  if (!f.source) f.source = source_of(tool);
  if (!pointer.empty())
    f.policy_source =
        FindingSource{"manifest", scan_.manifest.file, "", scan_.manifest.place(pointer)};
  findings.push_back(std::move(f));
}

void Found::about_agent(const Check& check, Told told) {
  const std::string pointer = told.pointer.empty() ? std::string(check.pointer) : told.pointer;
  Finding f = make(check, told, "");
  if (!f.source) {
    f.source = FindingSource{"manifest", scan_.manifest.file};
    if (!pointer.empty()) f.source->place = scan_.manifest.place(pointer);
  }
  findings.push_back(std::move(f));
}

std::vector<Finding> run_checks(const Scan& scan) {
  std::vector<Found> found(kCatalogue.size(), Found(scan));
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < kCatalogue.size(); ++i) {
    const Check& check = kCatalogue[i];
    if (is_own_rule(check.id) && !check.also_compat && scan.profile == surface::Profile::compat)
      continue;
    tasks.emplace_back([&check, &scan, &into = found[i]] {
      check.run(check, scan, into);
      drop_repeated(into.findings);
    });
  }
  const bool is_large = scan.surface.tools.size() >= 2 * surface::kToolsOfAThread;
  run_all(is_large ? 0 : 1, tasks);
  std::vector<Finding> out;
  for (Found& of_check : found)
    std::ranges::move(of_check.findings, std::back_inserter(out));
  return out;
}

}  // namespace gh::checks
