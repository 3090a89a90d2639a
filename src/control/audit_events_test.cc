#include "control/audit_events.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "wire/json.h"

namespace gh::control {
namespace {

struct EventCase {
  std::vector<std::string> events;
  std::string severity, notable;
};
// Typed again from the reference, row by row.
const std::vector<EventCase> kRows = {
    {{"analysis.completed"}, "info", "info"},
    {{"intent.declared"}, "info", "warn"},
    {{"intent.queued", "intent.promoted"}, "info", "info"},
    {{"intent.queue_blocked"}, "warn", "warn"},
    {{"intent.checked"}, "info", "info"},
    {{"intent.expanded", "intent.violated", "intent.expired"}, "warn", "warn"},
    {{"intent.renewed"}, "info", "warn"},
    {{"intent.cleared", "intent.released"}, "info", "info"},
    {{"intent.recovered", "intent.reset", "intent.blocked", "intent.passed"}, "warn", "warn"},
    {{"intent.landing"}, "info", "info"},
    {{"workspace.conflict_detected"}, "warn", "warn"},
    {{"workspace.gc_completed"}, "info", "info"},
    {{"blast_radius.computed", "blast_artifact.created"}, "info", "info"},
    {{"patch_budget.computed"}, "info", "warn"},
    {{"patch_contract.verified"}, "info", "info"},
    {{"patch_contract.violated", "patch_contract.expired"}, "warn", "warn"},
    {{"patch_contract.unverified", "finish.hygiene_blocked"}, "warn", "warn"},
    {{"claim_validation.completed"}, "info", "info"},
    {{"claim_validation.violated"}, "warn", "warn"},
    {{"review_receipt.created"}, "info", "info"},
    {{"review_receipt.attached"}, "info", "info"},
    {{"patch_trail.computed"}, "info", "warn"},
    {{"baseline_abuse.detected"}, "error", "error"},
};

TEST(AuditEvents, EveryEventHasItsSeverity) {
  std::set<std::string> names;
  for (const EventCase& row : kRows)
    for (const std::string& event : row.events) {
      EXPECT_EQ(audit_severity(event), row.severity) << event;
      EXPECT_EQ(audit_severity(event, true), row.notable) << event;
      names.insert(event);
    }
  EXPECT_EQ(names.size(), 33u);
  EXPECT_EQ(audit_events().size(), names.size());
  for (const AuditEvent& event : audit_events())
    EXPECT_TRUE(names.contains(std::string(event.name))) << event.name;
}

TEST(AuditEvents, ThePayloadHoldsWhatEveryRowTells) {
  AuditFacts facts{.event_id = "evt_1_abcd",
                   .tool_name = "finish",
                   .agent_label = "client/1",
                   .agent_pid = 7,
                   .agent_start_epoch = 9,
                   .status = "accepted",
                   .summary = std::string(2001, 's')};
  facts.own = Map{{"count", 3}, {"event_id", "not this"}};
  EXPECT_EQ(wire::canonical_json(audit_payload(facts)),
            R"({"agent_label":"client/1","agent_pid":7,"agent_start_epoch":9,"count":3,)"
            R"("event_id":"evt_1_abcd","report_digest":null,"status":"accepted","summary":")" +
                std::string(2000, 's') +
                R"(","tool_name":"finish","workflow_id":"event:evt_1_abcd"})");
  facts.run_id = "r";
  EXPECT_EQ(workflow_id(facts), "run:r");
  facts.intent_id = "i";
  EXPECT_EQ(workflow_id(facts), "intent:i");
  facts.intent_description = std::string(501, 'd');
  EXPECT_EQ(audit_payload(facts).find("intent_description")->as_string()->size(), 500u);
}

}  // namespace
}  // namespace gh::control
