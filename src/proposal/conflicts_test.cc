#include "proposal/conflicts.h"

#include "base/text.h"
#include "proposal/admission.h"

namespace gh::proposal {
namespace {

std::string change(const std::string& path, int line) {
  return fmt::format("diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -{1} +{1} @@\n-a\n+b\n",
                     path, line);
}
std::string insertion(const std::string& path, int after) {
  return fmt::format("diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -{1},0 +{2} @@\n+b\n", path,
                     after, after + 1);
}
std::string creation(const std::string& path) {
  return fmt::format(
      "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+b\n",
      path);
}

struct OverlapCase {
  std::string a, b, kind, paths;
};

// docs/reference/proposals.md, Conflicts: hunks at least three lines apart are adjacent.
const std::vector<OverlapCase> kOverlaps = {
    {change("x", 1), change("y", 1), "none", ""},
    {change("x", 1), change("x", 5), "adjacent", "x"},
    {change("x", 5), change("x", 1), "adjacent", "x"},
    {change("x", 1), change("x", 4), "textual", "x"},
    {change("x", 1), change("x", 1), "textual", "x"},
    {insertion("x", 1), insertion("x", 4), "adjacent", "x"},
    {insertion("x", 1), insertion("x", 3), "textual", "x"},
    {creation("x"), creation("x"), "textual", "x"},
    {creation("x"), change("x", 9), "textual", "x"},
    {change("b", 1) + change("a", 1), change("a", 9) + change("b", 1), "textual", "a b"},
    {"diff --git a/p b/q\nsimilarity index 100%\nrename from p\nrename to q\n", change("p", 1),
     "textual", "p"},
    {"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", change("x", 1), "textual", "x"},
};

diff::Patch parsed(const std::string& text) {
  auto patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  EXPECT_TRUE(patch.has_value()) << text;
  return patch ? std::move(*patch) : diff::Patch{};
}

TEST(Conflicts, HunksTellTheKind) {
  for (const OverlapCase& c : kOverlaps) {
    SCOPED_TRACE(c.a + c.b);
    const Overlap got = overlap_of(parsed(c.a), parsed(c.b));
    EXPECT_EQ(to_string(got.kind), c.kind);
    EXPECT_EQ(join(got.paths, " "), c.paths);
  }
}

struct KindCase {
  ConflictKind hunks;
  bool a_then_b, b_then_a;
  std::string_view kind;
};
constexpr KindCase kKinds[] = {
    {ConflictKind::none, true, true, "none"},
    {ConflictKind::none, false, false, "none"},
    {ConflictKind::adjacent, true, true, "adjacent"},
    {ConflictKind::adjacent, false, true, "order"},
    {ConflictKind::textual, true, true, "adjacent"},
    {ConflictKind::textual, true, false, "order"},
    {ConflictKind::textual, false, true, "order"},
    {ConflictKind::textual, false, false, "textual"},
};

TEST(Conflicts, TryingBothOrdersSettlesTheKind) {
  for (const KindCase& c : kKinds)
    EXPECT_EQ(to_string(kind_of({c.hunks, {}}, c.a_then_b, c.b_then_a)), c.kind);
  EXPECT_EQ(to_string(ConflictKind::semantic), "semantic");
}

TEST(Queue, DependenciesThenPriorityThenApprovalThenId) {
  const auto order = [](std::vector<Queued> q) { return join(queue_order(std::move(q)), " "); };
  EXPECT_EQ(order({}), "");
  EXPECT_EQ(order({{"b", "2", {}}, {"a", "2", {}}}), "a b");
  EXPECT_EQ(order({{"a", "2", {}}, {"b", "1", {}}}), "b a");
  EXPECT_EQ(order({{"a", "1", {}}, {"b", "2", {}, 5}}), "b a");
  EXPECT_EQ(order({{"a", "1", {"c"}, 9}, {"b", "2", {}}, {"c", "3", {}}}), "b c a");
  EXPECT_EQ(order({{"a", "1", {"promoted-one"}}, {"b", "2", {"a"}}}), "a b");
  EXPECT_EQ(order({{"a", "1", {"b"}}, {"b", "2", {"a"}}}), "a b");
}

TEST(Similarity, IsTheShareOfAddedLines) {
  const std::string two_lines =
      "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 "
      "@@\n+b\n+c\n";
  const std::string one_line = creation("y");
  const std::string no_line = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
  const diff::Patch two = parsed(two_lines), one = parsed(one_line), none = parsed(no_line);
  EXPECT_EQ(added_overlap(two, two), 10'000);
  EXPECT_EQ(added_overlap(two, one), 5'000);
  EXPECT_EQ(added_overlap(one, two), 10'000);
  EXPECT_EQ(added_overlap(none, two), 0);
}

}  // namespace
}  // namespace gh::proposal
