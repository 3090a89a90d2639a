// Evidence and retry as one story through the command line (docs/patch-gate.md): what a person or
// agent sees from the first refusal to the landing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sys/files.h"
#include "tests/git_sandbox.h"
#include "wire/json.h"

namespace gh {
namespace {

using testing::GitSandbox;

struct Answer {
  int exit = -1;
  Value document;
  std::string printed;

  std::string text(std::initializer_list<std::string_view> keys) const {
    const Value* at = &document;
    for (const std::string_view key : keys) {
      at = at->as_map() == nullptr ? nullptr : at->as_map()->find(key);
      if (at == nullptr) return "(absent)";
    }
    return at->as_string() != nullptr ? *at->as_string() : "(no string)";
  }
  std::string rule() const { return text({"details", "rule"}); }
  std::string run() const { return text({"run", "run_id"}); }
};

class Story : public ::testing::Test {
 protected:
  void begin(const std::string& policy) {
    std::string numbers;
    for (int i = 1; i <= 40; ++i)
      numbers += fmt::format("line {}\n", i);
    sandbox.write("src/numbers.txt", numbers);
    sandbox.write("src/other.txt", "a\nb\nc\n");
    if (!policy.empty()) sandbox.write("gatehouse.yaml", policy);
    sandbox.commit("base");
  }

  sys::Finished run(std::vector<std::string> words, const std::string& input = {}) const {
    words.insert(words.begin(), GH_BINARY);
    const auto done = sys::run({.argv = std::move(words),
                                .environment = GitSandbox::environment(),
                                .cwd = sandbox.root(),
                                .input = input,
                                .timeout = std::chrono::minutes(1),
                                .max_output = 16u << 20});
    EXPECT_TRUE(done);
    return done.value_or(sys::Finished{});
  }

  Answer apply(const std::string& patch, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"patch", "apply", "-", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const sys::Finished done = run(words, patch);
    auto document = wire::read_json(done.out, "answer");
    EXPECT_TRUE(document) << done.out << done.err;
    return {done.exit_code, document.value_or(Value()), done.out};
  }

  std::string folder(const std::string& run_id) const {
    return sandbox.root() + "/.git/gatehouse/runs/" + run_id;
  }
  std::string file(const std::string& path) const {
    return sys::read_file(path, 64u << 20).value_or("(missing " + path + ")");
  }

  GitSandbox sandbox;
};

std::string edit(int line, const std::string& text) {
  return fmt::format(
      "diff --git a/src/numbers.txt b/src/numbers.txt\n--- a/src/numbers.txt\n+++ "
      "b/src/numbers.txt\n"
      "@@ -{0},3 +{0},3 @@\n line {0}\n-line {1}\n+{2}\n line {3}\n",
      line - 1, line, text, line + 1);
}

std::string create(const std::string& path, int lines) {
  std::string out = fmt::format(
      "diff --git a/{0} b/{0}\nnew file mode 100644\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1{1} @@\n",
      path, lines == 1 ? "" : fmt::format(",{}", lines));
  for (int i = 0; i < lines; ++i)
    out += fmt::format("+{} {}\n", path, i);
  return out;
}

std::string rewrite_of_numbers() {
  std::string removed, added;
  for (int i = 1; i <= 40; ++i)
    removed += fmt::format("-line {}\n", i);
  for (int i = 1; i <= 40; ++i)
    added += fmt::format("+other {}\n", i);
  return "diff --git a/src/numbers.txt b/src/numbers.txt\n--- a/src/numbers.txt\n+++ "
         "b/src/numbers.txt\n"
         "@@ -1,40 +1,40 @@\n" +
         removed + added;
}

}  // namespace

TEST_F(Story, RefusalLeavesTheBytesAReviewAPromptAndABundle) {
  begin("");
  const std::string bad = create(".github/workflows/x.yml", 2);
  const Answer refused = apply(bad);
  EXPECT_EQ(refused.exit, 1);
  EXPECT_EQ(refused.rule(), "control_file");
  const std::string at = folder(refused.run());
  EXPECT_EQ(file(at + "/artifacts/diff.patch"), bad);
  EXPECT_EQ(file(at + "/artifacts/attempts/001/diff.patch"), bad);
  const std::string review = file(at + "/reviews/review_patch.md");
  for (const char* line : {"# Patch Review", "Verdict: BLOCK", "Code: ", "PATCH_POLICY_DENY",
                           "Stage: ", "Rule: ", "control_file",
                           "Patch-SHA256: ", "Touched-Files:", "Retry-Rule:", "Details:"})
    EXPECT_NE(review.find(line), std::string::npos) << line << "\n" << review;
  const std::string prompt = file(at + "/outbox/001_fixer_fix_patch.md");
  for (const char* part :
       {"fixer", "fix_patch", "Target-Path: artifacts/diff.patch", "failure_bundle.zip"})
    EXPECT_NE(prompt.find(part), std::string::npos) << part << "\n" << prompt;
  const auto made = run({"patch", "bundle", "--run", refused.run(), "--json"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const auto listing = sys::run({.argv = {"/usr/bin/unzip", "-Z1", at + "/failure_bundle.zip"},
                                 .environment = GitSandbox::environment(),
                                 .cwd = "/"});
  ASSERT_TRUE(listing);
  for (const char* entry :
       {"TRACE.md", "events.jsonl", "artifacts/", "artifacts/PLAN.md", "artifacts/diff.patch",
        "artifacts/verify_report.json", "artifacts/patch_rejection.json", "reviews/",
        "reviews/.keep", "reviews/review_patch.md", "outbox/", "outbox/.keep",
        "outbox/001_fixer_fix_patch.md", "MANIFEST.sha256"})
    EXPECT_NE(("\n" + listing->out).find(fmt::format("\n{}\n", entry)), std::string::npos)
        << entry << "\n"
        << listing->out;
}

TEST_F(Story, RetriesAreHeldToTheChannelUntilTheAttemptsAreUsedUp) {
  begin("");
  const Answer first = apply(edit(10, "x") + create(".envrc", 1));
  EXPECT_EQ(first.rule(), "control_file");
  const std::string run_id = first.run();
  EXPECT_EQ(apply(edit(10, "x") + create(".envrc", 1)).rule(), "retry_identical");
  const Answer rewritten = apply(rewrite_of_numbers());
  EXPECT_EQ(rewritten.rule(), "full_rewrite") << "a whole-file rewrite is no repair";
  EXPECT_EQ(rewritten.run(), run_id) << "a new submission on the same base joins the open run";
  EXPECT_EQ(apply("{\"files\": {\"src/numbers.txt\": \"x\"}}\n").rule(), "retry_channel");
  sandbox.write("src/other.txt", "edited beside the gate\n");
  const Answer beside = apply(edit(10, "y"));
  EXPECT_EQ(beside.rule(), "retry_channel");
  EXPECT_NE(beside.printed.find("src/other.txt"), std::string::npos);
  sandbox.git({"checkout", "-q", "--", "src/other.txt"});
  EXPECT_EQ(apply("Sure! Here is the fix:\n").rule(), "not_a_diff");
  const Answer over = apply(edit(10, "y"));
  EXPECT_EQ(over.rule(), "retry_exhausted");
  EXPECT_EQ(over.run(), run_id);
  EXPECT_EQ(sandbox.git({"status", "--porcelain"}), "") << "nothing has landed";
  const auto unfrozen = run({"patch", "unfreeze", "--run", run_id, "--reason", "looked at it"});
  EXPECT_EQ(unfrozen.exit_code, 0) << unfrozen.err;
  EXPECT_EQ(apply(edit(10, "y")).exit, 0);
}

TEST_F(Story, ATreeThatIsCleanedAfterTheRefusalTakesTheRepairedPatch) {
  begin("");
  sandbox.write("src/other.txt", "the agent's own edit, still in the work tree\n");
  EXPECT_EQ(apply(edit(10, "x") + create(".envrc", 1)).rule(), "control_file");
  sandbox.write("src/other.txt", "edited again beside the gate\n");
  EXPECT_EQ(apply(edit(10, "y")).rule(), "retry_channel");
  EXPECT_EQ(apply(edit(10, "y")).rule(), "retry_channel") << "asking twice changes nothing";
  sandbox.git({"stash", "-q"});
  const Answer landed = apply(edit(10, "y"));
  EXPECT_EQ(landed.exit, 0) << landed.printed;
  EXPECT_EQ(sandbox.git({"diff", "--cached", "--name-only"}), "src/numbers.txt");
}

TEST_F(Story, RepairedPatchLandsInTheSameRun) {
  begin("");
  const Answer refused = apply(edit(10, "x") + create("package-lock.json", 1));
  EXPECT_EQ(refused.rule(), "lock_file");
  const Answer landed = apply(edit(10, "x"), {"--run", refused.run()});
  EXPECT_EQ(landed.exit, 0);
  EXPECT_EQ(landed.run(), refused.run());
  EXPECT_EQ(landed.text({"code"}), "PATCH_OK");
  EXPECT_EQ(sandbox.git({"write-tree"}), landed.text({"candidate_tree"}));
  EXPECT_EQ(sandbox.git({"diff", "--cached", "--name-only"}), "src/numbers.txt");
  const auto log = run({"audit", "log", "--json"});
  EXPECT_NE(log.out.find("patch.rejected"), std::string::npos);
  EXPECT_NE(log.out.find("patch.applied"), std::string::npos);
  EXPECT_EQ(run({"audit", "verify"}).exit_code, 0);
}

TEST_F(Story, FailedVerifyCommandTakesTheChangeBackAndTheBundleSaysSo) {
  begin(
      "patch:\n  verify:\n    - name: no-bad-words\n      argv: [sh, -c, \"echo looking; ! grep -q "
      "bad src/numbers.txt\"]\n");
  const std::string before = sandbox.git({"ls-files", "-s"}) + file(sandbox.at("src/numbers.txt"));
  const Answer refused = apply(edit(10, "bad"));
  EXPECT_EQ(refused.exit, 1);
  EXPECT_EQ(refused.rule(), "verify_failed");
  EXPECT_EQ(refused.text({"stage"}), "apply");
  EXPECT_EQ(sandbox.git({"ls-files", "-s"}) + file(sandbox.at("src/numbers.txt")), before);
  EXPECT_EQ(sandbox.git({"status", "--porcelain"}), "");
  const auto report =
      sys::run({.argv = {"/usr/bin/unzip", "-p", folder(refused.run()) + "/failure_bundle.zip",
                         "artifacts/verify_report.json"},
                .environment = GitSandbox::environment(),
                .cwd = "/"});
  ASSERT_TRUE(report);
  EXPECT_NE(report->out.find("\"ok\": false"), std::string::npos) << report->out;
  EXPECT_NE(report->out.find("no-bad-words"), std::string::npos) << report->out;
  EXPECT_EQ(apply(edit(10, "good")).exit, 0);
}

TEST_F(Story, VerifyCommandMayNotChangeTrackedFiles) {
  begin(
      "patch:\n  verify:\n    - name: meddle\n      argv: [sh, -c, \"echo changed > "
      "src/other.txt\"]\n");
  const Answer refused = apply(edit(10, "x"));
  EXPECT_EQ(refused.rule(), "verify_failed");
  EXPECT_NE(refused.printed.find("src/other.txt"), std::string::npos);
  EXPECT_EQ(file(sandbox.at("src/other.txt")), "a\nb\nc\n");
  EXPECT_EQ(sandbox.git({"status", "--porcelain"}), "");
}

TEST_F(Story, AdvisedPartsLandOneAfterTheOther) {
  begin("");
  std::string whole;
  std::vector<std::string> sections;
  for (int i = 0; i < 12; ++i) {
    sections.push_back(create(fmt::format("src/part{:02}.txt", i), 50 + i));
    whole += sections.back();
  }
  const Answer refused = apply(whole, {"--land", "commit"});
  EXPECT_EQ(refused.rule(), "max_files");
  const Map& split = *refused.document.as_map()->find("details")->as_map()->find("split")->as_map();
  const List& parts = *split.find("parts")->as_list();
  EXPECT_GE(parts.size(), 3u);
  std::size_t landed = 0;
  for (const Value& part : parts) {
    std::string patch;
    for (const Value& path : *part.as_map()->find("paths")->as_list())
      for (const std::string& section : sections)
        if (section.find(" b/" + *path.as_string() + "\n") != std::string::npos) {
          patch += section;
          ++landed;
        }
    const Answer answer = apply(patch, {"--land", "commit"});
    EXPECT_EQ(answer.exit, 0) << answer.printed;
    sandbox.git({"reset", "-q", "--hard"});
  }
  EXPECT_EQ(landed, sections.size());
  EXPECT_EQ(sandbox.git({"rev-list", "--count", "HEAD"}), fmt::format("{}", parts.size() + 1));
}

}  // namespace gh
