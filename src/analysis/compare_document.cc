#include <fmt/format.h>

#include "analysis/compare.h"
#include "analysis/suppressions.h"

namespace gh::analysis {
namespace {

Value or_null(const std::optional<std::int64_t>& number) {
  return number ? Value(*number) : Value();
}

Value run_value(const std::string& run_id, const RunHealth& health) {
  return Map{{"run_id", run_id.substr(0, kShortRunId)}, {"health", or_null(health.score)}};
}

Value cards(const std::vector<ComparedFinding>& findings) {
  List out;
  for (const ComparedFinding& f : findings)
    out.emplace_back(Map{{"id", f.short_id},
                         {"kind", f.kind},
                         {"severity", f.severity},
                         {"finding_id", f.id},
                         {"paths", string_list(f.paths)}});
  return out;
}

Value symbols(const std::vector<SymbolChange>& changes) {
  List out;
  for (std::size_t i = 0; i < std::min(kShownSymbols, changes.size()); ++i)
    out.emplace_back(Map{{"family", changes[i].family},
                         {"path", changes[i].path},
                         {"symbol", changes[i].symbol},
                         {"before", changes[i].before},
                         {"after", changes[i].after},
                         {"delta", changes[i].delta()}});
  return out;
}

Value total(const std::vector<SymbolChange>& changes) {
  return static_cast<std::int64_t>(changes.size());
}

Value grown(const std::vector<GrownClones>& groups) {
  List out;
  for (const GrownClones& group : groups)
    out.emplace_back(Map{{"id", group.short_id},
                         {"finding_id", group.id},
                         {"new_members", string_list(group.new_members)}});
  return out;
}

Value inventories(const std::vector<InventoryChange>& changes) {
  Map out;
  for (const InventoryChange& change : changes) {
    Map categories;
    for (const auto& [category, counts] : change.by_category)
      categories.set(category, Map{{"added", counts.added}, {"removed", counts.removed}});
    out.set(std::string(change.family), Map{{"added", string_list(change.added)},
                                            {"removed", string_list(change.removed)},
                                            {"by_category", std::move(categories)}});
  }
  return out;
}

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

std::string summary_of(const RunComparison& c) {
  if (!c.comparable) return fmt::format("the runs cannot be compared: {}", c.reason);
  std::string out =
      fmt::format("{}: {}, {}, {} unchanged", to_string(c.verdict),
                  counted(c.regressions.size(), "regression", "regressions"),
                  counted(c.improvements.size(), "improvement", "improvements"), c.unchanged);
  if (c.unknown != 0) out += fmt::format(", {} unknown", c.unknown);
  if (!c.suppressions_added.empty())
    out += ", " + counted(c.suppressions_added.size(), "suppression added", "suppressions added");
  if (const auto delta = c.health_delta())
    out += fmt::format(", health {} -> {} ({:+})", *c.before.score, *c.after.score, *delta);
  return out;
}

Map comparison_document(const RunComparison& c) {
  Map out{{"before", run_value(c.before_id, c.before)},
          {"after", run_value(c.after_id, c.after)},
          {"comparable", c.comparable},
          {"health_delta", or_null(c.health_delta())},
          {"health_delta_tenths", or_null(c.health_delta_tenths())},
          {"verdict", to_string(c.verdict)},
          {"regressions", cards(c.regressions)},
          {"improvements", cards(c.improvements)},
          {"unchanged", c.comparable ? Value(c.unchanged) : Value()},
          {"unknown", c.comparable ? Value(c.unknown) : Value()},
          {"partial_paths", string_list(c.partial_paths)},
          {"grown", grown(c.grown)},
          {"worsened", symbols(c.worsened)},
          {"worsened_total", total(c.worsened)},
          {"eased", symbols(c.eased)},
          {"eased_total", total(c.eased)},
          {"coverage", symbols(c.coverage)},
          {"coverage_total", total(c.coverage)},
          {"inventories", inventories(c.inventories)},
          {"suppressions_added", suppression_cards(c.suppressions_added)},
          {"summary", summary_of(c)}};
  if (!c.comparable) out.set("reason", c.reason);
  return out;
}

}  // namespace gh::analysis
