#include "release/decision.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "release/summaries.h"
#include "release/verify_blocks.h"

namespace gh::release {
namespace {

using enum FindingSeverity;

GatedFinding gated(FindingSeverity severity, std::string status = "", bool blocks = false) {
  GatedFinding g;
  g.finding.check_id = "X";
  g.finding.severity = severity;
  g.finding.blocks_release = blocks;
  g.id = g.fingerprint = "fp_0";
  g.baseline_status = std::move(status);
  g.requires_human_review = false;
  g.agent_action = "informational";
  return g;
}

// docs/reference/release-decision.md, "How a finding counts": the observable truth table.
TEST(Classification, TheTruthTableIsWhole) {
  std::set<std::pair<Rule, Category>> pairs;
  for (int bits = 0; bits < 32; ++bits) {
    const ClassFacts f{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                       (bits & 16) != 0};
    const Classified want = [&]() -> Classified {
      if (f.suppressed) return {Category::excluded, Rule::suppressed};
      if (f.blocks_release && !f.matched) return {Category::blocker, Rule::policy_block_new};
      if (f.blocks_release)
        return {f.in_review_tier ? Category::review_item : Category::excluded,
                Rule::policy_baseline_accepted};
      if (f.in_blocker_set && !f.matched) return {Category::blocker, Rule::severity_block_new};
      if (f.in_blocker_set)
        return {f.in_review_tier ? Category::review_item : Category::excluded,
                Rule::severity_baseline_accepted};
      return f.in_review_tier ? Classified{Category::review_item, Rule::review_required}
                              : Classified{Category::excluded, Rule::sub_threshold};
    }();
    EXPECT_EQ(classify(f), want) << bits;
    pairs.emplace(want.rule, want.category);
  }
  EXPECT_EQ(pairs.size(), 9u);
}

Outcome outcome(std::int64_t tools, std::int64_t low, std::int64_t warnings,
                surface::Profile profile = surface::Profile::extended) {
  const Findings none;
  return decide({.findings = none,
                 .tool_count = tools,
                 .low_confidence_tools = low,
                 .source_warnings = warnings,
                 .profile = profile})
      .outcome;
}

// docs/reference/release-decision.md, "Evidence".
TEST(Decision, HalfOfTheToolsDecidesWhetherEvidenceIsEnough) {
  for (std::int64_t tools = 0; tools <= 200; ++tools) {
    const std::int64_t limit = tools <= 2 ? 1 : tools % 2 == 0 ? tools / 2 : tools / 2 + 1;
    EXPECT_EQ(low_confidence_limit(tools), limit) << tools;
    for (std::int64_t low = 0; low <= tools; ++low) {
      EXPECT_EQ(outcome(tools, low, 0), low >= limit ? Outcome::insufficient_evidence
                                        : low > 0    ? Outcome::review_required
                                                     : Outcome::passed)
          << tools << " " << low;
      // Without a finding the compat profile asks for a person as well, by its summary.
      EXPECT_EQ(outcome(tools, low, 0, surface::Profile::compat),
                low >= limit ? Outcome::insufficient_evidence
                : low > 0    ? Outcome::review_required
                             : Outcome::passed)
          << tools << " " << low;
    }
  }
}

TEST(Decision, MoreThanThreeWarningsAreTooMany) {
  const Outcome want[] = {Outcome::passed, Outcome::review_required, Outcome::review_required,
                          Outcome::review_required, Outcome::insufficient_evidence};
  for (std::int64_t n = 0; n < 5; ++n)
    EXPECT_EQ(outcome(10, 0, n), want[n]) << n;
}

TEST(Decision, OneWeakToolAmongManyAsksForReviewInTheExtendedProfileEvenBesideAFinding) {
  const Findings one{gated(low)};
  const auto with = [&](surface::Profile profile) {
    return decide(
               {.findings = one, .tool_count = 100, .low_confidence_tools = 49, .profile = profile})
        .outcome;
  };
  EXPECT_EQ(with(surface::Profile::extended), Outcome::review_required);
  EXPECT_EQ(with(surface::Profile::compat), Outcome::passed);
}

// docs/reference/release-decision.md, "Reasons".
TEST(Decision, EveryReasonHasItsSentence) {
  const auto reason = [](const Findings& findings, std::int64_t tools = 10, std::int64_t low = 0,
                         std::int64_t warnings = 0) {
    return decide({.findings = findings,
                   .tool_count = tools,
                   .low_confidence_tools = low,
                   .source_warnings = warnings,
                   .profile = surface::Profile::extended})
        .reason;
  };
  EXPECT_EQ(reason({gated(critical)}), "1 active finding blocks release.");
  EXPECT_EQ(reason({gated(critical), gated(critical)}), "2 active findings block release.");
  EXPECT_EQ(reason({}, 2, 2),
            "Evidence coverage is below the gating threshold (2 low-confidence tool(s)); this scan "
            "cannot gate the release.");
  EXPECT_EQ(
      reason({}, 2, 2, 5),
      "Evidence coverage is below the gating threshold (2 low-confidence tool(s) and 5 source "
      "warning(s)); this scan cannot gate the release.");
  EXPECT_EQ(
      reason({gated(critical, "matched")}),
      "All critical findings are baseline-matched; review the accepted debt before shipping.");
  EXPECT_EQ(reason({gated(high)}, 10, 0, 1),
            "1 finding needs review and evidence coverage is incomplete.");
  EXPECT_EQ(reason({gated(high), gated(high)}, 10, 1),
            "2 findings need review and evidence coverage is incomplete.");
  EXPECT_EQ(reason({gated(high)}), "1 finding requires human review before shipping.");
  EXPECT_EQ(reason({gated(high), gated(medium)}),
            "2 findings require human review before shipping.");
  EXPECT_EQ(reason({}, 10, 1), "Low-confidence static evidence only; human review is recommended.");
  EXPECT_EQ(reason({}, 10, 0, 2),
            "2 source-loader warning(s); review the evidence before shipping.");
  EXPECT_EQ(reason({}), "No active blockers and evidence coverage is full.");
}

// docs/reference/release-decision.md, "Exit code".
TEST(Decision, TheExitCodeFollowsTheFailPolicyNotTheOutcome) {
  const auto code = [](const Findings& f, CiMode mode,
                       std::optional<std::vector<FindingSeverity>> fail_on = {},
                       bool baseline = false) {
    return decide({.findings = f,
                   .tool_count = 1,
                   .ci_mode = mode,
                   .fail_on = std::move(fail_on),
                   .baseline = {.enabled = baseline}})
        .exit_code;
  };
  using S = std::vector<FindingSeverity>;
  EXPECT_EQ(code({gated(critical)}, CiMode::advisory), 0);
  EXPECT_EQ(code({gated(critical)}, CiMode::strict), 1);
  EXPECT_EQ(code({gated(high)}, CiMode::advisory, S{high}), 1);
  EXPECT_EQ(code({gated(low, "", true)}, CiMode::advisory), 0);
  EXPECT_EQ(code({gated(low, "", true)}, CiMode::strict), 1);
  EXPECT_EQ(code({gated(critical)}, CiMode::strict, S{high}), 0);
  EXPECT_EQ(code({gated(critical, "matched")}, CiMode::strict, {}, true), 0);
  EXPECT_EQ(code({gated(critical, "matched")}, CiMode::strict), 1);
  EXPECT_EQ(code({}, CiMode::strict), 0);
}

TEST(Decision, TheLegacySummaryIsBlindForBaselines) {
  const Findings f{gated(critical, "matched")};
  const ReleaseDecision d = decide({.findings = f, .tool_count = 1, .baseline = {.enabled = true}});
  EXPECT_EQ(d.summary.status, "release_blockers_detected");
  EXPECT_EQ(d.outcome, Outcome::review_required);
}

/// Random findings; the same seed gives the same ones.
Findings random_findings(std::mt19937& random) {
  const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  Findings out;
  for (std::uint32_t i = pick(7); i > 0; --i) {
    GatedFinding g = gated(static_cast<FindingSeverity>(pick(5)),
                           std::array<const char*, 3>{"", "new", "matched"}[pick(3)], pick(4) == 0);
    g.suppressed = pick(4) == 0;
    g.requires_human_review = pick(2) == 0;
    g.agent_action = g.suppressed ? "informational"
                                  : std::array<const char*, 4>{"auto_apply", "escalate_to_human",
                                                               "propose_patch_for_review",
                                                               "informational"}[pick(4)];
    g.id = "fp_" + std::to_string(out.size());
    out.push_back(std::move(g));
  }
  return out;
}

TEST(Decision, BlockersItemsRulesCountsAndHeadlineNeverDisagree) {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const Findings findings = random_findings(random);
    const std::uint64_t tools = random() % 6;
    const ReleaseDecision d =
        decide({.findings = findings,
                .tool_count = std::int64_t(tools),
                .low_confidence_tools = tools == 0 ? 0 : std::int64_t(random() % (tools + 1)),
                .source_warnings = std::int64_t(random() % 6),
                .profile = surface::Profile::extended,
                .ci_mode = random() % 2 == 0 ? CiMode::strict : CiMode::advisory,
                .fail_on = random() % 2 == 0 ? std::optional(std::vector<FindingSeverity>{
                                                   static_cast<FindingSeverity>(random() % 5)})
                                             : std::nullopt,
                .baseline = {.enabled = random() % 2 == 0}});
    ASSERT_EQ(d.contributions.size(), findings.size());
    std::vector<std::size_t> blockers, items;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (d.contributions[i].as.category == Category::blocker) blockers.push_back(i);
      if (d.contributions[i].as.category == Category::review_item) items.push_back(i);
      ASSERT_EQ(findings[i].suppressed, d.contributions[i].as.rule == Rule::suppressed);
      ASSERT_FALSE(d.contributions[i].rationale.empty());
    }
    ASSERT_EQ(d.blockers, blockers);
    ASSERT_EQ(d.review_items, items);
    ASSERT_EQ(d.outcome == Outcome::blocked, !blockers.empty());
    if (d.outcome == Outcome::passed) {
      ASSERT_TRUE(items.empty());
      ASSERT_FALSE(d.has_evidence_gap());
      ASSERT_EQ(d.summary.critical + d.summary.high, 0);
    }
    const Map agent = agent_summary({findings, d, "gatehouse release", "r.json"});
    ASSERT_EQ(*agent.find("verdict"), Value(to_string(d.outcome)));
    ASSERT_EQ(*agent.find("blocker_count"), Value(static_cast<std::int64_t>(blockers.size())));
    ASSERT_EQ(*agent.find("review_item_count"), Value(static_cast<std::int64_t>(items.size())));
    const std::string& headline = *agent.find("headline")->as_string();
    if (contains(headline, "finding(s) require human review"))
      ASSERT_GT(*agent.find("needs_human_review")->as_int(), 0) << headline;
    if (d.outcome == Outcome::blocked)
      ASSERT_TRUE(headline.starts_with(std::to_string(blockers.size()) + " active")) << headline;
    const Map verifier = verifier_summary(findings, d, {});
    ASSERT_EQ(*verifier.find("verdict"), *agent.find("verdict"));
    const Map document = document_of(d, findings);
    ASSERT_EQ(document.find("contribution_rules")->as_list()->size(), findings.size());
    const Map policy = fail_policy(d);
    ASSERT_EQ(*policy.find("would_fail_ci"), Value(d.exit_code != 0));
  }
}

}  // namespace
}  // namespace gh::release
