#pragma once
// A failure in one line for coding agents (release-gate 24): what kind it is, and what to do next.
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/value.h"

namespace gh::report {

/// What the operation knows about its failure beyond the error itself.
struct AgentFault {
  std::string kind{};     // config_already_exists, ...; empty: by the class of the error
  Map facts{};            // check_id, suggestion, path, source_report, ...
  List next_actions{};    // ranked; empty: by the error
  int shipgate_exit = 0;  // where the exit codes of that name tell it apart; 0: they do not
};

/// {kind, command, path, why, expects}. The target is the command of a `command` and the path of an
/// `edit`; `review` and `stop` have none.
Map next_action(std::string_view kind, std::string_view target, std::string_view why,
                std::string_view expects = {});
/// The first of them as a sentence: the command, "Edit PATH", "Review: WHY" or "Stop: WHY".
std::string next_sentence(const Map& action);

/// How the command was started, for advice on its options.
struct AskedAs {
  std::string program;    // "gatehouse release", "agents-shipgate"
  std::string help_line;  // a command that shows its options
};
/// {error, message, next_action, next_actions, ...} on one line.
std::string agent_error_line(const Error&, const AgentFault*, const AskedAs&);

}  // namespace gh::report
