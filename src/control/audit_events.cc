#include "control/audit_events.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "control/cut.h"

namespace gh::control {
namespace {

constexpr std::size_t kSummary = 2000, kDescription = 500;

// table: audit events of change control
constexpr std::array<AuditEvent, 33> kEvents{{
    {"analysis.completed", "info", "info"},
    {"intent.declared", "info", "warn"},
    {"intent.queued", "info", "info"},
    {"intent.promoted", "info", "info"},
    {"intent.queue_blocked", "warn", "warn"},
    {"intent.checked", "info", "info"},
    {"intent.expanded", "warn", "warn"},
    {"intent.violated", "warn", "warn"},
    {"intent.expired", "warn", "warn"},
    {"intent.renewed", "info", "warn"},
    {"intent.cleared", "info", "info"},
    {"intent.released", "info", "info"},
    {"intent.recovered", "warn", "warn"},
    {"intent.reset", "warn", "warn"},
    {"intent.blocked", "warn", "warn"},
    {"intent.passed", "warn", "warn"},
    {"intent.landing", "info", "info"},
    {"workspace.conflict_detected", "warn", "warn"},
    {"workspace.gc_completed", "info", "info"},
    {"blast_radius.computed", "info", "info"},
    {"blast_artifact.created", "info", "info"},
    {"patch_budget.computed", "info", "warn"},
    {"patch_contract.verified", "info", "info"},
    {"patch_contract.violated", "warn", "warn"},
    {"patch_contract.expired", "warn", "warn"},
    {"patch_contract.unverified", "warn", "warn"},
    {"finish.hygiene_blocked", "warn", "warn"},
    {"claim_validation.completed", "info", "info"},
    {"claim_validation.violated", "warn", "warn"},
    {"review_receipt.created", "info", "info"},
    {"review_receipt.attached", "info", "info"},
    {"patch_trail.computed", "info", "warn"},
    {"baseline_abuse.detected", "error", "error"},
}};

Value or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

}  // namespace

std::span<const AuditEvent> audit_events() { return kEvents; }

std::string_view audit_severity(std::string_view event, bool is_notable) {
  const auto row = std::ranges::find(kEvents, event, &AuditEvent::name);
  GH_ASSERT(row != kEvents.end());
  return is_notable ? row->notable : row->severity;
}

std::string workflow_id(const AuditFacts& f) {
  if (!f.intent_id.empty()) return "intent:" + f.intent_id;
  if (!f.run_id.empty()) return "run:" + f.run_id;
  return "event:" + f.event_id;
}

Map audit_payload(const AuditFacts& f) {
  Map out = f.own;
  out.set("event_id", f.event_id);
  out.set("report_digest", or_null(f.report_digest));
  out.set("workflow_id", workflow_id(f));
  out.set("tool_name", or_null(f.tool_name));
  out.set("agent_label", or_null(f.agent_label));
  out.set("agent_pid", f.agent_pid);
  out.set("agent_start_epoch", f.agent_start_epoch);
  out.set("status", or_null(f.status));
  out.set("summary", or_null(first_characters(f.summary, kSummary)));
  if (!f.intent_description.empty())
    out.set("intent_description", first_characters(f.intent_description, kDescription));
  return out;
}

}  // namespace gh::control
