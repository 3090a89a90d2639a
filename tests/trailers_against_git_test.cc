// The reader of trailers beside that of git: the same lines of thousands of messages.
#include <fstream>
#include <random>

#include <fmt/format.h>

#include "base/text.h"
#include "base/trailers.h"
#include "tests/git_oracle.h"

namespace gh::test {
namespace {

constexpr std::size_t kMessages = 2'000, kParsed = 150, kMaxLines = 14;

/// What git gives a meaning to, and what looks like it.
constexpr std::string_view kLines[] = {
    "",
    "",
    "",
    "  ",
    "\t",
    "text of the body",
    "word",
    " folded",
    "\tfolded: too",
    "Gatehouse-Decision: bypassed",
    "gatehouse-decision: Bypassed",
    "Gatehouse-Decision : bypassed ",
    "Gatehouse-Decision:",
    "Gatehouse-Decision\t:x",
    "Gatehouse-Receipt: sha256:0123",
    "gatehouse-agent: claude",
    "Co-Authored-By : Claude <noreply@anthropic.com>",
    "Signed-off-by: A <a@b>",
    "Signed-off-by : A",
    "signed-off-by: A <a@b>",
    "(cherry picked from commit 0123)",
    "#",
    "# comment",
    "# Key: x",
    "#Key: x",
    "; comment",
    "Two words: x",
    "Key=x",
    "Key #x",
    ": nothing",
    "-: x",
    "K\xc3\xa9y: x",
    "http://example.org/",
    "---",
    "--- a",
    "----",
    "---a",
    "Conflicts:",
    "Conflicts: x",
    "# ------------------------ >8 ------------------------",
    " # ------------------------ >8 ------------------------",
};

std::string message_of(std::mt19937& random) {
  std::string out;
  const bool by_crlf = random() % 8 == 0;
  const std::size_t lines = 1 + random() % kMaxLines;
  for (std::size_t i = 0; i < lines; ++i) {
    out += kLines[random() % std::size(kLines)];
    out += by_crlf || random() % 40 == 0 ? "\r\n" : "\n";
  }
  if (random() % 6 == 0) out.pop_back();
  return out;
}

std::string told(const std::vector<MessageTrailer>& trailers) {
  std::string out;
  for (const MessageTrailer& one : trailers)
    out += one.key + ": " + one.value + "\n";
  return out;
}

std::vector<std::string> messages_of(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(message_of(random));
  return out;
}

/// One commit for each message, by one git for all of them.
std::vector<std::string> commits_of(GitOracle& git, const std::vector<std::string>& messages) {
  git.run({"config", "core.fsync", "none"});
  const std::string tree = git.run({"write-tree"});
  std::string names;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string name = fmt::format("m{}", i);
    std::ofstream(git.path() + "/" + name, std::ios::binary) << fmt::format(
        "tree {}\nauthor a <a@b> {} +0000\ncommitter a <a@b> 1 +0000\n\n{}", tree, i, messages[i]);
    names += name + "\n";
  }
  const std::string ids =
      git.run({"hash-object", "-t", "commit", "-w", "--no-filters", "--stdin-paths"}, names);
  std::vector<std::string> out;
  for (const std::string_view id : split(ids, '\n'))
    out.emplace_back(id);
  return out;
}

TEST(TrailersAgainstGit, ThoseOfACommitAreTheSame) {
  const std::vector<std::string> messages = messages_of(7, kMessages);
  GitOracle git;
  const std::vector<std::string> commits = commits_of(git, messages);
  ASSERT_EQ(commits.size(), messages.size());
  const std::string said =
      git.run({"log", "--no-walk=unsorted", "--stdin", "--format=%(trailers:only,unfold)%x01"},
              join(commits, "\n") + "\n");
  const std::vector<std::string_view> answers = split(said, '\x01');
  ASSERT_EQ(answers.size(), messages.size() + 1);
  std::size_t with_trailers = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::vector<MessageTrailer> ours = git_trailers(messages[i]);
    std::string_view theirs = answers[i];
    if (i > 0) theirs.remove_prefix(1);  // the end of the line before
    ASSERT_EQ(told(ours), theirs) << i << "\n" << messages[i];
    with_trailers += ours.empty() ? 0 : 1;
    // Whatever git reads is judged.
    for (const MessageTrailer& one : ours)
      for (const TrailerKey key : {TrailerKey::decision, TrailerKey::receipt, TrailerKey::agent,
                                   TrailerKey::co_authored_by})
        if (strcasecmp(one.key.c_str(), std::string(to_string(key)).c_str()) == 0) {
          const auto judged = trailers(messages[i], key), any = values_anywhere(messages[i], key);
          EXPECT_TRUE(std::ranges::count(judged, one.value)) << i << "\n" << messages[i];
          EXPECT_FALSE(any.empty()) << i << "\n" << messages[i];
        }
  }
  EXPECT_GT(with_trailers, kMessages / 10) << "messages without trailers show nothing";
}

TEST(TrailersAgainstGit, ThoseOfAFileAreTheSame) {
  GitOracle git;
  for (const std::string& message : messages_of(11, kParsed)) {
    // Here git 2.39 looks for the scissors behind the patch as well, and then beyond its own end.
    if (message.find("---") != message.npos && message.find(">8") != message.npos) continue;
    EXPECT_EQ(told(git_trailers(message, true)),
              git.try_run({"interpret-trailers", "--parse"}, message).out)
        << message;
  }
}

TEST(TrailersAgainstGit, FirstTrailersAreWrittenAsGitWritesThem) {
  GitOracle git;
  const std::vector<std::string> lines{"Gatehouse-Intent: intent-1", "Gatehouse-Agent: claude/1"};
  std::vector<std::string> messages = messages_of(17, 3 * kParsed);
  for (const char* plain : {"a change\n", "a change\n\nwhat and why\nin two lines\n", "feat: x\n",
                            "a change\n\n- one\n- two\n\nmore: of it\n\nend\n"})
    messages.emplace_back(plain);
  std::size_t written = 0;
  for (const std::string& message : messages) {
    const auto ours = with_first_trailers(message, lines);
    if (!ours) continue;
    ++written;
    EXPECT_EQ(*ours,
              git.try_run({"interpret-trailers", "--where", "end", "--if-exists", "replace",
                           "--if-missing", "add", "--trailer", lines[0], "--trailer", lines[1]},
                          message)
                  .out)
        << message;
  }
  EXPECT_GT(written, 10U);
  EXPECT_FALSE(with_first_trailers("", lines));
  EXPECT_FALSE(with_first_trailers("a change\n", {"Key: x", "key: y"})) << "git keeps the last";
  EXPECT_FALSE(with_first_trailers("a change\n\nKey: x\n", lines));
  EXPECT_FALSE(with_first_trailers("a change\n# comment\n", lines));
}

TEST(TrailersAgainstGit, WhateverCommentsBeginWithIsJudged) {
  GitOracle git;
  for (const std::string comment : {"#", ";", "@", "!", "$", "%", "^", "&", "|", ":"}) {
    git.run({"config", "core.commentChar", comment});
    std::vector<std::string> messages = messages_of(13, 150);
    for (std::string& message : messages)
      for (std::size_t at = message.find('#'); at != message.npos; at = message.find('#', at + 1))
        message.replace(at, 1, comment);
    const std::vector<std::string> commits = commits_of(git, messages);
    const std::string said = git.run({"log", "--no-walk=unsorted", "--stdin",
                                      "--format=%(trailers:key=Gatehouse-Decision,unfold,valueonly,"
                                      "separator=%x02)%x01"},
                                     join(commits, "\n") + "\n");
    const std::vector<std::string_view> answers = split(said, '\x01');
    ASSERT_EQ(answers.size(), messages.size() + 1);
    for (std::size_t i = 0; i < messages.size(); ++i) {
      std::string_view theirs = answers[i];
      if (i > 0) theirs.remove_prefix(1);
      if (theirs.empty()) continue;
      const auto judged = trailers(messages[i], TrailerKey::decision);
      for (const std::string_view value : split(theirs, '\x02'))
        EXPECT_TRUE(std::ranges::count(judged, value)) << comment << "\n" << messages[i];
    }
  }
}

}  // namespace
}  // namespace gh::test
