#include "proposal/bisect.h"

#include <set>

namespace gh::proposal {
namespace {

struct Case {
  std::size_t n, culprit, at_most;  // questions asked
};
// docs/reference/proposals.md, Queue: only the culprit is found, and nobody when the target itself
// fails.
constexpr Case kCases[] = {
    {0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {2, 0, 2}, {2, 1, 2},    {2, 2, 2},
    {3, 3, 2}, {5, 4, 3}, {8, 1, 4}, {8, 8, 4}, {100, 73, 7},
};

TEST(Bisect, FindsTheOneThatTurnedARowThatHeld) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(fmt::format("{} of {}", c.culprit, c.n));
    std::set<std::size_t> asked;
    const auto got = first_failing(c.n, [&](std::size_t k) -> Result<bool> {
      EXPECT_TRUE(asked.insert(k).second) << "asked twice: " << k;
      return k < c.culprit;
    });
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(*got, c.culprit);
    EXPECT_LE(asked.size(), c.at_most);
    // Both sides of the answer were tried, the whole row being known to fail.
    EXPECT_TRUE(c.culprit == 0 || asked.contains(c.culprit - 1));
    EXPECT_TRUE(c.culprit == c.n || asked.contains(c.culprit));
  }
}

TEST(Bisect, AFaultOfTheWorldIsNobodysFault) {
  const auto got = first_failing(
      4, [](std::size_t) -> Result<bool> { return fail(Code::git_failed, "disk full"); });
  EXPECT_FALSE(got.has_value());
}

}  // namespace
}  // namespace gh::proposal
