// Hostile surroundings (patch-gate 8): settings that change what git does, or run a program, must
// neither change the result nor run. Everything goes through the command line, with real git.
#include <gtest/gtest.h>
#include <simdjson.h>
#include <sys/stat.h>

#include "tests/kit.h"

namespace gh {
namespace {

using kit::Words;
using kit::fs::path;

/// Adds trailing blanks and a TAB, so that every white space setting would show.
constexpr std::string_view kPatch =
    "diff --git a/one.txt b/one.txt\n"
    "--- a/one.txt\n"
    "+++ b/one.txt\n"
    "@@ -1,2 +1,3 @@\n"
    " one\n"
    "+added  \t \n"
    " two\n"
    "diff --git a/src/new.c b/src/new.c\n"
    "new file mode 100644\n"
    "--- /dev/null\n"
    "+++ b/src/new.c\n"
    "@@ -0,0 +1,2 @@\n"
    "+int x; \n"
    "+int y;\n";
constexpr std::string_view kOneAfter = "one\nadded  \t \ntwo\n";
constexpr std::string_view kNewAfter = "int x; \nint y;\n";

struct Answer {
  kit::Ran ran;
  bool ok = false;
  std::string code, rule, candidate_tree, all;
};

std::string text_at(const simdjson::dom::element& document, std::string_view pointer) {
  std::string_view text;
  return document.at_pointer(pointer).get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

/// A repository with one commit, and a folder beside it for whatever the attacker writes.
class Environment : public ::testing::Test {
 protected:
  void SetUp() override { repo = make_repo("repo", {}); }

  path make_repo(const std::string& name, const Words& init_options) {
    const path at = scratch.path() / name;
    Words init = {"git", "init", "-q", "-b", "main", "--template="};
    init.insert(init.end(), init_options.begin(), init_options.end());
    init.push_back(at.string());
    EXPECT_EQ(kit::run(init, {}).exit_code, 0);
    kit::write(at / "one.txt", "one\ntwo\n");
    kit::write(at / "src/main.c", "int main(void) { return 0; }\n");
    commit_all(at);
    return at;
  }

  static void commit_all(const path& at) {
    kit::git_says(at, {"add", "-A"});
    kit::git_says(at, {"commit", "-q", "--allow-empty", "-m", "state"});
  }

  /// Puts the policy into the base commit.
  void policy(const std::string& lines) {
    kit::write(repo / "gatehouse.yaml", "patch:\n" + lines);
    commit_all(repo);
  }

  /// A program that leaves a trace when it runs, and passes its input on.
  std::string spy(const std::string& name) {
    const path program = scratch.path() / "spies" / name;
    kit::write_script(program, "#!/bin/sh\necho ran >> '" + (scratch.path() / "traces").string() +
                                   "/" + name + "'\ncat\n");
    kit::fs::create_directories(scratch.path() / "traces");
    return program.string();
  }

  void no_spy_ran() const {
    const path traces = scratch.path() / "traces";
    if (!kit::fs::exists(traces)) return;
    for (const auto& trace : kit::fs::directory_iterator(traces))
      ADD_FAILURE() << trace.path().filename() << " ran";
  }

  Answer ask(const Words& words, std::string_view patch = kPatch, Words environment = {},
             path cwd = {}) const {
    Words all = {"patch"};
    all.insert(all.end(), words.begin(), words.end());
    all.push_back("--json");
    Answer a;
    a.ran = kit::gatehouse(all, {.cwd = cwd.empty() ? scratch.path() : cwd,
                                 .environment = std::move(environment),
                                 .input = patch});
    simdjson::dom::parser parser;
    simdjson::dom::element document;
    if (parser.parse(a.ran.out).get(document) == simdjson::SUCCESS) {
      if (document["ok"].get(a.ok) != simdjson::SUCCESS) a.ok = false;
      a.code = text_at(document, "/code");
      a.rule = text_at(document, "/details/rule");
      a.candidate_tree = text_at(document, "/candidate_tree");
    }
    a.all = "exit " + std::to_string(a.ran.exit_code) + "\n" + a.ran.out + a.ran.err;
    return a;
  }

  /// The tree that undisturbed git makes of the patch.
  std::string undisturbed_tree(std::string_view patch = kPatch) const {
    const path other = scratch.path() / "undisturbed";
    kit::fs::remove_all(other);
    EXPECT_EQ(
        kit::run({"git", "clone", "-q", "--bare", "--no-local", repo.string(), other.string()}, {})
            .exit_code,
        0);
    kit::git_says(other, {"read-tree", "HEAD"});
    kit::git_says(other, {"apply", "--cached", "-"}, patch);
    return kit::git_says(other, {"write-tree"});
  }

  /// Checks, lands in the work tree, and looks at every byte that came of it.
  void lands_exactly(const Words& environment = {}) {
    const std::string tree = undisturbed_tree();
    const Answer check = ask({"check", "-", "-C", repo.string()}, kPatch, environment);
    ASSERT_EQ(check.ran.exit_code, 0) << check.all;
    EXPECT_EQ(check.candidate_tree, tree);
    no_spy_ran();
    const Answer apply =
        ask({"apply", "-", "--land", "worktree", "-C", repo.string()}, kPatch, environment);
    ASSERT_EQ(apply.ran.exit_code, 0) << apply.all;
    no_spy_ran();
    holds_exactly(repo, tree);
  }

  static void holds_exactly(const path& at, const std::string& tree) {
    EXPECT_EQ(kit::git_says(at, {"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
                                 "write-tree"}),
              tree);
    EXPECT_EQ(kit::read(at / "one.txt"), kOneAfter);
    EXPECT_EQ(kit::read(at / "src/new.c"), kNewAfter);
  }

  void config(const std::string& key, const std::string& value) {
    kit::git_says(repo, {"config", key, value});
  }

  kit::Scratch scratch;
  path repo;
};

TEST_F(Environment, FiltersOfTheRepositoryDoNotRun) {
  config("filter.spy.clean", spy("clean"));
  config("filter.spy.smudge", spy("smudge"));
  config("filter.spy.process", spy("process"));
  kit::write(repo / ".git/info/attributes", "* filter=spy\n");
  lands_exactly();
}

TEST_F(Environment, RequiredFiltersThatFailDoNotMatter) {
  config("filter.broken.clean", "false");
  config("filter.broken.smudge", "false");
  config("filter.broken.required", "true");
  kit::write(repo / ".git/info/attributes", "*.txt filter=broken\n");
  lands_exactly();
}

TEST_F(Environment, FiltersOfAnAttributesFileDoNotRun) {
  config("filter.spy.clean", spy("clean"));
  config("filter.spy.smudge", spy("smudge"));
  kit::write(scratch.path() / "attributes", "* filter=spy\n");
  config("core.attributesFile", (scratch.path() / "attributes").string());
  lands_exactly();
}

TEST_F(Environment, AFilterOfTheBaseTreeIsRefusedAndDoesNotRun) {
  kit::write(repo / ".gitattributes", "*.txt filter=spy\n");
  commit_all(repo);
  config("filter.spy.clean", spy("clean"));
  config("filter.spy.smudge", spy("smudge"));
  const Answer a = ask({"apply", "-", "--land", "worktree", "-C", repo.string()});
  EXPECT_EQ(a.ran.exit_code, 1) << a.all;
  EXPECT_EQ(a.rule, "filtered_path");
  no_spy_ran();
  EXPECT_EQ(kit::read(repo / "one.txt"), "one\ntwo\n");
}

TEST_F(Environment, HooksDoNotRun) {
  const Words names = {"post-index-change",
                       "pre-commit",
                       "post-checkout",
                       "applypatch-msg",
                       "pre-applypatch",
                       "post-rewrite",
                       "post-commit",
                       "reference-transaction",
                       "update",
                       "pre-receive",
                       "post-merge"};
  kit::fs::create_directories(repo / ".git/hooks");
  for (const std::string& name : names)
    kit::fs::copy_file(spy(name), repo / ".git/hooks" / name);
  lands_exactly();
}

TEST_F(Environment, HooksOfAnotherFolderDoNotRun) {
  kit::fs::create_directories(scratch.path() / "hooks");
  for (const char* name : {"post-index-change", "reference-transaction"})
    kit::fs::copy_file(spy(name), scratch.path() / "hooks" / name);
  config("core.hooksPath", (scratch.path() / "hooks").string());
  lands_exactly();
}

TEST_F(Environment, HooksDoNotRunWhenACommitLands) {
  kit::fs::create_directories(repo / ".git/hooks");
  for (const char* name : {"reference-transaction", "pre-commit", "post-commit", "update"})
    kit::fs::copy_file(spy(name), repo / ".git/hooks" / name);
  const std::string tree = undisturbed_tree();
  kit::git_says(repo, {"-c", "core.hooksPath=/dev/null", "branch", "target"});
  const Answer a =
      ask({"apply", "-", "--land", "commit", "--ref", "refs/heads/target", "-C", repo.string()});
  EXPECT_EQ(a.ran.exit_code, 0) << a.all;
  EXPECT_EQ(kit::git_says(repo, {"rev-parse", "refs/heads/target^{tree}"}), tree);
  no_spy_ran();
}

TEST_F(Environment, TheFileSystemMonitorDoesNotRun) {
  config("core.fsmonitor", spy("fsmonitor"));
  config("core.untrackedCache", "true");
  lands_exactly();
}

TEST_F(Environment, LineEndSettingsDoNotChangeBytes) {
  config("core.autocrlf", "true");
  config("core.eol", "crlf");
  config("core.safecrlf", "true");
  lands_exactly();
}

TEST_F(Environment, LineEndAttributesBesideTheTreeDoNotChangeBytes) {
  kit::write(repo / ".git/info/attributes", "* text eol=crlf\n");
  lands_exactly();
  EXPECT_EQ(kit::git_says(repo, {"diff", "--name-only"}), "");
}

TEST_F(Environment, TrackedLineEndAttributesReachTheFilesAsACheckoutWouldWriteThem) {
  kit::write(repo / ".gitattributes", "* text eol=crlf\n");
  commit_all(repo);
  const std::string tree = undisturbed_tree();
  const Answer a = ask({"apply", "-", "--land", "worktree", "-C", repo.string()});
  ASSERT_EQ(a.ran.exit_code, 0) << a.all;
  EXPECT_EQ(kit::git_says(repo, {"write-tree"}), tree);
  EXPECT_EQ(kit::git_says(repo, {"diff", "--name-only"}), "");
  EXPECT_EQ(kit::read(repo / "src/new.c"), "int x; \r\nint y;\r\n");
}

TEST_F(Environment, WhiteSpaceSettingsDoNotChangeBytes) {
  for (const char* value : {"fix", "error", "error-all", "strip"}) {
    SCOPED_TRACE(value);
    repo = make_repo(std::string("repo-") + value, {});
    config("apply.whitespace", value);
    config("apply.ignoreWhitespace", "change");
    config("core.whitespace", "trailing-space,space-before-tab,tab-in-indent,blank-at-eol");
    lands_exactly();
  }
}

TEST_F(Environment, LooseWhiteSpaceMatchingIsNotBorrowed) {
  config("apply.ignoreWhitespace", "change");
  const Answer a =
      ask({"check", "-", "-C", repo.string()},
          "diff --git a/src/main.c b/src/main.c\n--- a/src/main.c\n+++ b/src/main.c\n"
          "@@ -1 +1 @@\n-int  main(void)  { return 0; }\n+int main(void) { return 1; }\n");
  EXPECT_EQ(a.ran.exit_code, 1) << a.all;
  EXPECT_EQ(a.rule, "hunk_position_mismatch");
}

TEST_F(Environment, UserConfigurationIsNotRead) {
  const path home = scratch.path() / "home";
  kit::write(home / ".gitconfig",
             "[apply]\n\twhitespace = fix\n[core]\n\tautocrlf = true\n"
             "\tfsmonitor = " +
                 spy("fsmonitor") + "\n\thooksPath = " + (scratch.path() / "hooks").string() +
                 "\n");
  kit::write(home / ".config/git/config", "[apply]\n\twhitespace = error\n");
  kit::write(home / ".config/git/attributes", "* text eol=crlf\n");
  lands_exactly({"PATH=/usr/bin:/bin", "HOME=" + home.string(),
                 "XDG_CONFIG_HOME=" + (home / ".config").string()});
}

TEST_F(Environment, GitVariablesOfTheCallerAreNotInherited) {
  const path other = make_repo("other", {});
  const std::string other_before = kit::git_says(other, {"rev-parse", "HEAD"});
  const path trace = scratch.path() / "trace.txt";
  lands_exactly({"PATH=/usr/bin:/bin",
                 "HOME=/nonexistent",
                 "GIT_DIR=" + (other / ".git").string(),
                 "GIT_WORK_TREE=" + other.string(),
                 "GIT_INDEX_FILE=" + (scratch.path() / "index").string(),
                 "GIT_OBJECT_DIRECTORY=" + (other / ".git/objects").string(),
                 "GIT_ALTERNATE_OBJECT_DIRECTORIES=/nonexistent",
                 "GIT_COMMON_DIR=" + (other / ".git").string(),
                 "GIT_NAMESPACE=elsewhere",
                 "GIT_PREFIX=src/",
                 "GIT_CEILING_DIRECTORIES=/",
                 "GIT_CONFIG_COUNT=2",
                 "GIT_CONFIG_KEY_0=apply.whitespace",
                 "GIT_CONFIG_VALUE_0=fix",
                 "GIT_CONFIG_KEY_1=core.autocrlf",
                 "GIT_CONFIG_VALUE_1=true",
                 "GIT_CONFIG_PARAMETERS='apply.whitespace'='error'",
                 "GIT_CONFIG=" + (other / ".git/config").string(),
                 "GIT_EXTERNAL_DIFF=" + spy("external-diff"),
                 "GIT_EXEC_PATH=/nonexistent",
                 "GIT_TEMPLATE_DIR=/nonexistent",
                 "GIT_LITERAL_PATHSPECS=1",
                 "GIT_TRACE=" + trace.string(),
                 "GIT_TRACE2_EVENT=" + trace.string(),
                 "GIT_REPLACE_REF_BASE=refs/elsewhere/",
                 "GIT_DEFAULT_HASH=sha256",
                 "GIT_SHALLOW_FILE=/nonexistent",
                 "LC_ALL=de_DE.UTF-8",
                 "LANGUAGE=de",
                 "TZ=Pacific/Kiritimati"});
  EXPECT_FALSE(kit::fs::exists(trace));
  EXPECT_FALSE(kit::fs::exists(scratch.path() / "index"));
  EXPECT_EQ(kit::git_says(other, {"rev-parse", "HEAD"}), other_before);
  EXPECT_EQ(kit::git_says(other, {"status", "--porcelain"}), "");
}

TEST_F(Environment, AnotherGitOnThePathOfTheCallerDoesNotRun) {
  kit::fs::create_directories(scratch.path() / "bin");
  kit::fs::copy_file(spy("git"), scratch.path() / "bin/git");
  lands_exactly({"PATH=" + (scratch.path() / "bin").string() + ":/usr/bin:/bin"});
}

TEST_F(Environment, OtherLocaleAndZoneGiveTheSameAnswer) {
  const Words words = {"check", "-", "-C", repo.string()};
  const Answer plain = ask(words, kPatch, {"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"});
  const Answer other =
      ask(words, kPatch, {"PATH=/usr/bin:/bin", "LC_ALL=tr_TR.UTF-8", "TZ=Asia/Kathmandu"});
  EXPECT_EQ(plain.ran.exit_code, 0) << plain.all;
  EXPECT_EQ(other.ran.exit_code, 0) << other.all;
  EXPECT_EQ(plain.candidate_tree, other.candidate_tree);
}

TEST_F(Environment, AWorkTreeNamedInTheConfigurationIsNotPatched) {
  const path elsewhere = scratch.path() / "elsewhere";
  kit::write(elsewhere / "one.txt", "one\ntwo\n");
  config("core.worktree", elsewhere.string());
  const Answer a = ask({"apply", "-", "--land", "worktree", "-C", repo.string()});
  EXPECT_EQ(kit::read(elsewhere / "one.txt"), "one\ntwo\n") << a.all;
  EXPECT_FALSE(kit::fs::exists(elsewhere / "src"));
  EXPECT_TRUE(a.ok || a.rule == "repo_root_not_toplevel") << a.all;
}

TEST_F(Environment, FileModeSettingDoesNotHideAModeChange) {
  policy("  allow_mode_changes: true\n  grammar:\n    profile: git\n");
  config("core.filemode", "false");
  constexpr std::string_view patch =
      "diff --git a/one.txt b/one.txt\nold mode 100644\nnew mode 100755\n";
  const Answer a = ask({"apply", "-", "--land", "worktree", "-C", repo.string()}, patch);
  ASSERT_EQ(a.ran.exit_code, 0) << a.all;
  EXPECT_TRUE(kit::git_says(repo, {"ls-files", "-s", "one.txt"}).starts_with("100755"));
  struct stat info {};
  ASSERT_EQ(stat((repo / "one.txt").c_str(), &info), 0);
  EXPECT_TRUE((info.st_mode & S_IXUSR) != 0);
}

TEST_F(Environment, SymlinkSettingDoesNotTurnALinkIntoAFile) {
  policy("  allow_symlinks: true\n");
  config("core.symlinks", "false");
  constexpr std::string_view patch =
      "diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n"
      "@@ -0,0 +1 @@\n+src\n\\ No newline at end of file\n";
  const Answer a = ask({"apply", "-", "--land", "worktree", "-C", repo.string()}, patch);
  ASSERT_EQ(a.ran.exit_code, 0) << a.all;
  EXPECT_TRUE(kit::git_says(repo, {"ls-files", "-s", "link"}).starts_with("120000"));
  ASSERT_TRUE(kit::fs::is_symlink(repo / "link"));
  EXPECT_EQ(kit::fs::read_symlink(repo / "link"), "src");
}

TEST_F(Environment, SettingsOfOtherFileSystemsDoNotLoosenPaths) {
  config("core.protectHFS", "false");
  config("core.protectNTFS", "false");
  config("core.ignorecase", "true");
  config("core.precomposeunicode", "true");
  for (const char* name : {".g\xE2\x80\x8Cit/config", "GIT~1/config", ".GIT/config"}) {
    const std::string patch = std::string("diff --git a/") + name + " b/" + name +
                              "\nnew file mode 100644\n--- /dev/null\n+++ b/" + name +
                              "\n@@ -0,0 +1 @@\n+x\n";
    const Answer a = ask({"check", "-", "-C", repo.string()}, patch);
    EXPECT_EQ(a.ran.exit_code, 1) << a.all;
    EXPECT_EQ(a.rule, "path_dotgit");
  }
  lands_exactly();
}

TEST_F(Environment, IndexSettingsDoNotMatter) {
  config("core.splitIndex", "true");
  config("index.version", "4");
  config("core.sparseCheckout", "true");
  kit::write(repo / ".git/info/sparse-checkout", "/*\n");
  kit::git_says(repo, {"update-index", "--index-version", "4"});
  lands_exactly();
}

TEST_F(Environment, ReplacedObjectsAreNotBelieved) {
  const std::string blob = kit::git_says(repo, {"rev-parse", "HEAD:one.txt"});
  const std::string fake = kit::git_says(repo, {"hash-object", "-w", "--stdin"}, "one\nfake\n");
  kit::git_says(repo, {"replace", blob, fake});
  const Answer a = ask({"check", "-", "-C", repo.string()});
  EXPECT_EQ(a.ran.exit_code, 0) << a.all;
}

TEST_F(Environment, AFolderBelowTheTopLevelIsRefused) {
  const Answer named = ask({"check", "-", "-C", (repo / "src").string()});
  EXPECT_EQ(named.ran.exit_code, 4) << named.all;
  EXPECT_EQ(named.code, "PATCH_ENV_INVALID");
  EXPECT_EQ(named.rule, "repo_root_not_toplevel");
  const Answer landing = ask({"apply", "-", "--land", "worktree", "-C", (repo / "src").string()});
  EXPECT_EQ(landing.ran.exit_code, 4) << landing.all;
  EXPECT_EQ(kit::git_says(repo, {"status", "--porcelain"}), "");
}

TEST_F(Environment, APlainFolderIsNoRepository) {
  kit::write(scratch.path() / "plain/one.txt", "one\ntwo\n");
  const Answer a =
      ask({"apply", "-", "--land", "worktree", "-C", (scratch.path() / "plain").string()});
  EXPECT_EQ(a.ran.exit_code, 4) << a.all;
  EXPECT_EQ(a.code, "PATCH_ENV_INVALID");
  EXPECT_EQ(a.rule, "not_a_repository");
  EXPECT_EQ(kit::read(scratch.path() / "plain/one.txt"), "one\ntwo\n");
}

TEST_F(Environment, AMissingFolderIsNamed) {
  const Answer a = ask({"check", "-", "-C", (scratch.path() / "absent").string()});
  EXPECT_EQ(a.ran.exit_code, 4) << a.all;
  EXPECT_EQ(a.code, "PATCH_ENV_INVALID");
  EXPECT_EQ(a.rule, "repo_root_missing");
}

TEST_F(Environment, AnotherOwnerIsRefusedUnlessTrusted) {
  constexpr uid_t kSomebodyElse = 12345;
  for (const auto& entry : kit::fs::recursive_directory_iterator(repo))
    if (lchown(entry.path().c_str(), kSomebodyElse, static_cast<gid_t>(-1)) != 0)
      return lands_exactly();  // only root can give files away; the own repository stays in order
  ASSERT_EQ(chown(repo.c_str(), kSomebodyElse, static_cast<gid_t>(-1)), 0);
  const Answer a = ask({"check", "-", "-C", repo.string()});
  EXPECT_EQ(a.ran.exit_code, 4) << a.all;
  EXPECT_EQ(a.code, "PATCH_ENV_INVALID");
  EXPECT_EQ(a.rule, "dubious_ownership");
  const Answer trusting = ask({"check", "-", "-C", repo.string()}, kPatch,
                              {"PATH=/usr/bin:/bin", "GIT_CONFIG_COUNT=1",
                               "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"});
  EXPECT_EQ(trusting.rule, "dubious_ownership") << "safe.directory of the caller is not asked";
}

TEST_F(Environment, SafeDirectorySettingsDoNotStopTheOwner) {
  const path home = scratch.path() / "home";
  kit::write(home / ".gitconfig",
             "[safe]\n\tdirectory = /nonexistent\n\tbareRepository = explicit\n");
  lands_exactly({"PATH=/usr/bin:/bin", "HOME=" + home.string()});
}

TEST_F(Environment, AnOperationInProgressIsRefused) {
  const std::string head = kit::git_says(repo, {"rev-parse", "HEAD"}) + "\n";
  const auto busy = [&](const path& marker, bool folder) {
    SCOPED_TRACE(marker.string());
    const path at = repo / ".git" / marker;
    if (folder) {
      kit::fs::create_directories(at);
    } else {
      kit::write(at, head);
    }
    const Answer a = ask({"apply", "-", "--land", "worktree", "-C", repo.string()});
    EXPECT_EQ(a.ran.exit_code, 4) << a.all;
    EXPECT_EQ(a.code, "PATCH_ENV_INVALID");
    EXPECT_EQ(a.rule, "repo_busy");
    kit::fs::remove_all(at);
  };
  for (const char* file : {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG"})
    busy(file, false);
  for (const char* folder : {"rebase-merge", "rebase-apply"})
    busy(folder, true);
  busy("index.lock", false);
  lands_exactly();
}

TEST_F(Environment, ALinkedWorkTreeIsItsOwnTopLevel) {
  const std::string tree = undisturbed_tree();
  const path linked = scratch.path() / "linked";
  kit::git_says(repo, {"worktree", "add", "-q", "-b", "side", linked.string()});
  const Answer a = ask({"apply", "-", "--land", "worktree", "-C", linked.string()});
  ASSERT_EQ(a.ran.exit_code, 0) << a.all;
  holds_exactly(linked, tree);
  EXPECT_EQ(kit::git_says(repo, {"status", "--porcelain"}), "");
  EXPECT_EQ(kit::read(repo / "one.txt"), "one\ntwo\n");
}

TEST_F(Environment, ABareRepositoryTakesACommit) {
  const std::string tree = undisturbed_tree();
  const path bare = scratch.path() / "bare.git";
  ASSERT_EQ(kit::run({"git", "clone", "-q", "--bare", repo.string(), bare.string()}, {}).exit_code,
            0);
  const std::string before = kit::git_says(bare, {"rev-parse", "refs/heads/main"});
  const Answer check = ask({"check", "-", "-C", bare.string()});
  EXPECT_EQ(check.ran.exit_code, 0) << check.all;
  EXPECT_EQ(check.candidate_tree, tree);
  const Answer a =
      ask({"apply", "-", "--land", "commit", "--ref", "refs/heads/main", "-C", bare.string()});
  ASSERT_EQ(a.ran.exit_code, 0) << a.all;
  EXPECT_EQ(kit::git_says(bare, {"rev-parse", "refs/heads/main^{tree}"}), tree);
  EXPECT_EQ(kit::git_says(bare, {"rev-parse", "refs/heads/main^"}), before);
}

TEST_F(Environment, ABareRepositoryHasNoWorkTreeToLandIn) {
  const path bare = scratch.path() / "bare.git";
  ASSERT_EQ(kit::run({"git", "clone", "-q", "--bare", repo.string(), bare.string()}, {}).exit_code,
            0);
  const std::string before = kit::git_says(bare, {"rev-parse", "refs/heads/main"});
  const Answer a = ask({"apply", "-", "--land", "worktree", "-C", bare.string()});
  EXPECT_NE(a.ran.exit_code, 0) << a.all;
  EXPECT_FALSE(a.ok);
  EXPECT_FALSE(kit::fs::exists(bare / "src"));
  EXPECT_EQ(kit::git_says(bare, {"rev-parse", "refs/heads/main"}), before);
}

TEST_F(Environment, ASha256RepositoryWorksTheSame) {
  repo = make_repo("sha256", {"--object-format=sha256"});
  ASSERT_EQ(kit::git_says(repo, {"rev-parse", "HEAD"}).size(), 64u);
  lands_exactly();
}

TEST_F(Environment, FullObjectIdsOfASha256RepositoryAreCompared) {
  repo = make_repo("sha256", {"--object-format=sha256"});
  const std::string blob = kit::git_says(repo, {"rev-parse", "HEAD:one.txt"});
  const auto patch = [&](const std::string& id) {
    return "diff --git a/one.txt b/one.txt\nindex " + id + ".." + std::string(64, '1') +
           " 100644\n--- a/one.txt\n+++ b/one.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n";
  };
  const Answer right = ask({"check", "-", "-C", repo.string()}, patch(blob));
  EXPECT_EQ(right.ran.exit_code, 0) << right.all;
  const Answer wrong = ask({"check", "-", "-C", repo.string()}, patch(std::string(64, 'a')));
  EXPECT_EQ(wrong.ran.exit_code, 1) << wrong.all;
  EXPECT_EQ(wrong.rule, "base_blob_mismatch");
}

TEST_F(Environment, PolicyIsReadAtTheBaseCommitAndNowhereElse) {
  policy("  allow_roots: [src]\n");
  kit::write(repo / "gatehouse.yaml", "patch:\n  allow_roots: [\".\"]\n");
  const Answer a = ask({"check", "-", "-C", repo.string()});
  EXPECT_EQ(a.ran.exit_code, 1) << a.all;
  EXPECT_EQ(a.rule, "allow_roots");
}

}  // namespace
}  // namespace gh
