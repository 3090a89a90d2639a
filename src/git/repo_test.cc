#include "git/repo.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "git/tail.h"
#include "tests/git_sandbox.h"

namespace gh::git {
namespace {

using gh::testing::GitSandbox;
using std::string_literals::operator""s;

/// The real world but for what a test sets.
class TestEnv final : public sys::Env {
 public:
  Timestamp now() override { return sys::real_env().now(); }
  std::int64_t monotonic_ms() override { return 0; }
  std::string random_hex(std::size_t digits) override { return std::string(digits, '0'); }
  std::string variable(std::string_view name) override { return variables[std::string(name)]; }
  std::uint32_t user_id() override { return user; }
  std::int64_t process_id() override { return 1; }
  std::string host_name() override { return "host"; }

  std::map<std::string, std::string> variables;
  std::uint32_t user = geteuid();
};

const std::string kBase = "one\ntwo\nthree\n";
const std::string kPatched = "one\nTWO\nthree\n";
const std::string kPatch =
    "diff --git a/dir/a.txt b/dir/a.txt\n--- a/dir/a.txt\n+++ b/dir/a.txt\n"
    "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";

void fill(const GitSandbox& sandbox) {
  sandbox.write("dir/a.txt", kBase);
  sandbox.write("b.txt", "b\n");
  sandbox.commit("first");
}

void make_executable(const std::string& path, const std::string& text) {
  ASSERT_TRUE(sys::write_file_atomic(path, text, 0755));
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
}

class RepoTest : public ::testing::Test {
 protected:
  RepoTest() { fill(sandbox_); }

  Result<Repo> open(const std::string& folder) {
    options_.folder = folder;
    return Repo::open(options_, env_);
  }
  Repo opened() {
    auto repo = open(sandbox_.root());
    EXPECT_TRUE(repo) << repo.error().message;
    return std::move(repo).value();
  }
  /// Code of the refusal; internal_error when there is none.
  Code refusal(const std::string& folder) {
    auto repo = open(folder);
    return repo ? Code::internal_error : repo.error().code;
  }

  /// A check of the standard patch, as the gate does it.
  template <class SomeRepo>
  static ApplyCheck check(SomeRepo&& repo, std::string_view patch = kPatch) {
    const auto quarantine = repo.quarantine();
    const auto kind = repo.hash_kind();
    EXPECT_TRUE(quarantine->write_index(
        {{"dir/a.txt", FileMode::regular, ObjectId::of(kind, "blob", kBase)}}, kind));
    auto done = repo.apply_check(*quarantine, patch);
    EXPECT_TRUE(done) << done.error().message;
    return std::move(done).value();
  }

  /// A program named git that does `script`, then what git does. Made the one to use.
  std::string stand_in(const std::string& script) {
    const std::string folder = sandbox_.folder() + "/stand-in";
    EXPECT_TRUE(sys::make_folders(folder));
    make_executable(folder + "/git", "#!/bin/sh\n" + script + "\nexec /usr/bin/git \"$@\"\n");
    options_.git_folder = folder;
    return folder;
  }

  GitSandbox sandbox_;
  TestEnv env_;
  OpenOptions options_;
};

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

// ---- the surroundings of git
// ----------------------------------------------------------------------

/// Values of our own environment that would mislead git, if a child inherited them.
class Hostile {
 public:
  Hostile() {
    for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_COUNT",
                             "GIT_EXEC_PATH", "GIT_TRACE", "GIT_EXTERNAL_DIFF", "HOME"}) {
      const char* before = std::getenv(name);
      before_.emplace_back(name, before ? std::optional<std::string>(before) : std::nullopt);
      ::setenv(name, "/nonexistent/hostile", 1);
    }
  }
  ~Hostile() {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
  }

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

TEST_F(RepoTest, GivesTheCheckExactlyTheArgumentsAndVariablesOfTheSpecification) {
  const std::string seen = sandbox_.folder() + "/seen";
  const std::string folder =
      stand_in("case \"$*\" in *\" apply --check\"*) cat /proc/$$/environ >" + seen +
               ".env; printf '%s\\0' "
               "\"$PWD\" \"$@\" >" +
               seen + ".argv; ls -A \"$HOME\" >" + seen + ".home;; esac");
  const Hostile hostile;
  auto repo = opened();
  const auto done = check(repo);
  EXPECT_EQ(done.run.exit_code, 0) << done.run.err;

  const std::string environ = *sys::read_file(seen + ".env", 1u << 16);
  std::map<std::string, std::string> variables;
  for (const std::string_view item : split(environ, '\0'))
    if (!item.empty())
      variables.emplace(item.substr(0, item.find('=')), item.substr(item.find('=') + 1));
  const std::string home = variables["HOME"], index = variables["GIT_INDEX_FILE"];
  EXPECT_TRUE(home.starts_with(repo.state_dir() + "/"));
  EXPECT_EQ(sys::info(home).kind, sys::FileKind::folder);
  EXPECT_EQ(sys::info(home).mode & 0777, 0700u);
  EXPECT_EQ(sys::read_file(seen + ".home", 100), "");
  EXPECT_TRUE(index.starts_with(repo.state_dir() + "/tmp/"));
  EXPECT_EQ(sys::info(index).kind, sys::FileKind::missing) << "the private index is left behind";
  const std::map<std::string, std::string> expected{
      {"PATH", folder + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
      {"HOME", home},
      {"XDG_CONFIG_HOME", home},
      {"LC_ALL", "C"},
      {"TZ", "UTC"},
      {"GIT_CONFIG_NOSYSTEM", "1"},
      {"GIT_CONFIG_SYSTEM", "/dev/null"},
      {"GIT_CONFIG_GLOBAL", "/dev/null"},
      {"GIT_ATTR_NOSYSTEM", "1"},
      {"GIT_NO_REPLACE_OBJECTS", "1"},
      {"GIT_OPTIONAL_LOCKS", "0"},
      {"GIT_DIR", sandbox_.at(".git")},
      {"GIT_WORK_TREE", sandbox_.root()},
      {"GIT_INDEX_FILE", index},
      {"GIT_OBJECT_DIRECTORY", variables["GIT_OBJECT_DIRECTORY"]},
      {"GIT_ALTERNATE_OBJECT_DIRECTORIES", sandbox_.at(".git/objects")},
      {"GIT_CEILING_DIRECTORIES", sandbox_.folder()},
      {"GIT_TERMINAL_PROMPT", "0"},
      {"GIT_ASKPASS", "/bin/false"},
      {"GIT_ALLOW_PROTOCOL", ""},
      {"GIT_NO_LAZY_FETCH", "1"},
  };
  EXPECT_EQ(variables, expected);
  EXPECT_TRUE(variables["GIT_OBJECT_DIRECTORY"].starts_with(repo.state_dir() + "/"));

  std::vector<std::string> words;
  const std::string argv = *sys::read_file(seen + ".argv", 1u << 16);
  for (const std::string_view word : split(argv, '\0'))
    words.emplace_back(word);
  words.pop_back();
  EXPECT_EQ(words.front(), sandbox_.root()) << "cwd";
  words.front() = "git";
  EXPECT_EQ(words, done.run.argv);
  const std::vector<std::string> tail(words.end() - 8, words.end());
  EXPECT_EQ(tail, (std::vector<std::string>{"apply", "--check", "--cached", "--numstat", "-z",
                                            "--whitespace=nowarn", "-p1", "-"}));
  EXPECT_EQ(words.size(), 1 + 2 * 22 + 8u);
}

TEST_F(RepoTest, EveryCommandRunsInTheSameSurroundings) {
  const std::string seen = sandbox_.folder() + "/seen";
  stand_in("tr '\\0' '\\n' </proc/$$/environ >>" + seen + "; echo END >>" + seen);
  const Hostile hostile;
  auto repo = opened();
  const auto quarantine = repo.quarantine();
  const auto head = repo.objects().commit("HEAD");
  ASSERT_TRUE(repo.read_tree(*quarantine, head->tree));
  ASSERT_TRUE(repo.apply_cached(*quarantine, kPatch));
  ASSERT_TRUE(repo.write_tree(*quarantine));
  ASSERT_TRUE(repo.tracked_changes());
  ASSERT_TRUE(repo.commit_sizes(head->id, 5));
  ASSERT_TRUE(repo.diff_staged(head->id, 1000));
  ASSERT_TRUE(repo.head_ref());
  const std::string text = *sys::read_file(seen, 1u << 20);
  EXPECT_FALSE(contains(text, "hostile"));
  std::size_t commands = 0;
  for (const std::string_view line : split(text, '\n')) {
    commands += line == "END";
    EXPECT_FALSE(line.starts_with("USER=") || line.starts_with("GIT_TRACE=")) << line;
  }
  EXPECT_GE(commands, 10u);
  std::size_t settings = 0;
  for (std::size_t at = text.find("GIT_CONFIG_GLOBAL=/dev/null"); at != std::string::npos;
       at = text.find("GIT_CONFIG_GLOBAL=/dev/null", at + 1))
    ++settings;
  EXPECT_EQ(settings, commands);
}

TEST_F(RepoTest, KillsTheWholeProcessGroupOfASlowGit) {
  const std::string seen = sandbox_.folder() + "/grandchild";
  stand_in("case \"$*\" in *\" apply --check\"*) sleep 600 & echo $! >" + seen + "; wait;; esac");
  auto repo = opened();
  repo.set_timeout(300);
  const auto done = check(repo);
  EXPECT_TRUE(done.run.timed_out);
  EXPECT_FALSE(done.run.ok());
  EXPECT_FALSE(done.rows);
  std::string process = *sys::read_file(seen, 100);
  process.pop_back();
  const auto gone = [&] {
    const auto status = sys::read_file("/proc/" + process + "/stat", 4096);
    return !status || contains(*status, ") Z") || contains(*status, ") X");
  };
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!gone() && std::chrono::steady_clock::now() < give_up) {
  }
  EXPECT_TRUE(gone());
}

TEST_F(RepoTest, CapsTheOutputOfACheck) {
  stand_in("case \"$*\" in *\" apply --check\"*) head -c 3000000 /dev/zero; exit 0;; esac");
  const auto done = check(opened());
  EXPECT_TRUE(done.run.output_cut);
  EXPECT_EQ(done.run.out.size(), 1u << 20);
  EXPECT_FALSE(done.rows);
}

// ---- hostile repositories
// -------------------------------------------------------------------------

TEST_F(RepoTest, RunsNoProgramThatTheRepositoryNames) {
  const std::string mark = sandbox_.folder() + "/ran";
  const std::string program = sandbox_.folder() + "/program";
  make_executable(program, "#!/bin/sh\necho ran >>" + mark + "\ncat\n");
  sandbox_.write(".gitattributes", "*.txt filter=evil diff=evil\n");
  sandbox_.commit("attributes");
  for (const auto& [key, value] :
       std::map<std::string, std::string>{{"core.fsmonitor", program},
                                          {"core.hooksPath", sandbox_.folder() + "/hooks"},
                                          {"filter.evil.clean", program},
                                          {"filter.evil.smudge", program},
                                          {"filter.evil.required", "true"},
                                          {"filter.a=b.clean", program},
                                          {"diff.evil.textconv", program},
                                          {"diff.evil.command", program},
                                          {"diff.external", program},
                                          {"core.pager", program},
                                          {"core.sshCommand", program}})
    sandbox_.git({"config", key, value});
  ASSERT_TRUE(sys::make_folders(sandbox_.folder() + "/hooks"));
  for (const char* hook : {"post-index-change", "reference-transaction", "pre-commit"}) {
    make_executable(sandbox_.folder() + "/hooks/" + hook, "#!/bin/sh\necho ran >>" + mark + "\n");
    make_executable(sandbox_.at(".git/hooks/"s + hook), "#!/bin/sh\necho ran >>" + mark + "\n");
  }
  (void)sys::remove_file(mark);  // the settings themselves may have run something already
  sandbox_.write("b.txt", "changed\n");

  auto repo = opened();
  EXPECT_EQ(check(repo).run.exit_code, 0);
  const auto quarantine = repo.quarantine();
  const auto head = repo.objects().commit("HEAD");
  ASSERT_TRUE(repo.read_tree(*quarantine, head->tree));
  ASSERT_EQ(repo.apply_cached(*quarantine, kPatch)->exit_code, 0);
  ASSERT_TRUE(repo.write_tree(*quarantine));
  const auto changes = repo.tracked_changes();
  ASSERT_TRUE(changes) << changes.error().message;
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ((*changes)[0].path, "b.txt");
  ASSERT_TRUE(repo.commit_sizes(head->id, 10));
  ASSERT_TRUE(repo.diff_staged(head->id, 1u << 20));
  EXPECT_EQ(sys::read_file(mark, 1000).value_or(""), "");
}

TEST_F(RepoTest, IsNotMisledBySettingsOfTheRepository) {
  sandbox_.git({"config", "core.worktree", sandbox_.folder()});
  for (const auto& [key, value] :
       std::map<std::string, std::string>{{"apply.whitespace", "error"},
                                          {"apply.ignoreWhitespace", "change"},
                                          {"core.autocrlf", "true"},
                                          {"core.whitespace", "cr-at-eol,tab-in-indent"},
                                          {"core.protectHFS", "false"},
                                          {"core.sparseCheckout", "true"},
                                          {"core.quotePath", "false"},
                                          {"core.ignoreCase", "true"},
                                          {"include.path", sandbox_.folder() + "/included"}})
    sandbox_.git({"config", key, value});
  ASSERT_TRUE(sys::write_file_atomic(sandbox_.folder() + "/included",
                                     "[apply]\n\twhitespace = fix\n[core]\n\tbare = true\n"));
  sandbox_.git_at(sandbox_.root(),
                  {"config", "includeIf.gitdir:/**.path", sandbox_.folder() + "/included"});
  auto repo = open(sandbox_.root());
  ASSERT_TRUE(repo) << repo.error().message;
  const std::string trailing_blank =
      "diff --git a/dir/a.txt b/dir/a.txt\n--- a/dir/a.txt\n+++ b/dir/a.txt\n"
      "@@ -1,3 +1,3 @@\n one\n-two\n+TWO \t\n three\n";
  EXPECT_EQ(check(*repo, trailing_blank).run.exit_code, 0);
  const auto quarantine = repo->quarantine();
  const auto head = repo->objects().commit("HEAD");
  ASSERT_TRUE(repo->read_tree(*quarantine, head->tree));
  ASSERT_EQ(repo->apply_cached(*quarantine, trailing_blank)->exit_code, 0);
  ASSERT_TRUE(repo->write_tree(*quarantine));
  const auto blob = ObjectId::of(HashKind::sha1, "blob", "one\nTWO \t\nthree\n");
  EXPECT_EQ(
      sys::info(quarantine->objects() + '/' + blob.hex().substr(0, 2) + '/' + blob.hex().substr(2))
          .kind,
      sys::FileKind::file)
      << "git wrote other bytes than the patch says";
}

TEST_F(RepoTest, DoesNotFollowReplacedObjects) {
  const std::string real = sandbox_.git({"rev-parse", "HEAD:b.txt"});
  sandbox_.write("other", "planted\n");
  const std::string planted = sandbox_.git({"hash-object", "-w", "other"});
  sandbox_.git({"replace", real, planted});
  auto repo = opened();
  EXPECT_EQ(repo.objects().blob(*ObjectId::parse(real)), "b\n");
}

// ---- objects
// --------------------------------------------------------------------------------------

TEST_F(RepoTest, ReadsCommitsTreesAndBlobs) {
  auto repo = opened();
  const auto commit = repo.objects().commit("main");
  ASSERT_TRUE(commit);
  EXPECT_EQ(commit->id.hex(), sandbox_.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(commit->tree.hex(), sandbox_.git({"rev-parse", "HEAD^{tree}"}));
  EXPECT_EQ(commit->message, "first\n");
  for (int again = 0; again < 2; ++again) {
    const auto tree = repo.objects().tree(commit->tree);
    ASSERT_TRUE(tree);
    ASSERT_EQ(tree->size(), 2u);
    EXPECT_EQ((*tree)[0].name, "b.txt");
    EXPECT_EQ((*tree)[1].name, "dir");
    EXPECT_EQ((*tree)[1].mode, FileMode::tree);
    EXPECT_EQ(repo.objects().blob((*tree)[0].id), "b\n");
  }
}

TEST_F(RepoTest, ResolvesTagsAndShortIdsAndRefusesTheRest) {
  sandbox_.git({"tag", "-a", "-m", "x", "v1"});
  auto repo = opened();
  const std::string head = sandbox_.git({"rev-parse", "HEAD"});
  EXPECT_EQ(repo.objects().commit("v1")->id.hex(), head);
  EXPECT_EQ(repo.objects().commit(head.substr(0, 10))->id.hex(), head);
  for (const std::string& bad :
       {"nothing"s, ""s, "-h"s, "HEAD:b.txt"s, "HEAD~9"s, std::string(40, 'f'), "HEAD\nHEAD"s,
        "HEAD\0"s, head + " commit 10", "HEAD^{tree}"s, std::string(5000, 'a')}) {
    const auto commit = repo.objects().commit(bad);
    ASSERT_FALSE(commit) << bad;
    EXPECT_EQ(commit.error().code, Code::ref_unresolved) << bad;
    EXPECT_EQ(repo.objects().commit("HEAD")->id.hex(), head) << "the talk goes on after " << bad;
  }
}

TEST_F(RepoTest, RefusesAnUnbornHead) {
  const GitSandbox empty;
  auto repo = open(empty.root());
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_EQ(repo->objects().commit("HEAD").error().code, Code::ref_unresolved);
}

TEST_F(RepoTest, ExpectedObjectsAreTheSameAsUnexpectedOnes) {
  sandbox_.write("deep/er/file", "deep\n");
  sandbox_.write("large", std::string((2u << 20) + 1, 'x'));  // more than is kept
  sandbox_.write("a name with spaces missing", "spaces\n");
  sandbox_.git({"add", "-A"});
  sandbox_.git({"commit", "-q", "-m", "more"});
  auto repo = opened();
  const auto head = repo.objects().commit("HEAD");
  ASSERT_TRUE(head);
  for (int again = 0; again < 2; ++again) {
    repo.objects().expect(head->tree,
                          {"deep/er/file", "b.txt", "b.txt/below", "no/such/file", "large", "dir",
                           "two\nlines", "a name with spaces missing", ""});
    const auto tree = repo.objects().tree(head->tree);
    ASSERT_TRUE(tree);
    EXPECT_EQ(repo.objects().blob(tree->find("b.txt")->id), "b\n");
    EXPECT_EQ(repo.objects().blob(tree->find("a name with spaces missing")->id), "spaces\n");
    EXPECT_EQ(repo.objects().blob(tree->find("large")->id)->size(), (2u << 20) + 1);
    const auto deep = repo.objects().tree(tree->find("deep")->id);
    ASSERT_TRUE(deep);
    EXPECT_EQ(deep->find("er", false), nullptr) << "it is a folder";
    EXPECT_EQ(repo.objects().commit("HEAD")->id, head->id) << "the talk goes on";
  }
}

TEST_F(RepoTest, TellsMissingAndWronglyTypedObjects) {
  auto repo = opened();
  const auto head = repo.objects().commit("HEAD");
  const auto missing = repo.objects().blob(*ObjectId::parse(std::string(40, 'f')));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::git_failed);
  EXPECT_TRUE(contains(missing.error().message, "missing"));
  EXPECT_EQ(repo.objects().blob(head->tree).error().code, Code::git_failed);
  EXPECT_EQ(repo.objects().tree(head->id).error().code, Code::git_failed);
  EXPECT_TRUE(repo.objects().tree(head->tree)) << "the talk goes on";
}

TEST_F(RepoTest, RefusesABlobOverTheLimitWithoutReadingIt) {
  const std::string big = sandbox_.at("big");
  ASSERT_TRUE(sys::write_file_atomic(big, ""));
  ASSERT_EQ(::truncate(big.c_str(), static_cast<off_t>(kMaxBlobBytes) + 1), 0);
  const auto id = *ObjectId::parse(sandbox_.git({"hash-object", "-w", "big"}));
  auto repo = opened();
  EXPECT_EQ(repo.objects().blob(id).error().code, Code::document_too_large);
  EXPECT_TRUE(repo.objects().commit("HEAD")) << "the talk goes on";
}

// ---- checks
// ---------------------------------------------------------------------------------------

TEST_F(RepoTest, ChecksAPatchInRepositoriesOfBothHashes) {
  for (const char* format : {"sha1", "sha256"}) {
    const GitSandbox sandbox(format);
    fill(sandbox);
    auto repo = open(sandbox.root());
    ASSERT_TRUE(repo) << repo.error().message;
    EXPECT_EQ(repo->hash_kind(), format == "sha1"s ? HashKind::sha1 : HashKind::sha256);
    const auto done = check(*repo);
    EXPECT_EQ(done.run.exit_code, 0) << done.run.err;
    ASSERT_TRUE(done.rows);
    EXPECT_EQ(*done.rows, (std::vector<NumstatRow>{{"dir/a.txt", 1, 1}}));
    EXPECT_EQ(repo->objects().commit("HEAD")->id.hex(), sandbox.git({"rev-parse", "HEAD"}));
  }
}

TEST_F(RepoTest, StartsGitAheadOfExpectedChecks) {
  const std::string log = sandbox_.folder() + "/log";
  stand_in("case \"$*\" in *\" apply --check\"*) echo started >>" + log + ";; esac");
  options_.expected_checks = 2;
  auto repo = opened();
  const auto kind = repo.hash_kind();
  const auto quarantine = repo.quarantine();
  for (int count = 0; count < 4; ++count) {
    ASSERT_TRUE(quarantine->write_index(
        {{"dir/a.txt", FileMode::regular, ObjectId::of(kind, "blob", kBase)}}, kind));
    const auto done = repo.apply_check(*quarantine, kPatch);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->run.exit_code, 0) << done->run.err;
    EXPECT_EQ(done->rows, (std::vector<NumstatRow>{{"dir/a.txt", 1, 1}}));
  }
  EXPECT_EQ(sys::read_file(log, 1000), "started\nstarted\nstarted\nstarted\n");
}

TEST_F(RepoTest, AsksAgainWhenTheGitThatWaitedRefuses) {
  const std::string log = sandbox_.folder() + "/log";
  stand_in("case \"$*\" in *\" apply --check\"*) [ -e " + log + " ] || { cat >" + log +
           "; echo read too early >&2; exit 1; };; esac");
  options_.expected_checks = 1;
  const auto done = check(opened());
  EXPECT_EQ(done.run.exit_code, 0) << done.run.err;
  EXPECT_TRUE(done.rows);
  EXPECT_EQ(sys::read_file(log, 1000), kPatch);
}

TEST_F(RepoTest, AnswersWithGitsWordsWhenThePatchDoesNotFit) {
  const std::string patch =
      "diff --git a/dir/a.txt b/dir/a.txt\n--- a/dir/a.txt\n+++ b/dir/a.txt\n"
      "@@ -1,3 +1,3 @@\n one\n-other\n+TWO\n three\n";
  const auto done = check(opened(), patch);
  EXPECT_EQ(done.run.exit_code, 1);
  EXPECT_FALSE(done.rows);
  EXPECT_TRUE(contains(done.run.err, "patch does not apply"));
}

TEST_F(RepoTest, ListsCreatedDeletedAndRenamedPathsOfAPatch) {
  auto repo = opened();
  const auto quarantine = repo.quarantine();
  const auto kind = repo.hash_kind();
  ASSERT_TRUE(
      quarantine->write_index({{"old name", FileMode::regular, ObjectId::of(kind, "blob", kBase)},
                               {"b.txt", FileMode::executable, ObjectId::of(kind, "blob", "b\n")}},
                              kind));
  const auto done = repo.apply_check(
      *quarantine,
      "diff --git a/b.txt b/b.txt\ndeleted file mode 100755\n--- a/b.txt\n+++ /dev/null\n"
      "@@ -1 +0,0 @@\n-b\n"
      "diff --git \"a/n\\303\\251w\" \"b/n\\303\\251w\"\nnew file mode 100644\n--- /dev/null\n"
      "+++ \"b/n\\303\\251w\"\n@@ -0,0 +1,2 @@\n+x\n+y\n"
      "diff --git a/old name b/new name\nrename from old name\nrename to new name\n"
      "--- a/old name\t\n+++ b/new name\t\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
  // The renamed blob is not in the repository under this name, only by content.
  ASSERT_EQ(done->run.exit_code, 0) << done->run.err;
  EXPECT_EQ(*done->rows,
            (std::vector<NumstatRow>{{"b.txt", 0, 1}, {"n\xc3\xa9w", 2, 0}, {"new name", 1, 1}}));
}

TEST_F(RepoTest, WritesTheSameIndexAsGit) {
  for (const char* format : {"sha1", "sha256"}) {
    const GitSandbox sandbox(format);
    const HashKind kind = format == "sha1"s ? HashKind::sha1 : HashKind::sha256;
    const auto id = ObjectId::of(kind, "blob", "x\n");
    std::vector<IndexEntry> entries{{"z", FileMode::symlink, id},
                                    {"a-b", FileMode::regular, id},
                                    {"a/b", FileMode::executable, id},
                                    {"a.b", FileMode::gitlink, id},
                                    {std::string(5000, 'n'), FileMode::regular, id}};
    for (std::size_t length = 1; length < 20; ++length)
      entries.push_back({"p" + std::string(length, 'x'), FileMode::regular, id});
    std::string lines;
    for (const IndexEntry& e : entries)
      lines += to_string(e.mode) + ' ' + e.id.hex() + '\t' + e.path + '\n';
    sandbox.git_at(sandbox.root(), {"-c", "index.version=2", "update-index", "--index-info"},
                   lines);
    const std::string theirs = *sys::read_file(sandbox.at(".git/index"), 1u << 20);
    const std::string ours = index_bytes(entries, kind);
    // git appends its cache of trees; everything before, and the entry count, is the same.
    const std::size_t body = ours.size() - (kind == HashKind::sha1 ? 20 : 32);
    EXPECT_EQ(theirs.substr(0, body), ours.substr(0, body)) << format;
    ASSERT_TRUE(sys::write_file_atomic(sandbox.at(".git/index"), ours));
    EXPECT_EQ(sandbox.git({"ls-files"}).size() > 5000, true);
  }
}

TEST(IndexBytes, KeepTheLastOfTwoEntriesWithOnePath) {
  const auto one = ObjectId::of(HashKind::sha1, "blob", "1");
  const auto two = ObjectId::of(HashKind::sha1, "blob", "2");
  EXPECT_EQ(index_bytes({{"a", FileMode::regular, one},
                         {"b", FileMode::regular, one},
                         {"a", FileMode::executable, two}},
                        HashKind::sha1),
            index_bytes({{"b", FileMode::regular, one}, {"a", FileMode::executable, two}},
                        HashKind::sha1));
  EXPECT_EQ(index_bytes({}, HashKind::sha1).size(), 12u + 20u);
}

// ---- building and landing
// -------------------------------------------------------------------------

class LandingTest : public RepoTest {
 protected:
  LandingTest() : repo_(opened()), head_(*repo_.objects().commit("HEAD")) {}

  ObjectId build(const Quarantine& quarantine) {
    EXPECT_TRUE(repo_.read_tree(quarantine, head_.tree));
    const auto applied = repo_.apply_cached(quarantine, kPatch);
    EXPECT_EQ(applied->exit_code, 0) << applied->err;
    return *repo_.write_tree(quarantine);
  }
  bool repository_has(const ObjectId& id) {
    return sys::info(
               sandbox_.at(".git/objects/" + id.hex().substr(0, 2) + '/' + id.hex().substr(2)))
               .kind == sys::FileKind::file;
  }

  Repo repo_;
  Commit head_;
  const Identity who_{"Gate", "gate@example.org"};
};

TEST_F(LandingTest, KeepsNewObjectsInQuarantineUntilTheyAreLetIn) {
  std::string place;
  const auto blob = ObjectId::of(HashKind::sha1, "blob", kPatched);
  {
    auto quarantine = repo_.quarantine();
    const ObjectId tree = build(*quarantine);
    EXPECT_NE(tree, head_.tree);
    EXPECT_FALSE(repository_has(blob));
    EXPECT_FALSE(repository_has(tree));
    ASSERT_TRUE(quarantine->migrate());
    ASSERT_TRUE(quarantine->migrate()) << "what is there already is kept";
    EXPECT_TRUE(repository_has(blob));
    EXPECT_TRUE(repository_has(tree));
    EXPECT_EQ(sandbox_.git({"cat-file", "blob", tree.hex() + ":dir/a.txt"}) + '\n', kPatched);
    place = quarantine->objects();
  }
  EXPECT_EQ(sys::info(place).kind, sys::FileKind::missing);
  sandbox_.git({"fsck", "--strict"});
}

TEST_F(LandingTest, NamesTheFileWhenObjectsCannotBeLetIn) {
  auto quarantine = repo_.quarantine();
  (void)build(*quarantine);
  const auto blob = ObjectId::of(HashKind::sha1, "blob", kPatched);
  const std::string folder = sandbox_.at(".git/objects/" + blob.hex().substr(0, 2));
  ASSERT_TRUE(sys::write_file_atomic(folder, "in the way"));
  const auto migrated = quarantine->migrate();
  ASSERT_FALSE(migrated);
  EXPECT_EQ(migrated.error().code, Code::io_error);
  EXPECT_TRUE(contains(migrated.error().message, folder));
}

TEST_F(LandingTest, ReadsThroughTheAlternatesOfTheRepository) {
  const std::string shared = sandbox_.folder() + "/sha:red";
  sandbox_.git({"clone", "-q", "--shared", sandbox_.root(), shared});
  sandbox_.git_at(shared, {"checkout", "-q", "--detach"});
  auto repo = open(shared);
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_EQ(repo->objects().commit("HEAD")->id, head_.id);
  const auto quarantine = repo->quarantine();
  ASSERT_TRUE(repo->read_tree(*quarantine, head_.tree));
  EXPECT_EQ(repo->apply_cached(*quarantine, kPatch)->exit_code, 0);
  EXPECT_TRUE(repo->write_tree(*quarantine));
}

TEST_F(LandingTest, CommitsAndMovesARefOnlyFromTheExpectedPlace) {
  const auto quarantine = repo_.quarantine();
  const ObjectId tree = build(*quarantine);
  ASSERT_TRUE(quarantine->migrate());
  const auto commit = repo_.commit_tree({.tree = tree,
                                         .parents = {head_.id},
                                         .message = "landed\n\nGate: yes\n",
                                         .author = {"Agent", "agent@example.org"},
                                         .committer = who_,
                                         .time = {1'700'000'123}});
  ASSERT_TRUE(commit) << commit.error().message;
  EXPECT_EQ(sandbox_.git({"log", "-1", "--format=%an %ae %at %cn %ce %ct %P%n%B", commit->hex()}),
            "Agent agent@example.org 1700000123 Gate gate@example.org 1700000123 " +
                head_.id.hex() + "\nlanded\n\nGate: yes\n");
  const auto move = [&](const ObjectId& expected) {
    return repo_.update_ref("refs/heads/main", *commit, expected, who_, {1'700'000'124}, "land it");
  };
  EXPECT_EQ(move(head_.id), RefUpdate::done);
  EXPECT_EQ(sandbox_.git({"rev-parse", "main"}), commit->hex());
  EXPECT_EQ(sandbox_.git({"reflog", "-1", "--format=%gs|%gn", "main"}), "land it|Gate");
  EXPECT_EQ(move(head_.id), RefUpdate::moved);
  EXPECT_EQ(sandbox_.git({"rev-parse", "main"}), commit->hex());
}

TEST_F(LandingTest, RefusesRefNamesThatAreNone) {
  for (const char* bad : {"main", "-d", "refs/heads/a b", "refs/heads/..", "refs/\nx", "HEAD"}) {
    const auto moved = repo_.update_ref(bad, head_.id, head_.id, who_, {1}, "x");
    EXPECT_TRUE(!moved || *moved == RefUpdate::moved) << bad;
  }
  EXPECT_EQ(repo_.update_ref("main", head_.id, head_.id, who_, {1}, "x").error().code,
            Code::bad_argument);
}

TEST_F(LandingTest, AppliesToWorkTreeAndIndexTogether) {
  const auto applied = repo_.apply_index(kPatch);
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->exit_code, 0) << applied->err;
  EXPECT_EQ(sys::read_file(sandbox_.at("dir/a.txt"), 1000), kPatched);
  const auto staged = repo_.staged({"dir/a.txt", "missing", "*"});
  ASSERT_TRUE(staged);
  ASSERT_EQ(staged->size(), 1u) << "paths are literal";
  EXPECT_EQ((*staged)[0].id, ObjectId::of(HashKind::sha1, "blob", kPatched));
  EXPECT_EQ((*staged)[0].mode, 0100644u);
  const auto quarantine = repo_.quarantine();
  EXPECT_EQ(*repo_.write_tree_of_index(), build(*quarantine));
  ASSERT_TRUE(repo_.read_tree_into_index(head_.tree));
  EXPECT_EQ(*repo_.write_tree_of_index(), head_.tree);
}

TEST_F(LandingTest, RenewsStatDataOfTheIndex) {
  const timespec times[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, sandbox_.at("dir/a.txt").c_str(), times, 0), 0);
  ASSERT_TRUE(repo_.refresh_index());
  EXPECT_EQ(sandbox_.git({"diff-files", "--name-only"}), "");
}

TEST_F(LandingTest, KnowsTheBranchOfHead) {
  EXPECT_EQ(repo_.head_ref(), "refs/heads/main");
  sandbox_.git({"checkout", "-q", "--detach"});
  EXPECT_EQ(repo_.head_ref(), "");
}

// ---- facts
// ----------------------------------------------------------------------------------------

TEST_F(RepoTest, ListsTrackedPathsThatDifferFromIndexOrHead) {
  auto repo = opened();
  EXPECT_TRUE(repo.tracked_changes()->empty());
  sandbox_.write("untracked", "x");
  EXPECT_TRUE(repo.tracked_changes()->empty());
  sandbox_.write("new file", "n\n");
  sandbox_.git({"add", "new file"});
  sandbox_.write("dir/a.txt", "edited\n");
  ASSERT_TRUE(sys::remove_file(sandbox_.at("b.txt")));
  const auto changes = repo.tracked_changes();
  ASSERT_TRUE(changes) << changes.error().message;
  ASSERT_EQ(changes->size(), 3u);
  const auto& gone = (*changes)[0];
  EXPECT_EQ(gone.path, "b.txt");
  EXPECT_FALSE(gone.staged);
  EXPECT_TRUE(gone.in_work_tree);
  EXPECT_EQ(gone.work_sha256, "");
  const auto& edited = (*changes)[1];
  EXPECT_EQ(edited.path, "dir/a.txt");
  EXPECT_EQ(edited.work_sha256, digest_of("edited\n").hex());
  EXPECT_EQ(edited.index_id, ObjectId::of(HashKind::sha1, "blob", kBase).hex());
  const auto& added = (*changes)[2];
  EXPECT_EQ(added.path, "new file");
  EXPECT_TRUE(added.staged);
  EXPECT_FALSE(added.in_work_tree);
  EXPECT_EQ(added.work_mode, "100644");
}

TEST_F(RepoTest, ReadsTheStatusWhateverTheRepositoryWantsToSeeInIt) {
  sandbox_.write("b.txt", "stashed\n");
  sandbox_.git({"stash", "-q"});
  for (const char* key : {"status.showStash", "status.branch", "status.short"})
    sandbox_.git({"config", key, "true"});
  sandbox_.git({"config", "status.showUntrackedFiles", "all"});
  const auto changes = opened().tracked_changes();
  ASSERT_TRUE(changes) << changes.error().message;
  EXPECT_TRUE(changes->empty());
}

TEST_F(RepoTest, DoesNotReportAFileThatWasOnlyTouched) {
  auto repo = opened();
  sandbox_.write("dir/a.txt", kBase);
  EXPECT_TRUE(repo.tracked_changes()->empty());
}

TEST_F(RepoTest, TellsAttributesOfTheTreeInQuarantine) {
  sandbox_.write(".gitattributes", "*.bin filter=lfs\n*.id ident\n");
  sandbox_.commit("attributes");
  ASSERT_TRUE(sys::remove_file(sandbox_.at(".gitattributes")));
  auto repo = opened();
  const auto quarantine = repo.quarantine();
  ASSERT_TRUE(repo.read_tree(*quarantine, repo.objects().commit("HEAD")->tree));
  const auto rows = repo.attributes(*quarantine, {"filter", "ident"}, {"x/a.bin", "b.id"});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 4u);
  EXPECT_EQ((*rows)[0].value, "lfs");
  EXPECT_EQ((*rows)[1].value, "unspecified");
  EXPECT_EQ((*rows)[3].path, "b.id");
  EXPECT_EQ((*rows)[3].value, "set");
}

TEST_F(RepoTest, MeasuresCommitsNewestFirstWithoutMerges) {
  sandbox_.git({"mv", "b.txt", "c.txt"});
  sandbox_.write("bin", "\0\1\2"s);
  const std::string second = sandbox_.commit("second");
  sandbox_.git({"checkout", "-q", "-b", "side", "HEAD~1"});
  sandbox_.write("side", "1\n2\n");
  const std::string side = sandbox_.commit("side");
  sandbox_.git({"checkout", "-q", "main"});
  sandbox_.git({"merge", "-q", "--no-edit", "side"});
  auto repo = opened();
  const auto sizes = repo.commit_sizes(repo.objects().commit("HEAD")->id, 10);
  ASSERT_TRUE(sizes) << sizes.error().message;
  ASSERT_EQ(sizes->size(), 3u);
  std::map<std::string, CommitSize> by_id;
  for (const CommitSize& size : *sizes)
    by_id.emplace(size.id.hex(), size);
  ASSERT_TRUE(by_id.contains(second) && by_id.contains(side));
  EXPECT_EQ(by_id.at(second).paths, 3);
  EXPECT_EQ(by_id.at(second).added, 0);
  EXPECT_TRUE(by_id.at(second).binary);
  EXPECT_EQ(by_id.at(side).paths, 1);
  EXPECT_EQ(by_id.at(side).added, 2);
  EXPECT_EQ(sizes->back().paths, 2) << "the root commit counts";
  EXPECT_EQ(repo.commit_sizes(repo.objects().commit("HEAD")->id, 1)->size(), 1u);
}

TEST_F(RepoTest, PrintsDiffsThatIgnoreTheUsersTaste) {
  for (const auto& [key, value] :
       std::map<std::string, std::string>{{"diff.noprefix", "true"},
                                          {"diff.mnemonicPrefix", "true"},
                                          {"diff.renames", "copies"},
                                          {"color.ui", "always"},
                                          {"diff.context", "0"},
                                          {"diff.interHunkContext", "9"},
                                          {"diff.orderFile", sandbox_.at("dir/a.txt")},
                                          {"diff.submodule", "log"},
                                          {"diff.suppressBlankEmpty", "true"},
                                          {"core.abbrev", "4"}})
    sandbox_.git({"config", key, value});
  auto repo = opened();
  const auto first = repo.objects().commit("HEAD");
  sandbox_.write("dir/a.txt", kPatched);
  sandbox_.git({"add", "-A"});
  const auto old_id = ObjectId::of(HashKind::sha1, "blob", kBase).hex();
  const auto new_id = ObjectId::of(HashKind::sha1, "blob", kPatched).hex();
  const std::string expected = "diff --git a/dir/a.txt b/dir/a.txt\nindex " + old_id + ".." +
                               new_id +
                               " 100644\n--- a/dir/a.txt\n+++ b/dir/a.txt\n"
                               "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";
  EXPECT_EQ(repo.diff_staged(first->id, 1u << 20), expected);
  sandbox_.commit("second");
  const auto second = repo.objects().commit("HEAD");
  EXPECT_EQ(repo.diff_trees(first->id, second->id, 1u << 20), expected);
  EXPECT_EQ(repo.diff_trees(first->id, second->id, 10).error().code, Code::document_too_large);
}

TEST_F(RepoTest, RemovesWhatKilledProcessesLeftBehind) {
  (void)opened();
  const std::string tmp = sandbox_.at(".git/gatehouse/tmp");
  ASSERT_TRUE(sys::make_folders(tmp + "/q-1-old/aa"));
  ASSERT_TRUE(sys::write_file_atomic(tmp + "/q-1-old.index", "x"));
  ASSERT_TRUE(sys::write_file_atomic(tmp + "/q-2-new.index", "x"));
  const timespec times[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  for (const char* name : {"/q-1-old", "/q-1-old.index"})
    ASSERT_EQ(::utimensat(AT_FDCWD, (tmp + name).c_str(), times, 0), 0);
  ASSERT_TRUE(sys::write_file_atomic(sandbox_.at(".git/gatehouse/empty/.gitconfig"), "x"));
  auto repo = opened();
  EXPECT_EQ(sys::list_folder(tmp), std::vector<std::string>{"q-2-new.index"});
  EXPECT_TRUE(sys::list_folder(sandbox_.at(".git/gatehouse/empty"))->empty());
}

}  // namespace
}  // namespace gh::git
