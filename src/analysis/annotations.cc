#include "analysis/annotations.h"

#include <algorithm>

#include "analysis/finding.h"

namespace gh::analysis {
namespace {

Map& map_in(Map& map, std::string_view key) {
  Value* value = map.find(key);
  if (value == nullptr || value->as_map() == nullptr) map.set(std::string(key), Map{});
  return *map.find(key)->as_map();
}

struct Told {
  std::uint64_t fresh = 0, known = 0;
};

void tell_novelty(Map& clones, std::string_view list, const Names* known, const Annotations& a,
                  Told& told) {
  Value* groups = clones.find(list);
  if (groups == nullptr || groups->as_list() == nullptr) return;
  for (Value& value : *groups->as_list()) {
    Map& group = *value.as_map();
    const std::string id = *group.find("id")->as_string();
    const std::string key = id.substr(id.rfind(':') + 1);
    const bool is_known = known != nullptr && std::ranges::binary_search(*known, key);
    group.set("novelty", is_known ? "known" : "new");
    ++(is_known ? told.known : told.fresh);
    const auto grown = std::ranges::find(a.grown, key, &Grown::key);
    if (grown == a.grown.end()) continue;
    group.set("grown", true);
    group.set("new_members", string_list(grown->new_members));
  }
}

/// Clones alone: what else was measured on the way is not told.
void drop_metrics(Map& report) {
  Map& meta = map_in(report, "meta");
  meta.set("analysis_mode", "clones_only");
  meta.set("computed_metric_families", List{});
  map_in(report, "metrics").set("families", Map{});
  Map& findings = map_in(report, "findings");
  Map& groups = map_in(findings, "groups");
  const Map clones = map_in(groups, "clones");
  findings.set("groups", Map{{"clones", clones}});
  std::uint64_t total = 0;
  for (const auto& entry : clones.entries())
    total += entry.second.as_list() == nullptr ? 0 : entry.second.as_list()->size();
  map_in(findings, "summary").set("total", number(total));
  map_in(findings, "summary").set("families", Map{{"clone", number(total)}});
}

Value gates_document(const Annotations& a) {
  List reasons;
  for (const GateReason& reason : a.gate_reasons)
    reasons.emplace_back(
        Map{{"order", reason.order}, {"key", reason.key}, {"message", reason.message}});
  return Map{
      {"gating", a.is_gating}, {"passed", a.gate_reasons.empty()}, {"reasons", std::move(reasons)}};
}

}  // namespace

Annotations plain_annotations(const Measures& measures) {
  Annotations out;
  out.health = health_of(measures);
  out.compatible = compatible_health_of(measures);
  return out;
}

void annotate(Map& report, const Annotations& a) {
  Map& meta = map_in(report, "meta");
  if (!a.project_name.empty()) meta.set("project_name", a.project_name);
  meta.set("baseline", baseline_summary(a.baseline, a.baseline_path, BaselineUse::clones));
  meta.set("metrics_baseline",
           baseline_summary(a.metrics_baseline, a.metrics_baseline_path, BaselineUse::metrics));
  if (a.skips_metrics)
    drop_metrics(report);
  else
    map_in(map_in(report, "metrics"), "families")
        .set("health", health_family(a.health, a.compatible));
  const CloneKeys* known = a.baseline.content.clones ? &*a.baseline.content.clones : nullptr;
  Map& findings = map_in(report, "findings");
  Map& clones = map_in(map_in(findings, "groups"), "clones");
  Told told;
  tell_novelty(clones, "functions", known == nullptr ? nullptr : &known->functions, a, told);
  tell_novelty(clones, "blocks", known == nullptr ? nullptr : &known->blocks, a, told);
  Map& summary = map_in(map_in(findings, "summary"), "clones");
  summary.set("new", number(told.fresh));
  summary.set("known", number(told.known));
}

void derive(Map& report, const Annotations& a) {
  Map& derived = map_in(report, "derived");
  derived.set("gates", gates_document(a));
  if (a.api) derived.set("api", api_document(*a.api));
  derived.set("suppressions_added", suppression_cards(a.suppressions_added));
}

}  // namespace gh::analysis
