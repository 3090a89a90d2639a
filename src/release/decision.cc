#include "release/decision.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::release {
namespace {

using enum FindingSeverity;

// table: outcomes of a release
constexpr std::array<std::string_view, 4> kOutcomes{"passed", "review_required",
                                                    "insufficient_evidence", "blocked"};
constexpr std::array<std::string_view, 3> kCategories{"blocker", "review_item", "excluded"};
constexpr std::array<std::string_view, 7> kRules{"policy_block_new",
                                                 "severity_block_new",
                                                 "policy_baseline_accepted",
                                                 "severity_baseline_accepted",
                                                 "review_required",
                                                 "sub_threshold",
                                                 "suppressed"};
constexpr std::array<std::string_view, 2> kModes{"advisory", "strict"};

enum class Is : std::uint8_t { any, no, yes };
constexpr bool fits(Is want, bool have) { return want == Is::any || (want == Is::yes) == have; }

struct ClassRow {
  Is suppressed, blocks_release, matched, in_blocker_set, in_review_tier;
  Category category;
  Rule rule;
};
using enum Is;
// clang-format off
// table: classification of findings
constexpr std::array<ClassRow, 9> kClassTable{{
    // suppressed, blocks, matched, blocker set, review tier
    {yes, any, any, any, any, Category::excluded,    Rule::suppressed},
    {any, yes, no,  any, any, Category::blocker,     Rule::policy_block_new},
    {any, any, no,  yes, any, Category::blocker,     Rule::severity_block_new},
    {any, yes, any, any, yes, Category::review_item, Rule::policy_baseline_accepted},
    {any, any, yes, yes, yes, Category::review_item, Rule::severity_baseline_accepted},
    {any, any, any, any, yes, Category::review_item, Rule::review_required},
    {any, yes, any, any, any, Category::excluded,    Rule::policy_baseline_accepted},
    {any, any, yes, yes, any, Category::excluded,    Rule::severity_baseline_accepted},
    {any, any, any, any, any, Category::excluded,    Rule::sub_threshold},
}};
// clang-format on

bool holds(const std::vector<FindingSeverity>& set, FindingSeverity severity) {
  return std::ranges::find(set, severity) != set.end();
}

std::string names_of(const std::vector<FindingSeverity>& set) {
  std::vector<std::string> names;
  for (const FindingSeverity s : set)
    names.emplace_back(to_string(s));
  return "[" + join(names, ", ") + "]";
}

std::vector<FindingSeverity> blocker_set(const std::vector<FindingSeverity>& fail_on) {
  std::vector<FindingSeverity> out{critical};
  for (const FindingSeverity s : fail_on)
    if (!holds(out, s)) out.push_back(s);
  std::ranges::sort(out, std::greater());
  return out;
}

ClassFacts facts_of(const GatedFinding& f, const std::vector<FindingSeverity>& blockers) {
  return {.suppressed = f.suppressed,
          .blocks_release = f.finding.blocks_release,
          .matched = f.is_matched(),
          .in_blocker_set = holds(blockers, f.finding.severity),
          .in_review_tier = f.finding.severity >= medium || f.requires_human_review};
}

std::string status_of(const GatedFinding& f) {
  return f.baseline_status.empty() ? "null" : f.baseline_status;
}

std::string rationale(const GatedFinding& f, Rule rule,
                      const std::vector<FindingSeverity>& blockers) {
  const std::string_view severity = to_string(f.finding.severity);
  switch (rule) {
    case Rule::suppressed:
      return f.suppression_reason == "filtered by --no-heuristics"
                 ? "suppressed by --no-heuristics."
                 : "suppressed by checks.ignore.";
    case Rule::policy_block_new:
      return fmt::format("blocks_release=true; baseline_status={}.", status_of(f));
    case Rule::severity_block_new:
      return fmt::format("severity={} is in blocker set {}; baseline_status={}.", severity,
                         names_of(blockers), status_of(f));
    case Rule::policy_baseline_accepted:
      return fmt::format("blocks_release=true; baseline_status=matched (severity={}).", severity);
    case Rule::severity_baseline_accepted:
      return fmt::format("severity={} is in blocker set {}; baseline_status=matched.", severity,
                         names_of(blockers));
    case Rule::review_required:
      return f.requires_human_review
                 ? fmt::format("requires_human_review=true (severity={}); below blocker set {}.",
                               severity, names_of(blockers))
                 : fmt::format("severity={} is in the review tier; below blocker set {}.", severity,
                               names_of(blockers));
    case Rule::sub_threshold:
      return fmt::format("severity={} is below the review tier; requires_human_review=false.",
                         severity);
  }
  return {};
}

Outcome outcome_of(const ReleaseDecision& d, const DecisionFacts& facts) {
  if (!d.blockers.empty()) return Outcome::blocked;
  if (d.low_confidence_tools >= low_confidence_limit(facts.tool_count))
    return Outcome::insufficient_evidence;
  if (d.source_warnings > kMostWarnings) return Outcome::insufficient_evidence;
  // A single weak tool alone asks for review in the extended profile only (release-gate 6.4).
  const bool weak = facts.profile == surface::Profile::extended && d.low_confidence_tools > 0;
  const bool review = !d.review_items.empty() || d.summary.human_review_recommended ||
                      d.source_warnings > 0 || weak;
  return review ? Outcome::review_required : Outcome::passed;
}

std::string review_reason(const ReleaseDecision& d, const Findings& findings) {
  const std::size_t n = d.review_items.size();
  const bool all_accepted =
      n > 0 && std::ranges::all_of(d.review_items, [&](std::size_t i) {
        return findings[i].finding.severity == critical && findings[i].is_matched();
      });
  if (all_accepted)
    return "All critical findings are baseline-matched; review the accepted debt before shipping.";
  if (n > 0 && d.has_evidence_gap())
    return fmt::format("{} {} review and evidence coverage is incomplete.", n,
                       n == 1 ? "finding needs" : "findings need");
  if (n > 0)
    return fmt::format("{} {} human review before shipping.", n,
                       n == 1 ? "finding requires" : "findings require");
  if (d.low_confidence_tools > 0)
    return "Low-confidence static evidence only; human review is recommended.";
  if (d.source_warnings > 0)
    return fmt::format("{} source-loader warning(s); review the evidence before shipping.",
                       d.source_warnings);
  return "Human review is recommended.";
}

std::string reason_of(const ReleaseDecision& d, const Findings& findings) {
  switch (d.outcome) {
    case Outcome::blocked:
      return d.blockers.size() == 1
                 ? "1 active finding blocks release."
                 : fmt::format("{} active findings block release.", d.blockers.size());
    case Outcome::insufficient_evidence: {
      std::vector<std::string> parts;
      if (d.low_confidence_tools > 0)
        parts.push_back(fmt::format("{} low-confidence tool(s)", d.low_confidence_tools));
      if (d.source_warnings > 0)
        parts.push_back(fmt::format("{} source warning(s)", d.source_warnings));
      return fmt::format(
          "Evidence coverage is below the gating threshold ({}); this scan cannot gate the "
          "release.",
          join(parts, " and "));
    }
    case Outcome::review_required:
      return review_reason(d, findings);
    case Outcome::passed:
      return "No active blockers and evidence coverage is full.";
  }
  return {};
}

bool fails_gate(const ReleaseDecision& d, const Findings& findings) {
  return std::ranges::any_of(findings, [&](const GatedFinding& f) {
    if (f.suppressed || (d.new_findings_only && f.is_matched())) return false;
    return (d.ci_mode == CiMode::strict && f.finding.blocks_release) ||
           holds(d.fail_on, f.finding.severity);
  });
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

}  // namespace

std::string_view to_string(Outcome o) { return kOutcomes[static_cast<std::size_t>(o)]; }
std::string_view to_string(Category c) { return kCategories[static_cast<std::size_t>(c)]; }
std::string_view to_string(Rule r) { return kRules[static_cast<std::size_t>(r)]; }
std::string_view to_string(CiMode m) { return kModes[static_cast<std::size_t>(m)]; }

Classified classify(const ClassFacts& f) {
  for (const ClassRow& r : kClassTable)
    if (fits(r.suppressed, f.suppressed) && fits(r.blocks_release, f.blocks_release) &&
        fits(r.matched, f.matched) && fits(r.in_blocker_set, f.in_blocker_set) &&
        fits(r.in_review_tier, f.in_review_tier))
      return {r.category, r.rule};
  return {kClassTable.back().category, kClassTable.back().rule};
}

std::int64_t low_confidence_limit(std::int64_t tool_count) {
  return std::max<std::int64_t>(1, (tool_count + 1) / 2);
}

Summary summarize(const DecisionFacts& facts) {
  Summary s;
  std::array<std::int64_t, 5> counts{};
  for (const GatedFinding& f : facts.findings)
    if (f.suppressed)
      ++s.suppressed;
    else
      ++counts[static_cast<std::size_t>(f.finding.severity)];
  s.info = counts[0], s.low = counts[1], s.medium = counts[2], s.high = counts[3],
  s.critical = counts[4];
  const bool any = s.info + s.low + s.medium + s.high + s.critical > 0;
  s.status = s.critical > 0                   ? "release_blockers_detected"
             : any                            ? "warnings_detected"
             : facts.low_confidence_tools > 0 ? "human_review_recommended"
                                              : "no_release_blockers_detected";
  s.human_review_recommended =
      s.critical > 0 || s.high > 0 || s.status == "human_review_recommended";
  if (facts.low_confidence_tools > 0 || facts.has_sdk_function) s.evidence_coverage = "mixed";
  return s;
}

Map document_of(const Summary& s) {
  return {{"status", s.status},
          {"critical_count", s.critical},
          {"high_count", s.high},
          {"medium_count", s.medium},
          {"low_count", s.low},
          {"info_count", s.info},
          {"suppressed_count", s.suppressed},
          {"human_review_recommended", s.human_review_recommended},
          {"evidence_coverage", s.evidence_coverage}};
}

ReleaseDecision decide(const DecisionFacts& facts) {
  ReleaseDecision d;
  d.source_warnings = facts.source_warnings;
  d.low_confidence_tools = facts.low_confidence_tools;
  d.summary = summarize(facts);
  d.ci_mode = facts.ci_mode;
  d.baseline = facts.baseline;
  d.new_findings_only = facts.baseline.enabled;
  d.fail_on = facts.fail_on.value_or(facts.ci_mode == CiMode::strict
                                         ? std::vector<FindingSeverity>{critical}
                                         : std::vector<FindingSeverity>{});
  const auto blockers = blocker_set(d.fail_on);
  for (std::size_t i = 0; i < facts.findings.size(); ++i) {
    const GatedFinding& f = facts.findings[i];
    const Classified as = classify(facts_of(f, blockers));
    d.contributions.push_back({as, rationale(f, as.rule, blockers)});
    if (as.category == Category::blocker) d.blockers.push_back(i);
    if (as.category == Category::review_item) d.review_items.push_back(i);
  }
  d.outcome = outcome_of(d, facts);
  d.reason = reason_of(d, facts.findings);
  d.exit_code = fails_gate(d, facts.findings) ? facts.gate_failure_exit : 0;
  return d;
}

Map reference_to(const GatedFinding& g) {
  const Finding& f = g.finding;
  return {
      {"id", g.id},
      {"fingerprint", g.fingerprint},
      {"check_id", f.check_id},
      {"severity", to_string(f.severity)},
      {"title", f.title},
      {"baseline_status", text_or_null(g.baseline_status)},
      {"blocks_release", f.blocks_release},
      {"source", f.source ? Value(document_of(*f.source)) : Value()},
      {"policy_evidence_source", f.policy_source ? Value(document_of(*f.policy_source)) : Value()}};
}

Map fail_policy(const ReleaseDecision& d) {
  List fail_on;
  for (const FindingSeverity s : d.fail_on)
    fail_on.emplace_back(to_string(s));
  return {{"ci_mode", to_string(d.ci_mode)},
          {"fail_on", std::move(fail_on)},
          {"new_findings_only", d.new_findings_only},
          {"would_fail_ci", d.exit_code != 0},
          {"exit_code", d.exit_code}};
}

Map document_of(const ReleaseDecision& d, const Findings& findings) {
  GH_ASSERT(d.contributions.size() == findings.size());
  const auto references = [&](const std::vector<std::size_t>& indexes) {
    List out;
    for (const std::size_t i : indexes)
      out.emplace_back(reference_to(findings[i]));
    return out;
  };
  List rules;
  for (std::size_t i = 0; i < findings.size(); ++i)
    rules.emplace_back(Map{{"finding_id", findings[i].id},
                           {"fingerprint", findings[i].fingerprint},
                           {"check_id", findings[i].finding.check_id},
                           {"category", to_string(d.contributions[i].as.category)},
                           {"rule", to_string(d.contributions[i].as.rule)},
                           {"rationale", d.contributions[i].rationale}});
  return {
      {"decision", to_string(d.outcome)},
      {"reason", d.reason},
      {"blockers", references(d.blockers)},
      {"review_items", references(d.review_items)},
      {"evidence_coverage", Map{{"level", d.summary.evidence_coverage},
                                {"human_review_recommended", d.summary.human_review_recommended},
                                {"source_warning_count", d.source_warnings},
                                {"low_confidence_tool_count", d.low_confidence_tools}}},
      {"baseline_delta", Map{{"enabled", d.baseline.enabled},
                             {"path", text_or_null(d.baseline.path)},
                             {"matched_count", d.baseline.matched},
                             {"new_count", d.baseline.fresh},
                             {"resolved_count", d.baseline.resolved}}},
      {"fail_policy", fail_policy(d)},
      {"contribution_rules", std::move(rules)}};
}

}  // namespace gh::release
