// The surroundings of every git command, and repositories that try to steer it.
#include <algorithm>

#include <fcntl.h>

#include "base/text.h"
#include "git/tail.h"
#include "tests/repo_kit.h"

namespace gh::git {
namespace {

// ---- the surroundings of git --------------------------------------------------------------------

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
      {"GIT_GRAFT_FILE", "/dev/null/none"},
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

// ---- hostile repositories -----------------------------------------------------------------------

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

TEST_F(RepoTest, GraftsGiveNoCommitOtherParents) {
  const std::string first = sandbox_.git({"rev-parse", "HEAD"});
  sandbox_.git({"checkout", "-q", "--orphan", "alone"});
  const std::string alone = sandbox_.commit("alone");
  sandbox_.git({"checkout", "-q", "main"});
  ASSERT_TRUE(sys::make_folders(sandbox_.at(".git/info")));
  ASSERT_TRUE(sys::write_file_atomic(sandbox_.at(".git/info/grafts"), alone + " " + first + "\n"));
  auto repo = opened();
  const auto stands_on = repo.contains(alone, first);
  ASSERT_TRUE(stands_on) << stands_on.error().message;
  EXPECT_FALSE(*stands_on);
}

}  // namespace
}  // namespace gh::git
