#include "analysis/winnow.h"

#include <algorithm>

namespace gh::analysis {

std::vector<std::uint64_t> grams_of(std::span<const Hash> statements) {
  std::vector<std::uint64_t> out;
  Hasher hasher;
  for (std::size_t i = 0; i + kGram <= statements.size(); ++i) {
    hasher.clear();
    for (const Hash& hash : statements.subspan(i, kGram))
      hasher.add(hash);
    out.push_back(hasher.finish().low);
  }
  return out;
}

std::vector<Mark> winnow(std::span<const Hash> statements) {
  const std::vector<std::uint64_t> grams = grams_of(statements);
  std::vector<Mark> out;
  const std::size_t window = std::min(kWindow, grams.size());
  for (std::size_t i = 0; window > 0 && i + window <= grams.size(); ++i) {
    std::size_t least = i;
    for (std::size_t k = i; k < i + window; ++k)
      if (grams[k] <= grams[least]) least = k;
    const Mark mark{grams[least], static_cast<std::uint32_t>(least)};
    if (out.empty() || out.back() != mark) out.push_back(mark);
  }
  return out;
}

std::vector<Hash> reached_flow(const UnitFact& unit) {
  std::vector<Hash> out = unit.flow;
  std::erase(out, Hash{});
  return out;
}

WinnowIndex::WinnowIndex(const Project& project) {
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u) {
      const UnitFact& unit = project.files[f].facts.units[u];
      if (unit.incomplete || unit.flow.size() < kSureRun) continue;
      for (const Mark& mark : winnow(reached_flow(unit)))
        entries_.push_back({mark.gram, {f, u}, mark.at});
    }
  std::ranges::stable_sort(entries_, {}, &Entry::gram);
}

std::span<const WinnowIndex::Entry> WinnowIndex::find(std::uint64_t gram) const {
  return {std::ranges::lower_bound(entries_, gram, {}, &Entry::gram),
          std::ranges::upper_bound(entries_, gram, {}, &Entry::gram)};
}

}  // namespace gh::analysis
