// What is said about a change: of a patch before it is applied, and of a work tree against a
// revision.
#include <gtest/gtest.h>

#include "tests/kit.h"
#include "tests/schema_kit.h"

namespace gh {
namespace {

using kit::Ran;

std::string function(std::string_view name, std::string_view last = "    return other\n") {
  return "def " + std::string(name) +
         "(a):\n"
         "    total = 0\n"
         "    for item in a:\n"
         "        total = total + item.price\n"
         "    if total > 10:\n"
         "        log(total)\n"
         "    name = str(total)\n"
         "    other = name.strip()\n"
         "    save(other)\n" +
         std::string(last);
}

constexpr std::string_view kSmall = "def small(x):\n    if x:\n        return 1\n    return 2\n";
constexpr std::string_view kGrown =
    "import subprocess\n\n\ndef small(x):\n    if x and x.open:\n        return 1\n"
    "    for y in x:\n        subprocess.run(y)\n    return 2\n";

struct World {
  World() {
    kit::fs::create_directories(repo);
    kit::git_says(repo, {"init", "-q", "-b", "main"});
    kit::write(repo / "pkg/a.py", function("load"));
    kit::write(repo / "pkg/b.py", function("read"));
    kit::write(repo / "pkg/small.py", kSmall);
    kit::git_says(repo, {"add", "."});
    kit::git_says(repo, {"commit", "-q", "-m", "first"});
  }
  Ran run(kit::Words more) const {
    kit::Words words{kit::gatehouse_binary()};
    words.insert(words.end(), more.begin(), more.end());
    return kit::run(words, {.cwd = repo});
  }
  /// The work tree as a patch; the work tree is as it was afterwards.
  std::string patch() const {
    kit::git_says(repo, {"add", "-A"});
    const std::string diff =
        kit::run({"git", "diff", "--cached", "--no-renames"}, {.cwd = repo}).out;
    kit::git_says(repo, {"reset", "-q", "--hard"});
    kit::write(scratch.path() / "change.patch", diff);
    return (scratch.path() / "change.patch").string();
  }
  kit::Scratch scratch;
  kit::fs::path repo = scratch.path() / "repo";
};

void expect_says(const std::string& text, std::string_view sentence) {
  EXPECT_NE(text.find(sentence), std::string::npos) << sentence << "\nin\n" << text;
}

TEST(PatchImpact, ACopyIsToldByNameBeforeThePatchIsApplied) {
  const World world;
  kit::write(world.repo / "pkg/c.py", function("fetch"));
  const std::string patch = world.patch();
  const Ran told = world.run({"patch", "impact", patch});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  expect_says(told.out, "this change copies pkg.a:load (9 statements) into pkg.c:fetch");
  expect_says(told.out, "this change adds pkg.c:fetch to a clone group of 2");
  EXPECT_FALSE(kit::fs::exists(world.repo / "pkg/c.py"));
  const Ran json = world.run({"patch", "impact", patch, "--json"});
  EXPECT_EQ(testing::judged("patch_impact", json.out), "") << json.out;
}

TEST(PatchImpact, PeersThatAreLeftBehindAreNamed) {
  const World world;
  kit::write(world.repo / "pkg/b.py", function("read", "    return other.lower()\n"));
  const Ran told = world.run({"patch", "impact", world.patch()});
  expect_says(told.out,
              "this change edits pkg.b:read and leaves pkg.a:load as before; they were clones");
}

TEST(PatchImpact, ComplexityIsToldWithItsStatementAndReachWithItsSymbol) {
  const World world;
  kit::write(world.repo / "pkg/small.py", kGrown);
  const Ran told = world.run({"patch", "impact", world.patch()});
  expect_says(told.out,
              "pkg.small:small is more complex than before: 2, now 4 (line 5: if x and x.open:; "
              "line 7: for y in x:)");
  expect_says(told.out, "pkg.small:small now reaches process_boundary by subprocess.run");
}

TEST(PatchImpact, ChangedFunctionsThatNoTestEntersAreNamed) {
  const World world;
  std::string many = "def many(x):\n";
  for (int i = 0; i < 12; ++i)
    many += "    if x == " + std::to_string(i) + ":\n        return x\n";
  kit::write(world.repo / "pkg/many.py", many);
  const std::string patch = world.patch();
  kit::write(
      world.scratch.path() / "coverage.xml",
      "<coverage><packages><package><classes><class filename=\"pkg/a.py\"><lines>"
      "<line number=\"2\" hits=\"1\"/></lines></class></classes></package></packages></coverage>");
  const std::string coverage = (world.scratch.path() / "coverage.xml").string();
  const Ran told = world.run({"patch", "impact", patch, "--coverage", coverage});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  expect_says(told.out, "pkg.many:many is new, with complexity 13");
  expect_says(told.out, "no test enters pkg.many:many, whose complexity is 13");
  EXPECT_EQ(world.run({"patch", "impact", patch, "--field", "answers.test_gaps"}).out, "null\n");
}

TEST(PatchImpact, WhatChangesNothingOfThisSaysSo) {
  const World world;
  kit::write(world.repo / "README", "text\n");
  const Ran told = world.run({"patch", "impact", world.patch()});
  EXPECT_EQ(told.exit_code, 0) << told.err;
  expect_says(told.out, "no copies, no rise in complexity, no new reach, no peers left behind");
}

TEST(PatchImpact, ARefusedPatchIsNotLookedInto) {
  const World world;
  kit::write(
      world.scratch.path() / "bad.patch",
      "diff --git a/pkg/a.py b/pkg/a.py\n--- a/pkg/a.py\n+++ b/pkg/a.py\n@@ -1 +1 @@\n-no\n+x\n");
  const Ran told =
      world.run({"patch", "impact", (world.scratch.path() / "bad.patch").string(), "--json"});
  EXPECT_EQ(told.exit_code, 1);
  expect_says(told.err, "the gate refuses the patch: ");
  EXPECT_EQ(testing::judged("patch_impact", told.out), "") << told.out;
}

TEST(PatchImpact, AWorkTreeSaysTheSameAgainstARevision) {
  const World world;
  kit::write(world.repo / "pkg/c.py", function("fetch"));
  kit::write(world.repo / "pkg/small.py", kGrown);
  const Ran told = world.run({"analyze", "--no-store", "--diff-against", "HEAD"});
  expect_says(told.out, "this change copies pkg.a:load (9 statements) into pkg.c:fetch");
  expect_says(told.out, "pkg.small:small is more complex than before: 2, now 4 (line 5: ");
  const Ran json = world.run({"analyze", "--no-store", "--diff-against", "HEAD", "--json"});
  EXPECT_EQ(testing::judged("analysis_report", json.out), "") << json.out;
  expect_says(json.out, "\"change\": {");
  expect_says(world
                  .run({"analyze", "--no-store", "--diff-against", "HEAD", "--field",
                        "derived.change.security_surfaces.0.category"})
                  .out,
              "process_boundary");
}

}  // namespace
}  // namespace gh
