#include "analysis/suffixes.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace gh::analysis {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers naive_array(const Numbers& text) {
  Numbers out(text.size());
  for (std::uint32_t i = 0; i < out.size(); ++i)
    out[i] = i;
  std::ranges::sort(out, [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(text.begin() + a, text.end(), text.begin() + b, text.end());
  });
  return out;
}

/// Every word that stands in several places and has several continuations (or an end).
std::set<std::pair<Numbers, Numbers>> naive_repeats(const Numbers& text, std::size_t min_length) {
  std::map<Numbers, Numbers> places;
  for (std::uint32_t i = 0; i < text.size(); ++i)
    for (std::uint32_t length = 1; i + length <= text.size(); ++length)
      places[Numbers(text.begin() + i, text.begin() + i + length)].push_back(i);
  std::set<std::pair<Numbers, Numbers>> out;
  for (const auto& [word, at] : places) {
    if (at.size() < 2 || word.size() < min_length) continue;
    std::set<std::uint32_t> after;
    for (const std::uint32_t i : at)
      after.insert(i + word.size() < text.size() ? text[i + word.size()] + 1 : 0);
    if (after.size() > 1) out.emplace(word, at);
  }
  return out;
}

TEST(Suffixes, AgreeWithTheNaiveDefinitionOnShortTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    Numbers text(random() % 24);
    const std::uint32_t letters = 1 + static_cast<std::uint32_t>(random() % 4);
    for (std::uint32_t& c : text)
      c = static_cast<std::uint32_t>(random() % letters) * 1000;
    const Numbers suffixes = suffix_array(text);
    ASSERT_EQ(suffixes, naive_array(text));
    const Numbers lcp = common_prefixes(text, suffixes);
    std::set<std::pair<Numbers, Numbers>> found;
    for (const Repeat& r : right_maximal_repeats(lcp, 2)) {
      Numbers at(suffixes.begin() + r.first, suffixes.begin() + r.last + 1);
      std::ranges::sort(at);
      const std::uint32_t i = at.front();
      found.emplace(Numbers(text.begin() + i, text.begin() + i + r.length), at);
    }
    ASSERT_EQ(found, naive_repeats(text, 2));
  }
}

TEST(Suffixes, OneNumberManyTimesIsNoWorseThanAnythingElse) {
  const Numbers text(200'000, 7);
  const Numbers suffixes = suffix_array(text);
  EXPECT_EQ(suffixes.front(), text.size() - 1);
  EXPECT_EQ(common_prefixes(text, suffixes).back(), text.size() - 1);
}

}  // namespace
}  // namespace gh::analysis
