// What the hooks of git take for known or for let in, made by the agent itself: refs that nobody
// judges, remotes that lead back, receipts that nobody gave, a receipt used twice. Each is tried
// with git itself, and what is asserted is where the branch stands afterwards.
#include <gtest/gtest.h>

#include "tests/git_hooks_kit.h"

namespace gh::testing {
namespace {

const Words kAgent{"CLAUDECODE=1", "GATEHOUSE_SESSION=S"};

class GitTrust : public GitHooks {
 protected:
  GitTrust() {
    install();
    at = bare("server");
    EXPECT_EQ(git({"remote", "add", "origin", at}).code, 0);
    EXPECT_EQ(git({"fetch", "-q", "origin"}).code, 0);
    EXPECT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  }
  /// A repository without hooks that has main.
  std::string bare(const std::string& name) const {
    const std::string path = repo.folder() + "/" + name + ".git";
    EXPECT_EQ(git({"init", "-q", "--bare", "-b", "main", path}).code, 0);
    EXPECT_EQ(git({"push", "-q", "--no-verify", path, "main"}).code, 0);
    return path;
  }
  void declare(const std::string& file) const {
    const Ran ran =
        gatehouse({"change", "start", "--goal", "x", "--allow", file}, repo.root(), {}, kAgent);
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  void finish(const std::string& file) const {
    const Ran ran = gatehouse({"change", "finish", "--files", file}, repo.root(), {}, kAgent);
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  /// A commit of the agent within its scope, that no finish has accepted.
  void commit_unfinished() const {
    declare("README.md");
    repo.write("README.md", "hello you\n");
    const Ran ran = commit({}, kAgent);
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  Ran push(Words words) const {
    words.insert(words.begin(), "push");
    return git(std::move(words), kAgent);
  }
  std::string main_of(const std::string& place) const { return ref_of(place, "refs/heads/main"); }

  std::string at;
};

// ------------------------------------------------------------------------------- what is known

TEST_F(GitHooks, ACommitThatLiesOnARefThatNobodyJudgesIsNotKnownToAServer) {
  for (const char* parked : {"refs/notes/x", "refs/notes/deep/x", "refs/gatehouse/x"}) {
    SCOPED_TRACE(parked);
    const std::string server_at = server();
    const std::string tip = ref_of(server_at, "refs/heads/main");
    repo.write("src/a.txt", parked);
    repo.commit("by an agent\n\nGatehouse-Agent: claude/1\n");
    ASSERT_EQ(git({"push", server_at, "main"}).code, 1);
    (void)git({"push", server_at, std::string("HEAD:") + parked});
    const Ran again = git({"push", server_at, "main"});
    EXPECT_EQ(again.code, 1) << again.err;
    EXPECT_TRUE(contains(again.err, "has no receipt that holds")) << again.err;
    EXPECT_EQ(ref_of(server_at, "refs/heads/main"), tip);
    ASSERT_EQ(git({"reset", "-q", "--hard", "HEAD~1"}).code, 0);
    fs::remove_all(server_at);
  }
}

TEST_F(GitHooks, WhatAJudgedBranchBroughtIsStillKnownToAServer) {
  const std::string server_at = server();
  ASSERT_EQ(git({"checkout", "-q", "-b", "topic"}).code, 0);
  repo.write("src/a.txt", "two\n");
  repo.commit("two");
  ASSERT_EQ(git({"push", "-q", server_at, "topic"}).code, 0);
  const Ran merged = git({"push", server_at, "topic:main"});
  EXPECT_EQ(merged.code, 0) << merged.err;
}

TEST_F(GitTrust, ARemoteOfThisMachineMakesNothingKnownToAnother) {
  commit_unfinished();
  const std::string tip = main_of(at);
  ASSERT_EQ(push({"origin", "main"}).code, 1);
  const std::string copy = bare("copy");
  for (const std::string& url : {std::string("."), copy, "file://" + copy}) {
    SCOPED_TRACE(url);
    ASSERT_EQ(git({"remote", "add", "me", url}).code, 0);
    ASSERT_EQ(git({"fetch", "-q", "me"}).code, 0);
    // A name below that of the remote that is believed.
    ASSERT_EQ(git({"config", "remote.origin/x.url", url}).code, 0);
    ASSERT_EQ(git({"fetch", "-q", url, "main:refs/remotes/origin/x/main"}).code, 0);
    EXPECT_EQ(push({"origin", "main"}).code, 1);
    // Pushed elsewhere than fetched from.
    ASSERT_EQ(git({"remote", "set-url", "--push", "me", at}).code, 0);
    EXPECT_EQ(push({"me", "main"}).code, 1);
    EXPECT_EQ(push({"me", "main:refs/heads/new"}).code, 1);
    EXPECT_EQ(push({at, "main:refs/heads/new"}).code, 1) << "by its address";
    EXPECT_EQ(main_of(at), tip);
    ASSERT_EQ(git({"remote", "remove", "me"}).code, 0);
  }
}

TEST_F(GitTrust, WhatTheRemoteHoldsThatIsPushedToIsKnown) {
  // Somebody else's commit, which this clone has fetched and merged, is not asked about.
  ASSERT_EQ(git({"checkout", "-q", "-b", "theirs"}).code, 0);
  repo.write("src/a.txt", "theirs\n");
  repo.commit("theirs");
  ASSERT_EQ(git({"push", "-q", "--no-verify", at, "theirs"}).code, 0);
  ASSERT_EQ(git({"checkout", "-q", "main"}).code, 0);
  ASSERT_EQ(git({"branch", "-D", "theirs"}).code, 0);
  ASSERT_EQ(git({"fetch", "-q", "origin"}).code, 0);
  ASSERT_EQ(git({"merge", "-q", "--ff-only", "origin/theirs"}, kAgent).code, 0);
  const Ran pushed = push({"origin", "main"});
  EXPECT_EQ(pushed.code, 0) << pushed.err;
}

TEST_F(GitTrust, TheGuardOfABranchBelievesNoRemoteThatLeadsBack) {
  ASSERT_EQ(git({"checkout", "-q", "-b", "feat"}).code, 0);
  for (const char* text : {"one", "two"}) {
    repo.write("src/a.txt", text);
    ASSERT_EQ(git({"add", "-A"}).code, 0);
    ASSERT_EQ(git({"commit", "-q", "--no-verify", "-m", text}).code, 0);
  }
  ASSERT_EQ(git({"checkout", "-q", "main"}).code, 0);
  const std::string before = main_of(repo.root());
  ASSERT_EQ(git({"remote", "add", "me", "."}).code, 0);
  ASSERT_EQ(git({"fetch", "-q", "me"}).code, 0);
  ASSERT_EQ(git({"branch", "-q", "--set-upstream-to", "me/feat"}).code, 0);
  EXPECT_NE(git({"merge", "-q", "--ff-only", "feat"}, kAgent).code, 0);
  EXPECT_EQ(main_of(repo.root()), before);
  // What came from the upstream is let in.
  ASSERT_EQ(git({"push", "-q", "--no-verify", "origin", "feat"}).code, 0);
  ASSERT_EQ(git({"fetch", "-q", "origin"}).code, 0);
  const Ran merged = git({"merge", "-q", "--ff-only", "feat"}, kAgent);
  EXPECT_EQ(merged.code, 0) << merged.err;
}

// ------------------------------------------------------------------------------------ receipts

TEST_F(GitTrust, AReceiptThatNobodyHereGaveIsNotBelievedWhereItsCommitWasMade) {
  declare("README.md");
  repo.write("README.md", "hello you\n");
  finish("README.md");
  ASSERT_EQ(commit({}, kAgent).code, 0);
  const std::string receipt = git({"log", "-1", "--format=%(trailers:key=Gatehouse-Receipt)"}).out;
  ASSERT_TRUE(contains(receipt, "sha256:")) << receipt;
  const Ran good = push({"--dry-run", "origin", "main"});
  ASSERT_EQ(good.code, 0) << good.err;
  // The note alone, as it could have been written by hand: no ledger, and no trailer to hold it to.
  ASSERT_TRUE(contains(git({"notes", "--ref", "gatehouse", "show"}).out, "gatehouse.receipt/1"));
  ASSERT_EQ(git({"reset", "-q", "--hard", "HEAD~1"}).code, 0);
  const std::string clone = repo.folder() + "/clone";
  ASSERT_EQ(git({"clone", "-q", "--no-local", at, clone}).code, 0);
  ASSERT_EQ(
      git({"fetch", "-q", repo.root(), "refs/notes/gatehouse:refs/notes/gatehouse"}, {}, clone)
          .code,
      0);
  ASSERT_EQ(git({"push", "-q", clone, "HEAD@{1}:refs/heads/made"}).code, 0);
  ASSERT_EQ(git({"merge", "-q", "--ff-only", "made"}, {}, clone).code, 0);
  ASSERT_EQ(gatehouse({"hook", "install"}, clone).code, 0);
  const Ran pushed = git({"push", "origin", "main"}, kAgent, clone);
  EXPECT_EQ(pushed.code, 1) << pushed.err;
  EXPECT_TRUE(contains(pushed.err, "is not kept by the ledger here")) << pushed.err;
}

TEST_F(GitTrust, AReceiptLetsItsChangeInOnce) {
  declare("README.md");
  repo.write("README.md", "hello you\n");
  finish("README.md");
  ASSERT_EQ(commit({}, kAgent).code, 0);
  const std::string accepted = head().substr(0, 40);
  ASSERT_EQ(push({"origin", "main"}).code, 0);
  ASSERT_EQ(git({"revert", "--no-edit", "HEAD"}).code, 0);
  ASSERT_EQ(git({"push", "-q", "origin", "main"}).code, 0);
  const std::string before = main_of(repo.root()), pushed = main_of(at);
  EXPECT_NE(git({"cherry-pick", accepted}, kAgent).code, 0);
  EXPECT_EQ(main_of(repo.root()), before);
  (void)git({"cherry-pick", "--abort"});
  ASSERT_EQ(git({"reset", "-q", "--hard", "main"}).code, 0);
  // On a branch that nothing guards it can be made, and is not pushed.
  ASSERT_EQ(git({"checkout", "-q", "-b", "again"}).code, 0);
  ASSERT_EQ(git({"cherry-pick", accepted}, kAgent).code, 0);
  const Ran refused = push({"origin", "again:main"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(contains(refused.err, "was taken back since")) << refused.err;
  EXPECT_EQ(main_of(at), pushed);
}

TEST_F(GitTrust, ARebasedChangeKeepsItsReceipt) {
  declare("README.md");
  repo.write("README.md", "hello you\n");
  finish("README.md");
  ASSERT_EQ(commit({}, kAgent).code, 0);
  // Meanwhile somebody else was faster.
  const std::string other = repo.folder() + "/other";
  ASSERT_EQ(git({"clone", "-q", "--no-local", at, other}).code, 0);
  ASSERT_EQ(shell("echo two > src/a.txt && git -c user.name=O -c user.email=o@example.org commit "
                  "-qam theirs && git push -q origin main",
                  other)
                .code,
            0);
  ASSERT_EQ(git({"fetch", "-q", "origin"}).code, 0);
  const Ran rebased = git({"rebase", "-q", "origin/main"}, kAgent);
  ASSERT_EQ(rebased.code, 0) << rebased.out << rebased.err;
  const Ran pushed = push({"origin", "main"});
  EXPECT_EQ(pushed.code, 0) << pushed.err;
  EXPECT_EQ(main_of(at), head());
}

TEST_F(GitHooks, AMessageThatClaimsADecisionWithoutAReceiptIsNotCommitted) {
  install();
  const std::string before = head();
  repo.write("src/a.txt", "two\n");
  for (const char* claim : {"accepted", "accepted_with_external_changes", "promoted"}) {
    const Ran ran = commit({"-m", std::string("Gatehouse-Decision: ") + claim});
    EXPECT_EQ(ran.code, 1) << claim;
    EXPECT_TRUE(contains(ran.out + ran.err, "names no receipt")) << ran.out << ran.err;
  }
  EXPECT_EQ(head(), before);
  EXPECT_EQ(commit().code, 0);
}

// ------------------------------------------------------------------------- the program of a hook

TEST_F(GitHooks, AHookRunsTheProgramThatInstalledItWhateverIsFirstInPath) {
  install();
  repo.write("../fake/gatehouse", "#!/bin/sh\nexit 0\n");
  for (const char* tool : {"cat", "dirname"})
    repo.write(std::string("../fake/") + tool, "#!/bin/sh\nexit 0\n");
  const std::string fake = repo.folder() + "/fake";
  ASSERT_EQ(shell("chmod +x " + fake + "/*", repo.root()).code, 0);
  write_three();
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  const std::string before = head();
  const auto commit_with = [&](const std::string& path) {
    return run_program({"/usr/bin/env", "PATH=" + path, "/usr/bin/git", "commit", "-q", "-m", "x"},
                       repo.root())
        .code;
  };
  EXPECT_EQ(commit_with(fake + ":/usr/bin:/bin"), 1);
  EXPECT_EQ(head(), before);
  // The program was moved: the one in PATH answers, and where there is none git stops.
  const std::string hook = ".git/hooks/pre-commit";
  ASSERT_EQ(
      shell("sed -i \"s#^gatehouse='.*#gatehouse='/nowhere/gatehouse'#\" " + hook, repo.root())
          .code,
      0);
  ASSERT_TRUE(contains(bytes_of(repo.at(hook)), "/nowhere/gatehouse"));
  EXPECT_EQ(commit().code, 1) << "judged by the program in PATH";
  EXPECT_NE(commit_with("/usr/bin:/bin"), 0) << "nobody judges";
  EXPECT_EQ(head(), before);
}

TEST_F(GitHooks, AFileThatIsSharedNamesNoPathOfThisMachine) {
  install({"--shared"});
  const std::string script = bytes_of(repo.at(".githooks/pre-commit"));
  EXPECT_TRUE(contains(script, "exec gatehouse hook git pre-commit")) << script;
  EXPECT_FALSE(contains(script, gatehouse_path())) << script;
}

// ------------------------------------------------------------------------------ the patch gate

class PatchOfAgent : public GitTrust {
 protected:
  PatchOfAgent() {
    repo.write("src/a.txt", "two\n");
    patch = git({"diff"}).out;
    EXPECT_EQ(git({"checkout", "-q", "--", "."}).code, 0);
  }
  Ran apply(Words more, const Words& who) const {
    Words words{"patch", "apply", "-"};
    words.insert(words.end(), more.begin(), more.end());
    return gatehouse(words, repo.root(), patch, who);
  }
  std::string patch;
};

TEST_F(PatchOfAgent, LandsOnlyWhatItDeclared) {
  for (const Words& landing : {Words{}, Words{"--land", "commit", "--ref", "agent/x"}})
    for (const Words& who : {Words{"CLAUDECODE=1"}, Words{"GATEHOUSE_SESSION=S"}, kAgent}) {
      const Ran refused = apply(landing, who);
      EXPECT_EQ(refused.code, 1) << refused.out << refused.err;
      EXPECT_TRUE(contains(refused.out, "gatehouse change start")) << refused.out;
      EXPECT_EQ(ref_of(repo.root(), "refs/heads/agent/x"), "");
      EXPECT_EQ(git({"status", "--porcelain"}).out, "");
    }
  declare("README.md");
  EXPECT_EQ(apply({}, kAgent).code, 1) << "another file";
  const Ran extended =
      gatehouse({"change", "extend", "--add", "src/a.txt"}, repo.root(), {}, kAgent);
  ASSERT_EQ(extended.code, 0) << extended.out << extended.err;
  const Ran landed = apply({"--land", "commit", "--ref", "agent/x"}, kAgent);
  EXPECT_EQ(landed.code, 0) << landed.out << landed.err;
  EXPECT_NE(ref_of(repo.root(), "refs/heads/agent/x"), "");
}

TEST_F(PatchOfAgent, MovesNoGuardedBranchByAnyName) {
  declare("src/a.txt");
  ASSERT_EQ(git({"symbolic-ref", "refs/heads/alias", "refs/heads/main"}).code, 0);
  const std::string before = main_of(repo.root());
  for (const char* ref : {"main", "refs/heads/main", "alias", ""}) {
    Words words{"--land", "commit"};
    if (*ref != '\0') words.insert(words.end(), {"--ref", ref});
    const Ran refused = apply(words, kAgent);
    EXPECT_NE(refused.code, 0) << ref;
    EXPECT_TRUE(contains(refused.err, "guarded")) << refused.err;
    EXPECT_EQ(main_of(repo.root()), before);
  }
  ASSERT_EQ(git({"symbolic-ref", "-d", "refs/heads/alias"}).code, 0);
  // Nobody makes a branch that hides HEAD.
  EXPECT_EQ(apply({"--land", "commit", "--ref", "HEAD"}, {}).code, 2);
  EXPECT_EQ(ref_of(repo.root(), "refs/heads/HEAD"), "");
}

TEST_F(PatchOfAgent, APersonNeedsNoIntent) {
  const Ran landed = apply({"--land", "commit", "--ref", "main"}, {});
  EXPECT_EQ(landed.code, 0) << landed.out << landed.err;
}

}  // namespace
}  // namespace gh::testing
