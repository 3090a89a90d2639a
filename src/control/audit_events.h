#pragma once
// The events of change control, and what each row of the audit chain tells (change-control
// reference, "Audit events").
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::control {

struct AuditEvent {
  std::string_view name;
  std::string_view severity;  // info, warn, error
  std::string_view notable;   // when what it tells of is not as it should be
};
std::span<const AuditEvent> audit_events();
/// The severity of an event that is listed. `is_notable`: conflicts, a failed renewal, gates that
/// would fail, a violated scope, a verification that did not accept.
std::string_view audit_severity(std::string_view event, bool is_notable = false);

struct AuditFacts {
  std::string event_id{}, report_digest{}, tool_name{}, agent_label{};
  std::string intent_id{}, run_id{};  // empty: none
  std::int64_t agent_pid = 0, agent_start_epoch = 0;
  std::string status{}, summary{};
  std::string intent_description{};  // empty: none is told
  Map own{};                         // the facts of the event
};
/// Texts are cut to what a row may hold.
Map audit_payload(const AuditFacts&);
/// intent:<id>, else run:<id>, else event:<event id>.
std::string workflow_id(const AuditFacts&);

}  // namespace gh::control
