// Scope, policy, evidence, side effects (tool-surface 13.5, 13.6).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/check_groups.h"
#include "model/peek.h"

namespace gh::checks {
namespace {

using surface::is_one_of;
using surface::Tool;

// table: words of scope rules
constexpr std::string_view kStopWords = "a an and before for from the to with without";
constexpr std::string_view kReadWords =
    "answer lookup lookups read readonly read-only search status view";
constexpr std::string_view kActWords =
    "cancel create delete email issue modify refund remove send update write";

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool continues(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

bool any_in(const std::vector<std::string>& words, std::string_view known) {
  return std::ranges::any_of(words, [&](const std::string& w) { return is_one_of(w, known); });
}

bool is_reading_purpose(const std::vector<std::string>& purposes) {
  std::string text = surface::lower_case(join(purposes, " "));
  std::ranges::replace(text, '_', '-');
  const auto words = scope_words(text);
  return any_in(words, kReadWords) && !any_in(words, kActWords);
}

bool matches(const std::string& prohibited, const Tool& tool) {
  const std::string text = surface::lower_case(tool.name + " " + tool.description);
  const auto all_words = scope_words(prohibited);
  const std::set<std::string> words(all_words.begin(), all_words.end());
  const auto hits =
      std::ranges::count_if(words, [&](const std::string& w) { return contains(text, w); });
  if (hits >= 2) return true;
  if ((contains(prohibited, "email") || contains(prohibited, "external")) &&
      has(tool, {"external_write", "customer_communication"}))
    return true;
  if (contains(prohibited, "refund") && has(tool, {"financial_action"}) && is_write(tool))
    return true;
  return contains(prohibited, "cancel") && has(tool, {"destructive"});
}

bool names(const surface::Controls& controls, const Tool& tool) {
  return std::ranges::any_of(controls, [&](const auto& entry) { return entry.tool == tool.name; });
}

/// The prohibition names a control, and the manifest has that control for the tool.
bool is_mitigated(const std::string& prohibited, const Tool& tool, const surface::Manifest& m) {
  return (contains(prohibited, "approval") && names(m.approval, tool)) ||
         (contains(prohibited, "confirmation") && names(m.confirmation, tool)) ||
         (contains(prohibited, "idempotency") && names(m.idempotency, tool));
}

Value provenance_of(const surface::ValidationEvidence& evidence, std::string_view type) {
  List out;
  for (const auto& s : evidence.sources)
    if (s.type == type || s.type == "manifest_requirement")
      out.emplace_back(Map{{"type", s.type},
                           {"ref", s.ref.empty() ? Value() : Value(s.ref)},
                           {"location", s.location.empty() ? Value() : Value(s.location)},
                           {"status", s.status},
                           {"detail", s.detail.empty() ? Value() : Value(s.detail)}});
  return out;
}

struct ReviewFlag {
  std::string_view name;
  bool surface::ValidationBlock::*flag;
};
// table: flags of limited auto-approval
constexpr std::array<ReviewFlag, 3> kReviewFlags{{
    {"approval_trace_required", &surface::ValidationBlock::approval_trace_required},
    {"override_reason_required", &surface::ValidationBlock::override_reason_required},
    {"high_risk_auto_approval_exclusion_required", &surface::ValidationBlock::exclusion_required},
}};

/// The flag may stand in the criteria themselves or below required_evidence.
bool criteria_have(const Map& criteria, std::string_view flag) {
  const Value root(criteria);
  return Peek(root)[flag].is_true() || Peek(root)["required_evidence"][flag].is_true();
}

}  // namespace

std::vector<std::string> scope_words(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at]) || at + 1 == text.size() || !continues(text[at + 1])) {
      ++at;
      continue;
    }
    const std::size_t start = at;
    while (at < text.size() && continues(text[at]))
      ++at;
    const std::string_view word = text.substr(start, at - start);
    if (!is_one_of(word, kStopWords)) out.emplace_back(word);
  }
  return out;
}

// ------------------------------------------------------------------------------------------ scope

void outside_purpose(const Check& check, const Scan& scan, Found& found) {
  if (!is_reading_purpose(scan.manifest.declared_purpose)) return;
  for (const Tool& tool : scan.surface.tools)
    if (is_write(tool))
      found.about_tool(
          check, tool,
          {.evidence = {{"declared_purpose", string_list(scan.manifest.declared_purpose)},
                        {"risk_tags", tags_of(tool)}}});
}

void prohibited_present(const Check& check, const Scan& scan, Found& found) {
  const auto& prohibited = scan.manifest.prohibited_actions;
  for (const Tool& tool : scan.surface.tools) {
    if (is_read_only(tool)) continue;
    for (std::size_t i = 0; i < prohibited.size(); ++i) {
      const std::string lower = surface::lower_case(prohibited[i]);
      if (!matches(lower, tool) || is_mitigated(lower, tool, scan.manifest)) continue;
      found.about_tool(
          check, tool,
          {.what = prohibited[i],
           .evidence = {{"prohibited_action", prohibited[i]}, {"risk_tags", tags_of(tool)}},
           .pointer = fmt::format("/agent/prohibited_actions/{}", i)});
      break;
    }
  }
}

// ----------------------------------------------------------------------------------------- policy

void approval_missing(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools)
    if (!is_read_only(tool) &&
        has(tool, {"financial_action", "destructive", "infrastructure_change", "code_execution"}) &&
        !scan.surface.approval_tools.contains(tool.name))
      found.about_tool(check, tool,
                       {.evidence = {{"risk_tags", tags_of(tool)}, {"policy_match", nullptr}}});
}

void confirmation_missing(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools)
    if (!is_read_only(tool) &&
        has(tool, {"destructive", "external_write", "customer_communication"}) &&
        !scan.surface.confirmation_tools.contains(tool.name))
      found.about_tool(check, tool,
                       {.evidence = {{"risk_tags", tags_of(tool)}, {"policy_match", nullptr}}});
}

void idempotency_missing(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    if (!is_write(tool) || !has(tool, {"financial_action", "destructive", "external_write"}) ||
        has_idempotency_evidence(tool, scan.surface.idempotency_tools))
      continue;
    const bool retries = surface::is_truthy(tool.annotations.find("retryPolicy"));
    Told told{.evidence = {{"risk_tags", tags_of(tool)}, {"retry_policy_known", retries}}};
    if (retries) {
      told.severity = FindingSeverity::critical;
      told.confidence = Confidence::high;
    }
    found.about_tool(check, tool, std::move(told));
  }
}

// --------------------------------------------------------------------------------------- evidence

void approval_trace_missing(const Check& check, const Scan& scan, Found& found) {
  if (!scan.manifest.validation || !scan.manifest.validation->approval_trace_required) return;
  const surface::ValidationEvidence& evidence = *scan.surface.validation;
  std::set<std::string> approved;
  for (const auto& event : evidence.approvals)
    if (event.approved == true) approved.insert(event.tool_name);
  for (const std::string& name : scan.surface.approval_tools) {
    if (approved.contains(name)) continue;
    const Tool* tool = scan.surface.tool_named(name);
    Told told{.what = name,
              .evidence = {{"tool_name", name},
                           {"required", "approval_trace_required"},
                           {"reason", evidence.trace_files.empty() ? "file_missing"
                                      : evidence.approvals.empty() ? "no_trace_events"
                                                                   : "approved_trace_missing"},
                           {"trace_files", string_list(evidence.trace_files)},
                           {"approved_tools", string_list({approved.begin(), approved.end()})},
                           {"source_provenance", provenance_of(evidence, "approval_trace")}}};
    if (tool != nullptr) {
      found.about_tool(check, *tool, std::move(told));
      continue;
    }
    told.confidence = Confidence::medium;
    found.about_agent(check, std::move(told));
    found.findings.back().tool_name = name;
  }
}

void override_reason_missing(const Check& check, const Scan& scan, Found& found) {
  if (!scan.manifest.validation || !scan.manifest.validation->override_reason_required) return;
  const surface::ValidationEvidence& evidence = *scan.surface.validation;
  const auto missing = std::ranges::count_if(
      evidence.overrides, [](const auto& event) { return surface::trimmed(event.reason).empty(); });
  const std::string_view reason = evidence.override_files.empty() ? "file_missing"
                                  : evidence.overrides.empty()    ? "no_override_events"
                                  : missing > 0                   ? "reason_missing"
                                                                  : "";
  if (reason.empty()) return;
  found.about_agent(check,
                    {.evidence = {{"required", "override_reason_required"},
                                  {"reason", reason},
                                  {"override_log_files", string_list(evidence.override_files)},
                                  {"events_missing_reason", std::int64_t{missing}},
                                  {"source_provenance", provenance_of(evidence, "override_log")}}});
}

void exclusion_missing(const Check& check, const Scan& scan, Found& found) {
  if (!scan.manifest.validation || !scan.manifest.validation->exclusion_required) return;
  const surface::ValidationEvidence& evidence = *scan.surface.validation;
  std::set<std::string> excluded;
  for (const auto& exclusion : evidence.exclusions)
    excluded.insert(exclusion.tool);
  std::vector<const Tool*> risky;
  for (const Tool& tool : scan.surface.tools)
    if (is_high_risk(tool) && scan.surface.approval_tools.contains(tool.name) &&
        !excluded.contains(tool.name))
      risky.push_back(&tool);
  std::ranges::sort(risky, {}, [](const Tool* t) { return t->name; });
  for (const Tool* tool : risky)
    found.about_tool(
        check, *tool,
        {.evidence = {
             {"required", "high_risk_auto_approval_exclusion_required"},
             {"reason", evidence.exclusion_files.empty() ? "file_missing" : "tool_missing"},
             {"risk_tags", tags_of(*tool)},
             {"exclusion_files", string_list(evidence.exclusion_files)},
             {"excluded_tools", string_list({excluded.begin(), excluded.end()})},
             {"source_provenance", provenance_of(evidence, "high_risk_exclusion")}}});
}

void promotion_criteria_missing(const Check& check, const Scan& scan, Found& found) {
  constexpr std::string_view kPosture = "limited_auto_approval";
  if (!scan.manifest.validation || scan.manifest.validation->posture != kPosture) return;
  const surface::ValidationEvidence& evidence = *scan.surface.validation;
  const auto criteria = std::ranges::find_if(evidence.criteria, [&](const Map& c) {
    return Peek(c.find("target_review_posture")).text() == kPosture;
  });
  std::vector<std::string> by_manifest, by_criteria;
  for (const ReviewFlag& row : kReviewFlags) {
    if (!(*scan.manifest.validation.*row.flag)) by_manifest.emplace_back(row.name);
    if (criteria == evidence.criteria.end() || !criteria_have(*criteria, row.name))
      by_criteria.emplace_back(row.name);
  }
  const bool no_file = evidence.criteria_files.empty();
  if (!no_file && by_manifest.empty() && by_criteria.empty()) return;
  found.about_agent(
      check, {.evidence = {{"target_review_posture", kPosture},
                           {"reason", no_file ? "file_missing" : "flags_missing"},
                           {"criteria_files", string_list(evidence.criteria_files)},
                           {"manifest_flags_missing", string_list(by_manifest)},
                           {"criteria_flags_missing", string_list(by_criteria)},
                           {"source_provenance", provenance_of(evidence, "promotion_criteria")}}});
}

}  // namespace gh::checks
