#include <algorithm>
#include <map>

#include "analysis/blast_radius.h"
#include "analysis/finding.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kShownEntries = 20, kStoredEntries = 200;

Map document_of(const BlastEntry& entry) {
  return Map{{"path", entry.path},
             {"reason", entry.reason},
             {"category", entry.category},
             {"severity", entry.severity}};
}

List first_of(const std::vector<BlastEntry>& entries, std::size_t count) {
  List out;
  for (std::size_t i = 0; i < std::min(count, entries.size()); ++i)
    out.emplace_back(document_of(entries[i]));
  return out;
}

/// Most frequent first, then by name.
List counted(const std::vector<BlastEntry>& entries, std::string_view BlastEntry::*field) {
  std::map<std::string_view, std::uint64_t> counts;
  for (const BlastEntry& entry : entries)
    ++counts[entry.*field];
  std::vector<std::pair<std::string_view, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  List out;
  for (const auto& [name, count] : sorted)
    out.emplace_back(Map{{"name", name}, {"count", number(count)}});
  return out;
}

Map summary_of(const std::vector<BlastEntry>& entries) {
  return Map{{"total", number(entries.size())},
             {"shown", number(std::min(kShownEntries, entries.size()))},
             {"truncated", entries.size() > kShownEntries},
             {"top_categories", counted(entries, &BlastEntry::category)},
             {"top_reasons", counted(entries, &BlastEntry::reason)}};
}

}  // namespace

Map blast_document(const BlastRadius& blast) {
  List guardrails;
  for (const Guardrail& rail : blast.guardrails)
    guardrails.emplace_back(Map{{"code", rail.code}, {"text", rail.text}});
  return Map{
      {"files", string_list(blast.origin)},
      {"depth", blast.transitive ? "transitive" : "direct"},
      {"radius_level", to_string(blast.level)},
      {"direct_dependents", string_list(blast.direct_dependents)},
      {"transitive_dependents", string_list(blast.transitive_dependents)},
      {"clone_cohort_members", string_list(blast.clone_cohort_members)},
      {"in_dependency_cycle", string_list(blast.in_dependency_cycle)},
      {"structural_risk", Map{{"high_complexity_in_blast_zone", string_list(blast.high_complexity)},
                              {"high_coupling_in_blast_zone", string_list(blast.high_coupling)},
                              {"low_coverage_in_blast_zone", string_list(blast.low_coverage)},
                              {"overloaded_modules_in_blast_zone", string_list(blast.overloaded)}}},
      {"do_not_touch", first_of(blast.do_not_touch, kShownEntries)},
      {"do_not_touch_summary", summary_of(blast.do_not_touch)},
      {"review_context", first_of(blast.review_context, kShownEntries)},
      {"review_context_summary", summary_of(blast.review_context)},
      {"guardrails", std::move(guardrails)}};
}

Map blast_summary(const BlastRadius& blast, const std::vector<std::string>& forbidden,
                  const std::function<bool(std::string_view, std::string_view)>& matches) {
  std::set<std::string> affected;
  for (const auto* part :
       {&blast.direct_dependents, &blast.transitive_dependents, &blast.clone_cohort_members})
    for (const std::string& path : *part)
      if (std::ranges::any_of(forbidden,
                              [&](const std::string& pattern) { return matches(path, pattern); }))
        affected.insert(path);
  return Map{{"radius_level", to_string(blast.level)},
             {"direct_dependents_count", number(blast.direct_dependents.size())},
             {"clone_cohort_members_count", number(blast.clone_cohort_members.size())},
             {"affected_but_forbidden", string_list({affected.begin(), affected.end()})},
             {"do_not_touch_count", number(blast.do_not_touch.size())},
             {"review_context_count", number(blast.review_context.size())},
             {"do_not_touch_declared", first_of(blast.do_not_touch, kStoredEntries)},
             {"review_context_declared", first_of(blast.review_context, kStoredEntries)}};
}

}  // namespace gh::analysis
