#include "proposal/lifecycle.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace gh::proposal {
namespace {

struct Legal {
  std::string_view from, event, asker, to, sub_state, trust;
};

// docs/reference/proposals.md, Transitions: every legal one, typed out.
constexpr Legal kLegal[] = {
    {"", "appear", "author_agent", "sandbox", "", ""},
    {"", "appear", "other_agent", "sandbox", "", ""},
    {"sandbox", "submit", "author_agent", "proposed", "in_review", ""},
    {"sandbox", "submit", "other_agent", "proposed", "in_review", ""},
    {"sandbox", "submit", "admin", "proposed", "in_review", ""},
    {"sandbox", "admission_failed", "gate", "rejected", "", ""},
    {"proposed", "review", "required_reviewer", "proposed", "", ""},
    {"proposed", "confirm", "human_reviewer", "proposed", "", "reviewed"},
    {"proposed", "confirm", "trust_reviewer", "proposed", "", "reviewed"},
    {"proposed", "promote", "gate", "promoted", "", "promoted"},
    {"proposed", "promote", "promoter", "promoted", "", "promoted"},
    {"proposed", "promote", "admin", "promoted", "", "promoted"},
    {"proposed", "promotion_failed", "gate", "rejected", "", ""},
    {"proposed", "promotion_deferred", "gate", "proposed", "", ""},
    {"proposed", "operator_reject", "promoter", "rejected", "", ""},
    {"proposed", "operator_reject", "admin", "rejected", "", ""},
    {"proposed", "withdraw", "author_agent", "rejected", "withdrawn", ""},
    {"proposed", "successor_promoted", "gate", "rejected", "superseded", ""},
    {"promoted", "rollback", "gate", "promoted", "rolled_back", "reviewed"},
    {"promoted", "rollback", "promoter", "promoted", "rolled_back", "reviewed"},
    {"promoted", "rollback", "admin", "promoted", "rolled_back", "reviewed"},
};

constexpr std::string_view kStates[] = {"", "sandbox", "proposed", "promoted", "rejected"};
constexpr std::string_view kEventWords[] = {
    "appear",          "submit",   "admission_failed",   "review",
    "confirm",         "promote",  "promotion_failed",   "promotion_deferred",
    "operator_reject", "withdraw", "successor_promoted", "rollback"};
constexpr std::string_view kAskerWords[] = {
    "author_agent",   "other_agent",    "admin",    "required_reviewer",
    "human_reviewer", "trust_reviewer", "promoter", "gate"};

std::string shown(const std::optional<Transition>& t) {
  if (!t) return "illegal";
  return fmt::format("{}|{}|{}", to_string(t->to), t->sub_state,
                     t->trust ? to_string(*t->trust) : "");
}

std::string expected(std::string_view from, std::string_view event, std::string_view asker) {
  for (const Legal& row : kLegal)
    if (row.from == from && row.event == event && row.asker == asker)
      return fmt::format("{}|{}|{}", row.to, row.sub_state, row.trust);
  return "illegal";
}

TEST(Transitions, EveryStateEventAndAskerIsLegalOrRefusedAsTheTableSays) {
  std::size_t legal = 0;
  for (const std::string_view from : kStates)
    for (std::size_t e = 0; e < std::size(kEventWords); ++e)
      for (std::size_t a = 0; a < std::size(kAskerWords); ++a) {
        const auto got =
            transition(promotion_status_of(from), static_cast<Event>(e), static_cast<Asker>(a));
        EXPECT_EQ(shown(got), expected(from, kEventWords[e], kAskerWords[a]))
            << from << " " << kEventWords[e] << " " << kAskerWords[a];
        legal += got ? 1 : 0;
      }
  EXPECT_EQ(legal, std::size(kLegal));
}

TEST(Transitions, OnlyTheGateAndOperatorsReachTheFinalStates) {
  for (const std::string_view from : kStates)
    for (std::size_t e = 0; e < std::size(kEventWords); ++e)
      for (const Asker a : {Asker::other_agent, Asker::required_reviewer, Asker::human_reviewer,
                            Asker::trust_reviewer}) {
        const auto got = transition(promotion_status_of(from), static_cast<Event>(e), a);
        if (!got) continue;
        EXPECT_NE(got->to, PromotionStatus::promoted);
        EXPECT_NE(got->to, PromotionStatus::rejected);
      }
}

TEST(Transitions, WordsAreThoseOfTheWire) {
  for (std::size_t e = 0; e < std::size(kEventWords); ++e)
    EXPECT_EQ(to_string(static_cast<Event>(e)), kEventWords[e]);
  for (std::size_t a = 0; a < std::size(kAskerWords); ++a)
    EXPECT_EQ(to_string(static_cast<Asker>(a)), kAskerWords[a]);
  const std::string_view trust[] = {"untrusted", "community", "reviewed", "promoted"};
  for (std::size_t t = 0; t < 4; ++t) {
    EXPECT_EQ(to_string(static_cast<TrustLevel>(t)), trust[t]);
    EXPECT_EQ(trust_level_of(trust[t]), static_cast<TrustLevel>(t));
    EXPECT_EQ(to_string(static_cast<PromotionStatus>(t)), kStates[t + 1]);
    EXPECT_EQ(promotion_status_of(kStates[t + 1]), static_cast<PromotionStatus>(t));
  }
  EXPECT_EQ(to_string(ReviewVerdict::ok), "ok");
  EXPECT_EQ(to_string(ReviewVerdict::changes), "changes");
  EXPECT_EQ(review_verdict_of("changes"), ReviewVerdict::changes);
  EXPECT_FALSE(review_verdict_of("OK").has_value());
  EXPECT_FALSE(trust_level_of("trusted").has_value());
  EXPECT_FALSE(promotion_status_of("Promoted").has_value());
}

}  // namespace
}  // namespace gh::proposal
