#include "analysis/runs_of_statements.h"

#include <algorithm>
#include <tuple>

namespace gh::analysis {

Hash key_of(Statements statements) {
  Hasher hasher;
  for (const StatementFact& fact : statements)
    hasher.add(fact.hash);
  return hasher.finish();
}

Hash text_of(Statements statements) {
  Hasher hasher;
  for (std::size_t i = 0; i < statements.size(); ++i)
    hasher.add(Hash{i == 0 ? 0 : statements[i].gap, statements[i].raw});
  return hasher.finish();
}

void AssertShare::add(const UnitFact& unit, Statements run) {
  if (run.empty()) return;
  const std::uint32_t first = run.front().place, end = run.back().place + run.back().size;
  statements += end - first;
  const auto ends_before = [&](const FlowRun& r) { return r.place + r.size <= first; };
  for (auto at = std::ranges::partition_point(unit.asserts, ends_before);
       at != unit.asserts.end() && at->place < end; ++at) {
    const std::uint32_t shared = std::min(at->place + at->size, end) - std::max(at->place, first);
    asserts += shared;
    longest = std::max(longest, shared);
  }
}

GroupOfUnit::GroupOfUnit(const std::vector<CloneGroup>& groups) {
  for (std::uint32_t g = 0; g < groups.size(); ++g)
    for (const UnitRef ref : groups[g].items)
      entries_.push_back({ref, g + 1});
  std::ranges::sort(entries_, {},
                    [](const Entry& e) { return std::tuple(e.ref.file, e.ref.unit); });
}

std::uint32_t GroupOfUnit::operator()(UnitRef ref) const {
  const auto found =
      std::ranges::lower_bound(entries_, std::tuple(ref.file, ref.unit), {},
                               [](const Entry& e) { return std::tuple(e.ref.file, e.ref.unit); });
  return found != entries_.end() && found->ref == ref ? found->group : 0;
}

}  // namespace gh::analysis
