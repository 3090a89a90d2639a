#include "ops/ci_outputs.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/verdict.h"
#include "report/verdict_document.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

std::string value_of(const std::vector<CiOutput>& outputs, std::string_view name) {
  for (const CiOutput& output : outputs)
    if (output.name == name) return output.value;
  return "no such output";
}

// Release-gate 22: where each value comes from.
TEST(CiOutputs, EachIsReadFromItsDocument) {
  CiDocuments d;
  d.verdict = *wire::read_json(
      R"({"decision":"deny","headline":"no","parts":[{"gate":"scope","status":"violated"}]})");
  d.verifier = *wire::read_json(R"({"merge_verdict":"blocked","can_merge_without_human":false,
      "trust_root_touched":true,"trigger":{"should_run":true,"trigger_action":"force_run",
      "matched_rules":[{"id":"A"},{"id":"B"}]},"capability_review":{"policy_weakened":true,
      "capability_changes_added":1,"capability_changes_modified":2,"capability_changes_removed":3},
      "release_decision":{"decision":"blocked","blockers":[{},{}],"review_items":[{}],
      "fail_policy":{"would_fail_ci":true}}})");
  d.report = *wire::read_json(R"({"verifier_summary":{"verdict":"blocked"},
      "summary":{"critical_count":4,"high_count":5,"medium_count":6,"status":"fail"},
      "release_decision":{"baseline_delta":{"new_count":7,"matched_count":8,"resolved_count":9}},
      "action_surface_diff":{"enabled":true,"summary":{"actions_added":10,"actions_modified":11,
      "actions_removed":12}},"tool_surface_diff":{"enabled":false},
      "google_adk":{"agent_count":13,"dynamic_toolset_count":14}})");
  d.exit_code = 1;
  d.receipt_digest = "sha256:ab";
  d.files = {{"verdict_json", "r/verdict.json"},   {"report_json", "r/report.json"},
             {"report_markdown", "r/report.md"},   {"report_sarif", "r/report.sarif"},
             {"verifier_json", "r/verifier.json"}, {"pr_comment", "r/pr-comment.md"},
             {"comment", "r/comment.md"},          {"sarif", "r/gatehouse.sarif"}};
  const auto outputs = ci_outputs(d);
  const std::pair<const char*, const char*> rows[] = {{"verdict", "deny"},
                                                      {"headline", "no"},
                                                      {"verdict_json", "r/verdict.json"},
                                                      {"receipt_digest", "sha256:ab"},
                                                      {"scope_status", "violated"},
                                                      {"health_delta", ""},
                                                      {"decision", "blocked"},
                                                      {"blocker_count", "2"},
                                                      {"review_item_count", "1"},
                                                      {"ci_would_fail", "true"},
                                                      {"exit_code", "1"},
                                                      {"should_run", "true"},
                                                      {"trigger_action", "force_run"},
                                                      {"trigger_rule_ids", "A,B"},
                                                      {"verifier_verdict", "blocked"},
                                                      {"merge_verdict", "blocked"},
                                                      {"can_merge_without_human", "false"},
                                                      {"trust_root_touched", "true"},
                                                      {"policy_weakened", "true"},
                                                      {"capability_changes_added", "1"},
                                                      {"capability_changes_modified", "2"},
                                                      {"capability_changes_removed", "3"},
                                                      {"critical_count", "4"},
                                                      {"high_count", "5"},
                                                      {"medium_count", "6"},
                                                      {"baseline_new_count", "7"},
                                                      {"baseline_matched_count", "8"},
                                                      {"baseline_resolved_count", "9"},
                                                      {"actions_added", "10"},
                                                      {"actions_modified", "11"},
                                                      {"actions_removed", "12"},
                                                      {"diff_enabled", "false"},
                                                      {"action_diff_enabled", "true"},
                                                      {"adk_agent_count", "13"},
                                                      {"adk_dynamic_toolset_count", "14"},
                                                      {"report_json", "r/report.json"},
                                                      {"report_markdown", "r/report.md"},
                                                      {"report_sarif", "r/report.sarif"},
                                                      {"verifier_json", "r/verifier.json"},
                                                      {"pr_comment_markdown", "r/pr-comment.md"},
                                                      {"comment_markdown", "r/comment.md"},
                                                      {"sarif", "r/gatehouse.sarif"},
                                                      {"status", "fail"}};
  EXPECT_EQ(outputs.size(), std::size(rows));
  for (const auto& [name, value] : rows)
    EXPECT_EQ(value_of(outputs, name), value) << name;
}

TEST(CiOutputs, WhatIsNotThereIsEmptyAndOfOneLine) {
  CiDocuments d;
  d.verdict = Value(Map{{"decision", "allow"}, {"headline", "a\nGATEHOUSE_VERDICT=allow\n::x::"}});
  for (const CiOutput& output : ci_outputs(d)) {
    EXPECT_FALSE(contains(output.value, "\n")) << output.name;
    if (output.name != "verdict" && output.name != "headline" && output.name != "exit_code")
      EXPECT_EQ(output.value, "") << output.name;
  }
}

TEST(CiOutputs, EachSystemHasAFormOfItsOwn) {
  const std::vector<CiOutput> outputs{{"verdict", "deny"}, {"headline", "a; b] 100%"}};
  EXPECT_EQ(github_outputs(outputs, "f00d"),
            "verdict<<gatehouse_f00d\ndeny\ngatehouse_f00d\nheadline<<gatehouse_f00d\na; b] 100%\n"
            "gatehouse_f00d\n");
  EXPECT_EQ(dotenv_outputs(outputs), "GATEHOUSE_VERDICT=deny\nGATEHOUSE_HEADLINE=a; b] 100%\n");
  EXPECT_EQ(azure_outputs(outputs),
            "##vso[task.setvariable variable=gatehouse_verdict;isOutput=true]deny\n"
            "##vso[task.setvariable variable=gatehouse_headline;isOutput=true]a%3B b%5D "
            "100%AZP25\n");
}

TEST(CiOutputs, IssuesOfAzureHoldNoCommandOfTheChange) {
  Verdict v;
  v.reasons = {{.id = "A;B]", .message = "x ##vso[task.complete]\ny", .path = "p;q]"},
               {.id = "N", .severity = Severity::note, .message = "left out"}};
  EXPECT_EQ(azure_issues(report::verdict_document(v)),
            "##vso[task.logissue type=error;sourcepath=p%3Bq%5D;linenumber=1;code=A%3BB%5D]x "
            "## vso[task.complete%5D\\ny\n");
}

}  // namespace
}  // namespace gh::ops
