#include "analysis/amend_report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/finding.h"
#include "analysis/report_view.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

struct ListRow {
  std::string_view path;
  std::string_view family;  // of findings; empty: they are none
  std::string_view key;     // what several items may have in common in an extract
};
// table: amended lists
constexpr std::array<ListRow, 9> kRows{{
    {"findings/groups/clones/functions", "clone", "id"},
    {"findings/groups/clones/blocks", "clone", "id"},
    {"findings/groups/clones/segments", "clone", "id"},
    {"findings/groups/clones/near_miss", "clone", "id"},
    {"findings/groups/structural/groups", "structural", "id"},
    {"findings/groups/dead_code/groups", "dead_code", "id"},
    {"findings/groups/design/groups", "design", "id"},
    {"metrics/families/security_surfaces/items", "", "relative_path"},
    {"metrics/families/dependencies/items", "", ""},
}};

const ListRow* row_of(std::string_view path) {
  const auto row = std::ranges::find(kRows, path, &ListRow::path);
  return row == kRows.end() ? nullptr : &*row;
}

std::vector<std::string> ids_in(const TextList& list) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < list.size(); ++i)
    out.push_back(member_text(list[i], "id"));
  return out;
}

}  // namespace

std::int64_t ten_thousandths_in(const Value& document, std::string_view key) {
  constexpr std::int64_t kOne = 10'000;
  const Value* value = member(document, {key});
  if (value == nullptr) return 0;
  if (const std::int64_t* whole = value->as_int()) return *whole * kOne;
  if (const auto* decimal = std::get_if<Decimal>(&value->data())) return decimal->ten_thousandths;
  const auto* number = std::get_if<Number>(&value->data());
  return number == nullptr ? 0 : std::llround(number->value * static_cast<double>(kOne));
}

Map& AmendedReport::at(std::initializer_list<std::string_view> path) {
  Value* at = &out_.report;
  for (const std::string_view key : path) {
    if (at->as_map() == nullptr) *at = Map{};
    Map& map = *at->as_map();
    if (map.find(key) == nullptr) map.set(std::string(key), Map{});
    at = map.find(key);
  }
  if (at->as_map() == nullptr) *at = Map{};
  return *at->as_map();
}

void AmendedReport::set_summary(std::string_view name, Map summary) {
  at({"metrics", "summary"}).set(std::string(name), summary);
  family(name).set("summary", std::move(summary));
}

void AmendedReport::set_digest(std::string_view path, std::string hex) {
  if (List* list = list_at(out_.report, path)) *list = List{Value(std::move(hex))};
}

/// What nothing is counted under is not named.
void AmendedReport::count(Map& counts, std::string_view key, std::int64_t change) {
  const Value* known = counts.find(key);
  const std::int64_t sum =
      (known == nullptr || known->as_int() == nullptr ? 0 : *known->as_int()) + change;
  if (sum == 0)
    counts.erase(key);
  else
    counts.set(std::string(key), sum);
}

void AmendedReport::count_findings(std::string_view path, std::string_view family,
                                   const ItemsChanged& changed, std::int64_t grown) {
  Map& summary = at({"findings", "summary"});
  // What is counted here is named also where there is none of it.
  const auto add = [](Map& counts, std::string_view key, std::int64_t more) {
    const Value* known = counts.find(key);
    const std::int64_t* count = known == nullptr ? nullptr : known->as_int();
    counts.set(std::string(key), (count == nullptr ? 0 : *count) + more);
  };
  add(summary, "total", grown);
  add(at({"findings", "summary", "families"}), family, grown);
  if (family == "clone")
    add(at({"findings", "summary", "clones"}), path.substr(path.rfind('/') + 1), grown);
  for (const List* list : {&changed.before, &changed.after})
    for (const Value& group : *list) {
      const std::int64_t sign = list == &changed.after ? 1 : -1;
      add(at({"findings", "summary", "severity"}), text_in(group, "severity"), sign);
      add(at({"findings", "summary", "impact_scope"}),
          text_in(*member(group, {"source_scope"}), "impact_scope"), sign);
    }
}

void AmendedReport::set_list(std::string_view path, const TextList& after) {
  set_list(path, kept_.list(path), after);
}

void AmendedReport::set_list(std::string_view path, const TextList& before, const TextList& after) {
  if (before == after) return;
  set_digest(path, after.digest());
  out_.change.edits.push_back({std::string(path), edits_between(before, after)});
  const ListRow* row = row_of(path);
  ItemsChanged changed = items_changed(before, after, row == nullptr ? "" : row->key);
  if (row != nullptr && !row->family.empty()) {
    count_findings(
        path, row->family, changed,
        static_cast<std::int64_t>(after.size()) - static_cast<std::int64_t>(before.size()));
    out_.ids[std::string(path)] = ids_in(after);
  }
  out_.extract.push_back({std::string(path), std::move(changed.before), std::move(changed.after)});
}

void AmendedReport::count_suppressed() {
  std::size_t clones = 0, others = 0;
  for (const auto& [family, list] : at({"findings", "groups", "clones", "suppressed"}).entries())
    clones += list.as_list() == nullptr ? 0 : list.as_list()->size();
  for (const std::string_view group : {"structural", "dead_code", "design"})
    others += list_in(out_.report, {"findings", "groups", group, "suppressed"}).size();
  at({"findings", "summary", "clones"}).set("suppressed", number(clones));
  at({"findings", "summary"}).set("suppressed", number(clones + others));
}

}  // namespace gh::analysis
