#include "proposal/waivers.h"

#include "base/text.h"
#include "proposal/test_proposal.h"

namespace gh::proposal {
namespace {

struct ReadCase {
  std::string_view text, code, why;  // empty code: refused
};
// docs/reference/proposals.md, Waivers: one code, and never without a reason.
constexpr ReadCase kReads[] = {
    {"PROP_COMMANDS_FAILED:the host has no network", "waive:PROP_COMMANDS_FAILED",
     "the host has no network"},
    {"PROP_COMMANDS_FAILED: known: see kb:12 ", "waive:PROP_COMMANDS_FAILED", "known: see kb:12"},
    {"PROP_COMMANDS_FAILED", "", ""},
    {"PROP_COMMANDS_FAILED:", "", ""},
    {"PROP_COMMANDS_FAILED:  ", "", ""},
    {"PROP_COMMANDS_EMPTY:reason", "", ""},
    {"PROP_PRODUCTION_CLAIM:reason", "", ""},
    {"PROP_RISK_VAGUE:reason", "", ""},
    {"waive:PROP_COMMANDS_FAILED:reason", "", ""},
    {"", "", ""},
};

TEST(Waivers, OneCodeCanBeWaivedAndOnlyWithAReason) {
  for (const ReadCase& c : kReads) {
    const auto got = read_waiver(c.text);
    ASSERT_EQ(got.has_value(), !c.code.empty()) << c.text;
    if (!got) continue;
    EXPECT_EQ(got->code, c.code);
    EXPECT_EQ(got->text, c.why);
  }
}

Review with(ReviewVerdict verdict, std::vector<ReviewReason> reasons) {
  Review review = testing::good_review("gemini", "gemini");
  review.verdict = verdict;
  review.reasons = std::move(reasons);
  return review;
}

TEST(Waivers, CountOnlyInAReviewThatAgrees) {
  const ReviewReason good{.code = "waive:PROP_COMMANDS_FAILED", .text = "no network"};
  const auto codes = [](const Review& r) { return join(waived_codes({r, r}), " "); };
  EXPECT_EQ(codes(with(ReviewVerdict::ok, {good})), "PROP_COMMANDS_FAILED");
  EXPECT_EQ(codes(with(ReviewVerdict::changes, {good})), "");
  EXPECT_EQ(codes(with(ReviewVerdict::ok, {{.code = "PROP_COMMANDS_FAILED", .text = "x"}})), "");
  EXPECT_EQ(codes(with(ReviewVerdict::ok, {{.code = "waive:PROP_DENY_PATH", .text = "x"}})), "");
  EXPECT_EQ(codes(with(ReviewVerdict::ok, {{.code = good.code, .text = " "}})), "");
  EXPECT_EQ(join(waived_codes({}), " "), "");
}

TEST(Waivers, ARefusalIsLiftedWhenNothingElseFailed) {
  using Codes = std::vector<std::string>;
  EXPECT_TRUE(lift_refusal({"PROP_COMMANDS_FAILED"}, {"PROP_COMMANDS_FAILED"}));
  EXPECT_FALSE(lift_refusal({"PROP_COMMANDS_FAILED"}, Codes{}));
  EXPECT_FALSE(lift_refusal(Codes{}, {"PROP_COMMANDS_FAILED"}));
  EXPECT_FALSE(lift_refusal({"PROP_COMMANDS_FAILED"}, {"PROP_COMMANDS_FAILED", "PROP_RISK_VAGUE"}));
}

}  // namespace
}  // namespace gh::proposal
