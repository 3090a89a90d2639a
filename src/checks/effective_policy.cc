#include "checks/effective_policy.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/peek.h"

namespace gh::checks {
namespace {

std::vector<std::string> texts(const List& list) {
  std::set<std::string> out;
  for (const Value& item : list)
    out.emplace(Peek(item).text());
  return {out.begin(), out.end()};
}

std::vector<std::string> sorted(const std::set<std::string>& set) {
  return {set.begin(), set.end()};
}

/// "0.22" is newer than "0.9".
bool has_policy_block(std::string_view version) {
  constexpr int kMajor = 0, kMinor = 22;
  const std::size_t dot = version.find('.');
  if (dot == version.npos) return false;
  const int major = std::atoi(std::string(version.substr(0, dot)).c_str());
  const int minor = std::atoi(std::string(version.substr(dot + 1)).c_str());
  return major > kMajor || (major == kMajor && minor >= kMinor);
}

}  // namespace

EffectivePolicy policy_of(const surface::Manifest& m) {
  EffectivePolicy out;
  out.ci_mode = m.ci_mode;
  if (m.fail_on) {
    const std::set<surface::FindingSeverity> all(m.fail_on->begin(), m.fail_on->end());
    out.fail_on.assign(all.begin(), all.end());
  }
  std::set<std::string> ids, scopes;
  for (const surface::IgnoreEntry& entry : m.ignore) {
    ids.insert(entry.check_id);
    scopes.insert(fmt::format("{}:{}", entry.check_id, entry.tool.empty() ? "*" : entry.tool));
  }
  out.suppressed_check_ids = sorted(ids);
  out.waiver_scopes = sorted(scopes);
  for (const surface::SeverityOverride& given : m.severity_overrides)
    out.severity_overrides[given.check_id] = given.severity;
  out.integrity_mode = m.integrity_mode;
  return out;
}

Map document_of(const EffectivePolicy& p, Snapshot snapshot) {
  List fail_on;
  for (const auto severity : p.fail_on)
    fail_on.emplace_back(to_string(severity));
  Map overrides;
  for (const auto& [id, severity] : p.severity_overrides)
    overrides.set(id, to_string(severity));
  return {{"ci_mode", p.ci_mode},
          {"fail_on", std::move(fail_on)},
          {"suppressed_check_ids", string_list(p.suppressed_check_ids)},
          {"waiver_scopes", string_list(p.waiver_scopes)},
          {"severity_overrides", std::move(overrides)},
          {"baseline_integrity_mode", p.integrity_mode},
          {"baseline_fingerprints", string_list(p.baseline_fingerprints)},
          {"ci_gate_present", p.ci_gate_present},
          {"snapshot", snapshot == Snapshot::declared ? "declared" : "default"}};
}

std::optional<EffectivePolicy> declared_policy(const Value& report) {
  const Peek at = Peek(report)["effective_policy"];
  if (!at.exists() || at["snapshot"].text() == "default" ||
      !has_policy_block(Peek(report)["report_schema_version"].text()))
    return std::nullopt;
  EffectivePolicy out;
  out.ci_mode = at["ci_mode"].text();
  for (const Value& item : at["fail_on"].list())
    if (const auto severity = surface::severity_named(Peek(item).text()))
      out.fail_on.push_back(*severity);
  std::ranges::sort(out.fail_on);
  out.suppressed_check_ids = texts(at["suppressed_check_ids"].list());
  out.waiver_scopes = texts(at["waiver_scopes"].list());
  for (const auto& [id, severity] : at["severity_overrides"].map().entries())
    if (const auto known = surface::severity_named(Peek(severity).text()))
      out.severity_overrides[id] = *known;
  out.integrity_mode = at["baseline_integrity_mode"].text();
  out.baseline_fingerprints = texts(at["baseline_fingerprints"].list());
  out.ci_gate_present = !at["ci_gate_present"].exists() || at["ci_gate_present"].is_true();
  return out;
}

}  // namespace gh::checks
