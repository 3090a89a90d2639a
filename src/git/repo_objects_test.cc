// What is read from a repository: objects, checks, facts.
#include <algorithm>

#include <fcntl.h>

#include "base/text.h"
#include "git/tail.h"
#include "tests/repo_kit.h"

namespace gh::git {
namespace {

// ---- objects ------------------------------------------------------------------------------------

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
    EXPECT_FALSE(deep->find("er", false)) << "it is a folder";
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

TEST_F(RepoTest, AnswersAgainAfterItHungUp) {
  auto repo = opened();
  const auto head = repo.objects().commit("HEAD");
  repo.objects().hang_up();
  EXPECT_TRUE(repo.objects().tree(head->tree)) << "kept, or asked for again";
  repo.objects().hang_up();
  EXPECT_EQ(repo.objects().commit("HEAD")->id, head->id);
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

// ---- checks -------------------------------------------------------------------------------------

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

// ---- facts --------------------------------------------------------------------------------------

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

TEST_F(RepoTest, AFileThatIsOnlyPromisedIsNotStaged) {
  auto repo = opened();
  const auto head = repo.objects().commit("HEAD");
  sandbox_.write("dir/later.txt", "text\n");
  sandbox_.git({"add", "-N", "dir/later.txt"});
  EXPECT_EQ(repo.diff_staged(head->id, 1u << 20), "");
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
