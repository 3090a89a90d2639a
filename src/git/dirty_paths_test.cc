// What git calls dirt, in real repositories: every kind of name and every kind of change.
#include <algorithm>

#include <fcntl.h>
#include <fmt/format.h>

#include "base/text.h"
#include "tests/repo_kit.h"

namespace gh::git {
namespace {

using Dirt = std::map<std::string, std::string>;  // path to status
using Paths = std::vector<std::string>;

class DirtyTest : public RepoTest {
 protected:
  std::vector<DirtyPath> rows(const DirtyQuestion& question = {}) {
    const auto found = opened().dirty_paths(question);
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or(std::vector<DirtyPath>{});
  }
  Dirt dirt(const DirtyQuestion& question = {}) {
    Dirt out;
    for (const DirtyPath& row : rows(question)) {
      EXPECT_TRUE(out.emplace(row.path, row.status_xy).second) << row.path << " twice";
    }
    return out;
  }
  Dirt dirt_at(const Paths& paths) { return dirt({.paths = paths}); }

  void link(const std::string& target, const std::string& path) {
    (void)sys::remove_file(sandbox_.at(path));
    ASSERT_EQ(::symlink(target.c_str(), sandbox_.at(path).c_str()), 0);
  }

  /// A submodule "sub" with one file, committed.
  void add_submodule() {
    sandbox_.git_at(sandbox_.folder(), {"init", "-q", "-b", "main", "library"});
    const std::string library = sandbox_.folder() + "/library";
    ASSERT_TRUE(sys::write_file_atomic(library + "/lib.txt", "lib\n"));
    sandbox_.git_at(library, {"add", "-A"});
    sandbox_.git_at(library, {"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q",
                              "-m", "library"});
    sandbox_.git(
        {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub"});
    sandbox_.commit("submodule");
  }
};

// ---- names --------------------------------------------------------------------------------------

const Paths kNames{"with space",
                   " leading and trailing ",
                   "quo\"te's",
                   "new\nline",
                   "tab\tbed",
                   "back\\slash",
                   "ünï – 漢字",
                   "not utf8 \xff\xc3",
                   "-dash",
                   "--untracked-files=no",
                   "*",
                   "[a-z]?",
                   ":(top,exclude)b",
                   ":!b.txt",
                   "#comment",
                   "? question",
                   "1 .M N... record",
                   "~tilde",
                   "$HOME",
                   "@{u}",
                   "deep/-er/new\nfile"};

TEST_F(DirtyTest, UntrackedNamesAreExact) {
  Dirt expected;
  for (const std::string& name : kNames) {
    sandbox_.write(name, "x\n");
    expected.emplace(name, "??");
  }
  EXPECT_EQ(dirt(), expected);
}

TEST_F(DirtyTest, TrackedNamesAreExactInEveryState) {
  for (const std::string& name : kNames)
    sandbox_.write(name, "x\n");
  sandbox_.commit("names");
  EXPECT_EQ(dirt(), Dirt{});
  Dirt edited, gone;
  for (const std::string& name : kNames) {
    sandbox_.write(name, "edited\n");
    edited.emplace(name, ".M");
    gone.emplace(name, ".D");
  }
  EXPECT_EQ(dirt(), edited);
  for (const std::string& name : kNames)
    ASSERT_TRUE(sys::remove_file(sandbox_.at(name)));
  EXPECT_EQ(dirt(), gone);
}

TEST_F(DirtyTest, AskedPathsAreLiteral) {
  for (const std::string& name : kNames)
    sandbox_.write(name, "x\n");
  for (const std::string& name : kNames)
    EXPECT_EQ(dirt_at({name}), (Dirt{{name, "??"}})) << name;
  EXPECT_EQ(dirt_at({"deep"}), (Dirt{{"deep/-er/new\nfile", "??"}}));
  EXPECT_EQ(dirt_at({"deep/", "-dash"}), (Dirt{{"deep/-er/new\nfile", "??"}, {"-dash", "??"}}));
  EXPECT_EQ(dirt_at({"dee", "nothing"}), Dirt{});
  EXPECT_EQ(dirt_at({}), Dirt{}) << "no path is not the whole repository";
}

TEST_F(DirtyTest, RefusesPathsThatLeadElsewhere) {
  const auto repo = opened();
  for (const std::string& bad : {""s, "/"s, "/etc"s, ".."s, "a/../b"s, "./a"s, "a//b"s, "a\0b"s}) {
    const auto found = repo.dirty_paths({.paths = Paths{bad}});
    ASSERT_FALSE(found) << bad;
    EXPECT_EQ(found.error().code, Code::bad_argument);
  }
  EXPECT_EQ(repo.dirty_paths({.below = "../elsewhere"}).error().code, Code::bad_argument);
}

TEST_F(DirtyTest, AnswersForMorePathsThanArgumentsCanHold) {
  Paths many{"b.txt", "deep"};
  for (int i = 0; i < 30'000; ++i)
    many.push_back(fmt::format("a/folder/with/a/rather/long/name/and/a/file/{}", i));
  many.push_back(std::string(200'000, 'x'));
  sandbox_.write("b.txt", "edited\n");
  sandbox_.write("deep/new", "x\n");
  sandbox_.write("unasked", "x\n");
  EXPECT_EQ(dirt_at(many), (Dirt{{"b.txt", ".M"}, {"deep/new", "??"}}));
}

// ---- states -------------------------------------------------------------------------------------

TEST_F(DirtyTest, ATouchedFileIsClean) {
  EXPECT_EQ(dirt(), Dirt{});
  sandbox_.write("b.txt", "b\n");
  EXPECT_EQ(dirt(), Dirt{});
}

TEST_F(DirtyTest, TellsStagedAndUnstagedChanges) {
  sandbox_.write("dir/a.txt", "staged\n");
  sandbox_.git({"add", "dir/a.txt"});
  EXPECT_EQ(dirt(), (Dirt{{"dir/a.txt", "M."}}));
  sandbox_.write("dir/a.txt", "edited again\n");
  sandbox_.write("new", "n\n");
  sandbox_.git({"add", "new"});
  EXPECT_EQ(dirt(), (Dirt{{"dir/a.txt", "MM"}, {"new", "A."}}));
  sandbox_.write("dir/a.txt", kBase);
  EXPECT_EQ(dirt(), (Dirt{{"dir/a.txt", "MM"}, {"new", "A."}}))
      << "as in HEAD, not as in the index";
  const auto found = rows({.paths = Paths{"dir/a.txt"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].index_mode, "100644");
  EXPECT_EQ(found[0].index_id, ObjectId::of(HashKind::sha1, "blob", "staged\n").hex());
}

TEST_F(DirtyTest, BothPathsOfARenameAreDirty) {
  sandbox_.git({"config", "status.renames", "copies"});
  sandbox_.git({"mv", "dir/a.txt", "moved.txt"});
  EXPECT_EQ(dirt(), (Dirt{{"dir/a.txt", "D."}, {"moved.txt", "A."}}));
  sandbox_.write("copy.txt", "b\n");
  sandbox_.git({"add", "copy.txt"});
  sandbox_.write("b.txt", "and the original changed\n");
  EXPECT_EQ(dirt(),
            (Dirt{{"dir/a.txt", "D."}, {"moved.txt", "A."}, {"copy.txt", "A."}, {"b.txt", ".M"}}));
  EXPECT_EQ(dirt_at({"dir"}), (Dirt{{"dir/a.txt", "D."}}));
}

TEST_F(DirtyTest, ARenameByHandIsADeletionAndAnUntrackedFile) {
  ASSERT_EQ(::rename(sandbox_.at("b.txt").c_str(), sandbox_.at("c.txt").c_str()), 0);
  EXPECT_EQ(dirt(), (Dirt{{"b.txt", ".D"}, {"c.txt", "??"}}));
}

TEST_F(DirtyTest, ARenameOfLetterCaseAloneHasTwoPaths) {
  sandbox_.git({"config", "core.ignoreCase", "true"});
  sandbox_.git({"mv", "b.txt", "B.TXT"});
  EXPECT_EQ(dirt(), (Dirt{{"b.txt", "D."}, {"B.TXT", "A."}}));
  EXPECT_EQ(dirt_at({"B.TXT"}), (Dirt{{"B.TXT", "A."}}));
}

TEST_F(DirtyTest, TellsStagedAndUnstagedDeletions) {
  ASSERT_TRUE(sys::remove_file(sandbox_.at("b.txt")));
  sandbox_.git({"rm", "-q", "dir/a.txt"});
  EXPECT_EQ(dirt(), (Dirt{{"b.txt", ".D"}, {"dir/a.txt", "D."}}));
}

TEST_F(DirtyTest, AFileThatOnlyLeftTheIndexIsOnePath) {
  sandbox_.git({"rm", "-q", "--cached", "b.txt"});
  EXPECT_EQ(dirt(), (Dirt{{"b.txt", "D?"}}));
  ASSERT_TRUE(sys::remove_file(sandbox_.at("b.txt")));
  EXPECT_EQ(dirt(), (Dirt{{"b.txt", "D."}}));
}

TEST_F(DirtyTest, UntrackedFoldersAreExpandedAndIgnoredOnesAreNot) {
  sandbox_.git({"config", "status.showUntrackedFiles", "no"});
  sandbox_.write(".gitignore", "*.o\nbuild/\n");
  sandbox_.commit("ignore");
  sandbox_.write(".git/info/exclude", "private\n");
  sandbox_.write("pkg/new/module.py", "x\n");
  sandbox_.write("pkg/new/deep/er.py", "x\n");
  sandbox_.write("pkg/new/module.o", "x\n");
  sandbox_.write("build/out.txt", "x\n");
  sandbox_.write("private/notes", "x\n");
  ASSERT_TRUE(sys::make_folders(sandbox_.at("empty/folder")));
  EXPECT_EQ(dirt(), (Dirt{{"pkg/new/module.py", "??"}, {"pkg/new/deep/er.py", "??"}}));
  EXPECT_EQ(dirt_at({"pkg/new/module.py"}), (Dirt{{"pkg/new/module.py", "??"}}));
  sandbox_.write("build/forced.txt", "x\n");
  sandbox_.git({"add", "-f", "build/forced.txt"});
  EXPECT_EQ(dirt_at({"build"}), (Dirt{{"build/forced.txt", "A."}})) << "tracked all the same";
}

TEST_F(DirtyTest, OurOwnStateIsNoDirt) {
  const auto repo = opened();
  ASSERT_TRUE(sys::write_file_atomic(repo.state_dir() + "/ledger.db", "x"));
  EXPECT_TRUE(repo.dirty_paths({})->empty());
}

TEST_F(DirtyTest, AGitFolderOfAnotherNameInTheWorkTreeIsNoDirt) {
  const std::string root = sandbox_.folder() + "/apart";
  sandbox_.git_at(sandbox_.folder(), {"init", "-q", "--separate-git-dir=" + root + "/store", root});
  auto repo = open(root);
  ASSERT_TRUE(repo) << repo.error().message;
  ASSERT_TRUE(sys::write_file_atomic(root + "/stored.txt", "x"));
  ASSERT_TRUE(sys::write_file_atomic(repo->state_dir() + "/ledger.db", "x"));
  const auto found = repo->dirty_paths({});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ((*found)[0].path, "stored.txt");
}

TEST_F(DirtyTest, ARepositoryThatIsNotTrackedIsOnePath) {
  sandbox_.git_at(sandbox_.root(), {"init", "-q", "nested/one"});
  sandbox_.write("nested/one/file", "x\n");
  const auto found = rows();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, "nested/one");
  EXPECT_EQ(found[0].status_xy, "??");
  EXPECT_TRUE(found[0].is_submodule);
}

TEST_F(DirtyTest, UnmergedPathsAreDirty) {
  sandbox_.git({"checkout", "-q", "-b", "other"});
  sandbox_.write("b.txt", "theirs\n");
  sandbox_.write("both", "theirs\n");
  sandbox_.git({"rm", "-q", "dir/a.txt"});
  sandbox_.commit("theirs");
  sandbox_.git({"checkout", "-q", "main"});
  sandbox_.write("b.txt", "ours\n");
  sandbox_.write("both", "ours\n");
  sandbox_.write("dir/a.txt", "ours\n");
  sandbox_.commit("ours");
  sys::Command merge{.argv = {"/usr/bin/git", "merge", "other"},
                     .environment = GitSandbox::environment(),
                     .cwd = sandbox_.root()};
  ASSERT_EQ(sys::run(merge)->exit_code, 1);
  options_.need_idle = false;
  EXPECT_EQ(dirt(), (Dirt{{"b.txt", "UU"}, {"both", "AA"}, {"dir/a.txt", "UD"}}));
  const auto found = rows({.paths = Paths{"b.txt"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].is_unmerged);
  EXPECT_EQ(found[0].index_id, ObjectId::of(HashKind::sha1, "blob", "ours\n").hex());
}

TEST_F(DirtyTest, AnIntentToAddIsDirty) {
  sandbox_.write("promised", "x\n");
  sandbox_.git({"add", "-N", "promised"});
  EXPECT_EQ(dirt(), (Dirt{{"promised", ".A"}}));
}

TEST_F(DirtyTest, ModesLinksAndTypesCount) {
  link("b.txt", "link");
  sandbox_.write("plain", "x\n");
  sandbox_.write("folder/file", "x\n");
  sandbox_.write("file", "x\n");
  sandbox_.commit("kinds");
  EXPECT_EQ(dirt(), Dirt{});
  link("dir/a.txt", "link");
  link("dir", "to-folder");
  link("nowhere", "dangling");
  link("b.txt", "plain");
  ASSERT_EQ(::chmod(sandbox_.at("b.txt").c_str(), 0755), 0);
  ASSERT_TRUE(sys::remove_folder_tree(sandbox_.at("folder")));
  sandbox_.write("folder", "now a file\n");
  ASSERT_TRUE(sys::remove_file(sandbox_.at("file")));
  sandbox_.write("file/inside", "now a folder\n");
  EXPECT_EQ(dirt(), (Dirt{{"link", ".M"},
                          {"to-folder", "??"},
                          {"dangling", "??"},
                          {"plain", ".T"},
                          {"b.txt", ".M"},
                          {"folder", "??"},
                          {"folder/file", ".D"},
                          {"file", ".D"},
                          {"file/inside", "??"}}));
}

TEST_F(DirtyTest, FilesBehindAFolderThatBecameALinkAreGone) {
  ASSERT_TRUE(sys::make_folders(sandbox_.folder() + "/elsewhere"));
  ASSERT_TRUE(sys::write_file_atomic(sandbox_.folder() + "/elsewhere/a.txt", kBase));
  ASSERT_TRUE(sys::remove_folder_tree(sandbox_.at("dir")));
  ASSERT_EQ(::symlink("../elsewhere", sandbox_.at("dir").c_str()), 0);
  EXPECT_EQ(dirt(), (Dirt{{"dir/a.txt", ".D"}, {"dir", "??"}}));
}

// ---- sparse checkouts and marks in the index ----------------------------------------------------

class SparseTest : public DirtyTest, public ::testing::WithParamInterface<bool> {};

TEST_P(SparseTest, AnswersForSparseCheckouts) {
  sandbox_.write("in/file", "in\n");
  sandbox_.write("out/file", "out\n");
  sandbox_.write("out/other", "out\n");
  sandbox_.commit("two folders");
  sandbox_.git(
      {"sparse-checkout", "init", "--cone", GetParam() ? "--sparse-index" : "--no-sparse-index"});
  sandbox_.git({"sparse-checkout", "set", "in"});
  ASSERT_EQ(sys::info(sandbox_.at("out")).kind, sys::FileKind::missing);
  EXPECT_EQ(dirt(), Dirt{}) << "what is left out on purpose is no deletion";
  sandbox_.write("in/file", "edited\n");
  EXPECT_EQ(dirt(), (Dirt{{"in/file", ".M"}}));
  sandbox_.write("out/file", "planted\n");
  sandbox_.write("out/new", "planted\n");
  EXPECT_EQ(dirt(), (Dirt{{"in/file", ".M"}, {"out/file", ".M"}, {"out/new", "??"}}));
  EXPECT_EQ(dirt_at({"out/file"}), (Dirt{{"out/file", ".M"}}));
}
INSTANTIATE_TEST_SUITE_P(IndexKinds, SparseTest, ::testing::Bool());

TEST_F(DirtyTest, MarksInTheIndexHideNothing) {
  sandbox_.write("third", "x\n");
  sandbox_.commit("third");
  sandbox_.git({"update-index", "--assume-unchanged", "b.txt", "third"});
  sandbox_.git({"update-index", "--skip-worktree", "dir/a.txt"});
  EXPECT_EQ(dirt(), Dirt{});
  sandbox_.write("b.txt", "hidden\n");
  sandbox_.write("dir/a.txt", "hidden too\n");
  EXPECT_EQ(sandbox_.git({"-c", "core.sparseCheckout=false", "status", "--short"}), "")
      << "git itself shows neither";
  const std::string index = *sys::read_file(sandbox_.at(".git/index"), 1u << 20);
  EXPECT_EQ(dirt(), (Dirt{{"b.txt", ".M"}, {"dir/a.txt", ".M"}}));
  EXPECT_EQ(dirt_at({"b.txt"}), (Dirt{{"b.txt", ".M"}}));
  EXPECT_EQ(*sys::read_file(sandbox_.at(".git/index"), 1u << 20), index) << "the marks stay";
  EXPECT_TRUE(sys::list_folder(opened().state_dir() + "/tmp")->empty());
}

TEST_F(DirtyTest, AnOldTimeStampHidesNothing) {
  sandbox_.git({"config", "core.trustctime", "false"});
  sandbox_.git({"config", "core.checkStat", "minimal"});
  const timespec old[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  const std::string file = sandbox_.at("b.txt");
  ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), old, 0), 0);
  sandbox_.git({"update-index", "--refresh"});
  const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(::pwrite(fd, "X", 1, 0), 1) << "as long as before";
  ::close(fd);
  ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), old, 0), 0);
  ASSERT_EQ(sandbox_.git({"status", "--short"}), "") << "git itself believes the settings";
  // The change of the file must lie in another second than the index knows of it.
  const auto known =
      std::stoll(sandbox_.git({"ls-files", "--debug", "b.txt"})
                     .substr(sandbox_.git({"ls-files", "--debug", "b.txt"}).find("ctime: ") + 7));
  while (sys::info(file).ctime_ns / 1'000'000'000 == known)
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), old, 0), 0);
  EXPECT_EQ(dirt(), (Dirt{{"b.txt", ".M"}}));
}

// ---- submodules ---------------------------------------------------------------------------------

TEST_F(DirtyTest, ADirtySubmoduleIsOnePath) {
  add_submodule();
  EXPECT_EQ(dirt(), Dirt{});
  sandbox_.git({"config", "submodule.sub.ignore", "all"});
  sandbox_.git({"config", "diff.ignoreSubmodules", "all"});
  sandbox_.write("sub/lib.txt", "edited\n");
  EXPECT_EQ(dirt(), (Dirt{{"sub", ".M"}}));
  EXPECT_EQ(dirt_at({"sub"}), (Dirt{{"sub", ".M"}}));
  EXPECT_EQ(dirt_at({"b.txt"}), Dirt{});
  const auto found = rows();
  EXPECT_TRUE(found[0].is_submodule);
  EXPECT_EQ(found[0].index_mode, "160000");
  EXPECT_EQ(found[0].index_id, sandbox_.git({"rev-parse", "HEAD:sub"}));
  sandbox_.write("sub/lib.txt", "lib\n");
  EXPECT_EQ(dirt(), Dirt{});
  sandbox_.write("sub/untracked/file", "x\n");
  EXPECT_EQ(dirt(), (Dirt{{"sub", ".M"}}));
  ASSERT_TRUE(sys::remove_folder_tree(sandbox_.at("sub/untracked")));
  sandbox_.git_at(sandbox_.at("sub"), {"-c", "user.name=T", "-c", "user.email=t@example.org",
                                       "commit", "-q", "--allow-empty", "-m", "ahead"});
  EXPECT_EQ(dirt(), (Dirt{{"sub", ".M"}}));
  sandbox_.git({"add", "sub"});
  EXPECT_EQ(dirt(), (Dirt{{"sub", "M."}}));
}

TEST_F(DirtyTest, NoProgramOfASubmoduleRuns) {
  add_submodule();
  const std::string mark = sandbox_.folder() + "/ran", program = sandbox_.folder() + "/program";
  make_executable(program, "#!/bin/sh\necho ran >>" + mark + "\ncat\n");
  const std::string sub = sandbox_.at("sub");
  sandbox_.write("sub/.gitattributes", "* filter=evil\n");
  for (const char* key : {"core.fsmonitor", "filter.evil.clean", "filter.evil.process"})
    sandbox_.git_at(sub, {"config", key, program});
  sandbox_.write("sub/lib.txt", "LIB\n");
  EXPECT_EQ(dirt(), (Dirt{{"sub", ".M"}}));
  EXPECT_EQ(sys::read_file(mark, 100).value_or(""), "");
}

TEST_F(DirtyTest, FilesInASubmoduleThatWasNotFetchedAreSeen) {
  add_submodule();
  sandbox_.git({"submodule", "--quiet", "deinit", "-f", "sub"});
  EXPECT_EQ(dirt(), Dirt{});
  sandbox_.write("sub/planted.py", "x\n");
  EXPECT_EQ(dirt(), (Dirt{{"sub", ".M"}}));
}

TEST_F(DirtyTest, ASubmoduleThatBecameSomethingElseIsDirty) {
  add_submodule();
  ASSERT_TRUE(sys::remove_folder_tree(sandbox_.at("sub")));
  sandbox_.write("sub", "a file\n");
  EXPECT_EQ(dirt(), (Dirt{{"sub", ".T"}}));
  link("dir", "sub");
  EXPECT_EQ(dirt(), (Dirt{{"sub", ".T"}}));
}

TEST_F(DirtyTest, SubmodulesWithinSubmodulesCount) {
  add_submodule();
  const std::string sub = sandbox_.at("sub");
  sandbox_.git_at(sub, {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
                        sandbox_.folder() + "/library", "inner"});
  sandbox_.git_at(
      sub, {"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-am", "inner"});
  sandbox_.commit("inner");
  EXPECT_EQ(dirt(), Dirt{});
  sandbox_.write("sub/inner/lib.txt", "edited\n");
  EXPECT_EQ(dirt(), (Dirt{{"sub", ".M"}}));
}

// ---- roots --------------------------------------------------------------------------------------

TEST_F(DirtyTest, PathsAreSeenFromARootBelowTheTopLevel) {
  sandbox_.write("b.txt", "edited\n");
  sandbox_.write("dir/a.txt", "edited\n");
  sandbox_.write("dir/deep/new", "x\n");
  sandbox_.write("dirt", "beside it\n");
  EXPECT_EQ(
      dirt({.below = "dir"}),
      (Dirt{{"a.txt", ".M"}, {"deep/new", "??"}, {":top:/b.txt", ".M"}, {":top:/dirt", "??"}}));
  EXPECT_EQ(dirt({.below = "dir", .paths = Paths{"deep", "b.txt"}}), (Dirt{{"deep/new", "??"}}));
  for (const DirtyPath& row : rows({.below = "dir"})) {
    EXPECT_EQ(row.is_outside, row.path.starts_with(":top:/"));
    EXPECT_EQ(row.top_path, row.is_outside ? row.path.substr(6) : "dir/" + row.path);
  }
}

TEST_F(DirtyTest, FindsTheTopLevelAroundAFolder) {
  sandbox_.write("dir/deep/file", "x\n");
  const auto below = top_level_of(sandbox_.at("dir/deep"));
  ASSERT_TRUE(below) << below.error().message;
  EXPECT_EQ(below->top, sandbox_.root());
  EXPECT_EQ(below->below, "dir/deep");
  EXPECT_EQ(top_level_of(sandbox_.root())->below, "");
  EXPECT_EQ(top_level_of(sandbox_.root())->top, sandbox_.root());
  EXPECT_EQ(top_level_of(sandbox_.at("missing")).error().code, Code::repo_root_missing);
  EXPECT_EQ(top_level_of(sandbox_.at("b.txt")).error().code, Code::repo_root_missing);
  EXPECT_EQ(top_level_of(sandbox_.folder()).error().code, Code::not_a_repository);
  EXPECT_EQ(top_level_of(sandbox_.at(".git/refs")).error().code, Code::not_a_repository);
  EXPECT_EQ(top_level_of("/").error().code, Code::not_a_repository);
}

TEST_F(DirtyTest, AnswersForUnbornBareAndSha256Repositories) {
  const GitSandbox unborn("sha256");
  unborn.write("first", "x\n");
  auto repo = open(unborn.root());
  ASSERT_TRUE(repo);
  ASSERT_EQ(repo->dirty_paths({})->size(), 1u);
  unborn.git({"add", "first"});
  const auto added = repo->dirty_paths({});
  ASSERT_EQ(added->size(), 1u);
  EXPECT_EQ((*added)[0].status_xy, "A.");
  EXPECT_EQ((*added)[0].index_id, ObjectId::of(HashKind::sha256, "blob", "x\n").hex());
  sandbox_.git_at(sandbox_.folder(), {"init", "-q", "--bare", "bare.git"});
  EXPECT_TRUE(open(sandbox_.folder() + "/bare.git")->dirty_paths({})->empty());
}

// ---- how git is run -----------------------------------------------------------------------------

TEST_F(DirtyTest, TakesNoLockAndRunsNoProgram) {
  const std::string mark = sandbox_.folder() + "/ran", program = sandbox_.folder() + "/program";
  make_executable(program, "#!/bin/sh\necho ran >>" + mark + "\ncat\n");
  sandbox_.write(".gitattributes", "*.txt filter=evil\n");
  sandbox_.commit("attributes");
  for (const char* key : {"core.fsmonitor", "filter.evil.clean", "filter.evil.process",
                          "core.sshCommand", "core.pager", "diff.external"})
    sandbox_.git({"config", key, program});
  for (const char* name : {"alias.status", "alias.ls-files", "alias.config"})
    sandbox_.git({"config", name, "!" + program});
  for (const char* hook : {"post-index-change", "fsmonitor-watchman"})
    make_executable(sandbox_.at(".git/hooks/"s + hook), "#!/bin/sh\necho ran >>" + mark + "\n");
  (void)sys::remove_file(mark);
  sandbox_.write("b.txt", "b\n");  // touched: git would like to note its new time in the index
  sandbox_.write("dir/a.txt", "edited\n");
  sandbox_.write(".git/index.lock", "");
  options_.need_idle = false;
  const std::string index = *sys::read_file(sandbox_.at(".git/index"), 1u << 20);
  EXPECT_EQ(dirt(), (Dirt{{"dir/a.txt", ".M"}}));
  EXPECT_EQ(*sys::read_file(sandbox_.at(".git/index"), 1u << 20), index);
  EXPECT_EQ(sys::read_file(mark, 100).value_or(""), "");
}

TEST_F(DirtyTest, ReadsTheSameWhateverTheRepositoryWantsToSee) {
  sandbox_.write("b.txt", "stashed\n");
  sandbox_.git({"stash", "-q"});
  for (const char* key : {"status.showStash", "status.branch", "status.short", "status.aheadBehind",
                          "core.quotePath", "core.untrackedCache", "core.splitIndex"})
    sandbox_.git({"config", key, "true"});
  sandbox_.git({"config", "core.worktree", sandbox_.folder()});
  sandbox_.write("dir/ü", "x\n");
  EXPECT_EQ(dirt(), (Dirt{{"dir/ü", "??"}}));
}

TEST_F(DirtyTest, EndsWithinItsTime) {
  stand_in("case \"$*\" in *\" status --porcelain\"*) sleep 600;; esac");
  const auto repo = opened();
  const auto found = repo.dirty_paths({.timeout_ms = 300});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::git_failed);
  EXPECT_TRUE(contains(found.error().message, "time limit"));
}

TEST_F(DirtyTest, FailsWhereGitFails) {
  ASSERT_TRUE(sys::write_file_atomic(sandbox_.at(".git/index"), "no index"));
  const auto found = opened().dirty_paths({});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::git_failed);
}

TEST_F(DirtyTest, AsksGitOnceForTheStatusAndForFiltersOnlyWhereThereMayBeOne) {
  const std::string seen = sandbox_.folder() + "/seen";
  stand_in("echo \"$*\" >>" + seen);
  const auto repo = opened();
  for (const std::string& name : kNames)
    sandbox_.write(name, "x\n");
  const auto asked = [&] {
    (void)sys::remove_file(seen);
    EXPECT_TRUE(repo.dirty_paths({}));
    const std::string words = *sys::read_file(seen, 1u << 20);
    // The reader of objects, which opening starts, may be slow to say that it is there.
    return std::ranges::count_if(split(words, '\n'), [](std::string_view line) {
      return !line.empty() && !line.starts_with("cat-file");
    });
  };
  const std::string settings = *sys::read_file(sandbox_.at(".git/config"), 1u << 20);
  const auto asked_with = [&](const std::string& more) {
    EXPECT_TRUE(sys::write_file_atomic(sandbox_.at(".git/config"), settings + more));
    return asked();
  };
  EXPECT_EQ(asked(), 1) << "status";
  EXPECT_EQ(asked_with("[FILTER \"x\"]\n\tclean = cat\n"), 2) << "filters, status";
  EXPECT_EQ(asked_with("[core]\n\tautoCRLF = true\n"), 2);
  EXPECT_EQ(asked_with("[core] EOL=crlf\n"), 2);
  EXPECT_EQ(asked_with("[Include]\n\tpath = other\n"), 2);
  EXPECT_EQ(asked_with("[includeIf \"gitdir:/\"]\n\tpath = other\n"), 2);
  EXPECT_EQ(asked_with("[extensions]\n\tworktreeConfig = true\n"), 1);
  sandbox_.write(".git/config.worktree", "[filter \"y\"]\n\tclean = cat\n");
  EXPECT_EQ(asked(), 2);
}

// ---- evidence -----------------------------------------------------------------------------------

TEST_F(DirtyTest, RevisionsHaveOneForm) {
  for (const std::string& good : {"HEAD"s, "main"s, "a/b"s, "HEAD~2^2"s, "v1.0..v2"s, "a...b"s,
                                  "@{u}"s, "HEAD@{1}"s, "x+y_z"s, "^main"s, "0"s})
    EXPECT_TRUE(is_diff_ref(good)) << good;
  for (const std::string& bad :
       {""s,      "-p"s,    "--output=x"s, ".git"s, "..main"s, "/etc"s, "a b"s,
        " main"s, "main "s, "main\n"s,     "a:b"s,  "a;b"s,    "a\\b"s, "$(x)"s,
        "a*"s,    "ä"s,     "a\0"s,        "a!"s,   "a=b"s,    ":/x"s})
    EXPECT_FALSE(is_diff_ref(bad)) << bad;
}

TEST_F(DirtyTest, RefusesARevisionBeforeAnyProcess) {
  const std::string seen = sandbox_.folder() + "/seen";
  stand_in("echo ran >>" + seen);
  const auto repo = opened();
  (void)sys::remove_file(seen);
  EXPECT_EQ(repo.changed_against("--output=x").error().code, Code::git_ref_invalid);
  EXPECT_EQ(sys::info(seen).kind, sys::FileKind::missing);
  EXPECT_EQ(repo.changed_against("nothing").error().code, Code::git_diff_failed);
  EXPECT_EQ(repo.changed_against("HEAD..nothing").error().code, Code::git_diff_failed);
}

TEST_F(DirtyTest, TellsTheChangesSinceARevision) {
  const std::string first = sandbox_.git({"rev-parse", "HEAD"});
  sandbox_.git({"config", "diff.renames", "copies"});
  sandbox_.git({"config", "diff.relative", "true"});
  sandbox_.git({"mv", "b.txt", "new\nname"});
  sandbox_.commit("rename");
  sandbox_.write("dir/a.txt", "edited\n");
  sandbox_.write("untracked", "x\n");
  const auto repo = opened();
  const auto since = repo.changed_against(first);
  ASSERT_TRUE(since) << since.error().message;
  EXPECT_EQ(since->paths, (Paths{"b.txt", "dir/a.txt", "new\nname"}));
  EXPECT_TRUE(since->includes_work_tree);
  const auto range = repo.changed_against(first + "..HEAD");
  ASSERT_TRUE(range) << range.error().message;
  EXPECT_EQ(range->paths, (Paths{"b.txt", "new\nname"}));
  EXPECT_FALSE(range->includes_work_tree);
  EXPECT_FALSE(repo.changed_against("HEAD^-")->includes_work_tree) << "a range, though no dots";
  EXPECT_EQ(repo.changed_against("HEAD^-")->paths, (Paths{"b.txt", "new\nname"}));
  EXPECT_FALSE(repo.changed_against("HEAD~...HEAD")->includes_work_tree);
  EXPECT_TRUE(repo.changed_against("main")->includes_work_tree);
  EXPECT_EQ(repo.changed_against("main", "dir")->paths, (Paths{"a.txt"}));
  EXPECT_EQ(repo.changed_against(first, "dir")->paths,
            (Paths{":top:/b.txt", ":top:/new\nname", "a.txt"}));
}

TEST_F(DirtyTest, ChangesThatGitOverlooksAreEvidence) {
  add_submodule();
  sandbox_.git({"update-index", "--assume-unchanged", "b.txt"});
  sandbox_.write("b.txt", "hidden\n");
  sandbox_.write("sub/lib.txt", "edited\n");
  sandbox_.write("dir/a.txt", kBase);  // touched only
  EXPECT_EQ(opened().changed_against("HEAD")->paths, (Paths{"b.txt", "sub"}));
}

}  // namespace
}  // namespace gh::git
