#include <gtest/gtest.h>

#include "diff/patch.h"

namespace gh::diff {
namespace {

std::string canonical(std::string_view input) {
  const auto patch = parse(input, Profile::git, Position::exact);
  return patch ? print_canonical(*patch) : "refused: " + std::string(to_string(patch.error().rule));
}

TEST(Canonical, DropsWhatDoesNotCountAndFixesTheRest) {
  EXPECT_EQ(canonical(R"(
diff --git a/z.txt b/z.txt
index 1234567..89abcde 100644
--- a/z.txt	
+++ b/z.txt
@@ -1,3 +1,3 @@ some heading
 first

-one
+two
diff --git "a/a\040name" b/a name
new mode 100755
old mode 100644
--- a/a name
+++ "b/a name"
@@ -1 +1 @@
-one
+two
diff --git a/from b/m
similarity index 90%
rename to m
rename from from

)"),
            "diff --git a/a name b/a name\n"
            "old mode 100644\n"
            "new mode 100755\n"
            "--- a/a name\t\n"
            "+++ b/a name\t\n"
            "@@ -1,1 +1,1 @@\n"
            "-one\n"
            "+two\n"
            "diff --git a/from b/m\n"
            "rename from from\n"
            "rename to m\n"
            "diff --git a/z.txt b/z.txt\n"
            "--- a/z.txt\n"
            "+++ b/z.txt\n"
            "@@ -1,3 +1,3 @@\n"
            " first\n"
            " \n"
            "-one\n"
            "+two\n");
}

TEST(Canonical, SaysCreateDeleteAndCopyInHeaderOrder) {
  EXPECT_EQ(canonical("diff --git a/n b/n\nindex 0000000..1234567\nnew file mode 100755\n"
                      "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"),
            "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n"
            "@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n");
  EXPECT_EQ(canonical("diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n"
                      "@@ -1 +0,0 @@\n-x\n"),
            "diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n"
            "@@ -1,1 +0,0 @@\n-x\n");
  EXPECT_EQ(
      canonical("diff --git a/n b/m\ncopy to m\nnew mode 100755\ncopy from n\nold mode 100644\n"),
      "diff --git a/n b/m\nold mode 100644\nnew mode 100755\ncopy from n\ncopy to m\n");
}

TEST(Canonical, QuotesNamesOnEveryLine) {
  EXPECT_EQ(canonical("diff --git \"a/\\303\\251 x\" b/\xc3\xa9 y\n"
                      "rename from \xc3\xa9 x\nrename to \xc3\xa9 y\n"
                      "--- a/\xc3\xa9 x\n+++ b/\xc3\xa9 y\n@@ -1 +1 @@\n-a\n+b\n"),
            "diff --git \"a/\\303\\251 x\" \"b/\\303\\251 y\"\n"
            "rename from \"\\303\\251 x\"\nrename to \"\\303\\251 y\"\n"
            "--- \"a/\\303\\251 x\"\n+++ \"b/\\303\\251 y\"\n@@ -1,1 +1,1 @@\n-a\n+b\n");
}

// A plain git line would have two readings; the canonical patch must have one.
TEST(Canonical, FixesTheSplitOfANameThatHoldsAPrefix) {
  EXPECT_EQ(canonical("diff --git \"a/x b/y\" \"b/x b/y\"\n--- a/x b/y\n+++ b/x b/y\n"
                      "@@ -1 +1 @@\n-a\n+b\n"),
            "diff --git \"a/x b/y\" b/x b/y\n--- a/x b/y\t\n+++ b/x b/y\t\n"
            "@@ -1,1 +1,1 @@\n-a\n+b\n");
}

TEST(Canonical, IsTheSameForEveryOrderOfSections) {
  const std::string a = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-1\n+2\n";
  const std::string b = "diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1,1 +1,1 @@\n-1\n+2\n";
  EXPECT_EQ(canonical(a + b), a + b);
  EXPECT_EQ(canonical(b + a), a + b);
}

}  // namespace
}  // namespace gh::diff
