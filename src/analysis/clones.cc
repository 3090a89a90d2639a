#include "analysis/clones.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace gh::analysis {
namespace {

struct Entry {
  Hash fingerprint;
  UnitRef ref;
};

/// A fingerprint is 128 bits of hashes of hashes. Should two differ below and meet above, their
/// statements still tell them apart; inside one statement 128 bits are taken for the thing itself.
bool is_same_code(const UnitFact& a, const UnitFact& b) {
  const auto skip = [](const std::vector<Hash>& flow, std::size_t i) {
    while (i < flow.size() && flow[i] == Hash{})
      ++i;
    return i;
  };
  std::size_t i = skip(a.flow, 0), j = skip(b.flow, 0);
  for (; i < a.flow.size() && j < b.flow.size(); i = skip(a.flow, i + 1), j = skip(b.flow, j + 1))
    if (a.flow[i] != b.flow[j]) return false;
  return i == a.flow.size() && j == b.flow.size();
}

/// The n-th group of one fingerprint gets a key of its own.
Hash key_of(const Hash& fingerprint, std::size_t n) {
  if (n == 0) return fingerprint;
  Hasher hasher;
  hasher.add(fingerprint);
  hasher.add(static_cast<std::uint16_t>(n));
  return hasher.finish();
}

/// Units of one fingerprint as groups of the same code; one group, but for collisions.
void add_groups(const Project& project, std::span<const Entry> entries,
                std::vector<CloneGroup>& out) {
  std::vector<CloneGroup> groups;
  for (const Entry& entry : entries) {
    const UnitFact& unit = unit_of(project, entry.ref);
    auto group = std::ranges::find_if(groups, [&](const CloneGroup& g) {
      return is_same_code(unit_of(project, g.items.front()), unit);
    });
    if (group == groups.end()) {
      groups.push_back({.key = key_of(entry.fingerprint, groups.size()), .type = CloneType::type1});
      group = groups.end() - 1;
    }
    group->items.push_back(entry.ref);
    if (unit.raw != unit_of(project, group->items.front()).raw) group->type = CloneType::type2;
  }
  for (CloneGroup& group : groups)
    if (group.items.size() > 1) out.push_back(std::move(group));
}

}  // namespace

int clone_family(syntax::Language language) {
  using syntax::Language;
  switch (language) {
    case Language::typescript:
    case Language::tsx:
      return static_cast<int>(Language::javascript);
    case Language::cpp:
      return static_cast<int>(Language::c);
    default:
      return static_cast<int>(language);
  }
}

bool takes_part_in_function_clones(const UnitFact& unit, const Profile& profile) {
  return !unit.incomplete && unit.loc() >= profile.min_loc &&
         unit.statements.size() >= profile.min_stmt;
}

std::vector<CloneGroup> function_clones(const Project& project) {
  std::vector<Entry> entries;
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u)
      if (const UnitRef ref{f, u};
          takes_part_in_function_clones(unit_of(project, ref), project.profile))
        entries.push_back({unit_of(project, ref).fingerprint, ref});
  const auto family = [&](const Entry& e) {
    return clone_family(project.files[e.ref.file].language);
  };
  // Files are in the order of their paths, units in that of their lines.
  std::ranges::stable_sort(entries, [&](const Entry& a, const Entry& b) {
    return std::tuple(a.fingerprint, family(a)) < std::tuple(b.fingerprint, family(b));
  });
  std::vector<CloneGroup> out;
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t end = i + 1;
    while (end < entries.size() && entries[end].fingerprint == entries[i].fingerprint &&
           family(entries[end]) == family(entries[i]))
      ++end;
    if (end - i > 1) add_groups(project, std::span(entries).subspan(i, end - i), out);
    i = end;
  }
  std::ranges::stable_sort(out, [](const CloneGroup& a, const CloneGroup& b) {
    return std::tuple(b.items.size(), a.key) < std::tuple(a.items.size(), b.key);
  });
  return out;
}

}  // namespace gh::analysis
