// `gatehouse release diff` in real repositories: both sides from git's objects or the work tree.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "tests/host_diff_kit.h"
#include "tests/kit.h"
#include "tests/release_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

/// A repository with a first commit.
class HostRepo {
 public:
  explicit HostRepo(const std::string& format = "sha1") {
    git({"init", "-q", "-b", "main", "--object-format=" + format});
    write("README.md", "x\n");
    commit("first");
  }
  fs::path root() const { return folder_.path(); }
  void write(const std::string& path, std::string_view bytes) const {
    kit::write(root() / path, bytes);
  }
  std::string git(std::vector<std::string> words) const {
    words.insert(words.begin(),
                 {"/usr/bin/git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c",
                  "commit.gpgsign=false", "-c", "protocol.file.allow=always"});
    const Ran ran = run_program(words, root().string(), {},
                                {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  }
  void commit(const std::string& message) const {
    git({"add", "-A", "-f"});
    git({"commit", "-q", "--allow-empty", "-m", message});
  }
  Ran diff(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {"release", "diff"});
    return gatehouse(std::move(words), root().string());
  }

 private:
  kit::Scratch folder_;
};

constexpr std::string_view kNarrow = R"j({"permissions":{"allow":["Bash(npm test:*)"]
}
})j";
constexpr std::string_view kWide = R"j({"permissions":{"allow":["Bash(npm *)"]
}
})j";
constexpr std::string_view kAny = R"j({"permissions":{"allow":["Bash"]}})j";

std::string decision(const Ran& ran) { return member_text(ran.out, "decision"); }

TEST(ReleaseDiff, answers_for_the_work_tree_with_a_schema_and_an_exit_code) {
  const HostRepo repo;
  Ran ran = repo.diff({"--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(decision(ran), "allow");
  EXPECT_EQ(judged("release_diff", ran.out), "");
  repo.write(".claude/settings.json", kNarrow);
  repo.commit("narrow");
  repo.write(".claude/settings.json", kWide);
  ran = repo.diff({"--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(decision(ran), "review");
  EXPECT_EQ(member_text(ran.out, "status"), "review_required");
  EXPECT_EQ(judged("release_diff", ran.out), "");
  EXPECT_TRUE(contains(ran.out, "allow Bash(npm test:*)")) << ran.out;
  EXPECT_EQ(repo.diff({"--strict"}).code, 1);
  EXPECT_EQ(repo.diff({"--exit-review"}).code, 10);
  repo.write(".claude/settings.json", kAny);
  ran = repo.diff();
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.out, "WIDENS")) << ran.out;
  EXPECT_TRUE(contains(ran.out, ".claude/settings.json:1")) << ran.out;
  EXPECT_TRUE(contains(ran.err, "gatehouse: exit 1: blocked: 1 widen")) << ran.err;
  EXPECT_EQ(repo.diff({"--exit-zero"}).code, 0);
  repo.write(".claude/settings.json", "{");
  ran = repo.diff({"--json"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(decision(ran), "unverified");
  EXPECT_EQ(repo.diff({"--exit-review"}).code, 11);
  EXPECT_EQ(repo.diff({"--base", "nowhere"}).code, 2);
}

TEST(ReleaseDiff, judges_a_branch_from_where_it_forked_off) {
  const HostRepo repo;
  repo.write(".claude/settings.json", kNarrow);
  repo.commit("narrow");
  repo.git({"checkout", "-q", "-b", "topic"});
  repo.write(".mcp.json", R"j({"mcpServers":{"a":{"command":"a"}}})j");
  repo.commit("server");
  repo.git({"checkout", "-q", "main"});
  repo.write(".claude/settings.json", R"j({"permissions":{"deny":["Bash(curl:*)"]
}
})j");
  repo.commit("main goes on");
  const Ran ran = repo.diff({"--base", "main", "--head", "topic", "--json"});
  EXPECT_EQ(decision(ran), "review");
  EXPECT_EQ(member_text(ran.out, "counts.widens"), "1") << ran.out;
  EXPECT_EQ(member_text(ran.out, "counts.narrows"), "0") << ran.out;
}

TEST(ReleaseDiff, reads_a_bare_and_a_sha256_repository_alike) {
  for (const std::string format : {"sha1", "sha256"}) {
    const HostRepo repo(format);
    repo.write(".claude/settings.json", kNarrow);
    repo.commit("narrow");
    repo.write(".claude/settings.json", kWide);
    repo.commit("wide");
    const Ran plain = repo.diff({"--base", "HEAD~1", "--head", "HEAD", "--json"});
    EXPECT_EQ(decision(plain), "review") << plain.err;
    const kit::Scratch other;
    const std::string bare = (fs::path(other.path()) / "bare.git").string();
    repo.git({"clone", "-q", "--bare", repo.root().string(), bare});
    const Ran ran =
        gatehouse({"-C", bare, "release", "diff", "--base", "HEAD~1", "--head", "HEAD", "--json"},
                  repo.root().string());
    EXPECT_EQ(ran.out, plain.out) << ran.err;
  }
}

TEST(ReleaseDiff, is_not_fooled_by_attributes_links_and_submodules) {
  const HostRepo repo;
  repo.write(".claude/settings.json", kNarrow);
  repo.commit("narrow");
  repo.write(".gitattributes", ".claude/** export-ignore -diff\n");
  repo.write(".claude/settings.json", kAny);
  repo.commit("hidden from an archive");
  EXPECT_EQ(repo.diff({"--base", "HEAD~1", "--head", "HEAD"}).code, 1);
  fs::remove(repo.root() / ".claude/settings.json");
  repo.write("config.json", kNarrow);
  fs::create_symlink("../config.json", repo.root() / ".claude/settings.json");
  repo.commit("a link");
  Ran ran = repo.diff({"--base", "HEAD~1", "--head", "HEAD", "--json"});
  EXPECT_EQ(decision(ran), "unverified") << ran.out;
  EXPECT_EQ(decision(repo.diff({"--base", "HEAD~1", "--json"})), "unverified");
  // What a link leads to changes, the link does not.
  repo.write("config.json", kAny);
  repo.commit("behind the link");
  ran = repo.diff({"--base", "HEAD~1", "--head", "HEAD", "--json"});
  EXPECT_EQ(decision(ran), "unverified") << ran.out;
  fs::remove_all(repo.root() / ".claude");
  fs::create_symlink("elsewhere", repo.root() / ".claude");
  repo.commit("a folder that is a link");
  ran = repo.diff({"--base", "HEAD~1", "--head", "HEAD", "--json"});
  EXPECT_EQ(decision(ran), "unverified") << ran.out;
}

TEST(ReleaseDiff, says_what_it_cannot_hold) {
  const HostRepo repo;
  repo.write(".claude/settings.json", "{\"env\":{\"A\":\"" + std::string(2u << 20, 'x') + "\"}}");
  repo.write(".mcp.json", "\xff\xfe{}");
  repo.write(".codex/config.toml", "a = " + std::string(5000, '[') + "\n");
  repo.write(".vscode/settings.json", std::string(5000, '['));
  repo.commit("hostile");
  const Ran ran = repo.diff({"--base", "HEAD~1", "--head", "HEAD", "--json"});
  EXPECT_EQ(decision(ran), "unverified");
  EXPECT_EQ(member_text(ran.out, "counts.unread"), "4") << ran.out;
  EXPECT_TRUE(contains(ran.out, "too large")) << ran.out;
}

TEST(ReleaseDiff, leaves_out_values_that_may_be_secrets) {
  const HostRepo repo;
  repo.write(".mcp.json",
             R"j({"mcpServers":{"a":{"command":"a","env":{"TOKEN":"hunter2-hunter2"}}}})j");
  repo.commit("server");
  repo.write(".mcp.json",
             R"j({"mcpServers":{"a":{"command":"a","env":{"TOKEN":"correct-horse"}}}})j");
  const Ran ran = repo.diff({"--json"});
  EXPECT_EQ(decision(ran), "review");
  EXPECT_FALSE(contains(ran.out, "horse") || contains(ran.out, "hunter2")) << ran.out;
}

TEST(ReleaseDiff, gives_the_rows_of_a_pair_through_git) {
  // One pair of each host file through commits: the program says what the pure function says.
  for (const char* name :
       {"claude-moved-between-files", "claude-settings-are-a-link", "claude-folder-is-a-link",
        "codex-moved-and-formatted", "instructions-behind-an-old-link", "workflow-permissions",
        "instructions-with-hidden-characters", "claude-other-case-of-the-path"}) {
    const auto pairs = host_pairs::all_pairs();
    const auto pair = std::ranges::find(pairs, std::string(name), &host_pairs::Pair::name);
    ASSERT_NE(pair, pairs.end()) << name;
    const HostRepo repo;
    for (const auto* side : {&pair->before, &pair->after}) {
      for (const auto& entry : fs::directory_iterator(repo.root()))
        if (entry.path().filename() != ".git") fs::remove_all(entry.path());
      for (const auto& [path, file] : *side) {
        fs::create_directories((repo.root() / path).parent_path());
        if (file.kind == "link")
          fs::create_symlink(file.bytes, repo.root() / path);
        else
          repo.write(path, file.bytes);
      }
      repo.commit("side");
    }
    const auto document =
        wire::read_json(repo.diff({"--base", "HEAD~1", "--head", "HEAD", "--json"}).out);
    ASSERT_TRUE(document) << name;
    EXPECT_EQ(Peek(*document)["decision"].text(), pair->decision) << name;
    EXPECT_EQ(Peek(*document)["rows"].list().size(), pair->rows.size()) << name;
  }
}

}  // namespace
}  // namespace gh::testing
