#include "patch/line_search.h"

#include <deque>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gh::patch {
namespace {

using Lines = std::vector<std::string>;

std::string blob_of(const Lines& lines) {
  std::string out;
  for (const std::string& l : lines)
    out += l + "\n";
  return out;
}

/// Hunks whose old sides are `wanted`; the deque keeps the bodies at their addresses.
std::vector<diff::Hunk> hunks_of(const std::vector<Lines>& wanted,
                                 std::deque<std::string>& bodies) {
  std::vector<diff::Hunk> hunks;
  for (const Lines& w : wanted) {
    std::string body = "+new\n";
    for (const std::string& l : w)
      body += "-" + l + "\n";
    diff::Hunk h;
    h.body = bodies.emplace_back(std::move(body));
    h.old_count = std::ssize(w);
    hunks.push_back(h);
  }
  return hunks;
}

std::vector<Occurrence> naive(const std::vector<Lines>& wanted, const Lines& base) {
  std::vector<Occurrence> out;
  for (const Lines& w : wanted) {
    Occurrence o;
    for (std::size_t at = 0; !w.empty() && at + w.size() <= base.size(); ++at)
      if (std::equal(w.begin(), w.end(), base.begin() + static_cast<std::ptrdiff_t>(at)))
        if (o.count++ == 0) o.first_line = static_cast<std::int64_t>(at);
    out.push_back(o);
  }
  return out;
}

TEST(LineSearch, AgreesWithTheNaiveSearchOnSmallAlphabets) {
  std::mt19937 random(7);
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  for (int round = 0; round < 400; ++round) {
    const auto words = [&](int most) {
      Lines l;
      for (int i = pick(most + 1); i > 0; --i)
        l.push_back(std::string(1, static_cast<char>('a' + pick(3))));
      return l;
    };
    const Lines base = words(40);
    std::vector<Lines> wanted;
    for (int i = 0; i < 8; ++i)
      wanted.push_back(words(5));
    std::deque<std::string> bodies;
    const auto found = find_preimages(hunks_of(wanted, bodies), blob_of(base));
    const auto expected = naive(wanted, base);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(found[i].count, expected[i].count);
      if (expected[i].count > 0) {
        EXPECT_EQ(found[i].first_line, expected[i].first_line);
      }
    }
  }
}

TEST(LineSearch, ALastLineWithoutLineFeedIsALine) {
  std::deque<std::string> bodies;
  const auto found = find_preimages(hunks_of({{"b"}, {"a", "b"}}, bodies), "a\nb");
  EXPECT_EQ(found[0].count, 1);
  EXPECT_EQ(found[1].first_line, 0);
}

/// Work is counted, not timed: the automaton moves at most twice per line of the blob, for the
/// input that makes a naive search quadratic.
TEST(LineSearch, HostileRepetitionCostsLinearWork) {
  for (const int size : {1'000, 10'000, 100'000}) {
    const Lines base(static_cast<std::size_t>(size), "same");
    std::vector<Lines> wanted;
    for (int i = 0; i < 100; ++i) {
      Lines w(static_cast<std::size_t>(size / 100 + i), "same");
      w.push_back(fmt::format("end {}", i));
      wanted.push_back(std::move(w));
    }
    std::deque<std::string> bodies;
    std::int64_t steps = 0;
    const auto found = find_preimages(hunks_of(wanted, bodies), blob_of(base), &steps);
    EXPECT_EQ(found.back().count, 0);
    EXPECT_LE(steps, 2 * size + 2);
  }
}

}  // namespace
}  // namespace gh::patch
