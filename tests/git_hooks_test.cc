// The hooks of git, with real git: commits, pushes to repositories that guard themselves, refs that
// are moved around the hooks. What is asserted is what git did.
#include <gtest/gtest.h>

#include "tests/git_hooks_kit.h"

namespace gh::testing {
namespace {

TEST_F(GitHooks, AGoodCommitPassesAndOneOutOfPolicyDoesNot) {
  install();
  const std::string before = head();
  repo.write("src/a.txt", "two\n");
  const Ran good = commit();
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  const std::string after = head();
  EXPECT_NE(after, before);
  write_three();
  const Ran bad = commit();
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(contains(bad.out + bad.err, "max_files")) << bad.out << bad.err;
  EXPECT_EQ(head(), after);
  EXPECT_GE(events("hook.denied"), 1u);
}

TEST_F(GitHooks, SecretsOfThePolicyAreNotCommitted) {
  install();
  repo.write(".env", "TOKEN=x\n");
  const Ran bad = commit();
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(contains(bad.out + bad.err, "secret_file")) << bad.out << bad.err;
}

TEST_F(GitHooks, ACommitOfNamedFilesIsJudgedByItsOwnIndex) {
  install();
  repo.write("src/a.txt", "two\n");
  write_three();
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  // git makes an index of its own for this commit: one file, whatever else is staged.
  const Ran one = git({"commit", "-q", "-m", "one", "src/a.txt"});
  EXPECT_EQ(one.code, 0) << one.out << one.err;
  const Ran all = git({"commit", "-q", "-a", "-m", "all"});
  EXPECT_EQ(all.code, 1) << all.out;
}

/// Each git is a tenth of the time that this hook may take.
TEST_F(GitHooks, AMessageIsPreparedWithNoMoreGitsThanItNeeds) {
  const std::string folder = repo.folder() + "/stand-in", log = repo.folder() + "/log";
  ASSERT_TRUE(sys::make_folders(folder));
  ASSERT_TRUE(sys::write_file_atomic(
      folder + "/git",
      "#!/bin/bash\nall=(\"$@\")\nwhile [[ $1 == -c ]]; do shift 2; done\necho $1 >> " + log +
          "\nexec /usr/bin/git \"${all[@]}\"\n",
      0755));
  // What is remembered of git and of the repository is asked the first time.
  const auto gits = [&](const std::string& session) {
    for (int turn = 0; turn < 2; ++turn) {
      fs::remove(log);
      repo.write("../message", "a change\n");
      const Ran ran =
          gatehouse({"hook", "git", "prepare-commit-msg", repo.folder() + "/message"}, repo.root(),
                    {}, {"GATEHOUSE_GIT_PATH=" + folder, "GATEHOUSE_SESSION=" + session});
      EXPECT_EQ(ran.code, 0) << ran.err;
    }
    return bytes_of(log);
  };
  const auto must = [&](Words words) {
    const Ran ran = gatehouse(std::move(words), repo.root());
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  };
  must({"analyze"});
  must({"change", "start", "--goal", "g", "--allow", "src/a.txt", "--session", "s1"});
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  EXPECT_EQ(gits("nobody"), "cat-file\n");
  EXPECT_EQ(gits("s1"), "cat-file\n");
  EXPECT_TRUE(contains(bytes_of(repo.folder() + "/message"), "Gatehouse-Intent: intent-"));
  must({"change", "finish", "--files", "src/a.txt", "--analyze", "--session", "s1"});
  EXPECT_EQ(gits("s1"), "cat-file\ndiff-index\npatch-id\n");
  EXPECT_TRUE(contains(bytes_of(repo.folder() + "/message"), "Gatehouse-Receipt: sha256:"));
}

TEST_F(GitHooks, InModeAdviseItIsSaidAndNotStopped) {
  repo.write("gatehouse.yaml", "patch:\n  max_files: 2\nhooks:\n  mode: advise\n");
  repo.commit("advise");
  install();
  write_three();
  const Ran told = commit();
  EXPECT_EQ(told.code, 0);
  EXPECT_TRUE(contains(told.out + told.err, "max_files")) << told.out << told.err;
  EXPECT_TRUE(contains(told.out + told.err, "advice only")) << told.out << told.err;
}

TEST_F(GitHooks, InModeOffNothingIsSaid) {
  repo.write("gatehouse.yaml", "patch:\n  max_files: 2\nhooks:\n  mode: 'off'\n");
  repo.commit("off");
  install();
  write_three();
  const Ran silent = commit();
  EXPECT_EQ(silent.code, 0) << silent.err;
  EXPECT_FALSE(contains(silent.out + silent.err, "gatehouse")) << silent.out << silent.err;
}

TEST_F(GitHooks, APersonMayGoOnWithAReasonAndAnAgentMayNot) {
  install();
  write_three();
  const Ran agent = commit({}, {"GATEHOUSE_BYPASS_REASON=the build is on fire", "CLAUDECODE=1"});
  EXPECT_EQ(agent.code, 1);
  EXPECT_TRUE(contains(agent.out + agent.err, "is for people")) << agent.out << agent.err;
  const Ran person = commit({}, {"GATEHOUSE_BYPASS_REASON=the build is on fire"});
  EXPECT_EQ(person.code, 0) << person.out << person.err;
  EXPECT_TRUE(contains(git({"log", "-1", "--format=%B"}).out, "Gatehouse-Decision: bypassed"));
  const Ran log = gatehouse({"audit", "export"}, repo.root());
  EXPECT_TRUE(contains(log.out, "the build is on fire")) << log.out;
  EXPECT_EQ(events("hook.bypass"), 1u);
}

TEST_F(GitHooks, NoVerifyLeavesACommitUnverified) {
  install();
  write_three();
  const Ran around = commit({"--no-verify"});
  EXPECT_EQ(around.code, 0) << "people are not guarded unless they ask for it";
  EXPECT_TRUE(contains(around.out + around.err, "unverified")) << around.out << around.err;
  EXPECT_EQ(events("hook.bypass"), 1u);
}

TEST_F(GitHooks, TheRefGuardStopsACommitThatTheHookDidNotSee) {
  repo.write("gatehouse.yaml",
             "patch:\n  max_files: 2\nhooks:\n  mode: enforce\n  local_ref_guard: on\n");
  repo.commit("guarded");
  install();
  const std::string before = head();
  repo.write("src/a.txt", "two\n");
  const Ran around = commit({"--no-verify"});
  EXPECT_NE(around.code, 0);
  EXPECT_TRUE(contains(around.err, "GH-BYPASS-001")) << around.err;
  EXPECT_EQ(head(), before);
  const Ran through = commit();
  EXPECT_EQ(through.code, 0) << through.out << through.err;
  EXPECT_NE(head(), before);
  // An amended commit was judged as well.
  repo.write("src/a.txt", "three\n");
  EXPECT_EQ(commit({"--amend"}).code, 0);
  // By another way to the same end.
  const std::string now = head();
  EXPECT_EQ(git({"checkout", "-q", "-b", "side"}).code, 0);
  repo.write("src/a.txt", "four\n");
  EXPECT_EQ(commit({"--no-verify"}).code, 0) << "only protected branches are guarded";
  EXPECT_EQ(git({"checkout", "-q", "main"}).code, 0);
  EXPECT_NE(git({"merge", "-q", "--ff-only", "side"}).code, 0);
  EXPECT_EQ(head(), now);
  // A person may, with a reason.
  EXPECT_EQ(git({"merge", "-q", "--ff-only", "side"}, {"GATEHOUSE_BYPASS_REASON=I looked"}).code,
            0);
  EXPECT_NE(head(), now);
}

TEST_F(GitHooks, TheRefGuardIsOnForAgentsWithoutBeingAskedFor) {
  repo.write("gatehouse.yaml", std::string(kEnforcing) + "  require_intent: false\n");
  repo.commit("no intents");
  install();
  const std::string before = head();
  repo.write("src/a.txt", "two\n");
  EXPECT_NE(commit({"--no-verify"}, {"CLAUDECODE=1"}).code, 0);
  EXPECT_EQ(head(), before);
  EXPECT_EQ(commit({}, {"CLAUDECODE=1"}).code, 0);
  EXPECT_NE(head(), before);
}

TEST_F(GitHooks, AMergeThatGitMakesByItselfPassesTheGuard) {
  repo.write("gatehouse.yaml",
             "patch:\n  max_files: 2\nhooks:\n  mode: enforce\n  local_ref_guard: on\n");
  repo.commit("guarded");
  install();
  EXPECT_EQ(git({"checkout", "-q", "-b", "side"}).code, 0);
  repo.write("side.txt", "s\n");
  ASSERT_EQ(commit().code, 0);
  EXPECT_EQ(git({"checkout", "-q", "main"}).code, 0);
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(commit().code, 0);
  const Ran merged = git({"merge", "-q", "--no-edit", "side"});
  EXPECT_EQ(merged.code, 0) << merged.out << merged.err;
  EXPECT_EQ(git({"rev-list", "--merges", "--count", "HEAD"}).out, "1\n");
}

TEST_F(GitHooks, TheFirstCommitOfARepositoryPasses) {
  const std::string at = repo.folder() + "/fresh";
  ASSERT_EQ(git({"init", "-q", "-b", "main", at}).code, 0);
  ASSERT_EQ(gatehouse({"hook", "install"}, at).code, 0);
  std::ofstream(at + "/gatehouse.yaml") << kEnforcing;
  ASSERT_EQ(git({"add", "-A"}, {}, at).code, 0);
  const Ran first =
      git({"-c", "user.name=T", "-c", "user.email=t@e.org", "commit", "-q", "-m", "1"}, {}, at);
  EXPECT_EQ(first.code, 0) << first.out << first.err;
}

// ------------------------------------------------------------------------ trailers and receipts

TEST_F(GitHooks, TheIntentStandsInTheMessageAndItsReceiptBesideTheCommit) {
  install();
  const Words who{"GATEHOUSE_SESSION=S"};
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  ASSERT_EQ(
      gatehouse({"change", "start", "--goal", "docs", "--allow", "README.md"}, repo.root(), {}, who)
          .code,
      0);
  repo.write("README.md", "hello you\n");
  // Out of the declared scope: refused, with the place.
  repo.write("src/a.txt", "two\n");
  const Ran outside = commit({}, who);
  EXPECT_EQ(outside.code, 1);
  EXPECT_TRUE(contains(outside.out + outside.err, "GH-SCOPE-001")) << outside.out << outside.err;
  ASSERT_EQ(git({"reset", "-q"}).code, 0);
  repo.write("src/a.txt", "one\n");
  const Ran finished =
      gatehouse({"change", "finish", "--files", "README.md"}, repo.root(), {}, who);
  ASSERT_EQ(finished.code, 0) << finished.out << finished.err;
  const Ran made = commit({}, who);
  ASSERT_EQ(made.code, 0) << made.out << made.err;
  const std::string message = git({"log", "-1", "--format=%B"}).out;
  for (const char* key :
       {"Gatehouse-Intent: intent-", "Gatehouse-Receipt: sha256:", "Gatehouse-Decision: accepted"})
    EXPECT_TRUE(contains(message, key)) << message;
  EXPECT_EQ(git({"notes", "--ref", "gatehouse", "show", "HEAD"}).code, 0);
  EXPECT_EQ(gatehouse({"receipt", "verify", "HEAD"}, repo.root()).code, 0);
}

/// The next one in the queue holds the file from then on; what was accepted before is no part of
/// that.
TEST_F(GitHooks, AnAcceptedChangeIsCommittedAlsoAfterTheNextOneCameToHoldItsFiles) {
  install();
  const Words a{"CLAUDECODE=1", "GATEHOUSE_SESSION=A"}, b{"CLAUDECODE=1", "GATEHOUSE_SESSION=B"};
  const auto say = [&](Words words, const Words& who) {
    return gatehouse(std::move(words), repo.root(), {}, who);
  };
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  ASSERT_EQ(say({"change", "start", "--goal", "a", "--allow", "README.md"}, a).code, 0);
  std::string waiting = say({"change", "start", "--goal", "b", "--allow", "README.md",
                             "--on-conflict", "queue", "--field", "intent_id"},
                            b)
                            .out;
  waiting.pop_back();
  repo.write("README.md", "hello you\n");
  const Ran finished = say({"change", "finish", "--files", "README.md"}, a);
  ASSERT_EQ(finished.code, 0) << finished.out << finished.err;
  const Ran promoted = say({"change", "promote", waiting, "--field", "status"}, b);
  EXPECT_EQ(promoted.out, "active\n") << promoted.err;
  // A byte more is another change, and the file is another's now.
  repo.write("README.md", "hello you two\n");
  const Ran more = commit({}, a);
  EXPECT_EQ(more.code, 1) << more.out << more.err;
  EXPECT_TRUE(contains(more.out + more.err, "GH-INTENT-00")) << more.out << more.err;
  repo.write("README.md", "hello you\n");
  repo.write("src/a.txt", "two\n");
  EXPECT_EQ(commit({}, a).code, 1) << "with a file that nobody accepted";
  repo.write("src/a.txt", "one\n");
  const Ran made = commit({}, a);
  EXPECT_EQ(made.code, 0) << made.out << made.err;
  EXPECT_TRUE(contains(git({"log", "-1", "--format=%B"}).out, "Gatehouse-Receipt: sha256:"));
  EXPECT_EQ(git({"show", "HEAD:README.md"}).out, "hello you\n");
  EXPECT_EQ(gatehouse({"receipt", "verify", "HEAD"}, repo.root()).code, 0);
}

TEST_F(GitHooks, AnAcceptedChangeIsCommittedAlsoAfterItsAuthorBeganTheNext) {
  install();
  const Words who{"CLAUDECODE=1", "GATEHOUSE_SESSION=A"};
  const auto say = [&](Words words) { return gatehouse(std::move(words), repo.root(), {}, who); };
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  ASSERT_EQ(say({"change", "start", "--goal", "a", "--allow", "README.md"}).code, 0);
  repo.write("README.md", "hello you\n");
  ASSERT_EQ(say({"change", "finish", "--files", "README.md"}).code, 0);
  const Ran next = say({"change", "start", "--analyze", "--goal", "b", "--allow", "src/a.txt"});
  ASSERT_EQ(next.code, 0) << next.out << next.err;
  const Ran made = commit({}, who);
  EXPECT_EQ(made.code, 0) << made.out << made.err;
  EXPECT_EQ(git({"show", "HEAD:README.md"}).out, "hello you\n");
}

TEST_F(GitHooks, ATrailerThatDoesNotFitIsRefused) {
  install();
  repo.write("README.md", "hello you\n");
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  const std::string forged = "a change\n\nGatehouse-Intent: intent-0000-000\n";
  const Ran bad = git({"commit", "-q", "-m", forged});
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(contains(bad.out + bad.err, "nobody has declared")) << bad.out << bad.err;
}

// --------------------------------------------------------------------------------------- pushes

TEST_F(GitHooks, AServerTakesWhatItsPolicyAllows) {
  const std::string at = server();
  repo.write("src/a.txt", "two\n");
  repo.commit("good");
  const Ran good = git({"push", at, "main"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), head());
  EXPECT_GE(events("hook.received", at), 1u);
  write_three();
  repo.commit("too much");
  const Ran bad = git({"push", at, "main"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(contains(bad.err, "remote: ")) << bad.err;
  EXPECT_TRUE(contains(bad.err, "max_files")) << bad.err;
  EXPECT_NE(ref_of(at, "refs/heads/main"), head());
  // The objects of the refused push were only ever in quarantine.
  EXPECT_NE(git({"cat-file", "-e", head().substr(0, 40)}, {}, at).code, 0);
}

TEST_F(GitHooks, AServerTakesNoBypass) {
  const std::string at = server();
  write_three();
  repo.commit("too much");
  const Ran bad = git({"push", "-o", "gatehouse.reason=please", at, "main"},
                      {"GATEHOUSE_BYPASS_REASON=please"});
  EXPECT_NE(bad.code, 0);
  ASSERT_EQ(git({"config", "receive.advertisePushOptions", "true"}, {}, at).code, 0);
  const Ran again = git({"push", "-o", "gatehouse.reason=please", at, "main"},
                        {"GATEHOUSE_BYPASS_REASON=please"});
  EXPECT_EQ(again.code, 1) << again.err;
  EXPECT_TRUE(contains(gatehouse({"audit", "export"}, at).out, "gatehouse.reason=please"));
}

/// Of a commit that keeps every rule: the word alone is enough.
TEST_F(GitHooks, AServerTakesNoCommitThatSaysItWentAroundTheGate) {
  const std::string at = server();
  install();
  repo.write("src/a.txt", "two\n");
  const Ran made = commit({}, {"GATEHOUSE_BYPASS_REASON=in a hurry"});
  ASSERT_EQ(made.code, 0) << made.out << made.err;
  ASSERT_TRUE(contains(git({"log", "-1", "--format=%B"}).out, "Gatehouse-Decision: bypassed"));
  const std::string before = ref_of(at, "refs/heads/main");
  const Ran refused = git({"push", at, "main"});
  EXPECT_EQ(refused.code, 1) << refused.err;
  EXPECT_TRUE(contains(refused.err, "GH-BYPASS-001")) << refused.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), before);
  // One at a time, the same.
  fs::rename(at + "/hooks/pre-receive", at + "/hooks/pre-receive.away");
  std::ofstream(at + "/hooks/update") << "#!/bin/sh\nexec gatehouse hook git update \"$@\"\n";
  fs::permissions(at + "/hooks/update", fs::perms::owner_all);
  EXPECT_EQ(git({"push", at, "main"}).code, 1);
  EXPECT_EQ(ref_of(at, "refs/heads/main"), before);
  fs::remove(at + "/hooks/update");
  fs::rename(at + "/hooks/pre-receive.away", at + "/hooks/pre-receive");
  // The two ways that it names.
  const std::size_t way = refused.err.find("gatehouse hook approve ");
  ASSERT_NE(way, std::string::npos) << refused.err;
  const std::string commit_id = refused.err.substr(way + 23, 40);
  EXPECT_EQ(commit_id + "\n", head());
  ASSERT_EQ(git({"commit", "-q", "--amend", "-m", "a change"}).code, 0);
  const Ran amended = git({"push", "-q", at, "main:refs/heads/side"});
  EXPECT_EQ(amended.code, 0) << amended.err;
  const Ran approved = gatehouse({"hook", "approve", commit_id, "--reason", "agreed"}, at);
  ASSERT_EQ(approved.code, 0) << approved.out << approved.err;
  const Ran taken = git({"push", "-q", at, commit_id + ":refs/heads/main"});
  EXPECT_EQ(taken.code, 0) << taken.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), commit_id + "\n");
}

/// What an attack found: forms that git reads, and that the server took for nothing. The last one
/// commits them as they are.
constexpr const char* kCleanups[] = {"--cleanup=strip", "--cleanup=verbatim"};

TEST_F(GitHooks, AServerReadsTrailersAsGitDoes) {
  const std::string at = server();
  const std::string before = ref_of(at, "refs/heads/main");
  struct Case {
    std::string lines;
    const char* refused_with;
  };
  const std::string digest = "sha256:" + std::string(64, 'a');
  const std::vector<Case> cases{
      {"Gatehouse-Decision: bypassed", "GH-BYPASS-001"},
      {"gatehouse-decision: bypassed", "GH-BYPASS-001"},
      {"GATEHOUSE-DECISION: BYPASSED", "GH-BYPASS-001"},
      {"Gatehouse-Decision : bypassed", "GH-BYPASS-001"},
      {"Gatehouse-Decision:\n bypassed", "GH-BYPASS-001"},
      {"Gatehouse-Decision: bypassed\r", "GH-BYPASS-001"},
      {"Gatehouse-Decision: accepted\n\n# comment", "names no receipt"},
      {"gatehouse-decision: accepted", "names no receipt"},
      {"gatehouse-receipt: " + digest, "cannot be verified"},
      {"Gatehouse-Receipt : " + digest, "cannot be verified"},
      {"Gatehouse-Receipt:\n  " + digest, "cannot be verified"},
      {"gatehouse-agent: claude s1", "was written by an agent"},
      {"Gatehouse-Agent : claude s1", "was written by an agent"},
      {"Gatehouse-Intent : i-1", "was written by an agent"},
      {"Gatehouse-Intent:\n i-1", "was written by an agent"},
      {"Co-Authored-By : Claude <noreply@anthropic.com>", "was written by an agent"},
      {"co-authored-by:\n Claude <noreply@anthropic.com>", "was written by an agent"},
  };
  for (const Case& one : cases)
    for (const char* cleanup : kCleanups) {
      repo.write("src/a.txt", one.lines + cleanup);
      ASSERT_EQ(git({"commit", "-q", "-a", cleanup, "-m", "a change", "-m", one.lines}).code, 0);
      const Ran ran = git({"push", at, "main"});
      EXPECT_EQ(ran.code, 1) << one.lines << cleanup;
      EXPECT_TRUE(contains(ran.err, one.refused_with)) << one.lines << cleanup << ran.err;
      EXPECT_EQ(ref_of(at, "refs/heads/main"), before) << one.lines << cleanup;
      ASSERT_EQ(git({"reset", "-q", "--hard", "HEAD~1"}).code, 0);
    }
}

/// git shows such a message in letters that do not stand in its bytes.
TEST_F(GitHooks, AServerTakesNoMessageThatItCannotRead) {
  const std::string at = server();
  const auto push_with = [&](const std::string& encoding) {
    std::string tree = git({"rev-parse", "HEAD^{tree}"}).out, parent = head();
    const std::string object = fmt::format(
        "tree {}parent {}author a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\nencoding {}\n\nx\n\n"
        "+AEc-atehouse-Decision: bypassed\n",
        tree, parent, encoding);
    repo.write("../object", object);
    std::string made = git({"hash-object", "-t", "commit", "-w", repo.folder() + "/object"}).out;
    made.pop_back();
    return git({"push", at, made + ":refs/heads/" + encoding});
  };
  for (const char* encoding : {"UTF-7", "utf-16", "IBM037", "ISO-2022-JP"}) {
    const Ran ran = push_with(encoding);
    EXPECT_EQ(ran.code, 1) << encoding;
    EXPECT_TRUE(contains(ran.err, "which nobody here reads")) << ran.err;
  }
  for (const char* encoding :
       {"UTF-8", "utf8", "US-ASCII", "ascii", "ISO-8859-1", "iso_8859-1", "iso8859-15", "latin1",
        "cp1252", "KOI8-R", "EUC-JP", "gb2312", "GBK", "gb18030", "Big5", "SJIS", "cp932",
        "Shift_JIS", "windows-1252"})
    EXPECT_EQ(push_with(encoding).code, 0) << encoding;
}

TEST_F(GitHooks, AllRefsOrNone) {
  const std::string at = server();
  make_good_and_bad();
  EXPECT_EQ(git({"push", at, "good", "bad"}).code, 1);
  EXPECT_EQ(ref_of(at, "refs/heads/good"), "");
  EXPECT_EQ(ref_of(at, "refs/heads/bad"), "");
  const Ran one = git({"push", at, "good"});
  EXPECT_EQ(one.code, 0) << one.err
                         << "a new branch is judged from where it left the default branch";
  EXPECT_NE(ref_of(at, "refs/heads/good"), "");
  const Ran gone = git({"push", at, ":good"});
  EXPECT_EQ(gone.code, 0) << gone.err;
  EXPECT_EQ(ref_of(at, "refs/heads/good"), "");
}

TEST_F(GitHooks, AForcedPushIsJudgedFromWhereTheHistoriesPart) {
  const std::string at = server();
  repo.write("src/a.txt", "two\n");
  repo.commit("first try");
  ASSERT_EQ(git({"push", "-q", at, "HEAD:topic"}).code, 0);
  EXPECT_EQ(git({"reset", "-q", "--hard", "HEAD~1"}).code, 0);
  write_three();
  repo.commit("second try");
  EXPECT_EQ(git({"push", "-q", "--force", at, "HEAD:topic"}).code, 1);
  EXPECT_EQ(git({"reset", "-q", "--hard", "HEAD~1"}).code, 0);
  repo.write("src/a.txt", "three\n");
  repo.commit("third try");
  EXPECT_EQ(git({"push", "-q", "--force", at, "HEAD:topic"}).code, 0);
}

TEST_F(GitHooks, AHistoryOfItsOwnAndATagOfNoCommitAreRefused) {
  const std::string at = server();
  EXPECT_EQ(git({"checkout", "-q", "--orphan", "alone"}).code, 0);
  repo.commit("alone");
  const Ran alone = git({"push", at, "alone"});
  EXPECT_EQ(alone.code, 1);
  EXPECT_TRUE(contains(alone.err, "shares no history")) << alone.err;
  ASSERT_EQ(git({"tag", "blob", "HEAD:README.md"}).code, 0);
  EXPECT_EQ(git({"push", at, "blob"}).code, 1);
  ASSERT_EQ(git({"checkout", "-q", "main"}).code, 0);
  ASSERT_EQ(git({"tag", "-a", "-m", "one", "v1"}).code, 0);
  const Ran tag = git({"push", at, "v1"});
  EXPECT_EQ(tag.code, 0) << tag.err;
}

TEST_F(GitHooks, TheFirstPushIntoAnEmptyRepositoryPasses) {
  const std::string at = repo.folder() + "/empty.git";
  ASSERT_EQ(git({"init", "-q", "--bare", "-b", "main", at}).code, 0);
  ASSERT_EQ(gatehouse({"hook", "install"}, at).code, 0);
  const Ran first = git({"push", at, "main"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(contains(first.err, "first history")) << first.err;
}

TEST_F(GitHooks, UpdateJudgesOneRefAtATime) {
  const std::string at = server();
  fs::remove(at + "/hooks/pre-receive");
  std::ofstream(at + "/hooks/update") << "#!/bin/sh\nexec gatehouse hook git update \"$@\"\n";
  fs::permissions(at + "/hooks/update", fs::perms::owner_all);
  make_good_and_bad();
  EXPECT_EQ(git({"push", at, "good", "bad"}).code, 1);
  EXPECT_NE(ref_of(at, "refs/heads/good"), "");
  EXPECT_EQ(ref_of(at, "refs/heads/bad"), "");
}

/// An administrator may make one branch another name of a second, in either direction, and of names
/// that are other names themselves.
TEST_F(GitHooks, APushToAnotherNameOfABranchIsJudgedAsThatBranch) {
  const std::string at = server();
  ASSERT_EQ(git({"branch", "-q", "start"}).code, 0);
  for (const char* text : {"two\n", "three\n"}) {
    repo.write("src/a.txt", text);
    repo.commit("good");
  }
  ASSERT_EQ(git({"push", "-q", at, "main"}).code, 0);
  const std::string tip = head();
  const auto alias = [&](const std::string& name, const std::string& target) {
    ASSERT_EQ(git({"symbolic-ref", "refs/" + name, "refs/" + target}, {}, at).code, 0);
  };
  alias("heads/trunk", "heads/main");
  alias("heads/stem", "heads/trunk");
  alias("notes/aside", "heads/main");  // by its name it holds no code
  const auto is_refused = [&](const std::string& what, std::string_view why) {
    SCOPED_TRACE(what);
    const Ran bad = git({"push", at, what});
    EXPECT_EQ(bad.code, 1) << bad.err;
    EXPECT_TRUE(contains(bad.err, why)) << bad.err;
    EXPECT_EQ(ref_of(at, "refs/heads/main"), tip);
  };
  const auto nothing_gets_by = [&] {
    for (const char* name : {"refs/heads/trunk", "refs/heads/stem", "refs/notes/aside"}) {
      is_refused("+start:" + std::string(name), "would lose commits");
      is_refused(":" + std::string(name), "cannot be deleted");
    }
  };
  nothing_gets_by();
  fs::rename(at + "/hooks/pre-receive", at + "/hooks/pre-receive.away");
  std::ofstream(at + "/hooks/update") << "#!/bin/sh\nexec gatehouse hook git update \"$@\"\n";
  fs::permissions(at + "/hooks/update", fs::perms::owner_all);
  nothing_gets_by();
  fs::remove(at + "/hooks/update");
  fs::rename(at + "/hooks/pre-receive.away", at + "/hooks/pre-receive");
  // What the branch would take is taken under its other name too.
  repo.write("src/a.txt", "four\n");
  repo.commit("good");
  const Ran good = git({"push", at, "main:stem"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_TRUE(contains(good.err, "refs/heads/stem is another name of refs/heads/main")) << good.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), head());
}

TEST_F(GitHooks, ABranchIsGuardedAlsoWhereTheGuardedNameIsOnlyAnotherNameOfIt) {
  const std::string at = server();
  ASSERT_EQ(git({"branch", "real", "main"}, {}, at).code, 0);
  ASSERT_EQ(git({"symbolic-ref", "HEAD", "refs/heads/real"}, {}, at).code, 0);
  ASSERT_EQ(git({"branch", "kept", "main"}, {}, at).code, 0);
  ASSERT_EQ(git({"symbolic-ref", "refs/heads/master", "refs/heads/kept"}, {}, at).code, 0);
  for (const char* name : {":kept", ":real", ":main"}) {
    const Ran bad = git({"push", at, name});
    EXPECT_EQ(bad.code, 1) << name;
    EXPECT_TRUE(contains(bad.err, "cannot be deleted")) << bad.err;
  }
}

TEST_F(GitHooks, ANameThatLeadsInACircleIsTakenNowhere) {
  const std::string at = server();
  std::ofstream(at + "/refs/heads/a") << "ref: refs/heads/b\n";
  std::ofstream(at + "/refs/heads/b") << "ref: refs/heads/a\n";
  EXPECT_NE(git({"push", at, "main:a"}).code, 0);
}

/// A branch that asks for less lets in what the other would have refused.
TEST_F(GitHooks, WhatALaxerBranchTookIsJudgedAgainByAStricterOne) {
  const std::string strict = std::string("patch:\n  max_files: 2\n") + kEnforcing;
  const std::string both = "proposals:\n  base_refs: [refs/heads/release]\n";
  repo.write("gatehouse.yaml", strict + both);
  repo.commit("two branches");
  ASSERT_EQ(git({"checkout", "-q", "-b", "release"}).code, 0);
  repo.write("gatehouse.yaml", strict + "  require_receipts: false\n" + both);
  repo.commit("less is asked for");
  const std::string at = server();  // main alone
  ASSERT_EQ(git({"fetch", "-q", repo.root(), "release:release"}, {}, at).code, 0);
  repo.write("src/a.txt", "two\n");
  repo.commit("by an agent\n\nGatehouse-Agent: claude/1\n");
  const Ran lax = git({"push", at, "release"});
  EXPECT_EQ(lax.code, 0) << lax.err;
  // Main keeps its own settings, so what is merged is one file.
  const auto merged = [&](const std::string& what) {
    EXPECT_EQ(git({"merge", "-q", "--no-ff", "--no-commit", what}).code, 0);
    EXPECT_EQ(git({"checkout", "-q", "HEAD", "gatehouse.yaml"}).code, 0);
    EXPECT_EQ(git({"commit", "-q", "-m", "merged"}).code, 0);
  };
  ASSERT_EQ(git({"checkout", "-q", "main"}).code, 0);
  merged("release");
  const std::string before = ref_of(at, "refs/heads/main");
  const Ran direct = git({"push", at, "main"});
  EXPECT_EQ(direct.code, 1) << direct.err;
  EXPECT_TRUE(contains(direct.err, "was written by an agent")) << direct.err;
  // Nor does a branch in between make it known.
  (void)git({"push", at, "main:between"});
  EXPECT_EQ(git({"push", at, "main"}).code, 1);
  EXPECT_EQ(ref_of(at, "refs/heads/main"), before);
}

TEST_F(GitHooks, AServerThatLooksAtOneRefAtATimeNamesThePushThatItTakes) {
  const std::string at = server();
  fs::remove(at + "/hooks/pre-receive");
  std::ofstream(at + "/hooks/update") << "#!/bin/sh\nexec gatehouse hook git update \"$@\"\n";
  fs::permissions(at + "/hooks/update", fs::perms::owner_all);
  ASSERT_EQ(git({"remote", "add", "origin", at}).code, 0);
  install();
  const Words who{"GATEHOUSE_SESSION=S"};
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  ASSERT_EQ(
      gatehouse({"change", "start", "--goal", "docs", "--allow", "README.md"}, repo.root(), {}, who)
          .code,
      0);
  repo.write("README.md", "hello you\n");
  ASSERT_EQ(gatehouse({"change", "finish", "--files", "README.md"}, repo.root(), {}, who).code, 0);
  ASSERT_EQ(commit({}, who).code, 0);
  const std::string before = ref_of(at, "refs/heads/main");
  const Ran alone = git({"push", "origin", "main"});
  EXPECT_EQ(alone.code, 1) << alone.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), before);
  const std::size_t begin = alone.err.find("git push origin refs/notes/gatehouse");
  ASSERT_NE(begin, std::string::npos) << alone.err;
  const std::string command = alone.err.substr(begin, alone.err.find(" (", begin) - begin);
  const Ran followed = run_program({"/bin/sh", "-c", command}, repo.root());
  EXPECT_EQ(followed.code, 0) << command << followed.out << followed.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), head());
}

TEST_F(GitHooks, APushIsJudgedBeforeItLeaves) {
  const std::string at = repo.folder() + "/plain.git";
  ASSERT_EQ(git({"init", "-q", "--bare", "-b", "main", at}).code, 0);
  ASSERT_EQ(git({"remote", "add", "origin", at}).code, 0);
  ASSERT_EQ(git({"push", "-q", "-u", "origin", "main"}).code, 0);
  install();
  write_three();
  ASSERT_EQ(commit({"--no-verify"}).code, 0);
  const Ran bad = git({"push", "origin", "main"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(contains(bad.out + bad.err, "max_files")) << bad.out << bad.err;
  EXPECT_NE(ref_of(at, "refs/heads/main"), head());
  EXPECT_EQ(git({"push", "-q", "origin", "main"}, {"GATEHOUSE_BYPASS_REASON=agreed with Ada"}).code,
            0);
}

TEST_F(GitHooks, CommitsOfAgentsNeedAReceiptUnlessThePolicySaysOtherwise) {
  const std::string at = server();
  repo.write("src/a.txt", "two\n");
  repo.commit("by a person");
  EXPECT_EQ(git({"push", "-q", at, "main"}).code, 0);
  repo.write("src/a.txt", "three\n");
  repo.commit("by an agent\n\nGatehouse-Agent: claude/1\n");
  const Ran bad = git({"push", at, "main"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(contains(bad.err, "was written by an agent")) << bad.err;
  EXPECT_NE(ref_of(at, "refs/heads/main"), head());
}

TEST_F(GitHooks, WhatAnAgentPushesNeedsReceiptsWhoeverSignedIt) {
  const std::string at = repo.folder() + "/plain.git";
  ASSERT_EQ(git({"init", "-q", "--bare", "-b", "main", at}).code, 0);
  ASSERT_EQ(git({"push", "-q", at, "main"}).code, 0);
  install();
  // By plumbing, so that no hook of a commit saw it.
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  std::string tree = git({"write-tree"}).out, parent = head();
  tree.pop_back();
  parent.pop_back();
  std::string made = git({"commit-tree", "-p", parent, "-m", "quiet", tree}).out;
  made.pop_back();
  const Ran agent = git({"push", at, made + ":refs/heads/main"}, {"CLAUDECODE=1"});
  EXPECT_EQ(agent.code, 1);
  EXPECT_TRUE(contains(agent.err, "CLAUDECODE pushes it")) << agent.err;
  const Ran person = git({"push", "-q", at, made + ":refs/heads/main"});
  EXPECT_EQ(person.code, 0) << person.err;
}

TEST_F(GitHooks, CommitsOfAgentsNeedNoReceiptWhereThePolicySaysSo) {
  repo.write("gatehouse.yaml", "hooks:\n  mode: enforce\n  require_receipts: false\n");
  repo.commit("no receipts");
  const std::string at = server();
  repo.write("src/a.txt", "two\n");
  repo.commit("by an agent\n\nGatehouse-Agent: claude/1\n");
  const Ran good = git({"push", "-q", at, "main"});
  EXPECT_EQ(good.code, 0) << good.err;
}

TEST_F(GitHooks, AServerRefusesACommitWhoseReceiptItCannotSee) {
  const std::string at = server();
  install();
  const Words who{"GATEHOUSE_SESSION=S"};
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  ASSERT_EQ(
      gatehouse({"change", "start", "--goal", "docs", "--allow", "README.md"}, repo.root(), {}, who)
          .code,
      0);
  repo.write("README.md", "hello you\n");
  ASSERT_EQ(gatehouse({"change", "finish", "--files", "README.md"}, repo.root(), {}, who).code, 0);
  ASSERT_EQ(commit({}, who).code, 0);
  const std::string before = ref_of(at, "refs/heads/main");
  const Ran alone = git({"push", at, "main"});
  EXPECT_EQ(alone.code, 1);
  EXPECT_TRUE(contains(alone.err, "GH-GATE-001")) << alone.err;
  EXPECT_TRUE(contains(alone.err, "git push origin main refs/notes/gatehouse")) << alone.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), before);
  const Ran both = git({"push", at, "main", "refs/notes/gatehouse"});
  EXPECT_EQ(both.code, 0) << both.err;
  // One that nobody ever gave, made around every hook of this side.
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  const std::string forged =
      "x\n\nGatehouse-Receipt: sha256:" + std::string(64, '1') + "\nGatehouse-Decision: accepted\n";
  ASSERT_EQ(git({"-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", forged}).code, 0);
  const Ran bad =
      git({"-c", "core.hooksPath=/dev/null", "push", at, "main", "refs/notes/gatehouse"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_TRUE(contains(bad.err, "cannot be verified")) << bad.err;
}

class GitHooksSha256 : public GitHooks {
 protected:
  GitHooksSha256() : GitHooks("sha256") {}
};

TEST_F(GitHooksSha256, LongIdsWorkEverywhere) {
  const std::string at = server("sha256");
  install();
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(commit().code, 0);
  const Ran good = git({"push", at, "main"});
  EXPECT_EQ(good.code, 0) << good.err;
  write_three();
  EXPECT_EQ(commit().code, 1);
  ASSERT_EQ(commit({"--no-verify"}).code, 0);
  EXPECT_EQ(git({"push", "--no-verify", at, "main"}).code, 1);
  EXPECT_EQ(head().size(), 65u);
}

TEST_F(GitHooks, QuarantineIsReadOnlyWhereGitPutIt) {
  const std::string at = server();
  const Ran forged =
      gatehouse({"hook", "git", "pre-receive"}, at, "", {"GIT_QUARANTINE_PATH=/tmp"});
  EXPECT_EQ(forged.code, 1);
  EXPECT_TRUE(contains(forged.out + forged.err, "outside of the repository")) << forged.out;
}

TEST_F(GitHooks, ExitCodesAreNoneBut0And1) {
  for (const char* hook :
       {"pre-commit", "commit-msg", "pre-push", "pre-receive", "update", "reference-transaction"}) {
    const Ran bad =
        gatehouse({"hook", "git", hook, "prepared", "x", "y"}, repo.folder(), "no line of git");
    EXPECT_EQ(bad.code, 1) << hook << bad.err;
  }
  for (const char* hook : {"prepare-commit-msg", "post-commit", "post-receive"}) {
    const Ran soft = gatehouse({"hook", "git", hook}, repo.folder(), "no line of git");
    EXPECT_EQ(soft.code, 0) << hook << soft.err;
  }
}

// --------------------------------------------------------------------------------- installation

TEST_F(GitHooks, AHookThatWasThereRunsFirstAndComesBack) {
  const std::string path = repo.at(".git/hooks/pre-commit");
  const std::string mine = "#!/bin/sh\necho mine >> ../order\n# no newline at the end";
  std::ofstream(path) << mine;
  fs::permissions(path, fs::perms::owner_all);
  install();
  install();
  EXPECT_EQ(bytes_of(path + ".local"), mine);
  repo.write("src/a.txt", "two\n");
  const Ran made = commit();
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(bytes_of(repo.folder() + "/order"), "mine\n");
  // When the first one refuses, ours is not asked.
  std::ofstream(path + ".local") << "#!/bin/sh\nexit 7\n";
  repo.write("src/a.txt", "three\n");
  EXPECT_EQ(commit().code, 1);
  std::ofstream(path + ".local") << mine;
  const Ran gone = gatehouse({"hook", "uninstall"}, repo.root());
  EXPECT_EQ(gone.code, 0) << gone.err;
  EXPECT_EQ(bytes_of(path), mine);
  EXPECT_FALSE(fs::exists(path + ".local"));
  EXPECT_FALSE(fs::exists(repo.at(".git/hooks/pre-push")));
  EXPECT_EQ(git({"config", "notes.rewriteRef"}).code, 1);
}

TEST_F(GitHooks, StatusTellsThemApart) {
  const std::string path = repo.at(".git/hooks/pre-push");
  std::ofstream(path) << "#!/bin/sh\n";
  const Ran before = gatehouse({"hook", "status"}, repo.root());
  EXPECT_TRUE(contains(before.out, "missing   pre-commit")) << before.out;
  EXPECT_TRUE(contains(before.out, "foreign   pre-push")) << before.out;
  install({"--dry-run"});
  EXPECT_FALSE(fs::exists(repo.at(".git/hooks/pre-commit")));
  install();
  const Ran after = gatehouse({"hook", "status"}, repo.root());
  EXPECT_TRUE(contains(after.out, "ours      pre-commit")) << after.out;
  EXPECT_TRUE(contains(after.out, "chained   pre-push")) << after.out;
  EXPECT_EQ(git({"config", "notes.rewriteRef"}).out, "refs/notes/gatehouse\n");
}

TEST_F(GitHooks, AHookThatNoLongerRunsOrWasChangedIsSeen) {
  install();
  const std::string hook = repo.at(".git/hooks/pre-commit");
  fs::permissions(hook, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::remove);
  const Ran disabled = gatehouse({"hook", "status"}, repo.root());
  EXPECT_TRUE(contains(disabled.out, "disabled  pre-commit")) << disabled.out;
  const Ran doctor = gatehouse({"doctor"}, repo.root());
  EXPECT_EQ(doctor.code, 1) << doctor.out;
  EXPECT_TRUE(contains(doctor.out, "it may not be executed")) << doctor.out;
  install();
  EXPECT_TRUE(contains(gatehouse({"hook", "status"}, repo.root()).out, "ours      pre-commit"));
  const std::string script = bytes_of(hook);
  repo.write(".git/hooks/pre-push", "#!/bin/sh\nexit 0\n" + script);
  fs::permissions(repo.at(".git/hooks/pre-push"), fs::perms::owner_exec, fs::perm_options::add);
  const Ran edited = gatehouse({"hook", "status"}, repo.root());
  EXPECT_TRUE(contains(edited.out, "edited    pre-push")) << edited.out;
  EXPECT_EQ(gatehouse({"doctor"}, repo.root()).code, 1);
}

TEST_F(GitHooks, TwoHooksInTheWayAreNotTouched) {
  const std::string path = repo.at(".git/hooks/pre-commit");
  std::ofstream(path) << "#!/bin/sh\n# one\n";
  std::ofstream(path + ".local") << "#!/bin/sh\n# two\n";
  const Ran refused = gatehouse({"hook", "install"}, repo.root());
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(contains(bytes_of(path), "# one"));
  EXPECT_TRUE(contains(bytes_of(path + ".local"), "# two"));
}

TEST_F(GitHooks, HooksPathIsRespected) {
  ASSERT_EQ(git({"config", "core.hooksPath", "ci/hooks"}).code, 0);
  install();
  EXPECT_TRUE(fs::exists(repo.at("ci/hooks/pre-commit")));
  EXPECT_FALSE(fs::exists(repo.at(".git/hooks/pre-commit")));
  EXPECT_EQ(gatehouse({"hook", "uninstall"}, repo.root()).code, 0);
  EXPECT_FALSE(fs::exists(repo.at("ci/hooks/pre-commit")));
  EXPECT_EQ(git({"config", "core.hooksPath"}).out, "ci/hooks\n");
  // A folder that other repositories share is not ours to write to.
  ASSERT_EQ(git({"config", "core.hooksPath", repo.folder() + "/everybodys"}).code, 0);
  const Ran elsewhere = gatehouse({"hook", "install"}, repo.root());
  EXPECT_NE(elsewhere.code, 0);
  EXPECT_FALSE(fs::exists(repo.folder() + "/everybodys"));
}

TEST_F(GitHooks, SharedHooksAreCommittedWithTheRest) {
  install({"--shared"});
  EXPECT_TRUE(fs::exists(repo.at(".githooks/pre-commit")));
  EXPECT_EQ(git({"config", "core.hooksPath"}).out, ".githooks\n");
  write_three();
  EXPECT_EQ(commit().code, 1);
  EXPECT_EQ(gatehouse({"hook", "uninstall"}, repo.root()).code, 0);
  EXPECT_EQ(git({"config", "core.hooksPath"}).code, 1);
}

TEST_F(GitHooks, ALinkedWorktreeHasThemToo) {
  install();
  const std::string linked = repo.folder() + "/linked";
  ASSERT_EQ(git({"worktree", "add", "-q", "-b", "side", linked}).code, 0);
  const Ran status = gatehouse({"hook", "status"}, linked);
  EXPECT_TRUE(contains(status.out, "ours      pre-commit")) << status.out;
  for (const char* name : {"/x1.txt", "/x2.txt", "/x3.txt"})
    std::ofstream(linked + name) << "new\n";
  ASSERT_EQ(git({"add", "-A"}, {}, linked).code, 0);
  EXPECT_EQ(git({"commit", "-q", "-m", "too much"}, {}, linked).code, 1);
  fs::remove(linked + "/x3.txt");
  ASSERT_EQ(git({"add", "-A"}, {}, linked).code, 0);
  const Ran good = git({"commit", "-q", "-m", "fine"}, {}, linked);
  EXPECT_EQ(good.code, 0) << good.out << good.err;
}

struct ManagerCase {
  std::string file, text, entry;
};
class HookManagers : public GitHooks, public ::testing::WithParamInterface<ManagerCase> {};

TEST_P(HookManagers, GetAnEntryAndLoseItAgain) {
  const auto& [file, text, entry] = GetParam();
  repo.write(file, text);
  install();
  const std::string with = bytes_of(repo.at(file));
  EXPECT_TRUE(contains(with, entry)) << with;
  EXPECT_FALSE(fs::exists(repo.at(".git/hooks/pre-commit")));
  install();
  EXPECT_EQ(bytes_of(repo.at(file)), with) << "a second time changes nothing";
  const Ran status = gatehouse({"hook", "status"}, repo.root());
  EXPECT_TRUE(contains(status.out, "idle      pre-commit")) << status.out;
  const bool is_husky = file.starts_with(".husky");
  const std::string wanted =
      is_husky                 ? "git does not call husky here yet: run 'npm install && npx husky'"
      : file == "lefthook.yml" ? "git does not call lefthook here yet: run 'lefthook install'"
                               : "git does not call pre-commit here yet: run 'pre-commit install "
                                 "-t pre-commit -t commit-msg -t pre-push'";
  EXPECT_TRUE(contains(status.out, wanted)) << status.out;
  const Ran doctor = gatehouse({"doctor"}, repo.root());
  EXPECT_TRUE(contains(doctor.out, "git does not call Gatehouse at pre-commit")) << doctor.out;
  if (is_husky) {
    ASSERT_EQ(git({"config", "core.hooksPath", ".husky"}).code, 0);  // as its older versions do
  } else {
    for (const char* hook :
         {"pre-commit", "commit-msg", "pre-push", "prepare-commit-msg", "post-commit"})
      if (!fs::exists(repo.at(std::string(".git/hooks/") + hook)))
        repo.write(std::string(".git/hooks/") + hook, "#!/bin/sh\n# of the manager\n");
  }
  const Ran called = gatehouse({"hook", "status"}, repo.root());
  EXPECT_TRUE(contains(called.out, "entry     pre-commit")) << called.out;
  EXPECT_FALSE(contains(called.out, "idle")) << called.out;
  ASSERT_EQ(gatehouse({"hook", "uninstall"}, repo.root()).code, 0);
  EXPECT_EQ(bytes_of(repo.at(file)), text);
}

INSTANTIATE_TEST_SUITE_P(
    All, HookManagers,
    ::testing::Values(
        ManagerCase{".husky/pre-commit", "npm test", "gatehouse hook git pre-commit \"$@\""},
        ManagerCase{"lefthook.yml",
                    "# ours\npre-commit:\n  parallel: true\n  commands:\n    lint: # x\n      run: "
                    "npm run lint\n",
                    "    gatehouse:\n      run: gatehouse hook git pre-commit {0}\n"},
        ManagerCase{"lefthook.yml", "skip_output: [meta]\n", "gatehouse hook git pre-push {0}"},
        ManagerCase{".pre-commit-config.yaml",
                    "repos:\n  # first\n  - repo: https://example.org/x\n    rev: v1\n    hooks:\n"
                    "      - id: x\nfail_fast: true\n",
                    "entry: gatehouse hook git pre-commit"},
        ManagerCase{".pre-commit-config.yaml", "repos:\r\n- repo: a\r\n  rev: b\r\n  hooks: []",
                    "entry: gatehouse hook git pre-push"}));

/// husky sets core.hooksPath when it is installed, and makes scripts that git does not keep.
TEST_F(GitHooks, AFreshCloneWithHuskyIsGuardedByNothingUntilHuskyIsInstalled) {
  repo.write(".husky/pre-commit", "true\n");
  ASSERT_EQ(gatehouse({"init", "--yes", "--host", "claude"}, repo.root()).code, 0);
  repo.commit("set up");
  const std::string clone = repo.folder() + "/clone";
  ASSERT_EQ(git({"clone", "-q", repo.root(), clone}).code, 0);
  for (const char* key : {"user.name", "user.email"})
    ASSERT_EQ(git({"config", key, "t@example.org"}, {}, clone).code, 0);
  const std::string step = "git does not call husky here yet: run 'npm install && npx husky'";
  const Ran status = gatehouse({"hook", "status"}, clone);
  EXPECT_TRUE(contains(status.out, "idle      pre-commit")) << status.out;
  const Ran doctor = gatehouse({"doctor"}, clone);
  EXPECT_TRUE(contains(doctor.out,
                       "nothing is guarded here: git does not call Gatehouse at "
                       "pre-commit"))
      << doctor.out;
  EXPECT_TRUE(contains(doctor.out, step)) << doctor.out;
  const Ran check = gatehouse({"init", "--check", "--host", "claude"}, clone);
  EXPECT_EQ(check.code, 1) << check.out << check.err;
  EXPECT_TRUE(contains(check.err, "not guarded: " + step)) << check.out << check.err;
  EXPECT_FALSE(contains(check.out, "all is in place")) << check.out;
  const auto too_much = [&](const std::string& name) {
    for (const char* number : {"1", "2", "3"})
      std::ofstream(clone + "/" + name + number) << "new\n";
    EXPECT_EQ(git({"add", "-A"}, {}, clone).code, 0);
    return git({"commit", "-q", "-m", "too much"}, {}, clone);
  };
  EXPECT_EQ(too_much("a").code, 0) << "that is what not guarded means";
  // What installing it does.
  fs::create_directories(clone + "/.husky/_");
  for (const char* hook :
       {"pre-commit", "commit-msg", "pre-push", "prepare-commit-msg", "post-commit"}) {
    const std::string file = clone + "/.husky/_/" + hook;
    std::ofstream(file) << "#!/bin/sh\nexec sh -e \"$(dirname \"$0\")/../" << hook << "\" \"$@\"\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  std::ofstream(clone + "/.husky/_/.gitignore") << "*\n";
  ASSERT_EQ(git({"config", "core.hooksPath", ".husky/_"}, {}, clone).code, 0);
  EXPECT_FALSE(contains(gatehouse({"doctor"}, clone).out, "nothing is guarded"));
  const Ran now = gatehouse({"init", "--check", "--host", "claude"}, clone);
  EXPECT_EQ(now.code, 0) << now.out << now.err;
  const Ran refused = too_much("b");
  EXPECT_EQ(refused.code, 1) << refused.out << refused.err;
  EXPECT_TRUE(contains(refused.out + refused.err, "max_files")) << refused.out << refused.err;
}

TEST_F(GitHooks, AManagerWhoseFileHasNoPlaceIsToldWhatToAdd) {
  repo.write(".pre-commit-config.yaml", "repos: []\n");
  const Ran refused = gatehouse({"hook", "install"}, repo.root());
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(contains(refused.out, "entry: gatehouse hook git pre-commit")) << refused.out;
  EXPECT_EQ(bytes_of(repo.at(".pre-commit-config.yaml")), "repos: []\n");
}

}  // namespace
}  // namespace gh::testing
