#pragma once
// Which process is it? A process id is given again to another process; with the time of its start
// and the boot it belongs to it stands for one process only.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sys/env.h"

namespace gh::sys {

/// What /proc/<pid>/stat tells.
struct ProcessStat {
  char state = '?';
  std::int64_t parent = 0;
  std::int64_t start_ticks = 0;  // since boot
  bool operator==(const ProcessStat&) const = default;
};
/// The name in parentheses is the process's own choice and may hold anything.
std::optional<ProcessStat> parse_process_stat(std::string_view bytes);

struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start_ticks = 0;  // 0: not known
  std::string boot_id{};         // empty: not known
  /// Of the machine and the process id space (a container has its own); GATEHOUSE_HOST_ID
  /// overrules.
  std::string host_id{};
  std::int64_t start_epoch = 0;  // seconds; moves with the clock of the machine, unlike the ticks
  bool operator==(const ProcessIdentity&) const = default;
};
ProcessIdentity self(Env&);
/// Of another process of this machine, such as the host that started us; start_ticks 0: not known.
ProcessIdentity identity_of(std::int64_t pid, Env&);
std::string host_id(Env&);
std::string boot_id();

/// What can be seen of a process now. One that has ended and waits for its parent does not exist.
struct ProbedProcess {
  bool exists = false;
  bool permission_denied = false;  // something is there; we may not look
  bool error = false;              // it could not be found out
  std::int64_t start_ticks = 0;    // 0: not known
  bool operator==(const ProbedProcess&) const = default;
};
ProbedProcess probe(std::int64_t pid);

struct Ancestor {
  std::int64_t pid = 0, start_ticks = 0;
  bool operator==(const Ancestor&) const = default;
};
/// Parent first, at most `limit`; ends early where a process is gone or cannot be seen.
std::vector<Ancestor> ancestors(std::int64_t pid, std::size_t limit = 8);

}  // namespace gh::sys
