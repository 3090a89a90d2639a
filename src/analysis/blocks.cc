#include "analysis/blocks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "analysis/suffixes.h"

namespace gh::analysis {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// All statement lists of all units that take part, one behind the other.
struct Sequence {
  Numbers text{};                             // equal statements have equal numbers
  std::vector<const StatementFact*> facts{};  // null between two lists
  Numbers owner{};                            // index into units
  std::vector<UnitRef> units{};
};

bool is_admitted(const UnitFact& unit, const Profile& profile) {
  return !unit.incomplete && unit.loc() >= profile.block_min_loc &&
         unit.statements.size() >= profile.block_min_stmt && !unit.local_name.ends_with("__init__");
}

void append(Sequence& out, const std::vector<StatementFact>& list) {
  for (const StatementFact& fact : list) {
    out.facts.push_back(&fact);
    out.owner.push_back(static_cast<std::uint32_t>(out.units.size() - 1));
  }
  out.facts.push_back(nullptr);
  out.owner.push_back(static_cast<std::uint32_t>(out.units.size() - 1));
}

/// Dense numbers from 1 on; whatever stands once, and every gap, has a number of its own.
void number(const Project& project, Sequence& s) {
  struct Entry {
    int family;
    Hash hash;
    std::uint32_t at;
  };
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < s.facts.size(); ++i)
    if (s.facts[i] != nullptr)
      entries.push_back(
          {clone_family(project.files[s.units[s.owner[i]].file].language), s.facts[i]->hash, i});
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::tie(a.family, a.hash, a.at) < std::tie(b.family, b.hash, b.at);
  });
  s.text.assign(s.facts.size(), 0);
  std::uint32_t id = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool is_new = i == 0 || entries[i].family != entries[i - 1].family ||
                        entries[i].hash != entries[i - 1].hash;
    if (is_new) ++id;
    s.text[entries[i].at] = id;
  }
  for (std::uint32_t& symbol : s.text)
    if (symbol == 0) symbol = ++id;
}

Sequence sequence_of(const Project& project) {
  Sequence out;
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u) {
      const UnitRef ref{f, u};
      const UnitFact& unit = unit_of(project, ref);
      if (!is_admitted(unit, project.profile)) continue;
      out.units.push_back(ref);
      append(out, unit.statements);
      for (const std::vector<StatementFact>& list : unit.inner)
        append(out, list);
    }
  number(project, out);
  return out;
}

/// How many different owners stand in each range of `owners`: one pass with a tree of sums.
std::vector<std::uint32_t> distinct_owners(const Numbers& owners,
                                           const std::vector<Repeat>& ranges) {
  const auto n = static_cast<std::uint32_t>(owners.size());
  Numbers sums(n + 1, 0), order(ranges.size()), out(ranges.size(), 0);
  const auto add = [&](std::uint32_t at, std::uint32_t change) {
    for (std::uint32_t i = at + 1; i <= n; i += i & (~i + 1))
      sums[i] += change;  // wraps around, and back
  };
  const auto sum_up_to = [&](std::uint32_t at) {
    std::uint32_t total = 0;
    for (std::uint32_t i = at + 1; i > 0; i -= i & (~i + 1))
      total += sums[i];
    return total;
  };
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return ranges[i].last; });
  std::map<std::uint32_t, std::uint32_t> seen_at;
  std::uint32_t at = 0;
  for (const std::uint32_t i : order) {
    for (; at <= ranges[i].last; ++at) {  // only the last place of an owner counts
      const auto [known, is_new] = seen_at.try_emplace(owners[at], at);
      if (!is_new) {
        add(known->second, ~std::uint32_t{0});
        known->second = at;
      }
      add(at, 1);
    }
    out[i] =
        sum_up_to(ranges[i].last) - (ranges[i].first == 0 ? 0 : sum_up_to(ranges[i].first - 1));
  }
  return out;
}

/// The repeats that are told: several owners, not longer to the left everywhere, and more owners
/// than any longer repeat that begins with them.
std::vector<Repeat> told(const std::vector<Repeat>& repeats, const Numbers& owners_in,
                         const Numbers& changes_of_left) {
  struct Child {
    std::uint32_t first, owners;
  };
  std::vector<Repeat> out;
  std::vector<Child> open;  // repeats come after those inside them
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const Repeat& r = repeats[i];
    std::uint32_t most_inside = 0;
    while (!open.empty() && open.back().first >= r.first) {
      most_inside = std::max(most_inside, open.back().owners);
      open.pop_back();
    }
    open.push_back({r.first, owners_in[i]});
    const bool extends_left = changes_of_left[r.last] == changes_of_left[r.first];
    if (owners_in[i] >= 2 && owners_in[i] > most_inside && !extends_left) out.push_back(r);
  }
  return out;
}

class Groups {
 public:
  Groups(const Project& project, const Sequence& s, const std::vector<CloneGroup>& functions)
      : project_(project), s_(s), clone_of_(functions) {}

  std::optional<BlockGroup> make(std::span<const std::uint32_t> starts,
                                 std::uint32_t length) const {
    std::vector<std::uint32_t> places(starts.begin(), starts.end());
    std::ranges::sort(places);
    std::set<std::uint32_t> owners, clones;
    const Statements first = run(places.front(), length);
    const Hash text = text_of(first);
    BlockGroup out{.key = key_of(first), .statements = length, .repeats_one = true};
    for (const StatementFact& fact : first)
      out.repeats_one = out.repeats_one && fact.hash == first.front().hash;
    std::uint32_t free_from = 0;
    for (const std::uint32_t at : places) {
      if (at < free_from) continue;  // overlaps the one before
      free_from = at + length;
      const UnitRef ref = s_.units[s_.owner[at]];
      owners.insert(s_.owner[at]);
      clones.insert(clone_of_(ref));
      const Statements here = run(at, length);
      if (text_of(here) != text) out.type = CloneType::type2;
      out.asserts.add(unit_of(project_, ref), here);
      out.items.push_back({ref, here.front().start_line, here.back().end_line});
    }
    const bool is_told_already = clones.size() == 1 && *clones.begin() != 0;
    if (owners.size() < 2 || is_told_already) return std::nullopt;
    return out;
  }

 private:
  Statements run(std::uint32_t at, std::uint32_t length) const { return {s_.facts[at], length}; }

  const Project& project_;
  const Sequence& s_;
  GroupOfUnit clone_of_;
};

}  // namespace

Blocks block_clones(const Project& project, const std::vector<CloneGroup>& functions) {
  const Sequence s = sequence_of(project);
  const Numbers suffixes = suffix_array(s.text);
  const std::vector<Repeat> repeats =
      right_maximal_repeats(common_prefixes(s.text, suffixes), project.profile.block_min_run);
  Numbers owners(suffixes.size()), changes(suffixes.size(), 0);
  const auto left = [&](std::uint32_t at) { return at == 0 ? 0 : s.text[at - 1]; };
  for (std::uint32_t i = 0; i < suffixes.size(); ++i) {
    owners[i] = s.owner[suffixes[i]];
    if (i > 0) changes[i] = changes[i - 1] + (left(suffixes[i]) != left(suffixes[i - 1]) ? 1 : 0);
  }
  const Groups groups(project, s, functions);
  std::vector<Repeat> listed = told(repeats, distinct_owners(owners, repeats), changes);
  std::ranges::stable_sort(listed, std::ranges::greater(), &Repeat::length);
  std::size_t room = kBlockCover * std::max(kMinBlockStatements, s.text.size());
  Blocks out;
  for (const Repeat& r : listed) {
    const std::size_t places = r.last - r.first + 1;
    if (places * r.length > room) {
      ++out.left_out;
      continue;
    }
    room -= places * r.length;
    if (auto group = groups.make(std::span(suffixes).subspan(r.first, places), r.length))
      out.groups.push_back(*std::move(group));
  }
  std::ranges::sort(out.groups, [](const BlockGroup& a, const BlockGroup& b) {
    return std::tuple(b.items.size(), a.key) < std::tuple(a.items.size(), b.key);
  });
  return out;
}

}  // namespace gh::analysis
