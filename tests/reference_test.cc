// Generated pages equal the checked-in ones; documents conform to the schemas, judged by ajv.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/git_sandbox.h"
#include "tests/schema_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

TEST(Reference, PagesAndSchemasAreWhatTheProgramSays) {
  const auto folder = *sys::TempDir::create("/tmp", "gh-docs-");
  const Ran made = node({"tools/gen-docs.mjs", gatehouse_path(), folder.path()});
  ASSERT_EQ(made.code, 0) << made.err;
  std::size_t compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = fs::relative(entry.path(), folder.path());
    EXPECT_EQ(bytes_of(entry.path()), bytes_of("docs" / name))
        << name << " is stale: run .cache/bin/node tools/gen-docs.mjs";
    ++compared;
  }
  EXPECT_EQ(compared, 135u);
}

constexpr const char* kGood =
    "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";

class Schemas : public ::testing::Test {
 protected:
  void SetUp() override {
    repo_.write("a.txt", "one\n");
    repo_.commit();
  }
  std::string answer(std::vector<std::string> args, std::string_view input = {}) {
    args.push_back("--json");
    return gatehouse(std::move(args), repo_.root(), input).out;
  }
  GitSandbox repo_;
};

TEST_F(Schemas, RefusalsOfEveryStageConform) {
  const std::vector<std::pair<const char*, std::string>> inputs = {
      {"not_a_diff", "hello\n"},
      {"path_traversal", "diff --git a/../x b/../x\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"},
      {"secret_file",
       "diff --git a/.env b/.env\nnew file mode 100644\n--- /dev/null\n+++ b/.env\n@@ -0,0 +1 "
       "@@\n+x\n"},
      {"hunk_position_mismatch",
       "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-three\n+two\n"},
  };
  for (const auto& [rule, input] : inputs) {
    const std::string document = answer({"patch", "check", "-"}, input);
    EXPECT_TRUE(contains(document, rule)) << document;
    EXPECT_EQ(judged("patch_rejection", document), "") << rule;
  }
}

TEST_F(Schemas, FaultsConformToTheRejectionSchema) {
  const Ran outside = gatehouse({"patch", "check", "-", "--json"}, "/", kGood);
  EXPECT_EQ(outside.code, 4);
  EXPECT_EQ(judged("patch_rejection", outside.out), "");
  repo_.write("gatehouse.yaml", "patch:\n  max_files: 0\n");
  repo_.commit();
  const Ran wrong = gatehouse({"patch", "check", "-", "--json"}, repo_.root(), kGood);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.out, "PATCH_POLICY_INVALID")) << wrong.out;
  EXPECT_EQ(judged("patch_rejection", wrong.out), "");
}

TEST_F(Schemas, AcceptanceAndLandingConform) {
  EXPECT_EQ(judged("patch_result", answer({"patch", "check", "-"}, kGood)), "");
  EXPECT_EQ(judged("patch_result", answer({"patch", "apply", "-"}, kGood)), "");
}

TEST_F(Schemas, VerdictErrorAndContractConform) {
  EXPECT_EQ(judged("verdict", answer({"check", "-"}, kGood)), "");
  EXPECT_EQ(judged("verdict", answer({"check", "-"}, "hello\n")), "");
  EXPECT_EQ(judged("error", answer({"chekc"})), "");
  EXPECT_EQ(judged("contract", answer({"contract"})), "");
}

TEST_F(Schemas, VerifyReportOnDiskConforms) {
  repo_.write("gatehouse.yaml", "patch:\n  verify:\n    - {name: look, argv: [/bin/true]}\n");
  repo_.commit();
  const Ran ran = gatehouse({"patch", "apply", "-", "--json", "--run-dir", repo_.folder() + "/run"},
                            repo_.root(), kGood);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(judged("patch_result", ran.out), "");
  EXPECT_EQ(judged("verify_report", bytes_of(repo_.folder() + "/run/artifacts/verify_report.json")),
            "");
}

TEST_F(Schemas, CorruptedDocumentsAreRefused) {
  const std::string rejection = answer({"patch", "check", "-"}, "hello\n");
  const std::string result = answer({"patch", "check", "-"}, kGood);
  const std::string verdict = answer({"check", "-"}, kGood);
  const std::string error = answer({"chekc"});
  const std::vector<std::pair<const char*, std::string>> broken = {
      {"patch_rejection", corrupted(rejection, {"stage"}, Value("parsing"))},
      {"patch_rejection", corrupted(rejection, {"code"}, Value("PATCH_POLICY_DENY"))},
      {"patch_rejection", corrupted(rejection, {"details", "violations"}, Value(List{}))},
      {"patch_rejection", corrupted(rejection, {"details", "split"}, {})},
      {"patch_rejection", corrupted(rejection, {"message"}, Value(std::string(241, 'x')))},
      {"patch_rejection", corrupted(rejection, {"verdict", "decision"}, Value("maybe"))},
      {"patch_result", corrupted(result, {"candidate_tree"}, Value("abc"))},
      {"patch_result", corrupted(result, {"ok"}, Value(false))},
      {"patch_result", corrupted(result, {"details", "rule"}, Value("max_files"))},
      {"verdict", corrupted(verdict, {"digests", "verdict"}, Value("sha256:0"))},
      {"verdict", corrupted(verdict, {"parts"}, {})},
      {"verdict", corrupted(verdict, {"headline"}, Value(std::string(121, 'x')))},
      {"error", corrupted(error, {"next"}, Value("try again"))},
      {"error", corrupted(error, {"schema"}, Value("gatehouse.error/2"))},
  };
  for (const auto& [schema, document] : broken)
    EXPECT_NE(judged(schema, document), "") << document.substr(0, 200);
}

}  // namespace
}  // namespace gh::testing
