#include "release/baseline.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "policy/redact.h"
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

bool is_alias(const BaselineEntry& entry) {
  return std::ranges::find(checks::aliases(), entry.check_id, &checks::Alias::id) !=
         checks::aliases().end();
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

using Provenances = std::map<std::string_view, const Map*>;  // by fingerprint

/// What is there stays.
void fill(Map& provenance, const BaselineFacts& facts) {
  for (const auto& [key, text] :
       {std::pair{"reason", &facts.reason}, std::pair{"expires", &facts.expires}}) {
    const Value* held = provenance.find(key);
    if (!text->empty() && (held == nullptr || held->is_null())) provenance.set(key, *text);
  }
}

Map entry_document(const GatedFinding& g, const BaselineFacts& facts, const Provenances& known) {
  Value provenance = Map{{"scanner_version", facts.scanner_version},
                         {"run_id", facts.run_id},
                         {"recorded_at", facts.created_at},
                         {"reason", text_or_null(facts.reason)},
                         {"expires", text_or_null(facts.expires)}};
  if (const auto prior = known.find(g.fingerprint); prior != known.end()) {
    provenance = *prior->second;
    if (facts.fills_existing) fill(*provenance.as_map(), facts);
  }
  Map out{{"fingerprint", g.fingerprint},
          {"check_id", g.finding.check_id},
          {"tool_name", text_or_null(g.finding.tool_name)},
          {"severity", to_string(g.finding.severity)},
          {"title", g.finding.title},
          {"provenance", std::move(provenance)}};
  // The file is committed. Entries are known by their fingerprints, which are of the names as they
  // are.
  return *policy::redact_document(Value(std::move(out))).value.as_map();
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

bool accepts_by_alias(const BaselineEntry& alias, const Finding& f) {
  const auto ids = checks::expanded(alias.check_id);
  return is_alias(alias) && std::ranges::find(ids, f.check_id) != ids.end() &&
         (alias.tool_name.empty() || alias.tool_name == f.tool_name ||
          alias.tool_name == policy::redact(f.tool_name).text);
}

BaselineDelta match_baseline(Findings& findings, const Baseline& baseline, std::string path) {
  BaselineDelta delta{.enabled = true, .path = std::move(path)};
  std::set<std::string> known, seen;
  std::vector<const BaselineEntry*> by_legacy_id;
  for (const BaselineEntry& entry : baseline.entries) {
    known.insert(entry.fingerprint);
    if (is_alias(entry)) by_legacy_id.push_back(&entry);
  }
  for (GatedFinding& g : findings) {
    if (g.suppressed) continue;
    const auto others = known.contains(g.fingerprint) ? std::vector<std::string>{g.fingerprint}
                                                      : other_fingerprints(g.finding);
    const auto matched =
        std::ranges::find_if(others, [&](const std::string& fp) { return known.contains(fp); });
    if (matched != others.end()) seen.insert(*matched);
    // The first of the others is the one over evidence as it was before masking.
    delta.matched_legacy = delta.matched_legacy || (matched == others.begin() && !others.empty() &&
                                                    others.front() != g.fingerprint);
    bool by_alias = false;
    for (const BaselineEntry* entry : by_legacy_id)
      if (matched == others.end() && accepts_by_alias(*entry, g.finding)) {
        by_alias = true;
        seen.insert(entry->fingerprint);
      }
    const bool is_known = matched != others.end() || by_alias;
    g.baseline_status = is_known ? "matched" : "new";
    ++(is_known ? delta.matched : delta.fresh);
  }
  delta.resolved = static_cast<std::int64_t>(known.size() - seen.size());
  return delta;
}

std::string write_baseline(const Findings& findings, const BaselineFacts& facts) {
  Provenances known;
  if (facts.prior != nullptr)
    for (const BaselineEntry& entry : facts.prior->entries)
      if (entry.provenance) known.insert_or_assign(entry.fingerprint, &*entry.provenance);
  List entries;
  for (const GatedFinding& g : findings)
    if (g.is_active()) entries.emplace_back(entry_document(g, facts, known));
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
