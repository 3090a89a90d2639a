#pragma once
// Functions behind the rows of the catalogue, by group. Private to checks.
#include <set>
#include <string>
#include <vector>

#include "checks/catalogue.h"

namespace gh::checks {

// inventory
void not_enumerable(const Check&, const Scan&, Found&);
void wildcard_tools(const Check&, const Scan&, Found&);
void surface_too_large(const Check&, const Scan&, Found&);
void low_confidence_production(const Check&, const Scan&, Found&);
// documentation, security
void missing_description(const Check&, const Scan&, Found&);
void secret_in_description(const Check&, const Scan&, Found&);
void injection_risk(const Check&, const Scan&, Found&);
// schema
void freeform_output(const Check&, const Scan&, Found&);
void broad_free_text(const Check&, const Scan&, Found&);
void missing_bounds(const Check&, const Scan&, Found&);
// auth
void manifest_broad_scope(const Check&, const Scan&, Found&);
void missing_scope(const Check&, const Scan&, Found&);
void scope_coverage_missing(const Check&, const Scan&, Found&);
void tool_broad_scope(const Check&, const Scan&, Found&);
// scope
void outside_purpose(const Check&, const Scan&, Found&);
void prohibited_present(const Check&, const Scan&, Found&);
// policy, evidence, side effects
void approval_missing(const Check&, const Scan&, Found&);
void confirmation_missing(const Check&, const Scan&, Found&);
void approval_trace_missing(const Check&, const Scan&, Found&);
void override_reason_missing(const Check&, const Scan&, Found&);
void exclusion_missing(const Check&, const Scan&, Found&);
void promotion_criteria_missing(const Check&, const Scan&, Found&);
void idempotency_missing(const Check&, const Scan&, Found&);
// api
void function_strictness(const Check&, const Scan&, Found&);
void output_readiness(const Check&, const Scan&, Found&);
void prompt_scope_mismatch(const Check&, const Scan&, Found&);
void retry_policy_missing(const Check&, const Scan&, Found&);
void timeout_missing(const Check&, const Scan&, Found&);
void test_cases_missing(const Check&, const Scan&, Found&);
void output_schema_missing(const Check&, const Scan&, Found&);
void retry_without_idempotency(const Check&, const Scan&, Found&);
void trace_approval_missing(const Check&, const Scan&, Found&);
void trace_confirmation_missing(const Check&, const Scan&, Found&);
// frameworks
void adk_dynamic(const Check&, const Scan&, Found&);
void adk_unfiltered(const Check&, const Scan&, Found&);
void adk_metadata(const Check&, const Scan&, Found&);
void adk_long_running(const Check&, const Scan&, Found&);
void adk_guardrails(const Check&, const Scan&, Found&);
void adk_evals(const Check&, const Scan&, Found&);
void langchain_dynamic(const Check&, const Scan&, Found&);
void langchain_metadata(const Check&, const Scan&, Found&);
void crewai_dynamic(const Check&, const Scan&, Found&);
void crewai_metadata(const Check&, const Scan&, Found&);
// workflows and packages
void codex_metadata(const Check&, const Scan&, Found&);
void codex_component_path(const Check&, const Scan&, Found&);
void codex_marketplace_policy(const Check&, const Scan&, Found&);
void codex_servers(const Check&, const Scan&, Found&);
void codex_apps(const Check&, const Scan&, Found&);
void codex_skills(const Check&, const Scan&, Found&);
void n8n_dynamic(const Check&, const Scan&, Found&);
void n8n_unfiltered(const Check&, const Scan&, Found&);
void n8n_metadata(const Check&, const Scan&, Found&);
void n8n_credentials(const Check&, const Scan&, Found&);
void n8n_evals(const Check&, const Scan&, Found&);
void n8n_secrets(const Check&, const Scan&, Found&);
void conductor_dynamic(const Check&, const Scan&, Found&);
void toolkit_unbounded(const Check&, const Scan&, Found&);
// manifest
void stale_suppression(const Check&, const Scan&, Found&);
void stale_policy(const Check&, const Scan&, Found&);
void stale_risk_override(const Check&, const Scan&, Found&);
void high_risk_owner_missing(const Check&, const Scan&, Found&);
void suppression_expired(const Check&, const Scan&, Found&);
void manifest_unprotected(const Check&, const Scan&, Found&);
void unused_scope(const Check&, const Scan&, Found&);
// action surface
void action_undeclared(const Check&, const Scan&, Found&);
void control_downgrade(const Check&, const Scan&, Found&);
void effect_downgrade(const Check&, const Scan&, Found&);
void action_wildcard_scope(const Check&, const Scan&, Found&);
void action_financial_controls(const Check&, const Scan&, Found&);
void action_audit_missing(const Check&, const Scan&, Found&);
void action_rollback_missing(const Check&, const Scan&, Found&);
void action_effect_escalated(const Check&, const Scan&, Found&);
void action_approval_removed(const Check&, const Scan&, Found&);
void action_safeguard_removed(const Check&, const Scan&, Found&);
void policy_violation(const Check&, const Scan&, Found&);
// verification of a change
void boundary_fact(const Check&, const Scan&, Found&);
void codex_approves_write(const Check&, const Scan&, Found&);
void codex_approves_unknown(const Check&, const Scan&, Found&);
void readonly_server_added(const Check&, const Scan&, Found&);
void capability_broadened(const Check&, const Scan&, Found&);
void binding_removed(const Check&, const Scan&, Found&);
void binding_changed(const Check&, const Scan&, Found&);
void trust_root_touched(const Check&, const Scan&, Found&);
void policy_weakened(const Check&, const Scan&, Found&);
void waiver_expanded(const Check&, const Scan&, Found&);
void ci_gate_removed(const Check&, const Scan&, Found&);
void instructions_weakened(const Check&, const Scan&, Found&);
void trigger_catalogue_drift(const Check&, const Scan&, Found&);

// our own
void annotation_contradiction(const Check&, const Scan&, Found&);
void risk_unclassified(const Check&, const Scan&, Found&);
void risk_verb(const Check&, const Scan&, Found&);
void tool_shadowing(const Check&, const Scan&, Found&);
void tool_poisoning(const Check&, const Scan&, Found&);
void flow_trifecta(const Check&, const Scan&, Found&);
void secret_parameter(const Check&, const Scan&, Found&);
void exec_unpinned(const Check&, const Scan&, Found&);
void env_passthrough(const Check&, const Scan&, Found&);
void source_partial(const Check&, const Scan&, Found&);
void unused_source(const Check&, const Scan&, Found&);
/// The name of a tool as hosts write it: an underline for what they do not allow in names.
std::string as_granted(std::string_view name);
void host_wildcard(const Check&, const Scan&, Found&);
void auto_approve_side_effect(const Check&, const Scan&, Found&);
void unknown_tool_schema(const Check&, const Scan&, Found&);
void env_secret_passthrough(const Check&, const Scan&, Found&);
void lock_drift(const Check&, const Scan&, Found&);

// ------------------------------------------------------------------------------------- shared

/// Words of scope rules: letters, then letters, digits, '_' and '-'; at least two characters.
std::vector<std::string> scope_words(std::string_view lower_case_text);
Value tags_of(const surface::Tool&);  // at least medium
bool is_broad_text(const surface::Parameter&);
bool is_number(const surface::Parameter&);
inline constexpr std::string_view kBoundedNames =
    "amount amt cap count limit max maximum qty quantity refund_amount size total";

}  // namespace gh::checks
