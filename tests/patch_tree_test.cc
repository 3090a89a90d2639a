#include <gtest/gtest.h>

#include "patch/gates.h"
#include "tests/git_oracle.h"
#include "tests/memory_tree.h"

namespace gh::patch {
namespace {

using test::BaseFile;
using test::GitOracle;
using test::MemoryTree;

/// Everything a case may set; the patch is read with profile git.
struct Case {
  std::vector<BaseFile> base;
  std::string patch;
  policy::PatchPolicy policy = policy::default_patch_policy();
  PredictOptions options{};
};

diff::Position position_of(const policy::PatchPolicy& p) {
  return p.position == "unique" ? diff::Position::unique : diff::Position::exact;
}

class Tree : public testing::Test {
 protected:
  Prediction predicted(const Case& c, HashKind kind = HashKind::sha1) {
    MemoryTree trees(kind);
    const ObjectId root = trees.add(c.base);
    const auto patch = diff::parse(c.patch, diff::Profile::git, position_of(c.policy));
    if (!patch) {
      ADD_FAILURE() << to_string(patch.error().rule) << ": " << patch.error().message << "\n"
                    << c.patch;
      return {};
    }
    auto p = predict(*patch, c.policy, root, trees, c.options);
    EXPECT_TRUE(p) << p.error().message;
    return p ? *std::move(p) : Prediction{};
  }

  /// git's tree for the canonical patch on the same base.
  void expect_git_agrees(const Case& c) {
    for (const HashKind kind : {HashKind::sha1, HashKind::sha256}) {
      const Prediction p = predicted(c, kind);
      ASSERT_TRUE(p.tree) << c.patch
                          << (p.violations.first.empty() ? "" : p.violations.first.front().message);
      GitOracle& git = kind == HashKind::sha1 ? sha1_ : sha256_;
      git.load(c.base);
      EXPECT_EQ(git.apply(diff::print_canonical(p.placed)), p.tree->hex()) << c.patch;
    }
  }

  static inline GitOracle sha1_{HashKind::sha1}, sha256_{HashKind::sha256};
};

TEST_F(Tree, ModifyGivesGitsTree) {
  expect_git_agrees({.base = {{"src/a.txt", "1\n2\n3\n4\n5\n"}, {"b", "x\n"}},
                     .patch = "diff --git a/src/a.txt b/src/a.txt\n--- a/src/a.txt\n"
                              "+++ b/src/a.txt\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+three\n 4\n 5\n"});
}

}  // namespace
}  // namespace gh::patch
