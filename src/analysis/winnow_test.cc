#include "analysis/winnow.h"

#include <gtest/gtest.h>

#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

std::vector<Hash> numbers(std::uint64_t from, std::uint64_t to) {
  std::vector<Hash> out;
  for (std::uint64_t i = from; i < to; ++i)
    out.push_back({i, i + 1});
  return out;
}

// docs/reference/analysis.md, "Copies"
TEST(Winnow, EverySharedRunOfElevenHasACommonMark) {
  EXPECT_EQ(kSureRun, 11u);
  for (std::uint64_t before = 0; before < 12; ++before)
    for (std::uint64_t after = 0; after < 12; ++after) {
      const std::uint64_t run = before * 100 + after * 10'000;
      std::vector<Hash> a = numbers(1'000'000, 1'000'000 + before), b;
      for (const Hash& hash : numbers(run, run + kSureRun)) {
        a.push_back(hash);
        b.push_back(hash);
      }
      for (const Hash& hash : numbers(2'000'000, 2'000'000 + after))
        b.push_back(hash);
      bool shared = false;
      for (const Mark& m : winnow(a))
        for (const Mark& n : winnow(b))
          shared = shared || m.gram == n.gram;
      EXPECT_TRUE(shared) << before << " " << after;
    }
}

TEST(Winnow, KeepsTheSmallestOfEachWindowAndTheLastOfEqualOnes) {
  const std::vector<Hash> same(20, Hash{1, 1});
  std::vector<std::uint32_t> places;
  for (const Mark& mark : winnow(same))
    places.push_back(mark.at);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{7, 8, 9, 10, 11, 12, 13, 14, 15, 16}));
  EXPECT_TRUE(winnow(numbers(0, 3)).empty());
  EXPECT_EQ(winnow(numbers(0, 4)).size(), 1u);
  EXPECT_EQ(winnow(numbers(0, 11)).size(), 1u);
}

TEST(Winnow, KeepsAboutTwoOfNine) {
  const std::size_t kept = winnow(numbers(0, 90'000)).size();
  EXPECT_GT(kept, 18'000u);
  EXPECT_LT(kept, 22'000u);
}

TEST(Winnow, TheIndexKnowsWhereItsGramsStand) {
  const Project project = project_of(
      {{"a.py", "def f(p):\n" + lines(12, "g#(p)")}, {"b.py", "def g(p):\n" + lines(10, "g#(p)")}},
      {});
  const WinnowIndex index(project);
  const std::vector<Mark> marks = winnow(reached_flow(project.files[0].facts.units[0]));
  EXPECT_EQ(index.size(), marks.size());  // the second is too short to hold a sure run
  for (const Mark& mark : marks) {
    const auto found = index.find(mark.gram);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].at, mark.at);
    EXPECT_EQ(found[0].ref, (UnitRef{0, 0}));
  }
  EXPECT_TRUE(index.find(1).empty());
}

}  // namespace
}  // namespace gh::analysis
