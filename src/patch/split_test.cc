#include <fmt/format.h>
#include <gtest/gtest.h>

#include "patch/gates.h"

namespace gh::patch {
namespace {

using policy::PatchPolicy;

std::string create(std::string_view path, int lines) {
  std::string body;
  for (int i = 0; i < lines; ++i)
    body += "+x\n";
  return fmt::format(
      "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1,{1} "
      "@@\n{2}",
      path, lines, body);
}
std::string remove(std::string_view path) {
  return fmt::format(
      "diff --git a/{0} b/{0}\ndeleted file mode 100644\n--- a/{0}\n+++ /dev/null\n@@ -1 +0,0 "
      "@@\n-x\n",
      path);
}
std::string rename(std::string_view from, std::string_view to) {
  return fmt::format("diff --git a/{0} b/{1}\nrename from {0}\nrename to {1}\n", from, to);
}

SplitAdvice advice_for(const std::string& text, const PatchPolicy& policy) {
  const auto patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  EXPECT_TRUE(patch) << text;
  return patch ? split_advice(*patch, policy) : SplitAdvice{};
}

using Paths = std::vector<std::string>;
std::vector<Paths> paths_of(const SplitAdvice& a) {
  std::vector<Paths> out;
  for (const SplitPart& p : a.parts)
    out.push_back(p.paths);
  return out;
}

TEST(SplitAdvice, FillsPartsInCanonicalOrderByFirstFit) {
  PatchPolicy policy = policy::default_patch_policy();
  policy.max_added_lines = 10;
  // d needs a part of its own, e still fits beside c, f fits into the first part.
  const auto a = advice_for(
      create("f", 2) + create("c", 4) + create("a", 8) + create("d", 9) + create("e", 6), policy);
  EXPECT_EQ(paths_of(a), (std::vector<Paths>{{"a", "f"}, {"c", "e"}, {"d"}}));
  EXPECT_EQ(a.parts[0].added_lines, 10);
  EXPECT_EQ(a.parts[0].files, 2);
  EXPECT_TRUE(a.indivisible.empty());
}

TEST(SplitAdvice, RespectsEveryBudget) {
  struct Row {
    std::int64_t PatchPolicy::*limit;
    std::int64_t value;
    std::string text;
    std::size_t parts;
  };
  const std::string three = create("a", 2) + create("b", 2) + create("c", 2);
  const std::string gone = remove("a") + remove("b") + remove("c");
  const auto one = static_cast<std::int64_t>(create("a", 2).size());
  for (const Row& r :
       {Row{&PatchPolicy::max_files, 2, three, 2},
        Row{&PatchPolicy::max_files, 3, rename("a", "b") + rename("c", "d"), 2},
        Row{&PatchPolicy::max_added_lines, 2, three, 3},
        Row{&PatchPolicy::max_deleted_lines, 1, gone, 3},
        Row{&PatchPolicy::max_deleted_files, 2, gone, 2}, Row{&PatchPolicy::max_hunks, 1, three, 3},
        Row{&PatchPolicy::max_patch_bytes, 2 * one + 10, three, 2}}) {
    PatchPolicy policy = policy::default_patch_policy();
    policy.*r.limit = r.value;
    const auto a = advice_for(r.text, policy);
    EXPECT_EQ(a.parts.size(), r.parts) << r.text;
    for (const SplitPart& p : a.parts) {
      EXPECT_LE(p.files, policy.max_files);
      EXPECT_LE(p.added_lines, policy.max_added_lines);
      EXPECT_LE(p.deleted_lines, policy.max_deleted_lines);
      EXPECT_LE(p.deleted_files, policy.max_deleted_files);
      EXPECT_LE(p.hunks, policy.max_hunks);
      EXPECT_LE(p.bytes, policy.max_patch_bytes);
    }
  }
}

TEST(SplitAdvice, NamesASectionThatIsTooLargeByItself) {
  PatchPolicy policy = policy::default_patch_policy();
  policy.max_added_lines = 10;
  const auto a = advice_for(create("big", 11) + create("a", 9) + create("b", 9), policy);
  EXPECT_EQ(a.indivisible, Paths{"big"});
  EXPECT_EQ(paths_of(a), (std::vector<Paths>{{"a"}, {"b"}}));
}

TEST(SplitAdvice, ALongLineCannotBeSplitAway) {
  PatchPolicy policy = policy::default_patch_policy();
  policy.max_line_bytes = 5;
  const auto a = advice_for(
      "diff --git a/l b/l\nnew file mode 100644\n--- /dev/null\n+++ b/l\n"
      "@@ -0,0 +1 @@\n+123456\n" +
          create("a", 1),
      policy);
  EXPECT_EQ(a.indivisible, Paths{"l"});
  EXPECT_EQ(paths_of(a), (std::vector<Paths>{{"a"}}));
}

TEST(SplitAdvice, KeepsTogetherWhatCannotLandApart) {
  PatchPolicy policy = policy::default_patch_policy();
  policy.max_files = 2;
  // A folder takes the place of a file; a folder takes the place of one that differs in case.
  const auto a = advice_for(
      create("a/x", 1) + create("b", 1) + remove("a") + create("c/y", 1) + remove("C/z"), policy);
  EXPECT_EQ(paths_of(a), (std::vector<Paths>{{"C/z", "c/y"}, {"a", "a/x"}, {"b"}}));
}

TEST(SplitAdvice, FilesOfOneFolderAreIndependent) {
  PatchPolicy policy = policy::default_patch_policy();
  policy.max_files = 1;
  EXPECT_EQ(
      advice_for(remove("d/a") + create("d/b", 1) + rename("d/c", "e/c"), policy).parts.size(), 2u);
}

TEST(SplitAdvice, GivesUpOnTensOfThousandsOfSections) {
  std::string text;
  for (int i = 0; i < 10'001; ++i)
    text += create(fmt::format("f{}", i), 1);
  EXPECT_TRUE(advice_for(text, policy::default_patch_policy()).parts.empty());
}

}  // namespace
}  // namespace gh::patch
