#include "base/text.h"
#include "proposal/lifecycle.h"
#include "proposal/test_proposal.h"

namespace gh::proposal {
namespace {

using testing::good_review;
using testing::kDigest;

Review review(const std::string& reviewer, ReviewVerdict verdict, const std::string& digest) {
  Review r = good_review(reviewer, reviewer + "-actor");
  r.verdict = verdict;
  r.proposal_digest = digest;
  return r;
}

struct SummaryCase {
  std::string reviews;  // "gemini_ok codex_changes"; a trailing ~ means another digest
  std::int64_t quorum;
  std::string status, plain, sub_state, missing, changes, stale;
  bool all_ok;
};

// docs/reference/proposals.md, review_status and the answers to reviews. 0 is `quorum: all`.
const std::vector<SummaryCase> kSummaries = {
    {"", 0, "pending", "pending", "in_review", "gemini codex", "", "", false},
    {"gemini_ok", 0, "gemini_ok", "pending", "in_review", "codex", "", "", false},
    {"codex_ok", 0, "codex_ok", "pending", "in_review", "gemini", "", "", false},
    {"codex_ok gemini_ok", 0, "gemini_ok codex_ok", "codex_ok", "approved", "", "", "", true},
    {"gemini_changes", 0, "gemini_changes", "pending", "changes_requested", "codex", "gemini", "",
     false},
    {"gemini_changes codex_ok", 0, "gemini_changes codex_ok", "gemini_changes", "changes_requested",
     "", "gemini", "", false},
    {"gemini_changes codex_changes", 0, "gemini_changes codex_changes", "codex_changes",
     "changes_requested", "", "gemini codex", "", false},
    // a second verdict replaces the first, in both directions
    {"gemini_changes gemini_ok codex_ok", 0, "gemini_ok codex_ok", "codex_ok", "approved", "", "",
     "", true},
    {"gemini_ok codex_ok gemini_changes", 0, "gemini_changes codex_ok", "gemini_changes",
     "changes_requested", "", "gemini", "", false},
    // another digest counts for nothing
    {"gemini_ok~ codex_ok~", 0, "pending", "pending", "in_review", "gemini codex", "",
     "gemini codex", false},
    {"gemini_ok~ codex_ok", 0, "codex_ok", "pending", "in_review", "gemini", "", "gemini", false},
    {"gemini_ok~ gemini_ok codex_ok", 0, "gemini_ok codex_ok", "codex_ok", "approved", "", "", "",
     true},
    // a stranger counts for nothing
    {"claude_ok gemini_ok", 0, "gemini_ok", "pending", "in_review", "codex", "", "", false},
    // a quorum of one
    {"codex_ok", 1, "codex_ok", "codex_ok", "approved", "gemini", "", "", true},
    {"codex_ok gemini_changes", 1, "gemini_changes codex_ok", "gemini_changes", "changes_requested",
     "", "gemini", "", false},
    {"", 1, "pending", "pending", "in_review", "gemini codex", "", "", false},
};

std::vector<Review> reviews_of(const std::string& words) {
  std::vector<Review> out;
  for (const std::string_view word : split(words, ' ')) {
    if (word.empty()) continue;
    const bool other = word.ends_with('~');
    const std::string plain(word.substr(0, word.size() - (other ? 1 : 0)));
    const std::size_t bar = plain.rfind('_');
    out.push_back(review(plain.substr(0, bar), *review_verdict_of(plain.substr(bar + 1)),
                         other ? std::string(64, 'e') : kDigest));
  }
  return out;
}

TEST(Reviews, AddUpAsTheTableSays) {
  for (const SummaryCase& c : kSummaries) {
    SCOPED_TRACE(c.reviews + " quorum " + std::to_string(c.quorum));
    policy::ProposalPolicy policy = policy::default_proposal_policy();
    policy.quorum = c.quorum;
    const ReviewSummary s = summarise(reviews_of(c.reviews), policy, kDigest);
    EXPECT_EQ(join(s.status, " "), c.status);
    EXPECT_EQ(s.plain_status, c.plain);
    EXPECT_EQ(s.sub_state, c.sub_state);
    EXPECT_EQ(join(s.missing, " "), c.missing);
    EXPECT_EQ(join(s.changes, " "), c.changes);
    EXPECT_EQ(join(s.stale, " "), c.stale);
    EXPECT_EQ(s.all_ok, c.all_ok);
  }
}

TEST(Reviews, OtherNamesGiveOtherValues) {
  policy::ProposalPolicy policy = policy::default_proposal_policy();
  policy.required_reviewers = {"ann", "bob2", "carl"};
  const ReviewSummary s = summarise(reviews_of("carl_ok ann_changes gemini_ok"), policy, kDigest);
  EXPECT_EQ(join(s.status, " "), "ann_changes carl_ok");
  EXPECT_EQ(join(s.missing, " "), "bob2");
}

struct AnswerCase {
  std::string what;
  std::function<void(Review&, policy::ProposalPolicy&, std::vector<Review>&, PromotionStatus&)>
      spoil;
  std::string codes;
};

// docs/reference/proposals.md, Answers to a review: two failing cases per code, and passing ones.
const std::vector<AnswerCase> kAnswers = {
    {"as it should be", [](auto&, auto&, auto&, auto&) {}, ""},
    {"the second reviewer",
     [](auto& r, auto&, auto& earlier, auto&) {
       earlier = {good_review("codex", "cod")};
       r.verdict = ReviewVerdict::changes;
     },
     ""},
    {"again by the same",
     [](auto&, auto&, auto& earlier, auto&) { earlier = {good_review("gemini", "gem")}; }, ""},
    {"a name outside the policy", [](auto& r, auto&, auto&, auto&) { r.reviewer = "mallory"; },
     "REVIEW_NOT_AUTHORIZED"},
    {"an actor outside the registry", [](auto& r, auto&, auto&, auto&) { r.actor = "ghost"; },
     "REVIEW_NOT_AUTHORIZED"},
    {"an actor without the role",
     [](auto&, auto& p, auto&, auto&) { p.actors[2].roles = {"agent"}; }, "REVIEW_NOT_AUTHORIZED"},
    {"the author",
     [](auto& r, auto& p, auto&, auto&) {
       r.actor = "deep";
       p.actors[4].roles.push_back("reviewer");
     },
     "REVIEW_NOT_INDEPENDENT"},
    {"the author where the policy allows it",
     [](auto& r, auto& p, auto&, auto&) {
       r.actor = "deep";
       p.actors[4].roles.push_back("reviewer");
       p.not_author = false;
     },
     ""},
    {"one actor in both chairs",
     [](auto&, auto&, auto& earlier, auto&) { earlier = {good_review("codex", "gem")}; },
     "REVIEW_NOT_INDEPENDENT"},
    {"one actor where the policy allows it",
     [](auto&, auto& p, auto& earlier, auto&) {
       earlier = {good_review("codex", "gem")};
       p.distinct_actor = p.distinct_provider = false;
     },
     ""},
    {"one provider",
     [](auto&, auto& p, auto& earlier, auto&) {
       earlier = {good_review("codex", "cod")};
       p.actors[3].provider = "google";
     },
     "REVIEW_NOT_INDEPENDENT"},
    {"one provider where the policy allows it",
     [](auto&, auto& p, auto& earlier, auto&) {
       earlier = {good_review("codex", "cod")};
       p.actors[3].provider = "google";
       p.distinct_provider = false;
     },
     ""},
    {"the promotion gate",
     [](auto& r, auto& p, auto&, auto&) {
       r.actor = "claude";
       p.actors[1].roles.push_back("reviewer");
     },
     "REVIEW_NOT_INDEPENDENT"},
    {"the promotion gate where the policy allows it",
     [](auto& r, auto& p, auto&, auto&) {
       r.actor = "claude";
       p.actors[1].roles.push_back("reviewer");
       p.not_promoter = false;
     },
     ""},
    {"another digest",
     [](auto& r, auto&, auto&, auto&) { r.proposal_digest = std::string(64, 'e'); },
     "REVIEW_STALE"},
    {"no digest", [](auto& r, auto&, auto&, auto&) { r.proposal_digest = ""; }, "REVIEW_STALE"},
    {"still a sandbox", [](auto&, auto&, auto&, auto& s) { s = PromotionStatus::sandbox; },
     "REVIEW_STATE_INVALID"},
    {"promoted", [](auto&, auto&, auto&, auto& s) { s = PromotionStatus::promoted; },
     "REVIEW_STATE_INVALID"},
    {"rejected", [](auto&, auto&, auto&, auto& s) { s = PromotionStatus::rejected; },
     "REVIEW_STATE_INVALID"},
    {"everything at once",
     [](auto& r, auto&, auto&, auto& s) {
       r.reviewer = "mallory";
       r.actor = "deep";
       r.proposal_digest = "";
       s = PromotionStatus::rejected;
     },
     "REVIEW_NOT_AUTHORIZED REVIEW_NOT_INDEPENDENT REVIEW_STALE REVIEW_STATE_INVALID"},
};

std::string answer(const AnswerCase& c, std::string_view author_agent = "deepseek / drafter") {
  testing::World world;
  Review r = good_review("gemini", "gem");
  std::vector<Review> earlier;
  PromotionStatus state = PromotionStatus::proposed;
  c.spoil(r, world.policy, earlier, state);
  std::vector<std::string> codes;
  for (const Finding& f :
       review_findings({r, world.policy, earlier, state, kDigest, "deep", author_agent}))
    codes.emplace_back(to_string(f.code));
  return join(codes, " ");
}

TEST(Reviews, AWaiverReachesARefusedPairAndNothingElse) {
  const testing::World world;
  const Review r = good_review("gemini", "gem");
  const std::vector<Review> none;
  for (const auto& [state, lifts, open] : {std::tuple{PromotionStatus::sandbox, true, true},
                                           {PromotionStatus::sandbox, false, false},
                                           {PromotionStatus::proposed, false, true},
                                           {PromotionStatus::proposed, true, true},
                                           {PromotionStatus::promoted, true, false},
                                           {PromotionStatus::rejected, true, false}})
    EXPECT_EQ(review_findings(
                  {r, world.policy, none, state, kDigest, "deep", "deepseek / drafter", lifts})
                  .empty(),
              open)
        << to_string(state) << lifts;
}

TEST(Reviews, EachSituationHasItsAnswer) {
  std::map<std::string, int> failing;
  for (const AnswerCase& c : kAnswers) {
    EXPECT_EQ(answer(c), c.codes) << c.what;
    ++failing[c.codes];
  }
  for (const char* code :
       {"REVIEW_NOT_AUTHORIZED", "REVIEW_NOT_INDEPENDENT", "REVIEW_STALE", "REVIEW_STATE_INVALID"})
    EXPECT_GE(failing[code], 2) << code;
}

TEST(Reviews, AReviewerIsNotTheModelThatWrote) {
  EXPECT_EQ(answer(kAnswers[0], "gemini-2.5-pro / drafter"), "REVIEW_NOT_INDEPENDENT");
  EXPECT_EQ(answer(kAnswers[0], "Gemini / drafter"), "REVIEW_NOT_INDEPENDENT");
  EXPECT_EQ(answer(kAnswers[0], "geminix / drafter"), "");
  EXPECT_EQ(answer(kAnswers[0], "codex / gemini"), "");
}

TEST(Reviews, WithoutARegistryLocalNamesDoNotTellPeopleApart) {
  policy::ProposalPolicy policy = policy::default_proposal_policy();
  EXPECT_FALSE(is_same_actor(policy, "local:1000", "local:1000"));
  EXPECT_TRUE(is_same_actor(policy, "gem", "gem"));
  EXPECT_FALSE(is_same_actor(policy, "", ""));
  policy.actors.push_back(testing::actor("local:1000", "human", "", "admin"));
  EXPECT_TRUE(is_same_actor(policy, "local:1000", "local:1000"));
}

}  // namespace
}  // namespace gh::proposal
