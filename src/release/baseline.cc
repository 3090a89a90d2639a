#include "release/baseline.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::release {
namespace {

using surface::is_one_of;

constexpr std::string_view kVersions = "0.2 0.3 0.4 0.5";
constexpr std::string_view kKeys =
    "schema_version project agent created_at source_report_run_id findings tool_surface_facts "
    "action_surface_facts notes";
constexpr std::string_view kEntryKeys = "fingerprint check_id tool_name severity title provenance";
constexpr std::string_view kProvenanceKeys = "scanner_version run_id recorded_at reason expires";

Status check_keys(const Map& map, std::string_view known, std::string_view name) {
  for (const auto& entry : map.entries())
    if (!is_one_of(entry.first, known))
      return fail(Code::json_invalid,
                  fmt::format("{}: unknown key '{}'", name, printable(entry.first, 80)));
  return {};
}

Result<BaselineEntry> read_entry(const Value& v, std::string_view name) {
  if (v.as_map() == nullptr)
    return fail(Code::json_invalid, fmt::format("{}: an entry is no object", name));
  GH_DO(check_keys(*v.as_map(), kEntryKeys, name));
  const Peek at(v);
  BaselineEntry out{std::string(at["fingerprint"].text()), std::string(at["check_id"].text()),
                    std::string(at["tool_name"].text()), std::string(at["severity"].text()),
                    std::string(at["title"].text())};
  if (out.fingerprint.empty() || out.check_id.empty())
    return fail(Code::json_invalid,
                fmt::format("{}: an entry lacks fingerprint or check_id", name));
  if (at["provenance"].exists()) {
    out.provenance = at["provenance"].map();
    GH_DO(check_keys(*out.provenance, kProvenanceKeys, name));
  }
  return out;
}

/// An entry under a legacy id accepts whatever that id stands for, on its tool.
bool accepts_by_alias(const BaselineEntry& entry, const Finding& f) {
  const auto ids = checks::expanded(entry.check_id);
  const bool is_alias = ids.size() != 1 || ids[0] != entry.check_id;
  return is_alias && std::ranges::find(ids, f.check_id) != ids.end() &&
         (entry.tool_name.empty() || entry.tool_name == f.tool_name);
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

Map entry_document(const GatedFinding& g, const BaselineFacts& facts) {
  Value provenance = Map{{"scanner_version", facts.scanner_version},
                         {"run_id", facts.run_id},
                         {"recorded_at", facts.created_at},
                         {"reason", nullptr},
                         {"expires", nullptr}};
  if (facts.prior != nullptr)
    for (const BaselineEntry& known : facts.prior->entries)
      if (known.fingerprint == g.fingerprint && known.provenance) provenance = *known.provenance;
  return {{"fingerprint", g.fingerprint},
          {"check_id", g.finding.check_id},
          {"tool_name", text_or_null(g.finding.tool_name)},
          {"severity", to_string(g.finding.severity)},
          {"title", g.finding.title},
          {"provenance", std::move(provenance)}};
}

}  // namespace

Result<Baseline> read_baseline(std::string_view json, std::string_view name) {
  GH_TRY(root, wire::read_json(json, name));
  const Peek at(root);
  if (root.as_map() == nullptr || !is_one_of(at["schema_version"].text(), kVersions))
    return fail(Code::json_invalid,
                fmt::format("{}: no release baseline of schema {}", name, kVersions));
  GH_DO(check_keys(*root.as_map(), kKeys, name));
  Baseline out{std::string(at["schema_version"].text())};
  for (const Value& item : at["findings"].list()) {
    GH_TRY(entry, read_entry(item, name));
    out.entries.push_back(std::move(entry));
  }
  out.document = std::move(root);
  return out;
}

BaselineDelta match_baseline(Findings& findings, const Baseline& baseline, std::string path) {
  BaselineDelta delta{.enabled = true, .path = std::move(path)};
  std::set<std::string> known, seen;
  for (const BaselineEntry& entry : baseline.entries)
    known.insert(entry.fingerprint);
  for (GatedFinding& g : findings) {
    if (g.suppressed) continue;
    // The fingerprint over evidence as it was before redaction; in memory only.
    const std::string legacy =
        fingerprint_of(g.finding.check_id, g.finding.tool_name, g.finding.evidence);
    const std::string* matched = known.contains(g.fingerprint) ? &g.fingerprint
                                 : known.contains(legacy)      ? &legacy
                                                               : nullptr;
    if (matched != nullptr) seen.insert(*matched);
    delta.matched_legacy = delta.matched_legacy || (matched == &legacy && legacy != g.fingerprint);
    bool by_alias = false;
    for (const BaselineEntry& entry : baseline.entries)
      if (matched == nullptr && accepts_by_alias(entry, g.finding)) {
        by_alias = true;
        seen.insert(entry.fingerprint);
      }
    const bool is_known = matched != nullptr || by_alias;
    g.baseline_status = is_known ? "matched" : "new";
    ++(is_known ? delta.matched : delta.fresh);
  }
  delta.resolved = static_cast<std::int64_t>(known.size() - seen.size());
  return delta;
}

std::string write_baseline(const Findings& findings, const BaselineFacts& facts) {
  List entries;
  for (const GatedFinding& g : findings)
    if (g.is_active()) entries.emplace_back(entry_document(g, facts));
  Map out{{"schema_version", "0.5"},
          {"project", facts.project},
          {"agent", facts.agent},
          {"created_at", facts.created_at},
          {"source_report_run_id", facts.run_id},
          {"findings", std::move(entries)},
          {"tool_surface_facts", facts.tool_surface_facts},
          {"action_surface_facts", facts.action_surface_facts},
          {"notes", List{}}};
  if (facts.prior != nullptr) {  // an idle save changes no byte
    Map same = out;
    same.set("created_at", *facts.prior->document.as_map()->find("created_at"));
    if (same == *facts.prior->document.as_map()) out = std::move(same);
  }
  return wire::report_json(out) + "\n";
}

}  // namespace gh::release
