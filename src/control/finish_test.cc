#include "control/finish.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/start_decision.h"
#include "wire/json.h"

namespace gh::control {
namespace {

using V = VerifyStatus;

/// Everything went well.
FinishFacts good() { return {.scope_status = "clean", .verify_status = V::accepted}; }

struct ExitCase {
  void (*make)(FinishFacts&);
  std::string status, reason;  // "-": null
  bool user_action, trail, cleared;
};
// Typed again from the reference, in its order; each also fails what comes later.
const std::vector<ExitCase> kExits = {
    {[](FinishFacts& f) {
       f.scope_status = "expired";
       f.verify_status.reset();
     },
     "expired", "report_digest_mismatch", true, false, false},
    {[](FinishFacts& f) {
       f.scope_status = "violated";
       f.verify_status.reset();
     },
     "violated", "scope_violation", true, true, false},
    {[](FinishFacts& f) {
       f.intent_status = "queued";
       f.hygiene_blocks = true;
     },
     "unverified", "intent_not_active", false, false, false},
    {[](FinishFacts& f) {
       f.intent_status = "blocked";
       f.hygiene_blocks = true;
     },
     "unverified", "intent_not_active", false, false, false},
    {[](FinishFacts& f) {
       f.hygiene_blocks = true;
       f.finish_block_reason = "missing_evidence";
       f.scope_status = "expired";
     },
     "unverified", "workspace_hygiene", true, false, false},
    {[](FinishFacts& f) {
       f.scope_status = "expired";
       f.verify_status = V::violated;
     },
     "expired", "report_digest_mismatch", true, false, false},
    {[](FinishFacts& f) {
       f.scope_status = "violated";
       f.verify_status = V::violated;
       f.verify_reason = "x";
     },
     "violated", "scope_violation", true, true, false},
    {[](FinishFacts& f) {
       f.verify_status = V::violated;
       f.verify_reason = "gate_failures";
       f.workspace_changed = true;
     },
     "violated", "gate_failures", true, true, false},
    {[](FinishFacts& f) {
       f.verify_status = V::unverified;
       f.verify_reason = "no_after_run";
       f.receipt_failed = true;
     },
     "unverified", "no_after_run", false, true, false},
    {[](FinishFacts& f) {
       f.verify_status = V::expired;
       f.verify_reason = "report_digest_mismatch";
     },
     "expired", "report_digest_mismatch", false, true, false},
    {[](FinishFacts& f) {
       f.workspace_changed = true;
       f.receipt_failed = true;
     },
     "unverified", "workspace_changed_during_finish", false, true, false},
    {[](FinishFacts& f) {
       f.claims_violated = f.claims_block_finish = true;
       f.receipt_failed = true;
     },
     "violated", "claims_invalid", true, true, false},
    {[](FinishFacts& f) { f.receipt_failed = true; }, "accepted", "-", false, true, false},
    {[](FinishFacts& f) {
       f.receipt_failed = true;
       f.verify_status = V::accepted_with_external_changes;
     },
     "accepted_with_external_changes", "-", false, true, false},
    {[](FinishFacts&) {}, "accepted", "-", false, true, true},
    {[](FinishFacts& f) { f.scope_status = "expanded"; }, "accepted", "-", false, true, true},
    {[](FinishFacts& f) { f.auto_clear = false; }, "accepted", "-", false, true, false},
    {[](FinishFacts& f) { f.verify_status = V::accepted_with_external_changes; },
     "accepted_with_external_changes", "-", false, true, true},
    {[](FinishFacts& f) { f.claims_violated = true; }, "accepted", "-", false, true, true},
};

TEST(Finish, EveryExitOfThePipeline) {
  std::set<FinishExit> seen;
  for (const ExitCase& c : kExits) {
    FinishFacts facts = good();
    c.make(facts);
    const FinishOutcome out = finish_outcome(facts);
    const std::string name = c.status + " " + c.reason;
    EXPECT_EQ(out.status, c.status) << name;
    EXPECT_EQ(out.reason.empty() ? "-" : out.reason, c.reason) << name;
    EXPECT_EQ(out.user_action_required, c.user_action) << name;
    EXPECT_EQ(out.patch_trail, c.trail) << name;
    EXPECT_EQ(out.intent_cleared, c.cleared) << name;
    EXPECT_EQ(out.next_step.empty(), c.reason == "-") << name;
    EXPECT_FALSE(out.message.empty());
    seen.insert(out.exit);
  }
  // The seven rows of the reference, and two of our own: a work tree that changed, claims that
  // block.
  EXPECT_EQ(seen.size(), 9u);
  EXPECT_EQ(finish_rows().size(), 9u);
}

TEST(Finish, DirtOutsideOfTheScopeElevatesAcceptanceAndNothingElse) {
  FinishFacts facts = good();
  facts.dirty_outside_scope = 3;
  EXPECT_EQ(finish_outcome(facts).status, "accepted_with_external_changes");
  EXPECT_TRUE(finish_outcome(facts).intent_cleared);
  facts.receipt_failed = true;
  EXPECT_EQ(finish_outcome(facts).status, "accepted_with_external_changes");
  facts.verify_status = V::violated;
  facts.verify_reason = "gate_failures";
  EXPECT_EQ(finish_outcome(facts).status, "violated");
}

TEST(Finish, EachBlockOfTheHygieneHasItsOwnNextStep) {
  std::set<std::string> texts;
  for (const std::string reason :
       {"missing_evidence", "foreign_dirty_overlap", "own_unscoped_dirty", "git_error"}) {
    FinishFacts facts = good();
    facts.hygiene_blocks = true;
    facts.finish_block_reason = reason;
    const std::string text = finish_outcome(facts).next_step;
    EXPECT_FALSE(text.empty()) << reason;
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 4u);
}

TEST(Finish, ClaimsAreCheckedWhenThereAreAnyAndTheyAreWanted) {
  EXPECT_EQ(claims_run("", true), ClaimsRun::skipped_no_claims_text);
  EXPECT_EQ(claims_run("", false), ClaimsRun::skipped_no_claims_text);
  EXPECT_EQ(claims_run(" \n", true), ClaimsRun::skipped_no_claims_text);
  EXPECT_EQ(claims_run("text", false), ClaimsRun::skipped_not_recommended);
  EXPECT_EQ(claims_run("text", true), ClaimsRun::runs);
}

TEST(Finish, ExternalChangesShowTenPaths) {
  std::vector<std::string> dirty;
  EXPECT_TRUE(external_changes(V::accepted, dirty).is_null());
  for (int i = 0; i < 10; ++i)
    dirty.push_back(fmt::format("p{}", i));
  const Value ten = external_changes(V::accepted, dirty);
  EXPECT_EQ(*ten.as_map()->find("truncated")->as_bool(), false);
  dirty.emplace_back("p\xff");
  const Value eleven = external_changes(V::accepted_with_external_changes, dirty);
  EXPECT_EQ(*eleven.as_map()->find("count")->as_int(), 11);
  EXPECT_EQ(eleven.as_map()->find("sample")->as_list()->size(), 10u);
  EXPECT_EQ(*eleven.as_map()->find("truncated")->as_bool(), true);
  for (const V status : {V::violated, V::unverified, V::expired})
    EXPECT_TRUE(external_changes(status, dirty).is_null());
}

TEST(Finish, TheSummaryHasTheMembersOfTheReference) {
  Verification v;
  v.structural_verdict = "regressed";
  v.health_delta = -2;
  v.regressions = 1;
  v.worsened_symbols = 4;
  EXPECT_EQ(wire::canonical_json(document(FinishSummary{.verification = &v,
                                                        .status = "accepted",
                                                        .scope_status = "clean",
                                                        .verification_profile = "python_structural",
                                                        .claims = "valid",
                                                        .review_note_present = true,
                                                        .receipt = "created",
                                                        .intent_cleared = true,
                                                        .workspace_dirty_paths = 5})),
            R"({"claims":"valid","health_delta":-2,"intent_cleared":true,"receipt":"created",)"
            R"("regressions":1,"review_note_present":true,"scope_status":"clean",)"
            R"("status":"accepted","structural_verdict":"regressed",)"
            R"("verification_profile":"python_structural","workspace_dirty_paths":5,)"
            R"("workspace_hygiene_blocked":false,"worsened_symbols":4})");
  EXPECT_EQ(wire::canonical_json(
                document(FinishSummary{.status = "unverified", .workspace_hygiene_blocked = true})),
            R"({"claims":"skipped_no_claims_text","health_delta":null,"intent_cleared":false,)"
            R"("receipt":"skipped","regressions":0,"review_note_present":false,)"
            R"("scope_status":null,"status":"unverified","structural_verdict":null,)"
            R"("verification_profile":null,"workspace_dirty_paths":0,)"
            R"("workspace_hygiene_blocked":true,"worsened_symbols":0})");
}

// change-control 16.7, row by row: what was found, the answer to it, and words that the step it
// names cannot do without.
TEST(Finish, EveryAnswerHasAnActionForTheAgent) {
  struct Start {
    StartFacts facts;
    std::string status;
    bool edit_allowed;
  };
  const Start starts[] = {
      {{.run_exists = false}, "needs_analysis", false},
      {{.conflicts = true, .queue_asked = true}, "queued", false},
      {{.conflicts = true}, "blocked", false},
      {{.hygiene_blocks = true}, "blocked", false},
      {{}, "active", true},
  };
  for (const Start& row : starts) {
    const StartOutcome out = decide_start(row.facts);
    EXPECT_EQ(to_string(out.status), row.status);
    EXPECT_EQ(out.edit_allowed, row.edit_allowed) << row.status;
    EXPECT_EQ(out.record.has_value(), row.status == "queued" || row.status == "active");
  }
  // No edit, unless continue_own_wip was asked for; then it is no stop.
  EXPECT_TRUE(hygiene_stops_start({.blocks_edit = true}));
  EXPECT_FALSE(
      hygiene_stops_start({.blocks_edit = true, .policy = DirtyScopePolicy::continue_own_wip}));

  struct End {
    FinishFacts facts;
    std::string answer;
    bool is_closed;
    std::vector<std::string> words;  // of the step; none: nothing is left to do
  };
  const auto with = [](void (*make)(FinishFacts&)) {
    FinishFacts out = good();
    make(out);
    return out;
  };
  const End ends[] = {
      {good(), "accepted", true, {}},
      {with([](FinishFacts& f) { f.receipt_failed = true; }), "accepted", false, {}},
      {with([](FinishFacts& f) { f.dirty_outside_scope = 2; }),
       "accepted_with_external_changes",
       true,
       {}},
      {with([](FinishFacts& f) {
         f.hygiene_blocks = true;
         f.finish_block_reason = "missing_evidence";
       }),
       "unverified workspace_hygiene",
       false,
       {"--files", "finish again"}},
      {with([](FinishFacts& f) {
         f.hygiene_blocks = true;
         f.finish_block_reason = "foreign_dirty_overlap";
       }),
       "unverified workspace_hygiene",
       false,
       {"owner", "finish again"}},
      {with([](FinishFacts& f) {
         f.hygiene_blocks = true;
         f.finish_block_reason = "own_unscoped_dirty";
       }),
       "unverified workspace_hygiene",
       false,
       {"stash", "revert", "finish again"}},
      {with([](FinishFacts& f) {
         f.verify_status = V::violated;
         f.verify_reason = "structural_regressions";
       }),
       "violated structural_regressions",
       false,
       {"findings", "analyse and verify again"}},
      {with([](FinishFacts& f) { f.scope_status = "violated"; }),
       "violated scope_violation",
       false,
       {"extend"}},
      {with([](FinishFacts& f) { f.scope_status = "expired"; }),
       "expired report_digest_mismatch",
       false,
       {"gatehouse analyze", "start anew"}},
  };
  for (const End& row : ends) {
    const FinishOutcome out = finish_outcome(row.facts);
    EXPECT_EQ(out.reason.empty() ? out.status : out.status + ' ' + out.reason, row.answer);
    EXPECT_EQ(out.intent_cleared, row.is_closed) << row.answer;
    for (const std::string& word : row.words)
      EXPECT_NE(out.next_step.find(word), out.next_step.npos) << row.answer << out.next_step;
  }
}

TEST(Finish, ARefusedLandingHasTheStepThatItsRefusalAsksFor) {
  std::vector<std::string> known;
  for (const ReasonStep& step : landing_next_steps()) {
    known.emplace_back(step.reason);
    EXPECT_EQ(landing_next_step(step.reason), step.text);
  }
  EXPECT_EQ(known, (std::vector<std::string>{"blocked_by", "not_named", "edited_meanwhile",
                                             "merged_result", "worktree_dirty", "base_moved"}));
  EXPECT_EQ(landing_next_step("base_blob_mismatch"), finish_next_step("landing_refused"));
}

}  // namespace
}  // namespace gh::control
