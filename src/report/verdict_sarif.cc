// SARIF 2.1.0 of a Verdict (interfaces 4.4).
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "checks/catalogue.h"
#include "report/analysis_sarif.h"
#include "report/formats.h"
#include "report/release_report.h"
#include "report/rule_text.h"

namespace gh::report {
namespace {

constexpr std::string_view kSchemaOfSarif = "https://json.schemastore.org/sarif-2.1.0.json";
constexpr std::size_t kMostShortText = 1024, kLineHash = 16;

struct SecurityRow {
  std::string_view severity, score;
};
// table: release severities as scores of security
constexpr std::array<SecurityRow, 5> kScores{
    {{"critical", "9.5"}, {"high", "8.0"}, {"medium", "5.5"}, {"low", "3.0"}, {"info", "1.0"}}};

struct RuleWords {
  std::string what{}, why{}, fix{};
};

RuleWords words_of(const std::string& id) {
  if (const checks::Check* check = checks::find_check(id))
    if (const auto document = check_document(*check)) {
      const Value value(*document);
      const Peek d(value);
      return {std::string(d["description"].text()), std::string(d["rationale"].text()),
              std::string(d["recommendation"].text())};
    }
  if (const auto text = rule_text(id)) return {text->fires, text->why, text->fix};
  return {id, id, fmt::format("Run '{} explain {}'.", kProduct, id)};
}

std::string_view level_word(std::string_view severity) {
  return severity == "error" ? "error" : severity == "warning" ? "warning" : "note";
}

Value rule_of(const Told& t) {
  RuleWords words = words_of(t.id);
  if (words.what.empty()) words.what = t.id;
  if (words.why.empty()) words.why = words.what;
  if (words.fix.empty()) words.fix = words.why;
  Map properties{
      {"tags", List{t.gate}},
      {"precision", "high"},
      {"problem.severity", t.severity == "note" ? std::string_view("recommendation") : t.severity}};
  const std::string_view severity = t.evidence["release_severity"].text();
  if (const auto row = std::ranges::find(kScores, severity, &SecurityRow::severity);
      row != kScores.end())
    properties.set("security-severity", row->score);
  Map out{{"id", t.id},
          {"name", t.id},
          {"shortDescription", Map{{"text", printable(words.what, kMostShortText)}}},
          {"fullDescription", Map{{"text", printable(words.why, kMostShortText)}}},
          {"help", Map{{"text", words.fix}, {"markdown", words.fix}}},
          {"defaultConfiguration", Map{{"level", level_word(t.severity)}}},
          {"properties", std::move(properties)}};
  return out;
}

Map location_at(std::string_view path, std::int64_t line, std::int64_t end, std::int64_t column) {
  Map region{{"startLine", line}};
  if (column > 0) region.set("startColumn", column);
  if (end > line) region.set("endLine", end);
  return Map{{"physicalLocation",
              Map{{"artifactLocation", Map{{"uri", uri_of(path)}, {"uriBaseId", "%SRCROOT%"}}},
                  {"region", std::move(region)}}}};
}

/// Siblings of a clone and other places of the same finding.
List related_to(const Told& t) {
  List out;
  for (const Value& value : t.evidence["places"].list()) {
    const Peek place(value);
    if (place["path"].text().empty() || out.size() == kMaxSarifLocations) continue;
    if (place["path"].text() == t.path && place["line"].number() == t.line) continue;
    Map row =
        location_at(place["path"].text(), std::max<std::int64_t>(1, place["line"].number()), 0, 0);
    row.set("id", static_cast<std::int64_t>(out.size() + 1));
    row.set("message", Map{{"text", printable(place["symbol"].text(), 300)}});
    out.emplace_back(std::move(row));
  }
  return out;
}

Value result_of(const Told& t, std::int64_t rule, std::string_view decision) {
  Map fingerprints;
  if (t.evidence["finding"].exists())
    fingerprints.set("gatehouseFindingId", t.evidence["finding"].text());
  if (t.evidence["release_fingerprint"].exists())
    fingerprints.set("agentsShipgateFingerprint", t.evidence["release_fingerprint"].text());
  Map out{{"ruleId", t.id},
          {"ruleIndex", rule},
          {"level", level_word(t.severity)},
          {"message", Map{{"text", t.message.empty() ? t.id : t.message}}},
          {"locations", List{location_at(t.place(), t.first_line(), t.end_line, t.column)}},
          {"partialFingerprints", Map{{"gatehouse/v1", t.fingerprint},
                                      {"primaryLocationLineHash",
                                       fmt::format("{}:1", t.fingerprint.substr(0, kLineHash))}}},
          {"properties", Map{{"decision", decision}, {"gate", t.gate}, {"next", t.next}}}};
  if (!fingerprints.empty()) out.set("fingerprints", std::move(fingerprints));
  if (List related = related_to(t); !related.empty())
    out.set("relatedLocations", std::move(related));
  return out;
}

}  // namespace

Value verdict_sarif(const Value& verdict, const FormatFrame& frame) {
  const std::vector<Told> all = told_in(verdict);
  const std::size_t kept = std::min(all.size(), kMostResults);
  std::map<std::string, const Told*, std::less<>> ids;
  for (std::size_t i = 0; i < kept; ++i)
    ids.emplace(all[i].id, &all[i]);
  List rules;
  std::map<std::string, std::int64_t, std::less<>> index;
  for (const auto& [id, told] : ids) {
    index.emplace(id, static_cast<std::int64_t>(rules.size()));
    rules.push_back(rule_of(*told));
  }
  List results;
  for (std::size_t i = 0; i < kept; ++i)
    results.push_back(
        result_of(all[i], index.find(all[i].id)->second, Peek(verdict)["decision"].text()));
  Map invocation{{"executionSuccessful", frame.exit_code <= 1 || frame.exit_code >= 10},
                 {"exitCode", frame.exit_code}};
  if (!frame.end_time_utc.empty()) invocation.set("endTimeUtc", frame.end_time_utc);
  Map run{{"tool", Map{{"driver", Map{{"name", "Gatehouse"},
                                      {"semanticVersion", kVersion},
                                      {"rules", std::move(rules)}}}}},
          {"automationDetails", Map{{"id", fmt::format("{}/{}/", kProduct, frame.job)}}},
          {"originalUriBaseIds",
           Map{{"%SRCROOT%", Map{{"description", Map{{"text", "the root of the repository"}}}}}}},
          {"columnKind", "utf16CodeUnits"},
          {"invocations", List{std::move(invocation)}},
          {"results", std::move(results)},
          {"properties", Map{{"dropped_results", static_cast<std::int64_t>(all.size() - kept)},
                             {"verdict_digest", Peek(verdict)["digests"]["verdict"].text()}}}};
  if (!frame.repository_uri.empty()) {  // the schema wants the address where it wants the rest
    Map provenance{{"repositoryUri", frame.repository_uri}, {"revisionId", frame.revision}};
    if (!frame.branch.empty()) provenance.set("branch", frame.branch);
    run.set("versionControlProvenance", List{std::move(provenance)});
  }
  return Map{{"$schema", kSchemaOfSarif}, {"version", "2.1.0"}, {"runs", List{std::move(run)}}};
}

}  // namespace gh::report
