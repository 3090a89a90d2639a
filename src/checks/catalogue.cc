#include "checks/catalogue.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

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

    {"SHIP-LANGCHAIN-DYNAMIC-TOOL-SURFACE-NOT-ENUMERABLE", "langchain", high, kNoFloor, A, kMedium, false, "adapter", kManual, "/langchain/tool_inventories",
     "LangChain tools are put together at run time at {what}", "Provide an explicit inventory, or make the list at {what} literal.", "surface explicit_inventory", langchain_dynamic},
    {"SHIP-LANGCHAIN-FUNCTION-TOOL-METADATA-MISSING", "langchain", medium, kNoFloor, A, kHigh, false, "adapter", kManual, "",
     "{tool} is not described to the model", "Add a docstring and annotations to {tool}.", "missing source_type", langchain_metadata},
    {"SHIP-CREWAI-DYNAMIC-TOOL-SURFACE-NOT-ENUMERABLE", "crewai", high, kNoFloor, A, kMedium, false, "adapter", kManual, "/crewai/tool_inventories",
     "CrewAI tools are put together at run time at {what}", "Provide an explicit inventory, or make the list at {what} literal.", "surface explicit_inventory", crewai_dynamic},
    {"SHIP-CREWAI-FUNCTION-TOOL-METADATA-MISSING", "crewai", medium, kNoFloor, A, kHigh, false, "adapter", kManual, "",
     "{tool} is not described to the model", "Add a docstring and annotations to {tool}.", "missing source_type", crewai_metadata},

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

    {"SHIP-ACTION-UNDECLARED", "action_surface", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} has no declared action", "Declare the action of {tool} in action_surface.actions, or remove the tool.", "action_id tool_name", action_undeclared},
    {"SHIP-ACTION-CONTROL-DOWNGRADE", "action_surface", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "The declaration of {tool} takes back {what}", "Restore {what} for {tool} in action_surface.actions, or remove the action.", "action_id path inherited declared", control_downgrade},
    {"SHIP-ACTION-EFFECT-DOWNGRADE-DECLARED", "action_surface", high, kNoFloor, S, kHigh, false, "lifecycle", kManual, "/action_surface/actions",
     "{tool} is declared weaker than its evidence", "Declare the effect of {tool} at least as strong as {what}, or remove the action.", "action_id inferred_effect declared_effect", effect_downgrade},
    {"SHIP-ACTION-POLICY-VIOLATION", "action_surface", high, medium, S, kHigh, false, "lifecycle", kManual, "/action_surface/policies",
     "{tool} violates the action policy {what}", "Give {tool} what the action policy {what} requires, or remove the action.", "policy_id action_id missing observed", policy_violation, true},

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
// table: legacy check ids
constexpr std::array<Alias, 1> kAliases{{{"SHIP-API-OPERATIONAL-READINESS", kOperationalReadiness}}};
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

bool is_same(const Finding& a, const Finding& b) {
  const auto source = [](const Finding& f) {
    return f.source ? full_document_of(*f.source) : Map{};
  };
  return a.check_id == b.check_id && a.title == b.title && a.tool_name == b.tool_name &&
         a.evidence == b.evidence && source(a) == source(b);
}

/// Only findings with one title can be equal.
void drop_repeated(std::vector<Finding>& findings, std::size_t from) {
  std::unordered_map<std::string, std::vector<std::size_t>> by_title;
  std::size_t kept = from;
  for (std::size_t i = from; i < findings.size(); ++i) {
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
  Found found(scan);
  for (const Check& check : kCatalogue) {
    const std::size_t before = found.findings.size();
    check.run(check, scan, found);
    drop_repeated(found.findings, before);
  }
  return std::move(found.findings);
}

}  // namespace gh::checks
