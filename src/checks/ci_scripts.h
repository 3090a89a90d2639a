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

/// What the reading of one CI file may cost, with all that it leads to: counts, so that the same
/// files give the same answer everywhere.
struct CiBudget {
  std::size_t steps = 0, text = 0, bytes = 0;

  /// One thing looked at; false: there is nothing left.
  bool step() { return spend(steps, 1, kMaxSteps); }
  /// A text that is read through.
  bool read(std::size_t size) { return spend(text, size, kMaxText); }
  /// Bytes that are taken from the tree, whether or not they were taken before.
  bool load(std::size_t size) { return spend(bytes, size, kMaxBytes); }
  bool is_spent() const { return is_spent_; }

  static constexpr std::size_t kMaxSteps = 100'000, kMaxText = 8u << 20, kMaxBytes = 64u << 20;

 private:
  bool spend(std::size_t& sum, std::size_t more, std::size_t most) {
    if (!is_spent_) sum += more;
    is_spent_ = is_spent_ || sum > most;
    return !is_spent_;
  }
  bool is_spent_ = false;
};

/// What a script may lead to.
struct ScriptFiles {
  /// Text of a file of the repository, by its path from the top.
  std::function<std::optional<std::string>(const std::string& path)> read{};
  /// Told of what the script runs and the repository does not have at the place it seems to name.
  std::function<void(const std::string& name)> miss{};
  /// Is there anything of that path, a file, a folder or a link?
  std::function<bool(const std::string& path)> has{};
  /// Does the file name a call of the gate? nullopt: there is none.
  std::function<std::optional<bool>(const std::string& path)> names{};
  CiBudget* budget = nullptr;  // of all that is read together; none: of this script alone
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
