// What somebody who may write below .git or in a run folder plants there must neither lead the gate
// elsewhere nor make it forget, wait or fall over.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/kit.h"

namespace gh {
namespace {

using kit::fs::path;

constexpr std::string_view kPatch =
    "diff --git a/src/a.txt b/src/a.txt\n--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,3 @@\n one\n"
    "+added\n two\n";

class Planted : public ::testing::Test {
 protected:
  void SetUp() override {
    kit::run({"git", "init", "-q", "-b", "main", repo.string()}, {});
    kit::write(repo / "src/a.txt", "one\ntwo\n");
    commit();
    EXPECT_EQ(gatehouse({"patch", "check", "-"}).exit_code, 0);
  }

  void commit() const {
    kit::git_says(repo, {"add", "-A"});
    kit::git_says(repo, {"commit", "-q", "--allow-empty", "-m", "state"});
  }

  void policy(const std::string& lines) const {
    kit::write(repo / "gatehouse.yaml", "patch:\n" + lines);
    commit();
  }

  kit::Ran gatehouse(kit::Words words, std::string_view input = kPatch) const {
    return kit::gatehouse(words, {.cwd = repo, .environment = {}, .input = input});
  }

  /// An apply that is killed while its verify command sleeps.
  void killed_while_verifying(const kit::Words& more = {}) const {
    policy("  verify:\n    - name: slow\n      argv: [sh, -c, \"sleep 30\"]\n");
    std::string line = "exec '" GH_BINARY "' patch apply '" + patch().string() + "'";
    for (const std::string& word : more)
      line += " '" + word + "'";
    const kit::Ran ran = kit::run(
        {"/bin/sh", "-c",
         "(" + line +
             ") >/dev/null 2>&1 & pid=$!; for i in $(seq 100); do grep -q added src/a.txt && "
             "break; sleep 0.05; done; sleep 0.3; kill -9 $pid; "
             // Its children end with it, but later; until then the lock is theirs.
             "flock -w 20 .git/gatehouse/apply.lock true"},
        {.cwd = repo, .environment = {}, .input = {}});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    ASSERT_EQ(kit::read(repo / "src/a.txt"), "one\nadded\ntwo\n");
  }

  path patch() const {
    const path file = scratch.path() / "fix.patch";
    kit::write(file, kPatch);
    return file;
  }

  path state() const { return repo / ".git/gatehouse"; }

  kit::Scratch scratch;
  path repo = scratch.path() / "repo";
};

TEST_F(Planted, AStateFolderThatIsALinkIsRefusedAndNothingBehindItIsTouched) {
  const path victim = scratch.path() / "victim";
  kit::write(victim / "q-old", "old\n");
  kit::fs::last_write_time(victim / "q-old",
                           kit::fs::file_time_type::clock::now() - std::chrono::hours(72));
  kit::fs::remove_all(state() / "tmp");
  kit::fs::create_directory_symlink(victim, state() / "tmp");
  const kit::Ran ran = gatehouse({"patch", "check", "-"});
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_TRUE(kit::fs::exists(victim / "q-old"));
}

TEST_F(Planted, OnlyOurOwnScratchFilesAreSweptAway) {
  for (const char* name : {"q-1-stale.index", "somebody's"}) {
    kit::write(state() / "tmp" / name, "x");
    kit::fs::last_write_time(state() / "tmp" / name,
                             kit::fs::file_time_type::clock::now() - std::chrono::hours(72));
  }
  EXPECT_EQ(gatehouse({"patch", "check", "-"}).exit_code, 0);
  EXPECT_FALSE(kit::fs::exists(state() / "tmp/q-1-stale.index"));
  EXPECT_TRUE(kit::fs::exists(state() / "tmp/somebody's"));
}

TEST_F(Planted, AJournalOfAnotherPlaceIsNotFollowed) {
  const path victim = scratch.path() / "victim";
  const std::string base = kit::git_says(repo, {"rev-parse", "HEAD"});
  const auto journal = [&](const std::string& root, const std::string& file) {
    return R"({"base_commit":")" + base + R"(","candidate_tree":")" + base +
           R"(","commit":"","created_folders":[],"event":"begin","mode":"worktree","ref":"",)" +
           R"("root":")" + root + R"(","run_folder":"/nowhere","run_id":"prun-0123456789abcdef"})" +
           "\n" + R"({"event":"path","new_blob":")" + base +
           R"(","new_mode":"100644","old_blob":null,"old_mode":null,"old_permissions":0,"path":")" +
           file + "\"}\n";
  };
  for (const auto& [root, file] :
       {std::pair{victim.string(), std::string("kept")}, {repo.string(), "../victim/kept"}}) {
    kit::write(victim / "kept", "kept\n");
    kit::write(state() / "landing.jsonl", journal(root, file));
    const kit::Ran ran = gatehouse({"patch", "check", "-"});
    EXPECT_EQ(ran.exit_code, 4) << ran.out << ran.err;
    EXPECT_NE(ran.out.find("landing journal"), std::string::npos) << ran.out << ran.err;
    EXPECT_EQ(kit::read(victim / "kept"), "kept\n");
  }
}

TEST_F(Planted, DamagedJournalsAreNamed) {
  for (const char* text :
       {"", "{}\n", "{\"event\":\"landed\"}\n", "{\"event\":\"begin\"}\n",
        "{\"event\":\"begin\"}\n{\"event\":\"landed\",\"record\":7}\n", "\xff\xff"}) {
    kit::write(state() / "landing.jsonl", text);
    const kit::Ran ran = gatehouse({"patch", "check", "-"});
    EXPECT_EQ(ran.exit_code, 4) << text << ran.out << ran.err;
  }
}

TEST_F(Planted, ALandedLineInTheRunFolderLandsNothing) {
  const path run_dir = scratch.path() / "run";
  killed_while_verifying({"--run-dir", run_dir.string()});
  const path copy = run_dir / "logs/apply_journal.jsonl";
  kit::write(copy, kit::read(copy) + "{\"event\":\"landed\",\"record\":{}}\n");
  const kit::Ran ran = gatehouse({"patch", "check", "-"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("undone first"), std::string::npos) << ran.err;
  EXPECT_EQ(kit::read(repo / "src/a.txt"), "one\ntwo\n");
  EXPECT_EQ(gatehouse({"audit", "log"}).out.find("patch.applied"), std::string::npos);
}

TEST_F(Planted, ARecordThatNamesAnotherRunFolderWritesNothingThere) {
  const path victim = scratch.path() / "victim";
  kit::fs::create_directories(victim);
  killed_while_verifying();
  const std::string begun = kit::read(state() / "landing.jsonl");
  const std::string run_id = begun.substr(begun.find("prun-"), 21);
  kit::write(
      state() / "landing.jsonl",
      begun + R"({"event":"landed","record":{"actor":{},"document":{"forged":true},)" +
          R"("receipt":{},"receipt_digest":"x","receipt_kind":"patch_landing","run_folder":")" +
          victim.string() + R"(","run_id":")" + run_id + "\"}}\n");
  gatehouse({"patch", "check", "-"});
  EXPECT_TRUE(kit::fs::is_empty(victim));
}

TEST_F(Planted, WorkDoneAfterACrashIsNeverOverwritten) {
  killed_while_verifying();
  kit::write(repo / "src/a.txt", "one\nadded\ntwo\nmine\n");
  const kit::Ran ran = gatehouse({"patch", "check", "-"});
  EXPECT_EQ(ran.exit_code, 4) << ran.out;
  EXPECT_NE(ran.out.find("was changed since"), std::string::npos) << ran.out << ran.err;
  EXPECT_EQ(kit::read(repo / "src/a.txt"), "one\nadded\ntwo\nmine\n");
  commit();
  const kit::Ran after = gatehouse({"patch", "explain", "-"});
  EXPECT_EQ(after.exit_code, 0);
  const kit::Ran freed = gatehouse({"check", "HEAD~1..HEAD"});
  EXPECT_NE(freed.err.find("HEAD has moved"), std::string::npos) << freed.out << freed.err;
  EXPECT_EQ(kit::read(repo / "src/a.txt"), "one\nadded\ntwo\nmine\n");
}

TEST_F(Planted, AGitInsideTheRepositoryIsNotRun) {
  kit::write_script(repo / "tools/git", "#!/bin/sh\ntouch '" + (scratch.path() / "ran").string() +
                                            "'\nexec /usr/bin/git \"$@\"\n");
  for (const std::string& folder :
       {(repo / "tools").string(), std::string("/proc/self/cwd/tools")}) {
    policy("  git:\n    path: " + folder + "\n");
    const kit::Ran ran = gatehouse({"patch", "check", "-"});
    EXPECT_EQ(ran.exit_code, 4) << ran.out;
    EXPECT_NE(ran.out.find("inside the repository"), std::string::npos) << ran.out;
    EXPECT_FALSE(kit::fs::exists(scratch.path() / "ran"));
  }
}

TEST_F(Planted, PipesInThePlaceOfStateFilesDoNotMakeItWait) {
  for (const char* name : {"landing.jsonl", "cache/git-version", "cache/repo-id"}) {
    kit::fs::remove(state() / name);
    ASSERT_EQ(mkfifo((state() / name).c_str(), 0600), 0);
    const auto start = std::chrono::steady_clock::now();
    gatehouse({"patch", "check", "-"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << name;
    kit::fs::remove(state() / name);
  }
}

TEST_F(Planted, ALinkInTheRunFolderIsNotWrittenThrough) {
  const path run_dir = scratch.path() / "run", victim = scratch.path() / "victim";
  kit::fs::create_directories(run_dir / "artifacts/attempts");
  kit::fs::create_directories(victim);
  kit::fs::create_directory_symlink(victim, run_dir / "artifacts/attempts/001");
  gatehouse({"patch", "apply", "-", "--run-dir", run_dir.string()}, "no diff\n");
  EXPECT_TRUE(kit::fs::is_empty(victim));
}

TEST_F(Planted, ACommitLandingForgetsNoOtherWorktree) {
  policy("  verify:\n    - name: fine\n      argv: [\"true\"]\n");
  const path other = scratch.path() / "other";
  kit::git_says(repo, {"worktree", "add", "-q", "--detach", other.string()});
  kit::fs::rename(other, scratch.path() / "unmounted");
  const kit::Ran ran =
      gatehouse({"patch", "apply", "-", "--land", "commit", "--ref", "refs/heads/agent/new"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  kit::fs::rename(scratch.path() / "unmounted", other);
  EXPECT_EQ(kit::git_says(other, {"rev-parse", "--is-inside-work-tree"}), "true");
  EXPECT_EQ(kit::git_says(repo, {"rev-parse", "refs/heads/agent/new^"}),
            kit::git_says(repo, {"rev-parse", "HEAD"}));
}

TEST_F(Planted, ASubmoduleThatAsksToBeIgnoredIsSeen) {
  kit::write(repo / ".gitmodules",
             "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n");
  const std::string one = kit::git_says(repo, {"rev-parse", "HEAD"});
  kit::git_says(repo, {"update-index", "--add", "--cacheinfo", "160000," + one + ",sub"});
  kit::git_says(repo, {"add", ".gitmodules"});
  kit::git_says(repo, {"commit", "-q", "-m", "a submodule"});
  const std::string two = kit::git_says(repo, {"rev-parse", "HEAD"});
  kit::git_says(repo, {"update-index", "--cacheinfo", "160000," + two + ",sub"});
  for (const kit::Words& words : {kit::Words{"check", "--staged"}, {"check"}}) {
    const kit::Ran ran = gatehouse(words);
    EXPECT_EQ(ran.exit_code, 1) << ran.out;
    EXPECT_NE(ran.out.find("base_gitlink"), std::string::npos) << ran.out;
  }
}

TEST_F(Planted, AFolderInThePlaceOfAControlFileIsRefused) {
  for (const char* name : {"gatehouse.yaml", "AGENTS.md", ".gitattributes"}) {
    const std::string patch = "diff --git a/" + std::string(name) + "/x b/" + name +
                              "/x\nnew file mode 100644\n--- /dev/null\n+++ b/" + name +
                              "/x\n@@ -0,0 +1 @@\n+x\n";
    const kit::Ran ran = gatehouse({"patch", "check", "-"}, patch);
    EXPECT_EQ(ran.exit_code, 1) << name;
    EXPECT_NE(ran.out.find("control_file"), std::string::npos) << ran.out;
  }
}

TEST_F(Planted, LongRowsOfCombiningMarksCostNoTime) {
  std::string marks = "e";
  for (int i = 0; i < 40'000; ++i)
    marks += "\xcc\xa3\xcc\x81";
  const auto start = std::chrono::steady_clock::now();
  const kit::Ran ran = gatehouse({"patch", "check", "-"}, "diff --git a/" + marks + " b/" + marks +
                                                              "\n--- a/" + marks + "\n+++ b/" +
                                                              marks + "\n@@ -1 +1 @@\n-a\n+b\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_NE(ran.out.find("path_too_long"), std::string::npos);
  EXPECT_LT(ran.err.size(), 2000u);
}

TEST_F(Planted, TheFrontDoorKeepsWhatItRefuses) {
  const kit::Ran ran = gatehouse({"check", "-", "--json"}, "no diff\n");
  EXPECT_EQ(ran.exit_code, 1);
  int kept = 0;
  for (const auto& run : kit::fs::directory_iterator(state() / "runs"))
    kept += kit::read(run.path() / "artifacts/diff.patch") == "no diff\n" ? 1 : 0;
  EXPECT_EQ(kept, 1);
}

// ---- verify commands

TEST_F(Planted, VerifyCommandsMayBuildInTheirTreeAndNowhereElse) {
  policy(
      "  verify:\n    - name: build\n      argv: [sh, -c, \"set -e; touch built.o; mkdir out; "
      "touch $(mktemp); ! touch .git/hooks/x; ! touch /tmp/gatehouse-escape; ! mount -o remount,rw "
      "/; "
      "! mknod disk b 254 0; test ! -e /dev/vda; test ! -e /proc/1/root/nonexistent; echo ok > "
      "/dev/null\"]\n");
  for (const kit::Words& words :
       {kit::Words{"patch", "apply", "-", "--land", "commit", "--ref", "agent/x"},
        {"patch", "apply", "-"}}) {
    const kit::Ran ran = gatehouse(words);
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  }
  EXPECT_TRUE(kit::fs::exists(repo / "built.o"));
  EXPECT_FALSE(kit::fs::exists("/tmp/gatehouse-escape"));
}

TEST_F(Planted, TheReportOfASuccessfulVerifySaysSo) {
  policy("  verify:\n    - name: fine\n      argv: [echo, looked]\n");
  const path run_dir = scratch.path() / "run";
  EXPECT_EQ(gatehouse({"patch", "apply", "-", "--run-dir", run_dir.string()}).exit_code, 0);
  const std::string report = kit::read(run_dir / "artifacts/verify_report.json");
  EXPECT_NE(report.find("\"ok\": true"), std::string::npos) << report;
  EXPECT_NE(report.find("looked"), std::string::npos) << report;
  EXPECT_EQ(kit::read(run_dir / "logs/verify.fine.stdout.log"), "looked");
}

TEST_F(Planted, SecretsOfVerifyCommandsAreMaskedEverywhere) {
  const std::string token = "ghp_" + std::string(36, 'A');
  policy(
      "  verify:\n    - name: leak\n      argv: [sh, -c, \"echo ghp_$(printf %036d | tr 0 A); "
      "exit 1\"]\n");
  const path run_dir = scratch.path() / "run";
  const kit::Ran ran = gatehouse({"patch", "apply", "-", "--json", "--run-dir", run_dir.string()});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("REDACTED"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find(token), std::string::npos);
  for (const auto& file : kit::fs::recursive_directory_iterator(run_dir)) {
    if (!file.is_regular_file()) continue;
    EXPECT_EQ(kit::read(file.path()).find(token), std::string::npos) << file.path();
  }
}

TEST_F(Planted, AStopDuringVerifyTakesTheChangeBack) {
  policy("  verify:\n    - name: slow\n      argv: [sh, -c, \"sleep 30\"]\n");
  const auto start = std::chrono::steady_clock::now();
  const kit::Ran ran = kit::run({"/bin/sh", "-c",
                                 "'" GH_BINARY "' patch apply '" + patch().string() +
                                     "' & pid=$!; for i in $(seq 100); do grep -q added src/a.txt "
                                     "&& break; sleep 0.05; done; "
                                     "sleep 0.3; kill -TERM $pid; wait $pid"},
                                {.cwd = repo, .environment = {}, .input = {}});
  EXPECT_EQ(ran.exit_code, 143) << ran.out << ran.err;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(kit::read(repo / "src/a.txt"), "one\ntwo\n");
  EXPECT_EQ(kit::git_says(repo, {"status", "--porcelain"}), "");
}

// ---- options

TEST_F(Planted, ExpectedDigestsAreCompared) {
  const std::string sum = kit::run({"/usr/bin/sha256sum", patch().string()}, {}).out.substr(0, 64);
  EXPECT_EQ(gatehouse({"patch", "check", "-", "--expect", sum}).exit_code, 0);
  EXPECT_EQ(gatehouse({"patch", "check", "-", "--expect", "sha256:" + sum}).exit_code, 0);
  EXPECT_EQ(gatehouse({"patch", "apply", "-", "--expect", std::string(64, '0')}).exit_code, 3);
  EXPECT_EQ(gatehouse({"patch", "apply", "-", "--expect", "abc"}).exit_code, 2);
  EXPECT_EQ(kit::git_says(repo, {"status", "--porcelain"}), "");
}

TEST_F(Planted, OptionsOfACommitLandingAreNotIgnoredElsewhere) {
  EXPECT_EQ(gatehouse({"patch", "apply", "-", "--ref", "main"}).exit_code, 2);
  for (const char* ref : {"refs/tags/x", "a b", "refs/heads/..", "-x"})
    EXPECT_EQ(gatehouse({"patch", "apply", "-", "--land", "commit", "--ref", ref}).exit_code, 2)
        << ref;
  const kit::Ran ran = gatehouse({"patch", "apply", "-", "--land", "commit", "--message", "Why"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("checked out here"), std::string::npos) << ran.out;
  EXPECT_EQ(kit::git_says(repo, {"log", "-1", "--format=%s"}), "Why");
}

TEST_F(Planted, ShownConfigurationCanBeReadBack) {
  kit::write(scratch.path() / "shown.yaml", gatehouse({"config", "show"}).out);
  const kit::Ran ran = gatehouse({"config", "validate", (scratch.path() / "shown.yaml").string()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

}  // namespace
}  // namespace gh
