#include "control/path_index.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "policy/glob.h"

namespace gh::control {
namespace {

using policy::ConflictMatching;

std::vector<std::string> met(const PathIndex& index, std::string_view path,
                             ConflictMatching matching) {
  std::vector<PathIndex::Meeting> found;
  index.meetings(path, matching, found);
  std::vector<std::string> out;
  for (const auto& [specific, mark] : found)
    out.push_back(fmt::format("{}:{}", specific, mark));
  std::ranges::sort(out);
  return out;
}

TEST(PathIndex, AnswersWithTheMoreSpecificOfTwoPathsThatMeet) {
  const PathIndex index(
      {{"docs/book", 1}, {"docs/book/a.md", 2}, {"src/x.cc", 1}, {"src/x.cc", 2}});
  using V = std::vector<std::string>;
  EXPECT_EQ(met(index, "docs/book", ConflictMatching::prefix),
            (V{"docs/book/a.md:2", "docs/book:1"}));
  EXPECT_EQ(met(index, "docs/book", ConflictMatching::exact), (V{"docs/book:1"}));
  EXPECT_EQ(met(index, "docs/book/a.md", ConflictMatching::prefix),
            (V{"docs/book/a.md:1", "docs/book/a.md:2"}));
  EXPECT_EQ(met(index, "docs", ConflictMatching::prefix), (V{"docs/book/a.md:2", "docs/book:1"}));
  EXPECT_EQ(met(index, "docs", ConflictMatching::exact), V{});
  EXPECT_EQ(met(index, "src", ConflictMatching::prefix), (V{"src/x.cc:3"}));
  EXPECT_EQ(met(index, "src/x", ConflictMatching::prefix), V{});
  EXPECT_EQ(met(index, "docs/bookshelf", ConflictMatching::prefix), V{});
  EXPECT_EQ(index.cover("docs/book/b.md"), 1u);
  EXPECT_EQ(index.cover("docs/book/a.md/x"), 3u);
  EXPECT_EQ(index.cover("docs"), 0u);
}

// Every pair of a few hundred paths against the rule stated with the matcher itself.
TEST(PathIndex, AgreesWithThePrefixRuleOnEveryPair) {
  std::vector<std::string> paths;
  for (const char* a : {"a", "ab", "b", "\xC3\xA9"})
    for (const char* b : {"", "/a", "/ab", "/b.c"})
      for (const char* c : {"", "/x", "/x y", "/x/z"})
        paths.push_back(std::string(a) + b + c);
  for (const std::string& entry : paths) {
    const PathIndex index({{entry, 1}, {"a/ab/x/z", 1}});
    for (const std::string& path : paths) {
      const std::string second = "a/ab/x/z";
      const bool below =
          policy::matches_prefix(path, entry) || policy::matches_prefix(path, second);
      const bool above =
          policy::matches_prefix(entry, path) || policy::matches_prefix(second, path);
      EXPECT_EQ(index.cover(path) != 0, below) << entry << ' ' << path;
      EXPECT_EQ(!met(index, path, ConflictMatching::prefix).empty(), below || above);
      EXPECT_EQ(!met(index, path, ConflictMatching::exact).empty(),
                entry == path || second == path);
    }
  }
}

TEST(PathIndex, EachCoverGoesFromTheOutermostFolderToThePathItself) {
  std::vector<std::string> asked;
  each_cover("a/b/c", [&](std::string_view cover) { asked.emplace_back(cover); });
  EXPECT_EQ(asked, (std::vector<std::string>{"a", "a/b", "a/b/c"}));
}

}  // namespace
}  // namespace gh::control
