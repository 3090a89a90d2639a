#include "analysis/suppressed.h"

#include <array>
#include <string>

namespace gh::analysis {
namespace {

struct DesignRow {
  std::string_view category;
  Rule rule;
};
// table: suppressible design findings
constexpr std::array<DesignRow, 3> kDesign{
    {{"complexity", Rule::complexity}, {"coupling", Rule::coupling}, {"cohesion", Rule::cohesion}}};

}  // namespace

AskedFor::AskedFor(const Project& project) {
  for (const AnalysedFile& file : project.files)
    for (const Directive& directive : file.facts.suppressions.directives) {
      if (directive.declaration == kNone) continue;
      const DeclarationFact& fact = file.facts.declarations.all[directive.declaration];
      asking_.emplace(Span(file.path, fact.start_line, fact.end_line),
                      Asking{&file.facts, directive.declaration});
    }
}

bool AskedFor::operator()(const Place& place, Rule rule) const {
  const auto [from, to] = asking_.equal_range(Span(place.path, place.start_line, place.end_line));
  return std::any_of(from, to, [&](const auto& entry) {
    return is_suppressed(*entry.second.facts, entry.second.declaration, rule);
  });
}

namespace {

Rule rule_of(CohortKind kind) {
  return kind == CohortKind::drift ? Rule::clone_cohort_drift : Rule::clone_guard_exit_divergence;
}

}  // namespace

Structural take_suppressed_structural(const Project& project, Structural& found) {
  Structural out;
  std::erase_if(found.branches, [&](const UnitBranches& branches) {
    if (!is_suppressed(project, branches.unit, Rule::duplicated_branches)) return false;
    out.branches.push_back(branches);
    return true;
  });
  std::vector<CohortFinding> kept;
  for (CohortFinding& cohort : found.cohorts) {
    CohortFinding left = cohort;
    std::erase_if(left.items,
                  [&](UnitRef ref) { return is_suppressed(project, ref, rule_of(cohort.kind)); });
    if (left.items.empty())
      out.cohorts.push_back(std::move(cohort));
    else
      kept.push_back(std::move(left));
  }
  found.cohorts = std::move(kept);
  return out;
}

List take_suppressed_design(const Project& project, std::vector<Group>& groups) {
  List out;
  const AskedFor is_asked_for(project);
  std::erase_if(groups, [&](const Group& group) {
    const auto row = std::ranges::find(kDesign, group.category, &DesignRow::category);
    if (row == kDesign.end() || !is_asked_for(group.places.front(), row->rule)) return false;
    Map document = group_document(group);
    document.set("rule", to_string(row->rule));
    document.set("source", "inline");
    out.emplace_back(std::move(document));
    return true;
  });
  return out;
}

}  // namespace gh::analysis
