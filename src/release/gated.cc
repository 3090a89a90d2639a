#include "release/gated.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "model/peek.h"
#include "policy/redact.h"
#include "surface/actions.h"
#include "wire/spaced_json.h"

namespace gh::release {
namespace {

constexpr std::size_t kFingerprintLength = 16, kSuffixLength = 8;
constexpr std::string_view kFiltered = "filtered by --no-heuristics";

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

std::string digest_start(const Value& value, std::size_t length) {
  return digest_of(wire::identity_json(value, surface::kNotIdentity)).hex().substr(0, length);
}

/// Tells findings apart that share a fingerprint.
std::string suffix_of(const Finding& f) {
  return digest_start(Map{{"agent_id", text_or_null(f.agent_id)},
                          {"category", f.category},
                          {"check_id", f.check_id},
                          {"confidence", to_string(f.confidence)},
                          {"recommendation", f.recommendation},
                          {"source", f.source ? Value(full_document_of(*f.source)) : Value()},
                          {"title", f.title},
                          {"tool_id", text_or_null(f.tool_id)},
                          {"tool_name", text_or_null(f.tool_name)}},
                      kSuffixLength);
}

bool is_immune(const Finding& f) { return f.category == "verify" || f.category == "baseline"; }

bool fits(const surface::IgnoreEntry& entry, const Finding& f) {
  const auto ids = checks::expanded(entry.check_id);
  if (std::ranges::find(ids, f.check_id) == ids.end()) return false;
  if (entry.tool.empty()) return true;
  if (f.check_id == checks::kFlowRule) return entry.tool == checks::triple_of(f.evidence);
  return entry.tool == f.tool_name || entry.tool == f.tool_id || "tool:" + entry.tool == f.tool_id;
}

bool is_manual(const Value& patch) { return Peek(patch)["kind"].text() == "manual"; }
bool is_sure(const Value& patch) { return Peek(patch)["confidence"].text() == "high"; }

/// What cannot gate does not ask for a person either.
bool is_reviewed(const Finding& f, const checks::Check* check, surface::Profile profile) {
  if (checks::is_own_rule(f.check_id) && profile == surface::Profile::compat) return false;
  return check == nullptr || check->reviewed;
}

void set_fields(GatedFinding& f, surface::Profile profile) {
  const checks::Check* check = checks::find_check(f.finding.check_id);
  f.docs_url = check != nullptr ? checks::docs_url(check->id) : "";
  if (!f.patches) {
    f.autofix_safe = false;
    f.requires_human_review = is_reviewed(f.finding, check, profile);
    f.patch_kind = check != nullptr ? std::string(check->patch) : "manual";
    return;
  }
  const List& patches = *f.patches;
  const auto first = std::ranges::find_if_not(patches, is_manual);
  f.autofix_safe = !patches.empty() && std::ranges::none_of(patches, is_manual) &&
                   std::ranges::all_of(patches, is_sure);
  if (check != nullptr && check->human) f.autofix_safe = false;
  f.requires_human_review = !f.autofix_safe && is_reviewed(f.finding, check, profile);
  f.patch_kind = patches.empty()          ? "none"
                 : first == patches.end() ? "manual"
                                          : std::string(Peek(*first)["kind"].text());
}

std::string action_of(const GatedFinding& f) {
  const std::string_view otherwise =
      f.requires_human_review ? "escalate_to_human" : "informational";
  if (f.suppressed) return "informational";
  if (!f.patches || f.patches->empty()) return std::string(otherwise);
  const auto first = std::ranges::find_if_not(*f.patches, is_manual);
  if (first == f.patches->end()) return "escalate_to_human";
  if (f.autofix_safe && is_sure(*first)) return "auto_apply";
  if (Peek(*first)["confidence"].exists()) return "propose_patch_for_review";
  return std::string(otherwise);
}

}  // namespace

Map document_of(const GatedFinding& g) {
  const Finding& f = g.finding;
  Map out{
      {"id", g.id},
      {"fingerprint", g.fingerprint},
      {"check_id", f.check_id},
      {"title", f.title},
      {"severity", to_string(f.severity)},
      {"category", f.category},
      {"tool_id", text_or_null(f.tool_id)},
      {"tool_name", text_or_null(f.tool_name)},
      {"agent_id", text_or_null(f.agent_id)},
      {"evidence", f.evidence},
      {"confidence", to_string(f.confidence)},
      {"provenance_kind", to_string(f.provenance)},
      {"source", f.source ? Value(document_of(*f.source)) : Value()},
      {"policy_evidence_source", f.policy_source ? Value(document_of(*f.policy_source)) : Value()},
      {"recommendation", f.recommendation},
      {"blocks_release", f.blocks_release},
      {"suppressed", g.suppressed},
      {"suppression_reason", text_or_null(g.suppression_reason)},
      {"baseline_status", text_or_null(g.baseline_status)}};
  if (g.patches) out.set("patches", *g.patches);
  out.set("autofix_safe", g.autofix_safe);
  out.set("requires_human_review", g.requires_human_review);
  out.set("suggested_patch_kind", g.patch_kind);
  out.set("docs_url", text_or_null(g.docs_url));
  out.set("agent_action", g.agent_action);
  return out;
}

std::string fingerprint_of(std::string_view check_id, std::string_view tool_name,
                           const Map& evidence) {
  return "fp_" + digest_start(Map{{"check_id", check_id},
                                  {"tool_name", text_or_null(std::string(tool_name))},
                                  {"evidence", evidence}},
                              kFingerprintLength);
}

std::vector<std::string> other_fingerprints(const Finding& f) {
  const Value masked = policy::redact_document(f.evidence).value;
  return {fingerprint_of(f.check_id, f.tool_name, f.evidence),
          "fp_" + digest_start(Map{{"check_id", f.check_id},
                                   {"evidence", masked},
                                   {"fingerprint_version", "2"},
                                   {"tool_id", text_or_null(f.tool_id)}},
                               kFingerprintLength)};
}

Findings identified(std::vector<Finding> findings) {
  Findings out;
  std::map<std::string, int> times;
  for (Finding& f : findings) {
    GatedFinding g{.finding = std::move(f)};
    const Value redacted = policy::redact_document(g.finding.evidence).value;
    g.fingerprint = fingerprint_of(g.finding.check_id, g.finding.tool_name, *redacted.as_map());
    ++times[g.fingerprint];
    out.push_back(std::move(g));
  }
  std::map<std::string, int> given;
  for (GatedFinding& g : out) {
    g.id = times[g.fingerprint] == 1 ? g.fingerprint
                                     : fmt::format("{}_{}", g.fingerprint, suffix_of(g.finding));
    if (const int n = ++given[g.id]; n > 1) g.id += fmt::format("_{}", n);
  }
  return out;
}

void set_remediation(Findings& findings, surface::Profile profile) {
  for (GatedFinding& f : findings) {
    set_fields(f, profile);
    f.agent_action = action_of(f);
  }
}

void suppress(Findings& findings, const surface::Manifest& manifest, std::string_view today) {
  for (GatedFinding& g : findings) {
    if (is_immune(g.finding)) continue;
    const auto entry = std::ranges::find_if(manifest.ignore, [&](const surface::IgnoreEntry& e) {
      return fits(e, g.finding) && !surface::is_expired(e, today);
    });
    if (entry == manifest.ignore.end()) continue;
    g.suppressed = true;
    g.suppression_reason = entry->reason;
  }
}

HeuristicsFilter filter_heuristics(Findings& findings, bool enabled) {
  HeuristicsFilter out{.enabled = enabled};
  if (!enabled) return out;
  std::map<std::string, std::int64_t> counts;
  for (GatedFinding& g : findings) {
    if (g.finding.provenance != checks::Provenance::keyword_heuristic &&
        g.finding.provenance != checks::Provenance::regex_heuristic)
      continue;
    ++out.filtered;
    ++counts[std::string(to_string(g.finding.provenance))];
    if (!g.suppressed) g.suppression_reason = kFiltered;
    g.suppressed = true;
  }
  for (const auto& [kind, count] : counts)
    out.by_kind.set(kind, count);
  return out;
}

Map document_of(const HeuristicsFilter& f) {
  return {{"enabled", f.enabled},
          {"excluded_provenance_kinds", List{"keyword_heuristic", "regex_heuristic"}},
          {"filtered_finding_count", f.filtered},
          {"filtered_by_kind", f.by_kind}};
}

}  // namespace gh::release
