// Work that keeps every rule comes through, with git itself and on both sides of a push; and where
// something is refused, what is told to do next works word for word.
#include <gtest/gtest.h>

#include "tests/git_hooks_kit.h"

namespace gh::testing {
namespace {

const Words kAgent{"CLAUDECODE=1", "GATEHOUSE_SESSION=S"};

/// An agent and a person, each in a clone, and a server that both push to.
class HonestWork : public GitHooks {
 protected:
  HonestWork() {
    write(repo.root(), "src/b.txt", "b\n");
    repo.commit("more");
    at = server();
    git({"remote", "add", "origin", at});
    must(git({"fetch", "-q", "origin"}));
    must(git({"branch", "-q", "--set-upstream-to", "origin/main"}));
    must(git({"config", "notes.rewriteRef", "refs/notes/gatehouse"}));
    install();
    other = repo.folder() + "/other";
    must(git({"clone", "-q", at, other}, {}, repo.folder()));
    must(git({"config", "user.name", "Ada"}, {}, other));
    must(git({"config", "user.email", "ada@example.org"}, {}, other));
    must(tool({"analyze"}));
  }
  static void must(const Ran& ran) { ASSERT_EQ(ran.code, 0) << ran.out << ran.err; }
  static void write(const std::string& root, const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root + "/" + path).parent_path());
    std::ofstream(root + "/" + path) << text;
  }
  Ran tool(Words words) const { return gatehouse(std::move(words), repo.root(), {}, kAgent); }
  Ran agent(Words words) const { return git(std::move(words), kAgent); }
  Ran shell(const std::string& line) const {
    Words words{"/bin/bash", "-ec", line};
    return run_program(std::move(words), repo.root(), {}, kAgent);
  }
  /// A change of one file, accepted and committed.
  void change(const std::string& path, const std::string& text, bool is_committed = true) const {
    must(tool({"change", "start", "--analyze", "--goal", "x", "--allow", path}));
    repo.write(path, text);
    must(tool({"change", "finish", "--files", path, "--analyze"}));
    if (is_committed) must(agent({"commit", "-qam", "changed " + path}));
  }
  /// Ada's commits, which come through the same server.
  void ada(const std::string& path, const std::string& text) const {
    must(git({"pull", "-q", "--ff-only"}, {}, other));
    write(other, path, text);
    must(git({"add", "-A"}, {}, other));
    must(git({"commit", "-qm", "by Ada"}, {}, other));
    must(git({"push", "-q", "origin", "main"}, {}, other));
  }
  Ran push(Words refs) const {
    refs.insert(refs.begin(), {"push", "origin"});
    return agent(std::move(refs));
  }
  void expect_there(const std::string& ref, const Ran& pushed) const {
    EXPECT_EQ(pushed.code, 0) << pushed.err;
    EXPECT_EQ(ref_of(at, ref), ref_of(repo.root(), ref)) << pushed.err;
  }
  static std::string next_of(const Ran& ran) {
    const std::string all = ran.out + ran.err;
    std::size_t from = all.find("next: ");
    if (from == all.npos) return {};
    from += 6;
    std::string out = all.substr(from, all.find('\n', from) - from);
    const std::size_t end = out.find("        ");  // git pads what a server says
    return out.substr(0, end);
  }

  std::string at, other;
};

TEST_F(HonestWork, AnAgentMayTakeInOneCommitOfSomebodyElse) {
  ada("README.md", "hello Ada\n");
  const Ran pulled = agent({"pull", "-q", "--ff-only"});
  EXPECT_EQ(pulled.code, 0) << pulled.err;
  EXPECT_EQ(head(), ref_of(at, "refs/heads/main"));
}

TEST_F(HonestWork, AMergeIsJudgedByWhatIsAsOnNeitherSide) {
  ada("src/a.txt", "one by Ada\n");
  for (const char* path : {"n1.md", "n2.md", "n3.md"})
    ada(path, "new\n");
  change("src/a.txt", "one by an agent\n");
  EXPECT_NE(agent({"pull", "-q", "--no-rebase", "--no-edit", "origin", "main"}).code, 0);
  repo.write("src/a.txt", "one by both\n");
  must(agent({"add", "src/a.txt"}));
  // Undeclared it is refused, for the one file that the agent had a hand in.
  const Ran undeclared = agent({"commit", "-q", "--no-edit"});
  EXPECT_NE(undeclared.code, 0);
  EXPECT_FALSE(contains(undeclared.out + undeclared.err, "n1.md")) << undeclared.err;
  EXPECT_TRUE(contains(next_of(undeclared), "--allow src/a.txt")) << undeclared.err;
  must(tool({"change", "start", "--analyze", "--continue-own-wip", "--goal", "merge", "--allow",
             "src/a.txt"}));
  const Ran merged = agent({"commit", "-q", "--no-edit"});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_FALSE(fs::exists(repo.at(".git/MERGE_HEAD")));
}

TEST_F(HonestWork, WhatIsSlippedIntoAMergeIsStillJudged) {
  ada("src/a.txt", "one by Ada\n");
  change("src/b.txt", "b by an agent\n");
  must(agent({"fetch", "-q", "origin"}));
  must(agent({"merge", "-q", "--no-commit", "origin/main"}));
  repo.write("cert.pem", "x\n");
  must(agent({"add", "-A"}));
  const Ran refused = agent({"commit", "-q", "--no-edit"});
  EXPECT_NE(refused.code, 0);
  EXPECT_TRUE(contains(refused.out + refused.err, "cert.pem")) << refused.err;
}

TEST_F(HonestWork, ABranchThatTookInTheDefaultOneIsNotChargedWithIt) {
  for (const char* way : {"merge", "rebase"}) {
    SCOPED_TRACE(way);
    const std::string branch = std::string("feature-") + way;
    must(git({"checkout", "-q", "-b", branch}));
    repo.write("src/b.txt", "b on " + branch + "\n");
    must(commit());
    must(git({"push", "-q", "origin", branch}));
    for (const char* path : {"m1.md", "m2.md", "m3.md"})
      ada(std::string(way) + path, "new\n");
    must(git({"fetch", "-q", "origin"}));
    must(git({way, "-q", "origin/main"}, {"GIT_EDITOR=true"}));
    const Ran pushed = git({"push", "--force", "origin", branch});
    expect_there("refs/heads/" + branch, pushed);
    // What the branch has of its own is judged as ever.
    for (const char* path : {"o1.md", "o2.md", "o3.md"})
      repo.write(std::string(way) + path, "new\n");
    must(commit({"--no-verify"}));
    EXPECT_NE(git({"push", "origin", branch}).code, 0);
    must(git({"checkout", "-q", "main"}));
  }
}

TEST_F(HonestWork, AMergeThatGitMadeByItselfNeedsNoReceipt) {
  ada("README.md", "hello Ada\n");
  change("src/a.txt", "two\n");
  must(agent({"pull", "-q", "--no-rebase", "--no-edit", "origin", "main"}));
  expect_there("refs/heads/main", push({"main", "refs/notes/gatehouse"}));
}

TEST_F(HonestWork, NotesMayLieInOtherFoldersThanBefore) {
  change("src/a.txt", "two\n");
  expect_there("refs/heads/main", push({"main", "refs/notes/gatehouse"}));
  change("src/a.txt", "three\n");
  must(git({"commit", "-q", "--amend", "-m", "a better message"}));  // git lays all notes anew
  expect_there("refs/heads/main", push({"main", "refs/notes/gatehouse"}));
}

TEST_F(HonestWork, ANoteThatARebaseCopiedStandsBesideTheRightOne) {
  ada("src/a.txt", "one by Ada\n");
  change("src/a.txt", "one by an agent\n");
  EXPECT_NE(agent({"pull", "-q", "--rebase", "origin", "main"}).code, 0);
  must(tool({"change", "start", "--analyze", "--continue-own-wip", "--goal", "mend", "--allow",
             "src/a.txt"}));
  repo.write("src/a.txt", "one by both\n");
  must(agent({"add", "src/a.txt"}));
  must(tool({"change", "finish", "--files", "src/a.txt", "--analyze"}));
  must(shell("GIT_EDITOR=true git rebase --continue"));
  must(tool({"receipt", "attach"}));
  expect_there("refs/heads/main", push({"main", "refs/notes/gatehouse"}));
}

TEST_F(HonestWork, AChangeThatWasCommittedInTwoStepsHasOneReceipt) {
  must(tool({"change", "start", "--analyze", "--goal", "x", "--allow", "src/a.txt", "src/b.txt"}));
  repo.write("src/a.txt", "two\n");
  must(agent({"commit", "-qam", "first half"}));
  repo.write("src/b.txt", "bb\n");
  must(agent({"commit", "-qam", "second half"}));
  must(tool({"change", "finish", "--files", "src/a.txt", "src/b.txt", "--analyze"}));
  const Ran refused = push({"main"});
  EXPECT_NE(refused.code, 0);
  EXPECT_TRUE(contains(next_of(refused), "receipt attach")) << refused.err;
  const Ran followed = shell(next_of(refused));
  expect_there("refs/heads/main", followed);
}

TEST_F(HonestWork, AReceiptThatWasCarriedAlongCoversNothingBelowIt) {
  must(tool({"change", "start", "--analyze", "--goal", "x", "--allow", "src/a.txt"}));
  repo.write("src/a.txt", "two\n");
  must(tool({"change", "finish", "--files", "src/a.txt", "--analyze"}));
  repo.write("src/b.txt", "by nobody's leave\n");
  must(git({"commit", "-qm", "first", "--no-verify", "src/b.txt"}));
  must(agent({"commit", "-qam", "accepted"}));
  const Ran refused = push({"main", "refs/notes/gatehouse"});
  EXPECT_NE(refused.code, 0);
  EXPECT_TRUE(contains(refused.err, "has no receipt that holds")) << refused.err;
}

TEST_F(HonestWork, ACommitWithoutAReceiptGetsOneAsIsTold) {
  must(git({"checkout", "-q", "-b", "topic"}));
  repo.write("src/a.txt", "two\n");
  must(git({"commit", "-qam", "around every hook", "--no-verify"}));
  const Ran refused = push({"topic"});
  EXPECT_NE(refused.code, 0);
  ASSERT_TRUE(contains(next_of(refused), "git reset --soft")) << refused.err;
  expect_there("refs/heads/topic", shell(next_of(refused)));
}

TEST_F(HonestWork, AnAmendedSecondChangeGetsAReceiptAsIsTold) {
  must(git({"checkout", "-q", "-b", "topic"}));
  change("src/a.txt", "two\n");
  change("src/a.txt", "three\n", false);
  must(agent({"commit", "-q", "--amend", "--no-edit", "-a"}));
  const Ran refused = push({"topic", "refs/notes/gatehouse"});
  EXPECT_NE(refused.code, 0);
  ASSERT_TRUE(contains(next_of(refused), "git reset --soft")) << refused.err;
  expect_there("refs/heads/topic", shell(next_of(refused)));
}

TEST_F(HonestWork, AFileWhoseNameBeginsWithADashIsNoOptionInWhatIsTold) {
  repo.write("-x.md", "3\n");
  must(agent({"add", "-A"}));
  const Ran refused = agent({"commit", "-qm", "new"});
  EXPECT_NE(refused.code, 0);
  must(shell(next_of(refused)));
  const std::string status = tool({"status"}).out;
  const std::size_t from = status.find("next: ") + 6;
  const Ran finished = shell(status.substr(from, status.find(" (edit", from) - from));
  EXPECT_EQ(finished.code, 0) << status << finished.out << finished.err;
  must(agent({"commit", "-qm", "new"}));
}

TEST_F(HonestWork, ADecisionWithoutItsReceiptIsRefusedAtTheCommitAlready) {
  repo.write("src/a.txt", "two\n");
  const Ran refused = commit({"-m", "Gatehouse-Decision: accepted"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(contains(refused.err, "Gatehouse-Decision")) << refused.err;
}

}  // namespace
}  // namespace gh::testing
