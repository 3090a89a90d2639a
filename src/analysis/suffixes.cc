#include "analysis/suffixes.h"

#include <algorithm>
#include <numeric>

#include "base/sorted.h"

namespace gh::analysis {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Stable: by key, keeping the order given among equals.
void counting_sort(const Numbers& order, const Numbers& key, std::uint32_t keys, Numbers& out) {
  Numbers at(keys + 1, 0);
  for (const std::uint32_t i : order)
    ++at[key[i] + 1];
  std::partial_sum(at.begin(), at.end(), at.begin());
  for (const std::uint32_t i : order)
    out[at[key[i]]++] = i;
}

/// Numbers 0.. in the order of the values.
Numbers dense(const Numbers& text) {
  Numbers sorted = text;
  sort_unique(sorted);
  Numbers out(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    out[i] = static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, text[i]) - sorted.begin());
  return out;
}

}  // namespace

Numbers suffix_array(const Numbers& text) {
  const auto n = static_cast<std::uint32_t>(text.size());
  Numbers order(n), by_second(n), rank = dense(text), next(n);
  std::iota(order.begin(), order.end(), 0u);
  if (n == 0) return order;
  const Numbers start = order;
  std::uint32_t ranks = *std::ranges::max_element(rank) + 1;
  counting_sort(start, rank, ranks, order);
  for (std::uint32_t step = 1; ranks < n; step *= 2) {
    // Suffixes shorter than the step come first; the others in the order of what follows them.
    std::uint32_t filled = 0;
    for (std::uint32_t i = n - std::min(step, n); i < n; ++i)
      by_second[filled++] = i;
    for (const std::uint32_t i : order)
      if (i >= step) by_second[filled++] = i - step;
    counting_sort(by_second, rank, ranks, order);
    const auto second = [&](std::uint32_t i) { return i + step < n ? rank[i + step] + 1 : 0; };
    next[order[0]] = 0;
    for (std::uint32_t i = 1; i < n; ++i) {
      const std::uint32_t a = order[i - 1], b = order[i];
      const bool differs = rank[a] != rank[b] || second(a) != second(b);
      next[b] = next[a] + (differs ? 1 : 0);
    }
    rank.swap(next);
    ranks = rank[order[n - 1]] + 1;
  }
  return order;
}

Numbers common_prefixes(const Numbers& text, const Numbers& suffixes) {
  const auto n = static_cast<std::uint32_t>(text.size());
  Numbers place(n), lcp(n, 0);
  for (std::uint32_t i = 0; i < n; ++i)
    place[suffixes[i]] = i;
  std::uint32_t length = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (place[i] == 0) {
      length = 0;
      continue;
    }
    const std::uint32_t before = suffixes[place[i] - 1];
    while (i + length < n && before + length < n && text[i + length] == text[before + length])
      ++length;
    lcp[place[i]] = length;
    if (length > 0) --length;
  }
  return lcp;
}

std::vector<Repeat> right_maximal_repeats(const Numbers& lcp, std::uint32_t min_length) {
  struct Open {
    std::uint32_t length, first;
  };
  std::vector<Repeat> out;
  std::vector<Open> open;
  const auto n = static_cast<std::uint32_t>(lcp.size());
  for (std::uint32_t i = 1; i <= n; ++i) {
    const std::uint32_t length = i < n ? lcp[i] : 0;
    std::uint32_t first = i - 1;
    while (!open.empty() && open.back().length > length) {
      first = open.back().first;
      if (open.back().length >= min_length) out.push_back({open.back().length, first, i - 1});
      open.pop_back();
    }
    if (length > 0 && (open.empty() || open.back().length < length))
      open.push_back({length, first});
  }
  return out;
}

}  // namespace gh::analysis
