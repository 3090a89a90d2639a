#pragma once
// What a hook needs of gatehouse.yaml, and of nothing else: small enough to be kept beside the
// ledger and read back at every step of an agent.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "policy/config.h"

namespace gh::hooks {

struct Rules {
  policy::HookPolicy hooks{};
  std::vector<std::string> control_files{}, allow_control_files{};
  std::vector<std::string> guarded_branches{};  // refs/heads/main and the like
  bool postgres = false;  // the registry is on a server; a mirror of it is read
  std::int64_t lease_seconds = 300, session_grace_seconds = 900;
  std::string source{};  // where the configuration was read
  std::string build{};   // of the program that compiled them

  bool operator==(const Rules&) const = default;
};

Rules rules_of(const policy::Config&);
Value to_value(const Rules&);
/// json_invalid unless every member is there: a copy that was cut short decides nothing.
Result<Rules> rules_from(const Value&);

/// `path` is relative to the root. No intent can open it.
bool is_protected(const Rules&, std::string_view path);

/// A file that tells an agent host, or git, which hooks to run; wherever it lies.
bool is_hook_configuration(std::string_view path);

}  // namespace gh::hooks
