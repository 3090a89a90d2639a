#include "release/scan.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/digesting.h"
#include "base/text.h"
#include "checks/catalogue.h"
#include "model/peek.h"
#include "policy/redact.h"
#include "release/evidence_matrix.h"
#include "release/lens.h"
#include "release/overrides.h"
#include "release/policy_packs.h"
#include "release/summaries.h"
#include "release/surface_facts.h"
#include "release/verify_blocks.h"
#include "surface/actions.h"
#include "surface/surface.h"
#include "wire/spaced_json.h"

namespace gh::release {
namespace {

using surface::Manifest;
using surface::Surface;

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

Map project_document(const Manifest& m) {
  return {{"name", m.project_name},
          {"owner", text_or_null(m.project_owner)},
          {"repo", text_or_null(m.project_repo)}};
}

Map agent_document(const Manifest& m, const Surface& s) {
  List tools;
  for (const surface::Tool& tool : s.tools)
    tools.emplace_back(tool.name);
  return {{"id", m.agent_id()},
          {"name", m.agent_name},
          {"declared_purpose", string_list(m.declared_purpose)},
          {"prohibited_actions", string_list(m.prohibited_actions)},
          {"instructions", Map{{"value_preview", text_or_null(s.instructions.preview)},
                               {"source", s.instructions.source},
                               {"confidence", to_string(s.instructions.confidence)}}},
          {"source", m.sdk ? Value(*m.sdk) : Value(Map{{"source", "manifest"}})},
          {"tools", std::move(tools)},
          {"guardrails", Map{{"input", "unknown"}, {"output", "unknown"}, {"tool", "unknown"}}},
          {"extraction", Map{{"method", "config_assisted"},
                             {"confidence", "medium"},
                             {"missing_fields", List{"runtime_traces"}},
                             {"dynamic_fields", List{}}}}};
}

/// A report of the compat profile has the members of the contract alone.
Map environment_document(const Manifest& m) {
  Map out{{"target", m.target},
          {"promotion_from", text_or_null(m.promotion_from)},
          {"promotion_to", text_or_null(m.promotion_to)}};
  if (m.profile == surface::Profile::extended) out.set("profile", to_string(m.profile));
  return out;
}

Value api_surface(const std::optional<surface::ApiArtifacts>& api) {
  if (!api) return {};
  return Map{{"prompt_file_count", api->prompt_file_count},
             {"tool_file_count", api->tool_file_count},
             {"response_format_count", static_cast<std::int64_t>(api->response_formats.size())},
             {"model_config_present", api->has_model_config},
             {"test_case_count", static_cast<std::int64_t>(api->test_cases.size())},
             {"trace_sample_count", static_cast<std::int64_t>(api->trace_samples.size())},
             {"policy_rule_count", api->policy_rule_count}};
}

Value anthropic_surface(const std::optional<surface::ApiArtifacts>& api) {
  if (!api) return {};
  return Map{{"prompt_file_count", api->prompt_file_count},
             {"tool_file_count", api->tool_file_count},
             {"policy_rule_count", api->policy_rule_count},
             {"skipped_server_tools", string_list(api->skipped_server_tools)}};
}

Map frameworks(const Surface& s) {
  Map out;
  if (s.adk) out.set("google_adk", s.adk->facts.counts);
  if (s.langchain) out.set("langchain", s.langchain->counts);
  if (s.crewai) out.set("crewai", s.crewai->counts);
  if (s.n8n) out.set("n8n", s.n8n->facts.counts);
  if (s.codex_config) out.set("codex_config", *s.codex_config);
  if (s.conductor) out.set("conductor", s.conductor->facts.counts);
  return out;
}

/// What a run is identified by: nothing of lines, patches, baselines or places of output.
std::string run_id(const Map& report, const Findings& findings) {
  List identities;
  for (const GatedFinding& g : findings) {
    Map f = document_of(g);
    for (const char* key :
         {"id", "baseline_status", "patches", "autofix_safe", "requires_human_review",
          "suggested_patch_kind", "docs_url", "agent_action", "policy_evidence_source"})
      f.erase(key);
    if (Value* source = f.find("source"); source->as_map() != nullptr)
      for (const char* key :
           {"path", "start_line", "end_line", "start_column", "pointer", "location"})
        source->as_map()->erase(key);
    identities.emplace_back(std::move(f));
  }
  const Value found(std::move(identities));
  // The spaced text of a mapping of these keys, without a copy of what the report holds.
  Digesting digest;
  const auto add = [&](std::string_view piece) { digest.add(piece); };
  add(R"({"agent": )");
  wire::write_spaced_json(Peek(report.find("agent"))["name"].text(), add);
  for (const std::string_view key :
       {"anthropic_surface", "api_surface", "codex_plugin_surface", "environment", "findings",
        "frameworks", "project", "tool_inventory"}) {
    add(fmt::format(R"(, "{}": )", key));
    wire::write_spaced_json(key == "findings" ? found : *report.find(key), add);
  }
  add("}");
  constexpr std::size_t kLength = 16;
  return "gatehouse_" + digest.hex().substr(0, kLength);
}

Map baseline_document(const BaselineDelta& d) {
  return {{"path", d.path},
          {"matched_count", d.matched},
          {"new_count", d.fresh},
          {"resolved_count", d.resolved}};
}

std::vector<std::string> output_surfaces(const ScanOptions& options) {
  std::vector<std::string> out;
  for (const auto& output : options.outputs)
    out.push_back(output.first);
  if (options.has_step_summary) out.emplace_back("github_step_summary");
  return out;
}

struct Scanned {
  const Manifest& manifest;
  const ScanOptions& options;
  Surface surface{};
  std::vector<surface::Action> actions{};
  std::optional<DiffReference> reference{};
  std::optional<surface::ActionDiff> action_diff{};
  std::optional<checks::Verification> verification{};
  PolicyPacks packs{};
  std::vector<OverrideRow> overrides{};
  Findings findings{};
  HeuristicsFilter filter{};
  BaselineDelta delta{};
  ReleaseDecision decision{};
  Rows rows = Rows::whole;
};

ReleaseDecision decide_on(const Scanned& s) {
  const auto low = std::ranges::count_if(
      s.surface.tools, [](const surface::Tool& t) { return t.confidence != Confidence::high; });
  const bool sdk = std::ranges::any_of(
      s.surface.tools, [](const surface::Tool& t) { return t.source_type == "sdk_function"; });
  const CiMode declared = s.manifest.ci_mode == "strict" ? CiMode::strict : CiMode::advisory;
  return decide({.findings = s.findings,
                 .tool_count = static_cast<std::int64_t>(s.surface.tools.size()),
                 .low_confidence_tools = low,
                 .source_warnings = static_cast<std::int64_t>(s.surface.warnings.size()),
                 .has_sdk_function = sdk,
                 .profile = s.manifest.profile,
                 .ci_mode = s.options.ci_mode.value_or(declared),
                 .fail_on = s.options.fail_on ? s.options.fail_on : s.manifest.fail_on,
                 .baseline = s.delta,
                 .gate_failure_exit = s.options.gate_failure_exit});
}

/// Statuses of findings, and what is wrong with the baseline itself.
void hold_against(Scanned& s, const BaselineFile& file) {
  auto issues = baseline_issues(file, s.options.today);
  for (BaselineIssue& issue : resolved_issues(file, s.findings))
    issues.push_back(std::move(issue));
  if (s.manifest.integrity_mode != "off")
    for (GatedFinding& g :
         identified(integrity_findings(issues, s.manifest.integrity_mode == "strict")))
      s.findings.push_back(std::move(g));
  s.delta = match_baseline(s.findings, file.baseline, file.path);
}

List pack_rows(const PolicyPacks& packs) {
  List out;
  for (const PolicyPack& pack : packs)
    out.emplace_back(document_of(pack));
  return out;
}

/// The report that was named, else the baseline when it carries facts.
void compare_with_reference(Scanned& s) {
  if (s.options.diff_from)
    s.reference = s.options.diff_from;
  else if (s.options.baseline)
    s.reference =
        DiffReference{"baseline", s.options.baseline->path, s.options.baseline->baseline.document};
  if (!s.reference) return;
  if (const auto actions = actions_of(*s.reference))
    s.action_diff = surface::diff_actions(*actions, s.actions);
}

constexpr std::string_view kActions = "action_surface", kVerify = "verify";
// table: counters of the reviewer's summary
constexpr std::string_view kToolCounters =
    "tools_added tools_removed tools_changed new_scopes removed_scopes new_high_risk_effects "
    "removed_high_risk_effects controls_added controls_removed metadata_changes "
    "policy_drift_items";
constexpr std::string_view kActionCounters =
    "actions_added actions_removed actions_modified scope_expansions effect_escalations "
    "risk_tags_added approvals_removed safeguards_removed input_schema_expansions";

/// By check, tool and evidence (tool-surface 13.10).
void sort_by_identity(std::vector<checks::Finding>& findings) {
  std::vector<std::pair<std::string, std::size_t>> keys;
  for (std::size_t i = 0; i < findings.size(); ++i)
    keys.emplace_back(fmt::format("{}\n{}\n{}", findings[i].check_id, findings[i].tool_name,
                                  wire::spaced_json(findings[i].evidence)),
                      i);
  std::ranges::sort(keys);
  std::vector<checks::Finding> out;
  for (const auto& key : keys)
    out.push_back(std::move(findings[key.second]));
  findings = std::move(out);
}

/// Those of a category, in their order.
std::vector<checks::Finding> taken_out(std::vector<checks::Finding>& findings,
                                       std::string_view category) {
  const auto others = std::stable_partition(findings.begin(), findings.end(),
                                            [&](const auto& f) { return f.category != category; });
  std::vector<checks::Finding> out(std::make_move_iterator(others),
                                   std::make_move_iterator(findings.end()));
  findings.erase(others, findings.end());
  return out;
}

/// What the checks of a change look at: the facts, and both policies as they are declared.
void take_change(Scanned& s) {
  if (!s.options.change) return;
  const ChangeFacts& facts = *s.options.change;
  checks::Verification v{.changed_files = facts.changed_files,
                         .touched = facts.touched,
                         .removed_gates = facts.removed_gates,
                         .neutered = facts.neutered,
                         .boundary = facts.boundary,
                         .head = checks::policy_of(s.manifest),
                         .base_accepted = facts.base_accepted,
                         .head_accepted = facts.head_accepted};
  v.head.ci_gate_present = facts.ci_gate_present;
  if (s.reference && s.reference->kind == "report") {
    v.base = checks::declared_policy(s.reference->document);
    v.base_toolkits = toolkits_of(s.reference->document);
  }
  if (v.base && !v.base_accepted)
    v.base_accepted.emplace(v.base->baseline_fingerprints.begin(),
                            v.base->baseline_fingerprints.end());
  for (const OverrideRow& row : s.overrides)
    v.standard_severities[row.check_id] = row.standard;
  for (const PolicyPack& pack : s.packs)
    for (const PackRule& rule : pack.rules)
      v.standard_severities[rule.id] = rule.severity;
  s.verification = std::move(v);
}

/// Checks, packs, the rules of the action surface, then those of the change: what the trees show,
/// before anything is weighed.
std::vector<checks::Finding> findings_of(const Scanned& s) {
  checks::Scan scan{s.manifest, s.surface, s.actions, s.manifest.profile, s.options.today};
  for (const PolicyPack& pack : s.packs)
    for (const PackRule& rule : pack.rules)
      scan.pack_rule_ids.push_back(rule.id);
  if (s.action_diff) scan.action_diff = &*s.action_diff;
  if (s.verification) scan.verification = &*s.verification;
  auto out = checks::run_checks(scan);
  std::vector<checks::Finding> last = taken_out(out, kActions), change = taken_out(out, kVerify);
  std::ranges::move(run_policy_packs(s.packs, {s.manifest, s.surface, s.actions}),
                    std::back_inserter(out));
  sort_by_identity(last);
  std::ranges::move(last, std::back_inserter(out));
  std::ranges::move(change, std::back_inserter(out));
  return out;
}

std::int64_t blocking_findings(const Findings& findings) {
  return std::ranges::count_if(findings, [](const GatedFinding& f) {
    return f.is_active() && !f.is_matched() && f.finding.blocks_release;
  });
}

std::string json_path(const ScanOptions& options) {
  for (const auto& [kind, path] : options.outputs)
    if (kind == "json") return path;
  return {};
}

/// Everything but the summaries and audits, which look at it.
Map first_part(const Scanned& s, Lens lens) {
  List findings;
  for (const GatedFinding& g : s.findings)
    findings.emplace_back(document_of(g));
  Map facts = tool_surface_facts(s.manifest, s.surface, s.rows);
  const DiffReference* reference = s.reference ? &*s.reference : nullptr;
  Map difference = tool_surface_diff(reference, facts, s.surface, s.findings);
  Map generated;
  for (const auto& [kind, path] : s.options.outputs)
    generated.set(kind, path);
  return {
      {"schema_version", "0.1"},
      {"report_schema_version", kReportSchema},
      {"run_id", nullptr},
      {"manifest_dir", text_or_null(s.options.manifest_dir)},
      {"project", project_document(s.manifest)},
      {"agent", agent_document(s.manifest, s.surface)},
      {"environment", environment_document(s.manifest)},
      {"summary", document_of(s.decision.summary)},
      {"release_decision", document_of(s.decision, s.findings)},
      {"capability_facts", std::move(lens.capability_facts)},
      {"declared_intentions", std::move(lens.declared_intentions)},
      {"misalignments", std::move(lens.misalignments)},
      {"release_consequence", std::move(lens.release_consequence)},
      {"suggested_scenarios", std::move(lens.suggested_scenarios)},
      {"tool_surface", tool_surface(s.surface)},
      {"tool_surface_facts", std::move(facts)},
      {"tool_surface_diff", std::move(difference)},
      {"action_surface_facts", action_surface_facts(s.actions, s.rows)},
      {"action_surface_diff",
       action_surface_diff(reference, s.action_diff ? &*s.action_diff : nullptr,
                           blocking_findings(s.findings))},
      {"api_surface", api_surface(s.surface.openai)},
      {"anthropic_surface", anthropic_surface(s.surface.anthropic)},
      {"frameworks", frameworks(s.surface)},
      {"codex_plugin_surface", s.surface.codex ? Value(document_of(*s.surface.codex)) : Value()},
      {"baseline", s.delta.enabled ? Value(baseline_document(s.delta)) : Value()},
      {"findings", std::move(findings)},
      {"recommended_actions", recommended_actions(s.findings)},
      {"generated_reports", std::move(generated)},
      {"loaded_policy_packs", pack_rows(s.packs)},
      {"loaded_plugins", List{}},
      {"loaded_adapters", List{}},
      {"tool_inventory", tool_inventory(s.surface)},
      {"source_warnings", string_list(s.surface.warnings)}};
}

List evidence_rows(const Surface& s) {
  List out;
  if (!s.validation) return out;
  for (const surface::EvidenceSource& row : s.validation->sources)
    out.emplace_back(Map{{"type", row.type},
                         {"ref", text_or_null(row.ref)},
                         {"location", text_or_null(row.location)},
                         {"status", row.status},
                         {"detail", text_or_null(row.detail)}});
  return *policy::redact_document(Value(std::move(out))).value.as_list();
}

Value audit_rows(const std::vector<OverrideRow>& rows) {
  List out;
  for (const OverrideRow& row : rows)
    out.emplace_back(document_of(row));
  return Map{{"severity_overrides_applied", std::move(out)}};
}

/// The sum of these counters; all are 0 while there is nothing to compare with.
std::int64_t changes_in(const Map& report, std::string_view diff, std::string_view counters) {
  const Peek summary = Peek(report.find(diff))["summary"];
  std::int64_t out = 0;
  for (const std::string_view counter : split(counters, ' '))
    out += summary[counter].number();
  return out;
}

/// The policy of this scan as others compare it; that of a scan alone is the stable empty shape.
Map effective_policy(const Scanned& s) {
  if (!s.verification && !s.options.declares_policy)
    return document_of(checks::EffectivePolicy{}, checks::Snapshot::standard);
  checks::EffectivePolicy policy =
      s.verification ? s.verification->head : checks::policy_of(s.manifest);
  std::set<std::string> matched;
  for (const GatedFinding& g : s.findings)
    if (g.is_matched()) matched.insert(g.fingerprint);
  policy.baseline_fingerprints.assign(matched.begin(), matched.end());
  return document_of(policy, checks::Snapshot::declared);
}

/// What only a scan of a change fills; else the stable empty shape.
void set_change_blocks(Map& report, const Scanned& s) {
  VerifiedBlocks blocks{
      .capability_change = no_capability_change(),
      .human_ack = {
          {"required", false}, {"satisfied", true}, {"acks", List{}}, {"outstanding", List{}}}};
  if (s.options.declares_policy) blocks.human_ack.set("acks", declared_acks(s.manifest));
  if (s.verification) {
    std::optional<List> base_acks;
    if (s.verification->base) base_acks = Peek(s.reference->document)["human_ack"]["acks"].list();
    blocks = {.capability_change =
                  capability_change(*report.find("tool_surface_diff")->as_map(),
                                    *report.find("action_surface_diff")->as_map(), s.findings),
              .human_ack = human_ack(s.manifest, base_acks, s.findings, s.options.today),
              .protected_changes = protected_surface_changes(s.findings)};
  }
  report.set("verifier_summary", verifier_summary(s.findings, s.decision, blocks));
  report.set("capability_change", std::move(blocks.capability_change));
  report.set("protected_surface_changes", std::move(blocks.protected_changes));
  report.set("effective_policy", effective_policy(s));
  report.set("human_ack", std::move(blocks.human_ack));
}

Value report_of(const Scanned& s) {
  Lens lens = look_through(s.manifest, s.surface, s.findings, s.decision);
  const auto misalignments = static_cast<std::int64_t>(lens.misalignments.size());
  Map report = first_part(s, std::move(lens));
  report.set("run_id", run_id(report, s.findings));
  report.set("agent_summary",
             agent_summary({s.findings, s.decision, s.options.program, json_path(s.options)}));
  report.set("policy_audit", audit_rows(s.overrides));
  report.set("privacy_audit", nullptr);
  report.set("heuristics_filter", document_of(s.filter));
  report.set("reviewer_summary", nullptr);
  set_change_blocks(report, s);
  policy::RedactedValue redacted = policy::redact_document(Value(std::move(report)));
  Map& out = *redacted.value.as_map();
  std::int64_t redactions = 0;
  for (const auto& [kind, count] : redacted.kinds)
    redactions += count;
  out.set("privacy_audit",
          policy::privacy_audit(redacted, output_surfaces(s.options), s.delta.matched_legacy));
  const auto crossed = std::ranges::count_if(s.overrides, &OverrideRow::tier_crossed);
  out.set("reviewer_summary",
          reviewer_summary(
              {.outcome = s.decision.outcome,
               .tool_surface_changes = changes_in(out, "tool_surface_diff", kToolCounters),
               .capability_misalignments = misalignments,
               .action_surface_changes = changes_in(out, "action_surface_diff", kActionCounters),
               .evidence_matrix_gaps = matrix_gaps(evidence_matrix(redacted.value)),
               .overrides_applied = static_cast<std::int64_t>(s.overrides.size()),
               .overrides_tier_crossed = crossed,
               .privacy_redactions = redactions,
               .baseline_integrity_issues = baseline_integrity_issues(s.findings)}));
  return std::move(redacted.value);
}

}  // namespace

Result<ScanReport> scan(const Manifest& manifest, surface::Files& files,
                        const ScanOptions& options) {
  if (options.profile && *options.profile != manifest.profile) {
    Manifest other = manifest;
    other.profile = *options.profile;
    return scan(other, files, options);
  }
  const auto workings =
      std::make_shared<Scanned>(Scanned{.manifest = manifest, .options = options});
  Scanned& s = *workings;
  std::vector<std::string> pack_warnings;
  GH_TRY(packs, load_policy_packs(manifest, options.policy_packs, files, pack_warnings));
  s.packs = std::move(packs);
  GH_TRY(loaded, surface::load_surface(manifest, files));
  s.surface = std::move(loaded);
  std::ranges::move(pack_warnings, std::back_inserter(s.surface.warnings));
  GH_TRY(overrides, resolve_overrides(manifest, s.packs, options.today));
  s.overrides = std::move(overrides);
  GH_TRY(actions, surface::actions_of(manifest, s.surface));
  s.actions = std::move(actions);
  compare_with_reference(s);
  take_change(s);
  auto findings = findings_of(s);
  apply_overrides(findings, s.overrides);
  s.findings = identified(std::move(findings));
  suppress(s.findings, manifest, options.today);
  s.filter = filter_heuristics(s.findings, options.no_heuristics);
  if (options.baseline) hold_against(s, *options.baseline);
  if (options.patch_target) attach_patches(s.findings, manifest, *options.patch_target);
  set_remediation(s.findings, s.manifest.profile);
  s.decision = decide_on(s);
  const bool leaves_rows = options.may_leave_rows && !s.reference;
  if (leaves_rows && rows_hold_no_secret(s.surface, s.actions)) s.rows = Rows::late;
  Value document = report_of(s);
  const auto tools = static_cast<std::int64_t>(s.surface.tools.size());
  return ScanReport{
      std::move(document),
      std::move(s.decision),
      std::move(s.findings),
      tools,
      evidence_rows(s.surface),
      workings,
      s.rows == Rows::late ? late_rows(s.surface, s.actions) : std::vector<LateRows>{}};
}

void write_report(const ScanReport& report, const wire::Sink& sink) {
  std::vector<wire::LateItems> late;
  for (const LateRows& rows : report.late)
    late.push_back({&Peek(report.document)[rows.member][rows.list].list(), rows.count, rows.write});
  wire::write_report_json(report.document, late, sink);
}

}  // namespace gh::release
