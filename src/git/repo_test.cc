// Opening a repository, and the program that is asked about it.
#include <algorithm>

#include <fcntl.h>

#include "base/text.h"
#include "git/tail.h"
#include "tests/repo_kit.h"

namespace gh::git {
namespace {

// ---- opening ------------------------------------------------------------------------------------

TEST_F(RepoTest, OpensTheTopLevel) {
  auto repo = opened();
  EXPECT_EQ(repo.root(), sandbox_.root());
  EXPECT_EQ(repo.git_dir(), sandbox_.at(".git"));
  EXPECT_EQ(repo.common_dir(), sandbox_.at(".git"));
  EXPECT_EQ(repo.state_dir(), sandbox_.at(".git/gatehouse"));
  EXPECT_FALSE(repo.is_bare());
  EXPECT_EQ(repo.hash_kind(), HashKind::sha1);
  EXPECT_GE(repo.git_version(), kMinimumVersion);
}

TEST_F(RepoTest, ResolvesSymlinksOnTheWay) {
  const std::string link = sandbox_.folder() + "/link";
  ASSERT_EQ(::symlink(sandbox_.root().c_str(), link.c_str()), 0);
  auto repo = open(link);
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_EQ(repo->root(), sandbox_.root());
}

TEST_F(RepoTest, OpensAFolderWithALineFeedInItsName) {
  const std::string odd = sandbox_.folder() + "/two\nlines and a blank";
  std::filesystem::copy(sandbox_.root(), odd, std::filesystem::copy_options::recursive);
  auto repo = open(odd);
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_EQ(repo->root(), odd);
  const std::string linked = sandbox_.folder() + "/linked\n";
  GitSandbox::git_at(odd, {"worktree", "add", "-q", "--detach", linked});
  auto tree = open(linked);
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->common_dir(), odd + "/.git");
}

TEST_F(RepoTest, RefusesWhatIsNoTopLevel) {
  const std::string outside = sandbox_.folder() + "/outside";
  ASSERT_TRUE(sys::make_folders(outside));
  ASSERT_TRUE(sys::make_folders(sandbox_.at("plain/folder")));
  ASSERT_TRUE(sys::make_folders(outside + "/hollow/.git"));
  ASSERT_TRUE(sys::make_folders(outside + "/broken"));
  ASSERT_TRUE(sys::write_file_atomic(outside + "/broken/.git", "gitdir: /nowhere\n"));
  EXPECT_EQ(refusal(sandbox_.folder() + "/missing"), Code::repo_root_missing);
  EXPECT_EQ(refusal(sandbox_.at("b.txt")), Code::repo_root_missing);
  EXPECT_EQ(refusal(outside), Code::not_a_repository);
  EXPECT_EQ(refusal(outside + "/hollow"), Code::not_a_repository);
  EXPECT_EQ(refusal(outside + "/broken"), Code::not_a_repository);
  EXPECT_EQ(refusal(sandbox_.at("dir")), Code::repo_root_not_toplevel);
  EXPECT_EQ(refusal(sandbox_.at("plain/folder")), Code::repo_root_not_toplevel);
  EXPECT_EQ(refusal(sandbox_.at(".git")), Code::repo_root_not_toplevel);
  EXPECT_EQ(refusal(sandbox_.at(".git/refs")), Code::repo_root_not_toplevel);
}

TEST_F(RepoTest, DoesNotWaitForAPipeThatLooksLikePartOfARepository) {
  const std::string trap = sandbox_.folder() + "/trap";
  ASSERT_TRUE(sys::make_folders(trap + "/.git"));
  ASSERT_TRUE(sys::write_file_atomic(trap + "/.git/HEAD", "ref: refs/heads/main\n"));
  ASSERT_EQ(::mkfifo((trap + "/.git/commondir").c_str(), 0600), 0);
  EXPECT_EQ(refusal(trap), Code::not_a_repository);
}

TEST_F(RepoTest, NamesTheRepositoryAroundASubfolder) {
  auto repo = open(sandbox_.at("dir"));
  ASSERT_FALSE(repo);
  EXPECT_TRUE(contains(repo.error().message, "'" + sandbox_.root() + "'"));
}

TEST_F(RepoTest, OpensALinkedWorktreeWithItsOwnGitDir) {
  const std::string linked = sandbox_.folder() + "/linked";
  sandbox_.git({"worktree", "add", "-q", "-b", "side", linked});
  auto repo = open(linked);
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_EQ(repo->root(), linked);
  EXPECT_EQ(repo->git_dir(), sandbox_.at(".git/worktrees/linked"));
  EXPECT_EQ(repo->common_dir(), sandbox_.at(".git"));
  EXPECT_EQ(check(*repo).run.exit_code, 0);
}

TEST_F(RepoTest, OpensASubmoduleThroughItsGitFile) {
  sandbox_.git(
      {"-c", "protocol.file.allow=always", "submodule", "add", "-q", sandbox_.root(), "sub"});
  auto repo = open(sandbox_.at("sub"));
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_EQ(repo->git_dir(), sandbox_.at(".git/modules/sub"));
  EXPECT_EQ(check(*repo).run.exit_code, 0);
}

TEST_F(RepoTest, OpensABareRepository) {
  const std::string bare = sandbox_.folder() + "/bare.git";
  sandbox_.git({"clone", "-q", "--bare", sandbox_.root(), bare});
  auto repo = open(bare);
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_TRUE(repo->is_bare());
  EXPECT_EQ(repo->root(), bare);
  EXPECT_EQ(repo->git_dir(), bare);
  EXPECT_EQ(check(*repo).run.exit_code, 0);
  EXPECT_TRUE(repo->tracked_changes()->empty());
  const auto quarantine = repo->quarantine();
  const auto head = repo->objects().commit("HEAD");
  ASSERT_TRUE(repo->read_tree(*quarantine, head->tree));
  ASSERT_EQ(repo->apply_cached(*quarantine, kPatch)->exit_code, 0);
  EXPECT_NE(*repo->write_tree(*quarantine), head->tree);
}

TEST_F(RepoTest, RefusesAnotherUsersRepositoryUnlessTrusted) {
  const std::string me = std::to_string(geteuid());
  env_.user = geteuid() + 1;
  EXPECT_EQ(refusal(sandbox_.root()), Code::dubious_ownership);
  options_.trusted_owners = {"4294967290", "no-such-user"};
  EXPECT_EQ(refusal(sandbox_.root()), Code::dubious_ownership);
  options_.trusted_owners = {me};
  EXPECT_TRUE(open(sandbox_.root()));
  if (geteuid() == 0) {
    options_.trusted_owners = {"root"};
    EXPECT_TRUE(open(sandbox_.root()));
  }
  options_.trusted_owners = {};
  options_.check_later = true;
  auto repo = open(sandbox_.root());
  ASSERT_TRUE(repo);
  EXPECT_EQ(repo->check_owners({}, env_).error().code, Code::dubious_ownership);
  EXPECT_TRUE(repo->check_owners({me}, env_));
}

TEST_F(RepoTest, LooksAtTheOwnerOfTheGitDirToo) {
  if (geteuid() == 0) {
    ASSERT_EQ(::chown(sandbox_.at(".git").c_str(), 12345, 12345), 0);
    auto repo = open(sandbox_.root());
    ASSERT_FALSE(repo);
    EXPECT_EQ(repo.error().code, Code::dubious_ownership);
    EXPECT_TRUE(contains(repo.error().message, "12345"));
  }
  options_.trusted_owners = {"12345"};  // git itself would refuse; our check stands in for it
  auto trusted = opened();
  EXPECT_EQ(check(trusted).run.exit_code, 0);
}

TEST_F(RepoTest, RefusesWhileAnOperationIsInProgress) {
  for (const char* name : {"rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD",
                           "REVERT_HEAD", "sequencer", "BISECT_LOG", "index.lock"}) {
    ASSERT_TRUE(sys::write_file_atomic(sandbox_.at(".git/"s + name), "x"));
    auto repo = open(sandbox_.root());
    ASSERT_FALSE(repo) << name;
    EXPECT_EQ(repo.error().code, Code::repo_busy) << name;
    EXPECT_TRUE(contains(repo.error().message, name)) << repo.error().message;
    options_.need_idle = false;
    EXPECT_TRUE(open(sandbox_.root())) << name;
    options_.need_idle = true;
    ASSERT_TRUE(sys::remove_file(sandbox_.at(".git/"s + name)));
  }
  EXPECT_TRUE(open(sandbox_.root()));
}

// ---- the program --------------------------------------------------------------------------------

TEST_F(RepoTest, TakesTheConfiguredFolderOrTheVariableAndNothingElse) {
  options_.git_folder = sandbox_.folder() + "/none";
  EXPECT_EQ(refusal(sandbox_.root()), Code::git_not_found);
  options_.git_folder = "relative";
  EXPECT_EQ(refusal(sandbox_.root()), Code::git_not_found);
  const std::string folder = sandbox_.folder() + "/not-executable";
  ASSERT_TRUE(sys::make_folders(folder));
  ASSERT_TRUE(sys::write_file_atomic(folder + "/git", "#!/bin/sh\n", 0644));
  options_.git_folder = folder;
  EXPECT_EQ(refusal(sandbox_.root()), Code::git_not_found);
  options_.git_folder = "";
  env_.variables["GATEHOUSE_GIT_PATH"] = folder;
  EXPECT_EQ(refusal(sandbox_.root()), Code::git_not_found);
  options_.git_folder = "/usr/bin";
  EXPECT_EQ(opened().git_file(), "/usr/bin/git");
}

TEST_F(RepoTest, RefusesAProgramThatIsNoGit) {
  const std::string folder = stand_in("exit 3");
  EXPECT_EQ(refusal(sandbox_.root()), Code::git_not_found);
  ASSERT_TRUE(sys::write_file_atomic(folder + "/git", "no program\n", 0755));
  EXPECT_EQ(refusal(sandbox_.root()), Code::git_not_found);
}

TEST_F(RepoTest, RefusesAGitBelowTheMinimum) {
  stand_in("for w; do [ \"$w\" = version ] && echo 'git version 2.39.2' && exit 0; done");
  const auto old = open(sandbox_.root());
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code, Code::git_too_old);
  EXPECT_TRUE(contains(old.error().message, "2.39.2"));
  EXPECT_TRUE(contains(old.error().message, "2.39.3"));
  options_.allow_old = true;
  EXPECT_EQ(opened().git_version(), (Version{2, 39, 2}));
  options_.allow_old = false;
  options_.check_later = true;
  auto repo = opened();
  EXPECT_EQ(repo.check_version(false).error().code, Code::git_too_old);
  EXPECT_TRUE(repo.check_version(true));
}

TEST(GitVersion, IsReadFromTheAnswersOfAllBuilds) {
  EXPECT_EQ(parse_version("git version 2.39.5\n"), (Version{2, 39, 5}));
  EXPECT_EQ(parse_version("git version 2.39.5 (Apple Git-154)\n"), (Version{2, 39, 5}));
  EXPECT_EQ(parse_version("git version 2.47.0.windows.1\n"), (Version{2, 47, 0}));
  EXPECT_EQ(parse_version("git version 2.40.rc1\n"), (Version{2, 40, 0}));
  EXPECT_EQ(parse_version("git version 3.0\n"), (Version{3, 0, 0}));
  EXPECT_FALSE(parse_version("hg version 6"));
  EXPECT_FALSE(parse_version("git version x.1"));
  EXPECT_FALSE(parse_version("git version 2"));
  EXPECT_LT((Version{2, 9, 9}), (Version{2, 39, 3}));
  EXPECT_EQ(to_string(Version{2, 39, 5}), "2.39.5");
}

TEST_F(RepoTest, AsksForTheVersionOncePerProgramFile) {
  const std::string log = sandbox_.folder() + "/log";
  stand_in("for w; do [ \"$w\" = version ] && echo asked >>" + log + "; done");
  const auto asked = [&] { return sys::read_file(log, 1000).value_or(""); };
  (void)opened();
  EXPECT_EQ(asked(), "asked\n");
  (void)opened();
  EXPECT_EQ(asked(), "asked\n");
  for (const char* damage : {"", "x", "\n\n\n"}) {
    ASSERT_TRUE(sys::write_file_atomic(sandbox_.at(".git/gatehouse/cache/git-version"), damage));
    ASSERT_TRUE(sys::remove_file(log));
    (void)opened();
    EXPECT_EQ(asked(), "asked\n") << damage;
  }
  ASSERT_TRUE(sys::remove_file(log));
  stand_in("for w; do [ \"$w\" = version ] && echo other >>" + log + "; done");
  (void)opened();
  EXPECT_EQ(asked(), "other\n");
}

TEST_F(RepoTest, AsksForGitsWordOnAPlaceOnlyWhenItCouldHaveChanged) {
  const std::string log = sandbox_.folder() + "/log";
  stand_in("case \"$*\" in *rev-parse*) echo asked >>" + log + ";; esac");
  const auto asked = [&] {
    const bool was = sys::info(log).kind == sys::FileKind::file;
    (void)sys::remove_file(log);
    return was;
  };
  (void)opened();
  EXPECT_TRUE(asked());
  sandbox_.write("more", "x");
  sandbox_.commit("more");
  EXPECT_EQ(opened().hash_kind(), HashKind::sha1);
  EXPECT_FALSE(asked());
  sandbox_.git({"config", "core.something", "else"});
  (void)opened();
  EXPECT_TRUE(asked());
  const auto cached = sys::list_folder(sandbox_.at(".git/gatehouse/cache"));
  ASSERT_EQ(cached->size(), 2u);
  ASSERT_TRUE((*cached)[1].starts_with("place-"));
  const std::string file = sandbox_.at(".git/gatehouse/cache/" + (*cached)[1]);
  const std::string good = *sys::read_file(file, 1u << 16);
  for (const std::string& damaged : {std::string(), good + "x", good.substr(0, good.size() - 2),
                                     std::string("sha1\n"), good + "sha1\n"}) {
    ASSERT_TRUE(sys::write_file_atomic(file, damaged));
    (void)opened();
    EXPECT_TRUE(asked()) << damaged;
  }
  sandbox_.git({"config", "core.bare", "true"});
  (void)open(sandbox_.root());
  EXPECT_TRUE(asked());
}

}  // namespace
}  // namespace gh::git
