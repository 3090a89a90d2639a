// Every word that change control answers with is explained: what it means, and what to do next.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "control/finish.h"
#include "control/hygiene.h"
#include "control/ownership.h"
#include "control/start_decision.h"
#include "control/verify.h"
#include "ops/receipt_find.h"
#include "report/rule_text.h"
#include "tests/gatehouse_binary.h"

namespace gh::testing {
namespace {

/// From the tables of the product.
std::set<std::string> emitted() {
  std::set<std::string> out;
  for (const control::NextStep& step : control::start_next_steps())
    out.emplace(step.code);
  for (const control::Refusal& refusal : control::recover_refusals())
    out.emplace(refusal.reason);
  for (const auto steps : {control::verify_steps(), control::fast_steps()})
    for (const control::VerifyStep& step : steps)
      if (!step.reason.empty()) out.emplace(step.reason);
  for (const auto steps : {control::next_steps(), control::finish_next_steps()})
    for (const control::ReasonStep& step : steps)
      if (!step.reason.ends_with(':')) out.emplace(step.reason);
  for (const control::FinishRow& row : control::finish_rows())
    if (!row.reason.empty()) out.emplace(row.reason);
  // One trigger for each thing that can go with an updated baseline.
  for (const std::string& trigger : control::baseline_abuse({.baseline_updated = true,
                                    .has_intent = false,
                                    .before_gate_failed = true,
                                    .regressions = 1,
                                    .other_changed_files = 1}))
    out.insert("baseline_abuse:" + trigger);
  for (int i = 0; i <= static_cast<int>(control::DirtClass::unknown_unattributed_unscoped_dirty);
       ++i)
    out.emplace(to_string(static_cast<control::DirtClass>(i)));
  for (int i = 0; i <= static_cast<int>(control::WriteReason::path_outside_scope); ++i)
    out.emplace(to_string(static_cast<control::WriteReason>(i)));
  for (std::size_t i = 1; i < ops::kLookupCount; ++i)  // 0 is ok
    out.emplace(to_string(static_cast<ops::Lookup>(i)));
  return out;
}

// docs/reference/change-control.md, and the ids that hooks and verdicts carry.
const std::vector<std::string> kListed{
    // rule ids
    "GH-INTENT-001", "GH-INTENT-002", "GH-INTENT-003", "GH-SCOPE-001", "GH-SCOPE-002",
    "GH-PROTECT-001", "GH-BYPASS-001", "GH-GATE-001",
    // the surface gate
    "GH-POWER-001", "GH-POWER-002", "GH-POWER-003",
    // start and promote
    "needs_analysis", "blocked", "queued", "foreign_active_overlap", "foreign_stale_overlap",
    "foreign_overlap_and_dirty_scope", "foreign_dirty_overlap", "dirty_scope", "git_error",
    "before_run_evicted",
    // warnings
    "scope_entry_is_directory", "scope_entry_looks_like_glob", "before_run_stale",
    "before_run_has_own_changes", "before_run_settings_differ", "scope_entry_ignored",
    "scope_entry_is_forbidden", "scope_entry_through_link", "intent_replaced", "path_rewritten",
    "ttl_clamped", "lease_clamped",
    // verify
    "no_before_run", "no_after_run", "after_run_not_new", "after_run_stale",
    "before_run_not_of_base", "after_run_required_for_governance", "incomparable_runs",
    "intent_not_active", "report_digest_mismatch", "state_artifact_mutation", "scope_violation",
    "structural_regressions", "gate_failures", "intent_expired",
    "baseline_abuse:baseline_changed_with_functional_code",
    "baseline_abuse:baseline_updated_while_regressions_present",
    "baseline_abuse:baseline_updated_without_intent", "baseline_abuse:ci_greened_by_accepting_debt",
    // comparison
    "different_root", "different_analysis_settings", "different_root_and_analysis_settings",
    // finish
    "workspace_hygiene", "missing_evidence", "own_unscoped_dirty",
    "workspace_changed_during_finish", "claims_invalid", "landing_refused",
    // hygiene
    "declared_scope_dirty", "foreign_attributed_outside_scope", "preexisting_unscoped_dirty",
    "new_unattributed_unscoped_dirty", "modified_unattributed_unscoped_dirty",
    "unknown_unattributed_unscoped_dirty",
    // scope check and write gate
    "unexpected_files", "forbidden_touched", "active_intent", "queued_intent_not_editable",
    "no_active_intent", "registry_error", "path_outside_scope",
    // recover, renew, reset
    "missing_intent_id", "missing_run_id", "missing_root", "not_found", "not_recoverable",
    "run_not_available", "scope_digest_mismatch", "already_active", "invalid_scope",
    "workspace_rewrite_failed", "conflict", "not_owner", "ownership_lost", "intent_closed",
    "ttl_expired", "foreign_active", "foreign_stale", "recoverable", "expired", "orphaned",
    // claims
    "P-1", "P-2", "P-3", "P-4", "P-5", "health_regression_overclaim", "no_citations",
    "unknown_finding", "structural_checks_not_applicable", "external_changes_present",
    // what check says of the structure of a change
    "GH-STRUCT-SYNTAX", "GH-STRUCT-UNREAD", "source_not_analysed", "suppression_added",
    "clone_copied", "clone_partial_edit", "clone_grown", "health_regression_advisory",
    // receipts
    "ambiguous", "digest_mismatch", "malformed_stored_receipt", "malformed_stored_patch_trail",
    "unsupported_format"};

TEST(ChangeCodes, EveryCodeThatCanBeAnsweredHasItsText) {
  std::set<std::string> all = emitted();
  EXPECT_GE(all.size(), 50u);
  const std::set<std::string> listed(kListed.begin(), kListed.end());
  for (const std::string& code : all)
    EXPECT_TRUE(listed.contains(code)) << code << " is not in the list above";
  all.insert(listed.begin(), listed.end());
  for (const std::string& code : all) {
    SCOPED_TRACE(code);
    const auto text = report::rule_text(code);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_GT(text->fires.size(), 10u);
    EXPECT_GT(text->fix.size(), 20u);
  }
}

TEST(ChangeCodes, NoTextIsOfACodeThatNobodyAnswersWith) {
  const std::set<std::string> listed(kListed.begin(), kListed.end());
  for (const report::RuleText& text : report::change_texts())
    EXPECT_TRUE(listed.contains(text.id)) << text.id;
}

TEST(ChangeCodes, TheAnswerOfAGateIsExplainedByItsGuidance) {
  for (const auto steps : {control::next_steps(), control::finish_next_steps()})
    for (const control::ReasonStep& step : steps) {
      const std::string id = step.reason == "baseline_abuse:"
                                 ? "baseline_abuse:baseline_updated_without_intent"
                                 : std::string(step.reason);
      EXPECT_EQ(report::rule_text(id)->exit_code, 1) << id;
    }
}

TEST(ChangeCodes, ThePeopleAtTheTerminalGetThem) {
  const Ran one = gatehouse({"explain", "missing_evidence"}, "/");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_TRUE(one.out.starts_with("missing_evidence  (change control, finish, exit 1)\n"))
      << one.out;
  for (const char* part : {"Why it exists", "What fires it", "Bad", "Good", "How to fix it",
                           "--files", "Who may switch it off", "Since 0.1.0"})
    EXPECT_TRUE(contains(one.out, part)) << part;
  EXPECT_EQ(gatehouse({"explain", "GH-SCOPE-001", "--field", "kind"}, "/").out, "change\n");
  EXPECT_EQ(gatehouse({"explain", "P-1"}, "/").code, 0);
  const Ran wrong = gatehouse({"explain", "missing_evidenc"}, "/");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "did you mean 'missing_evidence'?")) << wrong.err;
  const Ran group = gatehouse({"explain", "baseline_abuse"}, "/");
  EXPECT_TRUE(contains(group.err, "baseline_abuse:ci_greened_by_accepting_debt")) << group.err;
  const std::string all = gatehouse({"rule", "list"}, "/").out;
  for (const std::string& code : kListed)
    EXPECT_TRUE(contains(all, "\n" + code + " ")) << code;
  const Ran hygiene = gatehouse({"rule", "list", "--gate", "hygiene"}, "/");
  EXPECT_EQ(split(hygiene.out, '\n').size(), 7u) << hygiene.out;  // six, and the end
}

}  // namespace
}  // namespace gh::testing
