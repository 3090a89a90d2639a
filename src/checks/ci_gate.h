#pragma once
// The jobs of continuous integration that call the gate, and whether they can still stop a change
// (release-gate 17.3, ci_gate_neutered). Files are read as the system that runs them would read
// them; nothing is searched for in text.
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checks/verification.h"

namespace gh::checks {

inline constexpr std::size_t kMaxCiFile = 1u << 20;
inline constexpr std::size_t kMaxCiIncludes = 64;

/// What can be wrong with a job, in the order of the contract.
enum class GateCause : std::uint8_t {
  job_removed,
  trigger_removed,
  condition_false,
  continue_on_error,
  exit_swallowed
};
std::string_view to_string(GateCause);

/// One job that calls the gate.
struct GateJob {
  std::string id{};
  std::set<GateCause> causes{};           // why it can stop nothing, whatever base says
  std::set<std::string> conditions{};     // that nobody can decide from the text
  std::set<std::string> continuations{};  // "continue on error" that nobody can decide
  std::set<std::string> doubts{};         // scripts whose end nobody can decide
  std::set<std::string> actions{};        // of others that are taken for the gate by their name
};

/// Events on which the file runs, with the filters of each as text; `paths`, `branches` decide.
struct CiEvent {
  bool has_paths = false, has_paths_ignore = false, has_branches = false,
       has_branches_ignore = false, has_types = false;
  std::vector<std::string> paths{}, paths_ignore{}, branches{}, branches_ignore{}, types{};
};

struct CiReading {
  bool is_readable = true;
  std::vector<GateJob> jobs{};
  std::map<std::string, CiEvent> events{};  // empty where the system has none
  std::vector<std::string> included{};      // files of the repository that were read for its gate
  std::set<std::string> missed{};           // names of files that its gate's scripts seem to run
  std::string routing{};                    // rules of when it runs that are compared as text
};

/// Text of a file of the same tree; nullopt: it has none there.
using ReadInTree = std::function<std::optional<std::string>(const std::string& path)>;

/// Names in a folder of the same tree.
using ListInTree = std::function<std::vector<std::string>(const std::string& folder)>;

/// How a CI file at this path reads. A file of no known system has no jobs.
CiReading read_ci(std::string_view path, std::string_view text, const ReadInTree&,
                  const ListInTree& = {});

/// All CI files of one tree that call the gate, by path.
using CiGates = std::map<std::string, CiReading>;

struct CiChange {
  const CiGates& base;
  const CiGates& head;
  std::vector<std::string> head_files{};  // CI files that head still has
  std::string manifest{};                 // its path from the top
  std::string target_branch{};            // empty: nobody knows
};
/// Jobs of base that can stop nothing in head, one row for each file. Files that are gone are told
/// by their removal.
std::vector<NeuteredGate> neutered_gates(const CiChange&);

/// Do these words of a shell call the gate so that its answer can stop something?
bool calls_gate(std::string_view script);

}  // namespace gh::checks
