#pragma once
// The `hooks` block of gatehouse.yaml (docs/hooks.md, "Settings"): what the programs that agent
// hosts and git call before and after a step do with their answer.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::policy {

/// off: say nothing; advise: say it and let it happen; enforce: stop it.
enum class HookMode : std::uint8_t { off, advise, enforce };
std::string_view to_string(HookMode);

/// What happens to a command of which nobody can tell what it writes.
enum class OpaqueShell : std::uint8_t { allow_and_reconcile, deny, ask };
std::string_view to_string(OpaqueShell);

struct HookPolicy {
  HookMode mode = HookMode::advise;
  bool require_intent = true;
  OpaqueShell shell_opaque = OpaqueShell::allow_and_reconcile;
  std::vector<std::string> protect{};  // PATHGLOBs that no intent can open
  bool patch_first = false;            // git apply and git am go around the patch gate
  bool local_ref_guard = false;        // commits without a stamp do not reach protected branches
  bool require_receipts = true;        // commits of agents are pushed with a receipt, or not at all

  bool operator==(const HookPolicy&) const = default;
};

/// Every key with its effective value.
Value to_value(const HookPolicy&);

}  // namespace gh::policy
