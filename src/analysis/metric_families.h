// What the report says of each metric: a summary and its items, worst first.
#pragma once

#include <memory>
#include <vector>

#include "analysis/columns.h"
#include "analysis/dependencies.h"
#include "analysis/finding.h"

namespace gh::analysis {

struct ScoredUnit {
  Place place;
  const UnitFact* unit;
  bool is_suppressed = false;  // it asks that its complexity be left out
};
/// Every complete unit, most complex first, also those that are to be left out.
std::vector<ScoredUnit> scored_units(const Project&);

struct ScoredClass {
  Place place;
  std::shared_ptr<const ClassFact> fact;                // what is known of all its parts together
  bool hides_cohesion = false, hides_coupling = false;  // it asks that they be left out
};
/// Every complete class, in the order of files, with the methods that are declared outside of it.
std::vector<ScoredClass> scored_classes(const Project&);

Map family(Map summary, List items);
/// Without its items, which are many. What is suppressed is listed apart and counts nowhere.
Map complexity_family(const std::vector<ScoredUnit>&);
/// Takes out what is suppressed.
void keep_counted(std::vector<ScoredUnit>&);
/// What is told of each; there are as many as functions.
std::span<const Column<ScoredUnit>> complexity_columns();
Map cohesion_family(std::vector<ScoredClass>);
Map coupling_family(std::vector<ScoredClass>);
/// Without its items.
Map dependency_family(const Dependencies&);
struct EdgeOf {
  const Dependencies& all;
  const DependencyEdge& edge;
};
std::span<const Column<EdgeOf>> dependency_columns();

/// What is beyond the thresholds of the profile, by priority.
std::vector<Group> design_groups(const Project&, const std::vector<ScoredUnit>&,
                                 const std::vector<ScoredClass>&, const Dependencies&);

}  // namespace gh::analysis
