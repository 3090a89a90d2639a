// Ways around the hooks of git that were really taken: each is tried with git itself, and what is
// asserted is where the branch stands afterwards.
#include <gtest/gtest.h>

#include "tests/git_hooks_kit.h"
#include "tests/mcp_kit.h"

namespace gh::testing {
namespace {

constexpr const char* kGuarded =
    "patch:\n  max_files: 2\nhooks:\n  mode: enforce\n  local_ref_guard: on\n";

// ----------------------------------------------------------------------------- a server's policy

/// A server whose main branch got its policy in its second commit.
class GuardedServer : public GitHooks {
 protected:
  GuardedServer() {
    repo.git({"rm", "-q", "--cached", "gatehouse.yaml"});
    fs::remove(repo.at("gatehouse.yaml"));
    repo.git({"commit", "-q", "--amend", "-m", "before the policy"});
    old = repo.git({"rev-parse", "HEAD"});
    repo.write("gatehouse.yaml", std::string("patch:\n  max_files: 2\n") + kEnforcing);
    repo.commit("the policy");
    at = server();
    tip = ref_of(at, "refs/heads/main");
  }
  /// A push that must be refused for this reason, and leave main where it was.
  void expect_refused(Words words, const std::string& why) const {
    words.insert(words.begin(), "push");
    const Ran ran = git(std::move(words));
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_TRUE(contains(ran.err, why)) << ran.err;
    EXPECT_EQ(ref_of(at, "refs/heads/main"), tip);
  }

  std::string old, at, tip;
};

TEST_F(GuardedServer, ThePolicyCannotBePushedAway) {
  expect_refused({"--force", at, old + ":main"}, "no fast-forward");
  expect_refused({at, ":main"}, "cannot be deleted");
  // Another branch may be made anywhere in the history; the policy is that of main all the same.
  ASSERT_EQ(git({"push", "-q", at, old + ":refs/heads/topic"}).code, 0);
  repo.git({"checkout", "-q", "-b", "topic", old});
  write_three();
  repo.commit("too much, on a history without a policy");
  expect_refused({at, "topic"}, "max_files");
  EXPECT_EQ(ref_of(at, "refs/heads/topic"), old + "\n");
  // A forced push of that branch is judged by it, too.
  expect_refused({"--force", at, "topic"}, "max_files");
}

TEST_F(GuardedServer, ANewDefaultBranchBringsNoOtherPolicy) {
  ASSERT_EQ(git({"symbolic-ref", "HEAD", "refs/heads/master"}, {}, at).code, 0);
  expect_refused({at, old + ":refs/heads/master"}, "must have the gatehouse.yaml");
  EXPECT_EQ(ref_of(at, "refs/heads/master"), "");
}

TEST_F(GuardedServer, ThePolicyChangesWhenAnAdministratorNamesTheCommit) {
  repo.write("gatehouse.yaml", "patch:\n  max_files: 3\nhooks:\n  mode: enforce\n");
  const std::string wider = repo.commit("a wider policy");
  expect_refused({at, "main"}, "hook approve " + wider);
  // Not an agent, not without a reason.
  EXPECT_NE(gatehouse({"hook", "approve", wider, "--reason", "x"}, at, {}, {"CLAUDECODE=1"}).code,
            0);
  EXPECT_NE(gatehouse({"hook", "approve", wider}, at).code, 0);
  expect_refused({at, "main"}, "control_file");
  const Ran said = gatehouse({"hook", "approve", wider, "--reason", "agreed"}, at);
  ASSERT_EQ(said.code, 0) << said.err;
  const Ran pushed = git({"push", at, "main"});
  EXPECT_EQ(pushed.code, 0) << pushed.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), wider + "\n");
  EXPECT_TRUE(contains(gatehouse({"audit", "export"}, at).out, "agreed"));
  // It was for that commit alone, and the new policy counts from the next push on.
  write_three();
  repo.commit("three files");
  EXPECT_EQ(git({"push", "-q", at, "main"}).code, 0);
  repo.write("gatehouse.yaml", "hooks:\n  mode: 'off'\n");
  repo.commit("no policy any more");
  EXPECT_EQ(git({"push", "-q", at, "main"}).code, 1);
}

TEST_F(GuardedServer, AnApprovedCommitMayStillBringNoSecret) {
  repo.write("gatehouse.yaml", "patch:\n  max_files: 3\nhooks:\n  mode: enforce\n");
  repo.write(".env", "TOKEN=x\n");
  const std::string both = repo.commit("policy and more");
  ASSERT_EQ(gatehouse({"hook", "approve", both, "--reason", "agreed"}, at).code, 0);
  expect_refused({at, "main"}, "secret_file");
}

TEST_F(GuardedServer, WhatOneCommitBringsAndTheNextTakesAwayIsRefused) {
  repo.write(".env", "TOKEN=x\n");
  repo.commit("oops");
  fs::remove(repo.at(".env"));
  repo.write("src/a.txt", "two\n");
  repo.commit("never mind");
  expect_refused({at, "main"}, "secret_file");
  repo.git({"reset", "-q", "--hard", "HEAD~2"});
  // The same on a side that is merged.
  repo.git({"checkout", "-q", "-b", "side"});
  repo.write("cert.pem", "x\n");
  repo.commit("a key");
  repo.git({"rm", "-q", "cert.pem"});
  repo.commit("without it");
  repo.git({"checkout", "-q", "main"});
  repo.write("src/a.txt", "three\n");
  repo.commit("meanwhile");
  repo.git({"merge", "-q", "--no-edit", "side"});
  expect_refused({at, "main"}, "cert.pem");
}

TEST_F(GuardedServer, AMergeOfWhatIsThereAlreadyIsNoChangeOfThePolicy) {
  repo.git({"checkout", "-q", "-b", "side", old});
  repo.write("src/a.txt", "two\n");
  repo.commit("on the old history");
  repo.git({"merge", "-q", "--no-edit", "main"});
  const Ran pushed = git({"push", at, "side:main"});
  EXPECT_EQ(pushed.code, 0) << pushed.err;
  // What somebody slips into a merge is looked at.
  tip = ref_of(at, "refs/heads/main");
  repo.git({"checkout", "-q", "-b", "third", old});
  repo.write("README.md", "hi\n");
  repo.commit("readme");
  repo.git({"merge", "-q", "--no-edit", "--no-commit", "side"});
  repo.write("gatehouse.yaml", "hooks:\n  mode: 'off'\n");
  repo.commit("merged");
  repo.write("gatehouse.yaml", std::string("patch:\n  max_files: 2\n") + kEnforcing);
  repo.commit("and back");
  expect_refused({at, "third:main"}, "control_file");
}

TEST_F(GuardedServer, ReplacedObjectsAreNotTaken) {
  repo.write("src/a.txt", "two\n");
  const std::string other = repo.commit("other");
  repo.git({"replace", old, other});
  expect_refused({at, "refs/replace/*:refs/replace/*"}, "other objects");
}

TEST_F(GuardedServer, EvidenceIsNotTakenBack) {
  repo.git({"notes", "--ref", "gatehouse", "add", "-m", "no receipt", "HEAD"});
  expect_refused({at, "refs/notes/gatehouse"}, "holds no receipt");
  // Notes of others are theirs.
  repo.git({"notes", "add", "-m", "a remark", "HEAD"});
  EXPECT_EQ(git({"push", "-q", at, "refs/notes/commits"}).code, 0);
  ASSERT_EQ(git({"update-ref", "refs/gatehouse/audit", tip.substr(0, 40)}, {}, at).code, 0);
  expect_refused({at, ":refs/gatehouse/audit"}, "cannot be deleted");
  expect_refused({"--force", at, old + ":refs/gatehouse/audit"}, "evidence would be lost");
  repo.write("ab/cd.json", "{\"schema\":\"gatehouse.receipt/1\"}\n");
  repo.commit("a receipt of my own");
  expect_refused({at, "HEAD:refs/gatehouse/receipts"}, "is no receipt");
}

// ---------------------------------------------------------------------------- the guard of a
// branch

/// A repository whose main branch is guarded, and a branch that met no gate.
class GuardedBranch : public GitHooks {
 protected:
  GuardedBranch() {
    repo.write("gatehouse.yaml", kGuarded);
    repo.commit("guarded");
    repo.git({"checkout", "-q", "-b", "evil"});
    repo.write("src/a.txt", "evil\n");
    evil = repo.commit("met no gate");
    repo.git({"checkout", "-q", "-b", "else", "main"});
    install();
    main = ref_of(repo.root(), "refs/heads/main");
  }
  std::string main_now() const { return ref_of(repo.root(), "refs/heads/main"); }

  std::string evil, main;
};

struct Way {
  const char* name;
  std::vector<Words> steps;
};
// Ways that git tells the hook of: main stays where it is.
const std::vector<Way> kSeen{
    {"branch -f", {{"branch", "-f", "main", "evil"}}},
    {"update-ref", {{"update-ref", "refs/heads/main", "evil"}}},
    {"fetch . x:main", {{"fetch", ".", "+evil:main"}}},
    {"worktree add -B", {{"worktree", "add", "-q", "-B", "main", "../linked", "evil"}}},
    {"checkout -B", {{"checkout", "-q", "-B", "main", "evil"}}},
    {"switch -C", {{"switch", "-q", "-C", "main", "evil"}}},
    {"merge --ff", {{"checkout", "-q", "main"}, {"merge", "-q", "--ff", "evil"}}},
    {"pull", {{"checkout", "-q", "main"}, {"pull", "-q", "--ff", ".", "evil"}}},
    {"rebase", {{"checkout", "-q", "main"}, {"rebase", "-q", "evil"}}},
    {"reset", {{"checkout", "-q", "main"}, {"reset", "-q", "--hard", "evil"}}},
    {"cherry-pick", {{"checkout", "-q", "main"}, {"cherry-pick", "evil"}}},
    {"push .", {{"push", "-q", "--no-verify", ".", "evil:main"}}},
    {"branch -M", {{"branch", "-M", "evil", "main"}}},
    {"branch -D", {{"branch", "-D", "main"}}},
};

TEST_F(GuardedBranch, NoWayThatGitTellsOfBringsACommitThere) {
  for (const Way& way : kSeen) {
    SCOPED_TRACE(way.name);
    Ran last;
    for (const Words& step : way.steps)
      last = git(step);
    EXPECT_NE(last.code, 0) << last.out << last.err;
    EXPECT_EQ(main_now(), main);
    (void)git({"rebase", "--abort"});
    (void)git({"cherry-pick", "--abort"});
    (void)git({"worktree", "prune"});
    (void)git({"reset", "-q", "--hard"});
    EXPECT_EQ(git({"checkout", "-q", "else"}).code, 0);
    (void)git({"branch", "-f", "evil", evil});
  }
}

TEST_F(GuardedBranch, UpdatesFromStandardInputMeetItToo) {
  const Ran ran = run_program({"/usr/bin/git", "update-ref", "--stdin"}, repo.root(),
                              "update refs/heads/main " + evil + "\n");
  EXPECT_NE(ran.code, 0);
  EXPECT_EQ(main_now(), main);
}

TEST_F(GuardedBranch, AReplacedCommitIsJudgedAsWhatItIs) {
  ASSERT_EQ(git({"replace", "main", "evil"}).code, 0);
  EXPECT_EQ(main_now(), main) << "the branch names what it named";
  EXPECT_EQ(git({"checkout", "-q", "main"}).code, 0);
  repo.write("src/b.txt", "b\n");
  ASSERT_EQ(git({"add", "src/b.txt"}).code, 0);
  const Ran made = git({"commit", "-q", "--no-verify", "-m", "on top"});
  EXPECT_NE(made.code, 0) << made.err;
}

/// Ways that git tells no hook of. The branch is moved, and nothing follows it before a person has
/// looked or it is where it was.
TEST_F(GuardedBranch, WhatGitDoesNotTellOfStopsTheNextCommit) {
  for (const Words& way : {Words{"branch", "-C", "evil", "main"},
                           Words{"symbolic-ref", "refs/heads/main", "refs/heads/evil"}}) {
    SCOPED_TRACE(way.front());
    (void)git(way);
    ASSERT_EQ(git({"checkout", "-q", "main"}).code, 0);
    repo.write("src/a.txt", "more\n");
    const Ran refused = commit();
    EXPECT_NE(refused.code, 0) << refused.out << refused.err;
    EXPECT_TRUE(contains(refused.out + refused.err, "GH-BYPASS-001")) << refused.out << refused.err;
    EXPECT_TRUE(main_now() == evil + "\n" || main_now() == main) << main_now();
    ASSERT_EQ(git({"reset", "-q", "--hard"}).code, 0);
    ASSERT_EQ(git({"checkout", "-q", "else"}).code, 0);
    (void)git({"symbolic-ref", "-d", "refs/heads/main"});
    const Ran back = git({"branch", "-f", "main", main.substr(0, 40)});
    EXPECT_EQ(back.code, 0) << back.err << "the way back is open";
    ASSERT_EQ(git({"checkout", "-q", "main"}).code, 0);
    repo.write("src/a.txt", "fine after " + way.front() + "\n");
    const Ran fine = commit();
    EXPECT_EQ(fine.code, 0) << fine.out << fine.err;
    main = main_now();
    ASSERT_EQ(git({"checkout", "-q", "else"}).code, 0);
    ASSERT_EQ(git({"branch", "-f", "evil", evil}).code, 0);
  }
}

TEST_F(GuardedBranch, AnotherBranchDoesNotChooseTheSettings) {
  repo.git({"checkout", "-q", "--orphan", "bare"});
  repo.git({"rm", "-q", "-f", "gatehouse.yaml"});
  ASSERT_EQ(git({"commit", "-q", "--no-verify", "-m", "no settings"}).code, 0);
  EXPECT_NE(git({"branch", "-f", "main", "evil"}).code, 0);
  EXPECT_EQ(main_now(), main);
}

TEST_F(GuardedBranch, AStampIsForItsCommitAndNotForThoseBelow) {
  ASSERT_EQ(git({"checkout", "-q", "-b", "side", "main"}).code, 0);
  repo.write(".env", "TOKEN=x\n");
  ASSERT_EQ(commit({"--no-verify"}).code, 0);
  repo.git({"rm", "-q", ".env"});
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(commit({"--no-verify"}).code, 0);
  const std::string tip = head();
  // The tree of the tip, judged against main: a stamp, but not for the way there.
  ASSERT_EQ(git({"checkout", "-q", "main"}).code, 0);
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  ASSERT_EQ(git({"hook", "run", "pre-commit"}).code, 0);
  ASSERT_EQ(git({"reset", "-q", "--hard"}).code, 0);
  EXPECT_NE(git({"merge", "-q", "--ff-only", "side"}).code, 0);
  EXPECT_EQ(main_now(), main);
}

TEST_F(GuardedBranch, AForgedReceiptIsRefusedAlsoBehindAStamp) {
  repo.git({"checkout", "-q", "main"});
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  ASSERT_EQ(git({"hook", "run", "pre-commit"}).code, 0);
  for (const std::string& trailer :
       {"Gatehouse-Receipt: sha256:" + std::string(64, '1') + "\nGatehouse-Decision: accepted",
        std::string("Gatehouse-Decision: accepted")}) {
    const Ran forged = git({"commit", "-q", "--no-verify", "-m", "x\n\n" + trailer});
    EXPECT_NE(forged.code, 0) << trailer;
    EXPECT_EQ(main_now(), main);
  }
  const Ran plain = git({"commit", "-q", "--no-verify", "-m", "x"});
  EXPECT_EQ(plain.code, 0) << plain.err << "that tree has passed the hook";
}

TEST_F(GitHooks, AReceiptOfAnotherChangeIsNotPushed) {
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
  const std::string receipt = git({"log", "-1", "--format=%(trailers:key=Gatehouse-Receipt)"}).out;
  ASSERT_TRUE(contains(receipt, "sha256:")) << receipt;
  const Ran good = git({"push", at, "main", "refs/notes/gatehouse"});
  EXPECT_EQ(good.code, 0) << good.err;
  // The same words on another commit, made around every hook of this side.
  repo.write("src/a.txt", "two\n");
  ASSERT_EQ(git({"add", "-A"}).code, 0);
  ASSERT_EQ(
      git({"-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "copied\n\n" + receipt}).code,
      0);
  const Ran here = git({"push", at, "main"});
  EXPECT_EQ(here.code, 1);
  EXPECT_TRUE(contains(here.err, "another change")) << here.err;
}

// ------------------------------------------------------------------------------ who declares what

TEST_F(GitHooks, AnAgentCommitsWhatItDeclaredAndAPersonWhatSheLikes) {
  install();
  const Words agent{"CLAUDECODE=1", "GATEHOUSE_SESSION=S"};
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  repo.write("README.md", "hello you\n");
  const std::string before = head();
  const Ran none = commit({}, agent);
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(contains(none.out + none.err, "GH-INTENT-001")) << none.out << none.err;
  // An intent that is given up opens nothing.
  ASSERT_EQ(git({"reset", "-q", "--hard"}).code, 0);
  const Ran started = gatehouse({"change", "start", "--goal", "docs", "--allow", "README.md"},
                                repo.root(), {}, agent);
  ASSERT_EQ(started.code, 0) << started.out << started.err;
  repo.write("src/a.txt", "two\n");
  EXPECT_EQ(commit({}, agent).code, 1);
  ASSERT_EQ(gatehouse({"change", "abandon"}, repo.root(), {}, agent).code, 0);
  EXPECT_EQ(commit({}, agent).code, 1);
  EXPECT_EQ(head(), before);
  const Ran person = commit();
  EXPECT_EQ(person.code, 0) << person.out << person.err;
}

TEST_F(GitHooks, WhoRunsBelowAHostWhoseServerHoldsAnIntentIsAnAgent) {
  install();
  write_three();
  const Words reason{"GATEHOUSE_BYPASS_REASON=nobody marks me"};
  const Ran person = commit({}, reason);
  ASSERT_EQ(person.code, 0) << person.out << person.err;
  McpProcess mcp(repo.root());  // its host is this process, which starts git below as well
  mcp.initialize();
  mcp.call(1, "analyze_repository");
  const Value started = mcp.call(2, "start_controlled_change",
                                 R"({"scope":{"allowed_files":["README.md"]},"intent":"x"})");
  ASSERT_EQ(Peek(started)["result"]["structuredContent"]["status"].text(), "active")
      << wire::canonical_json(started);
  repo.write("src/a.txt", "two\n");
  const Ran agent = commit({}, reason);
  EXPECT_EQ(agent.code, 1) << agent.out << agent.err;
  EXPECT_TRUE(contains(agent.out + agent.err, "is for people")) << agent.out << agent.err;
}

TEST_F(GitHooks, ARefusalNamesTheWayForAPersonAndNoneForAnAgent) {
  install();
  write_three();
  const Ran person = commit();
  EXPECT_TRUE(contains(person.out + person.err, "GATEHOUSE_BYPASS_REASON=")) << person.err;
  const Ran agent = commit({}, {"CLAUDECODE=1"});
  EXPECT_FALSE(contains(agent.out + agent.err, "GATEHOUSE_BYPASS_REASON=")) << agent.err;
}

/// One definition for all of them: whoever has to declare is an agent to every other hook as well.
TEST_F(GitHooks, WhoHasANamedSessionIsAnAgentForEveryHook) {
  const std::string at = server();
  install();
  const Words ada{"GATEHOUSE_SESSION=ada"};
  repo.write("README.md", "hello you\n");
  const std::string before = head();
  const Ran judged = commit({}, ada);
  EXPECT_EQ(judged.code, 1);
  EXPECT_TRUE(contains(judged.out + judged.err, "GH-INTENT-001")) << judged.out << judged.err;
  EXPECT_NE(commit({"--no-verify"}, ada).code, 0) << "the guard of refs holds for agents";
  const Ran reason = commit({}, {"GATEHOUSE_SESSION=ada", "GATEHOUSE_BYPASS_REASON=hurry"});
  EXPECT_EQ(reason.code, 1);
  EXPECT_TRUE(contains(reason.out + reason.err, "is for people")) << reason.out << reason.err;
  EXPECT_EQ(head(), before);
  EXPECT_NE(gatehouse({"hook", "uninstall"}, repo.root(), {}, ada).code, 0);
  // What a person committed is not hers to push without a receipt.
  ASSERT_EQ(commit().code, 0);
  const std::string there = ref_of(at, "refs/heads/main");
  const Ran pushed = git({"push", at, "main"}, ada);
  EXPECT_EQ(pushed.code, 1);
  EXPECT_TRUE(contains(pushed.err, "GATEHOUSE_SESSION pushes it")) << pushed.err;
  EXPECT_EQ(ref_of(at, "refs/heads/main"), there);
  EXPECT_EQ(git({"push", "-q", at, "main"}).code, 0);
}

/// What others left in the tree is not to be declared by whoever has a receipt for the rest.
TEST_F(GitHooks, WhatWasAcceptedIsCommittedAloneAsTheRefusalOfMoreSays) {
  install();
  const Words who{"GATEHOUSE_SESSION=ada"};
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  ASSERT_EQ(
      gatehouse({"change", "start", "--goal", "docs", "--allow", "README.md"}, repo.root(), {}, who)
          .code,
      0);
  repo.write("README.md", "hello you\n");
  ASSERT_EQ(gatehouse({"change", "finish", "--files", "README.md"}, repo.root(), {}, who).code, 0);
  repo.write("src/a.txt", "bob's\n");
  const Ran refused = git({"commit", "-q", "-a", "-m", "all"}, who);
  EXPECT_EQ(refused.code, 1);
  const std::string said = refused.out + refused.err;
  EXPECT_TRUE(contains(said, "your receipt covers README.md")) << said;
  EXPECT_FALSE(contains(said, "continue-own-wip")) << said;
  constexpr std::string_view kNext = "git commit README.md";
  ASSERT_TRUE(contains(said, kNext)) << said;
  const Ran alone = git({"commit", "-q", "README.md", "-m", "docs"}, who);
  EXPECT_EQ(alone.code, 0) << alone.out << alone.err;
  EXPECT_EQ(git({"status", "--porcelain"}).out, " M src/a.txt\n");
  EXPECT_EQ(gatehouse({"receipt", "verify", "HEAD"}, repo.root()).code, 0);
}

}  // namespace
}  // namespace gh::testing
