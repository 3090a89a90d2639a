#include "patch/retry.h"

#include <gtest/gtest.h>

namespace gh::patch {
namespace {

Attempt attempt(std::string sha, std::string canonical, std::string code = "PATCH_POLICY_DENY") {
  return {.sha256 = std::move(sha),
          .canonical_sha256 = std::move(canonical),
          .code = std::move(code),
          .rule = "max_files",
          .policy_sha256 = "policy",
          .base_commit = "base",
          .created_utc = "2026-11-15T19:37:00Z"};
}

/// Facts of one resubmission; a row says what differs from an ordinary one.
struct Row {
  std::string why, expected;
  std::vector<Attempt> attempts{};
  std::string sha = "new", canonical = "new-c", policy = "policy", base = "base";
  bool is_diff = true, frozen = false;
  std::vector<std::string> changed{};
  std::string state = "rejected";
  std::int64_t max_attempts = 3;
};

std::string answer(const Row& r) {
  RunState run{.run_id = "prun-1", .actor = "agent", .base_commit = "base", .attempts = r.attempts};
  run.frozen = r.frozen;
  run.state = r.state;
  run.max_attempts = r.max_attempts;
  const auto v = decide_retry({.run = run,
                               .sha256 = r.sha,
                               .canonical_sha256 = r.canonical,
                               .policy_sha256 = r.policy,
                               .base_commit = r.base,
                               .is_unified_diff = r.is_diff,
                               .changed_elsewhere = r.changed});
  return v ? std::string(to_string(v->rule)) : "judged";
}

TEST(RetryRule, EveryEventHasItsAnswer) {
  const Attempt one = attempt("s1", "c1"), two = attempt("s2", "c2"), three = attempt("s3", "c3");
  const Attempt unparsed = attempt("s4", "", "PATCH_PARSE_INVALID");
  const Attempt landed = attempt("s5", "c5", "PATCH_OK");
  for (const Row& r : {
           Row{.why = "first submission", .expected = "judged", .state = "open"},
           Row{.why = "first submission that is no diff is judged by the shape gate",
           .expected = "judged",
           .is_diff = false,
           .state = "open"},
           Row{.why = "first submission in a repository that changes",
           .expected = "judged",
           .changed = {"a"},
           .state = "open"},
           Row{.why = "a repaired patch", .expected = "judged", .attempts = {one}},
           Row{.why = "a second repaired patch", .expected = "judged", .attempts = {one, two}},

           Row{.why = "no diff while a rejection is open",
           .expected = "retry_channel",
           .attempts = {one},
           .is_diff = false},
           Row{.why = "no diff at the last attempt",
           .expected = "retry_channel",
           .attempts = {one, two, three},
           .is_diff = false},
           Row{.why = "work tree changed beside the gate",
           .expected = "retry_channel",
           .attempts = {one},
           .changed = {"src/a.c", "b"}},
           Row{.why = "the channel is looked at before the bytes",
           .expected = "retry_channel",
           .attempts = {one},
           .sha = "s1",
           .changed = {"src/a.c"}},

           Row{.why = "same bytes",
           .expected = "retry_identical",
           .attempts = {one, two},
           .sha = "s1"},
           Row{.why = "same change in other bytes",
           .expected = "retry_identical",
           .attempts = {one},
           .canonical = "c1"},
           Row{.why = "same bytes that never parsed",
           .expected = "retry_identical",
           .attempts = {unparsed},
           .sha = "s4",
           .canonical = ""},
           Row{.why = "identical although no attempt is left",
           .expected = "retry_identical",
           .attempts = {one, two, three},
           .sha = "s2"},
           Row{.why = "another patch that does not parse either",
           .expected = "judged",
           .attempts = {unparsed},
           .sha = "s9",
           .canonical = ""},
           Row{.why = "same bytes under another policy",
           .expected = "judged",
           .attempts = {one},
           .sha = "s1",
           .canonical = "c1",
           .policy = "p2"},
           Row{.why = "same bytes on another base",
           .expected = "judged",
           .attempts = {one},
           .sha = "s1",
           .canonical = "c1",
           .base = "b2"},
           Row{.why = "same bytes as an accepted attempt",
           .expected = "judged",
           .attempts = {landed},
           .sha = "s5",
           .canonical = "c5"},

           Row{.why = "attempts used up",
           .expected = "retry_exhausted",
           .attempts = {one, two, three}},
           Row{.why = "attempts used up, blocked",
           .expected = "retry_exhausted",
           .attempts = {one, two, three},
           .state = "blocked"},
           Row{.why = "a single attempt allowed",
           .expected = "retry_exhausted",
           .attempts = {one},
           .max_attempts = 1},
           Row{.why = "more attempts allowed",
           .expected = "judged",
           .attempts = {one, two, three},
           .max_attempts = 4},

           Row{.why = "frozen", .expected = "retry_exhausted", .attempts = {one}, .frozen = true},
           Row{.why = "frozen comes before the channel",
           .expected = "retry_exhausted",
           .attempts = {one},
           .is_diff = false,
           .frozen = true,
           .changed = {"a"}},
           Row{.why = "frozen comes before identity",
           .expected = "retry_exhausted",
           .attempts = {one},
           .sha = "s1",
           .frozen = true},
       })
    EXPECT_EQ(answer(r), r.expected) << r.why;
}

TEST(RetryRule, TheFrozenAnswerNamesTheWayOut) {
  RunState run{.run_id = "prun-1", .actor = "agent", .base_commit = "base", .attempts = {}};
  run.frozen = true;
  const auto v = decide_retry({.run = run});
  ASSERT_TRUE(v);
  EXPECT_NE(v->message.find("gatehouse patch unfreeze --run prun-1"), std::string::npos);
  EXPECT_LE(v->message.size(), 240u);
}

TEST(RetryRule, TheAnswersCarryTheirFacts) {
  RunState run{.run_id = "prun-1", .actor = "agent", .base_commit = "base", .attempts = {}};
  run.attempts = {attempt("a", "a"), attempt("b", "b"), attempt("c", "c")};
  const auto exhausted = decide_retry({.run = run, .sha256 = "d"});
  EXPECT_EQ(exhausted->limit, 3);
  EXPECT_EQ(exhausted->actual, 3);
  const auto channel =
      decide_retry({.run = run, .sha256 = "d", .changed_elsewhere = {"x", "y", "z"}});
  EXPECT_EQ(channel->file, "x");
  EXPECT_NE(channel->message.find("'x' and 2 more"), std::string::npos);
}

}  // namespace
}  // namespace gh::patch
