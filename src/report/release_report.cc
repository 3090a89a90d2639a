#include "report/release_report.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/data.h"
#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "report/columns.h"
#include "wire/json.h"
#include "wire/markdown.h"
#include "wire/spaced_json.h"
#include "wire/yaml.h"

namespace gh::report {
namespace {

constexpr std::string_view kCheckFile = "rules/checks.yaml";
constexpr std::array<std::string_view, 5> kSeverities{"critical", "high", "medium", "low", "info"};
constexpr std::size_t kMaxTitle = 200;

bool is_active(const Value& finding) { return !Peek(finding)["suppressed"].is_true(); }

Ink ink_of(std::string_view decision) {
  if (decision == "passed") return Ink::good;
  return decision == "blocked" ? Ink::bad : Ink::warning;
}

Ink severity_ink(std::string_view severity) {
  if (severity == "critical" || severity == "high") return Ink::bad;
  return severity == "medium" ? Ink::warning : Ink::dim;
}

std::string place_of(const Peek& source) {
  std::string out(source["path"].text());
  if (out.empty()) return std::string(source["ref"].text());
  if (source["start_line"].number() > 0) out += fmt::format(":{}", source["start_line"].number());
  return out;
}

void append_finding(std::string& out, const Value& value, const Look& look) {
  const Peek f(value);
  const std::string_view severity = f["severity"].text();
  out += fmt::format("{}  {}  {}\n", paint(look, severity_ink(severity), padded(severity, 8)),
                     f["check_id"].text(), paint(look, Ink::dim, f["id"].text()));
  out += fmt::format("          {}\n", printable(f["title"].text(), kMaxTitle));
  if (const std::string place = place_of(f["source"]); !place.empty())
    out += fmt::format("          at {}\n", printable(place, kMaxTitle));
  out += fmt::format("          {}\n",
                     folded(printable(f["recommendation"].text(), 400), look.width - 10, 10));
}

// --------------------------------------------------------------------------------------- Markdown

void append_findings(std::string& out, const Peek& report, std::string_view severity) {
  List of_severity;
  for (const Value& f : report["findings"].list())
    if (is_active(f) && Peek(f)["severity"].text() == severity) of_severity.push_back(f);
  if (of_severity.empty()) return;
  out += fmt::format("\n### {} ({})\n\n", severity, of_severity.size());
  for (const Value& value : of_severity) {
    const Peek f(value);
    out += fmt::format("- **{}** {}\n", wire::md_text(f["check_id"].text()),
                       wire::md_text(f["title"].text()));
    if (const std::string place = place_of(f["source"]); !place.empty())
      out += fmt::format("  - place: {}\n", wire::md_code(place));
    out += fmt::format("  - advice: {}\n", wire::md_text(f["recommendation"].text(), 400));
    out += fmt::format("  - id: {}\n", wire::md_code(f["id"].text()));
  }
}

void append_counts(std::string& out, const Peek& report) {
  const Peek s = report["summary"];
  out +=
      "\n## Summary\n\n| critical | high | medium | low | info | suppressed "
      "|\n|---|---|---|---|---|---|\n";
  out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", s["critical_count"].number(),
                     s["high_count"].number(), s["medium_count"].number(), s["low_count"].number(),
                     s["info_count"].number(), s["suppressed_count"].number());
  const Peek t = report["tool_surface"];
  out += fmt::format("\n{} tools, {} of them high-risk. Legacy status: {}.\n",
                     t["total_tools"].number(), t["high_risk_tools"].number(), s["status"].text());
}

void append_provenance(std::string& out, const Peek& report) {
  std::map<std::string, int> kinds;
  for (const Value& f : report["findings"].list())
    if (is_active(f)) ++kinds[std::string(Peek(f)["provenance_kind"].text())];
  if (kinds.empty()) return;
  out += "\n## Where findings come from\n\n";
  for (const auto& [kind, count] : kinds)
    out += fmt::format("- {}: {}\n", wire::md_text(kind), count);
}

void append_list(std::string& out, std::string_view heading, const Peek& list) {
  if (list.list().empty()) return;
  out += fmt::format("\n## {}\n\n", heading);
  for (const Value& item : list.list())
    out += fmt::format("- {}\n", wire::md_text(Peek(item).text(), 400));
}

// ------------------------------------------------------------------------------------------ SARIF

std::string_view level_of(std::string_view severity) {
  if (severity == "critical" || severity == "high") return "error";
  return severity == "medium" ? "warning" : "note";
}

/// Long lists and texts are cut; a scanning service limits both.
Value shortened(const Value& value) {
  constexpr std::size_t kMaxItems = 20, kMaxText = 1000;
  if (const List* list = value.as_list(); list && list->size() > kMaxItems)
    return Map{{"count", static_cast<std::int64_t>(list->size())},
               {"sample", List(list->begin(), list->begin() + kMaxItems)}};
  if (const std::string* text = value.as_string(); text && text->size() > kMaxText)
    return Map{{"length", static_cast<std::int64_t>(text->size())},
               {"preview", printable(*text, kMaxText)},
               {"truncated", true}};
  return value;
}

struct RuleGrade {
  std::string_view level, precision, problem;
};

/// What services of SARIF sort by.
RuleGrade grade_of(std::string_view severity, std::string_view confidence) {
  const std::string_view level = level_of(severity);
  return {level, confidence.empty() ? "medium" : confidence,
          level == "note" ? "recommendation" : level};
}

Value sarif_rule(std::string_view id, const Peek& finding) {
  constexpr std::size_t kMostShortText = 1024;
  const checks::Check* check = checks::find_check(id);
  std::string description(finding["title"].text());
  if (check != nullptr)
    if (const auto document = check_document(*check))
      description = Peek(document->find("description")).text();
  const std::string severity(check != nullptr ? to_string(check->severity)
                                              : finding["severity"].text());
  const RuleGrade grade = grade_of(severity, finding["confidence"].text());
  const std::string_view advice = finding["recommendation"].text();
  return Map{{"id", id},
             {"name", id},
             {"shortDescription", Map{{"text", printable(description, kMostShortText)}}},
             {"fullDescription", Map{{"text", description}}},
             {"defaultConfiguration", Map{{"level", grade.level}}},
             {"helpUri", sarif_help_uri(id)},
             {"help", Map{{"text", advice}, {"markdown", wire::md_text(advice, kMostShortText)}}},
             {"properties", Map{{"category", finding["category"].text()},
                                {"severity", severity},
                                {"tags", List{finding["category"].text()}},
                                {"precision", grade.precision},
                                {"problem.severity", grade.problem}}}};
}

std::string sarif_place(const Peek& f, const SarifFrame& frame) {
  const Peek source = f["source"];
  const std::string_view changed = f["evidence"]["changed_file"].text();
  if (source["path"].text().empty() && !changed.empty()) return std::string(changed);
  return place_from_top(source, frame.folder.empty()
                                    ? frame.manifest
                                    : fmt::format("{}/{}", frame.folder, frame.manifest));
}

Value sarif_location(const Peek& f, const SarifFrame& frame) {
  const Peek source = f["source"];
  const std::int64_t first = std::max<std::int64_t>(1, source["start_line"].number());
  Map region{{"startLine", first}};
  if (source["end_line"].number() >= first) region.set("endLine", source["end_line"].number());
  if (source["start_column"].number() > 0)
    region.set("startColumn", source["start_column"].number());
  const std::string_view name = f["tool_name"].exists()  ? f["tool_name"].text()
                                : f["agent_id"].exists() ? f["agent_id"].text()
                                                         : f["check_id"].text();
  return Map{
      {"physicalLocation", Map{{"artifactLocation", Map{{"uri", uri_of(sarif_place(f, frame))},
                                                        {"uriBaseId", "%SRCROOT%"}}},
                               {"region", std::move(region)}}},
      {"logicalLocations", List{Map{{"name", name}}}}};
}

Value sarif_result(const Peek& f, std::int64_t rule, const SarifFrame& frame) {
  constexpr std::size_t kPrefix = 3, kLineHash = 16;  // of "fp_" and the digits behind it
  Map evidence;
  for (const auto& [key, value] : f["evidence"].map().entries())
    evidence.set(key, shortened(value));
  Map properties{{"severity", f["severity"].text()},
                 {"category", f["category"].text()},
                 {"recommendation", f["recommendation"].text()},
                 {"confidence", f["confidence"].text()},
                 {"evidence", std::move(evidence)},
                 {"tool_name", f["tool_name"].exists() ? Value(f["tool_name"].text()) : Value()}};
  if (f["source"]["pointer"].exists())
    properties.set("shipgatePointer", f["source"]["pointer"].text());
  const std::string_view fingerprint = f["fingerprint"].text();
  const std::string_view digits =
      fingerprint.substr(std::min(kPrefix, fingerprint.size())).substr(0, kLineHash);
  Map out{{"ruleId", f["check_id"].text()},
          {"ruleIndex", rule},
          {"level", level_of(f["severity"].text())},
          {"message", Map{{"text", f["title"].text()}}},
          {"fingerprints", Map{{"agentsShipgateFingerprint", fingerprint}}},
          {"partialFingerprints", Map{{"gatehouse/v1", fingerprint},
                                      {"primaryLocationLineHash", fmt::format("{}:1", digits)}}},
          {"locations", List{sarif_location(f, frame)}},
          {"properties", std::move(properties)}};
  if (const std::string_view status = f["baseline_status"].text(); !status.empty())
    out.set("baselineState", status == "matched" ? "unchanged" : "new");
  return out;
}

bool holds_foreign_number(const Value& root) {
  std::vector<const Value*> open{&root};
  while (!open.empty()) {
    const Value* v = open.back();
    open.pop_back();
    if (std::holds_alternative<Number>(v->data())) return true;
    if (const List* list = v->as_list())
      for (const Value& item : *list)
        open.push_back(&item);
    if (const Map* map = v->as_map())
      for (const auto& entry : map->entries())
        open.push_back(&entry.second);
  }
  return false;
}

}  // namespace

std::string release_text(const Value& report, const Look& look) {
  const Peek r(report), decision = r["release_decision"];
  const std::string_view word = decision["decision"].text();
  std::string out = fmt::format("{}  {}\n", paint(look, ink_of(word), word),
                                printable(decision["reason"].text(), kMaxTitle));
  out += fmt::format("{} tools, {} high-risk; {} to block, {} to review, {} suppressed\n",
                     r["tool_surface"]["total_tools"].number(),
                     r["tool_surface"]["high_risk_tools"].number(),
                     decision["blockers"].list().size(), decision["review_items"].list().size(),
                     r["summary"]["suppressed_count"].number());
  for (const std::string_view severity : kSeverities)
    for (const Value& f : r["findings"].list())
      if (is_active(f) && Peek(f)["severity"].text() == severity) {
        out += '\n';
        append_finding(out, f, look);
      }
  for (const Value& warning : r["source_warnings"].list())
    out += fmt::format("\n{} {}", paint(look, Ink::warning, "warning:"),
                       printable(Peek(warning).text(), 400));
  if (!r["source_warnings"].list().empty()) out += '\n';
  for (const auto& [kind, path] : r["generated_reports"].map().entries())
    out += fmt::format("\n{} {}", padded(kind, 12), printable(Peek(path).text(), kMaxTitle));
  if (!r["generated_reports"].map().empty()) out += '\n';
  return out;
}

std::string release_markdown(const Value& report) {
  const Peek r(report), decision = r["release_decision"], policy = decision["fail_policy"];
  std::string out = fmt::format("# Release report: {}\n", wire::md_text(r["agent"]["id"].text()));
  out += fmt::format("\n## Decision: {}\n\n{}\n", wire::md_text(decision["decision"].text()),
                     wire::md_text(decision["reason"].text(), 400));
  out += fmt::format("\n- blockers: {}\n- review items: {}\n- CI mode: {}, exit code {}\n",
                     decision["blockers"].list().size(), decision["review_items"].list().size(),
                     wire::md_text(policy["ci_mode"].text()), policy["exit_code"].number());
  append_counts(out, r);
  append_provenance(out, r);
  out += "\n## Findings\n";
  for (const std::string_view severity : kSeverities)
    append_findings(out, r, severity);
  if (r["findings"].list().empty()) out += "\nNone.\n";
  append_list(out, "Advice", r["recommended_actions"]);
  append_list(out, "Warnings of loaders", r["source_warnings"]);
  out += fmt::format("\n## Audits\n\n- severity overrides: {}\n- masked secrets: {}\n",
                     r["policy_audit"]["severity_overrides_applied"].list().size(),
                     r["privacy_audit"]["redacted_occurrence_count"].number());
  out +=
      "\nThis scan is static: nothing was run or fetched. It does not prove how the agent "
      "behaves.\n";
  return out;
}

std::string place_from_top(const Peek& source, std::string_view manifest) {
  const std::string_view path = source["path"].text();
  if (path.empty()) return std::string(manifest);
  // A change names its files from the top, the manifest names them from its own folder.
  const std::size_t slash = manifest.rfind('/');
  if (source["type"].text() == "changed_file" || path.starts_with('/') || slash == manifest.npos)
    return std::string(path);
  return fmt::format("{}/{}", manifest.substr(0, slash), path);
}

Value release_sarif(const Value& report, const SarifFrame& frame) {
  const auto rank = [](const Value* f) {
    return std::ranges::find(kSeverities, Peek(*f)["severity"].text()) - kSeverities.begin();
  };
  std::vector<const Value*> active;
  for (const Value& value : Peek(report)["findings"].list())
    if (is_active(value)) active.push_back(&value);
  const std::size_t dropped = active.size() - std::min(active.size(), kMaxSarifResults);
  if (dropped > 0) {
    std::ranges::stable_sort(active, {}, rank);
    active.resize(kMaxSarifResults);
  }
  std::map<std::string, Value> rules;
  for (const Value* value : active) {
    const Peek f(*value);
    const std::string id(f["check_id"].text());
    if (!rules.contains(id)) rules.emplace(id, sarif_rule(id, f));
  }
  List results, rule_list;
  for (const Value* value : active) {
    const Peek f(*value);
    const auto rule = rules.find(std::string(f["check_id"].text()));
    results.push_back(sarif_result(f, std::distance(rules.begin(), rule), frame));
  }
  for (auto& [id, rule] : rules)
    rule_list.push_back(std::move(rule));
  return sarif_document(std::move(rule_list), std::move(results),
                        Map{{"dropped_results", static_cast<std::int64_t>(dropped)},
                            {"run_id", Peek(report)["run_id"].text()}},
                        frame);
}

std::string check_advice(const checks::Check& check) {
  std::string advice(check.recommendation);
  for (const std::string_view hole : {"{tool}", "{what}"})
    for (std::size_t at = advice.find(hole); at != std::string::npos; at = advice.find(hole))
      advice.replace(at, hole.size(), hole == "{tool}" ? "the tool" : "the named item");
  return advice;
}

Result<Map> check_document(const checks::Check& check) {
  GH_TRY(texts, wire::read_yaml(data::find(kCheckFile), kCheckFile, wire::YamlDialect::strict));
  const Peek text = Peek(texts.root)[check.id];
  List fields;
  for (const std::string_view field : split(check.evidence, ' '))
    fields.emplace_back(field);
  Map out{{"id", check.id},
          {"category", check.category},
          {"default_severity", to_string(check.severity)},
          {"floor_severity", check.floor ? Value(to_string(*check.floor)) : Value()},
          {"description", text["description"].text()},
          {"rationale", text["rationale"].text()},
          {"fires_when", text["fires_when"].text()},
          {"recommendation", check_advice(check)},
          {"evidence_fields", std::move(fields)},
          {"autofix_safe", false},
          {"requires_human_review", check.reviewed},
          {"suggested_patch_kind", check.patch},
          {"docs_url", checks::docs_url(check.id)},
          {"mvp_tier", check.tier},
          {"dynamic_default", check.dynamic_default}};
  // Measured on tests/corpus/gate-rules; rules of the contract are as they are.
  for (const char* key : {"precision", "corpus_size"})
    if (text[key].exists()) out.set(key, text[key].number());
  return out;
}

std::string check_text(const Value& document, const Look& look) {
  const Peek d(document);
  std::string out = fmt::format("{}  {}\n\n{}\n", paint(look, Ink::bold, d["id"].text()),
                                d["default_severity"].text(), d["description"].text());
  for (const auto& [label, key] : {std::pair{"why", "rationale"}, std::pair{"fires", "fires_when"},
                                   std::pair{"advice", "recommendation"}})
    out += fmt::format("\n{} {}", padded(label, 8), folded(d[key].text(), look.width - 9, 9));
  out += fmt::format("\n{} {}\n", padded("floor", 8),
                     d["floor_severity"].exists() ? d["floor_severity"].text() : "none");
  return out;
}

std::string printed_document(const Value& document) {
  const Map* map = document.as_map();
  const bool is_report = map != nullptr && (map->find("report_schema_version") != nullptr ||
                                            map->find("verifier_schema_version") != nullptr);
  return is_report ? wire::report_json(document) + "\n" : wire::pretty_json(document);
}

std::string printed_member(const Value& member) {
  return holds_foreign_number(member) ? wire::spaced_json(member) : wire::canonical_json(member);
}

}  // namespace gh::report
