// `gatehouse comment post` against a forge on loopback that speaks the REST shapes of GitHub and
// GitLab.
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "model/peek.h"
#include "sys/process.h"
#include "tests/git_sandbox.h"
#include "tests/schema_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

const std::string kToken = "ghs_" + std::string(36, 'q');

std::string comment(const std::string& decision, const std::string& verdict) {
  return "<!-- gatehouse:comment:v1 repo=aa job=check -->\n<!-- gatehouse:state decision=" +
         decision + " verdict=sha256:" + verdict + " -->\n## Gatehouse: x\n\n**" + decision +
         "** words\n";
}

class CommentPost : public ::testing::Test {
 protected:
  void start(const std::string& mode) {
    forge_ = *sys::Conversation::start(
        {.argv = {"/usr/bin/python3", fs::absolute("tests/data/forge_server.py").string(), log(),
                  mode},
         .environment = plain_environment(),
         .cwd = "/"});
    port_ = *forge_->read_line();
  }
  std::string log() const { return folder_.path() + "/log"; }

  Ran post(const std::string& body, std::vector<std::string> more = {},
           std::vector<std::string> variables = {"GITHUB_TOKEN=" + kToken}) {
    EXPECT_TRUE(sys::write_scratch_file(folder_.path() + "/comment.md", body));
    std::vector<std::string> argv{gatehouse_path(), "comment", "post",
                                  "comment.md",     "--api",   "http://127.0.0.1:" + port_};
    if (more.empty()) more = {"--forge", "github", "--repo", "octo/app", "--change", "7"};
    argv.insert(argv.end(), more.begin(), more.end());
    const Ran ran = run_program(argv, folder_.path(), {}, variables);
    EXPECT_FALSE(contains(ran.out + ran.err, kToken)) << ran.out << ran.err;
    return ran;
  }
  /// "METHOD PATH" of each request, one a line.
  std::string requests() const {
    std::string out;
    for (const std::string_view line : split(std::string_view(log_text()), '\n')) {
      if (line.empty()) continue;
      const Value row = *wire::read_json(line);
      out += fmt::format("{} {}\n", Peek(row)["method"].text(), Peek(row)["path"].text());
    }
    return out;
  }
  Value last_request() const {
    const std::string_view text = log_text();
    const std::size_t from = text.rfind('\n', text.size() - 2);
    return *wire::read_json(text.substr(from == text.npos ? 0 : from + 1));
  }
  std::string_view log_text() const {
    kept_ = bytes_of(log());
    return kept_;
  }

  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-forge-");
  std::optional<sys::Conversation> forge_{};
  std::string port_{};
  mutable std::string kept_{};
};

TEST_F(CommentPost, IsMadeOnceAndThenEditedInPlace) {
  start("plain");
  const std::string list = "/repos/octo/app/issues/7/comments";
  EXPECT_EQ(post(comment("deny", "1")).out, "comment 900 created\n");
  EXPECT_EQ(post(comment("deny", "1")).out, "comment 900 unchanged\n");
  EXPECT_EQ(post(comment("review", "2")).out, "comment 900 updated\n");
  EXPECT_EQ(requests(), "GET " + list + "?per_page=100&page=1\nPOST " + list + "\nGET " + list +
                            "?per_page=100&page=1\nGET " + list +
                            "?per_page=100&page=1\nPATCH /repos/octo/app/issues/comments/900\n");
  EXPECT_EQ(Peek(last_request())["bearer"].text(), "Bearer " + kToken);
  EXPECT_EQ(post(comment("allow", "3")).code, 0);
  EXPECT_EQ(Peek(last_request())["body"]["body"].text(),
            "<!-- gatehouse:comment:v1 repo=aa job=check -->\n<!-- gatehouse:state decision=allow "
            "verdict=sha256:3 collapsed -->\nGatehouse: **allow** words\n");
}

TEST_F(CommentPost, OnChangeLeavesTheSameVerdictAlone) {
  start("plain");
  const std::vector<std::string> more{"--forge",  "github", "--repo",     "octo/app",
                                      "--change", "7",      "--on-change"};
  EXPECT_EQ(post(comment("deny", "1"), more).code, 0);
  EXPECT_EQ(post(comment("deny", "1") + "later", more).out, "comment 900 unchanged\n");
  EXPECT_EQ(post(comment("deny", "2"), more).out, "comment 900 updated\n");
}

TEST_F(CommentPost, OursIsFoundBehindAHundredOthers) {
  start("pages");
  EXPECT_EQ(post(comment("deny", "1")).out, "comment 1000 created\n");
  EXPECT_EQ(post(comment("deny", "2")).out, "comment 1000 updated\n");
}

TEST_F(CommentPost, AtGitLabItIsANoteOfTheMergeRequest) {
  start("plain");
  const std::vector<std::string> variables{"GITLAB_CI=true", "GITLAB_TOKEN=" + kToken,
                                           "CI_PROJECT_PATH=group/sub/app",
                                           "CI_MERGE_REQUEST_IID=12"};
  EXPECT_EQ(post(comment("deny", "1"), {"--no-on-change"}, variables).out, "comment 900 created\n");
  EXPECT_EQ(post(comment("deny", "2"), {"--no-on-change"}, variables).out, "comment 900 updated\n");
  const std::string list = "/projects/group%2Fsub%2Fapp/merge_requests/12/notes";
  EXPECT_EQ(requests(), "GET " + list + "?per_page=100&page=1\nPOST " + list + "\nGET " + list +
                            "?per_page=100&page=1\nPUT " + list + "/900\n");
  EXPECT_EQ(Peek(last_request())["private"].text(), kToken);
}

TEST_F(CommentPost, WithoutTheRightToWriteItIsSaidAndTheJobGoesOn) {
  start("read-only");
  const Ran ran = post(comment("deny", "1"));
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.err, "403 Forbidden: Resource not accessible")) << ran.err;
  EXPECT_EQ(post(comment("deny", "1"), {}, {}).out, "comment skipped\n");
  EXPECT_EQ(post(comment("deny", "1"), {"--forge", "github", "--repo", "octo/app"}).out,
            "comment skipped\n");
}

TEST_F(CommentPost, ACommentThatOthersPlantedKeepsOursFromNothing) {
  start("planted");
  EXPECT_EQ(post(comment("deny", "1")).out, "comment 901 created\n");
  EXPECT_EQ(post(comment("deny", "2")).out, "comment 901 updated\n");
}

TEST_F(CommentPost, AForgeThatIsOutOfOrderFailsTheCommand) {
  start("broken");
  const Ran ran = post(comment("deny", "1"));
  EXPECT_EQ(ran.code, 4);
  EXPECT_TRUE(contains(ran.err, "500 Internal Server Error: out of order")) << ran.err;
}

TEST_F(CommentPost, ATokenThatTheServerRepeatsIsNotShown) {
  start("echo");
  EXPECT_TRUE(contains(post(comment("deny", "1")).err, "the token *** may not"));
}

TEST_F(CommentPost, ACheckRunSaysWhatTheVerdictSays) {
  start("plain");
  const std::string head(40, 'c');
  for (const auto& [decision, conclusion] :
       {std::pair{"allow", "success"}, std::pair{"deny", "failure"}, std::pair{"review", "neutral"},
        std::pair{"unverified", "neutral"}}) {
    const Ran ran =
        post(comment(decision, "1"), {"--forge", "github", "--repo", "octo/app", "--check-run",
                                      "Gatehouse", "--only-check-run", "--head", head, "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(judged("comment_posted", ran.out), "");
    const Value request = last_request();
    const Peek row(request);
    EXPECT_EQ(row["path"].text(), "/repos/octo/app/check-runs");
    EXPECT_EQ(row["body"]["conclusion"].text(), conclusion);
    EXPECT_EQ(row["body"]["head_sha"].text(), head);
  }
}

TEST_F(CommentPost, WhatIsNoCommentOfOursIsNotPosted) {
  start("plain");
  const Ran ran = post("just words\n");
  EXPECT_EQ(ran.code, 3);
  EXPECT_TRUE(contains(ran.err, "has no first line of ours")) << ran.err;
  EXPECT_FALSE(fs::exists(log()));
}

}  // namespace
}  // namespace gh::testing
