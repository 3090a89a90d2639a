#include "patch/matchers.h"

#include <gtest/gtest.h>

#include "policy/glob.h"
#include "policy/patch_policy.h"

namespace gh::patch {
namespace {

TEST(NameSet, FindsWholeNamesOnly) {
  const NameSet set({"b", "a", "abc"});
  EXPECT_EQ(*set.find("abc"), "abc");
  EXPECT_EQ(set.find("ab"), nullptr);
  EXPECT_EQ(NameSet().find(""), nullptr);
}

TEST(SuffixSet, FindsEndingsThroughTheirLastByte) {
  const SuffixSet set({".lock", ".gz", ".tar.gz", "k"});
  EXPECT_NE(set.find("a.lock"), nullptr);
  EXPECT_NE(set.find("x.gz"), nullptr);
  EXPECT_EQ(*set.find("k"), "k");
  EXPECT_EQ(set.find("a.lock2"), nullptr);
  EXPECT_EQ(set.find(""), nullptr);
}

TEST(EntrySet, AgreesWithTheMatcherOfSingleEntries) {
  const auto defaults = policy::default_patch_policy();
  std::vector<std::vector<std::string>> lists{
      defaults.secret_patterns,
      defaults.control_files,
      defaults.artifact_patterns,
      {"*", "a/**", "**/b", "x?", "[ab]c", "dir/", "*.d/", "deep/*/f", "**"}};
  const std::vector<std::string> paths{"a",
                                       ".env",
                                       "x/.env",
                                       "x/.env/y",
                                       ".env.local",
                                       "id_rsa.pub",
                                       "core",
                                       "core/x",
                                       "dir",
                                       "dir/x",
                                       "x/dir/y",
                                       "deep/1/f",
                                       "deep/f",
                                       "ac",
                                       "x1",
                                       "q.d/z",
                                       "q.d",
                                       "b",
                                       "1/b",
                                       "secrets/a",
                                       "secrets",
                                       "a/secrets/b",
                                       ".ssh/id",
                                       "h/.ssh/id",
                                       ".kube/config",
                                       "u/.kube/config",
                                       "x.min.js",
                                       "gatehouse.lock",
                                       "sub/gatehouse.yaml",
                                       ".github/workflows/x.yml",
                                       "CODEOWNERS",
                                       "d/CODEOWNERS",
                                       ".vscode/tasks.json",
                                       "a/.vscode/tasks.json",
                                       "~",
                                       "x~"};
  int hits = 0;
  for (const auto& list : lists)
    for (const std::string& path : paths) {
      bool expected = false;
      for (const std::string& entry : list)
        expected = expected || policy::matches_policy_entry(path, entry);
      EXPECT_EQ(EntrySet(list).find(path) != nullptr, expected) << path;
      hits += expected ? 1 : 0;
    }
  EXPECT_GT(hits, 30);
}

}  // namespace
}  // namespace gh::patch
