#include "analysis/near_miss.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "analysis/runs_of_statements.h"
#include "base/sorted.h"

namespace gh::analysis {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Units with the same bag are one from here on.
struct Bag {
  std::vector<UnitRef> units{};
  Numbers tokens{};  // the rarest first
};

/// The n-th occurrence of a statement is a token of its own: multisets become sets.
struct Token {
  int family;
  Hash hash;
  std::uint32_t occurrence, bag;
  auto statement() const { return std::tie(family, hash, occurrence); }
};

std::uint32_t part_of(std::uint32_t percent, std::size_t size) {  // rounded up
  return static_cast<std::uint32_t>((size * percent + 99) / 100);
}

std::vector<Bag> bags_of(const Project& project) {
  struct Entry {
    int family;
    Hash key;
    UnitRef ref;
  };
  const std::uint32_t least = part_of(project.profile.near_miss_similarity, kMinNearMiss);
  std::vector<Entry> entries;
  Hasher hasher;
  for (std::uint32_t f = 0; f < project.files.size(); ++f)
    for (std::uint32_t u = 0; u < project.files[f].facts.units.size(); ++u) {
      const UnitRef ref{f, u};
      const UnitFact& unit = unit_of(project, ref);
      if (unit.incomplete || unit.flow.size() < least) continue;
      const std::vector<Hash> bag = bag_of(unit);
      if (bag.size() < least) continue;
      hasher.clear();
      for (const Hash& hash : bag)
        hasher.add(hash);
      entries.push_back({clone_family(project.files[f].language), hasher.finish(), ref});
    }
  std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
    return std::tie(a.family, a.key) < std::tie(b.family, b.key);
  });
  std::vector<Bag> out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool is_new = i == 0 || entries[i].family != entries[i - 1].family ||
                        entries[i].key != entries[i - 1].key;
    if (is_new) out.emplace_back();
    out.back().units.push_back(entries[i].ref);
  }
  return out;
}

/// What tokens are worth to the search, by their number.
struct Dictionary {
  Numbers frequency{};           // in how many bags
  std::vector<bool> is_first{};  // not a second occurrence of the same statement
  std::size_t stop_listed = 0;
  bool is_stopped(std::uint32_t token) const { return frequency[token] > kStopListFrom; }
};

/// Numbers by frequency, the rarest first.
Dictionary fill_tokens(const Project& project, std::vector<Bag>& bags) {
  std::vector<Token> all;
  for (std::uint32_t b = 0; b < bags.size(); ++b) {
    const UnitRef ref = bags[b].units.front();
    const int family = clone_family(project.files[ref.file].language);
    const std::vector<Hash> bag = bag_of(unit_of(project, ref));
    for (std::size_t i = 0, nth = 0; i < bag.size(); ++i) {
      nth = i > 0 && bag[i] == bag[i - 1] ? nth + 1 : 0;
      all.push_back({family, bag[i], static_cast<std::uint32_t>(nth), b});
    }
  }
  std::ranges::sort(all, [](const Token& a, const Token& b) {
    return std::tuple_cat(a.statement(), std::tie(a.bag)) <
           std::tuple_cat(b.statement(), std::tie(b.bag));
  });
  struct Range {
    std::uint32_t first, count;
  };
  std::vector<Range> ranges;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (i > 0 && all[i].statement() == all[i - 1].statement())
      ++ranges.back().count;
    else
      ranges.push_back({i, 1});
  std::ranges::stable_sort(ranges, {}, &Range::count);
  Dictionary out;
  for (std::uint32_t token = 0; token < ranges.size(); ++token) {
    const Range& range = ranges[token];
    for (std::uint32_t i = 0; i < range.count; ++i)
      bags[all[range.first + i].bag].tokens.push_back(token);
    out.frequency.push_back(range.count);
    out.is_first.push_back(all[range.first].occurrence == 0);
    out.stop_listed += out.is_stopped(token) && out.is_first.back() ? 1 : 0;
  }
  return out;
}

/// Sets of bags that are linked, with what is known of the links.
class Links {
 public:
  explicit Links(std::size_t bags) : parent_(bags), size_(bags, 1), low_(bags, 1000), high_(bags) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i)
      i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// A large set that holds both already: nothing more to learn.
  bool is_settled(std::uint32_t a, std::uint32_t b) {
    return root(a) == root(b) && size_[root(a)] > kFullyCompared;
  }
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t permille) {
    a = root(a);
    b = root(b);
    if (a != b) {
      if (size_[a] < size_[b]) std::swap(a, b);
      parent_[b] = a;
      size_[a] += size_[b];
      low_[a] = std::min(low_[a], low_[b]);
      high_[a] = std::max(high_[a], high_[b]);
    }
    low_[a] = std::min(low_[a], permille);
    high_[a] = std::max(high_[a], permille);
  }
  std::uint32_t low(std::uint32_t root) const { return low_[root]; }
  std::uint32_t high(std::uint32_t root) const { return high_[root]; }

 private:
  Numbers parent_, size_, low_, high_;
};

/// Common tokens; stops, with 0, as soon as `needed` is out of reach.
std::uint32_t overlap(const Numbers& a, const Numbers& b, std::uint32_t needed) {
  std::uint32_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (common + std::min(a.size() - i, b.size() - j) < needed) return 0;
    if (a[i] == b[j]) ++common;
    const bool left = a[i] <= b[j], right = b[j] <= a[i];
    i += left ? 1 : 0;
    j += right ? 1 : 0;
  }
  return common >= needed ? common : 0;
}

/// Bags by size; each looks among the smaller ones that share one of its rarest tokens.
class Search {
 public:
  Search(const std::vector<Bag>& bags, const Dictionary& tokens, std::uint32_t percent)
      : bags_(bags),
        tokens_(tokens),
        percent_(percent),
        postings_(tokens.frequency.size()),
        heads_(tokens.frequency.size(), 0),
        seen_by_(bags.size(), ~std::uint32_t{0}) {}

  void run(Links& links, NearMisses& out) {
    Numbers order(bags_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t b) { return bags_[b].tokens.size(); });
    for (const std::uint32_t bag : order) {
      if (bags_[bag].tokens.size() >= kMinNearMiss) probe(bag, links, out);
      index(bag);
    }
  }

 private:
  struct Posting {
    std::uint32_t bag, at;
  };

  std::uint32_t prefix(std::uint32_t bag) const {
    const std::size_t size = bags_[bag].tokens.size();
    return static_cast<std::uint32_t>(size) - part_of(percent_, size) + 1;
  }

  void index(std::uint32_t bag) {
    const Numbers& mine = bags_[bag].tokens;
    for (std::uint32_t i = 0; i < std::min<std::size_t>(prefix(bag), mine.size()); ++i)
      if (tokens_.frequency[mine[i]] > 1 && !tokens_.is_stopped(mine[i]))
        postings_[mine[i]].push_back({bag, i});
  }

  void probe(std::uint32_t bag, Links& links, NearMisses& out) {
    const Numbers& mine = bags_[bag].tokens;
    const std::uint32_t needed = part_of(percent_, mine.size());
    for (std::uint32_t i = 0; i < std::min<std::size_t>(prefix(bag), mine.size()); ++i) {
      const std::vector<Posting>& list = postings_[mine[i]];
      std::uint32_t& head = heads_[mine[i]];
      while (head < list.size() && bags_[list[head].bag].tokens.size() < needed)
        ++head;  // too small for all that follow, too
      for (std::size_t k = head; k < list.size(); ++k) {
        const auto [other, at] = list[k];
        ++out.visits;
        if (seen_by_[other] == bag) continue;
        seen_by_[other] = bag;
        const Numbers& theirs = bags_[other].tokens;
        if (std::min(mine.size() - i, theirs.size() - at) < needed) continue;
        if (links.is_settled(bag, other)) continue;
        ++out.comparisons;
        if (const std::uint32_t common = overlap(mine, theirs, needed))
          links.add(bag, other, static_cast<std::uint32_t>(common * 1000ull / mine.size()));
      }
    }
  }

  const std::vector<Bag>& bags_;
  const Dictionary& tokens_;
  std::uint32_t percent_;
  std::vector<std::vector<Posting>> postings_;
  Numbers heads_, seen_by_;
};

/// The same bag, and yet not clones as a whole: in another order, or too small for that.
bool is_mixed(const Bag& bag, const GroupOfUnit& clone_of) {
  if (bag.units.size() < 2) return false;
  const std::uint32_t first = clone_of(bag.units.front());
  return first == 0 ||
         std::ranges::any_of(bag.units, [&](UnitRef r) { return clone_of(r) != first; });
}

NearMissGroup group_of(const Project& project, const std::vector<Bag>& bags, const Numbers& members,
                       const Dictionary& tokens) {
  NearMissGroup out;
  std::set<Hash> fingerprints;
  Numbers statements;
  for (const std::uint32_t b : members) {
    for (const UnitRef ref : bags[b].units) {
      out.items.push_back(ref);
      fingerprints.insert(unit_of(project, ref).fingerprint);
    }
    for (const std::uint32_t token : bags[b].tokens)
      if (tokens.is_first[token]) statements.push_back(token);
  }
  sort_unique(statements);
  out.distinct_statements = static_cast<std::uint32_t>(statements.size());
  std::ranges::sort(out.items, {}, [](UnitRef r) { return std::tuple(r.file, r.unit); });
  Hasher hasher;
  for (const Hash& fingerprint : fingerprints)
    hasher.add(fingerprint);
  out.key = hasher.finish();
  return out;
}

}  // namespace

std::vector<Hash> bag_of(const UnitFact& unit) {
  std::vector<Hash> out = unit.flow;
  for (const StatementFact& fact : unit.statements)
    if (out[fact.place] != Hash{}) out[fact.place] = fact.hash;
  std::erase(out, Hash{});
  std::ranges::sort(out);
  return out;
}

NearMisses near_misses(const Project& project, const std::vector<CloneGroup>& functions) {
  std::vector<Bag> bags = bags_of(project);
  const Dictionary tokens = fill_tokens(project, bags);
  NearMisses out{.groups = {}, .stop_listed = tokens.stop_listed};
  Links links(bags.size());
  Search(bags, tokens, project.profile.near_miss_similarity).run(links, out);
  const GroupOfUnit clone_of(functions);
  std::map<std::uint32_t, Numbers> sets;
  for (std::uint32_t b = 0; b < bags.size(); ++b) {
    const bool is_large = bags[b].tokens.size() >= kMinNearMiss;
    if (is_large && is_mixed(bags[b], clone_of)) links.add(b, b, 1000);
    sets[links.root(b)].push_back(b);
  }
  for (const auto& [root, members] : sets) {
    if (links.high(root) == 0) continue;  // not one link
    NearMissGroup group = group_of(project, bags, members, tokens);
    group.min_permille = links.low(root);
    group.max_permille = links.high(root);
    out.groups.push_back(std::move(group));
  }
  std::ranges::sort(out.groups, [](const NearMissGroup& a, const NearMissGroup& b) {
    return std::tuple(b.items.size(), a.key) < std::tuple(a.items.size(), b.key);
  });
  return out;
}

}  // namespace gh::analysis
