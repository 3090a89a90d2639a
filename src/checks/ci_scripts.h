#pragma once
// Where a script calls the gate, and what becomes of its exit code. Private to checks.
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gh::checks {

struct GateCall {
  bool is_there = false;               // some call that may be reached
  bool is_swallowed = false;           // and the script ends well whatever it answers
  std::set<std::string> conditions{};  // under which alone it is reached, as far as nobody can tell
  std::set<std::string> doubts{};      // for which nobody can tell what becomes of its answer
};

/// What a script may lead to.
struct ScriptFiles {
  /// Text of a file of the repository, by its path from the top.
  std::function<std::optional<std::string>(const std::string& path)> read{};
  /// Told of what the script runs and the repository does not have at the place it seems to name.
  std::function<void(const std::string& name)> miss{};
};

struct ShellUse {
  bool stops_at_errors = true;  // as `sh -e` does
  bool pipes_fail = false;      // as with pipefail
  std::string folder{};         // where it starts, from the top
  bool knows_folder = true;
};

/// The script is run in thought, once, with every call of the gate failing and everything else
/// doing well, both ways wherever nobody can tell; files of the repository that it runs are run
/// with it. What is run and cannot be followed counts as a call where it names the gate.
GateCall gate_call(std::string_view script, const ShellUse&, const ScriptFiles&);

/// A shell step of a Jenkinsfile that calls the gate.
struct JenkinsCall {
  std::string stage{};  // the nearest around it
  bool is_swallowed = false, is_never = false;
  std::string condition{};  // of its stages, as text
  std::set<std::string> conditions{}, doubts{};
};
std::vector<JenkinsCall> jenkins_calls(std::string_view groovy, const ScriptFiles&);

}  // namespace gh::checks
