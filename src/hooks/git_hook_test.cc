#include "hooks/git_hook.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hooks/agent_identity.h"

namespace gh::hooks {
namespace {

const std::string kA(40, 'a'), kB(40, 'b'), kZero(40, '0'), kLong(64, 'c'), kLongZero(64, '0');

struct HookCase {
  std::string name;
  HookSide side;
  std::int64_t budget_ms;
  bool blocks;
};

// interfaces 3, the table of hooks: input and budget column, and whether "On failure" stops git.
// proc-receive is marked optional there and is none of ours.
const std::vector<HookCase> kHooks = {
    {"pre-commit", HookSide::work, 150, true},
    {"prepare-commit-msg", HookSide::work, 20, false},
    {"commit-msg", HookSide::work, 50, true},
    {"post-commit", HookSide::work, 50, false},
    {"pre-push", HookSide::work, 5'000, true},
    {"pre-receive", HookSide::server, 30'000, true},
    {"update", HookSide::server, 0, true},
    {"post-receive", HookSide::server, 0, false},
    {"reference-transaction", HookSide::work, 10, true},
};

TEST(GitHookRows, AreThoseOfTheTable) {
  ASSERT_EQ(git_hooks().size(), 9u);
  for (std::size_t i = 0; i < kHooks.size(); ++i) {
    SCOPED_TRACE(kHooks[i].name);
    const GitHookRow& row = git_hooks()[i];
    EXPECT_EQ(row.name, kHooks[i].name);
    EXPECT_EQ(static_cast<std::size_t>(row.hook), i);
    EXPECT_EQ(row.side, kHooks[i].side);
    EXPECT_EQ(row.budget_ms, kHooks[i].budget_ms);
    EXPECT_EQ(row.blocks, kHooks[i].blocks);
    EXPECT_EQ(row.installed, kHooks[i].name != "update") << "one of update and pre-receive";
    EXPECT_EQ(find_git_hook(kHooks[i].name), &row);
  }
  EXPECT_EQ(find_git_hook("pre-rebase"), nullptr);
}

TEST(GitHookInput, RefsOfAPushAreRead) {
  const auto moves =
      read_ref_moves(fmt::format("{} {} refs/heads/main\n{} {} refs/heads/new\n{} {} "
                                 "refs/tags/gone\n",
                                 kA, kB, kZero, kB, kA, kZero));
  ASSERT_TRUE(moves.has_value()) << moves.error().message;
  ASSERT_EQ(moves->size(), 3u);
  EXPECT_EQ((*moves)[0], (RefMove{"refs/heads/main", ObjectId::parse(kA), ObjectId::parse(kB)}));
  EXPECT_EQ((*moves)[1].before, std::nullopt);
  EXPECT_EQ((*moves)[2].after, std::nullopt);
}

TEST(GitHookInput, RepositoriesOfLongIdsAreRead) {
  const auto moves = read_ref_moves(fmt::format("{} {} refs/heads/main\n", kLongZero, kLong));
  ASSERT_TRUE(moves.has_value());
  EXPECT_EQ(moves->front().before, std::nullopt);
  EXPECT_EQ(moves->front().after->hex(), kLong);
}

TEST(GitHookInput, APushNamesTheRefOfTheOtherSide) {
  const auto moves =
      read_pushed_refs(fmt::format("refs/heads/topic {} refs/heads/main {}\n"
                                   "(delete) {} refs/heads/old {}\n",
                                   kB, kA, kZero, kA));
  ASSERT_TRUE(moves.has_value()) << moves.error().message;
  EXPECT_EQ((*moves)[0], (RefMove{"refs/heads/main", ObjectId::parse(kA), ObjectId::parse(kB)}));
  EXPECT_EQ((*moves)[1], (RefMove{"refs/heads/old", ObjectId::parse(kA), std::nullopt}));
}

TEST(GitHookInput, SymbolicRefsAreNamesOfOthers) {
  const auto moves = read_ref_moves(
      fmt::format("{} ref:refs/heads/other HEAD\nref:refs/heads/x {} refs/heads/y\n", kZero, kA));
  ASSERT_TRUE(moves.has_value()) << moves.error().message;
  EXPECT_EQ((*moves)[0], (RefMove{"HEAD", std::nullopt, std::nullopt, "refs/heads/other"}));
  EXPECT_EQ((*moves)[1], (RefMove{"refs/heads/y", std::nullopt, ObjectId::parse(kA)}));
}

TEST(GitHookInput, WhatIsNotUnderstoodIsRefused) {
  for (const std::string& input :
       {std::string("one two\n"), kA + " " + kB + " \n", kA + "x " + kB + " refs/heads/main\n",
        std::string("a b refs/heads/main\n"), kA + " " + kB + " refs/heads/a b\n"})
    EXPECT_FALSE(read_ref_moves(input).has_value()) << input;
  std::string many;
  for (std::size_t i = 0; i <= kMaxRefLines; ++i)
    many += fmt::format("{} {} refs/heads/{}\n", kA, kB, i);
  EXPECT_FALSE(read_ref_moves(many).has_value());
  EXPECT_TRUE(read_ref_moves("")->empty());
}

// interfaces 3, "Server-side notes", as a table over everything that the base depends on.
TEST(PushBases, EveryCombinationHasItsBase) {
  std::map<PushBase, int> seen;
  for (int bits = 0; bits < 512; ++bits) {
    const PushFacts facts{.holds_code = (bits & 1) != 0,
                          .replaces = (bits & 64) != 0,
                          .is_protected = (bits & 128) != 0,
                          .is_deleted = (bits & 2) != 0,
                          .is_new = (bits & 4) != 0,
                          .is_forward = (bits & 8) != 0,
                          .has_default = (bits & 16) != 0,
                          .shares_history = (bits & 32) != 0,
                          .takes_in_default = (bits & 256) != 0};
    PushBase wanted = PushBase::no_common_base;
    if (facts.is_deleted && facts.is_protected)
      wanted = PushBase::deletion;
    else if (facts.replaces && !facts.is_deleted)
      wanted = PushBase::replacement;
    else if (facts.is_deleted || !facts.holds_code)
      wanted = PushBase::nothing;
    else if (facts.is_new && !facts.has_default)
      wanted = PushBase::first_history;
    else if (facts.is_new && facts.shares_history)
      wanted = PushBase::from_default;
    else if (!facts.is_new && !facts.is_protected && facts.takes_in_default)
      wanted = PushBase::from_default;
    else if (!facts.is_new && facts.is_forward)
      wanted = PushBase::before;
    else if (!facts.is_new && facts.is_protected)
      wanted = PushBase::rewrite;
    else if (!facts.is_new && facts.shares_history)
      wanted = PushBase::parted;
    EXPECT_EQ(decide_base(facts), wanted) << bits;
    ++seen[wanted];
  }
  EXPECT_EQ(seen.size(), 9u);
}

TEST(PushBases, AreSaidInWords) {
  const std::vector<std::pair<PushBase, std::string>> words{
      {PushBase::nothing, "nothing"},
      {PushBase::first_history, "first_history"},
      {PushBase::before, "before"},
      {PushBase::parted, "parted"},
      {PushBase::from_default, "from_default"},
      {PushBase::no_common_base, "no_common_base"},
      {PushBase::deletion, "deletion"},
      {PushBase::rewrite, "rewrite"},
      {PushBase::replacement, "replacement"}};
  for (const auto& [base, word] : words)
    EXPECT_EQ(to_string(base), word);
}

TEST(PushBases, NotesAndOurOwnRefsHoldNoCode) {
  EXPECT_FALSE(holds_code("refs/notes/gatehouse"));
  EXPECT_FALSE(holds_code("refs/gatehouse/receipts"));
  for (const char* ref : {"refs/heads/main", "refs/tags/v1", "refs/for/main", "refs/notesy"})
    EXPECT_TRUE(holds_code(ref)) << ref;
}

TEST(GitHookRefs, ThoseWithoutCodeArePatternsOfGit) {
  const auto patterns = refs_without_code();
  EXPECT_EQ(std::vector<std::string>(patterns.begin(), patterns.end()),
            (std::vector<std::string>{"refs/notes/*", "refs/gatehouse/*"}));
}

TEST(GitHookRefs, APathOrAServerOfThisMachineIsNotElsewhere) {
  for (const char* url :
       {"https://example.org/x.git", "ssh://git@example.org:22/x", "git@example.org:x/y.git",
        "example.org:x", "git://example.org/x", "https://u:p@example.org/x",
        "https://localhost.example.org/x", "ssh://[2001:db8::1]/x"})
    EXPECT_TRUE(leads_elsewhere(url)) << url;
  for (const char* url : {"",
                          ".",
                          "..",
                          "../x.git",
                          "/srv/x.git",
                          "x/y.git",
                          "./a:b",
                          "file:///srv/x",
                          "file:/srv/x",
                          "ext::sh -c x",
                          "http://localhost/x",
                          "http://LOCALHOST:80/x",
                          "https://127.0.0.1/x",
                          "http://127.1:8/x",
                          "http://[::1]:8/x",
                          "ssh://git@localhost/x",
                          "localhost:x",
                          "me@127.0.0.1:x",
                          "http://0.0.0.0/x",
                          "http:///x"})
    EXPECT_FALSE(leads_elsewhere(url)) << url;
}

TEST(PushBases, OnlyOneFamilyOfRefsReplacesObjects) {
  EXPECT_TRUE(replaces_objects("refs/replace/0123"));
  for (const char* ref : {"refs/heads/replace/x", "refs/tags/v1", "refs/replaced"})
    EXPECT_FALSE(replaces_objects(ref)) << ref;
}

TEST(AgentIdentity, HostsMarkTheProgramsThatTheyStart) {
  for (const std::string name :
       {"GATEHOUSE_AGENT", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX",
        "CODEX_THREAD_ID", "CURSOR_AGENT", "GEMINI_CLI", "GATEHOUSE_SESSION"})
    EXPECT_EQ(agent_variable([&](std::string_view asked) { return asked == name ? "1" : ""; }),
              name);
  EXPECT_EQ(agent_variable([](std::string_view) { return ""; }), "");
}

TEST(AgentIdentity, ACommitShowsWhoWroteIt) {
  EXPECT_EQ(agent_mark({"Ada <ada@example.org>", "fix\n\nSigned-off-by: Ada\n"}), "");
  EXPECT_EQ(agent_mark({"Ada <ada@example.org>", "fix\n\nGatehouse-Agent: claude/1\n"}),
            "it has the trailer Gatehouse-Agent: claude/1");
  EXPECT_EQ(agent_mark({"Ada <ada@example.org>", "fix\n\nGatehouse-Intent: intent-1\n"}),
            "it has the trailer Gatehouse-Intent: intent-1");
  for (const std::string address :
       {"noreply@anthropic.com", "codex@openai.com", "cursoragent@cursor.com",
        "gemini-code-assist@google.com", "copilot@github.com"}) {
    EXPECT_EQ(agent_mark({fmt::format("X <{}>", address), "fix\n"}), "its author is " + address);
    EXPECT_EQ(agent_mark({"Ada <a@b>", fmt::format("fix\n\nCo-Authored-By: X <{}>\n", address)}),
              address + " is its co-author");
    EXPECT_EQ(agent_mark({"Ada <a@b>", fmt::format("fix\n\nThanks to {}\n", address)}), "");
  }
  // As git reads trailers, and wherever a larger message took them along.
  for (const std::string_view message :
       {"fix\n\ngatehouse-agent: claude/1\n", "fix\n\nGatehouse-Agent : claude/1\n",
        "fix\n\nGatehouse-Agent:\n claude/1\n", "fix\r\n\r\nGatehouse-Agent: claude/1\r\n",
        "two in one\n\nGatehouse-Agent: claude/1\n\nmore\n"})
    EXPECT_EQ(agent_mark({"Ada <a@b>", std::string(message)}),
              "it has the trailer Gatehouse-Agent: claude/1")
        << message;
  for (const std::string_view message : {"fix\n\nCo-Authored-By : X <noreply@anthropic.com>\n",
                                         "fix\n\nCo-authored-by:\n\tX <NoReply@Anthropic.com>\n"})
    EXPECT_EQ(agent_mark({"Ada <a@b>", std::string(message)}),
              "noreply@anthropic.com is its co-author")
        << message;
}

}  // namespace
}  // namespace gh::hooks
