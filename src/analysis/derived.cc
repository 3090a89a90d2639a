#include "analysis/derived.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "analysis/project.h"
#include "analysis/report_view.h"
#include "analysis/suggestions.h"

namespace gh::analysis {
namespace {

/// A finding with what lists are sorted by.
struct Ranked {
  const Value* group;
  std::string_view id, family, kind, severity, scope;
  int rank = 0;               // of its severity
  std::int64_t priority = 0;  // ten-thousandths
  std::int64_t files = 0, functions = 0;
  bool is_runtime = false;
};

int rank_of(std::string_view severity) {
  return severity == "critical" ? 3 : severity == "warning" ? 2 : 1;
}

std::int64_t priority_in(const Value& group) {
  const Value* value = member(group, {"priority"});
  if (value == nullptr) return 0;
  if (const auto* decimal = std::get_if<Decimal>(&value->data())) return decimal->ten_thousandths;
  return value->as_int() == nullptr ? 0 : *value->as_int() * 10'000;
}

std::vector<Ranked> ranked(const Value& report) {
  std::vector<Ranked> out;
  static const Value none;
  for (const Value* group : finding_groups(report)) {
    const Value* scope = member(*group, {"source_scope"});
    const Value* spread = member(*group, {"spread"});
    Ranked row{.group = group,
               .id = text_in(*group, "id"),
               .family = text_in(*group, "family"),
               .kind = text_in(*group, "kind"),
               .severity = text_in(*group, "severity"),
               .scope = text_in(scope == nullptr ? none : *scope, "dominant_kind")};
    row.rank = rank_of(row.severity);
    row.priority = priority_in(*group);
    row.files = int_in(spread == nullptr ? none : *spread, "files").value_or(0);
    row.functions = int_in(spread == nullptr ? none : *spread, "functions").value_or(0);
    row.is_runtime = text_in(scope == nullptr ? none : *scope, "impact_scope") != "non_runtime";
    out.push_back(row);
  }
  return out;
}

using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string_view>;

template <class KeyOf>
std::vector<Ranked> sorted(std::vector<Ranked> rows, KeyOf key) {
  std::ranges::sort(rows, {}, key);
  return rows;
}

Key by_action(const Ranked& r) { return {-r.priority, -r.rank, -r.files, r.id}; }
Key by_spread(const Ranked& r) { return {-r.files, -r.functions, -r.rank, r.id}; }
Key by_risk(const Ranked& r) { return {-r.rank, r.is_runtime ? 0 : 1, -r.priority, r.id}; }

template <class Keep>
Value ids(const std::vector<Ranked>& rows, std::size_t limit, Keep keep) {
  List out;
  for (const Ranked& row : rows)
    if (out.size() < limit && keep(row)) out.emplace_back(row.id);
  return out;
}

std::string place_of_first(const Value& group) {
  const List& items = list_in(group, {"items"});
  if (items.empty()) return "";
  return fmt::format("{}:{}", text_in(items.front(), "relative_path"),
                     int_in(items.front(), "start_line").value_or(0));
}

Value top_risks(const std::vector<Ranked>& rows) {
  List out;
  for (const Ranked& row : sorted(rows, by_risk))
    if (out.size() < kTopRisks)
      out.emplace_back(Map{{"id", row.id},
                           {"family", row.family},
                           {"kind", row.kind},
                           {"severity", row.severity},
                           {"location", place_of_first(*row.group)}});
  return out;
}

Value counts(const std::vector<Ranked>& rows, std::string_view Ranked::*field) {
  std::map<std::string_view, std::int64_t> counted;
  for (const Ranked& row : rows)
    if (!(row.*field).empty()) ++counted[row.*field];
  Map out;
  for (const auto& [name, n] : counted)
    out.set(std::string(name), n);
  return out;
}

/// Where findings crowd: a folder counts each finding once.
Value directory_hotspots(const std::vector<Ranked>& rows) {
  std::map<std::string, std::pair<std::int64_t, std::set<std::string>>> folders;
  for (const Ranked& row : rows) {
    std::set<std::string> here;
    for (const std::string& path : paths_of(*row.group)) {
      const std::size_t slash = path.rfind('/');
      std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
      folders[folder].second.insert(path);
      here.insert(std::move(folder));
    }
    for (const std::string& folder : here)
      ++folders[folder].first;
  }
  std::vector<std::tuple<std::int64_t, std::string, std::int64_t>> order;
  for (const auto& [folder, seen] : folders)
    order.emplace_back(-seen.first, folder, static_cast<std::int64_t>(seen.second.size()));
  std::ranges::sort(order);
  List out;
  for (const auto& [minus, folder, files] : order)
    if (out.size() < kDirectories)
      out.emplace_back(Map{{"path", folder}, {"findings", -minus}, {"files", files}});
  return out;
}

/// null without a health family.
Value health_snapshot(const Value& report) {
  const Value* summary = member(report, {"metrics", "families", "health", "summary"});
  if (summary == nullptr || !int_in(*summary, "score")) return nullptr;
  std::string_view best, worst;
  std::int64_t high = -1, low = 101;
  for (const auto& [name, value] : map_in(*summary, {"dimensions"}).entries()) {
    if (value.as_int() == nullptr) continue;
    const std::int64_t score = *value.as_int();
    if (score > high) {
      high = score;
      best = name;
    }
    if (score < low) {
      low = score;
      worst = name;
    }
  }
  return Map{{"score", *int_in(*summary, "score")},
             {"grade", text_in(*summary, "grade")},
             {"strongest_dimension", best.empty() ? Value() : Value(best)},
             {"weakest_dimension", worst.empty() ? Value() : Value(worst)}};
}

/// Modules that most others meet: fan-in and fan-out over import edges that count.
Value module_map(const Value& report) {
  std::map<std::string_view, std::pair<std::int64_t, std::int64_t>> fans;
  for (const Value& edge : metric_items(report, "dependencies")) {
    ++fans[text_in(edge, "target")].first;
    ++fans[text_in(edge, "source")].second;
  }
  std::vector<std::tuple<std::int64_t, std::string_view, std::int64_t, std::int64_t>> order;
  for (const auto& [module, fan] : fans)
    order.emplace_back(-(fan.first + fan.second), module, fan.first, fan.second);
  std::ranges::sort(order);
  List out;
  for (const auto& [minus, module, in, from] : order)
    if (out.size() < kModules)
      out.emplace_back(Map{{"module", module}, {"fan_in", in}, {"fan_out", from}});
  return out;
}

}  // namespace

Map derived_section(const Value& report) {
  const std::vector<Ranked> rows = ranked(report);
  const std::vector<Ranked> action = sorted(rows, by_action);
  const auto any = [](const Ranked&) { return true; };
  const auto is_test = [](const Ranked& r) { return r.scope == "tests" || r.scope == "fixtures"; };
  const Value* groups = member(report, {"findings", "groups"});
  const bool is_whole = text_in(*member(report, {"meta"}), "analysis_mode") == "full";
  return Map{{"suggestions", is_whole ? suggestions(*groups->as_map()) : List{}},
             {"overview", Map{{"families", counts(rows, &Ranked::family)},
                              {"top_risks", top_risks(rows)},
                              {"source_scope_breakdown", counts(rows, &Ranked::scope)},
                              {"health_snapshot", health_snapshot(report)},
                              {"directory_hotspots", directory_hotspots(rows)}}},
             {"hotlists",
              Map{{"most_actionable", ids(action, kHotlist, any)},
                  {"highest_spread", ids(sorted(rows, by_spread), kHotlist, any)},
                  {"production_hotspot",
                   ids(action, kHotlist, [](const Ranked& r) { return r.scope == "production"; })},
                  {"test_fixture_hotspot", ids(action, kHotlist, is_test)}}},
             {"module_map", module_map(report)},
             {"review_queue", ids(sorted(rows, by_risk), kQueue, any)}};
}

void add_derived(Value& report) {
  Map section = derived_section(report);
  Map& whole = *report.as_map();
  if (const Value* had = whole.find("derived"))
    for (const auto& [key, value] : had->as_map()->entries())
      section.set(key, value);
  whole.set("derived", std::move(section));
}

}  // namespace gh::analysis
