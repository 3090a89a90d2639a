#include "analysis/findings_summary.h"

#include <algorithm>

namespace gh::analysis {
namespace {

std::string word_at(const Value& value, std::string_view key) {
  const Map* map = value.as_map();
  const Value* found = map == nullptr ? nullptr : map->find(key);
  const std::string* text = found == nullptr ? nullptr : found->as_string();
  return text == nullptr ? std::string() : *text;
}

template <class Counts>
Map counted(const Counts& counts) {
  Map out;
  for (const auto& [name, count] : counts)
    out.set(name, Value(count));
  return out;
}

}  // namespace

void FindingsSummary::add(std::string_view family, const List& groups) {
  add_family(family, groups.size());
  for (const Value& group : groups)
    add_group(word_at(group, "severity"),
              word_at(*group.as_map()->find("source_scope"), "impact_scope"));
}

void FindingsSummary::count(Counts& counts, std::string_view word) {
  const auto known = counts.find(word);
  ++(known != counts.end() ? known->second : counts[std::string(word)]);
}

void FindingsSummary::add_family(std::string_view family, std::size_t groups) {
  total_ += static_cast<std::int64_t>(groups);
  families_[std::string(family)] += static_cast<std::int64_t>(groups);
}

void FindingsSummary::add_group(std::string_view severity, std::string_view impact_scope) {
  count(severity_, severity);
  count(scope_, impact_scope);
}

Map FindingsSummary::document() const {
  return Map{{"total", Value(total_)},
             {"families", counted(families_)},
             {"severity", counted(severity_)},
             {"impact_scope", counted(scope_)}};
}

std::int64_t count_of(const List& groups, std::string_view key, std::string_view word) {
  return std::ranges::count_if(groups, [&](const Value& v) { return word_at(v, key) == word; });
}

}  // namespace gh::analysis
