#pragma once
// Answers of change control on their way to a door: the frame with its verdict, and the text for
// people.
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "model/verdict.h"
#include "ops/change_session.h"
#include "report/look.h"

namespace gh::ops {

/// What an answer means for whoever asked (change control reference, "Exit codes").
Decision decision_of(std::string_view status);

struct ChangeVerdict {
  std::string_view gate = "scope";   // scope, structure
  std::string status{};              // the gate's own word
  std::vector<std::string> codes{};  // why not; of change control
  std::string message{}, next_step{};
  std::vector<std::string> paths{};  // what the first code is about
  std::string intent_id{};
  std::vector<Reason> reasons{};  // where more is known than a code; then these in its place
};
Map change_verdict(const ChangeSession&, Context&, const ChangeVerdict&);

/// The rule id of a code of change control (interfaces 0.4); itself when it has none.
std::string_view rule_of(std::string_view code);

/// A command that the next step names works for the session that asked.
std::string with_session(std::string next_step, const Request&);
void hint_session(Map& document, const Request&);
/// Where the change is made in another work tree than the one of the caller, analyses that a step
/// speaks of are made there.
std::string with_tree(std::string next_step, const ChangeSession&, const Context&);

std::string start_text(const Value& document, const report::Look&);
std::string intent_text(const Value& document, const report::Look&);
std::string workspace_text(const Value& document, const report::Look&);
std::string queue_text(const Value& document, const report::Look&);
std::string scope_check_text(const Value& document, const report::Look&);
std::string verify_text(const Value& document, const report::Look&);
std::string finish_text(const Value& document, const report::Look&);
std::string budget_text(const Value& document, const report::Look&);
std::string claims_text(const Value& document, const report::Look&);
/// Status, message and next step, for answers that say no more.
std::string promote_text(const Value&, const report::Look&);
std::string short_text(const Value& document, const report::Look&);

}  // namespace gh::ops
