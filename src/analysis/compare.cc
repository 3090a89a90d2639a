#include "analysis/compare.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "analysis/report_view.h"
#include "analysis/suppressions.h"

namespace gh::analysis {
namespace {

// table: focus of a comparison
struct FocusRow {
  std::string_view name;
  Focus focus;
  std::array<std::string_view, 2> families;  // none: every one
};
constexpr std::array<FocusRow, 4> kFocus{{
    {"all", Focus::all, {}},
    {"clones", Focus::clones, {"clone", "clone"}},
    {"structural", Focus::structural, {"structural", "structural"}},
    {"metrics", Focus::metrics, {"design", "dead_code"}},
}};

// table: settings that compared runs share
constexpr std::array<std::string_view, 6> kSettings{"analysis_mode",       "analysis_profile",
                                                    "analysis_thresholds", "fingerprint_version",
                                                    "languages",           "generator"};

// table: compared metrics
struct MetricRow {
  std::string_view family;
  std::array<std::string_view, 3> fields;  // the first that is there
};
constexpr std::array<MetricRow, 3> kMetrics{{
    {"complexity", {"cyclomatic_complexity", "complexity", "value"}},
    {"coupling", {"cbo", "coupling", "value"}},
    {"cohesion", {"lcom4", "cohesion", "value"}},
}};
constexpr MetricRow kCoverage{"coverage_join", {"coverage_permille", "permille", "value"}};

// table: compared inventories
struct InventoryRow {
  std::string_view family;
  std::array<std::string_view, 3> key;
};
constexpr std::array<InventoryRow, 2> kInventories{{
    {"security_surfaces", {"qualname", "category", "capability"}},
    {"api_surface", {"qualname", "kind", ""}},
}};

bool is_in_focus(Focus focus, std::string_view family) {
  const FocusRow& row = kFocus[static_cast<std::size_t>(focus)];
  return focus == Focus::all || std::ranges::find(row.families, family) != row.families.end();
}

/// Suppressions that the later run has and the earlier one has not: they hide nothing.
class Ineffective {
 public:
  Ineffective() = default;
  explicit Ineffective(const List& added) {
    for (const Value& entry : added)
      covered_.emplace(text_in(entry, "qualname"), text_in(entry, "rule"));
  }
  bool hides(const Value& item, std::string_view rule) const {
    return covered_.contains({text_in(item, "qualname"), rule});
  }
  bool hides_one_of(const Value& group) const {
    return std::ranges::any_of(list_in(group, {"items"}), [&](const Value& item) {
      return hides(item, text_in(group, "rule"));
    });
  }

 private:
  std::set<std::pair<std::string_view, std::string_view>> covered_{};
};

/// The groups that count in a comparison.
std::vector<const Value*> counted_groups(const Value& report, const Ineffective& added) {
  std::vector<const Value*> out = finding_groups(report);
  for (const Value* group : suppressed_groups(report))
    if (added.hides_one_of(*group)) out.push_back(group);
  return out;
}

using Groups = std::map<std::string, const Value*, std::less<>>;

Groups groups_of(const Value& report, Focus focus, const Ineffective& added = {}) {
  Groups out;
  for (const Value* group : counted_groups(report, added))
    if (is_in_focus(focus, text_in(*group, "family")))
      out.emplace(std::string(text_in(*group, "id")), group);
  return out;
}

ComparedFinding finding_of(const std::string& id, const Value& group, const ShortIds& shorts) {
  ComparedFinding out{.id = id,
                      .short_id = shorts.at(id),
                      .family = std::string(text_in(group, "family")),
                      .kind = std::string(text_in(group, "kind")),
                      .severity = std::string(text_in(group, "severity")),
                      .paths = paths_of(group)};
  if (const List& items = list_in(group, {"items"}); !items.empty())
    out.place = fmt::format("{}:{}", text_in(items.front(), "relative_path"),
                            int_in(items.front(), "start_line").value_or(0));
  return out;
}

using Symbol = std::pair<std::string, std::string>;  // path, qualname
using Values = std::map<Symbol, std::int64_t>;

Values values_of(const Value& report, const MetricRow& row, const Ineffective& added = {}) {
  Values out;
  const auto note = [&](const Value& item) {
    for (const std::string_view field : row.fields)
      if (const auto value = int_in(item, field)) {
        const Symbol symbol(text_in(item, "relative_path"), text_in(item, "qualname"));
        const auto [at, is_new] = out.emplace(symbol, *value);
        if (!is_new) at->second = std::max(at->second, *value);  // two of one name: the worse
        break;
      }
  };
  for (const Value& item : metric_items(report, row.family))
    note(item);
  for (const Value& item : suppressed_items(report, row.family))
    if (added.hides(item, row.family)) note(item);
  return out;
}

using Paths = std::set<std::string, std::less<>>;

/// Files of which nobody can say what is no longer in them.
Paths unread_paths(const Value& report) {
  Paths out;
  for (const std::string_view list : {"partial", "unread"})
    for (const Value& file : list_in(report, {"inventory", "files", list}))
      out.emplace(text_in(file, "path"));
  return out;
}

/// Which symbols of `report` are known to be whole, and which files are not.
class Reading {
 public:
  explicit Reading(const Value& report) : unread_(unread_paths(report)) {
    if (unread_.empty()) return;
    for (const MetricRow& row : kMetrics)
      for (const Value& item : metric_items(report, row.family))
        whole_.emplace(text_in(item, "relative_path"), text_in(item, "qualname"));
  }

  /// Files because of which nobody can say that the finding is gone.
  std::vector<std::string> hides(const Value& group) const {
    std::set<std::string> out;
    for (const Value& item : list_in(group, {"items"})) {
      Symbol symbol(text_in(item, "relative_path"), text_in(item, "qualname"));
      if (!unread_.contains(symbol.first)) continue;
      // An unread line may use what looks unused, so here a whole unit proves nothing.
      if (text_in(group, "family") == "dead_code" || !whole_.contains(symbol))
        out.insert(std::move(symbol.first));
    }
    return {out.begin(), out.end()};
  }

 private:
  Paths unread_;
  std::set<Symbol> whole_{};
};

void compare_findings(RunComparison& out, const Value& before, const Value& after, Focus focus,
                      const Ineffective& added, const ShortIds& new_ids) {
  const Groups old = groups_of(before, focus), now = groups_of(after, focus, added);
  const ShortIds old_ids = short_ids_of(before, finding_groups(before));
  const Reading reading(after);
  std::set<std::string> partial;
  for (const auto& [id, group] : now)
    if (!old.contains(id)) out.regressions.push_back(finding_of(id, *group, new_ids));
  for (const auto& [id, group] : old) {
    if (now.contains(id)) {
      ++out.unchanged;
      continue;
    }
    const std::vector<std::string> hiding = reading.hides(*group);
    if (hiding.empty()) {
      out.improvements.push_back(finding_of(id, *group, old_ids));
      continue;
    }
    ++out.unknown;
    partial.insert(hiding.begin(), hiding.end());
  }
  out.partial_paths.assign(partial.begin(), partial.end());
}

/// Of findings that are known by their symbol: the id of a copy changes with every edit of it.
void find_hidden(RunComparison& out, const Value& before, const Value& after,
                 const Ineffective& added) {
  std::set<std::string_view> known;
  for (const Value* group : finding_groups(before))
    known.insert(text_in(*group, "id"));
  for (const Value* group : suppressed_groups(before))
    known.insert(text_in(*group, "id"));
  const std::vector<const Value*> hidden = suppressed_groups(after);
  const ShortIds shorts = short_ids_of(after, hidden);
  for (const Value* group : hidden) {
    const std::string_view family = text_in(*group, "family"), id = text_in(*group, "id");
    const bool is_of_symbol = family == "dead_code" || family == "design";
    if (is_of_symbol && !known.contains(id) && !added.hides_one_of(*group))
      out.hidden.push_back(finding_of(std::string(id), *group, shorts));
  }
  std::ranges::sort(out.hidden, {}, &ComparedFinding::id);
}

/// How much of a file could not be read; of one that was read as a whole there is none.
struct Gap {
  std::string status;  // partial, or why nothing of it was read
  std::int64_t line = 1, nodes = 0, bytes = 0, whole_units = 0, broken_units = 0;
  bool is_partial() const { return status == "partial"; }
};

std::map<std::string, Gap, std::less<>> gaps_of(const Value& report) {
  std::map<std::string, Gap, std::less<>> out;
  const auto number = [](const Value& file, std::string_view name) {
    return int_in(file, name).value_or(0);
  };
  for (const Value& file : list_in(report, {"inventory", "files", "partial"}))
    out.emplace(text_in(file, "path"),
                Gap{"partial", int_in(file, "line").value_or(1), number(file, "error_nodes"),
                    number(file, "error_bytes"), number(file, "units_complete"),
                    number(file, "units_incomplete")});
  for (const Value& file : list_in(report, {"inventory", "files", "unread"}))
    out.emplace(text_in(file, "path"), Gap{.status = std::string(text_in(file, "status"))});
  return out;
}

bool is_wider(const Gap& now, const Gap& then) {
  if (!then.is_partial()) return false;  // nothing of it was read before either
  if (!now.is_partial()) return true;
  return now.nodes > then.nodes || now.broken_units > then.broken_units ||
         (now.whole_units < then.whole_units && now.bytes > then.bytes);
}

/// A file that cannot be read, whether new, whole before or less broken before, is a finding of its
/// own: nobody can say what it hides.
void compare_reading(RunComparison& out, const Value& before, const Value& after) {
  const auto old = gaps_of(before);
  for (const auto& [path, gap] : gaps_of(after)) {
    if (const auto then = old.find(path); then != old.end() && !is_wider(gap, then->second))
      continue;
    const bool is_syntax = gap.is_partial() || gap.status == "parse_error";
    const std::string kind = is_syntax ? "syntax_error" : "unread_file";
    const std::string id = fmt::format("structural:{}:{}", kind, path);
    out.regressions.push_back({.id = id,
                               .short_id = id,
                               .family = "structural",
                               .kind = kind,
                               .severity = "critical",
                               .paths = {path},
                               .place = fmt::format("{}:{}", path, gap.line),
                               .unread = gap.status});
  }
  std::ranges::stable_sort(out.regressions, {}, &ComparedFinding::id);
}

std::vector<Symbol> members_of(const Value& group, const Ineffective& added = {}) {
  std::vector<Symbol> out;
  const auto note = [&](const Value& item) {
    out.emplace_back(text_in(item, "relative_path"), text_in(item, "qualname"));
  };
  for (const Value& item : list_in(group, {"items"}))
    note(item);
  for (const Value& item : list_in(group, {"suppressed_items"}))
    if (added.hides(item, "clone")) note(item);
  std::ranges::sort(out);
  return out;
}

/// Who copies an existing clone once more must be seen, though its id is known.
void find_grown(RunComparison& out, const Value& before, const Value& after,
                const Ineffective& suppressions, const ShortIds& ids) {
  const Groups old = groups_of(before, Focus::clones);
  const Groups now = groups_of(after, Focus::clones, suppressions);
  for (const auto& [id, group] : now) {
    const auto known = old.find(id);
    if (known == old.end()) continue;
    const std::vector<Symbol> had = members_of(*known->second);
    const std::vector<Symbol> has = members_of(*group, suppressions);
    if (has.size() <= had.size()) continue;
    GrownClones grown{.id = id, .short_id = ids.at(id)};
    std::vector<Symbol> added;
    std::ranges::set_difference(has, had, std::back_inserter(added));
    for (const Symbol& symbol : added)
      grown.new_members.push_back(symbol.second);
    out.grown.push_back(std::move(grown));
  }
}

void sort_by_size(std::vector<SymbolChange>& changes, int sign) {
  std::ranges::sort(changes, [sign](const SymbolChange& a, const SymbolChange& b) {
    return std::tuple(-sign * a.delta(), a.family, std::string_view(a.path),
                      std::string_view(a.symbol)) < std::tuple(-sign * b.delta(), b.family,
                                                               std::string_view(b.path),
                                                               std::string_view(b.symbol));
  });
}

/// Symbols of both runs; a new one has no value before.
std::vector<SymbolChange> changes_of(const Value& before, const Value& after, const MetricRow& row,
                                     const Ineffective& added = {}) {
  const Values old = values_of(before, row), now = values_of(after, row, added);
  std::vector<SymbolChange> out;
  for (const auto& [symbol, value] : now)
    if (const auto known = old.find(symbol); known != old.end() && known->second != value)
      out.push_back({row.family, symbol.first, symbol.second, known->second, value});
  return out;
}

void compare_symbols(RunComparison& out, const Value& before, const Value& after,
                     const Ineffective& added) {
  for (const MetricRow& row : kMetrics)
    for (SymbolChange& change : changes_of(before, after, row, added))
      (change.delta() > 0 ? out.worsened : out.eased).push_back(std::move(change));
  out.coverage = changes_of(before, after, kCoverage);
  sort_by_size(out.worsened, +1);
  sort_by_size(out.eased, -1);
  sort_by_size(out.coverage, -1);
}

/// Keys of the items outside of these files, each with its category.
std::map<std::string, std::string> keys_of(const Value& report, const InventoryRow& row,
                                           const Paths& hidden = {}) {
  std::map<std::string, std::string> out;
  for (const Value& item : metric_items(report, row.family)) {
    if (hidden.contains(text_in(item, "relative_path"))) continue;
    std::string key;
    for (const std::string_view field : row.key)
      if (const std::string_view text = text_in(item, field); !text.empty())
        key += (key.empty() ? "" : " ") + std::string(text);
    out.emplace(std::move(key), text_in(item, "category"));
  }
  return out;
}

void compare_inventories(RunComparison& out, const Value& before, const Value& after) {
  for (const InventoryRow& row : kInventories) {
    if (member(before, {"metrics", "families", row.family}) == nullptr ||
        member(after, {"metrics", "families", row.family}) == nullptr)
      continue;
    const auto old = keys_of(before, row), now = keys_of(after, row);
    InventoryChange change{.family = row.family};
    const auto note = [&change](const auto& here, const auto& there, auto& list, auto count) {
      for (const auto& entry : here) {
        if (there.contains(entry.first)) continue;
        list.push_back(entry.first);
        if (!entry.second.empty()) ++(change.by_category[entry.second].*count);
      }
    };
    note(now, old, change.added, &InventoryChange::Counts::added);
    note(keys_of(before, row, unread_paths(after)), now, change.removed,
         &InventoryChange::Counts::removed);
    out.inventories.push_back(std::move(change));
  }
}

std::optional<std::int64_t> difference(std::optional<std::int64_t> after,
                                       std::optional<std::int64_t> before) {
  if (!after || !before) return std::nullopt;
  return *after - *before;
}

}  // namespace

std::map<std::string, std::string, std::less<>> unread_files(const Value& report) {
  std::map<std::string, std::string, std::less<>> out;
  for (auto& [path, gap] : gaps_of(report))
    out.emplace(path, gap.status);
  return out;
}

std::optional<Focus> focus_named(std::string_view name) {
  for (const FocusRow& row : kFocus)
    if (row.name == name) return row.focus;
  return std::nullopt;
}

std::string_view to_string(RunVerdict change) {
  static constexpr std::array<std::string_view, 5> kNames{"incomparable", "stable", "improved",
                                                          "regressed", "mixed"};
  return kNames[static_cast<std::size_t>(change)];
}

RunVerdict verdict_of(bool negative, bool positive) {
  if (negative) return positive ? RunVerdict::mixed : RunVerdict::regressed;
  return positive ? RunVerdict::improved : RunVerdict::stable;
}

RunHealth run_health(const Value& report) {
  const Value* summary = member(report, {"metrics", "families", "health", "summary"});
  if (summary == nullptr) return {};
  return {int_in(*summary, "score"), int_in(*summary, "score_tenths")};
}

Value comparison_settings(const Value& report) {
  Map out;
  for (const std::string_view key : kSettings)
    if (const Value* value = member(report, {"meta", key})) out.set(std::string(key), *value);
  return out;
}

std::optional<std::int64_t> RunComparison::health_delta() const {
  return comparable ? difference(after.score, before.score) : std::nullopt;
}

std::optional<std::int64_t> RunComparison::health_delta_tenths() const {
  return comparable ? difference(after.tenths, before.tenths) : std::nullopt;
}

RunComparison compare_runs(const ComparedRun& before, const ComparedRun& after, Focus focus) {
  RunComparison out{.before_id = before.run_id,
                    .after_id = after.run_id,
                    .before = run_health(before.report),
                    .after = run_health(after.report)};
  const bool other_root = before.root != after.root;
  const bool other_settings =
      comparison_settings(before.report) != comparison_settings(after.report);
  if (other_root || other_settings) {
    out.comparable = false;
    out.verdict = RunVerdict::incomparable;
    out.reason = !other_settings ? "different_root"
                 : !other_root   ? "different_analysis_settings"
                                 : "different_root_and_analysis_settings";
    return out;
  }
  out.suppressions_added = added_suppressions(list_in(before.report, {"meta", "suppressions"}),
                                              list_in(after.report, {"meta", "suppressions"}));
  const Ineffective added(out.suppressions_added);
  const ShortIds new_ids = short_ids_of(after.report, counted_groups(after.report, added));
  compare_findings(out, before.report, after.report, focus, added, new_ids);
  if (focus == Focus::all || focus == Focus::structural)
    compare_reading(out, before.report, after.report);
  find_hidden(out, before.report, after.report, added);
  find_grown(out, before.report, after.report, added, new_ids);
  compare_symbols(out, before.report, after.report, added);
  compare_inventories(out, before.report, after.report);
  const std::int64_t health = out.health_delta().value_or(0);
  // What cannot be read any more, or is hidden now, also left the score: then a rise proves
  // nothing.
  const bool rose = health > 0 && out.unknown == 0 && out.suppressions_added.empty();
  out.verdict =
      verdict_of(!out.regressions.empty() || health < 0, !out.improvements.empty() || rose);
  return out;
}

}  // namespace gh::analysis
