#pragma once
// Where a script calls the gate, and what becomes of its exit code. Private to checks.
#include <string>
#include <string_view>
#include <vector>

namespace gh::checks {

struct GateCall {
  bool is_there = false;               // some call that is reached
  bool is_swallowed = false;           // and none of them whose failure ends the script
  std::vector<std::string> scripts{};  // files of the repository that it runs
};
/// `stops_at_errors`: as `sh -e` does; `pipes_fail`: as with pipefail. `name`: look for calls of
/// that file instead of the gate.
GateCall gate_call(std::string_view script, bool stops_at_errors, bool pipes_fail,
                   std::string_view name = {});

/// A shell step of a Jenkinsfile that calls the gate.
struct JenkinsCall {
  std::string stage{};  // the nearest around it
  bool is_swallowed = false, is_never = false;
  std::string condition{};  // of its stages, as text
};
std::vector<JenkinsCall> jenkins_calls(std::string_view groovy);

}  // namespace gh::checks
