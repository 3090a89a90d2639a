// docs/reference/change-control.md, "Exit codes".
#include "ops/change_text.h"

#include <gtest/gtest.h>

namespace gh::ops {
namespace {

struct Row {
  const char* status;
  Decision decision;
};

TEST(ChangeText, EachStatusMeansOneDecision) {
  const Row rows[] = {{"active", Decision::allow},
                      {"accepted", Decision::allow},
                      {"accepted_with_external_changes", Decision::allow},
                      {"valid", Decision::allow},
                      {"clean", Decision::allow},
                      {"expanded", Decision::allow},
                      {"blocked", Decision::deny},
                      {"queued", Decision::deny},
                      {"violated", Decision::deny},
                      {"invalid", Decision::deny},
                      {"recovery_rejected", Decision::deny},
                      {"rejected", Decision::deny},
                      {"needs_analysis", Decision::unverified},
                      {"unverified", Decision::unverified},
                      {"expired", Decision::unverified}};
  for (const Row& row : rows)
    EXPECT_EQ(decision_of(row.status), row.decision) << row.status;
  EXPECT_EQ(decision_of("no such word"), Decision::unverified) << "what is unknown allows nothing";
}

struct Rule {
  const char *code, *rule;
};

TEST(ChangeText, EachCodeOfHooksAndScopeHasItsRule) {
  const Rule rules[] = {{"no_active_intent", "GH-INTENT-001"},
                        {"queued_intent_not_editable", "GH-INTENT-002"},
                        {"intent_not_active", "GH-INTENT-002"},
                        {"foreign_active_overlap", "GH-INTENT-003"},
                        {"foreign_stale_overlap", "GH-INTENT-003"},
                        {"path_outside_scope", "GH-SCOPE-001"},
                        {"unexpected_files", "GH-SCOPE-001"},
                        {"forbidden_touched", "GH-SCOPE-002"},
                        {"state_artifact_mutation", "GH-PROTECT-001"},
                        {"registry_error", "GH-GATE-001"}};
  for (const Rule& rule : rules)
    EXPECT_EQ(rule_of(rule.code), rule.rule) << rule.code;
  EXPECT_EQ(rule_of("missing_evidence"), "missing_evidence");
}

}  // namespace
}  // namespace gh::ops
