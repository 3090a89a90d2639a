#include "git/repo.h"

#include <map>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/git_sandbox.h"

namespace gh::git {
namespace {

using gh::testing::GitSandbox;

/// The real world but for the variables that a test sets.
class TestEnv final : public sys::Env {
 public:
  Timestamp now() override { return {1'700'000'000}; }
  std::int64_t monotonic_ms() override { return 0; }
  std::string random_hex(std::size_t digits) override { return std::string(digits, '0'); }
  std::string variable(std::string_view name) override { return variables[std::string(name)]; }
  std::uint32_t user_id() override { return user; }
  std::int64_t process_id() override { return 1; }
  std::string host_name() override { return "host"; }

  std::map<std::string, std::string> variables;
  std::uint32_t user = geteuid();
};

const std::string kChangeOneLine =
    "diff --git a/dir/a.txt b/dir/a.txt\n--- a/dir/a.txt\n+++ b/dir/a.txt\n"
    "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n";

class RepoTest : public ::testing::Test {
 protected:
  RepoTest() { fill(sandbox_); }

  static void fill(const GitSandbox& sandbox) {
    sandbox.write("dir/a.txt", "one\ntwo\nthree\n");
    sandbox.write("b.txt", "b\n");
    sandbox.commit("first");
  }

  OpenOptions options(const std::string& folder) const {
    OpenOptions made;
    made.folder = folder;
    return made;
  }
  Result<Repo> open(const std::string& folder) { return Repo::open(options(folder), env_); }
  Code code(const std::string& folder) {
    const auto repo = open(folder);
    return repo ? Code::internal_error : repo.error().code;
  }

  GitSandbox sandbox_;
  TestEnv env_;
};

TEST_F(RepoTest, OpensTheTopLevelAndReadsItsObjects) {
  auto repo = open(sandbox_.root());
  ASSERT_TRUE(repo) << repo.error().message;
  EXPECT_EQ(repo->root(), sandbox_.root());
  EXPECT_EQ(repo->git_dir(), sandbox_.root() + "/.git");
  EXPECT_EQ(repo->common_dir(), sandbox_.root() + "/.git");
  EXPECT_EQ(repo->state_dir(), sandbox_.root() + "/.git/gatehouse");
  EXPECT_FALSE(repo->is_bare());
  EXPECT_EQ(repo->hash_kind(), HashKind::sha1);
  EXPECT_GE(repo->git_version(), kMinimumVersion);
  const auto commit = repo->objects().commit("HEAD");
  ASSERT_TRUE(commit);
  EXPECT_EQ(commit->id.hex(), sandbox_.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(commit->tree.hex(), sandbox_.git({"rev-parse", "HEAD^{tree}"}));
  EXPECT_EQ(commit->message, "first\n");
  const auto tree = repo->objects().tree(commit->tree);
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->size(), 2u);
  EXPECT_EQ((*tree)[0].name, "b.txt");
  EXPECT_EQ((*tree)[0].mode, FileMode::regular);
  EXPECT_EQ((*tree)[1].name, "dir");
  EXPECT_EQ((*tree)[1].mode, FileMode::tree);
  EXPECT_EQ(repo->objects().blob((*tree)[0].id), "b\n");
}

TEST_F(RepoTest, ChecksAPatchInShaOneAndShaTwoFiftySixRepositories) {
  for (const char* format : {"sha1", "sha256"}) {
    const GitSandbox sandbox(format);
    fill(sandbox);
    auto repo = open(sandbox.root());
    ASSERT_TRUE(repo) << repo.error().message;
    const auto kind = repo->hash_kind();
    EXPECT_EQ(kind, std::string_view(format) == "sha1" ? HashKind::sha1 : HashKind::sha256);
    auto quarantine = repo->quarantine();
    ASSERT_TRUE(quarantine);
    const auto id = ObjectId::of(kind, "blob", "one\ntwo\nthree\n");
    ASSERT_TRUE(quarantine->write_index({{"dir/a.txt", FileMode::regular, id}}, kind));
    const auto check = repo->apply_check(*quarantine, kChangeOneLine);
    ASSERT_TRUE(check);
    EXPECT_EQ(check->run.exit_code, 0) << check->run.err;
    ASSERT_TRUE(check->rows);
    EXPECT_EQ(*check->rows, (std::vector<NumstatRow>{{"dir/a.txt", 1, 1}}));
  }
}

}  // namespace
}  // namespace gh::git
