// What a change does to the gate itself (release-gate 17.3). Each of them is silent without a
// verification.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/check_groups.h"
#include "checks/verification.h"

namespace gh::checks {
namespace {

using Texts = std::vector<std::string>;

std::vector<std::string> only_in(const Texts& these, const Texts& those) {
  Texts out;
  for (const std::string& text : these)
    if (!std::ranges::binary_search(those, text)) out.push_back(text);
  return out;
}

int mode_rank(std::string_view mode) { return surface::is_one_of(mode, "strict block") ? 1 : 0; }
int integrity_rank(std::string_view mode) {
  if (mode == "strict") return 2;
  return mode == "off" ? 0 : 1;
}

List names_of(const std::vector<FindingSeverity>& severities) {
  List out;
  for (const FindingSeverity severity : severities)
    out.emplace_back(to_string(severity));
  return out;
}

FindingSource changed_file(const std::string& path) {
  return {.type = "changed_file", .ref = path, .place = {.path = path}};
}

void weakened(const Check& check, Found& found, std::string what, Map evidence) {
  found.about_agent(check, {.what = std::move(what), .evidence = std::move(evidence)});
}

void weakened_modes(const Check& check, const Verification& v, Found& found) {
  if (mode_rank(v.head.ci_mode) < mode_rank(v.base->ci_mode))
    weakened(check, found, fmt::format("ci.mode {} -> {}", v.base->ci_mode, v.head.ci_mode),
             {{"kind", "ci_mode_weakened"},
              {"base_ci_mode", v.base->ci_mode},
              {"head_ci_mode", v.head.ci_mode}});
  std::vector<FindingSeverity> gone;
  for (const FindingSeverity severity : v.base->fail_on)
    if (std::ranges::find(v.head.fail_on, severity) == v.head.fail_on.end())
      gone.push_back(severity);
  if (!gone.empty())
    weakened(check, found, "ci.fail_on lost severities",
             {{"kind", "fail_on_loosened"},
              {"removed_severities", names_of(gone)},
              {"base_fail_on", names_of(v.base->fail_on)},
              {"head_fail_on", names_of(v.head.fail_on)}});
  if (integrity_rank(v.head.integrity_mode) < integrity_rank(v.base->integrity_mode))
    weakened(check, found,
             fmt::format("baseline.integrity_mode {} -> {}", v.base->integrity_mode,
                         v.head.integrity_mode),
             {{"kind", "integrity_mode_weakened"},
              {"base_integrity_mode", v.base->integrity_mode},
              {"head_integrity_mode", v.head.integrity_mode}});
}

void without_base(const Check& check, const Verification& v, Found& found) {
  Texts files;
  for (const std::string& file : v.changed_files)
    if (is_policy_file(file)) files.push_back(file);
  if (files.empty()) return;
  std::ranges::sort(files);
  found.about_agent(check, {.what = "there is no base to compare with",
                            .evidence = {{"kind", "base_snapshot_unavailable"},
                                         {"changed_policy_files", string_list(files)}},
                            .severity = FindingSeverity::medium,
                            .source = changed_file(files.front())});
}

void files_of_kind(const Check& check, const Scan& scan, Found& found, std::string_view kind,
                   std::string key, bool (*fits)(std::string_view)) {
  if (scan.verification == nullptr) return;
  Texts files;
  for (const std::string& file : scan.verification->changed_files)
    if (fits(file)) files.push_back(file);
  // By another name, as links of the tree have it.
  for (const TouchedRoot& root : scan.verification->touched)
    if (!root.name.empty() && fits(root.name)) files.push_back(root.file);
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  if (files.empty()) return;
  Map evidence{{"kind", kind}};
  evidence.set(std::move(key), string_list(files));
  found.about_agent(check, {.what = join(files, ", "),
                            .evidence = std::move(evidence),
                            .source = changed_file(files.front())});
}

}  // namespace

std::map<std::string, SeverityPair> overridden(const Verification& v) {
  std::map<std::string, SeverityPair> out;
  const auto standard = [&](const std::string& id) -> std::optional<FindingSeverity> {
    if (const auto known = v.standard_severities.find(id); known != v.standard_severities.end())
      return known->second;
    if (const Check* check = find_check(id)) return check->severity;
    if (const CoveredCheck* check = find_covered_check(id)) return check->severity;
    return std::nullopt;
  };
  const auto take = [&](const auto& overrides, FindingSeverity SeverityPair::*side) {
    for (const auto& [id, severity] : overrides)
      for (const std::string_view one : expanded(id)) {
        const std::string target(one);
        if (!out.contains(target)) {
          // Of an id that nobody knows any more only both sides together tell something.
          const auto known = standard(target);
          out.emplace(target, SeverityPair{known.value_or(severity), known.value_or(severity)});
        }
        out.at(target).*side = severity;
      }
  };
  take(v.base->severity_overrides, &SeverityPair::base);
  take(v.head.severity_overrides, &SeverityPair::head);
  return out;
}

void trust_root_touched(const Check& check, const Scan& scan, Found& found) {
  if (scan.verification == nullptr) return;
  for (const TouchedRoot& root : scan.verification->touched)
    found.about_agent(check, {.what = root.file,
                              .evidence = {{"changed_file", root.file},
                                           {"trust_root_class", root.kind},
                                           {"matched_glob", root.glob}},
                              .source = changed_file(root.file)});
}

void policy_weakened(const Check& check, const Scan& scan, Found& found) {
  if (scan.verification == nullptr) return;
  const Verification& v = *scan.verification;
  if (!v.base) return without_base(check, v, found);
  weakened_modes(check, v, found);
  for (const auto& [id, severity] : overridden(v))
    if (severity.head < severity.base)
      weakened(check, found,
               fmt::format("{} {} -> {}", id, to_string(severity.base), to_string(severity.head)),
               {{"kind", "severity_override_lowered"},
                {"target_check_id", id},
                {"base_severity", to_string(severity.base)},
                {"head_severity", to_string(severity.head)}});
}

void waiver_expanded(const Check& check, const Scan& scan, Found& found) {
  if (scan.verification == nullptr || !scan.verification->base) return;
  const Verification& v = *scan.verification;
  const Texts ids = only_in(v.head.suppressed_check_ids, v.base->suppressed_check_ids);
  if (!ids.empty())
    weakened(check, found, fmt::format("suppressions of {}", join(ids, ", ")),
             {{"kind", "suppression_expanded"}, {"added_check_ids", string_list(ids)}});
  Texts scopes;
  for (const std::string& scope : only_in(v.head.waiver_scopes, v.base->waiver_scopes)) {
    const std::string id = scope.substr(0, scope.find(':'));
    if (!std::ranges::binary_search(ids, id) &&
        !std::ranges::binary_search(v.base->waiver_scopes, id + ":*"))
      scopes.push_back(scope);
  }
  if (!scopes.empty())
    weakened(check, found, fmt::format("waivers for {}", join(scopes, ", ")),
             {{"kind", "waiver_expanded"}, {"added_scopes", string_list(scopes)}});
  if (!v.base_accepted) return;
  Texts accepted;
  std::ranges::set_difference(v.head_accepted, *v.base_accepted, std::back_inserter(accepted));
  if (!accepted.empty())
    weakened(check, found, fmt::format("{} accepted finding(s)", accepted.size()),
             {{"kind", "baseline_expanded"}, {"added_fingerprints", string_list(accepted)}});
}

void ci_gate_removed(const Check& check, const Scan& scan, Found& found) {
  if (scan.verification == nullptr) return;
  const Verification& v = *scan.verification;
  if (!v.removed_gates.empty())
    found.about_agent(check,
                      {.what = join(v.removed_gates, ", "),
                       .evidence = {{"kind", "ci_gate_removed"},
                                    {"removed_workflow_files", string_list(v.removed_gates)}},
                       .source = changed_file(v.removed_gates.front())});
  for (const NeuteredGate& gate : v.neutered)
    found.about_agent(check,
                      {.what = gate.file,
                       .evidence = {{"kind", "ci_gate_neutered"},
                                    {"workflow_file", gate.file},
                                    {"job", gate.job},
                                    {"causes", string_list(gate.causes)}},
                       .source = changed_file(gate.file),
                       .title = fmt::format("The gate job {} of {} can stop nothing any more: {}",
                                            gate.job, gate.file, join(gate.causes, ", "))});
}

void instructions_weakened(const Check& check, const Scan& scan, Found& found) {
  files_of_kind(check, scan, found, "agent_instructions_changed", "changed_instruction_files",
                is_instruction_file);
}

void trigger_catalogue_drift(const Check& check, const Scan& scan, Found& found) {
  files_of_kind(check, scan, found, "trigger_catalog_drift", "changed_trigger_files",
                is_trigger_catalogue);
}

}  // namespace gh::checks
