#include "report/analysis_sarif.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "report/analysis_findings.h"

namespace gh::report {
namespace {

constexpr std::string_view kSchema = "https://json.schemastore.org/sarif-2.1.0.json";
constexpr std::size_t kLineHashDigits = 16;

std::string_view level_of(std::string_view severity) {
  return severity == "critical" ? "error" : severity == "warning" ? "warning" : "note";
}

Value rule_document(const AnalysisRule& rule) {
  Map properties{{"tags", List{"maintainability", std::string(rule.family)}},
                 {"precision", rule.family == "clone" ? "very-high" : "high"},
                 {"problem.severity", "warning"}};
  if (!rule.legacy_id.empty()) properties.set("legacyId", rule.legacy_id);
  return Map{{"id", rule.id},
             {"name", rule.name},
             {"shortDescription", Map{{"text", rule.summary}}},
             {"fullDescription", Map{{"text", fmt::format("{}.", rule.summary)}}},
             {"help", Map{{"text", rule.help}, {"markdown", rule.help}}},
             {"defaultConfiguration", Map{{"level", "warning"}}},
             {"properties", std::move(properties)}};
}

/// Paths in the order in which findings name them.
class Artifacts {
 public:
  std::int64_t index_of(std::string_view path) {
    const auto [at, is_new] =
        index_.try_emplace(std::string(path), static_cast<std::int64_t>(list_.size()));
    if (is_new)
      list_.emplace_back(Map{{"location", Map{{"uri", uri_of(path)}, {"uriBaseId", "%SRCROOT%"}}}});
    return at->second;
  }
  List take() { return std::move(list_); }

 private:
  std::map<std::string, std::int64_t, std::less<>> index_{};
  List list_{};
};

Map physical_location(const Peek& item, Artifacts& artifacts) {
  const std::string_view path = item["relative_path"].text();
  const std::int64_t first = std::max<std::int64_t>(1, item["start_line"].number());
  return Map{
      {"artifactLocation",
       Map{{"uri", uri_of(path)}, {"uriBaseId", "%SRCROOT%"}, {"index", artifacts.index_of(path)}}},
      {"region",
       Map{{"startLine", first}, {"endLine", std::max(first, item["end_line"].number())}}}};
}

Map location(const Peek& item, Artifacts& artifacts) {
  Map out{{"physicalLocation", physical_location(item, artifacts)}};
  if (!item["qualname"].text().empty())
    out.set("logicalLocations", List{Map{{"fullyQualifiedName", item["qualname"].text()}}});
  return out;
}

std::string line_hash(std::string_view rule, const Peek& group, const Peek& item) {
  std::string key;
  for (const std::string_view part :
       {rule, group["id"].text(), item["relative_path"].text(), item["qualname"].text()}) {
    if (!key.empty()) key += '\0';
    key += part;
  }
  return fmt::format("{}:{}", digest_of(key).hex().substr(0, kLineHashDigits),
                     item["start_line"].number());
}

Value result_document(const Peek& group, Artifacts& artifacts) {
  const std::size_t index = rule_of(group);
  const AnalysisRule& rule = analysis_rules()[index];
  const List& items = group["items"].list();
  const Peek first(items.empty() ? nullptr : &items.front());
  List related;
  for (std::size_t i = 1; i < std::min(items.size(), kMaxSarifLocations); ++i) {
    Map place = location(Peek(items[i]), artifacts);
    place.set("id", static_cast<std::int64_t>(i));
    place.set("message", Map{{"text", Peek(items[i])["qualname"].text()}});
    related.emplace_back(std::move(place));
  }
  Map out{
      {"ruleId", rule.id},
      {"ruleIndex", static_cast<std::int64_t>(index)},
      {"kind", "fail"},
      {"level", level_of(group["severity"].text())},
      {"message", Map{{"text", fmt::format("{}: {}", printable(first["qualname"].text(), 300),
                                           headline(group))}}},
      {"locations", List{location(first, artifacts)}},
      {"fingerprints", Map{{"gatehouseFindingId", group["id"].text()}}},
      {"partialFingerprints", Map{{"primaryLocationLineHash", line_hash(rule.id, group, first)}}},
      {"properties", Map{{"gate", "structure"}, {"next", rule.help}}}};
  if (!related.empty()) out.set("relatedLocations", std::move(related));
  if (const std::string_view novelty = group["novelty"].text(); !novelty.empty())
    out.set("baselineState", novelty == "known" ? "unchanged" : "new");
  return out;
}

List all_rules() {
  List rules;
  for (const AnalysisRule& rule : analysis_rules())
    rules.push_back(rule_document(rule));
  return rules;
}

}  // namespace

std::string uri_of(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '/' || c == '-' || c == '.' || c == '_' ||
                          c == '~';
    if (is_plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

Value analysis_sarif(const Value& report, const SarifFrame& frame) {
  const std::vector<Peek> all = findings_worst_first(report);
  Artifacts artifacts;
  List results;
  for (std::size_t i = 0; i < std::min(all.size(), kMaxSarifResults); ++i)
    results.push_back(result_document(all[i], artifacts));
  Map properties{{"dropped_results",
                  static_cast<std::int64_t>(all.size() - std::min(all.size(), kMaxSarifResults))},
                 {"report_digest", Peek(report)["integrity"]["digest"]["value"].text()}};
  return sarif_document(all_rules(), std::move(results), std::move(properties), frame,
                        artifacts.take());
}

std::string sarif_help_uri(std::string_view rule) {
  return fmt::format("urn:{}:rule:{}", kProduct, uri_of(rule));
}

Value sarif_document(List rules, List results, Map properties, const SarifFrame& frame,
                     List artifacts) {
  constexpr int kFirstOfSignals = 128, kLastOfGates = 20;
  const bool is_judged = frame.exit_code <= 1 ||
                         (frame.exit_code >= kLastOfGates && frame.exit_code < kFirstOfSignals);
  Map invocation{{"executionSuccessful", is_judged}, {"exitCode", frame.exit_code}};
  if (!frame.end_time_utc.empty()) invocation.set("endTimeUtc", frame.end_time_utc);
  Map run{{"tool", Map{{"driver", Map{{"name", "Gatehouse"},
                                      {"semanticVersion", kVersion},
                                      {"informationUri", fmt::format("urn:{}", kProduct)},
                                      {"rules", std::move(rules)}}}}},
          {"automationDetails", Map{{"id", fmt::format("{}/{}/", kProduct, frame.job)}}},
          {"originalUriBaseIds",
           Map{{"%SRCROOT%", Map{{"description", Map{{"text", "the root of the repository"}}}}}}},
          {"columnKind", "utf16CodeUnits"},
          {"invocations", List{std::move(invocation)}}};
  if (!artifacts.empty()) run.set("artifacts", std::move(artifacts));
  run.set("results", std::move(results));
  run.set("properties", std::move(properties));
  if (!frame.repository_uri.empty()) {  // the schema wants the address where it wants the rest
    Map provenance{{"repositoryUri", frame.repository_uri}, {"revisionId", frame.revision}};
    if (!frame.branch.empty()) provenance.set("branch", frame.branch);
    run.set("versionControlProvenance", List{std::move(provenance)});
  }
  return Map{{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", List{std::move(run)}}};
}

}  // namespace gh::report
