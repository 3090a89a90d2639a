#pragma once
// Runs a command where it can reach no network, write nowhere but in the folders named, and leave
// no process behind. The program starts itself again under a hidden word and enters the namespaces
// there, because posix_spawn offers no hook between fork and exec.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "sys/process.h"

namespace gh::sys {

inline constexpr std::string_view kIsolatedWord = "__isolated";

struct IsolationRequest {
  std::string self;                    // absolute path of this program
  std::string report;                  // absolute path of a fresh file for what was in force
  std::vector<std::string> writable;   // folders that stay writable; all else becomes read-only
  std::vector<std::string> read_only;  // folders inside a writable one that do not
  bool keeps_network = false;          // the command may reach the network all the same
};

/// What really held while the command ran, in fixed order: network, filesystem, processes.
struct IsolationReport {
  std::vector<std::string> in_force;
  bool started = false;  // false: the command itself could not be executed
};

Command isolated(Command command, const IsolationRequest&);
IsolationReport read_isolation_report(const std::string& path);

/// The hidden word's main; `args` follow it. Returns an exit status.
int isolated_main(const std::vector<std::string>& args);

}  // namespace gh::sys
