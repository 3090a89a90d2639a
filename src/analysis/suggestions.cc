#include "analysis/suggestions.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "analysis/finding.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kPlaces = 3;

struct Advice {
  std::string_view category, kind;  // of the group; empty kind: any
  std::string_view title;
  std::array<std::string_view, 2> steps;
  Effort effort;
  bool (*is_due)(const Map& group);
};

std::string_view text_in(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  if (value == nullptr || value->as_string() == nullptr) return {};
  return *value->as_string();
}
std::int64_t number_in(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr || value->as_int() == nullptr ? 0 : *value->as_int();
}
const Map& map_in(const Map& map, std::string_view key) {
  static const Map nothing;
  const Value* value = map.find(key);
  return value == nullptr || value->as_map() == nullptr ? nothing : *value->as_map();
}
const List& list_in(const Map& map, std::string_view key) {
  static const List nothing;
  const Value* value = map.find(key);
  return value == nullptr || value->as_list() == nullptr ? nothing : *value->as_list();
}

bool always(const Map&) { return true; }
bool is_warned(const Map& group) { return text_in(group, "severity") != "info"; }
bool is_sure(const Map& group) { return text_in(group, "confidence") == "high"; }

template <std::int64_t Above>
bool is_above(const Map& group) {  // the one number that the finding is about
  for (const std::string_view key : {"cyclomatic_complexity", "cbo", "lcom4"})
    if (const Map& facts = map_in(group, "facts"); facts.find(key) != nullptr)
      return number_in(facts, key) > Above;
  return false;
}

using enum Effort;

// clang-format off
// table: suggestions
constexpr std::array<Advice, 12> kAdvice{{
    {"function", "clone_group", "Make one of equal functions", {"Keep one of them and let the others call it.", "Pass what differs as parameters."}, easy, always},
    {"block", "clone_group", "Take out a repeated run of statements", {"Move the run into a function of its own.", "Call it where the run stood."}, easy, always},
    {"segment", "clone_group", "Fold a repetition inside a function", {"Turn the repeated statements into a loop or a helper.", "Keep what differs as data."}, moderate, always},
    {"near_miss", "clone_group", "Bring nearly equal functions together", {"Look at what differs and decide whether it should.", "Make one function of what is the same."}, moderate, always},
    {"", "clone_cohort_drift", "Settle copies that drifted apart", {"Compare the members that differ with the others.", "Apply the same change to all, or part them on purpose."}, moderate, always},
    {"", "clone_guard_exit_divergence", "Settle copies that guard differently", {"Compare how the members leave early.", "Give all the same guards, or part them on purpose."}, moderate, always},
    {"", "duplicated_branches", "Join branches that do the same", {"Merge the conditions of equal arms.", "Take what is equal out of the branches."}, moderate, is_warned},
    {"complexity", "function_hotspot", "Part a function that is too complex", {"Take out the arms that stand on their own.", "Turn conditions into early returns or a table."}, moderate, is_above<20>},
    {"coupling", "class_hotspot", "Loosen a class that needs too many others", {"Look which of them serve one purpose.", "Move that purpose into a class of its own."}, moderate, is_above<10>},
    {"cohesion", "class_hotspot", "Part a class that falls into pieces", {"Look which methods share attributes.", "Make one class of each piece."}, moderate, is_above<3>},
    {"", "unused_symbol", "Remove what nothing uses", {"Check that nothing outside names it.", "Delete it with what only it needs."}, easy, is_sure},
    {"dependency", "cycle", "Break a cycle of modules", {"Find the import that points the wrong way.", "Move what both need into a third module."}, hard, always},
}};
// clang-format on
constexpr std::array<std::string_view, 4> kEfforts{"", "easy", "moderate", "hard"};

const Advice* advice_for(const Map& group) {
  for (const Advice& row : kAdvice)
    if (row.kind == text_in(group, "kind") &&
        (row.category.empty() || row.category == text_in(group, "category")))
      return row.is_due(group) ? &row : nullptr;
  return nullptr;
}

/// Copies that are the same but for names are mended by hand in minutes.
Effort effort_of(const Map& group, const Advice& advice) {
  const std::string_view type = text_in(group, "clone_type");
  if (type.empty()) return advice.effort;
  return type == "Type-1" || type == "Type-2" ? easy : moderate;
}

std::string place_text(const Map& item) {
  return fmt::format("{}:{}", text_in(item, "relative_path"), number_in(item, "start_line"));
}

Severity severity_in(const Map& group) {
  const std::string_view text = text_in(group, "severity");
  return text == "critical"  ? Severity::critical
         : text == "warning" ? Severity::warning
                             : Severity::info;
}

std::string fact_summary(const Map& group) {
  std::string out;
  for (const auto& [key, value] : map_in(group, "facts").entries()) {
    if (value.as_int() == nullptr) continue;
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", key, *value.as_int());
  }
  return out;
}

struct Suggestion {
  Decimal priority;
  Severity severity;
  std::string category, source_kind, location, title, subject;
  Map document;

  auto rank() const {
    return std::tuple(-priority.ten_thousandths, -static_cast<int>(severity),
                      std::string_view(category), std::string_view(source_kind),
                      std::string_view(location), std::string_view(title),
                      std::string_view(subject));
  }
};

Suggestion suggestion(const Map& group, const Advice& advice) {
  const List& items = list_in(group, "items");
  const Map nothing;
  const Map& first =
      items.empty() || items.front().as_map() == nullptr ? nothing : *items.front().as_map();
  const Effort effort = effort_of(group, advice);
  Suggestion out{
      .priority = priority(severity_in(group), effort),
      .severity = severity_in(group),
      .category = std::string(text_in(group, "category")),
      .source_kind = std::string(text_in(map_in(group, "source_scope"), "dominant_kind")),
      .location = items.empty() ? std::string() : place_text(first),
      .title = std::string(advice.title),
      .subject = std::string(text_in(first, "qualname")),
      .document = {}};
  List places;
  for (std::size_t i = 0; i < std::min(kPlaces, items.size()); ++i)
    places.push_back(items[i]);
  const Map& spread = map_in(group, "spread");
  const std::string_view type = text_in(group, "clone_type");
  out.document = Map{{"severity", to_string(out.severity)},
                     {"category", out.category},
                     {"title", out.title},
                     {"location", out.location},
                     {"steps", List{advice.steps[0], advice.steps[1]}},
                     {"effort", kEfforts[static_cast<std::size_t>(effort)]},
                     {"priority", out.priority},
                     {"finding_id", text_in(group, "id")},
                     {"fact_kind", text_in(group, "kind")},
                     {"fact_summary", fact_summary(group)},
                     {"fact_count", number_in(group, "count")},
                     {"spread_files", number_in(spread, "files")},
                     {"spread_functions", number_in(spread, "functions")},
                     {"clone_type", type.empty() ? Value() : Value(type)},
                     {"confidence", text_in(group, "confidence")},
                     {"source_kind", out.source_kind},
                     {"representative_locations", std::move(places)}};
  return out;
}

/// Every list of groups below, but not those that are suppressed.
std::vector<const Map*> groups_in(const Map& root) {
  std::vector<const Map*> open{&root}, out;
  while (!open.empty()) {
    const Map* map = open.back();
    open.pop_back();
    for (const auto& [key, value] : map->entries()) {
      if (key == "suppressed") continue;
      if (const Map* inner = value.as_map()) open.push_back(inner);
      if (const List* list = value.as_list())
        for (const Value& group : *list)
          if (group.as_map() != nullptr) out.push_back(group.as_map());
    }
  }
  return out;
}

}  // namespace

List suggestions(const Map& groups) {
  std::vector<Suggestion> found;
  for (const Map* group : groups_in(groups))
    if (const Advice* advice = advice_for(*group)) found.push_back(suggestion(*group, *advice));
  std::ranges::stable_sort(found, {}, &Suggestion::rank);
  List out;
  for (Suggestion& one : found)
    out.emplace_back(std::move(one.document));
  return out;
}

}  // namespace gh::analysis
