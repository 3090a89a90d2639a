#include "control/claims.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "analysis/report_view.h"
#include "analysis/short_ids.h"
#include "base/text.h"
#include "control/claim_reading.h"

namespace gh::control {
namespace {

constexpr std::size_t kShownClaim = 80;

using Words = std::span<const std::string_view>;

/// Each begins where a word begins. A star: the word may go on in any way; without one, by an
/// ending of it (claim_reading.cc). A blank at the end wants white space there.
// table: claim keywords
constexpr std::array<std::string_view, 8> kSecurityWords{
    "vulnerab*", "exploit*",      "attack*",      "cve",
    "threat*",   "security flaw", "security bug", "security issue"};
constexpr std::array<std::string_view, 9> kGateWords{
    "fail*", "block*", "gate", "ci ", "ci-", "pipeline", "break build", "must fix", "blocking"};
constexpr std::array<std::string_view, 8> kNewWords{
    "new ", "regress*", "introduc*", "just appeared", "added", "caused by", "broke", "broken"};
constexpr std::array<std::string_view, 7> kDeadWords{
    "dead", "unused", "unreachable", "remove", "delete", "safe to remove", "definitely dead"};
constexpr std::array<std::string_view, 7> kFixWords{
    "fixed", "resolved", "eliminated", "removed the", "cleaned up", "refactored away", "no longer"};
constexpr std::array<std::string_view, 7> kStructuralWords{
    "no structural regression", "no regressions",        "regression-free",
    "structural verification",  "structurally verified", "all checks passed",
    "code quality verified"};
constexpr std::array<std::string_view, 3> kCleanTreeWords{"clean working tree", "clean tree",
                                                          "nothing else changed"};

// ----------------------------------------------------------------------------------- patterns

bool is_report_only(const FoundCitation& f) {
  return f.finding == nullptr && is_report_only_family(f.citation.id);
}

bool is_dead_code(const CitedFinding& f) {
  return f.id.starts_with("dead_code:") || f.family == "dead_code" || f.category == "dead_code";
}

struct PatternRow {
  std::string_view pattern;
  bool (*applies)(const FoundCitation&, const ClaimFacts&);
  Words keywords;
  std::string_view reason;
  std::string_view source_flag;  // {}: the cited id
};
// clang-format off
// table: claim patterns
constexpr std::array<PatternRow, 5> kPatterns{{
    {"P-1", [](const FoundCitation& f, const ClaimFacts&) { return f.finding == nullptr && f.citation.id == "security_surfaces"; },
     kSecurityWords, "security_surfaces lists where code reaches beyond the project; it is no evidence of a weakness",
     "{}.gate_keys=()"},
    {"P-2", [](const FoundCitation& f, const ClaimFacts&) { return is_report_only(f); },
     kGateWords, "this family is reported and gates nothing", "{}.gate_keys=()"},
    {"P-3", [](const FoundCitation& f, const ClaimFacts&) { return f.finding != nullptr && f.finding->novelty == "known"; },
     kNewWords, "the baseline holds this finding: it is not new", "finding.novelty='known'"},
    {"P-4", [](const FoundCitation& f, const ClaimFacts&) { return f.finding != nullptr && is_dead_code(*f.finding) && f.finding->is_reached; },
     kDeadWords, "something registers this symbol at run time: it may be in use", "runtime_reachability.evidence_present"},
    {"P-5", [](const FoundCitation& f, const ClaimFacts& c) { return f.finding != nullptr && !c.comparison_run_available; },
     kFixWords, "there is no earlier run to compare with: a fix cannot be shown", "session.comparison_run_available=false"},
}};
// clang-format on

constexpr std::string_view kHealthPattern = "health_regression_overclaim";

std::string flag_of(const PatternRow& row, const std::string& id) {
  constexpr std::string_view kPlace = "{}";
  std::string out(row.source_flag);
  if (const std::size_t at = out.find(kPlace); at != std::string::npos)
    out.replace(at, kPlace.size(), id);
  return out;
}

std::vector<ClaimViolation> overclaims(const Citations& citations, const KeywordTest& keywords,
                                       const ClaimFacts& facts) {
  std::set<ClaimViolation> out;
  for (const FoundCitation& f : citations.found())
    for (const PatternRow& row : kPatterns)
      if (row.applies(f, facts) && keywords.claims(f.window, row.keywords))
        out.insert({.pattern = std::string(row.pattern),
                    .claim = f.citation.window,
                    .cited_id = f.citation.id,
                    .reason = std::string(row.reason),
                    .source_flag = flag_of(row, f.citation.id)});
  std::vector<ClaimViolation> sorted(out.begin(), out.end());
  std::ranges::stable_sort(sorted, {}, [](const ClaimViolation& v) {
    return std::tuple(std::string_view(v.pattern), std::string_view(v.cited_id),
                      std::string_view(v.claim));
  });
  return sorted;
}

// ----------------------------------------------------------------------------------- warnings

/// F-<digits> that no finding of the run is called.
bool names_unknown_finding(const ClaimReader& reader, const std::vector<CitedFinding>& findings) {
  const std::u32string& text = reader.text();
  const auto is_known = [&](Span token) {
    const std::u32string sought = text.substr(token.from, token.to - token.from);
    return std::ranges::any_of(findings, [&](const CitedFinding& f) {
      return is_utf8(f.short_id) && folded(f.short_id).text == sought;
    });
  };
  for (std::size_t at = text.find(U"f-"); at != std::u32string::npos;
       at = text.find(U"f-", at + 1)) {
    std::size_t end = at + 2;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
      ++end;
    if (end > at + 2 && reader.stands_alone({at, end}, is_word) && !is_known({at, end}))
      return true;
  }
  return false;
}

/// All that a warning depends on.
struct Signs {
  bool has_citations = false, names_unknown = false, claims_structure = false,
       claims_clean_tree = false;
};
bool is_negative(const ClaimFacts& c) { return c.patch_health_delta.value_or(0) < 0; }

struct WarningRow {
  std::string_view type;
  bool (*applies)(const Signs&, const ClaimFacts&);
  std::string_view message;
};
// clang-format off
// table: claim warnings
constexpr std::array<WarningRow, 5> kWarnings{{
    {"no_citations", [](const Signs& s, const ClaimFacts& c) { return c.require_citations && !s.has_citations; },
     "the text cites no finding and no metric family of the run"},
    {"unknown_finding", [](const Signs& s, const ClaimFacts&) { return s.names_unknown; },
     "the text names a finding that the run does not have"},
    {"structural_checks_not_applicable", [](const Signs& s, const ClaimFacts& c) { return c.is_structural == false && s.claims_structure; },
     "the text speaks of structural checks, and none applied to this patch"},
    {"health_regression_overclaim", [](const Signs& s, const ClaimFacts& c) { return is_negative(c) && s.claims_structure; },
     "the text claims that nothing got worse, and the health of the code fell"},
    {"external_changes_present", [](const Signs& s, const ClaimFacts& c) { return c.external_changes && s.claims_clean_tree; },
     "the text claims a clean tree, and files outside of the scope are changed"},
}};
// clang-format on

std::string first_part(const ClaimReader& reader) {
  Span part = reader.trimmed(reader.whole());
  const std::size_t first = reader.character(part.from);
  while (part.to > part.from && reader.character(part.to) - first > kShownClaim)
    --part.to;
  return std::string(reader.bytes(part));
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::set<std::string> ids_in(const analysis::BaselineMetrics& baseline) {
  std::set<std::string> out;
  const auto add = [&](std::string_view head, const analysis::Names& names) {
    for (const std::string& name : names)
      out.insert(std::string(head) + name);
  };
  add("dead_code:", baseline.dead_code_items);
  add("design:complexity:", baseline.high_risk_functions);
  add("design:coupling:", baseline.high_coupling_classes);
  add("design:cohesion:", baseline.low_cohesion_classes);
  return out;
}

std::vector<CitedFinding> cited_findings(const Value& report, const std::set<std::string>& known) {
  using analysis::finding_groups;
  using analysis::list_in;
  using analysis::short_ids;
  using analysis::ShortIds;
  std::set<std::string_view> reached;
  for (const Value& fact : list_in(report, {"metrics", "families", "dead_code", "registrations"}))
    reached.insert(analysis::text_in(fact, "target_qualname"));
  const std::vector<const Value*> groups = finding_groups(report);
  const ShortIds shorts = analysis::short_ids_of(report, groups);
  std::vector<CitedFinding> out;
  for (const Value* group : groups) {
    CitedFinding finding{.id = std::string(analysis::text_in(*group, "id")),
                         .short_id = shorts.at(std::string(analysis::text_in(*group, "id"))),
                         .family = std::string(analysis::text_in(*group, "family")),
                         .category = std::string(analysis::text_in(*group, "category")),
                         .novelty = std::string(analysis::text_in(*group, "novelty"))};
    if (finding.novelty.empty() && known.contains(finding.id)) finding.novelty = "known";
    finding.is_reached = std::ranges::any_of(list_in(*group, {"items"}), [&](const Value& item) {
      return reached.contains(analysis::text_in(item, "qualname"));
    });
    out.push_back(std::move(finding));
  }
  return out;
}

Status check_claim_text(std::string_view text) {
  const std::string valid = utf8_or_escaped(text);
  const Folded points = folded(valid);
  if (std::ranges::all_of(points.text, is_space))
    return fail(Code::text_empty, "the review text is empty");
  if (const std::size_t n = characters(valid); n > kMaxClaimCharacters)
    return fail(
        Code::text_too_long,
        fmt::format("the review text has {} characters, {} are allowed", n, kMaxClaimCharacters));
  return {};
}

ClaimAnswer check_claims(std::string_view text, const ClaimFacts& facts) {
  const std::string readable = utf8_or_escaped(text);
  const ClaimReader reader(readable);
  const Citations citations(reader, facts.findings);
  const KeywordTest keywords(reader, citations);
  const Signs signs{.has_citations = !citations.found().empty(),
                    .names_unknown = names_unknown_finding(reader, facts.findings),
                    .claims_structure = keywords.claims(reader.whole(), kStructuralWords),
                    .claims_clean_tree = keywords.claims(reader.whole(), kCleanTreeWords)};
  ClaimAnswer out{.run_id = facts.run_id};
  for (const FoundCitation& f : citations.found())
    out.citations.push_back(f.citation);
  out.violations = overclaims(citations, keywords, facts);
  if (is_negative(facts) && signs.claims_structure)
    out.violations.push_back(
        {.pattern = std::string(kHealthPattern),
         .claim = first_part(reader),
         .cited_id = "",
         .reason = "the health of the code fell with this patch: it is not free of regressions",
         .source_flag = fmt::format("patch.health_delta={}", *facts.patch_health_delta)});
  for (const WarningRow& row : kWarnings)
    if (row.applies(signs, facts))
      out.warnings.push_back({std::string(row.type), std::string(row.message)});
  return out;
}

Map document(const ClaimAnswer& answer) {
  List violations, warnings, citations;
  std::set<std::pair<std::string_view, std::string_view>> refuted;
  for (const ClaimViolation& v : answer.violations)
    refuted.emplace(v.cited_id, v.claim);
  for (const ClaimViolation& v : answer.violations)
    violations.emplace_back(Map{{"pattern", v.pattern},
                                {"claim", v.claim},
                                {"cited_id", v.cited_id},
                                {"reason", v.reason},
                                {"source_flag", v.source_flag}});
  for (const ClaimWarning& w : answer.warnings)
    warnings.emplace_back(Map{{"type", w.type}, {"message", w.message}});
  for (const Citation& c : answer.citations)
    citations.emplace_back(Map{{"cited_id", c.id},
                               {"kind", to_string(c.kind)},
                               {"valid", !refuted.contains({c.id, c.window})}});
  return Map{{"run_id", answer.run_id.substr(0, 8)},
             {"valid", answer.valid()},
             {"citations_found", static_cast<std::int64_t>(answer.citations.size())},
             {"violations", std::move(violations)},
             {"warnings", std::move(warnings)},
             {"validated_citations", std::move(citations)}};
}

}  // namespace gh::control
